"""What a day came to, as it is sent: structs that the report is built from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from pitboss.play.shapes import Left, Shape


class TableDay(Shape):
    """A table's day: its chips and cash, what it won, and what was counted."""

    table: str
    game: str
    title: str
    currency: str
    rounds: int
    voids: int
    opening_float: str
    fills: str
    credits: str
    closing_float: str
    drop: str
    cashed_out: str
    win: str
    hold: float | None
    drop_counted: str
    over_short: str
    jackpot_stakes_less_fixed_awards: str


class SideReturn(Shape):
    """What came back of a side wager."""

    bets: int
    actual_return: float | None


class GameDay(Shape):
    """The return of a game's main wager; with the mathematics beside the exact one and its band."""

    game: str
    rulebook: str
    hands: int
    staked: float
    actual_return: float | None
    side_wagers: dict[str, SideReturn]
    theoretical_return: float | Left = UNSET
    band: Sequence[float] | Left = UNSET
    within_band: bool | Left = UNSET


class LinkDay(Shape):
    """A jackpot reconciled: where it came from and where it went."""

    link: str
    currency: str
    brought_forward: str
    startup: str
    increments: str
    returned: str
    funded_by_house: str
    corrected: str
    paid: str
    displayed: str
    reserve: str
    overflow: str
    held_for_claims: str
    unexplained: str


class LargeWin(Shape):
    """A large win, with who confirmed and authorised it."""

    at: str
    table: str
    round: int
    game: str
    pay_table: str
    player: str
    amount: str
    won_in_round: str
    payout_slips: list[str]
    jackpot: str | None
    hit: int | None
    slip: int | None
    confirmed_by: str | None
    authorised_by: str | None
    undone: bool


class PayoutSlip(Shape):
    """A payout slip of a table."""

    slip: str
    at: str
    round: int
    position: int
    positions: list[int]
    player: str
    amount: str
    of_it_jackpot: str
    corrects: str | None
    reason: str | None
    authorised_by: str
    confirmed_by: str | None
    clauses: Sequence[str]


class ChangeLine(Shape):
    """A change or a correction: before, after, why, by whom."""

    at: str
    entry: str
    kind: str
    what: str
    before: str | None
    after: str | None
    reason: str | None
    by: str
    clauses: Sequence[str]


class StaffedTable(Shape):
    """Somebody's time at a table."""

    table: str
    person: str
    position: str
    since: str = msgspec.field(name="from")
    until: str | None


class Shuffled(Shape):
    """How many packs were shuffled at a table in a shift."""

    table: str
    shift: str | None
    packs: int


class CardCount(Shape):
    """Cards that were counted at a table."""

    at: str
    table: str
    round: int
    found: str
    by: str


class ShiftErrors(Shape):
    """Errors at a table in a shift, by kind."""

    table: str
    shift: str
    kinds: dict[str, int]


class VoidRow(Shape):
    """A void of a sealed round, and what it saved the house."""

    at: str
    table: str
    round: int
    hands: list[int]
    game: str
    currency: str
    practice: bool
    reported_by: str
    ruled_by: str | None
    signed_by: str | None
    kind: str | None
    reason: str | None
    stage: str
    cards: int
    staked: str | None
    house_would_have_won: str | None
    saved: str | None
    deck: str


class SealAlarm(Shape):
    """A sealed deck that was not what was sealed."""

    at: str
    table: str
    round: int
    what: str


class VoidsOfPerson(Shape):
    """The voids of one person beside what chance gives."""

    person: str
    reported: int
    ruled: int
    signed: int
    counted: int
    saved: str
    by_chance: str
    deviation: str
    score: float | None
    stands_out: bool


class Voids(Shape):
    """Voids of sealed rounds, alarms, and whose voids they were."""

    voids: list[VoidRow]
    alarms: list[SealAlarm]
    void_staff: list[VoidsOfPerson]


class DayReport(Shape):
    """What a time came to: tables, games, jackpots, wins, slips, changes, shifts, errors, voids."""

    tables: list[TableDay]
    games: list[GameDay]
    links: list[LinkDay]
    large_wins: list[LargeWin]
    slips: list[PayoutSlip]
    changes: list[ChangeLine]
    staffing: list[StaffedTable]
    shuffles: list[Shuffled]
    card_counts: list[CardCount]
    errors: list[ShiftErrors]
    rulings: int
    voids: list[VoidRow]
    alarms: list[SealAlarm]
    void_staff: list[VoidsOfPerson]
