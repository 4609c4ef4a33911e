"""Every road by which cards of a sealed deck come to nothing: who signs, what is noted, and what the record shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pitboss.floor import acts, entropy, second_signatures, voids
from pitboss.floor import requests as q
from pitboss.floor.people import SYSTEM
from pitboss.floor.ports import SECOND, Micros
from pitboss.floor.recall import recall, void_deck
from pitboss.floor.table_events import DeckOpened, SealBroken, VoidNoted
from pitboss.floor.void_watch import PersonsVoids, watch
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.rulebooks import book_ids
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.beacon import LocalSigner
from support.entropy import Devices, seat, with_beacon
from support.floor import House
from support.voids import BETS, SAID, dealt, events, of_each_verifier, problems, replaced, to_the_end, void

PATCH = pytest.MonkeyPatch
AT_ONCE = ("mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6")
"""Books by which players choose after a power failure."""


def leaves(house: House, who: str, position: int) -> None:
    command = c.TakeOption(by=c.Player(who), position=position, stay=False)
    house.ok(who, q.Act(table="t1", command=command))


# --- what is said of the cards -----------------------------------------------------------------------------


@pytest.mark.parametrize("book", book_ids())
def test_a_report_is_refuted_at_every_moment_of_a_round_and_after_its_void(book: str) -> None:
    house = House()
    house.table(book)
    for moment in (*BETS, "dealer: deal", "pit-manager: report disruption"):
        house.steps(moment)
        for said in SAID.values():
            assert house.step(f"assistant-director: report {said} signed gus").code == "seal-holds", moment
    house.steps("assistant-director: rule void signed saul")
    for said in SAID.values():
        assert house.step(f"assistant-director: report {said} signed gus").code == "seal-holds"
    assert problems(house) == []


def test_a_deck_that_is_changed_after_the_void_is_erased_with_its_alarm() -> None:
    house = dealt()
    void(house)
    replaced(house)
    house.steps("pit-supervisor: report foreign-card")
    assert [broken.what for broken in events(house, SealBroken)] == ["not-what-was-sealed"]
    assert house.store.decks() == []
    assert house.floor.table("t1").kept_decks == ()


# --- two signatures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "before", "step"),
    [
        *((book, (), "pit-manager: report power-failure") for book in AT_ONCE),
        ("rws-thp-2", (), "pit-manager: report exposed 1"),
        *(
            (
                book,
                ("pit-manager: report uncovered chips-mixed",),
                "assistant-director: rule permit-withdrawal 1",
            )
            for book in book_ids()
        ),
        *(
            (book, ("pit-manager: report uncovered chips-mixed",), "assistant-director: rule invalidate 1")
            for book in book_ids()
        ),
        *((book, (), "assistant-director: rule bar p1") for book in AT_ONCE),
    ],
)
def test_what_lets_a_hand_out_takes_two_persons(book: str, before: tuple[str, ...], step: str) -> None:
    house = dealt(book)
    house.steps(*before)
    assert house.step(step).code == "second-person"
    assert house.step(f"{step} signed dora").code == "second-person"
    house.steps(f"{step} signed gus")
    assert problems(house) == []


def outage(house: House, **more: str) -> Any:
    return house.ask("saul", q.FailLink(link="mega", reason="meter off", **more))


def rws_on_a_link() -> House:
    house = House()
    house.link()
    house.table("rws-thp-2", link="mega", procedure="shuffler")
    house.steps(*BETS[:2], "p1@1: wager jackpot 5", *BETS[2:])
    return house


def test_a_jackpot_that_is_put_out_of_order_by_one_person_voids_no_round() -> None:
    """RWS 5.17.1 voids the rounds of a jackpot that fails before an outcome: one supervisor could do it at will."""
    house = rws_on_a_link()
    house.steps("dealer: deal")
    for second in ("", "saul", "dora", "nobody"):
        assert outage(house, approved_by=second).code == "second-person"
    assert not house.floor.link("mega").out_of_order
    assert outage(house, approved_by="mara").ok
    assert house.floor.table("t1").state.stage is Stage.VOID
    [note] = events(house, VoidNoted)
    assert (note.reported_by, note.kind) == ("system", "jackpot-failure")
    [line] = watch(house.floor, house.store).voids
    assert (line.note.reported_by, line.note.signed_by) == ("staff/saul", "mara")
    assert line.people == ("staff/saul", "staff/mara")
    assert problems(house) == []


def test_a_jackpot_is_put_out_of_order_by_one_person_where_no_dealt_round_is_void_for_it() -> None:
    house = rws_on_a_link()
    assert outage(house).ok
    assert problems(house) == []


def test_a_round_that_was_dealt_meanwhile_is_not_void_for_an_outage_of_one_person(monkeypatch: PATCH) -> None:
    """The floor tells tables of an outage one by one: what was dealt before it was told plays on."""
    house = rws_on_a_link()
    told: list[Callable[[], None]] = []
    tell = type(house.floor)._tell_members
    monkeypatch.setattr(
        type(house.floor), "_tell_members", lambda self, *what: told.append(lambda: tell(self, *what))
    )
    assert outage(house).ok
    house.steps("dealer: deal")
    told[0]()
    assert house.floor.table("t1").state.stage is Stage.PLAYING
    assert problems(house) == []


def test_a_self_check_that_fails_takes_no_signature() -> None:
    house = rws_on_a_link()
    house.steps("dealer: deal")
    house.ok(SYSTEM, q.FailLink(link="mega", reason="self-check failed"))
    assert house.floor.table("t1").state.stage is Stage.VOID
    assert problems(house) == []


@pytest.mark.parametrize("book", book_ids())
def test_no_player_is_absent_before_their_time_is_over(book: str) -> None:
    """In four books the stakes of an absent player go back: a dealer could void each hand alone."""
    house = dealt(book)
    absent = q.Act(table="t1", command=c.MarkAbsent(by=c.Staff(Position.DEALER), position=1))
    assert [house.refused(who, absent) for who in ("dora", "ada")] == ["has-time"] * 2
    table = house.floor.table("t1")
    assert table.opened is not None
    house.clock.at = Micros(table.decision_since + table.opened.decision_seconds * SECOND)
    house.ok("dora", absent)
    assert problems(house) == []


def test_at_a_practice_table_a_dealer_enters_absence_at_once() -> None:
    house = House()
    house.table("mbs-stud-6", practice=True)
    house.steps(*BETS, "dealer: deal")
    house.ok("dora", q.Act(table="t1", command=c.MarkAbsent(by=c.Staff(Position.DEALER), position=1)))


# --- hands that are taken out --------------------------------------------------------------------------------


def alone(book: str = "mbs-stud-6") -> House:
    """One hand is in play."""
    house = House()
    house.table(book, players=("p1",))
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    return house


def test_the_last_hand_that_is_taken_out_is_noted_as_a_void_and_its_deck_is_opened() -> None:
    house = alone()
    house.steps("pit-manager: report confidentiality 1", "assistant-director: rule bar p1 signed saul")
    [note] = events(house, VoidNoted)
    assert (note.reported_by, note.ruled_by, note.signed_by) == ("staff/mara", "staff/ada", "saul")
    assert (note.positions, note.staked, note.cards, note.stage) == ((1,), 2500, 10, "bet")
    assert note.house is not None
    assert note.deck_kept
    house.steps("dealer: reveal dealer", "dealer: settle")
    assert house.store.decks() == [("t1", 1)]
    assert problems(house) == []
    house.steps("dealer: open bets")
    assert len(events(house, DeckOpened)) == 1
    shown = void_deck(house.floor, house.store, "t1", 1, recall(house.floor, house.store, "t1", 1), "p1")
    assert shown["void_deck"]["status"] == "opened"
    assert problems(house) == []


def test_a_round_whose_last_hand_was_taken_out_may_still_be_void() -> None:
    house = alone()
    house.steps("pit-manager: report confidentiality 1", "assistant-director: rule bar p1 signed saul")
    house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")
    assert [note.positions for note in events(house, VoidNoted)] == [(1,), ()]
    house.steps("dealer: open bets")
    assert len(events(house, DeckOpened)) == 1
    assert problems(house) == []


@pytest.mark.parametrize("book", book_ids())
def test_a_hand_that_is_taken_out_is_noted_with_its_own_figure(book: str) -> None:
    """The other hand plays on; the figure is what the hand comes to in a twin where it plays on, too."""
    house, twin = dealt(book), dealt(book)
    matter = "pit-manager: report uncovered chips-mixed"
    house.steps(matter, "assistant-director: rule invalidate 1 signed gus")
    [note] = events(house, VoidNoted)
    assert (note.positions, note.staked, note.deck_kept) == ((1,), 2500, False)
    assert (note.reported_by, note.ruled_by, note.signed_by) == ("staff/mara", "staff/ada", "gus")
    assert (note.kind, note.reason) == ("uncovered", "uncovered, chips-mixed")
    twin.steps(matter, "assistant-director: rule void signed gus")
    [whole] = events(twin, VoidNoted)
    house.steps(matter, "assistant-director: rule void signed gus")
    [_, rest] = events(house, VoidNoted)
    assert note.house + rest.house == whole.house
    assert problems(house) == []
    house.step("dealer: new pack")
    house.steps("dealer: open bets")
    assert problems(house) == []


def test_a_hand_that_its_player_withdraws_is_the_matter_of_who_offered_it() -> None:
    house = dealt("mbs-thb-9")
    house.steps("pit-manager: report power-failure signed saul")
    leaves(house, "p1", 1)
    [note] = events(house, VoidNoted)
    assert (note.reported_by, note.ruled_by, note.signed_by) == ("staff/mara", "", "saul")
    assert (note.kind, note.positions, note.deck_kept) == ("power-failure", (1,), False)
    leaves(house, "p2", 2)
    assert [(note.positions, note.deck_kept) for note in events(house, VoidNoted)][1] == ((2,), True)
    to_the_end(house)
    house.steps("dealer: open bets")
    assert len(events(house, DeckOpened)) == 1
    assert problems(house) == []


def test_hands_that_are_taken_out_are_listed_and_outlive_a_snapshot() -> None:
    house = dealt("mbs-thb-9")
    house.steps(
        "pit-manager: report uncovered chips-mixed", "assistant-director: rule invalidate 1 signed gus"
    )
    to_the_end(house)
    for _ in range(11):
        house.wait(60)
        house.steps(*BETS, "dealer: deal")
        to_the_end(house)
    assert house.store.snapshot("table/t1") is not None
    house.floor = house.opened()
    assert house.floor.table("t1").hands_out == (1,)
    found = watch(house.floor, house.store)
    [line] = found.voids
    assert (line.note.round_number, line.note.positions) == (1, (1,))
    assert {row.person: row.counted for row in found.staff} == {
        "staff/mara": 1,
        "staff/ada": 1,
        "staff/gus": 1,
    }
    assert problems(house) == []


@pytest.mark.parametrize(("saved", "stands_out"), [(31_000, True), (-31_000, True), (29_000, False)])
def test_voids_that_cost_the_house_more_than_chance_stand_out_as_those_that_save_it(
    saved: int, stands_out: bool
) -> None:
    """Who takes hands out for a player who holds a losing one is found as well."""
    row = PersonsVoids(
        person="x", reported=9, ruled=0, signed=0, counted=9, saved=saved, expected=0, deviation=10_000
    )
    assert row.stands_out is stands_out


# --- the figure before a card is dealt ------------------------------------------------------------------------


def closed(*, beacon: str = "", reveal: tuple[str, ...] = ()) -> House:
    """Bets are closed, and both players' devices have committed."""
    house = House()
    house.table("mbs-stud-6")
    seat(house, "p1", "p2")
    if beacon:
        with_beacon(house, LocalSigner(lambda: house.clock.at, missing=beacon, seed=bytes(32)))
    devices = Devices(house)
    house.steps(*BETS[:3])
    for who in ("p1", "p2"):
        assert devices.commit(who, f"{who}-phone").ok
    house.steps("dealer: close bets")
    for who in reveal:
        assert devices.reveal(who, f"{who}-phone").ok
    return house


