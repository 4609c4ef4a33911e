"""Several server processes on one PostgreSQL: what one does, the sockets of the others show."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pitboss.bootstrap import Settings, open_store
from pitboss.cli.main import run
from pitboss.client import Client
from pitboss.floor import requests as q
from pitboss.verification import verify
from support.databases import fresh_database
from support.service import PASSWORD, Process, make_floor
from support.table_talk import Person, people, play_round, together

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]


@pytest.fixture
def where(tmp_path: Path, postgres: str) -> Settings:
    found = Settings(tmp_path / "floor", fresh_database(postgres))
    make_floor(found, "mbs-stud-6", "rws-thp-2")
    return found


@pytest.fixture
def processes(where: Settings) -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for process in started:
        if process.process.poll() is None:
            process.stop()


@pytest.mark.parametrize("number", [2, 4])
def test_a_command_on_one_process_shows_on_the_sockets_of_the_others(
    where: Settings, processes: list[Process], number: int
) -> None:
    processes += [Process(where) for _ in range(number)]

    async def evening() -> None:
        servers = tuple(process.url for process in processes)
        async with people("t1", "dora", "p1", "p2", "mara", servers=servers) as at:
            for _ in range(2):
                assert (await play_round("t1", at, jackpot=True))["stage"] == "settled"
            end = at["dora"].version
            for person in at.values():
                await person.until(lambda view: True, version=end)
                together(person)
            seen = {name: [message.version for message in person.seen] for name, person in at.items()}
            assert all(seen[name][-5:] == seen["dora"][-5:] for name in seen)
            meters = {await _meter(url) for url in servers}
            assert len(meters) == 1

    asyncio.run(evening())
    for process in processes:
        assert "Traceback" not in process.stop()
    assert verify(where).ok


async def _meter(url: str) -> str:
    async with Client(url) as client:
        return str((await client.jackpots())[0]["meter"])


def _cut_listeners(database: str) -> int:
    """How many connections for notices were cut."""
    with psycopg.connect(database, autocommit=True) as connection:
        return len(
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'pitboss-notices' AND datname = current_database()"
            ).fetchall()
        )


def test_the_listener_s_connection_cut_and_restored_loses_nothing(
    where: Settings, processes: list[Process]
) -> None:
    processes += [Process(where), Process(where)]

    async def evening() -> None:
        one, two = (process.url for process in processes)
        async with people("t1", "dora", "p1", "p2", servers=(one,)) as at:
            watcher = Person("mara", two)
            await watcher.sign_in()
            await watcher.watch("t1")

            async def cut(number: int) -> None:
                while number % 3 == 1 and not _cut_listeners(where.database):
                    await asyncio.sleep(0.1)  # they are coming back from the last time

            for _ in range(2):
                await play_round("t1", at, between=cut)
            await watcher.until(lambda view: True, version=at["dora"].version)
            together(watcher)
            mine = [message.version for message in watcher.seen]
            others = [message.version for message in at["dora"].seen if message.version >= mine[0]]
            assert mine == others
            assert watcher.client.server == two
            await watcher.leave()

    asyncio.run(evening())


def test_one_process_killed_its_clients_carry_on_at_another(
    where: Settings, processes: list[Process]
) -> None:
    processes += [Process(where), Process(where)]

    async def evening() -> None:
        servers = tuple(process.url for process in processes)
        async with people("t1", "dora", "p1", "p2", "mara", servers=servers) as at:

            async def kill(number: int) -> None:
                if number == 5:
                    processes[0].kill()

            assert (await play_round("t1", at, between=kill))["stage"] == "settled"
            assert (await play_round("t1", at))["stage"] == "settled"
            for person in at.values():
                await person.until(lambda view: True, version=at["dora"].version)
                together(person)

    asyncio.run(evening())
    assert "Traceback" not in processes[1].stop()
    assert verify(where).ok


def test_the_clock_of_another_process_takes_over(where: Settings, processes: list[Process]) -> None:
    processes += [Process(where), Process(where)]

    async def evening() -> None:
        servers = tuple(process.url for process in processes)
        async with Client(*servers) as manager, Client(servers[1]) as patron:
            await manager.sign_in("staff", "mara", PASSWORD)
            await patron.sign_in("player", "p1", PASSWORD)
            dealing = q.SetDealing(table="t1", dealt_by="house", betting_seconds=1, pause_seconds=1)
            await manager.do(dealing)
            first = await _rounds_begin(patron, 1)
            processes[0].kill()
            assert await _rounds_begin(patron, first + 1) > first

    asyncio.run(evening())
    assert "Traceback" not in processes[1].stop()
    assert verify(where).ok


async def _rounds_begin(patron: Client, number: int) -> int:
    """Bet on every round that the clock opens until one of that number is over."""
    from pitboss.money import Cents
    from pitboss.play import commands as c

    began = time.monotonic()
    while time.monotonic() - began < 60:
        view = await patron.table("t1")
        if view["stage"] == "settled" and view["round"] >= number:
            return int(view["round"])
        if view["stage"] == "betting" and not view["positions"]:
            ante = c.PlaceWager(by=patron.me, position=1, wager="ante", amount=Cents(2500))
            await patron.act("t1", ante)
        for choice in view.get("choices", []):
            if choice["act"]["do"] == "fold":
                await patron.act("t1", c.Fold(by=patron.me, position=1))
        await asyncio.sleep(0.1)
    raise AssertionError(f"round {number} did not come to its end")


def test_a_database_that_drops_its_connections_makes_no_crash_of_a_living_floor(
    where: Settings, processes: list[Process]
) -> None:
    """As after a failover: the living take their place again, and hear what others do."""
    processes += [Process(where)]

    async def evening() -> None:
        async with people("t1", "dora", "p1", "p2", "mara", servers=(processes[0].url,)) as at:

            async def drop(number: int) -> None:
                if number == 6:
                    with psycopg.connect(where.database, autocommit=True) as connection:
                        connection.execute(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                        )
                    processes.append(Process(where))

            assert (await play_round("t1", at, between=drop))["stage"] == "settled"
            for person in at.values():
                await person.until(lambda view: True, version=at["dora"].version)
                together(person)
                assert not any("void" in (message.view or {}) for message in person.seen)
                assert not any("options" in (message.view or {}) for message in person.seen)

    asyncio.run(evening())
    store = open_store(where)
    with closing(store), store.reading() as reader:
        names = {event.name for event in reader.read("table/t1")}
    assert "interrupted.v1" not in names
    assert verify(where).ok


def _asked(process: Process, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with closing(http.client.HTTPConnection("127.0.0.1", process.port, timeout=60)) as line:
        line.request(method, path, data, headers)
        answer = line.getresponse()
        text = answer.read()
    return answer.status, json.loads(text) if text else None


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_sessions_that_are_ended_are_over_in_every_process(where: Settings, processes: list[Process]) -> None:
    processes += [Process(where), Process(where)]
    one, other = processes

    def token_of(process: Process, name: str, password: str = PASSWORD) -> str:
        form = {"kind": "staff", "name": name, "password": password}
        status, body = _asked(process, "POST", "/api/sign-in", form)
        assert status == 200, body
        return str(body["token"])

    def status(process: Process, token: str) -> int:
        return _asked(process, "GET", "/api/session", token=token)[0]

    dora, gina = token_of(one, "dora"), token_of(other, "gina")
    assert [status(process, dora) for process in processes] == [200, 200]
    assert _asked(other, "DELETE", "/api/sessions?name=dora", token=gina)[0] == 204
    _until(lambda: {status(process, dora) for process in processes} == {401})
    dora = token_of(other, "dora")
    assert [status(process, dora) for process in processes] == [200, 200]
    place = ("--data", str(where.data), "--database", where.database)
    assert run(["floor", "remove-person", "dora", *place]) == 0
    _until(lambda: {status(process, dora) for process in processes} == {401})
    assert run(["floor", "add-person", "dora", "dealer", *place]) == 0
    form = {"kind": "staff", "name": "dora", "password": PASSWORD}
    assert {_asked(process, "POST", "/api/sign-in", form)[0] for process in processes} == {401}
    assert {status(process, dora) for process in processes} == {401}


def test_a_database_that_takes_nothing_is_not_ready(where: Settings, processes: list[Process]) -> None:
    processes.append(Process(where))

    def ready() -> tuple[int, Any]:
        return _asked(processes[0], "GET", "/health/ready")

    def made_read_only(value: str) -> None:
        writing = "-c default_transaction_read_only=off"
        with psycopg.connect(where.database, autocommit=True, options=writing) as connection:
            (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
            connection.execute(
                f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}'.encode()
            )
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    _until(lambda: ready()[0] == 200)
    made_read_only("on")
    _until(lambda: "read-only" in ready()[1]["status"])
    assert (ready()[0], ready()[1]["failing"][0]["what"]) == (503, "store")
    made_read_only("off")
    _until(lambda: ready()[0] == 200)
