"""`evolve(state, event)`: what an event makes of a table. It never refuses; `decide` did that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pitboss.cards import Card
from pitboss.errors import check
from pitboss.money import UNITS_PER_CENT, Cents, LedgerUnits
from pitboss.play.events import (
    AbsenceRecorded,
    BetsClosed,
    BetsOpened,
    CardCorrected,
    CardDiscarded,
    CardEntered,
    CardsBurned,
    CardsDealt,
    CardTurnedUp,
    ComparisonDeclined,
    DecisionMade,
    DecisionTakenBack,
    DutyDone,
    Event,
    ExcessRejected,
    GamingDayBegun,
    HandEstablished,
    HandHandled,
    HandLookedAt,
    HandViewed,
    JackpotClaimDropped,
    JackpotClaimed,
    JackpotHandLeft,
    JackpotTermsSet,
    MeterRead,
    PlaceRevealed,
    PlayerAbsent,
    RackChanged,
    RoundSettled,
    RoundVoided,
    ShareFolded,
    StepDone,
    UnnoticedWagerEntered,
    WagerPlaced,
    WagerWithdrawn,
)
from pitboss.play.evolve_corrections import card_corrected, decision_taken_back
from pitboss.play.evolve_trouble import EVOLVE_TROUBLE, answered, nothing_moves, troubled
from pitboss.play.evolving import moved_chips, paid_out, with_box, with_entry
from pitboss.play.table import (
    NO_TROUBLE,
    Box,
    Fate,
    Memory,
    Stage,
    State,
    Trouble,
    changed,
    duty_key,
    may_take_over,
)
from pitboss.rulebooks.plan import WagerName
from pitboss.rulebooks.vocabulary import Absence, Duty, PoolOrder

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


def _step_done(state: State, event: StepDone) -> State:
    return changed(state, step=event.step)


def _dealt(state: State, event: CardsDealt) -> State:
    dealt = with_entry(state.dealt, event.place, state.dealt.get(event.place, 0) + event.count)
    if event.cards is None:
        return changed(state, stage=Stage.PLAYING, dealt=dealt)
    known = with_entry(state.known, event.place, state.known.get(event.place, ()) + event.cards)
    return changed(state, stage=Stage.PLAYING, dealt=dealt, known=known)


def _burned(state: State, event: CardsBurned) -> State:
    check(0 <= event.count <= state.plan.book.deck.cards, "more cards burned than the pack has")
    cards: tuple[Card | None, ...] = (None,) * event.count if event.cards is None else event.cards
    return changed(state, burned=state.burned + cards)


def _decided(state: State, event: DecisionMade) -> State:
    box = state.boxes[event.position]
    fate = Fate.FOLDED if event.choice == "fold" else box.fate
    return with_box(
        state, box._replace(fate=fate, choices=with_entry(box.choices, event.decision, event.choice))
    )


def _revealed(state: State, event: PlaceRevealed) -> State:
    """A further card is shown: what could still be ruled or withdrawn before it no longer can."""
    state = changed(state, revealed=state.revealed | {event.place}, step=event.step)
    if state.trouble is NO_TROUBLE:
        return state
    return troubled(state, followups=MappingProxyType({}), permitted=MappingProxyType({}))


def _viewed(state: State, event: HandViewed) -> State:
    return with_box(state, state.boxes[event.position]._replace(viewed=True, handled=True))


def _handled(state: State, event: HandHandled) -> State:
    return with_box(state, state.boxes[event.position]._replace(handled=True))


def _declined(state: State, event: ComparisonDeclined) -> State:
    return with_box(state, state.boxes[event.position]._replace(fate=Fate.DECLINED))


def _established(state: State, event: HandEstablished) -> State:
    return with_box(state, state.boxes[event.position]._replace(established=True))


def _looked_at(state: State, event: HandLookedAt) -> State:
    return with_box(state, state.boxes[event.position]._replace(looked_at=True))


def _closed(state: State, event: BetsClosed) -> State:
    meter = LedgerUnits(state.meter + event.contribution)
    house = LedgerUnits(state.house - event.contribution)
    return changed(state, stage=Stage.CLOSED, meter=meter, house=house)


def _turned_up(state: State, event: CardTurnedUp) -> State:
    return changed(state, turned_up=with_entry(state.turned_up, event.place, event.number))


def _entered(state: State, event: CardEntered) -> State:
    known = with_entry(state.known, event.place, (*state.known.get(event.place, ()), event.card))
    return changed(state, known=known)


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
        claim=(),
        corrections=0,
        duties_done=frozenset(),
    )


def _day_begun(state: State, event: GamingDayBegun) -> State:
    memory = replace(
        state.memory,
        gaming_day=event.day,
        warned=frozenset(),
        paid_once=frozenset(),
        collected_once=frozenset(),
    )
    return changed(state, memory=memory)


def _jackpot_terms(state: State, event: JackpotTermsSet) -> State:
    assert state.terms.jackpot is not None
    jackpot = replace(
        state.terms.jackpot, unit=event.unit, reset=event.reset, increment_bp=event.increment_bp
    )
    return changed(state, terms=replace(state.terms, jackpot=jackpot))


def _rack_changed(state: State, event: RackChanged) -> State:
    racks = dict(state.racks)
    racks[event.player] = Cents(racks.get(event.player, 0) + event.amount)
    if not racks[event.player]:
        del racks[event.player]
    return changed(state, racks=MappingProxyType(racks))


def _claimed(state: State, event: JackpotClaimed) -> State:
    return changed(state, claim=event.hands)


def _claim_dropped(state: State, event: JackpotClaimDropped) -> State:
    """The round is as before the claim; the hands of a physical table may be entered again."""
    state = changed(state, claim=())
    return troubled(state, reentry=True) if state.terms.physical else state


def _meter_read(state: State, event: MeterRead) -> State:
    """What other tables made of the meter since this table last saw it, the house has met."""
    house = LedgerUnits(state.house - (event.meter - state.meter))
    assert state.terms.jackpot is not None
    terms = replace(state.terms, jackpot=replace(state.terms.jackpot, reset=event.reset))
    return changed(state, terms=terms, meter=event.meter, house=house)


def _wager_placed(state: State, event: WagerPlaced) -> State:
    wager = WagerName(event.wager)
    box = state.boxes.get(event.position)
    if box is None:
        stakes: Mapping[WagerName, Mapping[str, Cents]] = MappingProxyType({})
        box = Box(position=event.position, player=event.player, stakes=stakes, seated=event.player)
    elif event.seated or _comes_back(state, box, event.player):
        box = box._replace(player=event.player, seated=event.player)
    owners = box.stakes.get(wager, {})
    shares = with_entry(owners, event.player, Cents(owners.get(event.player, 0) + event.amount))
    box = box._replace(stakes=with_entry(box.stakes, wager, shares))
    return changed(
        state,
        boxes=with_entry(state.boxes, box.position, box),
        racks=moved_chips(state.racks, event.player, -event.amount),
    )


def _unnoticed_entered(state: State, event: UnnoticedWagerEntered) -> State:
    placed = WagerPlaced(position=event.position, player=event.player, wager=event.wager, amount=event.amount)
    return changed(
        _wager_placed(state, placed),
        meter=LedgerUnits(state.meter + event.contribution),
        house=LedgerUnits(state.house - event.contribution),
    )


def _duty_done(state: State, event: DutyDone) -> State:
    state = changed(state, duties_done=state.duties_done | {duty_key(event.duty, event.player)})
    if event.duty is not Duty.NEW_PACK:
        return state
    return changed(state, memory=replace(state.memory, new_pack_due=False))


def _hand_left(state: State, event: JackpotHandLeft) -> State:
    done = state.duties_done | {duty_key(Duty.LEAVE_JACKPOT_HAND, str(event.position))}
    return changed(state, exposed=state.exposed | {event.position}, duties_done=done)


def _left_open(state: State) -> set[int]:
    """The jackpot hands that were left face up: what is settled does not turn them over again."""
    keys = {duty_key(Duty.LEAVE_JACKPOT_HAND, str(n)): n for n in state.boxes} if state.duties_done else {}
    return {n for key, n in keys.items() if key in state.duties_done}


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
        player = _who_plays(state, box, stakes)
        boxes[event.position] = box._replace(player=player, stakes=MappingProxyType(stakes))
    else:
        del boxes[event.position]
    racks = moved_chips(state.racks, event.player, event.amount)
    state = changed(state, boxes=MappingProxyType(boxes), racks=racks)
    return state if event.position in boxes else answered(state, event.position)


def _comes_back(state: State, box: Box, player: str) -> bool:
    """Whether the seated player has a share again in a position that another owner played meanwhile."""
    if player == box.player or player != box.seated or not _in_any_order(state):
        return False
    return may_take_over(state.plan, box, player)


def _in_any_order(state: State) -> bool:
    return state.plan.limits.pooling.order is PoolOrder.ANY


def _who_plays(state: State, box: Box, stakes: Mapping[WagerName, Mapping[str, Cents]]) -> str:
    """Who plays a position once some chips are off it: the same player, or the first of the owners left."""
    remaining = {name for shares in stakes.values() for name in shares}
    if box.player in remaining:
        return box.player
    if not _in_any_order(state):
        return min(remaining)
    order = [name for name in (*state.plan.hand_wagers, *stakes) if name in stakes]
    return next(owner for wager in order for owner in stakes[wager])


def _discarded(state: State, event: CardDiscarded) -> State:
    lying = state.known.get(event.place, ())
    index = event.number - 1
    card = lying[index] if index < len(lying) else None
    return changed(
        state,
        dealt=with_entry(state.dealt, event.place, state.dealt[event.place] - 1),
        known=with_entry(state.known, event.place, lying[:index] + lying[index + 1 :]),
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
        forfeited[wager] = with_entry(forfeited.get(wager, MappingProxyType({})), event.player, amount)
    box = box._replace(stakes=MappingProxyType(stakes), forfeited=MappingProxyType(forfeited))
    lost = sum(event.stakes.values()) * UNITS_PER_CENT
    return changed(with_box(state, box), table_float=LedgerUnits(state.table_float + lost))


def _absent(state: State, event: PlayerAbsent) -> State:
    box = state.boxes[event.position]
    fate = {
        Absence.INVALID: Fate.INVALID_BY_ABSENCE,
        Absence.FOLD: Fate.FOLDED_BY_ABSENCE,
        Absence.CHECK: box.fate,
    }[Absence(event.consequence)]
    choices = with_entry(box.choices, event.decision, "absent")
    return with_box(state, box._replace(fate=fate, away=True, choices=choices))


def _settled(state: State, event: RoundSettled) -> State:
    moved = event.settlement.movements
    return changed(
        state,
        stage=Stage.SETTLED,
        claim=(),
        racks=paid_out(state.racks, event.payouts),
        table_float=LedgerUnits(state.table_float + moved.table_float),
        house=LedgerUnits(state.house + moved.house),
        meter=LedgerUnits(state.meter + moved.meter),
        settlement=event.settlement,
        exposed=frozenset(event.exposed).union(_left_open(state)),
        trouble=_warned_now(event),
        memory=_remembering(state.memory, event),
    )


def _warned_now(event: RoundSettled) -> Trouble:
    if not (event.warned or event.paid_once or event.collected_once):
        return NO_TROUBLE
    return Trouble(
        warned_now=frozenset(event.warned),
        paid_now=frozenset(event.paid_once),
        collected_now=frozenset(event.collected_once),
    )


def _remembering(memory: Memory, event: RoundSettled) -> Memory:
    if not (event.warned or event.paid_once or event.collected_once):
        return memory
    return replace(
        memory,
        warned=memory.warned.union(event.warned),
        paid_once=memory.paid_once.union(event.paid_once),
        collected_once=memory.collected_once.union(event.collected_once),
    )


def _voided(state: State, event: RoundVoided) -> State:
    moved = event.settlement.movements
    back = sum(sum(s.values()) for box in state.boxes.values() for s in box.forfeited.values())
    return changed(
        state,
        stage=Stage.VOID,
        claim=(),
        racks=paid_out(state.racks, event.payouts),
        table_float=LedgerUnits(state.table_float - back * UNITS_PER_CENT),
        house=LedgerUnits(state.house + moved.house),
        meter=LedgerUnits(state.meter + moved.meter),
        settlement=event.settlement,
        void_clauses=event.clauses,
        trouble=NO_TROUBLE,
        memory=_void_for_its_cards(state, event),
    )


def _void_for_its_cards(state: State, event: RoundVoided) -> Memory:
    """Where the book asks for a new pack after such a round, the table remembers that it is due."""
    rule = state.plan.duty(Duty.NEW_PACK)
    if rule is None or set(rule.after_clauses).isdisjoint(event.clauses):
        return state.memory
    return replace(state.memory, new_pack_due=True)


_EVOLVE: dict[type[Event], Callable[[State, Any], State]] = EVOLVE_TROUBLE | {
    BetsOpened: _round_opened,
    GamingDayBegun: _day_begun,
    JackpotTermsSet: _jackpot_terms,
    RackChanged: _rack_changed,
    JackpotClaimed: _claimed,
    JackpotClaimDropped: _claim_dropped,
    MeterRead: _meter_read,
    WagerPlaced: _wager_placed,
    ExcessRejected: nothing_moves,
    UnnoticedWagerEntered: _unnoticed_entered,
    WagerWithdrawn: _wager_withdrawn,
    DutyDone: _duty_done,
    JackpotHandLeft: _hand_left,
    BetsClosed: _closed,
    CardsDealt: _dealt,
    CardsBurned: _burned,
    CardDiscarded: _discarded,
    CardTurnedUp: _turned_up,
    StepDone: _step_done,
    CardEntered: _entered,
    CardCorrected: card_corrected,
    HandViewed: _viewed,
    HandHandled: _handled,
    DecisionMade: _decided,
    ShareFolded: _share_folded,
    PlayerAbsent: _absent,
    AbsenceRecorded: nothing_moves,
    ComparisonDeclined: _declined,
    DecisionTakenBack: decision_taken_back,
    HandEstablished: _established,
    HandLookedAt: _looked_at,
    PlaceRevealed: _revealed,
    RoundSettled: _settled,
    RoundVoided: _voided,
}
"""What each kind of event does; a test holds it against the union. Most of a round's time is spent here."""


def total_money(state: State) -> int:
    """All money of a table in ledger units: the same at every moment, whatever happens."""
    racks = sum(state.racks.values()) + state.layout
    return racks * UNITS_PER_CENT + state.table_float + state.house + state.meter
