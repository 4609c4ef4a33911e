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

from pitboss.bootstrap import OpenFloor, deck_key
from pitboss.continuity import BROKEN, MOVED
from pitboss.floor.codec import decode
from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.people import Asker, position_of
from pitboss.floor.ports import Micros
from pitboss.floor.registry import STREAM, SURVEILLANCE, PersonAdded
from pitboss.floor.service import Floor
from pitboss.play.views import Role, Viewer
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.drill_sets import OwnSets
from pitboss.server.identity import STAFF, Identity, NotSignedIn, Session, token_key
from pitboss.server.limits import Limits
from pitboss.server.live import Hub
from pitboss.server.metrics import DATABASES, RECORD_BROKEN
from pitboss.server.pricing import Pricing
from pitboss.server.readiness import Readiness
from pitboss.server.settings import ServerSettings
from pitboss.server.worker import Worker
from pitboss.store.identities import SESSIONS, Identities
from pitboss.store.journal import Damage
from pitboss.store.notices import Notices
from pitboss.store.school import School
from pitboss.store.sittings import Sittings

log = structlog.get_logger("pitboss.server")
P = ParamSpec("P")
T = TypeVar("T")
TURN_SECONDS = 4
"""How long a request waits for the floor's thread before it is answered that it was not done."""
_AT_THE_TABLE = (Position.DEALER.value, Position.DEALER_INSPECTOR.value)


