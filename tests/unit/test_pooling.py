"""MBS 3.4, 3.4.2: several players at one area, under every letter of R-POOL, split to the cent."""

from __future__ import annotations

import pytest

from pitboss.cards import DECK, parse_cards
from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.money import Cents
from pitboss.play import Facts, Limit, Seat, Settlement, Status, check_facts, settle
from pitboss.play import commands as c
from pitboss.play.concluding import void_round
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all, total_money
from pitboss.play.refusal import Refusal
from pitboss.play.table import Terms, open_table
from pitboss.rulebooks import Plan, WagerName, load_plan
from pitboss.rulebooks.vocabulary import Position
from support.floor import House

ANTE, FLOP, BET = WagerName("ante"), WagerName("flop"), WagerName("bet")


def pooled(plan: Plan, own: int, other: int, *, wins: bool, maximum: int = 100_000) -> Settlement:
    """A stud hand whose Ante and Bet two players funded, the seated one with `own`."""
    shares = {"seated": Cents(own), "standing": Cents(other)}
    seat = Seat(
        position=1,
        player="seated",
        cards=parse_cards(["Kd", "Kc", "9s", "7h", "3d"]),
        status=Status.PLAYED,
        wagers={ANTE: Cents(own + other), BET: Cents(2 * (own + other))},
        shares={ANTE: shares, BET: {owner: Cents(2 * share) for owner, share in shares.items()}},
    )
    dealer = "Ah Kh 9c 6s 3h" if wins else "Ah Ad 9c 6s 3h"
    facts = Facts(
        seats=(seat,),
        dealer=parse_cards(dealer.split()),
        limits={ANTE: Limit(Cents(2500), Cents(maximum))},
    )
    check_facts(plan, facts)
    return settle(plan, facts)


def owners(result: Settlement) -> dict[str, Cents]:
    return {share.player: share.net for share in result.seats[0].owners}


@pytest.mark.parametrize(
    ("letter", "seated", "standing"),
    [
        # Ante 600 and 900 of one limit of 1,000: two fifths and three fifths of what plays.
        ("a", 3 * 40_000, 3 * 60_000),
        # Only the seated player's 600 plays; the Bet follows it.
        ("b", 3 * 60_000, 0),
        # Each has the limit of 1,000 for himself.
        ("c", 3 * 60_000, 3 * 90_000),
    ],
)
def test_two_owners_over_the_limit_win(letter: str, seated: int, standing: int) -> None:
    result = pooled(load_plan("mbs-stud-6", {"R-POOL": letter}), 60_000, 90_000, wins=True)
    assert owners(result) == {"seated": seated, "standing": standing}


@pytest.mark.parametrize(
    ("letter", "seated", "standing"),
    [("a", -3 * 40_000, -3 * 60_000), ("b", -3 * 60_000, 0), ("c", -3 * 60_000, -3 * 90_000)],
)
def test_two_owners_over_the_limit_lose(letter: str, seated: int, standing: int) -> None:
    result = pooled(load_plan("mbs-stud-6", {"R-POOL": letter}), 60_000, 90_000, wins=False)
    assert owners(result) == {"seated": seated, "standing": standing}


def test_odd_cents_go_to_the_seated_player() -> None:
    # 10.00 of the 30.00 limit is the share of one third; 2/3 of a cent cannot be paid.
    result = pooled(load_plan("mbs-stud-6"), 1001, 2000, wins=True, maximum=3000)
    ante = [(share.player, share.lines[0]) for share in result.seats[0].owners]
    assert [(player, line.paid, line.stake, line.returned) for player, line in ante] == [
        ("seated", 1001, 1001, 1001),
        ("standing", 1999, 2000, 2000),
    ]


@pytest.mark.clauses("mbs-thb-9", "3.4", "3.4.2", "3.5.4")
@pytest.mark.clauses("mbs-3cp-2023", "3.4", "3.4.2", "3.5.5")
@pytest.mark.clauses("mbs-stud-6", "3.4", "3.4.2", "3.5.4")
@pytest.mark.parametrize("book", ["mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6"])
def test_the_mbs_books_pool_and_the_jackpot_belongs_to_the_seated_player(book: str) -> None:
    for letter, policy in (("a", "one-limit"), ("b", "one-owner"), ("c", "limit-each")):
        plan = load_plan(book, {"R-POOL": letter})
        assert plan.limits.pooling.policy == policy
    assert not plan.wager("jackpot").pooled


