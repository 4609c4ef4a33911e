"""What a report says beside its kind: who exposed a card and when, who is affected, who has looked; and after settling."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pitboss.cards import DECK as PACK
from pitboss.errors import BadInput
from pitboss.play import commands as c
from pitboss.play.decide import decide
from pitboss.play.events import HandViewed
from pitboss.play.irregularity import deal_is_over
from pitboss.play.record import played_json
from pitboss.play.refusal import Refusal
from pitboss.play.scenario import Played, play_scenario, read_scenario
from pitboss.play.steps import parse_step
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.document import Document, read_document
from pitboss.rulebooks.load import plan_of_text
from pitboss.rulebooks.trouble import Irregularity
from pitboss.rulebooks.vocabulary import Position, Power
from support import BOOKS

THB, HOI, TCP, STU, RWS = "mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"
MBS = (THB, TCP, STU)
DECK = " ".join(card.code for card in PACK)
PROCEDURES = [(book, procedure.name) for book in BOOKS for procedure in load_plan(book).procedures]
CATCH_ALL = {THB: "6.1", TCP: "6.1", STU: "6.1", HOI: "7.13", RWS: "5.23"}


def play(
    book: str,
    *steps: str,
    readings: dict[str, str] | None = None,
    procedure: str = "",
    deck: str | None = DECK,
    decks: tuple[str, ...] = (),
) -> Played:
    table = {"procedure": procedure} if procedure else {}
    document: dict[str, Any] = {
        "rulebook": book,
        "table": table,
        "players": {"p1": "1000", "p2": "1000", "p3": "1000"},
        "steps": list(steps),
        "readings": readings or {},
    }
    if deck is not None:
        document |= {"deck": deck, "decks": list(decks)}
    return play_scenario(read_scenario(json.dumps(document), name="script.json"))


def answer(book: str, *steps: str, **terms: Any) -> dict[str, Any]:
    return played_json(play(book, *steps, **terms))


def last(found: dict[str, Any]) -> dict[str, Any]:
    step: dict[str, Any] = found["steps"][-1]
    return step


OPENED = ("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "p3@3: wager ante 25")
DEALT = (*OPENED, "dealer: close bets", "dealer: deal")
PLAYERS = (1, 2, 3)
TWO_HANDS = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "p2@2: wager ante 25",
    "p2@3: wager ante 25",
    "dealer: close bets",
    "dealer: deal",
)


def decided(book: str) -> tuple[str, ...]:
    """Every first decision is made, and nothing revealed since."""
    bet = load_plan(book).decisions[0].bet
    return (*DEALT, *(f"p{n}@{n}: bet {bet}" for n in PLAYERS))


def finished(book: str, procedure: str = "", *, after: tuple[str, ...] = DEALT) -> tuple[str, ...]:
    """A round to its settlement: the first decision bets, the others check."""
    plan = load_plan(book)
    steps = list(after)
    for step in plan.procedure(procedure or plan.procedures[0].name).steps:
        if step.decide is not None:
            decision = next(d for d in plan.decisions if d.name == step.decide)
            choice = f"bet {decision.bet}" if decision.otherwise == "fold" else "check"
            steps += [f"p{n}@{n}: {choice}" for n in PLAYERS]
        elif step.reveal is not None:
            steps.append(f"dealer: reveal {step.reveal}")
    return (*steps, "dealer: settle")


# --- cards drawn together (RWS 5.14) --------------------------------------------------------------------

SHOE = "2c Ah Kh Qh Ad Kd Qd 3c Js Ts 9s 4c 5c 6c 7c 8c 9c"
TOGETHER = "dealer: report simultaneous-draw"


def ordered(*steps: str, cards: str, **terms: Any) -> dict[str, Any]:
    return answer(RWS, *steps, f"pit-supervisor: rule order {cards}", **({"deck": SHOE} | terms))


@pytest.mark.parametrize("cards", ["Kh,Ah", "Ah,2c", "Qh,Kh,Ah", "Ad,Qh", "Qd,Kd"])
def test_rws_5_14_cards_next_to_each_other_in_the_draw_take_the_order_ruled(cards: str) -> None:
    """5.14: the hands, the second round of the deal, and the burned card are all one draw."""
    state = play(RWS, *DEALT, TOGETHER, f"pit-supervisor: rule order {cards}", deck=SHOE).state
    drawn = SHOE.split()[:7]
    named = cards.split(",")
    places = sorted(drawn.index(card) for card in named)
    for place, card in zip(places, named, strict=True):
        drawn[place] = card
    assert [card.code for card in state.burned if card is not None] == drawn[:1]
    for n in PLAYERS:
        assert [card.code for card in state.known[str(n)]] == [drawn[n], drawn[3 + n]]


@pytest.mark.parametrize("cards", ["Ah,Ad", "Ah,Qh", "Qd,3c", "3c,Js", "Ah,Kh,Ad", "Tc,9h", "2c,Ts", "Ks,Kh"])
def test_rws_5_14_any_other_cards_are_refused_and_nothing_changes(cards: str) -> None:
    """5.14: not adjacent, still in the shoe, or nowhere at all."""
    before = play(RWS, *DEALT, TOGETHER, deck=SHOE).state
    found = play(RWS, *DEALT, TOGETHER, f"pit-supervisor: rule order {cards}", deck=SHOE)
    refusal = found.steps[-1].refusal
    assert refusal is not None
    assert (refusal.code, "5.14" in refusal.clauses) == ("not-drawn-together", True)
    assert "drawn together" in refusal.message
    assert found.state == before


@pytest.mark.parametrize("book", BOOKS)
def test_an_order_ruled_in_a_matter_not_covered_is_of_cards_drawn_together_too(book: str) -> None:
    steps = (*DEALT, "dealer: report uncovered two cards stuck together")
    cards = DECK.split()
    chief = "assistant-director"
    right = answer(book, *steps, f"{chief}: rule order {cards[1]},{cards[0]}")
    assert last(right)["ok"]
    for wrong in (f"{cards[0]},{cards[2]}", f"{cards[0]},{cards[51]}"):
        refusal = last(answer(book, *steps, f"{chief}: rule order {wrong}"))["refusal"]
        assert refusal["code"] == "not-drawn-together"
    early = answer(book, *OPENED, "dealer: report uncovered a bird", f"{chief}: rule order As,Ks")
    assert last(early)["refusal"]["code"] == "not-drawn-together"


def test_rws_5_14_cards_of_later_draws_are_next_to_the_card_burned_before_them() -> None:
    steps = (*DEALT, *(f"p{n}@{n}: fold" for n in PLAYERS), "dealer: reveal flop", TOGETHER)
    assert last(ordered(*steps, cards="Js,3c"))["ok"]
    assert last(ordered(*steps, cards="Qd,3c"))["ok"]
    assert not last(ordered(*steps, cards="Qd,Js"))["ok"]


def test_3cp_a_dealt_card_that_is_burned_keeps_its_turn_in_the_draw() -> None:
    """3cp 3.7.1.1: the third community card is burned after it was dealt with the others."""
    steps = (*DEALT, "dealer: report simultaneous-draw")
    found = play(TCP, *steps, deck=DECK)
    cards = DECK.split()
    burned = [card.code for card in found.state.burned if card is not None]
    at = cards.index(burned[0])
    assert at > 0
    both = f"{cards[at]},{cards[at - 1]}"
    state = play(TCP, *steps, f"shift-manager: rule order {both}").state
    assert [card.code for card in state.burned if card is not None] == [cards[at - 1]]
    assert cards[at] in {card.code for card in state.known["community"]}


def test_rws_5_14_at_a_physical_table_the_cards_are_entered_first() -> None:
    entered = ("dealer: card 1 Ah", "dealer: card 2 Kh", "dealer: card 3 Qh")
    steps = (*DEALT, TOGETHER)
    refusal = last(ordered(*steps, cards="Kh,Ah", deck=None))["refusal"]
    assert refusal["code"] == "not-drawn-together"
    assert "enter" in refusal["message"]
    partly = ordered(*DEALT, entered[0], TOGETHER, cards="Kh,Ah", deck=None)
    assert not last(partly)["ok"]
    later = play(RWS, *steps, *entered, "pit-supervisor: rule order Kh,Ah", deck=None)
    assert later.steps[-1].refusal is None
    assert [card.code for n in ("1", "2", "3") for card in later.state.known[n]] == ["Kh", "Ah", "Qh"]
    twice = answer(RWS, *steps, *entered, "dealer: card 1 Kh", deck=None)
    assert last(twice)["refusal"]["code"] == "suspended"
    assert "5.14" in twice["round"]["clauses"]
    apart = ordered(*DEALT, *entered, TOGETHER, cards="Qh,Ah", deck=None)
    assert last(apart)["refusal"]["code"] == "not-drawn-together"


def test_rws_5_14_a_burned_card_of_a_physical_table_is_known_when_it_is_named() -> None:
    steps = (*DEALT, "dealer: card 1 Ah", "dealer: card 2 Kh", TOGETHER)
    state = play(RWS, *steps, "pit-supervisor: rule order Ah,2c", deck=None).state
    assert [card.code for card in state.known["1"]] == ["2c"]
    assert [card.code if card else None for card in state.burned] == ["Ah"]
    assert not last(ordered(*steps, cards="Kh,2c", deck=None))["ok"]


# --- a reported look is a look --------------------------------------------------------------------------

VIEWED = ("p2@2: view", "pit-supervisor: report extra-view 3 intentional=no")


def viewed(found: Played) -> list[int]:
    return [box.position for box in found.state.boxes.values() if box.viewed]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("purpose", ["yes", "no"])
def test_a_further_look_that_was_reported_is_recorded_as_a_look(book: str, purpose: str) -> None:
    """The look is an event of its own: a report that was recorded before means what it meant then."""
    found = play(book, *TWO_HANDS, f"pit-supervisor: report extra-view 3 intentional={purpose}")
    assert HandViewed(position=3) in found.steps[-1].events
    assert viewed(found) == [3]
    again = play(book, *TWO_HANDS, f"pit-supervisor: report extra-view 3 intentional={purpose}", deck=DECK)
    assert again.state == found.state


@pytest.mark.parametrize("book", BOOKS)
def test_touching_a_hand_a_look_by_a_supervisor_and_a_peek_at_anothers_hand_are_no_views(book: str) -> None:
    steps = ("p2@3: handle", "dealer: for p1@1 handle", "dealer: report confidentiality 1")
    found = play(book, *TWO_HANDS, *steps)
    assert viewed(found) == []
    assert {n for n, box in found.state.boxes.items() if box.handled} == {1, 3}
    declined = finished(book)[:-1]
    looked = play(book, *declined, "p1@1: decline", "assistant-director: look 1")
    assert looked.state.boxes[1].looked_at == (load_plan(book).power(Power.LOOK_AT_HAND) is not None)
    assert viewed(looked) == []


@pytest.mark.parametrize("book", BOOKS)
def test_staff_enter_a_look_for_a_player(book: str) -> None:
    assert viewed(play(book, *TWO_HANDS, "dealer: for p2@3 view")) == [3]


@pytest.mark.parametrize("book", MBS)
def test_mbs_5_10_1_all_viewed_hands_play_on(book: str) -> None:
    """5.10.1: a look that was reported keeps the hand in; without it the unviewed hand is invalidated."""
    report = "dealer: report multiple-hands 2,3"
    kept = play(book, *TWO_HANDS, *VIEWED, "shift-manager: rule continue", report)
    assert kept.steps[-1].refusal is None
    assert [n for n, box in kept.state.boxes.items() if box.removal is not None] == []
    dropped = play(book, *TWO_HANDS, "p2@2: view", "p2@3: handle", report)
    assert [n for n, box in dropped.state.boxes.items() if box.removal is not None] == [3]


RWS_SEEN = {
    "exposed 2": ("5.12", "5.8.2"),
    "misdeal reconstructable=no": ("5.10", "5.8.6"),
    "missed-burn reconstructable=no": ("5.9", "5.9"),
    "jackpot-failure": ("5.17.1", "5.16"),
}


@pytest.mark.parametrize("report", RWS_SEEN)
def test_rws_a_reported_look_counts_as_seen(report: str) -> None:
    """RWS 5.8.2, 5.8.6, 5.9, 5.12, 5.16, 5.17.1 ask whether a player has seen cards; touching is not seeing."""
    seen, unseen = RWS_SEEN[report]
    look = "pit-supervisor: report extra-view 3 intentional=no"
    for before, clause in ((look, seen), ("p2@3: handle", unseen)):
        found = play(RWS, *TWO_HANDS, before, f"pit-manager: report {report}")
        assert clause in found.steps[-1].events[0].clauses  # type: ignore[union-attr]
    voided = play(RWS, *TWO_HANDS, look, "pit-manager: report missed-burn reconstructable=yes")
    assert voided.rounds[-1].status == "void"  # 5.9
    kept = play(RWS, *TWO_HANDS, "p2@3: handle", "pit-manager: report missed-burn reconstructable=yes")
    assert kept.rounds[-1].status == "suspended"


def test_rws_5_18_the_hand_that_is_removed_was_seen_all_the_same() -> None:
    look = "pit-supervisor: report extra-view 3 intentional=yes"
    found = play(RWS, *TWO_HANDS, "p2@2: handle", look, "dealer: report exposed 2")
    assert found.state.boxes[3].removal is not None
    assert found.rounds[-1].status == "open"  # 5.12, not 5.8.2


def test_hoiana_7_8_a_reported_look_voids_a_round_with_a_missed_burn() -> None:
    look = ("pit-supervisor: report extra-view 3 intentional=no", "assistant-director: rule continue")
    burn = "pit-manager: report missed-burn reconstructable=yes"
    assert play(HOI, *TWO_HANDS, *look, burn).rounds[-1].status == "void"
    assert play(HOI, *TWO_HANDS, "p2@3: handle", burn).rounds[-1].status == "open"


@pytest.mark.parametrize("book", [THB, TCP, STU, HOI])
def test_mbs_5_2_and_hoiana_7_3_ask_for_handled_and_a_touch_is_enough(book: str) -> None:
    for before, status in (
        ("p2@3: handle", "suspended"),
        ("dealer: for p2@3 view", "suspended"),
        ("", "void"),
    ):
        steps = [*TWO_HANDS, *([before] if before else []), "dealer: report misdeal reconstructable=no"]
        assert play(book, *steps).rounds[-1].status == status


def test_a_hand_already_viewed_is_not_reported_as_a_further_one() -> None:
    found = answer(RWS, *TWO_HANDS, *VIEWED, "pit-supervisor: report extra-view 3 intentional=yes")
    assert last(found)["refusal"]["code"] == "not-additional"


def test_rws_5_18_the_hand_viewed_first_stays_valid_entered_or_not() -> None:
    """The report is the finding that it was a further hand; the last hand of a player cannot be one."""
    look = "pit-supervisor: report extra-view {} intentional=yes"
    for first in ((), ("p2@2: view",)):
        found = answer(RWS, *TWO_HANDS, *first, look.format(3))
        assert last(found)["ok"]
        again = answer(RWS, *TWO_HANDS, *first, look.format(3), look.format(2))
        assert last(again)["refusal"]["code"] == "not-additional"
        assert "5.18" in last(again)["refusal"]["clauses"]
    other = ("dealer: report wrong-count 2 reconstructable=no", look.format(3))
    out = play(RWS, *TWO_HANDS, "p2@2: view", *other)
    assert out.steps[-1].refusal is None
    assert [n for n, box in out.state.boxes.items() if box.removal is not None] == [2, 3]


# --- who exposed it, and when ---------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "procedure"), PROCEDURES)
def test_left_out_a_card_is_exposed_in_the_deal_as_long_as_that_goes_on(book: str, procedure: str) -> None:
    """R-DURING-DEAL: until every card is dealt, and since the last one nothing was decided or revealed."""
    steps = finished(book, procedure)
    played = play(book, *steps, procedure=procedure)
    assert not deal_is_over(played.steps[5].state)
    rule = load_plan(book).procedure(procedure).steps
    last_deal = max(i for i, step in enumerate(rule) if step.deal is not None)
    over = False
    for result in played.steps[6:]:
        moved = any(type(event).__name__ in ("DecisionMade", "PlaceRevealed") for event in result.events)
        over = over or (result.state.step > last_deal and moved)
        assert deal_is_over(result.state) == over, result.step
    assert over


@pytest.mark.parametrize("book", BOOKS)
def test_r_during_deal_what_is_exposed_later_is_not_covered_and_adds_to_no_total(book: str) -> None:
    """MBS 5.4 with 6.1, Hoiana 7.5 with 7.13, RWS 5.10; letter b counts until the settlement."""
    plain = play(book, *decided(book), "dealer: report exposed 2 at=deal")
    assert plain.rounds[-1].status == "void"
    late = play(book, *decided(book), "dealer: report exposed 2 at=later")
    assert late.rounds[-1].status == "suspended"
    clause = "5.10" if book == RWS else CATCH_ALL[book]
    assert clause in late.rounds[-1].clauses
    assert late.state.trouble.cards_exposed == 0
    told = play(book, *decided(book), "dealer: report exposed 2 at=later", readings={"R-DURING-DEAL": "b"})
    assert told.rounds[-1].status == "void"
    one = (
        "dealer: report exposed 1 at=deal",
        *(f"p{n}@{n}: option continue" for n in PLAYERS if book == RWS),
    )
    mixed = play(book, *decided(book), *one, "dealer: report exposed 1 at=later")
    assert mixed.rounds[-1].status == "suspended"
    assert mixed.state.trouble.cards_exposed == 1
    both = play(book, *decided(book), *one, "dealer: report exposed 1 at=deal")
    assert both.rounds[-1].status == "void"


@pytest.mark.parametrize("book", [THB, STU])
def test_left_out_the_first_decision_ends_the_deal_where_every_card_lies_there(book: str) -> None:
    procedure = {THB: "method-c", STU: "automated"}[book]
    bet = load_plan(book).decisions[0].bet
    assert play(book, *DEALT, "dealer: report exposed 2", procedure=procedure).rounds[-1].status == "void"
    late = play(book, *DEALT, f"p1@1: bet {bet}", "dealer: report exposed 2", procedure=procedure)
    assert late.rounds[-1].status == "suspended"
    back = play(
        book,
        *DEALT,
        f"p1@1: bet {bet}",
        "assistant-director: take back 1",
        "dealer: report exposed 2",
        procedure=procedure,
    )
    assert back.rounds[-1].status == "void"


@pytest.mark.parametrize("book", BOOKS)
def test_cards_exposed_by_a_player(book: str) -> None:
    """MBS 5.4 counts both; Hoiana 7.5 and RWS 5.8.2 are about the dealer, so 7.13 and 5.23 decide."""
    found = play(book, *DEALT, "dealer: report exposed 2 by=player")
    dealer = play(book, *DEALT, "dealer: report exposed 2 by=dealer")
    assert dealer.rounds[-1].status == "void"
    assert found.rounds[-1].status == ("void" if book in MBS else "suspended")
    if book in MBS:
        both = ("dealer: report exposed 1 by=player", "dealer: report exposed 1 by=dealer")
        assert play(book, *DEALT, *both).rounds[-1].status == "void"
        return
    assert CATCH_ALL[book] in found.rounds[-1].clauses
    ruled = ("dealer: report exposed 1 by=player", "assistant-director: rule continue")
    then = play(book, *DEALT, *ruled, "dealer: report exposed 1")
    assert then.state.trouble.cards_exposed == 1
    assert then.rounds[-1].status != "void"


def test_hoiana_7_9_a_card_face_up_after_the_deal_does_not_add_up() -> None:
    one = "dealer: report exposed 1 at=deal"
    steps = decided(HOI)
    both = play(HOI, *DEALT, one, "dealer: report face-up", procedure="automated")
    assert both.rounds[-1].status == "void"
    late = play(HOI, *steps, one, "dealer: report face-up", procedure="automated")
    assert late.rounds[-1].status == "open"
    assert late.state.trouble.cards_exposed == 1
    told = play(
        HOI, *steps, one, "dealer: report face-up", procedure="automated", readings={"R-DURING-DEAL": "b"}
    )
    assert told.rounds[-1].status == "void"


def test_a_book_that_does_not_ask_who_and_when_counts_every_card() -> None:
    """A book of the user's own, whose rows do not mention the new conditions."""
    document = read_document(THB)
    rows = [row for row in document.tables["remedies"] if row["kind"] != "exposed"]
    plain = {"kind": "exposed", "mode": "automatic", "clauses": ["5.4"]}
    rows += [
        {**plain, "when": ["dealt-not-settled", "one-card-exposed"], "remedy": "continue"},
        {**plain, "when": ["dealt-not-settled", "several-cards-exposed"], "remedy": "void"},
        {**plain, "when": ["not-dealt-or-settled"], "mode": "recorded", "remedy": "nothing"},
    ]
    readings = {k: v for k, v in document.tables["readings"].items() if k != "R-DURING-DEAL"}
    tables = dict(document.tables) | {"remedies": rows, "readings": readings}
    del tables["exposure"]
    plan = plan_of_text("own", Document("own", tables, {}).text(), {})
    scenario = read_scenario(
        json.dumps(
            {
                "rulebook": THB,
                "players": {"p1": "1000", "p2": "1000", "p3": "1000"},
                "deck": DECK,
                "steps": [
                    *decided(THB),
                    "dealer: report exposed 1 by=player",
                    "dealer: report exposed 1 at=later",
                ],
            }
        ),
        name="x",
    )
    found = play_scenario(replace(scenario, terms=replace(scenario.terms, plan=plan)))
    assert found.rounds[-1].status == "void"


