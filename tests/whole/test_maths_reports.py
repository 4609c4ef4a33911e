"""What the mathematics prints: analysis, prices, jackpot, advice, par sheets."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cli.main import run
from pitboss.errors import BadInput
from pitboss.maths.analysis import analysis_json
from pitboss.maths.par_sheet import capped_values, par_sheet
from pitboss.maths.prices import price_readings
from pitboss.maths.progressive import price_progressive
from pitboss.maths.rounds import table_for
from pitboss.maths.seats import covariance_of_seats
from pitboss.maths.simulator import Run, simulate, workers_for
from pitboss.maths.strategies import OPTIMAL
from pitboss.money import Cents
from pitboss.rulebooks import load_plan
from support.maths import analysis_of

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = [line for line in said.err.splitlines() if line.startswith("pitboss:")]
    assert len(lines) == 1
    return lines[0]


def test_analyze_prints_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(asked(capsys, "analyze", "mbs-3cp-2023", "--json"))
    ante = document["wagers"]["ante"]
    assert Fraction(ante["ev"]) == Fraction(-686689, 20358520)
    assert sum(ante["outcomes"].values()) == ante["cycle"] == 407_170_400
    assert (
        sum(int(net) * deals for net, deals in ante["outcomes"].items())
        == Fraction(ante["ev"]) * ante["cycle"]
    )
    assert set(ante) == {
        "ev", "house_edge", "average_wager", "element_of_risk", "standard_deviation",
        "outcomes", "cycle", "decisions", "strategy",
    }  # fmt: skip
    assert set(document["wagers"]) == {"ante", "pair-plus", "six-card-bonus", "jackpot"}
    jackpot = document["wagers"]["jackpot"]
    assert jackpot["fixed_return"] == "704/1911"
    assert jackpot["meter_share"] == "19/6497400"
    assert jackpot["break_even_meter"] == "1079947.37"
    assert jackpot["hit_frequency"]["royal-flush"] == "1/649740"


def test_analyze_tells_the_edge_first(capsys: pytest.CaptureFixture[str]) -> None:
    lines = asked(capsys, "analyze", "mbs-3cp-2023").splitlines()
    assert lines[2].startswith("house edge 3.3730%")
    assert any("play Q-6-4 or better" in line for line in lines)


@pytest.mark.parametrize(
    ("readings", "wager", "value"),
    [
        ((("R-QUALIFY-3CP", "a"),), "ante", Fraction(524723, 1957550)),
        ((("R-QUALIFY-3CP", "c"),), "ante", Fraction(281277, 1017926)),
        ((("R-STEELWHEEL", "a"),), "six-card-bonus", Fraction(-20231, 149695)),
    ],
)
def test_readings_of_the_three_card_book(
    readings: tuple[tuple[str, str], ...], wager: str, value: Fraction
) -> None:
    """Figures an independent checker worked out with separate code."""
    document = analysis_json(analysis_of("mbs-3cp-2023", readings))
    assert Fraction(document["wagers"][wager]["ev"]) == value


CHECKED = (
    ("hoiana-thb-2025", (("R-TIEBREAK", "a"),), (), "ante", Fraction(1770794, 985466625)),
    ("mbs-thb-9", (("R-FULLHOUSE", "a"),), (), "ante", Fraction(-28343273951, 1390690501200)),
    ("rws-thp-2", (("R-STEELWHEEL", "a"),), (), "ante", Fraction(-141607918003, 6953452506000)),
    ("mbs-thb-9", (), ("flop.times=3",), "ante", Fraction(4884790241, 1158908751000)),
    ("mbs-thb-9", (), ("ante.pays-from=flush",), "ante", Fraction(-19447087313, 347672625300)),
    ("mbs-thb-9", (("R-BONUS-LOSE", "a"),), (), "bonus", Fraction(-20222067259, 57945437550)),
    ("mbs-thb-9", (("R-BONUS-TIE", "a"),), (), "bonus", Fraction(-43679159983, 695345250600)),
    ("mbs-stud-6", (("R-QUALIFY-STUD", "a"),), (), "ante", Fraction(61492169821, 71190108990)),
)
"""Figures an independent checker worked out with separate code. `make prove` looks at all of them; each is a solve of
its own, and `make test` takes one of hold'em and one of stud."""
COUNTED_HERE = (("rws-thp-2", (("R-TIEBREAK", "a"),), (), "ante", Fraction(5670031, 2122543500)),)
"""A letter whose meaning has changed since: the figure is the solver's own, which brute force confirms for this letter on a
reduced pack (tests/whole/test_solvers.py). `make prove` looks at it."""
LONG = bool(os.environ.get("PROVE_LONG"))


