"""The games by brute force on a reduced pack: separate code with the readable evaluator and the rules by hand.

Nothing here knows the solvers. Hands are compared by the engine's own comparison, decisions are taken by adding
up every continuation, and what wagers pay is written out once more for the rulebooks' own tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Card, Hand, HandClass, HandOrder, Rank, Suit, best_five, three_cards
from pitboss.play.comparison import compare, qualifies
from pitboss.rulebooks import Plan
from pitboss.rulebooks.vocabulary import Situation

Outcomes = dict[int, int]
_SIGN = {Situation.HIGHER: 1, Situation.EQUAL: 0, Situation.LOWER: -1}
_FIVE = HandOrder.FIVE_CARD.classes
MOST = 5
"""No hold'em hand nets more antes either way."""
STUD_PAYS = {
    HandClass.ROYAL_FLUSH: 250,
    HandClass.STRAIGHT_FLUSH: 50,
    HandClass.FOUR_OF_A_KIND: 20,
    HandClass.FULL_HOUSE: 7,
    HandClass.FLUSH: 5,
    HandClass.STRAIGHT: 4,
    HandClass.THREE_OF_A_KIND: 3,
    HandClass.TWO_PAIRS: 2,
}
ANTE_BONUS = {HandClass.STRAIGHT_FLUSH: 5, HandClass.THREE_OF_A_KIND: 4, HandClass.STRAIGHT: 1}


def pack(ranks: Sequence[int]) -> list[Card]:
    return [Card(Rank(rank + 2), suit) for rank in ranks for suit in Suit]


def brute_force_holdem(plan: Plan, ranks: Sequence[int]) -> Outcomes:
    """Deals by net antes under optimal play, the Ante paid on a straight or better."""
    cards = pack(ranks)
    pairs = list(combinations(range(len(cards)), 2))
    boards = list(combinations(range(len(cards)), 5))
    apart = np.array([[not set(a) & set(b) for b in pairs] for a in pairs])
    value, hands = _values(plan, cards, pairs, boards)
    sign = {flag: _signs(plan, hands, flag=flag) for flag in (False, True)}
    classes = np.array([_FIVE.index(hand.hand_class) for hand in hands])
    threes = np.array([hand.ranks[0] if hand.hand_class is HandClass.FULL_HOUSE else 0 for hand in hands])
    nets = np.zeros((len(boards), len(pairs), 3), np.int64)  # dealers below, equal, above
    for number, board in enumerate(boards):
        held = Counter(cards[place].rank for place in board)
        mine = value[number]
        free = mine >= 0
        full = [rank for rank, count in held.items() if count >= 3]
        table = sign[False][mine[:, None], mine[None, :]]
        if full:
            on_board = np.isin(threes[mine], full)
            table = np.where(
                on_board[:, None] & on_board[None, :], sign[True][mine[:, None], mine[None, :]], table
            )
        met = apart & free[:, None] & free[None, :]
        nets[number, :, 0] = ((table > 0) & met).sum(axis=1)
        nets[number, :, 1] = ((table == 0) & met).sum(axis=1)
        nets[number, :, 2] = ((table < 0) & met).sum(axis=1)
    later = nets[:, :, 0] - nets[:, :, 2]
    turn = _decided(boards, 3, later)
    river = _decided(boards, 4, later)
    outcomes = np.zeros((len(pairs), 2 * MOST + 1), np.int64)
    for number, board in enumerate(boards):
        rows = np.flatnonzero(value[number] >= 0)
        straight = classes[value[number][rows]] >= _FIVE.index(HandClass.STRAIGHT)
        below, equal, above = nets[number][rows].T
        for last in board:
            four = tuple(place for place in board if place != last)
            for flop in combinations(four, 3):
                bet = 2 + turn[flop][rows].astype(int) + river[four][rows]
                outcomes[rows, MOST + bet + straight] += below
                outcomes[rows, MOST] += equal
                outcomes[rows, MOST - 1 - bet] += above
    return _with_folds(outcomes)


def _with_folds(outcomes: NDArray[np.int64]) -> Outcomes:
    """A pair is folded where playing it nets less than the Ante it would lose."""
    result: Counter[int] = Counter()
    nets = np.arange(-MOST, MOST + 1)
    for mine in outcomes:
        if int((mine * nets).sum()) > -int(mine.sum()):
            result.update({int(net): int(deals) for net, deals in zip(nets, mine, strict=True)})
        else:
            result[-1] += int(mine.sum())
    return {net: deals for net, deals in result.items() if deals}


