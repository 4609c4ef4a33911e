"""Whether a settlement fits together, line by line, whatever rules it was made by."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.money import Cents, to_units
from pitboss.play.settlement import Settlement, SettlementLine
from pitboss.play.table import State


def not_whole(state: State, settlement: Settlement, *, void: bool) -> str:
    """Whether the lines of a settlement do not fit together, or are of nobody who plays."""
    moves = settlement.movements
    total = sum(moves.players.values()) + moves.table_float + moves.house + moves.meter
    if total:
        return f"the settlement's movements add up to {total}"
    wagers = {wager.name for wager in state.plan.wagers}
    for seat in settlement.seats:
        box = state.boxes.get(seat.position)
        if box is None or box.player != seat.player:
            return f"{seat.player} does not play at position {seat.position}"
        lines = [*seat.lines, *(line for owner in seat.owners for line in owner.lines)]
        for line in lines:
            if line.wager not in wagers or not _adds_up(line) or (void and (line.collected or line.paid)):
                return f"position {seat.position} {line.wager}: the line does not add up"
        if seat.owners and _summed(seat.lines) != _summed(lines[len(seat.lines) :]):
            return f"the owners of position {seat.position} do not get what the position has"
        owners = {owner for stakes in (box.stakes, box.forfeited) for by in stakes.values() for owner in by}
        if box.removal is not None:
            owners |= {owner for by in box.removal.stakes.values() for owner in by}
        for owner in seat.owners:
            if owner.player not in owners:
                return f"{owner.player} has no share of position {seat.position}"
    return _not_moved(state, settlement) or _not_awarded(settlement)


def _not_moved(state: State, settlement: Settlement) -> str:
    """Whether a player wins or loses another amount by the lines than was moved.

    The share of an owner who could not go along was moved when it was folded.
    """
    moved_before = {owner for box in state.boxes.values() for by in box.forfeited.values() for owner in by}
    by_lines: dict[str, int] = {}
    for seat in settlement.seats:
        mine = [(owner.player, owner.lines) for owner in seat.owners] or [(seat.player, seat.lines)]
        for player, lines in mine:
            net = sum(line.paid - line.collected for line in lines)
            by_lines[player] = by_lines.get(player, 0) + to_units(Cents(net))
    players = settlement.movements.players
    for player in sorted({*by_lines, *players} - moved_before):
        due, moved = by_lines.get(player, 0), players.get(player, 0)
        if due != moved:
            return f"by the lines {player} gets {due} units, {moved} were moved"
    return ""


def _adds_up(line: SettlementLine) -> bool:
    amounts = (line.stake, line.returned, line.collected, line.paid)
    return line.stake == line.returned + line.collected and min(amounts) >= 0


def _summed(lines: Iterable[SettlementLine]) -> dict[tuple[str, str], int]:
    sums: dict[tuple[str, str], int] = {}
    for line in lines:
        for name in ("stake", "returned", "collected", "paid"):
            sums[line.wager, name] = sums.get((line.wager, name), 0) + getattr(line, name)
    return {place: amount for place, amount in sums.items() if amount}


def _not_awarded(settlement: Settlement) -> str:
    found = settlement.jackpot
    if found is None:
        return ""
    paid = sum(to_units(award.amount) for award in found.awards if award.from_meter)
    moved = found.house_funded - paid - found.reversed_contributions - found.fixed_from_meter
    if found.after - found.before != moved:
        return f"the meter goes from {found.before} to {found.after}, moved is {moved}"
    seats = {seat.position: seat.player for seat in settlement.seats}
    strangers = [award for award in found.awards if seats.get(award.position) != award.player]
    return f"an award of {strangers[0].player} at another's position" if strangers else ""
