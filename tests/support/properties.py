"""Properties of every settlement, as checks of one random round: the tests try some seeds, the proofs many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from random import Random

from pitboss.cards import Card, Suit
from pitboss.money import UNITS_PER_CENT
from pitboss.play import Facts, check_facts, settle
from pitboss.play.acceptance import stands_alone
from support.rounds import random_facts, random_plan


def every_stake_is_returned_or_collected_with_clauses_that_exist(book: str, seed: int) -> None:
    rng = Random(seed)
    plan = random_plan(book, rng)
    facts = random_facts(plan, rng)
    check_facts(plan, facts)
    result = settle(plan, facts)
    for seat, settled in zip(facts.seats, result.seats, strict=True):
        lines = {line.wager: line for line in settled.lines}
        assert {name for name, line in lines.items() if line.stake} == {
            n for n, c in seat.wagers.items() if c
        }
        for name, line in lines.items():
            assert line.stake == seat.wagers.get(name, 0)
            assert line.stake == line.returned + line.collected
            assert min(line.returned, line.collected, line.paid) >= 0
            assert line.clauses
            assert set(line.clauses) <= set(plan.register)
    for award in result.jackpot.awards if result.jackpot is not None else ():
        assert award.clauses
        assert set(award.clauses) <= set(plan.register)


def what_players_win_the_float_the_house_and_the_pool_lose(book: str, seed: int) -> None:
    rng = Random(seed)
    plan = random_plan(book, rng)
    result = settle(plan, random_facts(plan, rng))
    won = sum(line.paid - line.collected for seat in result.seats for line in seat.lines) * UNITS_PER_CENT
    moved = result.movements
    assert sum(moved.players.values()) == won
    assert won + moved.table_float + moved.house + moved.meter == 0
    table = (
        sum(line.net for s in result.seats for line in s.lines if line.wager != "jackpot") * UNITS_PER_CENT
    )
    assert moved.table_float == -table
    if result.jackpot is not None:
        assert moved.meter == result.jackpot.after - result.jackpot.before


def shares_never_exceed_the_meter_and_the_resets_they_draw_on(book: str, seed: int) -> None:
    rng = Random(seed)
    plan = random_plan(book, rng, readings=False)
    facts = replace(random_facts(plan, rng), void=None)
    result = settle(plan, facts)
    if result.jackpot is None:
        return
    shares = [award for award in result.jackpot.awards if award.from_meter]
    assert facts.jackpot is not None
    whole = sum(award.hand_class == "royal-flush" for award in shares)
    available = facts.jackpot.meter + whole * facts.jackpot.reset * UNITS_PER_CENT
    assert sum(award.amount for award in shares) * UNITS_PER_CENT <= available
    assert result.jackpot.house_funded == whole * facts.jackpot.reset * UNITS_PER_CENT
    assert result.jackpot.after + result.jackpot.reversed_contributions >= 0


def permuting_suits_changes_nothing(book: str, seed: int) -> None:
    rng = Random(seed)
    plan = random_plan(book, rng)
    facts = random_facts(plan, rng)
    order = rng.choice(list(permutations(Suit)))
    assert settle(plan, _with_suits(facts, dict(zip(Suit, order, strict=True)))) == settle(plan, facts)


def _with_suits(facts: Facts, to: dict[Suit, Suit]) -> Facts:
    def change(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(card.rank, to[card.suit]) for card in cards)

    seats = tuple(replace(seat, cards=change(seat.cards)) for seat in facts.seats)
    return replace(facts, seats=seats, community=change(facts.community), dealer=change(facts.dealer))


def a_hand_is_settled_the_same_alone_but_for_shares_of_the_meter(book: str, seed: int) -> None:
    rng = Random(seed)
    plan = random_plan(book, rng)
    facts = random_facts(plan, rng)
    together = settle(plan, facts)
    for index, seat in enumerate(facts.seats):
        alone = settle(plan, replace(facts, seats=(seat,)))
        kept = [line for line in together.seats[index].lines if line.wager != "jackpot"]
        assert [line for line in alone.seats[0].lines if line.wager != "jackpot"] == kept


def a_void_round_gives_everything_back(book: str, seed: int) -> None:
    rng = Random(seed)
    plan = random_plan(book, rng)
    facts = replace(random_facts(plan, rng), void=next(iter(plan.register)))
    result = settle(plan, facts)
    assert all(line.returned == line.stake and not line.paid for s in result.seats for line in s.lines)
    if result.jackpot is not None:
        assert facts.jackpot is not None
        jackpot = plan.wager("jackpot")
        booked = [seat for seat in facts.seats if not stands_alone(jackpot, seat.stake)]
        stakes = sum(seat.stake(jackpot.name) for seat in booked)
        assert result.jackpot.before - result.jackpot.after == stakes * facts.jackpot.increment_bp


PROPERTIES: tuple[Callable[[str, int], None], ...] = (
    every_stake_is_returned_or_collected_with_clauses_that_exist,
    what_players_win_the_float_the_house_and_the_pool_lose,
    shares_never_exceed_the_meter_and_the_resets_they_draw_on,
    permuting_suits_changes_nothing,
    a_hand_is_settled_the_same_alone_but_for_shares_of_the_meter,
    a_void_round_gives_everything_back,
)
