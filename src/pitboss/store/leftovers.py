"""Rows of the record that no stream accounts for: what a fold of every stream never comes to see.

Each question is one statement that the database answers from its keys, so that a record of millions of
events is asked in a moment; only rows that should not be there are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Boolean, Column, Integer, Table, func, or_, select

from pitboss.floor.ports import Micros
from pitboss.store import schema as s
from pitboss.store.sql import SqlReader

Found = tuple[str, int, str]
"""The stream, account or checkpoint of a row, the version it is about (or 0), and what is wrong with it."""

NAMED_AT_MOST = 20
"""So many rows of a kind are named; the rest says no more."""

_TYPED: dict[Table, tuple[str, ...]] = {
    s.streams: ("stream", "version", "hash"),
    s.events: ("stream", "version"),
    s.postings: ("stream", "version", "line"),
    s.balances: ("account", "amount"),
    s.snapshots: ("stream", "version", "data"),
    s.rounds: tuple(column.name for column in s.rounds.c),
    s.decks: ("table_id", "number"),
    s.checkpoints: tuple(column.name for column in s.checkpoints.c),
    s.commands: tuple(column.name for column in s.commands.c),
}
"""What has to be of its type before anything can be compared; what else an event has, its hash tells."""


def odd_rows(reader: SqlReader) -> Iterator[Found]:
    """Rows with text where a number belongs, or the other way round. Only SQLite lets that happen."""
    if reader.connection.dialect.name != "sqlite":
        return
    for table, names in _TYPED.items():
        wrong = " OR ".join(f"({_is_odd(table.c[name])})" for name in names)
        keys = ", ".join(f'quote("{column.name}")' for column in table.primary_key.columns)
        query = f"SELECT {keys} FROM {table.name} WHERE {wrong} LIMIT {NAMED_AT_MOST}"
        for row in reader.connection.exec_driver_sql(query):
            place, version, which = _named(table, [str(part).strip("'") for part in row])
            yield place, version, f"{which} of '{table.name}' holds what no such row can hold"


def _is_odd(column: Column[Any]) -> str:
    allowed = ["integer" if isinstance(column.type, Integer | Boolean) else "text"]
    if column.nullable:
        allowed.append("null")
    kinds = ", ".join(f"'{kind}'" for kind in allowed)
    odd = f'typeof("{column.name}") NOT IN ({kinds})'
    return f'{odd} OR "{column.name}" NOT IN (0, 1)' if isinstance(column.type, Boolean) else odd


def _named(table: Table, key: list[str]) -> tuple[str, int, str]:
    """The stream, account or checkpoint of a row, the version it is about, and which row it is."""
    if table in (s.events, s.postings):
        version = int(key[1]) if key[1].lstrip("-").isdecimal() else 0
        which = f"version {key[1]}" + (f", line {key[2]}" if len(key) > 2 else "")
        return key[0], version, f"the row {which}"
    if table in (s.rounds, s.decks):
        return f"table/{key[0]}", 0, f"the row of round {key[1]}"
    kind = {s.balances: "account ", s.checkpoints: "checkpoint ", s.commands: "answer "}.get(table, "")
    return f"{kind}{key[0]}", 0, "the row"


def left_over(reader: SqlReader) -> Iterator[Found]:
    """Events, money and snapshots beyond the ends of their streams, and lines of money not in sequence."""
    for table, what in ((s.events, "an event"), (s.postings, "money"), (s.snapshots, "a snapshot")):
        own = table.c
        beyond = or_(s.streams.c.stream.is_(None), own.version < 1, own.version > s.streams.c.version)
        query = (
            select(own.stream, own.version, s.streams.c.version)
            .distinct()
            .select_from(table.outerjoin(s.streams, own.stream == s.streams.c.stream))
            .where(beyond)
            .order_by(own.stream, own.version)
        )
        for stream, version, last in reader.connection.execute(query.limit(NAMED_AT_MOST)):
            place = "before the first event" if version < 1 else "beyond the end"
            place = "without an end" if last is None else place
            yield stream, version, f"there is {what} {place} of the stream, at version {version}"
    lines = s.postings.c
    count = func.count(lines.line)
    numbered = (
        select(lines.stream, lines.version)
        .group_by(lines.stream, lines.version)
        .having(or_(func.min(lines.line) != 0, func.max(lines.line) != count - 1))
        .order_by(lines.stream, lines.version)
    )
    for stream, version in reader.connection.execute(numbered.limit(NAMED_AT_MOST)):
        yield stream, version, "the lines of its postings are not numbered from 0 on"


def unknown_tables(reader: SqlReader, tables: frozenset[str]) -> Iterator[Found]:
    """Rounds of tables that the floor does not have."""
    own = s.rounds.c
    query = select(own.table_id, func.min(own.number)).group_by(own.table_id).order_by(own.table_id)
    for table, number in reader.connection.execute(query):
        if table not in tables:
            yield f"table/{table}", 0, f"round {number} is indexed, and there is no such table"


def forgettable(reader: SqlReader, before: Micros, *, at_most: int) -> tuple[Micros, Micros] | None:
    """The times between which kept answers of before a time can be forgotten at once; None if there are none.

    The first is that of the oldest of them. Before the second there are about so many of them.
    """
    own = s.commands.c
    query = select(own.at).where(own.at < before).order_by(own.at)
    first = reader.connection.execute(query.limit(1)).scalar()
    if first is None:
        return None
    beyond = reader.connection.execute(query.offset(at_most).limit(1)).scalar()
    return Micros(first), before if beyond is None else Micros(max(beyond, first + 1))


def kept_answers(reader: SqlReader) -> Iterator[tuple[str, Micros, str, str]]:
    """Every answer that is kept: key, time, fingerprint and text, a few at a time."""
    own = s.commands.c
    query = select(own.key, own.at, own.fingerprint, own.answer)
    for row in reader.connection.execution_options(yield_per=2000).execute(query):
        yield row[0], row[1], row[2], row[3]
