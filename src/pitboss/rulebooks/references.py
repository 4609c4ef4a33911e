"""Where a book's data cite clauses: for the validator, and for whoever asks what a clause does."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from functools import cache
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
    "bases",
)
"""How the keys end that cite clauses."""


def citations(book: Book) -> Iterator[tuple[str, str]]:
    """Every citation in the book's data: the path of the key, and the clause it names."""
    for name, key, cites in _below(Book):
        if key not in ("clauses", "identity"):
            yield from _walk(key, getattr(book, name), cites=cites)


def _walk(path: str, value: Any, *, cites: bool) -> Iterator[tuple[str, str]]:
    if cites and isinstance(value, str):
        yield path, value
    elif isinstance(value, BaseModel):
        for name, key, citing in _below(type(value)):
            yield from _walk(f"{path}.{key}", getattr(value, name), cites=citing)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(f"{path}.{key}", inner, cites=cites)
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _walk(f"{path}[{index}]", inner, cites=cites)


@cache
def _below(model: type[BaseModel]) -> tuple[tuple[str, str, bool], ...]:
    """The fields in or below which citations can stand: name, key, and whether the key itself cites."""
    keys = [(name, field.alias or name, field.annotation) for name, field in model.model_fields.items()]
    return tuple(
        (name, key, key.endswith(CITING))
        for name, key, annotation in keys
        if key.endswith(CITING) or any(map(_below, _models_in(annotation)))
    )


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from _models_in(inner)
