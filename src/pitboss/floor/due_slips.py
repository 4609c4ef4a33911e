"""The payout slips that a table's record owes, held against those it has.

A settlement owes a slip for every jackpot award and large win, one that is undone owes a slip that takes each
back; they are written with the request that makes them due. Who has confirmed an award stands in the record
of the link: that is for whoever has folded both.

Slips were once made out to positions, and a record keeps what it has. At a table that was opened before they
are made out to players, a settlement may have those of either kind, until the first of the present kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.ports import Micros
from pitboss.floor.slips import BY_PLAYER, LARGE_WIN, slips_of, taken_back
from pitboss.floor.table_events import EntryCorrected, PayoutSlip
from pitboss.money import Cents
from pitboss.play import events as e
from pitboss.play.settlement import Settlement

UNKNOWN = "?"
"""In place of whoever has confirmed an award: the link's record tells."""

_WRITTEN = tuple(part.name for part in fields(PayoutSlip) if part.name != "reason")


@dataclass(slots=True)
class DueSlips:
    """What one table still owes while its stream is folded.

    `confirmed` are the slips of awards that a claim was for: the round, the version, and who is said to have
    confirmed it. `_instead` is what is owed if it turns out that the table still made slips out to positions.
    """

    confirmed: list[tuple[int, int, str]] = field(default_factory=list)
    _due: list[PayoutSlip] = field(default_factory=list)
    _instead: list[PayoutSlip] | None = None
    _by_player: bool = False
    _standing: list[PayoutSlip] = field(default_factory=list)
    _claimed: set[int] = field(default_factory=set)
    _number: int = 0
    _at: Micros = Micros(0)  # noqa: RUF009
    _since: int = 0

    def missing(self, at: Micros | None = None) -> tuple[int, str] | None:
        """What is owed since an earlier request (or at all): the version that made it due, and in words."""
        if at == self._at:
            return None
        if self._instead is not None:  # none was written: right if one of the two kinds owes none
            if not self._instead:
                self._due = []
            self._instead = None
        if not self._due:
            return None
        slip = self._due[0]
        if slip.corrects:
            return self._since, f"slip {slip.corrects} of an undone settlement was not taken back"
        return self._since, f"{slip.player} was paid at position {slip.position} without a slip"

    def wrong(self, before: OpenTable, event: Any, *, at: Micros, actor: str, version: int) -> str:
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
        self, before: OpenTable, event: e.RoundSettled | e.SettlementReversed, at: Micros, version: int
    ) -> None:
        if not self._due:
            self._standing, self._number = list(before.round_slips), before.slips
        self._at, self._since = at, version
        if isinstance(event, e.SettlementReversed):
            back = [
                replace(taken_back(slip, event.clauses), confirmed_by=UNKNOWN)
                if slip.slip in self._claimed
                else taken_back(slip, event.clauses)
                for slip in self._standing
            ]
            self._standing = []
            self._due += self._numbered(back)
            self._number += len(back)
            return
        if before.opened.practice:
            return
        earlier = list(self._due)
        made = self._numbered(_of_round(before, slips_of(event.settlement, before.state.plan)))
        self._by_player = self._by_player or before.opened.slips_by == BY_PLAYER
        if not self._by_player:
            by_position = self._numbered(_of_round(before, slips_by_position(event.settlement)))
            self._instead = earlier + by_position
        self._due += made
        self._number += len(made)
        self._standing += made

    def _numbered(self, slips: list[PayoutSlip]) -> list[PayoutSlip]:
        return [replace(slip, slip=self._number + n) for n, slip in enumerate(slips, 1)]

    def _not_due(self, slip: PayoutSlip, actor: str, version: int) -> str:
        if self._instead is not None and slip.corrects:
            self._instead = self._instead[1:]
        elif not slip.corrects:
            if self._instead is not None and not slip.positions:
                self._due = self._instead
            self._instead = None
            self._by_player = self._by_player or bool(slip.positions)
        if not self._due:
            return "no slip is due here"
        due = replace(self._due.pop(0), authorised_by=actor)
        if due.confirmed_by == UNKNOWN:
            due = replace(due, confirmed_by=slip.confirmed_by)
            self.confirmed.append((slip.round_number, version, slip.confirmed_by))
            if not slip.corrects:
                self._claimed.add(slip.slip)
        for name in _WRITTEN:
            if getattr(slip, name) != getattr(due, name):
                return f"the slip says {name} {getattr(slip, name)!r}, due is {getattr(due, name)!r}"
        return ""


def _of_round(before: OpenTable, slips: list[PayoutSlip]) -> list[PayoutSlip]:
    who = UNKNOWN if before.state.claim else ""
    number = before.state.round_number
    return [replace(slip, round_number=number, confirmed_by=who if slip.jackpot else "") for slip in slips]


def slips_by_position(settlement: Settlement) -> list[PayoutSlip]:
    """The slips of a settlement as they were before they were made out to players; none is written any more.

    One for every position with a jackpot award or a large win, over all that it was paid.
    """
    awards: dict[int, int] = {}
    for award in settlement.jackpot.awards if settlement.jackpot is not None else ():
        awards[award.position] = awards.get(award.position, 0) + award.amount
    found = []
    for seat in settlement.seats:
        paid = Cents(sum(line.paid for line in seat.lines))
        jackpot = Cents(awards.get(seat.position, 0))
        if not jackpot and paid < LARGE_WIN:
            continue
        cited = [clause for line in seat.lines if line.paid for clause in line.clauses]
        found.append(
            PayoutSlip(
                slip=0,
                round_number=0,
                position=seat.position,
                player=seat.player,
                amount=paid,
                jackpot=jackpot,
                confirmed_by="",
                corrects=0,
                reason="",
                authorised_by="",
                clauses=tuple(dict.fromkeys(cited)),
            )
        )
    return found
