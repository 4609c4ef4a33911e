"""Disputes: who has them, how far up they go, on what basis they are decided."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.cards import parse_card
from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.disputes import DisputeStatus
from pitboss.floor.people import CONSOLE, player, staff
from support.floor import House


@pytest.fixture
def house() -> House:
    house = House()
    house.link()
    return house


@pytest.mark.clauses(
    "hoiana-thb-2025",
    "8.1", "8.2", "8.3", "8.4", "8.4.1", "8.4.2", "8.4.3", "8.4.4", "8.4.5", "8.4.6", "8.4.7", "8.4.8", "8.5", "8.6",
)  # fmt: skip
def test_8_a_dispute_goes_up_and_is_decided_on_a_named_basis(house: House) -> None:
    house.table("hoiana-thb-2025")
    house.steps(
        "dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: fold"
    )
    opened = house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I did not fold"))
    assert opened["with"] == "dealer-inspector"
    number = opened["dispute"]
    house.ok("p1", q.NoteDispute(dispute=number, text="I only scratched the table", account_of="p1"))
    decide: dict[str, Any] = {"dispute": number, "decision": "the fold stands", "in_favour_of": "house"}
    assert house.refused("dora", q.DecideDispute(basis="game-rules", **decide)) == "no-authority"
    assert house.refused("p1", q.EscalateDispute(dispute=number)) == "no-authority"
    house.ok("ines", q.EscalateDispute(dispute=number))
    assert house.refused("ines", q.DecideDispute(basis="game-rules", **decide)) == "no-authority"
    assert house.refused("ines", q.EscalateDispute(dispute=number)) == "escalated-already"
    house.ok("mara", q.GiveTimeFrame(dispute=number, minutes=30))
    with pytest.raises(BadInput, match="no basis 'mood'"):
        house.ask("mara", q.DecideDispute(basis="mood", **decide))
    assert house.refused("mara", q.DecideDispute(basis="game-rules", **decide)) == "complaint-not-explained"
    assert (
        house.refused("p1", q.FileComplaint(dispute=number, text="no", assisted_by="dora")) == "not-decided"
    )
    house.ok("mara", q.DecideDispute(basis="surveillance-evidence", complaint_explained=True, **decide))
    assert house.refused("p1", q.FileComplaint(dispute=number, text="no")) == "not-assisted"
    house.ok("p1", q.FileComplaint(dispute=number, text="I complain", assisted_by="dora"))
    assert house.refused("mara", q.AnswerComplaint(dispute=number, answer="no")) == "no-authority"
    house.ok("ada", q.AnswerComplaint(dispute=number, answer="the stake is returned"))
    dispute = house.floor._draft(CONSOLE).dispute(number)
    assert dispute.status is DisputeStatus.COMPLAINT
    assert dispute.surveillance_informed
    assert dispute.opened is not None
    assert "hash" in dispute.opened.evidence[0]
    assert dispute.opened.evidence[1] == "on shift: dora (dealer)"
    assert any("fold" in line for line in dispute.opened.evidence)
    events = house.store.read(f"dispute/{number}")
    assert '"8.4.6"' in next(event.data for event in events if event.name == "dispute-decided.v1")


def test_what_may_be_done_about_a_dispute_is_what_would_be_taken(house: House) -> None:
    """By whom, and how far it has come; Hoiana's inspectors pass it up to a pit manager."""

    def may() -> dict[str, list[str]]:
        askers = [player("p1"), player("p2"), *map(staff, ("dora", "ines", "mara", "ada", "eye"))]
        return {asker.name: house.floor.dispute_steps(asker, number) for asker in askers}

    house.table("hoiana-thb-2025")
    house.steps(
        "dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: fold"
    )
    number = house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I did not fold"))["dispute"]
    note, up, time, decide = "note-dispute", "escalate-dispute", "give-time-frame", "decide-dispute"
    everything = [note, up, time, decide]
    noting = {"p1": [note], "p2": [], "dora": [note], "eye": [note]}
    assert may() == noting | {"ines": everything, "mara": everything, "ada": everything}
    house.ok("ines", q.EscalateDispute(dispute=number))
    deciding = [note, time, decide]
    assert may() == noting | {"ines": [note], "mara": deciding, "ada": deciding}
    house.ok(
        "mara",
        q.DecideDispute(
            dispute=number,
            basis="game-rules",
            decision="it stands",
            in_favour_of="house",
            complaint_explained=True,
        ),
    )
    complaining = [note, "file-complaint"]
    assert may() == dict.fromkeys(noting | {"ines": [], "mara": [], "ada": []}, complaining) | {"p2": []}
    house.ok("p1", q.FileComplaint(dispute=number, text="I complain", assisted_by="dora"))
    only_notes = {key: [note] for key in may()} | {"p2": []}
    assert may() == only_notes | {"ada": [note, "answer-complaint"]}
    house.ok("ada", q.AnswerComplaint(dispute=number, answer="no"))
    assert may() == only_notes


@pytest.mark.parametrize(
    ("book", "manager", "clause"),
    [("mbs-stud-6", "gina", "6.1"), ("rws-thp-2", "gina", "5.23")],
)
def test_other_books_refer_disputes_to_their_named_manager(
    house: House, book: str, manager: str, clause: str
) -> None:
    house.table(book)
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    opened = house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="the limit"))
    assert opened["with"] == "shift-manager"
    number = opened["dispute"]
    assert house.refused("mara", q.EscalateDispute(dispute=number)) == "no-escalation"
    decision: dict[str, Any] = {
        "dispute": number,
        "decision": "as dealt",
        "basis": "referred",
        "in_favour_of": "house",
    }
    assert house.refused("mara", q.DecideDispute(**decision)) == "no-authority"
    house.ok(manager, q.DecideDispute(**decision))
    assert f'"{clause}"' in house.store.read(f"dispute/{number}")[0].data


def test_evidence_of_one_round_says_nothing_of_the_next(house: House) -> None:
    """The cards of a round in play lie face down; a dispute about the round before must not turn them up."""
    house.table("mbs-thb-9", procedure="method-a")
    house.stack("2c 3c 4c 5c 6d 7h 8h 9s Ts Kd")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: view", "p1@1: bet flop", "dealer: reveal flop", "p1@1: check", "dealer: reveal turn")
    house.steps("p1@1: check", "dealer: reveal river", "dealer: reveal dealer", "dealer: settle")
    first = house.floor.table("t1").state
    shown = {card.code for part in ("flop", "turn", "river") for card in first.known[part]}
    house.stack("As Ks Qs Js 9d 2d 3d 4d 5d 6h")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    now = house.floor.table("t1").state
    hidden = {card.face for part in ("flop", "turn", "river") for card in now.known.get(part, ())}
    assert hidden
    opened = house.ok("p2", q.OpenDispute(table="t1", round_number=1, about="the pay"))
    dispute = house.floor.dispute(opened["dispute"])
    assert dispute.opened is not None
    told = " ".join(dispute.opened.evidence)
    assert not any(face in told for face in hidden)
    assert any(parse_card(code).face in told for code in shown)


def test_a_player_adds_notes_to_his_own_dispute_only(house: House) -> None:
    house.table("mbs-stud-6")
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    number = house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="the limit"))["dispute"]
    assert house.refused("p2", q.NoteDispute(dispute=number, text="he is wrong")) == "not-yours"
    house.ok("p1", q.NoteDispute(dispute=number, text="I am right"))
