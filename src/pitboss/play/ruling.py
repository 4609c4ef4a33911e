"""Rulings by staff: orders that last beyond the round, and what becomes of a suspended one.

Each needs the position its clause names, or a higher one; what the book does not cover is for whoever its
catch-all clause names.
"""

from __future__ import annotations

from pitboss.play.commands import LookAtHand, Rule, Staff
from pitboss.play.concluding import void_round
from pitboss.play.events import RoundResumed, StandingOrder
from pitboss.play.refusal import Outcome, Refusal, refuse
from pitboss.play.table import State
from pitboss.rulebooks.plan import ClauseRef
from pitboss.rulebooks.vocabulary import Position, Power

_RANKS = {position: rank for rank, position in enumerate(Position)}
_HOUSE = Position.PIT_MANAGER

_ORDERS: dict[str, Power | None] = {
    "restrict": Power.RESTRICT_TO_ONE_POSITION,
    "bar": Power.BAR_PLAYER,
    "block": Power.JACKPOT_OUTAGE,
    "close-table": Power.JACKPOT_OUTAGE,
    "suspend-jackpot": Power.JACKPOT_OUTAGE,
}


def authority(state: State, power: Power) -> tuple[Position, tuple[str, ...]] | None:
    """Who may use a power and by which clauses; None where the book says nothing of it."""
    for rule in state.plan.book.authorities.powers:
        if rule.power is power:
            return rule.position, rule.clauses
    return None


def lacks_authority_to_look(state: State, command: LookAtHand) -> Refusal | None:
    """The refusal of a look by somebody the book does not name."""
    found = authority(state, Power.LOOK_AT_HAND)
    if found is None:
        return Refusal("no-such-power", "This book lets nobody look at a hand that was not exposed.")
    return _below(state, command.by, *found)


def rule(state: State, command: Rule) -> Outcome:
    """A ruling: an order that lasts, or what becomes of a suspended round."""
    assert isinstance(command.by, Staff)
    if command.remedy in _ORDERS:
        return _order(state, command, command.by)
    if command.remedy in ("void", "continue"):
        return _resolve(state, command, command.by)
    return Refusal("no-such-remedy", f"Nothing here can be ruled with '{command.remedy}'.")


def _order(state: State, command: Rule, by: Staff) -> Outcome:
    power = _ORDERS[command.remedy]
    found = authority(state, power) if power is not None else None
    position, clauses = found or authority(state, Power.DECIDE_UNCOVERED) or (_HOUSE, ())
    refusal = _below(state, by, position, clauses) or _wrong_argument(state, command)
    if refusal is not None:
        return refusal
    refs = tuple(ClauseRef(number) for number in clauses)
    order = StandingOrder(
        remedy=command.remedy, argument=command.argument, by=by.position.value, clauses=refs
    )
    return (order,)


def _wrong_argument(state: State, command: Rule) -> Refusal | None:
    argument = command.argument
    if command.remedy == "suspend-jackpot" and state.plan.jackpot is None:
        return Refusal("no-jackpot", "This game has no jackpot.")
    if command.remedy in ("restrict", "bar") and argument not in state.racks:
        return Refusal("unknown-player", f"'{argument}' has no rack at this table.")
    if command.remedy == "block" and not (argument.isdigit() and 1 <= int(argument) <= state.terms.positions):
        return Refusal("no-such-position", f"This table has positions 1 to {state.terms.positions}.")
    return None


def _resolve(state: State, command: Rule, by: Staff) -> Outcome:
    """What becomes of a suspended round."""
    if state.suspension is None:
        return Refusal("not-suspended", "No round waits for a ruling.")
    position, clauses = authority(state, Power.DECIDE_UNCOVERED) or (_HOUSE, ())
    refusal = _below(state, by, position, clauses)
    if refusal is not None:
        return refusal
    reasons = (*state.suspension.clauses, *clauses)
    if command.remedy == "void":
        return (void_round(state, reasons),)
    return (RoundResumed(by=by.position.value, clauses=tuple(ClauseRef(number) for number in reasons)),)


def _below(state: State, by: object, position: Position, clauses: tuple[str, ...]) -> Refusal | None:
    assert isinstance(by, Staff)
    if _RANKS[by.position] >= _RANKS[position]:
        return None
    title = state.plan.book.authorities.titles[position]
    article = "an" if title[0] in "AEIOU" else "a"
    return refuse("no-authority", f"That is for {article} {title} or above.", clauses)
