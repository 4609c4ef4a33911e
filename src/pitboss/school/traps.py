"""The errors that dealers are known to make, each as a round in which it would be made.

None asks which book it is in: a trap is there where the book settles a wager in the way that it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pitboss.cards import HandClass, class_in_words
from pitboss.money import NOTHING
from pitboss.play.facts import Status
from pitboss.play.settlement import Settlement, SettlementLine
from pitboss.rulebooks.plan import ClauseRef, FixedAward, ForOne, Plan, Wager
from pitboss.rulebooks.vocabulary import Action, Order, Situation, Source
from pitboss.school.hands import Layout
from pitboss.school.rounds import Recipe, situations
from pitboss.school.topics import Topic, settlement_topic


def traps_of(plan: Plan) -> Iterator[Topic]:
    """The known errors that can be made in a book, in the order in which they are drilled."""
    sides = [wager for wager in plan.wagers if _is_side(wager)]
    for wager in sides:
        if wager.settlement[Situation.LOWER].then is Action.PAY:
            yield _on_a_loss(wager)
    for wager in sides:
        if _pays_after_fold(wager):
            yield _cleared_too_soon(wager)
    for wager in plan.wagers:
        if wager.against_dealer and wager.pays.unlisted is Action.RETURN and wager.pays.flat is None:
            yield _paid_too_low(wager)
    if plan.jackpot is not None:
        jackpot = plan.wager(plan.jackpot.wager)
        if _pays_after_fold(jackpot):
            yield _jackpot_after_fold(jackpot)


def _is_side(wager: Wager) -> bool:
    return not wager.against_dealer and wager.units is None and wager.extra_on is None


def _pays_after_fold(wager: Wager) -> bool:
    return wager.settlement[Situation.FOLDED].then is Action.PAY and Source.OWN in wager.pays.hand.places


def _on_a_loss(wager: Wager) -> Topic:
    """Pair Plus unpaid, or Bonus taken, on a hand that loses to the dealer's."""
    what = "taken" if wager.pays.hand.order is Order.HOLE_CARDS else "unpaid"
    title = f"{wager.area} {what} on a losing hand"
    recipe = Recipe(
        sides=True,
        plants=partial(_plant, wager),
        wants=lambda plan, facts, result: (
            situations(plan, facts)[0] is Situation.LOWER and _line(result, wager).paid > NOTHING
        ),
    )
    return settlement_topic(f"trap-on-a-loss-{wager.name}", 1, recipe, title=title, is_trap=True)


def _cleared_too_soon(wager: Wager) -> Topic:
    """Folded cards are cleared before the wager they still win is read."""
    title = f"Folded cards cleared before the {wager.area} is read"
    recipe = Recipe(
        statuses=(Status.FOLDED,),
        sides=True,
        plants=partial(_plant, wager),
        wants=lambda plan, facts, result: _line(result, wager).paid > NOTHING,
    )
    return settlement_topic(f"trap-cleared-{wager.name}", 1, recipe, title=title, is_trap=True)


def _paid_too_low(wager: Wager) -> Topic:
    """The Ante is paid though the winning hand is below the least that it pays on."""
    lowest = class_in_words([row.value for row in HandClass if row in wager.pays.rows][-1])
    title = f"{wager.area} paid below a {lowest}"
    recipe = Recipe(
        wants=lambda plan, facts, result: (
            situations(plan, facts)[0] is Situation.HIGHER
            and _line(result, wager).paid == NOTHING == _line(result, wager).collected
        ),
    )
    return settlement_topic(f"trap-paid-too-low-{wager.name}", 1, recipe, title=title, is_trap=True)


def _jackpot_after_fold(wager: Wager) -> Topic:
    """The jackpot of a folded hand is forgotten."""
    recipe = Recipe(
        statuses=(Status.FOLDED,),
        jackpot=True,
        plants=partial(_plant, wager),
        wants=lambda plan, facts, result: _line(result, wager).paid > NOTHING,
    )
    title = "Jackpot forgotten after a fold"
    return settlement_topic(f"trap-folded-{wager.name}", 1, recipe, title=title, is_trap=True)


def _plant(wager: Wager, layout: Layout) -> None:
    """The first hand gets one that the wager pays on; of a jackpot's, no share of the meter."""
    rows = [
        row
        for row, pay in wager.pays.rows.items()
        if wager.units is None or isinstance(pay, FixedAward | ForOne)
    ]
    layout.plant(next(iter(layout.own)), wager.pays.hand, layout.rng.choice(rows or list(wager.pays.rows)))


def _line(result: Settlement, wager: Wager) -> SettlementLine:
    """The first hand's line of a wager; one that was not staked came to nothing."""
    for line in result.seats[0].lines:
        if line.wager == wager.name:
            return line
    return SettlementLine(
        wager=wager.name,
        stake=NOTHING,
        returned=NOTHING,
        collected=NOTHING,
        paid=NOTHING,
        clauses=(ClauseRef(""),),
    )
