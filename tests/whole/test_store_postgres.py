"""The contract of the store on PostgreSQL."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import text
from sqlalchemy.engine import make_url

from pitboss.errors import StoreBusy, StoreError
from pitboss.floor.ports import Micros, Store
from pitboss.store.connections import connections_of
from pitboss.store.engine import open_engine
from pitboss.store.keeping import make_checkpoint
from pitboss.store.leases import Fence, Lease
from pitboss.store.lineage import Lineage
from pitboss.store.schema import metadata
from pitboss.store.school import School
from pitboss.store.sittings import Conclusion, Sitting, Sittings, Taken
from pitboss.store.sql import SqlStore
from pitboss.store.waits import AGAIN_SECONDS
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

    def test_every_connection_leads_to_the_same_database_until_it_is_made_anew(
        self, store: SqlStore, postgres: str
    ) -> None:
        """Its cluster, its number and its timeline; where the cluster may not be asked for, the rest of it."""
        known = store.identity()
        assert re.fullmatch(r"postgresql \d+/\d+ timeline [0-9A-F]{8}", known)
        assert store.lineage.known == known
        store.read("table/a")
        store.reconnect()
        store.read("table/a")
        assert store.identity() == known
        assert not store.lineage.changed.is_set()
        other = SqlStore(open_engine(fresh_database(postgres)))
        assert other.identity() != known
        other.close()
        with store.engine.begin() as connection:
            connection.execute(text("CREATE ROLE bare LOGIN"))
            connection.execute(text("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC"))
        try:
            database = connections_of(store.engine).arguments["dbname"]
            address = make_url(postgres).set(username="bare", database=database)
            bare = open_engine(address.render_as_string(hide_password=False))
            with bare.connect() as connection:
                found = Lineage(bare).of(connection.connection.dbapi_connection)
            bare.dispose()
        finally:
            with store.engine.begin() as connection:
                connection.execute(text("GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC"))
                connection.execute(text("DROP ROLE bare"))
        assert found == re.sub(r" \d+/", " -/", known)

    def test_the_row_of_a_lease_that_another_holds_is_waited_for_once(
        self, postgres: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As by a process that stood still: the floor's thread waits, and so would every command."""
        monkeypatch.setenv("PITBOSS_LOCK_SECONDS", "0.5")
        engine = open_engine(fresh_database(postgres))
        store = SqlStore(engine)
        lease = Lease(engine, "clock")
        assert lease.is_ours()
        waited = []
        with engine.connect() as holder, holder.begin():
            holder.execute(text("SELECT * FROM leases FOR UPDATE"))
            holder.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            lease.fence = Fence("clock", 1)
            for _ in range(4):
                lease.fence, lease._asked = Fence("clock", 1), 0.0  # as one that has it to renew
                began = time.monotonic()
                with pytest.raises(StoreBusy, match="another process holds"):
                    lease.is_ours()
                waited.append(time.monotonic() - began)
        assert waited[0] >= 0.4
        assert max(waited[1:]) < 0.4, waited
        time.sleep(AGAIN_SECONDS)
        lease.fence, lease._asked = Fence("clock", 1), 0.0
        assert lease.is_ours()
        assert not connections_of(engine).waits.held()
        store.close()

    def test_checkpoints_made_at_once_have_their_numbers_without_a_gap(self, store: SqlStore) -> None:
        key = Ed25519PrivateKey.generate()
        with ThreadPoolExecutor(8) as threads:
            made = list(threads.map(lambda at: make_checkpoint(store, key, Micros(at)), range(1, 9)))
            kept = set(
                threads.map(lambda at: make_checkpoint(store, key, Micros(at), not_within=100), range(8))
            )
        assert sorted(made) == list(range(1, 9))
        assert kept == {8}

    def test_of_examinations_begun_and_answers_given_at_once_one_is_taken(self, store: SqlStore) -> None:
        sittings = Sittings(store.engine)
        wanted = Sitting("", "staff", "t1", "b", "b", "", "{}", 1, 2, "", None, Micros(1))
        questions = [("a", 1), ("b", 2)]
        with ThreadPoolExecutor(8) as threads:
            begun = list(
                threads.map(lambda n: sittings.begin(wanted._replace(id=f"s{n}"), questions), range(8))
            )
            found = sittings.open_of("staff", "t1")
            assert (sum(begun), found is not None) == (1, True)
            assert found is not None
            taken = list(threads.map(lambda n: sittings.answer(found.id, 1, f"{n}", at=Micros(2)), range(8)))
            assert sorted(taken) == [Taken.ANSWERED] * 7 + [Taken.YES]
            ended = list(
                threads.map(
                    lambda n: sittings.end(
                        found.id,
                        lambda places: Conclusion(1, 1, {"b": lambda text: f"{text}+"}),
                        at=Micros(3),
                    ),
                    range(8),
                )
            )
        assert sum(ended) == 1
        assert School(store.engine).scores("staff", "t1") == {"b": "+"}
        assert sittings.begin(wanted._replace(id="again"), questions)


def test_a_server_that_does_not_answer_is_said_to_be_silent() -> None:
    with pytest.raises(StoreError, match=r"does not answer .* see that it runs"):
        SqlStore(open_engine("postgresql://nobody@127.0.0.1:1/none"))
