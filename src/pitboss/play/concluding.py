"""Concluding a round: settled by its facts, or void."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from pitboss.cards import Card
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits
from pitboss.play.acceptance import accept, measured_by, stands_alone, under_minimum
from pitboss.play.commands import Settle
from pitboss.play.dealing import hands_in_order, open_community, open_dealer, outstanding, undecided
from pitboss.play.events import JackpotClaimed, MeterRead, RoundSettled, RoundVoided, SettlementReversed
from pitboss.play.facts import Facts, JackpotFacts, Once, Seat, Status
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.settlement import (
    JackpotSettlement,
    OwnerShare,
    SeatSettlement,
    Settlement,
    SettlementLine,
    settle,
    settled_for,
)
from pitboss.play.standing import missing_cards, needed_places, read_after_fold
from pitboss.play.table import AwardedHand, Box, ClaimedHand, Fate, Stage, State
from pitboss.play.transitions import Course, Decided
from pitboss.rulebooks.plan import ClauseRef, Clauses, WagerName
from pitboss.rulebooks.sharing import contribution
from pitboss.rulebooks.vocabulary import FixedFund, Measured, Source, UnderMinimum, UsedBy

_STATUS = {
    Fate.IN_PLAY: Status.PLAYED,
    Fate.FOLDED: Status.FOLDED,
    Fate.DECLINED: Status.DECLINED,
    Fate.INVALID_BY_ABSENCE: Status.ABSENT,
    Fate.FOLDED_BY_ABSENCE: Status.ABSENT,
    Fate.REMOVED: Status.INVALID,
}


def settle_round(state: State, command: Settle) -> Decided:
    """Settle every wager, once every decision is made and every card that matters lies open and is known.

    A round in which no position is dealt a hand is settled at once: what lies there goes back.
    """
    clauses = state.plan.comparison.clauses
    nothing_to_deal = state.stage is Stage.CLOSED and not hands_in_order(state)
    if state.stage is not Stage.PLAYING and not nothing_to_deal:
        over = state.stage in (Stage.SETTLED, Stage.VOID)
        text = "The round is over." if over else "No cards are dealt yet."
        return refuse("late" if over else "early", text, clauses)
    decision = outstanding(state)
    if decision is not None:
        waiting = undecided(state, decision)
        if waiting:
            names = ", ".join(str(box.position) for box in waiting)
            return refuse(
                "undecided", "Waiting for position {positions} to decide.", decision.clauses, positions=names
            )
    facts = _facts_in_play(state)
    if state.terms.physical or state.step < len(state.terms.procedure.steps):
        needed = [needed_places(state.plan, facts, seat) for seat in facts.seats]
        hidden = _still_hidden(state, set().union(*needed))
        if hidden:
            return refuse(
                "not-revealed", "The {places} must be revealed first.", clauses, places=", ".join(hidden)
            )
        for place, _, _ in missing_cards(state.plan, facts, needed):
            return refuse(
                "cards-unknown",
                "Cards have still to be entered at {place}.",
                clauses,
                place=_where(facts, place),
            )
    return _conclude(state, facts, command)


def folded_to_read(state: State) -> dict[int, list[WagerName]]:
    """Folded hands that are read before they are cleared, and the wagers they are read for."""
    if state.stage is not Stage.PLAYING or not any(box.choices for box in state.boxes.values()):
        return {}
    found = {seat.position: read_after_fold(state.plan, seat) for seat in _facts_in_play(state).seats}
    return {position: wagers for position, wagers in found.items() if wagers}


def _conclude(state: State, facts: Facts, command: Settle) -> Decided:
    """The settlement, or first the claim of what it takes from a meter that other tables share."""
    linked = state.terms.jackpot is not None and state.terms.jackpot.linked
    if not linked:
        return (_settled(state, facts),)
    fixed = command.fixed
    if state.claim:
        if fixed is None:
            return claim_pending(state)
        return _settled_on(state, facts, fixed)
    settled = _settled(state, facts)
    jackpot = settled.settlement.jackpot
    if jackpot is None or not jackpot.awards:
        return (settled,)
    if any(award.from_meter for award in jackpot.awards):
        return (_claim(state, jackpot),)
    if fixed is not None:  # what the meter pays of fixed awards, it pays as it stands now
        return _settled_on(state, facts, fixed)
    return (settled,)


def _settled_on(state: State, facts: Facts, fixed: MeterRead) -> Course:
    """The settlement on the meter that the link has fixed."""
    course = Course(state)
    course.add(_settled(course.add(fixed), _on_meter(facts, fixed)))
    return course


def _claim(state: State, jackpot: JackpotSettlement) -> JackpotClaimed:
    policy = state.plan.jackpot
    assert policy is not None
    shares = [award for award in jackpot.awards if award.from_meter]
    without = policy.measured is Measured.WITHOUT_RETURNED
    others: tuple[AwardedHand, ...] = ()
    if policy.fixed_awards is FixedFund.METER:
        others = tuple(
            AwardedHand(
                position=award.position,
                player=award.player,
                hand_class=award.hand_class,
                amount=award.amount,
            )
            for award in jackpot.awards
            if not award.from_meter
        )
    return JackpotClaimed(
        hands=tuple(
            ClaimedHand(position=award.position, player=award.player, hand_class=award.hand_class)
            for award in shares
        ),
        clauses=tuple(dict.fromkeys(clause for award in shares for clause in award.clauses)),
        returned=jackpot.reversed_contributions if without else NO_UNITS,
        others=others,
    )


def _on_meter(facts: Facts, fixed: MeterRead) -> Facts:
    assert facts.jackpot is not None
    read = replace(facts.jackpot, meter=fixed.meter, reset=fixed.reset, unmeasured=fixed.unmeasured)
    return replace(facts, jackpot=read)


def claim_pending(state: State) -> Refusal:
    """The refusal of an act while a share of the meter has still to be verified and fixed."""
    assert state.plan.jackpot is not None
    positions = ", ".join(str(hand.position) for hand in state.claim)
    return refuse(
        "claim-pending",
        "The jackpot hand of position {positions} has still to be verified.",
        state.plan.wager(state.plan.jackpot.wager).pays.clauses,
        positions=positions,
    )


def _settled(state: State, facts: Facts) -> RoundSettled:
    result = settle(state.plan, _with_returned(state, facts))
    return RoundSettled(
        settlement=_whole(state, result),
        payouts=_payouts(result),
        exposed=tuple(seat.position for seat in result.seats if seat.hand is not None),
        **_warnings(state, facts, result),
    )


def _where(facts: Facts, place: str) -> str:
    """A place of the facts (`seats[0].cards`) as people at the table call it."""
    index = place.removeprefix("seats[").split("]")[0]
    return f"position {facts.seats[int(index)].position}" if index.isdigit() else f"the {place}"


def void_round(state: State, clauses: Iterable[str]) -> RoundVoided:
    """Every stake back, the round's contribution out of the meter; earlier rounds stand."""
    numbers = tuple(ClauseRef(number) for number in dict.fromkeys((*clauses, *state.plan.void_clauses)))
    result = settle(state.plan, _with_returned(state, _facts_in_play(state, void=numbers[0])))
    result = replace(result, seats=tuple(_citing(seat, numbers) for seat in result.seats))
    return RoundVoided(
        settlement=_whole(state, result, void=numbers),
        payouts=_payouts(result, state.boxes.values()),
        clauses=numbers,
    )


