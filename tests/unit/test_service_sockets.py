"""Sockets: what a client may say on one, and how they end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from support.service import Served, served, stud_on_a_link


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("sockets") / "floor", stud_on_a_link) as found:
        yield found


def talk(
    service: Served, said: list[str], *, token: str = "", path: str = "/api/live", wait: float = 5
) -> tuple[list[dict[str, Any]], int | None]:
    """What the service sends in answer, until it closes the socket or is silent; and its closing code."""

    async def run() -> tuple[list[dict[str, Any]], int | None]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        heard: list[dict[str, Any]] = []
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{service.url}{path}", headers=headers, max_msg_size=0) as socket,
        ):
            for text in said:
                await socket.send_str(text)
            while True:
                try:
                    message = await socket.receive(timeout=wait)
                except TimeoutError:
                    return heard, None
                if message.type is not aiohttp.WSMsgType.TEXT:
                    return heard, socket.close_code
                heard.append(json.loads(message.data))
                wait_more = len(heard) < len(said) or not said
                if not wait_more and wait < 5:
                    return heard, None

    return asyncio.run(run())


def test_what_cannot_be_understood_is_answered_and_after_some_of_it_the_socket_is_closed(
    service: Served,
) -> None:
    said = ["nonsense", "[]", '{"watch": 5}', '{"dance": "t1"}', '{"watch": "t9"}']
    heard, code = talk(service, said)
    assert [message["kind"] for message in heard] == ["error"] * 5
    assert all(message["message"] for message in heard)
    assert heard[3]["field"] == "dance"
    assert code == 4400
    heard, _ = talk(service, ["{}", '{"watch": "t1", "after": -1}', '{"watch": "t1"}'], wait=1)
    assert [message["kind"] for message in heard][:3] == ["error", "error", "view"]
    assert heard[0]["field"] == "watch"


@pytest.mark.parametrize("size", [5000, 40_000])
def test_a_message_too_large_closes_the_socket(service: Served, size: int) -> None:
    heard, code = talk(service, ['{"watch": "' + "x" * size + '"}'])
    assert heard == []
    assert code in (4413, 1009)


def test_a_token_that_does_not_hold_closes_the_socket(service: Served) -> None:
    assert talk(service, ['{"watch": "t1"}'], token="nonsense")[1] == 4401


def test_a_locked_session_has_no_socket_and_one_that_locks_loses_it(service: Served) -> None:
    with service.signed_in("dora") as ask:
        token = ask.client._token
        heard, _ = talk(service, ['{"watch": "t1"}'], token=token, wait=1)
        assert heard[0]["kind"] == "view"
        ask(ask.client.call("POST", "/api/session/lock"))
        assert talk(service, ['{"watch": "t1"}'], token=token)[1] == 4423


def test_signing_out_ends_the_sockets(service: Served) -> None:
    async def run() -> int | None:
        with service.signed_in("p1") as ask:
            headers = {"Authorization": f"Bearer {ask.client._token}"}
            async with (
                aiohttp.ClientSession() as http,
                http.ws_connect(f"{service.url}/api/live", headers=headers) as socket,
            ):
                await asyncio.to_thread(ask, ask.client.sign_out())
                await socket.receive(timeout=15)
                return socket.close_code

    assert asyncio.run(run()) == 4401


def test_pages_of_other_origins_get_no_socket(service: Served) -> None:
    async def run() -> int:
        async with aiohttp.ClientSession() as http:
            try:
                await http.ws_connect(f"{service.url}/api/live", origin="http://elsewhere.example")
            except aiohttp.WSServerHandshakeError as refused:
                return refused.status
        return 101

    assert asyncio.run(run()) == 403


def test_the_jackpots_are_for_everybody(service: Served) -> None:
    heard, _ = talk(service, [], path="/api/jackpots/live", wait=1)
    assert heard[0]["kind"] == "jackpot"
    assert heard[0]["link"] == "mega"
    assert heard[0]["meter"] == "300000.00"


def test_p4_an_increment_reaches_the_displays_within_30_seconds(tmp_path: Path) -> None:
    """A wager is laid and bets close: the socket tells the new value by itself, and so does what a sign reads."""

    async def run(service: Served) -> tuple[list[str], float]:
        def play() -> None:
            steps = ["dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5"]
            service.house.steps(*steps, "dealer: close bets")

        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{service.url}/api/jackpots/live") as socket,
        ):
            meters = [(await socket.receive_json(timeout=30))["meter"]]
            playing = asyncio.create_task(asyncio.to_thread(play))
            began = time.monotonic()
            while meters[-1] == "300000.00":
                meters.append((await socket.receive_json(timeout=30))["meter"])
            taken = time.monotonic() - began
            await playing
            async with http.get(f"{service.url}/api/jackpots") as answer:
                [sign] = (await answer.json())["jackpots"]
            return [*meters, sign["meter"]], taken

    with served(tmp_path / "floor", stud_on_a_link) as service:
        meters, taken = asyncio.run(run(service))
    assert meters[0] == "300000.00"
    assert meters[-2:] == ["300001.00", "300001.00"]
    assert taken < 30


def test_the_client_follows_the_jackpots(service: Served) -> None:
    with service.signed_in("") as ask:
        first = next(ask.each(ask.client.jackpot_messages()))
    assert (first.link, first.sign["meter"]) == ("mega", "300000.00")


def test_who_is_signed_out_sees_what_the_public_sees(service: Served) -> None:
    heard, _ = talk(service, ['{"watch": "t1"}'], wait=1)
    assert heard[0]["kind"] == "view"
    assert "choices" not in heard[0]["view"]
    assert "racks" not in heard[0]["view"]


def test_a_beat_is_answered_with_the_time_by_the_floors_clock(service: Served) -> None:
    before = service.clock.now()
    heard, _ = talk(service, ['{"beat": 7}'], wait=1)
    assert (heard[0]["kind"], heard[0]["beat"]) == ("beat", 7)
    assert before < heard[0]["now"] <= service.clock.now()
