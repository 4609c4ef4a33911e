"""Answers that were kept long enough are forgotten, with a mark in the record that both verifiers accept."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pitboss.bootstrap import OpenFloor, Settings, at_work, open_store
from pitboss.floor import requests as q
from pitboss.floor.people import CONSOLE, SYSTEM, staff
from pitboss.floor.ports import Micros
from pitboss.floor.registry import DAY
from pitboss.floor.seeded import SimulatedClock
from pitboss.server.clockwork import Clockwork
from pitboss.server.settings import ServerSettings
from pitboss.store.keeping import export_all, make_checkpoint
from pitboss.verification import verify
from support import pitboss
from support.freezing import SIGNING_KEY
from support.tampering import seal_again
from verify_export import verify_export

THEN = Micros(1_700_000_000_000_000)


def person(number: int) -> q.AddPerson:
    return q.AddPerson(person=f"d{number}", position="dealer")


def ask_five(work: OpenFloor, first: int, clock: SimulatedClock) -> None:
    """Four requests that are done and one that is refused, an hour apart."""
    for number in range(first, first + 4):
        clock.at = Micros(clock.at + DAY // 24)
        assert work.floor.do(CONSOLE, person(number), key=f"k{number}").ok
    assert not work.floor.do(CONSOLE, person(first), key=f"no{first}").ok


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor with requests of three times, those of the first two forgotten one after the other; not signed."""
    folder, clock = tmp_path_factory.mktemp("aged") / "floor", SimulatedClock(THEN)
    with at_work(Settings(folder), create=True, clock=clock) as work:
        (folder / "checkpoint.pem").unlink()
        assert work.floor.do(CONSOLE, q.CreateFloor(name="old")).ok
        for first in (1, 11, 21):
            ask_five(work, first, clock)
            clock.at = Micros(clock.at + 20 * DAY)
            if first > 1:
                answer = work.forget_answers(SYSTEM, days=30)
                assert answer is not None
                assert answer.body["forgotten"] == {11: 6, 21: 5}[first]  # the floor's own creation, too
    return folder


@pytest.fixture
def floor(aged: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(aged, tmp_path / "floor"))


def found_wrong(folder: Path) -> tuple[list[str], list[str]]:
    """What `pitboss verify` and the verifier of exports say."""
    inside = [str(problem) for problem in verify(Settings(folder), processes=1, unsigned=True).problems]
    store = open_store(Settings(folder))
    export_all(store, folder / "export", None)
    store.close()
    return inside, verify_export(folder / "export", unsigned=True)


def keys(folder: Path) -> set[str]:
    with sqlite3.connect(folder / "floor.db") as database:
        return {row[0] for row in database.execute("SELECT key FROM commands") if row[0][0] in "kn"}


def test_old_answers_go_and_the_record_verifies(floor: Path) -> None:
    assert keys(floor) == {"k21", "k22", "k23", "k24", "no21"}
    assert found_wrong(floor) == ([], [])
    store = open_store(Settings(floor))
    marks = [json.loads(row.data) for row in store.read("floor") if row.name == "answers-forgotten.v1"]
    store.close()
    assert [(mark["done"], mark["others"]) for mark in marks] == [(5, 1), (4, 1)]
    assert marks[0]["before"] < marks[1]["before"]


def test_a_key_that_is_forgotten_is_a_new_request(floor: Path) -> None:
    with at_work(Settings(floor)) as work:
        again = work.floor.do(CONSOLE, q.AddPerson(person="other", position="dealer"), key="k1")
        assert (again.ok, again.repeated) == (True, False)
        kept = work.floor.do(CONSOLE, person(21), key="k21")
        assert (kept.ok, kept.repeated) == (True, True)
    assert found_wrong(floor) == ([], [])


def test_nothing_is_dated_before_the_mark_even_by_a_clock_that_is_behind(floor: Path) -> None:
    with at_work(Settings(floor), clock=SimulatedClock(THEN)) as work:
        assert work.floor.do(CONSOLE, q.AddPlayer(player="late"), key="behind").ok
        assert not work.floor.do(CONSOLE, q.AddPlayer(player="late"), key="behind-no").ok
        assert work.floor.do(CONSOLE, q.AddTable(table="t1"), key="behind-table").ok
    assert found_wrong(floor) == ([], [])


@pytest.mark.parametrize(
    ("asker", "days_old", "code"),
    [
        (staff("d1"), 30, "not-yours"),
        (SYSTEM, 6, "kept-longer"),
        (CONSOLE, 6, "kept-longer"),
        (SYSTEM, 90, "forgotten-already"),
    ],
)
def test_answers_are_not_forgotten_by_anybody_too_soon_or_twice(
    floor: Path, asker: object, days_old: int, code: str
) -> None:
    clock = SimulatedClock(THEN)
    clock.at = Micros(clock.at + 62 * DAY)
    with at_work(Settings(floor), clock=clock) as work:
        before = keys(floor)
        request = q.ForgetAnswers(before=Micros(clock.at - days_old * DAY))
        assert work.floor.do(asker, request, key="forget").code == code  # type: ignore[arg-type]
        assert keys(floor) == before


# --- forged -------------------------------------------------------------------------------------------------


def _remove_one(database: sqlite3.Connection) -> str:
    database.execute("DELETE FROM commands WHERE key = 'k22'")
    return "floor"


