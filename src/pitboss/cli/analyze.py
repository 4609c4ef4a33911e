"""`pitboss analyze`: the exact mathematics of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.output import console, print_json, say_plainly
from pitboss.errors import BadInput
from pitboss.progress import counting

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from pitboss.maths.analysis import Analysis
    from pitboss.maths.prices import Price
    from pitboss.maths.side import SideResult
    from pitboss.money import Cents
    from pitboss.rulebooks import Plan


def register(app: typer.Typer) -> None:
    app.command("analyze")(analyze_command)


Rulebook = Annotated[
    str,
    typer.Argument(
        metavar="RULEBOOK",
        help="An id, or a rulebook folder or file of yours.",
        autocompletion=completing.rulebooks,
    ),
]
Readings = Annotated[
    list[str],
    typer.Option(
        "--reading",
        metavar="R-X=a",
        help="Choose a reading; may be given several times.",
        autocompletion=completing.readings,
    ),
]
Changes = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="WAGER.KEY=VALUE",
        help="Change one figure, such as pair-plus.straight=6.",
        autocompletion=completing.figures,
    ),
]


def analyze_command(
    rulebook: Rulebook,
    reading: Readings = [],  # noqa: B006 - Typer reads the default
    change: Changes = [],  # noqa: B006
    strategy: Annotated[
        list[str],
        typer.Option("--strategy", metavar="NAME", help="Price a simple strategy against the optimal one."),
    ] = [],  # noqa: B006
    unit: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The jackpot unit; left out, the house's.")
    ] = None,
    multiple: Annotated[int, typer.Option(metavar="N", help="Units of the jackpot wager.")] = 1,
    stake: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The stake of a side wager whose payment is capped.")
    ] = None,
    meter: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="The jackpot meter for --prices; else its reset value."),
    ] = None,
    prices: Annotated[
        bool, typer.Option("--prices", help="Also price every letter of every reading.")
    ] = False,
    covariance: Annotated[
        bool, typer.Option("--covariance", help="Also the covariance of two seats at one table.")
    ] = False,
    seen_card: Annotated[
        bool, typer.Option("--seen-card", help="Also what one dealer's card, seen, is worth (a minute).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Price a rulebook exactly: house edge, optimal strategy, volatility, side wagers and jackpot.

    Example: pitboss analyze mbs-3cp-2023 --set pair-plus.straight=6 --set pair-plus.flush=3
    """
    from pitboss.money import parse_cents
    from pitboss.rulebooks.load import load_plan, parse_choices

    plan = load_plan(rulebook, parse_choices(reading), changes=change, place="--reading")
    amount = None if stake is None else parse_cents(stake, "--stake")
    unit_cents = None if unit is None else parse_cents(unit, "--unit")
    shown = None if meter is None else parse_cents(meter, "--meter")
    if shown is not None and not (prices and plan.jackpot is not None):
        raise BadInput("--meter", "it goes with --prices and a jackpot", "leave it out")
    with progress():
        from pitboss.maths.analysis import analyse, analysis_json
        from pitboss.maths.lowering import lower_main_game
        from pitboss.maths.seen_card import check_seen_card
        from pitboss.maths.strategies import parse_strategy

        if seen_card:
            check_seen_card(lower_main_game(plan))
        named = [parse_strategy(name, lower_main_game(plan)) for name in strategy] if strategy else None
        analysis = analyse(plan, unit=unit_cents, multiple=multiple, stake=amount, strategies=named)
        from pitboss.maths.prices import price_readings

        priced = list(price_readings(rulebook, plan, change, meter=shown, stake=amount)) if prices else []
        more: dict[str, Any] = {"prices": [_price_json(price) for price in priced]} if prices else {}
        if covariance:
            more["covariance"] = _covariance(analysis)
        if seen_card:
            more["seen_card"] = _seen_card(analysis)
    if as_json:
        print_json(analysis_json(analysis) | _notes(plan) | more)
    else:
        print_analysis(console(), plan, analysis, change)
        if prices:
            _print_prices(console(), plan, priced, meter=shown, stake=amount)
        if covariance:
            found = more["covariance"]
            error = f" ± {found['standard_error']:.5f}" if found["standard_error"] else f" = {found['exact']}"
            console().print(
                f"\n[bold]covariance of two seats[/bold] {found['value']:+.6f}{error} ({found['how']})"
            )
        if seen_card:
            found = more["seen_card"]
            console().print(
                f"\n[bold]one dealer's card seen[/bold]: the player nets {float(Fraction(found['ev'])):+.4%} "
                f"of the Ante, {float(Fraction(found['worth'])):.4%} more than without ({found['ev']})"
            )


