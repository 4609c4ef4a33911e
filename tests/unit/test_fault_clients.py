"""The clients' journal finds what is lost, done twice or done against a refusal, each by a record that is made so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.fault_clients import Asked, Judgement, judged, longest_pause

DONE: dict[str, Any] = {"ok": True, "versions": {"table/t1": 5}}
WAGER = {"stream": "table/t1", "version": 5, "name": "wager-placed.v1", "actor": "player/p1"}


def asked(key: str = "player/p1/a", status: int = 200, body: dict[str, Any] | None = None) -> Asked:
    """A wager of one player, acknowledged unless another status is given."""
    return Asked(key, "player/p1", "t1", ("place-wager",), 1.0, 2.0, status, body or DONE)


def held(
    folder: Path,
    entries: list[Asked],
    *,
    kept: dict[str, dict[str, Any]],
    events: list[dict[str, Any]],
    named: tuple[str, ...] = (),
) -> Judgement:
    """The journal held against a record of these answers and events."""
    rows = {"commands": [{"key": key, "answer": json.dumps(answer)} for key, answer in kept.items()]}
    for name, lines in (rows | {"events": events}).items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return judged(entries, folder, named=named)


def test_what_is_there_once_is_content(tmp_path: Path) -> None:
    found = held(tmp_path, [asked()], kept={"player/p1/a": DONE}, events=[WAGER])
    assert found == Judgement(acknowledged=1)


@pytest.mark.parametrize(
    ("kept", "events"),
    [({}, [WAGER]), ({"player/p1/a": DONE}, []), ({"player/p1/a": {**DONE, "round": 2}}, [WAGER])],
    ids=["no answer", "no event", "another answer"],
)
def test_an_acknowledged_act_that_is_not_there_as_it_was_answered_is_lost(
    tmp_path: Path, kept: dict[str, Any], events: list[dict[str, Any]]
) -> None:
    assert held(tmp_path, [asked()], kept=kept, events=events).lost == ["player/p1/a"]


def test_a_version_that_was_promised_to_two_is_doubled(tmp_path: Path) -> None:
    both = {"player/p1/a": DONE, "player/p1/b": DONE}
    found = held(tmp_path, [asked(), asked("player/p1/b")], kept=both, events=[WAGER])
    assert found.doubled[0] == "table/t1 5 was promised to player/p1/a and player/p1/b"


def test_an_act_of_which_there_are_two_events_is_doubled(tmp_path: Path) -> None:
    twice = [WAGER, WAGER | {"version": 6}]
    found = held(tmp_path, [asked()], kept={"player/p1/a": DONE}, events=twice)
    assert found.doubled == ["table/t1 wager-placed player/p1: 2 events of 1 to 0 more"]


@pytest.mark.parametrize(("times", "doubled"), [(0, 0), (1, 0), (2, 1)])
def test_an_act_without_an_answer_is_there_once_or_never(tmp_path: Path, times: int, doubled: int) -> None:
    events = [WAGER | {"version": 5 + number} for number in range(times)]
    found = held(tmp_path, [asked(status=0)], kept={}, events=events)
    assert (found.unanswered, len(found.doubled)) == (1, doubled)


def test_what_was_refused_and_is_done_is_wrong(tmp_path: Path) -> None:
    refused = asked(status=409, body={"code": "late"})
    assert held(tmp_path, [refused], kept={"player/p1/a": DONE}, events=[WAGER]).wrong
    no = {"ok": False, "refusal": {"code": "late"}}
    assert held(tmp_path, [refused], kept={"player/p1/a": no}, events=[]) == Judgement(refused=1)


def test_what_is_named_as_lost_is_to_be_gone(tmp_path: Path) -> None:
    gone = held(tmp_path, [asked()], kept={}, events=[], named=("player/p1/a",))
    assert gone == Judgement(acknowledged=1)
    there = held(tmp_path, [asked()], kept={"player/p1/a": DONE}, events=[WAGER], named=("player/p1/a",))
    assert there.wrong == ["player/p1/a is named as lost and is there"]


def test_the_longest_pause_counts_from_the_beginning_and_to_the_end() -> None:
    assert longest_pause([2.0, 3.0], 1.0, 9.0) == 6.0
    assert longest_pause([8.0], 1.0, 9.0) == 7.0
    assert longest_pause([0.0], 1.0, 9.0) == 8.0
