"""Accounts that may sign in, and who is signed in. Passwords and tokens are kept as hashes only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, and_, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.floor.ports import Micros
from pitboss.store import schema as s
from pitboss.store.engine import in_words

PROBE = "probe"
MOST_PROBE = 8 * 2**20
SESSIONS = "sessions"
"""What a notice names when somebody was signed out, locked or unlocked."""


class _TakenBack(Exception):  # noqa: N818 - it ends what was only tried
    """What was written is not to stay."""


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
        with (
            in_words(),
            self._engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
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

    def rehash(self, kind: str, name: str, password: str, *, before: str) -> None:
        """The same password, hashed in a newer way than `before`; nobody is signed out for it.

        A password that was set meanwhile stays.
        """
        unchanged = and_(_account(kind, name), s.accounts.c.password == before)
        with self._writing() as connection:
            connection.execute(update(s.accounts).where(unchanged).values(password=password))

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

    def remove(self, kind: str, name: str, *, before: Micros | None = None) -> bool:
        """Whether there was such an account. With `before`, only what is older than that goes."""
        account, signed_in = _account(kind, name), _signed_in(kind, name)
        if before is not None:
            account = and_(account, s.accounts.c.changed_at < before)
            signed_in = and_(signed_in, s.sign_ins.c.begun_at < before)
        with self._writing() as connection:
            connection.execute(delete(s.sign_ins).where(signed_in))
            self._tell(connection)
            return connection.execute(delete(s.accounts).where(account)).rowcount > 0

    def probe(self, row_id: str) -> None:
        """Write a row that is no session and delete it, in one commit: a read-only or full store refuses.

        A file of SQLite has to be able to grow as well: a row is written that its free pages do not hold, and
        taken back before it is committed.
        """
        row = SignIn(row_id, "", "", PROBE, "", Micros(0), Micros(0), Micros(0), locked=False)
        with self._writing() as connection:
            connection.execute(insert(s.sign_ins).values(**row._asdict()))
            connection.execute(delete(s.sign_ins).where(s.sign_ins.c.id == row_id))
        if self._engine.dialect.name == "sqlite":
            with suppress(_TakenBack), self._writing() as connection:
                free = connection.exec_driver_sql("PRAGMA freelist_count").scalar() or 0
                page = connection.exec_driver_sql("PRAGMA page_size").scalar() or 4096
                large = row._replace(csrf="0" * min((free + 1) * page, MOST_PROBE))
                connection.execute(insert(s.sign_ins).values(**large._asdict()))
                raise _TakenBack

    # --- who is signed in -----------------------------------------------------------------------------

    def begin(self, sign_in: SignIn, *, shown: str | None = None) -> bool:
        """Keep a session; those that are over are forgotten on the occasion.

        With `shown`, only if that is still the hash of the account's password: a change of it ends the
        sessions of before, and is waited for here where it is under way.
        """
        with self._writing() as connection:
            if shown is not None:
                account = select(s.accounts.c.password).where(_account(sign_in.kind, sign_in.name))
                if connection.execute(account.with_for_update()).scalar() != shown:
                    return False
            connection.execute(delete(s.sign_ins).where(s.sign_ins.c.ends_at < sign_in.begun_at))
            connection.execute(insert(s.sign_ins).values(**sign_in._asdict()))
        return True

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

    def end_all(self, kind: str, name: str, *, but: str = "") -> None:
        """End every session of a person, but the one of the id `but`."""
        with self._writing() as connection:
            theirs = and_(_signed_in(kind, name), s.sign_ins.c.id != but)
            connection.execute(delete(s.sign_ins).where(theirs))
            self._tell(connection)

    def sessions_of(self, kind: str, name: str) -> Sequence[SignIn]:
        """The sessions of a person, the oldest first, also those that are over and not forgotten yet."""
        theirs = and_(_signed_in(kind, name), s.sign_ins.c.purpose == "session")
        with self._asking() as connection:
            found = select(*s.sign_ins.c).where(theirs).order_by(s.sign_ins.c.begun_at)
            return [SignIn(*row)._replace(locked=bool(row[-1])) for row in connection.execute(found)]

    def signed_in(self) -> Sequence[SignIn]:
        """All sessions, the oldest first."""
        with self._asking() as connection:
            rows = connection.execute(select(*s.sign_ins.c).order_by(s.sign_ins.c.begun_at))
            return [SignIn(*row)._replace(locked=bool(row[-1])) for row in rows]


def _account(kind: str, name: str) -> ColumnElement[bool]:
    return and_(s.accounts.c.kind == kind, s.accounts.c.name == name)


def _signed_in(kind: str, name: str) -> ColumnElement[bool]:
    return and_(s.sign_ins.c.kind == kind, s.sign_ins.c.name == name)
