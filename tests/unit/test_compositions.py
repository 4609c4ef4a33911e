"""The order of a sealed deck is composed with what devices contribute: forged compositions are found by everybody."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pitboss.cli.main import run
from support.composed_rounds import (
    FORGED_COMPOSITIONS,
    HONEST,
    SILENT,
    forged_composition,
    honest_composition,
)
from support.sealed_rounds import CHECKS, by_command, by_the_page, holds, views_of


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_composition_holds(tmp_path: Path, check: Callable[[Path], bool], name: str) -> None:
    assert holds(check, honest_composition(name), tmp_path)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", FORGED_COMPOSITIONS)
def test_a_forged_composition_does_not_hold(tmp_path: Path, check: Callable[[Path], bool], name: str) -> None:
    assert not holds(check, forged_composition(name), tmp_path)


def test_there_are_many_kinds_of_forged_compositions() -> None:
    assert len(FORGED_COMPOSITIONS) >= 20
    texts = [json.dumps(forged_composition(name), sort_keys=True) for name in FORGED_COMPOSITIONS]
    assert len(set(texts)) == len(texts), "each is another one"


def test_the_command_says_what_the_order_was_composed_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = honest_composition("devices and a beacon")
    assert holds(by_command, document, tmp_path)
    told = " ".join(capsys.readouterr().out.split())
    assert "composed with 2 devices (phone-1 of p1, tablet-2 of p2) and with round" in told
    assert f"withheld: {SILENT}" in told
    assert run(["verify-round", str(tmp_path / "round.json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seal"], found["independent"], found["warnings"]) == (3, 2, [])
    assert holds(by_command, honest_composition("no device"), tmp_path)
    assert "no device contributed" in capsys.readouterr().out


@pytest.mark.parametrize("check", CHECKS)
def test_an_own_contribution_that_was_not_revealed_in_time_is_a_warning(
    tmp_path: Path, check: Callable[[Path], bool], capfd: pytest.CaptureFixture[str]
) -> None:
    document = honest_composition("devices")
    document["contributed"] = {"player": "p3", "device": SILENT, "secret": "ab" * 32, "revealed": False}
    assert holds(check, document, tmp_path)
    assert "contribution" in capfd.readouterr().out


def test_the_script_says_so_where_it_cannot_check_a_signature(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(honest_composition("a beacon alone")))
    assert by_the_page(file)
    assert "signature" not in capsys.readouterr().out
    without = "import sys\nsys.modules['cryptography'] = None\n"
    assert by_the_page(file, without)
    assert "signature is not checked" in capsys.readouterr().out
    file.write_text(json.dumps(forged_composition("the_beacon_left_out")))
    assert not by_the_page(file, without)


UNREADABLE: tuple[object, ...] = (
    None,
    1,
    -1,
    "x",
    [],
    {},
    [1],
    {"x": 1},
    10**400,
    [[]],
    {"contributions": [1]},
)


@pytest.mark.parametrize("part", ["composition", "devices", "reveal_by", "composed"])
def test_what_cannot_be_read_is_a_problem_and_no_crash(
    tmp_path: Path, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in UNREADABLE:
        document = honest_composition("devices and a beacon")
        for view in views_of(document):
            if "sealed" in view:
                view["sealed"][part] = value
        (tmp_path / "round.json").write_text(json.dumps(document))
        assert run(["verify-round", str(tmp_path / "round.json"), "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["problems"]
