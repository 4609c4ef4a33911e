"""Ways to tamper with the database of a floor: what somebody with the file in his hands might do.

Every way says what a verifier has to name: the event by its stream and version, the account, the round by its
table and number, or the checkpoint. `WAYS` is the table of them, with the floor each is tried on and whether
the verifier of the export has to find it, too.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

GENESIS = "0" * 64
BUSY, PAPERS, EVENTFUL = "busy", "papers", "eventful"
"""The floors: one with many rounds and checkpoints kept elsewhere; one with slips, none signed, a round in play; and
one with nearly every kind of event there is."""

Database = sqlite3.Connection
Named = tuple[str, ...]
"""Words one of which a verifier has to say: an event (`@`), a round (`#`), or an account or checkpoint as it is."""


class Way(NamedTuple):
    """One way to tamper. `why_not_exported` says why the verifier of the export cannot see it, if so."""

    name: str
    do: Callable[[Database, Random], Named]
    floor: str = BUSY
    why_not_exported: str = ""


def event(stream: str, version: int) -> str:
    return f"@{stream} {version}"


def round_of(table: str, number: int) -> Named:
    return (f"#table/{table} {number}",)


def is_named(wanted: Named, problems: Iterable[str]) -> bool:
    """Whether one of the problems names what was tampered with: event, account, round or checkpoint."""
    told = [problem.removeprefix("kept elsewhere: ") for problem in problems]
    return any(_names(problem, word) for problem in told for word in wanted)


def _names(problem: str, word: str) -> bool:
    if word[0] not in "@#":
        return word in problem
    stream, number = word[1:].rsplit(" ", 1)
    place = problem.split(":")[0]
    if place != stream and not place.startswith(f"{stream} "):
        return False
    words = "event|version|ends at|end at" if word[0] == "@" else "round"
    return re.search(rf"\b({words}) {number}\b", problem) is not None


def event_names(database: Database) -> list[str]:
    """Every kind of event that a floor has: those that are rare count as much as the others."""
    return [str(row[0]) for row in database.execute("SELECT DISTINCT name FROM events ORDER BY name")]


def _one(database: Database, rng: Random, table: str, condition: str = "1") -> sqlite3.Row:
    count = database.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]
    row = database.execute(
        f"SELECT rowid AS id, * FROM {table} WHERE {condition} LIMIT 1 OFFSET ?", (rng.randrange(count),)
    ).fetchone()
    found: sqlite3.Row = row
    return found


def _set(database: Database, table: str, row: sqlite3.Row, **changes: object) -> None:
    words = ", ".join(f'"{name}" = ?' for name in changes)
    database.execute(f"UPDATE {table} SET {words} WHERE rowid = ?", (*changes.values(), row["id"]))


def _add(database: Database, table: str, *values: object) -> None:
    database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def _remove(database: Database, table: str, row: sqlite3.Row) -> None:
    database.execute(f"DELETE FROM {table} WHERE rowid = ?", (row["id"],))


def _last(database: Database, stream: str) -> int:
    row = database.execute("SELECT max(version) FROM events WHERE stream = ?", (stream,)).fetchone()
    return int(row[0])


# --- events -----------------------------------------------------------------------------------------------


def change_an_event(database: Database, rng: Random, condition: str = "1") -> Named:
    row = _one(database, rng, "events", condition)
    field = rng.choice(("at", "actor", "name", "data", "hash"))
    value: object = row[field] + 1 if field == "at" else _other_text(str(row[field]), rng)
    _set(database, "events", row, **{field: value})
    return (event(row["stream"], row["version"]),)


def _other_text(text: str, rng: Random) -> str:
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    place = rng.choice(digits) if digits else rng.randrange(len(text))
    letter = str((int(text[place]) + 1) % 10) if text[place].isdigit() else chr(ord(text[place]) ^ 1)
    return text[:place] + letter + text[place + 1 :]


def remove_an_event(database: Database, rng: Random, condition: str = "1") -> Named:
    """The next one shows that it is missing; of the last, the end of the stream does."""
    row = _one(database, rng, "events", condition)
    _remove(database, "events", row)
    return event(row["stream"], row["version"]), event(row["stream"], row["version"] + 1)


def insert_an_event(database: Database, rng: Random, condition: str = "1") -> Named:
    """A copy of an event after the last one of its stream, before the first, or on a stream that is not there."""
    row = _one(database, rng, "events", condition)
    stream, version = rng.choice(
        (
            (row["stream"], _last(database, row["stream"]) + 1),
            (row["stream"], 0),
            (row["stream"], -1),
            ("table/ghost", 1),
        )
    )
    names = ("at", "actor", "name", "data", "hash")
    _add(database, "events", stream, version, *(row[name] for name in names))
    return (event(stream, version),)


def swap_two_events(database: Database, rng: Random, condition: str = "1") -> Named:
    """Two neighbours change places, hashes and all; of the first of a stream it is the one after it that moves."""
    row = _one(database, rng, "events", condition)
    if _last(database, row["stream"]) == 1:  # it has no neighbour
        return change_an_event(database, rng, condition)
    if row["version"] == 1:
        row = _one(database, rng, "events", f"stream = '{row['stream']}' AND version = 2")
    before = database.execute(
        "SELECT rowid AS id, * FROM events WHERE stream = ? AND version = ?",
        (row["stream"], row["version"] - 1),
    ).fetchone()
    names = ("at", "actor", "name", "data", "hash")
    _set(database, "events", row, **{name: before[name] for name in names})
    _set(database, "events", before, **{name: row[name] for name in names})
    return (event(row["stream"], before["version"]),)


def rewrite_history(database: Database, rng: Random) -> Named:
    """Somebody else did it, and every hash since is made anew: the next event that was signed shows it."""
    row = _one(database, rng, "events")
    _set(database, "events", row, actor=_other_text(str(row["actor"]), rng))
    seal_again(database, str(row["stream"]))
    return _next_signed(database, row["stream"], row["version"])


def drop_the_end(database: Database, rng: Random) -> Named:
    """The last event of a stream and its money go, and the end of the stream is put back."""
    row = _one(database, rng, "streams", "version > 1")
    for table in ("events", "postings"):
        database.execute(
            f"DELETE FROM {table} WHERE stream = ? AND version = ?", (row["stream"], row["version"])
        )
    seal_again(database, str(row["stream"]))
    return _next_signed(database, row["stream"], row["version"])


def _next_signed(database: Database, stream: str, version: int) -> Named:
    signed = {
        json.loads(row["heads"]).get(stream, (0, ""))[0]
        for row in database.execute("SELECT heads FROM checkpoints")
    }
    return event(stream, version), *(event(stream, n) for n in sorted(signed) if n >= version)


def seal_again(database: Database, stream: str) -> None:
    before, version = GENESIS, 0
    rows = database.execute("SELECT rowid AS id, * FROM events WHERE stream = ? ORDER BY version", (stream,))
    for row in rows.fetchall():
        version = row["version"]
        text = f"{before}\n{stream}\n{version}\n{row['at']}\n{row['actor']}\n{row['name']}\n{row['data']}"
        before = hashlib.sha256(text.encode()).hexdigest()
        _set(database, "events", row, hash=before)
    database.execute("UPDATE streams SET version = ?, hash = ? WHERE stream = ?", (version, before, stream))


# --- what was written since the last signature, sealed anew ------------------------------------------------


def turn_time_back(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "events", "version > 1 AND stream LIKE 'table/%'")
    _set(database, "events", row, at=5)
    seal_again(database, row["stream"])
    return (event(row["stream"], row["version"]),)


def _change_data(database: Database, row: sqlite3.Row, **changes: object) -> Named:
    data: dict[str, Any] = json.loads(row["data"]) | changes
    _set(database, "events", row, data=json.dumps(data, separators=(",", ":"), ensure_ascii=False))
    seal_again(database, row["stream"])
    return (event(row["stream"], row["version"]),)


def _slip(database: Database, rng: Random) -> tuple[sqlite3.Row, dict[str, Any]]:
    row = _one(database, rng, "events", "name = 'payout-slip.v1'")
    return row, json.loads(row["data"])


def change_the_amount_of_a_slip(database: Database, rng: Random) -> Named:
    row, data = _slip(database, rng)
    return _change_data(database, row, amount=data["amount"] + 100)


def change_the_player_of_a_slip(database: Database, rng: Random) -> Named:
    row, data = _slip(database, rng)
    return _change_data(database, row, player=f"{data['player']}x")


def change_the_jackpot_of_a_slip(database: Database, rng: Random) -> Named:
    row, data = _slip(database, rng)
    return _change_data(database, row, jackpot=data["jackpot"] - 1)


def change_who_confirmed_a_slip(database: Database, rng: Random) -> Named:
    """Of slips that take another back it is the other's; either shows it."""
    row, data = _slip(database, rng)
    others = {"", "nobody", f"{data['confirmed_by']}x"} - {data["confirmed_by"]}
    return _change_data(database, row, confirmed_by=rng.choice(sorted(others)))


