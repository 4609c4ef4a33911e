"""Tables of rounds by clause: what each book does with every wager. Money is returned / collected / paid."""

from __future__ import annotations

from typing import Any

import pytest

from support import facts, line, money, net, seat, settled

THB, HOI, TCP, STU, RWS = "mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"

LOW_BOARD = {"community": "Kh 9c 5s 2d 7h", "dealer": "Qs Qd"}
"""Nothing on the board; the dealer has queens."""
JACKPOT_BOARD = {"community": "9h 9c Kd 4h 2c", "dealer": "As Kh"}


def case(name: str, document: dict[str, Any], **lines: str) -> Any:
    """A named round and its lines at position 1: `flop="50.00 0.00 50.00"`."""
    return pytest.param(document, {key.replace("_", "-"): text for key, text in lines.items()}, id=name)


HOLDEM = [
    case("thb 3.10.2 higher below a straight: the Ante stands off",
         facts(THB, seat("Ah Kd", "ante 25 flop 50 turn 25"), **LOW_BOARD),
         ante="25.00 0.00 0.00", flop="50.00 0.00 50.00", turn="25.00 0.00 25.00"),
    case("thb 3.10.2 higher with a straight: the Ante is paid",
         facts(THB, seat("8h 6d", "ante 25 flop 50 river 25"), **LOW_BOARD),
         ante="25.00 0.00 25.00", flop="50.00 0.00 50.00", river="25.00 0.00 25.00"),
    case("thb 3.10.3 lower: all but the jackpot and the Bonus by its table",
         facts(THB, seat("Jh Jd", "ante 25 flop 50 turn 25 river 25 bonus 10"), **LOW_BOARD),
         ante="0.00 25.00 0.00", flop="0.00 50.00 0.00", river="0.00 25.00 0.00", bonus="10.00 0.00 100.00"),
    case("thb 3.9.1 fold: Ante and Bonus lost, jackpot lives",
         facts(THB, seat("9s 9d", "ante 25 bonus 10 jackpot 5", status="folded"), **JACKPOT_BOARD),
         ante="0.00 25.00 0.00", bonus="0.00 10.00 0.00", jackpot="0.00 5.00 2000.00"),
    case("thb 3.10.1 not exposed: lower, no jackpot, though four nines lie there",
         facts(THB, seat("9s 9d", "ante 25 flop 50 jackpot 5", status="declined"), **JACKPOT_BOARD),
         ante="0.00 25.00 0.00", flop="0.00 50.00 0.00", jackpot="0.00 5.00 0.00"),
    case("thb 5.11 away for the Turn: checked, and the hand wins",
         facts(THB, seat("9s 9d", "ante 25 flop 50", status="absent"), **JACKPOT_BOARD),
         ante="25.00 0.00 25.00", flop="50.00 0.00 50.00"),
    case("thb 5.12.2 a lone jackpot stake goes back",
         facts(THB, seat("", "jackpot 15"), **LOW_BOARD), jackpot="15.00 0.00 0.00"),
    case("thb 3.5 a Bonus without an Ante goes back, no hand dealt",
         facts(THB, seat("", "bonus 10"), **LOW_BOARD), bonus="10.00 0.00 0.00"),
    case("thb 5.7 a removed hand gets everything back",
         facts(THB, seat("Ah Kd Qc", "ante 25 flop 50 bonus 10 jackpot 5", status="invalid"),
               community="Kh 9c 5s 2d 7h", dealer="Qs Qd"),
         ante="25.00 0.00 0.00", flop="50.00 0.00 0.00", bonus="10.00 0.00 0.00", jackpot="5.00 0.00 0.00"),
    case("hoi 5.3 and 5.5 lower: Bonus paid all the same",
         facts(HOI, seat("Jh Jd", "ante 20 flop 40 bonus 10"), **LOW_BOARD),
         ante="0.00 20.00 0.00", flop="0.00 40.00 0.00", bonus="10.00 0.00 100.00"),
    case("hoi 5.4 equal: all back but the Bonus, which loses by its table",
         facts(HOI, seat("Qh 3c", "ante 20 flop 40 bonus 10"), community="Ah Kc Qs Jd 9h", dealer="Qd 4d"),
         ante="20.00 0.00 0.00", flop="40.00 0.00 0.00", bonus="0.00 10.00 0.00"),
    case("hoi 5.6 not exposed: everything collected",
         facts(HOI, seat("As Ad", "ante 20 flop 40 bonus 10", status="declined"), **LOW_BOARD),
         ante="0.00 20.00 0.00", flop="0.00 40.00 0.00", bonus="0.00 10.00 0.00"),
    case("hoi 7.11 away for the Flop: Ante and Bonus back",
         facts(HOI, seat("Ac Qc", "ante 20 bonus 10", status="absent"), **LOW_BOARD),
         ante="20.00 0.00 0.00", bonus="10.00 0.00 0.00"),
    case("rws 3.15 equal: all back but jackpot and Bonus",
         facts(RWS, seat("Qh Ac", "ante 25 flop 50 bonus 10 jackpot 5"), community="Kh Kc Kd Ks 9h", dealer="Ad 4d"),
         ante="25.00 0.00 0.00", flop="50.00 0.00 0.00", bonus="10.00 0.00 50.00", jackpot="0.00 5.00 0.00"),
    case("rws 4.3 not revealed nor established: folded, jackpot lost",
         facts(RWS, seat("9s 9d", "ante 25 flop 50 turn 25 bonus 10 jackpot 5", status="declined"), **JACKPOT_BOARD),
         ante="0.00 25.00 0.00", flop="0.00 50.00 0.00", turn="0.00 25.00 0.00", bonus="0.00 10.00 0.00",
         jackpot="0.00 5.00 0.00"),
    case("rws 4.3 established: jackpot paid",
         facts(RWS, seat("9s 9d", "ante 25 flop 50 jackpot 5", status="declined", established=True), **JACKPOT_BOARD),
         flop="0.00 50.00 0.00", jackpot="0.00 5.00 2000.00"),
    case("rws 5.5 walked away before the Flop: folded, jackpot lives",
         facts(RWS, seat("9s 9d", "ante 25 bonus 10 jackpot 5", status="absent"), **JACKPOT_BOARD),
         ante="0.00 25.00 0.00", bonus="0.00 10.00 0.00", jackpot="0.00 5.00 2000.00"),
    case("rws 5.6 walked away with nothing left to decide: settled",
         facts(RWS, seat("9s 9d", "ante 25 flop 50 river 25", status="absent"), **JACKPOT_BOARD),
         ante="25.00 0.00 25.00", flop="50.00 0.00 50.00", river="25.00 0.00 25.00"),
    case("rws 5.4 a jackpot bet without an Ante goes back",
         facts(RWS, seat("", "jackpot 5"), **LOW_BOARD), jackpot="5.00 0.00 0.00"),
    case("rws 3.17 a straight is no jackpot hand",
         facts(RWS, seat("8h 6d", "ante 25 flop 50 jackpot 5"), community="5s 7h 9c Kd 2d", dealer="Qs Qd"),
         ante="25.00 0.00 25.00", jackpot="0.00 5.00 0.00"),
    case("rws 3.4 and 5.1.1 a jackpot bet too large plays the prescribed amount",
         facts(RWS, seat("9s 9d", "ante 25 flop 50 jackpot 8"), **JACKPOT_BOARD), jackpot="3.00 5.00 2000.00"),
    case("rws 3.4 and 5.23 a jackpot bet too small does not play",
         facts(RWS, seat("9s 9d", "ante 25 flop 50 jackpot 3"), **JACKPOT_BOARD), jackpot="3.00 0.00 0.00"),
    case("rws 4.1.1 the Bonus cap bounds the winnings",
         facts(RWS, seat("As Ad", "ante 25 flop 50 bonus 150"), community="Kd 7c 4s 9h 2c", dealer="Ah Ac"),
         bonus="150.00 0.00 100000.00"),
    case("rws 4.1.1 the Bonus cap does not touch what is below it",
         facts(RWS, seat("As Ad", "ante 25 flop 50 bonus 100"), community="Kd 7c 4s 9h 2c", dealer="Ah Ac"),
         bonus="100.00 0.00 100000.00"),
]  # fmt: skip

