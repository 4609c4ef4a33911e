"""Side wagers: every wager beside the main game, on whatever cards settle it, exactly.

A side wager is priced under the main game's optimal play, for a fold may cost it. Its rows come with the
deals that land on them, so that a pay table can be printed with its exact combinations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import HandClass, HoleClass
from pitboss.maths.compiling import computing
from pitboss.maths.distribution import Distribution
from pitboss.maths.holdem import KINDS, HoldemSolution, board_keys, kind_of_pair
from pitboss.maths.kernels import boards
from pitboss.maths.kernels.evaluate import worth_of_each_seven
from pitboss.maths.kernels.three_card import classes_with_more
from pitboss.maths.lowering import COMPARED, BeyondTheMaths
from pitboss.maths.main_game import Solution
from pitboss.maths.stud import StudSolution
from pitboss.maths.tables import five_tables
from pitboss.maths.three_card import ThreeCardSolution
from pitboss.money import Cents
from pitboss.rulebooks import Plan
from pitboss.rulebooks.plan import HandSpec, ToOne, Wager
from pitboss.rulebooks.vocabulary import Action, Order, Situation, Source

Landed = dict[tuple[str, Situation], int]
"""Deals by row of a pay table and situation; the compared situations may stand together as HIGHER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """A side wager priced: what one unit staked nets, and the deals on each row of its pay table.

    `rows` has the deals in which a row is paid; `paid` what it then pays in units.
    """

    wager: str
    distribution: Distribution
    rows: dict[str, int]
    paid: dict[str, Fraction]
    stake: Cents | None = None

    @property
    def ev(self) -> Fraction:
        """What a unit staked nets, exactly."""
        return self.distribution.mean


def price_side_wager(solution: Solution, wager: Wager, *, stake: Cents | None = None) -> SideResult:
    """Price a side wager other than the jackpot. `stake` matters where a cap bounds what is paid."""
    plan = solution.game.plan
    results: list[tuple[Fraction | int, int]] = []
    rows: dict[str, int] = {}
    paid: dict[str, Fraction] = {}
    for (row, situation), deals in landings(solution, wager).items():
        action = wager.settlement[situation].then
        pay = wager.pays.flat or wager.pays.rows.get(row)
        if action is Action.PAY and pay is None:
            action = wager.pays.unlisted
        if action is Action.PAY:
            if not isinstance(pay, ToOne):
                raise BeyondTheMaths(plan, wager.pays.clauses, "such a pay on a wager that is no jackpot")
            odds = _capped(wager, pay.odds, stake)
            rows[row] = rows.get(row, 0) + deals
            paid[row] = odds
            results.append((odds, deals))
        else:
            results.append((-1 if action is Action.COLLECT else 0, deals))
    return SideResult(
        wager=wager.name, distribution=Distribution.of(results), rows=rows, paid=paid, stake=stake
    )


def _capped(wager: Wager, odds: int, stake: Cents | None) -> Fraction:
    """What odds come to in units of the stake under the table's cap; without a stake nothing is capped."""
    if stake is None or wager.pays.cap is None:
        return Fraction(odds)
    cap = wager.pays.cap - stake if wager.pays.cap_includes_stake else wager.pays.cap
    return Fraction(max(0, min(odds * stake, cap)), stake)


def landings(solution: Solution, wager: Wager) -> Landed:
    """The deals on each row of a side wager's pay table, by situation, under optimal play."""
    spec = wager.pays.hand
    plan = solution.game.plan
    same = same_when_compared(wager)
    match solution:
        case HoldemSolution():
            found = _holdem(solution, wager, spec, same=same)
        case StudSolution():
            found = _stud(solution, spec)
        case ThreeCardSolution():
            found = _three_card(solution, wager, spec, same=same)
    landed: Landed = {}
    for row, situation, deals in found or ():
        if deals:
            landed[row, situation] = landed.get((row, situation), 0) + deals
    if found is None or not landed:
        raise BeyondTheMaths(plan, wager.pays.clauses, f"a {wager.name} wager settled on these cards")
    return landed


def same_when_compared(wager: Wager) -> bool:
    """Whether the comparison with the dealer does not matter to the wager."""
    return len({wager.settlement[s].then for s in COMPARED if s in wager.settlement}) == 1


Found = Iterator[tuple[str, Situation, int]] | None


# --- hold'em --------------------------------------------------------------------------------------------


