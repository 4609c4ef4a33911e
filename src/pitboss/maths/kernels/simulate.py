"""Simulation kernels: rounds dealt at random and settled by the solver's tables.

A chunk of rounds has its own generator, seeded by the run's seed and the chunk's number, so that any number
of threads or machines gives the same sums. What is added up are integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import inline, kernel
from pitboss.maths.kernels.boards import find, packed
from pitboss.maths.kernels.evaluate import (
    ANY_FLUSH,
    BITS_PER_SUIT,
    FLUSH_OF_FIRST_SUIT,
    NO_CARDS,
    FiveTables,
    ThreeTables,
    by_ranks,
    worth_of_each,
    worth_of_three,
)
from pitboss.maths.kernels.holdem import Comparing, Deck
from pitboss.maths.kernels.qualify import Qualify, qualifies
from pitboss.maths.kernels.stud import four, three

NOT_QUALIFIED = 3
NOBODY_SEEN = -1

# What a chunk adds up besides the histogram of net results: rounds, sum and sum of squares of the seats'
# total, how often each of up to three bets was placed; and of the seats' squares together their own squares
# and their products with the total, for the error of the standard deviation.
ROUNDS, TOTAL, SQUARES, FIRST_BETS = 0, 1, 2, 3
LAST_BETS, FOURTHS, THIRDS = 6, 6, 7
SUMS = 8


class HoldemRules(NamedTuple):
    """How hold'em hands are played: the first bet by pair, the later ones by canonical board and pair.

    `threes` and `fours` give, by the number of a set of cards, its canonical board times 32 plus the change
    of suits that leads there. `on_three` and `on_four` hold a bit for each pair. `nets` is by class,
    situation and later bets placed.
    """

    plays: NDArray[np.bool_]
    on_three: NDArray[np.uint8]
    on_four: NDArray[np.uint8]
    threes: NDArray[np.int32]
    fours: NDArray[np.int32]
    nets: NDArray[np.int64]
    folded: NDArray[np.int64]


class OneBetRules(NamedTuple):
    """How a game with one decision is played.

    With `hand_keys` the decision is by hand up to the names of suits and by rank of the up-card; without, it
    is by worth alone. `nets` is by class and situation.
    """

    hand_keys: NDArray[np.int64]
    by_hand: NDArray[np.bool_]
    by_worth: NDArray[np.bool_]
    nets: NDArray[np.int64]
    folded: NDArray[np.int64]


@kernel
def mixed(seed: np.uint64) -> np.uint64:
    """One step of SplitMix64 as a hash."""
    seed += np.uint64(0x9E3779B97F4A7C15)
    seed = (seed ^ (seed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    seed = (seed ^ (seed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return seed ^ (seed >> np.uint64(31))


@kernel
def seeded(seed: int, chunk: int, state: NDArray[np.uint64]) -> None:
    """The generator of a chunk: xoshiro256** from hashes of seed and chunk."""
    value = mixed(np.uint64(seed)) ^ mixed(mixed(np.uint64(chunk)) + np.uint64(1))
    for place in range(4):
        value = mixed(value + np.uint64(place))
        state[place] = value


@inline
def next_word(state: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits of xoshiro256**."""
    word = state[1] * np.uint64(5)
    word = ((word << np.uint64(7)) | (word >> np.uint64(57))) * np.uint64(9)
    shifted = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = (state[3] << np.uint64(45)) | (state[3] >> np.uint64(19))
    return word


@inline
def scaled(half: np.uint64, bound: int, state: NDArray[np.uint64]) -> int:
    """A number below `bound` from 32 random bits, each as likely as any other; now and then it draws more."""
    bits = np.uint64(bound)
    product = half * bits
    while (product & np.uint64(0xFFFFFFFF)) < bits and (product & np.uint64(0xFFFFFFFF)) < (
        np.uint64(0x100000000) - bits
    ) % bits:
        product = (next_word(state) >> np.uint64(32)) * bits
    return np.int64(product >> np.uint64(32))


@inline
def board_number(cards: NDArray[np.uint8], at: int, size: int) -> int:
    """The number of the set of a round's first three or four cards, in whatever order they lie."""
    a, b, c = np.int64(cards[at, 0]), np.int64(cards[at, 1]), np.int64(cards[at, 2])
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    if size == 3:
        return three(a, b, c)
    d = np.int64(cards[at, 3])
    c, d = min(c, d), max(c, d)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    return four(a, b, c, d)


