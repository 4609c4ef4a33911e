"""Hostile bytes on the wire: WebSocket frames and raw HTTP. The server answers, closes or ignores; it never breaks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest

from pitboss.bootstrap import Settings
from pitboss.client import SyncClient
from support.service import PASSWORD, Process, make_floor

pytestmark = pytest.mark.whole
SECONDS = float(os.environ.get("PROVE_FUZZ_SECONDS", "3"))
SEED = int(os.environ.get("PROVE_SEED", "5"))
"""`make prove PART=fuzz` takes longer, and another seed each time."""
Record = Callable[[str, object], None]
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


def test_websocket_frames(process: Process, record_property: Record) -> None:
    rng = Random(SEED)
    with SyncClient(process.url) as ask:
        ask(ask.client.sign_in("player", "p1", PASSWORD))
        token = str(ask.client._token)
    sent = asyncio.run(_frames(process.url, token, rng))
    record_property("requests", sent)
    assert sent > 30


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


# --- raw HTTP ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Template:
    """A request that is sound as it stands: who sends it, and the status it gets before anything is spoilt."""

    name: str
    status: int
    who: str
    method: str
    path: str
    body: Any = None
    chunked: bool = False


TEMPLATES = (
    Template("lobby", 200, "p1", "GET", "/api/lobby"),
    Template("lobby of nobody", 200, "", "GET", "/api/lobby"),
    Template("round of nobody", 401, "", "GET", "/api/tables/t1/rounds/1"),
    Template(
        "sign-in", 200, "", "POST", "/api/sign-in", {"kind": "player", "name": "p2", "password": PASSWORD}
    ),
    Template("open bets", 200, "dora", "POST", "/api/tables/t1/acts", {"acts": [{"do": "open-bets"}]}),
    Template(
        "wagers",
        200,
        "p1",
        "POST",
        "/api/tables/t1/acts",
        {
            "acts": [
                {"do": "place-wager", "position": 1, "wager": "ante", "amount": "25"},
                {"do": "place-wager", "position": 1, "wager": "jackpot", "amount": "5"},
            ]
        },
    ),
    Template(
        "a fold too early",
        409,
        "p1",
        "POST",
        "/api/tables/t1/acts",
        {"acts": [{"do": "fold", "position": 1}], "expect": None},
    ),
    Template(
        "buy-in in pieces",
        200,
        "dora",
        "POST",
        "/api/floor/buy-in",
        {"table": "t1", "player": "p1", "amount": "100"},
        chunked=True,
    ),
    Template(
        "countersign",
        200,
        "gina",
        "POST",
        "/api/countersign",
        {
            "name": "gus",
            "password": PASSWORD,
            "request": "fill",
            "asked": {"table": "t1", "count": {"2500": 4}, "witness": "gus"},
        },
    ),
    Template(
        "dispute",
        200,
        "p1",
        "POST",
        "/api/floor/open-dispute",
        {"table": "t1", "round_number": 1, "about": "the cards"},
    ),
    Template("drill", 200, "dora", "POST", "/api/drill/mbs-stud-6/next", {"only": "", "level": None}),
    Template("round", 200, "p1", "GET", "/api/tables/t1/rounds/1"),
    Template("rounds", 200, "p1", "GET", "/api/tables/t1/rounds?last=3&before=5"),
    Template(
        "search", 200, "gina", "GET", "/api/rounds?table=t1&since=0&player=p1&least=0&clause=3.4&most=5"
    ),
    Template(
        "irregularity",
        200,
        "dora",
        "GET",
        "/api/tables/t1/irregularities/wrong-count-dealer?positions=1,2&count=4",
    ),
    Template("report", 200, "gina", "GET", "/api/reports/day"),
    Template("asset", 404, "", "GET", "/assets/nothing-0123.js"),
    Template("asset outside", 404, "", "GET", "/assets/..%2f..%2f..%2fetc/passwd"),
)
HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e308),
    *("", " ", "p1", "t1", "ante", "0", "-1", "25.005", "9" * 40, "1e9", "x" * 5000, "\x00", "𝄞", "\ud800"),
    *("²", "٣", "..", "%00", [], {}, [[]], ["t1"], {"do": "fold"}, {"": None}, {"x": {"y": [1, {}]}}),
)
LIKELY: Mapping[type, tuple[Any, ...]] = {
    int: (0, 1, 2, 3, 6, 7, 50, 100),
    str: (
        "p1",
        "p2",
        "dora",
        "gus",
        "t1",
        "nowhere",
        "ante",
        "jackpot",
        "bet",
        "fold",
        "deal",
        "fill",
        "flop",
    ),
    type(None): (0, 1, 2, 3, 10),
}
"""What may stand there as well, so that what comes after the form is reached too."""
HEADERS = (
    *(
        "Content-Type",
        "Accept",
        "Authorization",
        "Idempotency-Key",
        "Countersign",
        "Cookie",
        "Origin",
        "Host",
    ),
    *(
        "Accept-Encoding",
        "Content-Encoding",
        "X-Forwarded-For",
        "Expect",
        "Range",
        "If-None-Match",
        "Upgrade",
    ),
)


def otherwise(value: Any, rng: Random) -> Any:
    """A document with one of its values or names exchanged for something else, taken away or repeated."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        name = rng.choice(list(value))
        match rng.randint(0, 7):
            case 0:
                return {key: item for key, item in value.items() if key != name}
            case 1:
                return value | {str(rng.choice(HOSTILE)): value[name]}
            case _:
                return value | {name: otherwise(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], otherwise(value[at], rng), *value[at + rng.choice((0, 1, 1)) :]]
    return rng.choice(LIKELY.get(type(value), HOSTILE) if rng.random() < 0.5 else HOSTILE)


