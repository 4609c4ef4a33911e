"""Live views when several processes move one table: every version, once, in order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from pitboss.bootstrap import Settings, at_work
from pitboss.floor import requests as q
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.people import player, staff
from pitboss.floor.service import Floor
from pitboss.server.live import Hub, Watcher
from support.floor import House


class Heard(Watcher):
    """A watcher that keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__(cast(asyncio.AbstractEventLoop, None))
        self.versions: list[int] = []
        self.missed = False

    def send(self, messages: object) -> None:
        for message in messages:  # type: ignore[attr-defined]
            data = json.loads(message)
            if data["kind"] == "view":
                self.versions.append(data["version"])
                self.missed = self.missed or data.get("missed", False)


@pytest.fixture
def floors(tmp_path: Path) -> Iterator[tuple[Floor, Floor]]:
    """Two processes on one floor, as far as the store can tell."""
    with at_work(Settings(tmp_path / "floor"), create=True) as work:
        house = House(work.store)
        house.clock.at = work.floor.now()
        house.table("mbs-stud-6", players=("p1", "p2"))
        other = Floor(work.store, clock=SystemClock(), cards=SecureCards(), deck_key=b"k" * 32)
        yield work.floor, other


def sit(floor: Floor, position: int) -> None:
    who = f"p{position}"
    assert floor.do(player(who), q.TakeSeat(table="t1", position=position, player=who)).ok


def test_what_others_did_in_between_is_told_before_what_was_done_here(floors: tuple[Floor, Floor]) -> None:
    here, there = floors
    hub, watcher = Hub(here), Heard()
    hub.watch(watcher, "t1", None)
    begin = watcher.versions[-1]
    sit(there, 1)
    assert here.do(staff("saul"), q.AssignStaff(table="t1", person="ines")).ok
    assert watcher.versions == [begin, begin + 1, begin + 2]
    again = Heard()
    hub.watch(again, "t1", begin)
    assert again.versions == [begin + 1, begin + 2]


def test_a_notice_that_comes_late_or_twice_tells_nothing_twice(floors: tuple[Floor, Floor]) -> None:
    here, there = floors
    hub, watcher = Hub(here), Heard()
    hub.watch(watcher, "t1", None)
    begin = watcher.versions[-1]
    sit(there, 1)
    for _ in range(2):
        hub.moved([("table/t1", begin + 1)])
    hub.look_at_everything()
    assert watcher.versions == [begin, begin + 1]


def test_who_comes_back_after_ten_rounds_gets_the_present_and_is_told_so(floors: tuple[Floor, Floor]) -> None:
    here, there = floors
    hub, watcher = Hub(here), Heard()
    from pitboss.money import Cents
    from pitboss.play import commands as c
    from pitboss.rulebooks.vocabulary import Position

    dealer = c.Staff(Position.DEALER)
    begin = here.version("t1")
    for _ in range(12):
        for command in (
            c.OpenBets(by=dealer),
            c.PlaceWager(by=c.Staff(Position.DEALER, "p1"), position=1, wager="ante", amount=Cents(2500)),
            c.CloseBets(by=dealer),
            c.Deal(by=dealer),
            c.Fold(by=c.Staff(Position.DEALER, "p1"), position=1),
            c.Reveal(by=dealer, place="dealer"),
            c.Settle(by=dealer),
        ):
            answer = here.do(staff("dora"), q.Act(table="t1", command=command))
            assert answer.ok, answer.body
    hub.watch(watcher, "t1", begin)
    assert watcher.missed
    assert watcher.versions == [here.version("t1")]
    near = Heard()
    hub.watch(near, "t1", here.version("t1") - 20)
    assert not near.missed
    assert near.versions[-1] == here.version("t1")
    assert near.versions == sorted(set(near.versions))
    assert len(near.versions) > 1
    assert there is not here


def test_what_goes_wrong_on_the_way_to_a_screen_undoes_nothing(
    floors: tuple[Floor, Floor], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = floors
    hub, watcher = Hub(here), Heard()
    hub.watch(watcher, "t1", None)
    begin = watcher.versions[-1]
    with monkeypatch.context() as broken:
        broken.setattr(hub, "_message", lambda *_, **__: 1 / 0)
        sit(here, 1)
    assert hub.behind
    hub.look_at_everything()
    assert here.version("t1") == begin + 1
