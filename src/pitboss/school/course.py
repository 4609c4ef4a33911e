"""Which problem comes next: the known errors, what was missed and is due, then what he is ready for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from pitboss.errors import BadInput
from pitboss.rulebooks.plan import Plan
from pitboss.school.exercises import Exercise
from pitboss.school.scores import RIGHT_IN_A_ROW, BookScore, ClauseScore, due, not_passed
from pitboss.school.syllabus import syllabus
from pitboss.school.topics import IRREGULARITY, SETTLEMENT, Topic, problem_of

SEEDS = 2**31
KINDS = (SETTLEMENT, IRREGULARITY)
_BELOW = 2
"""Topics so far below the trainee's level are still asked."""


class Next(NamedTuple):
    """What is asked next, before its problem is made."""

    topic: Topic
    seed: int
    comes_back: bool = False


def next_exercise(plan: Plan, score: BookScore, rng: Random, *, only: str = "") -> Exercise:
    """What a trainee is asked next in a book. A miss comes back as it was, then with other cards."""
    found = next_question(plan, score, rng, only=only)
    return exercise_of(plan, found.topic, found.seed, comes_back=found.comes_back)


def next_question(plan: Plan, score: BookScore, rng: Random, *, only: str = "") -> Next:
    """The same without the problem itself, which takes longer to make than to choose."""
    topics = tuple(topic for topic in syllabus(plan) if not only or topic.kind == only)
    if not topics:
        raise BadInput("--only", f"{plan.id} has nothing of that kind", "leave it out")
    by_name = {topic.name: topic for topic in topics}
    traps = not_passed(score, topics)
    if traps:  # before what comes back: who misses the first few would never hear of the others
        return Next(traps[0], rng.randrange(SEEDS))
    again = due(score, by_name)
    if again is not None:
        fresh = again.streak + 1 >= RIGHT_IN_A_ROW
        seed = rng.randrange(SEEDS) if fresh else again.seed
        return Next(by_name[again.topic], seed, comes_back=True)
    return Next(_chosen(topics, score, rng), rng.randrange(SEEDS))


def exercise_of(plan: Plan, topic: Topic, seed: int, *, comes_back: bool = False) -> Exercise:
    """The exercise that a topic and a number make."""
    return Exercise(
        topic=topic.name,
        seed=seed,
        problem=problem_of(plan, topic, seed),
        title=topic.title,
        is_trap=topic.is_trap,
        comes_back=comes_back,
    )


def _chosen(topics: Sequence[Topic], score: BookScore, rng: Random) -> Topic:
    """A topic of about the trainee's level, rather one that he has seldom had, and not the last one again."""
    waiting = {one.topic for one in score.missed}
    ready = [
        topic
        for topic in topics
        if not topic.is_trap
        and score.level - _BELOW <= topic.level <= score.level
        and topic.name not in waiting
    ]
    ready = [topic for topic in ready if topic.name != score.last] or ready
    if not ready:  # nothing so easy, or so hard, in this book
        ready = sorted(topics, key=lambda topic: abs(topic.level - score.level))[:3]
    seen = {topic.name: score.topics.get(topic.name, ClauseScore()).attempts for topic in ready}
    least = min(seen.values())
    rare = [topic for topic in ready if seen[topic.name] == least]
    hardest = max(topic.level for topic in rare)
    return rng.choice([topic for topic in rare if topic.level == hardest])
