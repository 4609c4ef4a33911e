"""Tables: added, opened with their equipment and chips, staffed, seated, banked, and closed with a count."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.errors import BadInput, near_miss
from pitboss.floor import gaming_table as t
from pitboss.floor import patrons
from pitboss.floor import requests as q
from pitboss.floor.desk import Draft, link_stream, played_today, table_stream
from pitboss.floor.house import check_name, find_person, find_player, find_rulebook
from pitboss.floor.link import Link
from pitboss.floor.link_events import MemberJoined, MemberLeft
from pitboss.floor.people import not_at_this_table, outranked, second_person
from pitboss.floor.registry import STREAM, TableAdded
from pitboss.money import UNITS_PER_CENT, Cents, format_cents
from pitboss.play import events as e
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.table import JackpotTerms
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import Position

MINUTE = 60_000_000
MOST_CENTS = Cents(10**11)
"""A billion: more than any count or purse; what is larger is a slip of the hand."""


def check_amount(what: str, amount: Cents) -> Cents:
    """An amount that can be meant. Raises `BadInput` for nothing, less, or absurdly much."""
    if amount <= 0 or amount > MOST_CENTS:
        raise BadInput(what, f"{format_cents(amount)} is no such amount", "write more than nothing")
    return amount


def check_count(what: str, count: Mapping[int, int], denominations: tuple[Cents, ...]) -> Cents:
    """What a count of chips comes to. Raises `BadInput` for chips that do not exist."""
    known = [int(denomination) for denomination in denominations]
    for denomination, number in count.items():
        if denomination not in known:
            have = ", ".join(format_cents(Cents(value)) for value in known)
            raise BadInput(what, f"no chip of {format_cents(Cents(denomination))}", f"there are {have}")
        if number < 0 or denomination * number > MOST_CENTS:
            raise BadInput(what, f"{number} chips", "write how many there are")
    return t.worth(count)


def change_for(amount: Cents, denominations: tuple[Cents, ...]) -> dict[int, int]:
    """Chips for an amount, large ones first. What no chip can pay is left out."""
    chips: dict[int, int] = {}
    for denomination in sorted((int(d) for d in denominations), reverse=True):
        number, rest = divmod(amount, denomination)
        if number:
            chips[denomination] = number
        amount = Cents(rest)
    return chips


def add_table(draft: Draft, request: q.AddTable) -> Refusal | None:
    """A place for a table on the floor."""
    check_name("table", request.table)
    if request.table in draft.registry.tables:
        return Refusal("table-exists", f"There is a table '{request.table}' already.")
    draft.record(STREAM, [TableAdded(table=request.table)])
    return None


def open_table(draft: Draft, request: q.OpenTable) -> Refusal | None:
    """A table opens with a rulebook in force, its equipment seen, and its chips counted."""
    table = draft.table(request.table)
    if table.is_open:
        return Refusal("table-open", f"Table {request.table} is open.")
    hashed = find_rulebook(draft, request.rulebook)
    adopted = draft.registry.rulebooks[hashed]
    if not adopted.in_force:
        have = len(adopted.approved_by)
        return Refusal("not-in-force", f"Rulebook {hashed[:12]} is not in force: {have} of 2 approvals.")
    plan = draft.desk.plan_of(hashed)
    procedure = _choose("procedure", request.procedure, [known.name for known in plan.procedures])
    layout = next(known for known in plan.book.layouts if known.name == _layout(plan, request))
    house = plan.book.house
    positions = request.positions if request.positions is not None else house.positions
    low, high = layout.positions
    if not low <= positions <= high:
        raise BadInput("positions", f"{positions} positions", f"layout {layout.name} has {low} to {high}")
    if request.cards not in (t.PHYSICAL, t.VIRTUAL):
        raise BadInput("cards", f"no '{request.cards}' cards", f"write {t.PHYSICAL} or {t.VIRTUAL}")
    refusal = _equipment_missing(plan, request, procedure)
    if refusal is not None:
        return refusal
    check_count("count", request.count, house.denominations)
    currency = t.PRACTICE_CURRENCY if request.practice else house.currency
    limits = _limits(plan, request.limits)
    jackpot: JackpotTerms | None = None
    if request.link:
        joined = _joining(draft, plan, request, currency)
        if isinstance(joined, Refusal):
            return joined
        jackpot = joined
    seconds = request.decision_seconds if request.decision_seconds is not None else house.decision_seconds
    if not 1 <= seconds <= 3600:
        raise BadInput("decision_seconds", f"{seconds} seconds", "write 1 to 3600")
    draft.record(
        table_stream(request.table),
        [
            t.TableOpened(
                gaming_day=draft.day(),
                rulebook=hashed,
                layout=layout.name,
                procedure=procedure,
                positions=positions,
                limits=limits,
                cards=request.cards,
                practice=request.practice,
                currency=currency,
                decision_seconds=seconds,
                chip=house.chip,
                link=request.link,
                jackpot=jackpot,
                checklist=request.checklist,
                count=dict(request.count),
            )
        ],
    )
    return None


def _layout(plan: Plan, request: q.OpenTable) -> str:
    names = [layout.name for layout in plan.book.layouts]
    if request.layout:
        return _choose("layout", request.layout, names)
    wanted = request.positions if request.positions is not None else plan.book.house.positions
    for layout in plan.book.layouts:
        if layout.positions[0] <= wanted <= layout.positions[1]:
            return layout.name
    return names[0]


def _choose(what: str, wanted: str, names: list[str]) -> str:
    if wanted and wanted not in names:
        raise BadInput(what, f"no {what} '{wanted}'", near_miss(wanted, names))
    return wanted or names[0]


def _equipment_missing(plan: Plan, request: q.OpenTable, procedure: str) -> Refusal | None:
    """A physical table opens once everything the book lists was seen there."""
    wanted = [item for item in plan.book.equipment if not item.procedures or procedure in item.procedures]
    names = [item.name for item in plan.book.equipment]
    for seen in request.checklist:
        if seen not in names:
            raise BadInput("checklist", f"no equipment '{seen}'", near_miss(seen, names))
    if request.cards == t.VIRTUAL:
        return None
    missing = [item for item in wanted if item.name not in request.checklist]
    if not missing:
        return None
    text = f"Not seen at the table: {', '.join(item.name for item in missing)}."
    return refuse("equipment-missing", text, *[item.clauses for item in missing])


def _limits(plan: Plan, limits: Mapping[str, tuple[Cents, ...]] | None) -> dict[str, tuple[Cents, ...]]:
    chosen = plan.book.house.limits if limits is None else limits
    names = [wager.name for wager in plan.wagers if wager.placed == "before-deal" and wager.units is None]
    for name, limit in chosen.items():
        if name not in names:
            raise BadInput("limits", f"no limit for '{name}'", near_miss(name, names))
        if len(limit) != 2 or not 0 < limit[0] <= limit[1]:
            raise BadInput(f"limits.{name}", "no such limits", "write the minimum and the maximum")
    return {name: (Cents(limit[0]), Cents(limit[1])) for name, limit in chosen.items()}


def _joining(draft: Draft, plan: Plan, request: q.OpenTable, currency: str) -> JackpotTerms | Refusal:
    """The terms of a link that a table joins as it opens."""
    if plan.jackpot is None:
        raise BadInput("link", f"{plan.id} has no jackpot", "leave the link out")
    link = draft.link(request.link)
    if link.currency != currency:
        return Refusal("other-currency", f"The link is in {link.currency}, the table in {currency}.")
    if request.table not in link.members:
        draft.record(link_stream(request.link), [MemberJoined(table=request.table)])
    return linked_terms(link)


def linked_terms(link: Link) -> JackpotTerms:
    """The jackpot as a member table knows it."""
    terms = link.terms
    return JackpotTerms(unit=terms.unit, reset=terms.reset, increment_bp=terms.increment_bp, linked=True)


def close_table(draft: Draft, request: q.CloseTable) -> Refusal | None:
    """A table closes between rounds, with nobody's chips on it, by a count."""
    table = draft.table(request.table)
    refusal = must_be_open(table)
    if refusal is not None:
        return refusal
    if table.in_round:
        return Refusal("round-open", "A round is in play; it is concluded first.")
    if table.state.suspension is not None:
        return Refusal("suspended", "A ruling is awaited on the last round; it is given first.")
    if table.state.racks:
        names = ", ".join(sorted(table.state.racks))
        return Refusal("chips-at-table", f"Players still have chips here: {names}. They cash out first.")
    assert table.opened is not None
    plan = table.state.plan
    check_count("count", request.count, plan.book.house.denominations)
    accounts = table.accounts
    held = draft.reader.balances([accounts.float, accounts.drop])
    expected_drop = Cents(held[accounts.drop] // UNITS_PER_CENT)
    drop = expected_drop if request.drop is None else request.drop
    if drop < 0:
        raise BadInput("drop", "a count is not negative", "write what was counted")
    draft.record(
        table_stream(request.table),
        [
            t.TableClosed(
                count=dict(request.count),
                expected=Cents(held[accounts.float] // UNITS_PER_CENT),
                drop=drop,
                expected_drop=expected_drop,
            )
        ],
    )
    if table.opened.link:
        draft.record(link_stream(table.opened.link), [MemberLeft(table=request.table)])
    counted = t.worth(request.count)
    draft.answer["over_short"] = format_cents(
        Cents(counted + drop - held[accounts.float] // UNITS_PER_CENT - expected_drop)
    )
    return None


def must_be_open(table: t.GamingTable) -> Refusal | None:
    """The refusal of an act at a table that is closed."""
    if table.is_open:
        return None
    return Refusal("table-closed", f"Table {table.table} is not open.")


# --- staff and seats ------------------------------------------------------------------------------------


def assign_staff(draft: Draft, request: q.AssignStaff) -> Refusal | None:
    """Somebody begins a shift at a table."""
    table = draft.table(request.table)
    refusal = must_be_open(table)
    if refusal is not None:
        return refusal
    position = find_person(draft, request.person)
    if request.person in table.staff:
        return Refusal("on-shift", f"{request.person} is on shift here.")
    draft.record(table_stream(request.table), [t.StaffAssigned(person=request.person, position=position)])
    return None


def relieve_staff(draft: Draft, request: q.RelieveStaff) -> Refusal | None:
    """A shift at a table ends."""
    table = draft.table(request.table)
    find_person(draft, request.person)
    if request.person not in table.staff:
        return Refusal("not-on-shift", f"{request.person} is not on shift here.")
    draft.record(table_stream(request.table), [t.StaffRelieved(person=request.person)])
    return None


def take_seat(draft: Draft, request: q.TakeSeat) -> Refusal | None:
    """A player sits down at a position that is free."""
    table = draft.table(request.table)
    refusal = must_be_open(table) or _himself_or_staff(draft, table, request.player)
    if refusal is not None:
        return refusal
    find_player(draft, request.player)
    refusal = kept_out(draft, request.player)
    if refusal is not None:
        return refusal
    assert table.opened is not None
    if not 1 <= request.position <= table.opened.positions:
        raise BadInput(
            "position", f"no position {request.position}", f"there are 1 to {table.opened.positions}"
        )
    holder = table.seats.get(request.position)
    if holder is not None:
        return Refusal("seat-taken", f"{holder} sits at position {request.position}.")
    draft.record(table_stream(request.table), [t.SeatTaken(position=request.position, player=request.player)])
    return None


def leave_seat(draft: Draft, request: q.LeaveSeat) -> Refusal | None:
    """A position is free again; wagers that lie there stay in the round."""
    table = draft.table(request.table)
    holder = table.seats.get(request.position)
    if holder is None:
        return Refusal("seat-free", f"Nobody sits at position {request.position}.")
    refusal = _himself_or_staff(draft, table, holder)
    if refusal is not None:
        return refusal
    draft.record(table_stream(request.table), [t.SeatLeft(position=request.position, player=holder)])
    return None


def _himself_or_staff(draft: Draft, table: t.GamingTable, player: str) -> Refusal | None:
    if draft.asker.kind == "player":
        return None if draft.asker.name == player else Refusal("not-you", "A player acts for himself.")
    refusal = outranked(draft.registry, draft.asker, Position.DEALER)
    return refusal or not_at_this_table(draft.registry, draft.asker, table.staff)


def kept_out(draft: Draft, player: str) -> Refusal | None:
    """The refusal of a player who is excluded."""
    patron = draft.registry.players[player]
    if patron.barred_at:
        return Refusal(
            "barred", f"{player} is barred from further play, by a ruling at {patron.barred_at[0]}."
        )
    if not patron.is_excluded(draft.day()):
        return None
    until = f" until {patron.excluded_until}" if patron.excluded_until else ""
    return Refusal("excluded", f"{player} is excluded from play{until}.")


# --- chips --------------------------------------------------------------------------------------------


def buy_in(draft: Draft, request: q.BuyIn) -> Refusal | None:
    """Cash into the drop box, chips to the player's rack."""
    table = draft.table(request.table)
    refusal = must_be_open(table) or _banker(draft, table, request.player)
    if refusal is not None:
        return refusal
    find_player(draft, request.player)
    check_amount("amount", request.amount)
    refusal = kept_out(draft, request.player) or out_of_time(draft, table, request.player)
    if refusal is not None:
        return refusal
    assert table.opened is not None
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
        text = f"The float holds {format_cents(Cents(held))}; a fill is needed first."
        return Refusal("float-short", text)
    chips = change_for(request.amount, house.denominations)
    draft.record(
        table_stream(request.table),
        [
            t.BoughtIn(player=request.player, amount=request.amount, chips=chips),
            e.RackChanged(player=request.player, amount=request.amount),
        ],
    )
    return None


def cash_out(draft: Draft, request: q.CashOut) -> Refusal | None:
    """Chips for cash. Who takes all of them leaves the table; his stay is over."""
    table = draft.table(request.table)
    refusal = must_be_open(table) or _banker(draft, table, request.player)
    if refusal is not None:
        return refusal
    find_player(draft, request.player)
    if request.player not in table.state.racks and request.player not in table.stays:
        return Refusal("no-rack", f"{request.player} has no chips at this table.")
    rack = table.state.racks.get(request.player, Cents(0))
    amount = rack if request.amount is None else check_amount("amount", request.amount)
    if amount > rack:
        return Refusal("not-enough-chips", f"The rack holds {format_cents(rack)}.")
    leaves = amount == rack
    staked = any(
        request.player in owners
        for box in table.state.boxes.values()
        for owners in (*box.stakes.values(), *box.forfeited.values())
    )
    if leaves and table.in_round and staked:
        return Refusal("chips-in-play", f"{request.player} has chips in a round that is not concluded.")
    events: list[t.AnyTableEvent] = [
        t.CashedOut(player=request.player, amount=amount, leaves=leaves),
        e.RackChanged(player=request.player, amount=Cents(-amount)),
    ]
    events += [
        t.SeatLeft(position=n, player=player)
        for n, player in table.seats.items()
        if leaves and player == request.player
    ]
    stay = table.stays.get(request.player)
    draft.record(table_stream(request.table), events)
    if leaves and stay is not None and table.opened is not None:
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


def _banker(draft: Draft, table: t.GamingTable, player: str) -> Refusal | None:
    """Staff sell and redeem chips; at a practice table a player helps himself."""
    practice = table.opened is not None and table.opened.practice
    if draft.asker.kind == "player" and practice and draft.asker.name == player:
        return None
    refusal = outranked(draft.registry, draft.asker, Position.DEALER)
    return refusal or not_at_this_table(draft.registry, draft.asker, table.staff)


def out_of_time(draft: Draft, table: t.GamingTable, player: str) -> Refusal | None:
    """The refusal of a player whose own limit of minutes is used up."""
    limits = draft.registry.players[player].limits_on(draft.day())
    if limits.minutes is None:
        return None
    assert table.opened is not None
    played = played_today(draft, player, currency=table.opened.currency).micros
    begins = _stays(draft, player)
    played += sum(draft.at - stay.since for stay in begins)
    if played < limits.minutes * MINUTE:
        return None
    return Refusal("time-limit", f"{player} has played his {limits.minutes} minutes of this gaming day.")


def out_of_money(draft: Draft, table: t.GamingTable, player: str, amount: Cents) -> Refusal | None:
    """The refusal of a wager that could take a player past his own limit of loss.

    What lies on layouts counts as lost. A hand that was begun may be finished.
    """
    limits = draft.registry.players[player].limits_on(draft.day())
    if limits.loss is None:
        return None
    assert table.opened is not None
    currency = table.opened.currency
    lost: int = played_today(draft, player, currency=currency).lost
    for other in _tables_of(draft, player):
        if other.opened is not None and other.opened.currency == currency:
            stay = other.stays[player]
            lost += stay.bought - stay.taken - other.state.racks.get(player, 0)
    if lost + amount <= limits.loss:
        return None
    text = f"{player} has set himself a limit of {format_cents(limits.loss)} for this gaming day."
    return Refusal("loss-limit", text)


def _stays(draft: Draft, player: str) -> list[t.Stay]:
    return [table.stays[player] for table in _tables_of(draft, player)]


def _tables_of(draft: Draft, player: str) -> list[t.GamingTable]:
    found = [draft.find(table_stream(name), fresh=True).state for name in draft.registry.tables]
    return [table for table in found if player in table.stays]


def fill(draft: Draft, request: q.Fill) -> Refusal | None:
    """Chips from the cage, by two persons."""
    return _move_chips(draft, request, t.Filled(count=dict(request.count), witness=request.witness))


def credit(draft: Draft, request: q.Credit) -> Refusal | None:
    """Chips to the cage, by two persons."""
    table = draft.table(request.table)
    if table.is_open:
        held = draft.reader.balances([table.accounts.float])[table.accounts.float]
        if held < t.worth(request.count) * UNITS_PER_CENT:
            return Refusal("float-short", f"The float holds {format_cents(Cents(held // UNITS_PER_CENT))}.")
    return _move_chips(draft, request, t.Credited(count=dict(request.count), witness=request.witness))


def _move_chips(draft: Draft, request: q.Fill | q.Credit, event: t.Filled | t.Credited) -> Refusal | None:
    table = draft.table(request.table)
    refusal = must_be_open(table) or second_person(
        draft.registry, draft.asker, request.witness, Position.DEALER
    )
    if refusal is not None:
        return refusal
    check_count("count", request.count, table.state.plan.book.house.denominations)
    check_amount("count", t.worth(request.count))
    draft.record(table_stream(request.table), [event])
    return None


def set_limits(draft: Draft, request: q.SetLimits) -> Refusal | None:
    """New limits, between rounds."""
    table = draft.table(request.table)
    refusal = must_be_open(table)
    if refusal is not None:
        return refusal
    if table.in_round:
        return Refusal("round-open", "Limits change between rounds.")
    before = {str(name): tuple(limit) for name, limit in table.state.terms.limits.items()}
    limits = _limits(table.state.plan, request.limits)
    draft.record(table_stream(request.table), [t.LimitsSet(before=before, limits=limits)])
    return None
