"""Floors on which everything goes wrong, by a seed: whatever the books make of it, both verifiers are content."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.money import Cents
from support.floor import HOIANA_KIT, House
from support.record import audited
from support.unsealed_reports import taken_unheld

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]
BETS = {
    "mbs-stud-6": "bet bet",
    "mbs-thb-9": "bet flop",
    "mbs-3cp-2023": "bet play",
    "rws-thp-2": "bet flop",
    "hoiana-thb-2025": "bet flop",
}
REPORTS = (
    *(f"wrong-count {what} reconstructable=no" for what in ("1", "2", "3", "dealer", "community")),
    "foreign-card",
    "missing-card",
    "extra-card",
    "misdeal",
    "confidentiality 2",
    "exposed 1",
    "face-up",
    "power-failure",
    "extra-view 1 intentional=yes",
    "disruption",
    "count-doubt 51",
)
RULINGS = ("void", "continue", "reconstruct", "invalidate 1", "invalidate 2", "permit-withdrawal 3")
WINNERS = "Ah Kh Qh Jh Th 9h 8h 7h 6h 5h"
"""A pack that begins so gives whoever is dealt from it in a row something to claim."""


class Trouble:
    """Three players, one table, and somebody who reports something whenever the dice say so."""

    def __init__(self, book: str, seed: int) -> None:
        self.rng = Random(seed)
        self.bet = BETS[book]
        self.house = House(seed=seed)
        linked = not book.startswith("hoiana")
        more: dict[str, Any] = (
            {"link": self.house.link(reserve_bp=self.rng.choice((0, 500)))}
            if linked
            else {"checklist": HOIANA_KIT}
        )

        self.link = "mega" if linked else ""
        self.house.table(book, players=("p1", "p2", "p3"), **more)
        self.done: list[str] = []

    def try_step(self, text: str) -> None:
        """A step that may well be refused."""
        try:
            answer = self.house.step(text)
            if answer.code == "second-person":
                answer = self.house.step(f"{text} signed gus")
            if answer.ok:
                self.done.append(text)
        except (BadInput, AssertionError):
            pass  # somebody who has cashed out, an area that this layout has not

    def report(self) -> None:
        rng = self.rng
        settled = self.house.floor.table("t1").state.settlement is not None
        often = rng.random() < 0.7 and settled
        self.try_step(f"pit-manager: report {rng.choice(REPORTS[:4] if often else REPORTS)}")
        self.try_step(f"assistant-director: rule {rng.choice(RULINGS)}")
        for number in (1, 2, 3):
            self.try_step(f"p{number}@{number}: option {rng.choice(('withdraw', 'continue'))}")

    def round(self) -> None:
        rng, house = self.rng, self.house
        for number in (1, 2, 3):
            if house.floor.table("t1").state.racks.get(f"p{number}", 0) < 20_000:
                house.ask("dora", q.BuyIn(table="t1", player=f"p{number}", amount=Cents(50_000)))
        if rng.random() < 0.6:
            house.stack(WINNERS)
        self.try_step("dealer: open bets")
        for number in (1, 2, 3):
            self.try_step(f"p{number}@{number}: wager ante 25")
            if rng.random() < 0.2:
                self.try_step(f"p{number % 3 + 1}@{number}: wager ante 25")
            self.try_step(f"p{number}@{number}: wager jackpot 5")
        self.try_step("dealer: close bets")
        self.try_step("dealer: deal")
        if rng.random() < 0.2:
            self.report()
        for street in ("flop", "turn", "river", "community", "dealer"):
            for number in (1, 2, 3):
                choice = "fold" if rng.random() < 0.1 else self.bet
                for step in (choice, "check", "bet river"):
                    self.try_step(f"p{number}@{number}: {step}")
            self.try_step(f"dealer: reveal {street}")
        self.try_step("dealer: settle")
        if self.link:
            for claim in house.floor.link(self.link).claims:
                house.ask("mara", q.VerifyClaim(link=self.link, claim=claim))
            self.try_step("dealer: settle")
        for number in (1, 2, 3):
            rack = house.floor.table("t1").state.racks.get(f"p{number}", 0)
            if rack > 0 and rng.random() < 0.15:
                house.ask("dora", q.CashOut(table="t1", player=f"p{number}", amount=Cents(rack)))
        while rng.random() < 0.4:
            self.report()
        self.try_step("assistant-director: rule void")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("book", BETS)
def test_no_verifier_raises_a_false_alarm(book: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first seed reports about cards are refuted by the seal; else they are taken as they were before."""
    if seed:
        taken_unheld(monkeypatch)
    trouble = Trouble(book, seed)
    for _ in range(8):
        trouble.round()
    assert not seed or any("report" in step for step in trouble.done)
    house = trouble.house
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    assert checked.problems == []
    assert audited(store) == []
    house.everything_adds_up()
