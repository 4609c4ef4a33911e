"""`pitboss advise`: the exact best decision for a hand, for study."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from pitboss.cli.analyze import Changes, Readings, Rulebook, percent, progress
from pitboss.cli.output import console, print_json


def register(app: typer.Typer) -> None:
    app.command("advise")(advise_command)


def advise_command(
    rulebook: Rulebook,
    hand: Annotated[str, typer.Option("--hand", metavar="CARDS", help='Your cards, such as "Ah 7d".')],
    board: Annotated[
        str, typer.Option("--board", metavar="CARDS", help="Open cards: community, or the dealer's up-card.")
    ] = "",
    reading: Readings = [],  # noqa: B006 - Typer reads the default
    change: Changes = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Tell the best decision and what each choice is worth, over every card that can still come.

    Example: pitboss advise mbs-thb-9 --hand "Ah 7d" --board "Kc 7h 2d"
    """
    from pitboss.cards import parse_cards
    from pitboss.rulebooks.load import load_plan, parse_choices

    plan = load_plan(rulebook, parse_choices(reading), changes=change, place="--reading")
    own, table = parse_cards(_words(hand), "--hand"), parse_cards(_words(board), "--board")
    with progress():
        from pitboss.maths.analysis import solved
        from pitboss.maths.decisions import advise, decision_at
        from pitboss.maths.lowering import Family, lower_main_game

        game = lower_main_game(plan)
        decision_at(game, own, table)
        whole = game.family is Family.HOLDEM and not table
        choice = advise(game, own, table, solved(game) if whole else None)
    if as_json:
        print_json(
            {
                "rulebook": plan.id,
                "hand": [card.code for card in own],
                "board": [card.code for card in table],
                "decision": choice.decision,
                "best": choice.best,
                "values": {choice.wager: str(choice.bet), choice.otherwise_name: str(choice.otherwise)},
                "higher": str(choice.higher),
                "equal": str(choice.equal),
                "dealer_not_qualified": str(choice.not_qualified),
            }
        )
        return
    out = console()
    what = " ".join(card.face for card in own)
    shown = f" with {' '.join(card.face for card in table)} open" if table else ""
    place, leave = f"place the {plan.wager(choice.wager).area}", choice.otherwise_name
    out.print(f"[bold]{place if choice.best == choice.wager else leave}[/bold]  {what}{shown}", markup=True)
    counts = "this bet alone nets" if leave == "check" else "the hand nets"
    out.print(f"  {place}: {counts} {float(choice.bet):+.6f} x Ante on average ({choice.bet})", markup=False)
    out.print(f"  {leave}: {float(choice.otherwise):+.6f}", markup=False)
    if choice.not_qualified:
        out.print(f"  the dealer does not qualify in {percent(choice.not_qualified)}")
    when = "he qualifies and your hand" if choice.not_qualified else "your hand"
    out.print(f"  {when} is higher in {percent(choice.higher)}, equal in {percent(choice.equal)}")


def _words(text: str) -> list[str]:
    """The cards of a text, also where they stand without a space: `AhKd`."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and len(words[0]) > 3:
        return re.findall(r"10.|..?", words[0])
    return words
