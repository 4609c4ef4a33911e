"""`pitboss floor simulate`: a day with bots, kept in memory or in a floor's data."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from pitboss.errors import BadInput
from pitboss.money import floor_to_cents, format_cents

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.bootstrap import Settings
    from pitboss.floor.seeded import SimulatedClock
    from pitboss.floor.service import Floor


MOST_HOURS = 24 * 7
"""A week at once is days of play; whoever wants more begins another day in the same folder."""


def simulate_day(
    *,
    tables: int,
    hours: float,
    seed: int,
    seats: int,
    strategy: str,
    irregularities: int,
    hits: int,
    place: Settings | None,
    books: Sequence[str] = (),
    practice: int = 0,
) -> dict[str, Any]:
    """Play the day; what came of it. Without `books` all those that come with Pitboss are played."""
    from pitboss.bot_strategy import strategy_named
    from pitboss.floor.bots import Chances
    from pitboss.floor.seeded import SeededCards, SimulatedClock
    from pitboss.floor.service import Floor
    from pitboss.floor.simulation import have_room
    from pitboss.store.memory import MemoryStore

    decide = strategy_named(strategy, place="--strategy")
    chances = Chances(irregularity=irregularities, hit=hits)
    clock, cards = SimulatedClock(), SeededCards(Random(seed))
    figures: dict[str, Any] = {"seats": seats, "chances": chances, "strategy": decide}
    figures |= {"practice": practice, **({"books": tuple(books)} if books else {})}
    have_room(books, seats)  # before anything is written
    if place is None:
        floor = Floor(MemoryStore(), clock=clock, cards=cards, deck_key=bytes(32))
        return _run(floor, clock, tables=tables, hours=hours, seed=seed, **figures)
    from pitboss.bootstrap import at_work

    with at_work(place, create=True, purpose="simulation", clock=clock, cards=cards) as work:
        last = max((row.at for s in work.store.heads() for row in work.store.read(s)[-1:]), default=0)
        clock.at = max(clock.at, type(clock.at)(last + 1))
        if work.floor.registry.name not in ("", "simulated"):
            raise BadInput("--data", "a real floor is kept there", "simulate in another folder")
        return _run(work.floor, clock, tables=tables, hours=hours, seed=seed, **figures)


def _run(
    floor: Floor, clock: SimulatedClock, *, tables: int, hours: float, seed: int, **figures: Any
) -> dict[str, Any]:
    from pitboss.floor.simulation import simulated

    began = time.monotonic()
    day, done = simulated(floor, clock, tables=tables, seed=seed, run=f"day-{seed}-{clock.at}", **figures)
    day.run(seconds=int(hours * 3600))
    seconds = time.monotonic() - began
    balances = floor.store.balances_under("")
    links = [floor.link(name) for name in floor.registry.links]
    return {
        "tables": tables,
        "rounds": done.rounds,
        "commands": done.commands,
        "refused": done.codes,
        "seconds": round(seconds, 2),
        "commands_per_second": round(done.commands / seconds) if seconds else 0,
        "links": {
            link.link: {
                "meter": format_cents(floor_to_cents(link.meter)),
                "hits": link.hits,
                "won": format_cents(floor_to_cents(link.total_won)),
                "waiting": len(link.claims),
            }
            for link in links
        },
        "adds_up": sum(balances.values()) == 0,
    }


def print_day(out: Console, told: dict[str, Any]) -> None:
    """The day in words."""
    out.print(
        f"{told['tables']} tables, {told['rounds']} rounds, {told['commands']} commands in "
        f"{told['seconds']} s ({told['commands_per_second']} a second)",
        markup=False,
    )
    for name, link in told["links"].items():
        out.print(
            f"  {name:<8} meter {link['meter']:>14}   {link['hits']} hits, {link['won']} won, "
            f"{link['waiting']} waiting",
            markup=False,
        )
    for code, number in sorted(told["refused"].items()):
        out.print(f"  refused {number:>5}  {code}", markup=False)
    out.print("the ledger adds up" if told["adds_up"] else "THE LEDGER DOES NOT ADD UP", markup=False)
