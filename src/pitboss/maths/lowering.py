"""Lowering: from the plan the engine interprets to the integer tables the kernels count with.

No rule is written here a second time. What becomes of a wager is read off the plan's own settlement cells and
pay tables; what the kernels cannot count is refused with the clause that is beyond them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import HandClass, HandOrder
from pitboss.errors import BadInput
from pitboss.rulebooks import Plan
from pitboss.rulebooks.book import Decision, Procedure
from pitboss.rulebooks.plan import Clauses, HandSpec, ToOne, Wager
from pitboss.rulebooks.vocabulary import Action, Order, Place, Qualifying, Situation, Source

COMPARED = (Situation.HIGHER, Situation.LOWER, Situation.EQUAL, Situation.DEALER_NOT_QUALIFIED)
"""How a hand that was not folded may stand; the kernels count in this order."""

Nets = NDArray[np.int64]


class BeyondTheMaths(BadInput):
    """A rulebook with a rule that the solvers cannot price; it names the clause."""

    def __init__(self, plan: Plan, clauses: Clauses | tuple[str, ...], what: str) -> None:
        numbers = ", ".join(dict.fromkeys(clauses))
        word = "clauses" if "," in numbers else "clause"
        super().__init__(
            f"rulebook {plan.id}", f"{word} {numbers} cannot be priced", f"the solvers do not know {what}"
        )


class Family(StrEnum):
    """The solvers there are, by what lies on the table."""

    HOLDEM = "hold'em"
    STUD = "stud"
    THREE_CARD = "three-card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """A wager placed at a decision. `stake` is in antes; `seen` counts the community cards that lie open.

    `nets` is what it nets in antes, by class of the player's hand and by situation (`COMPARED`).
    """

    decision: str
    wager: str
    stake: int
    seen: int
    nets: Nets
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class MainGame:
    """The main game in numbers: the base wager and what hangs on it, in antes.

    `opening` is placed or the hand is folded; each of `later` is placed or checked. `base_nets` holds the
    base wager with its extras (the Ante Bonus), `folded_nets` what it nets by class after a fold.
    """

    plan: Plan
    family: Family
    hand: HandSpec
    base: Wager
    opening: Bet
    later: tuple[Bet, ...]
    base_nets: Nets
    folded_nets: Nets
    up_cards: int

    @property
    def classes(self) -> tuple[HandClass, ...]:
        """The classes of hands, lowest first."""
        return HandOrder(self.hand.order.value).classes

    @property
    def wagers(self) -> frozenset[str]:
        """The wagers that belong to the main game, extras among them."""
        extras = (wager.name for wager in self.plan.wagers if wager.extra_on == self.base.name)
        return frozenset({self.base.name, *extras, self.opening.wager, *(bet.wager for bet in self.later)})


def lower_main_game(plan: Plan) -> MainGame:
    """The main game of a plan, or `BeyondTheMaths`."""
    family = _family(plan)
    base = _base(plan)
    seen, up_cards = _seen(plan)
    _check_qualification(plan, family)
    for decision in plan.decisions:
        _check_pays(plan, plan.wager(decision.bet))
    bets = [_bet(plan, decision, base, seen) for decision in plan.decisions]
    if not bets or plan.decisions[0].otherwise != "fold":
        raise BeyondTheMaths(plan, _decision_clauses(plan), "a first decision other than bet or fold")
    opening, later = bets[0], tuple(bets[1:])
    if any(decision.otherwise != "check" for decision in plan.decisions[1:]):
        raise BeyondTheMaths(plan, plan.decisions[-1].clauses, "a fold after the first decision")
    if opening.seen:
        raise BeyondTheMaths(plan, plan.decisions[0].clauses, "a first decision with community cards open")
    stages = [bet.seen for bet in later]
    if (family is Family.HOLDEM and not set(stages) <= {3, 4}) or len(set(stages)) != len(stages):
        raise BeyondTheMaths(plan, _decision_clauses(plan), "these decisions on the community cards")
    if family is not Family.HOLDEM and later:
        raise BeyondTheMaths(plan, plan.decisions[1].clauses, "a second decision in this game")
    if up_cards and family is Family.HOLDEM:
        raise BeyondTheMaths(plan, _decision_clauses(plan), "a dealer's card turned up before the decisions")
    extras = [wager for wager in plan.wagers if wager.extra_on == base.name]
    for wager in (base, *extras):
        _check_pays(plan, wager)
    base_nets = nets(plan, base) + sum(nets(plan, extra) for extra in extras)
    folded = nets_folded(plan, base) + sum(nets_folded(plan, extra) for extra in extras)
    return MainGame(
        plan=plan,
        family=family,
        hand=plan.comparison.hand,
        base=base,
        opening=opening,
        later=later,
        base_nets=base_nets,
        folded_nets=folded,
        up_cards=up_cards,
    )


MOST_NET = 10_000_000
"""Antes a hand may net for the kernels' integers to hold every sum."""


