"""A virtual table that runs itself: what the house's clock does next, and when.

The clock announces, deals, reveals and settles; it decides nothing. Whoever has to decide has his time
(`Floor.tick`), and a round that waits for a ruling or for a jackpot claim waits for people.
"""

from __future__ import annotations

from typing import NamedTuple

from pitboss.floor.choices import DEALER, claim_payable, dealer_step, duties_now
from pitboss.floor.entropy import deal_due
from pitboss.floor.gaming_table import VIRTUAL, OpenTable
from pitboss.floor.link import Link
from pitboss.floor.ports import SECOND, Beacon, Micros
from pitboss.play import commands as c
from pitboss.play.dealing import outstanding, undecided
from pitboss.play.table import Stage, State
from pitboss.rulebooks.vocabulary import Position

STEP_SECONDS = 2
"""Between two steps of the dealer, so that players can follow."""


class Due(NamedTuple):
    """A step of the house's clock, and the moment from which it is done."""

    at: Micros
    command: c.Command


def silent(table: OpenTable) -> list[int]:
    """The positions at a virtual table that have not answered what was asked of them."""
    if table.opened.cards != VIRTUAL or not table.in_round:
        return []
    state = table.state
    options = state.trouble.options
    if options is not None:
        return sorted(options.waiting)
    decision = outstanding(state)
    if decision is None or state.suspension is not None:
        return []
    return [box.position for box in undecided(state, decision)]


def silence_ends(table: OpenTable) -> Micros | None:
    """When the time of those who have not answered is over; None where no answer is waited for."""
    if not silent(table):
        return None
    return Micros(table.decision_since + table.opened.decision_seconds * SECOND)


def due(table: OpenTable, link: Link | None, *, last: Micros, beacon: Beacon | None = None) -> Due | None:
    """The next step at a table, or None while it waits for somebody. `last` is the time of its last event."""
    dealing = table.dealing
    if dealing is None:
        return None
    state = table.state
    if state.claim:
        return Due(_after(last, STEP_SECONDS), c.Settle(by=DEALER)) if claim_payable(table, link) else None
    step = dealer_step(state)
    owed = duties_now(state, link)
    if step is None:
        return None
    if state.stage.is_over:
        somebody = any(state.racks.get(player, 0) > 0 for player in table.seats.values())
        pause = 0 if state.stage is Stage.IDLE else dealing.pause_seconds
        return Due(_after(last, pause), step) if somebody else None
    if state.stage is Stage.BETTING:
        failed = _jackpot_stake(state) if link is not None and link.out_of_order else None
        if failed is not None:  # bets do not close before it is off the layout
            return Due(last, failed)
        if owed:
            return Due(last, owed[0])
        return Due(table.bets_end(dealing), step)
    if state.stage is Stage.CLOSED and last == table.revealed_at and table.closed_at is not None:
        last = table.closed_at  # what devices reveal does not put the deal off
    at, waits = _after(last, STEP_SECONDS), None if owed else deal_due(table, beacon)
    return Due(at if waits is None else max(at, waits), owed[0] if owed else step)


def _jackpot_stake(state: State) -> c.WithdrawWager | None:
    """Returns a jackpot stake that lies on the layout while there is no jackpot to win."""
    policy = state.plan.jackpot
    for box in state.boxes.values():
        if policy is not None and box.stake(policy.wager):
            by = c.Staff(Position.DEALER, for_player=box.player)
            return c.WithdrawWager(by=by, position=box.position, wager=policy.wager)
    return None


def _after(moment: Micros, seconds: int) -> Micros:
    return Micros(moment + seconds * SECOND)
