"""Cards hidden from a viewer are in nothing his browser has: other cards in their place, the same traffic, page and
storage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Response, WebSocket, expect

from pitboss.cards import DECK, Card
from pitboss.floor import requests as q
from pitboss.play.dealing import outstanding
from support.browser import Person, chromium
from support.floor import House
from support.service import Standing, served

pytestmark = pytest.mark.whole
BOOKS = ["mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"]
VIEWERS = {"p1": "/play/t1", "dora": "/deal/t1", "mara": "/pit"}
"""A player at his seat, the dealer, the pit: none of them may see the hand that p2 folds."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


class Seen:
    """Everything a browser was sent, in order; what tells sessions and sealed commitments apart is left out."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.frames: list[str] = []
        self.bodies: dict[str, list[str]] = {}
        person.page.on("websocket", self._socket)
        person.page.on("response", self._response)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(_plain(str(frame))))

    def _response(self, response: Response) -> None:
        if "/api/tables/" in response.url:
            path = re.sub(r"^https?://[^/]+", "", response.url)
            self.bodies.setdefault(path, []).append(_plain(response.text()))

    def page(self) -> str:
        """What the page holds, and what it keeps."""
        kept = self.person.page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
        )
        return _plain(self.person.page.content() + str(kept))


def _plain(text: str) -> str:
    text = re.sub(r'"(commitments|root)": ?"[^"]*"', r'"\1":""', text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "", text)  # the root again: on the page, and kept by it
    text = re.sub(r"\b[0-9a-f]{4}( [0-9a-f]{4}){3,15}\b", "", text)
    text = re.sub(r"\d+ (s|min|h)\b", "", text)  # how long ago, by the second
    return re.sub(r"https?://127\.0\.0\.1:\d+", "", text)


def played(
    folder: Path, browser: Browser, book: str, pack: tuple[Card, ...]
) -> tuple[dict[str, Seen], Any, Any]:
    """A round that p2 folds; what each viewer's browser has, its page at the end, and the table."""

    def prepare(house: House) -> None:
        house.table(book, players=("p1", "p2"))
        house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))
        house.ok("p2", q.TakeSeat(table="t1", position=2, player="p2"))

    with served(folder, prepare, clock=Standing()) as service:
        house = service.house
        house.cards.next_pack = pack
        seen = {}
        for name, path in VIEWERS.items():
            person = Person(browser, service.url, name)
            seen[name] = Seen(person)
            person.go(path)
            if path == "/pit":
                person.page.locator(".tiles button").first.click()
        house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25")
        house.steps("dealer: close bets", "dealer: deal")
        for who in ("p1@1", "p2@2"):
            house.steps(f"{who}: view")
        house.steps("p2@2: fold")
        p1 = seen["p1"].person.page
        for _ in range(12):
            if house.floor.table("t1").state.stage.is_over:
                break
            decision = outstanding(house.floor.table("t1").state)
            if decision is not None and house.step(f"p1@1: bet {decision.bet}").ok:
                continue
            done = [house.step(f"dealer: reveal {place}").ok for place in ("flop", "turn", "river", "dealer")]
            if not any(done):
                house.step("dealer: settle")
            p1.wait_for_timeout(350)
        for name in VIEWERS:
            expect(seen[name].person.page.locator("#payout, .settled, .one").first).to_be_visible()
        for one in seen.values():
            one.person.page.wait_for_timeout(600)
        seen["mara"].person.page.reload()  # what it asks for every few seconds is asked for now
        seen["mara"].person.page.locator(".tiles button").first.click()
        expect(seen["mara"].person.page.locator(".one")).to_be_visible()
        pages = {name: found.page() for name, found in seen.items()}
        for found in seen.values():
            found.person.close()
        return seen, pages, service.served.floor.table("t1")


@pytest.mark.parametrize("book", BOOKS)
def test_other_cards_in_a_folded_hand_change_nothing_in_the_browser(
    tmp_path: Path, browser: Browser, book: str
) -> None:
    pack = tuple(Random(7).sample(DECK, 52))
    seen, pages, table = played(tmp_path / "a", browser, book, pack)
    assert table.state.stage.is_over
    folded = list(table.state.known["2"])
    used = sum(table.state.dealt.values()) + len(table.state.burned)
    instead = list(pack[used : used + len(folded)])
    swap = dict(zip(folded, instead, strict=True)) | dict(zip(instead, folded, strict=True))
    again, pages_again, second = played(
        tmp_path / "b", browser, book, tuple(swap.get(card, card) for card in pack)
    )
    assert list(second.state.known["2"]) == instead, "p2 has another hand now"
    for name in VIEWERS:
        first, second_views = _views(seen[name]), _views(again[name])
        both = first.keys() & second_views.keys()  # views that follow each other quickly may be sent as one
        assert len(both) >= 8
        assert {n: second_views[n] for n in both} == {n: first[n] for n in both}, name
        for path, bodies in seen[name].bodies.items():
            assert again[name].bodies[path][0] == bodies[0], (name, path)
        assert pages_again[name] == pages[name], name
    own = {f'"{card.code}"' for card in table.state.known["1"]}
    assert any(code in text for code in own for text in seen["p1"].frames), "his own cards he sees"
    hidden = {f'"{card.code}"' for card in folded}
    assert not any(code in text for code in hidden for text in seen["p1"].frames)


def _views(seen: Seen) -> dict[int, str]:
    """Frames that have a view, by version; how many times a version came does not matter."""
    found: dict[int, str] = {}
    for text in seen.frames:
        data = json.loads(text)
        if data["kind"] == "view":
            found.setdefault(data["version"], text)
    return found
