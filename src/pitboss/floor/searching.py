"""Looking for rounds in the record: by table, time, player, amount, clause or irregularity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.floor.codec import decode
from pitboss.floor.desk import table_stream
from pitboss.floor.overview import at_text
from pitboss.floor.ports import BEGINNING, Micros, Reader, Recorded, RoundRow
from pitboss.money import Cents, format_cents
from pitboss.play import events as e

NOTHING = Cents(0)
MOST_READ = 3000
"""So many rounds are opened at most in one search; the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for. What is left empty does not matter."""

    tables: Sequence[str]
    since: Micros = BEGINNING
    until: Micros | None = None
    player: str = ""
    least: Cents = NOTHING
    clause: str = ""
    irregularity: str = ""

    @property
    def inside(self) -> bool:
        """Whether rounds must be opened to tell."""
        return bool(self.player or self.least or self.clause or self.irregularity)


def found_rounds(reader: Reader, wanted: Wanted, *, most: int) -> tuple[list[dict[str, Any]], bool]:
    """Rounds that fit, the newest first; and whether there may be more."""
    rows: list[RoundRow] = []
    for table in wanted.tables:
        rows += reader.rounds(table, since=wanted.since, until=wanted.until)
    rows.sort(key=lambda row: (row.opened_at, row.table), reverse=True)
    found: list[dict[str, Any]] = []
    for read, row in enumerate(rows):
        if len(found) >= most or (wanted.inside and read >= MOST_READ):
            return found, True
        line = _line(reader, row, wanted)
        if line is not None:
            found.append(line)
    return found, False


def _line(reader: Reader, row: RoundRow, wanted: Wanted) -> dict[str, Any] | None:
    line: dict[str, Any] = {
        "table": row.table,
        "round": row.number,
        "status": row.status,
        "opened": at_text(row.opened_at),
        "ended": None if row.ended_at is None else at_text(row.ended_at),
        "rulebook": row.rulebook,
    }
    if row.ended_at is None:  # what is in play is for its own table's screens
        return None if wanted.inside else line
    events = reader.read(table_stream(row.table), after=row.first_version - 1, until=row.last_version)
    if not _fits(events, wanted):
        return None
    largest = max(_moved(events), default=Cents(0))
    if largest < wanted.least:
        return None
    kinds = {decode(event).kind.value for event in events if event.name.startswith("irregularity-reported")}
    return line | {"largest": format_cents(largest), "irregularities": sorted(kinds)}


def _fits(events: Sequence[Recorded], wanted: Wanted) -> bool:
    if wanted.player and not any(f'"{wanted.player}"' in event.data for event in events):
        return False
    if wanted.clause and not any(f'"{wanted.clause}"' in event.data for event in events):
        return False
    if not wanted.irregularity:
        return True
    kind = f'"kind":"{wanted.irregularity}"'
    return any(event.name.startswith("irregularity-reported") and kind in event.data for event in events)


def _moved(events: Sequence[Recorded]) -> Iterator[Cents]:
    """What a position of the round won or lost, without its sign."""
    for event in events:
        if event.name.startswith("round-settled"):
            settled: e.RoundSettled = decode(event)
            for seat in settled.settlement.seats:
                yield Cents(abs(seat.net))
