"""The house's clock: brings tables on that it deals, and answers for players whose time is over.

Any number of processes may run on one floor; the clock of the one that holds the lease works, and another
takes the lease when it runs out (`store.leases`). Every step is written under the fence of the lease, so that
a process that stood still does nothing after it was replaced, and names the version it was decided on, so
that even two clocks would do nothing twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import structlog

from pitboss.errors import BadInput, DeckError, StoreBusy, StoreError
from pitboss.floor import requests as q
from pitboss.floor.desk import link_stream, table_stream
from pitboss.floor.gaming_table import ClosedTable, GamingTable, OpenTable
from pitboss.floor.house_clock import Due, due, silence_ends
from pitboss.floor.link import Link
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import SECOND, Micros
from pitboss.server.house import House
from pitboss.server.metrics import BREAKS, CLOCK_BEHIND, CLOCK_OURS, WAITING
from pitboss.store.leases import FencedOff, Lease

BEAT_SECONDS = 0.25
SIGNS_SECONDS = 0.5
KEEP_SECONDS = 1
LINKS_SECONDS = 10
FORGET_FIRST_SECONDS = 60
FORGET_SECONDS = 3600
"""How often old answers to requests are looked for; while there are many, they go in batches."""
BETWEEN_BATCHES_SECONDS = 5
LOOK_SECONDS = 2
"""How often a table that others deal is read up, to see whose time is over."""
QUIET_SECONDS = 4
"""A table that others have not moved on for so long is read up where the clock of another process works."""
READ_UP_AT_MOST = 10
"""So many of them at a time: the floor's thread has more to do."""
WATCH_SECONDS = 1
ALARM_SECONDS = 10
"""A step that was due longer ago is written down as an error: no other process has taken over."""
ALARM_AGAIN_SECONDS = 60
BACK_OFF_MICROS = 5_000_000
"""How long the clock leaves a table alone that refused its step."""

P = ParamSpec("P")
T = TypeVar("T")

log = structlog.get_logger("pitboss.server")


