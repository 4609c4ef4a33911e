"""What may be looked at: the floor, tables as each may see them, rounds of the record, jackpots, reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.params import PathParameter, QueryParameter

from pitboss.errors import BadInput, near_miss
from pitboss.floor.overview import dispute_views, link_view, lobby, overview, sign_view, table_view
from pitboss.floor.people import at_least
from pitboss.floor.ports import Micros, Recorded, RoundRow
from pitboss.floor.recall import recall, recalled, viewers_of, void_deck
from pitboss.floor.registry import SURVEILLANCE
from pitboss.floor.reports import report
from pitboss.floor.rules_view import rules_view
from pitboss.floor.searching import net_of
from pitboss.floor.terms import terms_view
from pitboss.floor.void_watch import WINDOW, watch
from pitboss.money import format_cents, parse_cents
from pitboss.play.views import Viewer
from pitboss.reporting import told, told_voids
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.commands import PROBLEMS, Path, house_of
from pitboss.server.errors import Forbidden
from pitboss.server.gate import maybe_session, session_of
from pitboss.server.house import House
from pitboss.server.identity import Session
from pitboss.server.pricing import solved_before
from pitboss.server.shapes import Jackpots, Lobby, Rules, TableView, Terms, shown

_PUBLIC = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 429, 503)}
LAST_ROUNDS = 50
Number = Annotated[int, PathParameter(ge=1, le=2**31 - 1, description="Its number.")]
Last = Annotated[
    int, QueryParameter(name="last", ge=1, le=LAST_ROUNDS, description="How many, the newest first.")
]
Before = Annotated[
    int | None,
    QueryParameter(name="before", ge=1, le=2**31 - 1, description="Only rounds with a lower number."),
]


def staff_only(house: House, session: Session, least: Position) -> None:
    """Raises `Forbidden` for whoever is neither of that position nor of Surveillance."""
    position = house.position(session)
    if position != SURVEILLANCE and not at_least(position, least.value):
        raise Forbidden("no-authority", f"That is for a {least.value} or above, or for Surveillance.")


@get("/lobby", responses=shown(Lobby, _PUBLIC))
async def the_lobby(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """What is played where, for how much, and the jackpots; for everybody."""
    house = house_of(request)
    return await house.reader.run(lobby, house.reading)


@get("/floor", responses=_PUBLIC)
async def the_floor(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """The floor at a glance, for its staff: tables, people, rulebooks, links."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        if not house.position(session):
            raise Forbidden("no-authority", "That is for the staff; '/api/lobby' is for everybody.")
        return overview(house.reading)

    return await house.reader.run(work)


