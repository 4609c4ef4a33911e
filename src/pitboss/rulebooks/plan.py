"""The plan: one rulebook with its readings, compiled, immutable, ready to be interpreted.

`pitboss.play` interprets a plan; the mathematics lower the same one. Neither asks which book it came from.
Tables are complete here: what the data abbreviates (`any`, `pays-from`, situations left out) is written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType

from pitboss.cards import HandClass, Rank
from pitboss.errors import InvariantError
from pitboss.money import Cents
from pitboss.rulebooks.book import (
    Book,
    Cell,
    Clause,
    Decision,
    DutyRule,
    InterruptionRule,
    LimitRules,
    PowerRule,
    Procedure,
    RemedyRule,
    SharingRules,
)
from pitboss.rulebooks.trouble import Condition, Irregularity
from pitboss.rulebooks.vocabulary import (
    Absence,
    AbsentWithout,
    Action,
    Contributing,
    Duty,
    FixedFund,
    ForOneStake,
    FullHouses,
    Measured,
    Multiple,
    OddAmount,
    Order,
    Power,
    Qualifying,
    Situation,
)

ClauseRef = NewType("ClauseRef", str)
WagerName = NewType("WagerName", str)
Clauses = tuple[ClauseRef, ...]


@dataclass(frozen=True, slots=True)
class ToOne:
    """ "N to 1": the stake goes back and N times the stake is paid."""

    odds: int


@dataclass(frozen=True, slots=True)
class ForOne:
    """ "N for 1": N times the stake is paid, and the stake is part of it."""

    odds: int


@dataclass(frozen=True, slots=True)
class FixedAward:
    """An amount whatever the stake; the stake is collected."""

    amount: Cents


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A percentage of the jackpot meter; the stake is collected."""

    percent: int


Pay = ToOne | ForOne | FixedAward | MeterShare


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSpec:
    """A hand something is settled on. `places` are whose cards: own, dealer, or a part of the community."""

    name: str
    places: tuple[str, ...]
    order: Order
    suited_wheel: bool
    class_clauses: Mapping[HandClass, ClauseRef]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTable:
    """What a wager pays by the class of a hand. `flat` is what it pays whatever the hand, if it does."""

    hand: HandSpec
    rows: Mapping[str, Pay]
    flat: Pay | None
    unlisted: Action
    cap: Cents | None
    cap_includes_stake: bool
    cap_clauses: Clauses
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """A wager as the plan knows it. `times` and `of` give its prescribed size and derived maximum."""

    name: WagerName
    area: str
    placed: str
    entitles_to_hand: bool
    against_dealer: bool
    times: int
    of: WagerName | None
    needs: tuple[WagerName, ...]
    needs_clauses: Clauses
    without_clauses: Clauses
    pooled: bool
    units: tuple[int, int] | None
    odd_amount: OddAmount | None
    odd_clauses: Clauses
    short_clauses: Clauses
    extra_on: WagerName | None
    posted_limits: bool
    clauses: Clauses
    pays: PayTable
    settlement: Mapping[Situation, Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How hands are compared. `decided_by_cards` are the classes in which ranks decide; others stand off."""

    hand: HandSpec
    decided_by_cards: frozenset[HandClass]
    wheel_ranks_below: bool
    full_houses: FullHouses
    clauses: Clauses
    equal_clauses: Clauses
    within_clauses: Clauses
    class_clauses: Mapping[HandClass, Clauses]
    wheel_clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification:
    """Which dealer's hands are compared. `at_least` counts for `hand-at-least`, `ranks` for the others."""

    rule: Qualifying
    at_least: tuple[HandClass, tuple[Rank, ...]]
    ranks: frozenset[Rank]
    wheel_ace_is_low: bool
    clauses: Clauses
    failed_clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotPolicy:
    """The jackpot: which wager, what becomes of its stake, how winners share."""

    wager: WagerName
    for_one_stake: ForOneStake
    multiple: Multiple
    multiple_clauses: Clauses
    fixed_awards: FixedFund
    contributes: Contributing
    measured: Measured
    sharing: SharingRules


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsencePolicy:
    """What each outstanding decision becomes when the player is away."""

    consequences: Mapping[str, Absence]
    clauses: Mapping[str, Clauses]
    settled_clauses: Clauses
    without: AbsentWithout


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One rulebook under one choice of readings. `readings` maps every lettered label to its letter.

    `hand_wagers` are the wagers that are dealt a hand. `positions` is the most that a table may have, and
    `seat_ranges` maps each layout to the least and the most that it may have.
    """

    book: Book
    digest: str
    readings: Mapping[str, str]
    positions: int
    seat_ranges: Mapping[str, tuple[int, int]]
    own_cards: int
    dealer_cards: int
    community_cards: int
    parts: Mapping[str, tuple[int, ...]]
    wagers: tuple[Wager, ...]
    hand_wagers: tuple[WagerName, ...]
    decisions: tuple[Decision, ...]
    procedures: tuple[Procedure, ...]
    hands: Mapping[str, HandSpec]
    comparison: Comparison
    qualification: Qualification | None
    limits: LimitRules
    removed_clauses: Clauses
    void_clauses: Clauses
    absence: AbsencePolicy
    jackpot: JackpotPolicy | None
    interruption: InterruptionRule
    remedies: Mapping[Irregularity, tuple[RemedyRule, ...]]
    register: Mapping[ClauseRef, Clause]

    @property
    def id(self) -> str:
        """The id of the book."""
        return self.book.identity.id

    def may_have(self, positions: int) -> bool:
        """Whether some layout of the book may have so many positions."""
        return any(low <= positions <= high for low, high in self.seat_ranges.values())

    @property
    def seat_counts(self) -> str:
        """How many positions a table may have, in words: `4 to 7`."""
        found = [n for n in range(1, self.positions + 1) if self.may_have(n)]
        runs: list[list[int]] = []
        for n in found:
            if runs and runs[-1][-1] == n - 1:
                runs[-1].append(n)
            else:
                runs.append([n])
        return " or ".join(f"{run[0]} to {run[-1]}" if run[1:] else str(run[0]) for run in runs)

    def wager(self, name: str) -> Wager:
        """A wager by its name, which the plan has."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        raise InvariantError(f"the plan has no wager {name}")

    def meter_percent(self, hand: str) -> int:
        """How much of the jackpot meter a hand wins, in percent; 0 for one that wins no share of it."""
        rows = {} if self.jackpot is None else self.wager(self.jackpot.wager).pays.rows
        pay = rows.get(hand)
        return pay.percent if isinstance(pay, MeterShare) else 0

    def power(self, power: Power) -> PowerRule | None:
        """Who may use a power; None where the book names nobody."""
        return next((rule for rule in self.book.authorities.powers if rule.power is power), None)

    def duty(self, duty: Duty) -> DutyRule | None:
        """A duty of the table's staff; None where the book has it not."""
        return next((rule for rule in self.book.duties if rule.duty is duty), None)

    def remedy(self, kind: Irregularity, case: frozenset[Condition]) -> RemedyRule:
        """The row for an irregularity under these circumstances; the validator has seen that there is one."""
        for row in self.remedies[kind]:
            if set(row.when) <= case:
                return row
        raise InvariantError(f"no remedy for {kind} when {', '.join(sorted(case))}")

    def procedure(self, name: str) -> Procedure:
        """A dealing procedure by its name, which the plan has."""
        for procedure in self.procedures:
            if procedure.name == name:
                return procedure
        raise InvariantError(f"the plan has no procedure {name}")
