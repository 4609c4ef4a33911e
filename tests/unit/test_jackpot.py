"""Jackpot awards: who shares, in what order, of which meter, to the unit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pitboss.cards import HandClass
from pitboss.money import Cents, LedgerUnits
from pitboss.play import read_facts, settle
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.sharing import Claim, MeterResult, award_meter, contribution
from support import facts, money, seat, settled

ROYAL, STEEL = HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH
UNITS = 100 * 10_000
"""Ledger units in one unit of currency."""


def awarded(
    book: str, hands: list[HandClass], meter: int, reset: int, readings: dict[str, str] | None = None
) -> MeterResult:
    policy = load_plan(book, readings).jackpot
    assert policy is not None
    claims = [
        Claim(seat=index, hand_class=hand, percent=100 if hand is ROYAL else 10)
        for index, hand in enumerate(hands)
    ]
    return award_meter(policy.sharing, claims, meter=LedgerUnits(meter * UNITS), reset=Cents(reset * 100))


def amounts(result: MeterResult) -> list[float]:
    return [award.amount / 100 for award in sorted(result.awards, key=lambda award: award.seat)]


@pytest.mark.parametrize(
    ("book", "hands", "expected", "after"),
    [
        ("mbs-thb-9", [STEEL], [30_000], 270_000),
        ("mbs-thb-9", [ROYAL], [300_000], 100_000),
        ("mbs-thb-9", [STEEL, STEEL], [28_500, 28_500], 243_000),
        ("mbs-thb-9", [ROYAL, STEEL], [270_000, 30_000], 100_000),
        ("mbs-thb-9", [STEEL, ROYAL], [30_000, 270_000], 100_000),
        ("mbs-stud-6", [ROYAL, ROYAL], [200_000, 200_000], 100_000),
        ("mbs-stud-6", [ROYAL] * 4, [150_000] * 4, 100_000),
        # Two royals and a straight flush: (0.9 M + R) / 2 each after a tenth.
        ("mbs-stud-6", [ROYAL, STEEL, ROYAL], [185_000, 30_000, 185_000], 100_000),
        ("mbs-stud-6", [STEEL] * 3, [27_100] * 3, 218_700),
        ("rws-thp-2", [STEEL, STEEL], [30_000, 27_000], 243_000),
        ("rws-thp-2", [ROYAL, STEEL], [300_000, 10_000], 90_000),
        ("rws-thp-2", [STEEL, ROYAL], [30_000, 270_000], 100_000),
    ],
)
def test_several_winners_at_one_table(
    book: str, hands: list[HandClass], expected: list[int], after: int
) -> None:
    result = awarded(book, hands, 300_000, 100_000)
    assert amounts(result) == expected
    assert result.after == after * UNITS


def test_lower_hands_are_paid_first_and_the_royal_last() -> None:
    """3.15.2, 3.15.3: the order of payment, whatever the order of the deal; clockwise it is the deal's (RWS 4.5.1)."""
    assert [award.seat for award in awarded("mbs-stud-6", [ROYAL, STEEL], 300_000, 100_000).awards] == [1, 0]
    assert [award.seat for award in awarded("rws-thp-2", [ROYAL, STEEL], 300_000, 100_000).awards] == [0, 1]


@pytest.mark.parametrize(
    "hands", [[STEEL], [STEEL] * 2, [STEEL] * 3, [ROYAL], [ROYAL] * 3, [ROYAL, STEEL, STEEL]]
)
@pytest.mark.parametrize("book", ["mbs-stud-6", "rws-thp-2"])
def test_fractions_of_a_cent_stay_in_the_pool(book: str, hands: list[HandClass]) -> None:
    policy = load_plan(book).jackpot
    assert policy is not None
    claims = [
        Claim(seat=i, hand_class=hand, percent=100 if hand is ROYAL else 10) for i, hand in enumerate(hands)
    ]
    meter, reset = LedgerUnits(2_345_678_912_345_677), Cents(10_000_001)
    result = award_meter(policy.sharing, claims, meter=meter, reset=reset)
    paid = sum(award.amount for award in result.awards) * 10_000
    assert meter + result.house_funded - paid == result.after
    assert result.house_funded == hands.count(ROYAL) * reset * 10_000
    if len(set(hands)) == 1 and book == "mbs-stud-6":
        assert len({award.amount for award in result.awards}) == 1


def test_awards_of_the_reset_value_never_take_the_meter_below_nothing() -> None:
    """R-RESET=b with a meter far below its reset value: what the meter lacks is drawn on the reset."""
    result = awarded("mbs-thb-9", [STEEL, STEEL], 1_000, 100_000, {"R-RESET": "b"})
    assert amounts(result) == [5_050, 5_050]
    assert (result.after, result.house_funded) == (0, 9_100 * UNITS)


