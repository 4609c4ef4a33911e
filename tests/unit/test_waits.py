"""What is waited for, and for how long: locks that others hold, the floor's thread, the lease of the clock."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from pitboss.bootstrap import Settings, at_work, open_store
from pitboss.cli import configuration
from pitboss.client.problems import Unavailable
from pitboss.errors import BadInput, StoreBusy, StoreError
from pitboss.floor import requests as q
from pitboss.floor.desk import table_stream
from pitboss.floor.house_clock import silence_ends, silent
from pitboss.floor.ports import NO_HEAD, SECOND, Micros, Stale
from pitboss.play import commands as c
from pitboss.server.worker import Worker
from pitboss.store import connections, leases, waits
from pitboss.store.connections import COMMANDING, SERVING, SETTINGS, Patience, arguments, patience_set
from pitboss.store.database_errors import in_words
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.leases import FencedOff, Lease
from pitboss.store.sql import SqlStore
from pitboss.store.waits import Waits
from support import pitboss
from support.floor import House
from support.service import served, stud_on_a_link
from support.store_contract import batch

# --- what is held is waited for once -----------------------------------------------------------------------


class Time:
    """A monotonic clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(waits, "time", found)
    return found


def held(*names: str, by: Waits) -> float | None:
    """Wait in vain; how long it was to be waited for."""
    with suppress(StoreBusy), by.on(names) as waited:
        raise StoreBusy("held", "ask again", held=True)
    return waited


def test_what_was_held_is_refused_at_once_then_tried_for_an_instant(time: Time) -> None:
    found = Waits(2)
    assert held("link/mega", by=found) is None, "the first one waits as long as is set"
    with pytest.raises(StoreBusy, match="another process holds link/mega"), found.on(["link/mega"]):
        pytest.fail("it was held a moment ago")
    time.now += waits.AGAIN_SECONDS + 0.1
    assert held("link/mega", by=found) == waits.INSTANT_SECONDS
    with pytest.raises(StoreBusy), found.on(["link/mega", "player/p1"]):
        pytest.fail("it was held a moment ago")
    time.now += waits.AGAIN_SECONDS + 0.1
    with found.on(["link/mega"]) as seconds:
        assert seconds == waits.INSTANT_SECONDS
    with found.on(["link/mega"]) as seconds:
        assert seconds is None, "it was free, and all is as usual"


def test_while_something_is_held_nothing_else_is_waited_for_long(time: Time) -> None:
    found = Waits(2)
    held("link/mega", by=found)
    with found.on(["table/t2"]) as seconds:
        assert seconds == waits.SHORT_SECONDS
    time.now += waits.FORGET_SECONDS + 2
    with found.on(["table/t2"]) as seconds:
        assert seconds is None


@pytest.mark.parametrize("wrong", [Stale("link/mega"), BadInput("table", "none"), KeyboardInterrupt()])
def test_whatever_else_comes_of_it_a_lock_that_was_had_is_free(time: Time, wrong: BaseException) -> None:
    found = Waits(2)
    held("link/mega", by=found)
    time.now += waits.AGAIN_SECONDS + 0.1
    with pytest.raises(type(wrong)), found.on(["link/mega"]):
        raise wrong
    assert not found.held()


def test_an_error_of_the_store_says_nothing_of_who_holds_what(time: Time) -> None:
    found = Waits(2)
    with pytest.raises(StoreError), found.on(["link/mega"]):
        raise StoreError("the disk is full", "make room")
    assert not found.held()
    held("link/mega", by=found)
    time.now += waits.AGAIN_SECONDS + 0.1
    with pytest.raises(StoreError), found.on(["link/mega"]):
        raise StoreError("the disk is full", "make room")
    assert found.held() == {"link/mega"}


def test_only_what_was_waited_for_is_held(time: Time) -> None:
    """Around the write of a table is its link, which was had."""
    found = Waits(2)
    with pytest.raises(StoreBusy), found.on(["link/mega"]), found.on(["table/t1"]):
        raise StoreBusy("held", "ask again", held=True)
    assert found.held() == {"table/t1"}


# --- SQLite -----------------------------------------------------------------------------------------------


