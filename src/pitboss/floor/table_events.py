"""What happens at a table on the floor's side: opened, staffed, seated, banked, dealt from a sealed deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.money import Cents
from pitboss.play import events as play_events
from pitboss.play.encoding import later
from pitboss.play.table import JackpotTerms
from pitboss.rulebooks.plan import Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """A table opened for play, with its opening count of chips by denomination (in cents).

    `checklist` are the items of equipment somebody has seen there; `chip` is the smallest stake step.
    `reason` is why it opens otherwise than it did before. `slips_by` is `player` since payout slips are made
    out to players; a table that was opened before had them made out to positions.
    """

    gaming_day: str
    rulebook: str
    layout: str
    procedure: str
    positions: int
    limits: Mapping[str, tuple[Cents, ...]]
    cards: str
    practice: bool
    currency: str
    decision_seconds: int
    chip: Cents
    link: str
    jackpot: JackpotTerms | None
    checklist: tuple[str, ...]
    count: Mapping[int, int]
    reason: str = later("")
    slips_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A table closed: its closing count, the drop as counted, and what the books expected of both."""

    count: Mapping[int, int]
    expected: Cents
    drop: Cents
    expected_drop: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffAssigned:
    """Somebody is on shift at the table."""

    person: str
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRelieved:
    """Somebody is off shift at the table."""

    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    """A player has a seat."""

    position: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft:
    """A player has given his seat up."""

    position: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoughtIn:
    """Cash into the drop box, chips of these denominations from the float to the player's rack."""

    player: str
    amount: Cents
    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CashedOut:
    """Chips from the rack to the cage, cash to the player, who may leave with it."""

    player: str
    amount: Cents
    leaves: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtRecorded:
    """A settlement was undone after the player had taken his chips away: what he owes the house for it."""

    player: str
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtReduced:
    """The round was settled anew: what it gives the player comes off the debt of its undone settlement."""

    player: str
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """The floor stopped without notice in the middle of a round; what follows is the rulebook's."""

    round_number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """Chips from the cage to the float, seen by a second person."""

    count: Mapping[int, int]
    witness: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Credited:
    """Chips from the float to the cage, seen by a second person."""

    count: Mapping[int, int]
    witness: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSet:
    """New limits, from the next round on."""

    before: Mapping[str, tuple[Cents, ...]]
    limits: Mapping[str, tuple[Cents, ...]]
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class DealingSet:
    """Who deals from now on: a person, or the house's clock with these times."""

    dealt_by: str
    betting_seconds: int
    pause_seconds: int
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorCalled:
    """The dealer wants somebody of the pit."""

    person: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered:
    """Somebody of the pit has come."""

    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentsSealed:
    """A deck sealed by the first rule: `root` is the hash of the commitments alone.

    It does not say who gets which card. Nothing is sealed so any more; what was is read for ever.
    """

    root: str
    commitments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtTo:
    """So many cards go to a row of the layout, or to each position that holds a hand (`positions`)."""

    to: str
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BeaconAnnounced:
    """The public beacon that is mixed into the order of a deck, as it was announced before anybody had bet.

    `key` is its public key (Ed25519, hexadecimal digits). Round 1 was published at `genesis` (seconds since
    1970), a further one every `period` seconds; none before `round` is used. `missing` is what is done where
    it is not there: `wait` for it, or deal `without` it once `wait_seconds` are over.
    """

    name: str
    key: str
    genesis: int
    period: int
    round: int
    wait_seconds: int
    missing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """How the order of a deck is composed with what devices of players contribute.

    They reveal within `reveal_seconds` of the close of bets; what was not revealed by then is left out.
    """

    reveal_seconds: int
    beacon: BeaconAnnounced | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSealed:
    """The commitments to a round's deck, one a card, and how it is dealt, published before anybody has bet.

    `commitments` are 52 hashes in base64, one after the other. `dealing` is where cards go as they leave the
    deck; `hands` are the wagers that a position is dealt a hand for; `composition` is how the order in which
    they leave it is made, None where it is that of the sealing. `root` is the hash of all that.
    """

    root: str
    commitments: str
    dealing: tuple[DealtTo, ...]
    hands: tuple[str, ...]
    composition: Composition | None = later(None)  # noqa: RUF009


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyCommitted:
    """While bets are open, a device of a seated player commits to a secret for this round alone."""

    player: str
    device: str
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyRevealed:
    """After the close of bets a device reveals the secret that it has committed to."""

    player: str
    device: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOf:
    """A device of a player."""

    player: str
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BeaconPublished:
    """The signature that a beacon published for one of its rounds, as hexadecimal digits."""

    round: int
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderComposed:
    """The order in which the sealed places are dealt is fixed, right before the first card leaves the deck.

    It follows from the secrets of `contributions` and from the `beacon`; `withheld` devices had committed and
    did not reveal in time. Both are sorted by player and device. It is written only where a device had
    committed or a beacon was announced.
    """

    contributions: tuple[DeviceOf, ...]
    withheld: tuple[DeviceOf, ...]
    beacon: BeaconPublished | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What opens one commitment: the card's place in the sealed deck, its salt, and the card."""

    index: int
    salt: str
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn:
    """Cards have left the sealed deck. Only whoever may see a card is shown its opening."""

    openings: tuple[Opening, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutSlip:
    """What one player was paid in a round: `slip` numbers the slips of the table without a gap.

    It is his own share of `positions`, the first of which is `position`: a jackpot award, or all else. One
    without `positions` was written before slips were made out to players: all that `position` was paid, in
    the name of who sat there. `jackpot` is the part of `amount` that is a jackpot award, which `confirmed_by`
    has verified. A slip is never changed: one that `corrects` another takes back what it says, for `reason`,
    by `authorised_by`.
    """

    slip: int
    round_number: int
    position: int
    player: str
    amount: Cents
    jackpot: Cents
    confirmed_by: str
    corrects: int
    reason: str
    authorised_by: str
    clauses: Clauses
    positions: tuple[int, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCorrected:
    """What the record says at `corrects` does not hold: `what` is so instead, why, and by whose word."""

    corrects: int
    what: str
    reason: str
    authorised_by: str
    clauses: Clauses


@dataclass(frozen=True, slots=True, kw_only=True)
class SealBroken:
    """The server has opened the deck of a round inside itself, and it is not the one that was sealed.

    `what` is a word of `voids.Broken`. It stays an alarm, whatever becomes of the round.
    """

    round_number: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidNoted:
    """A round with a sealed deck is void: by whom, why, and what the house would have won in it.

    `reported_by` wrote the report and `ruled_by` the ruling, where there was one; `signed_by` is the second
    person. `stage` is the decision that was outstanding; `staked` lay on the layout, `cards` had been dealt.
    `house` is the result for the house as cents: the stakes as they lay, the sealed cards dealt to the
    end, outstanding optional bets checked, every other decision the best for its player, the jackpot left
    out. It is None where the deck was not what was sealed, its order was not composed and did not follow
    from what was known, or the round could not be played to its end. A deck that is what was sealed is kept
    (`deck_kept`) until it is opened (`DeckOpened`); that of a settled round was erased before.

    `positions` are the hands that were taken out, where the round itself is not void: then `staked` and
    `house` are theirs, and the deck is kept if they were the last ones. `beacon` is the value that the order
    follows from, where the beacon had published it and no card was dealt.
    """

    round_number: int
    reported_by: str
    ruled_by: str
    signed_by: str
    kind: str
    reason: str
    stage: str
    cards: int
    staked: Cents
    house: Cents | None
    deck_kept: bool
    positions: tuple[int, ...] = later(())
    beacon: BeaconPublished | None = later(None)  # noqa: RUF009


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckOpened:
    """The deck of a round whose void is final, place by place: its players are shown it."""

    round_number: int
    openings: tuple[Opening, ...]


TableEvent = (
    TableOpened
    | TableClosed
    | StaffAssigned
    | StaffRelieved
    | SeatTaken
    | SeatLeft
    | BoughtIn
    | CashedOut
    | DebtRecorded
    | DebtReduced
    | Interrupted
    | Filled
    | Credited
    | LimitsSet
    | DealingSet
    | SupervisorCalled
    | CallAnswered
    | CommitmentsSealed
    | DeckSealed
    | EntropyCommitted
    | EntropyRevealed
    | OrderComposed
    | CardsDrawn
    | PayoutSlip
    | EntryCorrected
    | SealBroken
    | VoidNoted
    | DeckOpened
)
AnyTableEvent = TableEvent | play_events.Event


def worth(count: Mapping[int, int]) -> Cents:
    """What chips of these denominations come to."""
    return Cents(sum(denomination * number for denomination, number in count.items()))
