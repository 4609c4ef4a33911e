"""Readings whose money shows in scripts only: what uses a stake under the minimum up, and what a meter is won on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from pitboss.play.scenario import Played, play_scenario, read_scenario

THB, TCP, STU, RWS = "mbs-thb-9", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"
CENT = 10_000


def played(
    book: str,
    steps: Sequence[str],
    decks: Sequence[str],
    *,
    readings: dict[str, str] | None = None,
    players: Sequence[str] = ("p1", "p2", "p3"),
    **table: Any,
) -> Played:
    """A script that must be played to the letter: no step is refused."""
    document = {
        "rulebook": book,
        "readings": readings or {},
        "table": table,
        "players": dict.fromkeys(players, "10000"),
        "deck": decks[0],
        "decks": list(decks[1:]),
        "steps": list(steps),
    }
    result = play_scenario(read_scenario(json.dumps(document), name="script"))
    for step in result.steps:
        assert step.refusal is None, (step.step, step.refusal)
    return result


# --- R-UNDERMIN-USED: MBS 5.13 --------------------------------------------------------------------------

WINS, LOSES, TIES, FOLDS, AWAY = "wins", "loses", "ties", "folds", "away"
LIMITS = {"ante": ["25", "1000"]}

# Stud, one position: the hand, then the dealer's, who qualifies by ace and king or better.
STUD_DECKS = {
    WINS: "Kd Kc 9s 7h 3d Ah Kh 9c 6s 3h",
    LOSES: "Kd Qc 9s 7h 3d Ah Ad 9c 6s 3h",
    TIES: "Ad Kc Qs Jh 9d Ah Kh Qc Js 9h",
}
STUD_DECKS |= {FOLDS: STUD_DECKS[LOSES], AWAY: STUD_DECKS[LOSES]}
# Three cards: Method A deals the positions, the dealer, the community (its third card burned).
TCP_DECKS = {
    WINS: "Kd Kc 9s Ah Th 8c 2c 4d 6h",
    LOSES: "Kd Qc 9s Ah Ad 8c 2c 4d 6h",
    TIES: "Ad Kc 9s Ah Kh 9c 2c 4d 6h",
}
TCP_DECKS |= {FOLDS: TCP_DECKS[LOSES], AWAY: TCP_DECKS[LOSES]}
# Hold'em, Method A: community, position 1, dealer.
THB_DECKS = {
    WINS: "Kh 9c 5s 2d 7h Ah Kd Qs Qd",
    LOSES: "Kh 9c 5s 2d 7h Qs Qd Ah Kd",
    TIES: "Kh Qc Js Td Ah 2c 3d 2h 3s",
}
THB_DECKS |= {FOLDS: THB_DECKS[LOSES], AWAY: THB_DECKS[LOSES]}
DECKS = {STU: STUD_DECKS, TCP: TCP_DECKS, THB: THB_DECKS}
BET = {STU: "bet bet", TCP: "bet play", THB: "bet flop"}


def one_round(book: str, how: str, *, position: int = 1) -> list[str]:
    steps = ["dealer: open bets", f"p1@{position}: wager ante 10", "dealer: close bets", "dealer: deal"]
    if how == AWAY:
        steps.append(f"dealer: absent {position}")
    elif how == FOLDS:
        steps.append(f"p1@{position}: fold")
    else:
        steps.append(f"p1@{position}: {BET[book]}")
    if how in (WINS, LOSES, TIES):
        if book == THB:
            for place in ("flop", "turn", "river"):
                steps.append(f"dealer: reveal {place}")
                steps += [f"p1@{position}: check"] if place != "river" else []
        steps.append("dealer: reveal dealer")
    return [*steps, "dealer: settle"]


def settled_again(book: str, letter: str, *rounds: str) -> list[bool]:
    """Of each round whether the stake under the minimum was settled, or went back by 5.13."""
    steps = [step for how in rounds for step in one_round(book, how)]
    result = played(
        book, steps, [DECKS[book][how] for how in rounds], readings={"R-UNDERMIN-USED": letter}, limits=LIMITS
    )
    found = []
    for record in result.rounds:
        assert record.settlement is not None
        (seat,) = record.settlement.seats
        found.append(any(line.paid or line.collected for line in seat.lines))
        assert "5.13" in seat.lines[0].clauses
    return found


@pytest.mark.clauses("mbs-thb-9", "5.13")
@pytest.mark.clauses("mbs-3cp-2023", "5.13")
@pytest.mark.clauses("mbs-stud-6", "5.13")
@pytest.mark.parametrize("book", [STU, TCP, THB])
@pytest.mark.parametrize(
    ("letter", "rounds", "settled"),
    [
        ("a", (WINS, WINS, LOSES), (True, False, False)),
        ("a", (LOSES, WINS), (True, False)),
        ("a", (FOLDS, WINS), (True, False)),
        ("a", (TIES, WINS, LOSES), (False, True, False)),
        ("a", (AWAY, LOSES, WINS), (False, True, False)),
        ("b", (TIES, WINS), (False, False)),
        ("b", (AWAY, WINS), (False, False)),
        ("b", (WINS, LOSES), (True, False)),
        ("c", (WINS, WINS, LOSES, LOSES), (True, False, True, False)),
        ("c", (FOLDS, LOSES, TIES, WINS, WINS), (True, False, False, True, False)),
        ("c", (TIES, AWAY, LOSES), (False, False, True)),
    ],
)
def test_what_uses_the_one_time_up(
    book: str, letter: str, rounds: tuple[str, ...], settled: tuple[bool, ...]
) -> None:
    assert settled_again(book, letter, *rounds) == list(settled)


def test_a_void_round_uses_nothing_up() -> None:
    start = ["dealer: open bets", "p1@1: wager ante 10", "dealer: close bets", "dealer: deal"]
    for letter in "abc":
        result = played(
            STU,
            [*start, "dealer: report foreign-card", *one_round(STU, LOSES)],
            [STUD_DECKS[LOSES]] * 2,
            readings={"R-UNDERMIN-USED": letter},
            limits=LIMITS,
        )
        assert result.rounds[0].status == "void"
        assert result.state.racks["p1"] == 1_000_000 - 3_000


@pytest.mark.parametrize(("letter", "left"), [("a", False), ("b", False), ("c", True)])
def test_two_hands_under_the_minimum_in_one_round_are_one_occasion(letter: str, left: bool) -> None:
    """Both are settled; of what the letter counts, the round after has nothing left."""
    steps = [
        "dealer: open bets", "p1@1: wager ante 10", "p1@2: wager ante 10", "dealer: close bets", "dealer: deal",
        "p1@1: bet bet", "p1@2: bet bet", "dealer: reveal dealer", "dealer: settle", *one_round(STU, LOSES),
    ]  # fmt: skip
    both_win = "Kd Kc 9s 7h 3d Qd Qc 8s 7c 3s Ah Kh 9c 6s 3h"
    result = played(
        STU, steps, [both_win, STUD_DECKS[LOSES]], readings={"R-UNDERMIN-USED": letter}, limits=LIMITS
    )
    first, second = (record.settlement for record in result.rounds)
    assert first is not None
    assert second is not None
    assert [seat.net for seat in first.seats] == [3_000, 3_000]
    assert second.seats[0].net == (-3_000 if left else 0)


def test_the_payment_of_a_later_wager_uses_it_up() -> None:
    """Hold'em: the Ante of a pair goes back, the Flop on it is paid."""
    assert settled_again(THB, "a", WINS, WINS) == [True, False]


