"""The API's document is true: every view of whole rounds has the shape that is promised."""

from __future__ import annotations

import ast
import re
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

import web_types
from pitboss.floor import report_shapes
from pitboss.floor import shapes as floor_shapes
from pitboss.floor.bots import Chances
from pitboss.floor.overview import lobby, overview, table_view
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.shapes import Lobby, Overview, TableView, Terms
from pitboss.floor.simulation import simulated
from pitboss.floor.terms import terms_view
from pitboss.play import shapes as play_shapes
from pitboss.play.refusal import refusal_json, refuse
from pitboss.play.shapes import RoundView
from pitboss.play.views import Role, Viewer
from pitboss.school import shapes as school_shapes
from pitboss.server import shapes as server_shapes
from pitboss.server.app import openapi_config, route_handlers
from pitboss.store.memory import MemoryStore
from support.sent import as_sent, shape_of


@pytest.mark.whole
def test_every_view_of_a_simulated_hour_has_its_shape() -> None:
    clock = SimulatedClock()
    floor = Floor(MemoryStore(), clock=clock, cards=SeededCards(Random(4)), deck_key=bytes(32))
    chances = Chances(irregularity=60, hit=60, repeated=0, late=0)
    day, _ = simulated(floor, clock, tables=5, seed=4, chances=chances)
    fields: set[str] = set()
    games: set[str] = set()
    for _ in range(60):
        day.run(seconds=60)
        assert read(lobby(floor), Lobby)
        assert read(overview(floor), Overview)
        for name in floor.registry.tables:
            assert read(terms_view(floor.table(name)), Terms)
            players = [Viewer(Role.PLAYER, f"{name}-p{seat}") for seat in (1, 2)]
            roles = [Viewer(role) for role in Role if role is not Role.PLAYER]
            for viewer in (*players, *roles):
                view = read(table_view(floor, name, viewer), TableView)
                fields |= set(view)
                games.add(view["game"])
    assert len(games) == 5
    assert fields >= {"settlement", "suspended", "choices", "sealed", "claim", "rack", "racks", "matter"}


def read(shown: msgspec.Struct, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """What is shown, read by the letter as what it is promised to be."""
    text = msgspec.json.encode(shown)
    assert msgspec.json.encode(msgspec.json.decode(text, type=kind)) == text
    return as_sent(shown)


def test_a_view_has_no_field_that_nobody_promised() -> None:
    view = shape_of(RoundView, {})
    with pytest.raises(AttributeError):
        view.hidden = "As"  # type: ignore[attr-defined]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"floor": 1, "tables": [], "jackpots": []}, Lobby)


def handlers() -> Iterator[tuple[str, HTTPRouteHandler]]:
    app = Litestar(route_handlers=route_handlers(), openapi_config=openapi_config())
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            if route.path.startswith("/api") and "OPTIONS" not in handler.http_methods:
                yield f"{min(handler.http_methods)} {route.path_format}", handler


HANDLERS = dict(handlers())


@pytest.mark.parametrize("address", sorted(HANDLERS))
def test_every_call_says_what_it_answers(address: str) -> None:
    """A struct, one of several, nothing, or a text that is handed over as a file."""
    answer = HANDLERS[address].parsed_fn_signature.return_type.annotation
    if typing.get_origin(answer) is Response:
        (answer,) = typing.get_args(answer)
    kinds = typing.get_args(answer) if isinstance(answer, types.UnionType) else (answer,)
    for kind in kinds:
        text = address.endswith("/export") and kind is str
        assert kind is type(None) or text or issubclass(kind, msgspec.Struct), (address, kind)


def test_a_body_is_decoded_once_and_by_nobody_but_the_framework() -> None:
    source = Path(__file__).parent.parent.parent / "src" / "pitboss" / "server"
    reading = {path.name for path in source.glob("*.py") if ".body()" in path.read_text()}
    assert reading == {"bodies.py"}
    form = msgspec.defstruct("Form", [("number", int)])
    made = form(number=1)
    kwargs: Any = msgspec.convert({"data": made}, msgspec.defstruct("Kwargs", [("data", form)]))
    assert kwargs.data is made


def test_what_the_client_knows_of_the_service_is_made_from_it() -> None:
    """`python tools/web_types.py` makes it anew: what the client names and uses, and nothing else."""
    text = web_types.TYPES.read_text(encoding="utf-8")
    assert text == web_types.wire()
    assert len(text.splitlines()) < 2600
    used = set(re.findall(r"\w+", web_types.source())) | set(
        re.findall(r"\w+", text.partition("export const FORMS")[0])
    )
    shapes = re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)
    assert len(shapes) == len(set(shapes)) > 100
    within = {name for name in shapes if len(re.findall(rf"\b{name}\b", text)) > 1}
    assert set(shapes) - used - within == set()


