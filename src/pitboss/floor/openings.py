"""What is chosen when a table opens: a rulebook in force, its layout, procedure, limits, chips, equipment."""

from __future__ import annotations

from typing import Any

from pitboss.floor.service import Floor
from pitboss.money import format_cents
from pitboss.rulebooks.plan import Plan


def openings_view(floor: Floor) -> list[dict[str, Any]]:
    """Every rulebook that a table may be opened with, and what the house sets there unless told otherwise."""
    in_force = [hashed for hashed, book in floor.registry.rulebooks.items() if book.in_force]
    return [{"rulebook": hashed, **opening_view(floor.desk.plan_of(hashed))} for hashed in in_force]


def opening_view(plan: Plan) -> dict[str, Any]:
    """What a table with this plan may be opened with; nothing of it is decided here."""
    book, house = plan.book, plan.book.house
    return {
        "game": plan.id,
        "title": book.identity.title,
        "readings": {name: str(letter) for name, letter in sorted(plan.readings.items())},
        "layouts": [
            {
                "layout": layout.name,
                "positions": list(plan.seat_ranges[layout.name]),
                "clauses": [] if layout.positions is None else list(layout.clauses),  # of the number
                "drawn": list(layout.clauses),
            }
            for layout in book.layouts
        ],
        "positions": house.positions,
        "procedures": [procedure.name for procedure in plan.procedures],
        "currency": house.currency,
        "decision_seconds": house.decision_seconds,
        "denominations": [format_cents(chip) for chip in house.denominations],
        "limits": {
            wager.name: [format_cents(amount) for amount in house.limits.get(wager.name, ())]
            for wager in plan.wagers
            if wager.placed == "before-deal" and wager.units is None
        },
        "areas": {wager.name: wager.area for wager in plan.wagers},
        "jackpot": plan.jackpot is not None,
        "equipment": [
            {"item": item.name, "procedures": list(item.procedures), "clauses": list(item.clauses)}
            for item in book.equipment
        ],
    }
