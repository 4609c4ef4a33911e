"""Keeping the record: signed checkpoints, exports, backups and their return.

A checkpoint joins the heads of all streams under a signature, so that a log cut off at its end is found too.
A backup is a SQLite file with all tables, whatever database the floor is on.
"""

from __future__ import annotations

import base64
import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from sqlalchemy import Column, Connection, Table, func, insert, select

from pitboss.errors import BadInput, StoreError, near_file
from pitboss.floor.ports import Head, Micros
from pitboss.progress import Task, counting
from pitboss.store import schema as s
from pitboss.store.connections import take_time
from pitboss.store.engine import in_words, open_engine, sqlite_url
from pitboss.store.sql import SqlReader, SqlStore

_SQLITE = b"SQLite format 3\x00"
ROWS_AT_ONCE = 2000
DRAFT = ".draft"
EVENTS, POSTINGS, BALANCES, ROUNDS = "events", "postings", "balances", "rounds"
EXPORTS = {
    EVENTS: s.events,
    POSTINGS: s.postings,
    BALANCES: s.balances,
    ROUNDS: s.rounds,
    "checkpoints": s.checkpoints,
}
Checkpoint = tuple[int, int, str, str]
"""Number, time, heads and signature."""
_CHECKPOINT_LOCK = 720_453
_OF_PROCESSES = ("sessions", "sign_ins", "leases")
"""Tables that say who works and who is signed in now, which no backup brings back."""
_KEPT = [table for table in s.metadata.sorted_tables if table.name not in _OF_PROCESSES]


# --- checkpoints ----------------------------------------------------------------------------------------


def make_checkpoint(
    store: SqlStore,
    key: Ed25519PrivateKey,
    at: Micros,
    *,
    not_within: int = 0,
    only_news: bool = False,
) -> int:
    """Sign the heads of all streams as they stand together; the number of the checkpoint.

    One that is younger than `not_within` microseconds is left as the last, and with `only_news` so is one
    that has signed the same heads. Two processes that sign at the same time wait for each other, so that
    the numbers have no gap. Where nothing is to be signed, nothing is waited for.
    """
    newest = (
        select(s.checkpoints.c.number, s.checkpoints.c.at).order_by(s.checkpoints.c.number.desc()).limit(1)
    )
    if not_within:
        with in_words(), store.engine.connect() as connection:
            last, last_at = connection.execute(newest).first() or (0, 0)
        if last and at - last_at < not_within:
            return int(last)
    with in_words(), store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        if store.engine.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(_CHECKPOINT_LOCK)))
        last, last_at = connection.execute(newest).first() or (0, 0)
        if last and not_within and at - last_at < not_within:
            return int(last)
        number = int(last) + 1
        heads = {stream: list(head) for stream, head in SqlReader(connection).heads().items()}
        text = json.dumps(heads, sort_keys=True, separators=(",", ":"))
        signed = select(s.checkpoints.c.heads).where(s.checkpoints.c.number == last)
        if last and only_news and connection.execute(signed).scalar() == text:
            return int(last)
        signature = base64.b64encode(key.sign(_signed(number, at, text))).decode()
        connection.execute(
            insert(s.checkpoints).values(number=number, at=at, heads=text, signature=signature)
        )
    return number


def _signed(number: int, at: int, text: str) -> bytes:
    return f"{number}\n{at}\n{text}".encode()


def read_checkpoints(reader: SqlReader) -> list[Checkpoint]:
    """Every checkpoint: number, time, heads, signature."""
    rows = reader.connection.execute(select(*s.checkpoints.c).order_by(s.checkpoints.c.number))
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def newest_checkpoint(store: SqlStore, known: str = "") -> Checkpoint | None:
    """The newest checkpoint, or None where there is none or it is `known` by its signature."""
    newest = select(s.checkpoints.c.signature).order_by(s.checkpoints.c.number.desc()).limit(1)
    with in_words(), store.engine.connect() as connection:
        signature = connection.execute(newest).scalar()
        if signature is None or signature == known:
            return None
        row = connection.execute(
            select(*s.checkpoints.c).where(s.checkpoints.c.signature == signature)
        ).first()
        return None if row is None else (row[0], row[1], row[2], row[3])


