"""What happened at a link: contributions, claims on their way, outages, parameters, transfers."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.cards import HandClass
from pitboss.floor.ports import Micros
from pitboss.money import NO_UNITS, Cents, LedgerUnits
from pitboss.play.encoding import later
from pitboss.play.table import AwardedHand, ClaimedHand
from pitboss.rulebooks.plan import Clauses
from pitboss.rulebooks.vocabulary import HitOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What a link runs with. `ceiling` None is none; `most_stake` is the most one round can have staked.

    Above the ceiling what would go to the meter goes to the overflow.
    """

    unit: Cents
    reset: Cents
    increment_bp: int
    reserve_bp: int
    ceiling: Cents | None
    most_stake: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedShare:
    """What a claimed hand is paid."""

    position: int
    player: str
    hand_class: HandClass
    amount: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOpened:
    """A link with its meter at `startup`, which the house puts in."""

    currency: str
    startup: Cents
    parameters: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningApproved:
    """A second person has approved the parameters and the startup value that the link was opened with."""

    approved_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberJoined:
    """A table plays for this jackpot from now on."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberLeft:
    """A table does not play for it any more."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed:
    """A round's jackpot stakes when bets closed, and what of them went where."""

    table: str
    round_number: int
    stake: Cents
    meter: LedgerUnits
    overflow: LedgerUnits
    reserve: LedgerUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionReturned:
    """Stakes went back to their owners: what they had added comes out again.

    `total` is what they had added to meter and overflow; what a winner has taken since, the house bears.
    """

    table: str
    round_number: int
    stake: Cents
    total: LedgerUnits
    meter: LedgerUnits
    overflow: LedgerUnits
    reserve: LedgerUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEntered:
    """A round has won a share of the meter; `dealt_at` is when its cards left the device."""

    claim: int
    table: str
    round_number: int
    rulebook: str
    ordered_by: HitOrder
    dealt_at: Micros
    hands: tuple[ClaimedHand, ...]
    clauses: Clauses
    returned: LedgerUnits = later(NO_UNITS)  # noqa: RUF009
    others: tuple[AwardedHand, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFixed:
    """The meter a claim is paid on, each share, and what the meter is after; `why` says what decided.

    `from_reserve` and `from_house` fund a reset; the house's part is negative where a reset took money off,
    and by what the meter pays of fixed awards, which the house has paid. `unmeasured` of what was displayed
    no share is measured on.
    """

    claim: int
    why: str
    displayed: LedgerUnits
    reset: Cents
    shares: tuple[FixedShare, ...]
    after: LedgerUnits
    from_reserve: LedgerUnits
    from_house: LedgerUnits
    resets: bool
    clauses: Clauses
    unmeasured: LedgerUnits = later(NO_UNITS)  # noqa: RUF009


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimUnfixed:
    """A claim ahead of this one was not upheld: what was fixed goes back, and it is fixed again."""

    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerified:
    """Somebody who did not enter it has found the claim good."""

    claim: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEnded:
    """A claim that is not paid: not upheld, or its hand is out. What was fixed goes back."""

    claim: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPaid:
    """Paid at the table; `slip` numbers the hits that the link has paid, without a gap.

    People know it as the hit's number. The payout slip is the table's, under a number of its own.
    """

    claim: int
    slip: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardCorrected:
    """A settlement with awards was undone or made again: what meter and reserve get back, or pay more.

    `hits` is how many awards more there are now; it is negative where some were undone. `shares` are what
    the round is paid now, none where all of them were undone. With `unwon` the meter had been won whole, and
    is not by those that are left.
    """

    table: str
    round_number: int
    meter: LedgerUnits
    reserve: LedgerUnits
    won: LedgerUnits
    hits: int
    reason: str
    clauses: Clauses
    shares: tuple[FixedShare, ...] = later(())
    unwon: bool = later(default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedAwardsPaid:
    """The meter has paid fixed awards of a round without a share of it; the house kept it at its floor.

    Both are negative where the settlement was undone.
    """

    table: str
    round_number: int
    paid: LedgerUnits
    funded: LedgerUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFailed:
    """Out of order. `registered` is the meter before the fault.

    `approved_by` is the second person, where rounds of sealed decks are void for it.
    """

    reason: str
    registered: LedgerUnits
    approved_by: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRestored:
    """The jackpot takes wagers again, with what it had."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersPlanned:
    """Parameters for after the present jackpot is won; a ceiling above the meter holds at once."""

    before: Parameters
    parameters: Parameters
    reason: str
    approved_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersTaken:
    """Parameters that were planned hold from now on."""

    parameters: Parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersRestored:
    """The jackpot that parameters waited for is not won after all: those of before hold again.

    `hit` is the number of the payment they were taken with; nobody has won the meter whole since. `planned`
    wait again: the parameters that were taken, or others that were planned meanwhile.
    """

    hit: int
    parameters: Parameters
    planned: Parameters
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transferred:
    """Money moved between the link's own accounts, approved by a second person."""

    source: str
    target: str
    amount: Cents
    reason: str
    approved_by: str


LinkEvent = (
    LinkOpened
    | OpeningApproved
    | MemberJoined
    | MemberLeft
    | Contributed
    | ContributionReturned
    | ClaimEntered
    | ClaimFixed
    | ClaimUnfixed
    | ClaimVerified
    | ClaimEnded
    | ClaimPaid
    | AwardCorrected
    | FixedAwardsPaid
    | LinkFailed
    | LinkRestored
    | ParametersPlanned
    | ParametersTaken
    | ParametersRestored
    | Transferred
)
