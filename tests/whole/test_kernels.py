"""The kernels against the readable evaluator, and against counts everybody knows."""

from __future__ import annotations

import os
from itertools import combinations
from math import comb

import numpy as np
import pytest

from pitboss.cards import DECK, HandClass, three_cards
from pitboss.maths import encode, evaluate3, evaluate7
from pitboss.maths.evaluators import worths
from pitboss.maths.holdem import board_keys
from pitboss.maths.kernels import boards
from pitboss.maths.tables import five_tables
from support.evaluators import classes_of_all_sevens, kernels_agree

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]
LONG = bool(os.environ.get("PROVE_LONG"))


def test_all_three_card_hands_rank_as_in_the_readable_evaluator() -> None:
    found = evaluate3(np.array([encode(hand) for hand in combinations(DECK, 3)]))
    by_worth: dict[int, tuple[int, tuple[int, ...]]] = {}
    for worth, hand in zip(found.tolist(), combinations(DECK, 3), strict=True):
        value = three_cards(hand).value
        assert by_worth.setdefault(worth, value) == value
    ordered = [by_worth[worth] for worth in sorted(by_worth)]
    assert ordered == sorted(set(ordered))


@pytest.mark.parametrize("cards", [6, 7])
@pytest.mark.parametrize("suited_wheel", [True, False])
def test_random_hands_rank_as_in_the_readable_evaluator(cards: int, *, suited_wheel: bool) -> None:
    assert kernels_agree(25_000, cards=cards, suited_wheel=suited_wheel, seed=cards) == 25_000


@pytest.mark.skipif(
    not LONG, reason="random hands rank as in the readable evaluator; all of them: make prove"
)
def test_categories_of_all_seven_card_hands() -> None:
    """All 133,784,560 hands, one by one."""
    tables, known = five_tables()
    counts = np.zeros(10, np.int64)
    classes_of_all_sevens(tables, known.classes, counts)
    by_class = {known.order[row]: int(count) for row, count in enumerate(counts)}
    assert by_class == {
        HandClass.ROYAL_FLUSH: 4_324,
        HandClass.STRAIGHT_FLUSH: 37_260,
        HandClass.FOUR_OF_A_KIND: 224_848,
        HandClass.FULL_HOUSE: 3_473_184,
        HandClass.FLUSH: 4_047_644,
        HandClass.STRAIGHT: 6_180_020,
        HandClass.THREE_OF_A_KIND: 6_461_620,
        HandClass.TWO_PAIRS: 31_433_400,
        HandClass.ONE_PAIR: 58_627_800,
        HandClass.ODD_CARDS: 23_294_460,
    }
    assert sum(by_class.values()) == comb(52, 7)


def test_canonical_boards_stand_for_all_boards() -> None:
    for size, classes in ((2, 169), (3, 1755), (4, 16_432), (5, 134_459)):
        keys = board_keys(size)
        assert len(keys) == classes
        assert sum(int(boards.orbit(key)) for key in keys) == comb(52, size)


def test_worths_are_named() -> None:
    worth = int(evaluate7(encode(DECK[:7])[None, :])[0])
    assert worths(7).hand_class(worth) is HandClass.STRAIGHT_FLUSH
    assert worths(3).order[0] is HandClass.ODD_CARDS
