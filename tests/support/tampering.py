"""Ways to tamper with the database of a floor, drawn by a seed: what somebody with the file in his hands might do."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from random import Random

GENESIS = "0" * 64
Rows = list[tuple[object, ...]]


def tamper(database: sqlite3.Connection, rng: Random) -> tuple[str, str]:
    """Do one thing to the record; its name, and what a verifier should name: a stream, an account, a checkpoint."""
    name = rng.choice(list(WAYS))
    where = WAYS[name](database, rng)
    database.commit()
    return name, where


def _one(database: sqlite3.Connection, rng: Random, table: str, condition: str = "1") -> sqlite3.Row:
    count = database.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]
    row = database.execute(
        f"SELECT rowid AS id, * FROM {table} WHERE {condition} LIMIT 1 OFFSET ?", (rng.randrange(count),)
    ).fetchone()
    found: sqlite3.Row = row
    return found


def _set(database: sqlite3.Connection, table: str, row: sqlite3.Row, **changes: object) -> None:
    words = ", ".join(f'"{name}" = ?' for name in changes)
    database.execute(f"UPDATE {table} SET {words} WHERE rowid = ?", (*changes.values(), row["id"]))


# --- events -----------------------------------------------------------------------------------------------


def change_an_event(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "events")
    field = rng.choice(("at", "actor", "name", "data", "hash"))
    value: object = row[field] + 1 if field == "at" else _other_text(str(row[field]), rng)
    _set(database, "events", row, **{field: value})
    return str(row["stream"])


def _other_text(text: str, rng: Random) -> str:
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    place = rng.choice(digits) if digits else rng.randrange(len(text))
    letter = str((int(text[place]) + 1) % 10) if text[place].isdigit() else chr(ord(text[place]) ^ 1)
    return text[:place] + letter + text[place + 1 :]


def remove_an_event(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "events")
    database.execute("DELETE FROM events WHERE rowid = ?", (row["id"],))
    return str(row["stream"])


def insert_an_event(database: sqlite3.Connection, rng: Random) -> str:
    """A copy of an event after the last one of its stream."""
    row = _one(database, rng, "events")
    last = database.execute("SELECT max(version) FROM events WHERE stream = ?", (row["stream"],)).fetchone()[
        0
    ]
    database.execute(
        "INSERT INTO events (stream, version, at, actor, name, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (row["stream"], last + 1, row["at"], row["actor"], row["name"], row["data"], row["hash"]),
    )
    return str(row["stream"])


def swap_two_events(database: sqlite3.Connection, rng: Random) -> str:
    """Two neighbours change places, hashes and all."""
    row = _one(database, rng, "events", "version > 1")
    before = database.execute(
        "SELECT rowid AS id, * FROM events WHERE stream = ? AND version = ?",
        (row["stream"], row["version"] - 1),
    ).fetchone()
    names = ("at", "actor", "name", "data", "hash")
    _set(database, "events", row, **{name: before[name] for name in names})
    _set(database, "events", before, **{name: row[name] for name in names})
    return str(row["stream"])


def rewrite_history(database: sqlite3.Connection, rng: Random) -> str:
    """Somebody else did it, and every hash since is made anew, up to the end of the stream."""
    row = _one(database, rng, "events")
    _set(database, "events", row, actor=_other_text(str(row["actor"]), rng))
    seal_again(database, str(row["stream"]))
    return str(row["stream"])


def drop_the_end(database: sqlite3.Connection, rng: Random) -> str:
    """The last event of a stream and its money go, and the end of the stream is put back."""
    row = _one(database, rng, "streams", "version > 1")
    for table in ("events", "postings"):
        database.execute(
            f"DELETE FROM {table} WHERE stream = ? AND version = ?", (row["stream"], row["version"])
        )
    seal_again(database, str(row["stream"]))
    return str(row["stream"])


def seal_again(database: sqlite3.Connection, stream: str) -> None:
    before, version = GENESIS, 0
    rows = database.execute("SELECT rowid AS id, * FROM events WHERE stream = ? ORDER BY version", (stream,))
    for row in rows.fetchall():
        version = row["version"]
        text = f"{before}\n{stream}\n{version}\n{row['at']}\n{row['actor']}\n{row['name']}\n{row['data']}"
        before = hashlib.sha256(text.encode()).hexdigest()
        _set(database, "events", row, hash=before)
    database.execute("UPDATE streams SET version = ?, hash = ? WHERE stream = ?", (version, before, stream))


# --- money ------------------------------------------------------------------------------------------------


def change_a_posting(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "postings")
    if rng.random() < 0.5:
        _set(database, "postings", row, amount=row["amount"] + rng.choice((-1, 1, 10_000, -row["amount"])))
    else:
        _set(database, "postings", row, account=f"{row['account']}x")
    return str(row["stream"])


def remove_a_posting(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "postings")
    database.execute("DELETE FROM postings WHERE rowid = ?", (row["id"],))
    return str(row["stream"])


def insert_a_posting(database: sqlite3.Connection, rng: Random) -> str:
    """Money that no event moves, on one account; or a pair that adds up."""
    row, other = _one(database, rng, "postings"), _one(database, rng, "postings")
    line = 50
    for account, amount in ((row["account"], 10_000), (other["account"], -10_000))[: rng.choice((1, 2))]:
        line += 1
        database.execute(
            "INSERT INTO postings (stream, version, line, account, amount) VALUES (?, ?, ?, ?, ?)",
            (row["stream"], row["version"], line, account, amount),
        )
    return str(row["stream"])


def swap_two_postings(database: sqlite3.Connection, rng: Random) -> str:
    """Amounts of two accounts of one event change places; the sum stays."""
    row = _one(database, rng, "postings", "line > 0")
    other = database.execute(
        "SELECT rowid AS id, * FROM postings WHERE stream = ? AND version = ? AND line = 0",
        (row["stream"], row["version"]),
    ).fetchone()
    if other["amount"] == row["amount"]:
        return change_a_posting(database, rng)
    _set(database, "postings", row, amount=other["amount"])
    _set(database, "postings", other, amount=row["amount"])
    return str(row["stream"])


def change_a_balance(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "balances", rng.choice(("1", "account LIKE '%/meter/%'")))
    _set(database, "balances", row, amount=row["amount"] + rng.choice((-1, 1, 500_000)))
    return str(row["account"])


def move_a_balance(database: sqlite3.Connection, rng: Random) -> str:
    """From one account to another: everything still adds up."""
    row = _one(database, rng, "balances", "account LIKE '%/meter/%'")
    other = _one(database, rng, "balances", f"account <> '{row['account']}'")
    _set(database, "balances", row, amount=row["amount"] - 10_000)
    _set(database, "balances", other, amount=other["amount"] + 10_000)
    return str(row["account"])


def remove_a_balance(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "balances", "amount <> 0")
    database.execute("DELETE FROM balances WHERE rowid = ?", (row["id"],))
    return str(row["account"])


# --- what is kept beside ----------------------------------------------------------------------------------


def change_an_end(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "streams")
    if rng.random() < 0.5:
        _set(database, "streams", row, version=row["version"] - 1)
    else:
        _set(database, "streams", row, hash=_other_text(str(row["hash"]), rng))
    return str(row["stream"])


def remove_an_end(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "streams")
    database.execute("DELETE FROM streams WHERE rowid = ?", (row["id"],))
    return str(row["stream"])


def change_a_round(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "rounds", "ended_at IS NOT NULL")
    field = rng.choice(
        ("first_version", "last_version", "opened_at", "dealt_at", "ended_at", "rulebook", "link")
    )
    value = _other_text(row[field] or "x", rng) if field in ("rulebook", "link") else (row[field] or 0) + 1
    _set(database, "rounds", row, **{field: value})
    return f"table/{row['table_id']}"


def remove_a_round(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "rounds")
    database.execute("DELETE FROM rounds WHERE rowid = ?", (row["id"],))
    return f"table/{row['table_id']}"


def change_a_checkpoint(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "checkpoints")
    heads = json.loads(row["heads"])
    stream = rng.choice(sorted(heads))
    heads[stream][0] -= 1
    _set(database, "checkpoints", row, heads=json.dumps(heads, sort_keys=True, separators=(",", ":")))
    return f"checkpoint {row['number']}"


def remove_a_checkpoint(database: sqlite3.Connection, rng: Random) -> str:
    row = _one(database, rng, "checkpoints")
    database.execute("DELETE FROM checkpoints WHERE rowid = ?", (row["id"],))
    return "checkpoint"


WAYS: dict[str, Callable[[sqlite3.Connection, Random], str]] = {
    way.__name__: way
    for way in (
        change_an_event,
        remove_an_event,
        insert_an_event,
        swap_two_events,
        rewrite_history,
        drop_the_end,
        change_a_posting,
        remove_a_posting,
        insert_a_posting,
        swap_two_postings,
        change_a_balance,
        move_a_balance,
        remove_a_balance,
        change_an_end,
        remove_an_end,
        change_a_round,
        remove_a_round,
        change_a_checkpoint,
        remove_a_checkpoint,
    )
}
