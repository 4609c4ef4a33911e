"""The whole analysis of a rulebook: main game, side wagers, jackpot, strategies. Exact throughout."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.errors import BadInput
from pitboss.maths.advice import strategy_json
from pitboss.maths.holdem import HoldemSolution, kind_name
from pitboss.maths.jackpot import JackpotResult, price_jackpot
from pitboss.maths.lowering import MainGame, lower_main_game
from pitboss.maths.main_game import Played, Solution, play, solve
from pitboss.maths.side import SideResult, price_side_wager, side_wagers
from pitboss.maths.strategies import Strategy, standard_strategies
from pitboss.money import Cents, format_cents
from pitboss.rulebooks import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """A rulebook priced under its readings. `played` is the main game under optimal play."""

    plan: Plan
    solution: Solution
    played: Played
    strategies: tuple[Played, ...]
    sides: tuple[SideResult, ...]
    jackpot: JackpotResult | None
    seconds: float


def analyse(
    plan: Plan,
    *,
    unit: Cents | None = None,
    multiple: int = 1,
    stake: Cents | None = None,
    strategies: Sequence[Strategy] | None = None,
) -> Analysis:
    """Price a plan. `unit` and `multiple` size the jackpot wager, `stake` the capped side wagers.

    `strategies` are compared with optimal play; left out, they are the ones usual in such a game.
    """
    began = time.perf_counter()
    game = lower_main_game(plan)
    _check_stake(plan, stake)
    _check_jackpot(plan, unit, multiple)
    solution = solved(game)
    chosen = standard_strategies(game) if strategies is None else strategies
    return Analysis(
        plan=plan,
        solution=solution,
        played=play(solution),
        strategies=tuple(play(solution, strategy) for strategy in chosen),
        sides=tuple(price_side_wager(solution, each, stake=stake) for each in side_wagers(plan, solution)),
        jackpot=_jackpot(plan, solution, unit=unit, multiple=multiple),
        seconds=time.perf_counter() - began,
    )


def _check_stake(plan: Plan, stake: Cents | None) -> None:
    if stake is None:
        return
    if not any(wager.pays.cap is not None for wager in plan.wagers):
        raise BadInput("--stake", f"no wager of {plan.id} is capped", "leave it out: its size moves nothing")
    if stake <= 0:
        raise BadInput("--stake", "nothing is staked", "write an amount above nothing")


MOST_SOLUTIONS = 4
"""So many solutions are kept; one of hold'em is some 25 MB."""
_solutions: dict[tuple[object, ...], Solution] = {}


def solved(game: MainGame) -> Solution:
    """The solution of a game, not solved again where it differs from the last only beside the main game."""
    key = _fingerprint(game)
    if key not in _solutions:
        while len(_solutions) >= MOST_SOLUTIONS:
            del _solutions[next(iter(_solutions))]
        _solutions[key] = solve(game)
    found = _solutions[key]
    return type(found)(**{name: getattr(found, name) for name in found.__slots__} | {"game": game})


def _fingerprint(game: MainGame) -> tuple[object, ...]:
    """What the solvers look at, and nothing else."""
    bets = (game.opening, *game.later)
    rules, rule = game.plan.comparison, game.plan.qualification
    compared = (rules.decided_by_cards, rules.wheel_ranks_below, rules.full_houses, game.hand.suited_wheel)
    qualified = rule and (rule.rule, rule.at_least, rule.ranks, rule.wheel_ace_is_low)
    wheels = tuple(hand.suited_wheel for hand in game.plan.hands.values())
    tables = tuple(
        table.tobytes() for table in (game.base_nets, game.folded_nets, *(bet.nets for bet in bets))
    )
    return (game.family, game.up_cards, compared, qualified, wheels, tables, tuple(bet.seen for bet in bets))


def _check_jackpot(plan: Plan, unit: Cents | None, multiple: int) -> None:
    if plan.jackpot is None:
        if unit is not None or multiple != 1:
            place = "--unit" if unit is not None else "--multiple"
            raise BadInput(place, f"{plan.id} has no jackpot", "leave it out")
        return
    if unit is not None and unit <= 0:
        raise BadInput("--unit", "nothing is staked", "write an amount above nothing")
    least, most = plan.wager(plan.jackpot.wager).units or (1, 1)
    if not least <= multiple <= most:
        raise BadInput("--multiple", f"{multiple} units", f"{plan.id} takes {least} to {most}")


