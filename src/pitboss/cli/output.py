"""How the command line speaks: answers on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console


def say_error(text: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"pitboss: {' '.join(text.split())}\n")


def print_json(document: Any) -> None:
    """One JSON document on standard output and nothing else."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def console() -> Console:
    """A console for people; it falls back to plain text where there is no terminal, and minds NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise BadInput(path, "there is no such file", "name a file, or - for standard input") from error
    except IsADirectoryError as error:
        raise BadInput(path, "this is a folder", "name a file") from error
    except UnicodeDecodeError as error:
        raise BadInput(path, "not UTF-8 text", "save it as UTF-8") from error
    except OSError as error:
        raise BadInput(
            path, f"cannot be read: {error.strerror}", "check the path and its permissions"
        ) from error
