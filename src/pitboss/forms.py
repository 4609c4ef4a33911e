"""Requests and acts as they are written outside the program: JSON forms made from the one vocabulary.

Each request of the floor and each command of play has a form with its fields. Money is a decimal string, a
card its code. Who acts is not written: it is whoever is signed in. What the floor itself adds to a command
(cards, the gaming day, what a link has fixed) has no field.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import Annotated, Any

import msgspec

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, check
from pitboss.floor import requests as q
from pitboss.money import Cents, format_cents, parse_cents
from pitboss.play import commands as c

LONGEST_TEXT = 4000
LONGEST_DOCUMENT = 2_000_000
MOST_ITEMS = 100
MOST = 2**31 - 1

Money = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{1,12}(\.[0-9]{1,2})?$",
        description="An amount of the table's currency as a decimal string.",
        examples=["25.00"],
    ),
]
CardCode = Annotated[
    str, msgspec.Meta(pattern="^(10|[2-9TJQKA])[cdhs]$", description="A card.", examples=["As"])
]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Document = Annotated[str, msgspec.Meta(max_length=LONGEST_DOCUMENT)]
Number = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Chips = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]

NOT_WRITTEN = ("by", "cards", "gaming_day", "jackpot", "fixed", "seated", "of_link")
"""Fields of commands that nobody writes: the session says who acts, the floor adds the rest."""

WRITTEN_AS = {"exposed_by": "by", "exposed_at": "at"}
"""Fields that are written under another name: as they are in a script."""

OWN_REQUESTS = (
    q.Act,
    q.Acts,
    q.SetPermissions,
    q.Interrupt,
    q.NoteAccount,
    q.FixClaims,
    q.ForgetAnswers,
    q.ReconcileRecord,
)
"""Requests without a form: acts are written at their table, what a failover has lost is named at the console,
the others only the floor or its console asks."""

Reader = Callable[[Any, str], Any]
Writer = Callable[[Any], Any]


def _same(value: Any, place: str = "") -> Any:
    if isinstance(value, str) and "\x00" in value:
        raise BadInput(place, "there is a NUL character in it", "leave it out")
    return value


class _Kind(typing.NamedTuple):
    """How a type is written: its type in the form, and what reads and writes a value."""

    form: Any
    read: Reader
    write: Writer


def _kind(hint: Any, field: str) -> _Kind:
    optional = type(None) in typing.get_args(hint)
    if optional:
        inner = _kind(next(arg for arg in typing.get_args(hint) if arg is not type(None)), field)
        return _Kind(
            inner.form | None if isinstance(inner.form, type) else typing.Optional[inner.form],  # noqa: UP045
            lambda value, place: None if value is None else inner.read(value, place),
            lambda value: None if value is None else inner.write(value),
        )
    if hint is Cents:
        return _Kind(Money, parse_cents, format_cents)
    if hint is Card:
        return _Kind(CardCode, lambda value, place: parse_card(value), lambda card: card.code)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        item = _kind(args[0], field)
        listed: Any = Annotated[list[item.form], msgspec.Meta(max_length=MOST_ITEMS)]  # type: ignore[name-defined]
        return _Kind(
            listed,
            lambda value, place: tuple(item.read(part, place) for part in value),
            lambda value: [item.write(part) for part in value],
        )
    if origin is Mapping:
        return _mapping(args, field)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _Kind(hint, _same, lambda member: member.value)
    forms: dict[Any, Any] = {str: Document if field == "document" else Text, int: Number, bool: bool}
    check(hint in forms, f"a form for {hint}")
    return _Kind(forms[hint], _same, _same)


def _mapping(args: tuple[Any, ...], field: str) -> _Kind:
    keys, values = args
    if keys is int:  # chips by denomination
        return _Kind(
            Annotated[dict[Money, Chips], msgspec.Meta(max_length=MOST_ITEMS)],
            lambda value, place: {parse_cents(key, place): number for key, number in value.items()},
            lambda value: {format_cents(Cents(key)): number for key, number in value.items()},
        )
    item = _kind(values, field)
    return _Kind(
        Annotated[dict[Text, item.form], msgspec.Meta(max_length=MOST_ITEMS)],  # type: ignore[name-defined]
        lambda value, place: {
            _same(key, place): item.read(part, f"{place}.{key}") for key, part in value.items()
        },
        lambda value: {key: item.write(part) for key, part in value.items()},
    )


class Form(typing.NamedTuple):
    """One form: its name, its type, and the class it is the form of."""

    name: str
    struct: type[msgspec.Struct]
    kind: Any
    parts: tuple[tuple[str, _Kind], ...]

    def read(self, written: msgspec.Struct, **more: Any) -> Any:
        """What was written, as the floor knows it. Raises `BadInput` with the field."""
        names = {name: WRITTEN_AS.get(name, name) for name, _ in self.parts}
        values = {name: part.read(getattr(written, names[name]), names[name]) for name, part in self.parts}
        return self.kind(**values, **more)

    def write(self, value: Any) -> dict[str, Any]:
        """A request or command as it is sent."""
        return {WRITTEN_AS.get(name, name): part.write(getattr(value, name)) for name, part in self.parts}


def name_of(kind: type) -> str:
    """`OpenTable` is written `open-table`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def _form(kind: Any, *, tag_field: str | None = None) -> Form:
    hints = typing.get_type_hints(kind)
    written = [field for field in fields(kind) if field.name not in NOT_WRITTEN or tag_field is None]
    parts = {field.name: _kind(hints[field.name], field.name) for field in written}
    columns: list[Any] = []
    for field in written:
        kept, name = parts[field.name], WRITTEN_AS.get(field.name, field.name)
        if field.default is MISSING and field.default_factory is MISSING:
            columns.append((name, kept.form))
        elif field.default is MISSING:
            columns.append((name, kept.form, msgspec.field(default_factory=dict)))
        else:
            default = kept.write(field.default) if isinstance(field.default, tuple) else field.default
            value = msgspec.field(default_factory=list) if default == [] else default
            columns.append((name, kept.form, value))
    if tag_field is not None:
        columns.append(("for_player", Text | None, None))
    struct = msgspec.defstruct(
        kind.__name__,
        columns,
        kw_only=True,
        frozen=True,
        forbid_unknown_fields=True,
        module=__name__,
        tag_field=tag_field,
        tag=None if tag_field is None else name_of(kind),
    )
    struct.__doc__ = kind.__doc__
    return Form(name_of(kind), struct, kind, tuple(parts.items()))


