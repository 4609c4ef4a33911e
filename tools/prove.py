"""The long forms of the proofs: `make prove`. Each prints what it tried; the first failure ends the run."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import prove_maths
from support import BOOKS
from support.evaluators import agree
from support.mutants import is_sound, mutants, noticed_by, why_equivalent
from support.properties import PROPERTIES
from support.rounds_played import ROUND_PROPERTIES, settling_the_round_equals_settling_its_facts

HANDS = 10_000_000
HANDS_A_CHUNK = 250_000
SEEDS_A_PROPERTY = 20_000
TABLES_A_PROPERTY = 4_000
ROUNDS_A_BOOK = 1_000_000
ROUNDS_A_CHUNK = 10_000


def _agree(seed: int) -> None:
    agree(HANDS_A_CHUNK, seed=seed)


def _property(task: tuple[int, str]) -> None:
    index, book = task
    for seed in range(SEEDS_A_PROPERTY):
        PROPERTIES[index](book, 10**9 + seed)


def _table(task: tuple[int, str]) -> None:
    index, book = task
    for seed in range(TABLES_A_PROPERTY):
        ROUND_PROPERTIES[index](book, 10**9 + seed)


def _rounds(task: tuple[str, int]) -> None:
    book, chunk = task
    for seed in range(ROUNDS_A_CHUNK):
        settling_the_round_equals_settling_its_facts(book, 10**10 + chunk * ROUNDS_A_CHUNK + seed)


def _mutants(task: tuple[str, int, int]) -> list[str]:
    """A part of a book's mutants: those that nothing notices, and how many were tried, as lines."""
    book, part, parts = task
    survivors, tried, same = [], 0, 0
    first = ""
    for mutant in list(mutants(book))[part::parts]:
        if not is_sound(mutant):
            continue
        if why_equivalent(mutant):
            same += 1
            continue
        tried += 1
        name = noticed_by(mutant, first=first)
        if name is None:
            survivors.append(str(mutant))
        first = name or first
    return [f"{tried} {same}", *survivors]


def _prove_mutants(pool: ProcessPoolExecutor) -> None:
    """Every mutant of a pay, condition, remedy or authority of the books is noticed by some test."""
    began = time.monotonic()
    parts = 4
    answers = list(pool.map(_mutants, [(book, part, parts) for book in BOOKS for part in range(parts)]))
    tried = sum(int(answer[0].split()[0]) for answer in answers)
    same = sum(int(answer[0].split()[1]) for answer in answers)
    survivors = [line for answer in answers for line in answer[1:]]
    for line in survivors:
        print(f"  nothing notices {line}", flush=True)
    if survivors:
        raise SystemExit(1)
    took = time.monotonic() - began
    print(
        f"mutants: {tried:,} of the books' data, each noticed; {same} the same in other words ({took:.0f} s)"
    )


def _prove(pool: ProcessPoolExecutor, work: Callable[[Any], None], tasks: Sequence[Any], what: str) -> None:
    """Run the tasks of one proof over the pool and say what they showed."""
    began = time.monotonic()
    list(pool.map(work, tasks))
    print(f"{what} ({time.monotonic() - began:.0f} s)", flush=True)


def main() -> None:
    """Run every proof over all cores."""
    books = len(BOOKS)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        _prove_mutants(pool)
        _prove(
            pool,
            _agree,
            range(HANDS // HANDS_A_CHUNK),
            f"evaluator: {HANDS:,} seven-card hands rank as treys and phevaluator rank them",
        )
        _prove(
            pool,
            _property,
            [(index, book) for index in range(len(PROPERTIES)) for book in BOOKS],
            f"settlement: {len(PROPERTIES)} properties x {books} books x {SEEDS_A_PROPERTY:,} rounds",
        )
        _prove(
            pool,
            _table,
            [(index, book) for index in range(len(ROUND_PROPERTIES)) for book in BOOKS],
            f"round: {len(ROUND_PROPERTIES)} properties x {books} books x {TABLES_A_PROPERTY:,} tables",
        )
        _prove(
            pool,
            _rounds,
            [(book, chunk) for book in BOOKS for chunk in range(ROUNDS_A_BOOK // ROUNDS_A_CHUNK)],
            f"round: {ROUNDS_A_BOOK:,} rounds a book settle as 'pitboss settle' settles their facts",
        )
        prove_maths.prove(pool)


if __name__ == "__main__":
    main()
