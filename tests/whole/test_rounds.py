"""Whole rounds of each book, ten thousand in `make prove`: a round pays what `pitboss settle` pays on its facts."""

from __future__ import annotations

import os

import pytest

from support import BOOKS
from support.rounds_played import settling_the_round_equals_settling_its_facts

pytestmark = pytest.mark.whole


ROUNDS = 10_000 if os.environ.get("PROVE_LONG") else 3_000


@pytest.mark.parametrize("book", BOOKS)
def test_settlement_through_the_round_equals_settling_the_facts(book: str) -> None:
    for seed in range(ROUNDS):
        settling_the_round_equals_settling_its_facts(book, seed)
