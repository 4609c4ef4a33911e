"""`verify`: the whole record of a floor checked, by as many processes as there are processors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.bootstrap import CHECKPOINT_MICROS, Settings, checkpoint_key, deck_key, open_store
from pitboss.continuity import Named, named_as_lost
from pitboss.errors import BadInput, StoreError
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.codec import RECONCILED, decode
from pitboss.floor.desk import Desk
from pitboss.floor.kept_answers import wrong_answers
from pitboss.floor.ports import NO_HEAD, SECOND, Head, Micros
from pitboss.floor.registry import STREAM
from pitboss.floor.said import Known
from pitboss.floor.sealing import DeckBox
from pitboss.floor.verifying import Checked, Problem, check_chains, check_streams, check_whole
from pitboss.progress import Task, counting
from pitboss.store.journal import read_journals
from pitboss.store.journal_lines import Told
from pitboss.store.keeping import (
    Checkpoint,
    checkpoint_problems,
    heads_of,
    is_signed_checkpoint,
    read_checkpoints,
    read_kept,
    read_public_key,
    versions_signed,
)
from pitboss.store.leftovers import NAMED_AT_MOST, kept_answers, left_over, odd_rows, unknown_tables
from pitboss.store.sql import SqlReader, SqlStore

WORTH_SHARING = 40_000
"""From so many events on several processes are quicker than one."""

SHARES_EACH = 4
UNSIGNED_AT_MOST = 2 * CHECKPOINT_MICROS
"""A floor at work leaves no event unsigned for longer: twice as long as between two checkpoints."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification has found. `signatures` tells whether there was a key to check them with.

    `key` is its public part, in hexadecimal; `kept_key` tells that it was kept elsewhere, and not found here.
    `unsigned` is how many events no checkpoint speaks of; they were written between the two times.
    `unopened` is how many sealed decks of rounds in play were not opened, because their key is not here.
    `empty` are folders that were named for journals and have none.
    """

    streams: int
    events: int
    postings: int
    checkpoints: int
    signatures: bool
    key: str
    kept_key: bool
    problems: tuple[Problem, ...]
    seconds: float
    unsigned: int = 0
    unsigned_since: Micros | None = None
    unsigned_until: Micros | None = None
    unopened: int = 0
    empty: tuple[Path, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    @property
    def not_signed(self) -> str:
        """How much of the record no checkpoint speaks of, in words; empty where all of it is signed."""
        if self.unsigned_since is None or self.unsigned_until is None:
            return ""
        since = datetime.fromtimestamp(self.unsigned_since / SECOND, UTC).strftime("%Y-%m-%d %H:%M UTC")
        text = f"{self.unsigned} events since {since} are not signed"
        if self.unsigned_until - self.unsigned_since <= UNSIGNED_AT_MOST:
            return text
        return (
            f"{text}, and a floor at work signs every five minutes: a checkpoint is missing or was not made"
        )

    @property
    def not_opened(self) -> str:
        """How many sealed decks were left closed, in words; empty where there are none."""
        if not self.unopened:
            return ""
        decks = "1 sealed deck was" if self.unopened == 1 else f"{self.unopened} sealed decks were"
        return f"{decks} not opened: the deck key is not here"


def verify(
    where: Settings,
    *,
    processes: int | None = None,
    kept: Path | None = None,
    key: Path | None = None,
    unsigned: bool = False,
    journals: Sequence[Path] = (),
) -> Verified:
    """Check hash chains, replay, ledger, heads, snapshots, decks, kept answers and checkpoints.

    `kept` is a file of checkpoints that were exported and kept elsewhere: they must be here as they were, and
    so must be what they signed, unless the record itself names it as lost. So must be what `journals` have
    acknowledged. `key` is the public key, kept elsewhere too; else it is that of the floor's
    folder. Checkpoints without a key to check them are a problem, unless `unsigned` says they may be.
    Decks of rounds in play are opened where their key is here; elsewhere they are counted.
    """
    kept_rows = [] if kept is None else read_kept(kept)
    told = read_journals(journals)
    kept_rows += [row for row in told.checkpoints.values() if row not in kept_rows]
    public = read_public_key(key) if key is not None else _own_key(where)
    began = time.monotonic()
    store = open_store(where)
    try:
        with store.reading() as reader:  # one moment of a floor that may be at work
            found = Checked(problems=[Problem(*problem) for problem in odd_rows(reader)])
            readable = not found.problems
            found.problems += [Problem(damage.where, 0, damage.what) for damage in told.damaged]
            checkpoints = read_checkpoints(reader) if readable else []
            heads = reader.heads() if readable else {}
            unopened = 0
            if readable:
                named = _named_as_lost(where, reader, checkpoints, public)
                explained = [row for row in kept_rows if row[3] in named.checkpoints]
                wanted = versions_signed([*checkpoints, *(row for row in kept_rows if row not in explained)])
                box = _deck_box(where)
                unopened = len(reader.decks()) if box is None else 0
                _check_record(where, store, reader, heads, wanted, processes, box, found)
                found.problems += _not_as_acknowledged(reader, told, explained, named)
        if readable:
            found.problems += _signed_otherwise(checkpoints, kept_rows, public, found, named)
        if readable and public is None and not unsigned and (checkpoints or kept_rows):
            number = (checkpoints or kept_rows)[0][0]
            text = "there is no key to check signatures with; name one by --key"
            found.problems.append(Problem(f"checkpoint {number}", 0, text))
        return Verified(
            streams=len(heads),
            events=found.events,
            postings=found.postings,
            checkpoints=len(checkpoints),
            signatures=public is not None,
            key="" if public is None else public.public_bytes_raw().hex(),
            kept_key=key is not None,
            problems=tuple(sorted(found.problems, key=_first_ones_first)),
            seconds=time.monotonic() - began,
            unsigned=found.unsigned,
            unsigned_since=found.unsigned_since,
            unsigned_until=found.unsigned_until,
            unopened=unopened,
            empty=tuple(told.empty),
        )
    finally:
        store.close()


def _first_ones_first(problem: Problem) -> tuple[bool, bool, str, int]:
    """Where a chain is broken comes first, and the floor's own stream, which the others rest on."""
    return not problem.in_chain, problem.stream != STREAM, problem.stream, problem.version