def _holdem(solution: HoldemSolution, wager: Wager, spec: HandSpec, *, same: bool) -> Found:
    places = set(spec.places)
    if spec.order is Order.HOLE_CARDS and places == {Source.OWN, Source.DEALER}:
        return _hole_cards(solution, same=same)
    if spec.order is Order.FIVE_CARD and places == {Source.OWN, Source.COMMUNITY}:
        return _final_hand(solution) if spec.suited_wheel == solution.game.hand.suited_wheel else None
    parts = solution.game.plan.parts
    flops = [part for part, numbers in parts.items() if set(numbers) == {1, 2, 3}]
    if spec.order is Order.FIVE_CARD and same and any(places == {Source.OWN, part} for part in flops):
        return _own_and_flop(solution, spec)
    return None


def _dealt(solution: HoldemSolution) -> NDArray[np.int64]:
    """Deals by kind of starting hand and situation, as if no hand were folded."""
    deals: NDArray[np.int64] = solution.counts.sum(axis=(1, 3))
    return deals


def _hole_cards(solution: HoldemSolution, *, same: bool) -> Iterator[tuple[str, Situation, int]]:
    """Rows by the player's hole cards; a pair of aces is told apart by the dealer's."""
    aces = kind_of_pair(48, 49)
    both = _aces_against_aces(solution, same=same)
    for kind, deals in enumerate(_dealt(solution).tolist()):
        row = _hole_row(kind)
        for situation, count in zip(COMPARED, deals, strict=True):
            special = both.get(situation, 0) if kind == aces else 0
            fate = situation if solution.plays[kind] else Situation.FOLDED
            yield row, fate, count - special
            yield HoleClass.ACES_BOTH, fate, special


def _hole_row(kind: int) -> str:
    from pitboss.cards import Card, Rank, Suit, hole_class

    row, column = divmod(kind, 13)
    second = Suit.CLUBS if row > column else Suit.DIAMONDS
    high, low = Rank(max(row, column) + 2), Rank(min(row, column) + 2)
    return hole_class((Card(high, Suit.CLUBS), Card(low, second)), ()).value


def _aces_against_aces(solution: HoldemSolution, *, same: bool) -> dict[Situation, int]:
    """Deals in which player and dealer both hold a pair of aces, by situation.

    One pair of suits stands for all six. Where the comparison does not matter they all count as HIGHER.
    """
    if 12 not in solution.ranks:
        return {}
    ways = 6 * 20  # pairs of suits, and orders of five cards as flop, turn and river
    if same:
        return {Situation.HIGHER: ways * comb(4 * len(solution.ranks) - 4, 5)}
    rest = [4 * rank + suit for rank in solution.ranks for suit in range(4) if rank != 12]
    board = np.array(list(combinations(rest, 5)), np.uint8)
    tables, worths = five_tables(suited_wheel=solution.game.hand.suited_wheel)
    mine, other = np.empty(len(board), np.int16), np.empty(len(board), np.int16)
    for cards, out in (((48, 49), mine), ((50, 51), other)):
        own = np.broadcast_to(np.array(cards, np.uint8), (len(board), 2))
        worth_of_each_seven(np.hstack([own, board]), tables, out)
    from pitboss.maths.comparing import lower_comparison

    keys = lower_comparison(solution.game.plan, worths).keys
    mine, other = keys[mine], keys[other]
    return {
        Situation.HIGHER: ways * int((mine > other).sum()),
        Situation.LOWER: ways * int((mine < other).sum()),
        Situation.EQUAL: ways * int((mine == other).sum()),
    }


def _final_hand(solution: HoldemSolution) -> Iterator[tuple[str, Situation, int]]:
    by_class = solution.counts.sum(axis=3)
    for kind in range(KINDS):
        for row, hand_class in enumerate(solution.game.classes):
            for column, situation in enumerate(COMPARED):
                fate = situation if solution.plays[kind] else Situation.FOLDED
                yield hand_class.value, fate, int(by_class[kind, row, column])


