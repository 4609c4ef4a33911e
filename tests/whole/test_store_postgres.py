"""The contract of the store on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import text

from pitboss.errors import StoreError
from pitboss.floor.ports import Micros, Store
from pitboss.store.engine import open_engine
from pitboss.store.keeping import make_checkpoint
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

    def test_checkpoints_made_at_once_have_their_numbers_without_a_gap(self, store: SqlStore) -> None:
        key = Ed25519PrivateKey.generate()
        with ThreadPoolExecutor(8) as threads:
            made = list(threads.map(lambda at: make_checkpoint(store, key, Micros(at)), range(1, 9)))
            kept = set(
                threads.map(lambda at: make_checkpoint(store, key, Micros(at), not_within=100), range(8))
            )
        assert sorted(made) == list(range(1, 9))
        assert kept == {8}


def test_a_server_that_does_not_answer_is_said_to_be_silent() -> None:
    with pytest.raises(StoreError, match=r"does not answer .* see that it runs"):
        SqlStore(open_engine("postgresql://nobody@127.0.0.1:1/none"))
