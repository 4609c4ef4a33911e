"""A small floor on which nearly everything happens once: a round or two of every kind, by every kind of event."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pitboss.floor import acts
from pitboss.floor import requests as q
from pitboss.floor.people import CONSOLE, SYSTEM
from pitboss.floor.ports import Store
from pitboss.floor.reconciliation import digest_of_loss
from pitboss.floor.registry import Lost, LostCheckpoint
from pitboss.floor.sealing import SealedCard, commitment
from pitboss.floor.table_events import CommitmentsSealed
from pitboss.money import Cents
from pitboss.server.beacon import LocalSigner
from support.entropy import Devices, seat, with_beacon
from support.floor import FLOAT, HOIANA_KIT, RWS_HIT, House, jackpot_hit, rws, rws_on

STUD = {"1": "5h 6h 7h 8h Ts", "dealer": "2s 2d 7c 9c Qs"}


def eventful(store: Store) -> House:
    """The floor, with nothing signed: tables of four books, a link, disputes, and a round in play at the end."""
    house = House(store)
    _the_house(house)
    _jackpots(house)
    _virtual(house)
    _physical(house)
    _hold_em(house)
    _disputes(house)
    _rare(house)
    _since(house)
    _failed_over(house)
    _sealed_as_before(house)
    _composed(house)
    _the_end(house)
    _forgotten(house)
    return house


def _the_house(house: House) -> None:
    house.ok(CONSOLE, q.AddPerson(person="pia", position="dealer"))
    house.ok(CONSOLE, q.MovePerson(person="pia", position="dealer-inspector", reason="trained"))
    house.ok(CONSOLE, q.RemovePerson(person="pia", reason="left"))
    house.ok(SYSTEM, q.NoteAccount(kind="staff", name="dora", what="password-set", by="console"))
    house.ok("gina", q.WithdrawRulebook(rulebook=house.book("mbs-3cp-2023"), reason="another edition"))
    house.link()
    house.link("mini", ceiling=Cents(40_000_000))


def _jackpots(house: House) -> None:
    """Stud on a link: hits that are paid, undone and rejected, an outage, parameters and a transfer."""
    house.table("mbs-stud-6", link="mega", scanned=True)
    house.ok("dora", q.TakeSeat(table="t1", position=1, player="p1"))
    house.ok("dora", q.TakeSeat(table="t1", position=2, player="p2"))
    house.ok("saul", q.AssignStaff(table="t1", person="ines"))
    jackpot_hit(house)
    house.steps("pit-manager: report wrong-count dealer reconstructable=no")
    jackpot_hit(house)
    house.stud(hit=True)
    house.steps("dealer: settle")
    house.ok("mara", q.RejectClaim(link="mega", claim=3, reason="the hand was fouled"))
    house.steps("dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=max(house.floor.link("mega").claims)))
    house.steps("dealer: settle")
    house.ok(
        "gina",
        q.Transfer(
            link="mega",
            source="reserve",
            target="meter",
            amount=Cents(1),
            reason="rounding",
            approved_by="gus",
        ),
    )
    house.ok("gina", q.PlanParameters(link="mega", reason="more", approved_by="gus", increment_bp=2500))
    house.stack("Ah Kh Qh Jh Th 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25")
    house.steps("dealer: close bets", "dealer: deal", "p1@1: view", "p1@1: bet bet", "p2@2: fold")
    house.steps("dealer: reveal dealer", "dealer: settle")
    house.ok("mara", q.VerifyClaim(link="mega", claim=max(house.floor.link("mega").claims)))
    house.steps("dealer: settle")
    house.ok("mara", q.FailLink(link="mega", reason="no signal"))
    house.ok("mara", q.RestoreLink(link="mega"))
    house.stud()
    house.steps("pit-manager: report wrong-count 2 reconstructable=no", "dealer: settle")
    house.stud(hit=True)
    house.steps("dealer: settle")
    rack = house.floor.table("t1").state.racks["p1"]
    house.ok("mara", q.VerifyClaim(link="mega", claim=max(house.floor.link("mega").claims)))
    house.steps("dealer: settle")
    rack = house.floor.table("t1").state.racks["p1"]
    house.ok("dora", q.CashOut(table="t1", player="p1", amount=Cents(rack)))
    house.steps("pit-manager: report wrong-count dealer reconstructable=no")


def _virtual(house: House) -> None:
    """What goes wrong at a virtual table, and everything else that is asked of one."""
    house.table("mbs-stud-6", "t2", players=("p3", "p4"))
    house.ok("saul", q.Fill(table="t2", count={2500: 4}, witness="dora"))
    house.ok("saul", q.Credit(table="t2", count={2500: 2}, witness="dora"))
    house.ok("mara", q.SetLimits(table="t2", limits={"ante": (Cents(2500), Cents(50_000))}, reason="quiet"))
    house.ok("dora", q.CallSupervisor(table="t2", reason="a card fell"))
    house.ok("saul", q.AnswerCall(table="t2"))
    house.ok("saul", q.AssignStaff(table="t2", person="ines"))
    house.ok("saul", q.RelieveStaff(table="t2", person="ines"))
    house.ok("dora", q.TakeSeat(table="t2", position=3, player="p3"))
    house.ok("p3", q.LeaveSeat(table="t2", position=3))
    house.ok("mara", q.SetDealing(table="t2", dealt_by="house", reason="short of dealers"))
    house.ok("mara", q.SetDealing(table="t2", dealt_by="person"))
    wagers = ("dealer: open bets", "p3@1: wager ante 25", "p4@2: wager ante 25")
    dealt = (*wagers, "dealer: close bets", "dealer: deal")
    both = ("p3@1: bet bet", "p4@2: bet bet", "dealer: reveal dealer")
    house.steps("dealer: open bets", "p3@3: wager ante 25", "p3@3: withdraw ante", *dealt[1:], table="t2")
    house.steps("p3@1: handle", "p3@1: view", *both, "p3@1: decline", "pit-supervisor: look 1", table="t2")
    house.steps("dealer: settle", *dealt, "dealer: absent 1", "p4@2: bet bet", table="t2")
    house.steps("dealer: reveal dealer", "dealer: absent 2", "dealer: settle", *dealt, table="t2")
    house.steps("p3@1: fold", "shift-manager: take back 1", "pit-manager: report disruption", table="t2")
    house.steps("shift-manager: rule void signed saul", *dealt, *both, "dealer: settle", *dealt, table="t2")
    house.steps("p3@1: view", "pit-manager: report uncovered chips-mixed", table="t2")
    house.steps(
        "shift-manager: rule permit-withdrawal 2 signed mara", *both, "dealer: settle", *wagers, table="t2"
    )
    house.steps(
        "pit-supervisor: report power-failure", "p3@1: option withdraw", "p4@2: option continue", table="t2"
    )
    house.steps("pit-manager: rule restrict p3", "pit-manager: lift restrict p3", *dealt[3:], table="t2")
    house.steps("pit-manager: report uncovered a-card-fell", table="t2")
    house.steps("shift-manager: rule invalidate 2 signed mara", table="t2")
    if house.floor.table("t2").in_round:
        house.steps("dealer: settle", table="t2")


def _physical(house: House) -> None:
    """A table whose cards are entered: wrongly, corrected, and put in order."""
    house.table("mbs-stud-6", "t3", players=("p5", "p6"), cards="physical")
    house.ok("dora", q.CashOut(table="t3", player="p6", amount=Cents(497_000)))
    house.steps("dealer: open bets", "p5@1: wager ante 25", "p6@1: wager ante 30", table="t3")
    house.steps("dealer: close bets", "dealer: deal", table="t3")
    _entered(house)
    house.steps("dealer: correct 1 5 9s", "p5@1: bet bet", "dealer: take back 1", "p5@1: bet bet", table="t3")
    house.steps("dealer: reveal dealer", "dealer: settle", "dealer: open bets", table="t3")
    house.steps("p5@1: wager ante 25", "dealer: close bets", "dealer: deal", table="t3")
    _entered(house)
    house.steps("pit-manager: report simultaneous-draw", "shift-manager: rule order 5h,6h", table="t3")


def _entered(house: House) -> None:
    for place, row in STUD.items():
        for card in row.split():
            house.steps(f"dealer: card {place} {card}", table="t3")


def _hold_em(house: House) -> None:
    """Shares of others, a barred player, a round that is void, a limited and an excluded player, a count."""
    house.table("mbs-thb-9", "t4", players=("p7", "p8"))
    house.steps("dealer: open bets", "p7@1: wager ante 25", "p8@1: wager ante 25", table="t4")
    house.steps("p8@2: wager ante 25", "dealer: close bets", "dealer: deal", table="t4")
    house.steps(
        "pit-manager: report confidentiality 2", "assistant-director: rule bar p8 signed gus", table="t4"
    )
    house.steps(
        "p7@1: bet flop", "dealer: report disruption", "assistant-director: rule void signed gus", table="t4"
    )
    house.steps("assistant-director: lift bar p8", table="t4")
    house.ok("p7", q.LimitPlayer(player="p7", loss=Cents(900_000), minutes=600))
    house.ok("mara", q.ExcludePlayer(player="p8", until="2030-01-01", reason="asked for it"))
    house.steps("dealer: open bets", "p7@1: wager ante 25", "dealer: close bets", "dealer: deal", table="t4")
    house.ok(SYSTEM, q.Interrupt(table="t4", reason="the power went"))


def _disputes(house: House) -> None:
    """One on a book that says how it goes up, from the first word to the complaint."""
    house.table("hoiana-thb-2025", "t5", players=("p9",), checklist=HOIANA_KIT)
    house.steps("dealer: open bets", "p9@1: wager ante 25", "dealer: close bets", "dealer: deal", table="t5")
    house.steps("p9@1: fold", table="t5")
    house.ok("p9", q.OpenDispute(table="t5", round_number=1, about="I did not fold"))
    house.ok("p9", q.NoteDispute(dispute=1, text="I scratched the table", account_of="p9"))
    house.ok("ines", q.NoteDispute(dispute=1, text="both cards were pushed in", account_of="house"))
    house.ok("eye", q.NoteDispute(dispute=1, text="camera 4 shows both cards pushed in"))
    house.ok("ines", q.EscalateDispute(dispute=1))
    house.ok("mara", q.GiveTimeFrame(dispute=1, minutes=30))
    house.ok(
        "mara",
        q.DecideDispute(
            dispute=1,
            decision="the fold stands",
            basis="surveillance-evidence",
            in_favour_of="house",
            complaint_explained=True,
        ),
    )
    house.ok("p9", q.FileComplaint(dispute=1, text="I complain", assisted_by="dora"))
    house.ok("ada", q.AnswerComplaint(dispute=1, answer="the stake is returned"))


def _rare(house: House) -> None:
    """What hardly ever happens: claims fixed anew, parameters put back, a hand established, cards entered again."""
    house.ok(SYSTEM, q.SetPermissions(permissions=tuple(f"{name}={rank}" for name, rank in OTHERS.items())))
    house.wait(180)
    house.link("rare")
    for table, players in (("r1", ("p12", "p13")), ("r2", ("p14", "p15"))):
        house.table("mbs-stud-6", table, players=players, link="rare", scanned=table == "r2")
        house.stud(table, hit=True)
        house.steps("dealer: settle", table=table)
    house.ok("mara", q.RejectClaim(link="rare", claim=1, reason="the hand was fouled"))
    house.ok("mara", q.VerifyClaim(link="rare", claim=2))
    house.steps("dealer: settle", table="r2")
    house.ok("gina", q.PlanParameters(link="rare", reason="more", approved_by="gus", increment_bp=2500))
    house.steps("dealer: settle", table="r1")
    house.ok("mara", q.RejectClaim(link="rare", claim=3, reason="the hand was fouled"))
    house.ok("gina", q.PlanParameters(link="rare", reason="more", approved_by="gus", increment_bp=2500))
    house.stack("Ah Kh Qh Jh Th 2c 3d 4s Jc Kd 2s 2d 7c 9c Qs")
    house.steps("dealer: open bets", "p14@1: wager ante 25", "p14@1: wager jackpot 5", table="r2")
    house.steps("p15@2: wager ante 25", "dealer: close bets", "dealer: deal", "p14@1: view", table="r2")
    house.steps("p14@1: bet bet", "p15@2: fold", "dealer: reveal dealer", "dealer: settle", table="r2")
    house.ok("mara", q.VerifyClaim(link="rare", claim=max(house.floor.link("rare").claims)))
    house.steps("dealer: settle", "pit-manager: report wrong-count dealer reconstructable=no", table="r2")
    house.table("rws-thp-2", "r3", players=("p16",), link="rare", procedure="shuffler")
    rws(house, "r3", RWS_HIT.replace("5h 6h", "2c 4h"))
    rws_on(house, "r3")
    house.steps("p16@1: decline", "p16@1: establish", "dealer: settle", table="r3")
    house.ok("gina", q.AddTable(table="r4"))
    book = house.book("mbs-3cp-2023", R_QUALIFY_3CP="a")
    house.ok("mara", q.OpenTable(table="r4", rulebook=book, count=FLOAT, practice=True))
    house.ok("saul", q.AssignStaff(table="r4", person="dora"))
    house.ok("dora", q.BuyIn(table="r4", player="p16", amount=Cents(500_000)))
    house.steps("dealer: open bets", "p16@1: wager ante 25", "dealer: close bets", "dealer: deal", table="r4")
    house.steps("p16@1: view", "p16@1: bet play", "dealer: reveal dealer", table="r4")
    house.steps("dealer: reveal community", "dealer: settle", table="r4")
    house.table("mbs-stud-6", "r5", players=("p17",), cards="physical")
    house.steps("dealer: open bets", "p17@1: wager ante 25", "dealer: close bets", "dealer: deal", table="r5")
    for card in STUD["1"].split():
        house.steps(f"dealer: card 1 {card}", table="r5")
    house.steps("pit-manager: report misdeal reconstructable=yes", "dealer: card 1 5h", table="r5")


def _since(house: House) -> None:
    """Stakes cut and entered later, duties, a jackpot that fails, fixed awards that the meter pays."""
    house.link("since")
    house.table("rws-thp-2", "r7", players=("p19",), link="since", procedure="shuffler", cards="physical")
    house.steps("dealer: open bets", "p19@1: wager ante 1500", "p19@1: withdraw ante", table="r7")
    house.steps("p19@1: wager ante 25", "p19@1: wager jackpot 5", "p19@2: wager ante 25", table="r7")
    house.steps("dealer: inform 1", "dealer: close bets", table="r7")
    unnoticed = q.EnterUnnoticed(table="r7", player="p19", position=2, wager="jackpot", amount=Cents(500))
    house.ok("dora", unnoticed)
    house.steps("dealer: deal", "p19@1: view", table="r7")
    again = replace(unnoticed, position=1, wager="bonus", approved_by="mara")
    house.ok("saul", again)
    house.steps("p19@1: bet flop", "p19@2: fold", table="r7")
    for place, cards in (
        ("flop", "7h 8h 9h"),
        ("turn", "Qc"),
        ("river", "3d"),
        ("1", "Kh Ah"),
        ("2", "2s 2c"),
    ):
        for card in cards.split():
            house.steps(f"dealer: card {place} {card}", table="r7")
    house.steps("dealer: reveal flop", "p19@1: check", "dealer: reveal turn", "p19@1: check", table="r7")
    house.steps("dealer: reveal river", "dealer: card dealer Jc", "dealer: card dealer 4s", table="r7")
    house.steps("dealer: reveal dealer", "p19@1: notify", "dealer: settle", table="r7")
    house.steps("dealer: report jackpot-failure", "pit-manager: rule continue", table="r7")
    fund = house.book("mbs-stud-6", R_FIXED_FUND="b")
    house.table("mbs-stud-6", "r8", players=("p20",), link="since", rulebook=fund)
    house.stack("9s 9d 9h 9c 2c 3d 4s Jc Kd 2s 2d 7c 8c Qs")
    house.steps("dealer: open bets", "p20@1: wager ante 25", "p20@1: wager jackpot 5", table="r8")
    house.steps("dealer: close bets", "dealer: deal", "p20@1: bet bet", "dealer: reveal dealer", table="r8")
    house.steps("dealer: settle", table="r8")
    anew = house.book("mbs-stud-6", R_LATE_REBUILD="a")
    house.table("mbs-stud-6", "r9", players=("p21",), cards="physical", rulebook=anew)
    house.steps("dealer: open bets", "p21@1: wager ante 25", "dealer: close bets", "dealer: deal", table="r9")
    house.steps("p21@1: bet bet", "dealer: reveal dealer", table="r9")
    rows = {"1": "5h 6h 7h 8h 9c", "dealer": "2s 2d 7c 9d Qs"}
    house.steps(*(f"dealer: card {at} {c}" for at, row in rows.items() for c in row.split()), table="r9")
    house.steps("dealer: settle", table="r9")
    house.ok("dora", q.CashOut(table="r9", player="p21"))
    house.steps("dealer: report wrong-count dealer reconstructable=yes", table="r9")
    house.steps(*(f"dealer: card dealer {card}" for card in ("2s", "3d", "7c", "9d", "Qs")), table="r9")
    house.steps("dealer: settle", table="r9")


def _failed_over(house: House) -> None:
    """A failover that has lost a command, a refusal and a checkpoint, as the record names them."""
    at = house.clock.at
    gone = q.ReconcileRecord(
        before="postgresql 7/5 timeline 00000001",
        after="postgresql 7/5 timeline 00000002",
        checkpoints=(LostCheckpoint(number=7, at=at, signature="c2ln"),),
        lost=(
            Lost(key="staff/dora/k1", stream="table/t1", version=9000, hash="e" * 64, at=at),
            Lost(key="staff/dora/k2", stream="", version=0, hash="", at=at),
        ),
        count=2,
        digest="",
    )
    house.ok("gina", replace(gone, digest=digest_of_loss(gone, gone.lost)))


OTHERS = {"edition": "2", "open-table": "shift-manager", "add-table": "assistant-director"}
"""Permissions that another version might have had; those of today follow with the next request."""


def _sealed_as_before(house: House) -> None:
    """A table whose deck is sealed by the rule of before: without how it is dealt."""

    def sealed(deck: Sequence[SealedCard], **rest: Any) -> CommitmentsSealed:
        hashes = b"".join(commitment(card.index, card.salt, card.card.code) for card in deck)
        root = hashlib.sha256(hashes).hexdigest()
        return CommitmentsSealed(root=root, commitments=base64.b64encode(hashes).decode())

    house.table("mbs-stud-6", "r6", players=("p18",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(acts, "commit", sealed)
        house.steps("dealer: open bets", "p18@1: wager ante 25", "dealer: close bets", table="r6")
    house.steps("dealer: deal", "p18@1: view", "p18@1: fold", "dealer: reveal dealer", table="r6")
    house.steps("dealer: settle", table="r6")


def _composed(house: House) -> None:
    """Rounds whose order devices have contributed to, one with a beacon and without a device that withheld."""
    house.table("mbs-stud-6", "z1", players=("p22", "p23"))
    seat(house, "p22", "p23", table="z1")
    devices, signer = Devices(house), LocalSigner(house.clock.now, seed=b"b" * 32)
    for beacon in (signer, None):
        with_beacon(house, beacon)
        house.steps("dealer: open bets", "p22@1: wager ante 25", "p23@2: wager ante 25", table="z1")
        assert devices.commit("p22", "phone", "z1").ok
        assert devices.commit("p23", f"tablet-{beacon is None}", "z1").ok
        house.steps("dealer: close bets", table="z1")
        assert devices.reveal("p22", "phone", "z1").ok
        if beacon is None:
            assert devices.reveal("p23", "tablet-True", "z1").ok
        else:
            house.wait(20)
        house.steps("dealer: deal", "p22@1: fold", "p23@2: fold", table="z1")
        house.steps("dealer: reveal dealer", "dealer: settle", table="z1")


def _the_end(house: House) -> None:
    """A table is closed and opened again, and a virtual round with a jackpot stake is in play."""
    house.table("mbs-stud-6", "t6", players=("p10",), link="mini")
    house.ok("dora", q.CashOut(table="t6", player="p10"))
    house.ok("mara", q.CloseTable(table="t6", count=FLOAT, drop=Cents(500_000)))
    opening = q.OpenTable(table="t6", rulebook=house.book("mbs-stud-6"), count=FLOAT, reason="more guests")
    house.ok("mara", opening)
    house.steps("dealer: open bets", "p2@2: wager ante 25", "p2@2: wager jackpot 5")
    house.steps("dealer: close bets", "dealer: deal")


def _forgotten(house: House) -> None:
    """A week later the answers to the first requests are forgotten, up to one that is kept."""
    house.wait(8 * 24 * 3600)
    kept = house.store.read("floor")[2]
    house.ok(SYSTEM, q.ForgetAnswers(before=kept.at))
