"""Does the record hold? Hash chains, replay, ledger, heads, snapshots and sealed decks, stream by stream.

Everything is folded again from the first event and compared with what is kept beside the log. Streams are
independent of each other, so that several processes can share the work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.cards import DECK, parse_card
from pitboss.errors import BadInput, StoreError, is_number
from pitboss.floor import disputes as d
from pitboss.floor import gaming_table, registry
from pitboss.floor import table_events as te
from pitboss.floor.codec import decode_whole
from pitboss.floor.desk import Desk, link_stream, round_row, table_stream
from pitboss.floor.due_slips import DueSlips
from pitboss.floor.entropy_statements import DeviceSeen, wrong_devices
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.kept_answers import End, Ends
from pitboss.floor.link import Link
from pitboss.floor.link_events import ClaimPaid, ClaimVerified
from pitboss.floor.links import ledger_differs
from pitboss.floor.ports import (
    BEGINNING,
    NO_HEAD,
    Head,
    Micros,
    Posting,
    Reader,
    Recorded,
    RoundRow,
    chain_hash,
)
from pitboss.floor.postings import link_lines, table_lines
from pitboss.floor.said import Known, Said, Tie, untied
from pitboss.floor.sealing import DeckBox, SealsOfTable, opens
from pitboss.floor.second_signatures import last_outage
from pitboss.floor.statements import statements_of
from pitboss.floor.void_statements import BROKEN, AtMoment, VoidsOfTable
from pitboss.play import events as e
from pitboss.play.dealing import dealt_from
from pitboss.play.encoding import encoder_for
from pitboss.play.table import Stage

CHUNK = 5000
AT_ONCE = 5_000_000
"""Microseconds for which another process may not have seen a dispute that was just opened."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was recorded. `version` is the first bad event of its stream, or 0.

    `in_chain` tells that the chain of the stream itself does not hold there: whatever else is found may
    come of that.
    """

    stream: str
    version: int
    what: str
    in_chain: bool = False

    def __str__(self) -> str:
        at = f" event {self.version}" if self.version else ""
        return f"{self.stream}{at}: {self.what}"


@dataclass(slots=True)
class Checked:
    """What was found in some streams.

    `confirmed` are slips of claims: table, round, version and who is said to have confirmed the award;
    `verified` is who has verified the claims that were paid, by table and round. `broken` is from where the
    chain of a stream does not hold. `unsigned` are events that no checkpoint speaks of, the first of them
    written at `unsigned_since` and the last at `unsigned_until`. `ends` are the ends of requests, by stream.
    `reopened` are rounds that were settled once: their deck was erased then, and stays so. `opened` are the
    decks of void rounds that were opened, `outages` what was undone because a jackpot failed.
    """

    events: int = 0
    postings: int = 0
    sums: dict[str, int] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)
    hashes: dict[tuple[str, int], str] = field(default_factory=dict)
    rounds: dict[tuple[str, int], RoundRow] = field(default_factory=dict)
    reopened: set[tuple[str, int]] = field(default_factory=set)
    confirmed: list[tuple[str, int, int, str]] = field(default_factory=list)
    verified: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    broken: dict[str, int] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    terms: list[tuple[str, int, str, tuple[int, ...]]] = field(default_factory=list)
    awards: dict[tuple[str, int], int] = field(default_factory=dict)
    corrections: list[tuple[str, int, str, int, int]] = field(default_factory=list)
    devices: list[DeviceSeen] = field(default_factory=list)
    opened: list[AtMoment] = field(default_factory=list)
    outages: list[AtMoment] = field(default_factory=list)
    unsigned: int = 0
    unsigned_since: Micros | None = None
    unsigned_until: Micros | None = None
    ends: dict[str, list[End]] = field(default_factory=dict)

    def leave_unsigned(self, count: int, since: Micros | None, until: Micros | None) -> None:
        """So many events more that no checkpoint speaks of, the first and the last of them written then."""
        self.unsigned += count
        if since is not None and until is not None:
            first, last = self.unsigned_since, self.unsigned_until
            self.unsigned_since = since if first is None else min(first, since)
            self.unsigned_until = until if last is None else max(last, until)

    def hear(self, said: Checked | Said) -> None:
        """What streams say of each other."""
        self.ties += said.ties
        self.terms += said.terms
        self.awards |= said.awards
        self.corrections += said.corrections
        self.devices += said.devices

    def add(self, other: Checked) -> None:
        """Join what another process has found."""
        self.events += other.events
        self.postings += other.postings
        for account, amount in other.sums.items():
            self.sums[account] = self.sums.get(account, 0) + amount
        self.heads |= other.heads
        self.hashes |= other.hashes
        self.rounds |= other.rounds
        self.reopened |= other.reopened
        self.confirmed += other.confirmed
        for place, names in other.verified.items():
            self.verified.setdefault(place, set()).update(names)
        self.problems += other.problems
        self.broken |= other.broken
        self.ends |= other.ends
        self.opened += other.opened
        self.outages += other.outages
        self.hear(other)
        self.leave_unsigned(other.unsigned, other.unsigned_since, other.unsigned_until)


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
    known = Known.of(reader) if set(streams) != {registry.STREAM} else Known()
    for stream, head in streams.items():
        before = len(found.problems)
        signed = wanted.get(stream, frozenset())
        try:
            _check_stream(desk, reader, stream, head, found, signed, known, advance)
        except Exception as error:  # bytes that are no text, say: whoever wrote them was not the floor
            found.problems.append(Problem(stream, 0, f"cannot be read: {error!s}"))
        if len(found.problems) > before:
            _follow_chain(reader, stream, head, found, signed)
    return found


def check_chains(
    reader: Reader, streams: Mapping[str, Head], *, wanted: Mapping[str, frozenset[int]]
) -> Checked:
    """Check the chains of streams that cannot be folded, because what they rest on does not hold."""
    found = Checked()
    for stream, head in streams.items():
        _follow_chain(reader, stream, head, found, wanted.get(stream, frozenset()))
    return found


def _follow_chain(reader: Reader, stream: str, last: Head, found: Checked, wanted: frozenset[int]) -> None:
    """The hashes that checkpoints speak of, as far as the chain of a stream holds, and where it breaks."""
    head, at = NO_HEAD, BEGINNING
    try:
        while head.version < last.version:
            chunk = reader.read(stream, after=head.version, until=min(head.version + CHUNK, last.version))
            if not chunk:
                return
            for recorded in chunk:
                problem = Problem(stream, recorded.version, _not_next(recorded, head, at), in_chain=True)
                if problem.what:
                    found.broken[stream] = head.version + 1
                    if problem not in found.problems:
                        found.problems.append(problem)
                    return
                if recorded.version in wanted:
                    found.hashes[(stream, recorded.version)] = recorded.hash
                head, at = Head(recorded.version, recorded.hash), recorded.at
    except Exception as error:
        found.broken[stream] = head.version + 1
        if not any(problem.stream == stream for problem in found.problems):
            found.problems.append(Problem(stream, 0, f"cannot be read: {error!s}", in_chain=True))


def _check_stream(
    desk: Desk,
    reader: Reader,
    stream: str,
    last: Head,
    found: Checked,
    wanted: frozenset[int],
    known: Known,
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
    due: list[e.Event] = []
    slips = DueSlips()
    seals = SealsOfTable()
    voids = VoidsOfTable(known)
    ends = Ends()
    said = statements_of(stream, desk, reader, known)
    at = BEGINNING
    snapshot = reader.snapshot(stream)
    signed, unsigned_since = max(wanted, default=0), None
    while head.version < last.version:
        until = min(head.version + CHUNK, last.version)
        chunk = reader.read(stream, after=head.version, until=until)
        if not chunk:
            break
        advance(len(chunk))
        posted = _by_version(reader.postings(stream, after=head.version, until=until))
        for recorded in chunk:
            problem = _not_next(recorded, head, at)
            if problem:
                found.problems.append(Problem(stream, recorded.version, problem, in_chain=True))
                return
            try:
                event, beside = decode_whole(recorded)
                before = state
                state = desk.evolve(stream, state, event, recorded.at, recorded.actor, recorded.version)
                lines = _lines(kind, before, event, state)
                problem = sealed_otherwise(before, event, due, seals) if kind == "table" else ""
                problem = problem or said.wrong(before, event, state, recorded, beside)
                problem = problem or (voids.wrong(before, event, recorded) if kind == "table" else "")
            except Exception as error:
                found.problems.append(Problem(stream, recorded.version, f"cannot be replayed: {error!s}"))
                return
            if problem:
                found.problems.append(Problem(stream, recorded.version, problem))
                return
            unpapered = _not_by_the_papers(kind, before, event, recorded, slips, found)
            if unpapered is not None:
                found.problems.append(unpapered)
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
                if isinstance(event, e.SettlementReversed):
                    found.reopened.add((name, state.state.round_number))
            ends.add(recorded.version, recorded.at, beside.kept)
            found.events += 1
            found.postings += len(lines)
            if recorded.version in wanted:
                found.hashes[(stream, recorded.version)] = recorded.hash
            if recorded.version == signed + 1:
                unsigned_since = recorded.at
            head, at = Head(recorded.version, recorded.hash), recorded.at
            if snapshot is not None and snapshot[0] == recorded.version:
                if not _is_replay(kind, state, snapshot[1]):
                    found.problems.append(Problem(stream, recorded.version, "the snapshot is not the replay"))
                    return
                snapshot = None
        if posted:
            found.problems.append(
                Problem(stream, min(posted), "the ledger has money of an event that is not there")
            )
            return
    unfinished = undealt(due) or said.left() or voids.left()
    if unfinished:
        found.problems.append(Problem(stream, head.version, unfinished))
        return
    if snapshot is not None and not reader.read(stream, after=snapshot[0] - 1, until=snapshot[0]):
        # one of an event that was written since the heads were read is a floor at work
        found.problems.append(Problem(stream, snapshot[0], "the snapshot is of no event of the stream"))
    missing = slips.missing()
    if missing is not None:
        found.problems.append(Problem(stream, *missing))
    found.confirmed += [(name, *slip) for slip in slips.confirmed]
    found.hear(said)
    found.opened += voids.opened
    found.outages += voids.outages
    found.leave_unsigned(max(0, head.version - signed), unsigned_since, at)
    found.heads[stream] = head
    found.ends[stream] = ends.over()


def _not_by_the_papers(
    kind: str, before: Any, event: Any, recorded: Recorded, slips: DueSlips, found: Checked
) -> Problem | None:
    """Whether a slip is missing or is not what its settlement says, and who has verified a claim."""
    stream, version, at, actor, *_ = recorded
    if kind == "table":
        missing = slips.missing(at)
        if missing is not None:
            return Problem(stream, *missing)
        problem = slips.wrong(before, event, at=at, actor=actor, version=version)
        return Problem(stream, version, problem) if problem else None
    if kind == "link" and isinstance(event, ClaimVerified) and event.by != actor.rpartition("/")[2]:
        return Problem(stream, version, f"verified by {event.by}, written by {actor}")
    if kind == "link" and isinstance(event, ClaimPaid):
        claim = before.claims[event.claim]
        found.verified.setdefault((claim.table, claim.round_number), set()).add(claim.verified_by)
    return None


def sealed_otherwise(before: GamingTable, event: Any, due: list[e.Event], seals: SealsOfTable) -> str:
    """Whether cards of a virtual table are not those that were sealed, or not dealt as they should be.

    Cards leave the deck in the order of their places, each as it was sealed, and go where the table's
    procedure puts them. `due` is what the procedure makes of the cards that have left the deck.
    """
    virtual = before.opened is not None and before.opened.cards == gaming_table.VIRTUAL
    if not virtual:
        return "cards left a deck that was never sealed" if isinstance(event, te.CardsDrawn) else ""
    if isinstance(event, _MOVES_CARDS):
        expected = due.pop(0) if due else None
        return "" if event == expected else f"{_in_words(event)}; {_in_words(expected)} comes next"
    if not isinstance(event, e.PlaceRevealed) and undealt(due):
        return undealt(due)
    if isinstance(event, te.CardsDrawn):
        problem = _not_in_order(before, event)
        if not problem:
            cards = tuple(parse_card(opening.card) for opening in event.openings)
            due[:] = dealt_from(before.state, cards)
        return problem
    if isinstance(event, te.CommitmentsSealed | te.DeckSealed):
        assert before.opened is not None
        practice = before.opened.practice
        return seals.wrong(event, table=before.table, state=before.state, practice=practice)
    if isinstance(event, e.CardsOrdered):
        return "the order of a sealed deck was changed"
    if isinstance(event, e.WagerPlaced):
        late = before.state.stage is not Stage.BETTING and event.position not in before.state.boxes
        return f"position {event.position} came into play when bets were closed" if late else ""
    return ""


_MOVES_CARDS = (e.CardsDealt, e.CardsBurned, e.CardDiscarded, e.CardTurnedUp)


def _not_in_order(before: GamingTable, drawn: te.CardsDrawn) -> str:
    """Whether what leaves the deck is not the next of its places, or not what was sealed there."""
    seen = {opening.card for opening in before.drawn}
    if len(before.drawn) + len(drawn.openings) > len(before.order):
        return "more cards were drawn than the sealed deck has"
    for opening, place in zip(drawn.openings, before.order[len(before.drawn) :], strict=False):
        if before.sealed is None or not opens(before.sealed, opening):
            return f"{opening.card} is not what was sealed"
        if opening.index != place:
            return f"card {opening.index + 1} of the sealed deck was drawn, {place + 1} comes next"
        if opening.card in seen:
            return f"{opening.card} was twice in the sealed deck"
        seen.add(opening.card)
    return ""


def undealt(due: Iterable[e.Event]) -> str:
    """Cards that have left the deck and lie nowhere."""
    left = [event for event in due if isinstance(event, e.CardsDealt | e.CardsBurned)]
    return f"cards left the deck and were not dealt: {_in_words(left[0])}" if left else ""


def _in_words(event: Any) -> str:
    if isinstance(event, e.CardsDealt | e.CardsBurned):
        cards = ", ".join(card.code for card in event.cards or ())
        place = event.place if isinstance(event, e.CardsDealt) else "the burned cards"
        return f"{cards or 'no card'} to {place}"
    if isinstance(event, e.CardDiscarded | e.CardTurnedUp):
        verb = "put away" if isinstance(event, e.CardDiscarded) else "turned up"
        return f"card {event.number} of {event.place} {verb}"
    return "nothing"


def _begin(kind: str, name: str) -> Any:
    if kind == "table":
        return GamingTable(table=name)
    if kind == "link":
        return Link(link=name)
    if kind == "dispute":
        from pitboss.floor.disputes import Dispute

        return Dispute(number=int(name))
    return () if kind == "player" else registry.Registry()


def _not_next(recorded: Recorded, head: Head, last_at: Micros) -> str:
    stream, version, at, actor, name, data, hashed = recorded
    if version != head.version + 1:
        return f"event {head.version + 1} is missing"
    made = chain_hash(head.hash, stream=stream, version=version, at=at, actor=actor, name=name, data=data)
    if made != hashed:
        return "its hash does not fit: it, or the one before, was changed"
    return "it is earlier than the event before" if at < last_at else ""


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
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False


def _alike(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same: a number is no other number, however it is written."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def _as_written_then(kept: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """The state of a link without what a snapshot of an earlier version does not say of rounds in play."""
    for table, booked in kept["booked"].items():
        if "put_in" not in found["booked"].get(table, {}):
            booked.pop("put_in", None)
    return kept


def _same(kind: str, state: Any, text: str) -> bool:
    if kind == "link":
        kept = _as_written_then(encoder_for(Link)(state), json.loads(text))
    elif kind != "table" or state.opened is None:
        return False  # nothing of it is ever kept
    else:
        opened = encoder_for(te.TableOpened)(state.opened)
        kept = {"opened": opened, **gaming_table.keep(state)}
    found = json.loads(text)
    as_written = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    return as_written == text and _alike(json.loads(json.dumps(kept)), found)


def check_whole(desk: Desk, reader: Reader, found: Checked, *, box: DeckBox | None = None) -> None:
    """What no stream shows alone: ends, balances, the index of rounds, and decks that should be erased.

    With the `box` that has the key, the decks of rounds in play are held against what was committed to.
    """
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
        elif head.version < 1:
            found.problems.append(Problem(stream, 0, "its end is on record, and it has no event"))
    if not found.problems:
        _check_balances(reader.balances_under(""), found)
        _check_confirmed(found)
        _check_said(found)
        house = desk.registry(reader)
        known = {"table": house.tables, "link": house.links, "player": house.players}
        for stream in heads:
            kind, _, name = stream.partition("/")
            if kind in known and name not in known[kind]:
                found.problems.append(Problem(stream, 1, "there is no such stream on this floor"))
        decks = set(reader.decks())
        for table, number in sorted(decks):
            if table not in house.tables:
                text = f"a sealed deck of round {number} is kept, and there is no such table"
                found.problems.append(Problem(table_stream(table), 0, text))
        for name in house.tables:
            _check_rounds(desk, reader, name, decks, box, found)
        _check_final(desk, reader, disputes, found)
        _check_outages(reader, found)
        for name in house.links:
            problem = ledger_differs(reader, desk.read_up(reader, link_stream(name)).state)
            if problem:
                found.problems.append(Problem(link_stream(name), 0, problem))


def _check_balances(balances: Mapping[str, int], found: Checked) -> None:
    """Every account that was posted to has its balance, and no other has one."""
    for account in sorted(set(found.sums) | set(balances)):
        if found.sums.get(account) == balances.get(account):
            continue
        kept = f"the balance is {balances[account]}" if account in balances else "there is no balance"
        sums = f"come to {found.sums[account]}" if account in found.sums else "never touched it"
        found.problems.append(Problem(f"account {account}", 0, f"{kept}, the postings {sums}"))
    for currency, total in _totals(balances).items():
        if total:
            found.problems.append(Problem(f"currency {currency}", 0, f"accounts add up to {total}"))


def _check_confirmed(found: Checked) -> None:
    """Who has confirmed an award, as its slip says, is who has verified the claim at the link."""
    for table, number, version, name in found.confirmed:
        by = found.verified.get((table, number), set())
        if name not in by:
            text = f"the slip is confirmed by {name or 'nobody'}, the claim was verified by {', '.join(by)}"
            found.problems.append(Problem(table_stream(table), version, text))


def _check_said(found: Checked) -> None:
    """What streams say of each other is the same; tables know jackpots by terms that they have had."""
    found.problems += [Problem(*problem) for problem in untied(found.ties)]
    found.problems += [Problem(*problem) for problem in wrong_devices(found.devices)]
    had = {(stream, facts) for stream, _, link, facts in found.terms if not link}
    for stream, version, link, facts in found.terms:
        if link and (link_stream(link), facts) not in had:
            found.problems.append(Problem(stream, version, f"the link {link} has never had such terms"))
    for stream, version, table, at, hits in found.corrections:
        awards = found.awards.get((table, at), hits)
        if awards != hits:
            found.problems.append(
                Problem(stream, version, f"{hits} awards more, at {table} there are {awards}")
            )


def _totals(balances: Mapping[str, int]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for account, amount in balances.items():
        currency = account.split("/", 1)[0]
        totals[currency] = totals.get(currency, 0) + amount
    return totals


def _check_rounds(
    desk: Desk, reader: Reader, name: str, decks: set[tuple[str, int]], box: DeckBox | None, found: Checked
) -> None:
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
    in_play -= found.reopened
    virtual = table.opened is not None and table.opened.cards == gaming_table.VIRTUAL
    for number, what in table.broken_seals:
        text = f"alarm: the sealed deck of round {number} {BROKEN.get(what, what)}"
        found.problems.append(Problem(stream, 0, text))
    mine = {deck for deck in decks if deck[0] == name}
    kept = (in_play if virtual else set()) | {(name, number) for number in table.kept_decks}
    if mine != kept:
        numbers = sorted(number for _, number in mine ^ kept)
        text = f"sealed decks are kept or missing: round {', '.join(str(n) for n in numbers)}"
        found.problems.append(Problem(stream, 0, text))
        return
    for _, number in mine:
        sealed = table.sealed if (name, number) in in_play else sealed_of(reader, name, number)
        if box is not None and not _is_sealed(reader, name, number, sealed, box):
            text = f"the sealed deck of round {number} is not what was committed to, or not of this key"
            found.problems.append(Problem(stream, 0, text))


def _check_final(desk: Desk, reader: Reader, disputes: Iterable[int], found: Checked) -> None:
    """The deck of a void round is opened once later bets are open and no dispute about it is pending."""
    pending: dict[tuple[str, int], list[tuple[Micros, Micros | None]]] = {}
    for number in disputes:
        about, spans = _pending(reader, f"dispute/{number}")
        if about is not None:
            pending.setdefault(about, []).extend(spans)
    for deck in found.opened:
        for since, until in pending.get((deck.table, deck.round_number), ()):
            if since + AT_ONCE < deck.at and (until is None or deck.at < until):
                text = f"the deck of round {deck.round_number} was opened, and a dispute about it was pending"
                found.problems.append(Problem(deck.stream, deck.version, text))
    for name in desk.registry(reader).tables:
        table: GamingTable = desk.read_up(reader, table_stream(name)).state
        for number in table.kept_decks:
            waits = any(until is None for _, until in pending.get((name, number), ()))
            if number < table.state.round_number and not waits:
                text = f"the void of round {number} is final, and its deck was not opened"
                found.problems.append(Problem(table_stream(name), 0, text))


def _pending(
    reader: Reader, stream: str
) -> tuple[tuple[str, int] | None, list[tuple[Micros, Micros | None]]]:
    """The round that a dispute is about, and from when to when it, or a complaint about it, was pending."""
    about, spans = None, list[tuple[Micros, Micros | None]]()
    for recorded in reader.read(stream):
        event = decode_whole(recorded)[0]
        if isinstance(event, d.DisputeOpened):
            about = (event.table, event.round_number)
        if isinstance(event, d.DisputeOpened | d.ComplaintFiled):
            spans.append((recorded.at, None))
        elif isinstance(event, d.DisputeDecided | d.ComplaintAnswered) and spans:
            spans[-1] = (spans[-1][0], recorded.at)
    return about, spans


def _check_outages(reader: Reader, found: Checked) -> None:
    """What the floor undoes because a person has put a jackpot out of order, another person has signed."""
    known = Known.of(reader) if found.outages else Known()
    for undone in found.outages:
        failed = last_outage(reader, undone.link, until=undone.at)
        if failed is not None and failed.actor == "system":
            continue
        problem = f"the jackpot {undone.link} was in order"
        if failed is not None:
            problem = known.no_second(decode_whole(failed)[0].approved_by, failed, "fail-link")
        if problem:
            found.problems.append(Problem(undone.stream, undone.version, problem))


def sealed_of(reader: Reader, table: str, number: int) -> te.CommitmentsSealed | te.DeckSealed | None:
    """The seal that the record has of a round of the index, or None."""
    row = reader.round_at(table, number)
    if row is None:
        return None
    for recorded in reader.read(table_stream(table), after=row.first_version - 1, until=row.last_version):
        if recorded.name.startswith("deck-sealed."):
            event: te.CommitmentsSealed | te.DeckSealed = decode_whole(recorded)[0]
            return event
    return None


def _is_sealed(
    reader: Reader,
    table: str,
    number: int,
    sealed: te.CommitmentsSealed | te.DeckSealed | None,
    box: DeckBox,
) -> bool:
    """Whether a deck that is kept opens, card by card, what was published. Nothing of it is told."""
    locked = reader.deck(table, number)
    try:
        deck = box.unlock(locked or b"", table=table, number=number)
        return (
            sealed is not None
            and [card.index for card in deck] == list(range(len(DECK)))
            and all(opens(sealed, card.opening) for card in deck)
        )
    except (BadInput, StoreError, ValueError, IndexError):
        return False
