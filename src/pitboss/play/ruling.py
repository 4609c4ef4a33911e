"""Rulings by staff: what becomes of a suspended round, and orders that last beyond it.

Each needs the position its clause names, or a higher one; what the book does not cover is for whoever its
catch-all clause names.
"""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, is_number
from pitboss.play.betting import no_such_position, unknown_player
from pitboss.play.commands import LiftOrder, Rule, Staff
from pitboss.play.dealing import DrawnCard, has_hand, in_order_drawn, no_hand_there
from pitboss.play.deciding import declined_clauses
from pitboss.play.events import (
    CardMoved,
    CardsOrdered,
    CardsReconstructed,
    Event,
    OrderLifted,
    RulingGiven,
    StandingOrder,
    WithdrawalPermitted,
)
from pitboss.play.refusal import Outcome, Refusal, below, refuse
from pitboss.play.remedies import (
    NO_FOLLOWUPS,
    all_stakes_of,
    hands_that_choose,
    invalidate,
    offer_to,
    refs,
    repaired,
    void,
)
from pitboss.play.table import Authority, Box, Fate, Stage, State, Suspension
from pitboss.play.transitions import Course, Decided
from pitboss.rulebooks.book import PowerRule
from pitboss.rulebooks.dealing import BURNED
from pitboss.rulebooks.plan import Clauses, Plan
from pitboss.rulebooks.trouble import Irregularity, LateRepair, Ruling
from pitboss.rulebooks.vocabulary import Power

_POWERS: dict[Ruling, Power] = {
    Ruling.RESTRICT: Power.RESTRICT_TO_ONE_POSITION,
    Ruling.BAR: Power.BAR_PLAYER,
    Ruling.BLOCK: Power.JACKPOT_OUTAGE,
    Ruling.CLOSE_TABLE: Power.JACKPOT_OUTAGE,
    Ruling.SUSPEND_JACKPOT: Power.JACKPOT_OUTAGE,
}

_ABOUT_ONE_HAND = (Irregularity.WRONG_COUNT_POSITION, Irregularity.EXTRA_VIEW)
"""Matters in which the hand that may be invalidated is the one reported."""

_AGAIN = (Ruling.INVALIDATE, Ruling.PERMIT_WITHDRAWAL)
"""Rulings about one hand: the same matter may take several of them."""


def lacks_authority_to_look(state: State, by: Staff) -> Refusal | None:
    """The refusal of a look by somebody the book does not name."""
    found = state.plan.power(Power.LOOK_AT_HAND)
    if found is None:
        text = "This book lets nobody look at a hand that was not exposed."
        return refuse("no-such-power", text, declined_clauses(state))
    return below(state.plan, by.position, found.position, found.clauses)


def lacks_authority_to_act(state: State, by: Staff) -> Refusal | None:
    """The refusal of an act done for a player by staff below the position the book names for it."""
    found = state.plan.power(Power.PLACE_WAGERS)
    return None if found is None else below(state.plan, by.position, found.position, found.clauses)


def who_may_order(plan: Plan, ruling: Ruling, kind: Irregularity | None = None) -> PowerRule:
    """Whoever has the power by its clause, or else decides what the book does not cover.

    After several hands by mistake that is whoever may stop such a player, where the book names somebody.
    """
    found = plan.power(_POWERS[ruling])
    if kind is Irregularity.MULTIPLE_HANDS:
        found = plan.power(Power.STOP_MULTIPLE_HANDS) or found
    found = found or plan.power(Power.DECIDE_UNCOVERED)
    assert found is not None  # the validator asks for the catch-all
    return found


def rule(state: State, command: Rule, by: Staff) -> Decided:
    """A ruling: an order that lasts, or what becomes of a suspended round."""
    if command.ruling.lasts:
        return _order(state, command, by)
    return _resolve(state, command, by)


# --- orders that last -----------------------------------------------------------------------------------


