"""What journals and kept checkpoints speak of and the record lacks, and how the record comes to name it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.continuity import NAMED_FOLDER, REFUSALS_FOR, Named, named_as_lost
from pitboss.errors import BadInput, StoreError
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.people import Asker
from pitboss.floor.ports import Head, Micros
from pitboss.floor.reconciliation import NAMED_AT_MOST, digest_of_loss
from pitboss.floor.registry import Lost, LostCheckpoint
from pitboss.floor.requests import ReconcileRecord
from pitboss.floor.service import Answer, Floor
from pitboss.store.journal import FOLDER, Damage, Journal, read_journals
from pitboss.store.journal_lines import Told
from pitboss.store.keeping import (
    Checkpoint,
    heads_of,
    is_signed_checkpoint,
    make_checkpoint,
    read_checkpoints,
    read_kept,
)
from pitboss.store.sql import SqlStore


@dataclass(frozen=True, slots=True)
class Gone:
    """Something that was lost, and the hash of the event that stands in its place; empty where none does."""

    lost: Lost
    instead: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was compared, what of it is lost, and how much of that the record names already.

    `torn` counts last lines that were cut off, `damaged` is what else could not be read of journals, `empty`
    are folders that were named and have none.
    """

    commands: int
    checkpoints_read: int
    torn: int
    damaged: tuple[Damage, ...]
    empty: tuple[Path, ...]
    gone: tuple[Gone, ...]
    checkpoints: tuple[LostCheckpoint, ...]
    named_before: int
    before: str
    after: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is lost that the record does not name."""
        return not self.gone and not self.checkpoints

    def request(self) -> ReconcileRecord:
        """What the record is to say of it."""
        whole = self._as_request(tuple(one.lost for one in self.gone), "")
        digest = digest_of_loss(whole, whole.lost)
        return self._as_request(whole.lost[:NAMED_AT_MOST], digest)

    def _as_request(self, lost: tuple[Lost, ...], digest: str) -> ReconcileRecord:
        return ReconcileRecord(
            before=self.before,
            after=self.after,
            checkpoints=self.checkpoints,
            lost=lost,
            count=len(self.gone),
            digest=digest,
        )


def compare(
    store: SqlStore, floor: Floor, where: Settings, *, journals: Sequence[Path], kept: Sequence[Path]
) -> Comparison:
    """Hold the journals of this folder and those named, and kept checkpoints, against the record."""
    own = [where.data / FOLDER] if (where.data / FOLDER).is_dir() else []
    told = read_journals([*own, *journals])
    rows = [row for file in kept for row in read_kept(file)]
    rows = _signed(where, [*rows, *told.checkpoints.values()], given=len(rows))
    here = _in_record(store)
    claims = _claims(told, rows)
    named = named_as_lost(floor.registry.reconciled, where.data)
    gone = [one for one in _gone(store, claims) if not _is_named(one.lost, named)]
    gone += [one for one in _refusals_gone(store, told, floor.now()) if one.lost.key not in named.keys]
    lost_rows = [row for row in rows if row not in here]
    checkpoints = [row for row in lost_rows if row[3] not in named.checkpoints]
    after = store.identity()
    others = [found for found in sorted(told.databases, reverse=True) if found[1] != after]
    return Comparison(
        commands=len(told.commands),
        checkpoints_read=len(rows),
        torn=told.torn,
        damaged=tuple(told.damaged),
        empty=tuple(folder for folder in told.empty if folder not in own),
        gone=tuple(sorted(gone, key=lambda one: (one.lost.at, one.lost.stream, one.lost.version))),
        checkpoints=tuple(
            LostCheckpoint(number=number, at=at, signature=signature)
            for number, at, _, signature in sorted(checkpoints, key=lambda row: row[1])
        ),
        named_before=len(named.heads) + len(named.keys) + len(named.checkpoints),
        before=others[0][1] if others else after,
        after=after,
    )


def _signed(where: Settings, rows: list[Checkpoint], *, given: int) -> list[Checkpoint]:
    """Each checkpoint once. One that is not signed by the floor's key names nothing: it is refused."""
    key = checkpoint_key(where, create=False)
    found: dict[str, Checkpoint] = {}
    for place, row in enumerate(rows):
        if key is not None and not is_signed_checkpoint(key.public_key(), row):
            where_from = "--kept" if place < given else "--journal"
            raise BadInput(
                where_from, f"checkpoint {row[0]} is not signed by this floor's key", "leave it out"
            )
        found.setdefault(row[3], row)
    return list(found.values())


