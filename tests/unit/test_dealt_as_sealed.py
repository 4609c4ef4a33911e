"""Cards leave a sealed deck place by place and go where the procedure puts them: who deals otherwise is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings, at_work, checkpoint_key, open_store
from pitboss.floor import acts
from pitboss.floor.recall import recall, recalled, viewers_of
from pitboss.floor.sealing import SealedCard
from pitboss.play import dealing
from pitboss.play.dealing import outstanding
from pitboss.play.events import CardsDealt
from pitboss.play.views import FACE_DOWN
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.dealing import dealing_order
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support import BOOKS
from support.floor import House
from support.sealed_rounds import by_command, by_the_page
from verify_export import verify_export

Deck = tuple[SealedCard, ...]
CHECKS = (by_command, by_the_page)
PROCEDURES = [(book, way.name) for book in BOOKS for way in load_plan(book).procedures]


def a_round(house: House) -> None:
    """A round of two hands to its end; p2 folds what he may fold."""
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: view", "p2@2: view")
    play_on(house)


def play_on(house: House) -> None:
    """Decide, reveal and settle until the round is over."""
    for _ in range(40):
        state = house.floor.table("t1").state
        if state.stage.is_over:
            return
        decision = outstanding(state)
        if decision is not None:
            house.step("p2@2: fold")
            if house.step(f"p1@1: bet {decision.bet}").ok or house.step("p1@1: check").ok:
                continue
        places = ("flop", "turn", "river", "community", "dealer")
        if not any(house.step(f"dealer: reveal {place}").ok for place in places):
            house.step("dealer: settle")
    raise AssertionError("the round does not end")


def saved(house: House, who: str) -> dict[str, Any]:
    """The last round as somebody's screen has it."""
    number = house.floor.table("t1").state.round_number
    steps = recall(house.floor, house.store, "t1", number)
    return recalled("t1", number, steps, {who: viewers_of(steps)[who]}, told=False)


def holds(check: Callable[[Path], bool], document: Any, folder: Path) -> bool:
    file = folder / "round.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return check(file)


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
        house.steps("pit-supervisor: report wrong-count 2 reconstructable=no")
        house.steps("pit-supervisor: report uncovered chips-mixed", "shift-manager: rule permit-withdrawal 3")
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


# --- a document that was forged ----------------------------------------------------------------------------


@pytest.fixture
def document() -> dict[str, Any]:
    house = House()
    house.table("mbs-stud-6")
    a_round(house)
    return saved(house, "p1")


def views_of(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (step["views"]["p1"] for step in document["steps"])


def revealed(view: dict[str, Any]) -> bool:
    return bool(view["dealer"]) and FACE_DOWN not in view["dealer"]


def one_card_five_times(document: dict[str, Any]) -> None:
    for view in filter(revealed, views_of(document)):
        view["dealer"] = [view["positions"]["1"]["cards"][0]] * 5


def one_card_five_times_and_fewer_openings(document: dict[str, Any]) -> None:
    one_card_five_times(document)
    for view in filter(revealed, views_of(document)):
        lying = {*view["dealer"], *(card for box in view["positions"].values() for card in box["cards"])}
        openings = view["sealed"]["openings"]
        view["sealed"]["openings"] = [opening for opening in openings if opening["card"] in lying]


def hands_exchanged(document: dict[str, Any]) -> None:
    for view in filter(revealed, views_of(document)):
        own = view["positions"]["1"]
        view["dealer"], own["cards"] = own["cards"], view["dealer"]


def hands_exchanged_with_their_places(document: dict[str, Any]) -> None:
    hands_exchanged(document)
    for view in views_of(document):
        places = view.get("sealed", {}).get("places", {})
        if "1" in places and "dealer" in places:
            places["1"], places["dealer"] = places["dealer"], places["1"]


def no_seal_later(document: dict[str, Any]) -> None:
    for view in filter(revealed, views_of(document)):
        del view["sealed"]
        view["dealer"] = ["As", "Ah", "Ac", "Ad", "Ks"]


def no_seal_on_the_last(document: dict[str, Any]) -> None:
    del document["steps"][-1]["views"]["p1"]["sealed"]


def more_drawn(document: dict[str, Any]) -> None:
    for view in views_of(document):
        if view.get("sealed", {}).get("drawn"):
            view["sealed"]["drawn"] = 52


def endlessly_many_drawn(document: dict[str, Any]) -> None:
    for view in views_of(document):
        if "sealed" in view:
            view["sealed"]["drawn"] = 10**9


def a_place_twice(document: dict[str, Any]) -> None:
    for view in views_of(document):
        places = view.get("sealed", {}).get("places", {})
        if "dealer" in places:
            places["dealer"][0] = places["1"][0]


def a_card_hidden_in_the_record(document: dict[str, Any]) -> None:
    for view in filter(revealed, views_of(document)):
        view["dealer"] = view["dealer"][:4]


FORGERIES = (
    one_card_five_times,
    one_card_five_times_and_fewer_openings,
    hands_exchanged,
    hands_exchanged_with_their_places,
    no_seal_later,
    no_seal_on_the_last,
    more_drawn,
    endlessly_many_drawn,
    a_place_twice,
    a_card_hidden_in_the_record,
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_round_does_not_hold(
    document: dict[str, Any], tmp_path: Path, check: Callable[[Path], bool], forge: Callable[[Any], None]
) -> None:
    assert holds(check, document, tmp_path)
    forged = copy.deepcopy(document)
    forge(forged)
    assert forged != document
    assert not holds(check, forged, tmp_path)


def test_another_order_announced_later_does_not_hold(document: dict[str, Any], tmp_path: Path) -> None:
    last = document["steps"][-1]["views"]["p1"]["sealed"]
    last["dealing"] = [*last["dealing"], {"to": "dealer", "cards": 1}]
    assert not holds(by_command, document, tmp_path)


@pytest.mark.parametrize("check", CHECKS)
def test_the_root_that_was_seen_first_is_saved_with_the_round(
    document: dict[str, Any], tmp_path: Path, check: Callable[[Path], bool]
) -> None:
    root = document["steps"][-1]["views"]["p1"]["sealed"]["root"]
    assert holds(check, document | {"root_seen": root}, tmp_path)
    assert not holds(check, document | {"root_seen": "00" * 32}, tmp_path)
