"""Signing in and out, locking and unlocking, passwords, and the word of a second person."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
import structlog
from litestar import Request, Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from pitboss.errors import BadInput, near_miss
from pitboss.floor import requests as q
from pitboss.floor.desk import fingerprint_of
from pitboss.floor.people import SYSTEM, Asker, at_least, by_console, position_of, staff
from pitboss.floor.registry import SURVEILLANCE
from pitboss.forms import REQUESTS
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.bodies import decoded
from pitboss.server.commands import ACTS, PROBLEMS, ActsForm, Path, asked_at, house_of
from pitboss.server.errors import Forbidden
from pitboss.server.gate import COOKIE, session_of
from pitboss.server.house import House
from pitboss.server.identity import PLAYER, SESSION_HOURS, STAFF, NotSignedIn, Session

log = structlog.get_logger("pitboss.server")

Kind = Literal["staff", "player"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]+$")]
Password = Annotated[str, msgspec.Meta(max_length=200)]


class SignInForm(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Who signs in, and as what."""

    kind: Kind
    name: Name
    password: Password


class Me(msgspec.Struct):
    """Who is signed in. `csrf` goes back in X-CSRF-Token with every change; `token` is for programs.

    `utc_offset_minutes` is how far the floor's own clock is from UTC.
    """

    kind: str
    name: str
    position: str
    locked: bool
    ends_at: int
    csrf: str
    utc_offset_minutes: int
    token: str | None = None


