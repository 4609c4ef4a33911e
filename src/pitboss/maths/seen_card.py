"""What one of the dealer's cards is worth to a player who sees it before they decide."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.comparing import lower_comparison
from pitboss.maths.compiling import computing, in_parallel
from pitboss.maths.holdem import FULL_DECK, deck_of, gathered
from pitboss.maths.kernels import seen_card as kernels
from pitboss.maths.lowering import BeyondTheMaths, Family, MainGame
from pitboss.maths.main_game import play, solve
from pitboss.maths.tables import five_tables
from pitboss.progress import counting

_CHUNK = 2048


def check_seen_card(game: MainGame) -> None:
    """Raise `BeyondTheMaths` for a game in which this cannot be told."""
    if game.family is Family.STUD or game.up_cards:
        what = "a second dealer's card seen where one lies open by the rules"
        raise BeyondTheMaths(game.plan, game.opening.clauses, what)
    if len({bet.nets.tobytes() for bet in game.later}) > 1:
        raise BeyondTheMaths(game.plan, game.later[-1].clauses, "later bets with unlike pays and a card seen")


def value_with_seen_card(game: MainGame, ranks: tuple[int, ...] = FULL_DECK) -> Fraction:
    """The expected value of the main game for a player who knows one random card of the dealer's hand."""
    check_seen_card(game)
    if game.family is Family.THREE_CARD:
        return play(solve(replace(game, up_cards=1), ranks)).ev
    with computing("solving hold'em with one dealer's card seen", "seen card"):
        return _holdem(game, ranks)


def _holdem(game: MainGame, ranks: tuple[int, ...]) -> Fraction:
    cards = 4 * len(ranks)
    rest = cards - 8  # the dealer's other card
    deals = comb(cards - 3, 3) * (cards - 6) * (cards - 7) * rest  # of one pair against one seen card
    total = Fraction(0)
    with counting("ranks of the seen card", len(ranks)) as task:
        for rank in ranks:
            played, sizes = _against(game, 4 * rank, ranks)
            folded = int(game.folded_nets[0])
            for value, size in zip(played, sizes, strict=True):
                total += max(value, folded * size * deals) * 4
            task.advance()
    return total / (comb(cards, 2) * (cards - 2) * deals)


def _against(game: MainGame, seen: int, ranks: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """For each group of pairs alike beside the seen card: what playing nets in all, and its pairs."""
    deck = deck_of(ranks)
    tables, worths = five_tables(suited_wheel=game.hand.suited_wheel)
    comparing = lower_comparison(game.plan, worths)
    groups = _groups(ranks)
    fives, fours, threes = (_boards(size, seen, ranks) for size in (5, 4, 3))
    bets = {bet.seen for bet in game.later}
    later_nets = game.later[0].nets if game.later else np.zeros_like(game.base_nets)
    base_nets = game.base_nets + game.opening.nets
    count = int(groups.max()) + 1
    later = np.empty((len(fives), len(deck.pairs)), np.int16)
    rest = 4 * len(ranks) - 8
    if int(np.abs(later_nets).max()) * rest > np.iinfo(np.int16).max:
        raise BeyondTheMaths(game.plan, game.later[0].clauses, "later bets with such pays and a card seen")

    def meet(start: int, stop: int) -> NDArray[np.int64]:
        base = np.zeros(count, np.int64)
        kernels.meet_boards_beside(
            start, stop, fives, seen, deck, tables, comparing, base_nets, later_nets, groups, later, base
        )
        return base

    # Twenty orders of a board as flop, turn and river.
    base = 20 * np.sum(in_parallel(meet, len(fives), chunk=_CHUNK), axis=0)
    on_fours = gathered(fours, fives, later, deck, np.int32, seen=seen)
    more = np.zeros(count, np.int64)
    if 4 in bets:
        kernels.add_positive(fours, on_fours, 4, groups, more)
    if 3 in bets:
        on_threes = gathered(threes, fours, on_fours, deck, np.int32, seen=seen)
        kernels.add_positive(threes, on_threes, 1, groups, more)
    held = (deck.pairs == seen).any(axis=1)
    sizes = np.bincount(groups[~held], minlength=count)
    return [int(value) for value in base + more], [int(size) for size in sizes]


def _boards(size: int, seen: int, ranks: tuple[int, ...]) -> NDArray[np.int64]:
    room = np.empty(comb(4 * len(ranks) - 1, size), np.int64)
    found = kernels.boards_beside(size, seen, deck_of(ranks), room)
    return np.sort(room[:found])


def _groups(ranks: tuple[int, ...]) -> NDArray[np.int64]:
    """Pairs that differ only by the names of the last three suits, numbered alike."""
    deck = deck_of(ranks)
    lowest = np.full(len(deck.pairs), len(deck.pairs))
    for change in permutations((1, 2, 3)):
        order = (0, *change)
        number = deck.permutations[(order[0] * 4 + order[1]) * 4 + order[2]]
        lowest = np.minimum(lowest, deck.moved[number])
    return np.unique(lowest, return_inverse=True)[1].astype(np.int64)
