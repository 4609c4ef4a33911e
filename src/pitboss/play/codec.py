"""Events as JSON, under names that never change: the table here, not the classes, is the format."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, near_miss
from pitboss.play import events as e

EVENT_NAMES: dict[str, type[e.Event]] = {
    "bets-opened.v1": e.BetsOpened,
    "wager-placed.v1": e.WagerPlaced,
    "wager-withdrawn.v1": e.WagerWithdrawn,
    "bets-closed.v1": e.BetsClosed,
    "cards-dealt.v1": e.CardsDealt,
    "cards-burned.v1": e.CardsBurned,
    "card-discarded.v1": e.CardDiscarded,
    "card-turned-up.v1": e.CardTurnedUp,
    "step-done.v1": e.StepDone,
    "card-entered.v1": e.CardEntered,
    "hand-viewed.v1": e.HandViewed,
    "hand-handled.v1": e.HandHandled,
    "decision-made.v1": e.DecisionMade,
    "share-folded.v1": e.ShareFolded,
    "player-absent.v1": e.PlayerAbsent,
    "absence-recorded.v1": e.AbsenceRecorded,
    "comparison-declined.v1": e.ComparisonDeclined,
    "hand-established.v1": e.HandEstablished,
    "hand-looked-at.v1": e.HandLookedAt,
    "place-revealed.v1": e.PlaceRevealed,
    "round-settled.v1": e.RoundSettled,
    "round-voided.v1": e.RoundVoided,
    "round-suspended.v1": e.RoundSuspended,
    "irregularity-reported.v1": e.IrregularityReported,
    "ruling-given.v1": e.RulingGiven,
    "cards-reconstructed.v1": e.CardsReconstructed,
    "entries-cleared.v1": e.EntriesCleared,
    "cards-ordered.v1": e.CardsOrdered,
    "hand-removed.v1": e.HandRemoved,
    "share-returned.v1": e.ShareReturned,
    "options-offered.v1": e.OptionsOffered,
    "withdrawal-permitted.v1": e.WithdrawalPermitted,
    "option-taken.v1": e.OptionTaken,
    "settlement-reversed.v1": e.SettlementReversed,
    "standing-order.v1": e.StandingOrder,
    "order-lifted.v1": e.OrderLifted,
    "gaming-day-begun.v1": e.GamingDayBegun,
    "jackpot-terms-set.v1": e.JackpotTermsSet,
    "rack-changed.v1": e.RackChanged,
    "jackpot-claimed.v1": e.JackpotClaimed,
    "jackpot-claim-dropped.v1": e.JackpotClaimDropped,
    "meter-fixed.v1": e.MeterFixed,
}
_NAMES = {kind: name for name, kind in EVENT_NAMES.items()}


def encode_event(event: e.Event) -> dict[str, Any]:
    """An event as JSON with its name."""
    return {"event": _NAMES[type(event)], **_encode(event)}


def decode_event(data: Mapping[str, Any], place: str = "event") -> e.Event:
    """The event of its JSON. Raises `BadInput` for a name or a field that does not exist."""
    name = data.get("event")
    if not isinstance(name, str) or name not in EVENT_NAMES:
        raise BadInput(place, f"no event is called {name!r}", near_miss(str(name), EVENT_NAMES))
    body = {key: value for key, value in data.items() if key != "event"}
    event: e.Event = _decode(EVENT_NAMES[name], body, place)
    return event


def _encode(value: Any) -> Any:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _encode(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_encode(inner) for inner in value]
    return value


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(kind: Any, data: Any, place: str) -> Any:
    """A value of a declared type from its JSON."""
    while isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    if kind is Card:
        return parse_card(data, place)
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        if data is None:
            return None
        (inner,) = [arg for arg in typing.get_args(kind) if arg is not type(None)]
        return _decode(inner, data, place)
    if origin is tuple:
        inner = typing.get_args(kind)[0]
        if not isinstance(data, list):
            raise BadInput(place, "is not a list", "write [ … ]")
        return tuple(_decode(inner, value, f"{place}[{index}]") for index, value in enumerate(data))
    if origin is not None and issubclass(origin, Mapping):
        keys, values = typing.get_args(kind)
        _object(data, place)
        return MappingProxyType({_key(keys, k): _decode(values, v, f"{place}.{k}") for k, v in data.items()})
    if is_dataclass(kind) and isinstance(kind, type):
        return _decode_dataclass(kind, data, place)
    if isinstance(kind, type) and issubclass(kind, Enum):
        if data not in [member.value for member in kind]:
            raise BadInput(
                place, f"{data!r} is no {kind.__name__}", near_miss(str(data), (m.value for m in kind))
            )
        return kind(data)
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise BadInput(place, f"{data!r} is not a {kind.__name__}")
    return data


def _key(kind: Any, key: str) -> Any:
    return int(key) if kind is int else key


def _object(data: Any, place: str) -> None:
    if not isinstance(data, Mapping):
        raise BadInput(place, "is not an object", "write { … }")


def _decode_dataclass(kind: type, data: Any, place: str) -> Any:
    _object(data, place)
    hints = _hints(kind)
    names = [field.name for field in fields(kind)]
    for key in data:
        if key not in names:
            raise BadInput(f"{place}.{key}", f"unknown key '{key}'", near_miss(key, names))
    for name in names:
        if name not in data:
            raise BadInput(f"{place}.{name}", "is missing", "write it")
    return kind(**{name: _decode(hints[name], data[name], f"{place}.{name}") for name in names})