def change_who_authorised_a_slip(database: Database, rng: Random) -> Named:
    row, _ = _slip(database, rng)
    return _change_data(database, row, authorised_by="staff/ghost")


def change_who_verified_a_claim(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "events", "name = 'claim-verified.v1'")
    _set(database, "events", row, actor="staff/ghost")
    seal_again(database, row["stream"])
    return (event(row["stream"], row["version"]),)


def _change_a_loss(database: Database, rng: Random, change: Callable[[dict[str, Any]], object]) -> Named:
    """Change what the record names as lost, with the digest that fits."""
    row = _one(database, rng, "events", "name = 'record-reconciled.v1'")
    data: dict[str, Any] = json.loads(row["data"])
    change(data)
    said = (data["before"], data["after"])
    checkpoints = [[row["number"], row["at"], row["signature"]] for row in data["checkpoints"]]
    lost = [[row["key"], row["stream"], row["version"], row["hash"], row["at"]] for row in data["lost"]]
    text = json.dumps([*said, checkpoints, lost], separators=(",", ":"), ensure_ascii=False)
    return _change_data(database, row, **data | {"digest": hashlib.sha256(text.encode()).hexdigest()})


def name_as_lost_what_is_there(database: Database, rng: Random) -> Named:
    """An event of the record is named as lost, so that whoever kept it elsewhere is not believed."""
    there = _one(database, rng, "events", "stream LIKE 'table/%'")
    place = {name: there[name] for name in ("stream", "version", "hash")}
    return _change_a_loss(database, rng, lambda data: data["lost"][0].update(place))


