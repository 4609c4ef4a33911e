"""What a rulebook says of the table: identity, pack, layout, round, dealing, decisions, wagers and limits.

The text below each field is its meaning; the reference of the format is made from it.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from pitboss.rulebooks.values import Clauses, ClauseText, Name, Strict
from pitboss.rulebooks.vocabulary import (
    Duty,
    MaximumOf,
    OddAmount,
    OnFile,
    Placing,
    Pooling,
    PoolOrder,
    Position,
    ShortWager,
    UnderMinimum,
    UsedBy,
)


class Identity(Strict):
    """Which rulebook this is, whose, and from when it applies."""

    id: Name
    """What commands and records call the book."""
    title: str
    """The game's name."""
    operator: str
    """Whose document it is."""
    version: str
    """The edition, as the document calls it."""
    applies_from: datetime | date
    """The day, or day and hour, from which the edition applies."""
    approved_by: str = ""
    """Who approved it, and under which law."""
    based_on: str = ""
    """The book it was made from, for one of a user's own."""


class Deck(Strict):
    """The pack that is played with."""

    cards: int = 52
    """How many cards a whole pack has."""
    clauses: Clauses
    """The clauses that say so."""


class Layout(Strict):
    """A drawing of the table cloth that the book permits."""

    name: str
    """What the document calls the drawing."""
    positions: tuple[int, int] | None = None
    """The least and the most playing positions, where the document states them; else those of the house."""
    clauses: Clauses
    """The clauses that permit it."""


class Equipment(Strict):
    """A thing that must be at a physical table before it opens; for certain procedures only, if named."""

    name: Name
    """The thing, as the opening checklist calls it."""
    clauses: Clauses
    """The clauses that require it."""
    procedures: tuple[str, ...] = ()
    """The dealing procedures that need it; left out, all of them."""


class DutyRule(Strict):
    """Something the staff of the table have to do, as a step of its own that the record shows.

    A new pack is due after a round that was void by one of `after-clauses`, and bets do not open before
    it. The other duties are prompted, and play goes on without them.
    """

    duty: Duty
    """What is done."""
    clauses: Clauses
    """The clauses that say so."""
    after_clauses: tuple[ClauseText, ...] = ()
    """With `new-pack`: the clauses of a void round after which it is due."""


class Areas(Strict):
    """The areas for wagers at each position; which they are, the wagers say."""

    clauses: Clauses
    """The clauses that ask for them."""


class DisputeRules(Strict):
    """How the book has disputes handled: who takes them first and next, and what a decision rests on."""

    first: Position
    """Who takes a dispute first."""
    escalates_to: Position
    """Who takes it when the first cannot settle it."""
    escalation_clauses: Clauses
    """The clauses about who takes it."""
    surveillance_clauses: Clauses
    """The clauses about asking Surveillance."""
    minutes: int = Field(ge=1)
    """After how many minutes the player must be told how long it will take."""
    time_frame_clauses: Clauses
    """The clauses about that time."""
    bases: dict[Name, Clauses] = Field(min_length=1)
    """What a decision may rest on, each with its clauses."""
    needs: dict[Name, OnFile] = Field(default={})
    """What must be on file before a decision rests on one of the bases; a standing document needs nothing."""
    complaint_clauses: Clauses
    """The clauses about a complaint in writing."""
    assistance_clauses: Clauses
    """The clauses about helping the player with it."""


class RoundRules(Strict):
    """The announcements; the next round has commenced with the first of them."""

    opens: str
    """What the dealer says when bets are open."""
    closes: str
    """What the dealer says when bets are closed."""
    opens_clauses: Clauses
    """The clauses about the opening."""
    closes_clauses: Clauses
    """The clauses about the close."""
    several_hands_clauses: Clauses
    """The clauses that let a player have several hands, all but one played blind."""
    void_clauses: tuple[ClauseText, ...] = ()
    """The clauses about what a void round gives back."""


class CardCounts(Strict):
    """How many cards a hand has; `parts` names runs of the community cards, counted from 1."""

    own: int = Field(ge=1, le=7)
    """Cards of a player's hand."""
    dealer: int = Field(ge=1, le=7)
    """Cards of the dealer's hand."""
    community: int = Field(ge=0, le=7)
    """Cards that belong to everybody."""
    parts: dict[Name, tuple[int, ...]] = Field(default={})
    """Names for some of the community cards, such as the flop."""


class Step(Strict):
    """One step of a dealing procedure: exactly one of deal, burn, discard, turn-up, decide, reveal."""

    deal: str | None = None
    """Where cards are dealt: a word of Place, or a part of the community cards."""
    cards: int | None = Field(default=None, ge=1)
    """With `deal`: how many cards at a time."""
    rounds: int = Field(default=1, ge=1)
    """With `deal`: how often it goes round."""
    security: bool = False
    """With `deal`: whether a blank security card goes beneath."""
    burn: int | None = Field(default=None, ge=1)
    """How many cards are burned."""
    discard: str | None = None
    """The place whose `card` is put away after it was dealt."""
    turn_up: str | None = None
    """The place whose `card` is turned face up."""
    card: int | None = Field(default=None, ge=1)
    """With `discard` and `turn-up`: which card of the place, counted from 1."""
    decide: str | None = None
    """The decision that is taken now."""
    reveal: str | None = None
    """What is turned over now."""
    clauses: tuple[ClauseText, ...] = ()
    """The clauses about this step, where it has some of its own."""


