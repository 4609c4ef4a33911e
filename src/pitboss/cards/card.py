"""A card is a rank and a suit. Codes are rank then suit: `As`, `Td`, `9h`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import NamedTuple

from pitboss.errors import BadInput


class Rank(IntEnum):
    """Two to ace, ace high. That the ace may count as one is a matter of the hand, not of the card."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def code(self) -> str:
        """As cards are written: `A`, `T`, `2`."""
        return _RANK_CODES[self - 2]

    @property
    def word(self) -> str:
        """As it is said: `ace`."""
        return _RANK_WORDS[self - 2]

    @property
    def plural(self) -> str:
        """As it is said of several: `aces`, `sixes`."""
        return "sixes" if self is Rank.SIX else f"{self.word}s"


_RANK_CODES = "23456789TJQKA"
_RANK_WORDS = tuple(rank.name.lower() for rank in Rank)


class Suit(StrEnum):
    """Suits have no value; their order here is only an order of listing."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    @property
    def code(self) -> str:
        """As cards are written: `s`."""
        return self.value

    @property
    def symbol(self) -> str:
        """As printed on a card: `♠`."""
        return {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[self.value]


class Card(NamedTuple):
    """One card of the pack."""

    rank: Rank
    suit: Suit

    @property
    def code(self) -> str:
        """As cards are written: `As`, `Td`."""
        return self.rank.code + self.suit.code

    @property
    def face(self) -> str:
        """As printed on a card: `A♠`, `10♦`."""
        return ("10" if self.rank is Rank.TEN else self.rank.code) + self.suit.symbol

    def __str__(self) -> str:
        return self.code


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The one pack of 52, in listing order."""


def _spellings() -> dict[str, Card]:
    table: dict[str, Card] = {}
    for card in DECK:
        ranks = [card.rank.code, card.rank.code.lower()]
        if card.rank is Rank.TEN:
            ranks.append("10")
        for rank in ranks:
            for suit in (card.suit.code, card.suit.code.upper(), card.suit.symbol):
                table[rank + suit] = card
    return table


_BY_SPELLING = _spellings()


def parse_card(text: object, place: str = "") -> Card:
    """Read one card. Takes `As`, `10d`, `A♠` and either case."""
    card = _BY_SPELLING.get(text.strip()) if isinstance(text, str) else None
    if card is None:
        raise BadInput(place, f"{text!r} is not a card", _remedy(text))
    return card


def _remedy(text: object) -> str:
    """The card that was probably meant: suit before rank, the letter O for a nought, signs between them."""
    letters = "".join(sign for sign in str(text) if sign.isalnum() or sign in "♣♦♥♠")
    for guess in (letters, letters[::-1], letters.replace("O", "0").replace("o", "0"), f"1{letters}"):
        if guess in _BY_SPELLING:
            return f"did you mean '{_BY_SPELLING[guess]}'?"
    return "write rank and suit, such as As, Td or 9h"


def parse_cards(texts: Iterable[object], place: str = "") -> tuple[Card, ...]:
    """Read cards from a sequence of codes. Each error names the card's own place."""
    return tuple(parse_card(text, f"{place}[{index}]") for index, text in enumerate(texts))
