"""A floor under load for a while, with what goes wrong in a while: `make soak`, or `python tools/soak.py`.

PostgreSQL and three server processes on this machine, dealers and players at every table over HTTP. Now and
then a server is killed, the database is killed, or the clock of the servers steps forth or back; the first
server is never killed, so that its memory can be followed. At the end nothing that was answered may be
missing, and `verify` and the verifier of the export must find the record sound.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import aiohttp
import msgspec
import psutil

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from bench_server import ROUNDS_AN_HOUR, SEATS, TABLES, WANTED_TABLES
from pitboss.bootstrap import Settings, at_work, checkpoint_key, open_store
from pitboss.client import Client, ClientError
from pitboss.floor import requests as q
from pitboss.floor.clock import SystemClock
from pitboss.floor.simulation import set_up
from pitboss.forms import ActForm, read_act
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.identity import Identity
from pitboss.store.identities import Identities
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from stepped_clock import set_offset
from support.databases import fresh_database, kill_postgres, postgres_processes, start_postgres
from verify_export import verify_export

SERVERS = 3
STEPPED_CLOCK = Path(__file__).parent / "stepped_clock.py"
WINDOW_SECONDS = 15
BOUNDS = {
    "p50 of an act": 1.15,
    "p99 of an act": 1.5,  # a few acts that wait for a killed database more or less
    "processor time an act": 1.1,
    "memory of a server": 1.1,
}
"""What is called flat: the last quarter over the first. The quarters have the same troubles."""
CARRIED = WANTED_TABLES * ROUNDS_AN_HOUR // TABLES
"""Rounds an hour at each table, so that all together play what the benchmark's tables play."""
TRIAL_SECONDS = 30
SHARE_OF_TRIAL = 0.4
"""How much of what a machine carries at most it is given: beyond that, queues grow by chance."""


class Seconds(NamedTuple):
    """Processor time since the beginning."""

    clients: float
    servers: float
    database: float


@dataclass
class Figures:
    """What was seen: latencies by window, memory of the first server, what went wrong on purpose."""

    began: float = field(default_factory=time.monotonic)
    until: float = 0.0
    owed: list[str] = field(default_factory=lambda: ["kill", "clock", "database"])
    """Troubles that have not been yet: however slow the machine, a soak has each of them once."""
    latencies: dict[int, list[float]] = field(default_factory=dict)
    memory: list[tuple[float, int]] = field(default_factory=list)
    processor: list[tuple[float, int, Seconds]] = field(default_factory=list)
    """When, how many acts were answered by then, and what the processes had used by then."""
    answered: dict[str, bytes] = field(default_factory=dict)
    """Digests: the load generator must not grow heavier with what it remembers."""
    rounds_an_hour: int = 0
    rounds: int = 0
    late: int = 0
    refused: int = 0
    kills: int = 0
    database_kills: int = 0
    clock_steps: int = 0

    @property
    def over(self) -> bool:
        """Whether it has been long enough."""
        return time.monotonic() >= self.until and not self.owed

    @property
    def acts(self) -> int:
        """How many were answered."""
        return sum(len(window) for window in self.latencies.values())

    def took(self, seconds: float) -> None:
        window = int((time.monotonic() - self.began) // WINDOW_SECONDS)
        self.latencies.setdefault(window, []).append(seconds)


def digest(answer: dict[str, Any]) -> bytes:
    """What tells one answer from another."""
    return hashlib.sha256(json.dumps(answer, sort_keys=True).encode()).digest()


class Processor:
    """What processes that come and go have used in all."""

    def __init__(self) -> None:
        self._used: dict[tuple[int, float], float] = {}

    def look(self, family: Iterable[psutil.Process]) -> float:
        """Seconds of all that were seen so far; what a process did after its last look is not in it."""
        for process in family:
            with suppress(psutil.Error):
                spent = process.cpu_times()
                self._used[process.pid, process.create_time()] = spent.user + spent.system
        return sum(self._used.values())


class Servers:
    """Processes of `pitboss serve` on fixed ports, whose clock can be stepped."""

    def __init__(self, where: Settings, folder: Path, count: int, *, folders: Sequence[Path] = ()) -> None:
        """`folders` are the data folders of the servers, where each has its own."""
        self.where, self.stepped, self.log = where, folder / "clock", folder / "servers.log"
        self.folders = folders or [where.data] * count
        self.step(0)
        self.running: list[subprocess.Popen[str]] = []
        self.urls: list[str] = []
        for number in range(count):
            self.running.append(self._start(number, 0))
        for number in range(count):
            self.urls.append(self._listening(number))

    def step(self, seconds: int) -> None:
        """From now on the servers' clock is so many seconds off."""
        set_offset(self.stepped, seconds)

    def _start(self, number: int, port: int) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            str(STEPPED_CLOCK),
            str(self.stepped),
            "serve",
            "--data",
            str(self.folders[number]),
        ]
        command += ["--port", str(port), "--database", self.where.database, "--log", "error"]
        command += ["--per-second", "1000000"]
        with self.log.open("a") as log:
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)

    def _listening(self, number: int) -> str:
        out = self.running[number].stdout
        assert out is not None
        line = out.readline()
        if not line.startswith("listening on "):
            raise SystemExit(f"server {number} did not start: {line!r} {self.log.read_text()[-2000:]}")
        return line.removeprefix("listening on ").strip()

    def kill_and_restart(self, number: int) -> None:
        self.running[number].kill()
        self._ended(self.running[number])
        port = int(self.urls[number].rpartition(":")[2])
        self.running[number] = self._start(number, port)
        self._listening(number)

    def memory(self) -> int:
        """Of the first server, which is never killed, in bytes."""
        return int(psutil.Process(self.running[0].pid).memory_info().rss)

    def stop(self) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            self._ended(process)

    def _ended(self, process: subprocess.Popen[str]) -> None:
        process.wait(timeout=30)
        if process.stdout is not None:
            process.stdout.close()


