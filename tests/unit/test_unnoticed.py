"""Stakes that lay on the layout unnoticed when bets closed, on the floor: who enters them, and where they show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.floor import requests as q
from pitboss.floor.house_clock import due
from pitboss.floor.people import SYSTEM
from pitboss.floor.reports import report
from pitboss.floor.searching import Wanted, found_rounds
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.money import UNITS_PER_CENT, Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.dealing import undecided
from pitboss.play.scenario import Played, play_scenario, read_scenario
from pitboss.play.table import Fate
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Position
from support.floor import House
from support.record import audited
from support.same_money import by_run, script_moves_the_same_money, written_script
from support.unsealed_reports import taken_unheld


def _house(book: str = "rws-thp-2", cards: str = "physical", **more: Any) -> House:
    house = House()
    house.link()
    house.table(book, players=("p1", "p2"), link="mega", cards=cards, **more)
    return house


def _verified(house: House) -> None:
    """What both verifiers say of the floor: nothing."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    assert [*(str(problem) for problem in checked.problems), *audited(store)] == []


def _request(wager: str, amount: int, *, position: int = 1, approved_by: str = "") -> q.EnterUnnoticed:
    return q.EnterUnnoticed(
        table="t1",
        position=position,
        player=f"p{position}",
        wager=wager,
        amount=Cents(amount),
        approved_by=approved_by,
    )


@pytest.mark.parametrize("book", ["rws-thp-2", "mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"])
def test_before_the_first_card_the_dealer_enters_it_and_its_contribution_reaches_the_link(book: str) -> None:
    house = _house(book)
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets")
    meter = house.floor.link("mega").meter
    house.ok("dora", _request("jackpot", 500))
    house.ok("dora", _request("ante", 1000, position=2))
    state, link = house.floor.table("t1").state, house.floor.link("mega")
    assert link.meter == meter + 500 * 2000 // 10_000 * UNITS_PER_CENT == state.meter
    assert state.boxes[2].stake("ante") == 1000
    assert link.booked["t1"].stake == 500
    house.everything_adds_up()
    _verified(house)


def test_after_the_first_card_a_supervisor_enters_it_with_a_second_signature() -> None:
    house = _house()
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.steps("dealer: deal")
    assert house.refused("dora", _request("ante", 100_000, approved_by="saul")) == "no-authority"
    assert house.refused("saul", _request("ante", 100_000)) == "second-person"
    assert house.refused("saul", _request("ante", 100_000, approved_by="saul")) == "second-person"
    assert house.refused("saul", _request("ante", 100_000, approved_by="dora")) == "second-person"
    act = c.UnnoticedWager(
        by=c.Staff(Position.PIT_SUPERVISOR, for_player="p1"),
        position=1,
        wager="ante",
        amount=Cents(100_000),
        approved_by="mara",
    )
    assert house.refused("saul", q.Act(table="t1", command=act)) == "second-person"
    house.ok("saul", _request("ante", 100_000, approved_by="mara"))
    assert house.floor.table("t1").state.boxes[1].stake("ante") == 102_500
    house.everything_adds_up()
    _verified(house)
    house.steps("dealer: report foreign-card")
    day = report(house.floor, house.store)
    (change,) = [row for row in day.changes if row.kind == "unnoticed-wager-entered"]
    assert change.after == "1000.00"
    assert "mara" in change.by
    assert change.clauses == ("5.20",)
    (row,), _ = found_rounds(house.store, Wanted(tables=["t1"], irregularity="unnoticed"), most=5)
    assert row["irregularities"] == ["foreign-card", "unnoticed"]
    assert found_rounds(house.store, Wanted(tables=["t1"], irregularity="misdeal"), most=5) == ([], False)


@pytest.mark.parametrize("book", ["rws-thp-2", "mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"])
def test_a_virtual_table_refuses_it_and_takes_nothing_over_the_maximum(book: str) -> None:
    house = _house(book, "virtual")
    house.steps("dealer: open bets")
    assert house.step("p1@1: wager ante 1500").code == "over-maximum"
    house.steps("p1@1: wager ante 25")
    house.steps("dealer: close bets")
    assert house.refused("dora", _request("ante", 1000)) == "virtual-table"


