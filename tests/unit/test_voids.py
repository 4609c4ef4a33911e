"""Voids at virtual tables: reports held against the seal, two signatures, decks kept and opened to their players."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from pitboss.cards import DECK
from pitboss.cli.verify_round import check_document
from pitboss.floor import requests as q
from pitboss.floor.counterfactual import house_result
from pitboss.floor.people import SYSTEM
from pitboss.floor.recall import recall, recalled, viewers_of, void_deck
from pitboss.floor.sealing import commitment
from pitboss.floor.table_events import DeckOpened, SealBroken, VoidNoted
from pitboss.floor.verifying import check_streams
from pitboss.floor.voids import opened_deck
from pitboss.play.table import Stage
from pitboss.rulebooks import book_ids, load_plan
from support.entropy import Devices, seat
from support.floor import House
from support.record import ledger_of, log_of
from support.voids import (
    BETS,
    SAID,
    dealt,
    deleted,
    events,
    problems,
    replaced,
    scrambled,
    to_the_end,
    void,
)
from verify_export import audit

# --- reports against the seal -------------------------------------------------------------------------------


@pytest.mark.parametrize("book", book_ids())
def test_a_seal_that_holds_refutes_every_report_about_its_cards(book: str) -> None:
    """At every moment of the round, whoever reports and whatever is said of the cards."""
    house = House()
    house.table(book)

    def refuted() -> None:
        before = house.floor.table("t1")
        answers = set()
        for who in ("dealer", "assistant-director"):
            for said in SAID.values():
                for finding in ("", " reconstructable=yes", " reconstructable=no"):
                    answer = house.step(f"{who}: report {said}{finding} signed gus")
                    assert answer.code == "seal-holds", (said, answer.body)
                    answers.add(answer.message)
        assert house.floor.table("t1") == before
        assert len(answers) == 1
        assert not any(card.code in answers.pop() for card in DECK if answers)

    for moment in (*BETS, "dealer: deal"):
        house.steps(moment)
    refuted()
    to_the_end(house)
    assert house.floor.table("t1").state.stage is Stage.SETTLED
    refuted()
    assert events(house, SealBroken) == []
    assert problems(house) == []


def test_the_refusal_cites_what_the_book_says_of_such_a_report() -> None:
    house = dealt()
    refusal = house.step("pit-supervisor: report foreign-card").body["refusal"]
    assert refusal["clauses"] == ["5.1", "5.1.1", "5.1.2"]


def another_key(house: House) -> None:
    from pitboss.floor.sealing import DeckBox

    house.floor.desk.decks = DeckBox(b"x" * 32)


BREAKING: list[tuple[Callable[[House], None], str]] = [
    (deleted, "missing"),
    (scrambled, "does-not-open"),
    (replaced, "not-what-was-sealed"),
    (another_key, "does-not-open"),
]


@pytest.mark.parametrize(("broken", "what"), BREAKING)
def test_a_seal_that_is_broken_lets_the_clause_apply_and_is_an_alarm_that_stays(
    broken: Callable[[House], None], what: str
) -> None:
    house = dealt()
    broken(house)
    assert house.step("pit-supervisor: report foreign-card").code == "second-person"
    house.steps("pit-supervisor: report foreign-card signed mara")
    state = house.floor.table("t1").state
    assert state.stage is Stage.VOID
    assert "5.1.1" in state.void_clauses
    assert events(house, SealBroken) == [SealBroken(round_number=1, what=what)]
    [note] = events(house, VoidNoted)
    assert (note.house, note.deck_kept, note.signed_by) == (None, False, "mara")
    assert house.store.decks() == []
    house.steps(*BETS, "dealer: deal")
    to_the_end(house)
    assert house.floor.table("t1").broken_seals == ((1, what),)
    found = problems(house)
    assert len(found) == 2
    assert all("alarm" in problem and "round 1" in problem for problem in found)
    assert events(house, DeckOpened) == []


def test_the_alarm_of_a_deck_that_was_deleted_stays_after_any_void() -> None:
    house = dealt()
    deleted(house)
    house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")
    assert events(house, SealBroken) == [SealBroken(round_number=1, what="missing")]
    house.steps("dealer: open bets")
    assert any("alarm" in problem for problem in problems(house))


def test_a_kept_deck_that_is_changed_before_it_is_opened_is_an_alarm() -> None:
    house = dealt()
    house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")
    assert problems(house) == []
    replaced(house)
    assert any("not what was committed to" in problem for problem in problems(house))
    house.steps("dealer: open bets")
    assert events(house, DeckOpened) == []
    assert events(house, SealBroken) == [SealBroken(round_number=1, what="not-what-was-sealed")]
    assert any("alarm" in problem for problem in problems(house))


def test_cards_in_the_state_that_are_not_those_of_the_record_break_the_seal() -> None:
    house = dealt()
    loaded = house.floor.desk.loaded["table/t1"]
    known = {**loaded.state.play.known, "1": loaded.state.play.known["2"]}
    loaded.state = loaded.state._replace(play=loaded.state.play._replace(known=known))
    house.steps("pit-supervisor: report foreign-card signed mara")
    assert events(house, SealBroken)[0].what == "not-dealt-as-announced"


# --- two signatures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["", "ada", "dora", "ines", "nobody"])
def test_a_void_of_cards_that_were_dealt_takes_two_persons(second: str) -> None:
    """Neither the one who rules, nor one below a pit supervisor, nor a stranger signs for it."""
    house = dealt()
    house.steps("pit-manager: report disruption")
    alone = "assistant-director: rule void" + (f" signed {second}" if second else "")
    assert house.step(alone).code == "second-person"
    house.steps("assistant-director: rule void signed saul")
    [note] = events(house, VoidNoted)
    assert (note.reported_by, note.ruled_by, note.signed_by) == ("staff/mara", "staff/ada", "saul")
    assert (note.kind, note.cards, note.staked) == ("disruption", 15, 5000)
    assert problems(house) == []


def test_rws_5_7_2_power_reported_by_staff_takes_two_persons_and_a_crash_none() -> None:
    house = dealt("rws-thp-2")
    assert house.step("pit-supervisor: report power-failure").code == "second-person"
    house.ok(SYSTEM, q.Interrupt(table="t1", reason="the floor stopped"))
    assert house.floor.table("t1").state.stage is Stage.VOID
    [note] = events(house, VoidNoted)
    assert (note.reported_by, note.ruled_by, note.signed_by) == ("system", "", "")
    assert note.kind == "power-failure"
    assert note.deck_kept
    assert problems(house) == []


def test_a_void_before_a_card_is_dealt_takes_one_person_and_is_noted_all_the_same() -> None:
    house = House()
    house.table("mbs-stud-6")
    house.steps(*BETS, "pit-manager: report disruption", "assistant-director: rule void")
    [note] = events(house, VoidNoted)
    assert (note.signed_by, note.cards, note.stage) == ("", 0, "closed")
    assert note.house is not None
    house.steps("dealer: open bets")
    assert len(events(house, DeckOpened)) == 1
    assert problems(house) == []


def test_a_hand_that_is_ruled_out_takes_two_persons() -> None:
    house = dealt("mbs-thb-9")
    house.steps("pit-manager: report confidentiality 2")
    assert house.step("assistant-director: rule bar p2").code == "second-person"
    house.steps("assistant-director: rule bar p2 signed gus")
    assert house.floor.table("t1").state.boxes[2].removal is not None
    assert problems(house) == []


@pytest.mark.parametrize("book", book_ids())
def test_physical_tables_are_as_they_were(book: str) -> None:
    """No seal, no second signature: a report voids by its clause."""
    house = House()
    kit = tuple(item.name for item in load_plan(book).book.equipment)
    house.table(book, cards="physical", checklist=kit)
    house.steps(*BETS, "dealer: deal", "pit-supervisor: report foreign-card")
    if house.floor.table("t1").state.suspension is not None:
        house.steps("assistant-director: rule void")
    assert house.floor.table("t1").state.stage is Stage.VOID
    assert events(house, VoidNoted) == []


# --- decks kept, and opened to their players ------------------------------------------------------------------


def test_the_deck_of_a_void_round_is_kept_until_the_next_bets_and_opened_then() -> None:
    house = dealt()
    void(house)
    assert house.store.decks() == [("t1", 1)]
    assert house.floor.table("t1").kept_decks == (1,)
    assert opened_deck(house.store, "t1", 1) is None
    house.steps("dealer: open bets")
    [opened] = events(house, DeckOpened)
    assert opened_deck(house.store, "t1", 1) == opened
    assert [opening.index for opening in opened.openings] == list(range(52))
    assert {opening.card for opening in opened.openings} == {card.code for card in DECK}
    assert house.store.decks() == [("t1", 2)]
    assert problems(house) == []


def test_a_dispute_keeps_the_deck_closed_until_it_is_decided() -> None:
    house = dealt()
    void(house)
    house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I had won"))
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    assert opened_deck(house.store, "t1", 1) is None
    assert house.floor.table("t1").kept_decks == (1,)
    assert problems(house) == []
    decision = q.DecideDispute(dispute=1, decision="void", basis="referred", in_favour_of="house")
    house.ok("ada", decision)
    assert opened_deck(house.store, "t1", 1) is not None
    assert house.floor.table("t1").kept_decks == ()
    assert problems(house) == []


def test_a_settled_round_never_opens() -> None:
    house = dealt()
    to_the_end(house)
    house.steps("dealer: open bets")
    assert opened_deck(house.store, "t1", 1) is None
    assert events(house, DeckOpened) == events(house, VoidNoted) == []


def test_a_table_that_is_read_from_a_snapshot_knows_its_kept_decks() -> None:
    house = dealt()
    void(house)
    house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I had won"))
    for _ in range(11):
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        house.steps("p1@1: fold", "dealer: reveal dealer", "dealer: settle")
    assert house.store.snapshot("table/t1") is not None
    house.floor = house.opened()
    assert house.floor.table("t1").kept_decks == (1,)
    assert problems(house) == []


def test_the_figure_of_a_void_is_what_the_round_comes_to_when_it_is_played_on() -> None:
    """Noted before the rest of the deck is dealt; the same cards played to the end give it."""
    for seed in range(8):
        house = House(seed=seed)
        house.table("mbs-stud-6")
        house.steps(*BETS, "dealer: deal", "p1@1: bet bet", "p2@2: fold")
        table = house.floor.table("t1")
        locked = house.store.deck("t1", 1)
        assert locked is not None
        deck = house.floor.desk.decks.unlock(locked, table="t1", number=1)
        figure = house_result(table.state, [card.card for card in deck[len(table.drawn) :]])
        house.steps("dealer: reveal dealer", "dealer: settle")
        settlement = house.floor.table("t1").state.settlement
        assert settlement is not None
        assert figure == -sum(seat.net for seat in settlement.seats)


def contributed(book: str = "mbs-stud-6", *, reveal: bool = True) -> House:
    """Bets are closed in a round in which both players' devices contribute to the order."""
    house = House()
    house.table(book)
    seat(house, "p1", "p2")
    devices = Devices(house)
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25")
    for who in ("p1", "p2"):
        assert devices.commit(who, f"{who}-phone").ok
    house.steps("dealer: close bets")
    for who in ("p1", "p2") if reveal else ():
        assert devices.reveal(who, f"{who}-phone").ok
    return house


