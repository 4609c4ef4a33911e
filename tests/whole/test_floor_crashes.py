"""A floor that is killed at any moment loses nothing, repeats nothing, and ends every round by its clause."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pitboss.bootstrap import DATABASE_FILE, Settings, open_store
from pitboss.store.keeping import backup
from pitboss.verification import verify
from support.databases import fresh_database
from support.hit_races import race_for_a_jackpot
from support.kills import (
    Nursery,
    kill_folder,
    kill_on_postgres,
    kill_on_sqlite,
    open_rounds_of,
)

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]


@pytest.fixture
def workers(tmp_path: Path) -> Nursery:
    return Nursery(tmp_path)


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
            for number in range(2):
                found = verify(where, processes=1 + number)
                assert found.ok, [str(problem) for problem in found.problems]
                store = open_store(where)
                backup(store, tmp_path / f"{bool(database)}-{number}.backup")
                store.close()
        finally:
            worker.kill()
        copied = Settings(tmp_path / f"copied{bool(database)}")
        copied.data.mkdir()
        (tmp_path / f"{bool(database)}-1.backup").rename(copied.data / DATABASE_FILE)
        assert verify(copied, processes=1).ok


def test_four_processes_claim_jackpots_of_one_link(tmp_path: Path, postgres: str, workers: Nursery) -> None:
    """Hits landing together: pool, reserve and racks are what the auditor recomputes, in one order of hits."""
    where = Settings(tmp_path / "floor", fresh_database(postgres))
    found = race_for_a_jackpot(where, tmp_path, workers, seed=1, tables=16, commands=300)
    assert found.holds, str(found)
