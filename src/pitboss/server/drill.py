"""The dealer school over HTTP: a problem is asked, answered once, and marked at once."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Request, Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter

from pitboss.floor.people import at_least
from pitboss.play.shapes import parts_of
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import Position
from pitboss.school.course import next_exercise
from pitboss.school.exercises import Exercise
from pitboss.school.own_sets import next_in_set
from pitboss.school.report import trainee_report
from pitboss.school.scores import BookScore, at_level, scored
from pitboss.school.set_files import OwnSet
from pitboss.school.shapes import DrillBook, DrillBooks, DrillMarks, DrillProblem, DrillReport
from pitboss.school.showing import asking, kind_of, marks
from pitboss.server.commands import PROBLEMS, Path, house_of
from pitboss.server.drill_shapes import DrillAnswer, DrillWanted
from pitboss.server.errors import Conflict, Forbidden
from pitboss.server.exams import sat
from pitboss.server.gate import session_of
from pitboss.server.house import House
from pitboss.server.identity import Session
from pitboss.server.schooling import (
    books_of,
    kept_score,
    made_again,
    mark,
    otherwise,
    own_books,
    own_set,
    plan_of,
    score_of,
    scores_of,
    written,
)
from pitboss.store.school import OpenExercise

_PROBLEMS = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 429, 503)}
_CHANGES = _PROBLEMS | {n: PROBLEMS[n] for n in (409, 413)}
_NOT_OPEN = "No such problem is open for you; it may be answered already."
_MOST_SITTINGS = 100
"""A report tells of so many examinations, the newest."""
Trainee = Annotated[str | None, QueryParameter(max_length=100, description="A trainee, as kind/name.")]


# --- the books --------------------------------------------------------------------------------------------


@get("/drill", responses=_PROBLEMS)
async def drill_books(request: Request[Any, Any, Any]) -> DrillBooks:
    """Every rulebook that is drilled, and how the asker does in it."""
    house, asker = house_of(request), session_of(request).asker

    def work() -> DrillBooks:
        scores = scores_of(house, asker.kind, asker.name)
        read = {key: otherwise(adopted) for key, adopted in own_books(house).items()}
        books = [_listed(key, plan, read.get(key, {}), scores) for key, plan in books_of(house).items()]
        books += [_listed_set(key, own, scores) for key, own in house.own_sets.all().items()]
        sitting = house.sittings.open_of(asker.kind, asker.name)
        return DrillBooks(books, "" if sitting is None else sitting.id)

    return await house.schooling.run(work)


def _listed(key: str, plan: Plan, readings: Mapping[str, str], scores: Mapping[str, BookScore]) -> DrillBook:
    score = scores.get(plan.id, BookScore())
    return DrillBook(
        rulebook=key,
        title=plan.book.identity.title,
        game=plan.id,
        readings=dict(readings),
        asked=score.asked,
        right=score.right,
        level=score.level,
        comes_back=len(score.missed),
        problems=0,
    )


def _listed_set(key: str, own: OwnSet, scores: Mapping[str, BookScore]) -> DrillBook:
    """A set of the school's own has no difficulty: it says 0."""
    topics = {one.topic for one in own.exercises}
    had = [score for book in scores.values() for name, score in book.topics.items() if name in topics]
    missed = [one for book in scores.values() for one in book.missed if one.topic in topics]
    return DrillBook(
        rulebook=key,
        title=own.title,
        game=own.exercises[0].problem.plan.id,
        readings={},
        asked=sum(score.attempts for score in had),
        right=sum(score.right for score in had),
        level=0,
        comes_back=len(missed),
        problems=len(own.exercises),
    )


# --- asking -----------------------------------------------------------------------------------------------


@post("/drill/{rulebook:str}/next", status_code=200, responses=_CHANGES)
async def drill_next(
    request: Request[Any, Any, Any], rulebook: Path, data: JSONBody[DrillWanted]
) -> DrillProblem:
    """The next problem in a rulebook. One that was asked and not answered is asked again."""
    house, session = house_of(request), session_of(request)
    return await house.schooling.run(_next, house, session, rulebook, data)


