"""What is on the wire before anything is asked: heads without end, no host, clients that hang up."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from litestar.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 65_536
"""So many bytes may come before the body of a request."""

_TOO_MUCH = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 30\r\nconnection: close\r\n\r\n"
    b"The head of it is far too long"
)


class CarefulHttp(HttpToolsProtocol):  # type: ignore[misc,unused-ignore]
    """HTTP as uvicorn speaks it, with a bound on what comes before a body."""

    _head = 0
    _heading = True

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the head is not too long."""
        super().data_received(data)
        if not self._heading or self.transport.is_closing():
            return
        self._head += len(data)
        if self._head > MOST_HEAD:
            self.transport.write(_TOO_MUCH)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """The head has ended: what follows is bounded elsewhere."""
        self._heading = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The next head begins."""
        self._heading, self._head = True, 0
        super().on_message_complete()


def at_a_host(app: ASGIApp) -> Any:
    """The application, for whoever asks at a host that can be one; others are told so at once."""

    async def careful(scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(dict(scope)["type"])
        if kind == "lifespan" or _has_a_host(scope):
            await app(scope, receive, send)
        elif kind == "http":
            problem = {"code": "bad-host", "message": "The Host of the request is none.", "clauses": []}
            body = json.dumps(problem).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": 400, "headers": headers})
            await send({"type": "http.response.body", "body": body, "more_body": False})
        else:
            await send({"type": "websocket.close", "code": 1002, "reason": "bad host"})

    return careful


def _has_a_host(scope: Scope) -> bool:
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    try:
        return urlsplit(f"http://{host.decode('latin-1')}/").port != 0
    except ValueError:
        return False


def unless_gone(app: ASGIApp) -> Any:
    """The application, for which it is no fault of its own that somebody did not wait for the answer."""

    async def careful(scope: Scope, receive: Receive, send: Send) -> None:
        gone = False

        async def sending(message: Message) -> None:
            nonlocal gone
            try:
                await send(message)
            except (OSError, RuntimeError):  # the transport is closed
                gone = True
                raise

        try:
            await app(scope, receive, sending)
        except Exception:
            if not gone:
                raise

    return careful
