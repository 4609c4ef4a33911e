"""Records of trouble that was dealt with by the book: neither verifier raises a false alarm."""

from __future__ import annotations

import pytest

from pitboss.floor import requests as q
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.money import Cents
from support.floor import House, jackpot_hit, stud_house
from support.record import audited

FIRST, SECOND, DEALER = (
    f"pit-manager: report wrong-count {what} reconstructable=no" for what in ("1", "2", "dealer")
)
"""5.3: noticed before the next round and not to be put right, it undoes the settlement of the hand, or all of it."""


@pytest.fixture
def house() -> House:
    return stud_house()


def found_wrong(house: House) -> list[str]:
    """What both verifiers say of a floor."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    return [*(str(problem) for problem in checked.problems), *audited(store)]


@pytest.mark.parametrize(
    ("reports", "hands_back"), [((FIRST,), 1), ((FIRST, SECOND), 2), ((FIRST, DEALER), 2), ((DEALER,), 2)]
)
def test_p9_every_contribution_of_a_hand_out_after_the_settlement_comes_off_the_meter_once(
    house: House, reports: tuple[str, ...], hands_back: int
) -> None:
    before = house.floor.link("mega")
    house.stud()
    house.steps("dealer: settle", *reports)
    link = house.floor.link("mega")
    assert link.meter - before.meter == (2 - hands_back) * 500 * 2000
    assert link.reserve - before.reserve == (2 - hands_back) * 500 * 500
    assert house.floor.table("t1").state.meter == link.meter
    assert found_wrong(house) == []


def test_a_player_who_has_left_owes_what_is_undone(house: House) -> None:
    house.stud(hit=True)
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    rack = house.floor.table("t1").state.racks["p1"]
    house.ok("dora", q.CashOut(table="t1", player="p1", amount=Cents(rack)))
    house.steps(DEALER)
    assert house.balance("SGD/owed/t1") < 0
    assert found_wrong(house) == []


@pytest.mark.parametrize("report", [FIRST, DEALER])
def test_a_claim_whose_hand_is_out_ends_at_the_link(house: House, report: str) -> None:
    house.stud(hit=True)
    house.steps("dealer: settle", report)
    assert not house.floor.link("mega").claims
    assert found_wrong(house) == []


def test_awards_that_are_paid_undone_and_paid_again(house: House) -> None:
    jackpot_hit(house)
    house.steps(SECOND)
    jackpot_hit(house)
    house.steps(FIRST)
    jackpot_hit(house)
    assert found_wrong(house) == []


def test_a_hand_out_of_a_shared_jackpot_leaves_its_share_to_the_others_and_is_no_hit(house: House) -> None:
    """MBS 4.2: a royal flush takes what straight flushes leave; without one of them it takes that too."""
    house.ok("dora", q.AddPlayer(player="p3"))
    house.ok("dora", q.BuyIn(table="t1", player="p3", amount=Cents(500_000)))
    house.stack("Ah Kh Qh Jh Th 5d 6d 7d 8d 9d 5c 6c 7c 8c 9c 2s 2d 7s 9s Qs")
    house.steps("dealer: open bets")
    for number in (1, 2, 3):
        house.steps(f"p{number}@{number}: wager ante 25", f"p{number}@{number}: wager jackpot 5")
    house.steps("dealer: close bets", "dealer: deal")
    for number in (1, 2, 3):
        house.steps(f"p{number}@{number}: view", f"p{number}@{number}: bet bet")
    house.steps("dealer: reveal dealer", "dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    before = house.floor.link("mega")
    assert before.hits == 3
    house.steps(SECOND)
    link = house.floor.link("mega")
    assert (link.hits, link.total_won) == (2, before.total_won)
    assert not link.history[-1].undone
    assert found_wrong(house) == []


def test_a_share_that_went_back_before_its_hand_was_removed_is_not_on_the_line_of_the_hand() -> None:
    house = House()
    house.table("mbs-thb-9", limits={"ante": (Cents(2500), Cents(100_000))})
    steps = ["dealer: open bets", "p1@1: wager ante 25", "p2@1: wager ante 25", "p2@2: wager ante 25"]
    house.steps(*steps, "dealer: close bets", "dealer: deal")
    house.steps(
        "pit-manager: report confidentiality 2", "assistant-director: rule bar p2", FIRST, "dealer: settle"
    )
    names = [record.name for record in house.store.read("table/t1")]
    assert names.index("share-returned.v1") < names.index("hand-removed.v1") < names.index("round-settled.v1")
    assert found_wrong(house) == []
