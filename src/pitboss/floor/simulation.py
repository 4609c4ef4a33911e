"""A day on a floor, played by bots: every book, irregularities, hits, people who come and go.

One seed decides everything, also the cards; nothing here is used by a real table. Time is simulated, so that
a day takes as long as its commands take.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from random import Random

from pitboss.errors import InvariantError
from pitboss.floor import requests as q
from pitboss.floor.bots import MANAGERS, Chances, Done, Strategy, TableBots, simple_strategy
from pitboss.floor.gaming_table import PHYSICAL, VIRTUAL
from pitboss.floor.people import CONSOLE, Asker, player, staff
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.seeded import SimulatedClock
from pitboss.floor.service import Answer, Floor
from pitboss.money import Cents
from pitboss.progress import Task, counting
from pitboss.rulebooks.load import written_out

MBS, RWS, HOIANA = ("mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"), ("rws-thp-2",), ("hoiana-thb-2025",)
BOOKS = (*MBS, *RWS, *HOIANA)
MEGA, MULTI = "mega", "multi"
SHIFT = (staff("shift-1"), staff("shift-2"))


def set_up(
    floor: Floor,
    tables: Sequence[str],
    *,
    books: Sequence[str] = BOOKS,
    seats: int = 4,
    physical: bool = True,
) -> None:
    """A floor with its people, books, links, tables and players; every fourth table `physical`.

    Doing it again changes nothing.
    """

    def do(asker: Asker, request: q.Request, key: str) -> Answer:
        answer = floor.do(asker, request, key=f"set-up/{key}")
        if not answer.ok:
            raise InvariantError(f"setting up was refused: {answer.body}")
        return answer

    do(CONSOLE, q.CreateFloor(name="simulated", utc_offset_minutes=480), "floor")
    people = {"chief": "assistant-director", "shift-1": "shift-manager", "shift-2": "shift-manager"}
    people |= {"manager-1": "pit-manager", "manager-2": "pit-manager"}
    people |= {f"dealer-{name}": "dealer" for name in tables}
    for person, position in people.items():
        do(CONSOLE, q.AddPerson(person=person, position=position), f"person/{person}")
    rulebooks = {}
    for book in dict.fromkeys(books):
        book_id, document = written_out(book)
        proposed = do(SHIFT[0], q.ProposeRulebook(id=book_id, document=document), f"propose/{book}")
        rulebooks[book] = proposed.body["rulebook"]
        for asker in SHIFT:
            do(asker, q.ApproveRulebook(rulebook=rulebooks[book]), f"approve/{book}/{asker.name}")
    for name in (MEGA, MULTI):
        link = q.OpenLink(
            link=name,
            currency="SGD",
            unit=Cents(500),
            reset=Cents(10_000_000),
            startup=Cents(30_000_000),
            increment_bp=2000,
            reserve_bp=500,
            approved_by=SHIFT[1].name,
            ceiling=Cents(90_000_000),
        )
        do(SHIFT[0], link, f"link/{name}")
    for index, name in enumerate(tables):
        _open_one(
            do,
            name,
            books[index % len(books)],
            rulebooks,
            seats,
            physical=physical and index % 4 == 3,
        )


def _open_one(
    do: Callable[[Asker, q.Request, str], Answer],
    name: str,
    book: str,
    rulebooks: dict[str, str],
    seats: int,
    *,
    physical: bool,
) -> None:
    link = MEGA if book in MBS else MULTI if book in RWS else ""
    checklist = ("card-shoe", "discard-holder", "drop-box", "tip-box", "drop-box-plunger", "uv-scanner")
    do(CONSOLE, q.AddTable(table=name), f"table/{name}")
    opening = q.OpenTable(
        table=name,
        rulebook=rulebooks[book],
        cards=PHYSICAL if physical else VIRTUAL,
        link=link,
        checklist=(*checklist, "cut-card") if book in HOIANA and physical else (),
        count={500_000: 40, 100_000: 100, 2500: 400, 500: 400, 100: 500},
    )
    do(MANAGERS[0], opening, f"open/{name}")
    do(MANAGERS[0], q.AssignStaff(table=name, person=f"dealer-{name}"), f"shift/{name}")
    for seat in range(1, seats + 1):
        who = f"{name}-p{seat}"
        do(CONSOLE, q.AddPlayer(player=who), f"player/{who}")
        do(CONSOLE, q.BuyIn(table=name, player=who, amount=Cents(500_000)), f"buy/{who}")
        do(player(who), q.TakeSeat(table=name, position=seat, player=who), f"seat/{who}")


class Day:
    """Many tables in simulated time, each step of the earliest one first."""

    def __init__(self, clock: SimulatedClock, tables: Sequence[TableBots], *, rng: Random) -> None:
        self.clock, self.tables, self.rng = clock, tables, rng

    def run(self, *, seconds: int, most_commands: int | None = None) -> None:
        """Play until the time is over, or so many commands were asked."""
        with counting("playing the day", seconds) as task:
            self._run(seconds, most_commands, task)

    def _run(self, seconds: int, most_commands: int | None, task: Task) -> None:
        begin = self.clock.at
        end = begin + seconds * SECOND
        queue = [(self.clock.at + self.rng.randrange(60 * SECOND), n) for n in range(len(self.tables))]
        heapq.heapify(queue)
        while queue:
            at, index = heapq.heappop(queue)
            if at >= end:
                return
            if most_commands is not None and self.tables[0].done.commands >= most_commands:
                return
            self.clock.at = max(self.clock.at, Micros(at))
            task.reach((self.clock.at - begin) // SECOND)
            wait = self.tables[index].step()
            heapq.heappush(queue, (self.clock.at + wait * SECOND, index))


def simulated(
    floor: Floor,
    clock: SimulatedClock,
    *,
    tables: int,
    seed: int,
    run: str = "",
    books: Sequence[str] = BOOKS,
    seats: int = 4,
    chances: Chances = Chances(),  # noqa: B008 - it is frozen
    strategy: Strategy = simple_strategy,
    told: Callable[[str, Answer], None] | None = None,
    only: Sequence[int] | None = None,
) -> tuple[Day, Done]:
    """A floor set up for a day, and the day. `only` plays some of the tables: others have the rest."""
    names = [f"t{number:02d}" for number in range(1, tables + 1)]
    set_up(floor, names, books=books, seats=seats)
    done = Done()
    rng = Random(seed)
    bots = [
        TableBots(
            floor,
            name,
            rng=Random(f"{seed}/{name}"),
            run=run or f"day-{seed}",
            seats=seats,
            chances=chances,
            strategy=strategy,
            done=done,
            told=told,
        )
        for index, name in enumerate(names)
        if only is None or index in only
    ]
    return Day(clock, bots, rng=rng), done
