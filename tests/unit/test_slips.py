"""Payout slips in sequence, corrections that name what they correct, changes with before and after (A2, A10)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, replace
from typing import Any

import pytest

from pitboss.cards import parse_card
from pitboss.errors import BadInput, InvariantError
from pitboss.floor import requests as q
from pitboss.floor.changes import CHANGES, NO_CHANGES
from pitboss.floor.codec import CODEC, decode
from pitboss.floor.desk import fingerprint_of
from pitboss.floor.due_slips import slips_by_position
from pitboss.floor.gaming_table import evolve_table
from pitboss.floor.overview import units
from pitboss.floor.people import staff
from pitboss.floor.ports import Micros
from pitboss.floor.reports import report
from pitboss.floor.table_events import EntryCorrected, PayoutSlip
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.reporting import told
from pitboss.rulebooks.vocabulary import Position
from support.floor import FLOAT, House, jackpot_hit, stud_house
from support.record import audited, log_of
from support.sent import as_sent
from verify_export import audit

UNDO = "pit-manager: report wrong-count dealer reconstructable=no"
"""5.3: noticed before the next round and not to be put right, it undoes the settlement."""


def recorded(house: House, kind: type, table: str = "t1") -> list[tuple[int, Any]]:
    """Events of a kind at a table, with their versions."""
    found = [(record.version, decode(record)) for record in house.store.read(f"table/{table}")]
    return [(version, event) for version, event in found if isinstance(event, kind)]


@pytest.fixture
def house() -> House:
    return stud_house(physical=True)


LARGE = {"ante": (Cents(2500), Cents(500_000))}
CHIPS = {500_000: 60, 100_000: 50, 2500: 200, 500: 200, 100: 500}


def high_table(house: House, *players: str, book: str = "mbs-stud-6") -> None:
    """A second table, t2, with limits that a large win fits in."""
    house.ok("gina", q.AddTable(table="t2"))
    house.opened_to_scan(q.OpenTable(table="t2", rulebook=house.book(book), count=CHIPS, limits=LARGE), book)
    house.ok("saul", q.AssignStaff(table="t2", person="dora"))
    for who in players:
        house.ok("dora", q.BuyIn(table="t2", player=who, amount=Cents(2_000_000)))


def pooled_win(house: House, own: int, other: int) -> None:
    """MBS 3.4: p2 has a share in p1's straight flush at t2."""
    house.stack("5h 6h 7h 8h 9h 2s 2d 7c 9c Qs")
    steps = ["dealer: open bets", f"p1@1: wager ante {own}", f"p2@1: wager ante {other}"]
    steps += ["dealer: close bets", "dealer: deal", "p1@1: view", "p1@1: bet bet"]
    house.steps(*steps, "dealer: reveal dealer", "dealer: settle", table="t2")


def three_boxes(house: House) -> None:
    """p1 wins 5,500.00 on each of three positions of t2."""
    house.stack("5h 6h 7h 8h Th 5s 6s 7s 8s Ts 5c 6c 7c 8c Tc 2s 2d 7d 9c Qs")
    house.steps("dealer: open bets", *(f"p1@{n}: wager ante 500" for n in (1, 2, 3)), table="t2")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: view", table="t2")
    house.steps(*(f"p1@{n}: bet bet" for n in (1, 2, 3)), "dealer: reveal dealer", table="t2")
    house.steps("dealer: settle", table="t2")


def written(house: House, table: str = "t1") -> list[tuple[str, tuple[int, ...], int, int]]:
    """Slips of a table: player, positions, amount and of it jackpot."""
    found = [slip for _, slip in recorded(house, PayoutSlip, table)]
    return [(slip.player, slip.positions, slip.amount, slip.jackpot) for slip in found]


def large_wins(house: House, **more: Any) -> list[dict[str, Any]]:
    """The large-win report (P19)."""
    figures = as_sent(told(house.floor, report(house.floor, house.store, **more), theory=False))
    wins: list[dict[str, Any]] = figures["large_wins"]
    return wins


