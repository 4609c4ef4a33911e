"""How a meter is distributed in the long run when it pays fixed awards, too, or is kept at a floor.

No formula follows such a meter: an empty one pays nothing, and what falls below a floor is made up for. So
its stationary distribution is solved on a grid, exactly for that grid. What lies between two places is shared
out so that its mean is kept; the same on half as many places says how far the grid is off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PLACES = 20_000
"""So many meters are told apart, about."""
_MOST_PLACES = 60_000
_MOST_OFTEN = 0.05
"""How often at most a step of the grid may have a win in it; that one has two of them is left out."""
_TAIL = 40.0
"""The grid ends where so many powers of e less of the distribution are left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What a wager does to the meter, in cents: it gains, and then may pay.

    With probability `whole` all of it is won and it stands at `reset`. `parts` are what it keeps of itself
    and how often, `fixed` what it pays and how often, as far as it holds that much. With `floor` it never
    stands below its reset value after an award; with `any_resets` each of `parts` resets it.
    """

    reset: float
    gain: float
    whole: float
    parts: Sequence[tuple[float, float]]
    fixed: Sequence[tuple[float, float]]
    floor: bool = False
    any_resets: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterDistribution:
    """The meter as a win finds it, with the wager's own gain: meters from below, and their weights."""

    meters: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The average meter, in cents."""
        return float(self.meters @ self.weights)

    @property
    def deviation(self) -> float:
        """The standard deviation of the meter, in cents."""
        return math.sqrt(max(0.0, float((self.meters - self.mean) ** 2 @ self.weights)))

    def quantile(self, share: float) -> float:
        """The meter below which so great a share of wins finds it."""
        return float(np.interp(share, np.cumsum(self.weights) - self.weights / 2, self.meters))

    def paid_of(self, amount: float) -> float:
        """What a meter pays on average of a fixed award of so much."""
        return float(np.minimum(self.meters, amount) @ self.weights)


class UnsolvableError(ValueError):
    """A course that the grid cannot follow, and why."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A course on two grids: a step of the finer one is so many wagers, of the coarser one twice as many."""

    fine: MeterDistribution
    coarse: MeterDistribution
    wagers: int

    def figure(self, of: Callable[[MeterDistribution], float]) -> tuple[float, float]:
        """A figure as both grids together have it, and how far it may be off: what the finer one changed.

        Steps of single wagers need no approximation, so the figure is followed to them.
        """
        fine, coarse = of(self.fine), of(self.coarse)
        return fine - (coarse - fine) * (self.wagers - 1) / self.wagers, abs(fine - coarse)


def solve(course: Course, *, places: int = PLACES) -> Solved:
    """The course in the long run, on a grid of about so many places, or more where wins are frequent.

    Raises `UnsolvableError` where no grid of a tolerable size follows it.
    """
    if course.gain <= 0:
        raise UnsolvableError("a meter that gains nothing")
    top = course.reset + _TAIL / _decay(course)
    span = top - (course.reset if course.floor else 0.0)
    wins = course.whole + sum(often for _, often in (*course.parts, *course.fixed))
    most = max(1, int(_MOST_OFTEN / wins))
    wagers = min(most, max(1, math.ceil(span / course.gain / places)))
    if span / course.gain / wagers > _MOST_PLACES:
        raise UnsolvableError("a meter that gains so little beside what it pays")
    return Solved(_Grid(course, wagers, top).solved(), _Grid(course, 2 * wagers, top).solved(), wagers)


def _decay(course: Course) -> float:
    """How fast the distribution thins out above the reset value, per cent of the meter.

    Far up it falls like exp(-rate m): what grows to m and what fixed awards bring down to it make up for what
    leaves. What a part of a still greater meter brings is nothing beside it.
    """
    paid = sum(often for _, often in course.fixed)
    grows = 1 - course.whole - paid - sum(often for _, often in course.parts)

    def excess(rate: float) -> float:
        down = sum(often * math.exp(-rate * (amount - course.gain)) for amount, often in course.fixed)
        return grows * math.exp(rate * course.gain) + down - 1

    low, high = 0.0, -math.log(grows) / course.gain
    while excess(high) < 0:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return high


class _Grid:
    """Meters a step apart, one of them the reset value. A step is some wagers: their gain, and a win among
    them.

    A step leads at most one place up. So the chain is censored place by place from the top: what a place
    sends up comes down again somewhere below it, and the places below see only where. Nothing is ever
    subtracted, so no digits are lost however fast the meter is drained (the method of Grassmann, Taksar and
    Heyman).
    """

    def __init__(self, course: Course, wagers: int, top: float) -> None:
        self.course = course
        self.step = wagers * course.gain
        self.before = (wagers + 1) / 2 / wagers  # of the step's gain is there when it is won, on average
        self.at_reset = 0 if course.floor else int(course.reset / self.step)
        self.base = course.reset - self.at_reset * self.step
        self.size = self.at_reset + math.ceil((top - course.reset) / self.step) + 2
        self.fixed = [(amount / self.step, wagers * often) for amount, often in course.fixed]
        self.parts = [(keep, wagers * often) for keep, often in course.parts]
        self.resets = wagers * course.whole
        if course.any_resets:
            self.resets += sum(often for _, often in self.parts)
            self.parts = []
        self.grows = 1 - self.resets - sum(often for _, often in (*self.parts, *self.fixed))

    def solved(self) -> MeterDistribution:
        """How often each place is visited between two resets, as shares of one."""
        resets_above = 0.0  # how often the place above comes to a reset before it comes down
        down = np.zeros(self.size)  # where the place above comes down to, once it has left
        start = np.zeros(self.size)  # where the course after a reset first comes down to
        start[self.at_reset : self.at_reset + 2] = self.before, 1 - self.before
        up, leaves, entered = (np.zeros(self.size) for _ in range(3))
        for place in range(self.size - 1, -1, -1):
            up[place] = self.grows if place + 1 < self.size else 0.0
            falls = []
            for target, often in self._targets(place):
                low = int(target)
                part = target - low
                falls.append((low, often * (1 - part)))
                if low < place:
                    falls.append((low + 1, often * part))
                elif place + 1 < self.size:
                    up[place] += often * part
            here = down[: place + 1]
            here *= up[place]
            for low, often in falls:
                here[low] += often
            below = here[:place]
            leaves[place] = below.sum() + self.resets + up[place] * resets_above
            below /= leaves[place]
            resets_above = (self.resets + up[place] * resets_above) / leaves[place]
            entered[place] = start[place]
            if entered[place]:
                start[:place] += entered[place] * below
        visits = np.zeros(self.size)
        for place in range(self.size):
            from_below = visits[place - 1] * up[place - 1] if place else 0.0
            visits[place] = (from_below + entered[place]) / leaves[place]
        meters = np.float64(self.base) + (np.arange(self.size) + self.before) * np.float64(self.step)
        return MeterDistribution(meters=meters, weights=visits / visits.sum())

    def _targets(self, place: int) -> list[tuple[float, float]]:
        """Where a win that does not reset the meter brings it from a place, and how often."""
        up = place + 1.0
        targets = [(up - amount if up > amount else 0.0, often) for amount, often in self.fixed]
        start, base = place + self.before, self.base / self.step
        for keep, often in self.parts:
            left = (start + base) * keep - base
            targets.append(((left if left > 0 else 0.0) + 1 - self.before, often))
        return targets
