"""A straight line to PostgreSQL for what is asked most: one connection a thread, every statement for itself.

What it asks is whole in one statement, so there is no transaction to keep; a line that broke is made again
the next time.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.errors import LockNotAvailable, QueryCanceled
from sqlalchemy import Engine

from pitboss.store.connections import connections_of

Parameters = Mapping[str, Any] | Sequence[Any]


class Line:
    """The lines of all threads to one database. `made` hears of every connection that was made."""

    def __init__(self, engine: Engine, *, made: Callable[[Any], object] = lambda connection: None) -> None:
        self._noted = made
        self._connections = connections_of(engine)
        self._own = threading.local()
        self._made: set[psycopg.Connection[Any]] = set()
        self._lock = threading.Lock()
        weakref.finalize(self, _let_go, self._made)

    def ask(self, statement: str, parameters: Parameters) -> list[tuple[Any, ...]]:
        """The rows of a statement. Raises `psycopg.Error`."""
        connection: psycopg.Connection[Any] | None = getattr(self._own, "connection", None)
        if connection is None or connection.closed:
            connection = self._make(connection)
        try:
            wait: float | None = getattr(self._own, "wait", None)
            if wait is None:
                return connection.execute(statement.encode(), parameters).fetchall()
            limit = f"SET lock_timeout = {math.ceil(1000 * wait)}"
            connection.execute(limit.encode())
            try:
                return connection.execute(statement.encode(), parameters).fetchall()
            finally:
                if not connection.broken:
                    connection.execute(b"RESET lock_timeout")
        except psycopg.OperationalError as error:
            if connection.broken or not isinstance(error, LockNotAvailable | QueryCanceled):
                connection.close()
            raise

    @contextmanager
    def waiting(self, seconds: float | None) -> Iterator[None]:
        """What this thread asks within waits so long for a lock; None: as long as usual."""
        self._own.wait = seconds
        try:
            yield
        finally:
            self._own.wait = None

    def _make(self, before: psycopg.Connection[Any] | None) -> psycopg.Connection[Any]:
        made = self._connections.connect()
        try:
            self._noted(made)
        except BaseException:
            made.close()
            raise
        with self._lock:
            self._made.discard(before)
            self._made.add(made)
        self._own.connection = made
        return made

    def close(self) -> None:
        """Let go of every line."""
        with self._lock:
            _let_go(self._made)


def _let_go(lines: set[psycopg.Connection[Any]]) -> None:
    while lines:
        lines.pop().close()
