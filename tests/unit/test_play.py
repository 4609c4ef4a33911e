"""The table in the terminal, played through its prompts with a known deck."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from pitboss.cards import DECK, Card, parse_cards
from pitboss.cli.felt import draw_view
from pitboss.cli.session import Session, open_session
from pitboss.play.shapes import Position, RoundView
from pitboss.play.views import FACE_DOWN
from pitboss.rulebooks import load_plan
from support import BOOKS, pitboss
from support.sent import as_sent, shape_of
from support.signals import heed_ctrl_c, read_until

HOLDEM = "Kh 9c 5s 2d 7h Ah Kd Qs Qd"


def deck(first: str) -> tuple[Card, ...]:
    cards = parse_cards(first.split())
    return cards + tuple(card for card in DECK if card not in cards)


class Typed(Console):
    """A console that answers its prompts from a list, and ends as a closed terminal does."""

    def __init__(self, *answers: str) -> None:
        super().__init__(file=io.StringIO(), width=120)
        self.answers: Iterator[str] = iter(answers)

    def input(self, *_: object, **__: object) -> str:
        try:
            return next(self.answers)
        except StopIteration:
            raise EOFError from None

    @property
    def said(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def sit_down(
    out: Console, book: str = "mbs-thb-9", first: str = HOLDEM, seats: int = 1, procedure: str | None = None
) -> Session:
    return open_session(
        out, book, [], seats=seats, procedure=procedure, chips="1000", shuffle=lambda: deck(first)
    )


def test_a_round_from_the_first_bet_to_the_account() -> None:
    out = Typed("bonus 10 ante 25", "b", "c", "b", "q")
    session = sit_down(out)
    session.run()
    assert session.state.racks["you"] == 100_000 + 22_500
    for text in ("K♥", "A♥", "one pair, kings", "4.1.1/bonus", "[b]et 50.00 on flop", "result", "+225.00"):
        assert text in out.said


def test_hidden_cards_are_not_on_the_screen_before_they_are_revealed() -> None:
    out = Typed("25")
    with pytest.raises(EOFError):
        sit_down(out, seats=2).run()
    assert "A♥" in out.said
    for hidden in ("Q♠", "Q♦", "K♥", "9♣", "8♣"):
        assert hidden not in out.said
    assert "blind" in out.said


def test_bad_answers_are_told_and_asked_again() -> None:
    out = Typed(
        "anti 25",
        "ante 25 bonus",
        "ante x",
        "5",
        "ante 25 jackpot 7",
        "bonus 10",
        "2000",
        "25",
        "x",
        "c",
        "why 3.9",
        "?",
        "f",
        "",
        "q",
    )
    sit_down(out).run()
    for text in ("did you mean 'ante'?", "name each wager and its amount", "is not an amount", "The minimum is 25.00",
                 "1 to 5 units of 5.00", "needs ante first", "'x' is no choice here", "Fold, or place the flop",
                 "After seeing hole cards", "Enter repeats '25'"):  # fmt: skip
        assert text in out.said


def test_a_question_mark_tells_the_keys_of_what_is_asked() -> None:
    out = Typed("?", "ante 25", "?", "f", "q")
    sit_down(out).run()
    first, second = (line for line in out.said.splitlines() if "'why NUMBER' tells a clause" in line)
    assert "bets: '25' or 'ante 25 bonus 5', Enter repeats" in first
    assert "'b' puts 50.00 on the flop, 'f' is to fold (the ante is lost)" in second


def test_only_a_hand_that_nobody_looked_at_is_called_blind() -> None:
    def hand(cards: list[str], *, viewed: bool) -> dict[str, Any]:
        given = {"cards": cards, "stakes": {"ante": "25.00"}, "fate": "in-play", "viewed": viewed}
        return as_sent(shape_of(Position, given))

    out = Typed()
    positions = {
        "1": hand([FACE_DOWN, FACE_DOWN], viewed=True),  # another player's, looked at
        "2": hand([FACE_DOWN, FACE_DOWN], viewed=False),
        "4": hand([], viewed=False),
        "5": hand(["As", "Kd"], viewed=True),
    }
    draw_view(out, "a table", shape_of(RoundView, {"positions": positions}), community=True)
    assert [line.split()[2] for line in out.said.splitlines() if "blind" in line] == ["2"]


def test_whoever_leaves_in_mid_round_is_absent_by_the_book() -> None:
    for book, net in (("mbs-thb-9", 0), ("rws-thp-2", -2500)):
        out = Typed("25", "q")
        session = sit_down(out, book, procedure=None, first="2c " + HOLDEM if book == "rws-thp-2" else HOLDEM)
        session.run()
        assert session.state.racks["you"] - 100_000 == net
        assert "25.00 of yours on the layout" in out.said


PROCEDURES = [(book, procedure.name) for book in BOOKS for procedure in load_plan(book).procedures]


@pytest.mark.parametrize(("book", "procedure"), PROCEDURES, ids=[f"{b} {p}" for b, p in PROCEDURES])
def test_every_book_and_procedure_can_be_played_with_blind_hands(book: str, procedure: str) -> None:
    out = Typed("25", *["b"] * 9, "25", "f", "b", "f", *["c"] * 2, "q")
    session = sit_down(out, book, first="As", seats=3, procedure=procedure)
    session.run()
    assert session.rounds == 2
    assert "your session" in out.said


def test_chips_that_do_not_reach_end_the_session() -> None:
    out = Typed("1000", "f")
    sit_down(out).run()
    assert "not enough chips for another round" in out.said


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("mbs-thb-8",), "did you mean 'mbs-thb-9'?"),
        (("mbs-thb-9", "--procedure", "methode-a"), "did you mean 'method-a'?"),
        (("mbs-thb-9", "--seats", "9"), "this table has 1 to 6"),
        (("mbs-thb-9", "--chips", "many"), "is not an amount"),
        (("mbs-thb-9", "--chips", "0"), "nothing to play with"),
        (("mbs-thb-9", "--reading", "R-X"), "write label and letter"),
    ],
)
def test_a_table_that_cannot_be_is_one_line(arguments: tuple[str, ...], text: str) -> None:
    ran = pitboss("play", *arguments)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert text in ran.err


def table_is_silent(terminal: int) -> bool:
    return not select.select([terminal], [], [], 5)[0]


def test_ctrl_c_leaves_cleanly_and_says_what_stood() -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "pitboss.cli.main", "play", "mbs-thb-9"]
    environment = os.environ | {"TERM": "dumb", "COLUMNS": "120"}
    table = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, preexec_fn=heed_ctrl_c
    )
    os.close(slave)
    try:
        read_until(master, b"your bets")
        os.write(master, b"25\n")
        read_until(master, b"> ")
        time.sleep(0.5)
        table.send_signal(signal.SIGINT)
        if table_is_silent(master):  # one that comes just before it waits for keys is felt with the next
            table.send_signal(signal.SIGINT)
        said = read_until(master, b"result")
        assert table.wait(timeout=20) == 130
        assert b"on the layout" in said
        assert b"Traceback" not in said
    finally:
        table.kill()
        os.close(master)
