"""What somebody at a table needs is in sight, and nothing is offered that would be refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.floor import requests as q
from support.browser import Person, chromium, people, wait_until
from support.floor import House
from support.service import Served, served

pytestmark = pytest.mark.whole

BOOKS = ("mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2")
WINDOWS = {"phone": (360, 740), "low": (1280, 720), "wide": (1440, 900)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def tables(*books: str, **more: Any) -> Any:
    """A table for each book, t1 on; p1 at position 1 and p2 at position 2 of all of them."""

    def prepare(house: House) -> None:
        house.link()
        for n, book in enumerate(books, 1):
            link = {"link": "mega"} if book.startswith("mbs") else {}
            house.table(book, f"t{n}", players=("p1", "p2"), **link, **more)
            house.ok("p1", q.TakeSeat(table=f"t{n}", position=1, player="p1"))
            house.ok("p2", q.TakeSeat(table=f"t{n}", position=2, player="p2"))

    return prepare


def out_of_sight(page: Page, found: Locator) -> list[str]:
    """What of this does not lie wholly within the window, or is covered by something else."""
    expect(found.first).to_be_visible()
    hidden = """element => {
        const box = element.getBoundingClientRect();
        const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
        const at = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        const seen = inside && at && (element.contains(at) || at.contains(element));
        return seen ? '' : `${element.innerText} ${JSON.stringify(box)} of ${innerWidth}x${innerHeight}`;
    }"""
    return [said for said in (one.evaluate(hidden) for one in found.all()) if said]


@pytest.mark.parametrize("window", WINDOWS)
def test_bets_cards_and_decisions_are_in_sight_without_scrolling(
    tmp_path: Path, browser: Browser, window: str
) -> None:
    width, height = WINDOWS[window]
    with served(tmp_path / "floor", tables(*BOOKS)) as service:
        person = Person(browser, service.url, "p1", viewport={"width": width, "height": height})
        page = person.page
        for n, book in enumerate(BOOKS, 1):
            table = f"t{n}"
            service.house.steps("dealer: open bets", "p2@2: wager ante 25", table=table)
            person.go(f"/play/{table}")
            page.locator("button.spot", has_text="Ante").first.click()
            place = person.button("Place bets")
            for needed in (page.locator("button.spot"), page.locator(".chip"), place):
                assert out_of_sight(page, needed) == [], (book, "betting")
            place.click()
            wait_until(lambda: 1 in service.served.floor.table(table).state.boxes)  # noqa: B023
            service.house.steps("dealer: close bets", "dealer: deal", table=table)
            person.button("Look at your cards").wait_for()
            assert out_of_sight(page, page.locator(".decisions button")) == [], (book, "blind")
            person.button("Look at your cards").click()
            expect(page.locator(".hand .face")).to_have_count(
                len(service.served.floor.table(table).state.known["1"])
            )
            page.locator(".decisions button:enabled", has_text="Fold").wait_for()
            assert out_of_sight(page, page.locator(".decisions button")) == [], (book, "deciding")
            assert out_of_sight(page, page.locator(".hand .face")) == [], (book, "own cards")
            assert page.evaluate("scrollY") == 0
            assert page.locator(".own .card").count() == 0, "own cards are drawn once"
        person.close()


def test_a_suspended_round_offers_nothing_that_is_refused(tmp_path: Path, browser: Browser) -> None:
    with (
        served(tmp_path / "floor", tables("mbs-3cp-2023", cards="physical")) as service,
        people(browser, service.url, "p1", "dora") as at,
    ):
        house, player, dealer = service.house, at["p1"].page, at["dora"].page
        house.steps("dealer: open bets")
        at["p1"].go("/play/t1")
        at["dora"].go("/deal/t1")
        expect(player.locator(".bets")).to_be_visible()
        dealer.locator(".now select").select_option("1")
        expect(dealer.locator(".bets")).to_be_visible()
        house.steps("dealer: report uncovered chips-mixed-up")
        expect(player.locator(".waiting")).to_contain_text("Suspended")
        expect(dealer.locator(".waiting")).to_contain_text("Suspended")
        for page in (player, dealer):
            expect(page.locator(".bets")).to_have_count(0)
        house.steps("shift-manager: rule continue")
        expect(player.locator(".bets")).to_be_visible()
        house.steps("p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets", "dealer: deal")
        expect(dealer.locator(".entry")).to_be_visible()
        expect(dealer.locator(".waits")).to_be_visible()
        house.steps("dealer: report uncovered chips-mixed-up")
        expect(dealer.locator(".waiting")).to_contain_text("Suspended")
        expect(dealer.locator(".entry")).to_have_count(0)
        expect(dealer.locator(".waits")).to_have_count(0)
        expect(player.locator(".decisions")).to_have_count(0)
        house.steps("shift-manager: rule continue")
        expect(dealer.locator(".entry")).to_be_visible()
        house.steps("dealer: report power-failure")
        expect(dealer.locator(".waiting")).to_contain_text("stay in or withdraw")
        expect(dealer.locator(".entry")).to_have_count(0)
        choices = dealer.locator(".waits button")
        expect(choices.filter(has_text="Stay in")).to_have_count(2)
        expect(choices.filter(has_text="Fold")).to_have_count(0)


def test_a_jackpot_that_takes_no_wagers_is_not_offered(tmp_path: Path, browser: Browser) -> None:
    """Out of order, back in order, and suspended at the table by an order."""
    with (
        served(tmp_path / "floor", tables("mbs-stud-6")) as service,
        people(browser, service.url, "p1") as at,
    ):
        house, page = service.house, at["p1"].page
        house.steps("dealer: open bets")
        at["p1"].go("/play/t1")
        spot, meter = page.locator("button.spot", has_text="Progressive Jackpot"), page.locator(".jackpot")
        expect(spot).to_have_count(1)
        expect(spot).to_contain_text("5 only")
        page.locator("button.spot", has_text="Ante").first.click()
        spot.click()
        expect(at["p1"].button("Place bets: 30.00")).to_be_enabled()
        expect(meter).to_contain_text("300,000.00")
        house.ok("mara", q.FailLink(link="mega", reason="meter"))
        expect(page.locator(".bets")).to_have_count(0)  # MBS 6.1: the House says first how it goes on
        expect(meter).to_contain_text("Jackpot not available")
        expect(meter).not_to_contain_text("300,000")
        house.steps("shift-manager: rule continue")
        expect(page.locator("button.spot")).to_have_count(1)
        page.locator("button.spot", has_text="Ante").click()
        at["p1"].button("Place bets: 25.00").click()
        wait_until(lambda: set(box_of(service).stakes) == {"ante"})
        house.ok("mara", q.RestoreLink(link="mega"))
        expect(spot).to_have_count(1)
        expect(meter).to_contain_text("300,000.00")
        house.steps("shift-manager: rule suspend-jackpot")
        expect(spot).to_have_count(0)
        expect(meter).to_contain_text("Jackpot not available")


def box_of(service: Served, position: int = 1) -> Any:
    """The box of a position, or an empty one."""
    boxes = service.served.floor.table("t1").state.boxes
    return boxes[position] if position in boxes else type("Empty", (), {"stakes": {}})


def test_a_card_that_is_not_due_calls_nobody(tmp_path: Path, browser: Browser) -> None:
    """A spade that is typed or scanned ends in S, which alone calls the pit."""
    with (
        served(tmp_path / "floor", tables("mbs-stud-6", cards="physical")) as service,
        people(browser, service.url, "dora") as at,
    ):
        page = at["dora"].page

        def call() -> object:
            return service.served.floor.table("t1").call

        at["dora"].go("/deal/t1")
        page.locator("button.step").wait_for()
        page.keyboard.type("as")
        at["dora"].sees("No card is due: the ace of spades was not entered.")
        page.keyboard.type("10s")
        at["dora"].sees("No card is due: the 10 of spades was not entered.")
        page.wait_for_timeout(300)
        assert call() is None
        page.keyboard.type("a")
        at["dora"].sees("Typed: a")
        expect(page.get_by_text("Typed: a")).to_have_count(0)  # it lapses
        page.keyboard.type("s")
        wait_until(lambda: call() is not None)
        at["dora"].sees("The pit is called")


def test_the_dealer_sees_what_he_entered(tmp_path: Path, browser: Browser) -> None:
    with (
        served(tmp_path / "floor", tables("mbs-stud-6", cards="physical")) as service,
        people(browser, service.url, "dora") as at,
    ):
        page, house = at["dora"].page, service.house
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        at["dora"].go("/deal/t1")
        page.get_by_role("button", name="position 1 (5)").click()
        echo = page.locator(".echo")
        expect(echo).to_have_count(0)
        page.keyboard.type("as")
        expect(echo).to_have_text("Entered for position 1: A♠")
        page.keyboard.type("10d")
        expect(echo).to_have_text("Entered for position 1: 10♦")
        page.keyboard.press("z")
        page.get_by_role("button", name="position 1", exact=True).click()
        expect(page.get_by_role("button", name="Card 1: A♠")).to_be_visible()
        page.get_by_role("button", name="Card 2: 10♦").click()
        page.get_by_label("The card that lies there").fill("9d")
        page.get_by_label("The card that lies there").press("Enter")
        expect(echo).to_have_text("Entered for position 1: 9♦")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_keys_of_the_card_grid_hold_their_cards(tmp_path: Path, browser: Browser, width: int) -> None:
    with served(tmp_path / "floor", tables("mbs-stud-6", cards="physical")) as service:
        service.house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        person = Person(browser, service.url, "dora", viewport={"width": width, "height": 740})
        person.go("/deal/t1")
        person.page.locator(".entry").wait_for()
        keys = person.page.locator(".grid button")
        expect(keys).to_have_count(52)
        found = keys.evaluate_all(
            "keys => keys.map(k => [k.offsetHeight, k.offsetWidth, k.scrollWidth - k.clientWidth])"
        )
        assert min(height for height, _, _ in found) >= 32
        assert min(wide for _, wide, _ in found) >= (36 if width == 360 else 22)
        assert max(over for _, _, over in found) <= 0
        person.close()


def test_the_six_card_bonus_names_the_hand_it_is_paid_on(tmp_path: Path, browser: Browser) -> None:
    """On the player's settlement and on the dealer's payout, with the dealer's hand and that it qualifies."""
    with (
        served(tmp_path / "floor", tables("mbs-3cp-2023")) as service,
        people(browser, service.url, "p1", "dora") as at,
    ):
        house = service.house
        house.stack("7h 8h Kc 2c 4d 8s 5h 6h Kd Qs Jc")
        house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager six-card-bonus 5")
        house.steps("p2@2: wager ante 25", "p2@2: wager six-card-bonus 5", "dealer: close bets")
        house.steps("dealer: deal", "p1@1: view", "p1@1: bet play", "p2@2: fold", "dealer: reveal dealer")
        house.step("dealer: reveal community")
        house.steps("dealer: settle")
        at["p1"].go("/play/t1")
        at["dora"].go("/deal/t1")
        six, three = "one pair, kings, eight-seven-six high", "odd cards, king-eight-seven high"
        sheet = at["p1"].page.locator(".settled")
        expect(sheet.locator(".wagered", has_text="Six Card Bonus")).to_contain_text(six)
        expect(sheet.locator(".by")).to_have_count(1)  # the others are judged by the hand that heads them
        expect(sheet.locator("p").first).to_have_text(three)
        expect(sheet).to_contain_text("Dealer: odd cards, king-six-five high · qualifies")
        payout = at["dora"].page.locator("section[aria-labelledby=payout]")
        expect(payout).to_contain_text("Dealer: odd cards, king-six-five high · qualifies")
        seats = payout.locator("ol > li")
        expect(seats.nth(0).locator("h3")).to_contain_text(three)
        expect(seats.nth(0).locator("li", has_text="Six Card Bonus")).to_contain_text(six)
        expect(seats.nth(1).locator("h3")).to_have_text("Position 2 · p2")
        expect(seats.nth(1).locator("li", has_text="Six Card Bonus")).to_contain_text(
            "odd cards, king-eight-six-five-four high"
        )


