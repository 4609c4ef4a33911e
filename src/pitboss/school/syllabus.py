"""Everything that can be asked in a book."""

from __future__ import annotations

from pitboss.errors import BadInput, near_miss
from pitboss.rulebooks.plan import Plan
from pitboss.school.hands import NoSuchDeal
from pitboss.school.irregularities import irregularity_topics
from pitboss.school.settlements import settlement_topics
from pitboss.school.topics import Topic, problem_of
from pitboss.school.traps import traps_of

_TRIAL_SEED = 1
"""A topic belongs to a book that has a problem for it; this number tells."""
_MOST_KEPT = 32
_kept: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Topic, ...]] = {}


def syllabus(plan: Plan) -> tuple[Topic, ...]:
    """The topics of a book: the known errors first, in order, then the others by difficulty."""
    key = plan.digest, tuple(plan.readings.items())
    if key not in _kept:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        others = sorted((*settlement_topics(plan), *irregularity_topics(plan)), key=lambda topic: topic.level)
        topics = (*traps_of(plan), *others)
        _kept[key] = tuple(topic for topic in topics if _has_problem(plan, topic))
    return _kept[key]


def _has_problem(plan: Plan, topic: Topic) -> bool:
    try:
        problem_of(plan, topic, _TRIAL_SEED)
    except NoSuchDeal:
        return False
    return True


def topic_called(plan: Plan, name: str) -> Topic:
    """The topic of a book by its name. Raises `BadInput` for one that it does not have."""
    for topic in syllabus(plan):
        if topic.name == name:
            return topic
    known = [topic.name for topic in syllabus(plan)]
    raise BadInput("topic", f"{plan.id} asks nothing called '{name}'", near_miss(name, known))
