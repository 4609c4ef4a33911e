"""What every line of money cites, and what people are shown with its clauses (`pytest --update` rewrites)."""

from __future__ import annotations

import pytest

from support import BOOKS
from support.cases import FOLDER
from support.evidence import cited_golden, shown_golden

GOLDENS = {"cited": cited_golden, "shown": shown_golden}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("kind", GOLDENS)
def test_clauses_are_those_of_the_golden(book: str, kind: str, request: pytest.FixtureRequest) -> None:
    found, file = GOLDENS[kind](book), FOLDER / f"{book}.{kind}.txt"
    if request.config.getoption("--update"):
        file.write_text(found)
    assert file.read_text() == found
