"""The worked settlements, through the command line, to the cent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import pitboss

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "cases/settlements.json").read_text()
)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_settlement(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(case["facts"]))
    ran = pitboss("settle", str(file), "--json")
    assert (ran.code, ran.err) == (0, "")
    result = json.loads(ran.out)
    assert result["rulebook"] == case["facts"]["rulebook"]
    for expected, seat in zip(case["expected"]["seats"], result["seats"], strict=True):
        amounts = [
            {key: value for key, value in found.items() if key != "clauses"} for found in seat["lines"]
        ]
        assert amounts == expected["lines"]
        assert (seat["position"], seat["net"]) == (expected["position"], expected["net"])
        assert all(found["clauses"] for found in seat["lines"])
    if "jackpot" in case["expected"]:
        meter = {key: result["jackpot"][key] for key in ("before", "after")}
        assert meter == case["expected"]["jackpot"]
    else:
        assert "jackpot" not in result


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_sheet_for_people_shows_every_net(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(case["facts"]))
    ran = pitboss("settle", str(file))
    assert (ran.code, ran.err) == (0, "")
    for seat in case["expected"]["seats"]:
        assert seat["net"] in ran.out
