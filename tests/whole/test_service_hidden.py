"""Cards hidden from a viewer are in no byte that is sent to him: other cards in their place, the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.sync.client import connect

from pitboss.cards import DECK, Card
from pitboss.client import SyncClient
from pitboss.floor import requests as q
from pitboss.floor.ports import SECOND, Micros
from pitboss.forms import ActForm, read_act
from support.floor import House
from support.service import Served, Standing, served
from support.table_talk import first_choice

pytestmark = pytest.mark.whole

BOOKS = ["mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"]
VIEWERS = ("p1", "", "dora", "mara")
"""A player, the public, the dealer, the pit. None of them may see the hand that p2 folds."""


class Wire:
    """Everything that one viewer is sent: on his socket, and in answer to what he asks."""

    def __init__(self, service: Served, name: str) -> None:
        self.stack = ExitStack()
        self.ask: SyncClient = self.stack.enter_context(service.signed_in(name))
        token = self.ask.client._token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = service.url.replace("http", "ws") + "/api/live"
        self.socket = self.stack.enter_context(connect(address, additional_headers=headers, max_size=None))
        self.socket.send(json.dumps({"watch": "t1"}))
        self.sent: list[str] = []

    def heard(self, version: int) -> None:
        """Take what came, up to a version of the table."""
        while True:
            text = self.socket.recv(timeout=20)
            assert isinstance(text, str)
            data = json.loads(text)
            if data["kind"] == "view":
                self.sent.append(text)
                if data["version"] >= version:
                    return

    def close(self) -> None:
        self.stack.close()


def without_seals(text: str) -> str:
    """The commitments are to the cards as they lie; everything else must be the same."""
    text = re.sub(r'"commitments": ?"[^"]*"', '"commitments":""', text)
    return re.sub(r'"root": ?"[^"]*"', '"root":""', text)


@contextmanager
def table_of(folder: Path, book: str) -> Iterator[Served]:
    def prepare(house: House) -> None:
        house.table(book, players=("p1", "p2"))
        house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))
        house.ok("p2", q.TakeSeat(table="t1", position=2, player="p2"))

    with served(folder, prepare, clock=Standing()) as found:
        yield found


def played(folder: Path, book: str, pack: tuple[Card, ...]) -> tuple[dict[str, list[str]], Any, list[str]]:
    """A round with a pack: what every viewer was sent, the table at the end, and the stages of the round."""
    with table_of(folder, book) as service:
        wires = {name: Wire(service, name) for name in VIEWERS}
        other = service.signed_in("p2")
        askers: dict[str, SyncClient] = {name: wire.ask for name, wire in wires.items()}
        askers["p2"] = other.__enter__()
        cards = service.served.floor.desk.cards
        cards.next_pack = pack  # type: ignore[attr-defined]
        stages: list[str] = []

        def act(name: str, written: dict[str, Any]) -> dict[str, Any]:
            service.clock.at = Micros(service.clock.at + SECOND)
            ask = askers[name]
            command = read_act(msgspec.convert(written, ActForm), lambda _: ask.client.me)
            done = ask(ask.client.act("t1", command, key=f"{name}-{len(stages)}"))
            for who, wire in wires.items():
                wire.heard(done["versions"]["table/t1"])
                if who == name:
                    wire.sent.append(json.dumps(done))
            view = askers["dora"](askers["dora"].client.table("t1"))
            stages.append(f"{view['stage']}/{written['do']}/{written.get('place', '')}")
            return view

        for wire in wires.values():
            wire.heard(0)
        view = act("dora", {"do": "open-bets"})
        least = next(
            wager["limits"][0]
            for wager in askers["p1"](askers["p1"].client.terms("t1"))["wagers"]
            if wager["wager"] == "ante"
        )
        for position, name in ((1, "p1"), (2, "p2")):
            view = act(name, {"do": "place-wager", "position": position, "wager": "ante", "amount": least})
        while view["stage"] != "settled":
            if view["choices"]:
                view = act("dora", view["choices"][0]["act"])
                continue
            for name in ("p1", "p2"):
                seen = askers[name](askers[name].client.table("t1"))
                chosen = first_choice(name, [choice["act"] for choice in seen["choices"]])
                if chosen is not None:
                    view = act(name, chosen)
                    break
        table = service.served.floor.table("t1")
        for wire in wires.values():
            wire.sent.append(json.dumps(wire.ask(wire.ask.client.table("t1"))))
        sent = {name: [without_seals(text) for text in wire.sent] for name, wire in wires.items()}
        for wire in wires.values():
            wire.close()
        other.__exit__(None, None, None)
        return sent, table, stages


def swapped(pack: tuple[Card, ...], these: list[Card], those: list[Card]) -> tuple[Card, ...]:
    """The pack with some cards in the places of others."""
    instead = dict(zip(these, those, strict=True)) | dict(zip(those, these, strict=True))
    return tuple(instead.get(card, card) for card in pack)


@pytest.mark.parametrize("book", BOOKS)
def test_other_cards_where_a_viewer_may_not_look_change_no_byte(tmp_path: Path, book: str) -> None:
    pack = tuple(Random(7).sample(DECK, 52))
    sent, table, stages = played(tmp_path / "a", book, pack)
    known = {place: list(cards) for place, cards in table.state.known.items()}
    used = sum(table.state.dealt.values()) + len(table.state.burned)
    rest = list(pack[used:])
    folded = known["2"]
    other = swapped(pack, folded, rest[: len(folded)])
    again, second, _ = played(tmp_path / "b", book, other)
    assert list(second.state.known["2"]) == rest[: len(folded)], "p2 has another hand now"
    assert {name: len(texts) for name, texts in again.items()} == {name: len(t) for name, t in sent.items()}
    for name in VIEWERS:
        for one, two in zip(sent[name], again[name], strict=True):
            assert one == two, name
    assert sent["p1"], "something was sent"
    assert any(card.code in text for card in known["1"] for text in sent["p1"]), "his own cards he sees"
    # what is dealt but not turned over yet: no byte differs before it is
    dealer = known["dealer"]
    other = swapped(pack, dealer, rest[-len(dealer) :])
    third, _, stages_again = played(tmp_path / "c", book, other)
    turned = stages.index("playing/reveal/dealer") if "playing/reveal/dealer" in stages else len(stages) - 2
    up_card = table.state.turned_up.get("dealer")
    if up_card is None:
        assert stages_again[:turned] == stages[:turned]
        for name in ("", "mara"):
            assert third[name][:turned] == sent[name][:turned], name
