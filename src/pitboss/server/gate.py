"""The gate every request passes: who asks, from where, by which right; and how it ended."""

from __future__ import annotations

import hmac
import time
from typing import Any, cast

import structlog
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, BeforeMessageSendHookHandler, Message, Receive, Scope, Send

from pitboss.server.errors import Forbidden
from pitboss.server.house import House
from pitboss.server.identity import Locked, NotSignedIn, Session
from pitboss.server.limits import network_of
from pitboss.server.metrics import REQUESTS, SECONDS

COOKIE = "pitboss_session"
CSRF_HEADER = "x-csrf-token"
_SAFE = ("GET", "HEAD", "OPTIONS")

log = structlog.get_logger("pitboss.server")

HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


BY_HTTPS = {"strict-transport-security": "max-age=31536000"}
"""For a year a browser asks this host by HTTPS only. Other hosts of its domain are not ours to speak for."""


def headers_added(*, secure: bool) -> BeforeMessageSendHookHandler:
    """What gives every answer its headers, also where no route was found; `secure` for HTTPS."""
    all_headers = HEADERS | (BY_HTTPS if secure else {})
    encoded = [(name.encode(), value.encode()) for name, value in all_headers.items()]

    async def add_headers(message: Message, scope: Scope) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            have = {name.lower() for name, _ in headers}
            headers += [(name, value) for name, value in encoded if name not in have]
            message["headers"] = headers

    return add_headers


def session_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Session:
    """Who asks. Raises `NotSignedIn` for nobody and `Locked` for a session that is locked."""
    session = connection.scope["state"].get("session")
    if session is None:
        raise NotSignedIn("signed-out", "Nobody is signed in here; sign in.")
    found = cast(Session, session)
    if found.locked:
        raise Locked
    return found


def maybe_session(connection: ASGIConnection[Any, Any, Any, Any]) -> Session | None:
    """Who asks, or None for whoever is not signed in, or whose session is locked."""
    found = cast("Session | None", connection.scope["state"].get("session"))
    return None if found is None or found.locked else found


class Gate(ASGIMiddleware):
    """Finds the session, refuses foreign origins and forged requests, and writes down how it ended."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let one request through, or raise what refuses it."""
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        house: House = connection.app.state.house
        scope["state"]["session"] = None
        if scope["type"] == ScopeType.WEBSOCKET:
            await self._find(connection, house, scope)
            await next_app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        refused = ""
        try:
            await self._find(connection, house, scope)
            await next_app(scope, receive, noting)
        except Exception as error:
            refused = type(error).__name__
            raise
        finally:
            took = time.perf_counter() - began
            route = scope.get("path_template") or scope["path"]
            REQUESTS.labels(scope["method"], route, status or refused).inc()
            SECONDS.labels(route).observe(took)
            session = scope["state"]["session"]
            log.info(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status or refused,
                ms=round(took * 1000, 2),
                who="" if session is None else str(session.asker),
            )

    async def _find(self, connection: ASGIConnection[Any, Any, Any, Any], house: House, scope: Scope) -> None:
        method = str(scope.get("method", "GET"))
        origin = connection.headers.get("origin")
        socket = scope["type"] == ScopeType.WEBSOCKET
        if (
            origin is not None
            and (socket or method not in _SAFE)
            and not house.knows_origin(origin, connection.headers.get("host", ""))
        ):
            log.warning("foreign-origin", path=scope["path"], origin=origin[:100])
            raise Forbidden(
                "foreign-origin", "Pages of {origin} may not use this floor.", origin=origin[:100]
            )
        bearer = connection.headers.get("authorization", "")
        by_header = bearer[7:].strip() if bearer[:7].lower() == "bearer " else ""
        token = by_header or connection.cookies.get(COOKIE, "")
        address = f"address {network_of(address_of(connection))}"
        handler = scope["route_handler"]
        session, ended = None, None
        if token:
            scope["state"]["token"] = token
            session, ended = await _session(house, token, address)
        if handler.opt.get("doors"):
            if not house.doors.take(address if session is None else session.id):
                raise TooManyRequestsException("Too many passwords were tried; wait a moment.")
        elif session is None and not token and not handler.opt.get("uncounted"):
            _count(house, address)
        if ended is not None:
            scope["state"]["signed_out"] = True
            if not socket and not handler.opt.get("whoever"):
                raise ended
        if session is None:
            return
        _count(house, session.id)
        changes = not socket and method not in _SAFE
        if changes and not by_header and not handler.opt.get("no_csrf"):
            given = connection.headers.get(CSRF_HEADER, "")
            if not hmac.compare_digest(given.encode(), session.csrf.encode()):
                raise Forbidden("csrf", "Send the token that came with the sign-in in X-CSRF-Token.")
        if changes:
            await house.acts(session)
        scope["state"]["session"] = session


async def _session(house: House, token: str, address: str) -> tuple[Session | None, NotSignedIn | None]:
    """The session of a token, or why there is none.

    A valid session is found however much else comes from its address: the process knows it, or the token's
    signature holds. Every other token is paid for by the address before the store is asked for it, and what
    has turned out to be over is paid for as well.
    """
    known = house.identity.known(token)
    if known is not None:
        return known, None
    signed = house.identity.is_signed(token)
    if not signed:
        _count(house, address)
    try:
        return await house.session(token), None
    except NotSignedIn as ended:
        if signed:
            _count(house, address)
        return None, ended


def _count(house: House, who: str) -> None:
    if not house.everybody.take(who):
        raise TooManyRequestsException("Too many requests; wait a moment.")


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Where a request comes from, as far as can be told."""
    return connection.client.host if connection.client is not None else ""
