"""Stakes that lay on the layout when bets closed, and that nobody had noticed: entered afterwards.

They count as they lay. What becomes of one outside the limits, or without the wager it needs, is for the
settlement, by the book's own clauses.
"""

from __future__ import annotations

from pitboss.money import NO_UNITS, Cents, LedgerUnits, format_cents
from pitboss.play.betting import (
    Stake,
    find_wager,
    jackpot_stakes,
    lacks_chips,
    no_such_area,
    not_welcome,
    others_area,
    wrong_units,
)
from pitboss.play.commands import Staff, UnnoticedWager
from pitboss.play.dealing import has_hand
from pitboss.play.events import UnnoticedWagerEntered
from pitboss.play.refusal import NOT_STAFF, Outcome, Refusal, below, refuse
from pitboss.play.table import Box, Fate, Stage, State
from pitboss.rulebooks.book import Decision
from pitboss.rulebooks.plan import ClauseRef, Plan, Wager
from pitboss.rulebooks.sharing import contribution
from pitboss.rulebooks.vocabulary import OddAmount, Position

AFTER_THE_DEAL = Position.PIT_SUPERVISOR
"""The least position that enters such a stake once cards are dealt; on the floor with a second signature."""


MOST_UNITS_A_ROUND = 7 * 5
"""Seven positions at five units: more than that no round of any layout can stake on a jackpot."""


def unnoticed_clauses(plan: Plan) -> tuple[str, ...]:
    """What the book says of the chips that lie on the layout when bets are closed."""
    return plan.limits.unnoticed_clauses or plan.book.round.closes_clauses


def enter_unnoticed(state: State, command: UnnoticedWager, player: str) -> Outcome:
    """A stake of before the deal that lay there at the close, whatever its size."""
    if not isinstance(command.by, Staff):
        return NOT_STAFF
    wager = find_wager(state, command.wager)
    if wager is None:
        return no_such_area(state, command.wager)
    refusal = (
        _not_now(state, wager)
        or _lacks_authority(state, command.by)
        or not_welcome(state, command, player)
        or others_area(state, command, wager, player)
        or _wrong_stake(state, command, wager)
        or _not_dealt_for(state, command, wager)
        or lacks_chips(state, player, command.amount)
    )
    if refusal is not None:
        return refusal
    stakes = jackpot_stakes(state, more=Stake(command.position, wager.name, command.amount))
    refusal = _unreasonable(state, wager, stakes)
    if refusal is not None:
        return refusal
    return (
        UnnoticedWagerEntered(
            position=command.position,
            player=player,
            wager=wager.name,
            amount=command.amount,
            contribution=_contribution_added(state, stakes),
            by=command.by.position,
            approved_by=command.approved_by,
            clauses=tuple(ClauseRef(number) for number in unnoticed_clauses(state.plan)),
        ),
    )


def _contribution_added(state: State, stakes: Cents) -> LedgerUnits:
    """What the meter takes of jackpot stakes that count with this one and did not before."""
    terms = state.terms.jackpot
    if terms is None:
        return NO_UNITS
    booked = contribution(jackpot_stakes(state), increment_bp=terms.increment_bp)
    return LedgerUnits(contribution(stakes, increment_bp=terms.increment_bp) - booked)


def _not_now(state: State, wager: Wager) -> Refusal | None:
    clauses = unnoticed_clauses(state.plan)
    if state.terms.strict_limits:
        text = "At a virtual table every stake is placed with the service; none lies there unnoticed."
        return refuse("virtual-table", text, clauses)
    if state.stage is Stage.IDLE:
        return refuse("early", "Bets are not open yet.", state.plan.book.round.opens_clauses)
    if state.stage.is_over:
        return refuse("late", "The round is over; a stake is entered before the settlement.", clauses)
    if state.stage is Stage.BETTING:
        return refuse("bets-open", "Bets are open: place the wager without 'unnoticed'.", clauses)
    if wager.of is not None:
        return refuse(
            "not-before-deal",
            "The {area} is wagered at its decision; enter it there with what lies on the layout.",
            wager.clauses,
            area=wager.area,
        )
    return None


def _lacks_authority(state: State, by: Staff) -> Refusal | None:
    if state.stage is not Stage.PLAYING:
        return None
    return below(state.plan, by.position, AFTER_THE_DEAL, unnoticed_clauses(state.plan))


def _wrong_stake(state: State, command: UnnoticedWager, wager: Wager) -> Refusal | None:
    """No size is refused but one that the jackpot's wagering system cannot have taken."""
    if command.amount <= 0:
        return refuse("no-amount", "A wager must be greater than 0.", wager.clauses)
    if wager.units is None:
        return None
    if state.terms.jackpot is None or wager.odd_amount is OddAmount.IMPOSSIBLE:
        return wrong_units(state, command, wager)
    return None


def _unreasonable(state: State, wager: Wager, stakes: Cents) -> Refusal | None:
    """The refusal of more jackpot stakes than a round can have; a link that is shared has its own limit."""
    terms = state.terms.jackpot
    if wager.units is None or terms is None or terms.linked:
        return None
    most = Cents(MOST_UNITS_A_ROUND * terms.unit)
    if stakes <= most:
        return None
    found, limit = format_cents(stakes), format_cents(most)
    return refuse(
        "unreasonable-contribution",
        "{amount} of jackpot stakes in one round; the jackpot takes {most} at most.",
        wager.clauses,
        amount=found,
        most=limit,
    )


def _not_dealt_for(state: State, command: UnnoticedWager, wager: Wager) -> Refusal | None:
    """Once cards are dealt, a stake joins the hand that lies there; no hand comes to be by it.

    A hand that has decided without a wager does not decide again with it.
    """
    if state.stage is not Stage.PLAYING:
        return None
    box = state.boxes.get(command.position)
    if box is not None and box.removal is not None:
        return refuse(
            "hand-over",
            "The hand at position {position} is out of the round.",
            box.removal.clauses,
            position=command.position,
        )
    dealt_in = box is not None and has_hand(state.plan, box)
    if wager.entitles_to_hand and not dealt_in:
        return refuse(
            "no-hand",
            "No hand was dealt at position {position}: report a misdeal.",
            state.terms.procedure.clauses,
            position=command.position,
        )
    if box is None or box.stake(wager.name):
        return None
    steps = state.terms.procedure.steps[: state.step]
    past = {step.decide for step in steps if step.decide is not None}
    for decision in state.plan.decisions:
        if decision.needs == wager.name and (decision.name in past or _decided(box, decision)):
            return refuse(
                "late",
                "The {decision} decision, which a hand with {area} makes, is over.",
                decision.clauses,
                decision=decision.name,
                area=wager.area,
            )
    return None


def _decided(box: Box, decision: Decision) -> bool:
    """Whether a hand has made a decision already, by going on without the wager or by absence."""
    return decision.name in box.choices or box.fate is not Fate.IN_PLAY