def has_checkpoint(store: SqlStore, checkpoint: Checkpoint) -> bool:
    """Whether a checkpoint is in the record as it was seen."""
    query = select(s.checkpoints.c.signature).where(s.checkpoints.c.number == checkpoint[0])
    with in_words(), store.engine.connect() as connection:
        return bool(connection.execute(query).scalar() == checkpoint[3])


def read_kept(file: Path) -> list[Checkpoint]:
    """Checkpoints of a file that `pitboss export checkpoints` has written."""
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return [(row["number"], row["at"], row["heads"], row["signature"]) for row in rows]
    except FileNotFoundError as error:
        remedy = near_file(str(file)) or "'pitboss export checkpoints' writes one"
        raise BadInput(str(file), "there is no such file", remedy) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(
            str(file), "is no file of checkpoints", "'pitboss export checkpoints' writes one"
        ) from error


def read_public_key(file: Path) -> Ed25519PublicKey:
    """A public key of checkpoints that was kept elsewhere, as `pitboss export all` writes it."""
    remedy = "'pitboss export all' writes it as checkpoint-key.txt"
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(file.read_text(encoding="utf-8").strip()))
    except FileNotFoundError as error:
        raise BadInput(str(file), "there is no such file", near_file(str(file)) or remedy) from error
    except (OSError, ValueError) as error:
        raise BadInput(str(file), "is no public key", remedy) from error


def checkpoint_problems(
    checkpoints: list[Checkpoint],
    key: Ed25519PublicKey | None,
    hashes: Mapping[tuple[str, int], str],
    *,
    broken: Mapping[str, int],
    some: bool = False,
) -> Iterator[tuple[str, int, str]]:
    """What does not fit the checkpoints: stream, version and what is wrong, first ones first.

    They have all numbers from 1 on, unless they are `some` that were kept elsewhere. From where the chain of
    a stream is `broken`, which is a problem of its own, nothing is known that could be held against them.
    """
    for place, (number, at, text, signature) in enumerate(checkpoints, 1):
        name = f"checkpoint {number}"
        if number != place and not some:
            yield name, 0, f"checkpoint {place} is missing"
            return
        if key is not None and not _is_signed(key, signature, _signed(number, at, text)):
            yield name, 0, "its signature does not fit"
            return
        heads = _heads(text)
        if heads is None:
            yield name, 0, "what it signs cannot be read"
            return
        for stream, (version, hashed) in heads.items():
            if stream in broken and version >= broken[stream]:
                continue
            if version and hashes.get((stream, version)) != hashed:
                yield stream, version, f"is not what {name} has signed"
                return


def is_signed_checkpoint(key: Ed25519PublicKey, checkpoint: Checkpoint) -> bool:
    """Whether a checkpoint is signed with a key."""
    number, at, text, signature = checkpoint
    return _is_signed(key, signature, _signed(number, at, text))


def heads_of(text: str) -> dict[str, Head]:
    """The heads that a checkpoint names. Raises `BadInput` for text that names none."""
    found = _heads(text)
    if found is None:
        raise BadInput("checkpoint", "names no heads", "name a file that 'pitboss export checkpoints' wrote")
    return {stream: Head(*head) for stream, head in found.items()}


def _is_signed(key: Ed25519PublicKey, signature: str, message: bytes) -> bool:
    """Whether a signature fits, and stands there letter by letter as it was written."""
    try:
        found = base64.b64decode(signature, validate=True)
        key.verify(found, message)
    except (InvalidSignature, ValueError):
        return False
    return base64.b64encode(found).decode() == signature


