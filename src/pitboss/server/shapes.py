"""The shapes of what is sent, for the API's document and for clients that are made from it.

The floor makes the views; a test holds every view of whole rounds against these shapes. What is not always
there is left out, not null.
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET, UnsetType

Left = UnsetType
"""A field that may be left out."""


class Shape(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something that is sent: these fields and no others."""


class Position(Shape):
    """A position at the table: whose it is, what is staked, its cards as far as the viewer may see them."""

    player: str
    stakes: dict[str, str]
    fate: str
    choices: dict[str, str]
    viewed: bool
    cards: list[str]


class Choice(Shape):
    """Something the viewer may do now: `act` is sent back as it is; `cost` leaves his rack."""

    act: dict[str, Any]
    cost: str


class PaidBy(Shape):
    """The pay of a table: `odds` to one or for one, a fixed award, `percent` of the meter.

    `row` is the class of the hand it is paid for, left out where every hand is paid alike. `on` is the stake
    or the meter it was counted on, left out where that is not what was paid; `times` a multiple that counts
    again; `capped` is there where the table pays no more.
    """

    kind: str
    odds: int | Left = UNSET
    percent: int | Left = UNSET
    row: str | Left = UNSET
    on: str | Left = UNSET
    times: int | Left = UNSET
    capped: bool | Left = UNSET


class Line(Shape):
    """A wager of a settlement: what was returned, taken and paid, and the clauses that say so.

    `hand` is the hand in words that it was judged by, null where there was none or the viewer may not see it;
    `pay` is what it was paid by, left out where nothing was paid or the viewer may not see the hand.
    """

    wager: str
    stake: str
    returned: str
    collected: str
    paid: str
    clauses: list[str]
    hand: str | None
    pay: PaidBy | Left = UNSET


class Seat(Shape):
    """The settlement of one position; `hand` in words is the one compared with the dealer's, or null."""

    position: int
    player: str
    hand: str | None
    net: str
    lines: list[Line]


class Notice(Shape):
    """What a table displays for everybody, and the positions it is about."""

    notice: str
    text: str
    clauses: list[str]
    positions: list[int] | Left = UNSET


class Suspended(Shape):
    """Play waits for a ruling."""

    kind: str
    clauses: list[str]


class Options(Shape):
    """Positions whose players choose whether they stay in."""

    waiting: list[int]
    clauses: list[str]


class Matter(Shape):
    """What waits for a ruling, the positions it is about, who may rule, and what."""

    what: str
    kind: str
    positions: list[int]
    decides: str
    rulings: list[str]


class Pending(Shape):
    """A jackpot claim that waits, and whether its table may pay it now."""

    table: str
    status: str
    payable: bool


class Claimed(Shape):
    """A hand of this round that claims the jackpot."""

    position: int
    hand: str


class Opening(Shape):
    """Opens the commitment of a card that the viewer was shown."""

    index: int
    salt: str
    card: str


class DealtTo(Shape):
    """Where cards go as they leave the deck: so many to `positions` (each one in play), `dealer`, `community`
    or `burned`.
    """

    to: str
    cards: int


class Beacon(Shape):
    """The public beacon that is mixed into the order of the deck, as it was announced with the seal: its
    public key, when its first round was published and how often one is (seconds), the first round that may be
    used, and what is done without it: `wait`, or deal `without` it once `wait_seconds` are over.
    """

    name: str
    key: str
    genesis: int
    period: int
    round: int
    wait_seconds: int
    missing: str


class Composition(Shape):
    """How the order of the deck is composed: for how long devices may reveal, and with which beacon."""

    reveal_seconds: int
    beacon: Beacon | None


class Device(Shape):
    """A device that has committed to a secret; `secret` is empty until it is revealed."""

    player: str
    device: str
    commitment: str
    secret: str


class Contribution(Shape):
    """A secret that the order was composed with."""

    player: str
    device: str
    secret: str


class Withheld(Shape):
    """A device that had committed and did not reveal in time."""

    player: str
    device: str


