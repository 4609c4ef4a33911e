"""The readable evaluator against everything: all hands counted, a digest of their order, the kernel, outsiders."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from itertools import combinations, islice

import numpy as np
import pytest

from pitboss.cards import DECK, best_five, three_cards
from pitboss.maths import encode, evaluate5
from support.evaluators import agree

pytestmark = pytest.mark.whole


EVERY = 1 if os.environ.get("PROVE_LONG") else 9
"""The readable evaluator takes its time: `make test` looks at every ninth hand, `make prove` at all of them."""


def test_five_card_hands() -> None:
    """The kernel's worth of hands against the readable evaluator; over all 2,598,960 also counts and a digest.

    Hands of one worth have one value, and values ascend with worths: together that is the same order.
    """
    counts: Counter[str] = Counter()
    digest = hashlib.sha256()
    worths = evaluate5(encode(DECK)[np.array(list(combinations(range(52), 5)))])
    by_worth: dict[int, tuple[int, tuple[int, ...]]] = {}
    hands = islice(combinations(DECK, 5), 0, None, EVERY)
    for worth, cards in zip(worths[::EVERY].tolist(), hands, strict=True):
        hand = best_five(cards)
        counts[hand.hand_class] += 1
        digest.update(bytes((hand.strength, *hand.ranks, 0)))
        assert by_worth.setdefault(worth, hand.value) == hand.value
    ordered = [by_worth[worth] for worth in sorted(by_worth)]
    assert len(set(worths.tolist())) == 7462
    assert ordered == sorted(set(ordered))
    if EVERY > 1:
        assert len(ordered) > 6000
        return
    assert len(ordered) == 7462
    assert counts == {
        "royal-flush": 4,
        "straight-flush": 36,
        "four-of-a-kind": 624,
        "full-house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three-of-a-kind": 54_912,
        "two-pairs": 123_552,
        "one-pair": 1_098_240,
        "odd-cards": 1_302_540,
    }
    assert digest.hexdigest()[:16] == "5e8c067ec59cc831"


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
    agree(100_000, seed=size, size=size)
