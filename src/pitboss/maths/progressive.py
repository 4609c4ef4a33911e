"""The progressive as the house runs it: the meter's course, its hits, whether the reserve pays for resets.

Means are exact formulas: the meter moves by sums, so its expectation obeys one linear equation. The spread of
the meter at a hit is a Markov calculation on a grid; `how` says which is which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pitboss.errors import BadInput
from pitboss.maths.jackpot import JackpotResult
from pitboss.money import BASIS_POINTS, Cents
from pitboss.rulebooks import Plan
from pitboss.rulebooks.vocabulary import Resets

WHOLE = 100
GRID = 4000
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
LEFT_OVER = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """How much is wagered on a link: tables, seats that bet on the jackpot, rounds an hour, hours a day."""

    tables: int = 10
    seats: int = 6
    rounds_an_hour: int = 40
    hours: int = 24

    @property
    def wagers_a_day(self) -> int:
        return self.tables * self.seats * self.rounds_an_hour * self.hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressive:
    """The link in figures. Amounts are in cents; a wager is one of the unit priced.

    `return_now` is at the present meter, `long_run_return` over all the meter's life: fixed awards, what the
    house puts in at resets, and the contribution. `mean_at_hit` and `deviation_at_hit` are of the meter when
    the whole of it is won; `quantiles_at_hit` of the same.
    """

    jackpot: JackpotResult
    meter: Cents
    reset: Cents
    increment_bp: int
    reserve_bp: int
    floor: Floor
    return_now: Fraction
    long_run_return: Fraction
    mean_meter: Fraction
    mean_at_hit: Fraction
    deviation_at_hit: float
    quantiles_at_hit: Mapping[float, float]
    wagers_between_hits: Mapping[str, Fraction]
    days_between_hits: Mapping[str, Fraction]
    reserve_at_hit: Fraction
    reserve_short: float
    how: Mapping[str, str]

    @property
    def reserve_covers(self) -> Fraction:
        """The reserve gathered between two hits over the reset value; 1 or more funds it on average."""
        return self.reserve_at_hit / self.reset if self.reset else Fraction(1)


def price_progressive(
    plan: Plan,
    jackpot: JackpotResult,
    *,
    meter: Cents | None = None,
    floor: Floor | None = None,
) -> Progressive:
    """The jackpot of a plan on a floor; without a meter it stands at its reset value."""
    house = plan.book.house.jackpot
    assert house is not None
    assert plan.jackpot is not None
    now = house.reset if meter is None else meter
    used = floor or Floor()
    whole = sum(
        (often for row, often in jackpot.frequencies.items() if jackpot.shares.get(row) == WHOLE), Fraction(0)
    )
    parts = {
        share: jackpot.frequencies.get(row, Fraction(0))
        for row, share in jackpot.shares.items()
        if share != WHOLE
    }
    if not whole:
        raise BadInput("jackpot", f"no hand of {plan.id} wins the whole meter", "nothing resets it")
    gain = Fraction(jackpot.stake * house.increment_bp, BASIS_POINTS)
    any_resets = plan.jackpot.sharing.resets is Resets.ANY_AWARD
    partly = sum((Fraction(share, WHOLE) * often for share, often in parts.items()), Fraction(0))
    hits = sum(parts.values(), whole)
    # In the long run the meter gains by contributions and resets what awards take away.
    kept = (gain + whole * house.reset) / (partly + whole)
    mean_meter = house.reset + gain / hits if any_resets else kept
    awards = (partly + whole) * mean_meter
    mean, deviation = _at_hit(house.reset, gain, whole, parts, any_resets=any_resets)
    between = {row: 1 / often for row, often in jackpot.frequencies.items() if often}
    reserve = Fraction(jackpot.stake * house.reserve_increment_bp, BASIS_POINTS)
    return Progressive(
        jackpot=jackpot,
        meter=now,
        reset=house.reset,
        increment_bp=house.increment_bp,
        reserve_bp=house.reserve_increment_bp,
        floor=used,
        return_now=jackpot.return_at(Fraction(now)),
        long_run_return=jackpot.fixed_return + awards / jackpot.stake,
        mean_meter=mean_meter,
        mean_at_hit=mean,
        deviation_at_hit=deviation,
        quantiles_at_hit=_quantiles(house.reset, gain, whole, parts, any_resets=any_resets),
        wagers_between_hits=between,
        days_between_hits={row: wagers / used.wagers_a_day for row, wagers in between.items()},
        reserve_at_hit=reserve / whole,
        reserve_short=_reserve_short(house.reset, reserve, whole),
        how={
            "return_now": "exact formula",
            "long_run_return": "exact formula",
            "mean_meter": "exact formula",
            "mean_at_hit": "exact formula",
            "deviation_at_hit": "exact formula",
            "quantiles_at_hit": f"Markov calculation on a grid of {GRID} meters",
            "wagers_between_hits": "exact formula",
            "reserve": "exact formula",
        },
    )


def _at_hit(
    reset: Cents, gain: Fraction, whole: Fraction, parts: Mapping[int, Fraction], *, any_resets: bool
) -> tuple[Fraction, float]:
    """Mean and standard deviation of the meter when the whole is won, from a meter at its reset value.

    With every wager the meter gains, and then is won whole, or in part and keeps the rest, or neither. What
    is expected at the hit from a meter m is a m + b, and its square a' m² + b' m + c'; each wager leaves both
    as they are, which fixes the letters.
    """
    none = 1 - whole - sum(parts.values(), Fraction(0))
    keeps = [] if any_resets else [(Fraction(WHOLE - share, WHOLE), often) for share, often in parts.items()]
    back = sum(parts.values(), Fraction(0)) if any_resets else Fraction(0)
    m, g = Fraction(reset), gain
    first = none + sum((often * keep for keep, often in keeps), Fraction(0))
    second = none + sum((often * keep**2 for keep, often in keeps), Fraction(0))
    stay = none + sum((often for _, often in keeps), Fraction(0))
    # h(m) = whole (m + g) + first-part: a = whole / (1 - first); where an award resets, h(reset) enters b.
    a = whole / (1 - first)
    # b = whole g + a g first + stay b + back (a m + b)
    b = (whole * g + a * g * first + back * a * m) / (1 - stay - back)
    mean = a * m + b
    # E[X²]: A m² + B m + C with (m + g)² at the hit.
    big_a = whole / (1 - second)
    big_b = (2 * whole * g + 2 * big_a * g * second) / (1 - first)
    known = whole * g**2 + big_a * g**2 * second + big_b * g * first
    big_c = (known + back * (big_a * m**2 + big_b * m)) / (1 - stay - back)
    square = big_a * m**2 + big_b * m + big_c
    return mean, float(square - mean**2) ** 0.5


def _quantiles(
    reset: Cents, gain: Fraction, whole: Fraction, parts: Mapping[int, Fraction], *, any_resets: bool
) -> dict[float, float]:
    """Quantiles of the meter when the whole is won: the meter's course followed over a grid, step by step.

    A step is as many wagers as lift the meter by one place of the grid.
    """
    if not gain:
        return dict.fromkeys(QUANTILES, float(reset))
    top = float(reset) + 14 * float(gain / whole)  # whatever lies above is met once in a million hits
    width = top / GRID
    wagers = width / float(gain)
    survive = (1 - float(whole)) ** wagers
    alive = np.zeros(GRID + 1)
    alive[min(GRID, round(float(reset) / width))] = 1.0
    start = alive.copy()
    won = np.zeros(GRID + 1)
    places = np.arange(GRID + 1)
    moves = [(1 - (1 - float(often)) ** wagers, (WHOLE - share) / WHOLE) for share, often in parts.items()]
    while alive.sum() > LEFT_OVER:
        alive[1:] = alive[:-1].copy()
        alive[0] = 0.0
        won += alive * (1 - survive)
        alive *= survive
        for chance, keep in moves:
            leaving = alive * chance
            alive -= leaving
            if any_resets:
                alive += leaving.sum() * start
                continue
            low = np.floor(places * keep).astype(int)
            part = places * keep - low
            np.add.at(alive, low, leaving * (1 - part))
            np.add.at(alive, np.minimum(low + 1, GRID), leaving * part)
        if alive[-1] > 0:  # beyond the grid nothing more is told apart
            won[-1] += alive[-1]
            alive[-1] = 0.0
    spread = np.cumsum(won) / won.sum()
    return {q: float(np.searchsorted(spread, q)) * width for q in QUANTILES}


def _reserve_short(reset: Cents, reserve: Fraction, whole: Fraction) -> float:
    """The chance that the whole is won before an empty reserve has gathered the reset value."""
    if not reserve:
        return 1.0 if reset else 0.0
    needed = -(-Fraction(reset) // reserve)
    return float(1 - (1 - float(whole)) ** int(needed))