def _order(state: State, command: Rule, by: Staff) -> Outcome:
    power = who_may_order(state.plan, command.ruling)
    refusal = below(state.plan, by.position, power.position, power.clauses) or _wrong_argument(state, command)
    if refusal is not None:
        return refusal
    clauses = refs(power.clauses)
    order = StandingOrder(order=command.ruling, argument=command.argument, by=by.position, clauses=clauses)
    if command.ruling is not Ruling.BAR:
        return (order,)
    events: list[Event] = [order]
    suspension = state.suspension
    plays = any(box.player == command.argument for box in state.boxes.values())
    if suspension is not None and Ruling.BAR in suspension.rulings and plays:
        events.append(_given(command, by, suspension, NO_FOLLOWUPS))
    if power.returns_stakes:
        events += all_stakes_of(state, command.argument, clauses)
    return tuple(events)


def lift(state: State, command: LiftOrder, by: Staff) -> Outcome:
    """An order that lasted is taken back, by whoever might have given it."""
    if command.order not in _POWERS:
        return refuse("not-an-order", "'{order}' is no order that lasts.", order=command.order)
    power = who_may_order(state.plan, command.order)
    refusal = below(state.plan, by.position, power.position, power.clauses)
    if refusal is not None:
        return refusal
    memory, argument = state.memory, command.argument
    stands = {
        Ruling.RESTRICT: argument in memory.restricted,
        Ruling.BAR: argument in memory.barred,
        Ruling.BLOCK: argument in [str(n) for n in memory.blocked],
        Ruling.CLOSE_TABLE: memory.closed,
        Ruling.SUSPEND_JACKPOT: memory.jackpot_suspended,
    }
    if command.order is Ruling.SUSPEND_JACKPOT and not stands[command.order] and memory.jackpot_stopped:
        return jackpot_works_again(state, by)
    if not stands[command.order]:
        return _no_such_order(state, power.clauses)
    return (OrderLifted(order=command.order, argument=argument, by=by.position, clauses=refs(power.clauses)),)


def _no_such_order(state: State, clauses: tuple[str, ...]) -> Refusal:
    """The refusal to lift an order that does not stand, with those that do."""
    memory = state.memory
    standing = [
        *(f"{Ruling.RESTRICT} {player}" for player in sorted(memory.restricted)),
        *(f"{Ruling.BAR} {player}" for player in sorted(memory.barred)),
        *(f"{Ruling.BLOCK} {position}" for position in sorted(memory.blocked)),
        *([Ruling.CLOSE_TABLE.value] if memory.closed else []),
        *([Ruling.SUSPEND_JACKPOT.value] if memory.jackpot_suspended else []),
    ]
    those = f"those that do are {', '.join(standing)}" if standing else "none does"
    return refuse("no-such-order", f"No such order stands at this table; {those}.", clauses)


def jackpot_works_again(state: State, by: Staff) -> Outcome:
    """The House rules that a jackpot that failed works again: jackpot bets are taken as before."""
    power = who_may_order(state.plan, Ruling.SUSPEND_JACKPOT)
    refusal = below(state.plan, by.position, power.position, power.clauses)
    if refusal is not None:
        return refusal
    given = RulingGiven(
        ruling=Ruling.CONTINUE,
        argument="",
        by=by.position,
        what=f"{Irregularity.JACKPOT_FAILURE.value}, the jackpot works again",
        clauses=refs(power.clauses),
        followups=state.trouble.followups,
    )
    return (given,)


def _wrong_argument(state: State, command: Rule) -> Refusal | None:
    argument = command.argument
    if command.ruling is Ruling.SUSPEND_JACKPOT and state.plan.jackpot is None:
        return refuse("no-jackpot", "This game has no jackpot.", state.plan.wagers[0].clauses)
    if command.ruling in (Ruling.RESTRICT, Ruling.BAR) and argument not in state.racks:
        return unknown_player(state, argument)
    if command.ruling is Ruling.BLOCK and not _is_position(state, argument):
        return no_such_position(state)
    return None


def _is_position(state: State, argument: str) -> bool:
    return is_number(argument) and 1 <= int(argument) <= state.terms.positions


# --- a round that waits ---------------------------------------------------------------------------------