class Clockwork:
    """What a server process does without being asked."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.turn = Lease(house.work.store.engine, "clock")
        self._later: dict[str, Micros] = {}
        self._looked: dict[str, float] = {}
        self._moved: dict[str, tuple[int, float]] = {}
        """How far others have moved a table that is not read up, and since when no more was heard."""
        self._due: dict[str, Micros] = {}
        """When the next step of each table is due, as far as this process knows; it may be long past."""
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin."""
        parts = (self._beat(), self._tell_signs(), self._watch())
        self._tasks = [asyncio.create_task(part) for part in parts]

    async def stop(self) -> None:
        """End, and let another process have its turn."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._try("turn", self.turn.give_back)

    async def _tell_signs(self) -> None:
        """Jackpots reach their signs a moment after they have moved, however often they do."""
        kept = time.monotonic()
        while True:
            await asyncio.sleep(SIGNS_SECONDS)
            WAITING.set(self.house.worker.waiting)
            BREAKS.set(self.house.notices.breaks)
            if self.house.continuity.broken is None:
                await self._try("signs", self.house.catch_up)
                await self._try("signs", self.house.hub.tell_signs)
            if time.monotonic() - kept > KEEP_SECONDS:
                kept = time.monotonic()
                await self._try("presence", self.house.work.keep)

    async def _beat(self) -> None:
        checked = looked = time.monotonic()
        forgets_at = time.monotonic() + FORGET_FIRST_SECONDS
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if self.house.continuity.broken is not None:
                continue
            if await self._try("turn", self.turn.is_ours):
                await self._try("clock", self._all_tables)
                if time.monotonic() - checked > LINKS_SECONDS:
                    checked = time.monotonic()
                    await self._try("links", self._links)
                if time.monotonic() > forgets_at:
                    more = await self._try("old answers", self._forget)
                    forgets_at = time.monotonic() + (BETWEEN_BATCHES_SECONDS if more else FORGET_SECONDS)
            elif time.monotonic() - looked > LOOK_SECONDS:
                looked = time.monotonic()
                await self._try("clock", self._look)

    async def _watch(self) -> None:
        """Measure how far the clock is behind, in every process; the floor's thread is not needed."""
        alarmed = -float(ALARM_AGAIN_SECONDS)
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            behind, table = self.behind()
            CLOCK_BEHIND.set(behind)
            CLOCK_OURS.set(self.turn.fence is not None)
            if behind > ALARM_SECONDS and time.monotonic() - alarmed > ALARM_AGAIN_SECONDS:
                alarmed = time.monotonic()
                ours = self.turn.fence is not None
                log.error("clock-behind", seconds=round(behind, 1), table=table, ours=ours)

    def behind(self) -> tuple[float, str]:
        """For how many seconds the oldest step has been due, and at which table; from any thread."""
        now = self.house.floor.now()
        late = [(now - at, name) for name, at in list(self._due.items())]
        most, table = max(late, default=(0, ""))
        return (most / SECOND, table) if most > 0 else (0.0, "")

    async def _try(self, what: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Do something on the floor's thread; a failure is written down, and the clock goes on."""
        try:
            return await self.house.worker.run(work, *args, **kwargs)
        except StoreBusy as busy:
            log.warning("store-busy", where=what, what=busy.what)
        except StoreError as error:
            log.error("store", where=what, what=error.what)
        except Exception:
            log.exception(what)
        return None

    def _forget(self) -> bool:
        """On the floor's thread: forget old answers to requests; whether there may be more of them."""
        days = self.house.settings.keep_answers_days
        answer = self.house.work.forget_answers(SYSTEM, days=days, spare_days=1)
        return answer is not None and answer.ok

    def _all_tables(self) -> None:
        """On the floor's thread: what is due at every table; trouble at one does not stop the others."""
        floor, store = self.house.floor, self.house.work.store
        tables = floor.desk.registry(floor.store).tables
        with store.fenced(self.turn.fence):
            for name in tables:
                try:
                    self._table(name)
                except FencedOff:
                    self.turn.lost()
                    log.warning("clock-replaced")
                    return
                except StoreBusy as busy:
                    self._back_off(name)
                    log.warning("clock", table=name, problem=busy.what)
                except DeckError as error:
                    self._back_off(name)
                    log.error("clock", table=name, problem=error.what)
                except StoreError:
                    raise  # it is the same at every table, and each may take long to say so
                except Exception as error:
                    self._back_off(name)
                    log.error("clock", table=name, problem=str(error)[:200], exc_info=error)

    def _back_off(self, name: str) -> None:
        self._later[name] = Micros(self.house.floor.now() + BACK_OFF_MICROS)

    def _table(self, name: str) -> None:
        """On the floor's thread: what is due at a table."""
        floor = self.house.floor
        stale = self.house.hub.stale_tables
        table = floor.known(name)
        if name in stale:
            last = table.as_open
            if (last is None or last.dealing is None) and time.monotonic() - self._looked.get(
                name, 0.0
            ) < LOOK_SECONDS:
                return  # a person deals it elsewhere; the time of decisions is seen to soon enough
            self._looked[name] = time.monotonic()
            stale.discard(name)
            table = floor.gaming_table(name)
        if isinstance(table, ClosedTable):
            self._due.pop(name, None)
            return
        now = floor.now()
        if now < self._later.get(name, Micros(0)):
            return
        self._later.pop(name, None)
        step = self._note_due(name, table, self._link(table))
        if name not in self._due or self._due[name] > now:
            return
        try:
            answers = floor.tick(name, fresh=False)
            if not answers and step is not None and step.at <= now:
                version = floor.desk.loaded[table_stream(name)].head.version
                answers = [floor.do(SYSTEM, q.Act(table=name, command=step.command, expect=version))]
        except BadInput as error:
            log.warning("clock", table=name, problem=str(error))
            self._back_off(name)
            return
        for answer in answers:
            if not answer.ok and answer.code != "stale-version":
                log.warning("clock-refused", table=name, code=answer.code)
                self._back_off(name)
        if answers and name not in self._later:
            self._due.pop(name, None)  # the next beat looks what comes next

    def _note_due(self, name: str, table: OpenTable, link: Link | None) -> Due | None:
        """The next step of the dealer at a table; when that, or the end of a silence, is due is noted."""
        desk = self.house.floor.desk
        step = due(table, link, last=desk.loaded[table_stream(name)].at, beacon=desk.beacon)
        moments = [at for at in (silence_ends(table), None if step is None else step.at) if at is not None]
        if moments:
            self._due[name] = min(moments)
        else:
            self._due.pop(name, None)
        return step

    def _look(self) -> None:
        """On the floor's thread, while the clock of another process works: what is known here to be due.

        A table that others have just moved on has had its step, and nothing is read for it. Where it then
        stays as it is, it is read up, once: that clock may stand still.
        """
        desk = self.house.floor.desk
        quiet = []
        for name in desk.registry(self.house.floor.store).tables:
            loaded = desk.loaded.get(table_stream(name))
            if loaded is None or name in self.house.hub.stale_tables:
                self._due.pop(name, None)
                if self._is_quiet(name):
                    quiet.append(name)
                continue
            self._moved.pop(name, None)
            self._note_what_is_due(name, self._known_link(loaded.state))
        for name in quiet[:READ_UP_AT_MOST]:
            self._read_up(name)

    def _is_quiet(self, name: str) -> bool:
        """Whether nothing was heard of a table for a while."""
        now = time.monotonic()
        version = self.house.continuity.heard.get(table_stream(name), 0)
        known, since = self._moved.get(name, (-1, now))
        if known != version:
            self._moved[name] = version, now
            return False
        return now - since >= QUIET_SECONDS

    def _read_up(self, name: str) -> None:
        """Read up a table that stays as others left it; trouble at one does not stop the others."""
        stale = self.house.hub.stale_tables
        stale.discard(name)  # before it is read: what is heard meanwhile makes it stale again
        try:
            self._note_what_is_due(name, self._link(self.house.floor.gaming_table(name)))
        except Exception as error:
            stale.add(name)
            if isinstance(error, StoreError):
                raise  # it is the same at every table, and each may take long to say so
            log.error("clock", table=name, problem=str(error)[:200], exc_info=error)
        self._moved.pop(name, None)

    def _known_link(self, table: GamingTable) -> Link | None:
        """The link of a table as it is held here, without reading."""
        link = "" if isinstance(table, ClosedTable) else table.opened.link
        found = self.house.floor.desk.loaded.get(link_stream(link)) if link else None
        return None if found is None else found.state

    def _note_what_is_due(self, name: str, link: Link | None) -> None:
        """Note when the next step of a table is due, by what is held of it."""
        table = self.house.floor.known(name)
        if isinstance(table, OpenTable):
            self._note_due(name, table, link)
        else:
            self._due.pop(name, None)

    def _links(self) -> None:
        """On the floor's thread: what jackpots bring about at tables, where it was cut short."""
        with self.house.work.store.fenced(self.turn.fence):
            try:
                self.house.floor.see_to_links()
            except FencedOff:
                self.turn.lost()

    def _link(self, table: GamingTable) -> Link | None:
        link = "" if isinstance(table, ClosedTable) else table.opened.link
        if isinstance(table, ClosedTable) or not link:
            return None
        found = None if table.state.claim else self.house.floor.desk.loaded.get(link_stream(link))
        return self.house.floor.link(link) if found is None else found.state
