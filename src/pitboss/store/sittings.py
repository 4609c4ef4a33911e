"""Examinations that trainees of the dealer school sit: the paper, place by place, and what was answered.

Answers are kept as text that the school reads; nothing here knows what is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, and_, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pitboss.floor.ports import Micros
from pitboss.store import schema as s
from pitboss.store.engine import in_words
from pitboss.store.school import change_score


class Sitting(NamedTuple):
    """An examination that somebody sits or has sat. `right_answers` is told once it has ended."""

    id: str
    kind: str
    name: str
    rulebook: str
    game: str
    title: str
    readings: str
    number: int
    problems: int
    only_kind: str
    level: int | None
    began_at: Micros
    ended_at: Micros | None = None
    answered: int = 0
    right_answers: int | None = None


class Place(NamedTuple):
    """A problem of a sitting by its place, and its answer; `data` is empty where it was not answered."""

    place: int
    topic: str
    seed: int
    data: str = ""
    answered_at: Micros | None = None


class Taken(StrEnum):
    """What became of an answer."""

    YES = "yes"
    ENDED = "ended"
    ANSWERED = "answered"
    NOT_YET = "not-yet"


class Conclusion(NamedTuple):
    """How a sitting ends: problems answered, and answered right; by rulebook how the score changes."""

    answered: int
    right: int
    changes: Mapping[str, Callable[[str], str]]


class Sittings:
    """The two tables of examinations, on the floor's own database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._read = engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with (
            in_words(),
            self._engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            yield connection

    def begin(self, sitting: Sitting, questions: Sequence[tuple[str, int]]) -> bool:
        """Somebody begins; not while another examination of his is open. Whether he has begun."""
        places = [
            {"sitting": sitting.id, **Place(number, topic, seed)._asdict()}
            for number, (topic, seed) in enumerate(questions, 1)
        ]
        try:
            with self._writing() as connection:
                own = _open(sitting.kind, sitting.name)
                if connection.execute(select(s.school_sittings.c.id).where(own)).first() is not None:
                    return False
                _insert_once(connection, sitting)
                connection.execute(insert(s.school_answers), places)
        except _AlreadyOpen:
            return False
        return True

    def sitting(self, identifier: str) -> Sitting | None:
        """A sitting by its id."""
        return self._one(s.school_sittings.c.id == identifier)

    def open_of(self, kind: str, name: str) -> Sitting | None:
        """The examination that a trainee sits now."""
        return self._one(_open(kind, name))

    def _one(self, found: ColumnElement[bool]) -> Sitting | None:
        with in_words(), self._read.connect() as connection:
            row = connection.execute(select(*s.school_sittings.c).where(found)).first()
        return None if row is None else Sitting(*row)

    def of(self, kind: str, name: str, *, most: int) -> list[Sitting]:
        """What a trainee has sat, the newest first."""
        table = s.school_sittings
        wanted = select(*table.c).where(table.c.kind == kind, table.c.name == name)
        with in_words(), self._read.connect() as connection:
            newest = wanted.order_by(table.c.began_at.desc(), table.c.id).limit(most)
            return [Sitting(*row) for row in connection.execute(newest)]

    def with_number(self, number: int, *, most: int) -> list[Sitting]:
        """Everybody's examinations with a number, the newest first."""
        table = s.school_sittings
        wanted = select(*table.c).where(table.c.number == number)
        with in_words(), self._read.connect() as connection:
            newest = wanted.order_by(table.c.began_at.desc(), table.c.id).limit(most)
            return [Sitting(*row) for row in connection.execute(newest)]

    def trainees(self) -> list[tuple[str, str]]:
        """Everybody who has begun an examination: kind and name."""
        wanted = select(s.school_sittings.c.kind, s.school_sittings.c.name).distinct()
        with in_words(), self._read.connect() as connection:
            return sorted((kind, name) for kind, name in connection.execute(wanted))

    def places(self, identifier: str) -> list[Place]:
        """The problems of a sitting in their order."""
        with in_words(), self._read.connect() as connection:
            return _places(connection, identifier)

    def answer(self, identifier: str, place: int, data: str, *, at: Micros) -> Taken:
        """Take the answer to the problem that is open, once. Empty data pass over it."""
        table = s.school_answers
        with self._writing() as connection:
            if not _lock(connection, identifier):
                return Taken.ENDED
            left = and_(table.c.sitting == identifier, table.c.answered_at.is_(None))
            first = connection.execute(select(func.min(table.c.place)).where(left)).scalar()
            if first is None or place < first:
                return Taken.ANSWERED
            if place > first:
                return Taken.NOT_YET
            this = and_(table.c.sitting == identifier, table.c.place == place)
            connection.execute(update(table).where(this).values(data=data, answered_at=at))
            if data:
                count = {"answered": s.school_sittings.c.answered + 1}
                connection.execute(
                    update(s.school_sittings).where(s.school_sittings.c.id == identifier).values(**count)
                )
        return Taken.YES

    def end(self, identifier: str, conclude: Callable[[list[Place]], Conclusion], *, at: Micros) -> bool:
        """End a sitting and change the scores in one go, once. Whether it was open."""
        table = s.school_sittings
        with self._writing() as connection:
            if not _lock(connection, identifier):
                return False
            sat = Sitting(*connection.execute(select(*table.c).where(table.c.id == identifier)).one())
            concluded = conclude(_places(connection, identifier))
            connection.execute(
                update(table)
                .where(table.c.id == identifier)
                .values(ended_at=at, answered=concluded.answered, right_answers=concluded.right)
            )
            for book, change in concluded.changes.items():
                change_score(connection, sat.kind, sat.name, book, change, at)
        return True


class _AlreadyOpen(Exception):  # noqa: N818 - it is an answer
    """Another process was first."""


def _insert_once(connection: Connection, sitting: Sitting) -> None:
    try:
        connection.execute(insert(s.school_sittings).values(**sitting._asdict()))
    except IntegrityError as error:
        raise _AlreadyOpen from error


def _open(kind: str, name: str) -> ColumnElement[bool]:
    table = s.school_sittings
    return and_(table.c.kind == kind, table.c.name == name, table.c.ended_at.is_(None))


def _lock(connection: Connection, identifier: str) -> bool:
    """Whether a sitting is open; nobody else changes it until this is written."""
    table = s.school_sittings
    wanted = select(table.c.id).where(table.c.id == identifier, table.c.ended_at.is_(None))
    return connection.execute(wanted.with_for_update()).first() is not None


def _places(connection: Connection, identifier: str) -> list[Place]:
    table = s.school_answers
    wanted = select(table.c.place, table.c.topic, table.c.seed, table.c.data, table.c.answered_at)
    rows = connection.execute(wanted.where(table.c.sitting == identifier).order_by(table.c.place))
    return [Place(*row) for row in rows]