class Table:
    """A dealer, a manager and players at one table, who carry on whatever happens."""

    def __init__(
        self, name: str, seats: int, urls: list[str], tokens: dict[str, str], seen: Figures, *, every: float
    ) -> None:
        self.name, self.rng = name, Random(name)
        self.pace(seen, every)
        number = int(name[1:])
        order = urls[number % len(urls) :] + urls[: number % len(urls)]
        self.dealer, self.manager = Client(*order), Client(*order)
        self.dealer.use_token(tokens[f"dealer-{name}"], "staff", f"dealer-{name}")
        self.manager.use_token(tokens["manager-1"], "staff", "manager-1")
        self.manager.me = c.Staff(Position.PIT_MANAGER)
        self.players = [Client(*order) for _ in range(seats)]
        for seat, client in enumerate(self.players, 1):
            client.use_token(tokens[f"{name}-p{seat}"], "player", f"{name}-p{seat}")

    def pace(self, seen: Figures, every: float) -> None:
        """From now on a round begins so often, and `seen` is where it is noted."""
        self.seen, self.every = seen, every
        self.due = time.monotonic() + self.rng.random() * every

    async def play(self, http: aiohttp.ClientSession) -> None:
        """Play until it has been long enough."""
        for client in (self.dealer, self.manager, *self.players):
            client._http = http
        terms = await self.dealer.terms(self.name)
        while not self.seen.over:
            try:
                await self._turn(terms)
            except (ClientError, aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(0.2)

    async def _turn(self, terms: dict[str, Any]) -> None:
        """Whatever is next at the table, as its view says it."""
        view = await self.dealer.table(self.name)
        if view.get("suspended"):
            rulings = view["matter"]["rulings"] if view.get("matter") else ["continue"]
            ruling = "continue" if "continue" in rulings else rulings[0]
            await self._act(self.manager, {"do": "rule", "ruling": ruling, "argument": ""})
        elif view.get("options"):
            for seat in view["options"]["waiting"]:
                await self._act(self.players[seat - 1], {"do": "take-option", "position": seat, "stay": True})
        elif view.get("claim") and not view.get("claim_payable"):
            await self._verify(view)
        elif view["stage"] in ("settled", "void", "idle"):
            await self._next_round_is_due()
            await self._act(self.dealer, {"do": "open-bets"})
            await self._wager(terms)
        elif view["choices"]:
            await self._act(self.dealer, view["choices"][0]["act"])
        elif view["waiting_for"]:
            decision = next(d for d in terms["decisions"] if d["decision"] == view["decision"])
            for seat in view["waiting_for"]:
                if not view["positions"][str(seat)]["viewed"]:
                    await self._act(self.players[seat - 1], {"do": "view-hand", "position": seat})
                bet = {"do": "bet", "position": seat, "wager": decision["bet"]}
                other = {"do": decision["otherwise"], "position": seat}
                await self._act(self.players[seat - 1], bet if self.rng.random() < 0.6 else other)
        else:
            await self._act(self.dealer, {"do": "settle"})

    async def _next_round_is_due(self) -> None:
        """Rounds begin by the clock; a table that is late goes on at once and does not catch up."""
        now = time.monotonic()
        self.seen.rounds += 1
        self.seen.late += now > self.due + 1
        await asyncio.sleep(max(0.0, self.due - now))
        self.due = max(now, self.due) + self.every

    async def _wager(self, terms: dict[str, Any]) -> None:
        for seat, client in enumerate(self.players, 1):
            acts = []
            for wager in terms["wagers"]:
                if wager["placed"] != "before-deal" or (wager["units"] and not terms["jackpot_unit"]):
                    continue
                if (wager["needs"] or wager["units"]) and self.rng.random() < 0.5:
                    continue
                amount = terms["jackpot_unit"] if wager["units"] else (wager["limits"] or ["25.00"])[0]
                acts.append(
                    {"do": "place-wager", "position": seat, "wager": wager["wager"], "amount": amount}
                )
            await self._act(client, *acts)

    async def _verify(self, view: dict[str, Any]) -> None:
        link = await self.manager.call("GET", f"/api/links/{view['link']}")
        for claim in link["claims"]:
            if claim["table"] == self.name:
                with suppress(ClientError):
                    await self.manager.do(q.VerifyClaim(link=view["link"], claim=claim["claim"]))
        await asyncio.sleep(0.1)

    async def _act(self, client: Client, *acts: dict[str, Any]) -> None:
        commands = [read_act(msgspec.convert(act, ActForm), lambda _: client.me) for act in acts]
        key, began = secrets.token_hex(8), time.perf_counter()
        try:
            answer = await client.act(self.name, *commands, key=key)
        except ClientError as refused:
            self.seen.refused += 1
            if refused.code == "not-enough-chips":
                name = client.me.name  # type: ignore[union-attr]
                await self.dealer.do(q.BuyIn(table=self.name, player=name, amount=Cents(500_000)))
            return
        self.seen.took(time.perf_counter() - began)
        kind = "player" if isinstance(client.me, c.Player) else "staff"
        name = client.me.name if isinstance(client.me, c.Player) else self._staff(client)
        self.seen.answered[f"{kind}/{name}/{key}"] = digest(answer)

    def _staff(self, client: Client) -> str:
        return "manager-1" if client is self.manager else f"dealer-{self.name}"


async def trouble(servers: Servers, database: Any, folder: Path, seen: Figures, seed: int) -> None:
    """Something every few seconds: a server killed, the database killed, the clock stepped.

    Every quarter of the time has the same troubles, so that the last can be held against the first.
    """
    began = time.monotonic()
    quarter, rng = 0, Random(seed)
    while seen.owed or time.monotonic() < seen.until - 4:
        await asyncio.sleep(2 if seen.owed else rng.uniform(2, 8))
        now = int((time.monotonic() - began) / (seen.until - began) * 4)
        if now > quarter:
            quarter, rng = now, Random(seed)
        what = seen.owed[0] if seen.owed else rng.choice(("kill", "kill", "clock", "clock", "database"))
        match what:
            case "kill":
                await asyncio.to_thread(servers.kill_and_restart, rng.randrange(1, len(servers.urls)))
                seen.kills += 1
            case "clock":
                servers.step(rng.randint(-90, 90))
                seen.clock_steps += 1
            case "database":
                await asyncio.to_thread(kill_postgres, folder)
                await asyncio.sleep(rng.uniform(0.2, 1.5))
                await asyncio.to_thread(database.ensure_postgres_running)
                seen.database_kills += 1
        del seen.owed[:1]


async def watch(servers: Servers, pg: Path, manager: Client, seen: Figures) -> None:
    """The first server's memory, what everybody works, and the manager's session, which would lock."""
    serving, storing = Processor(), Processor()
    while not seen.over:
        now = time.monotonic() - seen.began
        seen.memory.append((now, servers.memory()))
        used = Seconds(
            clients=time.process_time(),
            servers=serving.look(psutil.Process(one.pid) for one in servers.running),
            database=storing.look(postgres_processes(pg)),
        )
        seen.processor.append((now, seen.acts, used))
        with suppress(ClientError, aiohttp.ClientError, TimeoutError):
            await manager.call("POST", "/api/session/activity")
        await asyncio.sleep(5)


def soak(
    folder: Path,
    *,
    seconds: int,
    tables: int,
    seats: int,
    rounds_an_hour: int | None,
    seed: int,
    count: int = SERVERS,
) -> tuple[Figures, list[str]]:
    """What was seen, and what was wrong at the end. `rounds_an_hour` are a table's, `count` are servers.

    Without a pace the benchmark's is taken, or less on a machine that cannot carry it, which a trial shows.
    """
    pg = folder / "postgres"
    database = start_postgres(pg)
    where = Settings(folder / "floor", fresh_database(database.get_uri()))
    names = [f"t{number:02d}" for number in range(1, tables + 1)]
    with at_work(where, create=True) as work:
        set_up(work.floor, names, seats=seats, physical=False)
        identity = Identity(Identities(work.store.engine), SystemClock())
        people = [("staff", f"dealer-{name}") for name in names] + [("staff", "manager-1")]
        people += [("player", f"{name}-p{seat}") for name in names for seat in range(1, seats + 1)]
        tokens = {name: identity.begin(kind, name).token for kind, name in people}
    servers = Servers(where, folder, count)
    seen = Figures()

    async def run() -> None:
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
        ) as http:
            playing = [Table(name, seats, servers.urls, tokens, seen, every=0) for name in names]
            seen.rounds_an_hour = rounds_an_hour or await carried(playing, http, seen)
            seen.began = time.monotonic()
            seen.until = seen.began + seconds
            for table in playing:
                table.pace(seen, 3600 / seen.rounds_an_hour)
            await asyncio.gather(
                *(table.play(http) for table in playing),
                trouble(servers, database, pg, seen, seed),
                watch(servers, pg, playing[0].manager, seen),
            )

    try:
        asyncio.run(run())
    finally:
        servers.stop()
    try:
        return seen, wrong(where, seen, folder)
    finally:
        database.cleanup()