def spoilt_path(path: str, rng: Random) -> str:
    """A path or a query with something else in it that may still stand in a line of HTTP."""
    put = rng.choice((*(str(found) for found in HOSTILE), "/", "&last=-1", "?"))
    may_stand = put.isascii() and put.isprintable() and " " not in put
    put = put if may_stand and rng.random() < 0.2 else quoted(put)
    numbers = list(re.finditer(r"(?<=[/=,])[0-9]+", path))
    if numbers and rng.random() < 0.5:
        number = rng.choice(numbers)
        put = str(rng.choice(LIKELY[int])) if rng.random() < 0.7 else put
        return path[: number.start()] + put + path[number.end() :]
    at = rng.randint(1, len(path))
    return path[:at] + put + path[at + rng.choice((0, 0, 1, 3)) :]


def quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"))


@dataclass
class Sent:
    """A request as it goes out. `sound` is whether its ends can be told, so that it must be answered."""

    data: bytes
    sound: bool


class Wire:
    """Requests of several people, spoilt in every part; sound ones go over one line as long as it holds."""

    def __init__(self, port: int, tokens: Mapping[str, str], rng: Random) -> None:
        self.port, self.tokens, self.rng = port, tokens, rng
        self.line: socket.socket | None = None
        self.thrown = 0

    def written(self, template: Template, *, spoil_it: bool) -> Sent:
        """The bytes of a request, most of the time with a body that was changed and is as long as it says."""
        rng, path, sound = self.rng, template.path, True
        body = b"" if template.body is None else json.dumps(template.body).encode()
        headers = {"Host": f"127.0.0.1:{self.port}"}
        if template.who:
            headers["Authorization"] = f"Bearer {self.tokens[template.who]}"
        self.thrown += 1
        headers["Idempotency-Key"] = f"k{self.thrown}"
        where = rng.random() if spoil_it else 1.0
        if body:
            headers["Content-Type"] = "application/json"
        if where < 0.65 and body:
            if rng.random() < 0.8:
                changed = otherwise(template.body, rng)
                changed = otherwise(changed, rng) if rng.random() < 0.3 else changed
                body = json.dumps(changed).encode()
            else:
                body = spoil(body.decode(), rng).encode("utf-8", "surrogatepass")
        elif where < 0.72:  # of requests without a body most
            path = spoilt_path(path, rng)
        elif where < 0.8:
            name = rng.choice(HEADERS)
            headers[name] = quoted(spoil(headers.get(name, "x"), rng)[:2000])
        length = len(body)
        if 0.8 <= where < 0.88:  # another length than it has
            length, sound = max(0, length + rng.choice((-5, -1, 1, 5, 10**9))), False
        if template.chunked and body:
            headers["Transfer-Encoding"] = "chunked"
            cut = rng.randint(0, len(body))
            pieces = [piece for piece in (body[:cut], body[cut:]) if piece]
            body = (
                b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"
            )
        elif body or template.method == "POST":
            headers["Content-Length"] = str(length)
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        data = f"{template.method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body
        if 0.88 <= where < 0.95:  # anything anywhere
            data, sound = spoil(data.decode("utf-8", "replace"), rng).encode("utf-8", "surrogatepass"), False
        elif 0.95 <= where < 1.0:
            cut = rng.randint(0, len(data))
            data, sound = data[:cut] + rng.randbytes(rng.randint(1, 40)) + data[cut:], False
        return Sent(data, sound)

    def answer(self, sent: Sent) -> bytes:
        """What is answered. A request whose ends can be told is; another may be waited for, or dropped."""
        fresh = self.line is None
        line = self.line or socket.create_connection(("127.0.0.1", self.port), timeout=10)
        line.settimeout(10 if sent.sound else 0.1)
        self.line = None
        try:
            line.sendall(sent.data)
            answer, more = _one_answer(line)
        except (TimeoutError, ConnectionError):
            line.close()
            if sent.sound and not fresh:  # the server had closed the line that was kept
                return self.answer(sent)
            return b""
        if sent.sound and more:
            self.line = line
        else:
            line.close()
        return answer

    def close(self) -> None:
        if self.line is not None:
            self.line.close()


