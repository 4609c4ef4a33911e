"""Files that a command is asked to write."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitboss.errors import BadInput

RIGHTS = "give this user the right, or name another"


def cannot_be(error: OSError) -> BadInput:
    """An error of the system about a file, in words: what cannot be read, or cannot be written, and why."""
    path = os.fsdecode(error.filename)
    try:
        os.stat(path)
        done = "read" if not os.access(path, os.R_OK) else "written"
    except FileNotFoundError:  # it was to be made
        done = "read" if isinstance(error, FileNotFoundError) else "written"
    except OSError:  # nobody lets us look
        done = "read"
    return BadInput(path, f"cannot be {done}: {error.strerror}", RIGHTS)


@contextmanager
def written(path: str | Path, place: str = "", *, private: bool = False) -> Iterator[Path]:
    """A file to write in that takes its name when it is whole: an interrupted command leaves what was there.

    It has the same ending. A `private` one is its owner's alone, whoever could read the one that was there.
    Raises `BadInput` where nothing can be written.
    """
    file = Path(path)
    if file.exists() and not file.is_file():  # a device or a pipe is written as it is
        yield file
        return
    draft = file.with_name(f".{file.stem}-{os.getpid()}{file.suffix}")
    try:
        if private:
            draft.unlink(missing_ok=True)
            draft.touch(mode=0o600, exist_ok=False)
        yield draft
        if file.exists() and not private:
            draft.chmod(file.stat().st_mode & 0o777)
        os.replace(draft, file)
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise BadInput(place or str(path), problem, "name another file") from error
    finally:
        draft.unlink(missing_ok=True)


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
