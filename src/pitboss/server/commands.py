"""Commands over HTTP: one address for each request of the floor, one for the acts at a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request, Response, Router, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, JSONBody, PathParameter

from pitboss.errors import BadInput
from pitboss.floor import requests as q
from pitboss.floor.desk import fingerprint_of
from pitboss.floor.entropy import awaited
from pitboss.floor.gaming_table import VIRTUAL
from pitboss.floor.people import staff
from pitboss.floor.ports import SECOND
from pitboss.floor.service import Answer
from pitboss.forms import MOST_ITEMS, REQUESTS, ActForm, Form, Number, read_act
from pitboss.play import commands as c
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.errors import Forbidden, place_and_words, refused
from pitboss.server.gate import session_of
from pitboss.server.house import House
from pitboss.server.identity import PLAYER, Session
from pitboss.server.metrics import COMMANDS

T = TypeVar("T")
HELD_SECONDS = 5
"""For how long a deal is held that comes before devices have revealed; then it is refused."""
LOOK_SECONDS = 0.1
ACTS = "acts"
"""Acts at a table, as a request that a second person gives their word for."""

SECOND_PERSON = ("witness", "approved_by")
"""Fields that name a second person, who gives his own word for it."""

Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=100,
        pattern=r"^[!-~]*$",
        description="The same key again gets the first answer and does nothing.",
    ),
]
Countersign = Annotated[
    str | None,
    HeaderParameter(
        name="Countersign",
        max_length=100,
        description="The second person's word, from /api/countersign, where a field names one.",
    ),
]

Path = Annotated[str, PathParameter(max_length=100, description="A name.")]


class Done(msgspec.Struct):
    """Done. `versions` are those of the streams it moved on; what else there is depends on the request."""

    ok: bool
    versions: dict[str, int]


class Refused(msgspec.Struct):
    """Not done: a code, a sentence, and the clauses that say so. `field` tells where input was bad."""

    code: str
    message: str
    clauses: list[str]


class BadField(msgspec.Struct):
    """Input that cannot be used: the field, what is wrong, what would be right."""

    code: str
    message: str
    field: str
    clauses: list[str]


PROBLEMS: dict[int, ResponseSpec] = {
    400: ResponseSpec(BadField, description="Bad input; the field is named."),
    401: ResponseSpec(Refused, description="Nobody is signed in."),
    403: ResponseSpec(Refused, description="Not for this asker."),
    404: ResponseSpec(Refused, description="There is no such thing here."),
    409: ResponseSpec(Refused, description="Refused, with the clauses that say so."),
    413: ResponseSpec(Refused, description="The body is too large."),
    429: ResponseSpec(Refused, description="Too many requests."),
    503: ResponseSpec(Refused, description="The store does not work now; nothing was done."),
}


def house_of(request: Request[Any, Any, Any]) -> House:
    """What this process works with."""
    house: House = request.app.state.house
    return house


def _do(house: House, session: Session, asked: q.Request, key: str | None, word: str | None) -> Answer:
    """On the floor's thread: see to the second person's word, then do what is asked."""
    _own_decisions(house, session, asked)
    own = f"{session.asker}/{key}" if key else ""
    if isinstance(asked, q.RemovePerson):
        return _remove(house, session, asked, own)
    second = _second_person(asked)
    alone = isinstance(asked, q.EnterUnnoticed | q.FailLink) and not second  # where nothing asks for one
    if second is None or alone or (own and house.floor.store.kept(own) is not None):
        return house.floor.do(session.asker, asked, key=own)
    house.end_what_is_void(staff(second))
    given = house.identity.take_word(word or "", second, fingerprint_of(session.asker, asked))
    if given is None:
        raise Forbidden("second-person", f"{second} gives his own word for it first, at /api/countersign.")
    try:
        answer = house.floor.do(session.asker, asked, key=own)
    except Exception:
        house.identity.give_back(given)
        raise
    if not answer.ok:
        house.identity.give_back(given)
    return answer


def _remove(house: House, session: Session, asked: q.RemovePerson, key: str) -> Answer:
    """Remove a person from the floor, and with them their password, sessions and words."""
    answer = house.floor.do(session.asker, asked, key=key)
    if answer.ok:
        house.end_removed_accounts()
    return answer


def _second_person(asked: q.Request) -> str | None:
    """The second person that a request takes, or the act in it names; None where there is none."""
    if isinstance(asked, q.Act):
        return getattr(asked.command, "approved_by", "") or None
    return next((getattr(asked, name) for name in SECOND_PERSON if hasattr(asked, name)), None)


def _own_decisions(house: House, session: Session, asked: q.Request) -> None:
    """At a virtual table a player who is signed in decides for himself, and has his time for it.

    Staff act for players who have no device. Raises `Forbidden`.
    """
    if not session.is_staff or not isinstance(asked, q.Act):
        return
    command, table = asked.command, house.floor.table(asked.table)
    if table.opened is None or table.opened.cards != VIRTUAL or table.play is None:
        return
    by = command.by
    player = by.for_player if isinstance(by, c.Staff) else None
    if isinstance(command, c.MarkAbsent):
        box = table.state.boxes.get(command.position)
        until = table.decision_since + table.opened.decision_seconds * SECOND
        player = box.player if box is not None and house.floor.now() < until else None
    if player and house.identity.is_signed_in(PLAYER, player):
        raise Forbidden("he-acts-himself", f"{player} is signed in: he decides for himself, in his own time.")


async def _when_composed(house: House, asked: q.Request) -> None:
    """Hold a deal until devices have revealed and the beacon is there, for a few seconds at most."""
    if not isinstance(asked, q.Act) or not isinstance(asked.command, c.Deal):
        return
    loop = asyncio.get_running_loop()
    until = loop.time() + HELD_SECONDS
    while loop.time() < until and await house.worker.run(_is_awaited, house, asked.table):
        await asyncio.sleep(LOOK_SECONDS)


def _is_awaited(house: House, name: str) -> bool:
    """On the floor's thread: whether the first deal at a table waits for what is revealed or published."""
    floor = house.floor
    if name not in floor.desk.registry(floor.store).tables:
        return False
    return awaited(floor.known(name), floor.now(), floor.desk.beacon) is not None


