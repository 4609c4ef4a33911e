"""A report on a trainee: how he does in each rulebook and on each clause, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.rulebooks.plan import Plan
from pitboss.school.scores import BookScore, ClauseScore
from pitboss.school.showing import gist_of
from pitboss.school.syllabus import syllabus

PlanOf = Callable[[str], Plan | None]
"""The plan of a rulebook's id, or None where it is not at hand."""


def trainee_report(name: str, books: Mapping[str, BookScore], plan_of: PlanOf) -> dict[str, Any]:
    """The report on one trainee as a document; the clauses that need most practice come first."""
    return {
        "trainee": name,
        "books": [_book(book, score, plan_of(book)) for book, score in sorted(books.items())],
    }


def _book(book: str, score: BookScore, plan: Plan | None) -> dict[str, Any]:
    topics = {} if plan is None else {topic.name: topic for topic in syllabus(plan)}
    return {
        "rulebook": book,
        "title": "" if plan is None else plan.book.identity.title,
        "asked": score.asked,
        "right": score.right,
        "level": score.level,
        "clauses": [
            {
                "clause": number,
                "gist": "" if plan is None else gist_of(plan, number),
                "attempts": found.attempts,
                "right": found.right,
                "last": found.last,
            }
            for number, found in sorted(score.clauses.items(), key=lambda item: _need(item[1]))
        ],
        "traps": [
            {"title": topic.title, **_tried(score.topics.get(name))}
            for name, topic in topics.items()
            if topic.is_trap
        ],
        "comes_back": [
            topics[one.topic].title if one.topic in topics else "a problem of the school's own"
            for one in score.missed
        ],
    }


def _need(score: ClauseScore) -> tuple[float, int]:
    """What is got right least comes first, then what was asked most."""
    return score.right / score.attempts if score.attempts else 0, -score.attempts


def _tried(score: ClauseScore | None) -> dict[str, int]:
    found = score or ClauseScore()
    return {"attempts": found.attempts, "right": found.right}
