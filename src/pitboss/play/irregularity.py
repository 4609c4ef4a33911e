"""Irregularities: what the circumstances of a report are, and which row of the book they lead to."""

from __future__ import annotations

from pitboss.play.commands import Report
from pitboss.play.dealing import has_hand
from pitboss.play.interruption import positions_with_outcome
from pitboss.play.table import Box, Fate, Stage, State
from pitboss.rulebooks.book import RemedyRule
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.trouble import (
    DIMENSIONS,
    Condition,
    ExposedAt,
    ExposedBy,
    ExposureUntil,
    Irregularity,
)

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
        Condition.EXPOSED_IN_THE_DEAL if in_the_deal(state, report) else Condition.EXPOSED_LATER,
        Condition.EXPOSED_BY_PLAYER if _by_player(report) else Condition.EXPOSED_BY_DEALER,
    }


def exposing(state: State, report: Report) -> int:
    """How many cards a report adds to those exposed in the deal.

    What the book sets apart does not add up: cards exposed after the deal, or by a player.
    """
    if report.kind is Irregularity.FACE_UP:
        counts = state.plan.book.exposure.face_up_counts and in_the_deal(state, report)
        return 1 if counts else 0
    if report.kind is not Irregularity.EXPOSED:
        return 0
    told_apart = told_apart_by(state.plan, report.kind)
    later = Condition.EXPOSED_LATER in told_apart and not in_the_deal(state, report)
    players = Condition.EXPOSED_BY_PLAYER in told_apart and _by_player(report)
    return 0 if later or players else report.count


def asks_who_is_affected(state: State, report: Report) -> bool:
    """Whether some row that fits what is reported asks who is affected, at whatever moment it is reported."""
    now = circumstances(state, report)
    found = {
        "reconstruction": report.reconstructable,
        "intention": report.intentional,
        "exposed-at": report.exposed_at,
        "exposed-by": report.exposed_by,
    }
    settled = [frozenset().union(*DIMENSIONS[name]) for name, said in found.items() if said is not None]
    rows = [row for row in state.plan.remedies[report.kind] if row.affected]
    return any(all(asked & set(row.when) <= now for asked in settled) for row in rows)


def told_apart_by(plan: Plan, kind: Irregularity) -> frozenset[Condition]:
    """The conditions that a book's rows for a kind ask about."""
    return frozenset(word for row in plan.remedies[kind] for word in row.when)


def in_the_deal(state: State, report: Report) -> bool:
    """Whether a card counts as exposed in the deal: as it was said, else by how far the deal has come."""
    if state.plan.book.exposure.until is ExposureUntil.SETTLEMENT:
        return True
    if report.exposed_at is not None:
        return report.exposed_at is ExposedAt.DEAL
    return not deal_is_over(state)


def deal_is_over(state: State) -> bool:
    """Whether every card is dealt, and since the last one a place was revealed or a hand has decided."""
    steps = state.terms.procedure.steps
    last = max((index for index, step in enumerate(steps) if step.deal is not None), default=-1)
    if state.step <= last:
        return False
    after = steps[last + 1 :]
    revealed = any(step.reveal in state.revealed for step in after if step.reveal is not None)
    decisions = {step.decide for step in after if step.decide is not None}
    return revealed or any(not decisions.isdisjoint(box.choices) for box in state.boxes.values())


def _by_player(report: Report) -> bool:
    return report.exposed_by is ExposedBy.PLAYER


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
