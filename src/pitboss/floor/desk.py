"""The desk: loads what a request is about, drafts what it changes, and has all of it written or nothing.

States are folded once and kept; where a stream has moved on meanwhile, the request is decided again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from typing import Any, Generic, TypeAlias

from pitboss.errors import BadInput, RecordBroken, check, near_miss
from pitboss.floor import disputes, patrons, registry
from pitboss.floor.codec import Beside, decode, encode, with_kept
from pitboss.floor.gaming_table import GamingTable, OpenTable, must_be_open
from pitboss.floor.link import Link
from pitboss.floor.link_events import LinkEvent
from pitboss.floor.people import Asker
from pitboss.floor.ports import (
    BEGINNING,
    NO_HEAD,
    Batch,
    Beacon,
    CardSource,
    Clock,
    Head,
    Kept,
    Micros,
    Missing,
    Posting,
    Reader,
    Recorded,
    RoundRow,
    Store,
    chain_hash,
)
from pitboss.floor.registry import Registry
from pitboss.floor.required_ranks import required
from pitboss.floor.sealing import DeckBox
from pitboss.floor.stream_kinds import Mark, StreamKind, kind_of, mark_of, name_in
from pitboss.floor.streams import E, S, Stream
from pitboss.floor.table_events import AnyTableEvent
from pitboss.play.encoding import got_later
from pitboss.play.refusal import Refusal
from pitboss.play.transitions import Played, Transition
from pitboss.rulebooks.load import plan_of_text
from pitboss.rulebooks.plan import Plan

TableStream: TypeAlias = "Stream[GamingTable, AnyTableEvent]"
LinkStream: TypeAlias = "Stream[Link, LinkEvent]"


def table_stream(table: str) -> TableStream:
    """The name of a table's stream."""
    return Stream(f"table/{table}")


def link_stream(name: str) -> LinkStream:
    """The name of a link's stream."""
    return Stream(f"link/{name}")


@lru_cache(maxsize=64)
def _plan(book_id: str, document: str, readings: tuple[tuple[str, str], ...]) -> Plan:
    return plan_of_text(book_id, document, dict(readings))


@dataclass(slots=True)
class Loaded(Generic[S]):
    """A state with the head of its stream that it is the fold of, and the time of its last event."""

    head: Head
    state: S
    at: Micros = BEGINNING


