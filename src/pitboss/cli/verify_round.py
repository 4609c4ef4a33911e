"""`pitboss verify-round`: were the cards I was shown those that were sealed before anybody had bet?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pitboss.cli.output import console, print_json, read_text, say_error
from pitboss.cli.place import AsJson
from pitboss.errors import BadInput

DIFFERS = 1


def register(app: typer.Typer) -> None:
    app.command("verify-round")(verify_round_command)


def verify_round_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A round or a view as JSON; - is standard input.")
    ],
    root: Annotated[
        str,
        typer.Option("--root", help="The root that was shown when bets were opened."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check the cards of a round against the seal of its deck.

    FILE is what the player's screen saves, or what GET /api/tables/TABLE/rounds/NUMBER answers. Leaves with 1
    if a card is not the one that was sealed, lies open without its opening, or if the seal has changed.
    docs/fair-shuffle.md has the method.

    Example: pitboss verify-round round-12.json
    """
    root, cards, problems = check_document(read_text(file), name=file, root=root)
    if as_json:
        print_json({"ok": not problems, "root": root, "cards": cards, "problems": problems})
    elif not problems:
        shown = ", ".join(f"{card} at {index + 1}" for index, card in cards)
        text = f"every card shown is the one that was sealed ({len(cards)}: {shown or 'none was shown'})"
        console().print(f"{text}\nroot {root}", markup=False, highlight=False)
    for problem in problems:
        say_error(problem)
    if problems:
        raise typer.Exit(DIFFERS)


def check_document(text: str, *, name: str, root: str = "") -> tuple[str, list[tuple[int, str]], list[str]]:
    """The root of a document's seal, the cards that open with their places, and what is wrong.

    `root` is the one that was seen when bets were opened. Raises `BadInput` for text without a sealed deck.
    """
    from pitboss.play.facts_file import parse_json

    views = list(_views(parse_json(text, name=name)))
    if not views:
        remedy = "rounds of physical tables have none; else save the round again"
        raise BadInput(name, "has no sealed deck", remedy)
    first = str(views[0]["sealed"].get("root", ""))
    cards, problems = _check(views, root or first)
    return first, cards, problems


def _views(document: Any) -> Iterator[dict[str, Any]]:
    """Every view with a sealed deck in a document, wherever it is."""
    if isinstance(document, dict):
        if isinstance(document.get("sealed"), dict):
            yield document
        for value in document.values():
            yield from _views(value)
    elif isinstance(document, list):
        for value in document:
            yield from _views(value)


def _check(views: list[dict[str, Any]], root: str) -> tuple[list[tuple[int, str]], list[str]]:
    """The cards that open, by their place in the deck; and what is wrong."""
    from pitboss.floor.sealing import opens, sealed_under
    from pitboss.floor.table_events import DeckSealed, Opening
    from pitboss.play.encoding import decoder_for

    read_opening = decoder_for(Opening)
    problems: dict[str, None] = {}
    cards: dict[int, str] = {}
    for view in views:
        sealed = view["sealed"]
        try:
            openings = [read_opening(opening, "opening") for opening in sealed["openings"]]
            deck = DeckSealed(root=str(sealed["root"]), commitments=str(sealed["commitments"]))
            if deck.root != root:
                problems[f"the seal is {deck.root}, not {root}"] = None
            if not sealed_under(deck):
                problems["the commitments are not those of the root"] = None
            wrong = [opening for opening in openings if not opens(deck, opening)]
            drawn, lying = int(sealed["drawn"]), _lying(view)
        except (BadInput, KeyError, TypeError, ValueError, AttributeError) as error:
            problems[f"a seal cannot be read: {error}"] = None
            continue
        for opening in wrong:
            problems[f"card {opening.index + 1}, {opening.card}, is not the one that was sealed"] = None
        for opening in openings:
            if cards.setdefault(opening.index, opening.card) != opening.card:
                problems[f"card {opening.index + 1} was {cards[opening.index]}, then {opening.card}"] = None
            if opening.index >= drawn:
                problems[f"card {opening.index + 1} was shown when only {drawn} had left the deck"] = None
        opened = {opening.card for opening in openings}
        if opened != lying:
            problems[f"shown and not opened, or the other way round: {_listed(opened ^ lying)}"] = None
    if len(set(cards.values())) != len(cards):
        problems["a card was shown at two places of the deck"] = None
    return sorted(cards.items()), list(problems)


def _lying(view: dict[str, Any]) -> set[str]:
    """The cards that lie open in a view."""
    from pitboss.play.views import FACE_DOWN

    rows = [view["community"], view["dealer"], *(box["cards"] for box in view["positions"].values())]
    return {str(card) for row in rows for card in row} - {FACE_DOWN}


def _listed(cards: set[str]) -> str:
    return ", ".join(sorted(cards)[:10])
