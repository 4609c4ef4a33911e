"""The solvers against the engine's settlement and against brute force on a reduced pack by separate code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitboss.maths.kernels.simulate import ROUNDS, TOTAL
from pitboss.maths.lowering import lower_main_game
from pitboss.maths.main_game import play, solve
from pitboss.maths.rounds import table_for
from pitboss.maths.strategies import OPTIMAL
from pitboss.rulebooks import load_plan
from support import BOOKS
from support.brute_force import brute_force_holdem, brute_force_stud, brute_force_three_card
from support.maths import solution_of, solver_agrees_with_engine

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]
LONG = bool(os.environ.get("PROVE_LONG"))
TRIED = BOOKS if LONG else tuple(book for book in BOOKS if book != "hoiana-thb-2025")
"""A solution of hold'em takes seconds; two books of three in `make test`."""
ROUNDS_EACH = 20_000 if LONG else 2_500

OTHER_READINGS = {
    "mbs-thb-9": (("R-FULLHOUSE", "a"),),
    "hoiana-thb-2025": (("R-FULLHOUSE", "a"), ("R-TIEBREAK", "a")),
    "rws-thp-2": (("R-STEELWHEEL", "a"), ("R-TIEBREAK", "a")),
    "mbs-3cp-2023": (("R-QUALIFY-3CP", "c"),),
    "mbs-stud-6": (("R-QUALIFY-STUD", "a"),),
}


@pytest.mark.parametrize("book", TRIED)
def test_the_solver_pays_what_the_engine_pays(book: str) -> None:
    assert solver_agrees_with_engine(book, ROUNDS_EACH, seed=5) == ROUNDS_EACH


@pytest.mark.parametrize("book", BOOKS if LONG else ("mbs-3cp-2023", "mbs-stud-6"))
def test_the_solver_pays_what_the_engine_pays_under_other_readings(book: str) -> None:
    assert solver_agrees_with_engine(book, 1_500, seed=6, readings=OTHER_READINGS[book]) == 1_500


LOWEST_STRAIGHT = (0, 1, 2, 3, 12)
"""Ranks of a pack of 20 cards: two to five, and ace. The proofs' long form has one of 24."""
NO_STRAIGHT = (3, 5, 9, 11, 12)
"""Ranks of a pack of 20 cards in which ace-king can be held without a straight."""


BRUTE: tuple[tuple[str, dict[str, str], tuple[int, ...]], ...] = (
    ("rws-thp-2", {"R-TIEBREAK": "a", "R-STEELWHEEL": "a"}, LOWEST_STRAIGHT),
    ("mbs-thb-9", {}, LOWEST_STRAIGHT),
    ("hoiana-thb-2025", {"R-TIEBREAK": "a", "R-FULLHOUSE": "a"}, NO_STRAIGHT),
)
"""The first in `make test`, all in `make prove`."""


@pytest.mark.parametrize(("book", "readings", "ranks"), BRUTE if LONG else BRUTE[:1])
def test_holdem_by_brute_force(book: str, readings: dict[str, str], ranks: tuple[int, ...]) -> None:
    plan = load_plan(book, readings)
    assert dict(play(solve(lower_main_game(plan), ranks)).distribution.counts) == brute_force_holdem(
        plan, ranks
    )


@pytest.mark.parametrize("letter", ["a", "b"] if LONG else ["a"])
def test_stud_by_brute_force(letter: str) -> None:
    plan = load_plan("mbs-stud-6", {"R-QUALIFY-STUD": letter})
    solved = play(solve(lower_main_game(plan), NO_STRAIGHT))
    assert dict(solved.distribution.counts) == brute_force_stud(plan, NO_STRAIGHT)


@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_three_card_by_brute_force(letter: str) -> None:
    ranks = (0, 1, 10, 11, 12)
    plan = load_plan("mbs-3cp-2023", {"R-QUALIFY-3CP": letter})
    solved = play(solve(lower_main_game(plan), ranks))
    assert dict(solved.distribution.counts) == brute_force_three_card(plan, ranks)


def test_a_book_of_ones_own_with_rules_no_other_has() -> None:
    """Hold'em with a dealer who must qualify, and a River that is returned where the Turn is paid."""
    book = str(Path(__file__).parent.parent / "books" / "holdem-with-qualification.toml")
    assert solver_agrees_with_engine(book, 1_500, seed=7) == 1_500
    solution = solution_of(book)
    exact = play(solution)
    _, sums = table_for(solution, OPTIMAL).chunk(seed=8, chunk=0, rounds=1_000_000, seats=1)
    error = exact.distribution.standard_deviation / 1_000
    assert abs(sums[TOTAL] / sums[ROUNDS] - float(exact.ev)) < 4 * error
