"""Examinations of the dealer school over HTTP: asked in order, answered once each, marked at the end."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, PathParameter, QueryParameter

from pitboss.errors import BadInput
from pitboss.floor.overview import by_its_clock
from pitboss.floor.people import at_least
from pitboss.play.shapes import Shape, parts_of
from pitboss.rulebooks.vocabulary import Position
from pitboss.school.examination import (
    DRAWN_BELOW,
    DRAWN_FROM,
    LEAST_NUMBER,
    MOST_NUMBER,
    MOST_PROBLEMS,
    Paper,
    Question,
    Told,
    by_clause,
    examined,
    questions_of_book,
    questions_of_set,
)
from pitboss.school.exercises import Exercise
from pitboss.school.shapes import DrillQuestion, DrillSitting, DrillTold
from pitboss.school.showing import asking, marks
from pitboss.server.commands import PROBLEMS, Path, house_of
from pitboss.server.drill_shapes import (
    DrillAnswer,
    DrillClass,
    DrillExam,
    DrillExamClause,
    DrillExamLeft,
    DrillExamMark,
    DrillExamWanted,
)
from pitboss.server.errors import Conflict, Forbidden
from pitboss.server.gate import session_of
from pitboss.server.house import House
from pitboss.server.identity import Session
from pitboss.server.schooling import (
    kept_score,
    made_again,
    mark,
    own_set,
    plan_of,
    readings_of,
    score_of,
    written,
)
from pitboss.store.sittings import Conclusion, Place, Sitting, Taken

_PROBLEMS = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 429, 503)}
_CHANGES = _PROBLEMS | {n: PROBLEMS[n] for n in (409, 413)}
_UNKNOWN = "There is no such examination for you."
_NOT_TAKEN = {
    Taken.ENDED: ("exam-ended", "The examination has ended."),
    Taken.ANSWERED: ("exam-answered", "That problem is answered; an examination goes on with the next one."),
    Taken.NOT_YET: ("exam-order", "That problem is not open yet; they are answered in their order."),
}
PlaceNumber = Annotated[
    int, PathParameter(ge=1, le=MOST_PROBLEMS, description="The place of a problem, from 1.")
]

ExamNumber = Annotated[
    int, QueryParameter(ge=LEAST_NUMBER, le=MOST_NUMBER, description="The number of an examination.")
]
_MOST_OF_A_CLASS = 200


# --- beginning --------------------------------------------------------------------------------------------


@post("/drill/exams", status_code=200, responses=_CHANGES)
async def exam_begin(request: Request[Any, Any, Any], data: JSONBody[DrillExamWanted]) -> DrillExam:
    """Begin an examination. 409 where the asker sits one already."""
    house, session = house_of(request), session_of(request)
    return await house.schooling.run(_begun, house, session, data)


def _begun(house: House, session: Session, wanted: DrillExamWanted) -> DrillExam:
    number = wanted.number
    if number is None:
        number = DRAWN_FROM + secrets.randbelow(DRAWN_BELOW - DRAWN_FROM)
    paper = Paper(number=number, problems=wanted.problems, only=wanted.only, level=wanted.level)
    own = own_set(house, wanted.rulebook)
    if own is not None:
        questions = questions_of_set(own.exercises, paper)
        game, title = own.exercises[0].problem.plan.id, own.title
    else:
        plan = plan_of(house, wanted.rulebook)
        questions = questions_of_book(plan, paper)
        game, title = plan.id, plan.book.identity.title
    sitting = Sitting(
        id=secrets.token_urlsafe(24),
        kind=session.asker.kind,
        name=session.asker.name,
        rulebook=wanted.rulebook,
        game=game,
        title=title,
        readings=msgspec.json.encode(readings_of(house, wanted.rulebook)).decode(),
        number=number,
        problems=wanted.problems,
        only_kind=wanted.only,
        level=wanted.level,
        began_at=house.floor.now(),
    )
    if not house.sittings.begin(sitting, questions):
        raise Conflict("exam-open", "An examination of yours is open: finish it, or leave it, first.")
    return _state(house, sitting.id)


# --- sitting ----------------------------------------------------------------------------------------------


@get("/drill/exams/{exam:str}", responses=_PROBLEMS)
async def exam_state(request: Request[Any, Any, Any], exam: Path) -> DrillExam:
    """The asker's own examination as it stands; pit managers and above see anybody's that has ended."""
    house, session = house_of(request), session_of(request)

    def work() -> DrillExam:
        sitting = _found(house, exam)
        leads = at_least(house.position(session), Position.PIT_MANAGER.value)
        if not _is_own(sitting, session) and not (leads and sitting.ended_at is not None):
            raise NotFoundException(_UNKNOWN)
        return _state(house, exam)

    return await house.schooling.run(work)


@post("/drill/exams/{exam:str}/answers/{place:int}", status_code=200, responses=_CHANGES)
async def exam_answer(
    request: Request[Any, Any, Any], exam: Path, place: PlaceNumber, data: JSONBody[DrillAnswer]
) -> DrillExam:
    """Answer the problem that is open, once. The last answer ends the examination, and it is marked."""
    house, session = house_of(request), session_of(request)
    return await house.schooling.run(_answered, house, session, exam, place, data)


@post("/drill/exams/{exam:str}/end", status_code=200, responses=_CHANGES)
async def exam_end(request: Request[Any, Any, Any], exam: Path, data: JSONBody[DrillExamLeft]) -> DrillExam:
    """Leave an examination early: the rest is not answered. One that has ended stays as it was."""
    house, session = house_of(request), session_of(request)

    def work() -> DrillExam:
        sitting = _own(house, session, exam)
        _end(house, sitting)
        return _state(house, exam)

    return await house.schooling.run(work)


@get("/drill/exams", responses=_PROBLEMS)
async def exam_class(request: Request[Any, Any, Any], number: ExamNumber) -> DrillClass:
    """How a class did: everybody's examinations with a number, for pit managers and above."""
    house, session = house_of(request), session_of(request)

    def work() -> DrillClass:
        if not at_least(house.position(session), Position.PIT_MANAGER.value):
            raise Forbidden("no-authority", "The results of a class are for a pit manager or above.")
        found = house.sittings.with_number(number, most=_MOST_OF_A_CLASS)
        return DrillClass(number, [sat(house, one) for one in found])

    return await house.schooling.run(work)


