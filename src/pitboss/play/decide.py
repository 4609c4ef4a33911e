"""`decide(state, command)`: what happens, or why not. It hands each act to the module that computes it.

No clock, no randomness, no rulebook's name: cards and judgements arrive in commands, rules in the plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.play import (
    betting,
    concluding,
    correcting,
    dealing,
    deciding,
    duties,
    remedies,
    ruling,
    unnoticed,
)
from pitboss.play.commands import (
    Bet,
    Check,
    CloseBets,
    Command,
    Continue,
    CorrectCard,
    Deal,
    Decline,
    EnterCard,
    Establish,
    Fold,
    HandleHand,
    InformPlayer,
    LiftOrder,
    LookAtHand,
    MarkAbsent,
    NewPack,
    NotifyJackpot,
    OfferJackpot,
    OpenBets,
    PlaceWager,
    Player,
    Report,
    Reveal,
    Rule,
    Settle,
    Staff,
    TakeBack,
    TakeOption,
    UnnoticedWager,
    ViewHand,
    WithdrawWager,
)
from pitboss.play.events import EntriesCleared, OptionTaken
from pitboss.play.irregularity import find_row
from pitboss.play.refusal import NOT_STAFF, Outcome, Refusal, refuse
from pitboss.play.table import NO_TROUBLE, State, Trouble
from pitboss.play.transitions import Course, Decided, Played, played_through
from pitboss.rulebooks.trouble import Irregularity, Remedy, Ruling


def decide(state: State, command: Command) -> Outcome:
    """The events of a command, or the refusal of it. The state is not changed."""
    decided = _decided(state, command)
    return decided.events if isinstance(decided, Course) else decided


def carry_out(state: State, command: Command) -> tuple[Played, ...] | Refusal:
    """The events of a command with the state before and after each, or the refusal of it."""
    decided = _decided(state, command)
    if isinstance(decided, Refusal):
        return decided
    return decided.played if isinstance(decided, Course) else played_through(state, decided)


def _decided(state: State, command: Command) -> Decided:
    trouble = state.trouble
    if state.claim and not isinstance(command, Settle | Report | Rule | LiftOrder):
        return concluding.claim_pending(state)
    if trouble is not NO_TROUBLE:
        refusal = _play_waits(state, trouble, command)
        if refusal is not None:
            return refusal
    act = PLAYERS.get(type(command))
    if act is None:
        if not isinstance(command.by, Staff):
            return NOT_STAFF
        about_one = InformPlayer | MarkAbsent | TakeBack | LookAtHand
        if isinstance(command, about_one) and not 1 <= command.position <= state.terms.positions:
            return betting.no_such_position(state)
        by_rank = BY_RANK.get(type(command))
        if by_rank is not None:
            return by_rank(state, command, command.by)
        return STAFF[type(command)](state, command)
    by = command.by
    player = by.name if isinstance(by, Player) else by.for_player
    if player is None:
        return Refusal("not-a-player", "Staff do a player's act for a player, at his request.")
    if isinstance(by, Staff):
        refusal = ruling.lacks_authority_to_act(state, by)
        if refusal is not None:
            return refusal
    if player not in state.racks:
        return betting.unknown_player(state, player)
    return act(state, command, player)


def _play_waits(state: State, trouble: Trouble, command: Command) -> Refusal | None:
    """While a ruling is awaited nothing else is done but what voids the round anyway, and the cards entered
    whose order is ruled on; while players have options, nothing is played.
    """
    voids = isinstance(command, Report) and find_row(state, command).remedy is Remedy.VOID
    allowed = Rule | LiftOrder | CorrectCard  # a slip of the record may be all that is the matter
    reason = trouble.suspension
    ordering = reason is not None and Ruling.ORDER in reason.rulings and isinstance(command, EnterCard)
    if reason is not None and not isinstance(command, allowed) and not voids and not ordering:
        return refuse(
            "suspended", "The round waits for a ruling: {reason}.", reason.clauses, reason=reason.what
        )
    if trouble.options is not None and not isinstance(
        command, Rule | LiftOrder | Report | TakeOption | MarkAbsent | CorrectCard
    ):
        names = ", ".join(str(n) for n in sorted(trouble.options.waiting))
        return refuse(
            "options-outstanding",
            "Waiting for position {positions} to say whether they stay in.",
            trouble.options.clauses,
            positions=names,
        )
    return None


def _absent(state: State, command: MarkAbsent) -> Outcome:
    """Nobody is there: an option is not taken, or a decision is made by absence."""
    options = state.trouble.options
    if options is not None and command.position in options.waiting:
        return (OptionTaken(position=command.position, stays=True, absent=True),)
    return deciding.absent(state, command)


def _card_entered(state: State, command: EnterCard) -> Decided:
    """A card that lies on the layout already is not stored: the House finds whether it is one too many."""
    outcome = dealing.enter_card(state, command)
    refused = isinstance(outcome, Refusal)
    lies = command.card in dealing.lying_cards(state)
    if state.trouble.reopened and (refused or lies):
        return _entered_again(state, command)
    if state.trouble.reentry and (refused or lies):
        course = Course(state)
        course.add(EntriesCleared(clauses=remedies.refs(state.terms.procedure.clauses)))
        return _and_then(course, dealing.enter_card(course.state, command))
    return _unless_twice(state, command, outcome)


def _entered_again(state: State, command: EnterCard) -> Decided:
    """A card of a round that is settled again: what was entered at its place before goes, and whatever is
    entered wrongly elsewhere with it. A place that was entered again stays.
    """
    reopened = state.trouble.reopened
    stale = [place for place, cards in state.known.items() if command.card in cards and place in reopened]
    if dealing.place_with_room(state, command.place) is None:
        full = [place for place in dealing.places_called(state, command.place) if place in reopened]
        stale = [*full[:1], *(place for place in stale if place not in full[:1])]
    if not stale:
        return _unless_twice(state, command, dealing.enter_card(state, command))
    cleared = EntriesCleared(
        clauses=remedies.refs(state.terms.procedure.clauses), places=tuple(sorted(stale))
    )
    course = Course(state)
    after = course.add(cleared)
    return _and_then(course, _unless_twice(after, command, dealing.enter_card(after, command)))


def _and_then(course: Course, outcome: Outcome) -> Course | Refusal:
    if isinstance(outcome, Refusal):
        return outcome
    course.add(*outcome)
    return course


def _unless_twice(state: State, command: EnterCard, outcome: Outcome) -> Outcome:
    """The entry of a card. One that lies on the layout already may be one too many: the House finds out."""
    if isinstance(outcome, Refusal) or command.card not in dealing.lying_cards(state):
        return outcome
    if state.suspension is not None:
        return _LIES_THERE_TOO
    twice = Report(by=command.by, kind=Irregularity.FOREIGN_CARD, what="a card was entered twice")
    return remedies.suspect(state, twice)


_LIES_THERE_TOO = Refusal("suspended", "That card lies on the layout too: the ruling is waited for.")


def _card_corrected(state: State, command: CorrectCard, by: Staff) -> Outcome:
    """A right card that lies elsewhere already is one too many, as when it is entered."""
    outcome = correcting.correct_card(state, command, by)
    if isinstance(outcome, Refusal) or not correcting.lies_elsewhere(state, command):
        return outcome
    if state.suspension is not None:
        return _LIES_THERE_TOO
    twice = Report(by=command.by, kind=Irregularity.FOREIGN_CARD, what="a card was entered twice")
    return remedies.suspect(state, twice)


def _look(state: State, command: LookAtHand, by: Staff) -> Outcome:
    refusal = ruling.lacks_authority_to_look(state, by)
    return refusal if refusal is not None else deciding.look(state, command, by)


STAFF: dict[type[Command], Callable[[State, Any], Decided]] = {
    OpenBets: betting.open_bets,
    CloseBets: betting.close_bets,
    Deal: dealing.deal,
    EnterCard: _card_entered,
    Reveal: dealing.reveal,
    MarkAbsent: _absent,
    Settle: concluding.settle_round,
}
"""What the staff of the table do, whoever of them does it."""

BY_RANK: dict[type[Command], Callable[[State, Any, Staff], Decided]] = {
    CorrectCard: _card_corrected,
    TakeBack: correcting.take_back,
    LookAtHand: _look,
    InformPlayer: duties.inform,
    OfferJackpot: duties.offer_jackpot,
    NewPack: duties.new_pack,
    Report: remedies.report,
    Rule: ruling.rule,
    LiftOrder: ruling.lift,
}
"""What the record names the rank of who did it for."""

PLAYERS: dict[type[Command], Callable[[State, Any, str], Outcome]] = {
    PlaceWager: betting.place_wager,
    UnnoticedWager: unnoticed.enter_unnoticed,
    WithdrawWager: betting.withdraw_wager,
    ViewHand: deciding.view,
    HandleHand: deciding.handle,
    Fold: deciding.fold,
    Bet: deciding.bet,
    Check: deciding.check_decision,
    Continue: deciding.continue_hand,
    Decline: deciding.decline,
    Establish: deciding.establish,
    NotifyJackpot: duties.notify_jackpot,
    TakeOption: remedies.take_option,
}
"""What players do, or staff for a player. A test holds the three tables against the union of commands."""