def test_a_contribution_is_exact_to_the_unit() -> None:
    assert contribution(Cents(500), increment_bp=2000) == 100 * 10_000
    assert contribution(Cents(501), increment_bp=1) == 501
    assert contribution(Cents(2500), increment_bp=0) == 0


@pytest.mark.parametrize(
    ("multiple", "hand", "community", "paid"),
    [
        (1, "9s 9d", "9h 9c Kd 4h 2c", "2000.00"), (5, "9s 9d", "9h 9c Kd 4h 2c", "10000.00"),
        (3, "9s Kh", "9h 9c Kd 4h 2c", "1200.00"), (2, "Ad 3d", "9d Kd 7d 4h 2c", "400.00"),
        (4, "8s 7h", "9h Tc Jd 4h 2c", "400.00"), (5, "As 5h", "4h 3c 2d 9h Kc", "500.00"),
        (5, "Ts Js", "7s 8s 9s 4h 2c", "30000.00"), (5, "As Ks", "Ts Js Qs 4h 2c", "300000.00"),
        (5, "9s Kh", "9h 9c 2d 4h 2c", "0.00"),
    ],
)  # fmt: skip
def test_multiples_scale_odds_and_never_percentages(
    multiple: int, hand: str, community: str, paid: str
) -> None:
    """3.5.3.1 over table 4.2."""
    document = facts(
        "mbs-thb-9",
        seat(hand, f"ante 25 flop 50 jackpot {5 * multiple}"),
        community=community,
        dealer="6c 6d",
    )
    assert money(settled(document), "jackpot") == ("0.00", f"{5 * multiple}.00", paid)


def test_the_stud_royal_flush_is_counted_once_for_the_bet_and_once_for_the_meter() -> None:
    document = facts(
        "mbs-stud-6", seat("As Ks Qs Js Ts", "ante 25 bet 50 jackpot 5"), dealer="Ac Kd 6d 2h 3c"
    )
    result = settled(document)
    assert money(result, "bet") == ("50.00", "0.00", "12500.00")
    assert money(result, "jackpot") == ("0.00", "5.00", "300000.00")
    assert result.jackpot is not None
    assert [(award.position, award.amount) for award in result.jackpot.awards] == [(1, 30_000_000)]


def test_hands_out_of_play_do_not_share() -> None:
    """A folded hand shares; one declined, absent or removed does not."""
    others = {"folded": "28500.00", "declined": "30000.00", "absent": "30000.00", "invalid": "30000.00"}
    for status, expected in others.items():
        document = facts(
            "mbs-thb-9",
            seat("5s 6s", "ante 25 flop 50 jackpot 5"),
            seat(
                "Ts Js",
                "ante 25 jackpot 5" + (" flop 50" if status == "declined" else ""),
                position=4,
                status=status,
            ),
            community="7s 8s 9s 2h 3d",
            dealer="Kd Kc",
        )
        assert money(settled(document), "jackpot")[2] == expected, status


def test_fixed_awards_leave_the_meter_alone_and_are_listed() -> None:
    document = facts(
        "rws-thp-2", seat("9s 9d", "ante 25 flop 50 jackpot 5"), community="9h 9c Kd 4h 2c", dealer="As Kh"
    )
    result = settled(document)
    assert result.jackpot is not None
    assert result.jackpot.before == result.jackpot.after
    assert [(a.hand_class, a.amount, a.from_meter) for a in result.jackpot.awards] == [
        ("four-of-a-kind", 200_000, False)
    ]


@pytest.mark.parametrize(("status", "reversed_cents"), [("folded", 0), ("absent", 100), ("invalid", 100)])
def test_the_contribution_of_a_returned_stake_comes_out_again(status: str, reversed_cents: int) -> None:
    """R-CONTRIB: 20% of 5.00 was booked at the close; it leaves the meter with the stake, and only with it."""
    document = facts(
        "mbs-thb-9",
        seat("9s 9d", "ante 25 jackpot 5", status=status),
        community="Kh Qc 2d 4h 2c",
        dealer="As Kd",
    )
    plan, round_facts = read_facts(json.dumps(document), name="facts.json")
    assert round_facts.jackpot is not None
    result = settle(plan, replace(round_facts, jackpot=replace(round_facts.jackpot, increment_bp=2000)))
    assert result.jackpot is not None
    assert result.jackpot.before - result.jackpot.after == reversed_cents * 10_000
