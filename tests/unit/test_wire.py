"""What comes over the wire before anything is asked: heads, bodies, hosts, connections."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import aiohttp
import pytest

from pitboss.server import wire
from pitboss.server.limits import network_of
from pitboss.server.settings import ServerSettings
from pitboss.server.wire import MOST_HEAD, Connections, Names
from support.service import PASSWORD, Served, served, stud_on_a_link

PATIENCE = 30


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("wire") / "floor"
    with served(folder, stud_on_a_link, most_connections_an_address=1000) as found:
        yield found


def connected(service: Served) -> socket.socket:
    found = urlsplit(service.url)
    return socket.create_connection((str(found.hostname), found.port or 0), timeout=PATIENCE)


def all_of(line: socket.socket) -> bytes:
    """Everything that is answered until the other end hangs up."""
    heard = b""
    try:
        while piece := line.recv(2**16):
            heard += piece
    except ConnectionError:
        pass
    return heard


def asked(service: Served, *pieces: bytes) -> bytes:
    """What is answered to bytes sent in pieces, each in a packet of its own."""
    with closing(connected(service)) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for piece in pieces:
                line.sendall(piece)
        except ConnectionError:  # it has hung up; what it said lies here
            pass
        return all_of(line)


def statuses(heard: bytes) -> list[int]:
    return [int(part[:3]) for part in heard.split(b"HTTP/1.1 ")[1:]]


def head(start: str, size: int = 0, /, **headers: str) -> bytes:
    """The head of a request, padded to a size."""
    lines = [
        start,
        "Host: localhost",
        *(f"{name.replace('_', '-')}: {text}" for name, text in headers.items()),
    ]
    bare = "\r\n".join(lines).encode()
    filled = size - len(bare) - len(b"\r\nX-Filled: \r\n\r\n")
    return bare + (b"\r\nX-Filled: " + b"x" * filled if size else b"") + b"\r\n\r\n"


def split(message: bytes, rng: Random, most: int = 6) -> list[bytes]:
    """A message in pieces, cut at random places."""
    cuts = sorted(rng.randrange(len(message) + 1) for _ in range(rng.randrange(most)))
    return [
        message[start:end]
        for start, end in zip([0, *cuts], [*cuts, len(message)], strict=True)
        if end > start
    ]


def signing_in(size: int) -> bytes:
    body = json.dumps({"kind": "player", "name": "p2", "password": PASSWORD}).encode()
    return body + b" " * (size - len(body))


def chunked(body: bytes, rng: Random) -> bytes:
    sent, at = b"", 0
    while at < len(body):
        size = rng.choice((1, 7, 4096, 70_000, 500_000))
        sent += f"{len(body[at : at + size]):x}\r\n".encode() + body[at : at + size] + b"\r\n"
        at += size
    return sent + b"0\r\n\r\n"


# --- heads and bodies -----------------------------------------------------------------------------------


def test_a_body_of_any_size_split_anywhere_is_no_head(service: Served) -> None:
    """Bytes of a body that came with its head counted as the head's: 431, and carried out all the same."""
    rng = Random(22)
    sizes = [1, 90, 65_000, MOST_HEAD - 1, MOST_HEAD, MOST_HEAD + 1, 200_000, 2_000_000]
    sizes += [int(10 ** rng.uniform(2, 6.3)) for _ in range(8)]
    for number, size in enumerate(sizes):
        body = signing_in(size)
        length = {"Content_Length": str(len(body))} if number % 3 else {"Transfer_Encoding": "chunked"}
        first = head(
            "POST /api/sign-in HTTP/1.1", rng.choice((0, 60_000, MOST_HEAD)), **length, Connection="close"
        )
        sent = body if number % 3 else chunked(body, rng)
        heard = asked(service, *split(first + sent, rng))
        assert statuses(heard) == [200], (size, heard[:200])


