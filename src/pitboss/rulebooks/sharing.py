"""The jackpot's share of a settlement: what is contributed, who is awarded what, and what the meter keeps.

Exact throughout, in ledger units. A winner is paid whole cents; the fraction stays on the meter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from pitboss.cards import FIVE_CARD_ORDER, HandClass
from pitboss.money import BASIS_POINTS, NO_UNITS, UNITS_PER_CENT, Cents, LedgerUnits, floor_to_cents, to_units
from pitboss.rulebooks.book import SharingRules
from pitboss.rulebooks.plan import ClauseRef, Clauses
from pitboss.rulebooks.vocabulary import AfterLower, Repeated, Resets, Sharing

WHOLE = 100
"""The percentage that takes all of the meter, and so resets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hand that wins a share of the meter. `seat` is its place in the order of the deal."""

    seat: int
    hand_class: HandClass
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterAward:
    """What one seat is awarded of the meter, by which clauses."""

    seat: int
    amount: Cents
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterResult:
    """The meter after all awards, in order of payment. `house_funded` is what the house put in for resets.

    `before + house_funded - awards == after`, to the unit. It is negative where a reset takes money off.
    """

    awards: tuple[MeterAward, ...]
    after: LedgerUnits
    house_funded: LedgerUnits


def contribution(stake: Cents, *, increment_bp: int) -> LedgerUnits:
    """What an accepted jackpot stake adds to the meter when bets close, exactly.

    The same amount comes out again when the stake is returned.
    """
    return LedgerUnits(stake * UNITS_PER_CENT * increment_bp // BASIS_POINTS)


def award_meter(
    rules: SharingRules, claims: Sequence[Claim], *, meter: LedgerUnits, reset: Cents
) -> MeterResult:
    """Pay every claim by the book's policy. Claims stand in the order of the deal."""
    if not claims:
        return MeterResult(awards=(), after=meter, house_funded=NO_UNITS)
    match rules.policy:
        case Sharing.EQUAL_SHARES:
            return _equal_shares(rules, claims, meter, to_units(reset))
        case Sharing.CLOCKWISE:
            return _clockwise(rules, claims, meter, to_units(reset))


def payment_order(rules: SharingRules, classes: Sequence[HandClass]) -> list[int]:
    """The order in which jackpot hands are paid: lower hands first, or as they were dealt."""
    order = list(range(len(classes)))
    if rules.policy is Sharing.EQUAL_SHARES:
        order.sort(key=lambda seat: FIVE_CARD_ORDER.index(classes[seat]))
    return order


def _equal_shares(
    rules: SharingRules, claims: Sequence[Claim], displayed: LedgerUnits, reset: LedgerUnits
) -> MeterResult:
    """Class by class from below: the awards of a class are added up and divided equally."""
    meter, funded = displayed, LedgerUnits(0)
    awards: list[MeterAward] = []
    ordered = sorted(claims, key=lambda claim: FIVE_CARD_ORDER.index(claim.hand_class))
    for _, group in groupby(ordered, key=lambda claim: claim.hand_class):
        winners = list(group)
        count, percent = len(winners), winners[0].percent
        after_lower = bool(awards)
        from_displayed = after_lower and rules.after_lower is AfterLower.DISPLAYED_METER
        base = displayed if from_displayed else meter
        if percent == WHOLE:
            total = Fraction(base + (count - 1) * reset)
            several = rules.whole_clauses or rules.several_clauses
        else:
            total = _repeated(rules.repeated, percent, base=base, reset=reset, winners=count)
            several = rules.several_clauses
        share = floor_to_cents(total / count)
        paid = LedgerUnits(count * to_units(share))
        if percent == WHOLE:
            left = LedgerUnits(reset + int(total) - paid)
            funded = LedgerUnits(funded + left - (meter - paid))
            meter = left
        else:
            # Awards counted of the reset value may come to more than a young meter holds.
            short = LedgerUnits(max(0, paid - meter))
            funded, meter = LedgerUnits(funded + short), LedgerUnits(meter + short - paid)
        clauses: tuple[str, ...] = several if count > 1 else ()
        clauses += rules.after_lower_clauses if after_lower else ()
        refs = tuple(ClauseRef(number) for number in clauses)
        awards += [MeterAward(seat=winner.seat, amount=share, clauses=refs) for winner in winners]
    return MeterResult(awards=tuple(awards), after=meter, house_funded=funded)


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


def _clockwise(
    rules: SharingRules, claims: Sequence[Claim], meter: LedgerUnits, reset: LedgerUnits
) -> MeterResult:
    """One after the other in the order of the deal, each of the meter as the one before left it."""
    funded = LedgerUnits(0)
    awards: list[MeterAward] = []
    clauses = tuple(ClauseRef(number) for number in (rules.several_clauses if len(claims) > 1 else ()))
    for claim in claims:
        amount = floor_to_cents(Fraction(meter * claim.percent, WHOLE))
        left = LedgerUnits(meter - to_units(amount))
        extra: Clauses = ()
        if claim.percent == WHOLE:
            # The fraction of a cent that could not be paid goes on with the reset meter.
            funded, left = LedgerUnits(funded + reset), LedgerUnits(left + reset)
            extra = tuple(ClauseRef(number) for number in rules.whole_clauses)
        elif rules.resets is Resets.ANY_AWARD:
            funded, left = LedgerUnits(funded + reset - left), reset
        awards.append(MeterAward(seat=claim.seat, amount=amount, clauses=clauses + extra))
        meter = left
    return MeterResult(awards=tuple(awards), after=meter, house_funded=funded)
