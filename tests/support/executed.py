"""A clause counts when a test fails without it: mutants that take one citation, or what a clause stands behind, out.

They are made from the documents of the books, whatever tables those have: one number leaves one list of clauses
(where it is alone there, another clause of the register takes its place), or an entry that cites clauses goes
whole. Only evidence that cites the clause is asked. `tests/executed.json` keeps the result, clause by clause;
`python tools/executed.py` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.rulebooks.document import read_document
from pitboss.rulebooks.references import CITING
from support.mutants import Mutant, Path_, is_sound

FILE = Path(__file__).parent.parent / "executed.json"
LEFT_OUT = ("clauses", "identity", "readings", "extends")
"""Tables that are not carried out: the register itself, and where the text is open."""
MOST_TESTS = 3
"""So many tests are named for a clause."""


class Without(NamedTuple):
    """A book without what a clause does: the change, and the clauses that are concerned."""

    clauses: frozenset[str]
    mutant: Mutant


@lru_cache(maxsize=8)
def withouts(book: str) -> tuple[Without, ...]:
    """Every mutant of a book that takes out a citation, or an entry with its clauses, in a fixed order."""
    tables = read_document(book).tables
    return (*_citations_out(book, tables), *_entries_out(book, tables))


def _citations_out(book: str, tables: Mapping[str, Any]) -> Iterator[Without]:
    for path, cited in _lists((), tables, cites=False):
        for index, clause in enumerate(cited):
            rest = cited[:index] + cited[index + 1 :] or [_stand_in(tables, clause)]
            yield Without(frozenset({clause}), Mutant(book, path, rest, defaults_too=True))
    for path, clause in _single((), tables, cites=False):
        mutant = Mutant(book, path, _stand_in(tables, clause), defaults_too=True)
        yield Without(frozenset({clause}), mutant)


def _stand_in(tables: Mapping[str, Any], clause: str) -> str:
    """A clause of the register that says nothing of its own: a heading."""
    headings = (number for number, entry in tables["clauses"].items() if entry["kind"] == "meta")
    return str(next(number for number in headings if number != clause))


def _lists(path: Path_, value: Any, *, cites: bool) -> Iterator[tuple[Path_, list[str]]]:
    """Lists of clauses, wherever they stand."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if path or key not in LEFT_OUT:
                yield from _lists((*path, key), inner, cites=cites or key.endswith(CITING))
    elif isinstance(value, list):
        if cites and value and all(isinstance(item, str) for item in value):
            yield path, value
        else:
            for index, inner in enumerate(value):
                yield from _lists((*path, index), inner, cites=cites)


def _single(path: Path_, value: Any, *, cites: bool) -> Iterator[tuple[Path_, str]]:
    """Clauses that stand alone, such as the one of a class of hands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if path or key not in LEFT_OUT:
                yield from _single((*path, key), inner, cites=cites or key.endswith(CITING))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, dict):
                yield from _single((*path, index), inner, cites=cites)
    elif cites and isinstance(value, str):
        yield path, value


def _entries_out(book: str, tables: Mapping[str, Any]) -> Iterator[Without]:
    for path in _entries((), tables):
        inner: Any = tables
        for part in path:
            inner = inner[part]
        own = frozenset(clause for _, cited in _lists(path, inner, cites="bases" in path) for clause in cited)
        if own:
            yield Without(own, Mutant(book, path, None))


def _entries(path: Path_, value: Any) -> Iterator[Path_]:
    """Rows of a list, and entries of a table, that cite clauses of their own."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not path and key in LEFT_OUT:
                continue
            cites = isinstance(inner, dict) and any(name.endswith(CITING) for name in inner)
            if (len(path) and cites) or (path and path[-1] == "bases"):
                yield (*path, key)
            yield from _entries((*path, key), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            if isinstance(inner, dict):
                yield (*path, index)
                yield from _entries((*path, index), inner)


def is_tried(without: Without) -> bool:
    """Whether the change makes another book at all: the validator takes it, and money may be said by it."""
    return is_sound(without.mutant) and not _without_a_line(without.mutant)


def _without_a_line(mutant: Mutant) -> bool:
    """A cell that collects or returns where no stake is: a payment without a stake has a line only where it pays."""
    tables = read_document(mutant.book).tables
    if mutant.path[0] != "settlement" or len(mutant.path) < 3:
        return False
    _, wager, situation, *_ = mutant.path
    extra = tables["wagers"].get(wager, {}).get("extra-on") is not None
    return extra and tables["settlement"][wager][situation]["then"] != "pay"


def recorded() -> dict[str, dict[str, list[str]]]:
    """For each book and clause the evidence that fails without it, as it was recorded."""
    found: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
