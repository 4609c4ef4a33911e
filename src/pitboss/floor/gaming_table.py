"""A table on the floor: what it was opened with, who works and sits there, its float, and its rounds.

Its stream holds what happens at the table on the floor's side together with the events of play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.cards import Card
from pitboss.errors import check
from pitboss.floor.accounts import TableAccounts
from pitboss.floor.composition import AS_SEALED, BeaconValue, Contribution, composed
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.table_events import (
    AnyTableEvent,
    BoughtIn,
    CallAnswered,
    CardsDrawn,
    CashedOut,
    CommitmentsSealed,
    Composition,
    Credited,
    DealingSet,
    DebtRecorded,
    DebtReduced,
    DeckOpened,
    DeckSealed,
    EntropyCommitted,
    EntropyRevealed,
    EntryCorrected,
    Filled,
    Interrupted,
    LimitsSet,
    Opening,
    OrderComposed,
    PayoutSlip,
    SealBroken,
    SeatLeft,
    SeatTaken,
    StaffAssigned,
    StaffRelieved,
    SupervisorCalled,
    TableClosed,
    TableOpened,
    VoidNoted,
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


class Device(NamedTuple):
    """A device that has committed to a secret in this round; `secret` is empty until it is revealed."""

    player: str
    device: str
    commitment: str
    secret: str = ""


class GamingTable(NamedTuple):
    """The fold of a table's stream. `drawn` are the openings of this round's cards.

    `devices` have committed in this round, which is composed at the first deal: `composed` is with what, and
    `order` the places of the sealed deck as they are dealt. `closed_at` is when bets closed, `revealed_at`
    when a device last revealed.

    `decision_since` is when the decision now outstanding (`decision`) came up. `jackpot_failed` tells that
    staff have reported the table's jackpot, and the House has not said yet how it goes on. `drop` is what was
    bought in since the table was opened; `since` is when the round came to where it stands. `slips` is how
    many payout slips the table has made; `round_slips` are those of this round that stand. `debts` are what
    players owe since a settlement of this round was undone. `kept_decks` are void rounds whose decks are kept
    until the void is final; `broken_seals` are rounds whose decks were not what was sealed, and in what
    way; `hands_out` are rounds in which hands were taken out of play and noted. `entered_for` are players
    whose stakes of this round staff have entered. `was_settled`: this round was settled once, and its deck
    was erased then unless it is kept.
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
    devices: tuple[Device, ...] = ()
    composed: OrderComposed | None = None
    order: tuple[int, ...] = AS_SEALED
    closed_at: Micros | None = None
    revealed_at: Micros = Micros(0)
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
    debts: Mapping[str, Cents] = MappingProxyType({})
    kept_decks: tuple[int, ...] = ()
    broken_seals: tuple[tuple[int, str], ...] = ()
    hands_out: tuple[int, ...] = ()
    entered_for: frozenset[str] = frozenset()
    was_settled: bool = False

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
    def composition(self) -> Composition | None:
        """How the order of this round's deck is composed; None where it is that of the sealing."""
        return self.sealed.composition if isinstance(self.sealed, DeckSealed) else None

    @property
    def owes_order(self) -> bool:
        """Whether the order of this round's deck has yet to be composed."""
        composition = self.composition
        owed = composition is not None and (bool(self.devices) or composition.beacon is not None)
        return owed and self.composed is None and not self.drawn

    def to_come(
        self, deck: Sequence[Card], *, follows: bool, beacon: BeaconValue | None = None
    ) -> list[Card] | None:
        """The cards of a deck, place by place, that are still to be dealt, in their order.

        An order that has yet to be composed is that of the secrets revealed so far and of the beacon's value,
        if it `follows` from them, and None if not. Empty where the deck is erased.
        """
        order = self.order
        if self.owes_order:
            if not follows:
                return None
            assert self.sealed is not None
            revealed = [Contribution(*found[:2], found.secret) for found in self.devices if found.secret]
            number, root = self.state.round_number, self.sealed.root
            order = composed(revealed, beacon, table=self.table, number=number, root=root)
        return [deck[place] for place in order[len(self.drawn) :]] if deck else []

    @property
    def reveal_by(self) -> Micros | None:
        """Until when devices reveal; None where bets are open or nothing is composed."""
        if self.composition is None or self.closed_at is None:
            return None
        return Micros(self.closed_at + self.composition.reveal_seconds * SECOND)

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
    if type(event) is EntropyRevealed:
        return _revealed(table, event)._replace(revealed_at=at)
    if type(event) is SupervisorCalled:
        return table._replace(call=Call(event.person, at, event.reason))
    if type(event) is CashedOut:
        return _cashed_out(table, event)
    return _played(table, event, at, version, actor)


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


def _played(table: GamingTable, event: Any, at: Micros, version: int, actor: str) -> GamingTable:
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
            devices=(),
            composed=None,
            order=AS_SEALED,
            closed_at=None,
            round_slips=(),
            debts=MappingProxyType({}),
            round_first_version=version,
            round_opened_at=at,
            dealt_at=None,
            decision="",
            decision_since=at,
            first_wager_at=None,
            entered_for=frozenset(),
            was_settled=False,
        )
    if kind is play_events.BetsClosed:
        return table._replace(play=state, closed_at=at)
    if kind is play_events.RoundSettled:
        table = table._replace(was_settled=True)
    if kind is play_events.WagerPlaced:
        if actor.startswith("staff/"):
            table = table._replace(entered_for=table.entered_for | {event.player})
        first = at if table.first_wager_at is None else table.first_wager_at
        return table._replace(play=state, first_wager_at=first)
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
    return table._replace(sealed=event, devices=(), composed=None, order=AS_SEALED)


