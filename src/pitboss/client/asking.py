"""Asking the service: sign-in, requests of the floor, acts at tables, and what there is to see."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import aiohttp

from pitboss.client.problems import ClientError, Unavailable, gone, problem
from pitboss.client.watching import LONGEST_MESSAGE, JackpotMessage, TableMessage, Watch
from pitboss.floor import requests as q
from pitboss.forms import write_act, write_request
from pitboss.play import commands as c
from pitboss.rulebooks.vocabulary import Position

TRIES = 20
PAUSE_SECONDS = 0.25
HOME_SECONDS = 10
"""After so long a client tries its own process again, or all would end on the one that never failed."""


class Client:
    """One signed-in client of a floor, on one or several processes of its service.

    A process that does not answer is left for the next; what was asked is asked again with its key. The first
    one that was named is tried again after a while.
    """

    def __init__(self, *servers: str, token: str = "", timeout: float = 30) -> None:
        self._servers = [server.rstrip("/") for server in servers]
        self._at = 0
        self._left = 0.0
        self._token = token
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._http: aiohttp.ClientSession | None = None
        self.me: c.Actor = c.Player("")

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession(timeout=self._timeout, cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._http is not None:
            await self._http.close()

    @property
    def server(self) -> str:
        """The process that is asked now."""
        if self._at and time.monotonic() - self._left > HOME_SECONDS:
            self._at = 0
        return self._servers[self._at % len(self._servers)]

    # --- signing in -----------------------------------------------------------------------------------

    async def sign_in(self, kind: str, name: str, password: str) -> dict[str, Any]:
        """Sign in as staff or player. Raises `SignedOut` for a wrong password."""
        form = {"kind": kind, "name": name, "password": password}
        found = await self.call("POST", "/api/sign-in", form)
        self.use_token(found["token"], kind, name)
        return found

    def use_token(self, token: str, kind: str, name: str) -> None:
        """Go on with a session that was begun before."""
        self._token = token
        self.me = c.Player(name) if kind == "player" else c.Staff(Position.DEALER)

    async def sign_out(self) -> None:
        """End the session."""
        await self.call("DELETE", "/api/session")
        self._token = ""

    async def session(self) -> dict[str, Any]:
        """Who is signed in here."""
        return await self.call("GET", "/api/session")

    async def unlock(self, password: str) -> dict[str, Any]:
        """Open the session again after it locked."""
        return await self.call("POST", "/api/session/unlock", {"password": password})

    async def countersign(self, name: str, password: str, request: q.Request) -> str:
        """The word of a second person for one request as it will be asked."""
        kind, asked = write_request(request)
        form = {"name": name, "password": password, "request": kind, "asked": asked}
        found = await self.call("POST", "/api/countersign", form)
        return str(found["countersign"])

    async def countersign_act(self, name: str, password: str, table: str, command: c.Command) -> str:
        """The word of a second person for one act at a table as it will be asked."""
        asked = {"acts": [write_act(command)]}
        form = {"name": name, "password": password, "request": "acts", "table": table, "asked": asked}
        found = await self.call("POST", "/api/countersign", form)
        return str(found["countersign"])

    # --- asking ---------------------------------------------------------------------------------------

    async def do(self, request: q.Request, *, key: str = "", countersign: str = "") -> dict[str, Any]:
        """Ask something of the floor. Raises `Refused`, `NotAllowed` or `BadField`."""
        name, body = write_request(request)
        headers = {"Idempotency-Key": key or secrets.token_urlsafe(16)}
        if countersign:
            headers["Countersign"] = countersign
        return await self.call("POST", f"/api/floor/{name}", body, headers)

    async def act(
        self,
        table: str,
        *commands: c.Command,
        expect: int | None = None,
        key: str = "",
        countersign: str = "",
    ) -> dict[str, Any]:
        """Act at a table; several acts of a player are all done, or none."""
        body: dict[str, Any] = {"acts": [write_act(command) for command in commands]}
        if expect is not None:
            body["expect"] = expect
        headers = {"Idempotency-Key": key or secrets.token_urlsafe(16)}
        if countersign:
            headers["Countersign"] = countersign
        return await self.call("POST", f"/api/tables/{table}/acts", body, headers)

    # --- looking --------------------------------------------------------------------------------------

    async def lobby(self) -> dict[str, Any]:
        """What is played where, and the jackpots."""
        return await self.call("GET", "/api/lobby")

    async def floor(self) -> dict[str, Any]:
        """The floor at a glance, for its staff."""
        return await self.call("GET", "/api/floor")

    async def table(self, name: str) -> dict[str, Any]:
        """A table as this client may see it."""
        return await self.call("GET", f"/api/tables/{name}")

    async def terms(self, name: str) -> dict[str, Any]:
        """What a table offers."""
        return await self.call("GET", f"/api/tables/{name}/terms")

    async def rounds(self, name: str, *, last: int = 10) -> list[dict[str, Any]]:
        """The last rounds of a table, for a player those he played, however far back they are."""
        found: list[dict[str, Any]] = []
        before = ""
        while len(found) < last:
            query = f"?last={last - len(found)}{before}"
            answer = await self.call("GET", f"/api/tables/{name}/rounds{query}")
            found += answer["rounds"]
            if answer["before"] is None:
                break
            before = f"&before={answer['before']}"
        return found

    async def round(self, name: str, number: int, *, eyes: str = "") -> dict[str, Any]:
        """A round of the record, step by step."""
        query = f"?as={eyes}" if eyes else ""
        return await self.call("GET", f"/api/tables/{name}/rounds/{number}{query}")

    async def jackpots(self) -> list[dict[str, Any]]:
        """Every jackpot as the signs show it."""
        return list((await self.call("GET", "/api/jackpots"))["jackpots"])

    def watch(self, *tables: str, after: Mapping[str, int] | None = None) -> Watch:
        """Live views of tables; `after` names versions this client has already."""
        seen = {table: (after or {}).get(table) for table in tables}
        return Watch(self._connect, "/api/live", seen)

    async def jackpot_messages(self) -> AsyncIterator[JackpotMessage]:
        """The jackpots, live."""
        async for message in Watch(self._connect, "/api/jackpots/live", {}).messages():
            if isinstance(message, JackpotMessage):
                yield message

    async def views(self, table: str, *, after: int | None = None) -> AsyncIterator[TableMessage]:
        """Every version of one table."""
        seen = None if after is None else {table: after}
        async for message in self.watch(table, after=seen).messages():
            if isinstance(message, TableMessage):
                yield message

    # --- the wire -------------------------------------------------------------------------------------

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    def _connect(self, path: str) -> Any:
        assert self._http is not None, "use 'async with Client(...)'"
        address = self.server
        self._leave()
        return self._http.ws_connect(
            f"{address}{path}", headers=self._headers(), max_msg_size=LONGEST_MESSAGE, heartbeat=20
        )

    def _leave(self) -> None:
        """The next call goes to the next process, the one after the last being the first."""
        self._at = (self._at + 1) % len(self._servers)
        self._left = time.monotonic()

    async def call(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """One call, tried again where nobody answered; a change must have its key for that."""
        assert self._http is not None, "use 'async with Client(...)'"
        safe = method == "GET" or bool(headers and "Idempotency-Key" in headers)
        error: ClientError = gone("not tried")
        for _ in range(TRIES if safe else 1):
            try:
                async with self._http.request(
                    method, f"{self.server}{path}", json=body, headers={**self._headers(), **(headers or {})}
                ) as answer:
                    found = await answer.json() if answer.content_length else {}
                    if answer.status < 400:
                        return dict(found)
                    error = problem(answer.status, found)
            except (aiohttp.ClientConnectionError, TimeoutError) as lost:
                error = gone(lost)
            if not isinstance(error, Unavailable):
                raise error
            self._leave()
            await asyncio.sleep(PAUSE_SECONDS)
        raise error


def servers_of(text: str) -> Sequence[str]:
    """Addresses of a service, as one text with commas between them."""
    return [part.strip() for part in text.split(",") if part.strip()]
