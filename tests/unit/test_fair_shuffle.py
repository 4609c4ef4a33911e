"""The seal of a deck: each viewer opens the cards he was shown and no others, by three pieces of code."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitboss.cards import DECK
from pitboss.cli.main import run
from pitboss.floor.recall import recall, recalled, viewers_of
from pitboss.floor.sealing import SealedCard, shuffle
from pitboss.floor.seeded import SeededCards
from pitboss.money import Cents
from pitboss.play.commands import Deal, Reveal, Staff
from pitboss.play.views import FACE_DOWN
from pitboss.rulebooks.vocabulary import Position
from support.floor import House
from support.leaks import order_told
from support.sealed_rounds import by_command, by_the_page
from support.sent import as_sent

DEALER = Staff(Position.DEALER)


@pytest.fixture
def house() -> House:
    """A stud round in which p2 folded."""
    house = House()
    house.table("mbs-stud-6")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: view", "p1@1: bet bet", "p2@2: view", "p2@2: fold")
    house.steps("dealer: reveal dealer", "dealer: settle")
    return house


def saved(house: House, who: str) -> dict[str, Any]:
    """A round as somebody's screen has it."""
    steps = recall(house.floor, house.store, "t1", 1)
    return as_sent(recalled("t1", 1, steps, {who: viewers_of(steps)[who]}, told=False))


def changed(document: Any, change: Any) -> Any:
    """A copy in which every seal was changed."""
    if isinstance(document, dict):
        copy = {key: changed(value, change) for key, value in document.items()}
        if isinstance(copy.get("sealed"), dict):
            copy["sealed"] = change(copy["sealed"])
        return copy
    return [changed(value, change) for value in document] if isinstance(document, list) else document


@pytest.mark.parametrize("who", ["p1", "p2", "public", "dealer", "pit"])
def test_each_viewer_opens_exactly_the_cards_he_was_shown(house: House, who: str) -> None:
    steps = saved(house, who)["steps"]
    assert len(steps) > 12
    for step in steps:
        view = step["views"][who]
        if "sealed" not in view:
            continue
        rows = [view["dealer"], view["community"], *(box["cards"] for box in view["positions"].values())]
        shown = {card for row in rows for card in row} - {FACE_DOWN}
        assert {opening["card"] for opening in view["sealed"]["openings"]} == shown
    last = saved(house, who)["steps"][-1]["views"][who]
    folded = {card.code for card in house.floor.table("t1").state.known["2"]}
    opened = {opening["card"] for opening in last["sealed"]["openings"]}
    assert bool(folded & opened) is (who == "p2"), "a folded hand stays sealed to everybody else"


@pytest.mark.parametrize("check", [by_command, by_the_page])
def test_a_round_holds_and_a_changed_one_does_not(house: House, tmp_path: Path, check: Any) -> None:
    document, file = saved(house, "p1"), tmp_path / "round.json"

    def holds(found: Any) -> bool:
        file.write_text(json.dumps(found))
        return bool(check(file))

    def other_card(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"openings": [opening | {"card": "2c"} for opening in sealed["openings"]]}

    def other_salt(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"openings": [opening | {"salt": "00" * 16} for opening in sealed["openings"]]}

    def other_place(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"openings": [o | {"index": (o["index"] + 1) % 52} for o in sealed["openings"]]}

    def other_root(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"root": "00" * 32}

    def nothing_opened(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"openings": []}

    def opened_early(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"drawn": 0}

    def fewer_commitments(sealed: dict[str, Any]) -> dict[str, Any]:
        return sealed | {"commitments": sealed["commitments"][:-44], "openings": []}

    assert holds(document)
    for change in (
        other_card,
        other_salt,
        other_place,
        other_root,
        nothing_opened,
        opened_early,
        fewer_commitments,
    ):
        assert not holds(changed(document, change)), change.__name__
    seals = iter(range(10**6))
    assert not holds(changed(document, lambda sealed: other_root(sealed) if next(seals) == 3 else sealed))


@pytest.mark.parametrize("check", [by_command, by_the_page])
def test_cards_laid_that_were_never_sealed_are_found(house: House, tmp_path: Path, check: Any) -> None:
    document, file = saved(house, "p1"), tmp_path / "round.json"
    for step in document["steps"]:
        view = step["views"]["p1"]
        view["dealer"] = ["As" if card != FACE_DOWN else card for card in view["dealer"]]
    file.write_text(json.dumps(document))
    assert not check(file)


