"""A process that stands still in the middle of its work, on PostgreSQL: the others go on without it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from pitboss.bootstrap import Settings, at_work, open_store
from pitboss.cli import checkups
from pitboss.client import Client
from pitboss.client.problems import Unavailable
from pitboss.errors import StoreBusy, StoreError
from pitboss.floor import requests as q
from pitboss.floor.people import player, staff
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.rulebooks.vocabulary import Position
from pitboss.store import connections
from pitboss.store.connections import SERVING, Patience
from pitboss.store.engine import open_engine
from pitboss.store.leases import FencedOff, Lease
from pitboss.store.notices import Notices
from pitboss.store.presence import Presence
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.databases import fresh_database
from support.floor import House
from support.service import PASSWORD, Process, make_floor
from support.store_contract import batch

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]

IMPATIENT = Patience(lock=0.5, statement=5, transaction=0.5)
HELD_SECONDS = 12
"""How long a stopped server keeps what it holds in these tests, so that a slow machine is not taken for it."""
DEALER = c.Staff(Position.DEALER)


def until(holds: Callable[[], Any], *, seconds: float = 30) -> Any:
    """What holds at last; fails if it does not."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        found = holds()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


def with_options(database: str, options: str) -> str:
    return f"{database}{'&' if '?' in database else '?'}{options}"


# --- every connection ---------------------------------------------------------------------------------------


@pytest.fixture
def database(postgres: str) -> str:
    return fresh_database(postgres)


def settings_of_every_path(database: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, str]]:
    """What each kind of connection has in force, as the database itself says it."""
    names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "application_name")
    store = SqlStore(open_engine(database, usual=SERVING))
    found: dict[str, dict[str, str]] = {}
    with store.engine.connect() as connection:
        found["pool"] = {name: str(connection.execute(text(f"SHOW {name}")).scalar()) for name in names}
    assert store._line is not None
    found["line"] = {name: store._line.ask(f"SHOW {name}", ())[0][0] for name in names}
    presence = Presence(store.engine, lock_file=None, purpose="test")
    lock: Any = presence._lock
    presence.enter(lambda crash: None)
    found["presence"] = {name: str(lock._connection.execute(text(f"SHOW {name}")).scalar()) for name in names}
    presence.leave()

    def hear(self: Notices, connection: psycopg.Connection[Any]) -> None:
        found["notices"] = {
            name: connection.execute(f"SHOW {name}".encode()).fetchall()[0][0] for name in names
        }
        self._stopped.wait()

    monkeypatch.setattr(Notices, "_hear", hear)
    notices = Notices(store.engine, moved=lambda pairs: None, gap=lambda: None)
    notices.start()
    until(lambda: found.get("notices"))
    notices.stop()
    with store.reading() as reader:
        found["reading"] = {
            name: str(reader.connection.execute(text(f"SHOW {name}")).scalar()) for name in names
        }
    store.close()
    return found


