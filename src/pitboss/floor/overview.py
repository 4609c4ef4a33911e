"""What a floor shows: the whole of it, a table, a link, disputes; views for programs, ready to be sent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from pitboss.errors import BadInput, is_number, near_miss
from pitboss.floor.desk import table_stream
from pitboss.floor.disputes import is_over
from pitboss.floor.disputing import bases_of, not_on_file
from pitboss.floor.gaming_table import ClosedTable, OpenTable
from pitboss.floor.jackpot import lower_pays_more
from pitboss.floor.link import Link
from pitboss.floor.ports import Reader
from pitboss.floor.service import Floor
from pitboss.floor.shapes import (
    ClaimedHand,
    DisputeDecision,
    DisputeNote,
    DisputeView,
    Hit,
    Jackpot,
    LinkClaim,
    LinkHit,
    LinkLine,
    LinkView,
    Lobby,
    LobbyTable,
    Meters,
    Overview,
    PaidShare,
    Parameters,
    RulebookLine,
    Share,
    TableLine,
    TableView,
)
from pitboss.floor.views import called, floor_view, pending_claims
from pitboss.money import LedgerUnits, floor_to_cents, format_cents
from pitboss.play.table import State
from pitboss.play.views import Role, Viewer
from pitboss.rulebooks.plan import MeterShare, Plan

LAST_HITS = 5
"""How many hits a sign tells of."""


def at_text(at: int, offset_minutes: int = 0) -> str:
    """A moment by a clock so far from UTC, which it says: `2026-01-05 18:00:00+08:00`."""
    zone = timezone(timedelta(minutes=offset_minutes))
    return datetime.fromtimestamp(at / 1_000_000, UTC).astimezone(zone).isoformat(" ", "seconds")


def by_its_clock(floor: Floor, at: int) -> str:
    """A moment by the clock on the floor's wall."""
    return at_text(at, floor.registry.utc_offset_minutes)


def units(amount: int) -> str:
    """Ledger units as an amount of money."""
    return format_cents(floor_to_cents(LedgerUnits(amount)))


def overview(floor: Floor) -> Overview:
    """The floor at a glance."""
    registry = floor.registry
    return Overview(
        floor=registry.name,
        gaming_day=floor.today(),
        people=dict(registry.people),
        players=len(registry.players),
        rulebooks=[
            RulebookLine(
                rulebook=hashed,
                id=book.id,
                readings=dict(book.readings),
                approved_by=list(book.approved_by),
                in_force=book.in_force,
            )
            for hashed, book in registry.rulebooks.items()
        ],
        tables=[_table_line(floor, name) for name in registry.tables],
        links=[_link_line(floor, name) for name in registry.links],
    )


def _table_line(floor: Floor, name: str) -> TableLine:
    found = floor.gaming_table(name)
    table = found.as_open
    if table is None:
        return TableLine(table=name, open=False)
    opened = table.opened
    return TableLine(
        table=name,
        open=isinstance(found, OpenTable),
        game=table.state.plan.id,
        title=table.state.plan.book.identity.title,
        rulebook=opened.rulebook,
        cards=opened.cards,
        practice=opened.practice,
        currency=opened.currency,
        link=opened.link,
        staff=dict(table.staff),
        since=table.since or floor.desk.loaded[table_stream(name)].at,
        round=table.state.round_number,
        stage=table.state.stage.value,
        waits=_waits(table.state),
        called=called(table),
        broken_seals=[number for number, _ in table.broken_seals],
        corrections=table.state.corrections,
        drop=format_cents(table.drop),
        win=units(table.state.table_float),
        dealt_by="house" if table.dealing is not None else "person",
        players=len(table.state.racks),
        version=floor.desk.loaded[table_stream(name)].head.version,
    )


def _waits(state: State) -> str:
    """What a table stands still for, in a word: a ruling, a claim, options; empty if it does not."""
    if state.suspension is not None:
        return "ruling"
    if state.claim:
        return "claim"
    return "options" if state.trouble.options is not None else ""


def _link_line(floor: Floor, name: str) -> LinkLine:
    link = floor.link(name)
    return LinkLine(
        link=name,
        meter=units(link.meter),
        members=sorted(link.members),
        claims=len(link.claims),
        out_of_order=link.out_of_order,
    )


