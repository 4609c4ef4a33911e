"""Dealing: the procedure followed step by step, cards revealed, and cards of a physical table entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pitboss.cards import Card
from pitboss.errors import is_number
from pitboss.play.commands import Deal, EnterCard, Reveal
from pitboss.play.events import (
    CardDiscarded,
    CardEntered,
    CardsBurned,
    CardsDealt,
    CardTurnedUp,
    Event,
    PlaceRevealed,
    StepDone,
)
from pitboss.play.refusal import Outcome, Refusal, refuse
from pitboss.play.table import Box, Fate, Stage, State
from pitboss.rulebooks.book import Decision, Step
from pitboss.rulebooks.dealing import BURNED
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import Place


def has_hand(plan: Plan, box: Box) -> bool:
    """Whether a position is dealt in; a jackpot stake alone is not."""
    return not box.stakes.keys().isdisjoint(plan.hand_wagers)


def hands_in_order(state: State) -> list[Box]:
    """The positions dealt in, clockwise from the dealer's left."""
    return [box for _, box in sorted(state.boxes.items()) if has_hand(state.plan, box)]


def in_play(positions: Sequence[int]) -> str:
    """Which positions have a hand, for a refusal that names another."""
    there = ", ".join(str(n) for n in positions)
    return f"those in play are {there}" if there else "none is in play"


def no_hand_there(state: State, position: int | str, clauses: Iterable[str]) -> Refusal:
    """The refusal of a position without a hand, with those that have one."""
    hands = [box.position for box in hands_in_order(state)]
    return refuse(
        "no-hand",
        "No hand lies at position {position}; {there}.",
        clauses,
        position=position,
        there=in_play(hands),
    )


def outstanding(state: State) -> Decision | None:
    """The decision the procedure waits at, if it does."""
    steps = state.terms.procedure.steps
    if state.stage is not Stage.PLAYING or state.step >= len(steps) or steps[state.step].decide is None:
        return None
    return next(d for d in state.plan.decisions if d.name == steps[state.step].decide)


def next_place(state: State) -> str | None:
    """The place that is turned over next, or None when all that the procedure turns over is."""
    steps = state.terms.procedure.steps[state.step :]
    return next((step.reveal for step in steps if step.reveal is not None), None)


def undecided(state: State, decision: Decision) -> list[Box]:
    """The hands that have still to make a decision. A hand without the wager it needs has none to make."""
    return [
        box
        for _, box in sorted(state.boxes.items())
        if box.fate is Fate.IN_PLAY and decision.needs in box.stakes and decision.name not in box.choices
    ]


def deal(state: State, command: Deal) -> Outcome:
    """The first deal, as far as the procedure goes before the next decision."""
    rounds, procedure = state.plan.book.round, state.terms.procedure
    if state.stage.is_over:
        return refuse("early", "Bets are not open yet.", rounds.opens_clauses)
    if state.stage is Stage.BETTING:
        return refuse("early", "Cards are dealt when bets are closed.", rounds.closes_clauses)
    if state.stage is Stage.PLAYING:
        return refuse("dealt-already", "The cards are dealt.", procedure.clauses)
    if not hands_in_order(state):
        return refuse("no-hands", "No position has a wager that is dealt a hand.", procedure.clauses)
    steps = procedure.steps
    end = next((i for i in range(state.step, len(steps)) if steps[i].decide is not None), len(steps))
    return _carry_out(state, end, command.cards)


def reveal(state: State, command: Reveal) -> Outcome:
    """Turn a place over, after burning and dealing what stands before it in the procedure."""
    procedure, steps = state.terms.procedure, state.terms.procedure.steps
    if state.stage is not Stage.PLAYING:
        return refuse("early", "No cards lie on the layout.", procedure.clauses)
    if command.place in state.revealed:
        return refuse("revealed-already", "The {place} lies open.", procedure.clauses, place=command.place)
    target = state.step
    while target < len(steps) and steps[target].reveal != command.place:
        target += 1
    if target == len(steps):
        return refuse(
            "no-such-place",
            "Nothing is revealed as the {place} here.",
            procedure.clauses,
            place=command.place,
        )
    for step in steps[state.step : target]:
        if step.decide is not None:
            decision = next(d for d in state.plan.decisions if d.name == step.decide)
            waiting = undecided(state, decision)
            if waiting:
                names = ", ".join(str(box.position) for box in waiting)
                return refuse(
                    "undecided",
                    "Waiting for position {positions} to decide on the {decision}.",
                    decision.clauses,
                    positions=names,
                    decision=decision.name,
                )
        if step.reveal is not None:
            return refuse(
                "out-of-order",
                "The {first} is revealed before the {place}.",
                step.clauses or procedure.clauses,
                first=step.reveal,
                place=command.place,
            )
    return _carry_out(state, target + 1, command.cards)