def _own_and_flop(solution: HoldemSolution, spec: HandSpec) -> Iterator[tuple[str, Situation, int]]:
    keys = board_keys(2, solution.ranks)
    classes = _with_more(keys, 2, 3, solution.ranks, spec)
    cards = np.empty(2, np.int64)
    flops = comb(4 * len(solution.ranks) - 2, 3)
    for key, row in zip(keys, classes.tolist(), strict=True):
        boards.cards_of(key, cards)
        kind = kind_of_pair(int(cards[0]), int(cards[1]))
        fate = Situation.HIGHER if solution.plays[kind] else Situation.FOLDED
        deals = boards.orbit(key) * (solution.deals_per_pair // flops)
        for hand_class, count in zip(HandClass, reversed(row), strict=True):
            yield hand_class.value, fate, count * deals


def _with_more(
    keys: NDArray[np.int64], size: int, more: int, ranks: tuple[int, ...], spec: HandSpec
) -> NDArray[np.int64]:
    """The classes each hand makes with more cards of the pack, lowest class first."""
    return _counted_with_more(keys.tobytes(), size, more, ranks, suited_wheel=spec.suited_wheel)


@lru_cache(maxsize=8)
def _counted_with_more(
    keys: bytes, size: int, more: int, ranks: tuple[int, ...], *, suited_wheel: bool
) -> NDArray[np.int64]:
    """A report prices many readings of one book, and few of them change which cards make which hand."""
    hands = np.frombuffer(keys, np.int64).copy()  # kernels are compiled for arrays that may be written
    tables, worths = five_tables(suited_wheel=suited_wheel)
    deck = np.array([4 * rank + suit for rank in ranks for suit in range(4)], np.int64)
    out = np.zeros((len(hands), 10), np.int64)
    with computing("counting the hands of the side wagers", "side wager"):
        classes_with_more(0, len(hands), hands, size, more, deck, tables, worths.classes, out)
    out.flags.writeable = False
    return out


# --- stud -----------------------------------------------------------------------------------------------


def _stud(solution: StudSolution, spec: HandSpec) -> Found:
    if spec.order is not Order.FIVE_CARD or set(spec.places) != {Source.OWN}:
        return None
    if spec.suited_wheel != solution.game.hand.suited_wheel:
        return None
    return _own_five(solution)


def _own_five(solution: StudSolution) -> Iterator[tuple[str, Situation, int]]:
    for row, hand_class in enumerate(solution.game.classes):
        mine = solution.worths.classes == row
        bet = solution.bet_counts[mine].sum(axis=0).tolist()
        for situation, deals in zip(COMPARED, bet, strict=True):
            yield hand_class.value, situation, deals
        yield hand_class.value, Situation.FOLDED, int(solution.counts[mine].sum()) - sum(bet)


# --- three cards ----------------------------------------------------------------------------------------


def _three_card(solution: ThreeCardSolution, wager: Wager, spec: HandSpec, *, same: bool) -> Found:
    places = set(spec.places)
    if spec.order is Order.THREE_CARD and places == {Source.OWN}:
        return _own_three(solution)
    if spec.order is not Order.FIVE_CARD or solution.game.up_cards:
        return None
    if places == {Source.OWN, Source.DEALER}:
        return _six_cards(solution)
    if same and places == {Source.OWN, Source.COMMUNITY} and solution.game.plan.community_cards == 2:
        return _own_and_community(solution, spec)
    return None


def _own_three(solution: ThreeCardSolution) -> Iterator[tuple[str, Situation, int]]:
    from pitboss.maths.main_game import three_card_counts
    from pitboss.maths.strategies import OPTIMAL

    played, folded = three_card_counts(solution, OPTIMAL)
    classes = solution.worths.classes[solution.values]
    for row, hand_class in enumerate(solution.game.classes):
        mine = classes == row
        for situation, deals in zip(COMPARED, played[mine].sum(axis=0).tolist(), strict=True):
            yield hand_class.value, situation, deals
        yield hand_class.value, Situation.FOLDED, int(folded[mine].sum())


def _six_cards(solution: ThreeCardSolution) -> Iterator[tuple[str, Situation, int]]:
    weighted = solution.met * solution.weights[:, None, None]
    played, folded = weighted[solution.plays].sum(axis=0), weighted[~solution.plays].sum(axis=(0, 1))
    for row, hand_class in enumerate(reversed(HandClass)):
        for column, situation in enumerate(COMPARED):
            yield hand_class.value, situation, int(played[column, row])
        yield hand_class.value, Situation.FOLDED, int(folded[row])


def _own_and_community(solution: ThreeCardSolution, spec: HandSpec) -> Iterator[tuple[str, Situation, int]]:
    """Rows by own three and two community cards; the dealer's do not matter and are left out of the count."""
    ranks = tuple(sorted({int(card) >> 2 for card in _cards_of_all(solution.hands)}))
    classes = _with_more(solution.hands, 3, 2, ranks, spec) * solution.weights[:, None]
    for row, hand_class in enumerate(reversed(HandClass)):
        yield hand_class.value, Situation.HIGHER, int(classes[solution.plays, row].sum())
        yield hand_class.value, Situation.FOLDED, int(classes[~solution.plays, row].sum())


def _cards_of_all(keys: NDArray[np.int64]) -> Iterator[int]:
    cards = np.empty(3, np.int64)
    for key in keys:
        boards.cards_of(key, cards)
        yield from cards.tolist()


def side_wagers(plan: Plan, solution: Solution) -> tuple[Wager, ...]:
    """The wagers beside the main game, the jackpot left out."""
    main = solution.game.wagers
    jackpot = None if plan.jackpot is None else plan.jackpot.wager
    return tuple(
        wager
        for wager in plan.wagers
        if wager.name not in main and wager.name != jackpot and not wager.extra_on
    )
