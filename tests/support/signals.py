"""A person's terminal: the signals it sends, and what is read on it."""

from __future__ import annotations

import os
import select
import signal


def heed_ctrl_c() -> None:
    """A run in the background may have left Ctrl-C ignored, also for its children; a terminal has not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read_until(terminal: int, text: bytes) -> bytes:
    """What the terminal says up to a text; a minute of silence is a failure."""
    said = b""
    while text not in said:
        ready, _, _ = select.select([terminal], [], [], 60)
        if not ready:
            break
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        said += more
    assert text in said, said
    return said
