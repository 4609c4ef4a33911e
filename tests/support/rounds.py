"""Random finished rounds, valid under a plan: for the properties."""

from __future__ import annotations

from random import Random

from pitboss.cards import DECK, Card, Rank
from pitboss.money import Cents, LedgerUnits
from pitboss.play import Facts, JackpotFacts, Limit, Seat, Status
from pitboss.rulebooks import Plan, WagerName, load_plan
from pitboss.rulebooks.plan import Wager

UNIT = Cents(500)


CHOICES_OF_READINGS = 80
"""So many different choices are tried in a book: compiling one takes a hundred times as long as a settlement."""


def random_plan(book: str, rng: Random, *, readings: bool = True) -> Plan:
    """The book under readings chosen at random, or at their defaults."""
    choice = Random(rng.randrange(CHOICES_OF_READINGS))
    lettered = load_plan(book).book.readings
    chosen = (
        {label: choice.choice(list(r.options)) for label, r in lettered.items() if r.options}
        if readings
        else {}
    )
    return load_plan(book, chosen)


def random_facts(plan: Plan, rng: Random) -> Facts:
    """A finished round with every kind of seat; half of them from a short pack, so that rare hands come up."""
    deck = list(DECK)
    count = rng.randint(1, 4)
    if rng.random() < 0.5:
        deck = [card for card in DECK if card.rank >= Rank.EIGHT]
        count = min(count, 3)
    rng.shuffle(deck)

    def draw(number: int) -> tuple[Card, ...]:
        return tuple(deck.pop() for _ in range(number))

    community, dealer = draw(plan.community_cards), draw(plan.dealer_cards)
    positions = sorted(rng.sample(range(1, plan.positions + 1), count))
    seats = tuple(_seat(plan, rng, position, draw(plan.own_cards)) for position in positions)
    voids = [number for number, clause in plan.register.items() if clause.kind == "irregularity"]
    return Facts(
        seats=seats,
        community=community,
        dealer=dealer,
        limits=_limits(plan, rng),
        jackpot=None
        if plan.jackpot is None
        else JackpotFacts(
            meter=LedgerUnits(rng.randrange(0, 10**12)),
            reset=Cents(rng.randrange(0, 10**8)),
            unit=UNIT,
            increment_bp=rng.choice((0, 2000)),
        ),
        void=rng.choice(voids) if rng.random() < 0.05 else None,
    )


def _limits(plan: Plan, rng: Random) -> dict[WagerName, Limit]:
    posted = [wager.name for wager in plan.wagers if wager.posted_limits]
    return {name: Limit(Cents(2500), Cents(100_000)) for name in posted if rng.random() < 0.7}


def _seat(plan: Plan, rng: Random, position: int, cards: tuple[Card, ...]) -> Seat:
    status = rng.choice(tuple(Status))
    wagers = _stakes(plan, rng, status)
    entitled = any(wager.entitles_to_hand and wagers.get(wager.name) for wager in plan.wagers)
    return Seat(
        position=position,
        player=f"p{rng.randint(1, 3)}",
        cards=cards if entitled else (),
        status=status,
        wagers=wagers,
        viewed=rng.random() < 0.5,
        warned=rng.random() < 0.3,
        established=rng.random() < 0.3,
    )


def _stakes(plan: Plan, rng: Random, status: Status) -> dict[WagerName, Cents]:
    wagers: dict[WagerName, Cents] = {}
    optional = [w for w in plan.wagers if w.placed == "before-deal" and w.extra_on is None]
    for wager in optional:
        if rng.random() < (0.9 if wager.name == optional[0].name else 0.5):
            wagers[wager.name] = _stake(wager, rng)
    if not wagers:
        wagers[optional[0].name] = _stake(optional[0], rng)
    if status is Status.FOLDED:
        return wagers
    must = status in (Status.PLAYED, Status.DECLINED)
    for index, decision in enumerate(plan.decisions):
        if wagers.get(WagerName(decision.needs)) and ((must and index == 0) or rng.random() < 0.6):
            bet = plan.wager(decision.bet)
            assert bet.of is not None
            right = bet.times * wagers[bet.of]
            wagers[bet.name] = Cents(max(1, right + rng.choice((0, 0, 0, 500, -500))))
    return wagers


def _stake(wager: Wager, rng: Random) -> Cents:
    if wager.units is not None:
        odd = 300 if wager.odd_amount == "excess-returned" and rng.random() < 0.3 else 0
        if odd and rng.random() < 0.5:
            return Cents(odd)
        return Cents(UNIT * rng.randint(*wager.units) + odd)
    return Cents(rng.choice((500, 2500, 2501, 5000, 100_000, 150_000)))
