"""The API's document is true: every view of whole rounds has the shape that is promised."""

from __future__ import annotations

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
