"""The seal of a round on the player's screen: shown beside the bets, kept by the browser, checked and saved with it."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Route, expect

from pitboss.floor import requests as q
from support import BOOKS
from support.browser import Person
from support.floor import House
from support.sealed_rounds import (
    FORGERIES,
    Document,
    a_round,
    by_command,
    by_the_first_rule,
    by_the_page,
    saved,
)
from support.service import served

pytestmark = pytest.mark.whole


def prepare(house: House) -> None:
    house.table("mbs-stud-6", players=("p1", "p2"))
    house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))


def look_back(person: Person) -> None:
    """Open the last round and check its cards."""
    person.button("Last rounds").click()
    person.button("Replay").first.click()
    person.button("Check the cards").click()


def test_the_root_that_was_seen_outlives_the_page_and_is_saved(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", prepare) as service:
        house = service.house
        player = Person(browser, service.url, "p1")
        player.go("/play/t1")
        house.steps("dealer: open bets")
        sealed = house.floor.table("t1").sealed
        assert sealed is not None
        groups = [sealed.root[at : at + 4] for at in range(0, 64, 4)]
        shown = player.page.locator("button.root")
        expect(shown).to_have_text(f"Seal {' '.join(groups[:4])}")
        shown.click()
        expect(shown).to_have_text(f"Seal {' '.join(groups)}")
        house.steps("p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        house.steps("p1@1: view", "p1@1: fold", "dealer: reveal dealer", "dealer: settle")
        player.page.reload()
        look_back(player)
        player.sees("are those that were sealed before anybody had bet")
        player.sees(f"the one that this device saw first: {' '.join(groups[:4])}")
        link = player.page.locator("a[download]").get_attribute("href")
        assert link is not None
        document = json.loads(unquote(link.split(",", 1)[1]))
        assert document["root_seen"] == sealed.root
        assert document["seal_seen"] == 2
        file = tmp_path / "round.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        assert by_command(file)
        assert by_the_page(file)

        # a house that has made the round up since has another root than the one that was kept
        player.page.evaluate(
            f"localStorage.setItem('pitboss-roots', localStorage.getItem('pitboss-roots')"
            f".replace('{sealed.root}', '{'0' * 64}'))"
        )
        player.page.reload()
        look_back(player)
        player.sees("Not as sealed: the seal itself")
        player.close()

        other_device = Person(browser, service.url, "p1")
        other_device.go("/play/t1")
        look_back(other_device)
        other_device.sees("are those that were sealed before anybody had bet")
        other_device.sees("This device has not kept the seal of the round")
        link = other_device.page.locator("a[download]").get_attribute("href")
        assert link is not None
        assert "root_seen" not in link, "it has only seen the round when it was over"
        other_device.close()


def five_games(house: House) -> None:
    """A round of stud with one hand at t1, and one of every game with two hands at the table of its name."""
    house.table("mbs-stud-6")
    a_round(house, hands=1)
    for book in BOOKS:
        house.table(book, book)
        a_round(house, table=book)


def test_honest_rounds_hold_in_the_browser_and_forged_ones_do_not(tmp_path: Path, browser: Browser) -> None:
    """The same forgeries that the command and the script of the page must reject."""
    with served(tmp_path / "floor", five_games) as service:
        player = Person(browser, service.url, "p1")
        for book in BOOKS:
            player.go(f"/play/{book}")
            look_back(player)
            player.sees("are those that were sealed before anybody had bet")
        honest = saved(service.house, "p1")
        answer: list[Document] = []

        def handed_out(route: Route) -> None:
            route.fulfill(json={key: value for key, value in answer[0].items() if not key.endswith("_seen")})

        player.page.route("**/api/tables/t1/rounds/1", handed_out)

        def says(document: Document) -> str:
            """What the screen says of a round that the house hands out now, by the root that it has kept."""
            answer[:] = [document]
            kept = [
                "t1/1",
                document["root_seen"],
                *([document["seal_seen"]] if "seal_seen" in document else []),
            ]
            player.page.evaluate(
                "kept => localStorage.setItem('pitboss-roots', JSON.stringify([kept]))", kept
            )
            player.go("/play/t1")
            look_back(player)
            told = player.page.locator("dialog [role=status]").first
            expect(told).to_have_text(re.compile("sealed"))
            return told.inner_text()

        found = {"honest": says(honest)}
        for name, forge in FORGERIES.items():
            forged = copy.deepcopy(honest)
            forge(forged)
            found[name] = says(forged)
        older = copy.deepcopy(honest)
        by_the_first_rule(older)
        found["older"] = says(older)
        player.close()
    accepted = {name for name, told in found.items() if "Not as sealed" not in told}
    assert accepted == {"honest", "older"}
    assert "older rule, which does not fix the order of dealing" in found["older"]
    assert "older rule" not in found["honest"]
