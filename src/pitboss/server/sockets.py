"""WebSockets: live views of tables for whoever may see them, and jackpots for everybody.

A client says `{"watch": "t1", "after": 17}` or `{"leave": "t1"}`; the server sends views. `{"beat": 1}` is
answered with the time by the floor's clock, in microseconds. What it cannot understand is answered with an
error, and after a few such messages, or one too large, the socket is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Annotated, Any

import msgspec
import structlog
from litestar import Router, WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from pitboss.errors import BadInput, RecordBroken, StoreError
from pitboss.server.errors import place_and_words
from pitboss.server.gate import address_of
from pitboss.server.house import House
from pitboss.server.identity import CACHED_SECONDS, NotSignedIn, Session
from pitboss.server.limits import Limits, network_of
from pitboss.server.live import Watcher
from pitboss.server.metrics import SOCKETS
from pitboss.server.shapes import BeatMessage, ErrorMessage

LOOK_SECONDS = 2
"""How often it is seen to that the session of an open socket is still good."""
MOST_MISTAKES = 5
WISHES_A_SECOND = 5
MOST_TABLES = 200

MALFORMED, NOT_SIGNED_IN, LOCKED, TOO_LARGE, TOO_SLOW, TOO_MANY = 4400, 4401, 4423, 4413, 4408, 4429
RECORD_BROKEN = 4503

log = structlog.get_logger("pitboss.server")


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client says: watch a table from a version on, leave it, or whether anybody is there."""

    watch: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    leave: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    after: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None
    beat: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


_wish = msgspec.json.Decoder(Wish)


class _Closed(Exception):  # noqa: N818 - it is the end of a conversation
    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason


@websocket("/api/live")
async def live(socket: WebSocket[Any, Any, Any]) -> None:
    """Views of tables, each as whoever is signed in may see it."""
    house: House = socket.app.state.house
    session: Session | None = socket.scope["state"].get("session")
    await _serve(socket, house, session, signs=False)


@websocket("/api/jackpots/live")
async def jackpots(socket: WebSocket[Any, Any, Any]) -> None:
    """Every jackpot, for everybody."""
    session: Session | None = socket.scope["state"].get("session")
    await _serve(socket, socket.app.state.house, session, signs=True)


async def _serve(
    socket: WebSocket[Any, Any, Any], house: House, session: Session | None, *, signs: bool
) -> None:
    await socket.accept()
    if socket.scope["state"].get("signed_out") and not signs:
        await socket.close(NOT_SIGNED_IN, "nobody is signed in by this token")
        return
    address = network_of(address_of(socket))
    sockets = house.anonymous_sockets if session is None else house.sockets
    if _is_full(house, address, session):
        log.warning("sockets", address=address, anonymous=session is None)
        await socket.close(TOO_MANY, "there are too many sockets here")
        return
    watcher = Watcher(asyncio.get_running_loop())
    counted = [(sockets, address)] + ([] if session is None else [(house.session_sockets, session.id)])
    for counter, key in counted:
        counter[key] += 1
    SOCKETS.inc()
    try:
        house.hub.sockets.add(watcher)
        await house.whole()
        if signs:
            session = None  # a sign shows the same to everyone, and goes on showing it
        elif session is not None and session.locked:
            raise _Closed(LOCKED, "the session is locked")
        watcher.viewer = await house.worker.run(house.viewer, session)
        if signs:
            await house.worker.run(house.hub.watch_signs, watcher)
        tasks = [
            asyncio.create_task(_sending(socket, watcher)),
            asyncio.create_task(_hearing(socket, house, watcher)),
        ]
        if session is not None:
            tasks.append(asyncio.create_task(_looking(socket, house, watcher, session)))
        done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        ended = [task.exception() for task in done]  # of each: both ends of a socket may break at once
        for error in ended:
            if error is not None:
                raise error
    except _Closed as closed:
        with contextlib.suppress(Exception):  # the other end may be gone
            await socket.close(closed.code, closed.reason)
    except RecordBroken:
        with contextlib.suppress(Exception):
            await socket.close(RECORD_BROKEN, "the record is broken")
    except (WebSocketDisconnect, StoreError, ConnectionError):
        with contextlib.suppress(Exception):
            await socket.close(1012, "try again")
    finally:
        for counter, key in counted:
            counter[key] -= 1
            if counter[key] <= 0:
                del counter[key]
        SOCKETS.dec()
        house.hub.sockets.discard(watcher)
        if not house.stopping:
            house.worker.post(house.hub.leave, watcher)