def _one_answer(line: socket.socket) -> tuple[bytes, bool]:
    """The first answer on a line, and whether the line holds for another request."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = line.recv(65536)
        if not piece:
            return data, False
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    told = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    length = int(told[1]) if told else 0
    while len(body) < length:
        piece = line.recv(65536)
        if not piece:
            return head + b"\r\n\r\n" + body, False
        body += piece
    keeps = told is not None and b"connection: close" not in head.lower()
    return head + b"\r\n\r\n" + body, keeps and len(body) == length


def tokens_of(url: str, *names: str) -> dict[str, str]:
    found = {}
    for name in names:
        with SyncClient(url) as ask:
            ask(ask.client.sign_in("player" if name == "p1" else "staff", name, PASSWORD))
            found[name] = str(ask.client._token)
    return found


def test_raw_http(process: Process, record_property: Record) -> None:
    people = ("p1", "dora", "gina")
    with contextlib.closing(Wire(process.port, tokens_of(process.url, *people), Random(SEED))) as wire:
        for template in TEMPLATES:
            answer = wire.answer(wire.written(template, spoil_it=False))
            assert answer[:12] == f"HTTP/1.1 {template.status}".encode(), (template.name, answer[:900])
        reached, unread = _thrown(process.url, wire, people)
    thrown = wire.thrown - len(TEMPLATES)
    record_property("requests", thrown)
    assert unread < thrown / 5, f"{unread} of {thrown} did not get past the parser"
    missed = [template.name for template in TEMPLATES if template.who and not reached[template.name]]
    assert not missed, f"not one request got through: {missed}"


def _thrown(url: str, wire: Wire, people: Sequence[str]) -> tuple[Counter[str], int]:
    """Throw requests as long as there is time: how often each came to its handler, and how many did not parse."""
    rng, ends = wire.rng, time.monotonic() + SECONDS
    reached: Counter[str] = Counter()
    unread = 0
    while time.monotonic() < ends or wire.thrown < 300:
        if wire.thrown % 200 == 0:  # somebody may have been signed out by then
            wire.tokens = tokens_of(url, *people)
        template = rng.choice(TEMPLATES)
        sent = wire.written(template, spoil_it=rng.random() < 0.95)
        answer = wire.answer(sent)
        assert answer or not sent.sound or len(sent.data) > 60_000, ("not answered", sent.data)
        if not answer:
            continue
        assert answer.startswith(b"HTTP/1.1 "), (sent.data, answer[:400])
        status = int(answer[9:12])
        assert status < 500, (sent.data, answer[:400])
        assert b"Traceback" not in answer
        assert b"root:" not in answer
        if b"Invalid HTTP request received" in answer:
            unread += 1
        elif status != 401:
            reached[template.name] += 1
    return reached, unread
