"""The simulator: the same rounds for the same seed on any number of threads or machines.

Rounds come in chunks of a fixed size; a chunk's cards depend on the seed and its number alone. What chunks
add up are integers, merged in their order, so that a run can stop after any chunk and go on later.
"""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pitboss.errors import BadInput
from pitboss.maths.compiling import cache_home, computing, thread_count
from pitboss.maths.kernels.simulate import (
    FIRST_BETS,
    FOURTHS,
    LAST_BETS,
    ROUNDS,
    SQUARES,
    SUMS,
    THIRDS,
    TOTAL,
)
from pitboss.maths.rounds import Table
from pitboss.parts import require
from pitboss.progress import interrupted

CHUNK_ROUNDS = 1 << 16
CHUNKS_A_TASK = 4
BAND = 1.959963984540054
"""Standard errors either side of the mean that hold 95 % of it."""
POINTS = 200
CONNECT_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What determines every card of a simulation. `key` names game and strategy, for a run to be resumed."""

    key: str
    seed: int
    seats: int

    def state_path(self) -> Path:
        """Where an unfinished run is kept."""
        name = f"{self.key}-{self.seed}-{self.seats}"
        return cache_home() / "simulations" / f"{name}.json"


@dataclass(slots=True)
class Totals:
    """What has been added up. `trail` holds points of the way: rounds, mean, standard error."""

    lowest: int
    histogram: list[int]
    sums: list[int] = field(default_factory=lambda: [0] * SUMS)
    chunks: int = 0
    trail: list[tuple[int, float, float]] = field(default_factory=list)

    def add(self, histogram: list[int], sums: list[int], *, chunks: int) -> None:
        """Add the sums of some chunks."""
        self.histogram = [mine + other for mine, other in zip(self.histogram, histogram, strict=True)]
        self.sums = [mine + other for mine, other in zip(self.sums, sums, strict=True)]
        self.chunks += chunks

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return self.sums[ROUNDS]

    @property
    def seats(self) -> int:
        """How many seats played in each."""
        return sum(self.histogram) // self.rounds if self.rounds else 0

    @property
    def mean(self) -> float:
        """Net antes of a seat."""
        return self.sums[TOTAL] / (self.rounds * self.seats)

    @property
    def standard_deviation(self) -> float:
        """Of a seat's net result."""
        return math.sqrt(self._moment(2))

    @property
    def round_variance(self) -> float:
        """Of all seats' net result together."""
        mean = self.sums[TOTAL] / self.rounds
        return max(0.0, self.sums[SQUARES] / self.rounds - mean * mean)

    @property
    def standard_error(self) -> float:
        """Of the mean; seats of one round share cards, so it comes from whole rounds."""
        return math.sqrt(self.round_variance / self.rounds) / self.seats

    @property
    def deviation_error(self) -> float:
        """The standard error of the standard deviation; it comes from whole rounds, too.

        The variance is a mean of squares less the mean's square, so its error is that of the squares less
        twice the mean times the net results.
        """
        variance, n = self._moment(2), self.rounds
        if not variance:
            return 0.0
        total, squares = self.sums[TOTAL] / n, self.sums[SQUARES] / n
        second = sum(count * (self.lowest + at) ** 2 for at, count in enumerate(self.histogram)) / n
        of_squares = self.sums[FOURTHS] / n - second**2
        of_total = squares - total**2
        together = self.sums[THIRDS] / n - second * total
        mean = self.mean
        spread = max(0.0, of_squares + 4 * mean**2 * of_total - 4 * mean * together)
        return math.sqrt(spread / n) / self.seats / (2 * math.sqrt(variance))

    @property
    def covariance(self) -> float | None:
        """Of two seats of one round; None with a single seat."""
        if self.seats < 2:
            return None
        return (self.round_variance / self.seats - self._moment(2)) / (self.seats - 1)

    @property
    def bets(self) -> list[float]:
        """How often each bet was placed, per hand."""
        return [count / (self.rounds * self.seats) for count in self.sums[FIRST_BETS:LAST_BETS]]

    def _moment(self, order: int) -> float:
        mean = self.mean
        total = sum(
            count * (self.lowest + at - mean) ** order for at, count in enumerate(self.histogram) if count
        )
        return total / (self.rounds * self.seats)


Progress = Callable[[Totals], None]


class Workers(Protocol):
    """Something that settles tasks of chunks."""

    width: int

    def submit(self, run: Run, first: int, rounds: list[int]) -> Any:
        """Begin with some chunks, the first by its number."""

    def result(self, task: Any) -> tuple[list[int], list[int]]:
        """The sums of what was begun, once they are there."""


def task(table: Table, run: Run, first: int, rounds: list[int]) -> tuple[list[int], list[int]]:
    """The sums of consecutive chunks of so many rounds each."""
    histogram = np.zeros(table.highest - table.lowest + 1, np.int64)
    sums = np.zeros(SUMS, np.int64)
    for at, size in enumerate(rounds):
        more, others = table.chunk(seed=run.seed, chunk=first + at, rounds=size, seats=run.seats)
        histogram += more
        sums += others
    return histogram.tolist(), sums.tolist()


