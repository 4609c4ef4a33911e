"""Finding and reading a rulebook's files: an id, a folder, or a single file of the user's own."""

from __future__ import annotations

import copy
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pitboss.errors import BadInput, near_file, near_miss, shortened
from pitboss.folders import books_here

_EXTENDS = "extends"


@dataclass(frozen=True, slots=True)
class Document:
    """A rulebook as read: its tables, which nobody changes, and the file each top-level table stands in."""

    name: str
    tables: Mapping[str, Any]
    files: Mapping[str, str]

    def place(self, path: str) -> str:
        """Where a path such as `pays.bonus.rows` stands: file and key."""
        top = path.split(".", 1)[0].split("[", 1)[0]
        return f"{self.files.get(top, self.name)}: {path}" if path else self.name

    def with_settings(self, settings: Mapping[str, object]) -> Document:
        """A document in which each path (`settlement.bonus.lower`) has its value; the rest is shared."""
        tables = dict(self.tables)
        for path, value in settings.items():
            *parents, last = path.split(".")
            table: dict[str, Any] = tables
            for key in parents:
                below = table.get(key)
                if not isinstance(below, dict):
                    raise BadInput(self.name, f"there is no table '{'.'.join(parents)}' to set '{last}' in")
                table[key] = table = dict(below)
            table[last] = copy.deepcopy(value)
        return Document(self.name, tables, self.files)

    def digest(self) -> str:
        """A hash of what the book says; how the data are spread over files does not matter."""
        text = json.dumps(self.tables, sort_keys=True, ensure_ascii=False, default=_plain)
        return hashlib.sha256(text.encode()).hexdigest()

    def text(self) -> str:
        """What the book says, as one JSON text in its own order: wagers stand as on the layout."""
        return json.dumps(self.tables, ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} does not belong in a rulebook")


@lru_cache(maxsize=1)
def book_ids() -> tuple[str, ...]:
    """The ids of the rulebooks that come with Pitboss."""
    return tuple(sorted(entry.name for entry in _books().iterdir() if entry.is_dir() and _toml_files(entry)))


def book_folder(book_id: str) -> Traversable:
    """The folder of a book that comes with Pitboss."""
    return _books() / book_id


def _books() -> Traversable:
    return resources.files("pitboss.rulebooks") / "books"


def _toml_files(folder: Traversable) -> list[Traversable]:
    return sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)


def read_document(reference: str, *, _seen: tuple[str, ...] = ()) -> Document:
    """Read the rulebook that an id or a path names. Raises `BadInput` for what cannot be read."""
    if not reference.strip():
        raise BadInput("", "no rulebook is named", f"known: {', '.join(book_ids())}")
    if reference in _seen:
        raise BadInput(_seen[-1], f"the rulebook extends itself through '{reference}'", "break the circle")
    if reference in book_ids():
        document = _bundled(reference)
    else:
        path = Path(reference)
        if _is(path, "dir"):
            document = _read_folder(reference, path)
        elif _is(path, "file"):
            document = _read_files(reference, [path])
        else:
            raise BadInput("", f"no rulebook '{shortened(reference)}'", _remedy(reference))
    base = document.tables.get(_EXTENDS)
    return document if base is None else _extend(document, base, (*_seen, reference))


@lru_cache(maxsize=8)
def _bundled(book_id: str) -> Document:
    return _read_folder(book_id, book_folder(book_id))


def _is(path: Path, kind: str) -> bool:
    """Whether there is such a file or folder; a name no file can have is one there is not."""
    try:
        return path.is_dir() if kind == "dir" else path.is_file()
    except PermissionError as error:
        raise _unreadable(str(path), error) from error
    except (OSError, ValueError):
        return False


def _unreadable(place: str, error: OSError) -> BadInput:
    return BadInput(place, f"cannot be read: {error.strerror}", "check the path and its rights")


def _remedy(reference: str) -> str:
    if "/" in reference or reference.endswith(".toml"):
        return f"there is no such file or folder; {near_file(reference)}".rstrip("; ")
    return near_miss(reference, (*book_ids(), *books_here()))


def _read_folder(name: str, folder: Traversable) -> Document:
    try:
        files = _toml_files(folder)
    except OSError as error:
        raise _unreadable(name, error) from error
    if not files:
        raise BadInput(
            name, "no .toml file in this folder", "a rulebook folder holds its data in .toml files"
        )
    return _read_files(name, files)


def _read_files(name: str, files: list[Any]) -> Document:
    tables: dict[str, Any] = {}
    places: dict[str, str] = {}
    for file in files:
        for key, value in _read_toml(name, file).items():
            if key in tables:
                raise BadInput(
                    f"{name}/{file.name}",
                    f"'{key}' stands in {places[key]} already",
                    "keep a table in one file",
                )
            tables[key] = value
            places[key] = file.name
    return Document(name, tables, places)


def _read_toml(name: str, file: Any) -> dict[str, Any]:
    place = name if name.endswith(file.name) else f"{name}/{file.name}"
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInput(place, "not UTF-8 text", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(place, f"not TOML: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(place, "a number too long, or tables too deep", "no rulebook needs such") from error
    except OSError as error:
        raise _unreadable(place, error) from error


def _extend(document: Document, base: object, seen: tuple[str, ...]) -> Document:
    """The base book with the tables of `document` laid over it, key by key."""
    if not isinstance(base, str):
        raise BadInput(document.place(_EXTENDS), f"{base!r} names no rulebook", "write an id or a path")
    below = read_document(base, _seen=seen)
    tables = copy.deepcopy(dict(below.tables))
    own = {key: value for key, value in document.tables.items() if key != _EXTENDS}
    try:
        _lay_over(tables, own)
    except RecursionError as error:
        raise BadInput(document.name, "tables too deep", "no rulebook needs such") from error
    files = {**{key: f"{base}/{file}" for key, file in below.files.items()}, **document.files}
    return Document(document.name, tables, files)


def _lay_over(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            _lay_over(below[key], value)
        else:
            below[key] = copy.deepcopy(value)
