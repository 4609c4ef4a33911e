"""What speaks for a book: worked cases, rounds, readings, scripts with their goldens, and what people are shown.

Each piece has a name, a check that raises if the book is not as it should be, and the clauses that it cites, so
that a change of one clause is tried on the pieces that cite it. `tests/cases/<book>.cited.txt` has the clauses
of every line of money, `tests/cases/<book>.shown.txt` those of the rules, tables and disputes as people see
them; `pytest tests/unit/test_cited.py --update` writes both, and the diff is reviewed.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.play import Settlement, read_facts, settle
from pitboss.play.coverage import cited_by
from pitboss.play.scenario import play_scenario, read_scenario
from support.cases import FOLDER, cited, mistakes, read_cases
from support.shown import SECTIONS
from support.transcript import account, transcript

SCENARIOS = Path(__file__).parent.parent / "scenarios"
Check = Callable[[], None]


class Evidence(NamedTuple):
    """A piece of evidence; `cites` is None where it names no clauses, `whole` where it is about the whole book."""

    name: str
    check: Check
    cites: frozenset[str] | None = None
    whole: bool = False


class Settled(NamedTuple):
    """A settlement that a test makes: its name, the facts, and the test of its money."""

    name: str
    facts: dict[str, Any]
    money: Check
    clauses: tuple[str, ...] = ()


def settlements(book: str) -> Iterator[Settled]:
    """Every settlement of a book that tests work out: cases, rounds, readings and worked documents."""
    rounds, readings = _tests("test_settlement"), _tests("test_readings")
    for case in read_cases(book):
        yield Settled(f"case {case.title}", case.facts, _case(case), case.clauses)
    for entry in (*rounds.HOLDEM, *rounds.THREE_CARD, *rounds.STUD, *rounds.LIMITS):
        document, lines = entry.values
        if document["rulebook"] == book:
            yield Settled(f"round {entry.id}", document, _call(rounds.test_round, document, lines))
    for entry in readings.LETTERS:
        case, letter = entry.values
        if case.book == book:
            told = case.document | {"readings": {case.label: letter}}
            test = _call(readings.test_the_letter_moves_the_money, case, letter)
            yield Settled(f"reading {entry.id}", told, test)
    for worked in json.loads((FOLDER / "settlements.json").read_text()):
        if worked["facts"]["rulebook"] == book:
            yield Settled(f"worked {worked['id']}", worked["facts"], lambda: None, tuple(worked["clauses"]))


def lines_of(found: Settled) -> str:
    """What each line of money and each award of a settlement cites."""
    result = _settle(found)
    lines = [
        f"  {seat.position} {line.wager} [{', '.join(line.clauses)}]"
        for seat in result.seats
        for line in seat.lines
    ]
    if result.jackpot is not None:
        lines += [f"  {award.position} award [{', '.join(award.clauses)}]" for award in result.jackpot.awards]
    return f"{found.name}\n" + "".join(f"{line}\n" for line in lines)


def cited_golden(book: str) -> str:
    """The golden of a book's lines of money, as they are now."""
    return "".join(lines_of(found) for found in settlements(book))


def shown_golden(book: str) -> str:
    """The golden of what people are shown, as it is now."""
    return "".join(f"# {name}\n{section(book)}" for name, section in SECTIONS.items())


@lru_cache(maxsize=8)
def evidence(book: str) -> tuple[Evidence, ...]:
    """What speaks for a book; what is about the whole of it comes last."""
    lines = _blocks((FOLDER / f"{book}.cited.txt").read_text(), "  ")
    found = [
        Evidence(
            each.name, _settled(each, lines.get(each.name, "")), frozenset({*each.clauses, *_cites(each)})
        )
        for each in settlements(book)
    ]
    for path in sorted(SCENARIOS.glob(f"{book}-*.json")):
        found.append(_script(path, transcript))
    for path in sorted((SCENARIOS / "irregularities").glob(f"{book}-*.json")):
        found.append(_script(path, account))
    found.append(Evidence("conduct", _call(_tests("test_conduct").check_book, book), whole=True))
    shown = _sections((FOLDER / f"{book}.shown.txt").read_text())
    for name, section in SECTIONS.items():
        golden = shown.get(name, "")
        found.append(Evidence(name, _same(section, book, golden), frozenset(_bracketed(golden)), whole=True))
    return tuple(found)


def _bracketed(golden: str) -> Iterator[str]:
    """The clauses of a golden: what stands in brackets at the end of something."""
    for listed in re.findall(r"\[([^\[\]]+)\]", golden):
        yield from listed.split(", ")


def _tests(module: str) -> Any:
    folder = str(Path(__file__).parent.parent / "unit")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(module)


def _settle(found: Settled) -> Settlement:
    plan, facts = read_facts(json.dumps(found.facts), name=found.name)
    return settle(plan, facts)


def _cites(found: Settled) -> set[str]:
    return cited(_settle(found))


def _settled(found: Settled, golden: str) -> Check:
    def check() -> None:
        found.money()
        assert lines_of(found) == golden

    return check


def _case(case: Any) -> Check:
    def check() -> None:
        for mistake in mistakes(case):
            raise AssertionError(mistake)

    return check


def _call(test: Callable[..., None], *arguments: Any) -> Check:
    return lambda: test(*arguments)


def _same(section: Callable[[str], str], book: str, golden: str) -> Check:
    def check() -> None:
        assert section(book) == golden

    return check


def _script(path: Path, told: Callable[[Any], str]) -> Evidence:
    text, golden = path.read_text(), path.with_suffix(".txt").read_text()

    def check() -> None:
        assert told(play_scenario(read_scenario(text, name=path.name))) == golden

    played = play_scenario(read_scenario(text, name=path.name))
    return Evidence(path.stem, check, frozenset({*cited_by(played), *json.loads(text).get("clauses", ())}))


def _blocks(text: str, indent: str) -> dict[str, str]:
    """Blocks of text by their first line; the lines that belong to it are indented."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        if not line.startswith(indent):
            name = line.rstrip("\n")
        found[name] = found.get(name, "") + line
    return found


def _sections(text: str) -> dict[str, str]:
    """Sections of text by their heading `# NAME`."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        if line.startswith("# "):
            name = line[2:].rstrip("\n")
            found[name] = ""
        else:
            found[name] += line
    return found