def test_a_round_made_up_afterwards_has_another_root(house: House, tmp_path: Path) -> None:
    document, file = saved(house, "p1"), tmp_path / "round.json"
    file.write_text(json.dumps(document))
    root = document["steps"][-1]["views"]["p1"]["sealed"]["root"]
    assert run(["verify-round", str(file), "--root", root]) == 0
    assert run(["verify-round", str(file), "--root", "00" * 32]) == 1


def test_what_is_no_round_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text("{")
    assert run(["verify-round", str(file)]) == 2
    file.write_text("{}")
    assert run(["verify-round", str(file)]) == 2
    assert "has no sealed deck" in capsys.readouterr().err


FORMS: dict[str, Callable[[Sequence[SealedCard]], str]] = {
    "codes": lambda deck: " ".join(sealed.card.code for sealed in deck),
    "codes without anything between": lambda deck: "deck=" + "".join(sealed.card.code for sealed in deck),
    "a list": lambda deck: str([sealed.card.code for sealed in deck]),
    "JSON": lambda deck: json.dumps([sealed.card.code for sealed in deck]),
    "JSON within JSON": lambda deck: json.dumps(json.dumps([sealed.card.code for sealed in deck])),
    "commas": lambda deck: ",".join(sealed.card.code for sealed in deck),
    "lines": lambda deck: "\n".join(f"{sealed.index}: {sealed.card.code}" for sealed in deck),
    "cards as Python shows them": lambda deck: repr(tuple(sealed.card for sealed in deck)),
    "openings": lambda deck: repr([sealed.opening for sealed in deck]),
    "from the bottom": lambda deck: repr([sealed.card.code for sealed in reversed(deck)]),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_order_is_found_in_whatever_form_it_is_written(form: str) -> None:
    """What the two tests below search with would find a leak."""
    deck = shuffle(SeededCards(Random(1)), DECK)[15:]
    cards = [sealed.card for sealed in deck]
    text = f"request=9 cards: {FORMS[form](deck[10:13])} and so on"
    assert len(order_told(cards, text)) == 1
    assert not order_told(cards, FORMS[form](shuffle(SeededCards(Random(2)), DECK)))


def test_commands_and_sealed_cards_do_not_show_what_they_hold() -> None:
    deck = shuffle(SeededCards(Random(1)), DECK)
    cards = tuple(sealed.card for sealed in deck)
    for shown in (
        repr(deck),
        repr(Deal(by=DEALER, cards=cards)),
        repr(Reveal(by=DEALER, place="x", cards=cards)),
    ):
        assert not order_told(cards, shown)
        assert not [sealed for sealed in deck if repr(sealed.salt) in shown]


def test_the_undealt_order_is_in_no_table_of_the_store_and_gone_when_the_round_ends(tmp_path: Path) -> None:
    """R5: neither an undealt card's salt nor the order is in the database's bytes, nor in what anybody is shown."""
    from pitboss.bootstrap import Settings, at_work

    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.table("mbs-stud-6")
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        locked = work.store.deck("t1", 1)
        assert locked is not None
        deck = house.floor.desk.decks.unlock(locked, table="t1", number=1)
        undealt = deck[house.floor.table("t1").drawn[-1].index + 1 :]
        cards = [sealed.card for sealed in undealt]
        assert len(undealt) > 30
        said = json.dumps([saved(house, who) for who in ("p1", "dealer", "pit", "surveillance")])
        for sealed in undealt:
            assert sealed.salt.hex() not in said
        assert not order_told(cards, said)
        kept = b"".join(path.read_bytes() for path in where.data.rglob("*") if path.is_file())
        assert locked in kept, "the deck lies in the store"
        for sealed in undealt:
            assert sealed.salt not in kept, "but cannot be read there"
            assert sealed.salt.hex().encode() not in kept
        assert not order_told(cards, kept.decode("latin-1"))
        house.steps("p1@1: fold", "dealer: settle")
        assert work.store.deck("t1", 1) is None
    stored = b"".join(path.read_bytes() for path in where.data.rglob("*") if path.is_file())
    for sealed in undealt:
        assert sealed.salt not in stored
        assert sealed.salt.hex().encode() not in stored
    assert not order_told(cards, stored.decode("latin-1"))


@pytest.mark.whole
def test_the_undealt_order_reaches_no_log_no_metric_and_no_error(tmp_path: Path) -> None:
    """Of a server that tells everything it does, in mid-round and with a deck that does not open."""
    import sqlite3

    from pitboss.bootstrap import Settings, deck_key, open_store
    from pitboss.client import Refused, SyncClient
    from pitboss.floor.sealing import DeckBox
    from pitboss.play import commands as c
    from pitboss.rulebooks.vocabulary import Position
    from support.service import PASSWORD, Process, make_floor

    where = Settings(tmp_path / "floor")
    make_floor(where, "mbs-stud-6")
    process = Process(where, "--log", "debug")
    dealer, said = c.Staff(Position.DEALER), ""
    try:
        with SyncClient(process.url) as staff, SyncClient(process.url) as guest:
            staff(staff.client.sign_in("staff", "dora", PASSWORD))
            guest(guest.client.sign_in("player", "p1", PASSWORD))
            staff(staff.client.act("t1", c.OpenBets(by=dealer)))
            ante = c.PlaceWager(by=guest.client.me, position=1, wager="ante", amount=Cents(2500))
            guest(guest.client.act("t1", ante))
            store = open_store(where)
            locked = store.deck("t1", 1)
            store.close()
            assert locked is not None
            deck = DeckBox(deck_key(where, create=False)).unlock(locked, table="t1", number=1)
            staff(staff.client.act("t1", c.CloseBets(by=dealer)))
            staff(staff.client.act("t1", c.Deal(by=dealer)))
            guest(guest.client.act("t1", c.ViewHand(by=guest.client.me, position=1)))
            told = [staff(staff.client.table("t1")), guest(guest.client.table("t1"))]
            said += json.dumps(told) + _text(f"{process.url}/metrics")
            database = sqlite3.connect(where.data / "floor.db")
            database.execute("UPDATE decks SET sealed = ?", (b"x" * len(locked),))
            database.commit()
            database.close()
            with pytest.raises(Refused) as found:
                staff(staff.client.act("t1", c.Reveal(by=dealer, place="dealer"), key="once"))
            said += json.dumps(found.value.body)
    finally:
        said += process.stop()
    assert "/api/tables/t1/acts" in said
    undealt = deck[10:]
    own = [sealed.card for sealed in deck[:5]]
    assert order_told(own, said), "the cards that a player was shown are found"
    assert not [sealed for sealed in undealt if sealed.salt.hex() in said]
    assert not order_told([sealed.card for sealed in deck[5:]], said), "the dealer's hand and the rest"


FAILING = """
from pitboss.floor import acts

carry_out = acts.carry_out


def fails(state, command):
    if type(command).__name__ == "Deal":
        assert len(command.cards) == 52
        raise ValueError(f"the shoe is stuck: {command}")
    return carry_out(state, command)


acts.carry_out = fails
"""


@pytest.mark.whole
def test_a_failure_in_mid_deal_tells_nothing_of_the_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that fails holds the rest of the deck: neither the log nor the answer may show it."""
    from pitboss.bootstrap import Settings, deck_key, open_store
    from pitboss.client import ClientError, SyncClient
    from pitboss.floor.sealing import DeckBox
    from pitboss.play import commands as c
    from support.service import PASSWORD, Process, make_floor

    where = Settings(tmp_path / "floor")
    make_floor(where, "mbs-stud-6")
    (tmp_path / "sitecustomize.py").write_text(FAILING, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    process, said = Process(where, "--log", "debug"), ""
    try:
        with SyncClient(process.url) as staff, SyncClient(process.url) as guest:
            staff(staff.client.sign_in("staff", "dora", PASSWORD))
            guest(guest.client.sign_in("player", "p1", PASSWORD))
            staff(staff.client.act("t1", c.OpenBets(by=DEALER)))
            ante = c.PlaceWager(by=guest.client.me, position=1, wager="ante", amount=Cents(2500))
            guest(guest.client.act("t1", ante))
            staff(staff.client.act("t1", c.CloseBets(by=DEALER)))
            with pytest.raises(ClientError) as found:
                staff(staff.client.act("t1", Deal(by=DEALER), key="once"))
            said += json.dumps(found.value.body) + _text(f"{process.url}/metrics")
    finally:
        said += process.stop()
    store = open_store(where)
    locked = store.deck("t1", 1)
    store.close()
    assert locked is not None
    deck = DeckBox(deck_key(where, create=False)).unlock(locked, table="t1", number=1)
    assert "the shoe is stuck: Deal(" in said, "the failure was logged"
    assert not order_told([sealed.card for sealed in deck], said)
    assert not [sealed for sealed in deck if sealed.salt.hex() in said or repr(sealed.salt) in said]


def _text(address: str) -> str:
    import urllib.request

    with urllib.request.urlopen(address) as answer:
        return str(answer.read(), "utf-8")
