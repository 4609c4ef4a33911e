"""The screens in a real browser, as people use them: whole rounds, cards by keyboard, lost connections."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pitboss.floor import requests as q
from pitboss.floor.gaming_table import OpenTable
from support.browser import PATIENCE, Person, client_words, decide, people, wait_until
from support.floor import HOIANA_KIT, House
from support.service import Served, served

pytestmark = pytest.mark.whole

BOOKS = ("mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2")


def table_of(book: str, **more: Any) -> Any:
    def prepare(house: House) -> None:
        house.link()
        link = {"link": "mega"} if book.startswith("mbs") else {}
        house.table(book, players=("p1", "p2"), **link, **more)
        house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))

    return prepare


def bet(person: Person) -> None:
    """Puts the least on the Ante, and places it."""
    person.page.locator("button.spot", has_text="Ante").first.click()
    person.button("Place bets").click()
    expect(person.page.locator(".spot.lies").first).to_be_visible()


def play(at: dict[str, Person], wishes: dict[str, str], *, most: int = 250) -> None:
    """From open bets to the settlement, the dealer by the keyboard, players by what they are offered."""
    dealer = at["dora"]
    for _ in range(most):
        dealer.page.wait_for_timeout(120)
        if dealer.page.locator("#payout").count():
            return
        if any(decide(at[name], wanted) for name, wanted in wishes.items()):
            continue
        step = dealer.page.locator("button.step:enabled")
        if step.count() and "Place your bets" not in step.inner_text(timeout=PATIENCE):
            dealer.page.keyboard.press("Space")
            expect(dealer.page.locator("button.step:disabled")).to_have_count(0)
    raise AssertionError("the round did not come to its end")


@pytest.mark.parametrize("book", BOOKS)
def test_a_whole_round_in_the_browser(tmp_path: Path, browser: Browser, book: str) -> None:
    with (
        served(tmp_path / "floor", table_of(book)) as service,
        people(browser, service.url, "dora", "p1", "p2", "mara") as at,
    ):
        at["dora"].go("/deal/t1")
        at["mara"].go("/pit")
        at["mara"].page.locator(".tiles button", has_text="t1").click()
        for name in ("p1", "p2"):
            at[name].go("/play/t1")
        at["p2"].button("Sit here: Position 2").click()
        at["dora"].page.locator("button.step").wait_for()
        at["dora"].page.keyboard.press("Space")
        for name in ("p1", "p2"):
            at[name].sees("Place your bets, please")
            bet(at[name])
        expect(at["mara"].page.locator(".one [role=status]")).to_contain_text("Place your bets")
        at["dora"].page.keyboard.press("s")
        at["mara"].page.locator(".queue").get_by_role("button", name="I am there").click()
        play(at, {"p1": "Bet", "p2": "Fold"})
        expect(at["mara"].page.locator(".one [role=status]")).to_contain_text("Settled")
        expect(at["mara"].page.locator(".tiles")).to_contain_text("Drop 10,000")
        for name in ("p1", "p2"):
            lines = at[name].page.locator(".settled")
            expect(lines).to_have_count(1)
            expect(lines.locator("h3")).to_contain_text(name)
        check_money(service, at["p1"], "p1")
        at["p1"].page.locator(".settled .why").first.click()
        gist = at["p1"].page.locator("dialog[open] dd").first
        expect(gist).not_to_be_empty()


def check_money(service: Served, person: Person, name: str) -> None:
    """The rack on the screen is the rack on the floor."""
    rack = service.served.floor.table("t1").state.racks[name]
    shown = person.page.locator(".rack strong").inner_text()
    assert int(shown.replace(",", "").replace(".", "")) == rack


def test_a_physical_round_by_keyboard(tmp_path: Path, browser: Browser) -> None:
    """Two players, of whom one folds: no card of the hand that is not read is asked for.

    A stake that lay there unnoticed when bets closed is entered before the deal, by its button.
    """
    prepare = table_of("mbs-3cp-2023", cards="physical")
    with (
        served(tmp_path / "floor", prepare) as service,
        people(browser, service.url, "dora", "p1") as at,
    ):
        dealer, player, house = at["dora"], at["p1"], service.house
        dealer.go("/deal/t1")
        player.go("/play/t1")
        dealer.page.locator("button.step").wait_for()
        dealer.page.keyboard.press("Space")
        player.sees("Place your bets, please")
        bet(player)
        house.steps("p2@2: wager ante 25")

        def unnoticed() -> int:
            return service.served.floor.table("t1").state.boxes[2].stake("pair-plus")

        pack = iter(["as", "kd", "7h", "2c", "2d", "9s", "tc", "jh", "3c", "4d", "8s"])
        asked, folded = list[str](), False
        for _ in range(60):
            dealer.page.wait_for_timeout(150)
            if dealer.page.locator("#payout").count():
                break
            if service.served.floor.table("t1").state.stage == "closed" and not unnoticed():
                enter_unnoticed(dealer.page)
                wait_until(lambda: unnoticed() == 2_500)
                continue
            folded = folded or house.step("p2@2: fold").ok
            if decide(player, "Bet"):
                continue
            if dealer.page.locator(".entry").count() and not dealer.page.locator(".waits").count():
                left = service.served.floor.table("t1").state.known
                asked.append(dealer.page.locator("#enter").inner_text())
                dealer.page.keyboard.type(next(pack))
                wait_until(lambda: service.served.floor.table("t1").state.known != left)  # noqa: B023
                continue
            dealer.page.keyboard.press("Space")
        expect(dealer.page.locator("#payout")).to_be_visible()
        known = service.served.floor.table("t1").state.known
        assert {card.code for row in known.values() for card in row} >= {"As", "Kd", "7h"}
        lines = service.served.floor.table("t1").state.settlement
        assert lines is not None
        (second,) = [seat for seat in lines.seats if seat.position == 2]
        assert {line.wager: line.stake for line in second.lines} == {"ante": 2_500, "pair-plus": 2_500}
        expect(player.page.locator(".settled")).to_have_count(1)
        check_money(service, player, "p1")


def enter_unnoticed(page: Page) -> None:
    """The form of a stake that lay there when bets closed, from the dealer's screen."""
    page.get_by_role("button", name="Enter an unnoticed wager").click()
    form = page.locator("dialog[open] form")
    form.get_by_label("Player").select_option("p2")
    form.get_by_label("Position").select_option("2")
    form.get_by_label("Area").select_option("pair-plus")
    form.get_by_label("Amount").fill("25")
    form.get_by_label("Amount").press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("document.activeElement.blur()")  # Space is for the next step again, not for the button


