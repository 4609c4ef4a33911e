"""Cards for problems: hands of a wanted class, made rather than waited for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from pitboss.cards import DECK, Card, HandClass, HoleClass, Rank, Suit, hole_class
from pitboss.errors import InvariantError
from pitboss.play.comparison import read_hand
from pitboss.rulebooks.plan import HandSpec, Plan
from pitboss.rulebooks.vocabulary import Order, Source

TRIES = 4000
_ALIKE: Mapping[HandClass, tuple[int, ...]] = MappingProxyType(
    {
        HandClass.FOUR_OF_A_KIND: (4, 1),
        HandClass.FULL_HOUSE: (3, 2),
        HandClass.THREE_OF_A_KIND: (3, 1, 1),
        HandClass.TWO_PAIRS: (2, 2, 1),
        HandClass.ONE_PAIR: (2, 1, 1, 1),
    }
)
_SUITED = (HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH, HandClass.FLUSH)
_RUNS = (HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH, HandClass.STRAIGHT)


class NoSuchDeal(Exception):  # noqa: N818 - it is an answer: this book has no such round
    """No deal was found in which the thing wanted happens."""


def made_hand(spec: HandSpec, wanted: str, rng: Random) -> tuple[Card, ...]:
    """Cards that are a hand of a class and no more: five, three, or two hole cards."""
    for _ in range(TRIES):
        if spec.order is Order.HOLE_CARDS:
            cards = tuple(rng.sample(DECK, 2))
            if hole_class(cards, ()) == wanted:
                return cards
            continue
        size = 3 if spec.order is Order.THREE_CARD else 5
        cards = _drawn(HandClass(wanted), size, rng)
        if len(set(cards)) == size and read_hand(spec, cards).hand_class == wanted:
            return cards
    raise NoSuchDeal(wanted)


def _drawn(wanted: HandClass, size: int, rng: Random) -> tuple[Card, ...]:
    """Cards that are likely to be of a class."""
    if wanted in _ALIKE:
        counts = [count for count in _ALIKE[wanted] if count > 1]
        counts += [1] * (size - sum(counts))
        ranks = rng.sample(tuple(Rank), len(counts))
        return tuple(
            Card(rank, suit)
            for rank, count in zip(ranks, counts, strict=True)
            for suit in rng.sample(tuple(Suit), count)
        )
    if wanted in _RUNS:
        top = Rank.ACE if wanted is HandClass.ROYAL_FLUSH else rng.choice(tuple(Rank)[size - 1 :])
        ranks = [Rank(top - step) for step in range(size)]
    else:
        ranks = rng.sample(tuple(Rank), size)
    suit = rng.choice(tuple(Suit))
    return tuple(Card(rank, suit if wanted in _SUITED else rng.choice(tuple(Suit))) for rank in ranks)


class Layout:
    """Where cards lie while a round is made up: each position's, the dealer's, the community's."""

    def __init__(self, plan: Plan, positions: Sequence[int], rng: Random) -> None:
        self.plan, self.rng = plan, rng
        self.own: dict[int, list[Card | None]] = {n: [None] * plan.own_cards for n in positions}
        self.dealer: list[Card | None] = [None] * plan.dealer_cards
        self.community: list[Card | None] = [None] * plan.community_cards

    def slots(self, position: int, places: Sequence[str]) -> list[tuple[list[Card | None], int]]:
        """The places of a hand at a position, card by card."""
        found: list[tuple[list[Card | None], int]] = []
        for place in places:
            if place == Source.OWN:
                found += [(self.own[position], index) for index in range(self.plan.own_cards)]
            elif place == Source.DEALER:
                found += [(self.dealer, index) for index in range(self.plan.dealer_cards)]
            else:
                numbers = self.plan.parts.get(place) or range(1, self.plan.community_cards + 1)
                found += [(self.community, number - 1) for number in numbers]
        return found

    def put(self, slots: Sequence[tuple[list[Card | None], int]], cards: Sequence[Card]) -> None:
        """Lay cards in free slots. Raises `NoSuchDeal` where there is no room or a card lies already."""
        free = [(row, index) for row, index in slots if row[index] is None]
        if len(free) < len(cards) or set(cards) & set(self.lying()):
            raise NoSuchDeal("no room")
        for (row, index), card in zip(free, cards, strict=False):
            row[index] = card

    def plant(self, position: int, spec: HandSpec, wanted: str) -> None:
        """Give a position a hand of a class, its cards strewn over the places that make it up."""
        places = [Source.OWN] if spec.order is Order.HOLE_CARDS else spec.places
        slots = self.slots(position, places)
        self.rng.shuffle(slots)
        cards = made_hand(spec, _own_row(wanted), self.rng)
        self.put(slots, cards)

    def mirror(self, position: int) -> None:
        """Give the dealer a position's ranks in the next suits: hands that rank the same, as a rule."""
        self.deal([self.own[position]])
        suits = tuple(Suit)
        turned = [
            Card(card.rank, suits[(suits.index(card.suit) + 1) % len(suits)])
            for card in self.own[position]
            if card is not None
        ]
        self.put([(self.dealer, index) for index in range(len(self.dealer))], turned)

    def lying(self) -> list[Card]:
        """Every card that lies somewhere."""
        rows = [*self.own.values(), self.dealer, self.community]
        return [card for row in rows for card in row if card is not None]

    def deal(self, rows: Sequence[list[Card | None]] | None = None) -> None:
        """Fill what is still empty from the rest of the pack."""
        lying = set(self.lying())
        pack = [card for card in DECK if card not in lying]
        self.rng.shuffle(pack)
        for row in rows if rows is not None else [*self.own.values(), self.dealer, self.community]:
            for index, card in enumerate(row):
                row[index] = pack.pop() if card is None else card


def whole(row: Sequence[Card | None]) -> tuple[Card, ...]:
    """The cards of a row that was dealt."""
    cards = tuple(card for card in row if card is not None)
    if len(cards) != len(row):
        raise InvariantError("a row that was not dealt")
    return cards


def _own_row(wanted: str) -> str:
    """The line of a Bonus table that a player's own cards can be on by themselves."""
    return HoleClass.ACES.value if wanted == HoleClass.ACES_BOTH else wanted
