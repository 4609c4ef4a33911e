"""A batch in one statement of PostgreSQL: everything goes to the server at once, and little time is spent
under the locks of the streams. What it writes is what `SqlUnit` writes statement by statement elsewhere.

The statement has only the parts that a batch needs, and writes nothing unless the key is new and every
stream is where the command knew it, version and hash; only where a stream was begun by another at the same
moment it ends with an error, which undoes it. Listeners hear, once it is committed, which streams moved.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from psycopg.errors import DivisionByZero
from sqlalchemy import Connection

from pitboss.floor.ports import Batch
from pitboss.store.leases import Fence
from pitboss.store.postgres_line import Line

Money = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Postings with their lines, and what they come to an account."""

_PARTS = {
    "moved": """stream_moved AS (
  UPDATE streams SET version = new.version, hash = new.hash
  FROM json_to_recordset(%(moved)s::json) AS new (stream text, seen bigint, version bigint, hash text)
  WHERE streams.stream = new.stream AND EXISTS (SELECT FROM key_used)
)""",
    "begun": """stream_begun AS (
  INSERT INTO streams (stream, version, hash)
  SELECT stream, version, hash FROM json_to_recordset(%(begun)s::json)
    AS new (stream text, version bigint, hash text)
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT DO NOTHING RETURNING 1
)""",
    "events": """recorded AS (
  INSERT INTO events (stream, version, at, actor, name, data, hash)
  SELECT * FROM json_to_recordset(%(events)s::json)
    AS new (stream text, version bigint, at bigint, actor text, name text, data text, hash text)
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT DO NOTHING
)""",
    "lines": """posted AS (
  INSERT INTO postings (stream, version, line, account, amount)
  SELECT * FROM json_to_recordset(%(lines)s::json)
    AS new (stream text, version bigint, line smallint, account text, amount bigint)
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT DO NOTHING
)""",
    "sums": """balanced AS (
  INSERT INTO balances (account, amount)
  SELECT * FROM json_to_recordset(%(sums)s::json) AS new (account text, amount bigint)
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount
)""",
    "rounds": """round_kept AS (
  INSERT INTO rounds
  SELECT new.* FROM json_populate_recordset(NULL::rounds, %(rounds)s::json) AS new
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT (table_id, number) DO UPDATE SET
    first_version = excluded.first_version, last_version = excluded.last_version,
    opened_at = excluded.opened_at, dealt_at = excluded.dealt_at, ended_at = excluded.ended_at,
    status = excluded.status, rulebook = excluded.rulebook, link = excluded.link, jackpot = excluded.jackpot
)""",
    "snapshots": """snapshot_kept AS (
  INSERT INTO snapshots (stream, version, data)
  SELECT * FROM json_to_recordset(%(snapshots)s::json) AS new (stream text, version bigint, data text)
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT (stream) DO UPDATE SET version = excluded.version, data = excluded.data
)""",
    "decks": """deck_kept AS (
  INSERT INTO decks (table_id, number, sealed)
  SELECT table_id, number, decode(sealed, 'hex') FROM json_to_recordset(%(decks)s::json)
    AS new (table_id text, number integer, sealed text)
  WHERE EXISTS (SELECT FROM key_used)
  ON CONFLICT (table_id, number) DO UPDATE SET sealed = excluded.sealed
)""",
    "erased": """deck_erased AS (
  DELETE FROM decks USING json_to_recordset(%(erased)s::json) AS gone (table_id text, number integer)
  WHERE decks.table_id = gone.table_id AND decks.number = gone.number AND EXISTS (SELECT FROM key_used)
)""",
    "forgotten": """answers_forgotten AS (
  DELETE FROM commands WHERE at < %(forgotten)s::bigint AND EXISTS (SELECT FROM key_used)
)""",
}


_CURRENT = """current AS (
  SELECT streams.stream FROM streams
  JOIN json_to_recordset(%(moved)s::json) AS seen (stream text, seen bigint, seen_hash text)
    ON streams.stream = seen.stream AND streams.version = seen.seen AND streams.hash = seen.seen_hash
  FOR UPDATE OF streams
)"""
_HOUSE = """house AS (
  SELECT 1 FROM events
  WHERE stream = 'floor' AND version = %(house)s::bigint AND hash = %(house_hash)s
)"""
_KEY = """key_used AS (
  INSERT INTO commands (key, at, fingerprint, answer)
  SELECT %(key)s, %(at)s::bigint, %(fingerprint)s, %(answer)s {when}
  ON CONFLICT DO NOTHING RETURNING 1
)"""


_FENCE = """fence AS (SELECT FROM leases WHERE name = %(lease)s AND fence = %(fence)s)"""


