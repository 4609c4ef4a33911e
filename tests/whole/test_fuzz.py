"""Whatever is given to a parser is used or refused in one line; here by a seed, for longer in `make prove`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from support.fuzzing import TARGETS, fuzzed, throw

pytestmark = pytest.mark.whole
EXAMPLES = 150


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_a_parser_uses_its_input_or_says_what_is_wrong_with_it(target: str) -> None:
    fuzzed(target, examples=EXAMPLES)()


FOUND: dict[str, tuple[str, Callable[[], Any]]] = {
    "a record whose events do not follow": (
        "record",
        lambda: _with(record(), ("events", 3), record()["events"][9]),
    ),
    "a record that burns more cards than memory holds": ("record", lambda: _burning(10**18)),
    "a record whose jackpot lacks its reset": (
        "record",
        lambda: _with(record(), ("table", "jackpot"), {"unit": "5"}),
    ),
    "a record of a procedure the book has not": (
        "record",
        lambda: _with(record(), ("table", "procedure"), "1e9"),
    ),
    "a seal with a list for a card": ("seal", lambda: {"sealed": _opened(card=["As"])}),
    "a seal with an object for a place": ("seal", lambda: {"sealed": _opened(index={})}),
    "a value of thousands of letters": ("record", lambda: _with(record(), ("meter",), "a" * 5000)),
    "an event of an unknown name": ("event", lambda: {"name": "9" * 40, "data": {}}),
    "an event nested a thousand times": ("event", lambda: {"name": "bets-closed.v1", "data": "[" * 3000}),
}


@pytest.mark.parametrize("case", sorted(FOUND))
def test_what_fuzzing_has_found_stays_mended(case: str) -> None:
    target, document = FOUND[case]
    throw(target, json.dumps(document()))


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("deep", [60, 700, 900, 980, 3000, 100_000])
def test_no_document_is_too_deep_to_be_refused(target: str, deep: int) -> None:
    for text in ("[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep, "[" * deep):
        throw(target, text)


def _burning(count: int) -> dict[str, Any]:
    found = record()
    found["events"].insert(3, {"event": "cards-burned.v1", "count": count, "cards": None})
    return found


def record() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(TARGETS["record"][1]()[0]))
    return found


def _with(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    node: Any = document
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return document


def _opened(**change: Any) -> dict[str, Any]:
    opening = {"index": 0, "salt": "00", "card": "As"} | change
    return {"root": "00", "commitments": "AAAA", "openings": [opening]}
