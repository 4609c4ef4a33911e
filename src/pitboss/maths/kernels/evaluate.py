"""Evaluators: what five, six, seven or three cards are worth, as one small integer.

A card is `4 * rank + suit` with rank 0 (two) to 12 (ace). To add a card is to add its key: three bits count
each rank, four bits each suit, and a suit's top bit is set from its fifth card on. Hands without a flush go
through a perfect hash of their rank counts, flushes through a table of thirteen bits. Everything is unsigned,
so that no index is checked for being negative.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import inline, kernel

RANK_BITS = 39
RANKS_ONLY = np.uint64((1 << RANK_BITS) - 1)
NO_CARDS = np.uint64(0x3333 << RANK_BITS)
"""An empty hand: each suit's count stands at three, so that five cards of it reach the fourth bit."""
NO_CARD = 1 << 60
"""The key of a number that is no card: it shows in the top bits of a hand's total."""
NO_CARD_SHIFT = np.uint64(60)
ANY_FLUSH = np.uint64(0x8888 << RANK_BITS)
FLUSH_OF_FIRST_SUIT = np.uint64(8 << RANK_BITS)
BITS_PER_SUIT = np.uint64(4)
MIX = np.uint64(0x9E3779B97F4A7C15)
ROW_BITS, SLOT_BITS = 14, 16
ROW_SHIFT = np.uint64(64 - ROW_BITS)
SLOT_SHIFT = np.uint64(64 - ROW_BITS - SLOT_BITS)
SLOT_MASK = np.uint64((1 << SLOT_BITS) - 1)

Cards = NDArray[np.uint8]
Worth = NDArray[np.int16]


class FiveTables(NamedTuple):
    """What the evaluators of five to seven cards look up.

    `keys` by card, and for every other byte one that tells it is none; `rows` and `values` are the perfect
    hash for seven cards, `few_rows` and `few_values` that for five and six; `flushes` by the ranks of a suit,
    thirteen bits.
    """

    keys: NDArray[np.uint64]
    rows: NDArray[np.uint8]
    values: Worth
    few_rows: NDArray[np.uint8]
    few_values: Worth
    flushes: Worth


class ThreeTables(NamedTuple):
    """What the three-card evaluator looks up, by `(rank * 13 + rank) * 13 + rank`, unsuited and suited."""

    unsuited: Worth
    suited: Worth


@inline
def by_ranks(total: np.uint64, rows: NDArray[np.uint8], values: Worth) -> np.int16:
    """The worth of cards whose keys add up to `total` and that hold no flush."""
    mixed = (total & RANKS_ONLY) * MIX
    return values[((mixed >> SLOT_SHIFT) & SLOT_MASK) ^ np.uint64(rows[mixed >> ROW_SHIFT])]


@kernel
def by_suit(hand: Cards, total: np.uint64, flushes: Worth) -> np.int16:
    """The worth of a hand in which some suit has five cards or more."""
    suit = np.uint64(0)
    while not total & (FLUSH_OF_FIRST_SUIT << (BITS_PER_SUIT * suit)):
        suit += np.uint64(1)
    ranks = 0
    for card in hand:
        if (card & np.uint8(3)) == suit:
            ranks |= 1 << (card >> 2)
    return flushes[ranks]


@inline
def worth(hand: Cards, tables: FiveTables) -> np.int16:
    """The worth of five, six or seven cards."""
    total = NO_CARDS
    for card in hand:
        total += tables.keys[card]
    if total & ANY_FLUSH:
        return by_suit(hand, total, tables.flushes)
    if hand.shape[0] == 7:
        return by_ranks(total, tables.rows, tables.values)
    return by_ranks(total, tables.few_rows, tables.few_values)


BLOCK = 512
"""Hands that go through a step of the batch evaluator before the next begins."""


@kernel
def worth_of_each_seven(hands: Cards, tables: FiveTables, out: Worth) -> bool:
    """The worth of every row of seven cards; whether all of them were cards.

    Block by block in three steps without a branch between hands: add up keys, look up as if there were no
    flush, and put right the few that have one. So memory is waited for many times at once.
    """
    keys, rows, values, flushes = tables.keys, tables.rows, tables.values, tables.flushes
    totals = np.empty(BLOCK, np.uint64)
    seen = np.uint64(0)
    for start in range(0, hands.shape[0], BLOCK):
        size = min(BLOCK, hands.shape[0] - start)
        for at in range(size):
            hand = start + at
            totals[at] = (
                NO_CARDS
                + keys[hands[hand, 0]]
                + keys[hands[hand, 1]]
                + keys[hands[hand, 2]]
                + keys[hands[hand, 3]]
                + keys[hands[hand, 4]]
                + keys[hands[hand, 5]]
                + keys[hands[hand, 6]]
            )
        for at in range(size):
            seen |= totals[at]
            out[start + at] = by_ranks(totals[at], rows, values)
        for at in range(size):
            if totals[at] & ANY_FLUSH:
                out[start + at] = by_suit(hands[start + at], totals[at], flushes)
    return seen >> NO_CARD_SHIFT == np.uint64(0)


@kernel
def worth_of_each(hands: Cards, tables: FiveTables, out: Worth) -> None:
    """The worth of every row of five or six cards."""
    keys, rows, values, flushes = tables.keys, tables.few_rows, tables.few_values, tables.flushes
    for hand in range(hands.shape[0]):
        total = NO_CARDS
        for place in range(hands.shape[1]):
            total += keys[hands[hand, place]]
        if total & ANY_FLUSH:
            out[hand] = by_suit(hands[hand], total, flushes)
        else:
            out[hand] = by_ranks(total, rows, values)


@inline
def worth_of_three(first: int, second: int, third: int, tables: ThreeTables) -> np.int16:
    """The worth of three cards."""
    place = ((first >> 2) * 13 + (second >> 2)) * 13 + (third >> 2)
    if (first & 3) == (second & 3) and (second & 3) == (third & 3):
        return tables.suited[place]
    return tables.unsuited[place]


@kernel
def worth_of_each_three(hands: Cards, tables: ThreeTables, out: Worth) -> None:
    """The worth of every row of three cards."""
    for hand in range(hands.shape[0]):
        first, second, third = hands[hand, 0], hands[hand, 1], hands[hand, 2]
        out[hand] = worth_of_three(np.int64(first), np.int64(second), np.int64(third), tables)


@kernel
def place_rows(
    columns: NDArray[np.int64], order: NDArray[np.int64], starts: NDArray[np.int64], rows: NDArray[np.uint8]
) -> bool:
    """Find for every row of the hash a displacement that puts its columns on free slots, fullest rows first.

    `order` lists the rows, `starts` where each row's columns begin. False if some row finds no place.
    """
    taken = np.zeros(1 << SLOT_BITS, np.bool_)
    for row in order:
        placed = False
        for shift in range(256):
            placed = True
            for key in range(starts[row], starts[row + 1]):
                if taken[columns[key] ^ shift]:
                    placed = False
                    break
            if placed:
                rows[row] = shift
                for key in range(starts[row], starts[row + 1]):
                    taken[columns[key] ^ shift] = True
                break
        if not placed:
            return False
    return True
