"""The batch evaluators for callers: arrays of cards in, arrays of worths out.

A card is `4 * rank + suit`: rank 0 for the two to 12 for the ace, suits clubs, diamonds, hearts, spades. A
higher worth is the better hand, equal worths stand off: 0 to 7,461 for five to seven cards, 0 to 740 for
three. Cards of a hand must differ; that is not checked. Suited 5-4-3-2-A is a straight flush here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitboss.cards import Card, Suit
from pitboss.errors import BadInput
from pitboss.maths.compiling import kernel
from pitboss.maths.kernels import evaluate as kernels
from pitboss.maths.kernels.evaluate import worth, worth_of_each_seven
from pitboss.maths.tables import Worths, five_tables, three_tables

PACK = 52
NOT_CARDS = BadInput("", "not an array of cards", "a card is a whole number from 0 to 51")
_SUITS = tuple(Suit)


def encode(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Cards as the evaluators take them."""
    return np.array([4 * (card.rank - 2) + _SUITS.index(card.suit) for card in cards], np.uint8)


def evaluate5(hands: ArrayLike) -> NDArray[np.int16]:
    """The worth of each row of five cards."""
    return _evaluate(hands, 5)


def evaluate6(hands: ArrayLike) -> NDArray[np.int16]:
    """The worth of the best five of each row of six cards."""
    return _evaluate(hands, 6)


def evaluate7(hands: ArrayLike) -> NDArray[np.int16]:
    """The worth of the best five of each row of seven cards."""
    return _evaluate(hands, 7)


def evaluate3(hands: ArrayLike) -> NDArray[np.int16]:
    """The worth of each row of three cards."""
    return _evaluate(hands, 3)


def worths(cards: int) -> Worths:
    """What the worths of hands of so many cards mean."""
    return three_tables()[1] if cards == 3 else five_tables()[1]


_FIVE = five_tables()[0]


@kernel
def evaluate_hand(cards: NDArray[np.uint8]) -> np.int16:
    """The worth of one hand of five to seven cards, for a caller who has no batch; nothing is checked.

    It is compiled with the tables inside, so that a call costs little more than the call.
    """
    return worth(cards, _FIVE)


@kernel
def _evaluate_sevens(hands: NDArray[np.uint8], out: NDArray[np.int16]) -> bool:
    return worth_of_each_seven(hands, _FIVE, out)


def _evaluate(hands: ArrayLike, size: int) -> NDArray[np.int16]:
    given = np.asarray(hands)
    if given.ndim != 2 or given.shape[1] != size:
        raise BadInput("", f"an array of shape {given.shape}", f"give one row of {size} cards a hand")
    # The kernel for seven cards notices bytes that are no cards; the others are looked through first.
    known = size == 7 and given.dtype == np.uint8
    if not np.issubdtype(given.dtype, np.integer) or not (known or _all_cards(given)):
        raise NOT_CARDS
    given = given.astype(np.uint8, copy=False)
    rows = np.ascontiguousarray(given)
    out = np.empty(len(rows), np.int16)
    if size == 3:
        kernels.worth_of_each_three(rows, three_tables()[0], out)
    elif size == 7:
        if not _evaluate_sevens(rows, out):
            raise NOT_CARDS
    else:
        kernels.worth_of_each(rows, _FIVE, out)
    return out


def _all_cards(given: NDArray[Any]) -> bool:
    if not given.size:
        return True
    if given.dtype == np.uint8:
        return bool(given.max() < PACK)
    return bool(given.min() >= 0 and given.max() < PACK)
