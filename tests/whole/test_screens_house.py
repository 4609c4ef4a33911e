"""The screens of the house in a real browser: irregularities of each remedy, a jackpot hit, a dispute, lost
connections and servers, and that everybody can use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from pitboss.bootstrap import Settings
from pitboss.floor import requests as q
from pitboss.money import floor_to_cents
from pitboss.rulebooks import book_ids, load_plan
from pitboss.rulebooks.trouble import Remedy
from support.browser import Person, client_words, people, wait_until
from support.floor import House
from support.service import PASSWORD, Process, Served, make_floor, served, stud_on_a_link
from support.unsealed_reports import taken_unheld

pytestmark = pytest.mark.whole
AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
BEGUN = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "p2@2: wager ante 25",
    "dealer: close bets",
    "dealer: deal",
)


def three_card(house: House) -> None:
    house.link()
    house.table("mbs-3cp-2023", players=("p1", "p2"), link="mega")


def at_pit(person: Person, table: str = "t1") -> None:
    person.go("/pit")
    person.page.locator(".tiles button", has_text=table).first.click()
    expect(person.page.locator("#one")).to_be_visible()


class Case(NamedTuple):
    """An irregularity as the pit reports it, what the book does, what is ruled, and what follows."""

    kind: str
    remedy: Remedy
    then: str
    table: str = "t1"
    before: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    cards: int = 1
    put_back: str = ""
    ruling: str = ""
    argument: str = ""
    wagered: tuple[str, ...] = ()
    over: bool = False


BOTH, CHOOSE, P2 = "Waiting for positions 1, 2", "stay in or withdraw", "Waiting for position 2"
SEVERAL = ("p1@3: wager ante 25",)
CASES = (
    Case("foreign-card", Remedy.VOID, "Void"),
    Case("foreign-card", Remedy.SETTLED_ROUNDS_STAND, "Settled", over=True),
    Case("disruption", Remedy.NOTHING, "Settled", over=True),
    Case("exposed", Remedy.CONTINUE, BOTH),
    Case("count-doubt", Remedy.CONTINUE, BOTH, cards=52),
    Case("misdeal", Remedy.RECONSTRUCT, BOTH, put_back="yes"),
    Case("misdeal", Remedy.VOID, "Void", put_back="no"),
    Case("wrong-count-position", Remedy.REMOVE_HAND, P2, positions=("1",), put_back="no"),
    Case(
        "multiple-hands",
        Remedy.KEEP_VIEWED_HANDS,
        "Waiting for positions 2, 3",
        wagered=SEVERAL,
        before=("p1@3: view",),
        positions=("1", "3"),
    ),
    Case("multiple-hands", Remedy.KEEP_FIRST_DEALT_HAND, BOTH, wagered=SEVERAL, positions=("1", "3")),
    Case("insufficient-cards", Remedy.AS_RULED, "Void", ruling="void"),
    Case("insufficient-cards", Remedy.AS_RULED, BOTH, ruling="continue"),
    Case("misdeal", Remedy.AS_RULED, BOTH, ruling="reconstruct"),
    Case("uncovered", Remedy.AS_RULED, P2, ruling="invalidate", argument="1"),
    Case(
        "simultaneous-draw",
        Remedy.AS_RULED,
        BOTH,
        table="t3",  # of cards that were sealed in their order nobody rules
        before=("dealer: card 1 As", "dealer: card 1 Kd", "dealer: card 1 7h"),
        ruling="order",
        argument="Kd,As",
    ),
    Case("uncovered", Remedy.AS_RULED, BOTH, ruling="permit-withdrawal", argument="1"),
    Case("power-failure", Remedy.WITHDRAW_ALL_OR_STAY, CHOOSE),
    Case("misdeal", Remedy.RECONSTRUCT_THEN_CHOOSE, CHOOSE, table="t2", put_back="yes"),
    Case("exposed", Remedy.WITHDRAW_OR_STAY, CHOOSE, table="t2"),
    Case("wrong-count-dealer", Remedy.SETTLEMENT_STANDS, "Settled", table="t2", put_back="yes", over=True),
    Case("confidentiality", Remedy.AS_RULED, P2, positions=("1",), ruling="bar", argument="p1"),
)


def test_the_cases_are_all_remedies_and_rulings_of_all_books() -> None:
    rows = [row for book in book_ids() for found in load_plan(book).remedies.values() for row in found]
    assert {case.remedy for case in CASES} == {row.remedy for row in rows}
    ruled = {case.ruling for case in CASES if case.ruling} | {order for order, *_ in ORDERS}
    assert ruled >= {ruling.value for row in rows for ruling in row.rulings}


def test_an_irregularity_of_each_remedy_is_reported_and_ruled(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # every remedy of the books is shown at tables whose seals refute what is said of their cards
    taken_unheld(monkeypatch)

    def prepare(house: House) -> None:
        three_card(house)
        house.table("rws-thp-2", "t2", players=("p1", "p2"))
        house.table("mbs-3cp-2023", "t3", players=("p1", "p2"), cards="physical")

    with (
        served(tmp_path / "floor", prepare) as service,
        people(browser, service.url, "gina", "p1", "p2") as at,
    ):
        pit, house = at["gina"], service.house
        pit.go("/pit")
        for case in CASES:
            house.steps(*BEGUN[:3], *case.wagered, *BEGUN[3:], *case.before, table=case.table)
            if case.over:
                end_round(service, case.table)
            pit.page.locator(".tiles button", has_text=case.table).first.click()
            number = house.floor.table(case.table).state.round_number
            expect(pit.page.locator("#one")).to_have_text(f"{case.table} · Round {number}")
            status = pit.page.locator(".one [role=status]")
            expect(status).to_contain_text("Settled" if case.over else "Waiting for positions 1, 2")
            racks = dict(house.floor.table(case.table).state.racks)
            report(pit, case)
            assert reported(service, case.table) == (case.kind, case.remedy)
            if case.ruling:
                expect(status).to_contain_text("Suspended")
                expect(pit.page.locator(".matter")).to_contain_text("decides")
                line = pit.page.locator(f".matter li[data-ruling={case.ruling}]")
                if case.ruling == "order":
                    line.get_by_label("Cards in their order").fill(case.argument)
                elif case.argument:
                    line.get_by_label("About").select_option(case.argument)
                line.get_by_role("button").click()
                expect(line.get_by_role("button")).to_contain_text("Rule:")
                _sign(line)
                line.get_by_role("button").click()
            expect(status).to_contain_text(case.then)
            if case.ruling == "order":
                assert [card.code for card in house.floor.table("t3").state.known["1"]] == ["Kd", "As", "7h"]
            if case.over:
                assert dict(house.floor.table(case.table).state.racks) == racks
            if case.then == CHOOSE:
                choose(service, at, case)
                expect(status).not_to_contain_text(CHOOSE)
            if case.ruling == "permit-withdrawal":
                at["p1"].go("/play/t1")
                at["p1"].button("Withdraw").click()
                expect(status).to_contain_text(P2)
            end_round(service, case.table)
        house.everything_adds_up()


def reported(service: Served, table: str) -> tuple[str, str]:
    """What was reported last, and what the book did about it."""
    found = [event for event in service.house.store.read(f"table/{table}") if "irregularity" in event.name]
    last = json.loads(found[-1].data)
    return last["kind"], last["remedy"]


def choose(service: Served, at: dict[str, Person], case: Case) -> None:
    """After a power failure both leave; otherwise the first stays and the second leaves."""
    everybody = case.remedy is Remedy.WITHDRAW_ALL_OR_STAY
    at["p1"].go(f"/play/{case.table}")
    at["p1"].button("Withdraw" if everybody else "Stay in").click()
    if everybody:
        at["p2"].go(f"/play/{case.table}")
        at["p2"].button("Withdraw").click()
    else:
        service.house.steps("p2@2: option withdraw", table=case.table)


ORDERS = (
    ("restrict", "p1", "p1@5: wager ante 25", "restricted"),
    ("bar", "p2", "p2@5: wager ante 25", "barred"),
    ("block", "4", "p1@4: wager ante 25", "blocked"),
    ("suspend-jackpot", "", "p1@1: wager jackpot 5", "jackpot-suspended"),
    ("close-table", "", "dealer: open bets", "table-closed"),
)


def test_orders_that_last_are_given_and_lifted(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "gina") as at:
        house, pit = service.house, at["gina"]
        at_pit(pit)
        for order, about, step, code in ORDERS:
            if order == "close-table":
                house.steps("dealer: close bets", "pit-manager: report disruption")
                house.steps("assistant-director: rule void")
            elif house.floor.table("t1").state.stage.value != "betting":
                house.steps("dealer: open bets", "p1@1: wager ante 25")
            details = pit.page.locator("details", has_text="Orders: restrict")
            if details.get_attribute("open") is None:
                details.locator("summary").click()
            details.get_by_role("combobox").first.select_option(order)
            if about:
                details.get_by_label("Player or position").select_option(about)
            details.get_by_role("button").click()
            lift = pit.page.locator(".one button", has_text="Lift")
            expect(lift).to_have_count(1)
            assert house.step(step).code == code
            lift.click()
            expect(lift).to_have_count(0)
            assert house.step(step).code != code


def _sign(form: Locator) -> None:
    """The second person signs where the form asks for it."""
    if form.get_by_label("Second signature").count():
        form.get_by_label("Second signature").fill("saul")
        form.locator("input[type=password]").fill(PASSWORD)


def report(pit: Person, case: Case) -> None:
    """Through the sheet, which says first what the book says."""
    pit.button("Irregularity").click()
    sheet = pit.page.locator("section[aria-labelledby=irregularity]")
    for position in case.positions:
        sheet.get_by_role("checkbox", name=position).check()
    sheet.get_by_label("What happened").select_option(case.kind)
    expect(sheet.locator("article").first).to_be_visible()
    expect(sheet.locator("article .why").first).to_be_visible()
    if case.cards != 1:
        sheet.get_by_role("spinbutton").fill(str(case.cards))
    if case.put_back:
        sheet.get_by_label("Can it be put back").select_option(case.put_back)
    said = client_words("en")[1][case.remedy]
    expect(sheet.locator("article", has_text=said).first).to_be_visible()
    _sign(sheet)
    sheet.get_by_role("button", name="Report it").click()
    expect(sheet).to_have_count(0)


def end_round(service: Served, table: str) -> None:
    """Whatever is still in play is folded and settled, so that the next round can begin."""
    house = service.house
    state = house.floor.table(table).state
    if state.stage.is_over:
        return
    for box in list(state.boxes.values()):
        house.step(f"{box.player}@{box.position}: fold", table)
    for place in ("flop", "turn", "river", "dealer"):
        house.step(f"dealer: reveal {place}", table)
    house.step("dealer: settle", table)
    assert house.floor.table(table).state.stage.is_over


def test_a_jackpot_hit_is_verified_paid_and_shown_on_the_sign(tmp_path: Path, browser: Browser) -> None:
    with (
        served(tmp_path / "floor", stud_on_a_link) as service,
        people(browser, service.url, "mara", "dora") as at,
    ):
        sign = Person(browser, service.url)
        sign.page.clock.install()
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
        at["dora"].sees("The jackpot hand is verified")
        at["dora"].page.locator("button.step:enabled", has_text="Settle").wait_for()
        at["dora"].page.keyboard.press("Space")
        expect(sign.page.locator(".hit")).to_contain_text("Jackpot paid at t1")
        link = service.house.floor.link("mega")
        paid, new = link.history[-1].shares[0].amount, floor_to_cents(link.meter)
        expect(sign.page.locator(".amount")).to_contain_text(f"{paid // 100:,}.{paid % 100:02d}")
        value = f"{new // 100:,}.{new % 100:02d}"
        assert value != "300,000.00"
        expect(sign.page.locator(".hit")).to_contain_text(value)
        expect(sign.page.locator("p.value")).to_have_count(0)
        sign.page.clock.fast_forward(35_000)
        expect(sign.page.locator(".hit")).to_have_count(0)
        expect(sign.page.locator("p.value")).to_have_text(value)
        sign.close()


def test_a_dispute_is_opened_by_a_player_and_resolved_in_the_pit(tmp_path: Path, browser: Browser) -> None:
    def prepare(house: House) -> None:
        house.table("hoiana-thb-2025", players=("p1", "p2"))
        house.steps(*BEGUN, "p1@1: fold", "p2@2: fold", "dealer: settle")

    with (
        served(tmp_path / "floor", prepare) as service,
        people(browser, service.url, "p1", "mara", "eye") as at,
    ):
        player, pit, eye = at["p1"], at["mara"], at["eye"]
        player.go("/play/t1")
        player.button("Last rounds").click()
        player.button("Replay").first.click()
        player.button("Check the cards").click()
        player.sees("are those that were sealed before anybody had bet")
        player.page.get_by_label("What is wrong").fill("I did not fold")
        player.button("Open a dispute").click()
        player.sees("Dispute 1 is open")
        pit.go("/pit")
        pit.page.get_by_text("Dispute 1").first.click()
        expect(pit.page.locator(".queue details ol li").first).to_contain_text("hash")
        offered = pit.page.locator(".queue details .row button")
        expect(offered).to_have_text(["Add a note", "Pass it up", "Give a time", "Decide"])
        pit.button("Pass it up").click()
        pit.page.locator("dialog[open] button.primary").click()
        expect(pit.page.locator(".queue summary")).to_contain_text("pit manager")
        expect(offered).to_have_text(["Add a note", "Give a time", "Decide"])
        pit.button("Decide", exact=True).click()
        form = pit.page.locator("dialog[open] form")
        rests_on = form.get_by_label("What it rests on")
        expect(rests_on.locator("option", has_text="the rules of the game")).to_have_count(1)
        expect(rests_on.locator("option", has_text="what Surveillance has seen")).to_have_count(0)
        expect(form).to_contain_text("Not on file for what Surveillance has seen: a note by Surveillance")
        pit.page.keyboard.press("Escape")
        eye.go("/pit")
        eye.page.get_by_text("Dispute 1").first.click()
        eye.button("Add a note").click()
        eye.page.locator("dialog[open] form").get_by_label("Text").fill("camera 4 shows the cards pushed in")
        eye.page.locator("dialog[open] button.primary").click()
        expect(eye.page.locator(".queue details")).to_contain_text("camera 4 shows")
        pit.button("Decide", exact=True).click()
        form = pit.page.locator("dialog[open] form")
        form.get_by_label("Decision").fill("the fold stands")
        form.get_by_label("What it rests on").select_option("what Surveillance has seen")
        form.get_by_label("In favour of").select_option("the house")
        form.get_by_label("The player was told").select_option("Yes")
        form.get_by_role("button").click()
        expect(pit.page.locator(".queue details")).to_contain_text("the fold stands")


def loses_the_line(person: Person) -> None:
    person.context.set_offline(True)
    person.page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    expect(person.page.locator("p.lost")).to_be_visible()


def finds_the_line(person: Person) -> None:
    person.context.set_offline(False)
    expect(person.page.locator(".line")).to_have_text("Live")


def happened(service: Served, name: str) -> int:
    """How often something is in the record of the table."""
    return [event.name for event in service.house.store.read("table/t1")].count(name)


def answer_lost(route: Route) -> None:
    """The floor hears it, and nobody hears the floor."""
    route.fetch()
    route.abort()


def test_a_lost_connection_is_shown_and_loses_nothing(tmp_path: Path, browser: Browser) -> None:
    """What is pressed meanwhile is done once when the line is back, even where only the answer was lost; what had to
    wait too long is said not to be done, and can be pressed again."""
    with (
        served(tmp_path / "floor", three_card) as service,
        people(browser, service.url, "p1", "dora") as at,
    ):
        player, dealer = at["p1"], at["dora"]
        player.go("/play/t1")
        dealer.page.clock.install()
        dealer.go("/deal/t1")
        service.house.steps(*BEGUN)
        player.sees("Your decision")
        loses_the_line(player)
        look = player.page.locator(".decisions button:enabled", has_text="Look at your cards")
        look.click()
        expect(look).to_have_count(0)
        service.house.steps("p2@2: fold")
        finds_the_line(player)
        expect(player.page.locator(".seats li").nth(4)).to_contain_text("folded")
        expect(player.page.locator(".hand .face")).to_have_count(3)
        assert happened(service, "hand-viewed.v1") == 1
        player.page.route("**/api/tables/t1/acts", answer_lost, times=1)
        player.page.locator(".decisions button:enabled", has_text="Bet Play").click()
        expect(player.page.locator(".decisions")).to_have_count(0)
        assert happened(service, "decision-made.v1") == 2
        loses_the_line(dealer)
        step = dealer.page.locator("button.step:enabled", has_text="dealer")
        step.wait_for()
        dealer.page.keyboard.press("Space")
        expect(step).to_have_count(0)
        finds_the_line(dealer)
        step = dealer.page.locator("button.step:enabled", has_text="community")
        step.wait_for()
        assert happened(service, "place-revealed.v1") == 1
        loses_the_line(dealer)
        dealer.page.keyboard.press("Space")
        refused = dealer.page.locator(".now [role=alert]", has_text="The floor does not answer.")
        wait_until(lambda: passes(dealer.page) and refused.count() == 1)
        finds_the_line(dealer)
        assert happened(service, "place-revealed.v1") == 1
        step.wait_for()
        dealer.page.keyboard.press("Space")
        expect(step).to_have_count(0)
        expect(refused).to_have_count(0)
        assert happened(service, "place-revealed.v1") == 2


def passes(page: Page) -> bool:
    """Two seconds, of which the browser waits none."""
    page.clock.fast_forward(2000)
    return True


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
                step = at["dora"].page.locator("button.step:enabled")
                said = step.inner_text()
                at["dora"].page.keyboard.press("Space")
                expect(at["dora"].page.locator("button.step", has_text=said)).to_have_count(0)
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
    "": ("/", "/sign/mega"),
    "p1": ("/play/t1",),
    "dora": ("/", "/deal/t1", "/drill?book=mbs-3cp-2023"),
    "mara": ("/pit",),
    "eye": ("/surveillance", "/mathematics?book=mbs-3cp-2023"),
}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Tables in every state, which nobody changes: settled, taking bets, waiting for a decision, with real cards."""

    def prepare(house: House) -> None:
        stud_on_a_link(house)
        house.stud()
        house.steps("dealer: settle")
        for table, cards in (("t2", "virtual"), ("t3", "virtual"), ("t4", "physical")):
            house.table("mbs-3cp-2023", table, players=("p1", "p2"), link="mega", cards=cards)
            house.ok("p1", q.TakeSeat(table=table, position=1, player="p1"))
        house.steps("dealer: open bets", "p1@1: wager ante 25", table="t2")
        for table in ("t3", "t4"):
            house.steps(*BEGUN, "p1@1: view", table=table)

    with served(tmp_path_factory.mktemp("states") / "floor", prepare) as service:
        yield service


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_on_any_screen(floor: Served, browser: Browser, name: str) -> None:
    """In every state by dark and by light."""
    person = Person(browser, floor.url, name, bypass_csp=True)
    for state in states(person):
        for scheme in ("dark", "light"):
            person.page.emulate_media(color_scheme=scheme)
            assert serious(person.page) == [], (state, scheme)
    person.close()


