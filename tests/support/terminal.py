"""The command line as a process: on a terminal, or with its output in pipes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support import Ran
from support.signals import heed_ctrl_c

COMMAND = (sys.executable, "-m", "pitboss.cli.main")


def surroundings(**changes: str) -> dict[str, str]:
    """The environment without anything that would change how Pitboss looks or what it reads."""
    strange = ("PITBOSS_", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
    return kept | {"TERM": "xterm-256color", "PITBOSS_CONFIG": os.devnull} | changes


def piped(
    *arguments: str, folder: Path | None = None, text: str = "", environment: Mapping[str, str] = {}
) -> Ran:
    """Run a command with its output in pipes."""
    ran = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=surroundings(**environment),
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def on_terminal(
    *arguments: str, folder: Path | None = None, only: str = "both", environment: Mapping[str, str] = {}
) -> tuple[int, str, str]:
    """Run a command on a terminal: its exit code, what the terminal saw, what went into the pipe.

    With `only="stderr"` standard output is a pipe, as in a script somebody watches.
    """
    master, slave = pty.openpty()
    started = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=surroundings(**environment),
        stdin=slave,
        stdout=slave if only == "both" else subprocess.PIPE,
        stderr=slave,
        preexec_fn=heed_ctrl_c,
    )
    os.close(slave)
    seen = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:  # nobody has the terminal any more
            break
        if not more:
            break
        seen += more
    os.close(master)
    out = started.stdout.read() if started.stdout is not None else b""
    if started.stdout is not None:
        started.stdout.close()
    return started.wait(timeout=60), seen.decode(), out.decode()
