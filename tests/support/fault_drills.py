"""Drills: a floor under load, one fault after the other, and the clients' own journal to judge by.

Real server processes, real databases, dealers and players at every table over HTTP. A drill lets the load flow,
brings its fault about, waits until every table is served again, lets the clients come to rest, and then holds
their journal and both verifiers against the record.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import psutil
import psycopg

import soak
from pitboss.bootstrap import CHECKPOINT_KEY, DECK_KEY, Settings, at_work, checkpoint_key, open_store
from pitboss.client import ClientError
from pitboss.client.asking import HOME_SECONDS
from pitboss.floor.clock import SystemClock
from pitboss.floor.simulation import set_up
from pitboss.server.identity import Identity
from pitboss.store.identities import Identities
from pitboss.store.journal import FOLDER as JOURNALS
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support.clusters import Cluster, Disk, disk
from support.databases import postgres_processes
from support.fault_clients import (
    TRY_SECONDS,
    FaultTable,
    Journal,
    judged,
    longest_pause,
)
from support.roads import PLACES, Road, road
from verify_export import verify_export

PATIENCE_SECONDS = 60
"""How long a table may take to be served again; what it takes is measured, not bounded."""
SHARE = 3
"""Answers that every table must get before a fault, and after it."""
LINKS = ("mega", "multi")
ROUND_SECONDS = 1.0
QUIET_SECONDS = 4
"""How long a floor that must not serve is watched."""


@dataclass
class Figures:
    """What the clients saw in a drill."""

    drill: str
    acknowledged: int = 0
    refused: int = 0
    unanswered: int = 0
    lost: list[str] = field(default_factory=list)
    named: int = 0
    """Acknowledged and lost, and named by the product as lost."""
    doubled: list[str] = field(default_factory=list)
    pause: float = 0.0
    """Seconds in which the whole floor was not acknowledged anything."""
    table_pause: float = 0.0
    """The same of the table that waited longest."""
    kills: int = 0
    problems: list[str] = field(default_factory=list)
    """What else is wrong: found by the clients, by `verify` or by the verifier of the export."""
    remark: str = ""

    @property
    def kept(self) -> int:
        """Acknowledged, and in the record."""
        return self.acknowledged - self.named - len(self.lost)

    @property
    def holds(self) -> bool:
        """Whether nothing is lost that is not named, nothing doubled, and the record verified by both."""
        return not (self.lost or self.doubled or self.problems)

    def __str__(self) -> str:
        named = f" ({self.named} more named by the product)" if self.named else ""
        return (
            f"{self.drill}: {self.acknowledged} acknowledged, {self.refused} refused, {len(self.lost)} lost{named}, "
            f"{len(self.doubled)} doubled"
            + (
                f", longest pause {self.pause:.1f} s, of a table {self.table_pause:.1f} s"
                if self.pause
                else ""
            )
            + (f"; {self.remark}" if self.remark else "")
            + "".join(f"\n    lost: {key}" for key in self.lost[:3])
            + "".join(f"\n    doubled: {what}" for what in self.doubled[:3])
            + "".join(f"\n    {problem}" for problem in self.problems[:6])
        )


Fault = Callable[[], Awaitable[None]]


class Ground:
    """A floor under load. `direct` says where this process finds its record, past every road that is cut."""

    small: Disk

    def __init__(
        self,
        folder: Path,
        servers: soak.Servers,
        tables: Sequence[FaultTable],
        journal: Journal,
        direct: Callable[[], Settings],
    ) -> None:
        self.folder, self.servers, self.tables, self.journal = folder, servers, tables, journal
        self.direct = direct
        self.named: set[str] = set()
        """Keys that were acknowledged, and that the product has named as lost since."""
        self.kills = 0
        self.remark = ""
        self._exports = 0

    # --- the load -------------------------------------------------------------------------------------

    def go(self) -> None:
        """Let every table play."""
        for table in self.tables:
            table.goes_on.set()

    async def rest(self) -> None:
        """Let every table come to the end of what it has asked."""
        for table in self.tables:
            table.goes_on.clear()
        resting = asyncio.gather(*(table.rests.wait() for table in self.tables))
        with suppress(TimeoutError):
            await asyncio.wait_for(resting, PATIENCE_SECONDS)

    def waiting(self, since: float, share: int = SHARE) -> list[str]:
        """The tables that were not acknowledged so much since a moment."""
        found = {table.name: 0 for table in self.tables}
        for asked in reversed(self.journal.asked):
            if asked.sent < since - PATIENCE_SECONDS:
                break
            if asked.acknowledged and asked.answered >= since:
                found[asked.table] += 1
        return [name for name, count in found.items() if count < share]

    async def flows(self, why: str, *, share: int = SHARE) -> None:
        """Wait until every table is served, from now on."""
        since = time.monotonic()
        if not await self.journal.until(lambda: not self.waiting(since, share), PATIENCE_SECONDS):
            waiting = self.waiting(since, share)
            last = {
                one.table: (one.acts, one.body) for one in self.journal.asked if one.status not in (0, 200)
            }
            raise AssertionError(
                f"{why}: {', '.join(waiting)} not served for {PATIENCE_SECONDS} s; "
                f"failures {dict(self.journal.failures)}, "
                f"last refusals {[last[name] for name in waiting if name in last]}"
            )

    # --- a drill --------------------------------------------------------------------------------------

    async def drill(self, name: str, fault: Fault) -> Figures:
        """A fault under load, and what the clients make of it."""
        first, kills = len(self.journal.asked), self.kills
        self.remark, before = "", self.journal.failures.copy()
        begin, stuck = time.monotonic(), ""
        self.go()
        try:
            await self.flows(f"before {name}")
            begin = time.monotonic()
            await fault()
            await self.flows(f"after {name}")
        except AssertionError as problem:  # what was acknowledged is to be judged all the same
            stuck = str(problem)
        end = time.monotonic()
        await self.rest()
        found = await asyncio.to_thread(self.judge, name, first)
        found.problems += [stuck] if stuck else []
        mine = [asked for asked in self.journal.asked[first:] if asked.acknowledged]
        found.pause = longest_pause((asked.answered for asked in mine), begin, end)
        found.table_pause = max(
            longest_pause((asked.answered for asked in mine if asked.table == table.name), begin, end)
            for table in self.tables
        )
        found.kills, found.remark = self.kills - kills, self.remark
        bugs = self.journal.failures["internal"] - before["internal"]
        if bugs:
            found.problems.append(f"{bugs} answers were 'internal'")
        sys.stdout.write(f"{found}\n")
        sys.stdout.flush()
        return found

    def judge(self, name: str, first: int) -> Figures:
        """The journal, `verify` and the stand-alone verifier held against the record, as it is now.

        The verifiers hold the servers' own journals against it, too.
        """
        self._exports += 1
        where, export = self.direct(), self.folder / f"export-{self._exports}"
        store = open_store(where)
        try:
            export_all(store, export, checkpoint_key(where, create=False))
        finally:
            store.close()
        whole = judged(self.journal.asked, export, named=self.named)
        mine = self.journal.asked[first:]
        found = Figures(
            name,
            acknowledged=sum(asked.acknowledged for asked in mine),
            refused=sum(asked.status not in (0, 200) for asked in mine),
            unanswered=sum(not asked.status for asked in mine),
            lost=whole.lost,
            named=sum(asked.key in self.named for asked in mine),
            doubled=whole.doubled,
            problems=whole.wrong,
        )
        key = export / "checkpoint-key.txt"
        journals = [folder / JOURNALS for folder in self.servers.folders if (folder / JOURNALS).is_dir()]
        verified = verify(where, processes=1, key=key, journals=journals)
        found.problems += [f"verify: {problem}" for problem in verified.problems]
        found.problems += [
            f"verify_export: {problem}"
            for problem in verify_export(
                export, key=bytes.fromhex(key.read_text().strip()), journals=journals
            )
        ]
        return found

    # --- faults of the servers ------------------------------------------------------------------------

    async def server_killed(self) -> None:
        """A server is gone, and comes back."""
        number = len(self.servers.running) - 1
        await asyncio.to_thread(self.servers.kill_and_restart, number)
        self.kills += 1

    async def clock_stepped(self, steps: Iterable[int]) -> None:
        """The clock of all servers is so many seconds off, now this way, now that."""
        for seconds in (*steps, 0):
            self.servers.step(seconds)
            await self.flows(f"the clock {seconds} s off", share=1)

    async def _while_stopped(self, number: int, seconds: float) -> None:
        """Every table is to be served while a server stands still; it does so at least for that long."""
        began = time.monotonic()
        await self.flows(f"server {number} stopped")
        self.remark = f"all tables served again {time.monotonic() - began:.1f} s after the stop"
        await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))

    async def server_stopped(self, seconds: float) -> None:
        """A server stands still, between two commands or in one, and wakes up later."""
        process = self.servers.running[0]
        process.send_signal(signal.SIGSTOP)
        try:
            await self._while_stopped(0, seconds)
        finally:
            process.send_signal(signal.SIGCONT)

    async def disk_full(self, seconds: float) -> None:
        """What keeps the floor has no room left, until somebody makes some."""
        await asyncio.to_thread(self.small.fill, self._writers())
        until = time.monotonic() + PATIENCE_SECONDS
        while self.journal.acknowledged(time.monotonic() - 1) and time.monotonic() < until:
            await asyncio.sleep(0.05)
        seen = time.monotonic() < until
        await asyncio.sleep(seconds)
        self.small.empty()
        await asyncio.to_thread(self._see_that_it_runs)
        assert seen, "a full disk went unnoticed"
        self.remark = f"full for {seconds:.0f} s" + ("" if self.small.mounted else ", by limits of files")

    def _writers(self) -> list[psutil.Process]:
        """The processes that write to the disk."""
        return [psutil.Process(process.pid) for process in self.servers.running]

    def _see_that_it_runs(self) -> None:
        """What a full disk has ended is started again."""


class SqliteGround(Ground):
    """One server on a file."""

    async def eight_clients(self, rounds: int) -> None:
        """Nothing goes wrong: eight clients at once write to one file."""
        await self.flows("eight clients", share=rounds * SHARE)


class PostgresGround(Ground):
    """The same on PostgreSQL, with a road to it, a standby when one is wanted, and a disk that can be full."""

    primary: Cluster
    way: Road
    clusters: list[Cluster]
    archive: Path

    def _writers(self) -> list[psutil.Process]:
        return postgres_processes(self.primary.folder)

    def _see_that_it_runs(self) -> None:
        if not self.primary.is_up():
            self.primary.kill()
            self.primary.start()

    def _new_cluster(self) -> Cluster:
        place = PLACES[len(self.clusters) % len(PLACES)]
        found = Cluster(
            self.folder / f"postgres-{len(self.clusters) + 1}", namespace=self.way.namespace(place)
        )
        self.clusters.append(found)
        return found

    # --- the road and the database ----------------------------------------------------------------------

    async def network_cut(self, seconds: float) -> None:
        """Nothing passes between servers and database for a while, and no side is told."""
        self.way.cut()
        await asyncio.sleep(seconds)
        self.way.heal()
        self.remark = f"cut for {seconds:.0f} s by {self.way.kind}"

    async def database_killed(self, seconds: float) -> None:
        """PostgreSQL is gone, and comes back."""
        await asyncio.to_thread(self.primary.kill)
        self.kills += 1
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self.primary.start)
        self.remark = f"down for {seconds:.0f} s"

    async def pool_exhausted(self, seconds: float) -> None:
        """Another client takes all places, also those that the servers had."""
        taken = await asyncio.to_thread(self._take_all_places, seconds)
        self.remark = f"all {taken} places taken for {seconds:.0f} s"

    def _take_all_places(self, seconds: float) -> int:
        """Hold every place for so long, once the last connection of the servers is gone."""
        held: list[psycopg.Connection[tuple[object, ...]]] = []
        until = 0.0
        try:
            while not until or time.monotonic() < until:
                with suppress(psycopg.OperationalError):
                    while True:
                        held.append(self.primary.connect())
                ended = held[0].execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE backend_type = 'client backend' AND pid <> ALL(%s)",
                    ([one.info.backend_pid for one in held],),
                )
                if ended.rowcount == 0:
                    until = until or time.monotonic() + seconds
                    time.sleep(0.05)
            return len(held)
        finally:
            for one in held:
                one.close()

    async def server_stopped_inside(self, seconds: float) -> None:
        """A server stands still in the middle of a transaction that holds a jackpot."""
        number = await self._stop_inside()
        try:
            await self._while_stopped(number, seconds)
        finally:
            self.servers.running[number].send_signal(signal.SIGCONT)

    async def _stop_inside(self) -> int:
        """Stop a server that waits for the lock of a link, and let it have the lock; which one it is."""
        for attempt in range(60):
            number = attempt % len(self.servers.running)
            process = self.servers.running[number]
            with self.primary.connect() as holder:
                holder.autocommit = False
                for link in LINKS:
                    holder.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"link/{link}",))
                if not await self._until_true(_WAITS, 3):
                    continue
                process.send_signal(signal.SIGSTOP)
                holder.rollback()
            if await self._until_true(_IDLE_INSIDE, 0.5):
                return number
            process.send_signal(signal.SIGCONT)
        raise AssertionError("no server was ever stopped inside a transaction")

    async def _until_true(self, question: str, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if (await asyncio.to_thread(self.primary.sql, question))[0][0]:
                return True
            await asyncio.sleep(0.02)
        return False

    # --- another database in its place ------------------------------------------------------------------

    async def _standby(self) -> Cluster:
        found = self._new_cluster()
        await asyncio.to_thread(found.copy, self.primary)
        return found

    async def _take_over(self, standby: Cluster) -> None:
        await asyncio.to_thread(self.primary.kill)
        self.kills += 1
        await asyncio.to_thread(standby.promote)
        self._move_to(standby)

    def _move_to(self, cluster: Cluster) -> None:
        self.way.lead_to(cluster)
        self.primary = cluster

    async def synchronous_standby_promoted(self) -> None:
        """Every commit waited for the standby, so it lacks nothing."""
        standby = await self._standby()
        await asyncio.to_thread(self.primary.wait_for_standby, synchronous=True)
        await self.flows("a synchronous standby")
        await self._take_over(standby)

    async def asynchronous_standby_promoted(self) -> None:
        """The standby lacks nothing that was acknowledged, because it had the time to receive it."""
        standby = await self._standby()
        await self.flows("an asynchronous standby")
        await self.rest()
        await asyncio.to_thread(standby.has_caught_up, self.primary)
        await asyncio.to_thread(self.primary.kill)
        self.kills += 1
        self.go()
        await asyncio.to_thread(standby.promote)
        self._move_to(standby)

    async def lagging_standby_promoted(self) -> None:
        """The standby never had the last commits. Nobody is served until the product has named them."""
        standby = await self._standby()
        await self.flows("a standby that keeps up")
        await asyncio.to_thread(standby.fall_behind)
        await self.flows("a standby that lags")
        await self._take_over(standby)
        await self._name_what_is_lost()

    async def power_lost(self) -> None:
        """The primary and a server are gone at once; the server comes back on a standby that lagged."""
        standby = await self._standby()
        await self.flows("a standby that keeps up")
        await asyncio.to_thread(standby.fall_behind)
        await self.flows("a standby that lags")
        self.servers.running[-1].kill()
        await self._take_over(standby)
        await self.server_killed()
        await self._name_what_is_lost()

    async def slept_through(self) -> None:
        """A server stands still while the database fails over with loss and is named, and then wakes up."""
        standby = await self._standby()
        await self.flows("a standby that keeps up")
        await asyncio.to_thread(standby.fall_behind)
        await self.flows("a standby that lags")
        sleeper = self.servers.running[0]
        sleeper.send_signal(signal.SIGSTOP)
        try:
            await self._take_over(standby)
            await self._name_what_is_lost()
            await self.flows("while a server sleeps")
        finally:
            sleeper.send_signal(signal.SIGCONT)
        await asyncio.sleep(HOME_SECONDS)  # by then its clients are back
        await self.flows("a server awake again", share=2 * SHARE)

    async def restored_to_a_moment(self) -> None:
        """Another server is restored from a backup and the archive, to before the last commits."""
        copied = self._new_cluster()
        await asyncio.to_thread(copied.copy, self.primary, stream=False)
        await self.flows("a base backup")
        await asyncio.to_thread(self.primary.mark, "drill")
        await self.flows("after the moment")
        await asyncio.to_thread(self.primary.close_segment)
        await asyncio.to_thread(self.primary.kill)
        self.kills += 1
        await asyncio.to_thread(copied.restore_to, "drill", self.archive)
        self._move_to(copied)
        await self._name_what_is_lost()

    async def _name_what_is_lost(self) -> None:
        """What the command says is lost, after a while in which nothing may be acknowledged."""
        since = time.monotonic()
        served = await self.journal.until(lambda: bool(self.journal.acknowledged(since)), QUIET_SECONDS)
        assert not served, "a floor that lost commits went on before they were named"
        told = {asked.key for asked in self.journal.acknowledged()}
        said = await asyncio.to_thread(self._reconcile)
        self.named |= told & {one["key"] for one in said["lost"]}
        self.remark = f"{len(said['lost'])} losses named, served by nobody for {QUIET_SECONDS} s before"

    def _reconcile(self) -> dict[str, Any]:
        """What `pitboss floor reconcile` says and names in the record."""
        where = self.direct()
        words = ["floor", "reconcile", "--data", str(where.data), "--database", where.database]
        for other in self.servers.folders[1:]:
            words += ["--journal", str(other / JOURNALS)]
        words += ["--confirm", "--by", "shift-1", "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "pitboss.cli.main", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (
            f"reconcile ended with {done.returncode}: {done.stderr} {done.stdout[-2000:]}"
        )
        said: dict[str, Any] = json.loads(done.stdout)
        return said


_WAITS = (
    "SELECT count(*) > 0 FROM pg_stat_activity "
    "WHERE datname = 'floor' AND wait_event_type = 'Lock' AND wait_event = 'advisory'"
)
_IDLE_INSIDE = (
    "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = 'floor' "
    "AND state = 'idle in transaction' AND state_change < clock_timestamp() - interval '0.2 s'"
)


# --- floors ------------------------------------------------------------------------------------------------


@asynccontextmanager
async def load(
    folder: Path,
    where: Settings,
    journal: Journal,
    *,
    direct: Settings,
    tables: int,
    seats: int,
    servers: int,
) -> AsyncIterator[tuple[soak.Servers, list[FaultTable]]]:
    """Servers on a new floor, and clients that wait to be let go."""
    names = [f"t{number:02d}" for number in range(1, tables + 1)]
    with at_work(direct, create=True) as work:
        set_up(work.floor, names, seats=seats, physical=False)
        identity = Identity(Identities(work.store.engine), SystemClock())
        people = [("staff", f"dealer-{name}") for name in names] + [("staff", "manager-1")]
        people += [("player", f"{name}-p{seat}") for name in names for seat in range(1, seats + 1)]
        tokens = {name: identity.begin(kind, name).token for kind, name in people}
    running = soak.Servers(where, folder, servers, folders=_folders(where.data, servers))
    playing: list[FaultTable] = []
    try:
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=TRY_SECONDS),
        ) as http:
            playing += [
                FaultTable(name, seats, running.urls, tokens, journal=journal, every=ROUND_SECONDS)
                for name in names
            ]
            tasks = [asyncio.create_task(table.play(http)) for table in playing]
            tasks.append(asyncio.create_task(_keep_signed_in(playing[0])))
            try:
                yield running, playing
            finally:
                for table in playing:
                    table.stop()
                for task in tasks:
                    task.cancel()
                for ended in await asyncio.gather(*tasks, return_exceptions=True):
                    if isinstance(ended, Exception):
                        raise ended
    finally:
        for process in running.running:
            process.send_signal(signal.SIGCONT)
        _stop(running)
        journal.close()


def _folders(data: Path, servers: int) -> list[Path]:
    """A data folder for each server, as on machines of their own: the keys are what they share."""
    found = [data]
    for number in range(2, servers + 1):
        found.append(data.with_name(f"{data.name}-{number}"))
        found[-1].mkdir(mode=0o700)
        for key in (DECK_KEY, CHECKPOINT_KEY):
            shutil.copy2(data / key, found[-1] / key)
    return found


async def _keep_signed_in(table: FaultTable) -> None:
    """The manager does little; without this the session would lock."""
    while True:
        await asyncio.sleep(5)
        with suppress(ClientError, aiohttp.ClientError, TimeoutError):
            await table.manager.call("POST", "/api/session/activity")


def _stop(servers: soak.Servers) -> None:
    """As its operator would; a server that does not end is killed, so that nothing is left behind."""
    for process in servers.running:
        process.terminate()
    for process in servers.running:
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@asynccontextmanager
async def sqlite_ground(folder: Path, *, tables: int = 8, seats: int = 1) -> AsyncIterator[SqliteGround]:
    """One server on a file, on a disk that can be full; each table has one client at work at a time."""
    with disk(folder / "disk", mebibytes=96) as small:
        where = Settings(small.folder / "floor")
        journal = Journal(folder / "journal.jsonl")
        running = load(folder, where, journal, direct=where, tables=tables, seats=seats, servers=1)
        async with running as (servers, playing):
            ground = SqliteGround(folder, servers, playing, journal, lambda: where)
            ground.small = small
            yield ground


def _remove(clusters: Iterable[Cluster]) -> None:
    for cluster in clusters:
        cluster.remove()


@asynccontextmanager
async def postgres_ground(
    folder: Path, *, tables: int = 5, seats: int = 2, servers: int = 2, relay: bool = False
) -> AsyncIterator[PostgresGround]:
    """Several servers on a PostgreSQL that keeps an archive, behind a road, on a disk that can be full."""
    clusters: list[Cluster] = []
    with ExitStack() as ending:
        way = ending.enter_context(road(relay=relay))
        small = ending.enter_context(disk(folder / "disk", mebibytes=512))
        ending.callback(_remove, clusters)
        primary = Cluster(small.folder / "postgres", namespace=way.namespace(PLACES[0]))
        clusters.append(primary)
        archive = folder / "archive"
        await asyncio.to_thread(primary.create, archive=archive)
        way.lead_to(primary)
        address = f"postgresql://postgres@{way.host}:{way.port}/floor"
        where, direct = Settings(folder / "floor", address), Settings(folder / "floor", primary.address)
        journal = Journal(folder / "journal.jsonl")
        running = load(folder, where, journal, direct=direct, tables=tables, seats=seats, servers=servers)
        async with running as (started, playing):
            ground = PostgresGround(
                folder, started, playing, journal, lambda: Settings(folder / "floor", ground.primary.address)
            )
            ground.primary, ground.way, ground.clusters = primary, way, clusters
            ground.small, ground.archive = small, archive
            yield ground


# --- evenings of drills ------------------------------------------------------------------------------------


async def faults_of_a_lasting_store(folder: Path, *, long: bool = False) -> list[Figures]:
    """Every fault after which the store has all that it ever acknowledged."""
    tables, servers = (10, 3) if long else (5, 2)
    async with postgres_ground(folder, tables=tables, servers=servers) as at:
        found = [
            await at.drill("network cut", lambda: at.network_cut(30 if long else 3)),
            await at.drill("PostgreSQL killed", lambda: at.database_killed(10 if long else 1)),
            await at.drill("server killed", at.server_killed),
            await at.drill("pool exhausted", lambda: at.pool_exhausted(15 if long else 1)),
            await at.drill("disk full", lambda: at.disk_full(15 if long else 1)),
            await at.drill(
                "clock steps", lambda: at.clock_stepped((90, -90, 45, -45) if long else (90, -90))
            ),
            await at.drill("server stopped", lambda: at.server_stopped(60 if long else 2)),
            await at.drill(
                "server stopped in a transaction", lambda: at.server_stopped_inside(60 if long else 2)
            ),
        ]
        for _ in range(3 if long else 1):
            found += [
                await at.drill("synchronous standby promoted", at.synchronous_standby_promoted),
                await at.drill(
                    "asynchronous standby promoted, nothing lost", at.asynchronous_standby_promoted
                ),
            ]
        return found


async def stores_that_lose(folder: Path, *, long: bool = False) -> list[Figures]:
    """Every fault after which the store lacks commits that were acknowledged."""
    found = []
    async with postgres_ground(folder, relay=True) as at:
        for _ in range(3 if long else 1):
            found += [
                await at.drill("asynchronous standby promoted, commits lost", at.lagging_standby_promoted),
                await at.drill("restored to an earlier moment", at.restored_to_a_moment),
            ]
        if long:
            found += [
                await at.drill("standby promoted, a server gone too, commits lost", at.power_lost),
                await at.drill("standby promoted while a server sleeps, commits lost", at.slept_through),
            ]
    return found


async def clients_of_a_file(folder: Path, *, long: bool = False) -> list[Figures]:
    """Eight clients on one server and one file, and what can go wrong with those."""
    async with sqlite_ground(folder) as at:
        found = [
            await at.drill("SQLite, eight clients", lambda: at.eight_clients(60 if long else 3)),
            await at.drill("SQLite, disk full", lambda: at.disk_full(15 if long else 1)),
        ]
        for _ in range(5 if long else 1):
            found.append(await at.drill("SQLite, server killed", at.server_killed))
        return found


EVENINGS = (faults_of_a_lasting_store, stores_that_lose, clients_of_a_file)