def _committed(table: GamingTable, event: EntropyCommitted, plan_of: PlanOf) -> GamingTable:
    return table._replace(devices=(*table.devices, Device(event.player, event.device, event.commitment)))


def _revealed(table: GamingTable, event: EntropyRevealed) -> GamingTable:
    found = [(found.player, found.device) for found in table.devices]
    check((event.player, event.device) in found, "only who has committed reveals")
    at = found.index((event.player, event.device))
    shown = table.devices[at]._replace(secret=event.secret)
    return table._replace(devices=(*table.devices[:at], shown, *table.devices[at + 1 :]))


def _composed(table: GamingTable, event: OrderComposed, plan_of: PlanOf) -> GamingTable:
    return table._replace(composed=event, order=order_of(table, event))


def order_of(table: GamingTable, event: OrderComposed) -> tuple[int, ...]:
    """The order in which the places of the sealed deck are dealt, by what it is composed with."""
    check(table.sealed is not None, "the order of a sealed deck is composed")
    assert table.sealed is not None
    beacon = None if event.beacon is None else BeaconValue(event.beacon.round, event.beacon.signature)
    return composed(
        contributions_of(table, event),
        beacon,
        table=table.table,
        number=table.state.round_number,
        root=table.sealed.root,
    )


def contributions_of(table: GamingTable, event: OrderComposed) -> tuple[Contribution, ...]:
    """The secrets that an order is composed with."""
    secrets = {(found.player, found.device): found.secret for found in table.devices}
    named = [(found.player, found.device) for found in event.contributions]
    check(all(secrets.get(device) for device in named), "only what was revealed is composed with")
    return tuple(Contribution(*device, secrets[device]) for device in named)


def _drawn(table: GamingTable, event: CardsDrawn, plan_of: PlanOf) -> GamingTable:
    return table._replace(drawn=table.drawn + event.openings)


def _cashed_out(table: GamingTable, event: CashedOut) -> GamingTable:
    if event.leaves:
        return table._replace(stays={name: s for name, s in table.stays.items() if name != event.player})
    stay = table.stays.get(event.player)
    if stay is None:  # chips of a round that was settled anew after they had left
        return table
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


def _debt_recorded(table: GamingTable, event: DebtRecorded, plan_of: PlanOf) -> GamingTable:
    owed = table.debts.get(event.player, NOTHING)
    return table._replace(debts={**table.debts, event.player: Cents(owed + event.amount)})


def _debt_reduced(table: GamingTable, event: DebtReduced, plan_of: PlanOf) -> GamingTable:
    left = Cents(table.debts.get(event.player, NOTHING) - event.amount)
    check(left >= 0, "no more comes off a debt than is owed")
    return table._replace(debts={**table.debts, event.player: left})


def _seal_broken(table: GamingTable, event: SealBroken, plan_of: PlanOf) -> GamingTable:
    kept = tuple(number for number in table.kept_decks if number != event.round_number)
    found = (event.round_number, event.what)
    return table._replace(kept_decks=kept, broken_seals=(*table.broken_seals, found))


def _void_noted(table: GamingTable, event: VoidNoted, plan_of: PlanOf) -> GamingTable:
    number = event.round_number
    if event.positions and number not in table.hands_out:
        table = table._replace(hands_out=(*table.hands_out, number))
    if not event.deck_kept or number in table.kept_decks:
        return table
    return table._replace(kept_decks=(*table.kept_decks, number))


def _deck_opened(table: GamingTable, event: DeckOpened, plan_of: PlanOf) -> GamingTable:
    kept = tuple(number for number in table.kept_decks if number != event.round_number)
    return table._replace(kept_decks=kept)


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
    DebtRecorded: _debt_recorded,
    DebtReduced: _debt_reduced,
    Interrupted: _nothing,
    Filled: _nothing,
    Credited: _nothing,
    LimitsSet: _limits_set,
    DealingSet: _dealing_set,
    CallAnswered: _answered,
    CommitmentsSealed: _sealed,
    DeckSealed: _sealed,
    EntropyCommitted: _committed,
    OrderComposed: _composed,
    CardsDrawn: _drawn,
    PayoutSlip: _slip_made,
    EntryCorrected: _nothing,
    SealBroken: _seal_broken,
    VoidNoted: _void_noted,
    DeckOpened: _deck_opened,
}


def keep(table: GamingTable) -> dict[str, Any]:
    """A table between two rounds, as JSON without its opening: what a snapshot holds.

    Decks of void rounds, broken seals and hands that were taken out are named where there are any: earlier
    versions had none.
    """
    voids: dict[str, Any] = {}
    if table.kept_decks:
        voids["kept_decks"] = list(table.kept_decks)
    if table.broken_seals:
        voids["broken_seals"] = [list(found) for found in table.broken_seals]
    if table.hands_out:
        voids["hands_out"] = list(table.hands_out)
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
        **voids,
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
        kept_decks=tuple(data.get("kept_decks", ())),
        broken_seals=tuple((number, what) for number, what in data.get("broken_seals", ())),
        hands_out=tuple(data.get("hands_out", ())),
    )


def must_be_open(table: GamingTable) -> Refusal | None:
    """The refusal of an act at a table that is closed."""
    if table.is_open:
        return None
    return Refusal("table-closed", f"Table {table.table} is not open.")
