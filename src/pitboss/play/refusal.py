"""A rulebook's no: a value with a code for programs, a sentence for people, and the clauses that say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pitboss.play.events import Event
from pitboss.rulebooks.plan import ClauseRef, Clauses, Plan
from pitboss.rulebooks.vocabulary import Position


@dataclass(frozen=True, slots=True)
class Refusal:
    """A no of the rulebook: a code for programs, a sentence, and the clauses that say so."""

    code: str
    message: str
    clauses: Clauses = ()


NOT_STAFF = Refusal("not-staff", "That is for the staff of the table.")

Outcome = tuple[Event, ...] | Refusal
"""What `decide` answers: what happened, or why not."""


_RANKS = {position: rank for rank, position in enumerate(Position)}


def below(plan: Plan, position: Position, wanted: Position, clauses: Iterable[str]) -> Refusal | None:
    """The refusal of an act by somebody below the position that its clause names."""
    if _RANKS[position] >= _RANKS[wanted]:
        return None
    return refuse("no-authority", f"That is for {or_above(plan, wanted)}.", clauses)


def or_above(plan: Plan, position: Position) -> str:
    """A position by the book's own title, with those above it: `a Pit Manager or above`."""
    title = plan.book.authorities.titles[position]
    return f"{'an' if title[0] in 'AEIOU' else 'a'} {title} or above"


def refuse(code: str, message: str, *clauses: Iterable[str]) -> Refusal:
    """A refusal that cites the clauses of all the lists given, each once."""
    numbers = dict.fromkeys(number for group in clauses for number in group)
    return Refusal(code, message, tuple(ClauseRef(number) for number in numbers))