def _jackpot(plan: Plan, solution: Solution, *, unit: Cents | None, multiple: int) -> JackpotResult | None:
    if plan.jackpot is None:
        return None
    wager = plan.wager(plan.jackpot.wager)
    return price_jackpot(solution, wager, unit=house_unit(plan) if unit is None else unit, multiple=multiple)


def house_unit(plan: Plan) -> Cents:
    """The unit of the jackpot wager that the house has set."""
    assert plan.book.house.jackpot is not None
    return plan.book.house.jackpot.unit


def fraction_text(value: Fraction) -> str:
    """A fraction in lowest terms, a whole number without a denominator."""
    return str(value)


def cents_text(value: Fraction) -> str:
    """An exact amount of cents as money, to the nearest cent."""
    return format_cents(Cents(int(value + Fraction(1, 2) if value >= 0 else -(-value + Fraction(1, 2)))))


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """The analysis as `pitboss analyze --json` prints it."""
    game = analysis.solution.game
    wagers: dict[str, Any] = {game.base.name: _main_json(analysis)}
    wagers |= {side.wager: _side_json(side) for side in analysis.sides}
    if analysis.jackpot is not None:
        wagers[analysis.jackpot.wager] = _jackpot_json(analysis.jackpot)
    return {
        "rulebook": analysis.plan.id,
        "readings": dict(analysis.plan.readings),
        "wagers": wagers,
        **_starting_hands(analysis.solution),
        "strategies": {
            played.strategy.name: {
                "ev": fraction_text(played.ev),
                "cost": fraction_text(analysis.played.ev - played.ev),
                "average_wager": fraction_text(played.average_wager),
            }
            for played in analysis.strategies
        },
        "seconds": round(analysis.seconds, 3),
    }


def _starting_hands(solution: Solution) -> dict[str, Any]:
    """What playing each of the 169 starting hands is worth in antes; how often its later bets are placed."""
    if not isinstance(solution, HoldemSolution):
        return {}
    hands = {}
    for kind, value in enumerate(solution.values):
        deals = int(solution.combinations[kind]) * solution.deals_per_pair
        often = {
            bet.decision: fraction_text(bet_frequency(solution, kind, bet.seen))
            for bet in solution.game.later
        }
        hands[kind_name(kind)] = {
            "value": fraction_text(Fraction(value, deals)),
            "plays": bool(solution.plays[kind]),
            **often,
        }
    return {"starting_hands": hands}


def bet_frequency(solution: HoldemSolution, kind: int, seen: int) -> Fraction:
    """How often a kind of starting hand, if it is played, places the bet decided on so many open cards."""
    by_bets = solution.counts[kind].sum(axis=(0, 1)).tolist()
    placed = by_bets[1 if seen == 3 else 2] + by_bets[3]
    return Fraction(placed, sum(by_bets))


def _main_json(analysis: Analysis) -> dict[str, Any]:
    played = analysis.played
    return {
        "ev": fraction_text(played.ev),
        "house_edge": float(-played.ev),
        "average_wager": fraction_text(played.average_wager),
        "element_of_risk": float(played.element_of_risk),
        "standard_deviation": played.distribution.standard_deviation,
        "outcomes": {str(net): deals for net, deals in played.distribution.counts.items()},
        "cycle": played.distribution.cycle,
        "decisions": {name: fraction_text(often) for name, often in played.decisions.items()},
        "strategy": strategy_json(analysis.solution),
    }


def _side_json(side: SideResult) -> dict[str, Any]:
    return {
        "ev": fraction_text(side.ev),
        "house_edge": float(-side.ev),
        "standard_deviation": side.distribution.standard_deviation,
        "hit_frequency": {
            row: fraction_text(Fraction(deals, side.distribution.cycle)) for row, deals in side.rows.items()
        },
        "outcomes": {str(net): deals for net, deals in side.distribution.counts.items()},
        "cycle": side.distribution.cycle,
    } | ({"stake": format_cents(side.stake)} if side.stake is not None else {})


def _jackpot_json(jackpot: JackpotResult) -> dict[str, Any]:
    even = jackpot.break_even_meter
    return {
        "unit": format_cents(jackpot.unit),
        "multiple": jackpot.multiple,
        "fixed_return": fraction_text(jackpot.fixed_return),
        "meter_share": fraction_text(jackpot.meter_share),
        "break_even_meter": None if even is None else cents_text(even),
        "hit_frequency": {row: fraction_text(often) for row, often in jackpot.frequencies.items()},
    }
