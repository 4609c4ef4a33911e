"""What a floor shows: the overview, a table, a link, disputes. Views for programs, and tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitboss.cli.place import at_text
from pitboss.errors import BadInput, near_miss
from pitboss.money import LedgerUnits, floor_to_cents, format_cents

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.floor.service import Floor
    from pitboss.play.table import State
    from pitboss.store.sql import SqlStore


def units(amount: int) -> str:
    """Ledger units as an amount of money."""
    return format_cents(floor_to_cents(LedgerUnits(amount)))


def overview(floor: Floor) -> dict[str, Any]:
    """The floor at a glance."""
    registry = floor.registry
    return {
        "floor": registry.name,
        "gaming_day": floor.today(),
        "people": dict(registry.people),
        "players": len(registry.players),
        "rulebooks": [
            {
                "rulebook": hashed,
                "id": book.id,
                "readings": dict(book.readings),
                "approved_by": list(book.approved_by),
                "in_force": book.in_force,
            }
            for hashed, book in registry.rulebooks.items()
        ],
        "tables": [_table_line(floor, name) for name in registry.tables],
        "links": [_link_line(floor, name) for name in registry.links],
    }


def _table_line(floor: Floor, name: str) -> dict[str, Any]:
    table = floor.table(name)
    opened = table.opened
    if opened is None:
        return {"table": name, "open": False}
    return {
        "table": name,
        "open": table.is_open,
        "game": table.state.plan.id,
        "cards": opened.cards,
        "practice": opened.practice,
        "link": opened.link,
        "staff": dict(table.staff),
        "round": table.state.round_number,
        "stage": table.state.stage.value,
        "waits": _waits(table.state),
        "players": len(table.state.racks),
        "version": floor.version(name),
    }


def _waits(state: State) -> str:
    """What a table stands still for."""
    if state.suspension is not None:
        return f"a ruling: {state.suspension.what}"
    if state.claim:
        return "a jackpot claim"
    return "players' options" if state.trouble.options is not None else ""


def _link_line(floor: Floor, name: str) -> dict[str, Any]:
    link = floor.link(name)
    return {
        "link": name,
        "meter": units(link.meter),
        "members": sorted(link.members),
        "claims": len(link.claims),
        "out_of_order": link.out_of_order,
    }


def print_overview(out: Console, view: dict[str, Any]) -> None:
    """The overview for people."""
    from rich.table import Table

    out.print(f"{view['floor']}, gaming day {view['gaming_day']}, {view['players']} players", markup=False)
    if not view["tables"]:
        out.print("no tables yet: 'pitboss floor add-table' adds one", markup=False)
        return
    grid = Table("table", "game", "cards", "round", "stage", "link", "players", "waits for")
    for line in view["tables"]:
        if "game" not in line:
            grid.add_row(line["table"], "", "", "", "never opened", "", "", "")
            continue
        stage = line["stage"] if line["open"] else "closed"
        grid.add_row(
            line["table"], line["game"], line["cards"], str(line["round"]), stage, line["link"],
            str(line["players"]), line["waits"],
        )  # fmt: skip
    out.print(grid)
    for link in view["links"]:
        state = f"  OUT OF ORDER: {link['out_of_order']}" if link["out_of_order"] else ""
        claims = f", {link['claims']} claims" if link["claims"] else ""
        out.print(
            f"{link['link']}: {link['meter']}, {len(link['members'])} tables{claims}{state}", markup=False
        )


def table_view(floor: Floor, name: str, viewer: str) -> dict[str, Any]:
    """A table as somebody sees it, with its link's meter."""
    from pitboss.floor.views import floor_view
    from pitboss.play.views import Role, Viewer

    table = floor.table(name)
    if table.play is None:
        raise BadInput("table", f"table {name} was never opened", "'pitboss floor open-table' opens it")
    roles = [role.value for role in Role if role is not Role.PLAYER]
    players = (*table.state.racks, *table.seats.values())
    if viewer not in roles and viewer not in players:
        raise BadInput("--as", f"nobody here is called '{viewer}'", near_miss(viewer, (*roles, *players)))
    eyes = Viewer(Role(viewer)) if viewer in roles else Viewer(Role.PLAYER, viewer)
    link = floor.link(table.opened.link) if table.opened is not None and table.opened.link else None
    return {"version": floor.version(name), **floor_view(table, link, eyes)}