def say_that_less_was_lost(database: Database, rng: Random) -> Named:
    """One of the commands that were lost is taken out of the event, and its number stays."""
    return _change_a_loss(database, rng, lambda data: data["lost"].pop(0))


def remove_a_slip(database: Database, rng: Random) -> Named:
    """As if it had never been written: what comes after moves up. The settlement shows it, or the next slip."""
    row, _ = _slip(database, rng)
    stream, version = row["stream"], row["version"]
    made_due = database.execute(
        "SELECT max(version) FROM events WHERE stream = ? AND version < ? AND name IN "
        "('round-settled.v1', 'settlement-reversed.v1')",
        (stream, version),
    ).fetchone()[0]
    last = _last(database, stream)
    _remove(database, "events", row)
    for later in range(version + 1, last + 1):
        for table in ("events", "postings"):
            database.execute(
                f"UPDATE {table} SET version = ? WHERE stream = ? AND version = ?", (later - 1, stream, later)
            )
    seal_again(database, stream)
    voided = event(
        stream, made_due + 1
    )  # a round that is void since shows it, where its settlement is undone
    return event(stream, made_due), voided, event(stream, version)


# --- money ------------------------------------------------------------------------------------------------


def change_a_posting(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "postings")
    if rng.random() < 0.5:
        _set(database, "postings", row, amount=row["amount"] + rng.choice((-1, 1, 10_000, -row["amount"])))
    else:
        _set(database, "postings", row, account=f"{row['account']}x")
    return (event(row["stream"], row["version"]),)


def remove_a_posting(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "postings")
    _remove(database, "postings", row)
    return (event(row["stream"], row["version"]),)