def _citing(seat: SeatSettlement, clauses: Clauses) -> SeatSettlement:
    """A seat of a void round: its lines cite all that voided it."""
    return replace(
        seat,
        lines=tuple(replace(line, clauses=clauses) for line in seat.lines),
        owners=tuple(
            replace(owner, lines=tuple(replace(line, clauses=clauses) for line in owner.lines))
            for owner in seat.owners
        ),
    )


def reverse_settlement(state: State, clauses: Iterable[str]) -> SettlementReversed:
    """A settlement undone, before the next round has commenced."""
    assert state.settlement is not None
    in_play = [seat for seat in state.settlement.seats if state.boxes[seat.position].removal is None]
    return SettlementReversed(
        payouts=_payouts(replace(state.settlement, seats=tuple(in_play))),
        warned=tuple(sorted(state.trouble.warned_now)),
        paid_once=tuple(sorted(state.trouble.paid_now)),
        collected_once=tuple(sorted(state.trouble.collected_now)),
        clauses=tuple(ClauseRef(number) for number in clauses),
    )


def settle_again(state: State) -> RoundSettled:
    """A round settled once more without a hand whose settlement was undone.

    The others stand as if it had been out from the start, on the meter that was displayed; the contribution
    of the stake that went back comes off it afterwards.
    """
    return _settled(state, _facts_in_play(state))


def contributed(state: State, stakes: Mapping[WagerName, Mapping[str, Cents]]) -> LedgerUnits:
    """What the jackpot stake among the stakes of a position added to the meter."""
    jackpot = state.terms.jackpot
    if jackpot is None or state.plan.jackpot is None:
        return NO_UNITS
    wager = state.plan.wager(state.plan.jackpot.wager)

    def stake(name: WagerName) -> Cents:
        return Cents(sum(stakes.get(name, {}).values()))

    if stands_alone(wager, stake):
        return NO_UNITS
    return contribution(stake(wager.name), increment_bp=jackpot.increment_bp)


