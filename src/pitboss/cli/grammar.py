"""What every command has in common: examples in its help, near-misses, defaults of file and environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from pitboss.cli import configuration
from pitboss.cli.watching import watching
from pitboss.errors import BadInput, near_miss, shortened

_EXAMPLES = re.compile(r"(?:\A|\n)[ \t]*Examples?:\s(.*)\Z", re.DOTALL)
_BETWEEN = re.compile(r";\s+(?=pitboss )")
_ITS_OWN_TERMINAL = ("play", "serve", "drill")
"""Commands that talk with a person, or write a log of their own: no bars are drawn over it."""

LOOK_AT_SETTINGS = ("config", "doctor")
"""Commands that say what is wrong with the settings, and so do not go by them."""

_WHOLE = 1000
_PAUSES = (":", ";", ",", " and ", " with ", " while ", " in ")

F = TypeVar("F", bound=Callable[..., Any])


def split_examples(text: str | None) -> tuple[str, tuple[str, ...]]:
    """A command's help without its last paragraph `Examples: …; …`, and the examples of that."""
    found = _EXAMPLES.search(text or "")
    if found is None:
        return text or "", ()
    examples = _BETWEEN.split(" ".join(found[1].split()))
    return (text or "")[: found.start()].rstrip(), tuple(examples)


def write_examples(formatter: Any, examples: tuple[str, ...]) -> None:
    """The examples as they are typed: never wrapped, so that they can be copied."""
    if examples:
        formatter.write("\nExamples:\n")
        for example in examples:
            formatter.write(f"  {example}\n")


def _in_a_line(summary: str, limit: int) -> str:
    """A summary that fits: where it is longer it ends at a pause, not in the middle of a thought."""
    if len(summary) <= limit:
        return summary
    bracket = summary.find("(", 0, limit)
    pause = bracket if bracket > 0 else max(summary.rfind(mark, 0, limit) for mark in _PAUSES)
    return f"{summary[:pause].rstrip(' ,;:')}." if pause > 0 else f"{summary[: limit - 1].rstrip()}…"


def path_of(ctx: Any) -> tuple[str, ...]:
    """The words of a command: `("floor", "simulate")`; none for `pitboss` itself."""
    words: list[str] = []
    while ctx.parent is not None:
        words.append(ctx.info_name)
        ctx = ctx.parent
    return tuple(reversed(words))


def options_of(command: Any) -> Iterator[Any]:
    """The options of a command that have a value one may want to keep."""
    for param in command.params:
        if param.param_type_name == "option" and not (param.is_eager or param.name.endswith("_completion")):
            yield param


def long_name(param: Any) -> str:
    """An option as files name it: `per-second`."""
    return str(next(text for text in param.opts if text.startswith("--"))).removeprefix("--")


def variable(path: tuple[str, ...], param: Any) -> str:
    """An option as the environment names it: `PITBOSS_SERVE_PER_SECOND`."""
    return "_".join(("PITBOSS", *path, long_name(param))).upper().replace("-", "_")


def take_defaults(command: Any, ctx: Any, args: list[str]) -> None:
    """Let file and environment give what the command line leaves out. Help is shown whatever they hold."""
    path = path_of(ctx)
    for param in options_of(command):
        param.envvar, param.show_envvar = variable(path, param), False
    if not path or ctx.resilient_parsing or "--help" in args or path[0] in LOOK_AT_SETTINGS:
        return
    ctx.default_map = configuration.current().defaults(path, list(options_of(command)), long_name)