@dataclass(slots=True)
class Desk:
    """What the floor works with, and the states it has folded so far."""

    store: Store
    clock: Clock
    cards: CardSource
    decks: DeckBox
    beacon: Beacon | None = None
    loaded: dict[str, Loaded[Any]] = field(default_factory=dict)
    alarm: Callable[[str, Head], None] = lambda stream, head: None
    """Hears of a head that was known here and is not in the record; from the thread that has found it."""
    registry_read_at: Micros = Micros(-(10**18))  # noqa: RUF009

    def registry(self, reader: Reader, *, fresh: bool = False) -> Registry:
        """Who and what there is; read up at most once a second, and always when asked for fresh."""
        now = self.clock.now()
        found = self.loaded.get(registry.STREAM)
        if found is None or fresh or not 0 <= now - self.registry_read_at < 1_000_000:
            found = self.read_up(reader, registry.STREAM)
            self.registry_read_at = now
        state: Registry = found.state
        return state

    def plan_of(self, rulebook: str) -> Plan:
        """The plan of a rulebook that was proposed here, by its hash."""
        loaded = self.loaded.get(registry.STREAM)
        found = None if loaded is None else loaded.state.rulebooks.get(rulebook)
        if found is None:
            found = self.registry(self.store, fresh=True).rulebooks[rulebook]
        return _plan(found.id, found.document, tuple(sorted(found.readings.items())))

    def read_up(self, reader: Reader, stream: Stream[S, E]) -> Loaded[S]:
        """A stream's state with everything that was recorded so far."""
        found: Loaded[S] | None = self.loaded.get(stream)
        if found is None:
            found = self.from_snapshot(reader, stream)
        events = self.read_on(reader, stream, found.head)
        if events:
            state = found.state
            for recorded in events:
                state = self.step(stream, state, recorded).after
            found = Loaded(Head(events[-1].version, events[-1].hash), state, events[-1].at)
        self.loaded[stream] = found
        return found

    def read_on(self, reader: Reader, stream: str, head: Head) -> Sequence[Recorded]:
        """What follows a head that is known here. Raises `RecordBroken` where the record does not have it."""
        try:
            return reader.read_on(stream, head)
        except Missing as missing:
            if self.store.hash_of(stream, head.version) == head.hash:
                return ()  # the reader looks at an earlier moment than what is known here
            self.alarm(stream, head)
            raise RecordBroken(f"{stream} event {head.version} is not in the record any more") from missing

    def from_snapshot(self, reader: Reader, stream: Stream[S, E]) -> Loaded[S]:
        """The state that the last snapshot of a stream has, or an empty one."""
        kind, name = kind_of(stream), name_in(stream)
        snapshot = None if kind.kept is None else reader.snapshot(stream)
        if kind.kept is not None and snapshot is not None:
            version, text = snapshot
            last = reader.read(stream, after=max(0, version - 1), until=version)
            if last:  # else it is a snapshot of nothing; the whole stream tells
                self.registry(reader)
                state = kind.kept(name, json.loads(text), self.plan_of)
                return Loaded(Head(version, last[0].hash), state, last[0].at)
        return Loaded(NO_HEAD, kind.begin(name))

    def step(self, stream: Stream[S, E], before: S, recorded: Recorded) -> Transition[S, E]:
        """A recorded event with the state of its stream before and after it."""
        event: E = decode(recorded)
        return Transition(before, event, self.evolve(stream, before, event, mark_of(recorded)))

    def evolve(self, stream: Stream[S, E], state: S, event: E, mark: Mark) -> S:
        """The state of a stream after one event."""
        return kind_of(stream).evolve(state, event, mark, self.plan_of, None)

    def learn(self, stream: Stream[S, E], last: Recorded, state: S) -> None:
        """Somebody else has folded a stream up to an event; what is known here is not older."""
        found = self.loaded.get(stream)
        if found is None or found.head.version < last.version:
            self.loaded[stream] = Loaded(Head(last.version, last.hash), state, last.at)

    def let_go(self) -> None:
        """Keep tables, links and the registry in memory; players and disputes are read when needed."""
        for stream in [name for name in self.loaded if name.startswith(("player/", "dispute/"))]:
            del self.loaded[stream]

    def forget_all(self) -> None:
        """Nothing that was folded here counts any more: all of it is read again when it is needed."""
        self.loaded.clear()
        self.registry_read_at = Micros(-(10**18))

    def forget(self, stream: str) -> None:
        """A stream has moved on: it is read up when it is needed next."""
        if stream == registry.STREAM:
            self.registry_read_at = Micros(-(10**18))
        found = self.loaded.get(stream)
        if found is not None:
            self.read_up(self.store, Stream(stream))


