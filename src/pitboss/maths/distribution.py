"""Exact distributions: how many deals of the cycle end in which net result. `Fraction` from here on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Distribution:
    """Net results of one unit staked, with the number of deals of each; they add up to the cycle."""

    counts: Mapping[Fraction | int, int]

    @classmethod
    def of(cls, results: Iterable[tuple[Fraction | int, int]]) -> Distribution:
        """Add deals up by net result."""
        counts: dict[Fraction | int, int] = {}
        for net, deals in results:
            if deals:
                counts[net] = counts.get(net, 0) + deals
        return cls(dict(sorted(counts.items())))

    @cached_property
    def cycle(self) -> int:
        """How many deals there are."""
        return sum(self.counts.values())

    @cached_property
    def mean(self) -> Fraction:
        """The net result of a deal, exactly."""
        return sum((Fraction(net) * deals for net, deals in self.counts.items()), Fraction(0)) / self.cycle

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result, exactly."""
        squares = sum((Fraction(net) ** 2 * deals for net, deals in self.counts.items()), Fraction(0))
        return squares / self.cycle - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """The root of the variance."""
        return math.sqrt(self.variance)

    @property
    def win_frequency(self) -> Fraction:
        """How often the net result is above nothing."""
        return Fraction(sum(deals for net, deals in self.counts.items() if net > 0), self.cycle)
