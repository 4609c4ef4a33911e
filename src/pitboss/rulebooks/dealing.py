"""What a dealing procedure amounts to: how many cards go where, and how many leave the device."""

from __future__ import annotations

from collections import Counter

from pitboss.rulebooks.book import Procedure
from pitboss.rulebooks.vocabulary import Place

BURNED = "burned"


def cards_by_place(procedure: Procedure) -> Counter[str]:
    """Cards per place: to each position in play, to the dealer, to each part named, and burned."""
    counts: Counter[str] = Counter()
    for step in procedure.steps:
        if step.deal is not None:
            cards = (step.cards or 0) * step.rounds
            if step.deal == Place.POSITIONS_AND_DEALER:
                counts[Place.POSITIONS] += cards
                counts[Place.DEALER] += cards
            else:
                counts[step.deal] += cards
        elif step.burn is not None:
            counts[BURNED] += step.burn
        elif step.discard is not None:
            counts[step.discard] -= 1
            counts[BURNED] += 1
    return counts


def cards_used(procedure: Procedure, *, positions: int) -> int:
    """How many cards of the pack leave the device with so many positions in play (no security cards)."""
    counts = cards_by_place(procedure)
    per_position = counts.pop(Place.POSITIONS, 0)
    return per_position * positions + sum(counts.values())
