"""Run the long forms of the proofs and record what they show: `make prove`, or `make prove PART=kills`.

Every part runs in a process group of its own, stops by itself when its time is over, and is killed somewhat
later. What it shows goes to `docs/proofs.md` with the commit. A part that fails is not recorded; the others
still run. Parts that are recorded for this commit are skipped unless they are named, and a part that was
interrupted or failed goes on with what it had not shown yet.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from prove_parts import AIMS, PARTS, ROOT, Part, Shown, claims_of, read_journal, work_on
from prove_record import PAGE, Aim, Claim, Line, append, read_lines

GRACE_SECONDS = 15
"""What a part that is stopped has to end its servers and databases."""
HASH_DIGITS = 10
INTERRUPTED = 130


class RefusalError(Exception):
    """Nothing can be run or recorded as asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where proofs are run: the repository, its page, the folder of the journals, and the parts there are."""

    root: Path = ROOT
    page: Path = PAGE
    journals: Path = ROOT / "build" / "proofs"
    parts: tuple[Part, ...] = PARTS
    aims: tuple[Aim, ...] = AIMS
    command: Callable[[Part], Sequence[str]] = lambda part: part.command
    say: Callable[[str], None] = lambda text: print(text, flush=True)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim of the parts."""
        return claims_of(self.parts)

    def named(self, names: Sequence[str]) -> tuple[Part, ...]:
        """The parts of these names, in the order of a whole run; all without names."""
        unknown = sorted(set(names) - {part.name for part in self.parts})
        if unknown:
            known = ", ".join(part.name for part in self.parts)
            raise RefusalError(f"unknown part {unknown[0]}; the parts are {known}")
        return tuple(part for part in self.parts if not names or part.name in names)

    def git(self, *words: str) -> str:
        """What git answers in the repository."""
        done = subprocess.run(["git", *words], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout.rstrip("\n")

    def commit(self) -> str:
        """The commit that is checked out. Raises `RefusalError` if anything but the record has changed."""
        own = self.page.relative_to(self.root).as_posix()
        changed = [line for line in self.git("status", "--porcelain").splitlines() if line[3:] != own]
        if changed:
            raise RefusalError(
                f"the tree has {len(changed)} changes that are not committed, first {changed[0][3:]}; "
                "commit them, or use --no-record"
            )
        return self.git("rev-parse", f"--short={HASH_DIGITS}", "HEAD")

    def recorded(self, part: Part, commit: str) -> bool:
        """Whether every claim of a part is on record for a commit."""
        lines = read_lines(self.page.read_text(encoding="utf-8"))
        found = {line.claim for line in lines if line.commit == commit and line.part == part.name}
        return found >= {claim.name for claim in part.claims}


def run(bench: Bench, names: Sequence[str] = (), *, record: bool = True) -> int:
    """Run parts; 0 if each showed all that it claims, 1 if not. Raises `RefusalError`."""
    parts, commit = bench.named(names), ""
    if record:
        commit = bench.commit()
    else:
        bench.say("nothing is recorded")
    failures, began = [], time.monotonic()
    for part in parts:
        if record and not names and bench.recorded(part, commit):
            bench.say(f"== {part.name}: recorded for {commit} already, skipped")
            continue
        bench.say(f"== {part.name}: {part.what} (at most {part.seconds / 60:.1f} min)")
        with _journal(bench, part, commit) as journal:
            failure = _prove(bench, part, journal)
            shown = read_journal(journal)
            missing = {claim.name for claim in part.claims} - {line.claim for line in shown}
            if not failure and missing:
                failure = f"its time was over before: {', '.join(sorted(missing))}"
            lines = _lines(part, shown, commit or "0" * HASH_DIGITS)
            for line in lines:
                figure = f"{line.count:,} {line.unit}" + (f"; {line.remark}" if line.remark else "")
                bench.say(f"   {line.claim}: {figure} ({line.seconds} s)")
            if failure:
                failures.append(f"{part.name}: {failure}")
                bench.say(f"== {part.name} FAILED: {failure}; not recorded")
                continue
            if record:
                if bench.commit() != commit:
                    raise RefusalError(f"the commit is no longer {commit}; {part.name} is not recorded")
                append(bench.page, lines, bench.claims, bench.aims)
            journal.unlink(missing_ok=True)
    for failure in failures:
        bench.say(f"FAILED {failure}")
    minutes = (time.monotonic() - began) / 60
    bench.say(f"{len(parts) - len(failures)} of {len(parts)} parts hold ({minutes:.1f} min)")
    return 1 if failures else 0


@contextmanager
def _journal(bench: Bench, part: Part, commit: str) -> Iterator[Path]:
    """Where a part writes what it shows. With a commit it outlives the run, for the next one to go on."""
    if commit:
        for other in bench.journals.glob("*"):
            if other.name != commit:
                shutil.rmtree(other)
        folder = bench.journals / commit
        folder.mkdir(parents=True, exist_ok=True)
        yield folder / f"{part.name}.jsonl"
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-proofs-") as temporary:
        yield Path(temporary) / f"{part.name}.jsonl"


def _prove(bench: Bench, part: Part, journal: Path) -> str:
    """Run a part in a process group of its own: what went wrong, empty if nothing did."""
    kept = read_journal(journal)
    if kept:
        bench.say(f"   goes on after {sum(line.seconds for line in kept):.0f} s of an interrupted run")
    variables = {
        "PROVE_PAGE": str(bench.page),
        "PROVE_JOURNAL": str(journal),
        "PROVE_SECONDS": str(part.seconds),
    }
    process = subprocess.Popen(
        bench.command(part), cwd=bench.root, env=os.environ | variables, start_new_session=True
    )
    try:
        code = process.wait(timeout=part.killed_after)
    except subprocess.TimeoutExpired:
        return f"it did not end by itself and was killed after {part.killed_after:.0f} s"
    finally:
        _end(process)
    return f"it ended with {code}" if code else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a process group: first it may stop its servers, then it is killed."""
    for number, patience in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, GRACE_SECONDS)):
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=patience)
    with suppress(ProcessLookupError):  # the group outlives a leader that left children behind
        os.killpg(process.pid, signal.SIGKILL)


def _lines(part: Part, shown: Sequence[Shown], commit: str) -> list[Line]:
    """A line of the record for every claim, in the part's order; its last remark stands for all of them."""
    now, found = datetime.now(UTC).replace(second=0, microsecond=0), []
    for claim in part.claims:
        mine = [line for line in shown if line.claim == claim.name]
        if mine:
            found.append(
                Line(
                    date=now,
                    commit=commit,
                    part=part.name,
                    claim=claim.name,
                    count=sum(line.count for line in mine),
                    unit=claim.unit,
                    seconds=round(sum(line.seconds for line in mine)),
                    remark=mine[-1].remark,
                )
            )
    return found


def _list(bench: Bench) -> None:
    for part in bench.parts:
        bench.say(f"{part.name:<12}{part.seconds / 60:5.1f} min  {part.what}")
    bench.say(f"{'all':<12}{sum(part.seconds for part in bench.parts) / 60:5.1f} min")


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def main(words: Sequence[str] | None = None, bench: Bench | None = None) -> int:
    """Prove what the command line names."""
    parser = argparse.ArgumentParser(description="Run the long proofs and record what they show.")
    parser.add_argument("part", nargs="*", help="parts to run, also if they are recorded; all without names")
    parser.add_argument("--list", action="store_true", help="print the parts with their bounds")
    parser.add_argument("--no-record", action="store_true", help="record nothing, for a tree with changes")
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        metavar="X",
        help="multiply every bound; records nothing",
    )
    parser.add_argument("--work", metavar="PART", help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    bench = bench or Bench()
    if asked.work:
        signal.signal(signal.SIGTERM, _leave)
        [part] = bench.named([asked.work])
        work_on(part)
        return 0
    if asked.scale != 1.0:
        parts = (replace(part, seconds=max(1, round(part.seconds * asked.scale))) for part in bench.parts)
        bench = replace(bench, parts=tuple(parts))
    if asked.list:
        _list(bench)
        return 0
    try:
        before = signal.signal(signal.SIGTERM, _stop)
        try:
            return run(bench, asked.part, record=not asked.no_record and asked.scale == 1.0)
        finally:
            signal.signal(signal.SIGTERM, before)
    except RefusalError as refused:
        sys.stderr.write(f"prove: {refused}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("prove: interrupted; run it again to go on\n")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
