"""A floor that is stopped, by Ctrl-C or SIGTERM, has signed everything; also where several processes serve it."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from pitboss.bootstrap import Settings, open_store
from pitboss.signals import ENDING
from pitboss.verification import verify
from support.databases import fresh_database
from support.service import Process

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]


def rounds(where: Settings) -> int:
    """How many rounds were begun."""
    store = open_store(where)
    heads = store.heads()
    count = sum(
        len(store.rounds(stream.removeprefix("table/"))) for stream in heads if stream.startswith("t")
    )
    store.close()
    return count


def wait_for_rounds(where: Settings, count: int) -> None:
    """Wait until bots have begun so many rounds."""
    until = time.monotonic() + 120
    while rounds(where) < count:
        assert time.monotonic() < until
        time.sleep(0.1)


def wait_for_unsigned_events(where: Settings) -> None:
    """Wait until bots have gone on after the last checkpoint."""
    until = time.monotonic() + 120
    while verify(where, processes=1).unsigned == 0:
        assert time.monotonic() < until
        time.sleep(0.1)


def wait_for_events(where: Settings, count: int) -> None:
    """Until so many events are in the file of a floor that is just being made."""
    file, found, until = where.data / "floor.db", 0, time.monotonic() + 120
    while found < count:
        assert time.monotonic() < until, found
        with suppress(sqlite3.Error), sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
            found = connection.execute("SELECT count(*) FROM events").fetchone()[0]
        time.sleep(0.02)


def nothing_is_unsigned(where: Settings) -> None:
    found = verify(where, processes=1)
    assert found.ok, found.problems[:3]
    assert (found.unsigned, found.not_signed) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_demo_floor_that_is_stopped_is_signed_to_its_last_event(
    tmp_path: Path, number: signal.Signals
) -> None:
    where = Settings(tmp_path / "floor")
    process = Process(where, "--demo", "--pace", "0.02")
    wait_for_rounds(where, 5)
    process.process.send_signal(number)
    while process.process.poll() is None:  # others, during the stop and after the signature, change nothing
        for again in ENDING:
            process.process.send_signal(again)
        time.sleep(0.02)
    said = process._ended()
    assert process.process.returncode == (130 if number is signal.SIGINT else 0), said
    assert "Traceback" not in said
    nothing_is_unsigned(where)


@pytest.mark.parametrize(
    "words",
    [("serve", "--demo", "--port", "0"), ("floor", "simulate", "--tables", "3", "--hours", "2")],
    ids=["serve-not-listening-yet", "simulate"],
)
def test_what_is_ended_by_sigterm_at_its_work_is_signed(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Before a service listens, and in a long command: it ends in order, and says by what."""
    where = Settings(tmp_path / "floor")
    command = [sys.executable, "-m", "pitboss.cli.main", *words, "--data", str(where.data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_events(where, 40)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=120)
    assert (process.returncode, said.splitlines()[-1]) == (143, "pitboss: ended by SIGTERM"), said
    assert "Traceback" not in said
    nothing_is_unsigned(where)


def test_every_process_of_a_floor_on_postgresql_signs_when_it_stops(tmp_path: Path, postgres: str) -> None:
    where = Settings(tmp_path / "floor", fresh_database(postgres))
    first = Process(where, "--demo", "--pace", "0.02")
    second = Process(where)
    wait_for_rounds(where, 5)
    wait_for_unsigned_events(where)
    first.stop()
    before = verify(where, processes=1)
    assert before.ok
    second.stop()
    nothing_is_unsigned(where)
