"""Debian's Chromium, and people who use the screens in it, each in a browser context of their own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    expect,
    sync_playwright,
)
from playwright.sync_api import TimeoutError as TookTooLong

from support.floor import PEOPLE
from support.service import PASSWORD

CHROMIUM = next(
    (path for path in ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium") if Path(path).exists()), ""
)
"""The headless shell opens no interface of its own at every launch, and needs half the processor time."""
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-quic", "--no-first-run"]
FRUGAL = ["--in-process-gpu", "--disable-features=SpareRendererForSitePerProcess", "--process-per-site"]
"""Start no spare renderers: a test opens dozens of pages."""
PATIENCE = 15_000
expect.set_options(timeout=PATIENCE)
WIDTHS = {"phone": (360, 740), "desk": (1280, 800), "wall": (3840, 2160)}


_WORDS = Path(__file__).parent.parent.parent / "web" / "src" / "words"
_ENTRY = re.compile(r"""^  "?([\w.-]+)"?:\s+(["'`])(.*?)\2,$""", re.MULTILINE | re.DOTALL)


@cache
def client_words(language: str) -> tuple[dict[str, str], dict[str, str]]:
    """What the client says in a language: the words of its screens, and those of the rulebooks."""
    screens, _, books = (_WORDS / f"{language}.ts").read_text().partition("export const book")
    found = [{name: text for name, _, text in _ENTRY.findall(part)} for part in (screens, books)]
    assert len(found[0]) > 300
    assert len(found[1]) > 80
    return found[0], found[1]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, without any page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *FRUGAL])
        try:
            yield browser
        finally:
            browser.close()


class Person:
    """Somebody at a screen. What goes wrong in the page is kept in `wrong`."""

    def __init__(self, browser: Browser, url: str, name: str = "", **context: Any) -> None:
        self.url, self.name = url, name
        context = {
            "locale": "en-GB",
            "reduced_motion": "reduce",
            "viewport": {"width": 1280, "height": 900},
        } | context
        self.context: BrowserContext = browser.new_context(**context)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        if name:
            self.enter(name)

    def enter(self, name: str) -> None:
        """Signed in as by the form, which is quicker without its page."""
        form = {"kind": "staff" if name in PEOPLE else "player", "name": name, "password": PASSWORD}
        answer = self.context.request.post(f"{self.url}/api/sign-in", data=form)
        assert answer.ok, answer.text()

    def sign_in(self, name: str) -> None:
        """Through the lobby's own form."""
        self.page.goto(self.url)
        form = self.page.locator("form")
        form.get_by_text("Staff" if name in PEOPLE else "Player", exact=True).click()
        form.get_by_label("Name").fill(name)
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button").click()
        expect(self.page.get_by_role("button", name=name, exact=True)).to_be_visible(timeout=PATIENCE)

    def go(self, path: str) -> None:
        """Open a page, and wait until it is live."""
        self.page.goto(self.url + path)
        expect(self.page.locator(".line")).to_have_text("Live", timeout=PATIENCE)

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def sees(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)

    def close(self) -> None:
        """Leave. Raises `AssertionError` if the page had an error."""
        self.context.close()
        assert self.wrong == [], self.wrong


def wait_until(holds: Callable[[], bool], seconds: float = PATIENCE / 1000) -> None:
    """Until something is so on the floor; a page has Playwright's own patience."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it did not come to pass"
        time.sleep(0.02)


def decide(person: Person, wanted: str) -> bool:
    """Looks at the cards, then does what is wanted, if anything is asked; whether something was done."""
    for name in ("Look at your cards", wanted, "Check", "Bet"):
        found = person.page.locator(".decisions button:enabled", has_text=name)
        if found.count():
            with suppress(TookTooLong):  # it went away as the table moved on
                found.first.click(timeout=1500)
            return True
    return False


@contextmanager
def people(browser: Browser, url: str, *names: str) -> Iterator[dict[str, Person]]:
    """Everybody signed in, each in his own context."""
    found = {name: Person(browser, url, name) for name in names}
    yield found
    for person in found.values():
        person.close()
