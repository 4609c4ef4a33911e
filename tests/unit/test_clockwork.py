"""The house's clock in a process: how far it is behind, whose turn it is, and what is done under a lost lease."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from pitboss.bootstrap import Settings, at_work
from pitboss.errors import BadInput, StoreBusy, StoreError
from pitboss.floor import requests as q
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.service import Floor
from pitboss.play.table import Stage
from pitboss.server import clockwork as module
from pitboss.server.clockwork import Clockwork
from pitboss.server.house import House as ServedHouse
from pitboss.server.metrics import CLOCK_BEHIND
from pitboss.server.settings import ServerSettings
from pitboss.store.leases import Lease
from support.floor import House
from support.service import QUICK, Standing


@pytest.fixture
def clock() -> Standing:
    return Standing()


@pytest.fixture
def both(tmp_path: Path, clock: Standing) -> Iterator[tuple[ServedHouse, House]]:
    """A process with a table that the house deals, t1, and one that staff deal, t2; a player sits at both."""
    with at_work(Settings(tmp_path / "floor"), create=True, clock=clock) as work:
        house = House(work.store)
        house.clock = clock
        house.floor = house.opened()
        house.floor.desk.decks = work.floor.desk.decks
        house.link()
        house.table("mbs-stud-6", players=("p1",), link="mega")
        house.table("rws-thp-2", "t2", players=("p1",))
        house.ok("mara", q.SetDealing(table="t1", dealt_by="house", betting_seconds=20, pause_seconds=8))
        for table in ("t1", "t2"):
            house.ok("p1", q.TakeSeat(table=table, position=1, player="p1"))
        wait(clock, 1)
        yield ServedHouse(work, ServerSettings(), hasher=QUICK), house


@pytest.fixture
def serving(both: tuple[ServedHouse, House]) -> ServedHouse:
    """The process."""
    return both[0]


@pytest.fixture
def house(both: tuple[ServedHouse, House]) -> House:
    """The floor it serves, as the people on it see it."""
    return both[1]


def wait(clock: Standing, seconds: float) -> None:
    clock.at = Micros(clock.at + int(seconds * SECOND))


class Moment:
    """The monotonic clock of the clockwork."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(module, "time", self)

    def monotonic(self) -> float:
        return self.now


def versions(floor: Floor) -> dict[str, int]:
    return {stream: head.version for stream, head in floor.store.heads().items()}


def test_the_clock_is_behind_by_its_oldest_step_and_not_when_it_is_done(
    serving: ServedHouse, house: House, clock: Standing
) -> None:
    clockwork = Clockwork(serving)
    assert clockwork.turn.is_ours()
    assert clockwork.behind() == (0.0, "")
    clockwork._all_tables()
    assert serving.floor.table("t1").state.stage is Stage.BETTING
    clockwork._all_tables()
    assert clockwork.behind() == (0.0, ""), "bets are open and nobody has bet"
    house.steps("p1@1: wager ante 25")
    serving.hub.stale_tables.add("t1")
    wait(clock, 1)
    for _ in range(3):
        clockwork._all_tables()
    wait(clock, 15)
    assert clockwork.behind()[0] == 0.0
    wait(clock, 10)
    behind, table = clockwork.behind()
    assert (round(behind), table) == (6, "t1")
    for _ in range(2):
        clockwork._all_tables()
    assert clockwork.behind()[0] == 0.0


def test_a_deck_that_does_not_open_stops_its_own_table_only(
    serving: ServedHouse, house: House, clock: Standing
) -> None:
    house.ok("mara", q.SetDealing(table="t2", dealt_by="house", betting_seconds=20, pause_seconds=8))
    clockwork = Clockwork(serving)
    assert clockwork.turn.is_ours()
    clockwork._all_tables()
    house.steps("p1@1: wager ante 25")
    house.steps("p1@1: wager ante 25", table="t2")
    with serving.work.store.engine.connect().execution_options(writing=True) as connection:
        connection.execute(text("UPDATE decks SET sealed = randomblob(length(sealed)) WHERE table_id = 't1'"))
        connection.commit()
    with capture_logs() as logs:
        for _ in range(40):
            serving.hub.stale_tables |= {"t1", "t2"}
            assert clockwork.turn.is_ours()
            clockwork._all_tables()
            wait(clock, 1)
    assert serving.floor.table("t1").state.stage is Stage.CLOSED
    assert not serving.floor.table("t1").drawn, "its deck does not open"
    assert serving.floor.table("t2").drawn, "the other table is dealt"
    said = [line for line in logs if line["event"] == "clock"]
    assert 1 <= len(said) <= 10, "the table is left alone for some seconds after each try"
    assert all(line["table"] == "t1" and "does not open" in line["problem"] for line in said), said