def _keep_one(database: sqlite3.Connection) -> str:
    database.execute(
        "INSERT INTO commands SELECT 'k2', at - 30 * 86400000000, fingerprint, answer FROM commands WHERE key = 'k22'"
    )
    return "answer k2"


def _change_mark(**changes: object) -> Callable[[sqlite3.Connection], str]:
    def do(database: sqlite3.Connection) -> str:
        version, data = database.execute(
            "SELECT version, data FROM events WHERE name = 'answers-forgotten.v1' ORDER BY version DESC"
        ).fetchone()
        body = json.loads(data)
        for name, value in changes.items():
            body[name] = body[name] + value if isinstance(value, int) else value
        text = json.dumps(body, separators=(",", ":"))
        database.execute("UPDATE events SET data = ? WHERE version = ? AND stream = 'floor'", (text, version))
        return f"floor {version}"

    return do


def _later_and_gone(database: sqlite3.Connection) -> str:
    """The mark says that more was forgotten than was, and what it says is gone."""
    at = database.execute("SELECT at FROM commands WHERE key = 'k23'").fetchone()[0]
    mark = database.execute(
        "SELECT data FROM events WHERE name = 'answers-forgotten.v1' ORDER BY version DESC"
    ).fetchone()
    database.execute("DELETE FROM commands WHERE at < ?", (at,))
    return _change_mark(before=at - json.loads(mark[0])["before"])(database)


def _by_a_dealer(database: sqlite3.Connection) -> str:
    database.execute("UPDATE events SET actor = 'staff/d1' WHERE name = 'answers-forgotten.v1'")
    return "floor"


def _too_soon(database: sqlite3.Connection) -> str:
    """The mark of a prune that left less than the least: its own time is changed with it."""
    database.execute("DELETE FROM commands")
    return _change_mark(before=25 * DAY)(database)


@pytest.mark.parametrize(
    "forge",
    [
        _remove_one,
        _keep_one,
        _change_mark(done=1),
        _change_mark(digest="0" * 64),
        _change_mark(before=-30 * DAY),
        _change_mark(before=10 * DAY),
        _later_and_gone,
        _by_a_dealer,
        _too_soon,
    ],
)
def test_a_forged_mark_or_a_missing_answer_is_found_by_both(
    floor: Path, forge: Callable[[sqlite3.Connection], str]
) -> None:
    database = sqlite3.connect(floor / "floor.db")
    database.row_factory = sqlite3.Row
    named = forge(database).split()
    seal_again(database, "floor")
    database.commit()
    database.close()
    for found in found_wrong(floor):
        assert any(all(word in problem for word in named) for problem in found), (named, found)


# --- the command and the server -------------------------------------------------------------------------------


def test_the_command_forgets_in_batches_and_says_how_many(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.bootstrap.FORGOTTEN_AT_ONCE", 2)
    asked = ("floor", "forget-answers", "--data", str(floor))
    for days, words in (("6", "write 7 to"), ("-1", "write 7 to")):
        ran = pitboss(*asked, "--older-than", days)
        assert (ran.code, words in ran.err) == (2, True)
    ran = pitboss(*asked, "--older-than", "30", "--json")
    assert (ran.code, json.loads(ran.out)["forgotten"]) == (0, 7), ran.err
    assert keys(floor) == set()
    store = open_store(Settings(floor))
    assert sum(row.name == "answers-forgotten.v1" for row in store.read("floor")) == 2 + 4
    store.close()
    assert found_wrong(floor) == ([], [])
    ran = pitboss(*asked)
    assert (ran.code, ran.out) == (0, "0 answers forgotten\n")


def test_a_server_marks_a_day_at_most(floor: Path) -> None:
    clock = SimulatedClock(THEN)
    clock.at = Micros(clock.at + 62 * DAY)
    with at_work(Settings(floor), clock=clock) as work:
        oldest = work.store.answers_before(Micros(clock.at))[0].at
        clock.at = Micros(oldest + 30 * DAY + DAY - 60)
        assert work.forget_answers(SYSTEM, days=30, spare_days=1) is None
        clock.at = Micros(clock.at + 60)
        house: Any = SimpleNamespace(work=work, settings=ServerSettings(keep_answers_days=30))
        clockwork = Clockwork(house)
        assert clockwork._forget()
        assert not clockwork._forget()


@pytest.mark.parametrize("days", ["6", "0", "-1", "40000"])
def test_a_server_keeps_answers_for_a_week_at_least(floor: Path, days: str) -> None:
    ran = pitboss("serve", "--data", str(floor), "--keep-answers", days)
    assert (ran.code, f"--keep-answers: {days} days cannot be kept" in ran.err) == (2, True), ran.err


def test_a_checkpoint_speaks_of_the_mark_like_of_anything_else(floor: Path) -> None:
    store = open_store(Settings(floor))
    make_checkpoint(store, SIGNING_KEY, Micros(1))
    store.close()
    database = sqlite3.connect(floor / "floor.db")
    database.row_factory = sqlite3.Row
    _change_mark(others=1)(database)
    seal_again(database, "floor")
    database.commit()
    database.close()
    inside, outside = found_wrong(floor)
    assert any("has signed" in problem for problem in inside)
    assert outside