THREE_CARD = [
    case("tcp 3.11 dealer jack high: Ante paid, Play back, Ante Bonus paid",
         facts(TCP, seat("8h 7d 6c", "ante 25 play 25"), community="Qh 2s", dealer="Jc 8d 4s"),
         ante="25.00 0.00 25.00", play="25.00 0.00 0.00", ante_bonus="0.00 0.00 25.00"),
    case("tcp 3.12.2 and 3.12.4 lower straight: Ante and Play lost, Ante Bonus paid",
         facts(TCP, seat("8h 7d 6c", "ante 25 play 25"), community="Qh 2s", dealer="Jc Td 9s"),
         ante="0.00 25.00 0.00", play="0.00 25.00 0.00", ante_bonus="0.00 0.00 25.00"),
    case("tcp 3.12.3 equal: Ante and Play back, Pair Plus and Ante Bonus paid",
         facts(TCP, seat("8h 7d 6c", "ante 25 play 25 pair-plus 10"), community="Qh 2s", dealer="8c 7s 6d"),
         ante="25.00 0.00 0.00", play="25.00 0.00 0.00", ante_bonus="0.00 0.00 25.00", pair_plus="10.00 0.00 50.00"),
    case("tcp 3.15.3 3-2-A is the lowest straight",
         facts(TCP, seat("3h 2d Ac", "ante 25 play 25"), community="Qh 2s", dealer="4c 3s 2c"),
         ante="0.00 25.00 0.00", play="0.00 25.00 0.00", ante_bonus="0.00 0.00 25.00"),
    case("tcp 4.2 and 4.3 three of a kind",
         facts(TCP, seat("9d 9h 9s", "ante 25 play 25 pair-plus 10"), community="Qh 2s", dealer="Kc 8h 2d"),
         ante="25.00 0.00 25.00", play="25.00 0.00 25.00", ante_bonus="0.00 0.00 100.00",
         pair_plus="10.00 0.00 300.00"),
    case("tcp 4.3 flush below straight: 4 against 5, and no Ante Bonus",
         facts(TCP, seat("9d 5d 2d", "ante 25 play 25 pair-plus 10"), community="Qh 2s", dealer="Qc 8h 3h"),
         ante="25.00 0.00 25.00", pair_plus="10.00 0.00 40.00"),
    case("tcp 1.1.7 a pair pays 1 to 1 on a losing hand",
         facts(TCP, seat("9d 9h 2d", "ante 25 play 25 pair-plus 10"), community="Qh 2s", dealer="Qc Qd 3h"),
         ante="0.00 25.00 0.00", pair_plus="10.00 0.00 10.00"),
    case("tcp 3.10.1 Six Card Bonus: best five of six",
         facts(TCP, seat("9d 8h 2d", "ante 25 play 25 six-card-bonus 10"), community="Qh 2s", dealer="7c 6d 5h"),
         six_card_bonus="10.00 0.00 100.00"),
    case("tcp 4.5 two pairs win no Six Card Bonus",
         facts(TCP, seat("9d 9h 2d", "ante 25 play 25 six-card-bonus 10"), community="Qh 2s", dealer="7c 7d 5h"),
         six_card_bonus="0.00 10.00 0.00"),
    case("tcp 3.9.3 no Ante: Pair Plus and Six Card Bonus stand alone, jackpot with them",
         facts(TCP, seat("9d 9h 9s", "pair-plus 10 six-card-bonus 10 jackpot 5"), community="Qh 2s", dealer="Kc 8h 2d"),
         pair_plus="10.00 0.00 300.00", six_card_bonus="10.00 0.00 70.00", jackpot="0.00 5.00 0.00"),
    case("tcp 5.11 away for the Play: everything back",
         facts(TCP, seat("9d 9h 9s", "ante 25 pair-plus 10 six-card-bonus 10 jackpot 5", status="absent"),
               community="Qh 2s", dealer="Kc 8h 2d"),
         ante="25.00 0.00 0.00", pair_plus="10.00 0.00 0.00", six_card_bonus="10.00 0.00 0.00",
         jackpot="5.00 0.00 0.00"),
    case("tcp 5.11 away without an Ante: settled, nothing was his to decide",
         facts(TCP, seat("9d 9h 9s", "pair-plus 10", status="absent"), community="Qh 2s", dealer="Kc 8h 2d"),
         pair_plus="10.00 0.00 300.00"),
    case("tcp 3.10.3 not exposed, dealer does not qualify: side wagers lost",
         facts(TCP, seat("9d 9h 9s", "ante 25 play 25 pair-plus 10 six-card-bonus 10 jackpot 5", status="declined"),
               community="9c 4s", dealer="Jc 8h 2d"),
         ante="25.00 0.00 25.00", play="25.00 0.00 0.00", pair_plus="0.00 10.00 0.00",
         six_card_bonus="0.00 10.00 0.00", jackpot="0.00 5.00 0.00"),
    case("tcp 5.12.2 a lone jackpot stake goes back",
         facts(TCP, seat("", "jackpot 25"), community="9c 4s", dealer="Jc 8h 2d"), jackpot="25.00 0.00 0.00"),
]  # fmt: skip

