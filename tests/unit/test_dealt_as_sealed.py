"""Cards leave a sealed deck place by place and go where the procedure puts them: who deals otherwise is found."""

from __future__ import annotations

import base64
import copy
import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings, at_work, checkpoint_key, open_store
from pitboss.floor import acts
from pitboss.floor.sealing import SealedCard, commitment, dealing_of, shuffle
from pitboss.floor.table_events import CommitmentsSealed, DealtTo
from pitboss.play import dealing
from pitboss.play.events import CardsDealt
from pitboss.play.table import State
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.dealing import dealing_order
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support import BOOKS
from support.floor import House
from support.sealed_rounds import (
    CHECKS,
    FORGERIES,
    Document,
    a_round,
    by_command,
    by_the_first_rule,
    by_the_page,
    holds,
    honest_round,
    play_on,
    saved,
)
from verify_export import verify_export

Deck = tuple[SealedCard, ...]
PROCEDURES = [(book, way.name) for book in BOOKS for way in load_plan(book).procedures]


def record_problems(where: Settings) -> list[list[str]]:
    """What `verify` finds, and what the verifier that shares no code with it finds in the export."""
    store = open_store(where)
    export_all(store, where.data / "export", checkpoint_key(where, create=False))
    store.close()
    inside = [str(problem) for problem in verify(where, processes=1).problems]
    return [inside, verify_export(where.data / "export")]


@pytest.fixture
def where(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "floor")


@pytest.mark.parametrize(("book", "way"), PROCEDURES)
@pytest.mark.whole
def test_every_procedure_deals_as_it_is_announced(
    where: Settings, tmp_path: Path, book: str, way: str
) -> None:
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.table(book, procedure=way)
        a_round(house)
        rounds = {who: saved(house, who) for who in ("p1", "p2", "public", "dealer", "surveillance")}
    assert all(holds(by_command, document, tmp_path) for document in rounds.values())
    assert holds(by_the_page, rounds["p1"], tmp_path)
    last = rounds["p1"]["steps"][-1]["views"]["p1"]["sealed"]
    assert sorted(place for row in last["places"].values() for place in row) == list(range(last["drawn"]))
    assert record_problems(where) == [[], []]


def test_an_order_of_dealing_names_rows_and_cards() -> None:
    plan = load_plan("mbs-3cp-2023")
    assert dealing_order(plan.procedure("method-a"), plan.parts) == (
        ("positions", 3),
        ("dealer", 3),
        ("community", 2),
        ("burned", 1),
    )
    assert dealing_order(plan.procedure("manual"), plan.parts)[:2] == (("positions", 1), ("dealer", 1))
    plan = load_plan("rws-thp-2")
    assert dealing_order(plan.procedure("shoe"), plan.parts) == (
        ("burned", 1),
        ("positions", 1),
        ("positions", 1),
        *(("burned", 1), ("community", 3), ("burned", 1), ("community", 1), ("burned", 1), ("community", 1)),
        ("dealer", 2),
    )


def test_hands_that_go_leave_their_cards_where_they_were_dealt(where: Settings, tmp_path: Path) -> None:
    """A hand that is removed or withdrawn after the deal has had its places of the deck."""
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.table("mbs-3cp-2023")
        house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "p2@3: wager ante 25")
        house.steps("dealer: close bets", "dealer: deal", "p1@1: view")
        house.steps("pit-supervisor: report uncovered shown", "shift-manager: rule invalidate 2 signed saul")
        house.steps(
            "pit-supervisor: report uncovered chips-mixed",
            "shift-manager: rule permit-withdrawal 3 signed mara",
        )
        house.steps("p2@3: option withdraw")
        play_on(house)
        document = saved(house, "p1")
    last = document["steps"][-1]["views"]["p1"]
    assert [last["positions"][n]["fate"] for n in ("1", "2", "3")] == ["in-play", "removed", "removed"]
    assert [last["sealed"]["places"][row] for row in ("1", "2", "3")] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert [holds(check, document, tmp_path) for check in CHECKS] == [True, True]
    assert record_problems(where) == [[], []]


# --- a house that chooses ----------------------------------------------------------------------------------

best_first = "23456789TJQKA".index


def from_the_bottom(deck: Deck) -> Deck:
    return tuple(reversed(deck))


