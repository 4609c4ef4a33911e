"""Exact distributions of what is counted in a fair deck: descents, successions, fixed points, cycles."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

CARDS = 52


def descents(cards: int = CARDS) -> list[Fraction]:
    """How many cards are followed by a lower one: the Eulerian numbers."""
    row = [1]
    for size in range(2, cards + 1):
        row = [
            (k + 1) * (row[k] if k < len(row) else 0) + (size - k) * (row[k - 1] if k else 0)
            for k in range(size)
        ]
    return _shares(row, cards)


@lru_cache(maxsize=256)
def _derangements(cards: int) -> int:
    before, now = 1, 0
    if cards == 0:
        return before
    for size in range(2, cards + 1):
        before, now = now, (size - 1) * (before + now)
    return now


def fixed_points(cards: int = CARDS) -> list[Fraction]:
    """How many cards lie where they lay before."""
    return _shares([comb(cards, k) * _derangements(cards - k) for k in range(cards + 1)], cards)


def successions(cards: int = CARDS) -> list[Fraction]:
    """How many cards are followed by the one that followed them before."""
    counts = []
    for k in range(cards):
        left = cards - k
        counts.append(comb(cards - 1, k) * (_derangements(left) + _derangements(left - 1)))
    return _shares(counts, cards)


def cycles(cards: int = CARDS) -> list[Fraction]:
    """Into how many cycles the order falls: Stirling's numbers of the first kind."""
    row = [1]
    for size in range(1, cards + 1):
        row = [
            (size - 1) * (row[k] if k < len(row) else 0) + (row[k - 1] if k else 0) for k in range(size + 1)
        ]
    return _shares(row, cards)


def coupons(cards: int = CARDS, *, longest: int = 1200) -> list[float]:
    """The chance that every card has been drawn for the first time after exactly so many draws."""
    state = [0.0] * (cards + 1)
    state[0] = 1.0
    chances = [0.0]
    for _ in range(longest):
        done = state[cards]
        moved = [0.0] * (cards + 1)
        for seen, chance in enumerate(state):
            if seen < cards and chance:
                moved[seen] += chance * seen / cards
                moved[seen + 1] += chance * (cards - seen) / cards
        moved[cards] += done
        chances.append(moved[cards] - done)
        state = moved
    return chances


def _shares(counts: Sequence[int], cards: int) -> list[Fraction]:
    whole = factorial(cards)
    return [Fraction(count, whole) for count in counts]