def _is_full(house: House, address: str, session: Session | None) -> bool:
    """Whether there are as many sockets as may be: those without a session take none from those with one."""
    settings = house.settings
    if session is not None:
        if house.session_sockets[session.id] >= settings.most_sockets_a_session:
            return True
        most, most_here, sockets = settings.most_sockets, settings.most_sockets_an_address, house.sockets
    else:
        most, most_here = settings.most_anonymous_sockets, settings.most_anonymous_sockets_an_address
        sockets = house.anonymous_sockets
    return sockets.total() >= most or sockets[address] >= most_here


async def _sending(socket: WebSocket[Any, Any, Any], watcher: Watcher) -> None:
    while True:
        message = await watcher.queue.get()
        if message is None and watcher.broken:
            raise _Closed(RECORD_BROKEN, "the record is broken")
        if message is None:
            raise _Closed(TOO_SLOW, "too slow; come back and resume")
        await socket.send_text(message.decode())


async def _hearing(socket: WebSocket[Any, Any, Any], house: House, watcher: Watcher) -> None:
    mistakes, wishes = 0, Limits(WISHES_A_SECOND, burst=2 * MOST_TABLES)
    while True:
        text = await socket.receive_data(mode="text")
        if not wishes.take(""):
            raise _Closed(TOO_MANY, "too many messages")
        if len(text) > house.settings.most_message:
            log.warning("socket-message-too-large", size=len(text))
            raise _Closed(TOO_LARGE, "the message is too large")
        try:
            await _heed(house, watcher, _wish.decode(text))
        except (msgspec.MsgspecError, BadInput, UnicodeError, RecursionError) as error:
            mistakes += 1
            field = error.place if isinstance(error, BadInput) else place_and_words(str(error))[0]
            log.warning("socket-message", problem=str(error)[:200])
            problem = ErrorMessage(code="bad-input", message=str(error), field=field)
            watcher.send([msgspec.json.encode(problem)])
            if mistakes >= MOST_MISTAKES:
                raise _Closed(MALFORMED, "too many messages that cannot be understood") from error


async def _heed(house: House, watcher: Watcher, wish: Wish) -> None:
    if wish.beat is not None:
        watcher.send([msgspec.json.encode(BeatMessage(beat=wish.beat, now=house.floor.now()))])
    elif wish.watch is not None:
        if len(watcher.tables) >= MOST_TABLES and wish.watch not in watcher.tables:
            raise BadInput("watch", "too many tables on one socket", f"watch up to {MOST_TABLES}")
        await house.worker.run(house.hub.watch, watcher, wish.watch, wish.after)
    elif wish.leave is not None:
        await house.worker.run(house.hub.leave, watcher, wish.leave)
    else:
        raise BadInput("watch", "nothing is asked for", 'say {"watch": "t1"} or {"leave": "t1"}')


async def _looking(
    socket: WebSocket[Any, Any, Any], house: House, watcher: Watcher, session: Session
) -> None:
    """See now and then that the session is still good, and what its owner may see."""
    token, seen_at = socket.scope["state"]["token"], time.monotonic()
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            found = await house.session(token)
            viewer = await house.worker.run(house.viewer, found)
        except NotSignedIn as gone:
            raise _Closed(NOT_SIGNED_IN, gone.message) from gone
        except StoreError:
            if time.monotonic() - seen_at > CACHED_SECONDS:
                raise
            continue  # the store is held up: what is shown stays for as long as a session is believed
        seen_at = time.monotonic()
        if found.locked:
            raise _Closed(LOCKED, "the session is locked")
        if viewer != watcher.viewer:
            raise _Closed(NOT_SIGNED_IN, "your position has changed; come back")


router = Router("", route_handlers=[live, jackpots])
