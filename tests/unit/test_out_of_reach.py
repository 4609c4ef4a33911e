"""Files and folders that one may not read or write: one line with the path and the reason, and exit code 2."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings
from pitboss.cli import checkups
from pitboss.cli.doctor import examine
from support import pitboss

DENIED = "Permission denied"


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a folder somebody else's, also for who may read everything: what is in it cannot be looked at.

    With `write=True` it can be looked at, and nothing can be put in it.
    """

    def lock(folder: Path, *, write: bool = False) -> None:
        inside = f"{folder}{os.sep}"

        def barred(path: Any, *, itself: bool) -> bool:
            text = os.path.abspath(os.fspath(path)) if isinstance(path, str | os.PathLike) else ""
            return text.startswith(inside) or (itself and text == str(folder))

        def guard(module: Any, name: str, *, itself: bool) -> None:
            real = getattr(module, name)

            def guarded(path: Any, *more: Any, **named: Any) -> Any:
                if barred(path, itself=itself):
                    raise PermissionError(13, DENIED, os.fspath(path))
                return real(path, *more, **named)

            monkeypatch.setattr(module, name, guarded)

        if not write:
            guard(os, "stat", itself=False)
            guard(os, "listdir", itself=True)
            guard(os, "scandir", itself=True)
        guard(os, "open", itself=True)
        guard(os, "mkdir", itself=False)
        guard(io, "open", itself=False)
        guard(os, "access", itself=True)

    return lock


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    assert pitboss("floor", "create", "house", "--data", str(tmp_path / "demo")).code == 0
    return tmp_path / "demo"


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("floor show", "floor.db"),
        ("users list", "floor.db"),
        ("report --no-theory", "floor.db"),
        ("verify", "checkpoint.pem"),
        ("serve --port 0", "program.sha256"),
    ],
)
def test_a_floor_of_somebody_else_is_one_line(
    floor: Path, locked: Callable[..., None], command: str, file: str
) -> None:
    locked(floor)
    ran = pitboss(*command.split(), "--data", str(floor))
    said = f"pitboss: {floor / file}: cannot be read: {DENIED}; give this user the right, or name another\n"
    assert (ran.code, ran.err, ran.out) == (2, said, "")


def test_the_doctor_says_what_he_may_not_see_and_goes_on(
    floor: Path, locked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(where: object) -> Iterator[checkups.Finding]:
        yield from ()

    for slow in ("kernels", "rulebooks", "dependencies"):
        monkeypatch.setitem(checkups.CHECKS, slow, none)
    locked(floor)
    found = {finding.check: finding for finding in examine(str(floor), None, host="127.0.0.1", port=0)}
    wrong = [name for name, finding in found.items() if finding.verdict == "wrong"]
    assert wrong == ["program", "data folder", "database", "patience", "deck key", "checkpoint key"]
    assert found["program"].found == f"{floor / 'program.sha256'}: cannot be read: {DENIED}"
    assert DENIED in found["data folder"].found
    assert found["random source"].verdict == "ok"


def test_every_finding_of_the_doctor_has_the_name_of_its_check(floor: Path) -> None:
    where = Settings(floor)
    for name, check in checkups.CHECKS.items():
        if name != "kernels":
            assert {finding.check for finding in check(where)} == {name}


def test_books_sets_and_backups_of_somebody_else_are_one_line(
    tmp_path: Path, locked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert pitboss("rules", "new", "theirs", "--from", "mbs-3cp-2023").code == 0
    locked(tmp_path / "theirs")
    for command, said in (
        ("rules validate theirs", f"theirs: cannot be read: {DENIED}"),
        ("rules show theirs/book.toml", f"theirs/book.toml: cannot be read: {DENIED}"),
        ("drill --set theirs", f"theirs: cannot be read: {DENIED}"),
        ("restore theirs/x.backup", f"theirs/x.backup: cannot be read: {DENIED}"),
        ("rules new theirs/mine --from mbs-3cp-2023", f"theirs/mine: cannot be read: {DENIED}"),
    ):
        ran = pitboss(*command.split())
        assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, ""), ran.err
        assert ran.err.startswith(f"pitboss: {said}; "), ran.err


def test_where_nothing_can_be_written_it_is_said_of_the_name_that_was_given(
    tmp_path: Path, locked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    locked(tmp_path, write=True)
    ran = pitboss("rules", "new", "mine", "--from", "mbs-3cp-2023")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith(f"pitboss: mine: cannot be written: {DENIED}; ")
    ran = pitboss("--install-completion", "bash")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith(f"pitboss: {tmp_path}/.bash")
    assert f"cannot be written: {DENIED}" in ran.err


def test_a_fault_of_ours_is_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(arguments: list[str]) -> int:
        raise OSError("no file is to blame")

    monkeypatch.setattr("pitboss.cli.main._run", fails)
    with pytest.raises(OSError, match="no file is to blame"):
        pitboss("rules", "list")
