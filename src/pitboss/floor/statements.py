"""What events say besides money, held against the rest of the record.

Nothing here asks the rules of play what they would make of a round today: a record is held against itself.
Where two streams speak of one request each of them tells it (`Tie`), and whoever has folded both compares.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitboss.floor import disputes as d
from pitboss.floor import gaming_table as t
from pitboss.floor import jackpot, registry
from pitboss.floor import link_events as ke
from pitboss.floor import table_events as te
from pitboss.floor.codec import decode
from pitboss.floor.desk import Desk, gaming_day, table_stream
from pitboss.floor.house import rulebook_hash
from pitboss.floor.link import Link
from pitboss.floor.patrons import StayEnded
from pitboss.floor.people import at_least
from pitboss.floor.ports import Reader, Recorded
from pitboss.money import to_units
from pitboss.play import events as e
from pitboss.play.betting import jackpot_stakes
from pitboss.play.settlement import Settlement, SettlementLine
from pitboss.play.table import State
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Position

MINUTE = 60_000_000
_POSITIONS = frozenset(position.value for position in Position)
_AT_THE_TABLE = {Position.DEALER.value, Position.DEALER_INSPECTOR.value}
_OUT_OF_THE_ROUND = "the hand is out of the round"
_WHY_FIXED = ("entered first", "dealt first", "determined by the House")
_UPHELD = " was not upheld"


class Tie(NamedTuple):
    """What one of two streams says of a request, under a key that both know."""

    side: int
    key: tuple[Any, ...]
    facts: Any
    stream: str
    version: int


@dataclass(slots=True)
class Known:
    """Who was ever known to the house, with every position that each has had, and the house's clock."""

    held: dict[str, set[str]] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)
    house: registry.Registry = field(default_factory=registry.Registry)

    @classmethod
    def of(cls, reader: Reader) -> Known:
        """What the floor's own stream says."""
        known = cls()
        for recorded in reader.read(registry.STREAM):
            known.learn(decode(recorded), recorded.actor)
        return known

    def learn(self, event: Any, actor: str) -> None:
        """One event of the floor's stream more."""
        if isinstance(event, registry.PersonAdded | registry.PersonMoved):
            self.held.setdefault(event.person, set()).add(event.position)
        elif isinstance(event, registry.PlayerAdded):
            self.players.add(event.player)
        elif isinstance(event, registry.FloorCreated):
            self.house = registry.evolve_registry(self.house, event, actor)

    def is_known(self, actor: str) -> bool:
        """Whether whoever is said to have written an event was ever known to the house."""
        kind, _, name = actor.partition("/")
        if kind in ("console", "system"):
            return not name
        return name in (self.held if kind == "staff" else self.players if kind == "player" else ())

    def positions_of(self, actor: str) -> Iterable[str]:
        """Every position that whoever wrote an event has ever had; the floor itself acts for any."""
        kind, _, name = actor.partition("/")
        return _POSITIONS if kind == "system" else self.held.get(name, ())

    def no_second(self, name: str, actor: str, least: Position) -> str:
        """Whether somebody is not the second person that he is said to be."""
        fits = any(at_least(position, least.value) for position in self.held.get(name, ()))
        if fits and name != _name(actor):
            return ""
        return f"{name or 'nobody'} is no second person for what {actor} does"


def _name(actor: str) -> str:
    return actor.rpartition("/")[2]