def test_every_connection_waits_for_so_long_and_no_longer(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = settings_of_every_path(database, monkeypatch)
    for path in ("pool", "line", "presence", "notices"):
        assert list(found[path].values())[:3] == ["2s", "10s", "5s"], path
        name = "pitboss-notices" if path == "notices" else "pitboss"
        assert found[path]["application_name"] == name
    assert list(found["reading"].values())[:3] == ["2s", "10s", "0"], "who reads holds nothing"
    command = SqlStore(open_engine(database))
    with command.reading() as reader:
        assert reader.connection.execute(text("SHOW statement_timeout")).scalar() == "0"
    command.close()
    shown = {finding.check: finding for finding in checkups.check_patience(Settings(Path("none"), database))}
    assert shown["patience"].found == (
        "locks 2 s, statements 10 s, idle transactions 5 s, connecting 5 s, silence 10 s"
    )


def test_what_the_address_and_the_environment_say_is_in_force_on_every_connection(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_TRANSACTION_SECONDS", "7")
    options = "options=-c%20lock_timeout%3D3s%20-c%20statement_timeout%3D0&application_name=house"
    found = settings_of_every_path(with_options(database, options), monkeypatch)
    for path in ("pool", "line", "presence", "notices"):
        assert list(found[path].values())[:3] == ["3s", "0", "7s"], path
        name = "house-notices" if path == "notices" else "house"
        assert found[path]["application_name"] == name
    assert list(found["reading"].values())[:3] == ["3s", "0", "0"]
    where = Settings(Path("none"), with_options(database, options))
    (shown,) = checkups.check_patience(where)
    assert (shown.verdict, "statements for ever" in shown.found) == (checkups.WARNING, True)


def test_of_several_hosts_the_one_that_answers_is_used_by_every_connection(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = psycopg.conninfo.conninfo_to_dict(database)
    host, user, name = settings["host"], settings["user"], settings["dbname"]
    address = f"postgresql://{user}@/{name}?host=/nowhere,{host}&target_session_attrs=read-write"
    found = settings_of_every_path(address, monkeypatch)
    assert {path["lock_timeout"] for path in found.values()} == {"2s"}


@pytest.mark.parametrize(
    "options",
    [
        "options=-c%20lock_timeoot%3D3s",
        "options=-c%20lock_timeout%3Dsoon",
        "sslmode=perhaps",
        "target_session_attrs=fast",
        "connect_timeout=soon",
    ],
)
def test_an_option_that_cannot_be_used_is_one_line(database: str, options: str) -> None:
    with pytest.raises(
        StoreError, match="the address of the database has an option that cannot be used"
    ) as bad:
        SqlStore(open_engine(with_options(database, options)))
    assert "\n" not in str(bad.value)


# --- what is held ---------------------------------------------------------------------------------------------


@contextmanager
def holding(database: str, statement: str, *values: Any) -> Iterator[psycopg.Connection[Any]]:
    """Another transaction, which holds something until the end of the block."""
    with psycopg.connect(database) as other:
        other.execute(statement.encode(), values)
        yield other
        other.rollback()


LINK = "SELECT pg_advisory_xact_lock(hashtextextended('link/mega', 0))"
ROW = "SELECT FROM streams WHERE stream = %s FOR UPDATE"


def test_a_link_that_is_held_is_waited_for_once_and_nothing_else_is(database: str) -> None:
    store = SqlStore(open_engine(database, usual=IMPATIENT))
    house = House(store)
    house.link()
    house.table("mbs-stud-6", players=("p1",), link="mega")
    house.table("rws-thp-2", "t2", players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5")
    closing = q.Act(table="t1", command=c.CloseBets(by=DEALER))
    with holding(database, LINK):
        for words in ("another process holds what this needs", "another process holds link/mega"):
            with pytest.raises(StoreBusy, match=words):
                house.ask("dora", closing, key="close")
        began = time.monotonic()
        for _ in range(20):
            with pytest.raises(StoreBusy):
                house.ask("dora", closing, key="close")
        assert time.monotonic() - began < 20 * IMPATIENT.lock, "they were not waited for"
        house.steps("dealer: open bets", table="t2")
        assert house.floor.link("mega").link == "mega", "reading waits for nothing"
    until(lambda: _done(house, closing))
    assert house.ok("dora", closing, key="close")
    assert house.floor.desk.loaded["table/t1"].head.version == house.floor.version("t1")
    house.everything_adds_up()
    store.close()


def _done(house: House, asked: q.Request) -> bool:
    try:
        return house.ask("dora", asked, key="close").ok
    except StoreBusy:
        return False


def test_a_table_whose_row_is_held_holds_up_no_other(database: str) -> None:
    store = SqlStore(open_engine(database, usual=IMPATIENT))
    house = House(store)
    house.table("rws-thp-2", players=("p1",))
    house.table("rws-thp-2", "t2", players=("p1",))
    with holding(database, ROW, "table/t1"):
        for _ in range(2):
            with pytest.raises(StoreBusy, match="another process holds"):
                house.ask("dora", q.Act(table="t1", command=c.OpenBets(by=DEALER)), key="open")
        house.steps("dealer: open bets", table="t2")
        assert store._line is not None
        assert store._line.ask("SHOW lock_timeout", ())[0][0] == "500ms", "as it was"
    until(lambda: not store._waits.held() or _opened(house))
    assert house.ok("dora", q.Act(table="t1", command=c.OpenBets(by=DEALER)), key="open")
    store.close()


def _opened(house: House) -> bool:
    try:
        return house.ask("dora", q.Act(table="t1", command=c.OpenBets(by=DEALER)), key="open").ok
    except StoreBusy:
        return False


def test_a_transaction_that_stands_still_is_ended_and_its_connection_replaced(database: str) -> None:
    store = SqlStore(open_engine(database, usual=IMPATIENT))
    store.write(batch("k1"))
    head = store.head("table/a")
    other = SqlStore(open_engine(database, usual=IMPATIENT))

    def stand_still() -> None:
        with store.unit(["link/mega"]) as unit:
            unit.write(batch("k2", head=head))
            until(lambda: _takes(other, "link/mega"))  # the database has let go of what it held
            unit.kept("k2")

    with pytest.raises(StoreBusy, match="stood still"):
        stand_still()
    assert store.head("table/a") == head, "nothing of it was written"
    with store.unit(["link/mega"]) as unit:
        unit.write(batch("k2", head=head))
    other.close()
    store.close()


def _takes(store: SqlStore, stream: str) -> bool:
    try:
        with store.unit([stream]):
            return True
    except StoreBusy:
        return False


def test_a_pool_that_is_used_up_is_said_to_be_and_fills_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.store.engine.POOL_SECONDS", 0.1)
    store = SqlStore(open_engine(database, usual=IMPATIENT))
    taken = [store.engine.connect() for _ in range(24)]
    with pytest.raises(StoreBusy, match="every connection to the database is in use"):
        store.heads()
    for connection in taken:
        connection.close()
    assert store.heads() == {}
    store.close()


def test_an_upgrade_and_a_reader_take_their_time(database: str) -> None:
    engine = open_engine(database, usual=IMPATIENT)
    with engine.connect() as connection, connection.begin():
        connections.take_time(connection, lock_seconds=60)
        shown = [
            connection.execute(text(f"SHOW {name}")).scalar()
            for name in ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout")
        ]
    assert shown == ["0", "0", "1min"]
    engine.dispose()


# --- the lease ----------------------------------------------------------------------------------------------


def ask_now(lease: Lease) -> bool:
    lease._asked = 0.0
    return lease.is_ours()


def test_a_lease_changes_hands_when_it_runs_out_and_its_old_holder_writes_nothing(database: str) -> None:
    store = SqlStore(open_engine(database))
    store.write(batch("k1"))
    head = store.head("table/a")
    one, two = Lease(store.engine, "clock"), Lease(store.engine, "clock")
    assert (ask_now(one), ask_now(two)) == (True, False)
    with psycopg.connect(database, autocommit=True) as other:
        other.execute("UPDATE leases SET expires_at = expires_at - 3600000000")
        assert ask_now(two)
        for fence, outcome in ((one.fence, FencedOff), (two.fence, None)):
            with store.fenced(fence):
                if outcome is not None:
                    with pytest.raises(outcome):
                        store.write(batch("k2", head=head))
                    with pytest.raises(outcome), store.unit(["link/mega"]) as unit:
                        unit.write(batch("k2", head=head))
                    with pytest.raises(outcome):
                        store.write(batch("k3", "table/b"))
                    assert store.kept("k2") is None
                else:
                    store.write(batch("k2", head=head))
                    store.write(batch("k3", "table/b"))
        assert not ask_now(one)
        two.give_back()
        assert ask_now(one)
        assert one.fence == ("clock", 3)
        other.execute("UPDATE leases SET expires_at = expires_at + 3600000000")
        assert ask_now(two), "the database's clock was set back"
    assert {stream: head.version for stream, head in store.heads().items()} == {"table/a": 2, "table/b": 1}
    store.close()


# --- processes ------------------------------------------------------------------------------------------------


@pytest.fixture
def where(tmp_path: Path, database: str) -> Settings:
    found = Settings(tmp_path / "floor", database)
    make_floor(found, "mbs-stud-6", "rws-thp-2", "mbs-thb-9", "rws-thp-2")
    return found


@pytest.fixture
def servers(where: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Process]]:
    monkeypatch.setenv("PITBOSS_TRANSACTION_SECONDS", str(HELD_SECONDS))
    started = [Process(where), Process(where)]
    yield started
    for process in started:
        if process.process.poll() is None:
            process.process.send_signal(signal.SIGCONT)
            process.stop()


def stake_the_jackpot(where: Settings, *tables: str) -> None:
    """Bets are open at these tables, and a stake lies on the jackpot: closing them moves the link."""
    wagers = (("ante", Cents(2500)), ("jackpot", Cents(500)))
    with at_work(where) as work:
        for table in tables:
            assert work.floor.do(staff("dora"), q.Act(table=table, command=c.OpenBets(by=DEALER))).ok
            for wager, amount in wagers:
                laid = c.PlaceWager(by=c.Player("p1"), position=1, wager=wager, amount=amount)
                assert work.floor.do(player("p1"), q.Act(table=table, command=laid)).ok


WAITING = "wait_event_type = 'Lock' AND state = 'active'"
IN_TRANSACTION = "state = 'idle in transaction'"


def backends(database: str, state: str) -> Callable[[], list[int]]:
    """The processes of the database that serve Pitboss and are in a state."""

    def look() -> list[int]:
        with psycopg.connect(database, autocommit=True) as connection:
            query = f"SELECT pid FROM pg_stat_activity WHERE application_name = 'pitboss' AND {state}"
            return [int(pid) for (pid,) in connection.execute(query.encode())]

    return look


async def stop_in_a_transaction(
    server: Process, database: str, ask: Callable[[], Coroutine[Any, Any, dict[str, Any]]]
) -> asyncio.Task[dict[str, Any]]:
    """Stop a server that was asked to close the bets of t1, once it holds the link and the row of the table.

    On a slow machine it may give up waiting for the row before it is stopped. It is asked again, and goes on only
    while the row is held: else it would be done before it is stopped.
    """
    first: asyncio.Task[dict[str, Any]] | None = None
    while True:
        with holding(database, ROW, "table/t1"):
            os.kill(server.process.pid, signal.SIGCONT)
            first = first or asyncio.create_task(ask())
            (backend,) = await asyncio.to_thread(until, backends(database, WAITING))
            os.kill(server.process.pid, signal.SIGSTOP)
        for _ in range(30):
            if backend in await asyncio.to_thread(backends(database, IN_TRANSACTION)):
                return first
            await asyncio.sleep(0.1)


def test_a_server_stopped_in_a_transaction_freezes_neither_the_other_tables_nor_the_others(
    where: Settings, servers: list[Process]
) -> None:
    """It holds its link and the row of its table; what it was asked is done once, by the one asked again."""
    stake_the_jackpot(where, "t1", "t3")
    stopped, other = servers
    figures: dict[str, float] = {}

    async def evening() -> None:
        ends = (stopped.url, other.url, other.url, other.url)
        async with AsyncExitStack() as stack:
            dora, near, away, far = [await stack.enter_async_context(Client(url)) for url in ends]
            for client in (dora, near, away, far):
                await client.sign_in("staff", "dora", PASSWORD)
            closing = c.CloseBets(by=DEALER)
            first = await stop_in_a_transaction(
                stopped, where.database, lambda: dora.act("t1", closing, key="close-t1")
            )
            held_since = time.monotonic()

            linked = asyncio.create_task(_until_done(away, "t3", "close-t3"))
            same = asyncio.create_task(_until_done(far, "t1", "close-t1"))
            longest, looks = 0.0, 0
            while not linked.done():
                began = time.monotonic()
                if looks < 2:
                    table = ("t2", "t4")[looks]
                    await near.act(table, c.OpenBets(by=DEALER), key=f"open-{table}")
                await near.table("t2")
                await near.call("GET", "/health/ready")
                longest, looks = max(longest, time.monotonic() - began), looks + 1
                await asyncio.sleep(0.2)
            figures["other tables"], figures["looks"] = longest, looks
            (refusals, figures["linked"]), (again, _) = await asyncio.gather(linked, same)
            figures["until free"] = time.monotonic() - held_since
            assert refusals, "the link was held"
            for error in (*refusals, *again):
                assert (error.status, error.code) == (503, "store-busy")
            os.kill(stopped.process.pid, signal.SIGCONT)
            answer = await first
            assert answer["ok"], "with its key it is asked again, and gets the answer of the other process"

    asyncio.run(evening())
    assert figures["other tables"] < HELD_SECONDS - 2 < figures["until free"], figures
    for process in servers:
        assert "Traceback" not in process.stop()
    assert verify(where).ok
    store = open_store(where)
    for table in ("t1", "t3"):
        names = [event.name for event in store.read(f"table/{table}")]
        assert names.count("bets-closed.v1") == 1, table
    store.close()


async def _until_done(client: Client, table: str, key: str) -> tuple[list[Unavailable], float]:
    """The answers of 503 until it is done, and the longest time that one of them took."""
    refusals, longest = list[Unavailable](), 0.0
    client.__class__ = Impatient
    for _ in range(200):
        began = time.monotonic()
        try:
            await client.act(table, c.CloseBets(by=DEALER), key=key)
        except Unavailable as unavailable:
            refusals.append(unavailable)
            longest = max(longest, time.monotonic() - began)
            await asyncio.sleep(0.3)
        else:
            return refusals, longest
    raise AssertionError(f"{key} was never done")


class Impatient(Client):
    """Hands every answer of 503 on, instead of asking again."""

    async def call(self, method: str, path: str, body: Any = None, headers: Any = None) -> dict[str, Any]:
        assert self._http is not None
        from pitboss.client.problems import problem

        sent = {**self._headers(), **(headers or {})}
        async with self._http.request(method, f"{self.server}{path}", json=body, headers=sent) as answer:
            found = await answer.json()
            if answer.status == 503:
                assert answer.headers["Retry-After"] == "1"
            if answer.status >= 400:
                raise problem(answer.status, found)
            return dict(found)


def test_a_leader_that_stands_still_is_replaced_and_does_nothing_when_it_wakes(
    where: Settings, servers: list[Process]
) -> None:

    async def evening() -> None:
        urls = tuple(process.url for process in servers)
        async with Client(*urls) as manager:
            await manager.sign_in("staff", "mara", PASSWORD)
            await manager.do(q.SetDealing(table="t2", dealt_by="house", betting_seconds=1, pause_seconds=1))
        leader = await _leader(servers)
        other = next(process for process in servers if process is not leader)
        async with Client(other.url) as patron:
            await patron.sign_in("player", "p1", PASSWORD)
            await _play(patron, 1)
            os.kill(leader.process.pid, signal.SIGSTOP)
            fence = _fence(where.database)
            await asyncio.to_thread(until, lambda: _fence(where.database) > fence)
            await _play(patron, 2)
            os.kill(leader.process.pid, signal.SIGCONT)
            await _play(patron, 3)
            holder = await _leader(servers)
            fence = _fence(where.database)
            holder.stop()
            await asyncio.to_thread(until, lambda: _fence(where.database) > fence)

    asyncio.run(evening())
    for process in servers:
        if process.process.poll() is None:
            assert "Traceback" not in process.stop()
    assert verify(where).ok
    store = open_store(where)
    opened = [event for event in store.read("table/t2") if event.name == "bets-opened.v1"]
    with store.reading() as reader:
        assert len(opened) == len(reader.rounds("t2")), "no round was begun twice"
    store.close()


def _fence(database: str) -> int:
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT fence FROM leases WHERE name = 'clock'").fetchone()
        return 0 if found is None else int(found[0])


async def _metric(process: Process, name: str) -> float:
    import aiohttp

    async with aiohttp.ClientSession() as http, http.get(f"{process.url}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return float(next(line.split()[1] for line in lines if line.split()[0] == name))


async def _leader(servers: list[Process]) -> Process:
    """The one process whose clock works, once all of them agree."""
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        for process in servers:
            others = [each for each in servers if each is not process]
            ours = [await _metric(each, "pitboss_clock_ours") for each in (process, *others)]
            if ours[0] == 1 and not any(ours[1:]):
                return process
        await asyncio.sleep(0.2)
    raise AssertionError("no process runs the clock")


async def _play(patron: Client, number: int) -> None:
    """Bet on every round that the clock opens until one of that number is over."""
    ends = time.monotonic() + 90
    while time.monotonic() < ends:
        view = await patron.table("t2")
        if view["stage"] == "settled" and view["round"] >= number:
            return
        if view["stage"] == "betting" and not view["positions"]:
            ante = c.PlaceWager(by=patron.me, position=1, wager="ante", amount=Cents(2500))
            await patron.act("t2", ante)
        for choice in view.get("choices", []):
            if choice["act"]["do"] == "fold":
                await patron.act("t2", c.Fold(by=patron.me, position=1))
        await asyncio.sleep(0.1)
    raise AssertionError(f"round {number} did not come to its end")
