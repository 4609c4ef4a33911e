"""The prices on the pages about readings are those that are counted."""

from __future__ import annotations

import json

import pytest

from docs_prices import FILE, priced

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]


@pytest.mark.parametrize("book", ["mbs-3cp-2023"])
def test_the_prices_of_a_book_are_those_that_are_counted_now(book: str) -> None:
    assert json.loads(FILE.read_text())["books"][book] == priced(book)
