"""Whole rounds of each book: a round pays what `pitboss settle` pays on its facts; `make prove PART=settle` has more."""

from __future__ import annotations

import pytest

from support import BOOKS
from support.rounds_played import settling_the_round_equals_settling_its_facts

pytestmark = pytest.mark.whole


ROUNDS = 1_200


@pytest.mark.parametrize("book", BOOKS)
def test_settlement_through_the_round_equals_settling_the_facts(book: str) -> None:
    for seed in range(ROUNDS):
        settling_the_round_equals_settling_its_facts(book, seed)
