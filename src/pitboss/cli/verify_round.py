"""`pitboss verify-round`: were the cards I was shown those that were sealed, and dealt in their order?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.output import console, print_json, read_text, say_error
from pitboss.cli.place import AsJson
from pitboss.errors import BadInput, is_number

if TYPE_CHECKING:
    from pitboss.floor.table_events import Opening

DIFFERS = 1
PACK = 52
ROOT_DIGITS = 64
SHORT_ROOT = 16
"""So many digits of a root are shown on a player's screen: too many to find another deck that has them."""


def register(app: typer.Typer) -> None:
    app.command("verify-round")(verify_round_command)


def verify_round_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A round or a view as JSON; - is standard input.")
    ],
    root: Annotated[
        str,
        typer.Option(
            "--root",
            help="The root that was shown when bets were opened, or its first 16 digits; "
            "else the one that the screen has saved with the round.",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check the cards of a round against the seal of its deck.

    FILE is what the player's screen saves, or what GET /api/tables/TABLE/rounds/NUMBER answers. Leaves with 1
    if a card is not the one that was sealed, lies open without its opening, was not dealt in its turn, or if
    the seal has changed. docs/fair-shuffle.md has the method.

    Example: pitboss verify-round round-12.json
    """
    found = check_document(read_text(file), name=file, root=root)
    cards = sorted(found.cards.items())
    if as_json:
        print_json(
            {
                "ok": not found.problems,
                "root": found.root,
                "root_known": found.root_known,
                "cards": cards,
                "problems": list(found.problems),
            }
        )
    elif not found.problems:
        shown = ", ".join(f"{card} at {index + 1}" for index, card in cards)
        text = f"every card shown is the one that was sealed ({len(cards)}: {shown or 'none was shown'})"
        known = "the root that was seen first" if found.root_known else "compare it with the one that you saw"
        console().print(f"{text}\nroot {found.root} ({known})", markup=False, highlight=False)
    for problem in found.problems:
        say_error(problem)
    if found.problems:
        raise typer.Exit(DIFFERS)


@dataclass(slots=True)
class RoundChecked:
    """What was found in the views of a round, one after the other.

    `root` is that of the first seal; `root_known` tells whether it was held against one that somebody kept.
    `cards` are those that opened, by place. `problems` has no values: it is a set that keeps its order.
    """

    root: str
    root_known: bool
    expected: str
    cards: dict[int, str] = field(default_factory=dict)
    dealing: Sequence[DealtTo] | None = None
    staked: frozenset[str] | None = None
    problems: dict[str, None] = field(default_factory=dict)

    def say(self, problem: str) -> None:
        """Something does not hold."""
        self.problems[problem] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtTo:
    """So many cards go to a row of the view, or to each position in play."""

    to: str
    cards: int


def check_document(text: str, *, name: str, root: str = "") -> RoundChecked:
    """Check every view of a document. Raises `BadInput` for text without a sealed deck.

    `root` is the one that was seen when bets were opened, or its beginning; else the document may say it.
    """
    from pitboss.play.facts_file import parse_json

    document = parse_json(text, name=name)
    views = list(_views(document))
    first = next((view["sealed"] for view in views if isinstance(view.get("sealed"), dict)), None)
    if first is None:
        remedy = "rounds of physical tables have none; else save the round again"
        raise BadInput(name, "has no sealed deck", remedy)
    said = document.get("root_seen") if isinstance(document, dict) else None
    known = _root(root) if root else str(said or "")
    found = RoundChecked(str(first.get("root", "")), bool(known), known or str(first.get("root", "")))
    for view in views:
        try:
            _check_view(view, found)
        except (BadInput, KeyError, TypeError, ValueError, AttributeError) as error:
            found.say(f"a seal cannot be read: {error}")
    if len(set(found.cards.values())) != len(found.cards):
        found.say("a card was shown at two places of the deck")
    return found


def _root(text: str) -> str:
    """A root as somebody has written it down, perhaps in groups and only its beginning."""
    digits = "".join(text.split()).lower()
    if not re.fullmatch(f"[0-9a-f]{{{SHORT_ROOT},{ROOT_DIGITS}}}", digits):
        remedy = f"write its {ROOT_DIGITS} digits, or the first {SHORT_ROOT} at least"
        raise BadInput("--root", f"'{text[:80]}' is no root", remedy)
    return digits


def _views(document: Any) -> Iterator[dict[str, Any]]:
    """Every view of a table in a document, wherever it is."""
    if isinstance(document, dict):
        if isinstance(document.get("sealed"), dict) or {"positions", "dealer", "community"} <= set(document):
            yield document
        for value in document.values():
            yield from _views(value)
    elif isinstance(document, list):
        for value in document:
            yield from _views(value)


def _check_view(view: dict[str, Any], found: RoundChecked) -> None:
    """One view: its seal is the one of the round, and every card lies where it came to lie by the dealing."""
    from pitboss.floor.sealing import sealed_under
    from pitboss.floor.table_events import DeckSealed, Opening
    from pitboss.play.encoding import decoder_for

    rows = _rows(view)
    sealed = view.get("sealed")
    if not isinstance(sealed, dict):
        if any(rows.values()):
            found.say("cards lie in a view that has no seal")
        return
    deck = DeckSealed(root=str(sealed["root"]), commitments=str(sealed["commitments"]))
    places = decoder_for(Mapping[str, tuple[int, ...]])(sealed["places"], "places")
    dealing = decoder_for(tuple[DealtTo, ...])(sealed["dealing"], "dealing")
    openings = decoder_for(tuple[Opening, ...])(sealed["openings"], "openings")
    if not deck.root.startswith(found.expected):
        found.say(f"the seal is {deck.root}, not {found.expected}")
    if deck.root != found.root:
        found.say(f"the seal was {found.root}, then {deck.root}")
    if not sealed_under(deck):
        found.say("the commitments are not those of the root")
    found.dealing = dealing if found.dealing is None else found.dealing
    if dealing != found.dealing:
        found.say("the order of dealing was changed")
    _check_places(places, sealed["drawn"], openings, found)
    _check_openings(deck, openings, found)
    _check_rows(rows, places, openings, found)
    if not places:
        found.staked = frozenset(str(position) for position in view["positions"])


def _rows(view: Mapping[str, Any]) -> dict[str, list[str]]:
    """The cards of a view, row by row."""
    rows = {"dealer": list(view["dealer"]), "community": list(view["community"])}
    return rows | {str(position): list(box["cards"]) for position, box in view["positions"].items()}


def _check_places(
    places: Mapping[str, tuple[int, ...]], drawn: Any, openings: Sequence[Opening], found: RoundChecked
) -> None:
    """The deck was drawn place by place, and each went where the dealing announced puts it."""
    row_of = {place: row for row, there in places.items() for place in there}
    lying = sorted(place for there in places.values() for place in there)
    if lying != list(range(len(lying))) or drawn != len(lying) or len(lying) > PACK:
        found.say("the cards that lie are not the first of the deck, each once")
        return
    order = _order(found.dealing or (), sorted((row for row in places if is_number(row)), key=int))
    opened = {opening.index for opening in openings}
    for place, row in sorted(row_of.items()):
        due = order[place] if place < len(order) else "nobody"
        if row != due and (due != "burned" or place in opened):  # it may be burned in a moment
            found.say(f"card {place + 1} of the deck went to {row}, by the dealing it goes to {due}")
    if found.staked is not None:
        for row in sorted(row for row in places if is_number(row) and row not in found.staked):
            found.say(f"cards were dealt to position {row}, which had not bet")


def _order(dealing: Sequence[DealtTo], positions: Sequence[str]) -> list[str]:
    """The row that each place of the deck goes to."""
    order: list[str] = []
    for part in dealing:
        for row in positions if part.to == "positions" else [part.to]:
            order += [row] * min(part.cards, PACK)
        if len(order) >= PACK:
            break
    return order[:PACK]


def _check_openings(deck: Any, openings: Sequence[Opening], found: RoundChecked) -> None:
    from pitboss.floor.sealing import opens

    for opening in openings:
        if not opens(deck, opening):
            found.say(f"card {opening.index + 1}, {opening.card}, is not the one that was sealed")
        if found.cards.setdefault(opening.index, opening.card) != opening.card:
            found.say(f"card {opening.index + 1} was {found.cards[opening.index]}, then {opening.card}")


def _check_rows(
    rows: Mapping[str, list[str]],
    places: Mapping[str, tuple[int, ...]],
    openings: Sequence[Opening],
    found: RoundChecked,
) -> None:
    """Every card that lies open is the opening of its own place, and nothing else was opened."""
    from pitboss.play.views import FACE_DOWN

    opened = {opening.index: opening.card for opening in openings}
    shown = []
    for row, cards in rows.items():
        there = places.get(row, ())
        if len(there) != len(cards):
            found.say(f"{len(cards)} cards lie at {row}, {len(there)} came from the deck")
        for place, card in zip(there, cards, strict=False):
            if card != FACE_DOWN:
                shown.append(place)
                if opened.get(place) != card:
                    found.say(f"{card} lies at {row}, and was not opened as card {place + 1} of the deck")
    if sorted(shown) != sorted(opening.index for opening in openings):
        found.say("a card was opened that does not lie open")
