"""Where a floor's data are, on every command that works on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pitboss.bootstrap import Settings

Data = Annotated[
    str | None,
    typer.Option(
        "--data", metavar="DIR", help="The floor's folder; else $PITBOSS_DATA, else the user's data folder."
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="A database of its own, postgresql://…; else $PITBOSS_DATABASE."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def where(data: str | None, database: str | None) -> Settings:
    """The settings that the options name."""
    from pitboss.bootstrap import settings

    return settings(data, database)


def where_served(data: str | None, database: str | None) -> Settings:
    """The settings of a floor to serve. Raises `MissingPart` with all the parts that are not installed."""
    from pitboss.parts import require

    found = where(data, database)
    require("server", *(("postgres",) if found.url.startswith("postgres") else ()))
    return found


def moment(text: str, place: str) -> int:
    """A time as people write it (`2026-11-16`, `2026-11-16T08:00`), UTC, in microseconds."""
    from datetime import UTC, datetime

    from pitboss.errors import BadInput

    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(place, f"'{text}' is no time", "write 2026-11-16 or 2026-11-16T08:00") from error
    return int(found.replace(tzinfo=found.tzinfo or UTC).timestamp()) * 1_000_000
