"""The one place that builds a working floor from settings: its store, its keys, its clock and its cards."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.beacons import AnnouncedBeacon, ConfiguredBeacon, configured_beacon
from pitboss.continuity import Continuity
from pitboss.errors import BadInput, RecordBroken, StoreBusy, StoreError, near_file
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.people import Asker
from pitboss.floor.ports import SECOND, Beacon, CardSource, Clock, Micros
from pitboss.floor.registry import DAY, STREAM
from pitboss.floor.requests import ForgetAnswers
from pitboss.floor.service import Answer, Floor
from pitboss.folders import data_folder
from pitboss.signals import held_back
from pitboss.store.connections import COMMANDING, Patience
from pitboss.store.engine import open_engine, revision_of, sqlite_url
from pitboss.store.journal import Journal
from pitboss.store.keeping import make_checkpoint
from pitboss.store.leftovers import forgettable
from pitboss.store.presence import SERVES, Presence
from pitboss.store.sql import SqlStore

DATABASE_FILE = "floor.db"
LOCK_FILE = "floor.lock"
DECK_KEY = "deck.key"
CHECKPOINT_KEY = "checkpoint.pem"
KEY_BYTES = 32
CHECKPOINT_MICROS = 300 * SECOND
HELD_SECONDS = 30
"""How long a floor that is taken up after a crash waits for what the dead still hold in the database."""
FORGOTTEN_AT_ONCE = 20_000
"""Kept answers that one transaction erases: it takes about as long as a few commands."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a floor is kept: a folder, and a database of its own if it has outgrown the one in the folder.

    The folder also holds the keys: of the sealed decks, and of the signed checkpoints.
    """

    data: Path
    database: str = ""

    @property
    def url(self) -> str:
        """The address of the store: the database that was named, else the file in the folder."""
        return self.database or sqlite_url(self.data / DATABASE_FILE)


def settings(data: str | None, database: str | None) -> Settings:
    """The settings of a command line; what is left out comes from the environment."""
    return Settings(data_folder(data), database or os.environ.get("PITBOSS_DATABASE") or "")


def open_store(where: Settings, *, create: bool = False, usual: Patience = COMMANDING) -> SqlStore:
    """The store of a floor. Unless it is to be created, it must be there.

    `usual` is how long its connections wait where the environment says nothing.
    """
    if not where.database:
        file = where.data / DATABASE_FILE
        if create:
            try:
                where.data.mkdir(mode=0o700, parents=True, exist_ok=True)
                if not file.exists():  # passwords and the cards of rounds in play are nobody else's to read
                    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
            except OSError as error:
                raise StoreError(
                    f"{where.data} cannot be made ({error.strerror})", "name a folder that can be written"
                ) from error
        elif not file.is_file():
            remedy = near_file(str(where.data)) if not where.data.exists() else ""
            remedy = remedy if remedy.startswith("did you") else "'pitboss floor create' makes one"
            raise BadInput("--data", f"there is no floor in {where.data}", remedy)
    engine = open_engine(where.url, usual=usual)
    if not create:
        from pitboss.store.engine import in_words

        with in_words(), engine.connect() as connection:
            if revision_of(connection) is None:
                raise BadInput("--database", "there is no floor in it", "'pitboss floor create' makes one")
    return SqlStore(engine)


def deck_key(where: Settings, *, create: bool) -> bytes:
    """The key that decks are sealed with: of the environment, or of a file only this user can read."""
    given = os.environ.get("PITBOSS_DECK_KEY")
    if given:
        return _key_bytes(given, "PITBOSS_DECK_KEY")
    file = where.data / DECK_KEY
    if not file.exists():
        if not create:
            raise StoreError(
                f"the deck key {file} is missing", "put it back, or set PITBOSS_DECK_KEY on every machine"
            )
        _write_secret(file, secrets.token_hex(KEY_BYTES).encode())
    return _key_bytes(_read_secret(file).decode("ascii", "replace"), str(file))


def _key_bytes(text: str, place: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise BadInput(place, "is no key", f"it has {2 * KEY_BYTES} hexadecimal digits")
    return key


def checkpoint_key(where: Settings, *, create: bool) -> Ed25519PrivateKey | None:
    """The key that checkpoints are signed with, or None where it is not on this machine."""
    file = where.data / CHECKPOINT_KEY
    if not file.exists():
        if not create:
            return None
        key = Ed25519PrivateKey.generate()
        _write_secret(
            file,
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        )
        return key
    try:
        loaded = serialization.load_pem_private_key(_read_secret(file), password=None)
    except ValueError as error:
        raise BadInput(str(file), "is no key", "put the right file back") from error
    if not isinstance(loaded, Ed25519PrivateKey):
        raise BadInput(str(file), "is no key for checkpoints", "put the right file back")
    return loaded


def _write_secret(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise StoreError(f"{file} cannot be written ({error.strerror})", "see to the folder") from error
    with os.fdopen(handle, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def _read_secret(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise StoreError(f"{file} cannot be read ({error.strerror})", "see to its rights") from error


@dataclass(slots=True)
class OpenFloor:
    """A floor at work, and whether it had crashed before."""

    floor: Floor
    store: SqlStore
    crashed: bool
    presence: Presence
    where: Settings
    continuity: Continuity

    def keep(self) -> None:
        """What a process that works for long does now and then: it looks whether the record is still whole,
        says that it is there, and signs the record.
        """
        self.continuity.look()
        self.presence.keep()
        if self.continuity.broken is None:
            _checkpoint(self.where, self.floor, self.store)

    def forget_answers(self, asker: Asker, *, days: int, spare_days: int = 0) -> Answer | None:
        """Forget kept answers that are older than so many days, many at once; None once there are none.

        With `spare_days` nothing is done before the oldest is older by so many days more, so that the record
        has a mark a day at most, unless there are more answers than are forgotten at once.
        """
        now = self.floor.now()
        before = Micros(now - days * DAY)
        with self.store.reading() as reader:
            found = forgettable(reader, before, at_most=FORGOTTEN_AT_ONCE)
        if found is None or found[0] >= before - spare_days * DAY:
            return None
        return self.floor.do(asker, ForgetAnswers(before=found[1]))


@contextmanager
def at_work(
    where: Settings,
    *,
    create: bool = False,
    purpose: str = "command",
    clock: Clock | None = None,
    cards: CardSource | None = None,
    usual: Patience = COMMANDING,
    beacon: Callable[[ConfiguredBeacon, Clock], Beacon] | None = None,
) -> Iterator[OpenFloor]:
    """Work on a floor. After a crash every interrupted round is taken up first, by its rulebook's clause.

    Where the record lacks what this folder's journals have acknowledged, a server waits, and does nothing
    until the record names it; any other command raises `RecordBroken`. `beacon` fetches what the beacon of
    the settings publishes; without it that beacon is announced, and no round that needs it is dealt.
    """
    configured = configured_beacon()
    clock = clock or SystemClock()
    store = open_store(where, create=create, usual=usual)
    journal = Journal(where.data)
    try:
        new = (
            create and not store.head(STREAM).version
        )  # keys are made with a floor, never for one that is here
        floor = Floor(
            store,
            clock=clock,
            cards=cards or SecureCards(),
            deck_key=deck_key(where, create=new),
            beacon=_beacon(configured, clock, beacon),
        )
        if new:
            checkpoint_key(where, create=True)
        continuity = Continuity(store, journal, floor.now, where.data)
        continuity.add(floor)
        if purpose == SERVES:
            journal.check_folder()
        continuity.begin()
        if continuity.broken is not None and not store.head(STREAM).version:
            remedy = "put its database back, or move the folder to another place"
            raise BadInput(
                "--data", f"the journals in {journal.folder} are of a floor that is not here", remedy
            )
        if continuity.broken is not None and purpose != SERVES:
            raise RecordBroken(str(continuity.broken))
        presence = Presence(store.engine, lock_file=_lock_file(where, store), purpose=purpose)

        def sign_the_end() -> None:
            if continuity.broken is None:
                _last_checkpoint(where, floor, store, presence)

        try:
            crashed = presence.enter(
                lambda crash: _when_whole(continuity, lambda: _recover(floor, crash))
            )  # no other is let in meanwhile
            if not crashed:
                _when_whole(continuity, floor.self_check)
            yield OpenFloor(floor, store, crashed, presence, where, continuity)
        except BaseException:
            with held_back(), suppress(StoreError):  # the store is gone: the next one sees that we were there
                presence.leave(sign_the_end)
            raise
        with held_back():
            presence.leave(sign_the_end)
    finally:
        journal.close()
        store.close()


def _beacon(
    configured: ConfiguredBeacon | None,
    clock: Clock,
    fetching: Callable[[ConfiguredBeacon, Clock], Beacon] | None,
) -> Beacon | None:
    if configured is None:
        return None
    return AnnouncedBeacon(configured.terms) if fetching is None else fetching(configured, clock)


def _when_whole(continuity: Continuity, work: Callable[[], object]) -> None:
    """Do something now, or when the record is whole again."""
    if continuity.broken is None:
        work()
    else:
        continuity.afterwards.append(work)


def _lock_file(where: Settings, store: SqlStore) -> Path | None:
    """The file of the lock beside a SQLite database; PostgreSQL has locks of its own."""
    if store.engine.dialect.name != "sqlite":
        return None
    file = store.engine.url.database
    return Path(f"{file}.lock") if where.database and file else where.data / LOCK_FILE


def _recover(floor: Floor, crash: str) -> None:
    """Take the floor up; what a process that is gone still holds is free in a moment."""
    until = time.monotonic() + HELD_SECONDS
    while True:
        try:
            floor.self_check()
            floor.recover("the floor stopped without notice", crash=crash)
        except StoreBusy:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return


def _checkpoint(where: Settings, floor: Floor, store: SqlStore) -> None:
    """Sign the record when the last signature is five minutes old, where the key is at hand."""
    _sign(where, floor, store, not_within=CHECKPOINT_MICROS)


def _last_checkpoint(where: Settings, floor: Floor, store: SqlStore, presence: Presence) -> None:
    """Sign the record as a process that stops leaves it.

    A command beside a server that is at work leaves that to the server, which signs every five minutes and
    when it stops. The server has said goodbye before it signs, so that one of the two always does.
    """
    by_a_server = not presence.serves and presence.is_served()
    _sign(where, floor, store, not_within=CHECKPOINT_MICROS if by_a_server else 0)


def _sign(where: Settings, floor: Floor, store: SqlStore, *, not_within: int) -> None:
    key = checkpoint_key(where, create=False)
    if key is None or not floor.registry.name:
        return
    make_checkpoint(store, key, floor.now(), not_within=not_within, only_news=True)
