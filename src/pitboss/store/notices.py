"""Hearing that somebody else has moved a stream on: PostgreSQL tells, a file is looked at.

A notice says only which stream moved and to which version; whoever hears it reads up from the version he
has. So nothing is lost when notices are: after a break the hearer is told to look at everything.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from pitboss.store.connections import connections_of

if TYPE_CHECKING:
    import psycopg

CHANNEL = "pitboss"
LOOK_SECONDS = 0.25
"""How often a SQLite file is looked at for what another process has written."""
RETRY_SECONDS = 0.5
QUIET_SECONDS = 10
"""After so long without a notice the listener asks whether the connection still lives."""

Moved = Callable[[Sequence[tuple[str, int]]], None]
Gap = Callable[[], None]


class Notices:
    """A thread that listens until it is stopped. Both callbacks are called from it.

    `moved` gets streams and versions; `gap` says that something may have been missed.
    """

    def __init__(self, engine: Engine, *, moved: Moved, gap: Gap) -> None:
        self._engine, self._moved, self._gap = engine, moved, gap
        self._stopped = threading.Event()
        self.listening = threading.Event()
        self.breaks = 0
        self._again = threading.Event()
        run = self._listen if engine.dialect.name == "postgresql" else self._look
        self._thread = threading.Thread(target=run, name="notices", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._stopped.set()
        self._thread.join(timeout=5)

    def listen_again(self) -> None:
        """The database is another one: listen on a new connection. From any thread."""
        self._again.set()

    def _goes_on(self) -> bool:
        """Whether to stay on a connection that was made after the last call of `listen_again`."""
        return not self._stopped.is_set() and not self._again.is_set()

    def _listen(self) -> None:
        import psycopg

        connections = connections_of(self._engine)
        while not self._stopped.is_set():
            self._again.clear()
            try:
                with connections.connect(purpose="notices") as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.listening.set()
                    self._gap()  # what moved while nobody listened
                    self._hear(connection)
            except psycopg.Error:
                self.breaks += 1
            self.listening.clear()
            self._stopped.wait(RETRY_SECONDS)

    def _hear(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        heard_at = time.monotonic()
        while self._goes_on():
            heard = [notice.payload for notice in connection.notifies(timeout=1.0, stop_after=1)]
            if heard:
                self._moved([pair for payload in heard for pair in _streams_in(payload)])
                heard_at = time.monotonic()
            if time.monotonic() - heard_at > QUIET_SECONDS:
                connection.execute("SELECT 1")
                heard_at = time.monotonic()

    def _look(self) -> None:
        """SQLite counts the commits of others; the number of this connection changes with each."""
        before = None
        while not self._stopped.is_set():
            self._again.clear()
            try:
                with self._engine.connect() as connection:
                    self.listening.set()
                    while self._goes_on():
                        found = connection.exec_driver_sql("PRAGMA data_version").scalar()
                        connection.rollback()
                        if found != before:
                            before = found
                            self._gap()
                        self._stopped.wait(LOOK_SECONDS)
            except SQLAlchemyError:
                self.breaks += 1
            self.listening.clear()
            self._stopped.wait(RETRY_SECONDS)


def _streams_in(payload: str) -> list[tuple[str, int]]:
    """`table/t1:12 link/mega:40` as pairs."""
    pairs = (part.rpartition(":") for part in payload.split(" ") if ":" in part)
    return [(stream, int(version)) for stream, _, version in pairs if version.isdigit()]
