"""The rules in force at a table: what holds, how open questions are read, and the gist of each clause."""

from __future__ import annotations

from dataclasses import replace

from pitboss.floor.shapes import Gist, ReadingInForce, Rules
from pitboss.floor.shapes import Topic as RuleTopic
from pitboss.floor.table_events import TableOpened
from pitboss.rulebooks.brief import LAYOUTS, POSITIONS, brief, spoken
from pitboss.rulebooks.plan import Plan


def rules_view(plan: Plan, opened: TableOpened | None = None) -> Rules:
    """A rulebook in brief, its readings, and the gist of each clause of its register.

    Of an open table: with its own layout, not with all that the book has.
    """
    topics = brief(plan)
    if opened is not None:
        own = {POSITIONS: f"{opened.positions} ({opened.layout})", LAYOUTS: opened.layout}
        topics = tuple(
            replace(topic, text=own[topic.name], says="", blanks=()) if topic.name in own else topic
            for topic in topics
        )
    identity = plan.book.identity
    return Rules(
        game=plan.id,
        title=identity.title,
        points=[spoken(topic.name) for topic in topics if topic.first],
        topics=[
            RuleTopic(
                chapter=topic.chapter,
                name=spoken(topic.name),
                text=topic.text,
                clauses=[str(clause) for clause in topic.clauses],
                about=topic.about,
                says=topic.says,
                blanks=dict(topic.blanks),
            )
            for topic in topics
        ],
        readings=[
            ReadingInForce(
                reading=name,
                question=reading.question,
                chosen=str(plan.readings.get(name, "")),
                holds=reading.options[plan.readings[name]].says
                if name in plan.readings and plan.readings[name] in reading.options
                else reading.holds,
                clauses=[str(clause) for clause in reading.clauses],
            )
            for name, reading in plan.book.readings.items()
        ],
        clauses={
            str(number): Gist(clause.kind.value, clause.gist) for number, clause in plan.register.items()
        },
    )
