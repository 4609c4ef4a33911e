"""`pitboss report`: what a day came to, from the record."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli.output import console, print_json
from pitboss.cli.place import AsJson, Data, Database, at_text, moment, where

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.floor.reports import FloorReport, GameReturn
    from pitboss.floor.service import Floor

BAND = 3
"""How many standard errors of the mean the actual return may be from the theoretical one."""


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
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Drop, win, hold; the jackpot reconciled; actual and theoretical return; large wins; errors per shift.

    Example: pitboss report --data floor --since 2026-11-16
    """
    from pitboss.bootstrap import open_store
    from pitboss.errors import BadInput
    from pitboss.floor.clock import SecureCards, SystemClock
    from pitboss.floor.ports import Micros
    from pitboss.floor.reports import report
    from pitboss.floor.service import Floor
    from pitboss.money import parse_cents

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
        told = _told(floor, found, theory=theory)
    finally:
        store.close()
    if as_json:
        print_json(told)
    else:
        _print(console(), told)


def _told(floor: Floor, found: FloorReport, *, theory: bool) -> dict[str, Any]:
    from pitboss.cli.floor_views import units
    from pitboss.money import Cents, format_cents

    def money(amount: int) -> str:
        return format_cents(Cents(amount))

    return {
        "tables": [
            {
                "table": day.table,
                "game": day.game,
                "currency": day.currency,
                "rounds": day.rounds,
                "voids": day.voids,
                "opening_float": money(day.opened),
                "fills": money(day.fills),
                "credits": money(day.credits),
                "closing_float": money(day.closed + day.float_moved),
                "drop": money(day.drop),
                "cashed_out": money(day.cashed),
                "win": money(day.win),
                "hold": None if day.hold is None else round(day.hold, 4),
                "drop_counted": money(day.drop_counted),
                "over_short": money(day.over_short),
                "jackpot_stakes_less_fixed_awards": money(day.jackpot),
            }
            for day in found.tables
        ],
        "games": [_game_json(floor, game, theory=theory) for game in found.games.values()],
        "links": [
            {
                "link": day.link,
                "currency": day.currency,
                "brought_forward": units(day.before),
                "startup": units(day.startup),
                "increments": units(day.increments),
                "returned": units(day.returned),
                "funded_by_house": units(day.funded),
                "corrected": units(day.corrected),
                "paid": units(day.paid),
                "displayed": units(day.meter),
                "reserve": units(day.reserve),
                "overflow": units(day.overflow),
                "held_for_claims": units(day.held),
                "unexplained": units(day.unexplained),
            }
            for day in found.links
        ],
        "large_wins": [
            {
                "at": at_text(win.at),
                "table": win.table,
                "round": win.round_number,
                "game": win.game,
                "pay_table": f"{win.rulebook[:12]} {win.wager}",
                "player": win.player,
                "amount": money(win.amount),
                "jackpot": win.link or None,
                "slip": win.slip or None,
                "confirmed_by": win.confirmed_by or None,
                "undone": win.undone,
            }
            for win in found.wins
        ],
        "errors": [
            {"table": table, "shift": who, "kinds": dict(sorted(kinds.items()))}
            for (table, who), kinds in sorted(found.errors.items())
        ],
        "rulings": found.rulings,
    }


def _game_json(floor: Floor, game: GameReturn, *, theory: bool) -> dict[str, Any]:
    """Actual return of the main game on its Antes, beside the exact one with its band."""
    actual = game.net / game.staked if game.staked else None
    told: dict[str, Any] = {
        "game": game.game,
        "rulebook": game.rulebook,
        "hands": game.hands,
        "staked": game.staked / 100,
        "actual_return": actual,
        "side_wagers": {
            name: {"bets": side.bets, "actual_return": side.net / side.stakes if side.stakes else None}
            for name, side in sorted(game.side.items())
        },
    }
    if theory and game.hands:
        mean, deviation = _theory(floor, game.rulebook)
        error = _error(game, mean, deviation)
        told |= {
            "theoretical_return": mean,
            "band": [mean - BAND * error, mean + BAND * error],
            "within_band": actual is not None and abs(actual - mean) <= BAND * error,
        }
    return told


def _theory(floor: Floor, rulebook: str) -> tuple[float, float]:
    """The exact return of an Ante under optimal play, and its standard deviation."""
    from pitboss.maths.lowering import lower_main_game
    from pitboss.maths.main_game import play, solve

    played = play(solve(lower_main_game(floor.desk.plan_of(rulebook))))
    return float(played.distribution.mean), math.sqrt(played.distribution.variance)


def _error(game: GameReturn, mean: float, deviation: float) -> float:
    """The standard error of the actual return: by the exact variance, or, hands of a round being dealt from
    one pack, by how far the rounds were from the mean, whichever is larger.
    """
    alone = deviation * math.sqrt(game.hand_squares)
    together = game.net_squares - 2 * mean * game.products + mean**2 * game.stake_squares
    return max(alone, math.sqrt(max(together, 0.0))) / game.staked


def _print(out: Console, told: dict[str, Any]) -> None:
    from rich.table import Table

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
    tables = Table(*columns, "jackpot", title="Tables")
    for day in told["tables"]:
        hold = "" if day["hold"] is None else f"{day['hold']:.1%}"
        tables.add_row(
            day["table"], day["game"], str(day["rounds"]), str(day["voids"]), day["drop"], day["win"], hold,
            day["fills"], day["credits"], day["over_short"], day["jackpot_stakes_less_fixed_awards"],
        )  # fmt: skip
    out.print(tables)
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
    out.print(games)
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
        by = f", slip {win['slip']}, confirmed by {win['confirmed_by']}" if win["slip"] else ""
        by += ", UNDONE" if win["undone"] else ""
        out.print(
            f"{win['at']}  {win['table']} round {win['round']}: {win['player']} {win['amount']} "
            f"({win['pay_table']}){by}",
            markup=False,
        )
    for errors in told["errors"]:
        kinds = ", ".join(f"{kind} {number}" for kind, number in errors["kinds"].items())
        out.print(f"{errors['table']}, {errors['shift']}: {kinds}", markup=False)
