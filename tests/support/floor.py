"""A floor to test on: people of every position, books in force, links, tables and players with chips."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from pitboss.cards import DECK, Card, parse_cards
from pitboss.floor import requests as q
from pitboss.floor.codec import decode
from pitboss.floor.entropy import awaited
from pitboss.floor.house_clock import silence_ends
from pitboss.floor.people import CONSOLE, Asker, player, staff
from pitboss.floor.ports import SECOND, Micros, Store
from pitboss.floor.sealing import REVEAL_SECONDS
from pitboss.floor.seeded import SeededCards, SimulatedClock
from pitboss.floor.service import Answer, Floor
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play import events as e
from pitboss.play.dealing import room
from pitboss.play.refusal import Refusal
from pitboss.play.steps import parse_step
from pitboss.rulebooks.load import written_out
from pitboss.rulebooks.vocabulary import Position
from pitboss.store.memory import MemoryStore

PEOPLE = {
    "dora": "dealer",
    "ines": "dealer-inspector",
    "saul": "pit-supervisor",
    "mara": "pit-manager",
    "milo": "pit-manager",
    "gina": "shift-manager",
    "gus": "shift-manager",
    "ada": "assistant-director",
    "eye": "surveillance",
}
FLOAT = {500_000: 20, 100_000: 50, 2500: 200, 500: 200, 100: 500}
HOIANA_KIT = (
    "card-shoe",
    "discard-holder",
    "drop-box",
    "tip-box",
    "drop-box-plunger",
    "uv-scanner",
    "cut-card",
)


class House:
    """A floor with everybody on it, and short ways to ask."""

    def __init__(
        self,
        store: Store | None = None,
        *,
        seed: int = 1,
        utc_offset_minutes: int = 0,
        physical: bool = False,
    ) -> None:
        """With `physical` tables have real cards unless they say otherwise, and each card is scanned as it is
        dealt: what goes wrong with cards can be reported there, where no seal refutes it."""
        self.physical = physical
        self.packs: dict[str, list[Card]] = {}
        self.scanned: dict[str, int] = {}
        self.clock = SimulatedClock()
        self.asked = 0
        self.alone = True  # until a service serves the floor, where others act too
        self.retried: set[tuple[type, type, bool]] = set()
        self.cards = SeededCards(Random(seed))
        self.store = store or MemoryStore()
        self.floor = self.opened()
        self.ok(CONSOLE, q.CreateFloor(name="test", utc_offset_minutes=utc_offset_minutes))
        for person, position in PEOPLE.items():
            self.ok(CONSOLE, q.AddPerson(person=person, position=position))
        self.books: dict[str, str] = {}

    def opened(self) -> Floor:
        """The floor as a process that has just started finds it."""
        return Floor(self.store, clock=self.clock, cards=self.cards, deck_key=b"k" * 32)

    def ask(self, who: str | Asker, request: q.Request, *, key: str = "") -> Answer:
        """An answer. The first of each kind that is done, and that is refused, is asked twice with its key: the
        retry gets the first answer and does nothing."""
        asker = who if isinstance(who, Asker) else staff(who) if who in PEOPLE else player(who)
        self.asked += 1
        key = key or f"test/{self.asked}"
        answer = self.floor.do(asker, request, key=key)
        kind = (type(request), type(getattr(request, "command", None)), answer.ok)
        if kind not in self.retried:
            self.retried.add(kind)
            heads = dict(self.store.heads())
            again = self.floor.do(asker, request, key=key)
            assert again.repeated
            assert again.body == answer.body
            assert not self.alone or dict(self.store.heads()) == heads
        return answer

    def ok(self, who: str | Asker, request: q.Request, *, key: str = "") -> dict[str, Any]:
        """What is answered to a request that must be done."""
        answer = self.ask(who, request, key=key)
        assert answer.ok, answer.body
        return dict(answer.body)

    def refused(self, who: str | Asker, request: q.Request) -> str:
        """The code of a refusal; nothing may have changed."""
        before = dict(self.store.heads())
        answer = self.ask(who, request)
        assert not answer.ok, answer.body
        assert answer.message.endswith(".")
        assert dict(self.store.heads()) == before
        return answer.code

    def book(self, book: str, **readings: str) -> str:
        """A rulebook put into force by two persons; `R_BONUS_LOSE="a"` is a reading that they chose."""
        chosen = {name.replace("_", "-"): letter for name, letter in readings.items()}
        key = " ".join((book, *(f"{name}={letter}" for name, letter in chosen.items())))
        if key not in self.books:
            book_id, document = written_out(book)
            proposed = self.ok("gina", q.ProposeRulebook(id=book_id, document=document, readings=chosen))
            self.books[key] = proposed["rulebook"]
            for person in ("gina", "gus"):
                self.ok(person, q.ApproveRulebook(rulebook=self.books[key]))
        return self.books[key]

    def link(self, name: str = "mega", **more: Any) -> str:
        figures: dict[str, Any] = {
            "currency": "SGD",
            "unit": Cents(500),
            "reset": Cents(10_000_000),
            "startup": Cents(30_000_000),
            "increment_bp": 2000,
            "reserve_bp": 500,
            "approved_by": "gus",
        }
        self.ok("gina", q.OpenLink(link=name, **(figures | more)))
        return name

    def table(
        self, book: str, name: str = "t1", *, players: Sequence[str] = ("p1", "p2"), **more: Any
    ) -> str:
        """An open table with its dealer and players who have bought in."""
        self.ok("gina", q.AddTable(table=name))
        scanned = more.pop("scanned", self.physical and "cards" not in more)
        opening = {"count": FLOAT, "rulebook": self.book(book)} | more
        request = q.OpenTable(table=name, **opening)
        if scanned:
            self.opened_to_scan(request, book)
        else:
            self.ok("mara", request)
        self.ok("saul", q.AssignStaff(table=name, person="dora"))
        for who in players:
            if who not in self.floor.registry.players:
                self.ok("dora", q.AddPlayer(player=who))
            self.ok("dora", q.BuyIn(table=name, player=who, amount=Cents(500_000)))
        return name

    def opened_to_scan(self, request: q.OpenTable, book: str) -> None:
        """A physical table whose cards are scanned as they are dealt."""
        kit = tuple(item.name for item in self.floor.desk.plan_of(self.book(book)).book.equipment)
        self.ok("mara", replace(request, cards="physical", checklist=kit))
        self.packs[request.table] = []

    def tamper(self) -> None:
        """Delete every sealed deck that is kept in memory, as an insider with the store would."""
        assert isinstance(self.store, MemoryStore)
        self.store._decks.clear()

    def stack(self, cards: str) -> None:
        """The next virtual pack begins with these cards."""
        first = parse_cards(cards.split())
        rest = [card for card in DECK if card not in first]
        self.cards.next_pack = (*first, *rest)

    def step(self, text: str, table: str = "t1", *, approved_by: str = "") -> Answer:
        """A step of play, written as in a scenario; staff are those of the position that is named.

        `… signed gus` at the end of a report or a ruling is the second person. Where the floor asks for a second
        person's signature, it is that of `approved_by`.
        """
        text, _, second = text.partition(" signed ")
        state = self.floor.table(table).state
        who = text.split(":")[0].strip()
        command = parse_step(text, state.terms, list(state.racks), place="step")
        assert not isinstance(command, Refusal)
        if second:
            assert isinstance(command, c.Report | c.Rule)
            command = replace(command, approved_by=second)
        if who in tuple(Position):
            asker = staff(next(name for name, position in PEOPLE.items() if position == who))
        else:
            asker = player(who.split("@")[0])
        ends = silence_ends(self.floor.table(table)) if isinstance(command, c.MarkAbsent) else None
        if ends is not None:
            self.clock.at = max(self.clock.at, ends)
        answer = self.ask(asker, q.Act(table=table, command=command))
        if answer.code == "second-person" and approved_by and isinstance(command, c.Report | c.Rule):
            answer = self.ask(asker, q.Act(table=table, command=replace(command, approved_by=approved_by)))
        if answer.code == "second-person" and approved_by and isinstance(command, c.UnnoticedWager):
            assert isinstance(command.by, c.Staff)
            unnoticed = q.EnterUnnoticed(
                table=table,
                position=command.position,
                player=command.by.for_player or "",
                wager=command.wager,
                amount=command.amount,
                approved_by=approved_by,
            )
            answer = self.ask(asker, unnoticed)
        if answer.ok and table in self.packs:
            self._scan(table, command, answer)
        return answer

    def _scan(self, table: str, command: c.Command, answer: Answer) -> None:
        """The cards that have just been dealt at a physical table, entered from its pack."""
        if isinstance(command, c.OpenBets):
            self.packs[table] = list(self.cards.shuffled(DECK))
        if not isinstance(command, c.Deal | c.Reveal):
            return
        stream = f"table/{table}"
        last = answer.body["versions"][stream]
        before = self.floor.table(table).round_first_version
        for recorded in self.store.read(stream, after=before, until=last):
            if recorded.version <= self.scanned.get(table, 0):
                continue
            event = decode(recorded)
            if isinstance(event, e.CardsDealt | e.CardsBurned):
                cards = [self.packs[table].pop(0) for _ in range(event.count)]
                if isinstance(event, e.CardsBurned):
                    continue
                for card in cards[: room(self.floor.table(table).state.plan, event.place)]:
                    self.ok("dora", as_dealer(c.EnterCard(by=_DORA, place=event.place, card=card), table))
        self.scanned[table] = last

    def steps(self, *texts: str, table: str = "t1") -> None:
        """Steps that must all be done."""
        for text in texts:
            if text == "dealer: deal":
                self.let_devices_reveal(table)
            answer = self.step(text, table)
            assert answer.ok, (text, answer.body)

    def let_devices_reveal(self, table: str = "t1") -> None:
        """Wait for devices in browsers, as the service lets a deal wait; what has not come in time has withheld."""
        ends = time.monotonic() + REVEAL_SECONDS
        while time.monotonic() < ends:
            waits = awaited(self.floor.table(table), self.clock.at, None)
            if waits is None or waits.code != "reveals-awaited":
                return
            time.sleep(0.01)
        self.wait(REVEAL_SECONDS)

    def wait(self, seconds: int) -> None:
        self.clock.at = Micros(self.clock.at + seconds * SECOND)

    def balance(self, account: str) -> int:
        return self.store.balances([account])[account]

    def everything_adds_up(self) -> None:
        """Per currency all accounts come to nothing, and no rack, layout or pool is below it."""
        sums: dict[str, int] = {}
        for account, amount in self.store.balances_under("").items():
            currency, kind = account.split("/")[:2]
            sums[currency] = sums.get(currency, 0) + amount
            if kind in ("rack", "layout", "meter", "reserve", "overflow", "claims", "drop"):
                assert amount >= 0, (account, amount)
        assert not any(sums.values()), sums

    def stud(self, table: str = "t1", *, hit: bool = False) -> None:
        """A round of stud, both players betting everything, up to where it is settled."""
        cards = "5h 6h 7h 8h 9h" if hit else "5h 6h 7h 8h Ts"
        self.stack(f"{cards} 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
        self.steps("dealer: open bets", table=table)
        players = list(self.floor.table(table).state.racks)
        for n, who in enumerate(players[:2], 1):
            self.steps(f"{who}@{n}: wager ante 25", f"{who}@{n}: wager jackpot 5", table=table)
        self.steps("dealer: close bets", "dealer: deal", table=table)
        for n, who in enumerate(players[:2], 1):
            self.steps(f"{who}@{n}: view", f"{who}@{n}: bet bet", table=table)
        self.steps("dealer: reveal dealer", table=table)


_DORA = c.Staff(Position.DEALER)


def stud_house(*, physical: bool = False) -> House:
    """A floor with a table of stud, t1, on the jackpot `mega`."""
    house = House(physical=physical)
    house.link()
    house.table("mbs-stud-6", link="mega")
    return house


def jackpot_hit(house: House) -> None:
    """A straight flush at position 1 of stud, claimed, verified and paid."""
    house.stud(hit=True)
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=max(house.floor.link("mega").claims)))
    house.steps("dealer: settle")


def as_dealer(command: c.Command, table: str = "t1") -> q.Act:
    return q.Act(table=table, command=command)


def rws(house: House, table: str, cards: str, *, jackpot: bool = True) -> None:
    """A round at a table of RWS up to the settlement: the shuffler gives each hand its two cards at once."""
    house.stack(cards)
    house.steps("dealer: open bets", table=table)
    who = next(iter(house.floor.table(table).state.racks))
    house.steps(f"{who}@1: wager ante 25", table=table)
    if jackpot:
        house.steps(f"{who}@1: wager jackpot 5", table=table)
    house.steps("dealer: close bets", "dealer: deal", table=table)


def rws_on(house: House, table: str) -> None:
    who = next(iter(house.floor.table(table).state.racks))
    house.steps(f"{who}@1: view", f"{who}@1: bet flop", "dealer: reveal flop", table=table)
    house.steps(f"{who}@1: check", "dealer: reveal turn", f"{who}@1: check", table=table)
    house.steps("dealer: reveal river", "dealer: reveal dealer", table=table)


def rws_table(house: House, name: str, who: str) -> None:
    house.table("rws-thp-2", name, players=(who,), link="mega", procedure="shuffler")


# the shuffler of RWS: the community, position 1, the dealer
RWS_HIT = "7h 8h 9h Qc 3d 5h 6h Jc 4s"
