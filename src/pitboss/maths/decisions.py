"""The decision for any hand asked about, and what each choice is worth over every card that can follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Card, Rank
from pitboss.errors import BadInput
from pitboss.maths.comparing import lower_comparison
from pitboss.maths.compiling import computing
from pitboss.maths.evaluators import encode
from pitboss.maths.holdem import HoldemSolution, board_keys, deck_of, kind_of_pair
from pitboss.maths.kernels import boards
from pitboss.maths.kernels import positions as kernels
from pitboss.maths.lowering import Bet, Family, MainGame
from pitboss.maths.main_game import Solution
from pitboss.maths.qualifying import lower_qualification
from pitboss.maths.stud import StudSolution
from pitboss.maths.tables import five_tables, three_tables
from pitboss.maths.three_card import ThreeCardSolution


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A decision outstanding. `bet` and `otherwise` are what either choice nets in antes from here on.

    For a bet that may be checked they count that bet alone: what else is staked is the same either way.
    """

    decision: str
    wager: str
    otherwise_name: str
    bet: Fraction
    otherwise: Fraction
    higher: Fraction
    equal: Fraction
    not_qualified: Fraction

    @property
    def best(self) -> str:
        """The wager to place, or what is done otherwise."""
        return self.wager if self.bet > self.otherwise else self.otherwise_name


def advise(game: MainGame, own: Sequence[Card], table: Sequence[Card], solution: Solution | None) -> Choice:
    """The decision with these own cards and the cards open on the table: community, or the dealer's up-card.

    Only hold'em's first decision needs the whole solution, for it hangs on how the rest is played.
    """
    bet = decision_at(game, own, table)
    mine, seen = encode(own).astype(np.int64), encode(table).astype(np.int64)
    if game.family is Family.HOLDEM and not seen.size:
        assert isinstance(solution, HoldemSolution)
        return _first_holdem(solution, mine)
    counts = _counts(game, mine, seen)
    total = int(counts.sum())
    nets = bet.nets if bet is not game.opening else bet.nets + game.base_nets
    value = Fraction(int((counts * nets).sum()), total)
    folds = bet is game.opening
    # The class of a folded hand that is not complete does not matter; the solvers see to that.
    given_up = Fraction(int((counts.sum(axis=1) * game.folded_nets).sum()), total) if folds else Fraction(0)
    return _choice(game, bet, counts.sum(axis=0), value, given_up, folds=folds)


def decision_at(game: MainGame, own: Sequence[Card], table: Sequence[Card]) -> Bet:
    """Which bet is decided with so many cards open; `BadInput` where none is or the cards cannot be."""
    cards = [*own, *table]
    size = game.plan.own_cards
    if len(own) != size:
        raise BadInput("--hand", f"{len(own)} cards", f"a hand has {size}")
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise BadInput(
                "--board" if card in table else "--hand", f"{card} stands twice", "a pack has it once"
            )
    bets = {bet.seen: bet for bet in (game.opening, *game.later)}
    if game.family is not Family.HOLDEM:
        bets = {game.up_cards: game.opening}
    if len(table) not in bets:
        counts = " or ".join(str(seen) for seen in sorted(bets))
        raise BadInput("--board", f"{len(table)} cards open", f"decisions are taken with {counts}")
    return bets[len(table)]


def _choice(
    game: MainGame,
    bet: Bet,
    situations: NDArray[np.int64],
    value: Fraction,
    otherwise: Fraction,
    *,
    folds: bool,
) -> Choice:
    total = int(situations.sum())
    higher, _, equal, weak = (Fraction(int(count), total) for count in situations)
    return Choice(
        decision=bet.decision,
        wager=bet.wager,
        otherwise_name="fold" if folds else "check",
        bet=value,
        otherwise=otherwise,
        higher=higher,
        equal=equal,
        not_qualified=weak,
    )


