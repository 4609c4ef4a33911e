"""MBS 5.16, RWS 5.7, Hoiana 7.1.4: what a power failure leaves each player with, under both letters of R-POWER."""

from __future__ import annotations

import pytest

from pitboss.money import Cents
from pitboss.play.facts import Seat, Status
from pitboss.play.interruption import rights_after_interruption
from pitboss.rulebooks import WagerName, load_plan


def hand(position: int, *, folded: bool = False, jackpot: bool = False, player: str = "") -> Seat:
    stakes = {WagerName("ante"): Cents(2500)} | ({WagerName("jackpot"): Cents(500)} if jackpot else {})
    return Seat(
        position=position,
        player=player or f"p{position}",
        cards=(),
        status=Status.FOLDED if folded else Status.PLAYED,
        wagers=stakes,
    )


@pytest.mark.parametrize(
    ("book", "letter", "then", "refund", "clause"),
    [
        ("mbs-thb-9", "a", "continue", 0, "5.16.2"),
        ("mbs-thb-9", "b", "option-to-withdraw", 2500, "5.16.1"),
        ("mbs-3cp-2023", "a", "continue", 0, "5.16.2"),
        ("mbs-3cp-2023", "b", "option-to-withdraw", 2500, "5.16.1"),
        ("mbs-stud-6", "a", "continue", 0, "5.16.2"),
        ("mbs-stud-6", "b", "option-to-withdraw", 2500, "5.16.1"),
        ("rws-thp-2", "a", "continue", 0, "5.7.1"),
        ("rws-thp-2", "b", "void", 2500, "5.7.2"),
        ("hoiana-thb-2025", "a", "ruling", 0, "7.1.4"),
        ("hoiana-thb-2025", "b", "ruling", 0, "7.1.4"),
    ],
)
def test_another_player_has_folded(book: str, letter: str, then: str, refund: int, clause: str) -> None:
    plan = load_plan(book, {"R-POWER": letter})
    _, undecided = rights_after_interruption(plan, [hand(1, folded=True), hand(2)], exposed=())
    assert (undecided.then, undecided.refund) == (then, refund)
    assert clause in undecided.clauses


@pytest.mark.parametrize(
    ("book", "then", "refund"),
    [
        ("mbs-thb-9", "option-to-withdraw", 3000),
        ("rws-thp-2", "void", 3000),
        ("hoiana-thb-2025", "ruling", 0),
    ],
)
def test_nothing_is_decided(book: str, then: str, refund: int) -> None:
    jackpot = book != "hoiana-thb-2025"
    (right,) = rights_after_interruption(load_plan(book), [hand(1, jackpot=jackpot)], exposed=())
    assert (right.then, right.refund) == (then, refund)


def test_an_open_flop_decides_a_jackpot_hand_but_no_hand_without_one() -> None:
    plan = load_plan("mbs-thb-9", {"R-POWER": "b"})
    with_jackpot, without = rights_after_interruption(
        plan, [hand(1, jackpot=True), hand(2)], exposed={"flop"}
    )
    assert (with_jackpot.then, without.then) == ("continue", "option-to-withdraw")


def test_a_player_with_several_hands_is_one_player() -> None:
    plan = load_plan("mbs-thb-9", {"R-POWER": "b"})
    hands = [hand(1, folded=True, player="p1"), hand(2, player="p1"), hand(3)]
    assert [right.then for right in rights_after_interruption(plan, hands, exposed=())] == [
        "continue",
        "continue",
        "option-to-withdraw",
    ]


@pytest.mark.parametrize("book", ["mbs-3cp-2023", "mbs-stud-6", "mbs-thb-9"])
def test_the_dealer_s_cards_decide_for_everybody(book: str) -> None:
    rights = rights_after_interruption(load_plan(book), [hand(1), hand(2)], exposed={"dealer"})
    assert {right.then for right in rights} == {"continue"}
