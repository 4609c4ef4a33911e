"""What the screens are told in words: times by the floor's clock, the rules of a table, what it stands still for."""

from __future__ import annotations

import re

from pitboss.floor.overview import at_text, link_view, lobby, overview
from pitboss.floor.ports import Micros
from pitboss.floor.recall import recall, recalled, viewers_of
from pitboss.floor.reports import report
from pitboss.floor.rules_view import rules_view
from pitboss.floor.searching import Wanted, found_rounds
from pitboss.money import Cents
from pitboss.reporting import told
from support.floor import House
from support.sent import as_sent

FULL_HOUR = Micros(1_804_500_000_000_000 // 3_600_000_000 * 3_600_000_000)
"""A full hour, so that whatever is done within it has the same hour by any clock."""


def test_a_moment_says_by_which_clock_it_is() -> None:
    assert at_text(0) == "1970-01-01 00:00:00+00:00"
    assert at_text(0, 480) == "1970-01-01 08:00:00+08:00"
    assert at_text(0, -210) == "1969-12-31 20:30:00-03:30"


def test_every_time_of_a_floor_is_by_its_own_clock() -> None:
    house = House(utc_offset_minutes=480)
    house.clock.at = FULL_HOUR
    house.link()
    house.table("mbs-stud-6", players=("p1", "p2"), link="mega")
    house.stud(hit=True)
    house.step("dealer: settle")
    claim = as_sent(link_view(house.floor, "mega"))["claims"][0]
    assert claim["hands"] == [{"hand": "straight-flush", "position": 1, "player": "p1"}]
    assert claim["entered"].endswith("+08:00")
    steps = recall(house.floor, house.store, "t1", 1)
    rows, _ = as_sent(found_rounds(house.store, Wanted(tables=["t1"]), most=9, utc_offset_minutes=480))
    found = report(house.floor, house.store, since=FULL_HOUR, until=None, large=Cents(1))
    figures = as_sent(told(house.floor, found, theory=False))
    record = as_sent(recalled("t1", 1, steps, viewers_of(steps), utc_offset_minutes=480))
    times = [rows[0]["opened"], *(step["at"] for step in record["steps"])]
    times += [line["at"] for part in ("slips", "changes", "large_wins") for line in figures[part]]
    hour = at_text(FULL_HOUR, 480)[:14]
    assert all(time.startswith(hour) and time.endswith("+08:00") for time in times), times
    assert figures["tables"][0]["title"] == "Megalink Singapore Stud Poker"
    assert (
        as_sent(overview(house.floor))["tables"][0]["waits"],
        as_sent(lobby(house.floor))["tables"][0]["waits"],
    ) == (
        "claim",
        "claim",
    )


def test_the_rules_of_a_table_are_its_own_and_said_as_people_say_them() -> None:
    house = House()
    house.table("mbs-3cp-2023", positions=6, layout="Appendix B")
    table = house.floor.table("t1")
    rules = as_sent(rules_view(table.state.plan, table.opened))
    texts = {
        topic["name"]: topic["text"] for topic in rules["topics"] if topic["chapter"] in ("Table", "Pays")
    }
    assert texts["positions"] == "6 (Appendix B)"
    assert texts["edition"] == "version unnumbered, from 2023-05-22"
    assert texts["pair plus"].startswith("straight flush 40 to 1, three of a kind")
    assert not [text for text in texts.values() if re.search(r"[a-z]-[a-z]", text)]
