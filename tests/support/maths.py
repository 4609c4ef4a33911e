"""What the tests of the mathematics share: solved games, kept, for a solution takes seconds."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from pitboss.cards import DECK, Card
from pitboss.maths import analysis
from pitboss.maths.analysis import Analysis, analyse
from pitboss.maths.decisions import Decisions
from pitboss.maths.evaluators import encode
from pitboss.maths.lowering import Family, MainGame, lower_main_game
from pitboss.maths.main_game import Solution
from pitboss.maths.rounds import table_for
from pitboss.maths.strategies import OPTIMAL
from pitboss.money import Cents
from pitboss.play import Facts, Seat, Status, settle
from pitboss.rulebooks import Plan, WagerName, load_plan

ANTE = Cents(100)


analysis.MOST_SOLUTIONS = 16
"""Tests ask for the same games again and again, and have the room."""


def solution_of(book: str, readings: tuple[tuple[str, str], ...] = ()) -> Solution:
    return analysis.solved(lower_main_game(load_plan(book, dict(readings))))


@lru_cache(maxsize=32)
def analysis_of(
    book: str, readings: tuple[tuple[str, str], ...] = (), changes: tuple[str, ...] = ()
) -> Analysis:
    return analyse(load_plan(book, dict(readings), changes=changes))


def solver_agrees_with_engine(
    book: str, rounds: int, *, seed: int, readings: tuple[tuple[str, str], ...] = ()
) -> int:
    """Random rounds follow the solver's decisions; its payoff is what the settlement says. How many rounds."""
    plan = load_plan(book, dict(readings))
    solution = solution_of(book, readings)
    game, table, decisions = solution.game, table_for(solution, OPTIMAL), Decisions(solution)
    rng = Random(seed)
    deals = [rng.sample(DECK, _cards(plan)) for _ in range(rounds)]
    nets, _ = table.settle([_as_the_table_takes_them(game, deal) for deal in deals], seats=1)
    for deal, net in zip(deals, nets[:, 0].tolist(), strict=True):
        facts = _facts(game, decisions, deal)
        lines = settle(plan, facts).seats[0].lines
        paid = sum(line.net for line in lines if line.wager in game.wagers)
        assert paid == net * ANTE, f"{book}: {' '.join(card.code for card in deal)}: {paid} and {net} antes"
    return rounds


def _cards(plan: Plan) -> int:
    return plan.community_cards + plan.dealer_cards + plan.own_cards


def _as_the_table_takes_them(game: MainGame, deal: list[Card]) -> list[int]:
    """Community, dealer, own; three-card community cards do not concern the main game."""
    if game.family is Family.THREE_CARD:
        deal = deal[game.plan.community_cards :]
    codes: list[int] = encode(deal).tolist()
    return codes


def _facts(game: MainGame, decisions: Decisions, deal: list[Card]) -> Facts:
    plan = game.plan
    community = tuple(deal[: plan.community_cards])
    dealer = tuple(deal[plan.community_cards : plan.community_cards + plan.dealer_cards])
    own = tuple(deal[-plan.own_cards :])
    wagers = {game.base.name: ANTE}
    status = Status.PLAYED
    for bet in (game.opening, *game.later):
        seen = dealer[-1:] if game.up_cards else community[: bet.seen]
        if decisions.bets(bet.decision, own, seen):
            wagers[WagerName(bet.wager)] = Cents(bet.stake * ANTE)
        elif bet is game.opening:
            status = Status.FOLDED
            break
    seat = Seat(position=1, player="p1", cards=own, status=status, wagers=wagers, viewed=True)
    return Facts(seats=(seat,), community=community, dealer=dealer, limits={}, jackpot=None, void=None)
