"""The command line, verb by verb, from what typer knows of it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer

from pitboss.cli.app import build_app
from pitboss.cli.main import VERBS
from site_pages.writing import code, plain, slug, table


def command_page() -> str:
    """Every verb with its arguments and options."""
    root = typer.main.get_command(build_app(VERBS))
    text = (
        "# The command line\n\nMade from the program itself; `--help` says the same at every level. Exit "
        "codes: 0 done, 1 the "
        "question was answered with a no, 2 bad input. Answers go to standard output, everything else to "
        "standard error; "
        "`--json` prints one JSON document.\n"
    )
    for words, command in _leaves(root, ("pitboss",)):
        text += _command(words, command)
    return text


def _leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The commands that do something, each with the words that name it."""
    if not hasattr(command, "list_commands"):
        yield words, command
        return
    context = command.make_context(words[-1], [], resilient_parsing=True)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None and not inner.hidden:
            yield from _leaves(inner, (*words, name))


def _command(words: tuple[str, ...], command: Any) -> str:
    name = " ".join(words)
    level = "##" if len(words) == 2 else "###"
    said = plain(inspect.cleandoc(command.help or ""))
    text = f"\n{level} {name} {{#{slug(name)}}}\n\n{said}\n\n"
    rows = [_parameter(parameter) for parameter in command.params if parameter.name != "help"]
    examples = "".join(f"* {code(example)}\n" for example in command.examples)
    return text + table(("", "meaning", "default"), rows) + (f"\nExamples:\n\n{examples}" if examples else "")


def _parameter(parameter: Any) -> tuple[str, str, str]:
    default = parameter.default
    shown = "" if default in (None, "", False, (), []) or callable(default) else code(default)
    if getattr(parameter, "param_type_name", "") == "argument":
        return code(parameter.metavar or (parameter.name or "").upper()), plain(parameter.help or ""), shown
    flags = ", ".join(code(option) for option in parameter.opts)
    value = "" if parameter.is_flag else f" {code(parameter.metavar or parameter.name.upper())}"
    more = (
        " May be given again." if parameter.multiple and "may be given" not in (parameter.help or "") else ""
    )
    return flags + value, plain(parameter.help or "") + more, shown
