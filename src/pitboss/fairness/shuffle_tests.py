"""Statistical tests of a shuffle, over many decks.

Each test has a p-value; by Holm's rule the whole family gives a false alarm in one fair shuffle of a hundred.
Chi-squares are looked at from both sides: decks that are too even are no more random than uneven ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pitboss.fairness import exact
from pitboss.progress import counting

CARDS = 52
LEVEL = 0.99
LEAST_EXPECTED = 5.0
LEAST_DECKS = 20_000
"""Below it many cells of the test of pairs would be nearly empty."""

Decks = NDArray[np.uint8]
"""A row a deck; cards are numbered as they lie in a new pack."""


@dataclass(frozen=True, slots=True)
class Result:
    """A test: what was counted, how likely that is in a fair shuffle, whether it speaks against this one."""

    name: str
    what: str
    statistic: float
    p: float
    fits: bool = True


@dataclass(frozen=True, slots=True)
class Tested:
    """All tests of some decks."""

    decks: int
    results: tuple[Result, ...]
    counts: NDArray[np.int64] = field(repr=False)

    @property
    def fair(self) -> bool:
        """Whether every test fits."""
        return all(result.fits for result in self.results)

    def json(self) -> dict[str, Any]:
        """The results for programs."""
        return {
            "decks": self.decks,
            "level": LEVEL,
            "fair": self.fair,
            "tests": [
                {
                    "test": result.name,
                    "what": result.what,
                    "statistic": round(result.statistic, 4),
                    "p": result.p,
                    "fits": result.fits,
                }
                for result in self.results
            ],
        }


def run_tests(decks: Decks, *, level: float = LEVEL) -> Tested:
    """Every test, judged together at a level of confidence."""
    counts = position_counts(decks)
    results = []
    with counting("testing", len(TESTS)) as task:
        for test in TESTS:
            results.append(test(decks))
            task.advance()
    return Tested(len(decks), _judged(results, 1 - level), counts)


def _judged(results: Sequence[Result], alpha: float) -> tuple[Result, ...]:
    """Holm: the smallest p against alpha by the number of tests, the next against one fewer, and so on."""
    verdicts: dict[str, bool] = {}
    fits = False
    for place, result in enumerate(sorted(results, key=lambda one: one.p)):
        fits = fits or result.p > alpha / (len(results) - place)
        verdicts[result.name] = fits
    return tuple(
        Result(result.name, result.what, result.statistic, result.p, verdicts[result.name])
        for result in results
    )


# --- the tests ------------------------------------------------------------------------------------------


def position_counts(decks: Decks) -> NDArray[np.int64]:
    """How often each card lay at each position."""
    counts = np.zeros((CARDS, CARDS), dtype=np.int64)
    for position in range(CARDS):
        counts[position] = np.bincount(decks[:, position], minlength=CARDS)[:CARDS]
    return counts


def duplicates(decks: Decks) -> Result:
    """R3, R5: every deck has each card once. One that has not is no matter of chance."""
    sound = bool((np.sort(decks, axis=1) == np.arange(CARDS)).all())
    return Result("duplicates", "every deck has each card once", float(not sound), 1.0 if sound else 0.0)


def positions(decks: Decks) -> Result:
    """Every card at every position equally often. Rows and columns add up, so there are 51 x 51 freedoms."""
    expected = len(decks) / CARDS
    counts = position_counts(decks)
    value = float(((counts - expected) ** 2).sum() / expected) * (CARDS - 1) / CARDS
    return _chi_square("positions", "card by position", value, (CARDS - 1) ** 2)


def pairs(decks: Decks) -> Result:
    """Interplay: cards at two positions, for all 1,326 pairs of positions.

    Of each pair four things are counted: every two cards, how far the second lies behind the first in a new
    pack, and whether they are of one rank and of one suit. The worst is judged against as many as there are.
    """
    counts = joint_counts(decks)
    found = [
        ("two cards", *_evenly(counts[:, _APART])),
        ("distance in a new pack", *_evenly(counts @ _DISTANCES)),
        ("one rank", *_as_often(counts @ _ONE_RANK, decks=len(decks), chance=3 / 51)),
        ("one suit", *_as_often(counts @ _ONE_SUIT, decks=len(decks), chance=12 / 51)),
    ]
    what, values, chances = min(found, key=lambda one: float(one[2].min()))
    worst = int(np.argmin(chances))
    looked_at = sum(len(one[2]) for one in found)
    first, second = PAIRS[worst]
    name = (
        f"cards at two positions, the worst of {looked_at:,} counts: {what} at {first + 1} and {second + 1}"
    )
    return Result("pairs", name, float(values[worst]), min(1.0, float(chances[worst]) * looked_at))


PAIRS = tuple(combinations(range(CARDS), 2))
_CHUNK = 1 << 16


def joint_counts(decks: Decks) -> NDArray[np.int64]:
    """How often each two cards lay at each pair of positions: a row a pair, 52 x 52 cards in it."""
    counts = np.zeros((len(PAIRS), CARDS * CARDS), dtype=np.int64)
    for start in range(0, len(decks), _CHUNK):
        columns = np.ascontiguousarray(decks[start : start + _CHUNK].T).astype(np.uint16)
        rows = columns * np.uint16(CARDS)
        for row, (first, second) in enumerate(PAIRS):
            counts[row] += np.bincount(rows[first] + columns[second], minlength=CARDS * CARDS)
    return counts


_FIRST, _SECOND = np.divmod(np.arange(CARDS * CARDS), CARDS)
_APART = _FIRST != _SECOND
_ONE_RANK = (_APART & (_FIRST % 13 == _SECOND % 13)).astype(np.int64)
_ONE_SUIT = (_APART & (_FIRST // 13 == _SECOND // 13)).astype(np.int64)
_DISTANCES = (np.arange(1, CARDS)[:, None] == (_SECOND - _FIRST) % CARDS).astype(np.int64).T


def _evenly(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row by row, the chi-square of counts that should be even, and its chance."""
    expected = counts.sum(axis=1, keepdims=True) / counts.shape[1]
    values = ((counts - expected) ** 2 / expected).sum(axis=1)
    freedoms = counts.shape[1] - 1
    sides = np.minimum(special.chdtrc(freedoms, values), special.chdtr(freedoms, values))
    return values, np.minimum(1.0, 2 * sides)