def _with_returned(state: State, facts: Facts) -> Facts:
    """The facts with the contributions of hands removed after the settlement: they come off with the next."""
    if facts.jackpot is None:
        return facts
    removals = [box.removal for box in state.boxes.values() if box.removal is not None]
    units = sum(contributed(state, removal.stakes) - removal.contribution for removal in removals)
    return replace(facts, jackpot=replace(facts.jackpot, returned=LedgerUnits(units))) if units else facts


def _facts_in_play(state: State, *, void: ClauseRef | None = None) -> Facts:
    """The facts without the hands that are out: their stakes are back with their owners already."""
    facts = round_facts(state, void=void)
    if all(box.removal is None for box in state.boxes.values()):
        return facts
    seats = tuple(seat for seat in facts.seats if state.boxes[seat.position].removal is None)
    return replace(facts, seats=seats)


def _whole(state: State, result: Settlement, *, void: Clauses = ()) -> Settlement:
    """The settlement with what was dealt with before: hands that were removed, shares that folded."""
    boxes = state.boxes.values()
    if all(box.removal is None and not box.forfeited for box in boxes):
        return result
    seats = [_with_folded_shares(state, seat, void) for seat in result.seats]
    seats += [_removed_seat(state, box) for box in boxes if box.removal is not None]
    return replace(result, seats=tuple(sorted(seats, key=lambda seat: seat.position)))


def _with_folded_shares(state: State, seat: SeatSettlement, void: Clauses) -> SeatSettlement:
    """A seat with the shares of owners who could not go along: collected already, or back if void."""
    box = state.boxes[seat.position]
    if not box.forfeited:
        return seat
    fold = state.plan.decisions[0].otherwise_clauses
    clauses = void or tuple(ClauseRef(n) for n in (*state.plan.limits.pooling.clauses, *fold))
    lines = {line.wager: line for line in seat.lines}
    whole = seat.owners or (OwnerShare(player=seat.player, lines=seat.lines),)
    owners: dict[str, list[SettlementLine]] = {share.player: list(share.lines) for share in whole}
    for wager, shares in box.forfeited.items():
        for owner, share in shares.items():
            folded = _back(wager, share, clauses) if void else _lost(wager, share, clauses)
            owners.setdefault(owner, []).append(folded)
            lines[wager] = _together(lines[wager], folded) if wager in lines else folded
    order = [wager.name for wager in state.plan.wagers]
    return replace(
        seat,
        lines=tuple(sorted(lines.values(), key=lambda line: order.index(line.wager))),
        owners=tuple(OwnerShare(player=owner, lines=tuple(own)) for owner, own in owners.items()),
    )


def _together(one: SettlementLine, other: SettlementLine) -> SettlementLine:
    return SettlementLine(
        wager=one.wager,
        stake=Cents(one.stake + other.stake),
        returned=Cents(one.returned + other.returned),
        collected=Cents(one.collected + other.collected),
        paid=Cents(one.paid + other.paid),
        clauses=tuple(dict.fromkeys((*one.clauses, *other.clauses))),
    )


def _removed_seat(state: State, box: Box) -> SeatSettlement:
    removal = box.removal
    assert removal is not None
    order = [wager.name for wager in state.plan.wagers if wager.name in removal.stakes]
    names = dict.fromkeys(owner for owners in removal.stakes.values() for owner in owners)
    owners: tuple[OwnerShare, ...] = ()
    if set(names) != {box.player}:
        owners = tuple(
            OwnerShare(
                player=owner,
                lines=tuple(
                    _back(wager, removal.stakes[wager][owner], removal.clauses)
                    for wager in order
                    if owner in removal.stakes[wager]
                ),
            )
            for owner in names
        )
    return SeatSettlement(
        position=box.position,
        player=box.player,
        hand=None,
        lines=tuple(
            _back(wager, Cents(sum(removal.stakes[wager].values())), removal.clauses) for wager in order
        ),
        owners=owners,
    )


def _lost(wager: WagerName, stake: Cents, clauses: Clauses) -> SettlementLine:
    return SettlementLine(
        wager=wager, stake=stake, returned=NOTHING, collected=stake, paid=NOTHING, clauses=clauses
    )


def _back(wager: WagerName, stake: Cents, clauses: Clauses) -> SettlementLine:
    return SettlementLine(
        wager=wager, stake=stake, returned=stake, collected=NOTHING, paid=NOTHING, clauses=clauses
    )


def round_facts(state: State, *, void: ClauseRef | None = None) -> Facts:
    """The round as `pitboss settle` would be told it: what lies open, every stake, every hand's fate."""
    terms = state.terms
    booked = state.stage not in (Stage.IDLE, Stage.BETTING)
    return Facts(
        seats=tuple(_seat(state, box) for _, box in sorted(state.boxes.items())),
        community=open_community(state),
        dealer=open_dealer(state) if Source.DEALER in state.revealed else (),
        limits=terms.limits,
        jackpot=None
        if terms.jackpot is None
        else JackpotFacts(
            meter=state.meter,
            reset=terms.jackpot.reset,
            unit=terms.jackpot.unit,
            increment_bp=terms.jackpot.increment_bp if booked else 0,
        ),
        void=void,
    )


