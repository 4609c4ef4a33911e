"""The floor kept in SQLite or PostgreSQL, through SQLAlchemy Core.

One transaction writes a command's events, money, rounds, decks and key. The number of an event in its stream
is the check for concurrency; streams that must be serial are held by row locks (SQLite has one writer).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, Insert, Table, and_, delete, func, insert, select, update
from sqlalchemy.dialects import sqlite

from pitboss.errors import check
from pitboss.floor.ports import (
    BEGINNING,
    FLOOR,
    NO_HEAD,
    Batch,
    Head,
    Kept,
    Micros,
    Missing,
    OldAnswer,
    Posting,
    Recorded,
    Repeated,
    RoundRow,
    Stale,
)
from pitboss.store import schema as s
from pitboss.store.connections import connections_of, take_time, wait_at_most
from pitboss.store.engine import in_words, upgrade
from pitboss.store.leases import Fence, FencedOff, stands
from pitboss.store.lineage import Lineage

if TYPE_CHECKING:
    from pitboss.store.postgres_line import Line

_HEADS = select(s.streams.c.stream, s.streams.c.version, s.streams.c.hash)
_EVENTS = """SELECT stream, version, at, actor, name, data, hash FROM events
WHERE stream = ? AND version > ? AND version <= ? ORDER BY version"""
_READ = {"qmark": _EVENTS, "pyformat": _EVENTS.replace("?", "%s")}
_ON = """SELECT stream, version, at, actor, name, CASE WHEN version = ? THEN '' ELSE data END, hash
FROM events WHERE stream = ? AND version >= ? ORDER BY version"""
_READ_ON = {"qmark": _ON, "pyformat": _ON.replace("?", "%s")}
"""From a head on, which comes first and without its text: what follows counts only where it is there."""
_AT = "SELECT hash FROM events WHERE stream = ? AND version = ?"
_HASH = {"qmark": _AT, "pyformat": _AT.replace("?", "%s")}
_LAST = 2**63 - 1
_POSTINGS = select(s.postings.c.stream, s.postings.c.version, s.postings.c.account, s.postings.c.amount)
_ROUND_COLUMNS = [column.name for column in s.rounds.c]
_ROUNDS = select(*s.rounds.c)


class SqlReader:
    """What may be asked, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def head(self, stream: str) -> Head:
        row = self.connection.execute(_HEADS.where(s.streams.c.stream == stream)).first()
        return NO_HEAD if row is None else Head(row[1], row[2])

    def heads(self) -> Mapping[str, Head]:
        rows = self.connection.execute(_HEADS.order_by(s.streams.c.stream))
        return {row[0]: Head(row[1], row[2]) for row in rows}

    def read(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Recorded]:
        query = _READ[self.connection.dialect.paramstyle]  # asked so often that it is kept in words
        rows = self.connection.exec_driver_sql(query, (stream, after, _LAST if until is None else until))
        return [Recorded._make(row) for row in rows.all()]

    def read_on(self, stream: str, head: Head) -> Sequence[Recorded]:
        query = _READ_ON[self.connection.dialect.paramstyle]
        rows = self.connection.exec_driver_sql(query, (head.version, stream, head.version))
        return _from(stream, head, rows.all())

    def hash_of(self, stream: str, version: int) -> str | None:
        query = _HASH[self.connection.dialect.paramstyle]
        found: str | None = self.connection.exec_driver_sql(query, (stream, version)).scalar()
        return found

    def snapshot(self, stream: str) -> tuple[int, str] | None:
        query = select(s.snapshots.c.version, s.snapshots.c.data).where(s.snapshots.c.stream == stream)
        row = self.connection.execute(query).first()
        return None if row is None else (row[0], row[1])

    def kept(self, key: str) -> Kept | None:
        query = select(s.commands.c.fingerprint, s.commands.c.answer).where(s.commands.c.key == key)
        row = self.connection.execute(query).first()
        return None if row is None else Kept(*row)

    def answers_before(self, at: Micros) -> Sequence[OldAnswer]:
        own = s.commands.c
        query = select(own.key, own.at, own.fingerprint, own.answer).where(own.at < at)
        return [OldAnswer(*row) for row in self.connection.execute(query.order_by(own.at, own.key))]

    def balances(self, accounts: Iterable[str]) -> Mapping[str, int]:
        wanted = list(accounts)
        query = select(s.balances.c.account, s.balances.c.amount).where(s.balances.c.account.in_(wanted))
        found = {row[0]: row[1] for row in self.connection.execute(query)}
        return {account: found.get(account, 0) for account in wanted}

    def balances_under(self, prefix: str) -> Mapping[str, int]:
        query = select(s.balances.c.account, s.balances.c.amount)
        if prefix:
            query = query.where(s.balances.c.account.startswith(prefix, autoescape=True))
        return dict(sorted((row[0], row[1]) for row in self.connection.execute(query)))

    def postings(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Posting]:
        query = _POSTINGS.where(s.postings.c.stream == stream, s.postings.c.version > after)
        if until is not None:
            query = query.where(s.postings.c.version <= until)
        query = query.order_by(s.postings.c.version, s.postings.c.line)
        return [Posting._make(row) for row in self.connection.execute(query).all()]

    def deck(self, table: str, number: int) -> bytes | None:
        query = select(s.decks.c.sealed).where(s.decks.c.table_id == table, s.decks.c.number == number)
        sealed: bytes | None = self.connection.execute(query).scalar()
        return sealed

    def decks(self) -> Sequence[tuple[str, int]]:
        query = select(s.decks.c.table_id, s.decks.c.number).order_by(s.decks.c.table_id, s.decks.c.number)
        return [(row[0], row[1]) for row in self.connection.execute(query)]

    def streams(self) -> Sequence[str]:
        rows = self.connection.execute(select(s.events.c.stream).distinct().order_by(s.events.c.stream))
        return [row[0] for row in rows]

    def round_at(self, table: str, number: int) -> RoundRow | None:
        query = _ROUNDS.where(s.rounds.c.table_id == table, s.rounds.c.number == number)
        row = self.connection.execute(query).first()
        return None if row is None else _round_row(row)

    def rounds(
        self, table: str, *, since: Micros = BEGINNING, until: Micros | None = None
    ) -> Sequence[RoundRow]:
        query = _ROUNDS.where(s.rounds.c.table_id == table, s.rounds.c.opened_at >= since)
        if until is not None:
            query = query.where(s.rounds.c.opened_at < until)
        return [_round_row(row) for row in self.connection.execute(query.order_by(s.rounds.c.number))]

    def open_rounds(self, link: str | None = None) -> Sequence[RoundRow]:
        query = _ROUNDS.where(s.rounds.c.ended_at.is_(None))
        if link is not None:
            query = query.where(s.rounds.c.link == link)
        query = query.order_by(s.rounds.c.table_id, s.rounds.c.number)
        return [_round_row(row) for row in self.connection.execute(query)]


