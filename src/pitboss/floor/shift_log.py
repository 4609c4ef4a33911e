"""Who worked at a table, what was shuffled there, and when its cards were counted (A6), from the record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.floor import table_events as te
from pitboss.floor.ports import Micros, Recorded
from pitboss.play import events as e
from pitboss.rulebooks.trouble import Irregularity
from pitboss.rulebooks.vocabulary import Position

COUNTED = (
    Irregularity.COUNT_DOUBT,
    Irregularity.WRONG_COUNT_COMMUNITY,
    Irregularity.WRONG_COUNT_DEALER,
    Irregularity.WRONG_COUNT_POSITION,
)
"""Reports that somebody has counted the pack, or the cards of a place."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Somebody's time at a table; `until` is None while it lasts."""

    table: str
    person: str
    position: str
    since: Micros
    until: Micros | None = None


@dataclass(frozen=True, slots=True)
class CardCount:
    """Cards that were counted in a round: what was found, and who reported it."""

    at: Micros
    table: str
    round_number: int
    found: str
    by: str


@dataclass(slots=True)
class ShiftLog:
    """Sees the events of a table one after the other, and keeps what its shifts have to show since a moment.

    `shuffles` are packs shuffled for the table, by the dealers on shift: those of virtual tables. A physical
    pack is shuffled where no program sees it.
    """

    table: str
    since: Micros
    shifts: list[Shift] = field(default_factory=list)
    counts: list[CardCount] = field(default_factory=list)
    shuffles: Counter[str] = field(default_factory=Counter)
    _there: dict[str, Shift] = field(default_factory=dict)
    _round: int = 0

    def see(self, recorded: Recorded, event: Any) -> None:
        """The next event. Those before the moment are seen too, for who was there then."""
        at, counts = recorded.at, recorded.at >= self.since
        match event:
            case te.StaffAssigned():
                self._there[event.person] = Shift(self.table, event.person, event.position, at)
            case te.StaffRelieved():
                self._leaves(event.person, at)
            case te.TableClosed():
                for person in list(self._there):
                    self._leaves(person, at)
            case e.BetsOpened():
                self._round = event.round_number
            case te.CommitmentsSealed() | te.DeckSealed() if counts:
                self.shuffles[self.dealers] += 1
            case e.IrregularityReported() if counts and event.kind in COUNTED:
                self.counts.append(CardCount(at, self.table, self._round, event.what, recorded.actor))
            case _:
                pass

    def _leaves(self, person: str, at: Micros) -> None:
        shift = self._there.pop(person, None)
        if shift is not None and at >= self.since:
            self.shifts.append(replace(shift, until=at))

    @property
    def dealers(self) -> str:
        """The dealers who are on shift, by name; empty if nobody is."""
        return ", ".join(
            shift.person for shift in self._there.values() if shift.position == Position.DEALER.value
        )

    @property
    def staffing(self) -> list[Shift]:
        """Every shift of the time, those that last among them, in the order they began."""
        return sorted((*self.shifts, *self._there.values()), key=lambda shift: (shift.since, shift.person))
