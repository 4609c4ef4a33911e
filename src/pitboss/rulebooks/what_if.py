"""What if one figure were another: `WAGER.KEY=VALUE`, turned into settings laid over a book's data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pitboss.cards import HandOrder, HoleClass
from pitboss.errors import BadInput, near_miss
from pitboss.rulebooks.document import Document
from pitboss.rulebooks.vocabulary import Order

_PLACE = "--set"
_NONE = "none"
_PAYS_FROM, _TIMES, _CAP = "pays-from", "times", "cap"
MOST, MOST_TIMES = 1_000_000, 100
"""No pay and no size beyond these is looked at: whoever writes one has slipped."""
_WHOLE = re.compile(r"\d+")
_PAY = re.compile(r"\d+ to 1|\d+ for 1|\d+%|\d+\.\d\d?")


def what_if(document: Document, texts: Sequence[str]) -> Document:
    """A sound document with figures changed. Each text names a wager, a key of it, and the new figure.

    A key is a hand of the wager's pay table, `pays-from` of a table that pays one thing from some hand up,
    `times` of a continue wager, or `cap`. A bare number keeps the kind of pay the row has; `none` takes the
    row out.
    """
    for text in texts:
        document = _changed(document, text)
    return document


def _changed(document: Document, text: str) -> Document:
    target, equals, value = (part.strip() for part in text.partition("="))
    wager, dot, key = target.partition(".")
    if not (equals and dot and wager and key and value):
        raise BadInput(
            _PLACE, f"'{text}' sets nothing", "write wager, key and figure, such as pair-plus.straight=6"
        )
    pays, wagers = document.tables["pays"], document.tables["wagers"]
    if wager not in pays:
        raise BadInput(_PLACE, f"{document.name} has no wager '{wager}'", near_miss(wager, pays))
    table = pays[wager]
    if key == _TIMES and "times" in wagers[wager]:
        return document.with_settings({f"wagers.{wager}.times": _whole(text, value)})
    if key == _CAP and "cap" in table:
        return document.with_settings({f"pays.{wager}.cap": value})
    rows = _hands_of(document.tables["hands"][table["hand"]]["order"])
    if key == _PAYS_FROM and _PAYS_FROM in table:
        if value not in rows:
            raise BadInput(_PLACE, f"no hand '{value}' for {target}", near_miss(value, rows))
        return document.with_settings({f"pays.{wager}.pays-from": value})
    if key not in rows:
        raise BadInput(_PLACE, f"the {wager} wager has no '{key}'", near_miss(key, keys_of(document, wager)))
    return document.with_settings(
        {f"pays.{wager}": _with_row(table, rows, key, _pay(table, key, value, text))}
    )


def keys_of(document: Document, wager: str) -> list[str]:
    """What can be changed about a wager of a sound document."""
    table = document.tables["pays"][wager]
    keys = _hands_of(document.tables["hands"][table["hand"]]["order"])
    keys += [_PAYS_FROM] if _PAYS_FROM in table else []
    keys += [_TIMES] if "times" in document.tables["wagers"][wager] else []
    return keys + ([_CAP] if "cap" in table else [])


def _hands_of(order: str) -> list[str]:
    """The hands a pay table can list, lowest first."""
    if order == Order.HOLE_CARDS:
        return [hole.value for hole in reversed(HoleClass) if hole is not HoleClass.UNLISTED]
    return [hand_class.value for hand_class in HandOrder(order).classes]


def _with_row(table: Mapping[str, Any], rows: Sequence[str], key: str, pay: str | None) -> dict[str, Any]:
    """A pay table with one row changed; one that pays one thing for all is written out first."""
    listed = dict(table.get("rows", {}))
    if "any" in table:
        first = rows.index(table[_PAYS_FROM]) if _PAYS_FROM in table else 0
        listed = dict.fromkeys(rows[first:], table["any"])
    listed.pop(key, None)
    if pay is not None:
        listed[key] = pay
    return {name: value for name, value in table.items() if name not in ("any", _PAYS_FROM)} | {
        "rows": listed
    }


def _pay(table: Mapping[str, Any], key: str, value: str, text: str) -> str | None:
    """A pay as books write it; a bare number takes the kind of the row, or of the table's other rows."""
    if value == _NONE:
        return None
    jackpot = any(not pay.endswith(" to 1") for pay in table.get("rows", {}).values())
    if _PAY.fullmatch(value) and (jackpot or value.endswith(" to 1")):
        if value.endswith("%") and not 1 <= int(value[:-1]) <= 100:
            raise BadInput(_PLACE, f"'{value}' in '{text}' is no share of the meter", "write 1% to 100%")
        return value
    if not _WHOLE.fullmatch(value):
        forms = (
            "a number, '40 for 1', '10%', '200.00' or none" if jackpot else "a whole number, '6 to 1' or none"
        )
        raise BadInput(_PLACE, f"'{value}' in '{text}' is no pay here", f"write {forms}")
    if int(value) > MOST:
        raise BadInput(_PLACE, f"{value} in '{text}'", f"write at most {MOST:,}")
    rows = table.get("rows", {})
    like = rows.get(key) or next(
        (pay for pay in reversed(list(rows.values())) if not pay.endswith("%")), "1 to 1"
    )
    if like.endswith("%"):
        return f"{value}%"
    if " " not in like:
        return f"{value}.00"
    return f"{value} {like.split(' ', 1)[1]}"


def _whole(text: str, value: str) -> int:
    if not _WHOLE.fullmatch(value) or not 1 <= int(value) <= MOST_TIMES:
        raise BadInput(
            _PLACE,
            f"'{value}' in '{text}' is no size",
            f"write how many times the Ante, from 1 to {MOST_TIMES}",
        )
    return int(value)
