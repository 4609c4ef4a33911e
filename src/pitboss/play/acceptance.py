"""How much of each stake plays: limits, prescribed sizes, wagers that need another, pooled wagers.

What does not play goes back to its owner whatever the outcome, with the clause that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from pitboss.errors import check
from pitboss.money import NOTHING, Cents
from pitboss.play.facts import Facts, Limit, Seat, not_placed
from pitboss.rulebooks.plan import ClauseRef, Clauses, Plan, Wager, WagerName
from pitboss.rulebooks.vocabulary import MaximumOf, Pooling, UnderMinimum


@dataclass(frozen=True, slots=True)
class Accepted:
    """How a stake plays: `plays` of it, the rest going back; `clauses` say why it is not simply the stake."""

    stake: Cents
    plays: Cents
    clauses: Clauses = ()


def accept(
    plan: Plan, facts: Facts, seat: Seat, *, spent: Collection[WagerName] = ()
) -> dict[WagerName, Accepted]:
    """What of every stake at a position plays, in the order of the layout.

    `spent` are wagers under the minimum that are not settled any more, besides those of a warned player.
    """
    accepted: dict[WagerName, Accepted] = {}
    for wager in plan.wagers:
        if seat.stake(wager.name):
            accepted[wager.name] = _accept(plan, facts, seat, wager, accepted, spent)
    return accepted


def under_minimum(plan: Plan, facts: Facts, seat: Seat) -> list[Wager]:
    """The wagers of a position with a stake below their posted minimum."""
    posted = [wager for wager in plan.wagers if wager.of is None and wager.name in facts.limits]
    return [w for w in posted if 0 < seat.stake(w.name) < facts.limits[w.name].minimum]


def measured_by(plan: Plan, wager: Wager) -> list[WagerName]:
    """A wager and all that hang on its size: later wagers, and payments on it."""
    return [w.name for w in plan.wagers if wager.name in (w.name, w.of, w.extra_on)]


def stands_alone(wager: Wager, stake: Callable[[WagerName], Cents]) -> bool:
    """Whether a wager lies without any of those it needs: it is not accepted, and goes back."""
    return bool(wager.needs) and not any(stake(name) for name in wager.needs)


def shares_in_play(
    plan: Plan, facts: Facts, seat: Seat, wager: Wager, accepted: Accepted
) -> dict[str, Cents]:
    """Whose money plays in a wager that several funded; exact cents, the remainder is the seated's."""
    shares = seat.shares.get(wager.name, {})
    check(sum(shares.values()) == accepted.stake, "the shares of a wager add up to its stake")
    if plan.limits.pooling.policy is Pooling.ONE_OWNER:
        return {owner: accepted.plays if owner == seat.player else NOTHING for owner in shares}
    if plan.limits.pooling.policy is Pooling.LIMIT_EACH and accepted.plays:
        limit = _limit(plan, facts, wager)
        each = {owner: _at_most(share, limit) for owner, share in shares.items()}
        if sum(each.values()) == accepted.plays:
            return each
    parts = pro_rata(accepted.plays, shares, first=seat.player)
    heir = seat.player if seat.player in parts else next(iter(parts))
    for owner in shares:  # nobody plays for more than he put down, not even by the odd cents
        excess = max(0, parts[heir] - shares[heir])
        room = min(excess, shares[owner] - parts[owner])
        parts[owner], parts[heir] = Cents(parts[owner] + room), Cents(parts[heir] - room)
    return parts


