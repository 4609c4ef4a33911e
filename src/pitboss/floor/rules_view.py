"""The rules in force at a table: what holds, how open questions are read, and the gist of each clause."""

from __future__ import annotations

from typing import Any

from pitboss.rulebooks.brief import brief
from pitboss.rulebooks.plan import Plan


def rules_view(plan: Plan) -> dict[str, Any]:
    """A rulebook in brief, its readings, and the gist of each clause of its register."""
    identity = plan.book.identity
    return {
        "game": plan.id,
        "title": identity.title,
        "topics": [
            {
                "chapter": topic.chapter,
                "name": topic.name,
                "text": topic.text,
                "clauses": [str(clause) for clause in topic.clauses],
            }
            for topic in brief(plan)
        ],
        "readings": [
            {
                "reading": name,
                "question": reading.question,
                "chosen": str(plan.readings.get(name, "")),
                "holds": reading.options[plan.readings[name]].says
                if name in plan.readings and plan.readings[name] in reading.options
                else reading.holds,
                "clauses": [str(clause) for clause in reading.clauses],
            }
            for name, reading in plan.book.readings.items()
        ],
        "clauses": {
            str(number): {"kind": clause.kind.value, "gist": clause.gist}
            for number, clause in plan.register.items()
        },
    }
