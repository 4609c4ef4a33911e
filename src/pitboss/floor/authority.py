"""Who may ask what of the floor: the least position for each request, in one table.

What stands under `ANYBODY` is for everybody, or is decided where it is done: a player acts for himself, a
step of play is for whom its rulebook names, a dispute is for whoever has it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources

from pitboss.floor import requests as q
from pitboss.rulebooks.vocabulary import Position

ANYBODY = None

LEAST_POSITION: dict[type[q.Request], Position | None] = {
    q.CreateFloor: Position.SHIFT_MANAGER,
    q.SetPermissions: ANYBODY,
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
    q.CommitEntropy: ANYBODY,
    q.RevealEntropy: ANYBODY,
    q.Interrupt: Position.ASSISTANT_DIRECTOR,
    q.NoteAccount: Position.ASSISTANT_DIRECTOR,
    q.ReconcileRecord: Position.SHIFT_MANAGER,
    q.ForgetAnswers: ANYBODY,
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

SECOND_PERSON: dict[type[q.Request], Position] = {
    q.Act: Position.PIT_SUPERVISOR,
    q.Fill: Position.DEALER,
    q.Credit: Position.DEALER,
    q.EnterUnnoticed: Position.PIT_SUPERVISOR,
    q.FailLink: Position.PIT_SUPERVISOR,
    q.OpenLink: Position.SHIFT_MANAGER,
    q.PlanParameters: Position.SHIFT_MANAGER,
    q.Transfer: Position.SHIFT_MANAGER,
}
"""The least rank of the second person of a request that takes two.

Of the acts at a table it is for those that void a round, or a hand, of a sealed deck that was dealt from, or
let a player withdraw one; of a jackpot that fails it is for one that voids such a round.
"""

WITHDRAWAL = "withdrawal"
"""What lets a player withdraw a hand of a sealed deck that was dealt from, in the permissions of a record.

Records whose permissions name it write a note of each such hand that is taken out.
"""

EDITION = 5
"""Of `permissions.toml`; raise it with every change of a rank, and write the new table there."""

FIRST_EDITION = 1
"""Of records that do not hold the permissions in force."""


def name_of_request(kind: type) -> str:
    """A request as the table of permissions has it: `open-table`."""
    return _with_hyphens(kind.__name__)


@cache
def _with_hyphens(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def permissions() -> tuple[str, ...]:
    """The permissions of this version as a record holds them: `open-table=pit-manager`, the edition first."""
    ranks = {name_of_request(kind): rank for kind, rank in LEAST_POSITION.items() if rank is not None}
    ranks |= {f"{name_of_request(kind)}/second": rank for kind, rank in SECOND_PERSON.items()}
    ranks[f"{WITHDRAWAL}/second"] = SECOND_PERSON[q.Act]
    return (f"edition={EDITION}", *(f"{name}={rank.value}" for name, rank in sorted(ranks.items())))


def ranks_of(said: Iterable[str]) -> dict[str, str]:
    """Permissions as a record holds them, by request; the edition is among them."""
    return {name: rank for name, _, rank in (text.partition("=") for text in said)}


@lru_cache(maxsize=1)
def editions() -> Mapping[int, Mapping[str, str]]:
    """The permissions of every version, by edition."""
    text = (resources.files("pitboss.floor") / "permissions.toml").read_text(encoding="utf-8")
    return {int(name.removeprefix("edition-")): ranks for name, ranks in tomllib.loads(text).items()}


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
