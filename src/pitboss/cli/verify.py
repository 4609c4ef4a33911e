"""`pitboss verify`: does the record hold?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.output import console, print_json, say_error, say_warning
from pitboss.cli.place import AsJson, Data, Database, where

DIFFERS = 1


def register(app: typer.Typer) -> None:
    app.command("verify")(verify_command)


def verify_command(
    processes: Annotated[
        int | None, typer.Option("--processes", min=1, help="How many; else by the size of the log.")
    ] = None,
    kept: Annotated[
        Path | None, typer.Option("--kept", metavar="FILE", help="Checkpoints that were kept elsewhere.")
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The public key of the checkpoints, kept elsewhere."),
    ] = None,
    journal: Annotated[
        list[Path] | None,
        typer.Option("--journal", metavar="FILE|DIR", help="What a server acknowledged; repeat it for more."),
    ] = None,
    unsigned: Annotated[
        bool, typer.Option("--unsigned", help="There is no key here: leave the signatures unchecked.")
    ] = False,
    program: Annotated[
        bool, typer.Option("--program", help="Print the digest of the program itself, and nothing else.")
    ] = False,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Check hash chain, replay and ledger of a floor. Leaves with 1 and names the first bad event, if any.

    With --program it is the program that is checked: kept as program.sha256 in the data folder, its digest
    decides whether the floor is served.

    Signatures are checked with the floor's own key, or with one that was kept elsewhere. That there is none
    is a no, too, unless --unsigned says so.

    Examples: pitboss verify --data floor; pitboss verify --program > floor/program.sha256
    """
    if program:
        from pitboss.program import program_digest

        console().print(program_digest(), markup=False, highlight=False)
        return
    from pitboss.verification import verify

    found = verify(
        where(data, database),
        processes=processes,
        kept=kept,
        key=key,
        unsigned=unsigned,
        journals=journal or (),
    )
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
                "key": found.key,
                "key_kept_elsewhere": found.kept_key,
                "unsigned_events": found.unsigned,
                "unsigned_since": found.unsigned_since,
                "unopened_decks": found.unopened,
                "seconds": round(found.seconds, 3),
                "first_bad": None
                if first is None
                else {"stream": first.stream, "version": first.version, "problem": first.what},
                "problems": [str(problem) for problem in found.problems],
                "folders_without_journals": [str(folder) for folder in found.empty],
            }
        )
    elif found.ok:
        signed = f" signed by {found.key[:12]}…" if found.signatures else " (no key: signatures not checked)"
        console().print(
            f"verified: {found.events} events in {found.streams} streams, {found.postings} postings, "
            f"{found.checkpoints} checkpoints{signed}, {found.seconds:.1f} s",
            markup=False,
        )
    if found.not_signed and not as_json:
        console().print(found.not_signed, markup=False, highlight=False)
    if found.not_opened and not as_json:
        console().print(found.not_opened, markup=False, highlight=False)
    for folder in found.empty:
        say_warning(f"--journal {folder}: there is no journal in this folder")
    for problem in found.problems:
        say_error(str(problem))
    if not found.ok:
        raise typer.Exit(DIFFERS)
