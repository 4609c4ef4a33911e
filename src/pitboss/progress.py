"""How far long work has come: whoever works counts, whoever shows it looks when he likes.

Counting costs next to nothing and shows nothing by itself, so that every layer may count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_tasks: list[Task] = []
_when_idle: list[Callable[[], None]] = []
_unseen = 0
_interrupted = False


class Task:
    """Some work under way: what it is, how much of it there is if that is known, how much is done."""

    __slots__ = ("detail", "done", "total", "what")

    def __init__(self, what: str, total: int | None) -> None:
        self.what, self.total = what, total
        self.done = 0
        self.detail = ""

    def advance(self, count: int = 1) -> None:
        """So much more is done; several threads may say so at once. A lost interrupt is felt here."""
        with _lock:
            self.done += count
        _feel()

    def reach(self, done: int) -> None:
        """So much is done in all."""
        self.done = done
        _feel()


def _feel() -> None:
    if _interrupted:
        raise KeyboardInterrupt


@contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Task]:
    """Work that others may watch until it ends. Without a total nobody knows how long it takes."""
    _feel()
    task = Task(what, total)
    with _lock:
        _tasks.append(task)
    try:
        yield task
        _feel()
    finally:
        with _lock:
            _tasks.remove(task)
        if not _tasks:
            for told in tuple(_when_idle):
                told()


def under_way() -> tuple[Task, ...]:
    """What is being worked on in this process now, the outermost first."""
    with _lock:
        return () if _unseen else tuple(_tasks)


def interrupted(*, is_so: bool) -> None:
    """Remember that somebody pressed Ctrl-C, or that he was answered.

    A library may swallow the exception (what is raised in a callback of C, or while something is thrown
    away, is lost): the work under way ends with it at its next count, and no other is begun.
    """
    global _interrupted
    _interrupted = is_so


@contextmanager
def idle(told: Callable[[], None]) -> Iterator[None]:
    """Let somebody hear whenever nothing is worked on any more, before whoever worked goes on."""
    _when_idle.append(told)
    try:
        yield
    finally:
        _when_idle.remove(told)


@contextmanager
def unseen(when: bool) -> Iterator[None]:  # noqa: FBT001 - the condition is the point
    """Work whose own output is on the screen is not shown over it."""
    global _unseen
    _unseen += when
    try:
        yield
    finally:
        _unseen -= when