@kernel
def worths_with_board(
    cards: NDArray[np.uint8],
    first: int,
    totals: NDArray[np.uint64],
    tables: FiveTables,
    out: NDArray[np.int16],
) -> None:
    """The worth, for each round, of the five community cards, whose keys are in `totals`, and two more."""
    keys, rows, values = tables.keys, tables.rows, tables.values
    for at in range(cards.shape[0]):
        total = totals[at] + keys[cards[at, first]] + keys[cards[at, first + 1]]
        if total & ANY_FLUSH:
            suit = np.uint8(0)
            while not total & (FLUSH_OF_FIRST_SUIT << (BITS_PER_SUIT * np.uint64(suit))):
                suit += np.uint8(1)
            ranks = 0
            for place in range(5):
                if (cards[at, place] & np.uint8(3)) == suit:
                    ranks |= 1 << (cards[at, place] >> 2)
            for place in range(first, first + 2):
                if (cards[at, place] & np.uint8(3)) == suit:
                    ranks |= 1 << (cards[at, place] >> 2)
            out[at] = tables.flushes[ranks]
        else:
            out[at] = by_ranks(total, rows, values)


@kernel
def holdem_rounds(
    cards: NDArray[np.uint8],
    seats: int,
    deck: Deck,
    tables: FiveTables,
    comparing: Comparing,
    rules: HoldemRules,
    out: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """The net result of every seat of every round. Cards lie as community, dealer, then two for each seat.

    Each step goes over all rounds before the next begins, so that memory is waited for many times at once.
    """
    rounds = cards.shape[0]
    totals = np.empty(rounds, np.uint64)
    worths = np.empty(rounds, np.int16)
    dealers = np.empty(rounds, np.int16)
    threes = np.empty(rounds, np.int32)
    fours = np.empty(rounds, np.int32)
    placed = np.empty(rounds, np.int8)
    later = rules.on_three.shape[0] > 0  # without tables no later bet is ever placed
    for at in range(rounds):
        total = NO_CARDS
        for place in range(5):
            total += tables.keys[cards[at, place]]
        totals[at] = total
        if later:
            threes[at] = rules.threes[board_number(cards, at, 3)]
            fours[at] = rules.fours[board_number(cards, at, 4)]
    worths_with_board(cards, 5, totals, tables, worths)
    for at in range(rounds):
        dealers[at] = compared_key(worths[at], totals[at], comparing)
    for seat in range(seats):
        first = 7 + 2 * seat
        worths_with_board(cards, first, totals, tables, worths)
        for at in range(rounds):
            pair = deck.numbers[cards[at, first], cards[at, first + 1]]
            bets = 0
            if later:
                moved = deck.moved[threes[at] & 31, pair]
                bets = rules.on_three[threes[at] >> 5, moved >> 3] >> (moved & 7) & 1
                moved = deck.moved[fours[at] & 31, pair]
                bets |= (rules.on_four[fours[at] >> 5, moved >> 3] >> (moved & 7) & 1) << 1
            placed[at] = bets if rules.plays[pair] else -1
        for at in range(rounds):
            hand_class = comparing.classes[worths[at]]
            if placed[at] < 0:
                out[at, seat] = rules.folded[hand_class]
                continue
            sums[FIRST_BETS] += 1
            sums[FIRST_BETS + 1] += placed[at] & 1
            sums[FIRST_BETS + 2] += placed[at] >> 1
            mine = compared_key(worths[at], totals[at], comparing)
            situation = against_dealer(mine, dealers[at], dealers[at] >= comparing.least)
            out[at, seat] = rules.nets[hand_class, situation, placed[at]]


@inline
def compared_key(value: int, board: np.uint64, comparing: Comparing) -> int:
    """What a worth counts for on a board whose keys add up to `board`: three bits count each rank."""
    threes = comparing.threes[value]
    if threes >= 0 and (board >> np.uint64(3 * threes)) & np.uint64(7) < np.uint64(3):
        return comparing.loose_keys[value]
    return comparing.keys[value]


@inline
def against_dealer(mine: int, dealer: int, qualified: bool) -> int:  # noqa: FBT001 - kernels take no keywords
    """The situation: 0 higher, 1 lower, 2 equal, 3 not qualified."""
    return int(mine < dealer) + 2 * int(mine == dealer) if qualified else NOT_QUALIFIED


@inline
def hand_key(cards: NDArray[np.uint8], at: int, first: int, size: int, fixed_suit: int) -> int:
    """The key of a hand up to the names of suits; with a fixed suit, that one comes first."""
    a, b, c, d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for place in range(first, first + size):
        suit = np.int64(cards[at, place] & 3)
        if fixed_suit > 0:
            suit = 0 if suit == fixed_suit else fixed_suit if suit == 0 else suit
        bit = np.int64(1) << np.int64(cards[at, place] >> 2)
        if suit == 0:
            a |= bit
        elif suit == 1:
            b |= bit
        elif suit == 2:
            c |= bit
        else:
            d |= bit
    b, c = max(b, c), min(b, c)
    c, d = max(c, d), min(c, d)
    b, c = max(b, c), min(b, c)
    if fixed_suit < 0:
        a, b = max(a, b), min(a, b)
        b, c = max(b, c), min(b, c)
        c, d = max(c, d), min(c, d)
    return packed(a, b, c, d)


@kernel
def stud_rounds(
    cards: NDArray[np.uint8],
    seats: int,
    tables: FiveTables,
    comparing: Comparing,
    rule: Qualify,
    rules: OneBetRules,
    out: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """The net result of every seat of every round. Cards lie as dealer, his last one up, then five a seat."""
    rounds = cards.shape[0]
    worths = np.empty(rounds, np.int16)
    dealers = np.empty(rounds, np.int16)
    qualified = np.empty(rounds, np.bool_)
    five = np.empty((rounds, 5), np.uint8)
    five[:] = cards[:, :5]
    worth_of_each(five, tables, worths)
    for at in range(rounds):
        ranks = 0
        for place in range(5):
            ranks |= 1 << (cards[at, place] >> 2)
        dealers[at] = comparing.keys[worths[at]]
        qualified[at] = qualifies(rule, dealers[at], worths[at], ranks)
    for seat in range(seats):
        first = 5 + 5 * seat
        five[:] = cards[:, first : first + 5]
        worth_of_each(five, tables, worths)
        for at in range(rounds):
            if rules.hand_keys.shape[0]:
                up = np.int64(cards[at, 4])
                number = find(rules.hand_keys, hand_key(cards, at, first, 5, up & 3))
                plays = rules.by_hand[number, up >> 2]
            else:
                plays = rules.by_worth[worths[at]]
            settle_one_bet(at, seat, plays, worths, dealers, qualified, comparing, rules, out, sums)


@inline
def settle_one_bet(
    at: int,
    seat: int,
    plays: bool,  # noqa: FBT001 - kernels take no keywords
    worths: NDArray[np.int16],
    dealers: NDArray[np.int16],
    qualified: NDArray[np.bool_],
    comparing: Comparing,
    rules: OneBetRules,
    out: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Write what one seat of one round nets."""
    hand_class = comparing.classes[worths[at]]
    if plays:
        sums[FIRST_BETS] += 1
        situation = against_dealer(comparing.keys[worths[at]], dealers[at], qualified[at])
        out[at, seat] = rules.nets[hand_class, situation]
    else:
        out[at, seat] = rules.folded[hand_class]


@kernel
def three_card_rounds(
    cards: NDArray[np.uint8],
    seats: int,
    tables: ThreeTables,
    comparing: Comparing,
    rule: Qualify,
    rules: OneBetRules,
    out: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """The net result of every seat of every round. Cards lie as dealer, his first up if any, then seats."""
    rounds = cards.shape[0]
    worths = np.empty(rounds, np.int16)
    dealers = np.empty(rounds, np.int16)
    qualified = np.empty(rounds, np.bool_)
    for at in range(rounds):
        a, b, c = np.int64(cards[at, 0]), np.int64(cards[at, 1]), np.int64(cards[at, 2])
        value = worth_of_three(a, b, c, tables)
        dealers[at] = comparing.keys[value]
        ranks = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2)
        qualified[at] = qualifies(rule, dealers[at], value, ranks)
    for seat in range(seats):
        first = 3 + 3 * seat
        for at in range(rounds):
            a, b, c = (
                np.int64(cards[at, first]),
                np.int64(cards[at, first + 1]),
                np.int64(cards[at, first + 2]),
            )
            worths[at] = worth_of_three(a, b, c, tables)
            if rules.hand_keys.shape[0]:
                number = find(rules.hand_keys, hand_key(cards, at, first, 3, NOBODY_SEEN))
                plays = rules.by_hand[number, cards[at, 0] >> 2]
            else:
                plays = rules.by_worth[worths[at]]
            settle_one_bet(at, seat, plays, worths, dealers, qualified, comparing, rules, out, sums)


@kernel
def deal_block(pack: NDArray[np.uint8], state: NDArray[np.uint64], cards: NDArray[np.uint8]) -> None:
    """Deal the cards of a block of rounds, two from each random word."""
    count, left = cards.shape[1], pack.shape[0]
    for at in range(cards.shape[0]):
        word = np.uint64(0)
        for place in range(count):
            if place & 1:
                half = word >> np.uint64(32)
            else:
                word = next_word(state)
                half = word & np.uint64(0xFFFFFFFF)
            other = place + scaled(half, left - place, state)
            drawn = pack[other]
            pack[other] = pack[place]
            pack[place] = drawn
            cards[at, place] = drawn


@kernel
def add_rounds(
    nets: NDArray[np.int64], lowest: int, histogram: NDArray[np.int64], sums: NDArray[np.int64]
) -> None:
    """Add a block's results to the histogram and sums."""
    for at in range(nets.shape[0]):
        total = 0
        squares = 0
        for seat in range(nets.shape[1]):
            net = nets[at, seat]
            histogram[net - lowest] += 1
            total += net
            squares += net * net
        sums[TOTAL] += total
        sums[SQUARES] += total * total
        sums[FOURTHS] += squares * squares
        sums[THIRDS] += squares * total
    sums[ROUNDS] += nets.shape[0]