class Draft:
    """One request on its way: what it reads, and everything it will change."""

    def __init__(self, desk: Desk, reader: Reader, asker: Asker, at: Micros) -> None:
        self.desk = desk
        self.reader = reader
        self.asker = asker
        self.at = at
        self.expected: dict[str, Head] = {}
        self.after: dict[str, Loaded[Any]] = {}
        self.events: list[Recorded] = []
        self.postings: list[Posting] = []
        self.snapshots: dict[str, tuple[int, str]] = {}
        self.rounds: dict[tuple[str, int], RoundRow] = {}
        self.decks: dict[tuple[str, int], bytes | None] = {}
        self.answer: dict[str, Any] = {}
        self.said: dict[str, list[object]] = {}
        self.forgotten_before = BEGINNING

    # --- what there is --------------------------------------------------------------------------------

    @property
    def registry(self) -> Registry:
        """People, players, books and names as the draft has them."""
        drafted = self.after.get(registry.STREAM)
        if drafted is not None:
            state: Registry = drafted.state
            return state
        return self.desk.registry(self.reader)

    def find(self, stream: Stream[S, E], *, fresh: bool = False) -> Loaded[S]:
        """A stream's state as the draft has it: drafted, folded before, or read now."""
        drafted: Loaded[S] | None = self.after.get(stream)
        if drafted is not None:
            return drafted
        if fresh or stream not in self.desk.loaded:
            return self.desk.read_up(self.reader, stream)
        known: Loaded[S] = self.desk.loaded[stream]
        return known

    def table(self, name: str) -> GamingTable:
        """A table that exists. Raises `BadInput` for one that does not."""
        if (
            name not in self.registry.tables
            and name not in self.desk.registry(self.reader, fresh=True).tables
        ):
            raise BadInput("table", f"there is no table '{name}'", near_miss(name, self.registry.tables))
        return self.find(table_stream(name)).state

    def open_table(self, name: str) -> OpenTable | Refusal:
        """A table that something is done at, or the refusal of one that is closed. Raises `BadInput`."""
        return must_be_open(self.table(name))

    def link(self, name: str) -> Link:
        """A link that exists, read up to now. Raises `BadInput` for one that does not."""
        if name not in self.registry.links and name not in self.desk.registry(self.reader, fresh=True).links:
            raise BadInput("link", f"there is no link '{name}'", near_miss(name, self.registry.links))
        return self.find(link_stream(name), fresh=True).state

    def dispute(self, number: int) -> disputes.Dispute:
        """A dispute that exists, read up to now. Raises `BadInput` for one that does not."""
        found = self.find(disputes.stream_of(number), fresh=True).state
        if isinstance(found, disputes.NoDispute):
            raise BadInput("dispute", f"there is no dispute {number}", "'pitboss floor dispute' lists them")
        return found

    def day(self, at: Micros | None = None) -> str:
        """The gaming day of a moment."""
        return gaming_day(self.registry, self.at if at is None else at)

    def not_before(self, streams: Iterable[str]) -> None:
        """Time goes on in a stream with every step, whatever the clocks of several machines say.

        Nor is it ever before the time from which answers are kept.
        """
        house = self.desk.loaded.get(registry.STREAM)
        if house is not None:
            self.at = max(self.at, house.state.answers_since)
        for stream in streams:
            loaded = self.desk.loaded.get(stream)
            if loaded is not None and loaded.at >= self.at:
                self.at = Micros(loaded.at + 1)

    # --- what changes ---------------------------------------------------------------------------------

    def record(self, stream: Stream[S, E], events: Iterable[E]) -> S:
        """Draft events of a stream; the state after them."""
        return self._record(stream, ((event, None) for event in events))

    def record_at(self, table: str, events: Iterable[AnyTableEvent | Played]) -> GamingTable:
        """Draft events of a table; the table after them. What was played is not evolved again."""
        pairs = ((item.event, item) if isinstance(item, Transition) else (item, None) for item in events)
        return self._record(table_stream(table), pairs)

    def _record(self, stream: Stream[S, E], events: Iterable[tuple[E, Played | None]]) -> S:
        found, kind = self.find(stream), kind_of(stream)
        self.expected.setdefault(stream, found.head)
        request = self.said.setdefault(stream, [])
        head, state, actor = found.head, found.state, str(self.asker)
        for event, played in events:
            name, data = encode(event, Beside(authority=self._authority(state, event, request)))
            request.append(event)
            mark = Mark(head.version + 1, self.at, actor)
            after = kind.evolve(state, event, mark, self.desk.plan_of, played)
            step = Transition(state, event, after)
            hashed = chain_hash(
                head.hash,
                stream=stream,
                version=mark.version,
                at=self.at,
                actor=actor,
                name=name,
                data=data,
            )
            self.events.append(Recorded(stream, mark.version, self.at, actor, name, data, hashed))
            self.postings += [Posting(stream, mark.version, *line) for line in kind.lines(step)]
            row = kind.row(step, mark)
            if row is not None:
                self.rounds[(row.table, row.number)] = row
            if head.version and kind.keeps_before(step):
                self._keep(stream, kind, head, state)
            head, state = Head(mark.version, hashed), after
        if kind.keeps_every and head.version // kind.keeps_every > found.head.version // kind.keeps_every:
            self._keep(stream, kind, head, state)
        self.after[stream] = Loaded(head, state, self.at)
        return state

    def _keep(self, stream: str, kind: StreamKind[S, E], head: Head, state: S) -> None:
        """A snapshot, written with the rest."""
        kept = kind.keep(state)
        if kept is not None:
            self.snapshots[stream] = (head.version, _compact(kept))

    def _authority(self, before: object, event: object, request: Sequence[object]) -> str:
        """The rank that is written beside an event, by the floor's permissions or the table's rulebook."""
        in_force = self.registry.permissions
        if type(event) is registry.FloorCreated:
            in_force = event.permissions
        return required(before, event, request, in_force) if in_force else ""

    def bind(self, key: str, fingerprint: str, answer: str) -> None:
        """Let the record speak of the answer that is kept: with the last event of the first stream."""
        stream = next(iter(self.after), None)
        if stream is None or not self.registry.permissions:
            return
        place = max(n for n, event in enumerate(self.events) if event.stream == stream)
        event = self.events[place]
        data = with_kept(event.data, digest_of(key, self.at, fingerprint, answer))
        if event.version - 1 == self.expected[stream].version:
            before = self.expected[stream].hash
        else:
            before = next(e.hash for e in self.events if (e.stream, e.version) == (stream, event.version - 1))
        hashed = chain_hash(
            before,
            stream=stream,
            version=event.version,
            at=event.at,
            actor=event.actor,
            name=event.name,
            data=data,
        )
        self.events[place] = event._replace(data=data, hash=hashed)
        loaded = self.after[stream]
        self.after[stream] = Loaded(Head(event.version, hashed), loaded.state, loaded.at)

    def batch(self, key: str, fingerprint: str, answer: str) -> Batch:
        """Everything drafted, to be written at once."""
        check(sum(posting.amount for posting in self.postings) == 0, "a draft's postings balance")
        return Batch(
            key=key,
            kept=Kept(fingerprint, answer),
            at=self.at,
            expected=self.expected,
            events=self.events,
            postings=self.postings,
            snapshots=self.snapshots,
            rounds=list(self.rounds.values()),
            decks=self.decks,
            house=self._house(),
            forget_before=self.forgotten_before,
        )

    def _house(self) -> Head:
        """The floor's own stream as the draft knew it, unless the draft moves it on itself."""
        loaded = self.desk.loaded.get(registry.STREAM)
        return NO_HEAD if loaded is None or registry.STREAM in self.expected else loaded.head


