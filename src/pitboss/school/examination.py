"""An examination: a number makes its problems, the same for everybody who sits it, whatever he has scored.

It asks as the drill asks a new trainee who misses nothing. Marks are told at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

from pitboss.errors import BadInput
from pitboss.rulebooks.plan import Plan
from pitboss.school.answers import Marked
from pitboss.school.course import KINDS, next_question
from pitboss.school.exercises import Exercise
from pitboss.school.scores import BookScore, ClauseScore, at_level, scored
from pitboss.school.showing import kind_of
from pitboss.school.syllabus import syllabus
from pitboss.school.topics import LEAST_LEVEL, MOST_LEVEL

LEAST_PROBLEMS, MOST_PROBLEMS = 1, 50
USUAL_PROBLEMS = 10
LEAST_NUMBER, MOST_NUMBER = 1, 999_999_999
DRAWN_FROM, DRAWN_BELOW = 100_000, 1_000_000
"""A number that nobody has announced is drawn between these: six digits are easily read out."""

_PASSED = ClauseScore(attempts=1, right=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What an examination asks: the same paper on the same book has the same problems in the same order.

    Without a level the difficulty rises from problem to problem.
    """

    number: int
    problems: int
    only: str = ""
    level: int | None = None


class Question(NamedTuple):
    """A topic and a number, which make a problem; both stay with who examines."""

    topic: str
    seed: int


class Told(NamedTuple):
    """An answer of an examination as it counts: the book, what was asked, and whether it was right."""

    rulebook: str
    question: Question
    is_right: bool
    clauses: Mapping[str, bool]


class ClauseResult(NamedTuple):
    """How often a clause stood behind the problems of an examination, and how often it was got right."""

    rulebook: str
    clause: str
    asked: int
    right: int


def check_paper(paper: Paper) -> None:
    """Raises `BadInput` for a paper that cannot be set."""
    if not LEAST_NUMBER <= paper.number <= MOST_NUMBER:
        raise BadInput(
            "number", f"{paper.number} is no examination number", f"write {LEAST_NUMBER} to {MOST_NUMBER}"
        )
    if not LEAST_PROBLEMS <= paper.problems <= MOST_PROBLEMS:
        remedy = f"an examination has {LEAST_PROBLEMS} to {MOST_PROBLEMS}"
        raise BadInput("problems", f"{paper.problems} problems", remedy)
    if paper.only and paper.only not in KINDS:
        raise BadInput("only", f"no kind '{paper.only}'", f"write {' or '.join(KINDS)}")
    if paper.level is not None and not LEAST_LEVEL <= paper.level <= MOST_LEVEL:
        raise BadInput("level", f"no level {paper.level}", f"write {LEAST_LEVEL} to {MOST_LEVEL}")


def questions_of_book(plan: Plan, paper: Paper) -> tuple[Question, ...]:
    """The questions of a paper on a book: known errors first, up to half of it, then what gets harder."""
    check_paper(paper)
    rng = Random(paper.number)
    score = BookScore(topics=dict.fromkeys(_left_out(plan, paper, rng), _PASSED))
    found: list[Question] = []
    for at in range(paper.problems):
        asked = next_question(plan, at_level(score, _level(paper, at)), rng, only=paper.only)
        found.append(Question(asked.topic.name, asked.seed))
        score = scored(score, asked.topic.name, asked.seed, Marked(is_right=True, clauses={}), at="")
    return tuple(found)


def _left_out(plan: Plan, paper: Paper, rng: Random) -> list[str]:
    """The known errors for which a paper has no room: something else is to be asked, too."""
    traps = [
        topic.name
        for topic in syllabus(plan)
        if topic.is_trap and (not paper.only or topic.kind == paper.only)
    ]
    room = (paper.problems + 1) // 2
    return rng.sample(traps, max(0, len(traps) - room))


def _level(paper: Paper, at: int) -> int:
    """How hard the problem at a place may be: fixed, or from the least to the most over the whole paper."""
    if paper.level is not None:
        return paper.level
    return LEAST_LEVEL + at * (MOST_LEVEL - LEAST_LEVEL + 1) // paper.problems


def questions_of_set(exercises: Sequence[Exercise], paper: Paper) -> tuple[Question, ...]:
    """So many problems of a school's own set as the number chooses, each once, in the order of the set."""
    check_paper(paper)
    if paper.level is not None:
        raise BadInput("level", "a set of the school's own has no difficulty", "leave it out")
    fitting = [one for one in exercises if not paper.only or kind_of(one.problem) == paper.only]
    if len(fitting) < paper.problems:
        problem = f"the set has {len(fitting)} problems of that kind" if paper.only else ""
        problem = problem or f"the set has {len(fitting)} problems"
        raise BadInput("problems", problem, "ask for as many, or for fewer")
    chosen = sorted(Random(paper.number).sample(range(len(fitting)), paper.problems))
    return tuple(Question(fitting[at].topic, fitting[at].seed) for at in chosen)


def examined(score: BookScore, told: Iterable[Told], *, at: str) -> BookScore:
    """A trainee's score in a book after an examination: every answer counts as one of practice would."""
    for one in told:
        marked = Marked(is_right=one.is_right, clauses=one.clauses)
        score = scored(score, one.question.topic, one.question.seed, marked, at=at)
    return score


def by_clause(told: Iterable[Told]) -> list[ClauseResult]:
    """The result of an examination clause by clause, what was got right least first."""
    counted: dict[tuple[str, str], list[bool]] = {}
    for one in told:
        for number, is_right in one.clauses.items():
            counted.setdefault((one.rulebook, number), []).append(is_right)
    found = [
        ClauseResult(rulebook, number, len(marks), sum(marks))
        for (rulebook, number), marks in counted.items()
    ]
    return sorted(found, key=lambda one: (Fraction(one.right, one.asked), -one.asked))
