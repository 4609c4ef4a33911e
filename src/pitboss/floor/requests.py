"""Everything that can be asked of the floor, by staff, by players, or by the machine's own console.

Who asks, and the key that makes a retry harmless, come with the request (`Floor.do`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pitboss import fields as f
from pitboss.floor.ports import Micros
from pitboss.floor.registry import Lost, LostCheckpoint
from pitboss.money import Cents
from pitboss.play.commands import Command
from pitboss.play.encoding import later


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFloor:
    """Creates a floor: its name, when its gaming day begins, its clock's distance from UTC."""

    name: Annotated[str, f.Help("Its name.")]
    day_begins: Annotated[str, f.Help("When its gaming day begins, by its own clock.")] = "06:00"
    utc_offset_minutes: Annotated[int, f.Help("How far its own clock is from UTC.")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPermissions:
    """Records the permissions of another version of Pitboss. The floor asks this itself."""

    permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPerson:
    """Gives somebody of the house an account with a position."""

    person: f.NewPerson
    position: f.Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePerson:
    """Gives a person another position."""

    person: f.PersonName
    position: f.Rank
    reason: f.Reason = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePerson:
    """Ends a person's account; what he did stays in the record."""

    person: f.PersonName
    reason: f.Reason = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlayer:
    """Makes a player known to the house."""

    player: f.NewPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPlayer:
    """Sets what a player may lose and how long he may play in a gaming day; None is no limit."""

    player: f.PlayerName
    loss: Cents | None = None
    minutes: Annotated[int | None, f.Help("How many minutes.")] = None
    reason: f.Reason = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludePlayer:
    """Keeps a player from playing until a date; empty is for good."""

    player: f.PlayerName
    until: Annotated[str, f.Help("A date, such as 2030-01-01.")] = ""
    reason: f.Reason = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeRulebook:
    """A rulebook as read, with the readings chosen; `document` is its data as JSON."""

    id: Annotated[str, f.Help("The id of the rulebook.")]
    readings: Annotated[Mapping[str, str], f.Help("Letters of readings, by their names.")] = field(
        default_factory=dict
    )
    document: Annotated[str, f.Help("The data of the rulebook as JSON.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveRulebook:
    """Approves the hash of a rulebook; with the second person it is in force."""

    rulebook: f.RulebookName


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRulebook:
    """Keeps tables from being opened with a rulebook from now on."""

    rulebook: f.RulebookName
    reason: f.Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTable:
    """Adds a table to the floor."""

    table: f.TableName


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """Opens a table. What is left out is as the rulebook's house figures have it."""

    table: f.TableName
    rulebook: f.RulebookName
    count: Mapping[int, int]
    layout: Annotated[str, f.Help("A layout of the rulebook.")] = ""
    procedure: f.ProcedureName = ""
    positions: Annotated[int | None, f.Help("How many seats.")] = None
    limits: Mapping[str, tuple[Cents, ...]] | None = None
    cards: f.Cards = "virtual"
    practice: Annotated[bool, f.Help("The table gives advice, and plays for nothing.")] = False
    link: f.LinkName = ""
    decision_seconds: Annotated[int | None, f.Help("How many seconds for a decision.")] = None
    checklist: tuple[str, ...] = ()
    reason: f.Reason = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable:
    """Closes a table with its count; the drop as counted, if it is not what the books expect."""

    table: f.TableName
    count: Mapping[int, int]
    drop: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignStaff:
    """Begins somebody's shift at a table."""

    table: f.TableName
    person: f.PersonOffShift


@dataclass(frozen=True, slots=True, kw_only=True)
class RelieveStaff:
    """Ends somebody's shift at a table."""

    table: f.TableName
    person: f.PersonOnShift


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSeat:
    """Seats a player at a position."""

    table: f.TableName
    position: f.FreeSeat
    player: f.PlayerName


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveSeat:
    """Frees a position."""

    table: f.TableName
    position: f.TakenSeat


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn:
    """Cash into the drop box, chips to the player's rack."""

    table: f.TableName
    player: f.PlayerName
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut:
    """Chips for cash; without an amount all of them, and the player leaves."""

    table: f.TableName
    player: f.PlayerHere
    amount: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Chips from the cage to the float, seen by a second person."""

    table: f.TableName
    count: Mapping[int, int]
    witness: f.SecondPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """Chips from the float to the cage, seen by a second person."""

    table: f.TableName
    count: Mapping[int, int]
    witness: f.SecondPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLimits:
    """Sets a table's limits, between rounds."""

    table: f.TableName
    limits: Mapping[str, tuple[Cents, ...]]
    reason: f.Reason = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSupervisor:
    """Calls somebody of the pit to a table."""

    table: f.TableName
    reason: f.Reason = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCall:
    """Tells that somebody of the pit has come to a table that called."""

    table: f.TableName


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDealing:
    """Says who deals a virtual table: a person, or the house's clock.

    The clock leaves bets open for so many seconds, and begins the next round so many after the last.
    """

    table: f.TableName
    dealt_by: f.DealtBy
    betting_seconds: f.Seconds = 20
    pause_seconds: f.Seconds = 8
    reason: f.Reason = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A step of play. `expect` is the version the asker has seen; another one refuses the step."""

    table: f.TableName
    command: Command
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Acts:
    """Several steps of a player at once, such as all his wagers: every one of them is done, or none."""

    table: f.TableName
    commands: tuple[Command, ...]
    expect: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterUnnoticed:
    """Enters a stake that lay unnoticed when bets closed.

    Once cards are dealt a second person signs for it, `approved_by`.
    """

    table: f.TableName
    position: f.Seat
    player: f.PlayerName
    wager: f.WagerName
    amount: Cents
    approved_by: f.SecondPerson = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitEntropy:
    """Commits a device of a seated player to a secret that the order of the round's deck is composed with.

    `device` is a name that the client keeps: 1 to 40 letters, digits and hyphens. `commitment` are 64
    hexadecimal digits, as docs/fair-shuffle.md makes them. Only the player asks this, while bets are open.
    """

    table: f.TableName
    device: f.Device
    commitment: Annotated[str, f.Help("64 hexadecimal digits.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealEntropy:
    """Reveals the secret that a device has committed to, once bets are closed: 64 hexadecimal digits."""

    table: f.TableName
    device: f.Device
    secret: Annotated[str, f.Help("64 hexadecimal digits.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupt:
    """Records that the floor stopped in the middle of a table's round. The floor asks this itself."""

    table: f.TableName
    reason: f.Reason


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

    link: f.LinkName
    currency: Annotated[str, f.Help("Its currency, such as SGD.")]
    unit: Cents
    reset: Cents
    increment_bp: f.Percent
    reserve_bp: f.Percent
    approved_by: f.SecondPerson
    startup: Cents | None = None
    ceiling: Cents | None = None
    most_stake: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyClaim:
    """Says that a pit manager has seen the jackpot hand."""

    link: f.LinkName
    claim: f.ClaimNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectClaim:
    """Does not uphold a claim: the meter has it back."""

    link: f.LinkName
    claim: f.ClaimNumber
    reason: f.Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class DetermineOrder:
    """The House determines in which order waiting claims were dealt."""

    link: f.LinkName
    claims: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixClaims:
    """Fixes what no round still in play can come before any more. The floor asks this itself."""

    link: f.LinkName


@dataclass(frozen=True, slots=True, kw_only=True)
class FailLink:
    """Puts a jackpot out of order; member tables are told, each by its own book.

    Where a book voids a round of a sealed deck for it that was dealt from, a second person signs,
    `approved_by`.
    """

    link: f.LinkName
    reason: f.Reason
    approved_by: f.SecondPerson = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreLink:
    """Puts a jackpot back in order, with the meter and the parameters it had."""

    link: f.LinkName


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanParameters:
    """Parameters for after the present jackpot is won; what is None stays."""

    link: f.LinkName
    reason: f.Reason
    approved_by: f.SecondPerson
    unit: Cents | None = None
    reset: Cents | None = None
    increment_bp: Annotated[int | None, f.Help("In basis points: 100 are 1 %.")] = None
    reserve_bp: Annotated[int | None, f.Help("In basis points: 100 are 1 %.")] = None
    ceiling: Cents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Moves money between meter, reserve and overflow, approved by a second person."""

    link: f.LinkName
    source: f.Pool
    target: f.Pool
    amount: Cents
    reason: f.Reason
    approved_by: f.SecondPerson


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDispute:
    """Disputes a round; what the record says about it is gathered at once."""

    table: f.TableName
    round_number: Annotated[int, f.Help("A round, by its number.")]
    about: Annotated[str, f.Help("What it is about.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDispute:
    """Adds a note to a dispute: an account of the incident, or other evidence.

    `account_of` says whose account it is: `player` or `house`, or a name; without it the note is evidence. A
    note by Surveillance is Surveillance's evidence.
    """

    dispute: f.DisputeNumber
    text: Annotated[str, f.Help("The note.")]
    account_of: f.AccountOf = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EscalateDispute:
    """Passes a dispute up; Surveillance is informed with it."""

    dispute: f.DisputeNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveTimeFrame:
    """Tells the player by when his dispute should be settled."""

    dispute: f.DisputeNumber
    minutes: f.Minutes = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideDispute:
    """Decides a dispute, on a basis that the book names and that is on file."""

    dispute: f.DisputeNumber
    decision: Annotated[str, f.Help("What is decided.")]
    basis: f.Basis
    in_favour_of: f.Side
    complaint_explained: Annotated[bool, f.Help("The player was told that they may complain.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileComplaint:
    """Files the player's formal complaint about a decision."""

    dispute: f.DisputeNumber
    text: Annotated[str, f.Help("What the player writes.")]
    assisted_by: f.PersonName = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerComplaint:
    """Answers a formal complaint, for senior management."""

    dispute: f.DisputeNumber
    answer: Annotated[str, f.Help("The answer.")]


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

WITHOUT_FORM = (
    Act,
    Acts,
    SetPermissions,
    Interrupt,
    NoteAccount,
    FixClaims,
    ForgetAnswers,
    ReconcileRecord,
)
"""Requests without a form: acts are written at their table, what a failover has lost is named at the console,
the others only the floor or its console asks."""
