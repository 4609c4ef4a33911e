"""The journal of a process: bounded by checkpoints, torn at its end, taken over from the dead."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from pitboss.errors import BadInput, StoreError
from pitboss.floor.ports import Head, Micros
from pitboss.store.journal import FOLDER, Checkpoint, Damage, Journal, read_journals
from verify_export import Journals, NoJournalError


def head(version: int, letter: str = "a") -> Head:
    return Head(version, letter * 64)


def acknowledge(journal: Journal, *versions: int, stream: str = "table/t1") -> None:
    for version in versions:
        journal.acknowledge(f"{stream}/{version}", Micros(version), {stream: head(version)})


def checkpoint(number: int, **heads: int) -> Checkpoint:
    text = json.dumps({f"table/{name}": [version, "a" * 64] for name, version in heads.items()})
    return number, 1000 * number, text, f"signature-{number}"


def files(data: Path) -> list[Path]:
    return sorted((data / FOLDER).glob("*.jsonl"))


def keys(data: Path) -> set[str]:
    return {command.key for command in read_journals([data / FOLDER]).commands}


def test_nothing_is_written_before_there_is_something_to_tell(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.take_over()
    journal.work_on(Micros(1), "a database")
    journal.turn(checkpoint(1), Micros(2))
    journal.close()
    assert not (tmp_path / FOLDER).exists()


def test_files_are_private_and_begin_with_what_they_rest_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.work_on(Micros(1), "a database")
    journal.turn(checkpoint(1, t1=0), Micros(2))
    acknowledge(journal, 1)
    (file,) = files(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / FOLDER).stat().st_mode & 0o777 == 0o700
    kinds = [json.loads(line)[0] for line in file.read_text().splitlines()]
    assert kinds == ["database", "checkpoint", "command"]


def test_two_checkpoints_bound_it(tmp_path: Path) -> None:
    """The generation before the last checkpoint stays: a standby may lack that checkpoint, too."""
    journal = Journal(tmp_path)
    acknowledge(journal, 1, 2)
    journal.turn(checkpoint(1, t1=2), Micros(10))
    acknowledge(journal, 3)
    journal.turn(checkpoint(2, t1=3), Micros(20))
    assert keys(tmp_path) == {"table/t1/3"}
    assert {row[0] for row in read_journals([tmp_path / FOLDER]).checkpoints.values()} == {1, 2}
    acknowledge(journal, 4)
    journal.turn(checkpoint(3, t1=4), Micros(30))
    assert keys(tmp_path) == {"table/t1/4"}
    assert [row[0] for row in journal.checkpoints] == [2, 3]


def test_what_a_checkpoint_did_not_see_stays(tmp_path: Path) -> None:
    """It was made while the command was written, or is of another stream."""
    journal = Journal(tmp_path)
    acknowledge(journal, 1, 2)
    acknowledge(journal, 1, stream="table/t2")
    journal.turn(checkpoint(1, t1=1), Micros(10))
    journal.turn(checkpoint(2, t1=2), Micros(20))
    assert keys(tmp_path) == {"table/t1/1", "table/t1/2", "table/t2/1"}
    journal.turn(checkpoint(3, t1=2, t2=1), Micros(30))
    journal.turn(checkpoint(4, t1=2, t2=1), Micros(40))
    assert keys(tmp_path) == set()


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 1, 2)
    journal.close()
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    for length in range(len(whole.splitlines(keepends=True)[0]) + 1, len(whole)):
        file.write_bytes(whole[:length])
        told = read_journals([file])
        assert [command.key for command in told.commands] == ["table/t1/1", "table/t1/2"][: 2 - told.torn]
    file.write_bytes(whole[:-1][:-5])
    again = Journal(tmp_path)
    assert [command.key for command in again.take_over().commands] == ["table/t1/1"]
    acknowledge(again, 3)
    told = read_journals([file])
    assert ([command.key for command in told.commands], told.torn) == (["table/t1/1", "table/t1/3"], 0)


def test_a_file_of_the_living_is_left_to_them_and_one_of_the_dead_is_taken_over(tmp_path: Path) -> None:
    living, dead, next_one = Journal(tmp_path), Journal(tmp_path), Journal(tmp_path)
    acknowledge(living, 1)
    acknowledge(dead, 5)
    dead.turn(checkpoint(7, t1=5), Micros(50))
    dead.work_on(Micros(60), "a database")
    dead.close()
    told = next_one.take_over()
    assert [command.key for command in told.commands] == ["table/t1/5"]
    assert [row[0] for row in next_one.checkpoints] == [7]
    assert next_one.database == "a database"
    assert list(next_one.heads()) == [("table/t1", head(5))]
    assert Journal(tmp_path).take_over().commands == []
    acknowledge(next_one, 6)
    assert len(files(tmp_path)) <= 3
    assert keys(tmp_path) == {"table/t1/1", "table/t1/5", "table/t1/6"}


def test_commands_one_after_the_other_write_on_in_one_file(tmp_path: Path) -> None:
    for version in range(1, 6):
        journal = Journal(tmp_path)
        journal.take_over()
        acknowledge(journal, version)
        journal.close()
    assert len(files(tmp_path)) == 1
    assert len(keys(tmp_path)) == 5


def test_a_journal_that_cannot_be_written_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 1)
    real = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, line: real(handle, line[: len(line) // 2]))
        with pytest.raises(StoreError, match=r"cannot be written .*full"):
            acknowledge(journal, 2)
    assert "cannot be written" in journal.failed
    acknowledge(journal, 2)
    assert not journal.failed
    told = read_journals([tmp_path / FOLDER])
    assert [command.key for command in told.commands] == ["table/t1/1", "table/t1/2"]
    assert (told.torn, told.damaged) == (0, []), "half a line is taken back: only the last one can be torn"


def test_half_a_line_that_cannot_be_taken_back_stays_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 1)
    real = os.write

    def refused(handle: int, length: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, line: real(handle, line[: len(line) // 2]))
        full.setattr(os, "ftruncate", refused)
        with pytest.raises(StoreError):
            acknowledge(journal, 2)
    acknowledge(journal, 2)
    told = read_journals([tmp_path / FOLDER])
    assert {command.key for command in told.commands} == {"table/t1/1", "table/t1/2"}
    assert (told.torn, told.damaged, len(files(tmp_path))) == (1, [], 2)


def test_a_journal_that_could_not_be_written_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, line: bytes) -> int:
        raise OSError(28, "No space left on device")

    journal = Journal(tmp_path)
    journal.work_on(Micros(1), "a database")
    journal.try_again(Micros(1))
    assert not (tmp_path / FOLDER).exists(), "nothing has failed"
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(StoreError):
            acknowledge(journal, 1)
        journal.try_again(Micros(2))
        assert journal.failed == "the journal cannot be written (No space left on device)"
        with pytest.raises(StoreError, match="cannot be written"):
            journal.probe()
    journal.probe()
    assert journal.failed, "it was not written yet"
    journal.try_again(Micros(3))
    assert not journal.failed
    told = read_journals([tmp_path / FOLDER])
    assert (told.commands, told.damaged) == ([], [])
    assert {name for _, name in told.databases} == {"a database"}
    assert [file.suffix for file in (tmp_path / FOLDER).iterdir()] == [".jsonl"], "probes are deleted"


def test_what_a_killed_process_left_of_a_probe_goes(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.check_folder()
    (tmp_path / FOLDER / "probe-1-left").write_bytes(bytes(9))
    journal.check_folder()
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_journal_that_was_deleted_is_begun_anew(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 1)
    shutil.rmtree(tmp_path / FOLDER)
    acknowledge(journal, 2)
    assert keys(tmp_path) == {"table/t1/2"}


# --- what is damaged ----------------------------------------------------------------------------------------

KEY = '"table/t1/2",2'
DAMAGE: dict[str, tuple[str, str]] = {
    "a letter": ('["command",' + KEY, '["comnand",' + KEY),
    "a bracket": (KEY + ",[[", KEY + ",[("),
    "the version": ('"table/t1",2,', '"table/t1",2100000000000000000000000000000,'),
    "the time": (KEY, '"table/t1/2",179506090444661817950609044466181795'),
    "a time that is none": (KEY, '"table/t1/2",true'),
    "the hash": ('"table/t1",2,"aaaa', '"table/t1",2,"xyz'),
    "half a letter": ('"table/t1",2', '"table/\\ud800",2'),
    "nothing": ("table/t1/2", "table/\\u0000/2"),
    "no text": ('"table/t1",2', '["table/t1"],2'),
}


def damaged_file(tmp_path: Path, damage: str) -> Path:
    """A journal of three commands with a finished line in its middle that is not as it was written."""
    journal = Journal(tmp_path)
    acknowledge(journal, 1, 2, 3)
    journal.close()
    (file,) = files(tmp_path)
    before, after = DAMAGE[damage]
    whole = file.read_text()
    assert whole.count(before) == 1
    file.write_text(whole.replace(before, after))
    return file


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_finished_line_that_cannot_be_read_is_damaged_and_not_cut_off(tmp_path: Path, damage: str) -> None:
    file = damaged_file(tmp_path, damage)
    for place in (file, file.parent):
        told = read_journals([place])
        assert [command.key for command in told.commands] == ["table/t1/1", "table/t1/3"]
        assert (told.torn, told.damaged) == (0, [Damage(file, 2, 1)])
        assert f"{file} line 2: is damaged" in str(told.damaged[0])
        assert "bring a copy" in str(told.damaged[0])
    outside = Journals()
    outside.read(file)
    assert [claim[1] for claim in outside.claims] == [1, 3]
    assert outside.damaged == [str(told.damaged[0])], "both verifiers say the same"


@pytest.mark.parametrize(
    ("last", "torn", "damaged"),
    [
        (b"", 0, []),
        (b"[", 1, []),
        (b'["comm', 1, []),
        (b'["command","k",17950', 1, []),
        (b'["seen",1,[["table/t1",4,"', 1, []),
        (b'["command","k",1795\xff', 0, [(3, 1)]),
        (b'["command","k",1\0\0\0', 0, [(3, 1)]),
        (b"root:x:0:0", 0, [(3, 1)]),
        (b'{"number": 1}', 0, [(3, 1)]),
        (b'["comm\n', 0, [(3, 1)]),
        (b"\n", 0, [(3, 1)]),
        (b"a\nb\nc", 0, [(3, 3)]),
    ],
)
def test_only_the_unfinished_beginning_of_a_line_at_the_end_is_torn(
    tmp_path: Path, last: bytes, torn: int, damaged: list[tuple[int, int]]
) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 1, 2)
    journal.close()
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes() + last)
    told = read_journals([file])
    assert (len(told.commands), told.torn) == (2, torn)
    assert [(row.line, row.lines) for row in told.damaged] == damaged
    outside = Journals()
    outside.read(file)
    assert (len(outside.claims), len(outside.damaged)) == (2, len(damaged))


GARBAGE = [
    b"no journal\nat all\n",
    bytes(range(256)) * 40,
    b"root:x:0:0:root:/root:/bin/sh\n",
    b"\0" * 5000,
    b"x",
]


@pytest.mark.parametrize("content", GARBAGE)
def test_garbage_is_no_journal_and_in_a_folder_it_is_damaged(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "gone.jsonl"
    file.write_bytes(content)
    with pytest.raises(BadInput, match="is not a journal"):
        read_journals([file])
    assert [row.file for row in read_journals([tmp_path]).damaged] == [file]
    with pytest.raises(NoJournalError, match="is not a journal"):
        Journals().read(file)


@pytest.mark.parametrize("content", GARBAGE)
def test_a_damaged_file_is_kept_and_not_written_on(tmp_path: Path, content: bytes) -> None:
    """Also by a process that did nothing, and when checkpoints cover what can be read of it."""
    (tmp_path / FOLDER).mkdir()
    garbage = tmp_path / FOLDER / "gone.jsonl"
    garbage.write_bytes(content)
    for acts in (False, True):
        journal = Journal(tmp_path)
        assert [row.file for row in journal.take_over().damaged] == [garbage]
        if acts:
            acknowledge(journal, 1)
            for number in range(1, 5):
                journal.turn(checkpoint(number, t1=1), Micros(number))
        journal.close()
        assert garbage.read_bytes() == content


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_can_be_read_of_a_damaged_file_is_held_against_the_record(tmp_path: Path, damage: str) -> None:
    file = damaged_file(tmp_path, damage)
    content = file.read_bytes()
    journal = Journal(tmp_path)
    told = journal.take_over()
    assert [command.key for command in told.commands] == ["table/t1/1", "table/t1/3"]
    assert list(journal.heads()) == [("table/t1", head(3))]
    acknowledge(journal, 4)
    journal.close()
    assert file.read_bytes() == content
    assert keys(tmp_path) == {"table/t1/1", "table/t1/3", "table/t1/4"}


def test_an_empty_folder_is_told_apart_from_one_with_journals(tmp_path: Path) -> None:
    assert read_journals([tmp_path]).empty == [tmp_path]
    (tmp_path / "just-begun.jsonl").touch()
    told = read_journals([tmp_path, tmp_path / "just-begun.jsonl"])
    assert (told.empty, told.damaged) == ([], [])
    Journals().read(tmp_path / "just-begun.jsonl")


# --- what is known ------------------------------------------------------------------------------------------


def test_a_head_only_heard_of_takes_no_place_of_one_that_was_acknowledged(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 3)
    heard = [("table/t1", Head(2, "")), ("table/t1", head(1, "b"))]
    journal.seen(Micros(4), heard)
    assert set(journal.heads()) == {("table/t1", head(3)), *heard}
    journal.close()
    again = Journal(tmp_path)
    again.take_over()
    assert set(again.heads()) == {("table/t1", head(3)), *heard}
    again.settle(lambda known: not known[1].hash, frozenset(), frozenset())
    assert set(again.heads()) == {("table/t1", head(3)), heard[1]}


def test_an_old_key_that_is_asked_again_takes_no_place_of_a_newer_command(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    acknowledge(journal, 1, 5, 1)
    assert set(journal.heads()) == {("table/t1", head(5)), ("table/t1", head(1))}


def test_only_refusals_that_are_named_are_settled(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.acknowledge("refused", Micros(1), {})
    journal.settle(lambda known: True, frozenset(), frozenset({"another"}))
    assert [command.key for command in journal.refusals()] == ["refused"]
    journal.settle(lambda known: True, frozenset(), frozenset({"refused"}))
    assert list(journal.refusals()) == []


def test_what_is_no_journal_is_said_to_be_none(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"number": 1}\n["nothing"]\nno json\n')
    with pytest.raises(BadInput, match="is not a journal"):
        read_journals([other])
    with pytest.raises(BadInput, match="there is no such file"):
        read_journals([tmp_path / "gone.jsonl"])
