"""What other processes hold and this one waited for in vain, so that it does not wait for it again and again.

One thread of a process works on the floor: while it waits for a lock, all tables wait. So it waits once. What
was held then is refused at once for a moment, tried again for an instant, and so on until it is free.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pitboss.errors import StoreBusy, StoreError

AGAIN_SECONDS = 1.0
"""How long what was held is refused before it is tried again; the `Retry-After` of the service."""
INSTANT_SECONDS = 0.02
"""How long it is waited for when it is tried again."""
SHORT_SECONDS = 0.25
"""How long anything else is waited for as long as something is held: it may be held by the same process."""
FORGET_SECONDS = 60.0
"""What was not asked for in so long is not known to be held any more."""


class Waits:
    """The locks that one process waited for in vain. From any thread."""

    def __init__(self, lock_seconds: float) -> None:
        self.lock_seconds = lock_seconds
        self._lock = threading.Lock()
        self._held: dict[str, float] = {}
        """When each may be tried again, by the monotonic clock."""

    def held(self) -> frozenset[str]:
        """What is known to be held by others."""
        with self._lock:
            return frozenset(self._held)

    @contextmanager
    def on(self, names: Iterable[str]) -> Iterator[float | None]:
        """Work that needs these; yields how many seconds to wait for a lock, None for as long as usual.

        Raises `StoreBusy` at once for what was held a moment ago.
        """
        wanted = tuple(names)
        wait = self._admitted(wanted)
        try:
            yield wait
        except StoreError as error:
            if isinstance(error, StoreBusy) and error.held:
                self._note(wanted)
                error.held = False  # the streams around these were had
            raise
        except BaseException:
            self._free(wanted)  # it was there to be had, whatever came of it
            raise
        self._free(wanted)

    def _admitted(self, wanted: tuple[str, ...]) -> float | None:
        if not self._held:
            return None
        now = time.monotonic()
        with self._lock:
            for name in [name for name, at in self._held.items() if now - at > FORGET_SECONDS]:
                del self._held[name]
            if any(self._held.get(name, now) > now for name in wanted):
                what = f"another process holds {', '.join(name for name in wanted if name in self._held)}"
                raise StoreBusy(what, "ask again with the same key in a moment; nothing was done")
            if any(name in self._held for name in wanted):
                return min(INSTANT_SECONDS, self.lock_seconds or INSTANT_SECONDS)
            return min(SHORT_SECONDS, self.lock_seconds or SHORT_SECONDS) if self._held else None

    def _note(self, wanted: tuple[str, ...]) -> None:
        again = time.monotonic() + AGAIN_SECONDS
        with self._lock:
            self._held |= dict.fromkeys(wanted, again)

    def _free(self, wanted: tuple[str, ...]) -> None:
        if self._held:
            with self._lock:
                for name in wanted:
                    self._held.pop(name, None)
