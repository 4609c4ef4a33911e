"""What somebody at a table needs is in sight, and nothing is offered that would be refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.floor import requests as q
from support.browser import Person, people, wait_until
from support.floor import House
from support.service import Served, served

pytestmark = pytest.mark.whole

BOOKS = ("mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2")
WINDOWS = {"phone": (360, 740), "low": (1280, 720), "desk": (1280, 800), "wide": (1440, 900)}


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


def covered(page: Page) -> list[str]:
    """Names of areas that something lies on, and areas that stick out of their place or of the dock."""
    found: list[str] = page.evaluate("""() => {
        const boxes = [...document.querySelectorAll('.undo, .chip')].map(e => e.getBoundingClientRect());
        const dock = document.querySelector('.dock');
        const wrong = dock.scrollWidth > dock.clientWidth ? ['the dock scrolls sideways'] : [];
        for (const spot of document.querySelectorAll('button.spot')) {
            const place = spot.parentElement.getBoundingClientRect();
            if (spot.getBoundingClientRect().right > place.right + 1) wrong.push(`${spot.innerText} sticks out`);
            for (const part of spot.children) {
                const range = document.createRange();
                range.selectNodeContents(part);
                for (const line of range.getClientRects())
                    for (const box of boxes)
                        if (line.left < box.right - 1 && box.left < line.right - 1
                            && line.top < box.bottom - 2 && box.top < line.bottom - 2)
                            wrong.push(`${part.innerText} is covered`);
            }
        }
        return wrong;
    }""")
    return found


def in_every_window(page: Page) -> Iterator[str]:
    """The page in one window after the other, the smallest last."""
    for window, (width, height) in sorted(WINDOWS.items(), key=lambda entry: -entry[1][0]):
        page.set_viewport_size({"width": width, "height": height})
        yield window


def test_bets_cards_and_decisions_are_in_sight_without_scrolling(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", tables(*BOOKS)) as service:
        person = Person(browser, service.url, "p1")
        page = person.page
        for n, book in enumerate(BOOKS, 1):
            table = f"t{n}"
            service.house.steps("dealer: open bets", "p2@2: wager ante 25", table=table)
            person.go(f"/play/{table}")
            page.locator("button.spot").first.wait_for()
            for spot in page.locator("button.spot").all():
                spot.click()
            place = person.button("Place bets")
            for window in in_every_window(page):
                for name in ("button.spot", ".chip", ".undo"):
                    assert out_of_sight(page, page.locator(name)) == [], (book, window, "betting")
                assert out_of_sight(page, place) == [], (book, window, "betting")
                assert covered(page) == [], (book, window, "chips on every area")
            place.click()
            wait_until(lambda: 1 in service.served.floor.table(table).state.boxes)  # noqa: B023
            service.house.steps("dealer: close bets", "dealer: deal", table=table)
            person.button("Look at your cards").wait_for()
            for window in in_every_window(page):
                assert out_of_sight(page, page.locator(".decisions button")) == [], (book, window, "blind")
            person.button("Look at your cards").click()
            expect(page.locator(".hand .face")).to_have_count(
                len(service.served.floor.table(table).state.known["1"])
            )
            page.locator(".decisions button:enabled", has_text="Fold").wait_for()
            for window in in_every_window(page):
                assert out_of_sight(page, page.locator(".decisions button")) == [], (book, window, "deciding")
                assert out_of_sight(page, page.locator(".hand .face")) == [], (book, window, "own cards")
                assert page.evaluate("scrollY") == 0
            assert page.locator(".own .card").count() == 0, "own cards are drawn once"
        person.close()


def full_table(book: str, **more: Any) -> Any:
    """A table, t1, with somebody at every position."""

    def prepare(house: House) -> None:
        house.link()
        link = {"link": "mega"} if book.startswith("mbs") else {}
        names = [f"p{n}" for n in range(1, 7)]
        house.table(book, players=names, **link, **more)
        for n, name in enumerate(names, 1):
            house.ok(name, q.TakeSeat(table="t1", position=n, player=name))

    return prepare


def rows_of(page: Page) -> list[list[str]]:
    """The positions as they stand on the felt, row by row."""
    page.locator(".seats li").first.wait_for()
    found: list[list[Any]] = page.locator(".seats li").evaluate_all(
        "all => all.map(e => [Math.round(e.getBoundingClientRect().top), e.querySelector('.number').innerText])"
    )
    rows: dict[int, list[str]] = {}
    for top, number in found:
        rows.setdefault(top, []).append(number)
    return list(rows.values())


SETTLED = {
    "mbs-3cp-2023": ("play", ("reveal dealer", "reveal community", "settle")),
    "mbs-stud-6": ("bet", ("reveal dealer", "settle")),
}


@pytest.mark.parametrize("window", [(1280, 800), (3840, 2160)])
@pytest.mark.parametrize("book", SETTLED)
def test_positions_keep_their_places_and_what_was_won_is_in_sight(
    tmp_path: Path, browser: Browser, book: str, window: tuple[int, int]
) -> None:
    """All in one row, or in rows of like length where the cards would be too small; nothing lies under the dock."""
    viewport = {"width": window[0], "height": window[1]}
    bet, rest = SETTLED[book]
    with served(tmp_path / "floor", full_table(book)) as service:
        house = service.house
        house.steps("dealer: open bets", *(f"p{n}@{n}: wager ante 25" for n in range(1, 7)))
        house.steps("dealer: close bets", "dealer: deal")
        player = Person(browser, service.url, "p1", viewport=viewport)
        player.go("/play/t1")
        assert rows_of(player.page) == [["6", "5", "4", "3", "2", "1"]]
        for n in range(1, 7):
            house.steps(f"p{n}@{n}: view", f"p{n}@{n}: bet {bet}")
        house.steps(*(f"dealer: {step}" for step in rest))
        expect(player.page.locator(".settled")).to_have_count(1)
        for name, path in (("p1", "/play/t1"), ("dora", "/deal/t1"), ("mara", "/pit")):
            person = player if name == "p1" else Person(browser, service.url, name, viewport=viewport)
            if person is not player:
                person.go(path)
            if name == "mara":
                person.page.locator(".tiles button").first.click()
            rows = rows_of(person.page)
            assert {len(row) for row in rows} in ({6}, {3}, {2}), (name, rows)
            cards = person.page.locator(".seats .card")
            assert min(cards.evaluate_all("all => all.map(e => e.offsetWidth)")) >= 28, name
            over = "all => Math.max(...all.map(e => e.scrollWidth - e.clientWidth))"
            assert person.page.locator(".seats li").evaluate_all(over) <= 0, name
        for needed in (".seats li .state b", ".settled .net", ".dock .came b"):
            assert out_of_sight(player.page, player.page.locator(needed)) == []
        player.close()


def test_a_player_of_three_positions_decides_one_after_the_other(tmp_path: Path, browser: Browser) -> None:
    """On a phone: the choices of one position at a time, the table and what is waited for still in sight."""

    def prepare(house: House) -> None:
        house.table("mbs-3cp-2023", players=("p1", "p2"))
        for n in (1, 2, 3):
            house.ok("p1", q.TakeSeat(table="t1", position=n, player="p1"))

    with served(tmp_path / "floor", prepare) as service:
        house = service.house
        house.steps("dealer: open bets", *(f"p1@{n}: wager ante 25" for n in (1, 2, 3)))
        house.steps("dealer: close bets", "dealer: deal")
        person = Person(browser, service.url, "p1", viewport={"width": 360, "height": 740})
        page = person.page
        person.go("/play/t1")
        choices = page.locator(".decisions button")
        expect(choices).to_have_count(3)
        for needed in (".decisions button", ".hand .card", ".hold button", ".waiting", ".boards .card"):
            assert out_of_sight(page, page.locator(needed)) == []
        assert page.locator(".dock").evaluate("e => e.offsetHeight / innerHeight") <= 0.6
        person.button("Look at your cards").click()
        expect(choices).to_have_count(2)

        def at(position: int) -> Any:
            return service.served.floor.table("t1").state.boxes[position].choices

        assert not any(at(n) for n in (1, 2, 3))
        page.locator(".hold button", has_text="Position 3").click()
        page.locator(".decisions button:enabled", has_text="Fold").click()
        wait_until(lambda: dict(at(3)) == {"play": "fold"})
        expect(page.locator(".hold [aria-pressed=true]")).to_contain_text("Position 1")
        page.locator(".decisions button:enabled", has_text="Bet").click()
        wait_until(lambda: dict(at(1)) == {"play": "bet"})
        expect(page.locator(".hold [aria-pressed=true]")).to_contain_text("Position 2")
        assert not at(2)
        person.close()


def test_the_dealer_decides_for_players_by_keys(tmp_path: Path, browser: Browser) -> None:
    """With cards on the table: decisions lie above the cards to click on, each with its key; a key that is pressed
    twice decides once, and a hand that was given up is not asked for."""
    with served(tmp_path / "floor", full_table("mbs-3cp-2023", cards="physical")) as service:
        house = service.house
        house.steps("dealer: open bets", *(f"p{n}@{n}: wager ante 25" for n in range(1, 5)))
        house.steps("p1@1: wager six-card-bonus 5", "dealer: close bets")
        person = Person(browser, service.url, "dora", viewport={"width": 1280, "height": 800})
        page = person.page
        person.go("/deal/t1")
        expect(page.locator(".now")).to_contain_text("Space: next step")
        page.keyboard.press("Space")
        expect(page.locator(".now")).not_to_contain_text("Space: next step")
        for needed in (".waits .current button", ".waits button"):
            assert out_of_sight(page, page.locator(needed)) == []

        def at(position: int) -> Any:
            return dict(service.served.floor.table("t1").state.boxes[position].choices)

        def press(keys: str, position: int) -> None:
            expect(page.locator(".waits .current")).to_contain_text(f"Position {position}")
            expect(page.locator(".waits .current .primary")).to_be_enabled()
            page.wait_for_timeout(400)  # a position is shown before a key decides for it
            page.keyboard.type(keys)

        press("nn", 1)
        wait_until(lambda: at(1) == {"play": "fold"})
        expect(page.locator(".entry h3")).to_contain_text("position 1")  # it has a Six Card Bonus
        press("n", 2)
        wait_until(lambda: at(2) == {"play": "fold"})
        expect(page.locator(".places button", has_text="position 2")).to_have_count(0)
        assert at(3) == {}
        page.locator(".waits .who", has_text="Position 4").click()
        press("x", 4)
        wait_until(lambda: service.served.floor.table("t1").state.boxes[4].fate != "in-play")
        press("v", 3)
        expect(page.locator(".waits .current button")).to_have_count(4)
        press("b", 3)
        wait_until(lambda: at(3) == {"play": "bet"})
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


def test_every_figure_of_money_says_why(tmp_path: Path, browser: Browser) -> None:
    """On the settlement, on the felt and on the payout: stake and pay, the hand in words, the clauses."""
    with (
        served(tmp_path / "floor", tables("mbs-3cp-2023")) as service,
        people(browser, service.url, "p1", "dora") as at,
    ):
        house = service.house
        house.stack("7h 8h 9h 2c 4d 8s 5h 6h Kd Qs Jc")
        house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager pair-plus 5")
        house.steps("p2@2: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: view")
        house.steps("p1@1: bet play", "p2@2: fold", "dealer: reveal dealer", "dealer: settle")
        at["p1"].go("/play/t1")
        at["dora"].go("/deal/t1")
        player, dealer = at["p1"].page, at["dora"].page
        line = player.locator(".settled .wagered", has_text="Pair Plus")
        expect(line).to_contain_text("5.00 × 40 to 1")
        sheet = player.locator("dialog[open]")
        for asked in (
            line.locator(".why"),
            player.get_by_role("button", name=re.compile(r"\+200\W+Pair Plus")),
        ):
            asked.click()
            expect(sheet).to_contain_text("5.00 × 40 to 1 = +200.00")
            expect(sheet).to_contain_text("straight flush, nine high")
            expect(sheet.locator("dt")).to_have_text(["3.12.5", "4.3"])
            expect(sheet.locator("dd").first).to_contain_text("Pair Plus")
            player.keyboard.press("Escape")
        player.get_by_role("button", name=re.compile(r"\+375\W+Position 1")).click()
        expect(sheet.locator("tr")).to_contain_text(["+25.00", "+25.00", "+125.00", "+200.00", "+375.00"])
        expect(dealer.locator("section[aria-labelledby=payout]")).to_contain_text("5.00 × 40 to 1")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en-GB", ("Dealt here: method A", "If you are away for the play decision", "1 times the Ante")),
        ("zh-CN", ("本桌发牌方式：方法 A", "多下单位不增加份额", "皇家同花顺, 同花顺：无论下注多少单位")),
        ("vi-VN", ("Cách chia tại bàn này: phương pháp A", "Tay bài của bạn trở nên vô hiệu.", "sảnh rồng")),
    ],
)
def test_the_rules_are_said_in_plain_words(
    tmp_path: Path, browser: Browser, language: str, words: tuple[str, ...]
) -> None:
    """What a player should know in his language, the method of this table; questions before their names."""
    with served(tmp_path / "floor", tables("mbs-3cp-2023")) as service:
        person = Person(browser, service.url, "p1", locale=language)
        person.page.goto(f"{service.url}/play/t1")
        links = person.page.locator(".links button")
        expect(links).to_have_count(3)  # the rules, once they are there, the last rounds, the way out
        links.first.click()
        sheet = person.page.locator("dialog[open]")
        for found in words:
            expect(sheet).to_contain_text(found)
        first = sheet.locator("article").first
        expect(first.locator("h4")).to_contain_text("Which dealer hands are compared")
        expect(first.locator("small")).to_have_text("R-QUALIFY-3CP (b)")
        for engine in ("prize not in proportion", "1 x ante", "R-QUALIFY-3CP = b"):
            expect(sheet).not_to_contain_text(engine)
        person.close()


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
