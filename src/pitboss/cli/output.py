"""How the command line speaks: answers on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pitboss.cli.colour import RED, YELLOW, console, paint
from pitboss.errors import BadInput, near_file

__all__ = ["console", "print_json", "read_text", "say", "say_error", "say_plainly", "say_warning"]


def say(text: str) -> None:
    """One line on standard error: what was done."""
    sys.stderr.write(f"pitboss: {' '.join(text.split())}\n")


def say_plainly(text: str) -> None:
    """One line on standard error, as it is."""
    sys.stderr.write(f"{text}\n")


def say_error(text: str) -> None:
    """One line on standard error: what went wrong."""
    sys.stderr.write(f"{paint('pitboss:', RED, sys.stderr)} {' '.join(text.split())}\n")


def say_warning(text: str) -> None:
    """One line on standard error: what somebody should know."""
    sys.stderr.write(f"{paint('pitboss:', YELLOW, sys.stderr)} {' '.join(text.split())}\n")


def print_json(document: Any) -> None:
    """One JSON document on standard output and nothing else; structs are written as they are sent."""
    import msgspec

    plain = "utf" not in (sys.stdout.encoding or "utf-8").lower()
    sys.stdout.write(json.dumps(document, default=msgspec.to_builtins, ensure_ascii=plain, indent=2) + "\n")


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError as error:
        remedy = near_file(path) or "name a file, or - for standard input"
        raise BadInput(path, "there is no such file", remedy) from error
    except IsADirectoryError as error:
        raise BadInput(path, "this is a folder", "name a file") from error
    except UnicodeDecodeError as error:
        raise BadInput(path, "not UTF-8 text", "save it as UTF-8") from error
    except OSError as error:
        raise BadInput(
            path, f"cannot be read: {error.strerror}", "check the path and its permissions"
        ) from error
