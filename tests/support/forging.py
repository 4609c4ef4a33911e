"""One field of one event changed and its stream sealed anew: the work of somebody who leaves all else as it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from support.floor import PEOPLE
from support.tampering import seal_again

Route = tuple[str | int, ...]
ACTOR = "(actor)"
"""Who an event is said to be written by: it is no field of its data, and is tried like one."""

STAND_INS = {"mara": "milo", "milo": "mara", "gina": "ada", "gus": "ada", "dora": "ines", "ines": "dora"}
"""Somebody of the same rank, or above it, for whoever is named: what a forger would write."""


class Forged(NamedTuple):
    """A field that is changed: of which event, by its name, and which of its fields."""

    name: str
    field: str


def leaves(value: Any, path: Route = ()) -> Iterator[tuple[Route, Any]]:
    """Every value of JSON that holds no other, with the way to it; an empty list of what is known is one too."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    elif (value is not None and value != []) or _name_of(path) in EMPTY:
        yield path, value


def _name_of(path: Route) -> str:
    """The last name on a way."""
    return next((str(part) for part in reversed(path) if isinstance(part, str)), "")


def field_of(path: Route) -> str:
    """The field that a way leads to; names of wagers, players and chips are no fields of their own."""
    return ".".join(
        part for part in path if isinstance(part, str) and not part.isdigit() and not _is_player(part)
    )


def _is_player(text: str) -> bool:
    return text[:1] == "p" and text[1:].isdigit()


EMPTY: dict[str, Any] = {
    "loss": 1,
    "minutes": 1,
    "now_loss": 1,
    "now_minutes": 1,
    "ceiling": 1,
    "hand": "a pair",
    "positions": [1],
    "exposed": [1],
    "clauses": ["1"],
    "warned": ["p1"],
    "checklist": ["card-shoe"],
}
"""What a forger would write where nothing stands; whatever else is empty holds no field to change."""


def another(value: Any, name: str) -> Any:
    """A value that might stand there instead."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None or isinstance(value, list):
        return EMPTY[name]
    if name == "clauses":
        return "1" if value != "1" else "2"
    return _another_text(value)


def _another_text(value: str) -> str:
    if value in PEOPLE:
        return STAND_INS.get(value, f"{value}x")
    if _is_player(value):
        return "p2" if value == "p1" else "p1"
    kind, slash, name = value.partition("/")
    if slash and kind in ("staff", "player"):
        return f"{kind}/{_another_text(name)}"
    return f"{value}x"


def fields(database: sqlite3.Connection) -> list[Forged]:
    """Every field of every kind of event that a floor has, in order."""
    found: dict[Forged, None] = {}
    for name, data in database.execute("SELECT name, data FROM events ORDER BY name"):
        found[Forged(name, ACTOR)] = None
        for path, _ in leaves(json.loads(data)):
            if path:
                found[Forged(name, field_of(path))] = None
    return list(found)


def forge(database: sqlite3.Connection, forged: Forged, nth: int = 0) -> str:
    """Change a field of one event that has it; the event's name and place in words."""
    database.row_factory = sqlite3.Row
    rows = database.execute(
        "SELECT rowid AS id, * FROM events WHERE name = ? ORDER BY stream, version", (forged.name,)
    ).fetchall()
    places = [
        (row, path)
        for row in rows
        for path in (
            [()]
            if forged.field == ACTOR
            else [p for p, _ in leaves(json.loads(row["data"])) if field_of(p) == forged.field]
        )
    ]
    row, path = places[nth % len(places)]
    if forged.field == ACTOR:
        database.execute("UPDATE events SET actor = ? WHERE rowid = ?", ("staff/ghost", row["id"]))
    else:
        data = json.loads(row["data"])
        inner = data
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = another(inner[path[-1]], _name_of(path))
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        database.execute("UPDATE events SET data = ? WHERE rowid = ?", (text, row["id"]))
    seal_again(database, row["stream"])
    database.execute("DELETE FROM snapshots")  # one is folded again when it is needed
    database.commit()
    return f"{row['stream']} {row['version']}"
