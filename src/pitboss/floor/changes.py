"""What was changed, corrected, voided or overridden: before, after, why and who (A2), from the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple

from pitboss.floor import disputes as d
from pitboss.floor import link_events as ke
from pitboss.floor import patrons as p
from pitboss.floor import registry as r
from pitboss.floor import table_events as te
from pitboss.floor.gaming_table import PERSON
from pitboss.floor.link import Link
from pitboss.floor.overview import units
from pitboss.floor.ports import SECOND, Micros, Recorded
from pitboss.floor.slips import why_of
from pitboss.money import Cents, format_cents
from pitboss.play import events as e
from pitboss.play.table import JackpotTerms
from pitboss.rulebooks.vocabulary import Duty


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `before` and `after` are empty where something was undone or ordered, not set."""

    at: Micros
    stream: str
    version: int
    kind: str
    what: str
    before: str
    after: str
    reason: str
    by: str
    clauses: tuple[str, ...]


class _Told(NamedTuple):
    what: str
    before: Any = None
    after: Any = None
    reason: str = ""
    also: str = ""


_NO_LINK = Link(link="")


@dataclass(slots=True)
class _Seen:
    """What stood before: figures by their names, the link, why the round is in trouble."""

    stood: dict[str, Any] = field(default_factory=dict)
    link: Link = _NO_LINK
    link_then: Link = _NO_LINK
    why: str = ""

    def put(self, name: str, new: Any) -> Any:
        """What stood under a name before; what stands now is remembered."""
        before = self.stood.get(name)
        self.stood[name] = new
        return before


class ChangeLog:
    """Sees the events of a stream one after the other, and keeps what changed something since a moment."""

    def __init__(self, since: Micros) -> None:
        self.found: list[Change] = []
        self._since = since
        self._seen = _Seen()

    def see(self, recorded: Recorded, event: Any, *, link: Link | None = None) -> None:
        """The next event, and the link after it where it is one of a link.

        Those before the moment are seen too, for what stood before a change.
        """
        seen = self._seen
        if link is not None:
            seen.link_then, seen.link = seen.link, link
        if isinstance(event, e.BetsOpened):
            seen.why = ""
        seen.why = why_of(event) or seen.why
        tell = CHANGES.get(type(event))
        told = tell(event, seen) if tell is not None else None
        if told is None or recorded.at < self._since:
            return
        self.found.append(
            Change(
                recorded.at,
                recorded.stream,
                recorded.version,
                recorded.name.rpartition(".v")[0],
                told.what,
                *_difference(told.before, told.after),
                told.reason,
                recorded.actor + (f", {told.also}" if told.also else ""),
                tuple(str(clause) for clause in getattr(event, "clauses", ())),
            )
        )


def _difference(before: Any, after: Any) -> tuple[str, str]:
    """Only what differs, where both are several figures."""
    old, new = _plain(before), _plain(after)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        names = [name for name in new if old.get(name) != new.get(name)]
        names += [name for name in old if name not in new]
        old = {name: old[name] for name in names if name in old}
        new = {name: new[name] for name in names if name in new}
    return _text(old), _text(new)


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


_MONEY = ("unit", "reset", "ceiling", "most_stake", "loss", "chip")
"""Figures of parameters and limits that are amounts; the others are counts."""

_SHARES = {"increment_bp": "increment", "reserve_bp": "reserve increment"}
"""Parts of a stake, kept in hundredths of a percent."""


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(_figure(name, found) for name, found in value.items())
    return " to ".join(_text(part) for part in value) if isinstance(value, tuple | list) else str(value)


def _figure(name: str, value: Any) -> str:
    if name in _SHARES:
        percent = f"{value // 100}.{value % 100:02d}".rstrip("0").rstrip(".")
        return f"{_SHARES[name]} {percent} %"
    return f"{name.replace('_', ' ')} {(_money(value) if name in _MONEY else _text(value)) or 'none'}"


