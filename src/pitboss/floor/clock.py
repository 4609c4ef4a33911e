"""The clock and the cards of a real floor: the system's time, the system's secure randomness."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from pitboss.cards import Card
from pitboss.floor.ports import Micros
from pitboss.floor.sealing import SALT_BYTES


class SystemClock:
    """The time of the machine; it never goes back while the process runs."""

    def __init__(self) -> None:
        self._last = 0

    def now(self) -> Micros:
        """The present moment."""
        self._last = max(self._last, time.time_ns() // 1000)
        return Micros(self._last)


class SecureCards:
    """Packs shuffled by Fisher and Yates with the operating system's secure source, without bias."""

    def shuffled(self, pack: Sequence[Card]) -> tuple[Card, ...]:
        cards = list(pack)
        for last in range(len(cards) - 1, 0, -1):
            other = secrets.randbelow(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)

    def salt(self) -> bytes:
        return secrets.token_bytes(SALT_BYTES)

    def key(self) -> str:
        return secrets.token_hex(16)
