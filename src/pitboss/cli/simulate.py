"""`pitboss simulate`: rounds dealt at random, against the exact value."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.analyze import Changes, Readings, Rulebook, progress
from pitboss.cli.files import check_writable, written
from pitboss.cli.output import console, print_json, say, say_error
from pitboss.errors import BadInput, check_seed, shortened
from pitboss.progress import counting

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from pitboss.maths.main_game import Played
    from pitboss.maths.simulator import Totals

INTERRUPTED = 130
MOST_ROUNDS = 10**13


def register(app: typer.Typer) -> None:
    app.command("simulate")(simulate_command)


def simulate_command(
    rulebook: Rulebook,
    rounds: Annotated[str, typer.Option(metavar="N", help="How many rounds; 1e9 is understood.")] = "1e7",
    strategy: Annotated[str, typer.Option(metavar="NAME", help="How every seat plays.")] = "optimal",
    seats: Annotated[int, typer.Option(metavar="N", help="Seats at the table.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed deals the same rounds.")] = 1,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads of this machine; left out, all cores.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:PORT", help="Run on a Dask cluster instead.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with this run where it was left.")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the run: .png, .svg or .pdf.")
    ] = None,
    reading: Readings = [],  # noqa: B006 - Typer reads the default
    change: Changes = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Simulate the main game and hold its mean against the exact value.

    Examples: pitboss simulate mbs-3cp-2023 --rounds 1e6 --seed 7; pitboss simulate mbs-3cp-2023 --rounds
    1e6 --seats 6 --plot run.svg
    """
    from pitboss.rulebooks.load import load_plan, parse_choices

    wanted = _count(rounds)
    plan = load_plan(rulebook, parse_choices(reading), changes=change, place="--reading")
    check_seed(seed, "--seed")
    if threads is not None and threads < 1:
        raise BadInput("--threads", f"{threads}", "write a whole number from 1")
    if plot is not None:
        check_writable(plot, "--plot", (".png", ".svg", ".pdf"))
    _require(plot, cluster)
    with progress():
        from pitboss.maths.analysis import solved
        from pitboss.maths.lowering import lower_main_game
        from pitboss.maths.main_game import play
        from pitboss.maths.rounds import table_for
        from pitboss.maths.simulator import Run, simulate, workers_for
        from pitboss.maths.strategies import parse_strategy

        game = lower_main_game(plan)
        chosen = parse_strategy(strategy, game)
        if not 1 <= seats <= plan.positions:
            raise BadInput("--seats", f"{seats}", f"{plan.id} has 1 to {plan.positions} positions")
        solution = solved(game)
        exact = play(solution, chosen)
        table = table_for(solution, chosen)
    letters = "".join(f"{label}={letter} " for label, letter in sorted(plan.readings.items()))
    name = f"{plan.digest} {letters}{chosen.name}".encode()
    run = Run(key=f"{plan.id}-{hashlib.sha256(name).hexdigest()[:16]}", seed=seed, seats=seats)
    if resume and not run.state_path().exists():
        say("nothing of this run is kept; it begins anew")
    began = time.perf_counter()
    with workers_for(table, cluster=cluster, threads=threads) as workers, _bar(wanted) as report:
        totals, interrupted = simulate(table, run, wanted, workers, progress=report, resume=resume)
    seconds = time.perf_counter() - began
    if not totals.rounds:
        say_error("interrupted before the first chunk was done")
        raise typer.Exit(INTERRUPTED)
    if plot is not None:
        from pitboss.maths.plots import save_run

        with written(plot, "--plot") as file:
            title = f"{plan.id}, {chosen.name}, {seats} seat(s), seed {seed}"
            save_run(str(file), totals, exact, title=title)
    if as_json:
        print_json(_document(plan.id, totals, exact, seed=seed, seconds=seconds, interrupted=interrupted))
    else:
        _print(console(), plan.book.identity.title, totals, exact, seconds=seconds)
    if interrupted:
        say_error(f"interrupted after {totals.rounds:,} rounds; the same command with --resume goes on")
        raise typer.Exit(INTERRUPTED)


def _require(plot: str | None, cluster: str | None) -> None:
    """Whatever part is missing is said before the first round is dealt, all with one command."""
    from pitboss.parts import require

    asked = {"--cluster": "cluster" if cluster else "", "--plot": "reports" if plot else ""}
    places = {option: part for option, part in asked.items() if part}
    require(*(places.values() or ("maths",)), place=", ".join(places))


