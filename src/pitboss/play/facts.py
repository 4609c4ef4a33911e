"""The facts of a finished round: everything settlement needs to know, and whether it can be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from pitboss.cards import Card
from pitboss.money import NOTHING, Cents, LedgerUnits
from pitboss.rulebooks.plan import ClauseRef, Plan, Wager, WagerName


class Status(StrEnum):
    """What became of a hand before it was settled."""

    PLAYED = "played"
    FOLDED = "folded"
    DECLINED = "declined"
    ABSENT = "absent"
    INVALID = "invalid"


class Limit(NamedTuple):
    """The least and the most of a wager at a table."""

    minimum: Cents
    maximum: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotFacts:
    """The pool when winners are paid: `meter` as displayed then, the round's own contributions included.

    `increment_bp` is the share of each jackpot stake that went to the meter when bets closed; what was booked
    for a stake that is returned comes out again.
    """

    meter: LedgerUnits
    reset: Cents
    unit: Cents
    increment_bp: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One position: its owner, cards, what became of the hand, and every stake on its areas.

    `shares` names the owners of a wager that several players funded; they add up to the stake.
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
    placed = [names.index(w.placed) for w in plan.wagers if w.placed in names and seat.stake(w.name)]
    for decision in plan.decisions[max(placed, default=-1) + 1 :]:
        if seat.stake(WagerName(decision.needs)):
            return decision.name
    return None


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
        missing = outstanding_decision(plan, seat)
        first = plan.decisions[0]
        if missing == first.name:
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