def _next(house: House, session: Session, rulebook: str, wanted: DrillWanted) -> DrillProblem:
    asker, own = session.asker, own_set(house, rulebook)
    if house.sittings.open_of(asker.kind, asker.name) is not None:
        raise Conflict("exam-open", "An examination of yours is open: finish it, or leave it, first.")
    only = wanted.only if own is None else ""
    before = house.school.before(asker.kind, asker.name, rulebook)
    waiting = None if before is None else _made(house, before)
    level = wanted.level if own is None else None
    if before is not None and waiting is not None and only in ("", kind_of(waiting.problem)) and not level:
        return _question(before.id, waiting)
    scores = scores_of(house, asker.kind, asker.name)
    if own is not None:
        exercise = next_in_set(own.exercises, scores)
    else:
        plan = plan_of(house, rulebook)
        score = scores.get(plan.id, BookScore())
        if level:
            score = _begun_at(house, session, plan.id, level)
        exercise = next_exercise(plan, score, secrets.SystemRandom(), only=only)
    opened = OpenExercise(
        id=secrets.token_urlsafe(24),
        kind=asker.kind,
        name=asker.name,
        rulebook=rulebook,
        topic=exercise.topic,
        seed=exercise.seed,
        comes_back=exercise.comes_back,
        asked_at=house.floor.now(),
    )
    house.school.ask(opened)
    return _question(opened.id, exercise)


def _begun_at(house: House, session: Session, book: str, level: int) -> BookScore:
    """Somebody chooses the difficulty at which he goes on; it rises and falls from there."""
    score = BookScore()

    def change(text: str) -> str:
        nonlocal score
        score = at_level(score_of(text), level)
        return kept_score(score)

    house.school.rescore(session.asker.kind, session.asker.name, book, change, at=house.floor.now())
    return score


def _question(identifier: str, exercise: Exercise) -> DrillProblem:
    return DrillProblem(**parts_of(asking(exercise)), exercise=identifier)


def _made(house: House, opened: OpenExercise) -> Exercise | None:
    found = made_again(house, opened.rulebook, opened.topic, opened.seed)
    return None if found is None else found._replace(comes_back=opened.comes_back)


# --- marking ----------------------------------------------------------------------------------------------


@post("/drill/exercises/{exercise:str}/answer", status_code=200, responses=_CHANGES)
async def drill_answer(
    request: Request[Any, Any, Any], exercise: Path, data: JSONBody[DrillAnswer]
) -> DrillMarks:
    """Answer a problem, once. What cannot be understood is 400, and the problem stays open."""
    house, session = house_of(request), session_of(request)
    return await house.schooling.run(_answered, house, session, exercise, data)


def _answered(house: House, session: Session, identifier: str, answer: DrillAnswer) -> DrillMarks:
    opened = None if "\x00" in identifier else house.school.exercise(identifier)
    if opened is None or (opened.kind, opened.name) != (session.asker.kind, session.asker.name):
        raise NotFoundException(_NOT_OPEN)
    exercise = _made(house, opened)
    if exercise is None:
        raise NotFoundException(_NOT_OPEN)
    marked = mark(exercise.problem, answer)
    now = house.floor.now()
    score = BookScore()

    def change(text: str) -> str:
        nonlocal score
        score = scored(score_of(text), opened.topic, opened.seed, marked, at=written(now))
        return kept_score(score)

    if not house.school.mark(opened, exercise.problem.plan.id, change, at=now):
        raise NotFoundException(_NOT_OPEN)
    return DrillMarks(**parts_of(marks(exercise, marked)), level=score.level, comes_back=len(score.missed))


# --- the report -------------------------------------------------------------------------------------------


@get("/drill/report", responses=_PROBLEMS)
async def drill_report(request: Request[Any, Any, Any], trainee: Trainee = None) -> DrillReport:
    """The report on the asker; pit managers and above may have one on anybody."""
    house, session = house_of(request), session_of(request)

    def work() -> DrillReport:
        asker = session.asker
        leads = at_least(house.position(session), Position.PIT_MANAGER.value)
        kind, _, name = (trainee or f"{asker.kind}/{asker.name}").replace("\x00", "").partition("/")
        if (kind, name) != (asker.kind, asker.name) and not leads:
            raise Forbidden("no-authority", "A report on others is for a pit manager or above.")
        marked = {*house.school.trainees(), *house.sittings.trainees()} if leads else set()
        plans = {plan.id: plan for plan in books_of(house).values()}
        found = trainee_report(f"{kind}/{name}", scores_of(house, kind, name), plans.get)
        return DrillReport(
            trainee=found.trainee,
            books=found.books,
            others=[f"{kind}/{called}" for kind, called in sorted(marked)],
            exams=[sat(house, one) for one in house.sittings.of(kind, name, most=_MOST_SITTINGS)],
        )

    return await house.schooling.run(work)


router = Router(
    "/api", route_handlers=[drill_books, drill_next, drill_answer, drill_report], tags=["dealer school"]
)