def test_duties_are_prompted_on_the_dealers_screen(tmp_path: Path, browser: Browser) -> None:
    """MBS 3.4.1 and 3.5.1: each prompt is gone once it is pressed, recorded, and play waits for none."""
    with (
        served(tmp_path / "floor", table_of("mbs-thb-9", cards="physical")) as service,
        people(browser, service.url, "dora") as at,
    ):
        dealer, house = at["dora"], service.house
        dealer.go("/deal/t1")
        house.steps("dealer: open bets", "p1@1: wager ante 25")
        duties = {
            "inform-one-view": "Inform p1: one hand may be viewed",
            "offer-jackpot": "Offer the jackpot",
        }
        expect(dealer.button(duties["offer-jackpot"])).to_be_visible()
        expect(dealer.button(duties["inform-one-view"])).to_have_count(0)
        house.steps("p1@3: wager ante 25")
        for duty, words in duties.items():
            dealer.button(words).click()
            expect(dealer.button(words)).to_have_count(0)
            done = service.served.floor.table("t1").state.duties_done
            assert any(key.startswith(duty) for key in done), done
        expect(dealer.page.locator("button.step")).to_be_enabled()


def test_a_new_pack_is_the_dealers_next_step(tmp_path: Path, browser: Browser) -> None:
    """Hoiana 7.2: after a round void for its cards."""
    with (
        served(
            tmp_path / "floor", table_of("hoiana-thb-2025", cards="physical", checklist=HOIANA_KIT)
        ) as service,
        people(browser, service.url, "dora") as at,
    ):
        house = service.house
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        at["dora"].go("/deal/t1")
        house.steps("dealer: report extra-card")
        step = at["dora"].page.locator("button.step")
        expect(step).to_contain_text("new pack")
        step.click()
        expect(step).to_contain_text("Place your bets")
        assert not service.served.floor.table("t1").state.memory.new_pack_due


