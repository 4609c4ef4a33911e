"""The command line as its users meet it: answers, exit codes, and one line for what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import BOOKS, facts, pitboss, seat

ROUND = facts("mbs-thb-9", seat("Ah Kd", "ante 25 flop 50"), community="Kh 9c 5s 2d 7h", dealer="Qs Qd")


def write(folder: Path, document: Any) -> str:
    file = folder / "facts.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return str(file)


def change(path: str, value: Any) -> dict[str, Any]:
    """The usual round with one place changed: `change("seats.0.wagers.flop", "50.001")`."""
    document: dict[str, Any] = json.loads(json.dumps(ROUND))
    *parents, last = path.split(".")
    table: Any = document
    for key in parents:
        table = table[int(key) if key.isdigit() else key]
    if value is None:
        del table[last]
    else:
        table[int(last) if last.isdigit() else last] = value
    return document


BAD: list[tuple[Any, str]] = [
    ("{", "facts.json:1:2: not JSON"),
    ("[]", "is not an object"),
    ('{"rulebook": "mbs-thb-9", "rulebook": "mbs-thb-9"}', "the key 'rulebook' stands twice"),
    ("[" * 100_000, "nested too deeply"),
    (change("rulebook", "mbs-thb-8"), "no rulebook 'mbs-thb-8'; did you mean 'mbs-thb-9'?"),
    (change("rulebook", 9), "rulebook: 9 is not a text"),
    (change("rulebook", None), "rulebook: is missing"),
    (change("dealers", ["As"]), "unknown key 'dealers'; did you mean 'dealer'?"),
    (change("dealer", None), "dealer: is missing"),
    (change("community", None), "community: is missing"),
    (change("seats.0.wager", {}), "seats[0].wager: unknown key 'wager'; did you mean 'wagers'?"),
    (change("seats.0.status", None), "seats[0].status: is missing"),
    (change("seats.0.status", "fold"), "no status 'fold'; did you mean 'folded'?"),
    (change("seats.0.wagers.flopp", "50"), "mbs-thb-9 has no wager 'flopp'; did you mean 'flop'?"),
    (change("seats.0.wagers.pair-plus", "50"), "mbs-thb-9 has no wager 'pair-plus'"),
    (change("seats.0.wagers.flop", "50.001"), "seats[0].wagers.flop: '50.001' is not an amount"),
    (change("seats.0.wagers.flop", "-50"), "'-50' is not an amount"),
    (change("seats.0.wagers.flop", "1e3"), "'1e3' is not an amount"),
    (change("seats.0.wagers.flop", 50), "50 is not an amount; write money as a decimal string"),
    (change("seats.0.wagers.flop", "1,000"), "is not an amount"),
    (change("seats.0.wagers.flop", "99999999999999999999"), "is not an amount"),
    (change("seats.0.wagers.flop", None), "a hand that was played has a flop wager"),
    (change("seats.0.wagers.ante", None), "there is no ante wager to go with it"),
    (change("seats.0.wagers", {}), "no stake lies here"),
    (change("seats.0.status", "folded"), "a folded hand has no such wager"),
    (change("seats.0.wagers.jackpot", "12"), "no wagering system takes 12.00; the stake is 1 to 5 whole units of 5.00"),
    (change("seats.0.wagers.jackpot", "30"), "no wagering system takes 30.00"),
    (change("jackpot", None) | {"seats": [seat("Ah Kd", "ante 25 flop 50 jackpot 5")]}, "the facts say nothing of the jackpot"),
    (change("jackpot.metre", "1"), "unknown key 'metre'; did you mean 'meter'?"),
    (change("jackpot.unit", "0"), "a unit of nothing"),
    (change("jackpot.meter", None), "jackpot.meter: is missing"),
    (change("jackpot.unit", None), "jackpot.unit: is missing"),
    (change("jackpot.reset", None), "jackpot.reset: is missing"),
    (change("seats.0.player", "\ud800"), "seats[0].player: half a character"),
    (change("seats.0.wagers.flop", "٥٠"), "is not an amount"),
    (change("seats.0.wagers.flop", "9" * 5000), "9…' is not an amount"),
    ('{"rulebook": ' + "1" * 6000 + "}", "a number of thousands of digits"),
    (change("rulebook", "x" * 5000), "no rulebook 'xxx"),
    (change("rulebook", "a\u0000b"), "no rulebook 'a"),
    (change("seats.0.cards.1", "Ah"), "seats[0].cards[1]: Ah lies at seats[0].cards[0] too"),
    (change("dealer.0", "Kh"), "dealer[0]: Kh lies at community[0] too"),
    (change("seats.0.cards.1", "1h"), "seats[0].cards[1]: '1h' is not a card"),
    (change("seats.0.cards", ["Ah"]), "seats[0].cards: 1 cards; a hand has 2"),
    (change("seats.0.cards", []), "seats[0].cards: 0 cards; a hand has 2"),
    (change("community", ["Kh", "9c", "5s", "2d"]), "community: 4 community cards; there are 5"),
    (change("dealer", ["Qs"]), "dealer: 1 cards; the dealer has 2"),
    (change("seats.0.position", 8), "there is no position 8; positions run 1 to 7"),
    (change("seats.0.position", "1"), 'position: "1" is not a whole number'),
    (change("seats.0.position", True), "position: true is not a whole number"),
    (change("seats", []), "nobody played"),
    (change("seats", {}), "is not a list"),
    (change("seats.0.viewed", "yes"), "is neither true nor false"),
    (change("limits.flop", ["25", "50"]), "mbs-thb-9 posts no limits for 'flop'"),
    (change("limits.ante", ["1000", "25"]), "limits are a minimum and a maximum"),
    (change("limits.ante", ["25"]), "limits are a minimum and a maximum"),
    (change("readings.R-BONUS-LOOSE", "a"), "mbs-thb-9 has no reading 'R-BONUS-LOOSE'; did you mean 'R-BONUS-LOSE'?"),
    (change("readings.R-BONUS-LOSE", "z"), "R-BONUS-LOSE has no letter 'z' in mbs-thb-9; it has a, b"),
    (change("readings.R-VOID", "a"), "R-VOID has no letters in mbs-thb-9"),
    (change("readings.R-CAP", "a"), "mbs-thb-9 has no reading 'R-CAP'"),
    (change("void", "5.99"), "mbs-thb-9 has no clause '5.99'"),
    (change("void", "3.10.2"), "clause 3.10.2 voids nothing"),
    (facts("hoiana-thb-2025", seat("Ah Kd", "ante 20 flop 40"), community="Kh 9c 5s 2d 7h", dealer="Qs Qd",
           jackpot={"meter": "1"}), "hoiana-thb-2025 has no jackpot"),
    (facts("mbs-stud-6", seat("Js 8d 5c 4h 2s", "ante 25 bet 50 jackpot 10"), dealer="Ah Qd 9c 6s 3h"),
     "no wagering system takes 10.00; the stake is one unit of 5.00"),
    (facts("mbs-stud-6", seat("Js 8d 5c 4h 2s", "ante 25 bet 50"), dealer="Ah Qd 9c 6s 3h", community="Ks"),
     "1 community cards; there are none"),
    (facts("mbs-3cp-2023", seat("9h 5d 3c", "play 25 pair-plus 10"), community="Qh 2s", dealer="Jc 8d 4s"),
     "there is no ante wager to go with it"),
    (facts("mbs-thb-9", seat("Ah Kd", "jackpot 5"), community="Kh 9c 5s 2d 7h", dealer="Qs Qd"),
     "2 cards for stakes that entitle to no hand"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "text"), BAD, ids=[f"{i} {text[:40]}" for i, (_, text) in enumerate(BAD)]
)
def test_bad_facts_are_one_line_with_file_place_and_remedy(document: Any, text: str, tmp_path: Path) -> None:
    ran = pitboss("settle", write(tmp_path, document), "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert text in ran.err
    assert "Traceback" not in ran.err


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'{"rulebook": "\xe9"}')
    for path, text in (
        (str(tmp_path / "none.json"), "there is no such file"),
        (str(tmp_path), "this is a folder"),
        (str(tmp_path / "latin"), "not UTF-8 text"),
    ):
        ran = pitboss("settle", path)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert text in ran.err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("setle",), "no command 'setle'; did you mean 'settle'?"),
        (("settle",), "Missing argument"),
        (("settle", "x", "--jsn"), "no option '--jsn' for 'pitboss settle'; did you mean '--json'?"),
        (("rules", "shw"), "no command 'rules shw'; did you mean 'show'?"),
        (("rules", "show", "mbs-stud"), "did you mean 'mbs-stud-6'?"),
        (("rules", "show", "./nowhere/book.toml"), "there is no such file or folder"),
        (("rules", "show", "mbs-thb-9", "--reading", "R-FOR1"), "write label and letter"),
        (("rules", "show", "mbs-thb-9", "--reading", "R-FOR1=x"), "it has a, b"),
        (("rules", "clause", "mbs-thb-9", "3.10.22"), "did you mean '3.10.2'?"),
        (("rules", "validate", "mbs-thb-99"), "did you mean 'mbs-thb-9'?"),
        (("rules", "new", "Mine", "--from", "mbs-3cp-2023"), "cannot be a rulebook's id"),
        (("rules", "new", "mbs-thb-9", "--from", "mbs-3cp-2023"), "comes with Pitboss"),
        (("rules", "new", "mine", "--from", "mbs-4cp"), "no rulebook 'mbs-4cp'"),
    ],
)
def test_bad_command_lines_are_one_line(arguments: tuple[str, ...], text: str) -> None:
    ran = pitboss(*arguments)
    assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")
    assert text in ran.err


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from pitboss.cli.main import run; code = run(['--help']); "
        "heavy = {'numba', 'sqlalchemy', 'litestar', 'numpy', 'pydantic', 'pitboss.rulebooks', 'pitboss.play'}; "
        "print(sorted(heavy & set(sys.modules)), code)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[] 0"
    for verb in ("settle", "rules"):
        assert verb in ran.stdout


def test_facts_are_read_from_standard_input_and_written_as_one_document() -> None:
    command = [sys.executable, "-m", "pitboss.cli.main", "settle", "-", "--json"]
    ran = subprocess.run(command, input=json.dumps(ROUND), capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["seats"][0]["net"] == "50.00"
    assert ran.stderr == ""


def test_rules_list_names_the_five() -> None:
    ran = pitboss("rules", "list", "--json")
    assert [entry["id"] for entry in json.loads(ran.out)] == list(BOOKS)
    assert all(book in pitboss("rules", "list").out for book in BOOKS)


@pytest.mark.parametrize("book", BOOKS)
def test_rules_show_tells_play_and_money(book: str) -> None:
    text = pitboss("rules", "show", book).out
    for words in ("player folds", "player lower", "Pays", "Readings", "power failure"):
        assert words in text
    document = json.loads(pitboss("rules", "show", book, "--json").out)
    assert {topic["chapter"] for topic in document["topics"]} >= {
        "Table",
        "Betting",
        "Deal",
        "Settlement",
        "Pays",
    }


def test_rules_show_follows_the_reading() -> None:
    topics = json.loads(pitboss("rules", "show", "mbs-thb-9", "--reading", "R-BONUS-LOSE=a", "--json").out)[
        "topics"
    ]
    (lower,) = [topic["text"] for topic in topics if topic["name"] == "player lower"]
    assert lower == "loses ante, flop, turn, river, bonus; by its table: jackpot"


def test_rules_clause_tells_gist_readings_and_where_it_is_cited() -> None:
    document = json.loads(pitboss("rules", "clause", "mbs-thb-9", "3.10.3", "--json").out)
    assert document["kind"] == "settlement"
    assert "R-BONUS-LOSE" in document["readings"]
    assert "settlement.ante.lower.clauses[0]" in document["cited_at"]
    text = pitboss("rules", "clause", "rws-thp-2", "4.5").out
    assert "4.5.1" in text
    assert "clockwise" in text


def test_rules_diff_puts_play_and_money_side_by_side() -> None:
    document = json.loads(pitboss("rules", "diff", "mbs-thb-9", "rws-thp-2", "--json").out)
    rows = {row["name"]: row for row in document["rows"]}
    assert rows["several winners at one table"]["rws-thp-2"]["text"].startswith("in the order of the deal")
    assert rows["several winners at one table"]["mbs-thb-9"]["clauses"] == ["3.15", "3.15.1"]
    assert rows["absent for the flop decision"]["mbs-thb-9"]["text"] == "the hand becomes invalid"
    assert rows["absent for the flop decision"]["rws-thp-2"]["text"] == "deemed to have folded"
    assert "player higher" not in rows
    everything = json.loads(pitboss("rules", "diff", "mbs-thb-9", "rws-thp-2", "--all", "--json").out)
    assert "player higher" in {row["name"] for row in everything["rows"]}
    folding = {
        r["name"]: r
        for r in json.loads(pitboss("rules", "diff", "mbs-thb-9", "mbs-3cp-2023", "--json").out)["rows"]
    }
    assert folding["player folds"]["mbs-thb-9"]["text"] == "loses ante, bonus; by its table: jackpot"
    keeps = "loses ante; by its table: pair plus, six card bonus, jackpot"
    assert folding["player folds"]["mbs-3cp-2023"]["text"] == keeps


def test_a_book_does_not_differ_from_itself() -> None:
    assert "say the same" in pitboss("rules", "diff", "mbs-thb-9", "mbs-thb-9").out


def test_validate_exits_0_1_and_2(tmp_path: Path) -> None:
    assert pitboss("rules", "validate", "mbs-thb-9").code == 0
    broken = tmp_path / "broken.toml"
    broken.write_text('extends = "mbs-thb-9"\n[pays.bonus]\nhand = "hol"\n[wagers.flop]\nof = "anti"\n')
    ran = pitboss("rules", "validate", str(broken))
    assert ran.code == 1
    assert "'hol'" in ran.out
    assert "'anti'" in ran.out
    assert "2 defects" in ran.out
    document = json.loads(pitboss("rules", "validate", str(broken), "--json").out)
    assert len(document["defects"]) == 2
    broken.write_text("[pays\n")
    ran = pitboss("rules", "validate", str(broken))
    assert ran.code == 2
    assert "not TOML" in ran.err


def test_a_rulebook_of_one_s_own_works_wherever_an_id_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert pitboss("rules", "new", "my-poker", "--from", "mbs-3cp-2023").code == 0
    assert pitboss("rules", "validate", "my-poker").code == 0
    assert pitboss("rules", "new", "my-poker", "--from", "mbs-3cp-2023").code == 2
    table = tmp_path / "my-poker/settlement.toml"
    table.write_text(table.read_text().replace('flush = "4 to 1"', 'flush = "3 to 1"'))
    rows = json.loads(pitboss("rules", "diff", "mbs-3cp-2023", "my-poker", "--json").out)["rows"]
    assert {row["name"] for row in rows} == {"edition", "pair-plus"}
    document = facts(
        "my-poker",
        seat("9d 5d 2d", "ante 25 play 25 pair-plus 10"),
        community="Qh 2s",
        dealer="Qc 8h 3h",
        limits={},
    )
    result = json.loads(pitboss("settle", write(tmp_path, document), "--json").out)
    assert result["rulebook"] == "my-poker"
    assert {found["wager"]: found["paid"] for found in result["seats"][0]["lines"]}["pair-plus"] == "30.00"
    assert pitboss("rules", "new", "third", "--from", "my-poker").code == 0
    assert pitboss("rules", "validate", "third").code == 0


def test_the_version_is_the_package_s() -> None:
    from pitboss import __version__

    assert pitboss("--version").out == f"pitboss {__version__}\n"
