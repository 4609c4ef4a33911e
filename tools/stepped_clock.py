"""`pitboss` with a wall clock that somebody else steps: `python tools/stepped_clock.py OFFSET VERB …`.

OFFSET is a file of eight bytes, the nanoseconds that are added to the time of the machine; who writes them
steps the clock of every process that runs so. A preloaded library does the same from outside, but also stands
between the interpreter's threads and slows them several times.
"""

from __future__ import annotations

import mmap
import struct
import sys
import time
from pathlib import Path

_OFFSET = struct.Struct("<q")


def set_offset(file: Path, seconds: int) -> None:
    """From now on the clock is so many seconds off."""
    if not file.exists():
        file.write_bytes(_OFFSET.pack(0))
    with file.open("r+b") as opened:
        opened.write(_OFFSET.pack(seconds * 1_000_000_000))


def step_by(file: Path) -> None:
    """Let the wall clock of this process be off by what the file says, from now on and at every moment."""
    with file.open("rb") as opened:
        shared = mmap.mmap(opened.fileno(), _OFFSET.size, access=mmap.ACCESS_READ)
    real_ns = time.time_ns

    def time_ns() -> int:
        return real_ns() + int(_OFFSET.unpack_from(shared)[0])

    time.time_ns = time_ns
    time.time = lambda: time_ns() / 1_000_000_000


if __name__ == "__main__":
    step_by(Path(sys.argv[1]))
    from pitboss.cli.main import main

    main(sys.argv[2:])
