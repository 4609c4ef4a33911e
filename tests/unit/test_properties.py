"""What holds of every settlement, whatever the round, the book and the readings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import BOOKS
from support.properties import PROPERTIES


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda holds: holds.__name__)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**48))
def test_property(holds: Callable[[str, int], None], book: str, seed: int) -> None:
    holds(book, seed)
