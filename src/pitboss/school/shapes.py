"""What the dealer school shows: what is asked, the marks, the report, as they are sent."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.play.shapes import Shape


class DrillBook(Shape):
    """A rulebook that is drilled, and how the asker does in it. `problems` is 0 where they have no end."""

    rulebook: str
    title: str
    game: str
    readings: dict[str, str]
    asked: int
    right: int
    level: int
    comes_back: int
    problems: int


class DrillBooks(Shape):
    """Every rulebook that is drilled. `exam` is the examination that the asker sits now, else empty."""

    books: list[DrillBook]
    exam: str


class DrillPool(Shape):
    """The jackpot when winners are paid."""

    meter: str
    reset: str
    unit: str


class DrillSeat(Shape):
    """A hand to settle. Cards that were not turned over are backs."""

    position: int
    player: str
    cards: list[str]
    status: str
    away_at: str
    warned: bool
    established: bool


class DrillWager(Shape):
    """A wager that has to be settled; nothing is staked on one that goes with another."""

    position: int
    wager: str
    area: str
    stake: str


class DrillRound(Shape):
    """A finished round."""

    dealer: list[str]
    community: list[str]
    void: str | None
    limits: dict[str, list[str]]
    jackpot: DrillPool | None
    seats: list[DrillSeat]
    asked: list[DrillWager]


class DrillStake(Shape):
    """What lies on an area."""

    area: str
    stake: str


class DrillHand(Shape):
    """A hand at a table under way, as its dealer sees it."""

    position: int
    player: str
    cards: list[str]
    fate: str
    viewed: bool
    handled: bool
    choices: dict[str, str]
    stakes: list[DrillStake]


class DrillReported(Shape):
    """What was reported."""

    kind: str
    positions: Sequence[int]
    count: int
    findings: list[str]
    what: str


class DrillChoice(Shape):
    """A remedy; one that waits for a ruling says who rules, by their title in the book, and what."""

    name: str
    remedy: str
    decides: str
    title: str
    rulings: list[str]


class DrillTrouble(Shape):
    """A table at which something has gone wrong."""

    procedure: str
    stage: str
    decision: str
    dealer: list[str]
    community: list[str]
    hands: list[DrillHand]
    reported: DrillReported
    choices: list[DrillChoice]


class DrillQuestion(Shape, kw_only=True):
    """A problem; its answer stays with the service until it was answered."""

    rulebook: str
    title: str
    currency: str
    comes_back: bool
    kind: str
    settlement: DrillRound | None
    irregularity: DrillTrouble | None


class DrillProblem(DrillQuestion, kw_only=True):
    """A problem of practice, and the name by which it is answered."""

    exercise: str


class DrillLine(Shape):
    """A wager, marked, with what is right."""

    position: int
    wager: str
    area: str
    stake: str
    right: bool
    returned: str
    collected: str
    paid: str
    says: str
    clauses: Sequence[str]


class DrillClause(Shape):
    """A clause behind a problem, and whether what it rules was got right."""

    clause: str
    gist: str
    right: bool


class DrillTold(Shape, kw_only=True):
    """A problem, marked."""

    right: bool
    title: str
    note: str
    trap: bool
    lines: list[DrillLine]
    clauses: list[DrillClause]
    chosen: DrillChoice | None
    remedy: DrillChoice | None


class DrillMarks(DrillTold, kw_only=True):
    """A problem of practice, marked, and how it goes on."""

    level: int
    comes_back: int


class DrillScore(Shape):
    """How a trainee does on a clause."""

    clause: str
    gist: str
    attempts: int
    right: int
    last: str


class DrillTrap(Shape):
    """A known error of dealers, and how often a trainee has avoided it."""

    title: str
    attempts: int
    right: int


class DrillBookReport(Shape):
    """A trainee in one rulebook."""

    rulebook: str
    title: str
    asked: int
    right: int
    level: int
    clauses: list[DrillScore]
    traps: list[DrillTrap]
    comes_back: list[str]


class DrillSitting(Shape, kw_only=True):
    """An examination that a trainee sits or has sat. `right` is null, and `ended` empty, before its end.

    Without a level the difficulty rises; `readings` are those that are not the rulebook's defaults.
    """

    exam: str
    trainee: str
    rulebook: str
    game: str
    title: str
    readings: dict[str, str]
    number: int
    problems: int
    only: str
    level: int | None
    began: str
    ended: str
    answered: int
    right: int | None


class TraineeReport(Shape):
    """A report on a trainee, book by book."""

    trainee: str
    books: list[DrillBookReport]


class DrillReport(TraineeReport):
    """A report on a trainee. `others` are those on whom the asker may have one, too."""

    others: list[str]
    exams: list[DrillSitting]
