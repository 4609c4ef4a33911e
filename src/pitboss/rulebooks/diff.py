"""Two rulebooks side by side, in terms of play and money."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.rulebooks.brief import Topic, brief
from pitboss.rulebooks.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One topic in both books; None where a book has nothing to say about it."""

    chapter: str
    name: str
    first: Topic | None
    second: Topic | None

    @property
    def differs(self) -> bool:
        """Whether the books say different things; the numbers of their clauses are no difference."""
        return self.first is None or self.second is None or self.first.text != self.second.text


def compare_books(first: Plan, second: Plan) -> tuple[Row, ...]:
    """Every topic of either book, in the order of the first, the second's own ones after their chapter."""
    one = {(topic.chapter, topic.name): topic for topic in brief(first)}
    other = {(topic.chapter, topic.name): topic for topic in brief(second)}
    chapters = list(dict.fromkeys(chapter for chapter, _ in (*one, *other)))
    keys = list(dict.fromkeys((*one, *other)))
    keys.sort(key=lambda key: chapters.index(key[0]))
    return tuple(
        Row(chapter=chapter, name=name, first=one.get((chapter, name)), second=other.get((chapter, name)))
        for chapter, name in keys
    )
