"""The pictures of the README, made from a demo floor: `python tools/screenshots.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-quic", "--no-first-run"]
PATIENCE = 120_000
MOTION = 700
"""Until cards and chips lie still."""


def enter(browser: Browser, url: str, name: str, *, width: int = 1280, height: int = 860) -> Page:
    """Somebody on the demo floor, by one click."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark",
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(url)
    if name:
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("button", name=name, exact=True).wait_for()
    return page


def play(page: Page, url: str) -> None:
    """A round at a table, up to its settlement."""
    page.goto(f"{url}/play/holdem-1")
    page.get_by_role("button", name="Sit here: Position 1").click()
    page.locator("button.spot:enabled").first.wait_for()
    for spot in range(2):
        page.locator("button.spot").nth(spot).click()
    page.get_by_role("button", name="Place bets").click()
    ends = time.monotonic() + PATIENCE / 1000
    while not page.locator(".settled").count() and time.monotonic() < ends:
        for words in ("Look at your cards", "Bet"):
            choice = page.locator(".decisions button:enabled", has_text=words)
            if choice.count():
                choice.first.click()
                break
        page.wait_for_timeout(200)


def take(browser: Browser, url: str) -> None:
    """Every picture."""
    page = enter(browser, url, "guest-1")
    play(page, url)
    page.wait_for_timeout(MOTION)
    page.screenshot(path=PICTURES / "player.jpg", type="jpeg", quality=80, full_page=True)
    page = enter(browser, url, "dealer-1")
    page.goto(f"{url}/deal/stud-1")
    page.locator("#payout").wait_for()
    page.wait_for_timeout(MOTION)
    page.screenshot(path=PICTURES / "dealer.jpg", type="jpeg", quality=80)
    page = enter(browser, url, "pit-manager-1", width=1440)
    page.goto(f"{url}/pit")
    page.locator(".tiles button").first.click()
    page.locator("#one").wait_for()
    page.screenshot(path=PICTURES / "pit.jpg", type="jpeg", quality=80)
    page = enter(browser, url, "", height=600)
    page.goto(f"{url}/sign/jackpot")
    page.locator("p.value").wait_for()
    page.screenshot(path=PICTURES / "sign.jpg", type="jpeg", quality=80)


def main() -> None:
    """Start a demo floor, and take the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "pitboss.cli.main", "serve", "--demo", "--data", f"{folder}/demo"]
        server = subprocess.Popen(
            [*command, "--port", "0", "--log", "error"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().removeprefix("listening on ").strip()
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
            take(browser, url)
            browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
