"""Everything a server process works with: the floor and its thread, who is signed in, who watches."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

import structlog
from argon2 import PasswordHasher

from pitboss.bootstrap import OpenFloor
from pitboss.floor.people import Asker, position_of
from pitboss.floor.registry import SURVEILLANCE
from pitboss.floor.service import Floor
from pitboss.play.views import Role, Viewer
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.drill_sets import OwnSets
from pitboss.server.identity import Identity, NotSignedIn, Session
from pitboss.server.limits import Limits
from pitboss.server.live import Hub
from pitboss.server.pricing import Pricing
from pitboss.server.settings import ServerSettings
from pitboss.server.worker import Worker
from pitboss.store.identities import SESSIONS, Identities
from pitboss.store.notices import Notices
from pitboss.store.school import School
from pitboss.store.sittings import Sittings

log = structlog.get_logger("pitboss.server")
P = ParamSpec("P")
T = TypeVar("T")
_AT_THE_TABLE = (Position.DEALER.value, Position.DEALER_INSPECTOR.value)


class House:
    """One process of the service."""

    def __init__(
        self, work: OpenFloor, settings: ServerSettings, *, hasher: PasswordHasher | None = None
    ) -> None:
        self.work, self.floor, self.settings = work, work.floor, settings
        self.worker = Worker()
        self.passwords = ThreadPoolExecutor(2, thread_name_prefix="passwords")
        self.verifying = Worker("verifying")
        self.reader = Worker("reading")
        self.reading = Floor(
            work.store, clock=self.floor.desk.clock, cards=self.floor.desk.cards, deck_key=bytes(32)
        )
        """For long looks at the record, on a thread and with caches of their own; it never writes."""
        self.everybody = Limits(settings.per_second, burst=2 * settings.per_second)
        self.doors = Limits(settings.sign_ins_a_minute / 60, burst=settings.sign_ins_a_minute)
        self.identity = Identity(
            Identities(work.store.engine), self.floor.desk.clock, hasher=hasher, idle=settings.idle_minutes
        )
        self.pricing = Pricing()
        self.school = School(work.store.engine)
        self.sittings = Sittings(work.store.engine)
        self.schooling = Worker("school")
        self.own_sets = OwnSets(work.where.data)
        self.hub = Hub(self.floor)
        self.notices = Notices(work.store.engine, moved=self._moved, gap=self._gap)
        self.stopping = False
        self.demo_people: dict[str, list[str]] = {}
        """On a demo floor, who may be entered as with one click, by kind."""
        self.sockets: Counter[str] = Counter()

    def start(self) -> None:
        """Hear of what other processes do."""
        self.notices.start()

    def stop(self) -> None:
        """End everything that runs in this process."""
        self.stopping = True
        self.notices.stop()
        self.worker.stop()
        self.reader.stop()
        self.schooling.stop()
        self.verifying.stop()
        self.pricing.stop()
        self.passwords.shutdown(wait=False, cancel_futures=True)

    def _moved(self, pairs: Sequence[tuple[str, int]]) -> None:
        """From the listener's thread: what is news here goes to the floor's; of most it has heard itself."""
        news = [pair for pair in pairs if not self.hub.has_seen(*pair)]
        if news and not self.stopping:
            self.worker.post(self._hear, news)

    def _hear(self, pairs: Sequence[tuple[str, int]]) -> None:
        try:
            if any(stream == SESSIONS for stream, _ in pairs):
                self.identity.forget_all()
            self.hub.moved(pairs)
        except Exception:
            log.exception("notices")
            self.hub.behind = True

    def _gap(self) -> None:
        self.hub.behind = True
        self.identity.forget_all()
        if not self.stopping:
            self.worker.post(self.catch_up)

    def catch_up(self) -> None:
        """On the floor's thread: look at all that is watched, until it has worked once."""
        if not self.hub.behind:
            return
        self.hub.behind = False
        try:
            self.hub.look_at_everything()
        except Exception as error:  # the clock comes back to it
            log.error("behind", problem=str(error)[:200])
            self.hub.behind = True

    # --- who asks -------------------------------------------------------------------------------------

    async def session(self, token: str) -> Session:
        """Whose token it is. Raises `NotSignedIn`."""
        session = self.identity.known(token)
        return session if session is not None else await self.worker.run(self._look_up, token)

    async def acts(self, session: Session) -> None:
        """Somebody changes something: he is not idle. Whoever only looks is."""
        if not session.locked and not self.identity.is_noted(session):
            await self.worker.run(self.identity.active, session)

    def _look_up(self, token: str) -> Session:
        session = self.identity.session(token)
        if not self.is_known(session.asker):
            raise NotSignedIn("signed-out", "The house does not know this name any more.")
        return session

    async def with_password(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Check a password, which takes long on purpose; nothing else does, or sign-in would wait for it."""
        return await asyncio.wrap_future(self.passwords.submit(work, *args, **kwargs))

    def is_known(self, asker: Asker) -> bool:
        """Whether the floor has somebody of this name."""
        for fresh in (False, True):
            registry = self.floor.desk.registry(self.floor.store, fresh=fresh)
            if asker.name in (registry.people if asker.kind == "staff" else registry.players):
                return True
        return False

    def plays(self, player: str) -> bool:
        """Whether a player has chips in a round in play."""
        for name in self.floor.registry.tables:
            table = self.floor.table(name)
            if table.in_round and any(
                player in owners for box in table.state.boxes.values() for owners in box.stakes.values()
            ):
                return True
        return False

    def position(self, session: Session) -> str:
        """The position of whoever is signed in; empty for a player."""
        return position_of(self.floor.desk.registry(self.floor.store), session.asker)

    def viewer(self, session: Session | None) -> Viewer:
        """With whose eyes somebody looks."""
        if session is None:
            return Viewer(Role.PUBLIC)
        if session.asker.kind == "player":
            return Viewer(Role.PLAYER, session.asker.name)
        position = self.position(session)
        if position == SURVEILLANCE:
            return Viewer(Role.SURVEILLANCE)
        if not position:
            return Viewer(Role.PUBLIC)
        return Viewer(Role.DEALER if position in _AT_THE_TABLE else Role.PIT)

    def knows_origin(self, origin: str, host: str) -> bool:
        """Whether pages of an address may use the service: its own, and those it was told of."""
        try:
            found = urlsplit(origin).netloc.lower()
        except ValueError:
            return False
        return bool(found) and (found == host.lower() or origin.rstrip("/") in self.settings.origins)
