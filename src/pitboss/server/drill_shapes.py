"""What may be answered in the dealer school, and how an examination stands."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pitboss.fields import MOST_ITEMS, Money, Text
from pitboss.play.shapes import Shape
from pitboss.school.examination import LEAST_NUMBER, LEAST_PROBLEMS, MOST_NUMBER, MOST_PROBLEMS
from pitboss.school.shapes import DrillQuestion, DrillSitting, DrillTold
from pitboss.school.topics import LEAST_LEVEL, MOST_LEVEL


class DrillWanted(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What is to be asked: any kind of problem, or only one; `level` begins anew at that difficulty."""

    only: Literal["", "settlement", "irregularity"] = ""
    level: Annotated[int, msgspec.Meta(ge=LEAST_LEVEL, le=MOST_LEVEL)] | None = None


class DrillDone(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What becomes of one wager. Of `take` and `return` an amount is that part of the stake."""

    position: Annotated[int, msgspec.Meta(ge=1, le=20)]
    wager: Text
    do: Literal["take", "return", "pay", "none"]
    amount: Money | None = None


class DrillAnswer(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """An answer: what becomes of every wager, or the name of the remedy."""

    wagers: Annotated[list[DrillDone], msgspec.Meta(max_length=MOST_ITEMS)] = []
    remedy: Text = ""


class DrillExamMark(Shape):
    """A problem of an examination that has ended; of one that was not answered nothing is told."""

    place: int
    question: DrillQuestion | None
    given: DrillAnswer | None
    marks: DrillTold | None


class DrillExamClause(Shape):
    """A clause behind an examination: how often it was asked about, and how often it was got right."""

    rulebook: str
    clause: str
    gist: str
    asked: int
    right: int


class DrillExam(DrillSitting, kw_only=True):
    """An examination: the problem that is open, or, once it has ended, every mark."""

    place: int
    problem: DrillQuestion | None
    marks: list[DrillExamMark]
    clauses: list[DrillExamClause]


class DrillClass(Shape):
    """Everybody's examinations with one number."""

    number: int
    exams: list[DrillSitting]


class DrillExamWanted(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """An examination to sit. The number that an examiner announces makes its problems; else one is drawn."""

    rulebook: Text
    problems: Annotated[int, msgspec.Meta(ge=LEAST_PROBLEMS, le=MOST_PROBLEMS)]
    number: Annotated[int, msgspec.Meta(ge=LEAST_NUMBER, le=MOST_NUMBER)] | None = None
    only: Literal["", "settlement", "irregularity"] = ""
    level: Annotated[int, msgspec.Meta(ge=LEAST_LEVEL, le=MOST_LEVEL)] | None = None


class DrillExamLeft(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Leave an examination; what is not answered by then is not answered."""
