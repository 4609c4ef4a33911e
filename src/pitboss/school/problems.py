"""What a trainee is asked: a finished round to settle, or a table at which something has gone wrong.

A problem carries its answer, which is the engine's. Only `asking` tells what may be shown before the
trainee has answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pitboss.money import NOTHING, Cents
from pitboss.play.commands import Report
from pitboss.play.facts import Facts, Seat, Status
from pitboss.play.remedies import refs
from pitboss.play.settlement import Settlement, SettlementLine, settle
from pitboss.play.standing import stand
from pitboss.play.table import State
from pitboss.rulebooks.plan import Clauses, Plan, Wager, WagerName
from pitboss.rulebooks.trouble import Remedy, Ruling
from pitboss.rulebooks.vocabulary import Position


class Asked(NamedTuple):
    """One wager at one position that has to be settled. Nothing is staked on one that goes with another."""

    position: int
    wager: WagerName
    stake: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementProblem:
    """A finished round, and what the engine makes of every wager that is asked about."""

    plan: Plan
    facts: Facts
    lines: dict[Asked, SettlementLine]

    @property
    def clauses(self) -> Clauses:
        """Every clause that some wager is settled by."""
        return tuple(dict.fromkeys(number for line in self.lines.values() for number in line.clauses))


class Choice(NamedTuple):
    """A remedy a trainee may name; one that waits for a ruling says who rules, and what."""

    remedy: Remedy
    decides: Position | None = None
    rulings: tuple[Ruling, ...] = ()

    @property
    def name(self) -> str:
        """As it is written: `void`, `as-ruled shift-manager`."""
        return self.remedy.value if self.decides is None else f"{self.remedy.value} {self.decides.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityProblem:
    """A table in the middle of a round, what is reported, and what the book does about it."""

    plan: Plan
    state: State
    report: Report
    choices: tuple[Choice, ...]
    right: Choice
    clauses: Clauses
    note: str


Problem = SettlementProblem | IrregularityProblem


def settlement_problem(plan: Plan, facts: Facts, result: Settlement | None = None) -> SettlementProblem:
    """A finished round as a problem. The facts must have passed `check_facts`."""
    found = result or settle(plan, facts)
    lines: dict[Asked, SettlementLine] = {}
    settled = {seat.position: seat for seat in found.seats}
    for seat in facts.seats:
        own = {line.wager: line for line in settled[seat.position].lines}
        for wager in plan.wagers:
            if seat.stake(wager.extra_on or wager.name):
                asked = Asked(seat.position, wager.name, seat.stake(wager.name))
                lines[asked] = own.get(wager.name) or _not_paid(plan, facts, seat, wager)
    return SettlementProblem(plan=plan, facts=facts, lines=lines)


def _not_paid(plan: Plan, facts: Facts, seat: Seat, wager: Wager) -> SettlementLine:
    """The line that settlement leaves out: a payment on another wager's stake that is not due."""
    standing = stand(plan, facts, seat)
    clauses = standing.clauses
    if standing.situation is not None:
        cell = refs(wager.settlement[standing.situation].clauses)
        clauses = (*cell, *clauses, *wager.pays.clauses)
    return SettlementLine(
        wager=wager.name,
        stake=NOTHING,
        returned=NOTHING,
        collected=NOTHING,
        paid=NOTHING,
        clauses=tuple(dict.fromkeys(clauses)),
    )


def lies_open(seat: Seat) -> bool:
    """Whether the cards of a hand are there to be read: nobody turns over those of who declined."""
    return seat.status is not Status.DECLINED or seat.established
