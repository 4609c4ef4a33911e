"""The shape of a rulebook's data, as written in TOML, before readings are chosen and it is compiled.

Keys are written with dashes. Whatever is not declared here is a defect. These models check each value by
itself; `validate` checks what holds between them.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from pitboss.cards import HandClass, Rank
from pitboss.errors import BadInput
from pitboss.money import Cents, parse_cents
from pitboss.rulebooks.trouble import Condition, Irregularity, Mode, Remedy, Ruling
from pitboss.rulebooks.vocabulary import (
    Absence,
    Action,
    AfterLower,
    ClauseKind,
    EstablishedScope,
    ForOneStake,
    FullHouses,
    HitOrder,
    Multiple,
    OddAmount,
    Order,
    Placing,
    Pooling,
    Position,
    Power,
    Qualifying,
    Repeated,
    Resets,
    Sharing,
    Situation,
    UnderMinimum,
)


def _money(value: object) -> Cents:
    try:
        return parse_cents(value)
    except BadInput as bad:
        raise ValueError(str(bad)) from bad


def _rank(value: object) -> Rank:
    ranks = {rank.code: rank for rank in Rank}
    if isinstance(value, str) and value in ranks:
        return ranks[value]
    raise ValueError(f"{value!r} is not a rank; write one of {' '.join(ranks)}")


_PAY = re.compile(r"(\d+) to 1|(\d+) for 1|(\d+)%|(\d+(?:\.\d\d?)?)")


def _pay(value: object) -> str:
    if isinstance(value, str) and _PAY.fullmatch(value):
        return value
    raise ValueError(
        f"{value!r} is not a pay; write odds ('5 to 1', '40 for 1'), a share of the meter ('10%') "
        "or a fixed amount ('200.00')"
    )


def _name(value: str) -> str:
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        return value
    raise ValueError(f"'{value}' is not a name; use small letters, digits and dashes")


Money = Annotated[Cents, BeforeValidator(_money)]
RankCode = Annotated[Rank, BeforeValidator(_rank)]
PayText = Annotated[str, BeforeValidator(_pay)]
Name = Annotated[str, AfterValidator(_name)]
ClauseText = str
"""A reference to a clause of this book's register."""
Clauses = Annotated[tuple[ClauseText, ...], Field(min_length=1)]


