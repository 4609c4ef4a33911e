"""Hands in words, as a dealer would announce them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pitboss.cards.card import Card, Rank, Suit
from pitboss.cards.hands import Hand, HandClass
from pitboss.cards.hole import HoleClass, hole_class


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


class ReadHand(NamedTuple):
    """A hand as it is read out: in words, and as its class with the ranks that decide."""

    words: str
    hand_class: str
    ranks: tuple[Rank, ...]


def read_out(hand: Hand) -> ReadHand:
    """A hand of the cards that make it."""
    return ReadHand(hand_in_words(hand), hand.hand_class.value, hand.ranks)


def hole_read_out(own: Sequence[Card], dealer: Sequence[Card]) -> ReadHand:
    """Two hole cards as a hand: `one-pair`, `suited-cards`, `odd-cards` or `aces-against-aces`."""
    words = hole_in_words(own, dealer)
    high, low = sorted((card.rank for card in own), reverse=True)
    ranks = (high,) if high is low else (high, low)
    return ReadHand(words, words.partition(",")[0].replace(" ", "-"), ranks)


def cards_in_html(cards: Sequence[Card]) -> str:
    """Cards as small white faces for a page, hearts and diamonds in red."""
    return " ".join(f'<span style="{_FACE};color:{_INK[card.suit]}">{card.face}</span>' for card in cards)


_FACE = "background:#fff;border:1px solid #888;border-radius:3px;padding:0 3px;white-space:nowrap"
_INK = {Suit.CLUBS: "#111", Suit.DIAMONDS: "#b3001b", Suit.HEARTS: "#b3001b", Suit.SPADES: "#111"}


def hole_in_words(own: Sequence[Card], dealer: Sequence[Card]) -> str:
    """Two hole cards in the words of a hand: `one pair, jacks`, `suited cards, ace-king high`.

    The dealer's matter only against a pair of aces.
    """
    if hole_class(own, dealer) is HoleClass.ACES_BOTH:
        return "aces against aces"
    high, low = sorted((card.rank for card in own), reverse=True)
    if high is low:
        return f"one pair, {high.plural}"
    name = "suited cards" if own[0].suit is own[1].suit else "odd cards"
    return f"{name}, {_listed([high, low])} high"


def _listed(ranks: Sequence[Rank]) -> str:
    return "-".join(rank.word for rank in ranks)
