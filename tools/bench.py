"""Ratios measured in one run: `make bench`. Seconds depend on the machine; ratios much less."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from pokerkit import Automation, NoLimitTexasHoldem
from treys import Card as TreysCard
from treys import Evaluator

from pitboss.cards import DECK, Card, best_five
from pitboss.money import Cents, to_units
from pitboss.play import commands as c
from pitboss.play import settle
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.table import JackpotTerms, State, Terms, open_table
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.vocabulary import Position
from support import BOOKS
from support.rounds import random_facts

T = TypeVar("T")
HANDS, FACTS, ROUNDS, POKERKIT_HANDS = 30_000, 2_000, 4_400, 440
PASSES = 11
WANTED_RATIO = 10
DEALER, YOU = c.Staff(Position.DEALER), c.Player("you")


def per_second(work: Callable[[T], object], items: Sequence[T], *, passes: int = 3) -> float:
    """How many items a second, in the best of some passes."""
    best = float("inf")
    for _ in range(passes):
        began = time.perf_counter()
        for item in items:
            work(item)
        best = min(best, time.perf_counter() - began)
    return len(items) / best


def heads_up_table(book: str) -> State:
    """One player against the dealer, with a jackpot where the book has one."""
    plan = load_plan(book)
    jackpot = JackpotTerms(unit=Cents(500), reset=Cents(10_000_000), increment_bp=2000)
    terms = Terms(
        plan=plan,
        procedure=plan.procedures[0],
        positions=1,
        limits={},
        jackpot=jackpot if plan.jackpot is not None else None,
    )
    return open_table(terms, {"you": Cents(10**12)}, meter=to_units(Cents(10_000_000)))


def script(table: State, *, every_wager: bool = False) -> list[tuple[c.Command, int]]:
    """The commands of a heads-up round, and for those that draw cards how many have left the device before.

    Checked down like PokerKit's hand, or with every wager the table takes.
    """
    steps: list[tuple[c.Command, int]] = [
        (c.OpenBets(by=DEALER), 0),
        (c.PlaceWager(by=YOU, position=1, wager="ante", amount=Cents(2500)), 0),
    ]
    if every_wager and table.terms.jackpot is not None:
        steps.append((c.PlaceWager(by=YOU, position=1, wager="jackpot", amount=Cents(500)), 0))
    steps += [(c.CloseBets(by=DEALER), 0), (c.Deal(by=DEALER), 0), (c.ViewHand(by=YOU, position=1), 0)]
    used = at_last_draw = 0
    for step in table.terms.procedure.steps:
        used += (step.cards or 0) * step.rounds * (2 if step.deal == "positions-and-dealer" else 1)
        used += step.burn or 0
        if step.decide is not None:
            decision = next(d for d in table.plan.decisions if d.name == step.decide)
            checks = decision.otherwise == "check" and not every_wager
            bet = c.Bet(by=YOU, position=1, wager=decision.bet)
            steps.append((c.Check(by=YOU, position=1) if checks else bet, 0))
            at_last_draw = used
        elif step.reveal is not None:
            steps.append((c.Reveal(by=DEALER, place=step.reveal), at_last_draw))
            at_last_draw = used
    return [*steps, (c.Settle(by=DEALER), 0)]


def heads_up_round(table: State, steps: list[tuple[c.Command, int]], deck: tuple[Card, ...]) -> State:
    """A whole round through the engine: every command decided, every event folded, and settled."""
    state = table
    for command, drawn in steps:
        if isinstance(command, c.Deal):
            command = c.Deal(by=DEALER, cards=deck)
        elif isinstance(command, c.Reveal):
            command = c.Reveal(by=DEALER, place=command.place, cards=deck[drawn:])
        outcome = decide(state, command)
        if isinstance(outcome, Refusal):
            raise AssertionError(outcome)
        state = evolve_all(state, outcome)
    return state


def pokerkit_hand(_: int) -> None:
    """A heads-up hand checked down to the showdown, everything that can be automated automated."""
    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
        Automation.CARD_BURNING,
        Automation.HOLE_DEALING,
        Automation.BOARD_DEALING,
    )
    state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, (200, 200), 2)  # noqa: FBT003
    while state.status:
        state.check_or_call()


def main() -> None:
    """Print the figures."""
    rng = Random(1)
    hands = [rng.sample(DECK, 7) for _ in range(HANDS)]
    ours = per_second(best_five, hands)
    treys = Evaluator()
    ints = [[TreysCard.new(card.code) for card in hand] for hand in hands]
    theirs = per_second(lambda cards: treys.evaluate(cards[:2], cards[2:]), ints)
    print(
        f"best of seven: {ours:,.0f} hands/s readable, {theirs:,.0f} hands/s treys, ratio {ours / theirs:.2f}"
    )
    for book in BOOKS:
        plan = load_plan(book)
        rounds = [random_facts(plan, rng) for _ in range(FACTS)]
        speed = per_second(partial(settle, plan), rounds)
        print(f"settlement {book:<16} {speed:>9,.0f} rounds/s, {speed / ours:.2f} per readable hand")
    # The books are loaded for good; the collector need not walk them again, as it would not in a server.
    gc.collect()
    gc.freeze()
    decks = [tuple(rng.sample(DECK, 20)) for _ in range(ROUNDS)]
    for book in BOOKS:
        table = heads_up_table(book)
        plain, full = script(table), script(table, every_wager=True)
        speed, ratio = against_pokerkit(partial(heads_up_round, table, plain), decks)
        verdict = "ok" if ratio >= WANTED_RATIO else f"below the {WANTED_RATIO} wanted"
        print(f"heads-up round {book:<16} {speed:>7,.0f}/s, {ratio:.1f} times PokerKit ({verdict})")
        speed, ratio = against_pokerkit(partial(heads_up_round, table, full), decks)
        print(f"  with every wager              {speed:>7,.0f}/s, {ratio:.1f} times PokerKit")


def against_pokerkit(
    work: Callable[[tuple[Card, ...]], object], decks: list[tuple[Card, ...]]
) -> tuple[float, float]:
    """Rounds a second and their ratio to PokerKit's hands, turn and turn about: the medians of the passes."""
    speeds, ratios = [], []
    size = len(decks) // PASSES
    for turn in range(PASSES):
        theirs = per_second(pokerkit_hand, range(POKERKIT_HANDS // PASSES), passes=1)
        ours = per_second(work, decks[turn * size : (turn + 1) * size], passes=1)
        speeds.append(ours)
        ratios.append(ours / theirs)
    return median(speeds), median(ratios)


if __name__ == "__main__":
    main()
