"""Every operative clause of every book has a test that exercises it, or a reason why it is no software."""

from __future__ import annotations

import json
from pathlib import Path

from pitboss.play.coverage import OPERATIVE, cover
from pitboss.rulebooks import load_plan
from support import BOOKS, pitboss

TESTS = Path(__file__).parent.parent


def test_no_operative_clause_is_without_a_test() -> None:
    ran = pitboss("rules", "coverage", "--tests", str(TESTS), "--json")
    books = {book["rulebook"]: book for book in json.loads(ran.out)["books"]}
    assert set(books) == set(BOOKS)
    assert [(book["uncited"], book["unknown"]) for book in books.values()] == [([], [])] * 5
    assert (ran.code, ran.err) == (0, "")
    for name, book in books.items():
        operative = [n for n, clause in load_plan(name).register.items() if clause.kind in OPERATIVE]
        assert [entry["clause"] for entry in book["clauses"]] == operative
        assert all(entry["tests"] or entry["outside"] for entry in book["clauses"])


def folder(tmp_path: Path, *clauses: str) -> Path:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "cases").mkdir()
    listed = json.dumps(list(clauses))
    (tmp_path / "cases/mbs-stud-6.toml").write_text(f'[[cases]]\ntitle = "one"\nclauses = {listed}\n')
    (tmp_path / "test_one.py").write_text(
        'import pytest\n\n@pytest.mark.clauses("rws-thp-2", "5.7", "5.7.1")\ndef test_power() -> None: ...\n'
    )
    return tmp_path


def test_a_clause_without_a_test_is_a_no(tmp_path: Path) -> None:
    tests = folder(tmp_path, "3.9.1")
    ran = pitboss("rules", "coverage", "mbs-stud-6", "--tests", str(tests))
    assert (ran.code, ran.err) == (1, "")
    assert "NO TEST" in ran.out
    assert "88 without a test" in ran.out
    found = cover(tests)
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
