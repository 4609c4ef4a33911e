"""What a step of play means for its link: stakes that close, contributions that go back, hits on their way.

All of it is drafted with the step itself, so that both are written or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pitboss.errors import check
from pitboss.floor import jackpot
from pitboss.floor import link as k
from pitboss.floor import link_events as ke
from pitboss.floor.desk import Draft, link_stream, table_stream
from pitboss.floor.gaming_table import GamingTable
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits, to_units
from pitboss.play import events as e
from pitboss.play.betting import jackpot_stakes
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.settlement import Award, Settlement
from pitboss.play.table import ClaimedHand, State
from pitboss.rulebooks.vocabulary import HitOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWork:
    """What a step does to the link: stakes that close, contributions that go back, hits and corrections."""

    stake: Cents = NOTHING
    back: LedgerUnits = NO_UNITS
    won: LedgerUnits = NO_UNITS
    funded: LedgerUnits = NO_UNITS
    awards: int = 0
    shares: tuple[ke.FixedShare, ...] = ()
    """What is paid from the meter once the step is done."""
    claimed: tuple[ClaimedHand, ...] = ()
    paid: bool = False
    dropped: bool = False
    clauses: tuple[Any, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether there is anything to do for the link."""
        return self != LinkWork()


def link_work(before: State, outcome: Sequence[e.Event]) -> LinkWork:
    """What the events of a step mean for the link."""
    state = before
    work = LinkWork()
    for event in outcome:
        settled: Settlement | None = None
        sign = 0
        match event:
            case e.BetsClosed():
                work = replace(work, stake=jackpot_stakes(state))
            case e.UnnoticedWagerEntered() if event.contribution:
                before_it = jackpot_stakes(state)
                added = jackpot_stakes(evolve_all(state, (event,))) - before_it
                work = replace(work, stake=Cents(work.stake + added))
            case e.HandRemoved():
                work = replace(work, back=LedgerUnits(work.back + event.contribution))
            case e.RoundSettled() | e.RoundVoided():
                settled, sign = event.settlement, 1
            case e.SettlementReversed():
                settled, sign = state.settlement, -1
            case e.JackpotClaimed():
                work = replace(work, claimed=event.hands)
            case e.MeterRead():
                work = replace(work, paid=True)
            case _:
                pass
        if settled is not None and settled.jackpot is not None:
            found = settled.jackpot
            shares = [award for award in found.awards if award.from_meter]
            won = sum(to_units(award.amount) for award in shares)
            work = replace(
                work,
                awards=work.awards + sign * len(shares),
                back=LedgerUnits(work.back + sign * found.reversed_contributions),
                won=LedgerUnits(work.won + sign * won),
                funded=LedgerUnits(work.funded + sign * found.house_funded),
                shares=tuple(_share(award) for award in shares) if sign > 0 else (),
                clauses=tuple(getattr(event, "clauses", ())),
            )
        state = evolve_all(state, (event,))
    if before.claim and not state.claim and not work.paid:
        work = replace(work, dropped=True)
    if not any((work.stake, work.back, work.won, work.funded, work.awards)):
        work = replace(work, clauses=(), shares=())
    return work


def _share(award: Award) -> ke.FixedShare:
    return ke.FixedShare(
        position=award.position, player=award.player, hand_class=award.hand_class, amount=award.amount
    )


