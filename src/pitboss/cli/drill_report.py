"""The report on trainees, to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.school.shapes import DrillBookReport, TraineeReport


def print_report(out: Console, reports: list[TraineeReport]) -> None:
    """Trainee by trainee, book by book: the figures, the known errors, the clauses, what comes back."""
    if not reports:
        out.print("No trainee has been marked yet. 'pitboss drill RULEBOOK' begins.")
    for report in reports:
        out.print(f"[bold]{_plain(report.trainee)}[/bold]")
        for book in report.books:
            _print_book(out, book)


def _plain(text: str) -> str:
    return text.replace("[", "\\[")


def _print_book(out: Console, book: DrillBookReport) -> None:
    from rich.table import Table
    from rich.text import Text

    from pitboss.cli.tables import print_table

    title = f"  {book.title}" if book.title else ""
    out.print(f"\n[bold]{_plain(book.rulebook)}[/bold]{_plain(title)}")
    out.print(f"  {_of(book.right, book.asked)} problems right; difficulty {book.level} of 6")
    for trap in book.traps:
        tried = _of(trap.right, trap.attempts) if trap.attempts else "not asked yet"
        out.print(f"  known error: {trap.title}: {tried}", markup=False)
    for what in book.comes_back:
        out.print(f"  comes back: {what}", markup=False)
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("  clause", min_width=10)
    table.add_column("right", justify="right")
    table.add_column("asked", justify="right")
    table.add_column("last", min_width=10)
    table.add_column("what it says", ratio=1)
    for clause in book.clauses:
        table.add_row(
            f"  {clause.clause}",
            str(clause.right),
            str(clause.attempts),
            clause.last[:10],
            Text(clause.gist),
        )
    print_table(out, table)


def _of(right: int, asked: int) -> str:
    return f"{right} of {asked}"
