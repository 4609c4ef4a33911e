"""What the service itself says: answers to requests, problems, socket messages, and what it reads together.

What a table or a floor shows is built where it is known: `play.shapes`, `floor.shapes`, `school.shapes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from pitboss.floor.shapes import Jackpot, TableView
from pitboss.play.shapes import Advice, Left, Shape, Tried
from pitboss.rulebooks.trouble import Irregularity

# --- answers ------------------------------------------------------------------------------------------------


class Rejected(Shape):
    """What of a wager was over the maximum and went back; of several acts, `act` is which one."""

    amount: str
    clauses: Sequence[str]
    act: int | Left = UNSET


class Done(Shape, kw_only=True):
    """Done. `versions` are those of the streams it moved on; what else there is depends on the request."""

    ok: bool
    versions: dict[str, int]
    rejected: Rejected | Left = UNSET
    rejected_of: list[Rejected] | Left = UNSET
    waits: str | Left = UNSET
    paid: str | Left = UNSET
    over_short: str | Left = UNSET
    hit: int | Left = UNSET
    slip: int | Left = UNSET
    claim: int | Left = UNSET
    fixed: int | Left = UNSET
    dispute: int | Left = UNSET
    with_position: str | Left = msgspec.field(name="with", default=UNSET)
    rulebook: str | Left = UNSET
    in_force: bool | Left = UNSET
    holds_from: str | Left = UNSET


class Refused(Shape, kw_only=True):
    """Not done: a code with its parameters, a sentence, and the clauses that say so. Of several acts, `act`
    is the one that was refused.
    """

    code: str
    message: str
    clauses: Sequence[str]
    params: dict[str, str | int] | Left = UNSET
    act: int | Left = UNSET


class BadField(Refused, kw_only=True):
    """Input that cannot be used: the field, what is wrong, what would be right."""

    field: str


# --- messages of a socket -----------------------------------------------------------------------------------


class ViewMessage(Shape, tag_field="kind", tag="view", kw_only=True):
    """A version of a table as its watcher may see it; null before it was ever opened.

    `missed` tells that versions before it were not sent.
    """

    table: str
    version: int
    view: TableView | None
    missed: bool | Left = UNSET


class JackpotMessage(Jackpot, tag_field="kind", tag="jackpot", kw_only=True):
    """A jackpot at one version of its link."""

    version: int


class BeatMessage(Shape, tag_field="kind", tag="beat", kw_only=True):
    """The time by the floor's clock, in microseconds."""

    beat: int
    now: int


class ErrorMessage(Shape, tag_field="kind", tag="error", kw_only=True):
    """What a message of the client's, or the record, has met with."""

    code: str
    message: str
    field: str | Left = UNSET


Message = ViewMessage | JackpotMessage | BeatMessage | ErrorMessage
"""What a socket sends."""


# --- the record and the pit ---------------------------------------------------------------------------------


class Players(Shape):
    """Every player the house knows, by name."""

    players: list[str]


class RoundLine(Shape, kw_only=True):
    """A round in one line. `net` is what the player who asks won, or lost with a minus; null while open."""

    round: int
    status: str
    opened_at: int
    dealt_at: int | None
    ended_at: int | None
    rulebook: str
    net: str | Left | None = UNSET


class RoundLines(Shape):
    """The last rounds of a table; `before` is where to go on, null where there are no more."""

    table: str
    rounds: list[RoundLine]
    before: int | None


class KindLine(Shape):
    """A kind of irregularity in plain words."""

    kind: Irregularity
    what: str


class Kinds(Shape):
    """Kinds of irregularities."""

    kinds: list[KindLine]


class TableKinds(Shape):
    """What may go wrong at a table and be reported."""

    table: str
    kinds: list[KindLine]


class NotTaken(Shape):
    """Why a report would not be taken now."""

    refused: Refused


Advised = Advice | NotTaken
"""What the book says about a report to come, or why it would not be taken."""


class TriedRulings(Shape):
    """What may be ruled at a table now, and what each player would get back or give."""

    table: str
    rulings: list[Tried]


class StreamHead(Shape):
    """The head of a stream of the record."""

    version: int
    hash: str


class LastCheckpoint(Shape):
    """The last checkpoint that was signed."""

    number: int
    at: int


class RecordHeads(Shape):
    """The streams of the record with their heads, and the last checkpoint."""

    streams: dict[str, StreamHead]
    checkpoint: LastCheckpoint | None


class Verified(Shape):
    """What the verification of the whole record has found."""

    ok: bool
    events: int
    seconds: float
    problems: list[str]


# --- mathematics --------------------------------------------------------------------------------------------


class ReadingLetters(Shape):
    """A reading and the letters that it may be given."""

    reading: str
    question: str
    default: str | None
    letters: dict[str, str]


class PricedBook(Shape):
    """A rulebook that can be priced: its readings with their letters, its pay tables, its areas."""

    rulebook: str
    title: str
    readings: list[ReadingLetters]
    pays: dict[str, dict[str, str]]
    areas: dict[str, str]


class PricedBooks(Shape):
    """Every rulebook that can be priced."""

    rulebooks: list[PricedBook]


class PricedWager(Shape, kw_only=True):
    """The price of a wager: of the main game, of a side wager, or of the jackpot."""

    ev: str | Left = UNSET
    house_edge: float | Left = UNSET
    average_wager: str | Left = UNSET
    element_of_risk: float | Left = UNSET
    standard_deviation: float | Left = UNSET
    outcomes: dict[str, int] | Left = UNSET
    cycle: int | Left = UNSET
    decisions: dict[str, str] | Left = UNSET
    strategy: dict[str, Any] | Left = UNSET
    hit_frequency: dict[str, str] | Left = UNSET
    stake: str | Left = UNSET
    unit: str | Left = UNSET
    multiple: int | Left = UNSET
    fixed_return: str | Left = UNSET
    meter_share: str | Left = UNSET
    break_even_meter: str | Left | None = UNSET


class PricedStrategy(Shape):
    """What a strategy is worth, and what it costs beside the best one."""

    ev: str
    cost: str
    average_wager: str


class Priced(Shape, kw_only=True):
    """A rulebook priced exactly; `curve` is the jackpot's return along its meter."""

    rulebook: str
    readings: dict[str, str]
    wagers: dict[str, PricedWager]
    starting_hands: dict[str, dict[str, str | bool]] | Left = UNSET
    strategies: dict[str, PricedStrategy]
    seconds: float
    curve: list[tuple[float, float]] | Left = UNSET


class HandAdvice(Shape):
    """What each choice is worth for a hand, in antes."""

    decision: str
    best: str
    values: dict[str, float]
    exact: dict[str, str]