STUD = [
    case("stu 3.10.2 no hand: Bet back, Ante paid",
         facts(STU, seat("Js 8d 5c 4h 2s", "ante 25 bet 50"), dealer="Ah Qd 9c 6s 3h"),
         ante="25.00 0.00 25.00", bet="50.00 0.00 0.00"),
    *(
        case(f"stu 4.1.2 {name} pays {odds}",
             facts(STU, seat(cards, "ante 25 bet 50"), dealer="Ah Kd 9c 6s 3h"),
             ante="25.00 0.00 25.00", bet=f"50.00 0.00 {50 * odds}.00")
        for name, cards, odds in (
            ("royal flush", "As Ks Qs Js Ts", 250), ("straight flush", "Ks Qs Js Ts 9s", 50),
            ("four of a kind", "8s 8h 8d 8c 2s", 20), ("full house", "8s 8h 8d 2c 2s", 7),
            ("flush", "Js 8s 5s 4s 2s", 5), ("straight", "8s 7h 6d 5c 4s", 4),
            ("three of a kind", "8s 8h 8d 5c 4s", 3), ("two pairs", "8s 8h 5d 5c 4s", 2),
            ("one pair", "8s 8h 7d 5c 4s", 1), ("higher odd cards", "Ac Ks Qd 5c 4s", 1),
        )
    ),
    case("stu 3.10.3.2 lower: Ante and Bet lost",
         facts(STU, seat("8s 8h 7d 5c 4s", "ante 25 bet 50"), dealer="9h 9d 2c 6s 3h"),
         ante="0.00 25.00 0.00", bet="0.00 50.00 0.00"),
    case("stu 3.9.1 fold: Ante lost, jackpot lives",
         facts(STU, seat("8s 8h 8d 2c 2s", "ante 25 jackpot 5", status="folded"), dealer="Ah Qd 9c 6s 3h"),
         ante="0.00 25.00 0.00", jackpot="0.00 5.00 200.00"),
    case("stu 5.11 away: Ante and jackpot back",
         facts(STU, seat("8s 8h 8d 2c 2s", "ante 25 jackpot 5", status="absent"), dealer="Ah Qd 9c 6s 3h"),
         ante="25.00 0.00 0.00", jackpot="5.00 0.00 0.00"),
    case("stu 4.2 a straight wins no jackpot",
         facts(STU, seat("8s 7h 6d 5c 4s", "ante 25 bet 50 jackpot 5"), dealer="Ah Kd 9c 6s 3h"),
         jackpot="0.00 5.00 0.00"),
]  # fmt: skip

