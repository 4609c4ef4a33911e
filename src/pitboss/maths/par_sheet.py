"""The par sheet: one document of everything a test laboratory asks about a game's mathematics.

The content is put together once, as sections of paragraphs, tables and drawings; `par_writers` sets it as a
page, as Markdown, as CSV or as a paper document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from matplotlib.figure import Figure

from pitboss.cards import Rank
from pitboss.maths import plots
from pitboss.maths.advice import strategy_json
from pitboss.maths.analysis import Analysis, bet_frequency, cents_text
from pitboss.maths.holdem import HoldemSolution, kind_of_pair
from pitboss.maths.jackpot import JackpotResult
from pitboss.maths.lowering import Bet
from pitboss.maths.prices import Price
from pitboss.maths.progressive import FORMULA, Progressive
from pitboss.maths.side import SideResult
from pitboss.money import Cents, format_cents
from pitboss.rulebooks import Plan
from pitboss.rulebooks.brief import brief
from pitboss.rulebooks.plan import ToOne
from pitboss.version import __version__

_TROUBLE = "When things go wrong"
"""The chapter on what goes wrong is no part of the mathematics."""
CAPPED_STAKES = (Cents(10_000), Cents(20_000), Cents(50_000), Cents(100_000), Cents(500_000))


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    words: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `shades` colours cells from -1 (red) to 1 (green); None leaves a cell plain."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[float | None, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing with its caption."""

    caption: str
    figure: Figure


Part = Text | Grid | Drawing


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of the sheet."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParSheet:
    """A par sheet. `facts` stand under its title."""

    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def par_sheet(
    analysis: Analysis,
    *,
    changes: list[str],
    prices: list[Price],
    progressive: Progressive | None,
    notes: Sequence[str] = (),
) -> ParSheet:
    """The par sheet of an analysed rulebook. `notes` say at which meter and stake readings were priced."""
    plan = analysis.plan
    identity = plan.book.identity
    facts = [
        ("rulebook", identity.id),
        ("operator", identity.operator),
        ("version", identity.version),
        ("applies from", f"{identity.applies_from:%Y-%m-%d %H:%M}"),
        ("hash of the rulebook (SHA-256)", plan.digest),
        ("computed by", f"Pitboss {__version__}, every deal counted"),
    ]
    facts += [("figures changed", ", ".join(changes))] if changes else []
    sections = [
        Section("Summary", tuple(_summary(analysis))),
        Section("Rules in brief", tuple(_rules(plan))),
        Section("Readings in force", tuple(_readings(plan, prices, notes))),
        Section("Main game", tuple(_main(analysis))),
        Section("Strategy", tuple(_strategy(analysis))),
        *(Section(plan.wager(side.wager).area, tuple(_side(plan, side))) for side in analysis.sides),
    ]
    if analysis.jackpot is not None and progressive is not None:
        area = plan.wager(analysis.jackpot.wager).area
        sections.append(Section(area, tuple(_jackpot(plan, analysis.jackpot, progressive))))
    return ParSheet(title=identity.title, facts=tuple(facts), sections=tuple(sections))


def percent(value: Fraction | float) -> str:
    """A part of one, as the sheet writes it."""
    return f"{float(value) * 100:.4f} %"


def _summary(analysis: Analysis) -> Iterator[Part]:
    played, plan = analysis.played, analysis.plan
    rows = [
        (
            f"{plan.wager(analysis.solution.game.base.name).area} (main game, optimal play)",
            percent(-played.ev),
            percent(played.element_of_risk),
            f"{played.distribution.standard_deviation:.4f}",
            percent(played.distribution.win_frequency),
            str(played.ev),
        )
    ]
    for side in analysis.sides:
        rows.append(
            (
                plan.wager(side.wager).area,
                percent(-side.ev),
                percent(-side.ev),
                f"{side.distribution.standard_deviation:.4f}",
                percent(side.distribution.win_frequency),
                str(side.ev),
            )
        )
    head = ("wager", "house edge", "element of risk", "deviation", "win frequency", "expected value")
    yield Grid("", head, tuple(rows))
    yield Text(
        "Edge and deviation are per unit of the wager named; the element of risk is per unit of all that is "
        f"staked, on average {float(played.average_wager):.6f} antes ({played.average_wager}). Side wagers "
        "are priced under the main game's optimal play."
    )


def _rules(plan: Plan) -> Iterator[Part]:
    chapters: dict[str, list[tuple[str, str, str]]] = {}
    for topic in brief(plan):
        chapters.setdefault(topic.chapter, []).append((topic.name, topic.text, ", ".join(topic.clauses)))
    for chapter, rows in chapters.items():
        if chapter != _TROUBLE:
            yield Grid(chapter, ("rule", "in brief", "clauses"), tuple(rows))


