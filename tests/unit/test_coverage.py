"""A test fails without each operative clause of every book, or the clause says why no software carries it out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss.play.coverage import OPERATIVE, cover
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.vocabulary import ClauseKind
from support import BOOKS, Ran, pitboss
from support.evidence import evidence
from support.executed import is_tried, recorded, withouts
from support.mutants import in_force

TESTS = Path(__file__).parent.parent
STRIDE = 29
"""One in so many clauses is tried here; `make test` tries more, `make prove` all."""


@pytest.fixture(scope="module")
def ran() -> Ran:
    return pitboss("rules", "coverage", "--tests", str(TESTS), "--json")


def test_no_operative_clause_is_without_a_test(ran: Ran) -> None:
    books = {book["rulebook"]: book for book in json.loads(ran.out)["books"]}
    assert set(books) == set(BOOKS)
    assert [(book["uncited"], book["unknown"]) for book in books.values()] == [([], [])] * 5
    assert (ran.code, ran.err) == (0, "")
    for name, book in books.items():
        register = load_plan(name).register
        listed = [entry["clause"] for entry in book["clauses"]]
        assert {n for n, clause in register.items() if clause.kind in OPERATIVE} <= set(listed)
        assert {register[n].kind for n in listed} - set(OPERATIVE) == {ClauseKind.DEFINITION}
        assert all(entry["fails"] or entry["outside"] for entry in book["clauses"])


def test_the_table_has_layouts_equipment_definitions_and_disputes(ran: Ran) -> None:
    (book,) = (book for book in json.loads(ran.out)["books"] if book["rulebook"] == "hoiana-thb-2025")
    fails = {entry["clause"]: entry["fails"] for entry in book["clauses"]}
    for clause in ("3.1", "3.2.6", "2.2.5", "4.1", "8.4.5", "8.6"):
        assert fails[clause], clause


@pytest.mark.whole
def test_every_test_that_is_named_is_there() -> None:
    for book, clauses in recorded().items():
        names = {piece.name for piece in evidence(book)}
        assert {name for tests in clauses.values() for name in tests} - names == set()


def fails_without(book: str, clause: str) -> bool:
    """Whether a test that is named for a clause fails when it is taken out somewhere."""
    checks = {piece.name: piece.check for piece in evidence(book)}
    for without in withouts(book):
        if without.clauses == {clause} and is_tried(without):
            for name in recorded()[book][clause]:
                with in_force(without.mutant):
                    try:
                        checks[name]()
                    except Exception:
                        return True
    return False


@pytest.mark.parametrize("book", BOOKS)
def test_a_named_test_fails_without_its_clause(book: str) -> None:
    sample = list(recorded()[book])[::STRIDE]
    assert [clause for clause in sample if not fails_without(book, clause)] == []


def folder(tmp_path: Path, *clauses: str) -> Path:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "cases").mkdir()
    listed = json.dumps(list(clauses))
    (tmp_path / "cases/mbs-stud-6.toml").write_text(f'[[cases]]\ntitle = "one"\nclauses = {listed}\n')
    (tmp_path / "test_one.py").write_text(
        'import pytest\n\n@pytest.mark.clauses("rws-thp-2", "5.7", "5.7.1")\ndef test_power() -> None: ...\n'
    )
    return tmp_path


def test_a_clause_without_which_no_test_fails_is_a_no(tmp_path: Path) -> None:
    """A citation is not enough: 3.9.1 is cited, 3.9.2 has a test that fails without it."""
    tests = folder(tmp_path, "3.9.1")
    (tests / "executed.json").write_text(json.dumps({"mbs-stud-6": {"3.9.2": ["case one"]}}))
    ran = pitboss("rules", "coverage", "mbs-stud-6", "--tests", str(tests))
    assert (ran.code, ran.err) == (1, "")
    assert "NO TEST" in ran.out
    found = cover(tests)
    operative, outside = found["mbs-stud-6"].operative, found["mbs-stud-6"].outside
    assert f"tests fail without 1, {len(outside)} not software" in ran.out
    assert f"{len(operative) - len(outside) - 1} without a test" in ran.out
    assert "3.9.1" in found["mbs-stud-6"].uncited
    assert "3.9.2" not in found["mbs-stud-6"].uncited
    assert found["mbs-stud-6"].tests == {"3.9.1": ["mbs-stud-6.toml: one"]}
    assert found["rws-thp-2"].tests["5.7.1"] == ["test_one.py::test_power"]


def test_a_citation_of_a_clause_that_does_not_exist_is_a_no(tmp_path: Path) -> None:
    ran = pitboss("rules", "coverage", "mbs-stud-6", "--tests", str(folder(tmp_path, "9.9")))
    assert ran.code == 1
    assert "mbs-stud-6.toml: one cites 9.9, which mbs-stud-6 does not have" in ran.out


def test_where_there_are_no_tests_it_says_so(tmp_path: Path) -> None:
    ran = pitboss("rules", "coverage", "--tests", str(tmp_path))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    ran = pitboss("rules", "coverage", "mbs-stud-7")
    assert (ran.code, "did you mean 'mbs-stud-6'?" in ran.err) == (2, True)
