"""Cards, the deck, and what a set of cards is worth. Knows no rulebook."""

from pitboss.cards.card import DECK, Card, Rank, Suit, parse_card, parse_cards
from pitboss.cards.hands import (
    FIVE_CARD_ORDER,
    THREE_CARD_ORDER,
    Hand,
    HandClass,
    HandOrder,
    best_five,
    three_cards,
)
from pitboss.cards.hole import HoleClass, hole_class
from pitboss.cards.words import (
    ReadHand,
    cards_in_html,
    class_in_words,
    hand_in_words,
    hole_in_words,
    hole_read_out,
    read_out,
)

__all__ = [
    "DECK",
    "FIVE_CARD_ORDER",
    "THREE_CARD_ORDER",
    "Card",
    "Hand",
    "HandClass",
    "HandOrder",
    "HoleClass",
    "Rank",
    "ReadHand",
    "Suit",
    "best_five",
    "cards_in_html",
    "class_in_words",
    "hand_in_words",
    "hole_class",
    "hole_in_words",
    "hole_read_out",
    "parse_card",
    "parse_cards",
    "read_out",
    "three_cards",
]
