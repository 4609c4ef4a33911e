"""Clients that carry on whatever happens to the service, and the journal by which they judge it.

The journal is theirs: every key they sent and every answer they got, written down as it came. It decides what
was lost and what was done twice; nothing of the product is asked for that but its exported record.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

import soak
from pitboss.client import Client, ClientError, Refused
from pitboss.floor import requests as q
from pitboss.forms import ActForm, read_act
from pitboss.money import Cents
from pitboss.play import commands as c

BUY_IN = Cents(2_500)
"""What a player buys now and then, so that money comes to the tables under the same load."""
TRY_SECONDS = 3
"""After so long a client gives a request up and asks another server, with the same key."""
AGAIN = frozenset({401, 429})
"""Answers besides a server's failure after which a client asks again."""
WITNESSED = {
    "place-wager": "wager-placed",
    "bet": "wager-placed",
    "open-bets": "bets-opened",
    "buy-in": "bought-in",
}
"""Acts of which each leaves one event of a name, so that they can be counted from outside."""


@dataclass
class Asked:
    """Something that was asked with a key of its own, and what became of it. Times are of the monotonic clock."""

    key: str
    who: str
    table: str
    acts: tuple[str, ...]
    sent: float
    answered: float = 0.0
    status: int = 0
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def acknowledged(self) -> bool:
        """Whether a client was told that it is done."""
        return self.status == 200


