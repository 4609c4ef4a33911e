"""The floor from the command line, and its record: verify, replay, report, export, backup and restore."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitboss.bootstrap import DATABASE_FILE, Settings, at_work, open_store
from pitboss.cli.main import run
from pitboss.errors import StoreError
from pitboss.floor import requests as q
from pitboss.floor.bots import Chances
from pitboss.floor.people import CONSOLE
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.simulation import simulated
from pitboss.store.engine import open_engine
from pitboss.store.memory import MemoryStore
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.record import audited

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pitboss(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return go


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor on which a few rounds of every book were played, with hits and irregularities."""
    folder = tmp_path_factory.mktemp("played") / "floor"
    clock = SimulatedClock()
    with at_work(Settings(folder), create=True, clock=clock, cards=SeededCards(Random(5))) as work:
        chances = Chances(irregularity=15, hit=150, repeated=20, late=20)
        day, done = simulated(work.floor, clock, tables=5, seed=5, chances=chances)
        day.run(seconds=10**6, most_commands=900)
    assert done.rounds > 20
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in played.iterdir():
        if file.is_file():  # its journal would say what is gone before anything is looked at
            (folder / file.name).write_bytes(file.read_bytes())
    return folder


def test_a_floor_is_created_staffed_and_played_from_scripts(pitboss: Run, tmp_path: Path) -> None:
    data = ("--data", tmp_path / "floor")

    def ok(*arguments: object) -> str:
        code, out, err = pitboss("floor", *arguments, *data)
        assert code == 0, err
        return out

    ok("create", "The house")
    for person, position in (
        ("gina", "shift-manager"),
        ("gus", "shift-manager"),
        ("mara", "pit-manager"),
        ("dora", "dealer"),
    ):
        ok("add-person", person, position)
    hashed = json.loads(ok("propose-rulebook", "mbs-stud-6", "--by", "gina", "--json"))["rulebook"]
    ok("approve-rulebook", hashed, "--by", "gina")
    ok("approve-rulebook", hashed, "--by", "gus")
    ok("open-link", "mega", "SGD", "5", "100000", "2000", "500", "gus", "--ceiling", "900000")
    ok("add-table", "t1")
    ok(
        "open-table",
        "t1",
        "mbs-stud-6",
        "5000=10,100=100,25=200,5=200,1=500",
        "--link",
        "mega",
        "--by",
        "mara",
    )
    ok("assign-staff", "t1", "dora", "--by", "mara")
    ok("add-player", "p1", "--by", "dora")
    ok("buy-in", "t1", "p1", "1000", "--by", "dora")
    ok("take-seat", "t1", "1", "p1", "--by", "player/p1")
    ok("act", "t1", "dealer: open bets", "--by", "dora")
    ok("act", "t1", "p1@1: wager ante 25", "p1@1: wager jackpot 5")
    said = ok("act", "t1", "dealer: close bets", "dealer: deal", "--by", "dora")
    assert "“No more bets”" in said
    view = json.loads(ok("table", "t1", "--as", "p1", "--json"))
    assert view["positions"]["1"]["cards"] == ["??"] * 5
    assert len(view["sealed"]["openings"]) == 1
    ok("act", "t1", "p1@1: view", "p1@1: fold")
    assert "??" not in json.loads(ok("table", "t1", "--as", "p1", "--json"))["positions"]["1"]["cards"]
    assert json.loads(ok("table", "t1", "--json"))["positions"]["1"]["cards"] == ["??"] * 5
    ok("act", "t1", "dealer: reveal dealer", "dealer: settle", "--by", "dora")
    link = json.loads(ok("link", "mega", "--json"))
    assert link["meters"]["displayed"] == "100001.00"
    assert json.loads(ok("show", "--json"))["tables"][0]["stage"] == "settled"
    ok("open-dispute", "t1", "1", "the fold", "--by", "player/p1")
    assert "the fold" in ok("dispute")
    assert json.loads(ok("dispute", "1", "--json"))["with"] == "shift-manager"
    ok("checkpoint")
    code, out, _ = pitboss("verify", *data)
    assert (code, "2 checkpoints" in out) == (0, True)
    for view_of in (("show",), ("table", "t1", "--as", "pit"), ("link", "mega"), ("tick", "t1")):
        ok(*view_of)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("floor", "add-person", "x", "king"), 2, "there is no position 'king'"),
        (("floor", "add-table", "t01"), 1, "refused (table-exists)"),
        (("floor", "act", "t01", "dealer: open bets"), 2, "nobody says who the dealer is"),
        (("floor", "act", "t01", "dealer: dance", "--by", "dealer-t01"), 2, "no step begins with 'dance'"),
        (("floor", "act", "t99", "dealer: deal", "--by", "dealer-t01"), 2, "there is no table 't99'"),
        (("floor", "act", "t01", "dealer: deal", "--by", "nobody"), 2, "nobody here is called 'nobody'"),
        (("floor", "add-player", "x", "--by", "player/nobody"), 2, "no player is called 'nobody'"),
        (("floor", "buy-in", "t01", "t01-p1", "-5"), 2, "'-5' is not an amount"),
        (("floor", "buy-in", "t01", "t01-p1", "5.555"), 2, "is not an amount"),
        (("floor", "buy-in", "t01", "t01-p1", "1e9"), 2, "is not an amount"),
        (("floor", "fill", "t01", "7=5", "chief"), 2, "no chip of 7.00"),
        (("floor", "fill", "t01", "5=5", "chief", "--by", "chief"), 1, "refused (second-person)"),
        (("floor", "fill", "t01", "seven", "chief"), 2, "is no count"),
        (("floor", "open-table", "t01", "x", "1=1", "--limits", "ante"), 2, "are no limits"),
        (("floor", "determine-order", "mega", "a,b"), 2, "is no number"),
        (("floor", "table", "t01", "--as", "nobody"), 2, "nobody here is called"),
        (("floor", "link", "none"), 2, "there is no link 'none'"),
        (("floor", "dispute", "4"), 2, "there is no dispute 4"),
        (
            ("floor", "act", "t01", "dealer: deal", "--by", "dealer-t01", "--expect", "1"),
            1,
            "refused (stale-version)",
        ),
        (("replay", "t01/9999"), 2, "has no round 9999"),
        (("replay", "t01/1", "--as", "nobody"), 2, "nobody there was called"),
        (("report", "--since", "yesterday"), 2, "is no time"),
        (("report", "--large", "much"), 2, "is not an amount"),
        (("export", "secrets"), 2, "no export 'secrets'"),
        (("export", "events", "--format", "xml"), 2, "no format 'xml'"),
        (("export", "events", "-o", "/nowhere/x"), 2, "cannot be written"),
        (("backup", "/proc/none"), 2, "cannot be written"),
        (("restore", "none.backup"), 2, "there is no such file"),
        (("floor", "simulate", "--strategy", "lucky"), 2, "no strategy 'lucky'"),
    ],
)
def test_bad_input_is_told_in_one_line(
    pitboss: Run, copy: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    before = dict(open_store(Settings(copy)).heads())
    found, out, err = pitboss(*arguments, "--data", copy)
    assert (found, says in err) == (code, True), err
    assert len(err.strip().splitlines()) == 1
    assert out == ""
    assert dict(open_store(Settings(copy)).heads()) == before


def test_there_must_be_a_floor(pitboss: Run, tmp_path: Path) -> None:
    for verb in (
        ("verify",),
        ("report",),
        ("export",),
        ("floor", "show"),
        ("replay", "t1/1"),
        ("backup", tmp_path / "b"),
    ):
        code, _, err = pitboss(*verb, "--data", tmp_path / "none")
        assert (code, "there is no floor in" in err, "pitboss floor create" in err) == (2, True, True), verb
    assert not (tmp_path / "none").exists()
    code, _, err = pitboss("verify", "--database", "mysql://x/y")
    assert (code, "no 'mysql' here" in err) == (2, True)
    code, _, err = pitboss("verify", "--database", "what?")
    assert (code, "not the address of a database" in err) == (2, True)
    code, _, err = pitboss("floor", "create", "x", "--data", "/proc/floor")
    assert (code, "cannot be made" in err) == (2, True)


def test_a_key_on_the_command_line_does_a_thing_once(pitboss: Run, copy: Path) -> None:
    arguments = (
        "floor",
        "buy-in",
        "t01",
        "t01-p1",
        "500",
        "--by",
        "dealer-t01",
        "--key",
        "mine",
        "--json",
        "--data",
        copy,
    )
    first = pitboss(*arguments)
    assert pitboss(*arguments) == first
    other = ("floor", "buy-in", "t01", "t01-p1", "600", "--by", "dealer-t01", "--key", "mine", "--data", copy)
    code, _, err = pitboss(*other)
    assert (code, "used for another request" in err) == (2, True)


# --- verify ---------------------------------------------------------------------------------------------


def spoil(folder: Path, *statements: str) -> None:
    with sqlite3.connect(folder / DATABASE_FILE) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement
    connection.close()


def test_a_sound_record_verifies(pitboss: Run, played: Path) -> None:
    code, out, _ = pitboss("verify", "--data", played, "--json")
    told = json.loads(out)
    assert (code, told["ok"], told["first_bad"], told["problems"]) == (0, True, None, [])
    assert told["events"] > 1000
    store = open_store(Settings(played))
    assert audited(store) == []
    store.close()


@pytest.mark.parametrize(
    ("statement", "stream", "says"),
    [
        ("UPDATE events SET data = replace(data, '\"amount\":2500', '\"amount\":2600') WHERE stream = 'table/t01' AND name = 'wager-placed.v1' AND data LIKE '%:2500%'", "table/t01", "hash does not fit"),
        ("DELETE FROM events WHERE stream = 'table/t02' AND version = 30", "table/t02 event 31", "event 30 is missing"),
        ("UPDATE events SET actor = 'staff/x' WHERE stream = 'link/mega' AND version = 3", "link/mega event 3", "hash does not fit"),
        ("UPDATE events SET at = at + 1 WHERE stream = 'table/t03' AND version = 40", "table/t03 event 40", "hash does not fit"),
        ("DELETE FROM events WHERE stream = 'table/t02' AND version = (SELECT max(version) FROM events WHERE stream = 'table/t02')", "table/t02", "it should end at"),
        ("UPDATE postings SET amount = amount + 1 WHERE stream = 'table/t04' AND version = (SELECT min(version) FROM postings WHERE stream = 'table/t04') AND line = 0", "table/t04", "the ledger has"),
        ("DELETE FROM postings WHERE stream = 'table/t05' AND line = 1", "table/t05", "the ledger has"),
        ("INSERT INTO postings VALUES ('table/t05', 99999, 0, 'x', 1)", "table/t05", "beyond the end of the stream"),
        ("UPDATE balances SET amount = amount + 10000 WHERE account = 'SGD/rack/t01/t01-p1'", "account SGD/rack/t01/t01-p1", "the postings come to"),
        ("UPDATE snapshots SET data = replace(data, '\"round_number\":', '\"round_number\":1') WHERE stream LIKE 'table/%'", "table/", "the snapshot is not the replay"),
        ("UPDATE rounds SET dealt_at = dealt_at + 1 WHERE number = 1 AND table_id = 't02'", "table/t02", "not indexed as it is"),
        ("DELETE FROM rounds WHERE number = 2 AND table_id = 't02'", "table/t02", "not indexed as it is"),
        ("INSERT INTO decks VALUES ('t02', 1, x'00')", "table/t02", "sealed decks are kept or missing"),
        ("DELETE FROM streams WHERE stream = 'table/t05'", "table/t05", "no end on record"),
        ("UPDATE events SET data = 'x' WHERE stream = 'floor' AND version = 2", "floor event 2", "hash does not fit"),
        ("UPDATE rounds SET ended_at = NULL WHERE number = 1 AND table_id = 't01'", "table/t01", "not indexed as it is"),
        ("UPDATE streams SET version = version + 1 WHERE stream = 'floor'", "floor", "it should end at"),
    ],
    ids=["payment", "deleted", "actor", "time", "cut-off", "ledger", "ledger-line", "stray-money", "balance", "snapshot", "dealt", "round-gone", "deck", "stream-gone", "registry", "index", "head"],
)  # fmt: skip
def test_tampering_is_found_and_the_first_bad_event_named(
    pitboss: Run, copy: Path, statement: str, stream: str, says: str
) -> None:
    spoil(copy, statement)
    code, out, _ = pitboss("verify", "--data", copy, "--json")
    told = json.loads(out)
    assert (code, told["ok"]) == (1, False)
    assert told["problems"][0].startswith(stream), told["problems"]
    assert says in told["problems"][0]
    assert told["first_bad"]["stream"] in told["problems"][0]


def test_a_log_whose_hashes_were_all_made_anew_does_not_fit_the_signed_checkpoint(
    pitboss: Run, copy: Path
) -> None:
    """Whoever rewrites a whole stream, hashes, heads and all, has not the key of the checkpoints."""
    from pitboss.floor.ports import GENESIS, chain_hash

    assert pitboss("floor", "checkpoint", "--data", copy)[0] == 0
    with sqlite3.connect(copy / DATABASE_FILE) as connection:
        rows = connection.execute(
            "SELECT * FROM events WHERE stream = 'player/t01-p1' ORDER BY version"
        ).fetchall()
        rows = (
            rows
            or connection.execute(
                "SELECT * FROM events WHERE stream = 'table/t01' ORDER BY version"
            ).fetchall()
        )
        before = GENESIS
        for stream, version, at, _, name, data, _ in rows:
            before = chain_hash(
                before, stream=stream, version=version, at=at, actor="staff/forger", name=name, data=data
            )
            connection.execute(
                "UPDATE events SET actor = 'staff/forger', hash = ? WHERE stream = ? AND version = ?",
                (before, stream, version),
            )
        connection.execute("UPDATE streams SET hash = ? WHERE stream = ?", (before, stream))
    connection.close()
    code, _, err = pitboss("verify", "--data", copy)
    assert (code, "is not what checkpoint 1 has signed" in err) == (1, True)
    spoil(copy, "UPDATE checkpoints SET at = at + 1")
    assert "signature does not fit" in pitboss("verify", "--data", copy)[2]


def test_a_damaged_file_is_told(pitboss: Run, copy: Path) -> None:
    file = copy / DATABASE_FILE
    content = bytearray(file.read_bytes())
    for at in range(4096, len(content), 4096):
        content[at : at + 200] = b"\xff" * 200
    file.write_bytes(content)
    code, _, err = pitboss("verify", "--data", copy)
    assert code == 2
    assert "damaged" in err
    assert "restore" in err


@pytest.mark.whole
def test_several_processes_share_the_verification(played: Path) -> None:
    alone, together = verify(Settings(played), processes=1), verify(Settings(played), processes=2)
    assert (alone.events, alone.postings, alone.ok) == (together.events, together.postings, together.ok)


# --- keeping --------------------------------------------------------------------------------------------


def test_backup_and_restore_give_the_same_floor(pitboss: Run, played: Path, tmp_path: Path) -> None:
    file = tmp_path / "monday.backup"
    code, out, _ = pitboss("backup", file, "--data", played)
    assert (code, "events copied" in out) == (0, True)
    assert pitboss("backup", file, "--data", played)[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["monday.backup"]
    new = tmp_path / "new"
    code, out, err = pitboss("restore", file, "--data", new)
    assert (code, "verified" in out) == (0, True), err
    one, other = open_store(Settings(played)), open_store(Settings(new))
    assert one.heads() == other.heads()
    assert one.balances_under("") == other.balances_under("")
    assert [one.read(s) for s in one.heads()] == [other.read(s) for s in other.heads()]
    one.close()
    other.close()
    code, _, err = pitboss("restore", file, "--data", new)
    assert (code, "there is a floor here already" in err) == (2, True)


def test_rounds_in_play_in_a_backup_are_taken_up_after_its_return(
    pitboss: Run, played: Path, tmp_path: Path
) -> None:
    store = open_store(Settings(played))
    in_play = store.open_rounds()
    store.close()
    assert in_play
    file = tmp_path / "b"
    pitboss("backup", file, "--data", played)
    for name in ("deck.key", "checkpoint.pem"):
        (tmp_path / "new").mkdir(exist_ok=True)
        (tmp_path / "new" / name).write_bytes((played / name).read_bytes())
    assert pitboss("restore", file, "--data", tmp_path / "new")[0] == 0
    code, _, err = pitboss("floor", "show", "--data", tmp_path / "new")
    assert (code, "stopped without notice" in err) == (0, True)
    again = open_store(Settings(tmp_path / "new"))
    for row in in_play:
        names = [event.name for event in again.read(f"table/{row.table}", after=row.first_version)]
        assert "interrupted.v1" in names
    again.close()


def test_a_floor_in_a_sqlite_file_of_ones_own_works(pitboss: Run, tmp_path: Path) -> None:
    place = ("--data", tmp_path / "keys", "--database", f"sqlite:///{tmp_path / 'own.db'}")
    assert pitboss("floor", "create", "x", *place)[0] == 0
    assert pitboss("floor", "show", *place)[0] == 0


@pytest.mark.whole
def test_the_win_of_a_time_is_of_that_time(pitboss: Run, tmp_path: Path) -> None:
    clock, where = SimulatedClock(), Settings(tmp_path / "floor")
    with at_work(where, create=True, clock=clock, cards=SeededCards(Random(3))) as work:
        day, _ = simulated(work.floor, clock, tables=1, seed=3)
        day.run(seconds=600)
        middle = clock.at
        day.run(seconds=600)
    from pitboss.floor.ports import Micros
    from pitboss.floor.reports import report

    store = open_store(where)
    floor = Floor(store, clock=clock, cards=SeededCards(Random(3)), deck_key=bytes(32))
    whole = report(floor, store).tables[0]
    first = report(floor, store, until=Micros(middle)).tables[0]
    second = report(floor, store, since=Micros(middle)).tables[0]
    assert whole.win == first.win + second.win
    assert (whole.drop, whole.rounds) == (first.drop + second.drop, first.rounds + second.rounds)
    assert second.opened == 0
    store.close()


def test_a_spoilt_backup_is_restored_with_a_no(pitboss: Run, copy: Path, tmp_path: Path) -> None:
    spoil(copy, "UPDATE events SET actor = 'staff/x' WHERE stream = 'link/mega' AND version = 3")
    file = tmp_path / "bad.backup"
    pitboss("backup", file, "--data", copy)
    code, _, err = pitboss("restore", file, "--data", tmp_path / "new")
    assert (code, "link/mega event 3" in err) == (1, True)


@pytest.mark.parametrize("what", ["events", "postings", "balances", "rounds"])
def test_exports_hold_every_row_as_json_lines_and_csv(
    pitboss: Run, played: Path, tmp_path: Path, what: str
) -> None:
    code, out, _ = pitboss("export", what, "--data", played)
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    file = tmp_path / "out.csv"
    assert pitboss("export", what, "-o", file, "--data", played)[0] == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert len(rows) == len(lines) > 0
    assert list(rows[0]) == list(lines[0])
    if what == "events":
        assert isinstance(lines[0]["data"], dict)
        assert json.loads(rows[0]["data"]) == lines[0]["data"]


def test_replay_shows_each_role_what_it_saw_and_says_that_it_is_a_replay(pitboss: Run, played: Path) -> None:
    code, out, _ = pitboss("replay", "t01/1", "--as", "all", "--json", "--data", played)
    told = json.loads(out)
    assert (code, told["replay"]) == (0, True)
    views = told["steps"][-1]["views"]
    assert {"public", "dealer", "pit", "surveillance", "t01-p1"} <= set(views)
    assert all(view["replay"] for view in views.values())
    dealt = next(step for step in told["steps"] if step["event"] == "cards-dealt.v1")
    assert all(
        set(row["cards"]) == {"??"} for row in dealt["views"]["public"]["positions"].values() if row["cards"]
    )
    code, out, _ = pitboss("replay", "t01/1", "--as", "t01-p2", "--data", played)
    assert out.startswith("REPLAY of table t01, round 1")
    assert "[t01-p2]" in out


def test_the_report_reconciles_the_jackpot_and_knows_the_day(pitboss: Run, played: Path) -> None:
    code, out, _ = pitboss("report", "--no-theory", "--large", "1000", "--json", "--data", played)
    told = json.loads(out)
    assert code == 0
    assert [link["unexplained"] for link in told["links"]] == ["0.00", "0.00"]
    assert any(win["slip"] and win["confirmed_by"] for win in told["large_wins"])
    assert told["errors"]
    store = open_store(Settings(played))
    for table in told["tables"]:
        currency, name = table["currency"], table["table"]
        posted = store.balances_under(f"{currency}/")
        winnings = -sum(
            amount
            for account, amount in posted.items()
            if account
            in (f"{currency}/patrons/{name}", f"{currency}/house/{name}", f"{currency}/layout/{name}")
            or account.startswith(f"{currency}/rack/{name}/")
        )
        link = "mega" if name in ("t01", "t02", "t03") else "multi"
        paid = sum(
            posting.amount
            for posting in store.postings(f"table/{name}")
            if posting.account == f"{currency}/claims/{link}"
        )
        assert round(float(table["win"]) * 1_000_000) == winnings - paid
    store.close()
    assert pitboss("report", "--no-theory", "--since", "2030-01-01", "--data", played)[0] == 0


# --- a day, audited -------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("seed", [1, 2])
def test_a_simulated_day_with_crashes_duplicates_and_late_commands_is_sound(seed: int) -> None:
    """Every quarter of an hour the process is gone, and the next one takes the rounds up."""
    clock, store = SimulatedClock(), MemoryStore()
    chances = Chances(irregularity=25, hit=120, repeated=40, late=40)
    for quarter in range(4):
        floor = Floor(store, clock=clock, cards=SeededCards(Random(f"{seed}/{quarter}")), deck_key=bytes(32))
        floor.self_check()
        floor.recover()
        day, done = simulated(
            floor, clock, tables=5, seed=10 * seed + quarter, run=f"{seed}/{quarter}", chances=chances
        )
        day.run(seconds=900)
        assert done.rounds > 20
        assert done.repeated > 10
    assert audited(store) == []


def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    where, clock = Settings(tmp_path / "floor"), SimulatedClock()
    with at_work(where, create=True, clock=clock, cards=SeededCards(Random(1))) as work:
        simulated(work.floor, clock, tables=2, seed=1)
    store = open_store(where)
    heads = store.heads()
    store.close()
    engine = open_engine(where.url)
    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def little_room(connection: Any, record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")

    small = SqlStore(engine)
    floor = Floor(small, clock=clock, cards=SeededCards(Random(2)), deck_key=bytes(32))
    done = 0

    def fill() -> None:
        nonlocal done
        for number in range(10_000):
            assert floor.do(CONSOLE, q.AddPlayer(player=f"new-{number}"), key=f"new/{number}").ok
            done += 1

    with pytest.raises(StoreError, match=r"disk is full .* make room"):
        fill()
    small.close()
    assert verify(where).ok
    again = open_store(where)
    assert again.head("floor").version == heads["floor"].version + done
    assert again.kept(f"new/{done}") is None
    again.close()


def test_read_only_data_are_told_and_nothing_changes(played: Path) -> None:
    engine = open_engine(f"sqlite:///file:{played / DATABASE_FILE}?mode=ro&uri=true")
    store = SqlStore(engine)
    floor = Floor(store, clock=SimulatedClock(), cards=SeededCards(Random(2)), deck_key=bytes(32))
    before = dict(store.heads())
    with pytest.raises(StoreError, match=r"read-only .* right to write"):
        floor.do(CONSOLE, q.AddPlayer(player="new"))
    assert dict(store.heads()) == before
    store.close()
