"""Hands in words, as a dealer would announce them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pitboss.cards.card import Rank
from pitboss.cards.hands import Hand, HandClass


def class_in_words(key: str) -> str:
    """`four-of-a-kind` as `four of a kind`."""
    return key.replace("-", " ")


@lru_cache(maxsize=8192)
def hand_in_words(hand: Hand) -> str:
    """The class and the cards that decide: `two pairs, queens and sixes, three high`."""
    name = class_in_words(hand.hand_class)
    first, *rest = hand.ranks
    match hand.hand_class:
        case HandClass.ROYAL_FLUSH:
            return name
        case HandClass.STRAIGHT_FLUSH | HandClass.STRAIGHT:
            return f"{name}, {first.word} high"
        case HandClass.FULL_HOUSE:
            return f"{name}, {first.plural} over {rest[0].plural}"
        case HandClass.TWO_PAIRS:
            return f"{name}, {first.plural} and {rest[0].plural}, {rest[1].word} high"
        case HandClass.FOUR_OF_A_KIND | HandClass.THREE_OF_A_KIND | HandClass.ONE_PAIR:
            return f"{name}, {first.plural}" + (f", {_listed(rest)} high" if rest else "")
        case HandClass.FLUSH | HandClass.ODD_CARDS:
            return f"{name}, {_listed(hand.ranks)} high"


def _listed(ranks: Sequence[Rank]) -> str:
    return "-".join(rank.word for rank in ranks)
