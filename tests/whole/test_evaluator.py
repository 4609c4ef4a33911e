"""The readable evaluator against a sample of everything: the kernel, known counts, outside evaluators."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from pitboss.cards import DECK, three_cards
from support.evaluators import FIVE_CARD_COUNTS, agree, five_card_hands

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]


EVERY = 31
"""One in so many five-card hands is looked at here, all of them in `make prove PART=evaluator`."""


def test_five_card_hands() -> None:
    """The kernel's worth of hands against the readable evaluator.

    Hands of one worth have one value, and values ascend with worths: together that is the same order.
    """
    _, counts, by_worth = five_card_hands(0, None, EVERY)
    ordered = [by_worth[worth] for worth in sorted(by_worth)]
    assert ordered == sorted(set(ordered))
    assert len(ordered) > 5000
    assert sum(counts.values()) == -(-comb(52, 5) // EVERY)
    for name in ("flush", "straight", "three-of-a-kind", "two-pairs", "one-pair", "odd-cards"):
        assert counts[name] == pytest.approx(FIVE_CARD_COUNTS[name] / EVERY, rel=0.2)


def test_all_three_card_hands() -> None:
    counts = Counter(three_cards(cards).hand_class.value for cards in combinations(DECK, 3))
    assert counts == {
        "straight-flush": 48,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1_096,
        "one-pair": 3_744,
        "odd-cards": 16_440,
    }


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_rank_as_treys_and_phevaluator_rank_them(size: int) -> None:
    agree(20_000, seed=size, size=size)
