"""Options of the test run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Settings and scores of whoever runs the tests are not theirs to read or to write."""
    folder = tempfile.TemporaryDirectory(prefix="pitboss-nobody-")
    config.add_cleanup(folder.cleanup)
    os.environ |= {"XDG_CONFIG_HOME": f"{folder.name}/config", "XDG_DATA_HOME": f"{folder.name}/data"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the golden transcripts of tests/scenarios"
    )


LONGEST_FIRST = (
    "test_floor_crashes",
    "test_lighthouse",
    "test_docs_service",
    "test_soak",
    "test_simulator",
    "test_evaluator",
    "test_solvers",
    "test_service_processes",
    "test_screens",
    "test_maths_reports",
    "test_histories",
    "test_site_built",
    "test_service",
)
"""Files whose tests take longest. What is begun last should be short, or one process works while others wait."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each process of a run begins with its part of the long tests."""
    processes = int(getattr(config, "workerinput", {}).get("workercount", 1))
    if processes == 1:
        return

    def rank(item: pytest.Item) -> int:
        if item.get_closest_marker("whole") is None:
            return len(LONGEST_FIRST) + 1
        name = item.path.stem
        return next(
            (at for at, long in enumerate(LONGEST_FIRST) if name.startswith(long)), len(LONGEST_FIRST)
        )

    items.sort(key=rank)
    items[:] = [item for first in range(processes) for item in items[first::processes]]


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server for this test process."""
    from support.databases import postgres_server

    with postgres_server(tmp_path_factory.mktemp("postgres")) as uri:
        yield uri
