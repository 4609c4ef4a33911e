"""The client speaks every word of the rulebooks in each of its languages."""

from __future__ import annotations

import re
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

from pitboss.cards.hands import HandClass
from pitboss.cards.hole import HoleClass
from pitboss.floor.codec import CODEC
from pitboss.floor.disputes import DisputeStatus, Party
from pitboss.floor.disputing import STEPS, bases_of
from pitboss.floor.link import ClaimStatus
from pitboss.forms import REQUESTS
from pitboss.rulebooks.brief import brief
from pitboss.rulebooks.load import load_plan
from pitboss.rulebooks.trouble import Condition, Irregularity, Mode, Remedy, Ruling
from pitboss.rulebooks.vocabulary import Position, meaning
from support import BOOKS

WORDS = Path(__file__).parent.parent.parent / "web" / "src" / "words"
LANGUAGES = ("en", "zh", "vi")


KINDS = (
    *(HandClass, HoleClass, Condition, Irregularity, Mode, Remedy, Ruling, Position),
    *(ClaimStatus, DisputeStatus),
)


def words_of(language: str, name: str) -> dict[str, str]:
    """The words of one list of a language: `book`, or those of the screens."""
    text = (WORDS / f"{language}.ts").read_text(encoding="utf-8")
    text = re.split(rf"export const {name}\b", text)[1].split("\n}")[0]
    found = re.findall(r'^  (?:"([^"]+)"|(\w+)):\s+"([^"]*)"', text, re.MULTILINE)
    return {quoted or bare: said for quoted, bare, said in found}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_word_is_said_in_each_language(language: str, kind: type[StrEnum]) -> None:
    assert {word.value for word in kind} <= set(words_of(language, "book"))


def test_all_languages_know_the_same_words() -> None:
    english, *others = (set(words_of(language, "book")) for language in LANGUAGES)
    assert len(english) > 100
    assert all(other == english for other in others)


def test_what_goes_wrong_is_said_in_english_as_the_command_says_it() -> None:
    said = words_of("en", "book")
    assert {kind: said[kind.value] for kind in Irregularity} == {kind: meaning(kind) for kind in Irregularity}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_name_for_people(language: str) -> None:
    said = words_of(language, language)
    events = {f"event.{name.rpartition('.v')[0]}" for name in CODEC.names}
    assert events - set(said) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_procedures_notices_and_bases_of_every_book_are_said(language: str) -> None:
    said = words_of(language, language)
    for book in BOOKS:
        plan = load_plan(book)
        assert {f"way.{procedure.name}" for procedure in plan.procedures} <= set(said)
        assert {f"basis.{basis}" for basis in bases_of(plan)} <= set(said)
    assert {f"missing.{party}" for party in (*Party, "evidence")} <= set(said)
    assert {"notice.no-jackpot", "notice.closed", "notice.blocked"} <= set(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_the_forms_on_the_screens_has_a_name(language: str) -> None:
    said = words_of(language, language)
    source = "".join(path.read_text(encoding="utf-8") for path in WORDS.parent.rglob("*.svelte"))
    counted = {"open-table", "close-table", "fill", "credit", "set-limits"}  # they have forms of their own
    asked = {name for name in REQUESTS if f'"{name}"' in source} - counted
    asked |= {name for name, _ in STEPS.values()}  # the service says which of them may be asked now
    assert {"assign-staff", "decide-dispute", "take-seat"} <= asked
    for name in asked:
        assert {f"field.{field.name}" for field in fields(REQUESTS[name].kind)} <= set(said), name
        assert f"request.{name}" in said or name in ("verify-claim", "answer-call", "call-supervisor"), name


UNSAID = ("method", "trouble", "power")
"""Methods are drawn step by step, troubles have their names in the book's words, powers are for the house."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_every_topic_of_the_rules_is_named_in_each_language(language: str, book: str) -> None:
    known = set(words_of(language, language))
    for topic in brief(load_plan(book)):
        assert topic.about, topic.name
        assert f"rule.chapter.{topic.chapter}" in known
        if topic.about not in UNSAID:
            assert f"rule.{topic.about}" in known, topic.name
            assert not topic.says or f"rule.{topic.about}.{topic.says}" in known, topic.name
        assert topic.says or not topic.first, "what a player should know first is said in his language"
