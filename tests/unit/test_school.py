"""The dealer school: problems whose answer is the engine's, marked to the wager, remembered and repeated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pitboss.errors import BadInput
from pitboss.money import NOTHING, Cents
from pitboss.play import check_facts, settle
from pitboss.play.decide import decide
from pitboss.play.events import IrregularityReported
from pitboss.play.facts import Status
from pitboss.play.refusal import Refusal
from pitboss.play.settlement import SettlementLine
from pitboss.rulebooks import Plan, WagerName, load_plan
from pitboss.rulebooks.trouble import Remedy
from pitboss.rulebooks.vocabulary import Situation
from pitboss.school.answers import (
    Answer,
    answer_of,
    in_words,
    mark_irregularity,
    mark_settlement,
    parse_answer,
    parse_choice,
    right_answers,
)
from pitboss.school.course import next_exercise
from pitboss.school.exercises import Exercise
from pitboss.school.irregularities import irregularity_topics
from pitboss.school.own_sets import next_in_set, next_of_set, own_exercise
from pitboss.school.problems import Asked, IrregularityProblem, SettlementProblem
from pitboss.school.report import trainee_report
from pitboss.school.rounds import situations
from pitboss.school.scores import LATER, SOON, BookScore, read_scores, scored, write_scores
from pitboss.school.set_files import read_own
from pitboss.school.settlements import settlement_topics
from pitboss.school.showing import asking, marks
from pitboss.school.syllabus import syllabus, topic_called
from pitboss.school.topics import Topic, problem_of
from pitboss.school.traps import traps_of
from support import BOOKS, pitboss
from support.sent import as_sent

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "docs" / "drills"
SEEDS = range(2)
AT = "2026-11-17T08:00:00+00:00"


def problems(plan: Plan) -> Iterator[tuple[Topic, SettlementProblem | IrregularityProblem]]:
    for topic in syllabus(plan):
        for seed in SEEDS:
            yield topic, problem_of(plan, topic, seed)


# --- the answers are the engine's -------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_what_the_engine_does_is_right_and_anything_else_is_wrong(book: str) -> None:
    for topic, problem in problems(load_plan(book)):
        if isinstance(problem, SettlementProblem):
            check_facts(problem.plan, problem.facts)
            engine = {
                (seat.position, line.wager): line
                for seat in settle(problem.plan, problem.facts).seats
                for line in seat.lines
            }
            asked = {(asked.position, asked.wager): line for asked, line in problem.lines.items()}
            assert engine.items() <= asked.items(), topic.name
            assert all(not asked[left].paid for left in asked.keys() - engine.keys()), topic.name
            right = right_answers(problem)
            assert mark_settlement(problem, right).is_right
            for asked_now, answer in right.items():
                wrong = right | {asked_now: answer._replace(paid=Cents(answer.paid + 100))}
                marked = mark_settlement(problem, wrong)
                assert [line.is_right for line in marked.lines].count(False) == 1
                missed = {number for number, is_right in marked.clauses.items() if not is_right}
                assert missed == set(problem.lines[asked_now].clauses) != set(), topic.name
        else:
            outcome = decide(problem.state, problem.report)
            assert not isinstance(outcome, Refusal)
            told = outcome[0]
            assert isinstance(told, IrregularityReported)
            assert (told.remedy, set(told.clauses) <= set(problem.clauses)) == (problem.right.remedy, True)
            verdicts = [mark_irregularity(problem, choice).is_right for choice in problem.choices]
            assert verdicts.count(True) == 1, topic.name
            assert 3 <= len(problem.choices) <= 5, topic.name


@pytest.mark.parametrize("book", BOOKS)
def test_every_answer_in_words_is_understood_as_it_was_meant(book: str) -> None:
    for _, problem in problems(load_plan(book)):
        if isinstance(problem, SettlementProblem):
            for asked, line in problem.lines.items():
                assert parse_answer(in_words(asked, line), asked) == Answer(line.paid, line.collected)
        else:
            for number, choice in enumerate(problem.choices, 1):
                assert parse_choice(choice.name, problem.choices) == choice
                assert parse_choice(str(number), problem.choices) == choice


@pytest.mark.parametrize("book", BOOKS)
def test_no_two_remedies_that_a_trainee_cannot_tell_apart_are_offered(book: str) -> None:
    unchanged = {Remedy.CONTINUE, Remedy.NOTHING, Remedy.SETTLED_ROUNDS_STAND, Remedy.SETTLEMENT_STANDS}
    for topic in irregularity_topics(load_plan(book)):
        problem = problem_of(load_plan(book), topic, 5)
        assert isinstance(problem, IrregularityProblem)
        assert len({choice.name for choice in problem.choices}) == len(problem.choices)
        assert sum(choice.remedy in unchanged for choice in problem.choices) <= 1


@pytest.mark.parametrize("book", BOOKS)
def test_every_topic_of_a_book_has_problems(book: str) -> None:
    plan = load_plan(book)
    topics = [*traps_of(plan), *settlement_topics(plan), *irregularity_topics(plan)]
    assert {topic.name for topic in topics} == {topic.name for topic in syllabus(plan)}
    assert {topic.level for topic in topics} == {1, 2, 3, 4, 5, 6}


def test_a_number_makes_the_same_problem_again() -> None:
    plan = load_plan("mbs-3cp-2023")
    for topic in syllabus(plan):
        first, second = (
            as_sent(asking(Exercise(topic.name, 7, problem_of(plan, topic, 7)))) for _ in range(2)
        )
        assert first == second


# --- the known errors --------------------------------------------------------------------------------------


def lines_of(problem: SettlementProblem) -> dict[str, SettlementLine]:
    return {asked.wager: line for asked, line in problem.lines.items()}


def is_trap(name: str, problem: SettlementProblem) -> bool:
    """Whether a problem really is the round in which the error is made."""
    lines, (seat,) = lines_of(problem), problem.facts.seats
    (situation,) = situations(problem.plan, problem.facts)
    wager = name.rpartition("-")[2] if "six-card" not in name and "pair-plus" not in name else ""
    wager = wager or ("six-card-bonus" if "six-card" in name else "pair-plus")
    line = lines[wager]
    if name.startswith("trap-on-a-loss"):
        lost = lines["ante"].collected == seat.wagers[WagerName("ante")]
        return situation is Situation.LOWER and lost and line.paid > NOTHING == line.collected
    if name.startswith("trap-paid-too-low"):
        return situation is Situation.HIGHER and lines["flop"].paid > NOTHING == line.paid == line.collected
    return seat.status is Status.FOLDED and lines["ante"].collected > NOTHING < line.paid


TRAPS = {
    "mbs-3cp-2023": [
        "Pair Plus unpaid on a losing hand",
        "Six Card Bonus unpaid on a losing hand",
        "Folded cards cleared before the Pair Plus is read",
        "Folded cards cleared before the Six Card Bonus is read",
        "Jackpot forgotten after a fold",
    ],
    "mbs-thb-9": [
        "Bonus taken on a losing hand",
        "Ante paid below a straight",
        "Jackpot forgotten after a fold",
    ],
    "rws-thp-2": [
        "Bonus taken on a losing hand",
        "Ante paid below a straight",
        "Jackpot forgotten after a fold",
    ],
    "hoiana-thb-2025": ["Bonus taken on a losing hand", "Ante paid below a straight"],
    "mbs-stud-6": ["Jackpot forgotten after a fold"],
}


@pytest.mark.parametrize("book", BOOKS)
def test_the_known_errors_come_first_and_are_what_they_are_called(book: str) -> None:
    plan, rng, score = load_plan(book), Random(3), BookScore()
    titles = []
    for _ in TRAPS[book]:
        exercise = next_exercise(plan, score, rng)
        problem = exercise.problem
        assert isinstance(problem, SettlementProblem)
        assert exercise.is_trap
        assert is_trap(exercise.topic, problem), exercise.title
        titles.append(exercise.title)
        score = scored(
            score, exercise.topic, exercise.seed, mark_settlement(problem, right_answers(problem)), at=AT
        )
    assert titles == TRAPS[book]
    assert not next_exercise(plan, score, rng).is_trap


def test_a_trap_is_there_only_where_the_rules_make_it_one() -> None:
    taken = load_plan("mbs-thb-9", {"R-BONUS-LOSE": "a"})
    assert "Bonus taken on a losing hand" not in [topic.title for topic in traps_of(taken)]
    flush = load_plan("mbs-thb-9", changes=["ante.pays-from=flush"])
    assert "Ante paid below a flush" in [topic.title for topic in traps_of(flush)]


# --- difficulty and repetition ------------------------------------------------------------------------------


def answered(score: BookScore, exercise: Exercise, *, right: bool) -> BookScore:
    problem = exercise.problem
    if isinstance(problem, SettlementProblem):
        marked = mark_settlement(problem, right_answers(problem) if right else {})
    else:
        choice = next(choice for choice in problem.choices if (choice == problem.right) is right)
        marked = mark_irregularity(problem, choice)
    return scored(score, exercise.topic, exercise.seed, marked, at=AT)


def test_what_was_missed_comes_back_soon_and_goes_after_two_right_answers_in_a_row() -> None:
    plan, rng = load_plan("mbs-stud-6"), Random(1)
    missed = next_exercise(plan, BookScore(), rng)
    score = answered(BookScore(), missed, right=False)
    for _ in range(SOON):
        exercise = next_exercise(plan, score, rng)
        assert exercise.topic != missed.topic
        score = answered(score, exercise, right=True)
    again = next_exercise(plan, score, rng)
    assert (again.topic, again.seed, again.comes_back) == (missed.topic, missed.seed, True)
    score = answered(score, again, right=True)
    for _ in range(LATER):
        exercise = next_exercise(plan, score, rng)
        assert not exercise.comes_back
        score = answered(score, exercise, right=True)
    fresh = next_exercise(plan, score, rng)
    assert (fresh.topic, fresh.comes_back) == (missed.topic, True)
    assert fresh.seed != missed.seed
    assert [one.topic for one in score.missed] == [missed.topic]
    assert answered(score, fresh, right=True).missed == ()
    once_more = answered(score, fresh, right=False).missed
    assert [(one.topic, one.streak) for one in once_more] == [(missed.topic, 0)]


@pytest.mark.parametrize("book", BOOKS)
def test_who_misses_the_first_known_errors_is_still_asked_about_the_others(book: str) -> None:
    plan, rng, score = load_plan(book), Random(1), BookScore()
    titles = []
    for _ in TRAPS[book]:
        exercise = next_exercise(plan, score, rng)
        titles.append(exercise.title)
        score = answered(score, exercise, right=False)
    assert titles == TRAPS[book]


def test_difficulty_rises_with_success_and_falls_with_failure() -> None:
    plan, rng, score = load_plan("hoiana-thb-2025"), Random(2), BookScore()
    levels = []
    for _ in range(12):
        exercise = next_exercise(plan, score, rng)
        score = answered(score, exercise, right=True)
        levels.append(score.level)
    assert levels == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6]
    hard = topic_called(plan, next_exercise(plan, score, rng).topic)
    assert hard.level >= 4
    for level in (5, 4, 3, 2, 1, 1):
        score = answered(score, next_exercise(plan, score, rng), right=False)
        assert score.level == level
    assert max(topic_called(plan, topic).level for topic in score.topics) == 6


@pytest.mark.parametrize("only", ["settlement", "irregularity"])
def test_only_one_kind_is_asked_where_that_is_wanted(only: str) -> None:
    plan, rng, score = load_plan("mbs-stud-6"), Random(4), BookScore()
    for _ in range(8):
        exercise = next_exercise(plan, score, rng, only=only)
        assert as_sent(asking(exercise))["kind"] == only
        score = answered(score, exercise, right=True)


# --- what is typed ------------------------------------------------------------------------------------------

ANTE = Asked(1, WagerName("ante"), Cents(2500))
EXTRA = Asked(1, WagerName("ante-bonus"), NOTHING)


@pytest.mark.parametrize(
    ("text", "paid", "collected"),
    [
        ("take", 0, 2500),
        ("  TAKE ", 0, 2500),
        ("ante: take", 0, 2500),
        ("1 ante: lost", 0, 2500),
        ("push", 0, 0),
        ("stand-off", 0, 0),
        ("return 5", 0, 2000),
        ("take 20", 0, 2000),
        ("take 20 push 5", 0, 2000),
        ("take 20 and push the rest", 0, 2000),
        ("pay 25", 2500, None),
        ("pay25", 2500, None),
        ("pay 1,025.50", 102550, None),
        ("pay 25, push", 2500, 0),
        ("pay 100 and take the stake", 10000, 2500),
    ],
)
def test_an_answer_is_read_kindly(text: str, paid: int, collected: int | None) -> None:
    assert parse_answer(text, ANTE) == (paid, collected)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing was said"),
        ("give it to him", "'give' is nothing that is done with a wager"),
        ("flop: take", "this is about 'flop'"),
        ("pay", "no amount to pay"),
        ("pay 0", "not said what becomes of the stake"),
        ("pay 1.234", "is not an amount"),
        ("take 30", "the stake is 25.00"),
        ("take 20 push 20", "the stake is 25.00"),
        ("take take", "'take' stands twice"),
    ],
)
def test_what_is_no_answer_is_told_with_an_example(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        parse_answer(text, ANTE)


def test_a_payment_without_a_stake_is_made_or_not() -> None:
    assert parse_answer("none", EXTRA) == parse_answer("0", EXTRA) == (0, 0)
    assert parse_answer("ante bonus: pay 25", EXTRA) == (2500, 0)
    assert answer_of(EXTRA, pay=None, take=None, back=None) == (0, 0)
    for text in ("pay", "25", "bah"):
        with pytest.raises(BadInput, match="write 'pay 25' or 'none'"):
            parse_answer(text, EXTRA)


def test_a_remedy_is_named_or_numbered() -> None:
    plan = load_plan("rws-thp-2")
    problem = problem_of(plan, topic_called(plan, "irregularity-uncovered"), 3)
    assert isinstance(problem, IrregularityProblem)
    for text, says in (("9", "write 1 to"), ("", "nothing was said"), ("dance", "is not on the list")):
        with pytest.raises(BadInput, match=says):
            parse_choice(text, problem.choices)
    waiting = [choice for choice in problem.choices if choice.decides is not None]
    assert len(waiting) > 1
    with pytest.raises(BadInput, match="may be several"):
        parse_choice("as-ruled", problem.choices)
    assert waiting[0].decides is not None
    assert parse_choice(waiting[0].decides.value, problem.choices) == waiting[0]


# --- what is shown ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_a_question_tells_no_answer(book: str) -> None:
    """Other answers to the same facts leave the question as it is: nothing in it is made from them."""
    for topic, problem in problems(load_plan(book)):
        exercise = Exercise(topic.name, 1, problem, title=topic.title, is_trap=topic.is_trap)
        shown = as_sent(asking(exercise))
        if isinstance(problem, SettlementProblem):
            other = {asked: replace(line, paid=Cents(line.paid + 7)) for asked, line in problem.lines.items()}
            changed: SettlementProblem | IrregularityProblem = replace(problem, lines=other)
        else:
            wrong = next(choice for choice in problem.choices if choice != problem.right)
            changed = replace(problem, right=wrong, clauses=(), note="")
        assert as_sent(asking(exercise._replace(problem=changed, title="", is_trap=False, note=""))) == shown
        assert topic.title not in json.dumps(shown)


def test_a_hand_that_was_not_exposed_is_not_shown() -> None:
    plan = load_plan("mbs-stud-6")
    problem = problem_of(plan, topic_called(plan, "declined"), 1)
    assert as_sent(asking(Exercise("declined", 1, problem)))["settlement"]["seats"][0]["cards"] == ["??"] * 5


# --- scores -------------------------------------------------------------------------------------------------


def test_scores_are_kept_and_read_back() -> None:
    plan, rng, score = load_plan("mbs-thb-9"), Random(9), BookScore()
    for number in range(9):
        score = answered(score, next_exercise(plan, score, rng), right=number % 3 != 0)
    assert score.missed
    kept = {"t1": {plan.id: score}}
    assert read_scores(write_scores(kept), name="scores") == kept
    for clause_number, clause in score.clauses.items():
        assert 0 <= clause.right <= clause.attempts, clause_number
    report = as_sent(trainee_report("t1", kept["t1"], lambda book: plan))["books"][0]
    assert (report["asked"], report["right"]) == (9, 6)
    rates = [clause["right"] / clause["attempts"] for clause in report["clauses"]]
    assert rates == sorted(rates)
    assert all(clause["gist"] for clause in report["clauses"])
    assert len(report["comes_back"]) == len(score.missed)


def drill(tmp_path: Path, *words: str, answers: str = "") -> tuple[int, str, str]:
    (tmp_path / "answers").write_text(answers)
    scores = ("--scores", str(tmp_path / "scores.json"), "--answers", str(tmp_path / "answers"))
    return pitboss("drill", *words, *scores)


@pytest.mark.parametrize("more", [(), ("--exam",)])
def test_scores_that_cannot_be_kept_are_said_before_the_first_problem(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    (tmp_path / "answers").write_text("take\n" * 9)
    (tmp_path / "file").write_text("")
    scores = str(tmp_path / "file" / "scores.json")
    words = ("mbs-3cp-2023", "--scores", scores, "--answers", str(tmp_path / "answers"), *more)
    ran = pitboss("drill", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"pitboss: --scores: '{scores}' cannot be written: ")


def right_lines(tmp_path: Path, *words: str) -> str:
    """The right answers to the first problem, from the marks of wrong ones to the same one."""
    ran = drill(tmp_path, *words, "--json", "--problems", "1", answers="take\n" * 40)
    (tmp_path / "scores.json").unlink()
    (told,) = json.loads(ran[1])["problems"]
    return "".join(f"{line['says']}\n" for line in told["marks"]["lines"])


def test_a_drill_in_the_terminal_marks_keeps_and_reports(tmp_path: Path) -> None:
    words = ("mbs-3cp-2023", "--seed", "1", "--problems", "1")
    right = right_lines(tmp_path, *words)
    code, out, _ = drill(tmp_path, *words, answers=f"# comments are no answers\n\n{right}")
    assert (code, "1 of 1 right" in out) == (0, True)
    code, out, _ = drill(tmp_path, *words, "--trainee", "t2", answers="take\n" * 9)
    assert code == 1
    assert "A known error of dealers: Pair Plus unpaid on a losing hand." in out
    assert "3.12.5      Pair Plus settled per 4.3 whatever the dealer holds." in out
    kept = json.loads((tmp_path / "scores.json").read_text())
    assert kept["format"] == "pitboss-school/1"
    assert [kept["trainees"][name]["mbs-3cp-2023"]["right"] for name in ("trainee", "t2")] == [1, 0]
    reported = pitboss("drill", "report", "--scores", str(tmp_path / "scores.json"))
    assert "known error: Pair Plus unpaid on a losing hand: 0 of 1" in reported.out
    one = pitboss("drill", "--report", "--trainee", "t2", "--scores", str(tmp_path / "scores.json"), "--json")
    (found,) = json.loads(one.out)["trainees"]
    assert (found["trainee"], found["books"][0]["asked"]) == ("t2", 1)


def test_who_leaves_keeps_what_was_marked(tmp_path: Path) -> None:
    words = ("mbs-stud-6", "--seed", "3")
    right = right_lines(tmp_path, *words)
    for number, end in enumerate(("", "quit\n")):
        code, out, err = drill(tmp_path, *words, "--trainee", f"t{number}", answers=right + end)
        assert (code, "1 of 1 right" in out, "what was marked is kept" in err) == (0, True, True)
    code, out, _ = drill(tmp_path, *words, "--trainee", "t9", answers="")
    assert (code, "Nothing was marked." in out) == (0, True)
    assert "t9" not in json.loads((tmp_path / "scores.json").read_text())["trainees"]


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        (
            lambda lines: ["tkae", *lines[1:]],
            ":1: ante: 'tkae' is nothing that is done with a wager; did you",
        ),
        (lambda lines: [lines[0], "bah", *lines[2:]], ":2: "),
        (lambda lines: lines[:-1], "the answers end in the middle of a problem"),
    ],
)
def test_answers_of_a_file_that_cannot_be_used_end_the_drill(
    tmp_path: Path, spoilt: Callable[[list[str]], list[str]], says: str
) -> None:
    """Every answer after a slip would be about another wager, and marked as wrong."""
    words = ("mbs-3cp-2023", "--seed", "1", "--problems", "1")
    right = right_lines(tmp_path, *words).splitlines()
    code, _, err = drill(tmp_path, *words, answers="\n".join(spoilt(right)) + "\n")
    assert (code, says in err) == (2, True), err
    assert not (tmp_path / "scores.json").exists()


def test_a_remedy_that_is_nearly_named_is_told_and_one_that_waits_is_called_so() -> None:
    plan = load_plan("rws-thp-2")
    problem = next(
        found
        for seed in range(200)
        for topic in syllabus(plan)
        if topic.kind == "irregularity"
        and isinstance(found := problem_of(plan, topic, seed), IrregularityProblem)
        and [choice.decides is None for choice in found.choices].count(False) == 1
    )
    waiting = next(choice for choice in problem.choices if choice.decides is not None)
    assert parse_choice("wait", problem.choices) == waiting
    with pytest.raises(BadInput, match=r"did you mean 'wait'\? \(or its number\)"):
        parse_choice("wiat", problem.choices)


def test_the_first_problem_can_be_had_without_an_answer(tmp_path: Path) -> None:
    document = json.loads(drill(tmp_path, "rws-thp-2", "--json")[1])
    assert document["problems"] == []
    assert document["unanswered"]["settlement"]["asked"]


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ("{", "not JSON"),
        ("[]", "is not an object"),
        ('{"format": "pitboss-school/9", "trainees": {}}', "not scores of this version"),
        ('{"format": "pitboss-school/1", "trainees": {"t": {"b": {"asked": -1}}}}', "is missing"),
        ('{"format": "pitboss-school/1", "trainees": {"t": {"b": {"level": 99}}}}', "level 99"),
    ],
)
def test_a_damaged_file_of_scores_is_left_alone(tmp_path: Path, kept: str, says: str) -> None:
    (tmp_path / "scores.json").write_text(kept)
    code, _, err = drill(tmp_path, "mbs-stud-6", answers="take\n")
    assert code == 2
    assert says in err
    assert "the scores are left as they are" in err
    assert (tmp_path / "scores.json").read_text() == kept


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "RULEBOOK: is missing"),
        (("mbs-3cp-2024",), "mbs-3cp-2023"),
        (("mbs-stud-6", "--only", "settlements"), "did you mean 'settlement'?"),
        (("mbs-stud-6", "--level", "7"), "--level: no level 7"),
        (("mbs-stud-6", "--problems", "0"), "--problems: 0 problems"),
        (("mbs-stud-6", "--trainee", " "), "--trainee: is no name"),
        (("mbs-stud-6", "--reading", "R-NOT=a"), "R-NOT"),
        (("mbs-stud-6", "--set", str(EXAMPLES)), "no problem of this book and kind is in it"),
        (("report", "--trainee", "nobody"), "nothing is kept of 'nobody'"),
    ],
)
def test_what_cannot_be_drilled_is_refused(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    code, _, err = drill(tmp_path, *words)
    assert (code, says in err) == (2, True), err


def test_scores_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "answers").write_text("take\n" * 20)
    ran = pitboss(
        *("drill", "mbs-stud-6", "--answers", str(tmp_path / "answers"), "--problems", "1"),
        *("--scores", str(tmp_path / "file" / "scores.json")),
    )
    assert (ran.code, "cannot be written" in ran.err) == (2, True)


def test_a_book_of_ones_own_is_drilled_and_reported(tmp_path: Path) -> None:
    own = str(ROOT / "tests" / "books" / "holdem-with-qualification.toml")
    plan = load_plan(own)
    code, out, _ = drill(tmp_path, own, "--seed", "1", "--problems", "1", answers="take\n" * 9)
    assert code in (0, 1)
    assert plan.book.identity.title in out
    reported = pitboss("drill", own, "--report", "--scores", str(tmp_path / "scores.json"), "--json")
    (found,) = json.loads(reported.out)["trainees"]
    assert found["books"][0]["rulebook"] == plan.id
    assert all(clause["gist"] for clause in found["books"][0]["clauses"])


# --- a school's own problems --------------------------------------------------------------------------------


def test_the_example_set_asks_what_its_scripts_end_with(tmp_path: Path) -> None:
    right = "take\nnone\npay 70\ntake\ntake\nnone\nvoid\n"
    code, out, _ = drill(tmp_path, "--set", str(EXAMPLES / "set.json"), answers=right)
    assert (code, "2 of 2 right" in out) == (0, True)
    assert "Read the folded cards before you clear them." in out
    code, out, _ = drill(tmp_path, "--set", str(EXAMPLES), answers=right)
    assert (code, "2 of 2 right" in out) == (0, True)
    one = str(EXAMPLES / "misdeal-nobody-looked.json")
    code, out, _ = drill(tmp_path, "--set", one, answers="nothing\nvoid\nvoid\n")
    assert (code, "2 of 3 right." in out, "(it was missed before)" in out) == (1, True, True)


def test_a_missed_problem_of_a_set_waits_for_its_turn() -> None:
    exercises = [own_exercise((EXAMPLES / name).read_text(), name=name) for name in scripts()]
    scores = {exercise.problem.plan.id: BookScore() for exercise in exercises}
    first = next_of_set(exercises, scores, done=0)
    assert first == exercises[0]
    book = first.problem.plan.id
    scores[book] = answered(scores[book], first, right=False)
    assert next_of_set(exercises, scores, done=1) == exercises[1]
    assert next_of_set(exercises, scores, done=2) == exercises[0]._replace(comes_back=True)


def test_a_set_without_end_asks_first_what_was_never_had_then_what_was_had_least() -> None:
    exercises = [own_exercise((EXAMPLES / name).read_text(), name=name) for name in scripts()]
    scores: dict[str, BookScore] = {}
    seen = []
    for _ in range(4):
        exercise = next_in_set(exercises, scores)
        book = exercise.problem.plan.id
        scores[book] = answered(scores.get(book, BookScore()), exercise, right=True)
        seen.append(exercise.topic)
    assert seen == [one.topic for one in exercises] * 2
    missed = next_in_set(exercises, scores)
    book = missed.problem.plan.id
    scores[book] = answered(scores[book], missed, right=False)
    assert next_in_set(exercises, scores) == missed._replace(comes_back=True)


def scripts() -> list[str]:
    return sorted(path.name for path in EXAMPLES.glob("*.json") if path.name != "set.json")


def script(*steps: str, **changes: object) -> str:
    document = json.loads((EXAMPLES / "misdeal-nobody-looked.json").read_text())
    return json.dumps(document | {"steps": [*document["steps"][:-1], *steps]} | changes)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (script(), "there is nothing to settle yet"),
        (script("dealer: settle"), "there is nothing to settle yet"),
        (script("dealer: report wrong-count 5"), "is refused"),
        (script("dealer: open bets", "dealer: report misdeal"), "is refused"),
        (script(steps=[]), "there are no steps"),
        (script("dealer: dance"), "no step begins with 'dance'"),
        ('{"problems": [], "format": "pitboss-problem-set/1"}', "there are none"),
        ('{"problems": [{"scenario": "none.json"}], "format": "pitboss-problem-set/1"}', "no such file"),
        ('{"problems": [{"file": "x"}], "format": "pitboss-problem-set/1"}', "unknown key 'file'"),
        ('{"problems": [], "format": "pitboss-problem-set/2"}', "not a problem set of this version"),
    ],
)
def test_a_set_that_asks_nothing_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "own.json").write_text(text)
    code, _, err = drill(tmp_path, "--set", str(tmp_path / "own.json"))
    assert (code, says in err) == (2, True), err


def test_a_folder_without_a_set_file_goes_by_the_names_of_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    for name, new in zip(scripts(), ("b.json", "a.json"), strict=True):
        (folder / new).write_text((EXAMPLES / name).read_text())
    assert [one.title[:9] for one in read_own(folder).exercises] == ["A misdeal", "Six Card "]
    for name in ("one.json", "two.json"):
        (folder / name).write_text((EXAMPLES / "set.json").read_text())
    with pytest.raises(BadInput, match="several sets are in this folder"):
        read_own(folder)


def test_an_empty_folder_is_no_set(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, _, err = drill(tmp_path, "--set", str(tmp_path / "empty"))
    assert (code, "no scenario is in this folder" in err) == (2, True)


def test_a_script_may_stop_just_before_the_settlement(tmp_path: Path) -> None:
    document = json.loads((EXAMPLES / "folded-six-card-bonus.json").read_text())
    whole = own_exercise(json.dumps(document), name="whole")
    short = own_exercise(json.dumps(document | {"steps": document["steps"][:-1]}), name="short")
    assert as_sent(asking(whole)) == as_sent(asking(short))
    assert as_sent(marks(short, mark_settlement(short.problem, {})))["title"] == document["title"]  # type: ignore[arg-type]


# --- the page about it --------------------------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "drills.md").read_text(), re.S)


def test_the_set_of_the_page_is_the_example() -> None:
    (shown,) = blocks("json")
    assert json.loads(shown) == json.loads((EXAMPLES / "set.json").read_text())
