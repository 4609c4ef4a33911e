"""The lines of journals: what they say, and which of them are not as a server wrote them.

Only the last line of a file may be cut off: the process that wrote it was gone before it had answered. Any
other line that cannot be read was changed since, and what it spoke of was acknowledged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.errors import BadInput, near_file
from pitboss.floor.ports import Head, Micros

SUFFIX = ".jsonl"
DAMAGE_REMEDY = "bring a copy of the file that is whole, or keep it elsewhere and leave it out"

_LATEST = 253_402_300_799_999_999
"""The last microsecond of the year 9999: no server has written a later one."""
_HIGHEST = 2**63 - 1
_HASH = re.compile(r"[0-9a-f]{64}")
_BEGINNINGS = (b'["command","', b'["seen",', b'["checkpoint",', b'["database",')

Checkpoint = tuple[int, int, str, str]
"""Number, time, heads and signature."""
Known = tuple[str, Head]


class Command(NamedTuple):
    """A command that was acknowledged: the heads it made are empty for one that was refused."""

    key: str
    at: Micros
    heads: Mapping[str, Head]


class Damage(NamedTuple):
    """Lines of a file that cannot be read and were not cut off: the number of the first, and how many."""

    file: Path
    line: int
    lines: int

    @property
    def where(self) -> str:
        """The file and its first such line."""
        return f"journal {self.file} line {self.line}"

    @property
    def what(self) -> str:
        """What is wrong with it, in words."""
        more = f", and {self.lines - 1} more after it" if self.lines > 1 else ""
        return f"is damaged{more}: what the server acknowledged there is unknown; {DAMAGE_REMEDY}"

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(slots=True)
class Told:
    """What journals tell. `seen` are heads that were read; one without a hash was only heard of.

    `torn` counts last lines that were cut off, `empty` are folders without a journal.
    """

    commands: list[Command] = field(default_factory=list)
    seen: dict[Known, Micros] = field(default_factory=dict)
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    databases: list[tuple[Micros, str]] = field(default_factory=list)
    torn: int = 0
    damaged: list[Damage] = field(default_factory=list)
    empty: list[Path] = field(default_factory=list)

    def learn(self, content: bytes, file: Path) -> bool:
        """Read a file; whether any line of it is one of a journal. What cannot be read of it is counted."""
        *lines, last = content.split(b"\n")
        bad = [number for number, line in enumerate(lines, 1) if not self._learned(line)]
        if last and not self._learned(last):
            if is_cut_off(last):
                self.torn += 1
            else:
                bad.append(len(lines) + 1)
        if bad:
            self.damaged.append(Damage(file, bad[0], len(bad)))
        lines.append(last)
        return len(bad) < len(lines) - (not last) or any(line.startswith(_BEGINNINGS) for line in lines)

    def _learned(self, line: bytes) -> bool:
        try:
            self._learn(json.loads(line))
        except (ValueError, TypeError, AttributeError, RecursionError):
            return False
        return True

    def _learn(self, row: Any) -> None:
        """Take in a row, or nothing of it. Raises `ValueError`, `TypeError` or `AttributeError`."""
        match row:
            case ["command", key, at, list(rows)]:
                self.commands.append(Command(_text(key), _time(at), dict(map(_head, rows))))
            case ["seen", at, list(rows)]:
                when, heads = _time(at), [_head(row) for row in rows]
                for known in heads:
                    self.seen.setdefault(known, when)
            case ["checkpoint", number, at, heads, signature]:
                for stream, head in json.loads(_text(heads)).items():
                    _head((stream, *head))
                self.checkpoints[_text(signature)] = (_number(number), _time(at), heads, signature)
            case ["database", at, identity]:
                self.databases.append((_time(at), _text(identity)))
            case _:
                raise ValueError("no line of a journal")


def is_cut_off(line: bytes) -> bool:
    """Whether the unfinished end of a file is the beginning of a line, as a server writes it."""
    printable = line.isascii() and line.decode().isprintable()
    return printable and any(line.startswith(start[: len(line)]) for start in _BEGINNINGS)


def _text(found: Any) -> str:
    if not isinstance(found, str) or "\0" in found:
        raise ValueError("no text")
    found.encode()  # half of a surrogate pair cannot be asked for anywhere
    return found


def _number(found: Any, most: int = _HIGHEST) -> int:
    if type(found) is not int or not 0 <= found <= most:
        raise ValueError("no number")
    return found


def _time(found: Any) -> Micros:
    return Micros(_number(found, _LATEST))


def _head(row: Any) -> Known:
    stream, version, hashed = row
    if _text(hashed) and _HASH.fullmatch(hashed) is None:
        raise ValueError("no hash")
    return _text(stream), Head(_number(version), hashed)


def read_journals(paths: Iterable[Path]) -> Told:
    """What files of journals tell, or all those of folders. Raises `BadInput` for any other file."""
    told = Told()
    for path in paths:
        if not path.is_dir():
            content = _content(path)
            if content and not told.learn(content, path):
                raise BadInput(str(path), "is not a journal", "name a file of a data folder's 'journal'")
            continue
        files = _files_of(path)
        if not files:
            told.empty.append(path)
        for file in files:
            told.learn(_content(file), file)
    return told


def _files_of(folder: Path) -> Sequence[Path]:
    try:
        return sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIX))
    except OSError as error:
        raise BadInput(str(folder), f"cannot be read: {error.strerror}", "check its rights") from error


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        remedy = near_file(str(file)) or "name a journal file, or the folder it is in"
        raise BadInput(str(file), "there is no such file", remedy) from error
    except OSError as error:
        raise BadInput(str(file), f"cannot be read: {error.strerror}", "check its rights") from error