@get("/players", responses=_PUBLIC)
async def the_players(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Every player the house knows, by name, for its staff."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.DEALER)
        return {"players": sorted(house.reading.registry.players)}

    return await house.reader.run(work)


@get("/tables/{table:str}", responses=shown(TableView, _PUBLIC))
async def the_table(request: Request[Any, Any, Any], table: Path) -> dict[str, Any]:
    """A table as the asker may see it, with its version."""
    house, session = house_of(request), maybe_session(request)
    return await house.worker.run(lambda: table_view(house.floor, table, house.viewer(session)))


@get("/tables/{table:str}/terms", responses=shown(Terms, _PUBLIC))
async def the_terms(request: Request[Any, Any, Any], table: Path) -> dict[str, Any]:
    """What the table offers: wagers, limits, decisions, chips, rulebook and readings."""
    house = house_of(request)

    def work() -> dict[str, Any]:
        found = house.reading.table(table)
        if found.play is None:
            raise BadInput("table", f"table {table} was never opened", "open it first")
        if found.opened is not None and found.opened.practice:
            book = house.reading.registry.rulebooks[found.opened.rulebook]
            house.pricing.warm(solved_before, book.id, book.document, dict(book.readings))
        return terms_view(found)

    return await house.reader.run(work)


@get("/tables/{table:str}/rules", responses=shown(Rules, _PUBLIC))
async def the_rules(request: Request[Any, Any, Any], table: Path) -> dict[str, Any]:
    """The rules in force at a table: in brief, how open questions are read, and the gist of every clause."""
    house = house_of(request)

    def work() -> dict[str, Any]:
        found = house.reading.table(table)
        if found.play is None:
            raise BadInput("table", f"table {table} was never opened", "open it first")
        return rules_view(found.state.plan, found.opened)

    return await house.reader.run(work)


@get("/tables/{table:str}/rounds", responses=_PUBLIC)
async def the_rounds(
    request: Request[Any, Any, Any], table: Path, last: Last = 10, before: Before = None
) -> dict[str, Any]:
    """The last rounds of a table: of a player, those he played, with what he won.

    Where there may be more, `before` goes on.
    """
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        viewer = house.viewer(session)
        number = min(_last_number(house, table), before - 1 if before is not None else 2**31)
        rows: list[dict[str, Any]] = []
        tried = 0
        while number > 0 and len(rows) < last and tried < 4 * LAST_ROUNDS:
            row = house.floor.store.round_at(table, number)
            line = None if row is None else _round(house, row, viewer)
            if line is not None:
                rows.append(line)
            number, tried = number - 1, tried + 1
        return {"table": table, "rounds": rows, "before": number + 1 if number > 0 else None}

    return await house.reader.run(work)


def _last_number(house: House, table: str) -> int:
    found = house.reading.table(table)
    return 0 if found.play is None else found.state.round_number


def _round(house: House, row: RoundRow, viewer: Viewer) -> dict[str, Any] | None:
    """A round in one line, for a player with what he won in it; None for one he did not play."""
    line = {
        "round": row.number,
        "status": row.status,
        "opened_at": row.opened_at,
        "dealt_at": row.dealt_at,
        "ended_at": row.ended_at,
        "rulebook": row.rulebook,
    }
    if not viewer.player:
        return line
    events = house.floor.store.read(f"table/{row.table}", after=row.first_version - 1, until=row.last_version)
    if not _played_in(events, viewer.player):
        return None
    net = net_of(events, viewer.player)
    return line | {"net": None if net is None else format_cents(net)}


def _played_in(events: Sequence[Recorded], player: str) -> bool:
    """Whether a player had a stake in a round: he or his position is named in its wagers."""
    return any(event.name.startswith("wager-placed") and f'"{player}"' in event.data for event in events)


@get("/tables/{table:str}/rounds/{number:int}", responses=_PUBLIC)
async def the_round(
    request: Request[Any, Any, Any],
    table: Path,
    number: Number,
    eyes: Annotated[
        str, QueryParameter(name="as", max_length=100, description="Whose eyes: a role or a player.")
    ] = "",
) -> dict[str, Any]:
    """A round of the record, step by step, marked as replay. A player sees what he saw; staff choose."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        viewer = house.viewer(session)
        with house.work.store.reading() as reader:
            row = reader.round_at(table, number)
            steps = recall(house.reading, reader, table, number)
            deck = (
                void_deck(house.reading, reader, table, number, steps, viewer.player) if viewer.player else {}
            )
        offset = house.reading.registry.utc_offset_minutes
        viewers = viewers_of(steps)
        if viewer.player:
            if viewer.player not in viewers:
                raise Forbidden("not-yours", "That is a round of others.")
            own = {viewer.player: viewer}
            return recalled(table, number, steps, own, told=False, utc_offset_minutes=offset) | deck
        staff_only(house, session, Position.PIT_SUPERVISOR)
        wanted = eyes or viewer.role.value
        if wanted != viewer.role.value and (row is None or row.ended_at is None):
            raise Forbidden("in-play", "While a round is in play everybody sees it with his own eyes.")
        if wanted not in viewers:
            raise BadInput("as", f"nobody there was called '{wanted}'", near_miss(wanted, viewers))
        return recalled(table, number, steps, {wanted: viewers[wanted]}, utc_offset_minutes=offset)

    return await house.reader.run(work)


@get("/jackpots", responses=shown(Jackpots, _PUBLIC))
async def the_jackpots(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Every jackpot as the signs show it."""
    house = house_of(request)
    floor = house.floor
    return await house.worker.run(
        lambda: {"jackpots": [sign_view(floor, floor.link(name)) for name in floor.registry.links]}
    )


@get("/links/{link:str}", responses=_PUBLIC)
async def the_link(request: Request[Any, Any, Any], link: Path) -> dict[str, Any]:
    """A link with its meters, parameters, claims, history and warnings; for the pit."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.PIT_SUPERVISOR)
        return link_view(house.reading, link)

    return await house.reader.run(work)


@get("/disputes", responses=_PUBLIC)
async def the_disputes(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Disputes: all of them for staff, his own for a player; with what he may do about each now."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        found = dispute_views(house.reading, house.floor.store, None)
        if not session.is_staff:
            found = [_for_player(view) for view in found if view["opened_by"] == str(session.asker)]
        for view in found:
            view["may"] = house.reading.dispute_steps(session.asker, view["dispute"])
        return {"disputes": found}

    return await house.reader.run(work)


def _for_player(view: dict[str, Any]) -> dict[str, Any]:
    """A dispute as the player has it: the evidence and the notes are the house's."""
    return {
        name: value for name, value in view.items() if name not in ("evidence", "notes", "bases", "missing")
    }


@get("/voids", responses=_PUBLIC)
async def the_voids(
    request: Request[Any, Any, Any],
    since: Annotated[
        int | None,
        QueryParameter(ge=0, le=2**62, description="From when, in microseconds UTC; else a month."),
    ] = None,
) -> dict[str, Any]:
    """Voids of sealed rounds: who, why, what each saved or cost the house; for the pit and Surveillance."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.PIT_SUPERVISOR)
        begin = max(0, house.reading.now() - WINDOW) if since is None else since
        with house.work.store.reading() as reader:
            found = watch(house.reading, reader, since=Micros(begin))
        return told_voids(house.reading, found)

    return await house.reader.run(work)


@get("/reports/day", responses=_PUBLIC)
async def the_report(
    request: Request[Any, Any, Any],
    since: Annotated[int, QueryParameter(ge=0, le=2**62, description="From when, in microseconds UTC.")] = 0,
    until: Annotated[int | None, QueryParameter(ge=0, le=2**62, description="Until when.")] = None,
    large: Annotated[
        str, QueryParameter(max_length=20, description="From what amount on a win is listed.")
    ] = "10000",
) -> dict[str, Any]:
    """Drop, win, hold, the jackpot reconciled, returns, large wins, errors per shift; for the pit."""
    house, session = house_of(request), session_of(request)
    least = parse_cents(large, "large")

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.PIT_MANAGER)
        with house.work.store.reading() as reader:
            found = report(
                house.reading,
                reader,
                since=since,  # type: ignore[arg-type]
                until=until,  # type: ignore[arg-type]
                large=least,
            )
        return told(house.reading, found, theory=False)

    return await house.reader.run(work)


router = Router(
    "/api",
    route_handlers=[
        the_lobby,
        the_floor,
        the_players,
        the_table,
        the_terms,
        the_rules,
        the_rounds,
        the_round,
        the_jackpots,
        the_link,
        the_disputes,
        the_voids,
        the_report,
    ],
    tags=["look"],
)