def _from(stream: str, head: Head, rows: Sequence[Any]) -> list[Recorded]:
    """What follows a head, of rows that begin with it. Raises `Missing`."""
    events = [Recorded._make(row) for row in rows]
    if not head.version:
        return events
    if not events or (events[0].version, events[0].hash) != head:
        raise Missing(stream, head)
    return events[1:]


def _round_row(row: Any) -> RoundRow:
    return RoundRow(*row)._replace(jackpot=bool(row[-1]))


class SqlUnit(SqlReader):
    """A transaction under way. What it writes is written only while `fence` still stands."""

    def __init__(self, connection: Connection, upserts: Upserts, fence: Fence | None = None) -> None:
        super().__init__(connection)
        self._upserts = upserts
        self._fence = fence

    def lock(self, streams: Sequence[str]) -> None:
        """Hold these streams until the end; whoever else wants them waits."""
        if self.connection.dialect.name == "postgresql":
            for stream in streams:
                self.connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(stream, 0))))

    def write(self, batch: Batch) -> None:
        """Write a batch whole. Raises `Repeated` for a key that is known, `Stale` for a stream moved on."""
        money = _money(batch)
        if self.connection.dialect.name == "postgresql":
            from pitboss.store.postgres_write import write_within

            with self._waiting_for(batch):
                written = write_within(self.connection, batch, money, self._fence)
            if written.fenced_off:
                raise FencedOff
            if not written.new:
                self._tell_repeated(batch)
            if not written.current:
                raise Stale(next(iter(batch.expected), FLOOR))
        else:
            if self._fence is not None and not stands(self.connection, self._fence):
                raise FencedOff
            self._write_one_by_one(batch, *money)

    @contextmanager
    def _waiting_for(self, batch: Batch) -> Iterator[None]:
        """The streams of a batch may be held by a process that does not hold those of this unit."""
        with connections_of(self.connection.engine).waits.on(batch.expected) as seconds, in_words():
            if seconds is not None:
                wait_at_most(self.connection, seconds)
            yield

    def _tell_repeated(self, batch: Batch) -> None:
        kept = self.kept(batch.key)
        assert kept is not None
        raise Repeated(kept)

    def _write_one_by_one(
        self, batch: Batch, lines: list[dict[str, Any]], sums: list[dict[str, Any]]
    ) -> None:
        do = self.connection.execute
        key = {"key": batch.key, "at": batch.at, **batch.kept._asdict()}
        if do(self._upserts.command, key).rowcount == 0:
            self._tell_repeated(batch)
        self._advance(batch)
        if batch.house.version and self.hash_of(FLOOR, batch.house.version) != batch.house.hash:
            raise Stale(FLOOR)
        if batch.forget_before:
            do(delete(s.commands).where(s.commands.c.at < batch.forget_before))
        if batch.events:
            do(insert(s.events), [event._asdict() for event in batch.events])
        if lines:
            do(insert(s.postings), lines)
            do(self._upserts.balance, sums)
        if batch.rounds:
            do(self._upserts.round, [dict(zip(_ROUND_COLUMNS, row, strict=True)) for row in batch.rounds])
        for stream, (version, data) in batch.snapshots.items():
            do(self._upserts.snapshot, {"stream": stream, "version": version, "data": data})
        for (table, number), sealed in batch.decks.items():
            if sealed is None:
                do(delete(s.decks).where(s.decks.c.table_id == table, s.decks.c.number == number))
            else:
                do(self._upserts.deck, {"table_id": table, "number": number, "sealed": sealed})

    def _advance(self, batch: Batch) -> None:
        last = {event.stream: event for event in batch.events}
        for stream, expected in batch.expected.items():
            event = last.get(stream)
            new = expected if event is None else Head(event.version, event.hash)
            if expected.version == 0:
                done = self.connection.execute(
                    self._upserts.stream, {"stream": stream, "version": new.version, "hash": new.hash}
                )
            else:
                at = s.streams.c
                here = and_(at.stream == stream, at.version == expected.version, at.hash == expected.hash)
                done = self.connection.execute(
                    update(s.streams).where(here).values(version=new.version, hash=new.hash)
                )
            if done.rowcount == 0:
                raise Stale(stream)