def best_to_the_dealer(deck: Deck) -> Deck:
    ranked = sorted(deck[:15], key=lambda sealed: -best_first(sealed.card.code[0]))
    return (*ranked[5:], *ranked[:5], *deck[15:])


def one_skipped(deck: Deck) -> Deck:
    return deck[1:]


@pytest.mark.parametrize("choice", [from_the_bottom, best_to_the_dealer, one_skipped])
def test_a_house_that_chooses_cards_after_the_bets_is_found_by_everybody(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choice: Callable[[Deck], Deck]
) -> None:
    real = acts._deck
    with at_work(where, create=True) as work, monkeypatch.context() as patched:
        house = House(work.store)
        house.table("mbs-stud-6")
        patched.setattr(acts, "_deck", lambda *given: (deck := real(*given)) and choice(deck))
        a_round(house)
        document = saved(house, "p1")
    assert [holds(check, document, tmp_path) for check in CHECKS] == [False, False]
    assert all(any("table/t1" in problem for problem in found) for found in record_problems(where))


def test_a_house_that_deals_to_other_boxes_is_found_by_everybody(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The places are drawn in their order, and the dealer's cards come first."""
    real = dealing._carry_out

    def dealer_first(state: Any, end: int, cards: Any) -> Any:
        outcome: Any = real(state, end, cards)
        dealt = [event for event in outcome if isinstance(event, CardsDealt)]
        if not dealt:
            return outcome
        device = dealing._Device(cards)
        again = [
            CardsDealt(place=event.place, count=event.count, cards=device.take(event.count))
            for event in sorted(dealt, key=lambda event: event.place != "dealer")
        ]
        return (*again, *outcome[len(dealt) :])

    with at_work(where, create=True) as work, monkeypatch.context() as patched:
        house = House(work.store)
        house.table("mbs-stud-6")
        patched.setattr(dealing, "_carry_out", dealer_first)
        a_round(house)
        document = saved(house, "p1")
    assert [holds(check, document, tmp_path) for check in CHECKS] == [False, False]
    inside, outside = record_problems(where)
    assert any("to dealer; " in problem for problem in inside)
    assert any("by the procedure cards go to 1, 1" in problem for problem in outside)


def test_a_hand_that_nobody_has_bet_on_is_found(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that reads its deck could shift the cards by a hand that comes in after the bets."""
    real = dealing.hands_in_order
    with at_work(where, create=True) as work, monkeypatch.context() as patched:
        house = House(work.store)
        house.table("mbs-stud-6")
        patched.setattr(
            dealing, "hands_in_order", lambda state: [real(state)[0]._replace(position=n) for n in (1, 2, 5)]
        )
        a_round(house)
        document = saved(house, "p1")
    assert not holds(by_command, document, tmp_path)
    assert all(any("table/t1" in problem for problem in found) for found in record_problems(where))


def test_nobody_rules_on_the_order_of_a_sealed_deck() -> None:
    """Whatever cards are named: the answer tells nothing about them."""
    house = House()
    house.table("rws-thp-2", procedure="shoe")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    assert house.step("pit-supervisor: report simultaneous-draw").code == "order-sealed"
    house.steps("pit-supervisor: report uncovered cards-stuck")
    dealt = [card.code for card in house.floor.table("t1").state.known["1"]]
    answers = [
        house.step(f"shift-manager: rule order {','.join(cards)}")
        for cards in (dealt, reversed(dealt), ("As", "2c"), (dealt[0], "As" if dealt[0] != "As" else "Ks"))
    ]
    assert {answer.code for answer in answers} == {"order-sealed"}
    assert len({answer.message for answer in answers}) == 1
    house.steps("shift-manager: rule continue")


# --- a house that seals otherwise --------------------------------------------------------------------------


def dealer_first(state: State) -> tuple[tuple[DealtTo, ...], tuple[str, ...]]:
    dealing, hands = dealing_of(state)
    return tuple(reversed(dealing)), hands


def everybody(state: State) -> tuple[tuple[DealtTo, ...], tuple[str, ...]]:
    dealing, hands = dealing_of(state)
    return dealing, (*hands, "jackpot")


@pytest.mark.parametrize("announce", [dealer_first, everybody])
def test_a_house_that_announces_another_dealing_is_found_in_its_record(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, announce: Any
) -> None:
    with at_work(where, create=True) as work, monkeypatch.context() as patched:
        house = House(work.store)
        house.table("mbs-stud-6")
        patched.setattr(acts, "dealing_of", announce)
        a_round(house)
        document = saved(house, "p1")
    assert [holds(check, document, tmp_path) for check in CHECKS] == [announce is everybody] * 2
    inside, outside = record_problems(where)
    assert any("announced with the seal is not that of the table's procedure" in found for found in inside)
    assert any("the dealing announced is not that of the procedure" in found for found in outside)


def test_a_house_that_leaves_out_a_hand_is_found_by_everybody(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has bet is dealt a hand: without it every card after it goes to somebody else."""
    real = dealing.hands_in_order
    with at_work(where, create=True) as work, monkeypatch.context() as patched:
        house = House(work.store)
        house.table("mbs-stud-6")
        patched.setattr(dealing, "hands_in_order", lambda state: real(state)[:1])
        house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
        house.steps("dealer: deal")
        document = saved(house, "p1")
    assert [holds(check, document, tmp_path) for check in CHECKS] == [False, False]
    outside = record_problems(where)[1]
    assert any("by the procedure cards go to 1, 1, 1, 1, 1, 2, 2" in found for found in outside)


def a_card_twice(source: Any, pack: Any) -> Deck:
    deck = shuffle(source, pack)
    return (*deck[:10], replace(deck[10], card=deck[0].card), *deck[11:])


def test_a_house_that_seals_a_card_twice_is_found_by_everybody(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is dealt to position 1 and to the dealer."""
    with at_work(where, create=True) as work, monkeypatch.context() as patched:
        house = House(work.store)
        house.table("mbs-stud-6")
        patched.setattr(acts, "shuffle", a_card_twice)
        a_round(house)
        document = saved(house, "p1")
    assert [holds(check, document, tmp_path) for check in CHECKS] == [False, False]
    assert all(any("twice in the sealed deck" in text for text in found) for found in record_problems(where))


def first_rule(deck: Deck, **_: Any) -> CommitmentsSealed:
    """A seal as older versions made it."""
    hashes = b"".join(commitment(sealed.index, sealed.salt, sealed.card.code) for sealed in deck)
    root = hashlib.sha256(hashes).hexdigest()
    return CommitmentsSealed(root=root, commitments=base64.b64encode(hashes).decode())


def test_rounds_of_the_first_rule_hold_by_it_and_none_comes_after_the_second(
    where: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.table("mbs-stud-6")
        with monkeypatch.context() as patched:
            patched.setattr(acts, "commit", first_rule)
            a_round(house)
        before = saved(house, "p1")
        a_round(house)
        since = saved(house, "p1")
    assert [before["seal_seen"], since["seal_seen"]] == [1, 3]
    assert record_problems(where) == [[], []]
    capsys.readouterr()
    assert [holds(check, before, tmp_path) for check in CHECKS] == [True, False]
    assert "does not show that the order of dealing" in capsys.readouterr().out
    assert holds(by_command, since, tmp_path)
    assert "first rule" not in capsys.readouterr().out
    with at_work(where) as work, monkeypatch.context() as patched:
        house.store, house.floor = work.store, work.floor
        patched.setattr(acts, "commit", first_rule)
        a_round(house)
    problems = record_problems(where)
    assert all(any("does not fix the dealing" in problem for problem in found) for found in problems)


# --- a document that was forged ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def document() -> Document:
    return honest_round("mbs-stud-6", hands=1)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("book", BOOKS)
def test_an_honest_round_holds(tmp_path: Path, check: Callable[[Path], bool], book: str) -> None:
    assert holds(check, honest_round(book), tmp_path)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_round_does_not_hold(
    document: Document, tmp_path: Path, check: Callable[[Path], bool], forge: str
) -> None:
    assert holds(check, document, tmp_path)
    forged = copy.deepcopy(document)
    FORGERIES[forge](forged)
    assert forged != document
    assert not holds(check, forged, tmp_path)


def test_a_round_of_the_first_rule_is_told_from_one_of_the_second(
    document: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = copy.deepcopy(document)
    by_the_first_rule(older)
    assert holds(by_command, older, tmp_path)
    assert "sealed by the first rule" in capsys.readouterr().out
    assert not holds(by_the_page, older, tmp_path)
