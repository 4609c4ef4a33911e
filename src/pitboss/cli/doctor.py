"""`pitboss doctor`: is this installation in order?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli import configuration
from pitboss.cli.colour import GREEN, RED, YELLOW, paint
from pitboss.cli.output import print_json
from pitboss.cli.place import AsJson, Data, Database, where

if TYPE_CHECKING:
    from pitboss.cli.checkups import Finding

NOT_IN_ORDER = 1
_COLOURS = {"ok": GREEN, "warning": YELLOW, "wrong": RED}


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor_command)


def doctor_command(
    host: Annotated[str, typer.Option("--host", help="The address to be served on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to be served on.")] = 8000,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Check an installation: Python, packages, parts, program, rulebooks, data, database, keys, clock.

    Each line says ok, warning or wrong, and what would be right. Leaves with 1 if something is wrong.

    Examples: pitboss doctor; pitboss doctor --data floor --json
    """
    found: list[Finding] = []
    for finding in examine(data, database, host=host, port=port):
        found.append(finding)
        if not as_json:
            _tell(finding)
    wrong = sum(finding.verdict == "wrong" for finding in found)
    if as_json:
        print_json({"ok": not wrong, "checks": [_document(finding) for finding in found]})
    else:
        sys.stdout.write("in order\n" if not wrong else f"{wrong} wrong\n")
    if wrong:
        raise typer.Exit(NOT_IN_ORDER)


def _document(finding: Finding) -> dict[str, str]:
    found = configuration.hidden(finding.found)
    return {
        "check": finding.check,
        "verdict": finding.verdict,
        "found": found,
        "remedy": configuration.hidden(finding.remedy),
    }


def examine(data: str | None, database: str | None, *, host: str, port: int) -> Iterator[Finding]:
    """Every check on an installation, one after the other. What it says holds no password."""
    from pitboss.cli import checkups

    yield from _settings()
    place = where(data, database)
    for name, check in checkups.CHECKS.items():
        yield from checkups.tried(name, check(place))
    yield from checkups.check_port(place, host, port)


def _settings() -> Iterator[Finding]:
    """The files of settings can be read and hold nothing unknown; no variable is misspelt."""
    from pitboss.cli.checkups import OK, WARNING, WRONG, Finding
    from pitboss.cli.config import checked_files, readable_secrets
    from pitboss.cli.variables import unknown_variables

    found = configuration.current()
    problems = list(checked_files(found))
    for problem in problems:
        yield Finding("settings", WRONG, f"{problem.place}: {problem.problem}", problem.remedy)
    unknown = list(unknown_variables(found.given))
    for text in unknown:
        what, _, remedy = text.partition("; ")
        yield Finding("settings", WARNING, what, remedy)
    for file in readable_secrets(found):
        text = f"{file} holds a password and can be read by others"
        yield Finding("settings", WARNING, text, f"run: chmod 600 {file}")
    if not problems and not unknown:
        yield Finding("settings", OK, ", ".join(found.files) or "no files")


def _tell(finding: Finding) -> None:
    verdict = paint(f"{finding.verdict:<8}", _COLOURS[finding.verdict], sys.stdout)
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    line = configuration.hidden(f"{finding.check:<14} {finding.found}{remedy}")
    sys.stdout.write(f"{verdict}{' '.join(line.split(chr(10)))}\n")
    sys.stdout.flush()
