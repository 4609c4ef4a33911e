"""Duties of the staff at a table that are steps of their own: what is due, and what is recorded of it.

A book names its duties with their clauses. Only a new pack holds the game up; the others are prompted.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.play.commands import InformPlayer, NewPack, NotifyJackpot, OfferJackpot, Staff
from pitboss.play.concluding import round_facts
from pitboss.play.dealing import has_hand, no_hand_there, undecided
from pitboss.play.events import DutyDone, JackpotHandLeft
from pitboss.play.facts import Seat
from pitboss.play.refusal import Outcome, Refusal, refuse
from pitboss.play.standing import class_key, lies_there
from pitboss.play.table import Box, Fate, Stage, State, duty_key
from pitboss.rulebooks.book import DutyRule
from pitboss.rulebooks.plan import ClauseRef
from pitboss.rulebooks.vocabulary import Action, Duty, Position, Situation

_BEFORE_THE_DEAL = (Stage.BETTING, Stage.CLOSED)


def duties_due(state: State) -> Iterator[InformPlayer | OfferJackpot | NewPack | NotifyJackpot]:
    """What the staff of the table should do now, as their steps, in order."""
    dealer = Staff(Position.DEALER)
    if _has(state, Duty.NEW_PACK) and state.stage.is_over and state.memory.new_pack_due:
        yield NewPack(by=dealer)
    if _has(state, Duty.INFORM_ONE_VIEW) and state.stage in _BEFORE_THE_DEAL:
        told: set[str] = set()
        for box in _boxes(state):
            if box.player not in told and _to_inform(state, box):
                told.add(box.player)
                yield InformPlayer(by=dealer, position=box.position)
    if _has(state, Duty.OFFER_JACKPOT) and state.boxes and _not_to_offer(state) is None:
        yield OfferJackpot(by=dealer)
    if _has(state, Duty.LEAVE_JACKPOT_HAND):
        for box in _boxes(state):
            if _not_to_leave(state, box) is None and _is_jackpot_hand(state, box):
                yield NotifyJackpot(by=Staff(Position.DEALER, for_player=box.player), position=box.position)


def inform(state: State, command: InformPlayer, by: Staff) -> Outcome:
    """A player of several hands hears that one of them may be viewed."""
    rule = state.plan.duty(Duty.INFORM_ONE_VIEW)
    if rule is None:
        return _no_such_duty("inform", state.plan.book.round.several_hands_clauses)
    if state.stage.is_over:
        return refuse("not-due", "No round is in play, so no player waits to be informed.", rule.clauses)
    box = state.boxes.get(command.position)
    if box is None:
        return refuse("not-due", "Position {position} has no wager.", rule.clauses, position=command.position)
    if box.removal is not None:
        return refuse(
            "hand-over",
            "The hand at position {position} is out of the round.",
            box.removal.clauses,
            position=command.position,
        )
    if not has_hand(state.plan, box):
        return refuse(
            "not-due",
            "Position {position} has a jackpot bet alone, and no hand to view.",
            rule.clauses,
            position=command.position,
        )
    if _done(state, Duty.INFORM_ONE_VIEW, box.player):
        return refuse("done-already", "{player} is informed already.", rule.clauses, player=box.player)
    if len(_hands_of(state, box.player)) < 2:
        return refuse("not-due", "{player} plays one hand, and may view it.", rule.clauses, player=box.player)
    if not _to_inform(state, box):
        return refuse("late", "{player} has viewed a hand already.", rule.clauses, player=box.player)
    return (_duty_done(by, rule, player=box.player, positions=_hands_of(state, box.player)),)


def offer_jackpot(state: State, command: OfferJackpot, by: Staff) -> Outcome:
    """The players hear that they may place the jackpot wager."""
    rule = state.plan.duty(Duty.OFFER_JACKPOT)
    if rule is None:
        return _no_jackpot_duty(state, "offer jackpot")
    refusal = _not_to_offer(state)
    if refusal is not None:
        return refusal
    return (_duty_done(by, rule, positions=tuple(sorted(state.boxes))),)


def new_pack(state: State, command: NewPack, by: Staff) -> Outcome:
    """The cards are removed from the table, and a new pack is put into play."""
    rule = state.plan.duty(Duty.NEW_PACK)
    if rule is None:
        return _no_such_duty("new pack", state.plan.book.deck.clauses)
    if not state.stage.is_over:
        return refuse("not-due", "A round is in play; its cards stay until it is concluded.", rule.clauses)
    if not state.memory.new_pack_due:
        numbers = ", ".join(rule.after_clauses)
        return refuse(
            "not-due",
            "No new pack is due: the last round was not void by {clauses_of}.",
            rule.clauses,
            rule.after_clauses,
            clauses_of=numbers,
        )
    return (_duty_done(by, rule),)


def notify_jackpot(state: State, command: NotifyJackpot, player: str) -> Outcome:
    """The player of a jackpot hand notifies the dealer; the cards are left face up."""
    rule = state.plan.duty(Duty.LEAVE_JACKPOT_HAND)
    if rule is None:
        return _no_jackpot_duty(state, "notify")
    box = state.boxes.get(command.position)
    if box is None or box.removal is not None or not has_hand(state.plan, box):
        return no_hand_there(state, command.position, rule.clauses)
    if box.player != player:
        return refuse(
            "not-your-decision",
            "The hand at position {position} is {player}'s.",
            state.plan.book.refusals.not_your_decision,
            position=command.position,
            player=box.player,
        )
    refusal = _not_to_leave(state, box)
    if refusal is not None:
        return refusal
    if _known(state, box) and not _is_jackpot_hand(state, box):
        text = f"The hand at position {command.position} is not one that the jackpot pays."
        assert state.plan.jackpot is not None
        pays = state.plan.wager(state.plan.jackpot.wager).pays
        return refuse("not-a-jackpot-hand", text, rule.clauses, pays.clauses)
    return (JackpotHandLeft(position=box.position, clauses=_refs(rule)),)


# --- what is due ----------------------------------------------------------------------------------------


def _has(state: State, duty: Duty) -> bool:
    return state.plan.duty(duty) is not None


def _boxes(state: State) -> list[Box]:
    return [box for _, box in sorted(state.boxes.items())]


def _hands_of(state: State, player: str) -> tuple[int, ...]:
    """The positions at which a player has, or will have, a hand to view."""
    return tuple(
        box.position
        for box in _boxes(state)
        if box.player == player and box.removal is None and has_hand(state.plan, box)
    )


def _to_inform(state: State, box: Box) -> bool:
    hands = _hands_of(state, box.player)
    informed = _done(state, Duty.INFORM_ONE_VIEW, box.player)
    return len(hands) > 1 and not informed and not any(state.boxes[n].viewed for n in hands)


def _not_to_offer(state: State) -> Refusal | None:
    rule = state.plan.duty(Duty.OFFER_JACKPOT)
    clauses = () if rule is None else rule.clauses
    if state.terms.jackpot is None:
        return refuse("no-jackpot", "This table has no jackpot.", clauses)
    if state.stage is not Stage.BETTING:
        return refuse("not-due", "The jackpot is offered while bets are open.", clauses)
    if state.memory.jackpot_suspended or state.memory.jackpot_stopped:
        return refuse("not-due", "No jackpot bets are taken now.", clauses)
    if _done(state, Duty.OFFER_JACKPOT):
        return refuse("done-already", "The jackpot is offered in this round already.", clauses)
    return None


def _not_to_leave(state: State, box: Box) -> Refusal | None:
    """Whether a hand is not one that can claim the jackpot now: a stake on it, and nothing left to decide."""
    rule, policy = state.plan.duty(Duty.LEAVE_JACKPOT_HAND), state.plan.jackpot
    clauses = () if rule is None else rule.clauses
    if policy is None or state.terms.jackpot is None or not box.stake(policy.wager):
        return refuse(
            "not-due", "No jackpot bet lies at position {position}.", clauses, position=box.position
        )
    if state.stage is not Stage.PLAYING:
        return refuse("not-due", "Hands are left face up before the settlement.", clauses)
    if box.removal is not None or box.fate is Fate.INVALID_BY_ABSENCE:
        return refuse(
            "hand-over",
            "The hand at position {position} is out of the round.",
            clauses,
            position=box.position,
        )
    if box.position in state.exposed:
        return refuse(
            "done-already", "The hand at position {position} lies face up.", clauses, position=box.position
        )
    if box.fate is Fate.DECLINED and not box.established:
        return refuse(
            "not-exposed",
            "The hand at position {position} is not exposed; its player establishes it first.",
            clauses,
            position=box.position,
        )
    parts = [p for p in state.plan.wager(policy.wager).pays.hand.places if p in state.plan.parts]
    steps = state.terms.procedure.steps[state.step :]
    ahead = [d for d in state.plan.decisions if d.name in {step.decide for step in steps}]
    if any(part not in state.revealed for part in parts) or any(undecided(state, d) for d in ahead):
        text = "A hand is left face up when its cards are known and every player has decided."
        return refuse("early", text, clauses)
    return None


def _seat(state: State, box: Box) -> Seat:
    return next(seat for seat in round_facts(state).seats if seat.position == box.position)


def _known(state: State, box: Box) -> bool:
    """Whether every card of a jackpot hand is known."""
    assert state.plan.jackpot is not None
    facts, seat = round_facts(state), _seat(state, box)
    places = state.plan.wager(state.plan.jackpot.wager).pays.hand.places
    return all(lies_there(state.plan, facts, seat, place) for place in places)


def _is_jackpot_hand(state: State, box: Box) -> bool:
    assert state.plan.jackpot is not None
    if not _known(state, box):
        return False
    wager = state.plan.wager(state.plan.jackpot.wager)
    if box.fate in (Fate.FOLDED, Fate.FOLDED_BY_ABSENCE) and _lost_by_fold(state):
        return False
    return class_key(state.plan, round_facts(state), _seat(state, box), wager.pays.hand) in wager.pays.rows


def _lost_by_fold(state: State) -> bool:
    assert state.plan.jackpot is not None
    cell = state.plan.wager(state.plan.jackpot.wager).settlement.get(Situation.FOLDED)
    return cell is not None and cell.then is not Action.PAY


# --- what is recorded -----------------------------------------------------------------------------------


def _no_jackpot_duty(state: State, step: str) -> Refusal:
    policy = state.plan.jackpot
    if policy is None:
        return refuse("no-jackpot", "This game has no jackpot.", state.plan.wagers[0].clauses)
    return _no_such_duty(step, state.plan.wager(policy.wager).clauses)


def _no_such_duty(step: str, clauses: tuple[str, ...]) -> Refusal:
    return refuse("no-such-duty", "This book knows no step '{step}'.", clauses, step=step)


def _done(state: State, duty: Duty, player: str = "") -> bool:
    return duty_key(duty, player) in state.duties_done


def _refs(rule: DutyRule) -> tuple[ClauseRef, ...]:
    return tuple(ClauseRef(number) for number in rule.clauses)


def _duty_done(by: Staff, rule: DutyRule, *, player: str = "", positions: tuple[int, ...] = ()) -> DutyDone:
    return DutyDone(duty=rule.duty, player=player, positions=positions, by=by.position, clauses=_refs(rule))
