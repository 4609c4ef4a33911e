"""The mathematics that needs no solver: distributions, strategies by name, lowering, winners together."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.cards import DECK, HandClass, Rank, best_five
from pitboss.errors import BadInput
from pitboss.maths.distribution import Distribution
from pitboss.maths.lowering import COMPARED, Family, lower_main_game
from pitboss.maths.prices import A_ROUND, CONDUCT, FUND, RETURNED, STAKES, not_priced, note_on
from pitboss.maths.progressive import price_progressive
from pitboss.maths.strategies import Way, parse_strategy
from pitboss.maths.winners import expected_awards, winner_chances
from pitboss.money import Cents, to_units
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.vocabulary import Situation
from support import BOOKS


def test_a_distribution() -> None:
    found = Distribution.of([(1, 3), (-1, 5), (1, 0), (0, 2)])
    assert found.counts == {-1: 5, 0: 2, 1: 3}
    assert found.mean == Fraction(-1, 5)
    assert found.variance == Fraction(8, 10) - Fraction(1, 25)
    assert found.win_frequency == Fraction(3, 10)


@pytest.mark.parametrize(
    ("book", "family"),
    [
        ("mbs-thb-9", Family.HOLDEM),
        ("hoiana-thb-2025", Family.HOLDEM),
        ("rws-thp-2", Family.HOLDEM),
        ("mbs-3cp-2023", Family.THREE_CARD),
        ("mbs-stud-6", Family.STUD),
    ],
)
def test_the_solver_of_a_book(book: str, family: Family) -> None:
    game = lower_main_game(load_plan(book))
    assert game.family is family
    assert game.base.name == "ante"
    assert game.up_cards == (1 if family is Family.STUD else 0)


def test_lowered_pays_are_those_of_the_plan() -> None:
    game = lower_main_game(load_plan("mbs-thb-9"))
    straight, higher = game.classes.index(HandClass.STRAIGHT), COMPARED.index(Situation.HIGHER)
    assert game.base_nets[straight, higher] == 1
    assert game.base_nets[straight - 1, higher] == 0
    assert game.opening.nets[0].tolist() == [2, -2, 0, 0]
    assert [bet.seen for bet in game.later] == [3, 4]
    three = lower_main_game(load_plan("mbs-3cp-2023"))
    flush, lower = three.classes.index(HandClass.STRAIGHT_FLUSH), COMPARED.index(Situation.LOWER)
    assert three.base_nets[flush, lower] == 5 - 1  # the Ante Bonus is paid on a losing hand


@pytest.mark.parametrize(
    ("book", "name", "least"),
    [
        ("mbs-3cp-2023", "any queen", (HandClass.ODD_CARDS, (Rank.QUEEN,))),
        ("mbs-3cp-2023", "Q-6-4", (HandClass.ODD_CARDS, (Rank.QUEEN, Rank.SIX, Rank.FOUR))),
        ("mbs-stud-6", "A-K or better", (HandClass.ODD_CARDS, (Rank.ACE, Rank.KING))),
        ("mbs-stud-6", "pair or better", (HandClass.ONE_PAIR, ())),
        ("mbs-stud-6", "any ace", (HandClass.ODD_CARDS, (Rank.ACE,))),
    ],
)
def test_a_strategy_by_name(book: str, name: str, least: object) -> None:
    found = parse_strategy(name, lower_main_game(load_plan(book)))
    assert (found.way, found.least) == (Way.AT_LEAST, least)


@pytest.mark.parametrize(
    ("book", "name"),
    [
        ("mbs-3cp-2023", "two pairs"),
        ("mbs-3cp-2023", "A-K-Q"),
        ("mbs-3cp-2023", "A-3-2"),
        ("mbs-3cp-2023", "4-6-Q"),
        ("mbs-3cp-2023", "nonsense"),
        ("mbs-stud-6", "A-K-Q-J-T"),
        ("mbs-thb-9", "any queen"),
        ("mbs-thb-9", "fold"),
        ("mbs-thb-9", "fold 99o"),
    ],
)
def test_what_is_no_strategy(book: str, name: str) -> None:
    with pytest.raises(BadInput):
        parse_strategy(name, lower_main_game(load_plan(book)))


def test_a_book_beyond_the_solvers_names_the_clause() -> None:
    with pytest.raises(BadInput, match=r"clauses? .*cannot be priced"):
        lower_main_game(load_plan("mbs-thb-9", changes=["flop.royal-flush=1000000", "flop.times=100"]))


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "hoiana-thb-2025"])
def test_chances_of_winners_add_up(book: str) -> None:
    for seats in (1, 2, 6):
        plan = load_plan(book)
        chances = winner_chances(plan, seats)
        assert sum(chances.values()) == 1
        royals = sum(
            (chance * winners.count(HandClass.ROYAL_FLUSH) for winners, chance in chances.items()),
            Fraction(0),
        )
        straights = sum(
            (chance * winners.count(HandClass.STRAIGHT_FLUSH) for winners, chance in chances.items()),
            Fraction(0),
        )
        assert royals == Fraction(4 * seats, comb(52, 5))
        assert straights == Fraction(36 * seats, comb(52, 5))


def test_two_winners_counted_by_hand() -> None:
    """Two seats with straight flushes on one flop, flop by flop."""
    major = (HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH)
    hearts = DECK[26:39]
    both = 0
    for flop in combinations(hearts, 3):
        rest = [card for card in hearts if card not in flop]
        wins = [pair for pair in combinations(rest, 2) if best_five((*flop, *pair)).hand_class in major]
        both += sum(not set(a) & set(b) for a in wins for b in wins)
    chance = Fraction(4 * both, comb(52, 3) * comb(49, 2) * comb(47, 2))
    found = winner_chances(load_plan("mbs-thb-9"), 2)
    assert sum((value for winners, value in found.items() if len(winners) == 2), Fraction(0)) == chance


def test_awards_of_a_lone_seat_are_its_shares_of_the_meter() -> None:
    meter = Cents(30_000_000)
    found = expected_awards(load_plan("mbs-stud-6"), 1, meter=to_units(meter), reset=Cents(10_000_000))
    assert found == Fraction(76, 10) / comb(52, 5) * meter


@pytest.mark.parametrize(
    "hands", [[[0, 1, 2, 3, 4, 5, 52]], [[0.5] * 7], [[0] * 6], [0] * 7, [[-1, 1, 2, 3, 4, 5, 6]]]
)
def test_what_is_no_array_of_cards(hands: list[object]) -> None:
    from pitboss.maths import evaluate7

    for dtype in (None, np.uint8):
        given = np.array(hands, dtype if hands[0] != [-1, 1, 2, 3, 4, 5, 6] else None)
        if given.dtype == np.uint8 and isinstance(hands[0], list) and hands[0][0] == 0.5:
            continue
        with pytest.raises(BadInput):
            evaluate7(given)


def test_readings_that_cannot_be_priced_say_why() -> None:
    plan = load_plan("mbs-thb-9")
    why = {label: not_priced(plan, r) for label, r in plan.book.readings.items() if r.options}
    assert {label: text for label, text in why.items() if text} == {
        "R-REFUSE-SIDE": CONDUCT,
        "R-ABSENT-BONUS": CONDUCT,
        "R-POOL": CONDUCT,
        "R-POOL-ORDER": CONDUCT,
        "R-POWER": CONDUCT,
        "R-DURING-DEAL": CONDUCT,
        "R-LATE-COUNT": CONDUCT,
        "R-LATE-REBUILD": CONDUCT,
        "R-MAXDERIVED": STAKES,
        "R-WRONGSIZE": STAKES,
        "R-UNDERMIN-USED": STAKES,
        "R-METER-RETURN": RETURNED,
        "R-FIXED-FUND": FUND,
    }
    rounds = {label for label in why if note_on(plan, label) == A_ROUND}
    assert rounds == {"R-RESET", "R-ROYAL-AFTER", "R-ROUND", "R-METERFLOOR", "R-CONTRIB"}


def test_an_ante_bonus_after_a_fold_is_priced_and_a_deemed_fold_is_conduct() -> None:
    three, rws = load_plan("mbs-3cp-2023"), load_plan("rws-thp-2")
    assert not_priced(three, three.book.readings["R-ANTEBONUS"]) == ""
    assert not_priced(rws, rws.book.readings["R-RWS-FOLDLATE"]) == CONDUCT


def awards_of_a_round(book: str, *, seats: int, meter: int, **readings: str) -> Fraction:
    plan = load_plan(book, {label.replace("_", "-"): letter for label, letter in readings.items()})
    return expected_awards(plan, seats, meter=to_units(Cents(meter)), reset=Cents(10_000_000))


@pytest.mark.parametrize("book", ["mbs-stud-6", "rws-thp-2"])
def test_the_letters_about_the_meter_move_what_a_round_is_awarded(book: str) -> None:
    """One seat: a royal wins the meter whole, a straight flush a tenth of it, each to the cent."""
    hands = comb(52, 5)
    base = awards_of_a_round(book, seats=1, meter=30_000_037)
    # a tenth of 300,000.37 is 30,000.037: cut, to the nearest cent, or to whole dollars
    assert base == Fraction(4 * 30_000_037 + 36 * 3_000_003, hands)
    assert awards_of_a_round(book, seats=1, meter=30_000_037, R_ROUND="b") - base == Fraction(36, hands)
    chips = awards_of_a_round(book, seats=1, meter=30_000_037, R_ROUND="c")
    assert base - chips == Fraction(4 * 37 + 36 * 3, hands)
    # the one stake of 5.00 had put 20 % or the house's own part of it on the meter
    house = load_plan(book).book.house.jackpot
    assert house is not None
    fed = awards_of_a_round(book, seats=1, meter=30_000_037, R_CONTRIB="b")
    own = house.unit * house.increment_bp // 10_000
    assert base - fed == Fraction(4 * own, hands)


@pytest.mark.parametrize("book", ["mbs-stud-6", "mbs-thb-9", "mbs-3cp-2023", "rws-thp-2"])
def test_a_floor_of_the_meter_is_worth_something_where_two_win(book: str) -> None:
    low, high = (awards_of_a_round(book, seats=6, meter=10_000_000, R_METERFLOOR=letter) for letter in "ab")
    assert low < high
    one = [awards_of_a_round(book, seats=1, meter=10_000_000, R_METERFLOOR=letter) for letter in "ab"]
    assert one[0] == one[1]


@pytest.mark.parametrize("label", ["R-FIXED-FUND", "R-METERFLOOR"])
def test_a_meter_whose_course_no_formula_follows_is_refused_with_its_clause(label: str) -> None:
    nothing: Any = None
    with pytest.raises(BadInput, match=r"4\.4 cannot be priced.* the long run of a meter that"):
        price_progressive(load_plan("mbs-3cp-2023", {label: "b"}), nothing)
