"""A table on the floor: what it was opened with, who works and sits there, its float, and its rounds.

Its stream holds what happens at the table on the floor's side together with the events of play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.errors import check
from pitboss.floor.accounts import TableAccounts
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.table_events import (
    AnyTableEvent,
    BoughtIn,
    CallAnswered,
    CardsDrawn,
    CashedOut,
    CommitmentsSealed,
    Credited,
    DealingSet,
    DebtRecorded,
    DeckSealed,
    EntryCorrected,
    Filled,
    Interrupted,
    LimitsSet,
    Opening,
    PayoutSlip,
    SeatLeft,
    SeatTaken,
    StaffAssigned,
    StaffRelieved,
    SupervisorCalled,
    TableClosed,
    TableOpened,
)
from pitboss.money import NOTHING, Cents
from pitboss.play import events as play_events
from pitboss.play.carry import carried_on, carry
from pitboss.play.dealing import outstanding
from pitboss.play.evolve import evolve
from pitboss.play.facts import Limit
from pitboss.play.refusal import Refusal
from pitboss.play.table import Stage, State, Terms, open_table
from pitboss.rulebooks.plan import Plan, WagerName
from pitboss.rulebooks.trouble import Irregularity

PHYSICAL, VIRTUAL = "physical", "virtual"
PERSON, HOUSE = "person", "house"
PRACTICE_CURRENCY = "XTS"
"""The code that stands for no money at all: chips of a practice table are worth nothing."""


class Stay(NamedTuple):
    """A player at the table: since when, what he has bought and what he has cashed."""

    since: Micros
    bought: Cents
    taken: Cents


class Call(NamedTuple):
    """Somebody of the pit is wanted: by whom, since when, what for."""

    person: str
    since: Micros
    reason: str


class GamingTable(NamedTuple):
    """The fold of a table's stream. `drawn` are the openings of this round's cards.

    `decision_since` is when the decision now outstanding (`decision`) came up. `jackpot_failed` tells that
    staff have reported the table's jackpot, and the House has not said yet how it goes on. `drop` is what was
    bought in since the table was opened; `since` is when the round came to where it stands. `slips` is how
    many payout slips the table has made; `round_slips` are those of this round that stand.
    """

    table: str
    opened: TableOpened | None = None
    is_open: bool = False
    play: State | None = None
    staff: Mapping[str, str] = MappingProxyType({})
    seats: Mapping[int, str] = MappingProxyType({})
    stays: Mapping[str, Stay] = MappingProxyType({})
    drawn: tuple[Opening, ...] = ()
    sealed: CommitmentsSealed | DeckSealed | None = None
    round_first_version: int = 0
    round_opened_at: Micros = Micros(0)
    dealt_at: Micros | None = None
    jackpot_failed: bool = False
    decision: str = ""
    decision_since: Micros = Micros(0)
    dealing: DealingSet | None = None
    first_wager_at: Micros | None = None
    call: Call | None = None
    drop: Cents = NOTHING
    since: Micros = Micros(0)
    slips: int = 0
    round_slips: tuple[PayoutSlip, ...] = ()

    @property
    def bets_end_at(self) -> Micros | None:
        """Until when bets are open at a table that the house's clock deals; None at any other time.

        It is the end of the period in which the first stake was laid: who bets alone and late has his time,
        and who places and takes back wagers gains none.
        """
        if self.dealing is None or self.play is None or self.play.stage is not Stage.BETTING:
            return None
        period = self.dealing.betting_seconds * SECOND
        first = self.round_opened_at if self.first_wager_at is None else self.first_wager_at
        return Micros(self.round_opened_at + max(1, -(-(first - self.round_opened_at) // period)) * period)

    @property
    def accounts(self) -> TableAccounts:
        """The ledger accounts of an open table."""
        assert self.opened is not None
        return TableAccounts(self.opened.currency, self.table)

    @property
    def state(self) -> State:
        """The round as it stands at an open table."""
        assert self.play is not None
        return self.play

    @property
    def in_round(self) -> bool:
        """Whether a round is under way."""
        return self.play is not None and not self.play.stage.is_over


PlanOf = Callable[[str], Plan]
"""The plan of a rulebook that was put into force, by its hash."""


def terms_of(opened: TableOpened, plan: Plan) -> Terms:
    """The terms a table was opened with, for the engine."""
    return Terms(
        plan=plan,
        procedure=plan.procedure(opened.procedure),
        positions=opened.positions,
        limits=_limits(opened.limits),
        jackpot=opened.jackpot,
        physical=opened.cards == PHYSICAL,
        strict_limits=opened.cards == VIRTUAL,
    )


def _limits(limits: Mapping[str, tuple[Cents, ...]]) -> Mapping[WagerName, Limit]:
    return {WagerName(name): Limit(*limit) for name, limit in limits.items()}


def evolve_table(
    table: GamingTable, event: AnyTableEvent, *, plan_of: PlanOf, at: Micros, version: int, actor: str = ""
) -> GamingTable:
    """The table after one event."""
    if isinstance(event, _ABOUT_THE_JACKPOT):
        table = table._replace(jackpot_failed=_jackpot_failed(table, event, actor))
    own = _OWN.get(type(event))
    if own is not None:
        return own(table, event, plan_of)
    if type(event) is BoughtIn:
        stay = table.stays.get(event.player, Stay(at, Cents(0), Cents(0)))
        bought = Cents(stay.bought + event.amount)
        stays = {**table.stays, event.player: stay._replace(bought=bought)}
        return table._replace(stays=stays, drop=Cents(table.drop + event.amount))
    if type(event) is SupervisorCalled:
        return table._replace(call=Call(event.person, at, event.reason))
    if type(event) is CashedOut:
        return _cashed_out(table, event)
    return _played(table, event, at, version)


_ABOUT_THE_JACKPOT = (
    play_events.IrregularityReported,
    play_events.StandingOrder,
    play_events.RulingGiven,
    play_events.OrderLifted,
)


def _jackpot_failed(table: GamingTable, event: Any, actor: str) -> bool:
    """Set by a report of the table's staff; whatever the House orders about it takes its place.

    An outage of the whole link is the link's own matter, and is reported by the floor.
    """
    if isinstance(event, play_events.IrregularityReported):
        reported = event.kind is Irregularity.JACKPOT_FAILURE and actor != "system"
        return reported or table.jackpot_failed
    return False


def _played(table: GamingTable, event: Any, at: Micros, version: int) -> GamingTable:
    assert table.play is not None
    before = table.play
    state = evolve(before, event)
    kind = type(event)
    if before.stage is not state.stage or before.step != state.step or before.suspension != state.suspension:
        table = table._replace(since=at)
    if kind is play_events.BetsOpened:
        return table._replace(
            play=state,
            drawn=(),
            sealed=None,
            round_slips=(),
            round_first_version=version,
            round_opened_at=at,
            dealt_at=None,
            decision="",
            decision_since=at,
            first_wager_at=None,
        )
    if kind is play_events.WagerPlaced and table.first_wager_at is None:
        return table._replace(play=state, first_wager_at=at)
    if kind is play_events.WagerWithdrawn and not any(box.stakes for box in state.boxes.values()):
        return table._replace(play=state, first_wager_at=None)
    if kind is play_events.CardsDealt and table.dealt_at is None:
        return table._replace(play=state, dealt_at=at)
    if kind is play_events.GamingDayBegun and before.memory.gaming_day:
        # limits are of a day: it begins with what lies in the racks
        stays = {player: Stay(at, state.racks.get(player, Cents(0)), Cents(0)) for player in table.stays}
        return table._replace(play=state, stays=stays)
    if kind in _GIVES_TIME:
        return table._replace(play=state, decision_since=at)
    if kind in _MAY_RAISE_A_DECISION:
        decision = outstanding(state)
        name = decision.name if decision is not None else ""
        if name != table.decision:
            return table._replace(play=state, decision=name, decision_since=at)
    return table._replace(play=state)


_GIVES_TIME = (
    play_events.OptionsOffered,
    play_events.RulingGiven,
    play_events.IrregularityReported,
    play_events.DecisionTakenBack,
)
"""After these whoever has to decide has his time again."""

_MAY_RAISE_A_DECISION = (
    play_events.StepDone,
    play_events.PlaceRevealed,
    play_events.RoundSettled,
    play_events.RoundVoided,
)


def _opened(table: GamingTable, event: TableOpened, plan_of: PlanOf) -> GamingTable:
    """A table opens with its chips counted and nobody's rack on it."""
    terms = terms_of(event, plan_of(event.rulebook))
    state = open_table(terms, {})
    if table.play is not None:  # who was barred or restricted still is
        before = table.play
        memory = replace(before.memory, closed=False)
        state = state._replace(round_number=before.round_number, memory=memory)
    return table._replace(
        opened=event, is_open=True, play=state, seats=MappingProxyType({}), dealing=None, drop=NOTHING
    )


