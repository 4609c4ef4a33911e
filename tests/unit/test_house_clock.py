"""Tables that run themselves: what the house's clock does, and what it waits for."""

from __future__ import annotations

import pytest

from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.desk import table_stream
from pitboss.floor.house_clock import Due, due
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import SECOND, Micros
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Position
from support.floor import House


def next_step(house: House, name: str = "t1") -> Due | None:
    table = house.floor.table(name)
    link = house.floor.link(table.opened.link) if table.opened and table.opened.link else None
    return due(table, link, last=house.floor.desk.loaded[table_stream(name)].at)


def run_clock(house: House, *, steps: int = 40) -> list[str]:
    """Let the clock work, with time going on whenever it waits; the names of what it did."""
    done = []
    for _ in range(steps):
        step = next_step(house)
        house.clock.at = Micros(house.clock.at + 60 * SECOND)
        ticked = house.floor.tick("t1")
        if step is None and not ticked:
            break
        if step is not None and not ticked:
            assert house.floor.do(SYSTEM, q.Act(table="t1", command=step.command)).ok
            done.append(type(step.command).__name__)
    return done


BOOKS = ["mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"]


@pytest.mark.parametrize("book", BOOKS)
def test_the_clock_plays_a_round_to_its_end_and_silence_is_absence(book: str) -> None:
    house = House()
    house.table(book, players=("p1", "p2"))
    assert next_step(house) is None
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house", betting_seconds=20, pause_seconds=8))
    house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))
    step = next_step(house)
    assert step is not None
    assert isinstance(step.command, c.OpenBets)
    assert house.floor.do(SYSTEM, q.Act(table="t1", command=step.command)).ok
    assert next_step(house) is None, "nobody has bet; the clock waits"
    house.steps("p1@1: wager ante 25")
    closing = next_step(house)
    assert closing is not None
    opened_at = house.floor.table("t1").round_opened_at
    assert closing.at == opened_at + 20 * SECOND
    assert isinstance(closing.command, c.CloseBets)
    done = run_clock(house, steps=12)
    assert done[0] == "CloseBets"
    assert "Deal" in done
    assert "Settle" in done
    state = house.floor.table("t1").state
    assert state.stage in (Stage.SETTLED, Stage.BETTING)
    assert state.round_number >= 1
    house.everything_adds_up()


def test_a_wager_after_an_empty_period_of_betting_has_a_period_of_its_own() -> None:
    house = House()
    house.table("mbs-stud-6", players=("p1",))
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house", betting_seconds=20))
    house.steps("dealer: open bets")
    opened_at = house.floor.table("t1").round_opened_at
    house.clock.at = Micros(opened_at + 50 * SECOND)
    house.steps("p1@1: wager ante 25")
    closing = next_step(house)
    assert closing is not None
    assert closing.at == opened_at + 60 * SECOND


def test_the_clock_waits_for_a_ruling_and_for_a_claim() -> None:
    house = House()
    house.link()
    house.table("mbs-stud-6", players=("p1", "p2"), link="mega")
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house"))
    house.stud(hit=True)
    house.steps("dealer: settle")
    assert next_step(house) is None
    claim = house.floor.link("mega").claim_of("t1")
    assert claim is not None
    house.ok("mara", q.VerifyClaim(link="mega", claim=claim.claim))
    step = next_step(house)
    assert step is not None
    assert isinstance(step.command, c.Settle)


def test_with_the_jackpot_out_of_order_its_stakes_come_off_before_bets_close() -> None:
    house = House()
    house.link()
    house.table("mbs-stud-6", players=("p1",), link="mega")
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house"))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5")
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    assert next_step(house) is None, "the shift manager rules first"
    ruling = c.Rule(by=c.Staff(Position.SHIFT_MANAGER), ruling=Ruling.CONTINUE)
    house.ok("gina", q.Act(table="t1", command=ruling))
    step = next_step(house)
    assert step is not None
    assert isinstance(step.command, c.WithdrawWager)
    assert house.floor.do(SYSTEM, q.Act(table="t1", command=step.command)).ok
    closing = next_step(house)
    assert closing is not None
    assert isinstance(closing.command, c.CloseBets)


def test_a_physical_table_waits_for_its_dealer() -> None:
    house = House()
    house.table("mbs-stud-6", players=("p1",), cards="physical")
    assert house.refused("mara", q.SetDealing(table="t1", dealt_by="house")) == "physical-table"
    assert house.refused("dora", q.SetDealing(table="t1", dealt_by="person")) == "no-authority"
    with pytest.raises(BadInput, match="write person or house"):
        house.ask("mara", q.SetDealing(table="t1", dealt_by="nobody"))


def test_several_acts_of_a_player_are_done_all_or_none() -> None:
    house = House()
    house.link()
    house.table("mbs-stud-6", players=("p1",), link="mega")
    house.steps("dealer: open bets")
    by = c.Player("p1")
    ante = c.PlaceWager(by=by, position=1, wager="ante", amount=2500)  # type: ignore[arg-type]
    jackpot = c.PlaceWager(by=by, position=1, wager="jackpot", amount=500)  # type: ignore[arg-type]
    wrong = c.PlaceWager(by=by, position=1, wager="jackpot", amount=700)  # type: ignore[arg-type]
    answer = house.ask("p1", q.Acts(table="t1", commands=(ante, wrong)))
    assert not answer.ok
    assert answer.body["act"] == 1
    assert house.floor.table("t1").state.boxes == {}
    house.ok("p1", q.Acts(table="t1", commands=(ante, jackpot)))
    assert set(house.floor.table("t1").state.boxes[1].stakes) == {"ante", "jackpot"}
    with pytest.raises(BadInput, match="asked for alone"):
        house.ask("dora", q.Acts(table="t1", commands=(c.CloseBets(by=c.Player("p1")),)))
    with pytest.raises(BadInput, match="ask for 1 to"):
        house.ask("p1", q.Acts(table="t1", commands=()))
    house.everything_adds_up()


def test_placing_and_taking_back_wagers_holds_no_bets_open() -> None:
    house = House()
    house.table("mbs-stud-6", players=("p1", "p2"))
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house", betting_seconds=15))
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    opened_at = house.floor.table("t1").round_opened_at
    for seconds in (14, 16, 31):
        house.clock.at = Micros(opened_at + seconds * SECOND)
        house.steps("p2@2: wager ante 25", "p2@2: withdraw ante")
        closing = next_step(house)
        assert closing is not None
        assert closing.at == opened_at + 15 * SECOND


def test_a_clock_that_has_not_heard_yet_takes_no_decision_away() -> None:
    """Another process has moved the table on: the players have a new decision, and their time for it."""
    house = House()
    house.table("mbs-thb-9", players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    late = house.opened()
    late.table("t1")
    house.clock.at = Micros(house.clock.at + 3600 * SECOND)
    house.steps("p1@1: bet flop", "dealer: reveal flop")
    answers = late.tick("t1", fresh=False)
    assert [answer.code for answer in answers] == ["stale-version"]
    assert house.floor.table("t1").state.boxes[1].fate.value == "in-play"
    assert late.tick("t1") == []
