"""Which tests carry out which clauses of the books: what a folder of tests cites, and what fails without it.

Scripts are played, and cite what the engine cites and what they name themselves. Worked cases name their
clauses, and so do test functions with `@pytest.mark.clauses("book", "3.4.2", …)`. A clause counts when a test
fails without it: `executed.json` in the folder has the tests that fail when its citation, or what it stands
behind, is taken out of the book; `tools/executed.py` writes it and `make prove` tries every one.
"""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pitboss.errors import BadInput
from pitboss.play.scenario import Played, play_scenario, read_scenario
from pitboss.progress import counting
from pitboss.rulebooks import Plan, book_ids, load_plan
from pitboss.rulebooks.references import citations
from pitboss.rulebooks.vocabulary import ClauseKind

OPERATIVE = (
    ClauseKind.BETTING,
    ClauseKind.LIMITS,
    ClauseKind.DEAL,
    ClauseKind.DECISION,
    ClauseKind.COMPARISON,
    ClauseKind.RANKING,
    ClauseKind.SETTLEMENT,
    ClauseKind.JACKPOT,
    ClauseKind.IRREGULARITY,
    ClauseKind.AUTHORITY,
    ClauseKind.DECK,
    ClauseKind.LAYOUT,
    ClauseKind.EQUIPMENT,
    ClauseKind.DISPUTE,
)
"""The kinds of clauses that must be carried out, or say why they cannot be."""
EXECUTED = "executed.json"
_MARK = "pytest.mark.clauses"


@dataclass(slots=True)
class Coverage:
    """One book: for each operative clause the `tests` that cite it, and those that fail without it."""

    plan: Plan
    tests: dict[str, list[str]] = field(default_factory=dict)
    fails: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[tuple[str, str]] = field(default_factory=list)

    @property
    def operative(self) -> list[str]:
        """The clauses that must be carried out; definitions among them where the book's data cite them."""
        carrying = {clause for path, clause in citations(self.plan.book) if not path.startswith("readings.")}
        return [
            str(number)
            for number, clause in self.plan.register.items()
            if clause.kind in OPERATIVE or (clause.kind is ClauseKind.DEFINITION and number in carrying)
        ]

    @property
    def outside(self) -> dict[str, str]:
        """Clauses that are no software, with the reason."""
        return {
            str(number): clause.outside for number, clause in self.plan.register.items() if clause.outside
        }

    @property
    def uncited(self) -> list[str]:
        """Those without which no test fails and that say no reason."""
        return [
            number for number in self.operative if number not in self.fails and number not in self.outside
        ]

    def cite(self, clause: str, test: str) -> None:
        """A test cites a clause; one that the book does not have is kept apart."""
        if clause not in self.plan.register:
            self.unknown.append((clause, test))
        elif test not in self.tests.setdefault(clause, []):
            self.tests[clause].append(test)


def cover(folder: Path) -> dict[str, Coverage]:
    """The index of a folder of tests, book by book."""
    if not (folder / "scenarios").is_dir():
        raise BadInput(
            str(folder), "no folder of tests here", "run it in the project, or name it with --tests"
        )
    books = {book: Coverage(load_plan(book)) for book in book_ids()}
    for book, clause, test in _citations(folder):
        if book not in books:
            raise BadInput(test, f"cites '{book}', which is no rulebook", f"the books are {', '.join(books)}")
        books[book].cite(clause, test)
    for book, clause, test in _failing(folder):
        if book in books and clause in books[book].plan.register:
            books[book].fails.setdefault(clause, []).append(test)
        elif book in books:
            books[book].unknown.append((clause, test))
    return books


def _failing(folder: Path) -> Iterator[tuple[str, str, str]]:
    file = folder / EXECUTED
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for book, clauses in found.items():
        for clause, tests in clauses.items():
            for test in tests:
                yield book, clause, test


def _citations(folder: Path) -> Iterator[tuple[str, str, str]]:
    for path in sorted((folder / "cases").glob("*.toml")):
        for case in tomllib.loads(path.read_text()).get("cases", []):
            for clause in case["clauses"]:
                yield path.stem, clause, f"{path.name}: {case['title']}"
    for path in sorted((folder / "cases").glob("*.json")):
        for case in json.loads(path.read_text()):
            for clause in case["clauses"]:
                yield case["facts"]["rulebook"], clause, f"{path.name}: {case['id']}"
    tests, scripts = sorted(folder.glob("**/test_*.py")), sorted((folder / "scenarios").glob("**/*.json"))
    with counting("reading tests", len(tests) + len(scripts)) as task:
        for path in tests:
            yield from _marked(path)
            task.advance()
        for path in scripts:
            text = path.read_text()
            played = play_scenario(read_scenario(text, name=path.name))
            for clause in sorted({*cited_by(played), *json.loads(text).get("clauses", ())}):
                yield played.scenario.reference, clause, path.name
            task.advance()


def _marked(path: Path) -> Iterator[tuple[str, str, str]]:
    """Citations of test functions: `@pytest.mark.clauses(book, number, …)`."""
    text = path.read_text()
    if _MARK not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == _MARK:
                book, *clauses = (ast.literal_eval(argument) for argument in decorator.args)
                for clause in clauses:
                    yield book, clause, f"{path.name}::{node.name}"


def cited_by(played: Played) -> set[str]:
    """Every clause that the answer to a script cites: refusals, events, lines and awards."""
    found: set[str] = set()
    for step in played.steps:
        if step.refusal is not None:
            found.update(step.refusal.clauses)
        for event in step.events:
            found.update(getattr(event, "clauses", ()))
    for record in played.rounds:
        if record.settlement is not None:
            for seat in record.settlement.seats:
                for line in seat.lines:
                    found.update(line.clauses)
            if record.settlement.jackpot is not None:
                for award in record.settlement.jackpot.awards:
                    found.update(award.clauses)
    return found
