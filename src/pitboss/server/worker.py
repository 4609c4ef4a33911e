"""One thread for everything that is done on the floor of this process, one thing after the other.

The floor's own work is Python; more threads would only wait for each other. More processes share the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """The floor's thread."""

    def __init__(self, name: str = "floor") -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self.waiting = 0

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something on the floor, in its turn."""
        self.waiting += 1
        try:
            return await asyncio.wrap_future(self._thread.submit(work, *args, **kwargs))
        finally:
            self.waiting -= 1

    def post(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The same, for whoever does not wait for it."""
        return self._thread.submit(work, *args, **kwargs)

    def stop(self) -> None:
        """Finish what is under way and drop what waits."""
        self._thread.shutdown(wait=True, cancel_futures=True)
