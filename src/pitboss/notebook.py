"""How what the library gives back looks: as text in a terminal, as tables and drawings in a notebook."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cards import Card, cards_in_html
from pitboss.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
"""What a drawing can be saved as."""


class Plot:
    """A drawing: a notebook shows it, `save` writes it; `figure` is matplotlib's, for who wants to change it.

    >>> import pitboss
    >>> pitboss.simulate("mbs-3cp-2023", rounds=1000).plot()
    <Plot 1,000 rounds>
    """

    def __init__(self, figure: Figure, title: str) -> None:
        self.figure, self.title = figure, title

    def save(self, file: str | Path) -> None:
        """Write the drawing to a file; its name ends with .png, .svg or .pdf."""
        if Path(file).suffix not in KINDS:
            raise BadInput(
                str(file), "cannot be told from its name what to write", f"end it with {', '.join(KINDS)}"
            )
        self.figure.savefig(str(file), dpi=160)

    def __repr__(self) -> str:
        return f"<Plot {self.title}>"

    def _repr_svg_(self) -> str:
        from pitboss.maths.plots import svg

        return svg(self.figure)

    def _repr_png_(self) -> bytes:
        from pitboss.maths.plots import png

        return png(self.figure)


def text_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text under their names."""
    widths = [max(len(row[at]) for row in (names, *rows)) for at in range(len(names))]
    return "\n".join(
        "  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip()
        for row in (names, *rows)
    )


def html_table(names: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str = "") -> str:
    """A table for a page, everything in it escaped but the caption, which is markup already."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(part)}</td>" for part in row) + "</tr>" for row in rows
    )
    return (
        f"<table>{f'<caption>{caption}</caption>' if caption else ''}"
        f"{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
    )


LINES = ("position", "player", "wager", "stake", "returned", "collected", "paid", "clauses")
"""The columns of a settlement."""


def settlement_rows(seats: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """The lines of a settlement's seats under `LINES`."""
    return [
        (
            str(seat["position"]),
            seat["player"],
            *(line[column] for column in LINES[2:-1]),
            ", ".join(line["clauses"]),
        )
        for seat in seats
        for line in seat["lines"]
    ]


def lies(places: Sequence[tuple[str, Sequence[Card], str]]) -> str:
    """What lies where: each place with its cards and the hand they make; empty places are left out."""
    lines = [
        f"{html.escape(place)} {cards_in_html(cards)} {html.escape(hand)}".rstrip()
        for place, cards, hand in places
        if cards
    ]
    return "<br>".join(lines)