class Journal:
    """What the clients asked and were answered, in their memory and line by line in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.asked: list[Asked] = []
        self.failures: Counter[str] = Counter()
        """Tries that ended without an answer that decides, by the code or the kind of it."""
        self.moved = asyncio.Condition()
        self._out = file.open("a", encoding="utf-8")

    def send(self, who: str, key: str, table: str, acts: Iterable[str]) -> Asked:
        """Before the first byte of it leaves."""
        asked = Asked(f"{who}/{key}", who, table, tuple(acts), time.monotonic())
        self.asked.append(asked)
        self._write(["sent", asked.key, table, *asked.acts])
        return asked

    async def answer(self, asked: Asked, status: int, body: Mapping[str, Any]) -> None:
        """As soon as an answer that decides is here."""
        asked.answered, asked.status, asked.body = time.monotonic(), status, dict(body)
        self._write(["answered", asked.key, status, asked.body])
        async with self.moved:
            self.moved.notify_all()

    def fail(self, asked: Asked, why: str) -> None:
        """A try that came to nothing, as far as the client knows."""
        self.failures[why] += 1
        self._write(["failed", asked.key, why])

    def _write(self, line: list[Any]) -> None:
        self._out.write(json.dumps([round(time.monotonic(), 4), *line]) + "\n")
        self._out.flush()

    def acknowledged(self, since: float = 0.0) -> list[Asked]:
        """What was acknowledged from a moment on."""
        return [asked for asked in self.asked if asked.acknowledged and asked.answered >= since]

    async def until(self, holds: Callable[[], bool], patience: float) -> bool:
        """Wait until something holds, which is looked at after every answer; whether it came to that."""
        async with self.moved:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.moved.wait_for(holds), patience)
            return holds()

    def close(self) -> None:
        """Nothing more is written."""
        self._out.close()


class FaultTable(soak.Table):
    """A dealer, a manager and players at one table: as in the soak, and each answer goes to the journal."""

    def __init__(
        self,
        name: str,
        seats: int,
        urls: list[str],
        tokens: dict[str, str],
        *,
        journal: Journal,
        every: float,
    ) -> None:
        super().__init__(name, seats, urls, tokens, soak.Figures(), every=every)
        self.journal = journal
        self.seen.owed.clear()
        self.seen.until = float("inf")
        self.goes_on = asyncio.Event()
        self.rests = asyncio.Event()
        """Whether nothing of this table is under way."""
        self.refused = False

    def stop(self) -> None:
        """Come to an end at the next turn."""
        self.seen.until = 0
        self.goes_on.set()

    async def _turn(self, terms: dict[str, Any]) -> None:
        if not self.goes_on.is_set():
            self.rests.set()
            await self.goes_on.wait()
            self.rests.clear()
            return
        if self.refused:  # bets are open and nobody has any left: they were among what a database lost
            self.refused = False
            view = await self.dealer.table(self.name)
            if view["stage"] == "betting" and not (view["positions"] or view.get("suspended")):
                await self._wager(terms)
                return
        await super()._turn(terms)

    async def _next_round_is_due(self) -> None:
        if self.rng.random() < 0.5:
            await self._buy_in(self.rng.randint(1, len(self.players)), BUY_IN)
        if self.goes_on.is_set():
            await super()._next_round_is_due()

    async def _buy_in(self, seat: int, amount: Cents) -> None:
        request = q.BuyIn(table=self.name, player=f"{self.name}-p{seat}", amount=amount)
        await self._ask(self.dealer, ["buy-in"], lambda key: self.dealer.do(request, key=key))

    async def _act(self, client: Client, *acts: dict[str, Any]) -> None:
        commands = [read_act(msgspec.convert(act, ActForm), lambda _: client.me) for act in acts]
        refused = await self._ask(
            client, [act["do"] for act in acts], lambda key: client.act(self.name, *commands, key=key)
        )
        self.refused = bool(refused)
        if refused:
            await asyncio.sleep(0.05)  # a server that is behind refuses the same again and again
        if refused == "not-enough-chips":
            await self._buy_in(1 + self.players.index(client), Cents(500_000))

    async def _verify(self, view: dict[str, Any]) -> None:
        link = await self.manager.call("GET", f"/api/links/{view['link']}")
        for claim in link["claims"]:
            if claim["table"] == self.name:
                await self._verify_one(q.VerifyClaim(link=view["link"], claim=claim["claim"]))
        await asyncio.sleep(0.1)

    async def _verify_one(self, request: q.VerifyClaim) -> None:
        await self._ask(self.manager, ["verify-claim"], lambda key: self.manager.do(request, key=key))

    async def _ask(
        self, client: Client, acts: list[str], ask: Callable[[str], Awaitable[dict[str, Any]]]
    ) -> str:
        """Ask with a new key until there is an answer that decides; the code of a refusal, or nothing."""
        kind = "player" if isinstance(client.me, c.Player) else "staff"
        name = client.me.name if isinstance(client.me, c.Player) else self._staff(client)
        key = secrets.token_hex(8)
        asked = self.journal.send(f"{kind}/{name}", key, self.name, acts)
        while True:
            try:
                await self.journal.answer(asked, 200, await ask(key))
            except ClientError as error:
                if error.status >= 500 or error.status in AGAIN:
                    self.journal.fail(asked, error.code)
                    if self.seen.over:
                        raise
                    await asyncio.sleep(0.2)
                    continue
                await self.journal.answer(asked, error.status, error.body)
                return error.code if isinstance(error, Refused) else ""
            except (aiohttp.ClientError, TimeoutError) as error:
                self.journal.fail(asked, type(error).__name__)
                if self.seen.over:
                    raise
                continue
            return ""


# --- judging -----------------------------------------------------------------------------------------------


@dataclass
class Judgement:
    """What the clients hold against a service."""

    acknowledged: int = 0
    refused: int = 0
    unanswered: int = 0
    lost: list[str] = field(default_factory=list)
    """Keys that were acknowledged, and are not in the record as they were answered."""
    doubled: list[str] = field(default_factory=list)
    """What is there more often than it was asked, or was promised to two."""
    wrong: list[str] = field(default_factory=list)
    """Done although it was refused, or there although it is named as lost."""


def judged(asked: Iterable[Asked], export: Path, *, named: Iterable[str] = ()) -> Judgement:
    """Hold the clients' journal against an exported record.

    `named` are keys of which the record itself says that they are lost: whatever they did does not count.
    """
    everything, found = list(asked), Judgement()
    kept = {row["key"]: json.loads(row["answer"]) for row in _rows(export, "commands")}
    events = {(row["stream"], row["version"]): row for row in _rows(export, "events")}
    gone = set(named)
    promised: dict[tuple[str, int], str] = {}
    for one in everything:
        if not one.status:
            found.unanswered += 1
        elif one.acknowledged:
            found.acknowledged += 1
            if one.key in gone:
                if kept.get(one.key) == one.body:
                    found.wrong.append(f"{one.key} is named as lost and is there")
                continue
            streams = [(stream, version) for stream, version in one.body.get("versions", {}).items()]
            if kept.get(one.key) != one.body or any(end not in events for end in streams):
                found.lost.append(one.key)
                continue
            for end in streams:
                if end in promised:
                    found.doubled.append(f"{end[0]} {end[1]} was promised to {promised[end]} and {one.key}")
                promised[end] = one.key
        else:
            found.refused += 1
            if kept.get(one.key, {}).get("ok", False):
                found.wrong.append(f"{one.key} was refused and is done")
    found.doubled += _counted(everything, events.values(), gone | set(found.lost))
    return found


def _rows(export: Path, name: str) -> Iterable[dict[str, Any]]:
    with (export / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _counted(
    everything: Iterable[Asked], events: Iterable[Mapping[str, Any]], gone: set[str]
) -> Iterable[str]:
    """Acts of each client against the events of their kind: each once, those without an answer once or never."""
    least: Counter[tuple[str, str, str]] = Counter()
    open_ended: Counter[tuple[str, str, str]] = Counter()
    for one in everything:
        for act in one.acts:
            if act in WITNESSED and one.key not in gone:
                sums = least if one.acknowledged else open_ended if not one.status else None
                if sums is not None:
                    sums[f"table/{one.table}", WITNESSED[act], one.who] += 1
    there: Counter[tuple[str, str, str]] = Counter()
    for event in events:
        there[event["stream"], event["name"].partition(".")[0], event["actor"]] += 1
    for place in {*least, *open_ended}:
        if not least[place] <= there[place] <= least[place] + open_ended[place]:
            yield f"{' '.join(place)}: {there[place]} events of {least[place]} to {open_ended[place]} more"


def longest_pause(times: Iterable[float], begin: float, end: float) -> float:
    """Seconds between a moment and the next of some, from a beginning to an end."""
    moments = [begin, *sorted(at for at in times if begin <= at <= end), end]
    return max(after - before for before, after in pairwise(moments))
