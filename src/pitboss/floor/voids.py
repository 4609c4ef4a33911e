"""Voids of sealed rounds: reports held against the seal, what is noted, and decks that are opened after.

A deck that is what was sealed, dealt as announced, refutes every report about its cards. What voids a round
all the same is noted with what it cost or saved the house; its deck is kept until the void is final, and is
opened then to the players of the round (`docs/adr/0015-a-void-round-is-opened.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pitboss.cards import DECK
from pitboss.errors import BadInput, StoreError
from pitboss.floor import disputes as d
from pitboss.floor import table_events as te
from pitboss.floor.codec import decode
from pitboss.floor.counterfactual import house_result, stage_of, staked
from pitboss.floor.desk import Desk, Draft, table_stream
from pitboss.floor.entropy import follows, published_value
from pitboss.floor.folding import folded
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.ports import Reader
from pitboss.floor.sealing import SealedCard, SealsOfTable, opens, sealed_under
from pitboss.floor.second_signatures import is_sealed
from pitboss.floor.verifying import sealed_of, sealed_otherwise, undealt
from pitboss.floor.void_matters import ABOUT_CARDS, Matter, has_no_hand_left, taken_out
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.evolve import evolve_all
from pitboss.play.irregularity import find_row
from pitboss.play.refusal import Refusal, refuse


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


def open_inside(desk: Desk, reader: Reader, table: GamingTable) -> Opened:
    """Open the deck of the round where it stands now; nothing of it leaves the server.

    Where the deck is erased, as of a settled round, the cards that were drawn are held against the seal.
    """
    sealed, number = table.sealed, table.state.round_number
    assert sealed is not None
    deck: tuple[SealedCard, ...] = ()
    if not sealed_under(sealed, table=table.table, number=number):
        return Opened((), Broken.OTHER)
    if (table.in_round and not table.was_settled) or number in table.kept_decks:
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


def _dealt_otherwise(desk: Desk, reader: Reader, table: GamingTable) -> bool:
    """Whether the record of the round deals its cards otherwise than announced, or the state has others."""
    due: list[e.Event] = []
    seals = SealsOfTable()
    before: GamingTable | None = None
    for _, event, after in folded(desk, reader, table.table, first=table.round_first_version):
        if before is not None and sealed_otherwise(before, event, due, seals):
            return True
        before = after
    if before is None or undealt(due):
        return True
    there, here = before.state, table.state
    return (before.drawn, there.known, there.burned) != (table.drawn, here.known, here.burned)


def held_against_seal(draft: Draft, table: GamingTable, command: c.Command) -> Refusal | str:
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


# --- what is noted of a void ----------------------------------------------------------------------------


def alarm(table: GamingTable, what: str) -> list[te.TableEvent]:
    """The alarm of a seal that is broken, once a round."""
    number = table.state.round_number
    known = number in dict(table.broken_seals)
    return [] if known or not what else [te.SealBroken(round_number=number, what=what)]


def void_notes(
    draft: Draft, table: GamingTable, outcome: Sequence[e.Event], *, broken: str = ""
) -> list[te.TableEvent]:
    """What is written of a round that these events make void, or of hands that they take out; nothing for any
    other outcome.

    `broken` is what was found wrong with the deck already.
    """
    hands = taken_out(table, outcome)
    voided = is_sealed(table) and any(isinstance(event, e.RoundVoided) for event in outcome)
    if not voided and not hands:
        return alarm(table, broken)
    state, number = table.state, table.state.round_number
    found = Opened((), broken) if broken else open_inside(draft.desk, draft.reader, table)
    if number in dict(table.broken_seals):
        found = Opened((), dict(table.broken_seals)[number])
    value = published_value(table, draft.desk.beacon)
    house: Cents | None = None
    if not found.broken:
        deck = [card.card for card in found.deck]
        rest = table.to_come(deck, follows=follows(table, draft.at, value), beacon=value)
        house = house_result(state, rest, hands)
    last = voided or has_no_hand_left(evolve_all(state, outcome))
    matter = _whose_void(draft, table, outcome) if voided else _whose_hands(draft, table, outcome)
    note = te.VoidNoted(
        round_number=number,
        **matter._asdict(),
        stage=stage_of(state),
        cards=len(table.drawn),
        staked=staked(state, hands),
        house=house,
        deck_kept=bool(found.deck) and last,
        positions=hands,
        beacon=None if value is None else te.BeaconPublished(round=value.round, signature=value.signature),
    )
    return [*alarm(table, found.broken), note]


def _whose_void(draft: Draft, table: GamingTable, outcome: Sequence[e.Event]) -> Matter:
    """Who made a round void, and why."""
    ruling = next((event for event in outcome if isinstance(event, e.RulingGiven)), None)
    report = next((event for event in outcome if isinstance(event, e.IrregularityReported)), None)
    said = ruling or report
    asker, suspension = str(draft.asker), table.state.suspension
    kind, reason = ("", "") if suspension is None else (suspension.kind, suspension.what)
    if report is not None:
        kind, reason = report.kind.value, report.what
    return Matter(
        reported_by=asker if report is not None else _last_reporter(draft, table) or asker,
        kind=kind,
        reason=reason,
        ruled_by=asker if ruling is not None else "",
        signed_by="" if said is None else said.approved_by,
    )


def _whose_hands(draft: Draft, table: GamingTable, outcome: Sequence[e.Event]) -> Matter:
    """For what hands are taken out: by whom, where a player takes up an option, it was offered."""
    matter = Matter()
    first = table.round_first_version
    for recorded in draft.reader.read(table_stream(table.table), after=first - 1):
        if recorded.name in _NAMES_OF_MATTER:
            matter = matter.after(decode(recorded), recorded.actor)
    for event in outcome:
        matter = matter.after(event, str(draft.asker))
    return matter if matter.reported_by else matter._replace(reported_by=str(draft.asker))


_NAMES_OF_MATTER = frozenset(
    {"irregularity-reported.v1", "round-suspended.v1", "ruling-given.v1", "standing-order.v1"}
)


def _last_reporter(draft: Draft, table: GamingTable) -> str:
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
    numbers = [number for number in draft.table(table).kept_decks if number < current]
    if not numbers:
        return []
    disputed = _disputed(draft, table)
    events: list[te.TableEvent] = []
    for number in numbers:
        if number in disputed:
            continue
        sealed = sealed_of(draft.reader, table, number)
        assert sealed is not None
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
        assert dispute.opened is not None
        waits = d.is_over(dispute) is None or (dispute.complaint is not None and not dispute.answered)
        if dispute.opened.table == table and waits:
            found.add(dispute.opened.round_number)
        number += 1
    return found


def opened_deck(reader: Reader, table: str, number: int) -> te.DeckOpened | None:
    """The opening of a void round's deck, where the record has one: it stands after the next bets."""
    row = reader.round_at(table, number)
    if row is None:
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