def test_a_head_is_bounded_to_the_byte_and_what_is_refused_is_not_carried_out(service: Served) -> None:
    rng, names = Random(5), iter(range(1000))
    with service.signed_in("gina") as ask:
        token = f"Bearer {ask.client._token}"
        for size, status in (
            (MOST_HEAD - 1, 200),
            (MOST_HEAD, 200),
            (MOST_HEAD + 1, 431),
            (90_000, 431),
            (900_000, 431),
        ):
            for whole in (True, False):
                name = f"new{next(names)}"
                body = json.dumps({"person": name, "position": "dealer"}).encode()
                first = head(
                    "POST /api/floor/add-person HTTP/1.1",
                    size,
                    Authorization=token,
                    Content_Length=str(len(body)),
                    Connection="close",
                )
                heard = asked(service, *([first + body] if whole else split(first + body, rng)))
                assert statuses(heard) == [status], (size, whole, heard[:100])
                known = service.served.floor.desk.registry(service.served.floor.store, fresh=True).people
                assert (name in known) == (status == 200), (size, whole)


@pytest.mark.parametrize("apart", [True, False])
def test_each_of_several_requests_in_one_packet_has_a_bound_of_its_own(
    service: Served, *, apart: bool
) -> None:
    big = head("GET /health/live HTTP/1.1", 40_000)
    body = b"\n\r\n\n" * 30_000
    posted = head("POST /api/sign-in HTTP/1.1", 50_000, Content_Length=str(len(body))) + body
    in_chunks = head("POST /api/sign-in HTTP/1.1", 50_000, Transfer_Encoding="chunked") + chunked(
        body, Random(1)
    )
    last = head("GET /health/live HTTP/1.1", MOST_HEAD, Connection="close")
    requests = [big, posted, big, in_chunks, big, last]
    heard = asked(service, *(requests if apart else [b"".join(requests)]))
    assert statuses(heard) == [200, 400, 200, 400, 200, 200]
    requests[-1] = head("GET /health/live HTTP/1.1", MOST_HEAD + 1)
    heard = asked(service, *(requests if apart else [b"".join(requests)]))
    assert statuses(heard) == [200, 400, 200, 400, 200, 431]


def test_trailers_are_no_headers_and_have_an_end(service: Served) -> None:
    with service.signed_in("gina") as ask:
        token = f"Bearer {ask.client._token}"
    first = head("DELETE /api/sessions HTTP/1.1", Transfer_Encoding="chunked", Connection="close")
    heard = asked(service, first + f"0\r\nAuthorization: {token}\r\n\r\n".encode())
    assert statuses(heard) == [401]
    endless = head("POST /api/sign-in HTTP/1.1", Transfer_Encoding="chunked") + b"0\r\n"
    assert statuses(asked(service, endless, *[b"X-More: " + b"x" * 50_000 + b"\r\n"] * 40)) == []


def test_a_body_over_the_bound_is_not_carried_out(service: Served) -> None:
    with service.signed_in("gina") as ask:
        token = f"Bearer {ask.client._token}"
        body = json.dumps({"person": "huge", "position": "dealer"}).encode() + b" " * 2_600_000
        start, more = "POST /api/floor/add-person HTTP/1.1", {"Authorization": token, "Connection": "close"}
        for first, sent in (
            (head(start, Content_Length=str(len(body)), **more), body),
            (head(start, Transfer_Encoding="chunked", **more), chunked(body, Random(3))),
        ):
            assert statuses(asked(service, first, sent)) == [413]
        assert "huge" not in service.served.floor.desk.registry(service.served.floor.store, fresh=True).people


def test_what_follows_an_upgrade_that_is_refused_is_not_read_as_requests(service: Served) -> None:
    first = head("POST /api/sign-in HTTP/1.1", Connection="Upgrade", Upgrade="h2c", Content_Length="500")
    assert len(statuses(asked(service, first, head("GET /health/live HTTP/1.1")))) == 1


# --- time and number --------------------------------------------------------------------------------------