def test_the_client_types_no_shape_of_the_service_by_hand() -> None:
    """It names what it is given by what was made; no answer is said to be something that nobody promised."""
    source = web_types.source()
    assert not re.search(r"\b(?:get|post|remove|call)<\w+>\(\s*[\"`]/api", source)
    assert "as unknown as" not in source.replace("as unknown as Requests[RequestName]", "")
    fields = {frozenset(kind.__struct_encode_fields__) for kind in shapes_of_the_service()}
    by_hand = re.findall(r"interface \w+ \{\n(.*?)\n\s*\}", source, re.DOTALL)
    for text in by_hand:
        names = frozenset(re.findall(r"^\s*(?:readonly )?(\w+)\??:", text, re.MULTILINE))
        assert len(names) < 4 or names not in fields, names


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_what_a_translated_refusal_names_is_always_told(language: str) -> None:
    """Every place that refuses with a code gives the parameters that its translation has blanks for."""
    root = Path(__file__).parent.parent.parent
    text = (root / "web" / "src" / "words" / f"{language}.ts").read_text(encoding="utf-8")
    refusals = text.partition("export const refusals")[2].partition("};")[0]
    wanted = {
        code: set(re.findall(r"\{(\w+)\}", said))
        for code, said in re.findall(r'"?([a-z-]+)"?:\s+"([^"]*\{[^"]*)"', refusals)
    }
    assert len(wanted) > 8
    given: dict[str, list[set[str]]] = {code: [] for code in wanted}
    for path in (root / "src" / "pitboss").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("refuse", "Refusal"):
                code = getattr(node.args[0], "value", "") if node.args else ""
                if code in given:
                    given[code].append({str(part.arg) for part in node.keywords})
    for code, blanks in wanted.items():
        assert given[code], code
        assert all(blanks <= params for params in given[code]), code


def test_a_refusal_over_the_wire_has_what_it_names_as_data() -> None:
    refused = refuse("seat-taken", "{player} sits at {position}.", ("3.1",), player="p1", position=2)
    assert refused.message == "p1 sits at 2."
    assert refusal_json(refused) == {
        "code": "seat-taken",
        "message": "p1 sits at 2.",
        "clauses": ["3.1"],
        "params": {"player": "p1", "position": 2},
    }
    assert "params" not in refusal_json(refuse("late", "Too late: {no blank here."))


def shapes_of_the_service() -> Iterator[type[msgspec.Struct]]:
    for kind in (play_shapes, floor_shapes, report_shapes, school_shapes, server_shapes):
        for found in vars(kind).values():
            if isinstance(found, type) and issubclass(found, msgspec.Struct):
                yield found


def test_refusals_that_screens_translate_are_refusals_of_the_service() -> None:
    root = Path(__file__).parent.parent.parent
    words = (
        (root / "web" / "src" / "words" / "zh.ts")
        .read_text()
        .partition("refusals:")[2]
        .partition("export")[0]
    )
    codes = set(re.findall(r'^  "?([a-z-]+)"?:', words, re.MULTILINE))
    assert len(codes) > 50
    source = "".join(path.read_text() for path in (root / "src" / "pitboss").rglob("*.py"))
    assert {code for code in codes if f'"{code}"' not in source} == {"offline"}, "the client says that itself"
