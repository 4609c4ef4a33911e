"""Examinations of the dealer school: a number makes the problems for everybody, and marks come at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss.errors import BadInput
from pitboss.rulebooks import load_plan
from pitboss.school.answers import in_words
from pitboss.school.course import exercise_of
from pitboss.school.examination import (
    MOST_NUMBER,
    Paper,
    Question,
    Told,
    by_clause,
    examined,
    questions_of_book,
    questions_of_set,
)
from pitboss.school.exercises import Exercise
from pitboss.school.problems import SettlementProblem
from pitboss.school.scores import BookScore, ClauseScore
from pitboss.school.set_files import read_own
from pitboss.school.syllabus import syllabus, topic_called
from pitboss.school.topics import IRREGULARITY, MOST_LEVEL, SETTLEMENT
from support import BOOKS, pitboss

BOOK = "mbs-3cp-2023"
EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "drills"
AT = "2026-11-17T08:00:00+00:00"


# --- the paper --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_known_errors_come_first_then_it_gets_harder_and_no_problem_comes_twice(book: str) -> None:
    plan = load_plan(book)
    found = questions_of_book(plan, Paper(number=2026, problems=20))
    topics = [topic_called(plan, one.topic) for one in found]
    traps = [topic.name for topic in syllabus(plan) if topic.is_trap]
    assert [topic.name for topic in topics[: len(traps)]] == traps
    assert not any(topic.is_trap for topic in topics[len(traps) :])
    assert len(set(found)) == 20, "a topic whose level has run out is asked with other cards"
    assert len({topic.name for topic in topics}) > 15
    assert {topic.kind for topic in topics} == {SETTLEMENT, IRREGULARITY}
    for place, topic in enumerate(topics):
        assert topic.level <= 1 + place * MOST_LEVEL // 20
    assert max(topic.level for topic in topics[-5:]) == MOST_LEVEL


def test_a_number_makes_the_same_paper_again_and_another_number_another() -> None:
    plan = load_plan(BOOK)
    papers = [questions_of_book(plan, Paper(number=number, problems=12)) for number in (7, 7, 8)]
    assert papers[0] == papers[1]
    assert not set(papers[0]) & set(papers[2])


def test_what_the_examination_2026_asks_stays_what_it_was() -> None:
    """A class that repeats a number after an upgrade is to get the paper it had."""
    found = questions_of_book(load_plan(BOOK), Paper(number=2026, problems=6))
    assert found == PINNED


PINNED = (
    Question("trap-on-a-loss-six-card-bonus", 440821892),
    Question("trap-cleared-six-card-bonus", 958999842),
    Question("trap-folded-jackpot", 1806527458),
    Question("irregularity-uncovered", 2108418345),
    Question("irregularity-power-failure", 1894488586),
    Question("full-table", 10887059),
)


def test_a_short_paper_does_not_only_ask_known_errors() -> None:
    plan = load_plan(BOOK)
    all_traps = {topic.name for topic in syllabus(plan) if topic.is_trap}
    asked: set[str] = set()
    for number in range(1, 40):
        names = [one.topic for one in questions_of_book(plan, Paper(number=number, problems=4))]
        assert sum(name in all_traps for name in names) == 2
        asked |= set(names) & all_traps
    assert asked == all_traps


@pytest.mark.parametrize("level", [1, 4, MOST_LEVEL])
@pytest.mark.parametrize("only", [SETTLEMENT, IRREGULARITY])
def test_a_difficulty_and_a_kind_can_be_fixed(level: int, only: str) -> None:
    plan = load_plan("rws-thp-2")
    found = questions_of_book(plan, Paper(number=5, problems=12, level=level, only=only))
    topics = [topic_called(plan, one.topic) for one in found]
    assert {topic.kind for topic in topics} == {only}
    levels = [topic.level for topic in topics if not topic.is_trap]
    easiest = min(topic.level for topic in syllabus(plan) if topic.kind == only and not topic.is_trap)
    assert max(levels) <= max(level, easiest)
    if level == 4:
        assert min(levels) >= 2


def test_a_paper_on_a_set_is_of_its_problems_in_its_order() -> None:
    own = read_own(EXAMPLES).exercises
    topics = [one.topic for one in own]
    whole = questions_of_set(own, Paper(number=1, problems=len(own)))
    assert [one.topic for one in whole] == topics
    firsts = {questions_of_set(own, Paper(number=number, problems=1))[0].topic for number in range(1, 20)}
    assert firsts == set(topics)
    (settlement,) = questions_of_set(own, Paper(number=1, problems=1, only=SETTLEMENT))
    assert settlement.topic == topics[0]


@pytest.mark.parametrize(
    ("paper", "place"),
    [
        (Paper(number=0, problems=5), "number"),
        (Paper(number=MOST_NUMBER + 1, problems=5), "number"),
        (Paper(number=1, problems=0), "problems"),
        (Paper(number=1, problems=51), "problems"),
        (Paper(number=1, problems=5, only="both"), "only"),
        (Paper(number=1, problems=5, level=7), "level"),
    ],
)
def test_a_paper_that_cannot_be_set_is_refused(paper: Paper, place: str) -> None:
    with pytest.raises(BadInput) as found:
        questions_of_book(load_plan(BOOK), paper)
    assert found.value.place == place
    with pytest.raises(BadInput):
        questions_of_set(read_own(EXAMPLES).exercises, paper)


def test_a_set_has_no_difficulty_and_no_more_problems_than_it_has() -> None:
    own = read_own(EXAMPLES).exercises
    with pytest.raises(BadInput, match="has no difficulty"):
        questions_of_set(own, Paper(number=1, problems=1, level=2))
    with pytest.raises(BadInput, match=f"the set has {len(own)} problems"):
        questions_of_set(own, Paper(number=1, problems=len(own) + 1))


# --- the result -------------------------------------------------------------------------------------------


def test_the_result_is_told_by_clause_the_weakest_first() -> None:
    told = [
        Told("a", Question("t1", 1), False, {"1.1": True, "1.2": False}),
        Told("a", Question("t2", 2), True, {"1.1": True, "1.2": True}),
        Told("b", Question("t3", 3), False, {"1.1": False}),
    ]
    assert [tuple(one) for one in by_clause(told)] == [
        ("b", "1.1", 1, 0),
        ("a", "1.2", 2, 1),
        ("a", "1.1", 2, 2),
    ]


def test_what_was_answered_counts_as_in_practice_and_what_was_missed_comes_back() -> None:
    before = BookScore(clauses={"1.1": ClauseScore(attempts=3, right=3, last="x")}, asked=3, right=3)
    told = [
        Told("a", Question("t1", 11), False, {"1.1": False}),
        Told("a", Question("t2", 12), True, {"1.2": True}),
    ]
    after = examined(before, told, at=AT)
    assert (after.asked, after.right) == (5, 4)
    assert after.clauses["1.1"] == ClauseScore(attempts=4, right=3, last=AT)
    assert [(one.topic, one.seed) for one in after.missed] == [("t1", 11)]


# --- in the terminal --------------------------------------------------------------------------------------


def exam(tmp_path: Path, *words: str, answers: str = "") -> tuple[int, str, str]:
    (tmp_path / "answers.txt").write_text(answers)
    more = ("--exam", "--scores", str(tmp_path / "s.json"), "--answers", str(tmp_path / "answers.txt"))
    ran = pitboss("drill", *words, *more)
    return ran.code, ran.out, ran.err


def exercises(number: int, problems: int, **more: object) -> list[Exercise]:
    plan = load_plan(BOOK)
    found = questions_of_book(plan, Paper(number=number, problems=problems, **more))  # type: ignore[arg-type]
    return [exercise_of(plan, topic_called(plan, one.topic), one.seed) for one in found]


def right_lines(found: list[Exercise]) -> list[str]:
    lines: list[str] = []
    for one in found:
        problem = one.problem
        if isinstance(problem, SettlementProblem):
            lines += [in_words(asked, line) for asked, line in problem.lines.items()]
        else:
            lines.append(str(problem.choices.index(problem.right) + 1))
    return lines


def test_an_examination_in_the_terminal_is_marked_at_the_end_and_then_counts(tmp_path: Path) -> None:
    lines = right_lines(exercises(2026, 3))
    code, out, _ = exam(
        tmp_path, BOOK, "--seed", "2026", "--problems", "3", answers="\n".join(["pay 123456", *lines[1:]])
    )
    assert code == 1
    asked, _, told = out.partition("Problem 1 of 3\n")
    assert "3 of 3. " in asked
    assert not {"Right.", "Wrong.", "✓", "✗"} & set(asked.split())
    assert (told.count("Right."), told.count("Wrong.")) == (2, 1)
    assert "(you: pay 123456.00)" in told
    assert "Examination 2026: 2 of 3 right." in told
    scores = json.loads((tmp_path / "s.json").read_text())["trainees"]["trainee"][BOOK]
    assert (scores["asked"], scores["right"], len(scores["missed"])) == (3, 2, 1)
    code, out, _ = exam(tmp_path, BOOK, "--seed", "2026", "--problems", "3", answers="\n".join(lines))
    assert code == 0, "the same problems, whatever was scored before"
    assert "3 of 3 right" in out


def test_who_leaves_has_not_answered_the_rest(tmp_path: Path) -> None:
    lines = right_lines(exercises(9, 4, only=IRREGULARITY))
    words = (BOOK, "--seed", "9", "--problems", "4", "--only", "irregularity", "--json")
    code, out, err = exam(tmp_path, *words, answers="\n".join([*lines[:2], "quit"]))
    document = json.loads(out)
    assert (code, document["right"], document["wrong"], document["not_answered"]) == (1, 2, 0, 2)
    assert document["examination"] == {"number": 9, "problems": 4, "only": IRREGULARITY, "level": None}
    assert len(document["problems"]) == 2
    assert "remedy" in document["problems"][0]["marks"]
    assert "marks" not in document["unanswered"]
    assert "not answered: 2 of 4" in err
    scores = json.loads((tmp_path / "s.json").read_text())["trainees"]["trainee"][BOOK]
    assert scores["asked"] == 2, "what was not answered does not count in practice"


def test_a_number_is_drawn_where_none_was_announced(tmp_path: Path) -> None:
    found = [json.loads(exam(tmp_path, BOOK, "--json")[1])["examination"] for _ in range(2)]
    assert all(100_000 <= one["number"] < 1_000_000 and one["problems"] == 10 for one in found)
    assert found[0]["number"] != found[1]["number"]


def test_a_set_is_examined_whole_or_in_part(tmp_path: Path) -> None:
    whole = json.loads(exam(tmp_path, "--set", str(EXAMPLES), "--json")[1])
    assert whole["examination"]["problems"] == whole["not_answered"] == 2
    code, out, _ = exam(tmp_path, "--set", str(EXAMPLES), "--only", "irregularity", answers="void")
    assert "1 of 1. " in out
    assert code in (0, 1)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((BOOK, "--seed", "0"), "--seed: 0 is no examination number"),
        ((BOOK, "--problems", "51"), "an examination has 1 to 50"),
        (("--set", str(EXAMPLES), "--level", "2"), "--level: a set of the school's own has no difficulty"),
        (("--set", str(EXAMPLES), "--problems", "9"), "--problems: the set has 2 problems"),
        ((), "RULEBOOK: is missing"),
    ],
)
def test_what_cannot_be_examined_is_refused(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    code, _, err = exam(tmp_path, *words)
    assert (code, says in err) == (2, True), err