def states(person: Person) -> Iterator[str]:
    """Every screen of somebody in every state, with what opens over it, one after the other."""
    page, sheet = person.page, person.page.locator("dialog[open]")

    def at(path: str, ready: str) -> str:
        page.goto(person.url + path)
        page.locator(ready).first.wait_for(timeout=90_000)
        return path

    def closed() -> None:
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)

    if person.name == "":
        yield at("/", ".tables li")
        yield at("/sign/mega", "p.value")
    elif person.name == "p1":
        yield at("/play/t2", ".bets")
        yield at("/play/t3", ".decisions button:enabled")
        person.button("Rules in force").click()
        expect(sheet).to_be_visible()
        yield "rules"
        yield at("/play/t1", ".settled")
        page.locator(".settled .why").first.click()
        expect(sheet.locator("dd").first).not_to_be_empty()
        yield "why"
    elif person.name == "dora":
        yield at("/", ".tables li")
        yield at("/deal/t1", "#payout")
        yield at("/deal/t4", ".entry")
        page.keyboard.press("z")
        expect(sheet).to_be_visible()
        yield "mend"
        closed()
        page.keyboard.press("f")
        sheet.get_by_label("What happened").select_option("misdeal")
        sheet.locator("article").first.wait_for()
        yield "irregularity"
        closed()
        at("/drill?book=mbs-3cp-2023", ".head button.primary")
        person.button("Give me a problem").click()
        page.locator("form fieldset label").first.wait_for()
        yield "drill"
        csrf = person.context.request.get(f"{person.url}/api/session").json()["csrf"]
        person.context.request.post(f"{person.url}/api/session/lock", headers={"x-csrf-token": csrf})
        yield at("/deal/t4", "input[type=password]")
    elif person.name == "mara":
        at("/pit", ".tiles button")
        page.locator(".tiles button", has_text="t4").click()
        page.locator("#one").wait_for()
        yield "pit"
    else:
        at("/surveillance", ".found li button")
        page.locator(".found li button").first.click()
        page.locator("#round").wait_for()
        yield "surveillance"
        yield at("/mathematics?book=mbs-3cp-2023", "tbody tr")


