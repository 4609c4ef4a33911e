"""`pitboss play --server`: a person in a terminal at a table that the house's clock deals."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.bootstrap import Settings, at_work
from pitboss.floor import requests as q
from pitboss.floor.people import staff
from pitboss.verification import verify
from support import pitboss
from support.service import PASSWORD, Process, make_floor
from support.signals import heed_ctrl_c, read_until

pytestmark = pytest.mark.whole


def test_a_round_in_the_terminal_at_a_table_of_the_service(tmp_path: Path) -> None:
    where = Settings(tmp_path / "floor")
    make_floor(where, "mbs-stud-6")
    with at_work(where) as work:
        dealing = q.SetDealing(table="t1", dealt_by="house", betting_seconds=2, pause_seconds=2)
        assert work.floor.do(staff("mara"), dealing).ok
    server = Process(where)
    master, slave = pty.openpty()
    table = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pitboss.cli.main",
            "play",
            "--server",
            server.url,
            "--as",
            "p1",
            "--table",
            "t1",
        ],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=os.environ | {"TERM": "dumb", "COLUMNS": "140", "PITBOSS_PASSWORD": PASSWORD},
        preexec_fn=heed_ctrl_c,
    )
    os.close(slave)
    try:
        read_until(master, b"your bets")
        os.write(master, b"25 jackpot seven\n")
        read_until(master, b"write an amount for each wager")
        os.write(master, b"25 jackpot 5\n")
        said = read_until(master, b"look at your hand")
        assert b"order of the deck: composed with 1 device, yours among them" in said
        os.write(master, b"nonsense\n")
        read_until(master, b"write a number from 1 to")
        os.write(master, b"1\n")
        said = read_until(master, b"fold")
        assert b"bet bet" in said
        assert b"(50.00)" in said
        os.write(master, b"1\n")
        said = read_until(master, b"net ")
        assert b"ante" in said
        assert b"[3.10" in said
        read_until(master, b"your bets")
        os.write(master, b"\x04")
        assert b"you leave the table" in read_until(master, b"rack")
        assert table.wait(timeout=20) == 0
    finally:
        table.kill()
        table.wait()
        os.close(master)
        server.stop()
    assert verify(where).ok


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--server", "elsewhere"), "is no address"),
        (("--server", "http://127.0.0.1:1", "--as", "p1"), "no service answers"),
    ],
)
def test_a_service_that_is_not_there_is_said_to_be_none(
    arguments: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_PASSWORD", PASSWORD)
    ran = pitboss("play", *arguments)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert says in ran.err
