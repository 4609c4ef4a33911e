"""Slips of whoever keeps the record: a card entered wrongly, a choice recorded that was not made.

The cards and chips on the table are right, the record is not. Once a further card lies open, or the round is
settled, it cannot be unseen: it is an irregularity, and the book says what becomes of it.
"""

from __future__ import annotations

from pitboss.money import Cents
from pitboss.play.commands import CorrectCard, Staff, TakeBack
from pitboss.play.dealing import lying_cards, outstanding, places_called
from pitboss.play.deciding import declined_clauses
from pitboss.play.events import CardCorrected, DecisionTakenBack, WagerWithdrawn
from pitboss.play.refusal import Outcome, Refusal, below, refuse
from pitboss.play.remedies import refs
from pitboss.play.table import Box, Fate, Stage, State
from pitboss.rulebooks.plan import Clauses
from pitboss.rulebooks.vocabulary import Place, Power

COMPARISON = "comparison"
"""Where a hand was said not to be exposed; the procedure has no decision of that name."""


def correct_card(state: State, command: CorrectCard, by: Staff) -> Outcome:
    """The card that lies there instead of the one entered; without one, the last entry of a place goes."""
    clauses = state.terms.procedure.clauses
    if not state.terms.physical:
        return refuse("virtual-table", "The cards of this table come from its deck.", clauses)
    if state.stage not in (Stage.CLOSED, Stage.PLAYING):
        text = "A settled round is corrected by a ruling or in a dispute."
        return refuse("late" if state.stage.is_over else "early", text, clauses)
    place = _place_of(state, command)
    cards = state.known.get(place, ())
    number = command.number if place == command.place else command.number - _before(state, place)
    if not 1 <= number <= len(cards):
        return _no_such_card(state, command, clauses)
    if command.card is None and number != len(cards):
        return refuse(
            "not-the-last",
            "Only the last card entered at {place} is taken back; say which card lies there instead.",
            clauses,
            place=place,
        )
    wrong = cards[number - 1]
    if command.card == wrong:
        return refuse("nothing-to-correct", "That card is the one entered.", clauses)
    return (
        CardCorrected(
            place=place,
            number=number,
            wrong=wrong,
            right=command.card,
            by=by.position,
            reason=command.reason,
        ),
    )


def _no_such_card(state: State, command: CorrectCard, clauses: tuple[str, ...]) -> Refusal:
    """The refusal of a card that was not entered, with how many were."""
    places = places_called(state, command.place) or [command.place]
    entered = sum(len(state.known.get(place, ())) for place in places)
    there = {0: "none is entered there", 1: "one card is entered there"}
    text = f"No card {command.number} was entered at {command.place}"
    return refuse("no-such-card", f"{text}; {there.get(entered, f'cards 1 to {entered} are')}.", clauses)


def lies_elsewhere(state: State, command: CorrectCard) -> bool:
    """Whether the card of a correction was entered at another place already."""
    return command.card is not None and command.card in lying_cards(state)


def _place_of(state: State, command: CorrectCard) -> str:
    """The part of the community that a number among the community cards is in."""
    if command.place != Place.COMMUNITY or not state.plan.parts:
        return command.place
    number = command.number
    for part in state.plan.parts:
        number -= len(state.known.get(part, ()))
        if number <= 0:
            return part
    return command.place


def _before(state: State, place: str) -> int:
    before = 0
    for part in state.plan.parts:
        if part == place:
            break
        before += len(state.known.get(part, ()))
    return before


def take_back(state: State, command: TakeBack, by: Staff) -> Outcome:
    """The choice recorded last of a hand, as long as no further card lies open."""
    box = state.boxes.get(command.position)
    found = None if box is None else last_recorded(state, box)
    if box is None or found is None:
        can = [n for n, other in sorted(state.boxes.items()) if last_recorded(state, other) is not None]
        those = f"at {', '.join(map(str, can))} it can" if can else "nor at any other"
        text = f"Nothing recorded at position {command.position} can be taken back now; {those}."
        return refuse("nothing-to-take-back", text, state.plan.book.refusals.late_withdrawal)
    decision, choice, clauses = found
    refusal = _not_his_to_mend(state, by, choice)
    if refusal is not None:
        return refusal
    bet = next((d.bet for d in state.plan.decisions if d.name == decision), "")
    withdrawn = [
        WagerWithdrawn(position=box.position, player=owner, wager=wager, amount=share)
        for wager, shares in box.stakes.items()
        for owner, share in shares.items()
        if wager == bet
    ]
    taken = DecisionTakenBack(
        position=box.position,
        decision=decision,
        choice=choice,
        laid_again={} if decision == COMPARISON else _folded_with_it(box),
        by=by.position,
        reason=command.reason,
        clauses=clauses,
    )
    return (*withdrawn, taken)


def _folded_with_it(box: Box) -> dict[str, dict[str, Cents]]:
    """The shares of owners who could not go along, by owner."""
    shares: dict[str, dict[str, Cents]] = {}
    for wager, owners in box.forfeited.items():
        for owner, share in owners.items():
            shares.setdefault(owner, {})[wager] = share
    return shares


def last_recorded(state: State, box: Box) -> tuple[str, str, Clauses] | None:
    """The decision a hand has made at the step where the procedure waits, what it chose, and the clauses."""
    if state.stage is not Stage.PLAYING or box.removal is not None:
        return None
    due = outstanding(state)
    if due is None:
        if box.fate is Fate.DECLINED and not box.looked_at:
            return COMPARISON, "decline", refs(declined_clauses(state))
        return None
    choice = box.choices.get(due.name)
    earlier = [d.name for d in state.plan.decisions if d.name != due.name and d.otherwise == "fold"]
    if choice is None or (box.forfeited and any(name in box.choices for name in earlier)):
        return None
    return due.name, choice, refs(due.clauses)


def _not_his_to_mend(state: State, by: Staff, choice: str) -> Refusal | None:
    """Chips of a physical table lie where the player put them, and the dealer recorded it. At a virtual table
    the player's own choice is the wager: only whoever decides what the book does not cover takes it back.
    """
    power = state.plan.power(Power.DECIDE_UNCOVERED)
    if state.terms.physical or choice == "absent" or power is None:
        return None
    return below(state.plan, by.position, power.position, power.clauses)