def do_link_work(draft: Draft, table: GamingTable, work: LinkWork) -> Refusal | None:
    """Draft, beside the step, what it does to the link of its table."""
    opened = table.opened
    assert opened is not None
    name, stream = opened.link, link_stream(opened.link)
    link = draft.link(name)
    number = table.state.round_number
    if work.stake:
        terms = table.state.terms.jackpot
        assert terms is not None
        entered = jackpot.contribute(
            link,
            table=table.table,
            round_number=number,
            stake=work.stake,
            increment_bp=terms.increment_bp,
        )
        if isinstance(entered, Refusal):
            return entered
        link = draft.record(stream, entered)
        shown = e.MeterRead(meter=link.meter, reset=link.terms.reset)
        draft.record(table_stream(table.table), [shown])
    claim = link.claim_of(table.table)
    if work.paid:
        assert claim is not None
        assert claim.fixed is not None
        fixed = sum(to_units(share.amount) for share in claim.fixed.shares)
        check(fixed == work.won, "the table pays what the link has fixed")
        link = draft.record(stream, [jackpot.pay(link, claim)])
        draft.answer["hit"] = link.slips
        draft.answer["slip"] = link.slips  # as it was called before the table's payout slips were named
        taken = jackpot.taken_after(link, claim.fixed)
        if taken:
            link = draft.record(stream, taken)
    elif work.won or work.funded or work.awards:
        from_reserve = sum(
            hit.from_reserve
            for hit in link.history
            if (hit.table, hit.round_number) == (table.table, number) and not hit.undone
        )
        reserve = min(from_reserve, -work.funded) if work.funded < 0 else 0
        corrected = ke.AwardCorrected(
            table=table.table,
            round_number=number,
            meter=LedgerUnits(work.funded - work.won),
            reserve=LedgerUnits(reserve),
            won=work.won,
            hits=work.awards,
            reason="the settlement was undone",
            clauses=work.clauses,
            shares=work.shares,
        )
        was = _whole_hits(draft, link)
        link = draft.record(stream, [corrected])
        if _whole_hits(draft, link) < was:
            restored = jackpot.restored_after(link, draft.desk.plan_of)
            link = draft.record(stream, restored) if restored else link
    if work.dropped and claim is not None:
        end_claim(draft, name, claim.claim, reason="the hand is out of the round")
        link = draft.link(name)
    back = jackpot.give_back(link, table=table.table, round_number=number, total=work.back)
    if back:
        link = draft.record(stream, back)
    if work.claimed:
        enter(draft, table, link, work.claimed)
    return None


def _whole_hits(draft: Draft, link: k.Link) -> int:
    return sum(jackpot.is_whole(hit, draft.desk.plan_of(hit.rulebook)) for hit in link.history)


def enter(draft: Draft, table: GamingTable, link: k.Link, hands: tuple[ClaimedHand, ...]) -> None:
    """A claim is entered, and fixed at once where nothing can come before it."""
    opened = table.opened
    assert opened is not None
    plan = table.state.plan
    dealt_at = table.dealt_at
    check(dealt_at is not None, "a hand that wins was dealt")
    assert dealt_at is not None
    entered = jackpot.enter_claim(
        link,
        plan,
        table=table.table,
        round_number=table.state.round_number,
        rulebook=opened.rulebook,
        dealt_at=dealt_at,
        hands=hands,
    )
    stream = link_stream(opened.link)
    draft.record(stream, [entered])
    fix_what_can_be(draft, opened.link)
    draft.answer["claim"] = entered.claim


def end_claim(draft: Draft, name: str, number: int, *, reason: str) -> None:
    """A claim is not paid. Those that were fixed behind it are fixed again, on the meter as it is then."""
    stream = link_stream(name)
    link: k.Link = draft.find(stream).state
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
        link: k.Link = draft.find(stream).state
        ready = [claim for claim in link.waiting if jackpot.may_be_fixed(link, claim, in_play)]
        if not ready:
            return fixed
        why = "entered first" if ready[0].ordered_by is HitOrder.ENTERED_FIRST else "dealt first"
        fix_claim(draft, name, ready[0], why=why)
        fixed += 1


def fix_claim(draft: Draft, name: str, claim: k.Claim, *, why: str) -> None:
    """Fix one claim on the meter as it is displayed now."""
    stream = link_stream(name)
    link: k.Link = draft.find(stream).state
    draft.record(stream, [jackpot.fix(link, claim, draft.desk.plan_of(claim.rulebook), why=why)])
