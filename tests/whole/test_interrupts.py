"""Ctrl-C leaves things whole: one line, 130, no half file, a floor that verifies, no process left behind."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from pitboss import progress
from support import pitboss
from support.page_blocks import ROOT
from support.signals import heed_ctrl_c, read_until
from support.terminal import COMMAND, surroundings

pytestmark = pytest.mark.whole


class Interrupted:
    """A command on a terminal that is interrupted when it says some words."""

    def __init__(
        self, folder: Path, *arguments: str, out: str = "pipe", command: Sequence[str] = COMMAND
    ) -> None:
        self.terminal, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            env=surroundings(NO_COLOR="1", COLUMNS="200", PITBOSS_CACHE=os.environ.get("PITBOSS_CACHE", "")),
            stdin=slave,
            stdout=subprocess.PIPE if out == "pipe" else slave,
            stderr=slave,
            text=True,
            preexec_fn=_own_terminal,
        )
        os.close(slave)

    def press(self, after: bytes = b"", *, patience: float | None = None) -> tuple[int, str]:
        """Ctrl-C after some words; the exit code, and what stands on the terminal in the end.

        With `patience` it is pressed again after so many seconds of silence, as people do: Python's readline feels
        one that falls between its prompt and its waiting only with the next.
        """
        seen = read_until(self.terminal, after) if after else b""
        os.killpg(self.process.pid, signal.SIGINT)
        while True:
            if not select.select([self.terminal], [], [], patience)[0]:
                os.killpg(self.process.pid, signal.SIGINT)
            try:
                more = os.read(self.terminal, 65536)
            except OSError:
                break
            if not more:
                break
            seen += more
        os.close(self.terminal)
        if self.process.stdout is not None:
            with self.process.stdout as out:
                self.out = out.read()
        code = self.process.wait(timeout=60)
        return code, standing(seen.decode())


def _own_terminal() -> None:
    heed_ctrl_c()
    os.setpgid(0, 0)


def standing(text: str) -> str:
    """What a terminal shows after bars were drawn and cleared: only what was written beyond them."""
    tail = re.split(r"\x1b\[2K|\x1b\[\?25h", text)[-1]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", tail).replace("\r", "")


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def test_a_day_that_is_interrupted_verifies_and_can_go_on(tmp_path: Path) -> None:
    day = ("floor", "simulate", "--tables", "4", "--seed", "3", "--data", "floor")
    code, said = Interrupted(tmp_path, *day, "--hours", "24").press(b"playing the day")
    assert (code, said) == (130, "pitboss: interrupted\n")
    data = ("--data", str(tmp_path / "floor"))
    assert pitboss("verify", *data).code == 0
    assert pitboss("floor", "simulate", "--tables", "4", "--hours", "0.01", *data).code == 0
    assert pitboss("verify", *data).code == 0


def test_a_simulation_is_kept_for_resume(tmp_path: Path) -> None:
    run = ("simulate", "mbs-3cp-2023", "--seed", "20261117", "--plot", "run.svg", "--json")
    running = Interrupted(tmp_path, *run, "--rounds", "1e10")
    code, said = running.press(b" rounds")
    assert code == 130
    assert said.startswith("pitboss: interrupted after ")
    assert "--resume" in said
    document = json.loads(running.out)
    assert document["interrupted"]
    assert names(tmp_path) == {"run.svg"}  # what was asked for is drawn from what was done, and whole
    assert (tmp_path / "run.svg").read_text().rstrip().endswith("</svg>")
    more = str(document["rounds"] + 65_536)
    resumed = pitboss(
        "simulate", "mbs-3cp-2023", "--seed", "20261117", "--rounds", more, "--resume", "--json"
    )
    assert json.loads(resumed.out)["rounds"] == int(more)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("shuffle-test", "--decks", "1000000", "--report", "page.html"), b"shuffling"),
        (("par", "mbs-thb-9", "-o", "par.html"), b"solving every deal"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_no_half_file_stands_where_one_was_asked_for(
    tmp_path: Path, arguments: tuple[str, ...], words: bytes
) -> None:
    (tmp_path / "par.html").write_text("the one before")
    code, said = Interrupted(tmp_path, *arguments).press(words)
    assert (code, said) == (130, "pitboss: interrupted\n")
    assert names(tmp_path) == {"par.html"}
    assert (tmp_path / "par.html").read_text() == "the one before"


def test_a_service_stops_as_if_asked_and_its_floor_verifies(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "floor"))
    assert pitboss("floor", "create", "x", *data).code == 0
    serving = Interrupted(tmp_path, "serve", "--port", "0", "--log", "error", *data)
    assert serving.process.stdout is not None
    assert serving.process.stdout.readline().startswith("listening on ")
    assert serving.press() == (130, "pitboss: interrupted\n")
    assert pitboss("verify", *data).code == 0
    assert "without notice" not in pitboss("floor", "show", *data).err  # it has said goodbye


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("drill", "mbs-3cp-2023", "--scores", "s.json"), b"> "),
        (("play", "mbs-3cp-2023"), b"> "),
    ],
    ids=lambda value: str(value)[:24],
)
def test_whoever_is_asked_leaves_in_order_and_with_130(
    tmp_path: Path, arguments: tuple[str, ...], words: bytes
) -> None:
    asking = Interrupted(tmp_path, *arguments, out="terminal")
    code, said = asking.press(words, patience=2)
    assert code == 130, said
    assert "Traceback" not in said
    assert "Nothing was marked." in said or "you leave the table" in said


def test_the_processes_of_a_verification_end_with_it(floor: Path) -> None:
    verifying = Interrupted(floor.parent, "verify", "--processes", "2", "--data", str(floor))
    watched = psutil.Process(verifying.process.pid)
    began = time.monotonic()
    while len(others := watched.children(recursive=True)) < 2 and time.monotonic() - began < 60:
        time.sleep(0.02)
    code, said = verifying.press()
    assert (code, said) == (130, "pitboss: interrupted\n")
    gone, alive = psutil.wait_procs(others, timeout=10)
    assert (len(gone) >= 2, alive) == (True, [])


PRESSED_WHILE_PROCESSES_BEGIN = """
import os, signal, threading, time
from pitboss.verification import _ctrl_c_is_for_this_process

