"""What happens at a link: contributions, claims, the order of hits, outages, parameters. Pure.

Amounts are computed by the same code that settles a table's round (`rulebooks.sharing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pitboss.cards import HandClass
from pitboss.floor.link import Booked, Claim, Hit, Link, PutIn
from pitboss.floor.link_events import (
    ClaimEntered,
    ClaimFixed,
    ClaimPaid,
    ClaimVerified,
    Contributed,
    ContributionReturned,
    FixedShare,
    LinkEvent,
    LinkFailed,
    LinkRestored,
    Parameters,
    ParametersPlanned,
    ParametersRestored,
    ParametersTaken,
    Transferred,
)
from pitboss.floor.ports import Micros, RoundRow
from pitboss.money import NO_UNITS, Cents, LedgerUnits, format_cents, to_units
from pitboss.play.refusal import Refusal
from pitboss.play.table import AwardedHand, ClaimedHand
from pitboss.rulebooks.plan import ClauseRef, FixedAward, ForOne, JackpotPolicy, MeterShare, Plan
from pitboss.rulebooks.sharing import WHOLE, award_meter, contribution
from pitboss.rulebooks.sharing import Claim as Sharer
from pitboss.rulebooks.vocabulary import Contributing, HitOrder

ACCOUNTS = ("meter", "reserve", "overflow")
"""The accounts of a link between which an approved transfer may move money."""

LinkOutcome = tuple[LinkEvent, ...] | Refusal


def contribute(link: Link, *, table: str, round_number: int, stake: Cents, increment_bp: int) -> LinkOutcome:
    """A round's jackpot stakes enter when bets close; above the ceiling they go to the overflow.

    `increment_bp` is the one the round was opened with.
    """
    terms = link.terms
    if link.out_of_order:
        text = f"The jackpot is out of order ({link.out_of_order}): jackpot wagers are withdrawn first."
        return Refusal("jackpot-out-of-order", text)
    booked = link.booked.get(table)
    before = booked.stake if booked is not None and booked.round_number == round_number else 0
    whole = Cents(before + stake)
    if whole > terms.most_stake:
        most = format_cents(terms.most_stake)
        text = f"{format_cents(whole)} of jackpot stakes in one round; the link takes {most} at most."
        return Refusal("unreasonable-contribution", text)
    total = contribution(stake, increment_bp=increment_bp)
    to_meter = total
    if terms.ceiling is not None:
        room = max(0, to_units(terms.ceiling) - link.meter)
        to_meter = LedgerUnits(min(total, room))
    return (
        Contributed(
            table=table,
            round_number=round_number,
            stake=stake,
            meter=to_meter,
            overflow=LedgerUnits(total - to_meter),
            reserve=contribution(stake, increment_bp=terms.reserve_bp),
        ),
    )


def give_back(link: Link, *, table: str, round_number: int, total: LedgerUnits) -> tuple[LinkEvent, ...]:
    """The contribution of stakes that were returned comes out again, from where it had gone.

    `total` is what the stakes had added to meter and overflow together; it is negative where a return is
    undone. What a winner has taken since, and what the reserve has spent, is not there to come back.
    """
    booked = link.booked.get(table)
    if not total or booked is None or booked.round_number != round_number:
        return ()
    part = _gone_back(booked) if total < 0 else None
    return _given_back(link, part or booked, table=table, round_number=round_number, total=total)


def _gone_back(booked: Booked) -> PutIn | None:
    """What of a round's contribution has gone back, account by account: that is what is undone."""
    put_in = booked.put_in
    if put_in is None or put_in.total == booked.total:
        return None
    return PutIn(
        stake=Cents(put_in.stake - booked.stake),
        total=LedgerUnits(put_in.total - booked.total),
        meter=LedgerUnits(put_in.meter - booked.meter),
        overflow=LedgerUnits(put_in.overflow - booked.overflow),
        reserve=LedgerUnits(put_in.reserve - booked.reserve),
    )