async def carried(playing: list[Table], http: aiohttp.ClientSession, seen: Figures) -> int:
    """Rounds an hour at each table that this machine carries with room to spare, the benchmark's at most."""
    trial = Figures(until=time.monotonic() + TRIAL_SECONDS, owed=[])
    for table in playing:
        table.pace(trial, 0)
    await asyncio.gather(*(table.play(http) for table in playing))
    seen.answered |= trial.answered
    most = trial.rounds * 3600 / ((time.monotonic() - trial.began) * len(playing))
    return max(1, min(CARRIED, int(SHARE_OF_TRIAL * most)))


def wrong(where: Settings, seen: Figures, folder: Path) -> list[str]:
    """Answers that are not in the store, and what the two verifiers find."""
    store = open_store(where)
    try:
        found = []
        for key, answer in seen.answered.items():
            kept = store.kept(key)
            if kept is None or digest(json.loads(kept.answer)) != answer:
                found.append(f"the answer to {key} is lost")
        export_all(store, folder / "export", checkpoint_key(where, create=False))
    finally:
        store.close()
    found += [str(problem) for problem in verify(where).problems]
    return found + verify_export(folder / "export")


class Quarter(NamedTuple):
    """A quarter of the time: latencies in order, processor seconds an act, memory in bytes."""

    latencies: list[float]
    an_act: Seconds
    memory: float

    @property
    def p50(self) -> float:
        return statistics.median(self.latencies)

    @property
    def p99(self) -> float:
        return self.latencies[int(len(self.latencies) * 0.99)]


