"""Shapes as they are sent: what a client of the wire has of them."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, TypeVar, overload

import msgspec


@overload
def as_sent(shape: msgspec.Struct) -> dict[str, Any]: ...
@overload
def as_sent(shape: Any) -> Any: ...
def as_sent(shape: Any) -> Any:
    """A shape, or several, as the JSON of it reads."""
    return msgspec.json.decode(msgspec.json.encode(shape))


S = TypeVar("S", bound=msgspec.Struct)
_EMPTY = {str: "", int: 0, float: 0.0, bool: False, list: [], dict: {}}


def shape_of(kind: type[S], given: Mapping[str, Any]) -> S:
    """A shape with what is given, and with nothing in its other fields."""
    empty = {
        field.encode_name: _empty(field.type)
        for field in msgspec.structs.fields(kind)
        if field.required and field.encode_name not in given
    }
    return msgspec.convert(empty | dict(given), kind)


def _empty(hint: Any) -> Any:
    origin = typing.get_origin(hint) or hint
    if type(None) in typing.get_args(hint):
        return None
    return _EMPTY.get(origin, [])
