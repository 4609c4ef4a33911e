"""Scripts against the real engine, with golden transcripts (`pytest --update` rewrites them; review the diff)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss.play.record import played_json
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.rulebooks import load_plan
from support import BOOKS, pitboss
from support.transcript import account, transcript

FOLDER = Path(__file__).parent.parent / "scenarios"
SCENARIOS = sorted(FOLDER.glob("*.json"))
IRREGULARITIES = sorted((FOLDER / "irregularities").glob("*.json"))


@pytest.mark.parametrize("path", [*SCENARIOS, *IRREGULARITIES], ids=lambda path: path.stem)
def test_golden(path: Path, request: pytest.FixtureRequest) -> None:
    """Irregularities without the views of every role; theirs are the views of any round."""
    told = transcript if path in SCENARIOS else account
    text = told(play_scenario(read_scenario(path.read_text(), name=path.name)))
    golden = path.with_suffix(".txt")
    if request.config.getoption("--update"):
        golden.write_text(text)
    assert golden.read_text() == text


def test_there_is_a_scenario_for_every_procedure_of_every_book() -> None:
    names = {path.stem for path in SCENARIOS}
    for book in BOOKS:
        assert f"{book}-refusals" in names
        for procedure in load_plan(book).procedures:
            assert f"{book}-deal-{procedure.name}" in names


def nets(book: str, procedure: str) -> tuple[str, ...]:
    path = FOLDER / f"{book}-deal-{procedure}.json"
    played = play_scenario(read_scenario(path.read_text(), name=path.name))
    assert all(step.refusal is None for step in played.steps)
    return tuple(seat["net"] for seat in played_json(played)["seats"])


def test_the_order_of_the_deal_decides_the_money() -> None:
    """One deck a book: procedures that deal in another order pay other sums. Methods A and B of hold'em do not."""
    for book in BOOKS:
        procedures = [procedure.name for procedure in load_plan(book).procedures]
        results = {name: nets(book, name) for name in procedures}
        same_order = {"method-b"} if book == "mbs-thb-9" else set()
        distinct = [result for name, result in results.items() if name not in same_order]
        assert len(set(distinct)) == len(distinct), book
    assert nets("mbs-thb-9", "method-a") == nets("mbs-thb-9", "method-b")


REFUSED = {
    "early", "late", "wrong-size", "wrong-multiple", "no-ante", "second-view", "not-enough-chips", "not-your-decision",
    "others-jackpot", "others-box", "undecided", "out-of-order", "no-fold", "no-check", "decided-already", "hand-over",
    "not-staff", "not-a-player", "no-authority", "restricted", "barred", "blocked", "round-open", "dealt-already",
    "revealed-already", "not-revealed", "no-such-area", "under-minimum", "over-maximum", "jackpot-suspended", "blind",
    "no-establishing", "established-already", "nothing-there", "pooled", "virtual-table", "cards-unknown", "suspended",
    "nothing-to-decide", "no-such-place", "no-hand", "not-suspended", "nothing-hidden",
}  # fmt: skip


def test_every_refusal_is_met_in_some_scenario_and_cites_clauses_where_one_applies() -> None:
    met: dict[str, set[str]] = {}
    for path in SCENARIOS:
        for step in play_scenario(read_scenario(path.read_text(), name=path.name)).steps:
            if step.refusal is not None:
                met.setdefault(step.refusal.code, set()).update(step.refusal.clauses or ("",))
    assert set(met) >= REFUSED - {"virtual-table", "not-suspended"}
    silent = {code for code, clauses in met.items() if "" in clauses}
    assert silent <= {
        "not-enough-chips",
        "not-staff",
        "not-a-player",
        "not-suspended",
        "no-such-power",
        "no-such-area",
    }


