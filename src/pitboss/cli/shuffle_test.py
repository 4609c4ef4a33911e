"""`pitboss shuffle-test`: is the shuffle of virtual tables fair, and would a bias be noticed?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli import completing
from pitboss.cli.files import written
from pitboss.cli.output import console, print_json
from pitboss.cli.place import AsJson
from pitboss.errors import BadInput, near_miss
from pitboss.progress import counting

if TYPE_CHECKING:
    from pitboss.fairness.shuffle_tests import Decks

NOT_FAIR = 1
MOST_DECKS = 10_000_000


def register(app: typer.Typer) -> None:
    app.command("shuffle-test")(shuffle_test_command)


def shuffle_test_command(
    decks: Annotated[int, typer.Option(metavar="N", help="How many decks are shuffled.")] = 100_000,
    planted: Annotated[
        str,
        typer.Option(
            metavar="BIAS",
            help="Test a shuffle that is wrong on purpose instead.",
            autocompletion=completing.biases,
        ),
    ] = "",
    report: Annotated[
        str, typer.Option(metavar="FILE", help="Write a page with drawings; - prints it.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Shuffle decks as virtual tables do, with the system's secure source, and test them at 99 %.

    Leaves with 1 if the shuffle is not fair. One fair shuffle of a hundred is called unfair: look again.

    Examples: pitboss shuffle-test --decks 20000 --report shuffle.html;
    pitboss shuffle-test --planted modulo --decks 20000
    """
    from pitboss.fairness.planted import PLANTED, fair
    from pitboss.parts import require

    require("reports" if report else "maths", place="--report" if report else "")
    from pitboss.fairness.shuffle_tests import LEAST_DECKS, run_tests

    if planted and planted not in PLANTED:
        raise BadInput("--planted", f"no bias '{planted}'", near_miss(planted, PLANTED))
    if not LEAST_DECKS <= decks <= MOST_DECKS:
        raise BadInput("--decks", f"{decks} decks", f"write {LEAST_DECKS} to {MOST_DECKS}")
    tested = run_tests(_shuffled(decks, PLANTED.get(planted, fair)))
    source = f"the planted bias '{planted}'" if planted else "the floor's shuffle"
    if report:
        from pitboss.fairness.shuffle_report import as_page

        page = as_page(tested, source=source)
        if report == "-":
            typer.echo(page, nl=False)
        else:
            with written(report, "--report") as file:
                file.write_text(page)
    if as_json:
        print_json(tested.json() | {"source": source})
    elif report != "-":
        out = console()
        out.print(f"{tested.decks:,} decks of {source}", markup=False)
        for result in tested.results:
            verdict = "fits" if result.fits else "DOES NOT FIT"
            figures = f"p = {result.p:<9.4g} {result.statistic:>12.3f}"
            line = f"{result.name:<19} {verdict:<12} {figures}  {result.what}"
            out.print(line, markup=False, highlight=False)
        said = "nothing speaks against the shuffle" if tested.fair else "this is not a fair shuffle"
        out.print(f"{said} (all tests together at 99 %)", markup=False)
    if not tested.fair:
        raise typer.Exit(NOT_FAIR)


def _shuffled(decks: int, shuffle: Callable[[], list[int]]) -> Decks:
    import numpy as np

    found = np.empty((decks, 52), dtype=np.uint8)
    with counting("shuffling", decks) as task:
        for number in range(decks):
            found[number] = shuffle()
            task.advance()
    return found
