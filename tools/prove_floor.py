"""The long form of the floor's proof: a whole day on 64 tables, with crashes, audited and verified."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from pitboss.bootstrap import Settings, at_work
from pitboss.floor.bots import Chances
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Floor
from pitboss.floor.simulation import simulated
from pitboss.store.memory import MemoryStore
from pitboss.verification import verify
from support.record import audited

TABLES, HOURS, SEEDS = 64, 8, (1, 2)


def day(seed: int) -> None:
    """One day, the process gone every half hour; what the auditor and `verify` find ends the run."""
    began, clock, store = time.monotonic(), SimulatedClock(), MemoryStore()
    rounds = commands = 0
    chances = Chances(irregularity=8, hit=30, repeated=10, late=10)
    for half in range(2 * HOURS):
        cards = SeededCards(Random(f"{seed}/{half}"))
        floor = Floor(store, clock=clock, cards=cards, deck_key=bytes(32))
        floor.self_check()
        floor.recover()
        run = f"{seed}/{half}"
        bots, done = simulated(floor, clock, tables=TABLES, seed=100 * seed + half, run=run, chances=chances)
        bots.run(seconds=1800)
        rounds += done.rounds
        commands += done.commands
    problems = audited(store)
    if problems:
        raise SystemExit(f"the auditor found {len(problems)} problems, first: {problems[0]}")
    with tempfile.TemporaryDirectory() as folder:
        where = Settings(Path(folder) / "floor")
        with at_work(where, create=True) as work:
            store.copy_to(work.store)
        found = verify(where)
        if not found.ok:
            raise SystemExit(f"the record does not verify: {found.problems[0]}")
    took = time.monotonic() - began
    print(
        f"day {seed}: {rounds:,} rounds, {commands:,} commands, {found.events:,} events sound, {took:.0f} s"
    )


if __name__ == "__main__":
    for number in SEEDS:
        day(number)
