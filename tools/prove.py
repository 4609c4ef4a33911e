"""The long forms of the proofs: `make prove`. Each prints what it tried; the first failure ends the run."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support import BOOKS
from support.evaluators import agree
from support.properties import PROPERTIES

HANDS = 10_000_000
HANDS_A_CHUNK = 250_000
SEEDS_A_PROPERTY = 20_000


def _agree(seed: int) -> None:
    agree(HANDS_A_CHUNK, seed=seed)


def _property(task: tuple[int, str]) -> None:
    index, book = task
    for seed in range(SEEDS_A_PROPERTY):
        PROPERTIES[index](book, 10**9 + seed)


def main() -> None:
    """Run every proof over all cores."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        began = time.monotonic()
        list(pool.map(_agree, range(HANDS // HANDS_A_CHUNK)))
        print(
            f"evaluator: {HANDS:,} seven-card hands rank as treys and phevaluator rank them "
            f"({time.monotonic() - began:.0f} s)"
        )
        began = time.monotonic()
        tasks = [(index, book) for index in range(len(PROPERTIES)) for book in BOOKS]
        list(pool.map(_property, tasks))
        print(
            f"settlement: {len(PROPERTIES)} properties x {len(BOOKS)} books x {SEEDS_A_PROPERTY:,} rounds "
            f"({time.monotonic() - began:.0f} s)"
        )


if __name__ == "__main__":
    main()
