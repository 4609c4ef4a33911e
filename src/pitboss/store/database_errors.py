"""Errors of the database in plain words: what is wrong, what to do, and whether it is over in a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pitboss.errors import StoreBusy, StoreError

_NONE_LEFT = ("the database has no connection left", "raise its max_connections, or run fewer processes")
_STARTING = ("the database is starting", "ask again with the same key once it runs")
_STANDBY = (
    "the database is read-only, as a standby is",
    "name the primary; with ?target_session_attrs=read-write an address may name several hosts",
)
_OPTION = ("the address of the database has an option that cannot be used", "correct it")
_FULL = ("the disk is full", "make room and try again; what was committed is safe")
_BARRED = ("the floor's data are read-only", "give this user the right to write there")
_DAMAGED = ("the floor's file is damaged", "restore the last backup with 'pitboss restore'")
_AGAIN = "ask again with the same key in a moment; nothing was done"

HELD = "55P03"
"""PostgreSQL's code for a lock that could not be had in time."""
_BUSY = {
    HELD: "another process holds what this needs",
    "57014": "the database took too long",
    "25P03": "the database ended a transaction that stood still",
    "40P01": "two processes waited for each other",
    "40001": "another process was quicker",
}
"""What is over in a moment, by PostgreSQL's codes."""
_CODES = {
    "53300": _NONE_LEFT,
    "53100": _FULL,
    "57P01": ("the database is being stopped", "ask again with the same key once it runs"),
    "57P03": _STARTING,
    "25006": _STANDBY,
}
_SIGNS = (
    ("session is read-only", *_STANDBY),
    ("session is not read-only", *_OPTION),
    ("too many clients", *_NONE_LEFT),
    ("remaining connection slots", *_NONE_LEFT),
    ("too many connections", *_NONE_LEFT),
    ("system is starting up", *_STARTING),
    ("unrecognized configuration parameter", *_OPTION),
    ("invalid value for parameter", *_OPTION),
    ("outside the valid range for parameter", *_OPTION),
    ("invalid command-line argument", *_OPTION),
    ("invalid integer value", *_OPTION),
    ("invalid sslmode", *_OPTION),
    ("invalid target_session_attrs", *_OPTION),
    ("bad value for", *_OPTION),
    ("disk is full", *_FULL),
    ("no space left", *_FULL),
    ("readonly", *_BARRED),
    ("read-only", *_BARRED),
    (
        "unable to open",
        "the floor's data cannot be opened",
        "check that the folder exists and can be written",
    ),
    ("malformed", *_DAMAGED),
    ("could not decode", *_DAMAGED),
    (
        "not a database",
        "the floor's file is not a database",
        "restore the last backup with 'pitboss restore'",
    ),
    ("disk i/o error", "the disk failed", "check the disk, then 'pitboss verify'"),
    ("authentication failed", "the database does not know this user", "check the user and the password"),
    ("does not exist", "the database lacks something", "check that the database was made for Pitboss"),
)
"""Words in what a database says, what they mean, and what to do; the first that is found counts."""


@contextmanager
def in_words() -> Iterator[None]:
    """Errors of the database as `StoreError`: what is wrong and what to do."""
    try:
        yield
    except PoolTimeout as error:
        raise StoreBusy("every connection to the database is in use", _AGAIN) from error
    except _database_errors() as error:
        raise _worded(error.orig if isinstance(error, DBAPIError) else error) from error


def _worded(error: BaseException | None) -> StoreError:
    said = " ".join(str(error).split())
    code = getattr(error, "sqlstate", None)
    if code in _BUSY:
        return StoreBusy(f"{_BUSY[code]} ({said})", _AGAIN, held=code == HELD)
    if "database is locked" in said:  # SQLite
        return StoreBusy(f"another process holds the floor's data ({said})", _AGAIN, held=True)
    if code in _CODES:
        what, remedy = _CODES[code]
        return StoreError(f"{what} ({said})", remedy)
    for sign, what, remedy in _SIGNS:
        if sign in said.casefold():
            return StoreError(f"{what} ({said})", remedy)
    remedy = "see that it runs and can be reached; retry with the same key, nothing is done twice"
    return StoreError(f"the database does not answer ({said})", remedy)


def _database_errors() -> tuple[type[Exception], ...]:
    """What a database raises; PostgreSQL's driver raises its own, once something has loaded it."""
    driver: Any = sys.modules.get("psycopg")
    return (DBAPIError,) if driver is None else (DBAPIError, driver.Error)