def test_a_head_that_does_not_come_in_time_is_answered_408(tmp_path: Path) -> None:
    with served(tmp_path / "floor", head_seconds=0.5) as service:
        whole = head("GET /health/live HTTP/1.1")
        assert statuses(asked(service, whole[:20])) == [408]
        assert statuses(asked(service)) == [408]
        with closing(connected(service)) as line:  # a byte now and then does not keep it open
            line.sendall(whole)
            assert line.recv(2**16).startswith(b"HTTP/1.1 200")
            heard = b""
            line.settimeout(0.05)
            for piece in [b"GET / HTTP/1.1\r\nX-Slow: ", *[b"x"] * 4000]:
                try:
                    line.sendall(piece)
                    heard += line.recv(2**16)
                except TimeoutError:
                    continue
                except ConnectionError:
                    break
                if heard:
                    break
            assert heard.startswith(b"HTTP/1.1 408")


def test_a_body_that_does_not_come_in_time_is_answered_408_and_not_carried_out(tmp_path: Path) -> None:
    body = json.dumps({"kind": "player", "name": "p1", "password": PASSWORD}).encode()
    first = head("POST /api/sign-in HTTP/1.1", Content_Length=str(len(body) + 1))
    with served(tmp_path / "floor", stud_on_a_link, body_seconds=0.5) as service:
        before = service.served.identity.sessions("player", "p1")
        assert statuses(asked(service, first + body)) == [408]
        assert service.served.identity.sessions("player", "p1") == before
        whole = head("POST /api/sign-in HTTP/1.1", Content_Length=str(len(body)), Connection="close") + body
        assert statuses(asked(service, whole)) == [200]


def test_one_address_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    with served(tmp_path / "floor", most_connections_an_address=5) as service:
        whole = head("GET /health/live HTTP/1.1")
        lines = [connected(service) for _ in range(5)]
        for line in lines:
            line.sendall(whole)
            assert line.recv(2**16).startswith(b"HTTP/1.1 200")
        assert statuses(asked(service)) == [429]
        lines.pop().close()
        until = time.monotonic() + PATIENCE
        while statuses(asked(service, head("GET /health/live HTTP/1.1", Connection="close"))) != [200]:
            assert time.monotonic() < until
        for line in lines:
            line.close()


def test_a_socket_goes_on_being_counted_as_a_connection(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        async with aiohttp.ClientSession() as http, http.ws_connect(f"{url}/api/jackpots/live") as one:
            await one.receive()
            async with http.ws_connect(f"{url}/api/jackpots/live") as other:
                await other.receive()
                with pytest.raises(aiohttp.ClientError):
                    await http.ws_connect(f"{url}/api/jackpots/live")
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    async with http.ws_connect(f"{url}/api/jackpots/live") as again:
                        await again.receive()
                    return
                except aiohttp.ClientError:
                    assert time.monotonic() < until

    with served(tmp_path / "floor", stud_on_a_link, most_connections_an_address=2) as service:
        asyncio.run(run(service.url))


def test_connections_are_counted_by_holder_and_proxies_by_the_total_alone() -> None:
    found = Connections(most=6, most_an_address=2, proxies=("10.0.0.0/8", "2001:db8:9::1"))
    assert [found.enter("2001:db8::1"), found.enter("2001:db8::2")] == [b"", b""]
    assert found.enter("2001:db8::ffff").startswith(b"HTTP/1.1 429")  # one holder's network
    found.leave("2001:db8::ffff")
    assert [found.enter("10.1.2.3") for _ in range(4)] == [b""] * 4
    assert found.enter("192.0.2.1").startswith(b"HTTP/1.1 503")
    found.leave("192.0.2.1")
    found.leave("10.1.2.3")
    assert found.enter("192.0.2.1") == b""


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_what_an_address_is_counted_under(address: str, counted: str) -> None:
    assert network_of(address) == counted


# --- hosts --------------------------------------------------------------------------------------------------


def with_hosts(
    service: Served, *hosts: str, version: str = "1.1", target: str = "/health/live"
) -> tuple[int, str]:
    lines = [f"GET {target} HTTP/{version}", *(f"Host: {host}" for host in hosts), "Connection: close"]
    heard = asked(service, "\r\n".join(lines).encode() + b"\r\n\r\n")
    body = heard.partition(b"\r\n\r\n")[2]
    return statuses(heard)[0], str(json.loads(body).get("code", "")) if body[:1] == b"{" else ""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    origins = ("https://cage.example:8443",)
    with served(
        tmp_path_factory.mktemp("named") / "floor", names=("Floor.Example",), origins=origins
    ) as found:
        yield found


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:9",
        "127.0.0.1:80",
        "192.168.1.5:8000",
        "[::1]:8000",
        "[::1]",
        socket.gethostname(),
        "localhost.",
    ],
)
def test_bare_addresses_and_this_machine_are_always_ours(service: Served, named: Served, host: str) -> None:
    assert with_hosts(service, host) == with_hosts(named, host) == (200, "")


