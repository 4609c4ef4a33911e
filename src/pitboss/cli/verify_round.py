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
    from pitboss.cli.composition_checks import CompositionChecked
    from pitboss.floor.table_events import CommitmentsSealed, DealtTo, DeckSealed, Opening

DIFFERS = 1
PACK = 52
ROOT_DIGITS = 64
FIRST_RULE, RULE, COMPOSED_RULE = 1, 2, 3
FIRST_RULE_SAYS = (
    "sealed by the first rule: the root is that of the cards alone, and does not show that "
    "the order of dealing is the one announced before the bets"
)
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
    if a card is not the one that was sealed, was sealed twice, lies open without its opening, was not dealt
    in its turn to whom the seal says, if the order is not the one composed with what devices contributed, or
    if the seal has changed. docs/fair-shuffle.md has the method.

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
                "seal": found.rule,
                "cards": cards,
                "independent": None if found.composition is None else found.composition.independent,
                "warnings": list(found.warnings),
                "problems": list(found.problems),
            }
        )
    elif not found.problems:
        shown = ", ".join(f"{card} at {index + 1}" for index, card in cards)
        text = f"every card shown is the one that was sealed ({len(cards)}: {shown or 'none was shown'})"
        known = "the root that was seen first" if found.root_known else "compare it with the one that you saw"
        console().print(f"{text}\nroot {found.root} ({known})", markup=False, highlight=False)
        if found.rule == FIRST_RULE:
            console().print(FIRST_RULE_SAYS, markup=False, highlight=False)
        if found.composition is not None:
            console().print(found.composition.in_words(), markup=False, highlight=False)
        for warning in found.warnings:
            console().print(f"warning: {warning}", markup=False, highlight=False)
    for problem in found.problems:
        say_error(problem)
    if found.problems:
        raise typer.Exit(DIFFERS)


@dataclass(slots=True)
class RoundChecked:
    """What was found in the views of a round, one after the other.

    `root` is that of the first seal, `rule` the one it was made by; `root_known` tells whether it was held
    against one that somebody kept. `cards` are those that opened, by place. `hands` are the positions that
    bet on a hand, as the last view before the first card has them; `dealt` is whether a card has lain since.
    `composition` is how the order was composed, by the third rule. `problems` and `warnings` have no values:
    they are sets that keep their order.
    """

    root: str
    root_known: bool
    expected: str
    rule: int
    cards: dict[int, str] = field(default_factory=dict)
    announced: tuple[Any, ...] | None = None
    hands: tuple[str, ...] | None = None
    dealt: bool = False
    composition: CompositionChecked | None = None
    problems: dict[str, None] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    def say(self, problem: str) -> None:
        """Something does not hold."""
        self.problems[problem] = None


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
    saved = document if isinstance(document, dict) else {}
    known = _root(root) if root else str(saved.get("root_seen") or "")
    rule = first.get("seal", FIRST_RULE)
    found = RoundChecked(str(first.get("root", "")), bool(known), known or str(first.get("root", "")), rule)
    if saved.get("seal_seen", rule) != rule:
        found.say(
            f"the deck was sealed by rule {saved['seal_seen']!r}, and is shown with one of rule {rule!r}"
        )
    for view in views:
        try:
            _check_view(view, found)
        except (BadInput, KeyError, TypeError, ValueError, AttributeError) as error:
            found.say(f"a seal cannot be read: {error}")
    if (len(views) > 1 or "steps" in saved) and found.dealt:
        if found.hands is None:
            found.say("no view shows who had bet before cards were dealt")
        if found.composition is not None and not found.composition.was_open:
            found.say("no view shows which devices had committed while bets were open")
        if found.composition is not None and found.composition.deadline_missing:
            found.say("no view shows until when secrets were taken, before the beacon was mixed in")
    if len(set(found.cards.values())) != len(found.cards):
        found.say("a card was shown at two places of the deck")
    _check_own(saved, found)
    try:
        _check_seen(saved, found)
    except (BadInput, TypeError) as error:
        found.say(f"what the player's screen saw of the devices cannot be read: {error}")
    if isinstance(saved.get("void_deck"), dict) and saved["void_deck"].get("status") == "opened":
        try:
            _check_void_deck(saved["void_deck"], first, found)
        except (BadInput, KeyError, TypeError, ValueError, AttributeError) as error:
            found.say(f"the deck of the void round cannot be read: {error}")
    return found


