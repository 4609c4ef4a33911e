"""Agreement of the readable evaluator with outside ones."""

from __future__ import annotations

from random import Random

from phevaluator import evaluate_cards
from treys import Card as TreysCard
from treys import Evaluator

from pitboss.cards import DECK, Card, best_five

_TREYS = Evaluator()
_TREYS_CARDS = {card: TreysCard.new(card.code) for card in DECK}


def agree(hands: int, *, seed: int, size: int = 7) -> None:
    """Random hands two by two: our order must be that of treys and of phevaluator, ties included."""
    rng = Random(seed)
    last: tuple[tuple[int, tuple[int, ...]], tuple[int, int]] | None = None
    for _ in range(hands):
        cards = rng.sample(DECK, size)
        mine, theirs = best_five(cards).value, _outside(cards)
        if last is not None:
            ours = (mine > last[0]) - (mine < last[0])
            for now, before in zip(theirs, last[1], strict=True):
                assert ours == (now < before) - (now > before), [card.code for card in cards]
        last = mine, theirs


def _outside(cards: list[Card]) -> tuple[int, int]:
    ints = [_TREYS_CARDS[card] for card in cards]
    return _TREYS.evaluate(ints[:2], ints[2:]), evaluate_cards(*(card.code for card in cards))
