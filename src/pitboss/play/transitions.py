"""Events with the state before and after each: evolved once, for everything that looks at either."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from pitboss.play.events import Event
from pitboss.play.evolve import evolve
from pitboss.play.refusal import Refusal
from pitboss.play.table import State

S = TypeVar("S")
E = TypeVar("E")


class Transition(NamedTuple, Generic[S, E]):
    """An event, with the state that it was recorded in and the state that it made."""

    before: S
    event: E
    after: S


Played = Transition[State, Event]
"""An event of play, with the round before and after it."""


class Course:
    """What a command brings about, event by event, where a later event rests on what an earlier one made.

    `state` is the round after every event so far.
    """

    __slots__ = ("_played", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._played: list[Played] = []

    def add(self, *events: Event) -> State:
        """The round after these events, too."""
        for event in events:
            before, self.state = self.state, evolve(self.state, event)
            self._played.append(Transition(before, event, self.state))
        return self.state

    @property
    def played(self) -> tuple[Played, ...]:
        """The events with the round before and after each."""
        return tuple(self._played)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(played.event for played in self._played)


Decided = tuple[Event, ...] | Course | Refusal
"""What a rule answers to a command. Events that rest on each other come with the states between them."""


def played_through(state: State, events: Iterable[Event]) -> tuple[Played, ...]:
    """Events one after the other, with the round before and after each."""
    course = Course(state)
    course.add(*events)
    return course.played
