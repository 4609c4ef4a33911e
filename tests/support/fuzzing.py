"""Hostile input for every parser: good documents spoilt at random, and nonsense from nothing.

Each target takes a document as text and either uses it or says in one line what is wrong with it (`BadInput`).
Anything else is a finding. Hypothesis draws the documents, so that `make test` can repeat them by a seed, and so
that `tools/fuzz.py` can let a coverage-guided fuzzer choose the draws.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pitboss.cli.verify_round import check_document
from pitboss.errors import BadInput
from pitboss.floor.codec import CODEC, decode
from pitboss.floor.ports import Micros, Recorded
from pitboss.play.facts_file import read_facts
from pitboss.play.record import played_json, replay_record, save_record
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.play.settlement import settle
from pitboss.play.sheet import settlement_json
from pitboss.rulebooks.document import Document
from pitboss.rulebooks.load import plan_of_text, written_out
from pitboss.rulebooks.validate import validate
from support.sent import as_sent

TESTS = Path(__file__).parent.parent
BOOKS = ("mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2")

# --- good documents to spoil ------------------------------------------------------------------------------


@cache
def scenarios() -> tuple[Any, ...]:
    files = [*sorted((TESTS / "scenarios").glob("*.json"))]
    files += sorted((TESTS / "scenarios" / "irregularities").glob("*.json"))[::9]
    return tuple(json.loads(file.read_text(encoding="utf-8")) for file in files)


@cache
def facts() -> tuple[Any, ...]:
    cases = json.loads((TESTS / "cases" / "settlements.json").read_text(encoding="utf-8"))
    return tuple(case["facts"] for case in cases)


@cache
def books() -> tuple[Any, ...]:
    return tuple(json.loads(written_out(book)[1]) for book in BOOKS)


@cache
def records() -> tuple[Any, ...]:
    played = [play_scenario(read_scenario(json.dumps(found), name="x")) for found in scenarios()[:6]]
    return tuple(save_record(found) for found in played)


@cache
def events() -> tuple[Any, ...]:
    lines = (TESTS / "frozen" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def seals() -> tuple[Any, ...]:
    from support.floor import House

    house = House()
    house.table("mbs-stud-6")
    house.steps(
        "dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: view"
    )
    from pitboss.floor.views import floor_view
    from pitboss.play.views import Role, Viewer

    return (as_sent(floor_view(house.floor.table("t1"), None, Viewer(Role.PLAYER, "p1"))),)


# --- spoiling ---------------------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.integers(-3, 60),
    st.sampled_from([2**31, 2**63, -(2**63), 10**30, 1e308, -0.0, float("nan"), float("inf")]),
)
WORDS = st.one_of(
    st.sampled_from(
        ("", " ", "0", "-1", "1e9", "25", "25.005", "9" * 40, "As", "as", "10d", "A♠", "Xx", "null", "ante")
    ),
    st.sampled_from(
        (
            "p1",
            "p1@1: bet",
            "dealer: deal",
            "../../x",
            "\x00",
            "\u202e",
            "{{}}",
            "%s",
            "\U0001d7d7h",
            "a" * 5000,
        )
    ),
    st.text(max_size=12),
)
JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=6,
)


def _places(document: Any) -> list[tuple[Any, ...]]:
    """The path of every node below the top."""
    found: list[tuple[Any, ...]] = []
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), document)]
    while waiting:
        path, node = waiting.pop()
        keys = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            found.append((*path, key))
            waiting.append(((*path, key), node[key]))
    return found


@st.composite
def spoilt(draw: st.DrawFn, good: Callable[[], tuple[Any, ...]]) -> str:
    """A good document with one to four things wrong with it, as text; seldom with its bytes wrong too."""
    document = json.loads(json.dumps(draw(st.sampled_from(good()))))
    for _ in range(draw(st.integers(1, 4))):
        places = _places(document)
        if not places:
            break
        *above, key = draw(st.sampled_from(places))
        node = document
        for part in above:
            node = node[part]
        match draw(st.sampled_from(["put", "put", "put", "drop", "name", "twice", "swap"])):
            case "put":
                node[key] = draw(JUNK)
            case "drop":
                del node[key]
            case "name" if isinstance(node, dict):
                node[draw(WORDS)] = node.pop(key)
            case "twice" if isinstance(node, list):
                node.insert(key, node[key])
            case "swap" if isinstance(node, list):
                other = draw(st.integers(0, len(node) - 1))
                node[key], node[other] = node[other], node[key]
            case _:
                node[key] = draw(NUMBERS)
    text = json.dumps(document, ensure_ascii=draw(st.booleans()))
    if draw(st.integers(0, 9)) == 0:
        cut = draw(st.integers(0, len(text)))
        text = text[:cut] + draw(st.text(max_size=4)) + text[cut + draw(st.integers(0, 3)) :]
    return text


NONSENSE = st.one_of(
    st.text(max_size=200),
    JUNK.map(json.dumps),
    st.integers(1, 3000).map(lambda deep: "[" * deep),
    st.integers(1, 3000).map(lambda deep: "[" * deep + "]" * deep),
    st.integers(1, 900).map(lambda deep: '{"a":' * deep + "1" + "}" * deep),
)

# --- targets ----------------------------------------------------------------------------------------------


def scenario(text: str) -> None:
    played = play_scenario(read_scenario(text, name="script"))
    json.dumps(played_json(played))


def fact(text: str) -> None:
    plan, found = read_facts(text, name="facts")
    json.dumps(settlement_json(plan, settle(plan, found)))


def rulebook(text: str) -> None:
    """As a floor proposes it, and as `rules validate` reads it."""
    with suppress(BadInput):
        plan_of_text("x", text, {})
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
        if isinstance(data, dict):
            for defect in validate(Document("x", data, {})):
                assert str(defect)


def record(text: str) -> None:
    replay_record(text, name="record")


def event(text: str) -> None:
    """An event of the store: a known name with a spoilt body, or an unknown one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    name, body = CODEC_NAME, text
    if isinstance(found, dict):
        name, body = str(found.get("name")), json.dumps(found.get("data"))
    decode(Recorded("table/t1", 1, Micros(0), "x", name, body, ""))


def seal(text: str) -> None:
    check_document(text, name="round")


CODEC_NAME = sorted(CODEC.names)[0]
TARGETS: Mapping[str, tuple[Callable[[str], None], Callable[[], tuple[Any, ...]]]] = {
    "scenario": (scenario, scenarios),
    "facts": (fact, facts),
    "rulebook": (rulebook, books),
    "record": (record, records),
    "event": (event, events),
    "seal": (seal, seals),
}


def documents(target: str) -> st.SearchStrategy[str]:
    """Spoilt documents of a target, with some nonsense among them."""
    good = TARGETS[target][1]
    return st.one_of(spoilt(good), spoilt(good), spoilt(good), NONSENSE)


def throw(target: str, text: str) -> None:
    """Give a document to a target. Raises whatever is not a plain statement of what is wrong with it."""
    try:
        TARGETS[target][0](text)
    except BadInput as problem:
        said = str(problem)
        assert said
        assert "\n" not in said
        assert len(said) < 2000, said[:300]
    except RecursionError as error:
        raise AssertionError("a document may be too deep, the stack may not") from error


def fuzzed(target: str, *, examples: int) -> Callable[[], None]:
    """A test of one target; `tools/fuzz.py` lets a coverage-guided fuzzer choose its draws."""

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )
    @given(text=documents(target))
    def test(text: str) -> None:
        throw(target, text)

    return test
