"""What a floor shows: the overview, a table, a link, disputes. Views for programs, and tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitboss.money import format_cents

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.floor.shapes import DisputeView, LinkView, Overview, TableView


_WAITS = {"ruling": "a ruling", "claim": "a jackpot claim", "options": "players' options", "": ""}


def print_overview(out: Console, view: Overview) -> None:
    """The overview for people."""
    from rich.table import Table

    from pitboss.cli.tables import print_table

    out.print(f"{view.floor}, gaming day {view.gaming_day}, {view.players} players", markup=False)
    if not view.tables:
        out.print("no tables yet: 'pitboss floor add-table' adds one", markup=False)
        return
    grid = Table("table", "game", "cards", "round", "stage", "link", "players", "waits for")
    for line in view.tables:
        if not line.game:
            grid.add_row(line.table, "", "", "", "never opened", "", "", "")
            continue
        stage = line.stage if line.open else "closed"
        grid.add_row(
            line.table, line.game, line.cards or "", str(line.round), stage or "", line.link or "",
            str(line.players), _WAITS[line.waits or ""],
        )  # fmt: skip
    print_table(out, grid)
    for link in view.links:
        state = f"  OUT OF ORDER: {link.out_of_order}" if link.out_of_order else ""
        claims = f", {link.claims} claims" if link.claims else ""
        out.print(f"{link.link}: {link.meter}, {len(link.members)} tables{claims}{state}", markup=False)


def print_table(out: Console, view: TableView) -> None:
    """A table for people."""
    state = "open" if view.open else "closed"
    out.print(
        f"table {view.table} ({view.game}), {state}, round {view.round}: {view.stage}",
        markup=False,
    )
    for notice in view.notices or []:
        out.print(f"  NOTICE: {notice.text} [{', '.join(notice.clauses)}]", markup=False)
    if view.meter:
        out.print(f"  jackpot {view.meter}", markup=False)
    for claim in view.claims_pending or []:
        out.print(f"  a hit at {claim.table} is {claim.status}", markup=False)
    if view.suspended:
        suspended = view.suspended
        out.print(f"  suspended: {suspended.kind} [{', '.join(suspended.clauses)}]", markup=False)
    if view.options:
        numbers = ", ".join(str(n) for n in view.options.waiting)
        cited = ", ".join(view.options.clauses)
        out.print(f"  position {numbers}: stay in, or withdraw? [{cited}]", markup=False)
    out.print(f"  dealer     {' '.join(view.dealer)}", markup=False)
    out.print(f"  community  {' '.join(view.community)}", markup=False)
    for position, box in view.positions.items():
        stakes = ", ".join(f"{wager} {amount}" for wager, amount in box.stakes.items())
        out.print(f"  {position}  {box.player:<10} {' '.join(box.cards):<16} {stakes}", markup=False)
    for seat in view.settlement or []:
        out.print(f"  position {seat.position}, {seat.player}: net {seat.net}", markup=False)
    if view.matter:
        matter = view.matter
        out.print(
            f"  waits for the {matter.decides}: {matter.what} ({', '.join(matter.rulings)})",
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


def print_link(out: Console, view: LinkView) -> None:
    """A link for people."""
    meters = view.meters
    out.print(f"{view.link}: {view.currency} {meters.displayed}", markup=False)
    if view.out_of_order:
        out.print(f"  OUT OF ORDER: {view.out_of_order}", markup=False)
    for warning in view.warnings:
        out.print(f"  WARNING: {warning}", markup=False)
    for name in ("reserve", "overflow", "held_for_claims", "wagers_in", "hits", "total_won"):
        out.print(f"  {name.replace('_', ' '):<16} {getattr(meters, name):>16}", markup=False)
    for claim in view.claims:
        shares = ", ".join(claim.shares) or "not fixed yet"
        hands = "; ".join(f"{won.hand} at {won.position}, {won.player}" for won in claim.hands)
        out.print(
            f"  claim {claim.claim} of {claim.table}, round {claim.round}: {claim.status}, {hands}: {shares}",
            markup=False,
        )
    for hit in view.history:
        won = ", ".join(f"{share.player} {share.amount} ({share.hand})" for share in hit.shares)
        won += " (UNDONE)" if hit.undone else ""
        out.print(
            f"  hit {hit.hit}  {hit.paid}  {hit.table}: {won}; then {hit.new_value}",
            markup=False,
        )


def print_disputes(out: Console, views: list[DisputeView]) -> None:
    """Disputes for people."""
    if not views:
        out.print("no disputes", markup=False)
    for view in views:
        out.print(
            f"dispute {view.dispute}: table {view.table}, round {view.round}, {view.status}, "
            f"with the {view.with_position}",
            markup=False,
        )
        out.print(f"  {view.about} ({view.opened_by}, {view.opened})", markup=False)
        for line in view.evidence or ():
            out.print(f"    {line}", markup=False)
        for note in view.notes or ():
            out.print(f"  {note.by}: {note.text}", markup=False)
        for basis, parties in (view.missing or {}).items():
            out.print(f"  not on file for {basis}: {', '.join(parties)}", markup=False)
        if view.decision:
            decision = view.decision
            cited = f" [{', '.join(decision.clauses)}]" if decision.clauses else ""
            out.print(f"  decided by {decision.basis}: {decision.decision}{cited}", markup=False)
        if view.complaint:
            out.print(f"  complaint: {view.complaint}; answer: {view.answer or 'none yet'}", markup=False)
