"""The least rank that an act required, by the permissions or the rulebook in force when it was done.

It stands beside the event that the act made, so that a record explains itself: nobody has to ask the code of
today who might do what years ago.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitboss.floor import disputes as d
from pitboss.floor import link_events as ke
from pitboss.floor import registry as r
from pitboss.floor import table_events as te
from pitboss.floor.authority import ranks_of
from pitboss.floor.gaming_table import VIRTUAL, OpenTable
from pitboss.play import events as e
from pitboss.play.ruling import who_may_order
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.trouble import Ruling
from pitboss.rulebooks.vocabulary import Position, Power

REQUESTED_BY: dict[type, str] = {
    r.FloorCreated: "create-floor",
    r.PersonAdded: "add-person",
    r.PersonMoved: "move-person",
    r.PersonRemoved: "remove-person",
    r.PlayerAdded: "add-player",
    r.RulebookProposed: "propose-rulebook",
    r.RulebookApproved: "approve-rulebook",
    r.RulebookWithdrawn: "withdraw-rulebook",
    r.AccountNoted: "note-account",
    r.TableAdded: "add-table",
    r.LinkAdded: "open-link",
    r.RecordReconciled: "reconcile-record",
    te.TableOpened: "open-table",
    te.TableClosed: "close-table",
    te.StaffAssigned: "assign-staff",
    te.StaffRelieved: "relieve-staff",
    te.Filled: "fill",
    te.Credited: "credit",
    te.LimitsSet: "set-limits",
    te.DealingSet: "set-dealing",
    te.SupervisorCalled: "call-supervisor",
    te.CallAnswered: "answer-call",
    te.Interrupted: "interrupt",
    ke.LinkOpened: "open-link",
    ke.OpeningApproved: "open-link",
    ke.ClaimVerified: "verify-claim",
    ke.LinkFailed: "fail-link",
    ke.LinkRestored: "restore-link",
    ke.ParametersPlanned: "plan-parameters",
    ke.Transferred: "transfer",
    d.ComplaintAnswered: "answer-complaint",
}
"""The request that makes an event of a kind; all others are decided by a rulebook, or are for everybody."""


def required(before: object, event: object, request: Sequence[object], permissions: Iterable[str]) -> str:
    """The rank that is written beside an event: empty where the act required none.

    `request` are the events of the same request before it in its stream.
    """
    name = REQUESTED_BY.get(type(event))
    if name is not None:
        return ranks_of(permissions).get(name, "")
    rank = by_book(before, event, request)
    return "" if rank is None else rank.value


def by_book(before: object, event: object, request: Sequence[object]) -> Position | None:
    """The rank that the rulebook of a table asks for what was done there."""
    if not isinstance(before, OpenTable):
        return None
    state = before.state
    match event:
        case e.HandLookedAt():
            return _position(state.plan, Power.LOOK_AT_HAND)
        case e.StandingOrder() | e.OrderLifted():
            return who_may_order(state.plan, event.order).position
        case e.RulingGiven():
            if event.ruling is Ruling.BAR and any(isinstance(other, e.StandingOrder) for other in request):
                return who_may_order(state.plan, Ruling.BAR).position
            if state.suspension is not None:
                return state.suspension.decides
            followup = state.trouble.followups.get(event.ruling)
            return None if followup is None else followup.position
        case e.IrregularityReported():
            rows = state.plan.remedies.get(event.kind, ())
            findings = [row.finding for row in rows if (row.mode, row.remedy) == (event.mode, event.remedy)]
            named = [finding for finding in findings if finding is not None]
            return min(named, key=list(Position).index) if named and len(named) == len(findings) else None
        case e.DecisionTakenBack():
            own = before.opened.cards == VIRTUAL and event.choice != "absent"
            return _position(state.plan, Power.DECIDE_UNCOVERED) if own else None
        case _:
            return None


def _position(plan: Plan, power: Power) -> Position | None:
    found = plan.power(power)
    return None if found is None else found.position
