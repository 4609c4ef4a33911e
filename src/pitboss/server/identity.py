"""Who is there: sign-in by password, sessions kept on the server, locks, and the second person's own word.

A token is shown once, to whoever signs in; the store has its hash. Three failures lock an account for a
while. A session of the house's staff locks when nobody has done anything with it for five minutes.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from dataclasses import dataclass
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pitboss.errors import BadInput
from pitboss.floor.people import Asker
from pitboss.floor.ports import SECOND, Clock, Micros
from pitboss.store.identities import Identities, SignIn

STAFF, PLAYER = "staff", "player"
MOST_FAILURES = 3
LOCKED_MINUTES = 15
IDLE_MINUTES = 5
SESSION_HOURS = 12
COUNTERSIGN_SECONDS = 120
NOTED_SECONDS = 20
"""Activity is written down at most this often."""
CACHED_SECONDS = 30
"""How long a process trusts what it has read of a session, unless it hears that one has changed."""
LEAST_PASSWORD, LONGEST_PASSWORD = 8, 200
MINUTE = 60 * SECOND
WRONG = (
    "Name and password do not match, or the account is locked: "
    f"after {MOST_FAILURES} failures it is for {LOCKED_MINUTES} minutes."
)
"""One sentence for all of it: nobody learns which names there are."""
MOST_CACHED = 20_000


class NotSignedIn(Exception):  # noqa: N818 - it is an answer
    """Nobody is signed in by this token. `code` tells why, `message` what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Locked(Exception):  # noqa: N818 - it is an answer
    """The session is locked; its owner opens it with his password."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody signed in."""

    id: str
    asker: Asker
    csrf: str
    ends_at: Micros
    locked: bool

    @property
    def is_staff(self) -> bool:
        """Whether it is somebody of the house."""
        return self.asker.kind == STAFF


