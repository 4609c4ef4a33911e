"""Live views: every version of a table reaches everybody who watches it, as he may see it.

A watcher gets one message a version, in order. Who comes back names the version he has, and gets those he
missed; after too long (about ten rounds) he gets the present one, marked `missed`, and recalls the rounds
between. Everything here but the queues of the sockets is done on the floor's thread.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import structlog
from msgspec import UNSET

from pitboss.errors import StoreError
from pitboss.floor.desk import Loaded, link_stream, table_stream
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.link import Link
from pitboss.floor.overview import sign_view
from pitboss.floor.ports import NO_HEAD, Head, Micros
from pitboss.floor.service import Floor
from pitboss.floor.views import floor_view
from pitboss.play.shapes import parts_of
from pitboss.play.views import Role, Viewer
from pitboss.server.metrics import FAN_OUT, MESSAGES, WATCHERS
from pitboss.server.shapes import ErrorMessage, JackpotMessage, ViewMessage

KEPT_VERSIONS = 64
LONGEST_QUEUE = 512
PUBLIC = Viewer(Role.PUBLIC)
log = structlog.get_logger("pitboss.server")
_encode = msgspec.json.Encoder().encode
_BROKEN = _encode(
    ErrorMessage(code="record-broken", message="What was shown is not in the record any more. Look again.")
)


class Watcher:
    """A socket that watches: what waits to be sent on it, and as whom its owner looks."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(LONGEST_QUEUE)
        self.viewer = PUBLIC
        self.tables: dict[str, int] = {}
        self.signs = False
        self.overrun = False
        self.broken = False

    def send(self, messages: Sequence[bytes]) -> None:
        """From the floor's thread: messages for this socket."""
        self.loop.call_soon_threadsafe(self._put, messages)

    def _put(self, messages: Sequence[bytes]) -> None:
        for message in messages:
            if self.overrun:
                return
            if self.queue.qsize() >= LONGEST_QUEUE - 1:  # too slow: he is cut off, and resumes where he was
                self.overrun = True
                self.queue.put_nowait(None)
                return
            self.queue.put_nowait(message)

    def drop(self) -> None:
        """From the floor's thread: what this socket was sent is not in the record; say so, and close it."""
        self.loop.call_soon_threadsafe(self._drop)

    def _drop(self) -> None:
        self.broken = self.overrun = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(_BROKEN)
        self.queue.put_nowait(None)


@dataclass(slots=True)
class Watched:
    """A table that somebody watches, with its last versions and the head that the last one is the fold of."""

    head: Head = NO_HEAD
    versions: deque[tuple[int, GamingTable]] = field(default_factory=lambda: deque(maxlen=KEPT_VERSIONS))
    watchers: set[Watcher] = field(default_factory=set)

    @property
    def last(self) -> int:
        """The last version there is; 0 before the first."""
        return self.versions[-1][0] if self.versions else 0


