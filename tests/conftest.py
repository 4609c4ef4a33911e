"""Options of the test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the golden transcripts of tests/scenarios"
    )


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server for this test process."""
    from support.databases import postgres_server

    with postgres_server(tmp_path_factory.mktemp("postgres")) as uri:
        yield uri
