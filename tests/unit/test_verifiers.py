"""What both verifiers make of a record that was changed: they name it, go on, and accuse nothing that was not touched."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import verify_export
from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.cli.main import run
from pitboss.floor import requests as q
from pitboss.floor.ports import Micros
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.keeping import export_all, make_checkpoint
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.floor import House
from support.forging import in_words
from support.tampering import seal_again

MINUTE = 60
Change = Callable[[sqlite3.Connection], object]


class Kept(NamedTuple):
    """A floor, and its checkpoints as somebody has kept them."""

    data: Path
    rows: list[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Half an hour at two tables, signed three times, with a dispute and a virtual round in play."""
    where = Settings(tmp_path_factory.mktemp("verifiers") / "floor")
    where.data.mkdir()
    (where.data / "deck.key").write_text((b"k" * 32).hex())
    key = checkpoint_key(where, create=True)
    assert key is not None
    house = House(SqlStore(open_engine(sqlite_url(where.data / "floor.db"))))
    house.link()
    house.table("mbs-stud-6", link="mega")
    for _ in range(3):
        for _ in range(4):
            house.stud()
            house.steps("dealer: settle")
        house.wait(10 * MINUTE)
        house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="the count"))
        assert isinstance(house.store, SqlStore)
        make_checkpoint(house.store, key, Micros(house.clock.at))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.store.close()
    database = sqlite3.connect(where.data / "floor.db")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.row_factory = sqlite3.Row
    rows = [json.dumps(dict(row)) for row in database.execute("SELECT * FROM checkpoints ORDER BY number")]
    database.close()
    return Kept(where.data, rows)


@pytest.fixture
def floor(made: Kept, tmp_path: Path) -> Path:
    shutil.copytree(made.data, tmp_path / "floor")
    return tmp_path / "floor"


def tampered(floor: Path, change: Change | str) -> None:
    database = sqlite3.connect(floor / "floor.db")
    database.row_factory = sqlite3.Row
    if isinstance(change, str):
        assert database.execute(change).rowcount > 0
    else:
        change(database)
    database.commit()
    database.close()


def inside(floor: Path, kept: Path | None = None) -> list[str]:
    return [str(problem) for problem in verify(Settings(floor), processes=1, kept=kept).problems]


def exported(floor: Path) -> Path:
    where = Settings(floor)
    store = open_store(where)
    export_all(store, floor / "export", checkpoint_key(where, create=False))
    store.close()
    return floor / "export"


def outside(floor: Path, kept: Path | None = None) -> list[str]:
    return verify_export.verify_export(exported(floor), kept=kept)


def outside_says(floor: Path, *more: str) -> int:
    before, sys.argv = sys.argv, ["verify_export.py", str(exported(floor)), *more]
    try:
        return verify_export.main()
    finally:
        sys.argv = before


def test_nothing_is_found_where_nothing_was_done(floor: Path) -> None:
    assert (inside(floor), outside(floor)) == ([], [])


# --- a verifier goes on ------------------------------------------------------------------------------------


