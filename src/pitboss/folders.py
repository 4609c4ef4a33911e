"""Where Pitboss keeps a user's things, when nobody says where."""

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