@dataclass(slots=True)
class Statements:
    """The events of one stream held against each other, and what they say of others.

    `terms` are those of the jackpot as a table or a link has them, `awards` how many more there are by a
    request, `corrections` what a link makes of that.
    """

    desk: Desk
    reader: Reader
    known: Known
    kind: str
    name: str
    ties: list[Tie] = field(default_factory=list)
    terms: list[tuple[str, int, str, tuple[int, ...]]] = field(default_factory=list)
    awards: dict[tuple[str, int], int] = field(default_factory=dict)
    corrections: list[tuple[str, int, str, int, int]] = field(default_factory=list)
    _chips_due: tuple[str, int] | None = None
    _orders: set[tuple[Ruling, str]] = field(default_factory=set)
    _entries: list[tuple[int, Any]] = field(default_factory=list)
    _corrected: list[tuple[int, tuple[Any, ...]]] = field(default_factory=list)
    _request: tuple[int, list[Any]] = field(default_factory=lambda: (0, []))

    def wrong(self, before: Any, event: Any, after: Any, recorded: Recorded) -> str:
        """What is wrong with an event, in words, or empty."""
        if self.kind == registry.STREAM:
            self.known.learn(event, recorded.actor)
        if not self.known.is_known(recorded.actor):
            return f"the house does not know {recorded.actor}"
        if recorded.at != self._request[0]:
            self._request = (recorded.at, [])
            left, self._corrected = self._corrected, []
            if left:
                return f"entry {left[0][0]} was corrected, and nothing names it"
        checks: dict[str, Callable[[Any, Any, Any, Recorded], str]] = {
            "table": self._at_table,
            "link": self._at_link,
            "dispute": self._disputed,
            "player": self._stayed,
        }
        check = checks.get(self.kind) or self._in_the_house
        problem = check(before, event, after, recorded)
        self._request[1].append(event)
        return problem

    def _tell(self, recorded: Recorded, side: int, key: tuple[Any, ...], facts: Any) -> None:
        self.ties.append(Tie(side, key, facts, recorded.stream, recorded.version))

    # --- the floor's own stream ---------------------------------------------------------------------------

    def _in_the_house(self, before: registry.Registry, event: Any, after: Any, recorded: Recorded) -> str:
        actor = recorded.actor
        match event:
            case registry.PersonAdded() | registry.PersonMoved():
                was = before.people.get(event.person)
                said = event.before if isinstance(event, registry.PersonMoved) else None
                if event.position not in registry.POSITIONS:
                    return f"there is no position {event.position}"
                return "" if was == said else f"{event.person} was {was or 'nobody'} before"
            case registry.PersonRemoved():
                return "" if event.person in before.people else f"{event.person} had no account"
            case registry.PlayerAdded():
                return f"{event.player} was added before" if event.player in before.players else ""
            case registry.PlayerLimited() | registry.PlayerExcluded():
                return _asked_by(event, actor)
            case registry.PlayerBarred() | registry.PlayerUnbarred():
                key = ("bar", event.player, event.table, recorded.at)
                self._tell(recorded, 1, key, isinstance(event, registry.PlayerBarred))
            case registry.RulebookProposed():
                made = rulebook_hash(event.id, event.document, dict(event.readings))
                if (made, _digest(event.document)) != (event.rulebook, event.digest):
                    return "the hash is not that of the book and its readings"
            case registry.RulebookApproved():
                return _approved(before.rulebooks[event.rulebook], event, actor)
            case registry.AccountNoted():
                names = self.known.held if event.kind == "staff" else self.known.players
                if event.kind not in ("staff", "player") or event.name not in names:
                    return f"there is no account of {event.kind} {event.name}"
                if not self.known.is_known(event.by):
                    return f"the house does not know {event.by}"
            case _:
                pass
        return ""

    # --- a table ------------------------------------------------------------------------------------------

    def _at_table(self, before: t.GamingTable, event: Any, after: t.GamingTable, recorded: Recorded) -> str:
        due, self._chips_due = self._chips_due, None
        if due is not None and not isinstance(event, e.RackChanged):
            return f"play was not told of {due[1]} of {due[0]}"
        kind, _, person = recorded.actor.partition("/")
        at_tables = kind == "staff" and self.known.held[person] <= _AT_THE_TABLE
        if at_tables and person not in before.staff:
            return f"{person} is not on shift at this table"
        by = getattr(event, "by", None)
        if by is not None and str(by) not in self.known.positions_of(recorded.actor):
            return f"{recorded.actor} has never been {by}"
        return (
            self._of_the_table(before, event, after, recorded)
            or self._of_chips(before, event, after, recorded, due)
            or self._of_the_round(before, event, recorded)
            or self._of_entries(before, event, recorded)
        )

    def _of_the_table(self, before: t.GamingTable, event: Any, after: Any, recorded: Recorded) -> str:
        actor = recorded.actor
        match event:
            case te.TableOpened():
                return self._opened(event, after, recorded)
            case te.TableClosed():
                assert before.opened is not None
                if before.opened.link:
                    key = ("membership", before.opened.link, self.name, recorded.at)
                    self._tell(recorded, 0, key, "left")
            case te.StaffAssigned():
                known = event.position in self.known.held.get(event.person, ())
                return "" if known else f"{event.person} has never been {event.position}"
            case te.StaffRelieved():
                return "" if event.person in before.staff else f"{event.person} was not on shift"
            case te.SeatTaken():
                holder = before.seats.get(event.position)
                if actor.startswith("player/") and _name(actor) != event.player:
                    return f"{actor} seats {event.player}"
                return f"{holder} has the seat" if holder else ""
            case te.SeatLeft():
                holder = before.seats.get(event.position, "nobody")
                return "" if holder == event.player else f"{holder} had the seat"
            case te.Filled() | te.Credited():
                return self.known.no_second(event.witness, actor, Position.DEALER)
            case te.LimitsSet():
                limits = {str(name): tuple(row) for name, row in before.state.terms.limits.items()}
                return "" if dict(event.before) == limits else f"the limits before were {limits}"
            case te.DealingSet():
                known = event.dealt_by in (t.PERSON, t.HOUSE)
                return "" if known else f"nobody deals who is called {event.dealt_by}"
            case te.SupervisorCalled():
                if before.call is not None or event.person != _name(actor):
                    return f"called by {event.person}, written by {actor}"
            case te.CallAnswered():
                if before.call is None or event.person != _name(actor):
                    return f"answered by {event.person}, written by {actor}"
            case te.DeckSealed():
                text = event.commitments
                if base64.b64encode(base64.b64decode(text, validate=True)).decode() != text:
                    return "the commitments are not written as they are made"
            case _:
                pass
        return ""

    def _opened(self, event: te.TableOpened, after: t.GamingTable, recorded: Recorded) -> str:
        book = after.state.plan.book
        if event.link:
            self._tell(recorded, 0, ("membership", event.link, self.name, recorded.at), "joined")
        if event.link and event.jackpot is not None:
            self._has_terms(recorded, event.link, event.jackpot)
        layout = next((row for row in book.layouts if row.name == event.layout), None)
        wagers = {str(wager.name) for wager in after.state.plan.wagers}
        checks = {
            "gaming_day": event.gaming_day == gaming_day(self.known.house, recorded.at),
            "layout": layout is not None,
            "positions": layout is None or event.positions <= layout.positions[1],
            "limits": all(
                name in wagers and len(row) == 2 and 0 < row[0] <= row[1]
                for name, row in event.limits.items()
            ),
            "cards": event.cards in (t.VIRTUAL, t.PHYSICAL),
            "practice": event.practice == (event.currency == t.PRACTICE_CURRENCY),
            "decision_seconds": 1 <= event.decision_seconds <= 3600,
            "chip": event.chip == book.house.chip,
            "jackpot": (event.jackpot is not None and event.jackpot.linked)
            if event.link
            else event.jackpot is None,
            "checklist": set(event.checklist) <= {item.name for item in book.equipment},
        }
        return ", ".join(f"no table opens with this {what}" for what, holds in checks.items() if not holds)

    def _has_terms(self, recorded: Recorded, link: str, terms: Any) -> None:
        """A table knows a jackpot by terms that it has had."""
        facts = (int(terms.unit), int(terms.reset), terms.increment_bp)
        self.terms.append((recorded.stream, recorded.version, link, facts))

    def _of_chips(
        self,
        before: t.GamingTable,
        event: Any,
        after: t.GamingTable,
        recorded: Recorded,
        due: tuple[str, int] | None,
    ) -> str:
        match event:
            case te.BoughtIn():
                self._chips_due = (event.player, event.amount)
                worth = te.worth(event.chips)
                return "" if worth == event.amount > 0 else f"chips worth {worth} for {event.amount}"
            case te.DebtRecorded():
                self._chips_due = (event.player, event.amount)
            case te.CashedOut():
                self._chips_due = (event.player, -event.amount)
                left = before.state.racks.get(event.player, 0) - event.amount
                if event.leaves and event.player in before.stays and before.opened is not None:
                    stay = before.stays[event.player]
                    taken = stay.taken + event.amount
                    facts = (stay.since, stay.bought, taken, before.opened.currency)
                    self._tell(recorded, 0, ("stay", event.player, self.name, recorded.at), facts)
                if event.leaves != (not left):
                    return f"{event.player} has {left} left at the table"
            case e.RackChanged():
                if due != (event.player, event.amount):
                    return f"the chips that moved are {due}"
            case e.GamingDayBegun():
                day = gaming_day(self.known.house, recorded.at)
                return "" if event.day == day else f"the gaming day is {day}"
            case _:
                pass
        return ""

    def _of_the_round(self, before: t.GamingTable, event: Any, recorded: Recorded) -> str:
        link = before.opened.link if before.opened is not None else ""
        state = before.play
        if state is None:
            return ""
        here = (link, self.name, state.round_number, recorded.at)
        match event:
            case e.BetsClosed():
                stake, terms = jackpot_stakes(state), state.terms.jackpot
                due = 0 if terms is None else stake * terms.increment_bp
                if event.contribution != due:
                    return f"contribution {event.contribution} instead of {due}"
                if link and stake:
                    self._tell(recorded, 0, ("contribution", *here), (stake, event.contribution))
            case e.JackpotTermsSet():
                self._has_terms(recorded, link, event)
            case e.MeterRead():
                self._tell(recorded, 0, ("meter", link, self.name, recorded.at), (event.meter, event.reset))
            case te.Interrupted():
                if event.round_number != state.round_number:
                    return f"round {state.round_number} was in play"
            case e.StepDone() | e.PlaceRevealed() | e.CardTurnedUp():
                return _not_by_procedure(state, event)
            case e.RoundSettled() | e.RoundVoided():
                self._count_awards(recorded, event.settlement, 1)
                return _not_whole(state, event.settlement, void=isinstance(event, e.RoundVoided))
            case e.SettlementReversed():
                if state.settlement is not None:
                    self._count_awards(recorded, state.settlement, -1)
            case e.HandRemoved():
                return self._removed(state, event)
            case e.JackpotClaimed():
                assert before.opened is not None
                facts = (event.hands, before.dealt_at, before.opened.rulebook)
                self._tell(recorded, 0, ("claim", *here), facts)
            case e.JackpotClaimDropped():
                self._tell(recorded, 0, ("rejection", *here), event.reason)
            case e.StandingOrder() | e.OrderLifted():
                return self._ordered(event, recorded)
            case _:
                pass
        return ""

    def _count_awards(self, recorded: Recorded, settlement: Settlement, sign: int) -> None:
        if settlement.jackpot is not None:
            shares = sum(award.from_meter for award in settlement.jackpot.awards)
            place = (self.name, recorded.at)
            self.awards[place] = self.awards.get(place, 0) + sign * shares

    def _ordered(self, event: e.StandingOrder | e.OrderLifted, recorded: Recorded) -> str:
        player = event.order in (Ruling.BAR, Ruling.RESTRICT)
        if player and event.argument not in self.known.players:
            return f"no {event.order.value} of {event.argument}"
        order = (event.order, event.argument)
        if isinstance(event, e.StandingOrder):
            self._orders.add(order)
        elif order not in self._orders:
            return f"no {event.order.value} of {event.argument} stood"
        else:
            self._orders.discard(order)
        if event.order is Ruling.BAR:
            key = ("bar", event.argument, self.name, recorded.at)
            self._tell(recorded, 0, key, isinstance(event, e.StandingOrder))
        return ""

    def _removed(self, state: State, event: e.HandRemoved) -> str:
        if self._stayed_in(event.position):
            return f"position {event.position} stays"
        terms, wager = state.terms.jackpot, None if state.plan.jackpot is None else state.plan.jackpot.wager
        box = state.boxes.get(event.position)
        most = 0 if terms is None or wager is None or box is None else box.stake(wager) * terms.increment_bp
        return (
            "" if event.contribution in (0, most) else f"contribution {event.contribution} instead of {most}"
        )

    def _stayed_in(self, position: int) -> bool:
        return any(
            isinstance(other, e.OptionTaken) and other.stays and other.position == position
            for other in self._request[1]
        )

    # --- entries, and what is wrong with them -------------------------------------------------------------

    def _of_entries(self, before: t.GamingTable, event: Any, recorded: Recorded) -> str:
        if before.play is None:
            return ""
        state, actor = before.play, recorded.actor
        match event:
            case e.BetsOpened():
                self._entries.clear()
            case e.CardEntered():
                self._entries.append((recorded.version, event))
                parts = state.plan.book.cards.parts
                known = event.place in ("dealer", "community", "burned", *parts, *map(str, state.boxes))
                return "" if known else f"no {event.card.code} lies at {event.place}"
            case e.RoundSettled():
                self._entries.append((recorded.version, event))
            case e.DecisionMade() | e.PlayerAbsent() | e.ComparisonDeclined():
                self._entries.append((recorded.version, event))
                return self._not_decided(state, event) or _not_his(state, event.position, actor)
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
                stays = self._stayed_in(event.position)
                return f"position {event.position} stays, and takes a wager back" if stays else ""
            case e.RoundSuspended():
                if event.suspension.kind not in {row.kind for row in state.plan.book.remedies}:
                    return f"the book has no row {event.suspension.kind}"
                return _all_play(state, event.suspension.positions, actor)
            case e.CardCorrected() | e.DecisionTakenBack() | e.SettlementReversed():
                return self._corrects(event, recorded)
            case te.EntryCorrected():
                return self._names_entry(event)
            case e.IrregularityReported():
                rows = {(row.kind, row.mode, row.remedy) for row in state.plan.book.remedies}
                known = (event.kind, event.mode, event.remedy) in rows
                return "" if known else f"the book has no row {event.kind}, {event.mode}, {event.remedy}"
            case _:
                pass
        return ""

    def _not_decided(self, state: State, event: Any) -> str:
        if isinstance(event, e.ComparisonDeclined):
            return ""
        if event.decision not in [decision.name for decision in state.plan.decisions]:
            return f"nobody decides on {event.decision}"
        if isinstance(event, e.PlayerAbsent):
            return ""
        if event.choice not in ("bet", "check", "fold", "continue"):
            return f"nobody decides {event.choice}"
        placed = any(
            isinstance(other, e.WagerPlaced) and other.position == event.position
            for other in self._request[1]
        )
        if placed == (event.choice == "bet"):
            return ""
        return f"position {event.position} has {'placed' if placed else 'no'} wager with its choice"

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
        self._corrected.append((version, tuple(getattr(event, "clauses", ()))))
        chose = (old.decision, old.choice) if isinstance(old, e.DecisionMade) else None
        if isinstance(event, e.DecisionTakenBack) and chose not in (None, (event.decision, event.choice)):
            return f"it chose to {old.choice} on {old.decision}"
        return ""

    def _names_entry(self, event: te.EntryCorrected) -> str:
        if not self._corrected:
            return "nothing was corrected"
        version, clauses = self._corrected.pop(0)
        if event.corrects != version:
            return f"what was corrected is entry {version}"
        return "" if event.clauses == clauses else "it cites other clauses than its cause"

    # --- a link -------------------------------------------------------------------------------------------

    def _at_link(self, before: Link, event: Any, after: Link, recorded: Recorded) -> str:
        actor, at = recorded.actor, recorded.at
        match event:
            case ke.LinkOpened() | ke.ParametersTaken():
                if isinstance(event, ke.ParametersTaken) and event.parameters != before.planned:
                    return "these parameters were not planned"
                self._has_terms(recorded, "", event.parameters)
            case ke.OpeningApproved() | ke.Transferred():
                return self.known.no_second(event.approved_by, actor, Position.SHIFT_MANAGER)
            case ke.ParametersPlanned():
                if event.before != before.terms:
                    return f"the parameters before were {before.terms}"
                return self.known.no_second(event.approved_by, actor, Position.SHIFT_MANAGER)
            case ke.MemberJoined() | ke.MemberLeft():
                what = "joined" if isinstance(event, ke.MemberJoined) else "left"
                self._tell(recorded, 1, ("membership", self.name, event.table, at), what)
            case ke.Contributed():
                return self._contributed(before, event, after, recorded)
            case ke.ContributionReturned():
                due = jackpot.give_back(
                    before, table=event.table, round_number=event.round_number, total=event.total
                )
                return "" if due == (event,) else f"what comes back is {due[0] if due else 'nothing'}"
            case ke.ClaimEntered() | ke.ClaimFixed() | ke.ClaimPaid() | ke.ClaimEnded():
                return self._claimed(before, event, recorded)
            case ke.AwardCorrected():
                place = (recorded.stream, recorded.version, event.table, at, event.hits)
                self.corrections.append(place)
                hits = {(hit.table, hit.round_number) for hit in before.history}
                known = (event.table, event.round_number) in hits
                return "" if known else f"{event.table} has won nothing in round {event.round_number}"
            case ke.LinkFailed():
                same = event.registered == before.meter
                return "" if same else f"{event.registered} registered, the meter stands at {before.meter}"
            case ke.LinkRestored():
                return "" if event.by == actor else f"restored by {event.by}, written by {actor}"
            case _:
                pass
        return ""

    def _contributed(self, before: Link, event: ke.Contributed, after: Link, recorded: Recorded) -> str:
        here = (self.name, event.table)
        key = ("contribution", *here, event.round_number, recorded.at)
        self._tell(recorded, 1, key, (event.stake, event.meter + event.overflow))
        self._tell(recorded, 1, ("meter", *here, recorded.at), (after.meter, after.terms.reset))
        terms = before.terms
        if event.table not in before.members:
            return f"{event.table} is not a member"
        if event.stake > terms.most_stake:
            return f"a stake of {event.stake} is over {terms.most_stake}"
        ceiling = None if terms.ceiling is None else to_units(terms.ceiling)
        if ceiling is not None and event.meter and after.meter > ceiling:
            return f"the meter goes to {after.meter}, over {ceiling}"
        if event.overflow and (ceiling is None or after.meter < ceiling):
            return f"{event.overflow} overflows with the meter at {after.meter}"
        due = event.stake * terms.reserve_bp
        return "" if event.reserve == due else f"reserve {event.reserve} instead of {due}"

    def _claimed(self, before: Link, event: Any, recorded: Recorded) -> str:
        actor, at = recorded.actor, recorded.at
        if isinstance(event, ke.ClaimEntered):
            key = ("claim", self.name, event.table, event.round_number, at)
            self._tell(recorded, 1, key, (event.hands, event.dealt_at, event.rulebook))
            due = before.claims_entered + 1
            return "" if event.claim == due else f"claim {event.claim} follows claim {due - 1}"
        claim = before.claims[event.claim]
        if isinstance(event, ke.ClaimFixed):
            if event.why not in _WHY_FIXED and not event.why.endswith(_UPHELD):
                return f"nothing is fixed for being {event.why!r}"
            made = jackpot.fix(before, claim, self.desk.plan_of(claim.rulebook), why=event.why)
            for name in ("displayed", "reset", "shares", "after", "from_reserve", "from_house", "resets"):
                if getattr(event, name) != getattr(made, name):
                    return f"{name} is {getattr(event, name)}, due is {getattr(made, name)}"
            return ""
        if isinstance(event, ke.ClaimPaid):
            assert claim.fixed is not None
            fixed = (claim.fixed.displayed, claim.fixed.reset)
            self._tell(recorded, 1, ("meter", self.name, claim.table, at), fixed)
            due = before.slips + 1
            return "" if event.slip == due else f"slip {event.slip} follows slip {before.slips}"
        if event.by not in (_name(actor), actor):
            return f"ended by {event.by}, written by {actor}"
        if event.reason != _OUT_OF_THE_ROUND:
            key = ("rejection", self.name, claim.table, claim.round_number, at)
            self._tell(recorded, 1, key, event.reason)
        return ""

    # --- disputes and players -----------------------------------------------------------------------------

    def _stayed(self, before: Any, event: StayEnded, after: Any, recorded: Recorded) -> str:
        facts = (event.since, event.bought, event.taken, event.currency)
        self._tell(recorded, 1, ("stay", self.name, event.table, recorded.at), facts)
        due = gaming_day(self.known.house, recorded.at)
        return "" if event.gaming_day == due else f"the gaming day is {due}"

    def _disputed(self, before: d.Dispute, event: Any, after: d.Dispute, recorded: Recorded) -> str:
        if isinstance(event, d.DisputeOpened):
            return self._dispute_opened(event)
        opened = before.opened
        if opened is None:
            return "it was never opened"
        rules = self.desk.plan_of(opened.rulebook).book.disputes
        match event:
            case d.DisputeEscalated():
                to = "nobody" if rules is None else rules.escalates_to.value
                if event.to != to or not event.surveillance_informed:
                    return f"it goes to {to}, and Surveillance is informed"
            case d.TimeFrameGiven():
                if event.until != recorded.at + event.minutes * MINUTE:
                    return f"{event.minutes} minutes do not end at {event.until}"
            case d.DisputeDecided():
                bases = ("referred",) if rules is None else tuple(rules.bases)
                if event.basis not in bases or event.in_favour_of not in ("player", "house"):
                    return f"no decision for the {event.in_favour_of} by {event.basis}"
                if rules is not None and event.in_favour_of == "house" and not event.complaint_explained:
                    return "the player was not told that he may complain"
            case d.ComplaintFiled():
                if rules is not None and event.assisted_by not in self.known.held:
                    return f"{event.assisted_by or 'nobody'} helped him"
            case _:
                pass
        return ""

    def _dispute_opened(self, event: d.DisputeOpened) -> str:
        row = self.reader.round_at(event.table, event.round_number)
        if row is None:
            return f"{event.table} has no round {event.round_number}"
        if event.rulebook != row.rulebook:
            return "the round was played by another rulebook"
        rules = self.desk.plan_of(event.rulebook).book.disputes
        known = event.referred_to in _POSITIONS if rules is None else event.referred_to == rules.first.value
        if not known:
            return f"nobody refers a dispute to {event.referred_to}"
        versions, _, hashed = event.evidence[0].partition(", hash ")
        first, _, last = versions.removeprefix("events ").partition(" to ")
        found = self.reader.read(table_stream(event.table), after=int(last) - 1, until=int(last))
        if int(first) != row.first_version or [record.hash for record in found] != [hashed]:
            return f"the record of the round does not read {event.evidence[0]!r}"
        return ""


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
    if event.person != _name(actor):
        return f"approved by {event.person}, written by {actor}"
    if event.person in book.approved_by or book.withdrawn:
        return f"{event.person} had approved it, or it was withdrawn"
    in_force = len(book.approved_by) + 1 >= registry.APPROVALS_NEEDED
    return "" if event.in_force == in_force else f"it is in force with {registry.APPROVALS_NEEDED} approvals"


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


