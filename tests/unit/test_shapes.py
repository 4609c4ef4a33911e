"""The API's document is true: every view of whole rounds has the shape that is promised."""

from __future__ import annotations

import re
import subprocess
import sys
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

from pitboss.floor.bots import Chances
from pitboss.floor.overview import lobby, overview, table_view
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.shapes import Lobby, Overview, TableView, Terms
from pitboss.floor.simulation import simulated
from pitboss.floor.terms import terms_view
from pitboss.play.shapes import RoundView
from pitboss.play.views import Role, Viewer
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


@pytest.mark.whole
def test_the_clients_types_are_made_from_this_document() -> None:
    """`python tools/web_types.py` makes them anew."""
    root = Path(__file__).parent.parent.parent
    code = "import web_types; print(web_types.MARK + web_types.digest(web_types.as_text()))"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=root / "tools", check=True, capture_output=True, text=True
    ).stdout
    first = (root / "web" / "src" / "api" / "schema.d.ts").read_text().splitlines()[0]
    assert first == said.strip()


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
