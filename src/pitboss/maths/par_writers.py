"""Setting a par sheet: as a page, as Markdown, as CSV, as a paper document."""

from __future__ import annotations

import csv
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from pitboss.maths import plots
from pitboss.maths.par_sheet import Drawing, Grid, ParSheet, Text

_WORDS = ("clauses", "hand", "bet against")
"""Columns of words that may begin with a figure."""


def write_par_sheet(sheet: ParSheet, path: str) -> None:
    """Write a par sheet in the form that the file's ending names."""
    ending = Path(path).suffix.lower()
    if ending == ".pdf":
        Path(path).write_bytes(_pdf(sheet))
        return
    text = {".html": _html, ".md": _markdown, ".csv": _csv}[ending](sheet)
    Path(path).write_text(text, encoding="utf-8")


# --- a page ---------------------------------------------------------------------------------------------

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ sheet.title }}: par sheet</title>
<style>
:root { --ink: #1d2a35; --line: #c8d0d6; --pale: #f3f6f7; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; }
h2 { font-size: 1.2rem; border-bottom: 2px solid var(--ink); padding-bottom: .2rem; margin-top: 2.2rem; }
h3 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; }
dt { color: #56636d; } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--pale); }
td.n, th.n { text-align: right; white-space: nowrap; }
table.shaded td { text-align: center; padding: .25rem .3rem; font-size: .72rem; border: 1px solid #fff; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .85rem; color: #56636d; }
@page { size: A4; margin: 16mm; }
@media print {
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0; }
  h2 { break-after: avoid; } tr, figure { break-inside: avoid; } .wide { overflow: visible; }
  table { font-size: 8pt; } td, th { padding: .1rem .35rem; }
  table.shaded td { -webkit-print-color-adjust: exact; print-color-adjust: exact; font-size: 6.5pt; }
}
</style>
</head>
<body>
<header>
<h1>{{ sheet.title }}</h1>
<p>Par sheet</p>
<dl>{% for name, value in sheet.facts %}<dt>{{ name }}</dt><dd>{{ value }}</dd>{% endfor %}</dl>
</header>
<main>
{% for section in sheet.sections %}
<section>
<h2>{{ section.title }}</h2>
{% for part in section.parts %}{{ part | set }}
{% endfor %}
</section>
{% endfor %}
</main>
</body>
</html>
"""


def _html(sheet: ParSheet) -> str:
    from jinja2 import Environment
    from markupsafe import Markup

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["set"] = lambda part: Markup(_html_part(part))
    return environment.from_string(_PAGE).render(sheet=sheet)


def _html_part(part: object) -> str:
    match part:
        case Text(words=words):
            return f"<p>{escape(words)}</p>"
        case Drawing(caption=caption, figure=figure):
            return f"<figure>{plots.svg(figure)}<figcaption>{escape(caption)}</figcaption></figure>"
        case Grid():
            return _html_grid(part)
        case _:
            raise TypeError(type(part).__name__)


def _html_grid(grid: Grid) -> str:
    title = f"<h3>{escape(grid.title)}</h3>" if grid.title else ""
    numbers = [_numeric(grid, column) for column in range(len(grid.head))]
    head = "".join(f"<th{_class(n)}>{escape(name)}</th>" for name, n in zip(grid.head, numbers, strict=True))
    lines = []
    for at, row in enumerate(grid.rows):
        cells = []
        for column, cell in enumerate(row):
            shade = grid.shades[at][column] if grid.shades else None
            style = f' style="background:{_colour(shade)}"' if shade is not None else _class(numbers[column])
            cells.append(f"<td{style}>{escape(cell)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    shaded = ' class="shaded"' if grid.shades else ""
    body = "".join(lines)
    table = f"<table{shaded}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'{title}<div class="wide">{table}</div>'


def _class(number: bool) -> str:  # noqa: FBT001 - one flag, one meaning
    return ' class="n"' if number else ""


def _numeric(grid: Grid, column: int) -> bool:
    """Whether a column holds figures, which line up at the right."""
    if not grid.rows or grid.head[column] in _WORDS:
        return False
    return all(row[column][:1] in "+-0123456789" for row in grid.rows if row[column])


def _colour(shade: float) -> str:
    """From red through white to green."""
    strength = int(255 - 110 * min(1.0, abs(shade)))
    return f"rgb({strength},255,{strength})" if shade >= 0 else f"rgb(255,{strength},{strength})"


# --- Markdown and CSV -----------------------------------------------------------------------------------


def _markdown(sheet: ParSheet) -> str:
    lines = [f"# {sheet.title}: par sheet", ""]
    lines += [f"* {name}: {value}" for name, value in sheet.facts]
    for section in sheet.sections:
        lines += ["", f"## {section.title}"]
        for part in section.parts:
            lines.append("")
            match part:
                case Text(words=words):
                    lines.append(words)
                case Grid():
                    lines += [f"### {part.title}", ""] if part.title else []
                    lines.append(_bar(part.head))
                    lines.append(
                        _bar(["---:" if _numeric(part, at) else "---" for at in range(len(part.head))])
                    )
                    lines += [_bar(row) for row in part.rows]
                case Drawing(caption=caption):
                    lines.append(f"*Drawing in the HTML and PDF forms: {caption}.*")
    return "\n".join(lines) + "\n"


def _bar(cells: Any) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _csv(sheet: ParSheet) -> str:
    """Every table under its section and title; texts as rows of one cell."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["par sheet", sheet.title])
    writer.writerows(sheet.facts)
    for section in sheet.sections:
        writer.writerow([])
        writer.writerow([section.title])
        for part in section.parts:
            match part:
                case Text(words=words):
                    writer.writerow([words])
                case Grid():
                    if part.title:
                        writer.writerow([part.title])
                    writer.writerow(part.head)
                    writer.writerows(part.rows)
                case Drawing():
                    pass
    return out.getvalue()


# --- paper ----------------------------------------------------------------------------------------------


def _pdf(sheet: ParSheet) -> bytes:
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
    from reportlab.lib.units import mm
    from reportlab.platypus import Image, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

    styles = getSampleStyleSheet()
    for heading in ("Heading2", "Heading4"):
        styles[heading].keepWithNext = 1
    small = ParagraphStyle("small", parent=styles["BodyText"], fontSize=7, leading=8.4)
    body = ParagraphStyle("body", parent=styles["BodyText"], fontSize=9, leading=11.5)
    width = A4[0] - 32 * mm

    def grid(part: Grid) -> list[Any]:
        columns = len(part.head)
        share = [max(6, *(min(48, len(row[at])) for row in (part.head, *part.rows))) for at in range(columns)]
        shaded = bool(part.shades)
        share = [1] * columns if shaded else share
        widths = [width * each / sum(share) for each in share]
        right = [_numeric(part, at) for at in range(columns)]
        size = 5.4 if shaded else 7
        style = ParagraphStyle(
            "cell", parent=small, fontSize=size, leading=size * 1.2, alignment=1 if shaded else 0
        )
        flush_right = ParagraphStyle("figures", parent=style, alignment=1 if shaded else 2)
        cells = [
            [
                Paragraph(escape(cell), flush_right if figures else style)
                for cell, figures in zip(row, right, strict=True)
            ]
            for row in (part.head, *part.rows)
        ]
        rules: list[Any] = [
            ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.HexColor("#c8d0d6")),
            ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#f3f6f7")),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 1.5 if shaded else 3),
            ("RIGHTPADDING", (0, 0), (-1, -1), 1.5 if shaded else 3),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
        ]
        for row, line in enumerate(part.shades, 1):
            for column, shade in enumerate(line):
                if shade is not None:
                    strength = 1 - 0.43 * min(1.0, abs(shade))
                    tint = (
                        colors.Color(strength, 1, strength)
                        if shade >= 0
                        else colors.Color(1, strength, strength)
                    )
                    rules.append(("BACKGROUND", (column, row), (column, row), tint))
        table = Table(cells, colWidths=widths, repeatRows=1, style=TableStyle(rules))
        title = [Paragraph(escape(part.title), styles["Heading4"])] if part.title else []
        return [*title, table, Spacer(1, 3 * mm)]

    story: list[Any] = [Paragraph(escape(sheet.title), styles["Title"]), Paragraph("Par sheet", body)]
    story += grid(Grid("", ("", ""), sheet.facts))
    for section in sheet.sections:
        story.append(Paragraph(escape(section.title), styles["Heading2"]))
        for part in section.parts:
            match part:
                case Text(words=words):
                    story.append(Paragraph(escape(words), body))
                case Grid():
                    story += grid(part)
                case Drawing(caption=caption, figure=figure):
                    ratio = figure.get_figheight() / figure.get_figwidth()
                    image = Image(BytesIO(plots.png(figure)), width=width * 0.9, height=width * 0.9 * ratio)
                    story += [image, Paragraph(escape(caption), small), Spacer(1, 3 * mm)]

    def foot(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.drawString(16 * mm, 9 * mm, f"{sheet.title}: par sheet")
        canvas.drawRightString(A4[0] - 16 * mm, 9 * mm, f"page {document.page}")

    out = BytesIO()
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), 16 * mm)
    document = SimpleDocTemplate(out, pagesize=A4, title=f"{sheet.title}: par sheet", invariant=1, **margins)
    document.build(story, onFirstPage=foot, onLaterPages=foot)
    return out.getvalue()
