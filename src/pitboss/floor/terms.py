"""What a table offers to whoever sits down: wagers, limits, decisions, chips, its rulebook and readings."""

from __future__ import annotations

from typing import Any

from pitboss.floor.gaming_table import GamingTable
from pitboss.money import format_cents


def terms_view(table: GamingTable) -> dict[str, Any]:
    """The terms a table plays by, ready to be sent. They change between rounds only."""
    opened, state = table.opened, table.state
    assert opened is not None
    plan, terms = state.plan, state.terms
    house = plan.book.house
    return {
        "table": table.table,
        "game": plan.id,
        "title": plan.book.identity.title,
        "rulebook": opened.rulebook,
        "readings": {name: str(letter) for name, letter in sorted(plan.readings.items())},
        "layout": opened.layout,
        "procedure": opened.procedure,
        "positions": opened.positions,
        "own_cards": plan.own_cards,
        "dealer_cards": plan.dealer_cards,
        "community_cards": plan.community_cards,
        "cards": opened.cards,
        "practice": opened.practice,
        "currency": opened.currency,
        "chip": format_cents(opened.chip),
        "denominations": [format_cents(chip) for chip in house.denominations],
        "link": opened.link,
        "jackpot_unit": None if terms.jackpot is None else format_cents(terms.jackpot.unit),
        "decision_seconds": opened.decision_seconds,
        "dealt_by": "house" if table.dealing is not None else "person",
        "betting_seconds": None if table.dealing is None else table.dealing.betting_seconds,
        "wagers": [
            {
                "wager": wager.name,
                "area": wager.area,
                "placed": str(wager.placed),
                "needs": list(wager.needs),
                "units": None if wager.units is None else list(wager.units),
                "limits": _limits(table, wager.name),
                "clauses": list(wager.clauses),
            }
            for wager in plan.wagers
            if wager.extra_on is None  # nobody places those
        ],
        "decisions": [
            {"decision": decision.name, "bet": decision.bet, "otherwise": str(decision.otherwise)}
            for decision in plan.decisions
        ],
    }


def _limits(table: GamingTable, wager: str) -> list[str] | None:
    limit = {str(name): limit for name, limit in table.state.terms.limits.items()}.get(wager)
    return None if limit is None else [format_cents(limit.minimum), format_cents(limit.maximum)]
