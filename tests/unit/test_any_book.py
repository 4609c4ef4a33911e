"""Floors of any rulebooks: both verifiers find an honest record right, and know no book or wager by its name."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import verify_export
from pitboss.bootstrap import Settings, open_store
from pitboss.cli.main import run
from pitboss.floor import bots
from pitboss.floor.codec import CODEC
from pitboss.rulebooks import book_ids, read_document
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.keeping import export_all
from pitboss.store.sql import SqlStore
from support import guide, pitboss
from support.eventful import eventful_floor
from support.floor import House
from support.freezing import SIGNING_KEY
from support.record import audited, ledger_of, log_of

ROOT = Path(__file__).parent.parent.parent
NOT_IN_THE_EXPORT = "what void rounds would have come to"
"""The rules of play, by which the figure of a void is computed, are not in the verifier of an export."""
VERIFIERS = (
    "tools/verify_export.py",
    "src/pitboss/verification.py",
    *(
        f"src/pitboss/floor/{name}.py"
        for name in (
            "verifying",
            "said",
            "statements",
            "table_statements",
            "link_statements",
            "entries",
            "due_slips",
            "whole_settlements",
            "authority",
        )
    ),
)
ROYAL = ("Ts Js Qs Ks As",)


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the guide's books, a file that extends each of ours, and one whose jackpot wager is renamed."""
    monkeypatch.chdir(tmp_path)
    guide.write_book(tmp_path)
    for step in guide.steps():
        if isinstance(step, guide.File) and step.name.endswith(".toml") and "/" not in step.name:
            Path(step.name).write_text(step.text)
    for book in book_ids():
        Path(f"my-{book}.toml").write_text(f'extends = "{book}"\n\n[identity]\nid = "my-{book}"\n')
    assert run(["rules", "new", "renamed", "--from", "mbs-stud-6"]) == 0
    for file in Path("renamed").iterdir():
        text = re.sub(r"\b(wagers|pays|settlement)\.jackpot\b", r"\1.lucky", file.read_text())
        file.write_text(text.replace('wager = "jackpot"', 'wager = "lucky"'))
    return tmp_path


def day(*words: str) -> dict[str, Any]:
    ran = pitboss("floor", "simulate", "--json", "--data", "floor", *words)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def found_wrong(left: dict[str, list[str]]) -> list[str]:
    """What both verifiers say of the floor here, as anybody would ask them."""
    ran = pitboss("verify", "--json", "--data", "floor")
    assert pitboss("export", "all", "-o", "export", "--data", "floor").code == 0
    inside = [str(problem) for problem in json.loads(ran.out)["problems"]]
    return [*inside, *verify_export.verify_export(Path("export"), left=left)]


EXTENDED = [f"my-{book}.toml" for book in book_ids()]


@pytest.mark.parametrize("book", ["caribbean-stud", "pair-plus.toml", "jack-high.toml", "renamed", *EXTENDED])
@pytest.mark.whole
def test_a_day_of_any_book_with_the_whole_meter_won_is_right_for_both(
    books: Path, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "HITS", ROYAL)
    words = ("--tables", "1", "--hours", "0.1", "--hits", "600", "--irregularities", "20", "--seed", "5")
    told = day("--book", book, *words)
    jackpot = read_document(book).tables.get("jackpot")
    assert bool(told["links"]) == (jackpot is not None)
    assert all(link["hits"] for link in told["links"].values()), told
    left: dict[str, list[str]] = {}
    assert (found_wrong(left), left) == ([], {})


@pytest.mark.parametrize("letter", ["a", "b"])
def test_a_stake_that_an_award_returns_has_fed_the_meter_all_the_same(letter: str) -> None:
    """R-FOR1=b: a flush for the jackpot is paid 40 for 1 and has its stake back; no contribution comes off."""
    house = House()
    house.link()
    house.table("mbs-thb-9", rulebook=house.book("mbs-thb-9", R_FOR1=letter), link="mega")
    house.stack("2h 7h 9h Qc 3d 5h Kh Jc 4s")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: view", "p1@1: bet flop", "dealer: reveal flop", "p1@1: check")
    house.steps("dealer: reveal turn", "p1@1: check", "dealer: reveal river", "dealer: reveal dealer")
    house.steps("dealer: settle")
    settled = house.floor.table("t1").state.settlement
    assert settled is not None
    (line,) = [line for line in settled.seats[0].lines if line.wager == "jackpot"]
    assert (line.paid, line.returned) == (20_000, 500 if letter == "b" else 0)
    assert audited(house.floor.store) == []