def _readings(plan: Plan, prices: list[Price], notes: Sequence[str]) -> Iterator[Part]:
    rows = []
    for label, letter in plan.readings.items():
        reading = plan.book.readings[label]
        rows.append((label, letter, reading.options[letter].says, ", ".join(reading.clauses)))
    yield Grid("", ("reading", "letter", "says", "clauses"), tuple(rows))
    priced = []
    for price in prices:
        if price.in_force or price.why:
            continue
        moved = [f"{wager} {float(change):+.6%}" for wager, change in price.changes.items()]
        moved += price.of_a_round(plan.book.house.positions)
        priced.append((price.label, price.letter, "; ".join(moved) or "the same money"))
    if priced:
        yield Grid("What another letter gives the player", ("reading", "letter", "change"), tuple(priced))
        yield from (Text(f"{note[0].upper()}{note[1:]}.") for note in notes)
    conduct = sorted({price.label for price in prices if price.why})
    if conduct:
        yield Text(f"Not priced, for they concern conduct: {', '.join(conduct)}.")


def _main(analysis: Analysis) -> Iterator[Part]:
    distribution = analysis.played.distribution
    cycle = distribution.cycle
    rows = [
        (
            f"{net:+}" if net else "0",
            f"{deals:,}",
            f"{deals / cycle:.8f}",
            f"{float(Fraction(deals, cycle) * net):+.8f}",
        )
        for net, deals in distribution.counts.items()
    ]
    rows.append(("all", f"{cycle:,}", "1.00000000", f"{float(analysis.played.ev):+.8f}"))
    yield Text(
        f"The cycle has {cycle:,} deals; the expected value is exactly {analysis.played.ev} of an Ante."
    )
    yield Grid("Net results in antes", ("net", "deals", "probability", "adds"), tuple(rows))
    for name, often in analysis.played.decisions.items():
        yield Text(f"The {name} wager is placed in {percent(often)} of rounds ({often}).")
    left_out = any(deals * plots.RARE <= cycle for deals in distribution.counts.values())
    yield Drawing(
        "Net results in antes" + (", rarer ones left out" if left_out else ""),
        plots.outcomes(distribution, title=""),
    )


def _strategy(analysis: Analysis) -> Iterator[Part]:
    solution = analysis.solution
    if isinstance(solution, HoldemSolution):
        yield _starting_hands(solution)
        for bet in solution.game.later:
            yield _later_bets(solution, bet)
    else:
        found = strategy_json(solution)
        for key, value in found.items():
            if key != "depends":
                words = ", ".join(value) if isinstance(value, list) else value
                yield Text(f"{key.replace('_', ' ').capitalize()}: {words or 'none'}.")
        depends = found.get("depends")
        if isinstance(depends, dict):
            rows = [(hand, against["bet"], against.get("by_suit", "")) for hand, against in depends.items()]
            yield Grid(
                "Hands whose bet depends on the dealer's up-card",
                ("hand", "bet against", "against these it depends on the suits held"),
                tuple(rows),
            )
    rows_of = [
        (played.strategy.name, percent(-played.ev), percent(analysis.played.ev - played.ev), str(played.ev))
        for played in (analysis.played, *analysis.strategies)
    ]
    yield Grid(
        "Simple strategies",
        ("strategy", "house edge", "cost against optimal", "expected value"),
        tuple(rows_of),
    )


def _later_bets(solution: HoldemSolution, bet: Bet) -> Grid:
    """How often each starting hand, if it is played, places a later bet."""
    ranks = list(range(12, -1, -1))
    names = [Rank(rank + 2).code for rank in ranks]
    rows: list[tuple[str, ...]] = []
    shades: list[tuple[float | None, ...]] = []
    for row, first in enumerate(ranks):
        often = [
            float(bet_frequency(solution, _kind_at(row, column, first, second), bet.seen))
            for column, second in enumerate(ranks)
        ]
        rows.append((names[row], *(f"{each:.0%}" for each in often)))
        shades.append((None, *(2 * each - 1 for each in often)))
    title = f"How often the {bet.wager} is bet, {bet.seen} community cards open (suited above the diagonal)"
    return Grid(title, ("", *names), tuple(rows), tuple(shades))


def _kind_at(row: int, column: int, first: int, second: int) -> int:
    """The kind in a cell of the grid: suited hands lie above the diagonal."""
    return kind_of_pair(4 * first, 4 * second if column > row else 4 * second + 1)


def _starting_hands(solution: HoldemSolution) -> Grid:
    """The 169 starting hands in colour: suited above the diagonal, what playing each is worth in antes."""
    ranks = list(range(12, -1, -1))
    names = [Rank(rank + 2).code for rank in ranks]
    rows: list[tuple[str, ...]] = []
    shades: list[tuple[float | None, ...]] = []
    for row, first in enumerate(ranks):
        cells, colours = [names[row]], [None]
        for column, second in enumerate(ranks):
            kind = _kind_at(row, column, first, second)
            deals = int(solution.combinations[kind]) * solution.deals_per_pair
            value = solution.values[kind] / deals
            cells.append(f"{value:+.3f}" + ("" if solution.plays[kind] else " fold"))
            colours.append(float(np.clip(value / 2, -1, 1)))  # type: ignore[arg-type]
        rows.append(tuple(cells))
        shades.append(tuple(colours))
    title = "Value of playing each starting hand, in antes (suited above the diagonal; a fold costs 1)"
    return Grid(title, ("", *names), tuple(rows), tuple(shades))


