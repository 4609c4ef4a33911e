"""The progressive as the house runs it: the meter's course, its hits, whether the reserve pays for resets.

Means are exact formulas: the meter moves by sums, so its expectation obeys one linear equation. The spread of
the meter at a hit is a Markov calculation on a grid. A meter that pays fixed awards, too, or is kept at its
reset value (R-FIXED-FUND, R-METERFLOOR) obeys no such equation: its means are calculated on a grid as well.
`how` says which is which, and how far a grid may be off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.errors import BadInput
from pitboss.maths.jackpot import JackpotResult, award_beside_the_stake
from pitboss.maths.lowering import BeyondTheMaths
from pitboss.maths.meter_distribution import Course, MeterDistribution, Solved, UnsolvableError, solve
from pitboss.money import BASIS_POINTS, Cents
from pitboss.rulebooks import Plan
from pitboss.rulebooks.vocabulary import Contributing, FixedFund, MeterFloor, Resets

WHOLE = 100
FORMULA = "exact formula"
GRID = 20_000
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """How much is wagered on a link: tables, seats that bet on the jackpot, rounds an hour, hours a day."""

    tables: int = 10
    seats: int = 6
    rounds_an_hour: int = 40
    hours: int = 24

    @property
    def wagers_a_day(self) -> int:
        """Jackpot wagers in a day."""
        return self.tables * self.seats * self.rounds_an_hour * self.hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressive:
    """The link in figures. Amounts are in cents; a wager is one of the unit priced.

    `return_now` is at the present meter, `long_run_return` over all the meter's life: fixed awards, what the
    house puts in at resets, and the contribution. `mean_at_hit` and `deviation_at_hit` are of the meter when
    the whole of it is won; `quantiles_at_hit` of the same. `fixed_from_meter` is what of the fixed awards the
    meter pays in the long run, as a share of them; none where the house pays them.
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
    fixed_from_meter: float | None = None

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
    partly = sum((Fraction(share, WHOLE) * often for share, often in parts.items()), Fraction(0))
    course = _by_formula if _obeys_a_formula(plan) else _on_a_grid
    found = course(plan, jackpot, gain, whole, parts)
    awards = (partly + whole) * found.mean_meter
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
        mean_meter=found.mean_meter,
        mean_at_hit=found.mean_at_hit,
        deviation_at_hit=found.deviation_at_hit,
        quantiles_at_hit=found.quantiles_at_hit,
        wagers_between_hits=between,
        days_between_hits={row: wagers / used.wagers_a_day for row, wagers in between.items()},
        reserve_at_hit=reserve / whole,
        reserve_short=_reserve_short(house.reset, reserve, whole),
        fixed_from_meter=found.fixed_from_meter,
        how={
            "return_now": FORMULA,
            "long_run_return": found.how,
            "mean_meter": found.how,
            "mean_at_hit": found.how,
            "deviation_at_hit": found.how,
            "quantiles_at_hit": found.how_quantiles,
            "wagers_between_hits": FORMULA,
            "reserve": FORMULA,
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _LongRun:
    """The meter in the long run, in cents, and how it was found."""

    mean_meter: Fraction
    mean_at_hit: Fraction
    deviation_at_hit: float
    quantiles_at_hit: Mapping[float, float]
    fixed_from_meter: float | None
    how: str
    how_quantiles: str


def _obeys_a_formula(plan: Plan) -> bool:
    assert plan.jackpot is not None
    floored = plan.jackpot.sharing.meter_floor is MeterFloor.RESET_VALUE
    return plan.jackpot.fixed_awards is FixedFund.HOUSE and not floored


def _by_formula(
    plan: Plan, jackpot: JackpotResult, gain: Fraction, whole: Fraction, parts: Mapping[int, Fraction]
) -> _LongRun:
    """In the long run the meter gains by contributions and resets what awards take away."""
    house = plan.book.house.jackpot
    assert house is not None
    assert plan.jackpot is not None
    any_resets = plan.jackpot.sharing.resets is Resets.ANY_AWARD
    counts = plan.jackpot.contributes is Contributing.EVERY_ROUND
    partly = sum((Fraction(share, WHOLE) * often for share, often in parts.items()), Fraction(0))
    hits = sum(parts.values(), whole)
    fed = gain if counts else gain * (1 - whole)
    kept = (fed + whole * house.reset) / (partly + whole)
    mean, deviation = _at_hit(house.reset, gain, whole, parts, any_resets=any_resets, counts=counts)
    return _LongRun(
        mean_meter=house.reset + gain / hits if any_resets else kept,
        mean_at_hit=mean,
        deviation_at_hit=deviation,
        quantiles_at_hit=_quantiles(house.reset, gain, whole, parts, any_resets=any_resets),
        fixed_from_meter=None,
        how=FORMULA,
        how_quantiles=f"Markov calculation on a grid of {GRID:,} meters",
    )


def _on_a_grid(
    plan: Plan, jackpot: JackpotResult, gain: Fraction, whole: Fraction, parts: Mapping[int, Fraction]
) -> _LongRun:
    """The meter's stationary distribution: a win finds the meter as any wager does."""
    house = plan.book.house.jackpot
    assert house is not None
    assert plan.jackpot is not None
    rules = plan.jackpot
    fixed = _paid_by_the_meter(plan, jackpot)
    course = Course(
        reset=float(house.reset),
        gain=float(gain),
        whole=float(whole),
        parts=[((WHOLE - share) / WHOLE, float(often)) for share, often in parts.items() if often],
        fixed=fixed,
        floor=rules.sharing.meter_floor is MeterFloor.RESET_VALUE,
        any_resets=rules.sharing.resets is Resets.ANY_AWARD,
    )
    try:
        solved = solve(course)
    except UnsolvableError as error:
        raise BeyondTheMaths(plan, plan.wager(rules.wager).pays.clauses, f"the long run of {error}") from None
    mean, off = solved.figure(lambda meter: meter.mean)
    # A winning wager that does not contribute finds its own gain missing.
    at_hit = mean if rules.contributes is Contributing.EVERY_ROUND else mean - float(gain)
    partly = sum(share / WHOLE * float(often) for share, often in parts.items())
    shared = (partly * mean + float(whole) * at_hit) / (partly + float(whole))
    size = len(solved.fine.meters)
    how = f"Markov calculation on a grid of {size:,} meters, the mean within {off / 100:,.2f}"
    return _LongRun(
        mean_meter=Fraction(round(shared)),
        mean_at_hit=Fraction(round(at_hit)),
        deviation_at_hit=solved.figure(lambda meter: meter.deviation)[0],
        quantiles_at_hit={q: _quantile(solved, q) for q in QUANTILES},
        fixed_from_meter=_share_of_fixed(solved, fixed),
        how=how,
        how_quantiles=how,
    )


def _paid_by_the_meter(plan: Plan, jackpot: JackpotResult) -> list[tuple[float, float]]:
    """The fixed awards that come off the meter, in cents, and how often a wager wins each."""
    assert plan.jackpot is not None
    if plan.jackpot.fixed_awards is FixedFund.HOUSE:
        return []
    rows = plan.wager(plan.jackpot.wager).pays.rows
    found = []
    for row, often in jackpot.frequencies.items():
        award = award_beside_the_stake(plan, rows[row], stake=jackpot.stake, multiple=jackpot.multiple)
        if award is not None and often:
            found.append((float(award), float(often)))
    return found


def _quantile(solved: Solved, share: float) -> float:
    return solved.figure(lambda meter: meter.quantile(share))[0]


def _share_of_fixed(solved: Solved, fixed: list[tuple[float, float]]) -> float | None:
    """What of the fixed awards the meter pays, the house paying the rest."""
    due = sum(amount * often for amount, often in fixed)

    def paid(meter: MeterDistribution) -> float:
        return sum(meter.paid_of(amount) * often for amount, often in fixed)

    return min(1.0, solved.figure(paid)[0] / due) if due else None


def _at_hit(
    reset: Cents,
    gain: Fraction,
    whole: Fraction,
    parts: Mapping[int, Fraction],
    *,
    any_resets: bool,
    counts: bool = True,
) -> tuple[Fraction, float]:
    """Mean and standard deviation of the meter when the whole is won, from a meter at its reset value.

    With every wager the meter gains, and then is won whole, or in part and keeps the rest, or neither. What
    is expected at the hit from a meter m is a m + b, and its square a' m² + b' m + c'; each wager leaves both
    as they are, which fixes the letters. Unless the winning wager `counts`, its own gain is not won.
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
    own = g if counts else Fraction(0)
    b = (whole * own + a * g * first + back * a * m) / (1 - stay - back)
    mean = a * m + b
    # E[X²]: A m² + B m + C with (m + own)² at the hit.
    big_a = whole / (1 - second)
    big_b = (2 * whole * own + 2 * big_a * g * second) / (1 - first)
    known = whole * own**2 + big_a * g**2 * second + big_b * g * first
    big_c = (known + back * (big_a * m**2 + big_b * m)) / (1 - stay - back)
    square = big_a * m**2 + big_b * m + big_c
    return mean, float(square - mean**2) ** 0.5


def _quantiles(
    reset: Cents, gain: Fraction, whole: Fraction, parts: Mapping[int, Fraction], *, any_resets: bool
) -> dict[float, float]:
    """Quantiles of the meter when the whole is won.

    A hit finds the meter as any wager does, so this is the meter's stationary distribution. Where every award
    resets, it lies an exponential above the reset value. Else its density f obeys a balance: what leaves m by
    growth and hits is what arrives from below by growth and from m / keep by an award that keeps that part;
    resets arrive at the reset value. Solved from the top down on a grid.
    """
    start, growth = float(reset), float(gain)
    if not growth:
        return dict.fromkeys(QUANTILES, start)
    won = float(whole)
    leaves = won + sum(float(often) for often in parts.values())
    if any_resets or not parts:
        return {q: start - growth / leaves * math.log(1 - q) for q in QUANTILES}
    lost = won + sum(share / WHOLE * float(often) for share, often in parts.items())
    top = start + 16 * growth / lost
    below = max(1, round(GRID * start / top))
    width = start / below if start else top / GRID
    size = int(top / width) + 1
    arrivals = [((WHOLE - share) / WHOLE, float(often)) for share, often in parts.items() if share < WHOLE]
    above = _density(size - 1, 0, 1.0, width, leaves / growth, arrivals, growth)
    under = np.zeros_like(above)
    under[: below + 1] = _density(below, 0, 1.0, width, leaves / growth, arrivals, growth)[: below + 1]
    # The jump at the reset value is what arrives there; all of it together is one.
    jump = won / growth
    scale = (1 + jump * width * (under.sum() - under[below] / 2)) / (width * above.sum())
    density = scale * above - jump * under
    spread = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2) * width])
    spread /= spread[-1]
    meters = np.arange(len(spread)) * width
    return {q: float(np.interp(q, spread, meters)) for q in QUANTILES}


def _density(
    first: int,
    last: int,
    value: float,
    width: float,
    rate: float,
    arrivals: list[tuple[float, float]],
    growth: float,
) -> NDArray[np.float64]:
    """The balance followed downwards from a value at place `first`, by the trapezoidal rule."""
    density = np.zeros(first + 2)
    density[first] = value

    def arriving(place: int) -> float:
        total = 0.0
        for keep, often in arrivals:
            at = place / keep
            low = int(at)
            if low <= first and low > place:
                part = at - low
                total += often / keep * (density[low] * (1 - part) + density[min(low + 1, first + 1)] * part)
            elif low == place:  # so near to nothing that a place of the grid is further off
                total += often / keep * density[place + 1]
        return total / growth

    half = width / 2
    before = arriving(first)
    for place in range(first - 1, last - 1, -1):
        now = arriving(place)
        density[place] = (density[place + 1] * (1 + half * rate) - half * (now + before)) / (1 - half * rate)
        before = now
    return density


def _reserve_short(reset: Cents, reserve: Fraction, whole: Fraction) -> float:
    """The chance that the whole is won before an empty reserve has gathered the reset value."""
    if not reserve:
        return 1.0 if reset else 0.0
    needed = -(-Fraction(reset) // reserve)  # with so many wagers it is there, the winning one among them
    return 1 - (1 - float(whole)) ** max(0, int(needed) - 1)
