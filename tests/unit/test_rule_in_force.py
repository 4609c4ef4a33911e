"""The rule in force then: the authority an act required is part of its event, and is judged by its own time."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings, open_store
from pitboss.floor import authority
from pitboss.floor import requests as q
from pitboss.floor.people import CONSOLE
from pitboss.floor.required_ranks import REQUESTED_BY
from pitboss.rulebooks.vocabulary import Position
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.keeping import export_all
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.eventful import eventful_floor
from support.floor import House
from support.freezing import FROZEN, thawed
from support.tampering import seal_again
from verify_export import FIRST_PERMISSIONS, verify_export
from verify_export import REQUESTED_BY as OUTSIDE


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules") / "floor"
    folder.mkdir()
    eventful_floor(folder / "floor.db")
    return folder


@pytest.fixture
def floor(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "floor")


def both(folder: Path) -> tuple[list[str], list[str]]:
    where = Settings(folder)
    inside = [str(problem) for problem in verify(where, processes=1, unsigned=True).problems]
    store = open_store(where)
    export_all(store, folder / "export", None)
    store.close()
    return inside, verify_export(folder / "export", unsigned=True)


def changed(folder: Path, name: str, change: Callable[[dict[str, Any]], object], nth: int = -1) -> str:
    """One event changed and its stream sealed anew; where it stands."""
    database = sqlite3.connect(folder / "floor.db")
    database.row_factory = sqlite3.Row
    rows = database.execute(
        "SELECT rowid AS id, * FROM events WHERE name = ? ORDER BY at", (name,)
    ).fetchall()
    row = rows[nth]
    data = json.loads(row["data"])
    change(data)
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    database.execute("UPDATE events SET data = ? WHERE rowid = ?", (text, row["id"]))
    seal_again(database, row["stream"])
    database.execute("DELETE FROM snapshots")
    database.commit()
    database.close()
    return f"{row['stream']} {row['version']}"


def test_the_newest_edition_is_the_table_of_the_code_and_no_edition_is_ever_edited() -> None:
    ranks = authority.ranks_of(authority.permissions())
    assert int(ranks.pop("edition")) == authority.EDITION == max(authority.editions())
    assert authority.editions()[authority.EDITION] == ranks
    assert authority.editions()[authority.FIRST_EDITION] == FIRST_PERMISSIONS


def test_both_verifiers_know_by_which_request_an_event_is_made() -> None:
    from pitboss.floor.codec import CODEC

    names = {kind: name for name, kind in CODEC.names.items()}
    assert {names[kind]: request for kind, request in REQUESTED_BY.items()} == OUTSIDE
    known = {authority.name_of_request(kind) for kind in authority.LEAST_POSITION}
    assert set(OUTSIDE.values()) <= known


ACTS = {
    "table-opened.v1": "pit-manager",
    "rulebook-withdrawn.v1": "shift-manager",
    "transferred.v1": "shift-manager",
    "claim-verified.v1": "pit-manager",
    "complaint-answered.v1": "assistant-director",
    "hand-looked-at.v1": "pit-supervisor",
    "standing-order.v1": "shift-manager",
}
"""What an act required: by the permissions, or by the book of its table."""


@pytest.mark.parametrize(("name", "rank"), ACTS.items())
@pytest.mark.whole
def test_the_authority_is_in_the_event_and_forging_it_lower_is_found_by_both(
    floor: Path, name: str, rank: str
) -> None:
    said: list[str] = []
    lower = {"assistant-director": "shift-manager"}.get(rank, "dealer")

    def forge(data: dict[str, Any]) -> None:
        said.append(data["authority"])
        data["authority"] = lower

    where = changed(floor, name, forge)
    stream, version = where.split()
    inside, outside = both(floor)
    assert said == [rank]
    assert any(problem.startswith(f"{stream} event {version}: ") for problem in inside), inside
    assert any(problem.startswith(f"{stream} version {version} ") for problem in outside), outside


@pytest.mark.whole
@pytest.mark.parametrize("name", ACTS)
def test_an_event_that_says_nothing_of_it_is_found_where_its_time_says_it(floor: Path, name: str) -> None:
    changed(floor, name, lambda data: data.pop("authority"))
    inside, outside = both(floor)
    assert inside
    assert outside


@pytest.mark.whole
@pytest.mark.parametrize("frozen", sorted(FROZEN.glob("floor-*.db.xz")), ids=lambda file: file.name)
@pytest.mark.parametrize("request_kind", [q.OpenTable, q.Fill, q.AssignStaff, q.VerifyClaim, q.AddPlayer])
def test_raising_a_rank_in_the_code_leaves_old_records_verified(
    frozen: Path, tmp_path: Path, request_kind: type[q.Request], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = thawed(frozen, tmp_path / "floor")
    monkeypatch.setitem(authority.LEAST_POSITION, request_kind, Position.ASSISTANT_DIRECTOR)
    for kind in authority.SECOND_PERSON:
        monkeypatch.setitem(authority.SECOND_PERSON, kind, Position.ASSISTANT_DIRECTOR)
    assert both(folder) == ([], [])


def test_raising_a_rank_leaves_the_record_of_today_verified_and_holds_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "floor"
    folder.mkdir()
    house = House(SqlStore(open_engine(sqlite_url(folder / "floor.db"))))
    house.table("mbs-stud-6")
    house.ok("saul", q.Fill(table="t1", count={2500: 4}, witness="dora"))
    assert both(folder) == ([], [])
    monkeypatch.setitem(authority.LEAST_POSITION, q.Fill, Position.SHIFT_MANAGER)
    assert both(folder) == ([], [])
    house.ok("dora", q.AddPlayer(player="p9"))
    house.wait(120)
    assert house.floor.registry.permissions == authority.permissions()
    assert house.refused("saul", q.Fill(table="t1", count={2500: 4}, witness="dora")) == "no-authority"
    house.ok("gina", q.Fill(table="t1", count={2500: 4}, witness="dora"))
    fills = [json.loads(row.data) for row in house.store.read("table/t1") if row.name == "filled.v1"]
    assert [fill["authority"] for fill in fills] == ["pit-supervisor", "shift-manager"]
    house.store.close()
    assert both(folder) == ([], [])
    monkeypatch.undo()
    assert both(folder) == ([], [])
    changed(folder, "filled.v1", lambda data: data.update(authority="pit-supervisor"))
    assert all(both(folder)), "the permissions of then hold no more"


def test_an_old_event_by_somebody_below_the_rank_of_its_time_is_found_by_both(tmp_path: Path) -> None:
    folder = thawed(FROZEN / "floor-01.db.xz", tmp_path / "floor")
    database = sqlite3.connect(folder / "floor.db")
    database.row_factory = sqlite3.Row
    row = database.execute("SELECT rowid AS id, * FROM events WHERE name = 'claim-verified.v1'").fetchone()
    data = json.dumps(json.loads(row["data"]) | {"by": "saul"}, separators=(",", ":"))
    database.execute("UPDATE events SET actor = 'staff/saul', data = ? WHERE rowid = ?", (data, row["id"]))
    seal_again(database, row["stream"])
    database.execute("DELETE FROM snapshots")
    database.execute("DELETE FROM checkpoints")
    database.commit()
    database.close()
    for found in both(folder):
        assert any("has never been a pit-manager or above" in problem for problem in found), found


def test_nobody_but_the_floor_itself_sets_permissions(tmp_path: Path) -> None:
    house = House()
    assert house.refused(CONSOLE, q.SetPermissions(permissions=("edition=9",))) == "not-yours"


def test_the_permissions_of_a_newer_version_that_runs_the_floor_too_stay_in_force() -> None:
    from pitboss.floor.people import SYSTEM

    house = House()
    newer = tuple(
        text.replace("add-table=shift-manager", "add-table=assistant-director")
        for text in (f"edition={authority.EDITION + 1}", *authority.permissions()[1:])
    )
    house.ok(SYSTEM, q.SetPermissions(permissions=newer))
    assert house.refused("gina", q.AddTable(table="t1")) == "no-authority"
    house.ok("ada", q.AddTable(table="t1"))
    assert house.floor.registry.permissions == newer
