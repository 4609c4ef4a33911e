"""What can follow from one position: the cards still to come, all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel
from pitboss.maths.kernels.evaluate import FiveTables, ThreeTables, worth, worth_of_three
from pitboss.maths.kernels.holdem import CLASS_AT, COUNT, EQUAL_AT, Comparing, Deck, meet_board, new_room
from pitboss.maths.kernels.qualify import Qualify, qualifies

HIGHER, LOWER, EQUAL, NOT_QUALIFIED = 0, 1, 2, 3


@kernel
def holdem_position(
    own: NDArray[np.int64],
    seen: NDArray[np.int64],
    more: NDArray[np.int64],
    deck: Deck,
    tables: FiveTables,
    comparing: Comparing,
    dealers: int,
    counts: NDArray[np.int64],
) -> None:
    """Deals by class and situation over every completion of the board (`more`) and dealer's hand."""
    board = np.empty(5, np.int64)
    for place in range(seen.shape[0]):
        board[place] = seen[place]
    nets = np.zeros((0, 10, 4), np.int64)
    room = new_room(0)
    for number in range(more.shape[0]):
        for place in range(more.shape[1]):
            board[seen.shape[0] + place] = more[number, place]
        meet_board(board, deck, tables, comparing, nets, dealers, room)
        first, second = room.sorts[own[0]], room.sorts[own[1]]
        met = room.met[first, second]
        higher, equal = met & COUNT, met >> EQUAL_AT & COUNT
        weak = room.weak[first, second]
        row = counts[met >> CLASS_AT]
        row[HIGHER] += higher
        row[LOWER] += dealers - higher - equal - weak
        row[EQUAL] += equal
        row[NOT_QUALIFIED] += weak


@kernel
def stud_position(
    own: NDArray[np.int64],
    up: NDArray[np.int64],
    tables: FiveTables,
    comparing: Comparing,
    rule: Qualify,
    counts: NDArray[np.int64],
) -> None:
    """Dealer's hands with this up-card, by situation, in the row of the player's class."""
    hand = np.empty(5, np.uint8)
    left = np.empty(52, np.uint8)
    size = 0
    for card in range(52):
        free = card != up[0]
        for place in range(5):
            free = free and card != own[place]
        if free:
            left[size] = card
            size += 1
    for place in range(5):
        hand[place] = own[place]
    value = worth(hand, tables)
    row = counts[comparing.classes[value]]
    mine = comparing.keys[value]
    hand[4] = up[0]
    for a in range(size):
        hand[0] = left[a]
        for b in range(a + 1, size):
            hand[1] = left[b]
            for c in range(b + 1, size):
                hand[2] = left[c]
                for d in range(c + 1, size):
                    hand[3] = left[d]
                    value = worth(hand, tables)
                    ranks = 0
                    for place in range(5):
                        ranks |= 1 << (hand[place] >> 2)
                    key = comparing.keys[value]
                    if not qualifies(rule, key, value, ranks):
                        row[NOT_QUALIFIED] += 1
                    elif mine > key:
                        row[HIGHER] += 1
                    elif mine < key:
                        row[LOWER] += 1
                    else:
                        row[EQUAL] += 1


@kernel
def three_card_position(
    own: NDArray[np.int64],
    up: NDArray[np.int64],
    tables: ThreeTables,
    comparing: Comparing,
    rule: Qualify,
    counts: NDArray[np.int64],
) -> None:
    """Dealer's hands, with the up-card if there is one, by situation, in the row of the player's class."""
    value = worth_of_three(own[0], own[1], own[2], tables)
    row = counts[comparing.classes[value]]
    mine = comparing.keys[value]
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                taken = False
                for place in range(3):
                    taken = taken or a == own[place] or b == own[place] or c == own[place]
                if taken or (up.shape[0] and up[0] != a and up[0] != b and up[0] != c):
                    continue
                value = worth_of_three(a, b, c, tables)
                ranks = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2)
                key = comparing.keys[value]
                if not qualifies(rule, key, value, ranks):
                    row[NOT_QUALIFIED] += 1
                elif mine > key:
                    row[HIGHER] += 1
                elif mine < key:
                    row[LOWER] += 1
                else:
                    row[EQUAL] += 1
