"""The shape of a rulebook's data, as written in TOML, before readings are chosen and it is compiled.

Keys are written with dashes. Whatever is not declared here is a defect. These models check each value by
itself; `validate` checks what holds between them. The tables are in `table_rules`, `money_rules` and
`house_rules`; everybody else imports them from here.
"""

from __future__ import annotations

from pydantic import Field

from pitboss.rulebooks.house_rules import (
    Authorities as Authorities,
)
from pitboss.rulebooks.house_rules import (
    ChoiceRules as ChoiceRules,
)
from pitboss.rulebooks.house_rules import (
    Clause as Clause,
)
from pitboss.rulebooks.house_rules import (
    Exposure as Exposure,
)
from pitboss.rulebooks.house_rules import (
    House as House,
)
from pitboss.rulebooks.house_rules import (
    HouseJackpot as HouseJackpot,
)
from pitboss.rulebooks.house_rules import (
    LateRules as LateRules,
)
from pitboss.rulebooks.house_rules import (
    Option as Option,
)
from pitboss.rulebooks.house_rules import (
    PowerRule as PowerRule,
)
from pitboss.rulebooks.house_rules import (
    Reading as Reading,
)
from pitboss.rulebooks.house_rules import (
    RemedyRule as RemedyRule,
)
from pitboss.rulebooks.house_rules import (
    WithdrawalRule as WithdrawalRule,
)
from pitboss.rulebooks.money_rules import (
    AbsenceRules as AbsenceRules,
)
from pitboss.rulebooks.money_rules import (
    Cell as Cell,
)
from pitboss.rulebooks.money_rules import (
    ComparisonRules as ComparisonRules,
)
from pitboss.rulebooks.money_rules import (
    HandRule as HandRule,
)
from pitboss.rulebooks.money_rules import (
    InterruptionRule as InterruptionRule,
)
from pitboss.rulebooks.money_rules import (
    JackpotRules as JackpotRules,
)
from pitboss.rulebooks.money_rules import (
    PayTableRule as PayTableRule,
)
from pitboss.rulebooks.money_rules import (
    QualificationRule as QualificationRule,
)
from pitboss.rulebooks.money_rules import (
    Removed as Removed,
)
from pitboss.rulebooks.money_rules import (
    SharingRules as SharingRules,
)
from pitboss.rulebooks.table_rules import (
    Areas as Areas,
)
from pitboss.rulebooks.table_rules import (
    CardCounts as CardCounts,
)
from pitboss.rulebooks.table_rules import (
    Decision as Decision,
)
from pitboss.rulebooks.table_rules import (
    Deck as Deck,
)
from pitboss.rulebooks.table_rules import (
    DisputeRules as DisputeRules,
)
from pitboss.rulebooks.table_rules import (
    DutyRule as DutyRule,
)
from pitboss.rulebooks.table_rules import (
    Equipment as Equipment,
)
from pitboss.rulebooks.table_rules import (
    Identity as Identity,
)
from pitboss.rulebooks.table_rules import (
    Layout as Layout,
)
from pitboss.rulebooks.table_rules import (
    LimitRules as LimitRules,
)
from pitboss.rulebooks.table_rules import (
    OverMaximumRule as OverMaximumRule,
)
from pitboss.rulebooks.table_rules import (
    PoolingRule as PoolingRule,
)
from pitboss.rulebooks.table_rules import (
    Procedure as Procedure,
)
from pitboss.rulebooks.table_rules import (
    RefusalRules as RefusalRules,
)
from pitboss.rulebooks.table_rules import (
    RoundRules as RoundRules,
)
from pitboss.rulebooks.table_rules import (
    Step as Step,
)
from pitboss.rulebooks.table_rules import (
    UnderMinimumRule as UnderMinimumRule,
)
from pitboss.rulebooks.table_rules import (
    WagerRule as WagerRule,
)
from pitboss.rulebooks.table_rules import (
    WrongSizeRule as WrongSizeRule,
)
from pitboss.rulebooks.values import Name, Strict
from pitboss.rulebooks.vocabulary import Situation


class Book(Strict):
    """A whole rulebook as data."""

    identity: Identity
    """Which rulebook this is."""
    deck: Deck
    """The pack."""
    layouts: tuple[Layout, ...] = Field(min_length=1)
    """The drawings of the table that may be used."""
    round: RoundRules
    """The announcements, and what a void round is."""
    cards: CardCounts
    """How many cards lie where."""
    procedures: tuple[Procedure, ...] = Field(min_length=1)
    """The ways of dealing; the first is the default."""
    decisions: tuple[Decision, ...] = Field(min_length=1)
    """What players choose, in order."""
    wagers: dict[Name, WagerRule] = Field(min_length=1)
    """What may be wagered, in the order in which lines stand."""
    limits: LimitRules
    """Stakes of the wrong size."""
    refusals: RefusalRules
    """The clauses behind refusals."""
    hands: dict[Name, HandRule] = Field(min_length=1)
    """The hands that something is settled on, by name."""
    comparison: ComparisonRules
    """How the player's hand meets the dealer's."""
    qualification: QualificationRule | None = None
    """Which dealer's hands are compared; left out, all of them."""
    pays: dict[str, PayTableRule]
    """The pay table of each wager."""
    settlement: dict[str, dict[Situation, Cell]]
    """For each wager and situation what becomes of it."""
    removed: Removed
    """Hands taken out of the round."""
    absence: AbsenceRules
    """Players who are away."""
    jackpot: JackpotRules | None = None
    """The progressive jackpot, where the game has one."""
    interruption: InterruptionRule
    """What counts as decided when play is interrupted."""
    readings: dict[str, Reading] = Field(default={})
    """Where the text can be read in several ways."""
    authorities: Authorities
    """Who may decide what."""
    remedies: tuple[RemedyRule, ...] = ()
    """What is done when something goes wrong."""
    exposure: Exposure = Exposure()
    """Which cards count as exposed."""
    choices: ChoiceRules = ChoiceRules()
    """Who chooses whether to stay after a dealing error."""
    late: LateRules = LateRules()
    """What is found after the settlement."""
    areas: Areas | None = None
    """The areas of the layout, where the document says what they are."""
    equipment: tuple[Equipment, ...] = ()
    """What must be at a physical table."""
    duties: tuple[DutyRule, ...] = ()
    """What the staff of the table owe players and game as steps of their own."""
    disputes: DisputeRules | None = None
    """How disputes are handled, where the book says so."""
    house: House
    """Figures the house sets."""
    clauses: dict[str, Clause] = Field(min_length=1)
    """The register: every numbered clause of the document."""
