"""The library: a small surface, pinned by name, documented by examples that are run."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import pitboss
from pitboss import library, notebook

NAMES = [
    "BadInput",
    "Hand",
    "MissingPart",
    "Plot",
    "Priced",
    "RoundsPlayed",
    "Rulebook",
    "Settled",
    "Simulated",
    "analyse",
    "books",
    "evaluate",
    "hand_in_words",
    "load",
    "run",
    "settle",
    "simulate",
]
FACTS = {
    "rulebook": "mbs-thb-9",
    "community": ["7h", "8h", "9h", "2c", "Kd"],
    "dealer": ["As", "Ad"],
    "seats": [
        {
            "position": 1,
            "player": "<ann>",
            "cards": ["5h", "6h"],
            "status": "played",
            "wagers": {"ante": "25", "flop": "50"},
        }
    ],
}


def test_the_exported_names_are_these() -> None:
    """Whoever adds one documents it; whoever takes one away breaks programs."""
    assert sorted(pitboss.__all__) == NAMES
    assert dir(pitboss)[-1] == "__version__" or "__version__" in dir(pitboss)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        pitboss.nothing  # noqa: B018


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_a_docstring(name: str) -> None:
    found = getattr(pitboss, name)
    assert inspect.getdoc(found)
    if inspect.isclass(found) and found.__module__ == library.__name__:
        for part, value in vars(found).items():
            if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), (name, part)


@pytest.mark.whole
@pytest.mark.parametrize("module", [pitboss, library, notebook])
def test_the_examples_are_true(module: object) -> None:
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)  # type: ignore[arg-type]
    assert found.attempted > 0
    assert found.failed == 0


def test_what_comes_back_shows_as_text_and_as_a_table() -> None:
    settled = pitboss.settle(FACTS)
    assert repr(settled).splitlines()[0].split() == [
        "position", "player", "wager", "stake", "returned", "collected", "paid", "clauses"
    ]  # fmt: skip
    assert "3.10" in repr(settled)
    shown = settled._repr_html_()
    assert "&lt;ann&gt;" in shown
    assert "<ann>" not in shown
    assert "<table>" in pitboss.load("mbs-thb-9")._repr_html_()


def shown(found: object) -> str:
    """What a notebook would put on the page."""
    text = found._repr_html_()  # type: ignore[attr-defined]
    page = ElementTree.fromstring(f"<div>{text.replace('<br>', '<br/>')}</div>")  # it is whole
    return " ".join("".join(page.itertext()).split())


def test_a_hand_shows_its_cards_in_their_colours() -> None:
    hand = pitboss.evaluate("9h 9s 9d 2c 2h")
    assert repr(hand) == "<Hand full house, nines over twos: 9♥ 9♠ 9♦ 2♣ 2♥>"
    assert shown(hand) == "9♥ 9♠ 9♦ 2♣ 2♥ full house, nines over twos"
    red, black = (re.search(rf'color:(#\w+)">{face}', hand._repr_html_()) for face in ("9♥", "9♠"))
    assert red is not None
    assert black is not None
    assert red[1] != black[1]


def test_a_settled_round_shows_the_cards_that_lay_there() -> None:
    page = shown(pitboss.settle(FACTS))
    assert "community 7♥ 8♥ 9♥ 2♣ K♦" in page
    assert "dealer A♠ A♦" in page
    assert "position 1 5♥ 6♥ straight flush, nine high" in page


def test_a_script_shows_its_steps_its_rounds_and_the_racks() -> None:
    steps = ["dealer: open bets", "ann@1: wager ante 25", "dealer: close bets", "dealer: deal", "ann@1: fold"]
    steps += ["dealer: reveal dealer", "dealer: settle", "ann@1: wager ante 25"]
    deck = "9s 9d 9h 5c 3h Qc Jd 8s 6h 2c"
    found = pitboss.run({"rulebook": "mbs-stud-6", "players": {"ann": "100"}, "deck": deck, "steps": steps})
    page = shown(found)
    assert "round 1: settled" in page
    assert "refused" in page
    assert "ann75.00" in page


@pytest.mark.whole
def test_drawings_show_in_a_notebook_and_go_to_files(tmp_path: Path) -> None:
    ran = pitboss.simulate("mbs-3cp-2023", rounds=5000, seed=3)
    assert "5,000" in shown(ran)
    for drawn in (ran.plot(tmp_path / "run.svg"), pitboss.analyse("mbs-3cp-2023").plot()):
        assert drawn._repr_svg_().startswith("<svg")
        assert drawn._repr_png_().startswith(b"\x89PNG")
        for name in ("a.png", "a.svg", "a.pdf"):
            drawn.save(tmp_path / name)
            assert (tmp_path / name).stat().st_size > 1000
        with pytest.raises(pitboss.BadInput, match=r"end it with .png, .svg, .pdf"):
            drawn.save(tmp_path / "a.gif")
    assert (tmp_path / "run.svg").read_text().count("<svg") == 1


def test_types_go_along_for_programs_that_check_theirs() -> None:
    assert (Path(inspect.getfile(pitboss)).parent / "py.typed").exists()
    for name in NAMES:
        found = getattr(pitboss, name)
        if inspect.isfunction(found):
            signature = inspect.signature(found)
            annotations = [each.annotation for each in signature.parameters.values()]
            assert inspect.Signature.empty not in [*annotations, signature.return_annotation], name


def test_bad_input_is_said_in_one_line() -> None:
    for wrong in ({}, {"rulebook": "none"}, FACTS | {"dealer": ["As"]}):
        with pytest.raises(pitboss.BadInput) as found:
            pitboss.settle(wrong)
        assert "\n" not in str(found.value)
    for cards in ("As", "As As Ks Qs Js", "As Ks Xx"):
        with pytest.raises(pitboss.BadInput):
            pitboss.evaluate(cards)
    with pytest.raises(pitboss.BadInput):
        pitboss.simulate("mbs-3cp-2023", rounds=0)


ODD: dict[str, tuple[Callable[[Any], object], str]] = {
    "load nothing": (lambda p: p.load(""), "no rulebook is named; known: hoiana-thb-2025"),
    "load None": (lambda p: p.load(None), "reference: None names no rulebook; write an id or a path"),
    "load readings": (lambda p: p.load("mbs-stud-6", {1: 2}), "readings: {1: 2} is no choice of readings"),
    "evaluate None": (lambda p: p.evaluate(None), "cards: None are no cards"),
    "evaluate a number": (lambda p: p.evaluate(["As", 7]), "cards[1]: 7 is not a card"),
    "words of a text": (lambda p: p.hand_in_words("x"), "hand: 'x' is no hand"),
    "analyse readings": (lambda p: p.analyse("mbs-stud-6", readings="x"), "readings: 'x' is no choice"),
    "rounds in words": (lambda p: p.simulate("mbs-stud-6", rounds="x"), "rounds: 'x' is no number of rounds"),
    "rounds below": (lambda p: p.simulate("mbs-stud-6", rounds=-1), "rounds: -1 is no number of rounds"),
    "seats": (lambda p: p.simulate("mbs-stud-6", seats="1"), "seats: '1'; mbs-stud-6 has 1 to "),
    "seed above": (
        lambda p: p.simulate("mbs-stud-6", seed=10**30),
        "is no seed; write a whole number from 0",
    ),
    "seed below": (lambda p: p.simulate("mbs-stud-6", seed=-1), "seed: -1 is no seed"),
    "settle None": (lambda p: p.settle(None), "facts: None is no document; write a mapping"),
    "settle no file": (
        lambda p: p.settle(Path("nowhere/round.json")),
        "nowhere/round.json: there is no such",
    ),
    "run a set": (lambda p: p.run({"steps": {1}}), "script: Object of type set is not JSON serializable"),
}


@pytest.mark.parametrize("case", ODD)
def test_what_is_no_input_at_all_is_bad_input_too(case: str) -> None:
    asked, says = ODD[case]
    with pytest.raises(pitboss.BadInput) as found:
        asked(pitboss)
    assert says in str(found.value)


@pytest.mark.whole
def test_a_simulation_is_near_the_exact_value() -> None:
    found = pitboss.simulate("mbs-3cp-2023", rounds=200_000, seed=3)
    assert abs(found.errors_from_exact) < 4
    assert "200,000 rounds" in repr(found)


def test_every_name_means_the_same_each_time_it_is_used() -> None:
    """A submodule of the same name would take its place as soon as it is imported."""
    names = ", ".join(f"pitboss.{name}" for name in NAMES)
    asked = f"import pitboss\nbefore = [{names}]\npitboss.load('mbs-stud-6')\nassert before == [{names}]"
    subprocess.run([sys.executable, "-c", asked], check=True)
