"""What a player may do now, with what it costs. The engine itself is asked, so that no rule is said twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitboss.money import Cents, format_cents
from pitboss.play import commands as c
from pitboss.play.dealing import outstanding
from pitboss.play.decide import decide
from pitboss.play.evolve import evolve_all
from pitboss.play.refusal import Refusal
from pitboss.play.table import Box, State


def choices_of(state: State, player: str) -> list[dict[str, Any]]:
    """The acts a player may do now at his positions, in the words of a form, each with its `cost`."""
    found = []
    for _, box in sorted(state.boxes.items()):
        if box.player != player:
            continue
        for command, written in _candidates(state, box, c.Player(player)):
            outcome = decide(state, command)
            if isinstance(outcome, Refusal):
                continue
            rack = evolve_all(state, outcome).racks.get(player, Cents(0))
            cost = Cents(max(0, state.racks.get(player, Cents(0)) - rack))
            found.append({**written, "position": box.position, "cost": format_cents(cost)})
    return found


def _candidates(state: State, box: Box, by: c.Player) -> Iterator[tuple[c.Command, dict[str, Any]]]:
    at: dict[str, Any] = {"by": by, "position": box.position}
    if state.trouble.options is not None or state.trouble.permitted:
        for stay in (True, False):
            yield c.TakeOption(**at, stay=stay), {"do": "take-option", "stay": stay}
    if state.suspension is not None or state.stage.is_over:
        return
    if not box.viewed:
        yield c.ViewHand(**at), {"do": "view-hand"}
    decision = outstanding(state)
    if decision is not None:
        yield c.Bet(**at, wager=decision.bet), {"do": "bet", "wager": decision.bet}
        yield c.Check(**at), {"do": "check"}
        yield c.Continue(**at), {"do": "continue"}
        yield c.Fold(**at), {"do": "fold"}
        return
    yield c.Decline(**at), {"do": "decline"}
    yield c.Establish(**at), {"do": "establish"}