def test_a_physical_table_answers_what_of_a_wager_was_rejected() -> None:
    house = _house()
    house.steps("dealer: open bets")
    answer = house.step("p1@1: wager ante 1500")
    assert answer.body["rejected"] == {"amount": "500.00", "clauses": ["5.1"]}
    house.steps("p2@2: wager ante 25")
    wagers = (
        c.PlaceWager(by=c.Player("p2"), position=2, wager="bonus", amount=Cents(500)),
        c.PlaceWager(by=c.Player("p2"), position=2, wager="jackpot", amount=Cents(1500)),
    )
    body = house.ok("p2", q.Acts(table="t1", commands=wagers))
    assert body["rejected_of"] == [{"act": 1, "amount": "10.00", "clauses": ["5.1"]}]
    assert "rejected" not in body
    assert house.floor.table("t1").state.racks["p2"] == 500_000 - 2500 - 500 - 500
    house.everything_adds_up()
    _verified(house)


def test_a_contribution_entered_later_comes_back_with_the_stake() -> None:
    house = _house()
    meter = house.floor.link("mega").meter
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.ok("dora", _request("ante", 2500, position=2))
    house.ok("dora", _request("jackpot", 500, position=2))
    house.steps("dealer: deal", "dealer: report foreign-card")
    assert house.floor.link("mega").meter == meter
    house.everything_adds_up()
    _verified(house)


@pytest.mark.parametrize(
    ("book", "ruler", "ruling"),
    [
        ("rws-thp-2", "mara", Ruling.CONTINUE),
        ("rws-thp-2", "mara", Ruling.BLOCK),
        ("rws-thp-2", "mara", Ruling.SUSPEND_JACKPOT),
        ("mbs-thb-9", "gina", Ruling.CONTINUE),
        ("mbs-3cp-2023", "gina", Ruling.CONTINUE),
        ("mbs-stud-6", "gina", Ruling.CONTINUE),
    ],
)
def test_after_a_jackpot_failure_the_house_rules_before_a_jackpot_bet(
    book: str, ruler: str, ruling: Ruling
) -> None:
    house = _house(book)
    house.steps("dealer: report jackpot-failure", "dealer: open bets", "p1@1: wager ante 25")
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"
    house.floor = house.opened()
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"
    argument = "5" if ruling is Ruling.BLOCK else ""
    rule = q.Act(table="t1", command=c.Rule(by=c.Staff(Position.DEALER), ruling=ruling, argument=argument))
    assert house.refused("dora", rule) == "no-authority"
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"
    house.ok(ruler, rule)
    after = house.step("p1@1: wager jackpot 5")
    assert after.ok or (ruling is Ruling.SUSPEND_JACKPOT and after.code == "jackpot-suspended")
    _verified(house)


def test_another_order_does_not_say_that_the_jackpot_works() -> None:
    house = _house()
    house.steps("dealer: report jackpot-failure", "dealer: open bets", "p1@1: wager ante 25")
    ruling = c.Rule(by=c.Staff(Position.SHIFT_MANAGER), ruling=Ruling.RESTRICT, argument="p2")
    house.ok("gina", q.Act(table="t1", command=ruling))
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"
    lift = c.LiftOrder(by=c.Staff(Position.PIT_MANAGER), order=Ruling.SUSPEND_JACKPOT)
    house.ok("mara", q.Act(table="t1", command=lift))
    house.steps("p1@1: wager jackpot 5")
    _verified(house)


def test_an_outage_of_the_link_ends_with_the_link() -> None:
    house = _house("mbs-stud-6")
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    assert not house.floor.table("t1").state.memory.jackpot_stopped
    ruling = c.Rule(by=c.Staff(Position.SHIFT_MANAGER), ruling=Ruling.CONTINUE)
    house.ok("gina", q.Act(table="t1", command=ruling))
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"
    house.ok("mara", q.RestoreLink(link="mega"))
    house.steps("p1@1: wager jackpot 5")


def test_the_new_pack_is_due_across_a_restart_and_the_clock_puts_it_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    house.table("hoiana-thb-2025", players=("p1",))
    house.ok("saul", q.TakeSeat(table="t1", position=1, player="p1"))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    taken_unheld(monkeypatch)
    house.steps("pit-supervisor: report missing-card signed mara")
    house.floor = house.opened()
    assert house.step("dealer: open bets").code == "new-pack-due"
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house"))
    _clock(house, "NewPack", "OpenBets")
    events = [row.name for row in house.store.read("table/t1")]
    assert events.count("duty-done.v1") == 1
    assert house.floor.table("t1").state.stage.value == "betting"
    _verified(house)


