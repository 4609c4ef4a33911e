"""What every store promises. The suite runs over memory, SQLite and PostgreSQL, word for word."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from pitboss.errors import InvariantError
from pitboss.floor.ports import (
    NO_HEAD,
    Batch,
    Head,
    Kept,
    Micros,
    Missing,
    Posting,
    Recorded,
    Repeated,
    RoundRow,
    Stale,
    Store,
    chain_hash,
)


def recorded(stream: str, head: Head, data: str = "{}") -> Recorded:
    at = Micros(1000 + head.version)
    version, actor, name = head.version + 1, "staff/x", "noted.v1"
    hashed = chain_hash(head.hash, stream=stream, version=version, at=at, actor=actor, name=name, data=data)
    return Recorded(stream, version, at, actor, name, data, hashed)


def batch(key: str, stream: str = "table/a", head: Head = NO_HEAD, count: int = 1, **more: Any) -> Batch:
    events = []
    at_head = head
    for _ in range(count):
        event = recorded(stream, at_head)
        events.append(event)
        at_head = Head(event.version, event.hash)
    kept = Kept("f" * 64, f'{{"ok":true,"key":"{key}"}}')
    return Batch(key=key, kept=kept, at=Micros(5), expected={stream: head}, events=events, **more)


def round_row(number: int, *, ended: bool, link: str = "mega", table: str = "a") -> RoundRow:
    return RoundRow(
        table=table,
        number=number,
        first_version=10 * number,
        last_version=10 * number + 5,
        opened_at=Micros(100 * number),
        dealt_at=Micros(100 * number + 1),
        ended_at=Micros(100 * number + 2) if ended else None,
        status="settled" if ended else "playing",
        rulebook="r",
        link=link,
        jackpot=True,
    )


class StoreContract:
    """The promises, each a test; a subclass has a fixture `store`."""

    def test_an_empty_store_has_nothing(self, store: Store) -> None:
        assert store.head("table/a") == NO_HEAD
        assert store.heads() == {}
        assert list(store.read("table/a")) == []
        assert store.snapshot("table/a") is None
        assert store.kept("k") is None
        assert store.balances(["x"]) == {"x": 0}
        assert store.deck("a", 1) is None
        assert store.round_at("a", 1) is None
        assert list(store.open_rounds()) == []

    def test_what_is_written_is_read_to_the_byte(self, store: Store) -> None:
        written = batch("k1", count=3)
        written.events[1] = written.events[1]._replace(data='{"text":"Ünï \\" 漢 \\u0000"}')
        store.write(written)
        assert list(store.read("table/a")) == written.events
        assert list(store.read("table/a", after=1, until=2)) == written.events[1:2]
        assert store.head("table/a") == Head(3, written.events[-1].hash)
        assert dict(store.heads()) == {"table/a": store.head("table/a")}

    def test_a_key_is_used_once_and_gives_its_first_answer(self, store: Store) -> None:
        store.write(batch("k1"))
        with pytest.raises(Repeated) as repeated:
            store.write(batch("k1", head=store.head("table/a")))
        assert repeated.value.kept == store.kept("k1") == Kept("f" * 64, '{"ok":true,"key":"k1"}')
        assert store.head("table/a").version == 1

    def test_a_refusal_is_kept_without_events(self, store: Store) -> None:
        refused = Batch(key="no", kept=Kept("f" * 64, '{"ok":false}'), at=Micros(1))
        store.write(refused)
        assert store.kept("no") == refused.kept
        with pytest.raises(Repeated):
            store.write(refused)

    def test_answers_of_before_a_time_are_forgotten_with_a_batch_or_not_at_all(self, store: Store) -> None:
        for number in (1, 2, 3):
            kept = Kept("f" * 64, f'{{"ok":true,"n":{number}}}')
            store.write(Batch(key=f"k{number}", kept=kept, at=Micros(100 * number)))
        assert [(old.key, old.at) for old in store.answers_before(Micros(300))] == [("k1", 100), ("k2", 200)]
        assert store.answers_before(Micros(101))[0][2:] == ("f" * 64, '{"ok":true,"n":1}')
        with pytest.raises(Stale):
            store.write(batch("late", head=Head(3, "x" * 64), forget_before=Micros(300)))
        assert len(store.answers_before(Micros(10_000))) == 3
        store.write(replace(batch("mark", forget_before=Micros(300)), at=Micros(400)))
        assert [store.kept(key) is None for key in ("k1", "k2", "k3", "mark")] == [True, True, False, False]

    def test_a_stream_that_moved_on_refuses_the_whole_batch(self, store: Store) -> None:
        store.write(batch("k1", count=2))
        late = batch("k2", postings=[Posting("table/a", 1, "x", 5), Posting("table/a", 1, "y", -5)])
        late.rounds.append(round_row(1, ended=False))
        late.decks[("a", 1)] = b"deck"
        late.snapshots["table/a"] = (1, "{}")
        with pytest.raises(Stale) as stale:
            store.write(late)
        assert stale.value.stream == "table/a"
        assert store.kept("k2") is None
        assert store.balances(["x", "y"]) == {"x": 0, "y": 0}
        assert store.round_at("a", 1) is None
        assert store.deck("a", 1) is None
        assert store.snapshot("table/a") is None
        assert store.head("table/a").version == 2

    def test_a_head_of_another_history_refuses_the_whole_batch(self, store: Store) -> None:
        """After a lossy failover another process has written up to the version that this one knows."""
        store.write(batch("k1", count=2))
        here = store.head("table/a")
        elsewhere = Head(here.version, "e" * 64)
        for late in (
            batch("k2", head=elsewhere),
            Batch(key="k3", kept=Kept("f" * 64, "{}"), at=Micros(5), expected={"table/a": elsewhere}),
        ):
            with pytest.raises(Stale) as stale:
                store.write(late)
            assert stale.value.stream == "table/a"
            with pytest.raises(Stale), store.unit(["table/a"]) as unit:
                unit.write(late)
            assert store.kept(late.key) is None
        assert store.head("table/a") == here
        store.write(batch("k4", head=here))

    def test_a_batch_rests_on_the_floors_stream_as_it_was_known(self, store: Store) -> None:
        store.write(batch("f1", stream="floor"))
        known = store.head("floor")
        store.write(batch("f2", stream="floor", head=known))
        for number, house in enumerate((Head(1, "e" * 64), Head(3, known.hash))):
            refusal = Batch(key=f"no{number}", kept=Kept("f" * 64, "{}"), at=Micros(5), house=house)
            for unknown in (batch(f"k{number}", house=house), refusal):
                with pytest.raises(Stale) as stale:
                    store.write(unknown)
                assert stale.value.stream in ("floor", "table/a")
                with pytest.raises(Stale), store.unit(["table/a"]) as unit:
                    unit.write(unknown)
                assert store.kept(unknown.key) is None
        assert store.head("table/a") == NO_HEAD
        store.write(batch("k9", house=known))
        assert store.head("table/a").version == 1

    def test_a_stream_is_read_on_from_a_head_that_it_has(self, store: Store) -> None:
        store.write(batch("k1", count=3))
        events = list(store.read("table/a"))
        heads = [Head(event.version, event.hash) for event in events]
        assert list(store.read_on("table/a", NO_HEAD)) == events
        assert list(store.read_on("table/a", heads[0])) == events[1:]
        assert list(store.read_on("table/a", heads[2])) == []
        assert [store.hash_of("table/a", version) for version in (0, 1, 3, 4)] == [
            None,
            heads[0].hash,
            heads[2].hash,
            None,
        ]
        for gone in (Head(2, "e" * 64), Head(4, heads[2].hash), Head(1, heads[1].hash)):
            with pytest.raises(Missing) as missing:
                store.read_on("table/a", gone)
            assert (missing.value.stream, missing.value.head) == ("table/a", gone)
            with pytest.raises(Missing), store.unit(["table/a"]) as unit:
                unit.read_on("table/a", gone)
        with pytest.raises(Missing):
            store.read_on("table/b", heads[0])

    def test_two_streams_are_written_together_or_not_at_all(self, store: Store) -> None:
        store.write(batch("k1", stream="link/l"))
        both = batch("k2", stream="table/a")
        both.expected["link/l"] = NO_HEAD
        both.events.append(recorded("link/l", NO_HEAD))
        with pytest.raises(Stale):
            store.write(both)
        assert store.head("table/a") == NO_HEAD
        both.expected["link/l"] = store.head("link/l")
        both.events[-1] = recorded("link/l", store.head("link/l"))
        store.write(both)
        assert store.head("link/l").version == 2
        assert store.head("table/a").version == 1

    def test_money_that_does_not_balance_is_not_written(self, store: Store) -> None:
        with pytest.raises(InvariantError):
            store.write(batch("k1", postings=[Posting("table/a", 1, "x", 5)]))
        assert store.head("table/a") == NO_HEAD

    def test_balances_are_the_sums_of_postings(self, store: Store) -> None:
        big = 9 * 10**17
        store.write(
            batch(
                "k1",
                postings=[
                    Posting("table/a", 1, "SGD/x/a_1", big),
                    Posting("table/a", 1, "SGD/y/a", -big),
                ],
            )
        )
        more = [
            Posting("table/a", 2, "SGD/x/a_1", -7),
            Posting("table/a", 2, "SGD/x/ab1", 3),
            Posting("table/a", 2, "SGD/y/a", 4),
        ]
        store.write(batch("k2", head=store.head("table/a"), postings=more))
        assert store.balances(["SGD/x/a_1", "SGD/y/a", "none"]) == {
            "SGD/x/a_1": big - 7,
            "SGD/y/a": 4 - big,
            "none": 0,
        }
        assert dict(store.balances_under("SGD/x/a_")) == {"SGD/x/a_1": big - 7}
        assert sum(store.balances_under("SGD/").values()) == 0
        assert list(store.postings("table/a", after=1)) == more
        assert len(store.postings("table/a", until=1)) == 2

    def test_snapshots_and_decks_are_replaced_and_erased(self, store: Store) -> None:
        store.write(batch("k1", snapshots={"table/a": (1, "one")}, decks={("a", 1): b"\x00one"}))
        assert store.snapshot("table/a") == (1, "one")
        assert store.deck("a", 1) == b"\x00one"
        assert list(store.decks()) == [("a", 1)]
        head = store.head("table/a")
        store.write(batch("k2", head=head, snapshots={"table/a": (2, "two")}, decks={("a", 1): b"two"}))
        assert store.snapshot("table/a") == (2, "two")
        assert store.deck("a", 1) == b"two"
        store.write(batch("k3", head=store.head("table/a"), decks={("a", 1): None}))
        assert store.deck("a", 1) is None

    def test_rounds_are_found_by_table_time_and_link(self, store: Store) -> None:
        rows = [round_row(1, ended=True), round_row(2, ended=False), round_row(3, ended=False, link="")]
        other = round_row(1, ended=False, table="b")
        store.write(batch("k1", rounds=[*rows, other]))
        assert store.round_at("a", 2) == rows[1]
        assert list(store.rounds("a")) == rows
        assert list(store.rounds("a", since=Micros(200), until=Micros(300))) == [rows[1]]
        assert list(store.open_rounds("mega")) == [rows[1], other]
        assert list(store.open_rounds()) == [rows[1], rows[2], other]
        ended = rows[1]._replace(ended_at=Micros(999), status="void")
        store.write(batch("k2", head=store.head("table/a"), rounds=[ended]))
        assert store.round_at("a", 2) == ended

    def test_a_unit_that_fails_changes_nothing(self, store: Store) -> None:
        def fails() -> None:
            with store.unit(["link/l"]) as unit:
                unit.head("link/l")
                raise RuntimeError("in the middle")

        with pytest.raises(RuntimeError):
            fails()
        store.write(batch("k1", stream="link/l"))
        assert store.head("link/l").version == 1

    def test_units_on_one_stream_never_overlap(self, store: Store) -> None:
        """Eight threads add to one stream under its lock: nobody's turn is lost and nobody is told to retry."""
        store.write(batch("first", stream="link/l"))
        stale: list[Exception] = []

        def add(who: int) -> None:
            for turn in range(5):
                try:
                    with store.unit(["link/l"]) as unit:
                        head = unit.head("link/l")
                        unit.write(batch(f"{who}/{turn}", stream="link/l", head=head))
                except Stale as error:
                    stale.append(error)

        threads = [threading.Thread(target=add, args=(who,)) for who in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not stale
        events = store.read("link/l")
        assert [event.version for event in events] == list(range(1, 42))
        before = NO_HEAD.hash
        for event in events:
            stream, version, at, actor, name, data, hashed = event
            made = chain_hash(
                before, stream=stream, version=version, at=at, actor=actor, name=name, data=data
            )
            assert made == hashed
            before = hashed

    def test_one_key_from_many_threads_is_done_once(self, store: Store) -> None:
        done: list[str] = []

        def ask(who: int) -> None:
            try:
                store.write(batch("same", stream=f"table/{who}"))
                done.append("written")
            except Repeated as repeated:
                done.append(repeated.kept.answer)

        threads = [threading.Thread(target=ask, args=(who,)) for who in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(done) == sorted(["written", *['{"ok":true,"key":"same"}'] * 5])
        assert len(store.heads()) == 1
