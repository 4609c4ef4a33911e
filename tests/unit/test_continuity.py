"""A database that comes back without the end of the record: no process goes on from what was lost.

The lossy failover is made exactly: a copy of the database is taken at a version, a process goes on, the copy is
put back, and another process writes up to the version that the first one knows.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from structlog.testing import capture_logs

from pitboss.bootstrap import (
    DATABASE_FILE,
    OpenFloor,
    Settings,
    at_work,
    checkpoint_key,
    open_store,
)
from pitboss.cli.main import run
from pitboss.continuity import NAMED_FOLDER
from pitboss.errors import BadInput, RecordBroken, StoreError
from pitboss.floor import requests as q
from pitboss.floor.people import player, staff
from pitboss.floor.service import Floor
from pitboss.money import Cents
from pitboss.server.house import House as ServedHouse
from pitboss.server.settings import ServerSettings
from pitboss.store.journal import FOLDER
from pitboss.store.keeping import export, export_all, make_checkpoint
from pitboss.store.presence import SERVES
from pitboss.verification import verify
from support.failover import promote, standby_of
from support.floor import House
from support.service import QUICK
from support.tampering import seal_again
from verify_export import main as verify_export_main
from verify_export import verify_export

Asked = Callable[..., tuple[int, str, str]]


class Failing:
    """A floor in a folder, a copy of its database, and the copy put back as a standby would be promoted."""

    def __init__(self, folder: Path) -> None:
        self.where = Settings(folder)
        self.file = folder / DATABASE_FILE
        with at_work(self.where, create=True) as work:
            house = House(work.store)
            house.clock.at = work.floor.now()
            house.table("mbs-stud-6", players=("p1", "p2"))

    def copy(self) -> Path:
        """The database as the standby has it."""
        return standby_of(self.file)

    def put_back(self, standby: Path) -> None:
        """The standby is promoted."""
        promote(standby, self.file)

    @contextmanager
    def working(self, data: str = "", *, purpose: str = SERVES) -> Iterator[OpenFloor]:
        """A process at work; with `data` it has a folder of its own, as a server on another machine does."""
        where = self.where
        if data:
            where = Settings(self.where.data.parent / data, f"sqlite:///{self.file}")
            where.data.mkdir(exist_ok=True)
            shutil.copy(self.where.data / "deck.key", where.data)
        with at_work(where, purpose=purpose) as work:
            yield work


@pytest.fixture
def failing(tmp_path: Path) -> Failing:
    return Failing(tmp_path / "floor")


@pytest.fixture
def pitboss(capsys: pytest.CaptureFixture[str]) -> Asked:
    def go(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return go


def exported(failing: Failing) -> Path:
    """The record as an independent verifier gets it."""
    folder = failing.where.data.parent / "export"
    store = open_store(failing.where)
    export_all(store, folder, checkpoint_key(failing.where, create=False))
    store.close()
    return folder


def sit(floor: Floor, position: int, *, who: str = "p1", key: str = "") -> None:
    assert floor.do(player(who), q.TakeSeat(table="t1", position=position, player=who), key=key).ok


def leave(floor: Floor, position: int, *, who: str = "p1", key: str = "") -> None:
    assert floor.do(player(who), q.LeaveSeat(table="t1", position=position), key=key).ok


def is_broken(work: OpenFloor) -> bool:
    return work.continuity.broken is not None


def in_record(failing: Failing) -> dict[str, tuple[int, str]]:
    database = sqlite3.connect(failing.file)
    found = {
        row[0]: (row[1], row[2]) for row in database.execute("SELECT stream, version, hash FROM streams")
    }
    database.close()
    return found


def test_a_process_does_not_go_on_from_what_was_lost(failing: Failing) -> None:
    """The finding: another server writes up to the version that a survivor knows, and the survivor goes on."""
    with failing.working("first") as first:
        standby = failing.copy()
        sit(first.floor, 1)
        leave(first.floor, 1)
        lost = first.floor.desk.loaded["table/t1"].head
        failing.put_back(standby)
        with failing.working("second") as second:
            sit(second.floor, 2, who="p2")
            leave(second.floor, 2, who="p2")
            assert second.floor.desk.loaded["table/t1"].head.version == lost.version
            for _ in range(2):
                with pytest.raises(
                    RecordBroken, match=rf"table/t1 event {lost.version} is not in the record"
                ):
                    sit(first.floor, 3)
            assert first.continuity.broken is not None
            sit(second.floor, 4, who="p2")  # who knows nothing of what was lost goes on
    assert verify(failing.where).ok


def test_a_head_that_is_behind_is_noticed_too(failing: Failing) -> None:
    with failing.working("first") as first:
        standby = failing.copy()
        sit(first.floor, 1)
        failing.put_back(standby)
        first.continuity.store.lineage.accept(first.store.identity())  # as if the database were the same
        with pytest.raises(RecordBroken):
            first.floor.table("t1")
        with pytest.raises(RecordBroken):
            sit(first.floor, 2)
        assert first.continuity.broken is not None


def test_where_everything_is_there_a_process_goes_on(failing: Failing) -> None:
    with failing.working("first") as first:
        sit(first.floor, 1)
        failing.put_back(failing.copy())
        before = first.store.lineage.known
        leave(first.floor, 1)
        first.continuity.look()
        assert first.continuity.broken is None
        assert first.store.lineage.known != before
    assert verify(failing.where).ok


def test_a_stream_begun_on_what_was_lost_is_not_written(failing: Failing) -> None:
    """A player who was added by a command that is gone buys in nowhere, though the table itself is as it was."""
    with failing.working("first") as first:
        standby = failing.copy()
        assert first.floor.do(staff("dora"), q.AddPlayer(player="p9")).ok
        failing.put_back(standby)
        first.continuity.store.lineage.accept(first.store.identity())
        with pytest.raises(RecordBroken):
            first.floor.do(staff("dora"), q.BuyIn(table="t1", player="p9", amount=Cents(10_000)))
    assert verify(failing.where).ok
    assert "table/t1" in in_record(failing)


def test_the_same_on_a_store_in_memory() -> None:
    """One process reads what another has written instead of what it knows, version by version."""
    house = House()
    house.table("mbs-stud-6", players=("p1", "p2"))
    other = House(seed=2)
    other.table("mbs-stud-6", players=("p1", "p2"))
    sit(house.floor, 1)
    sit(other.floor, 2, who="p2")
    house.floor.store = house.floor.desk.store = other.store
    with pytest.raises(RecordBroken):
        leave(house.floor, 1)
    assert other.store.head("table/t1") == other.floor.desk.loaded["table/t1"].head


def test_a_retry_by_another_process_is_in_its_journal(failing: Failing) -> None:
    with failing.working("first") as first, failing.working("second") as second:
        sit(first.floor, 1, key="a-key")
        sit(second.floor, 1, key="a-key")
        lines = [json.loads(line) for line in _journal(second)]
    row = next(row for row in lines if row[0] == "command")
    assert row[1] == "a-key"
    assert row[3] == [["table/t1", *in_record(failing)["table/t1"]]]


def _journal(work: OpenFloor) -> list[str]:
    files = sorted((work.where.data / FOLDER).glob("*.jsonl"))
    return [line for file in files for line in file.read_text().splitlines()]


def test_every_answer_is_in_the_journal_before_it_is_given(failing: Failing) -> None:
    with failing.working("first") as first:
        sit(first.floor, 1, key="done")
        refusal = first.floor.do(player("p1"), q.TakeSeat(table="t1", position=1, player="p1"), key="refused")
        assert not refusal.ok
        (file,) = (first.where.data / FOLDER).glob("*.jsonl")
        assert file.stat().st_mode & 0o777 == 0o600
        rows = [json.loads(line) for line in _journal(first)]
        assert [row[1] for row in rows if row[0] == "command"] == ["done", "refused"]
        first.floor.acknowledge = lambda key, at, heads: _fail()
        with pytest.raises(StoreError, match="no room"):
            leave(first.floor, 1, key="unjournaled")
        first.floor.acknowledge = first.continuity.journal.acknowledge
        again = first.floor.do(player("p1"), q.LeaveSeat(table="t1", position=1), key="unjournaled")
        assert again.repeated
        assert [json.loads(line)[1] for line in _journal(first)][-1] == "unjournaled"


def _fail() -> None:
    raise StoreError("no room", "make some")


def test_a_server_waits_until_the_record_names_what_was_lost(failing: Failing, pitboss: Asked) -> None:
    """The journal of one server names the commands; both the servers that knew of them go on by themselves."""
    data = ("--data", failing.where.data)
    with ExitStack() as stack:
        first = stack.enter_context(failing.working("first"))
        sit(first.floor, 1, key="kept")
        standby = failing.copy()
        third = stack.enter_context(failing.working("third"))
        leave(first.floor, 1, key="lost-1")
        sit(first.floor, 3, key="lost-2")
        first.floor.do(player("p1"), q.TakeSeat(table="t1", position=1, player="p2"), key="lost-3")
        third.floor.table("t1")
        failing.put_back(standby)
        heard: list[str] = []
        first.continuity.listeners.append(lambda what, before, after: heard.append(what))
        for work in (first, third):
            work.keep()
            assert work.continuity.broken is not None
            with pytest.raises(RecordBroken):
                sit(work.floor, 5)
        assert heard == ["record-broken"]
        journals = [option for name in ("first", "third") for option in ("--journal", _folder(failing, name))]
        code, out, err = pitboss("floor", "reconcile", *journals, *data)
        assert code == 1
        assert "lost-1, table/t1 event" in out
        assert "command lost-3, a refusal" in out
        assert "kept" not in out
        assert "in its place nothing" in out
        assert "--confirm" in err
        code, out, _ = pitboss("floor", "reconcile", *journals, "--json", *data)
        told = json.loads(out)
        assert code == 1
        assert [row["key"] for row in told["lost"]] == ["lost-1", "lost-2", "lost-3"]
        assert told["before"] != told["after"]
        code, _, err = pitboss("floor", "reconcile", *journals, "--confirm", *data)
        assert code == 1
        assert "by-name" in err
        code, _, err = pitboss("floor", "reconcile", *journals, "--confirm", "--by", "mara", *data)
        assert code == 1
        assert "no-authority" in err
        for work in (first, third):
            work.keep()
            assert work.continuity.broken is not None
        confirmed = ("floor", "reconcile", *journals, "--confirm", "--by", "gina", *data)
        code, out, err = pitboss(*confirmed)
        assert code == 0, err
        assert "recorded: 3 losses, checkpoint" in out
        heads = in_record(failing)
        code, out, err = pitboss(*confirmed)
        assert code == 0, err
        assert "nothing is lost" in out
        assert in_record(failing) == heads
        for work in (first, third):
            work.keep()
            assert work.continuity.broken is None
        assert heard == ["record-broken", "record-whole"]
        sit(first.floor, 5, key="after")
        assert first.floor.table("t1").seats == {1: "p1", 5: "p1"}
        third.floor.table("t1")
    assert verify(failing.where).ok
    assert verify_export(exported(failing)) == []
    with failing.working("first", purpose="command") as again:  # its journal is settled
        sit(again.floor, 6)


def test_a_server_that_only_heard_of_a_commit_waits_too(failing: Failing, pitboss: Asked) -> None:
    """The server that acknowledged it is gone with the database; others had its notices, and read nothing."""
    data = ("--data", failing.where.data)
    with failing.working("heard") as heard:
        standby = failing.copy()
        with failing.working("gone") as gone:
            sit(gone.floor, 1, key="lost-1")
            leave(gone.floor, 1, key="lost-2")
            last = gone.floor.desk.loaded["table/t1"].head.version
        heard.continuity.hear([("table/t1", last - 1), ("table/t1", last)])
        failing.put_back(standby)
        heard.keep()
        assert is_broken(heard)
        assert str(heard.continuity.broken).startswith(f"table/t1 event {last} is not in the record")
        journals = [option for name in ("heard", "gone") for option in ("--journal", _folder(failing, name))]
        code, out, _ = pitboss("floor", "reconcile", *journals, "--json", *data)
        told = json.loads(out)
        assert (code, [row["key"] for row in told["lost"]]) == (1, ["lost-1", "lost-2"])
        code, _, err = pitboss("floor", "reconcile", *journals, "--confirm", "--by", "gina", *data)
        assert code == 0, err
        heard.keep()
        assert not is_broken(heard)
        sit(heard.floor, 5)
    assert verify(failing.where).ok
    assert verify_export(exported(failing)) == []


def test_what_was_only_heard_of_can_be_named_without_its_journal(failing: Failing, pitboss: Asked) -> None:
    data = ("--data", failing.where.data)
    with failing.working("heard") as heard:
        last = heard.floor.version("t1")
        heard.continuity.hear([("table/t1", last)])
        heard.continuity.suspect()
        heard.keep()
        assert not is_broken(heard)
        standby = failing.copy()
        failing.put_back(standby)
        heard.continuity.hear([("table/t1", last + 3)])
        heard.keep()
        assert is_broken(heard)
        own = ("--journal", _folder(failing, "heard"))
        code, _, err = pitboss("floor", "reconcile", *own, "--confirm", "--by", "gina", *data)
        assert code == 0, err
        heard.keep()
        assert not is_broken(heard)
        sit(heard.floor, 5)
        sit(heard.floor, 6)
    assert verify(failing.where).ok
    assert verify_export(exported(failing)) == []


class Heard(NamedTuple):
    """A loss that one server acknowledged and another only had notices of: their journals, and how far."""

    journals: list[Path]
    last: int
    work: OpenFloor


@contextmanager
def lost_and_heard(failing: Failing) -> Iterator[Heard]:
    """The server that had the notices waits; the other one is gone."""
    with failing.working("heard") as heard:
        standby = failing.copy()
        with failing.working("gone") as gone:
            for number in range(4):
                sit(gone.floor, 1, key=f"sit-{number}")
                leave(gone.floor, 1, key=f"leave-{number}")
            last = gone.floor.desk.loaded["table/t1"].head.version
        heard.continuity.hear([("table/t1", last)])
        failing.put_back(standby)
        heard.keep()
        assert is_broken(heard)
        yield Heard([_folder(failing, name) for name in ("heard", "gone")], last, heard)


def both_verifiers(failing: Failing, journals: list[Path]) -> tuple[list[str], list[str]]:
    inside = verify(failing.where, journals=journals, processes=1).problems
    return [str(problem) for problem in inside], verify_export(exported(failing), journals=journals)


def reconcile(failing: Failing, journals: list[Path], pitboss: Asked) -> str:
    named = [option for journal in journals for option in ("--journal", journal)]
    asked = ("floor", "reconcile", *named, "--confirm", "--by", "gina", "--data", failing.where.data)
    code, out, err = pitboss(*asked)
    assert code == 0, err
    return out


def test_what_was_only_heard_of_is_no_false_alarm_once_it_is_named(failing: Failing, pitboss: Asked) -> None:
    with lost_and_heard(failing) as lost:
        for found in both_verifiers(failing, lost.journals):
            assert any("was read" in problem and f" {lost.last}: " in problem for problem in found), found
        reconcile(failing, lost.journals, pitboss)
        assert both_verifiers(failing, lost.journals) == ([], [])
        lost.work.keep()
        sit(lost.work.floor, 5)
    assert both_verifiers(failing, lost.journals) == ([], [])
    for journals in ([lost.journals[0]], lost.journals):  # that of the server that heard is enough, now
        assert "nothing is lost" in reconcile(failing, journals, pitboss)
    with failing.working("second", purpose="command") as second:  # up to what was lost, and beyond
        for _ in range(5):
            sit(second.floor, 2, who="p2")
            leave(second.floor, 2, who="p2")
    assert in_record(failing)["table/t1"][0] > lost.last
    assert both_verifiers(failing, lost.journals) == ([], [])


def test_what_was_heard_of_beyond_what_is_named_is_missing(failing: Failing, pitboss: Asked) -> None:
    with lost_and_heard(failing) as lost:
        reconcile(failing, lost.journals, pitboss)
    (file,) = lost.journals[0].glob("*.jsonl")
    whole = file.read_text()
    heard = f'["table/t1",{lost.last},""]'
    assert heard in whole
    here = in_record(failing)["table/t1"][0]
    for version, is_missing in ((1, False), (here, False), (lost.last, False), (lost.last + 1, True)):
        file.write_text(whole.replace(heard, f'["table/t1",{version},""]'))
        for found in both_verifiers(failing, lost.journals):
            assert [f"{version}: is not what was read" in problem for problem in found] == [True] * is_missing
    file.write_text(whole.replace(heard, heard + ',["table/t9",1,""]'))
    for found in both_verifiers(failing, lost.journals):
        assert len(found) == 1
        assert found[0].startswith(("table/t9", "kept elsewhere: table/t9"))


def test_after_a_loss_is_named_nothing_is_dropped_again(failing: Failing, pitboss: Asked) -> None:
    """Whatever is compared later: sockets stay open, caches are kept."""
    told: list[str] = []
    with lost_and_heard(failing) as lost:
        heard = lost.work
        heard.continuity.listeners.append(lambda what, before, after: told.append(what))
        reconcile(failing, lost.journals, pitboss)
        heard.keep()
        assert told == ["record-whole"]
        heard.floor.table("t1")
        cached = heard.floor.desk.loaded["table/t1"]
        for _ in range(3):
            heard.continuity.suspect()
            heard.keep()
        assert told == ["record-whole"]
        assert heard.floor.desk.loaded["table/t1"] is cached
    with failing.working("heard") as again:  # its journal speaks of what was lost
        told.clear()
        again.floor.table("t1")
        again.continuity.listeners.append(lambda what, before, after: told.append(what))
        for _ in range(2):
            again.continuity.suspect()
            again.keep()
        assert not is_broken(again)
    assert told == []


def test_a_server_that_takes_over_a_journal_of_a_named_loss_drops_nothing(
    failing: Failing, pitboss: Asked
) -> None:
    with lost_and_heard(failing) as lost:
        reconcile(failing, lost.journals, pitboss)
    told: list[str] = []
    with failing.working() as server:
        server.keep()
        server.continuity.listeners.append(lambda what, before, after: told.append(what))
        (server.where.data / FOLDER).mkdir(exist_ok=True)
        for journal in lost.journals:
            for file in journal.glob("*.jsonl"):
                shutil.copy(file, server.where.data / FOLDER)
        server.floor.table("t1")
        cached = server.floor.desk.loaded["table/t1"]
        server.continuity.take_over()
        server.keep()
        assert not is_broken(server)
        assert server.floor.desk.loaded["table/t1"] is cached
    assert told == []


def test_a_break_is_told_where_the_journal_cannot_be_written(
    failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, line: bytes) -> int:
        raise OSError(28, "No space left on device")

    told: list[str] = []
    with failing.working("heard") as heard:
        heard.continuity.listeners.append(lambda what, before, after: told.append(what))
        last = heard.floor.version("t1") + 3
        failing.put_back(failing.copy())
        heard.continuity.hear([("table/t1", last)])
        with monkeypatch.context() as patch:
            patch.setattr("os.write", full)
            heard.keep()
            assert is_broken(heard)
            assert told == ["record-broken"]
            heard.keep()
            assert heard.continuity.journal.failed
        heard.keep()
        assert not heard.continuity.journal.failed
        rows = [json.loads(line) for line in _journal(heard)]
    assert [row[2] for row in rows if row[0] == "seen"] == [[["table/t1", last, ""]]]


# --- a journal that is damaged ------------------------------------------------------------------------------

HUGE = 2100000000000000000000000000000


def damage(failing: Failing, name: str, *, line: bytes = b"") -> Path:
    """The second line of a server's journal, not as it was written."""
    with failing.working(name) as work:
        sit(work.floor, 1)
        leave(work.floor, 1)
        sit(work.floor, 1)
    (file,) = _folder(failing, name).glob("*.jsonl")
    lines = file.read_bytes().split(b"\n")
    lines[1] = line or lines[1].replace(b",[[", b",[#")
    file.write_bytes(b"\n".join(lines))
    return file


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\x80\x81 rotten",
        b'["command","k",1795060904446618,[["floor",%d,"abc"]]]' % HUGE,
        b'["command","k",1795060904446618,[["floor",%d,"%s"]]]' % (HUGE, b"a" * 64),
        b'["command","k",%d,[]]' % 10**35,
        b'["seen",%d,[["table/t1",99,""]]]' % -(10**35),
        b'["checkpoint",1,1,"{\\"floor\\":[%d,\\"abc\\"]}","s"]' % HUGE,
        b'["checkpoint",1,1,"no heads","s"]',
    ],
    ids=[
        "bracket",
        "bytes",
        "huge-version",
        "huge-version-hash",
        "huge-time",
        "early",
        "huge-heads",
        "no-heads",
    ],
)
def test_a_damaged_line_of_a_journal_is_named_by_every_reader(
    failing: Failing, pitboss: Asked, line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = damage(failing, "first", line=line)
    data = ("--data", failing.where.data)
    for place in (file, file.parent):
        said = (
            f"journal {file} line 2: is damaged: what the server acknowledged there is unknown; bring a copy"
        )
        code, out, err = pitboss("floor", "reconcile", "--journal", place, *data)
        assert (code, "nothing of what could be read is lost" in out) == (1, True), (out, err)
        assert said in err
        assert "cut off" not in err
        code, out, err = pitboss("floor", "reconcile", "--journal", place, "--json", *data)
        told = json.loads(out)
        assert (code, told["torn_lines"], told["lost"]) == (1, 0, [])
        assert told["damaged"] == [{"file": str(file), "line": 2, "lines": 1}]
        code, out, err = pitboss("verify", "--journal", place, *data)
        assert code == 1
        assert said in err
        outside = verify_export(exported(failing), journals=[place])
        assert len(outside) == 1
        assert outside[0].startswith(said)


def test_a_kept_checkpoint_with_numbers_that_cannot_be_is_a_problem_and_no_traceback(
    failing: Failing, pitboss: Asked
) -> None:
    kept = failing.where.data.parent / "kept.jsonl"
    data = ("--data", failing.where.data)
    for heads in (f'{{"floor":[{HUGE},"abc"]}}', '{"floor":[-1,"abc"]}'):
        kept.write_text(json.dumps({"number": 1, "at": 10**35, "heads": heads, "signature": "s"}) + "\n")
        (failing.where.data / "checkpoint.pem").rename(failing.where.data / "elsewhere.pem")
        for asked in (("floor", "reconcile", "--kept", kept), ("verify", "--unsigned", "--kept", kept)):
            code, out, err = pitboss(*asked, *data)
            assert code in (1, 2), (out, err)
            assert "checkpoint" in err
        (failing.where.data / "elsewhere.pem").rename(failing.where.data / "checkpoint.pem")


def test_a_server_says_that_a_journal_is_damaged_and_keeps_it(failing: Failing) -> None:
    for content, line in ((damage(failing, "first").read_bytes(), 2), (b"no journal\nat all\n", 1)):
        folder = _folder(failing, "first")
        shutil.rmtree(folder)
        folder.mkdir()
        file = folder / "left-behind.jsonl"
        file.write_bytes(content)
        with capture_logs() as logged, failing.working("first") as work:
            ServedHouse(work, ServerSettings(), hasher=QUICK)
            later = folder / "later.jsonl"
            later.write_bytes(b"rotten\n")
            work.continuity.take_over()
        told = [row for row in logged if row["event"] == "journal-damaged"]
        assert [(row["log_level"], row["file"], row["line"]) for row in told] == [
            ("warning", str(file), line), ("warning", str(later), 1),
        ]  # fmt: skip
        assert "is damaged" in told[0]["problem"]
        assert (file.read_bytes(), later.read_bytes()) == (content, b"rotten\n")


def test_a_file_that_is_no_journal_and_a_folder_without_any_are_said_to_be_so(
    failing: Failing, pitboss: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = failing.where.data.parent / "empty"
    folder.mkdir()
    other = failing.where.data.parent / "other"
    data = ("--data", failing.where.data)
    export_folder = exported(failing)
    for content in (b"root:x:0:0:root:/root:/bin/sh\n" * 3, bytes(range(256)) * 10):
        other.write_bytes(content)
        for asked in (("verify",), ("floor", "reconcile")):
            code, _, err = pitboss(*asked, "--journal", other, *data)
            assert code == 2
            assert "is not a journal" in err
        monkeypatch.setattr("sys.argv", ["verify_export.py", str(export_folder), "--journal", str(other)])
        assert verify_export_main() == 2
        assert "is not a journal" in capsys.readouterr().err
    for asked in (("verify",), ("floor", "reconcile")):
        code, _, err = pitboss(*asked, "--journal", folder, *data)
        assert code == 0
        assert f"--journal {folder}: there is no journal in this folder" in err
        code, out, _ = pitboss(*asked, "--journal", folder, "--json", *data)
        assert json.loads(out)["folders_without_journals"] == [str(folder)]
    monkeypatch.setattr("sys.argv", ["verify_export.py", str(export_folder), "--journal", str(folder)])
    assert verify_export_main() == 0
    assert f"{folder}: there is no journal in this folder" in capsys.readouterr().out


def _folder(failing: Failing, name: str) -> Path:
    return failing.where.data.parent / name / FOLDER


def test_a_process_that_starts_holds_the_journals_of_the_dead_against_the_record(
    failing: Failing, pitboss: Asked
) -> None:
    standby = failing.copy()
    with failing.working(purpose="command") as first:
        sit(first.floor, 1, key="lost")
    failing.put_back(standby)
    with pytest.raises(RecordBroken, match="table/t1"), failing.working(purpose="command"):
        pass
    code, _, err = pitboss("floor", "show", "--data", failing.where.data)
    assert code == 2
    assert "floor reconcile" in err
    with failing.working() as server:  # it waits
        assert server.continuity.broken is not None
        with pytest.raises(RecordBroken):
            sit(server.floor, 1)
        data = ("--data", failing.where.data)
        assert pitboss("floor", "reconcile", "--confirm", "--by", "gina", *data)[0] == 0
        server.keep()
        sit(server.floor, 1)
    assert pitboss("floor", "show", "--data", failing.where.data)[0] == 0


def test_what_begins_beside_a_server_that_waits_waits_too(failing: Failing, pitboss: Asked) -> None:
    """The finding: a command in the folder of a server that had stopped wrote to what the failover had left."""
    data = ("--data", failing.where.data)
    standby = failing.copy()
    with failing.working() as server:
        sit(server.floor, 1)
        failing.put_back(standby)
        server.keep()
        assert is_broken(server)
        before = in_record(failing)
        code, _, err = pitboss("floor", "add-person", "zed", "dealer", *data)
        assert (code, "floor reconcile" in err) == (2, True)
        assert in_record(failing) == before
        with failing.working() as second:
            assert is_broken(second)
            assert pitboss("floor", "reconcile", "--confirm", "--by", "gina", *data)[0] == 0
            second.keep()
            server.keep()
            assert not is_broken(second)
            assert not is_broken(server)
        assert pitboss("floor", "add-person", "zed", "dealer", *data)[0] == 0


def test_a_loss_that_is_not_named_keeps_its_server_stopped(failing: Failing, pitboss: Asked) -> None:
    """Only what the event names is explained: another server's journal has to be brought, too."""
    data = ("--data", failing.where.data)
    standby = failing.copy()
    with failing.working("first") as first, failing.working("second") as second:
        sit(first.floor, 1, key="of-the-first")
        assert second.floor.do(staff("dora"), q.AddPlayer(player="p7"), key="of-the-second").ok
        failing.put_back(standby)
        first.keep()
        second.keep()
        code, out, _ = pitboss(
            "floor", "reconcile", "--journal", _folder(failing, "first"), "--confirm", "--by", "gina", *data
        )
        assert code == 0
        assert "of-the-first" in out
        first.keep()
        second.keep()
        assert second.continuity.broken is not None
        code, out, _ = pitboss(
            "floor", "reconcile", "--journal", _folder(failing, "second"), "--confirm", "--by", "gina", *data
        )
        assert code == 0
        assert "of-the-second" in out
        assert "of-the-first" not in out
        second.keep()
        assert second.continuity.broken is None


def test_a_checkpoint_that_only_an_idle_server_has_seen_can_be_named(
    failing: Failing, pitboss: Asked
) -> None:
    """The finding: it had acknowledged nothing and kept no journal, so that nothing could name what it missed."""
    signing = checkpoint_key(failing.where, create=False)
    assert signing is not None
    data = ("--data", failing.where.data, "--confirm", "--by", "gina")
    with failing.working("idle") as idle:
        standby = failing.copy()
        make_checkpoint(idle.store, signing, idle.floor.now())
        idle.keep()
        failing.put_back(standby)
        idle.keep()
        assert is_broken(idle)
        code, out, _ = pitboss("floor", "reconcile", "--journal", _folder(failing, "idle"), *data)
        assert (code, "lost: checkpoint" in out) == (0, True)
        idle.keep()
        assert not is_broken(idle)


def test_a_head_that_another_server_had_read_does_not_name_the_commands_behind_it(
    failing: Failing, pitboss: Asked
) -> None:
    """The finding: once it was named without them, the server that had acknowledged them went on, and no one asked."""
    data = ("--data", failing.where.data, "--confirm", "--by", "gina")
    standby = failing.copy()
    with failing.working("first") as first, failing.working("second") as second:
        sit(first.floor, 1, key="one")
        leave(first.floor, 1, key="two")
        second.floor.table("t1")
        failing.put_back(standby)
        first.keep()
        second.keep()
        code, out, _ = pitboss("floor", "reconcile", "--journal", _folder(failing, "second"), *data)
        assert (code, "one" in out, "two" in out) == (0, False, False)
        first.keep()
        second.keep()
        assert is_broken(first)
        assert not is_broken(second)
        code, out, _ = pitboss("floor", "reconcile", "--journal", _folder(failing, "first"), *data)
        assert (code, "command one" in out, "command two" in out) == (0, True, True)
        first.keep()
        assert not is_broken(first)
        code, out, _ = pitboss("floor", "reconcile", "--journal", _folder(failing, "first"), *data)
        assert (code, "nothing is lost" in out) == (0, True)
    assert both_verifiers(failing, [_folder(failing, "first"), _folder(failing, "second")]) == ([], [])


# --- verification -----------------------------------------------------------------------------------------


class Lost(NamedTuple):
    """What was kept elsewhere of a floor that has lost its end: checkpoints, and the journal of a server."""

    kept: Path
    journal: Path


def lose(failing: Failing) -> Lost:
    """A floor whose standby was behind: two commands and a checkpoint that a server knows are gone."""
    kept = failing.where.data.parent / "kept.jsonl"
    with failing.working("first") as first:
        sit(first.floor, 1, key="kept")
        standby = failing.copy()
        leave(first.floor, 1, key="lost-1")
        key = checkpoint_key(failing.where, create=False)
        assert key is not None
        make_checkpoint(first.store, key, first.floor.now())
        sit(first.floor, 3, key="lost-2")
        with kept.open("w") as out:
            export(first.store, "checkpoints", out, as_csv=False)
        failing.put_back(standby)
        first.keep()
    return Lost(kept, _folder(failing, "first"))


def reconciled(failing: Failing, lost: Lost, pitboss: Asked, *more: object) -> None:
    named = ("--journal", lost.journal, "--kept", lost.kept, "--by", "gina", "--data", failing.where.data)
    code, out, err = pitboss("floor", "reconcile", "--confirm", *named, *more)
    assert code == 0, err
    assert "lost: checkpoint" in out


def problems(failing: Failing, lost: Lost) -> tuple[list[str], list[str]]:
    """What both verifiers find, with what was kept elsewhere."""
    inside = verify(failing.where, kept=lost.kept, journals=[lost.journal], processes=1).problems
    outside = verify_export(exported(failing), kept=lost.kept, journals=[lost.journal])
    return [str(problem) for problem in inside], outside


def test_what_the_record_names_explains_what_was_kept_elsewhere(failing: Failing, pitboss: Asked) -> None:
    lost = lose(failing)
    before = problems(failing, lost)
    for found in before:
        assert any("table/t1" in problem and "lost-2" in problem for problem in found), found
        assert any("checkpoint" in problem and "copy kept elsewhere" in problem for problem in found), found
    reconciled(failing, lost, pitboss)
    assert problems(failing, lost) == ([], [])
    with failing.working("second", purpose="command") as second:  # it writes up to what was lost, and beyond
        for position in (2, 4, 6):
            sit(second.floor, position, who="p2")
    assert problems(failing, lost) == ([], [])
    code, out, _ = pitboss(
        "verify", "--kept", lost.kept, "--journal", lost.journal, "--data", failing.where.data
    )
    assert code == 0, out


def test_only_what_the_record_names_is_explained(failing: Failing, pitboss: Asked) -> None:
    lost = lose(failing)
    reconciled(failing, lost, pitboss)
    (file,) = lost.journal.glob("*.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    last = next(row for row in reversed(rows) if row[0] == "command" and row[1] == "lost-2")
    last[3][0][2] = "e" * 64  # another hash at a version that was lost
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for found in problems(failing, lost):
        assert len(found) == 1
        assert "lost-2" in found[0]


def test_a_break_that_is_taken_away_or_not_signed_explains_nothing(failing: Failing, pitboss: Asked) -> None:
    lost = lose(failing)
    reconciled(failing, lost, pitboss)
    whole = failing.copy()
    database = sqlite3.connect(failing.file)
    database.row_factory = sqlite3.Row
    (number,) = database.execute("SELECT max(number) FROM checkpoints").fetchone()
    database.execute("DELETE FROM checkpoints WHERE number = ?", (number,))
    database.commit()
    for found in problems(failing, lost):
        assert any("lost-2" in problem for problem in found), found
    database.execute("DELETE FROM events WHERE stream = 'floor' AND name = 'record-reconciled.v1'")
    (version,) = database.execute("SELECT max(version) FROM events WHERE stream = 'floor'").fetchone()
    database.execute("UPDATE streams SET version = ? WHERE stream = 'floor'", (version,))
    seal_again(database, "floor")
    database.commit()
    database.close()
    for found in problems(failing, lost):
        assert any("lost-2" in problem for problem in found), found
    failing.put_back(whole)
    assert problems(failing, lost) == ([], [])


def test_a_long_loss_is_named_by_its_digest_and_a_list(
    failing: Failing, pitboss: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pitboss.reconciliation", "pitboss.floor.reconciliation"):
        monkeypatch.setattr(f"{module}.NAMED_AT_MOST", 1)
    monkeypatch.setattr("verify_export.LOSSES_NAMED", 1)
    lost = lose(failing)
    reconciled(failing, lost, pitboss)
    (named,) = (failing.where.data / NAMED_FOLDER).glob("*.jsonl")
    assert named.stat().st_mode & 0o777 == 0o600
    assert problems(failing, lost)[0] == []
    assert verify_export(exported(failing), kept=lost.kept, journals=[lost.journal], lost=[named]) == []
    assert problems(failing, lost)[1] != []
    with failing.working("first") as first:  # it lacks the list, and waits for it
        assert is_broken(first)
        (first.where.data / NAMED_FOLDER).mkdir()
        shutil.copy(named, first.where.data / NAMED_FOLDER)
        first.keep()
        assert not is_broken(first)
    other = named.with_name("other.jsonl")
    other.write_text(named.read_text().replace("lost-1", "lost-9"))
    named.unlink()
    assert problems(failing, lost)[0] != []


def test_a_new_floor_is_not_made_beside_the_journals_of_another(failing: Failing) -> None:
    with failing.working(purpose="command") as work:
        sit(work.floor, 1)
    failing.file.unlink()
    with (
        pytest.raises(BadInput, match="are of a floor that is not here"),
        at_work(failing.where, create=True),
    ):
        pass


def test_processes_that_come_and_go_leave_what_two_checkpoints_bound(failing: Failing) -> None:
    """Commands beside a server: what they wrote is taken over, bounded and let go of."""
    key = checkpoint_key(failing.where, create=False)
    assert key is not None
    with failing.working() as server:
        for number in range(4):
            with failing.working(purpose="command") as command:
                sit(command.floor, 1, key=f"sit-{number}")
                leave(command.floor, 1, key=f"leave-{number}")
            make_checkpoint(server.store, key, server.floor.now())
            server.keep()
        kept = [json.loads(line) for line in _journal(server)]
    commands = {row[1] for row in kept if row[0] == "command"}
    assert "leave-3" in commands
    assert not {"sit-0", "leave-0"} & commands
    assert len([row for row in kept if row[0] == "checkpoint"]) >= 2
