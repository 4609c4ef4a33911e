"""The one vocabulary of what people do at a table. Scenarios, services and screens speak it and no other.

Every command says who acts. Staff may act for a player (`for_player`), who remains the owner of what is done.
"""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBets:
    """Announces "Place your bets": a round commences.

    The floor tells the gaming day, and the terms of the link where they are not those of the round before.
    """

    by: Actor
    gaming_day: str = ""
    jackpot: JackpotTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceWager:
    """Puts chips on an area before the deal. The floor tells who is `seated` there."""

    by: Actor
    position: int
    wager: str
    amount: Cents
    seated: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnoticedWager:
    """Staff enter chips that lay on an area when bets closed, and that nobody had noticed.

    `approved_by` is the second person who signs for it on the floor, once cards are dealt.
    """

    by: Actor
    position: int
    wager: str
    amount: Cents
    approved_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawWager:
    """Takes a wager back while bets are open."""

    by: Actor
    position: int
    wager: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBets:
    """Announces "No more bets"."""

    by: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Deals as far as the procedure goes before a decision. `cards` are next in the device, in order.

    At a physical table nobody knows them; they lie face down until they are entered.
    """

    by: Actor
    cards: tuple[Card, ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterCard:
    """A card of a physical table, scanned or exposed: at a position, at `dealer`, or at a community part."""

    by: Actor
    place: str
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectCard:
    """A card of a physical table was entered wrongly: the card that lies there, by its number at the place.

    Without a card the entry is taken back, and the place waits for it again.
    """

    by: Actor
    place: str
    number: int
    card: Card | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """What was recorded last of a hand was recorded wrongly: it is as if it had not been."""

    by: Actor
    position: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewHand:
    """Looks at the cards of a position."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandleHand:
    """Touches the cards without looking."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Gives a hand up."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """Places the wager of the decision now outstanding; without an amount, of the prescribed size."""

    by: Actor
    position: int
    wager: str
    amount: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Passes a bet that is optional."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Continue:
    """Stays in with a hand that has no Ante."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Will not expose the cards for comparison."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Establish:
    """Establishes a hand that was not exposed, for what may still be won with it."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAbsent:
    """Records that nobody is there to make the decision now outstanding."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Turns over a place, first burning and dealing what the procedure has not dealt yet."""

    by: Actor
    place: str
    cards: tuple[Card, ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtHand:
    """Staff look at a hand that was not exposed."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InformPlayer:
    """Informs the player of a position, who has several hands, that one of them may be viewed."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferJackpot:
    """Offers the players the jackpot wager."""

    by: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPack:
    """Removes the cards from the table and puts a new pack into play."""

    by: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifyJackpot:
    """Notifies the dealer of a hand that the jackpot pays; its cards are left face up."""

    by: Actor
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Settles the round. `fixed` is what a link has fixed for the shares of its meter that were claimed."""

    by: Actor
    fixed: MeterRead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A ruling, with its argument where it has one: a player's name, a position's number, cards in order.

    `approved_by` is the second person of the house, where the ruling takes one.
    """

    by: Actor
    ruling: Ruling
    argument: str = ""
    approved_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftOrder:
    """Takes back an order that lasted: restrict, bar, block, close-table, suspend-jackpot."""

    by: Actor
    order: Ruling
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Staff report an irregularity: which hands it is about, how many cards, and what was found.

    `what` says it in words. A finding that nobody has made is None. `seats` are those affected, where the
    book asks who is; none are all. Without `exposed_by` the dealer exposed a card; without `exposed_at` it is
    as far as the deal has come. `approved_by` is the second person of the house, where the report takes one.
    `of_link` is the link that the floor reports to be out of order; the link then keeps jackpot bets away.
    """

    by: Actor
    kind: Irregularity
    positions: tuple[int, ...] = ()
    count: int = 0
    reconstructable: bool | None = None
    intentional: bool | None = None
    what: str = ""
    seats: tuple[int, ...] = later(())
    exposed_by: ExposedBy | None = later(None)  # noqa: RUF009
    exposed_at: ExposedAt | None = later(None)  # noqa: RUF009
    approved_by: str = later("")
    of_link: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOption:
    """A player who may leave the round says whether he stays."""

    by: Actor
    position: int
    stay: bool


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
