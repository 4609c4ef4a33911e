"""A linked jackpot: one meter for several tables, a stream of its own.

Contributions enter when bets close. Hits are claimed, fixed, verified and paid: fixed at entry where the book
orders by entry, and where it orders by the deal once no round still in play was dealt earlier, or the House
has determined the order. Whatever is fixed leaves the meter at once, so that what is contributed afterwards
belongs to the next jackpot. Fractions of a cent stay with the meter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from pitboss.errors import InvariantError
from pitboss.floor.link_events import (
    AwardCorrected,
    ClaimEnded,
    ClaimEntered,
    ClaimFixed,
    ClaimPaid,
    ClaimUnfixed,
    ClaimVerified,
    Contributed,
    ContributionReturned,
    FixedAwardsPaid,
    FixedShare,
    LinkEvent,
    LinkFailed,
    LinkOpened,
    LinkRestored,
    MemberJoined,
    MemberLeft,
    OpeningApproved,
    Parameters,
    ParametersPlanned,
    ParametersRestored,
    ParametersTaken,
    Transferred,
)
from pitboss.floor.ports import Micros
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits, to_units
from pitboss.play.encoding import later
from pitboss.play.table import AwardedHand, ClaimedHand
from pitboss.play.transitions import Transition
from pitboss.rulebooks.vocabulary import HitOrder

HISTORY = 25
"""How many hits a link remembers for its display; all are in the record."""


class ClaimStatus(StrEnum):
    """How far a claim has come."""

    ENTERED = "entered"
    FIXED = "fixed"
    VERIFIED = "verified"
    PAID = "paid"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutIn:
    """What a round has put in altogether, whatever of it went back; of the meter nothing once that is won."""

    stake: Cents
    total: LedgerUnits
    meter: LedgerUnits
    overflow: LedgerUnits
    reserve: LedgerUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """What a round in play has put in and may still take back, of each account.

    `total` went to meter and overflow together. Once a jackpot that holds a contribution was won whole, it is
    with the winner: the meter's part is gone, and the house bears it if the stake goes back. `put_in` is what
    it was at first: by the difference a return is undone.
    """

    round_number: int
    stake: Cents
    total: LedgerUnits
    meter: LedgerUnits
    overflow: LedgerUnits
    reserve: LedgerUnits
    put_in: PutIn | None = later(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hit on its way. `entered_at` and `dealt_at` are both kept, whichever the book goes by.

    `fixed_as` is its number in the order of payment; `spent` is what rounds in play had put into the meter
    that it takes whole, by table.
    """

    claim: int
    table: str
    round_number: int
    rulebook: str
    ordered_by: HitOrder
    entered_at: Micros
    dealt_at: Micros
    entered_by: str
    hands: tuple[ClaimedHand, ...]
    fixed: ClaimFixed | None = None
    verified_by: str = ""
    fixed_as: int = 0
    spent: Mapping[str, LedgerUnits] = field(default_factory=dict)
    returned: LedgerUnits = later(NO_UNITS)
    others: tuple[AwardedHand, ...] = later(())

    @property
    def status(self) -> ClaimStatus:
        """How far it has come; a claim that is paid is a `Hit`."""
        if self.verified_by:
            return ClaimStatus.VERIFIED
        return ClaimStatus.ENTERED if self.fixed is None else ClaimStatus.FIXED

    @property
    def award(self) -> ClaimFixed:
        """What a claim that is paid was fixed as."""
        if self.fixed is None:
            raise InvariantError(f"claim {self.claim} is not fixed")
        return self.fixed

    @property
    def payable(self) -> bool:
        """Whether it is fixed and verified."""
        return self.fixed is not None and bool(self.verified_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A paid hit, for the history and the large-win report.

    `slip` is the link's own number of the payment. `before` are the parameters that held until this hit,
    where others were taken with it and have not been put back.
    """

    claim: int
    table: str
    round_number: int
    rulebook: str
    paid_at: Micros
    slip: int
    verified_by: str
    shares: tuple[FixedShare, ...]
    meter_after: LedgerUnits
    from_reserve: LedgerUnits
    spent: Mapping[str, LedgerUnits]
    before: Parameters | None = None
    undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The fold of a link's stream. `booked` is what each table's round in play has put in.

    `registered` is the meter before an outage, or what the last claim fixed in it has left; `regained` is
    what claims that were rejected, and settlements that were undone, have given back to it since.
    """

    link: str
    currency: str = ""
    parameters: Parameters | None = None
    planned: Parameters | None = None
    members: frozenset[str] = frozenset()
    meter: LedgerUnits = NO_UNITS
    overflow: LedgerUnits = NO_UNITS
    reserve: LedgerUnits = NO_UNITS
    held: LedgerUnits = NO_UNITS
    house: LedgerUnits = NO_UNITS
    wagers_in: LedgerUnits = NO_UNITS
    total_won: LedgerUnits = NO_UNITS
    hits: int = 0
    slips: int = 0
    fixes: int = 0
    claims_entered: int = 0
    booked: Mapping[str, Booked] = field(default_factory=dict)
    claims: Mapping[int, Claim] = field(default_factory=dict)
    history: tuple[Hit, ...] = ()
    out_of_order: str = ""
    outages: int = 0
    registered: LedgerUnits = NO_UNITS
    regained: LedgerUnits = later(NO_UNITS)

    @property
    def displayed(self) -> LedgerUnits:
        """What a win is measured on: the meter, in an outage the value registered before it."""
        return LedgerUnits(self.registered + self.regained) if self.out_of_order else self.meter

    @property
    def terms(self) -> Parameters:
        """The parameters in use; a link has them from its first event on."""
        if self.parameters is None:
            raise InvariantError("a link that is opened has parameters")
        return self.parameters

    def claim_of(self, table: str) -> Claim | None:
        """The claim that a table's round waits for."""
        return next((claim for claim in self.claims.values() if claim.table == table), None)

    def behind(self, number: int) -> list[Claim]:
        """Claims fixed after this one, in the order of payment; they were paid on what it had left."""
        first = self.claims[number].fixed_as
        later = [claim for claim in self.claims.values() if first and claim.fixed_as > first]
        return sorted(later, key=lambda claim: claim.fixed_as)

    def ahead(self, claim: Claim) -> list[Claim]:
        """Claims that are paid before this one."""
        return [other for other in self.claims.values() if other.fixed and other.fixed_as < claim.fixed_as]

    @property
    def waiting(self) -> list[Claim]:
        """Claims whose amount is not fixed yet, in the order of the deal."""
        unfixed = [claim for claim in self.claims.values() if claim.fixed is None]
        return sorted(unfixed, key=lambda claim: (claim.dealt_at, claim.claim))


LinkStep = Transition[Link, LinkEvent]
"""An event of a link, with the link before and after it."""


def moved(link: Link, **units: int) -> Link:
    """The link once its accounts have so much more."""
    changes: dict[str, Any] = {name: getattr(link, name) + more for name, more in units.items()}
    return replace(link, **changes)


def evolve_link(link: Link, event: LinkEvent, at: Micros, actor: str) -> Link:
    """The link after one event."""
    return _EVOLVE[type(event)](link, event, at, actor)


def _opened(link: Link, event: LinkOpened, at: Micros, actor: str) -> Link:
    link = replace(link, currency=event.currency, parameters=event.parameters)
    return moved(link, meter=to_units(event.startup), house=-to_units(event.startup))


def _joined(link: Link, event: MemberJoined, at: Micros, actor: str) -> Link:
    return replace(link, members=link.members | {event.table})


def _left(link: Link, event: MemberLeft, at: Micros, actor: str) -> Link:
    return replace(link, members=link.members - {event.table})


def _contributed(link: Link, event: Contributed, at: Micros, actor: str) -> Link:
    link = moved(
        link,
        meter=event.meter,
        overflow=event.overflow,
        reserve=event.reserve,
        house=-(event.meter + event.overflow + event.reserve),
        wagers_in=to_units(event.stake),
    )
    booked = Booked(
        round_number=event.round_number,
        stake=event.stake,
        total=LedgerUnits(event.meter + event.overflow),
        meter=event.meter,
        overflow=event.overflow,
        reserve=event.reserve,
    )
    before = link.booked.get(event.table)
    if before is not None and before.round_number == event.round_number:
        before_it = before.put_in
        booked = replace(
            _together(before, booked), put_in=None if before_it is None else _more_in(before_it, event)
        )
    else:
        booked = replace(booked, put_in=_more_in(_NOTHING_IN, event))
    return replace(link, booked={**link.booked, event.table: booked})


_NOTHING_IN = PutIn(stake=NOTHING, total=NO_UNITS, meter=NO_UNITS, overflow=NO_UNITS, reserve=NO_UNITS)


def _more_in(one: PutIn, event: Contributed) -> PutIn:
    return PutIn(
        stake=Cents(one.stake + event.stake),
        total=LedgerUnits(one.total + event.meter + event.overflow),
        meter=LedgerUnits(one.meter + event.meter),
        overflow=LedgerUnits(one.overflow + event.overflow),
        reserve=LedgerUnits(one.reserve + event.reserve),
    )


def _together(one: Booked, more: Booked) -> Booked:
    """What a round has put in when bets closed, and what was entered afterwards that lay there then."""
    return Booked(
        round_number=one.round_number,
        stake=Cents(one.stake + more.stake),
        total=LedgerUnits(one.total + more.total),
        meter=LedgerUnits(one.meter + more.meter),
        overflow=LedgerUnits(one.overflow + more.overflow),
        reserve=LedgerUnits(one.reserve + more.reserve),
    )


def _returned(link: Link, event: ContributionReturned, at: Micros, actor: str) -> Link:
    back = event.meter + event.overflow + event.reserve
    link = moved(
        link,
        meter=-event.meter,
        overflow=-event.overflow,
        reserve=-event.reserve,
        house=back,
        wagers_in=-to_units(event.stake),
    )
    booked = link.booked.get(event.table)
    if booked is None or booked.round_number != event.round_number:
        return link
    left = replace(
        booked,
        stake=Cents(booked.stake - event.stake),
        total=LedgerUnits(booked.total - event.total),
        meter=LedgerUnits(booked.meter - event.meter),
        overflow=LedgerUnits(booked.overflow - event.overflow),
        reserve=LedgerUnits(booked.reserve - event.reserve),
    )
    return replace(link, booked={**link.booked, event.table: left})


def _entered(link: Link, event: ClaimEntered, at: Micros, actor: str) -> Link:
    claim = Claim(
        claim=event.claim,
        table=event.table,
        round_number=event.round_number,
        rulebook=event.rulebook,
        ordered_by=event.ordered_by,
        entered_at=at,
        dealt_at=event.dealt_at,
        entered_by=actor,
        hands=event.hands,
        returned=event.returned,
        others=event.others,
    )
    return replace(link, claims={**link.claims, event.claim: claim}, claims_entered=event.claim)


def _fixed(link: Link, event: ClaimFixed, at: Micros, actor: str) -> Link:
    claim = replace(link.claims[event.claim], fixed=event, fixed_as=link.fixes + 1)
    link = replace(link, fixes=link.fixes + 1)
    link = moved(
        link,
        meter=event.after - link.meter,
        reserve=-event.from_reserve,
        house=-event.from_house,
        held=sum(to_units(share.amount) for share in event.shares),
    )
    if link.out_of_order:
        link = replace(link, registered=event.after, regained=NO_UNITS)
    if event.resets:  # what rounds in play had put in goes to the winner
        spent = {table: booked.meter for table, booked in link.booked.items() if booked.meter}
        gone = {table: _with_the_winner(booked) for table, booked in link.booked.items()}
        claim, link = replace(claim, spent=spent), replace(link, booked=gone)
    return replace(link, claims={**link.claims, event.claim: claim})


def _with_the_winner(booked: Booked) -> Booked:
    put_in = booked.put_in
    return replace(booked, meter=NO_UNITS, put_in=None if put_in is None else replace(put_in, meter=NO_UNITS))


def _put_back(link: Link, spent: Mapping[str, LedgerUnits]) -> Link:
    """A jackpot was not won after all: what rounds in play had put in is in the meter again."""
    booked = dict(link.booked)
    for table, meter in spent.items():
        if table in booked and not booked[table].meter:
            found, put_in = booked[table], booked[table].put_in
            if put_in is not None:
                put_in = replace(put_in, meter=LedgerUnits(put_in.total - put_in.overflow))
            booked[table] = replace(found, meter=LedgerUnits(min(meter, found.total)), put_in=put_in)
    return replace(link, booked=booked)


def _verified(link: Link, event: ClaimVerified, at: Micros, actor: str) -> Link:
    claim = replace(link.claims[event.claim], verified_by=event.by)
    return replace(link, claims={**link.claims, event.claim: claim})


def _without(link: Link, number: int) -> Link:
    return replace(link, claims={n: claim for n, claim in link.claims.items() if n != number})


def _unfixed(link: Link, event: ClaimUnfixed, at: Micros, actor: str) -> Link:
    link = _gone_back(link, event.claim)
    claim = replace(link.claims[event.claim], fixed=None, fixed_as=0, spent={})
    return replace(link, claims={**link.claims, event.claim: claim})


def _ended(link: Link, event: ClaimEnded, at: Micros, actor: str) -> Link:
    return _without(_gone_back(link, event.claim), event.claim)


def _gone_back(link: Link, number: int) -> Link:
    """What was fixed goes back where it came from: to the meter, and out of the funds of its reset."""
    fixed = link.claims[number].fixed
    if fixed is not None:
        held = sum(to_units(share.amount) for share in fixed.shares)
        link = moved(
            link,
            held=-held,
            reserve=fixed.from_reserve,
            house=fixed.from_house,
            meter=held - fixed.from_reserve - fixed.from_house,
        )
        link = _regained(link, fixed.displayed - fixed.after)
        link = _put_back(link, link.claims[number].spent)
    return link


def _regained(link: Link, units: int) -> Link:
    """In an outage what a claim had taken off the meter is on the value registered before the fault again."""
    return moved(link, regained=units) if link.out_of_order else link


def _paid(link: Link, event: ClaimPaid, at: Micros, actor: str) -> Link:
    claim = link.claims[event.claim]
    award = claim.award
    won = sum(to_units(share.amount) for share in award.shares)
    hit = Hit(
        claim=claim.claim,
        table=claim.table,
        round_number=claim.round_number,
        rulebook=claim.rulebook,
        paid_at=at,
        slip=event.slip,
        verified_by=claim.verified_by,
        shares=award.shares,
        meter_after=award.after,
        from_reserve=award.from_reserve,
        spent=claim.spent,
    )
    link = moved(_without(link, event.claim), held=-won, total_won=won)
    return replace(
        link,
        hits=link.hits + len(award.shares),
        slips=event.slip,
        history=(*link.history[-(HISTORY - 1) :], hit),
    )


def _corrected(link: Link, event: AwardCorrected, at: Micros, actor: str) -> Link:
    link = moved(
        link,
        meter=event.meter,
        reserve=event.reserve,
        house=-(event.meter + event.reserve + event.won),
        total_won=event.won,
        hits=event.hits,
    )
    link = _regained(link, event.meter)
    history = []
    key = (event.table, event.round_number)
    numbers = [hit.slip for hit in link.history if (hit.table, hit.round_number) == key]
    for hit in link.history:
        if hit.slip == max(numbers, default=0):  # a round that was paid, undone and paid again has two
            hit = replace(hit, from_reserve=LedgerUnits(hit.from_reserve - event.reserve))
            if event.unwon:
                link, hit = _put_back(link, hit.spent), replace(hit, spent={})
            if event.shares:
                hit = replace(hit, shares=event.shares, undone=False)
            elif event.hits < 0 and event.won < 0:  # else others have the share of a hand that is out
                link = _put_back(link, hit.spent)
                hit = replace(hit, undone=True)
        history.append(hit)
    return replace(link, history=tuple(history))


def _fixed_awards(link: Link, event: FixedAwardsPaid, at: Micros, actor: str) -> Link:
    return moved(link, meter=event.funded - event.paid, house=event.paid - event.funded)


def _failed(link: Link, event: LinkFailed, at: Micros, actor: str) -> Link:
    return replace(
        link,
        out_of_order=event.reason,
        outages=link.outages + 1,
        registered=event.registered,
        regained=NO_UNITS,
    )


def _restored(link: Link, event: LinkRestored, at: Micros, actor: str) -> Link:
    return replace(link, out_of_order="", regained=NO_UNITS)


def _planned(link: Link, event: ParametersPlanned, at: Micros, actor: str) -> Link:
    now = replace(link.terms, ceiling=event.parameters.ceiling)
    return replace(link, parameters=now, planned=event.parameters)


def _taken(link: Link, event: ParametersTaken, at: Micros, actor: str) -> Link:
    last = link.history[-1:]  # they are taken with the hit that was paid just now
    history = link.history[:-1] + tuple(replace(hit, before=link.terms) for hit in last)
    return replace(link, parameters=event.parameters, planned=None, history=history)


def _put_back_in_force(link: Link, event: ParametersRestored, at: Micros, actor: str) -> Link:
    history = tuple(replace(hit, before=None) if hit.slip >= event.hit else hit for hit in link.history)
    return replace(link, parameters=event.parameters, planned=event.planned, history=history)


def _transferred(link: Link, event: Transferred, at: Micros, actor: str) -> Link:
    units = to_units(event.amount)
    return moved(link, **{event.source: -units, event.target: units})


_EVOLVE: dict[type[LinkEvent], Callable[[Link, Any, Micros, str], Link]] = {
    LinkOpened: _opened,
    OpeningApproved: lambda link, event, at, actor: link,
    MemberJoined: _joined,
    MemberLeft: _left,
    Contributed: _contributed,
    ContributionReturned: _returned,
    ClaimEntered: _entered,
    ClaimFixed: _fixed,
    ClaimUnfixed: _unfixed,
    ClaimVerified: _verified,
    ClaimEnded: _ended,
    ClaimPaid: _paid,
    AwardCorrected: _corrected,
    FixedAwardsPaid: _fixed_awards,
    LinkFailed: _failed,
    LinkRestored: _restored,
    ParametersPlanned: _planned,
    ParametersTaken: _taken,
    ParametersRestored: _put_back_in_force,
    Transferred: _transferred,
}
