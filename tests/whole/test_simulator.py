"""The simulator: near the exact value, the same rounds however it is run."""

from __future__ import annotations

import json
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from pitboss.maths import simulator
from pitboss.maths.compiling import cache_folder
from pitboss.maths.main_game import play
from pitboss.maths.rounds import Table, table_for
from pitboss.maths.simulator import Run, Totals, simulate, workers_for
from pitboss.maths.strategies import EVERY_HAND, OPTIMAL
from support.maths import solution_of
from support.signals import heed_ctrl_c

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]

ROUNDS = 400_000


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulator, "cache_home", lambda: tmp_path)


def run_of(
    table: Table, rounds: int = ROUNDS, *, threads: int = 2, seats: int = 1, resume: bool = False
) -> Totals:
    with workers_for(table, threads=threads) as workers:
        totals, interrupted = simulate(
            table, Run(key="test", seed=7, seats=seats), rounds, workers, resume=resume
        )
    assert not interrupted
    return totals


def test_millions_of_holdem_rounds_are_near_the_exact_value() -> None:
    """Thousands of millions in `make prove PART=simulation`."""
    rounds = 2_000_000
    solution = solution_of("mbs-thb-9")
    exact = play(solution)
    totals = run_of(table_for(solution, OPTIMAL), rounds)
    assert totals.rounds == sum(totals.histogram) == rounds
    assert abs(totals.mean - float(exact.ev)) < 3 * totals.standard_error
    assert abs(totals.standard_deviation - exact.distribution.standard_deviation) < 3 * totals.deviation_error
    for seen, often in zip(totals.bets, exact.decisions.values(), strict=True):
        assert abs(seen - float(often)) < 3 * (float(often * (1 - often)) / totals.rounds) ** 0.5


@pytest.mark.parametrize("book", ["mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"])
def test_every_net_result_is_one_the_solver_knows(book: str) -> None:
    solution = solution_of(book)
    for strategy in (OPTIMAL, EVERY_HAND):
        exact = play(solution, strategy)
        totals = run_of(table_for(solution, strategy), 500_000)
        seen = {totals.lowest + at for at, count in enumerate(totals.histogram) if count}
        assert seen <= set(exact.distribution.counts)
        assert abs(totals.mean - float(exact.ev)) < 4 * totals.standard_error


def test_the_same_rounds_on_any_number_of_threads() -> None:
    table = table_for(solution_of("mbs-3cp-2023"), OPTIMAL)
    one, three = run_of(table, threads=1, seats=6), run_of(table, threads=3, seats=6)
    assert (one.histogram, one.sums) == (three.histogram, three.sums)
    histogram, _ = simulator.task(table, Run(key="test", seed=8, seats=6), 0, [ROUNDS])
    assert histogram != one.histogram


def test_a_run_that_is_resumed_is_the_run_that_was_not_interrupted() -> None:
    table = table_for(solution_of("mbs-3cp-2023"), OPTIMAL)
    whole = run_of(table)
    run_of(table, 150_000)
    resumed = run_of(table, resume=True)
    assert (resumed.histogram, resumed.sums) == (whole.histogram, whole.sums)


@pytest.fixture
def cluster() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local:  # type: ignore[no-untyped-call]
        yield local.scheduler_address


@pytest.mark.filterwarnings("ignore")  # Dask and its servers warn of what is theirs
def test_the_same_rounds_on_a_cluster(cluster: str) -> None:
    table = table_for(solution_of("mbs-3cp-2023"), OPTIMAL)
    here = run_of(table)
    with workers_for(table, cluster=cluster) as workers:
        there, _ = simulate(table, Run(key="test", seed=7, seats=1), ROUNDS, workers)
    assert (there.histogram, there.sums) == (here.histogram, here.sums)


def processor_seconds(command: list[str], environment: dict[str, str]) -> float:
    """What a command takes of the processors from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wait_until_at_work(process: int, seconds: float) -> None:
    """Wait until a process has used so much of the processors."""
    ends = time.monotonic() + 300
    while sum(psutil.Process(process).cpu_times()[:2]) < seconds:
        assert time.monotonic() < ends, "it does nothing"
        time.sleep(0.1)


def test_interrupted_it_prints_what_was_done_and_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pitboss.cli.main", "simulate", "mbs-3cp-2023", "--json"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(Path.home()), "PITBOSS_CACHE": str(tmp_path)}
    shutil.copytree(cache_folder(), tmp_path / "pitboss" / cache_folder().name)  # compiled already
    short_run = processor_seconds([*command, "--rounds", "1e5"], environment)
    running = subprocess.Popen(
        [*command, "--rounds", "1e11"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    try:
        wait_until_at_work(running.pid, 1.5 * short_run)  # a run says nothing to a pipe
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "--resume goes on" in err
    done = json.loads(out)
    assert done["interrupted"] is True
    assert done["rounds"] > 100_000
    more = done["rounds"] + 65_536
    again = subprocess.run(
        [*command, "--rounds", str(more), "--resume"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(again.stdout)["rounds"] == more
