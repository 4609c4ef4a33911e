"""The house's own stream: people, players, rulebooks in force, tables and links.

Rulebooks come into force when two different persons have approved the same hash; the book itself is kept with
the proposal, so that a replay years later reads the one that was played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.floor.ports import BEGINNING, FLOOR, SECOND, Micros
from pitboss.floor.streams import Stream
from pitboss.money import Cents
from pitboss.play.encoding import later
from pitboss.play.transitions import Transition
from pitboss.rulebooks.vocabulary import Position

STREAM: Stream[Registry, RegistryEvent] = Stream(FLOOR)
APPROVALS_NEEDED = 2
SURVEILLANCE = "surveillance"
POSITIONS = (*(position.value for position in Position), SURVEILLANCE)
DAY = 24 * 3600 * SECOND
LEAST_KEPT_DAYS = 7
"""So long every answer is kept at least: much longer than any client repeats a request."""
LEAST_KEPT = LEAST_KEPT_DAYS * DAY
MOST_KEPT_DAYS = 36_500


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorCreated:
    """A floor: its name, when its gaming day begins (`06:00`), and its clock's distance from UTC.

    `permissions` are those in force from now on: `open-table=pit-manager`, and the edition they are of.
    """

    name: str
    day_begins: str
    utc_offset_minutes: int
    permissions: tuple[str, ...] = later(())


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionsSet:
    """Other permissions are in force from now on, because the floor is run by another version of Pitboss."""

    permissions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAdded:
    """Somebody of the house has an account."""

    person: str
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMoved:
    """Somebody has another position."""

    person: str
    before: str
    position: str
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRemoved:
    """Somebody has no account any more."""

    person: str
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAdded:
    """A player is known to the house."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLimited:
    """A player's own limits for a gaming day; None is no limit.

    `now_loss` and `now_minutes` hold at once, `loss` and `minutes` from `from_day` on, where it is named.
    """

    player: str
    loss: Cents | None
    minutes: int | None
    now_loss: Cents | None
    now_minutes: int | None
    from_day: str
    reason: str = later("")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerExcluded:
    """Nobody lets the player play before `until` (a date); empty is for good. He asked for it, or did not."""

    player: str
    until: str
    by_himself: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBarred:
    """Barred from further play by the ruling at a table; it holds at every table."""

    player: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnbarred:
    """A player may play at a table again."""

    player: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookProposed:
    """A book with its readings, whole. `rulebook` is the hash that is approved."""

    rulebook: str
    id: str
    digest: str
    readings: Mapping[str, str]
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookApproved:
    """Somebody has approved a book; with the second person it is in force."""

    rulebook: str
    person: str
    in_force: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookWithdrawn:
    """No table is opened with it any more; what was played with it stays."""

    rulebook: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountNoted:
    """An account of staff or of a player: its password was set, or it was unlocked, and by whom."""

    kind: str
    name: str
    what: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAdded:
    """The floor has a table of this name."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAdded:
    """The floor has a link of this name."""

    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Something that was acknowledged or known and is not in the record: a head that a command made.

    Without a stream it is a refusal; without a key it was read, or signed, and no journal names its command.
    """

    key: str
    stream: str
    version: int
    hash: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LostCheckpoint:
    """A checkpoint that was made and is not in the record."""

    number: int
    at: int
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordReconciled:
    """The database came back without the end of the record, and this is what was lost.

    `before` and `after` name the database with its timeline. `lost` are the first of `count`; `digest` is of
    all of them, with the checkpoints and the databases.
    """

    before: str
    after: str
    checkpoints: tuple[LostCheckpoint, ...]
    lost: tuple[Lost, ...]
    count: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersForgotten:
    """The answers that were kept for requests before a time are gone, and so are the keys of those requests.

    `done` are answers that events of the record speak of, `others` are all others: refusals mostly. The
    digests are of what the record says, or would say, of each (`floor.kept_answers`).
    """

    before: Micros
    done: int
    digest: str
    others: int
    others_digest: str


RegistryEvent = (
    FloorCreated
    | PermissionsSet
    | PersonAdded
    | PersonMoved
    | PersonRemoved
    | PlayerAdded
    | PlayerLimited
    | PlayerExcluded
    | PlayerBarred
    | PlayerUnbarred
    | RulebookProposed
    | RulebookApproved
    | RulebookWithdrawn
    | AccountNoted
    | TableAdded
    | LinkAdded
    | RecordReconciled
    | AnswersForgotten
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a player may lose and how long he may play in a gaming day; None is no limit."""

    loss: Cents | None = None
    minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patron:
    """A player as the house knows him. `later` are limits that hold from a day on."""

    limits: Limits = Limits()
    later: tuple[str, Limits] | None = None
    excluded_until: str | None = None
    excluded_by_himself: bool = False
    barred_at: tuple[str, ...] = ()

    def limits_on(self, day: str) -> Limits:
        """The limits that hold on a day."""
        return self.later[1] if self.later is not None and day >= self.later[0] else self.limits

    def is_excluded(self, day: str) -> bool:
        """Whether he may not play on a day."""
        return self.excluded_until is not None and (not self.excluded_until or day < self.excluded_until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """A rulebook that was proposed, and how far it has come."""

    id: str
    digest: str
    readings: Mapping[str, str]
    document: str
    proposed_by: str
    approved_by: tuple[str, ...] = ()
    in_force: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """The fold of the house's stream."""

    name: str = ""
    day_begins: str = "06:00"
    utc_offset_minutes: int = 0
    people: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, Patron] = field(default_factory=dict)
    rulebooks: Mapping[str, Adopted] = field(default_factory=dict)
    tables: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    former: frozenset[str] = field(default_factory=frozenset)
    permissions: tuple[str, ...] = ()
    reconciled: tuple[RecordReconciled, ...] = ()
    answers_since: Micros = BEGINNING


