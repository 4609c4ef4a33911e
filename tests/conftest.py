"""Options of the test run."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.databases import make_tables_quickly, postgres_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["support.costs"]


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests away from the settings and scores of the person who runs them."""
    folder = tempfile.TemporaryDirectory(prefix="pitboss-nobody-")
    config.add_cleanup(folder.cleanup)
    os.environ |= {"XDG_CONFIG_HOME": f"{folder.name}/config", "XDG_DATA_HOME": f"{folder.name}/data"}


def pytest_collection_modifyitems() -> None:
    """Where tests are run: what lives as long as the process."""
    _log_plainly()
    make_tables_quickly()


def _log_plainly() -> None:
    """What a service in this process warns of, and errors as Python shows them: in colour they take seconds."""
    import structlog

    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(
        processors=[*structlog.get_config()["processors"][:-1], plain],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the golden transcripts of tests/scenarios"
    )


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server for this test process.

    It has a folder of its own: every start of pytest closes the folder that all runs share to other users, and
    the server is one where the tests run as root.
    """
    own = tempfile.TemporaryDirectory(prefix="pitboss-postgres-", ignore_cleanup_errors=True)
    with own as folder, postgres_server(Path(folder)) as uri:
        yield uri


@pytest.fixture(scope="session")
def open_browser() -> Iterator[Browser]:
    """The browser of this test process."""
    from support.browser import chromium

    with chromium() as found:
        yield found


@pytest.fixture
def browser(open_browser: Browser) -> Iterator[Browser]:
    """The browser without any page. Pages that a test leaves open are closed after it."""
    yield open_browser
    for context in open_browser.contexts:
        context.close()


def _without_the_browsers_loop(item: pytest.Item) -> Iterator[None]:
    """While a browser is open, Playwright's loop counts as running; tests without a browser may run their own."""
    if "browser" in getattr(item, "fixturenames", ()):
        return (yield)
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(_without_the_browsers_loop)
pytest_runtest_call = pytest.hookimpl(wrapper=True)(_without_the_browsers_loop)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported and collected stays to the end: the collector of garbage need not look at it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()