def _carry_out(state: State, end: int, cards: tuple[Card, ...] | None) -> Outcome:
    """The steps of the procedure from where it stands up to `end`."""
    device = _Device(None if state.terms.physical else cards or ())
    events: list[Event] = []
    steps = state.terms.procedure.steps
    for index in range(state.step, end):
        step = steps[index]
        if step.reveal is not None:
            events.append(PlaceRevealed(place=step.reveal, step=index + 1))
        elif step.decide is None:
            events += _events(state, step, device)
    if device.short:
        return refuse(
            "insufficient-cards",
            "{needed} cards are needed here, and the device holds {held}.",
            needed=device.next,
            held=len(cards or ()),
        )
    return tuple(events) if steps[end - 1].reveal is not None else (*events, StepDone(step=end))


def dealt_from(state: State, cards: tuple[Card, ...]) -> Iterator[Event]:
    """What the procedure makes of cards that leave the device now, from the step where the round stands.

    Events that move no card into another place are not among them. Where the cards run out within a deal,
    the last event has too few.
    """
    device = _Device(cards)
    for step in state.terms.procedure.steps[state.step :]:
        takes = step.deal is not None or step.burn is not None
        if takes and device.next >= len(cards):
            return
        if step.decide is None and step.reveal is None:
            yield from _events(state, step, device)


class _Device:
    """Cards in the order in which they leave the device; None stands for cards nobody knows."""

    def __init__(self, cards: tuple[Card, ...] | None) -> None:
        self.cards, self.next, self.short = cards, 0, False

    def take(self, count: int) -> tuple[Card, ...] | None:
        if self.cards is None:
            return None
        taken = self.cards[self.next : self.next + count]
        self.next += count
        self.short = self.short or len(taken) < count
        return taken


def _events(state: State, step: Step, device: _Device) -> Iterator[Event]:
    """What a step that moves cards does."""
    if step.burn is not None:
        yield CardsBurned(count=step.burn, cards=device.take(step.burn))
    elif step.discard is not None:
        assert step.card is not None
        yield CardDiscarded(place=step.discard, number=step.card)
    elif step.turn_up is not None:
        assert step.card is not None
        yield CardTurnedUp(place=step.turn_up, number=step.card)
    elif step.deal is not None:
        to_positions = step.deal in (Place.POSITIONS, Place.POSITIONS_AND_DEALER)
        positions = [box.position for box in hands_in_order(state)] if to_positions else []
        places = list(_places(state, step, positions))
        for _ in range(step.rounds):
            for place, count in places:
                yield CardsDealt(place=place, count=count, cards=device.take(count))


def _places(state: State, step: Step, positions: list[int]) -> Iterator[tuple[str, int]]:
    """Where one round of a deal step puts cards, in order; the community cards go to their parts."""
    plan = state.plan
    assert step.cards is not None
    if step.deal in (Place.POSITIONS, Place.POSITIONS_AND_DEALER):
        for position in positions:
            yield str(position), step.cards
    if step.deal in (Place.DEALER, Place.POSITIONS_AND_DEALER):
        yield Place.DEALER.value, step.cards
    if step.deal == Place.COMMUNITY and plan.parts:
        for part, numbers in plan.parts.items():
            yield part, len(numbers)
    elif step.deal == Place.COMMUNITY or step.deal in plan.parts:
        yield str(step.deal), step.cards


# --- physical cards -------------------------------------------------------------------------------------


def enter_card(state: State, command: EnterCard) -> Outcome:
    """A card scanned at the deal or when exposed."""
    procedure = state.terms.procedure
    if not state.terms.physical:
        return refuse("virtual-table", "The cards of this table come from its deck.", procedure.clauses)
    if state.stage not in (Stage.CLOSED, Stage.PLAYING):
        return refuse("early", "Cards are entered when bets are closed.", procedure.clauses)
    place = place_with_room(state, command.place)
    if place is None:
        free = [there for there in _places_with_cards(state) if place_with_room(state, there) is not None]
        due = f"cards are due at {', '.join(free)}" if free else "every place has its cards"
        return refuse("no-such-place", f"No card is due at {command.place}; {due}.", procedure.clauses)
    return (CardEntered(place=place, card=command.card),)