class BeaconValue(Shape):
    """What the beacon published for a round: its signature."""

    round: int
    signature: str


class Composed(Shape):
    """What the order of the deck was composed with; `independent` counts the contributions."""

    contributions: list[Contribution]
    withheld: list[Withheld]
    beacon: BeaconValue | None
    independent: int


class Sealed(Shape):
    """The sealed deck: the rule it was sealed by (2 fixes the dealing too, 3 how its order is composed), its
    root, a commitment for each place, where cards go in their order, the wagers that a hand is dealt for, how
    many cards have left it, which places lie in which row of the view (or are burned), and openings of the
    cards seen. By rule 3 there are also: how the order is composed, the devices that have committed, until
    when they may reveal (microseconds, null at any other time), and what the order was composed with.
    """

    seal: int
    root: str
    commitments: str
    dealing: list[DealtTo]
    hands: list[str]
    drawn: int
    places: dict[str, list[int]]
    openings: list[Opening]
    composition: Composition | Left = UNSET
    devices: list[Device] | Left = UNSET
    reveal_by: int | Left | None = UNSET
    composed: Composed | Left | None = UNSET


class ToEnter(Shape):
    """A place of a physical table where cards lie that were not entered yet."""

    place: str
    cards: int


class ToRead(Shape):
    """A folded hand that is read before it is cleared: for which wagers, and how many cards were entered."""

    position: int
    wagers: list[str]
    entered: int


class ToMend(Shape):
    """What was recorded at a hand and can still be taken back."""

    position: int
    decision: str
    choice: str


class Called(Shape):
    """Somebody of the pit is wanted at a table: by whom, since when (microseconds), what for."""

    by: str
    since: int
    reason: str


class TableView(Shape):
    """A table as one viewer sees it."""

    table: str
    open: bool
    game: str
    rulebook: str
    practice: bool
    cards: str
    link: str
    currency: str
    seats: dict[str, str]
    round: int
    stage: str
    positions: dict[str, Position]
    community: list[str]
    dealer: list[str]
    decision: str | None
    waiting_for: list[int]
    version: int | Left = UNSET
    replay: bool | Left = UNSET
    meter: str | Left = UNSET
    choices: list[Choice] | Left = UNSET
    rack: str | Left = UNSET
    bets_close_at: int | Left = UNSET
    decide_by: int | Left = UNSET
    suspended: Suspended | Left = UNSET
    options: Options | Left = UNSET
    may_withdraw: list[int] | Left = UNSET
    void: list[str] | Left = UNSET
    settlement: list[Seat] | Left = UNSET
    dealer_hand: str | Left = UNSET
    dealer_qualifies: bool | Left = UNSET
    notices: list[Notice] | Left = UNSET
    claim: list[Claimed] | Left = UNSET
    claim_payable: bool | Left = UNSET
    claims_pending: list[Pending] | Left = UNSET
    sealed: Sealed | Left = UNSET
    next: str | Left | None = UNSET
    to_enter: list[ToEnter] | Left = UNSET
    entered: dict[str, int] | Left = UNSET
    step: int | Left = UNSET
    to_read: list[ToRead] | Left = UNSET
    to_mend: list[ToMend] | Left = UNSET
    corrections: int | Left = UNSET
    called: Called | Left | None = UNSET
    burned: int | Left = UNSET
    matter: Matter | Left = UNSET
    may_still_rule: dict[str, str] | Left = UNSET
    racks: dict[str, str] | Left = UNSET
    handled: list[int] | Left = UNSET
    looked_at: list[int] | Left = UNSET
    warned: list[str] | Left = UNSET
    restricted: list[str] | Left = UNSET
    barred: list[str] | Left = UNSET
    blocked: list[int] | Left = UNSET
    closed: bool | Left = UNSET
    jackpot_suspended: bool | Left = UNSET
    jackpot_stopped: bool | Left = UNSET
    cards_exposed: int | Left = UNSET


