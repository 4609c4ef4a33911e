"""Accounts that may sign in, and who is signed in. Passwords and tokens are kept as hashes only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, and_, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.floor.ports import Micros
from pitboss.store import schema as s
from pitboss.store.engine import in_words

SESSIONS = "sessions"
"""What a notice names when somebody was signed out, locked or unlocked."""


class Account(NamedTuple):
    """`locked_until` is the moment from which it may be tried again; `failures` since the last success."""

    kind: str
    name: str
    password: str
    failures: int
    locked_until: Micros
    changed_at: Micros


class SignIn(NamedTuple):
    """One who is signed in. `id` is the hash of his token; `purpose` is `session` or `countersign`."""

    id: str
    kind: str
    name: str
    purpose: str
    csrf: str
    begun_at: Micros
    active_at: Micros
    ends_at: Micros
    locked: bool


class Identities:
    """The two tables of sign-in, on the floor's own database, so that every process knows the same people."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._read = engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _asking(self) -> Iterator[Connection]:
        with in_words(), self._read.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        connecting = self._engine.connect().execution_options(writing=True)
        with in_words(), connecting as connection, connection.begin():
            yield connection

    def _tell(self, connection: Connection) -> None:
        """Other processes look their sessions up again."""
        if self._engine.dialect.name == "postgresql":
            connection.execute(select(func.pg_notify("pitboss", f"{SESSIONS}:1")))

    # --- accounts -------------------------------------------------------------------------------------

    def account(self, kind: str, name: str) -> Account | None:
        """An account, or None."""
        with self._asking() as connection:
            row = connection.execute(select(*s.accounts.c).where(_account(kind, name))).first()
        return None if row is None else Account(*row)

    def accounts(self) -> Sequence[Account]:
        """All accounts, staff and players."""
        with self._asking() as connection:
            order = (s.accounts.c.kind, s.accounts.c.name)
            return [Account(*row) for row in connection.execute(select(*s.accounts.c).order_by(*order))]

    def set_password(self, kind: str, name: str, password: str, *, at: Micros) -> None:
        """A new hash of a password. Whoever was signed in with the old one is not any more."""
        row = {"password": password, "failures": 0, "locked_until": 0, "changed_at": at}
        own = postgresql.insert if self._engine.dialect.name == "postgresql" else sqlite.insert
        adding = own(s.accounts).values(kind=kind, name=name, **row)
        with self._writing() as connection:
            connection.execute(adding.on_conflict_do_update(index_elements=["kind", "name"], set_=row))
            connection.execute(delete(s.sign_ins).where(_signed_in(kind, name)))
            self._tell(connection)

    def rehash(self, kind: str, name: str, password: str) -> None:
        """The same password, hashed in a newer way; nobody is signed out for it."""
        with self._writing() as connection:
            connection.execute(update(s.accounts).where(_account(kind, name)).values(password=password))

    def failed(self, kind: str, name: str, *, most: int, locked_until: Micros) -> int:
        """Counts a failure; with the `most`th the account is locked. How many there have been."""
        failures = s.accounts.c.failures
        with self._writing() as connection:
            change = update(s.accounts).where(_account(kind, name)).values(failures=failures + 1)
            connection.execute(change)
            lock = update(s.accounts).where(_account(kind, name), failures >= most)
            connection.execute(lock.values(locked_until=locked_until))
            found = connection.execute(select(failures).where(_account(kind, name))).scalar()
        return int(found or 0)

    def unlock(self, kind: str, name: str) -> None:
        """Forget the failures of an account."""
        with self._writing() as connection:
            change = update(s.accounts).where(_account(kind, name))
            connection.execute(change.values(failures=0, locked_until=0))

    def remove(self, kind: str, name: str) -> bool:
        """Whether there was such an account."""
        with self._writing() as connection:
            connection.execute(delete(s.sign_ins).where(_signed_in(kind, name)))
            self._tell(connection)
            return connection.execute(delete(s.accounts).where(_account(kind, name))).rowcount > 0

    # --- who is signed in -----------------------------------------------------------------------------

    def begin(self, sign_in: SignIn) -> None:
        """Somebody signs in; who was signed in for too long is forgotten on the occasion."""
        with self._writing() as connection:
            connection.execute(delete(s.sign_ins).where(s.sign_ins.c.ends_at < sign_in.begun_at))
            connection.execute(insert(s.sign_ins).values(**sign_in._asdict()))

    def find(self, hashed: str) -> SignIn | None:
        """A session by the hash of its token, or None."""
        with self._asking() as connection:
            row = connection.execute(select(*s.sign_ins.c).where(s.sign_ins.c.id == hashed)).first()
        return None if row is None else SignIn(*row)._replace(locked=bool(row[-1]))

    def signed_in_until(self, kind: str, name: str) -> Micros:
        """When the last session of somebody ends; 0 without one."""
        ends = select(func.max(s.sign_ins.c.ends_at))
        with self._asking() as connection:
            found = connection.execute(ends.where(_signed_in(kind, name), s.sign_ins.c.purpose == "session"))
            return Micros(found.scalar() or 0)

    def active(self, hashed: str, at: Micros) -> None:
        """Note that a session was used."""
        self._change(hashed, active_at=at)

    def set_locked(self, hashed: str, at: Micros, *, locked: bool) -> None:
        """Lock or unlock a session; other processes hear of it."""
        self._change(hashed, locked=locked, active_at=at)
        with self._writing() as connection:
            self._tell(connection)

    def _change(self, hashed: str, **values: object) -> None:
        with self._writing() as connection:
            connection.execute(update(s.sign_ins).where(s.sign_ins.c.id == hashed).values(**values))

    def end(self, hashed: str) -> bool:
        """Whether somebody was signed in by it."""
        with self._writing() as connection:
            found = connection.execute(delete(s.sign_ins).where(s.sign_ins.c.id == hashed)).rowcount > 0
            self._tell(connection)
        return found

    def end_all(self, kind: str, name: str) -> None:
        """End every session of somebody."""
        with self._writing() as connection:
            connection.execute(delete(s.sign_ins).where(_signed_in(kind, name)))
            self._tell(connection)

    def signed_in(self) -> Sequence[SignIn]:
        """All sessions, the oldest first."""
        with self._asking() as connection:
            rows = connection.execute(select(*s.sign_ins.c).order_by(s.sign_ins.c.begun_at))
            return [SignIn(*row)._replace(locked=bool(row[-1])) for row in rows]


def _account(kind: str, name: str) -> ColumnElement[bool]:
    return and_(s.accounts.c.kind == kind, s.accounts.c.name == name)


def _signed_in(kind: str, name: str) -> ColumnElement[bool]:
    return and_(s.sign_ins.c.kind == kind, s.sign_ins.c.name == name)
