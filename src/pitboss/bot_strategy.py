"""How bots decide, by name: `simple` from their own pairs, `optimal` as the exact solutions say, `blind`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pitboss.cards import Card
from pitboss.errors import BadInput, near_miss
from pitboss.floor.bots import Strategy, simple_strategy
from pitboss.parts import require
from pitboss.rulebooks.plan import Plan

if TYPE_CHECKING:
    from pitboss.maths.decisions import Decisions

STRATEGIES = ("simple", "optimal", "blind")


def strategy_named(name: str, *, place: str) -> Strategy:
    """A strategy for every rulebook. Raises `BadInput` for an unknown name, `MissingPart` for `optimal`
    without the mathematics.
    """
    if name not in STRATEGIES:
        raise BadInput(place, f"no strategy '{name}'", near_miss(name, STRATEGIES))
    if name == "optimal":
        require("maths", place=place)
        return _Optimal()
    return simple_strategy if name == "simple" else _blind


def _blind(plan: Plan, decision: str, own: Sequence[Card], table: Sequence[Card]) -> bool:
    """Never folds, and bets nothing it need not."""
    found = next(known for known in plan.decisions if known.name == decision)
    return found.otherwise == "fold"


class _Optimal:
    """The decisions of the exact solutions, looked up; a rulebook is solved when it is first played."""

    def __init__(self) -> None:
        self._solved: dict[Any, Decisions] = {}

    def __call__(self, plan: Plan, decision: str, own: Sequence[Card], table: Sequence[Card]) -> bool:
        from pitboss.maths.analysis import solved
        from pitboss.maths.decisions import Decisions
        from pitboss.maths.lowering import lower_main_game

        key = (plan.id, tuple(sorted(plan.readings.items())))
        if key not in self._solved:
            self._solved[key] = Decisions(solved(lower_main_game(plan)))
        return self._solved[key].bets(decision, own, table)
