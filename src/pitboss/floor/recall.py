"""Recall: a round of the record in sequence, as every role saw it. What is shown is marked as a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pitboss.errors import BadInput
from pitboss.floor.folding import folded
from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.overview import at_text, units
from pitboss.floor.ports import Micros, Reader
from pitboss.floor.postings import table_lines
from pitboss.floor.service import Floor
from pitboss.floor.table_events import VoidNoted
from pitboss.floor.views import floor_view
from pitboss.floor.voids import opened_deck
from pitboss.play import events as e
from pitboss.play.codec import EVENT_NAMES
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
    floor.table(table)
    row = reader.round_at(table, number)
    if row is None:
        last = floor.table(table).state.round_number if floor.table(table).play is not None else 0
        raise BadInput("ROUND", f"table {table} has no round {number}", f"it has 1 to {last}" if last else "")
    following = reader.round_at(table, number + 1)
    last_version = following.first_version - 1 if following is not None else None
    steps = []
    first = row.first_version
    before: GamingTable | None = None
    for recorded, event, state in folded(floor.desk, reader, table, first=first, until=last_version):
        earlier, before = before, state
        if isinstance(event, e.RackChanged):
            continue  # chips that came and went between rounds are no part of the round
        sentence = narrate_citing(state.state, event) if recorded.name in EVENT_NAMES else ""
        moved = () if earlier is None else tuple(table_lines(earlier, event, state))
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
                moved,
            )
        )
    return steps


def viewers_of(steps: list[RecalledStep]) -> dict[str, Viewer]:
    """Everybody who saw the round: the roles, and the players in it by name, owners of a share too.

    A co-owner sees of a pooled hand what he saw then: who sits there plays it and looks at its cards.
    """
    viewers = {role.value: Viewer(role) for role in Role if role is not Role.PLAYER}
    for step in steps:
        for box in step.table.state.boxes.values():
            back = box.removal.stakes if box.removal is not None else {}
            shares = (*box.stakes.values(), *box.forfeited.values(), *back.values())
            for player in (box.player, *(owner for owners in shares for owner in owners)):
                viewers[player] = Viewer(Role.PLAYER, player)
    return viewers


def recalled_view(step: RecalledStep, viewer: Viewer) -> dict[str, Any]:
    """The table after a step as somebody saw it then."""
    return {"replay": True, **floor_view(step.table, None, viewer)}


def recalled(
    table: str,
    number: int,
    steps: list[RecalledStep],
    eyes: dict[str, Viewer],
    *,
    told: bool = True,
    utc_offset_minutes: int = 0,
) -> dict[str, Any]:
    """A round of the record, ready to be sent, as some viewers saw it.

    With `told` each step is said in words, with what only staff may know; players get views alone.
    Times are those of a clock so far from UTC.
    """
    rows = []
    for step in steps:
        views = {name: recalled_view(step, who) for name, who in eyes.items()}
        row: dict[str, Any] = {"version": step.version, "at": at_text(step.at, utc_offset_minutes)}
        if told:
            row |= {"actor": step.actor, "event": step.name, "told": step.sentence, "hash": step.hash}
            row["money"] = [{"account": account, "amount": units(amount)} for account, amount in step.money]
        rows.append({**row, "views": views})
    return {"replay": True, "table": table, "round": number, "steps": rows}


def void_deck(
    floor: Floor, reader: Reader, table: str, number: int, steps: list[RecalledStep], player: str
) -> dict[str, Any]:
    """Of a void round, for one of its players: that its deck is kept, or all of it once the void is final.

    This is the one place where cards that no viewer was to see leave the server
    (`docs/adr/0015-a-void-round-is-opened.md`). A player who had taken their stakes back while bets were open
    was not in the round.
    """
    noted = [step.event for step in steps if isinstance(step.event, VoidNoted)]
    if not noted or not noted[0].deck_kept:
        return {}
    if player not in viewers_of([step for step in steps if step.table.state.stage is not Stage.BETTING]):
        return {}
    if number in floor.table(table).kept_decks:
        return {"void_deck": {"status": "kept", "openings": []}}
    opened = opened_deck(reader, table, number)
    if opened is None:
        return {}
    openings = [
        {"index": opening.index, "salt": opening.salt, "card": opening.card} for opening in opened.openings
    ]
    return {"void_deck": {"status": "opened", "openings": openings}}
