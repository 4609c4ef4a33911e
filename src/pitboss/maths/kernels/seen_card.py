"""Hold'em with one of the dealer's cards seen: the same counting with that card fixed.

The seen card's suit keeps its name; the other three stand for one another.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel
from pitboss.maths.kernels.boards import cards_of, next_choice, packed, unpack
from pitboss.maths.kernels.evaluate import FiveTables, by_ranks
from pitboss.maths.kernels.holdem import MOST_SORTS, Comparing, Deck, sort_cards

HIGHER, LOWER, EQUAL, NOT_QUALIFIED = 0, 1, 2, 3


@kernel
def boards_beside(size: int, seen: int, deck: Deck, out: NDArray[np.int64]) -> int:
    """The keys of all boards without the seen card, up to the names of the last three suits; how many."""
    cards = np.empty(4 * deck.ranks.shape[0] - 1, np.int64)
    at = 0
    for rank in deck.ranks:
        for suit in range(4):
            if 4 * rank + suit != seen:
                cards[at] = 4 * rank + suit
                at += 1
    count = 0
    chosen = np.arange(size)
    masks = np.zeros(4, np.int64)
    while True:
        masks[:] = 0
        for place in chosen:
            masks[cards[place] & 3] |= 1 << (cards[place] >> 2)
        if masks[1] >= masks[2] and masks[2] >= masks[3]:
            out[count] = packed(masks[0], masks[1], masks[2], masks[3])
            count += 1
        if not next_choice(chosen, cards.shape[0]):
            return count


@kernel
def orbit_beside(key: int) -> int:
    """How many boards a canonical one stands for when the first suit keeps its name."""
    masks = np.empty(4, np.int64)
    unpack(key, masks)
    if masks[1] == masks[2] and masks[2] == masks[3]:
        return 1
    return 3 if masks[1] == masks[2] or masks[2] == masks[3] else 6


@kernel
def meet_boards_beside(
    start: int,
    stop: int,
    keys: NDArray[np.int64],
    seen: int,
    deck: Deck,
    tables: FiveTables,
    comparing: Comparing,
    base_nets: NDArray[np.int64],
    later_nets: NDArray[np.int64],
    groups: NDArray[np.int64],
    later: NDArray[np.int16],
    base: NDArray[np.int64],
) -> None:
    """What a later bet nets every pair on each board over the dealer's other card; and what the base and
    first wagers net, added up over all boards by the group of the pair."""
    board = np.empty(5, np.int64)
    sorts = np.empty(52, np.int64)
    size = np.zeros(MOST_SORTS, np.int64)
    rank_of = np.zeros(MOST_SORTS, np.int64)
    flushes = np.zeros(MOST_SORTS, np.int64)
    dealer = np.zeros(MOST_SORTS, np.int64)
    later_of = np.zeros((MOST_SORTS, MOST_SORTS), np.int64)
    base_of = np.zeros((MOST_SORTS, MOST_SORTS), np.int64)
    dealers = 4 * deck.ranks.shape[0] - 8
    for number in range(start, stop):
        cards_of(keys[number], board)
        dealt = sort_cards(board, seen, deck, tables, sorts, size, rank_of, flushes)
        count, total, rank_counts, flush, flush_ranks, needed = dealt
        seen_flush = int(seen & 3 == flush)
        for second in range(count):
            if seen_flush + flushes[second] >= needed:
                ranks = flush_ranks | (seen_flush << (seen >> 2))
                if flushes[second]:
                    ranks |= 1 << rank_of[second]
                worth = tables.flushes[ranks]
            else:
                both = total + (np.uint64(1) << np.uint64(3 * (seen >> 2)))
                both += np.uint64(1) << np.uint64(3 * rank_of[second])
                worth = by_ranks(both, tables.rows, tables.values)
            key = comparing.keys[worth]
            threes = comparing.threes[worth]
            if threes >= 0 and rank_counts >> (4 * threes) & 15 < 3:
                key = comparing.loose_keys[worth]
            dealer[second] = key
        for first in range(count):
            for second in range(first, count):
                if first == second and size[first] < 2:
                    continue
                if flushes[first] + flushes[second] >= needed:
                    ranks = flush_ranks
                    if flushes[first]:
                        ranks |= 1 << rank_of[first]
                    if flushes[second]:
                        ranks |= 1 << rank_of[second]
                    worth = tables.flushes[ranks]
                else:
                    both = total + (np.uint64(1) << np.uint64(3 * rank_of[first]))
                    both += np.uint64(1) << np.uint64(3 * rank_of[second])
                    worth = by_ranks(both, tables.rows, tables.values)
                key = np.int64(comparing.keys[worth])
                threes = comparing.threes[worth]
                if threes >= 0 and rank_counts >> (4 * threes) & 15 < 3:
                    key = np.int64(comparing.loose_keys[worth])
                below, equal, weak = 0, 0, 0
                for other in range(count):
                    left = size[other] - int(other == first) - int(other == second)
                    unqualified = dealer[other] < comparing.least
                    weak += left if unqualified else 0
                    below += left if not unqualified and dealer[other] < key else 0
                    equal += left if not unqualified and dealer[other] == key else 0
                above = dealers - below - equal - weak
                row = comparing.classes[worth]
                bet = (
                    below * later_nets[row, HIGHER]
                    + above * later_nets[row, LOWER]
                    + equal * later_nets[row, EQUAL]
                    + weak * later_nets[row, NOT_QUALIFIED]
                )
                always = (
                    below * base_nets[row, HIGHER]
                    + above * base_nets[row, LOWER]
                    + equal * base_nets[row, EQUAL]
                    + weak * base_nets[row, NOT_QUALIFIED]
                )
                later_of[first, second] = bet
                later_of[second, first] = bet
                base_of[first, second] = always
                base_of[second, first] = always
        boards = orbit_beside(keys[number])
        for pair in range(deck.pairs.shape[0]):
            mine, other = sorts[deck.pairs[pair, 0]], sorts[deck.pairs[pair, 1]]
            if mine < 0 or other < 0:
                later[number, pair] = 0
            else:
                later[number, pair] = later_of[mine, other]
                base[groups[pair]] += boards * base_of[mine, other]


@kernel
def add_positive(
    keys: NDArray[np.int64],
    sums: NDArray[np.int32],
    ways: int,
    groups: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Add up what bets net where that is more than nothing, by group; a board counts `ways` times."""
    for number in range(keys.shape[0]):
        boards = ways * orbit_beside(keys[number])
        for pair in range(sums.shape[1]):
            if sums[number, pair] > 0:
                out[groups[pair]] += boards * sums[number, pair]
