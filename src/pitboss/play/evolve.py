"""`evolve(state, event)`: what an event makes of a table. It never refuses; `decide` did that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from pitboss.cards import Card
from pitboss.errors import InvariantError
from pitboss.money import UNITS_PER_CENT, Cents, LedgerUnits
from pitboss.play.events import (
    AbsenceRecorded,
    BetsClosed,
    BetsOpened,
    CardDiscarded,
    CardEntered,
    CardsBurned,
    CardsDealt,
    CardsOrdered,
    CardsReconstructed,
    CardTurnedUp,
    ComparisonDeclined,
    DecisionMade,
    EntriesCleared,
    Event,
    HandEstablished,
    HandHandled,
    HandLookedAt,
    HandRemoved,
    HandViewed,
    IrregularityReported,
    OptionsOffered,
    OptionTaken,
    PlaceRevealed,
    PlayerAbsent,
    RoundSettled,
    RoundSuspended,
    RoundVoided,
    RulingGiven,
    SettlementReversed,
    ShareFolded,
    ShareReturned,
    StandingOrder,
    StepDone,
    WagerPlaced,
    WagerWithdrawn,
    WithdrawalPermitted,
)
from pitboss.play.table import NO_TROUBLE, Box, Fate, Memory, Options, Removal, Stage, State, Trouble, changed
from pitboss.rulebooks.dealing import BURNED
from pitboss.rulebooks.plan import WagerName
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Absence

K = TypeVar("K")
V = TypeVar("V")

NO_BOXES: Mapping[int, Box] = MappingProxyType({})
NOWHERE: Mapping[str, int] = MappingProxyType({})
NO_CARDS: Mapping[str, tuple[Card, ...]] = MappingProxyType({})


def evolve_all(state: State, events: Iterable[Event]) -> State:
    """The state after a run of events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """The state after one event."""
    return _EVOLVE[type(event)](state, event)


