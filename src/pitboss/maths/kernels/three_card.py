"""Three-card kernels: every player's hand against every dealer's hand, one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel
from pitboss.maths.kernels.boards import cards_of
from pitboss.maths.kernels.evaluate import FiveTables, ThreeTables, worth, worth_of_three
from pitboss.maths.kernels.qualify import Qualify, qualifies

HIGHER, LOWER, EQUAL, NOT_QUALIFIED = 0, 1, 2, 3


@kernel
def meet_dealers(
    start: int,
    stop: int,
    hand_keys: NDArray[np.int64],
    deck: NDArray[np.int64],
    three_tables: ThreeTables,
    keys: NDArray[np.int16],
    rule: Qualify,
    five_tables: FiveTables,
    five_classes: NDArray[np.int8],
    out: NDArray[np.int64],
) -> None:
    """For each hand: dealer's hands by rank of each card that might be turned up, situation, and the class
    that the six cards make together. A dealer's hand is counted once for each of its cards as the one up."""
    hand = np.empty(3, np.int64)
    six = np.empty(6, np.uint8)
    free = np.empty(deck.shape[0] - 3, np.int64)
    for number in range(start, stop):
        cards_of(hand_keys[number], hand)
        for place in range(3):
            six[place] = hand[place]
        count = 0
        for card in deck:
            if card != hand[0] and card != hand[1] and card != hand[2]:
                free[count] = card
                count += 1
        mine = keys[worth_of_three(hand[0], hand[1], hand[2], three_tables)]
        for a in range(count):
            six[3] = free[a]
            for b in range(a + 1, count):
                six[4] = free[b]
                for c in range(b + 1, count):
                    six[5] = free[c]
                    value = worth_of_three(free[a], free[b], free[c], three_tables)
                    ranks = 1 << (free[a] >> 2) | 1 << (free[b] >> 2) | 1 << (free[c] >> 2)
                    if not qualifies(rule, keys[value], value, ranks):
                        situation = NOT_QUALIFIED
                    elif mine > keys[value]:
                        situation = HIGHER
                    elif mine < keys[value]:
                        situation = LOWER
                    else:
                        situation = EQUAL
                    together = five_classes[worth(six, five_tables)]
                    out[number, free[a] >> 2, situation, together] += 1
                    out[number, free[b] >> 2, situation, together] += 1
                    out[number, free[c] >> 2, situation, together] += 1


@kernel
def classes_with_more(
    start: int,
    stop: int,
    hand_keys: NDArray[np.int64],
    size: int,
    more: int,
    deck: NDArray[np.int64],
    tables: FiveTables,
    classes: NDArray[np.int8],
    out: NDArray[np.int64],
) -> None:
    """For each hand of `size` cards, the classes it makes with two or three more cards of the deck."""
    hand = np.empty(size, np.int64)
    cards = np.empty(size + more, np.uint8)
    held = np.zeros(52, np.bool_)
    for number in range(start, stop):
        cards_of(hand_keys[number], hand)
        held[:] = False
        for place in range(size):
            held[hand[place]] = True
            cards[place] = hand[place]
        for a in range(deck.shape[0]):
            if held[deck[a]]:
                continue
            cards[size] = deck[a]
            for b in range(a + 1, deck.shape[0]):
                if held[deck[b]]:
                    continue
                cards[size + 1] = deck[b]
                if more == 2:
                    out[number, classes[worth(cards, tables)]] += 1
                    continue
                for c in range(b + 1, deck.shape[0]):
                    if not held[deck[c]]:
                        cards[size + 2] = deck[c]
                        out[number, classes[worth(cards, tables)]] += 1
