"""The facts of a finished round: everything settlement needs to know, and whether it can be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from pitboss.cards import Card
from pitboss.money import NO_UNITS, NOTHING, Cents, LedgerUnits
from pitboss.rulebooks.plan import ClauseRef, Plan, Wager, WagerName
from pitboss.rulebooks.vocabulary import ShortWager


class Status(StrEnum):
    """What became of a hand before it was settled."""

    PLAYED = "played"
    FOLDED = "folded"
    DECLINED = "declined"
    ABSENT = "absent"
    INVALID = "invalid"


class Once(StrEnum):
    """What a stake under the minimum was settled for, where payment and collection count apart."""

    PAID = "paid"
    COLLECTED = "collected"


class Limit(NamedTuple):
    """The least and the most of a wager at a table."""

    minimum: Cents
    maximum: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotFacts:
    """The pool when winners are paid: `meter` as displayed then, the round's own contributions included.

    `increment_bp` is the share of each jackpot stake that went to the meter when bets closed; what was booked
    for a stake that is returned comes out again. `returned` is what stakes added that are back with their
    owners already and has still to come off. `unmeasured` is what of the meter no share is measured on, where
    a link has said so; None: as the book reads it.
    """

    meter: LedgerUnits
    reset: Cents
    unit: Cents
    increment_bp: int = 0
    returned: LedgerUnits = NO_UNITS
    unmeasured: LedgerUnits | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One position: its owner, cards, what became of the hand, and every stake on its areas.

    `shares` names the owners of a wager that several players funded; they add up to the stake. `warned`
    tells that no stake of the player's under the minimum is settled any more, `once` what one was settled
    for where the book counts payment and collection apart.
    """

    position: int
    player: str
    cards: tuple[Card, ...]
    status: Status
    wagers: Mapping[WagerName, Cents]
    viewed: bool = False
    warned: bool = False
    established: bool = False
    shares: Mapping[WagerName, Mapping[str, Cents]] = field(default_factory=lambda: MappingProxyType({}))
    once: frozenset[Once] = frozenset()

    def stake(self, wager: WagerName) -> Cents:
        """What lies on a wager's area; nothing where there is none."""
        return self.wagers.get(wager, NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A finished round. Seats stand in the order in which they were dealt."""

    seats: tuple[Seat, ...]
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    limits: Mapping[WagerName, Limit] = field(default_factory=lambda: MappingProxyType({}))
    jackpot: JackpotFacts | None = None
    void: ClauseRef | None = None


def entitled_to_hand(plan: Plan, seat: Seat) -> bool:
    """Whether the stakes of a position are dealt a hand; a side or jackpot stake alone may not be."""
    return any(seat.wagers.get(wager) for wager in plan.hand_wagers)


def outstanding_decision(plan: Plan, seat: Seat) -> str | None:
    """The decision a hand has still to make, as its wagers show it; None when nothing is left to decide.

    A wager placed at a later decision shows that the earlier ones were made, by checking if not by betting.
    """
    names = [decision.name for decision in plan.decisions]
    none = not_placed(plan, seat)
    lying = [w for w in plan.wagers if w.placed in names and seat.stake(w.name) and w.name not in none]
    placed = [names.index(wager.placed) for wager in lying]
    for decision in plan.decisions[max(placed, default=-1) + 1 :]:
        if seat.stake(WagerName(decision.needs)):
            return decision.name
    return None


def not_placed(plan: Plan, seat: Seat) -> frozenset[WagerName]:
    """Later wagers that count as not placed: short ones, where the book reads them so.

    Who is short at a decision to fold has folded, so that what was placed after it is none either.
    """
    if plan.limits.wrong_size.short is not ShortWager.NOT_PLACED:
        return frozenset()
    found: set[WagerName] = set()
    folded = False
    for decision in plan.decisions:
        wager = plan.wager(decision.bet)
        short = bool(seat.stake(wager.name)) and seat.stake(wager.name) < _prescribed(seat, wager)
        if short or (folded and seat.stake(wager.name)):
            found.add(wager.name)
        folded = folded or (short and decision.otherwise == "fold")
    return frozenset(found)


def _prescribed(seat: Seat, wager: Wager) -> Cents:
    """What a later wager should be, by the owners who went along with it."""
    if wager.of is None:
        return NOTHING
    base = seat.shares.get(wager.of, {seat.player: seat.stake(wager.of)})
    owners = seat.shares.get(wager.name, {seat.player: NOTHING})
    return Cents(wager.times * sum(share for owner, share in base.items() if owner in owners))


def cards_at(plan: Plan, facts: Facts, seat: Seat, place: str) -> tuple[Card, ...]:
    """The cards that lie at a place: `own`, `dealer`, `community`, or a part of the community cards."""
    if place == "own":
        return seat.cards
    if place == "dealer":
        return facts.dealer
    if place == "community":
        return facts.community
    return tuple(
        facts.community[number - 1] for number in plan.parts[place] if number <= len(facts.community)
    )


Problem = tuple[str, str, str]
"""The place of a fact that cannot be, what is wrong, and what would be right."""


def impossible(plan: Plan, facts: Facts) -> Iterator[Problem]:
    """What cannot be true of these facts under this plan, apart from the cards a hand needs to be read.

    A hand that a player put down is no fact to doubt; a stake nobody could have placed is.
    """
    yield from _duplicates(facts)
    seen: set[int] = set()
    for index, seat in enumerate(facts.seats):
        at = f"seats[{index}]"
        if not 1 <= seat.position <= plan.positions:
            yield (
                f"{at}.position",
                f"there is no position {seat.position}",
                f"positions run 1 to {plan.positions}",
            )
        if seat.position in seen:
            yield f"{at}.position", f"position {seat.position} stands twice", "each position has one hand"
        seen.add(seat.position)
        yield from _stakes(plan, facts, seat, at)


def _duplicates(facts: Facts) -> Iterator[Problem]:
    places: dict[Card, str] = {}
    lying = [("community", facts.community), ("dealer", facts.dealer)]
    lying += [(f"seats[{index}].cards", seat.cards) for index, seat in enumerate(facts.seats)]
    for place, cards in lying:
        for index, card in enumerate(cards):
            here = f"{place}[{index}]"
            if card in places:
                yield here, f"{card} lies at {places[card]} too", "one pack holds each card once"
            places.setdefault(card, here)


def _stakes(plan: Plan, facts: Facts, seat: Seat, at: str) -> Iterator[Problem]:
    if not any(seat.wagers.values()):
        yield f"{at}.wagers", "no stake lies here", "leave the position out"
    decisions = {decision.bet: decision for decision in plan.decisions}
    for wager in plan.wagers:
        if not seat.stake(wager.name):
            continue
        place = f"{at}.wagers.{wager.name}"
        decision = decisions.get(wager.name)
        if decision is not None and not seat.stake(WagerName(decision.needs)):
            needs = decision.needs
            yield place, f"there is no {needs} wager to go with it", f"place the {needs} too, or take it out"
        if decision is not None and seat.status is Status.FOLDED:
            yield (
                place,
                "a folded hand has no such wager",
                "take it out, or say 'played', 'declined' or 'absent'",
            )
        if wager.units is not None:
            yield from _jackpot_stake(facts, seat, wager, place)
        shares = seat.shares.get(wager.name)
        if shares is not None and not (wager.pooled and sum(shares.values()) == seat.stake(wager.name)):
            yield (
                place,
                "its shares are not those of a pooled wager",
                "the shares of its owners add up to the stake",
            )
    if seat.status in (Status.PLAYED, Status.DECLINED) and facts.void is None:
        first = plan.decisions[0]
        needed = seat.stake(WagerName(first.needs))
        decided = any(seat.stake(WagerName(decision.bet)) for decision in plan.decisions)
        if needed and not decided:
            yield (
                f"{at}.wagers",
                f"a hand that was {seat.status} has a {first.bet} wager",
                f"add the {first.bet}, or say 'folded', 'absent' or 'invalid'",
            )


def _jackpot_stake(facts: Facts, seat: Seat, wager: Wager, place: str) -> Iterator[Problem]:
    if facts.jackpot is None:
        yield place, "the facts say nothing of the jackpot", 'add "jackpot" with its meter'
        return
    stake, unit = seat.stake(wager.name), facts.jackpot.unit
    assert wager.units is not None
    least, most = wager.units
    if wager.odd_amount == "impossible" and (stake % unit or not least <= stake // unit <= most):
        sizes = "one unit" if least == most == 1 else f"{least} to {most} whole units"
        yield (
            place,
            f"no wagering system takes {stake / 100:.2f}",
            f"the stake is {sizes} of {unit / 100:.2f}",
        )