def quarters(seen: Figures) -> list[Quarter]:
    """The four of them, or fewer where nothing was answered: what leaks or grows shows in the last."""
    found = []
    whole = max(seen.latencies, default=0) + 1
    for number in range(4):
        low, high = whole * number // 4, whole * (number + 1) // 4
        ordered = sorted(value for window in range(low, high) for value in seen.latencies.get(window, ()))
        memory = [size for at, size in seen.memory if low <= at / WINDOW_SECONDS < high]
        looks = [look for look in seen.processor if low <= look[0] / WINDOW_SECONDS < high]
        if ordered and memory and len(looks) > 1:
            (_, acts, before), (_, acts_then, after) = looks[0], looks[-1]
            done = max(1, acts_then - acts)
            an_act = Seconds(*((b - a) / done for a, b in zip(before, after, strict=True)))
            found.append(Quarter(ordered, an_act, statistics.median(memory)))
    return found


def told(seen: Figures) -> str:
    """The figures of a soak, quarter by quarter."""
    lines = [
        f"{seen.acts} acts answered, {seen.refused} refused; {seen.rounds} rounds ({seen.late} begun late) "
        f"at {seen.rounds_an_hour} an hour and table; "
        f"{seen.kills} servers killed, {seen.database_kills} times the database, "
        f"{seen.clock_steps} clock steps",
        "quarter    acts   p50 ms   p99 ms   processor ms an act: clients, servers, database   memory MiB",
    ]
    for number, one in enumerate(quarters(seen), 1):
        clients, servers, database = (seconds * 1000 for seconds in one.an_act)
        lines.append(
            f"{number:7d} {len(one.latencies):7d} {one.p50 * 1000:8.0f} {one.p99 * 1000:8.0f} "
            f"{clients:29.2f} {servers:8.2f} {database:9.2f}{one.memory / 2**20:13.0f}"
        )
    return "\n".join(lines)


