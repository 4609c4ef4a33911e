"""Make a release: `python tools/release.py 0.2.0`, or `make release VERSION=0.2.0`. Nothing is pushed.

It refuses an unclean tree, another branch than main, a version that does not grow or is not the one in
`src/pitboss/version.py`, and a changelog without a section for it that begins with "Rules and money". Then it
runs `make test`, builds source distribution and wheel in a fresh clone, looks into both, writes `SHA256SUMS`
and the bill of materials beside them, and tags. With `--dry-run` it only says what it would do.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import artefacts

ROOT = Path(__file__).resolve().parent.parent
BRANCH = "main"
FIRST_SECTION = "Rules and money"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")

Number = tuple[int, ...]


def git(root: Path, *words: str) -> str:
    """What git answers in this folder."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def number(text: str) -> Number | None:
    """A version as numbers to compare, or None for what is none."""
    return tuple(int(part) for part in text.split(".")) if VERSION.fullmatch(text) else None


def source_version(root: Path) -> str:
    """The version that `src/pitboss/version.py` states: the only place where it is written."""
    text = (root / "src/pitboss/version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.*)"$', text, re.M)
    return found[1] if found else ""


def released(root: Path) -> list[Number]:
    """The versions that have a tag."""
    found = [number(tag.removeprefix("v")) for tag in git(root, "tag", "--list", "v*").splitlines()]
    return [version for version in found if version is not None]


def sections(changelog: str) -> dict[str, list[str]]:
    """The headings under each version of a changelog, in their order; `Unreleased` is one of the versions."""
    found: dict[str, list[str]] = {}
    version = ""
    for line in changelog.splitlines():
        if line.startswith("## "):
            version = line[3:].split(" - ")[0].strip()
            found[version] = []
        elif line.startswith("### ") and version:
            found[version].append(line[4:].strip())
    return found


def refusals(root: Path, version: str) -> Iterator[str]:
    """Every reason not to release this version from this folder now."""
    changed = git(root, "status", "--porcelain").splitlines()
    if changed:
        yield f"the tree is not clean: {len(changed)} changed or unknown, first {changed[0].strip()}"
    branch = git(root, "rev-parse", "--abbrev-ref", "HEAD")
    if branch != BRANCH:
        yield f"this is branch {branch}; releases are made from {BRANCH}"
    wanted = number(version)
    if wanted is None:
        yield f"'{version}' is no version; write it like 0.2.0"
        return
    last = max(released(root), default=None)
    if last is not None and wanted <= last:
        yield f"{version} does not grow: {'.'.join(map(str, last))} is released"
    if source_version(root) != version:
        yield f"src/pitboss/version.py says {source_version(root)}; set it to {version} and commit"
    yield from _changelog_refusals((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)


def _changelog_refusals(changelog: str, version: str) -> Iterator[str]:
    found = sections(changelog)
    if version not in found:
        yield f"CHANGELOG.md has no section '## {version} - DATE'"
        return
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changelog, re.M):
        yield f"the section {version} of CHANGELOG.md has no date: '## {version} - 2030-01-31'"
    first = next(iter(found[version]), "nothing")
    if first != FIRST_SECTION:
        yield f"the section {version} of CHANGELOG.md begins with {first}, not with {FIRST_SECTION}"
    if found.get("Unreleased"):
        yield "CHANGELOG.md still has entries under Unreleased; they belong to this release"
    newest = next((name for name in found if name != "Unreleased"), "")
    if newest != version:
        yield f"the newest section of CHANGELOG.md is {newest}, not {version}"


def run(*words: str, folder: Path | None = None) -> None:
    """Run a command that must succeed; its output is for who makes the release."""
    print("$", *words, flush=True)
    subprocess.run(words, cwd=folder or ROOT, check=True)


def build(out: Path) -> list[Path]:
    """Build both distributions from what is committed and nothing else, the wheel from the other."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "pitboss"
        run("git", "clone", "--quiet", str(ROOT), str(clone))
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), folder=clone)
    return sorted(path for path in out.iterdir() if path.name.startswith("pitboss-"))


def write_sums(out: Path) -> Path:
    """`SHA256SUMS` over everything in the folder, for `sha256sum -c`."""
    files = sorted(path for path in out.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = out / "SHA256SUMS"
    sums.write_text("".join(lines), encoding="utf-8")
    return sums


def steps(version: str, out: Path) -> list[tuple[str, Callable[[], object]]]:
    """What a release does, in order, each with what to call it."""
    return [
        ("run everything that CI runs", lambda: run("make", "test")),
        (f"build both distributions into {out} from a fresh clone", lambda: build(out)),
        ("look into both", lambda: _looked_into(version, out)),
        ("write the bill of materials", lambda: run(sys.executable, "tools/audit.py", "--bill", str(out))),
        ("write SHA256SUMS", lambda: write_sums(out)),
        (f"tag v{version}", lambda: run("git", "tag", "-a", f"v{version}", "-m", f"Pitboss {version}")),
    ]


def _looked_into(version: str, out: Path) -> None:
    problems = artefacts.problems(out, version)
    for problem in problems:
        print(problem)
    if problems:
        raise SystemExit(f"{len(problems)} problems with the distributions; nothing is tagged")


def main(arguments: list[str] | None = None) -> int:
    """Release; 1 if it is refused, 0 if it is done."""
    parser = argparse.ArgumentParser(description="Make a release of Pitboss. Nothing is pushed.")
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    asked = parser.parse_args(arguments)
    refused = list(refusals(ROOT, asked.version))
    for reason in refused:
        print(reason)
    if refused:
        return 1
    out = ROOT / "dist" / asked.version
    todo = steps(asked.version, out)
    if asked.dry_run:
        for what, _ in todo:
            print("would", what)
        return 0
    return _made(todo, out)


def _made(todo: list[tuple[str, Callable[[], object]]], out: Path) -> int:
    """Do every step, from an empty folder; the first that fails is the last."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for what, act in todo:
        print(f"now: {what}", flush=True)
        try:
            act()
        except subprocess.CalledProcessError as failed:
            print(f"'{' '.join(map(str, failed.cmd))}' failed; nothing is tagged")
            return 1
    print(f"{out} is ready, and the tag is set here. To publish: git push --follow-tags")
    return 0


if __name__ == "__main__":
    sys.exit(main())
