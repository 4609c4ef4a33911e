"""The public beacon of a server: values are fetched beside the floor's thread, which never waits for them.

`LocalSigner` signs for itself, for tests and demos: what it publishes proves nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.beacons import LARGEST_ANSWER, ConfiguredBeacon, value_of
from pitboss.floor.composition import BeaconValue, beacon_message, is_signed, published_at
from pitboss.floor.entropy import WITHOUT
from pitboss.floor.ports import SECOND, BeaconTerms, Micros

if TYPE_CHECKING:
    import aiohttp

LOOK_SECONDS = 0.2
FETCH_SECONDS = 5
MOST_KEPT = 1000
"""So many rounds are remembered; tables use the latest ones."""

log = structlog.get_logger("pitboss.server")


class LocalSigner:
    """A beacon that this process signs itself, from each round's time on. For tests and demos."""

    def __init__(
        self,
        now: Callable[[], Micros],
        *,
        name: str = "local",
        genesis: int = 1,
        period: int = 3,
        wait_seconds: int = 10,
        missing: str = WITHOUT,
        seed: bytes | None = None,
    ) -> None:
        self._now = now
        self._key = (
            Ed25519PrivateKey.generate() if seed is None else Ed25519PrivateKey.from_private_bytes(seed)
        )
        raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
        self.terms = BeaconTerms(
            name=name,
            key=self._key.public_key().public_bytes(*raw).hex(),
            genesis=genesis,
            period=period,
            wait_seconds=wait_seconds,
            missing=missing,
        )
        self.silent = False
        """Whether nothing is published, as by a beacon that fails."""

    def published(self, round_number: int) -> BeaconValue | None:
        """The value of a round whose time has come."""
        terms = self.terms
        at = published_at(genesis=terms.genesis, period=terms.period, round_number=round_number)
        if self.silent or self._now() < at * SECOND:
            return None
        return BeaconValue(round_number, self._key.sign(beacon_message(terms.name, round_number)).hex())


class FetchedBeacon:
    """A beacon whose values are fetched over the network once their time has come.

    `published` notes the rounds that are asked for; `run` fetches them, again and again until they are there.
    """

    def __init__(self, configured: ConfiguredBeacon, now: Callable[[], Micros]) -> None:
        self._configured, self._now = configured, now
        self._wanted: dict[int, None] = {}
        self._found: dict[int, BeaconValue] = {}

    @property
    def terms(self) -> BeaconTerms:
        """What is announced of it."""
        return self._configured.terms

    def published(self, round_number: int) -> BeaconValue | None:
        """The value of a round as far as it was fetched; one that was not is fetched from now on."""
        found = self._found.get(round_number)
        if found is None:
            self._wanted[round_number] = None
        return found

    async def run(self) -> None:
        """Fetch what is asked for, until it is cancelled."""
        import aiohttp

        timeout = aiohttp.ClientTimeout(total=FETCH_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout) as http:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                for number in self._due():
                    await self._fetch(http, number)

    def _due(self) -> list[int]:
        """Rounds that are wanted and published, the latest first; those long past are given up."""
        terms, now = self.terms, self._now()
        wanted = sorted(self._wanted, reverse=True)
        for number in wanted[MOST_KEPT:]:
            self._wanted.pop(number, None)
        for number in sorted(self._found, reverse=True)[MOST_KEPT:]:
            self._found.pop(number, None)
        return [
            number
            for number in wanted[:MOST_KEPT]
            if published_at(genesis=terms.genesis, period=terms.period, round_number=number) * SECOND <= now
        ]

    async def _fetch(self, http: aiohttp.ClientSession, number: int) -> None:
        """One attempt; a value is taken only if the beacon has signed it for this round."""
        import aiohttp

        try:
            address = self._configured.address_of(number)
            async with http.get(address, allow_redirects=False) as answer:
                body = await answer.content.read(LARGEST_ANSWER + 1)
                if answer.status != 200 or len(body) > LARGEST_ANSWER:
                    log.warning("beacon", round=number, problem=f"status {answer.status}, {len(body)} bytes")
                    return
            value = value_of(body)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            log.warning("beacon", round=number, problem=str(error)[:200] or type(error).__name__)
            return
        if value.round != number or not is_signed(self.terms.name, self.terms.key, value):
            log.error("beacon-forged", round=number)
            return
        self._found[number] = value
        self._wanted.pop(number, None)
