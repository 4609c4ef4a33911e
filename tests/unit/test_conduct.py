"""Measures that may follow an irregularity, and what is told about conduct, in each book as its document has it."""

from __future__ import annotations

import pytest

from pitboss.rulebooks import load_plan
from pitboss.rulebooks.conduct import CONDUCT
from support import BOOKS

MBS = {
    "confidentiality": ["bar"],  # 5.9, also when no hand is in play
    "multiple-hands": ["restrict", "restrict"],  # 5.10.3
    "jackpot-failure": ["suspend-jackpot", "block close-table suspend-jackpot"],
    "uncovered": ["bar block close-table restrict suspend-jackpot"],  # 6.1
}
ORDERS = {
    "mbs-thb-9": MBS,
    "mbs-3cp-2023": MBS,
    "mbs-stud-6": MBS,
    "hoiana-thb-2025": {
        "confidentiality": ["bar"],
        "multiple-hands": ["restrict", "restrict"],  # 4.7.3
        "uncovered": ["bar block close-table restrict"],  # 7.13; there is no jackpot
    },
    "rws-thp-2": {
        "confidentiality": ["bar"],
        "jackpot-failure": ["block close-table suspend-jackpot"] * 3,  # 5.17.2
        "uncovered": ["bar block close-table suspend-jackpot"],  # 5.23; nobody may restrict
    },
}
"""For each kind the orders of its rows, those without any left out."""


def check_book(book: str) -> None:
    """The orders a book's rows name are those its document knows."""
    found: dict[str, list[str]] = {}
    for kind, rows in load_plan(book).remedies.items():
        named = [" ".join(sorted(row.orders)) for row in rows if row.orders]
        if named:
            found[kind.value] = named
    assert found == ORDERS[book]


@pytest.mark.parametrize("book", BOOKS)
def test_orders_that_may_follow(book: str) -> None:
    check_book(book)


def told(book: str, kind: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(row.when, row.then, row.clauses) for row in CONDUCT[kind](load_plan(book))]


def test_absence_in_each_book() -> None:
    assert told("mbs-thb-9", "absent")[0] == (
        "the flop decision is due",
        "the hand becomes invalid; back go Ante, Bonus, Progressive Jackpot",
        ("5.11",),
    )
    assert [then for _, then, _ in told("rws-thp-2", "absent")[:3]] == [
        "the player is deemed to have folded"
    ] * 3
    assert told("rws-thp-2", "absent")[3][2] == ("5.6",)
    assert [clauses for _, _, clauses in told("hoiana-thb-2025", "absent")][:2] == [("7.11",), ("7.11.1",)]


def test_sizes_and_limits_in_each_book() -> None:
    assert told("rws-thp-2", "under-minimum") == [
        ("before the close", "it is put right before it is taken", ("5.2", "3.4")),
        ("at settlement", "settled as it lies", ("5.2.1",)),
    ]
    assert len(told("mbs-stud-6", "under-minimum")) == 1
    assert [when for when, _, _ in told("mbs-3cp-2023", "wrong-size")] == [
        "when it is placed",
        "too large, at settlement",
        "too small, at settlement",
    ]
    assert told("hoiana-thb-2025", "wrong-size")[0][0] == "too large, at settlement"


def test_wagers_without_their_base() -> None:
    assert [clauses for _, _, clauses in told("mbs-stud-6", "without-base-wager")][1] == ("5.12", "5.12.2")
    assert all("bonus" in when.lower() for when, _, _ in told("hoiana-thb-2025", "without-base-wager"))
