"""How much one asker may ask: so many a second by session or address, with room for a burst."""

from __future__ import annotations

import time

SWEEP_AT = 10_000


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
