"""One thread for everything that is done on the floor of this process, one thing after the other.

The floor's own work is Python; more threads would only wait for each other. More processes share the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from pitboss.errors import StoreBusy

P = ParamSpec("P")
T = TypeVar("T")


class _Late:
    """Gives up what has not begun."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future
        self.given_up = False

    def __call__(self) -> None:
        self.given_up = self._future.cancel()


class Worker:
    """The floor's thread. With `turn_seconds`, what has not begun by then is not done at all."""

    def __init__(self, name: str = "floor", *, turn_seconds: float | None = None) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._turn_seconds = turn_seconds
        self.waiting = 0

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something on the floor, in its turn. Raises `StoreBusy` where its turn does not come in time."""
        self.waiting += 1
        future = self._thread.submit(work, *args, **kwargs)
        late = _Late(future)
        timer = None
        if self._turn_seconds is not None:
            timer = asyncio.get_running_loop().call_later(self._turn_seconds, late)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if late.given_up and not (task is not None and task.cancelling()):
                raise StoreBusy("the floor's thread is held up", "ask again; nothing was done") from None
            raise
        finally:
            if timer is not None:
                timer.cancel()
            self.waiting -= 1

    def post(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The same, for whoever does not wait for it."""
        return self._thread.submit(work, *args, **kwargs)

    def leave(self) -> None:
        """Drop what waits, without waiting for what is under way."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """Finish what is under way and drop what waits."""
        self._thread.shutdown(wait=True, cancel_futures=True)
