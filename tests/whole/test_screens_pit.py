"""The pit, Surveillance and the mathematics in a real browser: what whoever decides reads before he decides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from pitboss.floor import requests as q
from pitboss.floor.ports import SECOND, Micros
from support.browser import WIDTHS, Person, people
from support.floor import House
from support.service import PASSWORD, served

pytestmark = pytest.mark.whole
BEGUN = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "p2@2: wager ante 50",
    "dealer: close bets",
    "dealer: deal",
)


def three_card(house: House) -> None:
    house.link()
    house.table("mbs-3cp-2023", players=("p1", "p2"), link="mega")


def played(house: House) -> None:
    three_card(house)
    house.steps(*BEGUN, "p1@1: fold", "p2@2: fold", "dealer: settle")


def utc(year: int, month: int, day: int, hour: int, minute: int) -> Micros:
    from datetime import UTC, datetime

    return Micros(int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp() * 1_000_000))


# --- times --------------------------------------------------------------------------------------------------


def test_times_are_the_floors_own_whatever_the_browser_thinks(tmp_path: Path, browser: Browser) -> None:
    """A floor at UTC+8, looked at from New York: shown, labelled and searched by the floor's clock."""

    def prepare(house: House) -> None:
        house.clock.at = utc(2027, 3, 1, 10, 0)
        three_card(house)
        for minute in (5, 45):
            house.clock.at = utc(2027, 3, 1, 10, minute)
            house.steps(*BEGUN, "p1@1: fold", "p2@2: fold", "dealer: settle")
        house.ok("dora", q.CallSupervisor(table="t1"))

    with served(tmp_path / "floor", prepare, utc_offset_minutes=480) as service:
        eye = Person(browser, service.url, "eye", timezone_id="America/New_York")
        eye.page.goto(f"{service.url}/surveillance")
        found = eye.page.locator(".found li")
        expect(found).to_have_count(2)
        expect(found.first).to_contain_text("2027-03-01 18:45:00")
        eye.sees("All times are UTC+8")
        eye.page.get_by_label("From").fill("2027-03-01T18:30")
        eye.page.locator("form button.primary").click()
        expect(found).to_have_count(1)
        expect(found.first).to_contain_text("Round 2")
        found.first.get_by_role("button").click()
        expect(eye.page.locator(".round")).to_contain_text("2027-03-01 18:45:00 UTC+8")
        eye.close()
        player = Person(browser, service.url, "p1", timezone_id="America/New_York")
        player.go("/play/t1")
        player.button("Last rounds").click()
        player.button("Replay").first.click()
        expect(player.page.locator("dialog[open]")).to_contain_text(re.compile(r"18:45:00\s+UTC\+8"))
        player.close()
        dealer = Person(browser, service.url, "dora", timezone_id="America/New_York")
        dealer.go("/deal/t1")
        expect(dealer.page.locator(".called")).to_contain_text(re.compile(r"18:45:\d\d UTC\+8"))
        dealer.close()


# --- forms --------------------------------------------------------------------------------------------------


def choices(field: Locator) -> list[str]:
    field.wait_for()
    return [text.strip() for text in field.locator("option").all_inner_texts() if text.strip() != "—"]


def test_forms_name_their_fields_and_offer_what_the_floor_knows(tmp_path: Path, browser: Browser) -> None:
    def prepare(house: House) -> None:
        three_card(house)
        house.ok("dora", q.AddPlayer(player="new"))
        house.ok("p1", q.TakeSeat(table="t1", position=3, player="p1"))

    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "mara", "dora") as at:
        page = at["mara"].page
        at["mara"].go("/pit")
        page.locator(".tiles button", has_text="t1").click()
        sheet = page.locator("dialog[open]")
        at["mara"].button("Assign staff").click()
        expect(sheet.locator("h2")).to_have_text("Assign staff · t1")
        offered = choices(sheet.get_by_label("Person"))
        assert "ines · dealer inspector" in offered
        assert not [who for who in offered if who.startswith(("dora", "eye"))], (
            "there already, or never there"
        )
        cancel, submit = (
            sheet.get_by_role("button", name="Cancel").bounding_box(),
            sheet.get_by_role("button", name="Assign staff").bounding_box(),
        )
        assert cancel is not None
        assert submit is not None
        assert cancel["y"] - (submit["y"] + submit["height"]) >= 8
        sheet.get_by_label("Person").select_option("ines")
        sheet.get_by_role("button", name="Assign staff").click()
        expect(sheet).to_have_count(0)
        assert set(service.served.floor.table("t1").staff) == {"dora", "ines"}
        at["mara"].button("Cash out").click()
        assert choices(sheet.get_by_label("Player")) == ["p1", "p2"]
        sheet.get_by_role("button", name="Cancel").click()
        at["mara"].button("Who deals").click()
        assert choices(sheet.get_by_label("Dealt by")) == ["a dealer", "the house’s clock"]
        assert not re.search(r"\w_\w", sheet.inner_text()), "no name of the API is left"
        sheet.get_by_role("button", name="Cancel").click()
        dealer = at["dora"].page
        at["dora"].go("/deal/t1")
        at["dora"].button("Seat a player").click()
        seat = dealer.locator("dialog[open]")
        expect(seat.locator("h2")).to_have_text("Seat a player · t1")
        assert "3" not in choices(seat.get_by_label("Position"))
        seat.get_by_label("Position").select_option("5")
        seat.get_by_label("Player").select_option("new")
        seat.get_by_role("button", name="Seat a player").click()
        expect(seat).to_have_count(0)
        assert service.served.floor.table("t1").seats[5] == "new"


