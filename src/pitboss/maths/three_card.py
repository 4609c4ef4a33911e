"""The exact three-card solver: every player's hand against every dealer's hand."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Rank
from pitboss.maths.comparing import lower_comparison
from pitboss.maths.compiling import computing, in_parallel
from pitboss.maths.holdem import FULL_DECK, board_keys
from pitboss.maths.kernels import boards
from pitboss.maths.kernels import three_card as kernels
from pitboss.maths.kernels.evaluate import worth_of_each_three
from pitboss.maths.lowering import MainGame
from pitboss.maths.qualifying import lower_qualification
from pitboss.maths.tables import Worths, five_tables, three_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeCardSolution:
    """What the solver counted, by the player's hand up to the names of suits.

    `met` is by hand, situation (`COMPARED`) and class of the six cards together, over all dealer's hands;
    `plays` says which hands place the bet. With a dealer's card up both have one more axis, its rank, and
    `met` counts dealer's hands with their up-card.
    """

    game: MainGame
    worths: Worths
    hands: NDArray[np.int64]
    weights: NDArray[np.int64]
    values: NDArray[np.int16]
    met: NDArray[np.int64]
    plays: NDArray[np.bool_]
    cycle: int


def solve_three_card(
    game: MainGame, ranks: tuple[int, ...] = FULL_DECK, *, suited_wheel: bool = True
) -> ThreeCardSolution:
    """Solve the game over every deal. `suited_wheel` concerns the six cards together."""
    with computing("solving every deal of the three-card game", "three-card"):
        return _solve(game, ranks, suited_wheel=suited_wheel)


def _solve(game: MainGame, ranks: tuple[int, ...], *, suited_wheel: bool) -> ThreeCardSolution:
    tables, worths = three_tables()
    fives, five_worths = five_tables(suited_wheel=suited_wheel)
    comparing = lower_comparison(game.plan, worths)
    rule = lower_qualification(game.plan, worths, least_key=comparing.least, wheel=Rank.THREE)
    hands = board_keys(3, ranks)
    deck = np.array([4 * rank + suit for rank in ranks for suit in range(4)], np.int64)
    cards = np.empty((len(hands), 3), np.int64)
    for number, key in enumerate(hands):
        boards.cards_of(key, cards[number])
    values = np.empty(len(hands), np.int16)
    worth_of_each_three(cards.astype(np.uint8), tables, values)
    met = np.zeros((len(hands), 13, 4, 10), np.int64)
    in_parallel(
        lambda start, stop: kernels.meet_dealers(
            start, stop, hands, deck, tables, comparing.keys, rule, fives, five_worths.classes, met
        ),
        len(hands),
        chunk=max(8, len(hands) // 64),
    )
    dealers = comb(len(deck) - 3, 3)
    if not game.up_cards:
        met = met.sum(axis=1) // 3
    nets = (game.base_nets + game.opening.nets)[worths.classes[values]]
    folded = game.folded_nets[worths.classes[values]]
    by_situation = met.sum(axis=-1)
    if game.up_cards:
        net = np.einsum("hus,hs->hu", by_situation, nets)
        plays = net > folded[:, None] * by_situation.sum(axis=-1)
    else:
        plays = np.einsum("hs,hs->h", by_situation, nets) > folded * dealers
    weights = np.array([boards.orbit(key) for key in hands], np.int64)
    return ThreeCardSolution(
        game=game,
        worths=worths,
        hands=hands,
        weights=weights,
        values=values,
        met=met,
        plays=plays,
        cycle=comb(len(deck), 3) * dealers * (3 if game.up_cards else 1),
    )