LIMITS = [
    case("thb 5.13 under the minimum: settled once",
         facts(THB, seat("Ah Kd", "ante 20 flop 40"), **LOW_BOARD), ante="20.00 0.00 0.00", flop="40.00 0.00 40.00"),
    case("thb 5.13 under the minimum after a warning: the hand goes back, and what hangs on it",
         facts(THB, seat("Jh Jd", "ante 20 flop 40 bonus 10 jackpot 5", warned=True), **LOW_BOARD),
         ante="20.00 0.00 0.00", flop="40.00 0.00 0.00", bonus="10.00 0.00 0.00", jackpot="5.00 0.00 0.00"),
    case("thb 5.13 a Bonus under the minimum after a warning goes back alone",
         facts(THB, seat("Jh Jd", "ante 25 flop 50 bonus 4", warned=True), **LOW_BOARD),
         ante="0.00 25.00 0.00", flop="0.00 50.00 0.00", bonus="4.00 0.00 0.00"),
    case("thb 5.13 irrespective of outcome: a folded one goes back too",
         facts(THB, seat("Jh Jd", "ante 20", status="folded", warned=True), **LOW_BOARD), ante="20.00 0.00 0.00"),
    case("thb 5.14 over the maximum, won: paid to the maximum",
         facts(THB, seat("8h 6d", "ante 1500 flop 3000 turn 1500"), **LOW_BOARD),
         ante="1500.00 0.00 1000.00", flop="3000.00 0.00 2000.00", turn="1500.00 0.00 1000.00"),
    case("thb 5.14 over the maximum, lost: collected to the maximum",
         facts(THB, seat("Jh Jd", "ante 1500 flop 3000 bonus 600"), **LOW_BOARD),
         ante="500.00 1000.00 0.00", flop="1000.00 2000.00 0.00", bonus="600.00 0.00 5000.00"),
    case("thb 5.14 over the maximum, folded: collected to the maximum",
         facts(THB, seat("Jh Jd", "ante 1500 bonus 600", status="folded"), **LOW_BOARD),
         ante="500.00 1000.00 0.00", bonus="100.00 500.00 0.00"),
    case("thb 3.9.2 and 6.1 a Flop too large: the excess back unpaid",
         facts(THB, seat("Ah Kd", "ante 25 flop 60 turn 20"), **LOW_BOARD),
         flop="60.00 0.00 50.00", turn="20.00 0.00 20.00"),
    case("thb 3.9.2 and 6.1 a Flop too large, lost",
         facts(THB, seat("Jh Jd", "ante 25 flop 60 turn 20"), **LOW_BOARD),
         flop="10.00 50.00 0.00", turn="0.00 20.00 0.00"),
    case("hoi 7.10 under the minimum: settled as it lies, warned or not",
         facts(HOI, seat("Jh Jd", "ante 5 flop 10", warned=True), **LOW_BOARD),
         ante="0.00 5.00 0.00", flop="0.00 10.00 0.00"),
    case("hoi 7.10 over the maximum: the excess returned",
         facts(HOI, seat("8h 6d", "ante 600 flop 1200 bonus 200"), **LOW_BOARD),
         ante="600.00 0.00 500.00", flop="1200.00 0.00 1000.00", bonus="100.00 100.00 0.00"),
    case("rws 5.1.1 over the maximum: won and lost on the maximum",
         facts(RWS, seat("Jh Jd", "ante 1500 flop 3000 bonus 600"), **LOW_BOARD),
         ante="500.00 1000.00 0.00", flop="1000.00 2000.00 0.00", bonus="600.00 0.00 5000.00"),
    case("rws 5.2.1 under the minimum: won and lost as it lies",
         facts(RWS, seat("Jh Jd", "ante 20 flop 40", warned=True), **LOW_BOARD),
         ante="0.00 20.00 0.00", flop="0.00 40.00 0.00"),
    case("rws 5.3.1 and 5.3.2 wrong-sized Flop, Turn and River",
         facts(RWS, seat("Ah Kd", "ante 50 flop 120 turn 40 river 55"), **LOW_BOARD),
         flop="120.00 0.00 100.00", turn="40.00 0.00 40.00", river="55.00 0.00 50.00"),
    case("tcp 5.14 the Ante Bonus is paid on the Ante up to its maximum",
         facts(TCP, seat("9d 9h 9s", "ante 1200 play 1200 pair-plus 600"), community="Qh 2s", dealer="Kc 8h 2d"),
         ante="1200.00 0.00 1000.00", play="1200.00 0.00 1000.00", ante_bonus="0.00 0.00 4000.00",
         pair_plus="600.00 0.00 15000.00"),
    case("tcp 5.13 a returned Ante takes the Play along, not the Pair Plus nor the jackpot that stands on it",
         facts(TCP, seat("9d 9h 9s", "ante 20 play 20 pair-plus 10 jackpot 5", warned=True),
               community="9c 2s", dealer="Kc 8h 2d"),
         ante="20.00 0.00 0.00", play="20.00 0.00 0.00", pair_plus="10.00 0.00 300.00", jackpot="0.00 5.00 2000.00"),
    case("stu 3.9.2 and 6.1 a Bet too large earns nothing on the excess",
         facts(STU, seat("As Ks Qs Js Ts", "ante 25 bet 60"), dealer="Ah Kd 9c 6s 3h"), bet="60.00 0.00 12500.00"),
    case("stu 5.14 the Bet's maximum is twice the Ante's",
         facts(STU, seat("8s 8h 5d 5c 4s", "ante 1500 bet 3000"), dealer="Ah Kd 9c 6s 3h"),
         ante="1500.00 0.00 1000.00", bet="3000.00 0.00 4000.00"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "lines"), [*HOLDEM, *THREE_CARD, *STUD, *LIMITS])
