"""What the screens say of results, steps, accounts and calls, in words for people, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pitboss.floor import requests as q
from support.browser import people
from support.floor import House
from support.service import served

pytestmark = pytest.mark.whole


def played(house: House) -> None:
    house.link()
    house.table("mbs-3cp-2023", players=("p1", "p2"), link="mega")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: view", "p1@1: fold", "dealer: settle")
    house.ok("dora", q.CallSupervisor(table="t1"))


def test_a_player_reads_what_each_round_brought_and_what_happened_at_each_step(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "floor", played) as service, people(browser, service.url, "p1") as at:
        page = at["p1"].page
        at["p1"].go("/play/t1")
        at["p1"].button("Last rounds").click()
        sheet = page.locator("dialog[open]")
        expect(sheet.locator("li")).to_contain_text("Lost −25.00")
        sheet.get_by_role("button", name="Replay").click()
        said = []
        for _ in range(20):
            said.append(sheet.locator("p strong").all_inner_texts())
            if sheet.get_by_role("button", name="Previous").is_disabled():
                break
            sheet.get_by_role("button", name="Previous").click()
        steps = [text for found in reversed(said) for text in found]
        wanted = [
            "Bets are open",
            "Position 1: Ante 25",
            "No more bets",
            "Cards dealt",
            "Position 1: Fold",
            "Settled",
        ]
        assert list(dict.fromkeys(step for step in steps if step in wanted)) == wanted, steps
        assert any("has looked at his cards" in step for step in steps), steps


def test_the_house_reads_accounts_calls_and_parameters_in_words(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", played) as service, people(browser, service.url, "mara") as at:
        page = at["mara"].page
        at["mara"].go("/pit")
        expect(page.locator(".tiles strong")).to_have_text("dora calls the pit")
        at["mara"].button("Report of the day").click()
        changes = page.locator("dialog[open] table[data-part=changes]")
        expect(changes).to_contain_text("increment 20 %")
        expect(changes).not_to_contain_text("_bp")
        page.goto(f"{service.url}/surveillance")
        page.locator(".found li button").first.click()
        placed = page.locator(".event", has_text="Wager placed")
        for _ in range(5):
            if placed.count():
                break
            page.get_by_role("button", name="Next").click()
        expect(page.locator(".round table").first).to_contain_text("Layout of t1 · SGD")
        expect(page.locator(".round table").first).to_contain_text("Chips of p1 at t1 · SGD")
