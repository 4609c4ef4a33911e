"""A floor that is killed at any moment loses nothing, repeats nothing, and ends every round by its clause."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.bootstrap import DATABASE_FILE, Settings, open_store
from pitboss.store.keeping import backup
from pitboss.verification import verify
from support.databases import fresh_database
from support.kills import (
    Nursery,
    kill_folder,
    kill_on_postgres,
    kill_on_sqlite,
    nursery,
    open_rounds_of,
)
from support.record import audited, lost

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Nursery]:
    with nursery(tmp_path) as found:
        yield found


def test_killed_at_random_moments_on_sqlite() -> None:
    """`make prove PART=kills` does it for minutes."""
    with kill_folder() as folder:
        assert kill_on_sqlite(folder, seed=20261116, kills=12, until=math.inf) == 12


def test_processes_and_postgresql_killed_under_load() -> None:
    """Now a worker is killed, now the database: nothing that was answered is lost."""
    with kill_folder() as folder:
        assert kill_on_postgres(folder, seed=7, kills=4, until=math.inf) == 4


def test_a_clean_stop_in_the_middle_of_a_round_is_no_crash(tmp_path: Path, workers: Nursery) -> None:
    where, notes = Settings(tmp_path / "floor"), tmp_path / "notes"
    for number in (1, 2):
        output, errors = workers.start(where, notes, f"run-{number}", "--commands", "60").ended()
        assert "done" in output, errors
    store = open_store(where)
    assert open_rounds_of(store)
    assert not any(
        event.name == "irregularity-reported.v1" and event.actor == "system"
        for stream in store.heads()
        for event in store.read(stream)
    )
    store.close()


def test_a_floor_at_work_verifies_and_is_backed_up(tmp_path: Path, postgres: str, workers: Nursery) -> None:
    """Whoever checks sees one moment of it, on either database."""
    for database in ("", fresh_database(postgres)):
        where = Settings(tmp_path / f"floor{bool(database)}", database)
        worker = workers.start(where, tmp_path / f"notes{bool(database)}", "run-1")
        try:
            for number in range(3):
                found = verify(where, processes=1 + number % 2)
                assert found.ok, [str(problem) for problem in found.problems]
                store = open_store(where)
                backup(store, tmp_path / f"{bool(database)}-{number}.backup")
                store.close()
        finally:
            worker.kill()
        copied = Settings(tmp_path / f"copied{bool(database)}")
        copied.data.mkdir()
        (tmp_path / f"{bool(database)}-2.backup").rename(copied.data / DATABASE_FILE)
        assert verify(copied, processes=1).ok


def test_four_processes_on_sixty_four_tables_of_one_link(
    tmp_path: Path, postgres: str, workers: Nursery
) -> None:
    """Hits landing together: pool, reserve and racks are what the auditor recomputes, in one order of hits."""
    where, notes = Settings(tmp_path / "floor", fresh_database(postgres)), tmp_path / "notes"
    setting_up = workers.start(where, notes, "run-0", "--tables", "64", "--one-link", "--commands", "0")
    output, errors = setting_up.ended()
    assert "done" in output, errors
    racing = [
        workers.start(
            where, tmp_path / f"notes-{n}", f"race-{n}", "--tables", "64", "--one-link",
            "--only", ",".join(str(table) for table in range(n - 1, 64, 4)),
            "--commands", "300", "--hits", "500", "--finish",
        )
        for n in (1, 2, 3, 4)
    ]  # fmt: skip
    for worker in racing:
        output, errors = worker.ended()
        assert "done" in output, errors[-2000:]
    store = open_store(where)
    for n in (1, 2, 3, 4):
        assert lost(store, tmp_path / f"notes-{n}") == []
    assert audited(store) == []
    assert verify(where).ok
    events = store.read("link/mega")
    entered = [event.version for event in events if event.name == "claim-entered.v1"]
    fixed = [e.version for e in events if e.name == "claim-fixed.v1" and "entered first" in e.data]
    assert len(entered) >= 10
    assert len(fixed) == len(entered)
    assert all(b == a + 1 for a, b in zip(entered, fixed, strict=True))
    hits = {event.actor for event in events if event.name == "claim-entered.v1"}
    assert len(hits) > 4
    store.close()