def test_round(document: dict[str, Any], lines: dict[str, str]) -> None:
    result = settled(document)
    assert {wager: " ".join(money(result, wager)) for wager in lines} == lines


def wagers_of(document: dict[str, Any]) -> list[str]:
    return [found.wager for found in settled(document).seats[0].lines]


def test_lines_stand_in_the_order_of_the_layout() -> None:
    stakes = "jackpot 5 bonus 10 river 25 turn 25 flop 50 ante 25"
    assert wagers_of(facts(THB, seat("Ah Kd", stakes), **LOW_BOARD)) == [
        "ante", "flop", "turn", "river", "bonus", "jackpot",
    ]  # fmt: skip
    stakes = "jackpot 5 six-card-bonus 10 pair-plus 10 play 25 ante 25"
    document = facts(TCP, seat("9d 9h 9s", stakes), community="Qh 2s", dealer="Kc 8h 2d")
    assert wagers_of(document) == ["ante", "play", "ante-bonus", "pair-plus", "six-card-bonus", "jackpot"]


def test_a_wager_without_a_stake_has_no_line() -> None:
    assert wagers_of(facts(THB, seat("Ah Kd", "ante 25 flop 50 bonus 0"), **LOW_BOARD)) == ["ante", "flop"]


@pytest.mark.parametrize(
    ("document", "wager", "clauses"),
    [
        (facts(THB, seat("Ah Kd", "ante 25 flop 50"), **LOW_BOARD), "flop", {"3.10.2", "3.12.3", "4.1.1/main"}),
        (facts(THB, seat("Ah Kd", "ante 1500 flop 3000"), **LOW_BOARD), "flop", {"5.14"}),
        (facts(THB, seat("Ah Kd", "ante 20 flop 40"), **LOW_BOARD), "ante", {"5.13"}),
        (facts(THB, seat("Ah Kd", "ante 25 flop 60"), **LOW_BOARD), "flop", {"3.9.2", "6.1"}),
        (facts(THB, seat("", "jackpot 5"), **LOW_BOARD), "jackpot", {"5.12.2"}),
        (facts(HOI, seat("Ah Kd", "ante 20 flop 50"), **LOW_BOARD), "flop", {"5.2", "7.10.1.i"}),
        (facts(HOI, seat("Ah Kd", "ante 20 flop 30"), **LOW_BOARD), "flop", {"5.2", "7.10.1.ii"}),
        (facts(RWS, seat("Ah Kd", "ante 25 flop 50", status="absent"), **LOW_BOARD), "flop", {"5.5"}),
        (facts(RWS, seat("Ah Kd", "ante 25 flop 50 river 25", status="absent"), **LOW_BOARD), "flop", {"5.6", "3.13"}),
        (facts(HOI, seat("Ah Kd", "ante 20 flop 40"), void="7.5", **LOW_BOARD), "flop", {"7.5", "7.12", "2.2.23"}),
        (facts(RWS, seat("Ah Kd", "ante 25 flop 50"), void="5.8.1", **LOW_BOARD), "flop", {"5.8.1", "5.21"}),
        (facts(THB, seat("Ah Kd", "ante 25 flop 50"), void="5.4", **LOW_BOARD), "ante", {"5.4"}),
        (facts(THB, seat("Ac 9d", "ante 25 flop 50"), community="2h 3s 4d 5c Kh", dealer="6c Jd"), "flop",
         {"3.10.3", "3.12.4"}),
    ],
)  # fmt: skip
def test_the_line_cites_what_decided_it(document: dict[str, Any], wager: str, clauses: set[str]) -> None:
    assert clauses <= set(line(settled(document), wager).clauses)


