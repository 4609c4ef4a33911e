"""Disputes: who has them, how far up they go, on what basis they are decided."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pitboss.cards import parse_card
from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.disputes import DisputeDecided, DisputeNoted, DisputeStatus, stream_of
from pitboss.floor.overview import dispute_views
from pitboss.floor.people import CONSOLE, Asker, player, staff
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.rulebooks.load import written_out
from support.floor import House
from support.record import audited
from support.sent import as_sent


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
    house.ok("eye", q.NoteDispute(dispute=number, text="camera 4 shows the cards pushed in"))
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


BASES = {
    "game-rules": ("8.4.1", ()),
    "published-information": ("8.4.2", ()),
    "operating-procedures": ("8.4.3", ()),
    "control-standards": ("8.4.4", ()),
    "accounts-of-both-parties": ("8.4.5", ("player", "house")),
    "surveillance-evidence": ("8.4.6", ("surveillance",)),
    "other-evidence": ("8.4.7", ("evidence",)),
    "applicable-law": ("8.4.8", ()),
}
"""Each basis of Hoiana 8.4 with its clause, and what must be on file before it is cited."""
NOTES = {
    "player": ("p1", "p1"),
    "house": ("dora", "house"),
    "surveillance": ("eye", ""),
    "evidence": ("saul", ""),
}
"""Who enters each of them, as whose account."""


def disputed(house: House) -> int:
    """A dispute about a fold at Hoiana."""
    house.table("hoiana-thb-2025")
    house.steps(
        "dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: fold"
    )
    return int(house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I did not fold"))["dispute"])


def found_wrong(house: House) -> list[str]:
    """What both verifiers say of the floor."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    return [*(str(problem) for problem in checked.problems), *audited(store)]


def deciding(number: int, basis: str) -> q.DecideDispute:
    return q.DecideDispute(dispute=number, basis=basis, decision="as recorded", in_favour_of="player")


def note(house: House, number: int, what: str) -> None:
    by, account_of = NOTES[what]
    house.ok(by, q.NoteDispute(dispute=number, text=f"{what} says so", account_of=account_of))


@pytest.mark.parametrize("basis", BASES)
def test_8_4_a_basis_is_cited_when_it_is_on_file(house: House, basis: str) -> None:
    number, (clause, needed) = disputed(house), BASES[basis]
    for what in set(NOTES) - set(needed):  # what is on file for another basis does not serve this one
        note(house, number, what)
    assert dict(as_sent(dispute_views(house.floor, house.store, number))[0]["missing"]).get(
        basis, []
    ) == list(needed)
    for what in needed:
        assert house.refused("mara", deciding(number, basis)) == "basis-not-on-file"
        answer = house.ask("mara", deciding(number, basis))
        assert answer.body["refusal"]["clauses"] == ["8.4", clause]
        assert f"The basis {basis} is not on file. Missing: " in answer.message
        assert "note" in answer.message
        note(house, number, what)
    assert as_sent(dispute_views(house.floor, house.store, number))[0]["missing"] == {}
    house.ok("mara", deciding(number, basis))
    assert f'"{clause}"' in house.store.read(f"dispute/{number}")[-1].data
    assert found_wrong(house) == []


@pytest.mark.parametrize("first", ["player", "house"])
def test_8_4_5_one_account_names_the_other_that_is_missing(house: House, first: str) -> None:
    number = disputed(house)
    note(house, number, first)
    answer = house.ask("mara", deciding(number, "accounts-of-both-parties"))
    other = "house" if first == "player" else "player"
    assert answer.code == "basis-not-on-file"
    assert f"the {other}'s account" in answer.message
    assert f"the {first}'s account" not in answer.message


@pytest.mark.parametrize(
    ("by", "account_of", "party"),
    [
        ("p1", "p1", "player"),
        ("p1", "player", "player"),
        ("p1", "", ""),
        ("mara", "p1", "player"),
        ("mara", "player", "player"),
        ("mara", "dora", "house"),
        ("mara", "dealer", "house"),
        ("dora", "house", "house"),
        ("mara", "p2", ""),  # a witness
        ("mara", "", ""),
        ("eye", "", "surveillance"),
        ("eye", "eye", "surveillance"),
        ("eye", "p1", "player"),
    ],
)
def test_whose_side_a_note_speaks_for(house: House, by: str, account_of: str, party: str) -> None:
    number = disputed(house)
    house.ok(by, q.NoteDispute(dispute=number, text="what was seen", account_of=account_of))
    assert house.floor.dispute(number).parties == {party}
    assert found_wrong(house) == []


@pytest.mark.parametrize(
    ("by", "account_of", "says"),
    [
        ("p1", "dora", "a player gives their own account, not that of 'dora'; write 'p1', or leave it out"),
        ("p1", "house", "a player gives their own account"),
        ("p1", "surveillance", "a player gives their own account"),
        ("mara", "surveillance", "'surveillance' is Surveillance; Surveillance adds a note of its own"),
        ("mara", "eye", "Surveillance adds a note of its own"),
        ("mara", "dorra", "unknown person 'dorra'; did you mean 'dora'?"),
    ],
)
def test_an_account_that_cannot_be_is_bad_input(house: House, by: str, account_of: str, says: str) -> None:
    number = disputed(house)
    before = len(house.store.read(f"dispute/{number}"))
    with pytest.raises(BadInput, match=re.escape(says)):
        house.ask(by, q.NoteDispute(dispute=number, text="so it was", account_of=account_of))
    assert len(house.store.read(f"dispute/{number}")) == before


def test_a_book_that_says_nothing_of_files_takes_every_basis(house: House) -> None:
    """Books written before `needs` there was, and floors that adopted them, decide as they did."""
    _, document = written_out("hoiana-thb-2025")
    tables = json.loads(document)
    del tables["disputes"]["needs"]
    request = q.ProposeRulebook(id="hoiana-thb-2025", document=json.dumps(tables), readings={})
    house.books["before"] = house.ok("gina", request)["rulebook"]
    for person in ("gina", "gus"):
        house.ok(person, q.ApproveRulebook(rulebook=house.books["before"]))
    house.table("before")
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    number = house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="the ante"))["dispute"]
    assert as_sent(dispute_views(house.floor, house.store, number))[0]["missing"] == {}
    house.ok("mara", deciding(number, "accounts-of-both-parties"))
    assert found_wrong(house) == []


def test_a_decision_that_rests_on_nothing_on_file_is_found_in_the_record(house: House) -> None:
    number = disputed(house)
    draft = house.floor._draft(staff("mara"))
    decided = DisputeDecided(
        decision="so",
        basis="surveillance-evidence",
        in_favour_of="player",
        complaint_explained=True,
        clauses=(),
    )
    draft.record(stream_of(number), [decided])
    house.store.write(draft.batch("forged", "forged", "{}"))
    assert sum("surveillance-evidence was not on file" in problem for problem in found_wrong(house)) == 2


@pytest.mark.parametrize(("by", "party"), [(player("p1"), "house"), (staff("mara"), "surveillance")])
def test_a_note_for_a_side_that_its_author_cannot_speak_for_is_found(
    house: House, by: Asker, party: str
) -> None:
    number = disputed(house)
    draft = house.floor._draft(by)
    draft.record(stream_of(number), [DisputeNoted(account_of="", text="so", party=party)])
    house.store.write(draft.batch("forged", "forged", "{}"))
    assert sum(f"does not speak for {party}" in problem for problem in found_wrong(house)) == 2


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
