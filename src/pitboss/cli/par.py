"""`pitboss par`: the par sheet of a rulebook, for a test laboratory."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss.cli.analyze import Changes, Readings, Rulebook, priced_at, progress
from pitboss.cli.files import check_writable, written
from pitboss.cli.output import console
from pitboss.progress import counting


def register(app: typer.Typer) -> None:
    app.command("par")(par_command)


def par_command(
    rulebook: Rulebook,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="A .html, .md, .csv or .pdf file.")
    ],
    meter: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="What the jackpot meter shows; left out, its reset value."),
    ] = None,
    reading: Readings = [],  # noqa: B006 - Typer reads the default
    change: Changes = [],  # noqa: B006
    prices: Annotated[
        bool, typer.Option("--prices/--no-prices", help="Price the other letters of the readings, too.")
    ] = True,
) -> None:
    """Write the par sheet: pay tables with exact combinations, edge, deviation, strategy, jackpot curves.

    Example: pitboss par mbs-3cp-2023 -o par.html
    """
    from pitboss.errors import BadInput
    from pitboss.money import parse_cents
    from pitboss.parts import require
    from pitboss.rulebooks.load import load_plan, parse_choices

    require("reports")
    check_writable(output, "--output", (".html", ".md", ".csv", ".pdf"))
    plan = load_plan(rulebook, parse_choices(reading), changes=change, place="--reading")
    if meter is not None and plan.jackpot is None:
        raise BadInput("--meter", f"{plan.id} has no jackpot", "leave it out")
    shown = None if meter is None else parse_cents(meter, "--meter")
    with progress():
        from pitboss.maths.analysis import analyse
        from pitboss.maths.par_sheet import par_sheet
        from pitboss.maths.par_writers import write_par_sheet
        from pitboss.maths.prices import price_readings
        from pitboss.maths.progressive import price_progressive

        analysis = analyse(plan)
        priced = list(price_readings(rulebook, plan, change, meter=shown)) if prices else []
        notes = list(priced_at(plan, meter=shown, stake=None))
        link = None if analysis.jackpot is None else price_progressive(plan, analysis.jackpot, meter=shown)
        sheet = par_sheet(analysis, changes=change, prices=priced, progressive=link, notes=notes)
        with written(output) as file, counting(f"writing {output}"):
            write_par_sheet(sheet, str(file))
    console().print(f"{output}: {plan.id}, house edge {float(-analysis.played.ev):.4%}", markup=False)
