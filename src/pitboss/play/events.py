"""What happened at a table: the record. A round is the fold of its events, and nothing else is kept.

Names in files come from `codec`, never from these classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.cards import Card
from pitboss.money import NO_UNITS, Cents, LedgerUnits
from pitboss.play.encoding import later
from pitboss.play.settlement import Settlement
from pitboss.play.table import Authority, AwardedHand, ClaimedHand, Suspension
from pitboss.rulebooks.plan import Clauses
from pitboss.rulebooks.trouble import Irregularity, Mode, Remedy, Ruling
from pitboss.rulebooks.vocabulary import Duty, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsOpened:
    """Bets are open: a round has commenced."""

    round_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPlaced:
    """Chips of one player on an area, before the deal or at a decision.

    With `seated` they are of the player who sits there and comes after others: the hand is theirs now.
    """

    position: int
    player: str
    wager: str
    amount: Cents
    seated: bool = later(default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcessRejected:
    """What of a wager was over the maximum went back before bets closed; the rest was placed with it."""

    position: int
    player: str
    wager: str
    amount: Cents
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnoticedWagerEntered:
    """Chips that lay on an area unnoticed when bets closed, entered by `by`, and who signed for it besides.

    `contribution` went to the meter with them, as it would have at the close.
    """

    position: int
    player: str
    wager: str
    amount: Cents
    contribution: LedgerUnits
    by: Position
    approved_by: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerWithdrawn:
    """Chips of one player are back in his rack."""

    position: int
    player: str
    wager: str
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsClosed:
    """No more bets; `contribution` went to the meter with it."""

    contribution: LedgerUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt:
    """Cards on the layout, face down. `cards` is None where nobody knows them yet."""

    place: str
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsBurned:
    """Cards put away unseen; None where nobody knows them."""

    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDiscarded:
    """A dealt card that is burned after all, by its number at the place."""

    place: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTurnedUp:
    """A card lies face up before its place is revealed."""

    place: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """The procedure has come to this step."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardEntered:
    """Somebody has entered a card that lies on a physical table."""

    place: str
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCorrected:
    """An entry was wrong: `right` lies there, or where it is None the place waits for its card again."""

    place: str
    number: int
    wrong: Card
    right: Card | None
    by: Position
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandViewed:
    """A player has looked at a hand."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHandled:
    """A player has touched a hand without looking."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade:
    """A choice at a decision: `bet`, `check`, `fold` or `continue`."""

    position: int
    decision: str
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareFolded:
    """A co-owner who cannot go along folds: what he has on these wagers is collected."""

    position: int
    player: str
    stakes: Mapping[str, Cents]
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAbsent:
    """A decision made by absence, and what the book makes of it."""

    position: int
    decision: str
    consequence: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceRecorded:
    """Nobody is there, and nothing is left to decide: the hand is settled as it stands."""

    position: int
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDeclined:
    """A player does not expose his cards."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionTakenBack:
    """A choice was recorded wrongly: the hand has to choose again. Its wager was withdrawn before.

    `laid_again` are shares of owners that were collected with the choice, by owner and wager.
    """

    position: int
    decision: str
    choice: str
    laid_again: Mapping[str, Mapping[str, Cents]]
    by: Position
    reason: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEstablished:
    """A player has established a hand that he did not expose."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLookedAt:
    """Somebody with the authority has looked at a hand that was not exposed."""

    position: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRevealed:
    """A place lies open, and the procedure has come to `step`."""

    place: str
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettled:
    """Every line, the meter and what each player takes off the layout: stakes returned and payments.

    `warned` have no stake under the minimum settled any more. `paid_once` and `collected_once` had one paid,
    or collected, by this settlement, where the book counts the two apart.
    """

    settlement: Settlement
    payouts: Mapping[str, Cents]
    exposed: tuple[int, ...]
    warned: tuple[str, ...]
    paid_once: tuple[str, ...] = later(())
    collected_once: tuple[str, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided:
    """Every stake goes back and the contribution comes out again."""

    settlement: Settlement
    payouts: Mapping[str, Cents]
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityReported:
    """What was reported by whom, and what the book does; `exposed` cards add to the round's count.

    `approved_by` is the second person who signed the report, where it took one.
    """

    kind: Irregularity
    what: str
    positions: tuple[int, ...]
    by: Position
    mode: Mode
    remedy: Remedy
    exposed: int
    clauses: Clauses
    approved_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSuspended:
    """Play waits for a ruling."""

    suspension: Suspension


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingGiven:
    """Somebody with the authority has ruled; a suspension ends with it. `what` is the matter ruled on.

    `approved_by` is the second person of the house, where the ruling takes one.
    """

    ruling: Ruling
    argument: str
    by: Position
    what: str
    clauses: Clauses
    followups: Mapping[str, Authority]
    approved_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReconstructed:
    """Every card lies where the procedure puts it."""

    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCleared:
    """Cards of a physical table that were put in order are entered again; those that lie open stay.

    With `places` the cards of these are entered again, whether they lie open or not, and no others.
    """

    clauses: Clauses
    places: tuple[str, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMoved:
    """What lies at a place, by its index there, or among the burned cards, after a ruling."""

    place: str
    number: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsOrdered:
    """The order of cards drawn together, and what lies elsewhere by it."""

    cards: tuple[Card, ...]
    moved: tuple[CardMoved, ...]
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRemoved:
    """A hand is out and its stakes are back with their owners, forfeited shares too if `forfeited_too`.

    `contribution` came off the meter with them. `followups` are rulings that may be given because of it.
    """

    position: int
    forfeited_too: bool
    contribution: LedgerUnits
    clauses: Clauses
    followups: Mapping[str, Authority]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareReturned:
    """What one owner has on another's position goes back to him; the hand plays on."""

    position: int
    player: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsOffered:
    """Each of these hands has to say whether it stays. One that leaves does so by `leaving_clauses`."""

    positions: tuple[int, ...]
    all_hands: bool
    clauses: Clauses
    leaving_clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalPermitted:
    """A player may take back the stakes of his hand."""

    position: int
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTaken:
    """A hand stays or leaves; `absent` if nobody was there to say so."""

    position: int
    stays: bool
    absent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementReversed:
    """A settlement is undone: what players took off the layout comes back, awards and warnings with it."""

    payouts: Mapping[str, Cents]
    warned: tuple[str, ...]
    clauses: Clauses
    paid_once: tuple[str, ...] = later(())
    collected_once: tuple[str, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingOrder:
    """A ruling that lasts beyond the round: restrict, bar, block, close-table, suspend-jackpot.

    `approved_by` is the second person of the house, where the ruling takes one.
    """

    order: Ruling
    argument: str
    by: Position
    clauses: Clauses
    approved_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLifted:
    """An order that lasted is taken back."""

    order: Ruling
    argument: str
    by: Position
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotBetsStopped:
    """The jackpot failed: no jackpot bets until the House has ruled how the table goes on."""

    by: Position
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyDone:
    """Staff have done what the book asks of them: for a player and positions, where it is about some."""

    duty: Duty
    player: str
    positions: tuple[int, ...]
    by: Position
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotHandLeft:
    """The player of a jackpot hand has notified the dealer; the cards are left face up."""

    position: int
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDayBegun:
    """The first round of a gaming day: warnings of the day before are forgotten."""

    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotTermsSet:
    """The link's terms as they stand from this round on."""

    unit: Cents
    reset: Cents
    increment_bp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RackChanged:
    """Chips come to a player's rack from outside the round, or leave it; an empty rack is taken away."""

    player: str
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotClaimed:
    """Hands have won shares of a linked meter; the round waits until they are verified and it is fixed.

    `returned` is what stakes had added that go back and that no share is measured on; `others` are hands with
    fixed awards that the meter pays. Both depend on how the book is read.
    """

    hands: tuple[ClaimedHand, ...]
    clauses: Clauses
    returned: LedgerUnits = later(NO_UNITS)
    others: tuple[AwardedHand, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotClaimDropped:
    """A claim was not upheld, or is not made any more."""

    reason: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterRead:
    """The linked meter as it is displayed, and what it is reset to; shares are paid on the last one read.

    `unmeasured` of it no share is measured on.
    """

    meter: LedgerUnits
    reset: Cents
    unmeasured: LedgerUnits = later(NO_UNITS)


Event = (
    BetsOpened
    | WagerPlaced
    | ExcessRejected
    | UnnoticedWagerEntered
    | WagerWithdrawn
    | BetsClosed
    | CardsDealt
    | CardsBurned
    | CardDiscarded
    | CardTurnedUp
    | StepDone
    | CardEntered
    | CardCorrected
    | HandViewed
    | HandHandled
    | DecisionMade
    | ShareFolded
    | PlayerAbsent
    | AbsenceRecorded
    | ComparisonDeclined
    | DecisionTakenBack
    | HandEstablished
    | HandLookedAt
    | PlaceRevealed
    | RoundSettled
    | RoundVoided
    | IrregularityReported
    | RoundSuspended
    | RulingGiven
    | CardsReconstructed
    | EntriesCleared
    | CardsOrdered
    | HandRemoved
    | ShareReturned
    | OptionsOffered
    | WithdrawalPermitted
    | OptionTaken
    | SettlementReversed
    | StandingOrder
    | OrderLifted
    | JackpotBetsStopped
    | DutyDone
    | JackpotHandLeft
    | GamingDayBegun
    | JackpotTermsSet
    | RackChanged
    | JackpotClaimed
    | JackpotClaimDropped
    | MeterRead
)
