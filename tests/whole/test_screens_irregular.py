"""The sheet for irregularities in a real browser: it asks who has touched cards, and sends only what it asks."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from support.browser import people
from support.floor import House
from support.service import served

pytestmark = pytest.mark.whole
BEGUN = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "p2@2: wager ante 25",
    "dealer: close bets",
    "dealer: deal",
)
RULED = "the round waits for a ruling by a person with the authority"
PUT_BACK = "the cards are put where they belong"


def dealt(house: House) -> None:
    house.table("mbs-thb-9", players=("p1", "p2"), cards="physical")
    house.steps(*BEGUN)


def test_who_has_touched_cards_is_asked_recorded_and_changes_what_the_book_says(
    tmp_path: Path, browser: Browser
) -> None:
    """MBS 5.2: once somebody has handled his cards, a misdeal is never put back or void by the report alone."""
    with served(tmp_path / "floor", dealt) as service, people(browser, service.url, "dora", "gina") as at:
        page = at["dora"].page
        at["dora"].go("/deal/t1")
        page.locator(".felt").wait_for()
        page.keyboard.press("f")
        sheet = page.locator("dialog[open]")
        sheet.get_by_label("What happened").select_option("misdeal")
        expect(sheet.locator("article")).to_have_count(3)
        expect(sheet.locator("article").first).to_contain_text(PUT_BACK)
        hand = sheet.locator(".hands li").first
        expect(hand).to_contain_text("Position 1 · p1: neither")
        hand.get_by_role("button", name="He touches his cards").click()
        expect(hand).to_contain_text("has touched his cards")
        expect(sheet.locator("article")).to_have_count(1)
        expect(sheet.locator("article")).to_contain_text(RULED)
        boxes = service.served.floor.table("t1").state.boxes
        assert [(n, box.handled, box.viewed) for n, box in boxes.items()] == [
            (1, True, False),
            (2, False, False),
        ]
        sheet.get_by_role("button", name="Cancel").click()
        waits = page.locator(".waits").last
        waits.get_by_role("button", name="Position 2").click()
        expect(waits.get_by_role("button", name="He touches his cards")).to_have_count(1)
        waits.get_by_role("button", name="He touches his cards").click()
        expect(waits.get_by_role("button", name="He touches his cards")).to_have_count(0)
        assert service.served.floor.table("t1").state.boxes[2].handled
        at["gina"].go("/pit")
        at["gina"].page.locator(".tiles button").first.click()
        at["gina"].button("Irregularity").click()
        hands = at["gina"].page.locator(".hands li")
        expect(hands).to_contain_text(["has touched his cards", "has touched his cards"])
        hands.last.get_by_role("button", name="He looks at his cards").click()
        expect(hands.last).to_contain_text("has looked at his cards")


def test_only_what_is_asked_now_is_sent_and_a_slow_answer_overwrites_nothing(
    tmp_path: Path, browser: Browser
) -> None:
    def late(route: Route) -> None:
        if "/irregularities/misdeal" in route.request.url and slow:
            time.sleep(1)
        route.continue_()

    slow: list[bool] = []
    with served(tmp_path / "floor", dealt) as service, people(browser, service.url, "gina") as at:
        page, sent = at["gina"].page, list[object]()
        page.on("request", lambda asked: sent.append(asked.post_data_json) if "/acts" in asked.url else None)
        page.route("**/api/tables/t1/irregularities/*", late)
        at["gina"].go("/pit")
        page.locator(".tiles button").first.click()
        at["gina"].button("Irregularity").click()
        sheet = page.locator("section[aria-labelledby=irregularity]")
        what, put = sheet.get_by_label("What happened"), sheet.get_by_label("Can it be put back")
        what.select_option("misdeal")
        put.select_option("no")
        expect(sheet.locator("article")).to_have_count(1)
        what.select_option("uncovered")
        expect(put).to_have_count(0)
        expect(sheet.locator("article")).to_contain_text(RULED)
        what.select_option("misdeal")
        expect(put).to_have_value("")
        what.select_option("")
        expect(sheet.locator("article")).to_have_count(0)
        slow.append(True)
        what.select_option("misdeal")
        what.select_option("uncovered")
        page.wait_for_timeout(1500)
        expect(sheet.locator("article")).to_have_count(1)
        expect(put).to_have_count(0)
        slow.clear()
        what.select_option("misdeal")
        put.select_option("no")
        what.select_option("uncovered")
        expect(put).to_have_count(0)
        sheet.get_by_role("button", name="Report it").click()
        expect(sheet).to_have_count(0)
        assert "reconstructable" not in str(sent[-1])
        assert "uncovered" in str(sent[-1])
