"""A straight line to PostgreSQL for what is asked most: one connection a thread, every statement for itself.

What it asks is whole in one statement, so there is no transaction to keep; a line that broke is made again
the next time.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from sqlalchemy import Engine

from pitboss.store.engine import PATIENCE

Parameters = Mapping[str, Any] | Sequence[Any]


class Line:
    """The lines of all threads to one database."""

    def __init__(self, engine: Engine) -> None:
        self._address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
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
            return connection.execute(statement.encode(), parameters).fetchall()
        except psycopg.OperationalError:
            connection.close()
            raise

    def _make(self, before: psycopg.Connection[Any] | None) -> psycopg.Connection[Any]:
        made = psycopg.connect(self._address, autocommit=True, **PATIENCE)
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
