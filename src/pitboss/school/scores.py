"""What a trainee has answered, by rulebook and clause; what was missed and when it comes back."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.errors import BadInput
from pitboss.play.facts_file import Node, parse_json
from pitboss.school.answers import Marked
from pitboss.school.topics import LEAST_LEVEL, MOST_LEVEL, Topic

FORMAT = "pitboss-school/1"
SOON = 2
"""So many other problems lie between a miss and the first time it comes back."""
LATER = 5
"""And so many between the first right answer and the second."""
RIGHT_IN_A_ROW = 2
RISE_AFTER = 2
"""So many right answers in a row raise the difficulty."""
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseScore:
    """How often a clause was asked about, how often what it rules was got right, and when last."""

    attempts: int = 0
    right: int = 0
    last: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A problem that was got wrong. It is asked again once `due` problems were asked."""

    topic: str
    seed: int
    due: int
    streak: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BookScore:
    """A trainee in one rulebook. `streak` counts the right answers since the difficulty last changed."""

    asked: int = 0
    right: int = 0
    level: int = LEAST_LEVEL
    streak: int = 0
    clauses: Mapping[str, ClauseScore] = field(default_factory=dict)
    topics: Mapping[str, ClauseScore] = field(default_factory=dict)
    missed: tuple[Missed, ...] = ()
    last: str = ""


def scored(score: BookScore, topic: str, seed: int, marked: Marked, *, at: str) -> BookScore:
    """The score once a problem was marked, at a time as it is to be written."""
    asked = score.asked + 1
    level, streak = _difficulty(score, marked)
    return replace(
        score,
        asked=asked,
        right=score.right + marked.is_right,
        level=level,
        streak=streak,
        clauses={
            **score.clauses,
            **{
                number: _counted(score.clauses.get(number), is_right=is_right, at=at)
                for number, is_right in marked.clauses.items()
            },
        },
        topics={**score.topics, topic: _counted(score.topics.get(topic), is_right=marked.is_right, at=at)},
        missed=_missed(score, topic, seed, asked, is_right=marked.is_right),
        last=topic,
    )


def _counted(before: ClauseScore | None, *, is_right: bool, at: str) -> ClauseScore:
    found = before or ClauseScore()
    return ClauseScore(attempts=found.attempts + 1, right=found.right + is_right, last=at)


def _difficulty(score: BookScore, marked: Marked) -> tuple[int, int]:
    """Two right answers in a row make it harder, a wrong one easier."""
    if not marked.is_right:
        return max(LEAST_LEVEL, score.level - 1), 0
    if score.streak + 1 < RISE_AFTER:
        return score.level, score.streak + 1
    return min(MOST_LEVEL, score.level + 1), 0


def _missed(score: BookScore, topic: str, seed: int, asked: int, *, is_right: bool) -> tuple[Missed, ...]:
    """What has still to come back. A topic is on the list once; right twice in a row takes it off."""
    before = next((one for one in score.missed if one.topic == topic), None)
    others = tuple(one for one in score.missed if one.topic != topic)
    if not is_right:
        return (*others, Missed(topic=topic, seed=seed, due=asked + SOON))
    if before is None or before.streak + 1 >= RIGHT_IN_A_ROW:
        return others
    return (*others, replace(before, due=asked + LATER, streak=before.streak + 1))


def due(score: BookScore, topics: Collection[str], *, at_once: bool = False) -> Missed | None:
    """What was missed of some topics and is to be asked again now, the longest due first.

    `at_once` does not wait for other problems to lie between.
    """
    waiting = [one for one in score.missed if one.topic in topics and (at_once or one.due <= score.asked)]
    return min(waiting, key=lambda one: one.due, default=None)


def at_level(score: BookScore, level: int) -> BookScore:
    """The scores of somebody who begins at a difficulty of his choice."""
    return replace(score, level=level, streak=0)


def not_passed(score: BookScore, topics: tuple[Topic, ...]) -> list[Topic]:
    """The known errors that the trainee has not avoided once yet, and that do not wait to come back."""
    waiting = {one.topic for one in score.missed}
    return [
        topic
        for topic in topics
        if topic.is_trap
        and topic.name not in waiting
        and not score.topics.get(topic.name, ClauseScore()).right
    ]


# --- as they are kept -------------------------------------------------------------------------------------

Trainees = dict[str, dict[str, BookScore]]
"""Scores by trainee and rulebook."""


def book_json(score: BookScore) -> dict[str, Any]:
    """A score as it is kept."""
    return {
        "asked": score.asked,
        "right": score.right,
        "level": score.level,
        "streak": score.streak,
        "last": score.last,
        "clauses": {number: _clause_json(found) for number, found in sorted(score.clauses.items())},
        "topics": {name: _clause_json(found) for name, found in sorted(score.topics.items())},
        "missed": [
            {"topic": one.topic, "seed": one.seed, "due": one.due, "streak": one.streak}
            for one in score.missed
        ],
    }


def _clause_json(score: ClauseScore) -> dict[str, Any]:
    return {"attempts": score.attempts, "right": score.right, "last": score.last}


def write_scores(trainees: Trainees) -> str:
    """The text of a file of scores."""
    written = {
        name: {book: book_json(score) for book, score in sorted(books.items())}
        for name, books in sorted(trainees.items())
    }
    return json.dumps({"format": FORMAT, "trainees": written}, ensure_ascii=False, indent=1) + "\n"


def read_scores(text: str, *, name: str) -> Trainees:
    """The scores of a file. Raises `BadInput` for one that is not whole."""
    root = Node(parse_json(text, name=name), name, "")
    root.keys("format", "trainees")
    if root.get("format", Node.text) != FORMAT:
        raise BadInput(f"{name}: format", "not scores of this version", f"it should say {FORMAT}")
    return root.get("trainees", lambda node: node.mapping(lambda books: books.mapping(read_book)))


def read_book(node: Node) -> BookScore:
    """The score of one rulebook."""
    node.keys("asked", "right", "level", "streak", "last", "clauses", "topics", "missed")
    level = node.get("level", _count)
    if not LEAST_LEVEL <= level <= MOST_LEVEL:
        raise node.child("level", level).bad(f"level {level}", f"there are {LEAST_LEVEL} to {MOST_LEVEL}")
    return BookScore(
        asked=node.get("asked", _count),
        right=node.get("right", _count),
        level=level,
        streak=node.get("streak", _count),
        last=node.get("last", _text),
        clauses=node.get("clauses", lambda found: found.mapping(_clause)),
        topics=node.get("topics", lambda found: found.mapping(_clause)),
        missed=tuple(node.get("missed", lambda found: found.listed(_one_missed))),
    )


def _clause(node: Node) -> ClauseScore:
    node.keys("attempts", "right", "last")
    attempts, right = node.get("attempts", _count), node.get("right", _count)
    if right > attempts:
        raise node.bad("more right answers than attempts", "restore the file, or name another")
    return ClauseScore(attempts=attempts, right=right, last=node.get("last", _text))


def _one_missed(node: Node) -> Missed:
    node.keys("topic", "seed", "due", "streak")
    return Missed(
        topic=node.get("topic", Node.text),
        seed=node.get("seed", _count),
        due=node.get("due", _count),
        streak=node.get("streak", _count),
    )


def _count(node: Node) -> int:
    number = node.number()
    if number < 0:
        raise node.bad(f"{number} is below nothing", "write a whole number")
    return number


def _text(node: Node) -> str:
    return "" if node.value == "" else node.text()