def noted(house: House) -> VoidNoted:
    house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")
    [note] = events(house, VoidNoted)
    assert isinstance(note, VoidNoted)
    return note


@pytest.mark.parametrize(
    ("beacon", "reveal", "wait", "known"),
    [
        ("", (), 0, False),
        ("", (), 2, True),
        ("", ("p1",), 0, True),
        ("wait", ("p1", "p2"), 0, False),
        ("wait", ("p1", "p2"), 6, True),
        ("wait", (), 6, True),
        ("without", (), 6, True),
    ],
)
def test_a_void_has_its_figure_as_soon_as_the_order_can_be_known(
    beacon: str, reveal: tuple[str, ...], wait: int, known: bool
) -> None:
    """An insider who has the deck knows the cards from then on, dealt or not: what they void has its figure."""
    house, twin = closed(beacon=beacon, reveal=reveal), closed(beacon=beacon, reveal=reveal)
    house.wait(wait)
    note = noted(house)
    assert (note.house is not None, note.cards) == (known, 0)
    assert (note.beacon is not None) is (known and bool(beacon))
    if known and wait:
        twin.wait(wait)
        twin.steps("dealer: deal")
        assert noted(twin).house == note.house
    house.steps("dealer: open bets")
    assert len(events(house, DeckOpened)) == 1
    assert problems(house) == []