def lobby(floor: Floor) -> Lobby:
    """The floor for everybody: what is played where, for how much, and the jackpots."""
    return Lobby(
        floor=floor.registry.name,
        tables=[_lobby_line(floor, name) for name in floor.registry.tables],
        jackpots=[sign_view(floor, floor.link(name)) for name in floor.registry.links],
    )


def _lobby_line(floor: Floor, name: str) -> LobbyTable:
    table = floor.gaming_table(name)
    if isinstance(table, ClosedTable):
        return LobbyTable(table=name, open=False)
    opened = table.opened
    return LobbyTable(
        table=name,
        open=True,
        game=table.state.plan.id,
        title=table.state.plan.book.identity.title,
        cards=opened.cards,
        procedure=opened.procedure,
        practice=opened.practice,
        currency=opened.currency,
        link=opened.link,
        limits={
            str(wager): [format_cents(limit.minimum), format_cents(limit.maximum)]
            for wager, limit in table.state.terms.limits.items()
        },
        areas={wager.name: wager.area for wager in table.state.plan.wagers},
        positions=opened.positions,
        seats_free=opened.positions - len(table.seats),
        round=table.state.round_number,
        stage=table.state.stage.value,
        waits=_waits(table.state),
    )


def viewer_named(floor: Floor, name: str, viewer: str) -> Viewer:
    """The eyes of a role, or of a player who is at the table. Raises `BadInput` for anybody else."""
    table = floor.table(name)
    roles = [role.value for role in Role if role is not Role.PLAYER]
    players = (*table.state.racks, *table.seats.values())
    if viewer not in roles and viewer not in players:
        raise BadInput("--as", f"nobody here is called '{viewer}'", near_miss(viewer, (*roles, *players)))
    return Viewer(Role(viewer)) if viewer in roles else Viewer(Role.PLAYER, viewer)


def table_view(floor: Floor, name: str, eyes: Viewer) -> TableView:
    """A table as somebody sees it, with its link's meter."""
    opened = floor.table(name).opened
    link = floor.link(opened.link) if opened.link else None
    loaded = floor.desk.loaded[table_stream(name)]  # version and view of one moment
    view = floor_view(loaded.state, link, eyes)
    view.version = loaded.head.version
    return view


def _plans(floor: Floor, link: Link) -> dict[str, Plan]:
    """What the tables of a link play."""
    tables = [floor.gaming_table(member).as_open for member in sorted(link.members)]
    return {table.state.plan.id: table.state.plan for table in tables if table is not None}


