"""Cards hidden from a viewer are in nothing his browser has: other cards in their place, the same traffic, page and
storage."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Request, Response, WebSocket, expect

from pitboss.cards import DECK, Card
from pitboss.floor import composition
from pitboss.floor import requests as q
from pitboss.floor.entropy import unrevealed
from pitboss.floor.gaming_table import OpenTable
from pitboss.play.dealing import outstanding
from support.browser import Person, wait_until
from support.floor import House
from support.service import Standing, served

pytestmark = pytest.mark.whole
BOOKS = ["mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"]
VIEWERS = {"p1": "/play/t1", "dora": "/deal/t1", "mara": "/pit", "": "/play/t1"}
"""A player at his seat, the dealer, the pit, and whoever watches: none of them may see the hand that p2 folds."""


class Seen:
    """Everything a browser was sent and has sent, in order; what tells sessions and sealed commitments apart is left
    out. Its clock stands still, so that nothing is asked by the minute."""

    def __init__(self, browser: Browser, url: str, name: str) -> None:
        self.person = Person(browser, url, name, reduced_motion="reduce")
        self.traffic: dict[str, list[str]] = {}
        self.version, self.waiting = 0, 0
        page = self.person.page
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.on("websocket", self._socket)
        page.on("request", self._asks)
        page.on("response", self._response)
        page.on("requestfailed", self._failed)

    def _keep(self, what: str, text: str) -> None:
        kept, text = self.traffic.setdefault(what, []), _plain(text)
        repeated = what.startswith(("asked", "answered", "jackpot")) and text in kept
        if not repeated:  # asked or said once more is nothing new
            kept.append(text)

    def _socket(self, socket: WebSocket) -> None:
        path = _plain(socket.url)
        socket.on("framereceived", lambda frame: self._received(path, str(frame)))
        socket.on("framesent", lambda frame: self._keep(f"sent {path}", str(frame)))

    def _received(self, path: str, frame: str) -> None:
        data = json.loads(frame)
        self._keep(f"{data['kind']} {path}", frame)
        if data["kind"] == "view":
            self.version = data["version"]

    def _asks(self, request: Request) -> None:
        if "/api/" in request.url:
            self.waiting += 1
            self._keep(f"asked {request.method} {_plain(request.url)}", request.post_data or "")

    def _response(self, response: Response) -> None:
        if "/api/" in response.url:
            self._keep(f"answered {_plain(response.url)}", f"{response.status} {response.text()}")
            self.waiting -= 1

    def _failed(self, request: Request) -> None:
        if "/api/" in request.url:
            self.waiting -= 1

    def everything(self, sign: str) -> dict[str, Any]:
        """All traffic so far, the page when it shows a sign of it, and what it keeps."""
        expect(self.person.page.locator("main")).to_contain_text(sign)
        kept = self.person.page.evaluate(
            """async () => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie,
                await indexedDB.databases(), await caches.keys()])"""
        )
        page = _plain(self.person.page.content())
        return {"page": page, "kept": _plain(kept)} | {
            name: list(texts) for name, texts in self.traffic.items()
        }


def until(version: int, *seen: Seen) -> None:
    """Until these pages have a version of the table, and have heard what they asked."""

    def there() -> bool:
        seen[0].person.page.wait_for_timeout(5)  # what has come is heard of while something is waited for
        return all(one.version >= version and not one.waiting for one in seen)

    wait_until(there)


def _plain(text: str) -> str:
    text = re.sub(r'"(commitments|root|csrf)": ?"[^"]*"', r'"\1":""', text)
    text = re.sub(r"\b[0-9a-f]{32,}\b", "", text)  # of the seal: roots and salts
    text = re.sub(r"\b[0-9a-f]{4}( [0-9a-f]{4}){3,15}\b", "", text)  # the root as people read it
    text = re.sub(r'"now": ?[0-9.]+', '"now":0', text)
    text = re.sub(r"\d+ (s|min|h)\b", "", text)  # how long ago, by the second
    return re.sub(r"(https?|ws)://127\.0\.0\.1:\d+", "", text)


class Played(NamedTuple):
    """What everybody's browser has in mid-round and at the end, and the table then."""

    midway: dict[str, dict[str, Any]]
    table: OpenTable
    end: dict[str, dict[str, Any]]


