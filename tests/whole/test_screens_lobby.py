"""The lobby in a real browser: tables at once, links only to what one may use, and the way back after signing in."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.browser import WIDTHS, Person, people
from support.floor import House
from support.service import PASSWORD, served

pytestmark = pytest.mark.whole


def tables(house: House) -> None:
    house.link()
    for n in (1, 2):
        house.table("mbs-3cp-2023", f"t{n}", players=("p1",), link="mega")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_visitor_sees_tables_at_once(tmp_path: Path, browser: Browser, width: str) -> None:
    across, down = WIDTHS[width]
    with served(tmp_path / "floor", tables) as service:
        visitor = Person(browser, service.url, viewport={"width": across, "height": down})
        visitor.go("/")
        watch = visitor.page.get_by_role("link", name="Watch").first
        place = watch.bounding_box()
        assert place is not None
        assert place["y"] + place["height"] <= down
        if width == "phone":
            visitor.page.get_by_role("link", name="Sign in").click()
        form = visitor.page.locator("form")
        expect(form.get_by_role("button")).to_be_in_viewport()
        visitor.close()


def test_everybody_has_links_to_the_screens_he_may_use(tmp_path: Path, browser: Browser) -> None:
    may = {
        "p1": ["Mathematics", "Dealer school"],
        "dora": ["Mathematics", "Dealer school"],
        "mara": ["Pit", "Surveillance", "Mathematics", "Dealer school"],
        "eye": ["Pit", "Surveillance", "Mathematics", "Dealer school"],
    }
    with served(tmp_path / "floor", tables) as service, people(browser, service.url, *may) as at:
        for name, links in may.items():
            at[name].go("/")
            expect(at[name].page.locator("nav a")).to_have_text(links)
        for name, path, says in (
            ("p1", "/pit", "This screen is for staff; p1 is signed in as a player."),
            ("dora", "/pit", "This screen is for a pit supervisor or above; dora is signed in as dealer."),
            ("dora", "/surveillance", "This screen is for a pit manager or above"),
            ("p1", "/deal/t1", "This screen is for staff"),
        ):
            at[name].page.goto(service.url + path)
            expect(at[name].page.locator("main")).to_contain_text(says)
            assert "/api/" not in at[name].page.locator("main").inner_text()
            expect(at[name].page.locator("main").get_by_role("link", name="Lobby")).to_be_visible()


@pytest.mark.parametrize("path", ["/pit", "/surveillance", "/drill", "/deal/t1"])
def test_whoever_signs_in_comes_back_to_the_page_he_asked_for(
    tmp_path: Path, browser: Browser, path: str
) -> None:
    with served(tmp_path / "floor", tables) as service:
        visitor = Person(browser, service.url)
        visitor.page.goto(service.url + path)
        visitor.sees("Sign in to see this.")
        visitor.page.get_by_role("link", name="Sign in").click()
        visitor.page.get_by_text("Staff", exact=True).click()
        visitor.page.get_by_label("Name").fill("mara")
        visitor.page.get_by_label("Password").fill(PASSWORD)
        visitor.page.locator("form button").click()
        visitor.page.wait_for_url(service.url + path)
        expect(visitor.button("mara", exact=True)).to_be_visible()
        visitor.close()


def test_nobody_is_led_off_this_floor(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", tables) as service:
        for other in ("//elsewhere.example/", "https://elsewhere.example/", "/%5Celsewhere.example"):
            visitor = Person(browser, service.url)
            visitor.page.goto(f"{service.url}/?next={other}")
            visitor.page.get_by_label("Name").fill("p1")
            visitor.page.get_by_label("Password").fill(PASSWORD)
            visitor.page.locator("form button").click()
            expect(visitor.button("p1", exact=True)).to_be_visible()
            assert visitor.page.url.startswith(f"{service.url}/?next")
            visitor.close()


def test_an_unknown_page_says_so_and_leads_to_the_lobby(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", tables) as service:
        visitor = Person(browser, service.url)
        answer = visitor.page.goto(f"{service.url}/nosuch")
        assert answer is not None
        assert answer.status == 404
        visitor.sees("There is no page “/nosuch”.")
        visitor.page.locator("main").get_by_role("link", name="Lobby").click()
        visitor.sees("Tables")
        visitor.close()
