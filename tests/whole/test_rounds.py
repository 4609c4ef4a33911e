"""Ten thousand whole rounds a book: the round pays what `pitboss settle` pays on its facts."""

from __future__ import annotations

import pytest

from support import BOOKS
from support.rounds_played import settling_the_round_equals_settling_its_facts

pytestmark = pytest.mark.whole


@pytest.mark.parametrize("book", BOOKS)
def test_settlement_through_the_round_equals_settling_the_facts(book: str) -> None:
    for seed in range(10_000):
        settling_the_round_equals_settling_its_facts(book, seed)
