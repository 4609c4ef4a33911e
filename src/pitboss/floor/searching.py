"""Looking for rounds in the record: by table, time, player, amount, clause or irregularity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitboss.floor.codec import decode
from pitboss.floor.desk import table_stream
from pitboss.floor.overview import at_text
from pitboss.floor.ports import BEGINNING, Micros, Reader, Recorded, RoundRow
from pitboss.floor.shapes import FoundRound
from pitboss.money import Cents, format_cents
from pitboss.play import events as e

NOTHING = Cents(0)
UNNOTICED = "unnoticed"
"""Rounds with a stake that lay there unnoticed are found by this word, like those with an irregularity."""

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


def found_rounds(
    reader: Reader, wanted: Wanted, *, most: int, utc_offset_minutes: int = 0
) -> tuple[list[FoundRound], bool]:
    """Rounds that fit, the newest first; and whether there may be more. Times by a clock so far from UTC."""
    rows: list[RoundRow] = []
    for table in wanted.tables:
        rows += reader.rounds(table, since=wanted.since, until=wanted.until)
    rows.sort(key=lambda row: (row.opened_at, row.table), reverse=True)
    found: list[FoundRound] = []
    for read, row in enumerate(rows):
        if len(found) >= most or (wanted.inside and read >= MOST_READ):
            return found, True
        line = _line(reader, row, wanted, utc_offset_minutes)
        if line is not None:
            found.append(line)
    return found, False


def _line(reader: Reader, row: RoundRow, wanted: Wanted, offset: int) -> FoundRound | None:
    line = FoundRound(
        table=row.table,
        round=row.number,
        status=row.status,
        opened=at_text(row.opened_at, offset),
        ended=None if row.ended_at is None else at_text(row.ended_at, offset),
        rulebook=row.rulebook,
    )
    if row.ended_at is None and (wanted.least or not wanted.inside):  # nothing is won or lost yet
        return None if wanted.inside else line
    events = reader.read(table_stream(row.table), after=row.first_version - 1, until=row.last_version)
    if not _fits(events, wanted):
        return None
    largest = max(_moved(events), default=Cents(0))
    if largest < wanted.least:
        return None
    kinds = {decode(event).kind.value for event in events if event.name.startswith("irregularity-reported")}
    if any(event.name.startswith("unnoticed-wager-entered") for event in events):
        kinds.add(UNNOTICED)
    line.largest, line.irregularities = format_cents(largest), sorted(kinds)
    return line


def _fits(events: Sequence[Recorded], wanted: Wanted) -> bool:
    """By what everybody at the table saw: stakes, clauses, reports. What was dealt is not looked at."""
    if wanted.player and not any(_owner(event) == wanted.player for event in events):
        return False
    if wanted.clause and not any(_cites(event, wanted.clause) for event in events):
        return False
    if not wanted.irregularity:
        return True
    if wanted.irregularity == UNNOTICED:
        return any(event.name.startswith("unnoticed-wager-entered") for event in events)
    kind = f'"kind":"{wanted.irregularity}"'
    return any(event.name.startswith("irregularity-reported") and kind in event.data for event in events)


def _owner(event: Recorded) -> str:
    """Whose stake an event lays on the layout, or nobody's."""
    lays = event.name.startswith(("wager-placed", "unnoticed-wager-entered"))
    return str(decode(event).player) if lays else ""


def _cites(event: Recorded, clause: str) -> bool:
    if f'"{clause}"' not in event.data:  # decoding takes longer
        return False
    found = decode(event)
    cited = {str(ref) for ref in getattr(found, "clauses", ())}
    if isinstance(found, e.RoundSettled | e.RoundVoided):
        cited |= {str(ref) for seat in found.settlement.seats for line in seat.lines for ref in line.clauses}
        awards = found.settlement.jackpot.awards if found.settlement.jackpot is not None else ()
        cited |= {str(ref) for award in awards for ref in award.clauses}
    return clause in cited


def net_of(events: Sequence[Recorded], player: str) -> Cents | None:
    """What a player won in a round, or lost with a minus; None as long as it is not concluded."""
    net: Cents | None = None
    for event in events:
        if event.name.startswith("settlement-reversed"):
            net = None
        elif event.name.startswith(("round-settled", "round-voided")):
            ended: e.RoundSettled | e.RoundVoided = decode(event)
            parts = [part for seat in ended.settlement.seats for part in seat.owners or (seat,)]
            net = Cents(sum(part.net for part in parts if part.player == player))
    return net


def _moved(events: Sequence[Recorded]) -> Iterator[Cents]:
    """What a position of the round won or lost, without its sign."""
    for event in events:
        if event.name.startswith("round-settled"):
            settled: e.RoundSettled = decode(event)
            for seat in settled.settlement.seats:
                yield Cents(abs(seat.net))