class Strict(BaseModel):
    """Unknown keys are defects; keys are the field names with dashes."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=lambda field: field.rstrip("_").replace("_", "-"),
        populate_by_name=False,
    )


class Identity(Strict):
    id: Name
    title: str
    operator: str
    version: str
    applies_from: datetime | date
    approved_by: str = ""
    based_on: str = ""


class Deck(Strict):
    cards: int = 52
    clauses: Clauses


class Layout(Strict):
    name: str
    positions: tuple[int, int]
    clauses: Clauses


class Equipment(Strict):
    """A thing that must be at a physical table before it opens; for certain procedures only, if named."""

    name: Name
    clauses: Clauses
    procedures: tuple[str, ...] = ()


class DisputeRules(Strict):
    """How the book has disputes handled: who takes them first and next, and what a decision rests on."""

    first: Position
    escalates_to: Position
    escalation_clauses: Clauses
    surveillance_clauses: Clauses
    minutes: int = Field(ge=1)
    time_frame_clauses: Clauses
    bases: dict[Name, Clauses] = Field(min_length=1)
    complaint_clauses: Clauses
    assistance_clauses: Clauses


class RoundRules(Strict):
    """The announcements; the next round has commenced with the first of them."""

    opens: str
    closes: str
    opens_clauses: Clauses
    closes_clauses: Clauses
    several_hands_clauses: Clauses
    void_clauses: tuple[ClauseText, ...] = ()


class CardCounts(Strict):
    """How many cards a hand has; `parts` names runs of the community cards, counted from 1."""

    own: int = Field(ge=1, le=7)
    dealer: int = Field(ge=1, le=7)
    community: int = Field(ge=0, le=7)
    parts: dict[Name, tuple[int, ...]] = {}


class Step(Strict):
    """One step of a dealing procedure: exactly one of deal, burn, discard, turn-up, decide, reveal."""

    deal: str | None = None
    cards: int | None = Field(default=None, ge=1)
    rounds: int = Field(default=1, ge=1)
    security: bool = False
    burn: int | None = Field(default=None, ge=1)
    discard: str | None = None
    turn_up: str | None = None
    card: int | None = Field(default=None, ge=1)
    decide: str | None = None
    reveal: str | None = None
    clauses: tuple[ClauseText, ...] = ()


class Procedure(Strict):
    name: Name
    title: str
    clauses: Clauses
    steps: tuple[Step, ...] = Field(min_length=1)


class Decision(Strict):
    """A choice of the player: place `bet`, or else `otherwise`. Only hands with the wager `needs` have it.

    `moves-cards`: who stays in puts the wager on his cards or the cards on an area, and so handles them.
    """

    name: Name
    bet: str
    otherwise: Annotated[str, Field(pattern="^(fold|check)$")]
    needs: str
    title: str = ""
    clauses: Clauses
    otherwise_clauses: Clauses
    moves_cards: bool = False
    without: Annotated[str, Field(pattern="^continue$")] | None = None
    without_clauses: tuple[ClauseText, ...] = ()


class WagerRule(Strict):
    """A wager and its area. `needs`: any one of these must be down too, or the stake goes back."""

    area: str
    placed: str = "before-deal"
    entitles_to_hand: bool = False
    against_dealer: bool = False
    times: int | None = Field(default=None, ge=1)
    of: str | None = None
    needs: tuple[str, ...] = ()
    needs_clauses: tuple[ClauseText, ...] = ()
    without_clauses: tuple[ClauseText, ...] = ()
    pooled: bool = False
    units: tuple[int, int] | None = None
    odd_amount: OddAmount | None = None
    odd_clauses: tuple[ClauseText, ...] = ()
    short_clauses: tuple[ClauseText, ...] = ()
    extra_on: str | None = None
    posted_limits: bool = False
    clauses: Clauses


class UnderMinimumRule(Strict):
    policy: UnderMinimum
    placing: Placing
    clauses: Clauses
    placing_clauses: tuple[ClauseText, ...] = ()


class OverMaximumRule(Strict):
    placing: Placing
    clauses: Clauses
    placing_clauses: tuple[ClauseText, ...] = ()


class WrongSizeRule(Strict):
    placing: Placing
    too_large: Clauses
    too_small: Clauses


class PoolingRule(Strict):
    policy: Pooling
    clauses: Clauses


class LimitRules(Strict):
    under_minimum: UnderMinimumRule
    over_maximum: OverMaximumRule
    wrong_size: WrongSizeRule
    pooling: PoolingRule


class RefusalRules(Strict):
    """The clauses behind the refusals that no other table of the book cites."""

    late_wager: Clauses
    late_withdrawal: Clauses
    others_box: Clauses
    others_jackpot: tuple[ClauseText, ...] = ()
    not_your_decision: Clauses


class HandRule(Strict):
    """A hand that something is settled on: whose cards, and what they are read as."""

    cards: tuple[str, ...] = Field(min_length=1)
    order: Order
    suited_wheel: bool = True
    clauses: Clauses
    class_clauses: dict[HandClass, ClauseText] = {}


class ComparisonRules(Strict):
    """How the player's hand meets the dealer's.

    `within-class` lists the classes in which cards decide ("wheel": the lowest straight ranks below the
    others); a class that is not listed stands off. Left out, cards decide in every class.
    """

    hand: str
    clauses: Clauses
    within_class: tuple[str, ...] | None = None
    full_houses: FullHouses = FullHouses.PAIRS
    equal_clauses: Clauses
    within_clauses: Clauses
    class_clauses: dict[HandClass, Clauses] = {}
    wheel_clauses: tuple[ClauseText, ...] = ()


class QualificationRule(Strict):
    rule: Qualifying
    hand: HandClass = HandClass.ODD_CARDS
    ranks: tuple[RankCode, ...] = Field(min_length=1)
    wheel_ace_is_low: bool = False
    clauses: Clauses
    failed_clauses: Clauses


class PayTableRule(Strict):
    """What a wager pays, by the class of `hand`.

    `any` pays every class from `pays-from` up; `rows` pay the classes listed. What is in neither does
    `unlisted`. `cap` bounds what is paid; with `cap-includes-stake` the returned stake counts towards it.
    """

    hand: str
    any: PayText | None = None
    pays_from: HandClass | None = None
    rows: dict[str, PayText] = {}
    unlisted: Action = Action.COLLECT
    cap: Money | None = None
    cap_includes_stake: bool = False
    cap_clauses: tuple[ClauseText, ...] = ()
    clauses: Clauses


class Cell(Strict):
    then: Action
    clauses: Clauses


class Removed(Strict):
    clauses: Clauses


class AbsenceRules(Strict):
    """What becomes of each decision that an absent player leaves outstanding."""

    decisions: dict[str, Absence]
    clauses: dict[str, Clauses]
    settled_clauses: tuple[ClauseText, ...] = ()


class SharingRules(Strict):
    policy: Sharing
    repeated: Repeated = Repeated.RUNNING_METER
    after_lower: AfterLower = AfterLower.REMAINING_METER
    resets: Resets = Resets.WHOLE_AWARD
    several_clauses: Clauses
    whole_clauses: tuple[ClauseText, ...] = ()
    after_lower_clauses: tuple[ClauseText, ...] = ()


class JackpotRules(Strict):
    wager: str
    for_one_stake: ForOneStake = ForOneStake.COLLECTED
    multiple: Multiple = Multiple.IN_STAKE
    multiple_clauses: tuple[ClauseText, ...] = ()
    separate_tables: HitOrder
    separate_tables_clauses: Clauses
    sharing: SharingRules


class InterruptionRule(Strict):
    """Whose decided wager counts as an established outcome when play is interrupted."""

    scope: EstablishedScope


class Option(Strict):
    """One letter of a reading. `set` maps paths of this book to the values they take."""

    says: str
    set: dict[str, object] = {}


class Reading(Strict):
    """A question the text leaves open. Without options there is no switch; `holds` says how it is read."""

    question: str
    clauses: Clauses
    weight: Annotated[str, Field(pattern="^(high|medium|low)$")]
    default: str | None = None
    options: dict[str, Option] = {}
    holds: str = ""


class Clause(Strict):
    """A clause of the register. `outside` says why it is no software, where it is none."""

    kind: ClauseKind
    gist: Annotated[str, Field(min_length=1)]
    outside: str = ""


class PowerRule(Strict):
    """Who may do something. `returns-stakes`: a player barred in mid-round gets all his stakes back."""

    power: Power
    position: Position
    clauses: Clauses
    returns_stakes: bool = False


class Authorities(Strict):
    """This book's titles of the six positions, and which act needs which position."""

    titles: dict[Position, str]
    powers: tuple[PowerRule, ...] = ()


