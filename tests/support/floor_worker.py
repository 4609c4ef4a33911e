"""A process that works on a floor until it is killed: bots at its tables, every answer noted as it comes.

It says `ready` once the floor is open, and `done` if it may finish.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from pitboss.bootstrap import Settings, at_work
from pitboss.errors import StoreError
from pitboss.floor.bots import Chances
from pitboss.floor.ports import Micros
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Answer, Floor
from pitboss.floor.simulation import BOOKS, MBS, Day, simulated
from pitboss.store import presence

STORE_FAILED = 3
Note = Callable[[str, Answer], None]


def main(words: Sequence[str]) -> None:
    """Work until killed, or until so many commands are asked."""
    options = _options(words)
    clock = SimulatedClock(Micros(options.clock))
    where = Settings(Path(options.data), options.database)
    with Path(options.notes).open("a", encoding="utf-8") as notes:

        def note(key: str, answer: Answer) -> None:
            notes.write(json.dumps([key, dict(answer.body)]) + "\n")
            notes.flush()

        try:
            _work(options, where, clock, note)
        except StoreError as broken:
            sys.stderr.write(f"{broken}\n")
            sys.exit(STORE_FAILED)
    sys.stdout.write("done\n")


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--database", default="")
    parser.add_argument("--notes", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--clock", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--commands", type=int, default=10**9)
    parser.add_argument("--hits", type=int, default=60)
    parser.add_argument("--grace", type=float, default=presence.GRACE_SECONDS)
    parser.add_argument("--one-link", action="store_true")
    parser.add_argument("--finish", action="store_true")
    return parser.parse_args(words)


def _work(options: argparse.Namespace, where: Settings, clock: SimulatedClock, note: Note) -> None:
    cards = SeededCards(Random(f"{options.seed}/{options.run}"))
    vars(presence)["GRACE_SECONDS"] = options.grace
    with at_work(where, create=True, purpose="worker", clock=clock, cards=cards) as work:
        only = [int(n) for n in options.only.split(",")] if options.only else None
        day, _ = simulated(
            work.floor,
            clock,
            tables=options.tables,
            seed=hash_of(options.run, options.seed),
            run=options.run,
            books=MBS if options.one_link else BOOKS,
            chances=Chances(irregularity=10, hit=options.hits, repeated=10, late=10),
            told=note,
            only=only,
        )
        sys.stdout.write(f"ready {'crashed' if work.crashed else 'clean'}\n")
        sys.stdout.flush()
        day.run(seconds=10**9, most_commands=options.commands)
        if options.finish:
            finish(work.floor, day)


def hash_of(run: str, seed: int) -> int:
    """A seed for each run, the same every time."""
    return Random(f"{seed}/{run}").getrandbits(32)


def finish(floor: Floor, day: Day) -> None:
    """Bring every round to its end."""
    until = time.monotonic() + 90
    while time.monotonic() < until:
        open_tables = [bots for bots in day.tables if floor.table(bots.name).in_round]
        if not open_tables:
            return
        for bots in open_tables:  # in turn: a hit at one table may have to be paid before that of another
            bots.chances = Chances(irregularity=0, hit=0, absent=0, decline=0, comes_and_goes=0)
            bots.step()
        if all(floor.table(bots.name).state.claim for bots in open_tables):
            time.sleep(0.05)  # a table of another process comes first
    raise AssertionError(f"{', '.join(bots.name for bots in open_tables)} do not come to an end")
