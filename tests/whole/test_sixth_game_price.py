"""The sixth game of the guide priced: the tool finds the figures that are published for Caribbean Stud."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import pitboss
from support import guide
from support import pitboss as command_line

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]

PUBLISHED_EDGE, PUBLISHED_DEVIATION = 0.052243, 2.24
"""Of the Ante, under optimal play over every deal."""
HANDS = 2_598_960


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return guide.write_book(tmp_path).name


def test_the_edge_is_the_published_one_over_every_deal(book: str) -> None:
    priced = pitboss.analyse(book)
    found = priced.json()["wagers"]["ante"]
    assert found["cycle"] == 19_933_230_517_200  # 52 over 5, times 47, times 46 over 4
    assert round(float(priced.house_edge), 6) == PUBLISHED_EDGE
    assert priced.house_edge == Fraction(142031221, 2718662100)
    assert round(found["standard_deviation"], 2) == PUBLISHED_DEVIATION


def test_the_progressive_breaks_even_where_the_counts_of_hands_say(book: str) -> None:
    """Counted by hand: 4 royals, 36 straight flushes, 624, 3,744 and 5,108 of the fixed ones."""
    found = pitboss.analyse(book).json()["wagers"]["progressive"]
    fixed = Fraction(624 * 500 + 3744 * 100 + 5108 * 50, HANDS)
    share = Fraction(4 + Fraction(36, 10), HANDS)
    assert Fraction(found["fixed_return"]) == fixed
    assert round(float((1 - fixed) / share), 2) == float(found["break_even_meter"])


def test_the_guide_shows_what_analyze_prints(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    (analyze,) = (s for s in guide.steps() if isinstance(s, guide.Command) and s.words[1] == "analyze")
    code, printed = guide.run(analyze)
    assert code == 0
    guide.assert_shows(printed, analyze)


def test_readings_other_pays_and_simulations_work_as_for_the_books_that_come_with_it(book: str) -> None:
    by_cards = pitboss.analyse(book, {"R-ACE-KING": "b"}).house_edge
    assert by_cards < pitboss.analyse(book).house_edge  # a dealer who qualifies by cards alone loses oftener
    flush = json.loads(command_line("analyze", book, "--set", "bet.flush=6", "--json").out)
    assert flush["wagers"]["ante"]["house_edge"] < PUBLISHED_EDGE
    assert abs(pitboss.simulate(book, rounds=300_000, seed=5).errors_from_exact) < 4
    for words in (("jackpot", book, "--meter", "100000"), ("par", book, "-o", "par.html")):
        ran = command_line(*words)
        assert ran.code == 0, ran.err
