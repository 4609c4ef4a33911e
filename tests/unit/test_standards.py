"""What test labs ask: the lines no other test has, and that docs/standards.md and SECURITY.md name tests that exist."""

from __future__ import annotations

import re
import secrets
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings, at_work
from pitboss.cli.main import run
from pitboss.client import NotAllowed, Unavailable
from pitboss.errors import BadInput, StoreError
from pitboss.floor import requests as q
from pitboss.floor.clock import SecureCards
from pitboss.floor.codec import decode
from pitboss.floor.house import rulebook_hash
from pitboss.floor.overview import link_view
from pitboss.floor.recall import recall, viewers_of
from pitboss.floor.reports import report
from pitboss.money import Cents, to_units
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.program import APPROVED, check_program, program_digest
from pitboss.reporting import told
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.brief import brief
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.house import House as ServedHouse
from pitboss.server.settings import ServerSettings
from support.floor import FLOAT, House, jackpot_hit, stud_house
from support.sent import as_sent
from support.service import served, stud_on_a_link

ROOT = Path(__file__).parent.parent.parent
PAGES = ("SECURITY.md", "docs/standards.md", "docs/reliability.md")


@pytest.fixture
def house() -> House:
    return stud_house()


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_page_names_exists(page: str) -> None:
    named = set(
        re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", (ROOT / page).read_text(encoding="utf-8"))
    )
    assert len(named) > 3
    for file, test in named:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not test or f"def {test}(" in text, (file, test)


def test_every_line_of_the_standards_is_in_the_matrix() -> None:
    text = (ROOT / "docs" / "standards.md").read_text(encoding="utf-8")
    lines = [f"P{n}" for n in (1, 2, *range(4, 10), *range(11, 20))]
    lines += [f"R{n}" for n in (1, 2, 3, 4, 5, 6, 8)] + [f"A{n}" for n in range(1, 11)]
    for line in lines:
        assert f"\n| {line} " in text, line


def test_p2_every_meter_of_a_jackpot_is_shown() -> None:
    """20 % of the stakes to the meter, 5 % to the reserve; what the ceiling leaves over goes to the overflow."""
    house = House()
    house.link(ceiling=Cents(30_000_150))
    house.table("mbs-stud-6", link="mega")
    house.stud()
    house.steps("dealer: settle")
    meters = {
        "displayed": "300001.50",
        "reserve": "0.50",
        "overflow": "0.50",
        "held_for_claims": "0.00",
        "wagers_in": "10.00",
        "hits": 0,
        "total_won": "0.00",
    }
    assert as_sent(link_view(house.floor, "mega"))["meters"] == meters
    house.stud(hit=True)
    house.steps("dealer: settle")
    assert as_sent(link_view(house.floor, "mega"))["meters"] == meters | {
        "displayed": "270001.35",
        "reserve": "1.00",
        "overflow": "2.50",
        "held_for_claims": "30000.15",
        "wagers_in": "20.00",
    }
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    shown = as_sent(link_view(house.floor, "mega"))
    assert (shown["meters"]["hits"], shown["meters"]["total_won"]) == (1, "30000.15")
    assert shown["meters"]["held_for_claims"] == "0.00"
    assert shown["history"][-1]["new_value"] == shown["meters"]["displayed"]


@pytest.mark.whole
def test_p2_the_last_25_hits_are_kept(house: House) -> None:
    for _ in range(27):
        jackpot_hit(house)
    link = house.floor.link("mega")
    assert (link.hits, len(link.history)) == (27, 25)
    assert [found.slip for found in link.history] == list(range(3, 28))


@pytest.mark.parametrize(
    ("book", "told_so"), [("mbs-thb-9", True), ("mbs-3cp-2023", True), ("mbs-stud-6", False)]
)
def test_p13_the_rules_say_where_a_prize_is_not_in_proportion(book: str, told_so: bool) -> None:
    topics = {topic.name: topic for topic in brief(load_plan(book))}
    assert ("prize not in proportion" in topics) is told_so
    if told_so:
        topic = topics["prize not in proportion"]
        assert topic.first
        assert "royal flush" in topic.text
        assert "straight flush" in topic.text
        assert topic.clauses


