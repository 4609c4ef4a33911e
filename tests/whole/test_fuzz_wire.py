"""Hostile bytes on the wire: WebSocket frames and raw HTTP. The server answers, closes or ignores; it never breaks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import aiohttp
import pytest

from pitboss.bootstrap import Settings
from pitboss.client import SyncClient
from support.service import PASSWORD, Process, make_floor

pytestmark = pytest.mark.whole
SECONDS = float(os.environ.get("PROVE_FUZZ_SECONDS", "6"))
"""`make prove` takes ten minutes for each."""
CLOSES = {1000, 1001, 1002, 1003, 1006, 1007, 1009, 1011, 1012, 4400, 4401, 4408, 4413, 4423, 4429}


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    """A server whose log must have no error in it at the end, and that must still answer."""
    where = Settings(tmp_path / "floor")
    make_floor(where, "mbs-stud-6")
    found = Process(where)
    try:
        yield found
        with SyncClient(found.url) as ask:
            ask(ask.client.sign_in("player", "p1", PASSWORD))
            assert ask(ask.client.lobby())["floor"] == "test"
        said = found.stop()
    finally:
        found.process.kill()
    assert "Traceback" not in said, said[-3000:]
    assert "Error" not in said.replace("ProtocolError", ""), said[-3000:]


def spoil(text: str, rng: Random) -> str:
    """A text with a few characters put in, taken out, changed or repeated."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        put = rng.choice(
            ["", "\x00", '"', "{", "}", "[", ",", "9" * 30, "null", "-1", "𝄞", "\\u", "\r\n", " "]
        )
        text = text[:at] + put + text[at + rng.choice((0, 0, 1, 5)) :]
    return text * rng.choice((1, 1, 1, 1, 1, 50))


WISHES = (
    {"watch": "t1"},
    {"watch": "t1", "after": 3},
    {"leave": "t1"},
    {"beat": 1},
    {"watch": "nowhere", "after": 2**60},
    {"watch": ["t1"], "after": "x"},
    {"act": {"do": "fold", "position": 1}},
)


def test_websocket_frames(process: Process) -> None:
    rng = Random(3)
    with SyncClient(process.url) as ask:
        ask(ask.client.sign_in("player", "p1", PASSWORD))
        token = str(ask.client._token)
    sent = asyncio.run(_frames(process.url, token, rng))
    assert sent > 50


async def _frames(url: str, token: str, rng: Random) -> int:
    sent, ends = 0, time.monotonic() + SECONDS
    async with aiohttp.ClientSession() as http:
        while time.monotonic() < ends:
            path = rng.choice(("/api/live", "/api/jackpots/live"))
            headers = {"Authorization": f"Bearer {token}"} if rng.random() < 0.7 else {}
            async with http.ws_connect(f"{url}{path}", headers=headers, max_msg_size=0) as line:
                for _ in range(rng.randint(1, 12)):
                    if line.closed:
                        break
                    text = json.dumps(rng.choice(WISHES))
                    try:
                        match rng.randint(0, 6):
                            case 0:
                                await line.send_bytes(rng.randbytes(rng.randint(0, 300)))
                            case 1:
                                await line.send_str("[" * rng.randint(1, 20_000))
                            case 2:
                                await line.send_str("x" * rng.randint(1, 300_000))
                            case 3:
                                await line.send_str(text)
                            case _:
                                await line.send_str(spoil(text, rng))
                    except (ConnectionError, aiohttp.ClientConnectionError):
                        break
                    sent += 1
                if rng.random() < 0.5:  # some leave without a word
                    await line.close()
                else:
                    await _listen(line)
                    await line.close()
                assert line.close_code is None or line.close_code in CLOSES, line.close_code
    return sent


async def _listen(line: aiohttp.ClientWebSocketResponse) -> None:
    """Hear what is said until nothing is."""
    with contextlib.suppress(TimeoutError):
        while not line.closed:
            answer = await line.receive(timeout=0.2)
            if answer.type is not aiohttp.WSMsgType.TEXT:
                return
            assert "Traceback" not in answer.data


REQUESTS = (
    "GET /api/lobby HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET /api/tables/t1/rounds/1 HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n",
    "POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 58\r\n\r\n"
    '{"kind": "player", "name": "p1", "password": "not the one"}',
    "POST /api/tables/t1/acts HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nIdempotency-Key: k1\r\n"
    "Content-Type: application/json\r\nContent-Length: 48\r\n\r\n"
    '{"acts": [{"do": "fold", "position": 1}], "x": 1}',
    "POST /api/floor/buy-in HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nTransfer-Encoding: chunked\r\n"
    'Content-Type: application/json\r\n\r\n10\r\n{"table": "t1", \r\n0\r\n\r\n',
    "GET /assets/..%2f..%2f..%2fetc/passwd HTTP/1.1\r\nHost: {host}\r\n\r\n",
)


def test_raw_http(process: Process) -> None:
    rng, answered, ends = Random(5), 0, time.monotonic() + SECONDS
    with SyncClient(process.url) as ask:
        ask(ask.client.sign_in("player", "p1", PASSWORD))
        token = str(ask.client._token)
    host = f"127.0.0.1:{process.port}"
    while time.monotonic() < ends:
        text = rng.choice(REQUESTS).replace("{host}", host).replace("{token}", token)
        data = (spoil(text, rng) if rng.random() < 0.8 else text).encode("utf-8", "surrogatepass")
        if rng.random() < 0.2:
            cut = rng.randint(0, len(data))
            data = data[:cut] + rng.randbytes(rng.randint(1, 40)) + data[cut:]
        answer = _exchange(process.port, data)
        if answer.startswith(b"HTTP/1.1 "):
            answered += 1
            status = int(answer[9:12])
            assert status < 500, (data, answer[:400])
            assert b"Traceback" not in answer
            assert b"root:" not in answer
    assert answered > 50


def _exchange(port: int, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            line.settimeout(2)
            return line.recv(65536)
        except (TimeoutError, ConnectionError):
            return b""
