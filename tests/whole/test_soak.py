"""The short form of the soak: a server killed, the database killed, the clock stepped, and nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from soak import WINDOW_SECONDS, Figures, Seconds, not_flat, soak, told

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]


def test_nothing_is_lost_under_load_and_trouble(tmp_path: Path) -> None:
    seen, problems = soak(tmp_path, seconds=6, tables=3, seats=2, rounds_an_hour=3600, seed=1, count=2)
    assert problems == []
    assert seen.kills >= 1
    assert seen.database_kills >= 1
    assert seen.clock_steps >= 1
    assert len(seen.answered) > 30, told(seen)


def run_of(*latencies: float, mebibytes: float = 100) -> Figures:
    """Four quarters of one window each; the memory grows from quarter to quarter by so much over 100."""
    seen = Figures()
    for quarter, seconds in enumerate(latencies):
        at = quarter * WINDOW_SECONDS
        seen.latencies[quarter] = [seconds] * 100
        for look in (at + 1, at + 10):
            acts = quarter * 100 + (look - at) * 10
            seen.processor.append((look, acts, Seconds(acts * 0.001, acts * 0.02, acts * 0.001)))
            seen.memory.append((look, int((100 + (mebibytes - 100) * quarter / 3) * 2**20)))
    return seen


def test_what_grows_is_told() -> None:
    assert not_flat(run_of(0.1, 0.1, 0.1, 0.1)) == []
    assert not_flat(run_of(0.1, 0.12, 0.14, 0.16)) == [
        "p50 of an act rose by 60% from the first quarter to the last, more than 15%",
        "p99 of an act rose by 60% from the first quarter to the last, more than 50%",
    ]
    assert [line[:6] for line in not_flat(run_of(0.1, 0.1, 0.1, 0.1, mebibytes=130))] == ["memory"]
    assert not_flat(run_of(0.1)) == ["too short to say whether anything grows"]
