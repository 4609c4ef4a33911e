"""Ratios measured in one run: `make bench`. Seconds depend on the machine; ratios much less."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from treys import Card as TreysCard
from treys import Evaluator

from pitboss.cards import DECK, best_five
from pitboss.play import settle
from pitboss.rulebooks import load_plan
from support import BOOKS
from support.rounds import random_facts

T = TypeVar("T")
HANDS, ROUNDS = 50_000, 5_000


def per_second(work: Callable[[T], object], items: Sequence[T]) -> float:
    """How many items a second, best of three passes."""
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        for item in items:
            work(item)
        best = min(best, time.perf_counter() - began)
    return len(items) / best


def main() -> None:
    """Print the figures."""
    rng = Random(1)
    hands = [rng.sample(DECK, 7) for _ in range(HANDS)]
    ours = per_second(best_five, hands)
    treys = Evaluator()
    ints = [[TreysCard.new(card.code) for card in hand] for hand in hands]
    theirs = per_second(lambda cards: treys.evaluate(cards[:2], cards[2:]), ints)
    print(
        f"best of seven: {ours:,.0f} hands/s readable, {theirs:,.0f} hands/s treys, ratio {ours / theirs:.2f}"
    )
    for book in BOOKS:
        plan = load_plan(book)
        rounds = [random_facts(plan, rng) for _ in range(ROUNDS)]
        speed = per_second(lambda facts, plan=plan: settle(plan, facts), rounds)  # type: ignore[misc]
        print(f"settlement {book:<16} {speed:>9,.0f} rounds/s, {speed / ours:.2f} per readable hand")


if __name__ == "__main__":
    main()