def test_what_was_undone_was_not_used_up() -> None:
    """5.3: a wrong count after the settlement voids the round, and the warning goes with it."""
    steps = [*one_round(STU, LOSES), "pit-supervisor: report wrong-count dealer reconstructable=no"]
    for letter in "abc":
        result = played(
            STU,
            [*steps, *one_round(STU, LOSES)],
            [STUD_DECKS[LOSES]] * 2,
            readings={"R-UNDERMIN-USED": letter},
            limits=LIMITS,
        )
        assert result.rounds[0].status == "void"
        assert result.state.racks["p1"] == 1_000_000 - 3_000


@pytest.mark.parametrize(
    ("warned", "wins", "net"), [(True, True, 0), ("paid", True, 0), ("paid", False, -30)]
)
def test_settle_is_told_what_was_settled_before(warned: bool | str, wins: bool, net: int) -> None:
    """`pitboss settle` takes `"warned": "paid"` where payment and collection count apart."""
    from support import facts, seat, settled

    hand, dealer = ("Kd Kc 9s 7h 3d", "Ah Kh 9c 6s 3h") if wins else ("Kd Qc 9s 7h 3d", "Ah Ad 9c 6s 3h")
    told = seat(hand, "ante 10 bet 20") | {"warned": warned}
    document = facts(STU, told, dealer=dealer, readings={"R-UNDERMIN-USED": "c"})
    assert settled(document).seats[0].net == net * 100


