"""Does the record hold? Hash chains, replay, ledger, heads, snapshots and sealed decks, stream by stream.

Everything is folded again from the first event and compared with what is kept beside the log. Streams are
independent of each other, so that several processes can share the work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.errors import is_number
from pitboss.floor import gaming_table, registry, table_events
from pitboss.floor.codec import decode
from pitboss.floor.desk import Desk, link_stream, round_row, table_stream
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.link import Link
from pitboss.floor.links import ledger_differs
from pitboss.floor.ports import NO_HEAD, Head, Posting, Reader, RoundRow, chain_hash
from pitboss.floor.postings import link_lines, table_lines
from pitboss.floor.sealing import opens
from pitboss.play import events as e
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
    rounds: dict[tuple[str, int], RoundRow] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, other: Checked) -> None:
        """Join what another process has found."""
        self.events += other.events
        self.postings += other.postings
        for account, amount in other.sums.items():
            self.sums[account] = self.sums.get(account, 0) + amount
        self.heads |= other.heads
        self.hashes |= other.hashes
        self.rounds |= other.rounds
        self.problems += other.problems


def check_streams(
    desk: Desk,
    reader: Reader,
    streams: Mapping[str, Head],
    *,
    wanted: Mapping[str, frozenset[int]],
    advance: Callable[[int], None] = lambda events: None,
) -> Checked:
    """Check some streams up to their heads. `wanted` names versions that the checkpoints speak of.

    `advance` hears of events as they are checked.
    """
    found = Checked()
    for stream, head in streams.items():
        _check_stream(desk, reader, stream, head, found, wanted.get(stream, frozenset()), advance)
    return found


def _check_stream(
    desk: Desk,
    reader: Reader,
    stream: str,
    last: Head,
    found: Checked,
    wanted: frozenset[int],
    advance: Callable[[int], None],
) -> None:
    """One stream from its first event on to its last; it ends with its first problem."""
    kind, _, name = stream.partition("/")
    if kind not in ("table", "link", "dispute", "player", registry.STREAM):
        found.problems.append(Problem(stream, 1, "there is no such stream on a floor"))
        return
    if kind == "dispute" and not is_number(name):
        found.problems.append(Problem(stream, 1, "a dispute has a number"))
        return
    state = _begin(kind, name)
    head = NO_HEAD
    drawn: list[str] = []
    snapshot = reader.snapshot(stream)
    while head.version < last.version:
        until = min(head.version + CHUNK, last.version)
        chunk = reader.read(stream, after=head.version, until=until)
        if not chunk:
            break
        advance(len(chunk))
        posted = _by_version(reader.postings(stream, after=head.version, until=until))
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
            except Exception as error:
                found.problems.append(Problem(stream, recorded.version, f"cannot be replayed: {error!s}"))
                return
            problem = _sealed_otherwise(before, event, drawn) if kind == "table" else ""
            if problem:
                found.problems.append(Problem(stream, recorded.version, problem))
                return
            here = posted.pop(recorded.version, [])
            if lines != here:
                text = f"the ledger has {here or 'nothing'}, the event says {lines or 'nothing'}"
                found.problems.append(Problem(stream, recorded.version, text))
                return
            for account, units in lines:
                found.sums[account] = found.sums.get(account, 0) + units
            if kind == "table":
                row = round_row(state, event, at=recorded.at, version=recorded.version)
                if row is not None:
                    found.rounds[(row.table, row.number)] = row
            found.events += 1
            found.postings += len(lines)
            if recorded.version in wanted:
                found.hashes[(stream, recorded.version)] = recorded.hash
            head = Head(recorded.version, recorded.hash)
            if (
                snapshot is not None
                and snapshot[0] == recorded.version
                and not _is_replay(kind, state, snapshot[1])
            ):
                found.problems.append(Problem(stream, recorded.version, "the snapshot is not the replay"))
                return
        if posted:
            found.problems.append(
                Problem(stream, min(posted), "the ledger has money of an event that is not there")
            )
            return
    found.heads[stream] = head


def _sealed_otherwise(before: GamingTable, event: Any, drawn: list[str]) -> str:
    """Whether cards are not those that were sealed: what leaves the deck opens, and only that is dealt.

    `drawn` are the cards that have left the deck and are not dealt yet.
    """
    if isinstance(event, table_events.CardsDrawn):
        sealed = before.sealed
        wrong = [opening.card for opening in event.openings if sealed is None or not opens(sealed, opening)]
        drawn[:] = [opening.card for opening in event.openings]
        return f"{', '.join(wrong)} is not what was sealed" if wrong else ""
    virtual = before.opened is not None and before.opened.cards == gaming_table.VIRTUAL
    if virtual and isinstance(event, e.CardsDealt | e.CardsBurned):
        cards = [card.code for card in event.cards or ()]
        left = drawn[: event.count]
        if left != cards:
            return f"{', '.join(cards) or 'nothing'} was dealt, {', '.join(left)} left the deck"
        del drawn[: event.count]
    return ""


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


def _is_replay(kind: str, state: Any, text: str) -> bool:
    try:
        return _same(kind, state, text)
    except (ValueError, TypeError, RecursionError):
        return False


def _same(kind: str, state: Any, text: str) -> bool:
    if kind == "link":
        kept = encoder_for(Link)(state)
    else:
        opened = encoder_for(table_events.TableOpened)(state.opened)
        kept = {"opened": opened, **gaming_table.keep(state)}
    return bool(json.loads(json.dumps(kept)) == json.loads(text))


def check_whole(desk: Desk, reader: Reader, found: Checked) -> None:
    """What no stream shows alone: ends, balances, the index of rounds, and decks that should be erased."""
    heads = reader.heads()
    for stream in reader.streams():
        if stream not in heads:
            found.problems.append(Problem(stream, 1, "the stream has events and no end on record"))
    names = [stream.partition("/")[2] for stream in heads if stream.startswith("dispute/")]
    disputes = sorted(int(name) for name in names if is_number(name))
    if disputes != list(range(1, len(disputes) + 1)):
        found.problems.append(Problem("dispute", 0, f"of the disputes only {disputes} are there"))
    for stream, head in heads.items():
        seen = found.heads.get(stream, NO_HEAD)
        if seen != head:
            text = f"the record ends at {seen.version}, it should end at {head.version}"
            first = seen.version + 1 if seen.version < head.version else 0
            found.problems.append(Problem(stream, first, text))
        snapshot = reader.snapshot(stream)
        beyond = [posting.version for posting in reader.postings(stream, after=head.version)]
        beyond += [event.version for event in reader.read(stream, after=head.version)]
        beyond += [snapshot[0]] if snapshot is not None and snapshot[0] > head.version else []
        if beyond:
            text = "there is money, an event or a snapshot beyond the end of the stream"
            found.problems.append(Problem(stream, min(beyond), text))
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
        house = desk.registry(reader)
        for name in house.tables:
            _check_rounds(desk, reader, name, decks, found)
        for name in house.links:
            problem = ledger_differs(reader, desk.read_up(reader, link_stream(name)).state)
            if problem:
                found.problems.append(Problem(link_stream(name), 0, problem))


def _totals(balances: Mapping[str, int]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for account, amount in balances.items():
        currency = account.split("/", 1)[0]
        totals[currency] = totals.get(currency, 0) + amount
    return totals


def _check_rounds(desk: Desk, reader: Reader, name: str, decks: set[tuple[str, int]], found: Checked) -> None:
    """The index has every round as it was, and only the round in play of a virtual table has a deck."""
    stream = table_stream(name)
    table: GamingTable = desk.read_up(reader, stream).state
    indexed = {row.number: row for row in reader.rounds(name)}
    played = {number: row for (where, number), row in found.rounds.items() if where == name}
    for number in sorted(set(indexed) | set(played)):
        row = played.get(number)
        if indexed.get(number) != row:
            text = f"round {number} is not indexed as it is"
            found.problems.append(Problem(stream, row.first_version if row is not None else 0, text))
    in_play = {(name, table.state.round_number)} if table.in_round else set()
    virtual = table.opened is not None and table.opened.cards == gaming_table.VIRTUAL
    mine = {deck for deck in decks if deck[0] == name}
    if mine != (in_play if virtual else set()):
        numbers = sorted(number for _, number in mine ^ (in_play if virtual else set()))
        text = f"sealed decks are kept or missing: round {', '.join(str(n) for n in numbers)}"
        found.problems.append(Problem(stream, 0, text))
