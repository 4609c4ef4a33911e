"""A floor that is killed at any moment loses nothing, repeats nothing, and ends every round by its clause."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from pitboss.bootstrap import DATABASE_FILE, Settings, open_store
from pitboss.errors import StoreError
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.ports import RoundRow, Store
from pitboss.floor.seeded import BEGINNING
from pitboss.floor.service import Floor
from pitboss.store.keeping import backup
from pitboss.verification import verify
from support.databases import fresh_database, kill_postgres, start_postgres
from support.record import audited, lost

pytestmark = pytest.mark.whole

KILLS = int(os.environ.get("PROVE_KILLS", "12"))
KILLS_A_FLOOR = 50
DATABASE_KILLS = max(4, KILLS // 10)
TESTS = Path(__file__).resolve().parent.parent
CLAUSES = {
    "mbs-thb-9": ("5.16", "6.1"),
    "mbs-3cp-2023": ("5.16", "6.1"),
    "mbs-stud-6": ("5.16", "6.1"),
    "rws-thp-2": ("5.7",),
    "hoiana-thb-2025": ("7.1",),
}
"""What an interruption is ruled by in each book; the beginning of its clauses."""


def worker(where: Settings, notes: Path, run: str, *more: str) -> subprocess.Popen[str]:
    """A process that works on the floor; it has said that it is ready."""
    number = int(run.rpartition("-")[2])
    command = [sys.executable, "-m", "support.floor_worker", "--data", str(where.data), "--notes", str(notes)]
    command += [
        "--run",
        run,
        "--clock",
        str(BEGINNING + number * 10**12),
        "--database",
        where.database,
        *more,
    ]
    process = subprocess.Popen(
        command,
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line.startswith("ready"):
        process.wait()
        assert process.stderr is not None
        raise AssertionError(f"the worker did not start: {line} {process.stderr.read()}")
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def interrupted(store: Store, rows: list[OpenRound]) -> None:
    """Every round that was open at the crash has its interruption on record, by the floor, with its clause.

    One that waited for a ruling then goes on waiting for it, and has no clause of its own.
    """
    for row, version, suspended in rows:
        events = store.read(f"table/{row.table}", after=row.first_version - 1)
        noted = [e for e in events if e.name == "interrupted.v1" and e.version > version]
        assert noted, f"the interruption of {row.table} round {row.number} is not on record"
        if suspended:
            continue
        reports = [e for e in events if e.name == "irregularity-reported.v1" and e.actor == "system"]
        assert reports, f"{row.table} round {row.number} was not taken up"
        assert '"kind":"power-failure"' in reports[-1].data
        book = book_of(store, row.rulebook)
        cited = reports[-1].data.split('"clauses":')[1]
        assert any(f'"{clause}' in cited for clause in CLAUSES[book]), (book, cited)


def book_of(store: Store, rulebook: str) -> str:
    for event in store.read("floor"):
        if event.name == "rulebook-proposed.v1" and rulebook in event.data:
            return str(event.data.split('"id":"')[1].split('"')[0])
    raise AssertionError(rulebook)


class OpenRound(NamedTuple):
    """A round in play, the version its table is at, and whether a ruling is awaited in it."""

    row: RoundRow
    version: int
    suspended: bool


def open_rounds_of(store: Store) -> list[OpenRound]:
    """Rounds in play; a round in which a ruling or a claim is awaited is in play, too."""
    floor = Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
    return [
        OpenRound(row, floor.version(row.table), floor.table(row.table).state.suspension is not None)
        for row in store.open_rounds()
    ]


@pytest.mark.parametrize("seed", range(20261116, 20261116 + -(-KILLS // KILLS_A_FLOOR)))
def test_killed_at_random_moments_on_sqlite(tmp_path: Path, seed: int) -> None:
    where, notes, rng = Settings(tmp_path / "floor"), tmp_path / "notes", Random(seed)
    kills = min(KILLS, KILLS_A_FLOOR)
    notes.touch()
    were_open: list[OpenRound] = []
    taken_up = 0
    for number in range(1, kills + 1):
        process = worker(where, notes, f"run-{number}")
        time.sleep(rng.uniform(0.02, 0.7))
        end(process)
        found = verify(where, processes=1)
        assert found.ok, (number, [str(problem) for problem in found.problems])
        store = open_store(where)
        assert lost(store, notes) == []
        interrupted(store, were_open)
        taken_up += len(were_open)
        were_open = open_rounds_of(store)
        store.close()
    assert taken_up >= kills
    process = worker(where, notes, f"run-{kills + 1}", "--commands", "0", "--finish")
    output, errors = process.communicate(timeout=120)
    assert "done" in output, errors
    store = open_store(where)
    assert open_rounds_of(store) == []
    assert verify(where, processes=1).ok
    assert audited(store) == []
    store.close()


def test_processes_and_postgresql_killed_under_load(tmp_path: Path) -> None:
    """Now a worker is killed, now the database: nothing that was answered is lost."""
    folder = tmp_path / "postgres"
    server = start_postgres(folder)
    notes, rng = tmp_path / "notes", Random(7)
    notes.touch()
    try:
        where = Settings(tmp_path / "floor", fresh_database(server.get_uri()))
        for number in range(1, DATABASE_KILLS + 1):
            process = worker(where, notes, f"run-{number}")
            time.sleep(rng.uniform(0.1, 0.8))
            if number % 2:
                end(process)
            else:
                kill_postgres(folder)
                _, errors = process.communicate(timeout=60)
                assert "does not answer" in errors or "database" in errors
                assert "Traceback" not in errors
                with pytest.raises(StoreError):
                    open_store(where)
                server.ensure_postgres_running()
            found = verify(where, processes=1)
            assert found.ok, [str(problem) for problem in found.problems]
            store = open_store(where)
            assert lost(store, notes) == []
            store.close()
        process = worker(where, notes, f"run-{DATABASE_KILLS + 1}", "--commands", "0", "--finish")
        output, errors = process.communicate(timeout=120)
        assert "done" in output, errors
        store = open_store(where)
        assert audited(store) == []
        assert verify(where, processes=1).ok
        store.close()
    finally:
        server.cleanup()


def test_a_clean_stop_in_the_middle_of_a_round_is_no_crash(tmp_path: Path) -> None:
    where, notes = Settings(tmp_path / "floor"), tmp_path / "notes"
    for number in (1, 2):
        process = worker(where, notes, f"run-{number}", "--commands", "60")
        output, errors = process.communicate(timeout=60)
        assert "done" in output, errors
    store = open_store(where)
    assert open_rounds_of(store)
    assert not any(
        event.name == "irregularity-reported.v1" and event.actor == "system"
        for stream in store.heads()
        for event in store.read(stream)
    )
    store.close()


def test_a_floor_at_work_verifies_and_is_backed_up(tmp_path: Path, postgres: str) -> None:
    """Whoever checks sees one moment of it, on either database."""
    for database in ("", fresh_database(postgres)):
        where = Settings(tmp_path / f"floor{bool(database)}", database)
        process = worker(where, tmp_path / f"notes{bool(database)}", "run-1")
        try:
            for number in range(3):
                found = verify(where, processes=1 + number % 2)
                assert found.ok, [str(problem) for problem in found.problems]
                store = open_store(where)
                backup(store, tmp_path / f"{bool(database)}-{number}.backup")
                store.close()
        finally:
            end(process)
        copied = Settings(tmp_path / f"copied{bool(database)}")
        copied.data.mkdir()
        (tmp_path / f"{bool(database)}-2.backup").rename(copied.data / DATABASE_FILE)
        assert verify(copied, processes=1).ok


def test_four_processes_on_sixty_four_tables_of_one_link(tmp_path: Path, postgres: str) -> None:
    """Hits landing together: pool, reserve and racks are what the auditor recomputes, in one order of hits."""
    where, notes = Settings(tmp_path / "floor", fresh_database(postgres)), tmp_path / "notes"
    setting_up = worker(where, notes, "run-0", "--tables", "64", "--one-link", "--commands", "0")
    output, errors = setting_up.communicate(timeout=120)
    assert "done" in output, errors
    processes = [
        worker(
            where, tmp_path / f"notes-{n}", f"race-{n}", "--tables", "64", "--one-link",
            "--only", ",".join(str(table) for table in range(n - 1, 64, 4)),
            "--commands", "500", "--hits", "500", "--finish",
        )
        for n in (1, 2, 3, 4)
    ]  # fmt: skip
    for process in processes:
        output, errors = process.communicate(timeout=400)
        assert "done" in output, errors[-2000:]
    store = open_store(where)
    for n in (1, 2, 3, 4):
        assert lost(store, tmp_path / f"notes-{n}") == []
    assert audited(store) == []
    assert verify(where).ok
    events = store.read("link/mega")
    entered = [event.version for event in events if event.name == "claim-entered.v1"]
    fixed = [e.version for e in events if e.name == "claim-fixed.v1" and "entered first" in e.data]
    assert len(entered) >= 20
    assert len(fixed) == len(entered)
    assert all(b == a + 1 for a, b in zip(entered, fixed, strict=True))
    hits = {event.actor for event in events if event.name == "claim-entered.v1"}
    assert len(hits) > 4
    store.close()