def print_table(out: Console, view: dict[str, Any]) -> None:
    """A table for people."""
    state = "open" if view["open"] else "closed"
    out.print(
        f"table {view['table']} ({view['game']}), {state}, round {view['round']}: {view['stage']}",
        markup=False,
    )
    for notice in view.get("notices", []):
        out.print(f"  NOTICE: {notice['text']} [{', '.join(notice['clauses'])}]", markup=False)
    if "meter" in view:
        out.print(f"  jackpot {view['meter']}", markup=False)
    for claim in view.get("claims_pending", []):
        out.print(f"  a hit at {claim['table']} is {claim['status']}", markup=False)
    if "suspended" in view:
        suspended = view["suspended"]
        out.print(f"  suspended: {suspended['kind']} [{', '.join(suspended['clauses'])}]", markup=False)
    if "options" in view:
        numbers = ", ".join(str(n) for n in view["options"]["waiting"])
        cited = ", ".join(view["options"]["clauses"])
        out.print(f"  position {numbers}: stay in, or withdraw? [{cited}]", markup=False)
    out.print(f"  dealer     {' '.join(view['dealer'])}", markup=False)
    out.print(f"  community  {' '.join(view['community'])}", markup=False)
    for position, box in view["positions"].items():
        stakes = ", ".join(f"{wager} {amount}" for wager, amount in box["stakes"].items())
        out.print(f"  {position}  {box['player']:<10} {' '.join(box['cards']):<16} {stakes}", markup=False)
    for seat in view.get("settlement", []):
        out.print(f"  position {seat['position']}, {seat['player']}: net {seat['net']}", markup=False)
    if view.get("matter"):
        matter = view["matter"]
        out.print(
            f"  waits for the {matter['decides']}: {matter['what']} ({', '.join(matter['rulings'])})",
            markup=False,
        )


def print_result(out: Console, event: Any) -> None:
    """What a settlement came to, line by line; nothing for other events."""
    from pitboss.cli.settle import print_seat
    from pitboss.play.events import RoundSettled, RoundVoided

    if isinstance(event, RoundSettled | RoundVoided):
        for seat in event.settlement.seats:
            print_seat(out, seat, "", "settled" if isinstance(event, RoundSettled) else "void")
        jackpot = event.settlement.jackpot
        for award in jackpot.awards if jackpot is not None else ():
            cited = ", ".join(award.clauses)
            text = (
                f"jackpot: position {award.position}, {award.hand_class.value} {format_cents(award.amount)}"
            )
            out.print(f"{text}  [{cited}]", markup=False)


def link_view(floor: Floor, name: str) -> dict[str, Any]:
    """A link with its meters (P2), parameters (P1), claims, history and warnings (P14)."""
    from pitboss.floor.jackpot import lower_pays_more

    link = floor.link(name)
    terms = link.terms
    tables = [floor.table(member) for member in sorted(link.members)]
    plans = {table.state.plan.id: table.state.plan for table in tables if table.play is not None}
    warnings = {lower_pays_more(link, plan) for plan in plans.values()} - {""}
    return {
        "link": name,
        "currency": link.currency,
        "out_of_order": link.out_of_order,
        "meters": {
            "displayed": units(link.meter),
            "reserve": units(link.reserve),
            "overflow": units(link.overflow),
            "held_for_claims": units(link.held),
            "wagers_in": units(link.wagers_in),
            "hits": link.hits,
            "total_won": units(link.total_won),
        },
        "parameters": {
            "unit": format_cents(terms.unit),
            "reset": format_cents(terms.reset),
            "increment_bp": terms.increment_bp,
            "reserve_bp": terms.reserve_bp,
            "ceiling": None if terms.ceiling is None else format_cents(terms.ceiling),
            "most_stake": format_cents(terms.most_stake),
            "change_waits": link.planned is not None,
        },
        "members": sorted(link.members),
        "claims": [
            {
                "claim": claim.claim,
                "table": claim.table,
                "round": claim.round_number,
                "status": claim.status.value,
                "ordered_by": claim.ordered_by.value,
                "entered": at_text(claim.entered_at),
                "dealt": at_text(claim.dealt_at),
                "hands": [
                    f"{hand.hand_class.value} at {hand.position}, {hand.player}" for hand in claim.hands
                ],
                "shares": []
                if claim.fixed is None
                else [format_cents(share.amount) for share in claim.fixed.shares],
            }
            for claim in link.claims.values()
        ],
        "history": [
            {
                "slip": hit.slip,
                "table": hit.table,
                "round": hit.round_number,
                "paid": at_text(hit.paid_at),
                "verified_by": hit.verified_by,
                "shares": [
                    {
                        "player": share.player,
                        "hand": share.hand_class.value,
                        "amount": format_cents(share.amount),
                    }
                    for share in hit.shares
                ],
                "new_value": units(hit.meter_after),
                "undone": hit.undone,
            }
            for hit in link.history
        ],
        "warnings": sorted(warnings),
    }


