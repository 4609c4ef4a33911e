"""Random floors of several tables on one link, under random readings: both verifiers find nothing wrong.

Tables take turns, step by step; hands that win the jackpot are planted, claims are verified, rejected and paid in
any order, settlements are undone, and the link fails, is moved money in, and gets new parameters meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pitboss.cards import DECK, Card, parse_cards
from pitboss.errors import BadInput
from pitboss.floor import acts
from pitboss.floor import requests as q
from pitboss.floor.void_statements import VoidsOfTable
from pitboss.money import Cents, format_cents
from pitboss.play.dealing import dealt_from, has_hand
from pitboss.play.decide import decide
from pitboss.play.events import CardsBurned, CardsDealt
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.steps import parse_step
from pitboss.play.table import Stage, State
from pitboss.rulebooks import load_plan
from support.floor import House
from support.same_money import (
    INCREMENT,
    LINK,
    METER,
    PLANTED,
    PLAYERS,
    POSITIONS,
    RESET,
    SHARED,
    STAFF,
    UNIT,
    Script,
    by_both_verifiers,
    put,
    random_readings,
)

GROUPS = (("mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"), ("rws-thp-2",), ("mbs-stud-6",))
"""Books whose tables share a link."""
STEPS = 250


class TableOnALink(Script):
    """A table of a floor that is played as a script is written: its state is that of the floor."""

    def __init__(self, house: House, name: str, book: str, rng: Random) -> None:
        self.house, self.name, self.book, self.rng = house, name, book, rng
        self.steps, self.decks, self.left, self.lying = [], [], (), {}
        self.more, self.reopened = False, False

    @property
    def state(self) -> State:  # type: ignore[override]
        return self.house.floor.table(self.name).state

    def do(self, text: str) -> bool:
        self.steps.append(text)
        try:
            return self.house.step(text, table=self.name, approved_by="gus").ok
        except BadInput:  # such as a player who has cashed out
            return False

    def rounds(self) -> Iterator[None]:
        """Rounds without end, and a pause after every step."""
        while True:
            for step in (f"{STAFF}: rule continue", "dealer: new pack"):
                if self.rng.random() < 0.4:
                    self.do(step)
            self.house.cards.next_pack, wagers = self._planned()
            self.do("dealer: open bets")
            yield
            for wager in wagers:
                self.do(wager)
                yield
            self.do("dealer: close bets")
            yield from self._to_the_end()
            for _ in range(3):
                if self.state.stage is Stage.SETTLED and self.rng.random() < 0.5:
                    self.do(self._report(late=True))
                    yield from self._to_the_end()

    def _to_the_end(self) -> Iterator[None]:
        for _ in range(150):
            yield
            link = self.house.floor.link(LINK)
            if self.state.claim:
                for number in self.rng.sample(list(link.claims), len(link.claims)):
                    self.house.ask("mara", q.VerifyClaim(link=LINK, claim=number))
                self.do("dealer: settle")
            elif self._waits() is None and self.state.stage.is_over:
                return
            elif self.state.stage is Stage.BETTING:
                self.do("dealer: close bets")
            else:
                self.do(self._next())

    def _planned(self) -> tuple[tuple[Card, ...], list[str]]:
        """The pack of a round and its wagers; mostly hands that win the jackpot lie where they are dealt."""
        rng, state, wagers = self.rng, self.state, list[str]()
        state = _after(state, "dealer: open bets") or state
        before = [w for w in state.plan.wagers if w.placed == "before-deal" and w.extra_on is None]
        for n in rng.sample(range(1, POSITIONS + 1), rng.randint(1, 3)):
            player = rng.choice(PLAYERS)
            for wager in before:
                if wager is before[0] or rng.random() < (0.85 if wager.units else 0.3):
                    stake = Cents(UNIT * rng.randint(*wager.units) if wager.units else 2_500)
                    text = f"{player}@{n}: wager {wager.name} {format_cents(stake)}"
                    after = _after(state, text)
                    if after is not None:
                        state = after
                        wagers.append(text)
        deck, places, at = rng.sample(DECK, len(DECK)), dict[str, list[int]](), 0
        closed = _after(state, "dealer: close bets")
        for event in () if closed is None else dealt_from(closed, tuple(deck)):
            if isinstance(event, CardsDealt | CardsBurned):
                if isinstance(event, CardsDealt):
                    places.setdefault(event.place, []).extend(range(at, at + event.count))
                at += event.count
        own = state.plan.own_cards
        hands = [
            n for n, box in sorted(state.boxes.items()) if has_hand(state.plan, box) and str(n) in places
        ]
        if hands and rng.random() < 0.7:
            common = places.get("flop") or places.get("community") or []
            wanted = list(zip(common, parse_cards(SHARED[own].split()), strict=False))
            winning = rng.sample(PLANTED[own], 2)
            for n, cards in zip(rng.sample(hands, min(2, len(hands))), winning, strict=False):
                wanted += list(zip(places[str(n)], parse_cards(cards.split()), strict=True))
            put(deck, dict(wanted))
        self.lying = {place: [deck[index] for index in indexes] for place, indexes in places.items()}
        return tuple(deck), wagers

    def _card(self) -> str | None:
        """A card that has still to be entered; where others were dealt to than planned, any that is free."""
        try:
            return super()._card()
        except (KeyError, IndexError):
            known = {card for cards in self.state.known.values() for card in cards}
            free = self.rng.choice([card for card in DECK if card not in known])
            place = self.rng.choice([*map(str, self.state.boxes), "community", "dealer"])
            return f"dealer: card {place} {free.code}"


def _after(state: State, text: str) -> State | None:
    """The state after a step, or None where it is refused."""
    command = parse_step(text, state.terms, PLAYERS, place="step")
    outcome = command if isinstance(command, Refusal) else decide(state, command)
    return None if isinstance(outcome, Refusal) else evolve_all(state, outcome)


def _meanwhile(house: House, tables: list[TableOnALink], rng: Random) -> None:
    """What the house does beside play; mostly nothing."""
    table, claims = rng.choice(tables).name, list(house.floor.link(LINK).claims)
    parameters: dict[str, Any] = rng.choice(
        (
            {"reset": Cents(rng.choice((5_000_000, 20_000_000)))},
            {"increment_bp": rng.choice((500, 1333))},
            {"reserve_bp": rng.choice((0, 333))},
            {"ceiling": Cents(rng.choice((30_000_200, 40_000_000)))},
        )
    )
    source, target = rng.sample(("meter", "reserve", "overflow"), 2)
    amount = Cents(rng.choice((1, 100, 5_000)))
    moved = q.Transfer(link=LINK, source=source, target=target, amount=amount, reason="x", approved_by="gus")
    asked: list[tuple[str, q.Request]] = [
        ("gina", q.PlanParameters(link=LINK, reason="x", approved_by="gus", **parameters)),
        ("gina", moved),
        (
            "dora",
            q.CashOut(table=table, player=rng.choice(PLAYERS), amount=Cents(rng.choice((2_500, 400_000)))),
        ),
        ("dora", q.BuyIn(table=table, player=rng.choice(PLAYERS), amount=Cents(100_000))),
        ("ada", q.FixClaims(link=LINK)),
        ("saul", q.FailLink(link=LINK, reason="x")),
        *[("mara", q.RestoreLink(link=LINK))] * 4,
        *(("mara", q.RejectClaim(link=LINK, claim=claim, reason="x")) for claim in claims),
    ]
    if rng.random() < 0.1:
        who, request = rng.choice(asked)
        try:
            house.ask(who, request)
        except BadInput:  # such as a ceiling below the meter, or chips that are not there
            return


def a_floor_on_one_link_is_right_for_both_verifiers(seed: int) -> House:
    """Two or three tables, some physical; what both verifiers find wrong, and do not compute again, is nothing."""
    rng, house = Random(seed), House()
    group = rng.choice(GROUPS)
    ceiling = {"ceiling": Cents(rng.choice((30_000_100, 31_000_000)))} if rng.random() < 0.3 else {}
    house.link(
        LINK,
        unit=Cents(UNIT),
        reset=Cents(RESET),
        startup=Cents(rng.choice((RESET, METER))),
        increment_bp=INCREMENT,
        reserve_bp=rng.choice((0, 500)),
        **ceiling,
    )
    tables = []
    for name in ("t1", "t2", "t3")[: rng.randint(2, 3)]:
        book = rng.choice(group)
        plan, readings = load_plan(book), random_readings(book, rng)
        house.table(
            book,
            name,
            players=PLAYERS,
            rulebook=house.book(book, **readings),
            link=LINK,
            limits={w.name: (Cents(2_500), Cents(100_000)) for w in plan.wagers if w.posted_limits},
            cards=rng.choice(("physical", "virtual")),
            procedure=rng.choice(plan.procedures).name,
            positions=POSITIONS,
        )
        tables.append(TableOnALink(house, name, book, Random(rng.random())))
    games = [table.rounds() for table in tables]
    with pytest.MonkeyPatch.context() as patch:
        # what is said of cards is taken as earlier versions took it, whether or not the seal holds
        patch.setattr(acts, "held_against_seal", lambda *told: "")
        for _ in range(STEPS):
            next(rng.choice(games))
            _meanwhile(house, tables, rng)
    house.everything_adds_up()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(VoidsOfTable, "_reported", lambda *told: "")  # reports that earlier versions took
        problems, left = by_both_verifiers(house)
    left.pop("what void rounds would have come to", None)
    patched = ("was gone", "was not found broken")  # a round opened again, reports that the seal refutes
    problems = [problem for problem in problems if not any(text in problem for text in patched)]
    assert (problems, left) == ([], {}), f"seed {seed}: {problems[:3]} {left}"
    return house