class WithdrawalRule(Strict):
    """Who may permit the other players to withdraw once a hand was removed."""

    position: Position
    clauses: Clauses


class RemedyRule(Strict):
    """What the book does about an irregularity under some conditions.

    `finding` is who may report what has to be judged first. Of a suspended round, `decides` may give one of
    `rulings`; after those in `choice-after` the players choose. `orders` are measures that may follow.
    """

    kind: Irregularity
    when: tuple[Condition, ...] = ()
    mode: Mode
    remedy: Remedy
    finding: Position | None = None
    decides: Position | None = None
    rulings: tuple[Ruling, ...] = ()
    orders: tuple[Ruling, ...] = ()
    withdrawal: WithdrawalRule | None = None
    choice_after: tuple[Ruling, ...] = ()
    clauses: Clauses
    choice_clauses: tuple[ClauseText, ...] = ()
    note: str = ""


class Exposure(Strict):
    """Whether a card found face up in the device counts towards the cards exposed."""

    face_up_counts: bool = False


class HouseJackpot(Strict):
    unit: Money
    reset: Money
    increment_bp: int = Field(ge=0, le=10_000)
    reserve_increment_bp: int = Field(ge=0, le=10_000)


class House(Strict):
    """Figures the house sets. Working values; none is in the documents."""

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    positions: int = Field(ge=1)
    limits: dict[str, tuple[Money, Money]]
    chip: Money
    denominations: tuple[Money, ...]
    jackpot: HouseJackpot | None = None
    gaming_day_begins: str = "06:00"
    decision_seconds: int = Field(default=30, ge=1)


class Book(Strict):
    """A whole rulebook as data."""

    identity: Identity
    deck: Deck
    layouts: tuple[Layout, ...] = Field(min_length=1)
    round: RoundRules
    cards: CardCounts
    procedures: tuple[Procedure, ...] = Field(min_length=1)
    decisions: tuple[Decision, ...] = Field(min_length=1)
    wagers: dict[Name, WagerRule] = Field(min_length=1)
    limits: LimitRules
    refusals: RefusalRules
    hands: dict[Name, HandRule] = Field(min_length=1)
    comparison: ComparisonRules
    qualification: QualificationRule | None = None
    pays: dict[str, PayTableRule]
    settlement: dict[str, dict[Situation, Cell]]
    removed: Removed
    absence: AbsenceRules
    jackpot: JackpotRules | None = None
    interruption: InterruptionRule
    readings: dict[str, Reading] = {}
    authorities: Authorities
    remedies: tuple[RemedyRule, ...] = ()
    exposure: Exposure = Exposure()
    equipment: tuple[Equipment, ...] = ()
    disputes: DisputeRules | None = None
    house: House
    clauses: dict[str, Clause] = Field(min_length=1)