def _heads(text: str) -> dict[str, tuple[int, str]] | None:
    """The heads that a checkpoint has signed, or None for text that names none."""
    try:
        found = {
            str(stream): (int(version), str(hashed)) for stream, (version, hashed) in json.loads(text).items()
        }
        return found if all(0 <= version < 1 << 63 for version, _ in found.values()) else None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def versions_signed(checkpoints: list[Checkpoint]) -> dict[str, frozenset[int]]:
    """The versions of each stream that checkpoints speak of."""
    wanted: dict[str, set[int]] = {}
    for _, _, text, _ in checkpoints:
        for stream, (version, _) in (_heads(text) or {}).items():
            wanted.setdefault(stream, set()).add(version)
    return {stream: frozenset(versions) for stream, versions in wanted.items()}


# --- exports ------------------------------------------------------------------------------------------


def export(store: SqlStore, what: str, out: IO[str], *, as_csv: bool) -> int:
    """Write one of the tables of the record; how many rows. Events carry their data as JSON, not as text."""
    table = EXPORTS[what]
    columns = [column.name for column in table.c]
    writer = csv.writer(out, lineterminator="\n") if as_csv else None
    if writer is not None:
        writer.writerow(columns)
    with counting(f"writing {what}", _size(store, [table])) as task:
        for row in _rows(store, table):
            if writer is not None:
                writer.writerow(["" if value is None else value for value in row])
            else:
                record = dict(zip(columns, row, strict=True))
                if what == EVENTS:
                    record["data"] = json.loads(record["data"])
                out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            task.advance()
        return task.done


def _size(store: SqlStore, tables: Iterable[Table]) -> int:
    """How many rows some tables have now."""
    with in_words(), store.engine.connect() as connection, connection.begin():
        take_time(connection)
        sizes = [connection.execute(select(func.count()).select_from(table)).scalar() for table in tables]
    return sum(size or 0 for size in sizes)


def export_all(store: SqlStore, folder: Path, key: Ed25519PrivateKey | None) -> dict[str, int]:
    """Everything an independent verifier needs, all of one moment: a file a table, events to the byte.

    With the key of the checkpoints its public part is written too. Of sealed decks only the rounds are named
    whose deck is kept, never what is sealed. The files are their owner's alone, and so is the folder where it
    is made.
    """
    tables = {name: list(table.c) for name, table in EXPORTS.items()}
    tables |= {"streams": list(s.streams.c), "decks": [s.decks.c.table_id, s.decks.c.number]}
    tables |= {"commands": list(s.commands.c)}
    drafts: list[Path] = []
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sizes = [columns[0].table for columns in tables.values()]
        with counting("writing the record", _size(store, sizes)) as task:
            counts = _drafted(store, tables, folder, drafts, task)
        if key is not None:
            drafts.append(folder / f"checkpoint-key.txt{DRAFT}")
            with _private(drafts[-1]) as out:
                out.write(key.public_key().public_bytes_raw().hex() + "\n")
        for draft in drafts:  # every file is whole: now they take their names
            os.replace(draft, draft.with_name(draft.name.removesuffix(DRAFT)))
    except OSError as error:
        raise BadInput(str(folder), f"cannot be written: {error.strerror}", "name another folder") from error
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)
    return counts


def _private(file: Path) -> IO[str]:
    """A new file that nobody but its owner can read: the cards of rounds in play are in it."""
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    return os.fdopen(handle, "w", encoding="utf-8")


def _drafted(
    store: SqlStore, tables: Mapping[str, list[Column[Any]]], folder: Path, drafts: list[Path], task: Task
) -> dict[str, int]:
    """Write these columns, all of one moment, to files that do not have their names yet; rows by table."""
    counts: dict[str, int] = {}
    with in_words(), store.engine.connect() as connection:
        if store.engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            take_time(connection)
            for name, columns in tables.items():
                keys = [column for column in columns if column.primary_key]
                query = select(*columns).order_by(*keys)
                rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query)
                counts[name] = 0
                drafts.append(folder / f"{name}.jsonl{DRAFT}")
                with _private(drafts[-1]) as out:
                    for row in rows:
                        out.write(json.dumps(row._asdict(), ensure_ascii=False, default=repr) + "\n")
                        counts[name] += 1
                        task.advance()
    return counts


