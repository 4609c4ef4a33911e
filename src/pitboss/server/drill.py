"""The dealer school over HTTP: a problem is asked, answered once, and marked at once."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter

from pitboss.errors import BadInput, near_miss
from pitboss.floor.people import at_least
from pitboss.floor.ports import Micros
from pitboss.floor.registry import Adopted
from pitboss.money import parse_cents
from pitboss.play.facts_file import Node, parse_json
from pitboss.rulebooks.document import book_ids
from pitboss.rulebooks.load import load_plan, plan_of_text
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import Position
from pitboss.school.answers import (
    Answer,
    Marked,
    answer_of,
    mark_irregularity,
    mark_settlement,
    parse_choice,
)
from pitboss.school.course import exercise_of, next_exercise
from pitboss.school.exercises import Exercise
from pitboss.school.own_sets import next_in_set
from pitboss.school.problems import Asked, Problem, SettlementProblem
from pitboss.school.report import trainee_report
from pitboss.school.scores import BookScore, at_level, book_json, read_book, scored
from pitboss.school.set_files import OwnSet
from pitboss.school.showing import asking, marks
from pitboss.school.syllabus import topic_called
from pitboss.server.commands import PROBLEMS, Path, house_of, strictly
from pitboss.server.drill_sets import MARK
from pitboss.server.drill_shapes import (
    DrillAnswer,
    DrillBooks,
    DrillDone,
    DrillMarks,
    DrillProblem,
    DrillReport,
    DrillWanted,
)
from pitboss.server.errors import Forbidden
from pitboss.server.gate import session_of
from pitboss.server.house import House
from pitboss.server.identity import Session
from pitboss.server.shapes import shown
from pitboss.store.school import OpenExercise

_PROBLEMS = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 429, 503)}
_CHANGES = _PROBLEMS | {n: PROBLEMS[n] for n in (409, 413)}
_NOT_OPEN = "No such problem is open for you; it may be answered already."
_WANTED = msgspec.json.Decoder(DrillWanted)
_ANSWER = msgspec.json.Decoder(DrillAnswer)
Trainee = Annotated[str | None, QueryParameter(max_length=100, description="A trainee, as kind/name.")]


# --- the books --------------------------------------------------------------------------------------------


def _books(house: House) -> dict[str, Plan]:
    """The rulebooks that are drilled: the approved five, and what else the floor has in force."""
    return {key: _plan(house, key) for key in (*book_ids(), *_own(house))}


def _own(house: House) -> dict[str, Adopted]:
    """By the hash that was approved: the floor's own books, and approved ones as it reads them otherwise."""
    return {
        key: adopted
        for key, adopted in house.reading.registry.rulebooks.items()
        if adopted.in_force
        and not adopted.withdrawn
        and (adopted.id not in book_ids() or _otherwise(adopted))
    }


def _otherwise(adopted: Adopted) -> dict[str, str]:
    """The readings of a book in force that are not its defaults."""
    plan = plan_of_text(adopted.id, adopted.document, dict(adopted.readings))
    return {
        name: str(letter)
        for name, letter in plan.readings.items()
        if letter != plan.book.readings[name].default
    }


def _plan(house: House, rulebook: str) -> Plan:
    """The plan of a book that is drilled. Raises `BadInput` for one that is not."""
    if rulebook in book_ids():
        return load_plan(rulebook)
    found = _own(house).get(rulebook)
    if found is None:
        raise BadInput("rulebook", f"no rulebook '{rulebook}'", near_miss(rulebook, book_ids()))
    return plan_of_text(found.id, found.document, dict(found.readings))


def _score(text: str) -> BookScore:
    return read_book(Node(parse_json(text, name="score"), "score", "")) if text else BookScore()


def _scores(house: House, kind: str, name: str) -> dict[str, BookScore]:
    return {book: _score(text) for book, text in house.school.scores(kind, name).items()}


