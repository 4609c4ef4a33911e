"""Progress bars: what is being counted, on standard error, where somebody watches, and gone at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Any

from pitboss import progress
from pitboss.progress import Task, under_way

DELAY = 0.5
"""Seconds: what is done sooner needs no bar."""
PACE = 0.1


@contextmanager
def watching() -> Iterator[None]:
    """Show whatever is counted meanwhile, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    bars, over = Bars(), Event()
    thread = Thread(target=_watch, args=(bars, over), name="progress", daemon=True)
    thread.start()
    try:
        with progress.idle(bars.hide):
            yield
    finally:
        over.set()
        thread.join()
        bars.hide()


def _watch(bars: Bars, over: Event) -> None:
    """Bars come when something takes its time; several short things in a row do, too."""
    busy = 0.0
    while not over.wait(PACE):
        busy += PACE if under_way() else 0.0
        if busy >= DELAY:
            bars.draw()


class Bars:
    """A bar for each task under way. When the last one ends, they are gone before anybody prints."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._progress: Any = None
        self._shown: dict[Task, Any] = {}

    def draw(self) -> None:
        """Show how far everything is now."""
        with self._lock:
            tasks = under_way()
            if not tasks:
                return
            if self._progress is None:
                self._progress = _new_progress()
                self._progress.start()
            for gone in set(self._shown) - set(tasks):
                self._progress.remove_task(self._shown.pop(gone))
            for task in tasks:
                if task not in self._shown:
                    self._shown[task] = self._progress.add_task(task.what, total=task.total, detail="")
                self._progress.update(self._shown[task], completed=task.done, detail=task.detail)
            self._progress.refresh()

    def hide(self) -> None:
        """Clear the lines of the bars."""
        with self._lock:
            if self._progress is not None:
                self._progress.stop()
            self._progress, self._shown = None, {}


def _new_progress() -> Any:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column

    from pitboss.cli.colour import console

    out = console(sys.stderr)
    room = Column(max_width=max(20, out.width - 42), no_wrap=True, overflow="ellipsis")
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=room),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[detail]}", markup=False),
        console=out,
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
