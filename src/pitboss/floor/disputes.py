"""Disputes: a stream each. Anybody opens one on a round; it goes up by authority and ends with a decision.

Where a book lays down a procedure (Hoiana section 8) its steps and bases are asked for; where it has none,
the dispute is referred to the manager the book names for what it does not cover.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pitboss.errors import InvariantError
from pitboss.floor.ports import Micros
from pitboss.floor.streams import Stream
from pitboss.play.encoding import later
from pitboss.play.refusal import Refusal
from pitboss.rulebooks.plan import Clauses
from pitboss.rulebooks.vocabulary import OnFile


class DisputeStatus(StrEnum):
    """How far a dispute has come."""

    OPEN = "open"
    ESCALATED = "escalated"
    DECIDED = "decided"
    COMPLAINT = "complaint"


class Party(StrEnum):
    """The sides whose notes a decision may have to rest on."""

    PLAYER = "player"
    HOUSE = "house"
    SURVEILLANCE = "surveillance"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened:
    """What is disputed about which round, and what the record says of it at this moment (`evidence`):
    where it stands in the log and its hash, who was on shift, and what happened, in words for everybody.
    """

    table: str
    round_number: int
    rulebook: str
    about: str
    evidence: tuple[str, ...]
    referred_to: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeNoted:
    """A note: an account of the incident by one side, or anything else that bears on it.

    `party` is the side that it speaks for: a word of `Party`, or nothing where it is other evidence.
    """

    account_of: str
    text: str
    party: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeEscalated:
    """To the position that decides next; with it Surveillance is informed where the book says so."""

    to: str
    surveillance_informed: bool
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFrameGiven:
    """The player was told by when the dispute should be settled."""

    minutes: int
    until: Micros
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeDecided:
    """The decision, by a basis that the book names, and that the player knows how to complain."""

    decision: str
    basis: str
    in_favour_of: str
    complaint_explained: bool
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintFiled:
    """The player does not agree and complains formally, with help."""

    text: str
    assisted_by: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintAnswered:
    """The house has answered a complaint."""

    answer: str


DisputeEvent = (
    DisputeOpened
    | DisputeNoted
    | DisputeEscalated
    | TimeFrameGiven
    | DisputeDecided
    | ComplaintFiled
    | ComplaintAnswered
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoDispute:
    """A number that no dispute has yet."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A dispute that was opened."""

    number: int
    opened: DisputeOpened
    opened_by: str
    opened_at: Micros
    with_position: str
    status: DisputeStatus = DisputeStatus.OPEN
    surveillance_informed: bool = False
    until: Micros | None = None
    notes: tuple[tuple[str, str], ...] = ()
    parties: frozenset[str] = frozenset()
    """Whose notes are on file; nothing stands for evidence that is neither an account nor Surveillance's."""
    decided: DisputeDecided | None = None
    complaint: ComplaintFiled | None = None
    answered: str = ""


DisputeState = NoDispute | Dispute
"""The fold of a dispute's stream."""


def stream_of(number: int) -> Stream[DisputeState, DisputeEvent]:
    """The name of a dispute's stream."""
    return Stream(f"dispute/{number}")


def evolve_dispute(dispute: DisputeState, event: DisputeEvent, at: Micros, actor: str) -> Dispute:
    """The dispute after one event."""
    if isinstance(dispute, Dispute):
        return _EVOLVE[type(event)](dispute, event, actor)
    if not isinstance(event, DisputeOpened):
        raise InvariantError("it was never opened")
    return Dispute(
        number=dispute.number,
        opened=event,
        opened_by=actor,
        opened_at=at,
        with_position=event.referred_to,
    )


def _opened_again(dispute: Dispute, event: DisputeOpened, actor: str) -> Dispute:
    raise InvariantError("it was opened before")


def _noted(dispute: Dispute, event: DisputeNoted, actor: str) -> Dispute:
    who = f"{actor}, account of {event.account_of}" if event.account_of else actor
    return replace(
        dispute, notes=(*dispute.notes, (who, event.text)), parties=dispute.parties | {event.party}
    )


def _escalated(dispute: Dispute, event: DisputeEscalated, actor: str) -> Dispute:
    return replace(
        dispute,
        status=DisputeStatus.ESCALATED,
        with_position=event.to,
        surveillance_informed=dispute.surveillance_informed or event.surveillance_informed,
    )


def _timed(dispute: Dispute, event: TimeFrameGiven, actor: str) -> Dispute:
    return replace(dispute, until=event.until)


def _decided(dispute: Dispute, event: DisputeDecided, actor: str) -> Dispute:
    return replace(dispute, status=DisputeStatus.DECIDED, decided=event)


def _complained(dispute: Dispute, event: ComplaintFiled, actor: str) -> Dispute:
    return replace(dispute, status=DisputeStatus.COMPLAINT, complaint=event)


def _answered(dispute: Dispute, event: ComplaintAnswered, actor: str) -> Dispute:
    return replace(dispute, answered=event.answer)


_EVOLVE: dict[type[DisputeEvent], Callable[[Dispute, Any, str], Dispute]] = {
    DisputeOpened: _opened_again,
    DisputeNoted: _noted,
    DisputeEscalated: _escalated,
    TimeFrameGiven: _timed,
    DisputeDecided: _decided,
    ComplaintFiled: _complained,
    ComplaintAnswered: _answered,
}


_PARTIES: dict[OnFile, tuple[str, ...]] = {
    OnFile.ACCOUNTS: (Party.PLAYER, Party.HOUSE),
    OnFile.SURVEILLANCE: (Party.SURVEILLANCE,),
    OnFile.EVIDENCE: ("",),
}
_MISSING = {
    Party.PLAYER: "the player's account (a note with account_of 'player')",
    Party.HOUSE: "the house's account (a note of staff with account_of 'house')",
    Party.SURVEILLANCE: "evidence from Surveillance (a note by Surveillance)",
    "": "other evidence (a note without account_of)",
}


def missing(dispute: Dispute, needs: OnFile | None) -> tuple[str, ...]:
    """The parties whose notes are not on file, of those that a basis needs."""
    wanted = () if needs is None else _PARTIES[needs]
    return tuple(str(party) for party in wanted if party not in dispute.parties)


def in_words(parties: tuple[str, ...]) -> str:
    """What is missing, and how it is entered."""
    return ", ".join(_MISSING[party] for party in parties)


def is_over(dispute: Dispute) -> Refusal | None:
    """The refusal of a step in a dispute that is decided."""
    if dispute.status in (DisputeStatus.OPEN, DisputeStatus.ESCALATED):
        return None
    return Refusal("dispute-decided", "The dispute is decided; the player may file a formal complaint.")
