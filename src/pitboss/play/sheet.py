"""A settlement as other programs read it: the JSON of `pitboss settle`."""

from __future__ import annotations

from typing import Any

from pitboss.money import floor_to_cents, format_cents
from pitboss.play.facts import Facts, Seat
from pitboss.play.settlement import Award, JackpotSettlement, SeatSettlement, Settlement
from pitboss.rulebooks import Plan


def settlement_json(plan: Plan, settlement: Settlement) -> dict[str, Any]:
    """The settlement in the form of CONTRACTS: money as decimal strings, clauses as numbers."""
    document: dict[str, Any] = {
        "rulebook": plan.id,
        "seats": [seat_json(seat) for seat in settlement.seats],
    }
    if settlement.jackpot is not None:
        document["jackpot"] = jackpot_json(settlement.jackpot)
    return document


def seat_json(seat: SeatSettlement) -> dict[str, Any]:
    """A position with its lines."""
    return {
        "position": seat.position,
        "player": seat.player,
        "hand": seat.hand,
        "net": format_cents(seat.net),
        "lines": [
            {
                "wager": line.wager,
                "stake": format_cents(line.stake),
                "returned": format_cents(line.returned),
                "collected": format_cents(line.collected),
                "paid": format_cents(line.paid),
                "clauses": list(line.clauses),
            }
            for line in seat.lines
        ],
    }


def jackpot_json(jackpot: JackpotSettlement) -> dict[str, Any]:
    """The meter before and after, and the awards."""
    return {
        "before": format_cents(floor_to_cents(jackpot.before)),
        "after": format_cents(floor_to_cents(jackpot.after)),
        "awards": [award_json(award) for award in jackpot.awards],
    }


def award_json(award: Award) -> dict[str, Any]:
    """An award."""
    return {
        "position": award.position,
        "hand": award.hand_class.value,
        "amount": format_cents(award.amount),
        "clauses": list(award.clauses),
    }


def _warned(seat: Seat) -> bool | str:
    """Whether a player is warned; where payment and collection count apart, which of them there was."""
    if seat.warned or len(seat.once) > 1:
        return True
    return next((once.value for once in seat.once), False)


def facts_json(plan: Plan, facts: Facts) -> dict[str, Any]:
    """Facts in the form that `pitboss settle` takes. Pooled wagers and increments have no place in it."""
    document: dict[str, Any] = {
        "rulebook": plan.id,
        "readings": dict(plan.readings),
        "limits": {name: [format_cents(amount) for amount in limit] for name, limit in facts.limits.items()},
        "community": [card.code for card in facts.community],
        "dealer": [card.code for card in facts.dealer],
        "void": facts.void,
        "seats": [
            {
                "position": seat.position,
                "player": seat.player,
                "cards": [card.code for card in seat.cards],
                "status": seat.status.value,
                "viewed": seat.viewed,
                "warned": _warned(seat),
                "established": seat.established,
                "wagers": {wager: format_cents(stake) for wager, stake in seat.wagers.items()},
            }
            for seat in facts.seats
        ],
    }
    if facts.jackpot is not None:
        document["jackpot"] = {
            "meter": format_cents(floor_to_cents(facts.jackpot.meter)),
            "reset": format_cents(facts.jackpot.reset),
            "unit": format_cents(facts.jackpot.unit),
        }
    return document