def _date(at: Micros) -> str:
    return datetime.fromtimestamp(at / SECOND, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _money(amount: int | None) -> str:
    return "" if amount is None else format_cents(Cents(amount))


def _amounts(limits: Mapping[str, tuple[Cents, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(_money(amount) for amount in limit) for name, limit in limits.items()}


def _names(found: Iterable[str]) -> str:
    return ", ".join(sorted(found))


# --- the house ------------------------------------------------------------------------------------------


def _limited(event: r.PlayerLimited, seen: _Seen) -> _Told:
    new = {"loss": event.loss, "minutes": event.minutes, "from": event.from_day or "now"}
    return _Told(f"limits of {event.player}", seen.put(f"limits/{event.player}", new), new, event.reason)


def _approved(event: r.RulebookApproved, seen: _Seen) -> _Told:
    after = "in force" if event.in_force else "approved by one"
    before = seen.put(f"book/{event.rulebook}", after) or "proposed"
    return _Told(f"rulebook {event.rulebook[:12]}", before, after)


def _withdrawn(event: r.RulebookWithdrawn, seen: _Seen) -> _Told:
    before = seen.put(f"book/{event.rulebook}", "withdrawn") or "proposed"
    return _Told(f"rulebook {event.rulebook[:12]}", before, "withdrawn", event.reason)


def _excluded(event: r.PlayerExcluded, seen: _Seen) -> _Told:
    after = f"excluded until {event.until}" if event.until else "excluded for good"
    before = seen.put(f"excluded/{event.player}", after) or "may play"
    return _Told(event.player, before, after, event.reason, "by himself" if event.by_himself else "")


# --- a table ------------------------------------------------------------------------------------------------


def _opened(event: te.TableOpened, seen: _Seen) -> _Told | None:
    """What is set with the opening. A table that opens as it stood before changes nothing."""
    figures = {
        "rulebook": event.rulebook[:12],
        "layout": event.layout,
        "procedure": event.procedure,
        "positions": event.positions,
        "cards": event.cards,
        "practice": "yes" if event.practice else "no",
        "currency": event.currency,
        "decision_seconds": event.decision_seconds,
        "chip": event.chip,
        "link": event.link,
    }
    now: dict[str, Mapping[str, Any]] = {
        "opening": figures,
        "limits": _amounts(event.limits),
        "dealing": {"dealt_by": PERSON},
        "jackpot": {} if event.jackpot is None else _terms(event.jackpot),
    }
    stood = {name: seen.put(name, new) for name, new in now.items()}
    after = dict(chain.from_iterable(found.items() for found in now.values()))
    if stood["opening"] is None:
        return _Told("the table opens", None, after, event.reason)
    stood["dealing"] = {"dealt_by": stood["dealing"]["dealt_by"]}  # its times are the clock's
    before = dict(chain.from_iterable(found.items() for found in stood.values()))
    return None if before == after else _Told("the table opens", before, after, event.reason)


def _terms(jackpot: JackpotTerms | e.JackpotTermsSet) -> dict[str, int]:
    return {"unit": jackpot.unit, "reset": jackpot.reset, "increment_bp": jackpot.increment_bp}


def _limits_set(event: te.LimitsSet, seen: _Seen) -> _Told:
    seen.put("limits", _amounts(event.limits))
    return _Told("limits", _amounts(event.before), _amounts(event.limits), event.reason)


def _dealing(event: te.DealingSet, seen: _Seen) -> _Told:
    new: dict[str, Any] = {"dealt_by": event.dealt_by}
    if event.dealt_by != PERSON:
        new |= {"betting_seconds": event.betting_seconds, "pause_seconds": event.pause_seconds}
    return _Told("who deals", seen.put("dealing", new), new, event.reason)


def _terms_set(event: e.JackpotTermsSet, seen: _Seen) -> _Told:
    new = _terms(event)
    return _Told("the jackpot's terms at the table", seen.put("jackpot", new), new, "as the link has them")


def _meter_read(event: e.MeterRead, seen: _Seen) -> _Told | None:
    """The meter is read when a share of it is paid; what it is reset to may have changed since."""
    before = seen.stood.get("jackpot", {})
    if before.get("reset") == event.reset:
        return None
    new = before | {"reset": event.reset}
    return _Told("the jackpot's terms at the table", seen.put("jackpot", new), new, "as the link has them")


def _debt(event: te.DebtRecorded, seen: _Seen) -> _Told:
    name = f"debt/{event.player}"
    owed = seen.stood.get(name, 0)
    seen.put(name, owed + event.amount)
    return _Told(f"{event.player} owes", _money(owed), _money(owed + event.amount), "a settlement was undone")


def _debt_reduced(event: te.DebtReduced, seen: _Seen) -> _Told:
    name = f"debt/{event.player}"
    owed = seen.stood.get(name, 0)
    seen.put(name, owed - event.amount)
    left = owed - event.amount
    return _Told(f"{event.player} owes", _money(owed), _money(left), "the round was settled again")


def _composed(event: te.OrderComposed, seen: _Seen) -> _Told | None:
    """Devices that did not reveal were left out of the order of the deck."""
    if not event.withheld:
        return None
    devices = ", ".join(f"{left.device} of {left.player}" for left in event.withheld)
    return _Told(f"order composed without {devices}", reason="they did not reveal in time")


def _slip(event: te.PayoutSlip, seen: _Seen) -> _Told | None:
    if not event.corrects:
        return None
    what = f"payout slip {event.slip} takes payout slip {event.corrects} back"
    return _Told(what, _money(-event.amount), "0.00", event.reason)


def _unnoticed(event: e.UnnoticedWagerEntered, seen: _Seen) -> _Told:
    what = f"unnoticed wager of {event.player} on {event.wager} at position {event.position}"
    also = f"with {event.approved_by}" if event.approved_by else ""
    return _Told(what, "0.00", _money(event.amount), "lay there when bets closed", also)


def _duty(event: e.DutyDone, seen: _Seen) -> _Told | None:
    """Of the duties only a new pack changes something."""
    if event.duty is not Duty.NEW_PACK:
        return None
    return _Told("the pack", "in play", "replaced by a new one", seen.why)


def _order(event: e.StandingOrder | e.OrderLifted, seen: _Seen) -> _Told:
    stands = isinstance(event, e.StandingOrder)
    what = f"order {event.order.value} {event.argument}".rstrip()
    return _Told(what, "not given" if stands else "stands", "stands" if stands else "lifted", seen.why)


def _payouts(event: e.SettlementReversed) -> dict[str, Any]:
    return {player: _money(amount) for player, amount in event.payouts.items()}


# --- a link -------------------------------------------------------------------------------------------------


def _members(event: ke.MemberJoined | ke.MemberLeft, seen: _Seen) -> _Told:
    does = "opens" if isinstance(event, ke.MemberJoined) else "closes"
    before, after = _names(seen.link_then.members), _names(seen.link.members)
    return _Told("tables that play for it", before or "none", after or "none", f"table {event.table} {does}")


def _planned(event: ke.ParametersPlanned, seen: _Seen) -> _Told:
    what, also = "parameters after the present jackpot", f"with {event.approved_by}"
    seen.put("planned", (event.reason, also))
    return _Told(what, event.before, event.parameters, event.reason, also)


def _taken(event: ke.ParametersTaken, seen: _Seen) -> _Told:
    reason, also = seen.put("planned", None) or ("", "")
    seen.put("taken", (reason, also))
    return _Told("parameters taken", seen.link_then.parameters, event.parameters, reason, also)


def _put_back(event: ke.ParametersRestored, seen: _Seen) -> _Told:
    seen.put("planned", seen.stood.get("planned") or seen.stood.get("taken"))
    what = f"parameters taken with hit {event.hit} wait again"
    return _Told(what, seen.link_then.parameters, event.parameters, event.reason)


def _accounts(seen: _Seen, *names: str) -> tuple[dict[str, str], dict[str, str]]:
    """Accounts of the link before and after the event."""
    before, after = (
        {name: units(getattr(link, name)) for name in names} for link in (seen.link_then, seen.link)
    )
    return before, after


def _award(event: ke.AwardCorrected, seen: _Seen) -> _Told:
    what = f"award of {event.table} round {event.round_number}"
    before, after = _accounts(seen, "total_won", "meter", "reserve")
    return _Told(what, before, after, event.reason)


def _given_back(event: ke.ContributionReturned, seen: _Seen) -> _Told:
    before, after = _accounts(seen, "meter", "overflow", "reserve")
    what = f"contribution of {event.table} round {event.round_number}"
    return _Told(what, before, after, "its stakes went back")


def _transferred(event: ke.Transferred, seen: _Seen) -> _Told:
    before, after = _accounts(seen, event.source, event.target)
    what = f"{_money(event.amount)} from {event.source} to {event.target}"
    return _Told(what, before, after, event.reason, f"with {event.approved_by}")


def _created(event: r.FloorCreated) -> dict[str, Any]:
    """A floor as it was created; its permissions are those of the version."""
    return {name: value for name, value in asdict(event).items() if name != "permissions"}


CHANGES: Mapping[type, Callable[[Any, _Seen], _Told | None]] = {
    r.FloorCreated: lambda v, _: _Told("the floor", None, _created(v)),
    r.PermissionsSet: lambda v, _: _Told("permissions", None, v.permissions[0], "another version of Pitboss"),
    r.PersonAdded: lambda v, _: _Told(f"position of {v.person}", "no account", v.position),
    r.PersonMoved: lambda v, _: _Told(f"position of {v.person}", v.before, v.position, v.reason),
    r.PersonRemoved: lambda v, _: _Told(f"account of {v.person}", "open", "ended", v.reason),
    r.RecordReconciled: lambda v, _: _Told(
        f"{v.count} acknowledged changes and {len(v.checkpoints)} checkpoints are lost",
        v.before,
        v.after,
        "the database came back without them",
    ),
    r.AnswersForgotten: lambda v, _: _Told(
        "kept answers", f"{v.done + v.others} more", f"none before {_date(v.before)}", "older than any retry"
    ),
    r.AccountNoted: lambda v, _: _Told(f"{v.what} of {v.kind}/{v.name}", also=v.by),
    r.PlayerLimited: _limited,
    r.PlayerExcluded: _excluded,
    r.PlayerBarred: lambda v, _: _Told(v.player, "may play", "barred", f"ruled at {v.table}"),
    r.PlayerUnbarred: lambda v, _: _Told(v.player, "barred", "may play", f"ruled at {v.table}"),
    r.RulebookApproved: _approved,
    r.RulebookWithdrawn: _withdrawn,
    te.TableOpened: _opened,
    te.LimitsSet: _limits_set,
    te.DealingSet: _dealing,
    te.DebtRecorded: _debt,
    te.DebtReduced: _debt_reduced,
    te.Interrupted: lambda v, _: _Told(f"round {v.round_number} interrupted", reason=v.reason),
    te.EntryCorrected: lambda v, _: _Told(f"entry {v.corrects}: {v.what}", reason=v.reason),
    te.SealBroken: lambda v, _: _Told(f"the sealed deck of round {v.round_number}", "sealed", v.what),
    te.VoidNoted: lambda v, _: _Told(
        f"round {v.round_number} of a sealed deck is void",
        reason=v.reason,
        also=f"with {v.signed_by}" if v.signed_by else "",
    ),
    te.PayoutSlip: _slip,
    te.OrderComposed: _composed,
    e.CardCorrected: lambda v, _: _Told(
        f"card {v.number} at {v.place}", v.wrong.code, v.right.code if v.right else "taken back", v.reason
    ),
    e.DecisionTakenBack: lambda v, _: _Told(
        f"{v.decision} of position {v.position}", v.choice, "to be chosen", v.reason
    ),
    e.RulingGiven: lambda v, _: _Told(f"ruled {v.ruling.value} {v.argument}".rstrip(), reason=v.what),
    e.UnnoticedWagerEntered: _unnoticed,
    e.DutyDone: _duty,
    e.JackpotBetsStopped: lambda v, seen: _Told("jackpot bets", "taken", "stopped", seen.why),
    e.StandingOrder: _order,
    e.OrderLifted: _order,
    e.RoundVoided: lambda v, seen: _Told("the round", "in play", "void", seen.why),
    e.SettlementReversed: lambda v, seen: _Told("the settlement is undone", _payouts(v), None, seen.why),
    e.HandRemoved: lambda v, seen: _Told(f"hand of position {v.position}", "in play", "removed", seen.why),
    e.ShareReturned: lambda v, seen: _Told(
        f"share of {v.player} on position {v.position}", "in play", "returned", seen.why
    ),
    e.CardsReconstructed: lambda v, seen: _Told("the cards are put where they belong", reason=seen.why),
    e.EntriesCleared: lambda v, seen: _Told("cards are entered again", reason=seen.why),
    e.CardsOrdered: lambda v, seen: _Told("the order of the cards is set", reason=seen.why),
    e.JackpotTermsSet: _terms_set,
    e.MeterRead: _meter_read,
    e.JackpotClaimDropped: lambda v, _: _Told("claim to the jackpot", "made", "dropped", v.reason),
    ke.LinkOpened: lambda v, _: _Told("the link is opened", None, v.parameters),
    ke.OpeningApproved: lambda v, _: _Told("its parameters are approved", also=f"with {v.approved_by}"),
    ke.MemberJoined: _members,
    ke.MemberLeft: _members,
    ke.ParametersPlanned: _planned,
    ke.ParametersTaken: _taken,
    ke.ParametersRestored: _put_back,
    ke.Transferred: _transferred,
    ke.AwardCorrected: _award,
    ke.ContributionReturned: _given_back,
    ke.ClaimUnfixed: lambda v, _: _Told(
        f"claim {v.claim}", "fixed", "to be fixed again", "one ahead of it is not paid"
    ),
    ke.ClaimEnded: lambda v, _: _Told(f"claim {v.claim} is not paid", reason=v.reason, also=v.by),
    ke.LinkFailed: lambda v, _: _Told("jackpot", "in order", "out of order", v.reason),
    ke.LinkRestored: lambda v, _: _Told("jackpot", "out of order", "in order"),
}
"""Every event that changes, corrects, voids or overrides something, and how it is told."""

NO_CHANGES: frozenset[type] = frozenset(
    {
        # who and what there is, without a figure of its own
        r.PlayerAdded,
        r.RulebookProposed,
        r.TableAdded,
        r.LinkAdded,
        # people and chips as they come and go
        te.TableClosed,
        te.StaffAssigned,
        te.StaffRelieved,
        te.SeatTaken,
        te.SeatLeft,
        te.BoughtIn,
        te.CashedOut,
        te.Filled,
        te.Credited,
        te.SupervisorCalled,
        te.CallAnswered,
        p.StayEnded,
        p.DeviceCounted,
        p.DeviceWithheld,
        # a round as it goes
        te.CommitmentsSealed,
        te.DeckSealed,
        te.EntropyCommitted,
        te.EntropyRevealed,
        te.CardsDrawn,
        te.DeckOpened,
        e.BetsOpened,
        e.WagerPlaced,
        e.ExcessRejected,
        e.JackpotHandLeft,
        e.WagerWithdrawn,
        e.BetsClosed,
        e.CardsDealt,
        e.CardsBurned,
        e.CardDiscarded,
        e.CardTurnedUp,
        e.StepDone,
        e.CardEntered,
        e.HandViewed,
        e.HandHandled,
        e.DecisionMade,
        e.ShareFolded,
        e.PlayerAbsent,
        e.AbsenceRecorded,
        e.ComparisonDeclined,
        e.HandEstablished,
        e.HandLookedAt,
        e.PlaceRevealed,
        e.RoundSettled,
        e.GamingDayBegun,
        e.RackChanged,
        # trouble before anything is done about it
        e.IrregularityReported,
        e.RoundSuspended,
        e.OptionsOffered,
        e.WithdrawalPermitted,
        e.OptionTaken,
        # a jackpot as it goes
        e.JackpotClaimed,
        ke.Contributed,
        ke.ClaimEntered,
        ke.ClaimFixed,
        ke.ClaimVerified,
        ke.ClaimPaid,
        ke.FixedAwardsPaid,
        # disputes, which are told whole by themselves
        d.DisputeOpened,
        d.DisputeNoted,
        d.DisputeEscalated,
        d.TimeFrameGiven,
        d.DisputeDecided,
        d.ComplaintFiled,
        d.ComplaintAnswered,
    }
)
"""The other events. A new kind of event is put here or above; a test asks for it."""
