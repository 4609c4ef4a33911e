"""The command line with its verbs, each imported only when it is wanted."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from pitboss.cli.colour import CHOICES, choose
from pitboss.cli.grammar import Commands, adopt
from pitboss.errors import BadInput, near_miss
from pitboss.version import __version__

HELP = """House-banked poker by the book: rulebooks as data, settlement to the cent, clause by clause.

Options may also be set in files and in the environment: see 'pitboss config --help'.

Examples: pitboss rules list; pitboss rules show mbs-thb-9; pitboss --color never rules diff mbs-thb-9
rws-thp-2; pitboss --install-completion
"""


def build_app(verbs: tuple[str, ...]) -> typer.Typer:
    """The command line with some of its verbs; with one, only that one's module is imported."""
    app = Commands(name="pitboss", help=HELP, add_completion=True, pretty_exceptions_enable=False)
    app.callback()(_root)
    for verb in verbs:
        import_module(f"pitboss.cli.{verb.replace('-', '_')}").register(app)
    adopt(app)
    return app


@cache
def command_line(verbs: tuple[str, ...]) -> Any:
    """The command line with some of its verbs, ready to be invoked, also more than once."""
    return typer.main.get_command(build_app(verbs))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


def _root(
    color: Annotated[
        str,
        typer.Option(
            "--color", metavar="WHEN", help="auto, always or never.", autocompletion=lambda: list(CHOICES)
        ),
    ] = "auto",
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and leave.", is_eager=True, callback=_version),
    ] = False,
) -> None:
    if color not in CHOICES:
        raise BadInput("--color", f"no colour '{color}'", near_miss(color, CHOICES))
    choose(color)
