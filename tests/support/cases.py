"""Worked cases in one line a seat: `tests/cases/<book>.toml`.

    [[cases]]
    title = "a royal flush on the flop takes the whole meter"
    clauses = ["4.2"]
    board = "Qh Jh Th 2c 3d"
    dealer = "9s 9d"
    seats = ["Ah Kh: ante 25 flop 50 jackpot 5 -> ante +25 flop +50 jackpot +299995"]

`clauses` are those the case is about; `cites` those of them that its lines or awards must cite.
After the arrow stands what each wager wins or loses, and `+0` for a stake that comes back. A status other than
`played` stands before the colon in brackets. Every figure is worked out from the rule document.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss.money import format_cents, parse_cents
from pitboss.play import Settlement, settle
from pitboss.play.facts_file import read_facts
from pitboss.play.settlement import check_facts
from pitboss.rulebooks import Plan

FOLDER = Path(__file__).parent.parent / "cases"
_SEAT = re.compile(r"(?P<cards>[^\[:]*)(\[(?P<status>[^\]]*)\])?: (?P<stakes>.*) -> (?P<nets>.*)")
JACKPOT = {"meter": "300000.00", "reset": "100000.00", "unit": "5"}


@dataclass(frozen=True, slots=True)
class Case:
    book: str
    title: str
    clauses: tuple[str, ...]
    cites: tuple[str, ...]
    facts: dict[str, Any]
    nets: tuple[dict[str, str], ...]
    after: str | None


def read_cases(book: str) -> list[Case]:
    """The worked cases of a book."""
    document = tomllib.loads((FOLDER / f"{book}.toml").read_text())
    return [_case(book, entry) for entry in document["cases"]]


def _case(book: str, entry: dict[str, Any]) -> Case:
    seats, nets = [], []
    for number, text in enumerate(entry["seats"], 1):
        match = _SEAT.fullmatch(text)
        assert match is not None, f"{book}: {entry['title']}: {text}"
        words = (match["status"] or "played").split()
        seat: dict[str, Any] = {
            "position": number,
            "player": f"p{number}",
            "cards": match["cards"].split(),
            "status": words[0],
            "wagers": _pairs(match["stakes"]),
        }
        seat |= dict.fromkeys(words[1:], True)
        seats.append(seat)
        nets.append(_pairs(match["nets"]))
    facts: dict[str, Any] = {"rulebook": book, "seats": seats}
    facts |= {"community": entry.get("board", "").split(), "dealer": entry.get("dealer", "").split()}
    for key in ("limits", "readings", "void"):
        if key in entry:
            facts[key] = entry[key]
    if any("jackpot" in seat["wagers"] for seat in seats):
        facts["jackpot"] = JACKPOT | entry.get("jackpot", {})
    return Case(
        book=book,
        title=entry["title"],
        clauses=tuple(entry["clauses"]),
        cites=tuple(entry.get("cites", ())),
        facts=facts,
        nets=tuple(nets),
        after=entry.get("after"),
    )


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def mistakes(case: Case, plan: Plan | None = None) -> Iterator[str]:
    """What a settlement gets wrong; by another plan than the book's own, if one is given."""
    own, facts = read_facts(json.dumps(case.facts), name=case.title)
    plan = plan or own
    check_facts(plan, facts)
    result = settle(plan, facts)
    for seat, wanted in zip(result.seats, case.nets, strict=True):
        got = {str(line.wager): format_cents(line.net) for line in seat.lines}
        want = {wager: format_cents(parse_cents(net.lstrip("+-"))) for wager, net in wanted.items()}
        want = {
            wager: f"-{text}" if wanted[wager][0] == "-" and text != "0.00" else text
            for wager, text in want.items()
        }
        if got != want:
            yield f"{case.title}: position {seat.position}: {got}, not {want}"
    missing = set(case.cites) - cited(result)
    if missing:
        yield f"{case.title}: nothing cites {', '.join(sorted(missing))}"
    if case.after is not None:
        assert result.jackpot is not None
        after = format_cents(parse_cents(case.after)) if "." not in case.after else case.after
        got_after = f"{result.jackpot.after // 1_000_000}.{result.jackpot.after // 10_000 % 100:02}"
        if got_after != after:
            yield f"{case.title}: the meter stands at {got_after}, not {after}"


def cited(result: Settlement) -> set[str]:
    """Every clause that the lines and awards of a settlement cite."""
    found = {str(clause) for seat in result.seats for line in seat.lines for clause in line.clauses}
    if result.jackpot is not None:
        found |= {str(clause) for award in result.jackpot.awards for clause in award.clauses}
    return found
