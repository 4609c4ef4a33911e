"""Payout slips in sequence, corrections that name what they correct, changes with before and after (A2, A10)."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.cards import parse_card
from pitboss.errors import InvariantError
from pitboss.floor import requests as q
from pitboss.floor.codec import decode
from pitboss.floor.gaming_table import evolve_table
from pitboss.floor.ports import Micros
from pitboss.floor.reports import report
from pitboss.floor.table_events import EntryCorrected, PayoutSlip
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.reporting import told
from pitboss.rulebooks.vocabulary import Position
from support.floor import House, jackpot_hit, stud_house
from support.record import audited, log_of
from verify_export import audit

UNDO = "pit-manager: report wrong-count dealer reconstructable=no"
"""5.3: noticed before the next round and not to be put right, it undoes the settlement."""


def recorded(house: House, kind: type, table: str = "t1") -> list[tuple[int, Any]]:
    """Events of a kind at a table, with their versions."""
    found = [(record.version, decode(record)) for record in house.store.read(f"table/{table}")]
    return [(version, event) for version, event in found if isinstance(event, kind)]


@pytest.fixture
def house() -> House:
    return stud_house()


def test_a10_a_jackpot_award_has_a_slip_and_an_ordinary_win_has_none(house: House) -> None:
    house.stud()
    house.steps("dealer: settle")
    assert recorded(house, PayoutSlip) == []
    jackpot_hit(house)
    [(_, slip)] = recorded(house, PayoutSlip)
    settled = house.floor.table("t1").state.settlement
    assert settled is not None
    paid = sum(line.paid for line in settled.seats[0].lines)
    assert (slip.slip, slip.round_number, slip.position, slip.player) == (1, 2, 1, "p1")
    assert slip.amount == paid
    assert slip.jackpot == house.floor.link("mega").history[-1].shares[0].amount
    assert (slip.confirmed_by, slip.authorised_by, slip.corrects) == ("mara", "staff/dora", 0)
    assert {"4.2", "4.1"} & {str(clause)[:3] for clause in slip.clauses}
    jackpot_hit(house)
    assert [slip.slip for _, slip in recorded(house, PayoutSlip)] == [1, 2]


def test_a10_a_large_win_has_a_slip_without_a_jackpot(house: House) -> None:
    house.ok("gina", q.AddTable(table="t2"))
    limits = {"ante": (Cents(2500), Cents(500_000))}
    count = {500_000: 60, 100_000: 50, 2500: 200, 500: 200, 100: 500}
    house.ok("mara", q.OpenTable(table="t2", rulebook=house.book("mbs-stud-6"), count=count, limits=limits))
    house.ok("saul", q.AssignStaff(table="t2", person="dora"))
    house.ok("dora", q.BuyIn(table="t2", player="p1", amount=Cents(2_000_000)))
    house.stack("5h 6h 7h 8h 9h 2s 2d 7c 9c Qs")
    steps = ["dealer: open bets", "p1@1: wager ante 2000", "dealer: close bets", "dealer: deal", "p1@1: view"]
    house.steps(*steps, "p1@1: bet bet", "dealer: reveal dealer", "dealer: settle", table="t2")
    [(_, slip)] = recorded(house, PayoutSlip, "t2")
    assert slip.amount >= 1_000_000
    assert (slip.jackpot, slip.confirmed_by) == (0, "")


def test_an_undone_settlement_takes_its_slip_back_by_another(house: House) -> None:
    jackpot_hit(house)
    house.steps(UNDO)
    [(_, first), (_, second)] = recorded(house, PayoutSlip)
    assert (second.slip, second.corrects) == (2, 1)
    assert (second.amount, second.jackpot) == (-first.amount, -first.jackpot)
    assert second.reason.startswith("wrong-count-dealer")
    assert second.authorised_by == "staff/mara"
    [(version, settled)] = recorded(house, e.RoundSettled)
    [(_, corrected)] = recorded(house, EntryCorrected)
    assert settled is not None
    assert (corrected.corrects, corrected.what) == (version, "the settlement is undone")
    assert corrected.clauses
    house.everything_adds_up()


def test_slips_go_on_counting_after_a_snapshot_and_a_restart(house: House) -> None:
    jackpot_hit(house)
    for _ in range(60):
        house.stud()
        house.steps("dealer: settle")
    house.floor = house.opened()
    jackpot_hit(house)
    assert [slip.slip for _, slip in recorded(house, PayoutSlip)] == [1, 2]


def test_a_slip_out_of_sequence_cannot_be_replayed(house: House) -> None:
    jackpot_hit(house)
    [(_, slip)] = recorded(house, PayoutSlip)
    table = house.floor.table("t1")
    with pytest.raises(InvariantError, match="slip 2 comes next"):
        evolve_table(table, slip, plan_of=house.floor.desk.plan_of, at=Micros(0), version=9)


def test_a_corrected_card_names_the_entry_it_corrects(house: House) -> None:
    house.table("mbs-stud-6", "t2", cards="physical")
    steps = ["dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal"]
    house.steps(*steps, "dealer: card 1 As", table="t2")
    command = c.CorrectCard(
        by=c.Staff(Position.DEALER), place="1", number=1, card=parse_card("Ad"), reason="read badly"
    )
    house.ok("dora", q.Act(table="t2", command=command))
    [(version, _)] = recorded(house, e.CardEntered, "t2")
    [(_, corrected)] = recorded(house, EntryCorrected, "t2")
    assert corrected.corrects == version
    assert corrected.what == "Ad lies at 1, not As"
    assert corrected.reason == "read badly"


def test_a2_every_change_of_a_parameter_is_told_with_before_and_after(house: House) -> None:
    limits = {"ante": (Cents(1000), Cents(50_000))}
    house.ok("mara", q.SetLimits(table="t1", limits=limits))
    house.ok(
        "gina", q.PlanParameters(link="mega", reason="a new season", approved_by="gus", increment_bp=1000)
    )
    house.ok("gina", q.MovePerson(person="ines", position="pit-supervisor"))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(100_000)))
    jackpot_hit(house)
    house.steps(UNDO)
    figures = told(house.floor, report(house.floor, house.store), theory=False)
    changes = {change["kind"]: change for change in figures["changes"]}
    assert changes["limits-set"]["after"].startswith("ante 10.00 to 500.00")
    assert changes["limits-set"]["before"].startswith("ante ")
    planned = changes["parameters-planned"]
    assert (planned["before"], planned["after"]) == ("increment_bp 2000", "increment_bp 1000")
    assert planned["reason"] == "a new season"
    assert planned["by"] == "staff/gina, with gus"
    assert changes["person-moved"]["before"] == "dealer-inspector"
    assert changes["settlement-reversed"]["clauses"]
    assert changes["payout-slip"]["what"] == "slip 2 takes slip 1 back"
    assert changes["opening-approved"]["by"].endswith("with gus")
    assert [slip["slip"] for slip in figures["slips"]] == ["t1-1", "t1-2"]
    assert figures["slips"][1]["corrects"] == "t1-1"
    assert all(change["by"] for change in figures["changes"])


def test_nobody_opens_a_jackpot_alone(house: House) -> None:
    figures: dict[str, Any] = {
        "currency": "SGD",
        "unit": Cents(500),
        "reset": Cents(1000),
        "increment_bp": 1,
        "reserve_bp": 0,
    }
    for other in ("gina", "mara", "nobody"):
        assert house.refused("gina", q.OpenLink(link="x", approved_by=other, **figures)) == "second-person"
    house.ok("gina", q.OpenLink(link="x", approved_by="gus", **figures))


def test_the_verifier_of_the_export_holds_slips_against_settlements(house: House) -> None:
    jackpot_hit(house)
    house.steps(UNDO)
    assert audited(house.store) == []
    records = list(log_of(house.store))

    def with_slips(change: Any) -> list[str]:
        copies = [record | {"data": dict(record["data"])} for record in records]
        slips = [record for record in copies if record["name"] == "payout-slip.v1"]
        for number, record in enumerate(slips):
            change(number, record["data"])
        return [str(problem) for problem in audit(copies).problems if "slip" in str(problem)]

    assert with_slips(lambda number, data: data.update(slip=data["slip"] + 1))
    assert with_slips(lambda number, data: data.update(amount=data["amount"] + (number == 0)))
    assert with_slips(lambda number, data: data.update(corrects=0))
    assert with_slips(lambda number, data: data.update(authorised_by=""))
