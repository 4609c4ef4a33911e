"""A day on a floor, played by bots: every book, irregularities, hits, people who come and go.

One seed decides everything, also the cards; nothing here is used by a real table. Time is simulated, so that
a day takes as long as its commands take.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from pitboss.errors import BadInput, InvariantError
from pitboss.floor import requests as q
from pitboss.floor.bots import MANAGERS, Chances, Done, Strategy, TableBots, float_of, simple_strategy
from pitboss.floor.gaming_table import PHYSICAL, VIRTUAL
from pitboss.floor.people import CONSOLE, Asker, player, staff
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.seeded import SimulatedClock
from pitboss.floor.service import Answer, Floor
from pitboss.money import Cents
from pitboss.progress import Task, counting
from pitboss.rulebooks.house_rules import HouseJackpot
from pitboss.rulebooks.load import load_plan, written_out
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import HitOrder

MBS, RWS, HOIANA = ("mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"), ("rws-thp-2",), ("hoiana-thb-2025",)
BOOKS = (*MBS, *RWS, *HOIANA)
SHIFT = (staff("shift-1"), staff("shift-2"))
LINKS = {HitOrder.ENTERED_FIRST: "mega", HitOrder.DEALT_FIRST: "multi"}
"""Tables whose books order hits alike, and whose jackpots have the same figures, play for one link."""


class _Figures(NamedTuple):
    """What tables of a link have alike: the currency, the order of hits, and the figures of the jackpot."""

    currency: str
    order: HitOrder
    unit: Cents
    reset: Cents
    increment_bp: int
    reserve_bp: int


@dataclass(frozen=True, slots=True)
class _Played:
    """A book of the day: its plan, its hash once it is proposed, and the link its tables play for."""

    plan: Plan
    rulebook: str
    link: str


def set_up(
    floor: Floor,
    tables: Sequence[str],
    *,
    books: Sequence[str] = BOOKS,
    seats: int = 4,
    physical: bool = True,
    practice: int = 0,
) -> None:
    """A floor with its people, books, links, tables and players; every fourth table `physical`.

    The last `practice` tables play for practice chips. Doing it again changes nothing.
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
    played: dict[str, _Played] = {}
    names: dict[_Figures, str] = {}
    for book in dict.fromkeys(books):
        book_id, document = written_out(book)
        proposed = do(SHIFT[0], q.ProposeRulebook(id=book_id, document=document), f"propose/{book}")
        rulebook = proposed.body["rulebook"]
        for asker in SHIFT:
            do(asker, q.ApproveRulebook(rulebook=rulebook), f"approve/{book}/{asker.name}")
        plan = load_plan(book)
        played[book] = _Played(plan, rulebook, _link_of(plan, names))
    for figures, name in names.items():
        do(SHIFT[0], _opening_of(name, figures), f"link/{name}")
    for index, name in enumerate(tables):
        _open_one(
            do,
            name,
            played[books[index % len(books)]],
            seats,
            physical=physical and index % 4 == 3,
            practice=index >= len(tables) - practice,
        )


def have_room(books: Sequence[str], seats: int) -> None:
    """Raises `BadInput` for a book that cannot be played, or has fewer positions than players are to sit."""
    for book in books:
        most = load_plan(book, place="--book").book.house.positions
        if seats > most:
            raise BadInput("--seats", f"{seats} players at a table of {book}", f"write at most {most}")


def _link_of(plan: Plan, names: dict[_Figures, str]) -> str:
    """The link that tables of a book play for: of its currency, its figures and its order of hits."""
    rules, house = plan.book.jackpot, plan.book.house
    if rules is None:
        return ""
    jackpot = house.jackpot or HouseJackpot.model_validate(
        {"unit": "5.00", "reset": "100000.00", "increment-bp": 2000, "reserve-increment-bp": 500}
    )
    figures = _Figures(
        house.currency,
        rules.separate_tables,
        jackpot.unit,
        jackpot.reset,
        jackpot.increment_bp,
        jackpot.reserve_increment_bp,
    )
    if figures not in names:
        alike = sum(other.order is rules.separate_tables for other in names)
        names[figures] = LINKS[rules.separate_tables] + (f"-{alike + 1}" if alike else "")
    return names[figures]


def _opening_of(name: str, figures: _Figures) -> q.OpenLink:
    """A link with its meter at three times the reset value, and a ceiling."""
    return q.OpenLink(
        link=name,
        currency=figures.currency,
        unit=figures.unit,
        reset=figures.reset,
        startup=Cents(3 * figures.reset),
        increment_bp=figures.increment_bp,
        reserve_bp=figures.reserve_bp,
        approved_by=SHIFT[1].name,
        ceiling=Cents(9 * figures.reset),
    )


def _open_one(
    do: Callable[[Asker, q.Request, str], Answer],
    name: str,
    played: _Played,
    seats: int,
    *,
    physical: bool,
    practice: bool,
) -> None:
    do(CONSOLE, q.AddTable(table=name), f"table/{name}")
    book = played.plan.book
    procedure = book.procedures[0].name
    needed = [item.name for item in book.equipment if not item.procedures or procedure in item.procedures]
    opening = q.OpenTable(
        table=name,
        rulebook=played.rulebook,
        cards=PHYSICAL if physical else VIRTUAL,
        link="" if practice else played.link,
        practice=practice,
        checklist=tuple(needed) if physical else (),
        count=float_of(played.plan),
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
    practice: int = 0,
) -> tuple[Day, Done]:
    """A floor set up for a day, and the day. `only` plays some of the tables: others have the rest."""
    names = [f"t{number:02d}" for number in range(1, tables + 1)]
    set_up(floor, names, books=books, seats=seats, practice=practice)
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
