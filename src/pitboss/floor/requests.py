"""Everything that can be asked of the floor, by staff, by players, or by the machine's own console.

Who asks, and the key that makes a retry harmless, come with the request (`Floor.do`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.floor.ports import Micros
from pitboss.floor.registry import Lost, LostCheckpoint
from pitboss.money import Cents
from pitboss.play.commands import Command
from pitboss.play.encoding import later


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFloor:
    """Creates a floor: its name, when its gaming day begins, its clock's distance from UTC."""

    name: str
    day_begins: str = "06:00"
    utc_offset_minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPermissions:
    """Records the permissions of another version of Pitboss. The floor asks this itself."""

    permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPerson:
    """Gives somebody of the house an account with a position."""

    person: str
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePerson:
    """Gives a person another position."""

    person: str
    position: str
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePerson:
    """Ends a person's account; what he did stays in the record."""

    person: str
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlayer:
    """Makes a player known to the house."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPlayer:
    """Sets what a player may lose and how long he may play in a gaming day; None is no limit."""

    player: str
    loss: Cents | None = None
    minutes: int | None = None
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludePlayer:
    """Keeps a player from playing until a date; empty is for good."""

    player: str
    until: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeRulebook:
    """A rulebook as read, with the readings chosen; `document` is its data as JSON."""

    id: str
    readings: Mapping[str, str] = field(default_factory=dict)
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveRulebook:
    """Approves the hash of a rulebook; with the second person it is in force."""

    rulebook: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRulebook:
    """Keeps tables from being opened with a rulebook from now on."""

    rulebook: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTable:
    """Adds a table to the floor."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """Opens a table. What is left out is as the rulebook's house figures have it."""

    table: str
    rulebook: str
    count: Mapping[int, int]
    layout: str = ""
    procedure: str = ""
    positions: int | None = None
    limits: Mapping[str, tuple[Cents, ...]] | None = None
    cards: str = "virtual"
    practice: bool = False
    link: str = ""
    decision_seconds: int | None = None
    checklist: tuple[str, ...] = ()
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable:
    """Closes a table with its count; the drop as counted, if it is not what the books expect."""

    table: str
    count: Mapping[int, int]
    drop: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignStaff:
    """Begins somebody's shift at a table."""

    table: str
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RelieveStaff:
    """Ends somebody's shift at a table."""

    table: str
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSeat:
    """Seats a player at a position."""

    table: str
    position: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveSeat:
    """Frees a position."""

    table: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn:
    """Cash into the drop box, chips to the player's rack."""

    table: str
    player: str
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut:
    """Chips for cash; without an amount all of them, and the player leaves."""

    table: str
    player: str
    amount: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Chips from the cage to the float, seen by a second person."""

    table: str
    count: Mapping[int, int]
    witness: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """Chips from the float to the cage, seen by a second person."""

    table: str
    count: Mapping[int, int]
    witness: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimits:
    """Sets a table's limits, between rounds."""

    table: str
    limits: Mapping[str, tuple[Cents, ...]]
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSupervisor:
    """Calls somebody of the pit to a table."""

    table: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCall:
    """Tells that somebody of the pit has come to a table that called."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDealing:
    """Says who deals a virtual table: a person, or the house's clock.

    The clock leaves bets open for so many seconds, and begins the next round so many after the last.
    """

    table: str
    dealt_by: str
    betting_seconds: int = 20
    pause_seconds: int = 8
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A step of play. `expect` is the version the asker has seen; another one refuses the step."""

    table: str
    command: Command
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Acts:
    """Several steps of a player at once, such as all his wagers: every one of them is done, or none."""

    table: str
    commands: tuple[Command, ...]
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterUnnoticed:
    """Enters a stake that lay unnoticed when bets closed.

    Once cards are dealt a second person signs for it, `approved_by`.
    """

    table: str
    position: int
    player: str
    wager: str
    amount: Cents
    approved_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitEntropy:
    """Commits a device of a seated player to a secret that the order of the round's deck is composed with.

    `device` is a name that the client keeps: 1 to 40 letters, digits and hyphens. `commitment` are 64
    hexadecimal digits, as docs/fair-shuffle.md makes them. Only the player asks this, while bets are open.
    """

    table: str
    device: str
    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealEntropy:
    """Reveals the secret that a device has committed to, once bets are closed: 64 hexadecimal digits."""

    table: str
    device: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt:
    """Records that the floor stopped in the middle of a table's round. The floor asks this itself."""

    table: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteAccount:
    """Records that an account's password was set, or the account unlocked. The floor asks this itself."""

    kind: str
    name: str
    what: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconcileRecord:
    """Names what a failover or a restore has lost. `pitboss floor reconcile` asks this."""

    before: str
    after: str
    checkpoints: tuple[LostCheckpoint, ...]
    lost: tuple[Lost, ...]
    count: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAnswers:
    """Forgets the answers that were kept for requests before a time. The floor or its console asks this."""

    before: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLink:
    """A link with its meter at `startup` (without one, at the reset value), approved by a second person."""

    link: str
    currency: str
    unit: Cents
    reset: Cents
    increment_bp: int
    reserve_bp: int
    approved_by: str
    startup: Cents | None = None
    ceiling: Cents | None = None
    most_stake: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyClaim:
    """Says that a pit manager has seen the jackpot hand."""

    link: str
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectClaim:
    """Does not uphold a claim: the meter has it back."""

    link: str
    claim: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DetermineOrder:
    """The House determines in which order waiting claims were dealt."""

    link: str
    claims: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixClaims:
    """Fixes what no round still in play can come before any more. The floor asks this itself."""

    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FailLink:
    """Puts a jackpot out of order; member tables are told, each by its own book.

    Where a book voids a round of a sealed deck for it that was dealt from, a second person signs,
    `approved_by`.
    """

    link: str
    reason: str
    approved_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreLink:
    """Puts a jackpot back in order, with the meter and the parameters it had."""

    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanParameters:
    """Parameters for after the present jackpot is won; what is None stays."""

    link: str
    reason: str
    approved_by: str
    unit: Cents | None = None
    reset: Cents | None = None
    increment_bp: int | None = None
    reserve_bp: int | None = None
    ceiling: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Moves money between meter, reserve and overflow, approved by a second person."""

    link: str
    source: str
    target: str
    amount: Cents
    reason: str
    approved_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDispute:
    """Disputes a round; what the record says about it is gathered at once."""

    table: str
    round_number: int
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDispute:
    """Adds a note to a dispute: an account of the incident, or other evidence.

    `account_of` says whose account it is: `player` or `house`, or a name; without it the note is evidence. A
    note by Surveillance is Surveillance's evidence.
    """

    dispute: int
    text: str
    account_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalateDispute:
    """Passes a dispute up; Surveillance is informed with it."""

    dispute: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveTimeFrame:
    """Tells the player by when his dispute should be settled."""

    dispute: int
    minutes: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideDispute:
    """Decides a dispute, on a basis that the book names and that is on file."""

    dispute: int
    decision: str
    basis: str
    in_favour_of: str
    complaint_explained: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileComplaint:
    """Files the player's formal complaint about a decision."""

    dispute: int
    text: str
    assisted_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerComplaint:
    """Answers a formal complaint, for senior management."""

    dispute: int
    answer: str


Request = (
    CreateFloor
    | SetPermissions
    | AddPerson
    | MovePerson
    | RemovePerson
    | AddPlayer
    | LimitPlayer
    | ExcludePlayer
    | ProposeRulebook
    | ApproveRulebook
    | WithdrawRulebook
    | AddTable
    | OpenTable
    | CloseTable
    | AssignStaff
    | RelieveStaff
    | TakeSeat
    | LeaveSeat
    | BuyIn
    | CashOut
    | Fill
    | Credit
    | SetLimits
    | SetDealing
    | CallSupervisor
    | AnswerCall
    | Act
    | Acts
    | EnterUnnoticed
    | CommitEntropy
    | RevealEntropy
    | Interrupt
    | NoteAccount
    | ReconcileRecord
    | ForgetAnswers
    | OpenLink
    | VerifyClaim
    | RejectClaim
    | DetermineOrder
    | FixClaims
    | FailLink
    | RestoreLink
    | PlanParameters
    | Transfer
    | OpenDispute
    | NoteDispute
    | EscalateDispute
    | GiveTimeFrame
    | DecideDispute
    | FileComplaint
    | AnswerComplaint
)
