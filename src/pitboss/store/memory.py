"""The floor kept in memory: for tests and simulations that need nothing afterwards."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from pitboss.errors import check
from pitboss.floor.ports import (
    BEGINNING,
    FLOOR,
    NO_HEAD,
    Batch,
    Head,
    Kept,
    Micros,
    Missing,
    OldAnswer,
    Posting,
    Recorded,
    Repeated,
    RoundRow,
    Stale,
    Store,
)


class MemoryStore:
    """Dictionaries behind one lock. A unit holds the lock, so that units never overlap."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._events: dict[str, list[Recorded]] = {}
        self._postings: dict[str, list[Posting]] = {}
        self._balances: dict[str, int] = {}
        self._kept: dict[str, Kept] = {}
        self._kept_at: dict[str, Micros] = {}
        self._snapshots: dict[str, tuple[int, str]] = {}
        self._rounds: dict[tuple[str, int], RoundRow] = {}
        self._decks: dict[tuple[str, int], bytes] = {}
        self._identity = f"memory {secrets.token_hex(8)}"

    def identity(self) -> str:
        return self._identity

    def head(self, stream: str) -> Head:
        with self._lock:
            events = self._events.get(stream)
            return Head(events[-1].version, events[-1].hash) if events else NO_HEAD

    def heads(self) -> Mapping[str, Head]:
        with self._lock:
            return {stream: self.head(stream) for stream in sorted(self._events)}

    def read(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Recorded]:
        with self._lock:
            return self._events.get(stream, [])[after:until]

    def read_on(self, stream: str, head: Head) -> Sequence[Recorded]:
        with self._lock:
            if head.version and self.hash_of(stream, head.version) != head.hash:
                raise Missing(stream, head)
            return self.read(stream, after=head.version)

    def hash_of(self, stream: str, version: int) -> str | None:
        with self._lock:
            events = self._events.get(stream, [])
            return events[version - 1].hash if 1 <= version <= len(events) else None

    def snapshot(self, stream: str) -> tuple[int, str] | None:
        with self._lock:
            return self._snapshots.get(stream)

    def kept(self, key: str) -> Kept | None:
        with self._lock:
            return self._kept.get(key)

    def answers_before(self, at: Micros) -> Sequence[OldAnswer]:
        with self._lock:
            found = [(when, key) for key, when in self._kept_at.items() if when < at]
            return [OldAnswer(key, when, *self._kept[key]) for when, key in sorted(found)]

    def balances(self, accounts: Iterable[str]) -> Mapping[str, int]:
        with self._lock:
            return {account: self._balances.get(account, 0) for account in accounts}

    def balances_under(self, prefix: str) -> Mapping[str, int]:
        with self._lock:
            return {name: self._balances[name] for name in sorted(self._balances) if name.startswith(prefix)}

    def postings(self, stream: str, *, after: int = 0, until: int | None = None) -> Sequence[Posting]:
        with self._lock:
            return [
                posting
                for posting in self._postings.get(stream, [])
                if posting.version > after and (until is None or posting.version <= until)
            ]

    def deck(self, table: str, number: int) -> bytes | None:
        with self._lock:
            return self._decks.get((table, number))

    def decks(self) -> Sequence[tuple[str, int]]:
        with self._lock:
            return sorted(self._decks)

    def streams(self) -> Sequence[str]:
        with self._lock:
            return sorted(self._events)

    def round_at(self, table: str, number: int) -> RoundRow | None:
        with self._lock:
            return self._rounds.get((table, number))

    def rounds(
        self, table: str, *, since: Micros = BEGINNING, until: Micros | None = None
    ) -> Sequence[RoundRow]:
        with self._lock:
            return [
                row
                for (name, _), row in sorted(self._rounds.items())
                if name == table and row.opened_at >= since and (until is None or row.opened_at < until)
            ]

    def open_rounds(self, link: str | None = None) -> Sequence[RoundRow]:
        with self._lock:
            return [
                row
                for _, row in sorted(self._rounds.items())
                if row.ended_at is None and (link is None or row.link == link)
            ]

    @contextmanager
    def unit(self, streams: Sequence[str]) -> Iterator[MemoryStore]:
        with self._lock:
            yield self

    def write(self, batch: Batch) -> None:
        with self._lock:
            kept = self._kept.get(batch.key)
            if kept is not None:
                raise Repeated(kept)
            for stream, expected in batch.expected.items():
                if self.head(stream) != expected:
                    raise Stale(stream)
            house = batch.house
            if house.version and self.hash_of(FLOOR, house.version) != house.hash:
                raise Stale(FLOOR)
            check(sum(posting.amount for posting in batch.postings) == 0, "postings balance")
            for event in batch.events:
                self._events.setdefault(event.stream, []).append(event)
            for posting in batch.postings:
                self._postings.setdefault(posting.stream, []).append(posting)
                self._balances[posting.account] = self._balances.get(posting.account, 0) + posting.amount
            self._snapshots |= batch.snapshots
            self._rounds |= {(row.table, row.number): row for row in batch.rounds}
            for place, sealed in batch.decks.items():
                if sealed is None:
                    self._decks.pop(place, None)
                else:
                    self._decks[place] = sealed
            for key in [old.key for old in self.answers_before(batch.forget_before)]:
                del self._kept[key], self._kept_at[key]
            self._kept[batch.key] = batch.kept
            self._kept_at[batch.key] = batch.at

    def copy_to(self, store: Store, *, events_at_once: int = 5000) -> None:
        """Write everything to an empty store, as if it had been recorded there."""
        with self._lock:
            for stream, events in self._events.items():
                posted: dict[int, list[Posting]] = {}
                for posting in self._postings.get(stream, []):
                    posted.setdefault(posting.version, []).append(posting)
                for first in range(0, len(events), events_at_once):
                    part = events[first : first + events_at_once]
                    head = NO_HEAD if first == 0 else Head(events[first - 1].version, events[first - 1].hash)
                    store.write(
                        Batch(
                            key=f"copy/{stream}/{first}",
                            kept=Kept("", "{}"),
                            at=part[-1].at,
                            expected={stream: head},
                            events=part,
                            postings=[p for event in part for p in posted.get(event.version, [])],
                        )
                    )
            rest = Batch(key="copy/rest", kept=Kept("", "{}"), at=BEGINNING)
            rest.snapshots = dict(self._snapshots)
            rest.rounds = list(self._rounds.values())
            rest.decks = dict(self._decks)
            store.write(rest)

    def close(self) -> None:
        """There is nothing to let go of."""