def _resolve(state: State, command: Rule, by: Staff) -> Decided:
    """What becomes of a suspended round, or a further ruling in a matter already ruled."""
    suspension = state.suspension
    if suspension is None and command.ruling is Ruling.CONTINUE and state.memory.jackpot_stopped:
        return jackpot_works_again(state, by)
    if suspension is None:
        followup = state.trouble.followups.get(command.ruling)
        if followup is None or state.stage.is_over:
            return refuse(
                "not-suspended", "No round waits for such a ruling.", _clauses_of(state, command.ruling)
            )
        refusal = below(state.plan, by.position, followup.position, followup.clauses)
        return refusal or _about_one_hand(state, command, by, followup)
    refusal = below(state.plan, by.position, suspension.decides, suspension.clauses)
    if refusal is not None:
        return refusal
    if command.ruling not in suspension.rulings:
        return refuse(
            "not-open-to-ruling",
            "This matter is ruled with {rulings}.",
            suspension.clauses,
            rulings=" or ".join(suspension.rulings),
        )
    if command.ruling in _AGAIN:
        authority = Authority(position=suspension.decides, clauses=suspension.clauses)
        return _about_one_hand(state, command, by, authority)
    given = _given(command, by, suspension, NO_FOLLOWUPS)
    course = Course(state)
    match command.ruling:
        case Ruling.VOID:
            course.add(given)
            void(course, suspension.clauses)
            return course
        case Ruling.RECONSTRUCT:
            if _settles_again(state):
                course.add(given)
                repaired(course, suspension.clauses, _choice(state, command.ruling, suspension))
                return course
            done: tuple[Event, ...] = (CardsReconstructed(clauses=suspension.clauses),)
        case Ruling.ORDER:
            cards = _cards(command.argument)
            if cards is None:
                return refuse("no-such-cards", "Name the cards in order, two or more.", suspension.clauses)
            ordered = _ordered(state, cards, suspension.clauses)
            if isinstance(ordered, Refusal):
                return ordered
            done = (ordered,)
        case _:
            done = ()
    if state.stage.is_over:  # nothing is left to choose
        return (given, *done)
    return (given, *done, *_choice(state, command.ruling, suspension))


def _settles_again(state: State) -> bool:
    """Whether a settled round that can be put in order is settled once more, as the book is read."""
    return state.stage is Stage.SETTLED and state.plan.book.late.repair is LateRepair.SETTLES_AGAIN


def _clauses_of(state: State, ruling: Ruling) -> tuple[str, ...]:
    """The clauses that such a ruling would be given by: those of a permission, or of the catch-all."""
    rows = state.plan.remedies[Irregularity.WRONG_COUNT_POSITION]
    permits = [row.withdrawal.clauses for row in rows if row.withdrawal is not None]
    if ruling is Ruling.PERMIT_WITHDRAWAL and permits:
        return permits[0]
    catch_all = state.plan.power(Power.DECIDE_UNCOVERED)
    return () if catch_all is None else catch_all.clauses


def _choice(state: State, ruling: Ruling, suspension: Suspension) -> tuple[Event, ...]:
    """After some rulings the players choose, or those of them who are affected."""
    if ruling not in suspension.choice_after:
        return ()
    hands = hands_that_choose(state, suspension.affected)
    clauses = tuple(dict.fromkeys((*suspension.clauses, *suspension.choice_clauses)))
    return offer_to(hands, clauses, suspension.choice_clauses, all_hands=False)


def _given(
    command: Rule, by: Staff, suspension: Suspension, followups: Mapping[str, Authority]
) -> RulingGiven:
    return RulingGiven(
        ruling=command.ruling,
        argument=command.argument,
        by=by.position,
        what=suspension.what,
        clauses=suspension.clauses,
        followups=followups,
    )


