"""A school's own problems: scenario files, played on the engine up to the question they end with.

A script whose last step settles, or that could be settled now, asks for the settlement; one whose last step
is a report asks for the remedy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from pitboss.errors import BadInput
from pitboss.play.commands import Report, Settle, Staff
from pitboss.play.concluding import round_facts
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.facts_file import Node, parse_json
from pitboss.play.refusal import Refusal
from pitboss.play.scenario import Scenario, play_scenario, read_scenario
from pitboss.play.steps import parse_step
from pitboss.play.table import Stage, State
from pitboss.rulebooks.vocabulary import Position
from pitboss.school.exercises import Exercise
from pitboss.school.irregularities import irregularity_problem
from pitboss.school.problems import Problem, settlement_problem
from pitboss.school.scores import BookScore, ClauseScore, due

SET_FORMAT = "pitboss-problem-set/1"


class Listed(NamedTuple):
    """A problem that a set file names: the scenario's file beside it, and what the school says about it."""

    scenario: str
    title: str = ""
    note: str = ""


def is_set(text: str, *, name: str) -> bool:
    """Whether a file lists problems rather than being one."""
    found = parse_json(text, name=name)
    return isinstance(found, dict) and "problems" in found


def read_set(text: str, *, name: str) -> list[Listed]:
    """The problems that a set file lists, in its order."""
    root = Node(parse_json(text, name=name), name, "")
    root.keys("format", "title", "problems")
    if root.get("format", Node.text) != SET_FORMAT:
        raise BadInput(f"{name}: format", "not a problem set of this version", f"it should say {SET_FORMAT}")
    found = root.get("problems", lambda node: node.listed(_listed))
    if not found:
        raise BadInput(f"{name}: problems", "there are none", "list at least one scenario")
    return found


def set_title(text: str, *, name: str) -> str:
    """What a set file is called."""
    return Node(parse_json(text, name=name), name, "").get("title", Node.text, default="")


def _listed(node: Node) -> Listed:
    node.keys("scenario", "title", "note")
    return Listed(
        scenario=node.get("scenario", Node.text),
        title=node.get("title", Node.text, default=""),
        note=node.get("note", Node.text, default=""),
    )


def own_exercise(text: str, *, name: str, title: str = "", note: str = "") -> Exercise:
    """The exercise that a scenario file makes. Raises `BadInput` for a script that asks nothing."""
    document = parse_json(text, name=name)
    own_title = document.get("title", "") if isinstance(document, dict) else ""
    digest = hashlib.sha256(text.encode()).hexdigest()
    seed = int(digest[:7], 16)
    problem = _problem(read_scenario(text, name=name), Random(seed))
    said = title or (own_title if isinstance(own_title, str) else "")
    return Exercise(topic=f"set-{digest[:12]}", seed=seed, problem=problem, title=said, note=note)


def _problem(scenario: Scenario, rng: Random) -> Problem:
    place = f"{scenario.name}: step {len(scenario.steps)}"
    if not scenario.steps:
        raise BadInput(scenario.name, "there are no steps", "write at least 'dealer: open bets'")
    last = parse_step(scenario.steps[-1], scenario.terms, scenario.players, place=place)
    asks = isinstance(last, Report | Settle)
    state = _played(replace(scenario, steps=scenario.steps[:-1]) if asks else scenario)
    if isinstance(last, Report):
        return _about_report(state, last, place, rng)
    return _about_settlement(state, last if isinstance(last, Settle) else None, place)


def _played(scenario: Scenario) -> State:
    played = play_scenario(scenario)
    for number, step in enumerate(played.steps, 1):
        if step.refusal is not None:
            place = f"{scenario.name}: step {number}"
            raise BadInput(
                place, f"is refused ({step.refusal.code}): {step.refusal.message.rstrip('.')}", "mend it"
            )
    return played.state


def _about_report(state: State, report: Report, place: str, rng: Random) -> Problem:
    outcome = decide(state, report)
    if isinstance(outcome, Refusal):
        raise BadInput(place, f"is refused ({outcome.code}): {outcome.message.rstrip('.')}", "mend it")
    problem = irregularity_problem(state, report, rng)
    assert problem is not None
    return problem


def _about_settlement(state: State, command: Settle | None, place: str) -> Problem:
    outcome = decide(state, command or Settle(by=Staff(Position.DEALER)))
    if isinstance(outcome, Refusal):
        remedy = "end the script where it can be settled, or with a report"
        raise BadInput(place, f"there is nothing to settle yet: {outcome.message.rstrip('.')}", remedy)
    after = evolve_all(state, outcome)
    if after.stage is not Stage.SETTLED or after.settlement is None:
        raise BadInput(place, "the round does not end here", "end the script where it can be settled")
    return settlement_problem(state.plan, round_facts(state), after.settlement)


def next_of_set(
    exercises: Sequence[Exercise], scores: Mapping[str, BookScore], *, done: int
) -> Exercise | None:
    """What comes next in a set of which so many were asked: what was missed and is due, else the next one.

    At the end what was missed comes back without waiting, until nothing is left.
    """
    asked = {exercise.topic: exercise for exercise in exercises[:done]}
    for score in scores.values():
        again = due(score, asked, at_once=done == len(exercises))
        if again is not None:
            return asked[again.topic]._replace(comes_back=True)
    return exercises[done] if done < len(exercises) else None


def next_in_set(exercises: Sequence[Exercise], scores: Mapping[str, BookScore]) -> Exercise:
    """What a trainee is asked next in a set that has no end: a miss that is due, what he never had, a miss.

    When he has had everything and misses nothing, it is what he had least often.
    """
    had = {one.topic: _attempts(one, scores) for one in exercises}
    asked = {one.topic: one for one in exercises if had[one.topic]}
    for at_once in (False, True):
        for score in scores.values():
            again = due(score, asked, at_once=at_once)
            if again is not None:
                return asked[again.topic]._replace(comes_back=True)
        if len(asked) < len(exercises):
            break
    return min(exercises, key=lambda one: had[one.topic])


def _attempts(exercise: Exercise, scores: Mapping[str, BookScore]) -> int:
    score = scores.get(exercise.problem.plan.id, BookScore())
    return score.topics.get(exercise.topic, ClauseScore()).attempts
