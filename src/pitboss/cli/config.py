"""`pitboss config`: which settings hold, and where each comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from pitboss.cli import configuration
from pitboss.cli.colour import CHOICES
from pitboss.cli.output import console, print_json, say_warning
from pitboss.cli.place import AsJson
from pitboss.cli.variables import unknown_variables
from pitboss.errors import BadInput, is_number, near_miss, shortened

DEFAULT = "default"
HIDDEN = "set (not shown)"


def register(app: typer.Typer) -> None:
    app.command("config")(config_command)


@dataclass(frozen=True, slots=True)
class Effective:
    """A setting that holds, and who says so: a file, a variable, or nobody."""

    name: str
    value: str
    origin: str
    problem: str = ""


def config_command(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="All options of a command, such as: serve"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the settings that hold and where each comes from: default, file, or variable of the environment.

    Files are config.toml of the user and pitboss.toml of this folder; the environment is stronger than both,
    and an option on the command line is stronger than all. Passwords and keys are not shown.

    Examples: pitboss config; pitboss config serve
    """
    from rich.table import Table
    from rich.text import Text

    from pitboss.cli.tables import print_table

    found = configuration.current()
    if found.problems:
        raise found.problems[0]
    rows = list(_of_command(found, tuple(command))) if command else [*_general(found), *_of_files(found)]
    if as_json:
        settings = {row.name: {"value": row.value, "from": row.origin} for row in rows}
        print_json({"files": found.files, "settings": settings})
        return
    out = console()
    for file in found.files:
        out.print(f"file {file}", markup=False, highlight=False)
    table = Table(box=None, pad_edge=False, show_header=False)
    for name in ("name", "value", "origin"):
        table.add_column(name)
    for row in rows:
        table.add_row(Text(row.name), Text(row.value or "-"), Text(row.origin))
    print_table(out, table)
    for variable in unknown_variables(found.given):
        say_warning(variable)
    for problem in (row.problem for row in rows if row.problem):
        say_warning(problem)


def _general(found: configuration.Configuration) -> Iterator[Effective]:
    from pitboss.folders import data_folder

    fallbacks = {"data": str(data_folder(None)), "color": CHOICES[0], "database": "sqlite in the data folder"}
    fallbacks |= {"cache": "the user's cache", "threads": "all cores", "beacon": "none"}
    fallbacks |= {f"{name}-seconds": usual for name, usual in _usual_patience()}
    set_here = found.tables.get((), {})
    for key, variable in configuration.GENERAL.items():
        told = found.given.get(variable)
        if told:
            yield Effective(key, configuration.hidden(told), variable, _not_a_number(key, told, variable))
        elif key in set_here:
            yield Effective(key, configuration.hidden(set_here[key].value), set_here[key].origin)
        else:
            yield Effective(key, fallbacks[key], DEFAULT)
    for variable in configuration.SECRETS:
        if found.given.get(variable):
            yield Effective(variable.removeprefix("PITBOSS_").lower(), HIDDEN, variable)


def _usual_patience() -> Iterator[tuple[str, str]]:
    """How long connections to the database wait where nothing is set: of the service, and of commands."""
    from pitboss.store.connections import COMMANDING, SERVING, SETTINGS

    for name in SETTINGS:
        serving, commanding = getattr(SERVING, name), getattr(COMMANDING, name)
        yield name, f"{serving:g}" if serving == commanding else f"{serving:g}, commands {commanding:g}"


def _not_a_number(key: str, told: str, variable: str) -> str:
    """What is wrong with a number of the environment, else nothing."""
    if key == "threads" and not (is_number(told) and int(told)):
        return f"{variable}: '{shortened(told)}' is no number of threads"
    if key.endswith("-seconds"):
        from pitboss.store.connections import seconds

        try:
            seconds(told, variable)
        except BadInput as bad:
            return f"{bad.place}: {bad.problem}"
    return ""


def _of_files(found: configuration.Configuration) -> Iterator[Effective]:
    """What the files say about single commands, checked against the commands there are."""
    for path in sorted(path for path in found.tables if path):
        named = {row.name: row for row in _of_command(found, path)}
        for key in found.tables[path]:
            yield named[".".join((*path, key))]


def _of_command(found: configuration.Configuration, path: tuple[str, ...]) -> Iterator[Effective]:
    """Every option of a command. Raises `BadInput` for a command that there is not, and for bad settings."""
    from pitboss.cli.grammar import long_name, options_of, variable

    command = _command(path)
    options = list(options_of(command))
    defaults = found.defaults(path, options, long_name)
    for option in options:
        name = ".".join((*path, long_name(option)))
        told = found.given.get(variable(path, option))
        general = configuration.GENERAL.get(long_name(option), "")
        if told:
            origin = variable(path, option)
            yield Effective(name, configuration.hidden(told), origin, _wrong(command, option, told, origin))
        elif option.name in defaults:
            origin = found.tables[path][long_name(option)].origin
            yield Effective(name, configuration.hidden(str(defaults[option.name])), origin)
        elif general and os.environ.get(general):
            origin = general if found.given.get(general) else found.tables[()][long_name(option)].origin
            yield Effective(name, configuration.hidden(os.environ[general]), origin)
        else:
            yield Effective(name, "" if option.default is None else str(option.default), DEFAULT)


def _wrong(command: Any, option: Any, told: str, origin: str) -> str:
    """What is wrong with a value of the environment, as the command itself would say it; else nothing."""
    from pitboss.cli.grammar import long_name, usage_problem

    if option.multiple:
        return ""
    try:
        option.process_value(typer.Context(command), told)
    except typer.TyperException as error:
        if option.is_flag:
            return f"{origin}: '{shortened(told)}' is neither true nor false"
        return f"{origin}: {usage_problem(error).problem.removeprefix(f'--{long_name(option)}: ')}"
    return ""


def _command(path: tuple[str, ...]) -> Any:
    from pitboss.cli.app import command_line
    from pitboss.cli.main import VERBS

    if path[0] not in VERBS:
        raise BadInput("", f"no command '{path[0]}'", near_miss(path[0], VERBS))
    command: Any = command_line((path[0],))
    for at, word in enumerate(path):
        names = command.list_commands(None) if hasattr(command, "list_commands") else []
        if word not in names:
            raise BadInput("", f"no command '{' '.join(path[: at + 1])}'", near_miss(word, names))
        command = command.get_command(None, word)
    return command


def checked_files(found: configuration.Configuration) -> Iterator[BadInput]:
    """Everything that is wrong with the files of settings."""
    yield from found.problems
    sound = configuration.Configuration(files=found.files, tables=found.tables, given=found.given)
    for path in sorted(path for path in found.tables if path):
        try:
            list(_of_command(sound, path))
        except BadInput as bad:
            place = bad.place or f"{next(iter(found.tables[path].values())).origin}: {'.'.join(path)}"
            yield BadInput(place, bad.problem, bad.remedy)


def readable_secrets(found: configuration.Configuration) -> Iterator[str]:
    """Files with a password in an address that not only their owner can read."""
    settings = [setting for table in found.tables.values() for setting in table.values()]
    secret = {each.origin for each in settings if configuration.hidden(str(each.value)) != str(each.value)}
    yield from (file for file in found.files if file in secret and os.stat(file).st_mode & 0o077)
