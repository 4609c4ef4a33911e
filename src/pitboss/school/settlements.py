"""Settlement topics that are no known error, from one plain hand to a table that shares a jackpot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pitboss.cards import Card, Rank, Suit
from pitboss.money import NOTHING, Cents
from pitboss.play.facts import Facts, Status
from pitboss.play.settlement import Settlement
from pitboss.rulebooks.plan import ClauseRef, MeterShare, Plan, Wager
from pitboss.rulebooks.trouble import Irregularity, Remedy
from pitboss.rulebooks.vocabulary import Absence, ClauseKind, Situation, Source
from pitboss.school.hands import Layout, NoSuchDeal
from pitboss.school.rounds import Plants, Recipe, Wants, limits_of, restaked, situations, voided
from pitboss.school.topics import Topic, settlement_topic

_PLAYED, _FOLDED = Status.PLAYED, Status.FOLDED
_MIXED = (_PLAYED, _FOLDED, _PLAYED)


def settlement_topics(plan: Plan) -> Iterator[Topic]:
    """Every settlement that a book can ask for, in rising difficulty."""
    has_jackpot = plan.jackpot is not None and plan.book.house.jackpot is not None
    everything = partial(Recipe, sides=True, jackpot=has_jackpot)
    yield settlement_topic("one-hand", 1, Recipe(), title="One hand and its main wagers")
    yield settlement_topic("every-wager", 2, everything(), title="One hand with every wager")
    folded = everything(statuses=(_FOLDED,))
    yield settlement_topic("folded", 2, folded, title="A folded hand with every wager")
    if plan.qualification is not None:
        recipe = Recipe(sides=True, wants=_stands(Situation.DEALER_NOT_QUALIFIED))
        yield settlement_topic("not-qualified", 2, recipe, title="The dealer does not qualify")
    recipe = Recipe(sides=True, plants=_mirrored, wants=_stands(Situation.EQUAL))
    yield settlement_topic("stand-off", 3, recipe, title="A stand-off")
    declined = everything(statuses=(Status.DECLINED,))
    yield settlement_topic("declined", 3, declined, title="A hand that was not exposed")
    absent = everything(statuses=(Status.ABSENT,))
    yield settlement_topic("absent", 3, absent, title=_absence_title(plan))
    several = Recipe(statuses=_MIXED, sides=True)
    yield settlement_topic("three-hands", 3, several, title="Three hands")
    yield from _limits(plan)
    removed = everything(statuses=(Status.INVALID, _PLAYED))
    yield settlement_topic("removed", 4, removed, title="A hand that was removed from play")
    for clause in _voiding_clauses(plan):
        recipe = everything(statuses=(_PLAYED, _FOLDED), changed=voided(clause))
        yield settlement_topic("void", 4, recipe, title="A void round")
    four = everything(statuses=(_PLAYED, _FOLDED, Status.DECLINED, _PLAYED))
    yield settlement_topic("four-hands", 5, four, title="Four hands with every wager")
    full = everything(statuses=(_PLAYED, _FOLDED, _PLAYED, Status.ABSENT, _PLAYED, Status.DECLINED))
    yield settlement_topic("full-table", 6, full, title="A full table")
    if plan.jackpot is not None and has_jackpot:
        yield from _jackpots(plan, plan.wager(plan.jackpot.wager))


def _stands(situation: Situation) -> Wants:
    return lambda plan, facts, settlement: situations(plan, facts)[0] is situation


def _mirrored(layout: Layout) -> None:
    layout.mirror(next(iter(layout.own)))


def _absence_title(plan: Plan) -> str:
    first = next(iter(plan.absence.consequences.values()))
    return (
        "A player away at a decision"
        if first is Absence.FOLD
        else "A player away, whose hand may become invalid"
    )


def _voiding_clauses(plan: Plan) -> list[ClauseRef]:
    """A clause under which a round is voided at once, if the book has one."""
    for kind in Irregularity:
        for row in plan.remedies[kind]:
            if row.remedy is Remedy.VOID:
                numbers = [ClauseRef(number) for number in row.clauses]
                found = [
                    number for number in numbers if plan.register[number].kind is ClauseKind.IRREGULARITY
                ]
                if found:
                    return found[:1]
    return []


def _limits(plan: Plan) -> Iterator[Topic]:
    """A stake above the most, and one below the least, that the house posts for the main wager."""
    main = next((wager for wager in plan.wagers if wager.posted_limits), None)
    if main is None or main.name not in limits_of(plan):
        return
    least, most = limits_of(plan)[main.name]
    for name, amount, title in (
        (
            "over-maximum",
            Cents(most + most // 2),
            "A stake above the maximum that was not noticed before the close",
        ),
        (
            "under-minimum",
            Cents(max(100, least // 2)),
            "A stake below the minimum that was not noticed before the close",
        ),
    ):
        recipe = Recipe(show_limits=True, changed=restaked(main.name, amount))
        yield settlement_topic(name, 4, recipe, title=title)


def _jackpots(plan: Plan, wager: Wager) -> Iterator[Topic]:
    fixed = [row for row, pay in wager.pays.rows.items() if not isinstance(pay, MeterShare)]
    shares = [row for row, pay in wager.pays.rows.items() if isinstance(pay, MeterShare)]
    for name, level, rows, title in (
        ("jackpot-award", 4, fixed, "A fixed award of the jackpot"),
        ("jackpot-share", 5, shares, "A share of the meter"),
    ):
        if rows:
            recipe = Recipe(jackpot=True, multiples=True, plants=_planted(wager, rows), wants=_awards(1))
            yield settlement_topic(name, level, recipe, title=title)
    if shares:
        recipe = Recipe(statuses=(_PLAYED, _FOLDED), jackpot=True, plants=_two_runs(wager), wants=_awards(2))
        yield settlement_topic("jackpots-together", 6, recipe, title="Two shares of the meter in one round")


def _planted(wager: Wager, rows: list[str]) -> Plants:
    return lambda layout: layout.plant(next(iter(layout.own)), wager.pays.hand, layout.rng.choice(rows))


def _awards(count: int) -> Wants:
    def wants(plan: Plan, facts: Facts, settlement: Settlement) -> bool:
        jackpot = settlement.jackpot
        return jackpot is not None and sum(award.amount > NOTHING for award in jackpot.awards) >= count

    return wants


def _two_runs(wager: Wager) -> Plants:
    """Two straight flushes that share the community cards which belong to both."""

    def plants(layout: Layout) -> None:
        plan, rng = layout.plan, layout.rng
        first, second = layout.own
        places = [place for place in wager.pays.hand.places if place != Source.OWN]
        shared = layout.slots(first, places)
        size = len(shared) + 2 * plan.own_cards
        if len(shared) + plan.own_cards != 5 or size > len(Rank):
            raise NoSuchDeal("hands of another size")
        low, suit = rng.randrange(2, 16 - size), rng.choice(tuple(Suit))
        run = [Card(Rank(low + step), suit) for step in range(size)]
        layout.put(layout.slots(first, [Source.OWN]), run[: plan.own_cards])
        layout.put(shared, run[plan.own_cards : plan.own_cards + len(shared)])
        layout.put(layout.slots(second, [Source.OWN]), run[size - plan.own_cards :])

    return plants
