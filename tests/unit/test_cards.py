"""Cards, hands and their words."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import (
    DECK,
    Card,
    Hand,
    HandClass,
    Rank,
    Suit,
    best_five,
    hand_in_words,
    hole_class,
    parse_card,
    parse_cards,
    three_cards,
)
from pitboss.errors import BadInput, InvariantError


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text.split())


def test_the_pack_has_52_cards_of_13_ranks_and_4_suits() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {card.rank for card in DECK} == set(Rank)
    assert {card.suit for card in DECK} == set(Suit)


@pytest.mark.parametrize(
    ("text", "code"),
    [("As", "As"), ("10d", "Td"), ("A♠", "As"), ("Td", "Td"), ("td", "Td"), ("9H", "9h"), ("10♦", "Td")],
)
def test_cards_are_read_in_every_usual_spelling(text: str, code: str) -> None:
    assert parse_card(text).code == code


@pytest.mark.parametrize("text", ["1s", "Ax", "", "AsAs", "11h", 7, None, "A"])
def test_what_is_no_card_is_refused_with_the_right_spelling(text: object) -> None:
    with pytest.raises(BadInput, match="is not a card; write rank and suit"):
        parse_card(text, "seats[0].cards[1]")


@pytest.mark.parametrize("card", DECK)
def test_every_code_and_face_reads_back(card: Card) -> None:
    assert parse_card(card.code) == parse_card(card.face) == card


FIVE = [
    ("Ad Kd Qd Jd Td", "royal-flush", "royal flush"),
    ("Jc Tc 9c 8c 7c", "straight-flush", "straight flush, jack high"),
    ("5c 4c 3c 2c Ac", "straight-flush", "straight flush, five high"),
    ("Ac Ah Ad As Jh", "four-of-a-kind", "four of a kind, aces, jack high"),
    ("Kc Kh Kd As Ah", "full-house", "full house, kings over aces"),
    ("Jh 8h 6h 5h 2h", "flush", "flush, jack-eight-six-five-two high"),
    ("9c 8d 7c 6h 5s", "straight", "straight, nine high"),
    ("5c 4d 3c 2h As", "straight", "straight, five high"),
    ("Ac Kd Qc Jh Ts", "straight", "straight, ace high"),
    ("Ts Th Tc 6h 3d", "three-of-a-kind", "three of a kind, tens, six-three high"),
    ("Qs Qh 6c 6h 3d", "two-pairs", "two pairs, queens and sixes, three high"),
    ("Ac Ah 8d 6h 5s", "one-pair", "one pair, aces, eight-six-five high"),
    ("Qc Th 6d 5s 2h", "odd-cards", "odd cards, queen-ten-six-five-two high"),
    # No wrap-around: the ace ends a run or begins it, never stands inside.
    ("3c 2d Ac Kh Qs", "odd-cards", "odd cards, ace-king-queen-three-two high"),
    # The best five of six and of seven.
    ("2h 2d 2s 2c Kd 7c", "four-of-a-kind", "four of a kind, twos, king high"),
    ("Qs Qh 6c 6h 3d 3c Ad", "two-pairs", "two pairs, queens and sixes, ace high"),
    ("Ks Kh Kd 7c 7h 7d 2s", "full-house", "full house, kings over sevens"),
    ("Ks Kh Kd 7c 7h 2d 2s", "full-house", "full house, kings over sevens"),
    ("6h 5h 4h 3h 2h Ah 9c", "straight-flush", "straight flush, six high"),
    ("Ah Kh 9h 8h 7h 6h 5h", "straight-flush", "straight flush, nine high"),
    ("9c 8d 7c 6h 5s 4d Kc", "straight", "straight, nine high"),
    ("Ah 2h 3h 4h 6h 5c 5d", "flush", "flush, ace-six-four-three-two high"),
]


@pytest.mark.parametrize(("text", "key", "words"), FIVE, ids=[text for text, _, _ in FIVE])
def test_five_card_hands_are_named_with_the_cards_that_decide(text: str, key: str, words: str) -> None:
    hand = best_five(cards(text))
    assert hand.hand_class == key
    assert hand_in_words(hand) == words
    assert len(hand.cards) == len(set(hand.cards)) == 5
    assert set(hand.cards) <= set(cards(text))
    assert best_five(hand.cards).value == hand.value


THREE = [
    ("8h 7h 6h", "straight-flush", "straight flush, eight high"),
    ("3h 2h Ah", "straight-flush", "straight flush, three high"),
    ("Ts Th Tc", "three-of-a-kind", "three of a kind, tens"),
    ("8d 7c 6h", "straight", "straight, eight high"),
    ("3d 2c Ah", "straight", "straight, three high"),
    ("Ad Kc Qh", "straight", "straight, ace high"),
    ("Th 4h 2h", "flush", "flush, ten-four-two high"),
    ("Ac Ah 8d", "one-pair", "one pair, aces, eight high"),
    ("Qc Th 6d", "odd-cards", "odd cards, queen-ten-six high"),
    ("2c Ah Kd", "odd-cards", "odd cards, ace-king-two high"),
]


@pytest.mark.parametrize(("text", "key", "words"), THREE, ids=[text for text, _, _ in THREE])
def test_three_card_hands_are_named_with_the_cards_that_decide(text: str, key: str, words: str) -> None:
    hand = three_cards(cards(text))
    assert (hand.hand_class, hand_in_words(hand)) == (key, words)


LADDER = [
    # From lowest to highest; each beats the one before.
    "7c 5d 4h 3s 2c",
    "8c 5d 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 5h 4s 3c",
    "2c 2d Ah 4s 3c",
    "3c 3d 2h 2s 4c",
    "3c 3d 2h 2s Ac",
    "Ac Ad 2h 2s 3c",
    "2c 2d 2h 4s 3c",
    "5c 4d 3h 2s Ac",
    "6c 5d 4h 3s 2c",
    "7c 5c 4c 3c 2c",
    "Ac 5c 4c 3c 2d 6c",
    "2c 2d 2h 3s 3c",
    "2c 2d 2h As Ac",
    "3c 3d 3h 2s 2c",
    "2c 2d 2h 2s 3c",
    "5c 4c 3c 2c Ac",
    "6c 5c 4c 3c 2c",
    "Kc Qc Jc Tc 9c",
    "Ac Kc Qc Jc Tc",
]


def test_hands_rise_as_poker_has_it() -> None:
    values = [best_five(cards(text)).value for text in LADDER]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_three_card_hands_rise_with_the_straight_above_the_flush() -> None:
    ladder = ["5c 3d 2h", "Ac Kd Jh", "2c 2d 3h", "Ac Ad Kh", "5c 3c 2c", "Ac Kc Jc", "3c 2d Ah", "4c 3d 2h",
              "Ac Kd Qh", "2c 2d 2h", "Ac Ad Ah", "3c 2c Ac", "4c 3c 2c", "Ac Kc Qc"]  # fmt: skip
    values = [three_cards(cards(text)).value for text in ladder]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_a_suited_wheel_may_be_read_as_a_flush_only() -> None:
    wheel = cards("5c 4c 3c 2c Ac")
    assert best_five(wheel).hand_class is HandClass.STRAIGHT_FLUSH
    as_flush = best_five(wheel, suited_wheel=False)
    assert as_flush.hand_class is HandClass.FLUSH
    assert hand_in_words(as_flush) == "flush, ace-five-four-three-two high"
    assert best_five(cards("6c 5c 4c 3c 2c Ac"), suited_wheel=False).hand_class is HandClass.STRAIGHT_FLUSH


def test_suits_never_decide() -> None:
    assert best_five(cards("As Kd Qh 9s 4d")).value == best_five(cards("Ac Kh Qd 9h 4s")).value


HANDS = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True).map(best_five)
THREES = st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True).map(three_cards)
ONE_ORDER = st.one_of(st.tuples(HANDS, HANDS, HANDS), st.tuples(THREES, THREES, THREES))
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def test_royal_flushes_of_two_suits_are_equal() -> None:
    spades, hearts = best_five(cards("As Ks Qs Js Ts")), best_five(cards("Ah Kh Qh Jh Th"))
    assert spades == hearts
    assert (spades != hearts) is False
    assert hash(spades) == hash(hearts)
    assert not spades > hearts
    assert not spades < hearts
    assert spades >= hearts
    assert spades <= hearts
    assert {spades: "royal"}[hearts] == "royal"
    assert (spades.cards, hearts.cards) == (cards("As Ks Qs Js Ts"), cards("Ah Kh Qh Jh Th"))


@given(ONE_ORDER)
def test_hands_of_one_order_are_in_a_total_order_of_their_values(hands: tuple[Hand, Hand, Hand]) -> None:
    for one, other in product(hands, repeat=2):
        found = {sign: compare(one, other) for sign, compare in SIGNS.items()}
        assert found == {sign: compare(one.value, other.value) for sign, compare in SIGNS.items()}
        assert (one == other) is (one.value == other.value) is not (one != other)
        assert (one == other) <= (hash(one) == hash(other))
        assert found["<"] + found[">"] + (one == other) == 1
        assert found["<="] is (found["<"] or one == other)
        assert found[">="] is (found[">"] or one == other)
    assert [hand.value for hand in sorted(hands)] == sorted(hand.value for hand in hands)
    assert max(hands).value == max(hand.value for hand in hands)


@given(HANDS, st.permutations(list(Suit)))
def test_other_suits_make_an_equal_hand(hand: Hand, suits: list[Suit]) -> None:
    recoloured = dict(zip(Suit, suits, strict=True))
    other = best_five([Card(card.rank, recoloured[card.suit]) for card in hand.cards])
    assert (other, hash(other)) == (hand, hash(hand))
    assert hand_in_words(other) == hand_in_words(hand)


@given(HANDS, THREES, st.sampled_from(list(SIGNS)))
def test_hands_of_two_orders_are_unequal_and_cannot_be_ranked(five: Hand, three: Hand, sign: str) -> None:
    assert five != three
    assert (three == five) is False
    assert len({five, three}) == 2
    with pytest.raises(TypeError, match=f"'{sign}' compares hands of one order, not a five-card hand with"):
        SIGNS[sign](five, three)
    with pytest.raises(TypeError, match=f"'{sign}' compares hands of one order, not a three-card hand with"):
        SIGNS[sign](three, five)


def test_a_hand_is_not_compared_with_what_is_not_a_hand() -> None:
    hand = best_five(cards("As Ks Qs Js Ts"))
    for other in (tuple(hand), hand.value, hand.cards, cards("As Ks"), "royal-flush", 9, None):
        assert hand != other
        assert (other == hand) is False
        for sign, compare in SIGNS.items():
            with pytest.raises(TypeError, match=f"'{sign}' compares a hand with a hand, not with"):
                compare(hand, other)
            with pytest.raises(TypeError):
                compare(other, hand)


def test_a_hand_keeps_its_cards_when_copied_and_pickled() -> None:
    for hand in (best_five(cards("5c 4c 3c 2c Ac 9d")), three_cards(cards("9h 9s 2d"))):
        for other in (copy.deepcopy(hand), pickle.loads(pickle.dumps(hand)), hand._replace()):
            assert other == hand
            assert (other.cards, other.hand_class, other.order) == (hand.cards, hand.hand_class, hand.order)


def test_a_hand_of_the_wrong_number_of_cards_is_a_bug() -> None:
    with pytest.raises(InvariantError, match="5 to 7"):
        best_five(cards("As Kd Qh 9s"))
    with pytest.raises(InvariantError, match="three cards"):
        three_cards(cards("As Kd"))


@pytest.mark.parametrize(
    ("own", "dealer", "key"),
    [
        ("As Ad", "Ah Ac", "a-a-both"),
        ("As Ad", "Ah Kc", "a-a"),
        ("As Ks", "2h 2c", "a-k-suited"),
        ("Qs As", "2h 2c", "a-qj-suited"),
        ("As Js", "2h 2c", "a-qj-suited"),
        ("As Kd", "2h 2c", "a-k"),
        ("Ks Kd", "2h 2c", "high-pairs"),
        ("Js Jd", "2h 2c", "high-pairs"),
        ("As Qd", "2h 2c", "a-qj"),
        ("As Jd", "2h 2c", "a-qj"),
        ("Ts Td", "2h 2c", "low-pairs"),
        ("2s 2d", "3h 3c", "low-pairs"),
        ("As Td", "2h 2c", "unlisted"),
        ("As Ts", "2h 2c", "unlisted"),
        ("Ks Qs", "Ah Ac", "unlisted"),
    ],
)
def test_hole_cards_fall_on_the_lines_of_the_bonus_table(own: str, dealer: str, key: str) -> None:
    assert hole_class(cards(own), cards(dealer)) == key
