"""A thin sync face: the async client on a loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from pitboss.client.asking import Client

T = TypeVar("T")


class SyncClient:
    """Runs what the async client does: `with SyncClient(url) as ask: ask(ask.client.lobby())`."""

    def __init__(self, *servers: str, token: str = "", device: str = "", contributes: bool = True) -> None:
        self._servers, self._token = servers, token
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="pitboss-client", daemon=True)
        self.client = Client(*servers, token=token, device=device, contributes=contributes)

    def __enter__(self) -> Self:
        self._thread.start()
        self(self.client.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self(self.client.stop_contributing())
        self(self._loop.shutdown_asyncgens())  # views that are not read on end with their sockets
        self(self.client.__aexit__(kind, error, trace))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __call__(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of something the client does."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def each(self, messages: AsyncIterator[T]) -> Iterator[T]:
        """Messages one after the other."""

        async def one() -> T:
            return await anext(messages)

        while True:
            try:
                yield self(one())
            except StopAsyncIteration:
                return
