"""The long proofs of the mathematics: solvers, kernels, histories, reports, and simulated rounds."""

from __future__ import annotations

import math
import os
import re
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import count
from pathlib import Path
from time import monotonic

from prove_parts import BOOKS, ROOT, Proof, run_tests, spread
from prove_record import read_lines

sys.path.insert(0, str(ROOT / "tests"))

from pitboss.maths.kernels.simulate import ROUNDS, SQUARES, TOTAL
from pitboss.maths.lowering import lower_main_game
from pitboss.maths.main_game import play, solve
from pitboss.maths.rounds import table_for
from pitboss.maths.seen_card import value_with_seen_card
from pitboss.maths.simulator import CHUNK_ROUNDS, Run, workers_for
from pitboss.maths.strategies import OPTIMAL
from pitboss.rulebooks import load_plan
from support.brute_force import brute_force_holdem
from support.evaluators import kernels_agree
from support.maths import solution_of, solver_agrees_with_engine

HANDS_A_CHUNK = 20_000
ROUNDS_A_CHUNK = 10_000
CHUNKS_A_STEP = 16
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
LONG_TESTS = ("test_kernels", "test_maths_reports", "test_solvers", "test_histories")
SIMULATED = "simulated rounds are near the exact value"
SLICE_ERRORS, ALL_ERRORS = 4, 3
"""Standard errors that a run's own rounds, and those of all runs together, may be off."""


def _kernels(chunk: int) -> None:
    kernels_agree(HANDS_A_CHUNK, cards=6 + chunk % 2, seed=10**6 + chunk, suited_wheel=chunk % 4 < 2)


def _engine(task: tuple[str, int]) -> None:
    book, chunk = task
    solver_agrees_with_engine(book, ROUNDS_A_CHUNK, seed=10**6 + chunk)


def _reduced(task: tuple[str, dict[str, str], tuple[int, ...]]) -> None:
    book, readings, ranks = task
    plan = load_plan(book, readings)
    counted = dict(play(solve(lower_main_game(plan), ranks)).distribution.counts)
    assert counted == brute_force_holdem(plan, ranks), task


def solver(proof: Proof) -> None:
    """What has a fixed size first; kernels and engine share the time that is left."""
    claim = "reduced packs solve as by brute force"
    if not proof.is_shown(claim):
        games = len(list(spread(_reduced, REDUCED, math.inf)))
        proof.show(claim, games, "packs of 20 and 24 cards")
    claim = "a dealer's card seen nets the published 7.61 %"
    if not proof.is_shown(claim):
        value = value_with_seen_card(lower_main_game(load_plan("mbs-thb-9")))
        assert round(value, 4) == SEEN_CARD, f"a seen card nets {float(value):.6%}"
        proof.show(claim, 1, f"{float(value):+.4%}")
    claim = "reports, solvers and histories in their long form"
    if not proof.is_shown(claim):
        files = [f"tests/whole/{name}.py" for name in LONG_TESTS]
        done = run_tests(*files, "-n", "2", variables={"PROVE_LONG": "1"})
        proof.show(claim, done.passed)
    claim = "kernels rank as the readable evaluator"
    first = proof.before(claim) // HANDS_A_CHUNK
    for _ in spread(_kernels, count(first), proof.share(0.4)):
        proof.show(claim, HANDS_A_CHUNK)
    claim = "the solver pays as the engine settles"
    turn = -(-proof.before(claim) // (ROUNDS_A_CHUNK * len(BOOKS)))  # never half a turn again
    tasks = ((book, chunk) for chunk in count(turn) for book in BOOKS)
    for _ in spread(_engine, tasks, proof.until):
        proof.show(claim, ROUNDS_A_CHUNK, f"{len(BOOKS)} books")


# --- simulated rounds -------------------------------------------------------------------------------------


def _moments(remark: str) -> tuple[int, int]:
    """The sums that a line of the record has in its remark: net antes, and their squares."""
    found = re.fullmatch(r"net (-?\d+), squares (\d+) antes; .*", remark)
    assert found is not None, remark
    return int(found[1]), int(found[2])


def _off(rounds: int, total: int, squares: int, exact: _Exact) -> tuple[float, float]:
    """How many standard errors mean and deviation are off the exact ones."""
    mean = total / rounds
    deviation = math.sqrt(squares / rounds - mean * mean)
    error = exact.deviation / math.sqrt(rounds)
    return (mean - exact.mean) / error, (deviation - exact.deviation) / (
        exact.deviation_error / math.sqrt(rounds)
    )


class _Exact:
    """Mean and deviation of the main game's net result; the latter's standard error over one round."""

    def __init__(self, counts: Mapping[Fraction | int, int]) -> None:
        cycle = sum(counts.values())
        self.mean = float(sum(net * deals for net, deals in counts.items()) / cycle)
        variance = sum(deals * (net - self.mean) ** 2 for net, deals in counts.items()) / cycle
        fourth = sum(deals * (net - self.mean) ** 4 for net, deals in counts.items()) / cycle
        self.deviation = math.sqrt(variance)
        self.deviation_error = math.sqrt(fourth - variance**2) / (2 * self.deviation)


def simulation(proof: Proof) -> None:
    """Rounds go on where the record ends; the sums in its remarks let all runs be compared at once."""
    solution = solution_of("mbs-thb-9")
    exact = _Exact(play(solution).distribution.counts)
    table, run = table_for(solution, OPTIMAL), Run(key="prove", seed=11, seats=1)
    lines = [
        line
        for line in read_lines(Path(os.environ["PROVE_PAGE"]).read_text(encoding="utf-8"))
        if line.claim == SIMULATED
    ]
    before = [(line.count, *_moments(line.remark)) for line in lines]
    kept = [line for line in proof.shown if line.claim == SIMULATED]
    rounds, total, squares = sum(line.count for line in kept), 0, 0
    if kept:
        total, squares = _moments(kept[-1].remark)
    following = proof.before(SIMULATED) // CHUNK_ROUNDS
    table.chunk(seed=run.seed, chunk=0, rounds=1, seats=1)  # compiled once, before the threads begin
    with workers_for(table) as workers:
        pending: deque[object] = deque()
        while pending or monotonic() < proof.until:
            while len(pending) < workers.width and monotonic() < proof.until:
                pending.append(workers.submit(run, following, [CHUNK_ROUNDS] * CHUNKS_A_STEP))
                following += CHUNKS_A_STEP
            _, sums = workers.result(pending.popleft())
            rounds, total, squares = rounds + sums[ROUNDS], total + sums[TOTAL], squares + sums[SQUARES]
    ours = _off(rounds, total, squares, exact)
    everything = [sum(column) for column in zip(*before, (rounds, total, squares), strict=True)]
    over_all = _off(everything[0], everything[1], everything[2], exact)
    said = f"mean {over_all[0]:+.2f} and deviation {over_all[1]:+.2f} standard errors off over all runs"
    assert max(map(abs, ours)) < SLICE_ERRORS, f"this run is {ours} standard errors off"
    assert max(map(abs, over_all)) < ALL_ERRORS, said
    proof.show(
        SIMULATED, rounds - sum(line.count for line in kept), f"net {total}, squares {squares} antes; {said}"
    )
