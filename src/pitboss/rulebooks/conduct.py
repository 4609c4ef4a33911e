"""What a book does about players' conduct: absence, hands not shown, stakes of the wrong size or too late.

Its data stand with absence, limits, wagers and settlement; here they are read out for whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pitboss.rulebooks.book import Cell
from pitboss.rulebooks.plan import Plan, ToOne, Wager
from pitboss.rulebooks.vocabulary import (
    Absence,
    AbsentWithout,
    Action,
    Placing,
    Power,
    Situation,
    UnderMinimum,
    meaning,
)

_LOST = Cell(then=Action.COLLECT, clauses=("",))
"""What a wager without a word about folding would come to; every book has one for each."""


@dataclass(frozen=True, slots=True)
class Provision:
    """When something applies, what is done, and the clauses that say so."""

    when: str
    then: str
    clauses: tuple[str, ...]


def _absent(plan: Plan) -> Iterator[Provision]:
    for decision in plan.decisions:
        consequence = plan.absence.consequences[decision.name]
        then = meaning(consequence)
        wagers = [w for w in plan.wagers if w.extra_on is None]
        if consequence is Absence.INVALID:
            back = [w.area for w in wagers if _goes_back(plan, w.name)]
            then = f"the hand becomes invalid; back go {', '.join(back)}"
        elif consequence is Absence.FOLD:
            alive = [w.name for w in wagers if w.settlement.get(Situation.FOLDED, _LOST).then is Action.PAY]
            then += f"; the {', '.join(alive)} stays alive" if alive else ""
        yield Provision(f"the {decision.name} decision is due", then, plan.absence.clauses[decision.name])
        if decision.without is not None:
            numbers = (*decision.without_clauses, *plan.absence.clauses[decision.name])
            settled = "it needs no decision and is settled"
            invalid = plan.absence.without is AbsentWithout.INVALID
            yield Provision(
                f"the hand has no {decision.needs}",
                meaning(plan.absence.without) if invalid else settled,
                numbers,
            )
    clauses = plan.absence.settled_clauses or plan.comparison.clauses
    yield Provision("no decision is due", "the hand is settled as it stands", clauses)


def _goes_back(plan: Plan, wager: str) -> bool:
    cell = plan.wager(wager).settlement.get(Situation.ABSENT)
    return cell is not None and cell.then is Action.RETURN


def _declined(plan: Plan) -> Iterator[Provision]:
    situations = (Situation.DECLINED, Situation.DECLINED_DEALER_NOT_QUALIFIED, Situation.ESTABLISHED)
    for wager in plan.wagers:
        for situation in situations:
            cell = wager.settlement[situation]
            told = situation is Situation.DECLINED or cell != wager.settlement[Situation.DECLINED]
            if wager.extra_on is None and told:
                when = f"the {wager.area} of a hand {_HAND[situation]} is settled"
                yield Provision(when, _done(wager, cell.then), cell.clauses)
    look = plan.power(Power.LOOK_AT_HAND)
    if look is not None:
        title = plan.book.authorities.titles[look.position]
        yield Provision("staff want to see the cards", f"{title} or above may look at them", look.clauses)


_HAND = {
    Situation.DECLINED: "not exposed",
    Situation.DECLINED_DEALER_NOT_QUALIFIED: "not exposed, the dealer not qualifying,",
    Situation.ESTABLISHED: "not exposed but established by the player",
}


def _done(wager: Wager, action: Action) -> str:
    if action is not Action.PAY:
        return meaning(action)
    return "paid 1 to 1" if wager.pays.flat == ToOne(1) else "paid by its table"


def _under_minimum(plan: Plan) -> Iterator[Provision]:
    rule = plan.limits.under_minimum
    if rule.placing is Placing.REFUSED:
        yield Provision("it is noticed before the close", meaning(rule.placing), rule.placing_clauses)
    yield Provision("it is found at settlement", meaning(rule.policy), rule.clauses)
    if rule.policy is UnderMinimum.SETTLED_ONCE:
        yield Provision("the one time is used up", f"by {meaning(rule.used_by)}", rule.clauses)


def _over_maximum(plan: Plan) -> Iterator[Provision]:
    rule = plan.limits.over_maximum
    if rule.placing is not Placing.TAKEN:
        yield Provision("it is noticed before the close", meaning(rule.placing), rule.placing_clauses)
    yield Provision("it is found at settlement", "settled to the maximum; the excess goes back", rule.clauses)
    if any(wager.of is not None for wager in plan.wagers):
        yield Provision("later wagers are measured by it", meaning(rule.of), rule.clauses)


def _wrong_size(plan: Plan) -> Iterator[Provision]:
    rule = plan.limits.wrong_size
    if rule.placing is Placing.REFUSED:
        clauses = tuple(dict.fromkeys(c for w in plan.wagers if w.of is not None for c in w.clauses))
        yield Provision("it is placed", meaning(rule.placing), clauses)
    yield Provision(
        "it is found too large at settlement", "the excess goes back, the rest is settled", rule.too_large
    )
    yield Provision("it is found too small at settlement", meaning(rule.short), rule.too_small)


def _late_wager(plan: Plan) -> Iterator[Provision]:
    yield Provision("bets are closed", "refused", plan.book.refusals.late_wager)


def _late_withdrawal(plan: Plan) -> Iterator[Provision]:
    yield Provision(
        "after the close", "refused; the stake stays and is settled", plan.book.refusals.late_withdrawal
    )


def _without_base(plan: Plan) -> Iterator[Provision]:
    for wager in plan.wagers:
        if wager.needs and wager.of is None and wager.extra_on is None:
            base = " or ".join(wager.needs)
            yield Provision(
                f"{wager.area} without {base}, before the close",
                f"place {base}, or take it back",
                wager.needs_clauses,
            )
            yield Provision(
                f"{wager.area} without {base}, after the close",
                "the stake goes back when the round is concluded; no hand is dealt for it",
                wager.without_clauses,
            )


GLOSSES: Mapping[str, str] = MappingProxyType(
    {
        "absent": "a player is not there",
        "declined": "a player does not expose their cards",
        "under-minimum": "a stake below the table's minimum",
        "over-maximum": "a stake above the table's maximum",
        "wrong-size": "a wager that is not the prescribed multiple",
        "late-wager": "a wager after the close",
        "late-withdrawal": "a wager taken back after the close",
        "without-base-wager": "a wager without the one it needs",
    }
)

CONDUCT: Mapping[str, Callable[[Plan], Iterator[Provision]]] = MappingProxyType(
    {
        "absent": _absent,
        "declined": _declined,
        "under-minimum": _under_minimum,
        "over-maximum": _over_maximum,
        "wrong-size": _wrong_size,
        "late-wager": _late_wager,
        "late-withdrawal": _late_withdrawal,
        "without-base-wager": _without_base,
    }
)
"""The kinds of conduct a book may be asked about."""
