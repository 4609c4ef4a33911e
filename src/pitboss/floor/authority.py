"""Who may ask what of the floor: the least position for each request, in one table.

What stands under `ANYBODY` is for everybody, or is decided where it is done: a player acts for himself, a
step of play is for whom its rulebook names, a dispute is for whoever has it.
"""

from __future__ import annotations

from pitboss.floor import requests as q
from pitboss.rulebooks.vocabulary import Position

ANYBODY = None

LEAST_POSITION: dict[type[q.Request], Position | None] = {
    q.CreateFloor: Position.SHIFT_MANAGER,
    q.AddPerson: Position.SHIFT_MANAGER,
    q.MovePerson: Position.SHIFT_MANAGER,
    q.RemovePerson: Position.SHIFT_MANAGER,
    q.AddPlayer: Position.DEALER,
    q.LimitPlayer: ANYBODY,
    q.ExcludePlayer: ANYBODY,
    q.ProposeRulebook: Position.SHIFT_MANAGER,
    q.ApproveRulebook: Position.SHIFT_MANAGER,
    q.WithdrawRulebook: Position.SHIFT_MANAGER,
    q.AddTable: Position.SHIFT_MANAGER,
    q.OpenTable: Position.PIT_MANAGER,
    q.CloseTable: Position.PIT_MANAGER,
    q.AssignStaff: Position.PIT_SUPERVISOR,
    q.RelieveStaff: Position.PIT_SUPERVISOR,
    q.TakeSeat: ANYBODY,
    q.LeaveSeat: ANYBODY,
    q.BuyIn: ANYBODY,
    q.CashOut: ANYBODY,
    q.Fill: Position.PIT_SUPERVISOR,
    q.Credit: Position.PIT_SUPERVISOR,
    q.SetLimits: Position.PIT_MANAGER,
    q.SetDealing: Position.PIT_MANAGER,
    q.CallSupervisor: Position.DEALER,
    q.AnswerCall: Position.PIT_SUPERVISOR,
    q.Act: ANYBODY,
    q.Acts: ANYBODY,
    q.EnterUnnoticed: Position.DEALER,
    q.Interrupt: Position.ASSISTANT_DIRECTOR,
    q.NoteAccount: Position.ASSISTANT_DIRECTOR,
    q.OpenLink: Position.SHIFT_MANAGER,
    q.VerifyClaim: Position.PIT_MANAGER,
    q.RejectClaim: Position.PIT_MANAGER,
    q.DetermineOrder: ANYBODY,
    q.FixClaims: Position.PIT_MANAGER,
    q.FailLink: Position.PIT_SUPERVISOR,
    q.RestoreLink: Position.PIT_MANAGER,
    q.PlanParameters: Position.SHIFT_MANAGER,
    q.Transfer: Position.SHIFT_MANAGER,
    q.OpenDispute: ANYBODY,
    q.NoteDispute: ANYBODY,
    q.EscalateDispute: ANYBODY,
    q.GiveTimeFrame: ANYBODY,
    q.DecideDispute: ANYBODY,
    q.FileComplaint: ANYBODY,
    q.AnswerComplaint: Position.ASSISTANT_DIRECTOR,
}
"""A test holds the table against the union of requests."""

NOT_ALLOWED = frozenset(
    {
        "above-you",
        "by-console",
        "by-name",
        "for-the-pit",
        "he-acts-himself",
        "no-authority",
        "not-a-player",
        "not-on-shift",
        "not-staff",
        "not-you",
        "not-yours",
        "own-claim",
        "own-position",
        "second-person",
    }
)
"""Codes of refusals that say: not you. All others say: not so, or not now."""