def test_a_word_of_warning_that_means_nothing_says_what_would() -> None:
    from pitboss.errors import BadInput
    from support import facts, seat, settled

    told = seat("Kd Kc 9s 7h 3d", "ante 10 bet 20") | {"warned": "payed"}
    with pytest.raises(BadInput, match="did you mean 'paid'"):
        settled(facts(STU, told, dealer="Ah Kh 9c 6s 3h", readings={"R-UNDERMIN-USED": "c"}))
    with pytest.raises(BadInput, match="warned"):
        settled(facts(STU, told | {"warned": "paid"}, dealer="Ah Kh 9c 6s 3h"))


# --- R-METER-RETURN and R-CONTRIB: the meter a win is measured on -------------------------------------------

JACKPOT = {"unit": "5", "meter": "300000", "reset": "100000", "increment_bp": 2000}


def round_of_two(book: str) -> list[str]:
    """Two jackpot stakes of 5.00, each putting 1.00 on the meter; the player at 2 is away or leaves."""
    bet = BET.get(book, "bet flop")
    steps = ["dealer: open bets"]
    for n in (1, 2):
        steps += [f"p{n}@{n}: wager ante 25", f"p{n}@{n}: wager jackpot 5"]
    return [*steps, "dealer: close bets", "dealer: deal", f"p1@1: {bet}"]


