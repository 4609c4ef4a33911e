"""`decide(state, command)`: what happens, or why not. It branches; the modules of each act compute.

No clock, no randomness, no rulebook's name: cards and judgements arrive in commands, rules in the plan.
"""

from __future__ import annotations

from typing import assert_never

from pitboss.play import betting, concluding, dealing, deciding, remedies, ruling
from pitboss.play.commands import (
    Actor,
    Bet,
    Check,
    CloseBets,
    Command,
    Continue,
    Deal,
    Decline,
    EnterCard,
    Establish,
    Fold,
    HandleHand,
    LookAtHand,
    MarkAbsent,
    OpenBets,
    PlaceWager,
    Player,
    Report,
    Reveal,
    Rule,
    Settle,
    Staff,
    TakeOption,
    ViewHand,
    WithdrawWager,
)
from pitboss.play.events import EntriesCleared, OptionTaken
from pitboss.play.evolve import evolve
from pitboss.play.refusal import NOT_STAFF, Outcome, Refusal
from pitboss.play.table import NO_TROUBLE, State, Trouble
from pitboss.rulebooks.trouble import Irregularity


def decide(state: State, command: Command) -> Outcome:
    """The events of a command, or the refusal of it. The state is not changed."""
    trouble = state.trouble
    if trouble is not NO_TROUBLE:
        refusal = _play_waits(trouble, command)
        if refusal is not None:
            return refusal
    match command:
        case OpenBets() | CloseBets() | Deal() | EnterCard() | Reveal() | MarkAbsent() | Settle():
            return _dealer_acts(state, command) if isinstance(command.by, Staff) else NOT_STAFF
        case LookAtHand() | Report() | Rule():
            return _staff_rules(state, command) if isinstance(command.by, Staff) else NOT_STAFF
        case _:
            player = _player(command.by)
            if player is None:
                return Refusal("not-a-player", "Staff do a player's act for a player, at his request.")
            refusal = ruling.lacks_authority_to_act(state, command.by)
            if refusal is not None:
                return refusal
            if player not in state.racks:
                return Refusal("unknown-player", f"{player} has no rack at this table.")
            return _player_acts(state, command, player)


def _play_waits(trouble: Trouble, command: Command) -> Refusal | None:
    """While a ruling is awaited nothing else is done; while players have options, nothing is played."""
    if trouble.suspension is not None and not isinstance(command, Rule):
        reason = trouble.suspension
        return Refusal("suspended", f"The round waits for a ruling: {reason.what}.", reason.clauses)
    if trouble.options is not None and not isinstance(command, Rule | Report | TakeOption | MarkAbsent):
        names = ", ".join(str(n) for n in sorted(trouble.options.waiting))
        text = f"Waiting for position {names} to say whether they stay in."
        return Refusal("options-outstanding", text, trouble.options.clauses)
    return None


def _player(by: Actor) -> str | None:
    return by.name if isinstance(by, Player) else by.for_player


def _dealer_acts(
    state: State, command: OpenBets | CloseBets | Deal | EnterCard | Reveal | MarkAbsent | Settle
) -> Outcome:
    match command:
        case OpenBets():
            return betting.open_bets(state, command)
        case CloseBets():
            return betting.close_bets(state, command)
        case Deal():
            return dealing.deal(state, command)
        case EnterCard():
            return _card_entered(state, command)
        case Reveal():
            return dealing.reveal(state, command)
        case MarkAbsent():
            options = state.trouble.options
            if options is not None and command.position in options.waiting:
                return (OptionTaken(position=command.position, stays=True, absent=True),)
            return deciding.absent(state, command)
        case Settle():
            return concluding.settle_round(state, command)
        case _:
            assert_never(command)


def _card_entered(state: State, command: EnterCard) -> Outcome:
    """A card that lies on the layout already is not stored: the House finds whether it is one too many."""
    outcome = dealing.enter_card(state, command)
    refused = isinstance(outcome, Refusal)
    lies = command.card in dealing.lying_cards(state)
    if state.trouble.reentry and (refused or lies):
        cleared = EntriesCleared(clauses=remedies.refs(state.terms.procedure.clauses))
        again = dealing.enter_card(evolve(state, cleared), command)
        return again if isinstance(again, Refusal) else (cleared, *again)
    if refused or not lies:
        return outcome
    twice = Report(by=command.by, kind=Irregularity.FOREIGN_CARD, what="a card was entered twice")
    return remedies.suspect(state, twice)


def _staff_rules(state: State, command: LookAtHand | Report | Rule) -> Outcome:
    match command:
        case Report():
            return remedies.report(state, command)
        case LookAtHand():
            refusal = ruling.lacks_authority_to_look(state, command)
            return refusal if refusal is not None else deciding.look(state, command)
        case Rule():
            return ruling.rule(state, command)
        case _:
            assert_never(command)


def _player_acts(
    state: State,
    command: PlaceWager
    | WithdrawWager
    | ViewHand
    | HandleHand
    | Fold
    | Bet
    | Check
    | Continue
    | Decline
    | Establish
    | TakeOption,
    player: str,
) -> Outcome:
    match command:
        case PlaceWager():
            return betting.place_wager(state, command, player)
        case WithdrawWager():
            return betting.withdraw_wager(state, command, player)
        case ViewHand():
            return deciding.view(state, command, player)
        case HandleHand():
            return deciding.handle(state, command, player)
        case Fold():
            return deciding.fold(state, command, player)
        case Bet():
            return deciding.bet(state, command, player)
        case Check():
            return deciding.check_decision(state, command, player)
        case Continue():
            return deciding.continue_hand(state, command, player)
        case Decline():
            return deciding.decline(state, command, player)
        case Establish():
            return deciding.establish(state, command, player)
        case TakeOption():
            return remedies.take_option(state, command, player)
        case _:
            assert_never(command)
