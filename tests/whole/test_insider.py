"""An insider who knows deck and key before bets wins nothing by it where the order is composed.

`make prove PART=insider` has the long form, 100,000 rounds for each way.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.insider import Result, Way, run, uninformed

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]

ROUNDS, MOST_ERRORS = 4_000, 4
PAGE = Path(__file__).parent.parent.parent / "docs" / "fair-shuffle.md"


def documented(row: str) -> float:
    """What the page says that an insider wins for each ante, in a row of its table."""
    found = re.search(rf"^\| {re.escape(row)}[^|]*\| ([+−-][\d.]+) % \|", PAGE.read_text(), re.MULTILINE)
    assert found is not None, row
    return float(found[1].replace("−", "-")) / 100


def is_documented(result: Result, row: str) -> bool:
    return abs(float(result.back) - documented(row)) <= MOST_ERRORS * result.error + 0.005


@pytest.mark.parametrize("way", [Way.REVEALED, Way.BEACON])
def test_an_insider_wins_what_an_uninformed_player_wins(way: Way) -> None:
    found = run(way, rounds=ROUNDS, seed=1)
    assert abs(found.errors_from(uninformed())) <= MOST_ERRORS, way.value
    assert (found.withheld > ROUNDS // 10) is (way is Way.BEACON), "they withhold, and it is no use"
    assert is_documented(found, "nothing that helps")


@pytest.mark.parametrize("way", [Way.SEALED, Way.ALONE])
def test_the_same_insider_wins_without_an_honest_device(way: Way) -> None:
    """What is shown above would fail if nothing were composed, or nothing that the insider did not know."""
    found = run(way, rounds=ROUNDS // 4, seed=1)
    assert found.errors_from(uninformed()) > 5 * MOST_ERRORS
    assert is_documented(found, "the order of the cards")


@pytest.mark.parametrize("colluding", [1, 2, 3])
def test_what_withholding_without_a_beacon_wins_is_documented(colluding: int) -> None:
    found = run(Way.WITHHELD, colluding=colluding, rounds=ROUNDS // 2, seed=1)
    assert found.errors_from(uninformed()) > MOST_ERRORS
    assert is_documented(found, f"{colluding} colluding device")


def test_what_reading_the_composed_order_wins_is_documented() -> None:
    found = run(Way.READ, rounds=ROUNDS, seed=1)
    assert found.errors_from(uninformed()) > MOST_ERRORS
    assert is_documented(found, "the order once it is composed")
