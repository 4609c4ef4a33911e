"""A store of an older version is brought to this one, and has what it had."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from pitboss.bootstrap import Settings, at_work, checkpoint_key, open_store
from pitboss.floor import requests as q
from pitboss.floor.people import player, staff
from pitboss.floor.service import Floor
from pitboss.play.refusal import Refusal
from pitboss.play.steps import parse_step
from pitboss.play.table import Stage
from pitboss.store.engine import REVISION, migrate, open_engine, revision_of, sqlite_url
from pitboss.store.identities import Identities
from pitboss.store.keeping import export_all
from pitboss.store.school import School
from pitboss.store.sittings import Sittings
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.floor import PEOPLE
from support.freezing import FROZEN, thawed
from verify_export import verify_export

FLOORS = sorted(FROZEN.glob("floor-*.db.xz"))


def test_a_store_of_the_first_version_gets_the_tables_that_came_later(tmp_path: Path) -> None:
    engine = open_engine(sqlite_url(tmp_path / "floor.db"))
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        migrate(connection, "0001")
        connection.execute(text("INSERT INTO balances VALUES ('house', 17)"))
    store = SqlStore(engine)
    with engine.connect() as connection:
        assert revision_of(connection) == REVISION
    assert store.balances_under("") == {"house": 17}
    assert Identities(engine).accounts() == []
    assert School(engine).trainees() == []
    assert Sittings(engine).trainees() == []
    store.close()


def found_wrong(where: Settings) -> list[str]:
    """What both verifiers say of a floor."""
    inside = [str(problem) for problem in verify(where, processes=1).problems]
    store = open_store(where)
    export_all(store, where.data / "export", checkpoint_key(where, create=False))
    store.close()
    return [*inside, *verify_export(where.data / "export")]


def played(floor: Floor, table: str, *steps: str) -> None:
    for line in steps:
        state = floor.table(table).state
        command = parse_step(line, state.terms, list(state.racks), place="step")
        assert not isinstance(command, Refusal)
        who = line.partition(":")[0].partition("@")[0]
        name = next((name for name, position in PEOPLE.items() if position == who), who)
        asker = staff(name) if name in PEOPLE else player(name)
        answer = floor.do(asker, q.Act(table=table, command=command))
        assert answer.ok, (line, answer.body)


def test_a_floor_is_frozen() -> None:
    assert FLOORS
    assert all(file.stat().st_size < 300_000 for file in FLOORS)


@pytest.mark.parametrize("frozen", FLOORS, ids=lambda file: file.name)
def test_a_floor_of_an_earlier_version_opens_verifies_and_plays_on(frozen: Path, tmp_path: Path) -> None:
    where = Settings(thawed(frozen, tmp_path / "floor"))
    assert found_wrong(where) == []
    with at_work(where) as work:
        floor = work.floor
        played(floor, "t1", "p2@2: bet bet", "dealer: reveal dealer", "dealer: settle")
        played(floor, "t7", "dealer: open bets", "p11@1: wager ante 25", "dealer: close bets")
        played(floor, "t7", "dealer: deal", "p11@1: view", "p11@1: fold")
        played(floor, "t7", "dealer: reveal flop", "dealer: reveal turn", "dealer: reveal river")
        played(
            floor,
            "t7",
            "dealer: reveal dealer",
            "dealer: settle",
            "dealer: open bets",
            "p11@1: wager ante 25",
        )
        assert floor.table("t1").state.stage is Stage.SETTLED
        assert (floor.table("t7").state.round_number, floor.table("t7").state.stage) == (3, Stage.BETTING)
    assert found_wrong(where) == []
