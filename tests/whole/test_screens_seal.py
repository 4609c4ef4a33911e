"""The seal of a round on the player's screen: shown beside the bets, kept by the browser, checked and saved with it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Route, expect

from pitboss.floor import requests as q
from support import BOOKS
from support.browser import Person, wait_until
from support.composed_rounds import (
    FORGED_COMPOSITIONS,
    HONEST,
    forged_composition,
    honest_composition,
)
from support.floor import House
from support.sealed_rounds import (
    FORGERIES,
    Document,
    a_round,
    by_command,
    by_the_first_rule,
    by_the_page,
    saved,
    views_of,
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
        player.sees("devices: 1")
        player.page.reload()
        player.sees("devices: 1")
        house.steps("p1@1: wager ante 25", "dealer: close bets")
        wait_until(lambda: all(device.secret for device in house.floor.table("t1").devices))
        house.steps("dealer: deal")
        player.sees("mixed with 1 device")
        house.steps("p1@1: view", "p1@1: fold", "dealer: reveal dealer", "dealer: settle")
        player.page.reload()
        look_back(player)
        player.sees("are those that were sealed before anybody had bet")
        player.sees(f"the one that this device saw first: {' '.join(groups[:4])}")
        player.sees("The order was mixed with 1 device. This device is one of them.")
        link = player.page.locator("a[download]").get_attribute("href")
        assert link is not None
        document = json.loads(unquote(link.split(",", 1)[1]))
        assert document["root_seen"] == sealed.root
        assert document["seal_seen"] == 3
        (device,) = house.floor.table("t1").devices
        assert document["contributed"] == {
            "player": "p1",
            "device": device.device,
            "secret": device.secret,
            "revealed": True,
        }
        assert [seen["commitment"] for seen in document["devices_seen"]] == [device.commitment]
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
        assert "contributed" not in link, "it is another device"
        other_device.close()


def five_games(house: House) -> None:
    """A round of stud with one hand at t1, and one of every game with two hands at the table of its name."""
    house.table("mbs-stud-6")
    a_round(house, hands=1)
    for book in BOOKS:
        house.table(book, book)
        a_round(house, table=book)


def handing_out(player: Person) -> Callable[[Document], str]:
    """What p1's screen says of a round that the house hands out now, by what the browser has kept of it."""
    answer: list[Document] = []
    kept_only = ("root_seen", "seal_seen", "contributed", "devices_seen")

    def handed_out(route: Route) -> None:
        route.fulfill(json={key: value for key, value in answer[0].items() if key not in kept_only})

    player.page.route("**/api/tables/t1/rounds/1", handed_out)
    player.go("/play/t1")

    def says(document: Document) -> str:
        answer[:] = [document]
        root = ["t1/1", document["root_seen"]]
        root += [document["seal_seen"]] if "seal_seen" in document else []
        bound = {"table": "t1", "round": 1, "player": "p1", "committed": True}
        shown = next(view["sealed"]["root"] for view in views_of(document) if "sealed" in view)
        seen = {"seen": document["devices_seen"]} if "devices_seen" in document else {}
        own = [document["contributed"] | bound | seen | {"root": shown}] if "contributed" in document else []
        player.page.evaluate(
            """([root, own]) => {
                localStorage.setItem('pitboss-roots', JSON.stringify([root]));
                localStorage.setItem('pitboss-secrets', JSON.stringify(own));
            }""",
            [root, own],
        )
        look_back(player)
        told = player.page.locator("dialog [role=status]").first
        expect(told).to_have_text(re.compile("sealed"))
        text = told.inner_text()
        player.page.keyboard.press("Escape")
        return text

    return says


def place_ante(player: Person) -> None:
    """A bet by the screen's own controls, which waits for no device."""
    player.page.locator("button.spot", has_text="Ante").first.click()
    player.button("Place bets").click()


def play_out(house: House) -> None:
    """From the close of bets to the end of the round of p1, who folds."""
    house.steps("dealer: close bets", "dealer: deal", "p1@1: view", "p1@1: fold")
    house.steps("dealer: reveal dealer", "dealer: settle")