def test_a_process_whose_turn_it_is_not_knows_how_far_the_clock_is_behind(
    serving: ServedHouse, clock: Standing
) -> None:
    other, clockwork = Lease(serving.work.store.engine, "clock"), Clockwork(serving)
    assert other.is_ours()
    assert not clockwork.turn.is_ours()
    serving.floor.table("t1")
    wait(clock, 30)
    clockwork._look()
    behind, table = clockwork.behind()
    assert (behind > 25, table) == (True, "t1")
    before = versions(serving.floor)
    serving.hub.stale_tables.add("t1")
    clockwork._look()
    assert clockwork.behind() == (0.0, ""), "others have moved it on; what is known here is old"
    assert versions(serving.floor) == before


def test_a_process_knows_how_far_behind_a_clock_is_that_stopped_after_it_moved_tables(
    serving: ServedHouse, house: House, clock: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding: the leader moves every table and stops; what it moved last stayed unknown here."""
    other, clockwork = Lease(serving.work.store.engine, "clock"), Clockwork(serving)
    moment = Moment(monkeypatch)
    assert other.is_ours()
    for name in ("t1", "t2"):
        serving.floor.table(name)
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    moved = [("table/t1", house.floor.version("t1"))]
    before = versions(serving.floor)
    serving._moved(moved)
    serving.worker.post(lambda: None).result(20)
    assert "t1" in serving.hub.stale_tables
    reads: list[str] = []
    known = Floor.gaming_table

    def read(self: Floor, name: str) -> Any:
        reads.append(name)
        return known(self, name)

    monkeypatch.setattr(Floor, "gaming_table", read)
    for _ in range(2):
        clockwork._look()
        assert clockwork.behind() == (0.0, "")
    moment.now += module.QUIET_SECONDS / 2
    serving.continuity.hear([("table/t1", moved[0][1] + 1)])  # it works: it is not read up behind its back
    clockwork._look()
    moment.now += module.QUIET_SECONDS / 2
    clockwork._look()
    assert reads == [], "nothing is read while others move it on"
    wait(clock, 50)
    moment.now += module.QUIET_SECONDS
    for _ in range(3):
        clockwork._look()
    assert reads == ["t1"], "once"
    behind, table = clockwork.behind()
    assert (behind > 25, table) == (True, "t1")
    assert "t1" not in serving.hub.stale_tables, "the next notice of it is news"
    assert versions(serving.floor) == before
    serving._moved([("table/t1", moved[0][1] + 2)])
    serving.worker.post(lambda: None).result(20)
    clockwork._look()
    assert clockwork.behind() == (0.0, "")


def test_tables_that_nobody_has_looked_at_here_are_measured_too(
    serving: ServedHouse, house: House, clock: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that has just come: it has loaded nothing, and what others hold up is not read at every look."""
    other, clockwork = Lease(serving.work.store.engine, "clock"), Clockwork(serving)
    moment = Moment(monkeypatch)
    assert other.is_ours()
    serving.floor.desk.forget_all()
    monkeypatch.setattr(module, "READ_UP_AT_MOST", 1)
    wait(clock, 30)
    clockwork._look()
    assert clockwork.behind() == (0.0, "")
    moment.now += module.QUIET_SECONDS
    loaded = []
    for _ in range(2):
        clockwork._look()
        loaded.append(len([stream for stream in serving.floor.desk.loaded if stream.startswith("table/")]))
    assert loaded == [1, 2]
    behind, table = clockwork.behind()
    assert (behind > 25, table) == (True, "t1")


def test_a_table_that_cannot_be_read_up_is_read_up_later(
    serving: ServedHouse, clock: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, clockwork = Lease(serving.work.store.engine, "clock"), Clockwork(serving)
    moment = Moment(monkeypatch)
    assert other.is_ours()
    serving.hub.stale_tables |= {"t1", "t2"}
    known = Floor.gaming_table

    def held(self: Floor, name: str) -> Any:
        if name == "t1":
            raise BadInput("table", "out of reach", "wait")
        return known(self, name)

    wait(clock, 30)
    clockwork._look()
    moment.now += module.QUIET_SECONDS
    with monkeypatch.context() as patch, capture_logs() as logged:
        patch.setattr(Floor, "gaming_table", held)
        clockwork._look()
    assert [row["table"] for row in logged] == ["t1"]
    assert serving.hub.stale_tables == {"t1"}
    clockwork._look()
    moment.now += module.QUIET_SECONDS
    clockwork._look()
    assert clockwork.behind()[1] == "t1"


def test_a_clock_that_was_replaced_does_nothing_and_stops(serving: ServedHouse) -> None:
    store = serving.work.store
    clockwork, other = Clockwork(serving), Lease(store.engine, "clock")
    assert clockwork.turn.is_ours()
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        connection.execute(text("UPDATE leases SET expires_at = 0"))  # it stood still for as long as it lasts
    assert other.is_ours()
    before = versions(serving.floor)
    assert clockwork.turn.is_ours(), "it has just woken and does not know"
    clockwork._all_tables()
    assert clockwork.turn.fence is None
    assert not clockwork.turn.is_ours()
    assert versions(serving.floor) == before


def test_a_table_that_is_held_does_not_stop_the_others(
    serving: ServedHouse, house: House, clock: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def do(self: Floor, asker: object, request: Any, *, key: str = "") -> Any:
        done.append(request.table)
        raise StoreBusy("held", "ask again", held=True)

    house.ok("mara", q.SetDealing(table="t2", dealt_by="house", betting_seconds=20, pause_seconds=8))
    clockwork = Clockwork(serving)
    assert clockwork.turn.is_ours()
    monkeypatch.setattr(Floor, "do", do)
    wait(clock, 1)
    clockwork._all_tables()
    clockwork._all_tables()
    assert sorted(done) == ["t1", "t2"], "each was tried once, and is left alone for a moment"
    assert clockwork.behind()[0] > 0, "it stays behind for as long as nothing can be done"


def test_a_store_that_is_out_of_reach_is_not_asked_for_every_table(
    serving: ServedHouse, house: House, clock: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def do(self: Floor, asker: object, request: Any, *, key: str = "") -> Any:
        asked.append(request.table)
        raise StoreError("the database does not answer", "see that it runs")

    house.ok("mara", q.SetDealing(table="t2", dealt_by="house", betting_seconds=20, pause_seconds=8))
    clockwork = Clockwork(serving)
    assert clockwork.turn.is_ours()
    monkeypatch.setattr(Floor, "do", do)
    wait(clock, 1)
    with pytest.raises(StoreError):
        clockwork._all_tables()
    assert len(asked) == 1


def test_a_clock_far_behind_is_an_error_in_the_log_and_a_figure(
    serving: ServedHouse, clock: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    clockwork = Clockwork(serving)
    monkeypatch.setattr(module, "WATCH_SECONDS", 0.001)
    serving.floor.table("t1")
    clockwork._look()
    wait(clock, 30)

    async def watch() -> None:
        task = asyncio.create_task(clockwork._watch())
        while not CLOCK_BEHIND._value.get():
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
        task.cancel()

    CLOCK_BEHIND.set(0)
    with capture_logs() as logged:
        asyncio.run(watch())
    (alarm,) = [line for line in logged if line["event"] == "clock-behind"]
    assert (alarm["log_level"], alarm["table"], alarm["ours"]) == ("error", "t1", False)
    assert alarm["seconds"] > module.ALARM_SECONDS
    assert CLOCK_BEHIND._value.get() > module.ALARM_SECONDS
