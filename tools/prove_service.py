"""The long proofs of the service and the package: hostile input, Lighthouse, the wheel, dependencies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from audit import advisories, pinned, python_problems, web_problems, write_bills
from prove_parts import ROOT, Proof, run_tests

sys.path.insert(0, str(ROOT / "tests"))

from support.fuzzing import TARGETS
from support.lighthouse import LEAST, PAGES, scores_of

RUNS_OF_LIGHTHOUSE = 3
PARSERS, WIRE, SCHEMA = 0.45, 0.18, 0.22
"""What each kind of hostile input has of the time."""

# --- hostile input ----------------------------------------------------------------------------------------


def _fuzz(target: str, seconds: int, seed: int) -> int:
    """How many documents a parser was given by the coverage-guided fuzzer."""
    command = [sys.executable, str(ROOT / "tools" / "fuzz.py"), target]
    done = subprocess.run(
        [*command, f"--seconds={seconds}", f"--seed={seed}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-8000:]
    found = re.findall(r"Done (\d+) runs", done.stderr)
    assert found, done.stderr[-2000:]
    print(f"  {target}: {int(found[-1]):,} documents", flush=True)
    return int(found[-1])


def fuzz(proof: Proof) -> None:
    """Parsers, two at a time; then raw HTTP and WebSocket; then what the OpenAPI document describes."""
    whole, parsers = proof.seconds, "parsers use their input or refuse it"
    if not proof.is_shown(parsers):
        processes = os.cpu_count() or 1
        seconds = max(1, int(PARSERS * whole * processes / (len(TARGETS) + len(TARGETS) % processes)))
        seed = 1 + proof.before(parsers)
        with ThreadPoolExecutor(processes) as pool:
            tried = list(pool.map(lambda target: _fuzz(target, seconds, seed), sorted(TARGETS)))
        proof.show(parsers, sum(tried), f"{len(TARGETS)} parsers")
    for claim, share, variable, file in (
        ("the service answers hostile bytes", WIRE, "PROVE_FUZZ_SECONDS", "test_fuzz_wire"),
        ("the service keeps to its OpenAPI document", SCHEMA, "PROVE_SCHEMA_SECONDS", "test_service_schema"),
    ):
        if not proof.is_shown(claim):
            variables = {variable: str(share * whole), "PROVE_SEED": str(1 + proof.before(claim))}
            done = run_tests(f"tests/whole/{file}.py", "-n", "3", variables=variables)
            proof.show(claim, done.counts["requests"])


# --- the screens ------------------------------------------------------------------------------------------


def lighthouse(proof: Proof) -> None:
    """Every screen's accessibility and best practices, the median of three runs."""
    with tempfile.TemporaryDirectory(prefix="pitboss-lighthouse-") as folder:
        found = scores_of(Path(folder), PAGES, runs=RUNS_OF_LIGHTHOUSE)
    for page, scores in found.items():
        print(f"  {page}: {scores}", flush=True)
    low = {page: scores for page, scores in found.items() if min(scores.values()) < LEAST}
    assert not low, low
    lowest = min(min(scores.values()) for scores in found.values())
    proof.show("screens score 95 or more in Lighthouse", len(found), f"lowest {lowest}, median of three")


# --- the package ------------------------------------------------------------------------------------------


def wheel(proof: Proof) -> None:
    """The tests of the wheel with real downloads, and with the client built from the source distribution."""
    done = run_tests("tests/whole/test_wheel.py", variables={"PROVE_LONG": "1"})
    proof.show("the wheel alone is enough", done.passed)


def audit(proof: Proof) -> None:
    """Packages as pinned, the bills of materials, and advisories where the services answer."""
    problems = python_problems() + web_problems() + write_bills(ROOT / "build")
    known, silent = advisories()
    for line in silent:
        print(f"  {line}", flush=True)
    problems += known
    assert not problems, problems
    asked = "no known advisory" if not silent else f"{len(silent)} of 2 advisory services did not answer"
    proof.show("dependencies are as pinned; advisories where services answer", len(pinned()), asked)
