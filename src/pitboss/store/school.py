"""What trainees of the dealer school have scored, and the problem that each has before him.

Scores are kept as text that the school reads; nothing here knows what is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, delete, insert, select, update

from pitboss.floor.ports import Micros
from pitboss.store import schema as s
from pitboss.store.engine import in_words


class OpenExercise(NamedTuple):
    """A problem that was asked and not answered yet. Topic and number make it, and they stay here."""

    id: str
    kind: str
    name: str
    rulebook: str
    topic: str
    seed: int
    comes_back: bool
    asked_at: Micros


class School:
    """The two tables of the school, on the floor's own database."""

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

    def scores(self, kind: str, name: str) -> dict[str, str]:
        """The scores of a trainee by rulebook."""
        wanted = select(s.school_scores.c.rulebook, s.school_scores.c.data)
        with in_words(), self._read.connect() as connection:
            rows = connection.execute(wanted.where(_of(s.school_scores, kind, name)))
            return {row.rulebook: row.data for row in rows}

    def trainees(self) -> list[tuple[str, str]]:
        """Everybody who was marked: kind and name."""
        wanted = select(s.school_scores.c.kind, s.school_scores.c.name).distinct()
        with in_words(), self._read.connect() as connection:
            return sorted((kind, name) for kind, name in connection.execute(wanted))

    def before(self, kind: str, name: str, rulebook: str) -> OpenExercise | None:
        """The problem that a trainee has before him in a book."""
        found = and_(_of(s.school_exercises, kind, name), s.school_exercises.c.rulebook == rulebook)
        return self._exercise(found)

    def exercise(self, identifier: str) -> OpenExercise | None:
        """An open problem by its id."""
        return self._exercise(s.school_exercises.c.id == identifier)

    def _exercise(self, found: ColumnElement[bool]) -> OpenExercise | None:
        with in_words(), self._read.connect() as connection:
            row = connection.execute(select(*s.school_exercises.c).where(found)).first()
        return None if row is None else OpenExercise(*row)._replace(comes_back=bool(row.comes_back))

    def ask(self, exercise: OpenExercise) -> None:
        """Put a problem before a trainee; what he had before him in that book is gone."""
        own = _of(s.school_exercises, exercise.kind, exercise.name)
        same = s.school_exercises.c.rulebook == exercise.rulebook
        with self._writing() as connection:
            connection.execute(delete(s.school_exercises).where(own, same))
            connection.execute(insert(s.school_exercises).values(**exercise._asdict()))

    def mark(self, exercise: OpenExercise, book: str, change: Callable[[str], str], *, at: Micros) -> bool:
        """Take an answer once: the problem is closed and the score changed in one go. Whether it was open."""
        with self._writing() as connection:
            closed = delete(s.school_exercises).where(s.school_exercises.c.id == exercise.id)
            if not connection.execute(closed).rowcount:
                return False
            change_score(connection, exercise.kind, exercise.name, book, change, at)
        return True

    def rescore(self, kind: str, name: str, book: str, change: Callable[[str], str], *, at: Micros) -> None:
        """Change the score of a trainee in a book."""
        with self._writing() as connection:
            change_score(connection, kind, name, book, change, at)


def change_score(
    connection: Connection, kind: str, name: str, book: str, change: Callable[[str], str], at: Micros
) -> None:
    """Change the score of a trainee in a book as a part of what is being written."""
    table = s.school_scores
    key = and_(_of(table, kind, name), table.c.rulebook == book)
    before = connection.execute(select(table.c.data).where(key).with_for_update()).scalar()
    row: dict[str, Any] = {"data": change(before or ""), "changed_at": at}
    if before is None:
        connection.execute(insert(table).values(kind=kind, name=name, rulebook=book, **row))
    else:
        connection.execute(update(table).where(key).values(**row))


def _of(table: Table, kind: str, name: str) -> ColumnElement[bool]:
    return and_(table.c.kind == kind, table.c.name == name)
