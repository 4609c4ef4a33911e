"""`pitboss restore`: a floor from its backup, verified."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.output import console, print_json, say_error
from pitboss.cli.place import AsJson, Data, Database, where

DIFFERS = 1


def register(app: typer.Typer) -> None:
    app.command("restore")(restore_command)


def restore_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that 'pitboss backup' made.")],
    kept: Annotated[
        Path | None, typer.Option("--kept", metavar="FILE", help="Checkpoints that were kept elsewhere.")
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The public key of the checkpoints, kept elsewhere."),
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Bring a backup back to an empty place, and verify it. Put the floor's key files there, before or after.

    No key is made for a floor that had one. Without the deck key sealed decks stay closed, and the floor does
    not open; without the checkpoint key signatures are not checked, and nothing is signed.

    Example: pitboss restore monday.backup --data new-floor
    """
    from pitboss.bootstrap import CHECKPOINT_KEY, DECK_KEY, checkpoint_key, open_store
    from pitboss.errors import BadInput, near_file
    from pitboss.store.engine import open_engine, sqlite_url
    from pitboss.store.keeping import is_backup, restore
    from pitboss.store.sql import SqlStore
    from pitboss.verification import verify

    path = Path(file)
    if path.is_dir():
        raise BadInput(file, "this is a folder", "name a file that 'pitboss backup' made")
    if not path.is_file():
        remedy = near_file(file) or "name a file that 'pitboss backup' made"
        raise BadInput(file, "there is no such file", remedy)
    if not is_backup(path):
        raise BadInput(file, "this is no backup of a floor", "name a file that 'pitboss backup' made")
    place = where(data, database)
    source = SqlStore(open_engine(sqlite_url(path)))
    try:
        target = open_store(place, create=True)
        try:
            counts = restore(source, target)
        finally:
            target.close()
    finally:
        source.close()
    if not counts["checkpoints"]:  # it was never signed: from now on it is
        checkpoint_key(place, create=True)
    found = verify(place, kept=kept, key=key, unsigned=True)  # what was not checked is said below
    signed = bool(counts["checkpoints"]) and found.signatures
    missing = [
        name
        for name, here in (
            (DECK_KEY, bool(os.environ.get("PITBOSS_DECK_KEY")) or (place.data / DECK_KEY).exists()),
            (CHECKPOINT_KEY, (place.data / CHECKPOINT_KEY).exists()),
        )
        if not here
    ]
    if as_json:
        problems = [str(problem) for problem in found.problems]
        print_json(
            {
                "rows": counts,
                "ok": found.ok,
                "signatures_checked": signed,
                "unopened_decks": found.unopened,
                "missing_keys": missing,
                "problems": problems,
            }
        )
    else:
        console().print(
            f"{counts['events']} events restored; {'verified' if found.ok else 'NOT as it was'}", markup=False
        )
    if not signed:
        say_error("no signature was checked: the backup has no checkpoint, or its key file is not here")
    if DECK_KEY in missing:
        say_error(_no_deck_key(place.data / DECK_KEY, found.unopened))
    if CHECKPOINT_KEY in missing:
        say_error(
            f"the checkpoint key is missing: put the floor's own {place.data / CHECKPOINT_KEY} there; "
            "until then nothing is signed"
        )
    for problem in found.problems:
        say_error(str(problem))
    if not found.ok:
        raise typer.Exit(DIFFERS)


def _no_deck_key(file: Path, sealed: int) -> str:
    """That the deck key is missing, where it belongs, and what happens to the rounds in play without it."""
    text = f"the deck key is missing: put the floor's own {file} there, or set PITBOSS_DECK_KEY"
    if not sealed:
        return text
    if sealed == 1:
        return f"{text}; the deck of 1 round in play was not checked, and no other key deals it on"
    return f"{text}; the decks of {sealed} rounds in play were not checked, and no other key deals them on"
