"""Who asks something of the floor, and whether his position lets him."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.floor.registry import SURVEILLANCE, Registry
from pitboss.play.commands import Actor, Player, Staff
from pitboss.play.refusal import Refusal, refuse
from pitboss.rulebooks.vocabulary import Position

_RANKS = {position.value: rank for rank, position in enumerate(Position)}
_AT_THE_TABLE = (Position.DEALER.value, Position.DEALER_INSPECTOR.value)
"""Positions that work where they are assigned; those above go where they are needed."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody of the house by name, a player by name, the console of the machine, or the floor itself."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}" if self.name else self.kind


CONSOLE = Asker("console")
"""Whoever sits at the machine: sets the floor up, but is no one of the two persons who approve something."""

SYSTEM = Asker("system")
"""The floor itself: the clock that runs out, the recovery after a crash."""


def staff(name: str) -> Asker:
    """Somebody of the house who asks."""
    return Asker("staff", name)


def player(name: str) -> Asker:
    """A player who asks."""
    return Asker("player", name)


def position_of(registry: Registry, asker: Asker) -> str:
    """The position of whoever asks; empty for a player or a stranger."""
    if asker.kind in ("console", "system"):
        return Position.ASSISTANT_DIRECTOR.value
    return registry.people.get(asker.name, "") if asker.kind == "staff" else ""


def outranked(registry: Registry, asker: Asker, wanted: Position) -> Refusal | None:
    """The refusal of a request by somebody below the position it takes."""
    position = position_of(registry, asker)
    if position in _RANKS and _RANKS[position] >= _RANKS[wanted.value]:
        return None
    return refuse("no-authority", "That is for a {rank} or above.", rank=wanted.value)


def at_least(position: str, wanted: str) -> bool:
    """Whether a position is that one or a higher one."""
    return position in _RANKS and _RANKS[position] >= _RANKS[wanted]


def not_at_this_table(registry: Registry, asker: Asker, assigned: object) -> Refusal | None:
    """The refusal of a dealer's act by a dealer who is not on shift at the table."""
    position = position_of(registry, asker)
    if position in _AT_THE_TABLE and asker.name not in assigned:  # type: ignore[operator]
        return refuse("not-on-shift", "{name} is not on shift at this table.", name=asker.name)
    return None


def by_console(position: str) -> bool:
    """Whether somebody of this position has account and password from the console, and from nobody else."""
    return position == SURVEILLANCE or at_least(position, Position.SHIFT_MANAGER.value)


def second_person(registry: Registry, asker: Asker, other: str, wanted: Position) -> Refusal | None:
    """The refusal of an act that takes two persons, unless `other` is another one of rank."""
    if other == asker.name or other not in registry.people:
        return Refusal("second-person", "That takes a second person of the house, by name.")
    if not at_least(registry.people[other], wanted.value):
        return refuse("second-person", "The second person is a {rank} or above.", rank=wanted.value)
    return None


def engine_actor(registry: Registry, asker: Asker, asked: Actor) -> Actor | Refusal:
    """Who acts, for the engine: the position is the registry's, whatever the request says.

    Staff may act in their own position or a lower one they name; a player only as himself.
    """
    if asker.kind == "player":
        if isinstance(asked, Player) and asked.name == asker.name:
            return asked
        return Refusal("not-you", "A player acts for himself.")
    if asker == SYSTEM:
        return asked
    position = position_of(registry, asker)
    if asker.kind == CONSOLE.kind:
        return Refusal("no-authority", "The console sets the floor up; persons act at tables.")
    if position == SURVEILLANCE or position not in _RANKS:
        return refuse("no-authority", "{name} does not act at tables.", name=asker.name or asker.kind)
    if isinstance(asked, Player):
        return Staff(Position(position), for_player=asked.name)
    return Staff(Position(position), for_player=asked.for_player)