@pytest.mark.parametrize(
    ("book", "readings", "changes", "wager", "value"), CHECKED + COUNTED_HERE if LONG else CHECKED[::7]
)
def test_readings_and_changes_of_other_books(
    book: str, readings: tuple[tuple[str, str], ...], changes: tuple[str, ...], wager: str, value: Fraction
) -> None:
    """Figures an independent checker worked out with separate code, but for a letter that has changed since."""
    document = analysis_json(analysis_of(book, readings, changes))
    assert Fraction(document["wagers"][wager]["ev"]) == value


def test_the_capped_bonus_by_stake() -> None:
    analysis = analysis_of("rws-thp-2")
    values = capped_values(analysis.plan, analysis.sides[0])
    assert values[Cents(10_000)] == Fraction(-13873, 162435)
    assert values[Cents(20_000)] == Fraction(-14173, 162435)
    assert values[Cents(500_000)] == Fraction(-33, 221)


@pytest.mark.skipif(not LONG, reason="tests/whole/test_docs_prices.py counts the same prices: make prove")
def test_prices_of_readings() -> None:
    plan = load_plan("mbs-3cp-2023")
    prices = {(price.label, price.letter): price for price in price_readings("mbs-3cp-2023", plan, [])}
    assert prices["R-QUALIFY-3CP", "a"].changes["ante"] == Fraction(524723, 1957550) + Fraction(
        686689, 20358520
    )
    assert prices["R-MULT", "b"].changes == {"jackpot at 5 units": 4 * Fraction(704, 1911)}
    assert prices["R-RESET", "c"].round_award < 0
    assert prices["R-POOL", "b"].why.startswith("not priced")
    assert not prices["R-QUALIFY-3CP", "b"].changes


def test_a_progressive_in_the_long_run() -> None:
    analysis = analysis_of("mbs-stud-6")
    assert analysis.jackpot is not None
    link = price_progressive(analysis.plan, analysis.jackpot, meter=Cents(30_000_000))
    chance = Fraction(1, 649740)
    # Fixed pays, the reset value times its chance, and the contribution.
    long_run = analysis.jackpot.fixed_return + 10_000_000 * chance / 500 + Fraction(2000, 10_000)
    assert link.long_run_return == long_run
    assert link.return_now == analysis.jackpot.fixed_return + Fraction(76, 10) / 2598960 * 30_000_000 / 500
    assert link.wagers_between_hits["royal-flush"] == 649740
    assert link.reserve_covers == Fraction(25, 1) * 649740 / 10_000_000
    middle = link.quantiles_at_hit[0.5]
    assert link.quantiles_at_hit[0.05] < middle < float(link.mean_at_hit) < link.quantiles_at_hit[0.95]


@pytest.mark.parametrize(
    ("reading", "mean", "from_meter"), [("R-FIXED-FUND", 64_976, 0.999), ("R-METERFLOOR", 395_079, None)]
)
def test_a_progressive_that_no_formula_follows(reading: str, mean: int, from_meter: float | None) -> None:
    """The house's figures: 1.00 contributed by a wager; fixed awards come to 0.965, and 0.385 of each 10 % lost."""
    plan = load_plan("mbs-stud-6", {reading: "b"})
    jackpot = analysis_of("mbs-stud-6").jackpot
    assert jackpot is not None
    link = price_progressive(plan, jackpot, meter=Cents(30_000_000))
    assert float(link.mean_meter) / 100 == pytest.approx(mean, abs=30)
    assert link.mean_at_hit == link.mean_meter
    assert link.fixed_from_meter == (None if from_meter is None else pytest.approx(from_meter, abs=0.001))
    shares = Fraction(76, 10) / 2598960 * link.mean_meter / 500
    assert link.long_run_return == jackpot.fixed_return + shares
    assert "Markov" in link.how["mean_meter"]
    assert link.how["return_now"] == "exact formula"


@pytest.mark.parametrize("reading", ["R-FIXED-FUND", "R-METERFLOOR"])
def test_a_progressive_that_no_grid_follows_names_the_clause(reading: str) -> None:
    plan = load_plan("mbs-stud-6", {reading: "b"})
    jackpot = analysis_of("mbs-stud-6").jackpot
    assert jackpot is not None
    jackpot = replace(jackpot, unit=Cents(0))
    with pytest.raises(BadInput, match=r"4\.2 cannot be priced.* the long run of a meter that gains nothing"):
        price_progressive(plan, jackpot)