def test_a_beacon_that_may_be_left_out_is_not_waited_for_longer_than_announced() -> None:
    house = closed(beacon="without", reveal=("p1",))
    assert isinstance(house.floor.desk.beacon, LocalSigner)
    house.floor.desk.beacon.silent = True
    house.wait(30)
    note = noted(house)
    assert note.house is not None
    assert note.beacon is None
    house.steps("dealer: open bets")
    assert problems(house) == []


# --- players whose stakes staff enter ------------------------------------------------------------------------


def enters(house: House, who: str, position: int) -> Any:
    """Staff put a stake on for a player."""
    by = c.Staff(Position.DEALER, for_player=who)
    command = c.PlaceWager(by=by, position=position, wager="ante", amount=2500)  # type: ignore[arg-type]
    return house.ask("mara", q.Act(table="t1", command=command))


def test_a_player_whose_stakes_staff_enter_counts_as_the_house() -> None:
    house = House()
    house.table("mbs-stud-6")
    seat(house, "p1", "p2")
    devices = Devices(house)
    house.steps("dealer: open bets")
    assert enters(house, "p1", 1).ok
    assert devices.commit("p1", "p1-phone").code == "entered-by-staff"
    assert devices.commit("p2", "p2-phone").ok
    assert enters(house, "p2", 2).code == "device-contributes"
    house.steps("p2@2: wager ante 25", "dealer: close bets")
    assert devices.reveal("p2", "p2-phone").ok
    house.steps("dealer: deal")
    to_the_end(house)
    house.steps("dealer: open bets")
    assert devices.commit("p1", "p1-phone").ok
    assert problems(house) == []


