"""The worked cases of `tests/cases/<book>.toml`: what every pay, comparison and conduct does to the money."""

from __future__ import annotations

import pytest

from pitboss.rulebooks import load_plan
from support import BOOKS
from support.cases import Case, mistakes, read_cases

CASES = [case for book in BOOKS for case in read_cases(book)]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.book}: {case.title}" for case in CASES])
def test_worked_case(case: Case) -> None:
    assert list(mistakes(case)) == []
    assert set(case.clauses) <= set(load_plan(case.book).register)


def test_titles_are_unique() -> None:
    for book in BOOKS:
        titles = [case.title for case in CASES if case.book == book]
        assert len(set(titles)) == len(titles)
