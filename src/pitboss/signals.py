"""Ctrl-C and SIGTERM, held back while something that must not be cut short comes to its end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = (signal.SIGINT, signal.SIGTERM)
"""The signals that ask a process to end."""


@contextmanager
def held_back() -> Iterator[None]:
    """Signals that ask this process to end wait until the block is over, and are heard then."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears signals
        yield
        return
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    for signalled in came:
        signal.raise_signal(signalled)
