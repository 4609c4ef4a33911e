"""What a line of a settlement was paid by: the pay of its table, and what that is counted on.

Stored settlements have amounts only. The pay is read again from the table when a view is made; what it was
counted on is told only where that comes to the amount that was paid.
"""

from __future__ import annotations

from msgspec import UNSET

from pitboss.money import Cents, LedgerUnits, floor_to_cents, format_cents
from pitboss.play.facts import Facts, Seat
from pitboss.play.settlement import SeatSettlement, SettlementLine
from pitboss.play.shapes import PaidBy
from pitboss.play.standing import class_key
from pitboss.rulebooks.plan import FixedAward, ForOne, MeterShare, Pay, Plan, ToOne, Wager


def paid_by(
    plan: Plan,
    facts: Facts,
    seat: Seat,
    settled: SeatSettlement,
    line: SettlementLine,
    *,
    meter: LedgerUnits | None,
) -> PaidBy | None:
    """The pay of a line that was paid, for whoever may see the hand; None for the others.

    `meter` is what the meter showed before the round's awards, or None where there is none.
    """
    if not line.paid:
        return None
    wager = plan.wager(line.wager)
    row = "" if wager.pays.flat is not None else class_key(plan, facts, seat, wager.pays.hand)
    pay: Pay | None = wager.pays.flat or wager.pays.rows.get(row)
    match pay:
        case ToOne(odds=odds):
            told = PaidBy(kind="to-one", odds=odds)
        case ForOne(odds=odds):
            told = PaidBy(kind="for-one", odds=odds)
        case FixedAward():
            return PaidBy(kind="fixed", row=row or UNSET)
        case MeterShare(percent=percent):
            told = PaidBy(kind="meter", percent=percent, row=row or UNSET)
            if meter is not None and floor_to_cents(LedgerUnits(meter * percent // 100)) == line.paid:
                told.on = format_cents(floor_to_cents(meter))
            return told
        case None:
            return None
    told.row = row or UNSET
    base = next((found.stake for found in settled.lines if found.wager == wager.extra_on), line.stake)
    _count(told, wager, odds, base, line.paid)
    return told


def _count(told: PaidBy, wager: Wager, odds: int, stake: Cents, paid: Cents) -> None:
    """Add the stake that odds were paid on, up to a cap, or as often as a multiple counts."""
    cap = wager.pays.cap
    capped = None if cap is None else cap - stake if wager.pays.cap_includes_stake else cap
    whole = format_cents(stake)
    if paid == odds * stake:
        told.on = whole
    elif paid == capped:
        told.on, told.capped = whole, True
    elif paid % odds == 0 and paid < odds * stake:  # what was over the maximum went back
        told.on = format_cents(Cents(paid // odds))
    elif stake and paid % (odds * stake) == 0:
        told.on, told.times = whole, paid // (odds * stake)
