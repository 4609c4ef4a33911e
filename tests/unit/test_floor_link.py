"""The linked jackpot: P1 to P19 of the standards, the order of hits by each book, outages, crashes, disputes."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.errors import BadInput
from pitboss.floor import jackpot
from pitboss.floor import requests as q
from pitboss.floor.accounts import LinkAccounts
from pitboss.floor.jackpot import lower_pays_more
from pitboss.floor.overview import sign_view
from pitboss.floor.people import staff
from pitboss.floor.reports import report
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.floor.views import floor_view
from pitboss.money import UNITS_PER_CENT, Cents, format_cents, to_units
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.play.views import Role, Viewer, view_for
from pitboss.reporting import told
from pitboss.rulebooks.vocabulary import Position
from support.floor import FLOAT, RWS_HIT, House, as_dealer, rws, rws_on, rws_table
from support.record import audited, log_of
from support.same_money import by_both_verifiers
from support.sent import as_sent
from verify_export import audit

METER, UNIT = 30_000_000, UNITS_PER_CENT
DEALER = c.Staff(Position.DEALER)


@pytest.fixture
def house() -> House:
    house = House(physical=True)
    house.link()
    return house


def meter(house: House) -> int:
    return house.floor.link("mega").meter


@pytest.mark.clauses("mbs-thb-9", "3.14")
def test_3_14_hold_em_hits_are_fixed_at_entry(house: House) -> None:
    house.table("mbs-thb-9", link="mega", procedure="method-c")
    house.stack("7h 8h 9h 2c 3d Kc Kd 5h 6h 4s Jc")
    _hold_em(house)
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    assert fixed.clauses[0] == "3.14"


@pytest.mark.clauses("mbs-3cp-2023", "3.17")
def test_3_17_three_card_hits_are_fixed_at_entry(house: House) -> None:
    house.table("mbs-3cp-2023", link="mega", procedure="manual")
    house.stack("5h 2c Kc 6h 3d Kd 7h 4s 2s 8h 9h")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet play", "p2@2: fold")
    house.steps("dealer: reveal dealer", "dealer: reveal community", "dealer: settle")
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    assert fixed.clauses[0] == "3.17"


def _hold_em(house: House) -> None:
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet flop", "p2@2: fold", "dealer: reveal flop")
    house.steps("p1@1: check", "dealer: reveal turn", "p1@1: check", "dealer: reveal river")
    house.steps("dealer: reveal dealer", "dealer: settle")


@pytest.mark.clauses("mbs-stud-6", "3.14")
def test_3_14_a_hit_is_claimed_fixed_at_entry_verified_and_paid(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud(hit=True)
    shown = METER * UNIT + 200 * UNIT
    answer = house.step("dealer: settle")
    assert answer.body["claim"] == 1
    link = house.floor.link("mega")
    claim = link.claims[1]
    assert claim.fixed is not None
    assert claim.fixed.displayed == shown
    assert link.meter == shown - shown // 10
    assert (claim.entered_by, claim.verified_by) == ("staff/dora", "")
    assert claim.dealt_at < claim.entered_at
    assert house.step("dealer: settle").code == "claim-pending"
    assert house.refused("saul", q.VerifyClaim(link="mega", claim=1)) == "no-authority"
    waits = house.ask("mara", q.VerifyClaim(link="mega", claim=7))
    assert (waits.code, waits.message) == (
        "no-such-claim",
        "No claim 7 waits on this link; those that do are 1.",
    )
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    assert house.refused("milo", q.VerifyClaim(link="mega", claim=1)) == "verified-already"
    answer = house.step("dealer: settle")
    assert answer.body["hit"] == answer.body["slip"] == 1
    link = house.floor.link("mega")
    (hit,) = link.history
    assert [share.amount for share in hit.shares] == [3_000_020]
    assert (link.hits, link.total_won, link.held) == (1, 3_000_020 * UNIT, 0)
    assert hit.verified_by == "mara"
    house.everything_adds_up()


def test_whoever_entered_a_claim_does_not_verify_it(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud(hit=True)
    house.ok("mara", as_dealer(c.Settle(by=DEALER)))
    assert house.refused("mara", q.VerifyClaim(link="mega", claim=1)) == "own-claim"
    house.ok("milo", q.VerifyClaim(link="mega", claim=1))


def test_p9_a_claim_that_is_rejected_gives_the_meter_back_what_was_fixed(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud(hit=True)
    before = meter(house)
    house.steps("dealer: settle")
    assert meter(house) < before
    with pytest.raises(BadInput, match="reason"):
        house.ask("mara", q.RejectClaim(link="mega", claim=1, reason=" "))
    house.ok("mara", q.RejectClaim(link="mega", claim=1, reason="a card was misread"))
    assert meter(house) == before
    assert house.floor.table("t1").state.claim == ()
    assert house.step("dealer: settle").body["claim"] == 2
    house.everything_adds_up()


def test_p12_other_tables_deal_on_and_what_they_put_in_is_the_next_jackpots(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.table("mbs-stud-6", "t2", link="mega", players=("p3", "p4"))
    house.stud(hit=True)
    house.steps("dealer: settle")
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    house.stud("t2")
    house.steps("dealer: settle", table="t2")
    assert meter(house) == fixed.after + 200 * UNIT
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    assert house.floor.link("mega").history[0].shares[0].amount == 3_000_020


def test_3_14_two_tables_are_paid_in_the_order_of_entry_each_on_the_meter_then_shown(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.table("mbs-stud-6", "t2", link="mega", players=("p3", "p4"))
    house.stud(hit=True)
    house.stud("t2", hit=True)
    shown = METER * UNIT + 400 * UNIT
    house.steps("dealer: settle", table="t2")
    house.steps("dealer: settle", table="t1")
    first, second = (house.floor.link("mega").claims[n] for n in (1, 2))
    assert (first.table, second.table) == ("t2", "t1")
    assert first.dealt_at > second.dealt_at
    assert first.fixed is not None
    assert second.fixed is not None
    assert first.fixed.displayed == shown
    assert second.fixed.displayed == first.fixed.after
    assert first.fixed.clauses[0] == "3.14"


@pytest.mark.clauses("rws-thp-2", "4.5.2")
def test_4_5_2_a_hit_waits_for_rounds_that_were_dealt_earlier(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws_table(house, "t2", "p2")
    rws(house, "t2", "7h 8h 9h Qc 3s 2s 3d Jc 4s")
    rws(house, "t1", RWS_HIT)
    rws_on(house, "t1")
    house.steps("dealer: settle", table="t1")
    claim = house.floor.link("mega").claims[1]
    assert claim.fixed is None
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    answer = house.step("dealer: settle", "t1")
    assert answer.code == "claim-not-fixed"
    assert answer.body["refusal"]["clauses"] == ["4.5", "4.5.2"]
    rws_on(house, "t2")
    house.steps("dealer: settle", table="t2")
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    assert fixed.why == "dealt first"
    house.steps("dealer: settle", table="t1")
    house.everything_adds_up()


@pytest.mark.clauses("rws-thp-2", "4.5.2", "1.20")
def test_4_5_2_the_hand_dealt_first_is_paid_first_though_entered_last(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws_table(house, "t2", "p2")
    rws(house, "t1", RWS_HIT)
    rws(house, "t2", RWS_HIT)
    for table in ("t2", "t1"):
        rws_on(house, table)
        house.steps("dealer: settle", table=table)
    link = house.floor.link("mega")
    assert [link.claims[n].table for n in (1, 2)] == ["t2", "t1"]
    first, second = link.claims[2].fixed, link.claims[1].fixed
    assert first is not None
    assert second is not None
    assert first.displayed == (METER + 200) * UNIT
    assert second.displayed == first.after


@pytest.mark.clauses("rws-thp-2", "4.5.2")
def test_4_5_2_the_house_determines_the_order(house: House) -> None:
    for table, who in (("t1", "p1"), ("t2", "p2"), ("t3", "p3")):
        rws_table(house, table, who)
    rws(house, "t3", "7h 8h 9h Qc 3s 2s 3d Jc 4s")
    rws(house, "t1", RWS_HIT)
    rws(house, "t2", RWS_HIT)
    for table in ("t1", "t2"):
        rws_on(house, table)
        house.steps("dealer: settle", table=table)
    assert len(house.floor.link("mega").waiting) == 2
    order = q.DetermineOrder(link="mega", claims=(2, 1))
    assert house.refused("saul", order) == "no-authority"
    with pytest.raises(BadInput, match="claim 9 does not wait"):
        house.ask("mara", q.DetermineOrder(link="mega", claims=(9,)))
    house.ok("mara", order)
    link = house.floor.link("mega")
    first, second = link.claims[2].fixed, link.claims[1].fixed
    assert first is not None
    assert second is not None
    assert second.displayed == first.after
    assert first.why == "determined by the House"


def test_a_waiting_claim_does_not_wait_for_a_round_without_jackpot_stakes(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws_table(house, "t2", "p2")
    rws(house, "t2", "7h 8h 9h Qc 3s 2s 3d Jc 4s", jackpot=False)
    rws(house, "t1", RWS_HIT)
    rws_on(house, "t1")
    house.steps("dealer: settle", table="t1")
    assert house.floor.link("mega").claims[1].fixed is not None


def test_p7_after_a_royal_the_meter_is_reset_from_the_reserve(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.ok(
        "gina",
        q.Transfer(
            link="mega",
            source="meter",
            target="reserve",
            amount=Cents(4_000_000),
            reason="to begin with",
            approved_by="gus",
        ),
    )
    house.stack("Ts Js Qs Ks As 2c 3d 4s Jc Kd 2s 2d 7c 9c Qh")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet bet", "p2@2: fold", "dealer: reveal dealer")
    house.steps("dealer: settle")
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    assert fixed.resets
    assert fixed.shares[0].amount == METER - 4_000_000 + 100
    assert fixed.from_reserve == (4_000_000 + 25) * UNIT
    assert fixed.from_house == to_units(Cents(10_000_000)) - fixed.from_reserve
    link = house.floor.link("mega")
    assert link.meter == to_units(Cents(10_000_000))
    assert link.reserve == 0
    house.everything_adds_up()


def test_p8_new_parameters_wait_until_the_present_jackpot_is_won(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    plan = q.PlanParameters(
        link="mega", reason="a new season", approved_by="gus", increment_bp=1000, reset=Cents(5_000_000)
    )
    assert house.refused("mara", plan) == "no-authority"
    assert (
        house.refused("gina", q.PlanParameters(link="mega", reason="x", approved_by="gina"))
        == "second-person"
    )
    house.ok("gina", plan)
    house.stud()
    house.steps("dealer: settle")
    assert meter(house) == (METER + 200) * UNIT
    house.stack("Ts Js Qs Ks As 2c 3d 4s Jc Kd 2s 2d 7c 9c Qh")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet bet", "p2@2: fold", "dealer: reveal dealer")
    house.steps("dealer: settle")
    assert meter(house) == 5_000_000 * UNIT
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    house.stud()
    assert meter(house) == (5_000_000 + 100) * UNIT
    with pytest.raises(BadInput, match="increment and reserve together"):
        house.ask("gina", q.PlanParameters(link="mega", reason="x", approved_by="gus", reserve_bp=9999))
    low = q.PlanParameters(link="mega", reason="x", approved_by="gus", ceiling=Cents(5_000_050))
    assert house.refused("gina", low) == "ceiling-below-meter"


def test_p5_at_the_ceiling_the_excess_goes_to_the_overflow_and_comes_back_from_there(house: House) -> None:
    house.link("low", startup=Cents(10_000_000), ceiling=Cents(10_000_150))
    house.table("mbs-stud-6", link="low")
    house.stud()
    link = house.floor.link("low")
    assert link.meter == 10_000_150 * UNIT
    assert link.overflow == 50 * UNIT
    house.steps("pit-supervisor: report foreign-card")
    link = house.floor.link("low")
    assert (link.meter, link.overflow, link.reserve) == (10_000_000 * UNIT, 0, 0)
    house.everything_adds_up()


def _split_by_the_ceiling() -> House:
    """Three stakes put a third of their contribution on the meter, and the rest into the overflow."""
    house = House(physical=True)
    house.link("low", startup=Cents(30_000_000), ceiling=Cents(30_000_100))
    house.table("mbs-stud-6", link="low", players=("p1", "p2", "p3"))
    house.steps("dealer: open bets")
    for n in (1, 2, 3):
        house.steps(f"p{n}@{n}: wager ante 25", f"p{n}@{n}: wager jackpot 5")
    house.steps("dealer: close bets", "dealer: deal")
    return house


def test_p5_a_stake_that_goes_back_takes_its_contribution_whole_from_meter_and_overflow() -> None:
    """What is cut from the overflow comes off the meter."""
    house = _split_by_the_ceiling()
    link = house.floor.link("low")
    assert (link.meter, link.overflow) == (30_000_100 * UNIT, 200 * UNIT)
    for n, overflow in ((1, 1_333_334), (2, 666_667), (3, 0)):
        house.steps(f"pit-supervisor: report wrong-count {n} reconstructable=no")
        link = house.floor.link("low")
        on_meter = link.meter - 30_000_000 * UNIT
        assert (on_meter + link.overflow, link.overflow) == ((3 - n) * 100 * UNIT, overflow)
    assert by_both_verifiers(house) == ([], {})


def test_p5_what_earlier_versions_cut_from_both_verifies_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit of the ledger stayed behind, and came with the last stake of the round."""
    house = _split_by_the_ceiling()
    for n, left in ((1, 2_000_001), (2, 1_000_001), (3, 0)):
        with monkeypatch.context() as earlier:
            earlier.setattr(jackpot, "give_back", jackpot.given_back_cut)
            house.steps(f"pit-supervisor: report wrong-count {n} reconstructable=no")
        link = house.floor.link("low")
        assert link.meter - 30_000_000 * UNIT + link.overflow == left
        assert by_both_verifiers(house) == ([], {})


