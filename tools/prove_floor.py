"""The long proofs of the floor: kills, tampering, whole days with crashes, fault drills, the soak."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from itertools import count
from pathlib import Path
from random import Random

from prove_parts import ROOT, Proof, run_tests, spread

sys.path.insert(0, str(ROOT / "tests"))

import bench_server
import soak as soaking
from pitboss.bootstrap import DECK_KEY, Settings, at_work
from pitboss.floor.bots import Chances
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.simulation import simulated
from pitboss.store.memory import MemoryStore
from pitboss.verification import verify
from support.databases import fresh_database, postgres_server
from support.fault_drills import EVENINGS, Figures
from support.hit_races import race_for_a_jackpot
from support.kills import Nursery, kill_folder, kill_on_postgres, kill_on_sqlite
from support.record import audited

KILLS_A_FLOOR = 30
FLOORS_AT_ONCE = 3
"""A floor waits now and then for its database, so that two processors carry one more."""
ON_POSTGRES = 4
"""One floor in so many is on PostgreSQL."""
TAMPERINGS = 1_200
TABLES, HALF_HOURS = 64, 3
KEY = bytes(32)
"""What the decks of the days are sealed with."""
ACTS_KEPT = "acts under faults are kept once"
ENDING_SECONDS = 45
"""What a soak needs besides its load: to set up, and to verify at the end."""

# --- kills ------------------------------------------------------------------------------------------------


def _kill(task: tuple[int, bool, float]) -> int:
    seed, postgres, until = task
    kill = kill_on_postgres if postgres else kill_on_sqlite
    with kill_folder() as folder:
        return kill(folder, seed=seed, kills=KILLS_A_FLOOR, until=until)


def kills(proof: Proof) -> None:
    """Floors killed again and again, several at once; each is verified to its end."""
    claims = {
        postgres: f"kills on {'PostgreSQL' if postgres else 'SQLite'} lose and repeat nothing"
        for postgres in (True, False)
    }
    first = sum(proof.before(claim) for claim in claims.values())
    tasks = ((first + number, number % ON_POSTGRES == 1, proof.until) for number in count())
    for (seed, postgres, _), done in spread(_kill, tasks, proof.until, processes=FLOORS_AT_ONCE):
        print(f"  {done} kills, seed {seed}, {'PostgreSQL' if postgres else 'SQLite'}", flush=True)
        proof.show(claims[postgres], done)


# --- tampering --------------------------------------------------------------------------------------------


def tampering(proof: Proof) -> None:
    """Every way of tampering, an event of every kind, and every field that can be forged."""
    done = run_tests(
        "tests/whole/test_tampering.py", "-n", "2", variables={"PROVE_TAMPERINGS": str(TAMPERINGS)}
    )
    assert done.counts["tamperings"] >= TAMPERINGS
    proof.show("tamperings are found and named by both verifiers", done.counts["tamperings"])
    proof.show("forged fields are found by both verifiers or listed", done.counts["fields"])


# --- days -------------------------------------------------------------------------------------------------


def _day(seed: int) -> tuple[int, int]:
    """Some hours, the process gone every half hour: their rounds and events, audited and verified."""
    clock, store, rounds = SimulatedClock(), MemoryStore(), 0
    chances = Chances(irregularity=8, hit=30, repeated=10, late=10)
    for half in range(HALF_HOURS):
        run = f"{seed}/{half}"
        floor = Floor(store, clock=clock, cards=SeededCards(Random(run)), deck_key=KEY)
        floor.self_check()
        floor.recover()
        bots, done = simulated(floor, clock, tables=TABLES, seed=100 * seed + half, run=run, chances=chances)
        bots.run(seconds=1800)
        rounds += done.rounds
    assert audited(store) == []
    with tempfile.TemporaryDirectory(prefix="pitboss-day-") as folder:
        where = Settings(Path(folder) / "floor")
        where.data.mkdir()
        (where.data / DECK_KEY).write_text(KEY.hex())
        with at_work(where, create=True) as work:
            store.copy_to(work.store)
        found = verify(where, processes=1)
    assert found.ok, [str(problem) for problem in found.problems[:3]]
    return rounds, found.events


def days(proof: Proof) -> None:
    """Hours of many tables, one floor a processor, as long as another can begin."""
    claim = "hours on 64 tables with crashes are audited and verified"
    seeds = count(1 + proof.before(claim))
    for seed, (rounds, events) in spread(_day, seeds, proof.share(0.4)):
        print(f"  floor {seed}: {rounds:,} rounds, {events:,} events", flush=True)
        proof.show(claim, rounds)


# --- fault drills -----------------------------------------------------------------------------------------


def _race(folder: Path, seed: int) -> Figures:
    """Four processes that claim one jackpot, on a floor of its own."""
    with postgres_server(folder / "postgres") as uri:
        where = Settings(folder / "floor", fresh_database(uri))
        return race_for_a_jackpot(where, folder, Nursery(folder), seed=seed, tables=64, commands=900)


def drills(proof: Proof) -> None:
    """Every fault drill in its long form; what the clients were acknowledged is there once."""
    shown = sum(line.claim == ACTS_KEPT for line in proof.shown)
    for evening in EVENINGS[shown:]:
        with kill_folder() as folder:
            _show_drills(proof, asyncio.run(evening(folder, long=True)))
    with kill_folder() as folder:
        _show_drills(proof, [_race(folder, 1 + len(EVENINGS))])


def _show_drills(proof: Proof, done: list[Figures]) -> None:
    broken = [str(one) for one in done if not one.holds]
    assert not broken, broken[:3]
    last = [line.remark for line in proof.shown if line.claim == ACTS_KEPT][-1:]
    told = re.match(r"(\d+) drills, longest pause (\d+) s(?:, (\d+) more)?", last[0]) if last else None
    drills, pause, named = (int(number or 0) for number in told.groups()) if told else (0, 0, 0)
    named += sum(one.named for one in done)
    pause = max(pause, *(round(one.pause) for one in done))
    remark = f"{drills + len(done)} drills, longest pause {pause} s"
    if named:
        remark += f", {named} more that a standby or a backup never had, all of them named"
    killed = sum(one.kills for one in done)
    if killed:
        proof.show("kills in fault drills lose and repeat nothing", killed)
    proof.show(ACTS_KEPT, sum(one.kept for one in done), remark)


# --- the soak ---------------------------------------------------------------------------------------------


def soak(proof: Proof) -> None:
    """The benchmark's load with kills, restarts and clock steps; nothing is lost, nothing rises."""
    claim = "acts under load and trouble are kept"
    with tempfile.TemporaryDirectory(prefix="pitboss-soak-") as folder:
        seen, problems = soaking.soak(
            Path(folder),
            seconds=max(60, int(proof.seconds) - ENDING_SECONDS),
            tables=bench_server.TABLES,
            seats=bench_server.SEATS,
            rounds_an_hour=None,
            seed=1 + proof.before(claim),
        )
    print(soaking.told(seen), flush=True)
    problems += soaking.not_flat(seen)
    assert not problems, problems[:5]
    pace = f"{seen.rounds_an_hour} rounds an hour at each of {bench_server.TABLES} tables"
    troubles = f"{seen.kills} servers and {seen.database_kills} times the database killed"
    proof.show(claim, len(seen.answered), f"{pace}; {troubles}, {seen.clock_steps} clock steps")