@pytest.mark.parametrize("host", ["floor.example", "FLOOR.EXAMPLE:443", "floor.example.", "cage.example"])
def test_names_that_were_given_are_ours_and_no_others(service: Served, named: Served, host: str) -> None:
    assert with_hosts(named, host) == (200, "")
    assert with_hosts(service, host) == (421, "unknown-host")
    for other in (
        f"evil.{host}",
        "evil.example",
        "floor.example.evil.test",
        "127.0.0.1.evil.test",
        "xlocalhost",
    ):
        assert with_hosts(named, other) == (421, "unknown-host"), other


@pytest.mark.parametrize(
    "hosts",
    [(), ("",), ("localhost", "localhost"), ("localhost", "evil.example"), ("a b",), ("user@localhost",), ("localhost/x",), ("localhost:0",), ("localhost,evil.example",)],
)  # fmt: skip
def test_one_host_that_can_be_one(service: Served, hosts: Sequence[str]) -> None:
    assert with_hosts(service, *hosts) == (400, "bad-host")


def test_a_request_of_before_there_were_hosts_is_answered(service: Served) -> None:
    assert with_hosts(service, version="1.0")[0] == 200
    assert with_hosts(service, "evil.example", version="1.0") == (421, "unknown-host")


def test_a_target_with_a_host_of_its_own_says_the_same_as_the_host(service: Served) -> None:
    assert with_hosts(service, "localhost", target="http://localhost/health/live")[0] == 200
    for host, target in (
        ("localhost", "evil.example"),
        ("evil.example", "localhost"),
        ("localhost", "localhost:99"),
    ):
        assert with_hosts(service, host, target=f"http://{target}/health/live") == (400, "bad-host")


def test_a_socket_under_a_name_of_others_is_refused(service: Served) -> None:
    async def run(host: str) -> None:
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{service.url}/api/jackpots/live", headers={"Host": host}) as line,
        ):
            await line.receive()

    asyncio.run(run("localhost"))
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        asyncio.run(run("evil.example"))
    assert refused.value.status == 403


def test_names_are_those_of_the_settings() -> None:
    settings = ServerSettings(host="floor.lan", names=("a.example",), origins=("https://b.example:444",))
    names = Names(settings.known_names)
    assert all(names.knows(name) for name in ("floor.lan", "a.example", "b.example", "10.0.0.1", "[::1]"))
    assert not any(names.knows(name) for name in ("", "c.example", "example"))
    assert wire.is_host_name("floor.example")
    assert not any(
        wire.is_host_name(text) for text in ("https://floor.example", "floor.example:80", "a b", "")
    )


# --- headers ------------------------------------------------------------------------------------------------


def test_browsers_stay_with_https_where_the_floor_is_behind_it(service: Served, tmp_path: Path) -> None:
    with served(tmp_path / "floor", secure=True) as behind:
        for path in ("/", "/api/lobby", "/api/nowhere", "/assets/none.js"):
            heard = asked(behind, head(f"GET {path} HTTP/1.1", Connection="close")).lower()
            assert b"\r\nstrict-transport-security: max-age=31536000\r\n" in heard, path
    assert (
        b"strict-transport" not in asked(service, head("GET /api/lobby HTTP/1.1", Connection="close")).lower()
    )