# --- who is affected (RWS 5.10) -------------------------------------------------------------------------

MISDEAL = "dealer: report misdeal reconstructable=yes"


def choosing(found: Played) -> list[int]:
    options = found.state.trouble.options
    return sorted(options.waiting) if options is not None else []


def test_rws_5_10_the_seats_named_choose_and_all_where_none_is_named() -> None:
    assert choosing(play(RWS, *DEALT, f"{MISDEAL} seats=1,3")) == [1, 3]
    assert choosing(play(RWS, *DEALT, MISDEAL)) == [1, 2, 3]
    every = play(RWS, *DEALT, f"{MISDEAL} seats=1,3", readings={"R-AFFECTED": "b"})
    assert choosing(every) == [1, 2, 3]
    left = answer(RWS, *DEALT, f"{MISDEAL} seats=1,3", "p2@2: option withdraw")
    assert last(left)["refusal"]["code"] == "no-option"


@pytest.mark.parametrize(
    "report",
    ["wrong-count dealer", "wrong-count community", "wrong-count 2", "exposed 1 at=later", "exposed 1"],
)
def test_rws_5_10_every_dealing_error_of_that_clause_asks_who_is_affected(report: str) -> None:
    report = report if report.startswith("exposed") else f"{report} reconstructable=yes"
    assert choosing(play(RWS, *DEALT, f"dealer: report {report} seats=3")) == [3]


