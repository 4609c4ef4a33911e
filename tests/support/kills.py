"""Floors whose processes and databases are killed: nothing is lost, and every round ends by its clause."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pitboss.bootstrap import Settings, open_store
from pitboss.errors import StoreError
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.ports import RoundRow, Store
from pitboss.floor.seeded import BEGINNING
from pitboss.floor.service import Floor
from pitboss.verification import verify
from support.databases import fresh_database, kill_postgres, start_postgres
from support.forked import Forked
from support.record import audited, lost

VERIFIED_EVERY = 6
"""Kills that share a verification of the whole record. A failure is repeated by its seed."""
LONGEST_WORK = 0.2
"""Seconds that a worker has at most before it is killed."""
GRACE = "0.1"
"""Seconds that a restarted database gives other processes to come back: here there are none."""
CLAUSES = {
    "mbs-thb-9": ("5.16", "6.1"),
    "mbs-3cp-2023": ("5.16", "6.1"),
    "mbs-stud-6": ("5.16", "6.1"),
    "rws-thp-2": ("5.7",),
    "hoiana-thb-2025": ("7.1",),
}
"""What an interruption is ruled by in each book; the beginning of its clauses."""

# --- workers ----------------------------------------------------------------------------------------------


class Nursery:
    """Starts workers: `support.floor_worker` as forked processes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._started = folder, 0

    def start(self, where: Settings, notes: Path, run: str, *more: str) -> Worker:
        """A worker that has opened the floor. Raises `AssertionError` if it did not come to that."""
        self._started += 1
        clock = BEGINNING + int(run.rpartition("-")[2]) * 10**12
        words = ["--data", str(where.data), "--notes", str(notes), "--run", run, "--clock", str(clock)]
        words += ["--database", where.database, *more]
        return Worker(words, self.folder / f"worker-{self._started}.errors")


class Worker:
    """A process at work on a floor."""

    def __init__(self, words: Sequence[str], errors: Path) -> None:
        self._errors = errors
        self._process = Forked(words, errors=errors, program="support.floor_worker:main")
        line = self._process.stdout.readline()
        if not line.startswith("ready"):
            raise AssertionError(f"the worker did not start: {line} {self.ended()[1]}")

    def kill(self) -> None:
        """At once, as when the power fails."""
        self._process.kill()
        self.ended()

    def ended(self) -> tuple[str, str]:
        """What it said and its errors, once it has ended by itself."""
        with self._process.stdout as out:
            output = out.read()
        self._process.wait()
        return output, self._errors.read_text(encoding="utf-8")


# --- rounds in play ---------------------------------------------------------------------------------------


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


def check_interrupted(store: Store, rows: list[OpenRound]) -> None:
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
        book = _book_of(store, row.rulebook)
        cited = reports[-1].data.split('"clauses":')[1]
        assert any(f'"{clause}' in cited for clause in CLAUSES[book]), (book, cited)


def _book_of(store: Store, rulebook: str) -> str:
    for event in store.read("floor"):
        if event.name == "rulebook-proposed.v1" and rulebook in event.data:
            return str(event.data.split('"id":"')[1].split('"')[0])
    raise AssertionError(rulebook)


# --- floors that are killed -------------------------------------------------------------------------------


class KilledFloor:
    """A floor that is killed again and again, and looked at every time."""

    def __init__(self, where: Settings, notes: Path, workers: Nursery, *, seed: int) -> None:
        self.where, self.notes, self.workers, self.seed = where, notes, workers, seed
        self.kills = self.taken_up = self._read = 0
        self._were_open: list[OpenRound] = []
        notes.touch()

    def start(self, *more: str) -> Worker:
        """The next worker."""
        return self.workers.start(
            self.where, self.notes, f"run-{self.kills + 1}", "--seed", str(self.seed), "--grace", GRACE, *more
        )

    def look(self) -> None:
        """After a kill: nothing answered is missing, and what was in play before it was taken up by its clause."""
        self.kills += 1
        store = open_store(self.where)
        try:
            assert lost(store, self.notes, after=self._read) == [], self.kills
            self._read = self.notes.stat().st_size
            check_interrupted(store, self._were_open)
            self.taken_up += len(self._were_open)
            self._were_open = open_rounds_of(store)
        finally:
            store.close()
        if self.kills % VERIFIED_EVERY == 0:
            self.verify()

    def verify(self) -> None:
        found = verify(self.where, processes=1)
        assert found.ok, (self.kills, [str(problem) for problem in found.problems])

    def finish(self) -> None:
        """Every round comes to its end; the record is verified, audited, and nothing of it all is missing."""
        output, errors = self.start("--commands", "0", "--finish").ended()
        assert "done" in output, errors
        self.verify()
        store = open_store(self.where)
        try:
            assert open_rounds_of(store) == []
            assert lost(store, self.notes) == []
            assert audited(store) == []
        finally:
            store.close()


@contextmanager
def kill_folder() -> Iterator[Path]:
    """A new folder, in memory where there is a file system for that.

    What a killed process has written is kept by the system, on a disk or not; a disk is only slower.
    """
    memory = Path("/dev/shm")
    with TemporaryDirectory(
        prefix="pitboss-kills-", dir=memory if os.access(memory, os.W_OK) else None
    ) as found:
        yield Path(found)


def kill_on_sqlite(folder: Path, *, seed: int, kills: int, until: float) -> int:
    """Kill a floor's process so many times, or until the time is over; how many times it was."""
    rng = Random(seed)
    floor = KilledFloor(Settings(folder / "floor"), folder / "notes", Nursery(folder), seed=seed)
    while floor.kills < kills and (time.monotonic() < until or not floor.kills):
        worker = floor.start()
        time.sleep(rng.uniform(0.01, LONGEST_WORK))
        worker.kill()
        floor.look()
    floor.finish()
    assert floor.taken_up >= floor.kills - 1
    return floor.kills


def kill_on_postgres(folder: Path, *, seed: int, kills: int, until: float) -> int:
    """The same on PostgreSQL, where every second kill is the database's, with its worker at work."""
    cluster, rng = folder / "postgres", Random(seed)
    server = start_postgres(cluster)
    try:
        where = Settings(folder / "floor", fresh_database(server.get_uri()))
        floor = KilledFloor(where, folder / "notes", Nursery(folder), seed=seed)
        while floor.kills < kills and (time.monotonic() < until or floor.kills < 2):
            worker = floor.start()
            time.sleep(rng.uniform(0.05, LONGEST_WORK))
            if floor.kills % 2 == 0:
                worker.kill()
            else:
                kill_postgres(cluster)
                _, errors = worker.ended()
                assert "does not answer" in errors or "database" in errors, errors
                assert "Traceback" not in errors, errors
                with suppress(StoreError):
                    open_store(where)
                    raise AssertionError("a database that is down was opened")
                server.ensure_postgres_running()
            floor.look()
        floor.finish()
        return floor.kills
    finally:
        server.cleanup()
