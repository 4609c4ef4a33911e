"""What players do with their hands: view, fold, bet, check, continue, decline, establish; and absence."""

from __future__ import annotations

from types import MappingProxyType

from pitboss.money import Cents, format_cents
from pitboss.play.acceptance import pro_rata
from pitboss.play.betting import find_wager, lacks_chips, power_clauses
from pitboss.play.commands import (
    Bet,
    Check,
    Continue,
    Decline,
    Establish,
    Fold,
    HandleHand,
    LookAtHand,
    MarkAbsent,
    Staff,
    ViewHand,
)
from pitboss.play.dealing import has_hand, no_hand_there, outstanding
from pitboss.play.events import (
    AbsenceRecorded,
    ComparisonDeclined,
    DecisionMade,
    HandEstablished,
    HandHandled,
    HandLookedAt,
    HandViewed,
    PlayerAbsent,
    ShareFolded,
    WagerPlaced,
)
from pitboss.play.refusal import Outcome, Refusal, refuse
from pitboss.play.table import Box, Fate, Stage, State, duty_key
from pitboss.rulebooks.book import Decision
from pitboss.rulebooks.plan import ClauseRef, Wager, WagerName
from pitboss.rulebooks.vocabulary import Absence, AbsentWithout, Action, Duty, Placing, Power, Situation


def view(state: State, command: ViewHand, player: str) -> Outcome:
    """A player looks at a hand: one of his, once."""
    box = _hand(state, command.position, player)
    if isinstance(box, Refusal):
        return box
    several = state.plan.book.round.several_hands_clauses
    seen = [other.position for other in state.boxes.values() if other.player == player and other.viewed]
    if seen:
        return refuse(
            "second-view",
            "{player} has viewed his one hand, position {position}.",
            several,
            player=player,
            position=seen[0],
        )
    return (HandViewed(position=box.position),)


def handle(state: State, command: HandleHand, player: str) -> Outcome:
    """A player touches his cards without looking."""
    box = _hand(state, command.position, player)
    return box if isinstance(box, Refusal) else (HandHandled(position=box.position),)


def fold(state: State, command: Fold, player: str) -> Outcome:
    """A player gives the hand up, where the decision lets him."""
    found = _decision(state, command.position, player)
    if isinstance(found, Refusal):
        return found
    box, decision = found
    if decision.otherwise != "fold":
        return refuse("no-fold", "The hand is in to the end: bet or check.", decision.clauses)
    return (DecisionMade(position=box.position, decision=decision.name, choice="fold"),)


def check_decision(state: State, command: Check, player: str) -> Outcome:
    """A player passes a further wager, where the decision lets him."""
    found = _decision(state, command.position, player)
    if isinstance(found, Refusal):
        return found
    box, decision = found
    if decision.otherwise != "check":
        return refuse("no-check", "Fold, or place the {bet} wager.", decision.clauses, bet=decision.bet)
    return (DecisionMade(position=box.position, decision=decision.name, choice="check"),)


def continue_hand(state: State, command: Continue, player: str) -> Outcome:
    """A hand without the Ante goes on; it has nothing to decide but that its cards stay."""
    box = _hand(state, command.position, player)
    if isinstance(box, Refusal):
        return box
    decision = outstanding(state)
    if decision is None or decision.without is None or box.stake(decision.needs):
        first = decision or state.plan.decisions[0]
        return refuse("not-your-decision", "A hand with an Ante folds or wagers.", first.clauses)
    if decision.name in box.choices:
        return refuse("decided-already", "The hand goes on already.", decision.without_clauses)
    return (DecisionMade(position=box.position, decision=decision.name, choice="continue"),)


def bet(state: State, command: Bet, player: str) -> Outcome:
    """The wager of the decision now outstanding, by all its owners in proportion."""
    wager = find_wager(state, command.wager)
    if wager is None or wager.of is None:
        return refuse("no-such-area", "There is no {wager} to bet after the deal.", wager=command.wager)
    found = _decision(state, command.position, player)
    if isinstance(found, Refusal):
        return found
    box, decision = found
    if decision.bet != wager.name:
        late = wager.placed in box.choices
        return refuse(
            "late" if late else "early",
            "The decision now is the {decision}, not the {wager}.",
            wager.clauses,
            decision=decision.name,
            wager=wager.name,
        )
    short = _cannot_go_along(state, box, wager)
    folding = short if decision.otherwise == "fold" else []
    owners = {name: share for name, share in box.stakes[wager.of].items() if name not in short}
    prescribed = Cents(wager.times * sum(owners.values()))
    amount = prescribed if command.amount is None else command.amount
    refusal = _wrong_size(state, wager, amount, prescribed)
    if refusal is not None:
        return refusal
    shares = pro_rata(amount, owners, first=box.player)
    for owner, share in shares.items():
        refusal = lacks_chips(state, owner, share)
        if refusal is not None:
            return refusal
    folded = [_share_folds(state, box, owner, decision) for owner in folding]
    placed = [
        WagerPlaced(position=box.position, player=owner, wager=wager.name, amount=share)
        for owner, share in shares.items()
        if share
    ]
    return (*folded, *placed, DecisionMade(position=box.position, decision=decision.name, choice="bet"))