def insert_a_posting(database: Database, rng: Random) -> Named:
    """Money that no event moves: on one account, a pair that adds up, a pair on one account, or nothing at all."""
    row, other = _one(database, rng, "postings"), _one(database, rng, "postings")
    account = row["account"]
    line = _lines(database, row)
    for name, amount in rng.choice(
        (
            ((account, 10_000),),
            ((account, 10_000), (other["account"], -10_000)),
            ((account, 5), (account, -5)),
            ((account, 0),),
        )
    ):
        _add(database, "postings", row["stream"], row["version"], line, name, amount)
        line += 1
    return (event(row["stream"], row["version"]),)


def _lines(database: Database, row: sqlite3.Row) -> int:
    place = (row["stream"], row["version"])
    found = database.execute("SELECT count(*) FROM postings WHERE stream = ? AND version = ?", place)
    return int(found.fetchone()[0])


def insert_money_of_no_event(database: Database, rng: Random) -> Named:
    """On a stream that is not there, before the first event of one that is, or after the last."""
    row = _one(database, rng, "postings")
    stream, version = rng.choice(
        (
            ("table/ghost", 1),
            (row["stream"], 0),
            (row["stream"], -1),
            (row["stream"], _last(database, row["stream"]) + 1),
            ("floor", 1),
        )
    )
    _add(database, "postings", stream, version, 0, row["account"], 10_000)
    return (event(stream, version),)


def split_a_posting(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "postings", "amount > 10")
    _set(database, "postings", row, amount=row["amount"] - 10)
    _add(database, "postings", row["stream"], row["version"], _lines(database, row), row["account"], 10)
    return (event(row["stream"], row["version"]),)


def swap_two_amounts(database: Database, rng: Random) -> Named:
    """Amounts of two accounts of one event change places; the sum stays."""
    row = _one(database, rng, "postings", "line > 0")
    other = _first_line(database, row)
    if other["amount"] == row["amount"]:
        return change_a_posting(database, rng)
    _set(database, "postings", row, amount=other["amount"])
    _set(database, "postings", other, amount=row["amount"])
    return (event(row["stream"], row["version"]),)


def _first_line(database: Database, row: sqlite3.Row) -> sqlite3.Row:
    found: sqlite3.Row = database.execute(
        "SELECT rowid AS id, * FROM postings WHERE stream = ? AND version = ? AND line = 0",
        (row["stream"], row["version"]),
    ).fetchone()
    return found


def swap_two_lines(database: Database, rng: Random) -> Named:
    """Two lines of one event change places; accounts and amounts stay."""
    row = _one(database, rng, "postings", "line > 0")
    other = _first_line(database, row)
    _set(database, "postings", other, line=99)
    _set(database, "postings", row, line=0)
    _set(database, "postings", other, line=row["line"])
    return (event(row["stream"], row["version"]),)


def number_lines_anew(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "postings")
    database.execute(
        "UPDATE postings SET line = line + 7 WHERE stream = ? AND version = ?",
        (row["stream"], row["version"]),
    )
    return (event(row["stream"], row["version"]),)


def write_text_for_money(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "postings")
    _set(database, "postings", row, amount="abc")
    return (event(row["stream"], row["version"]),)


def change_a_balance(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "balances", rng.choice(("1", "account LIKE '%/meter/%'")))
    amount = rng.choice((row["amount"] - 1, row["amount"] + 1, row["amount"] + 500_000, "x", 1.5))
    _set(database, "balances", row, amount=amount)
    return (row["account"],)


def move_a_balance(database: Database, rng: Random) -> Named:
    """From one account to another: everything still adds up."""
    row = _one(database, rng, "balances", "account LIKE '%/meter/%'")
    other = _one(database, rng, "balances", f"account <> '{row['account']}'")
    _set(database, "balances", row, amount=row["amount"] - 10_000)
    _set(database, "balances", other, amount=other["amount"] + 10_000)
    return (row["account"],)


def remove_a_balance(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "balances")
    _remove(database, "balances", row)
    return (row["account"],)


def insert_a_balance(database: Database, rng: Random) -> Named:
    """An account with nothing in it that no event has ever touched."""
    _add(database, "balances", "SGD/rack/ghost/x", 0)
    return ("SGD/rack/ghost/x",)


