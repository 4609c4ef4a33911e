"""What a day came to, for people and programs: the record's figures beside the exact mathematics."""

from __future__ import annotations

import math
from typing import Any

from pitboss.floor.overview import by_its_clock, units
from pitboss.floor.reports import FloorReport, GameReturn
from pitboss.floor.service import Floor
from pitboss.floor.void_watch import VoidWatch
from pitboss.money import Cents, format_cents
from pitboss.progress import counting

BAND = 3
"""How many standard errors of the mean the actual return may be from the theoretical one."""


def told(floor: Floor, found: FloorReport, *, theory: bool) -> dict[str, Any]:
    """The figures of a time, ready to be printed or sent; with `theory`, beside the exact returns."""

    def money(amount: int) -> str:
        return format_cents(Cents(amount))

    titles = {
        book.id: floor.desk.plan_of(hashed).book.identity.title
        for hashed, book in floor.registry.rulebooks.items()
    }
    return {
        "tables": [
            {
                "table": day.table,
                "game": day.game,
                "title": titles.get(day.game, day.game),
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
        "games": _games(floor, found, theory=theory),
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
                "at": by_its_clock(floor, win.at),
                "table": win.table,
                "round": win.round_number,
                "game": win.game,
                "pay_table": f"{win.rulebook[:12]} {', '.join(win.wagers)}",
                "player": win.player,
                "amount": money(win.amount),
                "won_in_round": money(win.together),
                "payout_slips": [f"{win.table}-{slip}" for slip in win.slips],
                "jackpot": win.link or None,
                "hit": win.hit or None,
                "slip": win.hit or None,
                "confirmed_by": win.confirmed_by or None,
                "authorised_by": win.authorised_by or None,
                "undone": win.undone,
            }
            for win in found.wins
        ],
        "slips": [
            {
                "slip": f"{table}-{slip.slip}",
                "at": by_its_clock(floor, at),
                "round": slip.round_number,
                "position": slip.position,
                "positions": list(slip.positions or (slip.position,)),
                "player": slip.player,
                "amount": money(slip.amount),
                "of_it_jackpot": money(slip.jackpot),
                "corrects": f"{table}-{slip.corrects}" if slip.corrects else None,
                "reason": slip.reason or None,
                "authorised_by": slip.authorised_by,
                "confirmed_by": slip.confirmed_by or None,
                "clauses": [str(clause) for clause in slip.clauses],
            }
            for at, table, slip in found.slips
        ],
        "changes": [
            {
                "at": by_its_clock(floor, change.at),
                "entry": f"{change.stream} {change.version}",
                "kind": change.kind,
                "what": change.what,
                "before": change.before or None,
                "after": change.after or None,
                "reason": change.reason or None,
                "by": change.by,
                "clauses": list(change.clauses),
            }
            for change in found.changes
        ],
        "staffing": [
            {
                "table": shift.table,
                "person": shift.person,
                "position": shift.position,
                "from": by_its_clock(floor, shift.since),
                "until": None if shift.until is None else by_its_clock(floor, shift.until),
            }
            for log in found.shifts
            for shift in log.staffing
        ],
        "shuffles": [
            {"table": log.table, "shift": who or None, "packs": packs}
            for log in found.shifts
            for who, packs in log.shuffles.items()
        ],
        "card_counts": [
            {
                "at": by_its_clock(floor, count.at),
                "table": count.table,
                "round": count.round_number,
                "found": count.found,
                "by": count.by,
            }
            for log in found.shifts
            for count in log.counts
        ],
        "errors": [
            {"table": table, "shift": who, "kinds": dict(sorted(kinds.items()))}
            for (table, who), kinds in sorted(found.errors.items())
        ],
        "rulings": found.rulings,
        **told_voids(floor, found.watch),
    }


def told_voids(floor: Floor, found: VoidWatch) -> dict[str, Any]:
    """Voids of sealed rounds with what each would have come to for the house, alarms, and whose they are."""

    def money(amount: int | float | None) -> str | None:
        return None if amount is None else format_cents(Cents(round(amount)))

    return {
        "voids": [
            {
                "at": by_its_clock(floor, line.at),
                "table": line.table,
                "round": line.note.round_number,
                "hands": list(line.note.positions),
                "game": line.game,
                "currency": line.currency,
                "practice": line.practice,
                "reported_by": line.note.reported_by,
                "ruled_by": line.note.ruled_by or None,
                "signed_by": line.note.signed_by or None,
                "kind": line.note.kind or None,
                "reason": line.note.reason or None,
                "stage": line.note.stage,
                "cards": line.note.cards,
                "staked": money(line.note.staked),
                "house_would_have_won": money(line.note.house),
                "saved": money(None if line.note.house is None else -line.note.house),
                "deck": "opened" if line.opened else "kept" if line.note.deck_kept else "none",
            }
            for line in found.voids
        ],
        "alarms": [
            {
                "at": by_its_clock(floor, alarm.at),
                "table": alarm.table,
                "round": alarm.round_number,
                "what": alarm.what,
            }
            for alarm in found.alarms
        ],
        "void_staff": [
            {
                "person": person.person,
                "reported": person.reported,
                "ruled": person.ruled,
                "signed": person.signed,
                "counted": person.counted,
                "saved": money(person.saved),
                "by_chance": money(person.expected),
                "deviation": money(person.deviation),
                "score": None if person.score is None else round(person.score, 2),
                "stands_out": person.stands_out,
            }
            for person in found.staff
        ],
    }


def _games(floor: Floor, found: FloorReport, *, theory: bool) -> list[dict[str, Any]]:
    with counting("comparing games with their mathematics", len(found.games)) as task:
        figures = []
        for game in found.games.values():
            figures.append(_game_json(floor, game, theory=theory))
            task.advance()
        return figures


def _game_json(floor: Floor, game: GameReturn, *, theory: bool) -> dict[str, Any]:
    """Actual return of the main game on its Antes, beside the exact one with its band."""
    actual = game.net / game.staked if game.staked else None
    figures: dict[str, Any] = {
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
        figures |= {
            "theoretical_return": mean,
            "band": [mean - BAND * error, mean + BAND * error],
            "within_band": actual is not None and abs(actual - mean) <= BAND * error,
        }
    return figures


def _theory(floor: Floor, rulebook: str) -> tuple[float, float]:
    """The exact return of an Ante under optimal play, and its standard deviation."""
    from pitboss.maths.analysis import solved
    from pitboss.maths.lowering import lower_main_game
    from pitboss.maths.main_game import play

    played = play(solved(lower_main_game(floor.desk.plan_of(rulebook))))
    return float(played.distribution.mean), math.sqrt(played.distribution.variance)


def _error(game: GameReturn, mean: float, deviation: float) -> float:
    """The standard error of the actual return: by the exact variance, or, hands of a round being dealt from
    one pack, by how far the rounds were from the mean, whichever is larger.
    """
    alone = deviation * math.sqrt(game.hand_squares)
    together = game.net_squares - 2 * mean * game.products + mean**2 * game.stake_squares
    return max(alone, math.sqrt(max(together, 0.0))) / game.staked
