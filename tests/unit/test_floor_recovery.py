"""After a crash every open round goes on, or ends, by the clause of its book."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.floor import requests as q
from pitboss.floor.sealing import opens, sealed_under
from pitboss.money import Cents, to_units
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.rulebooks.vocabulary import Position
from support.floor import RWS_HIT, House, rws, rws_table
from support.sealed_rounds import CHECKS, holds, play_on, saved

DEALER = c.Staff(Position.DEALER)


@pytest.fixture
def house() -> House:
    house = House()
    house.link()
    return house


@pytest.mark.clauses("mbs-stud-6", "5.16", "5.16.1")
def test_5_16_1_after_a_crash_mbs_players_choose(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.steps(
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p2@2: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
    )
    house.floor = house.opened()
    ((table, number, answer),) = house.floor.recover()
    assert (table, number, answer.ok) == ("t1", 1, True)
    options = house.floor.table("t1").state.trouble.options
    assert options is not None
    assert options.waiting == {1, 2}
    house.steps(
        "p1@1: option withdraw",
        "p2@2: option continue",
        "p2@2: bet bet",
        "dealer: reveal dealer",
        "dealer: settle",
    )
    house.everything_adds_up()


@pytest.mark.clauses("mbs-stud-6", "5.16.2")
def test_5_16_2_with_an_outcome_established_mbs_plays_on(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps(
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p2@2: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
        "p1@1: fold",
    )
    house.floor = house.opened()
    house.floor.recover()
    house.steps("p2@2: bet bet", "dealer: reveal dealer", "dealer: settle")


@pytest.mark.clauses("rws-thp-2", "5.7", "5.7.1", "5.7.2")
def test_5_7_after_a_crash_rws_voids_unless_an_outcome_is_established(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws(house, "t1", RWS_HIT)
    rws_table(house, "t2", "p2")
    rws(house, "t2", RWS_HIT)
    house.steps("p2@1: fold", table="t2")
    house.floor = house.opened()
    house.floor.recover()
    assert house.floor.table("t1").state.stage is Stage.VOID
    assert house.floor.table("t2").state.stage is Stage.PLAYING
    assert house.floor.link("mega").meter == to_units(Cents(30_000_100))
    house.everything_adds_up()


@pytest.mark.clauses("hoiana-thb-2025", "7.1.4")
def test_7_1_4_after_a_crash_at_hoiana_the_house_decides(house: House) -> None:
    house.table("hoiana-thb-2025")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.floor = house.opened()
    house.floor.recover()
    suspension = house.floor.table("t1").state.suspension
    assert suspension is not None
    assert suspension.clauses[0] == "7.1.4" or "7.1.4" in suspension.clauses
    reports = [event for event in house.store.read("table/t1") if event.name == "irregularity-reported.v1"]
    assert reports[-1].actor == "system"
    house.steps("assistant-director: rule void signed saul")


def go_on(house: House) -> None:
    """Whatever the book asks after a crash so that the round goes on: nothing, the players, or the House."""
    state = house.floor.table("t1").state
    if state.trouble.options is not None:
        house.steps(*(f"p{n}@{n}: option continue" for n in sorted(state.trouble.options.waiting)))
    elif state.suspension is not None:
        house.steps("shift-manager: rule continue")


@pytest.mark.parametrize(
    ("book", "procedure", "last"),
    [
        ("mbs-thb-9", "method-b", "p2@2: view"),
        ("mbs-3cp-2023", "method-b", "p2@2: view"),
        ("rws-thp-2", "shoe", "p2@2: fold"),  # what nobody has won or lost yet is void there
        ("hoiana-thb-2025", "shoe", "p2@2: view"),
    ],
)
def test_undealt_cards_are_dealt_on_after_a_crash(
    house: House, tmp_path: Path, book: str, procedure: str, last: str
) -> None:
    """R8: cards lie on the layout; the rest comes from the same deck, from where the draw was broken off."""
    house.table(book, procedure=procedure)
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
    locked = house.store.deck("t1", 1)
    assert locked is not None
    deck = house.floor.desk.decks.unlock(locked, table="t1", number=1)
    house.steps("dealer: deal", "p1@1: view", last)
    before = house.floor.table("t1")
    assert 4 <= len(before.drawn) < 11, "hands are out, the dealer's cards are not"
    house.floor = house.opened()
    assert [answer.ok for _, _, answer in house.floor.recover()] == [True]
    assert house.store.deck("t1", 1) == locked, "the draw is kept as it was"
    go_on(house)
    play_on(house)
    after = house.floor.table("t1")
    assert after.state.stage is Stage.SETTLED
    assert after.drawn[: len(before.drawn)] == before.drawn
    assert len(after.drawn) > len(before.drawn)
    assert after.drawn == tuple(sealed.opening for sealed in deck[: len(after.drawn)])
    assert after.sealed is not None
    assert sealed_under(after.sealed, table="t1", number=1)
    assert all(opens(after.sealed, opening) for opening in after.drawn)
    dealer = after.state.known["dealer"]
    assert dealer == tuple(sealed.card for sealed in deck[: len(after.drawn)][-len(dealer) :])
    for who in ("p1", "p2", "surveillance"):
        assert [holds(check, saved(house, who), tmp_path) for check in CHECKS] == [True, True]


def test_after_a_crash_players_have_their_time_again(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps(
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p2@2: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
    )
    house.wait(600)
    house.floor = house.opened()
    house.floor.recover()
    assert house.floor.tick("t1") == []
    house.wait(31)
    assert len(house.floor.tick("t1")) == 2


def test_a_suspended_round_has_its_interruption_on_record_and_goes_on_waiting(house: House) -> None:
    house.table("hoiana-thb-2025")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("pit-supervisor: report disruption")
    assert house.floor.table("t1").state.suspension is not None
    for _ in range(2):
        house.floor = house.opened()
        house.floor.recover(crash="one")
    names = [event.name for event in house.store.read("table/t1")]
    assert names.count("interrupted.v1") == 1
    house.steps("assistant-director: rule void signed saul")


def test_recovering_from_one_crash_twice_reports_once(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    for crash in ("one", "one", "two"):
        house.floor = house.opened()
        house.floor.recover(crash=crash)
    names = [event.name for event in house.store.read("table/t1")]
    assert names.count("irregularity-reported.v1") == 2


def test_recovery_with_a_claim_pending_keeps_it(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud(hit=True)
    house.steps("dealer: settle")
    house.floor = house.opened()
    house.floor.recover()
    assert house.floor.link("mega").claims[1].fixed is not None
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    house.everything_adds_up()