# --- houses that do otherwise --------------------------------------------------------------------------------


def _unheld(patch: PATCH) -> House:
    """A report about cards is taken without a look at the seal."""
    patch.setattr(acts, "held_against_seal", lambda *given: "")
    house = dealt()
    house.steps("pit-supervisor: report foreign-card signed mara", "dealer: open bets")
    return house


def _never_opened(patch: PATCH) -> House:
    patch.setattr(acts, "open_kept", lambda *given, **more: [])
    house = dealt()
    void(house)
    house.steps("dealer: open bets")
    return house


def _opened_while_disputed(patch: PATCH) -> House:
    patch.setattr(voids, "_disputed", lambda *given: set())
    house = dealt()
    void(house)
    house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I had won"))
    house.wait(60)
    house.steps("dealer: open bets")
    return house


def _opened_while_a_complaint_waits(patch: PATCH) -> House:
    house = dealt()
    void(house)
    house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="I had won"))
    house.ok("ada", q.DecideDispute(dispute=1, decision="void", basis="referred", in_favour_of="house"))
    house.ok("p1", q.FileComplaint(dispute=1, text="I do not agree"))
    patch.setattr(voids, "_disputed", lambda *given: set())
    house.wait(60)
    house.steps("dealer: open bets")
    return house


def _offered_by_one(patch: PATCH) -> House:
    patch.setattr(acts, "unsigned", lambda *given: None)
    house = dealt()
    house.steps("pit-manager: report power-failure")
    return house


def _permitted_by_one(patch: PATCH) -> House:
    patch.setattr(acts, "unsigned", lambda *given: None)
    house = dealt()
    house.steps("pit-manager: report uncovered chips-mixed", "assistant-director: rule permit-withdrawal 1")
    return house


def _hand_not_noted(patch: PATCH) -> House:
    patch.setattr(acts, "void_notes", lambda *given, **more: [])
    house = dealt()
    house.steps("pit-manager: report uncovered chips-mixed")
    house.steps("assistant-director: rule invalidate 1 signed gus")
    house.wait(1)
    house.steps("p2@2: fold")
    return house


def _changed_note(patch: PATCH, **change: Any) -> House:
    real = voids.void_notes

    def changed(*given: Any, **more: Any) -> list[Any]:
        return [
            replace(note, **change) if isinstance(note, VoidNoted) else note for note in real(*given, **more)
        ]

    patch.setattr(acts, "void_notes", changed)
    house = alone()
    house.steps("pit-manager: report confidentiality 1", "assistant-director: rule bar p1 signed saul")
    house.steps("dealer: reveal dealer", "dealer: settle", "dealer: open bets")
    return house