def _not_by_procedure(state: State, event: e.StepDone | e.PlaceRevealed | e.CardTurnedUp) -> str:
    """Whether the procedure has no such step there."""
    steps = state.terms.procedure.steps
    if isinstance(event, e.CardTurnedUp):
        ups = [(step.turn_up, step.card) for step in steps if step.turn_up is not None]
        return "" if (event.place, event.number) in ups else "no such card is turned up"
    if isinstance(event, e.StepDone):
        due = next((place for place, step in enumerate(steps) if step.decide is not None), len(steps))
        return "" if event.step == due else f"the first deal ends with step {due}"
    following = [(step.reveal, at) for at, step in enumerate(steps, 1) if at > state.step and step.reveal]
    if following and (event.place, event.step) == following[0]:
        return ""
    place, at = following[0] if following else ("nothing", 0)
    return f"{place} is revealed next, as step {at}"


def _not_whole(state: State, settlement: Settlement, *, void: bool) -> str:
    """Whether the lines of a settlement do not fit together, or are of nobody who plays."""
    moves = settlement.movements
    total = sum(moves.players.values()) + moves.table_float + moves.house + moves.meter
    if total:
        return f"the settlement's movements add up to {total}"
    wagers = {wager.name for wager in state.plan.wagers}
    for seat in settlement.seats:
        box = state.boxes.get(seat.position)
        if box is None or box.player != seat.player:
            return f"{seat.player} does not play at position {seat.position}"
        lines = [*seat.lines, *(line for owner in seat.owners for line in owner.lines)]
        for line in lines:
            if line.wager not in wagers or not _adds_up(line) or (void and (line.collected or line.paid)):
                return f"position {seat.position} {line.wager}: the line does not add up"
        if seat.owners and _summed(seat.lines) != _summed(lines[len(seat.lines) :]):
            return f"the owners of position {seat.position} do not get what the position has"
        owners = {owner for stakes in (box.stakes, box.forfeited) for by in stakes.values() for owner in by}
        if box.removal is not None:
            owners |= {owner for by in box.removal.stakes.values() for owner in by}
        for owner in seat.owners:
            if owner.player not in owners:
                return f"{owner.player} has no share of position {seat.position}"
    return _not_awarded(settlement)


