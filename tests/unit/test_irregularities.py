"""Irregularities: every row of every book is met in a scenario, every authority has its boundary, money goes back."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.commands import Report, Rule, Staff
from pitboss.play.irregularity import find_row
from pitboss.play.scenario import Played, StepResult, play_scenario, read_scenario
from pitboss.play.steps import parse_step
from pitboss.play.table import Stage, State, open_table
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.book import RemedyRule
from pitboss.rulebooks.trouble import Irregularity, Mode, Ruling
from pitboss.rulebooks.vocabulary import Position
from support import BOOKS
from support.play import CHIEF, DEALER, Table

FOLDER = Path(__file__).parent.parent / "scenarios/irregularities"
STAFF = tuple(Position)


@lru_cache(maxsize=5)
def played(book: str) -> tuple[Played, ...]:
    paths = sorted(FOLDER.glob(f"{book}-*.json"))
    return tuple(play_scenario(read_scenario(path.read_text(), name=path.name)) for path in paths)


@lru_cache(maxsize=5)
def acts(book: str) -> list[tuple[State, Report | Rule, StepResult]]:
    """Every report and ruling of a book's scripts, with the state before it and what came of it."""
    found: list[tuple[State, Report | Rule, StepResult]] = []
    for script in played(book):
        scenario = script.scenario
        before = open_table(scenario.terms, scenario.players, meter=scenario.meter)
        for result in script.steps:
            command = parse_step(result.step, scenario.terms, scenario.players, place="")
            if isinstance(command, Report | Rule):
                found.append((before, command, result))
            before = result.state
    return found


def rows(book: str) -> list[RemedyRule]:
    late = {label: "a" for label in load_plan(book).readings if label.startswith("R-LATE-")}
    plans = (load_plan(book), load_plan(book, late))
    found = {key_of(row): row for plan in plans for kind in plan.remedies.values() for row in kind}
    return list(found.values())


@pytest.mark.parametrize("book", BOOKS)
def test_every_row_of_the_remedies_is_met_at_every_moment_it_speaks_of(book: str) -> None:
    met = {
        key_of(find_row(before, command)): result
        for before, command, result in acts(book)
        if isinstance(command, Report) and result.refusal is None
    }
    missing = [f"{row.kind} {row.when}" for row in rows(book) if key_of(row) not in met]
    assert not missing


Key = tuple[str, tuple[str, ...], str]


def key_of(row: RemedyRule) -> Key:
    return row.kind.value, row.when, row.remedy.value


def by(command: Report | Rule) -> Position:
    assert isinstance(command.by, Staff)
    return command.by.position


@pytest.mark.parametrize("book", BOOKS)
def test_every_ruling_and_finding_has_its_boundary(book: str) -> None:
    """The position its clause names may, the one below is refused with the clause."""
    ruled: dict[tuple[str, tuple[str, ...], Ruling], set[tuple[Position, bool]]] = {}
    found: dict[Key, set[tuple[Position, bool]]] = {}
    for before, command, result in acts(book):
        allowed = result.refusal is None
        if not allowed and result.refusal is not None and result.refusal.code != "no-authority":
            continue
        if result.refusal is not None:
            assert result.refusal.clauses, result.step
        if isinstance(command, Rule) and before.suspension is not None:
            key = (before.suspension.kind, before.suspension.clauses, command.ruling)
            ruled.setdefault(key, set()).add((by(command), allowed))
        elif isinstance(command, Report):
            found.setdefault(key_of(find_row(before, command)), set()).add((by(command), allowed))
    for row in rows(book):
        if row.mode is Mode.SUSPENDED:
            assert row.decides is not None
            lower = STAFF[STAFF.index(row.decides) - 1]
            for ruling in row.rulings:
                tried = ruled[row.kind.value, row.clauses, ruling]
                assert {(row.decides, True), (lower, False)} <= tried, (row.kind, row.when, ruling)
        if row.finding is not None:
            lower = STAFF[STAFF.index(row.finding) - 1]
            assert {(row.finding, True), (lower, False)} <= found[key_of(row)], (row.kind, row.when)


@pytest.mark.parametrize("book", BOOKS)
def test_a_void_round_leaves_every_rack_and_the_meter_as_they_were(book: str) -> None:
    """Also after it was settled and awards were paid; rounds before it stand."""
    late = voided = 0
    for script in played(book):
        opened = None
        for index, result in enumerate(script.steps):
            before = script.steps[index - 1].state if index else None
            if result.step == "dealer: open bets" and result.refusal is None:
                opened = before or open_table(
                    script.scenario.terms, script.scenario.players, meter=script.scenario.meter
                )
            if result.state.stage is Stage.VOID and before is not None and before.stage is not Stage.VOID:
                assert opened is not None
                assert result.state.racks == opened.racks, (script.scenario.name, index)
                assert (result.state.meter, result.state.house) == (opened.meter, opened.house)
                assert result.state.table_float == opened.table_float
                assert result.state.memory.warned == opened.memory.warned
                voided += 1
                late += before.stage is Stage.SETTLED
    assert voided > 20
    assert late >= 2


def test_a_player_barred_while_bets_are_open_has_no_option_left_to_answer() -> None:
    table = Table.random("mbs-thb-9", 1, physical=False)
    for command in (
        c.OpenBets(by=DEALER),
        c.PlaceWager(by=c.Player("p1"), position=1, wager="ante", amount=Cents(2500)),
        c.PlaceWager(by=c.Player("p2"), position=2, wager="ante", amount=Cents(2500)),
        Report(by=DEALER, kind=Irregularity.POWER_FAILURE),
        Rule(by=CHIEF, ruling=Ruling.BAR, argument="p1"),
    ):
        assert table.do(command) is None
    options = table.state.trouble.options
    assert options is not None
    assert options.waiting == {2}


@pytest.mark.parametrize("book", BOOKS)
def test_every_script_is_played_to_the_end_and_says_why(book: str) -> None:
    for script in played(book):
        for record in script.rounds[:-1]:
            assert record.status in ("settled", "void"), script.scenario.name
        for record in script.rounds:
            assert record.settlement is None or all(
                line.clauses for seat in record.settlement.seats for line in seat.lines
            )
            assert (record.status == "void") == bool(record.clauses and record.state.stage is Stage.VOID)