def print_link(out: Console, view: dict[str, Any]) -> None:
    """A link for people."""
    meters = view["meters"]
    out.print(f"{view['link']}: {view['currency']} {meters['displayed']}", markup=False)
    if view["out_of_order"]:
        out.print(f"  OUT OF ORDER: {view['out_of_order']}", markup=False)
    for warning in view["warnings"]:
        out.print(f"  WARNING: {warning}", markup=False)
    for name in ("reserve", "overflow", "held_for_claims", "wagers_in", "hits", "total_won"):
        out.print(f"  {name.replace('_', ' '):<16} {meters[name]:>16}", markup=False)
    for claim in view["claims"]:
        shares = ", ".join(claim["shares"]) or "not fixed yet"
        out.print(
            f"  claim {claim['claim']} of {claim['table']}, round {claim['round']}: {claim['status']}, "
            f"{'; '.join(claim['hands'])}: {shares}",
            markup=False,
        )
    for hit in view["history"]:
        won = ", ".join(f"{share['player']} {share['amount']} ({share['hand']})" for share in hit["shares"])
        won += " (UNDONE)" if hit["undone"] else ""
        out.print(
            f"  slip {hit['slip']}  {hit['paid']}  {hit['table']}: {won}; then {hit['new_value']}",
            markup=False,
        )


def dispute_views(floor: Floor, store: SqlStore, number: int | None) -> list[dict[str, Any]]:
    """One dispute, or all of them."""
    known = sorted(int(s.partition("/")[2]) for s in store.heads() if s.startswith("dispute/"))
    if number is not None and number not in known:
        names = [str(n) for n in known]
        raise BadInput("dispute", f"there is no dispute {number}", near_miss(str(number), names))
    return [_dispute_view(floor, n) for n in known if number in (None, n)]


def _dispute_view(floor: Floor, number: int) -> dict[str, Any]:
    dispute = floor.dispute(number)
    opened = dispute.opened
    assert opened is not None
    return {
        "dispute": number,
        "table": opened.table,
        "round": opened.round_number,
        "about": opened.about,
        "opened_by": dispute.opened_by,
        "opened": at_text(dispute.opened_at),
        "status": dispute.status.value,
        "with": dispute.with_position,
        "surveillance_informed": dispute.surveillance_informed,
        "until": None if dispute.until is None else at_text(dispute.until),
        "evidence": list(opened.evidence),
        "notes": [{"by": who, "text": text} for who, text in dispute.notes],
        "decision": None
        if dispute.decided is None
        else {
            "decision": dispute.decided.decision,
            "basis": dispute.decided.basis,
            "in_favour_of": dispute.decided.in_favour_of,
            "clauses": list(dispute.decided.clauses),
        },
        "complaint": None if dispute.complaint is None else dispute.complaint.text,
        "answer": dispute.answered or None,
    }


def print_disputes(out: Console, views: list[dict[str, Any]]) -> None:
    """Disputes for people."""
    if not views:
        out.print("no disputes", markup=False)
    for view in views:
        out.print(
            f"dispute {view['dispute']}: table {view['table']}, round {view['round']}, {view['status']}, "
            f"with the {view['with']}",
            markup=False,
        )
        out.print(f"  {view['about']} ({view['opened_by']}, {view['opened']})", markup=False)
        for line in view["evidence"]:
            out.print(f"    {line}", markup=False)
        for note in view["notes"]:
            out.print(f"  {note['by']}: {note['text']}", markup=False)
        if view["decision"]:
            decision = view["decision"]
            cited = f" [{', '.join(decision['clauses'])}]" if decision["clauses"] else ""
            out.print(f"  decided by {decision['basis']}: {decision['decision']}{cited}", markup=False)
        if view["complaint"]:
            out.print(
                f"  complaint: {view['complaint']}; answer: {view['answer'] or 'none yet'}", markup=False
            )