def played(
    folder: Path, browser: Browser, book: str, pack: tuple[Card, ...], *, whole: bool = True
) -> Played:
    """A round that p2 folds, while p1 looks at one of his two hands; to its end, or to the middle."""

    def prepare(house: House) -> None:
        house.link()
        house.table(book, players=("p1", "p2"), **({"link": "mega"} if book.startswith("mbs") else {}))
        for position, player in ((1, "p1"), (2, "p2"), (3, "p1")):
            house.ok(player, q.TakeSeat(table="t1", position=position, player=player))

    with served(folder, prepare, clock=Standing()) as service:
        house = service.house
        house.cards.next_pack = pack
        seen = {name: Seen(browser, service.url, name) for name in VIEWERS}

        def done(step: str) -> bool:
            """Done, and on every screen: views that follow each other quickly would be sent as one."""
            ok = house.step(step).ok
            if step in ("dealer: open bets", "dealer: close bets"):  # p1's device does its part by itself
                wait_until(lambda: contributed(house.floor.table("t1")))
            if ok:
                until(dict(house.store.heads())["table/t1"].version, *seen.values())
            return ok

        for name, path in VIEWERS.items():
            seen[name].person.go(path)
            if path == "/pit":
                seen[name].person.page.locator(".tiles button").first.click()
                seen[name].person.page.locator("#one").wait_for()
        until(dict(house.store.heads())["table/t1"].version, *seen.values())
        steps = ["dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "p1@3: wager ante 25"]
        steps += ["dealer: close bets", "dealer: deal", "p1@1: view", "p2@2: view", "p2@2: fold"]
        for step in steps:
            assert done(step), step
        midway = {name: found.everything("folded") for name, found in seen.items()}
        for _ in range(40 if whole else 0):
            if house.floor.table("t1").state.stage.is_over:
                break
            decision = outstanding(house.floor.table("t1").state)
            acts = [f"p1@{n}: bet {decision.bet}" for n in (1, 3)] if decision is not None else []
            acts += [f"dealer: reveal {place}" for place in ("flop", "turn", "river", "dealer", "community")]
            assert [act for act in (*acts, "dealer: settle") if done(act)]
        pit = seen["mara"]
        pit.person.page.reload()  # what it asks for every few seconds is asked for now
        pit.person.page.locator(".tiles button").first.click()
        expect(pit.person.page.locator(".one")).to_be_visible()
        until(pit.version, pit)
        end = {name: found.everything("Settled" if whole else "folded") for name, found in seen.items()}
        for found in seen.values():
            found.person.close()
        return Played(midway, service.served.floor.table("t1"), end)


def contributed(table: OpenTable) -> bool:
    """Whether the one device has committed, and revealed once bets are closed."""
    return len(table.devices) == 1 and (table.closed_at is None or not unrevealed(table))


def cards_in(text: str) -> set[str]:
    return set(re.findall(r'"([2-9TJQKA][cdhs])"', text))


@pytest.mark.parametrize("book", BOOKS)
def test_other_cards_where_they_are_hidden_change_nothing_in_the_browser(
    tmp_path: Path, browser: Browser, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In mid-round all cards but those that lie open to a viewer, his own further hands, the dealer's and what is not
    dealt among them; afterwards the folded hand and what was not dealt.

    p1's device contributes to the order. It follows from the root too, which is another one for other cards: here
    the seed is always the same, so that the cards lie at the same places.
    """
    seed = bytes(32)
    monkeypatch.setattr(composition, "seed_of", lambda *_, **__: seed)
    order = composition.order_of(seed)
    pack = tuple(Random(7).sample(DECK, 52))
    first = played(tmp_path / "a", browser, book, pack)
    table = first.table
    assert table.state.stage.is_over
    frames = [name for name in first.midway["p1"] if name.startswith("view ")]
    assert frames
    shown = cards_in(str(first.midway["p1"][frames[0]]))
    own = {card.code for card in table.state.known["1"]}
    assert own <= shown, "his own cards he sees"
    assert not {card.code for place in "23" for card in table.state.known[place]} & shown
    hidden = [card for card in pack if card.code not in shown]
    turned = dict(zip(hidden, [*hidden[1:], hidden[0]], strict=True))
    other = played(tmp_path / "b", browser, book, tuple(turned.get(card, card) for card in pack), whole=False)
    folded = list(table.state.known["2"])
    used = sum(table.state.dealt.values()) + len(table.state.burned)
    assert table.order == order != composition.AS_SEALED
    rest = [pack[place] for place in order[used:]]
    moved = [*folded, *rest]
    swap = dict(zip(moved, [*rest, *folded], strict=True))
    again = played(tmp_path / "c", browser, book, tuple(swap.get(card, card) for card in pack))
    assert list(again.table.state.known["2"]) == rest[: len(folded)], "p2 has another hand now"
    for name in VIEWERS:
        for one, two in ((first.midway, other.midway), (first.midway, again.midway), (first.end, again.end)):
            assert one[name].keys() == two[name].keys(), name
            for what in one[name]:
                assert one[name][what] == two[name][what], (name, what)
    assert not {card.code for card in folded} & cards_in(str(first.end["p1"]))
