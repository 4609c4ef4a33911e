"""`pitboss backup`: everything of one moment in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.output import console, print_json
from pitboss.cli.place import AsJson, Data, Database, where


def register(app: typer.Typer) -> None:
    app.command("backup")(backup_command)


def backup_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file.")],
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Copy a floor to one file while it works. A checkpoint is signed first; the keys are not in the file.

    Example: pitboss backup monday.backup --data floor
    """
    from pitboss.bootstrap import checkpoint_key, open_store
    from pitboss.floor.clock import SystemClock
    from pitboss.store.keeping import backup, make_checkpoint

    place = where(data, database)
    store = open_store(place)
    try:
        key = checkpoint_key(place, create=False)
        if key is not None:
            make_checkpoint(store, key, SystemClock().now())
        counts = backup(store, Path(file))
    finally:
        store.close()
    if as_json:
        print_json({"file": file, "rows": counts, "signed": key is not None})
    else:
        console().print(f"{counts['events']} events copied to {file}", markup=False)
