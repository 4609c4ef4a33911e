"""`docs/proofs.md`: a dated line for every claim that a run of `make prove` has shown, and sums over runs.

The page is written by `tools/prove.py` and read strictly: a line that is not in its form is an error, because
a record that is read loosely proves nothing. Newest lines come last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "proofs.md"
SUMS_BEGIN = "<!-- sums: written by tools/prove.py -->"
SUMS_END = "<!-- end of sums -->"
HEADING = "| date (UTC) | commit | part | claim | figure | seconds |"
RULE = "|---|---|---|---|---|---|"
_LINE = re.compile(
    r"\| (?P<date>\d{4}-\d\d-\d\d \d\d:\d\d) \| `(?P<commit>[0-9a-f]{7,40})` "
    r"\| (?P<part>[a-z]+(?:-[a-z]+)*) \| (?P<claim>[^|]+) "
    r"\| (?P<count>\d{1,3}(?:,\d{3})*) (?P<unit>[a-z][a-z ]*?)(?:; (?P<remark>[^|]+))? "
    r"\| (?P<seconds>\d+) \|"
)


class RecordError(ValueError):
    """The page is not in its form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a part shows. `adds_up` says that runs use fresh cases, so that figures are summed over runs."""

    name: str
    unit: str
    adds_up: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """How much of some claims is to be shown over all runs together."""

    name: str
    claims: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One claim that a run has shown: how many cases in how many seconds, on which commit."""

    date: datetime
    commit: str
    part: str
    claim: str
    count: int
    unit: str
    seconds: int
    remark: str = ""

    def __str__(self) -> str:
        figure = f"{self.count:,} {self.unit}" + (f"; {self.remark}" if self.remark else "")
        return (
            f"| {self.date:%Y-%m-%d %H:%M} | `{self.commit}` | {self.part} | {self.claim} | {figure} "
            f"| {self.seconds} |"
        )


def read_line(text: str) -> Line:
    """A line of the table. Raises `RecordError` for one that is not in its form."""
    found = _LINE.fullmatch(text)
    line = None
    if found is not None:
        line = Line(
            date=datetime.strptime(found["date"], "%Y-%m-%d %H:%M").replace(tzinfo=UTC),
            commit=found["commit"],
            part=found["part"],
            claim=found["claim"],
            count=int(found["count"].replace(",", "")),
            unit=found["unit"],
            seconds=int(found["seconds"]),
            remark=found["remark"] or "",
        )
    if line is None or str(line) != text:
        raise RecordError(f"not a line of the record: {text!r}")
    return line


def read_lines(page: str) -> list[Line]:
    """Every line of the record, oldest first. Raises `RecordError` where the page is not in its form."""
    head, found, table = page.partition(f"{HEADING}\n{RULE}\n")
    if not found or HEADING in table:
        raise RecordError("the table of the record is missing, or is there twice")
    if head.count(SUMS_BEGIN) != 1 or head.count(SUMS_END) != 1:
        raise RecordError("the table of the sums is missing, or is there twice")
    lines = [read_line(text) for text in table.splitlines()]
    if any(after.date < before.date for before, after in pairwise(lines)):
        raise RecordError("the lines of the record are not in the order of their dates")
    return lines


def sum_of(lines: Iterable[Line], claims: Sequence[str]) -> int:
    """How much of some claims was shown over all runs."""
    return sum(line.count for line in lines if line.claim in claims)


def sums_table(lines: Sequence[Line], claims: Sequence[Claim], aims: Sequence[Aim]) -> str:
    """What adds up over runs: the sum so far of every such claim, and the standing aims first."""
    rows = ["| claim | sum so far | aim | runs |", "|---|---|---|---|"]
    for aim in aims:
        done = sum_of(lines, aim.claims)
        rows.append(f"| **{aim.name}** | {done:,} | {aim.count:,} | {_runs(lines, aim.claims)} |")
    for claim in claims:
        if claim.adds_up and not any(aim.claims == (claim.name,) for aim in aims):
            done = sum_of(lines, (claim.name,))
            rows.append(f"| {claim.name} | {done:,} {claim.unit} | – | {_runs(lines, (claim.name,))} |")
    return "\n".join(rows)


def _runs(lines: Sequence[Line], claims: Sequence[str]) -> int:
    return len({(line.date, line.commit) for line in lines if line.claim in claims})


def with_sums(page: str, claims: Sequence[Claim], aims: Sequence[Aim]) -> str:
    """The page with its sums made from its lines."""
    lines = read_lines(page)
    before, _, rest = page.partition(SUMS_BEGIN)
    _, _, after = rest.partition(SUMS_END)
    return f"{before}{SUMS_BEGIN}\n\n{sums_table(lines, claims, aims)}\n\n{SUMS_END}{after}"


def append(file: Path, lines: Iterable[Line], claims: Sequence[Claim], aims: Sequence[Aim]) -> None:
    """Write lines at the end of the record, and the sums anew."""
    page = file.read_text(encoding="utf-8")
    read_lines(page)
    page += "".join(f"{read_line(str(line))}\n" for line in lines)
    draft = file.with_suffix(".draft")
    draft.write_text(with_sums(page, claims, aims), encoding="utf-8")
    draft.replace(file)