def _check_pays(plan: Plan, wager: Wager) -> None:
    pays = [pay.odds for pay in wager.pays.rows.values() if isinstance(pay, ToOne)]
    if max(pays, default=0) * wager.times > MOST_NET:
        raise BeyondTheMaths(plan, wager.pays.clauses, f"a wager that nets more than {MOST_NET:,} antes")


def _family(plan: Plan) -> Family:
    """Which solver knows this table."""
    spec = plan.comparison.hand
    shape = (plan.own_cards, plan.dealer_cards, spec.order, " ".join(sorted(spec.places)))
    if shape == (2, 2, Order.FIVE_CARD, f"{Source.COMMUNITY} {Source.OWN}") and plan.community_cards == 5:
        return Family.HOLDEM
    if shape == (5, 5, Order.FIVE_CARD, Source.OWN.value) and plan.community_cards == 0:
        return Family.STUD
    if shape == (3, 3, Order.THREE_CARD, Source.OWN.value):
        return Family.THREE_CARD
    raise BeyondTheMaths(
        plan,
        plan.comparison.clauses,
        "this count of cards; they know two cards with five on the board, five cards, and three cards",
    )


def _base(plan: Plan) -> Wager:
    """The wager that every continue wager is sized by."""
    sizes = {plan.wager(decision.bet).of for decision in plan.decisions}
    if len(sizes) != 1 or None in sizes:
        raise BeyondTheMaths(plan, _decision_clauses(plan), "continue wagers of unlike bases")
    return plan.wager(sizes.pop() or "")


def _decision_clauses(plan: Plan) -> tuple[str, ...]:
    return tuple(number for decision in plan.decisions for number in decision.clauses)


def _seen(plan: Plan) -> tuple[dict[str, int], int]:
    """How many community cards lie open at each decision, and how many of the dealer's at the first."""
    found = [_open_cards(plan, procedure) for procedure in plan.procedures]
    if any(other != found[0] for other in found[1:]):
        clauses = tuple(number for procedure in plan.procedures for number in procedure.clauses)
        raise BeyondTheMaths(plan, clauses, "procedures that show the players unlike cards")
    return found[0]


def _open_cards(plan: Plan, procedure: Procedure) -> tuple[dict[str, int], int]:
    seen: dict[str, int] = {}
    open_cards: set[int] = set()
    up = 0
    up_at_first = 0
    for step in procedure.steps:
        if step.turn_up == Place.DEALER:
            up += 1
        elif step.reveal is not None:
            parts = plan.parts.get(step.reveal, ())
            open_cards |= (
                set(range(1, plan.community_cards + 1)) if step.reveal == Place.COMMUNITY else set(parts)
            )
        elif step.decide is not None:
            up_at_first = up if not seen else up_at_first
            seen[step.decide] = len(open_cards)
    return seen, up_at_first


def _check_qualification(plan: Plan, family: Family) -> None:
    rule = plan.qualification
    if rule is not None and family is Family.HOLDEM and rule.rule is not Qualifying.HAND_AT_LEAST:
        raise BeyondTheMaths(plan, rule.clauses, "a dealer of seven cards who qualifies by single cards")


def _bet(plan: Plan, decision: Decision, base: Wager, seen: Mapping[str, int]) -> Bet:
    wager = plan.wager(decision.bet)
    return Bet(
        decision=decision.name,
        wager=wager.name,
        stake=wager.times,
        seen=seen[decision.name],
        nets=nets(plan, wager) * wager.times,
        clauses=wager.clauses,
    )


def nets(plan: Plan, wager: Wager) -> Nets:
    """What one unit of a wager nets by class of the compared hand and by situation.

    An extra has no stake of its own to lose: one unit is one of the wager it hangs on.
    """
    spec = plan.comparison.hand
    if wager.pays.flat is None and wager.pays.hand.name != spec.name:
        raise BeyondTheMaths(plan, wager.pays.clauses, f"a {wager.name} wager paid on another hand")
    classes = HandOrder(spec.order.value).classes
    table = np.zeros((len(classes), len(COMPARED)), np.int64)
    for column, situation in enumerate(COMPARED):
        cell = wager.settlement.get(situation)
        if cell is not None:
            for row, hand_class in enumerate(classes):
                table[row, column] = net(wager, cell.then, hand_class.value)
    return table


def nets_folded(plan: Plan, wager: Wager) -> Nets:
    """What one unit of a wager nets by class when the hand is folded."""
    classes = HandOrder(plan.comparison.hand.order.value).classes
    cell = wager.settlement[Situation.FOLDED]
    return np.array([net(wager, cell.then, hand_class.value) for hand_class in classes], np.int64)


def net(wager: Wager, action: Action, row: str) -> int:
    """What one unit of a wager nets when the cell says so and the hand is on this row of its pay table."""
    stake = 0 if wager.extra_on is not None else 1
    if action is Action.PAY:
        pay = wager.pays.flat or wager.pays.rows.get(row)
        if isinstance(pay, ToOne):
            return pay.odds
        action = wager.pays.unlisted
    return -stake if action is Action.COLLECT else 0
