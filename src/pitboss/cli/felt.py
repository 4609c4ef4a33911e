"""The felt in a terminal: cards in colour, stakes, the meter. Drawn from a view, so that it cannot leak."""

from __future__ import annotations

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.cards import Suit, parse_card
from pitboss.play.shapes import RoundView
from pitboss.play.table import Terms
from pitboss.play.views import FACE_DOWN

_FRAME = 6
_RED = (Suit.HEARTS, Suit.DIAMONDS)


def card_face(code: str) -> Text:
    """One card: red or black on white, or its back."""
    if code == FACE_DOWN:
        return Text(" ▒▒ ", style="white on blue")
    card = parse_card(code)
    return Text(f" {card.face} ", style=f"bold {'red' if card.suit in _RED else 'black'} on white")


def cards_row(codes: list[str]) -> Text:
    """Cards side by side."""
    return Text(" ").join([card_face(code) for code in codes]) if codes else Text("—", style="dim")


def draw(out: Console, terms: Terms, view: RoundView) -> None:
    """The table of a game as the view has it."""
    meter = f"   jackpot {view.meter}" if view.meter else ""
    title = f"{terms.plan.book.identity.title}{meter}"
    draw_view(out, title, view, community=bool(terms.plan.community_cards))


def draw_view(out: Console, title: str, view: RoundView, *, community: bool) -> None:
    """The felt of a view, under a title."""
    grid = Table.grid(padding=(0, 2))
    grid.add_row("dealer", cards_row(view.dealer))
    if community:
        grid.add_row("community", cards_row(view.community))
    for number, box in view.positions.items():
        stakes = "  ".join(f"{wager} {amount}" for wager, amount in box.stakes.items())
        state = "" if box.fate == "in-play" else f"  ({box.fate})"
        seen = any(code != FACE_DOWN for code in box.cards)
        blind = "  blind" if box.cards and not seen and not box.viewed else ""
        grid.add_row(f"position {number}", Text.assemble(cards_row(box.cards), f"   {stakes}{state}{blind}"))
    lay_out(out, grid, title, f"rack {view.rack}" if view.rack else "")


def lay_out(out: Console, grid: Table, title: str, below: str = "") -> None:
    """A felt under its title; one that is too long for the frame stands above it."""
    if len(title) + _FRAME > out.width:
        out.print(Text(title))
        title = ""
    out.print(
        Panel(
            grid, title=title, subtitle=below, title_align="left", subtitle_align="right", style="on #10382b"
        )
    )