def pro_rata(amount: Cents, shares: Mapping[str, Cents], *, first: str) -> dict[str, Cents]:
    """Split an amount by shares in whole cents. The cents left over go to `first`, or to the first owner."""
    if len(shares) == 1:
        return dict.fromkeys(shares, amount)
    whole = sum(shares.values())
    parts = {owner: Cents(amount * share // whole) for owner, share in shares.items()}
    heir = first if first in parts else next(iter(parts))
    parts[heir] = Cents(parts[heir] + amount - sum(parts.values()))
    return parts


def _accept(
    plan: Plan,
    facts: Facts,
    seat: Seat,
    wager: Wager,
    before: Mapping[WagerName, Accepted],
    spent: Collection[WagerName],
) -> Accepted:
    stake = seat.stake(wager.name)
    refused = _hangs_on_nothing(wager, before)
    if refused is not None:
        return Accepted(stake, NOTHING, refused)
    if wager.units is not None:
        return _in_units(facts, wager, stake)

    plays = stake
    clauses: Clauses = ()
    one_owner = plan.limits.pooling.policy is Pooling.ONE_OWNER and wager.name in seat.shares
    if one_owner:
        plays = seat.shares[wager.name].get(seat.player, NOTHING)
        clauses = _refs(plan.limits.pooling.clauses) if plays < stake else ()
    if wager.of is not None:
        base = before[wager.of]
        prescribed = Cents(wager.times * (base.plays if one_owner else base.stake))
        if plays > prescribed:
            plays, clauses = prescribed, clauses + _refs(plan.limits.wrong_size.too_large)
        elif plays < prescribed or wager.name in not_placed(plan, seat):
            clauses += _refs(plan.limits.wrong_size.too_small)
        if wager.name in not_placed(plan, seat):
            return Accepted(stake, NOTHING, clauses)

    limit = _limit(plan, facts, wager)
    if limit is None:
        return Accepted(stake, plays, clauses)
    if plays < limit.minimum and wager.of is None:
        rule = plan.limits.under_minimum
        clauses += _refs(rule.clauses)
        if rule.policy is UnderMinimum.SETTLED_ONCE and (seat.warned or wager.name in spent):
            return Accepted(stake, NOTHING, clauses)
    most = _most(plan, facts, seat, wager, before)
    if plays > most:
        plays, clauses = most, clauses + _refs(plan.limits.over_maximum.clauses)
    return Accepted(stake, plays, clauses)


def _hangs_on_nothing(wager: Wager, before: Mapping[WagerName, Accepted]) -> Clauses | None:
    """Why a wager cannot play without another: none of those it needs is down, or all of them went back."""
    needed = (wager.of,) if wager.of is not None else wager.needs
    down = [before[name] for name in needed if name in before]
    if not needed or any(other.plays for other in down):
        return None
    return down[0].clauses if down else wager.without_clauses


def _in_units(facts: Facts, wager: Wager, stake: Cents) -> Accepted:
    assert wager.units is not None
    assert facts.jackpot is not None
    least, most = wager.units
    units = min(stake // facts.jackpot.unit, most)
    if units < least:
        return Accepted(stake, NOTHING, wager.short_clauses)
    plays = Cents(units * facts.jackpot.unit)
    return Accepted(stake, plays, wager.odd_clauses if plays < stake else ())


def _limit(plan: Plan, facts: Facts, wager: Wager) -> Limit | None:
    """The limits of a wager: posted, or so many times those of the wager it is measured by."""
    if wager.of is None:
        return facts.limits.get(wager.name)
    base = _limit(plan, facts, plan.wager(wager.of))
    return base and Limit(Cents(wager.times * base.minimum), Cents(wager.times * base.maximum))


def _most(plan: Plan, facts: Facts, seat: Seat, wager: Wager, before: Mapping[WagerName, Accepted]) -> Cents:
    """The most of a wager that plays: by its own area, or by what its box has room for."""
    each = plan.limits.pooling.policy is Pooling.LIMIT_EACH
    if plan.limits.over_maximum.of is MaximumOf.BOX:
        root = wager if wager.of is None else plan.wager(wager.of)
        whole = _limit(plan, facts, root)
        assert whole is not None
        owners = len(seat.shares.get(root.name, ())) if each else 1
        played = [before[name].plays for name in measured_by(plan, root) if name in before]
        return Cents(max(0, whole.maximum * max(1, owners) - sum(played)))
    limit = _limit(plan, facts, wager)
    assert limit is not None
    if each and wager.name in seat.shares:
        return Cents(sum(_at_most(share, limit) for share in seat.shares[wager.name].values()))
    return limit.maximum


def _at_most(share: Cents, limit: Limit | None) -> Cents:
    return share if limit is None else min(share, limit.maximum)


def _refs(clauses: tuple[str, ...]) -> Clauses:
    return tuple(ClauseRef(number) for number in clauses)
