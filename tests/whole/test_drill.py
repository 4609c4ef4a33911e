"""The dealer school in a real browser: a problem is answered and marked, a report read, and everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pitboss.money import format_cents
from pitboss.rulebooks import load_plan
from pitboss.school.course import exercise_of
from pitboss.school.examination import Paper, questions_of_book
from pitboss.school.problems import IrregularityProblem, Problem, SettlementProblem
from pitboss.school.syllabus import topic_called
from support.browser import WIDTHS, Person
from support.service import Served, served, stud_on_a_link

pytestmark = pytest.mark.whole
AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("school") / "floor", stud_on_a_link) as found:
        yield found


def begin(page: Page, url: str, book: str, kind: str = "") -> None:
    page.goto(f"{url}/drill?book={book}")
    expect(page.get_by_label("Rulebook")).to_have_value(book)
    page.get_by_label("Problems").select_option(kind)
    page.get_by_role("button", name="Give me a problem").click()
    expect(page.get_by_role("button", name="Mark it")).to_be_visible()


def problem_of(service: Served, name: str, book: str) -> Problem:
    """What the service keeps of the problem that somebody has before him."""
    found = service.served.school.before("staff", name, book)
    assert found is not None
    plan = load_plan(book)
    return exercise_of(plan, topic_called(plan, found.topic), found.seed).problem


def settle(page: Page, problem: Problem) -> None:
    """Every wager as the engine settles it."""
    assert isinstance(problem, SettlementProblem)
    for field, (asked, line) in zip(page.locator("form fieldset").all(), problem.lines.items(), strict=True):
        if line.paid:
            field.get_by_text("Pay", exact=True).click()
            field.locator(".amount").fill(format_cents(line.paid))
        elif not asked.stake:
            field.get_by_text("Nothing", exact=True).click()
        else:
            field.get_by_text("Take" if line.collected else "Give back", exact=True).click()


def answer(page: Page, problem: Problem) -> None:
    """As the engine would."""
    if isinstance(problem, SettlementProblem):
        settle(page, problem)
    else:
        page.locator("form fieldset label").nth(problem.choices.index(problem.right)).click()


def test_a_settlement_is_answered_by_keyboard_marked_and_reported(service: Served, browser: Browser) -> None:
    person = Person(browser, service.url, "dora")
    page = person.page
    page.goto(service.url)
    page.get_by_role("link", name="Dealer school").click()
    expect(page.get_by_role("heading", name="Dealer school")).to_be_visible()
    sent: list[str] = []
    page.on("response", lambda answer: sent.append(answer.text()) if "/next" in answer.url else None)
    begin(page, service.url, "mbs-3cp-2023")
    page.get_by_role("button", name="Mark it").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Say of every wager what becomes of it")
    settle(page, problem_of(service, "dora", "mbs-3cp-2023"))
    page.locator("form .amount").first.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("✓ Right")
    expect(page.locator(".verdict")).to_contain_text("Pair Plus unpaid on a losing hand")
    assert sent
    assert not any("Pair Plus unpaid" in text or '"paid"' in text for text in sent)
    page.get_by_role("button", name="Next problem").press("Enter")
    expect(page.get_by_role("button", name="Mark it")).to_be_visible()
    for field in page.locator("form fieldset").all():
        field.locator("label").first.click()
    page.get_by_role("button", name="Mark it").click()
    expect(page.locator(".verdict")).to_contain_text("✗ Wrong")
    expect(page.locator(".score")).to_contain_text("1 of 2 right")
    page.get_by_role("button", name="Report").click()
    expect(page.locator(".report")).to_contain_text("Pair Plus unpaid on a losing hand: 1 of 1")
    expect(page.locator(".report tbody tr").first).to_contain_text("1 of 2")
    person.close()


def test_a_remedy_is_chosen_and_marked(service: Served, browser: Browser) -> None:
    person = Person(browser, service.url, "ines")
    page = person.page
    begin(page, service.url, "rws-thp-2", "irregularity")
    problem = problem_of(service, "ines", "rws-thp-2")
    assert isinstance(problem, IrregularityProblem)
    at = problem.choices.index(problem.right)
    page.locator("fieldset label").nth(at).click()
    page.get_by_role("button", name="Mark it").click()
    expect(page.locator(".verdict")).to_contain_text("✓ Right")
    expect(page.locator(".verdict dl")).to_contain_text(problem.clauses[0])
    person.close()


def test_an_examination_is_sat_by_keyboard_goes_on_after_a_reload_and_is_marked_at_the_end(
    service: Served, browser: Browser
) -> None:
    plan = load_plan("mbs-3cp-2023")
    paper = questions_of_book(plan, Paper(number=2026, problems=3))
    problems = [exercise_of(plan, topic_called(plan, one.topic), one.seed) for one in paper]
    person = Person(browser, service.url, "gus")
    page, heading = person.page, person.page.locator(".sitting h2")
    sent: list[str] = []
    page.on("response", lambda answer: sent.append(answer.text()) if "/api/drill" in answer.url else None)
    page.goto(f"{service.url}/drill?book=mbs-3cp-2023")
    page.get_by_role("button", name="Examination").press("Enter")
    expect(page.get_by_label("Rulebook")).to_have_value("mbs-3cp-2023")
    page.get_by_label("Number of problems").fill("3")
    page.get_by_label("Examination number").fill("2026")
    page.get_by_label("Examination number").press("Enter")
    expect(heading).to_contain_text("Problem 1 of 3")
    expect(heading).to_be_focused()
    page.get_by_role("button", name="Answer and go on").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Say of every wager what becomes of it")
    answer(page, problems[0].problem)
    page.get_by_role("button", name="Answer and go on").press("Enter")
    expect(heading).to_contain_text("Problem 2 of 3")
    page.reload()
    expect(heading).to_contain_text("Problem 2 of 3")
    expect(page.locator(".bar")).to_contain_text("Examination 2026")
    expect(page.get_by_role("button", name="Practice")).to_have_count(0)
    for field in page.locator("form fieldset").all():
        field.locator("label").first.click()
    page.get_by_role("button", name="Answer and go on").click()
    expect(heading).to_contain_text("Problem 3 of 3")
    told = "".join(sent)
    assert '"problem":{' in told
    assert not any(word in told for word in ('"paid"', '"collected"', '"gist"', '"says"'))
    assert not any(one.title in told or one.topic in told for one in problems)
    page.get_by_role("button", name="Leave the examination").press("Enter")
    expect(page.get_by_role("button", name="Not answered yet: 1")).to_be_focused()
    answer(page, problems[2].problem)
    page.get_by_role("button", name="Answer and finish").press("Enter")
    expect(page.locator(".result h2").first).to_have_text("2 of 3 right")
    expect(page.locator("details strong")).to_have_text(["✓ Right", "✗ Wrong", "✓ Right"])
    page.locator("details summary").nth(1).press("Enter")
    expect(page.locator("details .mark", has_text="✗ Wrong").first).to_be_visible()
    expect(page.locator("details").nth(1)).to_contain_text(problems[1].title)
    page.get_by_role("button", name="Practice").click()
    expect(page.locator(".score")).to_contain_text("2 of 3 right")
    page.get_by_role("button", name="Report").click()
    page.get_by_label("Examination number").fill("2026")
    page.get_by_label("Examination number").press("Enter")
    expect(page.locator(".report section").first).to_contain_text("gus")
    page.get_by_role("button", name="Marks: gus").click()
    expect(page.locator(".result h2").first).to_have_text("2 of 3 right")
    person.close()


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_every_width_light_and_language_is_clean(service: Served, browser: Browser, language: str) -> None:
    screens = {"en": ("phone", "dark"), "zh": ("desk", "light"), "vi": ("wall", "dark")}
    width, scheme = screens[language]
    wide, high = WIDTHS[width]
    more: dict[str, Any] = {"viewport": {"width": wide, "height": high}, "color_scheme": scheme}
    more["bypass_csp"] = True  # axe is put into the page
    person = Person(browser, service.url, "saul", **more)
    page = person.page
    page.goto(service.url)
    page.evaluate(f"localStorage.setItem('pitboss-settings', JSON.stringify({{language: '{language}'}}))")
    page.goto(f"{service.url}/drill?book=mbs-thb-9")
    for kind in ("settlement", "irregularity"):
        page.locator("select").nth(1).select_option(kind)
        page.locator(".head button.primary").click()
        page.locator("form fieldset label").first.wait_for()
        clean(page, wide)
    page.locator("form fieldset label").first.click()
    page.locator(".go button").click()
    page.locator(".verdict").wait_for()
    clean(page, wide)
    page.locator(".head button[aria-pressed]").click()
    page.locator(".report table").first.wait_for()
    clean(page, wide)
    page.locator(".modes button").nth(1).click()
    page.locator("input[type=number]").first.fill("2")
    clean(page, wide)
    page.locator(".head button.primary").click()
    page.locator(".sitting fieldset label").first.wait_for()
    for field in page.locator(".sitting fieldset").all():
        field.locator("label").first.click()
    page.locator(".sitting .go button.primary").click()
    page.locator(".sitting h2", has_text="2").wait_for()
    page.locator(".sitting .go button").nth(1).click()
    clean(page, wide)
    page.locator(".sitting .go button").nth(1).click()
    page.locator("details summary").first.click()
    clean(page, wide)
    person.close()


def clean(page: Page, wide: int) -> None:
    """Nothing sticks out, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    page.add_script_tag(content=AXE.read_text())
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    broken = [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found["violations"]]
    assert broken == []
