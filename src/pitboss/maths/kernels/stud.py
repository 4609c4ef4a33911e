"""Stud kernels: every player's hand and dealer's up-card against every dealer's hand, counted.

For one up-card the dealer's hands are swept from the lowest up. How many of those passed hold a given card,
two, three or four given cards is kept, so that the dealer's hands that share no card with the player's are
counted by inclusion and exclusion over the subsets of his five cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel
from pitboss.maths.kernels.evaluate import FiveTables, worth
from pitboss.maths.kernels.qualify import Qualify, qualifies

HIGHER, LOWER, EQUAL, NOT_QUALIFIED = 0, 1, 2, 3


@kernel
def two(low: int, high: int) -> int:
    """The number of a set of two among all sets of two, lower cards first."""
    return high * (high - 1) // 2 + low


@kernel
def three(low: int, middle: int, high: int) -> int:
    """The number of a set of three among all sets of three, lower cards first."""
    return high * (high - 1) * (high - 2) // 6 + two(low, middle)


@kernel
def four(low: int, second: int, third: int, high: int) -> int:
    """The number of a set of four among all sets of four, lower cards first."""
    return high * (high - 1) * (high - 2) * (high - 3) // 24 + three(low, second, third)


@kernel
def player_hands(
    deck: NDArray[np.uint8],
    tables: FiveTables,
    hands: NDArray[np.uint8],
    weights: NDArray[np.int64],
    worths: NDArray[np.int16],
) -> int:
    """All five-card hands up to the names of the last three suits; `weights` is how many each stands for."""
    cards = deck.shape[0]
    hand = np.empty(5, np.uint8)
    masks = np.zeros(4, np.int64)
    count = 0
    for a in range(cards):
        for b in range(a + 1, cards):
            for c in range(b + 1, cards):
                for d in range(c + 1, cards):
                    for e in range(d + 1, cards):
                        hand[0], hand[1], hand[2] = deck[a], deck[b], deck[c]
                        hand[3], hand[4] = deck[d], deck[e]
                        masks[:] = 0
                        for card in hand:
                            masks[card & 3] |= 1 << (card >> 2)
                        if masks[1] < masks[2] or masks[2] < masks[3]:
                            continue
                        hands[count] = hand
                        worths[count] = worth(hand, tables)
                        weights[count] = 6
                        if masks[1] == masks[2] and masks[2] == masks[3]:
                            weights[count] = 1
                        elif masks[1] == masks[2] or masks[2] == masks[3]:
                            weights[count] = 3
                        count += 1
    return count


@kernel
def dealer_hands(
    up: int,
    rest: NDArray[np.uint8],
    tables: FiveTables,
    keys: NDArray[np.int16],
    rule: Qualify,
    hands: NDArray[np.uint8],
    compared: NDArray[np.int16],
) -> int:
    """The dealer's qualifying hands with this up-card as four places in `rest`, and their keys; how many."""
    hand = np.empty(5, np.uint8)
    hand[4] = up
    count = 0
    for a in range(rest.shape[0]):
        hand[0] = rest[a]
        for b in range(a + 1, rest.shape[0]):
            hand[1] = rest[b]
            for c in range(b + 1, rest.shape[0]):
                hand[2] = rest[c]
                for d in range(c + 1, rest.shape[0]):
                    hand[3] = rest[d]
                    value = worth(hand, tables)
                    ranks = 0
                    for card in hand:
                        ranks |= 1 << (card >> 2)
                    if qualifies(rule, keys[value], value, ranks):
                        hands[count, 0], hands[count, 1] = a, b
                        hands[count, 2], hands[count, 3] = c, d
                        compared[count] = keys[value]
                        count += 1
    return count


@kernel
def pass_hand(
    hand: NDArray[np.uint8],
    ones: NDArray[np.int32],
    twos: NDArray[np.int32],
    threes: NDArray[np.int32],
    fours: NDArray[np.uint8],
) -> None:
    """Count a dealer's hand, four places beside the up-card, under each of its subsets."""
    a, b, c, d = np.int64(hand[0]), np.int64(hand[1]), np.int64(hand[2]), np.int64(hand[3])
    for one in (a, b, c, d):
        ones[one] += 1
    for low, high in ((a, b), (a, c), (a, d), (b, c), (b, d), (c, d)):
        twos[two(low, high)] += 1
    for low, middle, high in ((a, b, c), (a, b, d), (a, c, d), (b, c, d)):
        threes[three(low, middle, high)] += 1
    fours[four(a, b, c, d)] = 1


