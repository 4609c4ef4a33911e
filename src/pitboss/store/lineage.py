"""Which database a connection leads to, and whether that has changed: a cluster and its timeline, or a file.

A standby that is promoted begins a new timeline, and so does a restore to a point in time; a cluster or a
database that is made anew has another number. A file that is replaced has another inode. None of that says
that something was lost: the process compares what it knows.
"""

from __future__ import annotations

import os
import threading
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine, event

from pitboss.errors import StoreError

_DATABASE = "(SELECT oid FROM pg_database WHERE datname = current_database())"
_TIMELINE = """CASE WHEN pg_is_in_recovery() THEN 'standby'
  ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END"""
_ASK = f"SELECT (SELECT system_identifier FROM pg_control_system()), {_DATABASE}, {_TIMELINE}"
_ASK_LESS = f"SELECT '', {_DATABASE}, {_TIMELINE}"
"""Where this user may not ask for the number of the cluster."""


class Lineage:
    """Looks at every new connection of an engine, and at a file whenever it is used."""

    def __init__(self, engine: Engine) -> None:
        file = engine.url.database if engine.dialect.name == "sqlite" else None
        if file and file.startswith("file:"):
            file = urlsplit(file).path
        self._file = os.path.abspath(file) if file and file != ":memory:" else ""
        self._asks = engine.dialect.name == "postgresql"
        self._lock = threading.Lock()
        self.known = ""
        """The database that what is known in this process was compared with."""
        self.changed = threading.Event()
        """A connection leads to another database than the one that is known."""
        event.listen(engine, "connect", self._connected)
        if self._file:
            event.listen(engine, "checkout", self._used)

    def of(self, connection: Any) -> str:
        """Which database a connection of the driver leads to."""
        return self._asked(connection) if self._asks else self._of_file()

    def note(self, connection: Any) -> str:
        """The same for a connection that was just made; another database than before is noticed."""
        found = self.of(connection)
        with self._lock:
            if not self.known:
                self.known = found
            elif self.known != found:
                self.changed.set()
        return found

    def accept(self, identity: str) -> None:
        """What is known in this process was compared with this database."""
        with self._lock:
            self.known = identity
            self.changed.clear()

    def _connected(self, connection: Any, record: Any) -> None:
        record.info["lineage"] = self.note(connection)

    def _used(self, connection: Any, record: Any, fairy: object) -> None:
        """A file that was replaced is opened anew: what is written to the old one would be lost."""
        if record.info.get("lineage") != self._of_file():
            from sqlalchemy.exc import DisconnectionError

            raise DisconnectionError("the file of the floor was replaced")

    def _of_file(self) -> str:
        if not self._file:
            return "memory"
        try:
            found = os.stat(self._file)
        except OSError as error:
            remedy = "put it back; nothing was written meanwhile"
            raise StoreError(f"the floor's file {self._file} is gone ({error.strerror})", remedy) from error
        return f"file {found.st_dev:x}:{found.st_ino}"

    def _asked(self, connection: Any) -> str:
        import psycopg

        try:
            row = _one(connection, _ASK)
        except psycopg.errors.InsufficientPrivilege:
            _end(connection)
            row = _one(connection, _ASK_LESS)
        _end(connection)
        cluster, database, timeline = row
        return f"postgresql {cluster or '-'}/{database} timeline {timeline}"


def _one(connection: Any, query: str) -> Any:
    with closing(connection.cursor()) as cursor:
        cursor.execute(query)
        return cursor.fetchone()


def _end(connection: Any) -> None:
    if not connection.autocommit:
        connection.rollback()