@contextmanager
def holding(file: Path) -> Iterator[sqlite3.Connection]:
    """Another process, say, in the middle of a transaction that writes."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        other.execute("ROLLBACK")


def test_a_file_that_is_held_is_read_and_not_waited_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_LOCK_SECONDS", "0.05")
    file = tmp_path / "floor.db"
    store = SqlStore(open_engine(sqlite_url(file)))
    store.write(batch("k1"))
    head = store.head("table/a")
    known = connections.connections_of(store.engine).waits
    with holding(file):
        with pytest.raises(StoreBusy, match="another process holds the floor's data"):
            store.write(batch("k2", head=head))
        assert known.held()
        assert store.head("table/a") == head
        with pytest.raises(StoreBusy, match="another process holds the floor's file"):
            store.write(batch("k2", head=head))
    known._held = dict.fromkeys(known.held(), 0.0)  # that was a while ago
    monkeypatch.setattr(waits, "FORGET_SECONDS", float("inf"))
    store.write(batch("k2", head=head))
    assert (store.head("table/a").version, known.held()) == (2, frozenset())
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        assert connection.execute(text("PRAGMA busy_timeout")).scalar() == 50
    store.close()


def test_a_floor_whose_link_is_held_opens_all_the_same(tmp_path: Path) -> None:
    """What is checked when a floor opens is checked the next time; opening waits for no other process."""

    class Held(SqlStore):
        @contextmanager
        def unit(self, streams: Any) -> Iterator[Any]:
            if streams:
                raise StoreBusy("held", "ask again", held=True)
            yield

    store = Held(open_engine(sqlite_url(tmp_path / "floor.db")))
    writing = SqlStore(store.engine)
    house = House(writing)
    house.link()
    house.floor.store = store
    assert house.floor.self_check() == []
    house.floor.store = writing
    assert house.floor.self_check() == []
    store.close()


def test_what_the_dead_still_hold_is_waited_for_before_a_floor_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        House(work.store)
    store = open_store(where)
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        connection.execute(text("INSERT INTO sessions VALUES ('gone', 0, 'serve 1')"))
    store.close()
    tried: list[str] = []

    def recover(self: object, reason: str, *, crash: str) -> None:
        tried.append(crash)
        if len(tried) < 3:
            raise StoreBusy("held", "ask again", held=True)

    monkeypatch.setattr("pitboss.floor.service.Floor.recover", recover)
    monkeypatch.setattr("pitboss.bootstrap.time.sleep", lambda seconds: None)
    with at_work(where) as work:
        assert work.crashed
    assert (len(tried), len(set(tried))) == (3, 1)


# --- the floor's thread -------------------------------------------------------------------------------------


def test_work_whose_turn_does_not_come_is_not_done() -> None:
    async def queue() -> None:
        worker, free, done = Worker(turn_seconds=0.5), threading.Event(), list[str]()
        first = asyncio.create_task(worker.run(free.wait, 30))
        second = asyncio.create_task(worker.run(done.append, "second"))
        with pytest.raises(StoreBusy, match="nothing was done"):
            await second
        third = asyncio.create_task(worker.run(done.append, "third"))
        await asyncio.sleep(0)
        third.cancel()
        with pytest.raises(asyncio.CancelledError):
            await third
        free.set()
        assert await first, "what has begun is waited for"
        await worker.run(done.append, "fourth")
        assert (done, worker.waiting) == (["fourth"], 0)
        worker.stop()

    asyncio.run(queue())


# --- the lease ----------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    found = SqlStore(open_engine(sqlite_url(tmp_path / "floor.db")))
    yield found
    found.close()


def ask_now(lease: Lease) -> bool:
    """What the lease says when it asks the database, which it does now and then."""
    lease._asked = 0.0
    return lease.is_ours()


def run_out(store: SqlStore, *, seconds: float = -1.0) -> None:
    """Its holder has stood still for as long as it lasts."""
    from pitboss.store.leases import _NOW

    change = f"UPDATE leases SET expires_at = {_NOW['sqlite']} + {int(seconds * 1_000_000)}"
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        connection.execute(text(change))


def test_one_of_several_holds_the_lease_until_it_runs_out(store: SqlStore) -> None:
    one, two = Lease(store.engine, "clock"), Lease(store.engine, "clock")
    assert ask_now(one)
    assert (ask_now(two), ask_now(one)) == (False, True)
    assert one.fence == ("clock", 1), "renewed, not changed hands"
    run_out(store)
    assert ask_now(two)
    assert two.fence == ("clock", 2)
    assert (ask_now(one), ask_now(two)) == (False, True)


def test_who_leaves_gives_the_lease_up_at_once(store: SqlStore) -> None:
    one, two = Lease(store.engine, "clock"), Lease(store.engine, "clock")
    assert ask_now(one)
    one.give_back()
    assert one.fence is None
    assert ask_now(two)
    one.give_back()  # it is not its own any more
    assert ask_now(two)


def test_a_lease_that_was_not_taken_meanwhile_is_renewed(store: SqlStore) -> None:
    one = Lease(store.engine, "clock")
    assert ask_now(one)
    run_out(store)
    assert ask_now(one)
    assert one.fence == ("clock", 1)


def test_a_database_whose_clock_was_set_back_does_not_keep_a_lease_for_ever(store: SqlStore) -> None:
    one, two = Lease(store.engine, "clock"), Lease(store.engine, "clock")
    assert ask_now(one)
    run_out(store, seconds=3600)
    assert ask_now(two)
    assert not ask_now(one)


def test_between_renewals_the_database_is_not_asked(store: SqlStore) -> None:
    one = Lease(store.engine, "clock")
    assert one.is_ours()
    run_out(store)
    two = Lease(store.engine, "clock")
    assert two.is_ours()
    assert one.is_ours(), "it does not know yet; its fence does"


def test_a_lease_that_is_held_is_waited_for_once(
    store: SqlStore, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row, too: the floor's thread waits for it, and all tables with it. Of PostgreSQL, which has rows."""
    lease = Lease(store.engine, "clock")
    waited: list[float | None] = []
    known = connections.connections_of(store.engine).waits

    def writing(self: Connection, *arguments: object) -> None:
        raise StoreBusy("another process holds what this needs", "ask again", held=True)

    monkeypatch.setattr(leases, "wait_at_most", lambda connection, seconds: waited.append(seconds))
    monkeypatch.setattr(store.engine.dialect, "name", "postgresql")
    monkeypatch.setattr(lease, "_is_free", lambda: True)
    monkeypatch.setattr(Connection, "execute", writing)
    for _ in range(3):
        with pytest.raises(StoreBusy, match="another process holds"):
            ask_now(lease)
    assert waited == [], "it was waited for once"
    assert known.held() == {"the lease of the clock"}
    time.now += waits.AGAIN_SECONDS + 0.1
    with pytest.raises(StoreBusy):
        ask_now(lease)
    assert waited == [waits.INSTANT_SECONDS]
    monkeypatch.undo()
    assert ask_now(lease)


