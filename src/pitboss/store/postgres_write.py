"""A batch in one statement of PostgreSQL: everything goes to the server at once, and little time is spent
under the locks of the streams. What it writes is what `SqlUnit` writes statement by statement elsewhere.

The statement has only the parts that a batch needs. Alone, outside a transaction, it undoes itself unless the
key was new and no stream had moved on. Whoever listens is told, once it is committed, which streams moved.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from psycopg.errors import DivisionByZero
from sqlalchemy import Connection

from pitboss.floor.ports import Batch
from pitboss.store.postgres_line import Line

Money = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Postings with their lines, and what they come to an account."""

_PARTS = {
    "moved": """stream_moved AS (
  UPDATE streams SET version = new.version, hash = new.hash
  FROM json_to_recordset(%(moved)s::json) AS new (stream text, seen bigint, version bigint, hash text)
  WHERE streams.stream = new.stream AND streams.version = new.seen RETURNING 1
)""",
    "begun": """stream_begun AS (
  INSERT INTO streams (stream, version, hash)
  SELECT stream, version, hash FROM json_to_recordset(%(begun)s::json)
    AS new (stream text, version bigint, hash text)
  ON CONFLICT DO NOTHING RETURNING 1
)""",
    "events": """recorded AS (
  INSERT INTO events (stream, version, at, actor, name, data, hash)
  SELECT * FROM json_to_recordset(%(events)s::json)
    AS new (stream text, version bigint, at bigint, actor text, name text, data text, hash text)
  ON CONFLICT DO NOTHING
)""",
    "lines": """posted AS (
  INSERT INTO postings (stream, version, line, account, amount)
  SELECT * FROM json_to_recordset(%(lines)s::json)
    AS new (stream text, version bigint, line smallint, account text, amount bigint)
  ON CONFLICT DO NOTHING
)""",
    "sums": """balanced AS (
  INSERT INTO balances (account, amount)
  SELECT * FROM json_to_recordset(%(sums)s::json) AS new (account text, amount bigint)
  ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount
)""",
    "rounds": """round_kept AS (
  INSERT INTO rounds
  SELECT new.* FROM json_populate_recordset(NULL::rounds, %(rounds)s::json) AS new
  ON CONFLICT (table_id, number) DO UPDATE SET
    first_version = excluded.first_version, last_version = excluded.last_version,
    opened_at = excluded.opened_at, dealt_at = excluded.dealt_at, ended_at = excluded.ended_at,
    status = excluded.status, rulebook = excluded.rulebook, link = excluded.link, jackpot = excluded.jackpot
)""",
    "snapshots": """snapshot_kept AS (
  INSERT INTO snapshots (stream, version, data)
  SELECT * FROM json_to_recordset(%(snapshots)s::json) AS new (stream text, version bigint, data text)
  ON CONFLICT (stream) DO UPDATE SET version = excluded.version, data = excluded.data
)""",
    "decks": """deck_kept AS (
  INSERT INTO decks (table_id, number, sealed)
  SELECT table_id, number, decode(sealed, 'hex') FROM json_to_recordset(%(decks)s::json)
    AS new (table_id text, number integer, sealed text)
  ON CONFLICT (table_id, number) DO UPDATE SET sealed = excluded.sealed
)""",
    "erased": """deck_erased AS (
  DELETE FROM decks USING json_to_recordset(%(erased)s::json) AS gone (table_id text, number integer)
  WHERE decks.table_id = gone.table_id AND decks.number = gone.number
)""",
}


class Written(NamedTuple):
    """What came of a batch: whether its key was new, and whether no stream had moved on."""

    new: bool
    current: bool


@lru_cache(maxsize=256)
def _statement(parts: tuple[str, ...], *, alone: bool, notify: bool) -> str:
    counts = [
        "(SELECT count(*) FROM key_used)",
        "(SELECT count(*) FROM stream_moved)" if "moved" in parts else "0",
        "(SELECT count(*) FROM stream_begun)" if "begun" in parts else "0",
    ]
    written = ",\n".join(_PARTS[part] for part in parts)
    good = f"{counts[0]} = 1 AND {counts[1]} = %(moving)s AND {counts[2]} = %(beginning)s"
    columns = [*counts]
    if notify:
        columns.append("pg_notify('pitboss', %(notice)s)")
    if alone:
        columns.append(f"1 / (CASE WHEN {good} THEN 1 ELSE 0 END)")  # an error undoes the statement
    return (
        "WITH key_used AS (\n  INSERT INTO commands (key, at, fingerprint, answer)\n"
        "  VALUES (%(key)s, %(at)s, %(fingerprint)s, %(answer)s) ON CONFLICT DO NOTHING RETURNING 1\n)"
        + (",\n" + written if written else "")
        + "\nSELECT "
        + ", ".join(columns)
    )


def write_alone(line: Line, batch: Batch, money: Money) -> bool:
    """Write a whole batch in a statement of its own; False: the key was used or a stream had moved on."""
    statement, parameters, _ = _written(batch, money, alone=True)
    try:
        line.ask(statement, parameters)
    except DivisionByZero:
        return False
    return True


def write_within(connection: Connection, batch: Batch, money: Money) -> Written:
    """Write a whole batch in a transaction, which is to be rolled back unless all is well."""
    statement, parameters, (moving, beginning) = _written(batch, money, alone=False)
    found = connection.exec_driver_sql(statement, parameters).one()
    return Written(found[0] == 1, found[1] == moving and found[2] == beginning)


def _written(batch: Batch, money: Money, *, alone: bool) -> tuple[str, dict[str, Any], tuple[int, int]]:
    """The statement that writes a batch, its parameters, and how many streams move on and begin."""
    last = {event.stream: event for event in batch.events}
    moved: list[dict[str, Any]] = []
    begun: list[dict[str, Any]] = []
    for stream, seen in batch.expected.items():
        event = last.get(stream)
        version, hashed = (seen.version, seen.hash) if event is None else (event.version, event.hash)
        row = {"stream": stream, "seen": seen.version, "version": version, "hash": hashed}
        (moved if seen.version else begun).append(row)
    rows: dict[str, list[dict[str, Any]]] = {
        "moved": moved,
        "begun": begun,
        "events": [event._asdict() for event in batch.events],
        "lines": money[0],
        "sums": money[1],
        "rounds": [_round(row._asdict()) for row in batch.rounds],
        "snapshots": [
            {"stream": stream, "version": version, "data": data}
            for stream, (version, data) in batch.snapshots.items()
        ],
        "decks": [
            {"table_id": table, "number": number, "sealed": sealed.hex()}
            for (table, number), sealed in batch.decks.items()
            if sealed is not None
        ],
        "erased": [
            {"table_id": table, "number": number}
            for (table, number), sealed in batch.decks.items()
            if sealed is None
        ],
    }
    parts = tuple(part for part, found in rows.items() if found)
    parameters: dict[str, Any] = {part: json.dumps(rows[part]) for part in parts}
    parameters |= {"key": batch.key, "at": batch.at, **batch.kept._asdict()}
    if alone:
        parameters |= {"moving": len(moved), "beginning": len(begun)}
    if last:
        parameters["notice"] = " ".join(f"{stream}:{event.version}" for stream, event in last.items())
    return _statement(parts, alone=alone, notify=bool(last)), parameters, (len(moved), len(begun))


def _round(row: dict[str, Any]) -> dict[str, Any]:
    row["table_id"] = row.pop("table")
    return row
