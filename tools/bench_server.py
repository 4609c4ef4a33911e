"""The service measured: `make bench`. Commands a second over HTTP on PostgreSQL beside what pgbench reaches
in the same run with the same rows, latencies, the delay to 500 sockets, and the tables that this carries.

Everything runs on this machine: PostgreSQL, the server processes, and the load generator with its clients.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import aiohttp

from bench_floor import pgbench_rate, transaction_shapes
from pitboss.bootstrap import Settings, at_work
from pitboss.client import Client, ClientError
from pitboss.floor import requests as q
from pitboss.floor.clock import SystemClock
from pitboss.floor.simulation import set_up
from pitboss.forms import ActForm, read_act
from pitboss.money import Cents
from pitboss.server.identity import Identity
from pitboss.store.identities import Identities

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.databases import fresh_database, start_postgres

SERVERS = 2
GENERATORS = 1
TABLES = 40
SEATS = 6
SECONDS, WARM_UP = 20, 5
SOCKETS = 500
ROUNDS_AN_HOUR = 60
WANTED_RATIO, WANTED_TABLES = 0.12, 500

Tokens = dict[str, str]


def make_floor(where: Settings) -> Tokens:
    """A floor of six-seat tables that persons deal, and a session for everybody."""
    with at_work(where, create=True) as work:
        names = [f"t{number:02d}" for number in range(1, TABLES + 1)]
        set_up(work.floor, names, seats=SEATS, physical=False)
        identity = Identity(Identities(work.store.engine), SystemClock())
        people = [("staff", f"dealer-{name}") for name in names] + [("staff", "manager-1")]
        people += [("player", f"{name}-p{seat}") for name in names for seat in range(1, SEATS + 1)]
        return {name: identity.begin(kind, name).token for kind, name in people}


def start_servers(where: Settings) -> list[tuple[subprocess.Popen[str], str]]:
    """Processes of `pitboss serve`, and where they listen."""
    started = []
    for _ in range(SERVERS):
        command = [
            sys.executable,
            "-m",
            "pitboss.cli.main",
            "serve",
            "--data",
            str(where.data),
            "--port",
            "0",
        ]
        command += ["--port", "0", "--database", where.database, "--log", "error", "--per-second", "1000000"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise SystemExit(f"the service did not start: {line}")
        started.append((process, line.removeprefix("listening on ").strip()))
    return started


@dataclass
class Load:
    """What a load generator has done between two moments; what was done outside them is not counted."""

    since: float = 0.0
    until: float = 0.0
    commands: int = 0
    acts: int = 0
    rounds: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    latencies: list[float] = field(default_factory=list)


class TableLoad:
    """A dealer and six players at one table, each with a client and a socket of his own."""

    def __init__(self, name: str, server: str, tokens: Tokens, load: Load, rng: Random) -> None:
        self.name, self.load, self.rng = name, load, rng
        self.dealer = Client(server)
        self.dealer.use_token(tokens[f"dealer-{name}"], "staff", f"dealer-{name}")
        self.manager = Client(server)
        self.manager.use_token(tokens["manager-1"], "staff", "manager-1")
        self.players = []
        for seat in range(1, SEATS + 1):
            client = Client(server)
            client.use_token(tokens[f"{name}-p{seat}"], "player", f"{name}-p{seat}")
            self.players.append(client)

    async def run(self, http: aiohttp.ClientSession, *, watching: bool) -> None:
        watchers = []
        for client in (self.dealer, self.manager, *self.players):
            client._http = http
            if watching and client is not self.manager:
                watchers.append(asyncio.create_task(self._watch(client)))
        terms = await self.dealer.terms(self.name)
        while time.perf_counter() < self.load.until:
            await self._round(terms)
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)

    async def _watch(self, client: Client) -> None:
        """A screen is open: every version comes; nobody but the screen reads it."""
        async with client._connect("/api/live") as socket:
            await socket.send_str(f'{{"watch": "{self.name}"}}')
            async for _ in socket:
                self.load.seen += 1

    async def _act(self, client: Client, *acts: dict[str, Any]) -> None:
        import msgspec

        commands = [read_act(msgspec.convert(act, ActForm), lambda _: client.me) for act in acts]
        began = time.perf_counter()
        try:
            await client.act(self.name, *commands)
        except ClientError as error:
            self.load.refused[error.code] += 1
            if error.code == "not-enough-chips":
                buy = q.BuyIn(table=self.name, player=client.me.name, amount=Cents(500_000))  # type: ignore[union-attr]
                await self.dealer.do(buy)
        ended = time.perf_counter()
        if self.load.since <= ended < self.load.until:
            self.load.latencies.append(ended - began)
            self.load.commands += 1
        self.load.acts += 1

    async def _round(self, terms: dict[str, Any]) -> None:
        await self._act(self.dealer, {"do": "open-bets"})
        wagers = [wager for wager in terms["wagers"] if wager["placed"] == "before-deal"]
        for seat, client in enumerate(self.players, 1):
            acts = []
            for wager in wagers:
                optional = wager["needs"] or wager["units"]
                if (optional and self.rng.random() < 0.5) or (wager["units"] and not terms["jackpot_unit"]):
                    continue
                amount = terms["jackpot_unit"] if wager["units"] else (wager["limits"] or ["25.00"])[0]
                acts.append(
                    {"do": "place-wager", "position": seat, "wager": wager["wager"], "amount": amount}
                )
            await self._act(client, *acts)
        await self._act(self.dealer, {"do": "close-bets"})
        await self._act(self.dealer, {"do": "deal"})
        for seat, client in enumerate(self.players, 1):
            await self._act(client, {"do": "view-hand", "position": seat})
        for _ in range(20):
            view = await self.dealer.table(self.name)
            if view["stage"] in ("settled", "void"):
                break
            if view["choices"]:
                await self._act(self.dealer, view["choices"][0]["act"])
                continue
            decision = next((d for d in terms["decisions"] if d["decision"] == view["decision"]), None)
            if decision is None:
                await self._verify_hit(view)
                continue
            for seat in view["waiting_for"]:
                bet = {"do": "bet", "position": seat, "wager": decision["bet"]}
                other = {"do": decision["otherwise"], "position": seat}
                await self._act(self.players[seat - 1], bet if self.rng.random() < 0.5 else other)
        self.load.rounds += 1

    async def _verify_hit(self, view: dict[str, Any]) -> None:
        """A jackpot hit waits for the pit manager, or for a hit that is paid first."""
        link = await self.manager.call("GET", f"/api/links/{view['link']}")
        for claim in link["claims"]:
            if claim["table"] == self.name:
                with suppress(ClientError):  # he may have verified it the last time round
                    await self.manager.do(q.VerifyClaim(link=view["link"], claim=claim["claim"]))
        await asyncio.sleep(0.05)


def generate(
    number: int, servers: Sequence[str], tokens: Tokens, out: Any, *, watching: bool = False
) -> None:
    """One load generator: every so many of the tables, each at one of the servers."""
    load, rng = Load(), Random(number)

    async def run() -> None:
        load.since = time.perf_counter() + WARM_UP
        load.until = load.since + SECONDS
        connector = aiohttp.TCPConnector(limit=0)
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as http:
            tables = [
                TableLoad(f"t{table:02d}", servers[table % len(servers)], tokens, load, rng)
                for table in range(1 + number, TABLES + 1, GENERATORS)
            ]
            await asyncio.gather(*(table.run(http, watching=watching) for table in tables))

    try:
        asyncio.run(run())
        out.put(load)
    except Exception as error:
        out.put(error)
        raise


def loaded(servers: Sequence[str], tokens: Tokens, *, watching: bool) -> Load:
    """The load of all generators together."""
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    running = [
        context.Process(target=generate, args=(number, servers, tokens, out), kwargs={"watching": watching})
        for number in range(GENERATORS)
    ]
    for process in running:
        process.start()
    total = Load()
    for _ in running:
        load = out.get()
        if isinstance(load, Exception):
            raise SystemExit(f"a load generator failed: {load!r}")
        total.commands += load.commands
        total.acts += load.acts
        total.rounds += load.rounds
        total.refused.update(load.refused)
        total.seen += load.seen
        total.latencies += load.latencies
    for process in running:
        process.join()
    if total.refused:
        print(f"  refused: {dict(total.refused)}", file=sys.stderr)
    return total


async def fan_out(server: str, tokens: Tokens) -> list[float]:
    """Seconds from asking until each of many sockets has the version it made."""
    name = "t01"
    delays: list[float] = []
    begun = 0.0
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        ready = asyncio.Semaphore(0)
        got = asyncio.Semaphore(0)

        async def watch(number: int) -> None:
            token = tokens[f"t{number % TABLES + 1:02d}-p{number % SEATS + 1}"]
            headers = {"Authorization": f"Bearer {token}"}
            async with http.ws_connect(f"{server}/api/live", headers=headers, max_msg_size=0) as socket:
                await socket.send_str(f'{{"watch": "{name}"}}')
                await socket.receive()
                ready.release()
                async for message in socket:
                    if '"kind":"view"' in message.data[:40]:
                        delays.append(time.perf_counter() - begun)
                        got.release()

        watchers = [asyncio.create_task(watch(number)) for number in range(SOCKETS)]
        for _ in watchers:
            await ready.acquire()
        await asyncio.sleep(1)
        client = Client(server)
        client._http = http
        client.use_token(tokens[f"dealer-{name}"], "staff", f"dealer-{name}")
        for number in range(5):
            begun = time.perf_counter()
            seat = q.LeaveSeat(table=name, position=1) if number % 2 == 0 else None
            await client.do(seat or q.TakeSeat(table=name, position=1, player=f"{name}-p1"))
            for _ in watchers:
                await got.acquire()
            await asyncio.sleep(0.3)
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
    return delays


def main() -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder_name:
        folder = Path(folder_name)
        database = start_postgres(folder / "postgres")
        try:
            where = Settings(folder / "floor", fresh_database(database.get_uri()))
            tokens = make_floor(where)
            started = start_servers(where)
            servers = [url for _, url in started]
            bare = loaded(servers, tokens, watching=False)
            load = loaded(servers, tokens, watching=True)
            delays = asyncio.run(fan_out(servers[0], tokens))
            for process, _ in started:
                process.terminate()
                process.wait()
            ceiling = pgbench_rate(where.database, transaction_shapes(where.database), folder)
        finally:
            database.cleanup()
    _print(bare, ceiling, "no screens open")
    _print(load, ceiling, f"{TABLES * (SEATS + 1)} screens open, {load.seen:,} views sent to them")
    milliseconds = sorted(delay * 1000 for delay in delays)
    print(
        f"fan-out to {SOCKETS} sockets: p50 {statistics.median(milliseconds):.0f} ms, "
        f"p99 {milliseconds[int(len(milliseconds) * 0.99)]:.0f} ms"
    )


def _print(load: Load, ceiling: float, what: str) -> None:
    rate = load.commands / SECONDS
    ordered = sorted(load.latencies)
    p50, p99 = ordered[len(ordered) // 2] * 1000, ordered[int(len(ordered) * 0.99)] * 1000
    a_round = load.acts / max(1, load.rounds)
    tables = rate / a_round * 3600 / ROUNDS_AN_HOUR
    print(
        f"service on PostgreSQL, {SERVERS} processes, {what}: {rate:,.0f} commands a second over HTTP, "
        f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, {load.refused.total()} refused"
    )
    print(
        f"  pgbench, same rows in the same transactions: {ceiling:,.0f} a second; ratio {rate / ceiling:.2f} "
        f"(wanted {WANTED_RATIO})"
    )
    print(
        f"  {a_round:.1f} commands a round: this carries {tables:,.0f} six-seat tables at {ROUNDS_AN_HOUR} "
        f"rounds an hour (wanted {WANTED_TABLES}) on {os.cpu_count()} processors, clients included"
    )


if __name__ == "__main__":
    main()
