"""What the documentation site is made from is whole: every field, clause, reading and command is described."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

import pitboss
from pitboss.cli.main import VERBS
from pitboss.forms import REQUESTS
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.vocabulary import Word
from site_pages.command_line import command_page
from site_pages.diagrams import SAYS, layers, layers_svg, request_svg
from site_pages.felt import areas, layout_svg
from site_pages.games import game_page
from site_pages.http_api import http_page
from site_pages.library_api import library_page
from site_pages.register import PRICES, readings_page, reasons, register_page
from site_pages.rulebook_format import field_docs, format_page, models
from site_pages.writing import clause_anchor
from support import BOOKS


def test_every_field_of_the_rulebook_format_has_a_meaning() -> None:
    assert len(models()) > 35
    for model in models():
        assert model.__doc__
        assert set(field_docs(model)) == set(model.model_fields), model.__name__


def test_the_reference_has_every_key_and_every_word() -> None:
    page = format_page()
    for model in models():
        for name, field in model.model_fields.items():
            assert f"| `{field.alias or name}` |" in page
    for kind in Word.__subclasses__():
        assert kind.__doc__
        for word in kind:
            assert f"| `{word}` |" in page


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_of_a_book_can_be_linked_to_once(book: str) -> None:
    plan = load_plan(book)
    anchors = re.findall(r'<a id="([^"]+)">', register_page(plan))
    assert anchors == list(dict.fromkeys(anchors))
    assert set(anchors) == {clause_anchor(number) for number in plan.register}


@pytest.mark.parametrize("book", BOOKS)
def test_the_prices_are_of_the_data_as_they_are(book: str) -> None:
    """`python tools/docs_prices.py` makes them anew."""
    plan, known = load_plan(book), json.loads(PRICES.read_text())["books"][book]
    assert known["digest"] == plan.digest
    letters = {(label, letter) for label, reading in plan.book.readings.items() for letter in reading.options}
    assert letters == {(label, letter) for label, found in known["readings"].items() for letter in found}
    page = readings_page(plan)
    for label in plan.book.readings:
        assert f"## {label} " in page


def test_every_default_has_its_reason() -> None:
    lettered = {
        label for book in BOOKS for label, reading in load_plan(book).book.readings.items() if reading.options
    }
    assert lettered == set(reasons())


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_of_a_game_has_every_wager_pay_and_decision(book: str) -> None:
    plan = load_plan(book)
    page = game_page(plan)
    for wager in areas(plan):
        assert f"| **{wager.name.replace('-', ' ')}** | {wager.area} |" in page
    for decision in plan.decisions:
        assert f"or {decision.otherwise} (" in page
    for procedure in plan.procedures:
        assert procedure.title in page


@pytest.mark.parametrize("book", BOOKS)
def test_the_picture_of_a_layout_has_every_area_and_position(book: str) -> None:
    plan = load_plan(book)
    tree = ElementTree.fromstring(layout_svg(plan))
    said = ["".join(node.itertext()) for node in tree.iter() if node.tag.endswith("text")]
    assert {wager.area for wager in areas(plan)} <= set(said)
    numbers = [node.text for node in tree.iter() if node.get("class") == "n"]
    assert sorted(map(int, filter(None, numbers))) == list(range(1, plan.positions + 1))


def test_the_diagrams_have_every_layer() -> None:
    said = "".join(ElementTree.fromstring(layers_svg()).itertext())
    for names in layers():
        for name in names:
            assert name in said
            assert name in SAYS
    assert ElementTree.fromstring(request_svg()) is not None


def test_the_references_have_every_verb_call_and_name() -> None:
    line, http, library = command_page(), http_page(), library_page()
    for verb in VERBS:
        assert f" pitboss {verb}" in line
    for name in REQUESTS:
        assert f"### POST /api/floor/{name} " in http
    for name in pitboss.__all__:
        assert f"### {name} " in library
