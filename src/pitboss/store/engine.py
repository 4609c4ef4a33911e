"""Connections to SQLite and PostgreSQL, the version of what is kept there, and errors in plain words."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from pitboss.errors import BadInput, StoreError
from pitboss.parts import require

REVISION = "0004"
"""The revision of the store that this version of Pitboss reads and writes."""

_KNOWN = ("0001", "0002", "0003", "0004")
BUSY_SECONDS = 20
PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""How long PostgreSQL may be silent before a connection is given up."""

_TROUBLES = (
    ("disk is full", "the disk is full", "make room and try again; what was committed is safe"),
    ("no space left", "the disk is full", "make room and try again; what was committed is safe"),
    ("readonly", "the floor's data are read-only", "give this user the right to write there"),
    ("read-only", "the floor's data are read-only", "give this user the right to write there"),
    ("unable to open", "the floor's data cannot be opened", "see that the folder exists and can be written"),
    ("malformed", "the floor's file is damaged", "restore the last backup with 'pitboss restore'"),
    ("could not decode", "the floor's file is damaged", "restore the last backup with 'pitboss restore'"),
    ("not a database", "the floor's file is no database", "restore the last backup with 'pitboss restore'"),
    ("disk i/o error", "the disk failed", "see to the disk, then 'pitboss verify'"),
    ("locked", "somebody else holds the floor's data", "try again, or stop the other process"),
    ("authentication failed", "the database does not know this user", "see to the user and the password"),
    ("does not exist", "the database lacks something", "see that the database was made for Pitboss"),
)


def open_engine(url: str) -> Engine:
    """An engine for a database address. Raises `BadInput` for one that names no database we know, and
    `MissingPart` for PostgreSQL without its driver.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise BadInput("--database", "not the address of a database", _ADDRESS) from error
    if parsed.get_backend_name() == "postgresql":
        require("postgres", place="--database")
        parsed = parsed.set(drivername="postgresql+psycopg")
        return create_engine(parsed, pool_size=8, max_overflow=16, connect_args=PATIENCE)
    if parsed.get_backend_name() != "sqlite":
        raise BadInput("--database", f"no '{parsed.get_backend_name()}' here", _ADDRESS)
    try:
        engine = create_engine(parsed, connect_args={"timeout": BUSY_SECONDS})
    except (NoSuchModuleError, SQLAlchemyError) as error:
        raise BadInput("--database", "not the address of a database", _ADDRESS) from error
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


_ADDRESS = "write postgresql://user:password@host/name or sqlite:///file"


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
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


@contextmanager
def in_words() -> Iterator[None]:
    """Errors of the database as `StoreError`: what is wrong and what to do."""
    try:
        yield
    except _database_errors() as error:
        said = " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())
        for sign, what, remedy in _TROUBLES:
            if sign in said.casefold():
                raise StoreError(f"{what} ({said})", remedy) from error
        remedy = "see that it runs and can be reached; retry with the same key, nothing is done twice"
        raise StoreError(f"the database does not answer ({said})", remedy) from error


def _database_errors() -> tuple[type[Exception], ...]:
    """What a database raises; PostgreSQL's driver raises its own, once something has loaded it."""
    driver: Any = sys.modules.get("psycopg")
    return (DBAPIError,) if driver is None else (DBAPIError, driver.Error)


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
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "pitboss.store:migrations")
    config.set_main_option("path_separator", "os")
    with in_words(), engine.connect().execution_options(writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(select(text("pg_advisory_xact_lock(720451)")))
            if revision_of(connection) == REVISION:
                return
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