class WagerTerms(Shape):
    """A wager that the table offers: where it is placed, when, how much, and by which clauses."""

    wager: str
    area: str
    placed: str
    needs: list[str]
    units: list[int] | None
    limits: list[str] | None
    clauses: list[str]


class DecisionTerms(Shape):
    """A decision of the game: the wager it costs, and what else may be done."""

    decision: str
    bet: str
    times: int
    of: str
    otherwise: str
    clauses: list[str]
    otherwise_clauses: list[str]


class StepTerms(Shape):
    """A step of the procedure: what is done, where, with how many cards, how often round; and in words."""

    do: str
    place: str
    cards: int
    rounds: int
    words: str
    clauses: list[str]


class Announces(Shape):
    """What the dealer says when bets open and when they close."""

    open: str
    close: str


class Terms(Shape):
    """What a table offers to whoever sits down."""

    table: str
    game: str
    title: str
    rulebook: str
    readings: dict[str, str]
    layout: str
    procedure: str
    positions: int
    own_cards: int
    dealer_cards: int
    community_cards: int
    parts: dict[str, list[int]]
    cards: str
    practice: bool
    currency: str
    chip: str
    denominations: list[str]
    link: str
    jackpot_unit: str | None
    decision_seconds: int
    dealt_by: str
    betting_seconds: int | None
    wagers: list[WagerTerms]
    announces: Announces
    steps: list[StepTerms]
    decisions: list[DecisionTerms]


class Topic(Shape):
    """One thing a rulebook says, in English; `about`, `says` and `blanks` are its codes for other words.

    `says` is empty where the text has no code.
    """

    chapter: str
    name: str
    text: str
    clauses: list[str]
    about: str
    says: str
    blanks: dict[str, str]


class ReadingInForce(Shape):
    """A question the text leaves open, and how it is read here."""

    reading: str
    question: str
    chosen: str
    holds: str
    clauses: list[str]


class Gist(Shape):
    """A clause in our own words."""

    kind: str
    gist: str


class Rules(Shape):
    """The rules in force at a table; `points` name the topics a player should know first."""

    game: str
    title: str
    points: list[str]
    topics: list[Topic]
    readings: list[ReadingInForce]
    clauses: dict[str, Gist]


class Hit(Shape):
    """A jackpot that was paid. `hit` is the jackpot's own number of it; `slip` is its name of before.

    The payout slip is the table's, numbered by itself.
    """

    hit: int
    slip: int
    table: str
    paid: str
    amounts: list[str]
    hands: list[str]
    new_value: str


class Share(Shape):
    """What a hand wins that takes a part of the meter, now."""

    hand: str
    percent: int
    amount: str


class Jackpot(Shape):
    """A jackpot as its signs show it."""

    link: str
    currency: str
    meter: str
    reset: str
    shares: list[Share]
    out_of_order: bool
    pending: list[Pending]
    hits: list[Hit]


class LobbyTable(Shape):
    """A table as the lobby tells of it; of a closed one only its name."""

    table: str
    open: bool
    game: str | Left = UNSET
    title: str | Left = UNSET
    cards: str | Left = UNSET
    procedure: str | Left = UNSET
    practice: bool | Left = UNSET
    currency: str | Left = UNSET
    link: str | Left = UNSET
    limits: dict[str, list[str]] | Left = UNSET
    areas: dict[str, str] | Left = UNSET
    positions: int | Left = UNSET
    seats_free: int | Left = UNSET
    round: int | Left = UNSET
    stage: str | Left = UNSET
    waits: str | Left = UNSET


class Lobby(Shape):
    """What is played where, for how much, and the jackpots."""

    floor: str
    tables: list[LobbyTable]
    jackpots: list[Jackpot]


class Jackpots(Shape):
    """Every jackpot of the floor."""

    jackpots: list[Jackpot]


def shown(shape: type[Any], problems: dict[int, ResponseSpec]) -> dict[int, ResponseSpec]:
    """The answers of an address that shows something of this shape."""
    said = (shape.__doc__ or "").split("\n")[0]
    return {200: ResponseSpec(shape, description=said, generate_examples=False), **problems}
