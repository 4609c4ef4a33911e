"""Whether an outcome is established when play is interrupted, table-wide or for each player (R-POWER).

Only what was declared or acted on counts as decided: a fold, a jackpot hand whose table cards lie open, the
dealer's cards turned over. That hole cards had won a Bonus before anybody looked decides nothing.
"""

from __future__ import annotations

from pitboss.play.table import Box, Fate, State
from pitboss.rulebooks.vocabulary import EstablishedScope, Source


def positions_with_outcome(state: State) -> frozenset[int]:
    """The positions for which an outcome is established."""
    decided = [box for box in state.boxes.values() if _is_decided(state, box)]
    if state.plan.interruption.scope is EstablishedScope.TABLE:
        return frozenset(state.boxes) if decided else frozenset()
    owners = {box.player for box in decided}
    return frozenset(n for n, box in state.boxes.items() if box.player in owners)


def _is_decided(state: State, box: Box) -> bool:
    """Whether any wager of this hand has conclusively won or lost."""
    if box.removal is not None or box.fate is Fate.INVALID_BY_ABSENCE:
        return False
    folded = box.fate in (Fate.FOLDED, Fate.FOLDED_BY_ABSENCE) or bool(box.forfeited)
    if folded or Source.DEALER in state.revealed:
        return True
    jackpot = state.plan.jackpot
    if jackpot is None or not box.stake(jackpot.wager):
        return False
    on_table = [place for place in state.plan.wager(jackpot.wager).pays.hand.places if place != Source.OWN]
    return bool(on_table) and all(place in state.revealed for place in on_table)