# --- rulings ------------------------------------------------------------------------------------------------


def test_whoever_rules_sees_what_each_ruling_costs_and_asking_does_nothing(
    tmp_path: Path, browser: Browser
) -> None:
    def prepare(house: House) -> None:
        three_card(house)
        house.steps(*BEGUN, "p1@1: handle", "dealer: report uncovered the cat sat on it")

    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "gina") as at:
        before = dict(service.house.store.heads())
        page = at["gina"].page
        at["gina"].go("/pit")
        page.locator(".queue button", has_text="Look").click()
        matter = page.locator(".matter")
        expect(matter).to_contain_text("anything the book does not speak of")
        expect(matter).to_contain_text("the cat sat on it")
        void = matter.locator("li[data-ruling=void]")
        expect(void).to_contain_text("p1 gets 25.00 back")
        expect(void).to_contain_text("p2 gets 50.00 back")
        expect(matter.locator("li[data-ruling=continue]")).to_contain_text("no chips move now")
        one = matter.locator("li[data-ruling=invalidate]")
        assert choices(one.get_by_label("About")) == ["position 1 · p1", "position 2 · p2"]
        expect(one).to_contain_text("p1 gets 25.00 back")
        one.get_by_label("About").select_option("2")
        expect(one).to_contain_text("p2 gets 50.00 back")
        expect(one).not_to_contain_text("p1 gets")
        assert dict(service.house.store.heads()) == before
        rack = service.served.floor.table("t1").state.racks["p2"]
        one.get_by_role("button").click()
        assert dict(service.house.store.heads()) == before, "it is asked twice"
        one.get_by_label("Second signature").fill("saul")
        one.locator("input[type=password]").fill(PASSWORD)
        one.get_by_role("button", name="Rule: the hand at a position is out: position 2").click()
        expect(page.locator(".one [role=status]")).to_contain_text("Waiting for position 1")
        assert service.served.floor.table("t1").state.racks["p2"] - rack == 5000


# --- the report of the day ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_the_report_of_the_day_can_be_read(tmp_path: Path, browser: Browser, width: str) -> None:
    across, down = WIDTHS[width]
    with served(tmp_path / "floor", played) as service:
        pit = Person(browser, service.url, "mara", viewport={"width": across, "height": down})
        pit.go("/pit")
        pit.button("Report of the day").click()
        sheet = pit.page.locator("dialog[open]")
        table = sheet.locator("table[data-part=tables]")
        expect(table).to_contain_text("Megalink Three Card Poker Xtreme")
        heads = table.locator("thead th").all_inner_texts()
        assert "Opening float" in heads
        assert not [head for head in heads if "_" in head or head.islower()]
        expect(table.locator("td[data-col=drop]")).to_have_text("10,000.00")
        drop = table.locator("thead th").nth(heads.index("Drop"))
        for cell in (drop, table.locator("td[data-col=drop]")):
            assert cell.evaluate("cell => getComputedStyle(cell).textAlign") == "right"
        box = sheet.bounding_box()
        assert box is not None
        assert box["width"] <= across
        assert box["width"] >= min(across * 0.9, 1200)
        first = table.locator("tbody th").first
        table.locator("td").last.scroll_into_view_if_needed()
        place = first.bounding_box()
        assert place is not None
        assert -1 <= place["x"] - box["x"] < 60, "the table's name stays where it is"
        pit.close()


