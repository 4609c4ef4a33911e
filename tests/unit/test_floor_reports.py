"""Reports on the floor: the second signature, cards drawn together, looks at virtual tables, rounds settled again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.client import NotAllowed, Refused
from pitboss.floor import requests as q
from pitboss.floor.reports import report
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.forms import write_act
from pitboss.money import UNITS_PER_CENT, Cents
from pitboss.play import commands as c
from pitboss.rulebooks.trouble import ExposedAt, ExposedBy, Irregularity, Ruling
from pitboss.store.keeping import export_all
from support.floor import House
from support.play import DEALER
from support.record import audited
from support.service import PASSWORD, Served, served
from verify_export import verify_export

STUD = {"1": "As Ad 9c 8d 3h", "2": "Kh 7d 5s 4c 2h", "dealer": "Qs Qd 6c 4h 2s"}
LATE = {"R_LATE_COUNT": "a", "R_LATE_REBUILD": "a"}


def stud(house: House, *, cards: str = "physical", **readings: str) -> None:
    """A round of stud at t1, settled; seat 1 has won."""
    house.table("mbs-stud-6", cards=cards, rulebook=house.book("mbs-stud-6", **readings))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: bet bet", "p2@2: bet bet", "dealer: reveal dealer")
    if cards == "physical":
        for place, row in STUD.items():
            house.steps(*(f"dealer: card {place} {card}" for card in row.split()))
    house.steps("dealer: settle")


def counted(*, approved_by: str = "") -> q.Act:
    report = c.Report(by=DEALER, kind=Irregularity.COUNT_DOUBT, count=51, approved_by=approved_by)
    return q.Act(table="t1", command=report)


def sound(house: House) -> None:
    """Everything adds up, and neither verifier finds anything."""
    house.everything_adds_up()
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked)
    assert [*(str(problem) for problem in checked.problems), *audited(store)] == []


def test_mbs_5_8_a_late_count_takes_a_pit_supervisor_and_a_second_signature() -> None:
    house = House()
    stud(house, **LATE)
    racks = dict(house.floor.table("t1").state.racks)
    assert house.refused("dora", counted(approved_by="saul")) == "no-authority"
    for second in ("", "saul", "nobody", "dora"):
        assert house.refused("saul", counted(approved_by=second)) == "second-person"
    assert house.floor.table("t1").state.racks == racks
    house.ok("saul", counted(approved_by="mara"))
    state = house.floor.table("t1").state
    assert state.stage == "void"
    assert set(state.racks.values()) == {500_000}
    sound(house)


def test_mbs_5_8_by_the_default_letter_the_settlement_stands_and_one_person_reports_it() -> None:
    house = House()
    stud(house)
    racks = dict(house.floor.table("t1").state.racks)
    house.ok("dora", counted())
    assert house.floor.table("t1").state.racks == racks
    assert house.floor.table("t1").state.stage == "settled"


# What seat 1 is paid for aces against queens: stakes of 75.00, and 25.00 and 50.00 on top.
PAID = 15_000
LOSES, TIES, NO_HAND = "Ks Kd Kc 4h 2s", "Ac Ah 9d 8c 3d", "Qs Jd 6c 4h 2s"
QUEENS = STUD["dealer"]


def settled_anew(house: House, cards: str, *, place: str = "dealer") -> None:
    """A wrong number of cards is found after the settlement; the right ones are entered, decisions stay."""
    house.steps(f"dealer: report wrong-count {place} reconstructable=yes")
    house.steps(*(f"dealer: card {place} {card}" for card in cards.split()), "dealer: settle")


def owed(house: House) -> int:
    """What players owe at t1, in cents."""
    return -house.balance("SGD/owed/t1") // UNITS_PER_CENT


def rack(house: House, player: str) -> int:
    """The chips in front of a player at t1, in cents."""
    return house.floor.table("t1").state.racks.get(player, 0)


@pytest.mark.parametrize(("cards", "paid"), [(LOSES, 0), (TIES, 7_500), (NO_HAND, 10_000), (QUEENS, PAID)])
@pytest.mark.parametrize("left", [None, 0, 3_000])
def test_mbs_5_3_settled_again_the_debt_is_what_was_overpaid(cards: str, paid: int, left: int | None) -> None:
    """R-LATE-REBUILD=a. The player still has all chips, has left with them, or has 30.00 left."""
    house = House()
    stud(house, **LATE)
    had = rack(house, "p1")
    if left is not None:
        house.ok("dora", q.CashOut(table="t1", player="p1", amount=Cents(had - left)))
    kept = had if left is None else left
    house.steps("dealer: report wrong-count dealer reconstructable=yes")
    assert owed(house) == max(0, PAID - kept)  # until the round is settled, nothing of it is known
    house.steps(*(f"dealer: card dealer {card}" for card in cards.split()), "dealer: settle")
    overpaid = PAID - paid
    assert (owed(house), rack(house, "p1")) == (max(0, overpaid - kept), max(0, kept - overpaid))
    assert house.floor.table("t1").state.settlement is not None
    sound(house)


def test_mbs_5_3_settled_again_who_was_paid_too_little_gets_the_rest() -> None:
    """The loser has left; without a hand of the dealer the Ante is paid and the Bet goes back: 100.00."""
    house = House()
    stud(house, **LATE)
    house.ok("dora", q.CashOut(table="t1", player="p2"))
    settled_anew(house, NO_HAND)
    assert (owed(house), rack(house, "p2")) == (0, 10_000)
    assert house.ok("dora", q.CashOut(table="t1", player="p2", amount=Cents(2_500)))["paid"] == "25.00"
    assert house.ok("dora", q.CashOut(table="t1", player="p2"))["paid"] == "75.00"
    sound(house)


def test_mbs_5_3_settled_again_twice_in_turn() -> None:
    house = House()
    stud(house, **LATE)
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    settled_anew(house, TIES)
    assert (owed(house), rack(house, "p1")) == (7_500, 0)
    house.ok("dora", q.BuyIn(table="t1", player="p1", amount=Cents(5_000)))
    settled_anew(house, LOSES)  # 75.00 more: 50.00 of it lie there
    assert (owed(house), rack(house, "p1")) == (10_000, 0)
    settled_anew(house, QUEENS)  # as it was paid at first: the chips that were taken come back
    assert (owed(house), rack(house, "p1")) == (0, 5_000)
    sound(house)


def test_mbs_5_3_a_debt_of_an_earlier_round_is_not_paid_by_the_next() -> None:
    house = House()
    stud(house, **LATE)
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    settled_anew(house, TIES)
    house.ok("dora", q.BuyIn(table="t1", player="p1", amount=Cents(50_000)))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: bet bet", "dealer: reveal dealer")
    for place in ("1", "dealer"):
        house.steps(*(f"dealer: card {place} {card}" for card in STUD[place].split()))
    house.steps("dealer: settle")
    assert (owed(house), rack(house, "p1")) == (7_500, 57_500)
    sound(house)


def test_mbs_5_7_settled_again_a_jackpot_moves_to_whom_it_belongs() -> None:
    """The royal of seat 1 was one of seat 2: what seat 1 took away of it is owed, and seat 2 is paid."""
    house = House()
    house.link()
    house.table("mbs-stud-6", cards="physical", link="mega", rulebook=house.book("mbs-stud-6", **LATE))
    meter = house.floor.link("mega").meter
    for n in (1, 2):
        house.steps(*(["dealer: open bets"] if n == 1 else []), f"p{n}@{n}: wager ante 25")
        house.steps(f"p{n}@{n}: wager jackpot 5")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: bet bet", "p2@2: bet bet")
    royal, kings = "Ah Kh Qh Jh Th", "Kd Kc 9s 5c 2d"
    house.steps("dealer: reveal dealer")
    for place, row in {"1": royal, "2": kings, "dealer": QUEENS}.items():
        house.steps(*(f"dealer: card {place} {card}" for card in row.split()))

    def paid(claim: int) -> None:
        house.steps("dealer: settle")
        house.ok("mara", q.VerifyClaim(link="mega", claim=claim))
        house.steps("dealer: settle")

    paid(1)
    award = rack(house, "p1") - 500_000
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    house.steps("dealer: report wrong-count 1 reconstructable=yes")
    house.steps(*(f"dealer: card 1 {card}" for card in ("As", "Ad", "9c", "8d", "3h")))
    house.steps(*(f"dealer: card 2 {card}" for card in royal.split()))
    paid(2)
    aces = 7_500 - 500  # what seat 1 wins with the hand it had: 25.00 and 50.00, less the jackpot stake
    assert owed(house) == award - aces
    assert rack(house, "p1") == 0
    assert rack(house, "p2") == 500_000 + award
    assert meter < house.floor.link("mega").meter + award * UNITS_PER_CENT
    sound(house)


def test_a_debt_is_told_among_the_changes_of_the_day_and_what_came_off_it() -> None:
    house = House()
    stud(house, **LATE)
    house.ok("dora", q.CashOut(table="t1", player="p1"))
    settled_anew(house, TIES)
    day = report(house.floor, house.store)
    told = [(row.what, row.before, row.after, row.reason) for row in day.changes if "owes" in row.what]
    assert told == [
        ("p1 owes", "0.00", "150.00", "a settlement was undone"),
        ("p1 owes", "150.00", "75.00", "the round was settled again"),
    ]


def test_rws_5_14_at_a_physical_table_of_the_floor() -> None:
    house = House()
    house.table("rws-thp-2", cards="physical", procedure="shoe")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
    house.steps("dealer: deal", "dealer: report simultaneous-draw")
    wrong = c.Rule(by=DEALER, ruling=Ruling.ORDER, argument="Kh,Ah")
    assert house.refused("saul", q.Act(table="t1", command=wrong)) == "not-drawn-together"
    house.steps("dealer: card 1 Ah", "dealer: card 2 Kh", "dealer: card 1 Ad")
    apart = c.Rule(by=DEALER, ruling=Ruling.ORDER, argument="Ad,Ah")
    assert house.refused("saul", q.Act(table="t1", command=apart)) == "not-drawn-together"
    house.ok("saul", q.Act(table="t1", command=wrong))
    assert [card.code for card in house.floor.table("t1").state.known["1"]] == ["Kh", "Ad"]
    sound(house)


def test_a_reported_look_at_a_virtual_table_is_for_the_pit() -> None:
    """It shows the player the hand that they are said to have seen."""
    house = House()
    house.table("mbs-stud-6")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@2: wager ante 25", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: view")
    report = c.Report(by=DEALER, kind=Irregularity.EXTRA_VIEW, positions=(2,), intentional=False)
    assert house.refused("dora", q.Act(table="t1", command=report)) == "for-the-pit"
    house.ok("saul", q.Act(table="t1", command=report))
    assert house.floor.table("t1").state.boxes[2].viewed
    sound(house)


def test_a_virtual_round_is_not_settled_again_for_cards_that_lie_as_sealed() -> None:
    house = House()
    stud(house, cards="virtual", **LATE)
    racks = dict(house.floor.table("t1").state.racks)
    answer = house.step("pit-supervisor: report wrong-count dealer reconstructable=yes")
    assert answer.code == "seal-holds"
    assert house.floor.table("t1").state.stage == "settled"
    assert house.floor.table("t1").state.racks == racks
    sound(house)


# --- over the wire ------------------------------------------------------------------------------------------


def _late_stud(house: House) -> None:
    stud(house, **LATE)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("reports") / "floor", _late_stud) as found:
        yield found


def test_a_second_person_signs_an_act_at_a_table(service: Served) -> None:
    report = c.Report(by=DEALER, kind=Irregularity.COUNT_DOUBT, count=51, approved_by="mara")
    alone = c.Report(by=DEALER, kind=Irregularity.COUNT_DOUBT, count=51)
    with service.signed_in("saul") as ask:
        with pytest.raises(NotAllowed, match="second person"):
            ask(ask.client.act("t1", alone))
        with pytest.raises(NotAllowed, match="own word"):
            ask(ask.client.act("t1", report))
        word = ask(ask.client.countersign_act("mara", PASSWORD, "t1", alone))
        with pytest.raises(NotAllowed, match="own word"):
            ask(ask.client.act("t1", report, countersign=word))
        word = ask(ask.client.countersign_act("mara", PASSWORD, "t1", report))
        ask(ask.client.act("t1", report, countersign=word))
        assert ask(ask.client.table("t1"))["stage"] == "void"


def test_reports_over_the_wire_say_who_when_and_whose_seats(service: Served) -> None:
    body = {"do": "report", "kind": "exposed", "count": 1, "by": "player", "at": "later", "seats": [1]}
    with service.signed_in("saul") as ask:
        with pytest.raises(Refused) as found:
            ask(ask.client.call("POST", "/api/tables/t1/acts", {"acts": [body]}))
        assert found.value.code == "nobody-asked"
    written = c.Report(
        by=DEALER,
        kind=Irregularity.EXPOSED,
        exposed_by=ExposedBy.PLAYER,
        exposed_at=ExposedAt.LATER,
        seats=(1,),
        count=1,
    )
    assert msgspec.to_builtins(write_act(written)) == body


def test_a_jackpot_that_was_paid_is_undone_and_claimed_again(mega: House) -> None:
    """At a physical table on a link the new settlement goes the way of every claim."""
    house = mega
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: bet bet", "dealer: reveal dealer")
    for place, row in {"1": "5h 6h 7h 8h 9h", "dealer": "Qs Qd 6c 4c 2s"}.items():
        house.steps(*(f"dealer: card {place} {card}" for card in row.split()))
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle", "dealer: report wrong-count 1 reconstructable=yes")
    house.steps(*(f"dealer: card 1 {card}" for card in ["5h", "6h", "7h", "8h", "9c"]), "dealer: settle")
    assert house.floor.table("t1").state.stage == "settled"
    assert house.floor.link("mega").meter == house.floor.table("t1").state.meter
    sound(house)


def test_a_jackpot_that_is_won_again_is_claimed_again(mega: House) -> None:
    house = mega
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: bet bet", "dealer: reveal dealer")
    for place, row in {"1": "5h 6h 7h 8h 9h", "dealer": "Qs Qd 6c 4c 2s"}.items():
        house.steps(*(f"dealer: card {place} {card}" for card in row.split()))
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=1))
    house.steps("dealer: settle")
    racks = dict(house.floor.table("t1").state.racks)
    house.steps("dealer: report wrong-count dealer reconstructable=yes", "dealer: settle")
    claims = house.floor.link("mega").claims
    house.ok("mara", q.VerifyClaim(link="mega", claim=max(claims)))
    house.steps("dealer: settle")
    assert house.floor.table("t1").state.stage == "settled"
    assert house.floor.table("t1").state.racks == racks
    sound(house)


@pytest.fixture
def mega() -> House:
    house = House()
    house.link()
    book = house.book("mbs-stud-6", **LATE)
    house.table("mbs-stud-6", cards="physical", link="mega", rulebook=book)
    return house


def test_the_second_verifier_finds_nothing_in_such_a_record(tmp_path: Path) -> None:
    where = Settings(tmp_path / "floor")
    store = open_store(where, create=True)
    house = House(store)
    stud(house, **LATE)
    won = house.floor.table("t1").state.racks["p1"]
    house.ok("dora", q.CashOut(table="t1", player="p1", amount=won))
    house.steps("dealer: report wrong-count dealer reconstructable=yes")
    house.steps(*(f"dealer: card dealer {card}" for card in ("Ks", "Kd", "Kc", "4h", "2s")), "dealer: settle")
    house.ok("saul", counted(approved_by="mara"))
    house.table("rws-thp-2", "t2", cards="physical", players=("p5", "p6"))
    house.steps("dealer: open bets", "p5@1: wager ante 25", "p5@2: wager ante 25", table="t2")
    house.steps("dealer: close bets", "dealer: deal", "dealer: report misdeal seats=1", table="t2")
    house.steps("pit-manager: rule reconstruct", "p5@1: option continue", table="t2")
    house.steps("pit-supervisor: report extra-view 2 intentional=no", table="t2")
    house.steps("dealer: report exposed 1 by=player at=later", "shift-manager: rule continue", table="t2")
    export_all(store, where.data / "export", checkpoint_key(where, create=True))
    store.close()
    assert verify_export(where.data / "export") == []
