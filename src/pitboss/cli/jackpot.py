"""`pitboss jackpot`: the mathematics of the linked jackpot on a floor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.analyze import Changes, Readings, Rulebook, percent, progress
from pitboss.cli.output import console, print_json
from pitboss.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.maths.progressive import Progressive
    from pitboss.rulebooks import Plan


MOST = 100_000


def register(app: typer.Typer) -> None:
    app.command("jackpot")(jackpot_command)


def jackpot_command(
    rulebook: Rulebook,
    meter: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="What the meter shows; left out, its reset value.")
    ] = None,
    tables: Annotated[int, typer.Option(metavar="N", help="Tables on the link.")] = 10,
    seats: Annotated[int, typer.Option(metavar="N", help="Seats a table that bet on the jackpot.")] = 6,
    rounds: Annotated[
        int, typer.Option("--rounds-per-hour", metavar="N", help="Rounds a table an hour.")
    ] = 40,
    hours: Annotated[int, typer.Option(metavar="N", help="Hours a day.")] = 24,
    unit: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The jackpot unit; left out, the house's.")
    ] = None,
    multiple: Annotated[int, typer.Option(metavar="N", help="Units of each wager.")] = 1,
    reading: Readings = [],  # noqa: B006 - Typer reads the default
    change: Changes = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Tell what the jackpot returns now and in the long run, how often it hits, whether the reserve lasts.

    Example: pitboss jackpot mbs-3cp-2023 --meter 300000 --tables 20
    """
    from pitboss.money import parse_cents
    from pitboss.rulebooks.load import load_plan, parse_choices

    plan = load_plan(rulebook, parse_choices(reading), changes=change, place="--reading")
    if plan.jackpot is None:
        raise BadInput(f"rulebook {plan.id}", "it has no jackpot", "choose a book that has one")
    for name, value in (("tables", tables), ("seats", seats), ("rounds-per-hour", rounds), ("hours", hours)):
        if not 1 <= value <= MOST:
            raise BadInput(f"--{name}", f"{value}", f"write a whole number from 1 to {MOST}")
    if seats > plan.positions:
        raise BadInput("--seats", f"{seats}", f"{plan.id} has 1 to {plan.positions} positions")
    if hours > 24:
        raise BadInput("--hours", f"{hours}", "a day has 24")
    unit_cents = None if unit is None else parse_cents(unit, "--unit")
    meter_cents = None if meter is None else parse_cents(meter, "--meter")
    with progress():
        from pitboss.maths.analysis import analyse
        from pitboss.maths.progressive import Floor, price_progressive
        from pitboss.maths.winners import winner_chances

        analysis = analyse(plan, unit=unit_cents, multiple=multiple, strategies=())
        assert analysis.jackpot is not None
        floor = Floor(tables=tables, seats=seats, rounds_an_hour=rounds, hours=hours)
        found = price_progressive(plan, analysis.jackpot, meter=meter_cents, floor=floor)
        several = {
            " + ".join(winners): chance
            for winners, chance in winner_chances(plan, seats).items()
            if len(winners) > 1
        }
    if as_json:
        print_json(_document(plan, found, several))
    else:
        _print(console(), plan, found, several)


def _document(plan: Plan, found: Progressive, several: dict[str, Any]) -> dict[str, Any]:
    from pitboss.maths.analysis import cents_text
    from pitboss.money import format_cents

    even = found.jackpot.break_even_meter
    return {
        "rulebook": plan.id,
        "unit": format_cents(found.jackpot.unit),
        "multiple": found.jackpot.multiple,
        "meter": format_cents(found.meter),
        "reset": format_cents(found.reset),
        "fixed_return": str(found.jackpot.fixed_return),
        "return_now": str(found.return_now),
        "long_run_return": str(found.long_run_return),
        "break_even_meter": None if even is None else cents_text(even),
        "hit_frequency": {row: str(often) for row, often in found.jackpot.frequencies.items()},
        "wagers_between_hits": {row: str(wagers) for row, wagers in found.wagers_between_hits.items()},
        "days_between_hits": {row: float(days) for row, days in found.days_between_hits.items()},
        "wagers_a_day": found.floor.wagers_a_day,
        "mean_meter": cents_text(found.mean_meter),
        "meter_at_hit": {
            "mean": cents_text(found.mean_at_hit),
            "standard_deviation": round(found.deviation_at_hit / 100, 2),
            "quantiles": {str(q): round(value / 100, 2) for q, value in found.quantiles_at_hit.items()},
        },
        "reserve": {
            "gathered_between_hits": cents_text(found.reserve_at_hit),
            "covers": str(found.reserve_covers),
            "short_at_first_hit": found.reserve_short,
        },
        "several_winners_a_round": {winners: str(chance) for winners, chance in several.items()},
        **({} if found.fixed_from_meter is None else {"fixed_from_meter": found.fixed_from_meter}),
        "how": dict(found.how),
    }


