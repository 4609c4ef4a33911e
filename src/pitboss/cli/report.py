"""`pitboss report`: what a day came to, from the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.output import console, print_json
from pitboss.cli.place import AsJson, Data, Database, moment, where

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    app.command("report")(report_command)


def report_command(
    since: Annotated[
        str | None, typer.Option("--since", help="From when, UTC: 2026-11-16 or with time.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", help="Until when, UTC.")] = None,
    large: Annotated[str, typer.Option("--large", help="From what amount on a win is listed.")] = "10000",
    theory: Annotated[
        bool, typer.Option("--theory/--no-theory", help="Compute the theoretical returns to compare with.")
    ] = True,
    changed: Annotated[
        bool, typer.Option("--changes", help="List what was changed, corrected, voided or overridden.")
    ] = False,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Drop, win, hold; the jackpot; returns; large wins; slips; changes; staffing, shuffles, counts, errors.

    Example: pitboss report --data floor --since 2026-11-16
    """
    from pitboss.bootstrap import open_store
    from pitboss.errors import BadInput
    from pitboss.floor.clock import SecureCards, SystemClock
    from pitboss.floor.ports import Micros
    from pitboss.floor.reports import report
    from pitboss.floor.service import Floor
    from pitboss.money import parse_cents
    from pitboss.parts import require
    from pitboss.reporting import told

    if theory:
        require("maths", place="--theory", instead="ask with --no-theory")
    begin = moment(since, "--since") if since else 0
    end = moment(until, "--until") if until else None
    least = parse_cents(large, "--large")
    if end is not None and end < begin:
        raise BadInput("--until", "before --since", "name a later time")
    store = open_store(where(data, database))
    try:
        floor = Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
        with store.reading() as reader:
            found = report(
                floor,
                reader,
                since=Micros(begin),
                until=None if end is None else Micros(end),
                large=least,
            )
        figures = told(floor, found, theory=theory)
    finally:
        store.close()
    if as_json:
        print_json(figures)
    else:
        _print(console(), figures, changed=changed)


def _change_in_words(change: dict[str, Any]) -> str:
    values = ""
    if change["before"] or change["after"]:
        values = f": {change['before'] or 'nothing'} -> {change['after'] or 'nothing'}"
    why = f" ({change['reason']})" if change["reason"] else ""
    clauses = f"  [{', '.join(change['clauses'])}]" if change["clauses"] else ""
    return f"{change['at']}  {change['entry']}  {change['what']}{values}{why}, by {change['by']}{clauses}"


def _win_in_words(win: dict[str, Any]) -> str:
    """A large win: the table's payout slips, and the number that the jackpot has for the payment."""
    said = f"{win['at']}  {win['table']} round {win['round']}: {win['player']} {win['amount']}"
    if win["won_in_round"] != win["amount"]:
        said += f" of {win['won_in_round']} in the round"
    said += f" ({win['pay_table']})"
    if win["payout_slips"]:
        said += f", payout slip {', '.join(win['payout_slips'])}"
    if win["jackpot"]:
        said += f", jackpot {win['jackpot']}" + (f" hit {win['hit']}" if win["hit"] else "")
    if win["confirmed_by"]:
        said += f", confirmed by {win['confirmed_by']}"
    return said + (", UNDONE" if win["undone"] else "")


def _void_in_words(void: dict[str, Any]) -> str:
    """A void of a sealed round: who, why, and what it saved or cost the house."""
    who = f"reported by {void['reported_by']}"
    who += f", ruled by {void['ruled_by']}" if void["ruled_by"] else ""
    who += f", signed by {void['signed_by']}" if void["signed_by"] else ""
    saved = "no figure" if void["saved"] is None else f"it saved the house {void['saved']}"
    why = void["reason"] or void["kind"] or "no reason"
    hands = ", ".join(str(n) for n in void["hands"])
    place = f"{void['table']} round {void['round']}" + (f", hand {hands}" if hands else "")
    return f"void  {void['at']}  {place}: {why}, {who}; {saved}"


