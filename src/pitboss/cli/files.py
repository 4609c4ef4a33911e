"""Files that a command is asked to write."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pitboss.errors import BadInput


def check_writable(path: str, place: str, endings: tuple[str, ...]) -> None:
    """Refuse a file that cannot be written before the work is done that it should hold."""
    file = Path(path)
    if file.suffix.lower() not in endings:
        raise BadInput(place, f"'{path}' has no known ending", f"write one of {', '.join(endings)}")
    folder = file.parent
    if not folder.is_dir():
        raise BadInput(place, f"there is no folder '{folder}'", "name a folder that exists")
    try:
        if file.is_dir():
            raise IsADirectoryError
        if file.exists():
            with file.open("ab"):
                return
        with tempfile.NamedTemporaryFile(dir=folder):
            return
    except OSError as error:
        raise BadInput(place, f"'{path}' cannot be written", "name another file") from error
