"""The entries of a round: who decides, views and chooses where, and what corrects what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pitboss.floor import table_events as te
from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.ports import Recorded
from pitboss.play import events as e
from pitboss.play.table import State
from pitboss.rulebooks.trouble import Irregularity
from pitboss.rulebooks.vocabulary import Position


@dataclass(slots=True)
class Entries:
    """The entries of the round that is folded, and those that were corrected and have still to be named."""

    _entries: list[tuple[int, Any]] = field(default_factory=list)
    _corrected: list[tuple[int, tuple[Any, ...], str]] = field(default_factory=list)

    def left(self) -> str:
        """What a request has corrected and not named."""
        left, self._corrected = self._corrected, []
        return f"entry {left[0][0]} was corrected, and nothing names it" if left else ""

    def wrong(self, before: OpenTable, event: Any, recorded: Recorded, request: list[Any]) -> str:
        """What is wrong with an event of a round; `request` are those before it of the same request."""
        state, actor = before.state, recorded.actor
        match event:
            case e.BetsOpened():
                self._entries.clear()
            case e.CardEntered():
                self._entries.append((recorded.version, event))
                parts = state.plan.book.cards.parts
                known = event.place in ("dealer", "community", "burned", *parts, *map(str, state.boxes))
                return "" if known else f"no {event.card.code} lies at {event.place}"
            case e.EntriesCleared(places=places):
                empty = [place for place in places if not state.known.get(place)]
                return f"no card lies at {empty[0]}" if empty else ""
            case e.RoundSettled():
                self._entries.append((recorded.version, event))
            case e.DecisionMade() | e.PlayerAbsent() | e.ComparisonDeclined():
                self._entries.append((recorded.version, event))
                return _not_decided(state, event, request) or _not_his(state, event.position, actor)
            case e.HandViewed() | e.HandHandled() | e.HandEstablished() | e.AbsenceRecorded():
                return _not_his(state, event.position, actor)
            case e.HandLookedAt() | e.WithdrawalPermitted():
                return _not_his(state, event.position, actor)
            case e.OptionsOffered():
                twice = len(set(event.positions)) != len(event.positions)
                return (
                    "one position has its option twice" if twice else _all_play(state, event.positions, actor)
                )
            case e.OptionTaken():
                options = state.trouble.options
                waiting = () if options is None else options.waiting
                if event.position not in waiting and event.position not in state.trouble.permitted:
                    return f"position {event.position} was offered none"
                if event.absent and actor.startswith("player/"):
                    return f"{actor} was there"
                return _not_his(state, event.position, actor)
            case e.WagerWithdrawn():
                stays = stayed_in(request, event.position)
                return f"position {event.position} stays, and takes a wager back" if stays else ""
            case e.RoundSuspended():
                if event.suspension.kind not in {kind.value for kind in state.plan.remedies}:
                    return f"the book has no row {event.suspension.kind}"
                found = state.plan.remedies[Irregularity(event.suspension.kind)]
                deciding = {row.decides for row in found} | {Position.PIT_MANAGER}
                if event.suspension.decides not in deciding:
                    return f"{event.suspension.decides} does not decide on {event.suspension.kind}"
                return _all_play(state, event.suspension.positions, actor)
            case e.CardCorrected() | e.DecisionTakenBack() | e.SettlementReversed():
                return self._corrects(event, recorded)
            case te.EntryCorrected():
                return self._names_entry(event)
            case te.PayoutSlip():
                return _slip_reason(event, request)
            case e.IrregularityReported():
                rows = {(row.kind, row.mode, row.remedy) for row in state.plan.remedies.get(event.kind, ())}
                known = (event.kind, event.mode, event.remedy) in rows
                return "" if known else f"the book has no row {event.kind}, {event.mode}, {event.remedy}"
            case _:
                pass
        return ""

    def _entry_of(self, event: Any) -> tuple[int, Any] | None:
        """The last entry of the round that an event corrects."""
        for version, old in reversed(self._entries):
            if old is not event and _is_corrected_by(old, event):
                return version, old
        return None

    def _corrects(self, event: Any, recorded: Recorded) -> str:
        """An event that corrects an entry: the floor says which one, with the same request."""
        entry = self._entry_of(event)
        if isinstance(event, e.CardCorrected):
            self._entries.append((recorded.version, event))
        if entry is None:
            return ""
        version, old = entry
        cited, reason = tuple(getattr(event, "clauses", ())), getattr(event, "reason", "")
        self._corrected.append((version, cited, reason))
        chose = (old.decision, old.choice) if isinstance(old, e.DecisionMade) else None
        if isinstance(event, e.DecisionTakenBack) and chose not in (None, (event.decision, event.choice)):
            return f"it chose to {old.choice} on {old.decision}"
        return ""

    def _names_entry(self, event: te.EntryCorrected) -> str:
        if not self._corrected:
            return "nothing was corrected"
        version, clauses, reason = self._corrected.pop(0)
        if event.corrects != version:
            return f"what was corrected is entry {version}"
        if event.clauses != clauses or (reason and event.reason != reason):
            return "it cites other clauses than its cause, or another reason"
        return ""


def _not_decided(state: State, event: Any, request: list[Any]) -> str:
    if isinstance(event, e.ComparisonDeclined):
        return ""
    if event.decision not in [decision.name for decision in state.plan.decisions]:
        return f"nobody decides on {event.decision}"
    if isinstance(event, e.PlayerAbsent):
        return ""
    if event.choice not in ("bet", "check", "fold", "continue"):
        return f"nobody decides {event.choice}"
    placed = any(isinstance(other, e.WagerPlaced) and other.position == event.position for other in request)
    if placed == (event.choice == "bet"):
        return ""
    return f"position {event.position} has {'placed' if placed else 'no'} wager with its choice"


def _slip_reason(slip: te.PayoutSlip, request: list[Any]) -> str:
    """A slip that takes another back does so for the reason that the entry was corrected for."""
    reasons = [other.reason for other in request if isinstance(other, te.EntryCorrected)]
    due = reasons[-1] if slip.corrects and reasons else ""
    return "" if slip.reason == due else f"its reason is {slip.reason!r}, the entry has {due!r}"


def stayed_in(request: Iterable[Any], position: int) -> bool:
    """Whether a hand has said with this request that it stays."""
    return any(
        isinstance(other, e.OptionTaken) and other.stays and other.position == position for other in request
    )


def _not_his(state: State, position: int, actor: str) -> str:
    """Whether nobody plays at a position; or, of a player who acts, whether it is not his."""
    box = state.boxes.get(position)
    if box is None:
        return f"nobody plays at position {position}"
    kind, _, name = actor.partition("/")
    if kind != "player":
        return ""
    stakes = [box.stakes, box.forfeited, {} if box.removal is None else box.removal.stakes]
    owners = {owner for wagers in stakes for by in wagers.values() for owner in by}
    return "" if name in owners or name == box.player else f"{name} does not play at position {position}"


def _all_play(state: State, positions: Iterable[int], actor: str) -> str:
    return "".join(_not_his(state, position, actor) for position in positions)


def _is_corrected_by(old: Any, event: Any) -> bool:
    match event:
        case e.SettlementReversed():
            return isinstance(old, e.RoundSettled)
        case e.DecisionTakenBack():
            chosen = e.DecisionMade | e.PlayerAbsent | e.ComparisonDeclined
            return isinstance(old, chosen) and old.position == event.position
        case _:
            lies = old.card if isinstance(old, e.CardEntered) else getattr(old, "right", None)
            return bool(getattr(old, "place", None) == event.place and lies == event.wrong)
