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
    if path[0] == "evidence" and path[1] != 0:
        return "evidence in words"  # the first line says where in the record the round stands
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
    """Change a field of one event that has it; which event that was."""
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


SAID = "somebody said or set it, and nothing else in the record rests on it"
CITED = "which clause of its book an event cites; money does not move by it"
FITS = "somebody else of the rank, or another position or card in play, fits as well"
GONE = "of answers that no event speaks of, and that are gone; a backup of before holds them"
MADE = "put into words, or made of cards and circumstances, by the rules of its day: old records are not judged by new ones"

NOT_FOUND: dict[str, dict[str, tuple[str, ...]]] = {
    SAID: {
        "account-noted.v1": ("what",),
        "complaint-answered.v1": ("answer",),
        "complaint-filed.v1": ("text",),
        "dealing-set.v1": ("betting_seconds", "pause_seconds", "reason"),
        "dispute-decided.v1": ("decision",),
        "dispute-noted.v1": ("account_of", "text"),
        "dispute-opened.v1": ("about",),
        "excess-rejected.v1": ("amount",),
        "floor-created.v1": ("name", "utc_offset_minutes"),
        "interrupted.v1": ("reason",),
        "jackpot-hand-left.v1": ("position",),
        "irregularity-reported.v1": ("what",),
        "limits-set.v1": ("limits.ante", "reason"),
        "link-failed.v1": ("reason",),
        "parameters-planned.v1": ("reason",),
        "person-moved.v1": ("reason",),
        "person-removed.v1": ("reason",),
        "player-excluded.v1": ("reason", "until"),
        "player-limited.v1": ("from_day", "loss", "minutes", "now_loss", "now_minutes"),
        "rulebook-withdrawn.v1": ("reason",),
        "ruling-given.v1": ("argument",),
        "supervisor-called.v1": ("reason",),
        "table-opened.v1": (
            "decision_seconds",
            "limits.ante",
            "limits.bonus",
            "limits.pair-plus",
            "limits.six-card-bonus",
            "positions",
            "reason",
        ),
        "transferred.v1": ("reason",),
    },
    CITED: {
        "absence-recorded.v1": ("clauses",),
        "award-corrected.v1": ("clauses",),
        "cards-ordered.v1": ("clauses",),
        "cards-reconstructed.v1": ("clauses",),
        "claim-entered.v1": ("clauses",),
        "claim-fixed.v1": ("clauses",),
        "complaint-filed.v1": ("clauses",),
        "dispute-decided.v1": ("clauses",),
        "dispute-escalated.v1": ("clauses",),
        "dispute-opened.v1": ("clauses",),
        "entries-cleared.v1": ("clauses",),
        "hand-removed.v1": ("clauses", "followups.permit-withdrawal.clauses"),
        "irregularity-reported.v1": ("clauses",),
        "jackpot-claim-dropped.v1": ("clauses",),
        "jackpot-claimed.v1": ("clauses",),
        "options-offered.v1": ("clauses", "leaving_clauses"),
        "order-lifted.v1": ("clauses",),
        "player-absent.v1": ("clauses",),
        "round-settled.v1": (
            "settlement.jackpot.awards.clauses",
            "settlement.seats.owners.lines.clauses",
        ),
        "round-suspended.v1": ("suspension.clauses",),
        "round-voided.v1": ("clauses", "settlement.seats.lines.clauses"),
        "ruling-given.v1": (
            "clauses",
            "followups.invalidate.clauses",
            "followups.permit-withdrawal.clauses",
        ),
        "share-folded.v1": ("clauses",),
        "share-returned.v1": ("clauses",),
        "standing-order.v1": ("clauses",),
        "time-frame-given.v1": ("clauses",),
        "withdrawal-permitted.v1": ("clauses",),
    },
    FITS: {
        "account-noted.v1": ("name",),
        "card-corrected.v1": ("number",),
        "complaint-filed.v1": ("assisted_by",),
        "credited.v1": ("witness",),
        "filled.v1": ("witness",),
        "hand-looked-at.v1": ("position",),
        "irregularity-reported.v1": ("positions",),
        "opening-approved.v1": ("approved_by",),
        "parameters-planned.v1": ("approved_by",),
        "player-absent.v1": ("position",),
        "player-excluded.v1": ("player",),
        "round-suspended.v1": ("suspension.positions",),
        "standing-order.v1": ("approved_by",),
        "transferred.v1": ("approved_by",),
    },
    GONE: {
        "answers-forgotten.v1": ("others", "others_digest"),
    },
    MADE: {
        "award-corrected.v1": ("reason",),
        "dispute-opened.v1": ("evidence in words",),
        "entry-corrected.v1": ("what",),
        "hand-removed.v1": ("forfeited_too",),
        "irregularity-reported.v1": ("exposed",),
        "options-offered.v1": ("all_hands",),
        "parameters-restored.v1": ("reason",),
        "round-settled.v1": ("exposed", "settlement.seats.hand", "warned"),
        "round-voided.v1": ("settlement.seats.hand",),
        "ruling-given.v1": ("what",),
        "settlement-reversed.v1": ("warned",),
    },
}
"""Fields that nothing else in a record contradicts where they are changed before they were signed, by the reason."""


ONLY_INSIDE = {("void-noted.v1", "house")}
"""Fields that `pitboss verify` computes again by the rules of play, which the verifier of an export does not have."""
ALARMS = {"seal-broken.v1"}
"""Events by which no record verifies: they are told as problems for ever (`tests/unit/test_voids.py`)."""


def in_words() -> list[str]:
    """The table of what is not found, as the documentation has it."""
    lines = []
    for reason, names in NOT_FOUND.items():
        listed = "; ".join(
            f"`{name.removesuffix('.v1')}` {', '.join(fields)}" for name, fields in names.items()
        )
        lines.append(f"* {reason}: {listed}.")
    return lines
