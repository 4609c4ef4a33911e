"""`pitboss run`: play a script against the real engine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.files import written
from pitboss.cli.output import console, print_json, read_text
from pitboss.cli.settle import print_seat

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.play.scenario import Played


def register(app: typer.Typer) -> None:
    app.command("run")(run_command)


def run_command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO.json", help="The script; - reads standard input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Keep the record of events, for 'pitboss replay'."),
    ] = None,
) -> None:
    """Play a script of a table against the real engine, refusals and all.

    Example: pitboss run scenario.json --json
    """
    from pitboss.play.record import played_json, save_record
    from pitboss.play.scenario import play_scenario, read_scenario

    name = "standard input" if scenario == "-" else scenario
    played = play_scenario(read_scenario(read_text(scenario), name=name))
    if save is not None:
        with written(save) as file:
            file.write_text(json.dumps(save_record(played), indent=1) + "\n", encoding="utf-8")
    if as_json:
        print_json(played_json(played))
    else:
        print_transcript(console(), played)


def print_transcript(out: Console, played: Played) -> None:
    """Step by step what was said, what happened and what was refused, then how each round ended."""
    from pitboss.money import floor_to_cents, format_cents
    from pitboss.play.narrate import narrate_citing
    from pitboss.play.table import Stage

    identity = played.scenario.terms.plan.book.identity
    out.print(f"[bold]{identity.title}[/bold]  {identity.id}, {played.scenario.terms.procedure.title}")
    for result in played.steps:
        if result.refusal is not None:
            out.print(f"[red]✗[/red] {result.step}", highlight=False)
            clauses = (
                f"  [dim]\\[{', '.join(result.refusal.clauses)}][/dim]" if result.refusal.clauses else ""
            )
            out.print(f"    refused ({result.refusal.code}): {result.refusal.message}{clauses}")
            continue
        out.print(f"[green]✓[/green] {result.step}")
        sentences = [narrate_citing(result.state, event) for event in result.events]
        for sentence in filter(None, sentences):
            out.print(f"    {sentence}", markup=False)
        settlement = result.state.settlement
        if settlement is not None and result.state.stage in (Stage.SETTLED, Stage.VOID):
            for seat in settlement.seats:
                print_seat(out, seat, "", "settled" if result.state.stage is Stage.SETTLED else "void")
            out.print()
    last = played.rounds[-1]
    reasons = f" under {', '.join(last.clauses)}" if last.clauses else ""
    out.print(f"\nThe round is [bold]{last.status}[/bold]{reasons}.")
    for player, rack in played.state.racks.items():
        out.print(f"  {player:<12} {format_cents(rack):>14}", markup=False)
    if played.state.terms.jackpot is not None:
        before, after = floor_to_cents(played.scenario.meter), floor_to_cents(played.state.meter)
        out.print(f"  {'jackpot':<12} {format_cents(after):>14}  (was {format_cents(before)})", markup=False)