class DrawnCard(NamedTuple):
    """A card that has left the device: its place (or `BURNED`) and index there; None if it is not known."""

    place: str
    at: int
    card: Card | None


def in_order_drawn(state: State) -> list[DrawnCard]:
    """Every card that has left the device, burned ones too, in the order in which it did.

    A dealt card that was burned afterwards keeps its turn.
    """
    drawn: list[tuple[str, int]] = []
    taken: dict[str, int] = {}

    def take(place: str, count: int) -> None:
        first = taken.get(place, 0)
        taken[place] = first + count
        drawn.extend((place, index) for index in range(first, first + count))

    hands = [n for n in sorted(state.boxes) if str(n) in state.dealt]
    for step in state.terms.procedure.steps[: state.step]:
        if step.burn is not None:
            take(BURNED, step.burn)
        elif step.discard is not None and step.card is not None:
            gone = (step.discard, step.card - 1)
            burned = taken.get(BURNED, 0)
            taken[BURNED], taken[step.discard] = burned + 1, taken[step.discard] - 1
            drawn = [
                (BURNED, burned)
                if slot == gone
                else (slot[0], slot[1] - (slot[0] == gone[0] and slot[1] > gone[1]))
                for slot in drawn
            ]
        elif step.deal is not None:
            for place, count in list(_places(state, step, hands)) * step.rounds:
                take(place, count)
    return [DrawnCard(place, index, _lying(state, place, index)) for place, index in drawn]


def drawn_together(state: State) -> tuple[Card, ...]:
    """The last two known cards that left the device one right after the other; none where there are none."""
    cards = [slot.card for slot in in_order_drawn(state)]
    for second, first in zip(cards[::-1], cards[-2::-1], strict=False):
        if first is not None and second is not None:
            return first, second
    return ()


def _lying(state: State, place: str, index: int) -> Card | None:
    row = state.burned if place == BURNED else state.known.get(place, ())
    return row[index] if index < len(row) else None


def lying_cards(state: State) -> set[Card]:
    """Every card of the round that is known to have left the device."""
    known = {card for cards in state.known.values() for card in cards}
    return known | {card for card in state.burned if card is not None}


def room(plan: Plan, place: str) -> int:
    """How many cards a place holds."""
    if place == Place.DEALER:
        return plan.dealer_cards
    if place in plan.parts:
        return len(plan.parts[place])
    return plan.community_cards if place == Place.COMMUNITY else plan.own_cards


def place_with_room(state: State, name: str) -> str | None:
    """The place a card goes to: `community` fills its parts in order. None where no card is due."""
    for place in places_called(state, name):
        if len(state.known.get(place, ())) < room(state.plan, place):
            return place
    return None


def _places_with_cards(state: State) -> list[str]:
    """Every place of the round that holds cards: the hands, the community or its parts, the dealer."""
    plan = state.plan
    shared = list(plan.parts) or [Place.COMMUNITY.value] * bool(plan.community_cards)
    return [*(str(box.position) for box in hands_in_order(state)), *shared, Place.DEALER.value]


def places_called(state: State, name: str) -> list[str]:
    """The places of the round that a name stands for: itself, or the parts of the community."""
    plan = state.plan
    if is_number(name):
        box = state.boxes.get(int(name))
        return [name] if box is not None and has_hand(plan, box) else []
    if name == Place.COMMUNITY and plan.parts:
        return list(plan.parts)
    known = name in plan.parts or name == Place.DEALER or (name == Place.COMMUNITY and plan.community_cards)
    return [name] if known else []


# --- what lies open -------------------------------------------------------------------------------------


def open_community(state: State) -> tuple[Card, ...]:
    """The community cards that lie open, in order."""
    plan = state.plan
    if not plan.parts:
        return state.known.get(Place.COMMUNITY, ()) if Place.COMMUNITY in state.revealed else ()
    return tuple(card for part in plan.parts if part in state.revealed for card in state.known.get(part, ()))


def open_dealer(state: State) -> tuple[Card, ...]:
    """The dealer's cards that lie open: all of them, the one turned up, or none."""
    cards = state.known.get(Place.DEALER, ())
    if Place.DEALER in state.revealed:
        return cards
    number = state.turned_up.get(Place.DEALER)
    return () if number is None else cards[number - 1 : number]
