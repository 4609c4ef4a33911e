"""What several evolvers do: a mapping with one entry changed, a box put back, chips moved between racks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar, cast

from pitboss.money import Cents
from pitboss.play.table import Box, State, changed

K = TypeVar("K")
V = TypeVar("V")


def with_entry(mapping: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    """A copy of a mapping in which one key has a value."""
    return MappingProxyType(cast("dict[K, V]", mapping) | {key: value})  # any mapping that has `|`


def with_box(state: State, box: Box) -> State:
    """The state with a position as it is now."""
    return changed(state, boxes=with_entry(state.boxes, box.position, box))


def moved_chips(racks: Mapping[str, Cents], player: str, amount: int) -> Mapping[str, Cents]:
    """The racks once a player has so much more."""
    return with_entry(racks, player, Cents(racks.get(player, 0) + amount))


def paid_out(racks: Mapping[str, Cents], payouts: Mapping[str, Cents]) -> Mapping[str, Cents]:
    """The racks once each player has taken what is his. What is taken back from a player who has left, or who
    has not so much any more, leaves his rack below nothing: whoever keeps the money sees to that.
    """
    changed = dict(racks)
    for player, amount in payouts.items():
        changed[player] = Cents(changed.get(player, 0) + amount)
    return MappingProxyType(changed)
