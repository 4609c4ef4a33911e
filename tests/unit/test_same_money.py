"""`pitboss run` and a floor with one table play the same scripts to the same money, and both verifiers agree."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.floor import requests as q
from pitboss.money import Cents, to_units
from pitboss.rulebooks import load_plan
from support import BOOKS
from support.floor import House
from support.linked_floors import a_floor_on_one_link_is_right_for_both_verifiers
from support.same_money import (
    a_script_moves_the_same_money_on_a_floor,
    by_both_verifiers,
    random_readings,
    script_moves_the_same_money,
    written_script,
)


@pytest.mark.parametrize("book", BOOKS)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**48))
def test_a_script_moves_the_same_money_on_a_floor(book: str, seed: int) -> None:
    a_script_moves_the_same_money_on_a_floor(book, seed, more=True)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**48))
def test_tables_on_one_link_are_right_for_both_verifiers(seed: int) -> None:
    a_floor_on_one_link_is_right_for_both_verifiers(seed)


@pytest.mark.parametrize(
    ("book", "seed", "sets"),
    [
        ("mbs-3cp-2023", 3008, 40),  # R-CONTRIB=b, a whole win undone
        ("mbs-thb-9", 500013, 400),  # R-CONTRIB=b and R-FIXED-FUND=b, a return undone in part
        ("rws-thp-2", 500025, 400),  # an award that resets the meter spends the reserve of its own round
        ("mbs-stud-6", 500026, 400),  # R-METER-RETURN=b, a whole win with a returned stake undone
        ("mbs-thb-9", 600033, 400),  # a share of a position goes back, then its hand, then the round is void
        ("hoiana-thb-2025", 1, 400),
    ],
)
def test_the_record_on_disk_is_right_for_both_verifiers(
    book: str, seed: int, sets: int, tmp_path: Path
) -> None:
    a_script_moves_the_same_money_on_a_floor(book, seed, sets=sets, folder=tmp_path / "floor")


@pytest.mark.parametrize("book", BOOKS)
def test_every_letter_of_every_reading_is_drawn(book: str) -> None:
    readings = load_plan(book).book.readings
    wanted = {(label, letter) for label, reading in readings.items() for letter in reading.options}
    drawn = [set(random_readings(book, Random(number)).items()) for number in range(40)]
    assert wanted == set.union(*drawn)


def test_a_return_that_is_undone_puts_in_again_what_had_gone_back() -> None:
    """R-CONTRIB=b: the stakes leave the handle with the meter won whole, and come again when it is not."""
    house = House()
    house.link()
    house.table("mbs-stud-6", rulebook=house.book("mbs-stud-6", R_CONTRIB="b"), link="mega", scanned=True)
    house.stack("Ah Kh Qh Jh Th 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5")
    house.steps("p2@2: wager ante 25", "p2@2: wager jackpot 5", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: view", "p1@1: bet bet", "p2@2: bet bet", "dealer: reveal dealer", "dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    won = house.floor.link("mega")
    assert (won.meter, won.wagers_in, won.reserve) == (to_units(Cents(10_000_000)), 0, 0)
    house.steps("pit-manager: report wrong-count 1 reconstructable=no")
    link = house.floor.link("mega")
    assert (link.meter, link.wagers_in) == (to_units(Cents(30_000_000)) + 500 * 2_000, to_units(Cents(500)))
    assert link.reserve == 500 * 500
    assert by_both_verifiers(house) == ([], {})


WON_WHOLE = (
    "dealer: open bets",
    *(f"p{n - 2}@{n}: wager {wager}" for n in (3, 4) for wager in ("ante 25", "jackpot 5")),
    "dealer: close bets", "dealer: deal", "p1@3: fold", "p2@4: fold", "dealer: reveal dealer", "dealer: settle",
)  # fmt: skip


@pytest.mark.parametrize("meter", [10_000_037, 10_000_099, 30_000_037])
@pytest.mark.parametrize("floor", ["a", "b"])
@pytest.mark.parametrize("cut", ["a", "b", "c"])
@pytest.mark.parametrize("gone", ["3", "dealer"])
def test_a_meter_won_whole_again_keeps_what_rounding_leaves_on_it(
    meter: int, floor: str, cut: str, gone: str
) -> None:
    """A hand out of a settled round changes what the royal takes, and with it what is cut off."""
    script = written_script(
        "mbs-stud-6",
        (*WON_WHOLE, f"assistant-director: report wrong-count {gone} reconstructable=no"),
        ["5c 6c 7c 8c 9c Ah Kh Qh Jh Th 3d 7s Ts Js 8d"],
        readings={"R-METERFLOOR": floor, "R-ROUND": cut},
        meter=meter,
    )
    script_moves_the_same_money(script, "won whole")