@kernel
def disjoint(
    hand: NDArray[np.int64],
    passed: int,
    ones: NDArray[np.int32],
    twos: NDArray[np.int32],
    threes: NDArray[np.int32],
    fours: NDArray[np.uint8],
) -> int:
    """How many of the dealer's hands passed so far share no card with the player's five places."""
    a, b, c, d, e = hand[0], hand[1], hand[2], hand[3], hand[4]
    single = ones[a] + ones[b] + ones[c] + ones[d] + ones[e]
    b2, c2, d2, e2 = two(0, b), two(0, c), two(0, d), two(0, e)
    double = (
        twos[b2 + a] + twos[c2 + a] + twos[c2 + b] + twos[d2 + a] + twos[d2 + b]
        + twos[d2 + c] + twos[e2 + a] + twos[e2 + b] + twos[e2 + c] + twos[e2 + d]
    )  # fmt: skip
    c3, d3, e3 = three(0, 0, c), three(0, 0, d), three(0, 0, e)
    triple = (
        threes[c3 + b2 + a] + threes[d3 + b2 + a] + threes[d3 + c2 + a] + threes[d3 + c2 + b]
        + threes[e3 + b2 + a] + threes[e3 + c2 + a] + threes[e3 + c2 + b] + threes[e3 + d2 + a]
        + threes[e3 + d2 + b] + threes[e3 + d2 + c]
    )  # fmt: skip
    d4, e4 = four(0, 0, 0, d), four(0, 0, 0, e)
    quadruple = (
        np.int64(fours[d4 + c3 + b2 + a]) + fours[e4 + c3 + b2 + a] + fours[e4 + d3 + b2 + a]
        + fours[e4 + d3 + c2 + a] + fours[e4 + d3 + c2 + b]
    )  # fmt: skip
    return passed - single + double - triple + quadruple


@kernel
def meet_up_card(
    up: int,
    deck: NDArray[np.uint8],
    tables: FiveTables,
    keys: NDArray[np.int16],
    rule: Qualify,
    hands: NDArray[np.uint8],
    hand_keys: NDArray[np.int16],
    by_key: NDArray[np.int64],
    met: NDArray[np.int32],
) -> None:
    """What every player's hand meets against this up-card: dealers below, equal, and who qualify at all.

    `by_key` lists the player's hands in ascending order of key. Hands that hold the up-card are left at -1.
    """
    size = deck.shape[0] - 1
    place = np.full(52, -1, np.int64)
    rest = np.empty(size, np.uint8)
    count = 0
    for card in deck:
        if card != up:
            rest[count] = card
            place[card] = count
            count += 1
    dealers = np.empty((four(0, 0, 0, size), 4), np.uint8)
    compared = np.empty(dealers.shape[0], np.int16)
    total = dealer_hands(up, rest, tables, keys, rule, dealers, compared)
    order = np.argsort(compared[:total], kind="mergesort")
    ones = np.zeros(size, np.int32)
    twos = np.zeros(two(0, size), np.int32)
    threes = np.zeros(three(0, 0, size), np.int32)
    fours = np.zeros(dealers.shape[0], np.uint8)
    mine = np.empty(5, np.int64)
    passed = 0
    at = 0
    while at < by_key.shape[0]:
        key = hand_keys[by_key[at]]
        for below in range(2):  # first the dealers below this key, then those up to it
            while passed < total and compared[order[passed]] < key + below:
                pass_hand(dealers[order[passed]], ones, twos, threes, fours)
                passed += 1
            end = at
            while end < by_key.shape[0] and hand_keys[by_key[end]] == key:
                number = by_key[end]
                blocked = False
                for card in range(5):
                    mine[card] = place[hands[number, card]]
                    blocked = blocked or mine[card] < 0
                met[number, below] = -1 if blocked else disjoint(mine, passed, ones, twos, threes, fours)
                end += 1
        at = end
    while passed < total:
        pass_hand(dealers[order[passed]], ones, twos, threes, fours)
        passed += 1
    for number in range(hands.shape[0]):
        if met[number, 0] >= 0:
            for card in range(5):
                mine[card] = place[hands[number, card]]
            met[number, 2] = disjoint(mine, passed, ones, twos, threes, fours)


@kernel
def tally(
    up_rank: int,
    met: NDArray[np.int32],
    weights: NDArray[np.int64],
    worths: NDArray[np.int16],
    classes: NDArray[np.int8],
    nets: NDArray[np.int64],
    folded: NDArray[np.int64],
    dealers: int,
    counts: NDArray[np.int64],
    bet_counts: NDArray[np.int64],
    hands_bet: NDArray[np.int64],
    hands_all: NDArray[np.int64],
    bets: NDArray[np.bool_],
) -> None:
    """Decide every hand against this up-card by what betting nets, and add up the deals.

    `counts` is by worth and situation over all hands, `bet_counts` over those that are bet; `hands_bet` and
    `hands_all` count the player's hands by worth and up-card; `bets` holds the decision of each hand.
    """
    for number in range(met.shape[0]):
        if met[number, 0] < 0:
            continue
        higher = np.int64(met[number, 0])
        equal = np.int64(met[number, 1]) - higher
        qualified = np.int64(met[number, 2])
        lower = qualified - higher - equal
        none = dealers - qualified
        value = worths[number]
        hand_class = classes[value]
        weight = weights[number]
        net = (
            higher * nets[hand_class, 0]
            + lower * nets[hand_class, 1]
            + equal * nets[hand_class, 2]
            + none * nets[hand_class, 3]
        )
        counts[value, HIGHER] += weight * higher
        counts[value, LOWER] += weight * lower
        counts[value, EQUAL] += weight * equal
        counts[value, NOT_QUALIFIED] += weight * none
        hands_all[value, up_rank] += weight
        if net > folded[hand_class] * dealers:
            hands_bet[value, up_rank] += weight
            bets[number, up_rank] = True
            bet_counts[value, HIGHER] += weight * higher
            bet_counts[value, LOWER] += weight * lower
            bet_counts[value, EQUAL] += weight * equal
            bet_counts[value, NOT_QUALIFIED] += weight * none
