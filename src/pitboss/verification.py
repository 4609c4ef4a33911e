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
from pitboss.floor.desk import Desk
from pitboss.floor.ports import NO_HEAD, Head
from pitboss.floor.registry import STREAM
from pitboss.floor.sealing import DeckBox
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
        with store.reading() as reader:  # one moment of a floor that may be at work
            checkpoints = read_checkpoints(reader)
            wanted = versions_signed(checkpoints)
            heads = reader.heads()
            total = sum(head.version for head in heads.values())
            workers = processes or (os.cpu_count() or 1 if total >= WORTH_SHARING else 1)
            desk = _desk(store)
            found = check_streams(desk, reader, {STREAM: heads.get(STREAM, NO_HEAD)}, wanted=wanted)
            others = {stream: head for stream, head in heads.items() if stream != STREAM}
            if not found.problems and workers == 1:
                found.add(check_streams(desk, reader, others, wanted=wanted))
            elif not found.problems:
                _share_out(where, others, wanted, workers, found)
            if not found.problems:
                check_whole(desk, reader, found)
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


def _desk(store: SqlStore) -> Desk:
    """A desk to fold with; nothing is asked of it that needs the key of the decks."""
    return Desk(store=store, clock=SystemClock(), cards=SecureCards(), decks=DeckBox(bytes(32)))


def _share_out(
    where: Settings,
    streams: Mapping[str, Head],
    wanted: Mapping[str, frozenset[int]],
    workers: int,
    found: Checked,
) -> None:
    """Give each process streams of about as many events."""
    shares: list[dict[str, Head]] = [{} for _ in range(workers)]
    sizes = [0] * workers
    for stream in sorted(streams, key=lambda name: -streams[name].version):
        least = sizes.index(min(sizes))
        shares[least][stream] = streams[stream]
        sizes[least] += streams[stream].version
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for share in pool.map(_check_share, [where] * workers, shares, [dict(wanted)] * workers):
            found.add(share)


def _check_share(where: Settings, streams: dict[str, Head], wanted: dict[str, frozenset[int]]) -> Checked:
    store = open_store(where)
    try:
        with store.reading() as reader:
            return check_streams(_desk(store), reader, streams, wanted=wanted)
    finally:
        store.close()
