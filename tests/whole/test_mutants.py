"""A sample of the mutants of `make prove`: what is changed in, or taken out of, a book's data is noticed."""

from __future__ import annotations

import pytest

from support import BOOKS
from support.evidence import evidence
from support.executed import is_tried, withouts
from support.mutants import is_sound, mutants, noticed_by, why_equivalent

pytestmark = pytest.mark.whole

STRIDE = 37
"""One in so many mutants is tried here; `make prove` tries all."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_changed_book_is_noticed(book: str) -> None:
    sample = [m for m in list(mutants(book))[::STRIDE] if is_sound(m) and not why_equivalent(m)]
    assert len(sample) > 4
    unnoticed = [str(mutant) for mutant in sample if noticed_by(mutant) is None]
    assert unnoticed == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_clause_taken_out_of_a_book_is_noticed(book: str) -> None:
    sample = [without for without in withouts(book)[::STRIDE] if is_tried(without)]
    assert len(sample) > 4
    unnoticed = [
        str(without.mutant)
        for without in sample
        if noticed_by(without.mutant, clauses=without.clauses) is None
    ]
    assert unnoticed == []


def test_the_books_as_they_are_pass_what_their_mutants_fail() -> None:
    for book in BOOKS:
        for piece in evidence(book):
            piece.check()
