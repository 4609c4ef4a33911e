"""The plan's qualification of the dealer as the kernels test it."""

from __future__ import annotations

import numpy as np

from pitboss.cards import HandClass, Rank
from pitboss.maths.kernels.qualify import Qualify
from pitboss.maths.tables import Worths
from pitboss.rulebooks import Plan
from pitboss.rulebooks.vocabulary import Qualifying


def lower_qualification(plan: Plan, worths: Worths, *, least_key: int, wheel: Rank) -> Qualify:
    """The rule by keys and by ranks held. `wheel` is the top card of the run in which the ace is low."""
    rule = plan.qualification
    low_aces = np.zeros(len(worths), np.bool_)
    if rule is not None and rule.wheel_ace_is_low:
        for worth, ranks in enumerate(worths.ranks):
            run = worths.hand_class(worth) in (HandClass.STRAIGHT, HandClass.STRAIGHT_FLUSH)
            low_aces[worth] = run and ranks == (wheel,)
    held = 0 if rule is None else sum(1 << (rank - 2) for rank in rule.ranks)
    by = None if rule is None else rule.rule
    return Qualify(
        least=least_key,
        any_of=held if by is Qualifying.HOLDS_ANY else 0,
        all_of=held if by is Qualifying.HOLDS_ALL else 0,
        low_aces=low_aces,
    )
