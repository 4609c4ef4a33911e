"""The mathematics that needs no solver: distributions, strategies by name, lowering, winners together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.cards import DECK, Card, HandClass, Rank, Suit, best_five, parse_cards
from pitboss.errors import BadInput
from pitboss.maths.distribution import Distribution
from pitboss.maths.lowering import COMPARED, Family, lower_main_game
from pitboss.maths.meter_distribution import Course, UnsolvableError, solve
from pitboss.maths.prices import A_ROUND, CONDUCT, RETURNED, STAKES, not_priced, note_on
from pitboss.maths.strategies import Way, parse_strategy
from pitboss.maths.winners import (
    _classes_with,
    expected_awards,
    expected_fixed_awards,
    fixed_beside_shares,
    winner_chances,
)
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
    }
    rounds = {label for label in why if note_on(plan, label) == A_ROUND}
    assert rounds == {"R-RESET", "R-ROYAL-AFTER", "R-ROUND", "R-METERFLOOR", "R-CONTRIB", "R-FIXED-FUND"}


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


# --- fixed awards that the meter pays (R-FIXED-FUND) ----------------------------------------------------

RESET = Cents(10_000_000)


def coded(cards: Iterable[Card]) -> frozenset[int]:
    """Cards as the winners are counted by: four of each rank, from the deuces on."""
    return frozenset(4 * list(Rank).index(card.rank) + list(Suit).index(card.suit) for card in cards)


@pytest.mark.parametrize(("cards", "own"), [("7h 8h 9h", 2), ("Kd Qd Jd", 2), ("Ac 3c", 3), ("6s Ts", 3)])
def test_hands_beside_shared_cards_are_counted_as_they_are(cards: str, own: int) -> None:
    """Against every hand there is, a few cards being gone."""
    shared = parse_cards(cards.split())
    gone = {*shared, *parse_cards(["5h", "6h", "As", "2c"])}
    left = [card for card in DECK if card not in gone]
    if own == 3:
        left = left[::2]  # every other card: enough to be wrong in
    found = _classes_with(coded(shared), coded(left), suited_wheel=True)
    counted = Counter(best_five((*shared, *hand)).hand_class for hand in combinations(left, own))
    assert found == {kind: counted[kind] for kind in found}


def test_hands_of_a_whole_pack_are_those_that_are_published() -> None:
    pack = frozenset(range(52))
    known = [624, 3744, 5108, 10200]
    assert list(_classes_with(frozenset(), pack, suited_wheel=True).values()) == known
    known[2] += 4  # a suited wheel that is no straight flush is a flush
    assert list(_classes_with(frozenset(), pack, suited_wheel=False).values()) == known


def test_a_flush_beside_a_straight_flush_counted_by_hand() -> None:
    """Two seats of hold'em: 40 runs by 10 flops; of the eight cards left of the suit any two that make no run."""
    found = fixed_beside_shares(load_plan("mbs-thb-9"), 2)
    flushes = 0
    for low in range(10):
        run = {rank % 13 for rank in range(low - 1, low + 4)}
        for flop in combinations(sorted(run), 3):
            others = [rank for rank in range(13) if rank not in run]
            runs = [{rank % 13 for rank in range(start - 1, start + 4)} for start in range(10)]
            flushes += 4 * sum({*flop, *pair} not in runs for pair in combinations(others, 2))
    ways = comb(52, 3) * comb(49, 2) * comb(47, 2)
    total = sum(beside[HandClass.FLUSH] for beside in found.values())
    assert total == Fraction(2 * flushes, ways)


@pytest.mark.parametrize("book", ["mbs-stud-6", "mbs-thb-9", "mbs-3cp-2023", "rws-thp-2"])
def test_r_fixed_fund_shares_lose_and_the_house_is_spared(book: str) -> None:
    plans = [load_plan(book, {"R-FIXED-FUND": letter}) for letter in "ab"]
    unit = Cents(500)
    by_house, by_meter = (expected_awards(plan, 6, meter=to_units(RESET), reset=RESET) for plan in plans)
    assert 0 < by_house - by_meter < by_house / 1000
    assert expected_fixed_awards(plans[0], 6, meter=to_units(RESET)) == 0
    rows = {"mbs-stud-6": (400, 40, 20, 0), "rws-thp-2": (400, 40, 20, 0)}.get(book, (400, 80, 40, 20))
    awards = sum(units * hands for units, hands in zip(rows, (624, 3744, 5108, 10200), strict=True))
    spared = Fraction(6 * unit * awards, comb(52, 5))
    assert expected_fixed_awards(plans[1], 6, meter=to_units(RESET)) == spared
    assert expected_fixed_awards(plans[1], 6, meter=to_units(Cents(0))) == 0
    alone = [expected_awards(plan, 1, meter=to_units(RESET), reset=RESET) for plan in plans]
    assert alone[0] == alone[1]  # nobody else wins anything before