@pytest.mark.parametrize("ruling", [(), ("pit-manager: rule reconstruct",)])
def test_rws_5_10_a_wrong_count_names_the_seat_it_is_about(ruling: tuple[str, ...]) -> None:
    """R-AFFECTED a: the seats that the report names; `seats=` says that others are affected."""
    report = "dealer: report wrong-count 2" + ("" if ruling else " reconstructable=yes")
    assert choosing(play(RWS, *DEALT, report, *ruling)) == [2]
    assert choosing(play(RWS, *DEALT, f"{report} seats=2,3", *ruling)) == [2, 3]
    assert choosing(play(RWS, *DEALT, report, *ruling, readings={"R-AFFECTED": "b"})) == [1, 2, 3]
    late = {"R-LATE-REBUILD": "a"}
    assert choosing(play(RWS, *finished(RWS), report, *ruling, readings=late)) == [2]


def test_rws_5_10_the_same_seats_choose_after_the_ruling() -> None:
    steps = (*DEALT, "p1@1: view", "dealer: report misdeal seats=2", "pit-manager: rule continue")
    assert choosing(play(RWS, *steps)) == [2]
    assert choosing(play(RWS, *steps, readings={"R-AFFECTED": "b"})) == [1, 2, 3]


@pytest.mark.parametrize(
    "report", ["missed-burn", "missed-burn reconstructable=yes", "simultaneous-draw", "face-up"]
)
def test_rws_5_9_and_5_14_1_are_about_all_players(report: str) -> None:
    found = answer(RWS, *DEALT, f"pit-manager: report {report} seats=1")
    assert last(found)["refusal"]["code"] == "nobody-asked"
    assert found["round"]["status"] == "open"


