"""A batch in one statement of PostgreSQL: everything goes to the server at once, and little time is spent
under the locks of the streams. What it writes is what `SqlUnit` writes statement by statement elsewhere.

Whoever listens is told, once it is committed, which streams have moved on.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection

from pitboss.floor.ports import Batch

_WRITE = """
WITH key_used AS (
  INSERT INTO commands (key, at, fingerprint, answer)
  VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING 1
), stream_moved AS (
  UPDATE streams SET version = new.version, hash = new.hash
  FROM json_to_recordset(%s::json) AS new (stream text, seen bigint, version bigint, hash text)
  WHERE streams.stream = new.stream AND streams.version = new.seen RETURNING 1
), stream_begun AS (
  INSERT INTO streams (stream, version, hash)
  SELECT stream, version, hash FROM json_to_recordset(%s::json)
    AS new (stream text, version bigint, hash text)
  ON CONFLICT DO NOTHING RETURNING 1
), recorded AS (
  INSERT INTO events (stream, version, at, actor, name, data, hash)
  SELECT * FROM json_to_recordset(%s::json)
    AS new (stream text, version bigint, at bigint, actor text, name text, data text, hash text)
  ON CONFLICT DO NOTHING
), posted AS (
  INSERT INTO postings (stream, version, line, account, amount)
  SELECT * FROM json_to_recordset(%s::json)
    AS new (stream text, version bigint, line smallint, account text, amount bigint)
  ON CONFLICT DO NOTHING
), balanced AS (
  INSERT INTO balances (account, amount)
  SELECT * FROM json_to_recordset(%s::json) AS new (account text, amount bigint)
  ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount
)
SELECT (SELECT count(*) FROM key_used), (SELECT count(*) FROM stream_moved),
       (SELECT count(*) FROM stream_begun),
       CASE WHEN %s::text <> '' THEN pg_notify('pitboss', %s) END
"""


def write_at_once(
    connection: Connection, batch: Batch, *, lines: list[dict[str, Any]], sums: list[dict[str, Any]]
) -> tuple[bool, bool]:
    """Write key, streams, events and money. Whether the key was new, and whether no stream had moved on.

    Unless both are so the transaction must be rolled back.
    """
    last = {event.stream: event for event in batch.events}
    moved: list[dict[str, Any]] = []
    begun: list[dict[str, Any]] = []
    for stream, seen in batch.expected.items():
        event = last.get(stream)
        version, hashed = (seen.version, seen.hash) if event is None else (event.version, event.hash)
        row = {"stream": stream, "seen": seen.version, "version": version, "hash": hashed}
        (moved if seen.version else begun).append(row)
    moved_on = " ".join(f"{stream}:{event.version}" for stream, event in last.items())
    parameters = (
        batch.key,
        batch.at,
        batch.kept.fingerprint,
        batch.kept.answer,
        json.dumps(moved),
        json.dumps(begun),
        json.dumps([event._asdict() for event in batch.events]),
        json.dumps(lines),
        json.dumps(sums),
        moved_on,
        moved_on,
    )
    found = connection.exec_driver_sql(_WRITE, parameters).one()
    return found[0] == 1, found[1] == len(moved) and found[2] == len(begun)
