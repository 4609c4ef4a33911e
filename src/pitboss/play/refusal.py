"""A rulebook's no: a value with a code for programs, a sentence for people, and the clauses that say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pitboss.play.events import Event
from pitboss.rulebooks.plan import ClauseRef, Clauses


@dataclass(frozen=True, slots=True)
class Refusal:
    code: str
    message: str
    clauses: Clauses = ()


NOT_STAFF = Refusal("not-staff", "That is for the staff of the table.")

Outcome = tuple[Event, ...] | Refusal
"""What `decide` answers: what happened, or why not."""


def refuse(code: str, message: str, *clauses: Iterable[str]) -> Refusal:
    """A refusal that cites the clauses of all the lists given, each once."""
    numbers = dict.fromkeys(number for group in clauses for number in group)
    return Refusal(code, message, tuple(ClauseRef(number) for number in numbers))