LANGUAGES = {"zh-CN": ("zh", "zh-Hans"), "vi-VN": ("vi", "vi"), "en-GB": ("en", "en")}


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_lobby_speaks_the_language_of_the_browser(tmp_path: Path, browser: Browser, locale: str) -> None:
    language, tag = LANGUAGES[locale]
    with served(tmp_path / "floor", table_of("mbs-stud-6")) as service:
        person = Person(browser, service.url, locale=locale)
        person.page.goto(service.url)
        person.sees(client_words(language)[0]["tables"])
        expect(person.page.locator("html")).to_have_attribute("lang", tag)
        if language == "en":
            assert {"Tables", "Sign in"} <= set(english_on(person.page, "zh"))
        else:
            assert english_on(person.page, language) == []
        person.close()


def english(language: str) -> list[str]:
    """What the client says in English and in this language says otherwise."""
    theirs = " ".join(text for part in client_words(language) for text in part.values()).lower()
    said = [text for part in client_words("en") for text in part.values()]
    parts = {part.strip(" .,;:·()?–") for text in said for part in re.split(r"\{\w+\}", text)}
    return sorted(part for part in parts if len(part) > 3 and part.lower() not in theirs)


SHOWN = """() => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walk.currentNode; node; node = walk.nextNode()) {
        const element = node.nodeType === 3 ? node.parentElement : node;
        if (element.closest('[lang=en]:not(html), script, style') || !element.checkVisibility()) continue;
        if (node.nodeType === 3) found.push(node.data);
        else for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
            if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    }
    return found;
}"""


def english_on(page: Page, language: str) -> list[str]:
    """What can be seen or heard on a page and should be in this language; what is marked as English may be."""
    shown = "\n".join(page.evaluate(SHOWN))
    return [
        word for word in english(language) if re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", shown)
    ]


@pytest.mark.parametrize("locale", ["zh-CN", "vi-VN"])
def test_a_round_in_another_language(tmp_path: Path, browser: Browser, locale: str) -> None:
    """Bets, decisions and the settlement, as player, dealer and pit read them."""
    language, tag = LANGUAGES[locale]
    words = client_words(language)[0]
    with served(tmp_path / "floor", table_of("mbs-3cp-2023")) as service:
        house = service.house
        paths = {"p1": "/play/t1", "dora": "/deal/t1", "gina": "/pit"}
        at = {name: Person(browser, service.url, name, locale=locale) for name in paths}
        for name, path in paths.items():
            at[name].page.goto(service.url + path)
        at["gina"].page.locator(".tiles button").first.click()
        waiting = {"p1": ".waiting", "dora": ".waiting", "gina": ".one [role=status]"}

        def all_see(*keys: str) -> None:
            for (name, person), key in zip(at.items(), keys, strict=True):
                said = re.sub(r"\{\w+\}.*", "", words[key])
                expect(person.page.locator(waiting[name])).to_contain_text(said)
                expect(person.page.locator("html")).to_have_attribute("lang", tag)
                assert english_on(person.page, language) == [], (name, key)

        house.steps("dealer: open bets")
        all_see("wait.bets", "wait.bets", "wait.bets")
        house.steps("p1@1: wager ante 25", "p1@1: wager pair-plus 25", "p1@1: wager jackpot 5")
        house.steps("p2@2: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: view", "p2@2: fold")
        all_see("wait.you", "wait.position", "wait.position")
        house.steps("p1@1: bet play", "dealer: reveal dealer", "dealer: reveal community", "dealer: settle")
        all_see("stage.settled", "stage.settled", "stage.settled")
        expect(at["p1"].page.locator(".settled")).to_have_count(1)
        expect(at["dora"].page.locator("#payout")).to_have_text(words["deal.payout"])
        for person in at.values():
            assert english_on(person.page, language) == [], person.name
            person.close()


