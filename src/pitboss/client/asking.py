"""Asking the service: sign-in, requests of the floor, acts at tables, and what there is to see."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec

from pitboss.client.contributor import Contributor, contribute_at, device_of_this_user
from pitboss.client.problems import ClientError, Unavailable, gone, problem
from pitboss.client.watching import LONGEST_MESSAGE, JackpotMessage, TableMessage, Watch
from pitboss.floor import requests as q
from pitboss.floor.composition import Contribution
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

    A player's client contributes to the order of the sealed decks at every table that it watches, from
    `device`, which is chosen and kept in the user's data folder where none is named. `contributes=False`
    leaves that to `contribute`.
    """

    def __init__(
        self,
        *servers: str,
        token: str = "",
        timeout: float = 30,
        device: str = "",
        contributes: bool = True,
    ) -> None:
        self._servers = [server.rstrip("/") for server in servers]
        self._at = 0
        self._left = 0.0
        self._token = token
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._http: aiohttp.ClientSession | None = None
        self.me: c.Actor = c.Player("")
        self._device, self._contributes = device, contributes
        self._contributor: Contributor | None = None
        self._contributing: dict[str, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession(timeout=self._timeout, cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop_contributing()
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
        begin = partial(self.contribute, *tables) if self._contributes else None
        return Watch(self._connect, "/api/live", seen, begin=begin)

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

    # --- contributing ---------------------------------------------------------------------------------

    async def contribute(self, *tables: str) -> None:
        """Contribute to the order of the decks where the player sits, until this client is closed.

        A task beside the caller's work commits while bets are open and reveals once they are closed, on a
        socket of its own. Nothing happens for staff, or at tables where nothing is contributed. A device that
        does not reveal, because its program ended between the two, counts no more on that gaming day.
        """
        if not isinstance(self.me, c.Player) or not self.me.name:
            return
        if self._contributor is None or self._contributor.player != self.me.name:
            device = self._device or device_of_this_user()
            self._contributor = Contributor(self.me.name, device, self.do)
            await self.stop_contributing()
        for table in tables:
            running = self._contributing.get(table)
            if running is None or running.done():
                work = contribute_at(partial(self._watch_alone, table), self._contributor)
                self._contributing[table] = asyncio.create_task(work)

    def _watch_alone(self, table: str) -> Watch:
        return Watch(self._connect, "/api/live", {table: None})

    async def stop_contributing(self, *tables: str) -> None:
        """Contribute at tables no longer, at none where none is named; what was committed to in a round under
        way is not revealed."""
        named = tables or tuple(self._contributing)
        ended = [self._contributing.pop(table) for table in named if table in self._contributing]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)

    def contributed(self, view: Mapping[str, Any]) -> Contribution | None:
        """What this client's device has committed to in the round of a view, to check the round by it."""
        return None if self._contributor is None else self._contributor.contributed(view)

    # --- the wire -------------------------------------------------------------------------------------

    def _headers(self) -> dict[str, str]:
        held = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return {"Content-Type": "application/json", **held}

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
        pause = PAUSE_SECONDS
        data = None if body is None else msgspec.json.encode(body)
        for _ in range(TRIES if safe else 1):
            try:
                async with self._http.request(
                    method, f"{self.server}{path}", data=data, headers={**self._headers(), **(headers or {})}
                ) as answer:
                    found = await answer.json() if answer.content_length else {}
                    if answer.status < 400:
                        return dict(found)
                    error = problem(answer.status, found)
                    busy = found.get("code") == "store-busy"  # for every process: they share the store
                    pause = float(answer.headers.get("Retry-After", 1)) if busy else PAUSE_SECONDS
            except (aiohttp.ClientConnectionError, TimeoutError) as lost:
                error, pause = gone(lost), PAUSE_SECONDS
            if not isinstance(error, Unavailable):
                raise error
            self._leave()
            await asyncio.sleep(pause)
        raise error


def servers_of(text: str) -> Sequence[str]:
    """Addresses of a service, as one text with commas between them."""
    return [part.strip() for part in text.split(",") if part.strip()]