class Threads:
    """The threads of this machine."""

    def __init__(self, pool: ThreadPoolExecutor, table: Table, count: int) -> None:
        self.pool, self.table, self.width = pool, table, 2 * count

    def submit(self, run: Run, first: int, rounds: list[int]) -> Future[tuple[list[int], list[int]]]:
        return self.pool.submit(task, self.table, run, first, rounds)

    def result(self, submitted: Future[tuple[list[int], list[int]]]) -> tuple[list[int], list[int]]:
        return submitted.result()


class Cluster:
    """The workers of a Dask cluster; the table is sent to them once."""

    def __init__(self, client: Any, table: Table) -> None:
        self.client = client
        self.table = client.scatter(table, broadcast=True)
        self.width = 3 * max(1, sum(client.nthreads().values()))

    def submit(self, run: Run, first: int, rounds: list[int]) -> Any:
        return self.client.submit(task, self.table, run, first, rounds, pure=False)

    def result(self, submitted: Any) -> tuple[list[int], list[int]]:
        histogram, sums = submitted.result()
        return histogram, sums


@contextmanager
def workers_for(table: Table, *, cluster: str | None = None, threads: int | None = None) -> Iterator[Workers]:
    """This machine's threads, or the cluster at an address such as `tcp://host:8786`."""
    if cluster is None:
        count = threads or thread_count()
        with ThreadPoolExecutor(count) as pool:
            yield Threads(pool, table, count)
        return
    require("cluster", place="--cluster")
    from distributed import Client

    try:
        client: Any = Client(cluster, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise BadInput(
            "--cluster", f"no Dask scheduler answers at {cluster}", "start one with: dask scheduler"
        ) from error
    with client:
        if not client.nthreads():
            raise BadInput(
                "--cluster", f"the cluster at {cluster} has no workers", "start one with: dask worker"
            )
        yield Cluster(client, table)


def simulate(
    table: Table,
    run: Run,
    rounds: int,
    workers: Workers,
    *,
    progress: Progress = lambda totals: None,
    resume: bool = False,
) -> tuple[Totals, bool]:
    """Simulate up to `rounds` rounds; the totals, and whether the run was interrupted on the way.

    What is done is kept on disk as the run goes; with `resume` it is taken up where it was left.
    """
    totals = (_kept(run, table) if resume else None) or Totals(
        table.lowest, [0] * (table.highest - table.lowest + 1)
    )
    whole, rest = divmod(rounds, CHUNK_ROUNDS)
    if totals.chunks > whole:
        raise BadInput("--resume", f"{totals.rounds:,} rounds are done already", "ask for more with --rounds")
    with computing("simulating", "simulation"):
        table.chunk(
            seed=run.seed, chunk=0, rounds=1, seats=run.seats
        )  # compiled once, before the threads begin
        try:
            _whole_chunks(totals, run, whole, workers, progress)
        except KeyboardInterrupt:
            interrupted(is_so=False)  # it is answered with what there is
            _keep(run, totals)
            return totals, True
    _keep(run, totals)
    if rest:
        totals.add(*task(table, run, whole, [rest]), chunks=0)
    if not totals.trail or totals.trail[-1][0] != totals.rounds:
        totals.trail.append((totals.rounds, totals.mean, totals.standard_error))
    if rest:
        progress(totals)
    return totals, False


def _whole_chunks(totals: Totals, run: Run, whole: int, workers: Workers, progress: Progress) -> None:
    """Merge chunk after chunk, in order, while the workers are kept busy."""
    pending: deque[tuple[Any, int]] = deque()
    following = totals.chunks
    step = max(1, whole // POINTS)
    kept_at = totals.chunks
    while following < whole or pending:
        while following < whole and len(pending) < workers.width:
            size = min(CHUNKS_A_TASK, whole - following)
            pending.append((workers.submit(run, following, [CHUNK_ROUNDS] * size), size))
            following += size
        submitted, size = pending.popleft()
        totals.add(*workers.result(submitted), chunks=size)
        if not totals.trail or totals.chunks // step > totals.trail[-1][0] // CHUNK_ROUNDS // step:
            totals.trail.append((totals.rounds, totals.mean, totals.standard_error))
        if totals.chunks - kept_at >= 4096:
            _keep(run, totals)
            kept_at = totals.chunks
        progress(totals)


def _keep(run: Run, totals: Totals) -> None:
    path = run.state_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "lowest": totals.lowest,
        "histogram": totals.histogram,
        "sums": totals.sums,
        "chunks": totals.chunks,
        "trail": totals.trail,
    }
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(document))
    draft.replace(path)


def _kept(run: Run, table: Table) -> Totals | None:
    try:
        document = json.loads(run.state_path().read_text())
    except (OSError, ValueError):
        return None
    if document.get("lowest") != table.lowest or len(document.get("sums", ())) != SUMS:
        return None
    document["trail"] = [tuple(point) for point in document["trail"]]
    return Totals(**document)
