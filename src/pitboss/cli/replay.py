"""`pitboss replay`: a round of a floor's record, or a record kept by `pitboss run`, played back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli import completing
from pitboss.cli.output import console, print_json, read_text
from pitboss.cli.place import AsJson, Data, Database, where
from pitboss.errors import BadInput

if TYPE_CHECKING:
    from pitboss.floor.recall import RecalledStep
    from pitboss.floor.shapes import TableView

_WRONG_ROUND = re.compile(r"([A-Za-z0-9._-]+)/([^/.]*)")
_ROUND = re.compile(r"([A-Za-z0-9._-]+)/([0-9]{1,9})")


def register(app: typer.Typer) -> None:
    app.command("replay")(replay_command)


def replay_command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ROUND",
            help="A round of a floor as TABLE/NUMBER, or a file kept by 'pitboss run --save'.",
            autocompletion=completing.rounds,
        ),
    ],
    viewer: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="VIEWER",
            help="public, dealer, pit, surveillance, a player's name, or all.",
            autocompletion=completing.viewers,
        ),
    ] = "public",
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Play a round back step by step: the same events give the same round.

    Examples: pitboss replay t1/12 --as all --data floor; pitboss replay record.json --as p1
    """
    found = _ROUND.fullmatch(what)
    if found is not None:
        _replay_round(found[1], int(found[2]), viewer, as_json=as_json, data=data, database=database)
    elif not Path(what).exists() and (wrong := _WRONG_ROUND.fullmatch(what)):
        raise BadInput("ROUND", f"'{wrong[2]}' is no round number", f"write {wrong[1]}/12, or name a file")
    else:
        _replay_file(what, viewer, as_json=as_json)


def _replay_round(
    table: str, number: int, viewer: str, *, as_json: bool, data: str | None, database: str | None
) -> None:
    from pitboss.bootstrap import open_store
    from pitboss.errors import near_miss
    from pitboss.floor.clock import SecureCards, SystemClock
    from pitboss.floor.gaming_table import ever_open
    from pitboss.floor.recall import recall, recalled, recalled_view, viewers_of
    from pitboss.floor.service import Floor

    store = open_store(where(data, database))
    try:
        floor = Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
        with store.reading() as reader:
            steps = recall(floor, reader, table, number)
    finally:
        store.close()
    offset = floor.registry.utc_offset_minutes
    viewers = viewers_of(steps)
    if viewer != "all" and viewer not in viewers:
        raise BadInput("--as", f"nobody there was called '{viewer}'", near_miss(viewer, (*viewers, "all")))
    eyes = viewers if viewer == "all" else {viewer: viewers[viewer]}
    if as_json:
        print_json(recalled(table, number, steps, eyes, utc_offset_minutes=offset))
        return
    out = console()
    identity = ever_open(steps[0].table).state.plan.book.identity
    out.print(f"REPLAY of table {table}, round {number}: {identity.title} ({identity.id})", markup=False)
    seen: dict[str, str] = {}
    for step in steps:
        _print_step(step, {name: recalled_view(step, who) for name, who in eyes.items()}, seen, offset)


def _print_step(step: RecalledStep, views: dict[str, TableView], seen: dict[str, str], offset: int) -> None:
    """A step in words, and the cards of every viewer whose view of them has changed with it."""
    from pitboss.cli.floor_views import print_result
    from pitboss.floor.overview import at_text

    out = console()
    if step.sentence:
        out.print(f"{at_text(step.at, offset)}  {step.actor:<16} {step.sentence}", markup=False)
    print_result(out, step.event)
    for name, view in views.items():
        rows = [f"dealer {' '.join(view.dealer)}"] if view.dealer else []
        rows += [f"community {' '.join(view.community)}"] if view.community else []
        rows += [f"{n}: {' '.join(box.cards)}" for n, box in view.positions.items() if box.cards]
        cards = " | ".join(rows)
        if cards and seen.get(name) != cards:
            seen[name] = cards
            out.print(f"    [{name}] {cards}", markup=False)


def _replay_file(record: str, viewer: str, *, as_json: bool) -> None:
    from pitboss.errors import near_miss
    from pitboss.play.narrate import narrate_citing
    from pitboss.play.record import replay_record
    from pitboss.play.views import Role, Viewer, view_for

    state, events, states = replay_record(read_text(record), name=record)
    roles = [role.value for role in Role if role is not Role.PLAYER]
    if viewer not in roles and viewer not in state.racks:
        raise BadInput("--as", f"nobody here is called '{viewer}'", near_miss(viewer, (*roles, *state.racks)))
    eyes = Viewer(Role(viewer)) if viewer in roles else Viewer(Role.PLAYER, viewer)
    if as_json:
        print_json(view_for(state, eyes))
        return
    out = console()
    out.print(f"Replay of {len(events)} events as {viewer} saw them.", markup=False)
    for event, after in zip(events, states, strict=True):
        sentence = narrate_citing(after, event)
        if sentence:
            out.print(f"  {sentence}", markup=False)
    seen = view_for(state, eyes)
    for position, box in seen.positions.items():
        out.print(f"  position {position}: {box.player}, {' '.join(box.cards)}", markup=False)
