"""A problem on its way to a trainee, and what is kept of it."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.school.problems import Problem


class Exercise(NamedTuple):
    """A problem with its topic and number; title and note are told once it was answered."""

    topic: str
    seed: int
    problem: Problem
    title: str = ""
    note: str = ""
    is_trap: bool = False
    comes_back: bool = False
