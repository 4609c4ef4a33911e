"""A drill at the terminal: asks, reads what is typed or handed over, marks at once, keeps the score."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from random import Random
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from pitboss.cli.colour import console
from pitboss.cli.drill_felt import draw_exercise, draw_marks
from pitboss.cli.output import read_text, say_error
from pitboss.cli.score_file import ScoreFile
from pitboss.errors import BadInput
from pitboss.money import format_cents
from pitboss.rulebooks import Plan
from pitboss.school.answers import (
    HELP,
    Marked,
    mark_irregularity,
    mark_settlement,
    parse_answer,
    parse_choice,
)
from pitboss.school.course import next_exercise
from pitboss.school.exercises import Exercise
from pitboss.school.own_sets import next_of_set
from pitboss.school.problems import IrregularityProblem, SettlementProblem
from pitboss.school.scores import BookScore, at_level, scored
from pitboss.school.shapes import DrillQuestion
from pitboss.school.showing import area_of, asking, marks
from pitboss.school.topics import MOST_LEVEL

LEAVING = ("quit", "q", "exit")
ASKING = ("?", "help", "h")
HOW_TO = "Answers: take, push, pay 25; a remedy by its number. '?' helps, 'quit' ends."


class Leave(Exception):  # noqa: N818 - a person leaving is no error
    """The trainee wants to go, or there are no more answers."""


class Course(Protocol):
    """Where the problems come from."""

    def next(self, scores: dict[str, BookScore]) -> Exercise | None:
        """The next problem for somebody with these scores; None when there are no more."""
        ...

    def books(self) -> list[str]:
        """The ids of the books that the problems come from."""
        ...


class BookCourse:
    """The problems of one book, from its known errors to whatever the trainee is ready for."""

    def __init__(self, plan: Plan, rng: Random, only: str) -> None:
        self.plan, self.rng, self.only = plan, rng, only

    def next(self, scores: dict[str, BookScore]) -> Exercise | None:
        """The next problem; a book never runs out of them."""
        return next_exercise(self.plan, scores[self.plan.id], self.rng, only=self.only)

    def books(self) -> list[str]:
        """The one book."""
        return [self.plan.id]


class SetCourse:
    """The problems of a school's own set, in its order."""

    def __init__(self, exercises: list[Exercise]) -> None:
        self.exercises, self.done = exercises, 0

    def next(self, scores: dict[str, BookScore]) -> Exercise | None:
        """What was missed and is due, else the next of the set; None at its end."""
        found = next_of_set(self.exercises, scores, done=self.done)
        self.done += found is not None and not found.comes_back
        return found

    def books(self) -> list[str]:
        """Every book that a problem of the set is of."""
        return list(dict.fromkeys(one.problem.plan.id for one in self.exercises))


class Answers(Protocol):
    """Where the answers come from."""

    def ask(self, prompt: str) -> str:
        """One answer. Raises `EOFError` when there are no more."""
        ...

    def not_understood(self, bad: BadInput) -> None:
        """An answer that cannot be used: it is asked again, or raised."""
        ...

    def ended_midway(self) -> None:
        """There are no more answers, and some of a problem are given: it is left, or raised."""
        ...


class Typed:
    """Answers from whoever sits at the terminal."""

    def __init__(self, out: Console) -> None:
        self.out = out

    def ask(self, prompt: str) -> str:
        """What is typed, when it is typed."""
        return self.out.input(Text(prompt, style="bold"))

    def not_understood(self, bad: BadInput) -> None:
        """It is said, and asked again."""
        say_error(str(bad))

    def ended_midway(self) -> None:
        """Who leaves may leave at any time."""


class HandedOver:
    """Answers from a file, one a line; empty lines and those that begin with # are none.

    A line that cannot be used ends the drill: every answer after it would be about another wager.
    """

    def __init__(self, out: Console, lines: list[str], name: str) -> None:
        self.out, self.lines, self.name = out, iter(enumerate(lines, 1)), name
        self.at = 0

    def ask(self, prompt: str) -> str:
        """The next line, shown as if it had been typed."""
        for number, line in self.lines:
            if line.strip() and not line.lstrip().startswith("#"):
                self.at = number
                self.out.print(Text.assemble((prompt, "bold"), line.strip()))
                return line
        raise EOFError

    def not_understood(self, bad: BadInput) -> None:
        """Raises it with the line."""
        raise BadInput(f"{self.name}:{self.at}: {bad.place}", bad.problem, bad.remedy) from bad

    def ended_midway(self) -> None:
        """Raises `BadInput`: half a problem is not marked."""
        raise BadInput(self.name, "the answers end in the middle of a problem", "answer every wager of it")


def answers_from(named: str | None, out: Console) -> Answers:
    """Whoever sits there, unless answers are handed over."""
    if named is None and sys.stdin.isatty():
        return Typed(out)
    return HandedOver(out, read_text(named or "-").splitlines(), named or "-")