def _found(house: House, identifier: str) -> Sitting:
    sitting = None if "\x00" in identifier else house.sittings.sitting(identifier)
    if sitting is None:
        raise NotFoundException(_UNKNOWN)
    return sitting


def _is_own(sitting: Sitting, session: Session) -> bool:
    return (sitting.kind, sitting.name) == (session.asker.kind, session.asker.name)


def _own(house: House, session: Session, identifier: str) -> Sitting:
    sitting = _found(house, identifier)
    if not _is_own(sitting, session):
        raise NotFoundException(_UNKNOWN)
    return sitting


def _answered(house: House, session: Session, identifier: str, place: int, answer: DrillAnswer) -> DrillExam:
    sitting = _own(house, session, identifier)
    asked = next((one for one in house.sittings.places(identifier) if one.place == place), None)
    if asked is None:
        raise NotFoundException("The examination has no such problem.")
    exercise = None
    if sitting.ended_at is None and asked.answered_at is None:
        exercise = _exercise(house, sitting, asked)
    data = "" if exercise is None else _kept(exercise, answer)
    taken = house.sittings.answer(identifier, place, data, at=house.floor.now())
    if taken is not Taken.YES:
        raise Conflict(*_NOT_TAKEN[taken])
    return _state(house, identifier)


def _exercise(house: House, sitting: Sitting, place: Place) -> Exercise | None:
    """A problem of a sitting; None where the school, or a new version, does not have it any more."""
    try:
        return made_again(house, sitting.rulebook, place.topic, place.seed, ever=True)
    except BadInput:
        return None


def _kept(exercise: Exercise, answer: DrillAnswer) -> str:
    """An answer with its marks as they are kept: what was asked and marked then is told in the end."""
    marked = mark(exercise.problem, answer)
    kept = KeptMark(asking(exercise), answer, marks(exercise, marked))
    return msgspec.json.encode(kept).decode()