def found_wrong(house: House) -> list[str]:
    """What both verifiers say of a floor."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    return [*(str(problem) for problem in checked.problems), *audited(store)]


def test_a10_a_jackpot_award_has_a_slip_and_an_ordinary_win_has_none(house: House) -> None:
    house.stud()
    house.steps("dealer: settle")
    assert recorded(house, PayoutSlip) == []
    jackpot_hit(house)
    [(_, slip), (_, rest)] = recorded(house, PayoutSlip)
    settled = house.floor.table("t1").state.settlement
    assert settled is not None
    paid = sum(line.paid for line in settled.seats[0].lines)
    assert (slip.slip, slip.round_number, slip.position, slip.player) == (1, 2, 1, "p1")
    assert slip.amount == slip.jackpot == house.floor.link("mega").history[-1].shares[0].amount
    assert (slip.confirmed_by, slip.authorised_by, slip.corrects) == ("mara", "staff/dora", 0)
    assert {"4.2", "4.1"} & {str(clause)[:3] for clause in slip.clauses}
    assert (rest.slip, rest.amount, rest.jackpot) == (2, paid - slip.amount, 0)
    assert (rest.player, rest.confirmed_by, rest.authorised_by) == ("p1", "", "staff/dora")
    jackpot_hit(house)
    assert [slip.slip for _, slip in recorded(house, PayoutSlip)] == [1, 2, 3, 4]


def test_a10_a_large_win_has_a_slip_without_a_jackpot(house: House) -> None:
    high_table(house, "p1")
    house.stack("5h 6h 7h 8h 9h 2s 2d 7c 9c Qs")
    steps = ["dealer: open bets", "p1@1: wager ante 2000", "dealer: close bets", "dealer: deal", "p1@1: view"]
    house.steps(*steps, "p1@1: bet bet", "dealer: reveal dealer", "dealer: settle", table="t2")
    [(_, slip)] = recorded(house, PayoutSlip, "t2")
    assert slip.amount >= 1_000_000
    assert (slip.jackpot, slip.confirmed_by) == (0, "")


@pytest.mark.clauses("mbs-stud-6", "3.4")
def test_a10_p19_of_a_pooled_hand_each_owner_has_a_slip_over_his_own_share(house: House) -> None:
    high_table(house, "p1", "p2")
    pooled_win(house, 500, 1500)
    assert written(house, "t2") == [("p1", (1,), 5_050_000, 0), ("p2", (1,), 15_150_000, 0)]
    assert [(win["player"], win["amount"], win["payout_slips"]) for win in large_wins(house)] == [
        ("p1", "50500.00", ["t2-1"]),
        ("p2", "151500.00", ["t2-2"]),
    ]
    pooled_win(house, 25, 1975)  # p1 has his 2,525.00 and no large win; what p2 has is not p1's
    assert written(house, "t2")[2:] == [("p2", (1,), 19_947_500, 0)]
    assert [win["player"] for win in large_wins(house)][2:] == ["p2"]
    pooled_win(house, 30, 30)  # 6,060.00 of the hand, 3,030.00 for each
    assert len(written(house, "t2")) == 3
    assert found_wrong(house) == []


def test_a10_p19_all_that_a_player_is_paid_in_a_round_counts(house: House) -> None:
    high_table(house, "p1")
    three_boxes(house)
    assert written(house, "t2") == [("p1", (1, 2, 3), 1_650_000, 0)]
    [win] = large_wins(house)
    assert (win["amount"], win["won_in_round"], win["payout_slips"]) == ("16500.00", "16500.00", ["t2-1"])
    assert win["authorised_by"] == "staff/dora"
    assert found_wrong(house) == []


def test_a10_p19_ante_and_bet_of_a_hand_are_one_win(house: House) -> None:
    high_table(house, "p1")
    house.stack("5h 6h 7h 8h Th 2s 2d 7c 9c 9s")
    house.steps("dealer: open bets", "p1@1: wager ante 950", "dealer: close bets", table="t2")
    house.steps("dealer: deal", "p1@1: view", "p1@1: bet bet", "dealer: reveal dealer", table="t2")
    house.steps("dealer: settle", table="t2")
    assert written(house, "t2") == [("p1", (1,), 1_045_000, 0)]
    [win] = large_wins(house)
    assert (win["amount"], win["payout_slips"], win["hit"]) == ("10450.00", ["t2-1"], None)
    assert win["pay_table"].endswith("ante, bet")
    assert large_wins(house, large=Cents(1_045_001)) == []


def test_p19_wins_below_a_slip_are_listed_where_that_is_asked_for(house: House) -> None:
    high_table(house, "p1", "p2")
    pooled_win(house, 30, 30)
    assert large_wins(house) == []
    wins = large_wins(house, large=Cents(303_000))
    assert [(win["player"], win["amount"], win["payout_slips"]) for win in wins] == [
        ("p1", "3030.00", []),
        ("p2", "3030.00", []),
    ]


def test_p19_a_large_win_that_is_undone_says_so_and_what_is_paid_instead_is_listed(house: House) -> None:
    high_table(house, "p1", "p2")
    pooled_win(house, 500, 1500)
    house.steps(UNDO, table="t2")
    assert [(win["player"], win["undone"]) for win in large_wins(house)] == [("p1", True), ("p2", True)]
    assert [slip.corrects for _, slip in recorded(house, PayoutSlip, "t2")] == [0, 0, 1, 2]
    assert found_wrong(house) == []


def by_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the floor is that of before: slips are made out to positions."""
    monkeypatch.setattr("pitboss.floor.tables.BY_PLAYER", "")
    monkeypatch.setattr(
        "pitboss.floor.slips.slips_of", lambda settlement, plan: slips_by_position(settlement)
    )


