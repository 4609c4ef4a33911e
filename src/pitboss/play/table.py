"""A table: what it is set up with, and its state while rounds are played.

The state is the fold of the events (`evolve`); nothing in it comes from anywhere else. Cards that nobody has
entered or dealt yet are not in it. Named tuples, since every event makes a new one and they are quickly made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.cards import Card, HandClass
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits
from pitboss.play.encoding import later
from pitboss.play.facts import Limit
from pitboss.play.settlement import Settlement
from pitboss.rulebooks.book import Procedure
from pitboss.rulebooks.plan import Clauses, Plan, WagerName
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Duty, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotTerms:
    """What one jackpot wager costs, what the meter is reset to, and what it takes of each stake.

    With `linked`, other tables share the meter: a share of it is claimed, and paid on the meter that the link
    has fixed for it.
    """

    unit: Cents
    reset: Cents
    increment_bp: int = 0
    linked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a table is opened with, and keeps.

    At a physical table cards lie face down until they are entered; at a virtual one they come from a deck.
    What lies on a physical layout is recorded; with `strict_limits` a stake outside the limits is not taken.
    """

    plan: Plan
    procedure: Procedure
    positions: int
    limits: Mapping[WagerName, Limit]
    jackpot: JackpotTerms | None
    physical: bool = False
    strict_limits: bool = False


class Stage(StrEnum):
    """Where a round stands. `IDLE` is a table before its first round."""

    IDLE = "idle"
    BETTING = "betting"
    CLOSED = "closed"
    PLAYING = "playing"
    SETTLED = "settled"
    VOID = "void"

    @property
    def is_over(self) -> bool:
        """Whether no round is under way."""
        return self in (Stage.IDLE, Stage.SETTLED, Stage.VOID)


class Fate(StrEnum):
    """What the player's conduct has made of a hand so far."""

    IN_PLAY = "in-play"
    FOLDED = "folded"
    INVALID_BY_ABSENCE = "invalid-by-absence"
    FOLDED_BY_ABSENCE = "folded-by-absence"
    DECLINED = "declined"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A hand that is out of the round: the stakes that went back to their owners, and why.

    `contribution` came off the meter at once; that of a hand removed after the settlement does so with the
    settlement that is made again.
    """

    stakes: Mapping[WagerName, Mapping[str, Cents]]
    contribution: LedgerUnits
    clauses: Clauses


class Box(NamedTuple):
    """One position in a round: who plays it, the stakes by owner, the cards, and what was decided.

    It is played by who is `seated` there, the first to wager where nobody is known to be; by another owner
    while the seated player has no share.
    `choices` maps each decision made to what was chosen. `away` tells that a decision was made by absence.
    `forfeited` are the shares of owners who could not go along with a wager; they were collected at once.
    """

    position: int
    player: str
    stakes: Mapping[WagerName, Mapping[str, Cents]]
    fate: Fate = Fate.IN_PLAY
    choices: Mapping[str, str] = MappingProxyType({})
    viewed: bool = False
    handled: bool = False
    away: bool = False
    established: bool = False
    looked_at: bool = False
    forfeited: Mapping[WagerName, Mapping[str, Cents]] = MappingProxyType({})
    removal: Removal | None = None
    seated: str = ""

    def stake(self, wager: str) -> Cents:
        """What lies on a wager's area, of all owners."""
        owners = self.stakes.get(wager)  # type: ignore[call-overload]
        return NOTHING if owners is None else Cents(sum(owners.values()))


