"""How each hand stands when it is settled: the situation, what decided it, and the hand in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitboss.cards import Card, Hand, HandClass, hand_in_words, hole_class
from pitboss.play.comparison import compare, qualifies, read_hand
from pitboss.play.facts import (
    Facts,
    Problem,
    Seat,
    Status,
    cards_at,
    entitled_to_hand,
    not_placed,
    outstanding_decision,
)
from pitboss.rulebooks.plan import ClauseRef, Clauses, HandSpec, Plan, Wager, WagerName
from pitboss.rulebooks.vocabulary import Absence, AbsentWithout, Action, Order, Situation, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A hand at settlement. `situation` is None where every stake goes back and nothing is settled.

    `clauses` belong to every line of the hand, `against_dealer` to the lines that the comparison decides;
    `compared` is the class of the hand that was compared.
    """

    situation: Situation | None
    clauses: Clauses = ()
    against_dealer: Clauses = ()
    words: str | None = None
    compared: HandClass | None = None


def stand(plan: Plan, facts: Facts, seat: Seat) -> Standing:
    """How a hand stands. Void rounds, removed hands and positions without a hand settle nothing."""
    if facts.void is not None:
        return Standing(situation=None, clauses=tuple(dict.fromkeys((facts.void, *plan.void_clauses))))
    if seat.status is Status.INVALID:
        return Standing(situation=None, clauses=plan.removed_clauses)
    if not entitled_to_hand(plan, seat):
        return Standing(situation=None)
    fate, clauses = _fate(plan, seat)
    if fate is not None and fate is not Situation.DECLINED:
        return Standing(situation=fate, clauses=clauses, words=_words_if_read(plan, facts, seat, fate))
    if fate is Situation.DECLINED:
        return _declined(plan, facts, seat)
    own = hand_of(plan, facts, seat, plan.comparison.hand)
    words = hand_in_words(own)
    dealer = dealer_hand(plan, facts)
    rule = plan.qualification
    if rule is not None and not qualifies(rule, plan.comparison.hand, dealer):
        return Standing(
            situation=Situation.DEALER_NOT_QUALIFIED,
            clauses=clauses,
            against_dealer=rule.failed_clauses,
            words=words,
            compared=own.hand_class,
        )
    verdict = compare(plan.comparison, own, dealer, facts.community)
    against = (*(rule.clauses if rule is not None else ()), *verdict.clauses)
    return Standing(
        situation=verdict.situation,
        clauses=clauses,
        against_dealer=against,
        words=words,
        compared=own.hand_class,
    )


def _fate(plan: Plan, seat: Seat) -> tuple[Situation | None, Clauses]:
    """What the player's own conduct made of the hand; None when it is compared."""
    folded = {WagerName(d.bet) for d in plan.decisions if d.otherwise == "fold"}
    if seat.status in (Status.PLAYED, Status.DECLINED) and folded & not_placed(plan, seat):
        return Situation.FOLDED, tuple(ClauseRef(number) for number in plan.limits.wrong_size.too_small)
    match seat.status:
        case Status.FOLDED:
            return Situation.FOLDED, ()
        case Status.DECLINED:
            return Situation.DECLINED, ()
        case Status.ABSENT:
            decision = outstanding_decision(plan, seat)
            if decision is None:
                without = _without_decision(plan, seat)
                if without is not None and plan.absence.without is AbsentWithout.INVALID:
                    return Situation.ABSENT, plan.absence.clauses[without]
                return None, plan.absence.settled_clauses
            clauses = plan.absence.clauses[decision]
            match plan.absence.consequences[decision]:
                case Absence.INVALID:
                    return Situation.ABSENT, clauses
                case Absence.FOLD:
                    return Situation.FOLDED, clauses
                case Absence.CHECK:
                    return None, clauses
        case _:
            return None, ()


def _without_decision(plan: Plan, seat: Seat) -> str | None:
    """The decision that a hand does not have because it lacks the wager for it, if it lacks one."""
    lacking = [d.name for d in plan.decisions if d.without is not None and not seat.stake(WagerName(d.needs))]
    return lacking[0] if lacking else None


def _declined(plan: Plan, facts: Facts, seat: Seat) -> Standing:
    rule = plan.qualification
    if rule is not None and not qualifies(rule, plan.comparison.hand, dealer_hand(plan, facts)):
        return Standing(situation=Situation.DECLINED_DEALER_NOT_QUALIFIED, against_dealer=rule.failed_clauses)
    fate = Situation.ESTABLISHED if seat.established else Situation.DECLINED
    words = _words_if_read(plan, facts, seat, fate) if seat.established else None
    return Standing(situation=fate, words=words)


def _words_if_read(plan: Plan, facts: Facts, seat: Seat, fate: Situation) -> str | None:
    """The hand in words if some wager of it is still settled by its cards, else nobody turned them over."""
    for wager in plan.wagers:
        spec = wager.pays.hand
        if _settled_by_cards(seat, wager, fate):
            if spec.order is Order.HOLE_CARDS:
                continue
            return hand_in_words(hand_of(plan, facts, seat, spec))
    return None


