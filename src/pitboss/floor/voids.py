"""Voids of sealed rounds: reports held against the seal, two signatures, and decks that are opened after.

A deck that is what was sealed, dealt as announced, refutes every report about its cards. What voids a round
all the same is noted with what it cost or saved the house; its deck is kept until the void is final, and is
opened then to the players of the round (`docs/adr/0015-a-void-round-is-opened.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pitboss.cards import DECK
from pitboss.errors import BadInput, StoreError
from pitboss.floor import disputes as d
from pitboss.floor import table_events as te
from pitboss.floor.authority import SECOND_PERSON
from pitboss.floor.counterfactual import house_result, stage_of, staked
from pitboss.floor.desk import Desk, Draft, table_stream
from pitboss.floor.folding import folded
from pitboss.floor.gaming_table import VIRTUAL, OpenTable, ever_open
from pitboss.floor.people import SYSTEM, second_person
from pitboss.floor.ports import Reader
from pitboss.floor.requests import Act
from pitboss.floor.sealing import SealedCard, SealsOfTable, opens, sealed_under
from pitboss.floor.verifying import sealed_of, sealed_otherwise, undealt
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.irregularity import find_row
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.table import Stage
from pitboss.play.transitions import Played
from pitboss.rulebooks.trouble import Irregularity

ABOUT_CARDS = frozenset(
    {
        *(
            Irregularity.FOREIGN_CARD,
            Irregularity.MISSING_CARD,
            Irregularity.EXTRA_CARD,
            Irregularity.UNSHUFFLED,
            Irregularity.COUNT_DOUBT,
            Irregularity.INSUFFICIENT_CARDS,
        ),
        *(
            Irregularity.WRONG_COUNT_COMMUNITY,
            Irregularity.WRONG_COUNT_DEALER,
            Irregularity.WRONG_COUNT_POSITION,
            Irregularity.MISDEAL,
            Irregularity.MISSED_BURN,
        ),
        *(Irregularity.FACE_UP, Irregularity.SHUFFLER_JAM),
    }
)
"""What can be said of the cards of a virtual table only if its deck is not the one that was sealed."""

_ENDS = (e.RoundVoided, e.HandRemoved, e.SettlementReversed)
SIGNED = SECOND_PERSON[Act]
"""The least rank of who signs with another for a void of dealt cards at a virtual table."""


class Broken(StrEnum):
    """What was wrong with a deck that the server opened inside itself."""

    MISSING = "missing"
    LOCKED = "does-not-open"
    OTHER = "not-what-was-sealed"
    DEALT_OTHERWISE = "not-dealt-as-announced"


# --- the seal -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """A sealed deck as the server found it: place by place, or what was wrong with it. It is never sent."""

    deck: tuple[SealedCard, ...]
    broken: str = ""


def is_sealed(table: OpenTable) -> bool:
    """Whether the round in play, or the last one, has a sealed deck."""
    return table.opened.cards == VIRTUAL and table.sealed is not None


def open_inside(desk: Desk, reader: Reader, table: OpenTable) -> Opened:
    """Open the deck of the round where it stands now; nothing of it leaves the server.

    Where the deck is erased, as of a settled round, the cards that were drawn are held against the seal.
    """
    sealed, number = table.sealed, table.state.round_number
    deck: tuple[SealedCard, ...] = ()
    if sealed is None:
        return Opened((), Broken.MISSING)
    if not sealed_under(sealed, table=table.table, number=number):
        return Opened((), Broken.OTHER)
    if table.in_round or number in table.kept_decks:
        found = unlocked(desk, reader, table.table, number, sealed)
        if found.broken:
            return found
        deck = found.deck
        if tuple(deck[place].opening for place in table.order[: len(table.drawn)]) != table.drawn:
            return Opened((), Broken.OTHER)
    elif not all(opens(sealed, opening) for opening in table.drawn):
        return Opened((), Broken.OTHER)
    if _dealt_otherwise(desk, reader, table):
        return Opened((), Broken.DEALT_OTHERWISE)
    return Opened(deck)


def unlocked(
    desk: Desk, reader: Reader, table: str, number: int, sealed: te.CommitmentsSealed | te.DeckSealed
) -> Opened:
    """The deck that is kept for a round, held against its commitments."""
    locked = reader.deck(table, number)
    if locked is None:
        return Opened((), Broken.MISSING)
    try:
        deck = desk.decks.unlock(locked, table=table, number=number)
    except (BadInput, StoreError, ValueError, IndexError):
        return Opened((), Broken.LOCKED)
    right = (
        [card.index for card in deck] == list(range(len(DECK)))
        and {card.card for card in deck} == set(DECK)
        and all(opens(sealed, card.opening) for card in deck)
    )
    return Opened(deck) if right else Opened((), Broken.OTHER)


def _dealt_otherwise(desk: Desk, reader: Reader, table: OpenTable) -> bool:
    """Whether the record of the round deals its cards otherwise than announced, or the state has others."""
    due: list[e.Event] = []
    seals = SealsOfTable()
    last: OpenTable | None = None
    for _, (before, event, after) in folded(desk, reader, table.table, first=table.round_first_version):
        if before.as_open is not None and sealed_otherwise(before.as_open, event, due, seals):
            return True
        last = after.as_open
    if last is None or undealt(due):
        return True
    there, here = last.state, table.state
    return (last.drawn, there.known, there.burned) != (table.drawn, here.known, here.burned)


def held_against_seal(draft: Draft, table: OpenTable, command: c.Command) -> Refusal | str:
    """The refusal of a report about the cards of a deck that is as it was sealed, or what is wrong with it.

    The answer tells nothing of the cards: a seal that holds is always answered in the same words.
    """
    if not isinstance(command, c.Report) or command.kind not in ABOUT_CARDS or not is_sealed(table):
        return ""
    found = open_inside(draft.desk, draft.reader, table)
    if found.broken:
        return found.broken
    text = (
        "The sealed deck was opened inside the server: it is the 52 cards under the published commitments, "
        "dealt as announced."
    )
    return refuse("seal-holds", text, find_row(table.state, command).clauses)


# --- two signatures -------------------------------------------------------------------------------------


def unsigned(
    draft: Draft, table: OpenTable, command: c.Command, outcome: Sequence[e.Event]
) -> Refusal | None:
    """What undoes a round or a hand of dealt cards at a virtual table takes two persons."""
    if not isinstance(command, c.Report | c.Rule) or not takes_two(draft, table, command, outcome):
        return None
    return second_person(draft.registry, draft.asker, command.approved_by, SIGNED)


def takes_two_at(table: OpenTable) -> bool:
    """Whether staff need a second person here to undo a round or a hand."""
    return is_sealed(table) and bool(table.drawn)


def takes_two(draft: Draft, table: OpenTable, command: c.Command, outcome: Sequence[e.Event]) -> bool:
    """Whether staff undo a round or a hand of a sealed deck that was dealt from."""
    if not isinstance(command, c.Report | c.Rule) or draft.asker == SYSTEM:
        return False
    return takes_two_at(table) and any(isinstance(event, _ENDS) for event in outcome)


def signed(played: Sequence[Played], name: str) -> tuple[Played, ...]:
    """The events of a report or a ruling with the name of who signed for it. No state has that name."""
    told = (e.IrregularityReported, e.RulingGiven, e.StandingOrder)
    return tuple(
        step._replace(event=replace(step.event, approved_by=name)) if isinstance(step.event, told) else step
        for step in played
    )


# --- what is noted of a void ----------------------------------------------------------------------------


def alarm(table: OpenTable, what: str) -> list[te.TableEvent]:
    """The alarm of a seal that is broken, once a round."""
    number = table.state.round_number
    known = number in dict(table.broken_seals)
    return [] if known or not what else [te.SealBroken(round_number=number, what=what)]


def void_notes(
    draft: Draft, table: OpenTable, outcome: Sequence[e.Event], *, broken: str = ""
) -> list[te.TableEvent]:
    """What is written of a round that these events make void; nothing for any other outcome.

    `broken` is what was found wrong with the deck already.
    """
    if not is_sealed(table) or not any(isinstance(event, e.RoundVoided) for event in outcome):
        return alarm(table, broken)
    state, number = table.state, table.state.round_number
    found = Opened((), broken) if broken else open_inside(draft.desk, draft.reader, table)
    if number in dict(table.broken_seals):
        found = Opened((), dict(table.broken_seals)[number])
    house: Cents | None = None
    if not found.broken:
        house = house_result(state, table.to_come([card.card for card in found.deck]))
    ruling = next((event for event in outcome if isinstance(event, e.RulingGiven)), None)
    report = next((event for event in outcome if isinstance(event, e.IrregularityReported)), None)
    told = ruling or report
    reported_by, kind, reason = str(draft.asker), "", ""
    if report is not None:
        kind, reason = report.kind.value, report.what
    else:
        reported_by = _last_reporter(draft, table) or reported_by
        if state.suspension is not None:
            kind, reason = state.suspension.kind, state.suspension.what
    note = te.VoidNoted(
        round_number=number,
        reported_by=reported_by,
        ruled_by=str(draft.asker) if ruling is not None else "",
        signed_by="" if told is None else told.approved_by,
        kind=kind,
        reason=reason,
        stage=stage_of(state),
        cards=len(table.drawn),
        staked=staked(state),
        house=house,
        deck_kept=bool(found.deck),
    )
    return [*alarm(table, found.broken), note]


def _last_reporter(draft: Draft, table: OpenTable) -> str:
    """Who wrote the report, or the entry, that a round waits for a ruling about."""
    found = ""
    first = table.round_first_version
    for recorded in draft.reader.read(table_stream(table.table), after=first - 1):
        if recorded.name.startswith(("irregularity-reported.", "round-suspended.")):
            found = recorded.actor
    return found


# --- decks opened ---------------------------------------------------------------------------------------


def open_kept(draft: Draft, table: str, *, current: int) -> list[te.TableEvent]:
    """Open the decks of void rounds of a table that are final now: later bets are open, nothing is disputed.

    `current` is the round of those bets. A deck that is not what was sealed is an alarm instead.
    """
    numbers = [number for number in ever_open(draft.table(table)).kept_decks if number < current]
    if not numbers:
        return []
    disputed = _disputed(draft, table)
    events: list[te.TableEvent] = []
    for number in numbers:
        if number in disputed:
            continue
        sealed, opened = sealed_of(draft.reader, table, number), Opened((), Broken.MISSING)
        if sealed is not None:
            opened = unlocked(draft.desk, draft.reader, table, number, sealed)
        draft.decks[(table, number)] = None
        if opened.broken:
            events.append(te.SealBroken(round_number=number, what=opened.broken))
        else:
            openings = tuple(card.opening for card in opened.deck)
            events.append(te.DeckOpened(round_number=number, openings=openings))
    return events


def _disputed(draft: Draft, table: str) -> set[int]:
    """Rounds of a table that a dispute or an unanswered complaint is pending about."""
    found: set[int] = set()
    number = 1
    while draft.reader.head(d.stream_of(number)).version:
        dispute = draft.dispute(number)
        waits = d.is_over(dispute) is None or (dispute.complaint is not None and not dispute.answered)
        if dispute.opened.table == table and waits:
            found.add(dispute.opened.round_number)
        number += 1
    return found


def opened_deck(reader: Reader, table: str, number: int) -> te.DeckOpened | None:
    """The opening of a void round's deck, where the record has one: it stands after the next bets."""
    from pitboss.floor.codec import decode

    row = reader.round_at(table, number)
    if row is None or row.status != Stage.VOID.value:
        return None
    after = row.last_version
    while True:
        chunk = reader.read(table_stream(table), after=after, until=after + _CHUNK)
        if not chunk:
            return None
        for recorded in chunk:
            if recorded.name.startswith("deck-opened."):
                event: te.DeckOpened = decode(recorded)
                if event.round_number == number:
                    return event
        after = chunk[-1].version


_CHUNK = 5000
