"""A sixth game by data alone: Caribbean Stud, written, checked, played and settled as the guide says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pitboss.floor import requests as q
from pitboss.money import Cents, floor_to_cents, format_cents
from pitboss.play.table import Stage
from pitboss.rulebooks import book_ids, load_plan, read_document, validate
from pitboss.rulebooks.document import book_folder
from support import facts, guide, money, net, pitboss, seat, settled
from support.floor import House
from support.service import served

MATHS = ("analyze",)
"""What counts for some seconds: tests/whole/test_sixth_game_price.py."""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return guide.write_book(tmp_path).name


def test_whoever_follows_the_guide_to_the_letter_gets_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    ran = 0
    for step in guide.steps():
        if isinstance(step, guide.File):
            Path(step.name).parent.mkdir(exist_ok=True)
            Path(step.name).write_text(step.text)
        elif step.words[1] not in MATHS:
            code, printed = guide.run(step)
            assert code == 0, (step.words, printed)
            guide.assert_shows(printed, step)
            ran += 1
    assert ran > 20


def test_the_book_is_data_alone_and_no_part_of_pitboss(book: str) -> None:
    files = list(Path(book).iterdir())
    assert {path.suffix for path in files} == {".toml"}
    assert not any("extends" in path.read_text() for path in files)
    assert book not in book_ids()
    assert validate(read_document(book)) == []


def test_the_smaller_files_of_the_guide_say_what_they_are_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for step in guide.steps():
        if isinstance(step, guide.File) and "/" not in step.name:
            Path(step.name).write_text(step.text)
    assert load_plan("pair-plus.toml").id == "pair-plus-6-3"
    rule = load_plan("jack-high.toml").qualification
    assert rule is not None
    assert {rank.code for rank in rule.ranks} == {"J"}


def test_every_clause_that_rules_something_is_cited_by_the_data(book: str) -> None:
    """A register with a clause that nothing rests on would be decoration."""
    text = "".join(path.read_text() for path in Path(book).iterdir() if path.name != "clauses.toml")
    for number in load_plan(book).register:
        assert f'"{number}"' in text, number


@pytest.mark.parametrize("bullet", re.findall(r"(?ms)^\* \*\*.*?\(`.*?(?=^\* |\n\n)", guide.PAGE.read_text()))
def test_the_books_named_in_the_guide_have_what_it_says(bullet: str) -> None:
    where, _, what = bullet.partition("): ")
    (named,) = re.findall(r"\(`([\w-]+)`", where)
    text = "".join(path.read_text() for path in book_folder(named).iterdir())
    for token in re.findall(r"`([^`]+)`", what):
        word = token if token.startswith("[") and "NAME" not in token else token.strip("[]").split(".")[0]
        assert word.split(" = ")[0] in text, (named, token)


# --- settlement ---------------------------------------------------------------------------------------

QUALIFIED, NO_HAND = "As Kd 8d 4c 2h", "Ks Qd 8d 4c 2h"
HANDS = {
    "royal-flush": ("Ah Kh Qh Jh Th", 100),
    "straight-flush": ("9h 8h 7h 6h 5h", 50),
    "four-of-a-kind": ("7c 7d 7h 7s 3c", 20),
    "full-house": ("7c 7d 7h 3s 3c", 7),
    "flush": ("Ah Qh 9h 6h 3h", 5),
    "straight": ("9c 8h 7h 6h 5h", 4),
    "three-of-a-kind": ("7c 7d 7h Js 3c", 3),
    "two-pairs": ("7c 7d Jh Js 3c", 2),
    "one-pair": ("7c 7d Jh 9s 3c", 1),
    "odd-cards": ("Ah Kh Jc 9s 3c", 1),
}


def round_of(cards: str, dealer: str, *, wagers: str = "ante 10 bet 20", **changes: Any) -> dict[str, Any]:
    status = changes.pop("status", "played")
    document = facts(guide.BOOK, seat(cards, wagers, status=status), dealer=dealer, **changes)
    return document | {"jackpot": {"meter": "50000", "reset": "10000", "unit": "1"}}


@pytest.mark.parametrize("hand", HANDS)
def test_6_2_a_winning_bet_pays_by_its_class(book: str, hand: str) -> None:
    cards, odds = HANDS[hand]
    found = settled(round_of(cards, QUALIFIED))
    assert money(found, "ante") == ("10.00", "0.00", "10.00")
    assert money(found, "bet") == ("20.00", "0.00", f"{20 * odds}.00")


@pytest.mark.parametrize("hand", HANDS)
def test_5_3_before_a_dealer_without_a_hand_the_ante_is_paid_and_the_bet_goes_back(
    book: str, hand: str
) -> None:
    found = settled(round_of(HANDS[hand][0], NO_HAND))
    assert money(found, "ante") == ("10.00", "0.00", "10.00")
    assert money(found, "bet") == ("20.00", "0.00", "0.00")


def test_losing_standing_off_folding_and_hiding(book: str) -> None:
    assert net(settled(round_of("Ac Qh Jc 9s 3c", QUALIFIED))) == "-30.00"
    assert net(settled(round_of("Ac Kh 8c 4s 2c", QUALIFIED))) == "0.00"
    assert net(settled(round_of("Ac Kh 9c 4s 2c", QUALIFIED, wagers="ante 10", status="folded"))) == "-10.00"
    assert net(settled(round_of("Ac Kh 9c 4s 3c", NO_HAND, wagers="ante 10", status="absent"))) == "-10.00"
    assert net(settled(round_of("", QUALIFIED, status="declined"))) == "-30.00"


@pytest.mark.parametrize(("letter", "ante", "bet"), [("a", "-10.00", "-20.00"), ("b", "10.00", "0.00")])
def test_a_reading_moves_the_money(book: str, letter: str, ante: str, bet: str) -> None:
    """Two pairs are better than ace-king; by the cards they hold they are not it."""
    document = round_of("7c 7d Jh 9s 3c", "Qs Qd 8d 8c 2h", readings={"R-ACE-KING": letter})
    lines = {line.wager: line for line in settled(document).seats[0].lines}
    nets = {str(name): line.paid - line.collected for name, line in lines.items()}
    assert (f"{nets['ante'] / 100:.2f}", f"{nets['bet'] / 100:.2f}") == (ante, bet)


@pytest.mark.parametrize(
    ("hand", "award"),
    [
        ("royal-flush", "50000.00"),
        ("straight-flush", "5000.00"),
        ("four-of-a-kind", "500.00"),
        ("full-house", "100.00"),
        ("flush", "50.00"),
        ("straight", "0.00"),
    ],
)
def test_6_3_the_progressive_pays_whatever_the_dealer_has(book: str, hand: str, award: str) -> None:
    for dealer in (QUALIFIED, NO_HAND):
        found = settled(round_of(HANDS[hand][0], dealer, wagers="ante 10 bet 20 progressive 1"))
        assert money(found, "progressive") == ("0.00", "1.00", award)


# --- the engine and the floor -------------------------------------------------------------------------


@pytest.mark.parametrize("procedure", ["by-hand", "shuffler"])
def test_every_procedure_deals_five_and_shows_the_dealers_last(book: str, procedure: str) -> None:
    steps = ["dealer: open bets", "p1@1: wager ante 10", "dealer: close bets", "dealer: deal"]
    script = {
        "rulebook": book,
        "table": {"procedure": procedure},
        "players": {"p1": "100"},
        "deck": "9s 9d 9h 5c 3h Qc Jd 8s 6h 2c",
        "steps": [*steps, "p1@1: bet bet", "dealer: reveal dealer", "dealer: settle"],
    }
    Path("script.json").write_text(json.dumps(script))
    ran = pitboss("run", "script.json")
    assert ran.code == 0, ran.err
    assert "turned up: 2♣" in ran.out
    assert "The round is settled." in ran.out


@pytest.mark.parametrize(
    ("report", "status"),
    [
        ("missing-card", "void"),
        ("misdeal", "open"),
        ("wrong-count dealer", "void"),
        ("exposed 1", "open"),
        ("exposed 2", "void"),
        ("uncovered the lights turn blue", "suspended"),
    ],
)
def test_what_goes_wrong_is_put_right_by_the_book(book: str, report: str, status: str) -> None:
    steps = ["dealer: open bets", "p1@1: wager ante 10", "dealer: close bets", "dealer: deal"]
    deck = "9s 9d 9h 5c 3h Qc Jd 8s 6h 2c"
    script = {
        "rulebook": book,
        "players": {"p1": "100"},
        "deck": deck,
        "steps": [*steps, f"dealer: report {report}"],
    }
    Path("script.json").write_text(json.dumps(script))
    found = json.loads(pitboss("run", "script.json", "--json").out)
    assert found["steps"][-1]["ok"], found["steps"][-1]
    assert found["round"]["status"] == status


STEPS = (
    "dealer: open bets",
    "p1@1: wager ante 10",
    "p1@1: wager progressive 1",
    "dealer: close bets",
    "dealer: deal",
    "p1@1: view",
    "p1@1: bet bet",
    "dealer: reveal dealer",
    "dealer: settle",
)


CHIPS = {50_000: 20, 10_000: 100, 2500: 200, 500: 200, 100: 500}


def on_a_floor(house: House) -> None:
    """A table of it, t1, that plays for a jackpot of its own; the cards of its first round are known."""
    terms: dict[str, Any] = {
        "unit": Cents(100),
        "reset": Cents(1_000_000),
        "increment_bp": 7000,
        "reserve_bp": 0,
    }
    house.ok("gina", q.OpenLink(link="caribbean", currency="USD", approved_by="gus", **terms))
    house.table(guide.BOOK, link="caribbean", players=("p1",), procedure="shuffler", count=CHIPS)
    house.stack("7c 7d 7h 3s 3c As Kd 8d 4c 2h")


def test_a_table_of_it_opens_on_a_floor_and_the_money_adds_up(book: str) -> None:
    house = House()
    on_a_floor(house)
    before = house.floor.table("t1").state.racks["p1"]
    house.steps(*STEPS)
    state = house.floor.table("t1").state
    assert state.stage is Stage.SETTLED
    assert state.racks["p1"] - before == 10_00 + 7 * 20_00 + 100_00 - 1_00
    assert format_cents(floor_to_cents(state.meter)) == "10000.70"
    house.everything_adds_up()


def test_the_service_serves_it_to_players_and_dealer(book: str, tmp_path: Path) -> None:
    with served(tmp_path / "floor", on_a_floor) as service:
        with service.signed_in("") as anybody:
            (table,) = anybody(anybody.client.lobby())["tables"]
            assert (table["title"], table["areas"]["progressive"]) == ("Caribbean Stud Poker", "Progressive")
        service.house.steps(*STEPS[:6])
        with service.signed_in("p1") as patron:
            seen = patron(patron.client.table("t1"))
            assert '"7c"' in json.dumps(seen)
            assert "As" not in json.dumps(seen)
        with service.signed_in("dora") as dealer:
            assert '"7c"' not in json.dumps(dealer(dealer.client.table("t1")))