def class_key(plan: Plan, facts: Facts, seat: Seat, spec: HandSpec) -> str:
    """The row of a pay table that a seat's cards are on."""
    if spec.order is Order.HOLE_CARDS:
        return hole_class(seat.cards, facts.dealer)
    return hand_of(plan, facts, seat, spec).hand_class


def hand_of(plan: Plan, facts: Facts, seat: Seat, spec: HandSpec) -> Hand:
    """The hand that a seat makes of the cards a wager is settled on; they must all be known."""
    return read_hand(spec, [card for place in spec.places for card in cards_at(plan, facts, seat, place)])


def lies_there(plan: Plan, facts: Facts, seat: Seat, place: str) -> bool:
    """Whether every card of a place is known."""
    whole = {
        Source.OWN: plan.own_cards,
        Source.DEALER: plan.dealer_cards,
        Source.COMMUNITY: plan.community_cards,
    } | {part: len(numbers) for part, numbers in plan.parts.items()}
    return len(cards_at(plan, facts, seat, place)) == whole[place]


def dealer_hand(plan: Plan, facts: Facts) -> Hand:
    """The dealer's hand of the compared kind: his cards where the player has his own."""
    spec = plan.comparison.hand
    cards: list[Card] = []
    for place in spec.places:
        cards += facts.dealer if place == Source.OWN else cards_at(plan, facts, facts.seats[0], place)
    return read_hand(spec, cards)


# --- which cards must be known --------------------------------------------------------------------------


def missing_cards(plan: Plan, facts: Facts, needed: Sequence[set[str]] | None = None) -> Iterator[Problem]:
    """Wrong counts of cards. What no hand in play needs may be left out, but not be cut short.

    `needed` is what `needed_places` says of each seat, for a caller who has asked already.
    """
    places = [needed_places(plan, facts, seat) for seat in facts.seats] if needed is None else needed
    for index, (seat, own) in enumerate(zip(facts.seats, places, strict=True)):
        yield from _own_cards(plan, facts, seat, index, needs=Source.OWN in own)
    yield from _table_cards(plan, facts, set().union(*places))


def needed_places(plan: Plan, facts: Facts, seat: Seat) -> set[str]:
    """The places whose cards settle this seat's wagers."""
    if facts.void is not None or seat.status is Status.INVALID or not entitled_to_hand(plan, seat):
        return set()
    fate, _ = _fate(plan, seat)
    if fate is None:
        fate = Situation.HIGHER
    places: set[str] = set()
    if fate is Situation.HIGHER:
        places |= {Source.OWN, Source.DEALER, *plan.comparison.hand.places}
    if fate is Situation.DECLINED:
        places |= {Source.DEALER} if plan.qualification is not None else set()
        fate = Situation.ESTABLISHED if seat.established else fate
    for wager in plan.wagers:
        if _settled_by_cards(seat, wager, fate):
            places |= set(wager.pays.hand.places)
    return places


def read_after_fold(plan: Plan, seat: Seat) -> list[WagerName]:
    """The wagers that a folded hand's own cards still settle: it is read for them before it is cleared."""
    if _fate(plan, seat)[0] is not Situation.FOLDED:
        return []
    return [
        wager.name
        for wager in plan.wagers
        if _settled_by_cards(seat, wager, Situation.FOLDED) and Source.OWN in wager.pays.hand.places
    ]


def _settled_by_cards(seat: Seat, wager: Wager, fate: Situation) -> bool:
    """Whether a wager that lies there, or a payment on one, is looked up in its pay table."""
    cell = wager.settlement.get(fate)
    return bool(seat.stake(wager.extra_on or wager.name)) and cell is not None and cell.then is Action.PAY


def _own_cards(plan: Plan, facts: Facts, seat: Seat, index: int, *, needs: bool) -> Iterator[Problem]:
    at = f"seats[{index}].cards"
    have, whole = len(seat.cards), plan.own_cards
    if not entitled_to_hand(plan, seat):
        if have:
            yield at, f"{have} cards for stakes that entitle to no hand", 'write "cards": []'
    elif seat.status is Status.INVALID or facts.void is not None:
        return  # a hand may have been removed, a round voided, for the very count of cards
    elif have != whole and (needs or have):
        yield at, f"{have} cards", f"a hand has {whole}"


def _table_cards(plan: Plan, facts: Facts, needed: set[str]) -> Iterator[Problem]:
    if facts.void is not None:
        return
    whole = plan.dealer_cards
    have = len(facts.dealer)
    if have > whole or (Source.DEALER in needed and have != whole):
        yield "dealer", f"{have} cards", f"the dealer has {whole}"
    whole = plan.community_cards
    have = len(facts.community)
    last = [max(numbers) for part, numbers in plan.parts.items() if part in needed]
    least = whole if Source.COMMUNITY in needed else max(last, default=0)
    complete = {0, whole, *(max(numbers) for numbers in plan.parts.values())}
    if have < least or have not in complete:
        shown = "there are none" if whole == 0 else f"there are {whole}"
        yield "community", f"{have} community cards", shown
