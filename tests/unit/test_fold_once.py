"""Each event of a request is evolved exactly once, however many look at the state before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pitboss.floor import requests as q
from pitboss.floor import stream_kinds
from pitboss.floor.codec import decode
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play import evolve
from pitboss.play.codec import is_of_play
from pitboss.rulebooks.vocabulary import Position
from support.floor import House, stud_house

DEALER = c.Staff(Position.DEALER)


class Everything(set[Any]):
    """Of a house that asks nothing twice: every kind of request was."""

    def __contains__(self, kind: object) -> bool:
        return True


class Folds:
    """Counts how often events are evolved: those of play by the round, all others by their stream."""

    def __init__(self, house: House, patch: pytest.MonkeyPatch) -> None:
        self.house = house
        self.heads = dict(house.store.heads())
        self.evolved: Counter[str] = Counter()
        house.retried = Everything()
        rules: dict[Any, Any] = evolve._EVOLVE
        for kind, rule in rules.items():
            patch.setitem(rules, kind, self._counting(rule))
        kinds: dict[str, Any] = stream_kinds.KINDS
        for name, of in kinds.items():
            patch.setitem(kinds, name, replace(of, evolve=self._counting(of.evolve, of_play=False)))

    def _counting(self, inner: Callable[..., Any], *, of_play: bool = True) -> Callable[..., Any]:
        def evolved(state: Any, event: Any, *more: Any) -> Any:
            if is_of_play(event) is of_play:
                self.evolved[type(event).__name__] += 1
            return inner(state, event, *more)

        return evolved

    def recorded(self) -> Counter[str]:
        """The events that were recorded since."""
        found: Counter[str] = Counter()
        for stream, head in self.house.store.heads().items():
            after = self.heads[stream].version if stream in self.heads else 0
            for recorded in self.house.store.read(stream, after=after, until=head.version):
                found[type(decode(recorded)).__name__] += 1
        return found


def claimed(house: House) -> None:
    house.stud(hit=True)
    house.steps("dealer: settle")


def verified(house: House) -> None:
    claimed(house)
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))


def settled(house: House) -> None:
    house.stud()
    house.steps("dealer: settle")


def open_bets(house: House) -> None:
    house.steps("dealer: open bets")


def wagers(house: House) -> None:
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")


def closed(house: House) -> None:
    wagers(house)
    house.steps("dealer: close bets")


def dealt(house: House) -> None:
    closed(house)
    house.steps("dealer: deal")


def suspended(house: House) -> None:
    dealt(house)
    house.steps("pit-manager: report uncovered something")


def nothing(house: House) -> None:
    pass


def step(text: str) -> Callable[[House], None]:
    return lambda house: house.steps(text)


def asked(who: str, request: q.Request) -> Callable[[House], None]:
    def ask(house: House) -> None:
        house.ok(who, request)

    return ask


Case = tuple[bool, Callable[[House], None], Callable[[House], None], str]
FIRST_ANTE = c.PlaceWager(by=c.Player("p1"), position=1, wager="ante", amount=Cents(2500))
FIRST_JACKPOT = c.PlaceWager(by=c.Player("p1"), position=1, wager="jackpot", amount=Cents(500))
CASES: dict[str, Case] = {
    "open-bets": (False, nothing, step("dealer: open bets"), "DeckSealed"),
    "wager": (False, open_bets, step("p1@1: wager ante 25"), "WagerPlaced"),
    "wagers-together": (
        False,
        open_bets,
        asked("p1", q.Acts(table="t1", commands=(FIRST_ANTE, FIRST_JACKPOT))),
        "WagerPlaced",
    ),
    "close-bets": (False, wagers, step("dealer: close bets"), "Contributed"),
    "unnoticed": (
        True,
        closed,
        asked(
            "dora",
            q.EnterUnnoticed(table="t1", position=2, player="p2", wager="jackpot", amount=Cents(500)),
        ),
        "Contributed",
    ),
    "deal": (False, closed, step("dealer: deal"), "CardsDrawn"),
    "settle": (False, lambda house: house.stud(), step("dealer: settle"), "RoundSettled"),
    "claim": (False, lambda house: house.stud(hit=True), step("dealer: settle"), "ClaimFixed"),
    "settle-a-jackpot": (False, verified, step("dealer: settle"), "ClaimPaid"),
    "report": (True, dealt, step("pit-manager: report uncovered something"), "RoundSuspended"),
    "report-void": (True, dealt, step("shift-manager: report foreign-card signed gus"), "RoundVoided"),
    "rule-void": (True, suspended, step("shift-manager: rule void"), "RoundVoided"),
    "rule-a-hand-out": (True, suspended, step("shift-manager: rule invalidate 2"), "HandRemoved"),
    "undo-a-settlement": (
        True,
        settled,
        step("dealer: report wrong-count 2 reconstructable=no"),
        "SettlementReversed",
    ),
    "fill": (False, nothing, asked("saul", q.Fill(table="t1", count={100_000: 5}, witness="dora")), "Filled"),
    "buy-in": (
        False,
        nothing,
        asked("dora", q.BuyIn(table="t1", player="p1", amount=Cents(100_000))),
        "RackChanged",
    ),
    "cash-out": (False, nothing, asked("dora", q.CashOut(table="t1", player="p1")), "StayEnded"),
    "outage": (False, nothing, asked("mara", q.FailLink(link="mega", reason="dark")), "LinkFailed"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_event_of_a_request_is_evolved_exactly_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    physical, prepare, ask, among = CASES[name]
    house = stud_house(physical=physical)
    prepare(house)
    folds = Folds(house, monkeypatch)
    ask(house)
    recorded = folds.recorded()
    assert among in recorded
    assert folds.evolved == recorded


def test_a_round_that_a_crash_interrupted_is_evolved_once_too(monkeypatch: pytest.MonkeyPatch) -> None:
    house = stud_house()
    dealt(house)
    house.floor = house.opened()
    house.floor.table("t1")
    house.floor.link("mega")
    folds = Folds(house, monkeypatch)
    house.floor.recover("power")
    assert folds.evolved == folds.recorded() != Counter()
