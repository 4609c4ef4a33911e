"""What the streams of a floor say of each other, and who was ever known to the house.

Where two streams speak of one request each of them tells it (`Tie`), and whoever has folded both compares.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pitboss.floor import registry
from pitboss.floor.codec import decode
from pitboss.floor.desk import Desk
from pitboss.floor.people import at_least
from pitboss.floor.ports import Reader, Recorded
from pitboss.rulebooks.vocabulary import Position

POSITIONS = frozenset(position.value for position in Position)


class Tie(NamedTuple):
    """What one of two streams says of a request, under a key that both know."""

    side: int
    key: tuple[Any, ...]
    facts: Any
    stream: str
    version: int


@dataclass(slots=True)
class Known:
    """Who was ever known to the house, with every position that each has had, and the house's clock."""

    held: dict[str, set[str]] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)
    house: registry.Registry = field(default_factory=registry.Registry)

    @classmethod
    def of(cls, reader: Reader) -> Known:
        """What the floor's own stream says."""
        known = cls()
        for recorded in reader.read(registry.STREAM):
            known.learn(decode(recorded), recorded.actor)
        return known

    def learn(self, event: Any, actor: str) -> None:
        """One event of the floor's stream more."""
        if isinstance(event, registry.PersonAdded | registry.PersonMoved):
            self.held.setdefault(event.person, set()).add(event.position)
        elif isinstance(event, registry.PlayerAdded):
            self.players.add(event.player)
        elif isinstance(event, registry.FloorCreated):
            self.house = registry.evolve_registry(self.house, event, actor)

    def is_known(self, actor: str) -> bool:
        """Whether whoever is said to have written an event was ever known to the house."""
        kind, _, name = actor.partition("/")
        if kind in ("console", "system"):
            return not name
        return name in (self.held if kind == "staff" else self.players if kind == "player" else ())

    def positions_of(self, actor: str) -> Iterable[str]:
        """Every position that whoever wrote an event has ever had; the floor itself acts for any."""
        kind, _, name = actor.partition("/")
        return POSITIONS if kind == "system" else self.held.get(name, ())

    def no_second(self, name: str, actor: str, least: Position) -> str:
        """Whether somebody is not the second person that he is said to be."""
        fits = any(at_least(position, least.value) for position in self.held.get(name, ()))
        if fits and name != name_of(actor):
            return ""
        return f"{name or 'nobody'} is no second person for what {actor} does"


def name_of(actor: str) -> str:
    """The name of whoever is said to have written an event."""
    return actor.rpartition("/")[2]


@dataclass(slots=True)
class Said(ABC):
    """The events of one stream held against each other, and what they say of others.

    `terms` are those of the jackpot as a table or a link has them, `awards` how many more there are by a
    request, `corrections` what a link makes of that. `request` is what was recorded at the same time.
    """

    desk: Desk
    reader: Reader
    known: Known
    name: str
    ties: list[Tie] = field(default_factory=list)
    terms: list[tuple[str, int, str, tuple[int, ...]]] = field(default_factory=list)
    awards: dict[tuple[str, int], int] = field(default_factory=dict)
    corrections: list[tuple[str, int, str, int, int]] = field(default_factory=list)
    request: list[Any] = field(default_factory=list)
    _at: int = 0

    def wrong(self, before: Any, event: Any, after: Any, recorded: Recorded) -> str:
        """What is wrong with an event, in words, or empty."""
        if not self.known.is_known(recorded.actor):
            return f"the house does not know {recorded.actor}"
        left = ""
        if recorded.at != self._at:
            left = self.left()
            self._at, self.request = recorded.at, []
        problem = left or self.check(before, event, after, recorded)
        self.request.append(event)
        return problem

    def left(self) -> str:
        """What a request that is over should have said, in words, or empty."""
        return ""

    @abstractmethod
    def check(self, before: Any, event: Any, after: Any, recorded: Recorded) -> str:
        """What the events of such a stream are held against."""

    def tell(self, recorded: Recorded, side: int, key: tuple[Any, ...], facts: Any) -> None:
        """Say of a request what another stream has to say too."""
        self.ties.append(Tie(side, key, facts, recorded.stream, recorded.version))

    def has_terms(self, recorded: Recorded, link: str, terms: Any) -> None:
        """A table knows a jackpot by terms that it has had; a link that has them names none."""
        facts = (int(terms.unit), int(terms.reset), terms.increment_bp)
        self.terms.append((recorded.stream, recorded.version, link, facts))


def untied(ties: Iterable[Tie]) -> list[tuple[str, int, str]]:
    """Where two streams do not say the same of a request: the event of the one that is asked, and what."""
    told: dict[tuple[Any, ...], tuple[list[Any], list[Any]]] = {}
    where: dict[tuple[Any, ...], Tie] = {}
    for tie in ties:
        told.setdefault(tie.key, ([], []))[tie.side].append(tie.facts)
        if tie.side or tie.key not in where:
            where[tie.key] = tie
    return [
        (
            where[key].stream,
            where[key].version,
            f"of this {key[0]} one stream says {one or 'nothing'}, the other {other or 'nothing'}",
        )
        for key, (one, other) in told.items()
        if one != other
    ]
