"""The long proof of shared entropy: what an insider wins who knows deck and key before bets."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from prove_parts import ROOT, Proof, spread

sys.path.insert(0, str(ROOT / "tests"))

from support.insider import Result, Way, run, uninformed

ROUNDS, FIGURES, CHUNK = 100_000, 40_000, 2_500
"""Rounds that must equal an uninformed player's, rounds for each other figure, and rounds of a task."""
MOST_ERRORS = 4
"""Standard errors that an insider's return may be off an uninformed player's."""
WITHOUT = "an insider who knows the sealed deck wins where nothing is composed"
REVEALED = "an insider wins nothing where every device reveals"
BEACON = "an insider who withholds wins nothing with a beacon"
WITHHELD = "what an insider wins who withholds without a beacon"
READ = "what an insider wins who reads the order once it is made"
Task = tuple[Way, int, int]
"""How the order is made, how many devices collude, and the chunk."""


def _chunk(task: Task) -> Result:
    way, colluding, chunk = task
    return run(way, colluding=colluding, rounds=CHUNK, seed=10**6 + chunk)


def _rounds(proof: Proof, claim: str, tasks: Iterable[tuple[Way, int]], rounds: int) -> list[Result]:
    """The results of each way over as many new rounds."""
    first, ways = proof.before(claim) // CHUNK, list(tasks)
    every = [(way, k, first + n) for way, k in ways for n in range(rounds // CHUNK)]
    found: dict[tuple[Way, int], Result] = {}
    for (way, k, _), result in spread(_chunk, every, proof.began + 10 * proof.seconds):
        found[way, k] = found[way, k] + result if (way, k) in found else result
    return [found[way] for way in ways]


def _said(result: Result) -> str:
    off = result.errors_from(uninformed())
    return f"{_figure(result)} an ante, {off:+.1f} standard errors from {float(uninformed()):+.2%}"


def _figure(result: Result) -> str:
    """What the insider wins, with its standard error."""
    return f"{float(result.back):+.2%} ± {result.error:.2%}"


def insider(proof: Proof) -> None:
    """Equal to an uninformed player where the order is composed; the figures where that is not enough."""
    for claim, way in ((REVEALED, Way.REVEALED), (BEACON, Way.BEACON)):
        if not proof.is_shown(claim):
            (result,) = _rounds(proof, claim, [(way, 1)], ROUNDS)
            assert abs(result.errors_from(uninformed())) <= MOST_ERRORS, f"{claim}: {_said(result)}"
            proof.show(claim, result.rounds, _said(result))
    if not proof.is_shown(WITHHELD):
        results = _rounds(proof, WITHHELD, [(Way.WITHHELD, k) for k in (1, 2, 3)], FIGURES)
        told = [f"{k}: {_figure(result)}" for k, result in enumerate(results, 1)]
        assert all(result.errors_from(uninformed()) > MOST_ERRORS for result in results), told
        proof.show(WITHHELD, sum(result.rounds for result in results), f"devices {', '.join(told)}")
    for claim, way in ((READ, Way.READ), (WITHOUT, Way.SEALED)):
        if not proof.is_shown(claim):
            (result,) = _rounds(proof, claim, [(way, 1)], FIGURES)
            assert result.errors_from(uninformed()) > 5 * MOST_ERRORS, f"{claim}: {_said(result)}"
            proof.show(claim, result.rounds, f"{_figure(result)} an ante")
