"""An examination at the terminal: the problems that its number makes, and every mark at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.console import Console

from pitboss.cli.drill_felt import draw_exercise, draw_marks
from pitboss.cli.drilling import HOW_TO, Answers, Leave, Questioner, Typed, now_written
from pitboss.cli.output import say_error
from pitboss.cli.score_file import ScoreFile
from pitboss.rulebooks import Plan
from pitboss.school.answers import Marked, given_in_words
from pitboss.school.course import exercise_of
from pitboss.school.examination import (
    Paper,
    Question,
    Told,
    by_clause,
    examined,
    questions_of_book,
    questions_of_set,
)
from pitboss.school.exercises import Exercise
from pitboss.school.shapes import DrillQuestion
from pitboss.school.showing import asking, gist_of, marks
from pitboss.school.syllabus import topic_called


def problems_of_book(plan: Plan, paper: Paper) -> list[Exercise]:
    """The problems of a paper on a rulebook."""
    found = questions_of_book(plan, paper)
    return [exercise_of(plan, topic_called(plan, one.topic), one.seed) for one in found]


def problems_of_set(exercises: Sequence[Exercise], paper: Paper) -> list[Exercise]:
    """The problems of a paper on a school's own set."""
    by_topic = {one.topic: one for one in exercises}
    return [by_topic[one.topic] for one in questions_of_set(exercises, paper)]


class Answered(NamedTuple):
    """A problem of an examination, and what became of it."""

    exercise: Exercise
    marked: Marked

    @property
    def told(self) -> Told:
        """As it counts."""
        question = Question(self.exercise.topic, self.exercise.seed)
        rulebook = self.exercise.problem.plan.id
        return Told(rulebook, question, self.marked.is_right, self.marked.clauses)


class Examination:
    """One examination of one trainee. Nothing is told and nothing counts before it has ended."""

    def __init__(self, out: Console, answers: Answers, kept: ScoreFile, trainee: str, paper: Paper) -> None:
        self.out, self.answers, self.kept, self.trainee, self.paper = out, answers, kept, trainee, paper
        self.questioner = Questioner(out, answers)
        self.answered: list[Answered] = []
        self.open: DrillQuestion | None = None
        self.interrupted = False

    @property
    def right(self) -> int:
        """So many problems were answered right."""
        return sum(one.marked.is_right for one in self.answered)

    @property
    def not_answered(self) -> int:
        """So many problems have no answer; they count as not right."""
        return self.paper.problems - len(self.answered)

    def run(self, exercises: Sequence[Exercise]) -> None:
        """Ask every problem once; whoever leaves has not answered the rest. Then mark all of it."""
        head = f"Examination {self.paper.number}: {self.paper.problems} problems, marked at the end."
        self.out.print(f"[bold]{head}[/bold]")
        self.out.print(f"[dim]{HOW_TO}[/dim]")
        try:
            for number, exercise in enumerate(exercises, 1):
                self.open = asking(exercise)
                draw_exercise(self.out, exercise, f"{number} of {self.paper.problems}.")
                self.answered.append(Answered(exercise, self._answer(exercise)))
                self.open = None
        except (EOFError, KeyboardInterrupt, Leave) as end:
            self.interrupted = isinstance(end, KeyboardInterrupt)
            self.out.print()
            say_error(
                f"the examination ends here; not answered: {self.not_answered} of {self.paper.problems}"
            )
        self._count()
        self._tell()

    def _answer(self, exercise: Exercise) -> Marked:
        """An answer, marked in silence. Who sits there and wants to go is asked twice."""
        warned = not isinstance(self.answers, Typed)
        while True:
            try:
                return self.questioner.marked(exercise)
            except Leave:
                if warned:
                    raise
                warned = True
                self.out.print(f"  Not answered yet: {self.not_answered}. 'quit' again ends the examination.")

    def _count(self) -> None:
        """What was answered counts in the scores, all of it now."""
        told = [one.told for one in self.answered]
        for book in dict.fromkeys(one.rulebook for one in told):
            own = [one for one in told if one.rulebook == book]
            score = examined(self.kept.of(self.trainee, book), own, at=now_written())
            self.kept.keep(self.trainee, book, score)

    def _tell(self) -> None:
        """The marks of every problem, and the result."""
        for number, one in enumerate(self.answered, 1):
            self.out.print(f"\n[bold]Problem {number} of {self.paper.problems}[/bold]")
            draw_marks(self.out, one.exercise, one.marked)
        self.out.print(f"\n[bold]Examination {self.paper.number}: {self._result()}[/bold]")
        plans = {one.exercise.problem.plan.id: one.exercise.problem.plan for one in self.answered}
        for found in by_clause(one.told for one in self.answered):
            if found.right < found.asked:
                gist = gist_of(plans[found.rulebook], found.clause)
                self.out.print(
                    f"  {found.clause:<11} {found.right} of {found.asked}  {gist}",
                    markup=False,
                    soft_wrap=True,
                )
        if self.answered:
            self.out.print(f"[dim]Scores of {self.trainee} are in {self.kept.file}[/dim]", soft_wrap=True)

    def _result(self) -> str:
        left = f", {self.not_answered} not answered" if self.not_answered else ""
        return f"{self.right} of {self.paper.problems} right{left}."

    def document(self) -> dict[str, Any]:
        """The examination for other programs; a problem that was not answered has no marks in it."""
        paper = self.paper
        return {
            "trainee": self.trainee,
            "examination": {
                "number": paper.number,
                "problems": paper.problems,
                "only": paper.only,
                "level": paper.level,
            },
            "right": self.right,
            "wrong": len(self.answered) - self.right,
            "not_answered": self.not_answered,
            "clauses": [one._asdict() for one in by_clause(one.told for one in self.answered)],
            "problems": [
                {"asked": asking(one.exercise), "given": _given(one.marked), "marks": marks(*one)}
                for one in self.answered
            ],
            "unanswered": self.open,
        }


def _given(marked: Marked) -> list[dict[str, Any]]:
    """What was answered of each wager; a remedy stands in the marks."""
    return [
        {
            "position": line.asked.position,
            "wager": line.asked.wager,
            "says": given_in_words(line.asked, line.given),
        }
        for line in marked.lines
    ]