@pytest.mark.parametrize("book", [THB, TCP, STU, HOI])
def test_books_that_do_not_ask_who_is_affected_refuse_seats(book: str) -> None:
    before = play(book, *DEALT)
    found = play(book, *DEALT, f"{MISDEAL} seats=1")
    refusal = found.steps[-1].refusal
    assert refusal is not None
    assert refusal.code == "nobody-asked"
    assert refusal.clauses
    assert found.state == before.state


def test_seats_without_a_hand_in_play_say_which_have_one() -> None:
    refusal = last(answer(RWS, *DEALT, "p2@2: fold", f"{MISDEAL} seats=2,5"))["refusal"]
    assert refusal["code"] == "not-in-play"
    assert refusal["message"] == "No hand in play lies at seat 2, 5; those in play are 1, 3."


@pytest.mark.parametrize(
    "report",
    [
        "exposed 1 by=house",
        "exposed 1 at=noon",
        "exposed 1 by=dealer by=player",
        "exposed by=dealer",
        "exposed 0 at=deal",
        "face-up at=deal",
        "misdeal by=dealer",
        "misdeal seats=",
        "misdeal seats=1,1",
        "misdeal seats=one",
        "misdeal seats=9",
        "misdeal seats=0",
        "misdeal seats=1 seats=2",
    ],
)
def test_reports_that_fit_no_form_say_what_would_be_right(report: str) -> None:
    with pytest.raises(BadInput) as bad:
        play(RWS, *DEALT, f"dealer: report {report}")
    assert bad.value.remedy
    assert "\n" not in str(bad.value)


