"""A player's own stream: how long he stayed at tables, and with what result. Limits are kept by it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pitboss.floor.ports import Micros
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
class DayOfPlay:
    """What a player's ended stays of one gaming day come to. `lost` is negative for a winner."""

    gaming_day: str = ""
    micros: int = 0
    lost: Cents = Cents(0)  # noqa: RUF009


def stream_of(player: str) -> str:
    """The name of a player's stream."""
    return f"player/{player}"


def add_stay(day: DayOfPlay, event: StayEnded, at: Micros, *, currency: str) -> DayOfPlay:
    """The day with one more stay in it; stays of other days are not counted."""
    if event.gaming_day != day.gaming_day:
        return day
    lost = event.bought - event.taken if event.currency == currency else 0
    return replace(day, micros=day.micros + at - event.since, lost=Cents(day.lost + lost))
