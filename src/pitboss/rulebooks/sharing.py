"""The jackpot's share of a settlement: what is contributed, who is awarded what, and what the meter keeps.

Exact throughout, in ledger units. A winner is paid whole cents, or whole chips where the book says so; what
that leaves stays on the meter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from pitboss.cards import FIVE_CARD_ORDER, HandClass
from pitboss.money import (
    BASIS_POINTS,
    NO_UNITS,
    NOTHING,
    UNITS_PER_CENT,
    Cents,
    LedgerUnits,
    floor_to_cents,
    to_units,
)
from pitboss.rulebooks.book import SharingRules
from pitboss.rulebooks.plan import ClauseRef, Clauses
from pitboss.rulebooks.vocabulary import AfterLower, MeterFloor, Repeated, Resets, Rounding, Sharing

CENT = Cents(1)
WHOLE = 100
"""The percentage that takes all of the meter, and so resets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hand that is awarded something of the meter. `seat` is its place in the order of the deal.

    It wins `percent` of the meter, or the amount `fixed` where the meter pays such awards.
    """

    seat: int
    hand_class: HandClass
    percent: int = 0
    fixed: Cents = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterAward:
    """What one seat is awarded of the meter as its share, by which clauses."""

    seat: int
    amount: Cents
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterResult:
    """The meter after all awards, and the shares in order of payment.

    `house_funded` is what the house put in for resets and to keep the meter at its floor; it is negative
    where a reset takes money off. `fixed_paid` is what fixed awards took.
    `before + house_funded - awards - fixed_paid == after`, to the unit.
    """

    awards: tuple[MeterAward, ...]
    after: LedgerUnits
    house_funded: LedgerUnits
    fixed_paid: LedgerUnits = NO_UNITS


def contribution(stake: Cents, *, increment_bp: int) -> LedgerUnits:
    """What an accepted jackpot stake adds to the meter when bets close, exactly.

    The same amount comes out again when the stake is returned.
    """
    return LedgerUnits(stake * UNITS_PER_CENT * increment_bp // BASIS_POINTS)


def award_meter(
    rules: SharingRules,
    claims: Sequence[Claim],
    *,
    meter: LedgerUnits,
    reset: Cents,
    chip: Cents = CENT,
) -> MeterResult:
    """Pay every claim by the book's policy. Claims stand in the order of the deal; `chip` is the smallest."""
    if not claims:
        return MeterResult(awards=(), after=meter, house_funded=NO_UNITS)
    till = _Till(rules, meter=meter, reset=to_units(reset), chip=chip)
    match rules.policy:
        case Sharing.EQUAL_SHARES:
            awards = _equal_shares(till, claims)
        case Sharing.CLOCKWISE:
            awards = _clockwise(till, claims)
    return MeterResult(
        awards=tuple(awards), after=till.meter, house_funded=till.funded, fixed_paid=till.fixed_paid
    )


def payment_order(rules: SharingRules, classes: Sequence[HandClass]) -> list[int]:
    """The order in which jackpot hands are paid: lower hands first, or as they were dealt."""
    order = list(range(len(classes)))
    if rules.policy is Sharing.EQUAL_SHARES:
        order.sort(key=lambda seat: FIVE_CARD_ORDER.index(classes[seat]))
    return order


