"""Events in words for people at the table. Only what everybody may see is told."""

from __future__ import annotations

from typing import assert_never

from pitboss.money import Cents, floor_to_cents, format_cents
from pitboss.play import events as e
from pitboss.play.dealing import open_community, open_dealer
from pitboss.play.refusal import or_above
from pitboss.play.table import State
from pitboss.rulebooks.plan import Clauses
from pitboss.rulebooks.trouble import Mode, Ruling
from pitboss.rulebooks.vocabulary import Duty, Place, Position, meaning

Trouble = (
    e.IrregularityReported
    | e.RoundSuspended
    | e.RulingGiven
    | e.CardsReconstructed
    | e.EntriesCleared
    | e.CardsOrdered
    | e.HandRemoved
    | e.ShareReturned
    | e.OptionsOffered
    | e.WithdrawalPermitted
    | e.OptionTaken
    | e.SettlementReversed
)

House = (
    e.OrderLifted
    | e.JackpotBetsStopped
    | e.GamingDayBegun
    | e.JackpotTermsSet
    | e.RackChanged
    | e.JackpotClaimed
    | e.JackpotClaimDropped
    | e.MeterRead
)


def cited(event: e.Event) -> Clauses:
    """The clauses behind an event, where it has any of its own."""
    if isinstance(event, e.RoundSuspended):
        return event.suspension.clauses
    clauses: Clauses = getattr(event, "clauses", ())
    return clauses


def narrate_citing(state: State, event: e.Event) -> str:
    """The sentence about an event with the clauses behind it; a void round names them itself."""
    sentence, clauses = narrate(state, event), cited(event)
    if not sentence or not clauses or isinstance(event, e.RoundVoided):
        return sentence
    return f"{sentence}  [{', '.join(clauses)}]"


def narrate(state: State, event: e.Event) -> str:
    """A sentence about an event, given the state after it; empty where there is nothing to tell."""
    match event:
        case e.BetsOpened():
            return f"Round {event.round_number}: “{state.plan.book.round.opens}”"
        case e.BetsClosed():
            more = (
                f" {format_cents(floor_to_cents(event.contribution))} to the meter."
                if event.contribution
                else ""
            )
            return f"“{state.plan.book.round.closes}”{more}"
        case e.WagerPlaced():
            return f"{event.player} places {format_cents(event.amount)} on {event.wager} at {event.position}."
        case e.ExcessRejected():
            return f"{format_cents(event.amount)} of it is over the maximum and goes back to {event.player}."
        case e.UnnoticedWagerEntered():
            return _unnoticed(state, event)
        case e.DutyDone():
            return _duty(state, event)
        case e.JackpotHandLeft():
            return f"The jackpot hand at position {event.position} is left face up."
        case e.WagerWithdrawn():
            return f"{event.player} takes {format_cents(event.amount)} off {event.wager} at {event.position}."
        case e.CardsDealt():
            where = f"position {event.place}" if event.place.isdigit() else f"the {event.place}"
            return f"{event.count} to {where}."
        case e.CardsBurned():
            return "A card is burned." if event.count == 1 else f"{event.count} cards are burned."
        case e.CardDiscarded():
            return f"Card {event.number} of the {event.place} is burned."
        case e.CardTurnedUp():
            shown = " ".join(card.face for card in open_dealer(state)) or "not entered yet"
            return f"The {event.place}'s card {event.number} is turned up: {shown}."
        case e.PlaceRevealed():
            return f"The {event.place}: {_shown(state, event.place)}."
        case e.CardEntered():
            return f"A card is entered at {event.place}."
        case e.CardCorrected():
            done = "taken back" if event.right is None else "corrected"
            return f"The {_title(state, event.by)} has an entry {done}: card {event.number} at {event.place}."
        case e.HandViewed():
            return f"Position {event.position} is viewed."
        case e.HandHandled():
            return f"Position {event.position} is touched."
        case e.DecisionMade():
            return f"Position {event.position}: {event.choice} ({event.decision})."
        case e.ShareFolded():
            lost = ", ".join(f"{wager} {format_cents(share)}" for wager, share in event.stakes.items())
            return f"The share of {event.player} at position {event.position} folds: {lost}."
        case e.PlayerAbsent():
            return f"Nobody at position {event.position} for the {event.decision}: {event.consequence}."
        case e.AbsenceRecorded():
            return f"Nobody at position {event.position}; the hand is settled as it stands."
        case e.ComparisonDeclined():
            return f"Position {event.position} is not exposed."
        case e.DecisionTakenBack():
            what = f"{event.choice} ({event.decision})"
            return f"Recorded wrongly at position {event.position}: {what}. It is taken back."
        case e.HandEstablished():
            return f"Position {event.position} is established."
        case e.HandLookedAt():
            return f"The {event.by} looks at position {event.position}."
        case e.RoundSettled():
            return "The round is settled."
        case e.RoundVoided():
            return f"The round is void under {', '.join(event.clauses)}; every stake goes back."
        case e.StandingOrder():
            return f"The {_title(state, event.by)} orders: {event.order} {event.argument}".rstrip() + "."
        case e.StepDone():
            return ""
        case (
            e.OrderLifted()
            | e.JackpotBetsStopped()
            | e.GamingDayBegun()
            | e.JackpotTermsSet()
            | e.RackChanged()
            | e.JackpotClaimed()
            | e.JackpotClaimDropped()
            | e.MeterRead()
        ):
            return _house(state, event)
        case _:
            return _trouble(state, event)


