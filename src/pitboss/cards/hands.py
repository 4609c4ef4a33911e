"""What a hand is worth: the readable evaluator.

Two orders of hands are known: the best five of five to seven cards, and three cards. A `Hand` carries its
class, the ranks that decide against another hand of that class, and the cards that make it. It is meant to
be read and to be right; the fast kernels of the mathematics are measured against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple

from pitboss.cards.card import Card, Rank
from pitboss.errors import InvariantError


class HandClass(StrEnum):
    """The classes of hands by the keys that files use."""

    ROYAL_FLUSH = "royal-flush"
    STRAIGHT_FLUSH = "straight-flush"
    FOUR_OF_A_KIND = "four-of-a-kind"
    FULL_HOUSE = "full-house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three-of-a-kind"
    TWO_PAIRS = "two-pairs"
    ONE_PAIR = "one-pair"
    ODD_CARDS = "odd-cards"


class HandOrder(StrEnum):
    """How hands are ranked: as five cards or as three."""

    FIVE_CARD = "five-card"
    THREE_CARD = "three-card"

    @property
    def classes(self) -> tuple[HandClass, ...]:
        """The classes from lowest to highest."""
        return FIVE_CARD_ORDER if self is HandOrder.FIVE_CARD else THREE_CARD_ORDER


FIVE_CARD_ORDER = tuple(reversed(HandClass))
THREE_CARD_ORDER = (
    HandClass.ODD_CARDS,
    HandClass.ONE_PAIR,
    HandClass.FLUSH,
    HandClass.STRAIGHT,
    HandClass.THREE_OF_A_KIND,
    HandClass.STRAIGHT_FLUSH,
)
_FIVE_STRENGTH = {hand_class: strength for strength, hand_class in enumerate(FIVE_CARD_ORDER)}
_THREE_STRENGTH = {hand_class: strength for strength, hand_class in enumerate(THREE_CARD_ORDER)}
_rank_of = itemgetter(0)


class Hand(NamedTuple):
    """A hand and its worth. Hands of one order compare by rank alone: suits never decide.

    `ranks` are the ranks that decide within the class, most important first. A straight has one, its top
    card, so that 5-4-3-2-A counts as five high. `cards` make the hand, in the order of `ranks`; they take no
    part in a comparison, so royal flushes of two suits are equal and one key of a dictionary. A hand of five
    cards and one of three are unequal, and `<`, `<=`, `>` and `>=` between them raise `TypeError`.
    """

    strength: int
    ranks: tuple[Rank, ...]
    hand_class: HandClass
    cards: tuple[Card, ...]

    @property
    def value(self) -> tuple[int, tuple[Rank, ...]]:
        """What hands of one order are compared by: the class, then the ranks that decide."""
        return (self.strength, self.ranks)

    @property
    def order(self) -> HandOrder:
        """The order of hands in which it is ranked: five cards or three."""
        return HandOrder.THREE_CARD if len(self.cards) == 3 else HandOrder.FIVE_CARD

    # A named tuple would compare its cards too, and with any tuple. Each method is written out: they are
    # called in loops over millions of hands.

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Hand)
            and self[0] == other[0]
            and self[1] == other[1]
            and len(self[3]) == len(other[3])
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self[0], self[1], len(self[3])))

    def __lt__(self, other: object) -> bool:
        return self.value < _rival(self, other, "<").value

    def __le__(self, other: object) -> bool:
        return self.value <= _rival(self, other, "<=").value

    def __gt__(self, other: object) -> bool:
        return self.value > _rival(self, other, ">").value

    def __ge__(self, other: object) -> bool:
        return self.value >= _rival(self, other, ">=").value

    @property
    def is_wheel(self) -> bool:
        """Whether the ace plays low: 5-4-3-2-A, or 3-2-A of three cards."""
        return (
            self.hand_class in (HandClass.STRAIGHT, HandClass.STRAIGHT_FLUSH)
            and self.cards[-1].rank is Rank.ACE
        )

    def __repr__(self) -> str:
        from pitboss.cards.words import hand_in_words  # which needs the hands of this module

        return f"<Hand {hand_in_words(self)}: {' '.join(card.face for card in self.cards)}>"

    def _repr_html_(self) -> str:
        from pitboss.cards.words import cards_in_html, hand_in_words

        return f"{cards_in_html(self.cards)} {hand_in_words(self)}"


def _rival(hand: Hand, other: object, sign: str) -> Hand:
    """The other hand of a comparison. Raises `TypeError` where it is of another order, or not a hand."""
    if not isinstance(other, Hand):
        raise TypeError(f"'{sign}' compares a hand with a hand, not with {type(other).__name__}")
    if other.order is not hand.order:
        raise TypeError(
            f"'{sign}' compares hands of one order, not a {hand.order} hand with a {other.order} hand"
        )
    return other


def best_five(cards: Sequence[Card], *, suited_wheel: bool = True) -> Hand:
    """The best five-card hand of five to seven cards.

    With `suited_wheel=False` a suited 5-4-3-2-A is no straight flush, only a flush with an ace on top.
    """
    if not 5 <= len(cards) <= 7:
        raise InvariantError(f"the best five are taken of 5 to 7 cards, not of {len(cards)}")
    ordered = sorted(cards, key=_rank_of, reverse=True)
    suited = _five_of_a_suit(ordered)
    if suited:
        run = _best_run(suited, _FIVE_RUNS)
        if run and (suited_wheel or run[-1].rank is not Rank.ACE):
            top = run[0].rank
            hand_class = HandClass.ROYAL_FLUSH if top is Rank.ACE else HandClass.STRAIGHT_FLUSH
            return _five(hand_class, (top,), run)

    # Ranks by how often they occur, then by height: the usual way to read a hand.
    sets = _sets(ordered)
    first, second = sets[0], sets[1]
    if len(first) == 4:
        side = _without(ordered, first)[:1]
        return _five(HandClass.FOUR_OF_A_KIND, (first[0].rank, side[0].rank), (*first, *side))
    if len(first) == 3 and len(second) >= 2:
        return _five(HandClass.FULL_HOUSE, (first[0].rank, second[0].rank), (*first, *second[:2]))
    if suited:
        return _five(HandClass.FLUSH, _ranks(suited[:5]), tuple(suited[:5]))
    run = _best_run(ordered, _FIVE_RUNS) if len(sets) >= 5 else ()
    if run:
        return _five(HandClass.STRAIGHT, (run[0].rank,), run)
    if len(first) == 3:
        side = _without(ordered, first)[:2]
        return _five(HandClass.THREE_OF_A_KIND, (first[0].rank, *_ranks(side)), (*first, *side))
    if len(second) == 2:
        side = _without(ordered, first, second)[:1]
        ranks = (first[0].rank, second[0].rank, side[0].rank)
        return _five(HandClass.TWO_PAIRS, ranks, (*first, *second, *side))
    if len(first) == 2:
        side = _without(ordered, first)[:3]
        return _five(HandClass.ONE_PAIR, (first[0].rank, *_ranks(side)), (*first, *side))
    return _five(HandClass.ODD_CARDS, _ranks(ordered[:5]), tuple(ordered[:5]))


def three_cards(cards: Sequence[Card]) -> Hand:
    """The worth of three cards: a straight beats a flush, and 3-2-A is the lowest straight."""
    if len(cards) != 3:
        raise InvariantError(f"a three-card hand has three cards, not {len(cards)}")
    ordered = sorted(cards, key=_rank_of, reverse=True)
    suited = cards[0].suit is cards[1].suit is cards[2].suit
    run = _best_run(ordered, _THREE_RUNS)
    if run:
        hand_class = HandClass.STRAIGHT_FLUSH if suited else HandClass.STRAIGHT
        return _three(hand_class, (run[0].rank,), run)
    first, *rest = _sets(ordered)
    if len(first) == 3:
        return _three(HandClass.THREE_OF_A_KIND, (first[0].rank,), tuple(first))
    if len(first) == 2:
        return _three(HandClass.ONE_PAIR, (first[0].rank, rest[0][0].rank), (*first, *rest[0]))
    return _three(HandClass.FLUSH if suited else HandClass.ODD_CARDS, _ranks(ordered), tuple(ordered))


def _five(hand_class: HandClass, ranks: tuple[Rank, ...], cards: tuple[Card, ...]) -> Hand:
    return Hand(_FIVE_STRENGTH[hand_class], ranks, hand_class, cards)


def _three(hand_class: HandClass, ranks: tuple[Rank, ...], cards: tuple[Card, ...]) -> Hand:
    return Hand(_THREE_STRENGTH[hand_class], ranks, hand_class, cards)


def _ranks(cards: Iterable[Card]) -> tuple[Rank, ...]:
    return tuple([card[0] for card in cards])


def _sets(ordered: Sequence[Card]) -> list[list[Card]]:
    """The cards rank by rank, the most frequent rank first, then the highest."""
    groups: dict[Rank, list[Card]] = {}
    for card in ordered:
        groups.setdefault(card[0], []).append(card)
    return sorted(groups.values(), key=len, reverse=True)


def _without(ordered: Sequence[Card], *taken: list[Card]) -> list[Card]:
    gone = [group[0].rank for group in taken]
    return [card for card in ordered if card[0] not in gone]


def _five_of_a_suit(ordered: Sequence[Card]) -> list[Card]:
    """All cards of the suit that at least five share, highest first; of seven cards no two suits can."""
    suits = [card[1] for card in ordered]
    for suit in set(suits):
        if suits.count(suit) >= 5:
            return [card for card in ordered if card[1] is suit]
    return []


Runs = tuple[tuple[int, tuple[Rank, ...]], ...]
"""Runs of ranks as sets of bits, one bit a rank, and as ranks."""


def _runs(length: int) -> Runs:
    """Every run of ranks, the highest first; in the lowest the ace counts as one and comes last."""
    tops = range(Rank.ACE, length - 1, -1)
    runs = [tuple(Rank(r if r > 1 else Rank.ACE) for r in range(top, top - length, -1)) for top in tops]
    return tuple((sum(1 << rank for rank in run), run) for run in runs)


_FIVE_RUNS, _THREE_RUNS = _runs(5), _runs(3)


def _best_run(cards: Sequence[Card], runs: Runs) -> tuple[Card, ...]:
    """One card of each rank of the highest run among the cards, top first, or nothing."""
    ranks = 0
    for card in cards:
        ranks |= 1 << card[0]
    for needed, run in runs:
        if needed & ranks == needed:
            by_rank = {card[0]: card for card in cards}
            return tuple([by_rank[rank] for rank in run])
    return ()
