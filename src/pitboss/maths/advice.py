"""What the solved game says to do, in words and lists: which hands fold, which depend on the up-card."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pitboss.cards import HandClass, Rank
from pitboss.maths.holdem import KINDS, HoldemSolution, kind_name
from pitboss.maths.main_game import Solution
from pitboss.maths.stud import StudSolution
from pitboss.maths.tables import Worths
from pitboss.maths.three_card import ThreeCardSolution


def strategy_json(solution: Solution) -> dict[str, object]:
    """The optimal first decision: what is folded, or from which hand on the bet is placed.

    For stud `depends` lists the hands that are bet against some up-cards only: against which always, and
    against which it hangs on suits or shared ranks.
    """
    match solution:
        case HoldemSolution():
            return {"fold": folded_kinds(solution)}
        case StudSolution():
            return _stud(solution)
        case ThreeCardSolution():
            return _three_card(solution)


def folded_kinds(solution: HoldemSolution) -> list[str]:
    """The starting hands that are folded, lowest cards first."""
    kinds = [kind for kind in range(KINDS) if solution.combinations[kind] and not solution.plays[kind]]
    return [
        kind_name(kind) for kind in sorted(kinds, key=lambda k: (max(divmod(k, 13)), min(divmod(k, 13)), k))
    ]


def hand_name(worths: Worths, worth: int) -> str:
    """A worth as a hand: `Q-6-4`, `pair of 2`, or its class and top rank."""
    ranks = "-".join(rank.code for rank in worths.ranks[worth])
    match worths.hand_class(worth):
        case HandClass.ODD_CARDS:
            return ranks
        case HandClass.ONE_PAIR:
            pair, *side = worths.ranks[worth]
            return "-".join([pair.code, pair.code, *(rank.code for rank in side)])
        case hand_class:
            return f"{hand_class.value} {ranks}"


def _three_card(solution: ThreeCardSolution) -> dict[str, object]:
    if solution.game.up_cards:
        played, dealt = solution.plays.sum(), solution.plays.size
        return {"hands_played": int(played), "hands": int(dealt)}
    played = np.unique(solution.values[solution.plays])
    folded = np.unique(solution.values[~solution.plays])
    if not len(folded):
        return {"fold": []}
    if not len(played):
        return {"play_from": None}
    if played.min() > folded.max():
        return {"play_from": hand_name(solution.worths, int(played.min()))}
    return {"fold": [hand_name(solution.worths, int(worth)) for worth in folded]}


def _stud(solution: StudSolution) -> dict[str, object]:
    bet, dealt = solution.hands_bet.sum(axis=1), solution.hands_all.sum(axis=1)
    present = dealt > 0
    sometimes = np.flatnonzero(present & (bet > 0) & (bet < dealt))
    always = np.flatnonzero(present & (bet == dealt))
    never = np.flatnonzero(present & (bet == 0))
    if not len(never) and not len(sometimes):
        return {"fold": []}
    not_always = np.flatnonzero(present & (bet < dealt))
    above = always[always > not_always.max()] if len(always) else always
    return {
        "bet_from": hand_name(solution.worths, int(above.min())) if len(above) else None,
        "fold_below": hand_name(solution.worths, int(sometimes.min())) if len(sometimes) else None,
        "depends": {
            hand_name(solution.worths, int(worth)): _against(solution, int(worth)) for worth in sometimes
        },
    }


def _against(solution: StudSolution, worth: int) -> dict[str, str]:
    bet, dealt = solution.hands_bet[worth], solution.hands_all[worth]
    always = "".join(_up_cards(bet == dealt, dealt > 0))
    by_suit = "".join(_up_cards((bet > 0) & (bet < dealt), dealt > 0))
    return {"bet": always} | ({"by_suit": by_suit} if by_suit else {})


def _up_cards(chosen: np.ndarray[tuple[int], np.dtype[np.bool_]], possible: object) -> Iterator[str]:
    for rank in np.flatnonzero(chosen & np.asarray(possible)):
        yield Rank(int(rank) + 2).code