def _house(state: State, event: House) -> str:
    """What comes to the table from the floor and the link, and what the house takes back."""
    match event:
        case e.OrderLifted():
            return f"The {_title(state, event.by)} lifts: {event.order} {event.argument}".rstrip() + "."
        case e.JackpotBetsStopped():
            return "No jackpot bets are taken until the House has ruled."
        case e.GamingDayBegun():
            return f"The gaming day of {event.day} begins."
        case e.JackpotTermsSet():
            return f"The jackpot is reset to {format_cents(event.reset)} from now on."
        case e.RackChanged():
            way = "to" if event.amount > 0 else "from"
            return f"{format_cents(Cents(abs(event.amount)))} {way} the rack of {event.player}."
        case e.JackpotClaimed():
            hands = ", ".join(f"{hand.hand_class.value} at {hand.position}" for hand in event.hands)
            return f"The jackpot is claimed: {hands}."
        case e.JackpotClaimDropped():
            return f"The claim is dropped: {event.reason}."
        case e.MeterRead():
            return f"The meter stands at {format_cents(floor_to_cents(event.meter))}."
        case _:
            assert_never(event)


def _unnoticed(state: State, event: e.UnnoticedWagerEntered) -> str:
    more = f" {format_cents(floor_to_cents(event.contribution))} to the meter." if event.contribution else ""
    signed = f", {event.approved_by} signs too" if event.approved_by else ""
    what = f"{format_cents(event.amount)} of {event.player} on {event.wager} at {event.position}"
    return f"The {_title(state, event.by)} enters {what}, unnoticed at the close{signed}.{more}"


def _duty(state: State, event: e.DutyDone) -> str:
    match event.duty:
        case Duty.INFORM_ONE_VIEW:
            return f"{event.player} is informed: one hand may be viewed."
        case Duty.OFFER_JACKPOT:
            return "The jackpot is offered."
        case Duty.NEW_PACK:
            return "A new pack is put into play."
        case _:
            return f"The {_title(state, event.by)}: {meaning(event.duty)}."


def _title(state: State, position: Position) -> str:
    return state.plan.book.authorities.titles[position]


def _trouble(state: State, event: Trouble) -> str:
    """Irregularities and what is done about them. The cards of a ruling on their order are not named."""
    match event:
        case e.IrregularityReported():
            done = meaning(event.remedy if event.mode is not Mode.SUSPENDED else event.mode)
            return f"The {_title(state, event.by)} reports {event.what}: {done}."
        case e.RoundSuspended():
            rulings = ", ".join(event.suspension.rulings)
            return (
                f"The round is suspended; {or_above(state.plan, event.suspension.decides)} rules: {rulings}."
            )
        case e.RulingGiven():
            argument = "" if event.ruling is Ruling.ORDER else event.argument
            return f"The {_title(state, event.by)} rules: {event.ruling} {argument}".rstrip() + "."
        case e.CardsReconstructed():
            return "The cards are put where they belong."
        case e.EntriesCleared():
            return "The cards are entered again."
        case e.CardsOrdered():
            return "The cards drawn together take the order ruled."
        case e.HandRemoved():
            return f"The hand at position {event.position} is out; its stakes go back."
        case e.ShareReturned():
            return f"The share of {event.player} at position {event.position} goes back."
        case e.OptionsOffered():
            numbers = ", ".join(str(n) for n in event.positions)
            return f"Position {numbers}: stay in, or withdraw?"
        case e.WithdrawalPermitted():
            return f"Position {event.position} may withdraw."
        case e.OptionTaken():
            why = " (nobody there)" if event.absent else ""
            return f"Position {event.position} {'stays in' if event.stays else 'withdraws'}{why}."
        case e.SettlementReversed():
            return "The settlement is reversed."
        case _:
            assert_never(event)


def _shown(state: State, place: str) -> str:
    if place == Place.DEALER:
        cards = open_dealer(state)
    elif place in state.plan.parts:
        cards = state.known.get(place, ())
    else:
        cards = open_community(state)
    return " ".join(card.face for card in cards) or "not entered yet"