def not_flat(seen: Figures) -> list[str]:
    """What rose from the first quarter to the last by more than the bound."""
    found = quarters(seen)
    if len(found) < 4:
        return ["too short to say whether anything grows"]
    first, last = found[0], found[-1]
    rose = {
        "p50 of an act": last.p50 / first.p50,
        "p99 of an act": last.p99 / first.p99,
        "processor time an act": sum(last.an_act) / sum(first.an_act),
        "memory of a server": last.memory / first.memory,
    }
    return [
        f"{what} rose by {ratio - 1:.0%} from the first quarter to the last, more than {BOUNDS[what] - 1:.0%}"
        for what, ratio in rose.items()
        if ratio > BOUNDS[what]
    ]


def main() -> int:
    """Soak, and say what was seen; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description="A floor under load, with kills, restarts and clock steps.")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--rounds-an-hour", type=int, help="of each table; else what the machine carries")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pitboss-soak-") as folder:
        seen, problems = soak(
            Path(folder),
            seconds=asked.seconds,
            tables=asked.tables,
            seats=asked.seats,
            rounds_an_hour=asked.rounds_an_hour,
            seed=asked.seed,
        )
    print(told(seen))
    for problem in problems[:20]:
        print(problem)
    print("nothing is lost, the record is sound" if not problems else f"{len(problems)} problems")
    rising = not_flat(seen)
    print("\n".join(rising) if rising else "latency, processor time and memory are flat")
    return 1 if problems or rising else 0


if __name__ == "__main__":
    sys.exit(main())
