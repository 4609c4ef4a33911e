"""The report of voids: a planted selective aborter is found in a simulated month, an honest one is not."""

from __future__ import annotations

from random import Random

import pytest

from pitboss.floor import requests as q
from pitboss.floor.counterfactual import house_result
from pitboss.floor.people import staff
from pitboss.floor.reports import report
from pitboss.floor.void_watch import VoidWatch, watch
from pitboss.play import commands as c
from pitboss.reporting import told
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position
from support.floor import House
from support.sent import as_sent

DAY = 24 * 3600
ROUNDS_A_DAY = 12
MUCH = 10_000
"""Cents the house would lose, for which a cheat makes a round void."""
BY = c.Staff(Position.DEALER)
CROOKED, HONEST = ("mara", "ada", "saul"), ("milo", "gina", "gus")


def _void(house: House, reporter: str, ruler: str, signer: str) -> None:
    report = c.Report(by=BY, kind=Irregularity.DISRUPTION, what="the lamp fell")
    house.ok(staff(reporter), q.Act(table="t1", command=report))
    ruling = c.Rule(by=BY, ruling=Ruling.VOID, approved_by=signer)
    house.ok(staff(ruler), q.Act(table="t1", command=ruling))


def _figure(house: House) -> int:
    """What the house will win in the round in play: what a cheat has read, or sees when the cards lie open."""
    table = house.floor.table("t1")
    locked = house.store.deck("t1", table.state.round_number)
    assert locked is not None
    deck = house.floor.desk.decks.unlock(locked, table="t1", number=table.state.round_number)
    figure = house_result(table.state, [card.card for card in deck[len(table.drawn) :]])
    assert figure is not None
    return figure


def month(*, seed: int, early: bool, cheats: bool, days: int = 30) -> House:
    """A month at one table. Of the rounds the house would lose some are made void; as many others at random.

    `early`: right after the deal, by somebody who has read the order; otherwise when the cards lie open. Without
    `cheats` both of them void at random.
    """
    house, luck = House(seed=seed), Random(f"luck {seed}")
    house.table("mbs-stud-6")
    house.ok("dora", q.BuyIn(table="t1", player="p1", amount=1_000_000))  # type: ignore[arg-type]
    house.ok("dora", q.BuyIn(table="t1", player="p2", amount=1_000_000))  # type: ignore[arg-type]
    for _ in range(days):
        cheat, honest = sorted(luck.sample(range(ROUNDS_A_DAY), 2))
        cheated = False
        for number in range(ROUNDS_A_DAY):
            house.wait(DAY // ROUNDS_A_DAY)
            house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25")
            house.steps("dealer: close bets", "dealer: deal")
            if not early:
                for n in (1, 2):
                    row = house.floor.table("t1").state.known[str(n)]
                    stays = len({card.rank for card in row}) < 5
                    house.steps(f"p{n}@{n}: bet bet" if stays else f"p{n}@{n}: fold")
                house.steps("dealer: reveal dealer")
            loses = _figure(house) <= -MUCH and not cheated if cheats else number == cheat
            if loses and number != honest:
                cheated = True
                _void(house, *CROOKED)
                continue
            if number == honest:
                _void(house, *HONEST)
                continue
            if early:
                house.steps("p1@1: bet bet", "p2@2: bet bet", "dealer: reveal dealer")
            house.steps("dealer: settle")
    return house


def _standing_out(found: VoidWatch) -> set[str]:
    return {row.person.removeprefix("staff/") for row in found.staff if row.stands_out}


@pytest.mark.whole
@pytest.mark.parametrize("early", [False, True])
def test_a_selective_aborter_is_found_in_a_month_and_an_honest_one_with_as_many_is_not(early: bool) -> None:
    house = month(seed=5, early=early, cheats=True)
    found = watch(house.floor, house.store)
    assert _standing_out(found) == set(CROOKED)
    rows = {row.person.removeprefix("staff/"): row for row in found.staff}
    assert rows["milo"].reported > 20
    assert rows["milo"].reported >= rows["mara"].reported > 10
    assert rows["mara"].saved > 0
    assert rows["milo"].score is not None
    assert abs(rows["milo"].score) < 3


@pytest.mark.whole
@pytest.mark.parametrize("seed", [1, 2])
def test_of_two_who_void_at_random_neither_stands_out(seed: int) -> None:
    house = month(seed=seed, early=False, cheats=False, days=15)
    assert _standing_out(watch(house.floor, house.store)) == set()


def hands_out(*, seed: int, against: str, days: int = 30) -> House:
    """A month at a table with one player: of the hands that would win, or lose, one a day is ruled out, and one
    at random."""

    def rule_out(reporter: str, ruler: str, signer: str) -> None:
        report = c.Report(by=BY, kind=Irregularity.UNCOVERED, what="chips mixed")
        house.ok(staff(reporter), q.Act(table="t1", command=report))
        ruling = c.Rule(by=BY, ruling=Ruling.INVALIDATE, argument="1", approved_by=signer)
        house.ok(staff(ruler), q.Act(table="t1", command=ruling))

    house, luck = House(seed=seed), Random(f"luck {seed}")
    house.table("mbs-stud-6", players=("p1",))
    for _ in range(6):
        house.ok("dora", q.BuyIn(table="t1", player="p1", amount=500_000))  # type: ignore[arg-type]
    for _ in range(days):
        honest, cheated = luck.randrange(ROUNDS_A_DAY), False
        for number in range(ROUNDS_A_DAY):
            house.wait(DAY // ROUNDS_A_DAY)
            house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
            figure = _figure(house) * (1 if against == "player" else -1)
            row = house.floor.table("t1").state.known["1"]
            if number == honest:
                rule_out(*HONEST)
            elif figure < 0 and not cheated:
                rule_out(*CROOKED)
                cheated = True
            elif len({card.rank for card in row}) < 5:
                house.steps("p1@1: bet bet")
            else:
                house.steps("p1@1: fold")
            house.steps("dealer: reveal dealer", "dealer: settle")
    return house


@pytest.mark.whole
@pytest.mark.parametrize("against", ["player", "house"])
def test_who_takes_out_hands_that_win_or_lose_is_found_and_an_honest_one_with_as_many_is_not(
    against: str,
) -> None:
    house = hands_out(seed=2, against=against)
    found = watch(house.floor, house.store)
    assert _standing_out(found) == set(CROOKED)
    rows = {row.person.removeprefix("staff/"): row for row in found.staff}
    assert rows["milo"].counted == 30
    assert all((row.saved > 0) is (against == "player") for row in (rows["mara"], rows["ada"]))


def test_the_day_lists_each_void_and_the_month_behind_it() -> None:
    house = month(seed=7, early=False, cheats=True, days=8)
    since = house.floor.now() - DAY * 1_000_000
    figures = as_sent(told(house.floor, report(house.floor, house.store, since=since), theory=False))  # type: ignore[arg-type]
    whole = as_sent(told(house.floor, report(house.floor, house.store), theory=False))
    assert 0 < len(figures["voids"]) < len(whole["voids"])
    [mara] = [row for row in figures["void_staff"] if row["person"] == "staff/mara"]
    assert mara["reported"] > len(figures["voids"])
    void = whole["voids"][0]
    assert void["deck"] == "opened"
    assert {void["reported_by"], void["ruled_by"], void["signed_by"]} in (
        {"staff/mara", "staff/ada", "saul"},
        {"staff/milo", "staff/gina", "gus"},
    )
    assert void["reason"].startswith("disruption")
    assert figures["alarms"] == []
