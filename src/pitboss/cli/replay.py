"""`pitboss replay`: play a saved record back, as any role saw it."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.output import console, print_json, read_text


def register(app: typer.Typer) -> None:
    app.command("replay")(replay_command)


def replay_command(
    record: Annotated[
        str, typer.Argument(metavar="RECORD.json", help="A record kept by 'pitboss run --save'.")
    ],
    viewer: Annotated[
        str,
        typer.Option("--as", metavar="VIEWER", help="public, dealer, pit, surveillance, or a player's name."),
    ] = "public",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the final view as one JSON document.")
    ] = False,
) -> None:
    """Play a saved record back: the same events give the same rounds.

    Example: pitboss replay record.json --as p1
    """
    from pitboss.errors import BadInput, near_miss
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
    for position, box in seen["positions"].items():
        out.print(f"  position {position}: {box['player']}, {' '.join(box['cards'])}", markup=False)
