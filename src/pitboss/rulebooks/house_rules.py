"""What a rulebook says of the house: clauses, readings, authorities, remedies, and working figures.

The text below each field is its meaning; the reference of the format is made from it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pitboss.rulebooks.trouble import (
    Condition,
    ExposureUntil,
    Irregularity,
    LateCount,
    LateRepair,
    Mode,
    OfferedTo,
    Remedy,
    Ruling,
)
from pitboss.rulebooks.values import Clauses, ClauseText, Money, Strict
from pitboss.rulebooks.vocabulary import ClauseKind, Position, Power


class Option(Strict):
    """One letter of a reading. `set` maps paths of this book to the values they take."""

    says: str
    """What the text means by this letter."""
    set: dict[str, object] = Field(default={})
    """The data under this letter: paths, and the value of each."""


class Reading(Strict):
    """A question the text leaves open. Without options there is no switch; `holds` says how it is read."""

    question: str
    """What is open."""
    clauses: Clauses
    """The clauses it is about."""
    weight: Annotated[str, Field(pattern="^(high|medium|low)$")]
    """How much money hangs on it."""
    default: str | None = None
    """The letter in force when nobody chooses; the data at rest say the same."""
    options: dict[str, Option] = Field(default={})
    """The letters."""
    holds: str = ""
    """How it is read where there is no switch, or what holds under every letter."""


class Clause(Strict):
    """A clause of the register. `outside` says why it is no software, where it is none."""

    kind: ClauseKind
    """What it is about."""
    gist: Annotated[str, Field(min_length=1)]
    """What it says, in our own words."""
    outside: str = ""
    """Why no software carries it out, where that is so."""


class PowerRule(Strict):
    """Who may do something. `returns-stakes`: a player barred in mid-round gets all his stakes back."""

    power: Power
    """What may be done."""
    position: Position
    """The least position that may do it."""
    clauses: Clauses
    """The clauses that say so."""
    returns_stakes: bool = False
    """Whether a player who is barred in mid-round gets his stakes back."""


class Authorities(Strict):
    """This book's titles of the six positions, and which act needs which position."""

    titles: dict[Position, str]
    """What this house calls each position."""
    powers: tuple[PowerRule, ...] = ()
    """Who may do what."""


class WithdrawalRule(Strict):
    """Who may permit the other players to withdraw once a hand was removed."""

    position: Position
    """The least position that may."""
    clauses: Clauses
    """The clauses that say so."""


class RemedyRule(Strict):
    """What the book does about an irregularity under some conditions.

    `finding` is who may report what has to be judged first. Of a suspended round, `decides` may give one of
    `rulings`; after those in `choice-after` the players choose. `orders` are measures that may follow.
    """

    kind: Irregularity
    """What went wrong."""
    when: tuple[Condition, ...] = ()
    """The conditions that must all hold; none is at any time."""
    mode: Mode
    """How the remedy comes about."""
    remedy: Remedy
    """What is done."""
    finding: Position | None = None
    """Who may judge what has to be judged first."""
    decides: Position | None = None
    """Who rules, of a suspended round."""
    rulings: tuple[Ruling, ...] = ()
    """What may be ruled."""
    orders: tuple[Ruling, ...] = ()
    """Measures that may follow and last beyond the round."""
    withdrawal: WithdrawalRule | None = None
    """Whether the others may be let go once a hand was removed."""
    choice_after: tuple[Ruling, ...] = ()
    """The rulings after which players choose whether they stay."""
    clauses: Clauses
    """The clauses that say so."""
    choice_clauses: tuple[ClauseText, ...] = ()
    """The clauses about the players' choice."""
    affected: bool = False
    """Whether the choice is for the players affected: the report may name their seats."""
    second_signature: bool = False
    """Whether a second person of the house signs the report."""
    note: str = ""
    """What staff should know about this case."""


class Exposure(Strict):
    """Which cards count towards those exposed in the deal: found face up in the device, exposed after it."""

    face_up_counts: bool = False
    """Whether it counts."""
    until: ExposureUntil = ExposureUntil.SETTLEMENT
    """Until when a card counts as exposed in the deal."""


class ChoiceRules(Strict):
    """Which hands choose in the rows that are about the players affected."""

    offered_to: OfferedTo = OfferedTo.AFFECTED
    """Whether the report may name them."""


class LateRules(Strict):
    """What is found once a round is settled, before the next one commences."""

    count: LateCount = LateCount.STANDS
    """What a count proves that finds a wrong pack."""
    repair: LateRepair = LateRepair.STANDS
    """What becomes of a wrong number of cards that can be put back in order."""


class HouseJackpot(Strict):
    """Working figures of the jackpot."""

    unit: Money
    """The price of one unit."""
    reset: Money
    """What the meter begins with after it was won whole."""
    increment_bp: int = Field(ge=0, le=10_000)
    """What of each stake goes to the meter, in hundredths of a percent."""
    reserve_increment_bp: int = Field(ge=0, le=10_000)
    """What of each stake goes to the reserve, in hundredths of a percent."""


class House(Strict):
    """Figures the house sets. Working values; none is in the documents."""

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    """The currency of the table, by its code."""
    positions: int = Field(ge=1)
    """How many positions a table has if nobody says."""
    layout_positions: tuple[int, int] | None = None
    """The least and the most positions of a table on a layout for which the document states no number."""
    limits: dict[str, tuple[Money, Money]]
    """For each wager with posted limits, the least and the most."""
    chip: Money
    """The smallest chip; stakes are whole numbers of it."""
    denominations: tuple[Money, ...]
    """The chips there are."""
    jackpot: HouseJackpot | None = None
    """The jackpot's figures, where the game has one."""
    gaming_day_begins: str = "06:00"
    """When the house's day begins."""
    decision_seconds: int = Field(default=30, ge=1)
    """How long a player has for a decision at a table the house's clock deals."""
