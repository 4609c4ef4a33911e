"""`pitboss rules coverage`: every operative clause of the books, and the tests that fail without it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.output import console, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.play.coverage import Coverage

_SHOWN = 3


def coverage_command(
    rulebook: Annotated[
        str | None,
        typer.Argument(
            metavar="RULEBOOK",
            help="One book; without it, all five.",
            autocompletion=completing.rulebooks,
        ),
    ] = None,
    tests: Annotated[
        Path | None,
        typer.Option("--tests", metavar="FOLDER", help="The folder of tests; else the project's own."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List every operative clause with the tests that fail without it; exit 1 if one has none.

    Example: pitboss rules coverage mbs-thb-9
    """
    from pitboss.errors import BadInput, near_miss
    from pitboss.play.coverage import cover
    from pitboss.rulebooks import book_ids

    if rulebook is not None and rulebook not in book_ids():
        raise BadInput("", f"no rulebook '{rulebook}' comes with tests", near_miss(rulebook, book_ids()))
    books = [c for book, c in cover(tests or _project_tests()).items() if rulebook in (None, book)]
    if as_json:
        print_json({"books": [_json(coverage) for coverage in books]})
    else:
        out = console()
        for coverage in books:
            _print(out, coverage)
        _print_summary(out, books)
    if any(coverage.uncited or coverage.unknown for coverage in books):
        raise typer.Exit(1)


def _project_tests() -> Path:
    """The tests of the folder one is in, or of the project this program was installed from."""
    here = Path("tests")
    return here if (here / "scenarios").is_dir() else Path(__file__).parents[3] / "tests"


def _json(coverage: Coverage) -> dict[str, Any]:
    register = coverage.plan.register
    return {
        "rulebook": coverage.plan.id,
        "operative": len(coverage.operative),
        "uncited": coverage.uncited,
        "unknown": [{"clause": clause, "test": test} for clause, test in coverage.unknown],
        "clauses": [
            {
                "clause": number,
                "kind": register[number].kind.value,  # type: ignore[index]
                "tests": coverage.tests.get(number, []),
                "fails": coverage.fails.get(number, []),
            }
            | ({"outside": coverage.outside[number]} if number in coverage.outside else {})
            for number in coverage.operative
        ],
    }


def _print(out: Console, coverage: Coverage) -> None:
    from rich.table import Table
    from rich.text import Text

    from pitboss.cli.tables import print_table

    out.print(f"\n[bold]{coverage.plan.id}[/bold]")
    grid = Table.grid(padding=(0, 1))
    for width in (12, 12, 5):
        grid.add_column(min_width=width)
    grid.add_column(ratio=1)
    for number in coverage.operative:
        kind = coverage.plan.register[number].kind.value  # type: ignore[index]
        cited, fails = coverage.tests.get(number, []), coverage.fails.get(number, [])
        text = "; ".join(fails[:_SHOWN])
        if number in coverage.outside:
            text = f"not software: {coverage.outside[number]}"
        style = "" if text else "red"
        grid.add_row(
            Text(number), Text(kind, style="dim"), str(len(cited) or ""), Text(text or "NO TEST", style)
        )
    print_table(out, grid)
    for clause, test in coverage.unknown:
        out.print(f"  {test} cites {clause}, which {coverage.plan.id} does not have", markup=False)


def _print_summary(out: Console, books: list[Coverage]) -> None:
    out.print()
    for coverage in books:
        operative, outside = coverage.operative, coverage.outside
        cited = sum(number in coverage.tests for number in operative)
        fails = sum(number in coverage.fails for number in operative)
        out.print(
            f"{coverage.plan.id}: {len(operative)} operative clauses, {cited} cited by tests, "
            f"tests fail without {fails}, "
            f"{sum(number in outside for number in operative)} not software, "
            f"{len(coverage.uncited)} without a test",
            markup=False,
        )
