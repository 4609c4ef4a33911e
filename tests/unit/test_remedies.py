"""What remedies do to money and play, case by case: withdrawals, removals, reversals, slips and shares."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.errors import BadInput
from pitboss.play.record import played_json
from pitboss.play.scenario import play_scenario, read_scenario
from support import BOOKS

DECK = "Kh 9c 5s 2d 7h Ah Kd 3c 3d Qs Qd 4c 4d 4h 4s 8c 8d 8h 6c 6d 6h Jc Jd Tc Td 2c 2h 5c 5d 9d"


def run(
    book: str, *steps: str, deck: str | None = DECK, table: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A script, as `pitboss run --json` answers it."""
    terms: dict[str, Any] = dict(table or {})
    if book != "hoiana-thb-2025":
        terms.setdefault("jackpot", {"unit": "5", "meter": "250000", "reset": "100000", "increment_bp": 1000})
    document = {
        "rulebook": book,
        "table": terms,
        "players": {"p1": "1000", "p2": "1000"},
        "steps": list(steps),
    }
    if deck is not None:
        document["deck"] = deck
    return played_json(play_scenario(read_scenario(json.dumps(document), name="script.json")))


def refused(answer: dict[str, Any], step: str) -> str:
    """The code of the last refusal of a step."""
    found = [s["refusal"]["code"] for s in answer["steps"] if s["step"] == step and not s["ok"]]
    return found[-1] if found else ""


OPENED = ("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 50")
STUD = (
    *OPENED,
    "p2@2: wager jackpot 5",
    "dealer: close bets",
    "dealer: deal",
    "p1@1: bet bet",
    "p2@2: bet bet",
)
SHOWN = (*STUD, "dealer: reveal dealer")


def test_a_permission_to_withdraw_ends_with_the_round() -> None:
    permit = ("dealer: report uncovered x", "shift-manager: rule permit-withdrawal 1", "dealer: settle")
    plain = run("mbs-stud-6", *SHOWN, "dealer: settle")
    late = run("mbs-stud-6", *SHOWN, *permit, "p1@1: option withdraw")
    assert refused(late, "p1@1: option withdraw") == "no-option"
    assert late["balances"] == plain["balances"]
    again = run("mbs-stud-6", *SHOWN, *permit, "shift-manager: rule permit-withdrawal 2")
    assert refused(again, "shift-manager: rule permit-withdrawal 2") == "not-suspended"


def test_a_matter_ruled_before_the_settlement_is_closed_by_it() -> None:
    steps = ("dealer: report uncovered x", "shift-manager: rule invalidate 1", "dealer: settle")
    answer = run("mbs-stud-6", *SHOWN, *steps, "shift-manager: rule invalidate 2")
    assert refused(answer, "shift-manager: rule invalidate 2") == "not-suspended"
    assert answer["steps"][-1]["refusal"]["clauses"]


def test_who_leaves_with_all_his_wagers_takes_his_shares_along() -> None:
    steps = (
        *OPENED,
        "p2@1: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
        "dealer: report power-failure",
    )
    answer = run("mbs-thb-9", *steps, "p2@2: option withdraw")
    assert answer["balances"] == {"p1": "970.00", "p2": "1000.00"}


def test_the_option_is_for_hands_that_are_in_play() -> None:
    steps = (
        *STUD[:-2],
        "dealer: report uncovered x",
        "shift-manager: rule permit-withdrawal 1",
        "p1@1: fold",
    )
    assert refused(run("mbs-stud-6", *steps, "p1@1: option withdraw"), "p1@1: option withdraw") == "no-option"


def test_the_hand_viewed_first_is_no_additional_one() -> None:
    opened = (
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p1@2: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
    )
    step = "pit-supervisor: report extra-view 1 intentional=yes"
    assert refused(run("rws-thp-2", *opened, "p1@1: view", step), step) == "not-additional"
    for book in ("mbs-thb-9", "hoiana-thb-2025"):
        steps = (
            "p1@1: view",
            "dealer: report extra-view 2 intentional=yes",
            "assistant-director: rule invalidate 1",
        )
        assert (
            refused(run(book, *opened, *steps), "assistant-director: rule invalidate 1") == "not-in-question"
        )


