"""The screens in a real browser, as people use them: whole rounds, cards by keyboard, lost connections."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from pitboss.floor import requests as q
from support.browser import Person, chromium, people
from support.floor import House
from support.service import Served, served

pytestmark = pytest.mark.whole

BOOKS = ("mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def table_of(book: str, **more: Any) -> Any:
    def prepare(house: House) -> None:
        house.link()
        link = {"link": "mega"} if book.startswith("mbs") else {}
        house.table(book, players=("p1", "p2"), **link, **more)
        house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))

    return prepare


def bet(person: Person) -> None:
    """Puts the least on the Ante, and places it."""
    person.page.locator("button.spot", has_text="Ante").first.click()
    person.button("Place bets").click()
    expect(person.page.locator(".spot.lies").first).to_be_visible()


def decide(person: Person, wanted: str) -> bool:
    """Looks at the cards, then does what is wanted, if anything is asked; whether something was done."""
    for name in ("Look at your cards", wanted, "Check", "Bet"):
        found = person.page.locator(".decisions button", has_text=name)
        if found.count() and found.first.is_enabled():
            found.first.click()
            return True
    return False


def play(at: dict[str, Person], wishes: dict[str, str], *, most: int = 80) -> None:
    """From open bets to the settlement, the dealer by the keyboard, players by what they are offered."""
    dealer = at["dora"]
    for _ in range(most):
        dealer.page.wait_for_timeout(120)
        if dealer.page.locator("#payout").count():
            return
        if any(decide(at[name], wanted) for name, wanted in wishes.items()):
            continue
        if dealer.page.locator("button.step:enabled").count():
            dealer.page.keyboard.press("Space")
    raise AssertionError("the round did not come to its end")


@pytest.mark.parametrize("book", BOOKS)
def test_a_whole_round_in_the_browser(tmp_path: Path, browser: Browser, book: str) -> None:
    with (
        served(tmp_path / "floor", table_of(book)) as service,
        people(browser, service.url, "dora", "p1", "p2") as at,
    ):
        at["dora"].go("/deal/t1")
        for name in ("p1", "p2"):
            at[name].go("/play/t1")
        at["p2"].button("Sit here: Position 2").click()
        at["dora"].page.locator("button.step").wait_for()
        at["dora"].page.keyboard.press("Space")
        for name in ("p1", "p2"):
            at[name].sees("Place your bets, please")
            bet(at[name])
        play(at, {"p1": "Bet", "p2": "Fold"})
        for name in ("p1", "p2"):
            lines = at[name].page.locator(".settled")
            expect(lines).to_have_count(1)
            expect(lines.locator("h3")).to_contain_text(name)
        check_money(service, at["p1"], "p1")
        at["p1"].page.locator(".settled .why").first.click()
        gist = at["p1"].page.locator("dialog[open] dd").first
        expect(gist).not_to_be_empty()


def check_money(service: Served, person: Person, name: str) -> None:
    """The rack on the screen is the rack on the floor."""
    rack = service.served.floor.table("t1").state.racks[name]
    shown = person.page.locator(".rack strong").inner_text()
    assert int(shown.replace(",", "").replace(".", "")) == rack


def test_a_physical_round_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    prepare = table_of("mbs-3cp-2023", cards="physical")
    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "dora", "p1") as at:
        dealer, player = at["dora"], at["p1"]
        dealer.go("/deal/t1")
        player.go("/play/t1")
        dealer.page.locator("button.step").wait_for()
        dealer.page.keyboard.press("Space")
        player.sees("Place your bets, please")
        bet(player)
        pack = iter(["as", "kd", "7h", "2c", "2d", "9s", "tc", "jh"])
        for _ in range(60):
            dealer.page.wait_for_timeout(150)
            if dealer.page.locator("#payout").count():
                break
            if decide(player, "Bet"):
                continue
            if dealer.page.locator(".entry").count() and not dealer.page.locator(".waits").count():
                left = service.served.floor.table("t1").state.known
                dealer.page.keyboard.type(next(pack))
                wait_until(lambda: service.served.floor.table("t1").state.known != left)  # noqa: B023
                continue
            dealer.page.keyboard.press("Space")
        expect(dealer.page.locator("#payout")).to_be_visible()
        known = service.served.floor.table("t1").state.known
        assert {card.code for row in known.values() for card in row} >= {"As", "Kd", "7h"}
        expect(player.page.locator(".settled")).to_have_count(1)
        check_money(service, player, "p1")


def wait_until(holds: Any, seconds: float = 10) -> None:
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it did not come to pass"
        time.sleep(0.02)


@pytest.mark.parametrize(("language", "word"), [("zh-CN", "牌桌"), ("vi-VN", "Bàn"), ("en-GB", "Tables")])
def test_the_lobby_speaks_the_language_of_the_browser(
    tmp_path: Path, browser: Browser, language: str, word: str
) -> None:
    with served(tmp_path / "floor", table_of("mbs-stud-6")) as service:
        person = Person(browser, service.url, locale=language)
        person.page.goto(service.url)
        person.sees(word)
        assert person.page.locator("html").get_attribute("lang") in ("zh-Hans", "vi", "en")
        person.close()
