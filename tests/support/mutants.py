"""Mutants of the books' data: one figure, condition, remedy or authority changed; some test must notice.

A mutant that the validator refuses is none. What notices are the worked cases, the tables of rounds and
readings, the scenarios with their goldens, and what people are shown (`support/evidence.py`), run against the
changed book. `support/executed.py` has the mutants that take a clause out of the book.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pitboss.errors import BadInput
from pitboss.rulebooks import load as loading
from pitboss.rulebooks import load_plan
from pitboss.rulebooks import vocabulary as v
from pitboss.rulebooks.document import Document, read_document
from pitboss.rulebooks.load import load_book
from pitboss.rulebooks.references import CITING
from pitboss.rulebooks.trouble import REMEDIES_BY_MODE, Mode, Remedy
from support.evidence import evidence

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one value of a book: `path` to it, and what stands there instead; None takes it out."""

    book: str
    path: Path_
    value: Any
    defaults_too: bool = False
    """Whether the defaults of readings say the same, where they set what is changed."""

    def __str__(self) -> str:
        where = ".".join(str(part) for part in self.path)
        return f"{self.book}: {where} = {self.value!r}"


# --- which mutants there are ----------------------------------------------------------------------------


def mutants(book: str) -> Iterator[Mutant]:
    """Every mutant of a book's pays, conditions, remedies and authorities, sound or not."""
    tables = read_document(book).tables
    for path, value in _leaves((), tables):
        for instead in _instead(path, value, tables):
            if instead != value:
                yield Mutant(book, path, instead)


_LEFT_OUT = ("identity", "clauses", "readings", "house", "extends")
"""Tables without rules of play: names, the register, what is open, and the figures of the house."""
_NOT_CHANGED = (*CITING, "titles", "note", "title")
"""Keys that cite (`support/executed.py` takes those out one by one) or only name."""


def _leaves(path: Path_, value: Any) -> Iterator[tuple[Path_, Any]]:
    """Values that may be changed, in every table of the document. Lists that are no tables are leaves themselves."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.endswith(_NOT_CHANGED) if path else key in _LEFT_OUT:
                continue
            yield from _leaves((*path, key), inner)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        if path[-1] == "steps":
            yield path, value
        for index, inner in enumerate(value):
            yield from _leaves((*path, index), inner)
    else:
        yield path, value


_WORDS: Mapping[str, type[v.Word]] = {
    "then": v.Action,
    "unlisted": v.Action,
    "odd-amount": v.OddAmount,
    "full-houses": v.FullHouses,
    "repeated": v.Repeated,
    "after-lower": v.AfterLower,
    "resets": v.Resets,
    "for-one-stake": v.ForOneStake,
    "multiple": v.Multiple,
    "separate-tables": v.HitOrder,
    "scope": v.EstablishedScope,
    "placing": v.Placing,
}


def _instead(path: Path_, value: Any, tables: Mapping[str, Any]) -> Iterator[Any]:
    """What might stand there by mistake."""
    key, top = str(path[-1]), path[0]
    if isinstance(value, bool):
        yield not value
    elif (top == "pays" and "rows" in path) or key in ("any", "cap"):
        yield from _other_pay(value)
        if "rows" in path:
            yield None
    elif path[:2] == ("disputes", "needs"):
        yield from (*(word.value for word in v.OnFile), None)
    elif key in _WORDS:
        yield from (word.value for word in _WORDS[key])
    elif key == "policy":
        kinds = {"under-minimum": v.UnderMinimum, "pooling": v.Pooling, "sharing": v.Sharing}
        yield from (word.value for word in kinds[str(path[-2])])
    elif top == "absence":
        yield from (word.value for word in v.Absence)
    elif top == "qualification":
        yield from _qualification(key, value)
    elif top == "remedies":
        yield from _remedy(path, key, value, tables)
    elif top == "authorities":
        yield from _positions(value) if key == "position" else ()
    elif key == "steps":
        yield from _steps(value)
    else:
        yield from _plain(key, value, tables)


def _other_pay(value: str) -> Iterator[str]:
    number, *rest = value.replace("%", " %").split()
    unit = "" if not rest else "%" if rest == ["%"] else " " + " ".join(rest)
    if "." in number:
        yield f"{float(number) + 1:.2f}"
    else:
        yield f"{int(number) + 1 if int(number) != 100 else 99}{unit}"


def _qualification(key: str, value: Any) -> Iterator[Any]:
    if key == "rule":
        yield from (word.value for word in v.Qualifying)
    elif key == "ranks":
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    elif key == "hand":
        yield from ("odd-cards", "one-pair")


def _remedy(path: Path_, key: str, value: Any, tables: Mapping[str, Any]) -> Iterator[Any]:
    row = tables["remedies"][path[1]]
    if key == "remedy":
        yield from (word.value for word in REMEDIES_BY_MODE[Mode(row["mode"])])
        yield from (word.value for word in (Remedy.VOID, Remedy.CONTINUE))
    elif key in ("decides", "finding", "position"):
        yield from _positions(value)
        if key == "finding":
            yield None
    elif key in ("rulings", "orders", "choice-after"):
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    elif key == "mode" and value == "suspended":
        yield "recorded"


def _positions(value: str) -> Iterator[str]:
    ranks = [word.value for word in v.Position]
    index = ranks.index(value)
    yield from ranks[max(0, index - 1) : index] + ranks[index + 1 : index + 2]


def _steps(steps: list[Any]) -> Iterator[Any]:
    """A procedure with a step left out, or two neighbours swapped."""
    for index in range(len(steps)):
        yield steps[:index] + steps[index + 1 :]
        if index:
            yield [*steps[: index - 1], steps[index], steps[index - 1], *steps[index + 1 :]]


def _plain(key: str, value: Any, tables: Mapping[str, Any]) -> Iterator[Any]:
    if key == "times":
        yield from (value + 1, value - 1)
    elif key == "pays-from":
        yield from ("flush", "three-of-a-kind")
    elif key == "otherwise":
        yield "check" if value == "fold" else "fold"
    elif key in ("needs", "within-class", "extra-on") and isinstance(value, list):
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    elif key == "units":
        yield from ([value[0], value[1] + 1], [value[0] + 1, value[1] + 1])
    elif key == "placed" and value != "before-deal":
        yield "before-deal"
    elif key == "without":
        yield None
    elif key == "hand":
        yield from tables["hands"]
    elif key == "order":
        yield from (word.value for word in v.Order)
    elif str(value) in (word.value for word in v.Position):
        yield from _positions(value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, list):
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))


def why_equivalent(mutant: Mutant) -> str:
    """Why a mutant is the same book in other words; empty for one that must be noticed."""
    tables = read_document(mutant.book).tables
    top, key = mutant.path[0], mutant.path[-1]
    if top == "pays" and key == "hand":
        table = tables["pays"][mutant.path[1]]
        if "any" in table and "pays-from" not in table:
            return "the wager pays whatever the hand"
    unpaid = mutant.value != "pay" and _at(tables, mutant.path) != "pay"
    if mutant.path[:2] == ("settlement", "ante-bonus") and unpaid:
        return "a payment without a stake has nothing to collect or return"
    if key == "security":
        return "blank cards belong to no hand and no count"
    shared = any(wager.get("pooled") for wager in tables["wagers"].values())
    if mutant.path[:2] == ("limits", "pooling") and not shared:
        return "no wager of the book has several owners"
    return ""


def _at(tables: Any, path: Path_) -> Any:
    for part in path:
        tables = tables[part]
    return tables


# --- the book with the change ---------------------------------------------------------------------------


def changed(mutant: Mutant) -> Document:
    """The document with the mutant's change."""
    document = read_document(mutant.book)
    tables = copy.deepcopy(dict(document.tables))
    _put(tables, mutant.path, mutant.value)
    if mutant.defaults_too:
        for reading in tables.get("readings", {}).values():
            settings = reading.get("options", {}).get(reading.get("default"), {}).get("set", {})
            for key in settings:
                parts = tuple(key.split("."))
                if parts == mutant.path[: len(parts)]:
                    _put(settings, (key, *mutant.path[len(parts) :]), mutant.value)
    return Document(document.name, tables, document.files)


