"""`/health/ready`: it writes, seldom, in its own time, and says what fails without saying too much."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections import namedtuple
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from pitboss.errors import StoreError
from pitboss.floor import requests as q
from pitboss.floor.people import staff
from pitboss.server import readiness
from pitboss.store.identities import Identities
from support.service import Served, raw, served, stud_on_a_link


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "floor", stud_on_a_link) as found:
        yield found


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question is a probe of its own."""
    monkeypatch.setattr(readiness, "PROBE_SECONDS", 0)


def ready(service: Served) -> tuple[int, dict[str, Any]]:
    status, body, _ = raw(service, "GET", "/health/ready")
    return status, body


OK = {"status": "ok", "ready": True, "failing": []}


@contextmanager
def set_on_each_connection(service: Served, pragma: str, back: str) -> Iterator[None]:
    said = [pragma]
    event.listen(
        service.served.work.store.engine,
        "checkout",
        lambda connection, *_: connection.execute(f"PRAGMA {said[-1]}").fetchall(),
    )
    yield
    said.append(back)  # every connection of the pool says it when it is used again


def test_however_often_it_is_asked_the_store_is_written_to_once(service: Served) -> None:
    written: list[str] = []
    probe = Identities.probe

    def counted(self: Identities, row_id: str) -> None:
        written.append(row_id)
        probe(self, row_id)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(8) as many:
        patch.setattr(Identities, "probe", counted)
        assert list(many.map(lambda _: ready(service), range(40))) == [(200, OK)] * 40
    assert len(written) == 1
    with service.served.work.store.engine.connect() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM sign_ins WHERE purpose = 'probe'").scalar()
    assert left == 0, "what was written is deleted again"


@pytest.mark.usefixtures("always")
def test_a_store_that_takes_no_more_is_not_ready_and_one_with_room_again_is(service: Served) -> None:
    assert ready(service) == (200, OK)
    with set_on_each_connection(service, "max_page_count = 1", "max_page_count = 1000000"):
        status, body = ready(service)
        assert (status, body["ready"], body["failing"]) == (
            503,
            False,
            [{"what": "store", "problem": "the disk is full"}],
        )
        assert body["status"] == "the disk is full"
        assert raw(service, "GET", "/api/lobby")[0] == 200, "what only reads goes on"
    assert ready(service) == (200, OK)
    with set_on_each_connection(service, "query_only = ON", "query_only = OFF"):
        status, body = ready(service)
        assert (status, body["failing"][0]["problem"]) == (503, "the floor's data are read-only")
    assert ready(service) == (200, OK)


@pytest.mark.usefixtures("always")
def test_a_disk_without_room_is_named(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr("pitboss.server.readiness.shutil.disk_usage", lambda folder: usage(free=100_000))
    status, body = ready(service)
    assert (status, body["failing"]) == (
        503,
        [{"what": "disk", "problem": "the disk is full: 97 KiB are free"}],
    )


@pytest.mark.usefixtures("always")
def test_a_store_that_hangs_is_not_waited_for_and_does_not_hold_the_floor(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 0.3)
    file = service.served.work.where.data / "floor.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(3):
            status, body = ready(service)
            assert (status, body["failing"][0]["what"]) == (503, "store")
            assert "did not take a row" in body["status"]
        assert raw(service, "GET", "/api/jackpots")[0] == 200
        other.execute("ROLLBACK")
    monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 30)
    until = time.monotonic() + 60  # what was held is left alone for a moment after it is free
    while ready(service) != (200, OK):
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.usefixtures("always")
def test_what_a_database_says_of_itself_stays_in_the_log(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Identities, row_id: str) -> None:
        raise StoreError(
            "the database does not answer (connection to 10.9.8.7 as house, password hunter2)", "wait"
        )

    monkeypatch.setattr(Identities, "probe", refused)
    status, body = ready(service)
    assert (status, body["failing"]) == (503, [{"what": "store", "problem": "the database does not answer"}])


def test_a_process_that_does_not_hear_the_others_is_not_ready(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "CATCH_UP_SECONDS", 0)
    assert service.served.notices.listening.wait(60)
    service.served.notices.listening.clear()
    status, body = ready(service)
    assert (status, body["failing"][0]["what"]) == (503, "notices")


# --- the journal --------------------------------------------------------------------------------------------


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch, service: Served) -> Iterator[pytest.MonkeyPatch]:
    """The disk of the journals is full until the changes are undone; that of the store is not."""
    real, folder = os.write, str(service.served.continuity.journal.folder)

    def write(handle: int, line: bytes) -> int:
        if os.readlink(f"/proc/self/fd/{handle}").startswith(folder):
            raise OSError(28, "No space left on device")
        return real(handle, line)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", write)
        yield patch


NO_ROOM = [{"what": "journal", "problem": "the journal cannot be written (No space left on device)"}]


def add_player(service: Served, name: str) -> None:
    assert service.served.floor.do(staff("dora"), q.AddPlayer(player=name)).ok


@pytest.mark.usefixtures("always")
def test_a_journal_without_room_is_named_as_what_it_is(service: Served, full: pytest.MonkeyPatch) -> None:
    """Before a command finds it out, too: readiness tries it."""
    assert not service.served.continuity.journal.failed
    status, body = ready(service)
    assert (status, body["failing"]) == (503, NO_ROOM)
    full.undo()
    assert ready(service) == (200, OK)


@pytest.mark.usefixtures("always")
def test_a_journal_with_room_again_is_ready_without_a_command(
    service: Served, full: pytest.MonkeyPatch
) -> None:
    """A balancer that took the server out sends none."""
    served = service.served
    with pytest.raises(StoreError, match="cannot be written"):
        asyncio.run(served.worker.run(add_player, service, "p8"))
    for _ in range(2):
        status, body = ready(service)
        assert (status, body["failing"]) == (503, NO_ROOM)
        assert str(served.work.where.data) not in body["status"], "anybody may read it"
    full.undo()
    assert ready(service) == (200, OK)
    assert not served.continuity.journal.failed


def test_the_floor_tries_the_journal_again_though_nobody_asks(
    service: Served, full: pytest.MonkeyPatch
) -> None:
    served = service.served
    with pytest.raises(StoreError, match="cannot be written"):
        asyncio.run(served.worker.run(add_player, service, "p8"))
    assert served.continuity.journal.failed
    full.undo()
    until = time.monotonic() + 60
    while served.continuity.journal.failed:
        assert time.monotonic() < until
        time.sleep(0.05)
