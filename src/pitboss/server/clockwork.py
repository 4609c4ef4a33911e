"""The house's clock: brings tables on that it deals, and answers for players whose time is over.

Any number of processes may run on one floor; the clock of one of them works, that of another takes over when
it is gone (`store.presence.Turn`). Every step names the version it was decided on, so that even two clocks
would do nothing twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import structlog

from pitboss.errors import BadInput, StoreError
from pitboss.floor import requests as q
from pitboss.floor.desk import link_stream, table_stream
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.house_clock import due
from pitboss.floor.link import Link
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import Micros
from pitboss.server.house import House
from pitboss.server.metrics import BREAKS, WAITING
from pitboss.store.presence import Turn

BEAT_SECONDS = 0.25
SIGNS_SECONDS = 0.5
KEEP_SECONDS = 1
LINKS_SECONDS = 10
LOOK_SECONDS = 2
"""How often a table that others deal is read up, to see whose time is over."""
BACK_OFF_MICROS = 5_000_000
"""How long the clock leaves a table alone that refused its step."""

P = ParamSpec("P")
T = TypeVar("T")

log = structlog.get_logger("pitboss.server")


class Clockwork:
    """What a server process does without being asked."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.turn = Turn(house.work.store.engine)
        self._later: dict[str, Micros] = {}
        self._looked: dict[str, float] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin."""
        self._tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._tell_signs())]

    async def stop(self) -> None:
        """End, and let another process have its turn."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.house.worker.run(self.turn.leave)

    async def _tell_signs(self) -> None:
        """Jackpots reach their signs a moment after they have moved, however often they do."""
        kept = time.monotonic()
        while True:
            await asyncio.sleep(SIGNS_SECONDS)
            WAITING.set(self.house.worker.waiting)
            BREAKS.set(self.house.notices.breaks)
            await self._try("signs", self.house.catch_up)
            await self._try("signs", self.house.hub.tell_signs)
            if time.monotonic() - kept > KEEP_SECONDS:
                kept = time.monotonic()
                await self._try("presence", self.house.work.keep)

    async def _beat(self) -> None:
        seen_to = time.monotonic()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if not await self._try("turn", self.turn.is_ours):
                continue
            await self._try("clock", self._all_tables)
            if time.monotonic() - seen_to > LINKS_SECONDS:
                seen_to = time.monotonic()
                await self._try("links", self.house.floor.see_to_links)

    async def _try(self, what: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Do something on the floor's thread; a failure is written down, and the clock goes on."""
        try:
            return await self.house.worker.run(work, *args, **kwargs)
        except StoreError as error:
            log.error("store", where=what, what=error.what)
        except Exception:
            log.exception(what)
        return None

    def _all_tables(self) -> None:
        """On the floor's thread: what is due at every table; trouble at one does not stop the others."""
        floor = self.house.floor
        for name in floor.desk.registry(floor.store).tables:
            try:
                self._table(name)
            except Exception as error:
                log.error("clock", table=name, problem=str(error)[:200], exc_info=error)
                self._later[name] = Micros(floor.now() + BACK_OFF_MICROS)

    def _table(self, name: str) -> None:
        """On the floor's thread: what is due at a table."""
        floor = self.house.floor
        stale = self.house.hub.stale_tables
        table = floor.known(name)
        if name in stale:
            if table.dealing is None and time.monotonic() - self._looked.get(name, 0.0) < LOOK_SECONDS:
                return  # a person deals it elsewhere; the time of decisions is seen to soon enough
            self._looked[name] = time.monotonic()
            stale.discard(name)
            table = floor.table(name)
        if not table.is_open:
            return
        now = floor.now()
        if now < self._later.get(name, Micros(0)):
            return
        try:
            answers = floor.tick(name, fresh=False)
            step = due(table, self._link(table), last=floor.desk.loaded[table_stream(name)].at)
            if not answers and step is not None and step.at <= now:
                version = floor.desk.loaded[table_stream(name)].head.version
                answers = [floor.do(SYSTEM, q.Act(table=name, command=step.command, expect=version))]
        except BadInput as error:
            log.warning("clock", table=name, problem=str(error))
            self._later[name] = Micros(now + BACK_OFF_MICROS)
            return
        for answer in answers:
            if not answer.ok and answer.code != "stale-version":
                log.warning("clock-refused", table=name, code=answer.code)
                self._later[name] = Micros(now + BACK_OFF_MICROS)

    def _link(self, table: GamingTable) -> Link | None:
        opened = table.opened
        if opened is None or not opened.link:
            return None
        if table.play is not None and table.play.claim:
            return self.house.floor.link(opened.link)
        found = self.house.floor.desk.loaded.get(link_stream(opened.link))
        return self.house.floor.link(opened.link) if found is None else found.state