def _notes(plan: Plan) -> dict[str, dict[str, str]]:
    """Which readings chosen otherwise than by default are not in the figures, and why."""
    from pitboss.maths.prices import note_on

    chosen = [label for label, letter in plan.readings.items() if letter != plan.book.readings[label].default]
    notes = {label: note for label in chosen if (note := note_on(plan, label))}
    return {"notes": notes} if notes else {}


def _price_json(price: Price) -> dict[str, Any]:
    return {
        "reading": price.label,
        "letter": price.letter,
        "in_force": price.in_force,
        "changes": {wager: str(change) for wager, change in price.changes.items()},
        "awards_a_round": str(price.round_award / 100),
        "house_a_round": str(price.round_house / 100),
        "note": price.why,
    }


def _covariance(analysis: Analysis) -> dict[str, Any]:
    from pitboss.maths.seats import covariance_of_seats

    found = covariance_of_seats(analysis.solution)
    return {
        "value": found.value,
        "exact": None if found.exact is None else str(found.exact),
        "standard_error": found.standard_error,
        "how": found.how,
    }


def _seen_card(analysis: Analysis) -> dict[str, str]:
    from pitboss.maths.seen_card import value_with_seen_card

    value = value_with_seen_card(analysis.solution.game)
    return {"ev": str(value), "worth": str(value - analysis.played.ev)}


def _print_prices(
    out: Console, plan: Plan, priced: list[Price], *, meter: Cents | None, stake: Cents | None
) -> None:
    """What each letter would change for the player, against what is in force."""
    table = _table("readings: what each letter gives the player more, of the stake or as money a round")
    for name in ("reading", "letter"):
        table.add_column(name)
    table.add_column("changes", ratio=1)
    for price in priced:
        moved = [f"{wager} {float(change):+.4%}" for wager, change in price.changes.items()]
        moved += price.of_a_round(plan.book.house.positions)
        words = price.why or ("in force" if price.in_force else "; ".join(moved) or "the same money")
        table.add_row(price.label, price.letter, words)
    _print_table(out, table)
    for line in priced_at(plan, meter=meter, stake=stake):
        out.print(f"  {line}", markup=False)


def priced_at(plan: Plan, *, meter: Cents | None, stake: Cents | None) -> Iterator[str]:
    """At which meter and stake readings were priced."""
    from pitboss.maths.prices import capped_stake
    from pitboss.money import format_cents

    if plan.book.house.jackpot is not None:
        at = plan.book.house.jackpot.reset if meter is None else meter
        seats = plan.book.house.positions
        yield f"jackpot priced with {format_cents(at)} on the meter, rounds with {seats} seats"
    used = capped_stake(plan) if stake is None else stake
    if used is not None:
        yield f"capped wagers priced at a stake of {format_cents(used)}"


@contextmanager
def progress() -> Iterator[None]:
    """Count what is compiled and computed; a first compilation is also said where nobody watches a bar."""
    import sys

    with counting("loading the kernels"):
        from pitboss.maths.compiling import listening, thread_count

    thread_count()  # a setting that cannot be meant is told before the work
    if sys.stderr.isatty():
        yield
        return
    with listening(lambda text: say_plainly(text) if text.startswith("compiling") else None):
        yield


def percent(value: Fraction | float) -> str:
    """A part of one, with four decimals of a percent."""
    return f"{float(value):.4%}"


def print_analysis(out: Console, plan: Plan, analysis: Analysis, changes: list[str]) -> None:
    """The analysis for a person: the house edge first, then what it is made of."""
    identity, game, played = plan.book.identity, analysis.solution.game, analysis.played
    out.print(f"[bold]{identity.title}[/bold]  {identity.id}, version {identity.version}")
    if changes:
        out.print(f"what if: {', '.join(changes)}", markup=False)
    for line in _other_readings(plan):
        out.print(line, markup=False)
    out.print(
        f"\n[bold]house edge {percent(-played.ev)}[/bold] of the {game.base.area}, "
        f"{percent(played.element_of_risk)} of all that is staked",
    )
    out.print(f"  exactly {-played.ev} over {played.distribution.cycle:,} deals", markup=False)
    out.print(
        f"  average wager {float(played.average_wager):.4f} x {game.base.area}, "
        f"standard deviation {played.distribution.standard_deviation:.4f}, "
        f"a win in {percent(played.distribution.win_frequency)} of rounds"
    )
    for line in strategy_lines(analysis):
        out.print(f"  {line}", markup=False)
    _print_table(out, _outcomes(analysis))
    if analysis.strategies:
        _print_table(out, _strategies(analysis))
    for side in analysis.sides:
        _print_side(out, plan, side)
    if analysis.jackpot is not None:
        _print_jackpot(out, plan, analysis)
    out.print(f"\ncomputed in {analysis.seconds:.1f} s")