# --- after the settlement -------------------------------------------------------------------------------


@pytest.mark.parametrize("book", [THB, TCP, STU, HOI])
def test_r_late_count_a_wrong_pack_after_the_settlement(book: str) -> None:
    """MBS 5.8, Hoiana 7.7: b the settlement stands; a void, if a pit supervisor reports it in time."""
    steps = finished(book)
    settled = answer(book, *steps)
    report = "pit-supervisor: report count-doubt 51"
    assert answer(book, *steps, report)["balances"] == settled["balances"]
    letter = {"R-LATE-COUNT": "a"}
    void = answer(book, *steps, report, readings=letter)
    assert void["round"]["status"] == "void"
    assert set(void["balances"].values()) == {"1000.00"}
    for other in ("dealer: report count-doubt 51", "dealer-inspector: report count-doubt 51"):
        below = answer(book, *steps, other, readings=letter)
        assert last(below)["refusal"]["code"] == "no-authority"
        assert below["balances"] == settled["balances"]
    right = answer(book, *steps, "dealer: report count-doubt 52", readings=letter)
    assert right["balances"] == settled["balances"]
    next_round = answer(book, *steps, "dealer: open bets", report, readings=letter, decks=(DECK,))
    assert next_round["balances"] == settled["balances"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("place", ["community", "dealer", "2"])
def test_r_late_rebuild_settles_a_round_of_a_deck_again(book: str, place: str) -> None:
    """MBS 5.3, 5.7, Hoiana 7.4, 7.6, RWS 5.8.7, 5.15: cards of a deck lie where the procedure puts them."""
    if book == STU and place == "community":
        return
    steps = finished(book)
    settled = answer(book, *steps)
    for report in (
        (f"dealer: report wrong-count {place} reconstructable=yes",),
        (f"dealer: report wrong-count {place}", "pit-manager: rule reconstruct"),
    ):
        stands = play(book, *steps, *report)
        assert played_json(stands)["balances"] == settled["balances"]
        assert not any(type(event).__name__ == "SettlementReversed" for event in stands.events)
        asked = (2,) if place == "2" else PLAYERS
        again = (f"p{n}@{n}: option continue" for n in asked) if book == RWS else ()
        letter = {"R-LATE-REBUILD": "a"}
        final = ("dealer: settle",) if book == RWS else ()
        found = play(book, *steps, *report, *again, *final, readings=letter)
        assert [step.refusal for step in found.steps if step.refusal is not None] == []
        assert any(type(event).__name__ == "SettlementReversed" for event in found.events)
        assert played_json(found)["balances"] == settled["balances"]
        assert found.rounds[-1].status == "settled"


def test_rws_5_10_after_a_late_repair_the_players_may_still_leave() -> None:
    steps = finished(RWS)
    report = "dealer: report wrong-count dealer reconstructable=yes seats=2"
    letter = {"R-LATE-REBUILD": "a"}
    found = answer(RWS, *steps, report, "p2@2: option withdraw", "dealer: settle", readings=letter)
    assert last(found)["ok"]
    assert found["balances"]["p2"] == "1000.00"


PHYSICAL = (
    "dealer: open bets",
    "p1@1: wager ante 25",
    "dealer: close bets",
    "dealer: deal",
    "p1@1: bet flop",
    "dealer: reveal flop",
    "p1@1: check",
    "dealer: reveal turn",
    "p1@1: check",
    "dealer: reveal river",
    "dealer: reveal dealer",
    *(f"dealer: card 1 {card}" for card in ("As", "Ad")),
    *(f"dealer: card community {card}" for card in ("Kc", "8h", "5d", "3s", "2c")),
    *(f"dealer: card dealer {card}" for card in ("Qh", "Jd")),
    "dealer: settle",
)


@pytest.mark.parametrize("book", [THB, HOI, RWS])
@pytest.mark.parametrize(
    "corrected",
    [
        ("dealer: card dealer Kd", "dealer: card dealer Ks"),
        ("dealer: correct dealer 1 Kd", "dealer: correct dealer 2 Ks"),
    ],
)
def test_r_late_rebuild_at_a_physical_table_the_corrected_cards_are_entered(
    book: str, corrected: tuple[str, ...]
) -> None:
    """Decisions stay; the dealer's three kings beat the aces that were paid."""
    report = "dealer: report wrong-count dealer reconstructable=yes"
    stays = ("p1@1: option continue",) if book == RWS else ()
    letter = {"R-LATE-REBUILD": "a"}
    paid = answer(book, *PHYSICAL, deck=None)
    assert paid["balances"]["p1"] == "1050.00"
    found = play(book, *PHYSICAL, report, *stays, *corrected, "dealer: settle", deck=None, readings=letter)
    assert [step.refusal for step in found.steps if step.refusal is not None] == []
    assert played_json(found)["balances"]["p1"] == "925.00"
    assert found.state.boxes[1].choices["flop"] == "bet"
    stands = answer(book, *PHYSICAL, report, deck=None)
    assert stands["balances"] == paid["balances"]


def test_r_late_rebuild_a_card_moves_from_where_it_was_entered_wrongly() -> None:
    letter = {"R-LATE-REBUILD": "a"}
    report = "dealer: report wrong-count dealer reconstructable=yes"
    moved = ("dealer: card dealer As", "dealer: card dealer Jd")
    short = answer(THB, *PHYSICAL, report, *moved, "dealer: settle", deck=None, readings=letter)
    assert last(short)["refusal"]["code"] == "cards-unknown"
    again = ("dealer: card 1 Qh", "dealer: card 1 Ad", "dealer: settle")
    found = answer(THB, *PHYSICAL, report, *moved, *again, deck=None, readings=letter)
    assert last(found)["ok"]
    third = answer(THB, *PHYSICAL, report, *moved, "dealer: card dealer 9c", deck=None, readings=letter)
    assert last(third)["refusal"]["code"] == "no-such-place"
    twice = play(THB, *PHYSICAL, report, *moved, "dealer: card 1 Jd", deck=None, readings=letter)
    assert twice.rounds[-1].status == "suspended"


def test_r_late_rebuild_what_was_overpaid_is_owed() -> None:
    """A script's player who has spent what he won owes it; racks of the floor never fall below nothing."""
    letter = {"R-LATE-REBUILD": "a"}
    report = "dealer: report wrong-count dealer reconstructable=yes"
    kings = ("dealer: card dealer Kd", "dealer: card dealer Ks", "dealer: settle")
    found = answer(THB, *PHYSICAL, report, *kings, deck=None, readings=letter)
    plain = answer(THB, *PHYSICAL[:-3], *kings, deck=None)
    assert found["balances"] == plain["balances"]


# --- what cannot be, and what would be right ------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    "step",
    [
        "dealer: absent 9",
        "dealer: take back 9",
        "pit-manager: look 9",
        "dealer: inform 9",
        "shift-manager: lift block 9",
    ],
)
def test_a_step_about_a_position_that_the_table_has_not_says_which_it_has(book: str, step: str) -> None:
    with pytest.raises(BadInput, match="there is no position 9; the table has 1 to"):
        play(book, *OPENED, step)
    state = play(book, *DEALT).state
    staff = c.Staff(Position.ASSISTANT_DIRECTOR)
    for command in (c.MarkAbsent, c.TakeBack, c.LookAtHand, c.InformPlayer):
        refusal = decide(state, command(by=staff, position=99))
        assert isinstance(refusal, Refusal)
        assert refusal.code == "no-such-position"


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("ruling", ["bar", "restrict"])
def test_an_order_about_a_player_who_is_not_there_names_those_who_are(book: str, ruling: str) -> None:
    refusal = last(answer(book, *OPENED, f"assistant-director: rule {ruling} p99"))["refusal"]
    if refusal["code"] == "unknown-player":
        assert "p1, p2, p3" in refusal["message"]
    else:
        assert refusal["code"] in ("no-authority", "not-an-order")
    assert (
        last(answer(book, *OPENED, "assistant-director: rule bar p99"))["refusal"]["code"] == "unknown-player"
    )