BAD = [
    ({"steps": ["dealer: opn bets"]}, "step 1: no step begins with 'opn'; did you mean 'open'?"),
    ({"steps": ["dealer: open the bets"]}, "step 1: 'open the bets' does not fit; write 'open bets'"),
    ({"steps": ["dealer: open bets", "dealer"]}, "step 2: 'dealer' is no step"),
    ({"steps": ["deeler: deal"]}, "step 1: nobody here is called 'deeler'; did you mean 'dealer'?"),
    ({"steps": ["p9@1: fold"]}, "step 1: 'p9' is not among the players"),
    ({"steps": ["p1@7: fold"]}, "step 1: there is no position 7; the table has 1 to 6"),
    ({"steps": ["p1@1: wager anti 25"]}, "step 1: no wager is called 'anti'; did you mean 'ante'?"),
    ({"steps": ["p1@1: wager ante 25.001"]}, "step 1: '25.001' is not an amount"),
    ({"steps": ["p1@1: wager ante"]}, "write 'wager AREA AMOUNT [unnoticed]'"),
    ({"steps": ["dealer: reveal flip"]}, "no place is called 'flip'; did you mean 'flop'?"),
    ({"steps": ["dealer: card 1 Xx"]}, "'Xx' is not a card"),
    ({"steps": ["dealer: card 9 As"]}, "there is no position 9"),
    ({"steps": ["pit-manager: rule voyd"]}, "no remedy is called 'voyd'; did you mean 'void'?"),
    ({"steps": ["dealer: absent one"]}, "'one' is no position"),
    ({"steps": ["dealer: for p1@1"]}, "a step on request names the player and the step"),
    ({"steps": ["dealer: open bets", ""]}, "step 2: '' is no step"),
    ({"steps": [5]}, "step 1: 5 is no step"),
    ({"deck": "As Kd As"}, "deck[2]: As is in the deck twice"),
    ({"deck": "As Kd 1s"}, "deck[2]: '1s' is not a card"),
    ({"deck": ""}, "the deck is empty"),
    ({"players": {}}, "nobody is at the table"),
    ({"players": {"p1": 5}}, "players.p1: 5 is not an amount"),
    ({"table": {"procedure": "method-d"}}, "no procedure 'method-d'; did you mean 'method-c'?"),
    ({"table": {"positions": 9}}, "9 positions; this game has 1 to 7"),
    ({"table": {"seats": 9}}, "unknown key 'seats'"),
    ({"table": {"jackpot": {"unit": "5", "increment_bp": 20000}}}, "20000 basis points"),
    ({"readings": {"R-FOR1": "z"}}, "it has a, b"),
    ({"stesp": []}, "unknown key 'stesp'; did you mean 'steps'?"),
    (
        {
            "deck": "As Kd",
            "steps": ["dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal"],
        },
        "step 4: 9 cards are needed here, and the device holds 2; lengthen 'deck', the deck of round 1",
    ),
]


@pytest.mark.parametrize(("change", "text"), BAD, ids=[text[:45] for _, text in BAD])
def test_bad_scenarios_are_one_line_with_the_step(
    change: dict[str, object], text: str, tmp_path: Path
) -> None:
    document = {"rulebook": "mbs-thb-9", "players": {"p1": "100"}, "deck": "As Kd", "steps": []} | change
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(document))
    ran = pitboss("run", str(file), "--json")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert text in ran.err


@pytest.mark.parametrize("path", SCENARIOS[::5], ids=lambda path: path.stem)
def test_the_transcript_for_people_shows_every_step(path: Path) -> None:
    ran = pitboss("run", str(path))
    assert (ran.code, ran.err) == (0, "")
    for step in json.loads(path.read_text())["steps"]:
        assert step in ran.out


def test_the_transcript_for_people_cites_what_is_done_about_an_irregularity() -> None:
    out = pitboss("run", str(FOLDER / "irregularities/mbs-thb-9-wrong-count-position.json")).out
    assert "The hand at position 1 is out; its stakes go back.  [5.7]" in out
    assert "Position 2 may withdraw.  [5.7, 5.7.1]" in out


def test_a_round_is_saved_loaded_and_replayed(tmp_path: Path) -> None:
    path, record = FOLDER / "rws-thp-2-refusals.json", tmp_path / "record.json"
    ran = pitboss("run", str(path), "--json", "--save", str(record))
    assert ran.code == 0
    document = json.loads(record.read_text())
    assert all(event["event"].endswith(".v1") for event in document["events"])
    view = json.loads(pitboss("replay", str(record), "--as", "p1", "--json").out)
    assert view["rack"] == json.loads(ran.out)["balances"]["p1"]
    assert "Replay of" in pitboss("replay", str(record), "--as", "surveillance").out
    for change, text in (
        ({"format": "x"}, "not a record of this version"),
        ({"digest": "0"}, "the rulebook is not the one that was played"),
        ({"events": [{"event": "bets-opend.v1"}]}, "did you mean 'bets-opened.v1'?"),
        ({"events": [{"event": "bets-opened.v1", "round": 1}]}, "unknown key 'round'"),
        ({"events": [{"event": "bets-opened.v1", "round_number": "1"}]}, "is not a int"),
    ):
        record.write_text(json.dumps(document | change))
        bad = pitboss("replay", str(record))
        assert (bad.code, bad.err.count("\n")) == (2, 1)
        assert text in bad.err
    record.write_text(json.dumps(document))
    assert "did you mean" in pitboss("replay", str(record), "--as", "p11").err