class Procedure(Strict):
    """One way of dealing that the book permits, step by step."""

    name: Name
    """What tables are opened with."""
    title: str
    """The device or method, for people."""
    clauses: Clauses
    """The clauses that permit it."""
    steps: tuple[Step, ...] = Field(min_length=1)
    """What is done, in order."""


class Decision(Strict):
    """A choice of the player: place `bet`, or else `otherwise`. Only hands with the wager `needs` have it.

    `moves-cards`: who stays in puts the wager on his cards or the cards on an area, and so handles them.
    """

    name: Name
    """What steps and absence call the decision."""
    bet: str
    """The wager that is placed to stay in."""
    otherwise: Annotated[str, Field(pattern="^(fold|check)$")]
    """What who does not bet has done."""
    needs: str
    """The wager a hand must have to decide at all."""
    title: str = ""
    """What people call it, where that is not its name."""
    clauses: Clauses
    """The clauses about the choice and the bet."""
    otherwise_clauses: Clauses
    """The clauses about not betting."""
    moves_cards: bool = False
    """Whether who stays in touches his cards by it."""
    without: Annotated[str, Field(pattern="^continue$")] | None = None
    """What a hand without the needed wager does."""
    without_clauses: tuple[ClauseText, ...] = ()
    """The clauses about such a hand."""


class WagerRule(Strict):
    """A wager and its area. `needs`: any one of these must be down too, or the stake goes back."""

    area: str
    """The playing area, as it stands on the layout."""
    placed: str = "before-deal"
    """When it is placed: before the deal, or at the decision of this name."""
    entitles_to_hand: bool = False
    """Whether a hand is dealt for it."""
    against_dealer: bool = False
    """Whether it is played against the dealer's hand."""
    times: int | None = Field(default=None, ge=1)
    """How many times the wager named in `of` it must be."""
    of: str | None = None
    """The wager its size is measured by."""
    needs: tuple[str, ...] = ()
    """Wagers of which one must be down as well."""
    needs_clauses: tuple[ClauseText, ...] = ()
    """The clauses by which it is put right before the close."""
    without_clauses: tuple[ClauseText, ...] = ()
    """The clauses by which it goes back after the close."""
    pooled: bool = False
    """Whether several players may fund it together."""
    units: tuple[int, int] | None = None
    """The least and the most units of a jackpot wager."""
    odd_amount: OddAmount | None = None
    """What becomes of a stake that is no whole number of units."""
    odd_clauses: tuple[ClauseText, ...] = ()
    """The clauses about such a stake."""
    short_clauses: tuple[ClauseText, ...] = ()
    """The clauses about a stake short of one unit."""
    extra_on: str | None = None
    """The wager this is a payment on; then it has no stake of its own."""
    posted_limits: bool = False
    """Whether the table's sign has a minimum and a maximum for it."""
    clauses: Clauses
    """The clauses about the wager."""


class UnderMinimumRule(Strict):
    """What becomes of a stake below the table's minimum."""

    policy: UnderMinimum
    """How it is settled when it was dealt in."""
    used_by: UsedBy = UsedBy.ANY_SETTLED
    """With `settled-once`: what uses the one time up."""
    placing: Placing
    """Whether it is taken when it is placed."""
    clauses: Clauses
    """The clauses about the settlement."""
    placing_clauses: tuple[ClauseText, ...] = ()
    """The clauses about the placing."""


class OverMaximumRule(Strict):
    """What becomes of a stake above the table's maximum: it is settled to the maximum."""

    of: MaximumOf = MaximumOf.AREA
    """What the maximum of a wager bounds where later wagers are measured by it."""
    placing: Placing
    """Whether it is taken when it is placed."""
    clauses: Clauses
    """The clauses about the settlement."""
    placing_clauses: tuple[ClauseText, ...] = ()
    """The clauses about the placing."""


class WrongSizeRule(Strict):
    """What becomes of a later wager that is not the prescribed multiple."""

    placing: Placing
    """Whether it is taken when it is placed."""
    too_large: Clauses
    """The clauses about one that is too large."""
    too_small: Clauses
    """The clauses about one that is too small."""
    short: ShortWager = ShortWager.SETTLED
    """What becomes of one that is too small."""


class PoolingRule(Strict):
    """Whether several players may fund one wager."""

    policy: Pooling
    """How owners and limits go together."""
    order: PoolOrder = PoolOrder.SEATED_FIRST
    """Who of them comes and goes first."""
    clauses: Clauses
    """The clauses that say so."""


class LimitRules(Strict):
    """Stakes of the wrong size."""

    under_minimum: UnderMinimumRule
    """Below the minimum."""
    over_maximum: OverMaximumRule
    """Above the maximum."""
    wrong_size: WrongSizeRule
    """Not the prescribed multiple."""
    pooling: PoolingRule
    """Several owners."""
    unnoticed_clauses: tuple[ClauseText, ...] = ()
    """The clauses by which what lies on the layout at the close counts; left out, those of the close."""


class RefusalRules(Strict):
    """The clauses behind the refusals that no other table of the book cites."""

    late_wager: Clauses
    """A wager after the close."""
    late_withdrawal: Clauses
    """A wager taken back after the close."""
    others_box: Clauses
    """A wager at somebody else's position."""
    others_jackpot: tuple[ClauseText, ...] = ()
    """A jackpot wager at somebody else's position."""
    not_your_decision: Clauses
    """A decision about somebody else's hand."""
