"""A table's stream folded event by event, from where a round begins."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.floor.desk import Desk, table_stream
from pitboss.floor.gaming_table import ClosedTable, GamingTable, TableStep
from pitboss.floor.ports import Reader, Recorded
from pitboss.floor.streams import Stream
from pitboss.floor.table_events import AnyTableEvent
from pitboss.progress import Task, counting

CHUNK = 5000


def folded(
    desk: Desk, reader: Reader, table: str, *, first: int, until: int | None = None
) -> Iterator[tuple[Recorded, TableStep]]:
    """Every event of a table from a version on, with the table before and after it.

    It begins at the last snapshot if that is early enough, else at the beginning of the stream.
    """
    stream = table_stream(table)
    base = desk.from_snapshot(reader, stream)
    state = base.state if base.head.version < first else ClosedTable(table)
    after = base.head.version if base.head.version < first else 0
    size = (reader.head(stream).version if until is None else until) - after
    with counting("replaying", max(size, 0)) as task:
        yield from _folded(desk, reader, stream, state, after, first, until, task)


def _folded(
    desk: Desk,
    reader: Reader,
    stream: Stream[GamingTable, AnyTableEvent],
    state: GamingTable,
    after: int,
    first: int,
    until: int | None,
    task: Task,
) -> Iterator[tuple[Recorded, TableStep]]:
    while True:
        end = after + CHUNK if until is None else min(after + CHUNK, until)
        chunk = reader.read(stream, after=after, until=end)
        if not chunk:
            return
        for recorded in chunk:
            task.advance()
            step = desk.step(stream, state, recorded)
            state = step.after
            if recorded.version >= first:
                yield recorded, step
        after = chunk[-1].version