def test_p5_what_was_transferred_out_of_the_overflow_is_not_there_to_come_back() -> None:
    house = _split_by_the_ceiling()
    moved = q.Transfer(
        link="low", source="overflow", target="reserve", amount=Cents(50), reason="x", approved_by="gus"
    )
    house.ok("gina", moved)
    for n in (1, 2, 3):
        house.steps(f"pit-supervisor: report wrong-count {n} reconstructable=no")
    link = house.floor.link("low")
    assert (link.meter, link.overflow, link.reserve) == (30_000_000 * UNIT, 0, 50 * UNIT)
    assert by_both_verifiers(house) == ([], {})


def test_contributions_come_out_again_when_a_stake_goes_back(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud()
    assert meter(house) == (METER + 200) * UNIT
    house.steps("pit-supervisor: report wrong-count 1 reconstructable=no")
    assert meter(house) == (METER + 100) * UNIT
    house.steps("dealer: settle")
    house.steps("pit-supervisor: report wrong-count dealer reconstructable=no")
    assert house.floor.table("t1").state.stage is Stage.VOID
    assert meter(house) == METER * UNIT
    assert house.floor.link("mega").reserve == 0
    house.everything_adds_up()


def test_p12_a_contribution_that_a_winner_has_taken_is_borne_by_the_house(house: House) -> None:
    """Round after round a royal takes everything; a stake that goes back afterwards takes nothing from the next."""
    house.table("mbs-stud-6", link="mega")
    house.table("mbs-stud-6", "t2", link="mega", players=("p3", "p4"))
    house.stud("t2")
    house.stack("Ts Js Qs Ks As 2c 3d 4s Jc Kd 2s 2d 7c 9c Qh")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet bet", "p2@2: fold", "dealer: reveal dealer")
    house.steps("dealer: settle")
    link = house.floor.link("mega")
    assert (link.meter, link.reserve) == (10_000_000 * UNIT, 0)
    house.steps("pit-supervisor: report foreign-card", table="t2")
    link = house.floor.link("mega")
    assert (link.meter, link.reserve) == (10_000_000 * UNIT, 0)
    house.everything_adds_up()


@pytest.mark.parametrize("cards", ["5h 6h 7h 8h 9h", "Th Jh Qh Kh Ah"], ids=["a tenth", "all of it"])
@pytest.mark.parametrize("fails", ["before the claim", "after it"])
def test_5_17_1_a_claim_that_is_rejected_in_an_outage_leaves_the_meter_registered_before(
    house: House, cards: str, fails: str
) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stack(f"{cards} 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("p2@2: wager jackpot 5", "dealer: close bets", "dealer: deal", "p1@1: bet bet")
    house.steps("p2@2: bet bet", "dealer: reveal dealer")
    if fails == "after it":
        house.steps("dealer: settle")
    shown = (METER + 200) * UNIT
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    house.steps("shift-manager: rule continue")
    if fails != "after it":
        house.steps("dealer: settle")
    first = house.floor.link("mega").claims[1].fixed
    house.ok("mara", q.RejectClaim(link="mega", claim=1, reason="a card was misread"))
    house.steps("dealer: settle")
    again = house.floor.link("mega").claims[2].fixed
    assert first is not None
    assert again is not None
    assert (first.displayed, again.displayed) == (shown, shown)
    assert again.shares == first.shares
    house.ok("mara", q.VerifyClaim(link="mega", claim=2))
    house.steps("dealer: settle", "pit-supervisor: report wrong-count dealer reconstructable=no signed gus")
    assert house.floor.link("mega").displayed == shown
    assert by_both_verifiers(house) == ([], {})


def test_p12_a_reserve_that_another_round_has_emptied_is_not_there_to_come_back(house: House) -> None:
    """Reserve is one pot: after a win has spent it, a late return takes what a later round has put aside."""
    house.table("mbs-stud-6", link="mega")
    house.table("mbs-stud-6", "t2", link="mega", players=("p3", "p4"))
    house.stud("t2")
    house.stack("Ts Js Qs Ks As 2c 3d 4s Jc Kd 2s 2d 7c 9c Qh")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet bet", "p2@2: fold", "dealer: reveal dealer")
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    house.stud()
    assert house.floor.link("mega").reserve == 2 * 500 * 500
    house.steps("pit-supervisor: report foreign-card", table="t2")
    assert house.floor.link("mega").reserve == 0
    house.steps("pit-supervisor: report foreign-card")
    assert (meter(house), house.floor.link("mega").reserve) == (10_000_000 * UNIT, 0)
    assert by_both_verifiers(house) == ([], {})


def test_a_paid_award_that_is_reversed_goes_back_to_the_meter(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud(hit=True)
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    house.steps("pit-supervisor: report wrong-count dealer reconstructable=no")
    link = house.floor.link("mega")
    assert link.meter == METER * UNIT
    assert link.total_won == 0
    assert house.floor.table("t1").state.racks == {"p1": 500_000, "p2": 500_000}
    house.everything_adds_up()


def test_a_hit_of_two_hands_stays_a_hit_when_one_of_them_is_out(house: House) -> None:
    """Two straight flushes share a tenth of the meter; removed one after the other, the last takes the hit along."""
    house.table("mbs-stud-6", link="mega")
    house.stack("5s 6s 7s 8s 9s 5h 6h 7h 8h 9h Kd Kc 9c 6d 3d")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5")
    house.steps("p2@2: wager ante 25", "p2@2: wager jackpot 5", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: view", "p1@1: bet bet", "p2@2: view", "p2@2: bet bet")
    house.steps("dealer: reveal dealer", "dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    (paid,) = house.floor.link("mega").history
    assert [share.player for share in paid.shares] == ["p1", "p2"]

    house.steps("pit-supervisor: report wrong-count 2 reconstructable=no")
    link = house.floor.link("mega")
    (left,) = link.history
    assert (left.undone, [share.player for share in left.shares]) == (False, ["p1"])
    assert left.shares[0].amount > paid.shares[0].amount
    assert link.total_won == to_units(left.shares[0].amount)
    (shown,) = as_sent(sign_view(house.floor, link))["hits"]
    assert shown["amounts"] == [format_cents(left.shares[0].amount)]

    house.steps("pit-supervisor: report wrong-count 1 reconstructable=no")
    link = house.floor.link("mega")
    assert (link.history[0].undone, link.total_won, link.meter) == (True, 0, METER * UNIT)
    assert as_sent(sign_view(house.floor, link))["hits"] == []
    house.everything_adds_up()
    assert audited(house.store) == []


def royal(house: House) -> None:
    """A round in which position 1 wins the whole meter, up to the claim."""
    house.stack("Ts Js Qs Ks As 2c 3d 4s Jc Kd 2s 2d 7c 9c Qh")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet bet", "p2@2: fold", "dealer: reveal dealer")
    house.steps("dealer: settle")


def test_a_whole_award_that_is_undone_leaves_meter_and_reserve_as_they_were(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud()
    house.steps("dealer: settle")
    before = house.floor.link("mega")
    royal(house)
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    assert house.floor.link("mega").meter == 10_000_000 * UNIT
    house.steps("pit-supervisor: report wrong-count dealer reconstructable=no")
    after = house.floor.link("mega")
    assert (after.meter, after.reserve, after.hits) == (before.meter, before.reserve, 0)
    assert after.wagers_in == before.wagers_in
    assert after.history[0].undone
    house.everything_adds_up()


@pytest.mark.clauses("mbs-stud-6", "3.14")
def test_3_14_hits_are_paid_in_their_order_and_fixed_again_when_one_ahead_is_not_upheld(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.table("mbs-stud-6", "t2", link="mega", players=("p3", "p4"))
    royal(house)
    house.stud("t2", hit=True)
    house.steps("dealer: settle", table="t2")
    behind = house.floor.link("mega").claims[2].fixed
    assert behind is not None
    assert behind.shares[0].amount == 1_000_020
    house.ok("mara", q.VerifyClaim(link="mega", claim=2))
    answer = house.step("dealer: settle", "t2")
    assert (answer.code, answer.body["refusal"]["clauses"]) == ("not-first", ["3.14"])
    house.ok("milo", q.RejectClaim(link="mega", claim=1, reason="a card was misread"))
    again = house.floor.link("mega").claims[2].fixed
    assert again is not None
    assert again.displayed == (METER + 300) * UNIT
    house.steps("dealer: settle", table="t2")
    assert house.floor.link("mega").history[0].shares[0].amount == 3_000_030
    assert house.step("dealer: settle").body["claim"] == 3
    house.everything_adds_up()
    assert audited(house.store) == []


def test_after_a_rejection_the_cards_of_a_physical_table_are_entered_again(house: House) -> None:
    house.table("mbs-stud-6", link="mega", cards="physical", players=("p1",))
    house.steps(
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p1@1: wager jackpot 5",
        "dealer: close bets",
        "dealer: deal",
    )
    for place, cards in (("1", "5h 6h 7h 8h 9h"), ("dealer", "2s 2d 7c 9c Qs")):
        for card in cards.split():
            house.steps(f"dealer: card {place} {card}")
    house.steps("p1@1: bet bet", "dealer: reveal dealer", "dealer: settle")
    house.ok("mara", q.RejectClaim(link="mega", claim=1, reason="it was the ten of spades"))
    for card in ["5h", "6h", "7h", "8h", "Ts"]:
        house.steps(f"dealer: card 1 {card}")
    house.steps("dealer: settle")
    assert house.floor.table("t1").state.stage is Stage.SETTLED
    house.everything_adds_up()


def test_p8_a_rejected_claim_leaves_the_parameters_waiting(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.ok(
        "gina",
        q.PlanParameters(
            link="mega", reason="x", approved_by="gus", increment_bp=1000, reset=Cents(5_000_000)
        ),
    )
    royal(house)
    house.ok("mara", q.RejectClaim(link="mega", claim=1, reason="a card was misread"))
    link = house.floor.link("mega")
    assert link.planned is not None
    assert link.terms.increment_bp == 2000
    house.steps("pit-supervisor: report foreign-card")
    assert house.floor.link("mega").meter == METER * UNIT
    house.everything_adds_up()


NEW_SEASON = q.PlanParameters(
    link="mega", reason="a new season", approved_by="gus", increment_bp=1000, reset=Cents(5_000_000)
)
DEALER_OUT, FIRST_OUT, SECOND_OUT = (
    f"pit-manager: report wrong-count {what} reconstructable=no" for what in ("dealer", "1", "2")
)
"""5.3: not to be put right, it undoes the settlement of all hands, or of one."""


def paid_royals(house: House, *hands: str, table: str = "t1") -> None:
    """Hands of p1, p2 … at a table of stud, each with a jackpot stake; what they win is verified and paid."""
    house.stack(" ".join((*hands, "2s 2d 7c 9c Qs")))
    house.steps("dealer: open bets", table=table)
    players = list(house.floor.table(table).state.racks)
    for n, _ in enumerate(hands, 1):
        who = f"{players[n - 1]}@{n}"
        house.steps(f"{who}: wager ante 25", f"{who}: wager jackpot 5", table=table)
    house.steps("dealer: close bets", "dealer: deal", table=table)
    for n, _ in enumerate(hands, 1):
        house.steps(f"{players[n - 1]}@{n}: bet bet", table=table)
    house.steps("dealer: reveal dealer", "dealer: settle", table=table)
    house.ok("mara", q.VerifyClaim(link="mega", claim=max(house.floor.link("mega").claims)))
    house.steps("dealer: settle", table=table)


HEARTS, CLUBS, FLUSH = "Ah Kh Qh Jh Th", "Ac Kc Qc Jc Tc", "5d 6d 7d 8d 9d"


def in_force(house: House) -> tuple[int, int | None]:
    """The increment of the present jackpot, and of the one after it where that is planned."""
    link = house.floor.link("mega")
    return link.terms.increment_bp, None if link.planned is None else link.planned.increment_bp


def changes_of(house: House) -> list[dict[str, Any]]:
    """What the report says was changed."""
    changes: list[dict[str, Any]] = as_sent(
        told(house.floor, report(house.floor, house.store), theory=False)
    )["changes"]
    return changes


def both_hold(house: House) -> bool:
    """Whether neither verifier finds anything."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    return [*checked.problems, *audited(store)] == []


def test_p8_when_a_paid_jackpot_is_undone_the_new_parameters_wait_again(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.ok("gina", NEW_SEASON)
    paid_royals(house, HEARTS)
    assert in_force(house) == (1000, None)
    house.steps(DEALER_OUT)
    assert meter(house) == METER * UNIT
    assert in_force(house) == (2000, 1000)
    assert house.floor.link("mega").terms.reset == 10_000_000
    house.stud()
    assert meter(house) == (METER + 200) * UNIT
    house.steps("dealer: settle")
    [back] = [change for change in changes_of(house) if change["kind"] == "parameters-restored"]
    assert (back["before"], back["after"]) == (
        "reset 50000.00, increment 10 %",
        "reset 100000.00, increment 20 %",
    )
    assert back["reason"] == "the hit they were taken with was undone"
    paid_royals(house, HEARTS)
    assert in_force(house) == (1000, None)
    taken = [change for change in changes_of(house) if change["kind"] == "parameters-taken"]
    assert [(change["reason"], change["by"]) for change in taken] == [
        ("a new season", "staff/dora, with gus")
    ] * 2
    assert both_hold(house)


@pytest.mark.parametrize(
    ("hands", "out", "parameters"),
    [
        ((HEARTS, CLUBS), SECOND_OUT, (1000, None)),  # the other royal flush has it whole
        ((HEARTS, FLUSH), SECOND_OUT, (1000, None)),
        ((HEARTS, FLUSH), FIRST_OUT, (2000, 1000)),  # a straight flush has its part of the present jackpot
        ((HEARTS, FLUSH), DEALER_OUT, (2000, 1000)),
    ],
)
def test_p8_parameters_go_by_whether_the_meter_is_still_won_whole(
    house: House, hands: tuple[str, ...], out: str, parameters: tuple[int, int | None]
) -> None:
    house.table("mbs-stud-6", link="mega")
    house.ok("gina", NEW_SEASON)
    paid_royals(house, *hands)
    house.steps(out)
    assert in_force(house) == parameters
    assert both_hold(house)


def test_p8_what_was_planned_since_waits_in_place_of_what_was_taken(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.ok("gina", NEW_SEASON)
    paid_royals(house, HEARTS)
    low = Cents(6_000_000)  # above the meter of now, and below what it was
    house.ok(
        "gina", q.PlanParameters(link="mega", reason="x", approved_by="gus", increment_bp=500, ceiling=low)
    )
    assert house.floor.link("mega").terms.ceiling == low
    house.steps(DEALER_OUT)
    link = house.floor.link("mega")
    assert in_force(house) == (2000, 500)
    assert link.planned is not None
    assert (link.terms.ceiling, link.planned.ceiling, link.planned.reset) == (None, low, 5_000_000)
    house.stud()
    assert meter(house) == (METER + 200) * UNIT
    house.steps("dealer: settle")
    paid_royals(house, HEARTS)
    assert in_force(house) == (500, None)
    assert both_hold(house)


def test_p8_the_verifier_of_the_export_holds_parameters_put_back_against_what_was_taken(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.ok("gina", NEW_SEASON)
    paid_royals(house, HEARTS)
    taken = list(log_of(house.store))
    house.steps(DEALER_OUT)
    records = list(log_of(house.store))
    [back] = [record for record in records if record["name"] == "parameters-restored.v1"]

    def problems(**changes: Any) -> list[str]:
        forged = back | {"data": back["data"] | changes}
        found = audit([forged if record is back else record for record in records]).problems
        return [problem for problem in found if "parameters-restored" in problem and "hash" not in problem]

    assert problems() == []
    old, new = back["data"]["parameters"], back["data"]["planned"]
    assert problems(parameters=old | {"increment_bp": 1500})
    assert problems(parameters=old | {"ceiling": 1})
    assert problems(planned=new | {"increment_bp": 1})
    assert problems(hit=2)
    head = max(record["version"] for record in taken if record["stream"] == "link/mega")
    early = audit([*taken, back | {"version": head + 1}]).problems  # while the hit stands
    assert any("hit 1 has won the meter whole" in problem for problem in early)


@pytest.mark.parametrize("first", ["t1", "t2"])
def test_p8_of_two_jackpots_undone_the_first_that_took_parameters_counts(house: House, first: str) -> None:
    for table in ("t1", "t2"):
        house.table("mbs-stud-6", table, link="mega")
    house.ok("gina", NEW_SEASON)
    paid_royals(house, HEARTS, table="t1")
    house.ok("gina", q.PlanParameters(link="mega", reason="x", approved_by="gus", increment_bp=500))
    paid_royals(house, HEARTS, table="t2")
    assert in_force(house) == (500, None)
    house.steps(DEALER_OUT, table=first)  # the other one has won the meter whole, before it or since
    assert in_force(house) == {"t1": (500, None), "t2": (1000, 500)}[first]
    house.steps(DEALER_OUT, table="t2" if first == "t1" else "t1")
    assert in_force(house) == (2000, 500)
    assert both_hold(house)


def test_p8_nothing_is_planned_while_a_hit_waits(house: House) -> None:
    """It has left the meter: whether the present jackpot is won is not known before it is paid or ended."""
    house.table("mbs-stud-6", link="mega")
    royal(house)
    assert house.refused("gina", NEW_SEASON) == "claims-pending"
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    house.ok("gina", NEW_SEASON)
    assert in_force(house) == (2000, 1000)
    assert both_hold(house)


@pytest.mark.parametrize("before", [None, 30_000_050, 40_000_000])
def test_p8_a_ceiling_above_the_meter_holds_at_once(before: int | None) -> None:
    house = House(physical=True)
    house.link(ceiling=None if before is None else Cents(before))
    house.table("mbs-stud-6", link="mega")
    house.ok("gina", q.PlanParameters(link="mega", reason="x", approved_by="gus", ceiling=Cents(METER + 150)))
    house.stud()
    house.steps("dealer: settle")
    assert (meter(house), house.floor.link("mega").overflow) == ((METER + 150) * UNIT, 50 * UNIT)
    house.ok("gina", NEW_SEASON)  # the ceiling stays as it is, though the meter stands at it
    assert both_hold(house)


def test_a_settlement_undone_after_the_winner_has_left_is_a_debt(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    royal(house)
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    taken = house.ok("dora", q.CashOut(table="t1", player="p1"))["paid"]
    assert float(taken) > 300_000
    house.steps("pit-supervisor: report wrong-count dealer reconstructable=no")
    owed = -house.balance("SGD/owed/t1")
    assert owed == round(float(taken) * 1_000_000) - 500_000 * UNIT
    assert "p1" not in house.floor.table("t1").state.racks
    house.everything_adds_up()


@pytest.mark.clauses("rws-thp-2", "5.17.1")
def test_5_17_1_contributions_that_went_back_in_the_outage_do_not_change_the_meter_registered(
    house: House,
) -> None:
    rws_table(house, "t1", "p1")
    rws_table(house, "t2", "p2")
    rws(house, "t1", RWS_HIT)
    house.steps("p1@1: view")
    rws(house, "t2", RWS_HIT)
    registered = meter(house)
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    assert house.floor.table("t2").state.stage is Stage.VOID
    assert meter(house) < registered
    house.steps("p1@1: bet flop", "dealer: reveal flop", "p1@1: check", "dealer: reveal turn", "p1@1: check")
    house.steps("dealer: reveal river", "dealer: reveal dealer", "dealer: settle")
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    assert fixed.displayed == registered
    assert fixed.shares[0].amount == registered // 10 // UNIT
    house.everything_adds_up()
    assert audited(house.store) == []


def test_a_claim_that_nothing_comes_before_is_fixed_when_the_table_settles(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever should have fixed it was gone before he could."""
    rws_table(house, "t1", "p1")
    rws_table(house, "t2", "p2")
    rws(house, "t2", "7h 8h 9h Qc 3s 2s 3d Jc 4s")
    rws(house, "t1", RWS_HIT)
    rws_on(house, "t1")
    house.steps("dealer: settle", table="t1")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    with monkeypatch.context() as gone:
        for name in ("_follow", "_follow_again"):
            gone.setattr(house.floor, name, lambda request, draft: None)
        house.steps("pit-supervisor: report foreign-card", table="t2")
    assert house.floor.link("mega").claims[1].fixed is None
    house.steps("dealer: settle", table="t1")


def test_money_is_not_moved_under_a_claim_nor_above_the_ceiling(house: House) -> None:
    house.link("low", startup=Cents(10_000_000), ceiling=Cents(10_000_500))
    house.table("mbs-stud-6", link="low")
    house.stud()
    house.steps("dealer: settle")
    move = {"link": "low", "reason": "x", "approved_by": "gus"}
    house.ok("gina", q.Transfer(source="meter", target="overflow", amount=Cents(200), **move))
    assert house.refused(
        "gina", q.Transfer(source="reserve", target="meter", amount=Cents(1000), **move)
    ) in ("above-ceiling", "not-enough")
    house.stud(hit=True)
    house.steps("dealer: settle")
    assert (
        house.refused("gina", q.Transfer(source="meter", target="overflow", amount=Cents(1), **move))
        == "claims-pending"
    )


def test_a_new_unit_brings_its_guard_along(house: House) -> None:
    house.ok("gina", q.PlanParameters(link="mega", reason="x", approved_by="gus", unit=Cents(1000)))
    planned = house.floor.link("mega").planned
    assert planned is not None
    assert planned.most_stake == 2 * house.floor.link("mega").terms.most_stake


def test_a_claim_ends_with_its_round(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud(hit=True)
    house.steps("dealer: settle", "pit-supervisor: report foreign-card")
    link = house.floor.link("mega")
    assert link.claims == {}
    assert link.meter == METER * UNIT
    house.everything_adds_up()


def test_p1_an_unreasonable_contribution_is_not_taken(house: House) -> None:
    house.link("tight", most_stake=Cents(700))
    house.table("mbs-stud-6", link="tight")
    house.steps("dealer: open bets")
    for n in (1, 2):
        house.steps(f"p{n}@{n}: wager ante 25", f"p{n}@{n}: wager jackpot 5")
    assert house.step("dealer: close bets").code == "unreasonable-contribution"
    assert house.floor.table("t1").state.stage is Stage.BETTING
    house.steps("p2@2: withdraw jackpot", "dealer: close bets")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"unit": Cents(0)}, "unit"),
        ({"increment_bp": 0}, "0 basis points"),
        ({"increment_bp": 9000, "reserve_bp": 2000}, "together are at most"),
        ({"reset": Cents(-1)}, "reset"),
        ({"ceiling": Cents(5)}, "below the reset value"),
        ({"startup": Cents(20_000_000), "ceiling": Cents(15_000_000)}, "above its ceiling"),
        ({"startup": Cents(-1)}, "no such meter"),
    ],
)
def test_a_link_is_not_opened_with_what_cannot_be(house: House, change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        house.link("other", **change)


def test_a_link_joins_unlike_games_of_one_currency(house: House) -> None:
    for index, book in enumerate(("mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"), 1):
        house.table(book, f"t{index}", players=(), link="mega")
    assert house.floor.link("mega").members == {"t1", "t2", "t3", "t4"}
    house.ok(
        "gina",
        q.OpenLink(
            link="usd",
            currency="USD",
            unit=Cents(500),
            reset=Cents(1000),
            increment_bp=1,
            reserve_bp=0,
            approved_by="gus",
        ),
    )
    house.ok("gina", q.AddTable(table="t5"))
    book = house.book("mbs-stud-6")
    assert (
        house.refused("mara", q.OpenTable(table="t5", rulebook=book, count=FLOAT, link="usd"))
        == "other-currency"
    )
    with pytest.raises(BadInput, match="has no jackpot"):
        house.ask(
            "mara", q.OpenTable(table="t5", rulebook=house.book("hoiana-thb-2025"), count=FLOAT, link="usd")
        )
    house.ok("mara", q.CloseTable(table="t1", count=FLOAT))
    assert house.floor.link("mega").members == {"t2", "t3", "t4"}


@pytest.mark.clauses("rws-thp-2", "5.16")
def test_5_16_an_outage_voids_a_round_in_which_nobody_has_seen_cards(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws(house, "t1", RWS_HIT)
    house.ok("saul", q.FailLink(link="mega", reason="the controller does not answer"))
    state = house.floor.table("t1").state
    assert state.stage is Stage.VOID
    assert "5.16" in state.void_clauses
    assert meter(house) == METER * UNIT
    house.everything_adds_up()


@pytest.mark.clauses("rws-thp-2", "5.17", "5.17.1", "5.17.2")
def test_5_17_a_round_seen_by_a_player_goes_on_at_the_meter_registered(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws(house, "t1", RWS_HIT)
    house.steps("p1@1: view")
    registered = meter(house)
    house.ok("saul", q.FailLink(link="mega", reason="a bet sensor is dead"))
    house.steps("p1@1: bet flop", "dealer: reveal flop", "p1@1: check", "dealer: reveal turn", "p1@1: check")
    house.steps("dealer: reveal river", "dealer: reveal dealer", "dealer: settle")
    fixed = house.floor.link("mega").claims[1].fixed
    assert fixed is not None
    assert fixed.displayed == registered
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle", "dealer: open bets", "p1@1: wager ante 25")
    answer = house.step("p1@1: wager jackpot 5")
    assert answer.code == "jackpot-out-of-order"
    assert answer.body["refusal"]["clauses"] == ["5.17.2"]


@pytest.mark.clauses("rws-thp-2", "5.17.2")
def test_5_17_2_the_notice_stands_at_the_table_until_it_is_lifted(house: House) -> None:
    rws_table(house, "t1", "p1")
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    house.steps("pit-manager: rule suspend-jackpot")
    view = as_sent(view_for(house.floor.table("t1").state, Viewer(Role.PLAYER, "p1")))
    (notice,) = view["notices"]
    assert notice["notice"] == "no-jackpot"
    assert notice["clauses"] == ["5.17.2"]
    house.ok("mara", q.RestoreLink(link="mega"))
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-suspended"
    house.steps("pit-manager: lift suspend-jackpot", "p1@1: wager jackpot 5")


@pytest.mark.clauses("rws-thp-2", "5.17.2")
def test_5_17_2_after_a_failure_at_one_table_the_house_says_how_it_goes_on(house: House) -> None:
    rws_table(house, "t1", "p1")
    rws(house, "t1", RWS_HIT)
    house.steps("pit-supervisor: report jackpot-failure", "dealer: open bets", "p1@1: wager ante 25")
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"
    view = as_sent(floor_view(house.floor.table("t1"), house.floor.link("mega"), Viewer(Role.PUBLIC)))
    assert [notice["notice"] for notice in view["notices"]] == ["no-jackpot"]
    house.steps("pit-manager: rule block 2", "p1@1: wager jackpot 5")
    again = house.opened().table("t1")
    assert again == house.floor.table("t1")


def test_p15_a_link_comes_back_with_its_parameters_and_its_meter(house: House) -> None:
    before = house.floor.link("mega")
    house.ok("saul", q.FailLink(link="mega", reason="a test"))
    assert house.refused("saul", q.FailLink(link="mega", reason="again")) == "out-of-order-already"
    assert house.refused("saul", q.RestoreLink(link="mega")) == "no-authority"
    house.ok("mara", q.RestoreLink(link="mega"))
    assert house.refused("mara", q.RestoreLink(link="mega")) == "in-order"
    after = house.floor.link("mega")
    assert (after.parameters, after.meter, after.reserve) == (before.parameters, before.meter, before.reserve)
    assert (after.out_of_order, after.outages) == ("", 1)


def test_a_crash_before_the_tables_were_told_of_an_outage_tells_them_afterwards(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    rws_table(house, "t1", "p1")
    rws(house, "t1", RWS_HIT)
    house.steps("p1@1: view", "p1@1: fold")
    with monkeypatch.context() as gone:
        gone.setattr(house.floor, "_follow", lambda request, draft: None)
        assert house.floor.do(staff("saul"), q.FailLink(link="mega", reason="no power")).ok
    for _ in range(2):
        house.floor = house.opened()
        house.floor.recover()
    reports = [
        event.data for event in house.store.read("table/t1") if event.name == "irregularity-reported.v1"
    ]
    assert sum('"kind":"jackpot-failure"' in data for data in reports) == 1


def test_an_outage_in_a_book_that_does_not_cover_it_waits_for_the_manager(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    house.stud()
    house.ok("saul", q.FailLink(link="mega", reason="no power"))
    state = house.floor.table("t1").state
    assert state.suspension is not None
    assert state.suspension.clauses == ("6.1",)


def test_p16_a_link_whose_ledger_differs_is_put_out_of_order(house: House) -> None:
    house.table("mbs-stud-6", link="mega")
    assert house.floor.self_check() == []
    accounts = LinkAccounts("SGD", "mega")
    house.store._balances[accounts.meter] += 1  # type: ignore[attr-defined]
    assert house.floor.self_check() == ["mega"]
    assert "meter and ledger differ" in house.floor.link("mega").out_of_order
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    assert house.step("p1@1: wager jackpot 5").code == "jackpot-out-of-order"


def test_p14_a_meter_so_small_that_a_lower_hand_pays_more_is_told(house: House) -> None:
    house.table("mbs-thb-9", link="mega")
    plan = house.floor.table("t1").state.plan
    assert lower_pays_more(house.floor.link("mega"), plan) == ""
    house.ok(
        "gina",
        q.Transfer(
            link="mega",
            source="meter",
            target="overflow",
            amount=Cents(29_000_000),
            reason="x",
            approved_by="gus",
        ),
    )
    assert "straight-flush" in lower_pays_more(house.floor.link("mega"), plan)


def test_transfers_take_two_managers_and_what_is_there(house: House) -> None:
    move = q.Transfer(
        link="mega", source="reserve", target="meter", amount=Cents(1), reason="x", approved_by="gus"
    )
    assert house.refused("gina", move) == "not-enough"
    assert house.refused("mara", move) == "no-authority"
    with pytest.raises(BadInput, match="no account 'house'"):
        house.ask(
            "gina",
            q.Transfer(
                link="mega", source="house", target="meter", amount=Cents(1), reason="x", approved_by="gus"
            ),
        )


# --- the letters about the meter, at a link of several tables ------------------------------------------------

ROYAL = "As Ks Qs Js Ts 2c 3d 4s Jc Kd 2s 2d 7c 9c Qh"
QUADS = "9s 9d 9c 9h 2h 2c 3d 4s Jc Kd 2s 2d 7c 6c Qh"


def stud_table(house: House, name: str, **readings: str) -> None:
    players = (f"{name}-1", f"{name}-2")
    book = house.book("mbs-stud-6", **readings)
    house.table("mbs-stud-6", name, players=players, rulebook=book, link="mega")


def dealt(house: House, table: str, cards: str) -> None:
    """A round of stud at a table up to the settlement, two stakes of 5.00 on the jackpot."""
    house.stack(cards)
    house.steps("dealer: open bets", table=table)
    for n in (1, 2):
        who = f"{table}-{n}@{n}"
        house.steps(f"{who}: wager ante 25", f"{who}: wager jackpot 5", table=table)
    house.steps("dealer: close bets", "dealer: deal", table=table)
    for n in (1, 2):
        house.steps(f"{table}-{n}@{n}: bet bet", table=table)
    house.steps("dealer: reveal dealer", table=table)


def paid(house: House, table: str) -> int:
    """Settle, verify what is claimed, settle: the award of the first position in cents."""
    house.steps("dealer: settle", table=table)
    if house.floor.table(table).state.claim:
        house.ok("mara", q.VerifyClaim(link="mega", claim=max(house.floor.link("mega").claims)))
        house.steps("dealer: settle", table=table)
    settlement = house.floor.table(table).state.settlement
    assert settlement is not None
    assert settlement.jackpot is not None
    return settlement.jackpot.awards[0].amount


CENTS = 10_000


def test_only_the_stakes_of_the_round_that_wins_do_not_contribute() -> None:
    """R-CONTRIB=b: what another table has put in is won; the winning table's two stakes of 5.00 are not."""
    for letter, award in (("a", 30_000_000 + 400), ("b", 30_000_000 + 200)):
        house = House(physical=True)
        house.link()
        stud_table(house, "t1", R_CONTRIB=letter)
        stud_table(house, "t2")
        dealt(house, "t2", QUADS)
        dealt(house, "t1", ROYAL)
        assert paid(house, "t1") == award
        assert house.floor.link("mega").meter == 10_000_000 * CENTS
        assert paid(house, "t2") == 200_000
        assert house.floor.link("mega").meter == 10_000_000 * CENTS
        house.everything_adds_up()


def test_the_book_of_the_table_that_hits_says_who_pays_fixed_awards() -> None:
    """R-FIXED-FUND: the meter pays 2,000.00 of four of a kind at t1, the house at t2."""
    house = House(physical=True)
    house.link()
    stud_table(house, "t1", R_FIXED_FUND="b")
    stud_table(house, "t2")
    for table, before, after in (("t1", 300_002_00, 298_002_00), ("t2", 298_004_00, 298_004_00)):
        dealt(house, table, QUADS)
        assert house.floor.link("mega").meter == before * CENTS
        assert paid(house, table) == 200_000
        assert house.floor.link("mega").meter == after * CENTS
        house.everything_adds_up()
    house.steps("pit-supervisor: report wrong-count dealer reconstructable=no", table="t1")
    assert house.floor.link("mega").meter == (300_002_00 - 200 + 200) * CENTS
    house.everything_adds_up()


def test_a_meter_is_rounded_and_kept_at_its_floor_by_the_book_of_the_table_that_hits() -> None:
    """R-ROUND=c and R-METERFLOOR=b at t1, neither at t2."""
    house = House(physical=True)
    house.link(startup=Cents(10_000_037))
    stud_table(house, "t1", R_ROUND="c", R_METERFLOOR="b")
    stud_table(house, "t2")
    dealt(house, "t1", "5h 6h 7h 8h 9h 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
    assert paid(house, "t1") == 1_000_000
    assert house.floor.link("mega").meter == 10_000_000 * CENTS
    dealt(house, "t2", "5h 6h 7h 8h 9h 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
    assert paid(house, "t2") == 1_000_020
    assert house.floor.link("mega").meter == (10_000_200 - 1_000_020) * CENTS
    house.everything_adds_up()
