"""`pitboss export`: the record for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli import completing
from pitboss.cli.files import written
from pitboss.cli.output import say
from pitboss.cli.place import Data, Database, where
from pitboss.progress import unseen

ALL = "all"


def register(app: typer.Typer) -> None:
    app.command("export")(export_command)


def export_command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="events, postings, balances, rounds, checkpoints, or all of them.",
            autocompletion=completing.exports,
        ),
    ] = "events",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - is standard output.")
    ] = "-",
    form: Annotated[
        str,
        typer.Option(
            "--format", help="jsonl or csv; else by the file's name.", autocompletion=completing.formats
        ),
    ] = "",
    data: Data = None,
    database: Database = None,
) -> None:
    """Write the record as JSON Lines or CSV, all of one moment. Cards of rounds still in play are in it.

    `all` writes a folder with everything that tools/verify_export.py needs. Keep checkpoints elsewhere too.

    Examples: pitboss export events -o events.jsonl --data floor; pitboss export all -o record --data floor
    """
    from pitboss.bootstrap import checkpoint_key, open_store
    from pitboss.errors import BadInput, near_miss
    from pitboss.store.keeping import EXPORTS, export, export_all

    if what not in (*EXPORTS, ALL):
        raise BadInput("WHAT", f"no export '{what}'", near_miss(what, (*EXPORTS, ALL)))
    if what == ALL:
        if output == "-":
            raise BadInput("-o", "all of it is a folder", "name one")
        place = where(data, database)
        store = open_store(place)
        try:
            counts = export_all(store, Path(output), checkpoint_key(place, create=False))
        finally:
            store.close()
        say(f"{', '.join(f'{count} {name}' for name, count in counts.items())} written to {output}")
        return
    form = form or ("csv" if output.endswith(".csv") else "jsonl")
    if form not in ("jsonl", "csv"):
        raise BadInput("--format", f"no format '{form}'", "write jsonl or csv")
    store = open_store(where(data, database))
    try:
        if output == "-":
            with unseen(sys.stdout.isatty()):
                export(store, what, sys.stdout, as_csv=form == "csv")
            return
        with written(output, private=True) as file, file.open("w", encoding="utf-8", newline="") as out:
            count = export(store, what, out, as_csv=form == "csv")
        say(f"{count} {what} written to {output}")
    finally:
        store.close()
