"""Loading: a reference and a choice of readings in, a plan out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pitboss.errors import BadInput, near_miss
from pitboss.rulebooks.book import Book
from pitboss.rulebooks.compile import compile_plan
from pitboss.rulebooks.document import Document, book_ids, read_document
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.validate import Defect, first_default_that_changes, parse_book
from pitboss.rulebooks.what_if import what_if


def load_plan(
    reference: str,
    readings: Mapping[str, str] | None = None,
    *,
    changes: Sequence[str] = (),
    place: str = "readings",
) -> Plan:
    """The plan of a rulebook under a choice of readings; what is not chosen stands at its default.

    `reference` is an id or a path. `changes` are figures to change, `WAGER.KEY=VALUE`. `place` says where the
    choice was written, for the error about it.
    """
    chosen = tuple(sorted((readings or {}).items()))
    try:
        if reference in book_ids() and not changes:
            return _bundled(reference, chosen)
        document = read_document(reference)
        if changes:
            load_book(document)
        return _load(what_if(document, changes), chosen)
    except UnknownReading as bad:
        raise BadInput(f"{place}.{bad.label}", bad.problem, bad.remedy) from bad


@lru_cache(maxsize=512)
def _bundled(reference: str, chosen: tuple[tuple[str, str], ...]) -> Plan:
    return _switched(read_document(reference), _bundled_book(reference), chosen)


@lru_cache(maxsize=8)
def _bundled_book(reference: str) -> Book:
    return load_book(read_document(reference))


class UnknownReading(BadInput):
    """A choice that a book does not offer; whoever knows where it was written says so."""

    def __init__(self, label: str, problem: str, remedy: str) -> None:
        super().__init__(label, problem, remedy)
        self.label = label


def load_book(document: Document) -> Book:
    """The data of a rulebook without defects, its readings at their defaults."""
    return _sound(document, *parse_book(document))


def _load(document: Document, chosen: tuple[tuple[str, str], ...]) -> Plan:
    book = load_book(document)
    conflict = first_default_that_changes(document, book)
    if conflict is not None:  # a user's change must not be undone in silence by the reading it belongs to
        raise BadInput(conflict.place, conflict.problem, conflict.remedy)
    return _switched(document, book, chosen)


def _switched(document: Document, book: Book, chosen: tuple[tuple[str, str], ...]) -> Plan:
    """The plan of a book under a choice of readings."""
    letters = choose_readings(book, dict(chosen))
    settings: dict[str, object] = {}
    for label, letter in letters.items():
        settings |= book.readings[label].options[letter].set
    switched = document.with_settings(settings)
    if switched != document:
        book = load_book(switched)
    return compile_plan(book, readings=letters, digest=document.digest())


def choose_readings(book: Book, chosen: Mapping[str, str]) -> dict[str, str]:
    """Every lettered reading of a book with its letter: the chosen one, else the default."""
    lettered = {label: reading for label, reading in book.readings.items() if reading.options}
    for label, letter in chosen.items():
        if label not in book.readings:
            raise UnknownReading(
                label, f"{book.identity.id} has no reading '{label}'", near_miss(label, lettered)
            )
        if label not in lettered:
            holds = book.readings[label].holds
            raise UnknownReading(
                label, f"{label} has no letters in {book.identity.id}", f"it is read: {holds}"
            )
        if letter not in lettered[label].options:
            options = ", ".join(lettered[label].options)
            raise UnknownReading(
                label, f"{label} has no letter '{letter}' in {book.identity.id}", f"it has {options}"
            )
    return {label: chosen.get(label, reading.default or "") for label, reading in lettered.items()}


def _sound(document: Document, book: Book | None, defects: list[Defect]) -> Book:
    if book is None:
        more = f" (and {len(defects) - 1} more)" if len(defects) > 1 else ""
        raise BadInput(
            f"rulebook {document.name}",
            f"{defects[0]}{more}",
            f"'pitboss rules validate {document.name}' lists all",
        )
    return book


def parse_choices(texts: list[str]) -> dict[str, str]:
    """Readings as they are given on a command line: `R-BONUS-LOSE=a`."""
    chosen: dict[str, str] = {}
    for text in texts:
        label, equals, letter = text.partition("=")
        if not equals or not label or not letter:
            raise BadInput(
                "--reading", f"'{text}' is no choice", "write label and letter, such as R-BONUS-LOSE=a"
            )
        if chosen.get(label, letter) != letter:
            raise BadInput(
                "--reading", f"{label} is chosen as {chosen[label]} and {letter}", "choose one letter"
            )
        chosen[label] = letter
    return chosen


def written_out(reference: str) -> tuple[str, str]:
    """The id of a rulebook and its data as one JSON text, to keep with what was played by it."""
    return _written_out_bundled(reference) if reference in book_ids() else _written_out(reference)


def _written_out(reference: str) -> tuple[str, str]:
    document = read_document(reference)
    return load_book(document).identity.id, document.text()


_written_out_bundled = lru_cache(maxsize=64)(_written_out)


def plan_of_text(name: str, text: str, readings: Mapping[str, str]) -> Plan:
    """The plan of a rulebook that was written out. Raises `BadInput` for text that is none."""
    return _plan_of_text(name, text, tuple(sorted(readings.items())))


@lru_cache(maxsize=128)
def _plan_of_text(name: str, text: str, chosen: tuple[tuple[str, str], ...]) -> Plan:
    try:
        tables = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"rulebook {name}", "is not JSON", "write it out again") from error
    if not isinstance(tables, dict):
        raise BadInput(f"rulebook {name}", "is not a rulebook's data", "write it out again")
    document = Document(name, tables, dict.fromkeys(tables, name))
    try:
        document.text().encode()
    except (UnicodeEncodeError, RecursionError) as error:
        raise BadInput(f"rulebook {name}", "is no text that can be kept", "write it out again") from error
    return _switched(document, load_book(document), chosen) if name in book_ids() else _load(document, chosen)