def _cannot_go_along(state: State, box: Box, wager: Wager) -> list[str]:
    """Co-owners without the chips for their part: their shares fold, or where nobody can fold stay out."""
    if wager.of is None:
        return []
    shares = {owner: share for owner, share in box.stakes[wager.of].items() if owner != box.player}
    return [owner for owner, share in shares.items() if state.racks[owner] < wager.times * share]


def _share_folds(state: State, box: Box, owner: str, decision: Decision) -> ShareFolded:
    """What a fold takes of one owner: his part of every wager that a folded hand loses."""
    lost: dict[str, Cents] = {}
    for wager in state.plan.wagers:
        cell = wager.settlement.get(Situation.FOLDED)
        share = box.stakes.get(wager.name, {}).get(owner)
        if share is not None and cell is not None and cell.then is Action.COLLECT:
            lost[wager.name] = share
    clauses = (*state.plan.limits.pooling.clauses, *decision.otherwise_clauses)
    refs = tuple(ClauseRef(number) for number in clauses)
    return ShareFolded(position=box.position, player=owner, stakes=MappingProxyType(lost), clauses=refs)


def _wrong_size(state: State, wager: Wager, amount: Cents, prescribed: Cents) -> Refusal | None:
    if amount <= 0:
        return refuse("no-amount", "A wager is more than nothing.", wager.clauses)
    if amount != prescribed and state.plan.limits.wrong_size.placing is Placing.REFUSED:
        size = f"{wager.times} x {wager.of}, {format_cents(prescribed)}"
        return refuse("wrong-size", "The {area} is {size}.", wager.clauses, area=wager.area, size=size)
    return None


def absent(state: State, command: MarkAbsent) -> Outcome:
    """Nobody is there for the one decision outstanding at a position: the book says what becomes of it.

    Where no decision is left to make, the hand is settled as it stands.
    """
    box = state.boxes.get(command.position)
    policy, due = state.plan.absence, outstanding(state)
    if box is not None and box.fate is Fate.IN_PLAY and has_hand(state.plan, box):
        if state.stage is Stage.PLAYING and due is None:
            clauses = policy.settled_clauses or state.plan.comparison.clauses
            return (AbsenceRecorded(position=command.position, clauses=clauses),)
        lacks = due is not None and due.without is not None and not box.stake(due.needs)
        if due is not None and lacks and policy.without is AbsentWithout.INVALID:
            return _invalid_without(state, box, due)
        if due is not None and lacks:
            numbers = (*due.without_clauses, *policy.clauses[due.name])
            refs = tuple(ClauseRef(number) for number in numbers)
            return (AbsenceRecorded(position=command.position, clauses=refs),)
    found = _decision(state, command.position, box.player if box is not None else "")
    if isinstance(found, Refusal):
        return found
    box, decision = found
    return (
        PlayerAbsent(
            position=box.position,
            decision=decision.name,
            consequence=policy.consequences[decision.name].value,
            clauses=policy.clauses[decision.name],
        ),
    )


def _invalid_without(state: State, box: Box, decision: Decision) -> Outcome:
    """A hand without the wager of the decision becomes invalid, unless its player was there to continue."""
    if decision.name in box.choices:
        return refuse("decided-already", "The hand goes on already.", decision.without_clauses)
    return (
        PlayerAbsent(
            position=box.position,
            decision=decision.name,
            consequence=Absence.INVALID.value,
            clauses=state.plan.absence.clauses[decision.name],
        ),
    )


def decline(state: State, command: Decline, player: str) -> Outcome:
    """A player will not expose his cards, once the dealer's lie open."""
    box = _hand(state, command.position, player)
    if isinstance(box, Refusal):
        return box
    clauses = declined_clauses(state)
    if box.fate is not Fate.IN_PLAY:
        return refuse("hand-over", "The hand is out of play.", _out_by(state, box))
    if _lies_open(state, box.position):
        left = state.plan.duty(Duty.LEAVE_JACKPOT_HAND)
        return refuse(
            "lies-open",
            "The hand at position {position} lies face up; it is compared as it lies.",
            clauses,
            () if left is None else left.clauses,
            position=box.position,
        )
    if state.step < len(state.terms.procedure.steps):
        return refuse("early", "Hands are compared when every card is revealed.", clauses)
    several = sum(other.player == player for other in state.boxes.values()) > 1
    if several and not box.viewed:
        return refuse("blind", "The dealer exposes a hand that was played blind.", clauses)
    return (ComparisonDeclined(position=box.position),)


