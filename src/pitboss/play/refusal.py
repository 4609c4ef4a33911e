"""A rulebook's no: a value with a code for programs, a sentence for people, and the clauses that say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.play.events import Event
from pitboss.rulebooks.plan import ClauseRef, Clauses, Plan
from pitboss.rulebooks.vocabulary import Position


@dataclass(frozen=True, slots=True)
class Refusal:
    """A no of the rulebook: a code for programs, a sentence, and the clauses that say so.

    `params` are what the sentence names: who, where, how much. A client says it in its own language with
    them.
    """

    code: str
    message: str
    clauses: Clauses = ()
    params: Mapping[str, str | int] = field(default_factory=dict, hash=False)


NOT_STAFF = Refusal("not-staff", "That is for the staff of the table.")

Outcome = tuple[Event, ...] | Refusal
"""What `decide` answers: what happened, or why not."""


_RANKS = {position: rank for rank, position in enumerate(Position)}


def below(plan: Plan, position: Position, wanted: Position, clauses: Iterable[str]) -> Refusal | None:
    """The refusal of an act by somebody below the position that its clause names."""
    if _RANKS[position] >= _RANKS[wanted]:
        return None
    return refuse("no-authority", "That is for {who}.", clauses, who=or_above(plan, wanted))


def or_above(plan: Plan, position: Position) -> str:
    """A position by the book's own title, with those above it: `a Pit Manager or above`."""
    title = plan.book.authorities.titles[position]
    return f"{'an' if title[0] in 'AEIOU' else 'a'} {title} or above"


def refuse(code: str, message: str, *clauses: Iterable[str], **params: str | int) -> Refusal:
    """A refusal that cites the clauses of all the lists given, each once; its `{names}` travel as data."""
    told = {name: value if isinstance(value, int) else str(value) for name, value in params.items()}
    said = message.format(**told) if told else message
    return citing(Refusal(code, said, params=told), *clauses)


def citing(refusal: Refusal, *clauses: Iterable[str]) -> Refusal:
    """A refusal by the clauses of these lists, each once."""
    numbers = dict.fromkeys(number for group in clauses for number in group)
    return replace(refusal, clauses=tuple(ClauseRef(number) for number in numbers))


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    """A refusal as it is kept and answered; parameters only where there are some."""
    told = {"code": refusal.code, "message": refusal.message, "clauses": list(refusal.clauses)}
    return told | ({"params": dict(refusal.params)} if refusal.params else {})
