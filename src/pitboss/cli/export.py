"""`pitboss export`: the record for other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pitboss.cli.output import say_error
from pitboss.cli.place import Data, Database, where


def register(app: typer.Typer) -> None:
    app.command("export")(export_command)


def export_command(
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="events, postings, balances or rounds.")
    ] = "events",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - is standard output.")
    ] = "-",
    form: Annotated[str, typer.Option("--format", help="jsonl or csv; else by the file's name.")] = "",
    data: Data = None,
    database: Database = None,
) -> None:
    """Write the record as JSON Lines or CSV, all of one moment. Cards of rounds still in play are in it.

    Example: pitboss export events -o events.jsonl --data floor
    """
    from pitboss.bootstrap import open_store
    from pitboss.errors import BadInput, near_miss
    from pitboss.store.keeping import EXPORTS, export

    if what not in EXPORTS:
        raise BadInput("WHAT", f"no export '{what}'", near_miss(what, EXPORTS))
    form = form or ("csv" if output.endswith(".csv") else "jsonl")
    if form not in ("jsonl", "csv"):
        raise BadInput("--format", f"no format '{form}'", "write jsonl or csv")
    store = open_store(where(data, database))
    try:
        if output == "-":
            export(store, what, sys.stdout, as_csv=form == "csv")
            return
        try:
            with open(output, "w", encoding="utf-8", newline="") as out:
                count = export(store, what, out, as_csv=form == "csv")
        except OSError as error:
            raise BadInput(output, f"cannot be written: {error.strerror}", "name another file") from error
        say_error(f"{count} {what} written to {output}")
    finally:
        store.close()
