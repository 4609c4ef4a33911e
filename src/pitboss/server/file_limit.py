"""How many files the system lets this process have open: every connection is one of them."""

from __future__ import annotations

import resource
from contextlib import suppress

KEPT_FREE = 256
"""Files that are no connections: the program, the store, logs."""
ENDLESS = 2**20
"""What counts as many enough where the system sets no limit."""


def file_limits() -> tuple[int, int]:
    """How many files may be open now, and how many this process may allow itself."""
    now, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (_number(now), _number(highest))


def _number(limit: int) -> int:
    return ENDLESS if limit == resource.RLIM_INFINITY else limit


def raise_file_limit() -> int:
    """Allow this process as many open files as the system lets it have; how many that are."""
    _, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # the limit stays as it is, and so the bound on connections
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest, highest))
    return file_limits()[0]


def most_connections() -> int:
    """How many connections this process can hold with the files it may open."""
    return max(1, file_limits()[0] - KEPT_FREE)


def files_needed(sockets: int) -> int:
    """How many open files a process needs that is to hold so many sockets."""
    return sockets + KEPT_FREE