class Written(NamedTuple):
    """What came of a batch: whether its key was new, whether every stream was where it was expected, and
    whether it was not written because its fence does not stand any more.
    """

    new: bool
    current: bool
    fenced_off: bool = False


@lru_cache(maxsize=256)
def _statement(parts: tuple[str, ...], *, alone: bool, notify: bool, fenced: bool, house: bool) -> str:
    """The statement for these parts; its row has how many streams were current, keys used, streams begun,
    fences that stand, and whether the head of the floor's own stream is in the record.
    """
    moves, begins = "moved" in parts, "begun" in parts
    conditions = ["(SELECT count(*) FROM current) = %(moving)s"] if moves else []
    conditions += ["EXISTS (SELECT FROM fence)"] if fenced else []
    conditions += ["EXISTS (SELECT FROM house)"] if house else []
    key = _KEY.format(when=f"WHERE {' AND '.join(conditions)}" if conditions else "")
    guards = [*([_FENCE] if fenced else []), *([_CURRENT] if moves else []), *([_HOUSE] if house else [])]
    written = [*guards, key, *(_PARTS[part] for part in parts)]
    columns = [
        "(SELECT count(*) FROM current)" if moves else "0",
        "(SELECT count(*) FROM key_used)",
        "(SELECT count(*) FROM stream_begun)" if begins else "0",
        "(SELECT count(*) FROM fence)" if fenced else "1",
        "EXISTS (SELECT FROM house)" if house else "true",
    ]
    if notify:
        columns.append("CASE WHEN EXISTS (SELECT FROM key_used) THEN pg_notify('pitboss', %(notice)s) END")
    if alone and begins:
        all_begun = f"{columns[2]} = %(beginning)s OR NOT EXISTS (SELECT FROM key_used)"
        columns.append(f"1 / (CASE WHEN {all_begun} THEN 1 ELSE 0 END)")
    return "WITH " + ",\n".join(written) + "\nSELECT " + ", ".join(columns)


def write_alone(line: Line, batch: Batch, money: Money, fence: Fence | None = None) -> Written:
    """Write a whole batch in a statement of its own; not new: the key was used or a stream had moved on."""
    statement, parameters, _ = _written(batch, money, fence, alone=True)
    try:
        found = line.ask(statement, parameters)[0]
    except DivisionByZero:
        return Written(new=False, current=False)
    return Written(new=found[1] == 1, current=found[1] == 1, fenced_off=found[3] == 0)


def write_within(connection: Connection, batch: Batch, money: Money, fence: Fence | None = None) -> Written:
    """Write a whole batch in a transaction, which is to be rolled back unless all is well."""
    statement, parameters, (moving, beginning) = _written(batch, money, fence, alone=False)
    found = connection.exec_driver_sql(statement, parameters).one()
    current = found[0] == moving and found[4] and (found[2] == beginning or found[1] == 0)
    return Written(new=found[1] == 1 or not current, current=current, fenced_off=found[3] == 0)


def _written(
    batch: Batch, money: Money, fence: Fence | None, *, alone: bool
) -> tuple[str, dict[str, Any], tuple[int, int]]:
    """The statement that writes a batch, its parameters, and how many streams move on and begin."""
    last = {event.stream: event for event in batch.events}
    moved: list[dict[str, Any]] = []
    begun: list[dict[str, Any]] = []
    for stream, seen in batch.expected.items():
        event = last.get(stream)
        version, hashed = (seen.version, seen.hash) if event is None else (event.version, event.hash)
        row = {"stream": stream, "seen": seen.version, "seen_hash": seen.hash}
        row |= {"version": version, "hash": hashed}
        (moved if seen.version else begun).append(row)
    rows: dict[str, list[dict[str, Any]] | int] = {
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
        "forgotten": batch.forget_before,
    }
    parts = tuple(part for part, found in rows.items() if found)
    parameters: dict[str, Any] = {part: json.dumps(rows[part]) for part in parts}
    parameters |= {"key": batch.key, "at": batch.at, **batch.kept._asdict()}
    if moved:
        parameters["moving"] = len(moved)
    if begun and alone:
        parameters["beginning"] = len(begun)
    if last:
        parameters["notice"] = " ".join(f"{stream}:{event.version}" for stream, event in last.items())
    if fence is not None:
        parameters |= {"lease": fence.lease, "fence": fence.number}
    house = batch.house.version > 0
    if house:
        parameters |= {"house": batch.house.version, "house_hash": batch.house.hash}
    statement = _statement(parts, alone=alone, notify=bool(last), fenced=fence is not None, house=house)
    return statement, parameters, (len(moved), len(begun))


def _round(row: dict[str, Any]) -> dict[str, Any]:
    row["table_id"] = row.pop("table")
    return row
