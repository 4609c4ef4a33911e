"""Exhaustive histories on a reduced deck, a book each: the counts are pinned, a failure prints the split."""

from __future__ import annotations

import os
from math import comb

import pytest

from support.histories import DECKS, histories

pytestmark = [pytest.mark.whole, pytest.mark.kind("kernels")]

HOLDEM = {
    "deals": 15120, "flop bet": 15120, "flop fold": 15120, "turn bet": 15120, "turn check": 15120,
    "river bet": 30240, "river check": 30240, "net -5": 7360, "net -4": 14720, "net -3": 7360, "net -1": 15120,
    "net +0": 1600, "net +2": 3520, "net +3": 10880, "net +4": 11200, "net +5": 3840,
}  # fmt: skip

PINNED = {
    ("mbs-thb-9", "method-a"): HOLDEM,
    ("hoiana-thb-2025", "automated"): HOLDEM,
    ("rws-thp-2", "shuffler"): HOLDEM,
    ("mbs-3cp-2023", "method-a"): {
        "deals": 1680, "play bet": 1680, "play fold": 1680, "net -2": 833, "net -1": 1680, "net +1": 283,
        "net +2": 506, "net +3": 19, "net +6": 15, "net +7": 24,
    },
    ("mbs-stud-6", "automated"): {
        "deals": 2772, "bet bet": 2772, "bet fold": 2772, "net -3": 1272, "net -1": 2772, "net +1": 1188,
        "net +3": 237, "net +7": 57, "net +9": 12, "net +501": 6,
    },
}  # fmt: skip


SHORT = (("mbs-thb-9", "method-a"), ("mbs-3cp-2023", "method-a"), ("mbs-stud-6", "automated"))
"""A hold'em game of three in `make test`, all in `make prove`."""
TRIED = tuple(PINNED) if os.environ.get("PROVE_LONG") else SHORT


@pytest.mark.parametrize(("book", "procedure"), TRIED, ids=[f"{b} {p}" for b, p in TRIED])
def test_histories(book: str, procedure: str) -> None:
    counts = histories(book, procedure)
    assert dict(counts) == PINNED[book, procedure], f"the split of {book}: {dict(sorted(counts.items()))}"


def test_the_deals_counted_are_all_there_are() -> None:
    """Nine cards as flop, turn, river, hand and dealer's; nine as hand, dealer's, two kept and one burned; of
    eleven, five and five."""
    assert len(DECKS["mbs-thb-9"].split()) == 9
    assert HOLDEM["deals"] == comb(9, 3) * 6 * 5 * comb(4, 2)
    assert PINNED["mbs-3cp-2023", "method-a"]["deals"] == comb(9, 3) * comb(6, 3)
    assert PINNED["mbs-stud-6", "automated"]["deals"] == comb(11, 5) * comb(6, 5)
