"""The payout slips that a table's record owes, held against those it has.

A settlement owes a slip for every jackpot award and large win, one that is undone owes a slip that takes each
back; they are written with the request that makes them due. Who has confirmed an award stands in the record
of the link: that is for whoever has folded both.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from pitboss.floor.gaming_table import GamingTable
from pitboss.floor.ports import Micros
from pitboss.floor.slips import slips_of, taken_back
from pitboss.floor.table_events import EntryCorrected, PayoutSlip
from pitboss.play import events as e

UNKNOWN = "?"
"""In place of whoever has confirmed an award: the link's record tells."""

_WRITTEN = tuple(part.name for part in fields(PayoutSlip) if part.name != "reason")


@dataclass(slots=True)
class DueSlips:
    """What one table still owes while its stream is folded.

    `confirmed` are the slips of awards that a claim was for: the round, the version, and who is said to have
    confirmed it.
    """

    confirmed: list[tuple[int, int, str]] = field(default_factory=list)
    _due: list[PayoutSlip] = field(default_factory=list)
    _standing: list[PayoutSlip] = field(default_factory=list)
    _claimed: set[int] = field(default_factory=set)
    _number: int = 0
    _at: Micros = Micros(0)  # noqa: RUF009
    _since: int = 0

    def missing(self, at: Micros | None = None) -> tuple[int, str] | None:
        """What is owed since an earlier request (or at all): the version that made it due, and in words."""
        if not self._due or at == self._at:
            return None
        slip = self._due[0]
        if slip.corrects:
            return self._since, f"slip {slip.corrects} of an undone settlement was not taken back"
        return self._since, f"position {slip.position} was paid without a slip"

    def wrong(self, before: GamingTable, event: Any, *, at: Micros, actor: str, version: int) -> str:
        """What is wrong with an event of the table, in words, or empty."""
        match event:
            case e.RoundSettled() | e.SettlementReversed():
                self._owe(before, event, at, version)
            case PayoutSlip():
                return self._not_due(event, actor, version)
            case EntryCorrected():
                if event.authorised_by != actor:
                    return f"authorised by {event.authorised_by}, written by {actor}"
                if not before.round_first_version <= event.corrects < version:
                    return f"entry {event.corrects} is no entry of this round"
            case _:
                pass
        return ""

    def _owe(
        self, before: GamingTable, event: e.RoundSettled | e.SettlementReversed, at: Micros, version: int
    ) -> None:
        if not self._due:
            self._standing, self._number = list(before.round_slips), before.slips
        self._at, self._since = at, version
        if isinstance(event, e.SettlementReversed):
            new = [
                replace(taken_back(slip, event.clauses), confirmed_by=UNKNOWN)
                if slip.slip in self._claimed
                else taken_back(slip, event.clauses)
                for slip in self._standing
            ]
            self._standing = []
        else:
            assert before.opened is not None
            new = [] if before.opened.practice else slips_of(event.settlement)
            who = UNKNOWN if before.state.claim else ""
            new = [
                replace(
                    slip,
                    round_number=before.state.round_number,
                    confirmed_by=who if slip.jackpot else "",
                )
                for slip in new
            ]
        for slip in new:
            self._number += 1
            made = replace(slip, slip=self._number)
            self._due.append(made)
            if not made.corrects:
                self._standing.append(made)
                if made.confirmed_by == UNKNOWN:
                    self._claimed.add(made.slip)

    def _not_due(self, slip: PayoutSlip, actor: str, version: int) -> str:
        if not self._due:
            return "no slip is due here"
        due = replace(self._due.pop(0), authorised_by=actor)
        if due.confirmed_by == UNKNOWN:
            due = replace(due, confirmed_by=slip.confirmed_by)
            self.confirmed.append((slip.round_number, version, slip.confirmed_by))
        for name in _WRITTEN:
            if getattr(slip, name) != getattr(due, name):
                return f"the slip says {name} {getattr(slip, name)!r}, due is {getattr(due, name)!r}"
        return ""
