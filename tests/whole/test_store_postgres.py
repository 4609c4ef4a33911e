"""The contract of the store on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from pitboss.errors import StoreError
from pitboss.floor.ports import Store
from pitboss.store.engine import open_engine
from pitboss.store.schema import metadata
from pitboss.store.sql import SqlStore
from support.databases import fresh_database
from support.store_contract import StoreContract

pytestmark = pytest.mark.whole


class TestPostgres(StoreContract):
    @pytest.fixture
    def store(self, postgres: str) -> Iterator[Store]:
        store = SqlStore(open_engine(fresh_database(postgres)))
        yield store
        store.close()

    def test_it_is_version_15_or_later(self, store: SqlStore) -> None:
        with store.engine.connect() as connection:
            version = connection.execute(text("SHOW server_version_num")).scalar()
        assert int(str(version)) >= 150_000

    def test_the_migrations_make_the_tables_of_the_schema(self, store: SqlStore) -> None:
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext

        with store.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_server_that_does_not_answer_is_said_to_be_silent() -> None:
    with pytest.raises(StoreError, match=r"does not answer .* see that it runs"):
        SqlStore(open_engine("postgresql://nobody@127.0.0.1:1/none"))
