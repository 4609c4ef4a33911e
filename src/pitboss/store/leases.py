"""Leases: of several processes one does a thing, until it stops renewing its lease or gives it back.

A lease ends by the database's clock, so that the clocks of the processes may differ and step. Its fence is
a number that grows with each change of holder: what is written with it is written only while the holder is
still the same, so that a process that stood still does nothing more under a lease it has lost.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import Connection, Engine, text

from pitboss.errors import StoreError
from pitboss.store.connections import connections_of, wait_at_most
from pitboss.store.engine import in_words

LEASE_SECONDS = 5.0
FILE_LEASE_SECONDS = 30.0
"""Of a SQLite file, which one server has at a time; each renewal is a write to the disk."""
ASK_SECONDS = 1.0
"""How often a process that does not hold the lease looks whether it is free."""

_NOW = {
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)",
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000000 AS integer)",
}
_TAKE = """INSERT INTO leases (name, holder, fence, expires_at) VALUES (:name, :holder, 1, {now} + :length)
ON CONFLICT (name) DO UPDATE SET
  holder = excluded.holder,
  expires_at = excluded.expires_at,
  fence = leases.fence + CASE WHEN leases.holder = excluded.holder THEN 0 ELSE 1 END
WHERE leases.holder = excluded.holder OR leases.expires_at <= {now}
  OR leases.expires_at > {now} + 2 * :length
RETURNING fence"""
"""The last condition is that of a database whose clock was set back: no lease is as long as that."""
_FREE = """SELECT 1 FROM leases WHERE name = :name AND holder <> :holder
AND expires_at > {now} AND expires_at <= {now} + 2 * :length"""
_GIVE_BACK = "UPDATE leases SET expires_at = 0 WHERE name = :name AND holder = :holder"


class Fence(NamedTuple):
    """The name of a lease and the number under which it is held."""

    lease: str
    number: int


class FencedOff(StoreError):  # noqa: N818 - it ends a process's turn; nothing is wrong
    """Another process has taken the lease over. Nothing was written."""

    def __init__(self) -> None:
        super().__init__("another process has taken this work over", "nothing is to be done here")


class Lease:
    """One process's part in a lease. It is asked for often, from one thread, and renewed as needed."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        file = engine.dialect.name == "sqlite"
        self.seconds = FILE_LEASE_SECONDS if file else LEASE_SECONDS
        self._now = _NOW[engine.dialect.name]
        self._named = {"name": name, "holder": secrets.token_hex(8)}
        self._asked = 0.0
        self.fence: Fence | None = None
        """While this process holds the lease, as far as it knows."""

    def is_ours(self) -> bool:
        """Whether this process holds the lease; takes it if it is free. Raises `StoreError`.

        Between two renewals, a third of the lease apart, the database is not asked.
        """
        now = time.monotonic()
        every = ASK_SECONDS if self.fence is None else self.seconds / 3
        if self._asked and now - self._asked < every:
            return self.fence is not None
        self._asked = now
        held, self.fence = self.fence, None  # whatever goes wrong now, it is asked for again
        if held is not None or self._is_free():
            self.fence = self._take()
        return self.fence is not None

    def lost(self) -> None:
        """A fence did not stand: another process has the lease."""
        self.fence = None

    def give_back(self) -> None:
        """Let another process have it at once. Raises `StoreError`."""
        if self.fence is not None:
            self.fence = None
            with self._writing() as connection:
                connection.execute(text(_GIVE_BACK), self._named)

    def _is_free(self) -> bool:
        """Whether it may be taken. Asking locks nothing."""
        query = text(_FREE.format(now=self._now))
        with in_words(), self._engine.connect() as connection:
            return connection.execute(query, self._values()).first() is None

    def _take(self) -> Fence | None:
        query = text(_TAKE.format(now=self._now))
        with self._writing() as connection:
            number = connection.execute(query, self._values()).scalar()
        return None if number is None else Fence(self._named["name"], int(number))

    def _values(self) -> dict[str, object]:
        return {**self._named, "length": int(self.seconds * 1_000_000)}

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that changes the lease. Its row, too, is waited for once where another holds it."""
        on_postgres = self._engine.dialect.name == "postgresql"  # a file is waited for as a whole
        row = [f"the lease of the {self._named['name']}"] if on_postgres else []
        with (
            connections_of(self._engine).waits.on(row) as seconds,
            in_words(),
            self._engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            if on_postgres and seconds is not None:
                wait_at_most(connection, seconds)
            yield connection


def stands(connection: Connection, fence: Fence) -> bool:
    """Whether the holder of a lease is still the one that was given this number."""
    query = text("SELECT 1 FROM leases WHERE name = :lease AND fence = :number")
    return connection.execute(query, fence._asdict()).first() is not None


def free_all(connection: Connection) -> None:
    """No process is left: the next one to come takes every lease."""
    connection.execute(text("UPDATE leases SET expires_at = 0"))
