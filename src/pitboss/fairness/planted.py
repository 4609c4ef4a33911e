"""Shuffles that are wrong in ways people have got them wrong, to see that the tests find them."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from pitboss.cards import DECK
from pitboss.floor.clock import SecureCards

CARDS = len(DECK)
NUMBERS = {card: number for number, card in enumerate(DECK)}
FLOOR = SecureCards()
Order = list[int]


def fair() -> Order:
    """The shuffle of the floor itself; cards are numbered as they lie in a new pack."""
    return [NUMBERS[card] for card in FLOOR.shuffled(DECK)]


def modulo() -> Order:
    """A byte of randomness by the remainder of a division: low places come up more often."""
    order, drawn = list(range(CARDS)), secrets.token_bytes(CARDS)
    for last in range(CARDS - 1, 0, -1):
        other = drawn[last] % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def any_place() -> Order:
    """Each card swapped with one at any place: 52^52 ways do not share out evenly over 52! orders."""
    order = list(range(CARDS))
    for place in range(CARDS):
        other = secrets.randbelow(CARDS)
        order[place], order[other] = order[other], order[place]
    return order


def swaps() -> Order:
    """51 swaps of two cards drawn at random: too few, and always an odd order."""
    order = list(range(CARDS))
    for _ in range(CARDS - 1):
        first = secrets.randbelow(CARDS)
        second = (first + 1 + secrets.randbelow(CARDS - 1)) % CARDS
        order[first], order[second] = order[second], order[first]
    return order


def never_itself() -> Order:
    """51 swaps, each with a card before it and never with itself: one cycle, every time."""
    order = list(range(CARDS))
    for last in range(CARDS - 1, 0, -1):
        other = secrets.randbelow(last)
        order[last], order[other] = order[other], order[last]
    return order


def stuck() -> Order:
    """Fair, but in one deck of fifty the first card goes back to the top."""
    order = fair()
    if not secrets.randbelow(50):
        order.remove(0)
        order.insert(0, 0)
    return order


def partner() -> Order:
    """Fair, but in one deck of thirty the eighth card is of the first one's rank."""
    order = fair()
    if not secrets.randbelow(30):
        wanted = (order[0] + 13 * (1 + secrets.randbelow(3))) % CARDS
        place = order.index(wanted)
        order[7], order[place] = order[place], order[7]
    return order


def with_memory() -> Callable[[], Order]:
    """Begins from the order before instead of a new pack, and cuts instead of shuffling, one time of ten."""
    last = list(range(CARDS))

    def one() -> Order:
        nonlocal last
        if secrets.randbelow(10):
            last = fair()
        else:
            cut = 1 + secrets.randbelow(CARDS - 1)
            last = last[cut:] + last[:cut]
        return list(last)

    return one


PLANTED: dict[str, Callable[[], Order]] = {
    "modulo": modulo,
    "any-place": any_place,
    "51-swaps": swaps,
    "never-itself": never_itself,
    "stuck-card": stuck,
    "partner": partner,
    "memory": with_memory(),
}
