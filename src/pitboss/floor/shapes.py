"""What a floor shows, as it is sent: structs that its views are built from.

What is not always there is left out, not null.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from pitboss.play.act_forms import ActForm
from pitboss.play.shapes import Left, RoundView, Shape

# --- a table ------------------------------------------------------------------------------------------------


class Choice(Shape):
    """Something the viewer may do now: `act` is sent back as it is; `cost` leaves their rack."""

    act: ActForm
    cost: str


class Pending(Shape):
    """A jackpot claim that waits, and whether its table may pay it now."""

    table: str
    status: str
    payable: bool


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
    hands: Sequence[str]
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


class Called(Shape):
    """Somebody of the pit is wanted at a table: by whom, since when (microseconds), what for."""

    by: str
    since: int
    reason: str


class TableView(RoundView, kw_only=True):
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
    version: int | Left = UNSET
    replay: bool | Left = UNSET
    choices: list[Choice] | Left = UNSET
    to_enter: list[ToEnter] | Left = UNSET
    called: Called | Left | None = UNSET
    bets_close_at: int | Left = UNSET
    decide_by: int | Left = UNSET
    claim_payable: bool | Left = UNSET
    claims_pending: list[Pending] | Left = UNSET
    sealed: Sealed | Left = UNSET


class WagerTerms(Shape):
    """A wager that the table offers: where it is placed, when, how much, and by which clauses."""

    wager: str
    area: str
    placed: str
    needs: Sequence[str]
    units: Sequence[int] | None
    limits: list[str] | None
    clauses: Sequence[str]


class DecisionTerms(Shape):
    """A decision of the game: the wager it costs, and what else may be done."""

    decision: str
    bet: str
    times: int
    of: str
    otherwise: str
    clauses: Sequence[str]
    otherwise_clauses: Sequence[str]


class StepTerms(Shape):
    """A step of the procedure: what is done, where, with how many cards, how often round; and in words."""

    do: str
    place: str
    cards: int
    rounds: int
    words: str
    clauses: Sequence[str]


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
    parts: dict[str, Sequence[int]]
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
    clauses: Sequence[str]
    about: str
    says: str
    blanks: dict[str, str]


class ReadingInForce(Shape):
    """A question the text leaves open, and how it is read here."""

    reading: str
    question: str
    chosen: str
    holds: str
    clauses: Sequence[str]


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


# --- the floor ----------------------------------------------------------------------------------------------


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


class RulebookLine(Shape):
    """A rulebook of the floor: its hash, its id, how it is read, and whether it is in force."""

    rulebook: str
    id: str
    readings: dict[str, str]
    approved_by: Sequence[str]
    in_force: bool


class TableLine(Shape):
    """A table as its staff see it at a glance; of one that was never opened only its name."""

    table: str
    open: bool
    game: str | Left = UNSET
    title: str | Left = UNSET
    rulebook: str | Left = UNSET
    cards: str | Left = UNSET
    practice: bool | Left = UNSET
    currency: str | Left = UNSET
    link: str | Left = UNSET
    staff: dict[str, str] | Left = UNSET
    since: int | Left = UNSET
    round: int | Left = UNSET
    stage: str | Left = UNSET
    waits: str | Left = UNSET
    called: Called | Left | None = UNSET
    broken_seals: list[int] | Left = UNSET
    corrections: int | Left = UNSET
    drop: str | Left = UNSET
    win: str | Left = UNSET
    dealt_by: str | Left = UNSET
    players: int | Left = UNSET
    version: int | Left = UNSET


class LinkLine(Shape):
    """A link at a glance; `out_of_order` says why it is offline, or nothing."""

    link: str
    meter: str
    members: list[str]
    claims: int
    out_of_order: str


class Overview(Shape):
    """The floor at a glance, for its staff."""

    floor: str
    gaming_day: str
    people: dict[str, str]
    players: int
    rulebooks: list[RulebookLine]
    tables: list[TableLine]
    links: list[LinkLine]


class Meters(Shape):
    """The meters of a link, and what has gone in and out."""

    displayed: str
    reserve: str
    overflow: str
    held_for_claims: str
    wagers_in: str
    hits: int
    total_won: str


class Parameters(Shape):
    """The parameters of a link; `change_waits` tells that others are planned for after the next hit."""

    unit: str
    reset: str
    increment_bp: int
    reserve_bp: int
    ceiling: str | None
    most_stake: str
    change_waits: bool


class ClaimedHand(Shape):
    """A hand that claims the jackpot."""

    hand: str
    position: int
    player: str


class LinkClaim(Shape):
    """A claim on a jackpot, with what its hands get once that is fixed."""

    claim: int
    table: str
    round: int
    status: str
    ordered_by: str
    entered: str
    dealt: str
    hands: list[ClaimedHand]
    shares: list[str]


class PaidShare(Shape):
    """What a player was paid of a jackpot."""

    player: str
    hand: str
    amount: str


class LinkHit(Shape):
    """A jackpot that was paid. `hit` is the jackpot's own number of it; `slip` is its name of before."""

    hit: int
    slip: int
    table: str
    round: int
    paid: str
    verified_by: str
    shares: list[PaidShare]
    new_value: str
    undone: bool


