"""The entry point: finds the verb, runs it, and turns what went wrong into one line and an exit code.

0 done; 1 the question was answered with a no; 2 bad input; 130 interrupted; 143 ended by SIGTERM.
"""

from __future__ import annotations

import errno
import os
import signal
import sys

from pitboss.cli import INTERRUPTED

TYPE_CHECKING = False  # what is imported here is imported before Ctrl-C is ours
if TYPE_CHECKING:
    from typing import Any

VERBS = (
    "play", "run", "settle", "analyze", "advise", "simulate", "jackpot", "par", "rules", "replay",
    "floor", "verify", "report", "export", "backup", "restore", "serve", "users", "shuffle-test",
    "verify-round", "drill", "config", "doctor",
)  # fmt: skip
"""Each is a module of this package with a function `register(app)`."""

BAD_INPUT = 2
TERMINATED = 143
_OUTPUT_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)


def main(argv: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _pressed)
        sys.unraisablehook = _lost
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)
    _mend_output()
    code = run(sys.argv[1:] if argv is None else argv)
    if code in (INTERRUPTED, TERMINATED):  # no second Ctrl-C while everything ends changes the answer
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(_written_out(code))


class _Pressed(KeyboardInterrupt):
    """Ctrl-C. Once its own class has left code compiled on the way, as every dataclass is, Python ends the
    process by the signal, even where it was caught; of a subclass it takes no notice.
    """


def _pressed(number: int, frame: object) -> None:
    from pitboss.progress import interrupted

    interrupted(is_so=True)
    raise _Pressed


_is_terminated = False


def _terminated(number: int, frame: object) -> None:
    """SIGTERM ends a command as Ctrl-C does: what it has written is signed. A second one waits for that."""
    global _is_terminated
    _is_terminated = True
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _pressed(number, frame)


def _lost(lost: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C that fell into a callback is not a fault: the work under way ends with it all the same."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def _mend_output() -> None:
    """Streams that were closed swallow what they are told; what a stream cannot write is a question mark."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until we leave
        else:
            stream.reconfigure(errors="replace")


def _written_out(code: int) -> int:
    """The exit code once everything is written; what is still held back may not fit on the disk."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _nobody_reads()
    except OSError as error:
        return _unwritten(error)
    return code


def _nobody_reads() -> None:
    """Whoever read our output has gone: what is left of it goes nowhere, and nobody is told."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _unwritten(error: OSError) -> int:
    sys.stderr.write(f"pitboss: the output cannot be written: {error.strerror}\n")
    _nobody_reads()
    return BAD_INPUT


def run(arguments: list[str]) -> int:
    """Run a command line and answer with its exit code; what it says goes to standard output and error."""
    try:
        code = _run(arguments)
        return TERMINATED if code == INTERRUPTED and _is_terminated else code
    except KeyboardInterrupt:  # also while the first modules are being loaded
        sys.stderr.write("pitboss: ended by SIGTERM\n" if _is_terminated else "pitboss: interrupted\n")
        return TERMINATED if _is_terminated else INTERRUPTED
    except BrokenPipeError:
        _nobody_reads()
        return 0
    except OSError as error:
        if isinstance(error.filename, str | bytes) and error.strerror:
            return _out_of_reach(error)
        if error.errno not in _OUTPUT_FAILS:
            raise
        return _unwritten(error)


def _out_of_reach(error: OSError) -> int:
    """A file or folder that this user may not read or write, or that is gone: one line that names it."""
    from pitboss.cli.files import cannot_be
    from pitboss.cli.output import say_error

    say_error(str(cannot_be(error)))
    return BAD_INPUT


def _run(arguments: list[str]) -> int:
    from pitboss.cli.colour import choose
    from pitboss.cli.configuration import in_force, read_configuration
    from pitboss.cli.output import say_error
    from pitboss.errors import BadInput, StoreError

    choose("auto")
    try:
        with in_force(read_configuration(VERBS)):
            return _invoke(arguments)
    except (BadInput, StoreError) as bad:
        say_error(str(bad))
        return BAD_INPUT
    except ModuleNotFoundError as missing:
        from pitboss.parts import missing_part

        part = missing_part(missing)
        if part is None:  # nothing that an extra would bring: a bug
            raise
        say_error(str(part))
        return BAD_INPUT


def _invoke(arguments: list[str]) -> int:
    """Build as much of the command line as is needed, and run it."""
    import typer

    from pitboss.cli.app import build_app, command_line
    from pitboss.cli.grammar import usage_problem
    from pitboss.errors import BadInput, near_miss

    if os.environ.get("_PITBOSS_COMPLETE"):
        from pitboss.cli.completing import complete

        return complete(lambda verb: build_app((verb,) if verb in VERBS else VERBS))
    first = arguments[0] if arguments else ""
    if first and not first.startswith("-") and first not in VERBS:
        raise BadInput("", f"no command '{first}'", near_miss(first, VERBS))
    if first in VERBS:
        _warn_of_variables(first)
    command: Any = command_line((first,)) if first in VERBS else typer.main.get_command(build_app(VERBS))
    try:
        with command.make_context("pitboss", arguments or ["--help"]) as context:
            command.invoke(context)
    except typer.Exit as left:
        return int(left.exit_code)
    except typer.TyperException as error:
        raise usage_problem(error) from error
    except (typer.Abort, EOFError) as end:
        raise KeyboardInterrupt from end
    return 0


def _warn_of_variables(verb: str) -> None:
    """A misspelt setting in the environment is said, not passed over: somebody believes that it holds."""
    if any(name.startswith("PITBOSS_") for name in os.environ):
        from pitboss.cli.output import say_warning
        from pitboss.cli.variables import unknown_variables

        for problem in unknown_variables(os.environ, verb=verb):
            say_warning(problem)


if __name__ == "__main__":
    main()