REQUESTS: dict[str, Form] = {
    name_of(kind): _form(kind) for kind in typing.get_args(q.Request) if kind not in OWN_REQUESTS
}
ACTS: dict[str, Form] = {name_of(kind): _form(kind, tag_field="do") for kind in typing.get_args(c.Command)}
_BY_STRUCT = {form.struct: form for form in ACTS.values()}

ActForm = typing.Union[tuple(form.struct for form in ACTS.values())]  # type: ignore[valid-type]  # noqa: UP007


def read_act(written: Any, actor: Callable[[str | None], c.Actor]) -> Any:
    """An act that was written, as a command of the one who acts."""
    form: Form = _BY_STRUCT[type(written)]
    for_player = _same(written.for_player, "for_player")
    return form.read(written, by=actor(for_player))


def write_act(command: c.Command) -> dict[str, Any]:
    """A command as it is sent. Who acts is not sent; for whom it is done is."""
    form = ACTS[name_of(type(command))]
    written = {"do": form.name, **form.write(command)}
    if isinstance(command.by, c.Staff) and command.by.for_player is not None:
        written["for_player"] = command.by.for_player
    return written


def write_request(request: Any) -> tuple[str, dict[str, Any]]:
    """A request's name and its body as it is sent."""
    form = REQUESTS[name_of(type(request))]
    return form.name, form.write(request)
