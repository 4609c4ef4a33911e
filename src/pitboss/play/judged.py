"""The hand that each line of a settlement was judged by; the dealer's, and whether it qualifies.

A settlement that is stored names one hand a seat; wagers may be settled on others (six cards, the flop, the
hole cards). They are read again from the cards when a view is made, so that what is stored stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.cards import ReadHand, hole_read_out, read_out
from pitboss.play.comparison import qualifies
from pitboss.play.facts import Facts, Seat
from pitboss.play.settlement import SeatSettlement, SettlementLine
from pitboss.play.standing import class_key, dealer_hand, hand_of, lies_there, stand
from pitboss.rulebooks.plan import HandSpec, Plan, Wager, WagerName
from pitboss.rulebooks.vocabulary import Action, Order, Situation, Source

_SHOWN_TO_THE_DEALER = (
    Situation.HIGHER,
    Situation.LOWER,
    Situation.EQUAL,
    Situation.DEALER_NOT_QUALIFIED,
)


class Judged(NamedTuple):
    """`compared` is the hand that was held against the dealer's, `lines` each line's; None for none."""

    compared: ReadHand | None
    lines: Mapping[WagerName, ReadHand | None]


class DealerHand(NamedTuple):
    """The dealer's hand. `qualifies` is None where the book knows no qualification."""

    hand: ReadHand
    qualifies: bool | None


def judged_hands(plan: Plan, facts: Facts, seat: Seat, settled: SeatSettlement) -> Judged:
    """Whose cards may be seen is the caller's to know: these are the hands of a seat whose cards lie open."""
    standing = stand(plan, facts, seat)
    situation = standing.situation
    lines = {
        line.wager: None if situation is None else _judged_by(plan, facts, seat, line, situation)
        for line in settled.lines
    }
    compared = None if standing.compared is None else hand_of(plan, facts, seat, plan.comparison.hand)
    return Judged(None if compared is None else read_out(compared), lines)


def judged_dealer(plan: Plan, facts: Facts) -> DealerHand | None:
    """The dealer's hand once every card of it lies open and is known."""
    spec = plan.comparison.hand
    places = {Source.DEALER.value if place == Source.OWN else place for place in spec.places}
    if not facts.seats or not all(lies_there(plan, facts, facts.seats[0], place) for place in places):
        return None
    hand = dealer_hand(plan, facts)
    rule = plan.qualification
    return DealerHand(read_out(hand), None if rule is None else qualifies(rule, spec, hand))


def _judged_by(
    plan: Plan, facts: Facts, seat: Seat, line: SettlementLine, situation: Situation
) -> ReadHand | None:
    wager = plan.wager(line.wager)
    action = wager.settlement[situation].then
    spec: HandSpec | None = None
    if action is Action.PAY and wager.pays.flat is None:
        spec = wager.pays.hand
    elif wager.against_dealer and situation in _SHOWN_TO_THE_DEALER:
        spec = plan.comparison.hand
    if (
        spec is None
        or not lies_there(plan, facts, seat, Source.OWN)
        or not _readable(plan, facts, seat, spec)
    ):
        return None
    if not _played(line, _outcome(plan, facts, seat, wager, action)):
        return None
    if spec.order is Order.HOLE_CARDS:
        return hole_read_out(seat.cards, facts.dealer)
    return read_out(hand_of(plan, facts, seat, spec))


def _readable(plan: Plan, facts: Facts, seat: Seat, spec: HandSpec) -> bool:
    """Hole cards are read without the dealer's where nobody has turned these over."""
    return spec.order is Order.HOLE_CARDS or all(
        lies_there(plan, facts, seat, place) for place in spec.places
    )


def _outcome(plan: Plan, facts: Facts, seat: Seat, wager: Wager, action: Action) -> Action:
    """What becomes of the wager's stake if it plays."""
    if action is not Action.PAY or wager.pays.flat is not None:
        return action
    listed = class_key(plan, facts, seat, wager.pays.hand) in wager.pays.rows
    return Action.PAY if listed else wager.pays.unlisted


def _played(line: SettlementLine, outcome: Action) -> bool:
    """A stake that simply went back where it would have been paid or taken was judged by nothing."""
    return bool(line.paid or line.collected) or outcome is Action.RETURN
