"""A floor to look at: one table per rulebook, a link, staff of every position, players, and bots.

Made when there is none yet; started again it goes on where it was. Everybody has the same password, which
lies in the data folder.
"""

from __future__ import annotations

import secrets
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from pitboss.bot_strategy import strategy_named
from pitboss.errors import BadInput, InvariantError
from pitboss.floor import requests as q
from pitboss.floor.gaming_table import HOUSE, VIRTUAL
from pitboss.floor.people import CONSOLE, Asker, player, staff
from pitboss.floor.registry import SURVEILLANCE
from pitboss.money import Cents
from pitboss.rulebooks.load import written_out
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.bots import PURSE, Bots
from pitboss.server.house import House
from pitboss.server.identity import PLAYER, STAFF

NAME = "Demo floor"
BOT = "bot-"
BOTS_A_TABLE = 3
GUESTS = ("guest-1", "guest-2")
LINK = "jackpot"
PASSWORD_FILE = "demo-password"
LAST_PLAYER = f"{BOT}spare"
"""The last thing that is added when the floor is made; without it, it is made up."""
TABLES = (
    ("holdem-1", "mbs-thb-9", LINK),
    ("holdem-2", "hoiana-thb-2025", ""),
    ("three-card-1", "mbs-3cp-2023", LINK),
    ("stud-1", "mbs-stud-6", LINK),
    ("holdem-3", "rws-thp-2", LINK),
)
"""Name, rulebook and link of each table."""
PEOPLE = {f"{position.value}-1": position.value for position in Position} | {
    "shift-manager-2": Position.SHIFT_MANAGER.value,
    f"{SURVEILLANCE}-1": SURVEILLANCE,
}
MANAGER, SHIFT = staff(f"{Position.PIT_MANAGER.value}-1"), staff(f"{Position.SHIFT_MANAGER.value}-1")
COUNT = {500_000: 40, 100_000: 200, 2500: 2000, 500: 2000, 100: 2000}


class Demo:
    """The demo floor of a data folder."""

    def __init__(self, folder: Path, *, strategy: str = "simple", slow: float = 1.0) -> None:
        self._folder, self._slow = folder, slow
        self._strategy = strategy_named(strategy, place="--bots")

    def prepare(self, house: House) -> str:
        """Make the floor if there is none; how to enter, in words."""
        name = house.floor.registry.name
        if name not in ("", NAME):
            raise BadInput("--demo", f"{self._folder} has a floor of its own, {name}", "name another folder")
        password = self._password()
        if LAST_PLAYER not in house.floor.registry.players:
            self._make(house)
        new = [
            (kind, person, PEOPLE.get(person, ""))
            for kind, names in ((STAFF, tuple(PEOPLE)), (PLAYER, GUESTS))
            for person in names
            if house.identity.identities.account(kind, person) is None
        ]
        house.identity.share_password(new, password)
        house.demo_people = {STAFF: list(PEOPLE), PLAYER: list(GUESTS)}
        return self._words(password)

    def run(self, house: House) -> AbstractAsyncContextManager[None]:
        """The bots, as long as the service runs."""
        bots = Bots(
            house, strategy=self._strategy, is_bot=BOT, seller=SHIFT, manager=MANAGER, slow=self._slow
        )
        return bots.playing()

    def _password(self) -> str:
        file = self._folder / PASSWORD_FILE
        if not file.exists():
            file.write_text(secrets.token_urlsafe(12) + "\n")
            file.chmod(0o600)
        return file.read_text().strip()

    def _words(self, password: str) -> str:
        people = ", ".join(PEOPLE)
        return (
            f"demo floor: everybody's password is {password}\n"
            f"  players: {', '.join(GUESTS)}\n"
            f"  staff:   {people}\n"
            f"  open {{url}} and enter as anybody with one click; the jackpot sign is {{url}}/sign\n"
            f"  PITBOSS_PASSWORD={password} pitboss play --server {{url}} --as {GUESTS[0]}   plays at it\n"
            f"  Ctrl-C stops it; started again it goes on where it was"
        )

    def _make(self, house: House) -> None:
        floor = house.floor

        def do(asker: Asker, request: q.Request, key: str) -> dict[str, Any]:
            answer = floor.do(asker, request, key=f"demo/{key}")
            if not answer.ok:
                raise InvariantError(f"the demo floor was refused: {answer.body}")
            return dict(answer.body)

        do(CONSOLE, q.CreateFloor(name=NAME, utc_offset_minutes=480), "floor")
        for person, position in PEOPLE.items():
            do(CONSOLE, q.AddPerson(person=person, position=position), f"person/{person}")
        for guest in GUESTS:
            do(CONSOLE, q.AddPlayer(player=guest), f"player/{guest}")
        jackpot = q.OpenLink(
            link=LINK,
            currency="SGD",
            unit=Cents(500),
            reset=Cents(10_000_000),
            startup=Cents(31_240_855),
            increment_bp=2000,
            reserve_bp=500,
            approved_by=f"{Position.SHIFT_MANAGER.value}-2",
        )
        do(SHIFT, jackpot, "link")
        for table, book, link in TABLES:
            self._open(do, table, book, link)
        do(CONSOLE, q.AddPlayer(player=LAST_PLAYER), "made")

    def _open(self, do: Any, table: str, book: str, link: str) -> None:
        book_id, document = written_out(book)
        proposed = do(SHIFT, q.ProposeRulebook(id=book_id, document=document), f"propose/{book}")
        for number in (1, 2):
            person = staff(f"{Position.SHIFT_MANAGER.value}-{number}")
            do(person, q.ApproveRulebook(rulebook=proposed["rulebook"]), f"approve/{book}/{number}")
        do(CONSOLE, q.AddTable(table=table), f"table/{table}")
        opening = q.OpenTable(
            table=table, rulebook=proposed["rulebook"], cards=VIRTUAL, link=link, count=COUNT
        )
        do(MANAGER, opening, f"open/{table}")
        dealer = f"{Position.DEALER.value}-1"
        do(MANAGER, q.AssignStaff(table=table, person=dealer), f"shift/{table}")
        betting, pause = max(2, round(15 * self._slow)), max(1, round(8 * self._slow))
        dealing = q.SetDealing(table=table, dealt_by=HOUSE, betting_seconds=betting, pause_seconds=pause)
        do(MANAGER, dealing, f"dealing/{table}")
        bots = [f"{BOT}{table}-{number}" for number in range(1, BOTS_A_TABLE + 1)]
        for bot in bots:
            do(CONSOLE, q.AddPlayer(player=bot), f"player/{bot}")
        for who in (*bots, *GUESTS):
            do(SHIFT, q.BuyIn(table=table, player=who, amount=PURSE), f"buy/{table}/{who}")
        for seat, bot in enumerate(bots, 3):
            do(player(bot), q.TakeSeat(table=table, position=seat, player=bot), f"seat/{bot}")
