"""Exhaustive histories on a reduced deck: every deal and every choice of one player, counted stage by stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from pitboss.cards import Card, parse_cards
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.dealing import outstanding
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.table import State, Terms, open_table
from pitboss.rulebooks import Plan, load_plan
from pitboss.rulebooks.vocabulary import Place, Position

DEALER, PLAYER = c.Staff(Position.DEALER), c.Player("p1")

DECKS = {
    "mbs-thb-9": "As Ks Qs Js Ts 9h 9d 2c 2d",
    "hoiana-thb-2025": "As Ks Qs Js Ts 9h 9d 2c 2d",
    "rws-thp-2": "As Ks Qs Js Ts 9h 9d 2c 2d",
    "mbs-3cp-2023": "As Ks Qs 9h 9d 2c 3c 4c 8d",
    "mbs-stud-6": "As Ks Qs Js Ts 9h 9d 9c 2c 3d 4h",
}
"""A pack of few cards a book, enough for one hand and the dealer's."""


def histories(book: str, procedure: str = "") -> Counter[str]:
    """How many histories there are at each stage, and how the last ones end, by the player's net result."""
    plan = load_plan(book)
    counts: Counter[str] = Counter()
    chosen = plan.procedure(procedure) if procedure else plan.procedures[0]
    terms = Terms(plan=plan, procedure=chosen, positions=1, limits={}, jackpot=None)
    table = open_table(terms, {"p1": Cents(1_000_000)})
    for command in (
        c.OpenBets(by=DEALER),
        c.PlaceWager(by=PLAYER, position=1, wager="ante", amount=Cents(100)),
        c.CloseBets(by=DEALER),
    ):
        table = _after(table, command)
    for deck in _deals(plan, terms, parse_cards(DECKS[book].split())):
        counts["deals"] += 1
        _walk(_after(table, c.Deal(by=DEALER, cards=deck)), deck, counts)
    return counts


def _after(state: State, command: c.Command) -> State:
    outcome = decide(state, command)
    assert not isinstance(outcome, Refusal), outcome
    return evolve_all(state, outcome)


def _walk(state: State, deck: tuple[Card, ...], counts: Counter[str]) -> None:
    decision = outstanding(state)
    if (
        decision is not None
        and not state.boxes[1].choices.get(decision.name)
        and state.boxes[1].fate == "in-play"
    ):
        other: c.Command = c.Fold(by=PLAYER, position=1)
        if decision.otherwise == "check":
            other = c.Check(by=PLAYER, position=1)
        for choice in (c.Bet(by=PLAYER, position=1, wager=decision.bet), other):
            counts[f"{decision.name} {type(choice).__name__.lower()}"] += 1
            _walk(_after(state, choice), deck, counts)
        return
    folded = state.boxes[1].fate == "folded"
    left = [step.reveal for step in state.terms.procedure.steps[state.step :] if step.reveal is not None]
    if left and not folded:
        used = sum(state.dealt.values()) + len(state.burned)
        _walk(_after(state, c.Reveal(by=DEALER, place=left[0], cards=deck[used:])), deck, counts)
        return
    done = _after(state, c.Settle(by=DEALER))
    assert done.settlement is not None
    counts[f"net {done.settlement.seats[0].net // 100:+d}"] += 1


def _deals(plan: Plan, terms: Terms, pack: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Every deal that differs: which cards go to which place, one order each. Burned cards are those left over."""
    sizes: list[tuple[str, int]] = []
    for step in terms.procedure.steps:
        if step.deal == Place.COMMUNITY and plan.parts:
            sizes += [(part, len(numbers)) for part, numbers in plan.parts.items()]
        elif step.deal == Place.POSITIONS_AND_DEALER:
            raise AssertionError("dealt one at a time, a hand's cards are not next to each other in the deck")
        elif step.deal is not None:
            sizes.append((step.deal, (step.cards or 0) * step.rounds))
        elif step.burn is not None:
            sizes.append(("burned", step.burn))
    yield from _split(pack, [size for _, size in sizes])


def _split(pack: tuple[Card, ...], sizes: list[int]) -> Iterator[tuple[Card, ...]]:
    if not sizes:
        yield ()
        return
    for taken in combinations(pack, sizes[0]):
        rest = tuple(card for card in pack if card not in taken)
        for tail in _split(rest, sizes[1:]):
            yield taken + tail
