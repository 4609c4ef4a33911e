"""Irregularities: what the circumstances of a report are, and which row of the book they lead to."""

from __future__ import annotations

from pitboss.play.commands import Report
from pitboss.play.dealing import has_hand
from pitboss.play.interruption import positions_with_outcome
from pitboss.play.table import Box, Fate, Stage, State
from pitboss.rulebooks.book import RemedyRule
from pitboss.rulebooks.trouble import DIMENSIONS, Condition, Irregularity

_BETTING, _DEALT, _SETTLED, _OVER = DIMENSIONS["moment"]
_MOMENTS = {
    Stage.IDLE: _OVER,
    Stage.BETTING: _BETTING,
    Stage.CLOSED: _BETTING,
    Stage.PLAYING: _DEALT,
    Stage.SETTLED: _SETTLED,
    Stage.VOID: _OVER,
}
_RECONSTRUCTION = {
    True: Condition.RECONSTRUCTABLE,
    False: Condition.NOT_RECONSTRUCTABLE,
    None: Condition.RECONSTRUCTION_NOT_JUDGED,
}


def find_row(state: State, report: Report) -> RemedyRule:
    """What the book does about this report now."""
    return state.plan.remedy(report.kind, circumstances(state, report))


def circumstances(state: State, report: Report) -> frozenset[Condition]:
    """The conditions that hold for a report at this moment."""
    boxes = state.boxes.values()
    several = state.trouble.cards_exposed + exposing(state, report) > 1
    burns = any(step.burn or step.discard for step in state.terms.procedure.steps)
    viewed = any(state.boxes[n].viewed for n in report.positions if n in state.boxes)
    return _MOMENTS[state.stage] | {
        Condition.SOMEBODY_HANDLED if any(handled(state, b) for b in boxes) else Condition.NOBODY_HANDLED,
        Condition.SOMEBODY_SAW if any(box.viewed for box in boxes) else Condition.NOBODY_SAW,
        _RECONSTRUCTION[report.reconstructable],
        Condition.INTENTIONAL if report.intentional else Condition.UNINTENTIONAL,
        Condition.SEVERAL_CARDS_EXPOSED if several else Condition.ONE_CARD_EXPOSED,
        Condition.COUNT_IS_RIGHT if report.count == state.plan.book.deck.cards else Condition.COUNT_IS_WRONG,
        Condition.OUTCOME if _everybody_has_an_outcome(state) else Condition.NO_OUTCOME,
        Condition.CARD_IS_BURNED if burns else Condition.NO_CARD_IS_BURNED,
        Condition.SOME_VIEWED if viewed else Condition.NONE_VIEWED,
    }


def exposing(state: State, report: Report) -> int:
    """How many cards a report adds to those exposed in the round."""
    if report.kind is Irregularity.EXPOSED:
        return report.count
    counts = report.kind is Irregularity.FACE_UP and state.plan.book.exposure.face_up_counts
    return 1 if counts else 0


def handled(state: State, box: Box) -> bool:
    """Whether a player has touched or seen the cards of a hand, or moved them with a wager."""
    moving = [decision.name for decision in state.plan.decisions if decision.moves_cards]
    moved = any(box.choices.get(name) in ("bet", "continue") for name in moving)
    return box.handled or box.viewed or moved


def live_hands(state: State) -> list[Box]:
    """The hands that are still played for, or will be dealt."""
    return [
        box
        for _, box in sorted(state.boxes.items())
        if box.fate is Fate.IN_PLAY and has_hand(state.plan, box)
    ]


def _everybody_has_an_outcome(state: State) -> bool:
    decided = positions_with_outcome(state)
    return bool(decided) and all(box.position in decided for box in live_hands(state))