def _print(out: Console, plan: Plan, found: Progressive, several: dict[str, Any]) -> None:
    from rich.table import Table

    from pitboss.cli.tables import print_table
    from pitboss.maths.analysis import cents_text
    from pitboss.money import format_cents

    jackpot, floor = found.jackpot, found.floor
    even = jackpot.break_even_meter
    out.print(f"[bold]{plan.book.identity.title}[/bold]  {plan.id}, wagers of {format_cents(jackpot.stake)}")
    out.print(
        f"\n[bold]returns {percent(found.return_now)} now[/bold], with {format_cents(found.meter)} on the "
        f"meter; [bold]{percent(found.long_run_return)} in the long run[/bold]"
    )
    house_part = found.long_run_return - jackpot.fixed_return
    resets = f"resets to {format_cents(found.reset)}"
    if found.fixed_from_meter is None:
        whence = f"{found.increment_bp / 100:g} % contributed, the rest from {resets}"
    else:
        whence = f"{found.increment_bp / 100:g} % contributed, which fixed awards come out of, too; {resets}"
    fixed_part = percent(jackpot.fixed_return)
    out.print(f"  fixed awards {fixed_part}, shares of the meter {percent(house_part)} ({whence})")
    if even is not None:
        out.print(f"  breaks even at a meter of {cents_text(even)}")
    table = Table(title="hits", title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("hand")
    for name in ("one in", "days between"):
        table.add_column(name, justify="right")
    for row, wagers in found.wagers_between_hits.items():
        table.add_row(row, f"{float(wagers):,.1f}", f"{float(found.days_between_hits[row]):,.3f}")
    out.print()
    print_table(out, table)
    out.print(
        f"  with {floor.wagers_a_day:,} wagers a day: {floor.tables} tables x {floor.seats} seats x "
        f"{floor.rounds_an_hour} rounds x {floor.hours} hours"
    )
    for winners, chance in several.items():
        if chance > 1e-12:
            out.print(f"  {winners} in one round of a table: one in {float(1 / chance):,.0f}")
    quantiles = ", ".join(f"{q:.0%} {value / 100:,.0f}" for q, value in found.quantiles_at_hit.items())
    out.print(
        f"\n[bold]the meter[/bold] averages {cents_text(found.mean_meter)}; when the whole is won, "
        f"{cents_text(found.mean_at_hit)} (standard deviation {found.deviation_at_hit / 100:,.2f})"
    )
    exact = found.how["mean_meter"] == found.how["return_now"]
    others = "the other figures are exact" if exact else "return now, hits and reserve are exact"
    out.print(f"  won below: {quantiles} ({found.how['quantiles_at_hit']}; {others})")
    if found.fixed_from_meter is not None:
        out.print(f"  of the fixed awards it pays {percent(found.fixed_from_meter)}, the house the rest")
    verdict = "funds" if found.reserve_covers >= 1 else "does not fund"
    out.print(
        f"[bold]the reserve[/bold] gathers {cents_text(found.reserve_at_hit)} between hits on average and so "
        f"{verdict} the reset ({percent(found.reserve_covers)})"
    )
    out.print(
        f"  begun empty, it falls short at the first hit with probability {percent(found.reserve_short)}"
    )
