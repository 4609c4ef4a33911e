"""What a hand is worth: the readable evaluator.

Two orders of hands are known: the best five of five to seven cards, and three cards. A `Hand` carries its
class, the ranks that decide against another hand of that class, and the cards that make it. It is meant to
be read and to be right; the fast kernels of the mathematics are measured against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from pitboss.cards.card import Card, Rank, Suit
from pitboss.errors import check


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


class Hand(NamedTuple):
    """A hand and its worth. Two hands of one order compare by `value`; suits never decide.

    `ranks` are the ranks that decide within the class, most important first. A straight has one, its top
    card, so that 5-4-3-2-A counts as five high. `cards` make the hand, in the order of `ranks`.
    """

    strength: int
    ranks: tuple[Rank, ...]
    hand_class: HandClass
    cards: tuple[Card, ...]

    @property
    def value(self) -> tuple[int, tuple[Rank, ...]]:
        return (self.strength, self.ranks)

    @property
    def is_wheel(self) -> bool:
        """Whether the ace plays low: 5-4-3-2-A, or 3-2-A of three cards."""
        return (
            self.hand_class in (HandClass.STRAIGHT, HandClass.STRAIGHT_FLUSH)
            and self.cards[-1].rank is Rank.ACE
        )


def best_five(cards: Sequence[Card], *, suited_wheel: bool = True) -> Hand:
    """The best five-card hand of five to seven cards.

    With `suited_wheel=False` a suited 5-4-3-2-A is no straight flush, only a flush with an ace on top.
    """
    check(5 <= len(cards) <= 7, f"the best five are taken of 5 to 7 cards, not of {len(cards)}")
    by_rank = _group_by_rank(cards)
    suited = _five_of_a_suit(cards)
    if suited:
        run = _best_run(_group_by_rank(suited), length=5)
        if run and (suited_wheel or run[-1].rank is not Rank.ACE):
            top = run[0].rank
            hand_class = HandClass.ROYAL_FLUSH if top is Rank.ACE else HandClass.STRAIGHT_FLUSH
            return _five(hand_class, (top,), run)

    # Ranks by how often they occur, then by height: the usual way to read a hand.
    sets = sorted(by_rank.values(), key=lambda group: (len(group), group[0].rank), reverse=True)
    first, second = sets[0], sets[1]
    if len(first) == 4:
        side = _highest(cards, 1, without=(first[0].rank,))
        return _five(HandClass.FOUR_OF_A_KIND, (first[0].rank, side[0].rank), (*first, *side))
    if len(first) == 3 and len(second) >= 2:
        return _five(HandClass.FULL_HOUSE, (first[0].rank, second[0].rank), (*first, *second[:2]))
    if suited:
        five = _highest(suited, 5)
        return _five(HandClass.FLUSH, _ranks(five), five)
    run = _best_run(by_rank, length=5)
    if run:
        return _five(HandClass.STRAIGHT, (run[0].rank,), run)
    if len(first) == 3:
        side = _highest(cards, 2, without=(first[0].rank,))
        return _five(HandClass.THREE_OF_A_KIND, (first[0].rank, *_ranks(side)), (*first, *side))
    if len(first) == 2 and len(second) == 2:
        side = _highest(cards, 1, without=(first[0].rank, second[0].rank))
        ranks = (first[0].rank, second[0].rank, side[0].rank)
        return _five(HandClass.TWO_PAIRS, ranks, (*first, *second, *side))
    if len(first) == 2:
        side = _highest(cards, 3, without=(first[0].rank,))
        return _five(HandClass.ONE_PAIR, (first[0].rank, *_ranks(side)), (*first, *side))
    five = _highest(cards, 5)
    return _five(HandClass.ODD_CARDS, _ranks(five), five)


def three_cards(cards: Sequence[Card]) -> Hand:
    """The worth of three cards: a straight beats a flush, and 3-2-A is the lowest straight."""
    check(len(cards) == 3, f"a three-card hand has three cards, not {len(cards)}")
    by_rank = _group_by_rank(cards)
    suited = len({card.suit for card in cards}) == 1
    run = _best_run(by_rank, length=3)
    if run:
        hand_class = HandClass.STRAIGHT_FLUSH if suited else HandClass.STRAIGHT
        return _three(hand_class, (run[0].rank,), run)
    sets = sorted(by_rank.values(), key=len, reverse=True)
    if len(sets[0]) == 3:
        return _three(HandClass.THREE_OF_A_KIND, (sets[0][0].rank,), tuple(cards))
    if len(sets[0]) == 2:
        side = _highest(cards, 1, without=(sets[0][0].rank,))
        return _three(HandClass.ONE_PAIR, (sets[0][0].rank, side[0].rank), (*sets[0], *side))
    ordered = _highest(cards, 3)
    return _three(HandClass.FLUSH if suited else HandClass.ODD_CARDS, _ranks(ordered), ordered)


def _five(hand_class: HandClass, ranks: tuple[Rank, ...], cards: tuple[Card, ...]) -> Hand:
    return Hand(_FIVE_STRENGTH[hand_class], ranks, hand_class, cards)


def _three(hand_class: HandClass, ranks: tuple[Rank, ...], cards: tuple[Card, ...]) -> Hand:
    return Hand(_THREE_STRENGTH[hand_class], ranks, hand_class, cards)


def _ranks(cards: Iterable[Card]) -> tuple[Rank, ...]:
    return tuple(card.rank for card in cards)


def _group_by_rank(cards: Iterable[Card]) -> dict[Rank, list[Card]]:
    groups: dict[Rank, list[Card]] = {}
    for card in cards:
        groups.setdefault(card.rank, []).append(card)
    return groups


def _five_of_a_suit(cards: Sequence[Card]) -> tuple[Card, ...]:
    """All cards of the suit that at least five share; of seven cards no two suits can."""
    groups: dict[Suit, list[Card]] = {}
    for card in cards:
        groups.setdefault(card.suit, []).append(card)
    for group in groups.values():
        if len(group) >= 5:
            return tuple(group)
    return ()


def _best_run(by_rank: dict[Rank, list[Card]], *, length: int) -> tuple[Card, ...]:
    """One card of each rank of the highest run, top first; the ace may end the lowest run as one."""
    for top in range(Rank.ACE, length - 1, -1):
        ranks = [Rank(rank if rank >= 2 else Rank.ACE) for rank in range(top, top - length, -1)]
        if all(rank in by_rank for rank in ranks):
            return tuple(by_rank[rank][0] for rank in ranks)
    return ()


def _highest(cards: Iterable[Card], count: int, *, without: tuple[Rank, ...] = ()) -> tuple[Card, ...]:
    left = [card for card in cards if card.rank not in without]
    left.sort(key=lambda card: card.rank, reverse=True)
    return tuple(left[:count])
