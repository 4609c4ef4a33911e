"""A process that stops signs its last events; a restore makes no key for a floor that had one."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from pitboss.bootstrap import Settings, at_work, open_store
from pitboss.errors import StoreError
from pitboss.floor import requests as q
from pitboss.floor.people import CONSOLE
from pitboss.store import schema as s
from pitboss.store.keeping import make_checkpoint, read_checkpoints
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support import pitboss
from support.floor import House
from support.page_blocks import ROOT
from support.service import served


def checkpoints(where: Settings) -> int:
    store = open_store(where)
    with store.reading() as reader:
        count = len(read_checkpoints(reader))
    store.close()
    return count


@pytest.fixture
def where(tmp_path: Path) -> Settings:
    where = Settings(tmp_path / "floor")
    assert pitboss("floor", "create", "x", "--data", str(where.data)).code == 0
    return where


def test_every_command_leaves_a_signed_record(where: Settings) -> None:
    data = ("--data", str(where.data))
    assert (verify(where).unsigned, checkpoints(where)) == (0, 1)
    assert pitboss("floor", "add-person", "dora", "dealer", *data).code == 0
    assert (verify(where).unsigned, checkpoints(where)) == (0, 2)
    assert pitboss("floor", "add-person", "dora", "dealer", *data).code == 1
    assert pitboss("floor", "show", *data).code == 0
    assert checkpoints(where) == 2, "nothing is signed twice"
    ran = pitboss("verify", *data)
    assert (ran.code, "not signed" in ran.out) == (0, False)


def test_a_command_beside_a_server_leaves_signing_to_it(where: Settings) -> None:
    with at_work(where, purpose="serve") as work:
        store = work.store
        assert pitboss("floor", "add-person", "dora", "dealer", "--data", str(where.data)).code == 0
        assert store.heads()["floor"].version == 2
        assert (verify(where).unsigned, checkpoints(where)) == (1, 1)
    assert (verify(where).unsigned, checkpoints(where)) == (0, 2)


def test_the_last_command_signs_for_a_server_that_was_killed(where: Settings) -> None:
    with at_work(where) as first:
        with first.store.engine.connect().execution_options(writing=True) as connection:
            connection.execute(insert(s.sessions).values(id="gone", started_at=1, purpose="serve 17"))
            connection.commit()
        with at_work(where) as second:
            assert second.floor.do(CONSOLE, q.AddPerson(person="dora", position="dealer")).ok
        assert verify(where).unsigned == 1
    assert verify(where).unsigned == 0


def test_a_second_ctrl_c_waits_for_the_last_signature(
    where: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding: pressed while a process left, it cut the signature short, and the floor counted as crashed."""

    def pressed_before(store: SqlStore, *more: Any, **settings: Any) -> int:
        signal.raise_signal(signal.SIGINT)
        return make_checkpoint(store, *more, **settings)

    def work() -> None:
        with at_work(where) as work:
            assert work.floor.do(CONSOLE, q.AddPerson(person="dora", position="dealer")).ok

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a process that has just begun
    try:
        with monkeypatch.context() as patch:
            patch.setattr("pitboss.bootstrap.make_checkpoint", pressed_before)
            with pytest.raises(KeyboardInterrupt):
                work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert verify(where).unsigned == 0
    with at_work(where) as again:
        assert not again.crashed


