"""What several tests need: rounds written tersely, and the command line called in process."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.cli.main import run
from pitboss.play import Settlement, SettlementLine, read_facts, settle

BOOKS = ("hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "mbs-thb-9", "rws-thp-2")

LIMITS: dict[str, dict[str, list[str]]] = {
    "mbs-thb-9": {"ante": ["25", "1000"], "bonus": ["5", "500"]},
    "hoiana-thb-2025": {"ante": ["10", "500"], "bonus": ["5", "100"]},
    "mbs-3cp-2023": {"ante": ["25", "1000"], "pair-plus": ["5", "500"], "six-card-bonus": ["5", "500"]},
    "mbs-stud-6": {"ante": ["25", "1000"]},
    "rws-thp-2": {"ante": ["25", "1000"], "bonus": ["5", "500"]},
}


def seat(
    cards: str, wagers: str, *, position: int = 1, status: str = "played", player: str = "", **flags: bool
) -> dict[str, Any]:
    """A seat: `seat("Ah Kd", "ante 25 flop 50")`."""
    words = wagers.split()
    stakes = dict(zip(words[::2], words[1::2], strict=True))
    return {
        "position": position,
        "player": player or f"p{position}",
        "cards": cards.split(),
        "status": status,
        "wagers": stakes,
        **flags,
    }


def facts(
    book: str,
    *seats: dict[str, Any],
    community: str = "",
    dealer: str = "",
    readings: Any = None,
    meter: str = "300000.00",
    reset: str = "100000.00",
    void: str | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Facts as `pitboss settle` takes them, with the usual limits and a jackpot where the book has one."""
    document: dict[str, Any] = {
        "rulebook": book,
        "readings": dict(readings or {}),
        "limits": LIMITS.get(book, {}),
    }
    if book != "hoiana-thb-2025":
        document["jackpot"] = {"meter": meter, "reset": reset, "unit": "5"}
    document |= {"community": community.split(), "dealer": dealer.split(), "void": void, "seats": list(seats)}
    return document | changes


def settled(document: Mapping[str, Any]) -> Settlement:
    plan, round_facts = read_facts(json.dumps(document), name="facts.json")
    return settle(plan, round_facts)


def line(settlement: Settlement, wager: str, *, position: int = 1) -> SettlementLine:
    for result in settlement.seats:
        if result.position == position:
            for found in result.lines:
                if found.wager == wager:
                    return found
    raise AssertionError(f"no line for {wager} at position {position}")


def money(settlement: Settlement, wager: str, *, position: int = 1) -> tuple[str, str, str]:
    """Returned, collected and paid of one line, as they would be printed."""
    found = line(settlement, wager, position=position)
    return tuple(f"{amount / 100:.2f}" for amount in (found.returned, found.collected, found.paid))  # type: ignore[return-value]


def net(settlement: Settlement, position: int = 1) -> str:
    return next(f"{s.net / 100:.2f}" for s in settlement.seats if s.position == position)


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def pitboss(*arguments: str) -> Ran:
    """Run the command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(arguments))
    return Ran(code, out.getvalue(), err.getvalue())