@pytest.mark.parametrize("is_dealt", [True, False])
def test_the_figure_follows_the_composed_order(is_dealt: bool) -> None:
    """Voided with secrets revealed, dealt or not: the figure is that of the cards as they would have come."""
    twin, house = contributed(), contributed()
    for found in (twin, house):
        found.wait(3)
        if is_dealt:
            found.steps("dealer: deal")
            assert [opening.index for opening in found.floor.table("t1").drawn] != list(range(15))
    assert house.step("pit-manager: report misdeal").code == "seal-holds"
    house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")
    [note] = events(house, VoidNoted)
    if not is_dealt:
        twin.steps("dealer: deal")
    table, locked = twin.floor.table("t1"), twin.store.deck("t1", 1)
    assert locked is not None
    deck = twin.floor.desk.decks.unlock(locked, table="t1", number=1)
    rest = [deck[place].card for place in table.order[15:]]
    assert note.house == house_result(table.state, rest)
    assert note.house is not None
    house.steps("dealer: open bets")
    [opened] = events(house, DeckOpened)
    assert [opening.index for opening in opened.openings] == list(range(52))
    assert problems(house) == []


def test_a_void_before_a_secret_is_revealed_has_no_figure() -> None:
    house = contributed(reveal=False)
    house.steps("pit-manager: report disruption", "assistant-director: rule void", "dealer: open bets")
    [note] = events(house, VoidNoted)
    assert (note.house, note.deck_kept) == (None, True)
    assert problems(house) == []


