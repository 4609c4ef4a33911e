"""How kernels are compiled: with numba, once, and kept on disk.

numba notices a changed kernel only in the file it stands in, and changed tables not at all. So the folder of
the compiled code is named by a digest over the text of every kernel, the version of the tables and what
compiled them; anything that changes starts an empty folder. numba is imported only by the modules that count.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from pitboss.errors import BadInput, is_number, shortened
from pitboss.progress import counting

TABLE_VERSION = 1
"""Raise it whenever the tables of the evaluators come out differently."""

KEPT_SECONDS = 30 * 24 * 3600
"""Compiled kernels that nobody has used for so long are thrown away."""

MOST_THREADS = 1024

Function = TypeVar("Function", bound=Callable[..., Any])
T = TypeVar("T")
Say = Callable[[str], None]


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder for compiled kernels and tables."""
    digest = hashlib.sha256(f"{TABLE_VERSION} {numba.__version__} {sys.version}".encode())
    for source in sorted((Path(__file__).parent / "kernels").glob("*.py")):
        digest.update(source.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    folder = cache_home() / name
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for other in cache_home().glob("kernels-*"):
        if time.time() - other.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(other, ignore_errors=True)
    return folder


@lru_cache(maxsize=1)
def cache_home() -> Path:
    """Where Pitboss keeps what it can compute again; a temporary folder where the usual one is read-only."""
    home = os.environ.get("PITBOSS_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path.home() / ".cache") / "pitboss"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"pitboss-{os.getuid()}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder


numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]


def inline(function: Function) -> Function:
    """A helper that is written out wherever a kernel calls it, for the innermost loops."""
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")(function)
    return cast("Function", compiled)


def kernel(function: Function) -> Function:
    """A function compiled for integer arrays that lets other threads run."""
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return cast("Function", compiled)


_listeners: list[Say] = []


@contextmanager
def listening(say: Say) -> Iterator[None]:
    """Let `say` hear what is being compiled and computed."""
    _listeners.append(say)
    try:
        yield
    finally:
        _listeners.remove(say)


def tell(text: str) -> None:
    """Say what is being done, to whoever listens."""
    for say in tuple(_listeners):
        say(text)


@contextmanager
def computing(what: str, kernels: str) -> Iterator[None]:
    """Announce a computation, and that its kernels are compiled first if this machine has not done so yet."""
    mark = cache_folder() / f"{kernels}.compiled"
    first = not mark.exists()
    tell(f"compiling the {kernels} kernels (first run only), then {what}" if first else what)
    with counting(f"compiling once, then {what}" if first else what):
        yield
    if first:
        mark.touch()


def thread_count() -> int:
    """How many threads count: the cores this process may use, or PITBOSS_THREADS. Raises `BadInput`."""
    wanted = os.environ.get("PITBOSS_THREADS", "")
    if wanted and not (is_number(wanted) and 1 <= int(wanted) <= MOST_THREADS):
        problem = f"'{shortened(wanted)}' is no number of threads"
        raise BadInput("PITBOSS_THREADS", problem, f"write a whole number from 1 to {MOST_THREADS}")
    if wanted:
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parallel(work: Callable[[int, int], T], size: int, *, chunk: int) -> list[T]:
    """`work(start, stop)` over `range(size)` in chunks on all threads; the answers in order.

    The first chunk runs alone, so that kernels are compiled once.
    """
    bounds = [(start, min(start + chunk, size)) for start in range(0, size, chunk)]
    if not bounds:
        return []
    with counting("counting deals", size) as task:

        def done(each: tuple[int, int]) -> T:
            found = work(*each)
            task.advance(each[1] - each[0])
            return found

        first = done(bounds[0])
        threads = min(thread_count(), len(bounds) - 1)
        if threads <= 1:
            return [first, *(done(each) for each in bounds[1:])]
        with ThreadPoolExecutor(threads) as pool:
            return [first, *pool.map(done, bounds[1:])]


def each_in_parallel(work: Callable[[int], T], items: Iterable[int]) -> list[T]:
    """`work(item)` for each item on all threads; the answers in order."""
    wanted = list(items)
    if not wanted:
        return []
    with counting("counting deals", len(wanted)) as task:

        def done(item: int) -> T:
            found = work(item)
            task.advance()
            return found

        first = done(wanted[0])
        with ThreadPoolExecutor(thread_count()) as pool:
            return [first, *pool.map(done, wanted[1:])]
