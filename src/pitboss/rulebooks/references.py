"""Where a book's data cite clauses: for the validator, and for whoever asks what a clause does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from pitboss.rulebooks.book import Book

CITING = (
    "clauses",
    "too-large",
    "too-small",
    "late-wager",
    "late-withdrawal",
    "others-box",
    "others-jackpot",
    "not-your-decision",
)
"""How the keys end that cite clauses."""


def citations(book: Book) -> Iterator[tuple[str, str]]:
    """Every citation in the book's data: the path of the key, and the clause it names."""
    for name, field in type(book).model_fields.items():
        key = field.alias or name
        if key not in ("clauses", "identity"):
            yield from _walk(key, getattr(book, name), cites=False)


def _walk(path: str, value: Any, *, cites: bool) -> Iterator[tuple[str, str]]:
    if cites and isinstance(value, str):
        yield path, value
    elif isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            key = field.alias or name
            yield from _walk(f"{path}.{key}", getattr(value, name), cites=key.endswith(CITING))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _walk(f"{path}.{key}", inner, cites=cites)
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _walk(f"{path}[{index}]", inner, cites=cites)
