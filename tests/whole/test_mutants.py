"""A sample of the mutants of `make prove`: what is changed in a book's data is noticed by some test."""

from __future__ import annotations

import pytest

from support import BOOKS
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


def test_the_books_as_they_are_pass_what_their_mutants_fail() -> None:
    from support.mutants import evidence

    for book in BOOKS:
        for _, check in evidence(book):
            check()
