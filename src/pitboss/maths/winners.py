"""Several winners of the meter in one round: how likely, and what the book's sharing then awards.

Seats share cards, so their hits hang together. What is counted exactly are the ways in which given seats hold
given hands at once; from those the chance of every number of winners follows by inclusion and exclusion, and
so does what other seats win of fixed awards in the same round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial, prod

from pitboss.cards import HandClass
from pitboss.maths.jackpot import award_beside_the_stake
from pitboss.maths.lowering import BeyondTheMaths
from pitboss.money import UNITS_PER_CENT, Cents, LedgerUnits
from pitboss.rulebooks.plan import MeterShare, Plan
from pitboss.rulebooks.sharing import WHOLE, Claim, award_meter, contribution
from pitboss.rulebooks.vocabulary import Contributing, FixedFund, Order, Source

Winners = tuple[HandClass, ...]
"""The classes of a round's winners, lowest seat first or in no order."""
_RUN = 5


@lru_cache(maxsize=16)
def _runs(*, suited_wheel: bool) -> tuple[tuple[frozenset[int], HandClass], ...]:
    """All straight and royal flushes as sets of cards, with their class."""
    found = []
    for suit in range(4):
        for top in range(12, 2, -1):
            ranks = [12 if rank < 0 else rank for rank in range(top - _RUN + 1, top + 1)]
            if top == 3 and not suited_wheel:
                continue
            hand_class = HandClass.ROYAL_FLUSH if top == 12 else HandClass.STRAIGHT_FLUSH
            found.append((frozenset(4 * rank + suit for rank in ranks), hand_class))
    return tuple(found)


def winner_chances(plan: Plan, seats: int) -> dict[Winners, Fraction]:
    """The chance of every set of winners of a share of the meter at a table where all seats bet on it.

    Winners are listed as classes, lowest class first; the empty tuple is a round without one.
    """
    moments = _moments(plan, seats)
    royal, straight = HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH
    chances: dict[Winners, Fraction] = {}
    for royals, straights in moments:
        exactly = Fraction(0)
        for (more_royals, more_straights), value in moments.items():
            if more_royals >= royals and more_straights >= straights:
                sign = (-1) ** (more_royals - royals + more_straights - straights)
                ways = comb(more_royals, royals) * comb(more_straights, straights)
                exactly += sign * ways * value
        if exactly:
            chances[(straight,) * straights + (royal,) * royals] = exactly
    return chances


def _moments(plan: Plan, seats: int) -> dict[tuple[int, int], Fraction]:
    """For so many royals and straight flushes: the expected number of choices of seats that hold them."""
    assert plan.jackpot is not None
    wager = plan.wager(plan.jackpot.wager)
    spec = wager.pays.hand
    shared = [place for place in spec.places if place != Source.OWN]
    for row, pay in wager.pays.rows.items():
        if isinstance(pay, MeterShare) and row not in (HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH):
            raise BeyondTheMaths(
                plan, wager.pays.clauses, f"several winners when {row} has a share of the meter"
            )
    if spec.order is not Order.FIVE_CARD or Source.DEALER in shared or plan.own_cards + _shared(plan) != _RUN:
        raise BeyondTheMaths(plan, wager.pays.clauses, "several winners of a jackpot on these cards")
    families = _families(plan.own_cards, suited_wheel=spec.suited_wheel, most=seats)
    out: dict[tuple[int, int], Fraction] = {}
    for (royals, straights), count in families.items():
        winners = royals + straights
        # Shared cards first, then the own cards of the seats that win, in the order of the seats.
        ways = comb(52, _shared(plan))
        left = 52 - _shared(plan)
        for _ in range(winners):
            ways *= comb(left, plan.own_cards)
            left -= plan.own_cards
        chosen = factorial(seats) // factorial(seats - winners)
        out[royals, straights] = Fraction(count * chosen, ways)
    return out


