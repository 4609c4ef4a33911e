"""Whole rounds over real sockets in all five games, with lost connections, and a server that is killed."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from pitboss.bootstrap import Settings
from pitboss.verification import verify
from support.service import PASSWORD, Process, make_floor
from support.table_talk import people, play_round, together

pytestmark = pytest.mark.whole

BOOKS = ["mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"]


@pytest.mark.parametrize("book", BOOKS)
def test_two_players_a_dealer_and_a_pit_manager_play_whole_rounds(tmp_path: Path, book: str) -> None:
    where = Settings(tmp_path / "floor")
    make_floor(where, book)
    server = Process(where, "--log", "debug")
    tokens: list[str] = []

    async def evening() -> None:
        async with people("t1", "p1", "p2", "dora", "mara", servers=(server.url,)) as at:
            tokens.extend(person.client._token for person in at.values())

            async def lose_connections(number: int) -> None:
                """Somebody else's connection breaks at every step, and is back two steps later."""
                names = list(at)
                away, back = at[names[number % 4]], at[names[(number - 2) % 4]]
                if back._task is None:
                    await back.watch("t1")
                if away.name != "dora":
                    await away.look_away()
                for person in at.values():
                    if person is not away and person._task is None:
                        await person.watch("t1")
                if away._task is None:
                    await away.watch("t1")

            for _ in range(2):
                last = await play_round("t1", at, jackpot=book.startswith("mbs"), between=lose_connections)
                assert last["stage"] == "settled"
            end = at["dora"].version
            for person in at.values():
                await person.until(lambda view: True, version=end)
                together(person)
            watched = [message.version for message in at["dora"].seen]
            for person in at.values():
                mine = [
                    message.version for message in person.seen if message.version >= person.seen[0].version
                ]
                assert [v for v in watched if v >= mine[0]] == mine, person.name
            assert at["mara"].view["racks"].keys() == {"p1", "p2"}
            assert len(await at["p1"].client.rounds("t1")) == 2
            recalled = await at["p1"].client.round("t1", 1)
            assert recalled["replay"]
            seen = [step["views"]["p1"] for step in recalled["steps"]]
            hidden = [view["positions"]["2"]["cards"] for view in seen if view["stage"] == "playing"]
            assert any(hidden)
            assert all(set(cards) <= {"??"} for cards in hidden), "the hand of another, in play"

    asyncio.run(evening())
    said = server.stop()
    assert "Traceback" not in said
    lines = [json.loads(line) for line in said.splitlines()]
    assert {line["event"] for line in lines} >= {"start", "request", "stop"}
    assert not any(secret in said for secret in (PASSWORD, *tokens))
    assert not re.search(r'"(10|[2-9TJQKA])[cdhs]"', said), "no card reaches a log"
    assert verify(where).ok


CLAUSES = {"mbs": "5.16", "rws": "5.7", "hoiana": "7.1"}


@pytest.mark.parametrize("book", ["mbs-stud-6", "rws-thp-2", "hoiana-thb-2025"])
def test_a_server_killed_in_mid_round_comes_back_and_the_book_says_how_it_goes_on(
    tmp_path: Path, book: str
) -> None:
    where = Settings(tmp_path / "floor")
    make_floor(where, book)
    server = Process(where)
    found: dict[str, Any] = {}

    async def evening() -> None:
        nonlocal server
        async with people("t1", "p1", "p2", "dora", "gina", servers=(server.url,)) as at:

            async def lights_out(number: int) -> None:
                nonlocal server
                dealt = any(card for box in at["dora"].view["positions"].values() for card in box["cards"])
                if found or not dealt:
                    return
                found["killed"] = number
                server.kill()
                server = Process(where, port=server.port)
                await at["gina"].until(lambda view: bool({"options", "void", "suspended"} & view.keys()))
                found["view"] = dict(at["gina"].view)
                if "suspended" in found["view"]:
                    ruled = await at["gina"].act("t1", {"do": "rule", "ruling": "continue"})
                    await at["gina"].until(lambda view: True, version=ruled)

            def choose(name: str, choices: list[dict[str, Any]]) -> dict[str, Any] | None:
                staying = [choice for choice in choices if choice.get("stay")]
                others = [choice for choice in choices if choice["do"] in ("view-hand", "bet", "check")]
                return next(iter([*staying, *others]), None)

            last = await play_round("t1", at, choose=choose, between=lights_out)
            assert last["stage"] == ("void" if book.startswith("rws") else "settled")
            for person in at.values():
                together(person)

    asyncio.run(evening())
    clause = CLAUSES[book.split("-")[0]]
    cited = found["view"].get("options", {}).get("clauses") or found["view"].get("void")
    cited = cited or found["view"].get("suspended", {}).get("clauses")
    assert any(number.startswith(clause) for number in cited), cited
    server.stop()
    assert verify(where).ok
