"""The short forms of the fault drills: the clients' own journal decides what was lost or done twice.

`make prove PART=drills` has the long forms, `tests/whole/test_floor_crashes.py` the jackpot claims of four processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from support.fault_drills import Figures, clients_of_a_file, faults_of_a_lasting_store, stores_that_lose
from support.kills import kill_folder

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]


def _hold(evening: Callable[[Path], Coroutine[Any, Any, list[Figures]]]) -> list[Figures]:
    """The figures of an evening of drills, in each of which nothing was lost or done twice."""
    with kill_folder() as folder:
        found = asyncio.run(evening(folder))
    assert all(one.holds for one in found), "\n".join(str(one) for one in found)
    return found


def test_a_store_that_lasts_loses_and_doubles_nothing() -> None:
    """Network cut, disk full, pool exhausted, servers stopped and killed, clock stepped, standbys promoted."""
    assert sum(one.kills for one in _hold(faults_of_a_lasting_store)) == 4


def test_a_store_that_lost_commits_is_served_once_they_are_named() -> None:
    """A lagging standby promoted, and a restore to an earlier moment, under live servers."""
    assert all(one.named for one in _hold(stores_that_lose))


def test_eight_clients_on_sqlite_lose_and_double_nothing() -> None:
    """One server and one file: eight clients at once, a full disk, the server killed."""
    assert all(one.acknowledged for one in _hold(clients_of_a_file))
