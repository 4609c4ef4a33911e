"""Tables that fit: no amount, id or clause is ever cut. What is too wide for a terminal becomes a list.

A column with a `ratio` holds text that may run over several lines, `min_width` wide at least; every other one
holds what is read whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Column, Table
    from rich.text import Text

LEAST_FLOW = 20
"""Text in a column narrower than this is no fun to read."""

_ANY = 10_000
_INDENT = 2


def print_table(out: Console, table: Table) -> None:
    """Print a table; as a list, one block for each row, where the terminal is too narrow for it.

    What is not printed on a terminal is as wide as it must be.
    """
    if fit(out, table):
        out.print(table)
        return
    if not out.file.isatty():
        terminal, out.width = out.width, _least(out, table)
        fit(out, table)
        out.print(table)
        out.width = terminal
        return
    if table.box is not None and not table.show_lines:
        table.box, table.pad_edge = None, False
        if fit(out, table):
            out.print(table)
            return
    _print_list(out, table)


def fit(out: Console, table: Table) -> bool:
    """Give the columns widths at which the table fits with nothing cut; False if there are none."""
    columns = [_Needs(out, column) for column in table.columns]
    spare = out.width - _frame(out, table, columns) - sum(needs.least for needs in columns)
    if spare < 0:
        return False
    widths = [needs.least for needs in columns]
    waiting = [at for at, needs in enumerate(columns) if needs.widest > needs.least]
    while spare and waiting:
        at = min(waiting, key=lambda each: widths[each])
        widths[at] += 1
        spare -= 1
        waiting = [each for each in waiting if widths[each] < columns[each].widest]
    for column, width in zip(table.columns, widths, strict=True):
        column.width, column.no_wrap, column.overflow = width, column.ratio is None, "fold"
    return True


class _Needs:
    """What a column needs: its widest line, and the least it can be shown in."""

    def __init__(self, out: Console, column: Column) -> None:
        from rich.measure import Measurement

        options = out.options.update(width=_ANY)
        cells = (column.header, *column.cells, column.footer)
        found = [Measurement.get(out, options, cell) for cell in cells]
        self.widest = max(*(each.maximum for each in found), column.min_width or 0)
        self.least = self.widest
        if column.ratio is not None:
            longest_word = min(LEAST_FLOW, max(each.minimum for each in found))
            self.least = min(self.widest, max(longest_word, column.min_width or LEAST_FLOW))


def _frame(out: Console, table: Table, columns: list[_Needs]) -> int:
    """What the box and the space between the columns take."""
    from rich.measure import Measurement

    for column, needs in zip(table.columns, columns, strict=True):
        column.width = needs.widest
    whole = Measurement.get(out, out.options.update(width=_ANY), table).maximum
    return whole - sum(needs.widest for needs in columns)


def _least(out: Console, table: Table) -> int:
    columns = [_Needs(out, column) for column in table.columns]
    return _frame(out, table, columns) + sum(needs.least for needs in columns)


def _print_list(out: Console, table: Table) -> None:
    """Row by row: the first cell, and under it `name: value` for every other one that says something."""
    from rich.padding import Padding

    if table.title is not None:
        out.print(_text(out, table.title, "bold"))
    names = [_text(out, column.header if table.show_header else "") for column in table.columns]
    for row in zip(*(column.cells for column in table.columns), strict=True):
        indent = 0
        for name, cell in zip(names, row, strict=True):
            value = _text(out, cell)
            if value.plain:
                out.print(Padding(_named(name, value), (0, 0, 0, indent)), highlight=False)
            indent = _INDENT
    if table.show_footer:
        feet = [_text(out, column.footer, "bold") for column in table.columns]
        name, *values = (foot for foot in feet if foot.plain)
        for value in values:
            out.print(_named(name, value), highlight=False)


def _named(name: Text, value: Text) -> Text:
    from rich.text import Text

    return Text.assemble(name, ": ", value) if name.plain else value


def _text(out: Console, cell: RenderableType, style: str = "") -> Text:
    from rich.text import Text

    text = cell.copy() if isinstance(cell, Text) else out.render_str(str(cell), highlight=False)
    text = Text(text.plain.strip(), text.style, spans=[]) if text.plain != text.plain.strip() else text
    text.stylize(style)
    return text


def print_named(
    out: Console, name: Text, text: Text, *, width: int, gap: int = 2, right: bool = False
) -> None:
    """A name and what is to be said about it, side by side; under each other where it is narrow."""
    from rich.padding import Padding
    from rich.table import Table

    if out.width < width + gap + LEAST_FLOW:
        out.print(name)
        out.print(Padding(text, (0, 0, 0, 2 * _INDENT)))
        return
    grid = Table.grid(padding=(0, gap))
    grid.add_column(width=width, justify="right" if right else "left", overflow="fold")
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(name, text)
    out.print(grid)
