"""`pitboss` as processes forked from one that has imported everything: most of what a start takes is imports.

What such a process does is what `python -m pitboss.cli.main` does, from its first line on. How Python itself starts
and is interrupted before that, `tests/whole/test_last_signature.py` and `tests/whole/test_interrupts.py` show.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

TESTS = Path(__file__).resolve().parent.parent
POLL_SECONDS = 0.01
IMPORTED = (
    "alembic.config",
    "alembic.runtime.migration",
    "pitboss.cli.main",
    "pitboss.server.demo",
    "pitboss.server.run",
    "psycopg",
    "support.floor_worker",
)
"""What is imported before anything is forked."""

# --- in the test's process --------------------------------------------------------------------------------


class Forked:
    """A running `pitboss`, to be treated as a `subprocess.Popen` of text with its standard output on a pipe.

    `program` is the function that is called with the words of the command line.
    """

    def __init__(self, words: Sequence[str], *, errors: Path, program: str = "pitboss.cli.main:main") -> None:
        self.returncode: int | None = None
        with tempfile.TemporaryDirectory(prefix="pitboss-forked-") as folder:
            out = Path(folder) / "out"
            os.mkfifo(out)
            around = dict(os.environ), os.getcwd(), str(out), str(errors)
            self.pid = int(_parent(os.getpid()).ask("start", program, list(words), *around))
            self.stdout = out.open(encoding="utf-8")

    def poll(self) -> int | None:
        """Its exit code, or None as long as it runs."""
        if self.returncode is None:
            self.returncode = _parent(os.getpid()).ask("poll", self.pid)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended. Raises `subprocess.TimeoutExpired`."""
        until = time.monotonic() + (float("inf") if timeout is None else timeout)
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("pitboss", timeout or 0)
            time.sleep(POLL_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        """Signal it, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


class _Parent:
    """The process that has imported everything, and forks one for each request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "support.forked"],
            env=os.environ | {"PYTHONPATH": os.pathsep.join((str(TESTS), *filter(None, sys.path)))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)

    def ask(self, *words: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(words) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@cache
def _parent(process: int) -> _Parent:
    """That of a process; one that is forked has its own."""
    return _Parent()


# --- in the process that forks ----------------------------------------------------------------------------


def _fork_on_request() -> None:
    from pitboss.cli.app import command_line
    from pitboss.rulebooks import book_ids, load_plan

    for module in IMPORTED:
        importlib.import_module(module)
    command_line(("serve",))
    for book in book_ids():
        load_plan(book)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        do, *words = json.loads(line)
        answer: int | None
        if do == "start":
            answer = os.fork()
            if not answer:
                _be_forked(*words)
        else:
            ended, status = os.waitpid(words[0], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


def _be_forked(
    program: str, words: list[str], surroundings: dict[str, str], folder: str, out: str, errors: str
) -> NoReturn:
    code: Any = 1
    try:
        streams = (os.devnull, os.O_RDONLY), (out, os.O_WRONLY), (errors, os.O_WRONLY | os.O_CREAT)
        for number, (path, how) in enumerate(streams):
            opened = os.open(path, how, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(surroundings)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        random.seed()
        for beside in surroundings.get("PYTHONPATH", "").split(os.pathsep):
            changed = Path(beside) / "sitecustomize.py"  # what a test changes before anything is run
            if beside and changed.is_file():
                exec(compile(changed.read_text("utf-8"), str(changed), "exec"), {})
        module, _, function = program.partition(":")
        getattr(importlib.import_module(module), function)(words)
        code = 0
    except SystemExit as left:
        code = left.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _fork_on_request()