@pytest.mark.whole
def test_p16_without_its_store_a_jackpot_takes_no_wager_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is lost under a service at work; staff and players are told, and afterwards it is as it was."""
    monkeypatch.setattr("pitboss.client.asking.TRIES", 1)  # a client would ask again with its key for a while
    with served(tmp_path / "floor", stud_on_a_link) as service:
        house = service.house
        house.steps("dealer: open bets", "p1@1: wager ante 25")
        database = sqlite3.connect(tmp_path / "floor" / "floor.db", isolation_level=None)
        before = house.floor.link("mega")
        with service.signed_in("p1") as player, service.signed_in("dora") as dealer:
            wager = c.PlaceWager(by=player.client.me, position=1, wager="jackpot", amount=Cents(500))
            closing = c.CloseBets(by=c.Staff(Position.DEALER))
            database.execute("ALTER TABLE events RENAME TO lost")
            for asked, command, key in ((player, wager, "wager"), (dealer, closing, "close")):
                with pytest.raises(Unavailable) as told_so:
                    asked(asked.client.act("t1", command, key=key))
                assert told_so.value.status == 503
                assert told_so.value.body["code"] == "store"
                assert "does not work now" in told_so.value.body["message"]
            database.execute("ALTER TABLE lost RENAME TO events")
            assert house.opened().link("mega") == before
            player(player.client.act("t1", wager, key="wager"))  # the same key: nothing is done twice
            dealer(dealer.client.act("t1", closing, key="close"))
        database.close()
        after = house.opened().link("mega")
        assert after.parameters == before.parameters
        assert after.meter - before.meter == to_units(Cents(100))


def test_p16_without_its_configuration_a_floor_does_not_open(tmp_path: Path) -> None:
    """The key of the decks is part of it: nothing is dealt, or staked, without it."""
    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.link()
        before = work.floor.link("mega")
    key = where.data / "deck.key"
    kept = key.read_bytes()
    for spoilt in (None, b"nonsense"):
        key.unlink()
        if spoilt is not None:
            key.write_bytes(spoilt)
        with pytest.raises((StoreError, BadInput), match=r"deck\.key.* is (missing|no key)"), at_work(where):
            pass
        key.write_bytes(kept)
    with at_work(where) as work:
        assert work.floor.link("mega") == before


def test_p19_a_large_win_is_reported_with_everything_about_it(house: House) -> None:
    jackpot_hit(house)
    figures = as_sent(told(house.floor, report(house.floor, house.store), theory=False))
    [win, rest] = figures["large_wins"]
    assert (win["jackpot"], win["player"], win["game"], win["round"]) == ("mega", "p1", "mbs-stud-6", 1)
    assert (win["hit"], win["confirmed_by"], win["table"]) == (1, "mara", "t1")
    assert win["slip"] == win["hit"]  # as it was called before the table's payout slips were named
    assert win["amount"] == "30000.20"
    assert win["pay_table"].endswith("jackpot")
    assert win["at"]
    assert (rest["jackpot"], rest["hit"], rest["confirmed_by"]) == (None, None, None)
    assert (rest["player"], rest["amount"], rest["won_in_round"]) == ("p1", "2525.00", "32525.20")
    by_number = {slip["slip"]: slip for slip in figures["slips"]}
    for line in (win, rest):
        [number] = line["payout_slips"]
        assert by_number[number]["amount"] == line["amount"]
        assert by_number[number]["player"] == line["player"]


def test_a6_shuffles_card_counts_staffing_and_errors_are_reported_by_shift(house: House) -> None:
    begun = house.floor.now()
    house.stud()
    house.tamper()
    house.steps("pit-supervisor: report count-doubt 51 signed mara")
    house.stud()
    house.steps("dealer: settle")
    house.ok("saul", q.RelieveStaff(table="t1", person="dora"))
    house.ok("saul", q.AssignStaff(table="t1", person="dora"))
    house.stud()
    house.steps("dealer: settle")
    for who in ("p1", "p2"):
        house.ok("dora", q.CashOut(table="t1", player=who))
    logs = as_sent(told(house.floor, report(house.floor, house.store), theory=False))
    assert logs["shuffles"] == [{"table": "t1", "shift": "dora", "packs": 3}]
    [count] = logs["card_counts"]
    assert (count["table"], count["round"], count["found"]) == ("t1", 1, "count-doubt, 51")
    assert count["by"] == "staff/saul"
    first, second = logs["staffing"]
    assert {shift["person"] for shift in (first, second)} == {"dora"}
    assert first["until"] == second["from"]
    assert second["until"] is None
    assert logs["errors"] == [{"table": "t1", "shift": "dora", "kinds": {"count-doubt": 1}}]
    house.ok("mara", q.CloseTable(table="t1", count=FLOAT))
    logs = as_sent(told(house.floor, report(house.floor, house.store, since=begun), theory=False))
    assert all(shift["until"] for shift in logs["staffing"])
    none_since = as_sent(
        told(house.floor, report(house.floor, house.store, since=house.floor.now()), theory=False)
    )
    assert [none_since[name] for name in ("shuffles", "card_counts", "staffing", "errors")] == [
        [],
        [],
        [],
        [],
    ]


def test_a6_the_report_prints_its_logs(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    from pitboss.cli.output import console
    from pitboss.cli.report import _print

    house.stud()
    house.tamper()
    house.steps("pit-supervisor: report count-doubt 51 signed mara")
    _print(console(), told(house.floor, report(house.floor, house.store), theory=False), changed=False)
    out = " ".join(capsys.readouterr().out.split())
    assert "t1, dora: 1 packs shuffled" in out
    assert "t1 round 1: cards counted, count-doubt, 51, by staff/saul" in out
    assert "t1: dora, dealer, " in out


def test_r1_a_floor_that_is_served_shuffles_by_the_secure_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody names a source of cards to `pitboss serve`: the bootstrap's own is taken, and every pack is its."""
    drawn: list[int] = []

    def randbelow(most: int) -> int:
        drawn.append(most)
        return secrets.randbits(64) % most

    with at_work(Settings(tmp_path / "floor"), create=True) as work:
        served = ServedHouse(work, ServerSettings())
        for floor in (work.floor, served.floor, served.reading):
            assert type(floor.desk.cards) is SecureCards
        house = House(work.store)
        house.floor = work.floor
        house.clock.at = work.floor.now()
        house.table("mbs-stud-6")
        monkeypatch.setattr("pitboss.floor.clock.secrets.randbelow", randbelow)
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    assert drawn[:51] == list(range(52, 1, -1))


