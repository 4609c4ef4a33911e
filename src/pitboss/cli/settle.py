"""`pitboss settle`: settle one finished round from a file of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.output import console, print_json, read_text

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.play import Facts, Settlement
    from pitboss.play.settlement import JackpotSettlement, SeatSettlement
    from pitboss.rulebooks import Plan


def register(app: typer.Typer) -> None:
    app.command("settle")(settle_command)


def settle_command(
    facts: Annotated[
        str, typer.Argument(metavar="FACTS.json", help="The facts of the round; - reads standard input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Settle one finished round: every wager to the cent, with the clauses that say so.

    Example: pitboss settle round.json --json
    """
    from pitboss.play import read_facts, settle, settlement_json

    plan, round_facts = read_facts(read_text(facts), name="standard input" if facts == "-" else facts)
    settlement = settle(plan, round_facts)
    if as_json:
        print_json(settlement_json(plan, settlement))
    else:
        print_sheet(console(), plan, round_facts, settlement)


def print_sheet(out: Console, plan: Plan, facts: Facts, settlement: Settlement) -> None:
    """The settlement sheet for a person: position by position, the jackpot, then what the clauses say."""
    identity = plan.book.identity
    out.print(f"[bold]{identity.title}[/bold]  {identity.id}, version {identity.version}")
    if facts.void is not None:
        out.print(f"The round is void under {facts.void}.")
    if facts.community:
        out.print(f"community  {' '.join(card.face for card in facts.community)}")
    if facts.dealer:
        out.print(f"dealer     {' '.join(card.face for card in facts.dealer)}")
    by_position = {seat.position: seat for seat in facts.seats}
    for seat in settlement.seats:
        cards = " ".join(card.face for card in by_position[seat.position].cards)
        print_seat(out, seat, cards, by_position[seat.position].status)
    if settlement.jackpot is not None:
        _print_jackpot(out, settlement.jackpot)
    _print_clauses(out, plan, settlement)
    _print_readings(out, plan)


def print_seat(out: Console, seat: SeatSettlement, cards: str, status: str) -> None:
    """One position of a settlement: a line per wager with its clauses, and the net."""
    from rich.table import Table

    from pitboss.money import format_cents

    title = f"position {seat.position}, {seat.player}: {status}"
    title += f", {cards}" if cards and seat.hand is not None else ""
    title += f" ({seat.hand})" if seat.hand is not None else ""
    table = Table(
        title=title, title_justify="left", title_style="bold", show_footer=True, box=None, pad_edge=False
    )
    table.add_column("wager", footer="net", min_width=14)
    for name in ("stake", "returned", "collected"):
        table.add_column(name, justify="right", min_width=11)
    table.add_column(
        "paid", justify="right", min_width=11, footer=f"{'+' if seat.net > 0 else ''}{format_cents(seat.net)}"
    )
    table.add_column("clauses")
    for line in seat.lines:
        amounts = (line.stake, line.returned, line.collected, line.paid)
        table.add_row(line.wager, *(format_cents(amount) for amount in amounts), ", ".join(line.clauses))
    out.print()
    out.print(table)


def _print_jackpot(out: Console, jackpot: JackpotSettlement) -> None:
    from pitboss.cards import class_in_words
    from pitboss.money import floor_to_cents, format_cents

    before, after = floor_to_cents(jackpot.before), floor_to_cents(jackpot.after)
    out.print(f"\n[bold]jackpot[/bold]  {format_cents(before)} before, {format_cents(after)} after")
    for award in jackpot.awards:
        hand, source = class_in_words(award.hand_class), "from the meter" if award.from_meter else "fixed"
        amount, clauses = format_cents(award.amount), ", ".join(award.clauses)
        out.print(f"  position {award.position}: {hand}, {amount} ({source})  {clauses}")


def _print_clauses(out: Console, plan: Plan, settlement: Settlement) -> None:
    cited = {number for seat in settlement.seats for line in seat.lines for number in line.clauses}
    if settlement.jackpot is not None:
        cited |= {number for award in settlement.jackpot.awards for number in award.clauses}
    out.print("\n[bold]clauses[/bold]")
    for number, clause in plan.register.items():
        if number in cited:
            out.print(f"  {number:<12} {clause.gist}", soft_wrap=True, markup=False)


def _print_readings(out: Console, plan: Plan) -> None:
    chosen = [
        f"{label}={letter}"
        for label, letter in plan.readings.items()
        if letter != plan.book.readings[label].default
    ]
    if chosen:
        out.print(f"\n[bold]readings other than the default[/bold]  {', '.join(chosen)}")
