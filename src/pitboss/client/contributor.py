"""A client's device contributes to the order of sealed decks: commits while bets are open, and reveals after.

It does so beside whatever else the client does, on a socket of its own: who thinks over a bet, or looks away,
reveals in time all the same. A secret is of one round alone, and is kept in memory only.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

from pitboss.client.problems import ClientError
from pitboss.client.watching import TableMessage, Watch
from pitboss.floor import requests as q
from pitboss.floor.composition import SECRET_BYTES, Contribution, commitment_to
from pitboss.folders import data_folder

DEVICE_FILE = "device"
NOT_TODAY = ("device-withheld", "too-many-devices")
"""Refusals that hold for the gaming day."""
AGAIN_SECONDS = 600
"""After such a refusal the device tries again so much later: the day may be over."""
PAUSE_SECONDS = 2
TRIES, TRY_AGAIN_SECONDS = 5, 0.3
TOO_MANY = 429
MOST_KEPT = 100
_DEVICE = re.compile(r"[A-Za-z0-9-]{1,40}")


def device_of_this_user() -> str:
    """The name of this user's device: chosen at random the first time, and kept in the user's data folder.

    Where it cannot be kept it is another one each time; of those three count on a gaming day.
    """
    file = data_folder(None) / DEVICE_FILE
    with suppress(OSError, UnicodeDecodeError):
        found = file.read_text(encoding="ascii").strip()
        if _DEVICE.fullmatch(found):
            return found
    chosen = secrets.token_hex(8)
    with suppress(OSError):
        _keep(file, chosen)
    return chosen


def _keep(file: Path, device: str) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(device + "\n")


class Contributor:
    """What one player contributes from one device, table by table, as far as the views show it to be time."""

    def __init__(
        self, player: str, device: str, ask: Callable[[q.Request], Awaitable[dict[str, Any]]]
    ) -> None:
        self.player, self.device, self._ask = player, device, ask
        self._made: dict[tuple[str, int, str], Contribution] = {}
        self._taken: set[tuple[str, int, str]] = set()
        self._not_before = 0.0
        self._done: set[tuple[str, int, str, str]] = set()

    def contributed(self, view: Mapping[str, Any]) -> Contribution | None:
        """What this device has committed to in the round of a view; None where the floor has not taken it."""
        key = _key(view)
        return self._made.get(key) if key in self._taken else None

    async def see(self, view: dict[str, Any]) -> None:
        """Do what a view of a table shows to be time. What is refused, or not answered, is left."""
        sealed = view.get("sealed")
        if not isinstance(sealed, dict) or "composition" not in sealed:
            return
        own = next((found for found in sealed["devices"] if found["player"] == self.player), None)
        made = self._made.get(_key(view))
        if own is not None and made is not None and own["device"] == self.device:
            self._taken.add(_key(view))
        if own is None and view["stage"] == "betting" and self.player in view["seats"].values():
            await self._commit(view, sealed["root"])
        elif own is not None and made is not None and sealed["reveal_by"] is not None and not own["secret"]:
            request = q.RevealEntropy(table=view["table"], device=self.device, secret=made.secret)
            await self._once(view, "reveal", request)

    async def _commit(self, view: dict[str, Any], root: str) -> None:
        if asyncio.get_running_loop().time() < self._not_before:
            return
        key = table, number, _ = _key(view)
        made = self._made.setdefault(
            key, Contribution(self.player, self.device, secrets.token_hex(SECRET_BYTES))
        )
        while len(self._made) > MOST_KEPT:
            oldest = next(iter(self._made))
            del self._made[oldest]
            self._taken.discard(oldest)
        commitment = commitment_to(made, table=table, number=number, root=root)
        request = q.CommitEntropy(table=table, device=self.device, commitment=commitment)
        if await self._once(view, "commit", request):
            self._taken.add(key)

    async def _once(self, view: dict[str, Any], what: str, request: q.Request) -> bool:
        """Ask once a round, again where that was too soon; a refusal for the day is heeded for a while.

        Whether it was done now.
        """
        done, is_done = (*_key(view), what), False
        if done in self._done:
            return False
        for _ in range(TRIES):
            try:
                await self._ask(request)
                is_done = True
                break
            except ClientError as error:
                if error.code in NOT_TODAY:
                    self._not_before = asyncio.get_running_loop().time() + AGAIN_SECONDS
                if error.status < 500 and error.status != TOO_MANY:
                    break
            await asyncio.sleep(TRY_AGAIN_SECONDS)
        else:
            return False  # the next view brings it again
        if len(self._done) > MOST_KEPT:
            self._done.clear()
        self._done.add(done)
        return is_done


def _key(view: Mapping[str, Any]) -> tuple[str, int, str]:
    """The round of a view by its table, number and seal."""
    sealed = view.get("sealed") or {}
    return view["table"], view["round"], sealed.get("root", "")


async def contribute_at(watch: Callable[[], Watch], contributor: Contributor) -> None:
    """Contribute at the tables that are watched, until it is cancelled or the session is over."""
    while True:
        try:
            async with aclosing(watch().messages()) as messages:
                async for message in messages:
                    if isinstance(message, TableMessage) and message.view is not None:
                        await contributor.see(message.view)
        except ClientError as error:
            if error.status < 500:
                return
        await asyncio.sleep(PAUSE_SECONDS)