def may_take_over(plan: Plan, box: Box, player: str) -> bool:
    """Whether the seated player may play a position that another owner plays.

    Not where that owner has a stake there that is not to be shared, such as the jackpot's.
    """
    return all(
        plan.wager(wager).pooled or not owners.keys() - {player} for wager, owners in box.stakes.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What a table remembers from round to round. Who was `warned` is forgotten with the gaming day.

    `paid_once` and `collected_once` had a stake under the minimum settled so, where the book counts both.
    `jackpot_stopped`: the jackpot failed, and the House has not ruled yet. `new_pack_due`: the last round was
    void for its cards.
    """

    gaming_day: str = ""
    warned: frozenset[str] = frozenset()
    paid_once: frozenset[str] = frozenset()
    collected_once: frozenset[str] = frozenset()
    restricted: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    blocked: frozenset[int] = frozenset()
    closed: bool = False
    jackpot_suspended: bool = False
    jackpot_stopped: bool = False
    new_pack_due: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspension:
    """Why a round waits, who may rule, and what. After the rulings in `choice_after` the players choose.

    `affected` are the seats that choose then; none are all.
    """

    kind: str
    what: str
    positions: tuple[int, ...]
    decides: Position
    rulings: tuple[Ruling, ...]
    choice_after: tuple[Ruling, ...]
    clauses: Clauses
    choice_clauses: Clauses
    withdrawal: Authority | None
    affected: tuple[int, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The least position that may do something, and the clauses that say so."""

    position: Position
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Hands that have still to say whether they stay. With `all_hands`, who leaves leaves with all he has."""

    waiting: frozenset[int]
    all_hands: bool
    clauses: Clauses
    leaving_clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedHand:
    """A hand that claims a share of a linked meter."""

    position: int
    player: str
    hand_class: HandClass


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardedHand:
    """A hand with a fixed award that the meter pays."""

    position: int
    player: str
    hand_class: HandClass
    amount: Cents


class Trouble(NamedTuple):
    """What is out of the ordinary in this round.

    `followups` are rulings that may still be given in a matter that is ruled, until the next card is shown;
    `permitted` maps hands that may withdraw until then to the clauses. `warned_now` were told about a stake
    under the minimum by this round's settlement, `paid_now` and `collected_now` had one settled so. With
    `reentry` the cards of a physical table were put in order, and may be entered again; those of the places
    in `reopened` although they lie open.
    """

    suspension: Suspension | None = None
    options: Options | None = None
    followups: Mapping[str, Authority] = MappingProxyType({})
    permitted: Mapping[int, Clauses] = MappingProxyType({})
    cards_exposed: int = 0
    warned_now: frozenset[str] = frozenset()
    paid_now: frozenset[str] = frozenset()
    collected_now: frozenset[str] = frozenset()
    reentry: bool = False
    reopened: frozenset[str] = frozenset()


NO_TROUBLE = Trouble()


class State(NamedTuple):
    """A table in the middle of things. Money: racks, layout, float, house and meter add up to a constant.

    `step` is the next step of the procedure. `known` holds the cards of a place (the number of a position,
    `dealer`, a part of the community) as far as they were dealt known or entered; `dealt` counts them.
    `claim` are the hands whose share of a linked meter has still to be verified. `corrections` counts the
    slips of the record that were mended in the round. `duties_done` holds what staff owed the players in the
    round and have done (`duty_key`).
    """

    terms: Terms
    racks: Mapping[str, Cents]
    stage: Stage = Stage.IDLE
    round_number: int = 0
    step: int = 0
    boxes: Mapping[int, Box] = MappingProxyType({})
    dealt: Mapping[str, int] = MappingProxyType({})
    known: Mapping[str, tuple[Card, ...]] = MappingProxyType({})
    burned: tuple[Card | None, ...] = ()
    revealed: frozenset[str] = frozenset()
    turned_up: Mapping[str, int] = MappingProxyType({})
    table_float: LedgerUnits = NO_UNITS
    house: LedgerUnits = NO_UNITS
    meter: LedgerUnits = NO_UNITS
    settlement: Settlement | None = None
    exposed: frozenset[int] = frozenset()
    void_clauses: Clauses = ()
    trouble: Trouble = NO_TROUBLE
    memory: Memory = Memory()
    claim: tuple[ClaimedHand, ...] = ()
    corrections: int = 0
    duties_done: frozenset[str] = frozenset()

    @property
    def suspension(self) -> Suspension | None:
        """What the round waits for a ruling about, or None."""
        return self.trouble.suspension

    @property
    def plan(self) -> Plan:
        """The rulebook that is played."""
        return self.terms.plan

    @property
    def layout(self) -> Cents:
        """All stakes that lie on the layout now."""
        if self.stage in (Stage.SETTLED, Stage.VOID):
            return NOTHING
        return Cents(sum(sum(s.values()) for box in self.boxes.values() for s in box.stakes.values()))


def duty_key(duty: Duty, player: str = "") -> str:
    """A duty, of one player where it is owed to each."""
    return f"{duty.value}/{player}"


_INDEX = {name: index for index, name in enumerate(State._fields)}


def changed(state: State, **changes: Any) -> State:
    """The state with some fields changed: `_replace`, but quicker, since every event comes through here."""
    values = list(state)
    for name, value in changes.items():
        values[_INDEX[name]] = value
    return State._make(values)


def open_table(terms: Terms, racks: Mapping[str, Cents], *, meter: LedgerUnits = NO_UNITS) -> State:
    """A table with its players' chips and the meter of its link, before the first round."""
    return State(terms=terms, racks=MappingProxyType(dict(racks)), meter=meter)