def _rows(store: SqlStore, table: Table) -> Iterator[Any]:
    """All rows of a table in the order of its key, a few at a time, all of one moment."""
    with in_words(), store.engine.connect() as connection:
        if store.engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            take_time(connection)
            query = select(*table.c).order_by(*table.primary_key.columns)
            streamed = connection.execution_options(yield_per=ROWS_AT_ONCE)
            yield from streamed.execute(query)


# --- backups --------------------------------------------------------------------------------------------


def backup(store: SqlStore, file: Path) -> dict[str, int]:
    """Copy everything of one moment to a new SQLite file; rows by table."""
    if file.exists():
        raise BadInput(str(file), "is there already", "name a new file")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    target = _new_file(part)
    try:
        counts = _copy(store, target)
        target.close()
        _settle_file(part)
    except BaseException:
        target.close()
        for leftover in (part, *part.parent.glob(f"{part.name}-*")):
            leftover.unlink(missing_ok=True)
        raise
    os.replace(part, file)
    return counts


def _new_file(file: Path) -> SqlStore:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise StoreError(f"{file} cannot be written ({error.strerror})", "name another place") from error
    return SqlStore(open_engine(sqlite_url(file)))


def _settle_file(file: Path) -> None:
    """Everything in the one file, and on the disk."""
    engine = open_engine(sqlite_url(file))
    with in_words(), engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    for leftover in file.parent.glob(f"{file.name}-*"):
        leftover.unlink(missing_ok=True)
    with file.open("rb") as handle:
        os.fsync(handle.fileno())


def is_backup(file: Path) -> bool:
    """Whether a file can be a backup at all: it begins as such files do."""
    with file.open("rb") as found:
        return found.read(len(_SQLITE)) == _SQLITE


def restore(source: SqlStore, target: SqlStore) -> dict[str, int]:
    """Copy a backup into a store that is empty. It must be verified before it is used."""
    with in_words(), target.engine.connect() as connection:
        if connection.execute(select(func.count()).select_from(s.events)).scalar():
            raise BadInput("restore", "there is a floor here already", "name an empty place")
    counts = _copy(source, target)
    if not counts["events"]:
        raise BadInput(
            "restore", "there is no floor in this backup", "name a file that 'pitboss backup' made"
        )
    with (
        in_words(),
        target.engine.connect().execution_options(writing=True) as connection,
        connection.begin(),
    ):
        # rounds that were in play were interrupted: whoever opens the floor takes them up
        connection.execute(insert(s.sessions).values(id="restored", started_at=0, purpose="restored"))
    return counts


def _is_table(connection: Connection, name: str) -> bool:
    """Whether a name in a backup is a table: a view could have no end."""
    if connection.dialect.name != "sqlite":
        return True
    query = "SELECT type FROM sqlite_master WHERE name = ?"
    return bool(connection.exec_driver_sql(query, (name,)).scalar() == "table")


def _copy(source: SqlStore, target: SqlStore) -> dict[str, int]:
    counts: dict[str, int] = {}
    with (
        counting("copying", _copied_rows(source)) as task,
        in_words(),
        source.engine.connect() as reading,
        target.engine.connect().execution_options(writing=True) as writing,
    ):
        if source.engine.dialect.name == "postgresql":
            reading = reading.execution_options(isolation_level="REPEATABLE READ")
        with reading.begin(), writing.begin():
            take_time(reading)
            take_time(writing)
            for table in _KEPT:
                if not _is_table(reading, table.name):
                    raise BadInput("restore", f"the backup has no table '{table.name}'", "name another one")
                counts[table.name] = 0
                streamed = reading.execution_options(yield_per=ROWS_AT_ONCE)
                for rows in streamed.execute(select(*table.c)).mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in rows])
                    counts[table.name] += len(rows)
                    task.advance(len(rows))
    return counts


def _copied_rows(source: SqlStore) -> int | None:
    """How many rows there are to copy; nobody counts what may be no table of ours."""
    with in_words(), source.engine.connect() as connection:
        known = all(_is_table(connection, table.name) for table in _KEPT)
    return _size(source, _KEPT) if known else None
