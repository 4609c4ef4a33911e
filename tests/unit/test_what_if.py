"""What-ifs: one figure of a rulebook changed."""

from __future__ import annotations

import pytest

from pitboss.cards import HandClass
from pitboss.errors import BadInput
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.plan import FixedAward, ForOne, MeterShare, Pay, ToOne


@pytest.mark.parametrize(
    ("book", "change", "wager", "row", "pay"),
    [
        ("mbs-3cp-2023", "pair-plus.straight=6", "pair-plus", "straight", ToOne(6)),
        ("mbs-stud-6", "bet.royal-flush=100", "bet", "royal-flush", ToOne(100)),
        ("mbs-stud-6", "jackpot.flush=50", "jackpot", "flush", FixedAward(5000)),  # type: ignore[arg-type]
        ("mbs-thb-9", "jackpot.flush=50", "jackpot", "flush", ForOne(50)),
        ("mbs-thb-9", "jackpot.straight-flush=20", "jackpot", "straight-flush", MeterShare(20)),
        ("mbs-thb-9", "jackpot.three-of-a-kind=5", "jackpot", "three-of-a-kind", ForOne(5)),
        ("mbs-thb-9", "bonus.a-a-both=500", "bonus", "a-a-both", ToOne(500)),
        ("mbs-thb-9", "ante.flush=2", "ante", "flush", ToOne(2)),
        ("mbs-thb-9", "bonus.low-pairs=none", "bonus", "low-pairs", None),
    ],
)
def test_a_row(book: str, change: str, wager: str, row: str, pay: Pay | None) -> None:
    before, after = load_plan(book), load_plan(book, changes=[change])
    assert after.wager(wager).pays.rows.get(row) == pay
    others = {key: value for key, value in before.wager(wager).pays.rows.items() if key != row}
    assert {key: value for key, value in after.wager(wager).pays.rows.items() if key != row} == others
    assert after.digest != before.digest


def test_the_hand_from_which_the_ante_is_paid() -> None:
    rows = load_plan("rws-thp-2", changes=["ante.pays-from=flush"]).wager("ante").pays.rows
    assert HandClass.STRAIGHT not in rows
    assert HandClass.FLUSH in rows


def test_the_size_of_a_continue_wager() -> None:
    assert load_plan("mbs-thb-9", changes=["flop.times=3"]).wager("flop").times == 3


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("pair-plus.strait=6", "did you mean 'straight'?"),
        ("pairplus.straight=6", "did you mean 'pair-plus'?"),
        ("pair-plus.straight", "sets nothing"),
        ("pair-plus.straight=six", "is no pay"),
        ("pair-plus.straight=-6", "is no pay"),
        ("pair-plus.pays-from=flush", "has no 'pays-from'"),
        ("pair-plus.straight=10%", "is no pay here"),
        ("play.times=0", "is no size"),
    ],
)
def test_what_cannot_be_changed(change: str, says: str) -> None:
    with pytest.raises(BadInput, match=r".") as caught:
        load_plan("mbs-3cp-2023", changes=[change])
    assert says in str(caught.value)