def _deck_box(where: Settings) -> DeckBox | None:
    """What opens the decks of rounds in play, where their key is here."""
    try:
        return DeckBox(deck_key(where, create=False))
    except (StoreError, BadInput):  # without it the record is verified all the same
        return None


def _own_key(where: Settings) -> Ed25519PublicKey | None:
    key = checkpoint_key(where, create=False)
    return None if key is None else key.public_key()


def _check_record(
    where: Settings,
    store: SqlStore,
    reader: SqlReader,
    heads: Mapping[str, Head],
    wanted: Mapping[str, frozenset[int]],
    processes: int | None,
    box: DeckBox | None,
    found: Checked,
) -> None:
    """Fold every stream, then hold against it whatever no stream shows alone."""
    total = sum(head.version for head in heads.values())
    workers = processes or (os.cpu_count() or 1 if total >= WORTH_SHARING else 1)
    desk = _desk(store)
    others = {stream: head for stream, head in heads.items() if stream != STREAM}
    with counting("verifying events", total) as task:
        first: dict[str, Head] = {STREAM: heads.get(STREAM, NO_HEAD)}
        found.add(check_streams(desk, reader, first, wanted=wanted, advance=task.advance))
        if found.problems:  # nothing can be folded without the books and names of the floor
            found.add(check_chains(reader, others, wanted=wanted))
        elif workers == 1:
            found.add(check_streams(desk, reader, others, wanted=wanted, advance=task.advance))
        else:
            _share_out(where, others, wanted, workers, found, task)
    with counting("verifying the ledger"):
        spoilt = ""
        if not found.problems:
            try:
                check_whole(desk, reader, found, box=box)
                tables = frozenset(desk.registry(reader).tables)
                found.problems += [Problem(*problem) for problem in unknown_tables(reader, tables)]
                if not found.problems:
                    found.problems += _answered_otherwise(reader, found)
            except Exception as error:  # what lies beyond the end of a stream cannot be folded, say
                spoilt = f"cannot be read as a whole: {error!s}"
        found.problems += [Problem(*problem) for problem in left_over(reader)]
        if spoilt and not found.problems:
            found.problems.append(Problem("the record", 0, spoilt))


def _answered_otherwise(reader: SqlReader, found: Checked) -> list[Problem]:
    """Answers that are kept and are not what was answered, the first few of them."""
    known = Known.of(reader)
    wrong = wrong_answers(kept_answers(reader), found.ends, binds=known.binds, forgotten=known.forgotten)
    return [Problem(*problem) for problem in islice(wrong, NAMED_AT_MOST)]


def _named_as_lost(
    where: Settings, reader: SqlReader, checkpoints: list[Checkpoint], key: Ed25519PublicKey | None
) -> Named:
    """What the record names as lost, in events that are signed: anybody could write others."""
    signed = 0
    for row in checkpoints:
        if key is None or is_signed_checkpoint(key, row):
            with suppress(BadInput):
                signed = max(signed, heads_of(row[2]).get(STREAM, NO_HEAD).version)
    events = []
    for recorded in reader.read(STREAM, until=signed):
        if recorded.name == RECONCILED:
            with suppress(BadInput):  # it is a problem of its own
                events.append(decode(recorded))
    return named_as_lost(events, where.data)


