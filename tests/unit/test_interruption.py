"""MBS 5.16, RWS 5.7, Hoiana 7.1.4: for whom an outcome is established, under both letters of R-POWER."""

from __future__ import annotations

import pytest

from pitboss.money import Cents
from pitboss.play.interruption import positions_with_outcome
from pitboss.play.table import Box, Fate, Stage, State, Terms, open_table
from pitboss.rulebooks import WagerName, load_plan


def table(book: str, letter: str, *boxes: Box, revealed: tuple[str, ...] = ()) -> State:
    plan = load_plan(book, {"R-POWER": letter})
    terms = Terms(plan=plan, procedure=plan.procedures[0], positions=6, limits={}, jackpot=None)
    state = open_table(terms, {})
    return state._replace(
        stage=Stage.PLAYING, boxes={box.position: box for box in boxes}, revealed=frozenset(revealed)
    )


def hand(position: int, *, fate: Fate = Fate.IN_PLAY, jackpot: bool = False, player: str = "") -> Box:
    player = player or f"p{position}"
    stakes = {WagerName("ante"): {player: Cents(2500)}}
    if jackpot:
        stakes[WagerName("jackpot")] = {player: Cents(500)}
    return Box(position=position, player=player, stakes=stakes, fate=fate)


BOOKS = ["mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2", "hoiana-thb-2025"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("fate", [Fate.FOLDED, Fate.FOLDED_BY_ABSENCE])
def test_a_fold_establishes_an_outcome_for_the_table_or_for_its_player(book: str, fate: Fate) -> None:
    boxes = hand(1, fate=fate), hand(2)
    assert positions_with_outcome(table(book, "a", *boxes)) == {1, 2}
    assert positions_with_outcome(table(book, "b", *boxes)) == {1}


@pytest.mark.parametrize("book", BOOKS)
def test_cards_nobody_has_acted_on_decide_nothing(book: str) -> None:
    jackpot = book != "hoiana-thb-2025"
    assert positions_with_outcome(table(book, "a", hand(1, jackpot=jackpot))) == set()
    assert positions_with_outcome(table(book, "a", hand(1, fate=Fate.INVALID_BY_ABSENCE), hand(2))) == set()


def test_an_open_flop_decides_a_jackpot_hand_but_no_hand_without_one() -> None:
    boxes = hand(1, jackpot=True), hand(2)
    assert positions_with_outcome(table("mbs-thb-9", "b", *boxes, revealed=("flop",))) == {1}
    assert positions_with_outcome(table("mbs-thb-9", "a", *boxes, revealed=("flop",))) == {1, 2}


def test_a_player_with_several_hands_is_one_player() -> None:
    hands = hand(1, fate=Fate.FOLDED, player="p1"), hand(2, player="p1"), hand(3)
    assert positions_with_outcome(table("mbs-thb-9", "b", *hands)) == {1, 2}


@pytest.mark.parametrize("book", BOOKS)
def test_the_dealer_s_cards_decide_for_everybody(book: str) -> None:
    assert positions_with_outcome(table(book, "b", hand(1), hand(2), revealed=("dealer",))) == {1, 2}
