"""Lighthouse on two screens; `make prove PART=lighthouse` has every screen, as the median of three runs.

The accessibility of every screen is also tested with axe, in the tests of the screens.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lighthouse import LEAST, scores_of

pytestmark = [pytest.mark.whole, pytest.mark.kind("browser")]
PAGES = {"": ("/",), "p1": ("/play/t1",)}


def test_the_lobby_and_a_table_have_at_least_95(tmp_path: Path) -> None:
    found = scores_of(tmp_path, PAGES)
    assert set(found) == {"/", "/play/t1"}
    for page, scores in found.items():
        assert set(scores) == {"accessibility", "best-practices"}
        assert min(scores.values()) >= LEAST, (page, scores)