# --- what wants a person ------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", ["phone", "desk"])
def test_what_wants_a_person_comes_first(tmp_path: Path, browser: Browser, width: str) -> None:
    def prepare(house: House) -> None:
        for n in range(1, 7):
            house.table("mbs-3cp-2023", f"t{n}", players=("p1",))
        house.steps("dealer: open bets", "p1@1: wager ante 25", table="t6")
        house.ok("dora", q.CallSupervisor(table="t5"))
        house.clock.at = Micros(house.clock.at + 200 * SECOND)

    with served(tmp_path / "floor", prepare) as service:
        across, down = WIDTHS[width]
        pit = Person(browser, service.url, "mara", viewport={"width": across, "height": down})
        pit.go("/pit")
        queue, tiles = pit.page.locator(".queue").first, pit.page.locator(".tiles")
        expect(queue.locator("li", has_text="t5 calls")).to_be_visible()
        idle = queue.locator("li", has_text="t6: the dealer has done nothing")
        expect(idle).to_be_visible()
        first, then = queue.bounding_box(), tiles.bounding_box()
        assert first is not None
        assert then is not None
        assert first["y"] + first["height"] <= then["y"]
        idle.get_by_role("button", name="Look").click()
        expect(pit.page.locator("#one")).to_contain_text("t6")
        pit.close()


# --- mathematics --------------------------------------------------------------------------------------------


def test_the_jackpots_curve_has_axes_and_a_changed_award_moves_its_return(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "p1") as at:
        page = at["p1"].page
        page.goto(f"{service.url}/mathematics?book=mbs-3cp-2023")
        expect(page.get_by_label("Rulebook")).to_have_value("mbs-3cp-2023")
        row = page.locator("tbody tr", has_text="Progressive Jackpot")
        expect(row).to_be_visible(timeout=90_000)
        curve = page.locator("figure svg")
        for words in ("100 %", "Meter", "Return", "Break-even"):
            expect(curve.locator("text", has_text=words).first).to_be_visible()
        assert curve.locator("text.across").count() >= 4
        even = page.get_by_text("returns its stake from a meter of").inner_text()
        amount = re.findall(r"[\d,]{5,}", even)[0]
        expect(curve.locator("text.breaks-name")).to_contain_text(amount)
        line, dot = curve.locator("line.whole").bounding_box(), curve.locator("circle").bounding_box()
        assert line is not None
        assert dot is not None
        assert abs(line["y"] - (dot["y"] + dot["height"] / 2)) < 3, "it breaks even on the line of 100 %"
        expect(row.locator("td").nth(1)).to_be_empty()
        awards = page.locator("details", has_text="Progressive Jackpot")
        awards.get_by_label("full house").fill("90 for 1")
        at["p1"].button("Price it").click()
        expect(row.locator("td").nth(1)).to_contain_text("+", timeout=90_000)


def test_the_grid_says_what_its_colours_mean(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "p1") as at:
        page = at["p1"].page
        page.goto(f"{service.url}/mathematics?book=hoiana-thb-2025")
        expect(page.locator(".grid")).to_be_visible(timeout=90_000)
        expect(page.locator(".legend")).to_contain_text("folds")
        swatch = page.locator(".legend .swatch").last
        fold = page.locator(".grid [role=cell]:not(.plays)").first
        colour = "element => getComputedStyle(element).backgroundColor"
        assert swatch.evaluate(colour) == fold.evaluate(colour)


# --- words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-CN", ("方法 A", "等待裁定", "Pair Plus")),
        ("vi-VN", ("phương pháp A", "Chờ phán quyết", "Pair Plus")),
    ],
)
def test_the_lobby_leaves_no_word_of_the_engine(
    tmp_path: Path, browser: Browser, language: str, words: tuple[str, ...]
) -> None:
    def prepare(house: House) -> None:
        house.link("jackpot")
        house.table("mbs-3cp-2023", players=("p1", "p2"), link="jackpot")
        house.steps(*BEGUN, "dealer: report uncovered a-card-fell")

    with served(tmp_path / "floor", prepare) as service:
        person = Person(browser, service.url, locale=language)
        person.page.goto(service.url)
        table = person.page.locator(".tables li")
        for word in words:
            expect(table).to_contain_text(word)
        said = table.inner_text()
        assert re.search(r"300,000\.\d\d SGD", said)
        assert not re.search(r"pair.plus|method.a|ruling|jackpot", said), said
        person.close()


def test_a_sign_of_a_jackpot_that_is_not_there_says_so(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service:
        sign = Person(browser, service.url)
        sign.page.goto(f"{service.url}/sign/nosuch")
        sign.sees("There is no jackpot called “nosuch”.")
        sign.page.get_by_role("link", name="mega").click()
        expect(sign.page.locator("p.value")).to_contain_text("300,000.00")
        sign.close()


def test_a_pricing_that_stops_is_said_to_have_failed(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "p1") as at:
        page = at["p1"].page
        page.goto(f"{service.url}/mathematics")
        pool = None
        while pool is None or not pool._processes:
            page.wait_for_timeout(50)
            pool = service.served.pricing._pool
        for process in list(pool._processes.values()):
            process.kill()
        expect(page.locator("[role=alert]")).to_contain_text("The pricing failed")