def _money(batch: Batch) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    check(sum(posting.amount for posting in batch.postings) == 0, "postings balance")
    return list(_lines(batch.postings)), _sums(batch.postings)


def _lines(postings: Iterable[Posting]) -> Iterator[dict[str, Any]]:
    line, at = 0, ("", 0)
    for posting in postings:
        line = line + 1 if (posting.stream, posting.version) == at else 0
        at = (posting.stream, posting.version)
        yield {**posting._asdict(), "line": line}


def _sums(postings: Iterable[Posting]) -> list[dict[str, Any]]:
    sums: dict[str, int] = {}
    for posting in postings:
        sums[posting.account] = sums.get(posting.account, 0) + posting.amount
    return [{"account": account, "amount": sums[account]} for account in sorted(sums)]


class Upserts:
    """Statements of SQLite that insert or change a row; PostgreSQL does it all in `write_at_once`."""

    def __init__(self) -> None:
        self.command = self._unless_there(s.commands)
        self.stream = self._unless_there(s.streams)
        self.snapshot = self._or_change(s.snapshots)
        self.round = self._or_change(s.rounds)
        self.deck = self._or_change(s.decks)
        added = sqlite.insert(s.balances)
        self.balance: Insert = added.on_conflict_do_update(
            index_elements=["account"], set_={"amount": s.balances.c.amount + added.excluded.amount}
        )

    def _unless_there(self, table: Table) -> Insert:
        statement = sqlite.insert(table).on_conflict_do_nothing()
        return statement.execution_options(preserve_rowcount=True)

    def _or_change(self, table: Table) -> Insert:
        statement = sqlite.insert(table)
        keys = [column.name for column in table.primary_key]
        changed = {column.name: statement.excluded[column.name] for column in table.c}
        for key in keys:
            del changed[key]
        return statement.on_conflict_do_update(index_elements=keys, set_=changed)


