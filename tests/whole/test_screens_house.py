"""The screens of the house in a real browser: irregularities of each remedy, a jackpot hit, a dispute, lost
connections and servers, and that everybody can use them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from pitboss.bootstrap import Settings
from pitboss.floor import requests as q
from support.browser import Person, chromium, people
from support.floor import House
from support.service import Process, Served, make_floor, served, stud_on_a_link

pytestmark = pytest.mark.whole
AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
BEGUN = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "p2@2: wager ante 25",
    "dealer: close bets",
    "dealer: deal",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def three_card(house: House) -> None:
    house.link()
    house.table("mbs-3cp-2023", players=("p1", "p2"), link="mega")


def at_pit(person: Person, table: str = "t1") -> None:
    person.go("/pit")
    person.page.locator(".tiles button", has_text=table).first.click()
    expect(person.page.locator("#one")).to_be_visible()


class Case(NamedTuple):
    """An irregularity as the pit reports it, what is ruled, and what follows."""

    kind: str
    then: str
    positions: tuple[str, ...] = ()
    put_back: str = ""
    ruling: str = ""
    argument: str = ""


CASES = (
    Case("foreign-card", "Void"),
    Case("exposed", "Waiting for positions 1, 2"),
    Case("misdeal", "Waiting for positions 1, 2", put_back="yes"),
    Case("misdeal", "Void", put_back="no"),
    Case("wrong-count-position", "Waiting for position 2", positions=("1",), put_back="no"),
    Case("insufficient-cards", "Void", ruling="void"),
    Case("insufficient-cards", "Waiting for positions 1, 2", ruling="continue"),
    Case("misdeal", "Waiting for positions 1, 2", ruling="reconstruct"),
    Case("uncovered", "Waiting for position 2", ruling="invalidate", argument="1"),
    Case("power-failure", "stay in or withdraw"),
    Case("confidentiality", "Waiting for position 2", positions=("1",), ruling="bar", argument="p1"),
)


def test_an_irregularity_of_each_remedy_is_reported_and_ruled(tmp_path: Path, browser: Browser) -> None:
    with (
        served(tmp_path / "floor", three_card) as service,
        people(browser, service.url, "gina", "p1", "p2") as at,
    ):
        pit = at["gina"]
        at_pit(pit)
        for case in CASES:
            service.house.steps(*BEGUN)
            number = service.house.floor.table("t1").state.round_number
            expect(pit.page.locator("#one")).to_contain_text(f"Round {number}")
            report(pit, case)
            status = pit.page.locator(".one [role=status]")
            if case.ruling:
                expect(status).to_contain_text("Suspended")
                expect(pit.page.locator(".matter")).to_contain_text("decides")
                pit.page.get_by_label("Position, player or cards").fill(case.argument)
                pit.page.locator(".matter button", has_text=re.compile(f"^{case.ruling}$")).click()
            expect(status).to_contain_text(case.then)
            if case.kind == "power-failure":
                for name in ("p1", "p2"):
                    at[name].go("/play/t1")
                    at[name].button("Withdraw").click()
                expect(status).not_to_contain_text("stay in or withdraw")
            end_round(service)
        service.house.everything_adds_up()


def report(pit: Person, case: Case) -> None:
    """Through the sheet, which says first what the book says."""
    pit.button("Irregularity").click()
    sheet = pit.page.locator("section[aria-labelledby=irregularity]")
    sheet.get_by_label("What happened").select_option(case.kind)
    for position in case.positions:
        sheet.get_by_role("checkbox", name=position).check()
    expect(sheet.locator("article").first).to_be_visible()
    expect(sheet.locator("article .why").first).to_be_visible()
    if case.put_back:
        sheet.get_by_label("Can it be put back").select_option(case.put_back)
    sheet.get_by_role("button", name="Report it").click()
    expect(sheet).to_have_count(0)


def end_round(service: Served) -> None:
    """Whatever is still in play is folded and settled, so that the next round can begin."""
    house = service.house
    state = house.floor.table("t1").state
    if state.stage.is_over:
        return
    for box in list(state.boxes.values()):
        house.step(f"{box.player}@{box.position}: fold")
    house.step("dealer: reveal dealer")
    house.step("dealer: settle")
    assert house.floor.table("t1").state.stage.is_over


def test_a_jackpot_hit_is_verified_paid_and_shown_on_the_sign(tmp_path: Path, browser: Browser) -> None:
    with (
        served(tmp_path / "floor", stud_on_a_link) as service,
        people(browser, service.url, "mara", "dora") as at,
    ):
        sign = Person(browser, service.url)
        sign.page.goto(f"{service.url}/sign/mega")
        expect(sign.page.locator("p.value")).to_contain_text("300,000.00")
        service.house.stud(hit=True)
        at["dora"].go("/deal/t1")
        at["dora"].page.locator("button.step").wait_for()
        at["dora"].page.keyboard.press("Space")
        at["dora"].sees("A jackpot hand waits to be verified")
        expect(sign.page.locator(".notice")).to_contain_text("t1 is being verified")
        at["mara"].go("/pit")
        at["mara"].button("Verify").click()
        expect(at["mara"].page.locator(".queue .alert")).to_contain_text("verified")
        settled = service.house.floor.table("t1").state
        assert settled.claim
        at["dora"].page.get_by_text("A jackpot hand waits").wait_for()
        service.house.steps("dealer: settle")
        expect(sign.page.locator(".hit")).to_contain_text("Jackpot paid at t1")
        link = service.house.floor.link("mega")
        paid = link.history[-1].shares[0].amount
        expect(sign.page.locator(".amount")).to_contain_text(f"{paid // 100:,}.{paid % 100:02d}")
        sign.close()


def test_a_dispute_is_opened_by_a_player_and_resolved_in_the_pit(tmp_path: Path, browser: Browser) -> None:
    def prepare(house: House) -> None:
        house.table("hoiana-thb-2025", players=("p1", "p2"))
        house.steps(*BEGUN, "p1@1: fold", "p2@2: fold", "dealer: settle")

    with (
        served(tmp_path / "floor", prepare) as service,
        people(browser, service.url, "p1", "mara") as at,
    ):
        player, pit = at["p1"], at["mara"]
        player.go("/play/t1")
        player.button("Last rounds").click()
        player.button("Replay").first.click()
        player.page.get_by_label("What is wrong").fill("I did not fold")
        player.button("Open a dispute").click()
        player.sees("Dispute 1 is open")
        pit.go("/pit")
        pit.page.get_by_text("Dispute 1").first.click()
        expect(pit.page.locator(".queue details ol li").first).to_contain_text("hash")
        pit.button("escalate dispute").click()
        pit.page.locator("dialog[open] button.primary").click()
        expect(pit.page.locator(".queue summary")).to_contain_text("pit-manager")
        pit.button("decide dispute").click()
        form = pit.page.locator("dialog[open] form")
        form.get_by_label("decision").fill("the fold stands")
        form.get_by_label("basis").fill("surveillance-evidence")
        fill_or_choose(form, "in favour of", "house")
        fill_or_choose(form, "complaint explained", "true")
        form.get_by_role("button").click()
        expect(pit.page.locator(".queue details")).to_contain_text("the fold stands")


def fill_or_choose(form: Any, label: str, value: str) -> None:
    field = form.get_by_label(label)
    if field.evaluate("element => element.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)


def test_a_lost_connection_is_shown_and_loses_nothing(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "p1") as at:
        player = at["p1"]
        player.go("/play/t1")
        service.house.steps(*BEGUN)
        player.sees("Your decision")
        player.context.set_offline(True)
        player.page.evaluate("() => window.dispatchEvent(new Event('offline'))")
        for watcher in list(service.served.hub.tables["t1"].watchers):
            watcher.loop.call_soon_threadsafe(watcher.queue.put_nowait, None)  # the socket breaks
        expect(player.page.locator("p.lost")).to_be_visible()
        service.house.steps("p2@2: fold")
        player.context.set_offline(False)
        expect(player.page.locator(".line")).to_have_text("Live")
        expect(player.page.locator(".seats li").nth(4)).to_contain_text("folded")
        player.button("Look at your cards").click()
        expect(player.page.locator(".hand .face")).to_have_count(3)


def test_a_server_killed_in_mid_round_comes_back_on_the_screens(tmp_path: Path, browser: Browser) -> None:
    where = Settings(tmp_path / "floor")
    make_floor(where, "mbs-3cp-2023")
    process = Process(where)
    try:
        with people(browser, process.url, "dora", "p1") as at:
            at["dora"].go("/deal/t1")
            at["p1"].go("/play/t1")
            at["dora"].page.locator("button.step").wait_for()
            at["dora"].page.keyboard.press("Space")
            at["p1"].page.locator("button.spot", has_text="Ante").first.click()
            at["p1"].button("Place bets").click()
            for _ in range(2):
                at["dora"].page.locator("button.step:enabled").wait_for()
                time.sleep(0.3)
                at["dora"].page.keyboard.press("Space")
            at["p1"].sees("Your decision")
            process.kill()
            expect(at["p1"].page.locator("p.lost")).to_be_visible()
            process = Process(where, port=process.port)
            for person in at.values():
                expect(person.page.locator(".line")).to_have_text("Live", timeout=20_000)
            at["p1"].sees("stay in or withdraw")
            at["p1"].button("Stay in").click()
            at["p1"].sees("Your decision")
    finally:
        process.kill()


PAGES = {
    "": ("/",),
    "p1": ("/play/t1",),
    "dora": ("/", "/deal/t1"),
    "mara": ("/pit",),
    "eye": ("/surveillance", "/mathematics"),
}


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_on_any_screen(tmp_path: Path, browser: Browser, scheme: str) -> None:
    def prepare(house: House) -> None:
        three_card(house)
        house.steps(
            *BEGUN, "p1@1: view", "p1@1: bet play", "p2@2: fold", "dealer: reveal dealer", "dealer: settle"
        )
        house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))

    with served(tmp_path / "floor", prepare) as service:
        for name, paths in PAGES.items():
            person = Person(browser, service.url, name, bypass_csp=True, color_scheme=scheme)
            for path in (*paths, *(("/sign/mega",) if not name else ())):
                person.page.goto(service.url + path)
                person.page.wait_for_timeout(900)
                if path == "/pit":
                    person.page.locator(".tiles button").first.click()
                    person.page.locator("#one").wait_for()
                if path == "/surveillance":
                    person.page.locator(".found li button").first.click()
                    person.page.locator("#round").wait_for()
                person.page.wait_for_timeout(400)
                assert serious(person.page) == [], (name, path)
            person.close()


def serious(page: Page) -> list[str]:
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("width", [360, 1280, 3840])
def test_no_screen_is_wider_than_its_window(tmp_path: Path, browser: Browser, width: int) -> None:
    def prepare(house: House) -> None:
        stud_on_a_link(house)
        house.stud()
        house.steps("dealer: settle")

    with served(tmp_path / "floor", prepare) as service:
        for name, paths in PAGES.items():
            person = Person(browser, service.url, name, viewport={"width": width, "height": 800})
            for path in (*paths, *(("/sign/mega",) if not name else ())):
                person.page.goto(service.url + path)
                person.page.wait_for_timeout(700)
                over = person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert over <= 0, (name, path, over)
            person.close()


def test_a_changed_pay_moves_the_edge(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "p1") as at:
        page = at["p1"].page
        page.goto(f"{service.url}/mathematics")
        page.get_by_label("Rulebook").select_option("mbs-3cp-2023")
        row = page.locator("tbody tr", has_text="pair-plus")
        expect(row).to_be_visible(timeout=90_000)
        before = row.locator("td").first.inner_text()
        page.locator("summary", has_text="pair-plus").click()
        page.locator("details", has_text="pair-plus").get_by_label("flush", exact=True).fill("3")
        at["p1"].button("Price it").click()
        expect(row.locator("td").nth(1)).to_contain_text("%", timeout=90_000)
        assert row.locator("td").first.inner_text() != before


def test_advice_is_given_at_practice_tables_only(tmp_path: Path, browser: Browser) -> None:
    def prepare(house: House) -> None:
        house.table("mbs-3cp-2023", players=("p1", "p2"), practice=True)
        house.table("mbs-3cp-2023", "t2", players=("p1", "p2"))
        for table in ("t1", "t2"):
            house.steps(*BEGUN, "p1@1: view", table=table)

    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "p1") as at:
        at["p1"].go("/play/t1")
        at["p1"].button("What is each choice worth?").click()
        expect(at["p1"].page.locator(".advice .best")).to_contain_text("Ante", timeout=90_000)
        at["p1"].go("/play/t2")
        at["p1"].sees("Your decision")
        expect(at["p1"].button("What is each choice worth?")).to_have_count(0)
        answer = at["p1"].page.request.get(f"{service.url}/api/tables/t2/advice?position=1")
        assert (answer.status, answer.json()["code"]) == (403, "no-practice")