@pytest.mark.parametrize("book", ["hoiana-thb-2025", "rws-thp-2"])
def test_the_other_books_have_one_owner_a_box(book: str) -> None:
    plan = load_plan(book)
    seat = Seat(
        position=1,
        player="seated",
        cards=parse_cards(["Kd", "Kc"]),
        status=Status.FOLDED,
        wagers={ANTE: Cents(5000)},
        shares={ANTE: {"seated": Cents(2500), "standing": Cents(2500)}},
    )
    with pytest.raises(BadInput, match="not those of a pooled wager"):
        check_facts(plan, Facts(seats=(seat,)))


def test_a_share_that_folded_comes_back_when_the_round_is_void() -> None:
    """R-VOID: stakes already collected from folded hands too."""
    table = open_table(
        Terms(
            plan=load_plan("mbs-thb-9"),
            procedure=load_plan("mbs-thb-9").procedures[0],
            positions=6,
            limits={},
            jackpot=None,
        ),
        {"seated": Cents(100_000), "standing": Cents(6_000)},
    )
    dealer = c.Staff(Position.DEALER)
    total = total_money(table)
    for command in (
        c.OpenBets(by=dealer),
        c.PlaceWager(by=c.Player("seated"), position=1, wager="ante", amount=Cents(2_500)),
        c.PlaceWager(by=c.Player("standing"), position=1, wager="ante", amount=Cents(5_000)),
        c.CloseBets(by=dealer),
        c.Deal(by=dealer, cards=DECK),
        c.Bet(by=c.Player("seated"), position=1, wager="flop"),
    ):
        outcome = decide(table, command)
        assert not isinstance(outcome, Refusal)
        table = evolve_all(table, outcome)
        assert total_money(table) == total
    assert table.table_float == 5_000 * 10_000
    table = evolve_all(table, (void_round(table, ("5.4",)),))
    assert dict(table.racks) == {"seated": 100_000, "standing": 6_000}
    assert (total_money(table), table.table_float) == (total, 0)


# --- R-POOL-ORDER on a floor, where it is known who sits where -----------------------------------------------


def seated(letter: str) -> House:
    """A table of hold'em with p1 sitting at position 1, bets open."""
    house = House()
    house.link()
    house.table("mbs-thb-9", rulebook=house.book("mbs-thb-9", R_POOL_ORDER=letter), link="mega")
    house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))
    house.steps("dealer: open bets")
    return house


@pytest.mark.clauses("mbs-thb-9", "3.4", "3.5", "3.5.4", "5.12.1")
def test_others_wager_before_the_seated_player_who_decides_once_they_have_come() -> None:
    house = seated("a")
    house.steps("p2@1: wager ante 50")
    assert house.step("p2@1: wager jackpot 5").code == "others-seat"
    assert house.floor.table("t1").state.boxes[1].player == "p2"
    house.steps("p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets", "dealer: deal")
    assert house.floor.table("t1").state.boxes[1].player == "p1"
    assert house.step("p2@1: bet flop").code == "not-your-decision"
    house.steps("p1@1: view", "p1@1: bet flop")


def test_without_the_seated_player_the_first_owner_decides() -> None:
    house = seated("a")
    house.steps("p1@1: wager ante 25", "p1@1: wager bonus 5", "p1@1: wager jackpot 5", "p2@1: wager ante 50")
    house.steps("p1@1: withdraw ante")
    box = house.floor.table("t1").state.boxes[1]
    assert (box.player, {name: dict(owners) for name, owners in box.stakes.items()}) == (
        "p2",
        {ANTE: {"p2": 5_000}},
    )
    house.steps("dealer: close bets", "dealer: deal", "p2@1: bet flop")


def test_the_seated_player_first_and_last() -> None:
    house = seated("b")
    assert house.step("p2@1: wager ante 50").code == "others-seat"
    house.steps("p1@1: wager ante 25", "p2@1: wager ante 50")
    assert house.step("p1@1: withdraw ante").code == "pooled"


def test_a_seat_taken_after_another_has_a_jackpot_there_stays_with_that_player() -> None:
    """3.5.4: the jackpot of a position belongs to who plays it."""
    house = House()
    house.link()
    house.table("mbs-thb-9", link="mega")
    house.steps("dealer: open bets", "p2@1: wager ante 25", "p2@1: wager jackpot 5")
    house.ok("p1", q.TakeSeat(table="t1", position=1, player="p1"))
    house.steps("p1@1: wager ante 25")
    assert house.floor.table("t1").state.boxes[1].player == "p2"
