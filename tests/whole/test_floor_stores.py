"""The floor on every store: the same requests, the same answers, also when several processes ask at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from pitboss.floor import requests as q
from pitboss.floor.people import player, staff
from pitboss.floor.ports import Store
from pitboss.floor.service import Answer, Floor
from pitboss.money import UNITS_PER_CENT, Cents
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.rulebooks.vocabulary import Position
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.memory import MemoryStore
from pitboss.store.sql import SqlStore
from support.databases import fresh_database
from support.floor import House
from support.record import audited

pytestmark = [pytest.mark.whole, pytest.mark.kind("database")]

PLAYERS = tuple(f"p{n}" for n in range(1, 7))


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "memory":
        made = MemoryStore()
    elif request.param == "sqlite":
        made = SqlStore(open_engine(sqlite_url(tmp_path / "floor.db")))
    else:
        made = SqlStore(open_engine(fresh_database(request.getfixturevalue("postgres"))))
    yield made
    made.close()


def test_a_hit_from_the_bets_to_the_slip(store: Store) -> None:
    house = House(store)
    house.table("mbs-stud-6", link=house.link())
    house.stud(hit=True)
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    assert house.floor.link("mega").slips == 1
    house.everything_adds_up()
    assert audited(store) == []
    again = house.opened()
    assert again.table("t1").state.racks == house.floor.table("t1").state.racks
    assert again.link("mega") == house.floor.link("mega")


def test_several_processes_at_one_table_lose_nobodys_bet(store: Store) -> None:
    """Each player asks at a process of his own, all at once; then two dealers settle the same round."""
    house = House(store)
    house.table("mbs-stud-6", players=PLAYERS, link=house.link())
    house.steps("dealer: open bets")
    floors = [house.opened() for _ in PLAYERS]
    for floor in floors:
        floor.table("t1")
    failed: list[object] = []

    def bet(floor: Floor, who: str, position: int) -> None:
        for wager, amount in (("ante", 2500), ("jackpot", 500)):
            command = c.PlaceWager(by=c.Player(who), position=position, wager=wager, amount=Cents(amount))
            answer = floor.do(player(who), q.Act(table="t1", command=command), key=f"{who}/{wager}")
            if not answer.ok:
                failed.append(answer.body)

    places = enumerate(zip(floors, PLAYERS, strict=True), 1)
    together([partial(bet, floor, who, position) for position, (floor, who) in places])
    assert failed == []
    assert house.balance("SGD/layout/t1") == 6 * 3000 * UNITS_PER_CENT
    dealer = c.Staff(Position.DEALER)
    answers: list[Answer] = []
    close = q.Act(table="t1", command=c.CloseBets(by=dealer))

    def shut(floor: Floor) -> None:
        answers.append(floor.do(staff("dora"), close))

    together([partial(shut, floor) for floor in floors])
    assert [answer.ok for answer in answers].count(True) == 1
    assert {answer.code for answer in answers if not answer.ok} == {"bets-not-open"}
    assert house.floor.link("mega").meter == (30_000_000 + 600) * UNITS_PER_CENT
    assert house.floor.table("t1").state.stage is Stage.CLOSED
    assert audited(store) == []


def together(work: list[partial[None]]) -> None:
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
