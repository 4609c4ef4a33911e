"""The service on a port, for tests: in a thread on a floor with a clock and cards of the test's own, or as
processes of `pitboss serve`.
"""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from argon2 import PasswordHasher
from litestar import Litestar

from pitboss.bootstrap import Settings, at_work
from pitboss.client import SyncClient
from pitboss.floor import requests as q
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.server.app import make_app
from pitboss.server.house import House as ServedHouse
from pitboss.server.identity import Identity
from pitboss.server.run import listening_socket, uvicorn_config
from pitboss.server.settings import ServerSettings
from pitboss.store.connections import SERVING
from pitboss.store.identities import Identities
from support.floor import PEOPLE, House
from support.forked import Forked

PASSWORD = "correct horse battery"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Hashes that take no time; only tests have such passwords."""


_IDLE: defaultdict[tuple[bool, int], list[Litestar]] = defaultdict(list)
"""Applications that have served a floor and may serve another; to register all routes takes a tenth of a second."""


@dataclass
class Served:
    """A service that runs, and the floor it serves as the test sees it."""

    url: str
    house: House
    clock: SimulatedClock
    served: ServedHouse

    @contextmanager
    def signed_in(self, name: str) -> Iterator[SyncClient]:
        """A client of somebody, or of nobody if the name is empty."""
        with SyncClient(self.url) as ask:
            if name:
                ask(ask.client.sign_in("staff" if name in PEOPLE else "player", name, PASSWORD))
            yield ask


def raw(
    service: Served, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, Any], http.client.HTTPMessage]:
    """An answer as it comes over the wire."""
    address = urlsplit(service.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text[:1] in (b"{", b"[") else {}, answer.headers


class Ticking(SimulatedClock):
    """A simulated clock that also goes on by itself, a microsecond a question, for several threads."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def now(self) -> Any:
        with self._lock:
            return super().now()


class Standing(SimulatedClock):
    """A clock that stands still until it is told to go on: whoever asks it changes nothing."""

    def now(self) -> Any:
        return self.at


@contextmanager
def served(
    folder: Path,
    prepare: Any = None,
    *,
    seed: int = 1,
    clock: SimulatedClock | None = None,
    utc_offset_minutes: int = 0,
    **settings: Any,
) -> Iterator[Served]:
    """A service in a thread. `prepare` gets the floor's `House` before anything is served."""
    where, cards = Settings(folder), SeededCards(Random(seed))
    clock = clock or Ticking()
    more = {"per_second": 10_000, "sign_ins_a_minute": 10_000} | settings
    with at_work(where, create=True, purpose="test", clock=clock, cards=cards, usual=SERVING) as work:
        house = House(work.store, seed=seed, utc_offset_minutes=utc_offset_minutes)
        house.clock = clock
        house.cards = cards
        house.floor = house.opened()
        house.floor.desk.decks = work.floor.desk.decks  # one key for the decks of both
        if prepare is not None:
            prepare(house)
        give_passwords(Identity(Identities(work.store.engine), clock, hasher=QUICK), house)
        work.floor.desk.registry(work.floor.store, fresh=True)
        house.alone = False
        serving = ServedHouse(work, ServerSettings(**more), hasher=QUICK)
        idle = _IDLE[serving.settings.secure, serving.settings.most_body]
        app = idle.pop() if idle else make_app(serving)
        app.state.house = serving
        server = uvicorn.Server(uvicorn_config(app, serving.settings))
        listening = listening_socket("127.0.0.1", 0)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
            assert thread.is_alive(), "the service did not start"
        try:
            yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", house, clock, serving)
        finally:
            server.should_exit = True
            thread.join(timeout=20)
            listening.close()
            if not thread.is_alive():
                idle.append(app)


def stud_on_a_link(house: House) -> None:
    """A table of stud, t1, that plays for the jackpot `mega`; p1 sits at it, p2 has chips there."""
    house.link()
    house.table("mbs-stud-6", players=("p1", "p2"), link="mega")
    house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))


def give_passwords(identity: Identity, house: House) -> None:
    """Everybody on a floor gets the same password, hashed once."""
    hashed, at = QUICK.hash(PASSWORD), house.clock.now()
    for kind, names in (("staff", house.floor.registry.people), ("player", house.floor.registry.players)):
        for name in names:
            identity.identities.set_password(kind, name, hashed, at=at)


def make_floor(where: Settings, *books: str) -> None:
    """A floor with a table for each book, from t1 on, with p1 and p2 seated at all of them."""
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.clock.at = work.floor.now()
        house.link()
        for number, book in enumerate(books, 1):
            link = {"link": "mega"} if book.startswith("mbs") else {}
            name = f"t{number}"
            house.table(book, name, players=("p1", "p2"), **link)
            house.ok("p1", q.TakeSeat(table=name, position=1, player="p1"))
            house.ok("p2", q.TakeSeat(table=name, position=2, player="p2"))
        give_passwords(Identity(Identities(work.store.engine), house.clock, hasher=QUICK), house)


# --- processes --------------------------------------------------------------------------------------------


class Process:
    """`pitboss serve` as a process of its own. It has said where it listens."""

    def __init__(self, where: Settings, *more: str, port: int = 0) -> None:
        words = ["serve", "--data", str(where.data)]
        words += [] if "--log" in more else ["--log", "warning"]
        words += ["--port", str(port), "--per-second", "100000", "--sign-ins", "100000"]
        words += ["--database", where.database] if where.database else []
        # a pipe would fill, and the service wait for its reader
        self._said = tempfile.NamedTemporaryFile("r+")  # noqa: SIM115 - it lives as long as the process
        self.process = Forked([*words, *more], errors=Path(self._said.name))
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise AssertionError(f"the service did not start: {line} {self._ended()}")
        self.url = line.removeprefix("listening on ").strip()
        self.port = int(self.url.rpartition(":")[2])

    def _ended(self) -> str:
        self.process.wait(timeout=30)
        self.process.stdout.close()
        with self._said:
            return self._said.read()

    def kill(self) -> None:
        """As a power failure would."""
        self.process.kill()
        self._ended()

    def stop(self) -> str:
        """As its operator would; what it said on standard error."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self._ended()
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