def given_back_cut(link: Link, *, table: str, round_number: int, total: LedgerUnits) -> tuple[LinkEvent, ...]:
    """The same as in earlier versions: meter and overflow were cut each for itself."""
    booked = link.booked.get(table)
    if not total or booked is None or booked.round_number != round_number:
        return ()
    part = _gone_back(booked) if total < 0 else None
    return _given_back(link, part or booked, table=table, round_number=round_number, total=total, cut=True)


def given_back_before(
    link: Link, *, table: str, round_number: int, total: LedgerUnits
) -> tuple[LinkEvent, ...]:
    """The same as in still earlier ones: a return was undone by what was left, not by what had gone back."""
    booked = link.booked.get(table)
    if not total or booked is None or booked.round_number != round_number:
        return ()
    return _given_back(link, booked, table=table, round_number=round_number, total=total, cut=True)


def _given_back(
    link: Link,
    part: Booked | PutIn,
    *,
    table: str,
    round_number: int,
    total: LedgerUnits,
    cut: bool = False,
) -> tuple[LinkEvent, ...]:
    """A part of a contribution, account by account in proportion.

    What the overflow cuts to a unit comes off the meter; with `cut` the meter is cut for itself.
    """
    whole = part.total or total
    overflow = part.overflow * total // whole
    held = part.meter if cut else part.meter + part.overflow
    meter = held * total // whole - (0 if cut else overflow)
    return (
        ContributionReturned(
            table=table,
            round_number=round_number,
            stake=Cents(part.stake * total // whole),
            total=total,
            meter=LedgerUnits(min(meter, link.meter)),
            overflow=LedgerUnits(min(overflow, link.overflow)),
            reserve=LedgerUnits(min(part.reserve * total // whole, link.reserve)),
        ),
    )


def enter_claim(
    link: Link,
    plan: Plan,
    *,
    table: str,
    round_number: int,
    rulebook: str,
    dealt_at: Micros,
    hands: tuple[ClaimedHand, ...],
    returned: LedgerUnits = NO_UNITS,
    others: tuple[AwardedHand, ...] = (),
) -> ClaimEntered:
    """A hit is entered. Both times are recorded: the entry is the event's own."""
    rules = plan.book.jackpot
    assert rules is not None
    return ClaimEntered(
        claim=link.claims_entered + 1,
        table=table,
        round_number=round_number,
        rulebook=rulebook,
        ordered_by=rules.separate_tables,
        dealt_at=dealt_at,
        hands=hands,
        clauses=tuple(ClauseRef(number) for number in rules.separate_tables_clauses),
        returned=returned,
        others=others,
    )


def may_be_fixed(link: Link, claim: Claim, in_play: Sequence[RoundRow]) -> bool:
    """Whether nothing can come before a claim any more.

    By entry it is fixed at once. By the deal, no round with a jackpot stake that was dealt earlier may still
    be in play, and no claim dealt earlier may still wait.
    """
    if claim.ordered_by is HitOrder.ENTERED_FIRST:
        return True
    ahead = [other for other in link.waiting if other.ordered_by is HitOrder.DEALT_FIRST]
    if ahead and ahead[0].claim != claim.claim:
        return False
    claiming = {(other.table, other.round_number) for other in link.claims.values()}
    return not any(
        row.jackpot
        and row.dealt_at is not None
        and row.dealt_at < claim.dealt_at
        and (row.table, row.number) not in claiming
        for row in in_play
    )


def fix(link: Link, claim: Claim, plan: Plan, *, why: str) -> ClaimFixed:
    """The shares of a claim on the meter as displayed now; in an outage, as it was registered before."""
    policy = plan.jackpot
    assert policy is not None
    rows = plan.wager(policy.wager).pays.rows
    sharers = []
    hands: list[ClaimedHand | AwardedHand] = [*claim.hands, *claim.others]
    in_deal_order = sorted(hands, key=lambda hand: hand.position)
    for seat, hand in enumerate(in_deal_order):
        if isinstance(hand, AwardedHand):
            sharers.append(Sharer(seat=seat, hand_class=hand.hand_class, fixed=hand.amount))
            continue
        pay = rows[hand.hand_class.value]
        assert isinstance(pay, MeterShare)
        sharers.append(Sharer(seat=seat, hand_class=hand.hand_class, percent=pay.percent))
    resets = any(sharer.percent == WHOLE for sharer in sharers)
    coming = link.planned if resets and link.planned is not None else link.terms
    displayed = link.registered if link.out_of_order else link.meter
    unmeasured = _unmeasured(link, claim, policy, whole=resets)
    result = award_meter(
        policy.sharing,
        sharers,
        meter=LedgerUnits(displayed - unmeasured),
        reset=coming.reset,
        chip=plan.book.house.chip,
    )
    missing = displayed - link.meter  # what went back since the fault; a reset meter is whole all the same
    funded = LedgerUnits(result.house_funded + (missing - unmeasured if resets else 0))
    after = LedgerUnits(result.after + (0 if resets else unmeasured - missing))
    from_reserve = max(0, min(funded, link.reserve))
    assert plan.book.jackpot is not None
    order = [ClauseRef(number) for number in plan.book.jackpot.separate_tables_clauses]
    clauses = [clause for award in result.awards for clause in award.clauses]
    return ClaimFixed(
        claim=claim.claim,
        why=why,
        displayed=displayed,
        reset=coming.reset,
        shares=tuple(
            FixedShare(
                position=in_deal_order[award.seat].position,
                player=in_deal_order[award.seat].player,
                hand_class=in_deal_order[award.seat].hand_class,
                amount=award.amount,
            )
            for award in result.awards
        ),
        after=after,
        from_reserve=LedgerUnits(from_reserve),
        from_house=LedgerUnits(funded - from_reserve - result.fixed_paid),
        resets=resets,
        clauses=tuple(dict.fromkeys((*order, *clauses))),
        unmeasured=unmeasured,
    )


def _unmeasured(link: Link, claim: Claim, policy: JackpotPolicy, *, whole: bool) -> LedgerUnits:
    """What of the meter no share of a claim is measured on: what its own round has put in, or took back.

    The book of the table that hits says so, whatever the other tables of the link play.
    """
    booked = link.booked.get(claim.table)
    if booked is None or booked.round_number != claim.round_number:
        return NO_UNITS
    if whole and policy.contributes is Contributing.UNLESS_WON_WHOLE:
        return booked.meter
    return LedgerUnits(booked.meter * claim.returned // booked.total) if booked.total else NO_UNITS


def taken_after(link: Link, fixed: ClaimFixed) -> tuple[LinkEvent, ...]:
    """Parameters that waited for the jackpot to be won hold from when it is paid."""
    return (ParametersTaken(parameters=link.planned),) if fixed.resets and link.planned is not None else ()


def is_whole(hit: Hit, plan: Plan) -> bool:
    """Whether a hit has won the meter whole, by what is paid of it now."""
    assert plan.jackpot is not None
    rows = plan.wager(plan.jackpot.wager).pays.rows
    pays = [rows.get(share.hand_class.value) for share in hit.shares if not hit.undone]
    return any(isinstance(pay, MeterShare) and pay.percent == WHOLE for pay in pays)


def restored_after(link: Link, plan_of: Callable[[str], Plan]) -> tuple[ParametersRestored, ...]:
    """A hit that had won the meter whole has not: the present jackpot has the parameters it had (P8).

    Nothing changes where somebody has won it whole since, or none were taken. A ceiling holds from when it is
    planned; one that is not above the meter, now that it is whole again, waits with the rest.
    """
    first: Hit | None = None
    for hit in reversed(link.history):
        if is_whole(hit, plan_of(hit.rulebook)):
            break
        first = hit if hit.before is not None else first
    if first is None or first.before is None:
        return ()
    now, old = link.terms, first.before
    ceiling = now.ceiling
    if ceiling is not None and to_units(ceiling) <= link.meter:
        ceiling = old.ceiling
    return (
        ParametersRestored(
            hit=first.slip,
            parameters=replace(old, ceiling=ceiling),
            planned=link.planned or now,
            reason="the hit they were taken with was undone",
        ),
    )


OWN_CLAIM = Refusal("own-claim", "Whoever entered a claim does not verify it; somebody else does.")


CLAIMS_PENDING = Refusal("claims-pending", "Claims wait on this link; they are paid or ended first.")


def no_such_claim(link: Link, number: int) -> Refusal:
    """The refusal of a claim that a link has not, with those that wait."""
    those = f"those that do are {', '.join(map(str, link.claims))}" if link.claims else "none does"
    return Refusal("no-such-claim", f"No claim {number} waits on this link; {those}.")


def verify(link: Link, number: int, *, by: str) -> LinkOutcome:
    """A pit manager has seen the hand."""
    claim = link.claims.get(number)
    if claim is None:
        return no_such_claim(link, number)
    if claim.verified_by:
        return Refusal("verified-already", f"{claim.verified_by} has verified it.")
    return (ClaimVerified(claim=number, by=by),)


def pay(link: Link, claim: Claim) -> ClaimPaid:
    """Pay a verified claim, as the link's next hit."""
    return ClaimPaid(claim=claim.claim, slip=link.slips + 1)


def fail(link: Link, reason: str, *, approved_by: str = "") -> LinkOutcome:
    """The jackpot is out of order: it takes no wagers until it is restored."""
    if link.out_of_order:
        return Refusal("out-of-order-already", f"It is out of order: {link.out_of_order}.")
    return (LinkFailed(reason=reason, registered=link.meter, approved_by=approved_by),)


def restore(link: Link, by: str) -> LinkOutcome:
    """Back with the parameters and the meter it had."""
    if not link.out_of_order:
        return Refusal("in-order", "The jackpot is in order.")
    return (LinkRestored(by=by),)


def plan_parameters(link: Link, new: Parameters, *, reason: str, approved_by: str) -> LinkOutcome:
    """Parameters for the next jackpot. The ceiling may only be set above the present meter, and holds now.

    While a hit waits to be paid nobody knows which jackpot is the present one.
    """
    if link.claims:
        return CLAIMS_PENDING
    changes = new.ceiling != link.terms.ceiling
    if changes and new.ceiling is not None and to_units(new.ceiling) <= link.meter:
        return Refusal("ceiling-below-meter", "The ceiling may only be set above the present meter.")
    return (ParametersPlanned(before=link.terms, parameters=new, reason=reason, approved_by=approved_by),)


def transfer(
    link: Link, *, source: str, target: str, amount: Cents, reason: str, approved_by: str
) -> LinkOutcome:
    """An approved transfer between meter, reserve and overflow."""
    if amount <= 0 or source == target:
        return Refusal("no-transfer", "A transfer moves something from one account to another.")
    held = getattr(link, source)
    if link.claims:
        return CLAIMS_PENDING
    ceiling = link.terms.ceiling
    if target == "meter" and ceiling is not None and link.meter + to_units(amount) > to_units(ceiling):
        return Refusal("above-ceiling", "The meter would stand above its ceiling.")
    if held < to_units(amount):
        return Refusal("not-enough", f"The {source} does not hold {format_cents(amount)}.")
    return (Transferred(source=source, target=target, amount=amount, reason=reason, approved_by=approved_by),)


def lower_pays_more(link: Link, plan: Plan) -> str:
    """A warning to the house where the meter is so small that a lower hand is paid more than a higher one."""
    policy = plan.jackpot
    if policy is None:
        return ""
    wager = plan.wager(policy.wager)
    most_units = wager.units[1] if wager.units is not None else 1
    fixed = 0
    for pay_of in wager.pays.rows.values():
        if isinstance(pay_of, FixedAward):
            fixed = max(fixed, pay_of.amount)
        elif isinstance(pay_of, ForOne):
            fixed = max(fixed, pay_of.odds * link.terms.unit * most_units)
    shares = [
        (key, link.meter * pay_of.percent // WHOLE)
        for key, pay_of in wager.pays.rows.items()
        if isinstance(pay_of, MeterShare)
    ]
    for key, units in shares:
        if units < to_units(Cents(fixed)):
            return f"A {HandClass(key).value} pays less than a lower hand while the meter is this small."
    return ""
