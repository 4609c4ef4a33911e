"""Every reading that has letters: what each letter does to the money, in every book that has it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from pitboss.cards import HandClass
from pitboss.money import Cents, LedgerUnits
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.sharing import Claim, award_meter
from support import BOOKS, facts, line, money, net, seat, settled

THB, HOI, TCP, STU, RWS = "mbs-thb-9", "hoiana-thb-2025", "mbs-3cp-2023", "mbs-stud-6", "rws-thp-2"


class Case(NamedTuple):
    """A round, the wager that is argued about, and its returned, collected and paid under each letter."""

    label: str
    book: str
    document: dict[str, Any]
    wager: str
    outcomes: dict[str, tuple[str, str, str]]


# A flush each on three hearts, the player's higher.
FLUSHES = {"community": "Qh 9h 3h 6c 7d", "dealer": "Kh 2h"}
STRAIGHTS = {"community": "9h 8c 7d 2s 3h", "dealer": "6c 5d"}
TWO_STEEL = {"community": "7s 8s 9s 2h 3d", "dealer": "Kd Kc"}

BONUS_LOSES = facts(
    THB, seat("Kh Kd", "ante 25 flop 50 bonus 25"), community="4h 9s Jc 2d 7h", dealer="4c 4d"
)
BONUS_TIES = facts(THB, seat("As Ad", "ante 25 flop 50 bonus 25"), community="Kd 7c 4s 9h 2c", dealer="Ah Ac")
THB_REFUSES = facts(
    THB,
    seat("Kh Kd", "ante 25 flop 50 bonus 10", status="declined"),
    community="4h 9s Jc 2d 7h",
    dealer="4c 4d",
)
THB_AWAY = facts(
    THB, seat("Kh Kd", "ante 25 bonus 10", status="absent"), community="4h 9s Jc 2d 7h", dealer="4c 4d"
)
TCP_REFUSES = facts(
    TCP,
    seat("9d 9h 9s", "ante 25 play 25 pair-plus 10", status="declined"),
    community="9c 4s",
    dealer="Kc 8h 2d",
)
TCP_REFUSES_NOQUAL = facts(
    TCP, seat("9d 9h 9s", "ante 25 play 25", status="declined"), community="9c 4s", dealer="Jc 8h 2d"
)
STU_REFUSES_NOQUAL = facts(
    STU, seat("Kd Kc Ks 7h 7d", "ante 25 bet 50", status="declined"), dealer="Ah Qd 9c 6s 3h"
)
RWS_PROVES = facts(
    RWS,
    seat("4c 4d", "ante 25 flop 50 bonus 10 jackpot 5", status="declined", established=True),
    community="4h 4s Jc 2d 7h",
    dealer="Kc Kd",
)
RWS_WALKS = facts(
    RWS,
    seat("Jc Jd", "ante 50 flop 100 bonus 10", status="absent"),
    community="Jh 5c 5d 2h 8s",
    dealer="Kc Qs",
)
TCP_DEALER_FIVES = facts(TCP, seat("Kc Kh 4d", "ante 50 play 50"), community="As 2c", dealer="5c 5h 9d")
TCP_DEALER_WHEEL = facts(TCP, seat("Kc Kh 4d", "ante 50 play 50"), community="9s Tc", dealer="3c 2h Ad")
STU_DEALER_TWOS = facts(STU, seat("Kd Kc 9s 7h 3d", "ante 25 bet 50"), dealer="2h 2d 9c 6s 3h")
QUADS_5X = facts(THB, seat("9s 9d", "ante 25 flop 50 jackpot 25"), community="9h 9c Kd 4h 2c", dealer="As Kh")
TCP_QUADS_5X = facts(
    TCP, seat("9s 9d 9c", "ante 25 play 25 jackpot 25"), community="9h Kd", dealer="As Kh 2c"
)
STU_QUADS = facts(STU, seat("9s 9d 9c 9h 2d", "ante 25 bet 50 jackpot 5"), dealer="As Kh 2c 3c 4c")
RWS_QUADS = facts(RWS, seat("9s 9d", "ante 25 flop 50 jackpot 5"), community="9h 9c Kd 4h 2c", dealer="As Kh")
THB_TWO_STEEL = facts(
    THB,
    seat("5s 6s", "ante 25 flop 50 jackpot 5"),
    seat("Ts Js", "ante 25 flop 50 jackpot 25", position=4),
    **TWO_STEEL,
)
TCP_TWO_STEEL = facts(
    TCP,
    seat("4c 5c 6c", "ante 25 play 25 jackpot 5"),
    seat("9c Tc Jc", "ante 25 play 25 jackpot 5", position=2),
    community="7c 8c",
    dealer="Ah Kd 3s",
)
STU_TWO_STEEL = facts(
    STU,
    seat("4c 5c 6c 7c 8c", "ante 25 bet 50 jackpot 5"),
    seat("4h 5h 6h 7h 8h", "ante 25 bet 50 jackpot 5", position=2),
    dealer="Ah Kd 3s 2c 9d",
)
THB_ROYAL_AFTER = facts(
    THB,
    seat("As Ks", "ante 25 flop 50 jackpot 5"),
    seat("8s 9s", "ante 25 flop 50 jackpot 5", position=4),
    community="Ts Js Qs 4h 2c",
    dealer="6c 6d",
    meter="500000.00",
)
TCP_ROYAL_AFTER = facts(
    TCP,
    seat("As Ks Qs", "ante 25 play 25 jackpot 5"),
    seat("7s 8s 9s", "ante 25 play 25 jackpot 5", position=4),
    community="Ts Js",
    dealer="6c 6d 2h",
    meter="500000.00",
)
STU_ROYAL_AFTER = facts(
    STU,
    seat("As Ks Qs Js Ts", "ante 25 bet 50 jackpot 5"),
    seat("5h 6h 7h 8h 9h", "ante 25 bet 50 jackpot 5", position=4),
    dealer="Ac Kd 6d 2h 3c",
    meter="500000.00",
)
RWS_TWO_STEEL = facts(
    RWS,
    seat("Td Jd", "ante 50 flop 100 jackpot 5"),
    seat("5d 6d", "ante 50 flop 100 jackpot 5", position=3),
    community="7d 8d 9d 2s 3h",
    dealer="Ac Kc",
)
RWS_CAPPED = facts(
    RWS, seat("As Ad", "ante 50 flop 100 bonus 200"), community="Kd 7c 4s 9h 2c", dealer="Ah Ac"
)
TCP_STEEL_WHEEL = facts(
    TCP,
    seat("5c 4c 3c", "ante 25 play 25 jackpot 5"),
    community="2c Ac",
    dealer="Kh 9d 2s",
    meter="250000.00",
)
TCP_SIX_STEEL = facts(
    TCP, seat("5c 4c 3c", "ante 25 play 25 six-card-bonus 10"), community="9c 8d", dealer="2c Ac 9s"
)
RWS_STEEL_WHEEL = facts(
    RWS,
    seat("5c 4c", "ante 25 flop 50 jackpot 5"),
    community="3c 2c Ac 9d 9h",
    dealer="Kh Qd",
    meter="250000.00",
)
HOI_REFUSES = facts(
    HOI,
    seat("Kh Kd", "ante 20 flop 40 bonus 10", status="declined"),
    community="4h 9s Jc 2d 7h",
    dealer="4c 4d",
)
DRY = {"community": "Kh 9s 7c 5d 2s", "dealer": "Qc Jd"}
YOUNG = {"jackpot": {"meter": "100000", "reset": "100000", "unit": "5"}}
FRACTION = "300000.37"
STEEL = {"community": "7s 8s 9s 2h 3d", "dealer": "Kd Kc", "meter": FRACTION}
THB_STEEL = facts(THB, seat("5s 6s", "ante 25 flop 50 jackpot 5"), **STEEL)
RWS_STEEL = facts(RWS, seat("5s 6s", "ante 25 flop 50 jackpot 5"), **STEEL)
TCP_STEEL = facts(
    TCP, seat("4c 5c 6c", "ante 25 play 25 jackpot 5"), community="7c 8c", dealer="Ah Kd 3s", meter=FRACTION
)
STU_STEEL = facts(
    STU, seat("4c 5c 6c 7c 8c", "ante 25 bet 50 jackpot 5"), dealer="Ah Kd 3s 2c 9d", meter=FRACTION
)
STU_ROYAL_AND_QUADS = facts(
    STU,
    seat("As Ks Qs Js Ts", "ante 25 bet 50 jackpot 5"),
    seat("9s 9d 9c 9h 2d", "ante 25 bet 50 jackpot 5", position=2),
    dealer="Ac Kd 6d 2h 3c",
)
ROYAL_BOARD = {"community": "Ts Js Qs 4h 2c", "dealer": "6c 6d"}
THB_ROYAL_AND_FLUSH = facts(
    THB,
    seat("As Ks", "ante 25 flop 50 jackpot 5"),
    seat("3s 2s", "ante 25 flop 50 jackpot 5", position=4),
    **ROYAL_BOARD,
)
TCP_ROYAL_AND_FLUSH = facts(
    TCP,
    seat("As Ks Qs", "ante 25 play 25 jackpot 5"),
    seat("2s 5s 9s", "ante 25 play 25 jackpot 5", position=4),
    community="Ts Js",
    dealer="6c 6d 2h",
)
RWS_ROYAL_AFTER_FLUSH = facts(
    RWS,
    seat("3s 2s", "ante 25 flop 50 jackpot 5", position=4),
    seat("As Ks", "ante 25 flop 50 jackpot 5"),
    **ROYAL_BOARD,
)
RWS_ROYAL_BEFORE_FLUSH = facts(
    RWS,
    seat("As Ks", "ante 25 flop 50 jackpot 5"),
    seat("3s 2s", "ante 25 flop 50 jackpot 5", position=4),
    **ROYAL_BOARD,
)
RWS_SECOND_STEEL = facts(
    RWS,
    seat("5d 6d", "ante 50 flop 100 jackpot 5", position=3),
    seat("Td Jd", "ante 50 flop 100 jackpot 5"),
    community="7d 8d 9d 2s 3h",
    dealer="Ac Kc",
)
THB_SHORT = facts(THB, seat("Ah Ad", "ante 25 flop 30 turn 25 bonus 5"), **DRY)
THB_SHORT_TURN = facts(THB, seat("Ah Ad", "ante 25 flop 50 turn 20"), **DRY)
TCP_SHORT = facts(TCP, seat("Ah Ad 2c", "ante 25 play 20 pair-plus 5"), community="8s 9c", dealer="Kc 8h 2d")
STU_SHORT = facts(STU, seat("Kd Kc 9s 7h 3d", "ante 25 bet 40"), dealer="Ah Kh 9c 6s 3h")
TCP_AWAY_NO_ANTE = facts(
    TCP,
    seat("Ah Ad 2c", "pair-plus 10 jackpot 5", status="absent"),
    community="8s 9c",
    dealer="Kc 8h 2d",
)
TCP_AWAY = facts(
    TCP, seat("Ah Ad 2c", "ante 25 pair-plus 10", status="absent"), community="8s 9c", dealer="Kc 8h 2d"
)
TCP_FOLDS_STRAIGHT = facts(
    TCP, seat("9d 8h 7s", "ante 25", status="folded"), community="9c 4s", dealer="Kc 8c 2d"
)

CASES = [
    Case("R-QUALIFY-3CP", TCP, TCP_DEALER_FIVES, "play",
         {"a": ("50.00", "0.00", "0.00"), "b": ("50.00", "0.00", "50.00"), "c": ("50.00", "0.00", "0.00")}),
    Case("R-QUALIFY-3CP", TCP, TCP_DEALER_WHEEL, "play",
         {"a": ("0.00", "50.00", "0.00"), "b": ("0.00", "50.00", "0.00"), "c": ("50.00", "0.00", "0.00")}),
    Case("R-QUALIFY-STUD", STU, STU_DEALER_TWOS, "bet",
         {"a": ("50.00", "0.00", "0.00"), "b": ("50.00", "0.00", "50.00")}),
    Case("R-TIEBREAK", HOI, facts(HOI, seat("Ah 4h", "ante 20 flop 40"), **FLUSHES), "flop",
         {"a": ("40.00", "0.00", "0.00"), "b": ("40.00", "0.00", "40.00")}),
    Case("R-TIEBREAK", RWS, facts(RWS, seat("Ah 4h", "ante 25 flop 50"), **FLUSHES), "flop",
         {"a": ("50.00", "0.00", "0.00"), "b": ("50.00", "0.00", "50.00")}),
    Case("R-TIEBREAK", HOI, facts(HOI, seat("Jh Tc", "ante 20 flop 40"), **STRAIGHTS), "flop",
         {"a": ("40.00", "0.00", "0.00"), "b": ("40.00", "0.00", "40.00")}),
    # 3.1.3.a to 3.1.3.c compare straights, one pair and odd cards under either letter, the low ace of 3.1.1 too.
    *(
        Case("R-TIEBREAK", RWS, facts(RWS, seat(cards, "ante 25 flop 50"), community=board, dealer=dealer), "flop",
             dict.fromkeys("ab", ("50.00", "0.00", "50.00")))
        for cards, board, dealer in (
            ("Jh Tc", "9h 8c 7d 2s 3h", "6c 5d"),
            ("6h Kc", "5c 4d 3h 2s Jd", "Ac Kd"),
            ("5h Kc", "5c 9d 7h 3s 2d", "5d Qc"),
            ("Ah Jc", "Kc 9d 7h 5s 2d", "Ad Tc"),
        )
    ),
    # No example reaches the other classes: straight flush, four of a kind, full house, flush, three of a kind, two pairs.
    *(
        Case("R-TIEBREAK", RWS, facts(RWS, seat(cards, "ante 25 flop 50"), community=board, dealer=dealer), "flop",
             {"a": ("50.00", "0.00", "0.00"), "b": ("50.00", "0.00", "50.00")})
        for cards, board, dealer in (
            ("6h 9c", "5h 4h 3h 2h Jd", "Ah Kd"),
            ("Ah Jc", "9c 9d 9h 9s 2d", "Kd Tc"),
            ("7c 7s", "Kh Ks Kc 4h 2d", "5d 5s"),
            ("9c Ah", "9d 9h 7h 3s 2d", "9s Kc"),
            ("Kh 7c", "Kc 7d 9h 9s 2d", "Qs Qd"),
        )
    ),
    Case("R-FULLHOUSE", THB, facts(THB, seat("Kc 7s", "ante 25 flop 50"), community="Kh Ks 7c 5h 2d", dealer="Kd 5s"),
         "flop", {"a": ("50.00", "0.00", "0.00"), "b": ("50.00", "0.00", "50.00")}),
    Case("R-FULLHOUSE", HOI, facts(HOI, seat("Kc 7s", "ante 20 flop 40"), community="Kh Ks 7c 5h 2d", dealer="Kd 5s"),
         "flop", {"a": ("40.00", "0.00", "0.00"), "b": ("40.00", "0.00", "40.00")}),
    # The three on the board: the pairs decide, whichever way the rest is read.
    Case("R-FULLHOUSE", THB, facts(THB, seat("7c 7s", "ante 25 flop 50"), community="Kh Ks Kc 4h 2d", dealer="5d 5s"),
         "flop", {"a": ("50.00", "0.00", "50.00"), "b": ("50.00", "0.00", "50.00")}),
    Case("R-STEELWHEEL", TCP, TCP_STEEL_WHEEL, "jackpot",
         {"a": ("0.00", "5.00", "200.00"), "b": ("0.00", "5.00", "25000.00")}),
    Case("R-STEELWHEEL", TCP, TCP_SIX_STEEL, "six-card-bonus",
         {"a": ("10.00", "0.00", "150.00"), "b": ("10.00", "0.00", "1000.00")}),
    Case("R-STEELWHEEL", RWS, RWS_STEEL_WHEEL, "jackpot",
         {"a": ("0.00", "5.00", "100.00"), "b": ("0.00", "5.00", "25000.00")}),
    Case("R-BONUS-LOSE", THB, BONUS_LOSES, "bonus",
         {"a": ("0.00", "25.00", "0.00"), "b": ("25.00", "0.00", "250.00")}),
    Case("R-BONUS-TIE", THB, BONUS_TIES, "bonus",
         {"a": ("25.00", "0.00", "0.00"), "b": ("25.00", "0.00", "25000.00")}),
    Case("R-REFUSE-SIDE", THB, THB_REFUSES, "bonus",
         {"a": ("0.00", "10.00", "0.00"), "b": ("10.00", "0.00", "100.00"), "c": ("10.00", "0.00", "0.00")}),
    Case("R-REFUSE-SIDE", TCP, TCP_REFUSES, "pair-plus",
         {"a": ("0.00", "10.00", "0.00"), "b": ("10.00", "0.00", "300.00"), "c": ("10.00", "0.00", "0.00")}),
    Case("R-REFUSE-SIDE", HOI, HOI_REFUSES, "bonus", {"a": ("0.00", "10.00", "0.00")}),
    Case("R-REFUSE-SIDE", RWS, RWS_PROVES, "bonus", {"a": ("0.00", "10.00", "0.00")}),
    Case("R-REFUSE-NOQUAL", TCP, TCP_REFUSES_NOQUAL, "ante",
         {"a": ("0.00", "25.00", "0.00"), "b": ("25.00", "0.00", "25.00")}),
    Case("R-REFUSE-NOQUAL", TCP, TCP_REFUSES_NOQUAL, "play",
         {"a": ("0.00", "25.00", "0.00"), "b": ("25.00", "0.00", "0.00")}),
    Case("R-REFUSE-NOQUAL", STU, STU_REFUSES_NOQUAL, "ante",
         {"a": ("0.00", "25.00", "0.00"), "b": ("25.00", "0.00", "25.00")}),
    Case("R-REFUSE-NOQUAL", STU, STU_REFUSES_NOQUAL, "bet",
         {"a": ("0.00", "50.00", "0.00"), "b": ("50.00", "0.00", "0.00")}),
    Case("R-RWS-PROVE", RWS, RWS_PROVES, "bonus",
         {"a": ("0.00", "10.00", "0.00"), "b": ("10.00", "0.00", "30.00")}),
    Case("R-RWS-PROVE", RWS, RWS_PROVES, "jackpot",
         {"a": ("0.00", "5.00", "2000.00"), "b": ("0.00", "5.00", "2000.00")}),
    Case("R-RWS-FOLDLATE", RWS, RWS_PROVES, "flop",
         {"a": ("0.00", "50.00", "0.00"), "b": ("50.00", "0.00", "0.00")}),
    Case("R-RWS-FOLDLATE", RWS, RWS_WALKS, "flop",
         {"a": ("0.00", "100.00", "0.00"), "b": ("100.00", "0.00", "0.00")}),
    Case("R-ABSENT-BONUS", THB, THB_AWAY, "bonus",
         {"a": ("10.00", "0.00", "0.00"), "b": ("0.00", "10.00", "0.00"), "c": ("10.00", "0.00", "100.00")}),
    Case("R-CAP", RWS, RWS_CAPPED, "bonus",
         {"a": ("200.00", "0.00", "100000.00"), "b": ("200.00", "0.00", "99800.00"),
          "c": ("200.00", "0.00", "100000.00")}),
    Case("R-FOR1", THB, QUADS_5X, "jackpot",
         {"a": ("0.00", "25.00", "10000.00"), "b": ("25.00", "0.00", "10000.00")}),
    Case("R-FOR1", TCP, TCP_QUADS_5X, "jackpot",
         {"a": ("0.00", "25.00", "10000.00"), "b": ("25.00", "0.00", "10000.00")}),
    # Fixed amounts are no odds "for 1": the letter changes nothing.
    Case("R-FOR1", STU, STU_QUADS, "jackpot",
         {"a": ("0.00", "5.00", "2000.00"), "b": ("0.00", "5.00", "2000.00")}),
    Case("R-FOR1", RWS, RWS_QUADS, "jackpot",
         {"a": ("0.00", "5.00", "2000.00"), "b": ("0.00", "5.00", "2000.00")}),
    Case("R-MULT", THB, QUADS_5X, "jackpot",
         {"a": ("0.00", "25.00", "10000.00"), "b": ("0.00", "25.00", "50000.00")}),
    Case("R-MULT", TCP, TCP_QUADS_5X, "jackpot",
         {"a": ("0.00", "25.00", "10000.00"), "b": ("0.00", "25.00", "50000.00")}),
    *(
        Case("R-RESET", book, document, "jackpot",
             {"a": ("0.00", "5.00", "28500.00"), "b": ("0.00", "5.00", "20000.00"),
              "c": ("0.00", "5.00", "15000.00"), "d": ("0.00", "5.00", "30000.00")})
        for book, document in ((THB, THB_TWO_STEEL), (TCP, TCP_TWO_STEEL), (STU, STU_TWO_STEEL))
    ),
    *(
        Case("R-ROYAL-AFTER", book, document, "jackpot",
             {"a": ("0.00", "5.00", "450000.00"), "b": ("0.00", "5.00", "500000.00")})
        for book, document in ((THB, THB_ROYAL_AFTER), (TCP, TCP_ROYAL_AFTER), (STU, STU_ROYAL_AFTER))
    ),
    *(
        Case("R-ROUND", book, document, "jackpot",
             {"a": ("0.00", "5.00", "30000.03"), "b": ("0.00", "5.00", "30000.04"), "c": ("0.00", "5.00", "30000.00")})
        for book, document in ((THB, THB_STEEL), (TCP, TCP_STEEL), (STU, STU_STEEL), (RWS, RWS_STEEL))
    ),
    *(
        Case("R-FIXED-FUND", book, document, "jackpot",
             {"a": ("0.00", "5.00", "300000.00"), "b": ("0.00", "5.00", b)})
        for book, document, b in (
            (STU, STU_ROYAL_AND_QUADS, "298000.00"),
            (THB, THB_ROYAL_AND_FLUSH, "299800.00"),
            (TCP, TCP_ROYAL_AND_FLUSH, "299800.00"),
            (RWS, RWS_ROYAL_AFTER_FLUSH, "299900.00"),
        )
    ),
    # In the order of the deal the royal comes first, and the meter pays what is left of a reset one.
    Case("R-FIXED-FUND", RWS, RWS_ROYAL_BEFORE_FLUSH, "jackpot",
         {"a": ("0.00", "5.00", "300000.00"), "b": ("0.00", "5.00", "300000.00")}),
    *(
        Case("R-METERFLOOR", book, document, "jackpot",
             {"a": ("0.00", "5.00", "90000.00"), "b": ("0.00", "5.00", "100000.00")})
        for book, document in (
            (THB, THB_ROYAL_AFTER | YOUNG), (TCP, TCP_ROYAL_AFTER | YOUNG), (STU, STU_ROYAL_AFTER | YOUNG),
        )
    ),
    Case("R-METERFLOOR", RWS, RWS_SECOND_STEEL | YOUNG, "jackpot",
         {"a": ("0.00", "5.00", "9000.00"), "b": ("0.00", "5.00", "10000.00")}),
    Case("R-MAXDERIVED", THB, facts(THB, seat("Ah Ad", "ante 400 flop 800 turn 400"), **DRY), "flop",
         {"a": ("800.00", "0.00", "800.00"), "b": ("800.00", "0.00", "600.00")}),
    Case("R-MAXDERIVED", THB, facts(THB, seat("Ah Ad", "ante 400 flop 800 turn 400"), **DRY), "turn",
         {"a": ("400.00", "0.00", "400.00"), "b": ("400.00", "0.00", "0.00")}),
    Case("R-MAXDERIVED", HOI, facts(HOI, seat("Ah Ad", "ante 200 flop 400"), **DRY), "flop",
         {"a": ("400.00", "0.00", "400.00"), "b": ("400.00", "0.00", "300.00")}),
    Case("R-MAXDERIVED", RWS, facts(RWS, seat("4h 3d", "ante 1500 flop 3000"), **DRY), "flop",
         {"a": ("1000.00", "2000.00", "0.00"), "b": ("3000.00", "0.00", "0.00")}),
    Case("R-MAXDERIVED", TCP, facts(TCP, seat("Ah Ad 2c", "ante 600 play 600"), community="8s 9c", dealer="Kc 8h 2d"),
         "play", {"a": ("600.00", "0.00", "600.00"), "b": ("600.00", "0.00", "400.00")}),
    Case("R-MAXDERIVED", STU, facts(STU, seat("Kd Kc 9s 7h 3d", "ante 400 bet 800"), dealer="Ah Kh 9c 6s 3h"), "bet",
         {"a": ("800.00", "0.00", "800.00"), "b": ("800.00", "0.00", "600.00")}),
    *(
        Case("R-WRONGSIZE", book, document, wager, {"a": a, "b": b})
        for book, document, wager, a, b in (
            (THB, THB_SHORT, "ante", ("25.00", "0.00", "0.00"), ("0.00", "25.00", "0.00")),
            (THB, THB_SHORT, "flop", ("30.00", "0.00", "30.00"), ("30.00", "0.00", "0.00")),
            (THB, THB_SHORT, "turn", ("25.00", "0.00", "25.00"), ("25.00", "0.00", "0.00")),
            (THB, THB_SHORT, "bonus", ("5.00", "0.00", "150.00"), ("0.00", "5.00", "0.00")),
            (THB, THB_SHORT_TURN, "flop", ("50.00", "0.00", "50.00"), ("50.00", "0.00", "50.00")),
            (THB, THB_SHORT_TURN, "turn", ("20.00", "0.00", "20.00"), ("20.00", "0.00", "0.00")),
            (TCP, TCP_SHORT, "ante", ("25.00", "0.00", "25.00"), ("0.00", "25.00", "0.00")),
            (TCP, TCP_SHORT, "play", ("20.00", "0.00", "20.00"), ("20.00", "0.00", "0.00")),
            (TCP, TCP_SHORT, "pair-plus", ("5.00", "0.00", "5.00"), ("5.00", "0.00", "5.00")),
            (STU, STU_SHORT, "ante", ("25.00", "0.00", "25.00"), ("0.00", "25.00", "0.00")),
            (STU, STU_SHORT, "bet", ("40.00", "0.00", "40.00"), ("40.00", "0.00", "0.00")),
        )
    ),
    Case("R-ABSENT-NOANTE", TCP, TCP_AWAY_NO_ANTE, "pair-plus",
         {"a": ("10.00", "0.00", "10.00"), "b": ("10.00", "0.00", "0.00")}),
    Case("R-ABSENT-NOANTE", TCP, TCP_AWAY_NO_ANTE, "jackpot",
         {"a": ("0.00", "5.00", "0.00"), "b": ("5.00", "0.00", "0.00")}),
    # With an Ante the clause itself says it.
    Case("R-ABSENT-NOANTE", TCP, TCP_AWAY, "pair-plus", dict.fromkeys("ab", ("10.00", "0.00", "0.00"))),
    Case("R-ANTEBONUS", TCP, TCP_FOLDS_STRAIGHT, "ante", dict.fromkeys("ab", ("0.00", "25.00", "0.00"))),
    Case("R-RWS-WALK", RWS, RWS_WALKS, "flop",
         {"a": ("0.00", "100.00", "0.00"), "b": ("100.00", "0.00", "100.00")}),
    Case("R-RWS-WALK", RWS, RWS_WALKS, "bonus",
         {"a": ("0.00", "10.00", "0.00"), "b": ("10.00", "0.00", "100.00")}),
]  # fmt: skip

LETTERS = [
    pytest.param(case, letter, id=f"{case.label}={letter}-{case.book}-{case.wager}-{index}")
    for index, case in enumerate(CASES)
    for letter in case.outcomes
]


@pytest.mark.parametrize(("case", "letter"), LETTERS)
def test_the_letter_moves_the_money(case: Case, letter: str) -> None:
    result = settled(case.document | {"readings": {case.label: letter}})
    assert money(result, case.wager) == case.outcomes[letter]


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{c.label}-{c.book}-{c.wager}-{i}" for i, c in enumerate(CASES)]
)
def test_the_default_is_the_default(case: Case) -> None:
    default = load_plan(case.book).readings[case.label]
    assert money(settled(case.document), case.wager) == case.outcomes[default]


def test_the_second_clockwise_straight_flush_depends_on_what_resets_the_meter() -> None:
    """R-RWS-ORDER: the first is paid a tenth either way."""
    for letter, second, after in (("a", "27000.00", 243_000), ("b", "10000.00", 100_000)):
        result = settled(RWS_TWO_STEEL | {"readings": {"R-RWS-ORDER": letter}})
        assert money(result, "jackpot") == ("0.00", "5.00", "30000.00")
        assert money(result, "jackpot", position=3) == ("0.00", "5.00", second)
        assert result.jackpot is not None
        assert result.jackpot.after == after * 100 * 10_000


def test_a_bonus_lost_with_the_hand_costs_odds_and_stake() -> None:
    """thb-07 by its note: stake times odds plus one, between the two letters of R-BONUS-LOSE."""
    swing = [net(settled(BONUS_LOSES | {"readings": {"R-BONUS-LOSE": letter}})) for letter in "ab"]
    assert float(swing[1]) - float(swing[0]) == 25 * (10 + 1)


def test_the_ante_bonus_of_a_folded_hand_has_a_line_only_where_it_is_paid() -> None:
    """R-ANTEBONUS: 1 to 1 on the Ante of 25 that is lost all the same."""
    for letter, lines in (("a", ["ante"]), ("b", ["ante", "ante-bonus"])):
        result = settled(TCP_FOLDS_STRAIGHT | {"readings": {"R-ANTEBONUS": letter}})
        assert [found.wager for found in result.seats[0].lines] == lines
    assert money(result, "ante-bonus") == ("0.00", "0.00", "25.00")
    assert line(result, "ante-bonus").clauses == ("3.12.4", "1.1.2", "4.2")
    assert result.seats[0].hand == "straight, nine high"


@pytest.mark.parametrize(
    ("label", "letter", "document", "after"),
    [
        # The meter pays 2,000, the royal the rest; it stands at its reset value.
        ("R-FIXED-FUND", "b", STU_ROYAL_AND_QUADS, 100_000),
        ("R-FIXED-FUND", "b", RWS_ROYAL_BEFORE_FLUSH, 99_900),
        ("R-FIXED-FUND", "a", RWS_ROYAL_BEFORE_FLUSH, 100_000),
        ("R-FIXED-FUND", "a", STU_QUADS, 300_000),
        ("R-FIXED-FUND", "b", STU_QUADS, 298_000),
        ("R-FIXED-FUND", "b", STU_QUADS | {"jackpot": {"meter": "1500", "reset": "100000", "unit": "5"}}, 0),
        ("R-METERFLOOR", "a", RWS_SECOND_STEEL | YOUNG, 81_000),
        ("R-METERFLOOR", "b", RWS_SECOND_STEEL | YOUNG, 100_000),
        ("R-METERFLOOR", "b", RWS_SECOND_STEEL, 243_000),
        ("R-METERFLOOR", "b", STU_STEEL | YOUNG, 100_000),
    ],
)
def test_where_the_meter_stands(label: str, letter: str, document: dict[str, Any], after: int) -> None:
    found = settled(document | {"readings": {label: letter}}).jackpot
    assert found is not None
    assert found.after == after * 100 * 10_000


def test_a_meter_that_pays_fixed_awards_pays_no_more_than_it_has() -> None:
    """R-FIXED-FUND=b, never below zero: the house pays 500 of the 2,000."""
    young = STU_QUADS | {"jackpot": {"meter": "1500", "reset": "100000", "unit": "5"}}
    result = settled(young | {"readings": {"R-FIXED-FUND": "b"}})
    assert money(result, "jackpot") == ("0.00", "5.00", "2000.00")
    assert result.movements.meter == -1500 * 100 * 10_000
    assert result.movements.house == (5 - 500) * 100 * 10_000


@pytest.mark.parametrize(
    ("rounding", "share", "left"), [("a", "30000.03", 70), ("b", "30000.04", -30), ("c", "30000.00", 370)]
)
def test_what_rounding_leaves_stays_on_the_meter(rounding: str, share: str, left: int) -> None:
    result = settled(STU_STEEL | {"readings": {"R-ROUND": rounding}})
    assert money(result, "jackpot")[2] == share
    assert result.jackpot is not None
    # nine tenths of 300,000.37 are 270,000.333; in hundredths of a cent above 270,000.33 it is 30
    assert result.jackpot.after - 27_000_033 * 10_000 == 3000 + {70: 7000, -30: -3000, 370: 37_000}[left]


def test_half_a_cent_goes_up_and_the_house_pays_what_a_whole_meter_lacks_for_it() -> None:
    """R-ROUND=b with a meter of half a cent more than 300,000.00, won whole."""
    plan = load_plan(RWS, {"R-ROUND": "b"})
    assert plan.jackpot is not None
    claim = Claim(seat=0, hand_class=HandClass.ROYAL_FLUSH, percent=100)
    meter = LedgerUnits(30_000_000 * 10_000 + 5_000)
    paid = award_meter(plan.jackpot.sharing, [claim], meter=meter, reset=Cents(10_000_000))
    assert [award.amount for award in paid.awards] == [30_000_001]
    assert (paid.after, paid.house_funded) == (10_000_000 * 10_000, 10_000_000 * 10_000 + 5_000)


@pytest.mark.parametrize("book", [RWS, HOI])
def test_a_stand_off_by_class_alone_cites_no_clause_that_compares_cards(book: str) -> None:
    """R-TIEBREAK=a: the flushes differ, and what says that cards decide is not what was done."""
    document = facts(book, seat("Ah 4h", "ante 25 flop 50"), readings={"R-TIEBREAK": "a"}, **FLUSHES)
    cited = set(line(settled(document), "flop").clauses)
    assert cited & {"3.15", "5.4"}
    assert not cited & {"3.1.3", "3.1.3.a", "3.1.3.b", "3.1.3.c", "4.4", "4.4.1"}


def test_a_steel_wheel_that_stands_off_cites_no_clause_about_the_low_ace() -> None:
    document = facts(
        RWS,
        seat("6h 9c", "ante 25 flop 50"),
        community="5h 4h 3h 2h Jd",
        dealer="Ah Kd",
        readings={"R-TIEBREAK": "a"},
    )
    assert line(settled(document), "flop").clauses == ("3.15", "3.1", "3.1.2", "1.28")


SHOWN_ELSEWHERE = {
    *("R-RWS-ORDER", "R-POOL", "R-POWER", "R-CONTRIB", "R-METER-RETURN", "R-UNDERMIN-USED", "R-POOL-ORDER"),
    *("R-AFFECTED", "R-DURING-DEAL", "R-LATE-COUNT", "R-LATE-REBUILD"),
}
"""Their money needs two seats, several rounds or owners, contributions or an irregularity: the tests here, of
money between rounds, of pooling, of interruption and of reports."""


@pytest.mark.parametrize("book", BOOKS)
def test_every_letter_of_every_book_is_shown(book: str) -> None:
    shown = {(case.label, letter) for case in CASES if case.book == book for letter in case.outcomes}
    readings = load_plan(book).book.readings
    letters = {(label, letter) for label, reading in readings.items() for letter in reading.options}
    assert {pair for pair in letters - shown if pair[0] not in SHOWN_ELSEWHERE} == set()


@pytest.mark.parametrize("book", BOOKS)
def test_readings_without_letters_say_how_they_are_read(book: str) -> None:
    for label, reading in load_plan(book).book.readings.items():
        assert bool(reading.options) != bool(reading.holds), label
