"""How the results of two seats hang together: they meet one dealer, and in hold'em one board.

Exact for the three-card game; for the others by simulation with its standard error, for the pairs of hands
that share a dealer's are too many to be counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Rank
from pitboss.maths.comparing import lower_comparison
from pitboss.maths.compiling import computing, in_parallel
from pitboss.maths.evaluators import evaluate3
from pitboss.maths.kernels import boards
from pitboss.maths.kernels.qualify import qualifies
from pitboss.maths.kernels.simulate import SQUARES, TOTAL
from pitboss.maths.main_game import Solution, play
from pitboss.maths.qualifying import lower_qualification
from pitboss.maths.rounds import table_for
from pitboss.maths.strategies import OPTIMAL
from pitboss.maths.tables import three_tables
from pitboss.maths.three_card import ThreeCardSolution

ROUNDS_A_BATCH, BATCHES, SEED = 1 << 16, 160, 20_261


@dataclass(frozen=True, slots=True)
class Covariance:
    """The covariance of two seats' net antes under optimal play; `exact` where it was counted.

    `value` estimates it with `standard_error` where it was simulated.
    """

    value: float
    exact: Fraction | None
    standard_error: float
    how: str


def covariance_of_seats(solution: Solution) -> Covariance:
    """The covariance of two seats that play optimally."""
    if isinstance(solution, ThreeCardSolution) and not solution.game.up_cards:
        with computing("counting pairs of hands", "three-card"):
            exact = _three_card(solution)
        return Covariance(float(exact), exact, 0.0, "exact, every pair of hands counted")
    return _simulated(solution)


def _three_card(solution: ThreeCardSolution) -> Fraction:
    """Over every dealer's hand, the products of two hands that share no card with it or each other.

    The sum over all pairs of hands, less those that share a card, is had by inclusion and exclusion.
    """
    game = solution.game
    _, worths = three_tables()
    comparing = lower_comparison(game.plan, worths)
    rule = lower_qualification(game.plan, worths, least_key=comparing.least, wheel=Rank.THREE)
    hands = np.array(list(combinations(range(52), 3)), np.int64)
    values = evaluate3(hands)
    keys, classes = comparing.keys[values], comparing.classes[values].astype(int)
    plays = solution.plays[_canonical_rows(solution, hands)]
    nets = (game.base_nets + game.opening.nets)[classes]
    folded = game.folded_nets[classes]
    two = np.stack([hands[:, a] * 52 + hands[:, b] for a, b in ((0, 1), (0, 2), (1, 2))])
    dealer = np.empty(3, np.int64)
    total = 0
    for key, weight in zip(solution.hands, solution.weights.tolist(), strict=True):
        boards.cards_of(key, dealer)
        row = int(np.flatnonzero((hands == np.sort(dealer)).all(axis=1))[0])
        ranks = sum(1 << int(rank) for rank in set((dealer >> 2).tolist()))
        qualified = bool(qualifies(rule, int(keys[row]), int(values[row]), ranks))
        situation = np.where(keys > keys[row], 0, np.where(keys < keys[row], 1, 2)) if qualified else 3
        net = nets[np.arange(len(hands)), situation]
        free = ~np.isin(hands, dealer).any(axis=1)
        x = np.where(free, np.where(plays, net, folded), 0)
        ones = np.bincount(hands.ravel(), weights=np.repeat(x, 3), minlength=52)
        twos = np.bincount(two.ravel(), weights=np.tile(x, 3), minlength=52 * 52)
        # All of these are whole numbers far below 2**53, so floats hold them exactly.
        pairs = float(x.sum()) ** 2 - (ones**2).sum() + (twos**2).sum() - float((x * x).sum())
        total += weight * int(pairs)
    products = Fraction(total, comb(52, 3) * comb(49, 3) * comb(46, 3))
    return products - play(solution).ev ** 2


def _canonical_rows(solution: ThreeCardSolution, hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every hand its row among those up to the names of suits."""
    masks = np.stack([np.where(hands % 4 == suit, 1 << (hands // 4), 0).sum(axis=1) for suit in range(4)])
    a, b, c, d = np.sort(masks, axis=0)[::-1]
    keys = ((a << 13 | b) << 13 | c) << 13 | d
    rows: NDArray[np.int64] = np.searchsorted(solution.hands, keys)
    return rows


def _simulated(solution: Solution) -> Covariance:
    table = table_for(solution, OPTIMAL)

    def batch(start: int, stop: int) -> list[float]:
        found = []
        for chunk in range(start, stop):
            histogram, sums = table.chunk(seed=SEED, chunk=chunk, rounds=ROUNDS_A_BATCH, seats=2)
            nets = np.arange(table.lowest, table.highest + 1)
            mean = sums[TOTAL] / ROUNDS_A_BATCH
            both = sums[SQUARES] / ROUNDS_A_BATCH - mean**2
            one = float((histogram * nets**2).sum()) / (2 * ROUNDS_A_BATCH) - (mean / 2) ** 2
            found.append(both / 2 - one)
        return found

    with computing("simulating two seats", "simulation"):
        estimates = [each for part in in_parallel(batch, BATCHES, chunk=4) for each in part]
    error = float(np.std(estimates, ddof=1)) / math.sqrt(len(estimates))
    rounds = ROUNDS_A_BATCH * BATCHES
    return Covariance(
        float(np.mean(estimates)), None, error, f"simulated over {rounds:,} rounds of two seats"
    )