def _shared(plan: Plan) -> int:
    assert plan.jackpot is not None
    places = plan.wager(plan.jackpot.wager).pays.hand.places
    return sum(
        plan.community_cards if place == Source.COMMUNITY else len(plan.parts[place])
        for place in places
        if place != Source.OWN
    )


@lru_cache(maxsize=16)
def _families(own: int, *, suited_wheel: bool, most: int) -> Mapping[tuple[int, int], int]:
    """Sets of hands that different seats can hold in one round, by royals and straight flushes.

    Each hand is a run of five, `own` of its cards the seat's and the rest shared by all.
    """
    counts: Counter[tuple[int, int]] = Counter({(0, 0): comb(52, _RUN - own)})
    runs = _runs(suited_wheel=suited_wheel)
    if own == _RUN:
        for family in _apart([cards for cards, _ in runs], most):
            royals = sum(runs[at][1] is HandClass.ROYAL_FLUSH for at in family)
            counts[royals, len(family) - royals] += 1
        return counts
    by_shared: dict[frozenset[int], list[tuple[frozenset[int], HandClass]]] = {}
    for cards, hand_class in runs:
        for shared in combinations(sorted(cards), _RUN - own):
            by_shared.setdefault(frozenset(shared), []).append((cards - set(shared), hand_class))
    for hands in by_shared.values():
        for family in _apart([cards for cards, _ in hands], most):
            royals = sum(hands[at][1] is HandClass.ROYAL_FLUSH for at in family)
            counts[royals, len(family) - royals] += 1
    return counts


