"""What is on the wire before anything is asked: heads too long or too slow, wrong hosts, hung-up clients."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

import httptools
import structlog
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pitboss.server.limits import network_of

MOST_HEAD = 65_536
"""So many bytes may come before the body of a request, its end included."""
LINGER_BYTES, LINGER_SECONDS = 2**20, 2
"""A connection that is refused is read for so long and no further, so that the answer arrives."""

_END_OF_HEAD = re.compile(rb"(?<=\n)\n|(?<=\n\r)\n")
"""Where a head may end, and a chunked body. A piece that ends there never holds bytes of the next message."""

log = structlog.get_logger("pitboss.server")


def _answer(status: str, words: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(words)}\r\n"
    return f"{head}connection: close\r\n\r\n{words}".encode()


_HEAD_TOO_LARGE = _answer("431 Request Header Fields Too Large", "The head of the request is over 64 KiB.")
_HEAD_TOO_SLOW = _answer("408 Request Timeout", "The head of the request did not arrive in time.")
_BODY_TOO_SLOW = _answer("408 Request Timeout", "The body of the request did not arrive in time.")
_TOO_MANY = _answer("429 Too Many Requests", "This address has too many connections; close some.")
_FULL = _answer("503 Service Unavailable", "This server has as many connections as it can hold.")


class Connections:
    """The open connections of a process, counted by address, and how many there may be.

    Addresses of `proxies` carry the traffic of many, so that only the total bounds them.
    """

    def __init__(self, *, most: int, most_an_address: int, proxies: Iterable[str] = ()) -> None:
        self.most, self.most_an_address = most, most_an_address
        self._proxies, self._named = _networks(proxies)
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bytes:
        """Count a connection; what to answer if it is one too many, else nothing."""
        own = network_of(address)
        self._open[own] += 1
        if self._open.total() > self.most:
            return _FULL
        if self._open[own] > self.most_an_address and not self._is_proxy(address):
            return _TOO_MANY
        return b""

    def leave(self, address: str) -> None:
        """A connection has ended."""
        own = network_of(address)
        self._open[own] -= 1
        if self._open[own] <= 0:
            del self._open[own]

    def _is_proxy(self, address: str) -> bool:
        if address in self._named or "*" in self._named:
            return True
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if found.version == 6 and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        return any(found in network for network in self._proxies)


_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _networks(proxies: Iterable[str]) -> tuple[list[_Network], set[str]]:
    networks: list[_Network] = []
    named: set[str] = set()
    for proxy in proxies:
        try:
            networks.append(ipaddress.ip_network(proxy))
        except ValueError:
            named.add(proxy)
    return networks, named


def _peer_of(transport: Any) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) and peer else ""


class CarefulHttp(HttpToolsProtocol):  # type: ignore[misc,unused-ignore]
    """HTTP as uvicorn speaks it, with bounds on the size and the time of what comes before a body.

    Each head is bounded by itself, to the byte: what is read is handed on in pieces that end where a head or
    a body may end, so that no byte of a body counts as one of a head. A head over the bound is never handed
    on whole, so that what is answered 431 is not carried out.
    """

    def __init__(
        self, *args: Any, connections: Connections, head_seconds: float, body_seconds: float, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._counted, self._head_seconds, self._body_seconds = connections, head_seconds, body_seconds
        self._address = ""
        self._head = 0
        self._heading = True
        self._body_left: int | None = 0  # None in a chunked body, whose length nothing says
        self._without_body = 0
        self._tail = b""
        self._gone = False  # refused, or no HTTP any more
        self._last_word = b""
        self._dropped = 0
        self._timer: asyncio.TimerHandle | None = None

    # --- the connection -------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and begin to wait for a head."""
        super().connection_made(transport)
        self._address = _peer_of(transport)
        too_many = self._counted.enter(self._address)
        if too_many:
            log.warning("connections", address=self._address, answer=too_many[9:12].decode())
            self._gone = True
            transport.write(too_many)
            transport.close()
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is counted no more."""
        self._stop_waiting()
        self._counted.leave(self._address)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """From here on another protocol reads and counts the connection."""
        self._stop_waiting()
        self._gone = True
        super().handle_websocket_upgrade()
        self._counted.leave(self._address)

    def _unsupported_upgrade_warning(self) -> None:
        """To any other protocol than WebSocket nothing is upgraded: what follows is not read as requests."""
        self._gone = True
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
        elif not self.transport.is_closing():
            self.transport.close()

    # --- what is read ---------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on, piece by piece, as long as the head is not too long."""
        if self._gone:
            self._drop(len(data))
            return
        window, start = self._tail + data, len(self._tail)
        at = start
        while at < len(window) and not self._gone and not self.transport.is_closing():
            stop = self._stop(window, at)
            if self._heading:
                self._head += stop - at
                if self._head > MOST_HEAD:
                    self._refuse(_HEAD_TOO_LARGE)
                    return
            elif self._body_left is not None:
                self._body_left -= stop - at
            else:
                self._without_body += stop - at
            super().data_received(data if (at, stop) == (start, len(window)) else window[at:stop])
            at = stop
            if self._without_body > MOST_HEAD:  # trailers without an end, or the extensions of a chunk
                self._gone = True
                self.transport.close()
        self._tail = window[-2:]
        if self._heading and self._head and self._timer is None and not self._gone:
            self._wait_for_head()

    def _stop(self, window: bytes, at: int) -> int:
        """Up to where the next piece goes."""
        if not self._heading and self._body_left:
            return min(len(window), at + self._body_left)
        found = _END_OF_HEAD.search(window, at)
        return len(window) if found is None else found.end()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header. What comes after a body is no header: a trailer says nothing about who asks."""
        if self._heading:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head has ended: what follows is bounded elsewhere."""
        self._heading = False
        self._stop_waiting()
        self._body_left = _body_length(self.headers)
        self._without_body = 0
        if self._body_left != 0:
            self._timer = self.loop.call_later(self._body_seconds, self._is_late, _BODY_TOO_SLOW)
        if not self.url.startswith(b"/"):
            self._hold_to_target()
        super().on_headers_complete()

    def _hold_to_target(self) -> None:
        """A target with a host of its own counts as one more Host; two that differ are refused."""
        try:
            target = httptools.parse_url(self.url)
        except httptools.HttpParserError:
            return
        if not target.host:
            return
        port = b"" if target.port is None else b":%d" % target.port
        host = (b"[%s]" % target.host if b":" in target.host else target.host) + port
        if [host.lower()] != [value.strip().lower() for name, value in self.headers if name == b"host"]:
            self.headers.append((b"host", host))

    def on_body(self, body: bytes) -> None:
        """Some of the body has come."""
        self._without_body = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The next head begins."""
        self._heading, self._head, self._body_left, self._without_body = True, 0, 0, 0
        self._stop_waiting()
        super().on_message_complete()

    # --- refusing -------------------------------------------------------------------------------------

    def _wait_for_head(self) -> None:
        self._timer = self.loop.call_later(self._head_seconds, self._is_late, _HEAD_TOO_SLOW)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _is_late(self, answer: bytes) -> None:
        self._timer = None
        if self.transport.is_closing() or self._gone:
            return
        if self._heading:
            self._refuse(answer)
        elif self.cycle is not None and self.cycle.response_started:
            self.transport.close()
        else:  # the application hears that the client is gone, and carries nothing out
            self._gone = True
            self.transport.write(answer)
            self.transport.close()

    def _refuse(self, answer: bytes) -> None:
        """The last answer on this connection, after those to the requests before it."""
        self._gone = True
        self._stop_waiting()
        self._last_word = answer
        if self.cycle is None or self.cycle.response_complete:
            self._say_last_word()

    def on_response_complete(self) -> None:
        """An answer has gone out; the last word follows the last of them."""
        super().on_response_complete()
        last = self.cycle.response_complete and not self.pipeline
        if self._last_word and last and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self._say_last_word()

    def _say_last_word(self) -> None:
        self.transport.write(self._last_word)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def _drop(self, size: int) -> None:
        """Read what comes after the last word for a while: hanging up at once could destroy the answer."""
        self._dropped += size
        if self._dropped > LINGER_BYTES:
            self.transport.close()


def _body_length(headers: Iterable[tuple[bytes, bytes]]) -> int | None:
    """How many bytes of body follow a head; None for chunks. The parser has refused contradictions."""
    length = 0
    for name, value in headers:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":
            length = int(value)
    return length


class CountedSocket(WebSocketsSansIOProtocol):  # type: ignore[misc,unused-ignore]
    """A WebSocket as uvicorn speaks it; its connection goes on being counted."""

    def __init__(self, *args: Any, connections: Connections, **more: Any) -> None:
        super().__init__(*args, **more)
        self._counted, self._address = connections, ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection once more; the protocol that had it lets go of it."""
        super().connection_made(transport)
        self._address = _peer_of(transport)
        self._counted.enter(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is counted no more."""
        self._counted.leave(self._address)
        super().connection_lost(exc)


# --- by which name the service is asked -----------------------------------------------------------------


class Names:
    """The names the service answers to: addresses, this machine's own name, and those it was given.

    A page of another site can make a browser ask any address under the site's own name (DNS rebinding); what
    it cannot do is to ask under a name of ours, or under a bare address.
    """

    def __init__(self, given: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        found = {"localhost", own, f"{own.partition('.')[0]}.local"}
        self._names = found | {name.lower().rstrip(".") for name in given if name}

    def knows(self, name: str) -> bool:
        """Whether a request that names this host is meant for us."""
        bare = name.lower().rstrip(".")
        return bare in self._names or _is_address(bare)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return True


_BAD_HOST = "The Host header is missing, repeated or malformed; send one, as in floor.example:8000."


def at_a_host(app: ASGIApp, knows: Callable[[str], bool] | None = None) -> Any:
    """The application, for requests to a host that is ours; others are refused before it sees them."""
    known = knows or Names().knows

    async def careful(scope: Scope, receive: Receive, send: Send) -> None:
        kind = str(dict(scope)["type"])
        refused = None if kind == "lifespan" else _wrong_host(scope, known)
        if refused is None:
            await app(scope, receive, send)
            return
        status, code, message = refused
        if kind == "websocket":
            await send({"type": "websocket.close", "code": 1002, "reason": code})
            return
        body = json.dumps({"code": code, "message": message, "clauses": []}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return careful


def _wrong_host(scope: Scope, knows: Callable[[str], bool]) -> tuple[int, str, str] | None:
    """Status, code and sentence for a request that is not meant for us, or None."""
    hosts = [value.decode("latin-1").strip() for name, value in scope["headers"] if name == b"host"]
    if not hosts and scope.get("http_version") == "1.0":  # what asks whether we are there may know no better
        return None
    name = _name_in(hosts[0]) if len(hosts) == 1 else ""
    if not name:
        return 400, "bad-host", _BAD_HOST
    if knows(name):
        return None
    shown = name[:100]
    log.warning("unknown-host", host=shown)
    message = f"This floor does not answer to the name {shown}; 'pitboss serve --name {shown}' adds it."
    return 421, "unknown-host", message


_A_NAME = re.compile(r"[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.%]+\]")


def _name_in(host: str) -> str:
    """The name in a Host header, without its port; empty for one that cannot be."""
    try:
        found = urlsplit(f"http://{host}/")
        port, name = found.port, found.netloc
    except ValueError:
        return ""
    if port == 0 or name != host:
        return ""
    if port is not None or name.endswith(":"):
        name = name.rpartition(":")[0]
    return name if _A_NAME.fullmatch(name) else ""


def is_host_name(text: str) -> bool:
    """Whether it is a name as a Host header has it, without a port."""
    return bool(_name_in(text)) and _name_in(text) == text


def unless_gone(app: ASGIApp) -> Any:
    """The application; that a client did not wait for the answer is not an error of it."""

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