@pytest.mark.whole
def test_two_links_in_two_currencies_with_practice_and_physical_tables_and_a_book_without_a_jackpot(
    books: Path,
) -> None:
    """Tables 4 and 8 are physical; the last two play for practice."""
    named = ("caribbean-stud", "mbs-stud-6", "hoiana-thb-2025", "renamed")
    words = [word for book in named for word in ("--book", book)]
    told = day(*words, "--tables", "10", "--hours", "0.06", "--hits", "500", "--practice", "2", "--seed", "2")
    assert len(told["links"]) == 2
    assert all(link["hits"] for link in told["links"].values()), told
    store = open_store(Settings(Path("floor")))
    opened = [row["data"] for row in log_of(store) if row["name"] == "table-opened.v1"]
    store.close()
    assert {row["currency"] for row in opened} == {"SGD", "USD", "XTS"}
    assert {row["cards"] for row in opened} == {"virtual", "physical"}
    left: dict[str, list[str]] = {}
    assert (found_wrong(left), left) == ([], {})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--book", "nothing-like-it"), "no rulebook 'nothing-like-it'"),
        (
            ("--book", "caribbean-stud", "--book", "mbs-stud-6", "--seats", "6", "--book", "renamed/x"),
            "renamed/x",
        ),
        (("--book", "mbs-stud-6", "--seats", "0"), "--seats"),
    ],
)
def test_a_day_that_cannot_be_played_writes_nothing(books: Path, words: tuple[str, ...], told: str) -> None:
    ran = pitboss("floor", "simulate", "--data", "floor", *words)
    assert ran.code == 2
    assert told in ran.err
    assert not Path("floor").exists()


# --- what cannot be computed again ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], Any]:
    store = _many(tmp_path_factory.mktemp("many"))
    records, ledger = list(log_of(store)), ledger_of(store)
    store.close()
    return records, ledger


def _many(folder: Path) -> SqlStore:
    eventful_floor(folder / "floor.db")
    return SqlStore(open_engine(sqlite_url(folder / "floor.db")))


@pytest.mark.parametrize("name", ["supervisor-called.v1", "award-corrected.v1", "dispute-noted.v1"])
def test_an_event_of_an_unknown_kind_is_counted_and_believed(
    many: tuple[list[dict[str, Any]], Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a verifier of before meets an event of after; its money must balance all the same."""
    records, ledger = many
    monkeypatch.setattr(verify_export, "KNOWN", verify_export.KNOWN - {name})
    found = verify_export.audit(records, dict(ledger))
    found.left.pop(NOT_IN_THE_EXPORT, None)
    assert list(found.left) == [f"events of the kind {name}"]
    mine = [f"{row['stream']} version {row['version']} ({name})" for row in records if row["name"] == name]
    assert sorted(found.left[f"events of the kind {name}"]) == sorted(mine)
    moved = [(row["stream"], row["version"]) for row in records if row["name"] == name]
    forged = dict(ledger)
    for place in moved:
        if place in forged:
            forged[place] = [(account, units + 1) for account, units in forged[place]]
            again = verify_export.audit(records, forged)
            assert any("its postings add up to" in problem for problem in again.problems)


def test_a_policy_in_words_that_are_not_known_is_not_recomputed_and_is_no_fraud(
    many: tuple[list[dict[str, Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    records, ledger = many
    monkeypatch.setitem(verify_export.KNOWN_POLICIES, "policy", ("clockwise",))
    found = verify_export.audit(records, dict(ledger))
    assert found.problems == []
    found.left.pop(NOT_IN_THE_EXPORT, None)
    left = sorted(what.partition(",")[0] for what in found.left)
    assert left == ["fixed awards of mbs-stud-6", "shares of mbs-stud-6"]
    assert all("policy = 'equal-shares'" in what for what in found.left)


def test_what_is_not_recomputed_is_told_in_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = _many(tmp_path)
    export_all(store, tmp_path / "export", SIGNING_KEY)
    store.close()
    monkeypatch.setattr(verify_export, "KNOWN", verify_export.KNOWN - {"call-answered.v1"})
    monkeypatch.setattr("sys.argv", ["verify_export.py", str(tmp_path / "export")])
    code = verify_export.main()
    out = capsys.readouterr().out
    assert re.search(
        r"(?m)^not recomputed: events of the kind call-answered\.v1: 1, the first is table/t2 ", out
    )
    assert code in (0, 1)


# --- no names ------------------------------------------------------------------------------------------


def names_of_the_books() -> frozenset[str]:
    tables = [read_document(book).tables for book in book_ids()]
    return frozenset({*book_ids(), *(wager for table in tables for wager in table["wagers"])})


WORDS_OF_THE_RECORD = {"bet": "a choice of decision-made", "jackpot": "a field of events and rows"}
"""Names of wagers that are also words of the record: a field may be called so, a wager is never compared with it."""


def spelt_out(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every text in a file that is no docstring and names no field."""
    fields = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            fields.add(id(node.slice))
        elif isinstance(node, ast.Dict):
            fields |= {id(key) for key in node.keys if key is not None}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            fields |= {id(argument) for argument in node.args[:1]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in fields:
            yield node.lineno, node.value


@pytest.mark.parametrize("file", VERIFIERS)
def test_no_verifier_knows_a_book_or_a_wager_by_its_name(file: str) -> None:
    text = (ROOT / file).read_text()
    assert not [book for book in book_ids() if book in text]
    banned = names_of_the_books() - {"bet"}
    found = [(line, word) for line, word in spelt_out(ast.parse(text)) if word in banned]
    assert found == []


def test_the_names_that_are_banned_are_those_of_the_books() -> None:
    assert {"ante", "pair-plus", "jackpot", "six-card-bonus", *WORDS_OF_THE_RECORD} <= names_of_the_books()
    assert list(spelt_out(ast.parse('x["jackpot"] == "jackpot"'))) == [(1, "jackpot")]


def test_every_kind_of_event_of_today_is_known_to_the_verifier_of_the_export() -> None:
    assert set(CODEC.names) <= verify_export.KNOWN
