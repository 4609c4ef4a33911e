"""A round at a table through the service: people who look at their views, and do what those offer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from pitboss.client import Client, TableMessage
from pitboss.forms import ActForm, read_act
from pitboss.play import commands as c
from support.floor import PEOPLE
from support.service import PASSWORD

PATIENCE = 30.0


class Person:
    """Somebody with a client, who watches a table and keeps every version he has been sent."""

    def __init__(self, name: str, *servers: str) -> None:
        self.name = name
        self.client = Client(*servers)
        self.seen: list[TableMessage] = []
        self.changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._table = ""

    @property
    def view(self) -> dict[str, Any]:
        assert self.seen, f"{self.name} has seen nothing yet"
        view = self.seen[-1].view
        assert view is not None
        return view

    @property
    def version(self) -> int:
        return self.seen[-1].version if self.seen else 0

    async def sign_in(self) -> None:
        await self.client.__aenter__()
        kind = "staff" if self.name in PEOPLE else "player"
        await self.client.sign_in(kind, self.name, PASSWORD)

    async def watch(self, table: str) -> None:
        """Look at a table, from the version that was seen last."""
        self._table = table
        self._task = asyncio.create_task(self._watching(table))
        await self.until(lambda view: True)

    async def _watching(self, table: str) -> None:
        async for message in self.client.views(table, after=self.version or None):
            async with self.changed:
                self.seen.append(message)
                self.changed.notify_all()

    async def look_away(self) -> None:
        """The connection is lost."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def leave(self) -> None:
        await self.look_away()
        await self.client.__aexit__(None, None, None)

    async def until(self, holds: Callable[[dict[str, Any]], bool], *, version: int = 0) -> dict[str, Any]:
        """The first view from now on for which something holds."""

        def ready() -> bool:
            return bool(self.seen) and self.version >= version and holds(self.view)

        async with self.changed:
            if self._task is not None and self._task.done():
                self._task.result()
            await asyncio.wait_for(self.changed.wait_for(ready), PATIENCE)
            return self.view

    async def act(self, table: str, *acts: dict[str, Any]) -> int:
        """Do something; the version of the table after it."""
        commands = [self._command(act) for act in acts]
        done = await self.client.act(table, *commands)
        return int(done["versions"][f"table/{table}"])

    def _command(self, act: dict[str, Any]) -> c.Command:
        command: c.Command = read_act(msgspec.convert(act, ActForm), lambda _: self.client.me)
        return command


@asynccontextmanager
async def people(table: str, *names: str, servers: tuple[str, ...]) -> AsyncIterator[dict[str, Person]]:
    """Everybody signed in and watching, each at a process of the service in turn."""
    found = {}
    for number, name in enumerate(names):
        turned = servers[number % len(servers) :] + servers[: number % len(servers)]
        person = found[name] = Person(name, *turned)
        await person.sign_in()
        await person.watch(table)
    try:
        yield found
    finally:
        for person in found.values():
            await person.leave()


Between = Callable[[int], Any]
Chooser = Callable[[str, list[dict[str, Any]]], dict[str, Any] | None]


def first_choice(name: str, choices: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Looks at the hand, then bets; whoever is called p2 folds where he can."""
    by_name = {choice["do"]: choice for choice in choices}
    order = (
        ("view-hand", "fold", "check", "bet") if name == "p2" else ("view-hand", "bet", "check", "continue")
    )
    return next((by_name[do] for do in order if do in by_name), None)


async def play_round(
    table: str,
    at: dict[str, Person],
    *,
    players: tuple[str, ...] = ("p1", "p2"),
    dealer: str = "dora",
    jackpot: bool = False,
    choose: Chooser = first_choice,
    between: Between | None = None,
) -> dict[str, Any]:
    """A whole round; the dealer's last view of it. `between` is called between the steps with their number."""
    deal = at[dealer]
    number, version = 0, 0

    async def pause() -> None:
        nonlocal number, version
        number += 1
        if between is not None:
            await between(number)
            version = max(version, *[person.version for person in at.values()])

    version = await deal.act(table, {"do": "open-bets"})
    begun = (await deal.until(lambda view: view["stage"] == "betting", version=version))["round"]
    terms = await deal.client.terms(table)
    least = next(wager["limits"][0] for wager in terms["wagers"] if wager["wager"] == "ante")
    for position, name in enumerate(players, 1):
        await pause()
        wagers = [{"do": "place-wager", "position": position, "wager": "ante", "amount": least}]
        if jackpot:
            unit = str(terms["jackpot_unit"])
            wagers.append({"do": "place-wager", "position": position, "wager": "jackpot", "amount": unit})
        version = await at[name].act(table, *wagers)
    while True:
        await pause()
        view = await deal.until(lambda view: True, version=version)
        if view["round"] == begun and view["stage"] in ("settled", "void"):
            return view
        step = view.get("choices", [])
        if step and view["stage"] not in ("settled", "void"):
            version = await deal.act(table, step[0]["act"])
            continue
        for name in players:
            seen = await at[name].until(lambda view: True, version=version)
            chosen = choose(name, [choice["act"] for choice in seen.get("choices", [])])
            if chosen is not None:
                version = await at[name].act(table, chosen)
                break
        else:
            raise AssertionError(f"nobody has anything to do: {view}")


def together(seen: Person) -> None:
    """Every version came once, in order, none missing that others did not also lack."""
    versions = [message.version for message in seen.seen]
    assert versions == sorted(set(versions))
    assert not any(message.missed for message in seen.seen)
