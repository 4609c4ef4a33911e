"""Two signatures: staff undo a round or a hand of dealt cards at a virtual table with a second person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pitboss.floor.authority import SECOND_PERSON
from pitboss.floor.codec import decode
from pitboss.floor.desk import Draft, link_stream
from pitboss.floor.gaming_table import VIRTUAL, GamingTable
from pitboss.floor.people import SYSTEM, Asker, second_person
from pitboss.floor.ports import Micros, Reader, Recorded
from pitboss.floor.requests import Act
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.decide import decide
from pitboss.play.refusal import Refusal
from pitboss.rulebooks.trouble import Irregularity
from pitboss.rulebooks.vocabulary import Position

ENDS = (e.RoundVoided, e.HandRemoved, e.SettlementReversed)
"""What undoes a round or a hand."""
LETS_OUT = (e.ShareReturned, e.OptionsOffered, e.WithdrawalPermitted)
"""What takes a share out of a hand, or lets a player withdraw one."""
SAID = (e.IrregularityReported, e.RulingGiven, e.StandingOrder)
"""What the events of a report, a ruling or an order begin with."""
SIGNED = SECOND_PERSON[Act]
"""The least rank of who signs with another for a void of dealt cards at a virtual table."""
_LOOK_BACK = 200


def is_sealed(table: GamingTable) -> bool:
    """Whether the round in play, or the last one, has a sealed deck."""
    return table.opened is not None and table.opened.cards == VIRTUAL and table.sealed is not None


def unsigned(draft: Draft, table: GamingTable, command: c.Command, outcome: Sequence[Any]) -> Refusal | None:
    """What undoes a round or a hand of dealt cards at a virtual table takes two persons."""
    if not _undone(table, command, outcome):
        return None
    assert isinstance(command, c.Report | c.Rule)
    if draft.asker == SYSTEM:
        return _unsigned_outage(draft, command)
    return second_person(draft.registry, draft.asker, command.approved_by, SIGNED)


def _unsigned_outage(draft: Draft, command: c.Report | c.Rule) -> Refusal | None:
    """What the floor reports of a jackpot that a person has put out of order is signed by two persons."""
    if not isinstance(command, c.Report) or not command.of_link:
        return None
    failed = last_outage(draft.reader, command.of_link)
    if failed is None or failed.actor == str(SYSTEM):
        return None
    kind, _, name = failed.actor.partition("/")
    return second_person(draft.registry, Asker(kind, name), decode(failed).approved_by, SIGNED)


def last_outage(reader: Reader, link: str, *, until: Micros | None = None) -> Recorded | None:
    """The last time that a link was put out of order, up to a moment."""
    stream = link_stream(link)
    last = reader.head(stream).version
    while last > 0:
        for recorded in reversed(reader.read(stream, after=max(0, last - _LOOK_BACK), until=last)):
            if recorded.name.startswith("link-failed.") and (until is None or recorded.at <= until):
                return recorded
        last -= _LOOK_BACK
    return None


def ends_a_sealed_round(draft: Draft, link: str, reason: str) -> bool:
    """Whether the book of a member table undoes a round or a hand of dealt cards for such a failure."""
    report = c.Report(
        by=c.Staff(Position.DEALER), kind=Irregularity.JACKPOT_FAILURE, what=reason, of_link=link
    )
    for row in draft.reader.open_rounds(link):
        table = draft.table(row.table)
        outcome = decide(table.state, report) if takes_two_at(table) else ()
        if not isinstance(outcome, Refusal) and _undone(table, report, outcome):
            return True
    return False


def takes_two_at(table: GamingTable) -> bool:
    """Whether staff need a second person here to undo a round or a hand."""
    return is_sealed(table) and bool(table.drawn)


def takes_two(draft: Draft, table: GamingTable, command: c.Command, outcome: Sequence[Any]) -> bool:
    """Whether staff undo a round or a hand of a sealed deck that was dealt from."""
    return draft.asker != SYSTEM and _undone(table, command, outcome)


def _undone(table: GamingTable, command: c.Command, outcome: Sequence[Any]) -> bool:
    """Whether a report or a ruling undoes a round or a hand here, or lets a player withdraw one."""
    if not isinstance(command, c.Report | c.Rule) or not takes_two_at(table):
        return False
    return any(isinstance(event, (*ENDS, *LETS_OUT)) for event in outcome)


def signed(outcome: tuple[e.Event, ...], name: str) -> tuple[e.Event, ...]:
    """The events of a report or a ruling with the name of who signed for it."""
    return tuple(replace(event, approved_by=name) if isinstance(event, SAID) else event for event in outcome)
