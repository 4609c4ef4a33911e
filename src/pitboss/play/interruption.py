"""A power failure in mid-round: whether an outcome is established, and what each player may do then.

Only what was declared or acted on counts as decided: a fold, a jackpot hand whose table cards lie open, the
dealer's cards turned over. That hole cards had won a Bonus before anybody looked decides nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pitboss.money import NOTHING, Cents
from pitboss.play.facts import Seat, Status
from pitboss.rulebooks.plan import ClauseRef, Clauses, Plan
from pitboss.rulebooks.vocabulary import EstablishedScope, Interrupted, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """What the interruption means for one hand, and what it would get back: all its stakes or nothing.

    `refund` is what a player may withdraw, or is given back when the round is void.
    """

    position: int
    player: str
    then: Interrupted
    refund: Cents
    clauses: Clauses


def rights_after_interruption(
    plan: Plan, seats: Sequence[Seat], exposed: Collection[str]
) -> tuple[Right, ...]:
    """What a power failure leaves each hand with. `exposed` are the places whose cards lie open."""
    decided = [_is_decided(plan, seat, exposed) for seat in seats]
    if plan.interruption.scope is EstablishedScope.TABLE:
        decided = [any(decided)] * len(seats)
    else:
        owners = {seat.player for seat, done in zip(seats, decided, strict=True) if done}
        decided = [seat.player in owners for seat in seats]
    return tuple(_right(plan, seat, decided=done) for seat, done in zip(seats, decided, strict=True))


def _right(plan: Plan, seat: Seat, *, decided: bool) -> Right:
    rule = plan.interruption
    then = rule.decided if decided else rule.open
    numbers = rule.decided_clauses if decided else rule.open_clauses
    goes_back = then in (Interrupted.OPTION_TO_WITHDRAW, Interrupted.VOID)
    return Right(
        position=seat.position,
        player=seat.player,
        then=then,
        refund=Cents(sum(seat.wagers.values())) if goes_back else NOTHING,
        clauses=tuple(ClauseRef(number) for number in numbers),
    )


def _is_decided(plan: Plan, seat: Seat, exposed: Collection[str]) -> bool:
    """Whether any wager of this hand has conclusively won or lost."""
    if seat.status is Status.FOLDED or Source.DEALER in exposed:
        return True
    if plan.jackpot is None or not seat.stake(plan.jackpot.wager):
        return False
    on_table = [place for place in plan.wager(plan.jackpot.wager).pays.hand.places if place != Source.OWN]
    return bool(on_table) and all(place in exposed for place in on_table)