def test_a_device_that_does_not_answer_is_told_so_and_bets_go_on(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", prepare) as service:
        house, table = service.house, service.house.floor.table
        player = Person(browser, service.url, "p1")
        player.page.route("**/api/floor/reveal-entropy", lambda route: route.abort())
        player.go("/play/t1")
        house.steps("dealer: open bets")
        player.sees("devices: 1")
        place_ante(player)
        wait_until(lambda: bool(table("t1").state.boxes))
        play_out(house)
        player.sees("this device was left out")
        look_back(player)
        player.sees("are those that were sealed before anybody had bet")
        player.sees(
            "No independent device contributed to the order. The contribution of this device was left out"
        )
        player.page.keyboard.press("Escape")
        house.steps("dealer: open bets")
        player.sees("this device withheld and does not count today")
        place_ante(player)
        wait_until(lambda: bool(table("t1").state.boxes))
        play_out(house)
        player.sees("no independent device this round")
        assert not table("t1").devices
        player.close()


def test_bets_wait_for_no_device_that_gets_no_answer(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", prepare) as service:
        house, table = service.house, service.house.floor.table
        player = Person(browser, service.url, "p1")
        waiting: list[Route] = []

        def hold(route: Route) -> None:
            waiting.append(route)

        player.page.route("**/api/floor/commit-entropy", hold)
        player.go("/play/t1")
        house.steps("dealer: open bets")
        player.sees("waiting for devices")
        player.page.locator("button.spot", has_text="Ante").first.wait_for()
        wait_for_requests(player, waiting)
        place_ante(player)
        wait_until(lambda: bool(table("t1").state.boxes))
        waiting[0].continue_()
        player.sees("devices: 1")
        player.close()


def wait_for_requests(player: Person, waiting: list[Route]) -> None:
    """Until the page has asked for something that is held back."""
    for _ in range(300):
        if waiting:
            return
        player.page.wait_for_timeout(20)
    raise AssertionError("nothing was asked")


def test_a_page_that_is_not_secure_says_that_it_contributes_nothing(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", prepare) as service:
        player = Person(browser, service.url, "p1")
        player.page.add_init_script(
            "Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})"
        )
        player.go("/play/t1")
        service.house.steps("dealer: open bets")
        player.sees("page not served securely: this device contributes nothing")
        place_ante(player)
        wait_until(lambda: bool(service.house.floor.table("t1").state.boxes))
        play_out(service.house)
        player.sees("no independent device this round")
        player.close()


def test_honest_compositions_hold_in_the_browser_and_forged_ones_do_not(
    tmp_path: Path, browser: Browser
) -> None:
    """The same table of forged compositions that the command and the script of the page must reject."""
    with served(tmp_path / "floor", five_games) as service:
        player = Person(browser, service.url, "p1")
        says = handing_out(player)
        found = {name: says(honest_composition(name)) for name in HONEST}
        assert {name for name, told in found.items() if "Not as sealed" in told} == set()
        assert "mixed with 2 devices. This device is one of them." in found["devices"]
        assert "No independent device contributed" in found["no device"]
        assert "The beacon's signature is valid." in found["a beacon alone"]
        assert "The beacon was missing." in found["a beacon that the house may leave out"]
        forged = {name: says(forged_composition(name)) for name in FORGED_COMPOSITIONS}
        assert {name for name, told in forged.items() if "Not as sealed" not in told} == set()
        assert len(forged) >= 20
        player.close()


def test_honest_rounds_hold_in_the_browser_and_forged_ones_do_not(tmp_path: Path, browser: Browser) -> None:
    """The same forgeries that the command and the script of the page must reject."""
    with served(tmp_path / "floor", five_games) as service:
        player = Person(browser, service.url, "p1")
        for book in BOOKS:
            player.go(f"/play/{book}")
            look_back(player)
            player.sees("are those that were sealed before anybody had bet")
        honest = saved(service.house, "p1")
        says = handing_out(player)
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
