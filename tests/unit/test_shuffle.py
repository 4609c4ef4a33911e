"""The tests of the shuffle: exact distributions, what they say of a fair deck, and that they find a bias."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations
from math import factorial
from random import Random

import numpy as np
import pytest

from pitboss.cards import DECK, Card
from pitboss.cli.main import run
from pitboss.fairness import exact
from pitboss.fairness.planted import PLANTED, fair
from pitboss.fairness.shuffle_tests import PAIRS, TESTS, joint_counts, pairs, run_tests
from pitboss.floor.clock import SecureCards

SHORT = 20_000


def seeded(decks: int, seed: int) -> np.ndarray:
    """Fair decks that are the same every time: a test that may fail by chance alone is no test."""
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (decks, 1)), axis=1)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_the_exact_distributions_are_those_of_all_orders(size: int) -> None:
    counted: dict[str, dict[int, int]] = {"descents": {}, "fixed": {}, "successions": {}, "cycles": {}}
    for order in permutations(range(size)):
        found = {
            "descents": sum(b < a for a, b in pairwise(order)),
            "fixed": sum(card == place for place, card in enumerate(order)),
            "successions": sum(b == a + 1 for a, b in pairwise(order)),
            "cycles": _cycles(order),
        }
        for name, value in found.items():
            counted[name][value] = counted[name].get(value, 0) + 1
    for name, chances in (
        ("descents", exact.descents(size)),
        ("fixed", exact.fixed_points(size)),
        ("successions", exact.successions(size)),
        ("cycles", exact.cycles(size)),
    ):
        wanted = {value: Fraction(count, factorial(size)) for value, count in counted[name].items()}
        assert {value: chance for value, chance in enumerate(chances) if chance} == wanted, name


def _cycles(order: tuple[int, ...]) -> int:
    left, found = set(range(len(order))), 0
    while left:
        found += 1
        place = left.pop()
        while order[place] in left:
            place = order[place]
            left.remove(place)
    return found


def test_the_coupon_collector_takes_as_long_as_it_should() -> None:
    chances = exact.coupons(longest=3000)
    assert sum(chances) == pytest.approx(1, abs=1e-9)
    mean = sum(n * chance for n, chance in enumerate(chances))
    assert mean == pytest.approx(52 * sum(1 / n for n in range(1, 53)), abs=1e-6)


def floor_decks(decks: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Decks of the floor's own shuffle, its draws made repeatable."""
    monkeypatch.setattr("pitboss.floor.clock.secrets.randbelow", Random(seed).randrange)
    return np.array([fair() for _ in range(decks)], dtype=np.uint8)


@pytest.mark.whole
def test_the_floors_shuffle_fits_every_test(monkeypatch: pytest.MonkeyPatch) -> None:
    tested = run_tests(floor_decks(SHORT, 3, monkeypatch))
    assert tested.fair, [result for result in tested.results if not result.fits]
    assert len(tested.results) == len(TESTS)
    assert len({result.name for result in tested.results}) == len(TESTS)


@pytest.mark.whole
def test_false_alarms_are_as_rare_as_promised() -> None:
    """At 99 % more than one fair shuffle of eight is called unfair three times in a thousand."""
    alarms = sum(not run_tests(seeded(SHORT, seed)).fair for seed in range(100, 108))
    assert alarms <= 1


@pytest.mark.whole
@pytest.mark.parametrize("bias", list(PLANTED))
def test_a_planted_bias_is_found(bias: str) -> None:
    shuffle = PLANTED[bias]
    tested = run_tests(np.array([shuffle() for _ in range(SHORT)], dtype=np.uint8))
    assert not tested.fair, bias


def test_every_two_places_are_looked_at() -> None:
    decks = seeded(300, 8)
    counts = joint_counts(decks).reshape(len(PAIRS), 52, 52)
    assert len(set(PAIRS)) == 52 * 51 // 2
    for row, (first, second) in enumerate(PAIRS):
        counted = np.zeros((52, 52), dtype=np.int64)
        np.add.at(counted, (decks[:, first], decks[:, second]), 1)
        assert (counts[row] == counted).all(), (first, second)


RELATED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "of one rank": lambda cards: (cards + 13) % 52,
    "of one suit": lambda cards: cards // 13 * 13 + (cards + 5) % 13,
    "the next card": lambda cards: (cards + 1) % 52,
    "another card for each": lambda cards: np.random.default_rng(1).permutation(52)[cards],
}


@pytest.mark.parametrize(
    ("first", "second", "related"),
    [
        (0, 7, "of one rank"),
        (3, 40, "the next card"),
        (11, 13, "of one suit"),
        (19, 50, "another card for each"),
    ],
)
def test_an_interplay_of_any_two_places_is_found(first: int, second: int, related: str) -> None:
    """In one deck of twenty-five the card at one place follows from the one at another."""
    decks = seeded(SHORT, 9)
    for row in range(0, SHORT, 25):
        deck = decks[row]
        wanted = RELATED[related](deck[first : first + 1].astype(np.int64))[0]
        place = int(np.flatnonzero(deck == wanted)[0])
        if place != first:
            deck[second], deck[place] = deck[place], deck[second]
    found = pairs(decks)
    assert found.p < 1e-4
    assert f"at {first + 1} and {second + 1}" in found.what


def test_a_deck_with_a_card_twice_is_found() -> None:
    decks = seeded(SHORT, 6)
    decks[17, 3] = decks[17, 4]
    assert [result.name for result in run_tests(decks).results if not result.fits] == ["duplicates"]


def test_the_floor_shuffles_by_the_secure_source_and_every_place_can_be_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """R1, R2, R4: one draw for each place but the last, each from all that are left, and nothing else."""
    asked: list[int] = []

    def below(limit: int) -> int:
        asked.append(limit)
        return Random(limit).randrange(limit)

    monkeypatch.setattr("pitboss.floor.clock.secrets.randbelow", below)
    order = SecureCards().shuffled(DECK)
    assert asked == list(range(52, 1, -1))
    left, drawn = list(DECK), []
    for limit in asked:  # Fisher and Yates as they drew: a card from those left, the last into its gap
        place = Random(limit).randrange(limit)
        drawn.append(left[place])
        left[place] = left[-1]
        left.pop()
    assert list(order) == [*left, *reversed(drawn)]


@pytest.mark.whole
def test_the_report_says_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    from pitboss.fairness.shuffle_report import as_page  # brings matplotlib

    tested = run_tests(seeded(SHORT, 3))
    page = as_page(tested, source="decks")
    assert page.count("<svg") == 2
    assert "nothing speaks against it" in page
    assert all(line["fits"] for line in tested.json()["tests"])
    assert run(["shuffle-test", "--decks", "20000", "--planted", "modulo", "--json"]) == 1
    assert '"fair": false' in capsys.readouterr().out
    assert run(["shuffle-test", "--planted", "modul"]) == 2
    assert "did you mean 'modulo'" in capsys.readouterr().err
    assert run(["shuffle-test", "--decks", "10"]) == 2
    assert "20000 to" in capsys.readouterr().err


@pytest.mark.whole
def test_the_shuffle_under_test_is_the_floors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A floor whose shuffle were spoilt would be found by the command."""

    def spoilt(cards: SecureCards, pack: tuple[Card, ...]) -> tuple[Card, ...]:
        place = Random().randrange(52)
        return (pack[place], *pack[:place], *pack[place + 1 :])

    assert sorted(fair()) == list(range(52))
    monkeypatch.setattr(SecureCards, "shuffled", spoilt)
    assert run(["shuffle-test", "--decks", "20000"]) == 1
