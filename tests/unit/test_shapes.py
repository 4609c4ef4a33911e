"""The API's document is true: every view of whole rounds has the shape that is promised."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest

from pitboss.floor.bots import Chances
from pitboss.floor.overview import lobby, table_view
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.simulation import simulated
from pitboss.floor.terms import terms_view
from pitboss.play.views import Role, Viewer
from pitboss.server.shapes import Lobby, TableView, Terms
from pitboss.store.memory import MemoryStore


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
        msgspec.convert(lobby(floor), Lobby)
        for name in floor.registry.tables:
            msgspec.convert(terms_view(floor.table(name)), Terms)
            players = [Viewer(Role.PLAYER, f"{name}-p{seat}") for seat in (1, 2)]
            roles = [Viewer(role) for role in Role if role is not Role.PLAYER]
            for viewer in (*players, *roles):
                view = table_view(floor, name, viewer)
                msgspec.convert(view, TableView)
                fields |= set(view)
                games.add(view["game"])
    assert len(games) == 5
    assert fields >= {"settlement", "suspended", "choices", "sealed", "claim", "rack", "racks", "matter"}


def test_a_view_with_a_field_that_nobody_promised_is_noticed() -> None:
    with pytest.raises(msgspec.ValidationError, match="hidden"):
        msgspec.convert({"floor": "x", "tables": [], "jackpots": [], "hidden": 1}, Lobby)


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