def test_the_clock_informs_and_offers_before_bets_close() -> None:
    house = House()
    house.link()
    house.table("mbs-thb-9", players=("p1",), link="mega")
    house.ok("saul", q.TakeSeat(table="t1", position=1, player="p1"))
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house"))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@2: wager ante 25")
    _clock(house, "InformPlayer", "OfferJackpot")
    done = [event for event in _events(house) if isinstance(event, e.DutyDone)]
    assert [(event.duty.value, event.player, event.positions) for event in done] == [
        ("inform-one-view", "p1", (1, 2)),
        ("offer-jackpot", "", (1, 2)),
    ]
    assert house.floor.table("t1").state.stage.value == "betting"


def _clock(house: House, *steps: str) -> None:
    """What the house's clock does next, step by step."""
    for name in steps:
        table = house.floor.table("t1")
        link = house.floor.link(table.opened.link) if table.opened and table.opened.link else None
        found = due(table, link, last=house.floor.now())
        assert found is not None
        assert type(found.command).__name__ == name
        assert house.floor.do(SYSTEM, q.Act(table="t1", command=found.command)).ok


def _events(house: House) -> list[object]:
    from pitboss.floor.codec import decode

    return [decode(row) for row in house.store.read("table/t1")]


DECK = "Kh 9c 5s 2d 7h Ah Kd 3c 4d Qs Jd Tc 8s 6h 2c 3d"
ENTERED = "pit-supervisor: for p2@2 wager ante 30 unnoticed"


def _three_card(*steps: str, other: tuple[str, ...] = ()) -> Played:
    before = ("dealer: open bets", *other, "p2@2: wager pair-plus 5", "dealer: close bets", "dealer: deal")
    script = {
        "rulebook": "mbs-3cp-2023",
        "table": {"limits": {"ante": ["25", "1000"]}},
        "players": {"p1": "1000", "p2": "1000"},
        "deck": DECK,
        "steps": [*before, *steps],
    }
    return play_scenario(read_scenario(json.dumps(script), name="x"))


@pytest.mark.parametrize("decided", ["p2@2: continue", "dealer: absent 2"])
@pytest.mark.parametrize("other", [(), ("p1@1: wager ante 25",)])
def test_3_9_an_ante_is_not_entered_for_a_hand_that_went_on_without_one(
    decided: str, other: tuple[str, ...]
) -> None:
    """3.9: with an Ante the player folds or bets the Play; a hand that has decided is not asked again."""
    played = _three_card(decided, ENTERED, other=other)
    *_, last = played.steps
    box = last.state.boxes[2]
    if "play" in box.choices or box.fate is not Fate.IN_PLAY:
        assert last.refusal is not None
        assert last.refusal.code == "late"
        assert "3.9" in last.refusal.clauses
    else:  # an absence that leaves the hand as it is: with the Ante it has to decide
        assert box in undecided(last.state, last.state.plan.decisions[0])


def test_3_9_an_ante_entered_before_the_hand_decides_is_folded_or_played() -> None:
    played = _three_card(ENTERED, "p2@2: continue", "p2@2: bet play")
    assert [step.refusal and step.refusal.code for step in played.steps[-3:]] == [
        None, "not-your-decision", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "amounts", [["1200.00"], ["100.00", "80.00"], ["175.00", "5.00"], ["5.00", "175.00"]]
)
def test_p1_a_script_and_a_floor_refuse_the_same_unreasonable_jackpot_stakes(amounts: list[str]) -> None:
    """R-PJAMOUNT takes what lay there, and returns the excess; more than a round can stake is a typing error."""
    entered = [
        f"dealer: for p{n}@{n} wager jackpot {amount} unnoticed" for n, amount in enumerate(amounts, 1)
    ]
    steps = [
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p2@2: wager ante 25",
        "dealer: close bets",
        *entered,
    ]
    script = written_script("rws-thp-2", steps, physical=True)
    house = script_moves_the_same_money(script, "unreasonable")
    booked = house.floor.link("mega").booked
    assert sum(put_in.stake for put_in in booked.values()) <= 17_500
    assert by_run(script).steps[-1].refusal.code == "unreasonable-contribution"  # type: ignore[union-attr]
