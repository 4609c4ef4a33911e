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

from sqlalchemy import Connection, Engine, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from pitboss.errors import StoreBusy, StoreError
from pitboss.signals import held_back
from pitboss.store import schema as s
from pitboss.store.engine import in_words
from pitboss.store.leases import free_all

_LOCK_NUMBER = 720_452
GRACE_SECONDS = 3
"""How long the living have to take their lock again before they are counted as gone."""
RECOVERY_SECONDS = 60
"""How long a process that comes waits for the one that takes the floor up after a crash."""
SERVES = "serve"
"""The purpose of a process that serves the floor: it stays, and waits where the record is broken."""


class _Lock(Protocol):
    may_be_lost: bool

    def held(self) -> bool: ...

    def alone(self) -> bool: ...

    def share(self) -> None: ...

    def shares(self) -> bool: ...

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

    def shares(self) -> bool:
        self.share()
        return True

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
                self._wait_for_it()
                self._shared = True
            if self._exclusive:
                self._connection.execute(select(func.pg_advisory_unlock(_LOCK_NUMBER)))
                self._exclusive = False

    def _wait_for_it(self) -> None:
        self._connection.execute(text(f"SET lock_timeout = {1000 * RECOVERY_SECONDS}"))
        self._connection.execute(text("SET statement_timeout = 0"))
        try:
            with in_words():
                self._connection.execute(select(func.pg_advisory_lock_shared(_LOCK_NUMBER)))
        except StoreBusy as busy:
            raise StoreError(
                f"another process has been taking the floor up after a crash for {RECOVERY_SECONDS} s",
                "see what it does; end it if it stands still",
            ) from busy
        finally:
            with suppress(SQLAlchemyError):
                self._connection.execute(text("RESET lock_timeout"))
                self._connection.execute(text("RESET statement_timeout"))

    def shares(self) -> bool:
        """Whether it is shared now; nothing is waited for."""
        if not self._shared:
            with in_words():
                got = self._connection.execute(select(func.pg_try_advisory_lock_shared(_LOCK_NUMBER)))
                self._shared = bool(got.scalar())
        return self._shared

    def release(self) -> None:
        self._connection.close()


class Presence:
    """One process at work on a floor."""

    def __init__(self, engine: Engine, *, lock_file: Path | None, purpose: str) -> None:
        self._engine = engine
        self._purpose = f"{purpose} {os.getpid()}"
        self.serves = purpose == SERVES
        self._id = secrets.token_hex(8)
        self._entered = False
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
        with held_back(), in_words(), self._engine.connect().execution_options(writing=True) as connection:
            connection.execute(
                insert(s.sessions).values(
                    id=self._id, started_at=time.time_ns() // 1000, purpose=self._purpose
                )
            )
            connection.commit()
            self._entered = True
        self._lock.share()
        return crashed

    def keep(self) -> None:
        """See that the lock is still held, and take it again where the database was restarted.

        The floor's thread does this: while another process has the floor alone, it is for the next time.
        """
        if self._lock.held() or not self._lock.shares():
            return
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

    def is_served(self) -> bool:
        """Whether a server works on the floor, or stopped without notice while others worked on."""
        own = s.sessions.c
        query = select(func.count()).where(own.purpose.startswith(f"{SERVES} "), own.id != self._id)
        with in_words(), self._engine.connect() as connection:
            return bool(connection.execute(query).scalar())

    def leave(self, last: Callable[[], None] = lambda: None) -> None:
        """Stop cleanly. The last process to go leaves none behind, even those that crashed before it.

        `last` is done when the others no longer count on this process, while its lock is still held. One that
        was cut short before it had entered leaves those that crashed to the next.
        """
        try:
            if not self._entered:
                pass
            elif self._lock.alone():
                self._forget_all()
            else:
                with in_words(), self._engine.connect().execution_options(writing=True) as connection:
                    connection.execute(delete(s.sessions).where(s.sessions.c.id == self._id))
                    connection.commit()
            last()
        finally:
            with suppress(SQLAlchemyError):  # the database is gone, and the lock with it
                self._lock.release()

    def _forget_all(self) -> None:
        with in_words(), self._engine.connect().execution_options(writing=True) as connection:
            connection.execute(delete(s.sessions))
            free_all(connection)
            connection.commit()