def _voids_of_person(person: dict[str, Any]) -> str:
    """What the voids of one person come to beside chance."""
    said = f"voids of {person['person']}: reported {person['reported']}, ruled {person['ruled']}"
    said += f", signed {person['signed']}; saved the house {person['saved']}"
    if person["score"] is not None:
        said += (
            f", by chance {person['by_chance']} +- {person['deviation']} ({person['score']:+.1f} deviations)"
        )
    return said + (", MORE THAN CHANCE ALLOWS" if person["stands_out"] else "")


def _print(out: Console, told: dict[str, Any], *, changed: bool) -> None:
    from rich.table import Table

    from pitboss.cli.tables import print_table

    columns = (
        "table",
        "game",
        "rounds",
        "void",
        "drop",
        "win",
        "hold",
        "fills",
        "credits",
        "over/short",
        "jackpot",
    )
    tables = Table(*columns, title="Tables")
    for day in told["tables"]:
        hold = "" if day["hold"] is None else f"{day['hold']:.1%}"
        tables.add_row(
            day["table"], day["game"], str(day["rounds"]), str(day["voids"]), day["drop"], day["win"], hold,
            day["fills"], day["credits"], day["over_short"], day["jackpot_stakes_less_fixed_awards"],
        )  # fmt: skip
    print_table(out, tables)
    games = Table(
        "game", "hands", "actual", "theoretical", "band", "", title="Return of the main game, per Ante"
    )
    for game in told["games"]:
        if game["actual_return"] is None:
            continue
        row = [game["game"], str(game["hands"]), f"{game['actual_return']:+.4f}"]
        if "band" in game:
            low, high = game["band"]
            verdict = "within" if game["within_band"] else "OUTSIDE"
            row += [f"{game['theoretical_return']:+.4f}", f"{low:+.4f} to {high:+.4f}", verdict]
        games.add_row(*row)
    print_table(out, games)
    for link in told["links"]:
        out.print(
            f"{link['link']}: forward {link['brought_forward']} + startup {link['startup']} "
            f"+ increments {link['increments']} - returned {link['returned']} "
            f"+ funded {link['funded_by_house']} + corrected {link['corrected']} - paid {link['paid']} "
            f"= displayed {link['displayed']} + reserve {link['reserve']} + overflow {link['overflow']} "
            f"+ held {link['held_for_claims']}; unexplained {link['unexplained']}",
            markup=False,
        )
    for win in told["large_wins"]:
        out.print(_win_in_words(win), markup=False)
    for slip in told["slips"]:
        about = f", takes {slip['corrects']} back: {slip['reason']}" if slip["corrects"] else ""
        out.print(
            f"payout slip {slip['slip']}  {slip['at']}  round {slip['round']}, position "
            f"{', '.join(map(str, slip['positions']))}: "
            f"{slip['player']} {slip['amount']}{about}, by {slip['authorised_by']}",
            markup=False,
        )
    if changed:
        for change in told["changes"]:
            out.print(_change_in_words(change), markup=False, highlight=False)
    elif told["changes"]:
        out.print(f"{len(told['changes'])} changes and corrections; --changes lists them", markup=False)
    for shift in told["staffing"]:
        until = shift["until"] or "now"
        out.print(
            f"{shift['table']}: {shift['person']}, {shift['position']}, {shift['from']} to {until}",
            markup=False,
            highlight=False,
        )
    for shuffled in told["shuffles"]:
        by = f", {shuffled['shift']}" if shuffled["shift"] else ""
        out.print(f"{shuffled['table']}{by}: {shuffled['packs']} packs shuffled", markup=False)
    for count in told["card_counts"]:
        out.print(
            f"{count['at']}  {count['table']} round {count['round']}: cards counted, {count['found']}, "
            f"by {count['by']}",
            markup=False,
        )
    for void in told.get("voids", ()):
        out.print(_void_in_words(void), markup=False, highlight=False)
    for alarm in told.get("alarms", ()):
        where = f"{alarm['table']} round {alarm['round']}"
        said = f"ALARM  {alarm['at']}  {where}: the sealed deck is {alarm['what']}"
        out.print(said, markup=False, highlight=False)
    for person in told.get("void_staff", ()):
        out.print(_voids_of_person(person), markup=False, highlight=False)
    for errors in told["errors"]:
        kinds = ", ".join(f"{kind} {number}" for kind, number in errors["kinds"].items())
        out.print(f"{errors['table']}, {errors['shift']}: {kinds}", markup=False)