def _count(text: str) -> int:
    try:
        value = Decimal(text.replace("_", "").replace(",", ""))
        if value == value.to_integral_value() and 1 <= value <= MOST_ROUNDS:
            return int(value)
    except InvalidOperation:
        pass
    problem = f"'{shortened(text)}' is no number of rounds"
    raise BadInput("--rounds", problem, "write a whole number from 1 to 1e13, such as 1e9")


@contextmanager
def _bar(wanted: int) -> Iterator[Callable[[Totals], None]]:
    """A count with rate and running mean."""
    from pitboss.maths.simulator import BAND

    with counting("simulating", wanted) as task:
        began, first = time.perf_counter(), -1

        def report(totals: Totals) -> None:
            nonlocal first
            first = totals.rounds if first < 0 else first
            spent = time.perf_counter() - began
            rate = f"{(totals.rounds - first) / spent / 1e6:.2f} M/s  " if spent > 0.5 else ""
            mean = f"mean {totals.mean:+.6f} ± {BAND * totals.standard_error:.6f}"
            task.reach(totals.rounds)
            task.detail = f"{totals.rounds:,} rounds  {rate}{mean}"

        yield report


def _document(
    book: str, totals: Totals, exact: Played, *, seed: int, seconds: float, interrupted: bool
) -> dict[str, Any]:
    from pitboss.maths.simulator import BAND

    error = totals.standard_error
    value, deviation = float(exact.ev), exact.distribution.standard_deviation
    return {
        "rulebook": book,
        "strategy": exact.strategy.name,
        "seed": seed,
        "seats": totals.seats,
        "rounds": totals.rounds,
        "interrupted": interrupted,
        "mean": totals.mean,
        "standard_error": error,
        "band": [totals.mean - BAND * error, totals.mean + BAND * error],
        "exact": {"ev": str(exact.ev), "mean": value, "standard_deviation": deviation},
        "z": (totals.mean - value) / error if error else None,
        "standard_deviation": totals.standard_deviation,
        "standard_deviation_z": _deviation_z(totals, deviation),
        "covariance": totals.covariance,
        "decisions": dict(zip(exact.decisions, totals.bets, strict=False)),
        "outcomes": {str(totals.lowest + at): n for at, n in enumerate(totals.histogram) if n},
        "seconds": round(seconds, 3),
    }


def _deviation_z(totals: Totals, exact: float) -> float | None:
    error = totals.deviation_error
    return (totals.standard_deviation - exact) / error if error else None


def _apart(z: float | None) -> str:
    return "-" if z is None else f"{z:+.2f}"


def _print(out: Console, title: str, totals: Totals, exact: Played, *, seconds: float) -> None:
    from rich.table import Table

    from pitboss.cli.tables import print_table
    from pitboss.maths.simulator import BAND

    error, value = totals.standard_error, float(exact.ev)
    out.print(f"[bold]{title}[/bold], {exact.strategy.name}, {totals.seats} seat(s)")
    out.print(
        f"{totals.rounds:,} rounds in {seconds:.1f} s, {totals.rounds / seconds / 1e6:.2f} million a second\n"
    )
    table = Table(box=None, pad_edge=False)
    for name in ("", "simulated", "exact", "standard errors apart"):
        table.add_column(name, justify="left" if not name else "right")
    z = (totals.mean - value) / error if error else None
    table.add_row("net per Ante", f"{totals.mean:+.7f}", f"{value:+.7f}", _apart(z))
    table.add_row("  95 % band", f"± {BAND * error:.7f}", "", "")
    deviation = exact.distribution.standard_deviation
    table.add_row(
        "standard deviation",
        f"{totals.standard_deviation:.6f}",
        f"{deviation:.6f}",
        _apart(_deviation_z(totals, deviation)),
    )
    for (name, often), seen in zip(exact.decisions.items(), totals.bets, strict=False):
        table.add_row(f"{name} placed", f"{seen:.6%}", f"{float(often):.6%}", "")
    print_table(out, table)
    if totals.covariance is not None:
        out.print(f"covariance of two seats {totals.covariance:+.4f} (from the simulation)")