@pytest.mark.parametrize("book", BOOKS)
def test_no_more_cards_are_exposed_than_have_left_the_device(book: str) -> None:
    state = play(book, *DEALT).state
    out = sum(state.dealt.values()) + len(state.burned)
    refusal = last(answer(book, *DEALT, f"pit-manager: report exposed {out + 1}"))["refusal"]
    assert refusal["code"] == "too-many-cards"
    assert f"{out} have left the device" in refusal["message"]
    assert last(answer(book, *DEALT, f"pit-manager: report exposed {out}"))["ok"]
    assert (
        last(answer(book, *OPENED, "pit-manager: report exposed 53"))["refusal"]["code"] == "too-many-cards"
    )
    assert last(answer(book, *OPENED, "pit-manager: report exposed 52"))["ok"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("report", ["wrong-count 5 reconstructable=no", "confidentiality 5"])
def test_a_report_about_an_empty_seat_names_the_seats_in_play(book: str, report: str) -> None:
    refusal = last(answer(book, *DEALT, f"pit-manager: report {report}"))["refusal"]
    assert refusal["code"] == "no-hand"
    assert refusal["message"].endswith("those in play are 1, 2, 3.")
    out = (*DEALT, "pit-manager: report wrong-count 2 reconstructable=no")
    message = last(answer(book, *out, f"pit-manager: report {report}"))["refusal"]["message"]
    assert message.endswith(("those in play are 1, 3.", "none is in play."))


@pytest.mark.parametrize("book", BOOKS)
def test_a_count_of_fewer_cards_than_lie_there_or_more_than_two_packs_is_refused(book: str) -> None:
    state = play(book, *DEALT).state
    out = sum(state.dealt.values()) + len(state.burned)
    for count, says in ((0, f"{out} have left"), (out - 1, f"{out} have left"), (105, "the pack has 52")):
        for steps in (DEALT, finished(book)):
            refusal = last(answer(book, *steps, f"dealer: report count-doubt {count}"))["refusal"]
            assert refusal["code"] == "impossible-count"
            assert says in refusal["message"] or steps != DEALT
    for count in (out, 51, 53, 104):
        assert last(answer(book, *DEALT, f"dealer: report count-doubt {count}"))["ok"]
    assert last(answer(book, *OPENED, "dealer: report count-doubt 0"))["ok"]  # of the round before


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("steps", [OPENED, DEALT], ids=["opened", "dealt"])
def test_a_report_that_cannot_be_is_refused_however_it_comes(book: str, steps: tuple[str, ...]) -> None:
    """Programs send reports as data, which no script has read."""
    state, staff = play(book, *steps).state, c.Staff(Position.ASSISTANT_DIRECTOR)
    for code, report in (
        ("no-such-position", c.Report(by=staff, kind=Irregularity.WRONG_COUNT_POSITION, positions=(99,))),
        ("no-such-position", c.Report(by=staff, kind=Irregularity.CONFIDENTIALITY, positions=(0,))),
        ("no-such-position", c.Report(by=staff, kind=Irregularity.MISDEAL, seats=(8,))),
        ("named-twice", c.Report(by=staff, kind=Irregularity.MULTIPLE_HANDS, positions=(1, 1))),
        ("named-twice", c.Report(by=staff, kind=Irregularity.MISDEAL, seats=(2, 3, 2))),
        ("impossible-count", c.Report(by=staff, kind=Irregularity.EXPOSED, count=0)),
        ("impossible-count", c.Report(by=staff, kind=Irregularity.EXPOSED, count=-3)),
        ("impossible-count", c.Report(by=staff, kind=Irregularity.COUNT_DOUBT, count=-1)),
    ):
        refusal = decide(state, report)
        assert isinstance(refusal, Refusal), report
        assert refusal.code == code


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("step", ["p1@5: view", "p1@5: fold", "p1@5: decline", "dealer: absent 5"])
def test_a_step_at_an_empty_seat_names_the_seats_in_play(book: str, step: str) -> None:
    refusal = last(answer(book, *DEALT, step))["refusal"]
    assert refusal["code"] == "no-hand"
    assert refusal["message"] == "No hand lies at position 5; those in play are 1, 2, 3."


def test_an_order_that_does_not_stand_is_not_lifted_and_those_that_do_are_named() -> None:
    ruled = ("shift-manager: rule block 5", "shift-manager: rule bar p3")
    refusal = last(answer(THB, *OPENED, *ruled, "shift-manager: lift block 4"))["refusal"]
    assert refusal["message"] == "No such order stands at this table; those that do are bar p3, block 5."


def test_a_player_may_be_called_by_a_number() -> None:
    terms = play(THB, *OPENED).state.terms
    for step in ("rule bar 99", "lift bar 99", "rule restrict 99"):
        assert not isinstance(parse_step(f"shift-manager: {step}", terms, ["99"], place="step"), Refusal)


def test_cards_that_cannot_be_there_are_refused_with_the_places_that_wait_for_one() -> None:
    dealt = PHYSICAL[:4]
    missing = last(answer(THB, *dealt, "dealer: card 5 Qs", deck=None))["refusal"]
    assert missing["message"] == "No card is due at 5; cards are due at 1, flop, turn, river, dealer."
    full = last(answer(THB, *PHYSICAL[:-1], "dealer: card 1 9c", deck=None))["refusal"]
    assert full["message"] == "No card is due at 1; every place has its cards."
    for correction, says in (
        ("1 3 9c", "cards 1 to 2 are"),
        ("community 6 9c", "cards 1 to 5 are"),
        ("5 1 9c", "none is entered there"),
    ):
        refusal = last(answer(THB, *PHYSICAL[:-1], f"dealer: correct {correction}", deck=None))["refusal"]
        assert refusal["code"] == "no-such-card"
        assert says in refusal["message"]
    with pytest.raises(BadInput, match="'x' is no card; write its number"):
        play(THB, *dealt, "dealer: correct 1 x 9c", deck=None)


def test_3_10_1_a_look_names_the_hands_that_were_declined() -> None:
    declined = (*finished(THB)[:-1], "p2@2: decline")
    refusal = last(answer(THB, *declined, "pit-supervisor: look 1"))["refusal"]
    assert refusal["message"].endswith("those lie at 2.")
    assert last(answer(THB, *declined, "pit-supervisor: look 2"))["ok"]


def test_what_can_be_taken_back_is_named() -> None:
    refusal = last(answer(THB, *DEALT, "p2@2: fold", "dealer: take back 1"))["refusal"]
    assert refusal["message"].endswith("; at 2 it can.")
    refusal = last(answer(THB, *DEALT, "dealer: take back 1"))["refusal"]
    assert refusal["message"].endswith("; nor at any other.")


@pytest.mark.parametrize("book", [THB, TCP, STU, RWS])
def test_a_ruling_about_an_empty_seat_names_the_seats_in_play(book: str) -> None:
    steps = (*DEALT, "pit-manager: report misdeal", "assistant-director: rule invalidate 5")
    waits = (*DEALT, "pit-manager: report uncovered something", "assistant-director: rule invalidate 5")
    codes = [last(answer(book, *script))["refusal"] for script in (steps, waits)]
    assert "no-hand" in [refusal["code"] for refusal in codes]
    assert all("1, 2, 3" in refusal["message"] for refusal in codes if refusal["code"] == "no-hand")


def test_rws_5_23_asks_nobody_who_is_affected_by_what_a_player_exposed() -> None:
    by_player = answer(RWS, *DEALT, "pit-manager: report exposed 1 by=player seats=2")
    assert last(by_player)["refusal"]["code"] == "nobody-asked"
    assert last(by_player)["refusal"]["clauses"] == ["5.23", "5.23.a"]
    assert choosing(play(RWS, *DEALT, "pit-manager: report exposed 1 by=dealer seats=2")) == [2]
    assert choosing(play(RWS, *DEALT, "pit-manager: report exposed 1 seats=2")) == [2]