class LinkView(Shape):
    """A link with its meters, parameters, claims, history and warnings."""

    link: str
    currency: str
    out_of_order: str
    meters: Meters
    parameters: Parameters
    members: list[str]
    claims: list[LinkClaim]
    history: list[LinkHit]
    warnings: list[str]


class DisputeNote(Shape):
    """A note on a dispute."""

    by: str
    text: str


class DisputeDecision(Shape):
    """What was decided, on which basis and for whom."""

    decision: str
    basis: str
    in_favour_of: str
    clauses: Sequence[str]


class DisputeView(Shape, kw_only=True):
    """A dispute. Evidence, notes and bases are for the house; `may` are the requests that are taken now."""

    dispute: int
    bases: list[str] | Left = UNSET
    minutes: int | None
    missing: dict[str, list[str]] | Left = UNSET
    table: str
    round: int
    about: str
    opened_by: str
    opened: str
    status: str
    with_position: str = msgspec.field(name="with")
    surveillance_informed: bool
    until: str | None
    evidence: Sequence[str] | Left = UNSET
    notes: list[DisputeNote] | Left = UNSET
    decision: DisputeDecision | None
    complaint: str | None
    answer: str | None
    may: list[str] | Left = UNSET


class Disputes(Shape):
    """Disputes: all of them for staff, their own for a player."""

    disputes: list[DisputeView]


class LayoutOption(Shape):
    """A layout of a rulebook, with how many positions it may have.

    `clauses` say how many, where the book does; `drawn` are the clauses that draw the layout.
    """

    layout: str
    positions: tuple[int, int]
    clauses: Sequence[str]
    drawn: Sequence[str]


class EquipmentItem(Shape):
    """What must be there to open a table with some procedures."""

    item: str
    procedures: Sequence[str]
    clauses: Sequence[str]


class TableOpening(Shape):
    """What a table may be opened with under a rulebook, and what the house sets unless told otherwise."""

    rulebook: str
    game: str
    title: str
    readings: dict[str, str]
    layouts: list[LayoutOption]
    positions: int
    procedures: list[str]
    currency: str
    decision_seconds: int
    denominations: list[str]
    limits: dict[str, list[str]]
    areas: dict[str, str]
    jackpot: bool
    equipment: list[EquipmentItem]


class Openings(Shape):
    """What tables may be opened with: rulebooks in force, and links."""

    openings: list[TableOpening]
    links: list[str]


# --- the record ---------------------------------------------------------------------------------------------


class MoneyMoved(Shape):
    """A line of the ledger."""

    account: str
    amount: str


class RoundStep(Shape, kw_only=True):
    """A step of a round: the table after it as viewers saw it; for staff, with what was done by whom."""

    version: int
    at: str
    actor: str | Left = UNSET
    event: str | Left = UNSET
    told: str | Left = UNSET
    hash: str | Left = UNSET
    money: list[MoneyMoved] | Left = UNSET
    views: dict[str, TableView]


class VoidDeck(Shape):
    """The deck of a void round, for its players: kept, or opened once the void is final."""

    status: str
    openings: list[Opening]


class RoundRecord(Shape):
    """A round of the record, step by step."""

    replay: bool
    table: str
    round: int
    steps: list[RoundStep]
    void_deck: VoidDeck | Left = UNSET


class FoundRound(Shape):
    """A round that was found. What it moved at most is left out while it is in play."""

    table: str
    round: int
    status: str
    opened: str
    ended: str | None
    rulebook: str
    largest: str | Left = UNSET
    irregularities: list[str] | Left = UNSET


class FoundRounds(Shape):
    """Rounds that fit, the newest first, and whether there may be more."""

    rounds: list[FoundRound]
    more: bool
