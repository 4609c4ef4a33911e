"""A table on the floor: what it was opened with, who works and sits there, its float, and its rounds.

Its stream holds what happens at the table on the floor's side together with the events of play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.floor.accounts import TableAccounts
from pitboss.floor.ports import SECOND, Micros
from pitboss.money import Cents
from pitboss.play import events as play_events
from pitboss.play.carry import carried_on, carry
from pitboss.play.dealing import outstanding
from pitboss.play.evolve import evolve
from pitboss.play.facts import Limit
from pitboss.play.refusal import Refusal
from pitboss.play.table import JackpotTerms, Stage, State, Terms, open_table
from pitboss.rulebooks.plan import Plan, WagerName
from pitboss.rulebooks.trouble import Irregularity

PHYSICAL, VIRTUAL = "physical", "virtual"
PERSON, HOUSE = "person", "house"
PRACTICE_CURRENCY = "XTS"
"""The code that stands for no money at all: chips of a practice table are worth nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """A table opened for play, with its opening count of chips by denomination (in cents).

    `checklist` are the items of equipment somebody has seen there; `chip` is the smallest stake step.
    """

    gaming_day: str
    rulebook: str
    layout: str
    procedure: str
    positions: int
    limits: Mapping[str, tuple[Cents, ...]]
    cards: str
    practice: bool
    currency: str
    decision_seconds: int
    chip: Cents
    link: str
    jackpot: JackpotTerms | None
    checklist: tuple[str, ...]
    count: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A table closed: its closing count, the drop as counted, and what the books expected of both."""

    count: Mapping[int, int]
    expected: Cents
    drop: Cents
    expected_drop: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffAssigned:
    person: str
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRelieved:
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    position: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    position: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoughtIn:
    """Cash into the drop box, chips of these denominations from the float to the player's rack."""

    player: str
    amount: Cents
    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CashedOut:
    """Chips from the rack to the cage, cash to the player, who may leave with it."""

    player: str
    amount: Cents
    leaves: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtRecorded:
    """A settlement was undone after the player had taken his chips away: what he owes the house for it."""

    player: str
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """The floor stopped without notice in the middle of a round; what follows is the rulebook's."""

    round_number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Chips from the cage to the float, seen by a second person."""

    count: Mapping[int, int]
    witness: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Credited:
    """Chips from the float to the cage, seen by a second person."""

    count: Mapping[int, int]
    witness: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSet:
    """New limits, from the next round on."""

    before: Mapping[str, tuple[Cents, ...]]
    limits: Mapping[str, tuple[Cents, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealingSet:
    """Who deals from now on: a person, or the house's clock with these times."""

    dealt_by: str
    betting_seconds: int
    pause_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSealed:
    """The commitments to a round's deck, one a card, published before anybody has bet.

    `commitments` are 52 hashes in base64, one after the other; `root` is the hash of them all.
    """

    root: str
    commitments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What opens one commitment: the card's place in the sealed deck, its salt, and the card."""

    index: int
    salt: str
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn:
    """Cards have left the sealed deck. Only whoever may see a card is shown its opening."""

    openings: tuple[Opening, ...]


TableEvent = (
    TableOpened
    | TableClosed
    | StaffAssigned
    | StaffRelieved
    | SeatTaken
    | SeatLeft
    | BoughtIn
    | CashedOut
    | DebtRecorded
    | Interrupted
    | Filled
    | Credited
    | LimitsSet
    | DealingSet
    | DeckSealed
    | CardsDrawn
)
AnyTableEvent = TableEvent | play_events.Event


def worth(count: Mapping[int, int]) -> Cents:
    """What chips of these denominations come to."""
    return Cents(sum(denomination * number for denomination, number in count.items()))


class Stay(NamedTuple):
    """A player at the table: since when, what he has bought and what he has cashed."""

    since: Micros
    bought: Cents
    taken: Cents


class GamingTable(NamedTuple):
    """The fold of a table's stream. `drawn` are the openings of this round's cards.

    `decision_since` is when the decision now outstanding (`decision`) came up. `jackpot_failed` tells that
    staff have reported the table's jackpot, and the House has not said yet how it goes on.
    """

    table: str
    opened: TableOpened | None = None
    is_open: bool = False
    play: State | None = None
    staff: Mapping[str, str] = MappingProxyType({})
    seats: Mapping[int, str] = MappingProxyType({})
    stays: Mapping[str, Stay] = MappingProxyType({})
    drawn: tuple[Opening, ...] = ()
    sealed: DeckSealed | None = None
    round_first_version: int = 0
    round_opened_at: Micros = Micros(0)
    dealt_at: Micros | None = None
    jackpot_failed: bool = False
    decision: str = ""
    decision_since: Micros = Micros(0)
    dealing: DealingSet | None = None
    first_wager_at: Micros | None = None

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
        assert self.opened is not None
        return TableAccounts(self.opened.currency, self.table)

    @property
    def state(self) -> State:
        assert self.play is not None
        return self.play

    @property
    def in_round(self) -> bool:
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
        return table._replace(stays={**table.stays, event.player: stay._replace(bought=bought)})
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
    state = evolve(table.play, event)
    kind = type(event)
    if kind is play_events.BetsOpened:
        return table._replace(
            play=state,
            drawn=(),
            sealed=None,
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
    if kind is play_events.GamingDayBegun and table.play.memory.gaming_day:
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


_GIVES_TIME = (play_events.OptionsOffered, play_events.RulingGiven, play_events.IrregularityReported)
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
    return table._replace(opened=event, is_open=True, play=state, seats=MappingProxyType({}), dealing=None)


def _closed(table: GamingTable, event: TableClosed, plan_of: PlanOf) -> GamingTable:
    return table._replace(is_open=False, staff=MappingProxyType({}), seats=MappingProxyType({}))


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


def _sealed(table: GamingTable, event: DeckSealed, plan_of: PlanOf) -> GamingTable:
    return table._replace(sealed=event)


def _drawn(table: GamingTable, event: CardsDrawn, plan_of: PlanOf) -> GamingTable:
    return table._replace(drawn=table.drawn + event.openings)


def _cashed_out(table: GamingTable, event: CashedOut) -> GamingTable:
    if event.leaves:
        return table._replace(stays={name: s for name, s in table.stays.items() if name != event.player})
    stay = table.stays[event.player]
    stay = stay._replace(taken=Cents(stay.taken + event.amount))
    return table._replace(stays={**table.stays, event.player: stay})


def _nothing(table: GamingTable, event: Any, plan_of: PlanOf) -> GamingTable:
    """Only money moves; the ledger has it."""
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
    DeckSealed: _sealed,
    CardsDrawn: _drawn,
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
    )


def must_be_open(table: GamingTable) -> Refusal | None:
    """The refusal of an act at a table that is closed."""
    if table.is_open:
        return None
    return Refusal("table-closed", f"Table {table.table} is not open.")
