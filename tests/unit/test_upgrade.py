"""A store of an older version is brought to this one, and has what it had."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from pitboss.store.engine import REVISION, open_engine, revision_of, sqlite_url
from pitboss.store.identities import Identities
from pitboss.store.school import School
from pitboss.store.sittings import Sittings
from pitboss.store.sql import SqlStore


def test_a_store_of_the_first_version_gets_the_tables_that_came_later(tmp_path: Path) -> None:
    engine = open_engine(sqlite_url(tmp_path / "floor.db"))
    config = Config()
    config.set_main_option("script_location", "pitboss.store:migrations")
    config.set_main_option("path_separator", "os")
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(text("INSERT INTO balances VALUES ('house', 17)"))
    store = SqlStore(engine)
    with engine.connect() as connection:
        assert revision_of(connection) == REVISION
    assert store.balances_under("") == {"house": 17}
    assert Identities(engine).accounts() == []
    assert School(engine).trainees() == []
    assert Sittings(engine).trainees() == []
    store.close()