def test_what_was_written_under_a_lost_lease_is_not_written(store: SqlStore) -> None:
    one, two = Lease(store.engine, "clock"), Lease(store.engine, "clock")
    assert ask_now(one)
    with store.fenced(one.fence):
        store.write(batch("k1"))
    run_out(store)
    assert ask_now(two)
    head = store.head("table/a")
    with store.fenced(one.fence):
        with pytest.raises(FencedOff):
            store.write(batch("k2", head=head))
        with pytest.raises(FencedOff), store.unit(["link/mega"]) as unit:
            unit.write(batch("k2", head=head))
    assert (store.head("table/a"), store.kept("k2")) == (head, None)
    with store.fenced(two.fence):
        store.write(batch("k2", head=head))
    store.write(batch("k3", "table/b", NO_HEAD))
    assert store.heads()["table/a"].version == 2


def test_after_a_crash_the_lease_is_free_at_once(tmp_path: Path) -> None:
    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        House(work.store)
        assert ask_now(Lease(work.store.engine, "clock"))
        with work.store.engine.connect().execution_options(writing=True) as connection, connection.begin():
            connection.execute(text("INSERT INTO sessions VALUES ('gone', 0, 'serve 1')"))
        assert not ask_now(Lease(work.store.engine, "clock"))
    with at_work(where) as work:
        assert ask_now(Lease(work.store.engine, "clock"))


def test_the_end_of_a_silence_is_when_the_clock_answers_for_it() -> None:
    house = House()
    house.table("mbs-stud-6", players=("p1", "p2"))
    assert (silent(house.floor.table("t1")), silence_ends(house.floor.table("t1"))) == ([], None)
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal")
    table = house.floor.table("t1")
    assert silent(table) == [1, 2]
    ends = silence_ends(table)
    assert table.opened is not None
    assert ends == table.decision_since + table.opened.decision_seconds * SECOND
    house.clock.at = Micros(ends - 10)
    assert house.floor.tick("t1") == []
    house.clock.at = Micros(ends)
    assert len(house.floor.tick("t1")) == 2
    assert silent(house.floor.table("t1")) == []
    assert house.floor.desk.loaded[table_stream("t1")].head.version == house.floor.version("t1")
    house.ok("mara", q.SetDealing(table="t1", dealt_by="house"))


