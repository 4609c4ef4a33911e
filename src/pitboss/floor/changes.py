"""What was changed, corrected, voided or overridden: before, after, why and who (A2), from the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, NamedTuple

from pitboss.floor import link_events as ke
from pitboss.floor import registry as r
from pitboss.floor import table_events as te
from pitboss.floor.overview import units
from pitboss.floor.ports import Micros, Recorded
from pitboss.money import Cents, format_cents
from pitboss.play import events as e


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


class ChangeLog:
    """Sees the events of a stream one after the other, and keeps what changed something since a moment."""

    def __init__(self, since: Micros) -> None:
        self.found: list[Change] = []
        self._since = since
        self._last: dict[str, Any] = {}

    def see(self, recorded: Recorded, event: Any) -> None:
        """The next event. Those before the moment are seen too, for what stood before a change."""
        tell = _TELL.get(type(event))
        told = tell(event, self._last) if tell is not None else None
        if told is None or recorded.at < self._since:
            return
        self.found.append(
            Change(
                recorded.at,
                recorded.stream,
                recorded.version,
                recorded.name.removesuffix(".v1"),
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


_MONEY = ("unit", "reset", "ceiling", "most_stake", "loss")
"""Figures of parameters and limits that are amounts; the others are counts."""


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        told = ((name, _money(found) if name in _MONEY else _text(found)) for name, found in value.items())
        return ", ".join(f"{name} {found or 'none'}" for name, found in told)
    return " to ".join(_text(part) for part in value) if isinstance(value, tuple | list) else str(value)


def _money(amount: int | None) -> str:
    return "" if amount is None else format_cents(Cents(amount))


def _amounts(limits: Mapping[str, tuple[Cents, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(_money(amount) for amount in limit) for name, limit in limits.items()}


def _set(last: dict[str, Any], name: str, new: Any) -> Any:
    """What stood under a name before, and remembers what stands now."""
    before = last.get(name)
    last[name] = new
    return before


def _limited(event: r.PlayerLimited, last: dict[str, Any]) -> _Told:
    new = {"loss": event.loss, "minutes": event.minutes, "from": event.from_day or "now"}
    return _Told(f"limits of {event.player}", _set(last, f"limits/{event.player}", new), new)


def _approved(event: r.RulebookApproved, last: dict[str, Any]) -> _Told:
    after = "in force" if event.in_force else "approved by one"
    before = _set(last, f"book/{event.rulebook}", after) or "proposed"
    return _Told(f"rulebook {event.rulebook[:12]}", before, after)


def _withdrawn(event: r.RulebookWithdrawn, last: dict[str, Any]) -> _Told:
    before = _set(last, f"book/{event.rulebook}", "withdrawn")
    return _Told(f"rulebook {event.rulebook[:12]}", before, "withdrawn", event.reason)


def _dealing(event: te.DealingSet, last: dict[str, Any]) -> _Told:
    new = asdict(event)
    return _Told("who deals", _set(last, "dealing", new), new)


def _slip(event: te.PayoutSlip, last: dict[str, Any]) -> _Told | None:
    if not event.corrects:
        return None
    what = f"slip {event.slip} takes slip {event.corrects} back"
    return _Told(what, _money(-event.amount), "0.00", event.reason)


def _excluded(event: r.PlayerExcluded, last: dict[str, Any]) -> _Told:
    after = f"excluded until {event.until}" if event.until else "excluded for good"
    before = _set(last, f"excluded/{event.player}", after) or "may play"
    return _Told(event.player, before, after, event.reason, "by himself" if event.by_himself else "")


_TELL: Mapping[type, Callable[[Any, dict[str, Any]], _Told | None]] = {
    r.PersonMoved: lambda v, _: _Told(f"position of {v.person}", v.before, v.position),
    r.PersonRemoved: lambda v, _: _Told(f"account of {v.person}", "open", "ended"),
    r.AccountNoted: lambda v, _: _Told(f"{v.what} of {v.kind}/{v.name}", also=v.by),
    r.PlayerLimited: _limited,
    r.PlayerExcluded: _excluded,
    r.PlayerBarred: lambda v, _: _Told(v.player, "may play", "barred", f"ruled at {v.table}"),
    r.PlayerUnbarred: lambda v, _: _Told(v.player, "barred", "may play", f"ruled at {v.table}"),
    r.RulebookApproved: _approved,
    r.RulebookWithdrawn: _withdrawn,
    te.LimitsSet: lambda v, _: _Told("limits", _amounts(v.before), _amounts(v.limits)),
    te.DealingSet: _dealing,
    te.DebtRecorded: lambda v, _: _Told(
        f"{v.player} owes", "0.00", _money(v.amount), "a settlement was undone"
    ),
    te.Interrupted: lambda v, _: _Told(f"round {v.round_number} interrupted", reason=v.reason),
    te.EntryCorrected: lambda v, _: _Told(f"entry {v.corrects}: {v.what}", reason=v.reason),
    te.PayoutSlip: _slip,
    e.CardCorrected: lambda v, _: _Told(
        f"card {v.number} at {v.place}", v.wrong.code, v.right.code if v.right else "taken back", v.reason
    ),
    e.DecisionTakenBack: lambda v, _: _Told(
        f"{v.decision} of position {v.position}", v.choice, "to be chosen", v.reason
    ),
    e.RulingGiven: lambda v, _: _Told(f"ruled {v.ruling.value} {v.argument}".rstrip(), reason=v.what),
    e.StandingOrder: lambda v, _: _Told(f"ordered {v.order.value} {v.argument}".rstrip()),
    e.OrderLifted: lambda v, _: _Told(f"lifted {v.order.value} {v.argument}".rstrip()),
    e.RoundVoided: lambda v, _: _Told("the round is void"),
    e.SettlementReversed: lambda v, _: _Told("the settlement is undone", _payouts(v), None),
    ke.LinkOpened: lambda v, _: _Told("the link is opened", None, v.parameters),
    ke.OpeningApproved: lambda v, _: _Told("its parameters are approved", also=f"with {v.approved_by}"),
    ke.ParametersPlanned: lambda v, _: _Told(
        "parameters after the present jackpot", v.before, v.parameters, v.reason, f"with {v.approved_by}"
    ),
    ke.ParametersTaken: lambda v, last: _Told("parameters taken", None, v.parameters),
    ke.Transferred: lambda v, _: _Told(
        f"{_money(v.amount)} from {v.source} to {v.target}", reason=v.reason, also=f"with {v.approved_by}"
    ),
    ke.AwardCorrected: lambda v, _: _Told(
        f"award of {v.table} round {v.round_number}",
        None,
        {"won": units(v.won), "meter": units(v.meter)},
        v.reason,
    ),
    ke.ClaimEnded: lambda v, _: _Told(f"claim {v.claim} is not paid", reason=v.reason, also=v.by),
    ke.LinkFailed: lambda v, _: _Told("jackpot", "in order", "out of order", v.reason),
    ke.LinkRestored: lambda v, _: _Told("jackpot", "out of order", "in order"),
}


def _payouts(event: e.SettlementReversed) -> dict[str, Any]:
    return {player: _money(amount) for player, amount in event.payouts.items()}