def _outage_by_one(patch: PATCH) -> House:
    patch.setattr(second_signatures, "_undone", lambda *given: False)
    house = rws_on_a_link()
    house.steps("dealer: deal")
    assert outage(house).ok
    assert house.floor.table("t1").state.stage is Stage.VOID
    return house


def _outage_signed_by_a_dealer(patch: PATCH) -> House:
    house = rws_on_a_link()
    house.steps("dealer: deal")
    patch.setattr("pitboss.floor.links.second_person", lambda *given: None)
    patch.setattr("pitboss.floor.second_signatures.second_person", lambda *given: None)
    assert outage(house, approved_by="dora").ok
    return house


def _staff_enter_a_stake_of_a_contributor(patch: PATCH) -> House:
    patch.setattr(acts, "_contributes", lambda *given: None)
    house = House()
    house.table("mbs-stud-6")
    seat(house, "p1", "p2")
    devices = Devices(house)
    house.steps("dealer: open bets")
    assert devices.commit("p1", "p1-phone").ok
    assert enters(house, "p1", 1).ok
    return house


def _a_player_of_the_house_contributes(patch: PATCH) -> House:
    house = House()
    house.table("mbs-stud-6")
    seat(house, "p1", "p2")
    devices = Devices(house)
    house.steps("dealer: open bets")
    assert enters(house, "p1", 1).ok
    loaded = house.floor.desk.loaded["table/t1"]
    loaded.state = loaded.state._replace(entered_for=frozenset())
    assert devices.commit("p1", "p1-phone").ok
    return house


def _another_beacon_noted(patch: PATCH) -> House:
    real = entropy.published_value

    def another(*given: Any) -> Any:
        value = real(*given)
        return value and value._replace(signature="00" * 64)

    patch.setattr("pitboss.floor.voids.published_value", another)
    house = closed(beacon="wait", reveal=("p1",))
    house.wait(6)
    house.steps("pit-manager: report disruption", "assistant-director: rule void")
    return house


def _no_figure_where_the_order_was_known(patch: PATCH) -> House:
    patch.setattr(voids, "follows", lambda *given: False)
    house = closed(reveal=("p1", "p2"))
    house.wait(3)
    house.steps("pit-manager: report disruption", "assistant-director: rule void", "dealer: open bets")
    return house


BY_BOTH = (
    _unheld,
    _never_opened,
    _opened_while_disputed,
    _opened_while_a_complaint_waits,
    _offered_by_one,
    _permitted_by_one,
    _hand_not_noted,
    lambda patch: _changed_note(patch, positions=()),
    lambda patch: _changed_note(patch, positions=(2,)),
    lambda patch: _changed_note(patch, reported_by="staff/dora"),
    lambda patch: _changed_note(patch, ruled_by=""),
    lambda patch: _changed_note(patch, signed_by="gus"),
    lambda patch: _changed_note(patch, reason="an earthquake"),
    lambda patch: _changed_note(patch, staked=1),
    lambda patch: _changed_note(patch, deck_kept=False),
    lambda patch: _changed_note(patch, house=1_000_000),
    _outage_by_one,
    _outage_signed_by_a_dealer,
    _staff_enter_a_stake_of_a_contributor,
    _a_player_of_the_house_contributes,
    _another_beacon_noted,
)
BY_THE_RULES_OF_PLAY = (
    lambda patch: _changed_note(patch, house=1),
    _no_figure_where_the_order_was_known,
)
"""What a verifier finds that has the rules of play, and the other one has not."""


@pytest.mark.parametrize("forge", [*BY_BOTH, *BY_THE_RULES_OF_PLAY])
def test_a_house_that_does_otherwise_is_found(monkeypatch: PATCH, forge: Callable[[PATCH], House]) -> None:
    with monkeypatch.context() as patched:
        house = forge(patched)
    ours, theirs = of_each_verifier(house)
    assert ours
    assert theirs or forge in BY_THE_RULES_OF_PLAY


def test_an_absence_that_was_entered_too_soon_is_found(monkeypatch: PATCH) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(acts, "_has_time", lambda *given: None)
        house = dealt()
        command = c.MarkAbsent(by=c.Staff(Position.DEALER), position=1)
        house.ok("dora", q.Act(table="t1", command=command))
    assert any("time to decide" in problem for problem in problems(house))


