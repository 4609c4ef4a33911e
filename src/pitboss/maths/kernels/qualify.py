"""Whether a dealer's hand is compared at all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel


class Qualify(NamedTuple):
    """The rule in numbers: `least` is the lowest key that qualifies by rank.

    By cards, the hand must hold `any_of` or `all_of` these ranks (thirteen bits, 0 for no such rule); with
    `low_aces` a worth's ace is a one and does not count.
    """

    least: int
    any_of: int
    all_of: int
    low_aces: NDArray[np.bool_]


@kernel
def qualifies(rule: Qualify, key: int, worth: int, ranks: int) -> bool:
    """Whether a dealer's hand of this key and worth with these ranks, as bits, is compared."""
    if rule.low_aces[worth]:
        ranks &= ~(1 << 12)
    if rule.any_of and not ranks & rule.any_of:
        return False
    return key >= rule.least and ranks & rule.all_of == rule.all_of
