"""Recall: a round of the record in sequence, as every role saw it. What is shown is marked as a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pitboss.errors import BadInput
from pitboss.floor.folding import folded
from pitboss.floor.gaming_table import GamingTable, ever_open
from pitboss.floor.overview import at_text, units
from pitboss.floor.ports import Micros, Reader
from pitboss.floor.postings import table_lines
from pitboss.floor.service import Floor
from pitboss.floor.shapes import MoneyMoved, Opening, RoundRecord, RoundStep, TableView, VoidDeck
from pitboss.floor.table_events import VoidNoted
from pitboss.floor.views import floor_view
from pitboss.floor.voids import opened_deck
from pitboss.play import events as e
from pitboss.play.codec import is_of_play
from pitboss.play.narrate import narrate_citing
from pitboss.play.table import Stage
from pitboss.play.views import Role, Viewer


@dataclass(frozen=True, slots=True)
class RecalledStep:
    """One event of a round: when, by whom, what was said of it, the table after it, the money it moved."""

    version: int
    at: Micros
    actor: str
    name: str
    sentence: str
    table: GamingTable
    event: Any
    hash: str = ""
    money: tuple[tuple[str, int], ...] = ()


def recall(floor: Floor, reader: Reader, table: str, number: int) -> list[RecalledStep]:
    """The events of a round with the table after each. Raises `BadInput` for a round there was not."""
    floor.gaming_table(table)
    row = reader.round_at(table, number)
    if row is None:
        there = floor.gaming_table(table).as_open
        last = 0 if there is None else there.state.round_number
        raise BadInput("ROUND", f"table {table} has no round {number}", f"it has 1 to {last}" if last else "")
    following = reader.round_at(table, number + 1)
    last_version = following.first_version - 1 if following is not None else None
    steps = []
    first = row.first_version
    for recorded, step in folded(floor.desk, reader, table, first=first, until=last_version):
        state, event = step.after, step.event
        if isinstance(event, e.RackChanged):
            continue  # chips that came and went between rounds are no part of the round
        sentence = narrate_citing(ever_open(state).state, event) if is_of_play(event) else ""
        steps.append(
            RecalledStep(
                recorded.version,
                recorded.at,
                recorded.actor,
                recorded.name,
                sentence,
                state,
                event,
                recorded.hash,
                tuple(table_lines(step)),
            )
        )
    return steps


def viewers_of(steps: list[RecalledStep]) -> dict[str, Viewer]:
    """Everybody who saw the round: the roles, and the players in it by name, owners of a share too.

    A co-owner sees of a pooled hand what he saw then: who sits there plays it and looks at its cards.
    """
    viewers = {role.value: Viewer(role) for role in Role if role is not Role.PLAYER}
    for step in steps:
        for box in ever_open(step.table).state.boxes.values():
            back = box.removal.stakes if box.removal is not None else {}
            shares = (*box.stakes.values(), *box.forfeited.values(), *back.values())
            for player in (box.player, *(owner for owners in shares for owner in owners)):
                viewers[player] = Viewer(Role.PLAYER, player)
    return viewers


def recalled_view(step: RecalledStep, viewer: Viewer) -> TableView:
    """The table after a step as somebody saw it then."""
    view = floor_view(step.table, None, viewer)
    view.replay = True
    return view


def recalled(
    table: str,
    number: int,
    steps: list[RecalledStep],
    eyes: dict[str, Viewer],
    *,
    told: bool = True,
    utc_offset_minutes: int = 0,
) -> RoundRecord:
    """A round of the record, ready to be sent, as some viewers saw it.

    With `told` each step is said in words, with what only staff may know; players get views alone.
    Times are those of a clock so far from UTC.
    """
    rows = []
    for step in steps:
        views = {name: recalled_view(step, who) for name, who in eyes.items()}
        row = RoundStep(version=step.version, at=at_text(step.at, utc_offset_minutes), views=views)
        if told:
            row.actor, row.event, row.told, row.hash = step.actor, step.name, step.sentence, step.hash
            row.money = [MoneyMoved(account, units(amount)) for account, amount in step.money]
        rows.append(row)
    return RoundRecord(replay=True, table=table, round=number, steps=rows)


def void_deck(
    floor: Floor, reader: Reader, table: str, number: int, steps: list[RecalledStep], player: str
) -> VoidDeck | None:
    """Of a void round, for one of its players: that its deck is kept, or all of it once the void is final.

    This is the one place where cards that no viewer was to see leave the server
    (`docs/adr/0015-a-void-round-is-opened.md`). A player who had taken their stakes back while bets were open
    was not in the round.
    """
    noted = [step.event for step in steps if isinstance(step.event, VoidNoted)]
    if not noted or not noted[0].deck_kept:
        return None
    played = [step for step in steps if ever_open(step.table).state.stage is not Stage.BETTING]
    if player not in viewers_of(played):
        return None
    if number in floor.table(table).kept_decks:
        return VoidDeck("kept", [])
    opened = opened_deck(reader, table, number)
    if opened is None:
        return None
    openings = [Opening(opening.index, opening.salt, opening.card) for opening in opened.openings]
    return VoidDeck("opened", openings)