def _in_record(store: SqlStore) -> set[Checkpoint]:
    with store.reading() as reader:
        return set(read_checkpoints(reader))


def _claims(told: Told, checkpoints: Sequence[Checkpoint]) -> list[Lost]:
    """Every head that a journal or a checkpoint speaks of, once; that of a command by its key."""
    claims: dict[tuple[str, Head], Lost] = {}
    for command in told.commands:
        for stream, head in command.heads.items():
            claims.setdefault((stream, head), _lost(stream, head, key=command.key, at=command.at))
    for (stream, head), seen_at in told.seen.items():
        claims.setdefault((stream, head), _lost(stream, head, key="", at=seen_at))
    for _, at, text, _ in checkpoints:
        for stream, head in heads_of(text).items():
            if head.version:
                claims.setdefault((stream, head), _lost(stream, head, key="", at=at))
    return list(claims.values())


def _lost(stream: str, head: Head, *, key: str, at: int) -> Lost:
    return Lost(key=key, stream=stream, version=head.version, hash=head.hash, at=at)


def _gone(store: SqlStore, claims: Sequence[Lost]) -> list[Gone]:
    gone = []
    with store.reading() as reader:  # one moment of a floor that others may work on
        for claim in claims:
            found = reader.hash_of(claim.stream, claim.version)
            if found != claim.hash and (claim.hash or found is None):
                gone.append(Gone(claim, found or ""))
    last = {one.lost.stream: 0 for one in gone}
    for one in gone:
        if one.lost.hash:
            last[one.lost.stream] = max(last[one.lost.stream], one.lost.version)
    return [one for one in gone if one.lost.hash or one.lost.version > last[one.lost.stream]]


def _refusals_gone(store: SqlStore, told: Told, now: Micros) -> list[Gone]:
    """Refusals of the last day whose answer is not kept; older ones may have been forgotten on purpose."""
    refused = {command.key: command for command in told.commands if not command.heads}
    return [
        Gone(Lost(key=key, stream="", version=0, hash="", at=command.at), "")
        for key, command in refused.items()
        if command.at > now - REFUSALS_FOR and store.kept(key) is None
    ]


def _is_named(lost: Lost, named: Named) -> bool:
    return named.has((lost.stream, Head(lost.version, lost.hash)), lost.key)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came of naming a loss: the answer, the checkpoint made with it, and the file of a long list."""

    answer: Answer
    checkpoint: int | None
    file: Path | None


def record_loss(store: SqlStore, floor: Floor, where: Settings, found: Comparison, by: Asker) -> Recorded:
    """Have the record name what was lost, and sign it at once. The same loss is named once."""
    request = found.request()
    file = _write_list(where, found, request.digest) if request.count > len(request.lost) else None
    journal = Journal(where.data)
    floor.acknowledge = journal.acknowledge
    try:
        answer = floor.do(by, request)
    finally:
        journal.close()
    if not answer.ok:
        return Recorded(answer, None, file)
    key = checkpoint_key(where, create=False)
    number = None if key is None else make_checkpoint(store, key, floor.now())
    return Recorded(answer, number, file)


def _write_list(where: Settings, found: Comparison, digest: str) -> Path:
    """All of what was lost, in a file that the event has the digest of."""
    folder = where.data / NAMED_FOLDER
    file = folder / f"{digest[:16]}.jsonl"
    rows = [
        (one.lost.key, one.lost.stream, one.lost.version, one.lost.hash, one.lost.at) for one in found.gone
    ]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    draft = file.with_suffix(".draft")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, file)
    except OSError as error:
        raise StoreError(
            f"{file} cannot be written ({error.strerror})", "give this user the right to write there"
        ) from error
    return file


def opened(where: Settings) -> tuple[SqlStore, Floor]:
    """A floor to compare: nothing is taken up on it, and nothing that a process knows is asked for."""
    store = open_store(where)
    try:
        return store, Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
    except BaseException:
        store.close()
        raise