class Hub:
    """Everybody who watches something in this process."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.tables: dict[str, Watched] = {}
        self.signs: set[Watcher] = set()
        self.links: dict[str, int] = {}
        self._stale_links: set[str] = set()
        self.behind = False
        """Something may not have been told; everything that is watched is looked at again."""
        self.sockets: set[Watcher] = set()
        """Every open socket, whether it watches something or not."""
        self.stale_tables: set[str] = set()
        """Tables that others have moved on and nobody here watches; the clock reads them up."""
        floor.listener = self.moved_here

    # --- watching -------------------------------------------------------------------------------------

    def watch(self, watcher: Watcher, name: str, after: int | None) -> None:
        """Begin to watch a table; `after` is the version the watcher has.

        Raises `BadInput` and `RecordBroken`.
        """
        self.floor.guard()
        self.floor.gaming_table(name)
        watched = self.tables.get(name)
        if watched is None:
            watched = self.tables[name] = Watched()  # from here on every notice of it is news
            try:
                self.floor.gaming_table(name)
            except StoreError:
                del self.tables[name]
                raise
            loaded = self.floor.desk.loaded[table_stream(name)]
            watched.head = loaded.head
            watched.versions.append((loaded.head.version, loaded.state))
        else:
            self._read_up(name)
        versions, missed = self._since(name, watched, after)
        watched.watchers.add(watcher)
        WATCHERS.set(sum(len(table.watchers) for table in self.tables.values()))
        watcher.tables[name] = watched.last
        link = self._link_of(watched.versions[-1][1])
        messages = [self._message(name, version, table, link, watcher.viewer) for version, table in versions]
        if missed:
            version, table = watched.versions[-1]
            messages = [self._message(name, version, table, link, watcher.viewer, missed=True)]
        if link is not None:
            messages.append(self._sign_message(link.link))
        watcher.send(messages)

    def _since(
        self, name: str, watched: Watched, after: int | None
    ) -> tuple[list[tuple[int, GamingTable]], bool]:
        """The versions a watcher lacks; and whether there are more than can be told one by one."""
        if after is None:
            return [watched.versions[-1]], False
        if after > watched.last:  # what the watcher has is not in the record: it is not to go on from there
            return [], True
        if after >= watched.versions[0][0]:
            return [(version, table) for version, table in watched.versions if version > after], False
        return self._from_record(name, after)

    def _from_record(self, name: str, after: int) -> tuple[list[tuple[int, GamingTable]], bool]:
        desk, stream = self.floor.desk, table_stream(name)
        base = desk.from_snapshot(self.floor.store, stream)
        if after < base.head.version:
            return [], True
        versions: list[tuple[int, GamingTable]] = []
        state, at = base.state, Micros(-1)
        for recorded in self.floor.store.read(stream, after=base.head.version):
            state = desk.step(stream, state, recorded).after
            if recorded.version <= after:
                continue
            if recorded.at == at and versions:  # events of one step are one version to look at
                versions.pop()
            versions.append((recorded.version, state))
            at = recorded.at
        return versions, False

    def leave(self, watcher: Watcher, name: str | None = None) -> None:
        """Watch a table no more, or nothing at all."""
        for table in [name] if name is not None else list(watcher.tables):
            watched = self.tables.get(table)
            if watched is not None:
                watched.watchers.discard(watcher)
                if not watched.watchers:
                    del self.tables[table]
            watcher.tables.pop(table, None)
        if name is None:
            self.signs.discard(watcher)
        WATCHERS.set(sum(len(table.watchers) for table in self.tables.values()))

    def watch_signs(self, watcher: Watcher) -> None:
        """Begin to watch every jackpot. Raises `RecordBroken`."""
        self.floor.guard()
        self.signs.add(watcher)
        watcher.send([self._sign_message(name) for name in self.floor.registry.links])

    def heads(self) -> Iterator[tuple[str, Head]]:
        """The heads of everything that is shown."""
        for name, watched in list(self.tables.items()):
            yield table_stream(name), watched.head

    def drop(self) -> None:
        """Nothing that was shown counts any more: every socket is told so and closed, and comes back anew."""
        for watcher in list(self.sockets):
            watcher.drop()
        self.tables.clear()
        self.signs.clear()
        self.links.clear()
        self._stale_links.clear()
        self.stale_tables.clear()
        WATCHERS.set(0)

    # --- what happens ---------------------------------------------------------------------------------

    def moved_here(self, stream: str, seen: int, loaded: Loaded[Any]) -> None:
        """This process has moved a stream on. It was done; whatever goes wrong here is made good later."""
        kind, _, name = stream.partition("/")
        try:
            if kind == "link":
                self._stale_links.add(name)
            elif kind == "table" and name in self.tables:
                watched = self.tables[name]
                if seen == watched.last:
                    watched.head = loaded.head
                    self._tell(name, watched, [(loaded.head.version, loaded.state)])
                elif loaded.head.version > watched.last:  # others were there in between
                    self._read_up(name)
        except Exception:
            log.exception("live", stream=stream)
            self.behind = True

    def moved(self, pairs: Iterable[tuple[str, int]]) -> None:
        """Somebody has moved streams on: read up what is watched and not known yet."""
        for stream, version in pairs:
            kind, _, name = stream.partition("/")
            if kind == "link":
                self._stale_links.add(name)
            elif kind == "table" and name in self.tables:
                if version > self.tables[name].last:
                    self._read_up(name)
            elif kind == "table":
                loaded = self.floor.desk.loaded.get(stream)
                if loaded is None or loaded.head.version < version:
                    self.stale_tables.add(name)

    def has_seen(self, stream: str, version: int) -> bool:
        """Whether a notice is no news. From any thread: at worst, what was seen is looked at again."""
        kind, _, name = stream.partition("/")
        if kind != "table":
            return kind in ("player", "dispute") or (kind == "link" and name in self._stale_links)
        watched = self.tables.get(name)
        if watched is not None:
            return watched.last >= version
        loaded = self.floor.desk.loaded.get(stream)
        return name in self.stale_tables or (loaded is not None and loaded.head.version >= version)

    def look_at_everything(self) -> None:
        """Notices may have been missed: read up all that is watched."""
        for name in list(self.tables):
            self._read_up(name)
        self.stale_tables |= set(self.floor.registry.tables)
        self._stale_links |= set(self.floor.registry.links)

    def _read_up(self, name: str) -> None:
        watched = self.tables[name]
        desk, stream = self.floor.desk, table_stream(name)
        base = watched.versions[-1]
        events = desk.read_on(self.floor.store, stream, watched.head)
        if not events:
            return
        state, versions = base[1], list[tuple[int, GamingTable]]()
        at = Micros(-1)
        for recorded in events:
            state = desk.step(stream, state, recorded).after
            if recorded.at == at:
                versions.pop()
            versions.append((recorded.version, state))
            at = recorded.at
        watched.head = Head(events[-1].version, events[-1].hash)
        desk.learn(stream, events[-1], state)
        self._tell(name, watched, versions)

    def _tell(self, name: str, watched: Watched, versions: list[tuple[int, GamingTable]]) -> None:
        began = time.perf_counter()
        watched.versions.extend(versions)
        link = self._link_of(versions[-1][1])
        by_viewer: dict[Viewer, list[bytes]] = {}
        for watcher in watched.watchers:
            viewer = watcher.viewer
            if viewer not in by_viewer:
                by_viewer[viewer] = [
                    self._message(name, version, table, link, viewer) for version, table in versions
                ]
            watcher.tables[name] = watched.last
            watcher.send(by_viewer[viewer])
            MESSAGES.inc(len(versions))
        FAN_OUT.observe(time.perf_counter() - began)

    def tell_signs(self) -> None:
        """The jackpots that have moved, to whoever watches them or a table that plays for them."""
        for name in list(self._stale_links):
            self._stale_links.discard(name)  # before it is read: whatever comes meanwhile is news
            try:
                link = self.floor.link(name)
            except StoreError:
                self._stale_links.add(name)
                raise
            version = self.floor.desk.loaded[link_stream(name)].head.version
            if self.links.get(name) == version:
                continue
            self.links[name] = version
            message = [self._sign_message(name)]
            players = {
                watcher
                for member in link.members
                if member in self.tables
                for watcher in self.tables[member].watchers
            }
            for watcher in self.signs | players:
                watcher.send(message)

    # --- messages -------------------------------------------------------------------------------------

    def _link_of(self, table: GamingTable) -> Link | None:
        link = "" if table.as_open is None else table.as_open.opened.link
        if not link:
            return None
        found = self.floor.desk.loaded.get(link_stream(link))
        return self.floor.link(link) if found is None else found.state

    def _message(
        self,
        name: str,
        version: int,
        table: GamingTable,
        link: Link | None,
        viewer: Viewer,
        *,
        missed: bool = False,
    ) -> bytes:
        view = None if table.as_open is None else floor_view(table, link, viewer)
        return _encode(ViewMessage(table=name, version=version, view=view, missed=missed or UNSET))

    def _sign_message(self, name: str) -> bytes:
        link = self.floor.link(name)
        version = self.floor.desk.loaded[link_stream(name)].head.version
        return _encode(JackpotMessage(**parts_of(sign_view(self.floor, link)), version=version))
