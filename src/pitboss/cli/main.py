"""The entry point: finds the verb, runs it, and turns what went wrong into one line and an exit code.

0 done; 1 the question was answered with a no; 2 bad input.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from pitboss import __version__
from pitboss.cli.output import say_error
from pitboss.errors import BadInput, StoreError, near_miss

VERBS = (
    "play", "run", "settle", "analyze", "advise", "simulate", "jackpot", "par", "rules", "replay",
    "floor", "verify", "report", "export", "backup", "restore", "serve", "users",
)  # fmt: skip
"""Each is a module of this package with a function `register(app)`."""

BAD_INPUT = 2
INTERRUPTED = 130


def build_app(verbs: tuple[str, ...] = VERBS) -> typer.Typer:
    """The command line with some of its verbs; with one, only that one's module is imported."""
    app = typer.Typer(
        name="pitboss",
        help="House-banked poker by the book: rulebooks as data, settlement to the cent, clause by clause.",
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    @app.callback()
    def root(
        version: Annotated[
            bool,
            typer.Option("--version", help="Show the version and leave.", is_eager=True, callback=_version),
        ] = False,
    ) -> None:
        pass

    for verb in verbs:
        import_module(f"pitboss.cli.{verb}").register(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


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
        command = typer.main.get_command(app)
        result = command(args=arguments or ["--help"], prog_name="pitboss", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except BadInput as bad:
        say_error(str(bad))
        return BAD_INPUT
    except StoreError as broken:
        say_error(str(broken))
        return BAD_INPUT
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        say_error(f"{error.format_message()} Try '{context.command_path if context else 'pitboss'} --help'.")
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        say_error("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody left to tell.
        sys.stderr.close()
        return 0


if __name__ == "__main__":
    main()
