"""What a table carries from one round to the next, as JSON: enough to go on without the rounds before.

A round begins on a clean layout, so that this and the events since are the whole table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pitboss.money import Cents, LedgerUnits
from pitboss.play.table import Memory, State, Terms


def carry(state: State) -> dict[str, Any]:
    """The table between two rounds. What the last round left lying on the layout is not in it."""
    memory, jackpot = state.memory, state.terms.jackpot
    return {
        "racks": dict(state.racks),
        "round_number": state.round_number,
        "table_float": state.table_float,
        "house": state.house,
        "meter": state.meter,
        "jackpot": None if jackpot is None else [jackpot.unit, jackpot.reset, jackpot.increment_bp],
        "memory": {
            "gaming_day": memory.gaming_day,
            "warned": sorted(memory.warned),
            "restricted": sorted(memory.restricted),
            "barred": sorted(memory.barred),
            "blocked": sorted(memory.blocked),
            "closed": memory.closed,
            "jackpot_suspended": memory.jackpot_suspended,
            **_came_later(memory),
        },
    }


def _came_later(memory: Memory) -> dict[str, Any]:
    """What tables did not carry at first; left out where there is nothing, as in the snapshots of then."""
    found = {
        "paid_once": sorted(memory.paid_once),
        "collected_once": sorted(memory.collected_once),
        "jackpot_stopped": memory.jackpot_stopped,
        "new_pack_due": memory.new_pack_due,
    }
    return {name: value for name, value in found.items() if value}


def carried_on(state: State, carried: Mapping[str, Any]) -> State:
    """A table as it was opened, brought to where it was carried to."""
    memory = carried["memory"]
    return state._replace(
        terms=_with_jackpot(state.terms, carried["jackpot"]),
        racks=MappingProxyType({player: Cents(rack) for player, rack in carried["racks"].items()}),
        round_number=carried["round_number"],
        table_float=LedgerUnits(carried["table_float"]),
        house=LedgerUnits(carried["house"]),
        meter=LedgerUnits(carried["meter"]),
        memory=Memory(
            gaming_day=memory["gaming_day"],
            warned=frozenset(memory["warned"]),
            paid_once=frozenset(memory.get("paid_once", ())),
            collected_once=frozenset(memory.get("collected_once", ())),
            restricted=frozenset(memory["restricted"]),
            barred=frozenset(memory["barred"]),
            blocked=frozenset(memory["blocked"]),
            closed=memory["closed"],
            jackpot_suspended=memory["jackpot_suspended"],
            jackpot_stopped=memory.get("jackpot_stopped", False),
            new_pack_due=memory.get("new_pack_due", False),
        ),
    )


def _with_jackpot(terms: Terms, figures: list[int] | None) -> Terms:
    if figures is None or terms.jackpot is None:
        return terms
    unit, reset, increment_bp = figures
    jackpot = replace(terms.jackpot, unit=Cents(unit), reset=Cents(reset), increment_bp=increment_bp)
    return replace(terms, jackpot=jackpot)
