"""Advice to staff: what the book says about an irregularity at this table, and that nothing is applied."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitboss.play import commands as c
from pitboss.play.advice import Advice, advise, tried_view, try_rulings
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.remedies import HANDS_NAMED
from pitboss.play.scenario import play_scenario, read_scenario
from pitboss.rulebooks.conduct import CONDUCT
from pitboss.rulebooks.trouble import Condition, Irregularity, Ruling
from support import BOOKS, pitboss
from support.play import CHIEF, Table
from support.sent import as_sent

DECK = "Kh 9c 5s 2d 7h Ah Kd 3c 3d Qs Qd 4c 4d 4h 4s 8c 8d 8h 6c 6d 6h"


def script(tmp_path: Path, book: str, *more: str, procedure: str | None = None) -> str:
    table: dict[str, Any] = {} if procedure is None else {"procedure": procedure}
    if book != "hoiana-thb-2025":
        table["jackpot"] = {"unit": "5", "meter": "250000", "reset": "100000", "increment_bp": 2000}
    jackpot = [] if book == "hoiana-thb-2025" else ["p1@1: wager jackpot 5"]
    steps = ["dealer: open bets", "p1@1: wager ante 25", *jackpot, "p2@2: wager ante 50"]
    steps += ["dealer: close bets", "dealer: deal", *more]
    document = {
        "rulebook": book,
        "table": table,
        "players": {"p1": "1000", "p2": "1000"},
        "deck": DECK,
        "steps": steps,
    }
    path = tmp_path / "table.json"
    path.write_text(json.dumps(document))
    return str(path)


def asked(book: str, kind: str, at: str, *more: str) -> dict[str, Any]:
    ran = pitboss("rules", "remedy", book, kind, "--at", at, *more, "--json")
    assert (ran.code, ran.err) == (0, ""), ran.err
    (advice,) = json.loads(ran.out)["advice"]
    return dict(advice)


def test_mbs_misdeal_before_and_after_cards_are_handled(tmp_path: Path) -> None:
    before = asked("mbs-thb-9", "misdeal", script(tmp_path, "mbs-thb-9"))
    assert [branch["row"]["mode"] for branch in before["branches"]] == ["automatic", "automatic", "suspended"]
    assert before["branches"][1]["ways"] == [
        {"what": "void", "does": "void", "about": "", "racks": {"p1": "30.00", "p2": "50.00"}}
    ]
    assert before["known"] == ["dealt-not-settled", "nobody-has-handled-cards"]
    after = asked("mbs-thb-9", "misdeal", script(tmp_path, "mbs-thb-9", "p1@1: handle"))
    (branch,) = after["branches"]
    assert (branch["findings"], branch["row"]["decides"]) == ([], "shift-manager")
    ways = {way["what"]: way["racks"] for way in branch["ways"]}
    assert ways["void"] == {"p1": "30.00", "p2": "50.00"}
    assert ways["continue"] == {}
    assert ways["invalidate 2"] == {"p2": "50.00"}
    assert ways["position 1 withdraws"] == {"p1": "30.00"}


def test_a_late_discovery_says_what_is_given_back(tmp_path: Path) -> None:
    """Stud: the settled round is undone, winners give their payments back."""
    steps = ["p1@1: bet bet", "p2@2: bet bet", "dealer: reveal dealer", "dealer: settle"]
    at = script(tmp_path, "mbs-stud-6", *steps)
    ran = json.loads(pitboss("run", at, "--json").out)
    lost = {player: 1000 - float(rack) for player, rack in ran["balances"].items()}
    advice = asked("mbs-stud-6", "wrong-count-dealer", at)
    void = next(b for b in advice["branches"] if b["findings"] == ["not-reconstructable"])
    assert {p: float(a) for p, a in void["ways"][0]["racks"].items()} == {p: a for p, a in lost.items() if a}


def test_orders_that_may_follow_name_who_may_give_them(tmp_path: Path) -> None:
    advice = asked("rws-thp-2", "jackpot-failure", script(tmp_path, "rws-thp-2"))
    (branch,) = advice["branches"]
    assert {(o["ruling"], o["position"]) for o in branch["orders"]} == {
        ("close-table", "pit-manager"),
        ("block", "pit-manager"),
        ("suspend-jackpot", "pit-manager"),
    }


@pytest.mark.parametrize("book", BOOKS)
def test_every_kind_is_printed_with_who_decides_and_the_gist_of_its_clauses(book: str) -> None:
    for kind in (
        *(k.value for k in Irregularity if not k.startswith("wrong-count")),
        "wrong-count",
        *CONDUCT,
    ):
        ran = pitboss("rules", "remedy", book, kind)
        assert (ran.code, ran.err) == (0, ""), (kind, ran.err)
        assert "then" in ran.out or "knows no such wager" in ran.out
        assert "Clauses" in ran.out
        assert json.loads(pitboss("rules", "remedy", book, kind, "--json").out)["kind"] == kind


def test_a_kind_may_be_written_as_in_a_script(tmp_path: Path) -> None:
    at = script(tmp_path, "rws-thp-2")
    one = pitboss("rules", "remedy", "rws-thp-2", "wrong-count", "2", "--at", at, "--json")
    other = pitboss(
        "rules", "remedy", "rws-thp-2", "wrong-count-position", "--position", "2", "--at", at, "--json"
    )
    assert (one.code, one.out) == (0, other.out)
    for words in (("wrong-count", "community"), ("wrong-count community",), ("wrong-count-community",)):
        assert "community cards" in pitboss("rules", "remedy", "mbs-thb-9", *words).out


def test_questions_that_cannot_be_answered_are_one_line(tmp_path: Path) -> None:
    at = script(tmp_path, "rws-thp-2")
    waiting = script(tmp_path, "rws-thp-2", "dealer: report disruption")
    for arguments, text in (
        (("rws-thp-2", "misdael"), "did you mean 'misdeal'?"),
        (("mbs-thb-9", "misdeal", "--at", at), "this table plays rws-thp-2"),
        (("rws-thp-2", "confidentiality", "--at", str(tmp_path / "none.json")), "there is no such file"),
        (("rws-thp-2", "misdeal", "--at", waiting), "rule on that first"),
    ):
        ran = pitboss("rules", "remedy", *arguments)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert text in ran.err
    at = script(tmp_path, "rws-thp-2")
    ran = pitboss("rules", "remedy", "rws-thp-2", "wrong-count-position", "--at", at)
    assert (ran.code, "--position N" in ran.err) == (2, True)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.whole
def test_advice_is_what_then_happens_and_changes_nothing(book: str) -> None:
    """At tables at random: the branch of a finding has the row, and moves the chips, of the report itself."""
    compared = 0
    for seed in range(60):
        table, rng = Table.random(book, seed), Random(seed)
        for _ in range(rng.randint(3, 30)):
            table.do(table.sensible_command())
        for kind in Irregularity:
            state = table.state
            hands = tuple(sorted(state.boxes)[: HANDS_NAMED.get(kind, 0)])
            advice = advise(state, kind, positions=hands)
            assert table.state is state
            if isinstance(advice, Refusal):
                continue
            compared += _compare(table, advice, hands)
    assert compared > 300


def _count(kind: Irregularity, found: Condition | None) -> int:
    """The number of cards that a report names: of a pack that is counted, or of those exposed."""
    if kind is not Irregularity.COUNT_DOUBT:
        return 1
    return 52 if found is Condition.COUNT_IS_RIGHT else 51


def _compare(table: Table, advice: Advice, hands: tuple[int, ...]) -> int:
    state = table.state
    for branch in advice.branches:
        found = branch.findings[0] if branch.findings else None
        report = c.Report(
            by=CHIEF,
            kind=advice.kind,
            positions=hands,
            count=_count(advice.kind, found),
            reconstructable={Condition.RECONSTRUCTABLE: True, Condition.NOT_RECONSTRUCTABLE: False}.get(found)
            if found is not None
            else None,
            intentional=found is Condition.INTENTIONAL if advice.kind is Irregularity.EXTRA_VIEW else None,
        )
        outcome = decide(state, report)
        assert not isinstance(outcome, Refusal)
        assert outcome[0].clauses == branch.row.clauses  # type: ignore[union-attr]
        after = evolve_all(state, outcome)
        moved = {player: after.racks[player] - rack for player, rack in state.racks.items()}
        if branch.row.decides is None:
            assert branch.ways[0].racks == {player: amount for player, amount in moved.items() if amount}
        else:
            assert not any(moved.values())
            assert after.suspension is not None
    return len(advice.branches)


def test_what_a_ruling_costs_while_the_round_waits_for_it(tmp_path: Path) -> None:
    """A misdeal after cards were handled: what each ruling gives back, for each hand it can be about."""
    at = script(tmp_path, "mbs-thb-9", "p1@1: handle", "dealer: report misdeal")
    state = play_scenario(read_scenario(Path(at).read_text(), name="at")).state
    found = {(one["ruling"], one["argument"]): one for one in as_sent(tried_view(try_rulings(state)))}
    assert found["void", ""]["racks"] == {"p1": "30.00", "p2": "50.00"}
    assert found["continue", ""]["racks"] == {}
    assert found["invalidate", "2"]["racks"] == {"p2": "50.00"}
    leaving = {
        "what": "position 1 withdraws",
        "does": "withdraw",
        "about": "1",
        "racks": {"p1": "30.00"},
    }
    assert found["permit-withdrawal", "1"]["then"] == [leaving]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.whole
def test_rulings_tried_out_are_what_then_happens_and_change_nothing(book: str) -> None:
    """At tables at random, waiting or ruled already: chips as a ruling itself moves them; none is left out."""
    compared = 0
    for seed in range(60):
        table, rng = Table.random(book, seed), Random(seed)
        for _ in range(rng.randint(3, 30)):
            table.do(table.sensible_command())
        for kind in Irregularity:
            hands = tuple(sorted(table.state.boxes)[: HANDS_NAMED.get(kind, 0)])
            reported = decide(table.state, c.Report(by=CHIEF, kind=kind, positions=hands, count=1))
            if isinstance(reported, Refusal):
                continue
            state = evolve_all(table.state, reported)
            tried = try_rulings(state)
            if state.suspension is None:
                continue
            assert {one.ruling for one in tried} <= set(state.suspension.rulings)
            for ruling in state.suspension.rulings:
                arguments = [one.argument for one in tried if one.ruling is ruling]
                assert len(set(arguments)) == len(arguments)
                for wanted in ("", *map(str, sorted(state.boxes))):
                    outcome = decide(state, c.Rule(by=CHIEF, ruling=ruling, argument=wanted))
                    if ruling in (Ruling.INVALIDATE, Ruling.PERMIT_WITHDRAWAL):
                        assert (wanted in arguments) is not isinstance(outcome, Refusal)
            for one in tried:
                if one.ruling is Ruling.ORDER:
                    continue
                ruled = decide(state, c.Rule(by=CHIEF, ruling=one.ruling, argument=one.argument))
                assert not isinstance(ruled, Refusal)
                after = evolve_all(state, ruled)
                moved = {who: after.racks[who] - rack for who, rack in state.racks.items()}
                assert one.racks == {who: amount for who, amount in moved.items() if amount}
                compared += 1
    assert compared > 300


def test_where_nothing_waits_nothing_is_tried() -> None:
    assert try_rulings(Table.random("mbs-thb-9", 1).state) == ()