def press(*anything: Any, **more: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "at", ["pitboss.store.presence._FileLock.share", "pitboss.bootstrap.Floor.self_check"]
)
def test_ctrl_c_while_a_process_begins_is_no_crash(
    where: Settings, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(at, press)
        with pytest.raises(KeyboardInterrupt), at_work(where):
            pass
    with at_work(where) as work:
        assert not work.crashed


def test_ctrl_c_while_a_floor_is_taken_up_leaves_that_to_the_next(
    where: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(where)
    with store.engine.connect().execution_options(writing=True) as connection:
        connection.execute(insert(s.sessions).values(id="gone", started_at=1, purpose="serve 17"))
        connection.commit()
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr("pitboss.bootstrap.Floor.recover", press)
        with pytest.raises(KeyboardInterrupt), at_work(where):
            pass
    with at_work(where) as work:
        assert work.crashed


def test_a_server_that_stops_does_not_wait_for_a_verification(tmp_path: Path) -> None:
    ends = threading.Event()
    with served(tmp_path / "floor") as service:
        service.served.verifying.post(ends.wait, 30)
        service.served.reader.post(ends.wait, 30)
        began = time.monotonic()
        service.served.stop()
        took = time.monotonic() - began
        ends.set()
    assert took < 10


def test_work_that_fails_is_signed_all_the_same(where: Settings) -> None:
    def fail() -> None:
        with at_work(where) as work:
            assert work.floor.do(CONSOLE, q.AddPerson(person="dora", position="dealer")).ok
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert verify(where).unsigned == 0
    with at_work(where) as work:
        assert not work.crashed


def test_keys_are_made_with_a_floor_and_never_for_one_that_is_here(where: Settings) -> None:
    for name in ("deck.key", "checkpoint.pem"):
        kept = (where.data / name).read_bytes()
        (where.data / name).unlink()
        if name == "deck.key":
            with pytest.raises(StoreError, match=r"deck\.key is missing"), at_work(where, create=True):
                pass
        else:
            with at_work(where, create=True):
                pass
        assert not (where.data / name).exists()
        (where.data / name).write_bytes(kept)


# --- backup, restore, verify -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def in_play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor with a virtual round in play."""
    folder = tmp_path_factory.mktemp("play") / "floor"
    with at_work(Settings(folder), create=True) as work:
        house = House(work.store)
        house.floor = work.floor
        house.table("mbs-stud-6")
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        assert work.store.decks()
    return folder


def documented(page: str, heading: str) -> list[list[str]]:
    """The commands of the first block under a heading."""
    text = (ROOT / page).read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    block = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert block is not None
    return [shlex.split(line, comments=True)[1:] for line in block[1].splitlines()]


def test_the_documented_commands_succeed_with_a_round_in_play(
    in_play: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"/srv/floor": str(in_play), "/srv/other": str(tmp_path / "other")}
    commands = documented("docs/operations.md", "Back up and restore")
    assert [command[0] for command in commands] == ["backup", "restore", "verify"]
    for command in commands:
        ran = pitboss(*(places.get(word, word) for word in command))
        assert ran.code == 0, (command, ran)
    assert "1 sealed deck was not opened: the deck key is not here" in ran.out


def test_a_restore_makes_no_key_and_says_which_are_missing(in_play: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "b", tmp_path / "other"
    assert pitboss("backup", str(file), "--data", str(in_play)).code == 0
    data = ("--data", str(other))
    ran = pitboss("restore", str(file), *data)
    assert ran.code == 0
    assert f"the deck key is missing: put the floor's own {other / 'deck.key'} there" in ran.err
    assert "1 round in play was not checked" in ran.err
    assert f"put the floor's own {other / 'checkpoint.pem'} there" in ran.err
    assert sorted(path.name for path in other.glob("*")) == ["floor.db"]
    for asked in (("serve", "--port", "0"), ("floor", "show")):
        refused = pitboss(*asked, *data)
        assert (refused.code, refused.err.count("\n")) == (2, 1), refused
        assert "deck.key is missing" in refused.err
    shown = json.loads(pitboss("verify", "--unsigned", "--json", *data).out)
    assert (shown["ok"], shown["unopened_decks"]) == (True, 1)
    (other / "deck.key").write_bytes((in_play / "deck.key").read_bytes())
    ran = pitboss("verify", "--unsigned", *data)
    assert (ran.code, "sealed deck" in ran.out) == (0, False)
    ran = pitboss("floor", "show", *data)
    assert (ran.code, "stopped without notice" in ran.err) == (0, True)


def test_a_restore_with_the_keys_put_there_before_checks_everything(in_play: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "b", tmp_path / "other"
    other.mkdir()
    for name in ("deck.key", "checkpoint.pem"):
        (other / name).write_bytes((in_play / name).read_bytes())
    assert pitboss("backup", str(file), "--data", str(in_play)).code == 0
    ran = pitboss("restore", str(file), "--data", str(other), "--json")
    found = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert (found["signatures_checked"], found["unopened_decks"], found["missing_keys"]) == (True, 0, [])


def test_another_deck_key_is_found(in_play: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "b", tmp_path / "other"
    assert pitboss("backup", str(file), "--data", str(in_play)).code == 0
    assert pitboss("restore", str(file), "--data", str(other)).code == 0
    (other / "deck.key").write_text("0" * 64)
    ran = pitboss("verify", "--unsigned", "--data", str(other))
    assert (ran.code, "not of this key" in ran.err) == (1, True)


def test_a_floor_that_was_never_signed_gets_a_key_when_it_is_restored(in_play: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "b", tmp_path / "other"
    assert pitboss("backup", str(file), "--data", str(in_play)).code == 0
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM checkpoints")
    assert pitboss("restore", str(file), "--data", str(other)).code == 0
    assert (other / "checkpoint.pem").exists()
    assert not (other / "deck.key").exists()
