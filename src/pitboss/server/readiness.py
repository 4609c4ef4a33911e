"""Whether this process can serve: it hears the others, its store takes what is written, its disk has room.

Reading proves little: a full disk answers questions and takes no command. So a row is written, read back and
deleted again, and a file beside the journal, on a thread of its own, at most every few seconds however often
it is asked.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import structlog

from pitboss.errors import StoreError
from pitboss.server.worker import Worker

if TYPE_CHECKING:
    from pitboss.server.house import House

PROBE_SECONDS = 5
"""How long an answer holds."""
PATIENCE_SECONDS = 4
"""How long the store may take for the probe."""
CATCH_UP_SECONDS = 2
"""How long the floor's thread may take to come to what other processes have done."""
JOURNAL = "journal"
LEAST_ROOM = 512 * 1024
"""So many bytes are free on a disk that is not full."""

log = structlog.get_logger("pitboss.server")


class Failing(NamedTuple):
    """What is not ready, and why, in words that anybody may read."""

    what: str
    problem: str


class Readiness:
    """Whether one process is ready, looked at now and then."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._thread = Worker("readiness")
        self._probing: asyncio.Task[tuple[Failing, ...]] | None = None
        self._found: tuple[Failing, ...] = ()
        self._at: float | None = None
        self._began = 0.0
        self.probes = 0
        """How often the store was written to."""

    async def failing(self) -> tuple[Failing, ...]:
        """Everything that fails; what the store says is at most a few seconds old."""
        store = await self._of_the_store()
        journal = await self._journal()
        deaf = await self._deafness()  # a process whose record is broken is deaf as well: that is asked last
        store = tuple(one for one in store if not journal or one.what != JOURNAL)
        return (*await self._record(), *deaf, *journal, *store)

    def stop(self) -> None:
        """End the thread; a store that hangs is not waited for."""
        self._thread.leave()

    async def _record(self) -> tuple[Failing, ...]:
        """Whether the record has everything that this process knows."""
        continuity = self._house.continuity
        if continuity.is_in_doubt:
            looking = asyncio.ensure_future(self._house.worker.run(continuity.look))
            await asyncio.wait([looking], timeout=PATIENCE_SECONDS)
            if not looking.done() or looking.exception() is not None:
                return (Failing("record", "the record was not compared yet with what this process knows"),)
        broken = continuity.broken
        return () if broken is None else (Failing("record", f"record-broken: {broken}"),)

    async def _journal(self) -> tuple[Failing, ...]:
        """Whether what is acknowledged can be written down; tried where it could not be the last time."""
        journal = self._house.continuity.journal
        if journal.failed:
            trying = asyncio.ensure_future(self._house.worker.run(self._house.continuity.write_again))
            await asyncio.wait([trying], timeout=PATIENCE_SECONDS)
            if trying.done() and not trying.cancelled():
                trying.exception()
        return (Failing(JOURNAL, journal.failed),) if journal.failed else ()

    async def _deafness(self) -> tuple[Failing, ...]:
        """After commits of others the floor's thread reads up; a process is deaf if that takes too long."""
        until = time.monotonic() + CATCH_UP_SECONDS
        while self._house.hub.behind and time.monotonic() < until:
            await asyncio.sleep(0.02)
        if not self._house.notices.listening.is_set() or self._house.hub.behind:
            return (Failing("notices", "deaf to the other processes"),)
        return ()

    async def _of_the_store(self) -> tuple[Failing, ...]:
        if self._at is not None and time.monotonic() - self._at < PROBE_SECONDS:
            return self._found
        if self._probing is None:
            self._began = time.monotonic()
            self._probing = asyncio.create_task(self._probe())
        probing = self._probing
        patience = PATIENCE_SECONDS - (time.monotonic() - self._began)
        done, _ = await asyncio.wait([probing], timeout=max(0, patience))
        if done:
            return probing.result()
        return (Failing("store", f"the store did not take a row within {PATIENCE_SECONDS} seconds"),)

    async def _probe(self) -> tuple[Failing, ...]:
        """One look for all who ask meanwhile; one that hangs is waited for and not begun anew."""
        self.probes += 1
        try:
            found = await self._thread.run(lambda: tuple(self._look()))
        except Exception as error:
            log.error("readiness", problem=str(error)[:200])
            found = (Failing("store", "the store does not work"),)
        self._found, self._at = found, time.monotonic()
        self._probing = None
        return found

    def _look(self) -> Iterator[Failing]:
        engine = self._house.work.store.engine
        try:
            self._house.identity.identities.probe(f"probe {secrets.token_hex(16)}")
        except StoreError as error:
            log.error("readiness", problem=error.what[:200])
            yield Failing("store", _for_all(error.what))
        try:
            self._house.continuity.journal.probe()
        except StoreError as error:
            log.error("readiness", problem=error.what[:200])
            yield Failing(JOURNAL, error.what)
        if engine.dialect.name == "sqlite" and engine.url.database:
            yield from _full_disk(Path(engine.url.database).parent)


def _for_all(what: str) -> str:
    """What is wrong with the store, without what the database said: addresses and names are in that."""
    return what.partition(" (")[0]


def _full_disk(folder: Path) -> Iterator[Failing]:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        yield Failing("disk", "the folder of the floor cannot be read")
        return
    if free < LEAST_ROOM:
        yield Failing("disk", f"the disk is full: {free // 1024} KiB are free")