def rounded(rules: SharingRules, units: Fraction, chip: Cents) -> Cents:
    """A share in whole cents or whole chips, as the book rounds it."""
    match rules.rounding:
        case Rounding.CENT_DOWN:
            return floor_to_cents(units)
        case Rounding.CENT_NEAREST:
            return floor_to_cents(units + Fraction(UNITS_PER_CENT, 2))
        case Rounding.CHIP_DOWN:
            return Cents(floor_to_cents(units) // chip * chip)


class _Till:
    """The meter while awards are paid from it."""

    def __init__(self, rules: SharingRules, *, meter: LedgerUnits, reset: LedgerUnits, chip: Cents) -> None:
        self.rules, self.displayed, self.meter, self.reset, self.chip = rules, meter, meter, reset, chip
        self.funded = self.fixed_paid = NO_UNITS

    def pay(self, units: LedgerUnits) -> None:
        """Pay shares. Awards counted of the reset value may come to more than a young meter holds."""
        short = max(0, units - self.meter)
        self.stand_at(LedgerUnits(self.meter + short - units), paid=units)
        self._keep_floor()

    def pay_fixed(self, amount: Cents) -> None:
        """Pay what the meter has of a fixed award; the house pays the rest."""
        taken = min(to_units(amount), max(0, self.meter))
        self.meter = LedgerUnits(self.meter - taken)
        self.fixed_paid = LedgerUnits(self.fixed_paid + taken)
        self._keep_floor()

    def stand_at(self, left: LedgerUnits, *, paid: LedgerUnits) -> None:
        """The meter stands at a value once so much was paid; the house funds what that takes."""
        self.funded = LedgerUnits(self.funded + left - (self.meter - paid))
        self.meter = left

    def _keep_floor(self) -> None:
        if self.rules.meter_floor is MeterFloor.RESET_VALUE and self.meter < self.reset:
            self.stand_at(self.reset, paid=NO_UNITS)


def _refs(clauses: tuple[str, ...]) -> Clauses:
    return tuple(ClauseRef(number) for number in clauses)


def _equal_shares(till: _Till, claims: Sequence[Claim]) -> list[MeterAward]:
    """Class by class from below: the awards of a class are added up and divided equally."""
    rules = till.rules
    awards: list[MeterAward] = []
    ordered = sorted(claims, key=lambda claim: FIVE_CARD_ORDER.index(claim.hand_class))
    for _, group in groupby(ordered, key=lambda claim: claim.hand_class):
        winners = list(group)
        count, percent = len(winners), winners[0].percent
        if not percent:
            for winner in winners:
                till.pay_fixed(winner.fixed)
            continue
        after_lower = bool(awards) or bool(till.fixed_paid)
        from_displayed = after_lower and rules.after_lower is AfterLower.DISPLAYED_METER
        base = till.displayed if from_displayed else till.meter
        if percent == WHOLE:
            total = Fraction(base + (count - 1) * till.reset)
            several = rules.whole_clauses or rules.several_clauses
        else:
            total = _repeated(rules.repeated, percent, base=base, reset=till.reset, winners=count)
            several = rules.several_clauses
        share = rounded(rules, total / count, till.chip)
        paid = LedgerUnits(count * to_units(share))
        if percent == WHOLE:
            till.stand_at(LedgerUnits(till.reset + max(0, int(total) - paid)), paid=paid)
        else:
            till.pay(paid)
        clauses: tuple[str, ...] = several if count > 1 else ()
        clauses += rules.after_lower_clauses if after_lower else ()
        awards += [MeterAward(seat=winner.seat, amount=share, clauses=_refs(clauses)) for winner in winners]
    return awards


def _repeated(
    policy: Repeated, percent: int, *, base: LedgerUnits, reset: LedgerUnits, winners: int
) -> Fraction:
    """What several equal hands win together: one share of the meter each, however that is counted."""
    part = Fraction(percent, WHOLE)
    match policy:
        case Repeated.RUNNING_METER:
            return base * (1 - (1 - part) ** winners)
        case Repeated.RESET_VALUE:
            return part * base + (winners - 1) * part * reset
        case Repeated.DISPLAYED_ONCE:
            return part * base
        case Repeated.DISPLAYED_EACH:
            return winners * part * base


def _clockwise(till: _Till, claims: Sequence[Claim]) -> list[MeterAward]:
    """One after the other in the order of the deal, each of the meter as the one before left it."""
    rules = till.rules
    awards: list[MeterAward] = []
    several = sum(bool(claim.percent) for claim in claims) > 1
    clauses = _refs(rules.several_clauses if several else ())
    for claim in claims:
        if not claim.percent:
            till.pay_fixed(claim.fixed)
            continue
        amount = rounded(rules, Fraction(till.meter * claim.percent, WHOLE), till.chip)
        paid = to_units(amount)
        extra: Clauses = ()
        if claim.percent == WHOLE:
            # What could not be paid for the rounding goes on with the reset meter.
            till.stand_at(LedgerUnits(till.reset + max(0, till.meter - paid)), paid=paid)
            extra = _refs(rules.whole_clauses)
        elif rules.resets is Resets.ANY_AWARD:
            till.stand_at(till.reset, paid=paid)
        else:
            till.pay(paid)
        awards.append(MeterAward(seat=claim.seat, amount=amount, clauses=clauses + extra))
    return awards