HouseStep = Transition[Registry, RegistryEvent]
"""An event of the floor's own stream, with the registry before and after it."""


def evolve_registry(registry: Registry, event: RegistryEvent, actor: str) -> Registry:
    """The registry after one event."""
    return _EVOLVE[type(event)](registry, event, actor)


def _created(registry: Registry, event: FloorCreated, actor: str) -> Registry:
    return replace(
        registry,
        name=event.name,
        day_begins=event.day_begins,
        utc_offset_minutes=event.utc_offset_minutes,
        permissions=event.permissions,
    )


def _permitted(registry: Registry, event: PermissionsSet, actor: str) -> Registry:
    return replace(registry, permissions=event.permissions)


def _person(registry: Registry, event: PersonAdded | PersonMoved, actor: str) -> Registry:
    return replace(registry, people={**registry.people, event.person: event.position})


def _person_removed(registry: Registry, event: PersonRemoved, actor: str) -> Registry:
    people = {person: position for person, position in registry.people.items() if person != event.person}
    return replace(registry, people=people, former=registry.former | {event.person})


def _player(registry: Registry, event: PlayerAdded, actor: str) -> Registry:
    return replace(registry, players={**registry.players, event.player: Patron()})


def _limited(registry: Registry, event: PlayerLimited, actor: str) -> Registry:
    patron = registry.players[event.player]
    limits = Limits(loss=event.now_loss, minutes=event.now_minutes)
    later = Limits(loss=event.loss, minutes=event.minutes)
    patron = replace(patron, limits=limits, later=(event.from_day, later) if event.from_day else None)
    return replace(registry, players={**registry.players, event.player: patron})


def _excluded(registry: Registry, event: PlayerExcluded, actor: str) -> Registry:
    patron = replace(
        registry.players[event.player], excluded_until=event.until, excluded_by_himself=event.by_himself
    )
    return replace(registry, players={**registry.players, event.player: patron})


def _barred(registry: Registry, event: PlayerBarred, actor: str) -> Registry:
    patron = registry.players[event.player]
    patron = replace(patron, barred_at=(*patron.barred_at, event.table))
    return replace(registry, players={**registry.players, event.player: patron})


def _unbarred(registry: Registry, event: PlayerUnbarred, actor: str) -> Registry:
    patron = registry.players[event.player]
    left = tuple(table for table in patron.barred_at if table != event.table)
    return replace(registry, players={**registry.players, event.player: replace(patron, barred_at=left)})


def _proposed(registry: Registry, event: RulebookProposed, actor: str) -> Registry:
    adopted = Adopted(
        id=event.id,
        digest=event.digest,
        readings=event.readings,
        document=event.document,
        proposed_by=actor,
    )
    return replace(registry, rulebooks={**registry.rulebooks, event.rulebook: adopted})


def _approved(registry: Registry, event: RulebookApproved, actor: str) -> Registry:
    adopted = registry.rulebooks[event.rulebook]
    adopted = replace(
        adopted, approved_by=(*adopted.approved_by, event.person), in_force=event.in_force, withdrawn=False
    )
    return replace(registry, rulebooks={**registry.rulebooks, event.rulebook: adopted})


def _withdrawn(registry: Registry, event: RulebookWithdrawn, actor: str) -> Registry:
    adopted = replace(registry.rulebooks[event.rulebook], in_force=False, withdrawn=True, approved_by=())
    return replace(registry, rulebooks={**registry.rulebooks, event.rulebook: adopted})


def _table(registry: Registry, event: TableAdded, actor: str) -> Registry:
    return replace(registry, tables=(*registry.tables, event.table))


def _link(registry: Registry, event: LinkAdded, actor: str) -> Registry:
    return replace(registry, links=(*registry.links, event.link))


def _reconciled(registry: Registry, event: RecordReconciled, actor: str) -> Registry:
    return replace(registry, reconciled=(*registry.reconciled, event))


def _forgotten(registry: Registry, event: AnswersForgotten, actor: str) -> Registry:
    return replace(registry, answers_since=event.before)


_EVOLVE: dict[type[RegistryEvent], Callable[[Registry, Any, str], Registry]] = {
    FloorCreated: _created,
    PermissionsSet: _permitted,
    PersonAdded: _person,
    PersonMoved: _person,
    PersonRemoved: _person_removed,
    PlayerAdded: _player,
    PlayerLimited: _limited,
    PlayerExcluded: _excluded,
    PlayerBarred: _barred,
    PlayerUnbarred: _unbarred,
    RulebookProposed: _proposed,
    RulebookApproved: _approved,
    RulebookWithdrawn: _withdrawn,
    AccountNoted: lambda registry, event, actor: registry,
    TableAdded: _table,
    LinkAdded: _link,
    RecordReconciled: _reconciled,
    AnswersForgotten: _forgotten,
}
