"""What test labs ask: the lines no other test has, and that docs/standards.md and SECURITY.md name tests that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.cli.main import run
from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.reports import report
from pitboss.money import Cents
from pitboss.program import APPROVED, check_program, program_digest
from pitboss.reporting import told
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.brief import brief
from support.floor import FLOAT, House, jackpot_hit, stud_house

ROOT = Path(__file__).parent.parent.parent
PAGES = ("SECURITY.md", "docs/standards.md", "docs/reliability.md")


@pytest.fixture
def house() -> House:
    return stud_house()


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_page_names_exists(page: str) -> None:
    named = set(
        re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", (ROOT / page).read_text(encoding="utf-8"))
    )
    assert len(named) > 3
    for file, test in named:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not test or f"def {test}(" in text, (file, test)


def test_every_line_of_the_standards_is_in_the_matrix() -> None:
    text = (ROOT / "docs" / "standards.md").read_text(encoding="utf-8")
    lines = [f"P{n}" for n in (1, 2, *range(4, 10), *range(11, 20))]
    lines += [f"R{n}" for n in (1, 2, 3, 4, 5, 6, 8)] + [f"A{n}" for n in range(1, 11)]
    for line in lines:
        assert f"\n| {line} " in text, line


def test_p2_the_last_25_hits_are_kept(house: House) -> None:
    for _ in range(27):
        jackpot_hit(house)
    link = house.floor.link("mega")
    assert (link.hits, len(link.history)) == (27, 25)
    assert [found.slip for found in link.history] == list(range(3, 28))


@pytest.mark.parametrize(
    ("book", "told_so"), [("mbs-thb-9", True), ("mbs-3cp-2023", True), ("mbs-stud-6", False)]
)
def test_p13_the_rules_say_where_a_prize_is_not_in_proportion(book: str, told_so: bool) -> None:
    topics = {topic.name: topic for topic in brief(load_plan(book))}
    assert ("prize not in proportion" in topics) is told_so
    if told_so:
        topic = topics["prize not in proportion"]
        assert topic.first
        assert "royal flush" in topic.text
        assert "straight flush" in topic.text
        assert topic.clauses


def test_p19_a_large_win_is_reported_with_everything_about_it(house: House) -> None:
    jackpot_hit(house)
    [win] = told(house.floor, report(house.floor, house.store), theory=False)["large_wins"]
    assert (win["jackpot"], win["player"], win["game"], win["round"]) == ("mega", "p1", "mbs-stud-6", 1)
    assert (win["slip"], win["confirmed_by"], win["table"]) == (1, "mara", "t1")
    assert win["amount"] == "30000.20"
    assert win["pay_table"].endswith("jackpot")
    assert win["at"]


def test_a6_shuffles_staffing_counts_and_errors_are_on_record(house: House) -> None:
    house.stud()
    house.steps("pit-supervisor: report count-doubt 51")
    for who in ("p1", "p2"):
        house.ok("dora", q.CashOut(table="t1", player=who))
    house.ok("mara", q.CloseTable(table="t1", count=FLOAT))
    names = {record.name for record in house.store.read("table/t1")}
    assert {"deck-sealed.v1", "staff-assigned.v1", "table-opened.v1", "table-closed.v1"} <= names
    errors = told(house.floor, report(house.floor, house.store), theory=False)["errors"]
    assert errors == [{"table": "t1", "shift": "dora", "kinds": {"count-doubt": 1}}]


def test_a7_a_program_that_was_not_approved_does_not_serve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--program"]) == 0
    digest = capsys.readouterr().out.strip()
    assert digest == program_digest() == check_program(tmp_path)
    (tmp_path / APPROVED).write_text(digest + "\n")
    assert check_program(tmp_path) == digest
    (tmp_path / APPROVED).write_text("0" * 64)
    with pytest.raises(BadInput, match="approves of 0000"):
        check_program(tmp_path)
    command = [sys.executable, "-m", "pitboss.cli.main", "serve", "--demo", "--port", "0"]
    done = subprocess.run([*command, "--data", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "approves of 0000" in done.stderr


def test_a8_the_return_of_a_game_is_told_beside_its_band() -> None:
    house = House()
    house.table("mbs-3cp-2023")
    for _ in range(3):
        steps = [
            "dealer: open bets",
            "p1@1: wager ante 25",
            "dealer: close bets",
            "dealer: deal",
            "p1@1: view",
        ]
        house.steps(*steps, "p1@1: bet play", "dealer: reveal dealer", "dealer: reveal community")
        house.steps("dealer: settle")
    [game] = told(house.floor, report(house.floor, house.store), theory=True)["games"]
    low, high = game["band"]
    assert low < game["theoretical_return"] < high
    assert game["theoretical_return"] == pytest.approx(-0.02, abs=0.02)
    assert game["within_band"] is (low <= game["actual_return"] <= high)
    assert game["hands"] == 3
    assert Cents(int(game["staked"] * 100)) == 7500
