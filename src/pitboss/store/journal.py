"""The journal of a process: what it has acknowledged, kept in its own folder and not in the database.

A database that is failed over to a standby, or put back from a copy, cannot say what it has lost. The
journals of the servers can: each writes a line for every command before it is answered. A line is JSON:

    ["command", key, at, [[stream, version, hash], ...]]    acknowledged, with the heads that it made
    ["seen", at, [[stream, version, hash], ...]]            read here, and missing from the record since
    ["checkpoint", number, at, heads, signature]            the newest checkpoint that was seen
    ["database", at, identity]                              the database that is worked on

A journal is bounded by checkpoints: with each new one a file is begun, and a file goes when the checkpoint
before the newest covers all of it, so that two checkpoints and everything since the older one can be told.
Files are append-only and their owner's alone; the next process to come takes over one that was left behind.
One that is damaged is neither written on nor thrown away.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitboss.errors import StoreError
from pitboss.floor.ports import NO_HEAD, Head, Micros
from pitboss.store.journal_lines import SUFFIX, Told, is_cut_off
from pitboss.store.journal_lines import Checkpoint as Checkpoint
from pitboss.store.journal_lines import Command as Command
from pitboss.store.journal_lines import Damage as Damage
from pitboss.store.journal_lines import Known as Known
from pitboss.store.journal_lines import read_journals as read_journals

FOLDER = "journal"
MOST_TAKEN_ON = 1 << 20
"""Bytes up to which a file that was left behind is written on; a larger one is only kept."""
LAST_READ = 1 << 17
"""Bytes that are read of the journal of a process at work."""
PROBE, PROBE_BYTES = "probe-", 4096


@dataclass(slots=True)
class _File:
    """One file, held by its lock. `heads` are the newest of each stream that were acknowledged in it.

    `also` are heads that were read and are missing, and those above the newest that was acknowledged: an old
    key was asked again. `keys` are the commands that made them. `turns` counts the checkpoints that were seen
    since it was written on.
    """

    path: Path
    handle: int
    heads: dict[str, Head] = field(default_factory=dict)
    also: set[Known] = field(default_factory=set)
    keys: dict[Known, str] = field(default_factory=dict)
    refused: Command | None = None
    commands: int = 0
    turns: int = 0
    damaged: bool = False

    def note(self, command: Command) -> None:
        self.commands += 1
        for stream, head in command.heads.items():
            before = self.heads.get(stream, NO_HEAD)
            if before.version > head.version:
                self.also.add((stream, before))
            else:
                self.keys.pop((stream, before), None)
            self.heads[stream] = head
            self.keys[stream, head] = command.key
        self.refused = None if command.heads else command

    def note_seen(self, heads: Sequence[Known]) -> None:
        self.commands += 1
        self.also.update(heads)

    def note_all(self, told: Told) -> None:
        for command in told.commands:
            self.note(command)
        if told.seen:
            self.note_seen(list(told.seen))

    def known(self) -> Iterator[Known]:
        yield from self.heads.items()
        yield from self.also

    def is_covered(self, heads: Mapping[str, Any]) -> bool:
        """Whether a checkpoint with these heads was made after everything in the file."""
        return all(int(heads.get(stream, (0,))[0]) >= head.version for stream, head in self.known())


class Journal:
    """The journal of this process, in a data folder. Nothing is written before there is something to tell."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self.failed = ""
        """Why the last line could not be written, in words for all; empty where it could."""
        self.checkpoints: list[Checkpoint] = []
        """The newest checkpoints that were seen, the older one first; two at the most."""
        self.database = ""
        self._files: list[_File] = []
        self._current: _File | None = None
        self._dirty = False
        self._sync: ThreadPoolExecutor | None = None

    # --- what is told ---------------------------------------------------------------------------------

    def heads(self) -> Iterator[tuple[str, Head]]:
        """The newest heads that were acknowledged, by file: where they are in the record, so is the rest."""
        for file in self._files:
            yield from file.known()

    def key_of(self, known: Known) -> str:
        """The command that made a head, where it was acknowledged here; empty where it was only read."""
        return next((file.keys[known] for file in self._files if known in file.keys), "")

    def refusals(self) -> Iterator[Command]:
        """Refusals that nothing was acknowledged after, by file."""
        for file in self._files:
            if file.refused is not None:
                yield file.refused

    def take_over(self) -> Told:
        """Go on with the files that processes which are gone have left here; what they tell."""
        told = Told()
        if not self.folder.is_dir():
            return told
        own = {file.path for file in self._files}
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            taken = None if path in own else self._taken(path)
            if taken is None:
                continue
            one = self._read(taken)
            taken.note_all(one)
            told.commands += one.commands
            told.seen |= one.seen
            told.databases += one.databases
            told.damaged += one.damaged
            for checkpoint in one.checkpoints.values():
                self._see(checkpoint)
            self._files.insert(0, taken)
            writable = not taken.damaged and os.fstat(taken.handle).st_size <= MOST_TAKEN_ON
            if self._current is None and writable:
                self._current = taken
        if told.databases and not self.database:
            self.database = max(told.databases)[1]
        return told

    def heads_beside(self) -> Iterator[Known]:
        """The last heads in the journals of processes that are at work here; these are only read.

        What stands there was committed before: the record that they are compared with is read later. Where
        any of it is lost, the end of it is.
        """
        own = {file.path for file in self._files}
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if path not in own:
                told, file = Told(), _File(path, -1)
                with suppress(FileNotFoundError):  # a checkpoint has covered it meanwhile
                    told.learn(_end_of(path), path)
                file.note_all(told)
                yield from file.known()

    def _read(self, taken: _File) -> Told:
        """What a file tells that was left behind. A last line that was cut off goes: it was not answered."""
        told = Told()
        try:
            content = taken.path.read_bytes()
            finished = content.rfind(b"\n") + 1
            if is_cut_off(content[finished:]):
                os.ftruncate(taken.handle, finished)
                content = content[:finished]
        except OSError as error:
            os.close(taken.handle)
            raise StoreError(f"{taken.path} cannot be read ({error.strerror})", "check its disk") from error
        told.learn(content, taken.path)
        taken.damaged = bool(told.damaged)
        return told

    def _taken(self, path: Path) -> _File | None:
        """A file whose process is gone, held from now on; None while its process lives."""
        try:
            handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path} cannot be read ({error.strerror})", "check its rights") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.stat(path).st_ino == os.fstat(handle).st_ino:
                return _File(path, handle)
        except (BlockingIOError, FileNotFoundError):
            pass
        os.close(handle)
        return None

    def check_folder(self) -> None:
        """Raises `StoreError` where nothing could be written down: a server is not to find that out later."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritten(error) from error
        if not os.access(self.folder, os.R_OK | os.W_OK | os.X_OK):
            raise self._unwritten(PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
        for left in self.folder.glob(f"{PROBE}*"):  # of a process that was killed meanwhile
            with suppress(OSError):
                left.unlink()

    # --- what is written ------------------------------------------------------------------------------

    def acknowledge(self, key: str, at: Micros, heads: Mapping[str, Head]) -> None:
        """Write down a command that is about to be answered. Raises `StoreError` where that fails."""
        file = self._open(at)
        self._write(file, ["command", key, at, [[stream, *head] for stream, head in heads.items()]])
        file.note(Command(key, at, heads))

    def seen(self, at: Micros, heads: Sequence[tuple[str, Head]], *, checkpoints: bool = False) -> None:
        """Write down heads that were read here and are missing from the record; with `checkpoints` those too.

        A file begins with the checkpoints that were seen: where there is one, it has them.
        """
        if checkpoints and not self._files:
            self._open(at).commands += 1
        if heads:
            file = self._open(at)
            self._write(file, ["seen", at, [[stream, *head] for stream, head in heads]])
            file.note_seen(heads)

    def work_on(self, at: Micros, identity: str) -> None:
        """Write down which database this process works on, where it has something to tell of it.

        Where that fails, `try_again` writes it.
        """
        if identity != self.database:
            self.database = identity
            if self._current is not None:
                with suppress(StoreError):
                    self._write(self._current, ["database", at, identity])

    def try_again(self, at: Micros) -> None:
        """Where the last line could not be written, try one that tells nothing new."""
        if self.failed:
            with suppress(StoreError):
                row = ["database", at, self.database] if self.database else ["seen", at, []]
                self._write(self._open(at), row)

    def probe(self) -> None:
        """Whether there is room for more, tried with a file that goes at once. From any thread.

        Raises `StoreError`.
        """
        path = self.folder / f"{PROBE}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                if os.write(handle, bytes(PROBE_BYTES)) < PROBE_BYTES:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(handle)
                path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                _unwritten_words(error), "make room there, or give this user the right"
            ) from error

    def turn(self, checkpoint: Checkpoint, at: Micros) -> None:
        """There is a new checkpoint: begin a file, and let go of those that the one before covers."""
        self._see(checkpoint)
        if not self._files:
            return
        self.sync()
        before = _heads_of(self.checkpoints[0]) if len(self.checkpoints) > 1 else {}
        ended = list(self._files)
        self._begin(at)
        for file in ended:
            file.turns += 1
            if before and file.turns > 1 and not file.damaged and file.is_covered(before):
                self._files.remove(file)
                self._drop(file)

    def settle(
        self, is_named: Callable[[Known], bool], checkpoints: frozenset[str], keys: frozenset[str]
    ) -> None:
        """The record names such heads, checkpoints and refusals as lost: they are held against it no more."""
        self.checkpoints = [row for row in self.checkpoints if row[3] not in checkpoints]
        for file in self._files:
            file.heads = {stream: head for stream, head in file.heads.items() if not is_named((stream, head))}
            file.also = {known for known in file.also if not is_named(known)}
            if file.refused is not None and file.refused.key in keys:
                file.refused = None

    def sync(self) -> None:
        """Have what was written put on the disk, without waiting for it."""
        if self._dirty and self._current is not None:
            self._dirty = False
            if self._sync is None:
                self._sync = ThreadPoolExecutor(1, thread_name_prefix="journal")
            self._sync.submit(_put_on_disk, os.dup(self._current.handle))

    def close(self) -> None:
        """Let go of every file; the next process takes them over. Where none tells anything, all go.

        A damaged one stays: what it told is not known.
        """
        if self._dirty and self._current is not None:
            os.fdatasync(self._current.handle)
        if self._sync is not None:
            self._sync.shutdown(wait=True)
        tells = any(file.commands for file in self._files)
        for file in self._files:
            if tells or file.damaged:
                os.close(file.handle)
            else:
                self._drop(file)
        self._files, self._current = [], None

    def _see(self, checkpoint: Checkpoint) -> None:
        if all(known[3] != checkpoint[3] for known in self.checkpoints):
            self.checkpoints = sorted([*self.checkpoints, checkpoint])[-2:]

    def _open(self, at: Micros) -> _File:
        if self._current is not None and not os.fstat(self._current.handle).st_nlink:
            self._current = None  # the file was deleted: nobody would ever read what is written there
        return self._current if self._current is not None else self._begin(at)

    def _begin(self, at: Micros) -> _File:
        """A new file, which begins with what it rests on."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            host = "".join(letter for letter in socket.gethostname() if letter.isalnum() or letter == "-")
            path = self.folder / f"{host[:40]}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            handle = os.open(path, flags, 0o600)
        except OSError as error:
            raise self._unwritten(error) from error
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file = _File(path, handle)
        self._files.append(file)
        self._current = file
        if self.database:
            self._write(file, ["database", at, self.database])
        for number, made, heads, signature in self.checkpoints:
            self._write(file, ["checkpoint", number, made, heads, signature])
        return file

    def _write(self, file: _File, row: list[Any]) -> None:
        line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
        try:
            written = os.write(file.handle, line)
        except OSError as error:
            raise self._unwritten(error) from error
        if written < len(line):
            self._cut_back(file, written)
            raise self._unwritten(OSError(errno.ENOSPC, "the disk is full"))
        self.failed, self._dirty = "", True

    def _cut_back(self, file: _File, written: int) -> None:
        """Take half a line back. Where that fails nothing is written after it: it stays the last one."""
        try:
            os.ftruncate(file.handle, os.fstat(file.handle).st_size - written)
        except OSError:
            self._current = None

    def _unwritten(self, error: OSError) -> StoreError:
        self.failed = _unwritten_words(error)
        remedy = "make room or give this user the right to write there; ask again with the same key"
        return StoreError(f"the journal {self.folder} cannot be written ({error.strerror})", remedy)

    def _drop(self, file: _File) -> None:
        file.path.unlink(missing_ok=True)
        os.close(file.handle)


def _unwritten_words(error: OSError) -> str:
    return f"the journal cannot be written ({error.strerror})"


def _end_of(path: Path) -> bytes:
    """The last whole lines of a file."""
    with path.open("rb") as file:
        begins = max(0, os.fstat(file.fileno()).st_size - LAST_READ)
        file.seek(begins)
        content = file.read()
    return content.partition(b"\n")[2] if begins else content


def _put_on_disk(handle: int) -> None:
    try:
        os.fdatasync(handle)
    finally:
        os.close(handle)


def _heads_of(checkpoint: Checkpoint) -> dict[str, Any]:
    try:
        found = json.loads(checkpoint[2])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
