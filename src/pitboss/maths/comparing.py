"""The plan's rules of comparison as tables over worths."""

from __future__ import annotations

import numpy as np

from pitboss.cards import HandClass, Rank
from pitboss.maths.kernels.holdem import Comparing
from pitboss.maths.lowering import BeyondTheMaths
from pitboss.maths.tables import Worths
from pitboss.rulebooks import Plan
from pitboss.rulebooks.vocabulary import FullHouses, Qualifying

_RUNS = (HandClass.STRAIGHT, HandClass.STRAIGHT_FLUSH)


def lower_comparison(plan: Plan, worths: Worths) -> Comparing:
    """The keys by which worths compare: cards decide where the plan says so, else a class stands off."""
    rules = plan.comparison
    wheel = (Rank.THREE,) if len(worths) < 1000 else (Rank.FIVE,)
    keys = np.zeros(len(worths), np.int16)
    loose = np.zeros(len(worths), np.int16)
    threes = np.full(len(worths), -1, np.int8)
    if_on_board = rules.full_houses is FullHouses.PAIRS_IF_THREES_ON_BOARD
    last: object = None
    last_loose: object = None
    key = loose_key = -1
    for worth, ranks in enumerate(worths.ranks):
        hand_class = worths.hand_class(worth)
        decided = hand_class in rules.decided_by_cards
        mark: object = (hand_class, ranks if decided else None)
        if not decided and rules.wheel_ranks_below and hand_class in _RUNS:
            mark = (hand_class, ranks == wheel)
        key += mark != last
        last = mark
        keys[worth] = loose[worth] = key
        if hand_class is HandClass.FULL_HOUSE and decided and if_on_board:
            threes[worth] = ranks[0] - 2
            loose_key = key if last_loose != ranks[0] else loose_key
            last_loose = ranks[0]
            loose[worth] = loose_key
    return Comparing(keys, loose, threes, worths.classes, _least_key(plan, worths, keys))


def _least_key(plan: Plan, worths: Worths, keys: np.ndarray[tuple[int], np.dtype[np.int16]]) -> int:
    """The lowest key with which a dealer qualifies by his hand; 0 where every dealer does."""
    rule = plan.qualification
    if rule is None or rule.rule is not Qualifying.HAND_AT_LEAST:
        return 0
    least = worths.lowest(*rule.at_least)
    if least and least < len(worths) and keys[least] == keys[least - 1]:
        raise BeyondTheMaths(
            plan, rule.clauses, "a dealer who qualifies in the middle of hands that stand off"
        )
    return int(keys[least]) if least < len(worths) else int(keys[-1]) + 1
