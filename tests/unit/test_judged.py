"""The hand of every line: what a view says a wager was judged by, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pitboss.cards import Hand, HandClass, Rank, hand_in_words, hole_in_words, parse_cards
from pitboss.floor import requests as q
from pitboss.play.sheet import seat_json
from pitboss.play.views import Role, Viewer, view_for
from support.floor import House
from support.sent import as_sent

PUBLIC, P1, P2, EYE = (
    Viewer(Role.PUBLIC),
    Viewer(Role.PLAYER, "p1"),
    Viewer(Role.PLAYER, "p2"),
    Viewer(Role.SURVEILLANCE),
)


def seen(house: House, viewer: Viewer = PUBLIC) -> dict[str, Any]:
    return as_sent(view_for(house.floor.table("t1").state, viewer))


def said_again(ranked: dict[str, Any] | None) -> str | None:
    """The words of a hand, from what is said of it as data."""
    if ranked is None:
        return None
    kind, ranks = ranked["class"].replace("-", " "), [rank_of(code) for code in ranked["ranks"]]
    if ranked["class"] in ("suited-cards", "aces-against-aces") or (kind, len(ranks)) in HOLE:
        return hole_words(kind, ranks)
    return hand_in_words(Hand(0, tuple(ranks), HandClass(ranked["class"]), ()))


HOLE = (("one pair", 1), ("odd cards", 2))


def hole_words(kind: str, ranks: list[Rank]) -> str:
    if kind == "aces against aces":
        return kind
    return f"{kind}, " + (ranks[0].plural if len(ranks) == 1 else f"{ranks[0].word}-{ranks[1].word} high")


def rank_of(code: str) -> Rank:
    return next(rank for rank in Rank if rank.code == code)


def hands(house: House, viewer: Viewer = PUBLIC) -> dict[str, str | None]:
    """The hands of position 1, line by line; `seat` is the one that heads it."""
    seat = seen(house, viewer)["settlement"][0]
    for said in (seat, *seat["lines"]):
        assert said_again(said["ranked"]) == said["hand"]
    return {"seat": seat["hand"]} | {line["wager"]: line["hand"] for line in seat["lines"]}


EVERYTHING = ("ante 25", "pair-plus 5", "six-card-bonus 5", "jackpot 5")


def three_card(
    *steps: str, cards: str = "7h 8h Kc 2c 4d 8s 5h 6h Kd Qs Jc", bets: Sequence[str] = EVERYTHING
) -> House:
    """Position 1 gets the first three cards, position 2 the next, the dealer the third three."""
    house = House()
    house.link()
    house.table("mbs-3cp-2023", link="mega")
    house.stack(cards)
    house.steps("dealer: open bets", *(f"p1@1: wager {bet}" for bet in bets), "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", *steps)
    return house


PLAYED = ("p1@1: view", "p1@1: bet play", "p2@2: fold", "dealer: reveal dealer")


def settle(house: House) -> House:
    house.step("dealer: reveal community")
    house.steps("dealer: settle")
    return house


def test_3cp_3_10_each_wager_names_the_hand_it_is_paid_on() -> None:
    found = hands(settle(three_card(*PLAYED)))
    three, six = "odd cards, king-eight-seven high", "one pair, kings, eight-seven-six high"
    assert found == {
        "seat": three,
        "ante": three,
        "play": three,
        "pair-plus": three,
        "six-card-bonus": six,
        "jackpot": "odd cards, king-queen-jack-eight-seven high",
    }


def test_a_straight_flush_across_both_hands_is_the_bonus_not_the_three_cards() -> None:
    house = settle(three_card(*PLAYED, cards="9h 7h 5h 2c 4d 8s 8h 6h Jc"))
    found = hands(house)
    assert found["six-card-bonus"] == "straight flush, nine high"
    assert found["seat"] == "flush, nine-seven-five high"
    assert found["ante"] == found["play"] == found["seat"]
    assert seen(house)["dealer_qualifies"] is False


def test_a_folded_hand_is_headed_by_none_and_its_bonus_by_its_own() -> None:
    folds = ("p1@1: view", "p1@1: fold", "p2@2: fold", "dealer: reveal dealer")
    house = settle(three_card(*folds, bets=("ante 25", "six-card-bonus 5")))
    found = hands(house)
    six = "one pair, kings, eight-seven-six high"
    assert found == {"seat": None, "ante": None, "six-card-bonus": six}, "no hand of it was compared"
    stored = house.floor.table("t1").state.settlement
    assert stored is not None
    contract = seat_json(stored.seats[0])
    assert contract["hand"] == six, "what `pitboss settle` says is as it was"
    assert all("hand" not in line for line in contract["lines"])


def test_the_dealers_hand_is_told_when_it_lies_open_and_whether_it_qualifies() -> None:
    house = three_card(*PLAYED[:-1])
    assert "dealer_hand" not in seen(house)
    assert "dealer_qualifies" not in seen(house)
    house.steps(PLAYED[-1])
    view = seen(house)
    assert view["dealer_hand"].startswith(("odd cards", "one pair"))
    assert view["dealer_qualifies"] is True


def test_a_book_without_a_qualification_says_nothing_of_one() -> None:
    house = House()
    house.table("hoiana-thb-2025", players=("p1",))
    house.stack("Ah Kh")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager bonus 10")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: view", "p1@1: bet flop", "dealer: reveal flop")
    house.steps("p1@1: check", "dealer: reveal turn", "p1@1: check", "dealer: reveal river")
    assert "dealer_hand" not in seen(house)
    house.steps("dealer: reveal dealer", "dealer: settle")
    view = seen(house)
    assert "dealer_hand" in view
    assert "dealer_qualifies" not in view
    found = hands(house)
    own = house.floor.table("t1").state.known["1"]
    assert found["bonus"] == hole_in_words(own, ())
    assert found["bonus"] != found["seat"] == found["flop"]


def test_a_hand_that_a_viewer_may_not_see_is_in_none_of_its_lines() -> None:
    """As if the cards were never turned over: only the player who looked at them is told what they were."""
    house = settle(three_card(*PLAYED))
    hidden = house.floor.table("t1").state._replace(exposed=frozenset())

    def told(viewer: Viewer) -> set[str | None]:
        seat = as_sent(view_for(hidden, viewer))["settlement"][0]
        sees = viewer in (P1, EYE)
        assert [line["wager"] for line in seat["lines"] if "pay" in line] == (
            ["ante", "play"] if sees else []
        )
        return {seat["hand"], *(line["hand"] for line in seat["lines"])}

    for viewer in (PUBLIC, P2, Viewer(Role.DEALER), Viewer(Role.PIT)):
        assert told(viewer) == {None}, viewer
    assert told(P1) == told(EYE) == set(hands(house).values())


def pays(house: House, viewer: Viewer = PUBLIC) -> dict[str, Any]:
    """What the lines of position 1 were paid by."""
    return {line["wager"]: line.get("pay") for line in seen(house, viewer)["settlement"][0]["lines"]}


def test_each_line_that_was_paid_tells_its_pay_and_what_it_is_counted_on() -> None:
    cards = "7h 8h 9h 2c 4d 8s 5h 6h Kd Qs Jc"
    found = pays(settle(three_card(*PLAYED, cards=cards)))
    assert found == {
        "ante": {"kind": "to-one", "odds": 1, "on": "25.00"},
        "play": {"kind": "to-one", "odds": 1, "on": "25.00"},
        "ante-bonus": {"kind": "to-one", "odds": 5, "row": "straight-flush", "on": "25.00"},
        "pair-plus": {"kind": "to-one", "odds": 40, "row": "straight-flush", "on": "5.00"},
        "six-card-bonus": {"kind": "to-one", "odds": 100, "row": "straight-flush", "on": "5.00"},
        "jackpot": None,
    }


def test_a_share_of_the_meter_tells_the_meter_it_was_taken_of() -> None:
    cards = "7h 8h 9h 2c 4d 8s 5c 6c Kd Th Jh"
    house = three_card(*PLAYED, cards=cards, bets=("ante 25", "jackpot 5"))
    house.steps("dealer: reveal community", "dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    seat = seen(house)["settlement"][0]
    jackpot = next(line for line in seat["lines"] if line["wager"] == "jackpot")
    meter = {"kind": "meter", "percent": 10, "row": "straight-flush", "on": "300001.00"}
    assert (jackpot["pay"], jackpot["paid"]) == (meter, "30000.10")


def test_what_simply_went_back_was_judged_by_no_hand() -> None:
    """A removed hand and a void round name none."""
    house = three_card()
    house.tamper()
    house.steps("pit-supervisor: report foreign-card signed mara")
    assert set(hands(house).values()) == {None}
    assert set(hands(house, EYE).values()) == {None}


@pytest.mark.parametrize(
    ("own", "dealer", "words"),
    [
        ("Ah Ad", "As Ac", "aces against aces"),
        ("Ah Ad", "", "one pair, aces"),
        ("Jh Jd", "2c 3c", "one pair, jacks"),
        ("Kh Ah", "2c 3c", "suited cards, ace-king high"),
        ("Qh Ad", "2c 3c", "odd cards, ace-queen high"),
    ],
)
def test_hole_cards_in_words(own: str, dealer: str, words: str) -> None:
    assert hole_in_words(parse_cards(own.split()), parse_cards(dealer.split())) == words
