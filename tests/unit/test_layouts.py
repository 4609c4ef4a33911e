"""How many positions a table has: what a layout states is cited, what only the house says is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.openings import opening_view
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.decide import decide
from pitboss.play.refusal import Refusal
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.brief import brief
from pitboss.rulebooks.compile import compile_plan
from pitboss.rulebooks.document import read_document
from pitboss.rulebooks.references import citations
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.validate import validate
from pitboss.rulebooks.vocabulary import Position
from support import pitboss
from support.floor import FLOAT, House
from support.sent import as_sent

RANGES = {
    "mbs-thb-9": (1, 7),
    "mbs-3cp-2023": (1, 7),
    "mbs-stud-6": (4, 7),
    "rws-thp-2": (1, 7),
    "hoiana-thb-2025": (1, 7),
}
STATED = {"mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"}


def _script(book: str, **table: Any) -> str:
    steps = ["dealer: open bets", "p1@1: wager ante 25"]
    return json.dumps(
        {"rulebook": book, "table": table, "players": {"p1": "100"}, "deck": "As", "steps": steps}
    )


@pytest.mark.parametrize(("book", "positions"), [(book, n) for book in RANGES for n in range(9)])
def test_a_table_has_the_positions_of_its_layouts_and_no_others(book: str, positions: int) -> None:
    low, high = RANGES[book]
    text = _script(book, positions=positions)
    if low <= positions <= high:
        assert read_scenario(text, name="x").terms.positions == positions
    else:
        with pytest.raises(BadInput, match=f"this game has {low} to {high}"):
            read_scenario(text, name="x")


def test_a_script_that_says_nothing_has_six_positions() -> None:
    assert all(read_scenario(_script(book), name="x").terms.positions == 6 for book in RANGES)


def test_a_stud_table_of_three_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(_script("mbs-stud-6", positions=3))
    ran = pitboss("run", str(tmp_path / "x.json"))
    assert ran.code == 2
    assert "3 positions; this game has 4 to 7" in ran.err
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"positions": 3}, "mbs-stud-6 has 4 to 7"),
        ({"positions": 8}, "mbs-stud-6 has 4 to 7"),
        ({"positions": 4, "layout": "Appendix A"}, "layout Appendix A has 5 to 7"),
        ({"positions": 7, "layout": "Appendix D"}, "layout Appendix D has 4 to 6"),
    ],
)
def test_the_floor_opens_no_stud_table_that_no_layout_has(more: dict[str, Any], says: str) -> None:
    house = House()
    book = house.book("mbs-stud-6")
    house.ok("gina", q.AddTable(table="t1"))
    with pytest.raises(BadInput, match=says):
        house.ask("mara", q.OpenTable(table="t1", rulebook=book, count=FLOAT, **more))
    house.ok("mara", q.OpenTable(table="t1", rulebook=book, count=FLOAT, positions=4))
    opened = house.floor.table("t1").opened
    assert opened is not None
    assert (opened.positions, opened.layout) == (4, "Appendix C")


@pytest.mark.parametrize("book", RANGES)
def test_a_position_that_is_not_there_cites_a_layout_only_where_it_states_the_number(book: str) -> None:
    scenario = read_scenario(_script(book), name="x")
    state = play_scenario(scenario).state
    outcome = decide(state, c.PlaceWager(by=c.Player("p1"), position=9, wager="ante", amount=Cents(2500)))
    assert isinstance(outcome, Refusal)
    assert outcome.code == "no-such-position"
    cited = ("2.2", "Appendix A") if book in STATED else ()
    assert outcome.clauses == cited
    block = c.Rule(by=c.Staff(Position.ASSISTANT_DIRECTOR), ruling=Ruling.BLOCK, argument="9")
    refused = decide(state, block)
    assert isinstance(refused, Refusal)
    assert refused.clauses == cited


@pytest.mark.parametrize("book", RANGES)
def test_only_a_document_that_states_a_number_has_it_in_its_layouts(book: str) -> None:
    plan = load_plan(book, {})
    assert all((layout.positions is not None) == (book in STATED) for layout in plan.book.layouts)
    assert (plan.book.house.layout_positions is None) == (book in STATED)
    cited = {path for path, _ in citations(plan.book) if path.startswith(("layouts", "house"))}
    assert cited
    assert all(path.startswith("layouts[") for path in cited)
    assert [tuple(row["positions"]) for row in as_sent(opening_view(plan))["layouts"]] == list(
        plan.seat_ranges.values()
    )


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        (
            {"layouts": [{"name": "A", "clauses": ["2.1.1"]}], "house.layout-positions": [3, 2]},
            "house.layout-positions",
        ),
        ({"layouts": [{"name": "A", "positions": [0, 7], "clauses": ["2.1.1"]}]}, "layouts[0].positions"),
        ({"house.positions": 8}, "house.positions"),
    ],
)
def test_a_range_that_cannot_be_is_a_defect(settings: dict[str, object], path: str) -> None:
    document = read_document("rws-thp-2").with_settings(settings)
    assert any(path in defect.place for defect in validate(document))


def test_layouts_that_leave_a_number_out_say_so() -> None:
    layouts = [
        {"name": "A", "positions": [1, 2], "clauses": ["2.1.1"]},
        {"name": "B", "positions": [5, 6], "clauses": ["2.1.1"]},
    ]
    plan = load_plan("rws-thp-2", {})
    changed = plan.book.model_copy(
        update={"layouts": tuple(type(plan.book.layouts[0])(**row) for row in layouts)}
    )
    made = compile_plan(changed, readings={}, digest="x")
    assert made.seat_counts == "1 to 2 or 5 to 6"
    assert [made.may_have(n) for n in range(8)] == [False, True, True, False, False, True, True, False]


@pytest.mark.parametrize("book", RANGES)
def test_a_number_of_positions_that_the_house_has_set_cites_no_clause(book: str) -> None:
    plan = load_plan(book, {})
    topics = {topic.name: topic for topic in brief(plan)}
    seats, rows = topics["positions"], as_sent(opening_view(plan))["layouts"]

    with pytest.raises(BadInput) as wrong:
        read_scenario(_script(book, positions=9), name="x")
    if book in STATED:
        assert seats.clauses
        assert "layouts" not in topics
        assert all(row["clauses"] for row in rows)
        assert "by its layouts" in str(wrong.value)
    else:
        assert (seats.text, seats.clauses) == ("1-7, set by the house", ())
        assert set(topics["layouts"].clauses) == {c for lay in plan.book.layouts for c in lay.clauses}
        assert not any(row["clauses"] for row in rows)
        assert "as the house has set" in str(wrong.value)