def test_a1_a_round_has_everything_about_each_player(house: House) -> None:
    house.stud()
    house.steps("dealer: settle")
    row = house.store.round_at("t1", 1)
    assert row is not None
    book = house.book("mbs-stud-6")
    assert (row.status, row.rulebook, row.link, row.jackpot) == ("settled", book, "mega", True)
    assert row.dealt_at is not None
    assert row.ended_at is not None
    assert row.opened_at <= row.dealt_at <= row.ended_at
    steps = recall(house.floor, house.store, "t1", 1)
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    found = [step.event for step in steps]

    def of(kind: type) -> list[Any]:
        return [event for event in found if isinstance(event, kind)]

    placed = {(bet.player, bet.wager): bet.amount for bet in of(e.WagerPlaced)}
    for who in ("p1", "p2"):
        assert {wager for player, wager in placed if player == who} == {"ante", "jackpot", "bet"}
    assert [(made.position, made.choice) for made in of(e.DecisionMade)] == [(1, "bet"), (2, "bet")]
    assert {dealt.place: len(dealt.cards) for dealt in of(e.CardsDealt)} == {"1": 5, "2": 5, "dealer": 5}
    assert of(e.PlaceRevealed)[-1].place == "dealer"
    [closed] = of(e.BetsClosed)
    [contributed] = [
        decode(record) for record in house.store.read("link/mega") if record.name == "contributed.v1"
    ]
    assert (contributed.table, contributed.round_number, contributed.stake) == ("t1", 1, 1000)
    assert closed.contribution == contributed.meter == 20_000 * 100
    [settled] = of(e.RoundSettled)
    seats = {seat.player: seat for seat in settled.settlement.seats}
    for who, seat in seats.items():
        assert {line.wager: line.stake for line in seat.lines} == {
            wager: amount for (player, wager), amount in placed.items() if player == who
        }
        assert all(line.clauses for line in seat.lines)
    # the book of the round, whole, with its pay tables under this hash
    adopted = house.floor.registry.rulebooks[row.rulebook]
    assert rulebook_hash(adopted.id, adopted.document, dict(adopted.readings)) == row.rulebook
    plan = house.floor.desk.plan_of(row.rulebook)
    assert all(plan.wager(wager).pays.rows for wager in ("bet", "jackpot"))


