"""Narrow terminals: an amount, an id or a clause is never cut, and a pipe gets what it always got."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table

from pitboss.cli.colour import console
from pitboss.cli.felt import draw_view
from pitboss.cli.floor_views import print_overview
from pitboss.cli.main import run
from pitboss.cli.report import _print as print_report
from pitboss.cli.tables import print_table
from pitboss.floor.report_shapes import DayReport, GameDay, TableDay
from pitboss.floor.shapes import Overview
from pitboss.play.shapes import Position, RoundView
from pitboss.rulebooks import book_ids, load_plan
from support import facts, pitboss, seat
from support.sent import as_sent, shape_of

WIDTHS = (100, 80, 72, 64, 60, 40)
WALKED = facts(
    "rws-thp-2",
    seat("Jc Jd", "ante 50 bonus 10 jackpot 5 flop 100", status="absent"),
    seat("As Ks", "ante 1000 bonus 500 flop 2000 turn 1000 river 1000", position=2),
    community="Jh 5c 5d 2h 8s",
    dealer="Kc Qs",
    meter="500000.00",
)


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_width(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Screen]:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")

    def opened(width: int) -> Screen:
        monkeypatch.setenv("COLUMNS", str(width))
        return Screen()

    return opened


def words(text: str) -> set[str]:
    return set(re.split(r"[\s,\[\]│┃]+", text))


def checked(screen: Screen, width: int, wanted: set[str]) -> None:
    text = screen.getvalue()
    assert wanted - words(text) == set(), text
    assert [line for line in text.splitlines() if len(line) > width] == []
    assert "…" not in text


@pytest.mark.parametrize("width", WIDTHS)
def test_a_settlement_is_whole_at_every_width(
    tmp_path: Path, at_width: Callable[[int], Screen], width: int
) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(WALKED))
    told = json.loads(pitboss("settle", str(file), "--json").out)
    with contextlib.redirect_stdout(at_width(width)) as screen:
        assert run(["settle", str(file)]) == 0
    assert isinstance(screen, Screen)
    text = screen.getvalue()
    lines = [line for one in told["seats"] for line in one["lines"]]
    assert len(lines) >= 9
    wanted = {line[name] for line in lines for name in ("wager", "stake", "returned", "collected", "paid")}
    wanted |= {number for line in lines for number in line["clauses"]}
    wanted |= {one["net"] if one["net"].startswith("-") else f"+{one['net']}" for one in told["seats"]}
    checked(screen, width, wanted)
    # nothing is left out of any line, however the lines are laid out
    flat = " ".join(text.split())
    for line in lines:
        amounts = [line[name] for name in ("stake", "returned", "collected", "paid")]
        names = ("stake: ", " returned: ", " collected: ", " paid: ")
        listed = "".join(name + amount for name, amount in zip(names, amounts, strict=True))
        row = " ".join((line["wager"], *amounts))
        assert row in flat or f"wager: {line['wager']} {listed}" in flat, text


FLOOR = {
    "floor": "house", "gaming_day": "2026-11-18", "players": 12, "links": [],
    "tables": [
        {"table": "main-1", "game": "mbs-3cp-2023", "cards": "virtual", "round": 1234, "stage": "decisions",
         "open": True, "link": "megalink", "players": 6, "waits": "claim"},
        {"table": "main-2", "open": False},
    ],
}  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
def test_the_overview_of_a_floor_is_whole_at_every_width(
    at_width: Callable[[int], Screen], width: int
) -> None:
    screen = at_width(width)
    print_overview(console(screen), shape_of(Overview, FLOOR))
    checked(screen, width, {"main-1", "mbs-3cp-2023", "virtual", "1234", "decisions", "megalink", "main-2"})


DAY = {
    "table": "t01", "game": "mbs-3cp-2023", "rounds": 512, "voids": 3, "drop": "1200345.00",
    "win": "-92000.25", "hold": -0.0766, "fills": "250000.00", "credits": "10000.00", "over_short": "-5.00",
    "jackpot_stakes_less_fixed_awards": "110995.00",
}  # fmt: skip
GAME = {
    "game": "mbs-3cp-2023", "hands": 2048, "actual_return": -0.0123, "theoretical_return": -0.0337,
    "band": (-0.1065, 0.0391), "within_band": True,
}  # fmt: skip
REPORT: dict[str, Any] = {
    name: []
    for name in ("links", "large_wins", "slips", "changes", "staffing", "shuffles", "card_counts", "errors")
} | {"tables": [as_sent(shape_of(TableDay, DAY))], "games": [as_sent(shape_of(GameDay, GAME))]}


@pytest.mark.parametrize("width", WIDTHS)
def test_a_report_is_whole_at_every_width(at_width: Callable[[int], Screen], width: int) -> None:
    screen = at_width(width)
    print_report(console(screen), shape_of(DayReport, REPORT), changed=False)
    amounts = {value for value in DAY.values() if isinstance(value, str)}
    checked(screen, width, amounts | {"-7.7%", "512", "2048", "-0.0123", "-0.0337", "-0.1065", "+0.0391"})


@pytest.mark.parametrize("width", WIDTHS)
def test_rulebooks_are_listed_whole_at_every_width(at_width: Callable[[int], Screen], width: int) -> None:
    with contextlib.redirect_stdout(at_width(width)) as screen:
        assert run(["rules", "list"]) == 0
    assert isinstance(screen, Screen)
    identities = [load_plan(book).book.identity for book in book_ids()]
    wanted = {identity.id for identity in identities} | {identity.version for identity in identities}
    checked(screen, width, wanted | {word for identity in identities for word in identity.title.split()})


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "command", ["rules diff mbs-thb-9 rws-thp-2", "rules show rws-thp-2", "rules remedy mbs-thb-9 misdeal"]
)
def test_what_runs_over_lines_keeps_its_words(
    at_width: Callable[[int], Screen], command: str, width: int
) -> None:
    piped = pitboss(*command.split()).out
    with contextlib.redirect_stdout(at_width(width)) as screen:
        assert run(command.split()) == 0
    assert isinstance(screen, Screen)
    clauses = {word for word in words(piped) if re.fullmatch(r"\d+(\.\w+)+", word)}
    assert len(clauses) > 1
    assert clauses - words(screen.getvalue()) == set()
    assert [line for line in screen.getvalue().splitlines() if len(line) > width] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_felt_shows_the_meter_and_every_stake_at_every_width(
    at_width: Callable[[int], Screen], width: int
) -> None:
    screen = at_width(width)
    box = {"cards": ["As", "Kd"], "stakes": {"ante": "1000.00", "bonus": "500.00"}, "fate": "in-play"}
    positions = {"1": as_sent(shape_of(Position, box))}
    view = shape_of(RoundView, {"positions": positions, "rack": "98500.00"})
    title = "Megalink Texas Hold'em Bonus Progressive   jackpot 1234567.89"
    draw_view(console(screen), title, view, community=True)
    checked(screen, width, {"1234567.89", "1000.00", "500.00", "98500.00"})


def test_a_pipe_is_as_wide_as_it_must_be_and_has_no_spaces_at_the_ends_of_lines() -> None:
    out = io.StringIO()
    table = Table("amount", *(f"column {number}" for number in range(12)), title="wide")
    table.add_row("1", *(f"{number}00000000.00" for number in range(12)))
    print_table(console(out), table)
    assert {f"{number}00000000.00" for number in range(12)} <= words(out.getvalue())
    assert "…" not in out.getvalue()
    for words_of in (("rules", "list"), ("rules", "show", "mbs-3cp-2023")):
        assert [line for line in pitboss(*words_of).out.splitlines() if line != line.rstrip()] == []
