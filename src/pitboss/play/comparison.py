"""Reading hands and comparing them: whose is higher, and which clause says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.cards import Card, Hand, HandClass, HandOrder, Rank, best_five, three_cards
from pitboss.rulebooks.plan import Clauses, Comparison, HandSpec, Qualification
from pitboss.rulebooks.vocabulary import FullHouses, Order, Qualifying, Situation


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a hand stands against the dealer's, and the clauses that decide it."""

    situation: Situation
    clauses: Clauses


def read_hand(spec: HandSpec, cards: Sequence[Card]) -> Hand:
    """The hand that these cards make, read as the plan says."""
    if spec.order is Order.THREE_CARD:
        return three_cards(cards)
    return best_five(cards, suited_wheel=spec.suited_wheel)


def qualifies(rule: Qualification, spec: HandSpec, hand: Hand) -> bool:
    """Whether the dealer's hand is good enough to be compared."""
    ranks = {card.rank for card in hand.cards}
    if rule.wheel_ace_is_low and hand.is_wheel:
        ranks.discard(Rank.ACE)
    match rule.rule:
        case Qualifying.HOLDS_ANY:
            return bool(ranks & rule.ranks)
        case Qualifying.HOLDS_ALL:
            return rule.ranks <= ranks
        case Qualifying.HAND_AT_LEAST:
            least_class, least_ranks = rule.at_least
            classes = HandOrder(spec.order.value).classes
            mine, least = classes.index(hand.hand_class), classes.index(least_class)
            return mine > least or (mine == least and hand.ranks[: len(least_ranks)] >= least_ranks)


def compare(rules: Comparison, player: Hand, dealer: Hand, community: Sequence[Card]) -> Verdict:
    """The player's hand against the dealer's. Suits never decide.

    What is cited is what decides: hands of a class that the plan does not let cards decide stand off by
    their class alone, without the clauses that compare cards.
    """
    if player.strength != dealer.strength:
        higher = player.strength > dealer.strength
        return Verdict(Situation.HIGHER if higher else Situation.LOWER, rules.clauses)
    mine, other = _deciding_ranks(rules, player, dealer, community)
    clauses = (*rules.clauses, *_within(rules, player, dealer))
    if mine == other:
        return Verdict(Situation.EQUAL, (*clauses, *rules.equal_clauses))
    return Verdict(Situation.HIGHER if mine > other else Situation.LOWER, clauses)


def _within(rules: Comparison, player: Hand, dealer: Hand) -> Clauses:
    """The clauses by which hands of one class are compared."""
    by_cards = player.hand_class in rules.decided_by_cards
    if player.is_wheel != dealer.is_wheel and (by_cards or rules.wheel_ranks_below) and rules.wheel_clauses:
        return rules.wheel_clauses
    return rules.class_clauses.get(player.hand_class, rules.within_clauses) if by_cards else ()


def _deciding_ranks(
    rules: Comparison, player: Hand, dealer: Hand, community: Sequence[Card]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ranks that this plan lets decide between two hands of one class; none at all is a stand-off."""
    hand_class = player.hand_class
    if hand_class not in rules.decided_by_cards:
        if rules.wheel_ranks_below:
            return (int(not player.is_wheel),), (int(not dealer.is_wheel),)
        return (), ()
    if hand_class is HandClass.FULL_HOUSE and rules.full_houses is FullHouses.PAIRS_IF_THREES_ON_BOARD:
        threes = player.ranks[0]
        on_board = sum(card.rank is threes for card in community) >= 3
        if threes == dealer.ranks[0] and not on_board:
            return (), ()
    return player.ranks, dealer.ranks
