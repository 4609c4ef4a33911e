"""What a rulebook says of money: hands, comparison, pay tables, settlement, absence and the jackpot.

The text below each field is its meaning; the reference of the format is made from it.
"""

from __future__ import annotations

from pydantic import Field

from pitboss.cards import HandClass
from pitboss.rulebooks.values import Clauses, ClauseText, Money, PayText, RankCode, Strict
from pitboss.rulebooks.vocabulary import (
    Absence,
    AbsentWithout,
    Action,
    AfterLower,
    Contributing,
    EstablishedScope,
    FixedFund,
    ForOneStake,
    FullHouses,
    HitOrder,
    Measured,
    MeterFloor,
    Multiple,
    Order,
    Qualifying,
    Repeated,
    Resets,
    Rounding,
    Sharing,
)


class HandRule(Strict):
    """A hand that something is settled on: whose cards, and what they are read as."""

    cards: tuple[str, ...] = Field(min_length=1)
    """Whose cards make it: words of Source, or parts of the community cards."""
    order: Order
    """What the cards are read as."""
    suited_wheel: bool = True
    """Whether A-2-3-4-5 of one suit is a straight flush."""
    clauses: Clauses
    """The clauses about the hand."""
    class_clauses: dict[HandClass, ClauseText] = Field(default={})
    """The clause that ranks each class."""


class ComparisonRules(Strict):
    """How the player's hand meets the dealer's.

    `within-class` lists the classes in which cards decide ("wheel": the lowest straight ranks below the
    others); a class that is not listed stands off. Left out, cards decide in every class.
    """

    hand: str
    """The hand that is compared, a name of `[hands]`."""
    clauses: Clauses
    """The clauses about comparing."""
    within_class: tuple[str, ...] | None = None
    """Classes in which the ranks of cards decide; left out, all of them."""
    full_houses: FullHouses = FullHouses.PAIRS
    """Full houses with equal threes."""
    equal_clauses: Clauses
    """The clauses about hands that rank the same."""
    within_clauses: Clauses
    """The clauses about hands of one class."""
    class_clauses: dict[HandClass, Clauses] = Field(default={})
    """Further clauses, by class."""
    wheel_clauses: tuple[ClauseText, ...] = ()
    """The clauses about the lowest straight."""


class QualificationRule(Strict):
    """Which dealer's hands are compared at all."""

    rule: Qualifying
    """How it is told."""
    hand: HandClass = HandClass.ODD_CARDS
    """With `hand-at-least`: the least class."""
    ranks: tuple[RankCode, ...] = Field(min_length=1)
    """The ranks it is told by."""
    wheel_ace_is_low: bool = False
    """Whether the ace of the lowest straight counts as one here."""
    clauses: Clauses
    """The clauses about a dealer who qualifies."""
    failed_clauses: Clauses
    """The clauses about one who does not."""


class PayTableRule(Strict):
    """What a wager pays, by the class of `hand`.

    `any` pays every class from `pays-from` up; `rows` pay the classes listed. What is in neither does
    `unlisted`. `cap` bounds what is paid; with `cap-includes-stake` the returned stake counts towards it.
    """

    hand: str
    """The hand that is looked up, a name of `[hands]`."""
    any: PayText | None = None
    """What every class is paid."""
    pays_from: HandClass | None = None
    """With `any`: the least class that is paid."""
    rows: dict[str, PayText] = Field(default={})
    """What each class, or line of a Bonus table, is paid."""
    unlisted: Action = Action.COLLECT
    """What becomes of the stake on a hand that is in neither."""
    cap: Money | None = None
    """The most that is paid."""
    cap_includes_stake: bool = False
    """Whether the stake that goes back counts towards the cap."""
    cap_clauses: tuple[ClauseText, ...] = ()
    """The clauses about the cap."""
    clauses: Clauses
    """The clauses with the table."""


class Cell(Strict):
    """What becomes of one wager in one situation."""

    then: Action
    """What is done."""
    clauses: Clauses
    """The clauses that say so."""


class Removed(Strict):
    """A hand that is taken out of the round: every stake goes back."""

    clauses: Clauses
    """The clauses that say so."""


class AbsenceRules(Strict):
    """What becomes of each decision that an absent player leaves outstanding."""

    decisions: dict[str, Absence]
    """For each decision, what it becomes."""
    clauses: dict[str, Clauses]
    """For each decision, the clauses that say so."""
    settled_clauses: tuple[ClauseText, ...] = ()
    """The clauses about who is away when no decision is due."""
    without: AbsentWithout = AbsentWithout.SETTLED
    """A hand without the wager that a decision needs, its player away."""


class SharingRules(Strict):
    """Several winners of shares of one meter."""

    policy: Sharing
    """How winners at one table share."""
    repeated: Repeated = Repeated.RUNNING_METER
    """What the second and further equal shares are taken of."""
    after_lower: AfterLower = AfterLower.REMAINING_METER
    """What a whole award is taken of when lower hands were paid first."""
    resets: Resets = Resets.WHOLE_AWARD
    """Which awards put the meter back to its reset value."""
    rounding: Rounding = Rounding.CENT_DOWN
    """How a share is rounded."""
    meter_floor: MeterFloor = MeterFloor.NONE
    """How far awards may bring the meter down."""
    several_clauses: Clauses
    """The clauses about several winners."""
    whole_clauses: tuple[ClauseText, ...] = ()
    """The clauses about an award of the whole meter."""
    after_lower_clauses: tuple[ClauseText, ...] = ()
    """The clauses about a whole award after lower ones."""


class JackpotRules(Strict):
    """The progressive jackpot."""

    wager: str
    """The wager that plays for it."""
    for_one_stake: ForOneStake = ForOneStake.COLLECTED
    """What becomes of the stake of an award "for 1"."""
    multiple: Multiple = Multiple.IN_STAKE
    """How several units scale the fixed odds."""
    multiple_clauses: tuple[ClauseText, ...] = ()
    """The clauses about several units."""
    fixed_awards: FixedFund = FixedFund.HOUSE
    """Who pays the awards that are no share of the meter."""
    contributes: Contributing = Contributing.EVERY_ROUND
    """Which rounds feed the meter."""
    measured: Measured = Measured.AS_IT_STANDS
    """The meter that shares are measured on when stakes of the round go back."""
    separate_tables: HitOrder
    """Which of two hits on separate tables is paid first."""
    separate_tables_clauses: Clauses
    """The clauses about that."""
    sharing: SharingRules
    """Several winners at one table."""


class InterruptionRule(Strict):
    """Whose decided wager counts as an established outcome when play is interrupted."""

    scope: EstablishedScope
    """The whole table's, or each player's own."""
