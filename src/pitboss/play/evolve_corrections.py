"""What a correction makes of a table: another card for an entry, a choice as if it had not been made."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pitboss.money import UNITS_PER_CENT, Cents, LedgerUnits
from pitboss.play.events import CardCorrected, DecisionTakenBack
from pitboss.play.evolving import with_box, with_entry
from pitboss.play.table import Fate, State, changed
from pitboss.rulebooks.plan import WagerName

NO_SHARES: Mapping[str, Cents] = MappingProxyType({})


def card_corrected(state: State, event: CardCorrected) -> State:
    """The card that lies there, or one entry less."""
    cards, index = state.known[event.place], event.number - 1
    right = () if event.right is None else (event.right,)
    known = with_entry(state.known, event.place, cards[:index] + right + cards[index + 1 :])
    return changed(state, known=known, corrections=state.corrections + 1)


def decision_taken_back(state: State, event: DecisionTakenBack) -> State:
    """The hand has to choose again; shares that folded with the choice lie on the layout again."""
    box = state.boxes[event.position]
    choices = {name: choice for name, choice in box.choices.items() if name != event.decision}
    stakes, forfeited = dict(box.stakes), dict(box.forfeited)
    for owner, shares in event.laid_again.items():
        for name, share in shares.items():
            wager = WagerName(name)
            stakes[wager] = with_entry(stakes.get(wager, NO_SHARES), owner, share)
            forfeited.pop(wager, None)
    mended = box._replace(
        fate=Fate.IN_PLAY,
        away=False,
        established=False,
        choices=MappingProxyType(choices),
        stakes=MappingProxyType(stakes),
        forfeited=MappingProxyType(forfeited),
    )
    collected = sum(sum(shares.values()) for shares in event.laid_again.values())
    return changed(
        with_box(state, mended),
        table_float=LedgerUnits(state.table_float - collected * UNITS_PER_CENT),
        corrections=state.corrections + 1,
    )
