"""Engines for SQLite and PostgreSQL, and the version of what is kept there."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from pitboss.errors import BadInput, StoreError
from pitboss.parts import require
from pitboss.store.connections import (
    ADDRESS_REMEDY,
    COMMANDING,
    MIGRATION_LOCK_SECONDS,
    MOST_SECONDS,
    SERVING,
    Connections,
    Patience,
    arguments,
    connections_of,
    is_postgres,
    keep_connections,
    patience_set,
    take_time,
)
from pitboss.store.database_errors import in_words as in_words

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

REVISION = "0006"
"""The revision of the store that this version of Pitboss reads and writes."""

_KNOWN = ("0001", "0002", "0003", "0004", "0005", "0006")
POOL_SECONDS = 4
"""How long a thread waits for one of the pool's connections."""


def open_engine(url: str, *, usual: Patience = COMMANDING) -> Engine:
    """An engine for a database address. Raises `BadInput` for one that names no database we know, and
    `MissingPart` for PostgreSQL without its driver.

    `usual` is how long its connections wait where the environment says nothing.
    """
    patience = patience_set(usual)
    if is_postgres(url):
        require("postgres", place="--database")
        known = Connections(patience, arguments(url, patience), serving=usual == SERVING)
        return _open_postgres(known)
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise BadInput("--database", "not the address of a database", ADDRESS_REMEDY) from error
    if parsed.get_backend_name() != "sqlite":
        raise BadInput("--database", f"no '{parsed.get_backend_name()}' here", ADDRESS_REMEDY)
    known = Connections(patience)
    try:
        engine = create_engine(parsed, connect_args={"timeout": patience.lock or MOST_SECONDS})
    except (NoSuchModuleError, SQLAlchemyError) as error:
        raise BadInput("--database", "not the address of a database", ADDRESS_REMEDY) from error
    keep_connections(engine, known)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "invalidate", _roll_back_sqlite)
    return engine


def _open_postgres(known: Connections) -> Engine:
    engine = create_engine(
        "postgresql+psycopg://",
        pool_size=8,
        max_overflow=16,
        pool_timeout=POOL_SECONDS,
        connect_args=known.arguments,
    )
    keep_connections(engine, known)
    return engine


def sqlite_url(file: Path) -> str:
    """The address of a database in a file."""
    return f"sqlite:///{file}"


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Write-ahead log; a commit is on the disk before it is answered."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA secure_delete = ON")  # the deck of a round that has ended is to be gone
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; one that writes needs the whole file, which another process may hold."""
    if not connection.get_execution_options().get("writing", False):
        connection.exec_driver_sql("BEGIN")
        return
    waits = connections_of(connection.engine).waits
    usual = _milliseconds(waits.lock_seconds or MOST_SECONDS)
    with waits.on((_FILE,)) as seconds, in_words():
        connection.exec_driver_sql(
            f"PRAGMA busy_timeout = {usual if seconds is None else _milliseconds(seconds)}"
        )
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            if seconds is not None:
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {usual}")


def _roll_back_sqlite(connection: Any, record: object, error: BaseException | None) -> None:
    """Free the file when Ctrl-C or SIGTERM cuts a statement short.

    SQLAlchemy only closes such a connection, and SQLite keeps its transaction, and with it the file, as long
    as the interrupted statement lives: until the traceback is gone. The last signature would wait in vain.
    """
    with suppress(sqlite3.Error):
        connection.rollback()


def _milliseconds(seconds: float) -> int:
    return int(1000 * seconds)


_FILE = "the floor's file"


def revision_of(connection: Connection) -> str | None:
    """The revision of what is kept, or None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def upgrade(engine: Engine) -> None:
    """Bring an empty or older store to this version. One of a newer version is left alone, with an error."""
    with in_words(), engine.connect() as connection:
        found = revision_of(connection)
    if found == REVISION:
        return
    if found is not None and found not in _KNOWN:
        raise StoreError(
            f"the floor was kept by a newer Pitboss (store {found}, this one knows {REVISION})",
            "use that version, or restore a backup of this one",
        )
    with in_words(), engine.connect().execution_options(writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            take_time(connection, lock_seconds=MIGRATION_LOCK_SECONDS)
            connection.execute(select(text("pg_advisory_xact_lock(720451)")))
            if revision_of(connection) == REVISION:
                return
        migrate(connection)


def migrate(connection: Connection, to: str = REVISION) -> None:
    """Bring what a connection reaches to a revision, in its transaction."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    scripts = _scripts()
    context = MigrationContext.configure(
        connection, opts={"fn": lambda found, _: scripts._upgrade_revs(to, found)}
    )
    with Operations.context(context):
        context.run_migrations()


@cache
def _scripts() -> ScriptDirectory:
    """The migrations, read once a process."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "pitboss.store:migrations")
    config.set_main_option("path_separator", "os")
    return ScriptDirectory.from_config(config)