def _as_often(
    counts: NDArray[np.int64], *, decks: int, chance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Counts of something that happens in a deck by a chance, and how likely each is."""
    sides = np.minimum(special.bdtr(counts, decks, chance), special.bdtrc(counts - 1, decks, chance))
    return counts.astype(np.float64), np.minimum(1.0, 2 * sides)


def runs(decks: Decks) -> Result:
    """Rising runs: cards followed by a lower one, by the Eulerian numbers."""
    found = (decks[:, 1:] < decks[:, :-1]).sum(axis=1)
    return _against("runs", "rising runs in a deck", found, [float(p) for p in exact.descents()])


def successions(decks: Decks) -> Result:
    """Cards that still follow the one they followed in a new pack."""
    follows = decks[:, 1:].astype(np.int16) == decks[:, :-1].astype(np.int16) + 1
    return _against(
        "successions",
        "neighbours of a new pack",
        follows.sum(axis=1),
        [float(p) for p in exact.successions()],
    )


def carried_over(decks: Decks) -> Result:
    """Interplay of decks: cards that still follow the one they followed in the deck before."""
    places = np.argsort(decks[:-1], axis=1)
    moved = np.take_along_axis(places, decks[1:].astype(np.int64), axis=1)
    follows = (moved[:, 1:] == moved[:, :-1] + 1).sum(axis=1)
    chances = [float(p) for p in exact.successions()]
    return _against("carried over", "neighbours of the deck before", follows, chances)


def fixed_points(decks: Decks) -> Result:
    """Cards that lie where they lay."""
    found = (decks == np.arange(CARDS, dtype=np.uint8)).sum(axis=1)
    return _against("fixed points", "cards left in place", found, [float(p) for p in exact.fixed_points()])


def cycles(decks: Decks) -> Result:
    """R4: the cycles of the order, and with them its parity; a number of swaps that is fixed has only one."""
    found = _cycles(decks)
    return _against("cycles", "cycles of the order", found, [float(p) for p in exact.cycles()])


def parity(decks: Decks) -> Result:
    """R4: even and odd orders equally often."""
    even = int((_cycles(decks) % 2 == 0).sum())
    fewer = min(even, len(decks) - even)
    return Result("parity", "even orders", even, min(1.0, 2 * float(special.bdtr(fewer, len(decks), 0.5))))


def _cycles(decks: Decks) -> NDArray[np.int64]:
    """The number of cycles of each deck: the smallest card each one comes to when it is followed round."""
    rows = np.arange(len(decks))[:, None]
    smallest = np.broadcast_to(np.arange(CARDS, dtype=np.uint8), decks.shape).copy()
    jump = decks.copy()
    for _ in range(6):  # twice as far each time: 2, 4 … 64 cards
        smallest = np.minimum(smallest, smallest[rows, jump])
        jump = jump[rows, jump]
    found: NDArray[np.int64] = (smallest == np.arange(CARDS)).sum(axis=1)
    return found


def serial(decks: Decks) -> Result:
    """Serial correlation: a card with the next, up to five further on, and with its like in the next deck."""
    centred = decks.astype(np.float64) - (CARDS - 1) / 2
    spread = (CARDS**2 - 1) / 12
    scores = []
    for lag in range(1, 6):
        sums = (centred[:, lag:] * centred[:, :-lag]).sum(axis=1)
        mean = -(CARDS - lag) * spread / (CARDS - 1)
        scores.append((sums.mean() - mean) / (sums.std(ddof=1) / np.sqrt(len(sums))))
    across = (centred[1:] * centred[:-1]).sum(axis=1)
    scores.append(across.mean() / (across.std(ddof=1) / np.sqrt(len(across))))
    worst = max(scores, key=abs)
    p = min(1.0, len(scores) * 2 * float(special.ndtr(-abs(worst))))
    return Result("serial correlation", f"the worst of {len(scores)} lags, in deviations", float(worst), p)


def gaps(decks: Decks) -> Result:
    """Gaps: how many decks pass until the first card is of the first suit again."""
    hits = np.flatnonzero(decks[:, 0] < CARDS // 4)
    found = np.diff(hits) - 1
    chances = [0.25 * 0.75**gap for gap in range(200)]
    return _against("gaps", "decks between first cards of one suit", found, chances)


def orders(decks: Decks) -> Result:
    """Permutations of small subsets: the 120 orders of five cards that lie together, in ten places."""
    blocks = [decks[:, 5 * n : 5 * n + 5] for n in range(10)]
    expected = len(decks) / 120
    value = 0.0
    for block in blocks:
        ranks = block.argsort(axis=1).argsort(axis=1)
        code = np.zeros(len(decks), dtype=np.int64)
        for column in range(5):  # the place of the order among all, digit by digit
            later = (ranks[:, column + 1 :] < ranks[:, [column]]).sum(axis=1)
            code = code * (5 - column) + later
        counts = np.bincount(code, minlength=120)
        value += float(((counts - expected) ** 2).sum() / expected)
    return _chi_square("orders", "orders of five cards, in ten places", value, 10 * 119)


def coupons(decks: Decks) -> Result:
    """Coupon collector: how many decks until every card has been the first."""
    lengths: list[int] = []
    seen: set[int] = set()
    since = 0
    for card in decks[:, 0].tolist():
        seen.add(card)
        since += 1
        if len(seen) == CARDS:
            lengths.append(since)
            seen, since = set(), 0
    if not lengths:  # a card that is never first keeps the others waiting for ever
        return Result("coupon collector", "no card may be missing for so long", 0.0, 0.0)
    return _against(
        "coupon collector", "decks until every card was first", np.array(lengths), exact.coupons()
    )


def repeats(decks: Decks) -> Result:
    """Decks that begin with the same five cards: as many as there are birthdays shared, and no more."""
    code = np.zeros(len(decks), dtype=np.int64)
    for position in range(5):
        code = code * CARDS + decks[:, position]
    _, counts = np.unique(code, return_counts=True)
    found = int((counts * (counts - 1) // 2).sum())
    expected = len(decks) * (len(decks) - 1) / 2 / (52 * 51 * 50 * 49 * 48)
    low, high = special.pdtr(found, expected), special.pdtrc(found - 1, expected) if found else 1.0
    return Result(
        "repeats", "pairs of decks with the same five first", found, float(min(1.0, 2 * min(low, high)))
    )


TESTS: tuple[Callable[[Decks], Result], ...] = (
    duplicates,
    positions,
    pairs,
    runs,
    successions,
    carried_over,
    fixed_points,
    cycles,
    parity,
    serial,
    gaps,
    orders,
    coupons,
    repeats,
)


# --- judging --------------------------------------------------------------------------------------------


def _both_sides(value: float, freedoms: int) -> float:
    upper = float(special.chdtrc(freedoms, value))
    return min(1.0, 2 * min(upper, 1 - upper))


def _chi_square(name: str, what: str, value: float, freedoms: int) -> Result:
    return Result(name, f"{what}, chi-square of {freedoms}", value, _both_sides(value, freedoms))


def _against(name: str, what: str, found: NDArray[np.int64], chances: Sequence[float]) -> Result:
    """Counts against exact chances; rare values are taken together."""
    total = len(found)
    counts = np.bincount(found, minlength=len(chances))
    chances = [*chances, max(0.0, 1 - sum(chances))][: max(len(chances), 1) + 1]
    value, bins = 0.0, 0
    for seen, chance in _together(counts.tolist(), chances, total):
        value += (seen - chance * total) ** 2 / (chance * total)
        bins += 1
    return _chi_square(name, what, value, max(1, bins - 1))


def _together(counts: Sequence[int], chances: Sequence[float], total: int) -> Iterator[tuple[float, float]]:
    """Neighbouring values joined until each bin has enough; what is left over joins the last."""
    bins: list[list[float]] = []
    seen = chance = 0.0
    for place in range(max(len(counts), len(chances))):
        seen += counts[place] if place < len(counts) else 0
        chance += chances[place] if place < len(chances) else 0
        if chance * total >= LEAST_EXPECTED:
            bins.append([seen, chance])
            seen = chance = 0.0
    if bins:
        bins[-1][0] += seen
        bins[-1][1] += chance
    yield from ((have, wanted) for have, wanted in bins)