@get("/drill", responses=shown(DrillBooks, _PROBLEMS))
async def drill_books(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Every rulebook that is drilled, and how the asker does in it."""
    house, asker = house_of(request), session_of(request).asker

    def work() -> dict[str, Any]:
        scores = _scores(house, asker.kind, asker.name)
        read = {key: _otherwise(adopted) for key, adopted in _own(house).items()}
        books = [_listed(key, plan, read.get(key, {}), scores) for key, plan in _books(house).items()]
        return {"books": books + [_listed_set(key, own, scores) for key, own in house.own_sets.all().items()]}

    return await house.schooling.run(work)


def _listed(
    key: str, plan: Plan, readings: Mapping[str, str], scores: Mapping[str, BookScore]
) -> dict[str, Any]:
    score = scores.get(plan.id, BookScore())
    return {
        "rulebook": key,
        "title": plan.book.identity.title,
        "game": plan.id,
        "readings": dict(readings),
        "asked": score.asked,
        "right": score.right,
        "level": score.level,
        "comes_back": len(score.missed),
    }


def _listed_set(key: str, own: OwnSet, scores: Mapping[str, BookScore]) -> dict[str, Any]:
    """A set of the school's own has no difficulty: it says 0."""
    topics = {one.topic for one in own.exercises}
    had = [score for book in scores.values() for name, score in book.topics.items() if name in topics]
    missed = [one for book in scores.values() for one in book.missed if one.topic in topics]
    return {
        "rulebook": key,
        "title": own.title,
        "game": own.exercises[0].problem.plan.id,
        "readings": {},
        "asked": sum(score.attempts for score in had),
        "right": sum(score.right for score in had),
        "level": 0,
        "comes_back": len(missed),
    }


# --- asking -----------------------------------------------------------------------------------------------


@post("/drill/{rulebook:str}/next", status_code=200, responses=shown(DrillProblem, _CHANGES))
async def drill_next(
    request: Request[Any, Any, Any], rulebook: Path, data: JSONBody[DrillWanted]
) -> dict[str, Any]:
    """The next problem in a rulebook. One that was asked and not answered is asked again."""
    house, session = house_of(request), session_of(request)
    wanted = strictly(await request.body(), _WANTED)
    return await house.schooling.run(_next, house, session, rulebook, wanted)


def _next(house: House, session: Session, rulebook: str, wanted: DrillWanted) -> dict[str, Any]:
    asker, own = session.asker, _set(house, rulebook)
    only = wanted.only if own is None else ""
    before = house.school.before(asker.kind, asker.name, rulebook)
    waiting = None if before is None else _made(house, before)
    level = wanted.level if own is None else None
    if before is not None and waiting is not None and only in ("", asking(waiting)["kind"]) and not level:
        return _question(before.id, waiting)
    scores = _scores(house, asker.kind, asker.name)
    if own is not None:
        exercise = next_in_set(own.exercises, scores)
    else:
        plan = _plan(house, rulebook)
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
        score = at_level(_score(text), level)
        return _kept(score)

    house.school.rescore(session.asker.kind, session.asker.name, book, change, at=house.floor.now())
    return score


def _kept(score: BookScore) -> str:
    return msgspec.json.encode(book_json(score)).decode()


def _question(identifier: str, exercise: Exercise) -> dict[str, Any]:
    return {"exercise": identifier, "settlement": None, "irregularity": None, **asking(exercise)}


def _set(house: House, key: str) -> OwnSet | None:
    """The school's own set of a name; None for a name that is a rulebook's."""
    if not key.startswith(MARK):
        return None
    sets = house.own_sets.all()
    if key not in sets:
        raise BadInput("rulebook", f"no set '{key}'", near_miss(key, sets))
    return sets[key]


def _made(house: House, opened: OpenExercise) -> Exercise | None:
    """An open problem made again; None where the school has taken it away meanwhile."""
    if opened.rulebook.startswith(MARK):
        own = house.own_sets.all().get(opened.rulebook)
        found = [one for one in ([] if own is None else own.exercises) if one.topic == opened.topic]
        return found[0]._replace(comes_back=opened.comes_back) if found else None
    plan = _plan(house, opened.rulebook)
    return exercise_of(plan, topic_called(plan, opened.topic), opened.seed, comes_back=opened.comes_back)


# --- marking ----------------------------------------------------------------------------------------------


@post("/drill/exercises/{exercise:str}/answer", status_code=200, responses=shown(DrillMarks, _CHANGES))
async def drill_answer(
    request: Request[Any, Any, Any], exercise: Path, data: JSONBody[DrillAnswer]
) -> dict[str, Any]:
    """Answer a problem, once. What cannot be understood is 400, and the problem stays open."""
    house, session = house_of(request), session_of(request)
    answer = strictly(await request.body(), _ANSWER)
    return await house.schooling.run(_answered, house, session, exercise, answer)


def _answered(house: House, session: Session, identifier: str, answer: DrillAnswer) -> dict[str, Any]:
    opened = None if "\x00" in identifier else house.school.exercise(identifier)
    if opened is None or (opened.kind, opened.name) != (session.asker.kind, session.asker.name):
        raise NotFoundException(_NOT_OPEN)
    exercise = _made(house, opened)
    if exercise is None:
        raise NotFoundException(_NOT_OPEN)
    marked = _mark(exercise.problem, answer)
    now = house.floor.now()
    score = BookScore()

    def change(text: str) -> str:
        nonlocal score
        score = scored(_score(text), opened.topic, opened.seed, marked, at=_written(now))
        return _kept(score)

    if not house.school.mark(opened, exercise.problem.plan.id, change, at=now):
        raise NotFoundException(_NOT_OPEN)
    told = {"chosen": None, "remedy": None, **marks(exercise, marked)}
    return {**told, "level": score.level, "comes_back": len(score.missed)}


def _mark(problem: Problem, answer: DrillAnswer) -> Marked:
    if isinstance(problem, SettlementProblem):
        return mark_settlement(problem, _wagers(problem, answer.wagers))
    return mark_irregularity(problem, parse_choice(answer.remedy, problem.choices))


def _wagers(problem: SettlementProblem, done: list[DrillDone]) -> dict[Asked, Answer]:
    """What was done with every wager. Raises `BadInput` for one that is left out or is not asked about."""
    asked = {(one.position, str(one.wager)): one for one in problem.lines}
    given: dict[Asked, Answer] = {}
    for one in done:
        found = asked.get((one.position, one.wager))
        if found is None or found in given:
            raise BadInput("wagers", f"position {one.position}, {one.wager} is not asked", "see the problem")
        given[found] = _done(found, one)
    for left in problem.lines:
        if left not in given:
            place = f"position {left.position}, {left.wager}"
            raise BadInput("wagers", f"{place} is left out", "settle every wager")
    return given


def _done(asked: Asked, one: DrillDone) -> Answer:
    amount = None if one.amount is None else parse_cents(one.amount, "amount")
    whole = asked.stake if amount is None else amount
    match one.do:
        case "pay" if amount is None:
            raise BadInput("amount", "no amount to pay", "write it")
        case "pay":
            return answer_of(asked, pay=amount, take=None, back=None)
        case "take":
            return answer_of(asked, pay=None, take=whole, back=None)
        case "return":
            return answer_of(asked, pay=None, take=None, back=whole)
        case _:
            return answer_of(asked, pay=None, take=None, back=None)


def _written(now: Micros) -> str:
    return datetime.fromtimestamp(now // 1_000_000, UTC).isoformat(timespec="seconds")


# --- the report -------------------------------------------------------------------------------------------


@get("/drill/report", responses=shown(DrillReport, _PROBLEMS))
async def drill_report(request: Request[Any, Any, Any], trainee: Trainee = None) -> dict[str, Any]:
    """The report on the asker; pit managers and above may have one on anybody."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        asker = session.asker
        leads = at_least(house.position(session), Position.PIT_MANAGER.value)
        kind, _, name = (trainee or f"{asker.kind}/{asker.name}").replace("\x00", "").partition("/")
        if (kind, name) != (asker.kind, asker.name) and not leads:
            raise Forbidden("no-authority", "A report on others is for a pit manager or above.")
        others = [f"{found}/{called}" for found, called in house.school.trainees()] if leads else []
        plans = {plan.id: plan for plan in _books(house).values()}
        return {**trainee_report(f"{kind}/{name}", _scores(house, kind, name), plans.get), "others": others}

    return await house.schooling.run(work)


router = Router(
    "/api", route_handlers=[drill_books, drill_next, drill_answer, drill_report], tags=["dealer school"]
)
