"""The entry point: finds the verb, runs it, and turns what went wrong into one line and an exit code.

0 done; 1 the question was answered with a no; 2 bad input.
"""

from __future__ import annotations

import sys
from importlib import import_module

import click
import typer

from pitboss.cli.output import say_error
from pitboss.errors import BadInput, near_miss

VERBS = ("settle", "rules", "tour")
"""Each is a module of this package with a function `register(app)`."""

BAD_INPUT = 2


def build_app(verbs: tuple[str, ...] = VERBS) -> typer.Typer:
    """The command line with some of its verbs; with one, only that one's module is imported."""
    app = typer.Typer(
        name="pitboss",
        help="House-banked poker by the book: rulebooks as data, settlement to the cent, clause by clause.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    @app.callback()
    def root(
        version: bool = typer.Option(False, "--version", help="Show the version and leave.", is_eager=True),
    ) -> None:
        if version:
            from pitboss import __version__

            typer.echo(f"pitboss {__version__}")
            raise typer.Exit

    for verb in verbs:
        import_module(f"pitboss.cli.{verb}").register(app)
    return app


def main(argv: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(arguments: list[str]) -> int:
    """Run a command line and answer with its exit code; what it says goes to standard output and error."""
    first = arguments[0] if arguments else ""
    try:
        if first and not first.startswith("-") and first not in VERBS:
            raise BadInput("", f"no command '{first}'", near_miss(first, VERBS))
        app = build_app((first,) if first in VERBS else VERBS)
        result = typer.main.get_command(app)(args=arguments, prog_name="pitboss", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except BadInput as bad:
        say_error(str(bad))
        return BAD_INPUT
    except click.exceptions.NoArgsIsHelpError as usage:
        say_error(usage.format_message())
        return BAD_INPUT
    except click.UsageError as usage:
        where = usage.ctx.command_path if usage.ctx is not None else "pitboss"
        say_error(f"{usage.format_message()} Try '{where} --help'.")
        return BAD_INPUT
    except click.ClickException as error:
        say_error(error.format_message())
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        say_error("interrupted")
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody left to tell.
        sys.stderr.close()
        return 0


if __name__ == "__main__":
    main()
