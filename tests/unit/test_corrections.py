"""Slips of the record mended before the settlement: cards entered wrongly, choices nobody made, and the call."""

from __future__ import annotations

import pytest

from pitboss.floor import requests as q
from pitboss.floor.overview import overview
from pitboss.floor.views import floor_view
from pitboss.money import Cents
from pitboss.play.table import Fate, Stage, State
from pitboss.play.views import Role, Viewer
from support.floor import House
from support.record import audited
from support.sent import as_sent

STUD = {"1": "5h 6h 7h 8h Ts", "dealer": "2s 2d 7c 9c Qs"}
DEALER_EYES = Viewer(Role.DEALER)


@pytest.fixture
def house() -> House:
    return House()


def state(house: House) -> State:
    return house.floor.table("t1").state


def entered(house: House, cards: dict[str, str]) -> None:
    for place, row in cards.items():
        for card in row.split():
            house.steps(f"dealer: card {place} {card}")


def stud_dealt(house: House) -> None:
    """A physical stud round with every card entered; p1 has a straight, wrongly entered as ten high."""
    house.table("mbs-stud-6", cards="physical", players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    entered(house, STUD)


def test_a_wrong_card_is_corrected_and_the_settlement_is_by_the_right_one(house: House) -> None:
    stud_dealt(house)
    house.steps("p1@1: bet bet", "dealer: correct 1 5 9s", "dealer: reveal dealer", "dealer: settle")
    settlement = state(house).settlement
    assert settlement is not None
    assert settlement.seats[0].hand == "straight, nine high"
    assert state(house).corrections == 1
    event = next(r for r in house.store.read("table/t1") if r.name == "card-corrected.v1")
    assert '"wrong":"Ts","right":"9s","by":"dealer"' in event.data
    house.everything_adds_up()
    assert audited(house.store) == []


def test_whoever_deals_for_the_dealer_sees_what_he_would(house: House) -> None:
    """A higher position may always act for a lower one, so it goes by the same step, entries and choices."""
    stud_dealt(house)
    house.steps("p1@1: bet bet")
    dealer = as_sent(floor_view(house.floor.table("t1"), None, DEALER_EYES))
    assert dealer["to_mend"] == [{"position": 1, "decision": "bet", "choice": "bet"}]
    assert dealer["entered"] == {"1": 5, "dealer": 5}
    for role in (Role.PIT, Role.SURVEILLANCE):
        view = as_sent(floor_view(house.floor.table("t1"), None, Viewer(role)))
        beside = set() if role is Role.PIT else {"choices", "to_enter"}  # Surveillance does not deal
        assert {name: view.get(name) for name in dealer.keys() - beside} == {
            name: dealer[name] for name in dealer.keys() - beside
        }


def test_an_entry_is_taken_back_and_the_place_waits_again(house: House) -> None:
    stud_dealt(house)
    house.steps("dealer: correct dealer 5")
    view = as_sent(floor_view(house.floor.table("t1"), None, DEALER_EYES))
    assert view["to_enter"] == [{"place": "dealer", "cards": 1}]
    assert view["corrections"] == 1
    house.steps("dealer: card dealer Qd")
    assert [card.code for card in state(house).known["dealer"]][-1] == "Qd"


def test_a_hand_that_was_given_up_is_entered_only_for_what_is_settled_on_it(house: House) -> None:
    house.table("mbs-3cp-2023", cards="physical", players=("p1", "p2"))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager six-card-bonus 5")
    house.steps("p2@2: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: fold", "p2@2: fold")
    view = as_sent(floor_view(house.floor.table("t1"), None, DEALER_EYES))
    assert [found["place"] for found in view["to_enter"]] == ["1", "dealer", "community"]
    assert [found["position"] for found in view["to_read"]] == [1]


def test_a_number_among_the_community_cards_is_found_in_its_part(house: House) -> None:
    house.table("mbs-thb-9", cards="physical", players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    entered(house, {"1": "As Ah", "community": "2s 3d 4c 9h Jh"})
    house.steps("dealer: correct community 4 Th", "dealer: correct flop 1 2c")
    known = state(house).known
    assert [card.code for part in ("flop", "turn", "river") for card in known[part]] == [
        "2c", "3d", "4c", "Th", "Jh",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("dealer: correct 1 6", "no-such-card"),
        ("dealer: correct 1 2", "not-the-last"),
        ("dealer: correct 1 5 Ts", "nothing-to-correct"),
        ("p1@1: correct 1 5 9s", "not-staff"),
        ("dealer: take back 1", "nothing-to-take-back"),
        ("dealer: take back 4", "nothing-to-take-back"),
    ],
)
def test_what_cannot_be_corrected_is_refused(house: House, step: str, code: str) -> None:
    stud_dealt(house)
    before = state(house)
    assert house.step(step).code == code
    assert state(house) == before


def test_a_settled_round_and_a_virtual_table_are_not_corrected(house: House) -> None:
    stud_dealt(house)
    house.steps("p1@1: bet bet", "dealer: reveal dealer", "dealer: settle")
    assert house.step("dealer: correct 1 5 9s").code == "late"
    assert house.step("dealer: take back 1").code == "nothing-to-take-back"
    house.table("mbs-stud-6", "t2", players=("p2",))
    house.steps("dealer: open bets", "p2@1: wager ante 25", "dealer: close bets", "dealer: deal", table="t2")
    assert house.step("dealer: correct 1 5 9s", table="t2").code == "virtual-table"


def test_a_correction_to_a_card_that_lies_elsewhere_waits_for_the_house(house: House) -> None:
    stud_dealt(house)
    house.steps("dealer: correct 1 5 Qs")
    suspension = state(house).suspension
    assert suspension is not None
    assert suspension.kind == "foreign-card"
    assert [card.code for card in state(house).known["1"]][-1] == "Ts", "nothing is stored"


def test_an_entry_that_made_another_look_doubled_is_corrected_while_the_round_waits(house: House) -> None:
    house.table("mbs-stud-6", cards="physical", players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    entered(house, {"1": "5h 6h 7h 8h Qs", "dealer": "2s 2d 7c 9c"})
    house.steps("dealer: card dealer Qs")
    assert state(house).suspension is not None
    house.steps("dealer: correct 1 5 9s")
    house.steps("pit-manager: rule continue", "dealer: card dealer Qs", "p1@1: bet bet")
    house.steps("dealer: reveal dealer", "dealer: settle")
    assert state(house).stage is Stage.SETTLED
    house.everything_adds_up()


@pytest.mark.parametrize("choice", ["bet bet", "fold"])
def test_a_choice_nobody_made_is_taken_back(house: House, choice: str) -> None:
    stud_dealt(house)
    before = state(house)
    house.steps(f"p1@1: {choice}")
    view = as_sent(floor_view(house.floor.table("t1"), None, DEALER_EYES))
    assert [(line["position"], line["choice"]) for line in view["to_mend"]] == [(1, choice.split()[0])]
    house.steps("dealer: take back 1")
    after = state(house)
    assert after._replace(corrections=0) == before
    house.everything_adds_up()
    house.steps("p1@1: bet bet", "dealer: reveal dealer", "dealer: settle")
    house.everything_adds_up()
    assert audited(house.store) == []


def test_an_absence_recorded_too_soon_is_taken_back(house: House) -> None:
    stud_dealt(house)
    house.steps("dealer: absent 1")
    assert state(house).boxes[1].away
    house.steps("dealer: take back 1")
    box = state(house).boxes[1]
    assert (box.fate, box.away, dict(box.choices)) == (Fate.IN_PLAY, False, {})


def test_once_a_further_card_lies_open_nothing_is_taken_back(house: House) -> None:
    stud_dealt(house)
    house.steps("p1@1: bet bet", "dealer: reveal dealer")
    answer = house.step("dealer: take back 1")
    assert answer.code == "nothing-to-take-back"
    assert answer.body["refusal"]["clauses"] == ["5.6"]


def test_a_hand_said_not_to_be_exposed_is_exposed_after_all(house: House) -> None:
    stud_dealt(house)
    house.steps("p1@1: bet bet", "dealer: reveal dealer", "p1@1: decline", "dealer: take back 1")
    assert state(house).boxes[1].fate is Fate.IN_PLAY
    assert state(house).boxes[1].stake("bet"), "the wager stays"


def test_at_a_virtual_table_a_players_own_choice_is_not_the_dealers_to_take_back(house: House) -> None:
    house.table("mbs-stud-6", players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: fold")
    assert house.step("dealer: take back 1").code == "no-authority"
    house.steps("shift-manager: take back 1", "p1@1: bet bet")
    house.everything_adds_up()


def test_shares_collected_with_a_choice_lie_again(house: House) -> None:
    """p2 has a share of p1's Ante and no chips for the Bet: it folds with p1's bet, and is back with the slip."""
    house.table("mbs-stud-6", cards="physical")
    house.ok("dora", q.CashOut(table="t1", player="p2", amount=Cents(497_000)))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p2@1: wager ante 30")
    house.steps("dealer: close bets", "dealer: deal")
    entered(house, STUD)
    before = state(house)
    house.steps("p1@1: bet bet")
    assert state(house).boxes[1].forfeited
    house.steps("dealer: take back 1")
    assert state(house)._replace(corrections=0) == before
    house.everything_adds_up()
    assert audited(house.store) == []


def test_folded_hands_are_read_for_what_their_cards_still_win(house: House) -> None:
    house.table("mbs-3cp-2023", cards="physical", players=("p1", "p2"))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager six-card-bonus 5")
    house.steps("p2@2: wager ante 25", "dealer: close bets", "dealer: deal", "p1@1: fold", "p2@2: fold")
    view = as_sent(floor_view(house.floor.table("t1"), None, DEALER_EYES))
    assert view["to_read"] == [{"position": 1, "wagers": ["six-card-bonus"], "entered": 0}]
    assert "to_read" not in as_sent(floor_view(house.floor.table("t1"), None, Viewer(Role.PLAYER, "p1")))


def test_the_dealer_calls_and_somebody_of_the_pit_answers(house: House) -> None:
    house.table("mbs-stud-6")
    assert house.refused("p1", q.CallSupervisor(table="t1")) == "no-authority"
    assert house.refused("saul", q.AnswerCall(table="t1")) == "no-call"
    house.ok("dora", q.CallSupervisor(table="t1", reason="a card fell"))
    house.ok("dora", q.CallSupervisor(table="t1"))
    line = next(line for line in as_sent(overview(house.floor))["tables"] if line["table"] == "t1")
    assert (line["called"]["by"], line["called"]["reason"]) == ("dora", "a card fell")
    assert "called" not in as_sent(floor_view(house.floor.table("t1"), None, Viewer(Role.PLAYER, "p1")))
    house.ok("saul", q.AnswerCall(table="t1"))
    assert house.floor.table("t1").call is None
    house.ok("dora", q.CallSupervisor(table="t1"))
    assert house.opened().table("t1").call == house.floor.table("t1").call


def test_drop_and_win_of_a_table_are_in_the_overview(house: House) -> None:
    house.table("mbs-stud-6")
    line = as_sent(overview(house.floor))["tables"][0]
    assert (line["drop"], line["win"]) == ("10000.00", "0.00")
    house.stack("2c 7d 3c 9s 4c Ts 5d Jh 8h Qd")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: fold", "dealer: settle")
    line = as_sent(overview(house.floor))["tables"][0]
    assert (line["drop"], line["win"]) == ("10000.00", "25.00")
