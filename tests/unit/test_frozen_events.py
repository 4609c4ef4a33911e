"""Events as they were stored by earlier versions are read for ever: a line of the file for every name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss.floor.codec import CODEC

LINES = (Path(__file__).parent.parent / "frozen" / "events.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[json.loads(line)["name"] for line in LINES])
def test_an_event_of_then_is_read_now(line: str) -> None:
    stored = json.loads(line)
    event = CODEC.decode(stored["name"], stored["data"])
    assert CODEC.encode(event) == (stored["name"], stored["data"])


def test_every_event_has_its_bytes_frozen() -> None:
    """Whoever changes the shape of an event gives it a new name; whoever adds one adds its bytes."""
    assert {json.loads(line)["name"] for line in LINES} == set(CODEC.names)