def test_slips_of_before_they_were_made_out_to_players_hold(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        by_position(then)
        high_table(house, "p1", "p2")
        pooled_win(house, 500, 1500)
        house.steps(UNDO, table="t2")
        three_boxes(house)
        pooled_win(house, 25, 1975)
    names = [json.loads(r.data) for r in house.store.read("table/t2") if r.name == "payout-slip.v1"]
    assert [slip["player"] for slip in names] == ["p1", "p1", "p1"]
    assert not any("positions" in slip for slip in names)
    assert found_wrong(house) == []
    # what was paid is told as it was, with the slip that there is for it
    [*_, boxes, last] = large_wins(house)
    assert (boxes["player"], boxes["amount"], boxes["payout_slips"]) == ("p1", "16500.00", [])
    assert (last["player"], last["amount"], last["payout_slips"]) == ("p2", "199475.00", ["t2-3"])
    house.steps(UNDO, table="t2")  # undone by the floor of now: the slip is taken back as it was written
    pooled_win(house, 500, 1500)
    assert written(house, "t2")[3:] == [
        ("p1", (), -20_200_000, 0),
        ("p1", (1,), 5_050_000, 0),
        ("p2", (1,), 15_150_000, 0),
    ]
    assert found_wrong(house) == []


@pytest.mark.parametrize("play", [three_boxes, lambda house: pooled_win(house, 25, 1975)])
def test_both_verifiers_miss_a_slip_of_a_player(
    house: House, monkeypatch: pytest.MonkeyPatch, play: Any
) -> None:
    high_table(house, "p1", "p2")
    monkeypatch.setattr("pitboss.floor.slips.slips_of", lambda settlement, plan: [])
    play(house)
    problems = found_wrong(house)
    assert len(problems) == 2
    assert all("without a slip" in problem for problem in problems)


def test_both_verifiers_find_a_slip_that_is_made_out_to_a_position_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        by_position(then)
        high_table(house, "p1", "p2")  # opened when slips were made out to positions
    pooled_win(house, 500, 1500)
    assert found_wrong(house) == []
    by_position(monkeypatch)
    pooled_win(house, 500, 1500)
    problems = found_wrong(house)
    assert any("the slip says amount 20200000, due is 5050000" in problem for problem in problems)
    assert any("p2 was paid at position 1 without a slip" in problem for problem in problems)
    assert len({problem.split(":")[0] for problem in problems}) > 1


def test_an_undone_settlement_takes_its_slip_back_by_another(house: House) -> None:
    jackpot_hit(house)
    house.steps(UNDO)
    [(_, first), (_, rest), (_, second), (_, third)] = recorded(house, PayoutSlip)
    assert [(slip.slip, slip.corrects) for slip in (second, third)] == [(3, 1), (4, 2)]
    assert (second.amount, second.jackpot) == (-first.amount, -first.jackpot)
    assert third.amount == -rest.amount
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
    assert [slip.slip for _, slip in recorded(house, PayoutSlip)] == [1, 2, 3, 4]


def test_a_slip_out_of_sequence_cannot_be_replayed(house: House) -> None:
    jackpot_hit(house)
    [(_, slip), _] = recorded(house, PayoutSlip)
    table = house.floor.table("t1")
    with pytest.raises(InvariantError, match="slip 3 comes next"):
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


def changes_of(house: House) -> list[dict[str, Any]]:
    """What the report says was changed, first things first."""
    changes: list[dict[str, Any]] = as_sent(
        told(house.floor, report(house.floor, house.store), theory=False)
    )["changes"]
    return changes


def told_of(house: House, kind: str) -> dict[str, Any]:
    """The last change of a kind."""
    return [change for change in changes_of(house) if change["kind"] == kind][-1]


def test_a2_every_kind_of_event_is_told_as_a_change_or_is_none() -> None:
    """Whoever adds an event says in `floor/changes.py` which of the two it is."""
    kinds = set(CODEC.names.values())
    assert set(CHANGES) | NO_CHANGES == kinds
    assert set(CHANGES) & NO_CHANGES == set()
    parameters = {
        kind for kind in kinds if {"before", "parameters", "limits"} & {f.name for f in fields(kind)}
    }
    assert len(parameters) > 4
    assert parameters <= set(CHANGES)


def test_a2_every_change_of_a_parameter_is_told_with_before_and_after() -> None:
    house = stud_house(physical=True)
    house.table("mbs-stud-6", "t2", players=(), cards="virtual")
    limits = {"ante": (Cents(1000), Cents(50_000))}
    house.ok("mara", q.SetLimits(table="t1", limits=limits, reason="a busy night"))
    house.ok(
        "mara", q.SetDealing(table="t2", dealt_by="house", betting_seconds=15, reason="no dealer is free")
    )
    house.ok("mara", q.SetDealing(table="t2", dealt_by="person", reason="dora is back"))
    house.ok(
        "gina", q.PlanParameters(link="mega", reason="a new season", approved_by="gus", increment_bp=1000)
    )
    house.ok("gina", q.MovePerson(person="ines", position="pit-supervisor", reason="passed the course"))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(100_000), reason="his own wish"))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(50_000)))
    house.ok("gina", q.RemovePerson(person="ines", reason="left the house"))
    jackpot_hit(house)
    house.steps(UNDO)
    figures = as_sent(told(house.floor, report(house.floor, house.store), theory=False))
    found: dict[str, list[dict[str, Any]]] = {}
    for change in figures["changes"]:
        found.setdefault(change["kind"], []).append(change)

    def values(kind: str, number: int = -1) -> tuple[Any, ...]:
        change = found[kind][number]
        return change["before"], change["after"], change["reason"]

    before, after, reason = values("limits-set")
    assert after.startswith("ante 10.00 to 500.00")
    assert before.startswith("ante ")
    assert reason == "a busy night"
    assert values("dealing-set", 0) == (
        "dealt by person",
        "dealt by house, betting seconds 15, pause seconds 8",
        "no dealer is free",
    )
    assert values("dealing-set")[1:] == ("dealt by person", "dora is back")
    assert values("parameters-planned") == ("increment 20 %", "increment 10 %", "a new season")
    assert found["parameters-planned"][0]["by"] == "staff/gina, with gus"
    assert values("person-added", 0) == ("no account", "dealer", None)
    assert values("person-moved") == ("dealer-inspector", "pit-supervisor", "passed the course")
    assert values("person-removed") == ("open", "ended", "left the house")
    assert values("player-limited", 0)[1:] == ("loss 1000.00, minutes none, from now", "his own wish")
    assert values("player-limited") == ("loss 1000.00", "loss 500.00", None)
    assert values("floor-created")[1] == "name test, day begins 06:00, utc offset minutes 0"
    assert values("member-joined") == ("none", "t1", "table t1 opens")
    assert found["settlement-reversed"][0]["clauses"]
    assert values("settlement-reversed")[2].startswith("wrong-count-dealer")
    assert found["payout-slip"][0]["what"] == "payout slip 3 takes payout slip 1 back"
    assert found["opening-approved"][0]["by"].endswith("with gus")
    assert [slip["slip"] for slip in figures["slips"]] == ["t1-1", "t1-2", "t1-3", "t1-4"]
    assert figures["slips"][2]["corrects"] == "t1-1"
    assert all(change["by"] for change in figures["changes"])