def test_a_removed_hand_after_the_settlement_leaves_the_others_as_if_it_had_been_out() -> None:
    """Two straight flushes shared; one hand had a wrong number of cards, so the other has the whole tenth."""
    deck = "5s 6s 7s 8s 9s 5h 6h 7h 8h 9h Kd Kc 9c 6d 3d"
    report = "dealer: report wrong-count 2 reconstructable=no"
    paid = run("mbs-stud-6", *SHOWN, "dealer: settle", deck=deck)
    assert [award["amount"] for award in paid["jackpot"]["awards"]] == ["23750.09", "23750.09"]
    undone = run("mbs-stud-6", *SHOWN, "dealer: settle", report, deck=deck)
    # The displayed meter was 250,001; the removed stake's 0.50 comes off it afterwards.
    assert [(a["position"], a["amount"]) for a in undone["jackpot"]["awards"]] == [(1, "25000.10")]
    assert undone["jackpot"]["after"] == "225000.40"
    assert undone["balances"] == {"p1": f"{1000 + 25 + 2500 - 5 + 25000.10:.2f}", "p2": "1000.00"}


def test_a_removed_hand_changes_nothing_for_a_winner_who_shared_with_nobody() -> None:
    deck = "5s 6s 7s 8s 9s 2h 6c 7h 8d Th Kd Kc 9c 6d 3d"
    settled = (*SHOWN, "dealer: settle")
    paid = run("mbs-stud-6", *settled, deck=deck)
    undone = run("mbs-stud-6", *settled, "dealer: report wrong-count 2 reconstructable=no", deck=deck)
    assert undone["balances"] == {"p1": paid["balances"]["p1"], "p2": "1000.00"}
    assert undone["jackpot"]["awards"] == paid["jackpot"]["awards"]


def test_a_contribution_comes_out_once() -> None:
    """A stake that the settlement returned already, of a hand that is removed afterwards."""
    steps = (*STUD[:-2], "dealer: absent 1", "p2@2: bet bet", "dealer: reveal dealer", "dealer: settle")
    before = run("mbs-stud-6", *steps)["jackpot"]["after"]
    after = run("mbs-stud-6", *steps, "dealer: report wrong-count 1 reconstructable=no")["jackpot"]["after"]
    assert before == after == "250000.50"


def test_a_folded_share_is_on_the_lines_of_its_position() -> None:
    opened = (
        "dealer: open bets",
        "p1@1: wager ante 25",
        "p2@1: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
    )
    poor = {"rulebook": "mbs-stud-6", "players": {"p1": "1000", "p2": "30"}, "deck": DECK}
    steps = [*opened, "p1@1: bet bet", "dealer: reveal dealer"]

    def answer(*more: str) -> dict[str, Any]:
        text = json.dumps(poor | {"steps": [*steps, *more]})
        return played_json(play_scenario(read_scenario(text, name="script.json")))

    settled = answer("dealer: settle")
    lost = 1030 - sum(float(rack) for rack in settled["balances"].values())
    assert settled["seats"][0]["net"] == f"{-lost:.2f}"
    assert settled["seats"][0]["lines"][0]["stake"] == "50.00"
    void = answer("dealer: report missing-card")
    assert void["balances"] == {"p1": "1000.00", "p2": "30.00"}
    assert [line["returned"] for line in void["seats"][0]["lines"]] == ["50.00", "50.00"]
    barred = answer("shift-manager: rule bar p2", "dealer: settle")
    assert barred["balances"]["p2"] == "30.00"


def test_a_co_owner_without_chips_stays_out_of_a_wager_nobody_can_fold_on() -> None:
    """R-POOL at the Turn: the seated player's part is placed, and settled as it lies."""
    steps = [
        "dealer: open bets", "p1@1: wager ante 25", "p2@1: wager ante 25", "dealer: close bets", "dealer: deal",
        "p1@1: bet flop", "dealer: reveal flop", "p1@1: bet turn",
    ]  # fmt: skip
    script = {"rulebook": "mbs-thb-9", "players": {"p1": "1000", "p2": "80"}, "deck": DECK, "steps": steps}
    played = play_scenario(read_scenario(json.dumps(script), name="script.json"))
    assert all(step.refusal is None for step in played.steps)
    box = played.state.boxes[1]
    assert {wager: dict(owners) for wager, owners in box.stakes.items()} == {
        "ante": {"p1": 2500, "p2": 2500},
        "flop": {"p1": 5000, "p2": 5000},
        "turn": {"p1": 2500},
    }


def test_what_voids_the_round_is_taken_while_a_ruling_is_awaited() -> None:
    steps = (*STUD, "dealer: report confidentiality 1")
    assert (
        refused(run("mbs-stud-6", *steps, "dealer: report exposed 1"), "dealer: report exposed 1")
        == "suspended"
    )
    answer = run("mbs-stud-6", *steps, "dealer: report missing-card")
    assert (answer["round"]["status"], answer["balances"]) == ("void", {"p1": "1000.00", "p2": "1000.00"})


