"""Boards up to the names of suits: sets of cards that differ only by which suit is which count as one.

A set of cards is four masks of thirteen bits, one a suit. The canonical board of its kind has its masks in
descending order; packed into one integer they are its key. A permutation of suits is a number from 0 to 23.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.maths.compiling import kernel

MASK_BITS = 13


@kernel
def packed(first: int, second: int, third: int, fourth: int) -> int:
    """A key from four suit masks."""
    return ((first << MASK_BITS | second) << MASK_BITS | third) << MASK_BITS | fourth


@kernel
def canonical(masks: NDArray[np.int64], order: NDArray[np.int64]) -> int:
    """The key of the canonical board, and in `order` which place each suit takes there."""
    places = np.empty(4, np.int64)
    for suit in range(4):
        places[suit] = suit
    for end in range(1, 4):  # four items: insertion keeps equal suits in their order
        suit = places[end]
        at = end
        while at > 0 and masks[places[at - 1]] < masks[suit]:
            places[at] = places[at - 1]
            at -= 1
        places[at] = suit
    for place in range(4):
        order[places[place]] = place
    return packed(masks[places[0]], masks[places[1]], masks[places[2]], masks[places[3]])


@kernel
def canonical_beside(masks: NDArray[np.int64], order: NDArray[np.int64]) -> int:
    """The key of a board up to the names of the last three suits, and in `order` where each suit goes."""
    a, b, c = 1, 2, 3
    if masks[a] < masks[b]:
        a, b = b, a
    if masks[b] < masks[c]:
        b, c = c, b
    if masks[a] < masks[b]:
        a, b = b, a
    order[0], order[a], order[b], order[c] = 0, 1, 2, 3
    return packed(masks[0], masks[a], masks[b], masks[c])


@kernel
def find(keys: NDArray[np.int64], key: int) -> int:
    """Where a key stands among sorted ones."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def next_choice(chosen: NDArray[np.int64], count: int) -> bool:
    """Move on to the next choice of ascending places among `count`; False after the last."""
    size = chosen.shape[0]
    place = size - 1
    while place >= 0 and chosen[place] == count - size + place:
        place -= 1
    if place < 0:
        return False
    chosen[place] += 1
    for after in range(place + 1, size):
        chosen[after] = chosen[after - 1] + 1
    return True


@kernel
def all_canonical(size: int, ranks: NDArray[np.int64], out: NDArray[np.int64]) -> int:
    """The keys of all canonical boards of `size` cards of these ranks, as far as `out` goes; how many."""
    count = 0
    deck = np.empty(4 * ranks.shape[0], np.int64)
    for place in range(deck.shape[0]):
        deck[place] = 4 * ranks[place >> 2] + (place & 3)
    chosen = np.arange(size)
    masks = np.zeros(4, np.int64)
    while True:
        masks[:] = 0
        for place in chosen:
            masks[deck[place] & 3] |= 1 << (deck[place] >> 2)
        if masks[0] >= masks[1] and masks[1] >= masks[2] and masks[2] >= masks[3]:
            if count < out.shape[0]:
                out[count] = packed(masks[0], masks[1], masks[2], masks[3])
            count += 1
        if not next_choice(chosen, deck.shape[0]):
            return count


@kernel
def unpack(key: int, masks: NDArray[np.int64]) -> None:
    """The four suit masks of a key."""
    for suit in range(4):
        masks[suit] = key >> (MASK_BITS * (3 - suit)) & ((1 << MASK_BITS) - 1)


@kernel
def cards_of(key: int, cards: NDArray[np.int64]) -> None:
    """The cards of a key, as many as `cards` holds."""
    at = 0
    for rank in range(13):
        for suit in range(4):
            if key >> (MASK_BITS * (3 - suit) + rank) & 1:
                cards[at] = 4 * rank + suit
                at += 1


@kernel
def orbit(key: int) -> int:
    """How many boards the canonical one stands for."""
    masks = np.empty(4, np.int64)
    unpack(key, masks)
    same = 1
    run = 1
    for suit in range(1, 4):
        run = run + 1 if masks[suit] == masks[suit - 1] else 1
        same *= run
    return 24 // same


@kernel
def number_boards(
    sets: NDArray[np.int64],
    keys: NDArray[np.int64],
    permutations: NDArray[np.int64],
    numbers: NDArray[np.int32],
) -> None:
    """For each set of ascending cards, at its place among all sets: 32 times the number of its canonical
    board plus the change of suits that leads there."""
    masks = np.empty(4, np.int64)
    order = np.empty(4, np.int64)
    for at in range(sets.shape[0]):
        masks[:] = 0
        place = 0
        for card in range(sets.shape[1]):
            masks[sets[at, card] & 3] |= 1 << (sets[at, card] >> 2)
            ways = sets[at, card]
            for below in range(1, card + 1):
                ways = ways * (sets[at, card] - below) // (below + 1)
            place += ways
        row = find(keys, canonical(masks, order))
        numbers[place] = row * 32 + permutations[(order[0] * 4 + order[1]) * 4 + order[2]]