async def answered(
    house: House, session: Session, asked: q.Request, key: str | None, word: str | None = None
) -> Response[dict[str, Any]]:
    """What the floor says to a request."""
    await _when_composed(house, asked)
    answer = await house.worker.run(_do, house, session, asked, key, word)
    name = type(asked).__name__
    COMMANDS.labels(name, "done" if answer.ok else answer.code).inc()
    if not answer.ok:
        return refused(answer)
    headers = {"Idempotent-Replay": "true"} if answer.repeated else None
    return Response(dict(answer.body), status_code=200, headers=headers)


def strictly(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """A body by its form to the letter: what is a number there is none in quotes. Raises `BadInput`."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        place, what = place_and_words(str(error))
        raise BadInput(place, what, "see the API's documentation") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("", "the body is no JSON that can be read", "send JSON in UTF-8") from error


def _handler(form: Form) -> Any:
    decoder = msgspec.json.Decoder(form.struct)

    async def handle(
        request: Request[Any, Any, Any], data: Any, key: Any = None, countersign: Any = None
    ) -> Any:
        session = session_of(request)
        written = strictly(await request.body(), decoder)
        return await answered(house_of(request), session, form.read(written), key, countersign)

    handle.__name__ = handle.__qualname__ = form.name.replace("-", "_")
    handle.__doc__ = form.kind.__doc__
    handle.__annotations__ = {
        "request": Request[Any, Any, Any],
        "data": JSONBody[form.struct],  # type: ignore[misc,name-defined]
        "key": Key,
        "countersign": Countersign,
        "return": Response[Done],
    }
    return post(
        f"/{form.name}",
        status_code=200,
        summary=form.kind.__doc__.split("\n")[0],
        responses=PROBLEMS,
        tags=["floor"],
        operation_id=form.name,
    )(handle)


class ActsForm(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What somebody does at a table. Several acts of a player are all done, or none.

    `expect` is the version of the table that the asker has seen; another one refuses the acts.
    """

    acts: Annotated[list[ActForm], msgspec.Meta(min_length=1, max_length=MOST_ITEMS)]  # type: ignore[valid-type]
    expect: Number | None = None


_ACTS = msgspec.json.Decoder(ActsForm)


def actor_of(session: Session) -> Callable[[str | None], c.Actor]:
    """Who acts at a table, by who is signed in; the floor puts his real position in."""

    def actor(for_player: str | None) -> c.Actor:
        if session.asker.kind == "player":
            if for_player is not None and for_player != session.asker.name:
                raise Forbidden("not-you", "A player acts for himself.")
            return c.Player(session.asker.name)
        return c.Staff(Position.DEALER, for_player=for_player)

    return actor


@post(
    "/tables/{table:str}/acts",
    status_code=200,
    summary="Acts at a table: wagers, decisions, announcements, cards, reports, rulings.",
    responses=PROBLEMS,
    tags=["tables"],
    operation_id="acts",
)
async def acts(
    request: Request[Any, Any, Any],
    table: Path,
    data: JSONBody[ActsForm],
    key: Key = None,
    countersign: Countersign = None,
) -> Response[Done]:
    """One act, or several of a player at once."""
    session = session_of(request)
    asked = asked_at(session, table, await request.body())
    return await answered(house_of(request), session, asked, key, countersign)  # type: ignore[return-value]


def asked_at(session: Session, table: str, body: bytes) -> q.Act | q.Acts:
    """The acts that a body asks for at a table. Raises `BadInput`."""
    data = strictly(body, _ACTS)
    steps = tuple(read_act(written, actor_of(session)) for written in data.acts)
    if "\x00" in table:
        raise BadInput("table", "there is a NUL character in it", "leave it out")
    if len(steps) == 1:
        return q.Act(table=table, command=steps[0], expect=data.expect)
    return q.Acts(table=table, commands=steps, expect=data.expect)


router = Router("/api", route_handlers=[acts])
floor_router = Router("/api/floor", route_handlers=[_handler(form) for form in REQUESTS.values()])
