"""The floor: people, books, tables, chips, limits, seats. Every refusal leaves everything as it was."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from pitboss.errors import BadInput, InvariantError
from pitboss.floor import requests as q
from pitboss.floor.authority import LEAST_POSITION
from pitboss.floor.gaming_table import ClosedTable, evolve_table
from pitboss.floor.people import CONSOLE, player, staff
from pitboss.floor.ports import Micros
from pitboss.floor.registry import Registry
from pitboss.floor.sealing import opens
from pitboss.floor.service import HANDLERS
from pitboss.floor.table_events import StaffAssigned
from pitboss.floor.views import floor_view
from pitboss.money import UNITS_PER_CENT, Cents
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.play.views import Role, Viewer
from pitboss.rulebooks.load import written_out
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position
from support.floor import FLOAT, HOIANA_KIT, House, as_dealer
from support.sent import as_sent


@pytest.fixture
def house() -> House:
    return House()


def test_every_request_has_a_handler_and_a_least_position() -> None:
    assert set(HANDLERS) == set(LEAST_POSITION) == set(typing.get_args(q.Request))


# --- people and books ---------------------------------------------------------------------------------


def test_people_have_positions_and_nobody_gives_himself_one(house: House) -> None:
    assert house.refused("dora", q.AddPerson(person="new", position="dealer")) == "no-authority"
    assert house.refused("gina", q.AddPerson(person="dora", position="dealer")) == "person-exists"
    assert house.refused("gina", q.MovePerson(person="gina", position="assistant-director")) == "own-position"
    house.ok("gina", q.MovePerson(person="dora", position="dealer-inspector"))
    house.ok("gina", q.RemovePerson(person="dora"))
    registry: Registry = house.floor.registry
    assert "dora" not in registry.people
    assert "dora" in registry.former
    with pytest.raises(BadInput, match="did you mean 'mara'"):
        house.ask("gina", q.MovePerson(person="mera", position="dealer"))
    with pytest.raises(BadInput, match="there is no position 'king'"):
        house.ask("gina", q.AddPerson(person="x", position="king"))
    with pytest.raises(BadInput, match="is no name"):
        house.ask("gina", q.AddPerson(person="a/b", position="dealer"))


def test_a_rulebook_is_in_force_when_two_persons_have_approved_its_hash(house: House) -> None:
    book_id, document = written_out("mbs-stud-6")
    hashed = house.ok("gina", q.ProposeRulebook(id=book_id, document=document))["rulebook"]
    house.ok("gina", q.AddTable(table="t1"))
    opening = q.OpenTable(table="t1", rulebook=hashed, count=FLOAT)
    assert house.refused("mara", opening) == "not-in-force"
    assert house.refused("mara", q.ApproveRulebook(rulebook=hashed)) == "no-authority"
    assert house.refused(CONSOLE, q.ApproveRulebook(rulebook=hashed)) == "by-name"
    house.ok("gina", q.ApproveRulebook(rulebook=hashed[:12]))
    assert house.refused("gina", q.ApproveRulebook(rulebook=hashed)) == "approved-already"
    assert house.refused("mara", opening) == "not-in-force"
    assert house.ok("gus", q.ApproveRulebook(rulebook="mbs-stud-6"))["in_force"] is True
    house.ok("mara", opening)
    house.ok("gina", q.WithdrawRulebook(rulebook=hashed, reason="a new version"))
    house.ok("gina", q.AddTable(table="t2"))
    assert house.refused("mara", q.OpenTable(table="t2", rulebook=hashed, count=FLOAT)) == "not-in-force"
    other = house.ok("gina", q.ProposeRulebook(id=book_id, document=document, readings={"R-RESET": "b"}))[
        "rulebook"
    ]
    assert other != hashed
    with pytest.raises(BadInput, match="R-NONE"):
        house.ask("gina", q.ProposeRulebook(id=book_id, document=document, readings={"R-NONE": "a"}))
    with pytest.raises(BadInput, match="not JSON"):
        house.ask("gina", q.ProposeRulebook(id="own", document="{"))


# --- tables ---------------------------------------------------------------------------------------------


@pytest.mark.clauses("hoiana-thb-2025", "3.2", "3.2.1", "3.2.2", "3.2.3", "3.2.4", "3.2.5", "3.2.6", "3.2.7")
def test_3_2_a_physical_table_opens_with_all_its_equipment(house: House) -> None:
    house.ok("gina", q.AddTable(table="t1"))
    book = house.book("hoiana-thb-2025")
    for missing in HOIANA_KIT:
        seen = tuple(item for item in HOIANA_KIT if item != missing)
        opening = q.OpenTable(table="t1", rulebook=book, count=FLOAT, cards="physical", checklist=seen)
        answer = house.ask("mara", opening)
        assert answer.code == "equipment-missing"
        assert missing in answer.message
        assert answer.body["refusal"]["clauses"][0] == "3.2"
    automated = q.OpenTable(
        table="t1", rulebook=book, count=FLOAT, cards="physical", checklist=HOIANA_KIT, procedure="automated"
    )
    assert house.refused("mara", automated) == "equipment-missing"
    with pytest.raises(BadInput, match="did you mean 'cut-card'"):
        house.ask("mara", q.OpenTable(table="t1", rulebook=book, count=FLOAT, checklist=("cutcard",)))
    house.ok(
        "mara", q.OpenTable(table="t1", rulebook=book, count=FLOAT, cards="physical", checklist=HOIANA_KIT)
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"procedure": "method-x"}, "no procedure 'method-x'"),
        ({"layout": "Z"}, "no layout 'Z'"),
        ({"positions": 9}, "9 positions"),
        ({"cards": "paper"}, "no 'paper' cards"),
        ({"count": {123: 4}}, "no chip of 1.23"),
        ({"count": {100: -4}}, "-4 chips"),
        ({"limits": {"flop": (Cents(1), Cents(2))}}, "no limit for 'flop'"),
        ({"limits": {"ante": (Cents(5), Cents(2))}}, "are no limits"),
        ({"link": "nowhere"}, "there is no link 'nowhere'"),
        ({"decision_seconds": 0}, "0 seconds"),
        ({"rulebook": "none-such"}, "no rulebook 'none-such'"),
    ],
)
def test_a_table_is_not_opened_with_what_cannot_be(house: House, change: dict[str, Any], says: str) -> None:
    house.ok("gina", q.AddTable(table="t1"))
    opening: dict[str, Any] = {"rulebook": house.book("mbs-stud-6"), "count": FLOAT} | change
    before = dict(house.store.heads())
    with pytest.raises(BadInput, match=says):
        house.ask("mara", q.OpenTable(table="t1", **opening))
    assert dict(house.store.heads()) == before


def test_drop_win_and_hold_come_from_counts_fills_and_credits(house: House) -> None:
    house.table("hoiana-thb-2025")
    assert (
        house.balance("USD/float/t1") == (sum(d * n for d, n in FLOAT.items()) - 1_000_000) * UNITS_PER_CENT
    )
    assert house.balance("USD/drop/t1") == 1_000_000 * UNITS_PER_CENT
    assert house.refused("saul", q.Fill(table="t1", count={100_000: 5}, witness="saul")) == "second-person"
    assert house.refused("dora", q.Fill(table="t1", count={100_000: 5}, witness="saul")) == "no-authority"
    house.ok("saul", q.Fill(table="t1", count={100_000: 5}, witness="dora"))
    house.ok("saul", q.Credit(table="t1", count={2500: 40}, witness="dora"))
    assert house.refused("saul", q.Credit(table="t1", count={500_000: 4000}, witness="dora")) == "float-short"
    assert house.refused("mara", q.CloseTable(table="t1", count=FLOAT)) == "chips-at-table"
    for who in ("p1", "p2"):
        assert house.ok("dora", q.CashOut(table="t1", player=who))["paid"] == "5000.00"
    left = {500_000: 18, 100_000: 55, 2500: 160, 500: 200, 100: 500}
    assert house.ok("mara", q.CloseTable(table="t1", count=left))["over_short"] == "0.00"
    assert house.balance("USD/float/t1") == house.balance("USD/drop/t1") == 0
    house.everything_adds_up()
    assert house.refused("mara", q.CloseTable(table="t1", count=left)) == "table-closed"
    assert house.refused("dora", as_dealer(c.OpenBets(by=c.Staff(Position.DEALER)))) == "table-closed"


def test_a_closed_table_has_neither_people_nor_a_round_and_shows_how_it_closed(house: House) -> None:
    house.ok("gina", q.AddTable(table="t9"))
    assert house.floor.gaming_table("t9") == ClosedTable("t9")
    with pytest.raises(BadInput, match="never opened"):
        house.floor.table("t9")
    house.table("mbs-stud-6", players=())
    house.ok("mara", q.CloseTable(table="t1", count=FLOAT))
    closed = house.floor.gaming_table("t1")
    assert isinstance(closed, ClosedTable)
    last = house.floor.table("t1")
    assert closed.as_open is last
    assert (dict(last.staff), dict(last.seats), last.call) == ({}, {}, None)
    view = as_sent(floor_view(closed, None, Viewer(Role.PIT)))
    assert (view["open"], view["game"], "choices" in view) == (False, "mbs-stud-6", False)
    assert house.refused("saul", q.Fill(table="t1", count={2500: 1}, witness="dora")) == "table-closed"
    assert house.refused("saul", q.RelieveStaff(table="t1", person="dora")) == "not-on-shift"
    assert house.refused("dora", q.LeaveSeat(table="t1", position=1)) == "seat-free"


def test_what_cannot_be_at_a_closed_or_an_open_table_is_no_state(house: House) -> None:
    house.table("mbs-stud-6", players=())
    at: dict[str, Any] = {"plan_of": house.floor.desk.plan_of, "at": Micros(1), "version": 9}
    table = house.floor.table("t1")
    with pytest.raises(InvariantError, match="t1 is open"):
        evolve_table(table, table.opened, **at)
    for closed in (ClosedTable("t1"), ClosedTable("t1", table)):
        with pytest.raises(InvariantError, match="t1 is closed"):
            evolve_table(closed, StaffAssigned(person="dora", position="dealer"), **at)


def test_a_count_that_is_short_is_recorded_as_short(house: House) -> None:
    house.table("hoiana-thb-2025", players=())
    short = {**FLOAT, 2500: 199}
    assert house.ok("mara", q.CloseTable(table="t1", count=short))["over_short"] == "-25.00"
    assert house.balance("USD/over-short/t1") == 2500 * UNITS_PER_CENT
    house.everything_adds_up()


def test_who_deals_is_on_shift_and_players_act_for_themselves(house: House) -> None:
    house.table("mbs-stud-6")
    house.ok("gina", q.AddPerson(person="dan", position="dealer"))
    opening = as_dealer(c.OpenBets(by=c.Staff(Position.DEALER)))
    assert house.refused("p1", opening) in ("not-you", "not-staff")
    assert house.floor.do(staff("dan"), opening).code == "not-on-shift"
    assert house.floor.do(staff("eye"), opening).code == "no-authority"
    house.ok("dora", opening)
    bet = c.PlaceWager(by=c.Player("p2"), position=1, wager="ante", amount=Cents(2500))
    assert house.refused("p1", as_dealer(bet)) == "not-you"
    house.ok("dora", as_dealer(bet))
    assert house.floor.table("t1").state.boxes[1].player == "p2"
    assert house.refused("saul", q.RelieveStaff(table="t1", person="ines")) == "not-on-shift"
    house.ok("saul", q.RelieveStaff(table="t1", person="dora"))
    assert house.refused("dora", as_dealer(c.CloseBets(by=c.Staff(Position.DEALER)))) == "not-on-shift"


def test_whoever_sits_at_a_position_bets_there_first(house: House) -> None:
    house.table("mbs-stud-6", rulebook=house.book("mbs-stud-6", R_POOL_ORDER="b"))
    house.ok("p1", q.TakeSeat(table="t1", position=3, player="p1"))
    assert house.refused("p2", q.TakeSeat(table="t1", position=3, player="p2")) == "seat-taken"
    assert house.refused("p2", q.LeaveSeat(table="t1", position=3)) == "not-you"
    house.steps("dealer: open bets")
    assert house.step("p2@3: wager ante 25").code == "others-seat"
    house.steps("p1@3: wager ante 25")
    house.ok("p1", q.LeaveSeat(table="t1", position=3))
    with pytest.raises(BadInput, match="no position 8"):
        house.ask("p1", q.TakeSeat(table="t1", position=8, player="p1"))


def test_stakes_are_whole_chips_within_the_limits_of_a_virtual_table(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps("dealer: open bets")
    assert house.step("p1@1: wager ante 25.50").code == "not-whole-chips"
    assert house.step("p1@1: wager ante 24").code == "under-minimum"
    assert house.step("p1@1: wager ante 1001").code == "over-maximum"
    assert house.step("p1@1: wager ante 9000").code == "over-maximum"


def test_limits_change_between_rounds(house: House) -> None:
    house.table("mbs-stud-6")
    new = q.SetLimits(table="t1", limits={"ante": (Cents(5000), Cents(50_000))})
    assert house.refused("saul", new) == "no-authority"
    house.ok("mara", new)
    house.steps("dealer: open bets")
    assert house.step("p1@1: wager ante 25").code == "under-minimum"
    assert house.refused("mara", new) == "round-open"


# --- players --------------------------------------------------------------------------------------------


def test_a_player_who_excludes_himself_plays_no_more(house: House) -> None:
    house.table("mbs-stud-6")
    house.ok("p1", q.ExcludePlayer(player="p1", until="2027-01-01"))
    assert house.refused("p2", q.ExcludePlayer(player="p1")) == "not-you"
    assert house.refused("mara", q.ExcludePlayer(player="p1", until="2026-12-01")) == "excluded-longer"
    house.steps("dealer: open bets")
    assert house.step("p1@1: wager ante 25").code == "excluded"
    assert house.refused("dora", q.BuyIn(table="t1", player="p1", amount=Cents(100))) == "excluded"
    assert house.refused("p1", q.TakeSeat(table="t1", position=1, player="p1")) == "excluded"
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    with pytest.raises(BadInput, match="is no date"):
        house.ask("p2", q.ExcludePlayer(player="p2", until="soon"))


def test_a_limit_of_loss_counts_all_tables_and_the_layout(house: House) -> None:
    house.table("mbs-stud-6")
    house.table("mbs-stud-6", "t2", players=("p1",))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(6000)))
    house.steps("dealer: open bets")
    house.steps("dealer: open bets", table="t2")
    house.steps("p1@1: wager ante 25")
    house.steps("p1@1: wager ante 35", table="t2")
    assert house.step("p1@1: wager ante 1").code == "loss-limit"
    assert house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(100_000)))["holds_from"] > house.floor.today()
    assert house.step("p1@1: wager ante 1").code == "loss-limit"
    assert house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(5000)))["holds_from"] == house.floor.today()
    house.steps("p1@1: withdraw ante")
    house.steps("p1@1: withdraw ante", table="t2")
    house.ok("dora", q.CashOut(table="t1", player="p1", amount=Cents(100_000)))
    house.steps("p1@1: wager ante 50")
    house.wait(24 * 3600)
    assert house.step("p1@1: wager ante 1").code == "loss-limit"


def test_a_limit_of_loss_counts_what_of_a_wager_is_taken(house: House) -> None:
    """RWS 5.1 rejects what is over the maximum of 1,000.00; only what is taken can be lost."""
    house.table("rws-thp-2", cards="physical")
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(100_000)))
    house.steps("dealer: open bets")
    answer = house.step("p1@1: wager ante 1500")
    assert answer.ok
    assert answer.body["rejected"]["amount"] == "500.00"
    assert house.step("p1@2: wager ante 25").code == "loss-limit"
    assert house.step("p1@2: wager ante 1500").code == "loss-limit"


def test_a_stake_that_lay_there_unnoticed_counts_against_the_limit_from_then_on(house: House) -> None:
    """RWS 5.20: chips on the layout at the close count, whatever limit their owner set; the next wager asks."""
    house.table("rws-thp-2", cards="physical")
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(5000)))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets")
    house.steps("dealer: for p1@2 wager ante 100 unnoticed", "dealer: deal")
    house.steps("p1@1: fold", "p1@2: fold", "dealer: settle", "dealer: open bets")
    assert house.step("p1@1: wager ante 25").code == "loss-limit"


def test_the_day_of_a_limit_begins_with_what_lies_in_the_rack(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps("dealer: open bets", "dealer: close bets", "dealer: settle")
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(10_000)))
    house.wait(24 * 3600)
    house.steps("dealer: open bets")
    assert house.step("p1@1: wager ante 101").code == "loss-limit"
    house.steps("p1@1: wager ante 100")


def test_of_two_limits_the_tighter_holds_at_once_and_the_looser_tomorrow(house: House) -> None:
    house.table("mbs-stud-6")
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(10_000), minutes=60))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(5000), minutes=90))
    patron = house.floor.registry.players["p1"]
    assert (patron.limits.loss, patron.limits.minutes) == (5000, 60)
    assert patron.later is not None
    assert (patron.later[1].loss, patron.later[1].minutes) == (5000, 90)


def test_two_processes_do_not_let_a_player_past_his_limit(house: House) -> None:
    house.table("mbs-stud-6")
    house.table("mbs-stud-6", "t2", players=("p1",))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(2500)))
    house.steps("dealer: open bets")
    house.steps("dealer: open bets", table="t2")
    other = house.opened()
    other.table("t2")
    bet = c.PlaceWager(by=c.Player("p1"), position=1, wager="ante", amount=Cents(2500))
    assert house.floor.do(player("p1"), as_dealer(bet)).ok
    assert other.do(player("p1"), as_dealer(bet, "t2")).code == "loss-limit"


def test_a_limit_of_time_counts_stays_that_ended(house: House) -> None:
    house.table("mbs-stud-6")
    house.ok("p1", q.LimitPlayer(player="p1", minutes=60))
    house.wait(40 * 60)
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    house.wait(30 * 60)
    house.ok("dora", q.BuyIn(table="t1", player="p1", amount=Cents(100_000)))
    house.wait(19 * 60)
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    house.wait(2 * 60)
    assert house.step("p1@1: wager ante 25").code == "time-limit"
    assert house.refused("dora", q.BuyIn(table="t1", player="p1", amount=Cents(100))) == "time-limit"


def test_chips_are_bought_and_cashed_but_not_while_they_are_in_play(house: House) -> None:
    house.table("mbs-stud-6")
    assert house.refused("p1", q.BuyIn(table="t1", player="p1", amount=Cents(100))) == "no-authority"
    with pytest.raises(BadInput, match="not whole chips"):
        house.ask("dora", q.BuyIn(table="t1", player="p1", amount=Cents(150)))
    for amount in (Cents(0), Cents(-5), Cents(10**15)):
        with pytest.raises(BadInput, match="no such amount"):
            house.ask("dora", q.BuyIn(table="t1", player="p1", amount=amount))
    assert house.refused("dora", q.BuyIn(table="t1", player="p1", amount=Cents(10**10))) == "float-short"
    with pytest.raises(BadInput, match="no player is called 'px'"):
        house.ask("dora", q.BuyIn(table="t1", player="px", amount=Cents(100)))
    assert (
        house.refused("dora", q.CashOut(table="t1", player="p1", amount=Cents(900_000))) == "not-enough-chips"
    )
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    assert house.refused("dora", q.CashOut(table="t1", player="p1")) == "chips-in-play"
    house.ok("dora", q.CashOut(table="t1", player="p1", amount=Cents(100)))
    house.everything_adds_up()


def test_at_a_practice_table_chips_are_worth_nothing_and_limits_do_not_bind(house: House) -> None:
    house.table("mbs-stud-6", players=(), practice=True)
    house.ok("dora", q.AddPlayer(player="p1"))
    house.ok("p1", q.LimitPlayer(player="p1", loss=Cents(0)))
    house.ok("p1", q.BuyIn(table="t1", player="p1", amount=Cents(500_000)))
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    assert house.balance("XTS/layout/t1") == 2500 * UNITS_PER_CENT


# --- rounds ---------------------------------------------------------------------------------------------


def test_a_round_on_the_floor_moves_money_between_racks_layout_and_float(house: House) -> None:
    house.table("mbs-stud-6", link=house.link())
    house.stud()
    assert house.balance("SGD/layout/t1") == (2 * (2500 + 5000) + 1000) * UNITS_PER_CENT
    house.steps("dealer: settle")
    state = house.floor.table("t1").state
    assert state.stage is Stage.SETTLED
    for who in ("p1", "p2"):
        assert house.balance(f"SGD/rack/t1/{who}") == state.racks[who] * UNITS_PER_CENT
    assert house.balance("SGD/layout/t1") == 0
    assert house.balance("SGD/meter/mega") == (30_000_000 + 200) * UNITS_PER_CENT
    assert house.balance("SGD/reserve/mega") == 50 * UNITS_PER_CENT
    house.everything_adds_up()


def test_the_sealed_deck_opens_card_by_card_and_is_erased(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps("dealer: open bets")
    table = house.floor.table("t1")
    assert table.sealed is not None
    locked = house.store.deck("t1", 1)
    assert locked is not None
    house.steps("p1@1: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: fold")
    table = house.floor.table("t1")
    assert len(table.drawn) == 10
    assert table.sealed is not None
    assert all(opens(table.sealed, opening) for opening in table.drawn)
    own = table.drawn[0]
    wrong = type(own)(index=own.index, salt=own.salt, card="As" if own.card != "As" else "Ks")
    assert not opens(table.sealed, wrong)
    house.steps("dealer: reveal dealer", "dealer: settle")
    assert house.store.deck("t1", 1) is None


def test_undealt_cards_are_nowhere_in_the_record(house: House) -> None:
    house.table("mbs-stud-6")
    house.stack("As Ks Qs Js 9s")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets")
    text = "".join(event.data for event in house.store.read("table/t1"))
    assert '"As"' not in text
    locked = house.store.deck("t1", 1)
    assert locked is not None
    assert b"AsKs" not in locked
    assert b"As" + b"Ks" not in locked


def test_silence_is_absence_when_the_decision_time_is_over(house: House) -> None:
    house.table("rws-thp-2")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.wait(20)
    assert house.floor.tick("t1") == []
    house.wait(15)
    (answer,) = house.floor.tick("t1")
    assert answer.ok
    assert house.floor.table("t1").state.boxes[1].away
    last = house.store.read("table/t1")[-1]
    assert last.actor == "system"
    assert '"5.5"' in last.data


@pytest.mark.clauses("mbs-stud-6", "5.13")
def test_5_13_a_warning_lasts_for_the_gaming_day(house: House) -> None:
    house.table("mbs-stud-6", cards="physical")
    plays = (
        "dealer: open bets", "p1@1: wager ante 10", "dealer: close bets", "dealer: deal", "p1@1: fold",
    )  # fmt: skip
    house.steps(*plays)
    for card in ["2s", "2d", "7c", "9c", "Qs"]:
        house.steps(f"dealer: card dealer {card}")
    house.steps("dealer: reveal dealer", "dealer: settle")
    assert house.floor.table("t1").state.memory.warned == {"p1"}
    house.steps("dealer: open bets", "p1@1: wager ante 10")
    assert house.floor.table("t1").state.memory.warned == {"p1"}
    house.steps("pit-supervisor: report foreign-card")
    house.wait(24 * 3600)
    house.steps("dealer: open bets")
    assert house.floor.table("t1").state.memory.warned == frozenset()


def test_a_bar_outlives_the_round_and_the_closing_and_is_lifted(house: House) -> None:
    house.table("mbs-stud-6")
    bar = c.Rule(by=c.Staff(Position.DEALER), ruling=Ruling.BAR, argument="p1")
    assert house.refused("mara", as_dealer(bar)) == "no-authority"
    house.ok("gina", as_dealer(bar))
    house.steps("dealer: open bets")
    assert house.step("p1@1: wager ante 25").code == "barred"
    house.steps("dealer: close bets", "dealer: settle")
    for who in ("p1", "p2"):
        house.ok("dora", q.CashOut(table="t1", player=who))
    house.ok("mara", q.CloseTable(table="t1", count={}))
    house.ok("mara", q.OpenTable(table="t1", rulebook=house.book("mbs-stud-6"), count=FLOAT))
    house.ok("saul", q.AssignStaff(table="t1", person="dora"))
    assert house.refused("dora", q.BuyIn(table="t1", player="p1", amount=Cents(5000))) == "barred"
    house.table("mbs-stud-6", "t2", players=("p2",))
    assert house.refused("dora", q.BuyIn(table="t2", player="p1", amount=Cents(5000))) == "barred"
    house.ok("gina", as_dealer(c.LiftOrder(by=c.Staff(Position.DEALER), order=Ruling.BAR, argument="p1")))
    house.ok("dora", q.BuyIn(table="t1", player="p1", amount=Cents(5000)))
    house.steps("dealer: open bets", "p1@1: wager ante 25")


# --- asking ---------------------------------------------------------------------------------------------


def test_a_retry_gets_the_first_answer_and_does_nothing(house: House) -> None:
    house.table("mbs-stud-6")
    opening = as_dealer(c.OpenBets(by=c.Staff(Position.DEALER)))
    bet = as_dealer(c.PlaceWager(by=c.Player("p1"), position=1, wager="ante", amount=Cents(2500)))
    early = house.ask("p1", bet, key="early")
    assert early.code == "early"
    first = house.ask("dora", opening, key="open")
    heads = dict(house.store.heads())
    again = house.ask("dora", opening, key="open")
    assert again.repeated
    assert again.body == first.body
    still_early = house.ask("p1", bet, key="early")
    assert (still_early.code, still_early.repeated) == ("early", True)
    assert dict(house.store.heads()) == heads
    with pytest.raises(BadInput, match="used for another request"):
        house.ask("dora", as_dealer(c.CloseBets(by=c.Staff(Position.DEALER))), key="open")
    with pytest.raises(BadInput, match="used for another request"):
        house.ask("mara", opening, key="open")
    with pytest.raises(BadInput, match="no such key"):
        house.ask("dora", opening, key="x" * 201)
    house.floor = house.opened()
    assert house.ask("dora", opening, key="open").repeated


def test_a_key_knows_a_request_in_whatever_order_it_was_written(house: House) -> None:
    house.table("mbs-stud-6")
    house.ok("saul", q.Fill(table="t1", count={100: 5, 500: 2}, witness="dora"), key="fill")
    assert house.ask("saul", q.Fill(table="t1", count={500: 2, 100: 5}, witness="dora"), key="fill").repeated


def test_strangers_ask_for_nothing(house: House) -> None:
    house.table("mbs-stud-6")
    for asker in (player("nobody"), staff("nobody")):
        with pytest.raises(BadInput, match="nobody here is called 'nobody'"):
            house.floor.do(asker, q.OpenDispute(table="t1", round_number=1, about="x"))
    assert house.refused(CONSOLE, as_dealer(c.OpenBets(by=c.Staff(Position.DEALER)))) == "no-authority"
    assert house.refused("gina", q.AddPerson(person="boss", position="assistant-director")) == "by-console"


def test_a_table_that_moved_on_elsewhere_is_opened_again(house: House) -> None:
    """Of two streams in one request it is the table that has moved, not the link."""
    house.link()
    house.ok("gina", q.AddTable(table="t1"))
    book = house.book("mbs-stud-6")
    house.floor.gaming_table("t1")
    other = house.opened()
    opening = q.OpenTable(table="t1", rulebook=book, count=FLOAT, link="mega")
    assert other.do(staff("mara"), opening).ok
    assert other.do(staff("mara"), q.CloseTable(table="t1", count=FLOAT)).ok
    house.ok("mara", opening)


def test_nobody_leaves_with_a_share_in_the_round_and_no_table_closes_before_the_ruling(house: House) -> None:
    house.ok("gina", q.AddTable(table="t9"))
    house.ok("dora", q.AddPlayer(player="p1"))
    assert house.refused("gina", q.CashOut(table="t9", player="p1")) == "table-closed"


def test_a_stale_version_is_refused(house: House) -> None:
    house.table("mbs-stud-6")
    version = house.floor.version("t1")
    opening = c.OpenBets(by=c.Staff(Position.DEALER))
    assert house.refused("dora", q.Act(table="t1", command=opening, expect=version - 1)) == "stale-version"
    house.ok("dora", q.Act(table="t1", command=opening, expect=version))


def test_two_processes_on_one_floor_see_each_other(house: House) -> None:
    house.table("mbs-stud-6")
    other = house.opened()
    other.table("t1")
    house.steps("dealer: open bets")
    bet = as_dealer(c.PlaceWager(by=c.Player("p1"), position=1, wager="ante", amount=Cents(2500)))
    assert other.do(player("p1"), bet).ok
    assert house.floor.do(staff("dora"), as_dealer(c.CloseBets(by=c.Staff(Position.DEALER)))).ok
    assert other.table("t1").state == house.floor.table("t1").state


def test_a_floor_that_is_opened_again_is_the_same(house: House) -> None:
    house.table("mbs-stud-6", link=house.link())
    for _ in range(23):
        house.stud()
        house.steps("dealer: settle")
    house.stud()
    assert house.store.snapshot("table/t1") is not None
    again = house.opened()
    table, same = again.table("t1"), house.floor.table("t1")
    assert table.state == same.state
    assert table == same
    assert again.link("mega") == house.floor.link("mega")


def test_unknown_tables_and_links_are_told(house: House) -> None:
    house.table("mbs-stud-6")
    with pytest.raises(BadInput, match="there is no table 't9'; known: t1"):
        house.floor.table("t9")
    with pytest.raises(BadInput, match="there is no link"):
        house.floor.link("none")
    with pytest.raises(BadInput, match="no round 7"):
        house.ask("p1", q.OpenDispute(table="t1", round_number=7, about="the payment"))


def test_a_report_by_the_floor_is_recorded_with_its_clause(house: House) -> None:
    house.table("mbs-stud-6", scanned=True)
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets")
    house.ok("mara", as_dealer(c.Report(by=c.Staff(Position.DEALER), kind=Irregularity.FOREIGN_CARD)))
    assert house.floor.table("t1").state.stage is Stage.VOID
    house.everything_adds_up()