def _with(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return MappingProxyType(cast("dict[K, V]", mapping) | {key: value})  # any mapping that has `|`


def _box(state: State, box: Box) -> State:
    return changed(state, boxes=_with(state.boxes, box.position, box))


def _step_done(state: State, event: StepDone) -> State:
    return changed(state, step=event.step)


def _dealt(state: State, event: CardsDealt) -> State:
    dealt = _with(state.dealt, event.place, state.dealt.get(event.place, 0) + event.count)
    if event.cards is None:
        return changed(state, stage=Stage.PLAYING, dealt=dealt)
    known = _with(state.known, event.place, state.known.get(event.place, ()) + event.cards)
    return changed(state, stage=Stage.PLAYING, dealt=dealt, known=known)


def _burned(state: State, event: CardsBurned) -> State:
    cards: tuple[Card | None, ...] = (None,) * event.count if event.cards is None else event.cards
    return changed(state, burned=state.burned + cards)


def _decided(state: State, event: DecisionMade) -> State:
    box = state.boxes[event.position]
    fate = Fate.FOLDED if event.choice == "fold" else box.fate
    return _box(state, box._replace(fate=fate, choices=_with(box.choices, event.decision, event.choice)))


def _revealed(state: State, event: PlaceRevealed) -> State:
    """A further card is shown: what could still be ruled or withdrawn before it no longer can."""
    state = changed(state, revealed=state.revealed | {event.place}, step=event.step)
    if state.trouble is NO_TROUBLE:
        return state
    return _troubled(state, followups=MappingProxyType({}), permitted=MappingProxyType({}))


def _viewed(state: State, event: HandViewed) -> State:
    return _box(state, state.boxes[event.position]._replace(viewed=True, handled=True))


def _handled(state: State, event: HandHandled) -> State:
    return _box(state, state.boxes[event.position]._replace(handled=True))


def _declined(state: State, event: ComparisonDeclined) -> State:
    return _box(state, state.boxes[event.position]._replace(fate=Fate.DECLINED))


def _established(state: State, event: HandEstablished) -> State:
    return _box(state, state.boxes[event.position]._replace(established=True))


def _looked_at(state: State, event: HandLookedAt) -> State:
    return _box(state, state.boxes[event.position]._replace(looked_at=True))


def _closed(state: State, event: BetsClosed) -> State:
    meter = LedgerUnits(state.meter + event.contribution)
    house = LedgerUnits(state.house - event.contribution)
    return changed(state, stage=Stage.CLOSED, meter=meter, house=house)


def _turned_up(state: State, event: CardTurnedUp) -> State:
    return changed(state, turned_up=_with(state.turned_up, event.place, event.number))


def _entered(state: State, event: CardEntered) -> State:
    known = _with(state.known, event.place, (*state.known.get(event.place, ()), event.card))
    return changed(state, known=known)


def _troubled(state: State, **changes: Any) -> State:
    return changed(state, trouble=state.trouble._replace(**changes))


def _reported(state: State, event: IrregularityReported) -> State:
    if not event.exposed:
        return state
    return _troubled(state, cards_exposed=state.trouble.cards_exposed + event.exposed)


def _suspended(state: State, event: RoundSuspended) -> State:
    return _troubled(state, suspension=event.suspension)


def _ruled(state: State, event: RulingGiven) -> State:
    return _troubled(state, suspension=None, followups=event.followups)


def _nothing_moves(state: State, event: Event) -> State:
    return state


def _reconstructed(state: State, event: CardsReconstructed) -> State:
    """Every card lies where the procedure puts it; at a physical table the dealer may enter them again."""
    if not state.terms.physical or state.stage.is_over:
        return state
    return _troubled(state, reentry=True)


def _entries_cleared(state: State, event: EntriesCleared) -> State:
    known = {place: cards for place, cards in state.known.items() if place in state.revealed}
    return _troubled(changed(state, known=MappingProxyType(known)), reentry=False)


def _cards_ordered(state: State, event: CardsOrdered) -> State:
    known, burned = dict(state.known), list(state.burned)
    for moved in event.moved:
        if moved.place == BURNED:
            burned[moved.number] = moved.card
        else:
            row = known[moved.place]
            known[moved.place] = (*row[: moved.number], moved.card, *row[moved.number + 1 :])
    return changed(state, known=MappingProxyType(known), burned=tuple(burned))


def _options_offered(state: State, event: OptionsOffered) -> State:
    options = Options(
        waiting=frozenset(event.positions),
        all_hands=event.all_hands,
        clauses=event.clauses,
        leaving_clauses=event.leaving_clauses,
    )
    return _troubled(state, options=options)


def _permitted(state: State, event: WithdrawalPermitted) -> State:
    return _troubled(state, permitted=_with(state.trouble.permitted, event.position, event.clauses))


def _option_taken(state: State, event: OptionTaken) -> State:
    return _answered(state, event.position)


def _answered(state: State, position: int) -> State:
    """The hand has no option any more: it was taken, or the hand is out."""
    trouble = state.trouble
    options = trouble.options
    if options is not None and position in options.waiting:
        waiting = options.waiting - {position}
        state = _troubled(state, options=replace(options, waiting=waiting) if waiting else None)
    if position in trouble.permitted:
        left = {n: clauses for n, clauses in trouble.permitted.items() if n != position}
        state = _troubled(state, permitted=MappingProxyType(left))
    return state


def _hand_removed(state: State, event: HandRemoved) -> State:
    box = state.boxes[event.position]
    back = {wager: dict(owners) for wager, owners in box.stakes.items()}
    collected = 0
    if event.forfeited_too:
        for wager, shares in box.forfeited.items():
            owners = back.setdefault(wager, {})
            for owner, share in shares.items():
                owners[owner] = Cents(owners.get(owner, 0) + share)
                collected += share
    racks = dict(state.racks)
    for owners in back.values():
        for owner, share in owners.items():
            racks[owner] = Cents(racks[owner] + share)
    stakes = {wager: MappingProxyType(owners) for wager, owners in back.items()}
    box = box._replace(
        stakes=MappingProxyType({}),
        forfeited=MappingProxyType({}) if event.forfeited_too else box.forfeited,
        fate=Fate.REMOVED,
        removal=Removal(stakes=MappingProxyType(stakes), clauses=event.clauses),
    )
    state = changed(
        state,
        boxes=_with(state.boxes, box.position, box),
        racks=MappingProxyType(racks),
        table_float=LedgerUnits(state.table_float - collected * UNITS_PER_CENT),
        house=LedgerUnits(state.house + event.contribution),
        meter=LedgerUnits(state.meter - event.contribution),
    )
    if event.followups:
        state = _troubled(state, followups=event.followups)
    return _answered(state, event.position)


def _share_returned(state: State, event: ShareReturned) -> State:
    box = state.boxes[event.position]
    back = sum(owners.get(event.player, 0) for owners in box.stakes.values())
    folded = sum(owners.get(event.player, 0) for owners in box.forfeited.values())
    stakes, forfeited = _without_owner(box.stakes, event.player), _without_owner(box.forfeited, event.player)
    state = _box(state, box._replace(stakes=stakes, forfeited=forfeited))
    return changed(
        state,
        racks=_moved(state.racks, event.player, back + folded),
        table_float=LedgerUnits(state.table_float - folded * UNITS_PER_CENT),
    )


def _without_owner(
    stakes: Mapping[WagerName, Mapping[str, Cents]], player: str
) -> Mapping[WagerName, Mapping[str, Cents]]:
    left = {}
    for wager, owners in stakes.items():
        others = {owner: share for owner, share in owners.items() if owner != player}
        if others:
            left[wager] = MappingProxyType(others)
    return MappingProxyType(left)


def _settlement_reversed(state: State, event: SettlementReversed) -> State:
    """The table as it was before the settlement; what was shown has been seen."""
    assert state.settlement is not None
    moved = state.settlement.movements
    racks = _paid_out(state.racks, {player: Cents(-amount) for player, amount in event.payouts.items()})
    return changed(
        state,
        stage=Stage.PLAYING if state.dealt else Stage.CLOSED,
        racks=racks,
        table_float=LedgerUnits(state.table_float - moved.table_float),
        house=LedgerUnits(state.house - moved.house),
        meter=LedgerUnits(state.meter - moved.meter),
        settlement=None,
        memory=replace(state.memory, warned=state.memory.warned - set(event.warned)),
    )


def _standing_order(state: State, event: StandingOrder) -> State:
    return changed(state, memory=_ordered(state.memory, event))


def _round_opened(state: State, event: BetsOpened) -> State:
    """A clean layout. Racks, meter, accounts and what the table remembers go on."""
    return changed(
        state,
        stage=Stage.BETTING,
        round_number=event.round_number,
        step=0,
        boxes=NO_BOXES,
        dealt=NOWHERE,
        known=NO_CARDS,
        burned=(),
        revealed=frozenset(),
        turned_up=NOWHERE,
        settlement=None,
        exposed=frozenset(),
        void_clauses=(),
        trouble=NO_TROUBLE,
    )


def _moved(racks: Mapping[str, Cents], player: str, amount: int) -> Mapping[str, Cents]:
    return _with(racks, player, Cents(racks[player] + amount))


def _wager_placed(state: State, event: WagerPlaced) -> State:
    wager = WagerName(event.wager)
    box = state.boxes.get(event.position)
    if box is None:
        box = Box(position=event.position, player=event.player, stakes=MappingProxyType({}))
    owners = box.stakes.get(wager, {})
    shares = _with(owners, event.player, Cents(owners.get(event.player, 0) + event.amount))
    box = box._replace(stakes=_with(box.stakes, wager, shares))
    return changed(
        state,
        boxes=_with(state.boxes, box.position, box),
        racks=_moved(state.racks, event.player, -event.amount),
    )


def _wager_withdrawn(state: State, event: WagerWithdrawn) -> State:
    """The owner's chips come off the area; a position without any is nobody's any more."""
    wager = WagerName(event.wager)
    box = state.boxes[event.position]
    owners = {name: share for name, share in box.stakes[wager].items() if name != event.player}
    stakes = {name: s for name, s in box.stakes.items() if name != wager}
    if owners:
        stakes[wager] = MappingProxyType(owners)
    boxes = dict(state.boxes)
    if stakes:
        remaining = {name for shares in stakes.values() for name in shares}
        player = box.player if box.player in remaining else min(remaining)
        boxes[event.position] = box._replace(player=player, stakes=MappingProxyType(stakes))
    else:
        del boxes[event.position]
    racks = _moved(state.racks, event.player, event.amount)
    state = changed(state, boxes=MappingProxyType(boxes), racks=racks)
    return state if event.position in boxes else _answered(state, event.position)


def _discarded(state: State, event: CardDiscarded) -> State:
    lying = state.known.get(event.place, ())
    index = event.number - 1
    card = lying[index] if index < len(lying) else None
    return changed(
        state,
        dealt=_with(state.dealt, event.place, state.dealt[event.place] - 1),
        known=_with(state.known, event.place, lying[:index] + lying[index + 1 :]),
        burned=(*state.burned, card),
    )


def _share_folded(state: State, event: ShareFolded) -> State:
    box = state.boxes[event.position]
    stakes, forfeited = dict(box.stakes), dict(box.forfeited)
    for name, amount in event.stakes.items():
        wager = WagerName(name)
        left = {owner: share for owner, share in stakes[wager].items() if owner != event.player}
        if left:
            stakes[wager] = MappingProxyType(left)
        else:
            del stakes[wager]
        forfeited[wager] = _with(forfeited.get(wager, MappingProxyType({})), event.player, amount)
    box = box._replace(stakes=MappingProxyType(stakes), forfeited=MappingProxyType(forfeited))
    lost = sum(event.stakes.values()) * UNITS_PER_CENT
    return changed(_box(state, box), table_float=LedgerUnits(state.table_float + lost))


def _absent(state: State, event: PlayerAbsent) -> State:
    box = state.boxes[event.position]
    fate = {
        Absence.INVALID: Fate.INVALID_BY_ABSENCE,
        Absence.FOLD: Fate.FOLDED_BY_ABSENCE,
        Absence.CHECK: box.fate,
    }[Absence(event.consequence)]
    choices = _with(box.choices, event.decision, "absent")
    return _box(state, box._replace(fate=fate, away=True, choices=choices))


def _paid_out(racks: Mapping[str, Cents], payouts: Mapping[str, Cents]) -> Mapping[str, Cents]:
    changed = dict(racks)
    for player, amount in payouts.items():
        changed[player] = Cents(changed[player] + amount)
    return MappingProxyType(changed)


def _settled(state: State, event: RoundSettled) -> State:
    moved = event.settlement.movements
    return changed(
        state,
        stage=Stage.SETTLED,
        racks=_paid_out(state.racks, event.payouts),
        table_float=LedgerUnits(state.table_float + moved.table_float),
        house=LedgerUnits(state.house + moved.house),
        meter=LedgerUnits(state.meter + moved.meter),
        settlement=event.settlement,
        exposed=frozenset(event.exposed),
        trouble=Trouble(warned_now=frozenset(event.warned)) if event.warned else NO_TROUBLE,
        memory=replace(state.memory, warned=state.memory.warned | set(event.warned))
        if event.warned
        else state.memory,
    )


def _voided(state: State, event: RoundVoided) -> State:
    moved = event.settlement.movements
    back = sum(sum(s.values()) for box in state.boxes.values() for s in box.forfeited.values())
    return changed(
        state,
        stage=Stage.VOID,
        racks=_paid_out(state.racks, event.payouts),
        table_float=LedgerUnits(state.table_float - back * UNITS_PER_CENT),
        house=LedgerUnits(state.house + moved.house),
        meter=LedgerUnits(state.meter + moved.meter),
        settlement=event.settlement,
        void_clauses=event.clauses,
        trouble=NO_TROUBLE,
    )


def _ordered(memory: Memory, order: StandingOrder) -> Memory:
    match order.order:
        case Ruling.RESTRICT:
            return replace(memory, restricted=memory.restricted | {order.argument})
        case Ruling.BAR:
            return replace(memory, barred=memory.barred | {order.argument})
        case Ruling.BLOCK:
            return replace(memory, blocked=memory.blocked | {int(order.argument)})
        case Ruling.CLOSE_TABLE:
            return replace(memory, closed=True)
        case Ruling.SUSPEND_JACKPOT:
            return replace(memory, jackpot_suspended=True)
        case unknown:
            raise InvariantError(f"no standing order is called {unknown}")


_EVOLVE: dict[type[Event], Callable[[State, Any], State]] = {
    BetsOpened: _round_opened,
    WagerPlaced: _wager_placed,
    WagerWithdrawn: _wager_withdrawn,
    BetsClosed: _closed,
    CardsDealt: _dealt,
    CardsBurned: _burned,
    CardDiscarded: _discarded,
    CardTurnedUp: _turned_up,
    StepDone: _step_done,
    CardEntered: _entered,
    HandViewed: _viewed,
    HandHandled: _handled,
    DecisionMade: _decided,
    ShareFolded: _share_folded,
    PlayerAbsent: _absent,
    AbsenceRecorded: _nothing_moves,
    ComparisonDeclined: _declined,
    HandEstablished: _established,
    HandLookedAt: _looked_at,
    PlaceRevealed: _revealed,
    RoundSettled: _settled,
    RoundVoided: _voided,
    IrregularityReported: _reported,
    RoundSuspended: _suspended,
    RulingGiven: _ruled,
    CardsReconstructed: _reconstructed,
    EntriesCleared: _entries_cleared,
    CardsOrdered: _cards_ordered,
    HandRemoved: _hand_removed,
    ShareReturned: _share_returned,
    OptionsOffered: _options_offered,
    WithdrawalPermitted: _permitted,
    OptionTaken: _option_taken,
    SettlementReversed: _settlement_reversed,
    StandingOrder: _standing_order,
}
"""What each kind of event does; a test holds it against the union. Most of a round's time is spent here."""


def total_money(state: State) -> int:
    """All money of a table in ledger units: the same at every moment, whatever happens."""
    racks = sum(state.racks.values()) + state.layout
    return racks * UNITS_PER_CENT + state.table_float + state.house + state.meter
