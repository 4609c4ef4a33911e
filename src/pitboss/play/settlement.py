"""Settlement: what becomes of every wager of a finished round, to the cent, with the clauses that say so.

Pure: a plan and the facts in, the settlement out. It follows the order of the table: how each hand stands,
how much of each stake plays, the jackpot awards, then line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple, cast

from pitboss.cards import HandClass
from pitboss.errors import BadInput, check
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits, to_units
from pitboss.play.acceptance import (
    Accepted,
    accept,
    measured_by,
    pro_rata,
    shares_in_play,
    stands_alone,
    under_minimum,
)
from pitboss.play.encoding import later
from pitboss.play.facts import Facts, Once, Seat, impossible
from pitboss.play.standing import Standing, class_key, missing_cards, stand
from pitboss.rulebooks.plan import (
    Clauses,
    FixedAward,
    ForOne,
    MeterShare,
    Pay,
    Plan,
    ToOne,
    Wager,
    WagerName,
)
from pitboss.rulebooks.sharing import (
    WHOLE,
    Claim,
    MeterAward,
    MeterResult,
    award_meter,
    contribution,
    payment_order,
)
from pitboss.rulebooks.vocabulary import (
    Action,
    Contributing,
    FixedFund,
    ForOneStake,
    Measured,
    Multiple,
    UsedBy,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementLine:
    """What became of one wager, and the clauses that say so.

    `stake == returned + collected`; `paid` is on top. A stand-off returns the stake and pays nothing.
    """

    wager: WagerName
    stake: Cents
    returned: Cents
    collected: Cents
    paid: Cents
    clauses: Clauses

    @property
    def net(self) -> Cents:
        """What the player won on it, or lost with a minus."""
        return Cents(self.paid - self.collected)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerShare:
    """One player's part of a position at which wagers were pooled."""

    player: str
    lines: tuple[SettlementLine, ...]

    @property
    def net(self) -> Cents:
        """What this player won in all."""
        return Cents(sum(line.net for line in self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettlement:
    """One position's lines in the order of the layout. `hand` is None when the cards were not shown.

    `owners` splits the lines between players where a wager had several; otherwise it is empty.
    """

    position: int
    player: str
    hand: str | None
    lines: tuple[SettlementLine, ...]
    owners: tuple[OwnerShare, ...] = ()

    @property
    def net(self) -> Cents:
        """What the position won in all."""
        return Cents(sum(line.net for line in self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A jackpot award. `from_meter` tells a share of the meter from a fixed award, whoever funds that."""

    position: int
    player: str
    hand_class: HandClass
    amount: Cents
    from_meter: bool
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSettlement:
    """The meter before and after, the awards in the order of payment, and what the house put in.

    `house_funded` pays for resets, for a floor of the meter, and for what is returned once it was won whole.
    `reversed_contributions` came off the meter with stakes that were returned; `borne` is what of that the
    house put in again, because the meter had been won whole. `fixed_from_meter` is what the meter paid of
    fixed awards, where the book has it pay them.
    """

    before: LedgerUnits
    after: LedgerUnits
    awards: tuple[Award, ...]
    house_funded: LedgerUnits
    reversed_contributions: LedgerUnits
    fixed_from_meter: LedgerUnits = later(NO_UNITS)
    borne: LedgerUnits = later(NO_UNITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Movements:
    """Where the money went, in ledger units, seen from each account; they add up to nothing."""

    players: Mapping[str, LedgerUnits]
    table_float: LedgerUnits
    house: LedgerUnits
    meter: LedgerUnits

    @property
    def total(self) -> int:
        """The sum over all accounts, which is nothing."""
        return sum(self.players.values()) + self.table_float + self.house + self.meter


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """A round settled: every position, the jackpot, and where the money went."""

    seats: tuple[SeatSettlement, ...]
    jackpot: JackpotSettlement | None
    movements: Movements = field(compare=False)


def check_facts(plan: Plan, facts: Facts, *, place: str = "") -> None:
    """Raise `BadInput` for the first fact that cannot be true."""
    for at, problem, remedy in _all_problems(plan, facts):
        raise BadInput(f"{place}: {at}" if place else at, problem, remedy)


def _all_problems(plan: Plan, facts: Facts) -> Iterator[tuple[str, str, str]]:
    yield from impossible(plan, facts)
    yield from missing_cards(plan, facts)


def settle(plan: Plan, facts: Facts) -> Settlement:
    """Settle a finished round. The facts must have passed `check_facts`."""
    hands = [_Hand.at(plan, facts, seat) for seat in facts.seats]
    jackpot = _settle_jackpot(plan, facts, hands)
    awards = {} if jackpot is None else {award.position: award for award in jackpot.awards}
    seats = tuple(_settle_seat(plan, facts, hand, awards.get(hand.seat.position)) for hand in hands)
    movements = _movements(plan, seats, jackpot)
    check(movements.total == 0, "money neither appears nor vanishes")
    return Settlement(seats=seats, jackpot=jackpot, movements=movements)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hand:
    """A seat with how it stands and how its stakes play."""

    seat: Seat
    standing: Standing
    accepted: Mapping[WagerName, Accepted]
    rows: dict[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, plan: Plan, facts: Facts, seat: Seat) -> _Hand:
        standing = stand(plan, facts, seat)
        read = {plan.comparison.hand.name: standing.compared.value} if standing.compared is not None else {}
        hand = cls(seat=seat, standing=standing, accepted=accept(plan, facts, seat), rows=read)
        spent = _spent(plan, facts, hand) if seat.once and not seat.warned else ()
        return replace(hand, accepted=accept(plan, facts, seat, spent=spent)) if spent else hand

    def pay_for(self, plan: Plan, facts: Facts, wager: Wager) -> tuple[str, Pay | None] | None:
        """The row this hand is on and what it pays, if the wager is settled by its pay table at all."""
        situation = self.standing.situation
        if situation is None or wager.settlement[situation].then is not Action.PAY:
            return None
        if wager.pays.flat is not None:  # a hand that was not shown may win it, too
            return "", wager.pays.flat
        spec = wager.pays.hand
        if spec.name not in self.rows:  # several wagers are paid on one hand; it is read once
            self.rows[spec.name] = class_key(plan, facts, self.seat, spec)
        key = self.rows[spec.name]
        return key, wager.pays.rows.get(key)


def _spent(plan: Plan, facts: Facts, hand: _Hand) -> list[WagerName]:
    """Wagers under the minimum that would be paid, or collected, a second time."""
    if plan.limits.under_minimum.used_by is not UsedBy.ONE_OF_EACH:
        return []
    found = []
    for wager in under_minimum(plan, facts, hand.seat):
        lines = [
            _extra_line(plan, facts, hand, each) if each.extra_on else _line(plan, facts, hand, each, None)
            for each in (plan.wager(name) for name in measured_by(plan, wager))
            if each.extra_on or each.name in hand.accepted
        ]
        if settled_for(line for line in lines if line is not None) & hand.seat.once:
            found.append(wager.name)
    return found


def settled_for(lines: Iterable[SettlementLine]) -> frozenset[Once]:
    """Whether money was paid on some of these lines, and whether some was collected."""
    found: set[Once] = set()
    for line in lines:
        found |= {Once.PAID} if line.paid else set()
        found |= {Once.COLLECTED} if line.collected else set()
    return frozenset(found)


# --- the jackpot --------------------------------------------------------------------------------------


def _settle_jackpot(plan: Plan, facts: Facts, hands: list[_Hand]) -> JackpotSettlement | None:
    policy = plan.jackpot
    if policy is None or facts.jackpot is None:
        return None
    wager = plan.wager(policy.wager)
    won: list[_Won] = []
    booked = unplayed = 0
    for hand in hands:
        accepted = hand.accepted.get(wager.name)
        if accepted is None:
            continue
        if not stands_alone(wager, hand.seat.stake):  # a stake alone never went to the meter
            booked += accepted.stake
            unplayed += accepted.stake - _in_play(hand, wager, accepted)
        found = hand.pay_for(plan, facts, wager) if accepted.plays else None
        if found is not None and found[1] is not None:
            won.append(_Won(hand, HandClass(found[0]), found[1]))
    return _pay_meter(plan, facts, wager, won, booked=Cents(booked), unplayed=Cents(unplayed))


class _Won(NamedTuple):
    """A hand that is awarded something, its class, and the pay of that."""

    hand: _Hand
    hand_class: HandClass
    pay: Pay

    @property
    def whole(self) -> bool:
        """Whether it wins the whole meter."""
        return isinstance(self.pay, MeterShare) and self.pay.percent == WHOLE


def _pay_meter(
    plan: Plan, facts: Facts, wager: Wager, won: list[_Won], *, booked: Cents, unplayed: Cents
) -> JackpotSettlement:
    """Awards on the meter as the book measures it, and what returned stakes had added off it again.

    A meter that was won whole stands at its reset value: what is returned after that the house bears.
    """
    policy, pool = plan.jackpot, facts.jackpot
    assert policy is not None
    assert pool is not None
    whole = any(each.whole for each in won)
    back = LedgerUnits(contribution(unplayed, increment_bp=pool.increment_bp) + pool.returned)
    shared = any(isinstance(each.pay, MeterShare) for each in won)
    unmeasured = back if shared and policy.measured is Measured.WITHOUT_RETURNED else NO_UNITS
    if whole and policy.contributes is Contributing.UNLESS_WON_WHOLE:
        back = LedgerUnits(contribution(booked, increment_bp=pool.increment_bp) + pool.returned)
        unmeasured = back
    if pool.unmeasured is not None:
        unmeasured = pool.unmeasured
    fixed = [_fixed_amount(plan, facts, wager, each) for each in won]
    result = _meter_awards(plan, facts, won, fixed, unmeasured)
    by_seat = {award.seat: award for award in result.awards}
    awards = [
        _award(plan, facts, wager, each, amount, by_seat.get(index))
        for index, (each, amount) in enumerate(zip(won, fixed, strict=True))
    ]
    order = payment_order(policy.sharing, [each.hand_class for each in won])
    borne = LedgerUnits(back - unmeasured) if whole else NO_UNITS
    return JackpotSettlement(
        before=pool.meter,
        after=LedgerUnits(result.after + unmeasured - back + borne),
        awards=tuple(awards[index] for index in order),
        house_funded=LedgerUnits(result.house_funded + borne),
        reversed_contributions=back,
        fixed_from_meter=result.fixed_paid,
        borne=borne,
    )


def _in_play(hand: _Hand, wager: Wager, accepted: Accepted) -> Cents:
    """What of a stake was at risk: nothing where the hand was not settled or the wager simply went back."""
    situation = hand.standing.situation
    if situation is None or wager.settlement[situation].then is Action.RETURN:
        return NOTHING
    return accepted.plays


def _meter_awards(
    plan: Plan, facts: Facts, won: list[_Won], fixed: list[Cents | None], unmeasured: LedgerUnits
) -> MeterResult:
    policy, pool = plan.jackpot, facts.jackpot
    assert policy is not None
    assert pool is not None
    claims = []
    for index, (each, amount) in enumerate(zip(won, fixed, strict=True)):
        if isinstance(each.pay, MeterShare):
            claims.append(Claim(seat=index, hand_class=each.hand_class, percent=each.pay.percent))
        elif policy.fixed_awards is FixedFund.METER and amount is not None:
            claims.append(Claim(seat=index, hand_class=each.hand_class, fixed=amount))
    meter = LedgerUnits(pool.meter - unmeasured)
    return award_meter(policy.sharing, claims, meter=meter, reset=pool.reset, chip=plan.book.house.chip)


def _fixed_amount(plan: Plan, facts: Facts, wager: Wager, won: _Won) -> Cents | None:
    """What an award that is no share of the meter comes to."""
    assert plan.jackpot is not None
    assert facts.jackpot is not None
    match won.pay:
        case MeterShare():
            return None
        case FixedAward(amount=amount):
            return amount
        case ForOne(odds=odds) | ToOne(odds=odds):
            plays = won.hand.accepted[wager.name].plays
            again = plays // facts.jackpot.unit if plan.jackpot.multiple is Multiple.AGAIN else 1
            return Cents(odds * plays * again)


def _award(
    plan: Plan, facts: Facts, wager: Wager, won: _Won, fixed: Cents | None, share: MeterAward | None
) -> Award:
    assert plan.jackpot is not None
    assert facts.jackpot is not None
    class_clause = wager.pays.hand.class_clauses.get(won.hand_class)
    clauses = (*wager.pays.clauses, *((class_clause,) if class_clause else ()))
    several = won.hand.accepted[wager.name].plays // facts.jackpot.unit > 1
    clauses += plan.jackpot.multiple_clauses if several else ()
    if fixed is None:
        assert share is not None
        fixed, clauses = share.amount, (*clauses, *share.clauses)
    return Award(
        position=won.hand.seat.position,
        player=won.hand.seat.player,
        hand_class=won.hand_class,
        amount=fixed,
        from_meter=share is not None,
        clauses=_once(clauses),
    )


# --- the lines ----------------------------------------------------------------------------------------


def _settle_seat(plan: Plan, facts: Facts, hand: _Hand, award: Award | None) -> SeatSettlement:
    lines: list[SettlementLine] = []
    for wager in plan.wagers:
        if wager.extra_on is not None:
            extra = _extra_line(plan, facts, hand, wager)
            lines += [extra] if extra is not None else []
        elif wager.name in hand.accepted:
            lines.append(_line(plan, facts, hand, wager, award))
    return SeatSettlement(
        position=hand.seat.position,
        player=hand.seat.player,
        hand=hand.standing.words,
        lines=tuple(lines),
        owners=_owners(plan, facts, hand, lines) if hand.seat.shares else (),
    )


def _line(plan: Plan, facts: Facts, hand: _Hand, wager: Wager, award: Award | None) -> SettlementLine:
    accepted, standing = hand.accepted[wager.name], hand.standing
    if standing.situation is None or not accepted.plays:
        return _returned(wager, accepted, standing.clauses + accepted.clauses)
    cell = wager.settlement[standing.situation]
    clauses = _line_clauses(wager, standing)
    action, paid, keeps_stake = cell.then, NOTHING, False
    if cell.then is Action.PAY:
        found = hand.pay_for(plan, facts, wager)
        pay = None if found is None else found[1]
        clauses += wager.pays.clauses
        if pay is None:
            action = wager.pays.unlisted
        elif plan.jackpot is not None and wager.name == plan.jackpot.wager:
            assert award is not None
            paid, clauses = award.amount, clauses + award.clauses
            keeps_stake = isinstance(pay, ForOne) and plan.jackpot.for_one_stake is ForOneStake.RETURNED
            keeps_stake = keeps_stake or isinstance(pay, ToOne)
        else:
            check(isinstance(pay, ToOne), "only a jackpot pays otherwise than to 1")
            paid, keeps_stake = _odds(wager, pay, accepted.plays), True
            clauses += (
                wager.pays.cap_clauses if paid < _odds(wager, pay, accepted.plays, capped=False) else ()
            )
    loses = action is Action.COLLECT or (action is Action.PAY and not keeps_stake)
    collected = accepted.plays if loses else NOTHING
    return SettlementLine(
        wager=wager.name,
        stake=accepted.stake,
        returned=Cents(accepted.stake - collected),
        collected=collected,
        paid=paid,
        clauses=_once(clauses + accepted.clauses),
    )


def _line_clauses(wager: Wager, standing: Standing) -> Clauses:
    assert standing.situation is not None
    cell = cast("Clauses", wager.settlement[standing.situation].clauses)
    return cell + standing.clauses + (standing.against_dealer if wager.against_dealer else ())


def _odds(wager: Wager, pay: Pay, plays: Cents, *, capped: bool = True) -> Cents:
    """What odds to 1 come to, up to the pay table's cap."""
    assert isinstance(pay, ToOne)
    paid = Cents(pay.odds * plays)
    if not capped or wager.pays.cap is None:
        return paid
    cap = wager.pays.cap - plays if wager.pays.cap_includes_stake else wager.pays.cap
    return Cents(max(0, min(paid, cap)))


def _returned(wager: Wager, accepted: Accepted, clauses: Clauses) -> SettlementLine:
    return SettlementLine(
        wager=wager.name,
        stake=accepted.stake,
        returned=accepted.stake,
        collected=NOTHING,
        paid=NOTHING,
        clauses=_once(clauses),
    )


def _extra_line(plan: Plan, facts: Facts, hand: _Hand, wager: Wager) -> SettlementLine | None:
    """A payment on another wager's stake, such as the Ante Bonus; there is a line only when it is paid."""
    assert wager.extra_on is not None
    base = hand.accepted.get(wager.extra_on)
    if base is None or not base.plays or hand.standing.situation is None:
        return None
    found = hand.pay_for(plan, facts, wager)
    if found is None or found[1] is None:
        return None
    clauses = _line_clauses(wager, hand.standing) + wager.pays.clauses
    return SettlementLine(
        wager=wager.name,
        stake=NOTHING,
        returned=NOTHING,
        collected=NOTHING,
        paid=_odds(wager, found[1], base.plays),
        clauses=_once(clauses + base.clauses),
    )


def _once(clauses: Clauses) -> Clauses:
    return tuple(dict.fromkeys(clauses))


# --- several owners -----------------------------------------------------------------------------------


def _owners(plan: Plan, facts: Facts, hand: _Hand, lines: list[SettlementLine]) -> tuple[OwnerShare, ...]:
    """Each owner's part of every line: stakes as put down, proceeds in proportion to what played."""
    seat = hand.seat
    split: dict[str, list[SettlementLine]] = {seat.player: []}
    for line in lines:
        wager = plan.wager(line.wager)
        basis = wager.extra_on or wager.name
        shares = seat.shares.get(basis, {seat.player: seat.stake(basis)})
        playing = {seat.player: hand.accepted[basis].plays}
        if basis in seat.shares:
            playing = shares_in_play(plan, facts, seat, plan.wager(basis), hand.accepted[basis])
        paid = pro_rata(line.paid, playing, first=seat.player) if any(playing.values()) else {}
        for owner, share in shares.items():
            collected = playing[owner] if line.collected else NOTHING
            stake = share if line.stake else NOTHING
            split.setdefault(owner, []).append(
                SettlementLine(
                    wager=line.wager,
                    stake=stake,
                    returned=Cents(stake - collected),
                    collected=collected,
                    paid=paid.get(owner, NOTHING),
                    clauses=line.clauses,
                )
            )
    return tuple(OwnerShare(player=owner, lines=tuple(own)) for owner, own in split.items())


# --- where the money went -------------------------------------------------------------------------------


def _movements(plan: Plan, seats: tuple[SeatSettlement, ...], jackpot: JackpotSettlement | None) -> Movements:
    """Table wagers move the float; jackpot stakes and fixed awards the house; shares the meter.

    What the meter pays of fixed awards is not the house's.
    """
    players: dict[str, LedgerUnits] = {}
    table_float = jackpot_stakes = 0
    for seat in seats:
        for share in seat.owners or (OwnerShare(player=seat.player, lines=seat.lines),):
            players[share.player] = LedgerUnits(players.get(share.player, 0) + to_units(share.net))
        for line in seat.lines:
            if plan.jackpot is not None and line.wager == plan.jackpot.wager:
                jackpot_stakes += to_units(line.collected)
            else:
                table_float -= to_units(line.net)
    house, meter = jackpot_stakes, 0
    if jackpot is not None:
        fixed = sum(to_units(award.amount) for award in jackpot.awards if not award.from_meter)
        shares = sum(to_units(award.amount) for award in jackpot.awards if award.from_meter)
        house += jackpot.reversed_contributions - fixed - jackpot.house_funded + jackpot.fixed_from_meter
        meter = jackpot.house_funded - shares - jackpot.reversed_contributions - jackpot.fixed_from_meter
        check(meter == jackpot.after - jackpot.before, "the meter moves by what was paid, reset and reversed")
    return Movements(
        players=MappingProxyType(players),
        table_float=LedgerUnits(table_float),
        house=LedgerUnits(house),
        meter=LedgerUnits(meter),
    )