def test_a_card_entered_wrongly_can_be_entered_again() -> None:
    steps = (
        "dealer: open bets",
        "p1@1: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
        "dealer: card 1 As",
    )
    again = (
        "dealer: card dealer As",
        "pit-manager: rule reconstruct",
        "dealer: card 1 Ac",
        "dealer: card dealer As",
    )
    answer = run("mbs-thb-9", *steps, *again, deck=None)
    assert answer["round"]["status"] == "open"
    assert [step["ok"] for step in answer["steps"]] == [True] * 9


def test_a_hand_without_an_ante_needs_nobody() -> None:
    steps = (
        "dealer: open bets",
        "p1@1: wager pair-plus 10",
        "dealer: close bets",
        "dealer: deal",
        "dealer: absent 1",
    )
    answer = run(
        "mbs-3cp-2023", *steps, "dealer: reveal dealer", "dealer: reveal community", "dealer: settle"
    )
    assert all(step["ok"] for step in answer["steps"])


def test_a_royal_flush_undone_gives_the_meter_back() -> None:
    deck = "Ts Js Qs Ks As 5h 6d 7h 8c 2h Kd Kc 9c 6s 3d"
    settled = (*SHOWN, "dealer: settle")
    assert run("mbs-stud-6", *settled, deck=deck)["jackpot"]["after"] == "100000.00"
    undone = run("mbs-stud-6", *settled, "dealer: report wrong-count 1 reconstructable=no", deck=deck)
    assert undone["jackpot"]["after"] == "250000.50"
    assert undone["balances"]["p1"] == "1000.00"


def test_a_jackpot_stake_alone_never_reaches_the_meter() -> None:
    steps = (
        "dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "p1@1: withdraw ante",
        "p2@2: wager ante 50", "dealer: close bets", "dealer: deal", "p2@2: fold", "dealer: settle",
    )  # fmt: skip
    answer = run("mbs-stud-6", *steps)
    assert (answer["jackpot"]["after"], answer["balances"]) == (
        "250000.00",
        {"p1": "1000.00", "p2": "950.00"},
    )


def test_cards_put_in_order_at_a_physical_table_are_entered_again() -> None:
    steps = (
        "dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 50", "dealer: close bets", "dealer: deal",
        "dealer: card 1 Kc", "dealer: card 1 Ac", "dealer: card 2 5h", "dealer: card 2 6h",
        "dealer: report misdeal reconstructable=yes",
        "dealer: card 1 5h", "dealer: card 1 6h", "dealer: card 2 Kc", "dealer: card 2 Ac",
        "p1@1: bet flop", "p2@2: bet flop", "dealer: reveal flop", "dealer: card flop 7h", "dealer: card flop 8h",
        "dealer: card flop 9h", "p1@1: check", "p2@2: check", "dealer: reveal turn", "dealer: card turn 2c",
        "p1@1: check", "p2@2: check", "dealer: reveal river", "dealer: card river Kd", "dealer: reveal dealer",
        "dealer: card dealer Qs", "dealer: card dealer Qd", "dealer: settle",
    )  # fmt: skip
    answer = run("mbs-thb-9", *steps, deck=None)
    assert all(step["ok"] for step in answer["steps"])
    assert answer["seats"][0]["hand"] == "straight flush, nine high"


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_entered_twice_waits_for_the_house_and_can_be_put_right(book: str) -> None:
    """A slip of the hand voids nothing."""
    steps = (
        "dealer: open bets",
        "p1@1: wager ante 25",
        "dealer: close bets",
        "dealer: deal",
        "dealer: card 1 Kc",
    )
    twice = (*steps, "dealer: card 1 Kc")
    answer = run(book, *twice, deck=None)
    assert answer["round"]["status"] == "suspended"
    assert answer["round"]["clauses"]
    assert run(book, *twice, "pit-supervisor: rule continue", deck=None)["round"]["status"] == "suspended"
    entered = run(book, *twice, "pit-manager: rule continue", "dealer: card 1 Ac", deck=None)
    assert (entered["round"]["status"], entered["steps"][-1]["ok"]) == ("open", True)
    assert run(book, *twice, "pit-manager: rule void", deck=None)["balances"]["p1"] == "1000.00"


def test_staff_do_only_players_steps_for_a_player() -> None:
    with pytest.raises(BadInput, match="is no player's step"):
        run("mbs-thb-9", "dealer: for p1@1 report foreign-card")
    with pytest.raises(BadInput, match="write p1@N"):
        run("mbs-thb-9", "p1: option withdraw")