def _shares(floor: Floor, link: Link) -> list[Share]:
    """What a part of the meter comes to now, by hand, in the books of the tables on the link."""
    plans = _plans(floor, link)
    percents: dict[str, int] = {}
    for plan in plans.values():
        rows = plan.wager(plan.jackpot.wager).pays.rows if plan.jackpot is not None else {}
        percents |= {str(hand): pay.percent for hand, pay in rows.items() if isinstance(pay, MeterShare)}
    return [
        Share(hand=hand, percent=percent, amount=units(link.meter * percent // 100))
        for hand, percent in percents.items()
        if percent < 100
    ]


def sign_view(floor: Floor, link: Link) -> Jackpot:
    """A jackpot for everybody: its value and parts of it, what waits to be verified, the last hits."""
    return Jackpot(
        link=link.link,
        currency=link.currency,
        meter=units(link.meter),
        reset=format_cents(link.terms.reset),
        shares=_shares(floor, link),
        out_of_order=bool(link.out_of_order),
        pending=pending_claims(link),
        hits=[
            Hit(
                hit=hit.slip,
                slip=hit.slip,
                table=hit.table,
                paid=by_its_clock(floor, hit.paid_at),
                amounts=[format_cents(share.amount) for share in hit.shares],
                hands=[share.hand_class.value for share in hit.shares],
                new_value=units(hit.meter_after),
            )
            for hit in link.history[-LAST_HITS:]
            if not hit.undone
        ],
    )


def link_view(floor: Floor, name: str) -> LinkView:
    """A link with its meters (P2), parameters (P1), claims, history and warnings (P14)."""
    link = floor.link(name)
    terms = link.terms
    plans = _plans(floor, link)
    warnings = {lower_pays_more(link, plan) for plan in plans.values()} - {""}
    return LinkView(
        link=name,
        currency=link.currency,
        out_of_order=link.out_of_order,
        meters=Meters(
            displayed=units(link.meter),
            reserve=units(link.reserve),
            overflow=units(link.overflow),
            held_for_claims=units(link.held),
            wagers_in=units(link.wagers_in),
            hits=link.hits,
            total_won=units(link.total_won),
        ),
        parameters=Parameters(
            unit=format_cents(terms.unit),
            reset=format_cents(terms.reset),
            increment_bp=terms.increment_bp,
            reserve_bp=terms.reserve_bp,
            ceiling=None if terms.ceiling is None else format_cents(terms.ceiling),
            most_stake=format_cents(terms.most_stake),
            change_waits=link.planned is not None,
        ),
        members=sorted(link.members),
        claims=[
            LinkClaim(
                claim=claim.claim,
                table=claim.table,
                round=claim.round_number,
                status=claim.status.value,
                ordered_by=claim.ordered_by.value,
                entered=by_its_clock(floor, claim.entered_at),
                dealt=by_its_clock(floor, claim.dealt_at),
                hands=[
                    ClaimedHand(hand=hand.hand_class.value, position=hand.position, player=hand.player)
                    for hand in claim.hands
                ],
                shares=[]
                if claim.fixed is None
                else [format_cents(share.amount) for share in claim.fixed.shares],
            )
            for claim in link.claims.values()
        ],
        history=[
            LinkHit(
                hit=hit.slip,
                slip=hit.slip,
                table=hit.table,
                round=hit.round_number,
                paid=by_its_clock(floor, hit.paid_at),
                verified_by=hit.verified_by,
                shares=[
                    PaidShare(
                        player=share.player,
                        hand=share.hand_class.value,
                        amount=format_cents(share.amount),
                    )
                    for share in hit.shares
                ],
                new_value=units(hit.meter_after),
                undone=hit.undone,
            )
            for hit in link.history
        ],
        warnings=sorted(warnings),
    )


def dispute_views(floor: Floor, store: Reader, number: int | None) -> list[DisputeView]:
    """One dispute, or all of them."""
    numbers = [s.partition("/")[2] for s in store.heads() if s.startswith("dispute/")]
    known = sorted(int(name) for name in numbers if is_number(name))
    if number is not None and number not in known:
        names = [str(n) for n in known]
        raise BadInput("dispute", f"there is no dispute {number}", near_miss(str(number), names))
    return [_dispute_view(floor, n) for n in known if number in (None, n)]


def _dispute_view(floor: Floor, number: int) -> DisputeView:
    dispute = floor.dispute(number)
    opened = dispute.opened
    plan = floor.desk.plan_of(opened.rulebook)
    lacking = not_on_file(plan, dispute) if is_over(dispute) is None else {}
    return DisputeView(
        dispute=number,
        bases=list(bases_of(plan)),
        minutes=None if plan.book.disputes is None else plan.book.disputes.minutes,
        missing={basis: [party or "evidence" for party in parties] for basis, parties in lacking.items()},
        table=opened.table,
        round=opened.round_number,
        about=opened.about,
        opened_by=dispute.opened_by,
        opened=by_its_clock(floor, dispute.opened_at),
        status=dispute.status.value,
        with_position=dispute.with_position,
        surveillance_informed=dispute.surveillance_informed,
        until=None if dispute.until is None else by_its_clock(floor, dispute.until),
        evidence=list(opened.evidence),
        notes=[DisputeNote(by=who, text=text) for who, text in dispute.notes],
        decision=None
        if dispute.decided is None
        else DisputeDecision(
            decision=dispute.decided.decision,
            basis=dispute.decided.basis,
            in_favour_of=dispute.decided.in_favour_of,
            clauses=list(dispute.decided.clauses),
        ),
        complaint=None if dispute.complaint is None else dispute.complaint.text,
        answer=dispute.answered or None,
    )
