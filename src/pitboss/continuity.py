"""Is the record still the one that this process knows? After a failover, or where a database was put back, it
may have lost the end.

What is known is compared with the record whenever the database is another one, a head is not where it was,
or there is a new checkpoint: the heads that were folded or acknowledged here, and the newest checkpoints.
Where all are there, work goes on. Otherwise everything that was cached is dropped, and nothing is done or
shown until an event of the record names what is missing here (`pitboss floor reconcile`), or the record has
it again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pitboss.errors import RecordBroken, StoreError
from pitboss.floor.ports import NO_HEAD, SECOND, Head, Micros
from pitboss.floor.reconciliation import digest_of_loss
from pitboss.floor.registry import Lost, RecordReconciled
from pitboss.floor.service import Floor
from pitboss.store.journal import Checkpoint, Command, Damage, Journal, Known
from pitboss.store.keeping import has_checkpoint, newest_checkpoint
from pitboss.store.sql import SqlStore

REFUSALS_FOR = 24 * 3600 * SECOND
"""Microseconds for which the loss of a refusal is noticed: answers are not kept for ever."""

NAMED_FOLDER = "reconciled"
"""In a data folder: the lists of what was lost that are too long for their event."""

BROKEN, WHOLE, MOVED = "record-broken", "record-whole", "database-changed"
"""What listeners are told: there is a break, it is over, the database is another one that has everything."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What is known here and missing from the record; `before` and `after` are the databases."""

    heads: tuple[Known, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    refusals: tuple[Command, ...] = ()
    before: str = ""
    after: str = ""

    def __bool__(self) -> bool:
        return bool(self.heads or self.checkpoints or self.refusals)

    def __str__(self) -> str:
        if self.heads:
            stream, head = self.heads[0]
            first = f"{stream} event {head.version} is not in the record any more"
        elif self.checkpoints:
            first = f"checkpoint {self.checkpoints[0][0]} is not in the record any more"
        else:
            first = "an answer that was given is not in the record any more"
        more = len(self.heads) + len(self.checkpoints) + len(self.refusals) - 1
        return f"{first}, and {more} more" if more else first


def missing_heads(store: SqlStore, known: Iterable[Known]) -> list[Known]:
    """Those of some heads that the record does not have, each once.

    A head without a hash was only heard of: it is missing where its stream does not reach it, and where no
    missing head with a hash says so already.
    """
    return _told_by(_missing(store, known))


def _missing(store: SqlStore, known: Iterable[Known]) -> list[Known]:
    wanted = [(stream, head) for stream, head in dict.fromkeys(known) if head.version]
    if not wanted:
        return []
    missing = []
    with store.reading() as reader:  # one moment, later than all that is known
        here = reader.heads()
        for stream, head in wanted:
            now = here.get(stream, NO_HEAD)
            if now == head or (not head.hash and now.version >= head.version):
                continue
            if head.version >= now.version or reader.hash_of(stream, head.version) != head.hash:
                missing.append((stream, head))
    return missing


def _told_by(missing: list[Known]) -> list[Known]:
    """Without those only heard of, where one with a hash says as much."""
    last = {stream: head.version for stream, head in sorted(missing) if head.hash}
    return [(stream, head) for stream, head in missing if head.hash or last.get(stream, 0) < head.version]


@dataclass(frozen=True, slots=True)
class Named:
    """What events of the record name as lost: `commands` by the keys of what was done, `keys` of refusals."""

    heads: frozenset[Known] = frozenset()
    commands: frozenset[str] = frozenset()
    checkpoints: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()

    def has(self, known: Known, key: str = "") -> bool:
        """Whether a head is named; one only heard of, by what was lost of its stream from there on.

        With the `key` of the command that made it, the command must be named: another server had only read
        the head, and names neither the command nor those before it.
        """
        stream, head = known
        if key and key not in self.commands:
            return False
        if head.hash:
            return known in self.heads
        return any(name == stream and lost.version >= head.version for name, lost in self.heads)


def named_as_lost(events: Iterable[RecordReconciled], folder: Path) -> Named:
    """What these events name, with the rest of long lists from the files of a data folder."""
    lost: list[Lost] = []
    signatures: set[str] = set()
    for event in events:
        lost += event.lost if event.count == len(event.lost) else _whole_list(event, folder)
        signatures |= {row.signature for row in event.checkpoints}
    return Named(
        frozenset((row.stream, Head(row.version, row.hash)) for row in lost if row.stream),
        frozenset(row.key for row in lost if row.stream),
        frozenset(signatures),
        frozenset(row.key for row in lost if not row.stream),
    )


def _whole_list(event: RecordReconciled, folder: Path) -> tuple[Lost, ...]:
    """The list that an event gives the digest of, where it is at hand; else the beginning that it names."""
    for file in sorted((folder / NAMED_FOLDER).glob("*.jsonl")):
        try:
            found = read_lost(file)
        except (OSError, ValueError, TypeError):
            continue
        if digest_of_loss(event, found) == event.digest:
            return found
    return event.lost


def read_lost(file: Path) -> tuple[Lost, ...]:
    """The rows of such a list. Raises `ValueError` or `TypeError` for a file that is none."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return tuple(
        Lost(key=key, stream=stream, version=version, hash=hashed, at=at)
        for key, stream, version, hashed, at in rows
    )


def _wall_clock() -> Micros:
    return Micros(time.time_ns() // 1000)


@dataclass(slots=True)
class Continuity:
    """What a process knows of the record, held against it; for the floor's thread, unless said otherwise."""

    store: SqlStore
    journal: Journal
    now: Callable[[], Micros]
    folder: Path
    floors: list[Floor] = field(default_factory=list)
    known_elsewhere: list[Callable[[], Iterable[Known]]] = field(default_factory=list)
    """Heads that are shown and that no floor of the process holds."""
    listeners: list[Callable[[str, str, str], None]] = field(default_factory=list)
    """Hear of a change, with the databases before and after, once what was cached is gone."""
    heard: dict[str, int] = field(default_factory=dict)
    """How far other processes have moved each stream on, by their notices: these are sent at the commit."""
    afterwards: list[Callable[[], object]] = field(default_factory=list)
    """What could not be done while the record was broken; done once, when it is whole."""
    damaged: list[Damage] = field(default_factory=list)
    """What could not be read of journals that were taken over."""
    damage_listeners: list[Callable[[Damage], None]] = field(default_factory=list)
    """Hear of what is found damaged from now on."""
    broken: Loss | None = None
    suspected: bool = True
    _alarmed: list[Known] = field(default_factory=list)
    _unsaid: list[Known] = field(default_factory=list)
    """Heads that are missing, and that the journal could not be told of yet."""
    _beside: list[Known] = field(default_factory=list)
    """Heads that processes at work in the same folder had acknowledged when this one began."""

    def add(self, floor: Floor) -> None:
        """A floor of this process: what it holds is compared, and nothing is done on it in a break."""
        self.floors.append(floor)
        floor.guard = self.ensure
        floor.acknowledge = self.journal.acknowledge
        floor.desk.alarm = self._alarm

    def begin(self) -> None:
        """Compare what the processes of this folder, gone or at work, have acknowledged."""
        self.take_over()
        self._beside = list(self.journal.heads_beside())
        self.look()

    def suspect(self) -> None:
        """Compare before anything else is done. From any thread."""
        self.suspected = True

    def _alarm(self, stream: str, head: Head) -> None:
        self._alarmed.append((stream, head))
        self.suspected = True

    @property
    def is_in_doubt(self) -> bool:
        """Whether what is known here has to be compared before anything is done. From any thread."""
        return self.suspected or self.store.lineage.changed.is_set()

    def hear(self, moved: Iterable[tuple[str, int]]) -> None:
        """Other processes have committed versions of streams. From the listener's thread."""
        for stream, version in moved:
            if version > self.heard.get(stream, 0):
                self.heard[stream] = version

    def ensure(self) -> None:
        """Raises `RecordBroken` while the record lacks what is known here; compares first if in doubt."""
        if self.is_in_doubt:
            self.look()
        self.refuse()

    def refuse(self) -> None:
        """Raises `RecordBroken` while the record is known to lack something. From any thread."""
        if self.broken is not None:
            raise RecordBroken(str(self.broken))

    def look(self) -> None:
        """See whether the database is still the same, and compare where it is not. Raises `StoreError`."""
        self.write_again()
        if self.store.lineage.changed.is_set():
            self.store.reconnect()
        identity = self.store.identity()
        if self.broken is not None:
            self._look_again(identity)
        elif self.suspected or identity != self.store.lineage.known:
            self._compare(identity)
        else:
            self._follow_checkpoints()
        self.journal.sync()

    def write_again(self) -> None:
        """Where the journal could not be written, try it: while a server is not ready, no command does."""
        self.journal.try_again(_wall_clock())
        if (self._unsaid or self.broken is not None) and not self.journal.failed:
            self._say_seen([])

    def _say_seen(self, heads: list[Known]) -> None:
        """What is missing goes into the journal, where the command that names it finds it."""
        self._unsaid += heads
        lost = self.broken is not None and bool(self.broken.checkpoints)
        with suppress(StoreError):  # it is tried again
            self.journal.seen(_wall_clock(), self._unsaid, checkpoints=lost)
            self._unsaid = []

    def _follow_checkpoints(self) -> None:
        """Let a new checkpoint bound the journal; one that is gone is a reason to compare."""
        known = self.journal.checkpoints[-1] if self.journal.checkpoints else None
        newest = newest_checkpoint(self.store, "" if known is None else known[3])
        if newest is None and (known is None or has_checkpoint(self.store, known)):
            return
        self.take_over()  # of processes that have ended since: what they wrote is bounded here, too
        self._compare(self.store.lineage.known)
        if self.broken is None and newest is not None:
            self.journal.turn(newest, _wall_clock())

    def take_over(self) -> None:
        """Hold what processes that are gone have acknowledged here against the record, too."""
        told = self.journal.take_over()
        self.damaged += told.damaged
        for damage in told.damaged:
            for hear in self.damage_listeners:
                hear(damage)
        if told.commands or told.seen:
            self.suspected = True

    def _cached(self) -> Iterator[Known]:
        """What is held or shown here, or was heard of."""
        for floor in self.floors:
            for stream, loaded in list(floor.desk.loaded.items()):
                yield stream, loaded.head
        for stream, version in list(self.heard.items()):
            yield stream, Head(version, "")
        for elsewhere in self.known_elsewhere:
            yield from elsewhere()
        yield from self._alarmed

    def _compare(self, identity: str) -> None:
        """Hold all that is known against the record: go on, or stop."""
        self.suspected = False  # before it is read: what is suspected meanwhile is looked at again
        before = self.journal.database or self.store.lineage.known
        cached = list(self._cached())
        try:
            missing = _missing(self.store, [*cached, *self.journal.heads(), *self._beside])
            found = Loss(
                heads=tuple(_told_by(missing)),
                checkpoints=tuple(
                    row for row in self.journal.checkpoints if not has_checkpoint(self.store, row)
                ),
                refusals=tuple(self._missing_refusals(self.journal.refusals())),
                before=before,
                after=identity,
            )
            unnamed = self._unnamed(found)
        except BaseException:
            self.suspected = True
            raise
        self._alarmed.clear()
        self._beside.clear()
        self.suspected = False
        spoilt = not set(missing).isdisjoint(cached)
        if unnamed or spoilt:  # even where the record names it: what was cached is of what was lost
            self._drop()
        if unnamed:
            self.broken = unnamed
            self.store.lineage.accept(identity)
            own = set(self.journal.heads())
            self._say_seen([known for known in unnamed.heads if known not in own])
            self._tell(BROKEN, before, identity)
            return
        known = self._go_on(identity)
        if spoilt:
            self._tell(WHOLE, before, identity)
        elif known and known != identity:
            self._tell(MOVED, known, identity)

    def _look_again(self, identity: str) -> None:
        """Whether the record has, or names, everything that it lacked."""
        assert self.broken is not None
        self.suspected = False
        before = self.broken
        still = Loss(
            heads=tuple(missing_heads(self.store, before.heads)),
            checkpoints=tuple(row for row in before.checkpoints if not has_checkpoint(self.store, row)),
            refusals=tuple(self._missing_refusals(before.refusals)),
            before=before.before,
            after=identity,
        )
        unnamed = self._unnamed(still)
        self._alarmed.clear()
        self.store.lineage.accept(identity)
        if unnamed:
            self.broken = unnamed
            return
        self._drop()
        self.broken = None
        self._go_on(identity)
        self._tell(WHOLE, before.before, identity)
        while self.afterwards:
            self.afterwards.pop(0)()

    def _missing_refusals(self, refusals: Iterable[Command]) -> Iterator[Command]:
        since = self.now() - REFUSALS_FOR
        for command in refusals:
            if command.at > since and self.store.kept(command.key) is None:
                yield command

    def _unnamed(self, found: Loss) -> Loss:
        """What of a loss no event of the record names; the journal lets go of what one does."""
        if not found:
            return found
        desk = self.floors[0].desk
        try:
            house = desk.registry(self.store, fresh=True)
        except RecordBroken:  # what was folded of it is lost, too
            desk.forget_all()
            house = desk.registry(self.store, fresh=True)
        named = named_as_lost(house.reconciled, self.folder)

        def is_named(known: Known) -> bool:
            return named.has(known, self.journal.key_of(known))

        unnamed = tuple(known for known in found.heads if not is_named(known))
        self.journal.settle(is_named, named.checkpoints, named.keys)
        return Loss(
            heads=unnamed,
            checkpoints=tuple(row for row in found.checkpoints if row[3] not in named.checkpoints),
            refusals=tuple(command for command in found.refusals if command.key not in named.keys),
            before=found.before,
            after=found.after,
        )

    def _go_on(self, identity: str) -> str:
        """This database has everything, or says what it lacks; which one was known before."""
        known = self.store.lineage.known
        self.store.lineage.accept(identity)
        self.journal.work_on(_wall_clock(), identity)
        return known

    def _drop(self) -> None:
        self.heard.clear()
        for floor in self.floors:
            floor.desk.forget_all()

    def _tell(self, what: str, before: str, after: str) -> None:
        for hear in self.listeners:
            hear(what, before, after)
