"""A report on a trainee: how they do in each rulebook and on each clause, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitboss.rulebooks.plan import Plan
from pitboss.school.scores import BookScore, ClauseScore
from pitboss.school.shapes import DrillBookReport, DrillScore, DrillTrap, TraineeReport
from pitboss.school.showing import gist_of
from pitboss.school.syllabus import syllabus

PlanOf = Callable[[str], Plan | None]
"""The plan of a rulebook's id, or None where it is not at hand."""


def trainee_report(name: str, books: Mapping[str, BookScore], plan_of: PlanOf) -> TraineeReport:
    """The report on one trainee as a document; the clauses that need most practice come first."""
    return TraineeReport(
        trainee=name,
        books=[_book(book, score, plan_of(book)) for book, score in sorted(books.items())],
    )


def _book(book: str, score: BookScore, plan: Plan | None) -> DrillBookReport:
    topics = {} if plan is None else {topic.name: topic for topic in syllabus(plan)}
    return DrillBookReport(
        rulebook=book,
        title="" if plan is None else plan.book.identity.title,
        asked=score.asked,
        right=score.right,
        level=score.level,
        clauses=[
            DrillScore(
                clause=number,
                gist="" if plan is None else gist_of(plan, number),
                attempts=found.attempts,
                right=found.right,
                last=found.last,
            )
            for number, found in sorted(score.clauses.items(), key=lambda item: _need(item[1]))
        ],
        traps=[_trap(topic.title, score.topics.get(name)) for name, topic in topics.items() if topic.is_trap],
        comes_back=[
            topics[one.topic].title if one.topic in topics else "a problem of the school's own"
            for one in score.missed
        ],
    )


def _need(score: ClauseScore) -> tuple[float, int]:
    """What is got right least comes first, then what was asked most."""
    return score.right / score.attempts if score.attempts else 0, -score.attempts


def _trap(title: str, score: ClauseScore | None) -> DrillTrap:
    found = score or ClauseScore()
    return DrillTrap(title, found.attempts, found.right)
