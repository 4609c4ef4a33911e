"""What keeps a player from playing on: exclusion, and the limits he set himself."""

from __future__ import annotations

from pitboss.floor import gaming_table as t
from pitboss.floor.desk import Draft, played_today, table_stream
from pitboss.money import Cents, format_cents
from pitboss.play.refusal import Refusal, refuse

MINUTE = 60_000_000


def kept_out(draft: Draft, player: str) -> Refusal | None:
    """The refusal of a player who is excluded."""
    patron = draft.registry.players[player]
    if patron.barred_at:
        return refuse(
            "barred",
            "{player} is barred from further play, by a ruling at {at}.",
            player=player,
            at=patron.barred_at[0],
        )
    if not patron.is_excluded(draft.day()):
        return None
    if not patron.excluded_until:
        return refuse("excluded", "{player} is excluded from play.", player=player)
    until = patron.excluded_until
    return refuse("excluded", "{player} is excluded from play until {until}.", player=player, until=until)


def out_of_time(draft: Draft, table: t.OpenTable, player: str) -> Refusal | None:
    """The refusal of a player whose own limit of minutes is used up."""
    limits = draft.registry.players[player].limits_on(draft.day())
    if limits.minutes is None:
        return None
    played = played_today(draft, player, currency=table.opened.currency).micros
    begins = _stays(draft, player)
    played += sum(draft.at - stay.since for stay in begins)
    if played < limits.minutes * MINUTE:
        return None
    return refuse(
        "time-limit",
        "{player} has played his {minutes} minutes of this gaming day.",
        player=player,
        minutes=limits.minutes,
    )


def out_of_money(draft: Draft, table: t.OpenTable, player: str, amount: Cents) -> Refusal | None:
    """The refusal of a wager that could take a player past his own limit of loss.

    What lies on layouts counts as lost. A hand that was begun may be finished.
    """
    limits = draft.registry.players[player].limits_on(draft.day())
    if limits.loss is None:
        return None
    currency = table.opened.currency
    lost: int = played_today(draft, player, currency=currency).lost
    for other in _tables_of(draft, player):
        if other.opened.currency == currency:
            stay = other.stays[player]
            lost += stay.bought - stay.taken - other.state.racks.get(player, 0)
    if lost + amount <= limits.loss:
        return None
    return refuse(
        "loss-limit",
        "{player} has set himself a limit of {amount} for this gaming day.",
        player=player,
        amount=format_cents(limits.loss),
    )


def _stays(draft: Draft, player: str) -> list[t.Stay]:
    return [table.stays[player] for table in _tables_of(draft, player)]


def _tables_of(draft: Draft, player: str) -> list[t.OpenTable]:
    found = [draft.find(table_stream(name), fresh=True).state for name in draft.registry.tables]
    return [table for closed in found if (table := closed.as_open) is not None and player in table.stays]
