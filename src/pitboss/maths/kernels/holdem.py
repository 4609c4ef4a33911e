"""Hold'em kernels: every board against every pair of hole cards, counted, never sampled.

Hole cards are numbered 0 to 1,325 (`pairs`). What two cards meet on a board is one integer: above how many
of the 990 dealer hands they rank, how many are equal, and their class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel
from pitboss.maths.kernels.boards import canonical, canonical_beside, cards_of, find, orbit, unpack
from pitboss.maths.kernels.evaluate import FiveTables, by_ranks

COUNT_BITS = 10
COUNT = (1 << COUNT_BITS) - 1
EQUAL_AT, CLASS_AT = COUNT_BITS, 2 * COUNT_BITS


class Deck(NamedTuple):
    """The pack and its pairs. `numbers` is the pair of two cards; `moved` the pair after a change of suits.

    `permutations` is the number of a change of suits by `((p0 * 4 + p1) * 4 + p2)`.
    """

    ranks: NDArray[np.int64]
    cards: NDArray[np.int64]
    pairs: NDArray[np.int64]
    numbers: NDArray[np.int64]
    moved: NDArray[np.int16]
    permutations: NDArray[np.int64]


class Comparing(NamedTuple):
    """How worths meet: `keys` and `classes` by worth. Equal keys stand off.

    `loose_keys` stand in for full houses whose threes do not lie on the board; `threes` is the rank of a full
    house's three, else -1. `least` is the lowest key with which a dealer qualifies.
    """

    keys: NDArray[np.int16]
    loose_keys: NDArray[np.int16]
    threes: NDArray[np.int8]
    classes: NDArray[np.int8]
    least: int


MOST_SORTS = 26
MOST_COUPLES = MOST_SORTS * (MOST_SORTS + 1) // 2
NEVER = 9


class Dealt(NamedTuple):
    """A board, as far as two more cards are ranked with it.

    `sorts` is how many sorts of cards are left, `total` the sum of its cards' keys; `rank_counts` has four
    bits a rank. `flush` is the suit that may flush, else -1, with its ranks; a flush takes `needed` more.
    """

    sorts: int
    total: np.uint64
    rank_counts: int
    flush: int
    flush_ranks: int
    needed: int


@kernel
def sort_cards(
    board: NDArray[np.int64],
    seen: int,
    deck: Deck,
    tables: FiveTables,
    sorts: NDArray[np.int64],
    size: NDArray[np.int64],
    rank_of: NDArray[np.int64],
    flushes: NDArray[np.int64],
) -> Dealt:
    """Sort the cards that are not on the board, `seen` aside (-1 for none); how many cards each sort has.

    Cards that can only count for their rank are of one sort; where the board lets a suit flush, its cards are
    sorts of their own.
    """
    total = np.uint64(0)
    rank_counts = np.int64(0)
    suit_counts = np.int64(0)
    sorts[:] = 0
    if seen >= 0:
        sorts[seen] = -1
    for card in board:
        total += tables.keys[card]
        sorts[card] = -1
        rank_counts += np.int64(1) << (4 * (card >> 2))
        suit_counts += np.int64(1) << (4 * (card & 3))
    flush = -1
    for suit in range(4):
        if suit_counts >> (4 * suit) & 15 >= 3:
            flush = suit
    needed = 5 - (suit_counts >> (4 * flush) & 15) if flush >= 0 else NEVER
    flush_ranks = 0
    for card in board:
        if card & 3 == flush:
            flush_ranks |= 1 << (card >> 2)
    count = 0
    for rank in deck.ranks:
        plain = -1
        for suit in range(4):
            card = 4 * rank + suit
            if sorts[card] < 0:
                continue
            if suit == flush or plain < 0:
                size[count], rank_of[count], flushes[count] = 1, rank, int(suit == flush)
                sorts[card] = count
                if suit != flush:
                    plain = count
                count += 1
            else:
                size[plain] += 1
                sorts[card] = plain
    return Dealt(count, total, rank_counts, flush, flush_ranks, needed)


class Room(NamedTuple):
    """Working memory for one board at a time.

    `sorts` is the sort of each card, -1 for one on the board; `met` and `nets` and `weak` are by two sorts.
    """

    sorts: NDArray[np.int64]
    met: NDArray[np.int32]
    weak: NDArray[np.int32]
    nets: NDArray[np.int32]


@kernel
def new_room(tables: int) -> Room:
    """Room for one thread to count in."""
    return Room(
        np.empty(52, np.int64),
        np.empty((MOST_SORTS, MOST_SORTS), np.int32),
        np.empty((MOST_SORTS, MOST_SORTS), np.int32),
        np.empty((tables, MOST_SORTS, MOST_SORTS), np.int32),
    )


@kernel
def meet_board(
    board: NDArray[np.int64],
    deck: Deck,
    tables: FiveTables,
    comparing: Comparing,
    nets: NDArray[np.int64],
    dealers: int,
    room: Room,
) -> None:
    """What any two cards meet on this board, over the dealer hands that share no card with them.

    Two cards of given sorts are worth the same, so couples of sorts are ranked, not pairs of cards. One sweep
    from the lowest couple up: what is below is known in all and for a card of each sort; the dealer hands
    with one of the player's cards are taken off, and where that very pair was taken off twice it is put back.
    `nets` holds tables by class and situation; `room.nets` what they come to.
    """
    size = np.zeros(MOST_SORTS, np.int64)
    rank_of = np.zeros(MOST_SORTS, np.int64)
    flushes = np.zeros(MOST_SORTS, np.int64)
    dealt = sort_cards(board, -1, deck, tables, room.sorts, size, rank_of, flushes)
    count, total, rank_counts, _, flush_ranks, needed = dealt

    # The couples of sorts, by the key of what they are worth.
    couples = 0
    first_of = np.empty(MOST_COUPLES, np.int16)
    second_of = np.empty(MOST_COUPLES, np.int16)
    keys = np.empty(MOST_COUPLES, np.int16)
    classes = np.empty(MOST_COUPLES, np.int8)
    low_counts = np.zeros(129, np.int64)
    high_counts = np.zeros(129, np.int64)
    for first in range(count):
        with_first = total + (np.uint64(1) << np.uint64(3 * rank_of[first]))
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
                both = with_first + (np.uint64(1) << np.uint64(3 * rank_of[second]))
                worth = by_ranks(both, tables.rows, tables.values)
            key = comparing.keys[worth]
            threes = comparing.threes[worth]
            if threes >= 0 and rank_counts >> (4 * threes) & 15 < 3:
                key = comparing.loose_keys[worth]
            first_of[couples], second_of[couples] = first, second
            keys[couples], classes[couples] = key, comparing.classes[worth]
            low_counts[(key & 127) + 1] += 1
            high_counts[(key >> 7) + 1] += 1
            couples += 1
    order = np.empty(MOST_COUPLES, np.int16)
    spare = np.empty(MOST_COUPLES, np.int16)
    for bucket in range(128):
        low_counts[bucket + 1] += low_counts[bucket]
        high_counts[bucket + 1] += high_counts[bucket]
    for couple in range(couples):
        bucket = keys[couple] & 127
        spare[low_counts[bucket]] = couple
        low_counts[bucket] += 1
    for at in range(couples):
        couple = spare[at]
        bucket = keys[couple] >> 7
        order[high_counts[bucket]] = couple
        high_counts[bucket] += 1

    below, weak = 0, 0
    below_with = np.zeros(MOST_SORTS, np.int64)
    weak_with = np.zeros(MOST_SORTS, np.int64)
    group_with = np.zeros(MOST_SORTS, np.int64)
    start = 0
    while start < couples:
        key = keys[order[start]]
        unqualified = key < comparing.least
        group = 0
        end = start
        while end < couples and keys[order[end]] == key:
            first, second = first_of[order[end]], second_of[order[end]]
            if first == second:
                group += size[first] * (size[first] - 1) // 2
                group_with[first] += size[first] - 1
            else:
                group += size[first] * size[second]
                group_with[first] += size[second]
                group_with[second] += size[first]
            end += 1
        for at in range(start, end):
            couple = order[at]
            first, second = first_of[couple], second_of[couple]
            higher, equal = 0, 0
            if not unqualified:
                higher = below - below_with[first] - below_with[second]
                equal = group - group_with[first] - group_with[second] + 1
            met = np.int32(higher | equal << EQUAL_AT | np.int64(classes[couple]) << CLASS_AT)
            room.met[first, second] = met
            room.met[second, first] = met
        for at in range(start, end):
            first, second = first_of[order[at]], second_of[order[at]]
            if unqualified:
                weak_with[first] += group_with[first]
                group_with[first] = 0
                weak_with[second] += group_with[second]
            else:
                below_with[first] += group_with[first]
                group_with[first] = 0
                below_with[second] += group_with[second]
            group_with[second] = 0
        if unqualified:
            weak += group
        else:
            below += group
        start = end
    for couple in range(couples):
        first, second = first_of[couple], second_of[couple]
        none = weak - weak_with[first] - weak_with[second] + int(keys[couple] < comparing.least)
        room.weak[first, second] = none
        room.weak[second, first] = none
        met = room.met[first, second]
        higher, equal = met & COUNT, met >> EQUAL_AT & COUNT
        hand_class = met >> CLASS_AT
        for table in range(nets.shape[0]):
            value = (
                higher * nets[table, hand_class, 0]
                + (dealers - higher - equal - none) * nets[table, hand_class, 1]
                + equal * nets[table, hand_class, 2]
                + none * nets[table, hand_class, 3]
            )
            room.nets[table, first, second] = value
            room.nets[table, second, first] = value


@kernel
def couple_numbers() -> NDArray[np.int16]:
    """The number of each couple of sorts, in either order."""
    numbers = np.empty((MOST_SORTS, MOST_SORTS), np.int16)
    for low in range(MOST_SORTS):
        for high in range(low, MOST_SORTS):
            numbers[low, high] = numbers[high, low] = high * (high + 1) // 2 + low
    return numbers


@kernel
def meet_boards(
    start: int,
    stop: int,
    keys: NDArray[np.int64],
    deck: Deck,
    tables: FiveTables,
    comparing: Comparing,
    nets: NDArray[np.int64],
    dealers: int,
    sorts: NDArray[np.int8],
    met: NDArray[np.int32],
    weak: NDArray[np.int16],
    values: NDArray[np.int32],
) -> None:
    """What couples of sorts meet on the boards from `start` to `stop`, packed, and the sort of every card.

    `values` is what each table nets every pair there. `weak` counts dealers who do not qualify; it has no
    rows where every dealer does.
    """
    board = np.empty(5, np.int64)
    room = new_room(nets.shape[0])
    numbers = couple_numbers()
    for number in range(start, stop):
        cards_of(keys[number], board)
        meet_board(board, deck, tables, comparing, nets, dealers, room)
        count = 0
        for card in range(52):
            sorts[number, card] = room.sorts[card]
            count = max(count, room.sorts[card] + 1)
        for high in range(count):
            for low in range(high + 1):
                met[number, numbers[low, high]] = room.met[low, high]
                if weak.shape[0]:
                    weak[number, numbers[low, high]] = room.weak[low, high]
        if nets.shape[0] == 0:
            continue
        pair = 0
        for first in range(deck.cards.shape[0]):
            sort = room.sorts[deck.cards[first]]
            for second in range(first + 1, deck.cards.shape[0]):
                other = room.sorts[deck.cards[second]]
                for table in range(nets.shape[0]):
                    blocked = sort < 0 or other < 0
                    values[table, number, pair] = 0 if blocked else room.nets[table, sort, other]
                pair += 1


@kernel
def gather(
    start: int,
    stop: int,
    keys: NDArray[np.int64],
    larger_keys: NDArray[np.int64],
    larger: NDArray[np.int32],
    seen: int,
    deck: Deck,
    out: NDArray[np.int32],
) -> None:
    """Sum every pair's value over the boards with one card more, `seen` aside (-1 for none).

    What is blocked there adds nothing. Where a card is seen the first suit keeps its name.
    """
    masks = np.empty(4, np.int64)
    order = np.empty(4, np.int64)
    for number in range(start, stop):
        out[number, :] = 0
        for rank in deck.ranks:
            for suit in range(4):
                unpack(keys[number], masks)
                if masks[suit] >> rank & 1 or 4 * rank + suit == seen:
                    continue
                masks[suit] |= 1 << rank
                key = canonical(masks, order) if seen < 0 else canonical_beside(masks, order)
                row = find(larger_keys, key)
                moved = deck.moved[deck.permutations[(order[0] * 4 + order[1]) * 4 + order[2]]]
                for pair in range(out.shape[1]):
                    out[number, pair] += larger[row, moved[pair]]


@kernel
def combine_bets(
    start: int,
    stop: int,
    keys: NDArray[np.int64],
    three_keys: NDArray[np.int64],
    deck: Deck,
    bets_on_four: NDArray[np.bool_],
    bets_on_three: NDArray[np.bool_],
    out: NDArray[np.uint16],
) -> None:
    """For every four cards and pair: how the four flops they come from are bet, three counts of five bits.

    The bet on three cards only, the one on four only, both.
    """
    cards = np.empty(4, np.int64)
    masks = np.empty(4, np.int64)
    order = np.empty(4, np.int64)
    for number in range(start, stop):
        cards_of(keys[number], cards)
        out[number, :] = 0
        for last in cards:
            unpack(keys[number], masks)
            masks[last & 3] ^= 1 << (last >> 2)
            row = bets_on_three[find(three_keys, canonical(masks, order))]
            moved = deck.moved[deck.permutations[(order[0] * 4 + order[1]) * 4 + order[2]]]
            for pair in range(out.shape[1]):
                out[number, pair] += row[moved[pair]]
        for pair in range(out.shape[1]):
            placed = out[number, pair]
            if bets_on_four[number, pair]:
                out[number, pair] = (4 - placed) << 5 | placed << 10


@kernel
def tally(
    start: int,
    stop: int,
    keys: NDArray[np.int64],
    four_keys: NDArray[np.int64],
    deck: Deck,
    sorts: NDArray[np.int8],
    met: NDArray[np.int32],
    weak: NDArray[np.int16],
    bets: NDArray[np.uint16],
    kinds: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Add up what pairs meet, by kind of pair, class of hand, situation and later bets placed.

    A board of five comes about as flop, turn and river in twenty ways; `bets` says for the four ways with a
    given river how they are bet. `out` counts dealers below, equal, not qualified, and all of them.
    """
    board = np.empty(5, np.int64)
    masks = np.empty(4, np.int64)
    order = np.empty(4, np.int64)
    numbers = couple_numbers()
    pairs = deck.pairs.shape[0]
    ways = np.empty(pairs, np.uint16)
    added = np.empty(2 * MOST_COUPLES, np.int64)
    kind_at = np.empty(2 * MOST_COUPLES, np.int64)
    for number in range(start, stop):
        cards_of(keys[number], board)
        ways[:] = 0
        for last in board:
            unpack(keys[number], masks)
            masks[last & 3] ^= 1 << (last >> 2)
            row = bets[find(four_keys, canonical(masks, order))]
            moved = deck.moved[deck.permutations[(order[0] * 4 + order[1]) * 4 + order[2]]]
            for pair in range(pairs):
                ways[pair] += row[moved[pair]]
        boards = orbit(keys[number])
        # Pairs of the same couple and kind meet the same: their ways are added up before they are weighed.
        added[:] = 0
        pair = -1
        for one in range(deck.cards.shape[0]):
            sort = sorts[number, deck.cards[one]]
            if sort < 0:
                pair += deck.cards.shape[0] - 1 - one
                continue
            for two in range(one + 1, deck.cards.shape[0]):
                pair += 1
                other = sorts[number, deck.cards[two]]
                if other < 0:
                    continue
                suited = (deck.cards[one] & 3) == (deck.cards[two] & 3)
                place = 2 * np.int64(numbers[sort, other]) + suited
                bet = np.int64(ways[pair])
                added[place] += bet & 31 | (bet >> 5 & 31) << 16 | (bet >> 10) << 32 | np.int64(1) << 48
                kind_at[place] = kinds[pair]
        for place in range(added.shape[0]):
            if added[place] == 0:
                continue
            first = added[place] & 0xFFFF
            second = added[place] >> 16 & 0xFFFF
            both = added[place] >> 32 & 0xFFFF
            neither = 20 * (added[place] >> 48) - first - second - both
            counts = met[number, place >> 1]
            higher = boards * (counts & COUNT)
            equal = boards * (counts >> EQUAL_AT & COUNT)
            sums = out[kind_at[place], counts >> CLASS_AT]
            sums[0, 0] += neither * higher
            sums[0, 1] += first * higher
            sums[0, 2] += second * higher
            sums[0, 3] += both * higher
            sums[1, 0] += neither * equal
            sums[1, 1] += first * equal
            sums[1, 2] += second * equal
            sums[1, 3] += both * equal
            sums[3, 0] += neither * boards
            sums[3, 1] += first * boards
            sums[3, 2] += second * boards
            sums[3, 3] += both * boards
            if weak.shape[0]:
                none = boards * weak[number, place >> 1]
                sums[2, 0] += neither * none
                sums[2, 1] += first * none
                sums[2, 2] += second * none
                sums[2, 3] += both * none
