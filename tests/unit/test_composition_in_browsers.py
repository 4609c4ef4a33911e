"""The vectors that the browser's composition is tested with are what `pitboss.floor.composition` makes."""

from __future__ import annotations

import json
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from pitboss.floor import composition
from pitboss.floor.composition import BeaconValue, Contribution

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent.parent / "web" / "src" / "game" / "composition.json").read_text(
        encoding="utf-8"
    )
)
BOUND = VECTORS["bound"]
SEAL = {"table": BOUND["table"], "number": BOUND["round"], "root": BOUND["root"]}


def test_commitments() -> None:
    for vector in VECTORS["commitments"]:
        made = composition.commitment_to(Contribution(**vector["contribution"]), **SEAL)
        assert made == vector["commitment"]
    names = {vector["contribution"]["player"] for vector in VECTORS["commitments"]}
    assert any(not name.isascii() for name in names)
    assert any('"' in name for name in names)


def test_orders() -> None:
    for vector in VECTORS["orders"]:
        given = [Contribution(**contribution) for contribution in vector["contributions"]]
        beacon = BeaconValue(**vector["beacon"]) if vector["beacon"] else None
        assert composition.seed_of(given, beacon, **SEAL).hex() == vector["seed"]
        assert list(composition.composed(given, beacon, **SEAL)) == vector["order"]


def test_an_order_passes_over_words_that_would_favour_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    words = composition._words

    def after_eight_that_are_too_high(seed: bytes) -> Any:
        yield from repeat(2**32 - 1, 8)
        yield from words(seed)

    monkeypatch.setattr(composition, "_words", after_eight_that_are_too_high)
    first = VECTORS["orders"][0]
    assert list(composition.order_of(bytes.fromhex(first["seed"]))) == first["order"]


def test_signatures_and_rounds_of_a_beacon() -> None:
    beacon = VECTORS["beacon"]
    value = BeaconValue(beacon["round"], beacon["signature"])
    assert composition.is_signed(beacon["name"], beacon["key"], value)
    assert not composition.is_signed("another", beacon["key"], value)
    assert not composition.is_signed(beacon["name"], beacon["key"], value._replace(round=value.round + 1))
    for micros, number in beacon["rounds"]:
        when = {"genesis": beacon["genesis"], "period": beacon["period"]}
        assert composition.first_round_after(micros / 1e6, **when) == number
        assert composition.published_at(**when, round_number=number) * 1_000_000 > micros
