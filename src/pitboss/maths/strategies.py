"""Ways to play: the optimal one, and simple ones by name, so that their cost can be told.

`optimal`, `every hand` (no hand is folded, what follows is played well), `blind` (nothing is looked at:
every hand, no optional bet; with one decision the same as every hand), `pair or better`, `any queen`,
`A-K or better`, `A-K-J-8-3`; for hold'em also the hands that are folded, `fold 32o 42o`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import HandClass, Rank
from pitboss.errors import BadInput, near_miss
from pitboss.maths.holdem import KINDS, kind_name
from pitboss.maths.lowering import Family, MainGame
from pitboss.maths.tables import Worths


class Way(Enum):
    """How a strategy chooses the hands it plays."""

    OPTIMAL = auto()
    EVERY_HAND = auto()
    BLIND = auto()
    AT_LEAST = auto()
    FOLD_LISTED = auto()


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play. `least` is the lowest hand that is played, `folds` the kinds of hands that are not."""

    name: str
    way: Way
    least: tuple[HandClass, tuple[Rank, ...]] | None = None
    folds: frozenset[int] = frozenset()

    def plays(self, worths: Worths) -> NDArray[np.bool_]:
        """Which worths of a hand place the bet, for a way that goes by the hand alone."""
        if self.least is None:
            return np.ones(len(worths), np.bool_)
        return np.arange(len(worths)) >= worths.lowest(*self.least)


OPTIMAL = Strategy("optimal", Way.OPTIMAL)
EVERY_HAND = Strategy("every hand", Way.EVERY_HAND)
BLIND = Strategy("blind", Way.BLIND)

_STANDARD = {
    Family.HOLDEM: ("every hand", "blind"),
    Family.STUD: ("pair or better", "A-K or better", "A-K-J-8-3", "every hand"),
    Family.THREE_CARD: ("Q-6-4", "any queen", "any jack", "pair or better", "every hand"),
}

_CLASSES = {
    "pair": HandClass.ONE_PAIR,
    "one pair": HandClass.ONE_PAIR,
    "two pairs": HandClass.TWO_PAIRS,
    "two pair": HandClass.TWO_PAIRS,
    "three of a kind": HandClass.THREE_OF_A_KIND,
    "straight": HandClass.STRAIGHT,
    "flush": HandClass.FLUSH,
    "full house": HandClass.FULL_HOUSE,
}
_RANKS = {rank.code.lower(): rank for rank in Rank} | {rank.word: rank for rank in Rank} | {"10": Rank.TEN}
_KINDS = {kind_name(kind).lower(): kind for kind in range(KINDS)}


def standard_strategies(game: MainGame) -> tuple[Strategy, ...]:
    """The simple strategies people ask about in a game of this family."""
    return tuple(parse_strategy(name, game) for name in _STANDARD[game.family])


def parse_strategy(text: str, game: MainGame, place: str = "--strategy") -> Strategy:
    """A strategy by its name, for this game."""
    name = " ".join(text.split())
    plain = name.lower()
    for strategy in (OPTIMAL, EVERY_HAND, BLIND):
        if plain == strategy.name:
            return strategy
    if game.family is Family.HOLDEM:
        return _fold_listed(name, plain, place)
    plain = re.sub(r"( or better| high|-high)$", "", re.sub(r"( or better)$", "", plain))
    if plain in _CLASSES:
        if _CLASSES[plain] not in game.classes:
            raise BadInput(place, f"no '{plain}' in this game", "name a class of its hands")
        return Strategy(name, Way.AT_LEAST, (_CLASSES[plain], ()))
    words = re.split(r"[-\s]+", plain.removeprefix("any "))
    ranks = tuple(_RANKS[word] for word in words if word in _RANKS)
    most = 3 if game.family is Family.THREE_CARD else 5
    whole = len(ranks) == most
    falling = list(ranks) == sorted(set(ranks), reverse=True)
    if not ranks or len(ranks) != len(words) or len(ranks) > most or not falling or (whole and _run(ranks)):
        raise BadInput(
            place,
            f"'{text}' is no strategy",
            "write optimal, every hand, blind, pair or better, any queen, or the lowest hand that is played "
            f"such as {'Q-6-4' if most == 3 else 'A-K-J-8-3'}",
        )
    return Strategy(name, Way.AT_LEAST, (HandClass.ODD_CARDS, ranks))


def _run(ranks: tuple[Rank, ...]) -> bool:
    """Whether ranks from the top make a straight, and so are no odd cards."""
    wheel = ranks[0] is Rank.ACE and ranks[1] == len(ranks)
    return ranks[0] - ranks[-1] == len(ranks) - 1 or (wheel and ranks[1] - ranks[-1] == len(ranks) - 2)


def _fold_listed(name: str, plain: str, place: str) -> Strategy:
    hands = plain.replace(",", " ").split()
    if len(hands) < 2 or hands[0] != "fold":
        raise BadInput(
            place,
            f"'{name}' is no strategy",
            "write optimal, every hand, blind, or what is folded: fold 32o 42o",
        )
    for hand in hands[1:]:
        if hand not in _KINDS:
            raise BadInput(place, f"'{hand}' is no starting hand", near_miss(hand, _KINDS))
    return Strategy(name, Way.FOLD_LISTED, folds=frozenset(_KINDS[hand] for hand in hands[1:]))
