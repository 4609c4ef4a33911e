"""The long proofs of the mathematics, run by `make prove`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from pitboss.maths.lowering import lower_main_game
from pitboss.maths.main_game import play, solve
from pitboss.maths.rounds import table_for
from pitboss.maths.seen_card import value_with_seen_card
from pitboss.maths.simulator import Run, simulate, workers_for
from pitboss.maths.strategies import OPTIMAL
from pitboss.rulebooks import load_plan
from support import BOOKS
from support.brute_force import brute_force_holdem
from support.evaluators import kernels_agree
from support.maths import solution_of, solver_agrees_with_engine

HANDS, HANDS_A_CHUNK = 10_000_000, 250_000
ROUNDS_A_BOOK, ROUNDS_A_CHUNK = 1_000_000, 50_000
SIMULATED = 10_000_000_000
PACK_OF_24 = (0, 1, 2, 3, 11, 12)
SEEN_CARD = Fraction(761, 10_000)
"""Published: what hold'em nets a player who sees one of the dealer's cards."""
REDUCED: Sequence[tuple[str, dict[str, str], tuple[int, ...]]] = (
    ("mbs-thb-9", {}, PACK_OF_24),
    ("mbs-thb-9", {"R-FULLHOUSE": "a"}, (3, 5, 9, 11, 12)),
    ("hoiana-thb-2025", {"R-TIEBREAK": "a"}, (0, 1, 2, 3, 12)),
    ("hoiana-thb-2025", {"R-TIEBREAK": "a", "R-FULLHOUSE": "a"}, PACK_OF_24),
    ("rws-thp-2", {"R-STEELWHEEL": "a"}, PACK_OF_24),
)


def _kernels(chunk: int) -> None:
    kernels_agree(HANDS_A_CHUNK, cards=6 + chunk % 2, seed=10**6 + chunk, suited_wheel=chunk % 4 < 2)


def _engine(task: tuple[str, int]) -> None:
    book, chunk = task
    solver_agrees_with_engine(book, ROUNDS_A_CHUNK, seed=10**6 + chunk)


def _reduced(task: tuple[str, dict[str, str], tuple[int, ...]]) -> None:
    book, readings, ranks = task
    plan = load_plan(book, readings)
    counted = dict(play(solve(lower_main_game(plan), ranks)).distribution.counts)
    if counted != brute_force_holdem(plan, ranks):
        raise AssertionError(task)


def _said(began: float, what: str) -> None:
    print(f"{what} ({time.monotonic() - began:.0f} s)", flush=True)


def _simulation() -> None:
    began = time.monotonic()
    solution = solution_of("mbs-thb-9")
    exact = play(solution)
    table = table_for(solution, OPTIMAL)
    with workers_for(table) as workers:
        totals, _ = simulate(table, Run(key="prove", seed=11, seats=1), SIMULATED, workers)
    mean = (totals.mean - float(exact.ev)) / totals.standard_error
    spread = (totals.standard_deviation - exact.distribution.standard_deviation) / totals.deviation_error
    if abs(mean) >= 3 or abs(spread) >= 3:
        raise AssertionError(
            f"{mean:+.2f} and {spread:+.2f} standard errors from the exact mean and deviation"
        )
    _said(
        began,
        f"simulation: {SIMULATED:,} rounds, mean {mean:+.2f} and deviation {spread:+.2f} standard errors off",
    )


def prove(pool: ProcessPoolExecutor) -> None:
    """Run the proofs; the first failure ends them."""
    began = time.monotonic()
    list(pool.map(_kernels, range(HANDS // HANDS_A_CHUNK)))
    _said(began, f"kernels: {HANDS:,} hands of six and seven cards as in the readable evaluator")
    began = time.monotonic()
    list(pool.map(_reduced, REDUCED))
    _said(began, f"solver: {len(REDUCED)} games on packs of 20 and 24 cards as by brute force")
    began = time.monotonic()
    list(pool.map(_engine, [(book, at) for book in BOOKS for at in range(ROUNDS_A_BOOK // ROUNDS_A_CHUNK)]))
    _said(began, f"solver: {ROUNDS_A_BOOK:,} rounds a book pay as the engine settles them")
    began = time.monotonic()
    value = value_with_seen_card(lower_main_game(load_plan("mbs-thb-9")))
    if round(value, 4) != SEEN_CARD:
        raise AssertionError(f"a seen card nets {float(value):.6%}")
    _said(began, f"one dealer's card seen nets {float(value):+.4%}, as published")
    _simulation()