def _decided(
    boards: Sequence[tuple[int, ...]], size: int, nets: NDArray[np.int64]
) -> dict[tuple[int, ...], NDArray[np.bool_]]:
    """For every set of open cards, which pairs place a bet: those whose continuations net more than nothing."""
    sums: dict[tuple[int, ...], NDArray[np.int64]] = {}
    for number, board in enumerate(boards):
        for seen in combinations(board, size):
            sums[seen] = sums.get(seen, 0) + nets[number]
    return {seen: total > 0 for seen, total in sums.items()}


def _values(
    plan: Plan, cards: list[Card], pairs: list[tuple[int, int]], boards: Sequence[tuple[int, ...]]
) -> tuple[NDArray[np.int64], list[Hand]]:
    """The hand each pair makes on each board, as a number of a list of unlike hands; -1 where it cannot be."""
    numbers: dict[tuple[int, tuple[int, ...], bool], int] = {}
    hands: list[Hand] = []
    made: dict[tuple[int, ...], int] = {}
    value = np.full((len(boards), len(pairs)), -1)
    for at, board in enumerate(boards):
        for pair, (first, second) in enumerate(pairs):
            if first in board or second in board:
                continue
            seven = tuple(sorted((*board, first, second)))
            if seven not in made:
                hand = best_five(
                    [cards[place] for place in seven], suited_wheel=plan.comparison.hand.suited_wheel
                )
                key = (*hand.value, hand.is_wheel)
                if key not in numbers:
                    numbers[key] = len(hands)
                    hands.append(hand)
                made[seven] = numbers[key]
            value[at, pair] = made[seven]
    return value, hands


def _signs(plan: Plan, hands: list[Hand], *, flag: bool) -> NDArray[np.int8]:
    """How hands compare; with `flag` the threes of a full house lie on the board."""
    table = np.zeros((len(hands), len(hands)), np.int8)
    for row, mine in enumerate(hands):
        board = [Card(mine.ranks[0], suit) for suit in list(Suit)[:3]] if flag else []
        for column, other in enumerate(hands):
            table[row, column] = _SIGN[compare(plan.comparison, mine, other, board).situation]
    return table


def brute_force_stud(plan: Plan, ranks: Sequence[int]) -> Outcomes:
    """Deals by net antes under optimal play with the stud book's own pays."""
    cards = pack(ranks)
    sets = list(combinations(range(len(cards)), 5))
    read = [best_five([cards[place] for place in five]) for five in sets]
    masks = np.array([sum(1 << place for place in five) for five in sets])
    ids = {value: number for number, value in enumerate(sorted({hand.value for hand in read}))}
    values = np.array([ids[hand.value] for hand in read])
    rule = plan.qualification
    assert rule is not None
    good = np.array([qualifies(rule, plan.comparison.hand, hand) for hand in read])
    result: Counter[int] = Counter()
    for number, hand in enumerate(read):
        apart = np.flatnonzero((masks & masks[number]) == 0)
        sign, compared, others = np.sign(values[number] - values[apart]), good[apart], masks[apart]
        pay = 2 * STUD_PAYS.get(hand.hand_class, 1) + 1
        for up in range(len(cards)):
            mine = (others >> up & 1) == 1
            total = int(mine.sum())
            if not total:
                continue
            shown = sign[mine & compared]
            net = {
                pay: int((shown > 0).sum()),
                0: int((shown == 0).sum()),
                -3: int((shown < 0).sum()),
                1: total - len(shown),
            }
            if sum(each * deals for each, deals in net.items()) > -total:
                result.update(net)
            else:
                result[-1] += total
    return {net: deals for net, deals in result.items() if deals}


def brute_force_three_card(plan: Plan, ranks: Sequence[int]) -> Outcomes:
    """Deals by net antes under optimal play with the three-card book's own Ante Bonus."""
    cards = pack(ranks)
    read = [(set(hand), three_cards(hand)) for hand in combinations(cards, 3)]
    rule = plan.qualification
    assert rule is not None
    good = [qualifies(rule, plan.comparison.hand, hand) for _, hand in read]
    result: Counter[int] = Counter()
    for held, mine in read:
        extra = ANTE_BONUS.get(mine.hand_class, 0)
        net: Counter[int] = Counter()
        for number, (other, hand) in enumerate(read):
            if not held & other:
                sign = _SIGN[compare(plan.comparison, mine, hand, ()).situation]
                net[extra + (2 * sign if good[number] else 1)] += 1
        total = sum(net.values())
        if sum(each * deals for each, deals in net.items()) > -total:
            result.update(net)
        else:
            result[-1] += total
    return {each: deals for each, deals in result.items() if deals}