class Begun(NamedTuple):
    """A session just begun, with the token that nobody will be shown again."""

    token: str
    session: Session


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Identity:
    """Sign-in on a floor. Checking a password takes a while on purpose: call it off the floor's thread."""

    def __init__(
        self,
        identities: Identities,
        clock: Clock,
        *,
        hasher: PasswordHasher | None = None,
        idle: int = IDLE_MINUTES,
    ) -> None:
        self.identities = identities
        self._clock = clock
        self._hasher = hasher or PasswordHasher()
        self._idle = idle * MINUTE
        self._nobody = self._hasher.hash(secrets.token_hex(8))
        self._cached: dict[str, tuple[Micros, SignIn]] = {}
        self._lock = threading.Lock()

    # --- passwords ------------------------------------------------------------------------------------

    def set_password(self, kind: str, name: str, password: str) -> None:
        """Gives somebody a password; whoever is signed in as him is not any more."""
        if not LEAST_PASSWORD <= len(password) <= LONGEST_PASSWORD or not password.isprintable():
            raise BadInput(
                "password",
                "cannot be used",
                f"use {LEAST_PASSWORD} to {LONGEST_PASSWORD} printable characters",
            )
        self.identities.set_password(kind, name, self._hasher.hash(password), at=self._clock.now())
        self._forget(kind, name)

    def check(self, kind: str, name: str, password: str) -> None:
        """Raises `NotSignedIn` unless it is the password. Nobody learns which of the two was wrong."""
        account = self.identities.account(kind, name)
        now = self._clock.now()
        try:
            self._hasher.verify(self._nobody if account is None else account.password, password)
            matches = account is not None
        except (VerificationError, InvalidHashError):
            matches = False
        locked = account is not None and account.locked_until > now
        if locked or not matches:
            if account is not None and not locked:
                until = Micros(now + LOCKED_MINUTES * MINUTE)
                self.identities.failed(kind, name, most=MOST_FAILURES, locked_until=until)
            raise NotSignedIn("wrong-password", WRONG)
        assert account is not None
        if account.failures:
            self.identities.unlock(kind, name)
        if self._hasher.check_needs_rehash(account.password):
            self.identities.rehash(kind, name, self._hasher.hash(password))

    # --- sessions -------------------------------------------------------------------------------------

    def sign_in(self, kind: str, name: str, password: str) -> Begun:
        """Begin a session. Raises `NotSignedIn`."""
        self.check(kind, name, password)
        return self.begin(kind, name)

    def begin(self, kind: str, name: str) -> Begun:
        """A session for somebody who has shown who he is."""
        token, now = secrets.token_urlsafe(32), self._clock.now()
        row = SignIn(
            id=_hash(token),
            kind=kind,
            name=name,
            purpose="session",
            csrf=secrets.token_urlsafe(24),
            begun_at=now,
            active_at=now,
            ends_at=Micros(now + SESSION_HOURS * 60 * MINUTE),
            locked=False,
        )
        self.identities.begin(row)
        return Begun(token, self._session(row, now))

    def session(self, token: str) -> Session:
        """Who a token belongs to. Raises `NotSignedIn`. A locked session is returned as such."""
        now, hashed = self._clock.now(), _hash(token)
        row = self._fresh(hashed, now)
        if row is None:
            row = self.identities.find(hashed)
            if row is None or row.purpose != "session":
                self._drop(hashed)
                raise NotSignedIn("signed-out", "Nobody is signed in here; sign in.")
            self._keep(hashed, now, row)
        if row.ends_at <= now:
            raise NotSignedIn("session-ended", "The session is over; sign in again.")
        return self._session(row, now)

    def known(self, token: str) -> Session | None:
        """The session if it is known here without asking the store."""
        now = self._clock.now()
        row = self._fresh(_hash(token), now)
        return None if row is None or row.ends_at <= now else self._session(row, now)

    def _fresh(self, hashed: str, now: Micros) -> SignIn | None:
        with self._lock:
            found = self._cached.get(hashed)
        if found is None or not 0 <= now - found[0] < CACHED_SECONDS * SECOND:
            return None
        return found[1]

    def _keep(self, hashed: str, at: Micros, row: SignIn) -> None:
        with self._lock:
            self._cached[hashed] = (at, row)
            if len(self._cached) > MOST_CACHED:
                old = [key for key, (then, _) in self._cached.items() if at - then > CACHED_SECONDS * SECOND]
                for key in old:
                    del self._cached[key]

    def forget_all(self) -> None:
        """Sessions have changed elsewhere: each is looked up again."""
        with self._lock:
            self._cached.clear()

    def _drop(self, hashed: str) -> None:
        with self._lock:
            self._cached.pop(hashed, None)

    def _session(self, row: SignIn, now: Micros) -> Session:
        idle = row.kind == STAFF and now - row.active_at > self._idle
        return Session(row.id, Asker(row.kind, row.name), row.csrf, row.ends_at, row.locked or idle)

    def is_noted(self, session: Session) -> bool:
        """Whether it is written down that somebody does something with his session."""
        if not session.is_staff:  # players' sessions do not lock
            return True
        with self._lock:
            cached = self._cached.get(session.id)
        return cached is None or self._clock.now() - cached[1].active_at < NOTED_SECONDS * SECOND

    def active(self, session: Session) -> None:
        """Somebody has done something with his session; it stays open. A locked one stays locked."""
        with self._lock:
            cached = self._cached.get(session.id)
        if cached is None or session.locked:
            return
        now = self._clock.now()
        self.identities.active(session.id, now)
        self._keep(session.id, cached[0], cached[1]._replace(active_at=now))

    def lock(self, session: Session) -> None:
        """Lock a session until its owner gives the password again."""
        self.identities.set_locked(session.id, self._clock.now(), locked=True)
        self._drop(session.id)

    def unlock(self, session: Session, password: str) -> None:
        """Open a locked session again. Raises `NotSignedIn` for a wrong password."""
        self.check(session.asker.kind, session.asker.name, password)
        self.identities.set_locked(session.id, self._clock.now(), locked=False)
        self._drop(session.id)

    def is_signed_in(self, kind: str, name: str) -> bool:
        """Whether somebody has a session that is not over."""
        return self.identities.signed_in_until(kind, name) > self._clock.now()

    def sign_out(self, session: Session) -> None:
        """End a session."""
        self.identities.end(session.id)
        self._drop(session.id)

    def _forget(self, kind: str, name: str) -> None:
        with self._lock:
            theirs = [key for key, (_, row) in self._cached.items() if (row.kind, row.name) == (kind, name)]
            for key in theirs:
                del self._cached[key]

    # --- the second person ----------------------------------------------------------------------------

    def countersign(self, name: str, password: str, bound: str) -> str:
        """The word of a second person, by his own password: a token that is good once, and not for long.

        It is `bound` to one asker and one request, to the letter.
        """
        self.check(STAFF, name, password)
        token, now = secrets.token_urlsafe(24), self._clock.now()
        self.identities.begin(
            SignIn(
                id=_hash(token),
                kind=STAFF,
                name=name,
                purpose="countersign",
                csrf=bound,
                begun_at=now,
                active_at=now,
                ends_at=Micros(now + COUNTERSIGN_SECONDS * SECOND),
                locked=False,
            )
        )
        return token

    def take_word(self, token: str, name: str, bound: str) -> SignIn | None:
        """Takes the word that somebody gave for this; None if he did not, or too long ago."""
        found = self.identities.find(_hash(token)) if token else None
        if found is None or found.purpose != "countersign" or found.ends_at <= self._clock.now():
            return None
        if (found.name, found.csrf) != (name, bound):
            return None
        return found if self.identities.end(found.id) else None

    def give_back(self, word: SignIn) -> None:
        """What the word was given for was not done; it is still good."""
        self.identities.begin(word)
