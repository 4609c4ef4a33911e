"""How much one asker may ask: so many a second by session or address, with room for a burst."""

from __future__ import annotations

import ipaddress
import time

SWEEP_AT = 10_000
_ONE_HOLDER = 64
"""The bits of an IPv6 address that one holder has: behind them lie more addresses than anything can count."""


def network_of(address: str) -> str:
    """What an address is counted under: itself, or for IPv6 the network of its holder."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _ONE_HOLDER), strict=False))


class Limits:
    """Buckets that fill at a steady rate. What was not used for a while is forgotten."""

    def __init__(self, per_second: float, *, burst: float) -> None:
        self._rate, self._burst = per_second, burst
        self._buckets: dict[str, tuple[float, float]] = {}

    def has(self, who: str) -> bool:
        """Whether somebody may ask once more; nothing is taken."""
        return self._level(who) >= 1

    def take(self, who: str) -> bool:
        """Whether somebody may ask; it is counted."""
        level = self._level(who)
        if level < 1:
            return False
        self._buckets[who] = (level - 1, time.monotonic())
        if len(self._buckets) > SWEEP_AT:
            self._sweep()
        return True

    def _level(self, who: str) -> float:
        level, at = self._buckets.get(who, (self._burst, 0.0))
        return min(self._burst, level + (time.monotonic() - at) * self._rate)

    def _sweep(self) -> None:
        for who in [who for who in self._buckets if self._level(who) >= self._burst]:
            del self._buckets[who]
