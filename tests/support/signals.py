"""Signals as a person's terminal sends them."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """A run in the background may have left Ctrl-C ignored, also for its children; a terminal has not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