# --- what a round would have come to, reckoned by hand --------------------------------------------------------

AK_SUITED = "2s 2d 7c 7d 9c"
"""Two pair for a player with Ah Kh; a dealer with 2c 7h has a full house."""


def hold_em(book: str, own: str, board: str, dealers: str) -> str:
    """The pack from its first card on: the shoes burn a card before each part."""
    a, b = own.split()
    f1, f2, f3, turn, river = board.split()
    if book == "mbs-thb-9":
        return f"{board} {own} {dealers}"
    return f"Qs {a} {b} Qd {f1} {f2} {f3} Qc {turn} Qh {river} {dealers}"


HELD = [
    (("9h 9s", "9c 2d 5h Jc Kd", "Ac 4s"), (), (), -5000),  # trips: Flop 50 to 1, the Ante stands off
    (("9h 8h", "Th 2h 5h Jc Kd", "Ac 4s"), (), (), -7500),  # a flush: Flop and Ante
    (("3c 8d", "Ts 2h 5h Jc Kd", "Ac 4s"), (), (), 2500),  # nothing: folds, and loses the Ante
    (
        ("3c 8d", "Ts 2h 5h Jc Kd", "Ac 4s"),
        (),
        ("p1@1: bet flop",),
        7500,
    ),  # it has bet: Ante and Flop are lost
    (("Ah Kh", AK_SUITED, "2c 7h"), ("bonus",), (), -17500),  # 25 to 1 on 10.00, less Ante and Flop
    (("3c 8d", "Ts 2h 5h Jc Kd", "Ac 4s"), ("bonus",), (), 3500),  # the Bonus goes with the fold
]
"""Own cards, board and dealer's, side bets of 10.00, what is decided before the void, and the house's result."""


@pytest.mark.parametrize("book", ["mbs-thb-9", "hoiana-thb-2025", "rws-thp-2"])
@pytest.mark.parametrize(("cards", "beside", "decided", "house_wins"), HELD)
def test_what_a_void_of_hold_em_would_have_come_to(
    book: str, cards: tuple[str, str, str], beside: tuple[str, ...], decided: tuple[str, ...], house_wins: int
) -> None:
    house = House()
    house.table(book, players=("p1",))
    house.stack(hold_em(book, *cards))
    house.steps("dealer: open bets", "p1@1: wager ante 25", *(f"p1@1: wager {name} 10" for name in beside))
    house.steps("dealer: close bets", "dealer: deal", *decided)
    void(house)
    [note] = events(house, VoidNoted)
    assert note.house == house_wins
    house.step("dealer: new pack")
    house.steps("dealer: open bets")
    assert problems(house) == []


@pytest.mark.parametrize(
    ("own", "dealers", "decided", "house_wins"),
    [
        ("9h 9d 4c", "Qs 7d 2c", (), -6000),  # a pair: Ante, Play and Pair Plus, each even money
        ("9h 9d 4c", "Js 7d 2c", (), -3500),  # the dealer does not qualify: Play goes back
        ("9h 7c 4d", "Qs 8d 2c", (), 3500),  # nothing: folds, Ante and Pair Plus are lost
        ("9h 7c 4d", "Qs 8d 2c", ("p1@1: bet play",), 6000),  # it has played: Ante, Play, Pair Plus are lost
    ],
)
def test_what_a_void_of_three_card_poker_would_have_come_to(
    own: str, dealers: str, decided: tuple[str, ...], house_wins: int
) -> None:
    house = House()
    house.table("mbs-3cp-2023", players=("p1",))
    house.stack(f"{own} {dealers}")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager pair-plus 10")
    house.steps("dealer: close bets", "dealer: deal", *decided)
    void(house)
    [note] = events(house, VoidNoted)
    assert note.house == house_wins


def test_the_jackpot_is_left_out_of_the_figure() -> None:
    """A straight flush of stud: 50 to 1 on the Bet of 50.00 and even money on the Ante, whatever the meter has."""
    house = House()
    house.link()
    house.table("mbs-stud-6", players=("p1",), link="mega")
    house.stack("5h 6h 7h 8h 9h 2s 2d 7c 9c Qs")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.steps("dealer: deal")
    void(house)
    [note] = events(house, VoidNoted)
    assert (note.staked, note.house) == (2500, -2500 - 50 * 5000)
