"""What practice and examinations of the dealer school share: the books, the sets, marks and scores."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from pitboss.errors import BadInput, near_miss
from pitboss.floor.ports import Micros
from pitboss.floor.registry import Adopted
from pitboss.money import parse_cents
from pitboss.play.facts_file import Node, parse_json
from pitboss.rulebooks.document import book_ids
from pitboss.rulebooks.load import load_plan, plan_of_text
from pitboss.rulebooks.plan import Plan
from pitboss.school.answers import (
    Answer,
    Marked,
    answer_of,
    mark_irregularity,
    mark_settlement,
    parse_choice,
)
from pitboss.school.course import exercise_of
from pitboss.school.exercises import Exercise
from pitboss.school.problems import Asked, Problem, SettlementProblem
from pitboss.school.scores import BookScore, book_json, read_book
from pitboss.school.set_files import OwnSet
from pitboss.school.syllabus import topic_called
from pitboss.server.drill_sets import MARK
from pitboss.server.drill_shapes import DrillAnswer, DrillDone
from pitboss.server.house import House


def books_of(house: House) -> dict[str, Plan]:
    """The rulebooks that are drilled: the approved five, and what else the floor has in force."""
    return {key: plan_of(house, key) for key in (*book_ids(), *own_books(house))}


def own_books(house: House) -> dict[str, Adopted]:
    """By the hash that was approved: the floor's own books, and approved ones as it reads them otherwise."""
    return {
        key: adopted
        for key, adopted in house.reading.registry.rulebooks.items()
        if adopted.in_force and not adopted.withdrawn and (adopted.id not in book_ids() or otherwise(adopted))
    }


def otherwise(adopted: Adopted) -> dict[str, str]:
    """The readings of a book in force that are not its defaults."""
    plan = plan_of_text(adopted.id, adopted.document, dict(adopted.readings))
    return {
        name: str(letter)
        for name, letter in plan.readings.items()
        if letter != plan.book.readings[name].default
    }


def plan_of(house: House, rulebook: str, *, ever: bool = False) -> Plan:
    """The plan of a book that is drilled, or with `ever` that was. Raises `BadInput` for one that is not."""
    if rulebook in book_ids():
        return load_plan(rulebook)
    found = (house.reading.registry.rulebooks if ever else own_books(house)).get(rulebook)
    if found is None:
        raise BadInput("rulebook", f"no rulebook '{rulebook}'", near_miss(rulebook, book_ids()))
    return plan_of_text(found.id, found.document, dict(found.readings))


def readings_of(house: House, rulebook: str) -> dict[str, str]:
    """The readings under which a book is drilled, where they are not its defaults."""
    found = own_books(house).get(rulebook)
    return {} if found is None else otherwise(found)


def score_of(text: str) -> BookScore:
    """A score as it is kept, read."""
    return read_book(Node(parse_json(text, name="score"), "score", "")) if text else BookScore()


def scores_of(house: House, kind: str, name: str) -> dict[str, BookScore]:
    """The scores of a trainee by rulebook."""
    return {book: score_of(text) for book, text in house.school.scores(kind, name).items()}


def kept_score(score: BookScore) -> str:
    """A score as it is kept."""
    return msgspec.json.encode(book_json(score)).decode()


def own_set(house: House, key: str) -> OwnSet | None:
    """The school's own set of a name; None for a name that is a rulebook's."""
    if not key.startswith(MARK):
        return None
    sets = house.own_sets.all()
    if key not in sets:
        raise BadInput("rulebook", f"no set '{key}'", near_miss(key, sets))
    return sets[key]


def made_again(house: House, rulebook: str, topic: str, seed: int, *, ever: bool = False) -> Exercise | None:
    """A problem that was asked, made again; None where the school has taken it away meanwhile."""
    if rulebook.startswith(MARK):
        own = house.own_sets.all().get(rulebook)
        found = [one for one in ([] if own is None else own.exercises) if one.topic == topic]
        return found[0] if found else None
    plan = plan_of(house, rulebook, ever=ever)
    return exercise_of(plan, topic_called(plan, topic), seed)


def mark(problem: Problem, answer: DrillAnswer) -> Marked:
    """An answer, marked. Raises `BadInput` for one that cannot be understood."""
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


def written(now: Micros) -> str:
    """A time as it is told."""
    return datetime.fromtimestamp(now // 1_000_000, UTC).isoformat(timespec="seconds")
