"""`verify`: the whole record of a floor checked, by as many processes as there are processors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.desk import Desk
from pitboss.floor.ports import NO_HEAD, Head
from pitboss.floor.registry import STREAM
from pitboss.floor.sealing import DeckBox
from pitboss.floor.verifying import Checked, Problem, check_streams, check_whole
from pitboss.progress import Task, counting
from pitboss.store.keeping import checkpoint_problems, read_checkpoints, read_kept, versions_signed
from pitboss.store.sql import SqlStore

WORTH_SHARING = 40_000
"""From so many events on several processes are quicker than one."""

SHARES_EACH = 4


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification has found. `signatures` tells whether the key to check them was at hand."""

    streams: int
    events: int
    postings: int
    checkpoints: int
    signatures: bool
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.problems


def verify(where: Settings, *, processes: int | None = None, kept: Path | None = None) -> Verified:
    """Check hash chains, replay, ledger, heads, snapshots, decks and checkpoints.

    `kept` is a file of checkpoints that were exported and kept elsewhere: they must be here as they were, and
    so must be what they signed.
    """
    kept_rows = [] if kept is None else read_kept(kept)
    began = time.monotonic()
    store = open_store(where)
    try:
        with store.reading() as reader:  # one moment of a floor that may be at work
            checkpoints = read_checkpoints(reader)
            wanted = versions_signed([*checkpoints, *kept_rows])
            heads = reader.heads()
            total = sum(head.version for head in heads.values())
            workers = processes or (os.cpu_count() or 1 if total >= WORTH_SHARING else 1)
            desk = _desk(store)
            others = {stream: head for stream, head in heads.items() if stream != STREAM}
            with counting("verifying events", total) as task:
                first = {STREAM: heads.get(STREAM, NO_HEAD)}
                found = check_streams(desk, reader, first, wanted=wanted, advance=task.advance)
                if not found.problems and workers == 1:
                    found.add(check_streams(desk, reader, others, wanted=wanted, advance=task.advance))
                elif not found.problems:
                    _share_out(where, others, wanted, workers, found, task)
            if not found.problems:
                with counting("verifying the ledger"):
                    check_whole(desk, reader, found)
        key = checkpoint_key(where, create=False)
        found.problems += [
            Problem(*problem) for problem in checkpoint_problems(checkpoints, key, found.hashes)
        ]
        found.problems += [
            Problem(stream, version, f"{what}, by the copy kept elsewhere")
            for stream, version, what in checkpoint_problems(kept_rows, key, found.hashes)
        ]
        for row in kept_rows:
            if row not in checkpoints:
                found.problems.append(Problem(f"checkpoint {row[0]}", 0, "is not as the copy kept elsewhere"))
        return Verified(
            streams=len(heads),
            events=found.events,
            postings=found.postings,
            checkpoints=len(checkpoints),
            signatures=key is not None,
            problems=tuple(sorted(found.problems, key=lambda problem: (problem.stream, problem.version))),
            seconds=time.monotonic() - began,
        )
    finally:
        store.close()


def _desk(store: SqlStore) -> Desk:
    """A desk to fold with; nothing is asked of it that needs the key of the decks."""
    return Desk(store=store, clock=SystemClock(), cards=SecureCards(), decks=DeckBox(bytes(32)))


def _share_out(
    where: Settings,
    streams: Mapping[str, Head],
    wanted: Mapping[str, frozenset[int]],
    workers: int,
    found: Checked,
    task: Task,
) -> None:
    """Give the processes streams in shares of about as many events, a few for each."""
    count = min(len(streams), SHARES_EACH * workers)
    shares: list[dict[str, Head]] = [{} for _ in range(count)]
    sizes = [0] * count
    for stream in sorted(streams, key=lambda name: -streams[name].version):
        least = sizes.index(min(sizes))
        shares[least][stream] = streams[stream]
        sizes[least] += streams[stream].version
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        with _ctrl_c_is_for_this_process():
            asked = [pool.submit(_check_share, where, share, dict(wanted)) for share in shares]
        try:
            for done in as_completed(asked):
                found.add(done.result())
                task.advance(done.result().events)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


@contextmanager
def _ctrl_c_is_for_this_process() -> Iterator[None]:
    """Processes begun meanwhile hear no Ctrl-C of the terminal: whoever answers for the work ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _check_share(where: Settings, streams: dict[str, Head], wanted: dict[str, frozenset[int]]) -> Checked:
    store = open_store(where)
    try:
        with store.reading() as reader:
            return check_streams(_desk(store), reader, streams, wanted=wanted)
    finally:
        store.close()
