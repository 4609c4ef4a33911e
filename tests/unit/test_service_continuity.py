"""A server whose database came back without the end of the record: it refuses, shows nothing, says so, and goes on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp

from pitboss.bootstrap import DATABASE_FILE
from pitboss.cli.main import run
from pitboss.floor import requests as q
from pitboss.floor.people import player
from support.failover import promote, standby_of
from support.service import PASSWORD, Served, served, stud_on_a_link


def sit(service: Served, position: int) -> None:
    floor = service.served.floor
    answer = floor.do(player("p2"), q.TakeSeat(table="t1", position=position, player="p2"))
    assert answer.ok, answer.body


async def _next(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any] | int | None:
    """What is heard next on a socket: a message, or the code it is closed with."""
    message = await socket.receive(timeout=20)
    if message.type is not aiohttp.WSMsgType.TEXT:
        return socket.close_code
    found: dict[str, Any] = json.loads(message.data)
    return found


def test_a_server_stops_and_goes_on_when_the_record_names_what_was_lost(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    with served(folder, stud_on_a_link) as service:
        asyncio.run(asyncio.wait_for(_lose_and_reconcile(service, folder), 120))


async def _lose_and_reconcile(service: Served, folder: Path) -> None:
    worker = service.served.worker
    async with aiohttp.ClientSession(service.url) as http:

        async def status(path: str) -> tuple[int, str]:
            async with http.get(path) as answer:
                body = await answer.text()
                return answer.status, body

        async def metric() -> str:
            _, text = await status("/metrics")
            return next(line for line in text.splitlines() if line.startswith("pitboss_record_broken "))

        while (await status("/health/ready"))[0] != 200:  # until it hears of other processes
            await asyncio.sleep(0.05)
        standby = standby_of(folder / DATABASE_FILE)
        await worker.run(sit, service, 2)
        last = service.served.floor.desk.loaded["table/t1"].head.version
        async with http.ws_connect("/api/live") as socket:
            await socket.send_str('{"watch": "t1"}')
            shown = await _next(socket)
            assert isinstance(shown, dict)
            assert (shown["kind"], shown["version"]) == ("view", last)
            promote(standby, folder / DATABASE_FILE)
            code, body = 200, ""
            while "record-broken" not in body:  # the clock looks once a second
                code, body = await status("/health/ready")
            assert code == 503
            assert f"table/t1 event {last}" in body
            told = await _next(socket)
            while isinstance(told, dict) and told["kind"] != "error":
                told = await _next(socket)
            assert isinstance(told, dict)
            assert told["code"] == "record-broken"
            assert await _next(socket) == 4503
        assert await metric() == "pitboss_record_broken 1.0"
        assert (await status("/health/live"))[0] == 200
        for path in ("/api/lobby", "/api/tables/t1", "/api/jackpots"):
            code, body = await status(path)
            assert (code, json.loads(body)["code"]) == (503, "record-broken"), path
        sign_in = {"kind": "staff", "name": "dora", "password": PASSWORD}
        async with http.post("/api/sign-in", json=sign_in) as answer:
            assert answer.status == 503
        async with http.ws_connect("/api/live") as socket:
            assert await _next(socket) == 4503
        reconcile = ["floor", "reconcile", "--confirm", "--by", "gina", "--data", str(folder)]
        assert await asyncio.to_thread(run, reconcile) == 0
        while (await status("/health/ready"))[0] != 200:
            await asyncio.sleep(0.05)
        assert await metric() == "pitboss_record_broken 0.0"
        async with http.ws_connect("/api/live") as socket:
            await socket.send_str(json.dumps({"watch": "t1", "after": last}))
            shown = await _next(socket)
            assert isinstance(shown, dict)
            assert shown["missed"]
            assert shown["version"] < last
        await worker.run(sit, service, 2)