def test_advice(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(asked(capsys, "advise", "mbs-3cp-2023", "--hand", "Qh 6d 3c", "--json"))
    assert document["best"] == "fold"
    assert Fraction(document["values"]["play"]) == Fraction(-393, 392)
    assert "place the Play" in asked(capsys, "advise", "mbs-3cp-2023", "--hand", "Qh 6d 4c")
    assert "check" in asked(capsys, "advise", "mbs-thb-9", "--hand", "Ah 3d", "--board", "Kc 7h 2d 9s")


@pytest.mark.parametrize(
    "arguments",
    [
        ("advise", "mbs-3cp-2023", "--hand", "Qh 6d"),
        ("advise", "mbs-3cp-2023", "--hand", "Qh 6d 6d"),
        ("advise", "mbs-stud-6", "--hand", "Ah Kd Jc 8s 3d"),
        ("advise", "mbs-3cp-2023", "--hand", "Qh 6d Zz"),
        ("analyze", "mbs-3cp-2023", "--unit", "0"),
        ("analyze", "mbs-3cp-2023", "--multiple", "6"),
        ("analyze", "mbs-3cp-2023", "--stake", "5"),
        ("analyze", "hoiana-thb-2025", "--unit", "5"),
        ("analyze", "mbs-3cp-2023", "--strategy", "any fool"),
        ("jackpot", "hoiana-thb-2025"),
        ("jackpot", "mbs-3cp-2023", "--seats", "9"),
        ("simulate", "mbs-3cp-2023", "--rounds", "many"),
        ("simulate", "mbs-3cp-2023", "--seats", "0"),
        ("simulate", "mbs-3cp-2023", "--rounds", "1000", "--cluster", "tcp://127.0.0.1:1"),
        ("par", "mbs-3cp-2023", "-o", "par.doc"),
        ("par", "mbs-3cp-2023", "-o", "/nowhere/par.html"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, *arguments)


def test_a_book_of_the_users_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "mine.toml"
    book.write_text(
        'extends = "mbs-3cp-2023"\n[pays.pair-plus.rows]\nstraight = "6 to 1"\nflush = "3 to 1"\n'
    )
    document = json.loads(asked(capsys, "analyze", str(book), "--json"))
    assert Fraction(document["wagers"]["pair-plus"]["ev"]) == Fraction(-402, 5525)
    book.write_text('extends = "mbs-3cp-2023"\n[qualification]\nranks = ["J"]\n')
    assert "R-QUALIFY-3CP" in refused(capsys, "analyze", str(book))


def test_par_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("html", "md", "csv", "pdf"):
        asked(capsys, "par", "mbs-3cp-2023", "-o", str(tmp_path / f"par.{ending}"))
    page = (tmp_path / "par.html").read_text()
    digest = load_plan("mbs-3cp-2023").digest
    for words in (digest, "3.3730 %", "686689/20358520", "Q-6-4", "<svg", "1079947.37", "R-QUALIFY-3CP"):
        assert words in page
    assert (tmp_path / "par.pdf").read_bytes().startswith(b"%PDF-")
    text = (tmp_path / "par.md").read_text()
    assert "## Pair Plus" in text
    rows = list(csv.reader((tmp_path / "par.csv").read_text().splitlines()))
    assert ["straight-flush", "40 to 1", "884,352", "0.0021719457", "0.08904977"] in rows


def test_the_starting_hands_of_a_par_sheet_are_in_colour() -> None:
    sheet = par_sheet(analysis_of("hoiana-thb-2025"), changes=[], prices=[], progressive=None)
    grid = next(part for section in sheet.sections for part in section.parts if getattr(part, "shades", ()))
    cells = [cell for row in grid.rows for cell in row[1:]]  # type: ignore[union-attr]
    assert len(cells) == 169
    assert sum(cell.endswith("fold") for cell in cells) == 5


def test_the_covariance_of_seats_counted_and_simulated() -> None:
    solution = analysis_of("mbs-3cp-2023").solution
    exact = covariance_of_seats(solution)
    assert exact.exact == Fraction(7096280872053167, 13677488107483200)
    table = table_for(solution, OPTIMAL)
    with workers_for(table) as workers:
        totals, _ = simulate(table, Run(key="covariance", seed=3, seats=6), 500_000, workers)
    assert totals.covariance is not None
    assert abs(totals.covariance - exact.value) < 0.03


def test_starting_hands_are_told() -> None:
    hands = analysis_json(analysis_of("hoiana-thb-2025"))["starting_hands"]
    assert len(hands) == 169
    assert hands["72o"]["plays"] is False
    assert Fraction(hands["72o"]["value"]) == Fraction(-10816140431, 10487862000)
    assert 0 < Fraction(hands["AKs"]["turn"]) < 1
