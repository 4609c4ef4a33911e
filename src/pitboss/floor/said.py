"""What the streams of a floor say of each other, and who was ever known to the house.

Where two streams speak of one request each of them tells it (`Tie`), and whoever has folded both compares.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from pitboss.floor import registry
from pitboss.floor.authority import FIRST_EDITION, editions, ranks_of
from pitboss.floor.codec import Beside, decode
from pitboss.floor.desk import Desk
from pitboss.floor.entropy_statements import DeviceSeen
from pitboss.floor.people import at_least
from pitboss.floor.ports import BEGINNING, Micros, Reader, Recorded
from pitboss.floor.required_ranks import REQUESTED_BY, by_book
from pitboss.play.transitions import Transition
from pitboss.rulebooks.vocabulary import Position

S = TypeVar("S")
E = TypeVar("E")
POSITIONS = frozenset(position.value for position in Position)
GRACE = 60_000_000
"""Microseconds for which another process may still act by the permissions before; it has read on by then."""


class Tie(NamedTuple):
    """What one of two streams says of a request, under a key that both know."""

    side: int
    key: tuple[Any, ...]
    facts: Any
    stream: str
    version: int


@dataclass(slots=True)
class Known:
    """Who was ever known to the house, with every position that each has had, and the house's clock.

    `permissions` are those that were in force, each since its time; the first are of records that hold none.
    `forgotten` are the marks of answers that were erased, with their versions.
    """

    held: dict[str, set[str]] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)
    house: registry.Registry = field(default_factory=registry.Registry)
    permissions: list[tuple[Micros, Mapping[str, str]]] = field(
        default_factory=lambda: [(BEGINNING, editions()[FIRST_EDITION])]
    )
    created: Micros = BEGINNING
    forgotten: list[tuple[int, registry.AnswersForgotten]] = field(default_factory=list)

    @classmethod
    def of(cls, reader: Reader) -> Known:
        """What the floor's own stream says."""
        known = cls()
        for recorded in reader.read(registry.STREAM):
            event = decode(recorded)
            known.learn(event, recorded.actor, recorded.at)
            if isinstance(event, registry.AnswersForgotten):
                known.forgotten.append((recorded.version, event))
        return known

    def learn(self, event: Any, actor: str, at: Micros) -> None:
        """One event of the floor's stream more."""
        if isinstance(event, registry.PersonAdded | registry.PersonMoved):
            self.held.setdefault(event.person, set()).add(event.position)
        elif isinstance(event, registry.PlayerAdded):
            self.players.add(event.player)
        elif isinstance(event, registry.FloorCreated):
            self.house = registry.evolve_registry(self.house, event, actor)
            self.created = at
        if isinstance(event, registry.FloorCreated | registry.PermissionsSet) and event.permissions:
            self.permissions.append((at, ranks_of(event.permissions)))

    def ranks_at(self, at: Micros, request: str) -> tuple[str, ...]:
        """The least rank for a request at a time; about when it was changed, both of them."""
        found: list[str] = []
        for since, table in reversed(self.permissions):
            if since <= at + GRACE:
                found += [table[request]] if request in table else []
                if since <= at - GRACE or since == self.created:
                    break
        return tuple(found)

    def asks_for(self, at: Micros, request: str) -> bool:
        """Whether the permissions name a request at a time; about when they were changed, both of them."""
        found: list[bool] = []
        for since, table in reversed(self.permissions):
            if since <= at + GRACE:
                found.append(request in table)
                if since <= at - GRACE or since == self.created:
                    break
        return bool(found) and all(found)

    def binds(self, at: Micros) -> bool:
        """Whether events of a time have to say which authority they required, and which answer is kept."""
        if len(self.permissions) < 2:
            return False
        first = self.permissions[1][0]
        return at >= first if first == self.created else at >= first + GRACE

    def ranks_held(self, actor: str) -> Iterable[str]:
        """Every rank that whoever wrote an event has ever had; the console and the floor itself have any."""
        return POSITIONS if actor in ("console", "system") else self.positions_of(actor)

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

    def no_second(self, name: str, recorded: Recorded, request: str) -> str:
        """Whether somebody is not the second person of a request, by the permissions in force then."""
        actor, least = recorded.actor, self.ranks_at(recorded.at, f"{request}/second")
        fits = any(at_least(position, rank) for position in self.held.get(name, ()) for rank in least)
        if fits and name != name_of(actor):
            return ""
        return f"{name or 'nobody'} is no second person for what {actor} does"


def wrong_authority(
    known: Known, before: Any, event: Any, recorded: Recorded, beside: Beside, request: Sequence[Any]
) -> str:
    """What is wrong with the authority of an act, in words, or empty."""
    name = REQUESTED_BY.get(type(event))
    if name is not None:
        allowed = known.ranks_at(recorded.at, name)
    else:
        rank = by_book(before, event, request)
        allowed = () if rank is None else (rank.value,)
    if not allowed:
        return f"it required no authority, and says {beside.authority}" if beside.authority else ""
    if beside.authority and beside.authority not in allowed:
        return f"it says that it required a {beside.authority}, in force was {allowed[0]}"
    if not beside.authority and known.binds(recorded.at):
        return "it does not say which authority it required"
    least = beside.authority or allowed[0]
    by = getattr(event, "by", None) if name is None else None
    held = (str(by),) if isinstance(by, Position) else known.ranks_held(recorded.actor)
    if any(at_least(rank, least) for rank in held):
        return ""
    return f"{recorded.actor} has never been a {least} or above, which it required"


def name_of(actor: str) -> str:
    """The name of whoever is said to have written an event."""
    return actor.rpartition("/")[2]


@dataclass(slots=True)
class Said(ABC, Generic[S, E]):
    """The events of one stream held against each other, and what they say of others.

    `terms` are those of the jackpot as a table or a link has them, `awards` how many more there are by a
    request, `corrections` what a link makes of that. `devices` are those that contributed to
    sealed decks. `request` is what was recorded at the same time.
    """

    desk: Desk
    reader: Reader
    known: Known
    name: str
    ties: list[Tie] = field(default_factory=list)
    terms: list[tuple[str, int, str, tuple[int, ...]]] = field(default_factory=list)
    awards: dict[tuple[str, int], int] = field(default_factory=dict)
    corrections: list[tuple[str, int, str, int, int]] = field(default_factory=list)
    devices: list[DeviceSeen] = field(default_factory=list)
    request: list[E] = field(default_factory=list)
    _at: int = 0

    def wrong(self, step: Transition[S, E], recorded: Recorded, beside: Beside) -> str:
        """What is wrong with an event, in words, or empty."""
        if not self.known.is_known(recorded.actor):
            return f"the house does not know {recorded.actor}"
        left = ""
        if recorded.at != self._at:
            left = self.left()
            self._at, self.request = recorded.at, []
        problem = (
            left
            or self.check(step, recorded)
            or wrong_authority(self.known, step.before, step.event, recorded, beside, self.request)
        )
        self.request.append(step.event)
        return problem

    def left(self) -> str:
        """What a request that is over should have said, in words, or empty."""
        return ""

    @abstractmethod
    def check(self, step: Transition[S, E], recorded: Recorded) -> str:
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