# --- what is kept beside ----------------------------------------------------------------------------------


def change_an_end(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "streams")
    stream, version = row["stream"], row["version"]
    change = rng.choice(("version", "hash", "text"))
    if change == "version":
        _set(database, "streams", row, version=version - 1)
    elif change == "hash":
        _set(database, "streams", row, hash=_other_text(str(row["hash"]), rng))
    else:
        _set(database, "streams", row, version="x")
    return (
        event(stream, version),
        f"{stream}: the record ends",
        f"{stream}: the row",
        f"{stream}: its version",
    )


def remove_an_end(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "streams")
    _remove(database, "streams", row)
    stream = row["stream"]
    return event(stream, 1), f"{stream}: the record ends"


def insert_an_end(database: Database, rng: Random) -> Named:
    """A stream that has no event, and that nobody has opened."""
    name = rng.choice(("table/ghost", "link/ghost", "player/ghost", "ghost"))
    _add(database, "streams", name, 0, GENESIS)
    return (f"{name}: ", f"{name} event 1: ")


def change_a_round(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "rounds", "ended_at IS NOT NULL")
    numbers = ("first_version", "last_version", "opened_at", "dealt_at", "ended_at")
    field = rng.choice((*numbers, "rulebook", "link", "jackpot", "status", "text"))
    changes: dict[str, object] = {
        "rulebook": _other_text(row["rulebook"], rng),
        "link": f"{row['link']}x",
        "jackpot": 1 - row["jackpot"],
        "status": rng.choice(("interrupted", "playing", "void" if row["status"] == "settled" else "settled")),
    }
    value = changes.get(field) if field in changes else (row[field] or 0) + 1 if field != "text" else "x"
    _set(database, "rounds", row, **{"opened_at" if field == "text" else field: value})
    return round_of(row["table_id"], row["number"])


def remove_a_round(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "rounds")
    _remove(database, "rounds", row)
    return round_of(row["table_id"], row["number"])


def insert_a_round(database: Database, rng: Random) -> Named:
    """Of a table that is not there, or one that was not played."""
    row = _one(database, rng, "rounds")
    if rng.random() < 0.5:
        _add(database, "rounds", "ghost", *tuple(row)[2:])
        return round_of("ghost", row["number"])
    _add(database, "rounds", row["table_id"], 9999, *tuple(row)[3:])
    return round_of(row["table_id"], 9999)


def change_a_snapshot(database: Database, rng: Random) -> Named:
    """Other data, another version, or none at all."""
    row = _one(database, rng, "snapshots")
    data = row["data"].replace('"slips":', '"slips":1')
    version = rng.choice((row["version"], 0, row["version"] - 1, _last(database, row["stream"]) + 1))
    _set(database, "snapshots", row, data=data, version=version)
    stream = row["stream"]
    return event(stream, version), f"{stream}: the snapshot"


def insert_a_snapshot(database: Database, rng: Random) -> Named:
    """Of a stream that is not there, or of one of which nothing is ever kept."""
    player = _one(database, rng, "streams", "stream LIKE 'player/%' OR stream = 'floor'")["stream"]
    stream = rng.choice(("table/ghost", player))
    _add(database, "snapshots", stream, 1, "{}")
    return (event(stream, 1),)


def keep_a_deck(database: Database, rng: Random) -> Named:
    """Of a round that has ended, or of a table that is not there."""
    row = _one(database, rng, "rounds", "ended_at IS NOT NULL")
    table = rng.choice((row["table_id"], "ghost"))
    _add(database, "decks", table, row["number"], b"\0")
    return round_of(table, row["number"])


def lose_a_deck(database: Database, rng: Random) -> Named:
    """Of the round in play."""
    row = _one(database, rng, "decks")
    _remove(database, "decks", row)
    return round_of(row["table_id"], row["number"])


def change_a_checkpoint(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "checkpoints")
    heads = json.loads(row["heads"])
    heads[rng.choice(sorted(heads))][0] -= 1
    _set(database, "checkpoints", row, heads=json.dumps(heads, sort_keys=True, separators=(",", ":")))
    return (f"checkpoint {row['number']}",)


