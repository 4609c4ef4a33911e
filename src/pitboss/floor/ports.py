"""What the floor needs from outside: a store that keeps everything or nothing, a clock, shuffled cards.

Times are microseconds since 1970, UTC. A stream's events are numbered from 1 without a gap.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple, NewType, Protocol

from pitboss.cards import Card
from pitboss.floor.composition import BeaconValue

Micros = NewType("Micros", int)
SECOND = 1_000_000
BEGINNING = Micros(0)
GENESIS = "0" * 64
"""What stands in place of the hash before a stream's first event."""

FLOOR = "floor"
"""The floor's own stream, which every command rests on."""


class Recorded(NamedTuple):
    """An event as it is kept. `data` is the text that was hashed, to the byte."""

    stream: str
    version: int
    at: Micros
    actor: str
    name: str
    data: str
    hash: str


def chain_hash(
    before: str, *, stream: str, version: int, at: Micros, actor: str, name: str, data: str
) -> str:
    """The hash that binds an event to the one before it in its stream."""
    text = f"{before}\n{stream}\n{version}\n{at}\n{actor}\n{name}\n{data}"
    return hashlib.sha256(text.encode()).hexdigest()


class Head(NamedTuple):
    """The last event of a stream: its number and its hash."""

    version: int
    hash: str


NO_HEAD = Head(0, GENESIS)


class Posting(NamedTuple):
    """Money to an account (from it, if negative), in ledger units, because of one event."""

    stream: str
    version: int
    account: str
    amount: int


class RoundRow(NamedTuple):
    """Where a round stands in its table's stream; `dealt_at` is when the last hand of it was complete."""

    table: str
    number: int
    first_version: int
    last_version: int
    opened_at: Micros
    dealt_at: Micros | None
    ended_at: Micros | None
    status: str
    rulebook: str
    link: str
    jackpot: bool


class OldAnswer(NamedTuple):
    """A kept answer as it is forgotten: its key, when it was given, what was asked, and what was answered."""

    key: str
    at: Micros
    fingerprint: str
    answer: str


class Kept(NamedTuple):
    """The first answer to a command, and the fingerprint of what was asked."""

    fingerprint: str
    answer: str


@dataclass(slots=True, kw_only=True)
class Batch:
    """All that one command changes. It is written whole or not at all.

    `expected` has the head each stream had when the command was decided; `decks` holds sealed decks to
    keep, and None for one to erase. `house` is a head of the floor's own stream that the command was decided
    on: it must be in the record, however far that stream has moved on. Answers of before `forget_before`
    are erased.
    """

    key: str
    kept: Kept
    at: Micros
    expected: dict[str, Head] = field(default_factory=dict)
    events: list[Recorded] = field(default_factory=list)
    postings: list[Posting] = field(default_factory=list)
    snapshots: dict[str, tuple[int, str]] = field(default_factory=dict)
    rounds: list[RoundRow] = field(default_factory=list)
    decks: dict[tuple[str, int], bytes | None] = field(default_factory=dict)
    house: Head = NO_HEAD
    forget_before: Micros = BEGINNING


class Stale(Exception):  # noqa: N818 - another process was quicker; nothing is wrong
    """A stream is not where the command was decided: read it up and decide again.

    Where it has not moved on but lacks what was read before, reading it up raises `Missing`.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.stream = stream


class Missing(Exception):  # noqa: N818 - whoever asked decides what it means
    """A head is not in the record: its stream is shorter, or another event stands in its place."""

    def __init__(self, stream: str, head: Head) -> None:
        super().__init__(f"{stream} event {head.version}")
        self.stream, self.head = stream, head


class Repeated(Exception):  # noqa: N818 - a retry is no error
    """The key was used before; here is what was answered then."""

    def __init__(self, kept: Kept) -> None:
        super().__init__(kept.answer)
        self.kept = kept


class Reader(Protocol):
    """What may be asked of the store. Inside a unit the answers belong together."""

    def head(self, stream: str) -> Head:
        """The last event of a stream; `NO_HEAD` of one that has none."""

    def heads(self) -> Mapping[str, Head]:
        """The last event of every stream."""

    def read(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Recorded]:
        """The events of a stream after a version, in order."""

    def read_on(self, stream: str, head: Head) -> Sequence[Recorded]:
        """Every event after a head. Raises `Missing` where the record does not have that head."""

    def hash_of(self, stream: str, version: int) -> str | None:
        """The hash of an event, or None where there is no such event."""

    def snapshot(self, stream: str) -> tuple[int, str] | None:
        """The last snapshot of a stream with its version, or None."""

    def kept(self, key: str) -> Kept | None:
        """What was answered to a key, or None."""

    def answers_before(self, at: Micros) -> Sequence[OldAnswer]:
        """Every kept answer of before a time, the oldest first."""

    def balances(self, accounts: Iterable[str]) -> Mapping[str, int]:
        """What these accounts hold, in ledger units; one that was never posted to holds nothing."""

    def balances_under(self, prefix: str) -> Mapping[str, int]:
        """What every account under a prefix holds."""

    def postings(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Posting]:
        """The postings of a stream's events after a version, in order."""

    def deck(self, table: str, number: int) -> bytes | None:
        """The sealed deck of a round, or None."""

    def decks(self) -> Sequence[tuple[str, int]]:
        """Every round whose deck is kept: table and number."""

    def streams(self) -> Sequence[str]:
        """The names of all streams."""

    def round_at(self, table: str, number: int) -> RoundRow | None:
        """A round of a table, or None."""

    def rounds(
        self, table: str, *, since: Micros = BEGINNING, until: Micros | None = None
    ) -> Sequence[RoundRow]:
        """The rounds of a table that began in a span of time."""

    def open_rounds(self, link: str | None = None) -> Sequence[RoundRow]:
        """Rounds that have not ended, of all tables or of a link's."""


class Unit(Reader, Protocol):
    """A transaction that holds the streams it was asked for: whoever else wants them waits."""

    def write(self, batch: Batch) -> None:
        """Write a batch whole or not at all. Raises `Stale` or `Repeated`."""


class Store(Reader, Protocol):
    """Keeps the floor. `write` is a unit of its own."""

    def identity(self) -> str:
        """Which database this is: another one after a failover, and where it was put back or replaced."""

    def write(self, batch: Batch) -> None:
        """Write a batch whole or not at all. Raises `Stale` or `Repeated`."""

    def unit(self, streams: Sequence[str]) -> AbstractContextManager[Unit]:
        """A transaction that holds these streams until it ends."""

    def close(self) -> None:
        """Let go of the store."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> Micros:
        """Microseconds since 1970, in UTC."""


class CardSource(Protocol):
    """Fair packs. Only from the operating system's secure source, unless a simulation says otherwise."""

    def shuffled(self, pack: Sequence[Card]) -> tuple[Card, ...]:
        """The pack in an order in which every one is equally likely."""

    def salt(self) -> bytes:
        """Secret bytes for one commitment."""

    def key(self) -> str:
        """A name that nobody can guess."""


class BeaconTerms(NamedTuple):
    """A public beacon: its name and key, when its first round was published, and how often one is (seconds).

    `missing` is what a table does where a round's value is not there: `wait` for it, or deal `without` it
    once `wait_seconds` are over.
    """

    name: str
    key: str
    genesis: int
    period: int
    wait_seconds: int
    missing: str


class Beacon(Protocol):
    """A public source of values, one a round, each signed and unknown before it is published."""

    @property
    def terms(self) -> BeaconTerms:
        """What is announced of it before bets."""

    def published(self, round_number: int) -> BeaconValue | None:
        """The value of a round, or None where it is not here. Never waits."""
