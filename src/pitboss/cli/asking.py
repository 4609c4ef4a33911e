"""Requests to the floor as commands: one for each, made from its fields, so that none is forgotten."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.floor_examples import EXAMPLES, SHORT
from pitboss.fields import SECOND_PERSON, Field, fields_of, name_of

if typing.TYPE_CHECKING:
    from pitboss.floor.requests import Request

PROPOSE = "ProposeRulebook"
"""The request that has a verb of its own: it reads the rulebook from a file."""


def add_commands(app: typer.Typer, do: Callable[..., None]) -> None:
    """Give the app a command for every request; `do` gets what makes the request of its fields as written."""
    from pitboss.floor.requests import WITHOUT_FORM, Request

    for kind in typing.get_args(Request):
        if kind not in WITHOUT_FORM and kind.__name__ != PROPOSE:
            name = command_name(kind)
            app.command(name, short_help=SHORT.get(name))(_command(kind, do))


def command_name(kind: type) -> str:
    """`OpenTable` is asked with `open-table`."""
    name = name_of(kind)
    return "create" if name == "create-floor" else name


def _command(kind: Any, do: Callable[..., None]) -> Callable[..., None]:
    fields = sorted(fields_of(kind), key=lambda field: not field.required)
    parameters = [_parameter(field) for field in fields]
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
    "person-on-shift": completing.people,
    "person-off-shift": completing.people,
    SECOND_PERSON: completing.people,
    "player": completing.players,
    "player-here": completing.players,
    "link": completing.links,
    "rulebook": completing.rulebooks,
    "rank": completing.positions,
    "procedure": completing.procedures,
}
"""How fields are completed in the shell, by what they stand for."""


def _parameter(field: Field) -> inspect.Parameter:
    """An argument for what must be said, an option for what may be."""
    kind: Any = {"flag": bool, "number": int}.get(field.writing.type, str)
    known = completing.one_of(field.options) if field.options else None
    said: dict[str, Any] = {
        "help": field.kind.help,
        "autocompletion": None if kind is bool else _COMPLETED.get(field.kind.name, known),
    }
    default: Any = inspect.Parameter.empty
    annotation: Any
    if field.required:
        annotation = Annotated[kind, typer.Argument(metavar=field.name.upper(), **said)]
    else:
        option = typer.Option(f"--{field.name.replace('_', '-')}", **said)
        default = field.default if kind is bool else None
        annotation = Annotated[kind if kind is bool else kind | None, option]
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def build(kind: Any, written: Mapping[str, Any]) -> Request:
    """A request from its fields as they were written. Raises `BadInput` for what is not one."""
    made: Request = kind(
        **{
            field.name: field.writing.parse(written[field.name], field.name)
            for field in fields_of(kind)
            if written.get(field.name) is not None
        }
    )
    return made
