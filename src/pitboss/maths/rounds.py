"""Rounds settled by the solver's own tables: dealt at random for the simulator, or given for checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Rank
from pitboss.maths.comparing import lower_comparison
from pitboss.maths.holdem import HoldemSolution, board_keys, deck_of, played_nets
from pitboss.maths.kernels import boards
from pitboss.maths.kernels import simulate as kernels
from pitboss.maths.kernels.simulate import HoldemRules, OneBetRules
from pitboss.maths.lowering import Family, MainGame
from pitboss.maths.main_game import Solution, holdem_plays
from pitboss.maths.qualifying import lower_qualification
from pitboss.maths.strategies import Strategy, Way
from pitboss.maths.stud import StudSolution
from pitboss.maths.tables import five_tables, three_tables
from pitboss.maths.three_card import ThreeCardSolution

Counts = NDArray[np.int64]
_BLOCK = 4096
_TABLE_CARDS = {Family.HOLDEM: 7, Family.STUD: 5, Family.THREE_CARD: 3}
_OWN_CARDS = {Family.HOLDEM: 2, Family.STUD: 5, Family.THREE_CARD: 3}


@dataclass(frozen=True, slots=True)
class Table:
    """A game with a strategy, ready to settle rounds, also on another machine: it holds tables, no plan.

    `lowest` and `highest` bound a seat's net result.
    """

    family: Family
    arguments: tuple[Any, ...]
    lowest: int
    highest: int

    def chunk(self, *, seed: int, chunk: int, rounds: int, seats: int) -> tuple[Counts, Counts]:
        """Deal and settle a chunk at random: deals by net result from `lowest` up, and the kernel's sums."""
        histogram = np.zeros(self.highest - self.lowest + 1, np.int64)
        sums = np.zeros(kernels.SUMS, np.int64)
        state = np.empty(4, np.uint64)
        kernels.seeded(seed, chunk, state)
        pack = np.arange(52).astype(np.uint8)
        width = _TABLE_CARDS[self.family] + _OWN_CARDS[self.family] * seats
        cards, nets = np.empty((_BLOCK, width), np.uint8), np.empty((_BLOCK, seats), np.int64)
        for start in range(0, rounds, _BLOCK):
            size = min(_BLOCK, rounds - start)
            kernels.deal_block(pack, state, cards[:size])
            self._settle(cards[:size], seats, nets[:size], sums)
            kernels.add_rounds(nets[:size], self.lowest, histogram, sums)
        return histogram, sums

    def settle(self, cards: Sequence[Sequence[int]], *, seats: int) -> tuple[Counts, Counts]:
        """The net antes of each seat of given rounds, and how often each bet was placed.

        A round's cards lie as community and dealer (hold'em), or dealer (his up-card last in stud), then seat
        by seat.
        """
        given = np.array(cards, np.uint8)
        nets, sums = np.empty((len(given), seats), np.int64), np.zeros(kernels.SUMS, np.int64)
        self._settle(given, seats, nets, sums)
        return nets, sums[kernels.FIRST_BETS : kernels.LAST_BETS]

    def _settle(self, cards: NDArray[np.uint8], seats: int, nets: Counts, sums: Counts) -> None:
        match self.family:
            case Family.HOLDEM:
                kernels.holdem_rounds(cards, seats, *self.arguments, nets, sums)  # type: ignore[call-arg]
            case Family.STUD:
                kernels.stud_rounds(cards, seats, *self.arguments, nets, sums)  # type: ignore[call-arg]
            case Family.THREE_CARD:
                kernels.three_card_rounds(cards, seats, *self.arguments, nets, sums)  # type: ignore[call-arg]


def table_for(solution: Solution, strategy: Strategy) -> Table:
    """A table at which every seat plays by this strategy."""
    match solution:
        case HoldemSolution():
            rules = _holdem_rules(solution, strategy)
            tables, worths = five_tables(suited_wheel=solution.game.hand.suited_wheel)
            comparing = lower_comparison(solution.game.plan, worths)
            arguments: tuple[Any, ...] = (deck_of(), tables, comparing, rules)
            nets, folded = rules.nets, rules.folded
        case StudSolution():
            tables, worths = five_tables(suited_wheel=solution.game.hand.suited_wheel)
            one = _one_bet(solution, strategy, solution.hand_keys, solution.bets)
            arguments, nets, folded = _one_bet_arguments(solution.game, tables, worths, one, Rank.FIVE)
        case ThreeCardSolution():
            three, worths = three_tables()
            plays = solution.plays
            if not solution.game.up_cards:
                plays = np.repeat(plays[:, None], 13, axis=1)
            one = _one_bet(solution, strategy, solution.hands, plays)
            arguments, nets, folded = _one_bet_arguments(solution.game, three, worths, one, Rank.THREE)
    return Table(
        solution.game.family,
        arguments,
        lowest=int(min(nets.min(), folded.min())),
        highest=int(max(nets.max(), folded.max())),
    )


def _one_bet_arguments(
    game: MainGame, tables: Any, worths: Any, rules: OneBetRules, wheel: Rank
) -> tuple[tuple[Any, ...], NDArray[np.int64], NDArray[np.int64]]:
    comparing = lower_comparison(game.plan, worths)
    rule = lower_qualification(game.plan, worths, least_key=comparing.least, wheel=wheel)
    return (tables, comparing, rule, rules), rules.nets, rules.folded


def _one_bet(
    solution: StudSolution | ThreeCardSolution,
    strategy: Strategy,
    hand_keys: NDArray[np.int64],
    plays: NDArray[np.bool_],
) -> OneBetRules:
    optimal = strategy.way is Way.OPTIMAL
    return OneBetRules(
        hand_keys=hand_keys if optimal else hand_keys[:0],
        by_hand=np.ascontiguousarray(plays if optimal else plays[:0]),
        by_worth=strategy.plays(solution.worths),
        nets=solution.game.base_nets + solution.game.opening.nets,
        folded=solution.game.folded_nets,
    )


def _holdem_rules(solution: HoldemSolution, strategy: Strategy) -> HoldemRules:
    deck = deck_of()
    kinds = holdem_plays(solution, strategy)[solution.kinds]
    never = strategy.way is Way.BLIND
    later = {bet.seen: table for bet, table in zip(solution.game.later, solution.bets_on, strict=True)}
    sizes = {3: len(board_keys(3)), 4: len(board_keys(4))}
    if never or not later:
        later, sizes = {}, {3: 0, 4: 0}
    tables = [later.get(seen, np.zeros((size, len(deck.pairs)), np.bool_)) for seen, size in sizes.items()]
    return HoldemRules(
        plays=kinds,
        on_three=np.packbits(tables[0], axis=1, bitorder="little"),
        on_four=np.packbits(tables[1], axis=1, bitorder="little"),
        threes=board_numbers(3),
        fours=board_numbers(4),
        nets=played_nets(solution.game),
        folded=solution.game.folded_nets,
    )


@lru_cache(maxsize=2)
def board_numbers(size: int) -> NDArray[np.int32]:
    """For every set of cards its canonical board times 32 plus the change of suits that leads there."""
    sets = np.array(list(combinations(range(52), size)), np.int64)
    numbers = np.empty(len(sets), np.int32)
    boards.number_boards(sets, board_keys(size), deck_of().permutations, numbers)
    return numbers
