"""Requests to the floor as commands: one for each, made from its fields, so that none is forgotten."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.floor_examples import EXAMPLES, SHORT
from pitboss.errors import BadInput, is_number
from pitboss.money import Cents, parse_cents

_OWN = (
    "Act", "Acts", "ProposeRulebook", "FixClaims", "ForgetAnswers", "Interrupt", "NoteAccount",
    "ReconcileRecord", "SetPermissions",
)  # fmt: skip
"""Requests that are written in a way of their own, or that only the floor asks."""


def add_commands(app: typer.Typer, do: Callable[..., None]) -> None:
    """Give the app a command for every request; `do` gets the request's name and its fields as written."""
    from pitboss.floor import requests as q

    for kind in typing.get_args(q.Request):
        if kind.__name__ not in _OWN:
            name = command_name(kind)
            app.command(name, short_help=SHORT.get(name))(_command(kind, do))


def command_name(kind: type) -> str:
    """`OpenTable` is asked with `open-table`."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()
    return "create" if name == "create-floor" else name


def _command(kind: Any, do: Callable[..., None]) -> Callable[..., None]:
    hints = typing.get_type_hints(kind)
    parameters = []
    for field in sorted(fields(kind), key=lambda field: not _is_required(field)):
        parameters.append(_parameter(field, hints[field.name]))
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, annotation, default in _COMMON
    ]

    def run(**written: Any) -> None:
        common = {name: written.pop(name) for name, _, _ in _COMMON}
        do(lambda: build(kind, written), **common)

    example = EXAMPLES.get(command_name(kind), "")
    run.__doc__ = inspect.cleandoc(kind.__doc__) + (f"\n\nExample: {example}" if example else "")
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


_COMMON: list[tuple[str, Any, Any]] = [
    (
        "by",
        Annotated[
            str,
            typer.Option(
                "--by",
                help="Who asks: a person, or a player as player/NAME.",
                autocompletion=completing.everybody,
            ),
        ],
        "console",
    ),
    ("key", Annotated[str, typer.Option("--key", help="The same key again gets the first answer.")], ""),
    ("as_json", Annotated[bool, typer.Option("--json", help="Print one JSON document.")], False),
    ("data", Annotated[str | None, typer.Option("--data", metavar="DIR", help="The floor's folder.")], None),
    (
        "database",
        Annotated[str | None, typer.Option("--database", metavar="URL", help="Its database.")],
        None,
    ),
]


_COMPLETED: dict[str, Callable[..., Any]] = {
    "table": completing.tables,
    "person": completing.people,
    "player": completing.players,
    "link": completing.links,
    "rulebook": completing.rulebooks,
    "approved_by": completing.people,
    "witness": completing.people,
    "account_of": completing.players,
    "position": completing.positions,
    "procedure": completing.procedures,
    "cards": completing.makings,
}
"""How fields are completed in the shell, by name."""


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _parameter(field: Field[Any], hint: Any) -> inspect.Parameter:
    """An argument for what must be said, an option for what may be."""
    required = _is_required(field)
    flag = hint is bool
    kind: Any = bool if flag else int if hint in (int, int | None) else str
    option = f"--{field.name.replace('_', '-')}"
    annotation: Any
    if required:
        annotation = Annotated[
            kind,
            typer.Argument(
                metavar=field.name.upper(), help=_form(hint), autocompletion=_COMPLETED.get(field.name)
            ),
        ]
        return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)
    default = field.default if flag else None
    completed = None if flag else _COMPLETED.get(field.name)
    annotation = Annotated[
        kind if flag else kind | None, typer.Option(option, help=_form(hint), autocompletion=completed)
    ]
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _form(hint: Any) -> str:
    """How a value is written."""
    if hint in (Cents, Cents | None):
        return "An amount, such as 25 or 25.00."
    if hint == Mapping[int, int]:
        return "Chips by denomination, such as 100=50,25=200,5=200."
    if typing.get_origin(hint) is tuple:
        return "Several, with commas between them."
    if "tuple[" in str(hint):
        return "Limits, such as ante=25:1000,bonus=5:500."
    return ""


def build(kind: Any, written: Mapping[str, Any]) -> Any:
    """A request from its fields as they were written. Raises `BadInput` for what is not one."""
    hints = typing.get_type_hints(kind)
    given = {name: value for name, value in written.items() if value is not None}
    return kind(**{name: _value(name, hints[name], value) for name, value in given.items()})


def _value(name: str, hint: Any, text: Any) -> Any:
    if hint in (Cents, Cents | None):
        return parse_cents(text, name)
    if hint == Mapping[int, int]:
        return parse_count(text, name)
    if typing.get_origin(hint) is tuple:
        items = [item for item in text.split(",") if item]
        return tuple(_number(item, name) for item in items) if int in typing.get_args(hint) else tuple(items)
    if "tuple[" in str(hint):
        return parse_limits(text, name)
    return text


def _number(text: str, name: str) -> int:
    if not is_number(text):
        raise BadInput(name, f"'{text}' is no number", "write numbers with commas between them")
    return int(text)


def parse_count(text: str, name: str) -> dict[int, int]:
    """Chips by denomination: `100=50,25=200`."""
    count: dict[int, int] = {}
    for part in filter(None, text.split(",")):
        worth, equals, number = part.partition("=")
        if not equals or not is_number(number):
            raise BadInput(name, f"'{part}' is no count", "write denomination=number, such as 25=200")
        count[parse_cents(worth, name)] = int(number)
    return count


def parse_limits(text: str, name: str) -> dict[str, tuple[Cents, ...]]:
    """Limits by wager: `ante=25:1000,bonus=5:500`."""
    limits: dict[str, tuple[Cents, ...]] = {}
    for part in filter(None, text.split(",")):
        wager, equals, span = part.partition("=")
        low, colon, high = span.partition(":")
        if not equals or not colon:
            raise BadInput(name, f"'{part}' are no limits", "write wager=least:most, such as ante=25:1000")
        limits[wager] = (parse_cents(low, name), parse_cents(high, name))
    return limits