class Verb(TyperCommand):
    """A command with examples at the end of its help."""

    def __init__(self, name: str | None, **settings: Any) -> None:
        settings["help"], self.examples = split_examples(settings.get("help"))
        super().__init__(name, **settings)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Its line in a list of commands."""
        return _in_a_line(super().get_short_help_str(limit=_WHOLE), limit)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words, with what files and environment say where no flag does."""
        take_defaults(self, ctx, args)
        written = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            bad = _below_nothing(error, written)
            if bad is None:
                raise
            raise bad from error

    def invoke(self, ctx: Any) -> Any:
        """Run it, with a bar if it takes long."""
        if self.name in _ITS_OWN_TERMINAL:
            return super().invoke(ctx)
        with watching():
            return super().invoke(ctx)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The examples."""
        write_examples(formatter, self.examples)


class Group(TyperGroup):
    """Commands under one name. An unknown one is answered with the one that was probably meant."""

    def __init__(self, **settings: Any) -> None:
        settings["help"], self.examples = split_examples(settings.get("help"))
        super().__init__(**settings)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Its line in a list of commands."""
        return _in_a_line(super().get_short_help_str(limit=_WHOLE), limit)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words, with what files and environment say where no flag does."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit
        take_defaults(self, ctx, args)
        if path_of(ctx) and not ctx.resilient_parsing and "--help" not in args:
            configuration.current().check_tables(path_of(ctx), self.list_commands(ctx))
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named. Raises `BadInput` with the one that was probably meant."""
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing and not name.startswith("-"):
            words = " ".join((*path_of(ctx), name))
            raise BadInput("", f"no command '{words}'", near_miss(name, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The examples."""
        write_examples(formatter, self.examples)


class Commands(typer.Typer):
    """Typer with our commands and groups in it."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**({"cls": Group, "rich_markup_mode": None} | settings))

    def command(self, name: str | None = None, **settings: Any) -> Callable[[F], F]:
        """Register a command as one of ours."""
        return super().command(name, **({"cls": Verb} | settings))


def adopt(app: typer.Typer) -> None:
    """Make ours of commands and groups that were registered as Typer's own."""
    for command in app.registered_commands:
        command.cls = Verb if command.cls in (None, TyperCommand) else command.cls
    for group in app.registered_groups:
        inner = group.typer_instance
        if inner is not None:
            inner.info.cls = Group if inner.info.cls in (None, TyperGroup) else inner.info.cls
            adopt(inner)


def usage_problem(error: Any) -> BadInput:
    """What was wrong with a command line, in one line with the near-miss."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "pitboss"
    wrong = getattr(error, "option_name", None)
    if wrong and type(error).__name__ == "NoSuchOption" and context is not None:
        known = [text for param in context.command.get_params(context) for text in _flags(param)]
        return BadInput("", f"no option '{wrong}' for '{path}'", near_miss(str(wrong), known))
    said, param = _plainly(error), getattr(error, "param", None)
    source = param.envvar if param is not None and _from_environment(param, context) else ""
    return BadInput(source or "", said.rstrip("."), f"try '{path} --help'")


def _below_nothing(error: Any, written: list[str]) -> BadInput | None:
    """A negative number where an argument stands: the library takes it for an option that there is not."""
    wrong, context = str(getattr(error, "option_name", "")), getattr(error, "ctx", None)
    if type(error).__name__ != "NoSuchOption" or not re.fullmatch(r"-[0-9.]", wrong) or context is None:
        return None
    number = next(word for word in written if word.startswith(wrong))
    helps = [getattr(param, "help", "") or "" for param in context.command.params]
    kind = "an amount" if any(text.startswith("An amount") for text in helps) else "a number from 0"
    return BadInput("", f"'{shortened(number)}' is not {kind}", f"try '{context.command_path} --help'")


_NO_NUMBER = {"int_parsing": "is no whole number", "float_parsing": "is no number"}


def _plainly(error: Any) -> str:
    """What the library says, or the value itself where it was to be a number."""
    details = getattr(error.__cause__, "errors", None)
    found = details()[0] if callable(details) else {}
    wrong, param = _NO_NUMBER.get(found.get("type", "")), getattr(error, "param", None)
    if wrong is None or param is None:
        return str(error.format_message())
    return f"{next(_flags(param), param.name.upper())}: '{shortened(str(found['input']))}' {wrong}"


def _flags(param: Any) -> Iterator[str]:
    if param.param_type_name == "option":
        yield from (text for text in (*param.opts, *param.secondary_opts) if text.startswith("--"))


def _from_environment(param: Any, context: Any) -> bool:
    if context is None or not isinstance(param.envvar, str) or not os.environ.get(param.envvar):
        return False
    return getattr(context.get_parameter_source(param.name), "name", "") == "ENVIRONMENT"
