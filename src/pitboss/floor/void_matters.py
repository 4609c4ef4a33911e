"""What voids at virtual tables are about: reports that a seal refutes, and for what hands are taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.second_signatures import takes_two_at
from pitboss.play import events as e
from pitboss.play.dealing import hands_in_order
from pitboss.play.table import State
from pitboss.rulebooks.trouble import Irregularity

ABOUT_CARDS = frozenset(
    {
        *(
            Irregularity.FOREIGN_CARD,
            Irregularity.MISSING_CARD,
            Irregularity.EXTRA_CARD,
            Irregularity.UNSHUFFLED,
            Irregularity.COUNT_DOUBT,
            Irregularity.INSUFFICIENT_CARDS,
        ),
        *(
            Irregularity.WRONG_COUNT_COMMUNITY,
            Irregularity.WRONG_COUNT_DEALER,
            Irregularity.WRONG_COUNT_POSITION,
            Irregularity.MISDEAL,
            Irregularity.MISSED_BURN,
        ),
        *(Irregularity.FACE_UP, Irregularity.SHUFFLER_JAM),
    }
)
"""What can be said of the cards of a virtual table only if its deck is not the one that was sealed."""


class Matter(NamedTuple):
    """What hands are taken out for: who reported it and why, who ruled on it, and who signed last."""

    reported_by: str = ""
    kind: str = ""
    reason: str = ""
    ruled_by: str = ""
    signed_by: str = ""

    def after(self, event: Any, actor: str) -> Matter:
        """The matter after an event of the round more."""
        match event:
            case e.BetsOpened():
                return Matter()
            case e.IrregularityReported():
                return Matter(actor, event.kind.value, event.what, "", event.approved_by)
            case e.RoundSuspended() if not self.reported_by:
                return Matter(actor, event.suspension.kind, event.suspension.what)
            case e.RulingGiven():
                signed_by = event.approved_by or self.signed_by
                return self._replace(ruled_by=actor, signed_by=signed_by)
            case e.StandingOrder() if self.reported_by:
                return self._replace(ruled_by=actor, signed_by=event.approved_by or self.signed_by)
            case e.StandingOrder():
                order = f"{event.order.value} {event.argument}".rstrip()
                return Matter(actor, "", order, actor, event.approved_by)
            case _:
                return self


def taken_out(table: GamingTable, outcome: Sequence[Any]) -> tuple[int, ...]:
    """The hands that these events take out of a round that was dealt and is not void."""
    if not takes_two_at(table) or any(isinstance(event, e.RoundVoided) for event in outcome):
        return ()
    return tuple(sorted({event.position for event in outcome if isinstance(event, e.HandRemoved)}))


def has_no_hand_left(state: State) -> bool:
    """Whether every hand of a round that is still in play was taken out."""
    return not state.stage.is_over and not hands_in_order(state)