def another_procedure(database: sqlite3.Connection) -> None:
    row = database.execute("SELECT rowid AS id, * FROM events WHERE name = 'table-opened.v1'").fetchone()
    data = json.dumps(json.loads(row["data"]) | {"procedure": "by hand"}, separators=(",", ":"))
    database.execute("UPDATE events SET data = ? WHERE rowid = ?", (data, row["id"]))
    seal_again(database, row["stream"])


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ("DELETE FROM events WHERE name = 'rulebook-proposed.v1'", "floor version"),
        (another_procedure, "mbs-stud-6 has no procedure 'by hand'"),
        ("UPDATE events SET data = '{}' WHERE name = 'rulebook-proposed.v1'", "(rulebook-proposed.v1)"),
        ("UPDATE events SET data = '{}' WHERE name = 'table-opened.v1'", "(table-opened.v1)"),
        ("UPDATE events SET data = '{}' WHERE name = 'link-opened.v1'", "(link-opened.v1)"),
        ("UPDATE events SET data = '{}' WHERE name = 'rack-changed.v1'", "(rack-changed.v1)"),
        (
            "UPDATE events SET data = '{\"round_number\":\"x\"}' WHERE name = 'bets-opened.v1'",
            "(bets-opened.v1)",
        ),
    ],
)
def test_the_verifier_of_the_export_names_what_it_cannot_read_and_goes_on(
    floor: Path, change: Change | str, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tampered(floor, change)
    assert inside(floor)
    assert outside_says(floor) == 1
    told = capsys.readouterr()
    assert wanted in told.out
    assert not told.err


# --- who is accused ----------------------------------------------------------------------------------------


def a_line_that_pays_more(database: sqlite3.Connection) -> None:
    query = "SELECT rowid AS id, * FROM events WHERE name = 'round-settled.v1' ORDER BY version DESC"
    row = database.execute(query).fetchone()
    data = json.loads(row["data"])
    data["settlement"]["seats"][0]["lines"][0]["paid"] += 100
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    database.execute("UPDATE events SET data = ? WHERE rowid = ?", (text, row["id"]))
    seal_again(database, row["stream"])


def test_a_line_that_pays_more_than_was_moved_is_found_without_a_slip(floor: Path) -> None:
    """The movements stay as they are, and with them the postings."""
    tampered(floor, a_line_that_pays_more)
    assert [problem for problem in inside(floor) if "by the lines p1 gets" in problem]
    assert [problem for problem in outside(floor) if "checkpoint" not in problem]


def test_streams_that_were_not_touched_are_not_accused(floor: Path) -> None:
    tampered(floor, "UPDATE events SET actor = 'staff/x' WHERE stream = 'floor' AND version = 3")
    found = inside(floor)
    assert found == ["floor event 3: its hash does not fit: it, or the one before, was changed"]
    assert all(problem.startswith("floor version 3 ") for problem in outside(floor))


def test_a_second_change_is_named_even_if_the_floors_own_stream_does_not_hold(floor: Path) -> None:
    tampered(floor, "UPDATE events SET actor = 'staff/x' WHERE stream = 'floor' AND version = 3")
    tampered(floor, "UPDATE events SET actor = 'staff/x' WHERE stream = 'table/t1' AND version = 7")
    assert [problem.split(":")[0] for problem in inside(floor)] == ["floor event 3", "table/t1 event 7"]


def test_what_was_rewritten_shows_in_the_checkpoint_even_if_the_floors_own_stream_does_not_hold(
    floor: Path,
) -> None:
    def rewrite(database: sqlite3.Connection) -> None:
        database.execute("UPDATE events SET actor = 'staff/x' WHERE stream = 'table/t1' AND version = 7")
        seal_again(database, "table/t1")

    tampered(floor, "UPDATE events SET actor = 'staff/x' WHERE stream = 'floor' AND version = 3")
    tampered(floor, rewrite)
    assert any(p.startswith("table/t1") and "checkpoint 1 has signed" in p for p in inside(floor))


# --- checkpoints -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("some", [(2,), (1, 2), (0, 2), (1,)], ids=str)
def test_whoever_keeps_only_some_checkpoints_is_told_no_tale(
    made: Kept, floor: Path, tmp_path: Path, some: tuple[int, ...]
) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text("".join(f"{made.rows[place]}\n" for place in some))
    assert (inside(floor, kept), outside(floor, kept)) == ([], [])


def test_what_is_kept_elsewhere_and_not_here_is_found(made: Kept, floor: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text(f"{made.rows[2]}\n")
    tampered(floor, "DELETE FROM checkpoints WHERE number = 3")
    assert inside(floor, kept) == ["checkpoint 3: is not as the copy kept elsewhere"]
    assert outside(floor, kept) == ["checkpoint 3: is not as the copy kept elsewhere"]


@pytest.mark.parametrize(("gone", "long"), [(4, False), (3, True), (1, True)])
def test_how_much_is_not_signed_is_told(
    floor: Path, gone: int, long: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Checkpoints from the last one back, or all of them, may be gone without a trace: this shows it."""
    tampered(floor, lambda database: database.execute("DELETE FROM checkpoints WHERE number >= ?", (gone,)))
    found = verify(Settings(floor), processes=1)
    assert found.ok
    assert found.unsigned
    assert ("a checkpoint is missing or was not made" in found.not_signed) is long
    assert run(["verify", "--data", str(floor)]) == 0
    assert found.not_signed in " ".join(capsys.readouterr().out.split())
    assert outside_says(floor) == 0
    assert found.not_signed in capsys.readouterr().out
    assert run(["verify", "--json", "--data", str(floor)]) == 0
    assert json.loads(capsys.readouterr().out)["unsigned_events"] == found.unsigned


@pytest.mark.parametrize("text", ["signature || ' '", "' ' || signature", "signature || '='"])
def test_a_signature_that_is_written_otherwise_is_found(floor: Path, text: str) -> None:
    tampered(floor, f"UPDATE checkpoints SET signature = {text} WHERE number = 2")
    for found in (inside(floor), outside(floor)):
        assert found
        assert found[0].startswith("checkpoint 2: ")


# --- what is kept beside -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [(":1000000,", ":1000000.0,"), (":1000000,", ":1e6,"), (":1000000,", ": 1000000,"), ("true", "1")],
)
def test_a_snapshot_with_the_same_numbers_written_otherwise_is_found(floor: Path, old: str, new: str) -> None:
    def rewrite(database: sqlite3.Connection) -> None:
        row = database.execute("SELECT * FROM snapshots WHERE stream = 'table/t1'").fetchone()
        assert old in row["data"]
        text = row["data"].replace(old, new, 1)
        database.execute("UPDATE snapshots SET data = ? WHERE stream = 'table/t1'", (text,))

    tampered(floor, rewrite)
    assert any("the snapshot is not the replay" in problem for problem in inside(floor))


@pytest.mark.parametrize(
    "sealed", ["x'00'", "x''", "substr(sealed, 1, length(sealed) - 1) || x'00'", "substr(sealed, 2)"]
)
def test_a_sealed_deck_of_a_round_in_play_that_is_not_what_was_sealed_is_found(
    floor: Path, sealed: str
) -> None:
    tampered(floor, f"UPDATE decks SET sealed = CAST({sealed} AS BLOB)")
    (found,) = inside(floor)
    assert found.startswith("table/t1: the sealed deck of round 13 is not what was committed to")
    (floor / "deck.key").unlink()
    assert inside(floor) == [], "without the key nobody can tell"


def test_the_page_lists_what_cannot_be_found_as_the_proof_has_it() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "reliability.md").read_text()
    listed = [line for line in page.splitlines() if line.startswith("* ")]
    assert listed == in_words()
