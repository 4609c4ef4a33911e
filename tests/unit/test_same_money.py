"""`pitboss run` and a floor with one table play the same scripts to the same money."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import BOOKS
from support.same_money import a_script_moves_the_same_money_on_a_floor


@pytest.mark.parametrize("book", BOOKS)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**48))
def test_a_script_moves_the_same_money_on_a_floor(book: str, seed: int) -> None:
    a_script_moves_the_same_money_on_a_floor(book, seed)