def _check_own(saved: Mapping[str, Any], found: RoundChecked) -> None:
    """What the player's own device has contributed, where the document says it, was not left out."""
    own = saved.get("contributed")
    if not own or not found.dealt:
        return
    device = own.get("device") if isinstance(own, dict) else None
    if found.composition is None or not isinstance(device, str):
        found.say("the player's device contributed, and the order was not composed")
        return
    player = str(own.get("player") or _viewer(saved))
    if found.composition.secret_of(player, device) == own.get("secret"):
        return
    if not found.composition.is_left_out(player, device):
        found.say(f"the contribution of the player's own device, {device}, is not in the order")
    elif own.get("revealed"):
        found.say(f"the contribution of {device} was left out, and the house had taken its secret in time")
    else:
        found.warnings[f"the contribution of {device} was left out: it was not revealed in time"] = None


def _viewer(saved: Mapping[str, Any]) -> str:
    """Whose views a saved round has."""
    steps = saved.get("steps")
    views = (
        steps[0].get("views") if isinstance(steps, list) and steps and isinstance(steps[0], dict) else None
    )
    return next(iter(views), "") if isinstance(views, dict) else ""


def _check_seen(saved: Mapping[str, Any], found: RoundChecked) -> None:
    """The devices that the player's own one saw before it gave its secret away are those of the round."""
    if "devices_seen" not in saved:
        return
    from pitboss.cli.composition_checks import Committed
    from pitboss.play.encoding import decoder_for

    seen: tuple[Committed, ...] = decoder_for(tuple[Committed, ...])(saved["devices_seen"], "devices_seen")
    listed = [] if found.composition is None else found.composition.committed
    if sorted(((one.player, one.device), one.commitment) for one in seen) != sorted(listed):
        found.say("the devices that had committed are not those that the player's screen saw")


def _check_void_deck(opened: Mapping[str, Any], sealed: Mapping[str, Any], found: RoundChecked) -> None:
    """The deck of a void round that was opened to its players: each place as it was sealed and shown."""
    from pitboss.cards import DECK
    from pitboss.floor.sealing import opens
    from pitboss.floor.table_events import Opening
    from pitboss.play.encoding import decoder_for

    openings = decoder_for(tuple[Opening, ...])(opened["openings"], "void_deck.openings")
    deck = _seal(sealed)
    if [opening.index for opening in openings] != list(range(len(DECK))):
        found.say("not every place of the void round's deck was opened, in order")
    if {opening.card for opening in openings} != {card.code for card in DECK}:
        found.say("the deck of the void round is not the 52 cards")
    for opening in openings:
        if not opens(deck, opening):
            found.say(f"place {opening.index + 1} of the void round's deck is not {opening.card}")
        if found.cards.get(opening.index, opening.card) != opening.card:
            found.say(f"place {opening.index + 1} was shown as another card")


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
    deck = _seal(sealed)
    places = decoder_for(Mapping[str, tuple[int, ...]])(sealed["places"], "places")
    openings = decoder_for(tuple[Opening, ...])(sealed["openings"], "openings")
    if not deck.root.startswith(found.expected):
        found.say(f"the seal is {deck.root}, not {found.expected}")
    if deck.root != found.root:
        found.say(f"the seal was {found.root}, then {deck.root}")
    if sealed.get("seal", FIRST_RULE) != found.rule:
        found.say("the rule of the seal was changed")
    if not sealed_under(deck, table=str(view.get("table", "")), number=view.get("round", 0)):
        found.say("the root is not that of the commitments and the dealing announced")
    dealing = _dealing(sealed)
    announced = (
        (dealing, deck.hands, deck.composition) if isinstance(deck, DeckSealed) else (dealing, (), None)
    )
    found.announced = announced if found.announced is None else found.announced
    if announced != found.announced:
        found.say("the order of dealing was changed, or how the order of the deck is composed")
    if places:
        found.dealt = True
    elif not found.dealt:
        found.hands = _hands(view, deck)
    deck_order: Sequence[int] = range(PACK)
    if isinstance(deck, DeckSealed) and deck.composition is not None:
        deck_order = _composed(view, deck, found, drawn=bool(places))
    turns = {place: turn for turn, place in enumerate(deck_order)}
    _check_places(places, sealed["drawn"], openings, found, dealing, turns)
    _check_openings(deck, openings, found)
    _check_rows(rows, places, openings, found)