def _other_readings(plan: Plan) -> Iterator[str]:
    """The readings chosen otherwise than by default, and why some of them move nothing here."""
    from pitboss.maths.prices import note_on

    for label, letter in plan.readings.items():
        reading = plan.book.readings[label]
        if letter != reading.default:
            note = note_on(plan, label) or reading.options[letter].says
            yield f"reading {label}={letter}: {note}"


def strategy_lines(analysis: Analysis) -> Iterator[str]:
    """The optimal strategy in a few lines."""
    from pitboss.maths.advice import strategy_json

    for name, often in analysis.played.decisions.items():
        yield f"{name} is placed in {percent(often)} of rounds"
    found = strategy_json(analysis.solution)
    if "depends" in found:
        depends = found["depends"]
        assert isinstance(depends, dict)
        yield f"bet from {found['bet_from']} up, fold below {found['fold_below']};"
        yield f"{len(depends)} hands between depend on the up-card (--json lists them)"
    elif found.get("fold") is not None:
        fold = found["fold"]
        assert isinstance(fold, list)
        yield f"fold {', '.join(fold)}; play every other hand" if fold else "fold no hand"
    elif "play_from" in found:
        yield f"play {found['play_from']} or better, fold the rest"


def _table(title: str) -> Table:
    from rich.table import Table

    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)


def _print_table(out: Console, table: Table) -> None:
    from pitboss.cli.tables import print_table

    out.print()
    print_table(out, table)


def _outcomes(analysis: Analysis) -> Table:
    table = _table("outcomes")
    for name in ("net", "deals", "probability", "adds"):
        table.add_column(name, justify="right")
    distribution = analysis.played.distribution
    for net, deals in distribution.counts.items():
        share = Fraction(deals, distribution.cycle)
        table.add_row(f"{net:+}" if net else "0", f"{deals:,}", percent(share), f"{float(share * net):+.6f}")
    return table


def _strategies(analysis: Analysis) -> Table:
    table = _table("simple strategies")
    table.add_column("strategy")
    table.add_column("house edge", justify="right")
    table.add_column("costs against optimal", justify="right")
    for played in analysis.strategies:
        cost = analysis.played.ev - played.ev
        table.add_row(played.strategy.name, percent(-played.ev), percent(cost))
    return table


def _print_side(out: Console, plan: Plan, side: SideResult) -> None:
    from pitboss.cli.tables import print_table
    from pitboss.money import format_cents

    area = plan.wager(side.wager).area
    at = f" at a stake of {format_cents(side.stake)}" if side.stake is not None else ""
    out.print(
        f"\n[bold]{area}: house edge {percent(-side.ev)}[/bold]{at}, standard deviation "
        f"{side.distribution.standard_deviation:.4f}"
    )
    out.print(f"  exactly {-side.ev}", markup=False)
    table = _table("")
    table.title = None
    table.add_column("hand")
    for name in ("pays", "deals", "one in", "returns"):
        table.add_column(name, justify="right")
    for row, deals in sorted(side.rows.items(), key=lambda item: -side.paid[item[0]]):
        share = Fraction(deals, side.distribution.cycle)
        pays, one_in = side.paid[row], f"{float(1 / share):,.2f}"
        shown = f"{pays}" if pays.denominator == 1 else f"{float(pays):.4f}"
        table.add_row(row, f"{shown} to 1", f"{deals:,}", one_in, percent(share * (pays + 1)))
    print_table(out, table)


def _print_jackpot(out: Console, plan: Plan, analysis: Analysis) -> None:
    from pitboss.cli.tables import print_table
    from pitboss.maths.analysis import cents_text
    from pitboss.money import format_cents

    jackpot = analysis.jackpot
    assert jackpot is not None
    even = jackpot.break_even_meter
    out.print(
        f"\n[bold]{plan.wager(jackpot.wager).area}[/bold] at {format_cents(jackpot.stake)}: "
        f"fixed awards return {percent(jackpot.fixed_return)}; "
        f"each 1.00 on the meter adds {float(jackpot.meter_share):.3e}"
    )
    if even is not None:
        out.print(f"  breaks even at a meter of {cents_text(even)}")
    table = _table("")
    table.title = None
    table.add_column("hand")
    for name in ("award", "combinations", "one in"):
        table.add_column(name, justify="right")
    for row, often in jackpot.frequencies.items():
        share = jackpot.shares.get(row)
        award = f"{share} % of the meter" if share is not None else cents_text(jackpot.fixed_awards[row])
        table.add_row(row, award, f"{jackpot.combinations[row]:,}", f"{float(1 / often):,.1f}")
    print_table(out, table)
