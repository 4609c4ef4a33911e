"""Time and cards of a simulation, by one seed; nothing here is used by a real table."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pitboss.cards import Card
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.sealing import SALT_BYTES

BEGINNING = Micros(1_790_000_000 * SECOND)


class SimulatedClock:
    """Time that goes on when it is told to."""

    def __init__(self, at: Micros = BEGINNING) -> None:
        self.at = at

    def now(self) -> Micros:
        """The simulated moment; two questions never get the same."""
        self.at = Micros(self.at + 1)
        return self.at


class SeededCards:
    """Packs of one seed. `next_pack` is dealt before anything is shuffled."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.next_pack: tuple[Card, ...] | None = None

    def shuffled(self, pack: Sequence[Card]) -> tuple[Card, ...]:
        if self.next_pack is not None:
            cards, self.next_pack = self.next_pack, None
            return cards
        return tuple(self.rng.sample(list(pack), len(pack)))

    def salt(self) -> bytes:
        return self.rng.randbytes(SALT_BYTES)

    def key(self) -> str:
        return f"{self.rng.getrandbits(128):032x}"