def test_of_decisions_outstanding_the_figure_takes_the_best_for_the_player() -> None:
    house = House()
    house.table("mbs-stud-6", players=("p1",))
    house.stack("Ah Kh Qh Jh 9h 2s 2d 7c 9c Qs")  # a flush against a pair
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    void(house)
    [flush] = events(house, VoidNoted)
    house.stack("2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")  # nothing against a pair: folds
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    void(house)
    [_, nothing] = events(house, VoidNoted)
    assert flush.stage == nothing.stage == "bet"
    assert nothing.house == 2500
    assert flush.house == -2500 - 5 * 5000  # even money on the Ante, five to one on the Bet


# --- forged notes and openings --------------------------------------------------------------------------------


def forged(house: House, name: str, change: Callable[[dict[str, Any]], None]) -> list[list[str]]:
    """What each verifier says of a record with an event changed, its chain made anew."""
    from pitboss.floor.ports import GENESIS, chain_hash

    rows = house.store._events["table/t1"]  # type: ignore[attr-defined]
    before, made = GENESIS, []
    for row in rows:
        data = row.data
        if row.name == name:
            body = json.loads(data)
            change(body)
            data = json.dumps(body, separators=(",", ":"))
        hashed = chain_hash(
            before,
            stream=row.stream,
            version=row.version,
            at=row.at,
            actor=row.actor,
            name=row.name,
            data=data,
        )
        made.append(row._replace(data=data, hash=hashed))
        before = hashed
    house.store._events["table/t1"] = made  # type: ignore[attr-defined]
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    ours = [str(problem) for problem in checked.problems]
    theirs = audit(log_of(store), ledger_of(store)).problems
    house.store._events["table/t1"] = rows  # type: ignore[attr-defined]
    return [ours, theirs]


