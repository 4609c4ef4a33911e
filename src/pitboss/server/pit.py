"""What the pit and Surveillance look at: irregularities and what the book says, rounds found, the record."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Annotated, Any

from litestar import Request, Response, Router, get, post
from litestar.params import PathParameter, QueryParameter

from pitboss.errors import BadInput, near_miss
from pitboss.floor.gaming_table import VIRTUAL
from pitboss.floor.openings import openings_view
from pitboss.floor.ports import Micros
from pitboss.floor.registry import SURVEILLANCE
from pitboss.floor.searching import Wanted, found_rounds
from pitboss.floor.second_signatures import takes_two_at
from pitboss.money import Cents, parse_cents
from pitboss.play.advice import Details, advice_json, advise, rulings_json, try_rulings
from pitboss.play.refusal import Refusal
from pitboss.rulebooks.trouble import ExposedAt, ExposedBy, Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position, meaning
from pitboss.server.commands import PROBLEMS, Path, house_of
from pitboss.server.errors import Forbidden
from pitboss.server.gate import session_of
from pitboss.server.house import House
from pitboss.server.reads import staff_only
from pitboss.store.keeping import read_checkpoints
from pitboss.verification import verify

_PROBLEMS = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 409, 429, 503)}
MOST_FOUND = 100
Kind = Annotated[str, PathParameter(max_length=40, description="A kind of irregularity.")]
Text = Annotated[str, QueryParameter(max_length=100)]


@get("/openings", responses=_PROBLEMS)
async def openings(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """What a table may be opened with: rulebooks in force, layouts, procedures, limits, chips, equipment."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.PIT_SUPERVISOR)
        return {"openings": openings_view(house.reading), "links": sorted(house.reading.registry.links)}

    return await house.reader.run(work)


@get("/irregularities", responses=_PROBLEMS)
async def all_irregularities(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Every kind of irregularity a round may have had, in plain words; for staff."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.DEALER)
        return {"kinds": [{"kind": kind.value, "what": meaning(kind)} for kind in Irregularity]}

    return await house.reader.run(work)


@get("/tables/{table:str}/irregularities", responses=_PROBLEMS)
async def irregularities(request: Request[Any, Any, Any], table: Path) -> dict[str, Any]:
    """What may go wrong at a table and be reported, in plain words; for its staff."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.DEALER)
        plan = _open(house, table).state.plan
        kinds = [
            {"kind": kind.value, "what": meaning(kind)} for kind in Irregularity if kind in plan.remedies
        ]
        return {"table": table, "kinds": kinds}

    return await house.reader.run(work)


@get("/tables/{table:str}/irregularities/{kind:str}", responses=_PROBLEMS)
async def irregularity(
    request: Request[Any, Any, Any],
    table: Path,
    kind: Kind,
    positions: Annotated[str, QueryParameter(max_length=40, description="Positions, with commas.")] = "",
    count: Annotated[int, QueryParameter(ge=0, le=1000, description="How many cards.")] = 1,
    seats: Annotated[str, QueryParameter(max_length=40, description="Seats affected, with commas.")] = "",
    by: Annotated[ExposedBy | None, QueryParameter(description="Who exposed the card.")] = None,
    at: Annotated[ExposedAt | None, QueryParameter(description="When it was exposed.")] = None,
) -> dict[str, Any]:
    """What this rulebook says about an irregularity now, and what each player would get back.

    Clauses, remedies, who decides; nothing is applied.
    """
    house, session = house_of(request), session_of(request)
    known = [word.value for word in Irregularity]
    if kind not in known:
        raise BadInput("kind", f"no irregularity '{kind}'", near_miss(kind, known))
    concerned = _numbers(positions)
    details = Details(seats=_numbers(seats), exposed_by=by, exposed_at=at)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.DEALER)
        found_table = _open(house, table)
        state = found_table.state
        if Irregularity(kind) not in state.plan.remedies:
            raise BadInput("kind", f"'{kind}' cannot happen at this table", "choose another kind")
        found = advise(state, Irregularity(kind), positions=concerned, count=count, details=details)
        if isinstance(found, Refusal):
            return {"refused": {"code": found.code, "message": found.message, "clauses": list(found.clauses)}}
        advice = advice_json(found)
        for branch in advice["branches"] if takes_two_at(found_table) else ():
            if branch["row"].get("remedy") in _UNDO:
                branch["row"]["second-signature"] = True
        return advice

    return await house.reader.run(work)


@get("/tables/{table:str}/rulings", responses=_PROBLEMS)
async def rulings(request: Request[Any, Any, Any], table: Path) -> dict[str, Any]:
    """What may be ruled at a table now, and what each player would get back or give; nothing is applied."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.DEALER)
        found = _open(house, table)
        tried = try_rulings(found.state)
        if found.opened is not None and found.opened.cards == VIRTUAL:
            tried = tuple(one for one in tried if one.ruling is not Ruling.ORDER)
        rows = rulings_json(tried)
        suspension = found.state.suspension
        out = (*_RULED_OUT, *(() if suspension is None else suspension.choice_after))
        for row in rows:
            row["second_signature"] = takes_two_at(found) and row["ruling"] in out
        return {"table": table, "rulings": rows}

    return await house.reader.run(work)


_UNDO = (
    *("void", "remove-hand", "keep-viewed-hands", "keep-first-dealt-hand"),
    *("withdraw-or-stay", "withdraw-all-or-stay", "reconstruct-then-choose", "choose-then-settle-again"),
)
_RULED_OUT = (Ruling.VOID, Ruling.INVALIDATE, Ruling.BAR, Ruling.PERMIT_WITHDRAWAL)
"""What undoes a round or a hand, or lets a player withdraw one: two persons sign for it at a virtual
table once cards are dealt."""


def _open(house: House, table: str) -> Any:
    found = house.reading.table(table)
    if found.play is None:
        raise BadInput("table", f"table {table} was never opened", "open it first")
    return found


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise BadInput("positions", f"'{text}' are no positions", "write numbers with commas, such as 1,3")
    return tuple(int(part) for part in parts)


@get("/rounds", responses=_PROBLEMS)
async def rounds(
    request: Request[Any, Any, Any],
    table: Text = "",
    since: Annotated[int, QueryParameter(ge=0, le=2**62, description="From when, in microseconds UTC.")] = 0,
    until: Annotated[int | None, QueryParameter(ge=0, le=2**62, description="Until when.")] = None,
    player: Text = "",
    least: Annotated[str, QueryParameter(max_length=20, description="Won or lost at least so much.")] = "0",
    clause: Text = "",
    irregularity: Text = "",
    most: Annotated[int, QueryParameter(ge=1, le=MOST_FOUND, description="How many.")] = 50,
) -> dict[str, Any]:
    """Rounds of the record that fit, the newest first; for the pit and Surveillance."""
    house, session = house_of(request), session_of(request)
    amount = parse_cents(least, "least")

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.PIT_SUPERVISOR)
        known = house.reading.registry.tables
        if table and table not in known:
            raise BadInput("table", f"there is no table '{table}'", near_miss(table, known))
        tables: Sequence[str] = [table] if table else list(known)
        wanted = Wanted(
            tables=tables,
            since=Micros(since),
            until=None if until is None else Micros(until),
            player=player,
            least=Cents(amount),
            clause=clause,
            irregularity=irregularity,
        )
        with house.work.store.reading() as reader:
            found, more = found_rounds(
                reader,
                wanted,
                most=most,
                utc_offset_minutes=house.reading.registry.utc_offset_minutes,
            )
        return {"rounds": found, "more": more}

    return await house.reader.run(work)