class SqlStore:
    """The store on an engine. Opening it brings an empty or older one to this version."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.lineage = Lineage(engine)
        upgrade(engine)
        self._upserts = Upserts()
        self._autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._waits = connections_of(engine).waits
        self._own = threading.local()
        self._line: Line | None = None
        if engine.dialect.name == "postgresql":
            from pitboss.store.postgres_line import Line

            self._line = Line(engine, made=self.lineage.note)

    @contextmanager
    def reading(self) -> Iterator[SqlReader]:
        """Several questions to one state of the store."""
        with in_words(), self.engine.connect() as connection:
            if self.engine.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                take_time(connection)
                yield SqlReader(connection)

    @contextmanager
    def _asking(self) -> Iterator[SqlReader]:
        with in_words(), self._autocommit.connect() as connection:
            yield SqlReader(connection)

    @contextmanager
    def unit(self, streams: Sequence[str]) -> Iterator[SqlUnit]:
        on_postgres = self._line is not None  # of a file all is held or nothing, which `begin` waits for
        with (
            self._waits.on(streams if on_postgres else ()) as seconds,
            in_words(),
            self.engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            if on_postgres and seconds is not None:
                wait_at_most(connection, seconds)
            unit = SqlUnit(connection, self._upserts, self._fence)
            unit.lock(streams)
            yield unit

    @contextmanager
    def fenced(self, fence: Fence | None) -> Iterator[None]:
        """What this thread writes within is written only while the fence stands, else raises `FencedOff`."""
        self._own.fence = fence
        try:
            yield
        finally:
            self._own.fence = None

    @property
    def _fence(self) -> Fence | None:
        found: Fence | None = getattr(self._own, "fence", None)
        return found

    def write(self, batch: Batch) -> None:
        if self._line is None:
            with self.unit(()) as unit:
                unit.write(batch)
            return
        from pitboss.store.postgres_write import write_alone

        with self._waits.on(batch.expected) as seconds, in_words(), self._line.waiting(seconds):
            written = write_alone(self._line, batch, _money(batch), self._fence)
            if written.fenced_off:
                raise FencedOff
            if not written.new:
                kept = self.kept(batch.key)
                raise Stale(next(iter(batch.expected), FLOOR)) if kept is None else Repeated(kept)

    def head(self, stream: str) -> Head:
        with self._asking() as reader:
            return reader.head(stream)

    def heads(self) -> Mapping[str, Head]:
        with self._asking() as reader:
            return reader.heads()

    def read(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Recorded]:
        if self._line is None:
            with self._asking() as reader:
                return reader.read(stream, after=after, until=until)
        with in_words():
            rows = self._line.ask(_READ["pyformat"], (stream, after, _LAST if until is None else until))
            return [Recorded._make(row) for row in rows]

    def read_on(self, stream: str, head: Head) -> Sequence[Recorded]:
        if self._line is None:
            with self._asking() as reader:
                return reader.read_on(stream, head)
        with in_words():
            rows = self._line.ask(_READ_ON["pyformat"], (head.version, stream, head.version))
        return _from(stream, head, rows)

    def hash_of(self, stream: str, version: int) -> str | None:
        with self._asking() as reader:
            return reader.hash_of(stream, version)

    def snapshot(self, stream: str) -> tuple[int, str] | None:
        with self._asking() as reader:
            return reader.snapshot(stream)

    def kept(self, key: str) -> Kept | None:
        with self._asking() as reader:
            return reader.kept(key)

    def answers_before(self, at: Micros) -> Sequence[OldAnswer]:
        with self._asking() as reader:
            return reader.answers_before(at)

    def balances(self, accounts: Iterable[str]) -> Mapping[str, int]:
        with self._asking() as reader:
            return reader.balances(accounts)

    def balances_under(self, prefix: str) -> Mapping[str, int]:
        with self._asking() as reader:
            return reader.balances_under(prefix)

    def postings(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Posting]:
        with self._asking() as reader:
            return reader.postings(stream, after=after, until=until)

    def deck(self, table: str, number: int) -> bytes | None:
        with self._asking() as reader:
            return reader.deck(table, number)

    def decks(self) -> Sequence[tuple[str, int]]:
        with self._asking() as reader:
            return reader.decks()

    def streams(self) -> Sequence[str]:
        with self._asking() as reader:
            return reader.streams()

    def round_at(self, table: str, number: int) -> RoundRow | None:
        with self._asking() as reader:
            return reader.round_at(table, number)

    def rounds(
        self, table: str, *, since: Micros = BEGINNING, until: Micros | None = None
    ) -> Sequence[RoundRow]:
        with self._asking() as reader:
            return reader.rounds(table, since=since, until=until)

    def open_rounds(self, link: str | None = None) -> Sequence[RoundRow]:
        with self._asking() as reader:
            return reader.open_rounds(link)

    def identity(self) -> str:
        with in_words(), self._autocommit.connect() as connection:
            return self.lineage.of(connection.connection.dbapi_connection)

    def reconnect(self) -> None:
        """Make every connection anew that is not in use: what they lead to may have changed."""
        if self._line is not None:
            self._line.close()
        self.engine.dispose()

    def close(self) -> None:
        """Let go of every connection."""
        if self._line is not None:
            self._line.close()
        self.engine.dispose()
