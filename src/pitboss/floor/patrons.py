"""A player's own stream: stays at tables with their results, by which limits are kept, and devices.

Devices contribute to the order of sealed decks; those that count on a gaming day are found here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pitboss.floor.ports import Micros
from pitboss.floor.streams import Stream
from pitboss.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class StayEnded:
    """A player leaves a table: since when he was there, what he bought and what he took away."""

    table: str
    gaming_day: str
    currency: str
    since: Micros
    bought: Cents
    taken: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCounted:
    """A device of the player commits for the first time on a gaming day, at whatever table."""

    device: str
    gaming_day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceWithheld:
    """A device had committed at a table and did not reveal: it counts no more on that gaming day."""

    table: str
    round_number: int
    device: str
    gaming_day: str


PatronEvent = StayEnded | DeviceCounted | DeviceWithheld
Patronage = tuple[tuple[PatronEvent, Micros], ...]
"""A player's own stream, read: every event of it and when it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfPlay:
    """What a player's ended stays of one gaming day come to. `lost` is negative for a winner."""

    gaming_day: str = ""
    micros: int = 0
    lost: Cents = Cents(0)  # noqa: RUF009


def stream_of(player: str) -> Stream[Patronage, PatronEvent]:
    """The name of a player's stream."""
    return Stream(f"player/{player}")


def add_stay(day: DayOfPlay, event: StayEnded, at: Micros, *, currency: str) -> DayOfPlay:
    """The day with one more stay in it; stays of other days are not counted."""
    if event.gaming_day != day.gaming_day:
        return day
    lost = event.bought - event.taken if event.currency == currency else 0
    return replace(day, micros=day.micros + at - event.since, lost=Cents(day.lost + lost))