def _adds_up(line: SettlementLine) -> bool:
    amounts = (line.stake, line.returned, line.collected, line.paid)
    return line.stake == line.returned + line.collected and min(amounts) >= 0


def _summed(lines: Iterable[SettlementLine]) -> dict[tuple[str, str], int]:
    sums: dict[tuple[str, str], int] = {}
    for line in lines:
        for name in ("stake", "returned", "collected", "paid"):
            sums[line.wager, name] = sums.get((line.wager, name), 0) + getattr(line, name)
    return {place: amount for place, amount in sums.items() if amount}


def _not_awarded(settlement: Settlement) -> str:
    found = settlement.jackpot
    if found is None:
        return ""
    paid = sum(to_units(award.amount) for award in found.awards if award.from_meter)
    moved = found.house_funded - paid - found.reversed_contributions
    if found.after - found.before != moved:
        return f"the meter goes from {found.before} to {found.after}, moved is {moved}"
    seats = {seat.position: seat.player for seat in settlement.seats}
    strangers = [award for award in found.awards if seats.get(award.position) != award.player]
    return f"an award of {strangers[0].player} at another's position" if strangers else ""


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


def untied(ties: Iterable[Tie]) -> list[tuple[str, int, str]]:
    """Where two streams do not say the same of a request: the event of the one that is asked, and what."""
    told: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = {}
    where: dict[tuple[Any, ...], Tie] = {}
    for tie in ties:
        told.setdefault(tie.key, ([], []))[tie.side].append(tie.facts)
        if tie.side or tie.key not in where:
            where[tie.key] = tie
    return [
        (
            where[key].stream,
            where[key].version,
            f"of this {key[0]} one stream says {one or 'nothing'}, the other {other or 'nothing'}",
        )
        for key, (one, other) in told.items()
        if one != other
    ]