def test_the_dealer_mends_slips_of_the_record(tmp_path: Path, browser: Browser) -> None:
    """A wrong card is corrected and one taken back, a choice is taken back; the keyboard is enough."""
    prepare = table_of("mbs-stud-6", cards="physical")
    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "dora", "mara") as at:
        house, dealer = service.house, at["dora"].page
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        at["dora"].go("/deal/t1")
        dealer.locator(".entry").wait_for()

        def table() -> OpenTable:
            return service.served.floor.table("t1")

        def codes() -> list[str]:
            return [card.code for card in table().state.known.get("1", ())]

        dealer.get_by_role("button", name="position 1 (5)").click()
        dealer.keyboard.type("5h6h7h8hqd")  # as a scanner types, faster than anybody answers
        wait_until(lambda: len(codes()) == 5)
        dealer.keyboard.press("z")
        dealer.get_by_label("The card that lies there").fill("9s")
        dealer.get_by_label("Reason").fill("misread")
        dealer.get_by_label("The card that lies there").press("Enter")
        wait_until(lambda: codes()[-1] == "9s")
        closed = expect(dealer.locator("dialog[open]"))
        closed.to_have_count(0)
        dealer.keyboard.press("z")
        dealer.get_by_role("button", name="Take the entry back").click()
        wait_until(lambda: len(codes()) == 4)
        closed.to_have_count(0)
        dealer.keyboard.type("9s")
        wait_until(lambda: len(codes()) == 5)
        dealer.get_by_role("button", name="Fold").click()
        wait_until(lambda: bool(table().state.boxes[1].choices))
        dealer.keyboard.press("z")
        expect(dealer.locator("dialog[open]")).to_be_visible()
        dealer.keyboard.press("Space")  # one too many for the next step takes nothing back
        dealer.get_by_role("button", name="Take back: Position 1, Fold").click()
        assert table().state.boxes[1].choices, "it is asked twice"
        dealer.get_by_role("button", name="Take back Position 1, Fold? Press again").click()
        wait_until(lambda: not table().state.boxes[1].choices)
        at["dora"].sees("3 corrected in this round")
        at["mara"].go("/pit")
        at["mara"].sees("3 corrected in this round")
        reasons = [event.data for event in house.store.read("table/t1") if event.name == "card-corrected.v1"]
        assert '"reason":"misread"' in reasons[0]


def test_a_folded_hand_is_read_before_it_is_cleared(tmp_path: Path, browser: Browser) -> None:
    prepare = table_of("mbs-3cp-2023", cards="physical")
    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "dora") as at:
        service.house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager six-card-bonus 5")
        service.house.steps("dealer: close bets", "dealer: deal", "p1@1: fold")
        at["dora"].go("/deal/t1")
        expect(at["dora"].page.locator(".read")).to_contain_text(
            "folded hand of position 1 for Six Card Bonus"
        )


def test_a_table_opens_by_its_checklist_and_closes_by_its_count(tmp_path: Path, browser: Browser) -> None:
    """Hoiana 3.2: nothing of the equipment may be missing; limits and chips as the pit has counted them."""

    def prepare(house: House) -> None:
        house.book("hoiana-thb-2025")
        house.ok("gina", q.AddTable(table="t9"))

    with served(tmp_path / "floor", prepare) as service, people(browser, service.url, "mara") as at:
        page = at["mara"].page
        at["mara"].go("/pit")
        page.locator(".tiles button", has_text="t9").click()
        at["mara"].button("Open the table").click()
        sheet = page.locator("dialog[open]")
        sheet.get_by_label("Rulebook").select_option(index=1)
        sheet.get_by_role("button", name="Open t9").click()
        expect(sheet.locator("[role=alert]")).to_contain_text("Not seen at the table")
        expect(sheet.locator("[role=alert]")).to_contain_text("3.2")
        for box in sheet.locator("fieldset").filter(has_text="Equipment").get_by_role("checkbox").all():
            box.check()
        sheet.locator("fieldset").filter(has_text="Chips counted").get_by_role("spinbutton").first.fill("40")
        sheet.get_by_role("button", name="Open t9").click()
        expect(page.locator("#one")).to_contain_text("t9")
        opened = service.served.floor.table("t9").opened
        assert opened is not None
        assert opened.cards == "physical"
        assert sum(opened.count.values()) == 40
        at["mara"].button("Set limits").click()
        sheet.get_by_label("Ante, least").fill("50")
        sheet.get_by_role("button", name="Set limits").click()
        expect(sheet).to_have_count(0)
        limits = service.served.floor.table("t9").state.terms.limits
        assert next(limit.minimum for name, limit in limits.items() if name == "ante") == 5000
        at["mara"].button("Close the table").click()
        sheet.locator("fieldset").get_by_role("spinbutton").first.fill("39")
        sheet.get_by_role("button", name="Close the table").click()
        at["mara"].sees("Over or short: -")


