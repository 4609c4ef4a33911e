"""What can be asked in a book, and how hard it is: known errors, settlements, irregularities.

A topic and a number make a problem: the same two make it again, on any machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from pitboss.rulebooks.plan import Plan
from pitboss.school.problems import Problem
from pitboss.school.rounds import Recipe, cook

SETTLEMENT, IRREGULARITY = "settlement", "irregularity"
LEAST_LEVEL, MOST_LEVEL = 1, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that can be asked in a book. `title` is told once it was answered: it may give it away."""

    name: str
    kind: str
    level: int
    title: str
    is_trap: bool
    make: Callable[[Plan, Random], Problem]


def settlement_topic(name: str, level: int, recipe: Recipe, *, title: str, is_trap: bool = False) -> Topic:
    """A topic whose problems are rounds by one recipe."""
    return Topic(
        name=name,
        kind=SETTLEMENT,
        level=level,
        title=title,
        is_trap=is_trap,
        make=partial(_cooked, recipe),
    )


def _cooked(recipe: Recipe, plan: Plan, rng: Random) -> Problem:
    return cook(plan, recipe, rng)


def problem_of(plan: Plan, topic: Topic, seed: int) -> Problem:
    """The problem that a topic and a number make."""
    return topic.make(plan, Random(seed))
