"""What events say besides money, held against the rest of the record: the floor's own, disputes and stays."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from pitboss.errors import is_number
from pitboss.floor import disputes as d
from pitboss.floor import registry
from pitboss.floor.authority import ranks_of
from pitboss.floor.codec import Beside
from pitboss.floor.desk import Desk, gaming_day, table_stream
from pitboss.floor.entropy_statements import COUNTED, WITHHELD, DeviceSeen, wrong_device
from pitboss.floor.house import rulebook_hash
from pitboss.floor.link_statements import LinkSaid
from pitboss.floor.patrons import DeviceWithheld, Patronage, PatronEvent, StayEnded
from pitboss.floor.people import CONSOLE, SYSTEM
from pitboss.floor.ports import Reader, Recorded
from pitboss.floor.reconciliation import wrong_loss
from pitboss.floor.registry import HouseStep
from pitboss.floor.said import POSITIONS, Known, Said, name_of
from pitboss.floor.table_statements import TableSaid
from pitboss.play.transitions import Transition

MINUTE = 60_000_000


@dataclass(slots=True)
class HouseSaid(Said[registry.Registry, registry.RegistryEvent]):
    """The events of the floor's own stream; whoever they bring is known from then on."""

    def wrong(self, step: HouseStep, recorded: Recorded, beside: Beside) -> str:
        """What is wrong with an event, in words, or empty."""
        self.known.learn(step.event, recorded.actor, recorded.at)
        return Said.wrong(self, step, recorded, beside)

    def check(self, step: HouseStep, recorded: Recorded) -> str:
        """What the events of the floor's own stream are held against."""
        before, event, _ = step
        actor = recorded.actor
        match event:
            case registry.PersonAdded() | registry.PersonMoved():
                was = before.people.get(event.person)
                said = event.before if isinstance(event, registry.PersonMoved) else None
                if event.position not in registry.POSITIONS:
                    return f"there is no position {event.position}"
                return "" if was == said else f"{event.person} was {was or 'nobody'} before"
            case registry.FloorCreated():
                return _no_permissions(event.permissions) if event.permissions else ""
            case registry.PermissionsSet():
                if actor != str(SYSTEM):
                    return f"{actor} sets no permissions"
                return _no_permissions(event.permissions)
            case registry.AnswersForgotten():
                return _forgets(before, event, recorded)
            case registry.PersonRemoved():
                return "" if event.person in before.people else f"{event.person} had no account"
            case registry.PlayerAdded():
                return f"{event.player} was added before" if event.player in before.players else ""
            case registry.PlayerLimited() | registry.PlayerExcluded():
                return _asked_by(event, actor)
            case registry.PlayerBarred() | registry.PlayerUnbarred():
                key = ("bar", event.player, event.table, recorded.at)
                self.tell(recorded, 1, key, isinstance(event, registry.PlayerBarred))
            case registry.RulebookProposed():
                made = rulebook_hash(event.id, event.document, dict(event.readings))
                if (made, _digest(event.document)) != (event.rulebook, event.digest):
                    return "the hash is not that of the book and its readings"
            case registry.RulebookApproved():
                return _approved(before.rulebooks[event.rulebook], event, actor)
            case registry.RecordReconciled():
                return wrong_loss(event) or self._not_lost(event)
            case registry.AccountNoted():
                names = self.known.held if event.kind == "staff" else self.known.players
                if event.kind not in ("staff", "player") or event.name not in names:
                    return f"there is no account of {event.kind} {event.name}"
                if not self.known.is_known(event.by):
                    return f"the house does not know {event.by}"
            case _:
                pass
        return ""

    def _not_lost(self, event: registry.RecordReconciled) -> str:
        """Whether something is named as lost that the record has."""
        for row in event.lost:
            if row.stream and self.reader.hash_of(row.stream, row.version) == row.hash:
                return f"it names {row.stream} event {row.version} as lost, which is in the record"
        return ""


@dataclass(slots=True)
class StaysSaid(Said[Patronage, PatronEvent]):
    """The events of a player's own stream."""

    def check(self, step: Transition[Patronage, PatronEvent], recorded: Recorded) -> str:
        """A stay, and a device that withheld, are in the stream of the table that it was at, too."""
        before, event, _ = step
        due, at = gaming_day(self.known.house, recorded.at), recorded.at
        if event.gaming_day != due:
            return f"the gaming day is {due}"
        if isinstance(event, StayEnded):
            facts = (event.since, event.bought, event.taken, event.currency)
            self.tell(recorded, 1, ("stay", self.name, event.table, at), facts)
            return ""
        what = COUNTED
        if isinstance(event, DeviceWithheld):
            what, key = WITHHELD, ("withheld", self.name, event.table, event.device, at)
            self.tell(recorded, 1, key, event.round_number)
        self.devices.append(
            DeviceSeen(what, self.name, event.device, due, at, recorded.stream, recorded.version)
        )
        return wrong_device(before, event, self.name, recorded.actor)