def test_a2_a_table_that_opens_otherwise_than_before_is_told() -> None:
    house = stud_house()
    opened = told_of(house, "table-opened")
    assert opened["before"] is None
    assert "link mega" in opened["after"]
    assert "decision seconds" in opened["after"]
    for who in ("p1", "p2"):
        house.ok("dora", q.CashOut(table="t1", player=who))
    house.ok("mara", q.SetLimits(table="t1", limits={"ante": (Cents(1000), Cents(50_000))}))
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house"))

    def again(**more: Any) -> None:
        house.ok("mara", q.CloseTable(table="t1", count=FLOAT))
        rulebook = more.pop("rulebook", house.book("mbs-stud-6"))
        house.ok("mara", q.OpenTable(table="t1", rulebook=rulebook, count=FLOAT, **more))

    again(limits={"ante": (Cents(500), Cents(20_000))}, decision_seconds=99, reason="a quiet morning")
    change = told_of(house, "table-opened")
    before, after = change["before"].split(", "), change["after"].split(", ")
    assert after == ["decision seconds 99", "link none", "ante 5.00 to 200.00", "dealt by person"]
    assert before[1:4] == ["link mega", "ante 10.00 to 500.00", "dealt by house"]
    assert {part.split()[0] for part in before[4:]} == {"unit", "reset", "increment"}
    assert (change["reason"], change["by"]) == ("a quiet morning", "staff/mara")
    assert told_of(house, "member-left")["before"] == "t1"
    told_before = len([change for change in changes_of(house) if change["kind"] == "table-opened"])
    again(limits={"ante": (Cents(500), Cents(20_000))}, decision_seconds=99)  # as it stood: nothing changed
    assert len([change for change in changes_of(house) if change["kind"] == "table-opened"]) == told_before
    again(rulebook=house.book("mbs-thb-9"), limits={"ante": (Cents(500), Cents(20_000))}, decision_seconds=99)
    after = told_of(house, "table-opened")["after"]
    assert after == f"rulebook {house.book('mbs-thb-9')[:12]}, procedure method-a"


