"""The exact stud solver: every player's hand and up-card against every dealer's hand."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Rank
from pitboss.maths.comparing import lower_comparison
from pitboss.maths.compiling import computing, each_in_parallel
from pitboss.maths.holdem import FULL_DECK
from pitboss.maths.kernels import stud as kernels
from pitboss.maths.lowering import BeyondTheMaths, MainGame
from pitboss.maths.qualifying import lower_qualification
from pitboss.maths.tables import Worths, five_tables

SUITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class StudSolution:
    """What the solver counted, by worth of the player's hand.

    `counts` has the deals of each situation (`COMPARED`) if every hand were bet, `bet_counts` those of the
    hands that are bet under optimal play; `hands_bet` and `hands_all` count the player's hands by worth and
    rank of the up-card. `bets` holds the decisions by hand and rank of the up-card; `hand_keys` are the hands
    with the up-card's suit first and the other suits in descending order.
    """

    game: MainGame
    worths: Worths
    counts: NDArray[np.int64]
    bet_counts: NDArray[np.int64]
    hands_bet: NDArray[np.int64]
    hands_all: NDArray[np.int64]
    cycle: int
    hand_keys: NDArray[np.int64]
    bets: NDArray[np.bool_]


def solve_stud(game: MainGame, ranks: tuple[int, ...] = FULL_DECK) -> StudSolution:
    """Solve the game over every deal."""
    if game.up_cards != 1:
        raise BeyondTheMaths(
            game.plan, game.opening.clauses, "stud with other than one up-card of the dealer"
        )
    with computing("solving every deal of the stud game", "stud"):
        return _solve(game, ranks)


def _solve(game: MainGame, ranks: tuple[int, ...]) -> StudSolution:
    tables, worths = five_tables(suited_wheel=game.hand.suited_wheel)
    comparing = lower_comparison(game.plan, worths)
    rule = lower_qualification(game.plan, worths, least_key=comparing.least, wheel=Rank.FIVE)
    deck = np.array([4 * rank + suit for rank in ranks for suit in range(SUITS)], np.uint8)
    room = comb(len(deck), 5) // 4
    hands, weights = np.empty((room, 5), np.uint8), np.empty(room, np.int64)
    values = np.empty(room, np.int16)
    found = kernels.player_hands(deck, tables, hands, weights, values)
    hands, weights, values = hands[:found], weights[:found] * SUITS, values[:found]
    keys = comparing.keys[values]
    by_key = np.argsort(keys, kind="stable")
    dealers = comb(len(deck) - 6, 4)
    nets = game.base_nets + game.opening.nets
    bets = np.zeros((found, 13), np.bool_)

    def against(rank: int) -> tuple[NDArray[np.int64], ...]:
        met = np.empty((found, 3), np.int32)
        up = 4 * rank  # one suit stands for all four, and the other three for one another
        kernels.meet_up_card(up, deck, tables, comparing.keys, rule, hands, keys, by_key, met)
        by_situation = [np.zeros((len(worths), 4), np.int64) for _ in range(2)]
        by_up_card = [np.zeros((len(worths), 13), np.int64) for _ in range(2)]
        classes, folded = worths.classes, game.folded_nets
        kernels.tally(
            rank,
            met,
            weights,
            values,
            classes,
            nets,
            folded,
            dealers,
            by_situation[0],
            by_situation[1],
            by_up_card[0],
            by_up_card[1],
            bets,
        )
        return (*by_situation, *by_up_card)

    parts = each_in_parallel(against, ranks)
    counts, bet_counts, hands_bet, hands_all = (np.sum([part[i] for part in parts], axis=0) for i in range(4))
    cycle = comb(len(deck), 5) * (len(deck) - 5) * dealers
    suits = [
        np.where(hands % 4 == suit, 1 << (hands.astype(np.int64) // 4), 0).sum(axis=1) for suit in range(4)
    ]
    packed = ((suits[0] << 13 | suits[1]) << 13 | suits[2]) << 13 | suits[3]
    in_order = np.argsort(packed)
    return StudSolution(
        game=game,
        worths=worths,
        counts=counts,
        bet_counts=bet_counts,
        hands_bet=hands_bet,
        hands_all=hands_all,
        cycle=cycle,
        hand_keys=packed[in_order],
        bets=bets[in_order],
    )
