"""`pitboss play`: a table in the terminal, one person against the house."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli import INTERRUPTED, completing
from pitboss.cli.output import console, say_error
from pitboss.errors import BadInput

if TYPE_CHECKING:
    from pitboss.cards import Card


def register(app: typer.Typer) -> None:
    app.command("play")(play_command)


def play_command(
    rulebook: Annotated[
        str,
        typer.Argument(
            metavar="RULEBOOK",
            help="An id, or a path to a rulebook of your own.",
            autocompletion=completing.rulebooks,
        ),
    ] = "mbs-thb-9",
    seats: Annotated[int, typer.Option("--seats", help="How many hands to play; all but one are blind.")] = 1,
    procedure: Annotated[
        str | None,
        typer.Option(
            "--procedure",
            help="How cards are dealt; the book's first by default.",
            autocompletion=completing.procedures,
        ),
    ] = None,
    chips: Annotated[str, typer.Option("--chips", help="What you sit down with.")] = "1000",
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading",
            metavar="R-X=a",
            help="Choose a reading; may be given again.",
            autocompletion=completing.readings,
        ),
    ] = None,
    server: Annotated[
        str, typer.Option("--server", metavar="URL", help="Play on a floor that is served there.")
    ] = "",
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="With --server: who you are.")] = "",
    table: Annotated[str, typer.Option("--table", help="With --server: where you sit down.")] = "",
) -> None:
    """Play a table in the terminal: your chips, the felt, the book's decisions, and what each wager came to.

    With --server it is a seat at a real table; the password is asked for, or in PITBOSS_PASSWORD.

    Example: pitboss play mbs-3cp-2023 --seats 2 --procedure manual
    """
    if server:
        from pitboss.cli.online import play_online

        play_online(server, name=name, table=table)
        return
    for option, value in (("--as", name), ("--table", table)):
        if value:
            raise BadInput(option, "only with --server", "name the floor's address, or leave it out")
    from pitboss.cli.session import Session, open_session

    session: Session = open_session(
        console(), rulebook, reading or [], seats=seats, procedure=procedure, chips=chips, shuffle=_shuffle
    )
    try:
        session.run()
    except (KeyboardInterrupt, EOFError) as end:
        say_error("you leave the table")
        session.leave()
        if isinstance(end, KeyboardInterrupt):
            raise typer.Exit(INTERRUPTED) from end


def _shuffle() -> tuple[Card, ...]:
    """The pack in an order from the operating system's secure source."""
    from pitboss.cards import DECK

    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
