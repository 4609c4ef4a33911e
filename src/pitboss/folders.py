"""Where Pitboss keeps a user's things when nobody says where, and what of his own lies where he works."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder(named: str | None) -> Path:
    """The folder of a floor: the one that is named, else of the environment, else in the user's data."""
    folder = named or os.environ.get("PITBOSS_DATA")
    if folder:
        return Path(folder)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "pitboss"


def books_here() -> list[str]:
    """What may be a rulebook of somebody's own in the folder where he works, by name."""
    try:
        return [entry.name for entry in sorted(Path().iterdir()) if _may_be_a_book(entry)]
    except OSError:
        return []


def _may_be_a_book(entry: Path) -> bool:
    if entry.suffix == ".toml":
        return entry.name not in ("pitboss.toml", "pyproject.toml")
    return (entry / "book.toml").is_file()
