"""The jackpot as one player's wager: what it returns, and what the meter adds to that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.maths.main_game import Solution
from pitboss.maths.side import landings
from pitboss.money import Cents
from pitboss.rulebooks.plan import FixedAward, ForOne, MeterShare, Plan, ToOne, Wager
from pitboss.rulebooks.vocabulary import Action, ForOneStake, Multiple


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotResult:
    """A jackpot wager of `multiple` units. Awards of several winners in one round are not in it.

    `fixed_return` is what fixed awards return per unit of money staked. `meter_share` is what one unit of
    currency on the meter adds to the expected award of one wager. `frequencies` are those of each paid hand,
    `shares` the percentage of the meter for those that have one.
    """

    wager: str
    unit: Cents
    multiple: int
    fixed_return: Fraction
    meter_share: Fraction
    frequencies: Mapping[str, Fraction]
    shares: Mapping[str, int]
    fixed_awards: Mapping[str, Fraction]
    combinations: Mapping[str, int]
    cycle: int

    @property
    def stake(self) -> Cents:
        """What is staked: unit by multiple."""
        return Cents(self.unit * self.multiple)

    def return_at(self, meter: Fraction) -> Fraction:
        """What a unit of money staked returns with so much on the meter, in cents."""
        return self.fixed_return + self.meter_share * meter / self.stake

    @property
    def break_even_meter(self) -> Fraction | None:
        """The meter, in cents, from which on the wager returns its stake; None where no meter does it.

        It is nothing where the fixed awards alone return the stake.
        """
        if self.fixed_return >= 1:
            return Fraction(0)
        if not self.meter_share:
            return None
        return (1 - self.fixed_return) * self.stake / self.meter_share


def price_jackpot(solution: Solution, wager: Wager, *, unit: Cents, multiple: int = 1) -> JackpotResult:
    """Price the jackpot wager for one player who bets `multiple` units."""
    plan = solution.game.plan
    landed = landings(solution, wager)
    cycle = sum(landed.values())
    combos: dict[str, int] = {}
    returned = 0
    for (row, situation), deals in landed.items():
        action = wager.settlement[situation].then
        if action is Action.PAY and row in wager.pays.rows:
            combos[row] = combos.get(row, 0) + deals
        elif action is Action.RETURN or (action is Action.PAY and wager.pays.unlisted is Action.RETURN):
            returned += deals
    stake = unit * multiple
    fixed = {
        row: award
        for row, pay in wager.pays.rows.items()
        if (award := fixed_award(plan, pay, stake=stake, multiple=multiple)) is not None
    }
    shares = {row: pay.percent for row, pay in wager.pays.rows.items() if isinstance(pay, MeterShare)}
    expected = sum((fixed[row] * combos.get(row, 0) for row in fixed), Fraction(0)) / cycle
    order = [row for row in wager.pays.rows if row in combos]
    return JackpotResult(
        wager=wager.name,
        unit=unit,
        multiple=multiple,
        fixed_return=expected / stake + Fraction(returned, cycle),
        meter_share=Fraction(sum(shares[row] * combos.get(row, 0) for row in shares), 100 * cycle),
        frequencies={row: Fraction(combos[row], cycle) for row in order},
        shares=shares,
        fixed_awards=fixed,
        combinations={row: combos[row] for row in order},
        cycle=cycle,
    )


def fixed_award(plan: Plan, pay: object, *, stake: int, multiple: int) -> Fraction | None:
    """What a row that takes nothing from the meter gives back in cents, a returned stake included."""
    award = award_beside_the_stake(plan, pay, stake=stake, multiple=multiple)
    if award is None or isinstance(pay, FixedAward):
        return award
    assert plan.jackpot is not None
    keeps = isinstance(pay, ToOne) or plan.jackpot.for_one_stake is ForOneStake.RETURNED
    return award + (stake if keeps else 0)


def award_beside_the_stake(plan: Plan, pay: object, *, stake: int, multiple: int) -> Fraction | None:
    """What a row that is no share of the meter awards in cents; whoever pays awards pays so much."""
    assert plan.jackpot is not None
    match pay:
        case FixedAward(amount=amount):
            return Fraction(amount)
        case ForOne(odds=odds) | ToOne(odds=odds):
            again = multiple if plan.jackpot.multiple is Multiple.AGAIN else 1
            return Fraction(odds * stake * again)
        case _:
            return None