def _put(table: Any, path: Path_, value: Any) -> None:
    """Put a value where a path leads; None takes out what is there."""
    *parents, last = path
    for part in parents:
        table = table[part]
    if value is None:
        del table[last]
    else:
        table[last] = copy.deepcopy(value)


@contextmanager
def in_force(mutant: Mutant) -> Iterator[None]:
    """Everything that loads the book while this lasts loads the mutant."""
    document, real = changed(mutant), read_document
    vars(loading)["read_document"] = lambda reference: (
        document if reference == mutant.book else real(reference)
    )
    _forget()
    try:
        yield
    finally:
        vars(loading)["read_document"] = real
        _forget()


def _forget() -> None:
    loading._bundled.cache_clear()
    loading._bundled_book.cache_clear()
    loading._written_out_bundled.cache_clear()


def is_sound(mutant: Mutant) -> bool:
    """Whether the validator lets the mutant pass. A default reading must not change the data it stands on."""
    with in_force(mutant):
        try:
            return load_plan(mutant.book).book == load_book(changed(mutant))
        except BadInput:
            return False


# --- who notices ----------------------------------------------------------------------------------------


def noticed_by(mutant: Mutant, *, first: str = "", clauses: frozenset[str] | None = None) -> str | None:
    """The first piece of evidence that a mutant fails, or None if it survives all. `first` is tried first.

    With `clauses`, only the evidence that cites one of them is asked.
    """
    return next(iter(all_noticing(mutant, 1, first=first, clauses=clauses)), None)


def all_noticing(
    mutant: Mutant, most: int, *, first: str = "", clauses: frozenset[str] | None = None
) -> list[str]:
    """Pieces of evidence that a mutant fails, at most so many; one is enough that is about the whole book."""
    if mutant.path[0] == "remedies":
        first = f"{mutant.book}-{read_document(mutant.book).tables['remedies'][mutant.path[1]]['kind']}"
    asked = [
        piece
        for piece in evidence(mutant.book)
        if clauses is None or piece.cites is None or piece.cites & clauses
    ]
    asked.sort(key=lambda piece: (not (first and piece.name.startswith(first)), piece.whole))
    found: list[str] = []
    with in_force(mutant):
        for piece in asked:
            if len(found) == most or (found and piece.whole):
                break
            try:
                piece.check()
            except Exception:
                found.append(piece.name)
    return found
