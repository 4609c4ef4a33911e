"""The papers of a payment: payout slips for jackpot awards and large wins, and what corrects an entry.

Nothing that was written is changed. A slip whose settlement is undone is taken back by another slip that
names it; an entry that was wrong is named by the one that corrects it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pitboss.floor.codec import decode
from pitboss.floor.desk import Draft, table_stream
from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.table_events import EntryCorrected, PayoutSlip, TableEvent
from pitboss.money import NOTHING, Cents
from pitboss.play import events as e
from pitboss.play.settlement import OwnerShare, Settlement, SettlementLine
from pitboss.rulebooks.plan import Clauses, Plan, WagerName

LARGE_WIN = Cents(1_000_000)
"""From ten thousand on a win is large: it has a slip, and is in the large-win report.

What counts is all that one player is paid in a round, jackpot awards and every position of his together.
"""
BY_PLAYER = "player"
"""What a table is opened with whose slips are made out to players."""


def papers(
    draft: Draft, table: OpenTable, outcome: Sequence[e.Event], *, confirmed_by: str
) -> list[TableEvent]:
    """What is written beside the events of a step, where it pays or corrects something."""
    made: list[TableEvent] = []
    standing, number = list(table.round_slips), table.slips
    reason = next((why for why in map(why_of, outcome) if why), "")
    by = str(draft.asker)
    for event in outcome:
        old = _what_it_corrects(draft, table, event)
        if old:
            made.append(
                EntryCorrected(
                    corrects=old,
                    what=_what(event),
                    reason=getattr(event, "reason", "") or reason,
                    authorised_by=by,
                    clauses=_clauses(event),
                )
            )
        if isinstance(event, e.SettlementReversed):
            for slip in standing:
                number += 1
                back = taken_back(slip, _clauses(event))
                made.append(replace(back, slip=number, reason=reason, authorised_by=by))
            standing = []
        if isinstance(event, e.RoundSettled) and not table.opened.practice:
            for slip in slips_of(event.settlement, table.state.plan):
                number += 1
                slip = replace(
                    slip,
                    slip=number,
                    round_number=table.state.round_number,
                    confirmed_by=confirmed_by if slip.jackpot else "",
                    authorised_by=by,
                )
                made.append(slip)
                standing.append(slip)
    return made


def taken_back(slip: PayoutSlip, clauses: Clauses) -> PayoutSlip:
    """The slip that takes another back, numbered later."""
    return replace(
        slip,
        slip=0,
        amount=Cents(-slip.amount),
        jackpot=Cents(-slip.jackpot),
        corrects=slip.slip,
        clauses=clauses,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """What a player is paid in a round and has one paper for: an award of the jackpot, or all else together.

    Of a pooled hand it is his own share. `together` is all that he is paid in the round, on whatever
    positions; that says whether his win is large. `jackpot` is the award, and nothing for all else.
    """

    player: str
    positions: tuple[int, ...]
    wagers: tuple[WagerName, ...]
    amount: Cents
    jackpot: Cents
    together: Cents
    clauses: Clauses


def wins_of(settlement: Settlement, plan: Plan) -> list[Win]:
    """Everything that a settlement pays, by player: first the awards of the jackpot, each for itself."""
    awards: list[_Paid] = []
    others: dict[str, list[_Paid]] = {}
    together: dict[str, int] = {}
    for seat in settlement.seats:
        for owner in seat.owners or (OwnerShare(player=seat.player, lines=seat.lines),):
            for line in owner.lines:
                if not line.paid:
                    continue
                paid = _Paid(owner.player, seat.position, line)
                together[owner.player] = together.get(owner.player, 0) + line.paid
                if plan.jackpot is not None and line.wager == plan.jackpot.wager:
                    awards.append(paid)
                else:
                    others.setdefault(owner.player, []).append(paid)
    found = [(award.line.paid, [award]) for award in awards]
    found += [(NOTHING, paid) for paid in others.values()]
    return [
        Win(
            player=paid[0].player,
            positions=tuple(dict.fromkeys(part.position for part in paid)),
            wagers=tuple(dict.fromkeys(part.line.wager for part in paid)),
            amount=Cents(sum(part.line.paid for part in paid)),
            jackpot=award,
            together=Cents(together[paid[0].player]),
            clauses=tuple(dict.fromkeys(clause for part in paid for clause in part.line.clauses)),
        )
        for award, paid in found
    ]


class _Paid(NamedTuple):
    player: str
    position: int
    line: SettlementLine


def slips_of(settlement: Settlement, plan: Plan) -> list[PayoutSlip]:
    """A slip for every jackpot award, and for the rest of what a player with a large win is paid.

    They are numbered later.
    """
    return [
        PayoutSlip(
            slip=0,
            round_number=0,
            position=win.positions[0],
            player=win.player,
            amount=win.amount,
            jackpot=win.jackpot,
            confirmed_by="",
            corrects=0,
            reason="",
            authorised_by="",
            clauses=win.clauses,
            positions=win.positions,
        )
        for win in wins_of(settlement, plan)
        if win.jackpot or win.together >= LARGE_WIN
    ]


def why_of(event: Any) -> str:
    """The reason that an event gives for what is undone with it; empty for one that gives none."""
    if isinstance(event, e.RulingGiven):
        return f"ruling {event.ruling.value}: {event.what}"
    if isinstance(event, e.IrregularityReported):
        return event.kind.value + (f": {event.what}" if event.what else "")
    return ""


def _what(event: Any) -> str:
    match event:
        case e.CardCorrected(right=right) if right is not None:
            return f"{right.code} lies at {event.place}, not {event.wrong.code}"
        case e.CardCorrected():
            return f"{event.wrong.code} at {event.place} was taken back"
        case e.DecisionTakenBack():
            return f"position {event.position} had not chosen to {event.choice}"
        case _:
            return "the settlement is undone"


def _clauses(event: Any) -> Clauses:
    return tuple(getattr(event, "clauses", ()))


def _what_it_corrects(draft: Draft, table: OpenTable, event: e.Event) -> int:
    """The version of the entry of this round that an event corrects; 0 for one that corrects nothing."""
    if not isinstance(event, e.CardCorrected | e.DecisionTakenBack | e.SettlementReversed):
        return 0
    found = 0
    for recorded in draft.reader.read(table_stream(table.table), after=table.round_first_version - 1):
        if _is_corrected_by(decode(recorded), event):
            found = recorded.version
    return found


def _is_corrected_by(old: Any, event: e.CardCorrected | e.DecisionTakenBack | e.SettlementReversed) -> bool:
    match event:
        case e.SettlementReversed():
            return isinstance(old, e.RoundSettled)
        case e.DecisionTakenBack():
            chosen = e.DecisionMade | e.PlayerAbsent | e.ComparisonDeclined
            return isinstance(old, chosen) and old.position == event.position
        case e.CardCorrected():
            if isinstance(old, e.CardEntered):
                return (old.place, old.card) == (event.place, event.wrong)
            return isinstance(old, e.CardCorrected) and (old.place, old.right) == (event.place, event.wrong)
