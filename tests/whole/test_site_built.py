"""The documentation site as it is built: whole, on a phone and on a desk, with nothing from elsewhere."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.browser import WIDTHS
from support.page_blocks import ROOT

pytestmark = pytest.mark.whole

LOOKED_AT = (
    "index.html",
    "games/mbs-thb-9.html",
    "register/rws-thp-2.html",
    "readings/mbs-3cp-2023.html",
    "reference/rulebook-format.html",
    "reference/http.html",
    "architecture.html",
    "guides/regulators.html",
)


def build(folder: Path, docs: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of some folder of documents into `folder/site`."""
    config = folder / "mkdocs.yml"
    config.write_text(
        f"INHERIT: {ROOT}/mkdocs.yml\ndocs_dir: {docs}\nsite_dir: {folder}/site\n"
        f"hooks: [{ROOT}/tools/docs_hook.py]\n"
    )
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config)],
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site on a port."""
    folder = tmp_path_factory.mktemp("site")
    built = build(folder, ROOT / "docs")
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    handler = functools.partial(Quiet, directory=str(folder / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{server.server_name}:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name there
        pass


def test_pages_fit_and_ask_nobody_else(address: str, browser: Browser) -> None:
    page = browser.new_page()
    elsewhere: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda asked: None if asked.url.startswith(address) else elsewhere.append(asked.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for name in LOOKED_AT:
        page.goto(f"{address}/{name}")
        for width in ("phone", "desk"):
            wide, high = WIDTHS[width]
            page.set_viewport_size({"width": wide, "height": high})
            assert page.evaluate("document.documentElement.scrollWidth") <= wide, (name, width)
        broken = "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
        assert page.evaluate(broken) == [], name
    assert [url for url in elsewhere if not url.startswith(("data:", "blob:"))] == []
    assert wrong == []


def test_a_clause_is_found_by_searching(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{address}/index.html")
    page.get_by_placeholder("Search").press_sequentially("misdeal")
    page.locator(".md-search-result__item").first.wait_for(timeout=15_000)


def test_a_link_that_leads_nowhere_stops_the_build(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    page = tmp_path / "docs" / "glossary.md"
    page.write_text(page.read_text() + "\n[nowhere](nowhere.md), [no anchor](floor.md#nothing-such)\n")
    built = build(tmp_path, tmp_path / "docs")
    assert built.returncode != 0
    assert "nowhere.md" in built.stderr
    assert "nothing-such" in built.stderr