def test_a_second_click_is_no_bet_and_what_gives_all_up_is_asked_twice(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        served(tmp_path / "floor", table_of("mbs-stud-6")) as service,
        people(browser, service.url, "p1") as at,
    ):
        house, page = service.house, at["p1"].page
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        at["p1"].go("/play/t1")
        look = page.locator(".decisions button:enabled", has_text="Look at your cards")
        look.wait_for()
        place = look.bounding_box()
        assert place is not None
        for _ in range(2):
            page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
            page.wait_for_timeout(120)
        page.locator(".decisions button:enabled", has_text="Fold").wait_for()
        assert not service.served.floor.table("t1").state.boxes[1].choices
        house.steps("p1@1: bet bet", "dealer: reveal dealer")
        page.locator(".decisions button:enabled", has_text="Do not expose").click()
        page.get_by_role("button", name="Lose every stake (75.00)?").wait_for()
        assert service.served.floor.table("t1").state.boxes[1].fate == "in-play"


def test_one_player_bets_on_two_positions_and_takes_back_what_hangs_together(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        served(tmp_path / "floor", table_of("mbs-thb-9")) as service,
        people(browser, service.url, "p1") as at,
    ):
        page = at["p1"].page
        service.house.steps("dealer: open bets")
        at["p1"].go("/play/t1")
        at["p1"].button("Sit here: Position 3").click()
        page.locator(".seats button", has_text="Position 3").click()
        page.locator("button.spot", has_text="Ante").first.click()
        page.locator("button.spot", has_text="Bonus").first.click()
        at["p1"].button("Place bets").click()
        wait_until(lambda: len(service.served.floor.table("t1").state.boxes) == 1)
        assert set(service.served.floor.table("t1").state.boxes[3].stakes) == {"ante", "bonus"}
        at["p1"].button("Take back Ante").click()
        wait_until(lambda: not service.served.floor.table("t1").state.boxes)
        page.locator("button.spot", has_text="Ante").first.click()
        service.house.steps("dealer: close bets")
        at["p1"].sees("25.00 were not placed")


def test_a_player_with_the_keyboard_alone(tmp_path: Path, browser: Browser) -> None:
    """From the seat to the settlement and the clause behind it, with Tab, Enter and Escape."""
    with (
        served(tmp_path / "floor", table_of("mbs-3cp-2023")) as service,
        people(browser, service.url, "p1") as at,
    ):
        house, page = service.house, at["p1"].page
        house.steps("dealer: open bets")
        at["p1"].go("/play/t1")
        press_on(page, "Ante")
        press_on(page, "Place bets")
        wait_until(lambda: bool(service.served.floor.table("t1").state.boxes))
        house.steps("dealer: close bets", "dealer: deal")
        press_on(page, "Look at your cards")
        press_on(page, "Bet Play")
        wait_until(lambda: bool(service.served.floor.table("t1").state.boxes[1].choices))
        house.steps("dealer: reveal dealer", "dealer: reveal community", "dealer: settle")
        page.locator(".settled").wait_for()
        press_on(page, "Why")
        expect(page.locator("dialog[open] dd").first).not_to_be_empty()
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


def press_on(page: Page, words: str) -> None:
    """Goes from one control to the next until one says these words and can be pressed; then Enter."""
    said = "document.activeElement.ariaLabel || document.activeElement.innerText || ''"
    ends = time.monotonic() + 15
    while time.monotonic() < ends:
        page.keyboard.press("Tab")
        if words in str(page.evaluate(said)).splitlines() or str(page.evaluate(said)).startswith(words):
            page.keyboard.press("Enter")
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"no control says '{words}'")


@pytest.mark.parametrize("name", ["p1", "dora"])
def test_somebody_signs_in_through_the_lobby(tmp_path: Path, browser: Browser, name: str) -> None:
    with served(tmp_path / "floor", table_of("mbs-stud-6")) as service:
        somebody = Person(browser, service.url)
        somebody.sign_in(name)
        expect(
            somebody.page.get_by_role("link", name="Deal" if name == "dora" else "Play", exact=True)
        ).to_be_visible()
        somebody.close()