def answer(number, frame):
    raise KeyboardInterrupt

def press():
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, answer)
threading.Thread(target=press).start()  # it takes the signal, which the main thread has blocked
try:
    with _ctrl_c_is_for_this_process():
        ends = time.monotonic() + 0.3
        while time.monotonic() < ends:
            pass
        print("begun")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_waits_until_the_processes_of_a_verification_are_begun() -> None:
    """One that is half-made ends with a traceback of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", PRESSED_WHILE_PROCESSES_BEGIN], capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("begun\ninterrupted\n", "")


# --- interrupted at a certain row: the same in this process --------------------------------------------------


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupts") / "floor"
    day = ("floor", "simulate", "--tables", "2", "--hours", "0.05", "--data", str(folder))
    assert pitboss(*day).code == 0
    return folder


@contextmanager
def ctrl_c_at(row: int) -> Iterator[None]:
    """Press Ctrl-C when so many rows have been counted."""

    class Task(progress.Task):
        __slots__ = ()

        def __setattr__(self, name: str, value: object) -> None:
            if name == "done" and isinstance(value, int) and value >= row:
                raise KeyboardInterrupt
            super().__setattr__(name, value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitboss.progress.Task", Task)
        yield


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "events", "-o", "events.jsonl"),
        ("export", "all", "-o", "."),
        ("backup", "monday.backup"),
    ],
    ids=" ".join,
)
def test_a_record_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, floor: Path, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "events.jsonl").write_text("the one before\n")
    with ctrl_c_at(100):
        ran = pitboss(*arguments, "--data", str(floor))
    assert (ran.code, ran.err) == (130, "pitboss: interrupted\n")
    assert names(tmp_path) == {"events.jsonl"}
    assert (tmp_path / "events.jsonl").read_text() == "the one before\n"
    assert pitboss("verify", "--data", str(floor)).code == 0
    assert pitboss(*arguments, "--data", str(floor)).code == 0  # and nothing is in its way


def test_a_restore_that_is_interrupted_leaves_no_floor(tmp_path: Path, floor: Path) -> None:
    assert pitboss("backup", str(tmp_path / "b"), "--data", str(floor)).code == 0
    new = ("--data", str(tmp_path / "new"))
    with ctrl_c_at(100):
        assert pitboss("restore", str(tmp_path / "b"), *new).code == 130
    assert pitboss("restore", str(tmp_path / "b"), *new).code == 0


def test_ctrl_c_while_python_compiles_a_class_leaves_with_130(tmp_path: Path) -> None:
    """Dataclasses are made by `exec`; Python itself would end the process by the signal, caught or not."""
    program = (
        "import os, signal\n"
        "from pitboss.cli import main as cli\n"
        "def run(arguments):\n"
        "    try:\n"
        "        exec('os.kill(os.getpid(), signal.SIGINT)')\n"
        "    except KeyboardInterrupt:\n"
        "        return cli.INTERRUPTED\n"
        "cli.run = run\n"
        "cli.main([])\n"
    )
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-m", "program"]
    ended = subprocess.run(command, cwd=tmp_path, preexec_fn=heed_ctrl_c, check=False)
    assert ended.returncode == 130


# --- make run ----------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with this Makefile, where everything that `make run` needs is there but what it runs.

    The make that runs these tests leaves traces by which another one knows that it is below it.
    """
    for name in ("MAKELEVEL", "MAKEFLAGS", "MFLAGS"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    (tmp_path / "web").mkdir()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    return tmp_path


def made(folder: Path, program: str) -> Interrupted:
    """`make run` on a terminal, with a program in the place of `pitboss`."""
    command = folder / ".venv" / "bin" / "pitboss"
    command.write_text(program)
    command.chmod(0o755)
    there = ("-o", ".venv/.run", "-o", "src/pitboss/server/static/.built")
    return Interrupted(folder, command=("make", *there, "run"), out="terminal")


PITBOSS = f"""#!/bin/sh
export PYTHONPATH={os.pathsep.join(sys.path)} PITBOSS_SERVE_PORT=0
exec {sys.executable} -m pitboss.cli.main "$@"
"""


def test_ctrl_c_on_make_run_ends_without_an_error_of_make(project: Path) -> None:
    code, said = made(project, PITBOSS).press(b"listening on ")
    assert code in (0, 130, -signal.SIGINT), said
    assert said.endswith("pitboss: interrupted\n")
    assert "make:" not in said
    assert "***" not in said
    data = ("--data", str(project / ".demo"))
    ran = pitboss("verify", *data)
    assert (ran.code, "not signed" in ran.out) == (0, False), ran


@pytest.mark.parametrize(
    ("program", "code"), [("exit 3", 2), ("echo 'pitboss: --port: taken' >&2; exit 2", 2), ("kill -9 $$", 2)]
)
def test_a_failure_of_make_run_is_shown_and_keeps_its_status(project: Path, program: str, code: int) -> None:
    running = made(project, f"#!/bin/sh\n{program}\n")
    said = standing(read_until(running.terminal, b"Error ").decode())
    assert running.process.wait(timeout=60) == code
    os.close(running.terminal)
    assert "make: *** " in said
