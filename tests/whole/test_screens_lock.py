"""A locked screen in a real browser: nothing of it is left to read, its password field is ready, and it comes
back. Screens without a socket see it too, and that nobody answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.browser import Person, people
from support.floor import House
from support.service import PASSWORD, served

pytestmark = pytest.mark.whole
BEGUN = ("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")


def played(house: House) -> None:
    house.table("mbs-3cp-2023", players=("p1", "p2"))
    house.steps(*BEGUN, "p1@1: fold", "dealer: settle")


def lock(person: Person) -> None:
    """As after five minutes with nobody there."""
    token = person.context.request.get(f"{person.url}/api/session").json()["csrf"]
    answer = person.context.request.post(f"{person.url}/api/session/lock", headers={"x-csrf-token": token})
    assert answer.ok, answer.text()


def unlock(person: Person) -> None:
    """With the keyboard alone."""
    field = person.page.get_by_label("Password")
    expect(field).to_be_focused()
    person.page.keyboard.type(PASSWORD)
    person.page.keyboard.press("Enter")
    expect(field).to_have_count(0)


def test_a_locked_dealers_screen_shows_nothing_and_comes_back(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", played) as service, people(browser, service.url, "dora") as at:
        page = at["dora"].page
        at["dora"].go("/deal/t1")
        page.locator(".felt").wait_for()
        page.keyboard.press("f")
        expect(page.locator("dialog[open]")).to_contain_text("What happened")
        lock(at["dora"])
        expect(page.get_by_label("Password")).to_be_focused()
        expect(page.locator(".felt, .now, dialog[open]")).to_have_count(0)
        page.keyboard.press("Tab")
        page.keyboard.press("f")
        page.keyboard.press("Shift+Tab")
        unlock(at["dora"])
        expect(page.locator(".felt")).to_be_visible()
        expect(page.locator("dialog[open]")).to_have_count(0)
        page.keyboard.press("f")
        expect(page.locator("dialog[open]")).to_contain_text("What happened")


@pytest.mark.parametrize("sheet", ["Report of the day", "Assign staff"])
def test_a_locked_pit_has_no_sheet_over_its_password_field(
    tmp_path: Path, browser: Browser, sheet: str
) -> None:
    with served(tmp_path / "floor", played) as service, people(browser, service.url, "mara") as at:
        page = at["mara"].page
        at["mara"].go("/pit")
        page.locator(".tiles button").first.click()
        at["mara"].button(sheet).click()
        expect(page.locator("dialog[open]")).to_contain_text(sheet)
        lock(at["mara"])
        expect(page.get_by_label("Password")).to_be_focused()
        expect(page.locator(".pit, dialog[open]")).to_have_count(0)
        assert "10,000.00" not in (page.locator("body").text_content() or "")
        expect(at["mara"].button("Report of the day")).to_have_count(0)
        unlock(at["mara"])
        expect(page.locator(".tiles")).to_be_visible()
        expect(page.get_by_text("The session is locked")).to_have_count(0)
        at["mara"].button(sheet).click()
        expect(page.locator("dialog[open]")).to_contain_text(sheet)


QUIET = {
    "/surveillance": ".found li button",
    "/mathematics?book=mbs-3cp-2023": "summary >> nth=1",
    "/drill": ".head select option >> nth=1",
}


@pytest.mark.parametrize("path", QUIET)
def test_a_screen_without_a_socket_locks_and_comes_back(tmp_path: Path, browser: Browser, path: str) -> None:
    with served(tmp_path / "floor", played) as service, people(browser, service.url, "eye") as at:
        page = at["eye"].page
        page.route("**/api/mathematics/*", lambda route: route.fulfill(json={"wagers": {}, "seconds": 0}))
        page.goto(service.url + path)
        there = page.locator(QUIET[path])
        there.wait_for(state="attached")
        lock(at["eye"])
        expect(page.get_by_label("Password")).to_be_focused()
        expect(there).to_have_count(0)
        page.reload()  # found locked, it has nothing yet
        unlock(at["eye"])
        there.wait_for(state="attached")
        expect(page.get_by_text("The session is locked")).to_have_count(0)


def test_a_screen_without_a_socket_says_that_nobody_answers(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", played) as service, people(browser, service.url, "eye") as at:
        page = at["eye"].page
        page.goto(f"{service.url}/surveillance")
        page.locator(".found li button").wait_for()
        expect(page.locator(".line")).to_have_text("")
        at["eye"].context.set_offline(True)
        expect(page.locator("p.lost")).to_be_visible()
        at["eye"].context.set_offline(False)
        expect(page.locator("p.lost")).to_have_count(0)
