"""What the events of a table say besides money: persons, places, chips, the procedure, the settlement.

Nothing here asks the rules of play what they would make of a round today: a record is held against itself.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from pitboss.floor import gaming_table as t
from pitboss.floor import table_events as te
from pitboss.floor.authority import WITHDRAWAL
from pitboss.floor.desk import gaming_day
from pitboss.floor.entries import Entries, stayed_in
from pitboss.floor.entropy_statements import COMMITTED, DeviceSeen, undealt_order, wrong_entropy
from pitboss.floor.people import at_least
from pitboss.floor.ports import Recorded
from pitboss.floor.said import Said, name_of
from pitboss.floor.slips import BY_PLAYER
from pitboss.floor.whole_settlements import not_whole
from pitboss.play import events as e
from pitboss.play.betting import jackpot_stakes
from pitboss.play.dealing import hands_in_order
from pitboss.play.evolve import evolve
from pitboss.play.settlement import Settlement
from pitboss.play.table import Stage, State
from pitboss.play.unnoticed import AFTER_THE_DEAL, unnoticed_clauses
from pitboss.rulebooks.trouble import DIMENSIONS, Ruling
from pitboss.rulebooks.vocabulary import Duty, Position

_AT_THE_TABLE = {Position.DEALER.value, Position.DEALER_INSPECTOR.value}
_AT_ANY_MOMENT = frozenset().union(*DIMENSIONS["moment"])
_SETTLED = DIMENSIONS["moment"][2]


@dataclass(slots=True)
class TableSaid(Said):
    """The events of one table."""

    entries: Entries = field(default_factory=Entries)
    _chips_due: tuple[str, int] | None = None
    _orders: set[tuple[Ruling, str]] = field(default_factory=set)

    def left(self) -> str:
        """What a request has corrected and not named, and a hand that left without its stakes."""
        back = (e.HandRemoved, e.WagerWithdrawn, e.ShareReturned)
        left = [event for event in self.request if isinstance(event, e.OptionTaken) and not event.stays]
        if left and not any(isinstance(event, back) for event in self.request):
            return f"position {left[0].position} left, and nothing went back to it"
        return self.entries.left() or undealt_order(self.request)

    def check(self, before: t.GamingTable, event: Any, after: t.GamingTable, recorded: Recorded) -> str:
        """What the events of a table are held against."""
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
            or self._of_entropy(before, event, recorded)
            or self.entries.wrong(before, event, recorded, self.request)
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
                    self.tell(recorded, 0, key, "left")
            case te.StaffAssigned():
                known = event.position in self.known.held.get(event.person, ())
                return "" if known else f"{event.person} has never been {event.position}"
            case te.StaffRelieved():
                return "" if event.person in before.staff else f"{event.person} was not on shift"
            case te.SeatTaken():
                holder = before.seats.get(event.position)
                if actor.startswith("player/") and name_of(actor) != event.player:
                    return f"{actor} seats {event.player}"
                return f"{holder} has the seat" if holder else ""
            case te.SeatLeft():
                holder = before.seats.get(event.position, "nobody")
                return "" if holder == event.player else f"{holder} had the seat"
            case te.Filled() | te.Credited():
                request = "fill" if isinstance(event, te.Filled) else "credit"
                return self.known.no_second(event.witness, recorded, request)
            case te.LimitsSet():
                limits = {str(name): tuple(row) for name, row in before.state.terms.limits.items()}
                return "" if dict(event.before) == limits else f"the limits before were {limits}"
            case te.DealingSet():
                known = event.dealt_by in (t.PERSON, t.HOUSE)
                return "" if known else f"nobody deals who is called {event.dealt_by}"
            case te.SupervisorCalled():
                if before.call is not None or event.person != name_of(actor):
                    return f"called by {event.person}, written by {actor}"
            case te.CallAnswered():
                if before.call is None or event.person != name_of(actor):
                    return f"answered by {event.person}, written by {actor}"
            case te.DeckSealed() | te.CommitmentsSealed():
                text = event.commitments
                if base64.b64encode(base64.b64decode(text, validate=True)).decode() != text:
                    return "the commitments are not written as they are made"
            case _:
                pass
        return ""

    def _opened(self, event: te.TableOpened, after: t.GamingTable, recorded: Recorded) -> str:
        book = after.state.plan.book
        if event.link:
            self.tell(recorded, 0, ("membership", event.link, self.name, recorded.at), "joined")
        if event.link and event.jackpot is not None:
            self.has_terms(recorded, event.link, event.jackpot)
        seats = after.state.plan.seat_ranges.get(event.layout)
        wagers = {str(wager.name) for wager in after.state.plan.wagers}
        checks = {
            "gaming_day": event.gaming_day == gaming_day(self.known.house, recorded.at),
            "layout": seats is not None,
            "positions": seats is None or event.positions <= seats[1],
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
            "slips_by": event.slips_by in ("", BY_PLAYER),
        }
        return ", ".join(f"no table opens with this {what}" for what, holds in checks.items() if not holds)

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
            case te.DebtReduced():
                self._chips_due = (event.player, -event.amount)
                owed = before.debts.get(event.player, 0)
                return "" if 0 < event.amount <= owed else f"{event.player} owes {owed} for this round"
            case te.CashedOut():
                self._chips_due = (event.player, -event.amount)
                left = before.state.racks.get(event.player, 0) - event.amount
                if event.leaves and event.player in before.stays and before.opened is not None:
                    stay = before.stays[event.player]
                    taken = stay.taken + event.amount
                    facts = (stay.since, stay.bought, taken, before.opened.currency)
                    self.tell(recorded, 0, ("stay", event.player, self.name, recorded.at), facts)
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
                    self.tell(recorded, 0, ("contribution", *here), (stake, event.contribution))
            case e.UnnoticedWagerEntered():
                return self._unnoticed(state, event, recorded, here)
            case e.DutyDone():
                return _no_duty(state, event)
            case e.JackpotHandLeft():
                return _no_hand_left(state, event)
            case e.ExcessRejected():
                return self._no_excess(state, event)
            case e.JackpotBetsStopped():
                told = [other for other in self.request if isinstance(other, e.IrregularityReported)]
                same = bool(told) and told[-1].clauses == event.clauses
                return "" if same else "no report stops them by these clauses"
            case e.IrregularityReported():
                return self._signed(state, event, recorded)
            case e.JackpotTermsSet():
                self.has_terms(recorded, link, event)
            case e.MeterRead():
                facts = (event.meter, event.reset, event.unmeasured)
                self.tell(recorded, 0, ("meter", *here), facts)
            case te.Interrupted():
                if event.round_number != state.round_number:
                    return f"round {state.round_number} was in play"
            case e.StepDone() | e.PlaceRevealed() | e.CardTurnedUp():
                return _not_by_procedure(state, event)
            case e.RoundSettled() | e.RoundVoided():
                self._count_awards(recorded, event.settlement, 1)
                return not_whole(state, event.settlement, void=isinstance(event, e.RoundVoided))
            case e.SettlementReversed():
                if state.settlement is not None:
                    self._count_awards(recorded, state.settlement, -1)
            case e.HandRemoved():
                return self._removed(state, event)
            case e.JackpotClaimed():
                assert before.opened is not None
                claimed = (event.hands, before.dealt_at, before.opened.rulebook, event.returned, event.others)
                self.tell(recorded, 0, ("claim", *here), claimed)
            case e.JackpotClaimDropped():
                self.tell(recorded, 0, ("rejection", *here), event.reason)
            case e.StandingOrder() | e.OrderLifted():
                return self._ordered(event, recorded)
            case _:
                pass
        return ""

    def _of_entropy(self, before: t.GamingTable, event: Any, recorded: Recorded) -> str:
        """Devices that commit and those that withheld are in the streams of their players, too."""
        day = gaming_day(self.known.house, recorded.at)
        problem = self._counts_as_house(before, event, recorded)
        if problem:
            return problem
        if isinstance(event, te.EntropyCommitted):
            seen = DeviceSeen(
                COMMITTED, event.player, event.device, day, recorded.at, recorded.stream, recorded.version
            )
            self.devices.append(seen)
        elif isinstance(event, te.OrderComposed):
            for left in event.withheld:
                key = ("withheld", left.player, self.name, left.device, recorded.at)
                self.tell(recorded, 0, key, before.state.round_number)
        return wrong_entropy(before, event, recorded)

    def _counts_as_house(self, before: t.GamingTable, event: Any, recorded: Recorded) -> str:
        """Players whose stakes staff enter have no device in the order of the deck."""
        if not self.known.asks_for(recorded.at, f"{WITHDRAWAL}/second"):
            return ""
        if isinstance(event, te.EntropyCommitted) and event.player in before.entered_for:
            return f"staff have entered stakes of {event.player}, whose device commits"
        if not isinstance(event, e.WagerPlaced) or not recorded.actor.startswith("staff/"):
            return ""
        committed = any(device.player == event.player for device in before.devices)
        late = committed and before.state.stage is Stage.BETTING
        return f"staff enter a stake of {event.player}, whose device has committed" if late else ""

    def _unnoticed(
        self, state: State, event: e.UnnoticedWagerEntered, recorded: Recorded, here: tuple[Any, ...]
    ) -> str:
        """A stake of the close, entered later: what it adds to the meter, and who answers for it."""
        stake = jackpot_stakes(evolve(state, event)) - jackpot_stakes(state)
        due = 0 if state.terms.jackpot is None else stake * state.terms.jackpot.increment_bp
        if event.contribution != due:
            return f"contribution {event.contribution} instead of {due}"
        if state.terms.strict_limits or state.stage not in (Stage.CLOSED, Stage.PLAYING):
            return "no stake can have lain there unnoticed"
        if here[0] and stake:
            self.tell(recorded, 0, ("contribution", *here), (stake, event.contribution))
        if event.clauses != unnoticed_clauses(state.plan):
            return "entered by other clauses"
        if state.stage is Stage.CLOSED and not event.approved_by:
            return ""
        if state.stage is Stage.CLOSED:
            return self._signs(event.approved_by, recorded, Position.DEALER)
        if not at_least(event.by.value, AFTER_THE_DEAL.value):
            return f"a {event.by.value} enters no stake once cards are dealt"
        return self.known.no_second(event.approved_by, recorded, "enter-unnoticed")

    def _signs(self, name: str, recorded: Recorded, least: Position) -> str:
        """Whether somebody is not the second person that they are said to be."""
        fits = any(at_least(rank, least.value) for rank in self.known.held.get(name, ()))
        if fits and name != name_of(recorded.actor):
            return ""
        return f"{name or 'nobody'} is no second person for what {recorded.actor} does"

    def _signed(self, state: State, event: e.IrregularityReported, recorded: Recorded) -> str:
        """What touches a settled round again takes two persons, where the book's rows say so."""
        said = (event.mode, event.remedy)
        rows = [
            row
            for row in state.plan.remedies[event.kind]
            if (row.mode, row.remedy) == said and _AT_ANY_MOMENT.isdisjoint(set(row.when) - _SETTLED)
        ]
        needed = state.stage is Stage.SETTLED and bool(rows) and all(row.second_signature for row in rows)
        if not event.approved_by and (not needed or recorded.actor == "system"):
            return ""
        return self._signs(event.approved_by, recorded, Position.PIT_SUPERVISOR)

    def _no_excess(self, state: State, event: e.ExcessRejected) -> str:
        placed = [other for other in self.request if isinstance(other, e.WagerPlaced)]
        said = (event.position, event.player, event.wager)
        if not placed or (placed[-1].position, placed[-1].player, placed[-1].wager) != said:
            return "nothing was placed that it is the excess of"
        same = event.clauses == state.plan.limits.over_maximum.placing_clauses
        return "" if same else "rejected by other clauses"

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
            self.tell(recorded, 0, key, isinstance(event, e.StandingOrder))
        return ""

    def _removed(self, state: State, event: e.HandRemoved) -> str:
        if stayed_in(self.request, event.position):
            return f"position {event.position} stays"
        terms, wager = state.terms.jackpot, None if state.plan.jackpot is None else state.plan.jackpot.wager
        box = state.boxes.get(event.position)
        most = 0 if terms is None or wager is None or box is None else box.stake(wager) * terms.increment_bp
        return (
            "" if event.contribution in (0, most) else f"contribution {event.contribution} instead of {most}"
        )


def _no_hand_left(state: State, event: e.JackpotHandLeft) -> str:
    rule, jackpot = state.plan.duty(Duty.LEAVE_JACKPOT_HAND), state.plan.jackpot
    box = state.boxes.get(event.position)
    if rule is None or event.clauses != rule.clauses:
        return "the book knows no hand that is left face up by these clauses"
    at_stake = jackpot is not None and box is not None and box.stake(jackpot.wager)
    return "" if at_stake else f"position {event.position} plays for no jackpot"


def _no_duty(state: State, event: e.DutyDone) -> str:
    """Whether the book has no such duty, or a new pack was not due."""
    rule = state.plan.duty(event.duty)
    if rule is None or tuple(rule.clauses) != tuple(event.clauses):
        return f"the book knows no duty {event.duty.value} by these clauses"
    if event.duty is Duty.NEW_PACK and not state.memory.new_pack_due:
        return "no new pack was due"
    own = {box.position for box in hands_in_order(state) if box.player == event.player}
    if not event.player or set(event.positions) == own:
        return ""
    return f"{event.player} plays hands at {sorted(own)}"


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
