"""What a dealing procedure amounts to: how many cards go where, and how many leave the device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

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


def dealing_order(procedure: Procedure, parts: Mapping[str, Sequence[int]]) -> tuple[tuple[str, int], ...]:
    """Where the cards of a pack go as they leave the device: rows in order, each with its number of cards.

    `positions` stands for so many cards to each position in play, one position after the other. `parts` are
    the book's parts of the community cards, which lie in one row. A card that is dealt and then put away
    counts as burned.
    """
    order: list[tuple[str, int]] = []
    for step in procedure.steps:
        if step.burn is not None:
            order.append((BURNED, step.burn))
        elif step.discard is not None and step.card is not None:
            order = _put_away(order, step.discard, step.card)
        elif step.deal is not None:
            rows = [step.deal]
            if step.deal == Place.POSITIONS_AND_DEALER:
                rows = [Place.POSITIONS, Place.DEALER]
            order += [(str(row), step.cards or 0) for row in rows] * step.rounds
    return tuple((Place.COMMUNITY.value if row in parts else row, cards) for row, cards in order)


def _put_away(order: list[tuple[str, int]], place: str, number: int) -> list[tuple[str, int]]:
    """The order with one card of a place burned instead, by its number there."""
    found: list[tuple[str, int]] = []
    for row, cards in order:
        if row == place and 0 < number <= cards:
            found += [(row, number - 1), (BURNED, 1), (row, cards - number)]
        else:
            found.append((row, cards))
        number -= cards if row == place else 0
    return [(row, cards) for row, cards in found if cards]


def cards_used(procedure: Procedure, *, positions: int) -> int:
    """How many cards of the pack leave the device with so many positions in play (no security cards)."""
    counts = cards_by_place(procedure)
    per_position = counts.pop(Place.POSITIONS, 0)
    return per_position * positions + sum(counts.values())
