"""`verify`: the whole record of a floor checked, by as many processes as there are processors."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.ports import Head
from pitboss.floor.registry import STREAM
from pitboss.floor.service import Floor, ledger_differs
from pitboss.floor.verifying import Checked, Problem, check_streams, check_whole
from pitboss.store.keeping import checkpoint_problems, read_checkpoints, versions_signed
from pitboss.store.sql import SqlStore

WORTH_SHARING = 40_000
"""From so many events on several processes are quicker than one."""


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
        return not self.problems


def verify(where: Settings, *, processes: int | None = None) -> Verified:
    """Check hash chains, replay, ledger, heads, snapshots, decks and checkpoints."""
    began = time.monotonic()
    store = open_store(where)
    try:
        checkpoints = read_checkpoints(store)
        wanted = versions_signed(checkpoints)
        heads = store.heads()
        total = sum(head.version for head in heads.values())
        workers = processes or (os.cpu_count() or 1 if total >= WORTH_SHARING else 1)
        with store.reading() as reader:
            found = check_streams(_floor(store), reader, [STREAM], wanted=wanted)
            others = [stream for stream in heads if stream != STREAM]
            if not found.problems and workers == 1:
                found.add(check_streams(_floor(store), reader, others, wanted=wanted))
        if not found.problems and workers > 1:
            _share_out(where, others, heads, wanted, workers, found)
        with store.reading() as reader:
            floor = _floor(store)
            if not found.problems:
                check_whole(floor, reader, found)
        if not found.problems:
            for name in floor.registry.links:
                problem = ledger_differs(store, floor.link(name))
                if problem:
                    found.problems.append(Problem(f"link/{name}", 0, problem))
        key = checkpoint_key(where, create=False)
        if not found.problems:
            found.problems += [
                Problem(*problem) for problem in checkpoint_problems(checkpoints, key, found.hashes)
            ]
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


def _floor(store: SqlStore) -> Floor:
    """A floor to fold with; nothing is asked of it that needs the key of the decks."""
    return Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))


def _share_out(
    where: Settings,
    streams: list[str],
    heads: Mapping[str, Head],
    wanted: Mapping[str, frozenset[int]],
    workers: int,
    found: Checked,
) -> None:
    """Give each process streams of about as many events."""
    shares: list[list[str]] = [[] for _ in range(workers)]
    sizes = [0] * workers
    for stream in sorted(streams, key=lambda name: -heads[name].version):
        least = sizes.index(min(sizes))
        shares[least].append(stream)
        sizes[least] += heads[stream].version
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for share in pool.map(_check_share, [where] * workers, shares, [dict(wanted)] * workers):
            found.add(share)


def _check_share(where: Settings, streams: list[str], wanted: dict[str, frozenset[int]]) -> Checked:
    store = open_store(where)
    try:
        with store.reading() as reader:
            return check_streams(_floor(store), reader, streams, wanted=wanted)
    finally:
        store.close()