def _closed(table: GamingTable, event: TableClosed, plan_of: PlanOf) -> GamingTable:
    return table._replace(is_open=False, staff=MappingProxyType({}), seats=MappingProxyType({}), call=None)


def _assigned(table: GamingTable, event: StaffAssigned, plan_of: PlanOf) -> GamingTable:
    return table._replace(staff={**table.staff, event.person: event.position})


def _relieved(table: GamingTable, event: StaffRelieved, plan_of: PlanOf) -> GamingTable:
    return table._replace(staff={name: p for name, p in table.staff.items() if name != event.person})


def _seat_taken(table: GamingTable, event: SeatTaken, plan_of: PlanOf) -> GamingTable:
    return table._replace(seats={**table.seats, event.position: event.player})


def _seat_left(table: GamingTable, event: SeatLeft, plan_of: PlanOf) -> GamingTable:
    return table._replace(seats={n: player for n, player in table.seats.items() if n != event.position})


def _limits_set(table: GamingTable, event: LimitsSet, plan_of: PlanOf) -> GamingTable:
    state = table.state
    terms = _with_limits(state.terms, event.limits)
    return table._replace(play=state._replace(terms=terms))


def _with_limits(terms: Terms, limits: Mapping[str, tuple[Cents, ...]]) -> Terms:
    return replace(terms, limits=_limits(limits))


