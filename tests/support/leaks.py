"""Cards in their order, searched for in whatever was written, however they were written there."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from pitboss.cards import DECK, Card

RUN = 3
"""So many cards one after the other are the order of a deck, and no accident."""

_BY_REPR = {repr(card): card for card in DECK}
_BY_CODE = {card.code: card for card in DECK}
_WRITTEN = re.compile(
    "|".join(re.escape(text) for text in _BY_REPR)
    + r"|(?<![0-9A-Za-z])(?:[2-9TJQKA][cdhs])+(?![0-9A-Za-z])"  # alone, or joined without anything between
)


def cards_written(text: str) -> list[Card]:
    """All cards that a text names, in order: by their codes, or as Python shows them."""
    found: list[Card] = []
    for match in _WRITTEN.finditer(text):
        written = match[0]
        if written in _BY_REPR:
            found.append(_BY_REPR[written])
        else:
            found += [_BY_CODE[written[at : at + 2]] for at in range(0, len(written), 2)]
    return found


def order_told(deck: Sequence[Card], text: str) -> list[str]:
    """The runs of a deck, from either end, that a text tells."""
    written = cards_written(text)
    told = {tuple(written[at : at + RUN]) for at in range(len(written) - RUN + 1)}
    runs = [tuple(way[at : at + RUN]) for way in (deck, deck[::-1]) for at in range(len(deck) - RUN + 1)]
    return [json.dumps([card.code for card in run]) for run in runs if run in told]