# --- settings and addresses ---------------------------------------------------------------------------------


def test_the_settings_are_those_of_the_command_line() -> None:
    named = {f"{name}-seconds": variable for name, variable in SETTINGS.items()}
    assert {key: variable for key, variable in configuration.GENERAL.items() if "seconds" in key} == named
    assert configuration.MOST_SECONDS == connections.MOST_SECONDS


def test_a_service_waits_for_less_than_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in SETTINGS.values():
        monkeypatch.delenv(variable, raising=False)
    assert patience_set(SERVING).lock < SERVING.transaction < COMMANDING.lock
    assert SERVING.transaction == COMMANDING.transaction, "a command that stands still holds up the service"
    monkeypatch.setenv("PITBOSS_LOCK_SECONDS", "0.5")
    assert (patience_set(SERVING).lock, patience_set(COMMANDING).lock) == (0.5, 0.5)


@pytest.mark.parametrize("wrong", ["soon", "-1", "nan", "inf", "1e9"])
def test_a_number_of_seconds_that_is_none_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("PITBOSS_LOCK_SECONDS", wrong)
    ran = pitboss("floor", "create", "x", "--data", str(tmp_path / "floor"))
    assert (ran.code, ran.out) == (2, "")
    said = f"pitboss: PITBOSS_LOCK_SECONDS: '{wrong}' is not a number of seconds; "
    assert ran.err == f"{said}write a number from 0, which waits for ever, to 86400\n"
    told = pitboss("config")
    assert said.rstrip("; ") in told.err


def test_a_file_of_settings_sets_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pitboss.toml").write_text("lock-seconds = 0.5\nsilence-seconds = 3\n")
    shown = pitboss("config").out.splitlines()
    assert ["lock-seconds", "0.5", "pitboss.toml"] in [line.split() for line in shown]
    assert ["silence-seconds", "3", "pitboss.toml"] in [line.split() for line in shown]
    assert ["lock-seconds", "2,", "commands", "20", "default"] not in [line.split() for line in shown]
    Path("pitboss.toml").write_text('lock-seconds = "long"\n')
    assert "'long' is not a number of seconds" in pitboss("config").err


ADDRESSES: list[tuple[str, dict[str, str]]] = [
    ("postgresql://u:p%40x@h/n", {"user": "u", "password": "p@x", "host": "h", "dbname": "n"}),
    ("postgresql+psycopg://h/n", {"host": "h", "dbname": "n"}),
    ("postgres://h:5433/n", {"host": "h", "port": "5433"}),
    ("postgresql://h1:1,h2:2/n?target_session_attrs=read-write", {"host": "h1,h2", "port": "1,2"}),
    ("postgresql:///n?host=h1:1&host=h2", {"host": "h1,h2", "port": "1,5432", "dbname": "n"}),
    ("postgresql:///n?host=/a/b&host=/c", {"host": "/a/b,/c", "dbname": "n"}),
    (
        "postgresql://h/n?connect_timeout=9&application_name=x",
        {"connect_timeout": "9", "application_name": "x"},
    ),
    ("postgresql://h/n?tcp_user_timeout=7&sslmode=require", {"tcp_user_timeout": "7", "sslmode": "require"}),
    ("postgresql://h/n?passfile=/a=b&application_name=a+b", {"passfile": "/a=b", "application_name": "a+b"}),
    ("postgresql://h/n?", {"host": "h", "dbname": "n"}),
]


@pytest.mark.parametrize(("address", "expected"), ADDRESSES)
def test_an_address_is_read_as_postgresql_reads_it(address: str, expected: dict[str, str]) -> None:
    found = arguments(address, SERVING)
    assert {name: found[name] for name in expected} == expected
    assert "-c lock_timeout=2000" in found["options"]


