"""What a step of play means for its link: stakes that close, contributions that go back, hits on their way.

All of it is drafted with the step itself, so that both are written or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pitboss.errors import InvariantError, check
from pitboss.floor import jackpot
from pitboss.floor import link as k
from pitboss.floor import link_events as ke
from pitboss.floor.desk import Draft, LinkStream, link_stream
from pitboss.floor.gaming_table import OpenTable
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits, to_units
from pitboss.play import events as e
from pitboss.play.betting import jackpot_stakes
from pitboss.play.refusal import Refusal
from pitboss.play.settlement import Award, Settlement
from pitboss.play.table import State
from pitboss.play.transitions import Played
from pitboss.rulebooks.sharing import WHOLE
from pitboss.rulebooks.vocabulary import HitOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWork:
    """What a step does to the link: stakes that close, contributions that go back, hits and corrections."""

    stake: Cents = NOTHING
    increment_bp: int = 0
    """What the meter takes of the stakes that close."""
    back: LedgerUnits = NO_UNITS
    undone: LedgerUnits = NO_UNITS
    """Returns undone with a settlement that had won the meter whole; what else is undone is in `back`."""
    restored: LedgerUnits = NO_UNITS
    """What such a settlement had left out of its measure and taken off the meter."""
    fixed: LedgerUnits = NO_UNITS
    """What the meter pays of fixed awards."""
    left_over: LedgerUnits = NO_UNITS
    """By how much the meter stands higher after a settlement made again than it stood after the first."""
    kept_whole: bool = False
    """Whether a settlement with the meter won whole was made again with the meter won whole."""
    unwon: bool = False
    """Whether it was made again, and the meter is not won whole any more."""
    won: LedgerUnits = NO_UNITS
    funded: LedgerUnits = NO_UNITS
    awards: int = 0
    shares: tuple[ke.FixedShare, ...] = ()
    """What is paid from the meter once the step is done."""
    claimed: e.JackpotClaimed | None = None
    paid: bool = False
    dropped: bool = False
    clauses: tuple[Any, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether there is anything to do for the link."""
        return self != LinkWork()


def link_work(played: Sequence[Played]) -> LinkWork:
    """What the events of a step mean for the link."""
    work = LinkWork()
    was_whole = False
    for state, event, after in played:
        settled: Settlement | None = None
        sign = 0
        match event:
            case e.BetsClosed():
                work = replace(work, stake=jackpot_stakes(state), increment_bp=_increment(state))
            case e.UnnoticedWagerEntered() if event.contribution:
                added = jackpot_stakes(after) - jackpot_stakes(state)
                work = replace(work, stake=Cents(work.stake + added), increment_bp=_increment(state))
            case e.HandRemoved():
                work = replace(work, back=LedgerUnits(work.back + event.contribution))
            case e.RoundSettled() | e.RoundVoided():
                settled, sign = event.settlement, 1
            case e.SettlementReversed():
                settled, sign = state.settlement, -1
            case e.JackpotClaimed():
                work = replace(work, claimed=event)
            case e.MeterRead():
                work = replace(work, paid=bool(played[0].before.claim))
            case _:
                pass
        if settled is not None and settled.jackpot is not None:
            found = settled.jackpot
            shares = [award for award in found.awards if award.from_meter]
            won = sum(to_units(award.amount) for award in shares)
            whole = _is_whole(state, shares)
            undone = found.reversed_contributions if whole and sign < 0 else 0
            was_whole |= whole and sign < 0
            work = replace(
                work,
                awards=work.awards + sign * len(shares),
                back=LedgerUnits(work.back + sign * found.reversed_contributions + undone),
                undone=LedgerUnits(work.undone - undone),
                left_over=LedgerUnits(work.left_over + sign * (found.after - found.before)),
                restored=LedgerUnits(work.restored + (undone - found.borne if undone else 0)),
                kept_whole=was_whole and whole and sign > 0,
                unwon=was_whole and not whole and sign > 0 and bool(shares),
                won=LedgerUnits(work.won + sign * won),
                funded=LedgerUnits(work.funded + sign * (found.house_funded - found.borne)),
                fixed=LedgerUnits(work.fixed + sign * found.fixed_from_meter),
                shares=tuple(_share(award) for award in shares) if sign > 0 else (),
                clauses=tuple(getattr(event, "clauses", ())),
            )
    if played[0].before.claim and not played[-1].after.claim and not work.paid:
        work = replace(work, dropped=True)
    if work.kept_whole:  # the meter stays won; only what rounding leaves on it can have changed
        back = LedgerUnits(work.back + work.undone)
        work = replace(work, back=back, undone=NO_UNITS, restored=NO_UNITS)
    moved = (work.stake, work.back, work.undone, work.won, work.funded, work.fixed, work.awards)
    if not any(moved):
        work = replace(work, clauses=(), shares=(), kept_whole=False, unwon=False)
    return work


def _is_whole(state: State, shares: Sequence[Award]) -> bool:
    """Whether one of the awards is the whole meter."""
    return any(state.plan.meter_percent(award.hand_class.value) == WHOLE for award in shares)


def _increment(state: State) -> int:
    return 0 if state.terms.jackpot is None else state.terms.jackpot.increment_bp


def _share(award: Award) -> ke.FixedShare:
    return ke.FixedShare(
        position=award.position, player=award.player, hand_class=award.hand_class, amount=award.amount
    )