def _set(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda body: body.update(changes)


def _swapped(body: dict[str, Any]) -> None:
    body["openings"][50]["card"], body["openings"][51]["card"] = (
        body["openings"][51]["card"],
        body["openings"][50]["card"],
    )


def _shortened(body: dict[str, Any]) -> None:
    del body["openings"][-1]


@pytest.mark.parametrize(
    ("name", "change", "by_both"),
    [
        ("void-noted.v1", _set(round_number=2), True),
        ("void-noted.v1", _set(reported_by="staff/dora"), True),
        ("void-noted.v1", _set(ruled_by="staff/dora"), True),
        ("void-noted.v1", _set(signed_by="gus"), True),
        ("void-noted.v1", _set(kind="misdeal"), True),
        ("void-noted.v1", _set(reason="an earthquake"), True),
        ("void-noted.v1", _set(cards=14), True),
        ("void-noted.v1", _set(staked=100), True),
        ("void-noted.v1", _set(deck_kept=False), True),
        ("void-noted.v1", _set(stage="decided"), False),
        ("void-noted.v1", _set(house=123), False),
        ("void-noted.v1", _set(house=1_000_000), True),
        ("ruling-given.v1", _set(approved_by=""), True),
        ("ruling-given.v1", _set(approved_by="dora"), True),
        ("ruling-given.v1", _set(approved_by="ada"), True),
        ("deck-opened.v1", _set(round_number=2), True),
        ("deck-opened.v1", _swapped, True),
        ("deck-opened.v1", _shortened, True),
    ],
)
def test_what_is_forged_of_a_void_is_found(
    name: str, change: Callable[[dict[str, Any]], None], by_both: bool
) -> None:
    """The figure is computed again by the verifier that has the rules of play; the other knows its bounds."""
    house = dealt()
    void(house)
    house.steps("dealer: open bets")
    ours, theirs = forged(house, name, change)
    assert ours
    assert theirs or not by_both


def test_a_void_that_is_not_noted_is_found() -> None:
    house = dealt()
    void(house)
    rows = house.store._events["table/t1"]  # type: ignore[attr-defined]
    del rows[-1]
    heads = {stream: head for stream, head in house.store.heads().items() if stream != "table/t1"}
    last = type(house.store.head("floor"))(rows[-1].version, rows[-1].hash)
    checked = check_streams(house.opened().desk, house.store, {**heads, "table/t1": last}, wanted={})
    assert any("was not noted" in str(problem) for problem in checked.problems)
    assert any("was not noted" in p for p in audit(log_of(house.store), ledger_of(house.store)).problems)


def test_an_opening_is_what_was_committed_to() -> None:
    house = dealt()
    void(house)
    house.steps("dealer: open bets")
    [opened] = events(house, DeckOpened)
    steps = recall(house.floor, house.store, "t1", 1)
    sealed = steps[-1].table.sealed
    assert sealed is not None
    hashes = base64.b64decode(sealed.commitments)
    for opening in opened.openings:
        made = commitment(opening.index, bytes.fromhex(opening.salt), opening.card)
        assert hashes[32 * opening.index : 32 * opening.index + 32] == made
    assert set(viewers_of(steps)) >= {"p1", "p2"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (None, ""),
        (_swapped, "is not"),
        (_shortened, "not every place"),
    ],
)
def test_a_player_checks_the_opened_deck_with_the_round_that_they_saved(change: Any, problem: str) -> None:
    house = dealt()
    void(house)
    house.steps("dealer: open bets")
    steps = recall(house.floor, house.store, "t1", 1)
    shown = recalled("t1", 1, steps, {"p1": viewers_of(steps)["p1"]}, told=False)
    saved = shown | void_deck(house.floor, house.store, "t1", 1, steps, "p1")
    if change is not None:
        change(saved["void_deck"])
    found = check_document(json.dumps(saved), name="round-1.json")
    assert bool(found.problems) == bool(problem)
    assert all(problem in said or "52" in said for said in found.problems)
