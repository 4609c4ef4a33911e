"""What the end of a run says about its costs, and how tests are shared out among workers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest

from support import costs
from support.costs import Cost, shared_out, summary

QUICK = 0.01


def cost(kind: str, processor: float) -> Cost:
    found = Cost(kind)
    found.processor, found.seconds = processor, 2 * processor
    return found


def test_the_dearest_tests_and_every_kind_are_named() -> None:
    spent = {f"tests/a.py::test_{n}": cost("unit", n) for n in range(12)} | {
        "tests/b.py::test_x": cost("browser", 7.5)
    }
    lines = list(summary(spent))
    named = [line.split()[-1] for line in lines[1:11]]
    assert named == [
        *(f"tests/a.py::test_{n}" for n in (11, 10, 9, 8)),
        "tests/b.py::test_x",
        *(f"tests/a.py::test_{n}" for n in (7, 6, 5, 4, 3)),
    ]
    assert lines[12:] == [
        "    66.0  unit         12 tests, 132 s on the clock",
        "     7.5  browser       1 test, 15 s on the clock",
        "    73.5  all",
    ]


def shares(order: list[str], workers: int) -> Iterator[list[str]]:
    """What each worker begins with, as xdist hands it out."""
    rest = len(order)
    at = 0
    for worker in range(workers):
        length = rest // (workers - worker)
        yield order[at : at + length]
        at, rest = at + length, rest - length


def test_every_worker_begins_with_its_share_of_what_takes_long() -> None:
    seconds = {f"slow_{n}.py::test": float(n) for n in range(1, 9)}
    seconds |= {f"quick.py::test_{n}": QUICK for n in range(300)}
    order = shared_out(seconds, 2)
    assert sorted(order) == sorted(seconds)
    sums = [sum(seconds[name] for name in share) for share in shares(order, 2)]
    assert abs(sums[0] - sums[1]) < 2
    for share in shares(order, 2):
        assert seconds[share[0]] >= 7, "the longest first"
        assert seconds[share[-1]] == QUICK


def test_tests_of_one_file_stay_together_until_they_take_long() -> None:
    seconds = {f"{file}.py::test_{n}": 3.0 for file in "ab" for n in range(12)}
    order = shared_out(seconds, 2)
    changes = sum(one[0] != two[0] for one, two in pairwise(order))
    assert changes <= 5
    assert max(len(group) for group in costs._groups(seconds)) == int(costs.TOGETHER // 3)


def test_games_are_solved_on_one_worker() -> None:
    seconds = {f"{file}.py::test_{n}": 1.0 for file in "abcd" for n in range(10)}
    solving = {name for name in seconds if name[0] in "ad"}
    counts = [len(solving & set(share)) for share in shares(shared_out(seconds, 2, together=solving), 2)]
    assert sorted(counts) == [0, 20]


def test_the_record_names_tests_that_take_long() -> None:
    recorded = json.loads(costs.RECORD.read_text())
    assert recorded
    assert all(seconds >= costs.RECORDED_FROM for seconds in recorded.values())


@pytest.mark.kind("kernels")
def test_a_marker_says_the_kind(request: pytest.FixtureRequest) -> None:
    assert costs.kind_of(request.node) == "kernels"


def test_other_tests_are_unit_tests(request: pytest.FixtureRequest) -> None:
    assert costs.kind_of(request.node) == "unit"
