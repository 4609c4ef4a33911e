"""Chips: counted, bought, redeemed, filled and credited; and the limits players set themselves."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.errors import BadInput
from pitboss.floor import gaming_table as t
from pitboss.floor import patrons
from pitboss.floor import requests as q
from pitboss.floor import table_events as te
from pitboss.floor.allowances import kept_out, out_of_time
from pitboss.floor.authority import SECOND_PERSON
from pitboss.floor.desk import Draft
from pitboss.floor.house import find_player
from pitboss.floor.people import not_at_this_table, outranked, second_person
from pitboss.money import UNITS_PER_CENT, Cents, format_cents
from pitboss.play import events as e
from pitboss.play.refusal import Refusal, refuse
from pitboss.rulebooks.vocabulary import Position

MOST_CENTS = Cents(10**11)
"""A billion: more than any count or purse; what is larger is a slip of the hand."""


def check_amount(what: str, amount: Cents) -> Cents:
    """An amount that can be meant. Raises `BadInput` for nothing, less, or absurdly much."""
    if amount > MOST_CENTS:
        raise BadInput(
            what, f"{format_cents(amount)} is no such amount", f"write at most {format_cents(MOST_CENTS)}"
        )
    if amount <= 0:
        raise BadInput(what, f"{format_cents(amount)} is no such amount", "write more than nothing")
    return amount


def check_count(what: str, count: Mapping[int, int], denominations: tuple[Cents, ...]) -> Cents:
    """What a count of chips comes to. Raises `BadInput` for chips that do not exist."""
    known = [int(denomination) for denomination in denominations]
    for denomination, number in count.items():
        if denomination not in known:
            have = ", ".join(format_cents(Cents(value)) for value in known)
            raise BadInput(what, f"no chip of {format_cents(Cents(denomination))}", f"there are {have}")
        if number < 0:
            raise BadInput(what, f"{number} chips", "write how many there are")
        if denomination * number > MOST_CENTS:
            chips = f"{number} chips of {format_cents(Cents(denomination))}"
            raise BadInput(what, chips, f"together they are at most {format_cents(MOST_CENTS)}")
    return te.worth(count)


def change_for(amount: Cents, denominations: tuple[Cents, ...]) -> dict[int, int]:
    """Chips for an amount, large ones first. What no chip can pay is left out."""
    chips: dict[int, int] = {}
    for denomination in sorted((int(d) for d in denominations), reverse=True):
        number, rest = divmod(amount, denomination)
        if number:
            chips[denomination] = number
        amount = Cents(rest)
    return chips


def buy_in(draft: Draft, request: q.BuyIn) -> Refusal | None:
    """Cash into the drop box, chips to the player's rack."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    refusal = _banker(draft, table, request.player)
    if refusal is not None:
        return refusal
    find_player(draft, request.player)
    check_amount("amount", request.amount)
    refusal = kept_out(draft, request.player) or out_of_time(draft, table, request.player)
    if refusal is not None:
        return refusal
    house = table.state.plan.book.house
    if request.amount % house.chip:
        unit = format_cents(house.chip)
        raise BadInput(
            "amount", f"{format_cents(request.amount)} is not whole chips", f"chips begin at {unit}"
        )
    if table.state.racks.get(request.player, 0) + request.amount > MOST_CENTS:
        raise BadInput("amount", "that is more than a rack holds", "buy in for less")
    accounts = table.accounts
    held = draft.reader.balances([accounts.float])[accounts.float] // UNITS_PER_CENT
    if held < request.amount and not table.opened.practice:
        return refuse(
            "float-short",
            "The float holds {amount}; a fill is needed first.",
            amount=format_cents(Cents(held)),
        )
    chips = change_for(request.amount, house.denominations)
    draft.record_at(
        request.table,
        [
            te.BoughtIn(player=request.player, amount=request.amount, chips=chips),
            e.RackChanged(player=request.player, amount=request.amount),
        ],
    )
    return None


def cash_out(draft: Draft, request: q.CashOut) -> Refusal | None:
    """Chips for cash. Who takes all of them leaves the table; his stay is over."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    refusal = _banker(draft, table, request.player)
    if refusal is not None:
        return refusal
    find_player(draft, request.player)
    if request.player not in table.state.racks and request.player not in table.stays:
        return refuse("no-rack", "{player} has no chips at this table.", player=request.player)
    rack = table.state.racks.get(request.player, Cents(0))
    amount = rack if request.amount is None else check_amount("amount", request.amount)
    if amount > rack:
        return refuse("not-enough-chips", "The rack holds {have}.", have=format_cents(rack))
    leaves = amount == rack
    staked = any(
        request.player in owners
        for box in table.state.boxes.values()
        for owners in (*box.stakes.values(), *box.forfeited.values())
    )
    if leaves and table.in_round and staked:
        return refuse(
            "chips-in-play", "{player} has chips in a round that is not concluded.", player=request.player
        )
    events: list[te.AnyTableEvent] = [
        te.CashedOut(player=request.player, amount=amount, leaves=leaves),
        e.RackChanged(player=request.player, amount=Cents(-amount)),
    ]
    events += [
        te.SeatLeft(position=n, player=player)
        for n, player in table.seats.items()
        if leaves and player == request.player
    ]
    stay = table.stays.get(request.player)
    draft.record_at(request.table, events)
    if leaves and stay is not None:
        ended = patrons.StayEnded(
            table=request.table,
            gaming_day=draft.day(),
            currency=table.opened.currency,
            since=stay.since,
            bought=stay.bought,
            taken=Cents(stay.taken + amount),
        )
        draft.find(patrons.stream_of(request.player), fresh=True)
        draft.record(patrons.stream_of(request.player), [ended])
    draft.answer["paid"] = format_cents(amount)
    return None


def _banker(draft: Draft, table: t.OpenTable, player: str) -> Refusal | None:
    """Staff sell and redeem chips; at a practice table a player helps himself."""
    if draft.asker.kind == "player" and table.opened.practice and draft.asker.name == player:
        return None
    refusal = outranked(draft.registry, draft.asker, Position.DEALER)
    return refusal or not_at_this_table(draft.registry, draft.asker, table.staff)


def fill(draft: Draft, request: q.Fill) -> Refusal | None:
    """Chips from the cage, by two persons."""
    return _move_chips(draft, request, te.Filled(count=dict(request.count), witness=request.witness))


def credit(draft: Draft, request: q.Credit) -> Refusal | None:
    """Chips to the cage, by two persons."""
    table = draft.table(request.table)
    if isinstance(table, t.OpenTable):
        held = draft.reader.balances([table.accounts.float])[table.accounts.float]
        if held < te.worth(request.count) * UNITS_PER_CENT:
            return refuse(
                "float-short", "The float holds {amount}.", amount=format_cents(Cents(held // UNITS_PER_CENT))
            )
    return _move_chips(draft, request, te.Credited(count=dict(request.count), witness=request.witness))


def _move_chips(draft: Draft, request: q.Fill | q.Credit, event: te.Filled | te.Credited) -> Refusal | None:
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    refusal = second_person(draft.registry, draft.asker, request.witness, SECOND_PERSON[type(request)])
    if refusal is not None:
        return refusal
    check_count("count", request.count, table.state.plan.book.house.denominations)
    check_amount("count", te.worth(request.count))
    draft.record_at(request.table, [event])
    return None
