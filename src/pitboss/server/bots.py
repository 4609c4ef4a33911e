"""Players that are programs, at a human pace: they look at their own views and choose from what those offer.

They know no more than a player at the table does. On the demo floor people of the house are played too: one
sells chips, one verifies jackpots and rules when nobody else has for a while.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog

from pitboss.cards import Card, parse_card
from pitboss.errors import BadInput, StoreBusy, StoreError
from pitboss.floor import requests as q
from pitboss.floor.bots import Strategy
from pitboss.floor.desk import table_stream
from pitboss.floor.gaming_table import ClosedTable, OpenTable
from pitboss.floor.people import Asker, player
from pitboss.floor.ports import SECOND
from pitboss.floor.shapes import TableView
from pitboss.floor.views import floor_view
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.act_forms import act_named, read_act
from pitboss.play.table import Stage
from pitboss.play.views import FACE_DOWN, Role, Viewer
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.house import House

BEAT_SECONDS = 0.5
PATIENCE_SECONDS = 45
"""How long a matter for people waits on the demo floor before the demo's own manager sees to it."""
LOW_RACK = Cents(100_000)
PURSE = Cents(500_000)

log = structlog.get_logger("pitboss.server")
_chance = secrets.SystemRandom()


class Bots:
    """The bots of one floor, on the house's own process."""

    def __init__(
        self,
        house: House,
        *,
        strategy: Strategy,
        is_bot: str,
        seller: Asker,
        manager: Asker,
        slow: float = 1.0,
    ) -> None:
        self.house, self.floor = house, house.floor
        self._strategy, self._is_bot, self._seller, self._manager = strategy, is_bot, seller, manager
        self._slow = slow
        self._next: dict[tuple[str, str], float] = {}

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """The bots play as long as this lasts."""
        task = asyncio.create_task(self._play())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _play(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(BEAT_SECONDS * self._slow)
            try:
                for name in await self.house.worker.run(lambda: list(self.floor.registry.tables)):
                    with suppress(StoreBusy):  # held elsewhere: its bots wait, those of other tables do not
                        await self.house.worker.run(self._table, name, loop.time())
            except (StoreError, BadInput) as error:
                log.warning("bots", problem=str(error))
            except Exception:  # a bot that stumbles does not stop the floor
                log.exception("bots")

    def _table(self, name: str, now: float) -> None:
        table = self.floor.gaming_table(name)
        if isinstance(table, ClosedTable):
            return
        bots = {seat: who for seat, who in table.seats.items() if who.startswith(self._is_bot)}
        if table.state.stage.is_over:
            self._buy_in(table, bots)
        self._see_to(table)
        for seat, who in bots.items():
            due = self._next.setdefault((name, who), now + self._pause())
            here = self.floor.known(name)
            if now >= due and isinstance(here, OpenTable) and self._act(here, seat, who):
                self._next[(name, who)] = now + self._pause()

    def _pause(self) -> float:
        return self._slow * _chance.uniform(0.8, 4.0)

    # --- a bot ----------------------------------------------------------------------------------------

    def _act(self, table: OpenTable, seat: int, who: str) -> bool:
        """Whether the bot had something to do."""
        state = table.state
        if state.stage is Stage.BETTING and state.trouble.options is None:
            if seat in state.boxes or state.suspension is not None:
                return False
            wagers = self._wagers(table, seat, who)
            self._ask(player(who), q.Acts(table=table.table, commands=wagers))
            return True
        view = floor_view(table, None, Viewer(Role.PLAYER, who))
        choice = self._choose(table, view, seat)
        if choice is None:
            return False
        command = read_act(choice, lambda _: c.Player(who))
        self._ask(player(who), q.Act(table=table.table, command=command))
        return True

    def _wagers(self, table: OpenTable, seat: int, who: str) -> tuple[c.Command, ...]:
        """The Ante, and some of what else may be bet with it."""
        state, wagers = table.state, list[c.Command]()
        limits = {str(name): limit for name, limit in state.terms.limits.items()}
        for wager in state.plan.wagers:
            if wager.placed != "before-deal" or wager.extra_on is not None:
                continue
            if wager.units is not None:
                if state.terms.jackpot is None or _chance.random() < 0.5:
                    continue
                amount = Cents(state.terms.jackpot.unit * wager.units[0])
            elif wager.needs and _chance.random() < 0.6:
                continue
            else:
                least = limits[wager.name].minimum if wager.name in limits else Cents(2500)
                amount = Cents(least * _chance.choice((1, 1, 1, 2, 4)))
            wagers.append(c.PlaceWager(by=c.Player(who), position=seat, wager=wager.name, amount=amount))
        return tuple(wagers)

    def _choose(self, table: OpenTable, view: TableView, seat: int) -> Any:
        """The act, as it is sent, that the bot takes of those it may."""
        offered = [choice.act for choice in view.choices or [] if choice.act.position == seat]
        choices = {act_named(act): act for act in reversed(offered)}  # staying in comes first
        if "take-option" in choices:
            return choices["take-option"]
        if "view-hand" in choices:
            return choices["view-hand"]
        if view.decision is None or str(seat) not in view.positions:
            return None
        own = _cards(view.positions[str(seat)].cards)
        if own and "bet" in choices:
            table_cards = _cards(view.community) or _cards(view.dealer)
            plan = table.state.plan
            bets = self._strategy(plan, view.decision, own, table_cards)
            if bets:
                return choices["bet"]
        for name in ("check", "continue", "fold", "bet"):
            if name in choices:
                return choices[name]
        return None

    def _ask(self, asker: Asker, request: q.Request) -> None:
        answer = self.floor.do(asker, request)
        if not answer.ok:
            log.info("bot-refused", who=str(asker), code=answer.code)

    # --- people of the house --------------------------------------------------------------------------

    def _buy_in(self, table: OpenTable, bots: dict[int, str]) -> None:
        for who in bots.values():
            if table.state.racks.get(who, Cents(0)) < LOW_RACK:
                request = q.BuyIn(table=table.table, player=who, amount=PURSE)
                answer = self.floor.do(self._seller, request)
                if answer.code == "float-short":
                    count = {500_000: 10, 100_000: 50}
                    fill = q.Fill(table=table.table, count=count, witness=self._seller.name)
                    self.floor.do(self._manager, fill)

    def _see_to(self, table: OpenTable) -> None:
        """A jackpot that nobody verifies, a matter that nobody rules: after a while the demo does."""
        state, opened = table.state, table.opened
        last = self.floor.desk.loaded[table_stream(table.table)].at
        if self.floor.now() - last < PATIENCE_SECONDS * self._slow * SECOND:
            return
        if state.suspension is not None:
            offered = state.suspension.rulings
            ruling = Ruling.CONTINUE if Ruling.CONTINUE in offered else Ruling.VOID
            rule = c.Rule(by=c.Staff(Position.DEALER), ruling=ruling, approved_by=self._seller.name)
            self._ask(self._manager, q.Act(table=table.table, command=rule))
        elif state.claim and opened.link:
            claim = self.floor.link(opened.link).claim_of(table.table)
            if claim is not None and not claim.verified_by:
                self._ask(self._manager, q.VerifyClaim(link=opened.link, claim=claim.claim))


def _cards(codes: list[str]) -> list[Card]:
    return [parse_card(code) for code in codes if code != FACE_DOWN]
