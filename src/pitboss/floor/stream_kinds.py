"""The kinds of streams: what each begins with, what its events make of it, what is posted and kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from pitboss.floor.disputes import DisputeEvent, DisputeState, NoDispute, evolve_dispute
from pitboss.floor.gaming_table import (
    ClosedTable,
    GamingTable,
    PlanOf,
    TableStep,
    evolve_table,
    keep_table,
    kept_table,
)
from pitboss.floor.link import Link, evolve_link
from pitboss.floor.link_events import LinkEvent
from pitboss.floor.patrons import Patronage, PatronEvent
from pitboss.floor.ports import FLOOR, Micros, Recorded, RoundRow
from pitboss.floor.postings import NO_LINES, Lines, link_lines, table_lines
from pitboss.floor.registry import Registry, RegistryEvent, evolve_registry
from pitboss.floor.streams import E, S, Stream
from pitboss.floor.table_events import AnyTableEvent
from pitboss.play import events as e
from pitboss.play.encoding import decoder_for, encoder_for
from pitboss.play.table import Stage, State
from pitboss.play.transitions import Played, Transition

ROUNDS_PER_SNAPSHOT = 10
EVENTS_PER_LINK_SNAPSHOT = 200


class Mark(NamedTuple):
    """Where an event stands: its number in its stream, when it was written, and by whom."""

    version: int
    at: Micros
    actor: str


def mark_of(recorded: Recorded) -> Mark:
    """Where a recorded event stands."""
    return Mark(recorded.version, recorded.at, recorded.actor)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamKind(Generic[S, E]):
    """How streams of a kind are folded.

    `evolve` takes an event of play with the rounds around it, too, where it was evolved already. `lines` are
    its postings, `row` is what the index of rounds has from it. `keep` is what a snapshot has of a state, as
    JSON, and None where there is none of it; `kept` is the state again. One is made before some events
    (`keeps_before`), or once in so many (`keeps_every`).
    """

    begin: Callable[[str], S]
    evolve: Callable[[S, E, Mark, PlanOf, Played | None], S]
    lines: Callable[[Transition[S, E]], Lines] = lambda step: NO_LINES
    row: Callable[[Transition[S, E], Mark], RoundRow | None] = lambda step, mark: None
    keep: Callable[[S], dict[str, Any] | None] = lambda state: None
    kept: Callable[[str, dict[str, Any], PlanOf], S] | None = None
    keeps_before: Callable[[Transition[S, E]], bool] = lambda step: False
    keeps_every: int = 0


def _table(
    table: GamingTable, event: AnyTableEvent, mark: Mark, plan_of: PlanOf, played: Played | None
) -> GamingTable:
    version, at, actor = mark
    return evolve_table(table, event, plan_of=plan_of, at=at, version=version, actor=actor, played=played)


def _link(link: Link, event: LinkEvent, mark: Mark, plan_of: PlanOf, played: Played | None) -> Link:
    return evolve_link(link, event, mark.at, mark.actor)


def _dispute(
    dispute: DisputeState, event: DisputeEvent, mark: Mark, plan_of: PlanOf, played: Played | None
) -> DisputeState:
    return evolve_dispute(dispute, event, mark.at, mark.actor)


def _patronage(
    patronage: Patronage, event: PatronEvent, mark: Mark, plan_of: PlanOf, played: Played | None
) -> Patronage:
    return (*patronage, (event, mark.at))


def _registry(
    registry: Registry, event: RegistryEvent, mark: Mark, plan_of: PlanOf, played: Played | None
) -> Registry:
    return evolve_registry(registry, event, mark.actor)


def _round_row(step: TableStep, mark: Mark) -> RoundRow | None:
    """The row of the index of rounds that an event makes, or None for one that does not change it."""
    if type(step.event) not in _ROUND_MARKS:
        return None
    table = step.after
    if isinstance(table, ClosedTable):
        return None
    state, opened = table.state, table.opened
    ended = state.stage in (Stage.SETTLED, Stage.VOID)
    return RoundRow(
        table=table.table,
        number=state.round_number,
        first_version=table.round_first_version,
        last_version=mark.version,
        opened_at=table.round_opened_at,
        dealt_at=table.dealt_at,
        ended_at=mark.at if ended else None,
        status=state.stage.value,
        rulebook=opened.rulebook,
        link=opened.link,
        jackpot=_has_jackpot_stake(state),
    )


_ROUND_MARKS = (e.BetsOpened, e.CardsDealt, e.RoundSettled, e.RoundVoided, e.SettlementReversed)


def _has_jackpot_stake(state: State) -> bool:
    jackpot = state.plan.jackpot
    return jackpot is not None and any(box.stake(jackpot.wager) for box in state.boxes.values())


def _begins_ten(step: TableStep) -> bool:
    """Whether the tenth, twentieth … round is over, and the next one opens."""
    before = step.before
    if type(step.event) is not e.BetsOpened or isinstance(before, ClosedTable):
        return False
    return before.state.round_number % ROUNDS_PER_SNAPSHOT == 0


def _link_kept(name: str, data: dict[str, Any], plan_of: PlanOf) -> Link:
    link: Link = decoder_for(Link)(data, f"link/{name}")
    return link


KINDS: dict[str, StreamKind[Any, Any]] = {
    "table": StreamKind(
        begin=ClosedTable,
        evolve=_table,
        lines=table_lines,
        keep=keep_table,
        kept=kept_table,
        row=_round_row,
        keeps_before=_begins_ten,
    ),
    "link": StreamKind(
        begin=lambda name: Link(link=name),
        evolve=_link,
        lines=link_lines,
        keep=encoder_for(Link),
        kept=_link_kept,
        keeps_every=EVENTS_PER_LINK_SNAPSHOT,
    ),
    "dispute": StreamKind(begin=lambda name: NoDispute(number=int(name)), evolve=_dispute),
    "player": StreamKind(begin=lambda name: (), evolve=_patronage),
    FLOOR: StreamKind(begin=lambda name: Registry(), evolve=_registry),
}


def kind_of(stream: Stream[S, E]) -> StreamKind[S, E]:
    """The kind of a stream."""
    return KINDS[stream.partition("/")[0]]


def name_in(stream: Stream[S, E]) -> str:
    """Whose stream it is: the name of a table, a link or a player, the number of a dispute."""
    return stream.partition("/")[2]
