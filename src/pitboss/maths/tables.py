"""The evaluators' tables, generated here and kept on disk beside the compiled kernels.

The worth of a hand is a small integer, 0 for the lowest of all hands. `Worths` says what an integer stands
for: its class, and the ranks that decide within it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import FIVE_CARD_ORDER, THREE_CARD_ORDER, HandClass, Rank
from pitboss.errors import check
from pitboss.maths.compiling import cache_folder
from pitboss.maths.kernels.evaluate import (
    MIX,
    NO_CARD,
    RANK_BITS,
    ROW_BITS,
    ROW_SHIFT,
    SLOT_BITS,
    SLOT_MASK,
    SLOT_SHIFT,
    FiveTables,
    ThreeTables,
    place_rows,
)

ACE = 12
Key = tuple[int, tuple[int, ...]]
"""A hand as strength of its class and deciding ranks, rank 0 being the two: these compare like the hands."""


@dataclass(frozen=True, slots=True)
class Worths:
    """What the integers mean. `classes` holds each worth's place in `order`, lowest class first."""

    order: tuple[HandClass, ...]
    classes: NDArray[np.int8]
    ranks: tuple[tuple[Rank, ...], ...]

    def hand_class(self, worth: int) -> HandClass:
        """The class of a worth."""
        return self.order[int(self.classes[worth])]

    def lowest(self, hand_class: HandClass, ranks: tuple[Rank, ...] = ()) -> int:
        """The lowest worth of this class whose deciding ranks begin with at least these."""
        strength = self.order.index(hand_class)
        for worth, mine in enumerate(self.ranks):
            if self.classes[worth] == strength and mine[: len(ranks)] >= ranks:
                return worth
            if self.classes[worth] > strength:
                return worth
        return len(self.ranks)

    def __len__(self) -> int:
        return len(self.ranks)