class House:
    """One process of the service."""

    def __init__(
        self, work: OpenFloor, settings: ServerSettings, *, hasher: PasswordHasher | None = None
    ) -> None:
        self.work, self.floor, self.settings = work, work.floor, settings
        self.worker = Worker(turn_seconds=TURN_SECONDS)
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
            Identities(work.store.engine),
            self.floor.desk.clock,
            hasher=hasher,
            idle=settings.idle_minutes,
            key=token_key(deck_key(work.where, create=False)),
        )
        self.readiness = Readiness(self)
        self.pricing = Pricing()
        self.school = School(work.store.engine)
        self.sittings = Sittings(work.store.engine)
        self.schooling = Worker("school")
        self.own_sets = OwnSets(work.where.data)
        self.hub = Hub(self.floor)
        self.continuity = work.continuity
        self.continuity.add(self.reading)
        self.continuity.known_elsewhere.append(self.hub.heads)
        self.continuity.listeners.append(self._record_changed)
        self.continuity.damage_listeners.append(_warn_of_damage)
        for damage in self.continuity.damaged:
            _warn_of_damage(damage)
        RECORD_BROKEN.set(self.continuity.broken is not None)
        self.notices = Notices(work.store.engine, moved=self._moved, gap=self._gap)
        self.stopping = False
        self.demo_people: dict[str, list[str]] = {}
        """On a demo floor, who may be entered as with one click, by kind."""
        self.sockets: Counter[str] = Counter()
        self.anonymous_sockets: Counter[str] = Counter()
        self.session_sockets: Counter[str] = Counter()
        """Open sockets by address, with a session and without; and by session."""
        self._added: dict[str, tuple[int, Micros]] = {}
        self._ended_up_to = 0

    def start(self) -> None:
        """Hear of what other processes do."""
        self.notices.start()

    def stop(self) -> None:
        """End everything that runs in this process. Long looks at the record are not waited for."""
        self.stopping = True
        self.notices.stop()
        self.worker.stop()
        self.reader.leave()
        self.schooling.stop()
        self.verifying.leave()
        self.pricing.stop()
        self.readiness.stop()
        self.passwords.shutdown(wait=False, cancel_futures=True)

    def _moved(self, pairs: Sequence[tuple[str, int]]) -> None:
        """From the listener's thread: what is news here goes to the floor's; of most it has heard itself."""
        self.continuity.hear(pair for pair in pairs if pair[0] != SESSIONS)
        news = [pair for pair in pairs if not self.hub.has_seen(*pair)]
        if news and not self.stopping:
            self.worker.post(self._hear, news)

    def _hear(self, pairs: Sequence[tuple[str, int]]) -> None:
        try:
            if any(stream in (SESSIONS, STREAM) for stream, _ in pairs):
                self.identity.forget_all()
            if any(stream == STREAM for stream, _ in pairs):
                self.end_removed_accounts()
            self.hub.moved(pairs)
        except Exception:
            log.exception("notices")
            self.hub.behind = True

    def _gap(self) -> None:
        self.hub.behind = True
        if self.work.store.engine.dialect.name == "postgresql":  # of a file the same is heard of every commit
            self.continuity.suspect()
        self.identity.forget_all()
        if not self.stopping:
            self.worker.post(self.catch_up)

    def catch_up(self) -> None:
        """On the floor's thread: look at all that is watched, until it has worked once."""
        if not self.hub.behind:
            return
        self.hub.behind = False
        try:
            self.continuity.ensure()
            self.end_removed_accounts()
            self.hub.look_at_everything()
        except Exception as error:  # the clock comes back to it
            log.error("behind", problem=str(error)[:200])
            self.hub.behind = True

    # --- the record -----------------------------------------------------------------------------------

    async def whole(self) -> None:
        """Raises `RecordBroken` while the record lacks what is known here; compares first if in doubt."""
        if self.continuity.is_in_doubt:
            await self.worker.run(self.continuity.look)
        self.continuity.refuse()

    def _record_changed(self, what: str, before: str, after: str) -> None:
        """On the floor's thread: the record lacks something, is whole again, or is in another database."""
        broken = self.continuity.broken
        RECORD_BROKEN.set(broken is not None)
        if what == BROKEN:
            log.error(BROKEN, problem=str(broken), before=before, after=after)
        else:
            log.warning(what, before=before, after=after)
        if before != after:
            DATABASES.inc()
            self.notices.listen_again()
        self.identity.forget_all()
        if what != MOVED:  # what was shown is not in the record: whoever looks begins anew
            self.hub.drop()

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
        since = self.end_what_is_void(session.asker)
        if since is None or session.begun_at < since:
            raise NotSignedIn("signed-out", "This account has ended; ask the house for a new one.")
        return session

    # --- who is gone ----------------------------------------------------------------------------------

    def account_since(self, asker: Asker) -> Micros | None:
        """The moment from which passwords and sessions of a name count; None for a name that is unknown.

        What is older belongs to a person of the same name who was removed.
        """
        registry = self.floor.desk.registry(self.floor.store, fresh=True)
        if asker.name not in (registry.people if asker.kind == STAFF else registry.players):
            return None
        if asker.kind != STAFF or asker.name not in registry.former:
            return Micros(0)
        version = self.floor.desk.loaded[STREAM].head.version
        found = self._added.get(asker.name)
        if found is None or found[0] != version:
            added = [
                event.at
                for event in self.floor.store.read(STREAM, until=version)
                if event.name.startswith("person-added")  # the stream holds whole rulebooks, too
                and isinstance(fact := decode(event), PersonAdded)
                and fact.person == asker.name
            ]
            found = self._added[asker.name] = (version, added[-1])
        return found[1]

    def end_what_is_void(self, asker: Asker) -> Micros | None:
        """Make sure that nothing is left of a removed person of this name; since when the name counts now."""
        since = self.account_since(asker)
        if since is None:
            if asker.kind == STAFF and asker.name in self.floor.desk.registry(self.floor.store).former:
                self._end_account(asker)
        elif since:
            account = self.identity.identities.account(asker.kind, asker.name)
            sessions = self.identity.identities.sessions_of(asker.kind, asker.name)
            old = [session for session in sessions if session.begun_at < since]
            if old or (account is not None and account.changed_at < since):
                log.warning("account-ended", of=str(asker))
                self.identity.end_account(asker.kind, asker.name, before=since)
        return since

    def end_removed_accounts(self) -> None:
        """End password and sessions of everyone who was removed, by whichever process that was done."""
        registry = self.floor.desk.registry(self.floor.store, fresh=True)
        version = self.floor.desk.loaded[STREAM].head.version
        if version == self._ended_up_to:
            return
        for name in sorted(registry.former - registry.people.keys()):
            self._end_account(Asker(STAFF, name))
        self._ended_up_to = version

    def _end_account(self, asker: Asker) -> None:
        """End what there is of a removed person; what is given from now on is another's of the same name."""
        before = Micros(self.floor.desk.clock.now() + 1)
        found = self.identity.identities
        if found.account(asker.kind, asker.name) is not None or found.sessions_of(asker.kind, asker.name):
            log.warning("account-ended", of=str(asker))
            self.identity.end_account(asker.kind, asker.name, before=before)

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
            table = self.floor.gaming_table(name)
            if (
                isinstance(table, OpenTable)
                and table.in_round
                and any(
                    player in owners for box in table.state.boxes.values() for owners in box.stakes.values()
                )
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


def _warn_of_damage(damage: Damage) -> None:
    """A journal that was taken over cannot be read whole; the file is kept as it is."""
    log.warning("journal-damaged", file=str(damage.file), line=damage.line, problem=damage.what)
