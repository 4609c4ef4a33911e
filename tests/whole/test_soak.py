"""The short form of the soak: a server killed, the database killed, the clock stepped, and nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from soak import soak, told

pytestmark = pytest.mark.whole


def test_nothing_is_lost_under_load_and_trouble(tmp_path: Path) -> None:
    seen, problems = soak(tmp_path, seconds=20, tables=5, seats=2, rounds_an_hour=3600, seed=1)
    assert problems == []
    assert seen.kills >= 1
    assert seen.database_kills >= 1
    assert seen.clock_steps >= 1
    assert len(seen.answered) > 100, told(seen)