def test_the_procedure_begins_at_its_first_line_where_there_is_room(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", tables("mbs-thb-9")) as service:
        service.house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        for height, scrolls in ((1200, False), (800, False), (300, True)):
            person = Person(browser, service.url, "dora", viewport={"width": 1280, "height": height})
            person.go("/deal/t1")
            steps = person.page.locator("ol[aria-labelledby=procedure]")
            steps.wait_for()
            person.page.wait_for_timeout(300)
            top, clear, shown = steps.evaluate("""list => {
                const box = list.getBoundingClientRect();
                const lines = [...list.children].map(line => line.getBoundingClientRect());
                const next = list.querySelector('.next').getBoundingClientRect();
                return [list.scrollTop, lines.every(l => l.bottom <= box.top + 1 || l.top >= box.top - 1),
                        next.top >= box.top - 1 && next.bottom <= box.bottom + 1];
            }""")
            assert (top > 0) == scrolls
            assert clear, "no line is cut in half at the top"
            assert shown, "the next step is in view"
            person.close()


def test_a_player_at_the_dealers_screen_is_told_whose_it_is(tmp_path: Path, browser: Browser) -> None:
    with (
        served(tmp_path / "floor", tables("mbs-stud-6")) as service,
        people(browser, service.url, "p1") as at,
    ):
        at["p1"].page.goto(f"{service.url}/deal/t1")
        at["p1"].sees("This screen is for staff; p1 is signed in as a player.")
