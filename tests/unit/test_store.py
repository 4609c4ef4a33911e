"""The contract of the store on memory and on SQLite. PostgreSQL keeps it in `whole/test_store_postgres.py`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from pitboss.errors import StoreError
from pitboss.floor.ports import Store
from pitboss.store.connections import Patience
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.memory import MemoryStore
from pitboss.store.schema import metadata
from pitboss.store.sql import SqlStore
from support.store_contract import StoreContract, batch


class TestMemory(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestSqlite(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SqlStore(open_engine(sqlite_url(tmp_path / "floor.db")))
        yield store
        store.close()

    def test_it_is_all_there_when_opened_again(self, store: SqlStore, tmp_path: Path) -> None:
        store.write(batch("k1", count=2))
        store.close()
        again = SqlStore(open_engine(sqlite_url(tmp_path / "floor.db")))
        assert again.head("table/a").version == 2
        again.close()


def test_a_statement_cut_short_by_ctrl_c_frees_the_file_at_once(tmp_path: Path) -> None:
    """The traceback still holds the statement while the process signs its last events."""
    store = SqlStore(open_engine(sqlite_url(tmp_path / "floor.db"), usual=Patience(lock=0.2)))

    def cut_short(cursor: sqlite3.Cursor, statement: str, rows: Any, context: object) -> None:
        def some() -> Iterator[Any]:
            yield rows[0]
            raise KeyboardInterrupt

        cursor.executemany(statement, some())

    event.listen(store.engine, "do_executemany", cut_short)
    with pytest.raises(KeyboardInterrupt) as pressed:
        store.write(batch("k1", count=2))
    event.remove(store.engine, "do_executemany", cut_short)
    assert pressed.traceback
    assert store.head("table/a").version == 0
    store.write(batch("k1", count=2))
    assert store.head("table/a").version == 2
    store.close()


def test_the_migrations_make_the_tables_of_the_schema(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    store = SqlStore(open_engine(sqlite_url(tmp_path / "floor.db")))
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "floor.db"
    store = SqlStore(open_engine(sqlite_url(file)))
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreError, match=r"newer Pitboss .* use that version"):
        SqlStore(open_engine(sqlite_url(file)))


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "floor.db"
    file.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match=r"not a database .* restore"):
        SqlStore(open_engine(sqlite_url(file)))
