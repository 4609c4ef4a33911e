"""Who works on a floor now, so that a crash is told from a clean stop.

Every process holds a shared lock as long as it lives; the system lets go of it when the process dies. Whoever
finds himself alone and sees that somebody left without saying so knows that the floor crashed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

from sqlalchemy import Connection, Engine, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from pitboss.errors import StoreError
from pitboss.store import schema as s
from pitboss.store.engine import in_words

_LOCK_NUMBER = 720_452
GRACE_SECONDS = 3
"""How long the living have to take their lock again before they are counted as gone."""
_TURN_NUMBER = 720_454


class _Lock(Protocol):
    may_be_lost: bool

    def held(self) -> bool: ...

    def alone(self) -> bool: ...

    def share(self) -> None: ...

    def release(self) -> None: ...


class _FileLock:
    """A lock on a file beside the database. It goes from shared to exclusive without being let go of."""

    may_be_lost = False

    def __init__(self, path: Path) -> None:
        try:
            self._file: IO[bytes] = path.open("a+b")
        except OSError as error:
            raise StoreError(
                f"{path.parent} cannot be written ({error.strerror})",
                "give this user the right to write there",
            ) from error

    def alone(self) -> bool:
        try:
            self._set(fcntl.F_WRLCK, wait=False)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def share(self) -> None:
        self._set(fcntl.F_RDLCK, wait=True)

    def _set(self, kind: int, *, wait: bool) -> None:
        """Open-file-description locks: of this handle, not of the process, and changed in one step."""
        whole_file = struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 0, 0)
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK, whole_file)

    def held(self) -> bool:
        return True

    def release(self) -> None:
        self._file.close()


class _AdvisoryLock:
    """PostgreSQL's advisory lock, held by a connection of its own; exclusive is taken on top of shared."""

    may_be_lost = True

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connect()

    def _connect(self) -> None:
        with in_words():
            connection = self._engine.connect()
            self._connection: Connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        self._shared = self._exclusive = False

    def held(self) -> bool:
        """Whether the connection that holds the lock still lives; a dead one is replaced by a new one."""
        try:
            self._connection.execute(select(1))
        except SQLAlchemyError:
            with suppress(SQLAlchemyError):
                self._connection.invalidate()
                self._connection.close()
            self._connect()
            return False
        return self._shared

    def alone(self) -> bool:
        if not self._exclusive:
            with in_words():
                got = self._connection.execute(select(func.pg_try_advisory_lock(_LOCK_NUMBER))).scalar()
            self._exclusive = bool(got)
        return self._exclusive

    def share(self) -> None:
        with in_words():
            if not self._shared:
                self._connection.execute(select(func.pg_advisory_lock_shared(_LOCK_NUMBER)))
                self._shared = True
            if self._exclusive:
                self._connection.execute(select(func.pg_advisory_unlock(_LOCK_NUMBER)))
                self._exclusive = False

    def release(self) -> None:
        self._connection.close()


class Presence:
    """One process at work on a floor."""

    def __init__(self, engine: Engine, *, lock_file: Path | None, purpose: str) -> None:
        self._engine = engine
        self._purpose = f"{purpose} {os.getpid()}"
        self._id = secrets.token_hex(8)
        self._lock: _Lock = _AdvisoryLock(engine) if lock_file is None else _FileLock(lock_file)

    def enter(self, recover: Callable[[str], None]) -> bool:
        """Begin to work; `recover` is called first if the floor crashed, with a name for the crash.

        Whether it had. Who waited for somebody that died while recovering finds himself alone, and goes on.
        """
        if not self._lock.alone():
            self._lock.share()
        crashed = False
        if self._lock.alone() and self._left_behind() and self._lock.may_be_lost:
            # a database that was restarted has dropped the locks of the living: they take them again
            self._lock.share()
            time.sleep(GRACE_SECONDS)
        if self._lock.alone():
            left = self._left_behind()
            crashed = bool(left)
            if crashed:
                recover(hashlib.sha256(",".join(left).encode()).hexdigest()[:16])
                self._forget_all()
        with in_words(), self._engine.connect().execution_options(writing=True) as connection:
            connection.execute(
                insert(s.sessions).values(
                    id=self._id, started_at=time.time_ns() // 1000, purpose=self._purpose
                )
            )
            connection.commit()
        self._lock.share()
        return crashed

    def keep(self) -> None:
        """See that the lock is still held, and take it again where the database was restarted."""
        if self._lock.held():
            return
        self._lock.share()
        with in_words(), self._engine.connect().execution_options(writing=True) as connection:
            known = connection.execute(select(s.sessions.c.id).where(s.sessions.c.id == self._id)).first()
            if known is None:
                connection.execute(
                    insert(s.sessions).values(
                        id=self._id, started_at=time.time_ns() // 1000, purpose=self._purpose
                    )
                )
            connection.commit()

    def _left_behind(self) -> list[str]:
        with in_words(), self._engine.connect() as connection:
            return [row[0] for row in connection.execute(select(s.sessions.c.id).order_by(s.sessions.c.id))]

    def leave(self) -> None:
        """Stop cleanly. The last one to go leaves nobody behind, whoever crashed before him."""
        try:
            if self._lock.alone():
                self._forget_all()
            else:
                with in_words(), self._engine.connect().execution_options(writing=True) as connection:
                    connection.execute(delete(s.sessions).where(s.sessions.c.id == self._id))
                    connection.commit()
        finally:
            with suppress(SQLAlchemyError):  # the database is gone, and the lock with it
                self._lock.release()

    def _forget_all(self) -> None:
        with in_words(), self._engine.connect().execution_options(writing=True) as connection:
            connection.execute(delete(s.sessions))
            connection.commit()


class Turn:
    """Of several processes one has the turn, until it lets go or is gone. A file has one server only."""

    CHECK_SECONDS = 5

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._checked = 0.0

    def is_ours(self) -> bool:
        """Whether it is this process's turn; takes it if it is free. Raises `StoreError`."""
        if self._engine.dialect.name != "postgresql":
            return True
        if self._connection is not None and time.monotonic() - self._checked < self.CHECK_SECONDS:
            return True
        try:
            with in_words():
                return self._ask()
        except StoreError:
            self.leave()
            raise

    def _ask(self) -> bool:
        connection = self._connection
        if connection is not None:
            connection.execute(select(1))
            self._checked = time.monotonic()
            return True
        if time.monotonic() - self._checked < 1:
            return False
        self._checked = time.monotonic()
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if connection.execute(select(func.pg_try_advisory_lock(_TURN_NUMBER))).scalar():
            self._connection = connection
            return True
        connection.close()
        return False

    def leave(self) -> None:
        """Let go of the turn."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()