def _not_as_acknowledged(
    reader: SqlReader, told: Told, checkpoints: list[Checkpoint], named: Named
) -> list[Problem]:
    """What journals have acknowledged, or lost checkpoints signed, and the record neither has nor names."""
    claims: dict[tuple[str, Head], str] = {}
    for number, _, text, _ in checkpoints:
        with suppress(BadInput):  # it is a problem of its own
            signed = f"is not what checkpoint {number} has signed, by the copy kept elsewhere"
            claims |= dict.fromkeys(heads_of(text).items(), signed)
    for command in told.commands:
        acknowledged = f"is not what command {command.key} was answered with, by a journal"
        claims |= dict.fromkeys(command.heads.items(), acknowledged)
    claims = dict.fromkeys(told.seen, "is not what was read, by a journal") | claims
    return [
        Problem(stream, head.version, what)
        for (stream, head), what in claims.items()
        if head.version and not named.has((stream, head)) and not _is_there(reader, stream, head)
    ]


def _is_there(reader: SqlReader, stream: str, head: Head) -> bool:
    """Whether the record has a head; without a hash it was only heard of, and any event is it."""
    found = reader.hash_of(stream, head.version)
    return found is not None if not head.hash else found == head.hash


def _signed_otherwise(
    checkpoints: list[Checkpoint],
    kept: list[Checkpoint],
    key: Ed25519PublicKey | None,
    found: Checked,
    named: Named,
) -> list[Problem]:
    """What does not fit the checkpoints here, and those that were kept elsewhere."""
    hashes, broken = found.hashes, found.broken
    problems = [Problem(*problem) for problem in checkpoint_problems(checkpoints, key, hashes, broken=broken)]
    lost = [row for row in kept if row[3] in named.checkpoints]
    problems += [
        Problem(f"checkpoint {row[0]}", 0, "its signature does not fit, by the copy kept elsewhere")
        for row in lost
        if key is not None and not is_signed_checkpoint(key, row)
    ]
    kept = [row for row in kept if row not in lost]
    problems += [
        Problem(stream, version, f"{what}, by the copy kept elsewhere")
        for stream, version, what in checkpoint_problems(kept, key, hashes, broken=broken, some=True)
    ]
    for row in kept:
        if row not in checkpoints:
            problems.append(Problem(f"checkpoint {row[0]}", 0, "is not as the copy kept elsewhere"))
    return problems


def _desk(store: SqlStore) -> Desk:
    """A desk to fold with; nothing is asked of it that needs the key of the decks."""
    return Desk(store=store, clock=SystemClock(), cards=SecureCards(), decks=DeckBox(bytes(32)))


def _share_out(
    where: Settings,
    streams: Mapping[str, Head],
    wanted: Mapping[str, frozenset[int]],
    workers: int,
    found: Checked,
    task: Task,
) -> None:
    """Give the processes streams in shares of about as many events, a few for each."""
    count = min(len(streams), SHARES_EACH * workers)
    shares: list[dict[str, Head]] = [{} for _ in range(count)]
    sizes = [0] * count
    for stream in sorted(streams, key=lambda name: -streams[name].version):
        least = sizes.index(min(sizes))
        shares[least][stream] = streams[stream]
        sizes[least] += streams[stream].version
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        with _ctrl_c_is_for_this_process():
            asked = [pool.submit(_check_share, where, share, dict(wanted)) for share in shares]
        try:
            for done in as_completed(asked):
                found.add(done.result())
                task.advance(done.result().events)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


@contextmanager
def _ctrl_c_is_for_this_process() -> Iterator[None]:
    """Processes begun meanwhile hear no Ctrl-C of the terminal: whoever answers for the work ends them.

    Nor does this one until they are begun: a process left half-made would tell of it in words of its own.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    pressed: list[int] = []
    answers = (
        signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    if callable(answers):  # another thread may take the signal, and Python hands it to this one all the same
        signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        if callable(answers):
            signal.signal(signal.SIGINT, answers)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if pressed and callable(answers):
        answers(pressed[0], None)


def _check_share(where: Settings, streams: dict[str, Head], wanted: dict[str, frozenset[int]]) -> Checked:
    store = open_store(where)
    try:
        with store.reading() as reader:
            return check_streams(_desk(store), reader, streams, wanted=wanted)
    finally:
        store.close()