def _seat(state: State, box: Box) -> Seat:
    status = _STATUS[box.fate]
    if status is Status.PLAYED and box.away:
        status = Status.ABSENT
    stakes = box.stakes if box.removal is None else box.removal.stakes
    pooled = {w: owners for w, owners in stakes.items() if len(owners) > 1 or box.player not in owners}
    return Seat(
        position=box.position,
        player=box.player,
        cards=known_cards(state, box),
        status=status,
        wagers=MappingProxyType({wager: Cents(sum(owners.values())) for wager, owners in stakes.items()}),
        viewed=box.viewed,
        warned=box.player in state.memory.warned,
        once=_once(state, box.player),
        established=box.established,
        shares=MappingProxyType(pooled),
    )


def _once(state: State, player: str) -> frozenset[Once]:
    """What a stake of a player's under the minimum was settled for on this gaming day."""
    memory = state.memory
    found = {Once.PAID} if player in memory.paid_once else set()
    return frozenset(found | {Once.COLLECTED} if player in memory.collected_once else found)


def known_cards(state: State, box: Box) -> tuple[Card, ...]:
    """The cards of a position that are known."""
    return state.known.get(str(box.position), ())


def _still_hidden(state: State, needed: set[str]) -> list[str]:
    """Places that some wager is settled on and that nobody has turned over yet."""
    if Source.COMMUNITY in needed and state.plan.parts:
        needed |= set(state.plan.parts)
        needed.discard(Source.COMMUNITY.value)
    order = [step.reveal for step in state.terms.procedure.steps if step.reveal is not None]
    return [place for place in order if place in needed and place not in state.revealed]


def _payouts(result: Settlement, forfeiting: Iterable[Box] = ()) -> MappingProxyType[str, Cents]:
    """What each player takes off the layout: his stakes that go back, and what he is paid.

    Of a void round also what was collected already from shares that folded.
    """
    paid: dict[str, Cents] = {}
    for box in forfeiting:
        for shares in box.forfeited.values():
            for player, share in shares.items():
                paid[player] = Cents(paid.get(player, 0) + share)
    for seat in result.seats:
        for player, lines in _owners(seat):
            amount = sum(line.returned + line.paid for line in lines)
            paid[player] = Cents(paid.get(player, 0) + amount)
    return MappingProxyType(paid)


def _owners(seat: SeatSettlement) -> list[tuple[str, tuple[SettlementLine, ...]]]:
    if seat.owners:
        return [(share.player, share.lines) for share in seat.owners]
    return [(seat.player, seat.lines)]


def _settled_under(state: State, facts: Facts, result: Settlement) -> dict[str, frozenset[Once]]:
    """Players with a stake under the minimum that was settled: what it was settled for, all hands together.

    Two such hands of a player in one round are one occasion.
    """
    if not facts.limits or state.plan.limits.under_minimum.policy is not UnderMinimum.SETTLED_ONCE:
        return {}
    found: dict[str, frozenset[Once]] = {}
    for seat, settled in zip(facts.seats, result.seats, strict=True):
        if seat.status is Status.INVALID:
            continue
        accepted = accept(state.plan, facts, seat)
        for wager in under_minimum(state.plan, facts, seat):
            if accepted[wager.name].plays:
                names = measured_by(state.plan, wager)
                moved = settled_for(line for line in settled.lines if line.wager in names)
                found[seat.player] = found.get(seat.player, frozenset()) | moved
    return found


def _warnings(state: State, facts: Facts, result: Settlement) -> dict[str, tuple[str, ...]]:
    """Whose one time for a stake under the minimum is used up now, as `RoundSettled` has it."""
    settled = _settled_under(state, facts, result)
    match state.plan.limits.under_minimum.used_by:
        case UsedBy.ANY_SETTLED:
            return {"warned": tuple(settled)}
        case UsedBy.MONEY_MOVED:
            return {"warned": tuple(player for player, moved in settled.items() if moved)}
        case UsedBy.ONE_OF_EACH:
            memory = state.memory
            paid = [p for p, moved in settled.items() if Once.PAID in moved and p not in memory.paid_once]
            taken = [
                p
                for p, moved in settled.items()
                if Once.COLLECTED in moved and p not in memory.collected_once
            ]
            both = memory.paid_once.union(paid) & memory.collected_once.union(taken)
            warned = tuple(player for player in settled if player in both - memory.warned)
            return {"warned": warned, "paid_once": tuple(paid), "collected_once": tuple(taken)}