def _dealing_set(table: GamingTable, event: DealingSet, plan_of: PlanOf) -> GamingTable:
    return table._replace(dealing=event if event.dealt_by == HOUSE else None)


def _answered(table: GamingTable, event: CallAnswered, plan_of: PlanOf) -> GamingTable:
    return table._replace(call=None)


def _sealed(table: GamingTable, event: CommitmentsSealed | DeckSealed, plan_of: PlanOf) -> GamingTable:
    return table._replace(sealed=event)


def _drawn(table: GamingTable, event: CardsDrawn, plan_of: PlanOf) -> GamingTable:
    return table._replace(drawn=table.drawn + event.openings)


def _cashed_out(table: GamingTable, event: CashedOut) -> GamingTable:
    if event.leaves:
        return table._replace(stays={name: s for name, s in table.stays.items() if name != event.player})
    stay = table.stays[event.player]
    stay = stay._replace(taken=Cents(stay.taken + event.amount))
    return table._replace(stays={**table.stays, event.player: stay})


def _slip_made(table: GamingTable, event: PayoutSlip, plan_of: PlanOf) -> GamingTable:
    check(event.slip == table.slips + 1, f"slip {table.slips + 1} comes next, not {event.slip}")
    standing = table.round_slips
    if event.corrects:
        left = tuple(slip for slip in standing if slip.slip != event.corrects)
        check(len(left) == len(standing) - 1, f"slip {event.corrects} does not stand")
        return table._replace(slips=event.slip, round_slips=left)
    return table._replace(slips=event.slip, round_slips=(*standing, event))


def _nothing(table: GamingTable, event: Any, plan_of: PlanOf) -> GamingTable:
    """Only money moves, or nothing but the record; the ledger has it."""
    return table


_OWN: dict[type, Callable[[GamingTable, Any, PlanOf], GamingTable]] = {
    TableOpened: _opened,
    TableClosed: _closed,
    StaffAssigned: _assigned,
    StaffRelieved: _relieved,
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    DebtRecorded: _nothing,
    Interrupted: _nothing,
    Filled: _nothing,
    Credited: _nothing,
    LimitsSet: _limits_set,
    DealingSet: _dealing_set,
    CallAnswered: _answered,
    CommitmentsSealed: _sealed,
    DeckSealed: _sealed,
    CardsDrawn: _drawn,
    PayoutSlip: _slip_made,
    EntryCorrected: _nothing,
}


def keep(table: GamingTable) -> dict[str, Any]:
    """A table between two rounds, as JSON without its opening: what a snapshot holds."""
    return {
        "is_open": table.is_open,
        "jackpot_failed": table.jackpot_failed,
        "staff": dict(table.staff),
        "seats": {str(n): player for n, player in table.seats.items()},
        "stays": {player: list(stay) for player, stay in table.stays.items()},
        "limits": {name: list(limit) for name, limit in table.state.terms.limits.items()},
        "dealing": None if table.dealing is None else asdict(table.dealing),
        "call": None if table.call is None else list(table.call),
        "drop": table.drop,
        "since": table.since,
        "slips": table.slips,
        "play": carry(table.state),
    }


def kept(table: str, opened: TableOpened, data: Mapping[str, Any], plan_of: PlanOf) -> GamingTable:
    """The table of a snapshot."""
    base = open_table(terms_of(opened, plan_of(opened.rulebook)), {})
    limits = {name: tuple(Cents(amount) for amount in limit) for name, limit in data["limits"].items()}
    base = base._replace(terms=_with_limits(base.terms, limits), stage=Stage.IDLE)
    return GamingTable(
        table=table,
        opened=opened,
        is_open=data["is_open"],
        jackpot_failed=data["jackpot_failed"],
        play=carried_on(base, data["play"]),
        staff=data["staff"],
        seats={int(n): player for n, player in data["seats"].items()},
        stays={player: Stay(*stay) for player, stay in data["stays"].items()},
        dealing=DealingSet(**data["dealing"]) if data.get("dealing") else None,
        call=Call(*data["call"]) if data.get("call") else None,
        drop=Cents(data.get("drop", 0)),
        since=Micros(data.get("since", 0)),
        slips=data.get("slips", 0),
    )


def must_be_open(table: GamingTable) -> Refusal | None:
    """The refusal of an act at a table that is closed."""
    if table.is_open:
        return None
    return Refusal("table-closed", f"Table {table.table} is not open.")