def _apart(sets: Sequence[frozenset[int]], most: int) -> Iterator[tuple[int, ...]]:
    """Every choice of one or more sets that share no card, up to `most` of them."""

    def further(first: int, taken: frozenset[int], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for at in range(first, len(sets)):
            if not sets[at] & taken:
                family = (*chosen, at)
                yield family
                if len(family) < most:
                    yield from further(at + 1, taken | sets[at], family)

    return further(0, frozenset(), ())


def awards_together(plan: Plan, winners: Winners, *, meter: LedgerUnits, reset: Cents) -> Fraction:
    """What winners of one round are awarded together of their shares, in cents, averaged over their order.

    Among them may be winners of fixed awards that the meter pays.
    """
    assert plan.jackpot is not None
    rows = plan.wager(plan.jackpot.wager).pays.rows
    fixed = _fixed_awards(plan)
    orders = set(permutations(winners))
    total = Fraction(0)
    for order in orders:
        claims = []
        for seat, hand_class in enumerate(order):
            pay = rows[hand_class.value]
            if isinstance(pay, MeterShare):
                claims.append(Claim(seat=seat, hand_class=hand_class, percent=pay.percent))
            else:
                claims.append(Claim(seat=seat, hand_class=hand_class, fixed=fixed[hand_class]))
        result = award_meter(
            plan.jackpot.sharing, claims, meter=meter, reset=reset, chip=plan.book.house.chip
        )
        total += sum(award.amount for award in result.awards)
    return total / len(orders)


def _measured(plan: Plan, winners: Winners, seats: int, meter: LedgerUnits) -> LedgerUnits:
    """The meter that winners are paid on: the displayed one, or without what their own round had put in.

    All seats have bet one unit of the house's on it.
    """
    assert plan.jackpot is not None
    house = plan.book.house.jackpot
    assert house is not None
    rows = plan.wager(plan.jackpot.wager).pays.rows
    pays = [rows[winner.value] for winner in winners]
    whole = any(isinstance(pay, MeterShare) and pay.percent == WHOLE for pay in pays)
    if not whole or plan.jackpot.contributes is not Contributing.UNLESS_WON_WHOLE:
        return meter
    return LedgerUnits(meter - contribution(Cents(seats * house.unit), increment_bp=house.increment_bp))


def expected_awards(plan: Plan, seats: int, *, meter: LedgerUnits, reset: Cents) -> Fraction:
    """What shares of the meter a round awards on average, in cents, all seats betting a unit on it.

    Where the meter pays fixed awards, those that are paid first make the shares smaller.
    """
    assert plan.jackpot is not None
    rows = plan.wager(plan.jackpot.wager).pays.rows
    total = Fraction(0)
    for winners, chance in winner_chances(plan, seats).items():
        paid = tuple(w for w in winners if isinstance(rows.get(w.value), MeterShare))
        if paid:
            measured = _measured(plan, paid, seats, meter)
            total += chance * awards_together(plan, paid, meter=measured, reset=reset)
    if plan.jackpot.fixed_awards is FixedFund.METER:
        total -= _lost_to_fixed_awards(plan, seats, meter=meter, reset=reset)
    return total


# --- fixed awards that the meter pays -------------------------------------------------------------------


def expected_fixed_awards(plan: Plan, seats: int, *, meter: LedgerUnits) -> Fraction:
    """What the meter pays of a round's fixed awards on average, in cents, all seats betting a unit on it.

    Each is counted as if it were the only one of the round: exact unless a meter cannot pay several of them.
    """
    assert plan.jackpot is not None
    if plan.jackpot.fixed_awards is FixedFund.HOUSE:
        return Fraction(0)
    _moments(plan, 1)  # raises where the jackpot is on other cards
    suited_wheel = plan.wager(plan.jackpot.wager).pays.hand.suited_wheel
    hands = _classes_with(frozenset(), frozenset(range(52)), suited_wheel=suited_wheel)
    there = max(Fraction(0), Fraction(meter, UNITS_PER_CENT))
    paid = Fraction(0)
    for kind, award in _fixed_awards(plan).items():
        paid += min(Fraction(award), there) * hands[kind]
    return seats * paid / comb(52, _RUN)


def _fixed_awards(plan: Plan) -> dict[HandClass, Cents]:
    """What each class that has no share of the meter is awarded for a stake of one unit of the house's."""
    assert plan.jackpot is not None
    house = plan.book.house.jackpot
    assert house is not None
    rows = plan.wager(plan.jackpot.wager).pays.rows
    awards = {
        HandClass(row): award_beside_the_stake(plan, pay, stake=house.unit, multiple=1)
        for row, pay in rows.items()
    }
    return {kind: Cents(int(award)) for kind, award in awards.items() if award is not None}


def _lost_to_fixed_awards(plan: Plan, seats: int, *, meter: LedgerUnits, reset: Cents) -> Fraction:
    """What shares of the meter lose on average to fixed awards that are paid before them, in cents.

    Fixed awards of one round are taken off one by one: exact, but for the rounding to cents, unless the meter
    cannot pay them all. Rounds with three shares or more, of which no book sees one in a million million, are
    left out.
    """
    fixed = _fixed_awards(plan)
    lost = Fraction(0)
    for winners, beside in fixed_beside_shares(plan, seats).items():
        measured = _measured(plan, winners, seats, meter)
        alone = awards_together(plan, winners, meter=measured, reset=reset)
        for kind, hands in beside.items():
            if kind in fixed:
                after = awards_together(plan, (*winners, kind), meter=measured, reset=reset)
                lost += hands * (alone - after)
    return lost


def fixed_beside_shares(plan: Plan, seats: int) -> dict[Winners, dict[HandClass, Fraction]]:
    """For each set of one or two winners of a share: how many lower hands a round has beside them, by class.

    On average over all rounds, those with other winners counting nothing.
    """
    moments = _moments_beside(plan, seats)
    royal, straight = HandClass.ROYAL_FLUSH, HandClass.STRAIGHT_FLUSH
    found: dict[Winners, dict[HandClass, Fraction]] = {}
    for royals, straights in moments:
        beside: dict[HandClass, Fraction] = {}
        for (more_royals, more_straights), values in moments.items():
            if more_royals >= royals and more_straights >= straights:
                sign = (-1) ** (more_royals - royals + more_straights - straights)
                ways = sign * comb(more_royals, royals) * comb(more_straights, straights)
                for kind, value in values.items():
                    beside[kind] = beside.get(kind, Fraction(0)) + ways * value
        found[(straight,) * straights + (royal,) * royals] = beside
    return found


def _moments_beside(plan: Plan, seats: int) -> dict[tuple[int, int], dict[HandClass, Fraction]]:
    """For one or two royals and straight flushes: how many choices of seats hold them, and of one seat more a
    hand of each lower class, on average."""
    assert plan.jackpot is not None
    own, common = plan.own_cards, _shared(plan)
    suited_wheel = plan.wager(plan.jackpot.wager).pays.hand.suited_wheel
    out: dict[tuple[int, int], dict[HandClass, Fraction]] = {}
    for key, hands in _hands_beside(own, suited_wheel=suited_wheel).items():
        winners = sum(key)
        if winners >= seats:
            continue
        ways, left = comb(52, common), 52 - common
        for _ in range(winners + 1):
            ways *= comb(left, own)
            left -= own
        chosen = factorial(seats) // factorial(seats - winners - 1)
        out[key] = {kind: Fraction(count * chosen, ways) for kind, count in hands.items()}
    return out


@lru_cache(maxsize=16)
def _hands_beside(own: int, *, suited_wheel: bool) -> Mapping[tuple[int, int], Mapping[HandClass, int]]:
    """By royals and straight flushes, at most two: hands of a further seat beside all sets of such hands."""
    by_shared: dict[frozenset[int], list[tuple[frozenset[int], HandClass]]] = {}
    for cards, hand_class in _runs(suited_wheel=suited_wheel):
        for shared in combinations(sorted(cards), _RUN - own):
            by_shared.setdefault(frozenset(shared), []).append((cards - set(shared), hand_class))
    pack = frozenset(range(52))
    counts: dict[tuple[int, int], Counter[HandClass]] = {}
    for common, hands in by_shared.items():
        for family in _apart([cards for cards, _ in hands], 2):
            royals = sum(hands[at][1] is HandClass.ROYAL_FLUSH for at in family)
            left = pack.difference(common, *(hands[at][0] for at in family))
            beside = counts.setdefault((royals, len(family) - royals), Counter())
            beside.update(_classes_with(common, left, suited_wheel=suited_wheel))
    return counts


def _classes_with(
    shared: frozenset[int], left: frozenset[int], *, suited_wheel: bool
) -> dict[HandClass, int]:
    """How many hands of a further seat, drawn from the cards left, make each class with the shared cards.

    The shared cards are of one suit and of different ranks, as those of a straight flush are. Straight and
    royal flushes are not counted, nor what ranks below a straight.
    """
    own = _RUN - len(shared)
    ranks = {card // 4 for card in shared}
    suits = {card % 4 for card in shared} or set(range(4))
    of_rank = [sum(4 * rank + suit in left for suit in range(4)) for rank in range(13)]
    quads = houses = flushes = straights = 0
    for rank in range(13):
        more = 4 - (rank in ranks)
        if own >= more:
            others = len(left) - of_rank[rank] if own > more else 1
            quads += comb(of_rank[rank], more) * others
        for pair in range(13):
            if pair != rank and ranks <= {rank, pair}:
                three, two = 3 - (rank in ranks), 2 - (pair in ranks)
                houses += comb(of_rank[rank], three) * comb(of_rank[pair], two)
    for suit in suits:
        flushes += comb(sum(card % 4 == suit for card in left), own)
    for low in range(-1, 9):
        window = {rank % 13 for rank in range(low, low + _RUN)}
        if not ranks <= window:
            continue
        missing = window - ranks
        suited = sum(all(4 * rank + suit in left for rank in missing) for suit in suits)
        straights += prod(of_rank[rank] for rank in missing) - suited
        flushes -= suited if suited_wheel or low >= 0 else 0
    return {
        HandClass.FOUR_OF_A_KIND: quads,
        HandClass.FULL_HOUSE: houses,
        HandClass.FLUSH: flushes,
        HandClass.STRAIGHT: straights,
    }
