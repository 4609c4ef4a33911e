"""Tables: added, opened with their equipment and chips, staffed, seated, banked, and closed with a count."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.errors import BadInput, near_miss
from pitboss.floor import gaming_table as t
from pitboss.floor import requests as q
from pitboss.floor import table_events as te
from pitboss.floor.allowances import kept_out
from pitboss.floor.chips import check_count
from pitboss.floor.desk import Draft, link_stream
from pitboss.floor.house import check_name, find_person, find_player, find_rulebook
from pitboss.floor.link import Link
from pitboss.floor.link_events import MemberJoined, MemberLeft
from pitboss.floor.people import not_at_this_table, outranked
from pitboss.floor.registry import STREAM, TableAdded
from pitboss.floor.slips import BY_PLAYER
from pitboss.money import UNITS_PER_CENT, Cents, format_cents
from pitboss.play.refusal import Refusal, refuse
from pitboss.play.table import JackpotTerms
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.vocabulary import Position


def add_table(draft: Draft, request: q.AddTable) -> Refusal | None:
    """A place for a table on the floor."""
    check_name("table", request.table)
    if request.table in draft.registry.tables:
        return refuse("table-exists", "There is a table '{table}' already.", table=request.table)
    draft.record(STREAM, [TableAdded(table=request.table)])
    return None


def open_table(draft: Draft, request: q.OpenTable) -> Refusal | None:
    """A table opens with a rulebook in force, its equipment seen, and its chips counted."""
    table = draft.table(request.table)
    if isinstance(table, t.OpenTable):
        return refuse("table-open", "Table {table} is open.", table=request.table)
    hashed = find_rulebook(draft, request.rulebook)
    adopted = draft.registry.rulebooks[hashed]
    if not adopted.in_force:
        have = len(adopted.approved_by)
        return refuse(
            "not-in-force",
            "Rulebook {rulebook} is not in force: {have} of 2 approvals.",
            rulebook=hashed[:12],
            have=have,
        )
    plan = draft.desk.plan_of(hashed)
    procedure = _choose("procedure", request.procedure, [known.name for known in plan.procedures])
    layout = next(known for known in plan.book.layouts if known.name == _layout(plan, request))
    house = plan.book.house
    positions = request.positions if request.positions is not None else house.positions
    if not plan.may_have(positions):
        raise BadInput("positions", f"{positions} positions", f"{plan.id} has {plan.seat_counts}")
    low, high = plan.seat_ranges[layout.name]
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
    draft.record_at(
        request.table,
        [
            te.TableOpened(
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
                reason=request.reason.strip(),
                slips_by=BY_PLAYER,
            )
        ],
    )
    return None


def _layout(plan: Plan, request: q.OpenTable) -> str:
    names = [layout.name for layout in plan.book.layouts]
    if request.layout:
        return _choose("layout", request.layout, names)
    wanted = request.positions if request.positions is not None else plan.book.house.positions
    for name, (low, high) in plan.seat_ranges.items():
        if low <= wanted <= high:
            return name
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
    return refuse(
        "equipment-missing",
        "Not seen at the table: {names}.",
        *[item.clauses for item in missing],
        names=", ".join(item.name for item in missing),
    )


def _limits(plan: Plan, limits: Mapping[str, tuple[Cents, ...]] | None) -> dict[str, tuple[Cents, ...]]:
    chosen = plan.book.house.limits if limits is None else limits
    names = [wager.name for wager in plan.wagers if wager.placed == "before-deal" and wager.units is None]
    for name, limit in chosen.items():
        if name not in names:
            raise BadInput("limits", f"no limit for '{name}'", near_miss(name, names))
        if len(limit) != 2 or not 0 < limit[0] <= limit[1]:
            shown = " to ".join(format_cents(amount) for amount in limit) or "nothing"
            raise BadInput(
                f"limits.{name}", f"{shown} are no limits", "write the minimum, then a maximum not below it"
            )
    return {name: (Cents(limit[0]), Cents(limit[1])) for name, limit in chosen.items()}


def _joining(draft: Draft, plan: Plan, request: q.OpenTable, currency: str) -> JackpotTerms | Refusal:
    """The terms of a link that a table joins as it opens."""
    if plan.jackpot is None:
        raise BadInput("link", f"{plan.id} has no jackpot", "leave the link out")
    link = draft.link(request.link)
    if link.currency != currency:
        return refuse(
            "other-currency",
            "The link is in {currency}, the table in {table_currency}.",
            currency=link.currency,
            table_currency=currency,
        )
    if request.table not in link.members:
        draft.record(link_stream(request.link), [MemberJoined(table=request.table)])
    return linked_terms(link)


def linked_terms(link: Link) -> JackpotTerms:
    """The jackpot as a member table knows it."""
    terms = link.terms
    return JackpotTerms(unit=terms.unit, reset=terms.reset, increment_bp=terms.increment_bp, linked=True)


def close_table(draft: Draft, request: q.CloseTable) -> Refusal | None:
    """A table closes between rounds, with nobody's chips on it, by a count."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    if table.in_round:
        return Refusal("round-open", "A round is in play; it is concluded first.")
    if table.state.suspension is not None:
        return Refusal("suspended", "A ruling is awaited on the last round; it is given first.")
    if table.state.racks:
        names = ", ".join(sorted(table.state.racks))
        return refuse(
            "chips-at-table", "Players still have chips here: {names}. They cash out first.", names=names
        )
    plan = table.state.plan
    check_count("count", request.count, plan.book.house.denominations)
    accounts = table.accounts
    held = draft.reader.balances([accounts.float, accounts.drop])
    expected_drop = Cents(held[accounts.drop] // UNITS_PER_CENT)
    drop = expected_drop if request.drop is None else request.drop
    if drop < 0:
        raise BadInput("drop", "a count is not negative", "write what was counted")
    draft.record_at(
        request.table,
        [
            te.TableClosed(
                count=dict(request.count),
                expected=Cents(held[accounts.float] // UNITS_PER_CENT),
                drop=drop,
                expected_drop=expected_drop,
            )
        ],
    )
    if table.opened.link:
        draft.record(link_stream(table.opened.link), [MemberLeft(table=request.table)])
    counted = te.worth(request.count)
    draft.answer["over_short"] = format_cents(
        Cents(counted + drop - held[accounts.float] // UNITS_PER_CENT - expected_drop)
    )
    return None


def assign_staff(draft: Draft, request: q.AssignStaff) -> Refusal | None:
    """Somebody begins a shift at a table."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    position = find_person(draft, request.person)
    if request.person in table.staff:
        return refuse("on-shift", "{person} is on shift here.", person=request.person)
    draft.record_at(request.table, [te.StaffAssigned(person=request.person, position=position)])
    return None


def relieve_staff(draft: Draft, request: q.RelieveStaff) -> Refusal | None:
    """A shift at a table ends."""
    table = draft.table(request.table)
    find_person(draft, request.person)
    if isinstance(table, t.ClosedTable) or request.person not in table.staff:
        return refuse("not-on-shift", "{person} is not on shift here.", person=request.person)
    draft.record_at(request.table, [te.StaffRelieved(person=request.person)])
    return None


def take_seat(draft: Draft, request: q.TakeSeat) -> Refusal | None:
    """A player sits down at a position that is free."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    refusal = _himself_or_staff(draft, table, request.player)
    if refusal is not None:
        return refusal
    find_player(draft, request.player)
    refusal = kept_out(draft, request.player)
    if refusal is not None:
        return refusal
    if not 1 <= request.position <= table.opened.positions:
        raise BadInput(
            "position", f"no position {request.position}", f"there are 1 to {table.opened.positions}"
        )
    holder = table.seats.get(request.position)
    if holder is not None:
        return refuse(
            "seat-taken", "{player} sits at position {position}.", player=holder, position=request.position
        )
    draft.record_at(request.table, [te.SeatTaken(position=request.position, player=request.player)])
    return None


def leave_seat(draft: Draft, request: q.LeaveSeat) -> Refusal | None:
    """A position is free again; wagers that lie there stay in the round."""
    table = draft.table(request.table)
    holder = None if isinstance(table, t.ClosedTable) else table.seats.get(request.position)
    if isinstance(table, t.ClosedTable) or holder is None:
        return refuse("seat-free", "Nobody sits at position {position}.", position=request.position)
    refusal = _himself_or_staff(draft, table, holder)
    if refusal is not None:
        return refusal
    draft.record_at(request.table, [te.SeatLeft(position=request.position, player=holder)])
    return None


def _himself_or_staff(draft: Draft, table: t.OpenTable, player: str) -> Refusal | None:
    if draft.asker.kind == "player":
        return None if draft.asker.name == player else Refusal("not-you", "A player acts for himself.")
    refusal = outranked(draft.registry, draft.asker, Position.DEALER)
    return refusal or not_at_this_table(draft.registry, draft.asker, table.staff)


def set_limits(draft: Draft, request: q.SetLimits) -> Refusal | None:
    """New limits, between rounds."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    if table.in_round:
        return Refusal("round-open", "Limits change between rounds.")
    before = {str(name): tuple(limit) for name, limit in table.state.terms.limits.items()}
    limits = _limits(table.state.plan, request.limits)
    event = te.LimitsSet(before=before, limits=limits, reason=request.reason.strip())
    draft.record_at(request.table, [event])
    return None


def call_supervisor(draft: Draft, request: q.CallSupervisor) -> Refusal | None:
    """Somebody of the pit is wanted. One call is enough: who calls again changes nothing."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    refusal = not_at_this_table(draft.registry, draft.asker, table.staff)
    if refusal is not None:
        return refusal
    if table.call is None:
        event = te.SupervisorCalled(person=draft.asker.name, reason=request.reason)
        draft.record_at(request.table, [event])
    return None


def answer_call(draft: Draft, request: q.AnswerCall) -> Refusal | None:
    """Somebody of the pit has come."""
    table = draft.table(request.table)
    if isinstance(table, t.ClosedTable) or table.call is None:
        return refuse("no-call", "Table {table} has not called.", table=request.table)
    draft.record_at(request.table, [te.CallAnswered(person=draft.asker.name)])
    return None


def set_dealing(draft: Draft, request: q.SetDealing) -> Refusal | None:
    """A person deals, or the house's clock; a physical table waits for its dealer."""
    table = draft.open_table(request.table)
    if isinstance(table, Refusal):
        return table
    if request.dealt_by not in (t.PERSON, t.HOUSE):
        raise BadInput("dealt_by", f"no '{request.dealt_by}' deals", f"write {t.PERSON} or {t.HOUSE}")
    for name in ("betting_seconds", "pause_seconds"):
        if not 1 <= getattr(request, name) <= 3600:
            raise BadInput(name, f"{getattr(request, name)} seconds", "write 1 to 3600")
    if request.dealt_by == t.HOUSE and table.opened.cards != t.VIRTUAL:
        return Refusal("physical-table", "A physical table waits for its dealer.")
    event = te.DealingSet(
        dealt_by=request.dealt_by,
        betting_seconds=request.betting_seconds,
        pause_seconds=request.pause_seconds,
        reason=request.reason.strip(),
    )
    draft.record_at(request.table, [event])
    return None