def beside_a_document() -> Console:
    """A console on standard error, for a drill whose document goes to standard output."""
    return console(sys.stderr)


def now_written() -> str:
    """The time as it is written into scores."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Questioner:
    """Asks about one problem after the other, wager by wager, or for the remedy."""

    def __init__(self, out: Console, answers: Answers) -> None:
        self.out, self.answers = out, answers

    def marked(self, exercise: Exercise) -> Marked:
        """The answer of the trainee, marked. Raises `Leave` or `EOFError` when he goes."""
        problem = exercise.problem
        if isinstance(problem, SettlementProblem):
            return self._settled(problem)
        return self._ruled(problem)

    def _settled(self, problem: SettlementProblem) -> Marked:
        given = {}
        for asked in problem.lines:
            area = area_of(problem.plan, asked.wager)
            stake = f" {format_cents(asked.stake)}" if asked.stake else ""
            prompt = f"position {asked.position}  {area}{stake} > "
            while asked not in given:
                try:
                    given[asked] = parse_answer(self._said(prompt, HELP), asked)
                except BadInput as bad:
                    self.answers.not_understood(bad)
                except EOFError:
                    if given:
                        self.answers.ended_midway()
                    raise
        return mark_settlement(problem, given)

    def _ruled(self, problem: IrregularityProblem) -> Marked:
        while True:
            said = self._said("remedy > ", f"write its number, 1 to {len(problem.choices)}")
            try:
                return mark_irregularity(problem, parse_choice(said, problem.choices))
            except BadInput as bad:
                self.answers.not_understood(bad)

    def _said(self, prompt: str, how: str) -> str:
        """What is answered; who asks for help or wants to go is not marked."""
        while True:
            said = self.answers.ask(prompt)
            if said.strip().lower() in LEAVING:
                raise Leave
            if said.strip().lower() not in ASKING:
                return said
            self.out.print(f"  {how}", markup=False)


class Drill:
    """One drill of one trainee. Every mark is on the disk before the next problem is asked."""

    def __init__(
        self,
        out: Console,
        answers: Answers,
        kept: ScoreFile,
        trainee: str,
        course: Course,
        *,
        level: int | None,
    ) -> None:
        self.out, self.kept, self.trainee, self.course = out, kept, trainee, course
        self.questioner = Questioner(out, answers)
        self.right = self.wrong = 0
        self.interrupted = False
        self.told: list[dict[str, Any]] = []
        self.open: DrillQuestion | None = None
        self.scores = {book: kept.of(trainee, book) for book in course.books()}
        if level is not None:
            self.scores = {book: at_level(score, level) for book, score in self.scores.items()}

    def run(self, most: int) -> None:
        """Ask so many problems, or as many as there are; whoever leaves keeps what was marked."""
        self.out.print(f"[dim]{HOW_TO}[/dim]")
        try:
            for number in range(1, most + 1):
                exercise = self.course.next(self.scores)
                if exercise is None:
                    break
                self.open = asking(exercise)
                draw_exercise(self.out, exercise, f"{number}.")
                self._marked(exercise, self.questioner.marked(exercise))
                self.open = None
        except (EOFError, KeyboardInterrupt, Leave) as end:
            self.interrupted = isinstance(end, KeyboardInterrupt)
            self.out.print()
            say_error("the drill ends here; what was marked is kept")
        self._sum_up()

    def _marked(self, exercise: Exercise, marked: Marked) -> None:
        book = exercise.problem.plan.id
        at = now_written()
        self.scores[book] = scored(self.scores[book], exercise.topic, exercise.seed, marked, at=at)
        self.kept.keep(self.trainee, book, self.scores[book])
        self.right, self.wrong = self.right + marked.is_right, self.wrong + (not marked.is_right)
        self.told.append({"asked": self.open, "marks": marks(exercise, marked)})
        draw_marks(self.out, exercise, marked)

    def _sum_up(self) -> None:
        asked = self.right + self.wrong
        if not asked:
            self.out.print("Nothing was marked.")
            return
        waits = sum(len(score.missed) for score in self.scores.values())
        back = f" {waits} to come back." if waits else ""
        levels = [f", difficulty {score.level} of {MOST_LEVEL}" for score in self.scores.values()]
        level = levels[0] if isinstance(self.course, BookCourse) else ""
        self.out.print(f"\n[bold]{self.right} of {asked} right[/bold]{level}.{back}")
        self.out.print(f"[dim]Scores of {self.trainee} are in {self.kept.file}[/dim]", soft_wrap=True)

    def document(self) -> dict[str, Any]:
        """The drill for other programs: each problem with its marks, and the one left unanswered."""
        return {
            "trainee": self.trainee,
            "right": self.right,
            "wrong": self.wrong,
            "levels": {book: score.level for book, score in self.scores.items()},
            "problems": self.told,
            "unanswered": self.open,
        }