STUD_ROYAL = "As Ks Qs Js Ts 2c 4d 6h 8c 9d Ah Kd 7c 6s 3h"
STUD_STEEL = "9s Ks Qs Js Ts 2c 4d 6h 8c 9d Ah Kd 7c 6s 3h"
TCP_ROYAL = "As Ks Qs 2c 4d 6h Ah Kd 7c Js Ts 8h"
TCP_STEEL = "9s Ks Qs 2c 4d 6h Ah Kd 7c Js Ts 8h"
THB_ROYAL = "Qs Js Ts 4d 6h As Ks 2c 4c Ah Kd"
THB_STEEL = "Qs Js Ts 4d 6h 9s Ks 2c 4c Ah Kd"
TO_THE_END = {
    STU: ["dealer: reveal dealer"],
    TCP: ["dealer: reveal dealer", "dealer: reveal community"],
    THB: [
        "dealer: reveal flop", "p1@1: check", "dealer: reveal turn", "p1@1: check", "dealer: reveal river",
        "dealer: reveal dealer",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("book", "deck", "readings", "award", "after"),
    [
        # The absent stake put 1.00 on the meter of 300,002.00. A royal takes the meter, which then stands at its reset.
        *((book, deck, {}, "300002.00", "100000.00") for book, deck in
          ((STU, STUD_ROYAL), (TCP, TCP_ROYAL), (THB, THB_ROYAL))),
        *((book, deck, {"R-METER-RETURN": "b"}, "300001.00", "100000.00") for book, deck in
          ((STU, STUD_ROYAL), (TCP, TCP_ROYAL), (THB, THB_ROYAL))),
        # Stakes of a round that wins it whole do not contribute: neither the winner's nor the absent one's.
        *((book, deck, {"R-CONTRIB": "b"}, "300000.00", "100000.00") for book, deck in
          ((STU, STUD_ROYAL), (TCP, TCP_ROYAL), (THB, THB_ROYAL))),
        # A straight flush takes a tenth; what the absent stake had added comes off afterwards, or before.
        *((book, deck, {}, "30000.20", "270000.80") for book, deck in
          ((STU, STUD_STEEL), (TCP, TCP_STEEL), (THB, THB_STEEL))),
        *((book, deck, {"R-METER-RETURN": "b"}, "30000.10", "270000.90") for book, deck in
          ((STU, STUD_STEEL), (TCP, TCP_STEEL), (THB, THB_STEEL))),
        *((book, deck, {"R-CONTRIB": "b"}, "30000.20", "270000.80") for book, deck in
          ((STU, STUD_STEEL), (TCP, TCP_STEEL), (THB, THB_STEEL))),
    ],
)  # fmt: skip
def test_a_stake_that_goes_back_with_the_settlement(
    book: str, deck: str, readings: dict[str, str], award: str, after: str
) -> None:
    steps = [*round_of_two(book), "dealer: absent 2", *TO_THE_END[book], "dealer: settle"]
    result = played(book, steps, [deck], readings=readings, jackpot=JACKPOT)
    assert_won(result, award, after)
    assert result.state.racks["p2"] == 1_000_000


def assert_won(result: Played, award: str, after: str) -> None:
    assert [f"{found.amount / 100:.2f}" for found in result.awards] == [award]
    assert f"{result.state.meter / CENT / 100:.2f}" == after
    first = result.steps[0].state
    before = sum(first.racks.values()) * CENT + first.meter + first.house + first.table_float
    last = result.state
    assert sum(last.racks.values()) * CENT + last.meter + last.house + last.table_float == before


RWS_ROYAL = "Qs Js Ts 4d 6h As Ks 2c 4c Ah Kd"
RWS_STEEL = "Qs Js Ts 4d 6h 9s Ks 2c 4c Ah Kd"
REMOVED = "dealer: report wrong-count 2 reconstructable=no"


@pytest.mark.clauses("rws-thp-2", "1.20", "5.15")
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(
    ("deck", "readings", "before", "after"),
    [
        # Removed before the win is fixed, the stake is out of the meter already; removed after it comes off later.
        (RWS_ROYAL, {}, ("300001.00", "100000.00"), ("300002.00", "100000.00")),
        (RWS_ROYAL, {"R-METER-RETURN": "b"}, ("300001.00", "100000.00"), ("300001.00", "100000.00")),
        (RWS_ROYAL, {"R-CONTRIB": "b"}, ("300000.00", "100000.00"), ("300000.00", "100000.00")),
        (RWS_STEEL, {}, ("30000.10", "270000.90"), ("30000.20", "270000.80")),
        (RWS_STEEL, {"R-METER-RETURN": "b"}, ("30000.10", "270000.90"), ("30000.10", "270000.90")),
        (RWS_STEEL, {"R-CONTRIB": "b"}, ("30000.10", "270000.90"), ("30000.20", "270000.80")),
    ],
)
def test_a_hand_removed_before_or_after_the_win(
    deck: str, readings: dict[str, str], before: tuple[str, str], after: tuple[str, str], moment: str
) -> None:
    steps = [*round_of_two(RWS), "p2@2: bet flop", "dealer: reveal flop"]
    steps += [REMOVED] if moment == "before" else ["p2@2: check"]
    steps += ["p1@1: check", "dealer: reveal turn", "p1@1: check"]
    steps += ["p2@2: check"] if moment == "after" else []
    steps += ["dealer: reveal river", "dealer: reveal dealer", "dealer: settle"]
    steps += [REMOVED.replace("dealer:", "pit-manager:")] if moment == "after" else []
    result = played(RWS, steps, [deck], readings=readings, jackpot=JACKPOT, procedure="shuffler")
    award, meter = before if moment == "before" else after
    assert [f"{found.amount / 100:.2f}" for found in result.awards] == [award]
    assert f"{result.state.meter / CENT / 100:.2f}" == meter
    assert result.state.racks["p2"] == 1_000_000


@pytest.mark.parametrize("readings", [{}, {"R-METER-RETURN": "b"}, {"R-CONTRIB": "b"}])
def test_a_round_won_whole_and_void_in_the_end_leaves_the_meter_as_it_was(readings: dict[str, str]) -> None:
    steps = [*round_of_two(STU), "dealer: absent 2", "dealer: reveal dealer", "dealer: settle"]
    void = "pit-supervisor: report wrong-count dealer reconstructable=no"
    result = played(STU, [*steps, void], [STUD_ROYAL], readings=readings, jackpot=JACKPOT)
    assert result.rounds[-1].status == "void"
    assert f"{result.state.meter / CENT / 100:.2f}" == "300000.00"
    assert dict(result.state.racks) == dict.fromkeys(("p1", "p2", "p3"), 1_000_000)
