"""Agreement of the readable evaluator with the kernel and with outside ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from random import Random

import numba
import numpy as np
from numpy.typing import NDArray
from phevaluator import evaluate_cards
from treys import Card as TreysCard
from treys import Evaluator

from pitboss.cards import DECK, Card, best_five
from pitboss.maths.evaluators import encode, evaluate5
from pitboss.maths.kernels.evaluate import FiveTables, worth, worth_of_each, worth_of_each_seven
from pitboss.maths.tables import five_tables

_TREYS = Evaluator()
_TREYS_CARDS = {card: TreysCard.new(card.code) for card in DECK}


FIVE_CARD_COUNTS = {
    "royal-flush": 4,
    "straight-flush": 36,
    "four-of-a-kind": 624,
    "full-house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three-of-a-kind": 54_912,
    "two-pairs": 123_552,
    "one-pair": 1_098_240,
    "odd-cards": 1_302_540,
}
FIVE_CARD_DIGEST = "5e8c067ec59cc831"
"""Over all 2,598,960 hands in their order, as the readable evaluator ranks them."""


def five_card_hands(
    first: int, last: int | None, step: int = 1
) -> tuple[bytes, Counter[str], dict[int, tuple[int, tuple[int, ...]]]]:
    """Some of all five-card hands by their number: bytes for the digest, classes, and the value of each worth.

    Raises `AssertionError` if two hands of one worth by the kernel differ in the readable evaluator.
    """
    told, counts = bytearray(), Counter[str]()
    by_worth: dict[int, tuple[int, tuple[int, ...]]] = {}
    hands = list(islice(combinations(DECK, 5), first, last, step))
    worths = evaluate5(np.array([encode(cards) for cards in hands]))
    for worth_of_hand, cards in zip(worths.tolist(), hands, strict=True):
        hand = best_five(cards)
        counts[hand.hand_class] += 1
        told += bytes((hand.strength, *hand.ranks, 0))
        assert by_worth.setdefault(worth_of_hand, hand.value) == hand.value, [card.code for card in cards]
    return bytes(told), counts, by_worth


def agree(hands: int, *, seed: int, size: int = 7) -> None:
    """Random hands two by two: our order must be that of treys and of phevaluator, ties included."""
    rng = Random(seed)
    last: tuple[tuple[int, tuple[int, ...]], tuple[int, int]] | None = None
    for _ in range(hands):
        cards = rng.sample(DECK, size)
        mine, theirs = best_five(cards).value, _outside(cards)
        if last is not None:
            ours = (mine > last[0]) - (mine < last[0])
            for now, before in zip(theirs, last[1], strict=True):
                assert ours == (now < before) - (now > before), [card.code for card in cards]
        last = mine, theirs


def _outside(cards: list[Card]) -> tuple[int, int]:
    ints = [_TREYS_CARDS[card] for card in cards]
    return _TREYS.evaluate(ints[:2], ints[2:]), evaluate_cards(*(card.code for card in cards))


def kernels_agree(hands: int, *, cards: int, seed: int, suited_wheel: bool = True) -> int:
    """Random hands have the class and deciding ranks that the readable evaluator gives them; how many."""
    rng = Random(seed)
    tables, worths = five_tables(suited_wheel=suited_wheel)
    dealt = [rng.sample(DECK, cards) for _ in range(hands)]
    found = np.empty(hands, np.int16)
    evaluate = worth_of_each_seven if cards == 7 else worth_of_each
    evaluate(np.array([encode(hand) for hand in dealt]), tables, found)
    for hand, number in zip(dealt, found.tolist(), strict=True):
        read = best_five(hand, suited_wheel=suited_wheel)
        known = (worths.hand_class(number), worths.ranks[number])
        assert known == (read.hand_class, read.ranks), [card.code for card in hand]
    return hands


@numba.njit(nogil=True)
def classes_of_all_sevens(tables: FiveTables, classes: NDArray[np.int8], counts: NDArray[np.int64]) -> None:
    """Count the classes of all hands of seven cards, one by one."""
    hand = np.arange(7).astype(np.uint8)
    while True:
        counts[classes[worth(hand, tables)]] += 1
        place = 6
        while place >= 0 and hand[place] == 45 + place:
            place -= 1
        if place < 0:
            return
        hand[place] += 1
        for after in range(place + 1, 7):
            hand[after] = hand[after - 1] + 1
