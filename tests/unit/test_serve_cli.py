"""`pitboss serve` and `pitboss users`: what they say to bad input."""

from __future__ import annotations

import errno
import io
import socket
import sys
from pathlib import Path

import pytest
import structlog

from pitboss.bootstrap import Settings
from pitboss.server.run import set_up_logs
from support import pitboss
from support.service import Process


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--port", "70000"), "no port 70000"),
        (("--host", "nowhere.example"), "no address 'nowhere.example' here"),
        (("--log", "loud"), "no level 'loud'"),
        (("--pace", "0"), "is no pace"),
        (("--bots", "lucky", "--demo"), "no strategy 'lucky'"),
        (("--per-second", "0"), "at least 1"),
        (("--origin", "elsewhere"), "is no origin"),
        (("--port", "0"), "there is no floor"),
        (("--database", "postgresql://nobody@127.0.0.1:1/none", "--port", "0"), "does not answer"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    ran = pitboss("serve", "--data", str(tmp_path / "none"), *arguments)
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert says in ran.err


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = pitboss("serve", "--data", str(tmp_path), "--port", port)
    assert (ran.code, "cannot be used" in ran.err) == (2, True)
    assert (
        f"; 'PITBOSS_SERVE_PORT={int(port) + 1} make run' takes another one, --port 0 a free one" in ran.err
    )


def test_an_address_of_another_machine_is_the_host_s_fault(tmp_path: Path) -> None:
    ran = pitboss("serve", "--data", str(tmp_path), "--host", "203.0.113.1")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("pitboss: --host: 203.0.113.1 is no address of this machine (")


@pytest.mark.whole
def test_p16_a_floor_that_nobody_would_sign_is_not_served(tmp_path: Path) -> None:
    data = tmp_path / "floor"
    assert pitboss("floor", "create", "unsigned", "--data", str(data)).code == 0
    (data / "checkpoint.pem").unlink()
    ran = pitboss("serve", "--port", "0", "--data", str(data))
    assert (ran.code, ran.out) == (2, "")
    assert "checkpoint.pem is missing: nothing would be signed; put it back" in ran.err
    served = Process(Settings(data), "--unsigned")
    assert '"event": "unsigned"' in served.stop()


def test_the_demo_does_not_move_into_a_real_floor(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "floor"))
    assert pitboss("floor", "create", "a real one", *data).code == 0
    ran = pitboss("serve", "--demo", "--port", "0", *data)
    assert ran.code == 2
    assert "has a floor of its own" in ran.err


@pytest.mark.whole
def test_users_are_given_passwords_and_lose_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    data = ("--data", str(tmp_path / "floor"))
    assert pitboss("floor", "create", "test", *data).code == 0
    assert pitboss("floor", "add-person", "dora", "dealer", *data).code == 0
    assert pitboss("floor", "add-player", "p1", *data).code == 0
    assert "nobody can sign in yet" in pitboss("users", "list", *data).out
    monkeypatch.setattr("sys.stdin", io.StringIO("a long password\n"))
    assert pitboss("users", "password", "dora", *data).code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    ran = pitboss("users", "password", "player/p1", *data)
    assert (ran.code, "8 to 200" in ran.err) == (2, True)
    listed = pitboss("users", "list", *data).out
    assert "dora" in listed
    assert "p1" not in listed
    for name, says in (("p1", "write player/p1"), ("player/p2", "player/p1"), ("cat/x", "nobody is a 'cat'")):
        ran = pitboss("users", "unlock", name, *data)
        assert (ran.code, says in ran.err) == (2, True), ran.err
    assert pitboss("users", "unlock", "dora", *data).code == 0
    assert pitboss("users", "sign-out", "dora", *data).code == 0
    assert pitboss("users", "remove", "dora", *data).code == 0
    ran = pitboss("users", "remove", "dora", *data)
    assert (ran.code, "has no password" in ran.err) == (2, True)


class FullDisk(io.StringIO):
    """A file that takes nothing any more."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_on_a_full_disk_fails_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error that a request is logged with used to become the answer of the next one."""
    before = structlog.get_config()
    try:
        monkeypatch.setattr(sys, "stderr", FullDisk())
        set_up_logs("info")
        structlog.get_logger("pitboss.full").error("store", what="the disk is full")
    finally:
        structlog.configure(**before)
