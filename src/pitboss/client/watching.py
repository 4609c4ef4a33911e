"""Live views on a WebSocket that comes back: after a break it goes on with the version it had."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp

from pitboss.client.problems import BadField, ClientError, NotAllowed, SignedOut, gone

LONGEST_MESSAGE = 4 * 1024 * 1024
GONE_SECONDS = 30
"""How long a broken connection is tried again before it is said to be gone."""

_REASONS: dict[int, type[ClientError]] = {4401: SignedOut, 4423: NotAllowed, 4400: BadField, 4413: BadField}


@dataclass(frozen=True, slots=True)
class TableMessage:
    """A table at one version, as this client may see it. `missed` tells that versions before it were not
    sent, because they are too long ago; the rounds between can be recalled.
    """

    table: str
    version: int
    view: dict[str, Any] | None
    missed: bool = False


@dataclass(frozen=True, slots=True)
class JackpotMessage:
    """A jackpot at one version of its link."""

    link: str
    version: int
    sign: dict[str, Any]


Connect = Callable[[str], Any]
"""Opens a WebSocket to a path, on whichever process answers."""


class Watch:
    """Tables watched on one socket."""

    def __init__(
        self,
        connect: Connect,
        path: str,
        tables: dict[str, int | None],
        *,
        begin: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._connect, self._path, self._begin = connect, path, begin
        self._seen = tables
        self.breaks = 0

    async def messages(self) -> AsyncGenerator[TableMessage | JackpotMessage, None]:
        """Everything there is to see, in order, also over broken connections."""
        lost_at: float | None = None
        loop = asyncio.get_running_loop()
        if self._begin is not None:
            await self._begin()
        while True:
            try:
                async with self._connect(self._path) as socket:
                    for table, after in self._seen.items():
                        wish = {"watch": table} if after is None else {"watch": table, "after": after}
                        await socket.send_str(json.dumps(wish))
                    async for message in self._receive(socket):
                        lost_at = None
                        yield message
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                lost_at = loop.time() if lost_at is None else lost_at
                if loop.time() - lost_at > GONE_SECONDS:
                    raise gone(error) from error
            self.breaks += 1
            await asyncio.sleep(0.2)

    async def _receive(
        self, socket: aiohttp.ClientWebSocketResponse
    ) -> AsyncIterator[TableMessage | JackpotMessage]:
        async for message in socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                continue
            data = json.loads(message.data)
            if data["kind"] == "view":
                self._seen[data["table"]] = data["version"]
                yield TableMessage(data["table"], data["version"], data["view"], data.get("missed", False))
            elif data["kind"] == "jackpot":
                yield JackpotMessage(data["link"], data["version"], data)
            elif data["kind"] == "error":
                raise BadField(400, data)
        kind = _REASONS.get(socket.close_code or 0)
        if kind is not None:
            raise kind(socket.close_code or 0, {"code": "socket-closed", "message": "the service closed it"})
