"""Finished rounds for problems: who plays for how much, what became of the hand, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from pitboss.errors import BadInput
from pitboss.money import Cents, to_units
from pitboss.play.facts import Facts, JackpotFacts, Limit, Seat, Status, entitled_to_hand
from pitboss.play.settlement import Settlement, check_facts, settle
from pitboss.rulebooks.plan import ClauseRef, Plan, Wager, WagerName
from pitboss.school.hands import Layout, NoSuchDeal, whole
from pitboss.school.problems import SettlementProblem, settlement_problem

TRIES = 400
MULTIPLES = (1, 2, 3, 4, 6, 8, 10)
UNKNOWN_LIMIT = Limit(Cents(500), Cents(50_000))
BEFORE_DEAL = "before-deal"

Plants = Callable[[Layout], None]
Wants = Callable[[Plan, Facts, Settlement], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a round is made up: the fate of each hand, which wagers besides the main ones, and what is wanted.

    `changed` is a last word on the facts, such as a stake outside the limits.
    """

    statuses: tuple[Status, ...] = (Status.PLAYED,)
    sides: bool = False
    jackpot: bool = False
    multiples: bool = False
    show_limits: bool = False
    plants: Plants = lambda layout: None
    wants: Wants = lambda plan, facts, settlement: True
    changed: Callable[[Plan, Facts, Random], Facts] = field(default=lambda plan, facts, rng: facts)


def cook(plan: Plan, recipe: Recipe, rng: Random) -> SettlementProblem:
    """A round by its recipe. Raises `NoSuchDeal` where the book has none."""
    for _ in range(TRIES):
        try:
            facts = recipe.changed(plan, _facts(plan, recipe, rng), rng)
            check_facts(plan, facts)
        except (NoSuchDeal, BadInput):
            continue
        result = settle(plan, facts)
        if recipe.wants(plan, facts, result):
            return settlement_problem(plan, facts, result)
    raise NoSuchDeal("no such round")


def _facts(plan: Plan, recipe: Recipe, rng: Random) -> Facts:
    count = min(len(recipe.statuses), plan.book.house.positions)
    positions = sorted(rng.sample(range(1, plan.book.house.positions + 1), count))
    layout = Layout(plan, positions, rng)
    recipe.plants(layout)
    layout.deal()
    seats = [
        _seat(plan, recipe, layout, position, status, rng)
        for position, status in zip(positions, recipe.statuses, strict=False)
    ]
    return Facts(
        seats=tuple(seats),
        community=whole(layout.community),
        dealer=whole(layout.dealer),
        limits=limits_of(plan) if recipe.show_limits else {},
        jackpot=_pool(plan, rng) if recipe.jackpot else None,
    )


def limits_of(plan: Plan) -> dict[WagerName, Limit]:
    """The limits the house posts."""
    return {WagerName(name): Limit(*limit) for name, limit in plan.book.house.limits.items()}


def _pool(plan: Plan, rng: Random) -> JackpotFacts | None:
    house = plan.book.house.jackpot
    if plan.jackpot is None or house is None:
        return None
    meter = house.reset + Cents(rng.randrange(1, 60) * 1_000_000)
    return JackpotFacts(meter=to_units(Cents(meter)), reset=house.reset, unit=house.unit)


def _seat(plan: Plan, recipe: Recipe, layout: Layout, position: int, status: Status, rng: Random) -> Seat:
    wagers = _before_deal(plan, recipe, rng)
    if status in (Status.PLAYED, Status.DECLINED, Status.ABSENT, Status.INVALID):
        wagers |= _later(plan, wagers, rng, stops=status in (Status.ABSENT, Status.INVALID))
    seat = Seat(
        position=position,
        player=f"p{position}",
        cards=whole(layout.own[position]),
        status=status,
        wagers=wagers,
        viewed=True,
    )
    return seat if entitled_to_hand(plan, seat) else replace(seat, cards=())


def _before_deal(plan: Plan, recipe: Recipe, rng: Random) -> dict[WagerName, Cents]:
    """The main stake, and the side and jackpot stakes that the recipe wants."""
    house, found = plan.book.house, dict[WagerName, Cents]()
    for wager in plan.wagers:
        if wager.placed != BEFORE_DEAL or wager.extra_on is not None:
            continue
        if wager.units is not None:
            if recipe.jackpot and house.jackpot is not None:
                least, most = wager.units
                found[wager.name] = Cents(
                    house.jackpot.unit * rng.randint(least, most if recipe.multiples else least)
                )
        elif _is_main(wager) or recipe.sides:
            found[wager.name] = stake_for(plan, wager, rng)
    return found


def _is_main(wager: Wager) -> bool:
    return wager.entitles_to_hand and wager.against_dealer


def stake_for(plan: Plan, wager: Wager, rng: Random) -> Cents:
    """A stake within the limits, a small multiple of the least."""
    least, most = limits_of(plan).get(wager.name, UNKNOWN_LIMIT)
    return Cents(rng.choice([least * times for times in MULTIPLES if least * times <= most] or [least]))


def _later(plan: Plan, placed: dict[WagerName, Cents], rng: Random, *, stops: bool) -> dict[WagerName, Cents]:
    """The continue wagers: the first is placed, later ones or not; who `stops` does so anywhere."""
    found: dict[WagerName, Cents] = {}
    until = rng.randrange(len(plan.decisions)) if stops else len(plan.decisions)
    for number, decision in enumerate(plan.decisions[:until]):
        wager = plan.wager(decision.bet)
        has = {**placed, **found}
        if decision.needs not in has or (decision.otherwise != "fold" and number and rng.random() < 0.4):
            continue
        found[wager.name] = (
            Cents(wager.times * has[wager.of]) if wager.of is not None else stake_for(plan, wager, rng)
        )
    return found


def voided(clause: ClauseRef) -> Callable[[Plan, Facts, Random], Facts]:
    """The round was voided under a clause."""
    return lambda plan, facts, rng: replace(facts, void=clause)


def restaked(wager: WagerName, amount: Cents) -> Callable[[Plan, Facts, Random], Facts]:
    """The first hand has another stake on a wager, and what follows from it."""

    def change(plan: Plan, facts: Facts, rng: Random) -> Facts:
        first, *others = facts.seats
        wagers = dict(first.wagers) | {wager: amount}
        for later in plan.wagers:
            if later.of == wager and later.name in wagers:
                wagers[later.name] = Cents(later.times * amount)
        return replace(facts, seats=(replace(first, wagers=wagers), *others))

    return change


def situations(plan: Plan, facts: Facts) -> Sequence[str | None]:
    """How each hand stands at settlement."""
    from pitboss.play.standing import stand

    return [stand(plan, facts, seat).situation for seat in facts.seats]
