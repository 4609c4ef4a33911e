"""`pitboss settle`: settle one finished round from a file of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.output import console, print_json, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from rich.table import Table

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
    from pitboss.cli.tables import fit, print_table

    title = f"position {seat.position}, {seat.player}: {status}"
    title += f", {cards}" if cards and seat.hand is not None else ""
    title += f" ({seat.hand})" if seat.hand is not None else ""
    out.print()
    roomy, narrow = _seat_table(title, seat, least=11), _seat_table(title, seat)
    if fit(out, roomy) or not out.file.isatty():
        print_table(out, roomy)
    elif fit(out, narrow) or not _print_over_clauses(out, title, seat):
        print_table(out, narrow)


def _seat_table(title: str, seat: SeatSettlement, *, least: int = 0) -> Table:
    from rich.table import Table

    table = Table(
        title=title, title_justify="left", title_style="bold", show_footer=True, box=None, pad_edge=False
    )
    table.add_column("wager", footer="net", min_width=least + 3 if least else None)
    for name in ("stake", "returned", "collected"):
        table.add_column(name, justify="right", min_width=least)
    table.add_column("paid", justify="right", min_width=least, footer=_net(seat))
    table.add_column("clauses", ratio=1)
    for wager, amounts, clauses in _lines(seat):
        table.add_row(wager, *amounts, clauses)
    return table


def _lines(seat: SeatSettlement) -> Iterator[tuple[str, list[str], str]]:
    from pitboss.money import format_cents

    for line in seat.lines:
        amounts = (line.stake, line.returned, line.collected, line.paid)
        yield line.wager, [format_cents(amount) for amount in amounts], ", ".join(line.clauses)


def _net(seat: SeatSettlement) -> str:
    from pitboss.money import format_cents

    return f"{'+' if seat.net > 0 else ''}{format_cents(seat.net)}"


def _print_over_clauses(out: Console, title: str, seat: SeatSettlement) -> bool:
    """A table whose clauses stand on lines of their own; False if it is still too wide."""
    from rich.padding import Padding
    from rich.text import Text

    head = ["wager", "stake", "returned", "collected", "paid"]
    foot = ["net", "", "", "", _net(seat)]
    rows = [([wager, *amounts], clauses) for wager, amounts, clauses in _lines(seat)]
    widths = [max(map(len, column)) for column in zip(head, foot, *(row for row, _ in rows), strict=True)]

    def line(cells: list[str], style: str = "") -> Text:
        first, *others = zip(cells, widths, strict=True)
        return Text("  ".join((first[0].ljust(first[1]), *(cell.rjust(to) for cell, to in others))), style)

    if len(line(head)) > out.width:
        return False
    out.print(Text(title, "bold"))
    out.print(line(head, "bold"))
    for row, clauses in rows:
        out.print(line(row), highlight=False)
        out.print(Padding(Text(clauses), (0, 0, 0, 4)), highlight=False)
    out.print(line(foot, "bold"))
    return True


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
    from rich.text import Text

    from pitboss.cli.tables import print_named

    cited = {number for seat in settlement.seats for line in seat.lines for number in line.clauses}
    if settlement.jackpot is not None:
        cited |= {number for award in settlement.jackpot.awards for number in award.clauses}
    out.print("\n[bold]clauses[/bold]")
    for number, clause in plan.register.items():
        if number not in cited:
            continue
        if out.file.isatty():
            print_named(out, Text(f"  {number}"), Text(clause.gist), width=14, gap=1)
        else:
            out.print(f"  {number:<12} {clause.gist}", soft_wrap=True, markup=False)


def _print_readings(out: Console, plan: Plan) -> None:
    chosen = [
        f"{label}={letter}"
        for label, letter in plan.readings.items()
        if letter != plan.book.readings[label].default
    ]
    if chosen:
        out.print(f"\n[bold]readings other than the default[/bold]  {', '.join(chosen)}")
