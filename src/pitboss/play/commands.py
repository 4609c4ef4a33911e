"""The one vocabulary of what people do at a table. Scenarios, services and screens speak it and no other.

Every command says who acts. Staff may act for a player (`for_player`), who remains the owner of what is done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pitboss import fields as f
from pitboss.cards import Card
from pitboss.money import Cents
from pitboss.play.encoding import later
from pitboss.play.events import MeterRead
from pitboss.play.table import JackpotTerms
from pitboss.rulebooks.trouble import ExposedAt, ExposedBy, Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position


@dataclass(frozen=True, slots=True)
class Staff:
    """Somebody of the house, by position. `for_player` is the player at whose request the act is done."""

    position: Position
    for_player: str | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A player, by name."""

    name: str


Actor = Staff | Player
By = Annotated[Actor, f.ADDED]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBets:
    """Announces "Place your bets": a round commences.

    The floor tells the gaming day, and the terms of the link where they are not those of the round before.
    """

    by: By
    gaming_day: Annotated[str, f.ADDED] = ""
    jackpot: Annotated[JackpotTerms | None, f.ADDED] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceWager:
    """Puts chips on an area before the deal. The floor tells who is `seated` there."""

    by: By
    position: f.Seat
    wager: f.WagerName
    amount: Cents
    seated: Annotated[str, f.ADDED] = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnoticedWager:
    """Staff enter chips that lay on an area when bets closed, and that nobody had noticed.

    `approved_by` is the second person who signs for it on the floor, once cards are dealt.
    """

    by: By
    position: f.Seat
    wager: f.WagerName
    amount: Cents
    approved_by: f.SecondPerson = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawWager:
    """Takes a wager back while bets are open."""

    by: By
    position: f.Seat
    wager: f.WagerName


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBets:
    """Announces "No more bets"."""

    by: By


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Deals as far as the procedure goes before a decision. `cards` are next in the device, in order.

    At a physical table nobody knows them; they lie face down until they are entered.
    """

    by: By
    cards: Annotated[tuple[Card, ...] | None, f.ADDED] = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterCard:
    """A card of a physical table, scanned or exposed: at a position, at `dealer`, or at a community part."""

    by: By
    place: f.Place
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectCard:
    """A card of a physical table was entered wrongly: the card that lies there, by its number at the place.

    Without a card the entry is taken back, and the place waits for it again.
    """

    by: By
    place: f.Place
    number: Annotated[int, f.Help("The card at the place, counted from 1.")]
    card: Card | None = None
    reason: f.Reason = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """What was recorded last of a hand was recorded wrongly: it is as if it had not been."""

    by: By
    position: f.Seat
    reason: f.Reason = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewHand:
    """Looks at the cards of a position."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class HandleHand:
    """Touches the cards without looking."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Gives a hand up."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """Places the wager of the decision now outstanding; without an amount, of the prescribed size."""

    by: By
    position: f.Seat
    wager: f.WagerName
    amount: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Passes a bet that is optional."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue:
    """Stays in with a hand that has no Ante."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Will not expose the cards for comparison."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Establish:
    """Establishes a hand that was not exposed, for what may still be won with it."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAbsent:
    """Records that nobody is there to make the decision now outstanding."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Turns over a place, first burning and dealing what the procedure has not dealt yet."""

    by: By
    place: f.Place
    cards: Annotated[tuple[Card, ...] | None, f.ADDED] = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtHand:
    """Staff look at a hand that was not exposed."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class InformPlayer:
    """Informs the player of a position, who has several hands, that one of them may be viewed."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferJackpot:
    """Offers the players the jackpot wager."""

    by: By


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPack:
    """Removes the cards from the table and puts a new pack into play."""

    by: By


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifyJackpot:
    """Notifies the dealer of a hand that the jackpot pays; its cards are left face up."""

    by: By
    position: f.Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Settles the round. `fixed` is what a link has fixed for the shares of its meter that were claimed."""

    by: By
    fixed: Annotated[MeterRead | None, f.ADDED] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A ruling, with its argument where it has one: a player's name, a position's number, cards in order.

    `approved_by` is the second person of the house, where the ruling takes one.
    """

    by: By
    ruling: Annotated[Ruling, f.Help("A ruling.")]
    argument: Annotated[str, f.Help("Whom or what it is about.")] = ""
    approved_by: f.SecondPerson = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftOrder:
    """Takes back an order that lasted: restrict, bar, block, close-table, suspend-jackpot."""

    by: By
    order: Annotated[Ruling, f.Help("An order that lasts.")]
    argument: Annotated[str, f.Help("Whom or what it is about.")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Staff report an irregularity: which hands it is about, how many cards, and what was found.

    `what` says it in words. A finding that nobody has made is None. `seats` are those affected, where the
    book asks who is; none are all. Without `exposed_by` the dealer exposed a card; without `exposed_at` it is
    as far as the deal has come. `approved_by` is the second person of the house, where the report takes one.
    `of_link` is the link that the floor reports to be out of order; the link then keeps jackpot bets away.
    """

    by: By
    kind: Annotated[Irregularity, f.Help("A kind of irregularity.")]
    positions: tuple[int, ...] = ()
    count: Annotated[int, f.Help("How many cards.")] = 0
    reconstructable: Annotated[bool | None, f.Help("Whether the cards can be put back in order.")] = None
    intentional: Annotated[bool | None, f.Help("Whether it was done on purpose.")] = None
    what: Annotated[str, f.Help("What happened, in words.")] = ""
    seats: tuple[int, ...] = later(())
    exposed_by: Annotated[ExposedBy | None, f.WrittenAs("by"), f.Help("Who exposed the card.")] = later(None)
    exposed_at: Annotated[ExposedAt | None, f.WrittenAs("at"), f.Help("When it was exposed.")] = later(None)
    approved_by: f.SecondPerson = later("")
    of_link: Annotated[str, f.ADDED] = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOption:
    """A player who may leave the round says whether he stays."""

    by: By
    position: f.Seat
    stay: Annotated[bool, f.Help("Whether the player stays in.")]


Command = (
    OpenBets
    | PlaceWager
    | UnnoticedWager
    | WithdrawWager
    | CloseBets
    | Deal
    | EnterCard
    | CorrectCard
    | TakeBack
    | ViewHand
    | HandleHand
    | Fold
    | Bet
    | Check
    | Continue
    | Decline
    | Establish
    | MarkAbsent
    | Reveal
    | LookAtHand
    | InformPlayer
    | OfferJackpot
    | NewPack
    | NotifyJackpot
    | Settle
    | Report
    | TakeOption
    | Rule
    | LiftOrder
)