class PasswordForm(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A password."""

    password: Password


class NewPasswordForm(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A new password for somebody. Of oneself with the current one; of another by whoever may."""

    kind: Kind
    name: Name
    password: Password
    current: Password = ""


class AccountForm(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Somebody's account."""

    kind: Kind
    name: Name


class CountersignForm(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A second person, his password, and the request he gives his word for, as it will be sent.

    For acts at a table the request is `acts`, and `table` names the table they will be sent to.
    """

    name: Name
    password: Password
    request: Name
    asked: dict[str, msgspec.Raw]
    table: Annotated[str, msgspec.Meta(max_length=100)] = ""


class Word(msgspec.Struct):
    """A second person's word, good once within two minutes, for the Countersign header."""

    countersign: str


_PROBLEMS: dict[int, ResponseSpec] = {n: PROBLEMS[n] for n in (400, 401, 403, 413, 429, 503)}


def me(house: House, session: Session, token: str | None = None) -> Me:
    """The session as its owner sees it."""
    return Me(
        kind=session.asker.kind,
        name=session.asker.name,
        position=house.position(session),
        locked=session.locked,
        ends_at=session.ends_at,
        csrf=session.csrf,
        utc_offset_minutes=house.floor.desk.registry(house.floor.store).utc_offset_minutes,
        token=token,
    )


@post("/sign-in", status_code=200, opt={"whoever": True, "no_csrf": True, "doors": True}, responses=_PROBLEMS)
async def sign_in(request: Request[Any, Any, Any], data: JSONBody[SignInForm]) -> Response[Me]:
    """Sign in. Three failures lock the account for a quarter of an hour."""
    house = house_of(request)
    await house.worker.run(house.end_what_is_void, Asker(data.kind, data.name))
    try:
        begun = await house.with_password(house.identity.sign_in, data.kind, data.name, data.password)
    except NotSignedIn as refused:
        log.warning("sign-in-failed", kind=data.kind, name=data.name, code=refused.code)
        raise
    if not await house.worker.run(house.is_known, begun.session.asker):
        await house.worker.run(house.identity.sign_out, begun.session)
        raise NotSignedIn("wrong-password", "Name and password do not match.")
    found = await house.worker.run(me, house, begun.session, begun.token)
    return Response(found, status_code=200, cookies=[_cookie(house, begun.token)])


class DemoPeople(msgspec.Struct):
    """Who may be entered as with one click; nobody but on a demo floor."""

    staff: list[str]
    player: list[str]


@get("/demo", opt={"whoever": True}, responses={n: PROBLEMS[n] for n in (400, 429, 503)})
async def demo_people(request: Request[Any, Any, Any]) -> DemoPeople:
    """Whom one click enters as, on a demo floor."""
    people = house_of(request).demo_people
    return DemoPeople(people.get(STAFF, []), people.get(PLAYER, []))


@post(
    "/demo/enter", status_code=200, opt={"whoever": True, "no_csrf": True, "doors": True}, responses=_PROBLEMS
)
async def enter_demo(request: Request[Any, Any, Any], data: JSONBody[AccountForm]) -> Response[Me]:
    """Enter a demo floor as somebody, without a password."""
    house = house_of(request)
    if data.name not in house.demo_people.get(data.kind, []):
        raise Forbidden("no-demo", "Nobody enters here without a password.")
    begun = await house.worker.run(house.identity.begin, data.kind, data.name)
    found = await house.worker.run(me, house, begun.session, begun.token)
    return Response(found, status_code=200, cookies=[_cookie(house, begun.token)])


def _cookie(house: House, token: str) -> Cookie:
    return Cookie(
        key=COOKIE,
        value=token,
        max_age=SESSION_HOURS * 3600,
        path="/",
        httponly=True,
        secure=house.settings.secure,
        samesite="strict",
    )


def _any_session(request: Request[Any, Any, Any]) -> Session:
    session: Session | None = request.scope["state"].get("session")
    if session is None:
        raise NotSignedIn("signed-out", "Nobody is signed in here; sign in.")
    return session


@get("/session", responses={n: PROBLEMS[n] for n in (400, 401, 403, 429, 503)})
async def who(request: Request[Any, Any, Any]) -> Me:
    """Who is signed in here."""
    house = house_of(request)
    return await house.worker.run(me, house, _any_session(request))


@post("/session/activity", status_code=204, responses=_PROBLEMS)
async def activity(request: Request[Any, Any, Any]) -> None:
    """Somebody is there: a key was pressed. Keeps the session of staff from locking."""
    session_of(request)


@post("/session/lock", status_code=204, responses=_PROBLEMS)
async def lock(request: Request[Any, Any, Any]) -> None:
    """Lock the session now."""
    house = house_of(request)
    await house.worker.run(house.identity.lock, session_of(request))


@post("/session/unlock", status_code=200, opt={"doors": True}, responses=_PROBLEMS)
async def unlock(request: Request[Any, Any, Any], data: JSONBody[PasswordForm]) -> Me:
    """Open a locked session with its owner's password."""
    house, session = house_of(request), _any_session(request)
    await house.with_password(house.identity.unlock, session, data.password)
    return await house.worker.run(me, house, replace(session, locked=False))


@delete("/session", status_code=204, responses={n: PROBLEMS[n] for n in (400, 401, 403, 429, 503)})
async def sign_out(request: Request[Any, Any, Any]) -> Response[None]:
    """Sign out."""
    house = house_of(request)
    await house.worker.run(house.identity.sign_out, _any_session(request))
    return Response(None, status_code=204, cookies=[Cookie(key=COOKIE, value="", max_age=0, path="/")])


class OpenSession(msgspec.Struct):
    """A session that is not over. `current` is the one that asks."""

    id: str
    begun_at: int
    active_at: int
    ends_at: int
    locked: bool
    current: bool


class OpenSessions(msgspec.Struct):
    """The sessions of one person, the oldest first."""

    kind: str
    name: str
    sessions: list[OpenSession]


OfKind = Annotated[
    Kind | None, QueryParameter(name="kind", description="Of staff or of a player; left out, one's own.")
]
OfName = Annotated[
    str, QueryParameter(name="name", max_length=100, description="Whose; left out, one's own.")
]
_SESSION_PROBLEMS: dict[int, ResponseSpec] = {n: PROBLEMS[n] for n in (400, 401, 403, 404, 429, 503)}


@get("/sessions", responses=_SESSION_PROBLEMS)
async def list_sessions(
    request: Request[Any, Any, Any], kind: OfKind = None, name: OfName = ""
) -> OpenSessions:
    """List open sessions: one's own; as a shift manager or above, those of players and of staff below."""
    house, session = house_of(request), session_of(request)
    return await house.worker.run(_list_sessions, house, session, _whose(session, kind, name))


@delete("/sessions", status_code=204, responses=_SESSION_PROBLEMS)
async def end_sessions(request: Request[Any, Any, Any], kind: OfKind = None, name: OfName = "") -> None:
    """End every session of a person; of one's own, all but the one that asks."""
    house, session = house_of(request), session_of(request)
    await house.worker.run(_end_sessions, house, session, _whose(session, kind, name), "")


@delete("/sessions/{session_id:str}", status_code=204, responses=_SESSION_PROBLEMS)
async def end_session(
    request: Request[Any, Any, Any], session_id: Path, kind: OfKind = None, name: OfName = ""
) -> None:
    """End one session, by the id that the list gives it."""
    house, session = house_of(request), session_of(request)
    await house.worker.run(_end_sessions, house, session, _whose(session, kind, name), session_id)


def _whose(session: Session, kind: Kind | None, name: str) -> Asker:
    return session.asker if kind is None and not name else Asker(kind or STAFF, name)


def _list_sessions(house: House, session: Session, other: Asker) -> OpenSessions:
    _may_end_sessions(house, session, other)
    found = [
        OpenSession(
            id=one.short_id,
            begun_at=one.begun_at,
            active_at=one.active_at,
            ends_at=one.ends_at,
            locked=one.locked,
            current=one.id == session.id,
        )
        for one in house.identity.sessions(other.kind, other.name)
    ]
    return OpenSessions(other.kind, other.name, found)


def _end_sessions(house: House, session: Session, other: Asker, session_id: str) -> None:
    """End the session of an id, or without one every session but the one that asks."""
    _may_end_sessions(house, session, other)
    theirs = house.identity.sessions(other.kind, other.name)
    if session_id:
        ending = [one for one in theirs if one.short_id == session_id]
        if not ending:
            raise NotFoundException(f"{other.name} has no open session {session_id[:20]}.")
    else:
        ending = [one for one in theirs if one.id != session.id]
    for one in ending:
        house.identity.end(one.id)
    if other != session.asker and ending:
        _note(house, session, other, "signing out")
        log.warning("sessions-ended", by=str(session.asker), of=str(other))


def _may_end_sessions(house: House, session: Session, other: Asker) -> None:
    """Raises `Forbidden` unless the sessions are one's own, or of a person below a shift manager."""
    if other == session.asker:
        return
    own = house.position(session)
    if not at_least(own, Position.SHIFT_MANAGER.value):
        raise Forbidden(
            "no-authority",
            "That is for a {rank} or above.",
            rank=Position.SHIFT_MANAGER.value,
        )
    if not house.is_known(other):
        raise BadInput("name", f"unknown user '{other.name}'", "'/api/floor' and '/api/players' list them")
    if other.kind == STAFF:
        theirs = house.floor.desk.registry(house.floor.store).people[other.name]
        if theirs == SURVEILLANCE:
            raise Forbidden("by-console", "Sessions of surveillance are ended at the console.")
        if at_least(theirs, own):
            raise Forbidden("above-you", "{name} is a {rank}.", name=other.name, rank=theirs)


@post("/countersign", status_code=200, opt={"doors": True}, responses=_PROBLEMS)
async def countersign(request: Request[Any, Any, Any], data: JSONBody[CountersignForm]) -> Word:
    """The word of a second person who stands beside the asker, for one request."""
    session = session_of(request)
    if not session.is_staff:
        raise Forbidden("no-authority", "That is for staff.")
    house = house_of(request)
    if data.name == session.asker.name:
        raise Forbidden("second-person", "That takes a second person of the house.")
    if data.request not in (*REQUESTS, ACTS):
        raise BadInput("request", f"no request '{data.request}'", near_miss(data.request, (*REQUESTS, ACTS)))
    asked: q.Request
    body = msgspec.json.encode(data.asked)
    if data.request == ACTS:
        asked = asked_at(session, data.table, decoded(body, ActsForm))
    else:
        form = REQUESTS[data.request]
        asked = form.read(decoded(body, form.struct))
    bound = fingerprint_of(session.asker, asked)
    await house.worker.run(house.end_what_is_void, staff(data.name))
    return Word(await house.with_password(house.identity.countersign, data.name, data.password, bound))


@post("/accounts/password", status_code=204, responses=_PROBLEMS)
async def set_password(request: Request[Any, Any, Any], data: JSONBody[NewPasswordForm]) -> None:
    """Set a password: one's own; a player's, as a pit supervisor; of staff below, as a shift manager.

    Shift managers, those above and Surveillance have theirs from the console. It is noted in the record.

    Every session of that account ends, also the one that asks; sign in again.
    """
    house, session = house_of(request), session_of(request)
    other = Asker(data.kind, data.name)
    if other == session.asker:
        await house.with_password(house.identity.check, data.kind, data.name, data.current)
    else:
        await house.worker.run(_may_set_password, house, session, other)
    position, own_name = await house.worker.run(_position_and_house, house, other)
    await house.with_password(
        house.identity.set_password,
        data.kind,
        data.name,
        data.password,
        position=position,
        house=own_name,
    )
    await house.worker.run(_note, house, session, other, "password")
    log.warning("password-set", by=str(session.asker), of=str(other))


@post("/accounts/unlock", status_code=204, responses=_PROBLEMS)
async def unlock_account(request: Request[Any, Any, Any], data: JSONBody[AccountForm]) -> None:
    """Let somebody try again who has failed too often; whoever may set his password may do it."""
    house, session = house_of(request), session_of(request)
    await house.worker.run(_may_set_password, house, session, Asker(data.kind, data.name))
    await house.worker.run(house.identity.identities.unlock, data.kind, data.name)
    await house.worker.run(_note, house, session, Asker(data.kind, data.name), "unlocking")
    log.warning("account-unlocked", by=str(session.asker), of=f"{data.kind}/{data.name}")


def _position_and_house(house: House, other: Asker) -> tuple[str, str]:
    registry = house.floor.desk.registry(house.floor.store)
    return position_of(registry, other), registry.name


def _note(house: House, session: Session, other: Asker, what: str) -> None:
    """What was done to an account is in the record, so that nobody does it unseen."""
    noted = q.NoteAccount(kind=other.kind, name=other.name, what=what, by=str(session.asker))
    house.floor.do(SYSTEM, noted)


def _may_set_password(house: House, session: Session, other: Asker) -> None:
    """Raises `Forbidden` unless the one who asks may give the other a password."""
    own = house.position(session)
    least = Position.PIT_SUPERVISOR if other.kind == PLAYER else Position.SHIFT_MANAGER
    if not at_least(own, least.value):
        raise Forbidden("no-authority", "That is for a {rank} or above.", rank=least.value)
    if not house.is_known(other):
        raise BadInput("name", f"nobody here is called '{other.name}'", "add him first")
    if other.kind == STAFF:
        theirs = house.floor.desk.registry(house.floor.store).people[other.name]
        if by_console(theirs):
            raise Forbidden("by-console", "A {rank} has his password from the console.", rank=theirs)
        if at_least(theirs, own):
            raise Forbidden("above-you", "{name} is a {rank}.", name=other.name, rank=theirs)
    elif house.plays(other.name):
        raise Forbidden("in-play", "{name} has chips in a round in play; it ends first.", name=other.name)


doors = Router("/api", route_handlers=[sign_in, enter_demo, unlock, countersign], tags=["sign-in"])
"""Where passwords are tried; one address tries so many a minute."""

router = Router(
    "/api",
    route_handlers=[
        demo_people,
        who,
        activity,
        lock,
        sign_out,
        set_password,
        unlock_account,
        list_sessions,
        end_sessions,
        end_session,
    ],
    tags=["sign-in"],
)