def remove_a_checkpoint(database: Database, rng: Random) -> Named:
    row = _one(database, rng, "checkpoints")
    _remove(database, "checkpoints", row)
    return (f"checkpoint {row['number']}",)


# --- answers that are kept ----------------------------------------------------------------------------------

WITH_EVENTS = """answer LIKE '%"versions":{"%'"""


def change_a_kept_answer(database: Database, rng: Random) -> Named:
    """Another text, time or fingerprint, or the answer to another request."""
    row = _one(database, rng, "commands")
    field = rng.choice(("answer", "answer", "at", "fingerprint", "other"))
    if field == "other":
        other = _one(database, rng, "commands", f"key <> '{row['key']}'")
        _set(database, "commands", row, answer=other["answer"])
    else:
        value: object = row["at"] + 1 if field == "at" else _other_text(str(row[field]), rng)
        _set(database, "commands", row, **{field: value})
    return (f"answer {row['key']}",)


def call_a_refusal_done(database: Database, rng: Random) -> Named:
    """And what was done refused."""
    row = _one(database, rng, "commands")
    done = '{"ok":true,"versions":{}}'
    refused = '{"ok":false,"refusal":{"code":"stale-version","message":"No.","clauses":[]}}'
    _set(database, "commands", row, answer=refused if '"ok":true' in row["answer"] else done)
    return (f"answer {row['key']}",)


def change_the_key_of_an_answer(database: Database, rng: Random) -> Named:
    """As if it had never been asked: it would be done again."""
    row = _one(database, rng, "commands")
    _set(database, "commands", row, key=f"{row['key']}x")
    return (f"answer {row['key']}x",)


def remove_a_kept_answer(database: Database, rng: Random) -> Named:
    """Of something that was done: its events are left without one."""
    row = _one(database, rng, "commands", WITH_EVENTS)
    _remove(database, "commands", row)
    versions = json.loads(row["answer"])["versions"]
    return tuple(event(stream, version) for stream, version in versions.items())


def insert_a_kept_answer(database: Database, rng: Random) -> Named:
    """Somebody was answered before he asked; or two answers speak of one request."""
    row = _one(database, rng, "commands", WITH_EVENTS)
    _add(database, "commands", "ghost", row["at"], row["fingerprint"], row["answer"])
    return "answer ghost", f"answer {row['key']}"


FOLDED_FROM_EVENTS = (
    "a snapshot is no record: it is folded from the events, and nothing rests on it they do not show"
)

WITH_AN_EVENT: tuple[Callable[[Database, Random, str], Named], ...] = (
    change_an_event,
    remove_an_event,
    insert_an_event,
    swap_two_events,
)
"""What is done with one event of every kind, so that kinds of which there is one among thousands are tried too."""

WAYS: tuple[Way, ...] = (
    *(
        Way(way.__name__, way)
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
            insert_money_of_no_event,
            split_a_posting,
            swap_two_amounts,
            swap_two_lines,
            number_lines_anew,
            write_text_for_money,
            change_a_balance,
            move_a_balance,
            remove_a_balance,
            insert_a_balance,
            change_an_end,
            remove_an_end,
            insert_an_end,
            change_a_round,
            remove_a_round,
            insert_a_round,
            keep_a_deck,
            change_a_checkpoint,
            remove_a_checkpoint,
            change_a_kept_answer,
            call_a_refusal_done,
            change_the_key_of_an_answer,
            remove_a_kept_answer,
            insert_a_kept_answer,
        )
    ),
    *(
        Way(way.__name__, way, PAPERS)
        for way in (
            turn_time_back,
            change_the_amount_of_a_slip,
            change_the_player_of_a_slip,
            change_the_jackpot_of_a_slip,
            change_who_confirmed_a_slip,
            change_who_authorised_a_slip,
            change_who_verified_a_claim,
            remove_a_slip,
            lose_a_deck,
        )
    ),
    *(Way(way.__name__, way, EVENTFUL) for way in (name_as_lost_what_is_there, say_that_less_was_lost)),
    *(
        Way(way.__name__, way, why_not_exported=FOLDED_FROM_EVENTS)
        for way in (change_a_snapshot, insert_a_snapshot)
    ),
)