def do_link_work(draft: Draft, table: OpenTable, work: LinkWork) -> Refusal | None:
    """Draft, beside the step, what it does to the link of its table."""
    opened = table.opened
    name, stream = opened.link, link_stream(opened.link)
    link = draft.link(name)
    number = table.state.round_number
    if work.stake:
        entered = jackpot.contribute(
            link,
            table=table.table,
            round_number=number,
            stake=work.stake,
            increment_bp=work.increment_bp,
        )
        if isinstance(entered, Refusal):
            return entered
        link = draft.record(stream, entered)
        shown = e.MeterRead(meter=link.meter, reset=link.terms.reset)
        draft.record_at(table.table, [shown])
    claim = link.claim_of(table.table)
    if work.paid:
        if claim is None or claim.fixed is None:
            raise InvariantError("a table pays what its link has fixed")
        fixed = sum(to_units(share.amount) for share in claim.fixed.shares)
        check(fixed == work.won, "the table pays what the link has fixed")
        link = draft.record(stream, [jackpot.pay(link, claim)])
        draft.answer["hit"] = link.slips
        draft.answer["slip"] = link.slips  # as it was called before the table's payout slips were named
        taken = jackpot.taken_after(link, claim.fixed)
        if taken:
            link = draft.record(stream, taken)
    elif work.won or work.funded or work.fixed or work.awards:
        link = _undone(draft, stream, table, link, work)
    if work.dropped and claim is not None:
        end_claim(draft, name, claim.claim, reason="the hand is out of the round")
        link = draft.link(name)
    back = jackpot.give_back(link, table=table.table, round_number=number, total=work.back)
    if back:
        link = draft.record(stream, back)
    if work.claimed is not None:
        enter(draft, table, link, work.claimed)
    return None


def _undone(draft: Draft, stream: LinkStream, table: OpenTable, link: k.Link, work: LinkWork) -> k.Link:
    """A settlement undone or made again, or one with awards that the meter pays and none has a share of."""
    number = table.state.round_number
    hits = [hit for hit in link.history if (hit.table, hit.round_number) == (table.table, number)]
    if not hits:
        paid = ke.FixedAwardsPaid(table=table.table, round_number=number, paid=work.fixed, funded=work.funded)
        return draft.record(stream, [paid])
    if work.undone:
        back = jackpot.give_back(link, table=table.table, round_number=number, total=work.undone)
        link = draft.record(stream, back) if back else link
    from_reserve = sum(hit.from_reserve for hit in hits if not hit.undone)
    reserve = min(from_reserve, -work.funded) if work.funded < 0 else 0
    meter = work.funded - work.won - work.fixed + work.restored
    if work.kept_whole:
        meter = work.left_over
    corrected = ke.AwardCorrected(
        table=table.table,
        round_number=number,
        meter=LedgerUnits(meter),
        reserve=LedgerUnits(reserve),
        won=work.won,
        hits=work.awards,
        reason="the settlement was undone",
        clauses=work.clauses,
        shares=work.shares,
        unwon=work.unwon,
    )
    was = _whole_hits(draft, link)
    link = draft.record(stream, [corrected])
    if _whole_hits(draft, link) < was:
        restored = jackpot.restored_after(link, draft.desk.plan_of)
        link = draft.record(stream, restored) if restored else link
    return link


def _whole_hits(draft: Draft, link: k.Link) -> int:
    return sum(jackpot.is_whole(hit, draft.desk.plan_of(hit.rulebook)) for hit in link.history)


def enter(draft: Draft, table: OpenTable, link: k.Link, claimed: e.JackpotClaimed) -> None:
    """A claim is entered, and fixed at once where nothing can come before it."""
    opened = table.opened
    plan = table.state.plan
    dealt_at = table.dealt_at
    if dealt_at is None:
        raise InvariantError("a hand that wins was dealt")
    entered = jackpot.enter_claim(
        link,
        plan,
        table=table.table,
        round_number=table.state.round_number,
        rulebook=opened.rulebook,
        dealt_at=dealt_at,
        hands=claimed.hands,
        returned=claimed.returned,
        others=claimed.others,
    )
    stream = link_stream(opened.link)
    draft.record(stream, [entered])
    fix_what_can_be(draft, opened.link)
    draft.answer["claim"] = entered.claim


def end_claim(draft: Draft, name: str, number: int, *, reason: str) -> None:
    """A claim is not paid. Those that were fixed behind it are fixed again, on the meter as it is then."""
    stream = link_stream(name)
    link = draft.find(stream).state
    behind = link.behind(number)
    for claim in reversed(behind):
        draft.record(stream, [ke.ClaimUnfixed(claim=claim.claim)])
    draft.record(
        stream, [ke.ClaimEnded(claim=number, reason=reason, by=draft.asker.name or str(draft.asker))]
    )
    for claim in behind:
        fix_claim(draft, name, claim, why=f"claim {number} was not upheld")


def fix_what_can_be(draft: Draft, name: str) -> int:
    """Fix every claim that nothing can come before any more; how many that were."""
    stream = link_stream(name)
    in_play = draft.reader.open_rounds(name)
    fixed = 0
    while True:
        link = draft.find(stream).state
        ready = [claim for claim in link.waiting if jackpot.may_be_fixed(link, claim, in_play)]
        if not ready:
            return fixed
        why = "entered first" if ready[0].ordered_by is HitOrder.ENTERED_FIRST else "dealt first"
        fix_claim(draft, name, ready[0], why=why)
        fixed += 1


def fix_claim(draft: Draft, name: str, claim: k.Claim, *, why: str) -> None:
    """Fix one claim on the meter as it is displayed now."""
    stream = link_stream(name)
    link = draft.find(stream).state
    draft.record(stream, [jackpot.fix(link, claim, draft.desk.plan_of(claim.rulebook), why=why)])
