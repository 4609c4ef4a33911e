"""Dataclasses as JSON and back, by their declared types. The converters of a type are built once.

A value that does not fit its type is `BadInput` with the place; nothing is guessed, and nothing left out but
a field that an event got `later`, while it says nothing.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, is_number, near_miss

Encoder = Callable[[Any], Any]
Decoder = Callable[[Any, str], Any]
_LATER = "later"


def later(default: str | int | tuple[()] | None) -> Any:
    """A field of an event or a request that there were before without it.

    It is written only where it differs from this, so that what was stored reads as it did.
    """
    return field(default=default, metadata={_LATER: True})


@lru_cache(maxsize=1024)
def got_later(kind: Any) -> dict[str, Any]:
    """The fields that a type got later, with what they are where they are not written."""
    return {part.name: part.default for part in fields(kind) if _LATER in part.metadata}


def _same(value: Any) -> Any:
    return value


@lru_cache(maxsize=1024)
def encoder_for(kind: Any) -> Encoder:
    """What turns a value of a type into JSON."""
    kind = _bare(kind)
    if kind is Card:
        return _card_code
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        inner = encoder_for(_one_of(kind))
        return _same if inner is _same else lambda value: None if value is None else inner(value)
    if origin is frozenset:
        return sorted
    if origin is tuple:
        inner = encoder_for(typing.get_args(kind)[0])
        return list if inner is _same else lambda value: [inner(item) for item in value]
    if origin is not None and issubclass(origin, Mapping):
        inner = encoder_for(typing.get_args(kind)[1])
        return lambda value: {str(key): inner(item) for key, item in value.items()}
    if is_dataclass(kind) and isinstance(kind, type):
        hints = typing.get_type_hints(kind)
        parts = [(part.name, encoder_for(hints[part.name])) for part in fields(kind)]
        later_ones = got_later(kind)
        if later_ones:
            return lambda value: {
                name: encode(getattr(value, name))
                for name, encode in parts
                if name not in later_ones or getattr(value, name) != later_ones[name]
            }
        return lambda value: {name: encode(getattr(value, name)) for name, encode in parts}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_value
    return _same


def _card_code(card: Card) -> str:
    return card.code


def _enum_value(member: Enum) -> Any:
    return member.value


@lru_cache(maxsize=1024)
def decoder_for(kind: Any) -> Decoder:
    """What turns JSON into a value of a type; the second argument is the place, for errors."""
    kind = _bare(kind)
    if kind is Card:
        return _card
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        inner = decoder_for(_one_of(kind))
        return lambda data, place: None if data is None else inner(data, place)
    if origin in (tuple, frozenset):
        return _listed(decoder_for(typing.get_args(kind)[0]), origin)
    if origin is not None and issubclass(origin, Mapping):
        keys, values = typing.get_args(kind)
        return _mapped(decoder_for(values), numbers=_bare(keys) is int)
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind)
    return _plain(kind)


def _bare(kind: Any) -> Any:
    while isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    return kind


def _one_of(kind: Any) -> Any:
    """The type of a value that may be absent; no other unions are stored."""
    (inner,) = [arg for arg in typing.get_args(kind) if arg is not type(None)]
    return inner


def _card(data: Any, place: str) -> Card:
    return parse_card(data, place)


def _listed(inner: Decoder, kind: Any) -> Decoder:
    def decode(data: Any, place: str) -> Any:
        if type(data) is not list:
            raise BadInput(place, "is not a list", "write [ … ]")
        return kind([inner(item, place) for item in data])

    return decode


def _mapped(inner: Decoder, *, numbers: bool) -> Decoder:
    def decode(data: Any, place: str) -> Any:
        check_object(data, place)
        if numbers:
            wrong = next((key for key in data if not is_number(key)), None)
            if wrong is not None:
                raise BadInput(place, f"'{wrong}' is no number", "write a whole number")
            return MappingProxyType({int(key): inner(item, place) for key, item in data.items()})
        return MappingProxyType({key: inner(item, place) for key, item in data.items()})

    return decode


def _dataclass(kind: type) -> Decoder:
    hints = typing.get_type_hints(kind)
    names = [part.name for part in fields(kind)]
    later_ones = {name: encoder_for(hints[name])(default) for name, default in got_later(kind).items()}
    parts = [(name, decoder_for(hints[name]), f".{name}") for name in names]
    known = frozenset(names)

    def decode(data: Any, place: str) -> Any:
        if later_ones and type(data) is dict:
            _tell_empty(data, later_ones, place)
            data = later_ones | data
        if type(data) is not dict or data.keys() != known:
            _tell_keys(data, names, place)
        try:
            return kind(**{name: inner(data[name], place) for name, inner, _ in parts})
        except BadInput:
            for name, inner, at in parts:  # once more, to say where
                inner(data[name], place + at)
            raise

    return decode


def _tell_empty(data: dict[str, Any], later_ones: dict[str, Any], place: str) -> None:
    """One event has one text: what says nothing is left out."""
    for name, default in later_ones.items():
        if name in data and data[name] == default:
            raise BadInput(f"{place}.{name}", "says nothing", "leave it out")


def _tell_keys(data: Any, names: list[str], place: str) -> None:
    check_object(data, place)
    for key in data:
        if key not in names:
            raise BadInput(f"{place}.{key}", f"unknown key '{key}'", near_miss(key, names))
    for name in names:
        if name not in data:
            raise BadInput(f"{place}.{name}", "is missing", "write it")


def check_object(data: Any, place: str) -> None:
    """Raise `BadInput` unless the data are an object of JSON."""
    if not isinstance(data, Mapping):
        raise BadInput(place, "is not an object", "write { … }")


def _enum(kind: type[Enum]) -> Decoder:
    members = {member.value: member for member in kind}

    def decode(data: Any, place: str) -> Any:
        try:
            return members[data]
        except (KeyError, TypeError):
            raise BadInput(place, f"{data!r} is no {kind.__name__}", near_miss(str(data), members)) from None

    return decode


def _plain(kind: Any) -> Decoder:
    def decode(data: Any, place: str) -> Any:
        if type(data) is not kind:
            raise BadInput(place, f"{data!r} is not a {kind.__name__}")
        return data

    return decode


class Codec:
    """Events under names that never change: the table given here, not the classes, is the format."""

    def __init__(self, names: Mapping[str, type]) -> None:
        self.names = dict(names)
        self._of = {kind: name for name, kind in names.items()}

    def encode(self, event: Any) -> tuple[str, dict[str, Any]]:
        """The name of an event and its JSON."""
        kind: Any = type(event)
        body: dict[str, Any] = encoder_for(kind)(event)
        return self._of[kind], body

    def decode(self, name: object, body: Any, place: str = "event") -> Any:
        """The event of its name and JSON. Raises `BadInput` for a name or a field that does not exist."""
        kind = self.names.get(name) if isinstance(name, str) else None
        if kind is None:
            raise BadInput(place, f"no event is called {name!r}", near_miss(str(name), self.names))
        return decoder_for(kind)(body, place)