@get("/record", responses=_PROBLEMS)
async def record(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """The record: its streams with their heads, and the last checkpoint; for the pit and Surveillance."""
    house, session = house_of(request), session_of(request)

    def work() -> dict[str, Any]:
        staff_only(house, session, Position.PIT_MANAGER)
        with house.work.store.reading() as reader:
            checkpoints = read_checkpoints(reader)
            heads = reader.heads()
        last = checkpoints[-1] if checkpoints else None
        return {
            "streams": {name: {"version": head.version, "hash": head.hash} for name, head in heads.items()},
            "checkpoint": None if last is None else {"number": last[0], "at": last[1]},
        }

    return await house.reader.run(work)


@post("/record/verify", status_code=200, responses=_PROBLEMS)
async def verify_record(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """Verify the whole record now: hash chains, money, pools, checkpoints; for the pit and Surveillance."""
    house, session = house_of(request), session_of(request)
    await house.worker.run(staff_only, house, session, Position.PIT_MANAGER)
    found = await house.verifying.run(verify, house.work.where, processes=1)
    return {
        "ok": found.ok,
        "events": found.events,
        "seconds": round(found.seconds, 2),
        "problems": [str(problem) for problem in found.problems[:20]],
    }


@get("/tables/{table:str}/rounds/{number:int}/export", responses=_PROBLEMS)
async def export_round(
    request: Request[Any, Any, Any],
    table: Path,
    number: Annotated[int, PathParameter(ge=1, le=2**31 - 1, description="Its number.")],
) -> Response[str]:
    """A round that has ended, event by event as it was recorded, in JSON Lines; for Surveillance."""
    house, session = house_of(request), session_of(request)

    def work() -> str:
        if house.position(session) != SURVEILLANCE:  # hands that nobody showed are in it
            raise Forbidden("no-authority", "That is for Surveillance.")
        row = house.work.store.round_at(table, number)
        if row is None:
            raise BadInput("number", f"table {table} has no round {number}", "see its last rounds")
        if row.ended_at is None:
            raise Forbidden("in-play", "A round in play is not given out.")
        out = io.StringIO()
        for event in house.work.store.read(
            f"table/{table}", after=row.first_version - 1, until=row.last_version
        ):
            out.write(json.dumps(event._asdict(), ensure_ascii=False) + "\n")
        return out.getvalue()

    text = await house.reader.run(work)
    name = f"{table}-{number}.jsonl"
    return Response(
        text,
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


router = Router(
    "/api",
    route_handlers=[
        openings,
        all_irregularities,
        irregularities,
        irregularity,
        rulings,
        rounds,
        record,
        verify_record,
        export_round,
    ],
    tags=["pit"],
)
