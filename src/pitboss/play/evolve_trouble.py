"""What irregularities, rulings and options make of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pitboss.errors import InvariantError
from pitboss.money import UNITS_PER_CENT, Cents, LedgerUnits
from pitboss.play.events import (
    CardsOrdered,
    CardsReconstructed,
    EntriesCleared,
    Event,
    HandRemoved,
    IrregularityReported,
    JackpotBetsStopped,
    OptionsOffered,
    OptionTaken,
    OrderLifted,
    RoundSuspended,
    RulingGiven,
    SettlementReversed,
    ShareReturned,
    StandingOrder,
    WithdrawalPermitted,
)
from pitboss.play.evolving import moved_chips, paid_out, with_box, with_entry
from pitboss.play.table import Fate, Memory, Options, Removal, Stage, State, changed
from pitboss.rulebooks.dealing import BURNED
from pitboss.rulebooks.plan import WagerName
from pitboss.rulebooks.trouble import Irregularity, Ruling


def troubled(state: State, **changes: Any) -> State:
    """The state with its troubles changed."""
    return changed(state, trouble=state.trouble._replace(**changes))


def _reported(state: State, event: IrregularityReported) -> State:
    if not event.exposed:
        return state
    return troubled(state, cards_exposed=state.trouble.cards_exposed + event.exposed)


def _suspended(state: State, event: RoundSuspended) -> State:
    return troubled(state, suspension=event.suspension)


def _ruled(state: State, event: RulingGiven) -> State:
    """A ruling that play goes on with a jackpot that failed says that it works again."""
    memory, suspension = state.memory, state.suspension
    about = suspension is None or suspension.kind == Irregularity.JACKPOT_FAILURE
    if memory.jackpot_stopped and event.ruling is Ruling.CONTINUE and about:
        state = changed(state, memory=replace(memory, jackpot_stopped=False))
    return troubled(state, suspension=None, followups=event.followups)


def _jackpot_stopped(state: State, event: JackpotBetsStopped) -> State:
    return changed(state, memory=replace(state.memory, jackpot_stopped=True))


def nothing_moves(state: State, event: Event) -> State:
    """What is only recorded."""
    return state


def _reconstructed(state: State, event: CardsReconstructed) -> State:
    """Every card lies where the procedure puts it; at a physical table the dealer may enter them again."""
    if not state.terms.physical or state.stage.is_over:
        return state
    done = state.step >= len(state.terms.procedure.steps)
    return troubled(state, reentry=True, reopened=frozenset(state.known) if done else frozenset())


def _entries_cleared(state: State, event: EntriesCleared) -> State:
    if event.places:
        known = {place: cards for place, cards in state.known.items() if place not in event.places}
        reopened = state.trouble.reopened - set(event.places)
        return troubled(changed(state, known=MappingProxyType(known)), reopened=reopened)
    known = {place: cards for place, cards in state.known.items() if place in state.revealed}
    return troubled(changed(state, known=MappingProxyType(known)), reentry=False)


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
    return troubled(state, options=options)


def _permitted(state: State, event: WithdrawalPermitted) -> State:
    return troubled(state, permitted=with_entry(state.trouble.permitted, event.position, event.clauses))


def _option_taken(state: State, event: OptionTaken) -> State:
    return answered(state, event.position)


def answered(state: State, position: int) -> State:
    """The hand has no option any more: it was taken, or the hand is out."""
    trouble = state.trouble
    options = trouble.options
    if options is not None and position in options.waiting:
        waiting = options.waiting - {position}
        state = troubled(state, options=replace(options, waiting=waiting) if waiting else None)
    if position in trouble.permitted:
        left = {n: clauses for n, clauses in trouble.permitted.items() if n != position}
        state = troubled(state, permitted=MappingProxyType(left))
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
            racks[owner] = Cents(racks.get(owner, 0) + share)
    stakes = {wager: MappingProxyType(owners) for wager, owners in back.items()}
    box = box._replace(
        stakes=MappingProxyType({}),
        forfeited=MappingProxyType({}) if event.forfeited_too else box.forfeited,
        fate=Fate.REMOVED,
        removal=Removal(
            stakes=MappingProxyType(stakes), contribution=event.contribution, clauses=event.clauses
        ),
    )
    state = changed(
        state,
        boxes=with_entry(state.boxes, box.position, box),
        racks=MappingProxyType(racks),
        table_float=LedgerUnits(state.table_float - collected * UNITS_PER_CENT),
        house=LedgerUnits(state.house + event.contribution),
        meter=LedgerUnits(state.meter - event.contribution),
    )
    if event.position in [hand.position for hand in state.claim]:
        state = changed(state, claim=())
    if event.followups:
        state = troubled(state, followups=event.followups)
    return answered(state, event.position)


def _share_returned(state: State, event: ShareReturned) -> State:
    box = state.boxes[event.position]
    back = sum(owners.get(event.player, 0) for owners in box.stakes.values())
    folded = sum(owners.get(event.player, 0) for owners in box.forfeited.values())
    stakes, forfeited = _without_owner(box.stakes, event.player), _without_owner(box.forfeited, event.player)
    state = with_box(state, box._replace(stakes=stakes, forfeited=forfeited))
    return changed(
        state,
        racks=moved_chips(state.racks, event.player, back + folded),
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
    racks = paid_out(state.racks, {player: Cents(-amount) for player, amount in event.payouts.items()})
    return changed(
        state,
        stage=Stage.PLAYING if state.dealt else Stage.CLOSED,
        racks=racks,
        table_float=LedgerUnits(state.table_float - moved.table_float),
        house=LedgerUnits(state.house - moved.house),
        meter=LedgerUnits(state.meter - moved.meter),
        settlement=None,
        memory=replace(
            state.memory,
            warned=state.memory.warned.difference(event.warned),
            paid_once=state.memory.paid_once.difference(event.paid_once),
            collected_once=state.memory.collected_once.difference(event.collected_once),
        ),
    )


def _standing_order(state: State, event: StandingOrder) -> State:
    return changed(state, memory=_ordered(state.memory, event))


def _ordered(memory: Memory, order: StandingOrder) -> Memory:
    match order.order:
        case Ruling.RESTRICT:
            return replace(memory, restricted=memory.restricted | {order.argument})
        case Ruling.BAR:
            return replace(memory, barred=memory.barred | {order.argument})
        case Ruling.BLOCK:
            blocked = memory.blocked | {int(order.argument)}
            return replace(memory, blocked=blocked, jackpot_stopped=False)
        case Ruling.CLOSE_TABLE:
            return replace(memory, closed=True, jackpot_stopped=False)
        case Ruling.SUSPEND_JACKPOT:
            return replace(memory, jackpot_suspended=True, jackpot_stopped=False)
        case unknown:
            raise InvariantError(f"no standing order is called {unknown}")


def _order_lifted(state: State, event: OrderLifted) -> State:
    memory = state.memory
    match event.order:
        case Ruling.RESTRICT:
            memory = replace(memory, restricted=memory.restricted - {event.argument})
        case Ruling.BAR:
            memory = replace(memory, barred=memory.barred - {event.argument})
        case Ruling.BLOCK:
            memory = replace(memory, blocked=memory.blocked - {int(event.argument)})
        case Ruling.CLOSE_TABLE:
            memory = replace(memory, closed=False)
        case Ruling.SUSPEND_JACKPOT:
            memory = replace(memory, jackpot_suspended=False)
        case unknown:
            raise InvariantError(f"no standing order is called {unknown}")
    return changed(state, memory=memory)


EVOLVE_TROUBLE: dict[type[Event], Callable[[State, Any], State]] = {
    IrregularityReported: _reported,
    RoundSuspended: _suspended,
    RulingGiven: _ruled,
    JackpotBetsStopped: _jackpot_stopped,
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
    OrderLifted: _order_lifted,
}
