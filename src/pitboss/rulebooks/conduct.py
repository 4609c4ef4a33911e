"""What a book does about players' conduct: absence, hands not shown, stakes of the wrong size or too late.

Its data stand with absence, limits, wagers and settlement; here they are read out for whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import Absence, Action, Placing, Situation, meaning


@dataclass(frozen=True, slots=True)
class Provision:
    """When something applies, what is done, and the clauses that say so."""

    when: str
    then: str
    clauses: tuple[str, ...]


def _absent(plan: Plan) -> Iterator[Provision]:
    for decision in plan.decisions:
        then = meaning(plan.absence.consequences[decision.name])
        if plan.absence.consequences[decision.name] is Absence.INVALID:
            back = [w.area for w in plan.wagers if w.extra_on is None and _goes_back(plan, w.name)]
            then = f"the hand becomes invalid; back go {', '.join(back)}"
        yield Provision(f"the {decision.name} decision is due", then, plan.absence.clauses[decision.name])
    clauses = plan.absence.settled_clauses or plan.comparison.clauses
    yield Provision("no decision is due", "the hand is settled as it stands", clauses)


def _goes_back(plan: Plan, wager: str) -> bool:
    cell = plan.wager(wager).settlement.get(Situation.ABSENT)
    return cell is not None and cell.then is Action.RETURN


def _declined(plan: Plan) -> Iterator[Provision]:
    for wager in plan.wagers:
        if wager.extra_on is None:
            for situation in (
                Situation.DECLINED,
                Situation.DECLINED_DEALER_NOT_QUALIFIED,
                Situation.ESTABLISHED,
            ):
                cell = wager.settlement[situation]
                if situation is Situation.DECLINED or cell != wager.settlement[Situation.DECLINED]:
                    yield Provision(
                        f"{wager.area}, {situation.replace('-', ' ')}", meaning(cell.then), cell.clauses
                    )


def _under_minimum(plan: Plan) -> Iterator[Provision]:
    rule = plan.limits.under_minimum
    if rule.placing is Placing.REFUSED:
        yield Provision("before the close", meaning(rule.placing), rule.placing_clauses)
    yield Provision("at settlement", meaning(rule.policy), rule.clauses)


def _over_maximum(plan: Plan) -> Iterator[Provision]:
    rule = plan.limits.over_maximum
    if rule.placing is Placing.REFUSED:
        yield Provision("before the close", meaning(rule.placing), rule.placing_clauses)
    yield Provision("at settlement", "settled to the maximum; the excess goes back", rule.clauses)


def _wrong_size(plan: Plan) -> Iterator[Provision]:
    rule = plan.limits.wrong_size
    if rule.placing is Placing.REFUSED:
        clauses = tuple(dict.fromkeys(c for w in plan.wagers if w.of is not None for c in w.clauses))
        yield Provision("when it is placed", meaning(rule.placing), clauses)
    yield Provision("too large, at settlement", "the excess goes back, the rest is settled", rule.too_large)
    yield Provision("too small, at settlement", "settled as it lies", rule.too_small)


def _late_wager(plan: Plan) -> Iterator[Provision]:
    yield Provision("after the close", "refused", plan.book.refusals.late_wager)


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
                "the stake goes back, and no hand is dealt for it",
                wager.without_clauses,
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