@pytest.mark.parametrize(
    ("book", "before"),
    [("mbs-stud-6", Fraction(1)), ("mbs-thb-9", Fraction(1)), ("rws-thp-2", Fraction(1, 2))],
)
def test_r_fixed_fund_mbs_takes_every_lower_hand_first_and_rws_those_dealt_earlier(
    book: str, before: Fraction
) -> None:
    """Two seats: a tenth of what came off goes with a straight flush, all of it with a royal."""
    plans = [load_plan(book, {"R-FIXED-FUND": letter}) for letter in "ab"]
    worth = {HandClass.FOUR_OF_A_KIND: 200_000, HandClass.FLUSH: 10_000, HandClass.FULL_HOUSE: 20_000}
    if book == "mbs-thb-9":
        worth = {HandClass.FLUSH: 20_000, HandClass.STRAIGHT: 10_000}
    part = {(HandClass.STRAIGHT_FLUSH,): Fraction(1, 10), (HandClass.ROYAL_FLUSH,): Fraction(1)}
    beside = fixed_beside_shares(plans[1], 2)
    lost = sum(part[w] * beside[w].get(kind, 0) * amount for w in part for kind, amount in worth.items())
    by_house, by_meter = (expected_awards(plan, 2, meter=to_units(RESET), reset=RESET) for plan in plans)
    assert by_house - by_meter == before * lost


# --- a meter that no formula follows --------------------------------------------------------------------

HITS: dict[str, Any] = {"reset": 100_000.0, "gain": 100.0, "whole": 1 / 300, "parts": [(0.9, 1 / 60)]}
PAID = [(5_000.0, 1 / 100), (20_000.0, 1 / 500)]


def chains(course: Course, *, count: int = 3_000, wagers: int = 2_500) -> np.ndarray[Any, Any]:
    """So many meters after so many wagers each, one after the other as the book has it: a simulation."""
    rng = np.random.default_rng(5)
    meters = np.full(count, course.reset)
    for _ in range(wagers):
        found = meters + course.gain
        drawn, meters = rng.random(count), found
        begin = course.whole
        meters = np.where(drawn < begin, course.reset, meters)
        for keep, often in course.parts:
            meters = np.where((drawn >= begin) & (drawn < begin + often), found * keep, meters)
            begin += often
        for amount, often in course.fixed:
            meters = np.where(
                (drawn >= begin) & (drawn < begin + often), np.maximum(found - amount, 0), meters
            )
            begin += often
        if course.floor:
            meters = np.maximum(meters, course.reset)
    return meters + course.gain


@pytest.mark.parametrize(
    ("fixed", "floor"), [(PAID, False), ([], True), (PAID, True), ([(20_000.0, 1 / 50)], False)]
)
def test_the_long_run_of_a_meter_is_that_of_many_that_are_played(
    fixed: list[tuple[float, float]], floor: bool
) -> None:
    course = Course(**HITS, fixed=fixed, floor=floor)
    played = chains(course)
    found = solve(course, places=2_000)
    mean, off = found.figure(lambda meter: meter.mean)
    error = float(played.std()) / len(played) ** 0.5
    assert abs(mean - float(played.mean())) < 4 * error + off
    assert found.fine.deviation == pytest.approx(float(played.std()), rel=0.05)
    for share in (0.05, 0.5, 0.95):
        assert float((played <= found.fine.quantile(share)).mean()) == pytest.approx(share, abs=0.03)
    for amount, _ in fixed:
        assert found.fine.paid_of(amount) == pytest.approx(float(np.minimum(played, amount).mean()), rel=0.02)


def test_a_grid_without_approximation_is_the_chain_itself() -> None:
    """A step a wager and awards of whole steps: the balance holds place by place."""
    course = Course(reset=50.0, gain=1.0, whole=0.02, parts=[], fixed=[(7.0, 0.05), (30.0, 0.01)])
    solved = solve(course)
    assert solved.wagers == 1
    found = solved.fine
    size = len(found.meters)
    moves = np.zeros((size, size))
    for place in range(size):
        up = min(place + 1, size - 1)
        moves[place, up] += 0.92
        moves[place, 50] += 0.02
        moves[place, max(place + 1 - 7, 0)] += 0.05
        moves[place, max(place + 1 - 30, 0)] += 0.01
    assert np.abs(found.weights @ moves - found.weights).max() < 1e-13


@pytest.mark.parametrize("gain", [100.0, 10_000.0])
def test_a_grid_agrees_with_the_formula_where_there_is_one(gain: float) -> None:
    course = Course(**(HITS | {"gain": gain}), fixed=[])
    mean, _ = solve(course, places=2_000).figure(lambda meter: meter.mean)
    assert mean == pytest.approx((gain + 100_000 / 300) / (1 / 300 + 0.1 / 60), rel=1e-6)


@pytest.mark.parametrize(("gain", "why"), [(0.0, "gains nothing"), (0.001, "gains so little")])
def test_a_course_that_no_grid_follows_is_refused(gain: float, why: str) -> None:
    with pytest.raises(UnsolvableError, match=why):
        solve(Course(**(HITS | {"gain": gain}), fixed=PAID))