def _seal(sealed: Mapping[str, Any]) -> CommitmentsSealed | DeckSealed:
    """The seal as its own view has it, by the rule that it names; views had none while there was one rule."""
    from pitboss.floor.table_events import CommitmentsSealed, Composition, DeckSealed
    from pitboss.play.encoding import decoder_for

    rule, root, commitments = sealed.get("seal", FIRST_RULE), str(sealed["root"]), str(sealed["commitments"])
    if rule == FIRST_RULE:
        return CommitmentsSealed(root=root, commitments=commitments)
    if rule not in (RULE, COMPOSED_RULE):
        raise BadInput("seal", f"there is no rule {rule!r}", "use a newer version of Pitboss")
    hands = tuple(str(wager) for wager in sealed["hands"])
    composition = None
    if rule == COMPOSED_RULE:
        composition = decoder_for(Composition)(sealed["composition"], "composition")
    return DeckSealed(
        root=root,
        commitments=commitments,
        dealing=_dealing(sealed),
        hands=hands,
        composition=composition,
    )


def _composed(
    view: Mapping[str, Any], deck: DeckSealed, found: RoundChecked, *, drawn: bool
) -> Sequence[int]:
    """The places of the deck as they are dealt, by what this view says of the composition."""
    from pitboss.cli.composition_checks import CompositionChecked
    from pitboss.play.table import Stage

    assert deck.composition is not None
    if found.composition is None:
        found.composition = CompositionChecked(
            deck.composition, table=str(view.get("table", "")), number=view.get("round", 0), root=deck.root
        )
    return found.composition.check(
        view["sealed"], is_open=view["stage"] == Stage.BETTING.value, drawn=drawn, say=found.say
    )


def _dealing(sealed: Mapping[str, Any]) -> tuple[DealtTo, ...]:
    from pitboss.floor.table_events import DealtTo
    from pitboss.play.encoding import decoder_for

    dealing: tuple[DealtTo, ...] = decoder_for(tuple[DealtTo, ...])(sealed["dealing"], "dealing")
    return dealing


def _hands(view: Mapping[str, Any], deck: CommitmentsSealed | DeckSealed) -> tuple[str, ...]:
    """The positions that are dealt a hand for what they have bet, clockwise.

    By the first rule a seal did not say for which wagers.
    """
    wagers = getattr(deck, "hands", None)
    bet = (
        str(position)
        for position, box in view["positions"].items()
        if wagers is None or any(wager in box["stakes"] for wager in wagers)
    )
    return tuple(sorted(bet, key=int))


def _rows(view: Mapping[str, Any]) -> dict[str, list[str]]:
    """The cards of a view, row by row."""
    rows = {"dealer": list(view["dealer"]), "community": list(view["community"])}
    return rows | {str(position): list(box["cards"]) for position, box in view["positions"].items()}


def _check_places(
    places: Mapping[str, tuple[int, ...]],
    drawn: Any,
    openings: Sequence[Opening],
    found: RoundChecked,
    dealing: Sequence[DealtTo],
    turns: Mapping[int, int],
) -> None:
    """The deck was drawn place by place, and each went where the dealing announced puts it.

    `turns` is when each place is dealt: in the order of the places where nothing was composed.
    """
    row_of = {turns.get(place, PACK): row for row, there in places.items() for place in there}
    lying = sorted(turns.get(place, PACK) for there in places.values() for place in there)
    if lying != list(range(len(lying))) or drawn != len(lying) or len(lying) > PACK:
        found.say("the cards that lie are not the first of the deck, each once")
        return
    served: Sequence[str] = sorted((row for row in places if is_number(row)), key=int)
    hands = served if found.hands is None else found.hands  # one view alone does not show who has bet
    if found.rule == FIRST_RULE:  # the seal names no wagers
        for row in served:
            if row not in hands:
                found.say(f"cards were dealt to position {row}, which had not bet")
        hands = served
    order = _order(dealing, hands)
    opened = {turns.get(opening.index, PACK) for opening in openings}
    for place, row in sorted(row_of.items()):
        due = order[place] if place < len(order) else "nobody"
        if row != due and (due != "burned" or place in opened):  # it may be burned in a moment
            found.say(f"card {place + 1} of the dealing went to {row}, by the dealing it goes to {due}")


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
    from pitboss.cards import DECK
    from pitboss.floor.sealing import opens

    pack = {card.code for card in DECK}
    for opening in openings:
        if not opens(deck, opening) or opening.card not in pack:
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