def _side(plan: Plan, side: SideResult) -> Iterator[Part]:
    cycle = side.distribution.cycle
    rows = []
    for row, deals in sorted(side.rows.items(), key=lambda item: -side.paid[item[0]]):
        share, pays = Fraction(deals, cycle), side.paid[row]
        rows.append(
            (row, f"{pays} to 1", f"{deals:,}", f"{float(share):.10f}", f"{float(share * (pays + 1)):.8f}")
        )
    clauses = ", ".join(plan.wager(side.wager).pays.clauses)
    yield Text(f"House edge {percent(-side.ev)}, exactly {-side.ev}; clauses {clauses}.")
    yield Grid("", ("hand", "pays", f"combinations of {cycle:,}", "probability", "return"), tuple(rows))
    cap = plan.wager(side.wager).pays.cap
    if cap is not None:
        by_stake = tuple(
            (format_cents(stake), percent(-edge)) for stake, edge in capped_values(plan, side).items()
        )
        yield Grid(f"By stake under the cap of {format_cents(cap)}", ("stake", "house edge"), by_stake)


def capped_values(plan: Plan, side: SideResult) -> dict[Cents, Fraction]:
    """The expected value of a capped wager at various stakes."""
    wager = plan.wager(side.wager)
    values = {}
    for stake in CAPPED_STAKES:
        lost = Fraction(0)
        for row, deals in side.rows.items():
            pay = wager.pays.rows[row]
            assert isinstance(pay, ToOne)
            assert wager.pays.cap is not None
            cap = wager.pays.cap - stake if wager.pays.cap_includes_stake else wager.pays.cap
            paid = Fraction(max(0, min(pay.odds * stake, cap)), stake)
            lost += (side.paid[row] - paid) * Fraction(deals, side.distribution.cycle)
        values[stake] = side.ev - lost
    return values


def _jackpot(plan: Plan, jackpot: JackpotResult, link: Progressive) -> Iterator[Part]:
    rows = []
    for row, often in jackpot.frequencies.items():
        share = jackpot.shares.get(row)
        award = f"{share} % of the meter" if share is not None else cents_text(jackpot.fixed_awards[row])
        value = Fraction(share, 100) * link.meter if share is not None else jackpot.fixed_awards[row]
        rows.append(
            (
                row,
                award,
                f"{jackpot.combinations[row]:,}",
                f"{float(often):.10f}",
                percent(often * value / jackpot.stake),
            )
        )
    even = jackpot.break_even_meter
    yield Text(
        f"A wager of {format_cents(jackpot.stake)} returns {percent(link.return_now)} with "
        f"{format_cents(link.meter)} on the meter and {percent(link.long_run_return)} in the long run: "
        f"fixed awards {percent(jackpot.fixed_return)}, the contribution of {link.increment_bp / 100:g} %, "
        f"and the resets to {format_cents(link.reset)}."
        + ("" if even is None else f" It breaks even at a meter of {cents_text(even)}.")
    )
    head = ("hand", "award", f"combinations of {jackpot.cycle:,}", "probability", "returns at this meter")
    yield Grid("", head, tuple(rows))
    meters = [link.reset * step / 1000 for step in range(0, 15001, 250)]
    drawn, axes = plots.line(
        [meter / 100 for meter in meters],
        [float(jackpot.return_at(Fraction(meter))) * 100 for meter in meters],
        xlabel="meter",
        ylabel="return, %",
        title="",
    )
    axes.axhline(100, color=plots.LOSS, linewidth=0.8, linestyle="--")
    axes.ticklabel_format(axis="x", style="plain")
    yield Drawing("Return by the meter; it breaks even where the lines cross", drawn)
    floor = link.floor
    hits = [
        (row, f"{float(wagers):,.1f}", f"{float(link.days_between_hits[row]):,.3f}")
        for row, wagers in link.wagers_between_hits.items()
    ]
    title = f"Between hits, with {floor.wagers_a_day:,} wagers a day"
    yield Grid(title, ("hand", "wagers", "days"), tuple(hits))
    quantiles = [(f"{q:.0%}", f"{value / 100:,.2f}") for q, value in link.quantiles_at_hit.items()]
    exact = " (exact)" if link.how["mean_at_hit"] == FORMULA else ""
    yield Grid(
        f"The meter when the whole is won: mean {cents_text(link.mean_at_hit)}{exact}, quantiles by a "
        f"{link.how['quantiles_at_hit']}",
        ("part of hits below", "meter"),
        tuple(quantiles),
    )
    verdict = "funds" if link.reserve_covers >= 1 else "does not fund"
    yield Text(
        f"The reserve of {link.reserve_bp / 100:g} % gathers {cents_text(link.reserve_at_hit)} "
        f"between hits on average and so {verdict} the reset; begun empty it falls short at the first hit "
        f"with probability {percent(link.reserve_short)}."
    )
