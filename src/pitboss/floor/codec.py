"""Every stored event under a name that never changes. This table is the format; the classes are not."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pitboss.errors import BadInput
from pitboss.floor import disputes as d
from pitboss.floor import link_events as ke
from pitboss.floor import patrons as p
from pitboss.floor import registry as r
from pitboss.floor import table_events as te
from pitboss.floor.ports import Recorded
from pitboss.play.codec import EVENT_NAMES as PLAY_NAMES
from pitboss.play.encoding import Codec

RECONCILED = "record-reconciled.v1"
FLOOR_NAMES: dict[str, type] = {
    "floor-created.v1": r.FloorCreated,
    "permissions-set.v1": r.PermissionsSet,
    "person-added.v1": r.PersonAdded,
    "person-moved.v1": r.PersonMoved,
    "person-removed.v1": r.PersonRemoved,
    "player-added.v1": r.PlayerAdded,
    "player-limited.v1": r.PlayerLimited,
    "player-excluded.v1": r.PlayerExcluded,
    "player-barred.v1": r.PlayerBarred,
    "player-unbarred.v1": r.PlayerUnbarred,
    "rulebook-proposed.v1": r.RulebookProposed,
    "rulebook-approved.v1": r.RulebookApproved,
    "rulebook-withdrawn.v1": r.RulebookWithdrawn,
    "account-noted.v1": r.AccountNoted,
    "table-added.v1": r.TableAdded,
    "link-added.v1": r.LinkAdded,
    RECONCILED: r.RecordReconciled,
    "answers-forgotten.v1": r.AnswersForgotten,
    "table-opened.v1": te.TableOpened,
    "table-closed.v1": te.TableClosed,
    "staff-assigned.v1": te.StaffAssigned,
    "staff-relieved.v1": te.StaffRelieved,
    "seat-taken.v1": te.SeatTaken,
    "seat-left.v1": te.SeatLeft,
    "bought-in.v1": te.BoughtIn,
    "cashed-out.v1": te.CashedOut,
    "debt-recorded.v1": te.DebtRecorded,
    "debt-reduced.v1": te.DebtReduced,
    "interrupted.v1": te.Interrupted,
    "filled.v1": te.Filled,
    "credited.v1": te.Credited,
    "limits-set.v1": te.LimitsSet,
    "dealing-set.v1": te.DealingSet,
    "supervisor-called.v1": te.SupervisorCalled,
    "call-answered.v1": te.CallAnswered,
    "deck-sealed.v1": te.CommitmentsSealed,
    "deck-sealed.v2": te.DeckSealed,
    "entropy-committed.v1": te.EntropyCommitted,
    "entropy-revealed.v1": te.EntropyRevealed,
    "order-composed.v1": te.OrderComposed,
    "cards-drawn.v1": te.CardsDrawn,
    "payout-slip.v1": te.PayoutSlip,
    "entry-corrected.v1": te.EntryCorrected,
    "seal-broken.v1": te.SealBroken,
    "void-noted.v1": te.VoidNoted,
    "deck-opened.v1": te.DeckOpened,
    "stay-ended.v1": p.StayEnded,
    "device-counted.v1": p.DeviceCounted,
    "device-withheld.v1": p.DeviceWithheld,
    "link-opened.v1": ke.LinkOpened,
    "opening-approved.v1": ke.OpeningApproved,
    "member-joined.v1": ke.MemberJoined,
    "member-left.v1": ke.MemberLeft,
    "contributed.v1": ke.Contributed,
    "contribution-returned.v1": ke.ContributionReturned,
    "claim-entered.v1": ke.ClaimEntered,
    "claim-fixed.v1": ke.ClaimFixed,
    "claim-unfixed.v1": ke.ClaimUnfixed,
    "claim-verified.v1": ke.ClaimVerified,
    "claim-ended.v1": ke.ClaimEnded,
    "claim-paid.v1": ke.ClaimPaid,
    "award-corrected.v1": ke.AwardCorrected,
    "fixed-awards-paid.v1": ke.FixedAwardsPaid,
    "link-failed.v1": ke.LinkFailed,
    "link-restored.v1": ke.LinkRestored,
    "parameters-planned.v1": ke.ParametersPlanned,
    "parameters-taken.v1": ke.ParametersTaken,
    "parameters-restored.v1": ke.ParametersRestored,
    "transferred.v1": ke.Transferred,
    "dispute-opened.v1": d.DisputeOpened,
    "dispute-noted.v1": d.DisputeNoted,
    "dispute-escalated.v1": d.DisputeEscalated,
    "time-frame-given.v1": d.TimeFrameGiven,
    "dispute-decided.v1": d.DisputeDecided,
    "complaint-filed.v1": d.ComplaintFiled,
    "complaint-answered.v1": d.ComplaintAnswered,
}
CODEC = Codec({**PLAY_NAMES, **FLOOR_NAMES})


class Beside(NamedTuple):
    """What stands beside an event in its text, empty where it says nothing.

    `authority` is the least rank that the act required, by the permissions or the rulebook in force then.
    `kept` is the digest of the answer that was kept for the request.
    """

    authority: str = ""
    kept: str = ""


NOTHING_BESIDE = Beside()


def encode(event: Any, beside: Beside = NOTHING_BESIDE) -> tuple[str, str]:
    """The stored name of an event and its text, the same bytes for the same event."""
    name, body = CODEC.encode(event)
    body |= {key: value for key, value in beside._asdict().items() if value}
    return name, json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def with_kept(data: str, kept: str) -> str:
    """The text of an event that speaks of a kept answer, too."""
    return json.dumps(json.loads(data) | {"kept": kept}, separators=(",", ":"), ensure_ascii=False)


def decode(recorded: Recorded) -> Any:
    """The event of a record. Raises `BadInput` for text that is no such event."""
    return decode_whole(recorded)[0]


def decode_whole(recorded: Recorded) -> tuple[Any, Beside]:
    """The event of a record, and what stands beside it. Raises `BadInput` for text that is no such event."""
    place = f"{recorded.stream} event {recorded.version}"
    try:
        body = json.loads(recorded.data)
    except (ValueError, RecursionError) as error:
        raise BadInput(place, "is not JSON", "the record is damaged") from error
    beside = NOTHING_BESIDE
    if type(body) is dict and ("kept" in body or "authority" in body):
        found = {key: body.pop(key) for key in Beside._fields if key in body}
        if not all(type(value) is str and value for value in found.values()):
            raise BadInput(place, "says nothing of its authority or its answer", "leave it out")
        beside = Beside(**found)
    return CODEC.decode(recorded.name, body, place), beside