def test_a_hand_not_shown_has_no_words() -> None:
    shown = settled(facts(THB, seat("Ah Kd", "ante 25 flop 50"), **LOW_BOARD))
    assert shown.seats[0].hand == "one pair, kings, ace-nine-seven high"
    for status, stakes in (("folded", "ante 25"), ("declined", "ante 25 flop 50"), ("absent", "ante 25")):
        hidden = settled(facts(THB, seat("Ah Kd", stakes, status=status), **LOW_BOARD))
        assert hidden.seats[0].hand is None
    read = settled(facts(THB, seat("Ah Kd", "ante 25 jackpot 5", status="folded"), **LOW_BOARD))
    assert read.seats[0].hand == "one pair, kings, ace-nine-five high"


def test_a_folded_round_needs_only_the_cards_that_live_wagers_are_settled_on() -> None:
    """R-ALLFOLD: the flop for a live jackpot, nothing without one."""
    lives = facts(THB, seat("9s 9d", "ante 25 jackpot 5", status="folded"), community="9h 9c Kd")
    assert net(settled(lives)) == "1970.00"
    assert net(settled(facts(THB, seat("9s 9d", "ante 25", status="folded")))) == "-25.00"


def test_a_void_round_takes_cards_as_far_as_they_were_dealt() -> None:
    document = facts(THB, seat("9s", "ante 25 jackpot 5"), void="5.1.1")
    del document["community"], document["dealer"]
    assert net(settled(document)) == "0.00"
    surplus = facts(
        THB, seat("9s 9d 9c", "ante 25"), void="5.3", community="2c 3c 4c 5c 6c 7c", dealer="As Ad Ac"
    )
    assert net(settled(surplus)) == "0.00"
