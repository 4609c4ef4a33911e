"""`pitboss verify`: does the record hold?"""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.output import console, print_json, say_error
from pitboss.cli.place import AsJson, Data, Database, where

DIFFERS = 1


def register(app: typer.Typer) -> None:
    app.command("verify")(verify_command)


def verify_command(
    processes: Annotated[
        int | None, typer.Option("--processes", min=1, help="How many; else by the size of the log.")
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Check hash chain, replay and ledger of a floor. Leaves with 1 and names the first bad event, if any.

    Example: pitboss verify --data floor
    """
    from pitboss.verification import verify

    found = verify(where(data, database), processes=processes)
    first = found.problems[0] if found.problems else None
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "streams": found.streams,
                "events": found.events,
                "postings": found.postings,
                "checkpoints": found.checkpoints,
                "signatures_checked": found.signatures,
                "seconds": round(found.seconds, 3),
                "first_bad": None
                if first is None
                else {"stream": first.stream, "version": first.version, "problem": first.what},
                "problems": [str(problem) for problem in found.problems],
            }
        )
    elif found.ok:
        signed = "" if found.signatures else " (no key here: signatures not checked)"
        console().print(
            f"verified: {found.events} events in {found.streams} streams, {found.postings} postings, "
            f"{found.checkpoints} checkpoints{signed}, {found.seconds:.1f} s",
            markup=False,
        )
    for problem in found.problems:
        say_error(str(problem))
    if not found.ok:
        raise typer.Exit(DIFFERS)
