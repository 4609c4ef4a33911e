"""Duties as steps: prompted to the dealer, remembered between rounds, never in the way of an older record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.floor import requests as q
from pitboss.floor.choices import dealer_choices
from pitboss.play.carry import carried_on, carry
from pitboss.play.codec import decode_event, encode_event
from pitboss.play.duties import duties_due
from pitboss.play.evolve import evolve_all
from pitboss.play.record import replay_record, save_record
from pitboss.play.scenario import Played, play_scenario, read_scenario
from pitboss.play.table import open_table
from pitboss.play.views import Role, Viewer, view_for
from pitboss.rulebooks.document import read_document
from pitboss.rulebooks.validate import validate
from support.floor import House
from support.sent import as_sent

JACKPOT = {"unit": "5", "meter": "250000", "reset": "100000", "increment_bp": 2000}


def _played(
    book: str, *steps: str, deck: str = "Kh 9c 5s 2d 7h Ah Kd 3c 4d Qs Jd Tc 8s", **more: Any
) -> Played:
    script = {
        "rulebook": book,
        "players": {"p1": "10000", "p2": "10000"},
        "deck": deck,
        "steps": steps,
        **more,
    }
    return play_scenario(read_scenario(json.dumps(script), name="x"))


def _codes(played: Played) -> list[str]:
    return [step.refusal.code if step.refusal is not None else "ok" for step in played.steps]


VOID = ("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")


@pytest.mark.parametrize(
    ("report", "code"),
    [
        ("dealer: report missing-card", "new-pack-due"),
        ("dealer: report extra-card", "new-pack-due"),
        ("dealer: report count-doubt 53", "new-pack-due"),
        ("dealer: report exposed 2", "ok"),
        ("dealer: report misdeal reconstructable=no", "ok"),
    ],
)
def test_7_2_a_new_pack_is_due_after_the_rounds_that_the_clause_names(report: str, code: str) -> None:
    played = _played("hoiana-thb-2025", *VOID, report, "dealer: open bets")
    assert played.rounds[0].status == "void"
    assert _codes(played)[-1] == code


@pytest.mark.parametrize("book", ["mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"])
def test_no_other_book_asks_for_a_new_pack(book: str) -> None:
    deck = "Kh 9c 5s 2d 7h Ah Kd 3c 4d Qs Jd Tc 8s"
    played = _played(book, *VOID, "dealer: report missing-card", "dealer: open bets", deck=deck)
    assert _codes(played)[-1] == "ok"


def test_what_is_due_is_carried_to_the_next_round_and_an_old_carry_is_read() -> None:
    state = _played("hoiana-thb-2025", *VOID, "dealer: report missing-card").state
    carried = carry(state)
    base = open_table(state.terms, {})
    assert carried_on(base, json.loads(json.dumps(carried))).memory.new_pack_due
    assert "jackpot_stopped" not in carried["memory"], "what is not so is not carried: old snapshots hold"
    del carried["memory"]["new_pack_due"]
    memory = carried_on(base, carried).memory
    assert not memory.new_pack_due
    assert not memory.jackpot_stopped


def test_a_record_without_these_steps_is_read_and_played_as_before() -> None:
    played = _played(
        "rws-thp-2", "dealer: open bets", "p1@1: wager ante 25", "p1@2: wager ante 25", "dealer: close bets",
        "dealer: deal", table={"jackpot": JACKPOT},
    )  # fmt: skip
    assert set(_codes(played)) == {"ok"}
    state, events, _ = replay_record(json.dumps(save_record(played)), name="x")
    assert [encode_event(event) for event in events] == [encode_event(event) for event in played.events]
    assert state == played.state


def test_every_new_event_is_replayed_to_the_same_table() -> None:
    played = _played(
        "rws-thp-2", "dealer: open bets", "p1@1: wager ante 1500", "p1@1: wager jackpot 5", "p1@2: wager ante 25",
        "dealer: inform 1", "dealer: close bets", "dealer: for p2@3 wager ante 5 unnoticed",
        "dealer: for p2@3 wager jackpot 5 unnoticed", "dealer: deal", "p1@1: bet flop 50", "p1@2: fold", "p2@3: fold",
        "dealer: reveal flop", "p1@1: check", "dealer: reveal turn", "p1@1: check", "dealer: reveal river",
        "dealer: reveal dealer", "p1@1: notify", "dealer: settle", "dealer: report jackpot-failure",
        table={"jackpot": JACKPOT, "limits": {"ante": ["25", "500"]}, "procedure": "shuffler"},
        deck="9h 8h 2h Kd 4c Ah Kh 3c 3d Qs Jd Tc 8s",
    )  # fmt: skip
    assert set(_codes(played)) == {"ok"}
    names = {encode_event(event)["event"] for event in played.events}
    new = {
        "excess-rejected",
        "unnoticed-wager-entered",
        "duty-done",
        "jackpot-hand-left",
        "jackpot-bets-stopped",
    }
    assert {f"{name}.v1" for name in new} <= names
    again = [decode_event(json.loads(json.dumps(encode_event(event)))) for event in played.events]
    first = open_table(played.scenario.terms, played.scenario.players, meter=played.scenario.meter)
    assert evolve_all(first, again) == played.state


def test_the_dealer_is_prompted_in_order_and_play_does_not_wait() -> None:
    house = House()
    house.link()
    house.table("mbs-thb-9", players=("p1",), link="mega", cards="physical")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@2: wager ante 25")
    inform, offer, close = (
        {"do": "inform-player", "position": 1},
        {"do": "offer-jackpot"},
        {"do": "close-bets"},
    )
    assert _prompted(house) == [close, inform, offer]
    house.steps("dealer: inform 2")
    assert _prompted(house) == [close, offer]
    house.steps("dealer: offer jackpot")
    assert _prompted(house) == [close]
    house.steps("dealer: close bets")
    assert _prompted(house) == [{"do": "deal"}]


def test_a_new_pack_is_the_next_step_and_a_jackpot_hand_is_prompted_before_the_settlement() -> None:
    house = House()
    house.table("hoiana-thb-2025", players=("p1",), scanned=True)
    house.steps(*VOID, "pit-supervisor: report missing-card")
    assert _prompted(house) == [{"do": "new-pack"}]
    house.steps("dealer: new pack")
    assert _prompted(house) == [{"do": "open-bets"}]


def test_4_4_a_jackpot_hand_is_prompted_before_the_settlement() -> None:
    house = House()
    house.link()
    house.table("rws-thp-2", players=("p1",), link="mega", procedure="shuffler")
    house.stack("9h 8h 2h Kd 4c Ah Kh 3c 3d")
    house.steps(
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p1@1: wager jackpot 5",
        "dealer: close bets",
        "dealer: deal",
    )
    house.steps("p1@1: bet flop", "dealer: reveal flop", "p1@1: check", "dealer: reveal turn", "p1@1: check")
    house.steps("dealer: reveal river", "dealer: reveal dealer")
    notify = {"do": "notify-jackpot", "position": 1, "for_player": "p1"}
    assert _prompted(house) == [{"do": "settle"}, notify]
    house.steps("dealer: for p1@1 notify")
    assert as_sent(view_for(house.floor.table("t1").state, Viewer(Role.PUBLIC)))["positions"]["1"][
        "cards"
    ] == [
        "Ah",
        "Kh",
    ]
    assert _prompted(house) == [{"do": "settle"}]
    house.steps("dealer: settle")
    assert house.floor.table("t1").state.racks["p1"] == 500_000 + 10_000 - 500 + 5000 + 2500


def _prompted(house: House) -> list[dict[str, Any]]:
    table = house.floor.table("t1")
    link = house.floor.link(table.opened.link) if table.opened and table.opened.link else None
    return [choice["act"] for choice in as_sent(dealer_choices(table, link))]


def test_nothing_of_a_jackpot_is_offered_while_its_link_is_offline() -> None:
    house = House()
    house.link()
    house.table("mbs-stud-6", players=("p1",), link="mega", cards="physical")
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    table = house.floor.table("t1")
    assert list(duties_due(table.state))
    assert _prompted(house) == [{"do": "close-bets"}]


@pytest.mark.parametrize(
    ("book", "duties", "path"),
    [
        ("hoiana-thb-2025", [{"duty": "offer-jackpot", "clauses": ["4.7"]}], "duties[0].duty"),
        ("hoiana-thb-2025", [{"duty": "new-pack", "clauses": ["7.2"]}], "duties[0].after-clauses"),
        ("rws-thp-2", [{"duty": "inform-one-view", "clauses": ["3.7"]}] * 2, "duties[1].duty"),
        (
            "rws-thp-2",
            [{"duty": "inform-one-view", "clauses": ["3.7"], "after-clauses": ["5.8"]}],
            "duties[0].after-clauses",
        ),
        ("rws-thp-2", [{"duty": "inform-one-view", "clauses": ["99.9"]}], "duties[0].clauses"),
        (
            "hoiana-thb-2025",
            [{"duty": "new-pack", "clauses": ["7.2"], "after-clauses": ["7.99"]}],
            "duties[0].after-clauses",
        ),
    ],
)
def test_duties_that_cannot_be_are_defects(book: str, duties: list[dict[str, Any]], path: str) -> None:
    document = read_document(book).with_settings({"duties": duties})
    assert any(path in defect.place for defect in validate(document))


@pytest.mark.parametrize("table", ["under-minimum", "wrong-size"])
def test_only_a_stake_over_the_maximum_is_cut(table: str) -> None:
    document = read_document("rws-thp-2").with_settings({f"limits.{table}.placing": "cut-to-maximum"})
    assert any(f"limits.{table}.placing" in defect.place for defect in validate(document))


QUADS = "Kh Kd 9c 2d 3s Kc Ks 9h 9d 4c 5h"
TO_THE_TURN = (
    "dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets", "dealer: deal",
    "p1@1: bet flop", "dealer: reveal flop", "p1@1: check", "dealer: reveal turn", "p1@1: check",
)  # fmt: skip
OPEN = ("dealer: reveal river", "dealer: reveal dealer")
SHUFFLER = {"procedure": "shuffler", "jackpot": JACKPOT}


@pytest.mark.parametrize(
    "steps", [("p1@1: notify", *OPEN), ("dealer: reveal river", "p1@1: notify", "dealer: reveal dealer")]
)
def test_4_4_a_hand_that_lies_face_up_is_not_declined_and_wins_its_award(steps: tuple[str, ...]) -> None:
    """4.3 settles a hand that is not exposed; one left face up for its jackpot is exposed to all."""
    played = _played(
        "rws-thp-2", *TO_THE_TURN, *steps, "p1@1: decline", "dealer: settle", deck=QUADS, table=SHUFFLER
    )
    refusal = played.steps[-2].refusal
    assert refusal is not None
    assert refusal.code == "lies-open"
    assert {"4.3", "4.4"} <= set(refusal.clauses)
    (seat,) = (seat for seat in played.rounds[0].state.settlement.seats)  # type: ignore[union-attr]
    assert {line.wager: line.paid for line in seat.lines}["jackpot"] == 200_000


def test_4_3_a_hand_that_was_declined_and_established_is_left_face_up_and_not_declined_again() -> None:
    steps = ("p1@1: decline", "p1@1: establish", "p1@1: notify", "p1@1: decline")
    played = _played("rws-thp-2", *TO_THE_TURN, *OPEN, *steps, deck=QUADS, table=SHUFFLER)
    assert _codes(played)[-4:] == ["ok", "ok", "ok", "hand-over"]


@pytest.mark.parametrize(
    ("book", "steps", "clause"),
    [
        ("mbs-thb-9", ("dealer: absent 1", "p1@1: bet flop"), "5.11"),
        ("mbs-thb-9", ("p1@1: fold", "p1@1: bet flop"), "3.9.1"),
        ("mbs-3cp-2023", ("dealer: absent 1", "p1@1: bet play"), "5.11"),
        ("mbs-stud-6", ("dealer: absent 1", "p1@1: bet bet"), "5.11"),
        ("hoiana-thb-2025", ("dealer: absent 1", "p1@1: bet flop"), "7.11"),
        ("hoiana-thb-2025", ("p1@1: fold", "p1@1: fold"), "4.11.2.i"),
    ],
)
def test_a_step_of_a_hand_that_is_out_cites_what_took_it_out(
    book: str, steps: tuple[str, ...], clause: str
) -> None:
    refusal = _played(book, *VOID, *steps).steps[-1].refusal
    assert refusal is not None
    assert refusal.code == "hand-over"
    assert clause in refusal.clauses