class KeptMark(Shape):
    """An answer as it is kept: what was asked then, what was answered, and its marks."""

    question: DrillQuestion
    given: DrillAnswer
    marks: DrillTold


_kept_mark = msgspec.json.Decoder(KeptMark).decode


# --- the end ----------------------------------------------------------------------------------------------


def _end(house: House, sitting: Sitting) -> None:
    """End it, once: what was answered counts in the scores from now on."""
    now = house.floor.now()

    def conclude(places: list[Place]) -> Conclusion:
        told = _told(places)
        books = dict.fromkeys(one.rulebook for one in told)
        changes = {book: _change([one for one in told if one.rulebook == book]) for book in books}
        return Conclusion(len(told), sum(one.is_right for one in told), changes)

    def _change(told: list[Told]) -> Callable[[str], str]:
        return lambda text: kept_score(examined(score_of(text), told, at=written(now)))

    house.sittings.end(sitting.id, conclude, at=now)


def _told(places: list[Place]) -> list[Told]:
    """The answers of a sitting as they count."""
    found = []
    for place in places:
        if place.data:
            kept = _kept_mark(place.data)
            clauses = {one.clause: one.right for one in kept.marks.clauses}
            question = Question(place.topic, place.seed)
            found.append(Told(kept.question.rulebook, question, kept.marks.right, clauses))
    return found


# --- as it is told ----------------------------------------------------------------------------------------


def sat(house: House, sitting: Sitting) -> DrillSitting:
    """A sitting as a report tells it; times are by the floor's own clock."""
    return DrillSitting(
        exam=sitting.id,
        trainee=f"{sitting.kind}/{sitting.name}",
        rulebook=sitting.rulebook,
        game=sitting.game,
        title=sitting.title,
        readings=msgspec.json.decode(sitting.readings),
        number=sitting.number,
        problems=sitting.problems,
        only=sitting.only_kind,
        level=sitting.level,
        began=by_its_clock(house.reading, sitting.began_at),
        ended="" if sitting.ended_at is None else by_its_clock(house.reading, sitting.ended_at),
        answered=sitting.answered,
        right=sitting.right_answers,
    )


def _state(house: House, identifier: str) -> DrillExam:
    """The problem that is open, or every mark. One whose problems are all answered has ended."""
    sitting = _found(house, identifier)
    places = house.sittings.places(identifier)
    if sitting.ended_at is None:
        for place in places:
            if place.answered_at is not None:
                continue
            exercise = _exercise(house, sitting, place)
            if exercise is not None:
                head, asked = parts_of(sat(house, sitting)), asking(exercise)
                return DrillExam(**head, place=place.place, problem=asked, marks=[], clauses=[])
            house.sittings.answer(identifier, place.place, "", at=house.floor.now())
        _end(house, sitting)
        sitting, places = _found(house, identifier), house.sittings.places(identifier)
    kept = {place.place: _kept_mark(place.data) for place in places if place.data}
    marked = [_exam_mark(place.place, kept.get(place.place)) for place in places]
    return DrillExam(
        **parts_of(sat(house, sitting)),
        place=sitting.problems,
        problem=None,
        marks=marked,
        clauses=_clauses(places, list(kept.values())),
    )


def _exam_mark(place: int, kept: KeptMark | None) -> DrillExamMark:
    if kept is None:
        return DrillExamMark(place, None, None, None)
    return DrillExamMark(place, kept.question, kept.given, kept.marks)


def _clauses(places: list[Place], kept: list[KeptMark]) -> list[DrillExamClause]:
    gists = {
        (one.question.rulebook, clause.clause): clause.gist for one in kept for clause in one.marks.clauses
    }
    results = by_clause(_told(places))
    return [DrillExamClause(**one._asdict(), gist=gists[one.rulebook, one.clause]) for one in results]


router = Router(
    "/api", route_handlers=[exam_begin, exam_class, exam_state, exam_answer, exam_end], tags=["dealer school"]
)
