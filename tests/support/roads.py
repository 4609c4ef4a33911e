"""The road from servers to their database, which can be led elsewhere and cut.

Network namespaces where this user may make them: a router between this machine and each database, and an
address that it leads to one of them. A cut drops packets silently, as a dead switch does, so that nothing but
time-outs tells. Elsewhere a relay in this process takes the place of the router.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from random import SystemRandom
from typing import Any, Protocol

from support.clusters import PORT, Cluster

PLACES = ("a", "b")
"""Namespaces for databases; a third database takes the place of one that is gone."""


class Road(Protocol):
    """What servers connect through."""

    kind: str
    host: str
    port: int

    def namespace(self, place: str) -> str:
        """The namespace of a place for a database; empty where there are none."""
        ...

    def lead_to(self, cluster: Cluster) -> None:
        """From now on the address is this server's; connections to the one before are lost."""
        ...

    def cut(self) -> None:
        """Nothing comes through any more, in either direction, and nobody is told."""
        ...

    def heal(self) -> None:
        """Everything comes through again."""
        ...

    def remove(self) -> None:
        """Let go of it."""
        ...


def can_make_namespaces() -> bool:
    """Whether this user may make network namespaces, and the programs for it are here."""
    if os.geteuid() or not all(map(shutil.which, ("ip", "nsenter", "setpriv"))):
        return False
    name = f"pb{os.getpid()}t"
    done = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return done.returncode == 0


class Namespaces:
    """A router and two places for databases, each in a namespace of its own."""

    kind = "namespaces"
    port = PORT

    def __init__(self) -> None:
        try:
            self._make()
        except BaseException:
            self.remove()
            raise

    def _make(self) -> None:
        self._name = f"pb{os.getpid() % 100_000}{SystemRandom().randrange(100):02d}"
        self._cluster: Cluster | None = None
        self._router = f"{self._name}r"
        _ip("netns", "add", self._router)
        _in(self._router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        for _ in range(50):
            self._net = f"198.{SystemRandom().randrange(18, 20)}.{SystemRandom().randrange(256)}"
            taken = subprocess.run(
                ["ip", "route", "show", f"{self._net}.0/24"], capture_output=True, check=True
            )
            if not taken.stdout:  # another drill on this machine may have it
                break
        self.host = f"{self._net}.100"
        _ip("link", "add", f"{self._name}h", "type", "veth", "peer", "name", "wire", "netns", self._router)
        _ip("addr", "add", f"{self._net}.1/30", "dev", f"{self._name}h")
        _ip("link", "set", f"{self._name}h", "up")
        _ip("-n", self._router, "addr", "add", f"{self._net}.2/30", "dev", "wire")
        _ip("-n", self._router, "link", "set", "wire", "up")
        _ip("route", "add", f"{self._net}.0/24", "via", f"{self._net}.2")
        self._gates: dict[str, str] = {}
        for number, place in enumerate(PLACES, 1):
            name = self.namespace(place)
            gate, inside = f"{self._net}.{4 * number + 1}", f"{self._net}.{4 * number + 2}"
            _ip("netns", "add", name)
            _ip(
                "link",
                "add",
                "wire",
                "netns",
                name,
                "type",
                "veth",
                "peer",
                "name",
                place,
                "netns",
                self._router,
            )
            _ip("-n", self._router, "addr", "add", f"{gate}/30", "dev", place)
            _ip("-n", self._router, "link", "set", "dev", place, "up")
            _ip("-n", name, "link", "set", "lo", "up")
            _ip("-n", name, "addr", "add", f"{self.host}/32", "dev", "lo")
            _ip("-n", name, "addr", "add", f"{inside}/30", "dev", "wire")
            _ip("-n", name, "link", "set", "wire", "up")
            _ip("-n", name, "route", "add", "default", "via", gate)
            self._gates[name] = inside

    def namespace(self, place: str) -> str:
        return f"{self._name}{place}"

    def lead_to(self, cluster: Cluster) -> None:
        self._cluster = cluster
        via = self._gates[cluster.namespace]
        _ip("-n", self._router, "route", "replace", f"{self.host}/32", "via", via)

    def cut(self) -> None:
        """The router drops what goes to the database and what comes from it."""
        _ip("-n", self._router, "route", "replace", "blackhole", f"{self.host}/32")
        _ip("-n", self._router, "route", "add", "blackhole", f"{self._net}.1/32")

    def heal(self) -> None:
        assert self._cluster is not None
        self.lead_to(self._cluster)
        _ip("-n", self._router, "route", "del", "blackhole", f"{self._net}.1/32")

    def remove(self) -> None:
        for name in (self._router, *map(self.namespace, PLACES)):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"


def _in(namespace: str, *words: str) -> None:
    subprocess.run(["nsenter", f"--net=/run/netns/{namespace}", *words], check=True, capture_output=True)


class Relay:
    """A port of this machine behind which the database is, on a thread of its own."""

    kind = "a relay"
    host = "127.0.0.1"

    def __init__(self) -> None:
        self._cluster: Cluster | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self._thread.start()
        self._open: set[asyncio.StreamWriter] = set()
        listening = socket.create_server((self.host, 0))
        self.port: int = listening.getsockname()[1]
        self._server = self._do(self._listen(listening))

    def namespace(self, place: str) -> str:
        return ""

    async def _listen(self, listening: socket.socket) -> asyncio.Server:
        self._flows = asyncio.Event()
        self._flows.set()
        return await asyncio.start_server(self._connected, sock=listening)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            await self._flows.wait()
            assert self._cluster is not None
            onward, back = await asyncio.open_unix_connection(str(self._cluster.socket))
        except OSError:
            writer.transport.abort()
            return
        self._open.add(back)
        both = [
            asyncio.ensure_future(self._pump(reader, back)),
            asyncio.ensure_future(self._pump(onward, writer)),
        ]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for one in both:
            one.cancel()
        for end in (writer, back):
            end.transport.abort()
            self._open.discard(end)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()

    def lead_to(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._do(self._drop())

    async def _drop(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self._flows.clear)

    def heal(self) -> None:
        self._loop.call_soon_threadsafe(self._flows.set)

    def remove(self) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        await self._drop()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)


@contextmanager
def road(*, relay: bool = False) -> Iterator[Road]:
    """A road that lives as long as the block: of namespaces where they can be made, unless a relay will do."""
    found: Road = Relay() if relay or not can_make_namespaces() else Namespaces()
    try:
        yield found
    finally:
        found.remove()
