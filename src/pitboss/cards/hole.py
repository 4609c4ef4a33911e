"""Two hole cards as the hold'em Bonus tables name them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from pitboss.cards.card import Card, Rank
from pitboss.errors import check


class HoleClass(StrEnum):
    """The lines of a Bonus table, best first. `UNLISTED` is on none of them."""

    ACES_BOTH = "a-a-both"
    ACES = "a-a"
    ACE_KING_SUITED = "a-k-suited"
    ACE_QUEEN_JACK_SUITED = "a-qj-suited"
    ACE_KING = "a-k"
    HIGH_PAIRS = "high-pairs"
    ACE_QUEEN_JACK = "a-qj"
    LOW_PAIRS = "low-pairs"
    UNLISTED = "unlisted"


def hole_class(own: Sequence[Card], dealer: Sequence[Card]) -> HoleClass:
    """The Bonus line of a player's two hole cards. The dealer's matter only against a pair of aces."""
    check(len(own) == 2, f"there are two hole cards, not {len(own)}")
    low, high = sorted(card.rank for card in own)
    if low == high:
        if high is Rank.ACE:
            both = len(dealer) == 2 and all(card.rank is Rank.ACE for card in dealer)
            return HoleClass.ACES_BOTH if both else HoleClass.ACES
        return HoleClass.HIGH_PAIRS if high >= Rank.JACK else HoleClass.LOW_PAIRS
    if high is not Rank.ACE or low < Rank.JACK:
        return HoleClass.UNLISTED
    suited = own[0].suit is own[1].suit
    if low is Rank.KING:
        return HoleClass.ACE_KING_SUITED if suited else HoleClass.ACE_KING
    return HoleClass.ACE_QUEEN_JACK_SUITED if suited else HoleClass.ACE_QUEEN_JACK