def _first_holdem(solution: HoldemSolution, own: NDArray[np.int64]) -> Choice:
    game = solution.game
    kind = kind_of_pair(int(own[0]), int(own[1]))
    deals = solution.deals_per_pair * int(solution.combinations[kind])
    situations = solution.counts[kind].sum(axis=(0, 2))
    value, folded = Fraction(solution.values[kind], deals), Fraction(int(game.folded_nets[0]))
    return _choice(game, game.opening, situations, value, folded, folds=True)


def _counts(game: MainGame, own: NDArray[np.int64], seen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Deals that can follow, by class of the player's hand and situation."""
    counts = np.zeros((len(game.classes), 4), np.int64)
    with computing("counting the cards that can follow", "position"):
        if game.family is Family.THREE_CARD:
            three, worths = three_tables()
            comparing = lower_comparison(game.plan, worths)
            rule = lower_qualification(game.plan, worths, least_key=comparing.least, wheel=Rank.THREE)
            kernels.three_card_position(own, seen, three, comparing, rule, counts)
            return counts
        tables, worths = five_tables(suited_wheel=game.hand.suited_wheel)
        comparing = lower_comparison(game.plan, worths)
        if game.family is Family.STUD:
            rule = lower_qualification(game.plan, worths, least_key=comparing.least, wheel=Rank.FIVE)
            kernels.stud_position(own, seen, tables, comparing, rule, counts)
        else:
            left = [card for card in range(52) if card not in {*own.tolist(), *seen.tolist()}]
            more = np.array(list(combinations(left, 5 - len(seen))), np.int64)
            kernels.holdem_position(own, seen, more, deck_of(), tables, comparing, comb(45, 2), counts)
    return counts


class Decisions:
    """The optimal decisions looked up in a solution: for bots, for checks on the engine."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._rows: dict[int, dict[int, int]] = {}
        self._hands: dict[int, int] = {}
        if isinstance(solution, HoldemSolution):
            self._rows = {seen: _places(board_keys(seen)) for seen in (3, 4)}
        else:
            self._hands = _places(
                solution.hand_keys if isinstance(solution, StudSolution) else solution.hands
            )

    def bets(self, decision: str, own: Sequence[Card], table: Sequence[Card]) -> bool:
        """Whether this decision's bet is placed. `table` holds the open community cards or the up-card."""
        mine, seen = encode(own).tolist(), encode(table).tolist()
        match self.solution:
            case HoldemSolution():
                return self._holdem(self.solution, decision, mine, seen)
            case StudSolution():
                up = seen[0]
                key = _key(mine, fixed=up & 3)
                return bool(self.solution.bets[self._hands[key], up >> 2])
            case ThreeCardSolution():
                played = self.solution.plays[self._hands[_key(mine)]]
                return bool(played[seen[0] >> 2] if self.solution.game.up_cards else played)

    def _holdem(self, solution: HoldemSolution, decision: str, own: list[int], seen: list[int]) -> bool:
        game = solution.game
        if decision == game.opening.decision:
            return bool(solution.plays[kind_of_pair(*own)])
        index = next(at for at, bet in enumerate(game.later) if bet.decision == decision)
        masks = np.zeros(4, np.int64)
        for card in seen:
            masks[card & 3] |= 1 << (card >> 2)
        order = np.empty(4, np.int64)
        row = self._rows[len(seen)][int(boards.canonical(masks, order))]
        first, second = (4 * (card >> 2) + int(order[card & 3]) for card in own)
        return bool(solution.bets_on[index][row, deck_of().numbers[first, second]])


def _places(keys: NDArray[np.int64]) -> dict[int, int]:
    return {int(key): row for row, key in enumerate(keys)}


def _key(cards: list[int], fixed: int | None = None) -> int:
    """A hand's key up to the names of suits; a fixed suit comes first."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    first = [] if fixed is None else [masks.pop(fixed)]
    a, b, c, d = first + sorted(masks, reverse=True)
    return ((a << 13 | b) << 13 | c) << 13 | d