def test_a3_a_player_gets_his_last_10_rounds_and_staff_get_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rounds of others came after his."""
    monkeypatch.setattr(
        "pitboss.server.reads.LAST_ROUNDS", 1
    )  # so that four rounds are looked through at once

    def prepare(house: House) -> None:
        stud_on_a_link(house)
        for number in range(1, 23):
            who, seat = ("p1", 1) if number <= 12 else ("p2", 2)
            house.steps(
                "dealer: open bets", f"{who}@{seat}: wager ante 25", "dealer: close bets", "dealer: deal"
            )
            house.steps(f"{who}@{seat}: fold", "dealer: settle")

    with served(tmp_path / "floor", prepare) as service:
        with service.signed_in("p1") as ask:
            numbers = [row["round"] for row in ask(ask.client.rounds("t1"))]
            assert numbers == list(range(12, 2, -1))
            for number in numbers:
                record = ask(ask.client.round("t1", number))
                assert record["replay"] is True
                versions = [step["version"] for step in record["steps"]]
                assert versions == sorted(versions)
                assert all(step["views"]["p1"]["replay"] for step in record["steps"])
            with pytest.raises(NotAllowed):
                ask(ask.client.round("t1", 13))
        with service.signed_in("mara") as ask:
            assert [row["round"] for row in ask(ask.client.rounds("t1", last=22))] == list(range(22, 0, -1))
            for number in range(1, 23):
                record = ask(ask.client.round("t1", number, eyes="p1" if number <= 12 else "p2"))
                assert (record["replay"], record["round"]) == (True, number)


def pooled_stud(house: House, *more: str) -> None:
    """MBS 3.4: p1 sits at position 1 and plays its hand, p2 has a share in it."""
    house.stack("5h 6h 7h 8h Ts 2s 2d 7c 9c Qs")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@1: wager ante 100", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: view", *more)


@pytest.mark.clauses("mbs-stud-6", "3.4")
def test_a3_a_co_owner_gets_his_round_and_sees_of_the_hand_what_he_saw_then(tmp_path: Path) -> None:
    def prepare(house: House) -> None:
        stud_on_a_link(house)
        pooled_stud(house, "p1@1: fold", "dealer: settle")
        pooled_stud(house)

    own = ["5h", "6h", "7h", "8h", "Ts"]
    with served(tmp_path / "floor", prepare) as service:

        def recalled(who: str, number: int, eyes: str = "") -> list[dict[str, Any]]:
            with service.signed_in(who) as ask:
                record = ask(ask.client.round("t1", number, eyes=eyes))
            assert record["replay"] is True
            return [step["views"][eyes or who] for step in record["steps"]]

        with service.signed_in("p2") as ask:
            assert [row["round"] for row in ask(ask.client.rounds("t1"))] == [2, 1]
        for number in (1, 2):  # folded unseen, and in play: the cards are p1's to look at
            assert recalled("p1", number)[-1]["positions"]["1"]["cards"] == own
            for view in recalled("p2", number):
                rows = [box["cards"] for box in view["positions"].values()]
                assert all(card == "??" for row in rows for card in row)
                opened = view.get("sealed", {}).get("openings", [])
                assert not {opening["card"] for opening in opened} & set(own)
        assert recalled("mara", 1, eyes="p2") == recalled("p2", 1)
        service.house.steps("p1@1: bet bet", "dealer: reveal dealer", "dealer: settle")
        last = recalled("p2", 2)[-1]
        assert last["positions"]["1"]["cards"] == own  # exposed for the comparison, to everybody
        assert {opening["card"] for opening in last["sealed"]["openings"]} >= set(own)
        assert last["settlement"][0]["lines"]


def test_a3_whoever_had_a_share_is_in_the_round_to_its_end(house: House) -> None:
    """Also one whose share folded for want of chips, or went back with the hand."""
    rack = house.floor.table("t1").state.racks["p2"]
    house.ok("dora", q.CashOut(table="t1", player="p2", amount=Cents(rack - 15_000)))
    pooled_stud(house, "p1@1: bet bet", "dealer: reveal dealer", "dealer: settle")
    steps = recall(house.floor, house.store, "t1", 1)
    assert any(isinstance(step.event, e.ShareFolded) for step in steps)
    assert {"p1", "p2"} <= set(viewers_of(steps))
    assert "p2" in viewers_of(steps[-1:])
    house.ok("dora", q.BuyIn(table="t1", player="p2", amount=Cents(100_000)))
    ruled_out = ("pit-manager: report uncovered shown", "assistant-director: rule invalidate 1 signed mara")
    pooled_stud(house, *ruled_out)
    steps = recall(house.floor, house.store, "t1", 2)
    assert any(isinstance(step.event, e.HandRemoved) for step in steps)
    assert "p2" in viewers_of(steps[-1:])


def test_a4_an_absent_player_s_decision_is_marked_and_changes_nobody_else_s_result() -> None:
    seats = {}
    for there in (True, False):
        house = stud_house()
        house.stack("5h 6h 7h 8h Ts 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
        house.steps(
            "dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "p2@2: wager jackpot 5"
        )
        house.steps("dealer: close bets", "dealer: deal", "p2@2: view", "p2@2: bet bet")
        before = house.floor.table("t1")
        house.floor = house.opened()
        assert house.floor.table("t1") == before, "what is read again is the round to the letter"
        if there:
            house.steps("p1@1: view", "p1@1: bet bet")
        else:
            house.wait(3600)
            [answer] = house.floor.tick("t1")
            assert answer.ok
            [marked] = [
                (record.actor, decode(record))
                for record in house.store.read("table/t1")
                if record.name == "player-absent.v1"
            ]
            assert marked[0] == "system"
            assert (marked[1].position, marked[1].decision) == (1, "bet")
            assert marked[1].clauses
            told_so = [step.sentence for step in recall(house.floor, house.store, "t1", 1)]
            assert any(sentence.startswith("Nobody at position 1 for the bet") for sentence in told_so)
        house.steps("dealer: reveal dealer", "dealer: settle")
        settlement = house.floor.table("t1").state.settlement
        assert settlement is not None
        seats[there] = {seat.player: seat for seat in settlement.seats}
        house.everything_adds_up()
    assert seats[True]["p2"] == seats[False]["p2"]
    assert seats[True]["p1"] != seats[False]["p1"]


@pytest.mark.whole
def test_a7_a_program_that_was_not_approved_does_not_serve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--program"]) == 0
    digest = capsys.readouterr().out.strip()
    assert digest == program_digest() == check_program(tmp_path)
    (tmp_path / APPROVED).write_text(digest + "\n")
    assert check_program(tmp_path) == digest
    (tmp_path / APPROVED).write_text("0" * 64)
    with pytest.raises(BadInput, match="approves of 0000"):
        check_program(tmp_path)
    command = [sys.executable, "-m", "pitboss.cli.main", "serve", "--demo", "--port", "0"]
    done = subprocess.run([*command, "--data", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "approves of 0000" in done.stderr


@pytest.mark.whole
def test_a8_the_return_of_a_game_is_told_beside_its_band() -> None:
    house = House()
    house.table("mbs-3cp-2023")
    for _ in range(3):
        steps = [
            "dealer: open bets",
            "p1@1: wager ante 25",
            "dealer: close bets",
            "dealer: deal",
            "p1@1: view",
        ]
        house.steps(*steps, "p1@1: bet play", "dealer: reveal dealer", "dealer: reveal community")
        house.steps("dealer: settle")
    [game] = as_sent(told(house.floor, report(house.floor, house.store), theory=True))["games"]
    low, high = game["band"]
    assert low < game["theoretical_return"] < high
    assert game["theoretical_return"] == pytest.approx(-0.02, abs=0.02)
    assert game["within_band"] is (low <= game["actual_return"] <= high)
    assert game["hands"] == 3
    assert Cents(int(game["staked"] * 100)) == 7500