def test_a2_parameters_that_are_taken_are_told_with_what_they_were_planned_for(house: House) -> None:
    new: dict[str, Any] = {"reset": Cents(900), "increment_bp": 1000}
    house.ok("gina", q.PlanParameters(link="mega", reason="a new season", approved_by="gus", **new))
    house.stack("Ah Kh Qh Jh Th 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")  # a royal flush takes the meter whole
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: view", "p1@1: bet bet", "p2@2: view")
    house.steps("p2@2: fold", "dealer: reveal dealer", "dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    taken = told_of(house, "parameters-taken")
    assert taken["before"] == "reset 100000.00, increment 20 %"
    assert taken["after"] == "reset 9.00, increment 10 %"
    assert taken["reason"] == "a new season"
    assert taken["by"].endswith("with gus")
    house.stud()  # the table knows of it from its next round on
    read, known = told_of(house, "meter-read"), told_of(house, "jackpot-terms-set")
    assert (read["before"], read["after"]) == ("reset 100000.00", "reset 9.00")
    assert (known["before"], known["after"]) == ("increment 20 %", "increment 10 %")


def test_a2_an_award_that_is_undone_is_told_with_what_stood(house: House) -> None:
    jackpot_hit(house)
    stood = house.floor.link("mega")
    house.steps(UNDO)
    stands = house.floor.link("mega")
    change = told_of(house, "award-corrected")
    assert change["before"] == f"total won {units(stood.total_won)}, meter {units(stood.meter)}"
    assert stood.total_won > stands.total_won == 0
    given_back = told_of(house, "contribution-returned")  # the stakes of the round go back too, after it
    assert change["after"] == f"total won 0.00, {given_back['before'].split(', ')[0]}"
    assert given_back["after"].split(", ")[0] == f"meter {units(stands.meter)}"
    assert change["reason"]


def test_a2_a_void_round_is_told_with_its_reason(house: House) -> None:
    house.stud()
    meter = units(house.floor.link("mega").meter)
    house.steps("pit-supervisor: report count-doubt 51")
    change = told_of(house, "round-voided")
    assert (change["before"], change["after"]) == ("in play", "void")
    assert "count-doubt" in change["reason"]
    assert change["clauses"]
    assert change["by"].startswith("staff/")
    given_back = told_of(house, "contribution-returned")
    assert given_back["before"].startswith(f"meter {meter}")


def test_a2_a_transfer_is_told_with_both_accounts(house: House) -> None:
    house.stud()
    link = house.floor.link("mega")
    house.ok(
        "gina",
        q.Transfer(
            link="mega",
            source="meter",
            target="reserve",
            amount=Cents(5),
            reason="rounding",
            approved_by="gus",
        ),
    )
    change = told_of(house, "transferred")
    assert change["before"] == f"meter {units(link.meter)}, reserve {units(link.reserve)}"
    assert change["after"] == f"meter {units(link.meter - 50_000)}, reserve {units(link.reserve + 50_000)}"


def test_a_reason_that_says_nothing_is_not_written(house: House) -> None:
    """Events of before have no reason; those of now that give none have the same bytes."""
    limits = {"ante": (Cents(1000), Cents(50_000))}
    for reason in ("", "   ", "a busy night"):
        house.ok("mara", q.SetLimits(table="t1", limits=limits, reason=reason))
    written = [
        json.loads(record.data) for record in house.store.read("table/t1") if record.name == "limits-set.v1"
    ]
    assert [event.get("reason") for event in written] == [None, None, "a busy night"]
    with pytest.raises(BadInput, match="says nothing"):
        CODEC.decode("limits-set.v1", written[0] | {"reason": ""})


def test_a_key_of_before_there_were_reasons_is_known_again() -> None:
    """A request without a reason has the fingerprint it had: a retry across an update is answered."""
    asked = q.MovePerson(person="dora", position="dealer")
    before = hashlib.sha256(b"staff/gina\nMovePerson(person='dora',position='dealer')").hexdigest()
    assert fingerprint_of(staff("gina"), asked) == before
    assert fingerprint_of(staff("gina"), replace(asked, reason="x")) != before


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