def _lies_open(state: State, position: int) -> bool:
    """Whether the cards of a position were left face up: a hand that all have seen is not hidden again."""
    return duty_key(Duty.LEAVE_JACKPOT_HAND, str(position)) in state.duties_done


def establish(state: State, command: Establish, player: str) -> Outcome:
    """A player who did not expose establishes his hand, where the book lets him win something by it."""
    box = _hand(state, command.position, player)
    if isinstance(box, Refusal):
        return box
    clauses = declined_clauses(state)
    cells = [wager.settlement for wager in state.plan.wagers]
    if all(cell[Situation.ESTABLISHED] == cell[Situation.DECLINED] for cell in cells):
        return refuse("no-establishing", "A hand that was not exposed is settled.", clauses)
    if box.fate is not Fate.DECLINED:
        return refuse("not-declined", "The hand is exposed for comparison.", clauses)
    if box.established:
        return refuse("established-already", "The hand is established.", clauses)
    return (HandEstablished(position=box.position),)


def look(state: State, command: LookAtHand, by: Staff) -> Outcome:
    """Staff look at a hand that was not exposed; whoever may is checked before."""
    box = state.boxes.get(command.position)
    clauses = power_clauses(state, Power.LOOK_AT_HAND)
    if box is None or box.fate is not Fate.DECLINED or state.stage is not Stage.PLAYING:
        hidden = sorted(box.position for box in state.boxes.values() if box.fate is Fate.DECLINED)
        where = f"those lie at {', '.join(map(str, hidden))}" if hidden else "no player has declined"
        text = f"Staff look at hands that their players declined to expose; {where}."
        return refuse("nothing-hidden", text, clauses)
    return (HandLookedAt(position=box.position, by=by.position.value),)


def _hand(state: State, position: int, player: str) -> Box | Refusal:
    """A player's own hand on the layout."""
    refusals = state.plan.book.refusals
    if state.stage is not Stage.PLAYING:
        text = "The round is over." if state.stage.is_over else "The cards are not dealt yet."
        return refuse("late" if state.stage.is_over else "early", text, state.terms.procedure.clauses)
    box = state.boxes.get(position)
    if box is not None and box.removal is not None:
        return refuse(
            "hand-over",
            "The hand at position {position} is out of the round.",
            box.removal.clauses,
            position=position,
        )
    if box is None or not has_hand(state.plan, box):
        return no_hand_there(state, position, refusals.not_your_decision)
    if box.player != player:
        return refuse(
            "not-your-decision",
            "The hand at position {position} is {player}'s.",
            refusals.not_your_decision,
            position=position,
            player=box.player,
        )
    return box


def _decision(state: State, position: int, player: str) -> tuple[Box, Decision] | Refusal:
    """A hand and the decision it has to make now."""
    box = _hand(state, position, player)
    if isinstance(box, Refusal):
        return box
    decision = outstanding(state)
    if box.fate is not Fate.IN_PLAY:
        return refuse("hand-over", "The hand is out of play.", _out_by(state, box))
    if decision is None:
        last = state.plan.decisions[-1]
        return refuse("nothing-to-decide", "No decision is outstanding.", last.clauses)
    if not box.stake(decision.needs):
        clauses = decision.without_clauses or decision.clauses
        return refuse(
            "no-ante", "A hand without {needs} has nothing to decide.", clauses, needs=decision.needs
        )
    if decision.name in box.choices:
        return refuse(
            "decided-already",
            "The {decision} decision at position {position} is made.",
            decision.clauses,
            decision=decision.name,
            position=position,
        )
    return box, decision


def _out_by(state: State, box: Box) -> tuple[str, ...]:
    """The clauses by which a hand has nothing more to decide: of absence, of not exposing it, of folding."""
    if box.fate is Fate.DECLINED:
        return declined_clauses(state)
    last, choice = list(box.choices.items())[-1]  # a fold or an absence: nothing is decided after it
    if choice == "absent":
        return state.plan.absence.clauses[last]
    return next(d for d in state.plan.decisions if d.name == last).otherwise_clauses


def declined_clauses(state: State) -> tuple[str, ...]:
    """What the book says of a hand that is not exposed."""
    first: WagerName = state.plan.wagers[0].name
    return state.plan.wager(first).settlement[Situation.DECLINED].clauses