def _compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def digest_of(key: str, at: int, fingerprint: str, answer: str) -> str:
    """What the record says of an answer that is kept, so that it cannot be changed alone."""
    text = f"{key}\n{at}\n{fingerprint}\n{answer}"
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]


def fingerprint_of(asker: Asker, request: Any) -> str:
    """What a key was used for: asker and request, so that a key is never used for two things."""
    return hashlib.sha256(f"{asker}\n{_canonical(request)}".encode()).hexdigest()


def _canonical(value: Any) -> str:
    """A value in words that do not depend on the order in which a mapping was written."""
    if is_dataclass(value) and not isinstance(value, type):
        said_later = got_later(type(value))
        parts = ",".join(
            f"{part.name}={_canonical(getattr(value, part.name))}"
            for part in fields(value)
            if part.name not in said_later or getattr(value, part.name) != said_later[part.name]
        )
        return f"{type(value).__name__}({parts})"
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{key!r}:{_canonical(item)}" for key, item in value.items())) + "}"
    if isinstance(value, tuple | list):
        return "[" + ",".join(_canonical(item) for item in value) + "]"
    return repr(value)


def gaming_day(house: Registry, at: Micros) -> str:
    """The date of the gaming day that a moment belongs to, by the house's own clock."""
    from datetime import UTC, datetime, timedelta

    hours, minutes = (int(part) for part in house.day_begins.split(":"))
    local = datetime.fromtimestamp(at / 1_000_000, UTC) + timedelta(minutes=house.utc_offset_minutes)
    return (local - timedelta(hours=hours, minutes=minutes)).date().isoformat()


def played_today(draft: Draft, player: str, *, currency: str) -> patrons.DayOfPlay:
    """What a player's ended stays of this gaming day come to."""
    day = patrons.DayOfPlay(gaming_day=draft.day())
    for event, at in draft.find(patrons.stream_of(player), fresh=True).state:
        if isinstance(event, patrons.StayEnded):
            day = patrons.add_stay(day, event, at, currency=currency)
    return day
