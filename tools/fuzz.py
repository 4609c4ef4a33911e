"""Fuzz a parser for a time, with coverage to go by: `python tools/fuzz.py scenario --seconds 600`.

The targets and the documents are those of tests/support/fuzzing.py; libFuzzer (atheris) chooses what
Hypothesis draws. A finding ends the run with its document, and an exit code that is not 0. Without a target
all are fuzzed, one after the other.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"


def main() -> int:
    """Fuzz what the command line names."""
    sys.path.insert(0, str(TESTS))
    parser = argparse.ArgumentParser(description="Fuzz the parsers of Pitboss.")
    parser.add_argument("target", nargs="?", default="")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.target:
        _fuzz(asked.target, asked.seconds, asked.seed)
        return 0
    from support.fuzzing import TARGETS

    for target in sorted(TARGETS):
        print(f"{target}: {asked.seconds} s", flush=True)
        command = [sys.executable, __file__, target, f"--seconds={asked.seconds}", f"--seed={asked.seed}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        print("\n".join(done.stderr.strip().splitlines()[-2:]), flush=True)
        if done.returncode:
            print(done.stdout[-4000:] + done.stderr[-8000:])
            return 1
    return 0


def _fuzz(target: str, seconds: int, seed: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["pitboss"]):
        import pitboss.floor.codec
        import pitboss.play.record
        import pitboss.play.scenario
        import pitboss.rulebooks.validate  # noqa: F401
    from support.fuzzing import TARGETS, fuzzed

    if target not in TARGETS:
        sys.exit(f"no target '{target}'; there are {', '.join(sorted(TARGETS))}")
    test = fuzzed(target, examples=1)
    one = test.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    options = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        "-max_len=8192",
        "-rss_limit_mb=4096",
        f"-artifact_prefix={tempfile.gettempdir()}/",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