@dataclass(slots=True)
class DisputeSaid(Said[d.DisputeState, d.DisputeEvent]):
    """The events of one dispute."""

    def check(self, step: Transition[d.DisputeState, d.DisputeEvent], recorded: Recorded) -> str:
        """What a dispute says of its round, and how it goes on by its book."""
        before, event, _ = step
        if isinstance(event, d.DisputeOpened):
            return self._dispute_opened(event)
        if isinstance(before, d.NoDispute):
            return "it was never opened"
        rules = self.desk.plan_of(before.opened.rulebook).book.disputes
        match event:
            case d.DisputeEscalated():
                to = "nobody" if rules is None else rules.escalates_to.value
                if event.to != to or not event.surveillance_informed:
                    return f"it goes to {to}, and Surveillance is informed"
            case d.DisputeNoted() if event.party:
                if not self._speaks_for(event.party, recorded.actor):
                    return f"{recorded.actor} does not speak for {event.party}"
            case d.TimeFrameGiven():
                if event.until != recorded.at + event.minutes * MINUTE:
                    return f"{event.minutes} minutes do not end at {event.until}"
            case d.DisputeDecided():
                bases = ("referred",) if rules is None else tuple(rules.bases)
                if event.basis not in bases or event.in_favour_of not in ("player", "house"):
                    return f"no decision for the {event.in_favour_of} by {event.basis}"
                if rules is not None and d.missing(before, rules.needs.get(event.basis)):
                    return f"the basis {event.basis} was not on file"
                if rules is not None and event.in_favour_of == "house" and not event.complaint_explained:
                    return "the player was not told that he may complain"
            case d.ComplaintFiled():
                if rules is not None and event.assisted_by not in self.known.held:
                    return f"{event.assisted_by or 'nobody'} helped him"
            case _:
                pass
        return ""

    def _speaks_for(self, party: str, actor: str) -> bool:
        """Staff write down either side's account; a player only their own; Surveillance its own evidence."""
        if actor.startswith("player/"):
            return party == d.Party.PLAYER
        if party == d.Party.SURVEILLANCE:
            return registry.SURVEILLANCE in self.known.held.get(name_of(actor), ())
        return party in (d.Party.PLAYER, d.Party.HOUSE)

    def _dispute_opened(self, event: d.DisputeOpened) -> str:
        row = self.reader.round_at(event.table, event.round_number)
        if row is None:
            return f"{event.table} has no round {event.round_number}"
        if event.rulebook != row.rulebook:
            return "the round was played by another rulebook"
        rules = self.desk.plan_of(event.rulebook).book.disputes
        known = event.referred_to in POSITIONS if rules is None else event.referred_to == rules.first.value
        if not known:
            return f"nobody refers a dispute to {event.referred_to}"
        versions, _, hashed = event.evidence[0].partition(", hash ")
        first, _, last = versions.removeprefix("events ").partition(" to ")
        found = self.reader.read(table_stream(event.table), after=int(last) - 1, until=int(last))
        if int(first) != row.first_version or [record.hash for record in found] != [hashed]:
            return f"the record of the round does not read {event.evidence[0]!r}"
        return ""


def _no_permissions(said: tuple[str, ...]) -> str:
    ranks = ranks_of(said)
    known = is_number(ranks.pop("edition", "")) and {*ranks.values()} <= POSITIONS
    return "" if known and len(ranks) == len(said) - 1 else "these are no permissions"


def _forgets(before: registry.Registry, event: registry.AnswersForgotten, recorded: Recorded) -> str:
    """Whether answers were not to be forgotten: not by whom, not so soon, or not once more."""
    if recorded.actor not in (str(SYSTEM), str(CONSOLE)):
        return f"{recorded.actor} forgets no answers"
    if recorded.at - event.before < registry.LEAST_KEPT:
        return f"answers are kept for {registry.LEAST_KEPT_DAYS} days at least"
    if event.before <= before.answers_since:
        return "answers of that time were forgotten before"
    return "" if event.done >= 0 and event.others >= 0 else "fewer answers than none are forgotten"


def _digest(document: str) -> str:
    """The hash of what a book says, however its text is spread."""
    text = json.dumps(json.loads(document), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _asked_by(event: registry.PlayerLimited | registry.PlayerExcluded, actor: str) -> str:
    """Whether a player's limits were not set by who is said to have asked for them."""
    himself = actor == f"player/{event.player}"
    if isinstance(event, registry.PlayerExcluded) and event.by_himself != himself:
        return f"it was {actor} who asked for it"
    return f"{actor} sets no limit to {event.player}" if actor.startswith("player/") and not himself else ""


def _approved(book: registry.Adopted, event: registry.RulebookApproved, actor: str) -> str:
    if event.person != name_of(actor):
        return f"approved by {event.person}, written by {actor}"
    if event.person in book.approved_by or book.withdrawn:
        return f"{event.person} had approved it, or it was withdrawn"
    in_force = len(book.approved_by) + 1 >= registry.APPROVALS_NEEDED
    return "" if event.in_force == in_force else f"it is in force with {registry.APPROVALS_NEEDED} approvals"


_KINDS: dict[str, type[Said[Any, Any]]] = {
    registry.STREAM: HouseSaid,
    "table": TableSaid,
    "link": LinkSaid,
    "dispute": DisputeSaid,
    "player": StaysSaid,
}


def statements_of(stream: str, desk: Desk, reader: Reader, known: Known) -> Said[Any, Any]:
    """What the events of a stream are held against. `known` is what the floor's own stream has said."""
    kind, _, name = stream.partition("/")
    return _KINDS[kind](desk, reader, Known() if kind == registry.STREAM else known, name)