def serious(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=str(AXE))
    found = page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
    return [
        f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]


def fill_up(person: Person, path: str) -> None:
    """What is widest on a screen comes with its contents."""
    if path.startswith("/mathematics"):
        person.page.locator("table").wait_for(timeout=90_000)
    if path.startswith("/drill"):
        person.button("Give me a problem").click()
        person.page.locator("form fieldset label").first.wait_for()
    for button in {"/pit": ".tiles button", "/surveillance": ".found li button"}.get(path, "").split(","):
        if button:
            person.page.locator(button).first.click()
            person.page.locator(".felt").first.wait_for()


def test_no_screen_is_wider_than_its_window(floor: Served, browser: Browser) -> None:
    for name, paths in PAGES.items():
        person = Person(browser, floor.url, name, viewport={"width": 1280, "height": 800})
        for path in paths:
            person.page.set_viewport_size({"width": 1280, "height": 800})
            person.page.goto(floor.url + path)
            person.page.wait_for_timeout(700)
            fill_up(person, path)
            for width in (1280, 3840, 360):
                person.page.set_viewport_size({"width": width, "height": 800})
                person.page.wait_for_timeout(150)
                over = person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert over <= 0, (name, path, width, over)
        person.close()


def test_a_first_load_is_under_200_kb(floor: Served, browser: Browser) -> None:
    """Everything that comes before a screen is there: page, scripts, styles; compressed, in an empty browser."""
    for name, paths in PAGES.items():
        person = Person(browser, floor.url, name)
        cookies = person.context.cookies()
        person.close()
        for path in paths:
            fresh = browser.new_context()
            fresh.add_cookies(cookies)  # type: ignore[arg-type]
            page, weights = fresh.new_page(), dict[str, int]()
            page.on("requestfinished", lambda request: weigh(request, weights))  # noqa: B023
            page.goto(floor.url + path)
            page.wait_for_timeout(600)
            assert weights, (name, path)
            assert sum(weights.values()) < 200_000, (name, path, weights)
            fresh.close()


def weigh(request: Request, weights: dict[str, int]) -> None:
    if "/api/" not in request.url:
        weights[request.url] = request.sizes()["responseBodySize"]


def test_a_changed_pay_moves_the_edge(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "floor", three_card) as service, people(browser, service.url, "p1") as at:
        page = at["p1"].page
        page.goto(f"{service.url}/mathematics?book=mbs-3cp-2023")
        row = page.locator("tbody tr", has_text="Pair Plus")
        expect(row).to_be_visible(timeout=90_000)
        before = row.locator("td").first.inner_text()
        pays = page.locator("details", has_text="Pair Plus")
        expect(pays.locator(".row", has_text="flush").first).to_contain_text("40 to 1")  # the straight flush
        pays.get_by_label("flush", exact=True).fill("3")
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
