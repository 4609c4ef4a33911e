"""Does the record hold? Hash chains, replay, ledger, heads, snapshots and sealed decks, stream by stream.

Everything is folded again from the first event and compared with what is kept beside the log. Streams are
independent of each other, so that several processes can share the work.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.errors import BadInput, InvariantError
from pitboss.floor import gaming_table, registry
from pitboss.floor.codec import decode
from pitboss.floor.desk import Desk
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.link import Link
from pitboss.floor.ports import NO_HEAD, Head, Posting, Reader, chain_hash
from pitboss.floor.postings import link_lines, table_lines
from pitboss.floor.service import Floor
from pitboss.play.encoding import encoder_for

CHUNK = 5000


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was recorded. `version` is the first bad event of its stream, or 0."""

    stream: str
    version: int
    what: str

    def __str__(self) -> str:
        at = f" event {self.version}" if self.version else ""
        return f"{self.stream}{at}: {self.what}"


@dataclass(slots=True)
class Checked:
    """What was found in some streams."""

    events: int = 0
    postings: int = 0
    sums: dict[str, int] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)
    hashes: dict[tuple[str, int], str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, other: Checked) -> None:
        """Join what another process has found."""
        self.events += other.events
        self.postings += other.postings
        for account, amount in other.sums.items():
            self.sums[account] = self.sums.get(account, 0) + amount
        self.heads |= other.heads
        self.hashes |= other.hashes
        self.problems += other.problems


def check_streams(
    floor: Floor, reader: Reader, streams: Iterable[str], *, wanted: Mapping[str, frozenset[int]]
) -> Checked:
    """Check some streams. `wanted` names versions whose hashes the checkpoints speak of."""
    found = Checked()
    for stream in streams:
        _check_stream(floor.desk, reader, stream, found, wanted.get(stream, frozenset()))
    return found


def _check_stream(desk: Desk, reader: Reader, stream: str, found: Checked, wanted: frozenset[int]) -> None:
    """One stream from its first event on; it ends with its first problem."""
    kind, _, name = stream.partition("/")
    state = _begin(kind, name)
    head = NO_HEAD
    snapshot = reader.snapshot(stream)
    while True:
        chunk = reader.read(stream, after=head.version, until=head.version + CHUNK)
        if not chunk:
            break
        posted = _by_version(reader.postings(stream, after=head.version, until=head.version + CHUNK))
        for recorded in chunk:
            problem = _not_next(recorded, head)
            if problem:
                found.problems.append(Problem(stream, recorded.version, problem))
                return
            try:
                event = decode(recorded)
                before = state
                state = desk.evolve(stream, state, event, recorded.at, recorded.actor, recorded.version)
                lines = _lines(kind, before, event, state)
            except (BadInput, InvariantError, KeyError, AssertionError, TypeError) as error:
                found.problems.append(Problem(stream, recorded.version, f"cannot be replayed: {error!s}"))
                return
            here = posted.pop(recorded.version, [])
            if lines != here:
                text = f"the ledger has {here or 'nothing'}, the event says {lines or 'nothing'}"
                found.problems.append(Problem(stream, recorded.version, text))
                return
            for account, units in lines:
                found.sums[account] = found.sums.get(account, 0) + units
            found.events += 1
            found.postings += len(lines)
            if recorded.version in wanted:
                found.hashes[(stream, recorded.version)] = recorded.hash
            head = Head(recorded.version, recorded.hash)
            if (
                snapshot is not None
                and snapshot[0] == recorded.version
                and not _same(kind, state, snapshot[1])
            ):
                found.problems.append(Problem(stream, recorded.version, "the snapshot is not the replay"))
                return
        if posted:
            found.problems.append(
                Problem(stream, min(posted), "the ledger has money of an event that is not there")
            )
            return
    if snapshot is not None and snapshot[0] > head.version:
        found.problems.append(Problem(stream, snapshot[0], "the snapshot is of an event that is not there"))
    stray = reader.postings(stream, after=head.version)
    if stray:
        found.problems.append(
            Problem(stream, stray[0].version, "the ledger has money of an event that is not there")
        )
    found.heads[stream] = head


def _begin(kind: str, name: str) -> Any:
    if kind == "table":
        return GamingTable(table=name)
    if kind == "link":
        return Link(link=name)
    if kind == "dispute":
        from pitboss.floor.disputes import Dispute

        return Dispute(number=int(name))
    return () if kind == "player" else registry.Registry()


def _not_next(recorded: Any, head: Head) -> str:
    stream, version, at, actor, name, data, hashed = recorded
    if version != head.version + 1:
        return f"event {head.version + 1} is missing"
    made = chain_hash(head.hash, stream=stream, version=version, at=at, actor=actor, name=name, data=data)
    return "" if made == hashed else "its hash does not fit: it, or the one before, was changed"


def _by_version(postings: Iterable[Posting]) -> dict[int, list[tuple[str, int]]]:
    lines: dict[int, list[tuple[str, int]]] = {}
    for posting in postings:
        lines.setdefault(posting.version, []).append((posting.account, posting.amount))
    return lines


def _lines(kind: str, before: Any, event: Any, after: Any) -> list[tuple[str, int]]:
    if kind == "table":
        return table_lines(before, event, after)
    return link_lines(before, event, after) if kind == "link" else []


def _same(kind: str, state: Any, text: str) -> bool:
    if kind == "link":
        kept = encoder_for(Link)(state)
    else:
        opened = encoder_for(gaming_table.TableOpened)(state.opened)
        kept = {"opened": opened, **gaming_table.keep(state)}
    return bool(json.loads(json.dumps(kept)) == json.loads(text))


def check_whole(floor: Floor, reader: Reader, found: Checked) -> None:
    """What no stream shows alone: heads, balances, and decks that should have been erased."""
    for stream, head in reader.heads().items():
        seen = found.heads.get(stream)
        if seen is not None and seen != head:
            text = f"the record ends at {seen.version}, it should end at {head.version}"
            found.problems.append(
                Problem(stream, seen.version + 1 if seen.version < head.version else 0, text)
            )
    balances = {account: amount for account, amount in reader.balances_under("").items() if amount}
    if not found.problems:
        sums = {account: amount for account, amount in found.sums.items() if amount}
        for account in sorted(set(sums) | set(balances)):
            if sums.get(account, 0) != balances.get(account, 0):
                text = (
                    f"the balance is {balances.get(account, 0)}, the postings come to {sums.get(account, 0)}"
                )
                found.problems.append(Problem(f"account {account}", 0, text))
        for currency, total in _totals(balances).items():
            if total:
                found.problems.append(Problem(f"currency {currency}", 0, f"accounts add up to {total}"))
        decks = set(reader.decks())
        for name in floor.registry.tables:
            _check_rounds(floor, reader, name, decks, found)


def _totals(balances: Mapping[str, int]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for account, amount in balances.items():
        currency = account.split("/", 1)[0]
        totals[currency] = totals.get(currency, 0) + amount
    return totals


def _check_rounds(
    floor: Floor, reader: Reader, name: str, decks: set[tuple[str, int]], found: Checked
) -> None:
    """A table's open round is the one it is in, and only that one has a deck."""
    table = floor.table(name)
    stream = f"table/{name}"
    for row in reader.rounds(name):
        playing = table.in_round and table.state.round_number == row.number
        if (row.ended_at is None) != playing:
            text = f"round {row.number} is not indexed as it is"
            found.problems.append(Problem(stream, row.first_version, text))
        if not playing and (name, row.number) in decks:
            text = f"the deck of round {row.number} was kept"
            found.problems.append(Problem(stream, row.first_version, text))
