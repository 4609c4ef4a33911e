"""The one place that builds a working floor from settings: its store, its keys, its clock and its cards."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.errors import BadInput, StoreError, near_file
from pitboss.floor.clock import SecureCards, SystemClock
from pitboss.floor.ports import SECOND, CardSource, Clock
from pitboss.floor.service import Floor
from pitboss.folders import data_folder
from pitboss.store.engine import open_engine, revision_of, sqlite_url
from pitboss.store.keeping import make_checkpoint
from pitboss.store.presence import Presence
from pitboss.store.sql import SqlStore

DATABASE_FILE = "floor.db"
LOCK_FILE = "floor.lock"
DECK_KEY = "deck.key"
CHECKPOINT_KEY = "checkpoint.pem"
KEY_BYTES = 32
CHECKPOINT_MICROS = 300 * SECOND


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


def open_store(where: Settings, *, create: bool = False) -> SqlStore:
    """The store of a floor. Unless it is to be created, it must be there."""
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
    engine = open_engine(where.url)
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

    def keep(self) -> None:
        """What a process that works for long does now and then: it says it is there, and signs the record."""
        self.presence.keep()
        _checkpoint(self.where, self.floor, self.store)


@contextmanager
def at_work(
    where: Settings,
    *,
    create: bool = False,
    purpose: str = "command",
    clock: Clock | None = None,
    cards: CardSource | None = None,
) -> Iterator[OpenFloor]:
    """Work on a floor. After a crash every interrupted round is taken up first, by its rulebook's clause."""
    store = open_store(where, create=create)
    try:
        floor = Floor(
            store,
            clock=clock or SystemClock(),
            cards=cards or SecureCards(),
            deck_key=deck_key(where, create=create),
        )
        if create:
            checkpoint_key(where, create=True)
        presence = Presence(store.engine, lock_file=_lock_file(where, store), purpose=purpose)
        crashed = presence.enter(
            lambda crash: _recover(floor, crash)  # while nobody else is let in
        )
        if not crashed:
            floor.self_check()
        try:
            yield OpenFloor(floor, store, crashed, presence, where)
            _checkpoint(where, floor, store)
        finally:
            with suppress(StoreError):  # the store is gone: the next one to come sees that we were there
                presence.leave()
    finally:
        store.close()


def _lock_file(where: Settings, store: SqlStore) -> Path | None:
    """The file of the lock beside a SQLite database; PostgreSQL has locks of its own."""
    if store.engine.dialect.name != "sqlite":
        return None
    file = store.engine.url.database
    return Path(f"{file}.lock") if where.database and file else where.data / LOCK_FILE


def _recover(floor: Floor, crash: str) -> None:
    floor.self_check()
    floor.recover("the floor stopped without notice", crash=crash)


def _checkpoint(where: Settings, floor: Floor, store: SqlStore) -> None:
    """Sign the record when the last signature is five minutes old, where the key is at hand."""
    key = checkpoint_key(where, create=False)
    if key is None or not floor.registry.name:
        return
    make_checkpoint(store, key, floor.now(), not_within=CHECKPOINT_MICROS)
