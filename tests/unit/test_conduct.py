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


MBS_POWERS = {
    "place-wagers": "dealer",  # 3.6
    "look-at-hand": "pit-supervisor",  # 3.10.1, 3.10.3
    "restrict-to-one-position": "pit-manager",  # 3.4.3
    "bar-player": "shift-manager",  # 5.9
    "stop-multiple-hands": "shift-manager",  # 5.10.3
    "decide-uncovered": "shift-manager",  # 6.1
}
POWERS = {
    "mbs-thb-9": MBS_POWERS,
    "mbs-3cp-2023": MBS_POWERS,
    "mbs-stud-6": MBS_POWERS,
    "hoiana-thb-2025": {
        "restrict-to-one-position": "pit-manager",  # 4.7.3
        "invalidate-game": "pit-manager",  # 7.1: the House
        "judge-reconstruction": "pit-manager",  # 7.8: the House
        "decide-uncovered": "assistant-director",  # 7.13
        "resolve-dispute": "pit-manager",  # 8.1
    },
    "rws-thp-2": {
        "place-wagers": "dealer",  # 5.22, 1.18
        "judge-extra-view": "pit-supervisor",  # 5.18
        "order-simultaneous-cards": "pit-supervisor",  # 5.14
        "judge-reconstruction": "pit-manager",  # 5.9: the House
        "order-jackpot-hits": "pit-manager",  # 4.5.2: the House
        "jackpot-outage": "pit-manager",  # 5.17.2: the House
        "decide-uncovered": "shift-manager",  # 5.23
        "interpret": "shift-manager",  # 5.23
    },
}
"""Who may do what, as the documents have it; the House without a position is a Pit Manager or above."""

SEPARATE_TABLES = {
    "mbs-thb-9": "entered-first",  # 3.14
    "mbs-3cp-2023": "entered-first",  # 3.17
    "mbs-stud-6": "entered-first",  # 3.14
    "rws-thp-2": "dealt-first",  # 4.5.2
}
"""Which of the winners at separate tables comes first; nothing links tables yet."""


def check_book(book: str) -> None:
    """The orders a book's rows name, what takes two signatures, its authorities and its order between tables."""
    plan = load_plan(book)
    assert {rule.power.value: rule.position.value for rule in plan.book.authorities.powers} == POWERS[book]
    if plan.book.jackpot is not None:
        assert plan.book.jackpot.separate_tables.value == SEPARATE_TABLES[book]
    found: dict[str, list[str]] = {}
    for kind, rows in plan.remedies.items():
        named = [" ".join(sorted(row.orders)) for row in rows if row.orders]
        if named:
            found[kind.value] = named
    assert found == ORDERS[book]
    late = load_plan(book, {label: "a" for label in plan.readings if label == "R-LATE-COUNT"})
    signed = [kind.value for kind, rows in late.remedies.items() if any(row.second_signature for row in rows)]
    assert signed == ([] if book == "rws-thp-2" else ["count-doubt"])  # MBS 5.8, Hoiana 7.7


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
    folded = "the player is deemed to have folded; the jackpot stays alive"
    assert [then for _, then, _ in told("rws-thp-2", "absent")[:3]] == [folded] * 3
    assert told("rws-thp-2", "absent")[3][2] == ("5.6",)
    assert [clauses for _, _, clauses in told("hoiana-thb-2025", "absent")][:2] == [("7.11",), ("7.11.1",)]


def test_sizes_and_limits_in_each_book() -> None:
    assert told("rws-thp-2", "under-minimum") == [
        ("it is noticed before the close", "it is put right before it is taken", ("5.2", "3.4")),
        ("it is found at settlement", "settled as it lies", ("5.2.1",)),
    ]
    assert told("mbs-stud-6", "under-minimum") == [
        (
            "it is found at settlement",
            "settled once; after a warning such stakes of that player are returned",
            ("5.13",),
        ),
        (
            "the one time is used up",
            "by a settlement that paid or collected such a stake, or a later wager on it",
            ("5.13",),
        ),
    ]
    assert told("hoiana-thb-2025", "over-maximum")[1] == (
        "later wagers are measured by it",
        "each area has as many times the maximum as its wager is times the first",
        ("7.10",),
    )
    assert [when for when, _, _ in told("mbs-3cp-2023", "wrong-size")] == [
        "it is placed",
        "it is found too large at settlement",
        "it is found too small at settlement",
    ]
    assert told("hoiana-thb-2025", "wrong-size")[0][0] == "it is found too large at settlement"


def test_wagers_without_their_base() -> None:
    assert [clauses for _, _, clauses in told("mbs-stud-6", "without-base-wager")][1] == ("5.12", "5.12.2")
    assert all("bonus" in when.lower() for when, _, _ in told("hoiana-thb-2025", "without-base-wager"))
