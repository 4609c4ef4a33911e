"""What tests cost: processor time by kind and test at the end of a run, and an order that keeps all workers busy.

The processor time of a test is that of its process and of every process below it: browsers, servers, databases.
A database that a test both starts and stops is not counted.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

import psutil
import pytest

from support.databases import started_databases

KINDS = ("unit", "browser", "database", "kernels")
RECORD = Path(__file__).parent.parent / "costs.json"
"""Seconds of the tests that take longest. It only orders tests, so it does no harm when it is out of date."""
RECORDED_FROM = 0.5
"""Seconds from which a test is worth a line in the record."""
TOGETHER = 20.0
"""Tests of one file stay on one worker, which prepares what they share once, up to so many seconds."""
TESTS_A_GROUP = 40
"""Quick tests of one file stay together up to this number."""
DEAREST = 10
_BEGAN = pytest.StashKey[tuple[bool, float]]()
_COSTS = pytest.StashKey["dict[str, Cost]"]()
_COST = "pitboss_cost"
"""The attribute of a report that has the kind and processor seconds of its test; its properties are counts."""


class Cost:
    """What one test took: its kind, processor seconds, and seconds on the clock."""

    __slots__ = ("kind", "processor", "seconds")

    def __init__(self, kind: str) -> None:
        self.kind, self.processor, self.seconds = kind, 0.0, 0.0


# --- measuring --------------------------------------------------------------------------------------------


def kind_of(item: pytest.Item) -> str:
    """What a test keeps the processors busy with: its marker says so, or the fixtures it uses."""
    marker = item.get_closest_marker("kind")
    if marker is not None:
        return str(marker.args[0])
    fixtures = getattr(item, "fixturenames", ())
    return "browser" if "browser" in fixtures else "database" if "postgres" in fixtures else "unit"


def processor_seconds(*, family: bool) -> float:
    """Used so far by this process and the children it has waited for; with `family` also by those that live."""
    times = os.times()
    spent = times.user + times.system + times.children_user + times.children_system
    return spent + sum(map(_seconds_of, _family())) if family else spent


def _family() -> Iterable[psutil.Process]:
    yield from psutil.Process().children(recursive=True)
    for database in started_databases():
        yield database
        yield from database.children(recursive=True)


def _seconds_of(process: psutil.Process) -> float:
    try:
        return float(sum(process.cpu_times()[:4]))
    except psutil.Error:  # it has ended since it was listed
        return 0.0


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    family = kind_of(item) != "unit" or nextitem is None  # the browser of the worker ends with its last test
    item.stash[_BEGAN] = family, processor_seconds(family=family)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown":
        family, began = item.stash[_BEGAN]
        spent = processor_seconds(family=family) - began
        vars(report)[_COST] = kind_of(item), max(0.0, spent)
    return report


# --- telling ----------------------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"kind(name): what a test keeps the processors busy with: {', '.join(KINDS)}"
    )
    config.stash[_COSTS] = {}
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Ledger(config.stash[_COSTS]))


class _Ledger:
    """Collects what the tests of all workers report."""

    def __init__(self, costs: dict[str, Cost]) -> None:
        self.costs = costs

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cost = self.costs.setdefault(report.nodeid, Cost("unit"))
        cost.seconds += report.duration
        cost.kind, cost.processor = vars(report).get(_COST, (cost.kind, cost.processor))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    costs = config.stash[_COSTS]
    if config.getoption("record_costs"):
        write_record(costs)
    if len(costs) > DEAREST:
        terminalreporter.section("where the time goes")
        for line in summary(costs):
            terminalreporter.write_line(line)


def summary(costs: Mapping[str, Cost]) -> Iterator[str]:
    """The dearest tests, then the processor time of each kind, as lines."""
    yield f"the {DEAREST} dearest tests, in processor seconds"
    for name, cost in sorted(costs.items(), key=lambda entry: -entry[1].processor)[:DEAREST]:
        yield f"{cost.processor:8.1f}  {cost.kind:8}  {name}"
    yield "by kind"
    for kind in KINDS:
        some = [cost for cost in costs.values() if cost.kind == kind]
        if some:
            spent, seconds = sum(cost.processor for cost in some), sum(cost.seconds for cost in some)
            tests = "test" if len(some) == 1 else "tests"
            yield f"{spent:8.1f}  {kind:8}  {len(some):5} {tests}, {seconds:.0f} s on the clock"
    yield f"{sum(cost.processor for cost in costs.values()):8.1f}  all"


# --- ordering ---------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-costs", action="store_true", help=f"write how long tests take to {RECORD.name}"
    )


def write_record(costs: Mapping[str, Cost]) -> None:
    """Keep the seconds of the tests worth a line."""
    slow = {
        name: round(cost.seconds, 1) for name, cost in sorted(costs.items()) if cost.seconds >= RECORDED_FROM
    }
    RECORD.write_text(json.dumps(slow, indent=0, ensure_ascii=False) + "\n")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker begins with its share of what takes long, and the quick tests fill the gaps at the end."""
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    if workers > 1:
        recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
        seconds = {item.nodeid: float(recorded.get(item.nodeid, 0.01)) for item in items}
        by_id = {item.nodeid: item for item in items}
        solving = {name for name, item in by_id.items() if kind_of(item) == "kernels"}
        items[:] = [by_id[name] for name in shared_out(seconds, workers, together=solving)]


def shared_out(seconds: Mapping[str, float], workers: int, *, together: Set[str] = frozenset()) -> list[str]:
    """The tests in an order of which each worker takes an equal number in a row, and about an equal time.

    xdist hands every worker as many tests as every other at first; a worker that is done takes from the others.
    Those `together` begin on one worker: games that are solved there are not solved elsewhere.
    """
    shares: list[list[list[str]]] = [[] for _ in range(workers)]
    loads = [0.0] * workers
    groups = [[name for name in seconds if name in together]] if together else []
    groups += _groups({name: each for name, each in seconds.items() if name not in together})
    for group in sorted(groups, key=lambda names: -sum(seconds[name] for name in names)):
        least = loads.index(min(loads))
        shares[least].append(group)
        loads[least] += sum(seconds[name] for name in group)
    rows = [[name for group in share for name in group] for share in shares]
    return _evened_out(rows)


def _groups(seconds: Mapping[str, float]) -> Iterator[list[str]]:
    """Tests of one file in its order, a new group where the file takes long or has many."""
    files: dict[str, list[str]] = defaultdict(list)
    for name in seconds:
        files[name.partition("::")[0]].append(name)
    for names in files.values():
        group: list[str] = []
        for name in names:
            if group and (
                sum(map(seconds.__getitem__, [*group, name])) > TOGETHER or len(group) == TESTS_A_GROUP
            ):
                yield group
                group = []
            group.append(name)
        yield group


def _evened_out(rows: Sequence[list[str]]) -> list[str]:
    """The rows behind each other, of equal length: what one has too many at its end goes to those with too few."""
    total = sum(map(len, rows))
    wanted = [total // len(rows) + (at < total % len(rows)) for at in range(len(rows))]
    spare = [name for row, length in zip(rows, wanted, strict=True) for name in row[length:]]
    even = []
    for row, length in zip(rows, wanted, strict=True):
        missing = max(0, length - len(row))
        even += row[:length] + spare[:missing]
        del spare[:missing]
    return even
