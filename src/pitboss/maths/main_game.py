"""The main game solved: one face over the three solvers, for any way of playing it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.distribution import Distribution
from pitboss.maths.holdem import FULL_DECK, HoldemSolution, played_nets, solve_holdem
from pitboss.maths.lowering import Family, MainGame
from pitboss.maths.strategies import OPTIMAL, Strategy, Way
from pitboss.maths.stud import StudSolution, solve_stud
from pitboss.maths.three_card import ThreeCardSolution, solve_three_card
from pitboss.rulebooks.vocabulary import Order, Source

Solution = HoldemSolution | StudSolution | ThreeCardSolution
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The main game played one way: net antes per deal, antes staked, how often each bet is placed."""

    strategy: Strategy
    distribution: Distribution
    average_wager: Fraction
    decisions: Mapping[str, Fraction]

    @property
    def ev(self) -> Fraction:
        """Net antes of a deal, exactly."""
        return self.distribution.mean

    @property
    def element_of_risk(self) -> Fraction:
        """What is lost of all that is staked, exactly."""
        return -self.ev / self.average_wager


def solve(game: MainGame, ranks: tuple[int, ...] = FULL_DECK) -> Solution:
    """Solve a main game over every deal with the solver that knows it."""
    match game.family:
        case Family.HOLDEM:
            return solve_holdem(game, ranks)
        case Family.STUD:
            return solve_stud(game, ranks)
        case Family.THREE_CARD:
            return solve_three_card(game, ranks, suited_wheel=_suited_wheel_of_six(game))


def _suited_wheel_of_six(game: MainGame) -> bool:
    """How a wager on own and dealer's cards together reads a suited 5-4-3-2-A."""
    for hand in game.plan.hands.values():
        if hand.order is Order.FIVE_CARD and set(hand.places) == {Source.OWN, Source.DEALER}:
            return hand.suited_wheel
    return True


def play(solution: Solution, strategy: Strategy = OPTIMAL) -> Played:
    """The main game played one way."""
    match solution:
        case HoldemSolution():
            return _play_holdem(solution, strategy)
        case StudSolution():
            played = _stud_counts(solution, strategy)
            classes = solution.worths.classes.astype(np.int64)
            folded = solution.counts.sum(axis=1) - played.sum(axis=1)
        case ThreeCardSolution():
            played, folded = three_card_counts(solution, strategy)
            classes = solution.worths.classes[solution.values].astype(np.int64)
    return _one_decision(solution.game, strategy, _by_class(played, classes), _by_class(folded, classes))


def _by_class(counts: Counts, classes: NDArray[np.int64]) -> Counts:
    """Counts by worth or by hand, added up by class."""
    out = np.zeros((10, *counts.shape[1:]), np.int64)
    np.add.at(out, classes, counts)
    return out


def _one_decision(game: MainGame, strategy: Strategy, played: Counts, folded: Counts) -> Played:
    """A game with one decision from its deals by class: `played` by situation, and `folded`."""
    nets = game.base_nets + game.opening.nets
    results = [
        (int(nets[row, column]), int(played[row, column]))
        for row in range(nets.shape[0])
        for column in range(nets.shape[1])
    ]
    results += [(int(net), int(deals)) for net, deals in zip(game.folded_nets, folded, strict=False)]
    distribution = Distribution.of(results)
    often = Fraction(int(played.sum()), distribution.cycle)
    return Played(
        strategy=strategy,
        distribution=distribution,
        average_wager=1 + game.opening.stake * often,
        decisions={game.opening.decision: often},
    )


def _stud_counts(solution: StudSolution, strategy: Strategy) -> Counts:
    if strategy.way is Way.OPTIMAL:
        return solution.bet_counts
    return solution.counts * strategy.plays(solution.worths)[:, None]


def three_card_counts(solution: ThreeCardSolution, strategy: Strategy) -> tuple[Counts, Counts]:
    """Deals by hand and situation where the bet is placed, and deals folded by hand."""
    met = solution.met.sum(axis=-1)
    plays = solution.plays
    if strategy.way is not Way.OPTIMAL:
        plays = strategy.plays(solution.worths)[solution.values]
        plays = np.broadcast_to(plays[:, None], met.shape[:-1]) if solution.game.up_cards else plays
    played = met * plays[..., None]
    if solution.game.up_cards:
        met, played = met.sum(axis=1), played.sum(axis=1)
    played = played * solution.weights[:, None]
    return played, met.sum(axis=1) * solution.weights - played.sum(axis=1)


def holdem_plays(solution: HoldemSolution, strategy: Strategy) -> NDArray[np.bool_]:
    """Which kinds of starting hands place the first bet."""
    if strategy.way is Way.OPTIMAL:
        return solution.plays
    plays = np.ones(len(solution.plays), np.bool_)
    plays[list(strategy.folds)] = False
    return plays


def _play_holdem(solution: HoldemSolution, strategy: Strategy) -> Played:
    game = solution.game
    plays = holdem_plays(solution, strategy)
    counts = solution.counts[plays].sum(axis=0)
    if strategy.way is Way.BLIND:
        counts = np.concatenate([counts.sum(axis=-1, keepdims=True), np.zeros((10, 4, 3), np.int64)], axis=-1)
    nets = played_nets(game)
    folded = int(solution.combinations[~plays].sum()) * solution.deals_per_pair
    distribution = Distribution.of([*_cells(nets, counts), (int(game.folded_nets[0]), folded)])
    cycle = distribution.cycle
    by_bets = [int(deals) for deals in counts.sum(axis=(0, 1))]
    on_three, on_four = by_bets[1] + by_bets[3], by_bets[2] + by_bets[3]
    decisions = {game.opening.decision: Fraction(sum(by_bets), cycle)}
    for bet in game.later:
        decisions[bet.decision] = Fraction(on_three if bet.seen == 3 else on_four, cycle)
    stakes = {bet.decision: bet.stake for bet in (game.opening, *game.later)}
    return Played(
        strategy=strategy,
        distribution=distribution,
        average_wager=1 + sum((often * stakes[name] for name, often in decisions.items()), Fraction(0)),
        decisions=decisions,
    )


def _cells(nets: Counts, counts: Counts) -> Iterable[tuple[int, int]]:
    return zip(nets.ravel().tolist(), counts.ravel().tolist(), strict=True)
