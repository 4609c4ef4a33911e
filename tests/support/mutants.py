"""Mutants of the books' data: one figure, condition, remedy or authority changed; some test must notice.

A mutant that the validator refuses is none. What notices are the worked cases, the tables of rounds and
readings, and the scenarios with their goldens, run against the changed book.
"""

from __future__ import annotations

import copy
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pitboss.errors import BadInput
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.rulebooks import load as loading
from pitboss.rulebooks import load_plan
from pitboss.rulebooks import vocabulary as v
from pitboss.rulebooks.document import Document, read_document
from pitboss.rulebooks.load import load_book
from pitboss.rulebooks.trouble import REMEDIES_BY_MODE, Mode, Remedy
from support.cases import mistakes, read_cases
from support.transcript import account, transcript

SCENARIOS = Path(__file__).parent.parent / "scenarios"
Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one value of a book: `path` to it, and what stands there instead; None takes it out."""

    book: str
    path: Path_
    value: Any

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


_PARTS = (
    "pays", "settlement", "absence", "limits", "wagers", "decisions", "comparison", "qualification", "hands",
    "jackpot", "interruption", "exposure", "remedies", "authorities", "procedures",
)  # fmt: skip


def _leaves(path: Path_, value: Any) -> Iterator[tuple[Path_, Any]]:
    """Values that may be changed. Lists that are no tables are leaves themselves."""
    if not path:
        for key in _PARTS:
            if key in value:
                yield from _leaves((key,), value[key])
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not key.endswith("clauses") and key not in (
                "too-large",
                "too-small",
                "titles",
                "note",
                "title",
            ):
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
    elif key == "cards" and isinstance(value, list):
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))


def why_equivalent(mutant: Mutant) -> str:
    """Why a mutant is the same book in other words; empty for one that must be noticed."""
    tables = _document(mutant.book).tables
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
    document = _document(mutant.book)
    tables = copy.deepcopy(dict(document.tables))
    *parents, last = mutant.path
    table: Any = tables
    for part in parents:
        table = table[part]
    if mutant.value is None:
        del table[last]
    else:
        table[last] = copy.deepcopy(mutant.value)
    return Document(document.name, tables, document.files)


@lru_cache(maxsize=8)
def _document(book: str) -> Document:
    return read_document(book)


@contextmanager
def in_force(mutant: Mutant) -> Iterator[None]:
    """Everything that loads the book while this lasts loads the mutant."""
    document, real = changed(mutant), read_document
    vars(loading)["read_document"] = lambda reference: (
        document if reference == mutant.book else real(reference)
    )
    loading._bundled.cache_clear()
    try:
        yield
    finally:
        vars(loading)["read_document"] = real
        loading._bundled.cache_clear()


def is_sound(mutant: Mutant) -> bool:
    """Whether the validator lets the mutant pass. A default reading must not change the data it stands on."""
    with in_force(mutant):
        try:
            return load_plan(mutant.book).book == load_book(changed(mutant))
        except BadInput:
            return False


# --- who notices ----------------------------------------------------------------------------------------

Check = Callable[[], None]


@lru_cache(maxsize=8)
def evidence(book: str) -> tuple[tuple[str, Check], ...]:
    """What speaks for a book: each a name and a check that raises if the book is not as it should be."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "unit"))
    rounds, readings, conduct = (
        importlib.import_module(name) for name in ("test_settlement", "test_readings", "test_conduct")
    )
    found: list[tuple[str, Check]] = []
    for case in read_cases(book):
        found.append((f"case {case.title}", _case(case)))
    for entry in (*rounds.HOLDEM, *rounds.THREE_CARD, *rounds.STUD, *rounds.LIMITS):
        document, lines = entry.values
        if document["rulebook"] == book:
            found.append((f"round {entry.id}", _call(rounds.test_round, document, lines)))
    for entry in readings.LETTERS:
        case, letter = entry.values
        if case.book == book:
            found.append(
                (f"reading {entry.id}", _call(readings.test_the_letter_moves_the_money, case, letter))
            )
    found.append(("conduct", _call(conduct.check_book, book)))
    for path in sorted(SCENARIOS.glob(f"{book}-*.json")):
        found.append((path.stem, _golden(path, transcript)))
    for path in sorted((SCENARIOS / "irregularities").glob(f"{book}-*.json")):
        found.append((path.stem, _golden(path, account)))
    return tuple(found)


def _case(case: Any) -> Check:
    def check() -> None:
        for mistake in mistakes(case):
            raise AssertionError(mistake)

    return check


def _call(test: Callable[..., None], *arguments: Any) -> Check:
    return lambda: test(*arguments)


def _golden(path: Path, told: Callable[[Any], str]) -> Check:
    text, golden = path.read_text(), path.with_suffix(".txt").read_text()

    def check() -> None:
        assert told(play_scenario(read_scenario(text, name=path.name))) == golden

    return check


def noticed_by(mutant: Mutant, *, first: str = "") -> str | None:
    """The first piece of evidence that a mutant fails, or None if it survives all. `first` is tried first."""
    if mutant.path[0] == "remedies":
        first = f"{mutant.book}-{_document(mutant.book).tables['remedies'][mutant.path[1]]['kind']}"
    checks = sorted(evidence(mutant.book), key=lambda item: not (first and item[0].startswith(first)))
    with in_force(mutant):
        for name, check in checks:
            try:
                check()
            except Exception:
                return name
    return None