@lru_cache(maxsize=2)
def five_tables(*, suited_wheel: bool = True) -> tuple[FiveTables, Worths]:
    """The tables for five to seven cards; without `suited_wheel` a suited 5-4-3-2-A is only a flush."""
    path = cache_folder() / f"five-{'with' if suited_wheel else 'without'}-wheel.npz"
    five = list(_rank_counts(5))
    keys = sorted(
        {_unsuited(counts) for counts in five} | set(_flush_keys(suited_wheel=suited_wheel).values())
    )
    worths = _worths(keys, FIVE_CARD_ORDER)
    saved = _load(path)
    if saved is None:
        saved = _build_five({key: worth for worth, key in enumerate(keys)}, suited_wheel=suited_wheel)
        _save(path, saved)
    keys_of_cards = [1 << 3 * (card // 4) | 1 << RANK_BITS + 4 * (card % 4) for card in range(52)]
    keys_of_cards += [NO_CARD] * (256 - 52)
    return FiveTables(np.array(keys_of_cards, np.uint64), *(saved[name] for name in _SAVED)), worths


@lru_cache(maxsize=1)
def three_tables() -> tuple[ThreeTables, Worths]:
    """The tables for three cards."""
    unsuited = {ranks: _three(ranks, suited=False) for ranks in _rank_triples()}
    suited = {ranks: _three(ranks, suited=True) for ranks in unsuited if len(set(ranks)) == 3}
    keys = sorted({*unsuited.values(), *suited.values()})
    worth = {key: number for number, key in enumerate(keys)}
    tables = ThreeTables(np.full(13**3, -1, np.int16), np.full(13**3, -1, np.int16))
    for a in range(13):
        for b in range(13):
            for c in range(13):
                ranks = tuple(sorted((a, b, c), reverse=True))
                place = (a * 13 + b) * 13 + c
                tables.unsuited[place] = worth[unsuited[ranks]]
                tables.suited[place] = worth[suited[ranks]] if ranks in suited else -1
    return tables, _worths(keys, THREE_CARD_ORDER)


def _worths(keys: list[Key], order: tuple[HandClass, ...]) -> Worths:
    return Worths(
        order=order,
        classes=np.array([strength for strength, _ in keys], np.int8),
        ranks=tuple(tuple(Rank(rank + 2) for rank in ranks) for _, ranks in keys),
    )


_SAVED = FiveTables._fields[1:]


def _load(path: Path) -> dict[str, NDArray[Any]] | None:
    try:
        with np.load(path) as saved:
            return {name: saved[name] for name in _SAVED}
    except (OSError, ValueError, KeyError):
        return None


def _save(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write the tables whole or not at all; who comes second writes the same bytes."""
    draft = path.with_name(f"{path.stem}-{id(arrays)}.npz")
    np.savez(draft, allow_pickle=False, **arrays)
    draft.replace(path)


# --- five to seven cards --------------------------------------------------------------------------------


def _rank_counts(cards: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread this many cards over thirteen ranks of four."""

    def spread(left: int, ranks: int) -> Iterator[tuple[int, ...]]:
        if ranks == 0:
            if left == 0:
                yield ()
            return
        for count in range(min(4, left) + 1):
            for rest in spread(left - count, ranks - 1):
                yield (*rest, count)

    return spread(cards, 13)


def _build_five(worth: dict[Key, int], *, suited_wheel: bool) -> dict[str, NDArray[Any]]:
    flushes = np.full(1 << 13, -1, np.int16)
    for ranks, key in _flush_keys(suited_wheel=suited_wheel, most=7).items():
        flushes[ranks] = worth[key]
    rows, values = _hash(worth, (7,))
    few_rows, few_values = _hash(worth, (5, 6))
    return dict(zip(_SAVED, (rows, values, few_rows, few_values, flushes), strict=True))


def _hash(worth: dict[Key, int], sizes: tuple[int, ...]) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """A perfect hash from rank counts to worths: rows with a displacement each, and slots."""
    spreads = [counts for cards in sizes for counts in _rank_counts(cards)]
    packed = np.array([sum(c << 3 * r for r, c in enumerate(counts)) for counts in spreads], np.uint64)
    with np.errstate(over="ignore"):
        mixed = packed * MIX
    row = (mixed >> ROW_SHIFT).astype(np.int64)
    column = ((mixed >> SLOT_SHIFT) & SLOT_MASK).astype(np.int64)
    by_row = np.argsort(row, kind="stable")
    counts_in_row = np.bincount(row, minlength=1 << ROW_BITS)
    starts = np.concatenate([[0], np.cumsum(counts_in_row)]).astype(np.int64)
    rows = np.zeros(1 << ROW_BITS, np.uint8)
    fullest_first = np.argsort(-counts_in_row, kind="stable")
    check(place_rows(column[by_row], fullest_first, starts, rows), "the hash has room")
    values = np.full(1 << SLOT_BITS, -1, np.int16)
    slot = column ^ rows[row]
    check(len(np.unique(slot)) == len(slot), "the hash is perfect")
    values[slot] = [worth[_unsuited(counts)] for counts in spreads]
    return rows, values


def _top_run(ranks: int, length: int) -> int | None:
    """The top rank of the highest run among ranks given as bits; the ace also counts as one."""
    for top in range(ACE, length - 2, -1):
        run = ((1 << length) - 1) << (top - length + 1)
        if ranks & run == run:
            return top
    low = 1 << ACE | ((1 << (length - 1)) - 1)
    return length - 2 if ranks & low == low else None


def _unsuited(counts: tuple[int, ...]) -> Key:
    """The best five cards of these ranks when no suit makes a flush."""
    by_count = sorted(
        (rank for rank in range(13) if counts[rank]), key=lambda r: (counts[r], r), reverse=True
    )
    first, others = by_count[0], sorted(by_count[1:], reverse=True)
    second = next((rank for rank in others if counts[rank] >= 2), None)
    if counts[first] == 4:
        return _key(HandClass.FOUR_OF_A_KIND, first, others[0])
    if counts[first] == 3 and second is not None:
        return _key(HandClass.FULL_HOUSE, first, second)
    top = _top_run(sum(1 << rank for rank in by_count), 5)
    if top is not None:
        return _key(HandClass.STRAIGHT, top)
    if counts[first] == 3:
        return _key(HandClass.THREE_OF_A_KIND, first, *others[:2])
    if counts[first] == 2 and second is not None:
        return _key(HandClass.TWO_PAIRS, first, second, max(rank for rank in others if rank != second))
    if counts[first] == 2:
        return _key(HandClass.ONE_PAIR, first, *others[:3])
    return _key(HandClass.ODD_CARDS, first, *others[:4])


def _key(hand_class: HandClass, *ranks: int) -> Key:
    return FIVE_CARD_ORDER.index(hand_class), ranks


def _flush_keys(*, suited_wheel: bool, most: int = 5) -> dict[int, Key]:
    """The best hand of five or more cards of one suit, by their ranks as bits."""
    keys: dict[int, Key] = {}
    for size in range(5, most + 1):
        for ranks in combinations(range(ACE, -1, -1), size):
            bits = sum(1 << rank for rank in ranks)
            top = _top_run(bits, 5)
            if top == 3 and not suited_wheel:
                top = None
            if top is None:
                keys[bits] = _key(HandClass.FLUSH, *ranks[:5])
            else:
                royal = top == ACE
                keys[bits] = _key(HandClass.ROYAL_FLUSH if royal else HandClass.STRAIGHT_FLUSH, top)
    return keys


# --- three cards ----------------------------------------------------------------------------------------


def _rank_triples() -> Iterator[tuple[int, ...]]:
    for a in range(13):
        for b in range(a + 1):
            for c in range(b + 1):
                yield a, b, c


def _three(ranks: tuple[int, ...], *, suited: bool) -> Key:
    """Three cards by their ranks from the top."""
    a, b, c = ranks

    def key(hand_class: HandClass, *deciding: int) -> Key:
        return THREE_CARD_ORDER.index(hand_class), deciding

    top = _top_run(1 << a | 1 << b | 1 << c, 3)
    if top is not None:
        return key(HandClass.STRAIGHT_FLUSH if suited else HandClass.STRAIGHT, top)
    if a == b == c:
        return key(HandClass.THREE_OF_A_KIND, a)
    if a == b or b == c:
        return key(HandClass.ONE_PAIR, b, c if a == b else a)
    return key(HandClass.FLUSH if suited else HandClass.ODD_CARDS, *ranks)
