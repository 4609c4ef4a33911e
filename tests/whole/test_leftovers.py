"""Rows that no stream accounts for are named, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from pitboss.bootstrap import Settings
from pitboss.store.engine import open_engine
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.databases import fresh_database
from support.floor import House, jackpot_hit

pytestmark = pytest.mark.whole
NOTHING = "0" * 64


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A floor with a jackpot hit, a settlement undone and a round in play; nothing is signed."""
    folder = tmp_path_factory.mktemp("leftovers")
    url = fresh_database(request.getfixturevalue("postgres")) if request.param == "postgresql" else ""
    made = Settings(folder, url)
    store = SqlStore(open_engine(made.url))
    house = House(store, physical=True)
    house.table("mbs-stud-6", link=house.link())
    jackpot_hit(house)
    house.steps("pit-manager: report wrong-count dealer reconstructable=no", "dealer: open bets")
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        connection.execute(
            text("DELETE FROM snapshots")
        )  # a planted one takes its place, whichever test is first
    store.close()
    return made


@pytest.fixture
def put_back(where: Settings) -> Iterator[SqlStore]:
    """The store; rows of ghosts are taken out again."""
    store = SqlStore(open_engine(where.url))
    yield store
    ghosts = (
        "DELETE FROM events WHERE version < 1",
        "DELETE FROM postings WHERE version < 1 OR stream = 'table/ghost'",
        "DELETE FROM snapshots",
        "DELETE FROM streams WHERE version < 1",
        "DELETE FROM rounds WHERE table_id = 'ghost'",
        "DELETE FROM decks WHERE table_id = 'ghost'",
        "DELETE FROM balances WHERE account = 'SGD/rack/ghost/x'",
        "UPDATE postings SET line = line - 7 WHERE line >= 7",
    )
    with store.engine.connect().execution_options(writing=True) as connection, connection.begin():
        for statement in ghosts:
            connection.execute(text(statement))
    store.close()
    assert verify(where, processes=1).problems == ()


def test_the_floor_is_sound(where: Settings) -> None:
    assert verify(where, processes=1).problems == ()


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("INSERT INTO postings VALUES ('table/ghost', 1, 0, 'SGD/meter/mega', 10000)", "table/ghost event 1"),
        ("INSERT INTO postings VALUES ('table/t1', 0, 0, 'SGD/meter/mega', 10000)", "of the stream, at version 0"),
        ("INSERT INTO postings VALUES ('table/t1', -1, 0, 'SGD/meter/mega', 10000)", "table/t1 event -1"),
        (f"INSERT INTO events VALUES ('table/t1', 0, 1, '', 'x.v1', '{{}}', '{NOTHING}')", "at version 0"),
        ("UPDATE postings SET line = line + 7 WHERE stream = 'table/t1' AND version = 1", "table/t1 event 1"),
        (
            "INSERT INTO rounds SELECT 'ghost', number, first_version, last_version, opened_at, dealt_at, ended_at, "
            "status, rulebook, link, jackpot FROM rounds WHERE number = 1",
            "table/ghost: round 1",
        ),
        ("INSERT INTO snapshots VALUES ('table/t1', 0, '{}')", "table/t1: the snapshot is of no event"),
        ("INSERT INTO snapshots VALUES ('table/ghost', 1, '{}')", "table/ghost event 1"),
        ("INSERT INTO snapshots VALUES ('floor', 1, '{}')", "floor event 1: the snapshot"),
        ("INSERT INTO snapshots VALUES ('player/p1', 1, '{}')", "player/p1"),
        ("INSERT INTO decks VALUES ('ghost', 1, '')", "table/ghost: a sealed deck of round 1"),
        (f"INSERT INTO streams VALUES ('table/ghost', 0, '{NOTHING}')", "table/ghost: its end is on record"),
        ("INSERT INTO balances VALUES ('SGD/rack/ghost/x', 0)", "account SGD/rack/ghost/x"),
    ],
)  # fmt: skip
def test_what_no_event_accounts_for_is_named(
    where: Settings, put_back: SqlStore, statement: str, named: str
) -> None:
    with put_back.engine.connect().execution_options(writing=True) as connection, connection.begin():
        connection.execute(text(statement))
    found = [str(problem) for problem in verify(where, processes=1).problems]
    assert any(named in problem for problem in found), found