def test_options_of_the_address_come_last_and_are_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c search_path=house")
    found = arguments("postgresql://h/n?options=-c%20lock_timeout%3D7s", SERVING)["options"]
    assert found.split("-c ")[1:] == [
        "lock_timeout=2000 ", "statement_timeout=10000 ", "idle_in_transaction_session_timeout=5000 ",
        "search_path=house ", "lock_timeout=7s",
    ]  # fmt: skip
    as_people_write_it = "postgresql://h/n?options=-c lock_timeout=7s"
    assert arguments(as_people_write_it, SERVING)["options"] == found
    known = connections.Connections(SERVING, {"options": found})
    assert (known.is_set("lock_timeout"), known.is_set("statement_timeout")) == (True, False)
    known = connections.Connections(SERVING, {"options": "-c lock_timeout=1 -c deadlock_timeout=1s"})
    assert not known.is_set("lock_timeout")
    known = connections.Connections(SERVING, {"options": "-c lock_timeout=1 --lock-timeout=5"})
    assert known.is_set("lock_timeout")


def test_variables_of_postgresql_itself_are_stronger_than_what_is_usual(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert arguments("postgresql://h/n", SERVING)["connect_timeout"] == 5
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "30")
    monkeypatch.setenv("PGAPPNAME", "house")
    found = arguments("postgresql://h/n", SERVING)
    assert not {"connect_timeout", "application_name"} & set(found)


def test_what_waits_for_ever_has_no_limit() -> None:
    endless = Patience(lock=0, statement=0, transaction=0, connect=0, silence=0)
    found = arguments("postgresql://h/n", endless)
    assert not {"connect_timeout", "tcp_user_timeout", "keepalives_idle"} & set(found)
    assert "lock_timeout=0" in found["options"]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://u:hunter2@h:port/n",
        "postgresql://u:hunter2@[::1/n",
        "postgresql://u:hunter2%zz@h/n",
        "postgresql://u:hunter2@h/n?lock_timeout=3",
    ],
)
def test_an_address_that_cannot_be_read_is_one_line_without_its_password(address: str) -> None:
    with pytest.raises(BadInput) as wrong:
        open_engine(address)
    assert (wrong.value.place, "hunter2" in str(wrong.value)) == ("--database", False)
    assert wrong.value.remedy


def test_what_a_database_says_is_said_with_what_to_do() -> None:
    import psycopg.errors as pg

    for raised, busy, words in (
        (pg.LockNotAvailable("canceling statement due to lock timeout"), True, "another process holds"),
        (pg.QueryCanceled("canceling statement due to statement timeout"), True, "took too long"),
        (pg.IdleInTransactionSessionTimeout("terminating connection"), True, "stood still"),
        (pg.DeadlockDetected("deadlock detected"), True, "waited for each other"),
        (pg.TooManyConnections("sorry"), False, "no connection left"),
        (pg.AdminShutdown("terminating connection"), False, "being stopped"),
        (pg.CannotConnectNow("the database system is starting up"), False, "is starting"),
        (pg.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction"), False, "standby"),
        (pg.OperationalError('FATAL: unrecognized configuration parameter "x"'), False, "an option"),
        (pg.OperationalError("FATAL: sorry, too many clients already"), False, "no connection left"),
        (pg.OperationalError('invalid sslmode value: "x"'), False, "an option"),
        (pg.OperationalError("connection to server failed: session is read-only"), False, "standby"),
    ):
        with pytest.raises(StoreError, match=words) as said, in_words():
            raise raised
        assert isinstance(said.value, StoreBusy) == busy, raised
        assert said.value.remedy
        assert getattr(said.value, "held", False) == isinstance(raised, pg.LockNotAvailable)


@pytest.mark.whole
def test_a_service_whose_file_is_held_shows_its_tables_and_says_when_to_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a command that was suspended: nothing is done, and the same key does it once the file is free."""
    monkeypatch.setenv("PITBOSS_LOCK_SECONDS", "0.2")
    monkeypatch.setattr("pitboss.client.asking.TRIES", 1)
    with served(tmp_path / "floor", stud_on_a_link) as service, service.signed_in("dora") as ask:
        opening = c.OpenBets(by=ask.client.me)
        with holding(tmp_path / "floor" / "floor.db"):
            for _ in range(2):
                with pytest.raises(Unavailable) as busy:
                    ask(ask.client.act("t1", opening, key="open"))
                assert (busy.value.status, busy.value.code) == (503, "store-busy")
            assert ask(ask.client.table("t1"))["stage"] == "idle"
        monkeypatch.setattr("pitboss.client.asking.TRIES", 20)
        done = ask(ask.client.act("t1", opening, key="open"))
        assert ask(ask.client.act("t1", opening, key="open")) == done