def _about_one_hand(state: State, command: Rule, by: Staff, authority: Authority) -> Decided:
    """A hand invalidated, or its player permitted to withdraw."""
    suspension = state.suspension
    box = state.boxes.get(int(command.argument)) if _is_position(state, command.argument) else None
    out = box is not None and box.removal is not None and suspension is not None
    if box is not None and suspension is not None and out and box.position in suspension.positions:
        return (_given(command, by, suspension, NO_FOLLOWUPS),)  # it is out already, by another ruling
    if box is None or not has_hand(state.plan, box):
        return no_hand_there(state, command.argument, authority.clauses)
    refusal = _wrong_hand(state, command, box, authority)
    if refusal is not None:
        return refusal
    followups = dict(state.trouble.followups)
    what = command.ruling.value
    if suspension is not None:
        what = suspension.what
        for again in suspension.rulings:
            if again in _AGAIN and suspension.kind not in _ABOUT_ONE_HAND:
                followups[again.value] = authority
        if suspension.withdrawal is not None:
            followups[Ruling.PERMIT_WITHDRAWAL.value] = suspension.withdrawal
    given = RulingGiven(
        ruling=command.ruling,
        argument=command.argument,
        by=by.position,
        what=what,
        clauses=authority.clauses,
        followups=NO_FOLLOWUPS if state.stage.is_over else followups,
    )
    if command.ruling is Ruling.INVALIDATE:
        course = Course(state)
        course.add(given)
        invalidate(course, [box.position], authority.clauses)
        return course
    return (given, WithdrawalPermitted(position=box.position, clauses=authority.clauses))


def _wrong_hand(state: State, command: Rule, box: Box, authority: Authority) -> Refusal | None:
    suspension = state.suspension
    named = suspension is not None and suspension.kind in _ABOUT_ONE_HAND
    if suspension is not None and named and box.position not in suspension.positions:
        numbers = ", ".join(str(n) for n in suspension.positions)
        return refuse(
            "not-in-question", "The hand in question is {positions}.", authority.clauses, positions=numbers
        )
    if command.ruling is Ruling.PERMIT_WITHDRAWAL and box.fate is not Fate.IN_PLAY:
        return refuse("hand-over", "The hand is out of play.", authority.clauses)
    return None


def _cards(argument: str) -> tuple[Card, ...] | None:
    try:
        cards = tuple(parse_card(text) for text in argument.split(","))
    except BadInput:
        return None
    return cards if len(set(cards)) == len(cards) > 1 else None


def _ordered(state: State, cards: tuple[Card, ...], clauses: Clauses) -> CardsOrdered | Refusal:
    """Cards drawn together take the order ruled: they change places among themselves.

    The first ruled lies where the first of them lay. Any other cards are refused.
    """
    drawn = in_order_drawn(state)
    if not drawn or state.stage.is_over:
        text = "An order is ruled for cards drawn together, in a round that is not settled; none lie here."
        return refuse("not-drawn-together", text, clauses)
    missing = [card for card in cards if card not in {slot.card for slot in drawn}]
    run = _run_of(drawn, cards)
    if run is not None:
        moved = tuple(
            CardMoved(place=slot.place, number=slot.at, card=card)
            for slot, card in zip(run, cards, strict=True)
            if slot.card != card
        )
        return CardsOrdered(cards=cards, moved=moved, clauses=clauses)
    if missing:
        names = ", ".join(card.code for card in missing)
        does, isnt = ("is", "is not") if len(missing) == 1 else ("are", "are not")
        text = f"{names} {does} not drawn yet: name cards that were drawn together."
        if state.terms.physical:
            text = f"{names} {isnt} entered where a card lies: enter the cards drawn together, then rule."
        return refuse("not-drawn-together", text, clauses)
    names = ", ".join(card.code for card in cards)
    return refuse(
        "not-drawn-together",
        "{cards} were not drawn together: name cards that left the device one right after the other, "
        "burned cards included.",
        clauses,
        cards=names,
    )


def _run_of(drawn: list[DrawnCard], cards: tuple[Card, ...]) -> list[DrawnCard] | None:
    """Where these cards lie, next to each other as they were drawn; None where they do not.

    A burned card of a physical table is known to nobody until it is named here; a card that was dealt there
    is entered first.
    """
    lying = {slot.card for slot in drawn}
    found = []
    for first in range(len(drawn) - len(cards) + 1):
        run = drawn[first : first + len(cards)]
        named = {slot.card for slot in run if slot.card is not None}
        if named and named == lying & set(cards):
            found.append(run)
    if any(slot.card is None and slot.place != BURNED for run in found for slot in run):
        return None
    return found[0] if found else None
